"""Counting with the core what a row does not give yet."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from perftkit.core.perft import perft
from perftkit.core.position import Position
from perftkit.errors import SuiteError
from perftkit.suite.convention import to_wiki
from perftkit.suite.model import SHORT_NAMES, WIKI, Expectation, SuiteProblem, counters_of

if TYPE_CHECKING:
    from perftkit.core.perft import PerftResult
    from perftkit.suite.model import SuiteRow

__all__ = ["FillError", "fill_row"]


class FillError(SuiteError):
    """A number of a row differs from the count.

    Attributes:
        problem: Which, and where.
    """

    def __init__(self, problem: SuiteProblem) -> None:
        self.problem = problem
        super().__init__(str(problem))


def fill_row(row: SuiteRow, *, max_depth: int = 0, max_nodes: int = 200_000) -> SuiteRow:
    """Return the row with what is missing counted by the core.

    Depths that the row gives get all their counters, and depths from 1 to `max_depth` that it does
    not give are added, as far as they have at most `max_nodes` leaves. Numbers of the row are kept.

    Args:
        row: The row; in the published convention its counters stay in that one.
        max_depth: Plies, 0 to 64; 0 adds no depths.
        max_nodes: The most leaves that a depth may have to be filled.

    Raises:
        FillError: A number of the row differs from the count.
    """
    given = {expected.depth: expected for expected in row.expectations}
    position = Position(row.fen, chess960=row.chess960)
    for depth in range(1, max([max_depth, *given]) + 1):
        expected = given.get(depth)
        if expected is None and (depth > max_depth or _promises_too_many(given, depth, max_nodes)):
            continue
        if expected is not None and (expected.nodes > max_nodes or _is_full(row, expected)):
            continue
        result = perft(position, depth)
        if expected is not None or result.nodes <= max_nodes:
            given[depth] = _filled(row, expected, result)
    return replace(row, expectations=tuple(given[depth] for depth in sorted(given)))


def _is_full(row: SuiteRow, expected: Expectation) -> bool:
    return all(name in expected.counts for name in counters_of(row.convention))


def _promises_too_many(given: dict[int, Expectation], depth: int, max_nodes: int) -> bool:
    """Whether a depth is not worth the try, by the deepest one before it."""
    shallower = [known for known in given if 0 < known < depth]
    if not shallower:
        return depth > 1
    before = given[max(shallower)]
    return before.depth < depth - 1 or not 0 < before.nodes <= max_nodes


def _filled(row: SuiteRow, expected: Expectation | None, result: PerftResult) -> Expectation:
    counts = to_wiki(result.counts) if row.convention == WIKI else result.counts
    if expected is None:
        return Expectation(result.depth, result.nodes, counts)
    wrong = [
        f"{SHORT_NAMES[name]}={given}, counted {counts[name]}"
        for name, given in expected.counts.items()
        if counts[name] != given
    ]
    if expected.nodes != result.nodes:
        wrong.insert(0, f"{expected.nodes} nodes, counted {result.nodes}")
    if wrong:
        message = f"{row.id}: depth {result.depth} has {'; '.join(wrong)}"
        raise FillError(SuiteProblem(row.file, row.line, 1, message))
    return Expectation(expected.depth, expected.nodes, counts)
