"""`perftkit divide --interactive`: a walk by hand, at a prompt or by a script."""

from __future__ import annotations

import contextlib
import sys
from contextlib import closing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from perftkit import __version__
from perftkit.cli.options import fen_of
from perftkit.cli.output import Messages
from perftkit.core.perft import MAX_DEPTH
from perftkit.core.position import Position
from perftkit.engines import Question
from perftkit.errors import FenError, PerftkitError
from perftkit.report import EngineInfo, WalkInfo
from perftkit.report.board import write_board
from perftkit.report.console import Terminal
from perftkit.report.text import grouped, shortened
from perftkit.report.walk import write_comparison, write_step, write_walk
from perftkit.suggest import did_you_mean
from perftkit.verify.compare import compared_rows
from perftkit.verify.events import OK
from perftkit.verify.explain import diagnosed
from perftkit.verify.verdict import ExitStatus
from perftkit.verify.walk import WalkResult, judged, suspects, walk

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from perftkit.cli.compare import Request
    from perftkit.cli.options import EngineChoice
    from perftkit.engines import PerftEngine

__all__ = ["Conversation", "converse"]

PROMPT = "perftkit> "
LONGEST_SHOWN = 40  # characters of a word that is not understood
PER_LINE = 12  # moves

HELP = {
    "fen": "fen [FEN]        show the position's FEN, or begin from another one",
    "moves": "moves [MOVE...]  show the line and the legal moves, or play these from the root",
    "depth": "depth [N]        show or set the depth that is compared here",
    "move": "move MOVE...     play moves; the depth goes down by one for each",
    "undo": "undo [N]         take moves back",
    "root": "root             take all moves back",
    "board": "board            show the board",
    "diff": "diff             ask the engine and show what differs",
    "next": "next             go to the next difference: the simplest move that differs",
    "explain": "explain          walk on from here by itself and name the broken rule",
    "help": "help             this list",
    "quit": "quit             end; so does the end of the input",
}


class _CommandError(PerftkitError):
    """A command that can't be understood or followed."""


def converse(request: Request, choice: EngineChoice) -> int:
    """Read commands until they end, and return the exit status.

    A script's status is that of its worst command; a person at a terminal has seen what was wrong.
    """
    with closing(choice.open()) as engine, request.places[0].open() as stream:
        terminal = Terminal(stream, color=request.color)
        info = EngineInfo(choice.spec, engine.name, choice.words)
        talk = Conversation(engine, info, terminal, Messages(color=request.color))
        talk.begin(request.root, request.moves, request.depth)
        person = sys.stdin is not None and sys.stdin.isatty()
        lines = _typed(talk, terminal) if person else iter(sys.stdin or ())
        for number, line in enumerate(lines, 1):
            if not talk.obey(line, "" if person else f"line {number}: "):
                break
    return ExitStatus.AGREED if person else talk.status


def _typed(talk: Conversation, terminal: Terminal) -> Iterator[str]:
    """Yield the lines that a person types, with history and completion where there are any."""
    with contextlib.suppress(ImportError):
        import readline

        readline.set_completer(_Completer(talk))
        readline.set_completer_delims(" ")
        readline.parse_and_bind("tab: complete")
    terminal.write("help lists the commands")
    while True:
        terminal.flush()
        try:
            yield input(PROMPT)
        except EOFError:
            terminal.write()
            return


class _Completer:
    """Completes commands, and legal moves behind them."""

    def __init__(self, talk: Conversation) -> None:
        self._talk = talk

    def __call__(self, text: str, state: int) -> str | None:
        found = [word for word in (*HELP, *self._talk.legal) if word.startswith(text)]
        return found[state] if state < len(found) else None


@dataclass
class Conversation:
    """Where a walk by hand stands.

    Attributes:
        engine: Who is asked.
        info: What reports say about it.
        terminal: Where answers are written.
        errors: Where complaints are written.
        status: The worst that happened.
    """

    engine: PerftEngine
    info: EngineInfo
    terminal: Terminal
    errors: Terminal
    status: ExitStatus = ExitStatus.AGREED
    _root: Position = field(default_factory=Position)
    _line: list[str] = field(default_factory=list)
    _depth: int = 1  # of the root; below it, one less a move

    def begin(self, root: Position, moves: tuple[str, ...], depth: int) -> None:
        """Set the root, the moves from it, and the depth after them."""
        self._root = root
        self._line = list(moves)
        self._depth = depth + len(moves)

    @property
    def position(self) -> Position:
        """Return the position reached, which may be changed."""
        position = self._root.copy()
        for move in self._line:
            position.push(move)
        return position

    @property
    def depth(self) -> int:
        """Return the depth that is compared at the position reached."""
        return max(self._depth - len(self._line), 1)

    @property
    def legal(self) -> list[str]:
        """Return the legal moves as UCI text, in alphabetical order."""
        return sorted(move.uci() for move in self.position.legal_moves())

    def obey(self, text: str, where: str = "") -> bool:
        """Follow a command; return False when it ends the conversation.

        Args:
            text: The command and its words; an empty one and one that begins with # do nothing.
            where: What complaints begin with.
        """
        name, *words = text.split() or [""]
        if not name or name.startswith("#"):
            return True
        if name in ("quit", "exit"):
            return False
        try:
            self._command(name)(words)
        except PerftkitError as error:
            self._complain(f"{where}{_message(error)}")
            self.status = max(self.status, ExitStatus(error.exit_status))
        self.terminal.flush()
        return True

    def _command(self, name: str) -> Callable[[list[str]], None]:
        if name not in HELP:
            ends = did_you_mean(name, HELP, ": help lists the commands")
            shown = shortened(name, LONGEST_SHOWN, "...")
            raise _CommandError(f"there is no command {shown!r}{ends}")
        return {
            "fen": self._fen,
            "moves": self._moves,
            "depth": self._set_depth,
            "move": self._move,
            "undo": self._undo,
            "root": self._to_root,
            "board": self._board,
            "diff": self._diff,
            "next": self._next,
            "explain": self._explain,
            "help": self._help,
        }[name]

    def _complain(self, message: str) -> None:
        self.terminal.flush()
        self.errors.write(("error: ", "bold red"), message)
        self.errors.flush()

    # The commands.

    def _fen(self, words: list[str]) -> None:
        if words:
            chess960 = True if self._root.chess960 else None
            self.begin(Position(fen_of(words), chess960=chess960), (), self.depth)
        self.terminal.write(self.position.fen())

    def _moves(self, words: list[str]) -> None:
        if words:
            self._line = _checked(self._root.copy(), words)
        self.terminal.write(("line ", "bold"), " ".join(self._line) or "-")
        legal = self.legal
        self.terminal.write((f"{len(legal)} legal moves", "bold"))
        for start in range(0, len(legal), PER_LINE):
            self.terminal.write(" ".join(f"{move:<5}" for move in legal[start : start + PER_LINE]))

    def _set_depth(self, words: list[str]) -> None:
        if words:
            if not words[0].isdecimal() or not 1 <= int(words[0][:9]) <= MAX_DEPTH:
                shown = shortened(words[0], LONGEST_SHOWN, "...")
                raise _CommandError(f"{shown!r} is no depth from 1 to {MAX_DEPTH}")
            self._depth = int(words[0]) + len(self._line)
        self.terminal.write(("depth ", "bold"), str(self.depth))

    def _move(self, words: list[str]) -> None:
        if not words:
            raise _CommandError("move needs a move, as in move e2e4")
        self._line = [*self._line, *_checked(self.position, words)]
        self._board([])

    def _undo(self, words: list[str]) -> None:
        number = int(words[0]) if words and words[0].isdecimal() else 1
        if not self._line:
            raise _CommandError("there is no move to take back: this is the root")
        del self._line[max(len(self._line) - number, 0) :]
        self._board([])

    def _to_root(self, _: list[str]) -> None:
        self._line = []
        self._board([])

    def _board(self, _: list[str]) -> None:
        position = self.position
        write_board(self.terminal, position, {})
        self.terminal.write(position.fen())
        line = " ".join(self._line) or "the root"
        self.terminal.write((f"{line}, depth {self.depth}", "dim"))

    def _diff(self, _: list[str]) -> None:
        self._difference()

    def _difference(self) -> WalkResult:
        """Ask the engine, by moves where it takes them, and show what differs."""
        position = self.position
        by_moves = bool(self._line) and self.engine.abilities.takes_moves
        question = Question(
            self._root.fen() if by_moves else position.fen(),
            self.depth,
            tuple(self._line) if by_moves else (),
            position.chess960,
        )
        result = judged(position, self.depth, self.engine.ask(question))
        answer, found = result.answer, result.comparison
        assert answer is not None
        assert found is not None
        expected = grouped(found.expected)
        if found.agrees:
            self.terminal.write((f"depth {self.depth}: {expected} nodes, all agree", "green"))
            return result
        self.status = max(self.status, ExitStatus.DIFFERS)
        self.terminal.write(
            (f"depth {self.depth}: {grouped(answer.nodes)} nodes, {expected} are right", "bold red")
        )
        write_comparison(self.terminal, compared_rows(answer, result.expected, found))
        return result

    def _next(self, _: list[str]) -> None:
        result = self._difference()
        moves = suspects(self.position, result)
        if result.verdict == OK:
            return
        if result.first_wrong is not None or not moves or self.depth == 1:
            self.terminal.write("this is where the engine is wrong: explain names the rule")
            return
        self._line = [*self._line, moves[0]]
        self._board([])

    def _explain(self, _: list[str]) -> None:
        result = WalkResult(OK)
        shown = self.errors if self.errors.is_terminal else None
        for event in walk(self.engine, self._root, self.depth, moves=self._line):
            if isinstance(event, WalkResult):
                result = event
            elif shown is not None:
                write_step(shown, event)
        diagnosis = None if result.verdict == OK else diagnosed(result)
        info = WalkInfo(
            version=__version__,
            fen=self._root.fen(),
            chess960=self._root.chess960,
            moves=tuple(self._line),
            asked_depth=self.depth,
            engine=self.info,
            result=result,
            children={},
            diagnosis=diagnosis,
            stopped=None,
        )
        write_walk(self.terminal, info)
        if result.error is not None:
            self.status = max(self.status, ExitStatus.ENGINE_FAILED)
        elif result.verdict != OK:
            self.status = max(self.status, ExitStatus.DIFFERS)

    def _help(self, _: list[str]) -> None:
        for text in HELP.values():
            self.terminal.write(text)


def _checked(position: Position, words: list[str]) -> list[str]:
    """Return moves as UCI text after playing them on a position.

    Raises:
        MoveError: One of them is not legal.
    """
    moves = []
    for word in words:
        for text in filter(None, word.split(",")):
            move = position.parse_move(text)
            moves.append(move.uci())
            position.push(move)
    return moves


def _message(error: PerftkitError) -> str:
    if isinstance(error, FenError):
        return f"this FEN can't be used: {error}"
    return str(error)
