"""Why promotions may be missing: looked at together, since four moves are one step of a pawn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from perftkit.verify.rules.board import NAMES, name
from perftkit.verify.rules.scene import Cause

if TYPE_CHECKING:
    from perftkit.core.position import Move
    from perftkit.verify.rules.scene import Scene

__all__ = ["cause_of_missing_promotion"]

PIECES = "nbrq"


def cause_of_missing_promotion(scene: Scene, move: Move) -> Cause:
    """Return what is broken when a legal promotion is not found."""
    lacking = _lacking(scene, move)
    step = f"{name(move.from_square)}{name(move.to_square)}"
    plain = step in scene.evidence.extra
    only_captures = _only_captures(scene)
    if only_captures:
        text = (
            f"The pawn takes on {name(move.to_square)} and must promote, to each of the four"
            f" pieces; missing {_named(lacking)}"
        )
        proven = _has_right_pushes(scene)
        rest = (
            ". Promotions without a capture are right here."
            if proven
            else ". There is no promotion without a capture here to compare with."
        )
        if proven or len(lacking) == len(PIECES):
            return Cause("promotion-capture", text + rest, proven=proven)
    if len(lacking) == len(PIECES):
        arrival = "arrives there unpromoted" if plain else "does not get there at all"
        return Cause(
            "promotion-missing",
            f"The pawn on {name(move.from_square)} promotes on {name(move.to_square)}, to a knight,"
            f" bishop, rook or queen; in the engine it {arrival}.",
        )
    return Cause(
        "promotion-piece",
        f"The pawn on {name(move.from_square)} may promote on {name(move.to_square)} to each of"
        f" four pieces; missing {_named(lacking)}.",
        proven=not only_captures,
    )


def _lacking(scene: Scene, move: Move) -> list[str]:
    """The pieces that are missing of the same step."""
    step = f"{name(move.from_square)}{name(move.to_square)}"
    return [piece for piece in PIECES if step + piece in scene.evidence.missing]


def _named(pieces: list[str]) -> str:
    return ", ".join(NAMES[piece] for piece in pieces)


def _only_captures(scene: Scene) -> bool:
    """Whether the promotions that are missing are captures, all of them."""
    missing = [scene.legal[text] for text in scene.evidence.missing if text in scene.legal]
    return all(move.is_capture for move in missing if move.is_promotion)


def _has_right_pushes(scene: Scene) -> bool:
    """Whether promotions without a capture are legal here; then the engine has them."""
    return any(move.is_promotion and not move.is_capture for move in scene.legal.values())
