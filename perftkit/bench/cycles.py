"""The processor's cycles, by what the system offers."""

from __future__ import annotations

import os
import struct
from typing import Protocol

from perftkit.core import cycles

__all__ = ["PERF_EVENTS", "TIME_STAMPS", "CycleCounter", "open_cycle_counter"]

PERF_EVENTS = "perf_event"
TIME_STAMPS = "tsc"

HARDWARE, CPU_CYCLES, INSTRUCTIONS = 0, 0, 1  # as in linux/perf_event.h


class CycleCounter(Protocol):
    """Something that counts cycles.

    Attributes:
        source: `PERF_EVENTS`, cycles of the core outside the kernel; or `TIME_STAMPS`, ticks of
            the processor's clock at its nominal rate, in which other programs' time is included.
    """

    source: str

    def read(self) -> tuple[int, int | None]:
        """Return the cycles so far, and the instructions where they are counted."""
        ...

    def close(self) -> None:
        """Give back what the system lent."""
        ...


class PerfEvents:
    """Counters of Linux's perf events."""

    source = PERF_EVENTS

    def __init__(self, *events: tuple[int, int]) -> None:
        """Open them.

        Args:
            events: Type and number of each, as in linux/perf_event.h.

        Raises:
            OSError: One of them can't be had.
        """
        self._files: list[int] = []
        for kind, number in events:
            file = cycles.open_event(kind, number)
            if file < 0:
                self.close()
                raise OSError(f"no perf event {kind}:{number}")
            self._files.append(file)

    def values(self) -> list[int]:
        """Return what each has counted."""
        return [struct.unpack("=Q", os.read(file, 8))[0] for file in self._files]

    def read(self) -> tuple[int, int | None]:
        """Return the cycles so far, and the instructions where they are counted."""
        first, *rest = self.values()
        return first, rest[0] if rest else None

    def close(self) -> None:
        """Give back what the system lent."""
        while self._files:
            os.close(self._files.pop())


class TimeStamps:
    """The time stamp counter."""

    source = TIME_STAMPS

    def read(self) -> tuple[int, int | None]:
        """Return the ticks so far."""
        return cycles.ticks(), None

    def close(self) -> None:
        """Do nothing."""


def open_cycle_counter(*, time_stamps: bool = True) -> CycleCounter | None:
    """Return the best counter that there is, if any.

    Args:
        time_stamps: Whether one will do that counts while other programs run.
    """
    for events in ([(HARDWARE, CPU_CYCLES), (HARDWARE, INSTRUCTIONS)], [(HARDWARE, CPU_CYCLES)]):
        try:
            counter = PerfEvents(*events)
        except OSError:
            continue
        if all(counter.values()):  # some virtual machines have counters that stand still
            return counter
        counter.close()
    return TimeStamps() if time_stamps and cycles.HAS_TICKS else None
