"""The pages of the manual, read for what they claim: commands with their output, and Python.

CONTRIBUTING.md ("The manual") tells the conventions to those who write pages.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))]

PROMPT = "$ "
COLUMNS = 80
ANYTHING = "…"
"""Alone on a line of output it stands for any number of lines."""

FENCE = re.compile(r"(?P<indent> *)(?P<fence>`{3,}|~{3,}) *(?P<language>[\w-]*).*")
DIRECTIVE = re.compile(r"<!-- (?P<name>engine|columns|not run|only parsed): (?P<value>.+) -->")
TABLE_COMMAND = re.compile(r"`(perftkit [^`]+)`")
PLACEHOLDER = re.compile(r"(?<![\w])[A-Z]{2,}(?![\w-])|(?<![\w-])N(?![\w])|…|\[|\.\.\.")

CONSOLE, COMMANDS, PYTHON, DATA = "console", "commands", "python", "data"
KINDS = {"console": CONSOLE, "python": PYTHON, "pycon": PYTHON, "sh": COMMANDS}
"""Blocks by their language; the scripts of docs/ci.md (`bash`) are run by tests/ci."""

FIRST_WORDS = (
    "perftkit",
    "pytest",
    "make",
    "pip",
    "pipx",
    "python",
    "git",
    "printf",
    "mkdir",
    "eval",
)
FIRST_WORDS += ("./my-engine", ".venv/bin/perftkit", ".venv/bin/python")
"""What an indented block without prompts begins with when it is commands."""


@dataclass(frozen=True, slots=True)
class Command:
    """A command of a page.

    Attributes:
        text: As a shell reads it.
        line: Where it stands, counted from 1.
        output: The lines below it; None where no output is shown.
    """

    text: str
    line: int
    output: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Block:
    """A code block, or the commands of a table.

    Attributes:
        kind: What it is.
        line: Its first line's number.
        indent: How far all of its lines are indented.
        lines: Its lines without that.
        engine: The bug, and its side, of the engine that stands in as ./my-engine; "" for none.
        columns: How wide the terminal is.
        not_run: Why it is not run, if it says so.
        only_parsed: Why its commands are only parsed, if it says so.
    """

    kind: str
    line: int
    indent: int
    lines: tuple[str, ...]
    engine: str = ""
    columns: int = COLUMNS
    not_run: str = ""
    only_parsed: str = ""

    @property
    def commands(self) -> list[Command]:
        """Return the commands in it."""
        return list(_with_prompts(self) if self.kind == CONSOLE else _without_prompts(self))


@dataclass(slots=True)
class _Reader:
    """What is kept while the lines of a page go by."""

    engine: str = ""
    columns: int = COLUMNS
    next_block: dict[str, str] = field(default_factory=dict)

    def heed(self, name: str, value: str) -> None:
        if name == "engine":
            self.engine = "" if value == "healthy" else value
        elif name == "columns":
            self.columns = int(value)
        else:
            self.next_block[name.replace(" ", "_")] = value

    def block(self, kind: str, line: int, indent: int, lines: list[str]) -> Block:
        while lines and not lines[-1].strip():
            lines.pop()
        said, self.next_block = self.next_block, {}
        return Block(kind, line, indent, tuple(lines), self.engine, self.columns, **said)


def read_page(text: str) -> list[Block]:
    """Return the blocks of a page, in order."""
    return list(_blocks(text.splitlines(), _Reader()))


def _blocks(lines: list[str], reader: _Reader) -> Iterator[Block]:
    index, after_blank = 0, True
    while index < len(lines):
        line = lines[index]
        if found := FENCE.fullmatch(line):
            taken = _fenced(lines, index + 1, found)
            language = found["language"]
            kind = KINDS.get(language, DATA) if language else _kind_of(taken)
            yield reader.block(kind, index + 2, len(found["indent"]), taken)
            index += len(taken) + 2
        elif after_blank and line.startswith("    "):
            taken = _indented(lines, index)
            yield reader.block(_kind_of(taken), index + 1, 4, list(taken))
            index += len(taken)
        elif line.startswith("|") or line.lstrip().startswith("|"):
            taken = _table(lines, index)
            if commands := [row for row in taken if TABLE_COMMAND.search(row)]:
                yield reader.block(COMMANDS, index + 1, 0, list(taken if commands else ()))
            index += len(taken)
        else:
            if found := DIRECTIVE.fullmatch(line.strip()):
                reader.heed(found["name"], found["value"])
            index += 1
        after_blank = not lines[index - 1].strip()


def _fenced(lines: list[str], start: int, opening: re.Match[str]) -> list[str]:
    indent, fence = len(opening["indent"]), opening["fence"]
    taken = []
    for line in lines[start:]:
        if line.strip() == fence:
            return taken
        taken.append(line[indent:] if not line[:indent].strip() else line)
    raise ValueError(f"line {start}: the code block does not end")


def _indented(lines: list[str], start: int) -> list[str]:
    taken: list[str] = []
    for line in lines[start:]:
        if line.strip() and not line.startswith("    "):
            break
        taken.append(line[4:])
    while not taken[-1].strip():
        taken.pop()
    return taken


def _table(lines: list[str], start: int) -> list[str]:
    taken = []
    for line in lines[start:]:
        if not line.lstrip().startswith("|"):
            break
        taken.append(line)
    return taken


def _kind_of(lines: list[str]) -> str:
    first = next((line for line in lines if line.strip() and not line.startswith("#")), "")
    if any(line.startswith(PROMPT) for line in lines):
        return CONSOLE
    if first.startswith((">>> ", "from ", "import ")):
        return PYTHON
    words = [word for word in first.split() if not re.fullmatch(r"[A-Z_]+=.*", word)]
    return COMMANDS if words and words[0] in FIRST_WORDS else DATA


def _with_prompts(block: Block) -> Iterator[Command]:
    command: list[str] = []
    output: list[str] = []
    start = 0
    for number, line in enumerate(block.lines, block.line):
        if line.startswith(PROMPT):
            if command:
                yield _command(command, start, output)
            command, output, start = [line.removeprefix(PROMPT)], [], number
        elif not command:
            raise ValueError(f"line {number}: output without a command")
        elif not output and command[-1].endswith("\\"):
            command.append(line)
        else:
            output.append(line)
    yield _command(command, start, output)


def _command(command: list[str], line: int, output: list[str]) -> Command:
    while output and not output[-1].strip():
        output.pop()
    return Command("\n".join(command), line, tuple(output))


def _without_prompts(block: Block) -> Iterator[Command]:
    """Yield the lines of a block, or the whole commands in the cells of a table."""
    text: list[str] = []
    start = 0
    for number, line in enumerate(block.lines, block.line):
        if line.lstrip().startswith("|"):
            for command in TABLE_COMMAND.findall(line):
                if not has_placeholder(command):
                    yield Command(command.replace("\\|", "|"), number)
            continue
        if not line.strip() or (not text and line.startswith("#")):
            continue
        start = start if text else number
        text.append(line)
        if not line.endswith("\\"):
            yield Command("\n".join(text), start)
            text = []


def has_placeholder(command: str) -> bool:
    """Whether words such as FILE or N stand for something that the reader fills in."""
    return PLACEHOLDER.search(re.sub(r"\"[^\"]*\"|'[^']*'|\b[A-Z_]+=\S*", "", command)) is not None
