"""What people see, kept as files: at 80 and 160 columns, with and without colour; helps at 60 too.

Times and speeds are replaced by words, a time by one of the same width, so that columns that no
longer line up show. `PERFTKIT_UPDATE_SNAPSHOTS=1 pytest tests/cli/test_snapshots.py` writes the
files anew; look at the difference before it is committed.
"""

import os
import re
import shlex
import stat
import sys
from pathlib import Path

import click
import pytest
from mistakes_folder import TESTS, fill, typed
from processes import on_terminal

from perftkit import KIWIPETE, STARTPOS
from perftkit.cli.app import app

SNAPSHOTS = Path(__file__).with_name("snapshots")
UPDATE = os.environ.get("PERFTKIT_UPDATE_SNAPSHOTS") == "1"

ESCAPE = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
CLEARED = "\r\x1b[2K"  # what a bar that was drawn leaves
TIMES = (
    (re.compile(r"\d+\.\d{3} s"), "_TIME__"),  # as wide as 0.000 s
    (re.compile(r"\d+(?:\.\d+)? [kMG]?n/s"), "SPEED"),  # ends its line
)

COMMANDS = {
    "run-right": "run right.epd",
    "run-wrong": "run wrong.epd",
    "run-unreadable": "run mixed.epd",
    "run-engine-explain": "run right.epd --depth 3 --engine ./wrong-engine --explain",
    "run-engine-right": "run right.epd --depth 2 --engine ./right-engine",
    "run-engine-dies": "run right.epd --depth 3 --engine ./dying-engine",
    "divide": "divide kiwipete --depth 2",
    "divide-engine": "divide kiwipete --depth 3 --engine ./wrong-engine",
    "show": "show kiwipete",
    "show-pins": 'show "4k3/4r3/8/8/1b6/8/3NP3/4K3 w - - 0 1"',
    "suite-stats": "suite stats",
    "suite-lint": "suite lint wrong.epd mixed.epd",
    "engine": "engine ./right-engine",
}


def helps(group=app, path=()):
    ctx = click.Context(group)
    yield " ".join(path)
    for name in group.list_commands(ctx) if isinstance(group, click.Group) else ():
        yield from helps(group.get_command(ctx, name), (*path, name))


HELPS = {f"help-{name.replace(' ', '-') or 'perftkit'}": f"{name} --help" for name in helps()}
NARROW = [
    *("run-right", "run-wrong", "run-engine-right", "divide", "divide-engine"),
    *("show", "suite-stats", "engine"),
]
KINDS = [
    pytest.param(columns, color, id=f"{columns}-{'color' if color else 'plain'}")
    for columns in (80, 160)
    for color in (True, False)
]

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="needs a terminal as Linux has it")


def program(path, *args):
    path.write_text(
        f"#!{sys.executable}\nimport sys\nsys.path.insert(0, {str(TESTS)!r})\n"
        f"sys.argv[1:] = {list(args)!r}\nfrom planted import __main__ as planted\nplanted.main()\n"
    )
    path.chmod(path.stat().st_mode | stat.S_IXUSR)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("snapshots")
    right = (
        f'{STARTPOS} ;D1 20 ;D2 400 ;D3 8902 cap=34 chk=12 ;id "start"\n'
        f'{KIWIPETE} ;D1 48 ;D2 2039 ;D3 97862 cap=17102 ep=45 ;id "kiwipete"\n'
    )
    (folder / "right.epd").write_text(right)
    (folder / "wrong.epd").write_text(right.replace("97862 cap=17102 ep=45", "97817 ep=0"))
    (folder / "mixed.epd").write_text(f"{STARTPOS} ;D1 20\n8/8/8 w - - 0 1 ;D1 5\n")
    program(folder / "right-engine")
    program(folder / "wrong-engine", "--bug", "castling-through-check")
    dying = folder / "dying-engine"
    dying.write_text(
        f"#!/bin/sh\nexec {shlex.quote(sys.executable)}"
        f" {shlex.quote(str(Path(__file__).with_name('uci_engine.py')))} dies\n"
    )
    dying.chmod(0o755)
    return folder


def normalised(text):
    """Return what is seen once all is over, with times and speeds named."""
    text = "\n".join(part.rpartition(CLEARED)[2] for part in text.split("\n"))
    for pattern, name in TIMES:
        text = pattern.sub(name, text)
    return text.replace("\x1b", "<ESC>")  # so that the files can be read


def may_be_long(line):
    """Whether a line holds what is copied: a command, a FEN, a message in one sentence."""
    return "perftkit" in line or line.count("/") >= 7 or "error: " in line or "warning: " in line


def compare(name, text):
    path = SNAPSHOTS / f"{name}.txt"
    if UPDATE:
        SNAPSHOTS.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert path.is_file(), f"there is no {path.name}: PERFTKIT_UPDATE_SNAPSHOTS=1 writes it"
    assert text == path.read_text(encoding="utf-8")


@pytest.mark.parametrize(("columns", "color"), KINDS)
@pytest.mark.parametrize("name", COMMANDS)
def test_a_terminal(folder, name, columns, color):
    words = shlex.split(COMMANDS[name])
    shown = on_terminal(words, folder, columns, {} if color else {"NO_COLOR": "1"})
    text = normalised(shown.text)
    assert ("<ESC>" in text) <= color
    lines = ESCAPE.sub("", text.replace("<ESC>", "\x1b")).split("\n")
    assert max(len(line) for line in lines if not may_be_long(line)) <= columns
    compare(f"{name}-{columns}{'-color' if color else ''}", f"[status {shown.status}]\n{text}")


@pytest.mark.parametrize("columns", [40, 50, 60, 79])
@pytest.mark.parametrize("name", NARROW)
def test_a_narrow_terminal(folder, name, columns):
    """No line of a table is broken: what is least important is left out."""
    shown = on_terminal(shlex.split(COMMANDS[name]), folder, columns, {"NO_COLOR": "1"})
    text = normalised(shown.text)
    lines = [line for line in text.split("\n") if not line.startswith("planted castling")]
    assert max(len(line) for line in lines if not may_be_long(line)) <= columns
    if columns == 40:
        compare(f"{name}-40", f"[status {shown.status}]\n{text}")


@pytest.mark.parametrize("columns", [60, 80, 160])
@pytest.mark.parametrize("name", HELPS)
def test_help(invoke, monkeypatch, name, columns):
    monkeypatch.setenv("COLUMNS", str(columns))
    text = invoke(*HELPS[name].split(), prog_name="perftkit").stdout
    assert "\x1b" not in text
    compare(f"{name}-{columns}", text)


@pytest.mark.parametrize("columns", [30, 40, 50, 60, 79])
@pytest.mark.parametrize("name", HELPS)
def test_a_help_of_any_width_is_wrapped_and_says_the_same(invoke, monkeypatch, name, columns):
    def words_and_widest(columns):
        monkeypatch.setenv("COLUMNS", str(columns))
        text = invoke(*HELPS[name].split(), prog_name="perftkit").stdout
        before, _, after = text.partition("\n  Examples:\n")
        copied, _, after = after.partition("\n\n")
        lines = [*before.splitlines(), *after.splitlines()]
        wrapped = (line for line in lines if len(line.split()) > 1)  # what is one word is not cut
        return text.split(), max(map(len, wrapped)), copied

    words, widest, copied = words_and_widest(columns)
    assert widest <= columns
    assert (words, copied) == words_and_widest(100)[::2]


@pytest.mark.parametrize("name", ["run-wrong", "divide-engine", "show", "suite-stats"])
def test_a_terminal_that_can_do_little_shows_the_same(folder, name):
    """TERM=dumb is as NO_COLOR; a terminal without Unicode has other signs only."""
    words = shlex.split(COMMANDS[name])
    dumb = on_terminal(words, folder, 80, {"TERM": "dumb"})
    assert "\x1b" not in dumb.text
    if name != "divide-engine":  # its steps are shown on a terminal that can take them back
        compare(f"{name}-80", f"[status {dumb.status}]\n{normalised(dumb.text)}")
    plain = on_terminal(words, folder, 80, {"NO_COLOR": "1", "LC_ALL": "C"})
    assert plain.text.isascii()
    compare(f"{name}-80-ascii", f"[status {plain.status}]\n{normalised(plain.text)}")


def test_a_pipe_to_head_and_a_file_are_plain_and_quiet(tmp_path):
    fill(tmp_path)
    status, text = typed("perftkit run | head -1", tmp_path)
    assert (status, len(text.splitlines())) == (0, 1)
    status, text = typed("perftkit run my_suite.epd > file", tmp_path)
    assert (status, text) == (0, "")
    lines = (tmp_path / "file").read_text().splitlines()
    assert lines[0].startswith("        position")
    assert max(map(len, lines)) <= 80
    assert not any("\x1b" in line or "\r" in line for line in lines)
