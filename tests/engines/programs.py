"""The programs that the tests of engines run, and whether they are still there."""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path

HERE = Path(__file__).parent
HAS_PROC = Path("/proc/self/stat").exists()


def hostile_command(habit):
    return shlex.join([sys.executable, str(HERE / "hostile.py"), habit])


def xboard_command(*habits):
    return shlex.join([sys.executable, str(HERE / "xboard_engine.py"), *habits])


def is_alive(pid):
    """Whether a process is there and no zombie."""
    try:
        os.kill(pid, 0)
        if not HAS_PROC:
            return True
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
