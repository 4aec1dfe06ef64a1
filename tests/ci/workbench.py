"""A machine on which the recipes run as they are: a project with an engine to build, and a PATH.

The action looks for perftkit beside its Python, so that its step gets a Python with nothing else
beside it, whatever is installed for the tests.

`make my-engine` gives the program of tests/planted, with a bug or without one. `perftkit` is the
one under test. What would fetch or install something (pip, pipx, `python -m venv`) only notes that
it was called. All else, bash and make with it, is the machine's own.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import venv
from dataclasses import dataclass, field
from pathlib import Path

import perftkit

ROOT = Path(__file__).parents[2]
PYTHONPATH = str(Path(perftkit.__file__).parents[1])
BUG = "en-passant-missing"
TIMEOUT = 120  # seconds
LEFT_OUT = ("PERFTKIT_", "PYTHON", "PYTEST_", "GITHUB_", "RUNNER_", "INPUT_", "CI", "MAKE")

# So that the program, which is in Python, has enough to do to show its bug, and no more.
SMALL = {"PERFTKIT_RUN_ID": "en-passant-*", "PERFTKIT_RUN_MAX_NODES": "300"}

MAKEFILE = "my-engine:\n\t@cp engine.sh my-engine\n"
ENGINE = '#!/bin/sh\nPYTHONPATH="{tests}" exec "{python}" -m planted --bug "{bug}" "$@"\n'
SUITE = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20 ;D2 400\n"

# Not `-m perftkit`: the current folder is no place to import from, as for an installed command.
PERFTKIT = """\
#!/bin/sh
PYTHONPATH="{pythonpath}" exec "{python}" -c '
import sys
sys.path.remove("")
from perftkit.cli import main
sys.exit(main())' "$@"
"""
PYTHON = """\
#!/bin/sh
case "$*" in
    "-m pip "*) printf '%s\\n' "$*" >>"{notes}" ;;
    "-m venv "*) mkdir -p "$3/bin" && cp "{shim}" "$3/bin/python" ;;
    *tools/action/run.py) exec "{bare}/bin/python" "$@" ;;
    *) exec "{python}" "$@" ;;
esac
"""
PYTEST = """\
#!/bin/sh
PYTHONPATH="{pythonpath}" PYTEST_DISABLE_PLUGIN_AUTOLOAD=1 \\
    exec "{python}" -m pytest -p perftkit.pytest_plugin -p no:cacheprovider "$@"
"""
NOTED = '#!/bin/sh\nprintf \'%s\\n\' "{name} $*" >>"{notes}"\n'


@dataclass
class Workbench:
    """A project in `folder`, programs in `programs`, and the variables of the job."""

    folder: Path
    programs: Path
    notes: Path
    temporary: Path
    variables: dict[str, str] = field(default_factory=dict)

    def noted(self) -> list[str]:
        return self.notes.read_text().splitlines() if self.notes.exists() else []

    def environment(self, **changes: str) -> dict[str, str]:
        kept = {name: text for name, text in os.environ.items() if not name.startswith(LEFT_OUT)}
        path = f"{self.programs}{os.pathsep}{os.environ['PATH']}"
        return {**kept, "PATH": path, "LC_ALL": "C.UTF-8", **SMALL, **self.variables, **changes}

    def bash(
        self, script: str, *, folder: Path | None = None, **variables: str
    ) -> subprocess.CompletedProcess[str]:
        """Run a script as GitHub and GitLab do: in bash that stops at the first failure."""
        file = self.temporary / "step.sh"
        file.write_text(script)
        return subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", str(file)],
            cwd=folder or self.folder,
            env=self.environment(**variables),
            capture_output=True,
            text=True,
            timeout=TIMEOUT,
            check=False,
        )


def workbench(base: Path, *, bug: str = "none") -> Workbench:
    """Set up a project whose engine has that bug."""
    bench = Workbench(
        base / "project", base / "programs", base / "noted", base / "temporary folder"
    )
    for folder in (bench.folder, bench.programs, bench.temporary):
        folder.mkdir()
    values = {
        "tests": ROOT / "tests",
        "python": sys.executable,
        "pythonpath": PYTHONPATH,
        "notes": bench.notes,
        "shim": bench.programs / "python",
        "bare": base / "bare",
        "bug": bug,
    }
    for name, script in {"perftkit": PERFTKIT, "python": PYTHON, "pytest": PYTEST}.items():
        add_program(bench.programs / name, script.format(**values))
    venv.create(base / "bare", symlinks=True)
    (base / "bare" / "bin" / "perftkit").symlink_to(bench.programs / "perftkit")
    for name in ("pip", "pipx"):
        add_program(bench.programs / name, NOTED.format(name=name, **values))
    add_program(bench.folder / "engine.sh", ENGINE.format(**values))
    (bench.folder / "Makefile").write_text(MAKEFILE)
    (bench.folder / "suite.epd").write_text(SUITE)
    return bench


def add_program(path: Path, script: str) -> None:
    path.write_text(script)
    path.chmod(0o755)


def missing_programs() -> list[str]:
    return [name for name in ("bash", "make", "sed") if shutil.which(name) is None]
