"""The six positions that everybody measures with, and the published counts of the suite."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from perftkit.core.position import Position
from perftkit.suite.builtin import DEFAULT, builtin_path
from perftkit.suite.model import Expectation, SuiteRow
from perftkit.suite.reader import read_suite

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = [
    "HASH_POSITIONS",
    "POSITION_NAMES",
    "BenchPosition",
    "bench_positions",
    "hash_bench_positions",
]

IDS_AND_DEPTHS = {
    "start": ("startpos", 6),
    "kiwipete": ("kiwipete", 5),
    "position-3": ("position-3-rook-endgame-ep-pins", 6),
    "position-4": ("position-4-castling-and-promotions", 5),
    "position-5": ("position-5-promotion-with-check", 5),
    "position-6": ("position-6-middlegame", 5),
}
POSITION_NAMES = tuple(IDS_AND_DEPTHS)

HASH_DEPTHS = {
    "start": 7,
    "kiwipete": 6,
    "position-3": 8,
    "position-4": 6,
    "position-5": 6,
    "position-6": 6,
}
HASH_POSITIONS = ("start", "kiwipete")


@dataclass(frozen=True, slots=True)
class BenchPosition:
    """A position, and what there is to count.

    Attributes:
        name: One of `POSITION_NAMES`.
        fen: The position.
        task: The depth that is timed, with its published counts.
        warm_up: The same one ply shallower, which is counted first and not timed.
        root: The position, ready to be counted.
    """

    name: str
    fen: str
    task: Expectation
    warm_up: Expectation
    root: Position = field(repr=False, compare=False)


def bench_positions(names: Sequence[str] = (), *, quick: bool = False) -> tuple[BenchPosition, ...]:
    """Return positions in the usual order.

    Args:
        names: Of `POSITION_NAMES`; all of them when it is empty.
        quick: Whether to count one ply less.
    """
    depths = {name: depth for name, (_, depth) in IDS_AND_DEPTHS.items()}
    return _positions(names, depths, quick=quick)


def hash_bench_positions(
    names: Sequence[str] = (), *, quick: bool = False
) -> tuple[BenchPosition, ...]:
    """Return positions in the usual order, at depths where a hash table matters.

    Args:
        names: Of `POSITION_NAMES`; `HASH_POSITIONS` when it is empty.
        quick: Whether to count one ply less.
    """
    return _positions(names or HASH_POSITIONS, HASH_DEPTHS, quick=quick)


def _positions(
    names: Sequence[str], depths: Mapping[str, int], *, quick: bool
) -> tuple[BenchPosition, ...]:
    rows = {row.id: row for row in read_suite(builtin_path(DEFAULT)) if isinstance(row, SuiteRow)}
    positions = []
    for name, (row_id, _) in IDS_AND_DEPTHS.items():
        if names and name not in names:
            continue
        row = rows[row_id]
        by_depth = {expectation.depth: expectation for expectation in row.expectations}
        depth = depths[name] - quick
        task, warm_up = by_depth[depth], by_depth[depth - 1]
        positions.append(BenchPosition(name, row.fen, task, warm_up, Position(row.fen)))
    return tuple(positions)
