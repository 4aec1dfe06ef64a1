"""docs/mistakes.md: each command is typed in a folder of its own, the whole message compared."""

import platform
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from mistakes_folder import fill, typed
from processes import environment

import perftkit
from perftkit.cli.output import _reason
from perftkit.errors import NOT_BUILT

PACKAGE = Path(perftkit.__file__).parent
PAGE = Path(__file__).parents[2] / "docs" / "mistakes.md"
LEAST = 20  # mistakes; the most likely ones
NOTED = "PERFTKIT_RUN_DEPT="  # is no failure

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the messages are those of Linux")


def mistakes():
    """Return the command, the status and the message of every example of the page."""
    found = []
    status, command = None, None
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            number = re.search(r"\(status (\d+)\)", line)
            status = int(number[1]) if number else None
        if line.startswith("    $ "):
            command = line[6:]
            found.append([command, status, []])
        elif line.startswith("    ") and found and command:
            found[-1][2].append(line)
        else:
            command = None
    return [
        pytest.param(typed_in, status, " ".join(" ".join(text).split()), id=typed_in)
        for typed_in, status, text in found
        if status is not None
    ]


ALL = mistakes()


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    folder = tmp_path_factory.mktemp("mistakes")
    fill(folder)
    return folder


def test_there_are_the_twenty_most_likely():
    assert PAGE.read_text(encoding="utf-8").count("\n### ") >= LEAST


@pytest.mark.parametrize(("command", "status", "message"), ALL)
def test_the_whole_message(place, command, status, message):
    found, text = typed(command, place)
    text = text.replace(f"{platform.system()} on {platform.machine()}", "Linux on x86_64")
    assert " ".join(text.split()) == message
    assert found == (0 if command.startswith(NOTED) else status)
    assert "Traceback" not in text
    assert text.count("rror:") <= 1


@pytest.mark.parametrize("ending", ["windows.epd", "my_suite.epd"])
def test_windows_line_ends_and_a_mark_are_no_mistake(place, ending):
    status, text = typed(f"perftkit run {ending}", place)
    assert (status, "3 rows: 3 ok" in text) == (0, True)


def test_a_core_that_is_not_built(tmp_path):
    shutil.copytree(PACKAGE, tmp_path / "perftkit", ignore=shutil.ignore_patterns("*.so", "*.pyd"))
    env = environment(PYTHONPATH=str(tmp_path))
    result = subprocess.run(
        [sys.executable, "-m", "perftkit", "run"], env=env, capture_output=True, check=False
    )
    assert result.returncode == 2
    assert result.stderr.decode() == f"Error: {NOT_BUILT}\n"
    assert " ".join(NOT_BUILT.split()) in " ".join(PAGE.read_text(encoding="utf-8").split())
    result = subprocess.run(
        [sys.executable, "-c", "import perftkit; perftkit.perft"],
        env=env,
        capture_output=True,
        check=False,
    )
    assert result.stderr.decode().splitlines()[-1] == f"ImportError: {NOT_BUILT}"


def test_a_place_where_one_may_not_write(tmp_path):
    # What the system says is asked for directly: the superuser may write everywhere.
    why = _reason(str(tmp_path / "result.json"), PermissionError(13, "Permission denied"))
    page = " ".join(PAGE.read_text(encoding="utf-8").split())
    assert f"Error: result.json can't be written: {why}" in page


@pytest.mark.parametrize("args", [("divide", "startpos"), ("run", "--fen", "startpos")])
def test_a_depth_that_takes_too_long_is_announced(tmp_path, args):
    with subprocess.Popen(
        [sys.executable, "-m", "perftkit", *args, "--depth", "14", "--threads", "1"],
        cwd=tmp_path,
        env=environment(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    ) as running:
        note = running.stderr.readline()
        running.kill()
    shown = re.sub(r"[0-9][0-9,.e]*", "N", note)
    unit = re.search("N (days|years|minutes|hours)", shown)
    assert unit is not None
    page = " ".join(PAGE.read_text(encoding="utf-8").split())
    wanted = re.sub(r"[0-9][0-9,.e]*", "N", page[page.index("note: depth 12") :])
    assert wanted.startswith(shown.strip().replace(unit[0], "N years"))


def test_a_depth_that_is_soon_done_is_not(tmp_path):
    result = subprocess.run(
        [sys.executable, "-m", "perftkit", "divide", "8/k7/8/8/8/8/8/K7 w - - 0 1", "--depth", "8"],
        cwd=tmp_path,
        env=environment(),
        capture_output=True,
        check=True,
    )
    assert result.stderr == b""
