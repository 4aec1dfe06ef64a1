"""What `make run` and `make test` do, and do again, told by a Python that only keeps a diary."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CORE_FILES = ("setup.py", "pyproject.toml", "perftkit/core/board.pxd", "perftkit/core/board.pyx")
# Called by any name, it makes environments whose programs write in the same diary.
DIARIST = """#!/bin/sh
for last; do :; done
case "$1 $2" in
    "-m venv")
        test -e {project}/venv-fails && exit 1
        rm -rf "$last" && mkdir -p "$last/bin" && cp "$0" "$last/bin/python"
        printf '#!/bin/sh\\necho "perftkit $*" >>{diary}\\n' >"$last/bin/perftkit"
        chmod +x "$last/bin/perftkit"
        echo "venv $last by ${{0##*/}}" >>{diary} ;;
    "-m pip")
        test -e {project}/pip-fails && exit 1
        echo "pip $last" >>{diary} ;;
    "-m pytest") shift 2; echo "pytest $*" >>{diary} ;;
    *) exec {python} "$@" ;;
esac
"""
RUN_FROM_NOTHING = ["venv .venv by python3", "pip .", "perftkit run --depth 5"]

pytestmark = pytest.mark.skipif(
    os.name == "nt" or shutil.which("make") is None, reason="needs make"
)


class Project:
    """A copy of the project's build files, with programs of its own ahead on PATH."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "project"
        self.diary = folder / "diary"
        self.programs = folder / "bin"
        (self.folder / "perftkit" / "core").mkdir(parents=True)
        shutil.copytree(ROOT / "tools", self.folder / "tools")
        shutil.copy(ROOT / "Makefile", self.folder)
        for name in CORE_FILES:
            (self.folder / name).touch()
        self.programs.mkdir()
        self.add_python("python3")
        self.add_program("quiet-cc", "#!/bin/sh\nexit 0\n")

    def add_program(self, name: str, script: str) -> None:
        program = self.programs / name
        program.write_text(script)
        program.chmod(0o755)

    def add_python(self, name: str) -> None:
        script = DIARIST.format(diary=self.diary, project=self.folder, python=sys.executable)
        self.add_program(name, script)

    def change(self, name: str) -> None:
        """Give a file, which may be new, a date after everything that was made."""
        (self.folder / name).touch()
        later = time.time() + 10
        os.utime(self.folder / name, (later, later))

    def make(self, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
        environment = {
            "PATH": f"{self.programs}{os.pathsep}{os.environ['PATH']}",
            "CC": "quiet-cc",
            **variables,
        }
        return subprocess.run(
            ["make", *arguments],
            cwd=self.folder,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )

    def entries_of(self, *arguments: str, **variables: str) -> list[str]:
        """Run make, which must succeed, and return what it wrote in the diary."""
        self.diary.write_text("")
        result = self.make(*arguments, **variables)
        assert result.returncode == 0, result.stderr
        return self.diary.read_text().splitlines()


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


def test_run_builds_once(project: Project) -> None:
    assert project.entries_of("run") == RUN_FROM_NOTHING
    assert project.entries_of("run") == ["perftkit run --depth 5"]


def test_test_builds_once_and_shares_the_build_with_run(project: Project) -> None:
    assert project.entries_of("run") == RUN_FROM_NOTHING
    assert project.entries_of("test") == ["pip perftkit[test]", "pytest -n 2"]
    assert project.entries_of("test") == ["pytest -n 2"]


def test_test_on_a_fresh_machine(project: Project) -> None:
    assert project.entries_of("test") == [
        "venv .venv by python3",
        "pip .",
        "pip perftkit[test]",
        "pytest -n 2",
    ]
    assert project.entries_of("run") == ["perftkit run --depth 5"]


def test_arguments_are_passed_on(project: Project) -> None:
    assert project.entries_of("run", "ARGS=--depth 4 --id x")[-1] == "perftkit run --depth 4 --id x"
    assert project.entries_of("test", "ARGS=-k fen")[-1] == "pytest -n 2 -k fen"


@pytest.mark.parametrize("name", [*CORE_FILES, "perftkit/core/new.pxi", "perftkit/core/new.h"])
def test_a_changed_core_is_built_again(project: Project, name: str) -> None:
    project.entries_of("run")
    project.change(name)
    assert project.entries_of("run") == ["pip .", "perftkit run --depth 5"]


@pytest.mark.parametrize("name", ["perftkit/core/perft.py", "Makefile", "README.md"])
def test_other_changes_build_nothing(project: Project, name: str) -> None:
    project.entries_of("run")
    project.change(name)
    assert project.entries_of("run") == ["perftkit run --depth 5"]


def test_another_python_gets_a_new_environment_and_is_kept(project: Project) -> None:
    project.add_python("python3.99")
    project.entries_of("run")
    remade = ["venv .venv by python3.99", "pip .", "perftkit run --depth 5"]
    assert project.entries_of("run", "PYTHON=python3.99") == remade
    assert project.entries_of("run", "PYTHON=python3.99") == ["perftkit run --depth 5"]
    assert project.entries_of("run") == ["perftkit run --depth 5"]
    assert project.entries_of("run", PYTHON="python3") == RUN_FROM_NOTHING


def test_an_environment_whose_python_is_gone_is_made_again(project: Project) -> None:
    project.entries_of("run")
    (project.folder / ".venv" / "bin" / "python").unlink()
    (project.folder / ".venv" / "bin" / "python").symlink_to("/no/such/python")
    assert project.entries_of("run") == RUN_FROM_NOTHING


@pytest.mark.parametrize("step", ["venv", "pip"])
def test_a_step_that_failed_is_tried_again(project: Project, step: str) -> None:
    failure = project.folder / f"{step}-fails"
    failure.touch()
    assert project.make("run").returncode != 0
    failure.unlink()
    assert project.entries_of("run")[-2:] == RUN_FROM_NOTHING[-2:]


@pytest.mark.parametrize("target", ["run", "test"])
@pytest.mark.parametrize("missing", ["PYTHON=no-such-python", "CC=no-such-cc"])
def test_nothing_is_installed_on_an_unfit_machine(
    project: Project, target: str, missing: str
) -> None:
    result = project.make(target, missing)
    assert result.returncode != 0
    assert result.stderr.startswith("perftkit can't be built: ")
    assert missing.partition("=")[2] in result.stderr
    assert not (project.folder / ".venv").exists()
    assert not project.diary.exists()


def test_standard_output_is_the_command_s_alone(project: Project) -> None:
    assert project.make("run").stdout == ""


def test_help_names_every_target(project: Project) -> None:
    text = (ROOT / "Makefile").read_text()
    line = next(line for line in text.splitlines() if line.startswith(".PHONY: help"))
    result = project.make()
    for target in line.split()[2:]:
        assert f"make {target}" in result.stdout


def test_clean_leaves_only_sources(project: Project) -> None:
    before = {path for path in project.folder.rglob("*") if path.is_file()}
    project.entries_of("test")
    for name in ("core/board.c", "core/board.cpython-310-x86_64-linux-gnu.so", "core/board.html"):
        project.change(f"perftkit/{name}")
    (project.folder / "build" / "lib").mkdir(parents=True)
    project.entries_of("clean")
    assert {path for path in project.folder.rglob("*") if path.is_file()} == before
