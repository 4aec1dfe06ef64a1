"""The exit status, and the sums of a run that it follows from, in one place."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING

from perftkit.verify.events import ERROR, MISMATCH, OK, SKIPPED, Outcome, Unreadable

if TYPE_CHECKING:
    from perftkit.suite.model import SuiteRow
    from perftkit.verify.events import Event

__all__ = ["ExitStatus", "Tally", "verdict"]


class ExitStatus(enum.IntEnum):
    """What a command tells its caller; of several the greatest is given."""

    AGREED = 0
    """Everything that was checked agreed."""
    DIFFERS = 1
    """At least one number differs."""
    BAD_INPUT = 2
    """Bad usage, or input that can't be read; what could be read was still checked."""
    ENGINE_FAILED = 3
    """An engine under test died, gave no answer in time, or could not be understood."""
    INTERRUPTED = 130
    """Ctrl-C; what was finished was still reported."""


@dataclass(slots=True)
class Tally:
    """The sums of a run.

    Attributes:
        positions: Rows of the suite of which at least one depth was selected.
        rows: Depths of rows that were selected.
        ok: How many of them agreed, or had nothing to agree with.
        mismatch: How many differed.
        failed: How many an engine under test gave no answer to.
        skipped: How many were left out for a reason.
        unreadable: Rows of the suite that could not be read.
        nodes: Leaves counted.
        seconds: Time spent counting.
    """

    positions: int = 0
    rows: int = 0
    ok: int = 0
    mismatch: int = 0
    failed: int = 0
    skipped: int = 0
    unreadable: int = 0
    nodes: int = 0
    seconds: float = 0.0
    _last: SuiteRow | None = None

    def add(self, event: Event) -> None:
        """Add what an event reports."""
        if isinstance(event, Unreadable):
            self.unreadable += 1
        elif isinstance(event, Outcome):
            self._add_outcome(event)

    def _add_outcome(self, outcome: Outcome) -> None:
        self.positions += outcome.row is not self._last
        self._last = outcome.row
        self.rows += 1
        self.ok += outcome.status == OK
        self.mismatch += outcome.status == MISMATCH
        self.failed += outcome.status == ERROR
        self.skipped += outcome.status == SKIPPED
        self.nodes += outcome.nodes or 0
        self.seconds += outcome.seconds

    @property
    def checked(self) -> int:
        """Return how many rows were not left out."""
        return self.rows - self.skipped

    @property
    def nps(self) -> int:
        """Return the nodes per second of counting, 0 when it was too short to be timed."""
        return int(self.nodes / self.seconds) if self.seconds > 0 else 0


def verdict(tally: Tally, *, interrupted: bool = False) -> ExitStatus:
    """Return the exit status of a run.

    A run that checked nothing is bad input, so that a misspelt pattern, or a limit by which every
    row is skipped, can't pass for success.
    """
    if interrupted:
        return ExitStatus.INTERRUPTED
    if tally.failed:
        return ExitStatus.ENGINE_FAILED
    if tally.unreadable or not tally.checked:
        return ExitStatus.BAD_INPUT
    return ExitStatus.DIFFERS if tally.mismatch else ExitStatus.AGREED
