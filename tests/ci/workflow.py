"""Runs jobs of GitHub workflows and the steps of composite actions, as far as ours need it.

`run:` steps run in bash with their `env:`; steps that use somebody else's action are noted with
what they are given; perftkit's own action is run. Expressions may have contexts, strings,
comparisons, && and ||, and the status functions; anything else is an error.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import yaml
from workbench import ROOT

if TYPE_CHECKING:
    import subprocess
    from pathlib import Path

    from workbench import Workbench

EXPRESSION = re.compile(r"\$\{\{\s*(.*?)\s*\}\}", re.DOTALL)
TOKEN = re.compile(
    r"\s*(?:(?P<string>'(?:[^']|'')*')|(?P<operator>==|!=|&&|\|\||\(|\))"
    r"|(?P<function>always|success|failure)\(\)|(?P<context>[A-Za-z_][\w-]*(?:\.[\w-]+)+))"
)
OPERATORS = {"&&": "and", "||": "or"}
OWN = re.compile(r"[\w-]+/perftkit@v[\d.]+")


@dataclass
class Used:
    """A step that uses an action: which, and what it is given."""

    action: str
    given: dict[str, str]


@dataclass
class Job:
    """What steps leave for later ones, and all that happened."""

    bench: Workbench
    contexts: dict[str, Any] = field(default_factory=dict)
    outputs: dict[str, dict[str, str]] = field(default_factory=dict)
    failed: bool = False
    used: list[Used] = field(default_factory=list)
    done: list[subprocess.CompletedProcess[str]] = field(default_factory=list)
    numbers: list[int] = field(default_factory=lambda: [0])

    @property
    def summary(self) -> str:
        files = sorted(self.bench.temporary.glob("summary-*"))
        return "".join(file.read_text() for file in files)

    @property
    def shown(self) -> str:
        return "".join(result.stdout + result.stderr for result in self.done)

    # --- expressions ------------------------------------------------------------------------------

    def evaluate(self, expression: str) -> Any:
        words, end = [], 0
        while end < len(expression.rstrip()):
            token = TOKEN.match(expression, end)
            assert token, f"an expression that the tests do not know: {expression!r} at {end}"
            words.append(self._word(token))
            end = token.end()
        return eval(" ".join(words), {"__builtins__": {}})

    def _word(self, token: re.Match[str]) -> str:
        if token["string"]:
            return repr(token["string"][1:-1].replace("''", "'"))
        if token["operator"]:
            return OPERATORS.get(token["operator"], token["operator"])
        if token["function"]:
            value = {"always": True, "success": not self.failed, "failure": self.failed}
            return repr(value[token["function"]])
        return repr(self._look_up(token["context"].split(".")))

    def _look_up(self, path: list[str]) -> str:
        if path[0] == "steps":
            assert path[2] == "outputs"
            return self.outputs.get(path[1], {}).get(path[3], "")
        found = self.contexts[path[0]]
        return str(found.get(path[1], "")) if path[0] != "inputs" else str(found[path[1]])

    def text(self, template: object) -> str:
        """Fill in the expressions of a value; YAML's true is the text `true`, as on GitHub."""
        if isinstance(template, bool):
            return str(template).lower()
        return EXPRESSION.sub(lambda found: str(self.evaluate(found[1])), str(template))

    # --- steps ------------------------------------------------------------------------------------

    def run(self, steps: list[dict[str, Any]]) -> int:
        """Run steps; return the exit status of the first that failed, 0 if none did."""
        first = 0
        for step in steps:
            condition = str(step.get("if", "success()"))
            inner = EXPRESSION.fullmatch(condition)
            condition = inner[1] if inner else condition
            if not re.search(r"\b(always|success|failure)\(\)", condition):
                condition = f"success() && ({condition})"
            if not self.evaluate(condition):
                continue
            status = self._run_step(step)
            if status and step.get("continue-on-error"):
                continue
            self.failed = self.failed or status != 0
            first = first or status
        return first

    def _run_step(self, step: dict[str, Any]) -> int:
        if "uses" in step:
            return self._use(step)
        assert not EXPRESSION.search(step["run"]), "an expression in a script is an injection"
        files = {
            name: self._new_file(stem)
            for name, stem in {
                "GITHUB_OUTPUT": "output",
                "GITHUB_STEP_SUMMARY": "summary",
                "GITHUB_ENV": "env",
                "GITHUB_PATH": "path",
            }.items()
        }
        given = {name: self.text(value) for name, value in step.get("env", {}).items()}
        action_path = self.contexts.get("github", {}).get("action_path")
        variables = {
            **{name: str(path) for name, path in files.items()},
            **({"GITHUB_ACTION_PATH": action_path} if action_path else {}),
            "GITHUB_ACTIONS": "true",
            "CI": "true",
            "RUNNER_TEMP": str(self.bench.temporary),
            "RUNNER_OS": "Linux",
            **given,
        }
        folder = self.bench.folder / self.text(step.get("working-directory", "."))
        result = self.bench.bash(step["run"], folder=folder, **variables)
        self.done.append(result)
        written = files["GITHUB_OUTPUT"].read_text().splitlines()
        if "id" in step:
            self.outputs[step["id"]] = dict(line.split("=", 1) for line in written)
        return result.returncode

    def _new_file(self, stem: str) -> Path:
        self.numbers[0] += 1
        path = self.bench.temporary / f"{stem}-{self.numbers[0]:03d}"
        path.touch()
        return path

    def _use(self, step: dict[str, Any]) -> int:
        given = {name: self.text(value) for name, value in step.get("with", {}).items()}
        self.used.append(Used(step["uses"], given))
        if OWN.fullmatch(step["uses"]):
            return self._use_own(step, given)
        if step["uses"].startswith("actions/setup-python@") and "id" in step:
            self.outputs[step["id"]] = {"python-path": str(self.bench.programs / "python")}
        return 0

    def _use_own(self, step: dict[str, Any], given: dict[str, str]) -> int:
        action = read_action()
        unknown = set(given) - set(action["inputs"])
        assert not unknown, f"the action has no such inputs: {unknown}"
        inner = Job(
            self.bench,
            {
                "inputs": {
                    name: given.get(name, input.get("default", ""))
                    for name, input in action["inputs"].items()
                },
                "github": {"action_path": str(ROOT)},
            },
            used=self.used,
            done=self.done,
            numbers=self.numbers,
        )
        status = inner.run(action["runs"]["steps"])
        if "id" in step:
            self.outputs[step["id"]] = {
                name: inner.text(output["value"]) for name, output in action["outputs"].items()
            }
        return status


def read_action() -> dict[str, Any]:
    found = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    assert isinstance(found, dict)
    return found
