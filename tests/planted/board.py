"""The board: reading and writing FENs, making and taking back moves in place, attacks.

Wherever a bug can be planted, its name stands next to what it changes: `bug` is the name of the
bug that the side in question has, the empty string for none.
"""

from __future__ import annotations

from typing import NamedTuple

from planted.geometry import (
    BLACK,
    DIAGONAL_RAYS,
    FORWARD,
    HOME_RANK,
    KING_STEPS,
    KNIGHT_STEPS,
    PAWN_STEPS,
    STRAIGHT_RAYS,
    WHITE,
    file_of,
    name_of,
    rank_of,
    square_named,
)

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
EMPTY = "."
OWN = (frozenset("PNBRQK"), frozenset("pnbrqk"))
MEN = (tuple("PNBRQK"), tuple("pnbrqk"))
KINGSIDE, QUEENSIDE = 0, 1
KING_TO = (6, 2)  # files, by side
ROOK_TO = (5, 3)
QUIET, DOUBLE, EN_PASSANT, CASTLING = "quiet", "double", "en passant", "castling"
NO_EP_IS_A_SQUARE = (56, 0)  # a8 and a1

Rights = tuple[int | None, int | None, int | None, int | None]


class Move(NamedTuple):
    """Castling goes from the king's square to the rook's; a capture is what lands on a man."""

    start: int
    target: int
    promotion: str = ""
    kind: str = QUIET


class Undo(NamedTuple):
    """What a move destroys."""

    move: Move
    man: str
    captured: str
    victim: int  # where the captured man stood
    rights: Rights
    ep: int | None
    clocks: tuple[int, int]
    turn: int
    kings: tuple[int, int]


class Board:
    """A position that one of the two sides, or both, may handle wrongly.

    Attributes:
        active: The name of the bug by side, the empty string where that side has none.
        squares: The 64 men, as in a FEN, or `EMPTY`.
        rights: The squares of the rooks that may castle, king's side first, White first.
        ep: The square behind a pawn that has just made a double step.
    """

    def __init__(self, bug: str = "", color: str = "both") -> None:
        self.active = (
            bug if color in ("white", "both") else "",
            bug if color in ("black", "both") else "",
        )
        self.history: list[Undo] = []
        self.set_fen(START)

    # FEN

    def set_fen(self, fen: str, chess960: bool = False) -> None:
        """Read a FEN of four or six fields; castling as KQkq, X-FEN or Shredder-FEN."""
        placement, turn, castling, ep, halfmove, fullmove = f"{fen} 0 1".split()[:6]
        self.squares = [EMPTY] * 64
        for rank, row in enumerate(placement.split("/")):
            spread = "".join(EMPTY * int(c) if c.isdigit() else c for c in row)
            self.squares[56 - 8 * rank : 64 - 8 * rank] = list(spread)
        self.turn = WHITE if turn == "w" else BLACK
        if "fen-always-white" in self.active:
            self.turn = WHITE
        self.kings = [self._find(MEN[us][5]) for us in (WHITE, BLACK)]
        self.chess960 = chess960 or not set(castling) <= set("KQkq-")
        self.rights: Rights = self._read_rights(castling)
        self.ep = None if ep == "-" else square_named(ep)
        if self.active[self.turn] == "fen-en-passant-ignored":
            self.ep = None
        self.clocks = (int(halfmove), int(fullmove))
        self.history.clear()

    def _find(self, man: str) -> int:
        return self.squares.index(man) if man in self.squares else -1

    def _read_rights(self, castling: str) -> Rights:
        rights: list[int | None] = [None] * 4
        for letter in castling.replace("-", ""):
            us = WHITE if letter.isupper() else BLACK
            rook = self._rook_meant(letter, us)
            rights[2 * us + (KINGSIDE if rook > self.kings[us] else QUEENSIDE)] = rook
        for us in (WHITE, BLACK):
            if self.active[us] == "fen-rights-ignored":
                rights[2 * us : 2 * us + 2] = [None, None]
            if self.active[us] == "fen-rights-guessed" and not self.chess960:
                rights[2 * us : 2 * us + 2] = self._rights_guessed(us)
        return (rights[0], rights[1], rights[2], rights[3])

    def _rook_meant(self, letter: str, us: int) -> int:
        rank = 8 * HOME_RANK[us]
        if letter.upper() not in "KQ":
            return rank + "ABCDEFGH".index(letter.upper())
        rooks = [rank + file for file in range(8) if self.squares[rank + file] == MEN[us][3]]
        return max(rooks) if letter.upper() == "K" else min(rooks)

    def _rights_guessed(self, us: int) -> list[int | None]:
        king, rank = self.kings[us], 8 * HOME_RANK[us]
        corners = (rank + 7, rank)
        at_home = king == rank + 4
        return [c if at_home and self.squares[c] == MEN[us][3] else None for c in corners]

    def fen(self) -> str:
        """Return the FEN; e.p. after every double step, Shredder letters in Chess960."""
        rows = []
        for rank in range(7, -1, -1):
            row = "".join(self.squares[8 * rank : 8 * rank + 8])
            for run in range(8, 0, -1):
                row = row.replace(EMPTY * run, str(run))
            rows.append(row)
        letters = "".join(
            self._right_letter(index, rook)
            for index, rook in enumerate(self.rights)
            if rook is not None
        )
        ep = "-" if self.ep is None else name_of(self.ep)
        return (
            f"{'/'.join(rows)} {'wb'[self.turn]} {letters or '-'} {ep} "
            f"{self.clocks[0]} {self.clocks[1]}"
        )

    def _right_letter(self, index: int, rook: int) -> str:
        letter = "ABCDEFGH"[file_of(rook)] if self.chess960 else "KQ"[index % 2]
        return letter if index < 2 else letter.lower()

    # Moves

    def make(self, move: Move) -> None:
        """Play a move in place."""
        us = self.turn
        bug = self.active[us]
        squares = self.squares
        start, target, _, kind = move
        man = squares[start]
        behind = kind == EN_PASSANT or (target == self.ep and bug == "en-passant-by-pieces")
        victim = target - FORWARD[us] if behind else target
        captured = EMPTY if kind == CASTLING else squares[victim]
        self.history.append(
            Undo(
                move,
                man,
                captured,
                victim,
                self.rights,
                self.ep,
                self.clocks,
                us,
                (self.kings[WHITE], self.kings[BLACK]),
            )
        )
        if kind == CASTLING:
            self._castle(move, us, bug)
        else:
            if not (kind == EN_PASSANT and bug == "en-passant-victim-stays"):
                squares[victim] = EMPTY
            squares[start] = EMPTY
            squares[target] = self._arrived(move, man, us, bug)
            if man == MEN[us][5]:
                self.kings[us] = target
        self.rights = self._rights_after(move, man, us)
        self.ep = self._ep_after(move, man, bug)
        self.clocks = (
            0 if man in "Pp" or captured != EMPTY else self.clocks[0] + 1,
            self.clocks[1] + us,
        )
        if not (kind == CASTLING and bug == "turn-kept-by-castling"):
            self.turn = 1 - us

    def _castle(self, move: Move, us: int, bug: str) -> None:
        king_to, rook_to = castling_targets(move, us)
        self.squares[move.start] = self.squares[move.target] = EMPTY
        self.squares[king_to] = MEN[us][5]
        if bug == "castling-rook-stays":
            rook_to = move.target
        self.squares[rook_to] = MEN[us][3]
        if bug != "castling-king-square-stale":
            self.kings[us] = king_to

    def _arrived(self, move: Move, man: str, us: int, bug: str) -> str:
        if not move.promotion or bug == "promotion-made-a-pawn":
            return man
        kind = "q" if bug == "promotion-made-a-queen" else move.promotion
        return kind.upper() if us == WHITE else kind

    def _rights_after(self, move: Move, man: str, us: int) -> Rights:
        rights = list(self.rights)
        bug, their_bug = self.active[us], self.active[1 - us]
        for index in (2 * us, 2 * us + 1):
            if rights[index] == move.start and bug != "rights-kept-rook-moved":
                rights[index] = None
                if bug == "rights-lost-on-both-sides":
                    rights[2 * us] = rights[2 * us + 1] = None
            if man == MEN[us][5] and bug != "rights-kept-king-moved":
                rights[index] = None
        for index in (2 - 2 * us, 3 - 2 * us):
            kept = their_bug == "rights-kept-rook-captured" or (
                their_bug == "rights-kept-rook-takes-rook" and man == MEN[us][3]
            )
            if rights[index] == move.target and not kept:
                rights[index] = None
        return (rights[0], rights[1], rights[2], rights[3])

    def _ep_after(self, move: Move, man: str, bug: str) -> int | None:
        if move.kind == DOUBLE:
            behind = (move.start + move.target) // 2
            # The side that would capture is the one that has the bug.
            return (
                move.target if self.active[1 - self.turn] == "en-passant-square-wrong" else behind
            )
        if bug == "en-passant-never-cleared":
            return self.ep
        if bug == "en-passant-cleared-by-pawns" and man not in "Pp":
            return self.ep
        return None

    def unmake(self) -> None:
        """Take the last move back in place."""
        undo = self.history.pop()
        us = undo.turn
        bug = self.active[us]
        squares, (start, target, promotion, kind) = self.squares, undo.move
        if kind == CASTLING:
            self._uncastle(undo.move, us, bug)
        else:
            stays = promotion and bug == "unmake-keeps-the-promoted-piece"
            squares[start] = squares[target] if stays else undo.man
            squares[target] = EMPTY
            if not (bug == "unmake-forgets-the-captured-man" and undo.captured != EMPTY):
                wrong = kind == EN_PASSANT and bug == "unmake-misplaces-the-en-passant-pawn"
                squares[target if wrong else undo.victim] = undo.captured
        if bug != "unmake-forgets-rights":
            self.rights = undo.rights
        if bug != "unmake-forgets-en-passant":
            self.ep = undo.ep
        self.clocks = undo.clocks
        self.turn = us
        if bug != "unmake-forgets-the-king-square":
            self.kings[:] = undo.kings

    def _uncastle(self, move: Move, us: int, bug: str) -> None:
        king_to, rook_to = castling_targets(move, us)
        self.squares[king_to] = EMPTY
        if bug != "unmake-leaves-the-castled-rook":
            self.squares[rook_to] = EMPTY
        self.squares[move.target] = MEN[us][3]
        self.squares[move.start] = MEN[us][5]

    def text(self, move: Move) -> str:
        """Return the move as UCI writes it; castling is king takes rook in Chess960."""
        target = move.target
        if move.kind == CASTLING and not self.chess960:
            target = castling_targets(move, self.turn)[0]
        return name_of(move.start) + name_of(target) + move.promotion

    # Attacks

    def attackers(self, square: int, by: int) -> list[int]:
        """Return where the men of a side stand that attack a square."""
        squares = self.squares
        pawn, knight, bishop, rook, queen, king = MEN[by]
        found = [s for s in PAWN_STEPS[1 - by][square] if squares[s] == pawn]
        found += [s for s in KNIGHT_STEPS[square] if squares[s] == knight]
        found += [s for s in KING_STEPS[square] if squares[s] == king]
        for rays, slider in ((STRAIGHT_RAYS, rook), (DIAGONAL_RAYS, bishop)):
            for ray in rays[square]:
                for s in ray:
                    man = squares[s]
                    if man != EMPTY:
                        if man in (slider, queen):
                            found.append(s)
                        break
        return found

    def pins(self, us: int) -> dict[int, frozenset[int]]:
        """Return where each pinned man may go: the line between the king and the pinning man."""
        found: dict[int, frozenset[int]] = {}
        king, bug = self.kings[us], self.active[us]
        if bug == "pin-ignored" or king < 0:
            return found
        _, _, bishop, rook, queen, _ = MEN[1 - us]
        for rays, slider in ((STRAIGHT_RAYS, rook), (DIAGONAL_RAYS, bishop)):
            if slider == bishop and bug == "pin-on-diagonals-ignored":
                continue
            for ray in rays[king]:
                self._pin_on(ray, us, (slider, queen), found)
        return found

    def _pin_on(
        self,
        ray: tuple[int, ...],
        us: int,
        sliders: tuple[str, str],
        found: dict[int, frozenset[int]],
    ) -> None:
        pinned = -1
        for count, square in enumerate(ray, 1):
            man = self.squares[square]
            if man == EMPTY:
                continue
            if pinned >= 0:
                if man in sliders:
                    found[pinned] = frozenset(ray[:count])
                return
            if man not in OWN[us]:
                return
            pinned = square


def castling_targets(move: Move, us: int) -> tuple[int, int]:
    """Return where king and rook come to stand."""
    side = KINGSIDE if move.target > move.start else QUEENSIDE
    rank = 8 * HOME_RANK[us]
    return rank + KING_TO[side], rank + ROOK_TO[side]


def same_diagonal(first: int, second: int) -> bool:
    return abs(file_of(first) - file_of(second)) == abs(rank_of(first) - rank_of(second))
