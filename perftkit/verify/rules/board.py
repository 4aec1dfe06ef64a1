"""What stands where, and what is attacked when some men are moved or taken away.

A `Position` is always a legal one, so that "the same without the king" can't be asked of it. This
is a plain copy of its men, on which such questions can be answered.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from perftkit.bitboard import squares
from perftkit.core.attacks import attacks, between_squares, line_through
from perftkit.core.position import SQUARE_NAMES

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from perftkit.core.position import Position

__all__ = [
    "NAMES",
    "Men",
    "between",
    "file_of",
    "in_line",
    "name",
    "placement",
    "rank_of",
    "square_of",
]

NAMES = {"p": "pawn", "n": "knight", "b": "bishop", "r": "rook", "q": "queen", "k": "king"}
"""What each letter of a FEN stands for."""

NUMBERS = {text: number for number, text in enumerate(SQUARE_NAMES)}


def name(square: int) -> str:
    """Return the name of a square, ``a1`` to ``h8``."""
    return SQUARE_NAMES[square]


def square_of(text: str) -> int:
    """Return the number of a square, 0 to 63.

    Raises:
        KeyError: There is no such square.
    """
    return NUMBERS[text]


def file_of(square: int) -> int:
    """Return the file of a square, 0 (a) to 7 (h)."""
    return square & 7


def rank_of(square: int) -> int:
    """Return the rank of a square, 0 to 7."""
    return square >> 3


def between(a: int, b: int) -> list[int]:
    """Return the squares strictly between two of one line, none if they share no line."""
    return squares(between_squares(a, b))


def in_line(a: int, b: int, square: int) -> bool:
    """Return whether a square is on the line through two others."""
    return bool(line_through(a, b) >> square & 1)


class Men:
    """The men of a position, seen by the side to move.

    Attributes:
        white: Whether White is to move.
        king: The square of the mover's king.
        enemy_king: The square of the other king.
        forward: What a step of the mover's pawns adds to a square.
        home: The mover's first rank, 0 or 7.
    """

    __slots__ = ("at", "enemy_king", "forward", "home", "king", "occupied", "white")

    def __init__(self, position: Position) -> None:
        self.at = tuple(position.piece_at(square) for square in range(64))
        self.white = position.turn == "white"
        self.king = self.at.index("K" if self.white else "k")
        self.enemy_king = self.at.index("k" if self.white else "K")
        self.forward = 8 if self.white else -8
        self.home = 0 if self.white else 7
        self.occupied = sum(1 << square for square, man in enumerate(self.at) if man)

    def kind(self, square: int) -> str | None:
        """Return what stands on a square as a small letter, whoever owns it."""
        man = self.at[square]
        return man.lower() if man else None

    def own(self, square: int) -> bool:
        """Return whether a man of the side to move is on a square."""
        man = self.at[square]
        return man is not None and man.isupper() == self.white

    def enemy(self, square: int) -> bool:
        """Return whether a man of the other side is on a square."""
        return self.at[square] is not None and not self.own(square)

    def relative_rank(self, square: int) -> int:
        """Return the rank as the mover counts it, 0 (the own first rank) to 7."""
        return rank_of(square) if self.white else 7 - rank_of(square)

    def attackers(
        self, square: int, *, empty: Iterable[int] = (), filled: Iterable[int] = ()
    ) -> list[int]:
        """Return the squares of the other side's men that attack a square.

        Args:
            square: The square.
            empty: Squares whose men are taken away first.
            filled: Squares on which a man of the side to move is put then; what stood there, is
                captured.
        """
        gone = sum(1 << each for each in set(empty))
        placed = sum(1 << each for each in set(filled))
        occupied = self.occupied & ~gone | placed
        found = []
        for source, man in enumerate(self.at):
            if man is None or man.isupper() == self.white or (gone | placed) >> source & 1:
                continue
            if attacks(man, source, occupied) >> square & 1:
                found.append(source)
        return found

    def king_attackers_after(self, source: int, target: int, captured: int | None) -> list[int]:
        """Return who attacks the mover's king once a man has gone from one square to another."""
        king = target if source == self.king else self.king
        empty = [source] if captured is None else [source, captured]
        return self.attackers(king, empty=empty, filled=[target])

    def the(self, square: int) -> str:
        """Return a man as a text: ``the rook on h5``."""
        kind = self.kind(square)
        return (
            f"the {NAMES[kind]} on {name(square)}" if kind else f"the empty square {name(square)}"
        )

    def all_of(self, found: list[int]) -> str:
        """Return several men as a text: ``the rook on h5 and the bishop on b3``."""
        *first, last = [self.the(square) for square in found]
        return f"{', '.join(first)} and {last}" if first else last


def placement(men: Sequence[str | None]) -> str:
    """Return the first field of the FEN of these men, a1 first."""
    rows = []
    for rank in range(7, -1, -1):
        row = ""
        empty = 0
        for man in men[8 * rank : 8 * rank + 8]:
            if man is None:
                empty += 1
                continue
            row += (str(empty) if empty else "") + man
            empty = 0
        rows.append(row + (str(empty) if empty else ""))
    return "/".join(rows)
