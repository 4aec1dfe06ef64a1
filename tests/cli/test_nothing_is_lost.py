"""What goes wrong late, or in the way of a message, must not destroy a file or change a status."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from perftkit import STARTPOS

GOOD = f'{STARTPOS} ;D1 20 ;id "good"\n'
TYPO = 'r3k2r/8/8/8/8/8/8/R3K2R w KQkx - 0 1 ;D1 26 ;id "typo"\n'


def perftkit(*words, stderr=subprocess.PIPE, **environment):
    return subprocess.run(
        [sys.executable, "-m", "perftkit", *words],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=stderr,
        text=True,
        check=False,
        timeout=60,
        env={**os.environ, **environment},
    )


@pytest.mark.parametrize("command", ["fill", "convert"])
def test_a_suite_is_not_replaced_by_less_than_it_has(tmp_path, command):
    suite = tmp_path / "suite.epd"
    suite.write_text(GOOD + TYPO)
    result = perftkit("suite", command, str(suite), "--output", str(suite))
    assert result.returncode == 2
    assert suite.read_text() == GOOD + TYPO
    assert "was left as it is" in result.stderr
    assert list(tmp_path.iterdir()) == [suite]


def test_a_suite_is_replaced_when_all_of_it_was_read(tmp_path):
    suite = tmp_path / "suite.epd"
    suite.write_text(GOOD)
    assert perftkit("suite", "fill", str(suite), "--output", str(suite)).returncode == 0
    assert "chk=0" in suite.read_text()


def test_another_file_gets_the_rows_that_could_be_read(tmp_path):
    suite, other = tmp_path / "suite.epd", tmp_path / "other.epd"
    suite.write_text(GOOD + TYPO)
    assert perftkit("suite", "convert", str(suite), "--output", str(other)).returncode == 2
    assert other.read_text() == GOOD


def test_a_report_does_not_overwrite_the_suite(tmp_path):
    suite = tmp_path / "suite.epd"
    suite.write_text(GOOD)
    result = perftkit("run", str(suite), "--output", str(suite))
    assert result.returncode == 2
    assert "would overwrite the suite" in result.stderr
    assert suite.read_text() == GOOD


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
@pytest.mark.parametrize(
    "words", [["show", "x"], ["run", "no-such-file"], ["run", "--depth", "x"], ["nonsense"]]
)
def test_a_message_that_can_not_be_written_does_not_change_the_status(words):
    with Path("/dev/full").open("w") as full:
        assert perftkit(*words, stderr=full).returncode == 2


@pytest.mark.parametrize(
    "words",
    [["run", "--depth", "1", "--fen", "startpos"], ["divide", "--depth", "1"]],
)
def test_a_kernel_that_is_not_there_is_refused_with_one_message(words):
    result = perftkit(*words, PERFTKIT_KERNEL="nonsense")
    assert result.returncode == 2
    assert "there is no such kernel here, only baseline" in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_rows_that_can_not_be_read_are_the_only_complaint(tmp_path):
    suite = tmp_path / "suite.epd"
    suite.write_text(TYPO)
    result = perftkit("run", str(suite))
    assert result.returncode == 2
    assert len(result.stderr.splitlines()) == 1


def test_a_depth_that_is_written_wrongly_is_not_taken_for_an_opcode(tmp_path):
    suite = tmp_path / "suite.epd"
    suite.write_text(f"{STARTPOS} ;D-1 3\n")
    result = perftkit("run", str(suite))
    assert result.returncode == 2
    assert "expected a depth from 0 to 64, found '-1'" in result.stderr


@pytest.mark.parametrize("words", [["run", "--depth", "1", "{suite}"], ["divide", "--depth", "1"]])
def test_a_closed_standard_error_changes_nothing(tmp_path, words):
    suite = tmp_path / "suite.epd"
    suite.write_text(GOOD)
    command = [sys.executable, "-m", "perftkit", *(each.format(suite=suite) for each in words)]
    closed = 'exec "$@" 2>&-'
    result = subprocess.run(
        ["sh", "-c", closed, "sh", *command], stdout=subprocess.PIPE, text=True, timeout=60
    )
    assert result.returncode == 0
    assert "20" in result.stdout


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
def test_a_complaint_that_can_not_be_written_does_not_end_the_run(tmp_path):
    suite, report = tmp_path / "suite.epd", tmp_path / "report.json"
    suite.write_text(TYPO + GOOD)
    with Path("/dev/full").open("w") as full:
        result = perftkit("run", str(suite), "--report", f"json={report}", stderr=full)
    assert result.returncode == 2
    assert "1 position, 1 row: 1 ok, 1 unreadable" in result.stdout
    assert json.loads(report.read_text())["summary"]["ok"] == 1
