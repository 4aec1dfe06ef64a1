"""Python callables and boards as engines, in this process.

A library's author passes a function, a class of boards or a board and gets the same service as
the author of a program:

    engine = engine_of(my_library.Board)   # has legal_moves, push and pop; Board(fen) makes one
    engine = engine_of(my_perft)           # my_perft(fen, depth) -> int or {move: count}

In this process no limit can stop a call that hangs, one that ends the process ends all of it, and
what it prints is printed. `py:package.module:name` as a spec runs the same in a process of its own
(`perftkit.engines.apart`), where all limits hold.
"""

from __future__ import annotations

import importlib
import inspect
import site
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from perftkit.engines import Abilities, Answer, PerftEngine, Question
from perftkit.engines.answers import answer_from, asked_position, by_fen
from perftkit.engines.notation import Notation
from perftkit.engines.parse import MOST_DIGITS, Output, Row
from perftkit.engines.text import printable, quoted
from perftkit.errors import EngineError, SpecError

if TYPE_CHECKING:
    from perftkit.engines.settings import EngineSettings

__all__ = [
    "BoardEngine",
    "FunctionEngine",
    "engine_of",
    "guarded",
    "is_found_again",
    "load_object",
    "python_engine",
    "text_of",
]

Found = TypeVar("Found")

BOARD = ("legal_moves", "push", "pop")
TOO_LARGE = 10**MOST_DIGITS  # for a count, of programs too
SETTERS = ("set_fen", "set_board_fen", "load_fen", "from_fen", "setfen")


class _InProcess:
    """What functions and boards have in common: a name, a spec, and nothing to end."""

    protocol = "python"

    def __init__(self, spec: str, name: str) -> None:
        self._spec = spec
        self._name = printable(name)

    @property
    def name(self) -> str:
        """The name of the function or of the board's class."""
        return self._name

    @property
    def spec(self) -> str:
        """The text that names it on a command line."""
        return self._spec

    def close(self) -> None:
        """Do nothing."""


class FunctionEngine(_InProcess):
    """A function `function(fen, depth)` that returns a count or a `{move: count}` mapping."""

    def __init__(self, function: Callable[..., Any], spec: str, name: str | None = None) -> None:
        super().__init__(spec, name or getattr(function, "__qualname__", "") or spec)
        self._function = function
        self._divides: bool | None = None
        self._takes_chess960 = _takes(function, "chess960")

    @property
    def abilities(self) -> Abilities:
        """What it can do; it is asked about the start position for that, once."""
        if self._divides is None:
            self.ask(Question(START, 1))
        return Abilities(bool(self._divides), False, self._takes_chess960 or None)

    def ask(self, question: Question) -> Answer:
        """Return what the function counts.

        Raises:
            EngineError: It raises, or returns neither a count nor a mapping of moves to counts.
        """
        question = by_fen(question)
        position = asked_position(question)
        extra = {"chess960": question.chess960} if self._takes_chess960 else {}
        start = time.perf_counter()
        with _Blamed(self._name, f"{question.fen}, depth {question.depth}"):
            found = self._function(question.fen, question.depth, **extra)
            if isinstance(found, Mapping):
                found = {text_of(move): nodes for move, nodes in found.items()}
            output = self._output(found)
        answer = answer_from(output, position, seconds=time.perf_counter() - start)
        assert answer is not None
        if isinstance(found, Mapping) and not found:
            return Answer(0, {}, seconds=answer.seconds)
        return answer

    def position_after(self, question: Question) -> str | None:
        """Return None: a function has no position."""
        return None

    def _output(self, found: object) -> Output:
        if isinstance(found, Mapping):
            self._divides = True
            rows = tuple(Row(move, self._count(nodes)) for move, nodes in found.items())
            return Output(rows, total=None if rows else 0)
        self._divides = self._divides or False
        return Output(total=self._count(found))

    def _count(self, found: object) -> int:
        try:
            if isinstance(found, bool):
                raise TypeError
            count = found.__index__()  # type: ignore[attr-defined]
        except (AttributeError, TypeError):
            count = -1
        if not 0 <= count < TOO_LARGE:
            raise EngineError(
                f"{self._name} returned {_shown(found, count)}; it is to return the number of"
                " leaves, or a mapping of each move to its number"
            )
        return int(count)


def _shown(found: object, count: int) -> str:
    """Return what a message says of something that is no count."""
    if abs(count) >= TOO_LARGE:  # Python may refuse to write it
        return f"a number of more than {MOST_DIGITS} digits, which can't be passed on"
    return quoted(repr(found))


class BoardEngine(_InProcess):
    """A board with `legal_moves`, `push` and `pop`, each an attribute or a method.

    Moves are known by their `uci()` or by their text. The leaves are counted here, with the
    board's own moves, so that its make and unmake are tested as well.
    """

    def __init__(
        self,
        make_board: Callable[..., Any],
        spec: str,
        name: str,
        *,
        timeout: float | None = None,
    ) -> None:
        super().__init__(spec, name)
        self._make_board = make_board
        self._timeout = timeout
        self._chess960 = _takes(make_board, "chess960")
        self._deadline: float | None = None
        self._prints: bool | None = None

    @property
    def abilities(self) -> Abilities:
        """What it can do; a board is made for that, once."""
        if self._prints is None:
            self._prints = self.position_after(Question(START, 1)) is not None
        return Abilities(True, True, self._chess960 or None, self._prints)

    def ask(self, question: Question) -> Answer:
        """Return what the board's moves lead to.

        Raises:
            EngineError: It raises, lacks one of the question's moves, or takes too long.
        """
        position = asked_position(question)
        start = time.perf_counter()
        self._deadline = None if self._timeout is None else time.monotonic() + self._timeout
        with _Blamed(self._name, f"{_about(question)}, depth {question.depth}"):
            board = self._board_after(question)
            rows = tuple(self._divide(board, question.depth))
        seconds = time.perf_counter() - start
        if not rows:
            return Answer(0, {}, seconds=seconds)
        answer = answer_from(Output(rows), position, seconds=seconds)
        assert answer is not None
        return answer

    def position_after(self, question: Question) -> str | None:
        """Return the board's own FEN after the question's moves, None if it has none."""
        with _Blamed(self._name, _about(question)):
            board = self._board_after(question)
            fen = getattr(board, "fen", None)
            text = fen() if callable(fen) else fen
        return printable(text) if isinstance(text, str) else None

    def _board_after(self, question: Question) -> Any:
        extra = {"chess960": question.chess960} if self._chess960 else {}
        board = self._make_board(question.fen, **extra)
        position = asked_position(Question(question.fen, 1, (), question.chess960))
        for wanted in question.moves:
            board.push(self._move(board, wanted, Notation(position), question))
            position.push(wanted)
        return board

    def _move(self, board: Any, wanted: str, notation: Notation, question: Question) -> Any:
        for move in _moves(board):
            if notation.read(text_of(move))[0] == wanted:
                return move
        raise EngineError(f"{self._name} has no move {wanted} on the way to {_about(question)}")

    def _divide(self, board: Any, depth: int) -> Iterable[Row]:
        for move in _moves(board):
            text = text_of(move)
            if depth == 1:
                yield Row(text, 1)
                continue
            board.push(move)
            nodes = self._leaves(board, depth - 1)
            board.pop()
            yield Row(text, nodes)

    def _leaves(self, board: Any, depth: int) -> int:
        if self._deadline is not None and time.monotonic() > self._deadline:
            raise EngineError(f"{self._name} gave no answer in {self._timeout:g} s")
        moves = _moves(board)
        if depth == 1:
            return len(moves)
        nodes = 0
        for move in moves:
            board.push(move)
            nodes += self._leaves(board, depth - 1)
            board.pop()
        return nodes


def engine_of(
    target: object, *, spec: str | None = None, settings: EngineSettings | None = None
) -> PerftEngine:
    """Return a Python object as an engine.

    Args:
        target: A `PerftEngine`, or a class that makes one without arguments; a class whose
            instances have `legal_moves`, `push` and `pop` and which is called with a FEN; such a
            board that has `set_fen`, or whose class is called with a FEN; or a function
            `function(fen, depth)`.
        spec: What messages call it.
        settings: Only its timeout is used, for boards.

    Raises:
        SpecError: It is nothing of these.
    """
    name = str(getattr(target, "__qualname__", "") or type(target).__qualname__)
    spec = spec or f"py:{getattr(target, '__module__', None) or type(target).__module__}:{name}"
    timeout = settings.timeout if settings is not None else None
    if isinstance(target, type):
        if _has(target, BOARD):
            return BoardEngine(target, spec, name, timeout=timeout)
        if _has(target, ("ask", "position_after", "abilities")):
            with _Blamed(name, "its start"):
                target = target()
    if isinstance(target, PerftEngine) and not isinstance(target, type):
        return target
    if not isinstance(target, type) and _has(target, BOARD):
        return BoardEngine(_maker(target), spec, name, timeout=timeout)
    if callable(target):
        return FunctionEngine(target, spec, name)
    raise SpecError(
        f"{quoted(spec)} is no engine but {quoted(type(target).__name__)}: a function(fen, depth),"
        " or a board with legal_moves, push and pop is needed"
    )


def guarded(engine: PerftEngine) -> PerftEngine:
    """Return an engine whose slips are all an EngineError; one of perftkit's is so already.

    Args:
        engine: An engine of any class, in this process.
    """
    if type(engine).__module__.partition(".")[0] == __name__.partition(".")[0]:
        return engine
    return _GuardedEngine(engine)


class _GuardedEngine:
    """An engine of a class that is not ours."""

    def __init__(self, engine: PerftEngine) -> None:
        self._engine = engine
        self.name = printable(str(engine.name))
        self.spec = str(engine.spec)

    @property
    def abilities(self) -> Abilities:
        with _Blamed(self.name, "the question what it can do"):
            found = self._engine.abilities
        return self._checked(found, Abilities, is_right=True)

    def ask(self, question: Question) -> Answer:
        with _Blamed(self.name, f"{_about(question)}, depth {question.depth}"):
            found = self._engine.ask(question)
        nodes = getattr(found, "nodes", None)
        return self._checked(found, Answer, is_right=isinstance(nodes, int) and nodes >= 0)

    def position_after(self, question: Question) -> str | None:
        with _Blamed(self.name, _about(question)):
            return self._engine.position_after(question)

    def close(self) -> None:
        self._engine.close()

    def _checked(self, found: Any, kind: type[Found], *, is_right: bool) -> Found:
        if isinstance(found, kind) and is_right:
            return found
        raise EngineError(
            f"{self.name} returned {quoted(repr(found))}; it is to return an object of"
            f" perftkit.engines.{kind.__name__}, with a count where one belongs"
        )


def load_object(reference: str, folder: str | None = None) -> object:
    """Import what `package.module:name` means; modules in the folder are found too.

    Raises:
        SpecError: It has another form, or there is no such module or name.
        EngineError: The module raises.
    """
    module_name, colon, path = reference.partition(":")
    if not colon or not module_name.strip() or not path.strip():
        raise SpecError(f"'py:{printable(reference)}' is to be py:package.module:function")
    module = _module(module_name.strip(), str(Path(folder or ".").resolve()))
    found: object = module
    for name in path.strip().split("."):
        try:
            found = getattr(found, name)
        except AttributeError:
            raise SpecError(f"{module_name} has no {quoted(name)} (py:{reference})") from None
    return found


def python_engine(reference: str, settings: EngineSettings, spec: str | None = None) -> PerftEngine:
    """Return the engine that `package.module:name` means, in a process of its own.

    Raises:
        SpecError: There is no such thing, or it can't be asked.
        EngineError: The module raises.
    """
    from perftkit.engines.apart import ApartEngine

    return ApartEngine(reference, settings, spec or f"py:{reference}")


def is_found_again(spec: str) -> bool:
    """Whether a new process in the current folder finds what ``py:module:name`` means here."""
    kind, _, reference = spec.partition(":")
    module_name, _, path = reference.partition(":")
    package = sys.modules.get(module_name.partition(".")[0])
    file = getattr(package, "__file__", None)
    if kind != "py" or module_name == "__main__" or file is None:
        return False
    if not all(name.isidentifier() for name in path.split(".")):
        return False  # a function in a function
    folder = Path(file).parents[1 if hasattr(package, "__path__") else 0]
    return folder in (Path.cwd(), *map(Path, site.getsitepackages()))


def _module(name: str, folder: str) -> object:
    if folder not in sys.path:
        sys.path.insert(0, folder)
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is not None and (name == error.name or name.startswith(f"{error.name}.")):
            raise SpecError(f"there is no module {quoted(name)} (searched {folder} too)") from None
        raise EngineError(f"{name} can't be imported: {error}") from None
    except (TypeError, ValueError) as error:
        raise SpecError(f"{quoted(name)} is no name of a module: {error}") from None
    except Exception as error:
        raise EngineError(f"{name} can't be imported: {_said(error)}") from None


class _Blamed:
    """What is raised inside is the engine's fault."""

    def __init__(self, name: str, about: str) -> None:
        self._name = name
        self._about = about

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, (Exception, SystemExit)) and not isinstance(error, EngineError):
            raise EngineError(f"{self._name} raised {_said(error)} at {self._about}") from error


def _said(error: BaseException) -> str:
    return quoted(f"{type(error).__name__}: {error}")


def _maker(board: Any) -> Callable[..., Any]:
    """Return what makes a board with a FEN from one that there is."""
    setter = next((name for name in SETTERS if callable(getattr(board, name, None))), None)
    if setter is None:
        return type(board)

    def placed(fen: str) -> Any:
        getattr(board, setter)(fen)
        return board

    return placed


def _has(target: object, names: tuple[str, ...]) -> bool:
    return all(hasattr(target, name) for name in names)


def _takes(function: Callable[..., Any], parameter: str) -> bool:
    try:
        return parameter in inspect.signature(function).parameters
    except (TypeError, ValueError):
        return False


def _moves(board: Any) -> list[Any]:
    moves = board.legal_moves
    return list(moves() if callable(moves) else moves)


def text_of(move: Any) -> str:
    """Return what a move is called: its `uci()`, else its text."""
    uci = getattr(move, "uci", None)
    return str(uci() if callable(uci) else move)


def _about(question: Question) -> str:
    return " ".join((question.fen, *(("moves", *question.moves) if question.moves else ())))


START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
