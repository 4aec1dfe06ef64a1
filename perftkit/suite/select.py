"""Which rows and depths of a suite are counted."""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from perftkit.suite.model import Expectation, SuiteRow

__all__ = ["Case", "cases", "matches", "over_limit"]


@dataclass(frozen=True, slots=True)
class Case:
    """One depth of one row.

    Attributes:
        row: The row.
        depth: Plies.
        expected: The row's counts for this depth; None for a row that is only a FEN.
        skipped: Why it is not to be counted, or None.
        is_left_out: Whether that is for want of time.
    """

    row: SuiteRow
    depth: int
    expected: Expectation | None
    skipped: str | None = None
    is_left_out: bool = False


def matches(row: SuiteRow, globs: Sequence[str]) -> bool:
    """Return whether the row's id matches one of the shell patterns, or there is none.

    ``*``, ``?`` and ``[…]`` are as in a shell, and case counts.
    """
    return not globs or any(fnmatchcase(row.id, glob) for glob in globs)


def cases(row: SuiteRow, *, max_depth: int, max_nodes: int | None = None) -> Iterator[Case]:
    """Yield the depths of a row up to `max_depth`, in ascending order.

    Args:
        row: The row. One that is only a FEN gives every depth from 1 on, without expected counts.
        max_depth: Deeper expectations are left out.
        max_nodes: Expectations of more nodes come with a reason why they are skipped. It says
            nothing about a row that is only a FEN, whose nodes are not known before.
    """
    if not row.expectations:
        for depth in range(1, max_depth + 1):
            yield Case(row, depth, None)
        return
    for expectation in row.expectations:
        if expectation.depth > max_depth:
            return
        reason = None
        if max_nodes is not None and expectation.nodes > max_nodes:
            reason = over_limit(expectation.nodes, max_nodes)
        yield Case(row, expectation.depth, expectation, reason)


def over_limit(nodes: int, limit: int) -> str:
    """Return why a count of so many leaves is skipped."""
    return f"{nodes} nodes are more than the limit of {limit}"
