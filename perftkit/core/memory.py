"""How much memory is left for a hash table."""

from __future__ import annotations

import os
from pathlib import Path

_OF_THE_MACHINE = Path("/proc/meminfo")
_OF_THE_CONTAINER = Path("/sys/fs/cgroup")


def free_megabytes() -> int | None:
    """Return what a process can still get, or None where the system does not tell."""
    known = [free for free in (_free_in_machine(), _free_in_container()) if free is not None]
    return min(known) >> 20 if known else None


def _free_in_machine() -> int | None:
    try:
        for line in _OF_THE_MACHINE.read_text(encoding="ascii").splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) << 10
    except (OSError, ValueError, IndexError):
        pass
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):
        return None


def _free_in_container() -> int | None:
    try:
        limit = int((_OF_THE_CONTAINER / "memory.max").read_text(encoding="ascii"))
        return limit - int((_OF_THE_CONTAINER / "memory.current").read_text(encoding="ascii"))
    except (OSError, ValueError):
        # No limit is the word "max".
        return None
