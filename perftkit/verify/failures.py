"""Which rows an engine under test counts wrongly."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from perftkit.suite.model import SuiteRow

__all__ = ["Failure", "failures"]


@dataclass(frozen=True, slots=True)
class Failure:
    """A row that an engine counts wrongly.

    Attributes:
        row: The row.
        depth: The smallest depth at which it does.
    """

    row: SuiteRow
    depth: int


def failures(found: Iterable[tuple[SuiteRow, int]]) -> tuple[Failure, ...]:
    """Return the rows that failed, each once with its smallest depth, in their order."""
    smallest: dict[int, Failure] = {}
    for row, depth in found:
        known = smallest.get(id(row))
        if known is None or depth < known.depth:
            smallest[id(row)] = Failure(row, depth)
    return tuple(smallest.values())
