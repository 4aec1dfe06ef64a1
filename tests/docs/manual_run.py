"""Running what a page of the manual shows, in a scratch folder, and comparing."""

from __future__ import annotations

import contextlib
import doctest
import io
import os
import re
import shlex
import subprocess
import sys
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING

import click
from manual import ANYTHING, COMMANDS, CONSOLE, PYTHON, ROOT, Block, Command

from perftkit.cli.app import app

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

LONGEST = 120  # seconds that a command may take

NOT_RUN = {
    "make": ".ci/run runs make's targets",
    "pip": "it would install perftkit into the environment of the tests",
    "pipx": "it would install perftkit for the user",
    "git": "it would change the repository",
    ".venv/bin/python": "there is no .venv in a scratch folder",
    ".venv/bin/perftkit": "there is no .venv in a scratch folder",
}
"""Programs that are not run, and why."""

ONLY_PARSED = {"bench": "it takes up to minutes; tests/cli/test_bench.py runs it"}
"""Commands of perftkit that are only parsed, and why."""

MODULES = os.pathsep.join([str(ROOT), str(ROOT / "tests")])
"""Where the programs find perftkit and the planted bugs."""

ENTRY_POINT = "import sys; sys.argv[0] = 'perftkit'; from perftkit.cli import main; main()"
"""What the installed command does."""

PYTEST = "-m pytest -p perftkit.pytest_plugin --rootdir=."
"""What the installed command does, where other plugins are not loaded by themselves."""

UNSTABLE = (
    (re.compile(r" *\b\d+\.\d+ s\b"), " T s"),
    (re.compile(r"\b[\d.,]+ [kMG]?n/s"), "N n/s"),
    (re.compile(r'"(seconds|nps)": [\d.e+-]+'), r'"\1": T'),
    (re.compile(r"\bStockfish \d+(\.\d+)*\b"), "Stockfish V"),
    (re.compile(r"\bperftkit \d+\.\d+\.\d+\S*"), "perftkit V"),
    (re.compile(r'"perftkit": "[^"]+"'), '"perftkit": "V"'),
)
"""What differs from run to run: times, speeds, versions."""

STAND_INS = {
    "my-positions.epd": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20 ;D2 400\n",
    "commands.txt": "uci\nposition startpos\ngo perft 3\nquit\n",
}
STAND_INS |= dict.fromkeys(("my_suite.epd", "my.epd", "one.epd"), STAND_INS["my-positions.epd"])
STAND_INS["two.epd"] = "8/8/8/8/k7/8/8/4K3 w - - 0 1 ;D1 5\n"
"""Files that every page may speak of as the reader's own."""

PROGRAMS = ("my-engine", "perft.sh", "target/release/my-engine")
"""The reader's engine, by the names that the pages give it."""


@dataclass(slots=True)
class Problem:
    """What is wrong with a page, and what would be right where that is known."""

    line: int
    message: str
    output: tuple[str, ...] | None = None
    command: Command | None = None


@dataclass(slots=True)
class Scratch:
    """The folder that the blocks of one page share."""

    folder: Path
    names: dict[str, object] = field(default_factory=dict)
    status: int = 0
    skipped: set[str] = field(default_factory=set)
    absent: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        for name, text in STAND_INS.items():
            (self.folder / name).write_text(text, encoding="utf-8")
        programs = self.folder / ".programs"
        programs.mkdir()
        self._program(programs / "perftkit", f"-c {shlex.quote(ENTRY_POINT)}")
        self._program(programs / "python", "")
        self._program(programs / "pytest", PYTEST)
        self.set_engine("")

    def _program(self, path: Path, arguments: str) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        python, modules = shlex.quote(sys.executable), shlex.quote(MODULES)
        text = f'#!/bin/sh\nPYTHONPATH={modules} exec {python} {arguments} "$@"\n'
        path.write_text(text, encoding="utf-8")
        path.chmod(0o755)

    def set_engine(self, bug: str) -> None:
        """Make ./my-engine and its other names have a bug."""
        script = shlex.quote(str(Path(__file__).with_name("manual_engine.py")))
        for name in PROGRAMS:
            self._program(self.folder / name, f"{script} {shlex.quote(bug)}")

    def environment(self, columns: int) -> dict[str, str]:
        """Return the variables: nothing of the user's that perftkit or a shell would heed."""
        kept = ("LANG", "LC_ALL", "SYSTEMROOT", "TMPDIR")
        path = os.pathsep.join([str(self.folder / ".programs"), os.environ["PATH"]])
        return {name: os.environ[name] for name in kept if name in os.environ} | {
            "COLUMNS": str(columns),
            "HOME": str(self.folder),
            "PATH": path,
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
            "PYTHONUTF8": "1",
        }

    def run(self, block: Block) -> Iterator[Problem]:
        """Run a block; yield what is wrong with it."""
        if block.not_run:
            return
        self.set_engine(block.engine)
        if block.kind == PYTHON:
            yield from self._run_python(block)
        elif block.kind in (CONSOLE, COMMANDS):
            commands = block.commands
            for command, following in zip_longest(commands, commands[1:]):
                yield from self._run_command(block, command, following)

    def _run_command(
        self, block: Block, command: Command, following: Command | None
    ) -> Iterator[Problem]:
        words = command.text.split()
        if words[0] in NOT_RUN:
            return
        if missing := self.absent.intersection(re.findall(r"[\w-]+", command.text)):
            self.skipped |= missing
            return
        if len(words) == 2 and words[0] == "cat" and command.output:
            text = "\n".join(command.output) + "\n"
            path = self.folder / words[1]
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
            return
        if problem := parse(command.text):
            yield Problem(command.line, problem)
            return
        if block.only_parsed or any(name in words[1:2] for name in ONLY_PARSED):
            return
        status, lines = self._shell(command.text, block.columns)
        wanted = following is not None and following.text == "echo $?"
        if status not in (0, 1) and not wanted:
            message = f"the exit status is {status}, which the page does not show"
            yield Problem(command.line, "\n".join([message, *lines]))
        elif command.output is not None and not agrees(command.output, lines):
            message = difference(command.output, lines)
            yield Problem(command.line, message, updated(command.output, lines), command)

    def _shell(self, text: str, columns: int) -> tuple[int, list[str]]:
        try:
            done = subprocess.run(
                ["bash", "-c", f"(exit {self.status})\n{text}"],
                cwd=self.folder,
                env=self.environment(columns),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                encoding="utf-8",
                timeout=LONGEST,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return 124, [f"it takes more than {LONGEST} s"]
        self.status = done.returncode
        shown = done.stdout.replace(str(self.folder), ".")
        return done.returncode, [line.rstrip() for line in shown.rstrip().splitlines()]

    def _run_python(self, block: Block) -> Iterator[Problem]:
        """Run a session, with what it shows compared, or plain code."""
        text = "\n".join(block.lines) + "\n"
        before = set(sys.modules)
        sys.path.insert(0, str(self.folder))
        try:
            with _inside(self.folder):
                yield from self._python(block, text)
        finally:
            sys.path.remove(str(self.folder))
            for name in set(sys.modules) - before:
                if (self.folder / f"{name}.py").exists():
                    del sys.modules[name]

    def _python(self, block: Block, text: str) -> Iterator[Problem]:
        if ">>> " not in text:
            try:
                code = compile("\n" * (block.line - 1) + text, f"line {block.line}", "exec")
                with contextlib.redirect_stdout(io.StringIO()):
                    exec(code, self.names)
            except Exception as error:
                yield Problem(block.line, f"{type(error).__name__}: {error}")
            return
        test = doctest.DocTestParser().get_doctest(text, self.names, "page", None, block.line - 1)
        found = io.StringIO()
        runner = doctest.DocTestRunner(
            verbose=False, optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
        )
        runner.run(test, out=found.write, clear_globs=False)
        self.names.update(test.globs)
        if runner.failures:
            yield Problem(block.line, found.getvalue())


@contextlib.contextmanager
def _inside(folder: Path) -> Iterator[None]:
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


def parse(text: str) -> str:
    """Return what is wrong with the words of perftkit's commands in a line; "" if nothing is."""
    for words in _simple_commands(text):
        try:
            _resolve(app, words)
        except click.ClickException as error:
            return f"perftkit {shlex.join(words)}: {error.format_message()}"
    return ""


def _simple_commands(text: str) -> Iterator[list[str]]:
    """Yield the words after `perftkit` of each simple command of a line that runs it."""
    lexer = shlex.shlex(text.replace("\\\n", " "), posix=True, punctuation_chars="|&;<>")
    lexer.whitespace_split = True
    words: list[str] = []
    redirected = False
    for word in [*lexer, ";"]:
        if set(word) <= set("<>") and word:
            redirected = True
        elif set(word) <= set("|&;") and word:
            while words and re.fullmatch(r"\w+=.*", words[0]):
                del words[0]
            if words[:1] == ["perftkit"]:
                yield words[1:]
            words, redirected = [], False
        elif not redirected:
            words.append(word)


def _resolve(command: click.Command, words: Sequence[str]) -> None:
    """Parse the words of a command as click would, down to the last subcommand."""
    if not isinstance(command, click.Group):
        for word in words:
            name = word.partition("=")[0]
            if word.startswith("--") and len(word) > 2:
                _check_option(command, name)
        return
    rest = [word for word in words if not word.startswith("-")]
    if not rest:
        for word in words:
            _check_option(command, word)
        return
    context = click.Context(command, info_name=command.name)
    name, found, _ = command.resolve_command(context, rest)
    assert found is not None, name
    _resolve(found, words[words.index(rest[0]) + 1 :])


def _check_option(command: click.Command, name: str) -> None:
    known = {"--help", "-h"}
    for parameter in command.params:
        known.update(parameter.opts, parameter.secondary_opts)
    if name not in known:
        raise click.NoSuchOption(name, possibilities=sorted(known))


def stable(line: str) -> str:
    """Return a line without what differs from run to run."""
    for pattern, instead in UNSTABLE:
        line = pattern.sub(instead, line)
    return line.rstrip()


def agrees(expected: Sequence[str], found: Sequence[str]) -> bool:
    """Whether an output is what a page shows."""
    wanted = [stable(line) for line in expected]
    lines = [stable(line) for line in found]
    segments = _segments(wanted)
    if len(segments) == 1:
        return segments[0] == lines
    first, *middle, last = segments
    if len(first) + len(last) > len(lines) or lines[: len(first)] != first:
        return False
    if last and lines[-len(last) :] != last:
        return False
    rest = lines[len(first) : len(lines) - len(last)]
    for segment in middle:
        at = _position(segment, rest)
        if at is None:
            return False
        rest = rest[at + len(segment) :]
    return True


def _segments(lines: Sequence[str]) -> list[list[str]]:
    segments: list[list[str]] = [[]]
    for line in lines:
        if line.strip() == ANYTHING:
            segments.append([])
        else:
            segments[-1].append(line)
    return segments


def _position(segment: list[str], lines: list[str]) -> int | None:
    for at in range(len(lines) - len(segment) + 1):
        if lines[at : at + len(segment)] == segment:
            return at
    return None


def difference(expected: Sequence[str], found: Sequence[str]) -> str:
    """Return both, for a person."""
    return "\n".join(["the page has", *expected, "", "and now it is", *found])


def updated(expected: Sequence[str], found: Sequence[str]) -> tuple[str, ...] | None:
    """Return what the page should have, cut as it is now; None where that can't be told."""
    segments = _segments(expected)
    if len(segments) == 1:
        return tuple(found)
    if len(segments) > 2 or sum(map(len, segments)) >= len(found):
        return None
    first, last = segments
    ellipsis = next(line for line in expected if line.strip() == ANYTHING)
    return (*found[: len(first)], ellipsis, *found[len(found) - len(last) :])


def rewritten(text: str, problems: Sequence[Problem], blocks: Sequence[Block]) -> str:
    """Return a page with the outputs that are known to be right."""
    lines = text.splitlines()
    for problem in reversed(problems):
        if problem.output is None or problem.command is None or problem.command.output is None:
            continue
        start = problem.line + problem.command.text.count("\n")
        block = [block for block in blocks if block.line <= problem.line][-1]
        end = start + len(problem.command.output)
        lines[start:end] = [(" " * block.indent + line).rstrip() for line in problem.output]
    return "\n".join(lines) + "\n"
