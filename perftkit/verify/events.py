"""What happens in a run, as small values for whoever listens."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from perftkit.suite.model import SuiteProblem, SuiteRow
    from perftkit.verify.compare import Difference

__all__ = ["ERROR", "MISMATCH", "OK", "SKIPPED", "Advanced", "Event", "Outcome", "Unreadable"]

OK = "ok"
MISMATCH = "mismatch"
SKIPPED = "skipped"
ERROR = "error"


@dataclass(frozen=True, slots=True)
class Outcome:
    """One depth of one row is finished.

    Attributes:
        row: The row.
        depth: Plies.
        status: `OK`, `MISMATCH`, `SKIPPED`, or `ERROR` when an engine under test failed. A row
            without expected counts is `OK` when the built-in generator counts it.
        nodes: Leaves counted; None when skipped or failed.
        expected_nodes: Leaves that the row gives, else those that the reference counts for an
            engine; None when there is nothing to compare with.
        counts: The counters measured, in the convention in which they were compared; those that
            an engine printed.
        expected_counts: The counters that the row gives, in the same convention.
        seconds: How long the count took.
        reason: Why it was skipped, or what the engine failed with; else None.
        is_left_out: Whether it was skipped for want of time.
        differences: What is not as expected, nodes first.
        hints: What the differences point to, in words, the strongest first.
        remarks: What else an engine's answer is worth saying about, in sentences.
        disputed: What the reference counts where that is not what the row gives; None otherwise.
    """

    row: SuiteRow
    depth: int
    status: str
    nodes: int | None = None
    expected_nodes: int | None = None
    counts: Mapping[str, int] = field(default_factory=dict)
    expected_counts: Mapping[str, int] = field(default_factory=dict)
    seconds: float = 0.0
    reason: str | None = None
    is_left_out: bool = False
    differences: tuple[Difference, ...] = ()
    hints: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    disputed: int | None = None

    @property
    def healthy(self) -> bool:
        """Return whether the engine counts what the reference counts, and only the row differs."""
        return self.disputed is not None and self.disputed == self.nodes


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A row could not be read; the rows after it still are.

    Attributes:
        problem: Where, and what was expected.
    """

    problem: SuiteProblem


@dataclass(frozen=True, slots=True)
class Advanced:
    """A part of a long count is finished.

    Attributes:
        nodes: Leaves of this part alone.
    """

    nodes: int


Event = Outcome | Unreadable | Advanced
