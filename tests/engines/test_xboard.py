from __future__ import annotations

import chess
import pytest
from programs import xboard_command

from perftkit import KIWIPETE, STARTPOS
from perftkit.engines import Question
from perftkit.engines.xboard import RefusedError

CASTLING960 = "r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1"


@pytest.fixture
def xboard(opened):
    def open_it(*habits, prefix="xboard:", **settings):
        return opened(prefix + xboard_command(*habits), **settings)

    return open_it


@pytest.mark.parametrize("habits", [(), ("old",), ("usermove",), ("old", "slow"), ("slow",)])
def test_counts_by_fen_and_by_moves(xboard, habits):
    engine = xboard(*habits)
    assert engine.abilities.divides
    assert engine.abilities.takes_moves
    # The Chess Programming Wiki's table; 43 replies to castling are by python-chess.
    assert engine.ask(Question(KIWIPETE, 2)).nodes == 2039
    assert engine.ask(Question(KIWIPETE, 1, ("e1g1",))).nodes == 43
    assert engine.ask(Question(STARTPOS, 3)).nodes == 8902


def test_a_bare_command_is_found_to_speak_it(xboard):
    engine = xboard(prefix="")
    assert engine.protocol == "xboard"
    assert engine.name == "Little 1.0"


@pytest.mark.parametrize("habits", [(), ("king-takes-rook",), ("usermove",)])
def test_castling_in_chess960(xboard, habits):
    engine = xboard(*habits)
    board = chess.Board(CASTLING960, chess960=True)
    board.push_uci("e1h1")
    for _ in range(2):
        answer = engine.ask(Question(CASTLING960, 1, ("e1h1",), True))
        assert set(answer.children) == {move.uci() for move in board.legal_moves}
        assert engine.ask(Question(KIWIPETE, 2)).nodes == 2039


def test_one_that_refuses_moves_gets_the_fen_after_them(xboard):
    engine = xboard("refuses")
    assert not engine.abilities.takes_moves
    assert engine.ask(Question(KIWIPETE, 1, ("e1g1",))).nodes == 43


def test_a_refused_position_is_said(xboard):
    with pytest.raises(RefusedError, match=r"refused 'perft 1' .*'tellusererror Illegal position'"):
        xboard("illegal").ask(Question(KIWIPETE.replace("0 1", "5 9"), 1))
