"""Assertions for the tests of chess libraries. python-chess is the library; its bugs are ours."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import chess
import pytest

import perftkit
from perftkit import KIWIPETE, STARTPOS, Position
from perftkit.engines import Abilities, Answer
from perftkit.errors import DepthError, EngineError, FenError, SpecError, SuiteError
from perftkit.testing import assert_moves, assert_perft, check_generator

PLANTED = f"uci:{shlex.quote(sys.executable)} -m planted --bug en-passant-missing"


class NoCastling(chess.Board):
    @property
    def legal_moves(self):
        return [move for move in super().legal_moves if not self.is_castling(move)]


class KeepsNoRights(chess.Board):
    """Loses the castling rights when a move is taken back."""

    def pop(self):
        move = super().pop()
        self.castling_rights = 0
        return move


class Swapped(chess.Board):
    """Has one wrong move for one that is missing, so that all sums at depth 1 are right."""

    @property
    def legal_moves(self):
        moves = list(super().legal_moves)
        return [*moves[:-1], chess.Move.from_uci("a1a8")]


def right(fen, depth):
    board = chess.Board(fen)
    return (
        1 if depth == 0 else sum(right(after(board, move), depth - 1) for move in board.legal_moves)
    )


def after(board, move):
    board = board.copy()
    board.push(move)
    return board.fen()


def twenty(fen, depth):
    return 20


def raises(fen, depth):
    raise KeyError("the king")


def forgetful():
    """Return a function that is wrong the first time, and right afterwards."""
    asked = []

    def count(fen, depth):
        asked.append(fen)
        return right(fen, depth) + (len(asked) == 1)

    return count


@pytest.fixture
def complaint():
    """Returns what an assertion says: `complaint(assert_perft, 20, fen, 2)`."""

    def call(function, *args, **kwargs):
        with pytest.raises(AssertionError) as caught:
            function(*args, **kwargs)
        return str(caught.value)

    return call


# The counts are those of the Chess Programming Wiki's tables.


@pytest.mark.parametrize(
    "generator", [2039, right, chess.Board, chess.Board(), NoCastling(STARTPOS)]
)
def test_right_counts(generator):
    fen = STARTPOS if isinstance(generator, NoCastling) else KIWIPETE
    depth = 3 if isinstance(generator, NoCastling) else 2
    assert_perft(generator, fen, depth)


def test_right_counts_with_all_that_can_be_given():
    moves = {move.uci(): right(after(chess.Board(KIWIPETE), move), 1) for move in
             chess.Board(KIWIPETE).legal_moves}  # fmt: skip
    assert sum(moves.values()) == 2039
    assert_perft(moves, KIWIPETE, 2, 2039)
    assert_perft(chess.Board, KIWIPETE, 2, moves, counts={"captures": 351, "ep": 1, "cas": 91})
    assert_perft(0, "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 1)
    assert_perft({}, "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 1)


def test_chess960():
    fen = "rkr5/8/8/8/8/8/8/RKR5 w CAca - 0 1"
    count = chess.Board(fen, chess960=True).legal_moves.count()
    assert_perft(count, fen, 1)
    assert_perft(chess.Board, fen, 2)
    assert_moves(chess.Board(fen, chess960=True).legal_moves, fen)


def test_a_board_that_is_wrong(complaint):
    said = complaint(assert_perft, NoCastling, KIWIPETE, 3)
    first = said.splitlines()[0]
    assert re.fullmatch(r"nodes: expected 97,862, got [0-9,]+ \(-[0-9,]+\)", first)
    for text in (
        "First wrong position, depth 1:",
        " 1  R  .  .- .  K- .  .- R",
        "missing       e1c1 e1g1",
        "castling-missing",
        f"repeat        perftkit divide '{KIWIPETE}' --depth 3",
    ):
        assert text in said


def test_moves_that_are_not_taken_back(complaint):
    said = complaint(assert_perft, KeepsNoRights, KIWIPETE, 3)
    assert "castling" in said
    assert "rule " in said


def test_the_same_number_under_wrong_moves(complaint):
    said = complaint(assert_perft, Swapped, STARTPOS, 1)
    assert said.startswith("depth 1: the number of leaves is right, under wrong moves\n")
    assert "extra         a1a8" in said


def test_a_function_that_is_wrong(complaint):
    said = complaint(assert_perft, twenty, KIWIPETE, 2)
    assert said.startswith("nodes: expected 2,039, got 20 (-2,019)\n")
    assert "twenty is wrong at depth 1: 20 nodes, 48 are right (-28)" in said


def test_a_number_that_is_wrong(complaint):
    said = complaint(assert_perft, 2039 - 91, KIWIPETE, 2)
    assert "short by exactly the 91 castles" in said
    assert "First wrong position" not in said
    assert said.splitlines()[-1] == f"repeat        perftkit divide '{KIWIPETE}' --depth 2"


def test_a_division_that_is_wrong(complaint):
    moves = {move.uci(): 1 for move in NoCastling(KIWIPETE).legal_moves}
    said = complaint(assert_perft, moves, KIWIPETE, 1)
    assert "e1g1                     1                 -           missing" in said
    moves = {move.uci(): 20 for move in chess.Board().legal_moves}
    said = complaint(assert_perft, {**moves, "e2e4": 21}, STARTPOS, 2)
    assert "e2e4                    20                21                +1" in said


def test_an_answer_that_does_not_come_twice(complaint):
    said = complaint(assert_perft, forgetful(), STARTPOS, 2)
    assert said.startswith("nodes: expected 400, got 401 (+1)\n")
    assert "asked again, the engine was right" in said


def test_expected_numbers_that_nobody_confirms(complaint):
    said = complaint(assert_perft, 2039, KIWIPETE, 2, 2040)
    assert said.startswith(
        "what was expected is disputed: perftkit's own generator counts otherwise"
    )
    said = complaint(assert_perft, 20, STARTPOS, 1, {"e2e4": 1})
    assert "d2d4" in said


def test_counters_that_are_wrong(complaint):
    said = complaint(assert_perft, 2039, KIWIPETE, 2, counts={"captures": 350, "ep": 1})
    assert said.startswith("captures: expected 351, got 350 (-1)\n")
    with pytest.raises(ValueError, match="there is no counter 'capture'; there are captures, "):
        assert_perft(2039, KIWIPETE, 2, counts={"capture": 351})


def test_a_generator_that_raises():
    with pytest.raises(AssertionError, match="raises raised 'KeyError") as caught:
        assert_perft(raises, KIWIPETE, 2)
    assert KIWIPETE in str(caught.value)
    assert isinstance(caught.value.__cause__, KeyError)


@pytest.mark.parametrize("depth", [0, -1, 65, True, 1.5, "2"])
def test_depths_that_there_are_not(depth):
    with pytest.raises(DepthError, match="whole number from 1 to 64"):
        assert_perft(20, STARTPOS, depth)


def test_what_is_no_position_or_no_generator():
    with pytest.raises(FenError):
        assert_perft(20, "8/8 w", 1)
    with pytest.raises(FenError):
        assert_moves([], "8/8 w")
    with pytest.raises(SpecError, match="is no engine but 'float'"):
        assert_perft(20.5, STARTPOS, 1)


class Number:
    """Stands for a whole number, as those of numpy do."""

    def __init__(self, value):
        self._value = value

    def __index__(self):
        if self._value is None:
            raise RuntimeError("no value")
        return self._value


def test_positions_are_taken_for_their_fen():
    position = Position(KIWIPETE)
    assert_perft(chess.Board, position, 2)
    assert_moves(chess.Board(KIWIPETE).legal_moves, position)
    assert position.fen() == KIWIPETE
    fen = "rkr5/8/8/8/8/8/8/RKR5 w CAca - 0 1"
    board = chess.Board(fen, chess960=True)
    assert_moves(board.legal_moves, Position(fen))
    with pytest.raises(TypeError, match="a FEN is a str, not bytes"):
        assert_perft(20, STARTPOS.encode(), 1)


def test_numbers_of_other_types():
    assert_perft(Number(20), STARTPOS, 1, Number(20), counts={"captures": Number(0)})
    assert_perft(lambda fen, depth: Number(20), STARTPOS, 1)


WHOLE = "the number that is expected is a whole number, not "


@pytest.mark.parametrize(
    ("expected", "counts", "error", "said"),
    [
        (20.0, None, TypeError, f"{WHOLE}20.0"),
        (True, None, TypeError, f"{WHOLE}True"),
        ("20", None, TypeError, f"{WHOLE}'20'"),
        ([20], None, TypeError, f"{WHOLE}[20]"),
        ({"e2e4": None}, None, TypeError, f"{WHOLE}None"),
        (-1, None, ValueError, "the number that is expected is not below 0: -1"),
        ({"e2e4": -1}, None, ValueError, "the number that is expected is not below 0: -1"),
        (Number(10**5000), None, ValueError, "the number that is expected has more than 40 digits"),
        (None, {"captures": None}, TypeError, "the number of captures is a whole number, not None"),
        (None, {"cap": "0"}, TypeError, "the number of captures is a whole number, not '0'"),
        (None, {"cap": 0.0}, TypeError, "the number of captures is a whole number, not 0.0"),
        (None, {"cap": 0, "captures": 0}, ValueError, "captures is in counts twice, by two of"),
        (None, [("cap", 0)], TypeError, "counts is a mapping of counters to numbers, not [('cap"),
        (None, {5: 0}, ValueError, "there is no counter 5; there are captures, "),
    ],
)
def test_arguments_that_cannot_be_meant(expected, counts, error, said):
    def never(fen, depth):
        raise AssertionError("it is asked")

    with pytest.raises(error, match=re.escape(said)):
        assert_perft(never, STARTPOS, 1, expected, counts=counts)


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (None, "returned 'None'; it is to return the number of leaves"),
        (-3, "returned '-3'"),
        (20.0, "returned '20.0'"),
        (True, "returned 'True'"),
        ({"e2e4": {"e7e5": 1}}, "returned '{'e7e5': 1}'"),
        (Number(10**5000), "returned a number of more than 40 digits"),
        (Number(-(10**5000)), "returned a number of more than 40 digits"),
        (Number(None), "raised 'RuntimeError: no value'"),
    ],
)
def test_what_a_generator_may_not_return(complaint, found, said):
    assert said in complaint(assert_perft, lambda fen, depth: found, STARTPOS, 1)
    asked = complaint(check_generator, lambda fen, depth: found, depth=1, ids="startpos")
    assert said in asked


def test_a_class_is_no_number(complaint):
    assert "int raised 'ValueError" in complaint(assert_perft, int, STARTPOS, 1)


@pytest.mark.parametrize("generator", [20, {"e2e4": 1}, None])
def test_a_suite_needs_somebody_who_can_be_asked(generator):
    with pytest.raises(SpecError, match="is no engine"):
        check_generator(generator)


def test_ctrl_c_is_nothing_that_a_generator_does_wrong():
    def interrupted(fen, depth):
        raise KeyboardInterrupt

    for arguments in ((assert_perft, interrupted, STARTPOS, 1), (check_generator, interrupted)):
        with pytest.raises(KeyboardInterrupt):
            arguments[0](*arguments[1:])


def test_a_text_names_an_engine(complaint, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent))
    said = complaint(assert_perft, PLANTED, KIWIPETE, 2)
    assert "en-passant-missing" in said
    assert f"--engine '{PLANTED}'" in said
    with pytest.raises(EngineError, match="there is no program"):
        check_generator("./nowhere")
    assert "there is no program" in complaint(assert_perft, "./nowhere", STARTPOS, 1)


def test_advice_names_what_there_is_in_python(complaint, tmp_path):
    program = tmp_path / "mute"
    program.write_text("#!/bin/sh\necho hello\n")
    program.chmod(0o755)
    said = complaint(assert_perft, shlex.quote(str(program)), STARTPOS, 1)
    with pytest.raises(EngineError) as caught:
        check_generator(shlex.quote(str(program)))
    for text in (said, str(caught.value)):
        assert "with perft-command = 'perft {depth}'" in text
        assert "in the file that describes an engine, as [tool.perftkit.engines.NAME]" in text
        assert " --" not in text
    program.write_text("echo hello\n")
    assert "generator='sh " in complaint(assert_perft, shlex.quote(str(program)), STARTPOS, 1)
    said = complaint(check_generator, twenty, depth=1, explain=False)
    assert "explain=True finds the rule" in said
    assert "--explain" not in said


class Engine:
    """An engine of one's own whose answer is given."""

    name = spec = "own"
    abilities = Abilities(divides=False, takes_moves=False)

    def __init__(self, answer):
        self._answer = answer

    def ask(self, question):
        return self._answer(question)

    def position_after(self, question):
        return None

    def close(self):
        pass


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (
            lambda question: 20,
            "own returned '20'; it is to return an object of perftkit.engines.Answ",
        ),
        (lambda question: None, "own returned 'None'"),
        (lambda question: Answer("20"), "own returned 'Answer(nodes='20'"),
        (lambda question: Answer(-1), "own returned 'Answer(nodes=-1"),
        (lambda question: question.nothing, "own raised 'AttributeError: "),
    ],
)
def test_an_engine_of_ones_own_that_slips(complaint, answer, said):
    assert said in complaint(assert_perft, Engine(answer), STARTPOS, 1)
    assert said in complaint(check_generator, Engine(answer), depth=1, ids="startpos")


def test_an_engine_of_ones_own():
    check_generator(Engine(lambda asked: Answer(right(asked.fen, asked.depth))), ids="*castling*",
                    depth=1)  # fmt: skip


# Moves.


@pytest.mark.parametrize("fen", [STARTPOS, KIWIPETE, "8/P6k/8/8/8/8/8/K7 w - - 0 1"])
@pytest.mark.parametrize("notation", ["objects", "uci", "san", "lan"])
def test_right_moves_in_any_notation(fen, notation):
    board = chess.Board(fen)
    write = {
        "objects": lambda move: move,
        "uci": chess.Move.uci,
        "san": board.san,
        "lan": board.lan,
    }[notation]
    assert_moves((write(move) for move in board.legal_moves), fen)
    assert_moves(map(write, list(board.legal_moves)), fen)


def test_no_moves_where_there_are_none():
    assert_moves([], "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")


def test_missing_extra_and_repeated_moves(complaint):
    moves = [move.uci() for move in chess.Board(KIWIPETE).legal_moves]
    said = complaint(assert_moves, NoCastling(KIWIPETE).legal_moves, KIWIPETE)
    assert said.startswith("these are not the legal moves of the position\n")
    assert "castling-missing" in said
    assert "extra         e1e8" in complaint(assert_moves, [*moves, "e1e8"], KIWIPETE)
    assert "repeated      e1g1" in complaint(assert_moves, [*moves, "e1g1"], KIWIPETE)
    assert "nonsense" in complaint(assert_moves, [*moves, "nonsense"], KIWIPETE)
    assert "\x1b" not in complaint(assert_moves, [*moves, "\x1b[31m"], KIWIPETE)
    assert "missing" in complaint(assert_moves, [], KIWIPETE)


@pytest.mark.parametrize(
    ("moves", "said"),
    [
        ("e2e4", "the moves are a list of texts or of objects, not 'e2e4'"),
        (b"e2e4", "not b'e2e4'"),
        (None, "not NoneType"),
        (chess.Board(), "not Board"),
        (chess.Board, "not type"),
    ],
)
def test_what_is_no_list_of_moves(moves, said):
    with pytest.raises(TypeError, match=re.escape(said)):
        assert_moves(moves, STARTPOS)


def test_moves_that_nobody_can_read(complaint):
    moves = [move.uci() for move in chess.Board().legal_moves]
    assert_moves(dict.fromkeys(moves), STARTPOS)
    assert_moves(set(moves), STARTPOS)
    assert "None" in complaint(assert_moves, [*moves, None], STARTPOS)
    assert "missing" in complaint(assert_moves, [move.encode() for move in moves], STARTPOS)
    with pytest.raises(ZeroDivisionError):
        assert_moves((1 // number for number in [1, 0]), STARTPOS)


# Whole suites.


def test_a_right_generator():
    check_generator(chess.Board, depth=2, ids="*castling*")
    check_generator(right, depth=2, ids=["kiwipete", "startpos"])


def test_failures_are_grouped_by_cause(complaint):
    said = complaint(check_generator, NoCastling, depth=2, ids="castling-*")
    assert re.match(r"NoCastling, perft_positions: of [0-9]+ counts, [0-9]+ wrong\n", said)
    assert said.count("castling-missing  (likely)") == 1
    assert re.search(r"\n[0-9]+ positions: castling-missing\n", said)
    assert "differs" not in said
    bare = complaint(check_generator, NoCastling, depth=1, ids="castling-*", explain=False)
    assert "differs castling-white-both-sides-w" in bare
    assert "castling-missing" not in bare


def test_suites_of_ones_own(complaint, tmp_path):
    path = tmp_path / "own.epd"
    path.write_text(f'{STARTPOS} ;D1 20 ;D2 400 ;id "a"\n{KIWIPETE} ;D2 2040 ;id "b"\n')
    check_generator(chess.Board, suite=path, ids="a")
    path.write_text(f"{path.read_text()}8/8 w\n")
    said = complaint(check_generator, chess.Board, suite=[str(path), "wiki_convention"], depth=2)
    assert said.startswith("Board, own.epd, wiki_convention: of ")
    assert "1 wrong, 1 unreadable\n" in said
    assert f"{path}:3:" in said
    assert "the engine and perftkit agree on 2,039" in said


def test_a_generator_that_raises_everywhere(complaint):
    said = complaint(check_generator, raises, depth=1)
    assert "without an answer" in said
    assert "raised 'KeyError" in said
    assert re.search("and [0-9]+ more", said)
    assert len(said.splitlines()) < 150


def test_nothing_to_check(tmp_path):
    with pytest.raises(SuiteError, match="no row is selected"):
        check_generator(chess.Board, ids="no such id")
    with pytest.raises(SuiteError, match="there is no such file"):
        check_generator(chess.Board, suite=tmp_path / "none.epd")
    with pytest.raises(SuiteError, match="is a folder"):
        check_generator(chess.Board, suite=tmp_path)
    with pytest.raises(SuiteError, match="no such file, did you mean perft_positions"):
        check_generator(chess.Board, suite="perft_position")
    path = tmp_path / "own.epd"
    path.write_text(f"{STARTPOS} ;D0 1\n")
    with pytest.raises(SuiteError, match="nothing was checked: every count was skipped"):
        check_generator(chess.Board, suite=path)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"ids": "kiwipet"}, "no row is selected, so that nothing was checked: no row has an id"
                             " like 'kiwipet', did you mean kiwipete?"),
        ({"ids": ["kiwipete", "start"]}, "perft_positions: no row has an id like 'start', did you"
                                         " mean startpos?"),
        ({"ids": "kiwipete", "max_nodes": 1}, "nothing was checked: every count has more than 1"
                                              " nodes; the least is max_nodes=48"),
    ],
)  # fmt: skip
def test_arguments_that_leave_nothing_to_check(arguments, said):
    with pytest.raises(SuiteError, match=re.escape(said)):
        check_generator(chess.Board, depth=1, **arguments)


def test_a_depth_that_no_row_has(tmp_path):
    path = tmp_path / "deep.epd"
    path.write_text(f"{STARTPOS} ;D3 8902\n{KIWIPETE} ;D2 2039\n")
    with pytest.raises(
        SuiteError, match="no row gives a count up to depth 1; the least is depth=2"
    ):
        check_generator(chess.Board, suite=path, depth=1)
    path.write_text("# nothing\n")
    with pytest.raises(
        SuiteError, match="no row is selected, so that nothing was checked: there is no row"
    ):
        check_generator(chess.Board, suite=path)


@pytest.mark.parametrize(
    ("arguments", "error", "said"),
    [
        ({"depth": 0}, DepthError, "the depth is a whole number from 1 to 64, not 0"),
        ({"depth": 1.5}, DepthError, "the depth is a whole number from 1 to 64, not 1.5"),
        ({"depth": None}, DepthError, "the depth is a whole number from 1 to 64, not None"),
        ({"max_nodes": 0}, ValueError, "max_nodes is a whole number above 0, or None, not 0"),
        ({"max_nodes": 1e5}, TypeError, "max_nodes is a whole number, not 100000.0"),
        ({"ids": None}, TypeError, "ids is a text or several, not None"),
        ({"ids": [5]}, TypeError, "ids is a text or several, not 5"),
        ({"ids": b"kiwipete"}, TypeError, "ids is a text or several, not b'kiwipete'"),
        ({"suite": None}, TypeError, "suite is a text or several, not None"),
        ({"suite": []}, ValueError, "suite names no suite"),
        ({"suite": ""}, ValueError, "suite has an empty text"),
    ],
)
def test_arguments_of_a_suite_that_cannot_be_meant(arguments, error, said):
    with pytest.raises(error, match=re.escape(said)):
        check_generator(chess.Board, **{"ids": "kiwipete", **arguments})


def test_long_counts_are_left_out():
    def never(fen, depth):
        assert right(fen, depth) <= 500
        return right(fen, depth)

    check_generator(never, depth=3, max_nodes=500, ids=["startpos", "kiwipete"])


def test_pytest_shows_the_line_of_the_caller(tmp_path):
    path = tmp_path / "test_it.py"
    path.write_text(
        "from perftkit.testing import assert_moves, assert_perft, check_generator\n"
        "from perftkit import STARTPOS\n"
        "def test_perft(): assert_perft(21, STARTPOS, 1)\n"
        "def test_moves(): assert_moves([], STARTPOS)\n"
        "def test_suite(): check_generator(lambda fen, depth: 1, depth=1)\n"
        "def test_fen(): assert_perft(20, '8/8 w', 1)\n"
        "def test_engine(): assert_perft(None, STARTPOS, 1)\n"
        "def test_list(): assert_moves('e2e4', STARTPOS)\n"
        "def test_file(): check_generator(lambda fen, depth: 1, suite='nowhere')\n"
        "def test_program(): check_generator('./nowhere')\n"
    )
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(path)],
        cwd=tmp_path, env=environment(), capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert "8 failed" in done.stdout
    for line, error in enumerate([*3 * ["AssertionError"], "FenError", "SpecError", "TypeError",
                                  "SuiteError", "EngineError"], 3):  # fmt: skip
        assert re.search(rf"test_it\.py:{line}: {error}", done.stdout)
    assert not re.search(r"perftkit/[a-z_/]*\.py", done.stdout)


def environment():
    folder = str(Path(perftkit.__file__).parents[1])
    return {**os.environ, "PYTHONPATH": folder, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
