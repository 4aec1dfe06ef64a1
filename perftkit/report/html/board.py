"""A position as a picture, with arrows for its moves, and in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from perftkit import bitboard
from perftkit.core.position import SQUARE_NAMES, Position
from perftkit.errors import FenError
from perftkit.report.html.arrows import KINDS, arrows
from perftkit.report.html.elements import add, element
from perftkit.report.html.pieces import SQUARE, piece

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from xml.etree.ElementTree import Element

__all__ = ["board", "picture", "position_of", "state_words"]

SIDE = 8 * SQUARE
FILES = "abcdefgh"
NO_MOVES: Mapping[str, Sequence[str]] = {}
WINGS = {"K": "kingside", "Q": "queenside"}


def position_of(fen: str, *, chess960: bool | None = None) -> Position | None:
    """Return the position of a FEN; None for a FEN that is none."""
    try:
        return Position(fen, chess960=chess960 or None)
    except FenError:
        return None


def picture(
    fen: str,
    name: str,
    *,
    chess960: bool | None = None,
    moves: Mapping[str, Sequence[str]] = NO_MOVES,
) -> Element | None:
    """Return the board of a FEN with its state in words under it; None for a FEN that is none.

    Args:
        fen: The position.
        name: Of the picture, unique in its page.
        chess960: As in `Position`.
        moves: What arrows are drawn for, by the name of their kind.
    """
    position = position_of(fen, chess960=chess960)
    if position is None:
        return None
    words = state_words(position)
    return element(
        "figure",
        board(position, name, moves),
        element("figcaption", words),
        class_="position",
    )


def board(position: Position, name: str, moves: Mapping[str, Sequence[str]] = NO_MOVES) -> Element:
    """Return the picture of a position, White below.

    Args:
        position: What is shown.
        name: Of the picture, unique in its page.
        moves: What arrows are drawn for, by the name of their kind.
    """
    made = element(
        "svg",
        element("title", f"Board, {position.turn} to move", id=f"{name}-title"),
        element("desc", _described(position, moves), id=f"{name}-desc"),
        class_="board",
        role="img",
        viewBox=f"0 0 {SIDE} {SIDE}",
        aria_labelledby=f"{name}-title {name}-desc",
    )
    add(made, *_squares(), *_coordinates(), *_marks(position), *_men(position), *arrows(moves))
    return made


def _corner(square: int) -> tuple[int, int]:
    return square % 8 * SQUARE, (7 - square // 8) * SQUARE


def _squares() -> list[Element]:
    dark = "".join(
        "M{} {}h{s}v{s}h-{s}z".format(*_corner(square), s=SQUARE)
        for square in range(64)
        if (square // 8 + square % 8) % 2 == 0
    )
    return [
        element("rect", class_="light", width=SIDE, height=SIDE),
        element("path", class_="dark", d=dark),
    ]


def _coordinates() -> list[Element]:
    ranks = [
        element("text", str(rank + 1), class_="coordinate", x=2, y=(7 - rank) * SQUARE + 10)
        for rank in range(8)
    ]
    files = [
        element("text", letter, class_="coordinate", x=(file + 1) * SQUARE - 8, y=SIDE - 3)
        for file, letter in enumerate(FILES)
    ]
    return ranks + files


def _marks(position: Position) -> list[Element]:
    """Return what is special about some squares: the king in check, the e.p. square."""
    marks = []
    if position.is_check:
        letter = "K" if position.turn == "white" else "k"
        king = next(square for square in range(64) if position.piece_at(square) == letter)
        x, y = _corner(king)
        marks.append(element("rect", class_="check", x=x, y=y, width=SQUARE, height=SQUARE))
    if position.ep_square is not None:
        x, y = _corner(position.ep_square)
        middle = SQUARE / 2
        marks.append(element("circle", class_="ep", cx=x + middle, cy=y + middle, r=11))
        marks.append(element("text", "e.p.", class_="ep", x=x + SQUARE - 3, y=y + 10))
    return marks


def _men(position: Position) -> list[Element]:
    return [
        piece(letter, *_corner(square))
        for square in range(64)
        if (letter := position.piece_at(square)) is not None
    ]


def _described(position: Position, moves: Mapping[str, Sequence[str]]) -> str:
    men: dict[str, list[str]] = {"White": [], "Black": []}
    for square, name in enumerate(SQUARE_NAMES):
        letter = position.piece_at(square)
        if letter is not None:
            men["White" if letter.isupper() else "Black"].append(letter.upper() + name)
    parts = [f"{side}: {' '.join(names)}." for side, names in men.items()]
    parts.append(state_words(position))
    parts += [
        f"Arrows for {kind.name} moves: {' '.join(moves[kind.name])}."
        for kind in KINDS
        if moves.get(kind.name)
    ]
    return " ".join(parts)


def state_words(position: Position) -> str:
    """Return what a board does not show: who is to move, check, the rights, the e.p. square."""
    parts = [f"{position.turn.capitalize()} to move"]
    if position.is_checkmate:
        parts[0] += ", checkmated"
    elif position.is_stalemate:
        parts[0] += ", stalemated"
    elif position.is_check:
        count = len(list(bitboard.squares(position.checkers)))
        parts[0] += ", in double check" if count > 1 else ", in check"
    parts.append(_castling_words(position.castling))
    if position.ep_square is not None:
        parts.append(f"En passant on {SQUARE_NAMES[position.ep_square]}")
    if position.chess960:
        parts.append("Chess960")
    return ". ".join(parts) + "."


def _castling_words(castling: str) -> str:
    """Return who may castle where, for rights like ``KQkq`` and ``HAha``."""
    sides = {
        "White": [right for right in castling if right.isupper()],
        "Black": [right for right in castling if right.islower()],
    }
    said = [
        f"{side} {' and '.join(map(_wing, rights))}" for side, rights in sides.items() if rights
    ]
    return f"Castling rights: {', '.join(said)}" if said else "No castling rights"


def _wing(right: str) -> str:
    letter = right.upper()
    return WINGS.get(letter, f"with the {letter.lower()}-file rook")
