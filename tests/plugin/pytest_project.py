"""A folder in which pytest runs with the plugin, and the engines that it checks there."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import perftkit
from perftkit import KIWIPETE, STARTPOS

TESTS = Path(__file__).parents[1]
FOLDERS = (Path(perftkit.__file__).parents[1], TESTS)

# The counts are those of the Chess Programming Wiki's tables.
SUITE = f"""\
# comment
{STARTPOS} ;D1 20 ;D2 400 ;D3 8902 cap=34 chk=12 ;id "start"
{KIWIPETE} ;D1 48 ;D2 2039 cap=351 ep=1 cas=91 ;D3 97862 ;id "kiwipete"
"""


class Project:
    _plugin = ("-p", "perftkit.pytest_plugin")

    def __init__(self, pytester):
        self.pytester = pytester
        self.path = pytester.path

    def write(self, name, text):
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def suite(self, name="suite.epd", text=SUITE):
        return self.write(name, text)

    def run(self, *args):
        return self.pytester.runpytest_inprocess(*self._plugin, *map(str, args))

    def run_apart(self, *args, timeout=60):
        return self.pytester.runpytest_subprocess(*self._plugin, *map(str, args), timeout=timeout)

    def command(self, *args):
        """Return the command line that runs pytest here."""
        return [sys.executable, "-m", "pytest", *self._plugin, *map(str, args)]


def planted(bug, color="both"):
    """The spec of a UCI engine with a bug; see tests/planted."""
    return f"uci:{shlex.quote(sys.executable)} -m planted --bug {bug} --color {color}"


def scripted(*habits):
    """The spec of the engine of tests/cli/uci_engine.py, which can die and hang."""
    program = [sys.executable, str(TESTS / "cli" / "uci_engine.py"), *map(str, habits)]
    return f"uci:{shlex.join(program)}"
