"""Who answers: anything that counts the leaves of a position."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from perftkit.core.perft import PerftResult
    from perftkit.core.position import Position

__all__ = ["Abilities", "Answer", "Generator", "PerftEngine", "Question"]


class Generator(Protocol):
    """A move generator that can be asked for counts."""

    def count(self, position: Position, depth: int) -> PerftResult:
        """Return the number of leaves and the breakdown at a depth of 0 to 64 plies."""
        ...

    def children(self, position: Position, depth: int) -> Iterator[tuple[str, PerftResult]]:
        """Yield each legal move's UCI text, in alphabetical order, with the leaves under it.

        The depth is 1 to 64 plies, the root's move included. The results add up to `count`. The
        position must not be changed while this is iterated.
        """
        ...


@dataclass(frozen=True, slots=True)
class Question:
    """What an engine is asked to count.

    Attributes:
        fen: The root position, a FEN of six fields as `Position.fen` writes it.
        depth: Plies, 1 or more; engines are never asked for depth 0.
        moves: What is played from the root first, as UCI text. An engine that can't play moves
            is asked for the FEN of the position after them instead, by the caller.
        chess960: Whether the position is one of Chess960; castling is then king takes rook.
    """

    fen: str
    depth: int
    moves: tuple[str, ...] = ()
    chess960: bool = False


@dataclass(frozen=True, slots=True)
class Answer:
    """What an engine said.

    Attributes:
        nodes: Leaves: the sum of the children where it divides, else the total that it printed.
        children: Leaves under each move, by perftkit's UCI text (king takes rook in Chess960);
            None when the engine printed only a total. A move that perftkit's rules do not know,
            an illegal one, is here as the engine's text in UCI form as far as it can be read.
        merged: Keys of `children` that the engine printed without the promotion's letter, so that
            one key stands for all promotions of that move (`a7a8`), with their sum.
        repeated: Keys that the engine printed more than once although it writes promotions apart:
            a move listed twice. `children` holds their sum.
        total: The total that the engine printed, None without one; a total that contradicts the
            sum of the children is said in `remarks` too.
        counts: Counters that the engine printed, by JSON name.
        remarks: What the user should know, in sentences: a total that contradicts the rows, a
            move that can't be read, ...
        seconds: Wall time until the answer was complete.
    """

    nodes: int
    children: Mapping[str, int] | None = None
    merged: frozenset[str] = frozenset()
    repeated: frozenset[str] = frozenset()
    total: int | None = None
    counts: Mapping[str, int] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Abilities:
    """What an engine can do, as far as it is known.

    Attributes:
        divides: Whether it prints the leaves under each move.
        takes_moves: Whether it plays moves from a root position itself, which shows mistakes of
            make and unmake that a FEN hides.
        chess960: Whether it knows Chess960; None when that was not asked yet.
        prints_position: Whether it can print its position as a FEN.
    """

    divides: bool
    takes_moves: bool
    chess960: bool | None = None
    prints_position: bool = False


@runtime_checkable
class PerftEngine(Protocol):
    """An engine under test, of any kind.

    Every method may raise `perftkit.errors.EngineError` (it died, timed out, or can't be
    understood), after which the engine can be asked again: an adapter starts it anew by itself.
    """

    @property
    def name(self) -> str:
        """What the engine calls itself, else its command; no control characters."""
        ...

    @property
    def spec(self) -> str:
        """The text that names it on a command line (`--engine SPEC`)."""
        ...

    @property
    def abilities(self) -> Abilities:
        """What it can do. An adapter that has to probe does so at the first use."""
        ...

    def ask(self, question: Question) -> Answer:
        """Return what the engine counts for a question."""
        ...

    def position_after(self, question: Question) -> str | None:
        """Return the FEN that the engine prints after the question's moves, None if it can't."""
        ...

    def close(self) -> None:
        """End its processes, if any. Closing twice is allowed."""
        ...
