"""The positions of the built-in suites, as material for the tests of the core."""

from __future__ import annotations

import chess

from perftkit import Position
from perftkit.suite.builtin import BUILTIN, builtin_path
from perftkit.suite.model import SuiteRow
from perftkit.suite.reader import read_suite

LARGE = ("chess960_fischer", "chess960_startpos")


def rows_of(name: str) -> list[SuiteRow]:
    rows = list(read_suite(builtin_path(name)))
    assert all(isinstance(row, SuiteRow) for row in rows), rows
    return rows


SUITES = {name: rows_of(name) for name in BUILTIN}


def sample(step: int) -> list[SuiteRow]:
    """Every row of the small suites, every `step`-th row of the two with hundreds of arrays."""
    return [row for name, rows in SUITES.items() for row in rows[:: step if name in LARGE else 1]]


def row_id(row: SuiteRow) -> str:
    return row.id


def position_of(row: SuiteRow) -> Position:
    return Position(row.fen, chess960=row.chess960)


def board_of(position: Position) -> chess.Board:
    """The same position in python-chess."""
    return chess.Board(position.fen(), chess960=position.chess960)
