"""Statistics of a suite: what is in it and how much work it is."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from perftkit.core.position import Position
from perftkit.suite.model import SuiteProblem

if TYPE_CHECKING:
    from collections.abc import Iterable

    from perftkit.suite.model import SuiteRow

__all__ = ["DepthStats", "SuiteStats", "statistics"]


@dataclass(slots=True)
class DepthStats:
    """The expectations of one depth.

    Attributes:
        rows: How many rows have a count for this depth.
        nodes: The sum of their nodes.
        largest: The most nodes of one row.
        with_counters: How many of them give at least one counter too.
    """

    rows: int = 0
    nodes: int = 0
    largest: int = 0
    with_counters: int = 0


@dataclass(slots=True)
class SuiteStats:
    """What is in a suite.

    Attributes:
        rows: Rows that could be read.
        problems: Problems met while reading.
        bare: Rows that are only a FEN.
        white_to_move: Rows with White to move.
        chess960: Rows that are played by Chess960 rules.
        castling: Rows with a castling right.
        en_passant: Rows with an e.p. square.
        in_check: Rows in which the side to move is in check.
        wiki: Rows in the published convention.
        depths: By depth, in ascending order.
        counters: How many expectations give each counter, by its JSON name.
    """

    rows: int = 0
    problems: int = 0
    bare: int = 0
    white_to_move: int = 0
    chess960: int = 0
    castling: int = 0
    en_passant: int = 0
    in_check: int = 0
    wiki: int = 0
    depths: dict[int, DepthStats] = field(default_factory=dict)
    counters: Counter[str] = field(default_factory=Counter)


def statistics(items: Iterable[SuiteRow | SuiteProblem]) -> SuiteStats:
    """Return the statistics of what `read_suite` yields; nothing is counted by the core."""
    stats = SuiteStats()
    for item in items:
        if isinstance(item, SuiteProblem):
            stats.problems += 1
        else:
            _add_row(stats, item)
    stats.depths = dict(sorted(stats.depths.items()))
    return stats


def _add_row(stats: SuiteStats, row: SuiteRow) -> None:
    position = Position(row.fen, chess960=row.chess960)
    stats.rows += 1
    stats.bare += not row.expectations
    stats.white_to_move += position.turn == "white"
    stats.chess960 += position.chess960
    stats.castling += position.castling != "-"
    stats.en_passant += position.ep_square is not None
    stats.in_check += position.is_check
    stats.wiki += row.convention == "wiki"
    for expectation in row.expectations:
        depth = stats.depths.setdefault(expectation.depth, DepthStats())
        depth.rows += 1
        depth.nodes += expectation.nodes
        depth.largest = max(depth.largest, expectation.nodes)
        depth.with_counters += bool(expectation.counts)
        stats.counters.update(expectation.counts.keys())
