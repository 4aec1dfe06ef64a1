"""The most memory that this process has held, where the system tells."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

__all__ = ["peak_bytes", "reset_peak"]

STATUS = Path("/proc/self/status")
CLEAR = Path("/proc/self/clear_refs")
RESET_PEAK = "5"  # as in Linux's proc_pid_clear_refs(5)


def reset_peak() -> bool:
    """Begin anew, from what is held now; say whether that could be done.

    Only Linux can. Elsewhere `peak_bytes` is the peak since the process began.
    """
    try:
        CLEAR.write_text(RESET_PEAK, encoding="ascii")
    except OSError:
        return False
    return True


def peak_bytes() -> int | None:
    """Return the most bytes of memory that were held at once; None where it is not known."""
    try:
        for line in STATUS.read_text(encoding="ascii", errors="replace").splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) << 10
    except (OSError, ValueError, IndexError):
        pass
    return _peak_of_process()


def _peak_of_process() -> int | None:
    try:
        resource = importlib.import_module("resource")  # there is none on Windows
    except ImportError:
        return None
    peak = int(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
    return peak if sys.platform == "darwin" else peak << 10
