"""The legal moves: check and pin masks first, then every man in turn.

Bugs are planted in place, as in `planted.board`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from planted.board import (
    CASTLING,
    DOUBLE,
    EMPTY,
    EN_PASSANT,
    KINGSIDE,
    MEN,
    NO_EP_IS_A_SQUARE,
    OWN,
    QUEENSIDE,
    QUIET,
    Board,
    Move,
    castling_targets,
    same_diagonal,
)
from planted.geometry import (
    BETWEEN,
    DIAGONAL_RAYS,
    EAST,
    FORWARD,
    HOME_RANK,
    KING_STEPS,
    KING_WRAPPED,
    KNIGHT_STEPS,
    KNIGHT_WRAPPED,
    LAST_RANK,
    PAWN_RANK,
    PAWN_STEPS,
    PAWN_WRAPPED,
    SOUTH_WEST,
    STRAIGHT_RAYS,
    WHITE,
    file_of,
    rank_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

LIST_SIZE = 128

Mask = frozenset[int] | None


class Generator(Board):
    """A board that lists the moves of the side to move."""

    def legal_moves(self) -> list[Move]:
        us = self.turn
        bug = self.active[us]
        king = self.kings[us]
        checkers = self.attackers(king, 1 - us) if king >= 0 else []
        moves = list(self._king_moves(us, bug))
        if len(checkers) < 2 or bug == "double-check-second-checker-overlooked":
            mask = self._evasion_mask(king, checkers, bug)
            pins = self.pins(us)
            if checkers and bug == "pin-ignored-in-check":
                pins = {}
            for square, man in enumerate(self.squares):
                if man in OWN[us] and man != MEN[us][5]:
                    moves += self._moves_of(man, square, us, mask, pins.get(square))
            moves += self._en_passant(us, checkers, pins)
        moves += self._castling(us, checkers, bug)
        if bug == "move-list-of-128":
            return moves[:LIST_SIZE]
        return moves

    # Kings

    def _king_moves(self, us: int, bug: str) -> Iterator[Move]:
        start = self.kings[us]
        if self.squares[start] != MEN[us][5]:
            return
        lifted = bug != "king-shields-its-own-back"
        for target in self._king_targets(start, bug):
            man = self.squares[target]
            if man in OWN[us] and bug != "own-capture-by-king":
                continue
            if lifted:
                self.squares[start] = EMPTY
            safe = self._is_safe(target, us, bug)
            self.squares[start] = MEN[us][5]
            if safe:
                yield Move(start, target)

    def _king_targets(self, start: int, bug: str) -> tuple[int, ...]:
        if bug == "king-wraps":
            return KING_WRAPPED[start]
        if bug == "king-lacks-a-step":
            return tuple(target for target in KING_STEPS[start] if target != start - 9)
        return KING_STEPS[start]

    def _is_safe(self, target: int, us: int, bug: str) -> bool:
        them = 1 - us
        captures = self.squares[target] in OWN[them]
        if bug == "king-ignores-attacks" or (bug == "king-takes-defended-men" and captures):
            return True
        if bug == "king-never-captures" and captures:
            return False
        attackers = self.attackers(target, them)
        if bug == "king-next-to-king":
            attackers = [s for s in attackers if self.squares[s] != MEN[them][5]]
        if bug == "king-ignores-pawns":
            attackers = [s for s in attackers if self.squares[s] != MEN[them][0]]
        if attackers:
            return False
        return not (bug == "king-fears-pushes" and self._could_be_pushed_to(target, them))

    def _could_be_pushed_to(self, target: int, them: int) -> bool:
        source = target - FORWARD[them]
        return 0 <= source < 64 and self.squares[source] == MEN[them][0]

    # Checks and pins

    def _evasion_mask(self, king: int, checkers: list[int], bug: str) -> Mask:
        """Where a man other than the king has to go, None for anywhere."""
        if not checkers or bug == "check-ignored":
            return None
        blocks = BETWEEN[king][checkers[0]]
        if bug == "check-never-blocked":
            return frozenset(checkers[:1])
        if bug == "checker-never-captured":
            return blocks
        return blocks | {checkers[0]}

    def _moves_of(self, man: str, start: int, us: int, mask: Mask, pin: Mask) -> list[Move]:
        bug = self.active[us]
        if pin is not None and bug == "pinned-men-frozen":
            return []
        kind = man.lower()
        if kind == "p":
            return list(self._pawn_moves(start, us, mask, pin))
        moves = [
            Move(start, target)
            for target in self._targets(kind, start, us, bug)
            if (mask is None or target in mask) and (pin is None or target in pin)
        ]
        return moves * 2 if kind == "q" and bug == "queen-moves-listed-twice" else moves

    # Pieces

    def _targets(self, kind: str, start: int, us: int, bug: str) -> Iterable[int]:
        if kind == "n":
            return self._knight_targets(start, us, bug)
        rays: list[tuple[int, ...]] = []
        if kind in "rq":
            rays += STRAIGHT_RAYS[start]
            if bug == "slider-wraps":
                rays[EAST] = self._ray_east_round_the_edge(start)
        if kind in "bq":
            rays += DIAGONAL_RAYS[start]
            if kind == "b" and bug == "bishop-lacks-a-direction":
                del rays[SOUTH_WEST]
        return [target for ray in rays for target in self._slide(ray, us, bug)]

    def _ray_east_round_the_edge(self, start: int) -> tuple[int, ...]:
        ray = STRAIGHT_RAYS[start][EAST]
        beyond = start + len(ray) + 1
        return (*ray, beyond) if beyond < 64 else ray

    def _knight_targets(self, start: int, us: int, bug: str) -> list[int]:
        targets = KNIGHT_WRAPPED[start] if bug == "knight-wraps" else KNIGHT_STEPS[start]
        if bug == "knight-lacks-a-step":
            targets = tuple(target for target in targets if target != start + 17)
        if bug == "knight-steps-too-far" and start + 24 < 64 and file_of(start) < 7:
            targets = (*targets, start + 25)
        if bug == "own-capture-by-knight":
            return list(targets)
        return [target for target in targets if self.squares[target] not in OWN[us]]

    def _slide(self, ray: tuple[int, ...], us: int, bug: str) -> Iterator[int]:
        if bug == "slider-stops-short":
            ray = ray[:6]
        for target in ray:
            man = self.squares[target]
            if target == self.ep and bug == "slider-stops-at-the-en-passant-square":
                return
            if man in OWN[us]:
                if bug == "own-capture-by-slider":
                    yield target
                return
            yield target
            if man != EMPTY and bug != "slider-runs-through":
                return

    # Pawns

    def _pawn_moves(self, start: int, us: int, mask: Mask, pin: Mask) -> Iterator[Move]:
        bug = self.active[us]
        for target, kind in self._pawn_steps(start, us, bug, mask is not None):
            if (mask is None or target in mask) and (pin is None or target in pin):
                yield from self._expanded(start, target, kind, us, mask is not None)

    def _pawn_steps(
        self, start: int, us: int, bug: str, in_check: bool
    ) -> Iterator[tuple[int, str]]:
        squares = self.squares
        theirs = OWN[1 - us]
        one = start + FORWARD[us]
        if not 0 <= one < 64:
            return
        if squares[one] == EMPTY or (bug == "pawn-push-captures" and squares[one] in theirs):
            yield one, QUIET
        if self._may_push_twice(start, us, bug, in_check):
            yield one + FORWARD[us], DOUBLE
        steps = PAWN_WRAPPED if bug == "pawn-capture-wraps" else PAWN_STEPS
        for target in steps[us][start]:
            if bug == "pawn-never-captures-to-the-left" and file_of(target) < file_of(start):
                continue
            to_nothing = squares[target] == EMPTY and target != self.ep
            if squares[target] in theirs or (to_nothing and bug == "pawn-captures-nothing"):
                yield target, QUIET

    def _may_push_twice(self, start: int, us: int, bug: str, in_check: bool) -> bool:
        one = start + FORWARD[us]
        two = one + FORWARD[us]
        rank = rank_of(start)
        third = PAWN_RANK[us] + (1 if us == WHITE else -1)
        if rank != PAWN_RANK[us] and not (
            bug == "double-push-from-the-third-rank" and rank == third
        ):
            return False
        if bug == "double-push-missing" or (bug == "double-push-no-evasion" and in_check):
            return False
        jumps = bug == "double-push-jumps"
        lands = bug == "double-push-captures" and self.squares[two] in OWN[1 - us]
        return (self.squares[one] == EMPTY or jumps) and (self.squares[two] == EMPTY or lands)

    def _expanded(
        self, start: int, target: int, kind: str, us: int, in_check: bool
    ) -> Iterator[Move]:
        if rank_of(target) != LAST_RANK[us]:
            yield Move(start, target, "", kind)
            return
        captures = file_of(start) != file_of(target)
        for promotion in self._promotions(captures, us, in_check):
            yield Move(start, target, promotion, kind)

    def _promotions(self, captures: bool, us: int, in_check: bool) -> tuple[str, ...]:
        bug = self.active[us]
        if bug == "promotion-missing":
            return ("",)
        if bug == "promotion-to-queen-only":
            return ("q",)
        if bug == "promotion-to-three-pieces":
            return ("q", "r", "b")
        if bug == "promotion-to-king":
            return ("q", "r", "b", "n", "k")
        if captures and bug == "promotion-capture-missing":
            return ()
        if captures and bug == "promotion-capture-to-queen-only":
            return ("q",)
        if captures and in_check and bug == "promotion-capture-of-checker-unpromoted":
            return ("",)
        return ("q", "r", "b", "n")

    # En passant

    def _en_passant(
        self, us: int, checkers: list[int], pins: dict[int, frozenset[int]]
    ) -> Iterator[Move]:
        bug = self.active[us]
        target = self.ep
        if target is None and bug == "en-passant-none-is-a-square":
            target = NO_EP_IS_A_SQUARE[us]
        if target is None or self.squares[target] != EMPTY or bug == "en-passant-missing":
            return
        for start in self._en_passant_sources(target, us, bug):
            move = Move(start, target, "", EN_PASSANT)
            if bug == "en-passant-pinned-never" and start in pins:
                continue
            if self._is_en_passant_legal(move, us, checkers, bug):
                yield move

    def _en_passant_sources(self, target: int, us: int, bug: str) -> Iterator[int]:
        # A pawn captures from where an enemy pawn on the target would capture.
        sources = PAWN_STEPS[1 - us][target]
        if bug == "en-passant-wraps":
            sources = PAWN_WRAPPED[1 - us][target]
        if bug == "en-passant-backwards":
            sources += PAWN_STEPS[us][target]
        for start in sources:
            if self.squares[start] != MEN[us][0]:
                continue
            if bug == "en-passant-to-one-side-only" and file_of(start) > file_of(target):
                continue
            yield start

    def _is_en_passant_legal(self, move: Move, us: int, checkers: list[int], bug: str) -> bool:
        squares = self.squares
        victim = move.target - FORWARD[us]
        king = self.kings[us]
        if checkers and bug == "en-passant-evasion-missing" and victim in checkers:
            return False
        captured = squares[victim]
        squares[move.start] = squares[victim] = EMPTY
        squares[move.target] = MEN[us][0]
        attackers = self.attackers(king, 1 - us) if king >= 0 else []
        squares[move.start] = MEN[us][0]
        squares[move.target] = EMPTY
        squares[victim] = captured
        uncovered = [s for s in attackers if s not in checkers]
        remaining = [s for s in attackers if s in checkers]
        if bug == "en-passant-pin-ignored":
            uncovered = []
        if bug == "en-passant-pin-on-ranks-ignored":
            uncovered = [s for s in uncovered if rank_of(s) != rank_of(king)]
        if bug == "en-passant-pin-on-diagonals-ignored":
            uncovered = [s for s in uncovered if not same_diagonal(s, king)]
        if bug == "en-passant-check-ignored":
            remaining = []
        return not uncovered and not remaining

    # Castling

    def _castling(self, us: int, checkers: list[int], bug: str) -> Iterator[Move]:
        king = self.kings[us]
        if self.squares[king] != MEN[us][5] or rank_of(king) != HOME_RANK[us]:
            return
        if checkers and bug != "castling-out-of-check":
            return
        for side in (KINGSIDE, QUEENSIDE):
            rook = self.rights[2 * us + side]
            if rook is None or (rook > king) != (side == KINGSIDE):
                continue
            if side == QUEENSIDE and bug == "castling-queenside-missing":
                continue
            move = Move(king, rook, "", CASTLING)
            if self._is_written_apart(move, us) and self._may_castle(move, us, bug):
                yield move

    def _is_written_apart(self, move: Move, us: int) -> bool:
        """Whether a king that castles from a wrong square is not taken for one that steps."""
        return self.chess960 or abs(castling_targets(move, us)[0] - move.start) > 1

    def _may_castle(self, move: Move, us: int, bug: str) -> bool:
        king, rook = move.start, move.target
        king_to, _ = castling_targets(move, us)
        if king == king_to and bug == "castling-960-king-stays-missing":
            return False
        if any(self.squares[s] != EMPTY for s in self._path(move, us, bug)):
            return False
        walk = BETWEEN[king][king_to] | {king_to}
        if bug == "castling-through-check":
            walk = frozenset({king_to})
        if bug == "castling-into-check":
            walk = BETWEEN[king][king_to]
        if bug == "castling-over-attacked-b-file":
            walk |= BETWEEN[king][rook]
        if bug == "castling-with-attacked-rook":
            walk |= {rook}
        if any(self.attackers(s, 1 - us) for s in walk if s != king):
            return False
        if bug in ("castling-into-check", "castling-960-rook-shields"):
            return True
        return not self._attacked_when_castled(move, us)

    def _path(self, move: Move, us: int, bug: str) -> frozenset[int]:
        king, rook = move.start, move.target
        king_to, rook_to = castling_targets(move, us)
        kings_path = BETWEEN[king][king_to] | {king_to}
        rooks_path = BETWEEN[rook][rook_to] | {rook_to}
        if bug == "castling-over-men":
            return frozenset()
        if bug == "castling-over-the-b-file":
            return (kings_path | {rook_to}) - {king, rook}
        if bug == "castling-960-blocks-itself":
            return kings_path | rooks_path
        return (kings_path | rooks_path) - {king, rook}

    def _attacked_when_castled(self, move: Move, us: int) -> bool:
        king_to, rook_to = castling_targets(move, us)
        before = list(self.squares)
        self.squares[move.start] = self.squares[move.target] = EMPTY
        self.squares[king_to], self.squares[rook_to] = MEN[us][5], MEN[us][3]
        attacked = bool(self.attackers(king_to, 1 - us))
        self.squares = before
        return attacked
