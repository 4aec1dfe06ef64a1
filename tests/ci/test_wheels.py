"""The configuration of the wheels, and what .ci/run has in common with it."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
WHEELS = PROJECT["tool"]["cibuildwheel"]
CI = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
PYTHONS = ["cp310", "cp311", "cp312", "cp313", "cp314", "cp314t"]


def test_the_pythons_are_those_that_are_promised() -> None:
    assert [pattern.removesuffix("-*") for pattern in WHEELS["build"]] == PYTHONS
    classifiers = "\n".join(PROJECT["project"]["classifiers"])
    minors = re.findall(r"Python :: 3\.(\d+)$", classifiers, re.MULTILINE)
    assert {f"cp3{minor}" for minor in minors} == set(PYTHONS) - {"cp314t"}
    assert PROJECT["project"]["requires-python"] == ">=3.10"


def test_the_table_of_the_docs_names_them_for_each_platform() -> None:
    """tools/check_wheels.py compares it with what cibuildwheel itself says; this needs no tool."""
    page = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")
    rows = re.findall(
        r"^\| (Linux|macOS|Windows) (x86-64|arm64) \|.*\| (.*) \|$", page, re.MULTILINE
    )
    assert len(rows) == 6
    for _, _, pythons in rows:
        assert ["cp3" + word.removeprefix("3.") for word in pythons.split(", ")] == PYTHONS


def test_ci_tests_the_wheel_as_every_wheel_is_tested() -> None:
    command = WHEELS["test-command"]
    assert command == "python {project}/tools/check_installed.py"
    assert f'"$scratch/clean/bin/python" {command.removeprefix("python {project}/")}\n' in CI
    installed = re.search(r"perftkit-\*\.whl \\\n\s+(.*)\n", CI)
    assert installed
    assert re.findall(r'"(.*?)"', installed[1]) == WHEELS["test-requires"]


def test_each_platform_of_the_table_has_a_runner() -> None:
    text = (ROOT / ".github" / "workflows" / "wheels.yml").read_text(encoding="utf-8")
    jobs = yaml.safe_load(text)["jobs"]
    names = [row["name"] for row in jobs["wheels"]["strategy"]["matrix"]["include"]]
    systems = ("linux", "macos", "windows")
    assert sorted(names) == sorted(
        f"{name}-{cpu}" for name in systems for cpu in ("x86-64", "arm64")
    )


def test_only_publishing_may_prove_who_it_is() -> None:
    for path in (ROOT / ".github" / "workflows").glob("*.yml"):
        workflow = yaml.safe_load(path.read_text(encoding="utf-8"))
        assert workflow["permissions"] == {"contents": "read"}
        for name, job in workflow["jobs"].items():
            assert job.get("permissions", {}) == (
                {"id-token": "write"} if name == "publish" else {}
            )
            for step in job["steps"]:
                assert "${{" not in step.get("run", ""), "an expression in a script is an injection"


def test_the_source_is_no_installation(tmp_path: Path) -> None:
    """The check ends where perftkit, as for the tests here, comes from the source's own folder."""
    done = subprocess.run(
        [sys.executable, ROOT / "tools" / "check_installed.py"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 1
    assert re.search("is not installed|no command perftkit", done.stderr)


def test_cibuildwheel_agrees() -> None:
    pytest.importorskip("cibuildwheel")
    done = subprocess.run(
        [sys.executable, ROOT / "tools" / "check_wheels.py"],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, "")
