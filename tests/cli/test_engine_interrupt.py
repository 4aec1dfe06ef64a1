"""No engine is left behind, however a command ends."""

import json
import os
import shlex
import signal
import subprocess
import sys
import time

import pytest
from processes import environment

from perftkit import KIWIPETE


def alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def wait_until(condition, seconds=20):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.05)
    return False


def pids_in(path):
    return [int(line) for line in path.read_text().split()] if path.exists() else []


@pytest.fixture
def ended(tmp_path, engine):
    """Runs a command against an engine that hangs, ends it by a signal, and returns the rest."""

    def call(sign, *args, engines=1):
        pids = tmp_path / "pids"
        spec = engine("hangs", pids)
        with subprocess.Popen(
            [sys.executable, "-m", "perftkit", *map(str, args), "--engine", spec],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=tmp_path,
            env=environment(),
        ) as running:
            hanging = tmp_path / "pids.hanging"
            assert wait_until(lambda: len(pids_in(hanging)) >= engines)
            time.sleep(0.2)
            running.send_signal(sign)
            start = time.monotonic()
            out, err = running.communicate(timeout=30)
            assert time.monotonic() - start < 8
        assert wait_until(lambda: not any(alive(pid) for pid in pids_in(pids)), 5)
        assert b"Traceback" not in err
        return running.returncode, out.decode()

    return call


def test_run(ended, tmp_path):
    (tmp_path / "suite.epd").write_text(f"{KIWIPETE} ;D1 48 ;D3 97862\n{KIWIPETE} ;D1 48\n")
    status, out = ended(signal.SIGINT, "run", "suite.epd", "--format", "json")
    assert status == 130
    document = json.loads(out)
    assert document["summary"]["stopped"] == "interrupted"
    assert document["summary"]["ok"] == 1


def test_run_of_several(ended, tmp_path):
    (tmp_path / "suite.epd").write_text(f"{KIWIPETE} ;D1 48 ;D3 97862\n" * 5)
    status, out = ended(signal.SIGINT, "run", "suite.epd", "--jobs", 2, engines=2)
    assert status == 130
    assert "stopped early: interrupted" in out


def test_divide(ended):
    status, out = ended(signal.SIGINT, "divide", "kiwipete", "-d", 3, "--format", "json")
    assert status == 130
    assert json.loads(out)["stopped"] == "interrupted"


@pytest.mark.parametrize("sign", [signal.SIGTERM, signal.SIGHUP])
def test_other_signals(ended, sign):
    status, _ = ended(sign, "divide", "kiwipete", "-d", 3)
    assert status not in (0, 1)


@pytest.mark.parametrize("bug", ["none", "castling", "dies"])
def test_an_ordinary_end(process, tmp_path, engine, bug):
    pids = tmp_path / "pids"
    for args in (["divide", "kiwipete", "-d", 3], ["run", "--fen", KIWIPETE, "-d", 3]):
        process(*args, "--engine", engine(bug, pids))
    assert len(pids_in(pids)) >= 2
    assert wait_until(lambda: not any(alive(pid) for pid in pids_in(pids)), 5)


@pytest.mark.parametrize("args", [("divide", "kiwipete"), ("run", "--fen", KIWIPETE)])
def test_while_it_is_found_out_what_the_engine_speaks(tmp_path, args):
    pids = tmp_path / "pids"
    # It says nothing at all.
    silent = f"import os, time; open({str(pids)!r}, 'w').write(str(os.getpid())); time.sleep(600)"
    engine = shlex.join([sys.executable, "-c", silent])
    with subprocess.Popen(
        [sys.executable, "-m", "perftkit", *args, "--format", "json", "--engine", f"uci:{engine}"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=tmp_path,
        env=environment(),
    ) as running:
        assert wait_until(lambda: pids_in(pids))
        time.sleep(0.2)
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=30)
    assert running.returncode == 130
    assert b"Traceback" not in err
    document = json.loads(out)
    assert (document.get("stopped") or document["summary"]["stopped"]) == "interrupted"
    named = document["engine"]
    assert (named["spec"] if args[0] == "divide" else named) == f"uci:{engine}"
    assert wait_until(lambda: not any(alive(pid) for pid in pids_in(pids)), 5)
