"""What time is taken: of the clock on the wall, or of the processor."""

from __future__ import annotations

import importlib
import os
import sys
import time
from pathlib import Path

__all__ = ["CLOCKS", "CPU", "WALL", "can_time_engines", "engines_cpu_seconds", "own_cpu_seconds"]

WALL = "wall"
CPU = "cpu"
CLOCKS = (WALL, CPU)

CPU_CLOCK_OF_PROCESS = 2  # the low bits of a clock's number on Linux, below the inverted process id


def own_cpu_seconds() -> float:
    """Return the processor time of this process, of all its threads."""
    return time.process_time()


def can_time_engines() -> bool:
    """Whether the processor time of other processes can be read here."""
    return sys.platform == "linux" and Path(f"/proc/self/task/{os.getpid()}/children").exists()


def engines_cpu_seconds() -> float | None:
    """Return the processor time of all processes that this one has started, and theirs.

    An engine that waits for a question spends none, so that a difference belongs to the one that
    was asked. None where it can't be read.
    """
    if not can_time_engines():
        return None
    resource = importlib.import_module("resource")  # there is none on Windows
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    living = sum(_cpu_seconds(process) for process in _descendants(os.getpid()))
    return float(ended.ru_utime + ended.ru_stime + living)


def _descendants(process: int) -> list[int]:
    found = []
    for children in Path(f"/proc/{process}/task").glob("*/children"):
        try:
            words = children.read_text(encoding="ascii").split()
        except OSError:  # that thread has just ended
            continue
        for child in map(int, words):
            found += [child, *_descendants(child)]
    return found


def _cpu_seconds(process: int) -> float:
    try:
        return time.clock_gettime(~process << 3 | CPU_CLOCK_OF_PROCESS)
    except OSError:  # it has just ended
        return 0.0
