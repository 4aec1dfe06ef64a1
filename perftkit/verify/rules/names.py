"""The public names of the rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["GENERAL", "RULES"]

RULES: Mapping[str, str] = {
    "en-passant-pin": "an e.p. capture that uncovers the own king is held legal",
    "en-passant-evasion": "an e.p. capture out of check is missing, or one that ends none is kept",
    "en-passant-missing": "an e.p. capture is not found",
    "en-passant-stale": "an e.p. capture is possible later than in the very next move",
    "en-passant-target": "an e.p. capture of the wrong pawn or from the wrong square",
    "castling-through-check": "the king castles over an attacked square",
    "castling-out-of-check": "the king castles while it is in check",
    "castling-into-check": "the king castles onto an attacked square",
    "castling-path": "castling over an occupied square, or a free way held blocked (Chess960)",
    "castling-over-restricted": "castling refused because a square of the rook's way is attacked",
    "castling-rights": "a castling right is kept or lost wrongly",
    "castling-missing": "a castling move is not found",
    "promotion-missing": "a pawn arrives on the last rank without being promoted",
    "promotion-piece": "some of the four promotions are missing or wrong",
    "promotion-capture": "promotions are wrong only where the pawn captures",
    "pawn-double-push": "a double push over or onto a man, from the wrong rank, or missing",
    "pawn-wrap": "a pawn gets round the edge of the board",
    "piece-wrap": "a piece gets round the edge of the board",
    "pawn-move": "any other wrong step or capture of a pawn",
    "pin": "a pinned piece leaves the line to its king",
    "pin-over-restricted": "a pinned piece is denied a move along the line to its king",
    "check-evasion": "in check, a move that ends nothing is kept, or one that ends it is missing",
    "double-check": "in double check something other than the king moves",
    "king-into-check": "the king steps onto an attacked square",
    "king-x-ray": "the king steps back along the line of the slider that gives check",
    "king-adjacent": "the king steps next to the other king",
    "king-captures-defended": "the king takes a defended piece",
    "king-over-restricted": "a legal move of the king is missing",
    "slider-range": "a bishop, rook or queen stops short or runs through a man",
    "leaper-moves": "a knight or king lacks a step or has one that is none",
    "own-capture": "a man of the own side or the enemy king is captured",
    "make-unmake": "right for the FEN, wrong after the same moves: state is not kept up",
    "duplicate-move": "a move is listed more than once",
    "move-list-overflow": "moves are lost where there are very many",
    "count-only": "all lists of moves are right, only a number is wrong",
    "fen-parsing": "the FEN is read as another position",
    "unknown": "none of these",
}
"""What each rule that a diagnosis can name means, by its public name."""

GENERAL = {
    "pin": 1,
    "en-passant-missing": 1,
    "castling-missing": 1,
    "check-evasion": 1,
    "pawn-move": 2,
    "slider-range": 2,
    "leaper-moves": 2,
    "king-into-check": 2,
    "king-over-restricted": 1,
}
"""How general a rule is; the others, 0, are special cases."""
