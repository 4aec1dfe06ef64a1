"""Engines that are started once and talked to: what UCI and xboard have in common."""

from __future__ import annotations

import contextlib
import re
import time
from abc import ABC, abstractmethod
from collections import deque
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from perftkit.core.perft import perft
from perftkit.core.position import KIWIPETE, STARTPOS, Position
from perftkit.engines import Abilities, Answer, Question
from perftkit.engines.answers import answer_from, asked_position, by_fen, moves_from_deeper
from perftkit.engines.command import split_command
from perftkit.engines.notation import style_of
from perftkit.engines.parse import Output, OutputParser
from perftkit.engines.process import EngineDiedError, EngineProcess, Line
from perftkit.engines.text import printable, quoted
from perftkit.errors import EngineError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from perftkit.engines.settings import EngineSettings

_Result = TypeVar("_Result")

__all__ = ["Dialogue", "DialogueEngine", "Findings", "Manner", "Marker", "StaleAnswerError"]

GREETING = 10.0  # seconds that an engine has to introduce itself; some read large files first
NUDGE = 0.2  # seconds of silence after which an empty line may help
SHORT_NUDGE = 0.01  # the same for an engine that was seen to need one
GRACE = 0.5  # seconds of silence that are an end where nothing else says so
LONG_GRACE = 1.0  # the same for an engine that can't say when it is ready
SHORT_GRACE = 0.05  # the same for an engine that is known to do one thing after the other
PROOF = 0.001  # seconds of counting after which an engine that counts beside would be noticed
PROOFS = 3  # times; a busy machine may delay what it says meanwhile, but not every time
SYNC = 10.0  # seconds that an idle engine has to say that it is there
MOST_CHECKED = 4  # plies of a total that are counted to see of which position it is
HEARD = 3  # lines of an answer that a message quotes

FEN = re.compile(
    r"(?<![\w/])[1-8rnbqkpRNBQKP]{1,8}(?:/[1-8rnbqkpRNBQKP]{1,8}){7} [wb]"
    r" (?:-|[A-HKQa-hkq]{1,4}) (?:-|[a-h][36])(?: \d{1,5} \d{1,5})?"
)
NO_ANSWER = ("position ", "setboard ", "info ", "debug")
PROMOTIONS = "8/P6k/8/8/8/8/8/4K3 w - - 0 1"


class StaleAnswerError(EngineError):
    """The engine answered for another position than the one that it was given as a FEN.

    Attributes:
        fen: The position that it was given.
        same_as: The FEN of the position for which the answer would be right.
        answer: What it answered.
    """

    def __init__(self, message: str, *, fen: str, same_as: str, answer: Answer) -> None:
        self.fen = fen
        self.same_as = same_as
        self.answer = answer
        super().__init__(message)


class _EndedBeforeError(EngineDiedError):
    """The engine ended by itself before it was asked."""


class Marker(NamedTuple):
    """A line that an engine answers at once, and the answer."""

    line: str
    reply: str


@dataclass(frozen=True, slots=True)
class Manner:
    """How an engine has to be asked, and what can be expected.

    Attributes:
        command: What makes it count, with ``{depth}`` and perhaps ``{fen}``.
        prints_total: Whether a total ends its answer.
        is_bare: Whether that is a number alone in a line.
        divides: Whether it prints the leaves under each move.
        takes_moves: Whether it plays moves from a root position.
        position_command: What makes it print its position, None if nothing does.
    """

    command: str
    prints_total: bool = True
    is_bare: bool = False
    divides: bool = True
    takes_moves: bool = True
    position_command: str | None = None


@dataclass(frozen=True, slots=True)
class Findings:
    """What is known about an engine, for people.

    Attributes:
        spec: What it was opened with.
        name: What it calls itself.
        protocol: ``UCI``, ``xboard``, ``command`` or ``python``.
        command: What makes it count; None where that is a call.
        abilities: What it can do.
        divides_leaves: Whether it divides at depth 1 too; else the moves are those of depth 2.
        notation: How it writes moves, from what it printed for a few positions.
        position_command: What makes it print its position, None if nothing does.
    """

    spec: str
    name: str
    protocol: str
    command: str | None
    abilities: Abilities
    divides_leaves: bool
    notation: tuple[str, ...]
    position_command: str | None


class Dialogue(ABC):
    """A running engine and its protocol.

    Attributes:
        title: What it calls itself, None if it did not say.
        heard: The last lines of its last answer.
        counts_beside: Whether it was seen to answer other commands while it counts.
        took: Seconds until its last answer was complete.
    """

    protocol: str
    farewell = "quit"

    def __init__(self, argv: Sequence[str], name: str, settings: EngineSettings) -> None:
        """Start the engine and wait until it has introduced itself.

        Raises:
            EngineError: It can't be started, or does not speak the protocol.
        """
        self.title: str | None = None
        self.heard: deque[str] = deque(maxlen=HEARD)
        self.counts_beside = False
        self.took = 0.0
        self._settings = settings
        self._proofs = 0
        self._nudge_after = NUDGE
        self.process = EngineProcess(
            argv, name=name, folder=settings.folder, environment=settings.environment
        )
        try:
            self._greet()
        except BaseException:
            self.process.close()
            raise

    @property
    def counts_in_turn(self) -> bool:
        """Whether it was seen several times to do nothing else while it counts."""
        return self._proofs >= PROOFS and not self.counts_beside

    @property
    @abstractmethod
    def chess960(self) -> bool:
        """Whether it knows Chess960."""

    @abstractmethod
    def _greet(self) -> None:
        """Introduce ourselves and read what it says about itself."""

    @abstractmethod
    def _placing(self, question: Question) -> list[str]:
        """Return the lines that set up the position of a question."""

    @abstractmethod
    def _marker(self) -> Marker | None:
        """Return a line that is answered when everything before it is done."""

    def close(self) -> None:
        """End the engine."""
        self.process.close(self.farewell)

    def run(
        self, question: Question, command: str, manner: Manner | None, timeout: float | None
    ) -> Output:
        """Ask a question.

        Args:
            question: What is asked.
            command: What makes the engine count, with placeholders.
            manner: What can be expected; None while that is being found out.
            timeout: Seconds.

        Raises:
            EngineError: It ended, was late, or refused the position.
        """
        filled = _filled(command, question)
        start = self._begin(question, filled, timeout)
        parser = OutputParser(
            question.depth,
            divide_pattern=self._settings.divide_regex,
            total_pattern=self._settings.total_regex,
        )
        marker = self._marker()
        lines = [*self._placing(question), filled]
        self.process.send(*lines, *((marker.line,) if marker else ()))
        self._read_answer(parser, manner, marker, start, timeout)
        for line in self.process.pending():
            if marker is None or not _ends(line, marker.reply):
                self._hear(line, parser)
        if manner is not None:
            self._check_refusal()
        return parser.result()

    def printed_position(
        self, question: Question, command: str, timeout: float | None
    ) -> str | None:
        """Return the FEN that a command prints after a question's moves, None without one.

        Raises:
            EngineError: It ended or was late.
        """
        start = self._begin(question, command, timeout)
        marker = self._marker()
        self.process.send(*self._placing(question), command, *((marker.line,) if marker else ()))
        deadline = None if timeout is None else start + timeout
        found = None
        while line := self.process.next_line(deadline, GRACE):
            text = " ".join(line.text.split())
            self.heard.append(text)
            if marker is not None and text.endswith(marker.reply):
                break
            if not text.startswith(NO_ANSWER) and (match := FEN.search(text)):
                found = match[0]
                if marker is None:
                    break
        return found

    def _begin(self, question: Question, command: str, timeout: float | None) -> float:
        """Make sure that nothing said before is taken for an answer, and return the time."""
        process = self.process
        try:
            process.discard()
            process.asked = f"{quoted(command)} ({_about(question)})"
            process.limit = SYNC if timeout is None else min(SYNC, timeout)
            if marker := self._marker():
                process.send(marker.line)
                self._await(marker.reply, process.limit)
                process.discard()
        except EngineDiedError as error:
            if process.exit_status() == 0:
                raise _EndedBeforeError(str(error)) from None
            raise
        process.limit = timeout
        self.heard.clear()
        return time.monotonic()

    def _await(self, reply: str, timeout: float) -> None:
        deadline = time.monotonic() + timeout
        idle: float | None = min(self._nudge_after, timeout)
        while True:
            line = self.process.next_line(deadline, idle)
            if line is None:
                if any(_ends(unended, reply) for unended in self.process.unfinished()):
                    self._nudge_after = SHORT_NUDGE
                    return
                self.process.send("")
                idle = None
            elif _ends(line, reply):
                if idle is None:
                    self._nudge_after = SHORT_NUDGE
                return

    def _read_answer(
        self,
        parser: OutputParser,
        manner: Manner | None,
        marker: Marker | None,
        start: float,
        timeout: float | None,
    ) -> None:
        deadline = None if timeout is None else start + timeout
        is_ready = marker is None
        rows_then = 0
        ready_first = nudged = False
        while not (is_ready and _is_whole(parser, manner, in_turn=self.counts_in_turn)):
            line = self.process.next_line(
                deadline, self._patience(manner, marker, is_ready=is_ready, nudged=nudged)
            )
            if line is None:
                if is_ready and (nudged or self.counts_in_turn):
                    break
                is_ready = self._nudge(parser, marker) or is_ready
                nudged = True
            elif marker is not None and not line.is_error and _ends(line, marker.reply):
                is_ready = True
                rows_then = parser.rows
                ready_first = not _has_total(parser, manner)
                self._proofs += not ready_first and time.monotonic() - start >= PROOF
            else:
                self._hear(line, parser)
                if manner is None and parser.searches:
                    return
        self.took = time.monotonic() - start
        if ready_first and (_has_total(parser, manner) or parser.rows > rows_then):
            self.counts_beside = True
        elif ready_first and parser.rows:
            self._proofs += 1

    def _patience(
        self, manner: Manner | None, marker: Marker | None, *, is_ready: bool, nudged: bool
    ) -> float | None:
        """Return after how many seconds of silence something is to be done; None for never."""
        if is_ready and self.counts_in_turn:
            return SHORT_GRACE
        if not nudged:
            return self._nudge_after
        if not is_ready:
            return None
        if marker is None or self.counts_beside:
            # Its total says when it is done, however long that takes.
            return LONG_GRACE if manner is None or not manner.prints_total else None
        return GRACE

    def _nudge(self, parser: OutputParser, marker: Marker | None) -> bool:
        """Do what may make a silent engine speak; say whether it had answered the marker."""
        is_ready = False
        for line in self.process.unfinished():
            if marker is not None and _ends(line, marker.reply):
                is_ready = True
                self._nudge_after = SHORT_NUDGE
            else:
                self._hear(line, parser)
        self.process.send("")
        return is_ready

    def _hear(self, line: Line, parser: OutputParser) -> None:
        self.heard.append(line.text)
        self._notice(line.text)
        parser.feed(line.text)

    def _notice(self, text: str) -> None:  # noqa: B027
        """Look at a line of an answer for what the protocol says about errors."""

    def _check_refusal(self) -> None:  # noqa: B027
        """Raise `EngineError` if the engine refused the position or a move."""


class DialogueEngine:
    """An engine under test that is talked to; it is started at the first use."""

    dialogue_class: type[Dialogue]

    def __init__(
        self,
        command: str,
        settings: EngineSettings,
        spec: str,
        *,
        like: DialogueEngine | None = None,
    ) -> None:
        """Take a command line apart; nothing is run yet.

        Args:
            command: The program and its arguments.
            settings: How it is to be talked to.
            spec: The text that names it on a command line.
            like: An engine of the same command, whose findings hold for this one too.

        Raises:
            SpecError: The command can't be read.
        """
        self._argv = split_command(command)
        self._settings = settings
        self._spec = spec
        self._label = printable(self._argv[0].replace("\\", "/").rpartition("/")[2])
        self._title: str | None = like._title if like else None
        self._manner: Manner | None = like._manner if like else None
        self._chess960: bool | None = like._chess960 if like else None
        self._divides_leaves = True
        self._dialogue: Dialogue | None = None
        self._before: Position | None = None

    @property
    def protocol(self) -> str:
        """What it speaks."""
        return self.dialogue_class.protocol

    @property
    def name(self) -> str:
        """What the engine calls itself, else its program's name."""
        return self._title or self._label

    @property
    def introduced(self) -> bool:
        """Whether it has said who it is, as far as it was started."""
        return self._title is not None

    @property
    def spec(self) -> str:
        """The text that names it on a command line."""
        return self._spec

    @property
    def abilities(self) -> Abilities:
        """What it can do; it is started and asked a few questions for that, once."""
        manner = self._known()
        return Abilities(
            manner.divides,
            manner.takes_moves,
            self._chess960,
            manner.position_command is not None,
        )

    def ask(self, question: Question) -> Answer:
        """Return what the engine counts for a question.

        Raises:
            StaleAnswerError: It answered for the position before.
            EngineError: It died, was late, or can't be understood; it is started anew next time.
        """
        manner = self._known()
        if question.moves and not manner.takes_moves:
            question = by_fen(question)
        position = asked_position(question)
        start = time.perf_counter()
        output = self._run(question, manner)
        if question.depth == 1 and manner.divides and not output.rows and output.total:
            self._divides_leaves = False
            deeper = self._run(replace(question, depth=2), manner)
            seconds = time.perf_counter() - start
            answer = moves_from_deeper(deeper, output, position, seconds=seconds)
        else:
            answer = answer_from(output, position, seconds=time.perf_counter() - start)
        answer = self._completed(answer, output, manner)
        if not question.moves:
            self._check_position(question, position, answer)
        self._before = position
        return answer

    def position_after(self, question: Question) -> str | None:
        """Return the FEN that the engine prints after the question's moves, None if it can't.

        Raises:
            EngineError: It died or was late.
        """
        manner = self._known()
        if manner.position_command is None:
            return None
        if question.moves and not manner.takes_moves:
            question = by_fen(question)
        return self.asked(
            lambda dialogue: dialogue.printed_position(
                question, manner.position_command or "", self._settings.timeout
            )
        )

    def findings(self) -> Findings:
        """Return all that can be said about the engine; it is asked for two positions."""
        manner = self._known()
        styles: dict[str, None] = {}
        for fen in (KIWIPETE, PROMOTIONS):
            with contextlib.suppress(EngineError):  # a bug that is for others to find
                rows = self._run(Question(fen, 2), manner).rows
                styles.update(dict.fromkeys(_styles([row.move for row in rows])))
        if manner.divides:
            self.ask(Question(STARTPOS, 1))
        return Findings(
            self._spec,
            self.name,
            self.protocol,
            manner.command,
            self.abilities,
            self._divides_leaves,
            tuple(styles),
            manner.position_command,
        )

    def close(self) -> None:
        """End the process. Closing twice is allowed."""
        dialogue, self._dialogue = self._dialogue, None
        if dialogue is not None:
            dialogue.close()

    def start(self) -> Dialogue:
        """Start the engine if it does not run.

        Raises:
            EngineDiedError: It crashed after its last answer.
            EngineError: It can't be started, or does not speak the protocol.
        """
        self._bury()
        if self._dialogue is None:
            self._dialogue = self.dialogue_class(self._argv, self._label, self._settings)
            self._title = self._dialogue.title or self._title
            self._chess960 = self._dialogue.chess960
            self._before = None
        return self._dialogue

    def _bury(self) -> None:
        """Notice that it ended since its last answer.

        Raises:
            EngineDiedError: It crashed; that it just ended is its own business.
        """
        if self._dialogue is None:
            return
        process = self._dialogue.process
        process.discard()
        if not process.ended:
            return
        crashed = process.exit_status() not in (0, None)
        error = process.death()
        self.end()
        if crashed:
            raise error

    def probe(self) -> None:
        """Find out how it has to be asked, if that is not known.

        Raises:
            EngineError: It can't count, or can't be understood.
        """
        self._known()

    def _known(self) -> Manner:
        if self._manner is None:
            from perftkit.engines.probe import find_manner

            try:
                self._manner = find_manner(self, self._settings)
            except BaseException:
                self.close()
                raise
        return self._manner

    def _run(self, question: Question, manner: Manner) -> Output:
        if question.chess960 and not self.start().chess960:
            raise EngineError(
                f"{self.name} does not know Chess960, so that it can't be asked about"
                f" {question.fen}"
            )
        output = self.asked(
            lambda dialogue: dialogue.run(question, manner.command, manner, self._settings.timeout)
        )
        if output.is_bare and not manner.is_bare:
            return replace(output, total=None, is_bare=False)
        return output

    def asked(self, act: Callable[[Dialogue], _Result]) -> _Result:
        """Do something with the engine; after a failure it is not trusted any more."""
        try:
            return self._twice(act)
        except BaseException:
            self.end()
            raise

    def _twice(self, act: Callable[[Dialogue], _Result]) -> _Result:
        """Do something with the engine, again if it had just ended: some do after each answer."""
        try:
            return act(self.start())
        except _EndedBeforeError:
            self.end()
            return act(self.start())

    def end(self) -> None:
        """End the process at once, without a farewell."""
        dialogue, self._dialogue = self._dialogue, None
        if dialogue is not None:
            dialogue.process.close()

    def _completed(self, answer: Answer | None, output: Output, manner: Manner) -> Answer:
        if answer is None and manner.divides and not manner.prints_total:
            return Answer(0, {})
        if answer is None:
            heard = self._dialogue.heard if self._dialogue else ()
            said = ", ".join(quoted(text) for text in heard) or "nothing"
            asked = self._dialogue.process.asked if self._dialogue else manner.command
            self.end()
            raise EngineError(f"{self.name} printed no count at {asked}; it printed {said}")
        if answer.children is None and answer.nodes == 0 and manner.divides:
            return replace(answer, children={})
        return answer

    def _check_position(self, question: Question, position: Position, answer: Answer) -> None:
        """Refuse an answer that is right for the position before and wrong for this one.

        Raises:
            StaleAnswerError: It is one.
        """
        before = self._before
        if before is None or before.key == position.key:
            return
        if not _is_of(answer, before, position, question.depth):
            return
        if not self._is_stale(question, position, answer, before):
            return
        self.end()
        raise StaleAnswerError(
            f"{self.name} answered for the position before ({before.fen()}) when it was given"
            f" {question.fen}: it did not accept this FEN, or answers late",
            fen=question.fen,
            same_as=before.fen(),
            answer=answer,
        )

    def _is_stale(
        self, question: Question, position: Position, answer: Answer, before: Position
    ) -> bool:
        """Ask again, with a third position in between: a wrong answer may fit by coincidence."""
        between = _another_than(before, position)
        first = self._asked_plainly(Question(between.fen(), question.depth))
        second = self._asked_plainly(question)
        if first is not None and _is_of(first, before, between, question.depth):
            return True  # it stays where it was
        if second is None:
            return True
        if _is_of(second, between, position, question.depth):
            return True  # it is one position late
        return _says(second) != _says(answer) and _fits(second, position, question.depth)

    def _asked_plainly(self, question: Question) -> Answer | None:
        output = self._run(question, self._known())
        return answer_from(output, asked_position(question), seconds=0.0)


def _is_of(answer: Answer, one: Position, other: Position, depth: int) -> bool:
    """Whether an answer can be that of one position and not that of another."""
    return _fits(answer, one, depth) and not _fits(answer, other, depth)


def _says(answer: Answer) -> tuple[int, frozenset[str]]:
    return answer.nodes, frozenset(answer.children or ())


def _another_than(*positions: Position) -> Position:
    keys = {position.key for position in positions}
    others = (Position(fen) for fen in (KIWIPETE, STARTPOS, PROMOTIONS))
    return next(other for other in others if other.key not in keys)


def _filled(command: str, question: Question) -> str:
    if "{depth}" not in command:
        command += " {depth}"
    return command.replace("{depth}", str(question.depth)).replace("{fen}", question.fen)


def _about(question: Question) -> str:
    return " ".join((question.fen, *(("moves", *question.moves) if question.moves else ())))


def _ends(line: Line, reply: str) -> bool:
    return line.text.rstrip().endswith(reply)


def _has_total(parser: OutputParser, manner: Manner | None) -> bool:
    return parser.has_total or ((manner is None or manner.is_bare) and parser.has_bare_total)


def _is_whole(parser: OutputParser, manner: Manner | None, *, in_turn: bool) -> bool:
    """Whether nothing more can come of an answer, once the engine is ready."""
    if manner is None or manner.prints_total:
        return _has_total(parser, manner)
    return in_turn and parser.rows > 0


def _fits(answer: Answer, position: Position, depth: int) -> bool:
    """Whether an answer can be that of a position: its moves, else its total."""
    if answer.children is not None:
        legal = {move.uci() for move in position.legal_moves()}
        if answer.merged:
            legal = {uci[:4] if uci[:4] in answer.merged else uci for uci in legal}
        return set(answer.children) == legal
    if depth > MOST_CHECKED:
        return False
    return perft(position, depth, breakdown=False).nodes == answer.nodes


def _styles(moves: Sequence[str]) -> list[str]:
    """Return what is special about how moves are written."""
    styles = list(dict.fromkeys(style_of(move) for move in moves))
    if "e1h1" in moves:
        styles.append("castling as e1h1")
    if moves.count("a7a8") > 1 or ("a7a8" in moves and "a7b8" not in moves):
        styles.append("no promotion letter")
    return styles
