"""Check the perftkit that is installed for this Python, from a folder where no source is near.

    python tools/check_installed.py

Counts the reference suite by the installed command, then runs those tests of the core that show
that it was compiled well: every build of the fast walker, threads, the hash table. They need pytest
and python-chess. It is what tests a wheel, here and wherever wheels are built (pyproject.toml).
Ends with the exit status of the first thing that failed.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TESTS = ("kernel", "perft", "position", "table", "threads")
WHERE = "import perftkit; print(perftkit.__file__)"


def run(*words: str | Path, folder: str) -> str:
    """Run a program and return what it printed; if it fails, show that and end as it did."""
    clean = {name: text for name, text in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        words,
        cwd=folder,
        env={**clean, "PYTHONIOENCODING": "utf-8"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="backslashreplace",
        check=False,
    )
    if done.returncode:
        print(done.stdout)
        print(f"{words[0]} ended with {done.returncode}")
        sys.exit(done.returncode)
    return done.stdout


def main() -> None:
    program = shutil.which("perftkit", path=sysconfig.get_path("scripts"))
    if program is None:
        sys.exit("there is no command perftkit beside this Python")
    with tempfile.TemporaryDirectory() as folder:
        where = Path(run(sys.executable, "-c", WHERE, folder=folder).strip()).resolve()
        if where.is_relative_to(ROOT / "perftkit"):
            sys.exit(f"perftkit is not installed: {where} is the source")
        print(run(program, "--version", "--verbose", folder=folder).strip())
        print(*run(program, "run", "--depth", "4", folder=folder).splitlines()[-2:], sep="\n")
        tests = [ROOT / "tests" / "core" / f"test_{name}.py" for name in TESTS]
        pytest = (sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider")
        print(run(*pytest, *tests, folder=folder).splitlines()[-1])


if __name__ == "__main__":
    main()
