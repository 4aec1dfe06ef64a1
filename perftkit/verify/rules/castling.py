"""Why a castling move may be wrongly there, or wrongly not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from perftkit.verify.rules.board import NAMES, between, file_of, name, rank_of
from perftkit.verify.rules.scene import Cause, Played, Step, read_step

if TYPE_CHECKING:
    from collections.abc import Iterator

    from perftkit.core.position import Move
    from perftkit.verify.rules.scene import Scene

__all__ = ["Castling", "attempt_of", "causes_of_extra_castling", "causes_of_missing_castling"]


@dataclass(frozen=True, slots=True)
class Castling:
    """A castling move, legal or not.

    Attributes:
        king: Where the king stands.
        rook: Where the rook stands, or should.
        kingside: Whether it is O-O.
    """

    king: int
    rook: int
    kingside: bool

    @property
    def king_target(self) -> int:
        """Where the king arrives."""
        return (self.king & ~7) + (6 if self.kingside else 2)

    @property
    def rook_target(self) -> int:
        """Where the rook arrives."""
        return (self.king & ~7) + (5 if self.kingside else 3)

    @property
    def king_path(self) -> list[int]:
        """The squares that the king crosses, its first and last square left out."""
        return between(self.king, self.king_target)

    @property
    def needs_empty(self) -> list[int]:
        """The squares on which no man but this king and this rook may stand, in order."""
        ways = (self.king, self.king_target), (self.rook, self.rook_target)
        found = {square for way in ways for square in (*between(*way), way[1])}
        return sorted(found - {self.king, self.rook})

    @property
    def textbook(self) -> list[int]:
        """The squares that have to be empty in standard chess on this side."""
        files = (5, 6) if self.kingside else (1, 2, 3)
        return [(self.king & ~7) + file for file in files]

    @property
    def text(self) -> str:
        """``O-O`` or ``O-O-O``."""
        return "O-O" if self.kingside else "O-O-O"


def attempt_of(scene: Scene, step: Step) -> Castling | None:
    """Return the castling that a move means, None when it is an ordinary move."""
    men = scene.men
    king = men.king
    if step.source != king or rank_of(king) != men.home or rank_of(step.target) != men.home:
        return None
    if scene.chess960 and men.own(step.target):
        onto_rook = men.kind(step.target) == "r"
        return Castling(king, step.target, step.target > king) if onto_rook else None
    corner = file_of(step.target) in (0, 7) and men.own(step.target)
    far = abs(step.target - king) > (2 if corner else 1)
    if not far or not (corner or file_of(step.target) in (2, 6)):
        return None
    kingside = step.target > king
    return Castling(king, _rook_for(scene, kingside), kingside)


def _rook_for(scene: Scene, kingside: bool) -> int:
    """The rook that a step of the king to this side castles with; the corner without one."""
    men = scene.men
    corner = men.home * 8 + (7 if kingside else 0)
    if not scene.chess960:
        return corner
    way = [*between(men.king, corner), corner] if corner != men.king else []
    rooks = [square for square in way if men.own(square) and men.kind(square) == "r"]
    with_right = [square for square in rooks if _has_right(scene, square)]
    outermost = max if kingside else min
    return outermost(with_right or rooks or [corner])


def _has_right(scene: Scene, rook: int) -> bool:
    return right_letter(scene, rook) in scene.position.castling


def right_letter(scene: Scene, rook: int) -> str:
    """Return the letter of the castling field for the mover's rook on a square."""
    men = scene.men
    if scene.position.chess960:
        letter = "abcdefgh"[file_of(rook)]
    else:
        letter = "k" if rook > men.king else "q"
    return letter.upper() if men.white else letter


# A castling move too many


def causes_of_extra_castling(scene: Scene, castling: Castling) -> Iterator[Cause]:
    """Yield what is broken when this castling is held legal, the strongest first."""
    written = _written_otherwise(scene, castling)
    if written is not None:
        yield written
        return
    if not _has_right(scene, castling.rook):
        yield _without_right(scene, castling)
        if abs(castling.rook - castling.king) == 1:
            yield Cause(
                "own-capture",
                f"The king on {name(castling.king)} takes its own rook on {name(castling.rook)}.",
                proven=False,
            )
        return
    men = scene.men
    for square in castling.needs_empty:
        if men.at[square] is not None:
            yield Cause("castling-path", _over(scene, castling, square))
            break
    if scene.checkers:
        yield Cause(
            "castling-out-of-check",
            f"{scene.mover} castles although {men.all_of(scene.checkers)} gives check to the king"
            f" on {name(castling.king)}: nobody castles out of check.",
        )
        return
    yield from _attacked_on_the_way(scene, castling)


def _written_otherwise(scene: Scene, castling: Castling) -> Cause | None:
    """A legal castling that the engine has in a notation which was not understood."""
    for text in scene.evidence.missing:
        move = scene.legal.get(text)
        if move is not None and move.is_castling and move.to_square == castling.rook:
            return Cause(
                "unknown",
                f"{castling.text} is legal and the engine has it in another notation, not as"
                f" {text}: that is no wrong move (in Chess960 castling is king takes rook).",
                proven=False,
            )
    return None


def _over(scene: Scene, castling: Castling, square: int) -> str:
    who = "rook" if square not in [*castling.king_path, castling.king_target] else "king"
    start = castling.rook if who == "rook" else castling.king
    end = castling.rook_target if who == "rook" else castling.king_target
    way = "lands on" if square == end else "passes over"
    return (
        f"{castling.text} is not possible: the {who} from {name(start)} {way} {name(square)}, where"
        f" {_a_man(scene, square)} stands."
    )


def _a_man(scene: Scene, square: int) -> str:
    kind = NAMES[scene.men.kind(square) or "p"]
    return f"a {kind} of {'its own' if scene.men.own(square) else 'the other side'}"


def _attacked_on_the_way(scene: Scene, castling: Castling) -> Iterator[Cause]:
    men = scene.men
    for square in castling.king_path:
        attackers = men.attackers(square, empty=[castling.king])
        if attackers:
            yield Cause(
                "castling-through-check",
                f"With {castling.text} the king goes from {name(castling.king)} to"
                f" {name(castling.king_target)} over {name(square)}, which"
                f" {men.all_of(attackers)} attack{_s(attackers)}.",
            )
            break
    target = castling.king_target
    attackers = men.attackers(target, empty=[castling.king])
    if attackers:
        text = f"{men.all_of(attackers)} attack{_s(attackers)}"
        yield Cause("castling-into-check", f"{castling.text} ends on {name(target)}, which {text}.")
        return
    attackers = men.attackers(
        target, empty=[castling.king, castling.rook], filled=[castling.rook_target]
    )
    if attackers:
        yield Cause(
            "castling-into-check",
            f"Once the rook has left {name(castling.rook)} in {castling.text},"
            f" {men.all_of(attackers)} attack{_s(attackers)} the king on {name(target)}.",
        )


def _s(found: list[int]) -> str:
    return "" if len(found) > 1 else "s"


def _without_right(scene: Scene, castling: Castling) -> Cause:
    letter = right_letter(scene, castling.rook)
    event = _what_took_the_right(scene, letter, castling)
    if event is not None:
        return Cause(
            "castling-rights",
            f"{scene.mover} has no right to {castling.text} any more: {event}."
            " The engine keeps the right.",
        )
    if scene.men.kind(castling.rook) != "r" or not scene.men.own(castling.rook):
        return Cause(
            "castling-rights",
            f"{scene.mover} has no right to {castling.text}: there is no rook on"
            f" {name(castling.rook)}.",
        )
    where = "the root's FEN" if scene.line else "the FEN"
    return Cause(
        "fen-parsing",
        f"The castling field of {where} gives {scene.mover} no {castling.text} (no {letter}"
        f" in {_root_rights(scene)!r}), the engine castles all the same: it read the field"
        " otherwise, or does not look at the rights.",
        proven=False,
    )


def _root_rights(scene: Scene) -> str:
    return (scene.root or scene.position).castling


def _what_took_the_right(scene: Scene, letter: str, castling: Castling) -> str | None:
    """The move of the line by which the right went, as a clause."""
    for played in scene.line:
        if letter in played.before.castling and letter not in played.after.castling:
            return _event(played, castling, scene.position.turn)
    return None


def _event(played: Played, castling: Castling, turn: str) -> str:
    move = played.move
    if played.before.turn != turn:
        return f"{move} took the rook on {name(castling.rook)}"
    if move.is_castling:
        return f"{move} was castling already"
    return f"the {NAMES[played.kind]} moved from {name(move.from_square)} with {move}"


# A castling move too few


def causes_of_missing_castling(scene: Scene, move: Move) -> Iterator[Cause]:
    """Yield what is broken when a legal castling is not found, the strongest first."""
    castling = Castling(move.from_square, move.to_square, move.to_square > move.from_square)
    written = _spelled_by_extra(scene, castling)
    if written is not None:
        yield written
        return
    special = _attacked_for_the_rook_only(scene, castling) or _held_blocked(scene, castling)
    if special is not None:
        yield special
    lost = _right_held_lost(scene, castling)
    if lost is not None:
        yield lost
    yield _just_missing(scene, castling)


def _spelled_by_extra(scene: Scene, castling: Castling) -> Cause | None:
    """The same, when an extra move is the castling that is missing."""
    for text in scene.evidence.extra:
        step = read_step(text)
        attempt = attempt_of(scene, step) if step is not None else None
        if attempt is not None and attempt.rook == castling.rook:
            return _written_otherwise(scene, attempt)
    return None


def _attacked_for_the_rook_only(scene: Scene, castling: Castling) -> Cause | None:
    """Squares attacked that the rook may stand on or pass over, but the king never touches."""
    men = scene.men
    kings = {castling.king, castling.king_target, *castling.king_path}
    rooks = {castling.rook, castling.rook_target, *between(castling.rook, castling.rook_target)}
    for square in sorted({*rooks, *castling.textbook} - kings, key=lambda each: each & 7):
        attackers = men.attackers(square)
        if not attackers:
            continue
        which = "the rook itself" if square == castling.rook else "only the rook passes there"
        return Cause(
            "castling-over-restricted",
            f"{castling.text} is legal although {men.all_of(attackers)} attack{_s(attackers)}"
            f" {name(square)} ({which}): only the king's own squares must not be attacked.",
            proven=False,
        )
    return None


def _held_blocked(scene: Scene, castling: Castling) -> Cause | None:
    """Chess960: squares that standard chess needs empty and this castling does not."""
    if not scene.chess960:
        return None
    text = None
    if castling.king == castling.king_target:
        text = f"the king stays on {name(castling.king)} and only the rook moves"
    elif castling.rook == castling.rook_target:
        text = f"the rook stays on {name(castling.rook)} and only the king moves"
    elif castling.king_target == castling.rook or castling.rook_target == castling.king:
        text = f"king and rook only change over {name(castling.rook)} and {name(castling.king)}"
    else:
        men = [square for square in castling.textbook if scene.men.at[square] is not None]
        if men:
            text = f"{scene.men.the(men[0])} is not in the way here"
    if text is None:
        return None
    return Cause("castling-path", f"{castling.text} is legal: {text}.", proven=False)


def _right_held_lost(scene: Scene, castling: Castling) -> Cause | None:
    """Moves of the line after which the right stays, though a careless engine drops it."""
    if scene.evidence.right_by_fen is False:
        return None
    for played in reversed(scene.line):
        text = _tempting(scene, played, castling)
        if text is not None:
            return Cause(
                "castling-rights",
                f"{scene.mover} may still play {castling.text}: {text}, which does not touch"
                " this right.",
                proven=scene.evidence.right_by_fen is True,
            )
    return None


def _tempting(scene: Scene, played: Played, castling: Castling) -> str | None:
    """What a move has to do with castling, None when it is any other move."""
    move = played.move
    lost = set(played.before.castling) - set(played.after.castling)
    if move.is_castling:
        return f"it was the other side that castled with {move}"
    if lost:
        return f"{move} ended other rights ({''.join(sorted(lost))})"
    if played.kind == "r" and played.before.turn == scene.position.turn:
        return f"{move} moved another rook"
    if played.kind == "k":
        return f"{move} moved the other side's king"
    if played.captured is not None and (played.before.piece_at(played.captured) or "") in "rR":
        return f"{move} took another rook"
    corners = {0, 7, 56, 63}
    if move.from_square in corners or move.to_square in corners:
        return f"{move} was a move from or to a corner"
    return None


def _just_missing(scene: Scene, castling: Castling) -> Cause:
    evidence = scene.evidence
    text = (
        f"{scene.mover} may play {castling.text}: the right is there, no man stands between, and"
        f" {_unattacked(castling)} not attacked."
    )
    if evidence.right_by_fen is None and not scene.line and not scene.from_start:
        text += " If no castling is ever missing elsewhere, look at how the FEN is read."
    return Cause("castling-missing", text, proven=evidence.right_by_fen is False)


def _unattacked(castling: Castling) -> str:
    squares = sorted({castling.king, *castling.king_path, castling.king_target})
    names = [name(square) for square in squares]
    if len(names) == 1:
        return f"{names[0]} is"
    return f"{', '.join(names[:-1])} and {names[-1]} are"
