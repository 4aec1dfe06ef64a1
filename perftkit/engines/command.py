"""Any program as an engine: one run a question."""

from __future__ import annotations

import os
import shlex
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from perftkit.core.position import KIWIPETE, STARTPOS
from perftkit.engines import Abilities, Answer, Question
from perftkit.engines.answers import answer_from, asked_position, by_fen, moves_from_deeper
from perftkit.engines.notation import style_of
from perftkit.engines.parse import Output, OutputParser
from perftkit.engines.process import EngineDiedError, EngineProcess
from perftkit.engines.text import printable, quoted
from perftkit.errors import EngineError, SpecError

if TYPE_CHECKING:
    from perftkit.engines.settings import EngineSettings

__all__ = ["OPENINGS", "CommandEngine", "has_placeholders", "split_command"]

# After each the side that began has other moves; the second and third are for engines with bugs.
OPENINGS = (("e2e4", "e7e5"), ("g1f3", "g8f6"), ("e2e3", "e7e6"))
PLACEHOLDERS = ("{depth}", "{fen}", "{moves}")


class CommandEngine:
    """A program that is given depth, FEN and moves as arguments and prints its answer.

    Moves are given as one argument, separated by spaces; without any, an argument that is only
    ``{moves}`` is left out, and so is the third of those that are appended.

    Attributes:
        divides_leaves: Whether it was not yet seen to divide only from depth 2 on.
        notation: How it writes moves, once it was asked what it can do.
    """

    protocol = "command"

    def __init__(
        self,
        command: str,
        settings: EngineSettings,
        spec: str,
        *,
        like: CommandEngine | None = None,
    ) -> None:
        """Take a command line apart; nothing is run yet.

        Args:
            command: The program and its arguments.
            settings: How it is to be run.
            spec: The text that names it on a command line.
            like: An engine of the same command, whose findings hold for this one too.

        Raises:
            SpecError: It is empty or a quote is not closed.
        """
        self._settings = settings
        self._spec = spec
        words = split_command(command)
        if not has_placeholders(command):
            words = [*words, *PLACEHOLDERS]
        if not any("{fen}" in word for word in words):
            raise SpecError(f"the command {quoted(command)} has no {{fen}}")
        if not any("{depth}" in word for word in words):
            raise SpecError(f"the command {quoted(command)} has no {{depth}}")
        self._words = words
        self._name = printable(Path(words[0]).name)
        self._wants_moves = any("{moves}" in word for word in words)
        self._abilities: Abilities | None = like._abilities if like else None
        self.divides_leaves = True
        self.notation: tuple[str, ...] = ()
        self._process: EngineProcess | None = None
        self._last_words: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The program's name."""
        return self._name

    @property
    def spec(self) -> str:
        """The text that names it on a command line."""
        return self._spec

    @property
    def command(self) -> str:
        """The command line with its placeholders."""
        return shlex.join(self._words)

    @property
    def abilities(self) -> Abilities:
        """What it can do; it is run a few times for that, once."""
        if self._abilities is None:
            self._abilities = self._probed()
        return self._abilities

    def probe(self) -> None:
        """Find out what it can do, if that is not known.

        Raises:
            EngineError: It can't be run, or prints nothing that can be understood.
        """
        if self._abilities is None:
            self._abilities = self._probed()

    def ask(self, question: Question) -> Answer:
        """Return what the program prints for a question.

        Raises:
            EngineError: It can't be run, fails, prints nothing that can be understood, or is late.
        """
        abilities = self.abilities
        if not abilities.takes_moves:
            question = by_fen(question)
        position = asked_position(question)
        start = time.perf_counter()
        output = self._run(question)
        if question.depth == 1 and abilities.divides and not output.rows and output.total:
            self.divides_leaves = False
            deeper = self._run(_deeper(question))
            seconds = time.perf_counter() - start
            return self._checked(moves_from_deeper(deeper, output, position, seconds=seconds))
        seconds = time.perf_counter() - start
        answer = self._checked(answer_from(output, position, seconds=seconds))
        if answer.children is None and answer.nodes == 0 and abilities.divides:
            return Answer(0, {}, total=0, seconds=seconds)
        return answer

    def position_after(self, question: Question) -> str | None:
        """Return None: a program that is run once a question has no position."""
        return None

    def close(self) -> None:
        """End the program if it runs."""
        process, self._process = self._process, None
        if process is not None:
            process.close()

    def arguments(self, question: Question) -> list[str]:
        """Return the words that a question is run with."""
        moves = " ".join(question.moves)
        filled = {"{depth}": str(question.depth), "{fen}": question.fen, "{moves}": moves}
        words = []
        for word in self._words:
            if word == "{moves}" and not moves:
                continue
            words.append(_filled(word, filled))
        return words

    def _probed(self) -> Abilities:
        start = self._tried(Question(STARTPOS, 2))
        other = self._tried(Question(KIWIPETE, 1))
        first = self._tried(Question(STARTPOS, 1))
        self.notation = tuple(dict.fromkeys(style_of(row.move) for row in other.rows))
        if _same(first, other):
            raise EngineError(
                f"{self._name} ignores the position: it answers {_sum(first)} at depth 1 for the"
                f" start position and for {KIWIPETE} as well (run as {quoted(self.command)})"
            )
        return Abilities(
            divides=bool(start.rows),
            takes_moves=self._wants_moves and self._plays_moves(first),
        )

    def _plays_moves(self, first: Output) -> bool:
        for moves in OPENINGS:
            try:
                played = self._run(Question(STARTPOS, 1, moves))
            except EngineError:
                continue
            if _sum(played) is not None and not _same(first, played):
                return True
        return False

    def _tried(self, question: Question) -> Output:
        output = self._run(question)
        if output.total is None and not output.rows:
            raise EngineError(self._not_understood())
        return output

    def _checked(self, answer: Answer | None) -> Answer:
        if answer is None:
            raise EngineError(self._not_understood())
        return answer

    def _not_understood(self) -> str:
        said = ", ".join(quoted(text) for text in self._last_words) or "nothing"
        return (
            f"{self._name} printed no count of leaves (run as {quoted(self.command)});"
            f" it printed {said}. A line 'Nodes: 400' or lines 'e2e4 20' are understood; others"
            " with --total-pattern or --divide-pattern"
        )

    def _run(self, question: Question) -> Output:
        limit = self._settings.timeout
        deadline = None if limit is None else time.monotonic() + limit
        parser = OutputParser(
            question.depth,
            divide_pattern=self._settings.divide_regex,
            total_pattern=self._settings.total_regex,
        )
        self._process = process = EngineProcess(
            self.arguments(question),
            name=self._name,
            folder=self._settings.folder,
            environment=self._settings.environment,
        )
        process.limit = limit
        process.asked = f"depth {question.depth} of {question.fen}"
        try:
            process.end_input()
            return self._read(process, parser, deadline)
        finally:
            self._last_words = process.last_words()
            self.close()

    def _read(self, process: EngineProcess, parser: OutputParser, deadline: float | None) -> Output:
        try:
            while line := process.next_line(deadline):
                parser.feed(line.text)
        except EngineDiedError:
            output = parser.result()
            status = process.exit_status()
            # A script's status is that of its last command, which may be a grep.
            if status == 0 or (status is not None and status > 0 and parser.has_total):
                return output
            raise
        raise AssertionError("a program without a time of silence ends or is late")


def has_placeholders(command: str) -> bool:
    """Whether a command says where depth, FEN or moves go."""
    return any(name in command for name in PLACEHOLDERS)


def split_command(command: str) -> list[str]:
    """Return the words of a command, as a shell would see them; no shell is run.

    Raises:
        SpecError: There are none, or a quote is not closed.
    """
    try:
        words = shlex.split(command, posix=os.name == "posix")
    except ValueError as error:
        raise SpecError(
            f"the command {quoted(command)} can't be read: {error}; close it, or leave it out"
        ) from None
    if not words or not words[0]:
        raise SpecError("the command of the engine is empty; it is a program and its arguments")
    if "\0" in command:
        raise SpecError("the command of the engine has a NUL character")
    return words


def _filled(word: str, filled: dict[str, str]) -> str:
    for name, text in filled.items():
        word = word.replace(name, text)
    return word


def _deeper(question: Question) -> Question:
    return replace(question, depth=question.depth + 1)


def _same(one: Output, other: Output) -> bool:
    if one.rows or other.rows:
        return sorted(row.move for row in one.rows) == sorted(row.move for row in other.rows)
    return one.total == other.total


def _sum(output: Output) -> int | None:
    return sum(row.nodes for row in output.rows) if output.rows else output.total
