from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from processes import LEFT_OUT, TIMEOUT, environment, on_terminal

from perftkit import KIWIPETE, STARTPOS
from perftkit.cli.app import app


@pytest.fixture(autouse=True)
def _outside_of_any_project(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in list(os.environ):
        if name.startswith(LEFT_OUT[:4]):
            monkeypatch.delenv(name)


@pytest.fixture
def invoke():
    """Runs a command in this process: `invoke("run", "--depth", "3")`."""

    def call(*args, **kwargs):
        result = CliRunner().invoke(app, [str(arg) for arg in args], **kwargs)
        assert "Traceback" not in result.output
        return result

    return call


@pytest.fixture
def process(tmp_path):
    """Runs a command in a process of its own, without a terminal."""

    def call(*args, env=None, **kwargs):
        kwargs = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **kwargs}
        return subprocess.run(
            [sys.executable, "-m", "perftkit", *map(str, args)],
            cwd=tmp_path,
            env=environment(**(env or {})),
            timeout=TIMEOUT,
            check=False,
            **kwargs,
        )

    return call


@pytest.fixture
def terminal(tmp_path):
    """Runs a command on a terminal of a given width and returns all that was written to it."""

    def call(*args, columns=80, env=None):
        return on_terminal(args, tmp_path, columns, env)

    return call


@pytest.fixture
def terminal_and_pipe(tmp_path):
    """Runs a command whose standard output is a pipe and returns what the terminal shows."""

    def call(*args):
        return on_terminal(args, tmp_path, 80, None, output=subprocess.PIPE)

    return call


@pytest.fixture
def good(tmp_path):
    """A suite with published counts."""
    path = tmp_path / "good.epd"
    path.write_text(
        f'{STARTPOS} ;D1 20 ;D2 400 ;D3 8902 cap=34 chk=12 ;id "start"\n'
        f'{KIWIPETE} ;D1 48 ;D2 2039 ;D3 97862 cap=17102 ep=45 ;id "kiwipete"\n'
    )
    return path


@pytest.fixture
def wrong(tmp_path):
    """A suite whose counts lack the 45 en passant captures of Kiwipete at depth 3."""
    path = tmp_path / "wrong.epd"
    path.write_text(
        f'{STARTPOS} ;D1 20 ;D2 400 ;id "start"\n'
        f'{KIWIPETE} ;D1 48 ;D3 97817 cap=17057 ep=0 cas=3162 ;id "kiwipete"\n'
        f'{STARTPOS} ;D1 21 ;id "start-again"\n'
    )
    return path


@pytest.fixture
def mixed(tmp_path):
    """A suite with a row that can't be read between two good ones."""
    path = tmp_path / "mixed.epd"
    path.write_text(f"{STARTPOS} ;D1 20\n8/8/8 w - - 0 1 ;D1 5\n{KIWIPETE} ;D1 48\n")
    return path


ENGINE = Path(__file__).with_name("uci_engine.py")


@pytest.fixture
def engine():
    """The spec of an engine with a bug: `engine("castling")`; see uci_engine.py."""

    def spec(*args):
        return "uci:" + shlex.join([sys.executable, str(ENGINE), *map(str, args)])

    return spec
