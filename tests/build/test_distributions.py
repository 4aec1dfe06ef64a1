"""tools/check_distributions.py, on archives that lack a file or hold one too many."""

from __future__ import annotations

import io
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FOLDERS = ("perftkit", "data", "tests", "docs", "tools")
MADE_BY_A_BUILD = {".c", ".so", ".pyd", ".html", ".pyc"}


def sources() -> set[str]:
    files = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*")]
    files += ROOT.glob("*")
    return {
        path.relative_to(ROOT).as_posix()
        for path in files
        if path.is_file() and path.suffix not in MADE_BY_A_BUILD
    }


def contents_of_wheel() -> set[str]:
    names = {name for name in sources() if name.startswith("perftkit/")}
    compiled = {name.replace(".pyx", ".abi.so") for name in names if name.endswith(".pyx")}
    data = {f"perftkit/{name}" for name in sources() if name.startswith("data/")}
    return names | compiled | data


def check(folder: Path, sdist: set[str], wheel: set[str]) -> subprocess.CompletedProcess[str]:
    with tarfile.open(folder / "perftkit-1.tar.gz", "w:gz") as archive:
        for name in sdist:
            archive.addfile(tarfile.TarInfo(f"perftkit-1/{name}"), io.BytesIO())
    with zipfile.ZipFile(folder / "perftkit-1-py3-none-any.whl", "w") as archive:
        for name in wheel:
            archive.writestr(name, "")
    return subprocess.run(
        [sys.executable, ROOT / "tools" / "check_distributions.py", folder],
        capture_output=True,
        text=True,
        check=False,
    )


def test_complete_archives_pass(tmp_path: Path) -> None:
    result = check(tmp_path, sources(), contents_of_wheel())
    assert (result.returncode, result.stderr) == (0, "")


@pytest.mark.parametrize(
    "name",
    [
        "perftkit/core/board.pyx",
        "perftkit/core/board.pxd",
        "perftkit/py.typed",
        "perftkit/report/html/page.css",
        "data/perft_positions.epd",
        "tests/build/test_distributions.py",
        "Makefile",
    ],
)
def test_an_sdist_that_lacks_a_file(tmp_path: Path, name: str) -> None:
    result = check(tmp_path, sources() - {name}, contents_of_wheel())
    assert result.returncode == 1
    assert result.stdout == f"the sdist lacks {name}\n"


@pytest.mark.parametrize(
    "name",
    [
        "perftkit/core/board.pxd",
        "perftkit/py.typed",
        "perftkit/report/html/page.js",
        "perftkit/data/perft_positions.epd",
    ],
)
def test_a_wheel_that_lacks_a_file(tmp_path: Path, name: str) -> None:
    result = check(tmp_path, sources(), contents_of_wheel() - {name})
    assert result.returncode == 1
    assert result.stdout == f"the wheel lacks {name}\n"


def test_a_wheel_that_lacks_a_compiled_module(tmp_path: Path) -> None:
    result = check(tmp_path, sources(), contents_of_wheel() - {"perftkit/core/board.abi.so"})
    assert result.returncode == 1
    assert result.stdout == "the wheel lacks the compiled perftkit/core/board\n"


def test_generated_c_is_in_neither(tmp_path: Path) -> None:
    generated = {"perftkit/core/board.c"}
    result = check(tmp_path, sources() | generated, contents_of_wheel() | generated)
    assert result.returncode == 1
    assert len(result.stdout.splitlines()) == 2
    assert result.stdout.count("perftkit/core/board.c") == 2
