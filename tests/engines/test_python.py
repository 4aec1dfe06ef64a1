from __future__ import annotations

from pathlib import Path

import board_library
import chess
import pytest

from perftkit import KIWIPETE, STARTPOS, Position
from perftkit.engines import PerftEngine, Question
from perftkit.engines.python import engine_of
from perftkit.engines.settings import EngineSettings
from perftkit.engines.spec import open_engine
from perftkit.errors import EngineError, SpecError

KIWI = Question(KIWIPETE, 2)
AFTER = Question(KIWIPETE, 1, ("e1g1",))
CASTLING960 = "r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1"


@pytest.mark.parametrize("name", ["totals", "division", "san_division", "with_chess960"])
def test_functions(name):
    engine = open_engine(f"py:board_library:{name}")
    assert isinstance(engine, PerftEngine)
    # The Chess Programming Wiki's table; 43 replies to castling are by python-chess.
    assert engine.ask(KIWI).nodes == 2039
    assert engine.ask(AFTER).nodes == 43
    assert engine.abilities.divides == name.endswith("division")
    assert not engine.abilities.takes_moves
    assert engine.position_after(AFTER) is None
    engine.close()


def test_the_moves_of_a_function_may_be_in_any_notation():
    answer = open_engine("py:board_library:san_division").ask(KIWI)
    assert set(answer.children) == {move.uci() for move in Position(KIWIPETE).legal_moves()}


@pytest.mark.parametrize("target", [chess.Board, board_library.MethodBoard, board_library.settable])
def test_boards(target):
    engine = engine_of(target)
    assert engine.abilities.divides
    assert engine.abilities.takes_moves
    assert engine.ask(KIWI).nodes == 2039
    assert engine.ask(AFTER).nodes == 43
    assert engine.ask(Question(STARTPOS, 3)).nodes == 8902


def test_a_board_says_its_position():
    after = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R4RK1 b kq - 1 1"
    assert engine_of(chess.Board).position_after(AFTER) == after
    assert engine_of(board_library.MethodBoard).position_after(AFTER) is None


def test_chess960_where_the_board_takes_it():
    engine = engine_of(chess.Board)
    assert engine.abilities.chess960
    board = chess.Board(CASTLING960, chess960=True)
    board.push_uci("e1h1")
    answer = engine.ask(Question(CASTLING960, 1, ("e1h1",), True))
    assert set(answer.children) == {move.uci() for move in board.legal_moves}


def test_a_broken_pop_is_not_hidden_by_a_new_board_for_each_move():
    answer = engine_of(board_library.BrokenPop).ask(Question(KIWIPETE, 3))
    assert answer.nodes != 97862


def test_an_own_engine_is_used_as_it_is():
    own = board_library.OwnEngine()
    assert engine_of(own) is own
    assert open_engine("py:board_library:OwnEngine").ask(KIWI).nodes == 2039


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("raises", "raised 'KeyError: "),
        ("exits", "raised 'SystemExit: 3'"),
        ("nonsense", "returned ''twenty''"),
        ("negative", "returned '-1'"),
        ("truth", "returned 'True'"),
        ("too_large", "returned a number of more than 40 digits"),
        ("unspeakable", "returned a number of more than 40 digits"),
    ],
)
def test_what_a_function_does_wrong_is_said(name, said):
    with pytest.raises(EngineError) as caught:
        open_engine(f"py:board_library:{name}").ask(KIWI)
    assert said in str(caught.value)
    assert str(caught.value).isprintable()


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("py:board_library", "is to be py:package.module:function"),
        ("py::x", "is to be py:package.module:function"),
        ("py:board_library:", "is to be py:package.module:function"),
        ("py:no_such_module:x", "there is no module 'no_such_module'"),
        ("py:board_library:missing", "board_library has no 'missing'"),
        ("py:board_library:number", "is no engine but 'int'"),
        ("py:..:x", "is no name of a module"),
    ],
)
def test_specs_that_name_nothing(spec, said):
    with pytest.raises(SpecError) as caught:
        open_engine(spec)
    assert said in str(caught.value)
    assert caught.value.exit_status == 2


def test_a_module_of_the_current_folder_that_fails(tmp_path):
    Path("broken_perft_module.py").write_text("raise RuntimeError('no licence')\n")
    with pytest.raises(EngineError, match="can't be imported: 'RuntimeError: no licence'"):
        open_engine("py:broken_perft_module:f")


def test_a_board_that_takes_too_long():
    engine = engine_of(chess.Board, settings=EngineSettings(timeout=0.2))
    with pytest.raises(EngineError, match=r"no answer in 0\.2 s"):
        engine.ask(Question(KIWIPETE, 5))


def test_a_board_without_the_move_that_leads_on():
    class Deaf(board_library.MethodBoard):
        def legal_moves(self):
            return [move for move in super().legal_moves() if move != "e1g1"]

    with pytest.raises(EngineError, match="has no move e1g1 on the way"):
        engine_of(Deaf).ask(AFTER)
