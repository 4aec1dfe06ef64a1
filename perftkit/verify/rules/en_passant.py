"""Why an en passant capture may be wrongly there, or wrongly not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from perftkit.verify.rules.board import file_of, in_line, name
from perftkit.verify.rules.scene import Cause, Step, read_step

if TYPE_CHECKING:
    from collections.abc import Iterator

    from perftkit.core.position import Move
    from perftkit.verify.rules.scene import Scene

__all__ = ["causes_of_extra_en_passant", "causes_of_missing_en_passant", "instead_of_en_passant"]

RANKS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
CORNERS = (0, 7, 56, 63)


def _captured_by(step: Step | Move) -> tuple[int, int]:
    """The pawn's square and that of the pawn which an e.p. capture takes."""
    source, target = (
        (step.source, step.target) if isinstance(step, Step) else (step.from_square, step.to_square)
    )
    return source, (source & ~7) | (target & 7)


def _spelled(source: int, target: int) -> str:
    return f"{name(source)}x{name(target)} e.p."


# A capture too many


def causes_of_extra_en_passant(scene: Scene, step: Step) -> Iterator[Cause]:
    """Yield why a pawn's capture onto an empty square may be held legal, the strongest first."""
    if step.target != scene.position.ep_square:
        yield _no_such_capture(scene, step)
        return
    men = scene.men
    source, captured = _captured_by(step)
    after = men.king_attackers_after(source, step.target, captured)
    if not after:
        yield Cause(
            "promotion-piece",
            f"{_spelled(source, step.target)} promotes nothing.",
            proven=False,
        )
        return
    kept = [each for each in after if each in scene.checkers]
    if kept:
        yield Cause(
            "en-passant-evasion",
            f"{_spelled(source, step.target)} takes the pawn on {name(captured)} and leaves the"
            f" check by {men.all_of(kept)} to the king on {name(men.king)}.",
        )
        if len(scene.checkers) > 1:
            yield Cause(
                "double-check",
                f"{men.all_of(scene.checkers)} both give check: only the king may move.",
            )
        yield Cause("check-evasion", f"{_spelled(source, step.target)} does not end the check.")
    uncovered = [each for each in after if each not in scene.checkers]
    if uncovered:
        yield Cause("en-passant-pin", _uncovering(scene, source, captured, step.target, uncovered))
        if source in scene.pinned:
            yield Cause("pin", f"The pawn on {name(source)} is pinned.")


def _uncovering(scene: Scene, source: int, captured: int, target: int, uncovered: list[int]) -> str:
    men = scene.men
    attack = f"{men.all_of(uncovered)} attack{'' if len(uncovered) > 1 else 's'}"
    king = f"the king on {name(men.king)}"
    if in_line(men.king, uncovered[0], source) and in_line(men.king, uncovered[0], captured):
        leave = f"both pawns leave the {RANKS[men.relative_rank(source)]} rank"
    elif in_line(men.king, uncovered[0], captured):
        leave = f"the captured pawn on {name(captured)} is gone"
    else:
        leave = f"the pawn has left {name(source)}"
    return f"After {_spelled(source, target)} {leave} and {attack} {king}."


def _no_such_capture(scene: Scene, step: Step) -> Cause:
    """A capture onto an empty square that is no e.p. square of this position."""
    men = scene.men
    source, captured = _captured_by(step)
    spelled = f"{name(source)}x{name(step.target)}"
    nothing = f"{spelled} takes nothing: {name(step.target)} is empty"
    later = _played_since(scene, step.target)
    if later:
        return Cause(
            "en-passant-stale",
            f"{name(step.target)} was the e.p. square before {later}, and e.p. captures are"
            f" possible only in the very next move: {spelled} is not, {scene.ep_said} now.",
        )
    if step.target in CORNERS:
        return Cause(
            "en-passant-target",
            f"{nothing}, and no e.p. square is there; the engine may keep 'no e.p. square' as the"
            f" number of {name(step.target)}.",
            proven=False,
        )
    beside = men.enemy(captured) and men.kind(captured) == "p"
    origin = step.target + men.forward
    fits = men.relative_rank(step.target) == 5 and beside
    if not fits:
        rule = "en-passant-target" if beside else "pawn-move"
        text = f"{nothing}, and {scene.ep_said}."
        return Cause(rule, text, proven=not beside)
    if men.at[origin] is not None:
        return Cause(
            "en-passant-target",
            f"{nothing}, and the pawn on {name(captured)} can't have moved two squares from"
            f" {name(origin)}, where {men.the(origin)} stands.",
        )
    return Cause(
        "en-passant-stale",
        f"The pawn on {name(captured)} has not just moved two squares ({scene.ep_said}), so"
        f" {_spelled(source, step.target)} is not possible.",
        proven=False,
    )


def instead_of_en_passant(scene: Scene, step: Step) -> Iterator[Cause]:
    """Yield a cause when the pawn that goes astray lacks its e.p. capture."""
    for text in scene.evidence.missing:
        move = scene.legal.get(text)
        if move is not None and move.is_en_passant and move.from_square == step.source:
            yield Cause(
                "en-passant-target",
                f"{name(step.source)}{name(step.target)} is there instead of"
                f" {_spelled(step.source, move.to_square)}, which is missing.",
            )


def _played_since(scene: Scene, target: int) -> str:
    """The moves of the line since a square was the e.p. square; empty when it never was."""
    for index in range(len(scene.line) - 1, -1, -1):
        if scene.line[index].before.ep_square == target:
            return " ".join(str(played.move) for played in scene.line[index:])
    return ""


# A capture too few


def causes_of_missing_en_passant(scene: Scene, move: Move) -> Iterator[Cause]:
    """Yield why a legal e.p. capture may not be found, the strongest first."""
    source, captured = _captured_by(move)
    spelled = _spelled(source, move.to_square)
    instead = _wrong_target(scene, source)
    if instead is not None:
        yield Cause(
            "en-passant-target",
            f"{spelled} is missing and {instead} is there instead: {scene.ep_said}.",
        )
    if scene.checkers:
        how = (
            f"takes the pawn on {name(captured)}, which gives check"
            if captured in scene.checkers
            else f"blocks the check by {scene.men.all_of(scene.checkers)} on {name(move.to_square)}"
        )
        yield Cause("en-passant-evasion", f"{spelled} {how}, and is missing.")
    if source in scene.pinned:
        yield Cause(
            "pin-over-restricted",
            f"The pawn on {name(source)} is pinned, but {spelled} stays on the line to the king on"
            f" {name(scene.men.king)} and is legal.",
        )
    yield _just_missing(scene, spelled, name(move.to_square))


def _wrong_target(scene: Scene, source: int) -> str | None:
    """An extra move of the same pawn to a file beside it, None without one."""
    for text in scene.evidence.extra:
        step = read_step(text)
        if step is None or step.source != source:
            continue
        if abs(file_of(step.target) - file_of(source)) == 1:
            return text
    return None


def _just_missing(scene: Scene, spelled: str, target: str) -> Cause:
    text = f"{spelled} is legal: the pawn has just moved two squares past {target}."
    given = scene.evidence.right_by_fen is False
    if not scene.line:
        text += (
            " The e.p. square is only in the FEN here, so it may also be that the engine does not"
            " read it."
        )
    elif not given:
        text += " Either the capture is not generated, or the double push does not set the square."
    return Cause("en-passant-missing", text, proven=bool(scene.line) and given)
