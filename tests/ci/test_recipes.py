"""The recipes of docs/ci.md, each run as it is printed, with a sound engine and a wrong one."""

from __future__ import annotations

import json
import os
import re
import shlex
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import pytest
import yaml
from workbench import BUG, ROOT, missing_programs, workbench
from workflow import Job, read_action

if TYPE_CHECKING:
    from pathlib import Path

    from workbench import Workbench

pytestmark = [
    pytest.mark.skipif(os.name == "nt", reason="recipes are for bash"),
    pytest.mark.skipif(bool(missing_programs()), reason=f"lacks {missing_programs()}"),
]

PAGE = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
STATUS = {"none": 0, BUG: 1}
engines = pytest.mark.parametrize("bug", STATUS)


def blocks(language: str, beginning: str = "") -> list[str]:
    """Return the page's blocks in a language, those that begin like this."""
    return [text for name, text in BLOCKS if name == language and text.startswith(beginning)]


def shell(command: str) -> str:
    """Return the one block of commands that has this line."""
    (found,) = [text for text in blocks("bash") if command in text.splitlines()]
    return found


def workflow_steps(text: str) -> list[dict[str, Any]]:
    (job,) = yaml.safe_load(text)["jobs"].values()
    assert isinstance(job["steps"], list)
    return job["steps"]


@pytest.fixture
def bench(tmp_path: Path, bug: str) -> Workbench:
    return workbench(tmp_path, bug=bug)


def assert_junit(path: Path, bug: str) -> None:
    """Assert that failures are in the report exactly when there is a bug."""
    tree = ElementTree.parse(path)
    assert tree.findall(".//testcase")
    assert bool(tree.findall(".//failure")) == (bug != "none")


def assert_html(path: Path) -> None:
    assert "</html>" in path.read_text(encoding="utf-8").lower()


def test_every_block_of_the_page_is_run_by_a_test() -> None:
    # markdown: a badge, which is GitHub's own.
    counts = {name: len(blocks(name)) for name, _ in BLOCKS}
    assert counts == {"yaml": 5, "bash": 8, "markdown": 1}
    assert len(blocks("yaml", "# .github/workflows/")) == 3


@engines
def test_github_with_the_action(bench: Workbench, bug: str) -> None:
    text, _ = [text for text in blocks("yaml", "# .github/") if "OWNER/perftkit@" in text]
    job = Job(bench)
    assert job.run(workflow_steps(text)) == STATUS[bug], job.shown
    (upload,) = [used for used in job.used if used.action.startswith("actions/upload-artifact@")]
    assert upload.given["name"] == "perftkit-report"
    folder = bench.temporary / upload.given["path"]
    assert {path.name for path in folder.iterdir()} == {"perft.xml", "perft.html", "perft.json"}
    assert_junit(folder / "perft.xml", bug)
    assert_html(folder / "perft.html")
    assert ("::error" in job.shown) == (bug != "none")
    assert "|" in job.summary
    assert bench.noted() == [f"-m pip install --quiet --disable-pip-version-check {ROOT}"]


@engines
def test_github_with_the_action_and_its_outputs(bench: Workbench, bug: str) -> None:
    _, text = [text for text in blocks("yaml", "# .github/") if "OWNER/perftkit@" in text]
    job = Job(bench)
    assert job.run(workflow_steps(text)) == 0, job.shown
    said = job.done[-1].stdout
    (report,) = bench.temporary.glob("*/perft.json")
    differing = json.loads(report.read_text())["summary"]["mismatch"]
    assert (differing > 0) == (bug != "none")
    assert said == f"{differing} counts differ, exit status {STATUS[bug]}\n"
    (upload,) = [used for used in job.used if used.action.startswith("actions/upload-artifact@")]
    assert upload.given["name"] == "perft of this commit"


@engines
def test_github_without_the_action(bench: Workbench, bug: str) -> None:
    (text,) = [text for text in blocks("yaml", "# .github/") if "OWNER/perftkit@" not in text]
    job = Job(bench)
    assert job.run(workflow_steps(text)) == STATUS[bug], job.shown
    upload = job.used[-1]
    for name in upload.given["path"].split():
        assert (bench.folder / name).is_file()
    assert_junit(bench.folder / "perft.xml", bug)
    assert_html(bench.folder / "perft.html")
    assert ("::error" in job.shown) == (bug != "none")
    assert "|" in job.summary
    assert bench.noted() == ["-m pip install perftkit"]


@engines
def test_gitlab(bench: Workbench, bug: str) -> None:
    (text,) = blocks("yaml", "# .gitlab-ci.yml")
    (job,) = yaml.safe_load(text).values()
    result = bench.bash("\n".join(job["script"]))
    assert result.returncode == STATUS[bug], result.stderr
    assert job["artifacts"]["when"] == "always"
    assert_junit(bench.folder / job["artifacts"]["reports"]["junit"], bug)
    for name in job["artifacts"]["paths"]:
        assert_html(bench.folder / name)
    assert bench.noted() == ["-m pip install perftkit"]


@engines
def test_any_shell(bench: Workbench, bug: str) -> None:
    (script,) = list(blocks("bash", "#!/usr/bin/env bash"))
    (bench.folder / "perft.sh").write_text(script)
    result = bench.bash("bash perft.sh")
    assert result.returncode == STATUS[bug], result.stderr
    said = {"none": "perft: everything agrees", BUG: "perft: the move generator is wrong"}
    assert said[bug] in result.stdout.splitlines()[-1]
    assert_junit(bench.folder / "perft.xml", bug)
    assert_html(bench.folder / "perft.html")


@pytest.mark.parametrize(
    ("program", "status", "says"),
    [
        ("#!/bin/sh\nexit 7\n", 3, "perft: the engine crashed"),
        ("#!/bin/sh\nkill -INT $PPID; sleep 60\n", 130, "perft: interrupted"),
    ],
    ids=["crashes", "interrupts"],
)
@pytest.mark.parametrize("bug", ["none"])
def test_any_shell_where_the_engine_fails(
    bench: Workbench, program: str, status: int, says: str
) -> None:
    (script,) = list(blocks("bash", "#!/usr/bin/env bash"))
    (bench.folder / "perft.sh").write_text(script)
    (bench.folder / "engine.sh").write_text(program)
    result = bench.bash("bash perft.sh")
    assert result.returncode == status, result.stderr
    assert says in result.stdout.splitlines()[-1]


@pytest.mark.parametrize("bug", ["none"])
def test_any_shell_where_an_option_is_wrong(bench: Workbench) -> None:
    (script,) = list(blocks("bash", "#!/usr/bin/env bash"))
    (bench.folder / "perft.sh").write_text(script.replace("--depth 4", "--depth four"))
    result = bench.bash("bash perft.sh")
    assert result.returncode == 2
    assert "perft: an option or a row of the suite" in result.stdout


@engines
def test_pre_commit(bench: Workbench, bug: str) -> None:
    (text,) = blocks("yaml", "# .pre-commit-config.yaml")
    (repository,) = yaml.safe_load(text)["repos"]
    manifest = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    hooks = {hook["id"]: hook for hook in manifest}
    bench.bash("make my-engine")
    statuses = {}
    for wanted in repository["hooks"]:
        hook = hooks[wanted["id"]]
        files = ["suite.epd"] if hook.get("pass_filenames", True) else []
        words = [*shlex.split(hook["entry"]), *wanted.get("args", []), *files]
        statuses[wanted["id"]] = bench.bash(shlex.join(words)).returncode
    assert statuses == {"perftkit-suite-lint": 0, "perftkit-run": STATUS[bug]}


@engines
def test_pytest(bench: Workbench, bug: str) -> None:
    bench.bash("make my-engine")
    fen = "8/8/8/2k5/2pP4/8/B7/4K3 b - d3 0 3"  # 8 moves, by python-chess
    (bench.folder / "suite.epd").write_text(f"{fen} ;D1 8\n")
    result = bench.bash(shell("pytest --perft-engine ./my-engine suite.epd"))
    assert result.returncode == STATUS[bug], result.stdout + result.stderr
    assert ("1 passed" if bug == "none" else "1 failed") in result.stdout


@engines
@pytest.mark.parametrize(
    "command",
    [
        "perftkit run --engine ./my-engine --budget 30s",
        "perftkit run --engine ./my-engine --budget 60s --jobs 2",
        "perftkit run --engine ./my-engine --depth 6 --budget 2h --jobs 4 --timeout 20m"
        " --report html=perft.html",
    ],
)
def test_limits(bench: Workbench, bug: str, command: str) -> None:
    bench.bash("make my-engine")
    for line in shell(command).splitlines():
        result = bench.bash(line)
        assert result.returncode == STATUS[bug], result.stdout + result.stderr
    if "html=" in command:
        assert_html(bench.folder / "perft.html")


@pytest.mark.parametrize("bug", ["none"])
def test_baseline(bench: Workbench) -> None:
    """The release was right; a bug came after it."""
    bench.bash("make my-engine")
    lines = shell("perftkit run --engine ./my-engine --depth 3 --baseline release.json")
    release, build, compare = lines.splitlines()
    assert bench.bash(release).returncode == 0
    program = bench.folder / "engine.sh"
    program.write_text(program.read_text().replace('"none"', f'"{BUG}"'))
    assert bench.bash(f"rm my-engine; {build}").returncode == 0
    result = bench.bash(compare)
    assert result.returncode == 1, result.stderr
    assert "new" in result.stdout + result.stderr


@engines
def test_instead_of_a_script(bench: Workbench, bug: str) -> None:
    """The script and the suite that is made of it judge alike."""
    bench.bash("make my-engine")
    (script,) = list(blocks("bash", "#!/bin/bash\n"))
    (bench.folder / "perft.sh").write_text(script)
    assert bench.bash("bash perft.sh ./my-engine").returncode == STATUS[bug]
    convert, lint, run = shell("perftkit suite lint perft.epd --verify 1000000").splitlines()
    assert bench.bash(convert).returncode == 0
    assert len((bench.folder / "perft.epd").read_text().splitlines()) == 3
    assert bench.bash(lint).returncode == 0
    limits = {"PERFTKIT_RUN_ID": "*", "PERFTKIT_RUN_MAX_NODES": "10000"}
    result = bench.bash(run, **limits)
    assert result.returncode == STATUS[bug], result.stdout
    # The published tables: 1 of Kiwipete's 2039 and 2 of the 2812 are en passant, none of the 8902.
    assert ("3 ok" if bug == "none" else "1 ok, 2 differ") in result.stdout


def test_the_table_of_inputs_is_that_of_the_action() -> None:
    table = dict(re.findall(r"^\| `([\w-]+)` \| .* \| (.*) \|$", PAGE, re.MULTILINE))
    defaults = {
        name: "required" if input["required"] else input.get("default", "")
        for name, input in (
            (name, {"required": False, **input}) for name, input in read_action()["inputs"].items()
        )
    }
    assert set(table) == set(defaults)
    for name, default in defaults.items():
        if default:
            assert table[name] == {".": "the workspace"}.get(default, default), name
    outputs = re.search(r"Its outputs are (.*?)\(paths\)", PAGE, re.DOTALL)
    assert outputs
    assert set(re.findall(r"`([\w-]+)`", outputs[1])) == set(read_action()["outputs"])


def test_the_versions_on_the_page_are_this_one() -> None:
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    version = re.search(r'^version = "(.*)"$', text, re.MULTILINE)
    assert version
    named = re.findall(r"(?:perftkit@v|rev: v|perftkit==)([\d.]+\d)", PAGE)
    assert len(named) == 4
    assert set(named) == {version[1]}
