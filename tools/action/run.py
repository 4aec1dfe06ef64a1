"""The step of the GitHub Action that checks the engine; see action.yml for what the inputs mean.

Takes the inputs from the variables INPUT_*, runs `perftkit run` with reports in a new folder below
RUNNER_TEMP, writes the outputs to the file that GITHUB_OUTPUT names, and ends with perftkit's own
exit status. It is Python rather than shell because it runs on Windows too, where a shell would
rewrite arguments that look like paths. No shell sees an input.
"""

from __future__ import annotations

import contextlib
import glob
import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

BAD_INPUT = 2
# The inputs that are options of the same name.
VALUES = ("engine", "depth", "budget", "max-nodes", "timeout", "jobs")
REPORTS = {"junit": "perft.xml", "html": "perft.html", "json": "perft.json"}


class InputError(Exception):
    """An input that makes no sense."""


def value_of(inputs: Mapping[str, str], name: str) -> str:
    return inputs.get("INPUT_" + name.upper().replace("-", "_"), "").strip()


def is_set(inputs: Mapping[str, str], name: str) -> bool:
    value = value_of(inputs, name).lower() or "false"
    if value not in ("true", "false"):
        raise InputError(f"{name} must be true or false, not {value!r}")
    return value == "true"


def further_options(inputs: Mapping[str, str]) -> list[str]:
    try:
        return shlex.split(value_of(inputs, "args"))
    except ValueError as error:
        raise InputError(f"args can't be split into words: {str(error).lower()}") from None


def suites(inputs: Mapping[str, str]) -> Iterator[str]:
    """Yield the suites: lines if there are several or the only one is ended, else words."""
    text = inputs.get("INPUT_SUITE", "").strip(" ")
    words = text.splitlines() if "\n" in text else text.split()
    for word in filter(None, map(str.strip, words)):
        yield from sorted(glob.glob(word)) or [word]  # noqa: PTH207  (absolute patterns too)


def command(inputs: Mapping[str, str], reports: Mapping[str, str]) -> list[str]:
    """Return the words of the command, without the program.

    Options and values are one word (`--engine=…`), so that no value is taken for an option.

    Raises:
        InputError: An input makes no sense by itself; perftkit judges all others.
    """
    given = {name: value_of(inputs, name) for name in VALUES}
    if not given["engine"]:
        raise InputError("engine names no engine")
    words = [f"--{name}={value}" for name, value in given.items() if value]
    words += ["--chess960"] if is_set(inputs, "chess960") else []
    # Said either way: reports in HTML would be explained without being asked.
    words += ["--explain" if is_set(inputs, "explain") else "--no-explain"]
    words += [f"--report={format}={path}" for format, path in reports.items()]
    return ["run", *words, "--report=github", *further_options(inputs), "--", *suites(inputs)]


def program() -> str:
    """Return the perftkit that was installed for this Python, or else the one in PATH."""
    found = shutil.which("perftkit", path=sysconfig.get_path("scripts")) or shutil.which("perftkit")
    if found is None:
        sys.exit("perftkit is not installed")
    return found


def run(words: list[str]) -> int:
    """Run a command, hand on what asks it to end, and return its exit status.

    It gets a session of its own, since it takes being asked twice for impatience, and writes no
    reports then. On Windows the console asks it by itself.
    """
    with subprocess.Popen(words, start_new_session=True) as child:

        def hand_on(number: int, _: object) -> None:
            if os.name == "posix":
                child.send_signal(number)

        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, hand_on)
        return child.wait()


def counted(report: str) -> dict[str, str]:
    """Return how many counts differ and how many failed, by the JSON report; nothing if none is."""
    with contextlib.suppress(OSError, ValueError, KeyError):
        summary = json.loads(Path(report).read_text(encoding="utf-8"))["summary"]
        return {"mismatches": str(summary["mismatch"]), "errors": str(summary["error"])}
    return {}


def write_outputs(**outputs: str) -> None:
    with Path(os.environ["GITHUB_OUTPUT"]).open("a", encoding="utf-8", newline="\n") as file:
        file.writelines(f"{name}={value}\n" for name, value in outputs.items())


def main() -> int:
    folder = Path(tempfile.mkdtemp(prefix="perftkit-", dir=os.environ.get("RUNNER_TEMP")))
    reports = {format: str(folder / name) for format, name in REPORTS.items()}
    try:
        words = command(os.environ, reports)
    except InputError as error:
        print(f"::error title=perftkit::{error}", flush=True)
        write_outputs(status=str(BAD_INPUT))
        return BAD_INPUT
    # Before the run: what was written is kept even if the job is cancelled.
    write_outputs(folder=str(folder), **reports)
    status = run([program(), *words])
    write_outputs(status=str(status), **counted(reports["json"]))
    return status


if __name__ == "__main__":
    sys.exit(main())
