"""The report of a walk, from evidence that is made up."""

import io
import shlex
from dataclasses import replace

import pytest

from perftkit import KIWIPETE, STARTPOS
from perftkit.engines import Answer
from perftkit.report import EngineInfo, WalkInfo
from perftkit.report.commands import divide_command, show_again
from perftkit.report.console import Terminal
from perftkit.report.walk import write_evidence, write_step, write_walk
from perftkit.verify.compare import compare_answer
from perftkit.verify.diagnosis import Diagnosis, Evidence
from perftkit.verify.walk import Asked, Disputed, Reached, WalkResult

EVIL = "\x1b[31m[bold]x[/bold]\N{RIGHT-TO-LEFT OVERRIDE}\n"
ENGINE = EngineInfo("uci:./it's", "It", ("--engine", "uci:./it's", "--timeout", "5"))
PAWNS = Evidence(
    "4k3/8/8/8/1p6/8/P7/4K3 w - - 0 1",
    root=STARTPOS,
    missing=("a2a4",),
    extra=("a2b3", "e1e9"),
)


def written(write, *args, **environ):
    stream = io.StringIO()
    write(Terminal(stream, color=False, environ={"COLUMNS": "80", **environ}), *args)
    return stream.getvalue()


def lines(*args):
    return [" ".join(line.split()) for line in written(*args).splitlines()]


def info(result, **more):
    given = WalkInfo("1.0", KIWIPETE, False, (), 3, ENGINE, result, {}, None, None)
    return replace(given, **more)


def test_the_board_marks_where_moves_go_from_and_to():
    text = written(write_evidence, PAWNS)
    assert " 4  .- p " in text
    assert " 3  .  .* " in text
    assert " 2  P* . " in text  # of an extra move as well as of a missing one
    assert " 1  .  .  .  .  K* " in text


def test_commands_are_quoted_for_a_shell():
    text = divide_command(KIWIPETE, 3, moves=("e2a6", "b4c3"), chess960=True, engine=ENGINE)
    assert shlex.split(text) == [
        *("perftkit", "divide", KIWIPETE, "--moves", "e2a6 b4c3", "--depth", "3", "--chess960"),
        *("--engine", "uci:./it's", "--timeout", "5"),
    ]


def test_the_command_that_shows_it_again_plays_the_moves_where_they_matter():
    evidence = replace(PAWNS, path=("a2a3",))
    assert shlex.split(show_again(evidence, ENGINE))[2] == PAWNS.fen
    words = shlex.split(show_again(replace(evidence, right_by_fen=True), ENGINE))
    assert words[2:5] == [STARTPOS, "--moves", "a2a3"]


def test_a_fen_and_a_command_stay_in_one_line():
    result = WalkResult("mismatch", depth=1, first_wrong=replace(PAWNS, fen=KIWIPETE))
    text = written(write_walk, info(result))
    assert f"FEN           {KIWIPETE}\n" in text
    assert shlex.join(["perftkit", "divide", KIWIPETE]) in text


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"right_by_fen": True, "path": ("a2a3",)}, "wrong after the moves of the line"),
        ({"right_by_moves": True, "path": ("a2a3",)}, "wrong for this FEN"),
        ({"right_by_moves": True}, "right when it plays the double push itself"),
        ({"alone": True}, "asked one by one"),
        ({"repeated": ("a2a3", "a2a4")}, "repeated a2a3 a2a4"),
        ({"wrong_counts": {"a2a3": (7, 1234567)}}, "wrong counts a2a3 1,234,567 for 7"),
        ({"wrong_counts": {"": (7, 8)}}, "wrong counts total 8 for 7"),
        ({"wrong_counts": {f"a{n}": (1, 2) for n in range(11)}}, "a7 2 for 1 and 3 more"),
        ({"engine_fen": STARTPOS}, f"engine's FEN {STARTPOS}"),
    ],
)
def test_what_else_is_known(change, said):
    text = " ".join(lines(write_evidence, replace(PAWNS, **change)))
    assert said in text


def test_the_fen_of_the_engine_is_shown_where_it_is_another_one():
    same = replace(PAWNS, engine_fen=PAWNS.fen.replace("0 1", "3 9"))
    assert "engine's FEN" not in written(write_evidence, same)


def test_a_total_that_contradicts_right_rows():
    answer = Answer(20, {"a2a3": 20}, total=19)
    found = compare_answer(answer, {"a2a3": 20}, 2)
    result = WalkResult(
        "mismatch", 2, answer, {"a2a3": 20}, found, replace(PAWNS, missing=(), extra=())
    )
    text = written(write_walk, info(result))
    assert "its rows are right, and the total that it prints is 19" in text
    assert "1 move agrees" in text


def test_disputes_come_first():
    result = WalkResult("ok", disputed=(Disputed(KIWIPETE, 2, 2040, 2039),))
    assert written(write_walk, info(result)).startswith("THE REFERENCE IS DISPUTED: ")


def test_a_walk_that_was_broken_off():
    result = WalkResult("error", first_wrong=PAWNS, error="it died", remarks=("slow",))
    found = lines(write_walk, info(result, stopped="interrupted"))
    assert "It gave no answer" in found
    assert "The last wrong position that was reached, depth 1:" in found
    assert "error it died" in found
    assert "remark slow" in found
    assert "stopped early interrupted" in found


def test_nothing_is_obeyed():
    result = WalkResult(
        "error",
        first_wrong=replace(PAWNS, extra=(EVIL,), engine_fen=EVIL),
        error=EVIL,
        remarks=(EVIL,),
    )
    named = info(
        result,
        engine=EngineInfo(EVIL, EVIL, ("--engine", EVIL)),
        diagnosis=Diagnosis("unknown", EVIL, "likely"),
    )
    text = written(write_walk, named)
    assert not {"\x1b", "\N{RIGHT-TO-LEFT OVERRIDE}"} & set(text)
    assert "[bold]x[/bold]" in text


def test_steps():
    asked = Asked(KIWIPETE, (), 2, False, 2039, 2038, 1, False, 0.1)
    assert lines(write_step, asked) == [
        "depth 2, by FEN: 2,038 nodes, 2,039 are right, 1 move differs"
    ]
    below = replace(asked, path=("a2a4",), by_moves=True, agrees=True, nodes=1, differing=0)
    assert lines(write_step, below) == ["depth 2 after a2a4, by moves: 1 node, right"]
    assert lines(write_step, Reached(KIWIPETE, (), 2)) == []
    shown = lines(write_step, Reached(KIWIPETE, ("a2a4",), 1))
    assert shown[1] == "wrong after a2a4"
    assert shown[2].startswith("8 r")
