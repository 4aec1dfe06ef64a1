"""`perftkit divide --engine`: counts of Kiwipete are the published ones."""

import csv
import io
import json
import shlex

import pytest

from perftkit import KIWIPETE, STARTPOS

EP_PLY = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/Pp2P3/2N2Q1p/1PPBBPPP/R3K2R b KQkq a3 0 1"


def test_an_engine_that_is_right(invoke, engine):
    result = invoke("divide", "kiwipete", "--depth", 3, "--engine", engine("none"))
    assert result.exit_code == 0
    assert "Wrong 1.0 is right up to depth 3: 48 moves, 97,862 nodes" in result.stdout
    assert result.stderr == ""


def test_the_report(invoke, engine):
    spec = engine("en-passant")
    result = invoke("divide", "kiwipete", "--depth", 4, "--engine", spec)
    assert result.exit_code == 1
    lines = [" ".join(line.split()) for line in result.stdout.splitlines()]
    assert "Wrong 1.0 is wrong at depth 2: 2,038 nodes, 2,039 are right (-1)" in lines
    assert "a2a4 44 43 -1" in lines
    assert "47 moves agree" in lines
    assert "First wrong position, depth 1:" in lines
    assert f"FEN {EP_PLY}" in lines
    assert "line a2a4" in lines
    assert "missing b4a3 (marked -)" in lines
    assert any(line.startswith("rule en-passant-missing") for line in lines)
    again = next(line for line in lines if line.startswith("show again "))
    words = shlex.split(again.removeprefix("show again "))
    assert words == ["perftkit", "divide", EP_PLY, "--depth", "1", "--engine", spec]
    board = [line for line in result.stdout.splitlines() if line.startswith(" 4 ")]
    assert board[0].count("-") == 1  # b4, the other end is on a3


def test_the_command_that_shows_it_again_does(invoke, engine):
    first = invoke("divide", "kiwipete", "--depth", 3, "--engine", engine("state"))
    again = next(line for line in first.stdout.splitlines() if line.startswith("show again"))
    words = shlex.split(again.removeprefix("show again"))[1:]
    assert words[2:4] == ["--moves", "a2a4"]
    second = invoke(*words)
    assert second.exit_code == 1
    assert f"FEN           {EP_PLY}" in second.stdout
    assert "right for this FEN, wrong after the moves of the line" in second.stdout


def test_json_is_that_of_the_contract(invoke, engine):
    spec = engine("en-passant")
    result = invoke("divide", "kiwipete", "-d", 3, "--engine", spec, "--format", "json")
    assert result.exit_code == 1
    document = json.loads(result.stdout)
    assert document["command"] == "divide"
    assert (document["depth"], document["asked_depth"], document["nodes"]) == (2, 3, 2039)
    assert document["counts"]["captures"] == 351
    assert len(document["children"]) == 48
    assert document["children"]["a2a4"]["nodes"] == 44
    found = document["engine"]
    assert (found["spec"], found["name"], found["nodes"]) == (spec, "Wrong 1.0", 2038)
    assert found["children"]["a2a4"] == 43
    assert document["verdict"] == "mismatch"
    wrong = document["first_wrong"]
    assert (wrong["fen"], wrong["path"], wrong["depth"]) == (EP_PLY, ["a2a4"], 1)
    assert (wrong["missing"], wrong["extra"], wrong["wrong_counts"]) == (["b4a3"], [], {})
    assert set(document["diagnosis"]) == {"rule", "explanation", "confidence"}
    assert document["diagnosis"]["rule"] == "en-passant-missing"


def test_json_of_an_engine_that_is_right(invoke, engine):
    result = invoke("divide", "-d", 2, "--engine", engine("none"), "--format", "json")
    document = json.loads(result.stdout)
    assert (document["verdict"], document["first_wrong"], document["diagnosis"]) == (
        "ok",
        None,
        None,
    )
    assert (document["fen"], document["nodes"], document["engine"]["nodes"]) == (STARTPOS, 400, 400)


def test_csv(invoke, engine):
    result = invoke("divide", "kiwipete", "-d", 1, "--engine", engine("castling"), "-o", "out.csv")
    assert result.exit_code == 1
    result = invoke(
        "divide", "kiwipete", "-d", 1, "--engine", engine("castling"), "--format", "csv"
    )
    rows = {row["move"]: row for row in csv.DictReader(io.StringIO(result.stdout))}
    assert len(rows) == 48
    assert rows["e1g1"] == {"move": "e1g1", "status": "missing", "nodes": "", "expected_nodes": "1"}
    assert rows["a2a3"]["status"] == "ok"


def test_moves_are_played_first(invoke, engine):
    result = invoke(
        *("divide", "kiwipete", "--moves", "a2a4", "-d", 1, "--engine", engine("state")),
        *("--format", "json"),
    )
    document = json.loads(result.stdout)
    assert (document["fen"], document["moves"]) == (KIWIPETE, ["a2a4"])
    assert document["first_wrong"]["right_by_fen"] is True
    assert document["first_wrong"]["missing"] == ["b4a3"]


def test_an_engine_that_dies(invoke, engine):
    result = invoke("divide", "kiwipete", "-d", 3, "--engine", engine("dies"))
    assert result.exit_code == 3
    assert "error" in result.stdout
    assert "assertion failed" in result.stdout
    result = invoke("divide", "kiwipete", "-d", 3, "--engine", engine("dies"), "--format", "json")
    assert result.exit_code == 3
    document = json.loads(result.stdout)
    assert document["verdict"] == "error"
    assert "assertion failed" in document["error"]


def test_an_engine_that_hangs(invoke, engine):
    spec = engine("hangs")
    result = invoke("divide", "kiwipete", "-d", 3, "--engine", spec, "--timeout", "500ms")
    assert result.exit_code == 3
    assert "0.5 s" in result.stdout


@pytest.mark.parametrize("spec", ["uci:./no-such-program", "cmd:./no {depth}", "py:no.such:thing"])
def test_an_engine_that_is_not_there(invoke, spec):
    result = invoke("divide", "--engine", spec)
    assert result.exit_code in (2, 3)
    assert result.stdout == ""
    assert result.stderr.startswith("Error: ")
    assert "no" in result.stderr


@pytest.mark.parametrize("kind", ["table", "json", "csv"])
def test_nothing_that_an_engine_says_is_obeyed(process, engine, kind):
    for bug in ("evil", "dies"):
        result = process(
            *("divide", "kiwipete", "-d", 3, "--engine", engine(bug), "--format", kind),
            env={"FORCE_COLOR": "1"},
        )
        assert result.returncode in (1, 3)
        text = (result.stdout + result.stderr).decode()
        assert not {"\x07", "\N{RIGHT-TO-LEFT OVERRIDE}"} & set(text)
        assert "\x1b]" not in text
        if kind != "csv" and bug == "evil":
            assert "[bold]red[/bold]" in text


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["--timeout", "5"], "--timeout is about an engine"),
        (["--engine-env", "A=b"], "--engine-env is about an engine"),
        (["--engine", " "], "SPEC is empty"),
        (["--engine", "x", "--timeout", "soon"], "no time above 0"),
        (["--engine", "x", "--timeout", "0"], "no time above 0"),
        (["--engine", "x", "--engine-env", "A"], "not of the form NAME=VALUE"),
        (["--engine", "x", "--engine-option", "=b"], "not of the form NAME=VALUE"),
        (["--engine", "x", "--divide-pattern", "("], "no regular expression"),
        (["--engine", "x", "--total-pattern", "x"], "group"),
        (["--interactive"], "--engine has to name"),
        (["--engine", "x", "--paste", "y"], "--paste needs no engine"),
        (["--engine", "x", "--interactive", "--format", "json"], "no --format"),
        (["--engine", "x", "--engines", "none.toml"], "none.toml"),
    ],
)
def test_bad_usage(invoke, args, words):
    result = invoke("divide", *args)
    assert result.exit_code == 2
    assert words in " ".join(result.stderr.split())
    assert result.stdout == ""


def test_a_project_may_keep_settings_for_its_engine(invoke, engine, tmp_path):
    (tmp_path / "pyproject.toml").write_text(
        "[tool.perftkit.divide]\ntimeout = '5s'\n"
        f"[tool.perftkit.engines.mine]\nspec = {json.dumps(engine('castling'))}\n"
    )
    assert invoke("divide", "-d", 1).exit_code == 0
    result = invoke("divide", "kiwipete", "-d", 1, "--engine", "mine")
    assert result.exit_code == 1
    assert "--engine mine --timeout 5" in result.stdout


def test_the_steps_are_shown_on_a_terminal(terminal, engine):
    shown = terminal("divide", "kiwipete", "-d", 3, "--engine", engine("en-passant"), columns=100)
    assert shown.status == 1
    assert "depth 1, by FEN: 48 nodes, right" in shown.text
    assert "depth 1 after a2a4, by moves: 43 nodes, " in shown.text
    assert "wrong after " in shown.text
    assert shown.text.index("wrong after ") < shown.text.index("First wrong position")


def test_the_reference_is_disputed_first_and_loudly(invoke, engine, monkeypatch):
    from perftkit.cli import compare

    monkeypatch.setattr(compare, "published_counts", lambda _: {2: 2040})
    result = invoke("divide", "kiwipete", "-d", 2, "--engine", engine("none"))
    assert result.exit_code == 1
    assert result.stdout.startswith("THE REFERENCE IS DISPUTED: ")
    assert "published 2040, counted 2039" in result.stdout


def test_published_counts_are_those_of_the_embedded_suite():
    from perftkit import Position
    from perftkit.cli.compare import published_counts

    assert published_counts(Position())[6] == 119060324
    assert published_counts(Position("4k3/8/8/8/8/8/8/4K2R b - - 0 1")) == {}
