"""Python callables in a process of their own: limits hold, and what they print disturbs nobody."""

from __future__ import annotations

import time

import chess
import pytest

from perftkit import KIWIPETE, STARTPOS
from perftkit.engines import Question
from perftkit.engines.process import EngineDiedError, EngineTimeoutError
from perftkit.errors import EngineError

ONE = Question(KIWIPETE, 1)
TWO = Question(KIWIPETE, 2)  # 2039 leaves, by the Chess Programming Wiki


def test_one_that_hangs_is_ended_and_asked_again(opened):
    engine = opened("py:board_library:hangs", timeout=1.0)
    start = time.monotonic()
    with pytest.raises(EngineTimeoutError, match="no answer within 1 s to depth 2"):
        engine.ask(TWO)
    assert time.monotonic() - start < 5
    assert engine.ask(ONE).nodes == 48


def test_one_that_ends_its_process_is_asked_again(opened):
    engine = opened("py:board_library:vanishes")
    with pytest.raises(EngineDiedError, match=r"exit status 9 .*'the last thing I do'"):
        engine.ask(TWO)
    assert engine.ask(ONE).nodes == 48


def test_what_it_prints_goes_elsewhere(opened, capfd):
    answer = opened("py:board_library:noisy").ask(TWO)
    assert (answer.nodes, len(answer.children)) == (2039, 48)
    out, err = capfd.readouterr()
    assert out == err == ""


def test_its_standard_input_is_empty(opened):
    assert opened("py:board_library:reads").ask(TWO).nodes == 2039


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("interrupts", "raised KeyboardInterrupt"),
        ("huge", "can't be passed on"),
        ("recurses", "RecursionError"),
    ],
)
def test_whatever_it_raises_is_an_error_of_the_question(opened, name, said):
    engine = opened(f"py:board_library:{name}")
    for _ in range(2):
        with pytest.raises(EngineError, match=said):
            engine.ask(ONE)


def test_boards_are_the_same_as_in_this_process(opened):
    engine = opened("py:chess:Board")
    abilities = engine.abilities
    assert (abilities.divides, abilities.takes_moves, abilities.chess960) == (True, True, True)
    assert abilities.prints_position
    board = chess.Board()
    board.push_uci("e2e4")
    question = Question(STARTPOS, 1, ("e2e4",))
    assert engine.position_after(question) == board.fen()
    assert set(engine.ask(question).children) == {move.uci() for move in board.legal_moves}
    assert engine.name == "Board"


def test_it_is_not_last_words_what_was_said_before_the_question(opened):
    engine = opened("py:board_library:hangs", timeout=1.0)
    engine.ask(ONE)
    with pytest.raises(EngineTimeoutError, match="it printed nothing since the question"):
        engine.ask(TWO)
