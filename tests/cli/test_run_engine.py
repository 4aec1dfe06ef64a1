"""`perftkit run --engine`: counts are the published ones."""

import csv
import io
import json
import shlex
import shutil
import sys
from pathlib import Path

import pytest

from perftkit import KIWIPETE, STARTPOS

LONE = "4k3/8/8/8/8/8/8/4K2R w K - 0 1"


@pytest.fixture
def suite(tmp_path):
    """Start position, Kiwipete, a lone rook, and a position that is only a FEN."""
    path = tmp_path / "suite.epd"
    path.write_text(
        f'{STARTPOS} ;D1 20 ;D2 400 ;id "start"\n'
        f'{KIWIPETE} ;D1 48 ;D2 2039 cap=351 ;id "kiwipete"\n'
        f'{LONE} ;D1 15 ;D2 66 ;id "lone"\n'
        "4k3/8/8/8/1p6/8/P7/4K3 w - - 0 1\n"
    )
    return path


def test_an_engine_that_is_right(invoke, suite, engine):
    result = invoke("run", suite, "--depth", 2, "--engine", engine("none"))
    assert result.exit_code == 0
    assert "4 positions, 8 rows: 8 ok" in result.stdout
    assert result.stderr == ""


def test_failing_rows_come_with_what_to_type_next(invoke, suite, engine):
    spec = engine("castling")
    result = invoke("run", suite, "--depth", 2, "--engine", spec)
    assert result.exit_code == 1
    text = result.stdout
    assert "2 positions to look at:" in text
    commands = [line.strip() for line in text.splitlines() if "perftkit divide" in line]
    assert [shlex.split(command) for command in commands] == [
        ["perftkit", "divide", KIWIPETE, "--depth", "1", "--engine", spec],
        ["perftkit", "divide", LONE, "--depth", "1", "--engine", spec],
    ]
    assert "4 positions, 8 rows: 4 ok, 4 differ" in text
    assert "look closer" not in text
    assert invoke(*shlex.split(commands[1])[1:]).exit_code == 1


def test_the_number_is_put_in_words(invoke, suite, engine):
    text = invoke("run", suite, "--depth", 2, "--engine", engine("en-passant")).stdout
    assert "short by exactly the 1 en passant" in " ".join(text.split())


def test_explain_groups_by_rule(invoke, suite, engine):
    spec = engine("castling")
    result = invoke("run", suite, "--depth", 2, "--engine", spec, "--explain")
    assert result.exit_code == 1
    lines = [" ".join(line.split()) for line in result.stdout.splitlines()]
    assert "2 positions: castling-missing" in lines
    assert "positions kiwipete, lone" in lines
    assert f"FEN {LONE}" in lines
    assert not any("to look at" in line for line in lines)
    again = next(line for line in lines if line.startswith("show again"))
    assert shlex.split(again)[2:] == [
        *("perftkit", "divide", LONE, "--depth", "1", "--engine", spec)
    ]


def test_json(invoke, suite, engine):
    spec = engine("castling")
    args = ["run", suite, "--depth", 2, "--engine", spec, "--explain", "--format", "json"]
    result = invoke(*args)
    assert result.exit_code == 1
    document = json.loads(result.stdout)
    assert document["engine"] == spec
    rows = [row for position in document["positions"] for row in position["rows"]]
    assert [row["nodes"] for row in rows[:2]] == [20, 400]
    assert rows[-1]["expected_nodes"] is not None
    (cause,) = document["causes"]
    assert cause["rule"] == "castling-missing"
    assert [row["id"] for row in cause["rows"]] == ["kiwipete", "lone"]
    assert cause["first_wrong"]["fen"] == LONE
    assert document["summary"]["mismatch"] == 4
    assert "causes" not in json.loads(invoke(*args[:6], "--format", "json").stdout)


def test_an_engine_that_dies_is_an_error_of_the_row(invoke, suite, engine):
    suite.write_text(
        f'{KIWIPETE} ;D1 48 ;D3 97862 ;D4 4085603 ;id "kiwi"\n{LONE} ;D1 15 ;D2 66 ;id "lone"\n'
    )
    spec = engine("dies")
    result = invoke("run", suite, "--depth", 4, "--engine", spec, "--format", "json")
    assert result.exit_code == 3
    document = json.loads(result.stdout)
    statuses = [row["status"] for entry in document["positions"] for row in entry["rows"]]
    assert statuses == ["ok", "error", "skipped", "ok", "ok"]
    assert "assertion failed" in document["positions"][0]["rows"][1]["reason"]
    assert document["summary"]["error"] == 1
    result = invoke("run", suite, "--depth", 4, "--engine", spec, "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(result.stdout)))
    assert rows[1]["status"] == "error"
    assert "\\x1b" in rows[1]["reason"] or "assertion failed" in rows[1]["reason"]
    result = invoke("run", suite, "--depth", 4, "--engine", spec)
    assert "1 without an answer, 1 skipped" in result.stdout


def test_an_engine_that_hangs(invoke, suite, engine):
    suite.write_text(f"{KIWIPETE} ;D1 48 ;D3 97862\n{LONE} ;D1 15\n")
    result = invoke(
        *("run", suite, "--depth", 3, "--engine", engine("hangs"), "--timeout", "1s"),
        *("--format", "json"),
    )
    assert result.exit_code == 3
    document = json.loads(result.stdout)
    statuses = [row["status"] for entry in document["positions"] for row in entry["rows"]]
    assert statuses == ["ok", "error", "ok"]


@pytest.mark.parametrize("jobs", [1, 2])
def test_several_at_once_in_the_order_of_the_suite(invoke, suite, engine, jobs):
    args = ["run", suite, "--depth", 2, "--engine", engine("castling"), "--jobs", jobs]
    document = json.loads(invoke(*args, "--format", "json").stdout)
    ids = [entry["id"] for entry in document["positions"]]
    assert ids == ["start", "kiwipete", "lone", "suite:4"]
    statuses = [row["status"] for entry in document["positions"] for row in entry["rows"]]
    assert statuses == ["ok", "ok", *["mismatch"] * 4, "ok", "ok"]


def test_a_wrong_suite(invoke, suite, engine):
    suite.write_text(f"{STARTPOS} ;D1 20 ;D2 401\n")
    result = invoke("run", suite, "--engine", engine("none"))
    assert result.exit_code == 1
    lines = result.stdout.splitlines()
    loud = next(index for index, line in enumerate(lines) if "DISPUTED" in line)
    assert "says 401 at depth 2, and perftkit's own generator counts 400" in lines[loud]
    assert lines[loud + 1].startswith("differs")
    document = json.loads(
        invoke("run", suite, "--engine", engine("none"), "--format", "json").stdout
    )
    assert document["positions"][0]["rows"][1]["disputed_by_reference"] == 400


def test_a_position_that_no_game_leads_to_is_said_to_be_one(invoke, suite, engine):
    suite.write_text(f'{LONE} ;D1 15 ;impossible "the rook was never there"\n')
    text = invoke("run", suite, "--engine", engine("castling")).stdout
    assert "no game leads here: the rook was never there" in text


def test_a_position_and_the_budget(invoke, engine):
    spec = engine("none")
    result = invoke("run", "--fen", "kiwipete", "--depth", 2, "--engine", spec, "--reference")
    assert result.exit_code == 0
    assert "2 ok" in result.stdout
    result = invoke("run", "--depth", 1, "--engine", spec, "--budget", "10ms", "--format", "json")
    assert result.exit_code == 0
    summary = json.loads(result.stdout)["summary"]
    assert summary["skipped"] >= 200
    assert summary["skipped"] + summary["ok"] == summary["rows"]


@pytest.mark.parametrize("option", [["--jobs", "2"], ["--reference"], ["--explain"]])
def test_options_about_an_engine_need_one(invoke, option):
    result = invoke("run", *option)
    assert result.exit_code == 2
    assert "--engine has to name" in result.stderr


@pytest.mark.parametrize("kind", ["table", "json", "csv"])
def test_nothing_that_an_engine_says_is_obeyed(process, suite, engine, kind):
    for bug in ("evil", "dies"):
        result = process(
            *("run", suite, "-d", 3, "--engine", engine(bug), "--format", kind),
            env={"FORCE_COLOR": "1"},
        )
        text = (result.stdout + result.stderr).decode()
        assert not {"\x07", "\N{RIGHT-TO-LEFT OVERRIDE}"} & set(text)
        assert "\x1b]" not in text


@pytest.mark.parametrize(
    ("row", "args", "why"),
    [
        (f"{STARTPOS} ;D1 20", ("--max-nodes", 19), "20 nodes are more than the limit of 19"),
        (STARTPOS, ("--depth", 1, "--max-nodes", 19), "20 nodes are more than the limit of 19"),
        (f'{LONE} ;D1 15 ;id "a" ;optional "no game leads here"', (), "no game leads here; --id a"),
        (f"{STARTPOS} ;D0 1", (), "no engine is asked for depth 0"),
    ],
)
def test_an_engine_that_is_asked_for_nothing_does_not_pass(
    invoke, tmp_path, engine, row, args, why
):
    (tmp_path / "spared.epd").write_text(f"{row}\n")
    result = invoke("run", "spared.epd", "--engine", engine("none"), *args)
    assert result.exit_code == 2
    assert f"nothing was checked: the only row was skipped, since {why}" in result.stderr


def test_an_engine_without_chess960_does_not_pass_a_suite_of_it(invoke, tmp_path):
    programs = Path(__file__).parents[1] / "engines"
    program = shlex.join([sys.executable, str(programs / "xboard_engine.py"), "old"])
    (tmp_path / "spared.epd").write_text("k7/8/8/8/8/8/8/1R2K1R1 w GB - 0 1 ;D1 29\n")
    result = invoke("run", "spared.epd", "--engine", f"xboard:{program}")
    assert result.exit_code == 2
    assert result.stderr.endswith(
        "the only row was skipped, since the engine does not know Chess960; perft_positions has"
        " rows of standard chess\n"
    )


def test_most_of_the_reasons_are_told(invoke, tmp_path, engine):
    rows = f"{STARTPOS} ;D0 1 ;D1 20 ;D2 400\n"
    (tmp_path / "spared.epd").write_text(rows)
    result = invoke("run", "spared.epd", "--engine", engine("none"), "--max-nodes", 5)
    assert result.exit_code == 2
    assert "all 3 rows were skipped, 2 of them since 20 nodes" in result.stderr


@pytest.mark.skipif(
    shutil.which("stockfish", path="/usr/games:/usr/bin:/usr/local/bin") is None,
    reason="stockfish is not installed",
)
def test_a_real_engine(invoke, suite):
    result = invoke("run", suite, "--depth", 2, "--engine", "uci:stockfish")
    assert result.exit_code == 0
    result = invoke("divide", "kiwipete", "--depth", 3, "--engine", "stockfish")
    assert result.exit_code == 0
    assert "Stockfish" in result.stdout
