"""What is pasted is made of Stockfish's published output for the start position and Kiwipete."""

import json
import shlex

import pytest
from test_divide import START_3

from perftkit import KIWIPETE, Position, divide

START = "\n".join(f"{move}: {nodes}" for move, nodes in START_3.items())
START += f"\n\nNodes searched: {sum(START_3.values())}\n"


@pytest.fixture
def paste(invoke, tmp_path):
    def call(text, *args):
        (tmp_path / "output.txt").write_text(text)
        return invoke("divide", *args, "--paste", "output.txt")

    return call


def test_what_is_right(paste):
    result = paste(START, "--depth", 3)
    assert result.exit_code == 0
    assert "the pasted division is right up to depth 3: 20 moves, 8,902 nodes" in result.stdout


def test_the_depth_is_found_out(paste):
    assert "depth 3" in paste(START).stdout
    wrong = START.replace("e2e4: 600", "e2e4: 599")
    result = paste(wrong, "--format", "json")
    assert result.exit_code == 1
    assert json.loads(result.stdout)["depth"] == 3


def test_a_wrong_count_comes_with_the_next_command(paste):
    result = paste(START.replace("d2d4: 560", "d2d4: 559"), "--depth", 3)
    assert result.exit_code == 1
    assert "d2d4" in result.stdout
    assert "rule" not in result.stdout
    line = next(line for line in result.stdout.splitlines() if line.startswith("next"))
    words = shlex.split(line.removeprefix("next"))
    position = Position()
    position.push("d2d4")
    assert words == [
        *("perftkit", "divide", position.fen(), "--depth", "2", "--paste", "-"),
    ]


def test_a_wrong_list_is_explained_at_once(paste):
    rows = divide(KIWIPETE, 2)
    text = "\n".join(f"{move} {row.nodes}" for move, row in rows.items() if move != "e1g1")
    result = paste(text, "kiwipete", "--depth", 2)
    assert result.exit_code == 1
    lines = [" ".join(line.split()) for line in result.stdout.splitlines()]
    assert "missing e1g1 (marked -)" in lines
    assert any(line.startswith("rule castling") for line in lines)
    assert not any(line.startswith("next") for line in lines)
    document = json.loads(paste(text, "kiwipete", "--format", "json").stdout)
    assert document["first_wrong"]["missing"] == ["e1g1"]
    assert document["engine"]["spec"] is None
    assert document["depth"] == 2


def test_standard_input(invoke):
    assert invoke("divide", "--depth", 3, "--paste", "-", input=START).exit_code == 0


def test_a_total_alone(paste):
    assert paste("Nodes searched: 8902\n").exit_code == 0
    result = paste("Nodes searched: 8901\n")
    assert result.exit_code == 1
    assert "wrong at depth 3: 8,901 nodes, 8,902 are right (-1)" in result.stdout


@pytest.mark.parametrize("text", ["", "hello\n", "\x1b[31m\x00\x00", "e2e4\n"])
def test_what_is_no_division(paste, text):
    result = paste(text)
    assert result.exit_code == 2
    assert "no line has a move and a count" in result.stderr
    assert result.stdout == ""


def test_files_that_can_not_be_used(invoke, tmp_path):
    assert "none.txt can't be read" in invoke("divide", "--paste", "none.txt").stderr
    assert "can't be read" in invoke("divide", "--paste", ".").stderr
    (tmp_path / "out.txt").write_text(START)
    result = invoke("divide", "--paste", "out.txt", "--output", "out.txt")
    assert result.exit_code == 2
    assert (tmp_path / "out.txt").read_text() == START


def test_nothing_that_is_pasted_is_obeyed(process, tmp_path):
    (tmp_path / "evil.txt").write_text(START + "\x1b]0;x\x07e2e9: 1\n\x1b[31mh9h9: 3\n")
    result = process("divide", "--paste", "evil.txt", env={"FORCE_COLOR": "1"})
    assert b"\x07" not in result.stdout + result.stderr
    assert b"\x1b]" not in result.stdout + result.stderr


def test_a_shape_of_its_own_is_read_by_patterns(paste):
    shape = "".join(f"<{move}> has {nodes}\n" for move, nodes in START_3.items())
    patterns = ["--divide-pattern", r"<(?P<move>\w+)> has (?P<nodes>\d+)"]
    assert paste(shape).exit_code == 2
    assert paste(shape, *patterns).exit_code == 0
    result = paste(shape.replace("<d2d4> has 560", "<d2d4> has 559"), *patterns)
    assert result.exit_code == 1
    line = next(line for line in result.stdout.splitlines() if line.startswith("next"))
    assert shlex.split(line)[-2:] == patterns
    total = ("--total-pattern", "leaves (?P<nodes>[0-9]+)")
    assert paste("8902 moves, leaves 8901\n", *total, "--depth", 3).exit_code == 1


def test_patterns_that_can_not_be_used(paste, invoke):
    result = paste(START, "--divide-pattern", "(")
    assert result.exit_code == 2
    assert "is no regular expression" in result.stderr
    assert "has no group 'nodes'" in paste(START, "--total-pattern", "x").stderr
    # Other options about an engine are about one that runs, and patterns need something to read.
    assert "--timeout is about an engine" in paste(START, "--timeout", "3").stderr
    assert "--total-pattern is about an engine" in invoke("divide", "--total-pattern", "x").stderr


def test_a_part_of_a_division_proves_no_rule(paste):
    result = paste("a2a3: 8457\n", "--depth", 4)
    assert result.exit_code == 1
    text = " ".join(result.stdout.split())
    assert "1 of 20 rows: is the paste complete?" in text
    assert "certain" not in text
    assert json.loads(paste("a2a3: 8457", "-d", 4, "--format", "json").stdout)["diagnosis"] is None


def test_a_division_that_lacks_some_rows_is_only_likely(paste):
    rows = divide(KIWIPETE, 2)
    text = "\n".join(f"{move} {row.nodes}" for move, row in rows.items() if move != "e1g1")
    shown = " ".join(paste(text, "kiwipete", "--depth", 2).stdout.split())
    assert "castling-missing (likely)" in shown
    assert "47 of 48 rows: is the paste complete?" in shown
    total = sum(row.nodes for move, row in rows.items() if move != "e1g1")
    shown = " ".join(paste(f"{text}\nNodes: {total}", "kiwipete", "--depth", 2).stdout.split())
    assert "is the paste complete" not in shown


def test_a_division_of_another_depth_is_said(paste):
    result = paste(START, "--depth", 2)
    assert result.exit_code == 1
    text = " ".join(result.stdout.split())
    assert "this is the division at depth 3, not 2" in text
    assert "rule" not in text
    next_line = next(line for line in result.stdout.splitlines() if line.startswith("next"))
    assert "--depth 3" in next_line


def test_a_total_alone_comes_with_what_to_paste_next(paste):
    result = paste("Nodes: 399\n", "--depth", 2)
    assert result.exit_code == 1
    assert "paste the engine's division" in " ".join(result.stdout.split())
    next_line = next(line for line in result.stdout.splitlines() if line.startswith("next"))
    assert shlex.split(next_line.removeprefix("next"))[-4:] == ["--depth", "2", "--paste", "-"]


def test_a_wrong_sum_under_right_rows(paste):
    text = START.replace("8902", "8903")
    shown = " ".join(paste(text, "--depth", 3).stdout.split())
    assert "its rows are right, and the total that it prints is 8,903 for 8,902 (+1)" in shown
    assert "(+0)" not in shown
    assert "only the printed sum is wrong: 8903 for 8902" in shown


def test_a_report_does_not_overwrite_what_is_pasted(invoke, tmp_path):
    pasted = tmp_path / "pasted.txt"
    pasted.write_text("e2e4: 20\n")
    for option in ("--output", "--report"):
        value = "pasted.txt" if option == "--output" else "json=pasted.txt"
        result = invoke("divide", "--depth", 1, "--paste", "pasted.txt", option, value)
        assert result.exit_code == 2
        assert f"{option} pasted.txt would overwrite what is pasted." in result.stderr
    assert pasted.read_text() == "e2e4: 20\n"
