"""Engines that hang, die, lie and shout; each is a process of its own."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest
from programs import HAS_PROC

from perftkit import KIWIPETE, STARTPOS, Position
from perftkit.engines import Answer, Question
from perftkit.engines.dialogue import StaleAnswerError
from perftkit.engines.process import EngineDiedError, EngineTimeoutError
from perftkit.errors import EngineError

START = Question(STARTPOS, 3)
KIWI = Question(KIWIPETE, 2)
AFTER = Question(KIWIPETE, 1, ("e1g1",))
# The table of the Chess Programming Wiki; 43 replies to castling are by python-chess.
COUNTS = {START: 8902, KIWI: 2039, AFTER: 43}


def probe(engine):
    return engine.abilities


def ask_until_it_shows(engine, error=EngineError):
    """Ask until a habit that begins later shows, and return what is raised."""
    for _ in range(30):
        try:
            engine.ask(START)
        except error as raised:
            return str(raised)
    raise AssertionError("it behaved well")


@pytest.mark.parametrize(
    "habit",
    [
        *("none", "stderr", "flush", "no-newline", "late", "echo", "rows-only", "total-first"),
        *("bare", "none-at-1", "rubbish", "chess960", "prints", "ends-after"),
    ],
)
def test_an_odd_engine_is_understood(hostile, habit):
    engine = hostile(habit)
    for question, nodes in COUNTS.items():
        answer = engine.ask(question)
        assert answer.nodes == nodes
        legal = Position(question.fen)
        for move in question.moves:
            legal.push(move)
        assert set(answer.children) == {move.uci() for move in legal.legal_moves()}
        assert not answer.remarks
    assert engine.abilities.divides
    assert engine.abilities.takes_moves


def test_only_totals(hostile):
    engine = hostile("totals")
    assert not engine.abilities.divides
    assert engine.ask(KIWI).nodes == 2039
    assert engine.ask(KIWI).children is None


def test_the_moves_of_an_engine_that_does_not_divide_at_depth_1_are_those_of_depth_2(hostile):
    engine = hostile("none-at-1")
    answer = engine.ask(Question(KIWIPETE, 1))
    assert answer.nodes == 48
    assert set(answer.children.values()) == {1}
    assert not engine.findings().divides_leaves


def test_one_that_ignores_moves_gets_the_fen_after_them(hostile):
    engine = hostile("ignores-moves")
    assert not engine.abilities.takes_moves
    assert engine.ask(AFTER).nodes == 43


def test_one_that_takes_the_position_in_its_command(hostile):
    engine = hostile("perft-fen")
    assert not engine.abilities.takes_moves
    assert engine.ask(KIWI).nodes == 2039
    assert engine.ask(AFTER).nodes == 43


def test_a_total_that_contradicts_the_rows_is_said(hostile):
    answer = hostile("contradicts").ask(KIWI)
    assert (answer.nodes, answer.total) == (2039, 2046)
    assert "2046 contradicts its rows, which add up to 2039" in answer.remarks[0]


def test_a_move_listed_twice_is_said(hostile):
    answer = hostile("repeats").ask(Question(STARTPOS, 1))
    assert answer.repeated == {"a2a3"}
    assert answer.children["a2a3"] == 2


def test_markup_and_control_characters_are_taken_out(hostile):
    answer = hostile("markup").ask(Question(STARTPOS, 1))
    assert answer.nodes == 20
    assert set(answer.children) == {move.uci() for move in Position(STARTPOS).legal_moves()}
    pattern = r"^(?P<move>(?!Nodes).+?): (?P<nodes>\d+)"
    answer = hostile("markup", divide_pattern=pattern).ask(Question(STARTPOS, 1))
    assert answer.nodes == 25
    assert "no move of this position can be meant by" in answer.remarks[1]
    for text in (*answer.children, *answer.remarks):
        assert text.isprintable()


def test_a_name_is_short_and_harmless(hostile):
    engine = hostile("name")
    probe(engine)
    assert engine.name.isprintable()
    assert engine.name.startswith("Evil")
    assert len(engine.name) <= 80


def test_a_position_that_it_prints(hostile):
    assert hostile("none").position_after(AFTER) is None
    after = hostile("prints").position_after(AFTER)
    assert after == "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R4RK1 b kq - 1 1"
    assert " b - e3 " in hostile("wrong-print").position_after(Question(STARTPOS, 1, ("e2e4",)))


def test_one_that_hangs(hostile):
    engine = hostile("hangs", timeout=1.0)
    probe(engine)
    start = time.monotonic()
    said = ask_until_it_shows(engine, EngineTimeoutError)
    assert time.monotonic() - start < 10
    assert "gave no answer within 1 s to 'go perft 3'" in said
    assert "'thinking hard'" in said
    assert engine.ask(KIWI).nodes == 2039  # it was started anew


def test_one_that_dies_at_once(hostile):
    with pytest.raises(EngineError, match=r"exit status 7 at 'uci'; .*'cannot open book\.bin'"):
        probe(hostile("dies-at-once"))


def test_one_that_dies_in_the_middle_is_started_anew(hostile):
    engine = hostile("dies")
    probe(engine)
    said = ask_until_it_shows(engine, EngineDiedError)
    assert "ended with exit status 9 at 'go perft 3'" in said
    assert "'assertion failed: king captured'" in said
    assert engine.ask(START).nodes == 8902


def test_one_that_crashes(hostile):
    engine = hostile("crashes")
    probe(engine)
    assert "was ended by SIGSEGV" in ask_until_it_shows(engine, EngineDiedError)
    assert engine.ask(START).nodes == 8902


def test_one_that_crashes_after_its_answer(hostile):
    engine = hostile("crashes-after")
    assert "was ended by SIGABRT at 'go perft 3'" in ask_until_it_shows(engine, EngineDiedError)
    assert engine.ask(START).nodes == 8902


def test_a_close_by_another_thread_ends_a_question(hostile):
    engine = hostile("hangs", timeout=60.0)
    closed_at = []

    def close():
        while not Path("hangs").exists():
            time.sleep(0.01)
        closed_at.append(time.monotonic())
        engine.close()

    closer = threading.Thread(target=close)
    closer.start()
    ask_until_it_shows(engine, EngineDiedError)
    assert time.monotonic() - closed_at[0] < 10
    closer.join()


def test_one_that_crashes_on_one_position_only_can_be_asked_about_others(hostile):
    engine = hostile("crashes-there")
    with pytest.raises(EngineDiedError, match="SIGABRT"):
        engine.ask(Question(KIWIPETE, 1))
    assert engine.ask(START).nodes == 8902
    assert engine.findings().name == "Hostile"


def test_one_that_closes_its_output(hostile):
    engine = hostile("closes-output")
    probe(engine)
    assert "closed its output" in ask_until_it_shows(engine, EngineDiedError)
    assert engine.ask(START).nodes == 8902


def test_one_that_prints_without_end(hostile):
    engine = hostile("no-end", timeout=30.0)
    probe(engine)
    assert "printed more than 64 MB" in ask_until_it_shows(engine)
    assert engine.ask(START).nodes == 8902


def test_one_that_ignores_the_position(hostile):
    with pytest.raises(EngineError, match="ignores the position: 'go perft 1' gives the same"):
        probe(hostile("ignores-position"))


def test_one_that_answers_for_the_position_before(hostile):
    with pytest.raises(EngineError, match="answers for the position before"):
        probe(hostile("position-before"))


def test_a_rejected_fen_is_noticed(hostile):
    engine = hostile("rejects")
    rejected = KIWIPETE.replace("- 0 1", "- 3 9")
    assert engine.ask(START).nodes == 8902
    with pytest.raises(StaleAnswerError, match="answered for the position before") as caught:
        engine.ask(Question(rejected, 1))
    assert caught.value.same_as == STARTPOS
    assert caught.value.fen == rejected
    assert isinstance(caught.value.answer, Answer)
    assert engine.ask(KIWI).nodes == 2039


def test_a_wrong_total_that_is_that_of_the_position_before_by_chance_is_no_stale_answer(hostile):
    # 22 and 23 legal moves by python-chess, one of these to h5.
    engine = hostile("totals-without-h5")
    assert engine.ask(Question("k7/8/8/8/8/8/8/6QK w - - 0 1", 1)).nodes == 22
    assert engine.ask(Question("k7/8/8/8/8/8/8/3Q3K w - - 0 1", 1)).nodes == 22
    assert engine.ask(KIWI).nodes == 2039


def test_one_without_perft(hostile):
    with pytest.raises(EngineError) as caught:
        probe(hostile("no-perft"))
    said = str(caught.value)
    assert "has no perft that can be understood" in said
    assert "'go perft 2' made it think about a move" in said
    assert "--perft-command" in said


def test_one_that_speaks_nothing(hostile):
    with pytest.raises(EngineError) as caught:
        hostile("not-uci", prefix="").abilities  # noqa: B018
    for text in ("can't be talked to", "UCI: ", "xboard: ", "as a command: ", "'hello'", "cmd:"):
        assert text in str(caught.value)


def test_one_that_never_introduces_itself(hostile):
    start = time.monotonic()
    with pytest.raises(EngineError, match="gave no answer within 1 s to 'uci'"):
        probe(hostile("never-introduces", timeout=1.0))
    assert time.monotonic() - start < 10


@pytest.mark.skipif(not HAS_PROC, reason="looks for processes in /proc")
def test_no_process_is_left_after_a_close(hostile):
    engine = hostile("grandchild", timeout=1.0)
    probe(engine)
    group = engine.start().process._process.pid
    ask_until_it_shows(engine, EngineTimeoutError)
    engine.close()
    engine.close()
    until = time.monotonic() + 10
    while members := _members(group):  # they were killed, but the system takes its time
        assert time.monotonic() < until, members
        time.sleep(0.02)


def test_chess960_is_refused_where_it_is_not_known(hostile):
    fen = "r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1"
    with pytest.raises(EngineError, match="does not know Chess960"):
        hostile("none").ask(Question(fen, 1, (), True))


def test_unknown_options_are_refused_with_those_that_there_are(hostile):
    with pytest.raises(EngineError, match="has no option 'Hsah', did you mean Hash\\?"):
        probe(hostile("none", options={"Hsah": "1"}))


def _members(group):
    """Return the living processes of a process group."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[2]) == group and fields[0] != "Z":
                found.append(int(entry.name))
    return found
