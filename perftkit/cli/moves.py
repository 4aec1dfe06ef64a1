"""Moves of a command line, and what is wrong with one that can't be played."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from perftkit.core.position import SQUARE_NAMES
from perftkit.errors import MoveError
from perftkit.report.text import shortened

if TYPE_CHECKING:
    from collections.abc import Sequence

    from perftkit.core.position import Position

__all__ = ["play"]

NUMBER = re.compile(r"[0-9]{1,3}\.*")
SQUARES = re.compile(r"(?P<origin>[a-h][1-8])(?P<target>[a-h][1-8])[a-z]?")
LONGEST_SHOWN = 20  # characters of a move


def play(position: Position, words: Sequence[str]) -> None:
    """Play the moves of --moves.

    Raises:
        MoveError: One can't be played; the message says which, why, and what there is instead.
    """
    for number, word in enumerate(words, 1):
        try:
            position.push(word)
        except MoveError as error:
            why = _why(position, word, error)
            raise MoveError(f"--moves, move {number}: {why}") from None


def _why(position: Position, word: str, error: MoveError) -> str:
    from perftkit.engines.notation import Notation

    shown = repr(shortened(word, LONGEST_SHOWN, "..."))
    if NUMBER.fullmatch(word):
        return f"{shown} is the number of a move; give the moves alone, as e2e4 e7e5"
    legal = [move.uci() for move in position.legal_moves()]
    meant, lacks_piece = Notation(position).read(word)
    if lacks_piece:
        pieces = [uci for uci in legal if uci[:4] == meant]
        return f"{shown} does not say what the pawn becomes: {_either(pieces)}"
    if meant in legal:
        return f"{shown} is not written by squares; write {meant}"
    where = f"in {position.fen()}"
    squares = SQUARES.fullmatch(meant)
    if squares is None:
        return f"{shown} is no move {where}; moves are written by squares, as e2e4 or e7e8q"
    origin = squares["origin"]
    if "king in check" in str(error):
        return f"{meant} leaves the king in check {where}{_from(origin, legal)}"
    piece = position.piece_at(SQUARE_NAMES.index(origin))
    if piece is None:
        return f"{meant} begins on {origin}, where nothing stands {where}"
    if piece.isupper() != (position.turn == "white"):
        return f"{meant} moves a man of the side that is not to move {where}"
    return f"{meant} is not legal {where}{_from(origin, legal)}"


def _from(origin: str, legal: Sequence[str]) -> str:
    moves = [uci for uci in legal if uci[:2] == origin]
    return f"; from {origin} there {'is' if len(moves) == 1 else 'are'} {_either(moves)}"


def _either(moves: Sequence[str]) -> str:
    *first, last = moves or ["no legal moves"]
    return f"{', '.join(first)} and {last}" if first else last
