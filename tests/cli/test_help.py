"""Help: every option under a heading, short enough to be read, and every example runs."""

import os
import shlex
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import click
import pytest
from processes import environment

from perftkit import KIWIPETE, STARTPOS
from perftkit.cli.app import app
from perftkit.cli.help import GROUPS, Option

TESTS = Path(__file__).parents[1]
SCREEN_AND_A_HALF = 72  # lines
EXAMPLES_TIMEOUT = 60  # seconds

MY_ENGINE = f"""#!{sys.executable}
# Speaks UCI, counts by `bench N` as well, and divides by `my-engine DEPTH FEN [MOVES]`.
import sys
sys.path.insert(0, {str(TESTS)!r})
from planted import __main__ as planted
words = [word for word in sys.argv[1:] if word != "--uci"]
sys.argv[1:] = words
if not words:
    lines = (line.replace("bench ", "go perft ") for line in sys.stdin)
    sys.stdin = lines
planted.main()
"""


def commands(group=app, path=()):
    ctx = click.Context(group)
    yield path, group
    for name in group.list_commands(ctx) if isinstance(group, click.Group) else ():
        yield from commands(group.get_command(ctx, name), (*path, name))


ALL = dict(commands())


@pytest.mark.parametrize("path", ALL, ids=" ".join)
def test_every_option_is_under_a_heading(path):
    for param in ALL[path].params:
        if isinstance(param, click.Option):
            assert isinstance(param, Option), f"{param.opts} is made by click.option, not option"
            assert param.group in GROUPS
            assert param.help


@pytest.mark.parametrize("path", ALL, ids=" ".join)
def test_help_fits(invoke, monkeypatch, path):
    monkeypatch.setenv("COLUMNS", "80")
    lines = invoke(*path, "--help").stdout.splitlines()
    assert max(map(len, lines)) <= 80
    assert len(lines) <= SCREEN_AND_A_HALF


def test_options_of_one_heading_stand_together(invoke):
    lines = invoke("run", "--help").stdout.splitlines()
    headings = [line[:-1] for line in lines if line[:-1] in GROUPS]
    assert headings == [group for group in GROUPS if group in headings]
    assert "How the engine is asked" in headings
    between = lines[lines.index("Result:") : lines.index("Other:")]
    assert any("--report" in line for line in between)
    assert not any("--engine" in line for line in between)


def test_the_commands_are_told_in_a_line_each(invoke, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    lines = invoke("--help").stdout.partition("Other:")[0].splitlines()
    for path in ALL:
        if len(path) == 1:
            assert sum(line.startswith(f"  {path[0]} ") for line in lines) == 1
    assert not any(line.endswith("...") for line in lines[1:])


def examples():
    for path, command in ALL.items():
        for line in (command.epilog or "").splitlines():
            if line.startswith("  perftkit "):
                assert "|" not in line
                yield pytest.param(
                    line.strip(), id=f"{' '.join(path) or 'perftkit'}:{line.strip()}"
                )


def executable(path, text):
    path.write_text(text)
    path.chmod(path.stat().st_mode | stat.S_IXUSR)


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A folder with all that the examples name."""
    folder = tmp_path_factory.mktemp("examples")
    executable(folder / "my-engine", MY_ENGINE)
    executable(folder / "stockfish", MY_ENGINE)
    executable(folder / "perft.sh", f'#!/bin/sh\nexec {shlex.quote(str(folder))}/my-engine "$@"\n')
    suite = f'{STARTPOS} ;D1 20 ;D2 400 ;id "start"\n{KIWIPETE} ;D1 48 ;id "castling"\n'
    for name in ("my_suite.epd", "one.epd", "two.epd"):
        (folder / name).write_text(suite)
    (folder / "fens.txt").write_text(f"{STARTPOS}\n{KIWIPETE}\n")
    return folder


def small(words):
    """Return an example that is as quick as it can be and asks for the same things."""
    if words[1] == "bench":
        words = [*words, "--quick", "--runs", "1"]
        positions = [] if "--position" in words else ["--position", "position-4"]
        words = [*words, *positions]
        if "--hash" in words:
            words[words.index("--hash") + 1] = "1"
    if any(word.startswith("--engine") for word in words) or "--against" in words:
        words = [*words, "--depth", "2"] if words[1] != "bench" else words
        if words[1] == "run" and "my_suite.epd" not in words:
            words = [*words, "my_suite.epd"]
    return words


@pytest.mark.skipif(os.name != "posix", reason="the engines are scripts")
@pytest.mark.parametrize("example", list(examples()))
def test_every_example_runs(place, tmp_path, example):
    for file in place.iterdir():
        shutil.copy2(file, tmp_path)
    if "--paste" in example:
        divided = subprocess.run(
            [sys.executable, "-m", "perftkit", *["divide", "kiwipete", "--depth", "3"]],
            env=environment(),
            capture_output=True,
            check=True,
        )
        (tmp_path / "output.txt").write_bytes(divided.stdout)
    result = subprocess.run(
        [sys.executable, "-m", "perftkit", *small(shlex.split(example))[1:]],
        cwd=tmp_path,
        env=environment(PATH=f"{tmp_path}{os.pathsep}{os.environ['PATH']}"),
        capture_output=True,
        stdin=subprocess.DEVNULL,
        check=False,
        timeout=EXAMPLES_TIMEOUT,
    )
    assert result.returncode in (0, 1), result.stderr.decode()
    assert b"Traceback" not in result.stderr
