"""Finding out what an engine speaks and how it has to be asked."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from perftkit.core.position import KIWIPETE, STARTPOS
from perftkit.engines import Question
from perftkit.engines.command import OPENINGS, CommandEngine, split_command
from perftkit.engines.dialogue import Manner
from perftkit.engines.process import EngineDiedError
from perftkit.engines.text import quoted
from perftkit.engines.uci import NotUciError, UciEngine
from perftkit.engines.xboard import XboardEngine
from perftkit.errors import EngineError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from perftkit.engines import PerftEngine
    from perftkit.engines.dialogue import DialogueEngine
    from perftkit.engines.parse import Output
    from perftkit.engines.settings import EngineSettings

__all__ = ["find_manner", "probed_engine"]

# What an engine prints beside a number that stood alone and was no count.
COMPLAINT = re.compile("unknown|illegal|invalid|unrecogni[sz]ed|error", re.IGNORECASE)
FEWEST = 20  # leaves of the start position at depth 2, if anything works

MOST_PACES = 8  # questions
QUICK = 0.003  # seconds below which a question is too easy to show anything
DEEPEST = 5

PATIENCE = 10.0  # seconds that a first, easy question may take

UCI_COUNTING = ("go perft {depth}", "perft {depth}", "divide {depth}", "splitperft {depth}")
XBOARD_COUNTING = ("perft {depth}", "divide {depth}", "go perft {depth}")
DIVIDING = (
    "divide {depth}",
    "perft divide {depth}",
    "splitperft {depth}",
    "split {depth}",
    "perft {depth} div",
)
WITH_FEN = ("perft {depth} {fen}", "divide {depth} {fen}", "split {depth} {fen}")
POSITION = ("d", "fen", "show", "print")
OTHERS = ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", KIWIPETE)


def probed_engine(command: str, settings: EngineSettings, spec: str) -> PerftEngine:
    """Return an engine of which only the command is known: UCI, xboard, or any program.

    Raises:
        SpecError: The command can't be read.
        EngineError: It can't be started, or nothing works; the message says what was tried.
    """
    split_command(command)
    uci = UciEngine(command, settings, spec)
    try:
        uci.start()
    except NotUciError as error:
        tried, ended = [f"UCI: {error}"], error.ended
    except BaseException:
        uci.close()
        raise
    else:
        uci.probe()
        return uci
    xboard = XboardEngine(command, settings, spec)
    try:
        xboard.probe()
        return xboard
    except NoPerftError:
        raise
    except _NothingUnderstoodError as error:
        tried.append(f"xboard: {error.first}")
        ended = False
    except EngineError as error:
        ended = ended and isinstance(error, EngineDiedError)
        tried.append(f"xboard: {error}")
    plain = CommandEngine(command, settings, spec)
    try:
        plain.probe()
        return plain
    except EngineError as error:
        if ended and isinstance(error, EngineDiedError):
            raise EngineError(
                f"{error}; it ends whatever it is asked: start it by hand, with the arguments that"
                " it needs, to see why"
            ) from None
        tried.append(f"as a command: {error}")
    raise EngineError(
        f"{quoted(command)} can't be talked to: is it a chess engine, and does it need arguments?"
        " Tried " + "; ".join(tried) + ". If it speaks a protocol, say so: uci:COMMAND or"
        " xboard:COMMAND, with --perft-command 'perft {depth}'; if it is a program that prints"
        " counts: 'cmd:COMMAND {depth} {fen}'"
    )


def find_manner(engine: DialogueEngine, settings: EngineSettings) -> Manner:
    """Find out how an engine has to be asked.

    Raises:
        EngineError: It has no perft, ignores the position, or can't be understood.
    """
    return _Probe(engine, settings).manner()


class NoPerftError(EngineError):
    """An engine that speaks a protocol has no perft."""


class _NothingUnderstoodError(EngineError):
    """A program that speaks no protocol that it told of printed no count.

    Attributes:
        first: What it said to the first command that was tried.
    """

    def __init__(self, message: str, first: str) -> None:
        self.first = first
        super().__init__(message)


class _Probe:
    """The questions that show what an engine can do."""

    def __init__(self, engine: DialogueEngine, settings: EngineSettings) -> None:
        self._engine = engine
        self._settings = settings
        self._tried: list[str] = []

    def manner(self) -> Manner:
        """Find it out."""
        self._engine.start()
        manner = self._counting()
        self._see_pace(manner)
        manner = self._dividing(manner)
        manner = self._placing(manner)
        manner = replace(manner, takes_moves=self._takes_moves(manner))
        return replace(manner, position_command=self._position_command(manner))

    def _counting(self) -> Manner:
        for command in self._commands():
            output = self._run(command, Question(STARTPOS, 2))
            if output is not None and (output.rows or output.total is not None):
                return _manner(command, output)
        if self._engine.introduced:
            raise NoPerftError(self._no_perft())
        raise _NothingUnderstoodError(self._no_perft(), self._tried[0])

    def _commands(self) -> tuple[str, ...]:
        if self._settings.perft_command is not None:
            return (self._settings.perft_command,)
        return UCI_COUNTING if self._engine.protocol == "UCI" else XBOARD_COUNTING

    def _see_pace(self, manner: Manner) -> None:
        """Ask for more, until it shows whether the engine counts beside or in turn."""
        depth = 2
        for _ in range(MOST_PACES):
            dialogue = self._engine.start()
            if dialogue.counts_in_turn or dialogue.counts_beside:
                return
            if self._run(manner.command, Question(STARTPOS, depth), manner) is None:
                return
            depth += dialogue.took < QUICK and depth < DEEPEST

    def _dividing(self, manner: Manner) -> Manner:
        """Look for a command that divides, if the one that was found does not."""
        if manner.divides or self._settings.perft_command is not None:
            return manner
        wanted = self._run(manner.command, Question(STARTPOS, 2), manner)
        for command in DIVIDING:
            if command == manner.command:
                continue
            output = self._run(command, Question(STARTPOS, 2))
            if output is None or not output.rows or wanted is None:
                continue
            if sum(row.nodes for row in output.rows) == wanted.total:
                return _manner(command, output)
        return manner

    def _placing(self, manner: Manner) -> Manner:
        """Make sure that the engine answers for the position that it is given."""
        other = self._mistaken(manner)
        if other is None:
            return manner
        if self._is_late(manner, other):
            raise EngineError(
                f"{self._engine.name} answers for the position before: given {other} it answered"
                " for the start position, and for this one only when asked again"
            )
        if self._settings.perft_command is None:
            for command in WITH_FEN:
                output = self._run(command, Question(STARTPOS, 2))
                if output is None or not (output.rows or output.total is not None):
                    continue
                found = _manner(command, output)
                if self._mistaken(found) is None:
                    return found
        asked = quoted(manner.command.replace("{depth}", "1"))
        raise EngineError(
            f"{self._engine.name} ignores the position: {asked} gives"
            f" the same at depth 1 for the start position and for {other}. If another command"
            " takes a FEN, give it: --perft-command 'perft {depth} {fen}'"
        )

    def _mistaken(self, manner: Manner) -> str | None:
        """Return a position for which it answers as for the start position, None without one.

        One that fails on a position may have a bug that is to be found: another one is tried.
        """
        first = self._run(manner.command, Question(STARTPOS, 1), manner)
        for fen in OTHERS:
            other = self._run(manner.command, Question(fen, 1), manner)
            if first is not None and other is not None:
                return fen if _same(first, other) else None
        return None

    def _is_late(self, manner: Manner, fen: str) -> bool:
        """Whether the second of two equal questions gets another answer than the first."""
        self._run(manner.command, Question(STARTPOS, 1), manner)
        once = self._run(manner.command, Question(fen, 1), manner)
        twice = self._run(manner.command, Question(fen, 1), manner)
        return once is not None and twice is not None and not _same(once, twice)

    def _takes_moves(self, manner: Manner) -> bool:
        if "{fen}" in manner.command:
            return False
        first = self._run(manner.command, Question(STARTPOS, 1), manner)
        if first is None:
            return False
        for moves in OPENINGS:
            played = self._run(manner.command, Question(STARTPOS, 1, moves), manner)
            if played is not None and not _same(first, played):
                return True
        return False

    def _position_command(self, manner: Manner) -> str | None:
        question = Question(STARTPOS, 1, OPENINGS[1] if manner.takes_moves else ())
        for command in POSITION:
            try:
                found = self._engine.start().printed_position(question, command, self._patience)
            except EngineError:
                self._engine.close()
                continue
            if found is not None and (not question.moves or found.split()[:2] != START[:2]):
                return command
        return None

    @property
    def _patience(self) -> float:
        return min(self._settings.timeout or PATIENCE, PATIENCE)

    def _run(self, command: str, question: Question, manner: Manner | None = None) -> Output | None:
        """Return what the engine prints, None if it failed; what happened is remembered."""
        asked = quoted(command.replace("{depth}", str(question.depth)))
        try:
            output, heard = self._engine.asked(
                lambda dialogue: (
                    dialogue.run(question, command, manner, self._patience),
                    tuple(dialogue.heard),
                )
            )
        except NotUciError:
            raise
        except EngineError as error:
            self._tried.append(f"{asked}: {error}")
            self._engine.end()
            return None
        if output.searches:
            self._tried.append(f"{asked} made it think about a move")
            self._engine.end()
            return None
        if output.is_bare and manner is None and self._is_noise(output, heard):
            output = replace(output, total=None, is_bare=False)
        if not output.rows and output.total is None:
            said = ", ".join(quoted(text) for text in heard)
            self._tried.append(f"{asked} was answered {said or 'with nothing'}")
        return output

    def _is_noise(self, output: Output, heard: Iterable[str]) -> bool:
        """Whether a number that stood alone can't be a count, if nobody asked for this command."""
        if self._settings.perft_command is not None:
            return False
        few = output.total is not None and output.total < FEWEST
        return few or any(COMPLAINT.search(text) for text in heard)

    def _no_perft(self) -> str:
        return (
            f"{self._engine.name} speaks {self._engine.protocol} but has no perft that can be"
            f" understood. Tried: {'; '.join(self._tried)}. If it has another command, give it:"
            " --perft-command 'perft {depth}'; if it prints counts in a form of its own, give"
            " --total-pattern or --divide-pattern"
        )


START = STARTPOS.split()


def _manner(command: str, output: Output) -> Manner:
    rows = sum(row.nodes for row in output.rows)
    trusted = not output.is_bare or not output.rows or output.total == rows
    return Manner(
        command,
        prints_total=output.total is not None and trusted,
        is_bare=output.is_bare and trusted,
        divides=bool(output.rows),
    )


def _same(one: Output, other: Output) -> bool:
    if one.rows and other.rows:
        return sorted(row.move for row in one.rows) == sorted(row.move for row in other.rows)
    return _sum(one) == _sum(other)


def _sum(output: Output | None) -> int | None:
    if output is None:
        return None
    return sum(row.nodes for row in output.rows) if output.rows else output.total
