"""Without a bug the program agrees with the published counts and with python-chess."""

from __future__ import annotations

import chess
import pytest

from perftkit.engines import PerftEngine, Question
from perftkit.errors import EngineError
from perftkit.verify.events import OK
from perftkit.verify.walk import result_of, walk
from planted.bugs import BUGS, CHESS960, STANDARD
from planted.engine import PlantedEngine
from planted.material import leaves, legal, rows_of
from planted.program import Program

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
PROMOTIONS = "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1"
EN_PASSANT = "8/8/8/2k5/2pP4/8/B7/4K3 b - d3 0 3"
CASTLING_960 = "r1q1k1rn/1p1ppp1p/1npb2b1/p1N3p1/8/1BP4P/PP1PPPP1/1RQ1KRBN w BFag - 0 9"
# What the walk asks the most: positions of every kind.
POSITIONS = [chess.STARTING_FEN, KIWIPETE, PROMOTIONS, EN_PASSANT]


@pytest.mark.parametrize("suite", [STANDARD, CHESS960])
def test_the_published_counts_are_reached(suite):
    engine = PlantedEngine()
    wrong = [
        row
        for row in rows_of(suite)
        if row.nodes < 4000 and engine.ask(row.question()).nodes != row.nodes
    ]
    assert wrong == []


@pytest.mark.parametrize(
    ("fen", "depth", "nodes"),
    [
        # The Chess Programming Wiki's tables.
        (chess.STARTING_FEN, 4, 197_281),
        (KIWIPETE, 3, 97_862),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 4, 43_238),
        ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 3, 62_379),
    ],
)
def test_the_usual_positions_are_counted(fen, depth, nodes):
    assert PlantedEngine().ask(Question(fen, depth)).nodes == nodes


@pytest.mark.parametrize(
    ("fen", "chess960"), [(fen, False) for fen in POSITIONS] + [(CASTLING_960, True)]
)
def test_the_divide_is_that_of_python_chess(fen, chess960):
    board = chess.Board(fen, chess960=chess960)
    expected = {}
    for move in board.legal_moves:
        text = board.uci(move)
        board.push(move)
        expected[text] = leaves(board, 1)
        board.pop()
    answer = PlantedEngine().ask(Question(fen, 2, (), chess960))
    assert answer.children == expected
    assert answer.nodes == answer.total == sum(expected.values())


@pytest.mark.parametrize(
    ("fen", "chess960"), [(fen, False) for fen in POSITIONS] + [(CASTLING_960, True)]
)
def test_every_move_is_taken_back(fen, chess960):
    program = Program()
    program.set_up(fen, (), chess960)
    before = program.counter.fen()
    program.counter.divide(3)
    assert program.counter.fen() == before


def test_moves_are_played_from_the_root_and_the_position_is_printed():
    moves = ("e2e4", "c7c5", "e4e5", "d7d5")
    board = chess.Board()
    for move in moves:
        board.push_uci(move)
    question = Question(chess.STARTING_FEN, 1, moves)
    engine = PlantedEngine()
    assert set(engine.ask(question).children) == legal(board)
    assert engine.position_after(question) == board.fen(en_passant="fen")


def test_the_engine_keeps_perftkits_contract():
    engine = PlantedEngine()
    assert isinstance(engine, PerftEngine)
    assert PlantedEngine(divides=False).ask(Question(KIWIPETE, 2)).children is None
    with pytest.raises(EngineError, match="e2e5"):
        engine.ask(Question(KIWIPETE, 1, ("e2e5",)))
    with pytest.raises(EngineError, match="moves"):
        PlantedEngine(takes_moves=False).ask(Question(KIWIPETE, 1, ("e1g1",)))


@pytest.mark.parametrize("fen", [KIWIPETE, PROMOTIONS, EN_PASSANT])
@pytest.mark.parametrize("divides", [True, False])
def test_the_walk_finds_nothing(fen, divides):
    result = result_of(walk(PlantedEngine(divides=divides), fen, 3))
    assert (result.verdict, result.first_wrong) == (OK, None)


@pytest.mark.parametrize("name", [name for name, bug in BUGS.items() if bug.has_colors])
def test_a_bug_of_one_side_leaves_the_other_alone(name):
    """By the rows at depth 1, where only the side to move generates."""
    for color, letter in (("white", "b"), ("black", "w")):
        engine = PlantedEngine(name, color)
        for row in rows_of(BUGS[name].suite):
            # Rights and the FEN's other fields are read for both sides; only one is to move.
            if row.depth == 1 and row.fen.split()[1] == letter:
                assert engine.ask(row.question()).nodes == row.nodes, row
