from __future__ import annotations

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from processes import environment

from perftkit.engines.process import find_program

HOSTILE = Path(__file__).parents[1] / "engines" / "hostile.py"
PATIENCE = 20  # seconds


def hostile(habit):
    return shlex.join([sys.executable, str(HOSTILE), habit])


def facts(text):
    return dict(line.split("  ", 1) for line in text.splitlines())


@pytest.fixture
def library(tmp_path):
    (tmp_path / "my_library.py").write_text(
        "from perftkit import divide\n"
        "def perft(fen, depth):\n"
        "    return {m: r.nodes for m, r in divide(fen, depth).items()}\n"
    )


def test_what_an_engine_can_do(invoke):
    result = invoke("engine", "uci:" + hostile("prints"))
    assert result.exit_code == 0
    found = {key: value.strip() for key, value in facts(result.stdout).items()}
    assert found["engine"] == "Hostile"
    assert found["protocol"] == "UCI"
    assert found["asked with"] == "go perft {depth}"
    assert found["divides"] == "yes"
    assert found["plays moves"] == "yes"
    assert found["Chess960"] == "no"
    assert found["notation"] == "UCI"
    assert found["prints its position"] == "yes, with 'd'"


def test_as_json(invoke):
    spec = "uci:" + hostile("none-at-1")
    result = invoke("engine", spec, "--format", "json")
    document = json.loads(result.stdout)
    assert document["command"] == "engine"
    assert document["schema"] == 1
    assert document["engine"] == {
        "spec": spec,
        "name": "Hostile",
        "protocol": "UCI",
        "perft_command": "go perft {depth}",
        "divides": True,
        "divides_at_depth_1": False,
        "takes_moves": True,
        "chess960": False,
        "notation": ["UCI"],
        "prints_position": False,
        "position_command": None,
    }


def test_only_totals(invoke):
    result = invoke("engine", "uci:" + hostile("totals"))
    assert "no, only totals" in result.stdout


def test_a_python_function_of_the_current_folder(invoke, library):
    result = invoke("engine", "py:my_library:perft")
    assert result.exit_code == 0
    assert "no, it gets the FEN after them" in result.stdout


@pytest.mark.parametrize("program", ["stockfish", "fairy-stockfish", "ethereal-chess", "sjeng"])
def test_real_engines_by_default_settings(invoke, program, monkeypatch, tmp_path):
    if find_program(program) is None:
        pytest.skip(f"{program} is not installed")
    monkeypatch.setenv("HOME", str(tmp_path))
    result = invoke("engine", program)
    assert result.exit_code == 0, result.output
    assert "perft {depth}" in result.stdout


@pytest.mark.parametrize("program", ["stockfish", "fairy-stockfish", "ethereal-chess"])
def test_the_whole_suite_passes_on_a_healthy_engine(process, program):
    """At depth 3 here; depth 4 takes another ten seconds."""
    if find_program(program) is None:
        pytest.skip(f"{program} is not installed")
    result = process("run", "--depth", 3, "--engine", program, "--format", "json")
    summary = json.loads(result.stdout)["summary"]
    assert (result.returncode, summary["mismatch"], summary["error"]) == (0, 0, 0)
    assert summary["ok"] > 600
    skipped = {
        row["reason"].rpartition("; ")[2]
        for position in json.loads(result.stdout)["positions"]
        for row in position["rows"]
        if row["status"] == "skipped"
    }
    assert len(skipped) == 5
    assert all(re.fullmatch("--id [a-z0-9-]+ asks for it", reason) for reason in skipped)


@pytest.mark.parametrize("program", ["glaurung", "toga2"])
def test_engines_without_perft(invoke, program):
    if find_program(program) is None:
        pytest.skip(f"{program} is not installed")
    result = invoke("engine", program)
    assert result.exit_code == 3
    assert result.stdout == ""
    assert "has no perft that can be understood. Tried: 'go perft 2'" in result.stderr
    assert "--perft-command" in result.stderr


def test_where_nothing_works_it_says_what_was_tried(invoke):
    result = invoke("engine", hostile("not-uci"))
    assert result.exit_code == 3
    for text in ("Tried UCI: ", "xboard: ", "as a command: ", "'hello'", "'cmd:COMMAND"):
        assert text in result.stderr


def test_what_an_engine_prints_is_harmless(invoke):
    result = invoke("engine", "uci:" + hostile("name"))
    assert result.exit_code == 0
    assert all(line.isprintable() for line in result.output.splitlines())
    assert "Evil" in result.stdout


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("engine", ""), "SPEC is empty"),
        (("engine",), "Missing argument 'SPEC'"),
        (("engine", "x", "--timeout", "soon"), "'soon' is no time above 0 such as 30"),
        (("engine", "x", "--timeout", "0"), "is no time"),
        (("engine", "x", "--engine-option", "Hash"), "'Hash' is not of the form NAME=VALUE"),
        (("engine", "x", "--divide-pattern", "("), "is no regular expression"),
        (("engine", "x", "--total-pattern", "[0-9]+"), "has no group 'nodes'"),
        (("engine", "x", "--engines", "missing.toml"), "missing.toml can't be read"),
        (("engine", "py:nothing"), "py:package.module:function"),
        (("engine", "'open"), "No closing quotation"),
    ],
)
def test_bad_usage(invoke, args, said):
    result = invoke(*args)
    assert result.exit_code == 2
    assert said in result.stderr


def test_a_program_that_is_not_there(invoke):
    result = invoke("engine", "no-such-engine --uci")
    assert result.exit_code == 3
    assert "there is no program 'no-such-engine'" in result.stderr


def test_settings_on_the_command_line(invoke, tmp_path):
    result = invoke(
        *("engine", "uci:" + hostile("perft-fen"), "--perft-command", "perft {depth} {fen}"),
        *("--timeout", "5s", "--engine-dir", tmp_path, "--engine-env", "A=b=c"),
        *("--engine-option", "Hash=4"),
    )
    assert result.exit_code == 0, result.output
    assert "perft {depth} {fen}" in result.stdout


def test_a_named_engine_of_the_project(invoke, tmp_path):
    (tmp_path / "pyproject.toml").write_text(
        f"[tool.perftkit.engines.mine]\nspec = '''uci:{hostile('none')}'''\ntimeout = 9\n"
    )
    result = invoke("engine", "mine")
    assert result.exit_code == 0, result.output
    assert "Hostile" in result.stdout
    assert facts(result.stdout)["spec"].strip() == "mine"


def test_a_named_engine_of_a_file(invoke, tmp_path):
    (tmp_path / "mine.toml").write_text(f"[engines.mine]\nspec = '''uci:{hostile('none')}'''\n")
    assert invoke("engine", "mine", "--engines", "mine.toml").exit_code == 0
    assert invoke("engine", "mine").exit_code == 3


def test_a_timeout(invoke):
    start = time.monotonic()
    result = invoke("engine", "uci:" + hostile("never-introduces"), "--timeout", "500ms")
    assert result.exit_code == 3
    assert "gave no answer within 0.5 s" in result.stderr
    assert time.monotonic() - start < PATIENCE


@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL], ids=str)
def test_no_process_is_left_behind(tmp_path, end):
    pids = tmp_path / "pids"
    running = subprocess.Popen(
        [sys.executable, "-m", "perftkit", "engine", "uci:" + hostile("undying")],
        env=environment(HOSTILE_PIDS=str(pids)),
        cwd=tmp_path,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        wait_for(lambda: pids.exists() and pids.read_text().endswith("\n"))
        running.send_signal(end)
        status = running.wait(PATIENCE)
        assert status == (130 if end is signal.SIGINT else -end)
        for word in pids.read_text().split():
            wait_for(lambda pid=int(word): not is_alive(pid))
    finally:
        running.kill()
        running.wait()


def wait_for(condition):
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)


def is_alive(pid):
    try:
        os.kill(pid, 0)
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
