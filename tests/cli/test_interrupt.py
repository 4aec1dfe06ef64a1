import json
import os
import signal
import subprocess
import sys
import time

import pytest
from processes import environment

from perftkit import KIWIPETE
from perftkit.cli.interrupts import Interrupts


def interrupted(args, tmp_path, seconds=1.0):
    with subprocess.Popen(
        [sys.executable, "-m", "perftkit", *args],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=tmp_path,
        env=environment(),
    ) as running:
        time.sleep(seconds)
        running.send_signal(signal.SIGINT)
        start = time.monotonic()
        out, err = running.communicate(timeout=30)
        assert time.monotonic() - start < 2
    assert err in (b"", b"interrupted\n")
    return running.returncode, out.decode()


@pytest.fixture
def endless(tmp_path):
    """One count that is soon finished and one that takes hours."""
    (tmp_path / "endless.epd").write_text(f"{KIWIPETE} ;D1 48 ;D9 1000\n{KIWIPETE} ;D1 48\n")
    return "endless.epd"


def test_what_was_finished_is_reported(endless, tmp_path):
    status, out = interrupted(["run", endless, "--depth", "9"], tmp_path)
    assert status == 130
    assert "1 position, 1 row: 1 ok" in out
    assert "stopped early: interrupted" in out


def test_json_stays_a_document(endless, tmp_path):
    status, out = interrupted(["run", endless, "--depth", "9", "--format", "json"], tmp_path)
    assert status == 130
    document = json.loads(out)
    assert document["summary"]["rows"] == 1
    assert document["summary"]["stopped"] == "interrupted"


def test_an_output_file_is_complete(endless, tmp_path):
    args = ["run", endless, "--depth", "9", "--format", "json", "--output", "out.json"]
    status, _ = interrupted(args, tmp_path)
    assert status == 130
    assert json.loads((tmp_path / "out.json").read_text())["summary"]["rows"] == 1


def test_divide(tmp_path):
    status, out = interrupted(["divide", "--depth", "9", "--format", "json"], tmp_path)
    assert status == 130
    assert json.loads(out)["stopped"] == "interrupted"


def test_suite_commands(tmp_path):
    (tmp_path / "long.epd").write_text(f"{KIWIPETE} ;D9 1000\n")
    args = ["suite", "fill", "long.epd", "--max-nodes", "100000000000000"]
    status, _ = interrupted(args, tmp_path)
    assert status == 130


def test_an_interrupt_while_writing_waits_for_the_next_step():
    def items():
        yield 1
        yield 2

    steps = items()
    with Interrupts() as interrupts:
        assert interrupts.next(steps) == 1
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0.01)
        with pytest.raises(KeyboardInterrupt):
            interrupts.next(steps)


def test_a_second_interrupt_does_not_wait():
    with Interrupts():
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0.01)
        with pytest.raises(KeyboardInterrupt):  # noqa: PT012
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(1)


def test_the_handler_before_is_restored():
    before = signal.getsignal(signal.SIGINT)
    with Interrupts():
        assert signal.getsignal(signal.SIGINT) != before
    assert signal.getsignal(signal.SIGINT) == before
