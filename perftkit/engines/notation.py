"""What an engine calls a move, turned into perftkit's UCI text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from perftkit.core.position import SQUARE_NAMES, castling_spellings
from perftkit.engines.text import printable

if TYPE_CHECKING:
    from perftkit.core.position import Move, Position

__all__ = ["Notation", "style_of"]

LONGEST = 12  # characters of a move that can't be read

UCI = re.compile(
    r"(?P<piece>[KQRBNPkqrbnp]?)(?P<origin>[A-Ha-h][1-8])(?P<target>[A-Ha-h][1-8])"
    r"(?P<promotion>[QRBNKqrbnk]?)"
)
SAN = re.compile(
    r"(?P<piece>[KQRBN]?)(?P<file>[a-h]?)(?P<rank>[1-8]?)(?P<target>[a-h][1-8])(?P<promotion>[QRBN]?)"
)
CASTLING = re.compile(r"[O0o]-?[O0o](?P<long>-?[O0o])?")
NOISE = re.compile(r"[-x:=()/+#!?]| ?e\.?p\.?$")
FIGURINES = str.maketrans("♔♕♖♗♘♙♚♛♜♝♞♟", "KQRBNPKQRBNP")
FILES = "abcdefgh"


class Notation:
    """Reads the moves of one position."""

    def __init__(self, position: Position) -> None:
        self._position = position
        self._moves = {move.uci(): move for move in position.legal_moves()}
        self._castling = {
            text: uci
            for uci, move in self._moves.items()
            if move.is_castling
            for text in castling_spellings(move)
        }
        self._promotions = {
            uci[:4] for uci, move in self._moves.items() if move.promotion is not None
        }
        self._white = position.turn == "white"

    def read(self, text: str) -> tuple[str, bool]:
        """Return a move in UCI form, and whether it lacks the promotion's letter.

        A move that is not legal is given in UCI form as far as it can be read, else as it is.
        """
        text = text.strip().translate(FIGURINES)
        if text in self._moves:
            return text, False
        if found := CASTLING.fullmatch(text.rstrip("+#!?")):
            return self._castle(long=found["long"] is not None), False
        bare = NOISE.sub("", text)
        if found := UCI.fullmatch(bare):
            return self._by_squares(
                (found["origin"] + found["target"]).lower(), found["promotion"].lower()
            )
        if found := SAN.fullmatch(bare):
            return self._by_piece(found)
        return printable(text)[:LONGEST], False

    def _by_squares(self, squares: str, letter: str) -> tuple[str, bool]:
        uci = squares + letter
        if uci in self._moves:
            return uci, False
        if not letter and squares in self._promotions:
            return squares, True
        if letter == "" and (castling := self._castling_for(squares)):
            return castling, False
        if letter and squares in self._moves:  # "e2e4q": a letter where there is no promotion
            return uci, False
        return uci, False

    def _castling_for(self, squares: str) -> str | None:
        """Return how perftkit writes a castling move, a legal one or not."""
        if squares in self._castling:
            return self._castling[squares]
        origin, target = (SQUARE_NAMES.index(square) for square in (squares[:2], squares[2:]))
        king, rook = ("K", "R") if self._white else ("k", "r")
        if self._position.piece_at(origin) != king or squares[1] != squares[3]:
            return None
        onto_rook = self._position.piece_at(target) == rook
        far = abs(target - origin) > 1
        if onto_rook or (far and squares[2] in "cg"):
            return self._castle(long=target < origin)
        return None

    def _castle(self, *, long: bool) -> str:
        """Return castling to a side as perftkit writes it, whether it is legal or not."""
        for uci in self._castling.values():
            if (uci[2] < uci[0]) == long:
                return uci
        king = next(
            (s for s in range(64) if self._position.piece_at(s) == ("K" if self._white else "k")), 4
        )
        row = SQUARE_NAMES[king][1]
        if not self._position.chess960:
            return f"{SQUARE_NAMES[king]}{'c' if long else 'g'}{row}"
        return f"{SQUARE_NAMES[king]}{self._rook_file(king, long=long)}{row}"

    def _rook_file(self, king: int, *, long: bool) -> str:
        """Return the file of the rook that castles in Chess960: by the rights, else the outer."""
        rights = [r for r in self._position.castling if r.isupper() == self._white and r != "-"]
        home = king % 8
        for right in rights:
            file = right.lower()
            if file in FILES and (FILES.index(file) < home) == long:
                return file
        rook = "R" if self._white else "r"
        row = king - home
        side = range(home) if long else range(7, home, -1)
        for file_index in side:
            if self._position.piece_at(row + file_index) == rook:
                return FILES[file_index]
        return "a" if long else "h"

    def _by_piece(self, found: re.Match[str]) -> tuple[str, bool]:
        letter = found["promotion"].lower()
        fits = sorted(
            {
                uci[:4]
                for uci, move in self._moves.items()
                if self._is_meant(move, found) and (not letter or move.promotion == letter)
            }
        )
        if len(fits) == 1:
            return self._by_squares(fits[0], letter)
        if fits:
            return printable(found[0]), False
        return self._illegal(found, letter)

    def _illegal(self, found: re.Match[str], letter: str) -> tuple[str, bool]:
        """Return the squares of a move that is not legal, where only one piece can be meant."""
        fits = sorted(
            {
                move.uci()[:4]
                for move in self._position.pseudo_legal_moves()
                if self._is_meant(move, found)
            }
        )
        if len(fits) == 1:
            return fits[0] + letter, False
        origins = [s for s in range(64) if self._could_be(s, found)]
        if len(origins) == 1:
            return SQUARE_NAMES[origins[0]] + found["target"] + letter, False
        return printable(found[0]), False

    def _is_meant(self, move: Move, found: re.Match[str]) -> bool:
        target = SQUARE_NAMES[move.to_square]
        return (
            not move.is_castling
            and target == found["target"]
            and self._could_be(move.from_square, found)
        )

    def _could_be(self, square: int, found: re.Match[str]) -> bool:
        piece = (found["piece"] or "P") if self._white else (found["piece"] or "P").lower()
        name = SQUARE_NAMES[square]
        if piece in "Pp" and not found["file"] and name[0] != found["target"][0]:
            return False  # a capture by a pawn names its file
        return (
            self._position.piece_at(square) == piece
            and found["file"] in ("", name[0])
            and found["rank"] in ("", name[1])
        )


def style_of(text: str) -> str:
    """Return what a notation is called: UCI, long algebraic, SAN, or other."""
    text = text.strip().translate(FIGURINES)
    if CASTLING.fullmatch(text.rstrip("+#!?")):
        return "castling as O-O"
    if found := UCI.fullmatch(text):
        if found["piece"]:
            return "long algebraic"
        return "upper-case promotion" if found["promotion"].isupper() else "UCI"
    bare = NOISE.sub("", text)
    if UCI.fullmatch(bare):
        return "long algebraic"
    return "SAN" if SAN.fullmatch(bare) else "other"
