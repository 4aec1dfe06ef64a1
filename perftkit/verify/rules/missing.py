"""Why a legal move may not be in an engine's list."""

from __future__ import annotations

from typing import TYPE_CHECKING

from perftkit.core.attacks import attacks
from perftkit.verify.rules.board import NAMES, in_line, name
from perftkit.verify.rules.castling import causes_of_missing_castling
from perftkit.verify.rules.en_passant import causes_of_missing_en_passant
from perftkit.verify.rules.promotion import cause_of_missing_promotion
from perftkit.verify.rules.scene import Cause

if TYPE_CHECKING:
    from collections.abc import Iterator

    from perftkit.core.position import Move
    from perftkit.verify.rules.scene import Scene

__all__ = ["causes_of_missing"]


def causes_of_missing(scene: Scene, text: str) -> list[Cause]:
    """Return the possible causes why a legal move is not found, the strongest first.

    Args:
        scene: The position.
        text: The move, as UCI text; nothing is known of one that is not legal.
    """
    move = scene.legal.get(text)
    return list(_causes(scene, move)) if move is not None else []


def _causes(scene: Scene, move: Move) -> Iterator[Cause]:
    if move.is_castling:
        yield from causes_of_missing_castling(scene, move)
    elif move.is_en_passant:
        yield from causes_of_missing_en_passant(scene, move)
    elif move.from_square == scene.men.king:
        yield from _king(scene, move)
    else:
        yield from _other(scene, move)


def _king(scene: Scene, move: Move) -> Iterator[Cause]:
    men = scene.men
    target = name(move.to_square)
    does = f"takes {men.the(move.to_square)}" if move.is_capture else f"goes to {target}"
    check = f", out of the check by {men.all_of(scene.checkers)}" if scene.checkers else ""
    yield Cause(
        "king-over-restricted",
        f"The king on {name(men.king)} {does}{check}: nothing attacks {target}, the move is legal.",
    )


def _other(scene: Scene, move: Move) -> Iterator[Cause]:
    men = scene.men
    source, target = move.from_square, move.to_square
    who = f"the {NAMES[men.kind(source) or 'p']} on {name(source)}"
    if move.is_promotion:
        yield cause_of_missing_promotion(scene, move)
    if source in scene.pinned and in_line(men.king, source, target):
        yield Cause(
            "pin-over-restricted",
            f"{who[0].upper()}{who[1:]} is pinned to the king on {name(men.king)}, but"
            f" {name(target)} is on the line of the pin: the move is legal.",
        )
    if move.is_double_push:
        yield Cause(
            "pawn-double-push",
            f"{who[0].upper()}{who[1:]} may move two squares to {name(target)}"
            f"{_ending(scene, target)}.",
        )
    if scene.checkers:
        yield Cause(
            "check-evasion",
            f"{who[0].upper()}{who[1:]} may go to {name(target)}{_ending(scene, target)}.",
        )
    if not move.is_promotion and not move.is_double_push:
        yield _plain(scene, move, who)


def _ending(scene: Scene, target: int) -> str:
    """How a move ends the check, as a clause; empty when there is no check."""
    if not scene.checkers:
        return ""
    check = scene.men.all_of(scene.checkers)
    king = name(scene.men.king)
    if target in scene.checkers:
        return f" and takes {check}, which gives check to the king on {king}"
    return f", where it blocks the check by {check} to the king on {king}"


def _plain(scene: Scene, move: Move, who: str) -> Cause:
    men = scene.men
    kind = men.kind(move.from_square) or "p"
    does = f"take {men.the(move.to_square)}" if move.is_capture else f"go to {name(move.to_square)}"
    if kind == "p":
        return Cause("pawn-move", f"{who[0].upper()}{who[1:]} may {does}.")
    if kind == "n":
        return Cause("leaper-moves", f"{who[0].upper()}{who[1:]} may {does}.")
    free = bool(attacks(kind, move.from_square, men.occupied) >> move.to_square & 1)
    return Cause(
        "slider-range",
        f"{who[0].upper()}{who[1:]} may {does}, nothing stands between.",
        proven=free,
    )
