"""tools/check_build_requirements.sh, on machines that are made to lack one thing each."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CHECK = ROOT / "tools" / "check_build_requirements.sh"
# What the script itself calls, none of which builds anything.
TOOLS = ("sh", "mktemp", "rm")

pytestmark = pytest.mark.skipif(os.name == "nt", reason="the Makefile is for make and sh")


@pytest.fixture
def machine(tmp_path: Path) -> Path:
    """Give a folder that serves as PATH: a shell, and nothing that builds."""
    programs = tmp_path / "bin"
    programs.mkdir()
    for name in TOOLS:
        found = shutil.which(name)
        assert found
        (programs / name).symlink_to(found)
    return programs


def add_program(folder: Path, name: str, script: str) -> None:
    program = folder / name
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)


def add_python(folder: Path, name: str = "python3", before: str = "") -> None:
    """Add a Python that runs the statements `before` ahead of any code it is given with -c."""
    add_program(folder, name, f'shift; exec {sys.executable} -c "{before}\n$1"')


def add_compiler(folder: Path, *, name: str = "cc", finds_python_header: bool = True) -> None:
    """Add a compiler that accepts all code, or all but code that includes Python.h."""
    refusal = "" if finds_python_header else "grep -q Python.h $last && exit 1; "
    (folder / "grep").symlink_to(shutil.which("grep") or "")
    add_program(
        folder,
        name,
        f'for word; do case "$word" in *.c) last=$word ;; esac; done; {refusal}exit 0',
    )


def check(
    machine: Path, python: str = "python3", compiler: str | None = "cc"
) -> subprocess.CompletedProcess[str]:
    environment = {"PATH": str(machine)}
    if compiler is not None:
        environment["CC"] = compiler
    return subprocess.run(
        [machine / "sh", CHECK, python],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def assert_refused(result: subprocess.CompletedProcess[str], *words: str) -> None:
    assert result.returncode == 1
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1, "one line"
    assert result.stderr.startswith("perftkit can't be built: ")
    assert result.stderr.endswith(".\n")
    assert ". " not in result.stderr.rstrip(), "one sentence"
    for word in words:
        assert word in result.stderr


def test_a_complete_machine_passes_in_silence(machine: Path) -> None:
    add_python(machine)
    add_compiler(machine)
    result = check(machine)
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")


def test_no_python(machine: Path) -> None:
    add_compiler(machine)
    assert_refused(check(machine), "'python3'", "apt install python3", "dnf install", "brew")


def test_a_python_that_does_not_run(machine: Path) -> None:
    add_program(machine, "python3", "exit 127")
    add_compiler(machine)
    assert_refused(check(machine), "'python3'", "make PYTHON=")


@pytest.mark.parametrize("version", ["(2, 7, 18)", "(3, 9, 19)"])
def test_a_python_that_is_too_old(machine: Path, version: str) -> None:
    add_python(machine, "old-python", f"import sys; sys.version_info = {version}")
    add_compiler(machine)
    result = check(machine, "old-python")
    found = ".".join(version.strip("()").split(", ")[:2])
    assert_refused(result, f"is Python {found}", "3.10 or newer", "make PYTHON=")


def test_the_oldest_python_that_is_supported(machine: Path) -> None:
    add_python(machine, before="import sys; sys.version_info = (3, 10, 0)")
    add_compiler(machine)
    assert check(machine).returncode == 0


@pytest.mark.parametrize("module", ["venv", "ensurepip"])
def test_a_python_without_a_module(machine: Path, module: str) -> None:
    add_python(machine, before=f"import sys; sys.modules['{module}'] = None")
    add_compiler(machine)
    version = "{}.{}".format(*sys.version_info)
    assert_refused(check(machine), "venv", "ensurepip", f"apt install python{version}-venv")


def test_no_compiler(machine: Path) -> None:
    add_python(machine)
    assert_refused(check(machine), "C compiler", "'cc'", "build-essential", "dnf", "xcode-select")


def test_a_compiler_that_does_not_work(machine: Path) -> None:
    # macOS has a cc that only asks for the tools to be installed; Debian a gcc without libc6-dev.
    add_python(machine)
    add_program(machine, "cc", "echo 'no developer tools were found' >&2; exit 1")
    assert_refused(check(machine), "C compiler", "'cc'")


def test_the_compiler_of_the_python_is_tried_unless_another_is_named(machine: Path) -> None:
    add_python(
        machine,
        before="import sysconfig; sysconfig.get_config_var = lambda name: 'their-cc -pthread'",
    )
    add_compiler(machine, name="their-cc")
    assert check(machine, compiler=None).returncode == 0
    assert_refused(check(machine, compiler="my-cc"), "'my-cc'")


def test_no_python_header(machine: Path) -> None:
    add_python(machine, before="import sysconfig; sysconfig.get_path = lambda name: '/headers'")
    add_compiler(machine, finds_python_header=False)
    version = "{}.{}".format(*sys.version_info)
    assert_refused(
        check(machine), "Python.h", "/headers", f"apt install python{version}-dev", "python3-devel"
    )


def test_no_temporary_file_is_left(machine: Path, tmp_path: Path) -> None:
    add_python(machine)
    add_compiler(machine)
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    subprocess.run(
        [machine / "sh", CHECK, "python3"],
        env={"PATH": str(machine), "CC": "cc", "TMPDIR": str(scratch)},
        check=True,
    )
    assert list(scratch.iterdir()) == []
