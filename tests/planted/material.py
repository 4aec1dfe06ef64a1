"""What the tests share: the rows of the suites by cost, and the judgement of python-chess."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import chess

from perftkit import Position
from perftkit.engines import Question
from perftkit.suite.builtin import builtin_path
from perftkit.suite.model import OPTIONAL, SuiteRow
from perftkit.suite.reader import read_suite
from perftkit.verify.walk import result_of, walk
from planted.bugs import BUGS, VISIBLE
from planted.engine import PlantedEngine

if TYPE_CHECKING:
    from perftkit.verify.diagnosis import Evidence
    from perftkit.verify.walk import WalkResult

MOST_DEPTH = 4
MOST_NODES = 1_500_000  # that a planted engine counts, all rows together, before it gives up
CASES = [(bug.name, color) for bug in VISIBLE if bug.depth <= MOST_DEPTH for color in bug.colors]


@dataclass(frozen=True, slots=True)
class Row:
    """One question of a suite, with the published number."""

    nodes: int
    depth: int
    fen: str
    chess960: bool

    def question(self) -> Question:
        return Question(self.fen, self.depth, (), self.chess960)


@cache
def rows_of(suite: str) -> list[Row]:
    """Return every depth up to `MOST_DEPTH` of a built-in suite, the cheapest first."""
    rows = []
    for row in read_suite(builtin_path(suite)):
        assert isinstance(row, SuiteRow), row
        if OPTIONAL in row.notes:  # engines are not asked for it
            continue
        position = Position(row.fen, chess960=row.chess960)
        rows += [
            Row(known.nodes, known.depth, position.fen(), position.chess960)
            for known in row.expectations
            if 1 <= known.depth <= MOST_DEPTH
        ]
    return sorted(rows, key=lambda row: row.nodes)


@cache
def noticed(name: str, color: str) -> Row | None:
    """Return the cheapest row of the suite at which a planted engine's number is not the right one.

    The engine is asked in the order of cost and keeps what it keeps from one row to the next.
    """
    engine = PlantedEngine(name, color)
    for row in rows_of(BUGS[name].suite):
        if engine.nodes > MOST_NODES:
            return None
        if engine.ask(row.question()).nodes != row.nodes:
            return row
    return None


@cache
def walked(name: str, color: str, divides: bool = True, takes_moves: bool = True) -> WalkResult:
    """Return what the walk finds from the row that noticed the bug."""
    row = noticed(name, color)
    assert row is not None
    engine = PlantedEngine(name, color, divides=divides, takes_moves=takes_moves)
    return result_of(walk(engine, row.fen, row.depth, chess960=row.chess960))


def evidence_of(result: WalkResult) -> Evidence:
    assert result.first_wrong is not None, result
    return result.first_wrong


def judge(evidence: Evidence) -> chess.Board:
    """Return the position of the evidence in python-chess, by its line from the root."""
    board = chess.Board(evidence.root or evidence.fen, chess960=evidence.chess960)
    for move in evidence.path:
        board.push_uci(move)
    assert chess.Board(evidence.fen, chess960=evidence.chess960).epd() == board.epd()
    return board


def legal(board: chess.Board) -> set[str]:
    return {board.uci(move) for move in board.legal_moves}


def leaves(board: chess.Board, depth: int) -> int:
    """Count leaves by python-chess."""
    if depth == 0:
        return 1
    total = 0
    for move in board.legal_moves:
        board.push(move)
        total += leaves(board, depth - 1)
        board.pop()
    return total
