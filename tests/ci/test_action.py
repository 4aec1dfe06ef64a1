"""action.yml and tools/action/run.py: what they say, and what they do with any input."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import subprocess
import time
from typing import TYPE_CHECKING

import pytest
from workbench import BUG, ROOT, add_program, missing_programs, workbench
from workflow import EXPRESSION, Job, read_action

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from workbench import Workbench

pytestmark = [
    pytest.mark.skipif(os.name == "nt", reason="the tests' engine is a shell script"),
    pytest.mark.skipif(bool(missing_programs()), reason=f"lacks {missing_programs()}"),
]

ACTION = read_action()
STEPS = ACTION["runs"]["steps"]
SUMMARY = {"summary": {"mismatch": 3, "error": 1}}

# Notes the words that it is called with, and ends with a status of the test's choice.
DIARY = """\
#!/bin/sh
exec "{python}" - "{diary}" {status} "$@" <<'END'
import json, pathlib, sys
diary, status, *words = sys.argv[1:]
pathlib.Path(diary).write_text(json.dumps(words))
for word in words:
    if word.startswith("--report=json=") and status != "2":
        pathlib.Path(word.removeprefix("--report=json=")).write_text('{summary}')
sys.exit(int(status))
END
"""


@pytest.fixture
def bench(tmp_path: Path) -> Workbench:
    return workbench(tmp_path)


class Action:
    """The action with a perftkit that only keeps a diary."""

    def __init__(self, bench: Workbench, status: int = 0) -> None:
        self.bench = bench
        self.job = Job(bench)
        self.diary = bench.temporary / "diary"
        # In the folder of the Python that runs the step, where the action looks first.
        values = {"diary": self.diary, "python": "python3", "summary": json.dumps(SUMMARY)}
        add_program(bench.programs / "perftkit", DIARY.format(status=status, **values))

    def use(self, **inputs: object) -> int:
        given = {name.replace("_", "-"): value for name, value in inputs.items()}
        return self.job.run([{"uses": "OWNER/perftkit@v1", "id": "own", "with": given}])

    @property
    def words(self) -> list[str]:
        """The words that perftkit got, but for those about reports."""
        words = json.loads(self.diary.read_text())
        return [word for word in words if not word.startswith("--report=")]

    @property
    def outputs(self) -> dict[str, str]:
        return self.job.outputs["own"]


@pytest.fixture
def action(bench: Workbench) -> Action:
    return Action(bench)


# --- the file -------------------------------------------------------------------------------------


def test_every_input_and_output_is_described() -> None:
    assert {"name", "description", "inputs", "outputs", "runs"} <= set(ACTION)
    assert ACTION["runs"]["using"] == "composite"
    for name, input in ACTION["inputs"].items():
        assert input["description"].strip().endswith((".", '"*castling*"')), name
        assert isinstance(input.get("default", ""), str), name
        assert input.get("required", False) != ("default" in input), name
    for name, output in ACTION["outputs"].items():
        assert output["description"].strip().endswith("."), name


def test_every_input_is_used_and_no_other() -> None:
    used = set(re.findall(r"inputs\.([\w-]+)", json.dumps(STEPS)))
    assert used == set(ACTION["inputs"])


def test_no_expression_is_inside_a_script() -> None:
    scripts = [step["run"] for step in STEPS if "run" in step]
    assert len(scripts) == 2
    assert not any(EXPRESSION.search(script) for script in scripts)
    assert all(step["shell"] == "bash" for step in STEPS if "run" in step)


def test_the_variables_of_the_step_are_those_that_the_script_reads() -> None:
    (step,) = [step for step in STEPS if step.get("id") == "run"]
    given = {name for name in step["env"] if name.startswith("INPUT_")}
    script = (ROOT / "tools" / "action" / "run.py").read_text(encoding="utf-8")
    for name in given:
        short = name.removeprefix("INPUT_").lower().replace("_", "-")
        assert f'"{short}"' in script or f'"{name}"' in script, name
        assert step["env"][name] == f"${{{{ inputs.{short} }}}}"


def test_actions_of_others_are_pinned_to_a_major_version() -> None:
    used = [step["uses"] for step in STEPS if "uses" in step]
    assert used
    assert all(re.fullmatch(r"actions/[\w-]+@v\d+", action) for action in used)


def test_the_default_python_is_one_that_perftkit_supports() -> None:
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    least = re.search(r'requires-python = ">=3\.(\d+)"', text)
    assert least
    assert int(ACTION["inputs"]["python-version"]["default"].split(".")[1]) >= int(least[1])


# --- what perftkit is called with -----------------------------------------------------------------


def test_defaults(action: Action) -> None:
    assert action.use(engine="./my-engine") == 0
    assert action.words == ["run", "--engine=./my-engine", "--explain", "--"]


def test_everything_is_passed_on(action: Action) -> None:
    status = action.use(
        engine="uci:./my-engine --uci",
        suite="suite.epd chess960_hard",
        depth=6,
        budget="30s",
        max_nodes=1000,
        chess960=True,
        timeout="10s",
        jobs=2,
        explain=False,
        args="""--baseline "old one.json" --id '*castling*'""",
    )
    assert status == 0
    assert action.words == [
        "run",
        "--engine=uci:./my-engine --uci",
        "--depth=6",
        "--budget=30s",
        "--max-nodes=1000",
        "--timeout=10s",
        "--jobs=2",
        "--chess960",
        "--no-explain",
        "--baseline",
        "old one.json",
        "--id",
        "*castling*",
        "--",
        "suite.epd",
        "chess960_hard",
    ]


@pytest.mark.parametrize(
    "engine",
    [
        "./my engine --name 'a b' \"c\"",
        "$(touch pwned)",
        "`touch pwned`",
        "; touch pwned #",
        "'; touch pwned; '",
        '"; touch pwned; "',
        "--output=pwned",
        "-o pwned",
        "a\n::set-output name=status::0\ntouch pwned",
        "cmd:./perft.sh {depth} {fen} {moves}",
        "%PATH% $HOME ${IFS} !! * ~ \\",
        "♞ --café",
    ],
)
@pytest.mark.parametrize("input", ["engine", "depth", "suite", "args", "budget"])
def test_hostile_text_is_only_text(action: Action, engine: str, input: str) -> None:
    inputs = {"engine": "./my-engine", input: engine}
    status = action.use(**inputs)
    assert not list(action.bench.folder.glob("**/pwned"))
    if input == "args":
        try:
            words = shlex.split(engine)
        except ValueError:
            assert status == 2
            assert not action.diary.exists()
            return
        assert action.words[3:-1] == words
    elif input == "suite":
        words = engine.splitlines() if "\n" in engine else engine.split()
        after = action.words[action.words.index("--") + 1 :]
        # `*` is a glob, which the folder's files match.
        assert [word for word in words if word != "*"] == [word for word in after if word in words]
        assert action.words[: action.words.index("--")][1] == "--engine=./my-engine"
    else:
        assert f"--{input}={engine}" in action.words
    assert status == 0
    assert action.outputs["status"] == "0"


def test_suites_are_words_or_lines_and_globs(action: Action) -> None:
    for name in ("a.epd", "b.epd", "two words.epd"):
        (action.bench.folder / name).write_text("")
    for text, expected in {
        "a.epd  b.epd": ["a.epd", "b.epd"],
        "two words.epd\n": ["two words.epd"],
        "two words.epd\nwiki_convention\n": ["two words.epd", "wiki_convention"],
        "*.epd": ["a.epd", "b.epd", "suite.epd", "two words.epd"],
        "none-*.epd": ["none-*.epd"],
        " \n ": [],
    }.items():
        assert action.use(engine="x", suite=text) == 0
        assert action.words[action.words.index("--") + 1 :] == expected, text


def test_a_working_directory(action: Action) -> None:
    folder = action.bench.folder / "the engine"
    folder.mkdir()
    (folder / "mine.epd").write_text("")
    assert action.use(engine="./x", suite="*.epd", working_directory="the engine") == 0
    assert action.words[-1] == "mine.epd"


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ({"engine": " "}, "engine names no engine"),
        ({"engine": "x", "chess960": "maybe"}, "chess960 must be true or false, not 'maybe'"),
        ({"engine": "x", "explain": "1"}, "explain must be true or false, not '1'"),
        (
            {"engine": "x", "args": "--id 'x"},
            "args can't be split into words: no closing quotation",
        ),
    ],
)
def test_an_input_that_makes_no_sense(action: Action, inputs: dict[str, str], message: str) -> None:
    assert action.use(**inputs) == 2
    assert f"::error title=perftkit::{message}\n" in action.job.shown
    assert "Traceback" not in action.job.shown
    assert action.outputs["status"] == "2"
    assert not action.diary.exists()
    assert not [used for used in action.job.used if "upload-artifact" in used.action]


# --- what comes out -------------------------------------------------------------------------------


@pytest.mark.parametrize("status", [0, 1, 2, 3, 130])
def test_the_status_is_perftkits_own_and_the_reports_are_kept(
    bench: Workbench, status: int
) -> None:
    action = Action(bench, status)
    assert action.use(engine="./my-engine", report="kept") == status
    (upload,) = [used for used in action.job.used if "upload-artifact" in used.action]
    assert upload.given["name"] == "kept"
    assert upload.given["path"] == action.outputs["folder"]
    counted = (
        {"mismatches": "3", "errors": "1"} if status != 2 else {"mismatches": "", "errors": ""}
    )
    for name, value in {"status": str(status), **counted}.items():
        assert action.outputs[name] == value
    for name, file in {"junit": "perft.xml", "html": "perft.html", "json": "perft.json"}.items():
        assert action.outputs[name] == f"{action.outputs['folder']}/{file}"
        words = json.loads(action.diary.read_text())
        assert f"--report={name}={action.outputs[name]}" in words


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_cancelled_job_keeps_what_was_finished(bench: Workbench, number: signal.Signals) -> None:
    bench.bash("make my-engine")
    step = next(step for step in STEPS if step.get("id") == "run")
    script = bench.temporary / "step.sh"
    script.write_text(step["run"])
    environment = bench.environment(
        PYTHON=str(bench.programs / "python"),
        GITHUB_ACTION_PATH=str(ROOT),
        GITHUB_OUTPUT=str(bench.temporary / "output"),
        RUNNER_TEMP=str(bench.temporary),
        INPUT_ENGINE="./my-engine",
        INPUT_DEPTH="4",
        PERFTKIT_RUN_ID="position-*",
        PERFTKIT_RUN_MAX_NODES="100000000",
    )
    process = subprocess.Popen(["bash", "-e", script], cwd=bench.folder, env=environment)
    try:
        _wait_for(lambda: list(bench.temporary.glob("perftkit-*/.perft.json.*")))
        time.sleep(1)
        process.send_signal(number)  # to the first process alone, as GitHub's runner does
        assert process.wait(30) == 128 + number
    finally:
        process.kill()
    (folder,) = bench.temporary.glob("perftkit-*")
    assert {file.name for file in folder.iterdir()} == {"perft.xml", "perft.html", "perft.json"}
    document = json.loads((folder / "perft.json").read_text())
    assert document["summary"]["stopped"] == "interrupted"
    assert f"status={128 + number}\n" in (bench.temporary / "output").read_text()


def _wait_for(is_there: Callable[[], object]) -> None:
    deadline = time.monotonic() + 30
    while not is_there():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_no_artifact_if_none_is_wanted(action: Action) -> None:
    assert action.use(engine="./my-engine", report="") == 0
    assert not [used for used in action.job.used if "upload-artifact" in used.action]


def test_two_uses_in_a_job_keep_their_reports_apart(action: Action) -> None:
    folders = set()
    for name in ("one", "two"):
        assert action.use(engine="./my-engine", report=name) == 0
        folders.add(action.outputs["folder"])
    assert len(folders) == 2


# --- the installation -----------------------------------------------------------------------------

PIP = "-m pip install --quiet --disable-pip-version-check"


def test_the_action_installs_itself_apart(action: Action) -> None:
    assert action.use(engine="./my-engine") == 0
    assert action.bench.noted() == [f"{PIP} {ROOT}"]
    assert (action.bench.temporary / "perftkit-python" / "bin" / "python").exists()
    setup = action.job.used[1]
    assert setup.action.startswith("actions/setup-python@")
    assert setup.given["update-environment"] == "false"


def test_another_version_for_the_python_that_is_there(action: Action) -> None:
    assert action.use(engine="./my-engine", install="perftkit==0.1.0", python_version="") == 0
    assert action.bench.noted() == [f"{PIP} perftkit==0.1.0"]
    assert not (action.bench.temporary / "perftkit-python").exists()
    assert not [used for used in action.job.used if "setup-python" in used.action]


def test_a_failed_installation_fails_the_action(action: Action) -> None:
    add_program(action.bench.programs / "python", "#!/bin/sh\nexit 9\n")
    assert action.use(engine="./my-engine") == 9
    assert not action.diary.exists()


# --- with perftkit itself -------------------------------------------------------------------------


@pytest.mark.parametrize(("bug", "status"), [("none", 0), (BUG, 1)])
def test_an_engine_whose_name_has_spaces_and_quotes(tmp_path: Path, bug: str, status: int) -> None:
    bench = workbench(tmp_path, bug=bug)
    folder = bench.folder / "my 'own' $(touch pwned)"
    folder.mkdir()
    add_program(folder / "the engine", (bench.folder / "engine.sh").read_text())
    job = Job(bench)
    spec = shlex.quote("./my 'own' $(touch pwned)/the engine")
    step = {"uses": "OWNER/perftkit@v1", "id": "own", "with": {"engine": spec}}
    assert job.run([step]) == status, job.shown
    assert not list(bench.folder.glob("**/pwned"))
    assert (job.outputs["own"]["mismatches"] != "0") == (bug != "none")


def test_an_engine_that_is_not_there(bench: Workbench) -> None:
    job = Job(bench)
    step = {"uses": "OWNER/perftkit@v1", "with": {"engine": "./none\n::error::injected"}}
    assert job.run([step]) == 3
    assert not re.search(r"^::error::injected", job.shown, re.MULTILINE)
