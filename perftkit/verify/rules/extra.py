"""Why a move that is not legal may be in an engine's list."""

from __future__ import annotations

from typing import TYPE_CHECKING

from perftkit.core.attacks import attacks
from perftkit.verify.rules.board import NAMES, between, file_of, name
from perftkit.verify.rules.castling import attempt_of, causes_of_extra_castling
from perftkit.verify.rules.en_passant import causes_of_extra_en_passant, instead_of_en_passant
from perftkit.verify.rules.promotion import cause_of_missing_promotion
from perftkit.verify.rules.scene import Cause, Step, read_step

if TYPE_CHECKING:
    from collections.abc import Iterator

    from perftkit.core.position import Move
    from perftkit.verify.rules.scene import Scene

__all__ = ["causes_of_extra"]

KNIGHT_STEPS = (6, 10, 15, 17)
KING_STEPS = (1, 7, 8, 9)
DIRECTIONS = {"r": (1, 8), "b": (7, 9), "q": (1, 7, 8, 9)}


def causes_of_extra(scene: Scene, text: str) -> list[Cause]:
    """Return the possible causes of a move that is not legal, the strongest first.

    Args:
        scene: The position.
        text: The move, as the engine has it; may be any text.
    """
    step = read_step(text)
    if step is None or step.source == step.target or not scene.men.own(step.source):
        return []
    return list(_causes(scene, step))


def _causes(scene: Scene, step: Step) -> Iterator[Cause]:
    men = scene.men
    castling = attempt_of(scene, step)
    if castling is not None:
        yield from causes_of_extra_castling(scene, castling)
        return
    onto_a_man = not _is_straight_push(scene, step) and not _men_on_the_way(scene, step)
    if onto_a_man and step.target == men.enemy_king:
        yield Cause(
            "own-capture",
            f"{_subject(scene, step)} takes the king on {name(step.target)}: no king is captured.",
        )
    elif onto_a_man and men.own(step.target):
        yield Cause(
            "own-capture",
            f"{_subject(scene, step)} takes {men.the(step.target)}, a man of its own side.",
        )
    kind = men.kind(step.source)
    if kind == "p":
        yield from _pawn(scene, step)
    elif kind == "k":
        yield from _king(scene, step)
    elif kind == "n":
        yield from _knight(scene, step)
    else:
        yield from _slider(scene, step)


def _subject(scene: Scene, step: Step) -> str:
    text = scene.men.the(step.source)
    return text[0].upper() + text[1:]


def _is_straight_push(scene: Scene, step: Step) -> bool:
    return scene.men.kind(step.source) == "p" and file_of(step.source) == file_of(step.target)


def _men_on_the_way(scene: Scene, step: Step) -> list[int]:
    """The squares with men that a slider would have to run through, on a line that it has."""
    kind = scene.men.kind(step.source) or ""
    if kind not in DIRECTIONS or not attacks(kind, step.source) >> step.target & 1:
        return []
    return [square for square in between(step.source, step.target) if scene.men.at[square]]


def _wraps(step: Step, offsets: tuple[int, ...], *, reach: int = 1) -> bool:
    """Whether a step is one of these offsets, repeated, when the edges a and h are not seen."""
    for offset in (*offsets, *(-each for each in offsets)):
        square = step.source
        crossed = False
        for _ in range(reach):
            after = square + offset
            if not 0 <= after < 64:
                break
            crossed = crossed or abs(file_of(after) - file_of(square)) > 2
            square = after
            if crossed and square == step.target:
                return True
    return False


# Men that move in the right way and leave their king in check


def _exposes(scene: Scene, step: Step) -> Iterator[Cause]:
    """A move that is right but for the own king, by a man that is no king."""
    men = scene.men
    after = men.king_attackers_after(step.source, step.target, None)
    if not after:
        return
    if len(scene.checkers) > 1:
        yield Cause(
            "double-check",
            f"{_first(men.all_of(scene.checkers))} both give check to the king on"
            f" {name(men.king)}: only the king may move, not {men.the(step.source)}.",
        )
    pinning = [each for each in after if each not in scene.checkers]
    if pinning and step.source in scene.pinned:
        yield Cause(
            "pin",
            f"{_subject(scene, step)} is pinned by {men.all_of(pinning)} to the king on"
            f" {name(men.king)} and leaves that line by going to {name(step.target)}.",
        )
    if len(scene.checkers) == 1 and scene.checkers[0] in after:
        yield Cause(
            "check-evasion",
            f"{_first(men.the(scene.checkers[0]))} gives check to the king on {name(men.king)},"
            f" and {men.the(step.source)} neither takes it nor blocks it on {name(step.target)}.",
        )
        if step.target == scene.position.ep_square:
            yield Cause(
                "en-passant-evasion",
                f"Only a pawn takes en passant: {men.the(step.source)} on its way to"
                f" {name(step.target)} does not remove {men.the(scene.checkers[0])}, which gives"
                " check.",
                proven=False,
            )


def _first(text: str) -> str:
    return text[0].upper() + text[1:]


# One kind of man after the other


def _knight(scene: Scene, step: Step) -> Iterator[Cause]:
    if attacks("N", step.source) >> step.target & 1:
        yield from _exposes(scene, step)
    elif _wraps(step, KNIGHT_STEPS):
        yield _wrapped(scene, step, "piece-wrap")
    else:
        yield _no_such_step(scene, step, "leaper-moves")


def _wrapped(scene: Scene, step: Step, rule: str) -> Cause:
    return Cause(
        rule,
        f"{_subject(scene, step)} gets to {name(step.target)} only round the edge of the board,"
        " from the h file to the a file or back.",
    )


def _no_such_step(scene: Scene, step: Step, rule: str) -> Cause:
    kind = NAMES[scene.men.kind(step.source) or "p"]
    return Cause(rule, f"No {kind} gets from {name(step.source)} to {name(step.target)}.")


def _slider(scene: Scene, step: Step) -> Iterator[Cause]:
    men = scene.men
    kind = men.kind(step.source) or "q"
    if not attacks(kind, step.source) >> step.target & 1:
        if _wraps(step, DIRECTIONS[kind], reach=7):
            yield _wrapped(scene, step, "piece-wrap")
        else:
            yield _no_such_step(scene, step, "slider-range")
        return
    way = _men_on_the_way(scene, step)
    if way:
        yield Cause(
            "slider-range",
            f"{_subject(scene, step)} runs through {men.the(way[0])} to {name(step.target)}.",
        )
    elif men.own(step.target):
        yield Cause(
            "slider-range", f"{_subject(scene, step)} runs one square too far.", proven=False
        )
    else:
        yield from _exposes(scene, step)


def _king(scene: Scene, step: Step) -> Iterator[Cause]:
    men = scene.men
    if not attacks("K", step.source) >> step.target & 1:
        if _wraps(step, KING_STEPS):
            yield _wrapped(scene, step, "piece-wrap")
        else:
            yield _no_such_step(scene, step, "leaper-moves")
        return
    if men.own(step.target):
        return
    attackers = men.king_attackers_after(step.source, step.target, None)
    if not attackers:
        return
    who = f"{men.all_of(attackers)} attack{'' if len(attackers) > 1 else 's'}"
    target = name(step.target)
    if attackers == [men.enemy_king]:
        yield Cause(
            "king-adjacent",
            f"The king goes to {target}, next to the other king on {name(men.enemy_king)}.",
        )
    if men.enemy(step.target):
        yield Cause(
            "king-captures-defended",
            f"The king takes {men.the(step.target)}, which {men.all_of(attackers)} defends."
            if len(attackers) == 1
            else f"The king takes {men.the(step.target)}, which {men.all_of(attackers)} defend.",
        )
    with_king_in_place = men.attackers(step.target, filled=[step.target])
    if not with_king_in_place:
        yield Cause(
            "king-x-ray",
            f"The king steps back from {name(step.source)} to {target} along the line on which"
            f" {men.all_of(attackers)} gives check: its old square no longer shields it.",
        )
    yield Cause("king-into-check", f"The king goes to {target}, which {who}.")


def _pawn(scene: Scene, step: Step) -> Iterator[Cause]:
    men = scene.men
    files = abs(file_of(step.target) - file_of(step.source))
    if files == 1:
        yield from instead_of_en_passant(scene, step)
    offset = (step.target - step.source) * (1 if men.white else -1)
    if files == 0:
        yield from _straight(scene, step, offset)
    elif files == 1 and offset in (7, 9):
        yield from _diagonal(scene, step)
    elif offset in (7, 8, 9, 16) or (files > 5 and abs(offset) < 18):
        yield _wrapped(scene, step, "pawn-wrap")
    elif step.target == scene.position.ep_square:
        yield Cause(
            "en-passant-target",
            f"The pawn on {name(step.source)} can't take en passant on {name(step.target)}: it does"
            " not stand beside the pawn that moved two squares.",
        )
    else:
        yield _no_such_step(scene, step, "pawn-move")


def _straight(scene: Scene, step: Step, offset: int) -> Iterator[Cause]:
    men = scene.men
    if offset == 16:
        middle = step.source + men.forward
        if men.relative_rank(step.source) != 1:
            yield Cause(
                "pawn-double-push",
                f"{_subject(scene, step)} moves two squares, which pawns do from their first rank"
                " only.",
            )
            return
        for square, how in ((middle, "jumps over"), (step.target, "lands on")):
            if men.at[square]:
                yield Cause(
                    "pawn-double-push",
                    f"The double push {name(step.source)}{name(step.target)} {how}"
                    f" {men.the(square)}.",
                )
                return
    elif offset != 8:
        yield _no_such_step(scene, step, "pawn-move")
        return
    elif men.at[step.target]:
        yield Cause(
            "pawn-move", f"{_subject(scene, step)} moves straight onto {men.the(step.target)}."
        )
        return
    yield from _arrives(scene, step)


def _diagonal(scene: Scene, step: Step) -> Iterator[Cause]:
    if scene.men.at[step.target] is None:
        yield from causes_of_extra_en_passant(scene, step)
    elif scene.men.enemy(step.target):
        yield from _arrives(scene, step)


def _lacking_promotion(scene: Scene, step: Step) -> Move | None:
    """A promotion by the same step that the engine does not have."""
    for text in scene.evidence.missing:
        move = scene.legal.get(text)
        if move is not None and move.is_promotion and text[:4] == _text(step):
            return move
    return None


def _text(step: Step) -> str:
    return name(step.source) + name(step.target)


def _arrives(scene: Scene, step: Step) -> Iterator[Cause]:
    """A pawn that moves in the right way: to the right piece, and with the king left safe?"""
    last = scene.men.relative_rank(step.target) == 7
    where = name(step.target)
    if last and not step.letter:
        promotion = _lacking_promotion(scene, step)
        if promotion is not None:
            yield cause_of_missing_promotion(scene, promotion)
        yield Cause("promotion-missing", f"The pawn arrives on {where} and stays a pawn.")
    elif last and step.letter not in "nbrq":
        piece = NAMES.get(step.letter, f"'{step.letter}'")
        yield Cause("promotion-piece", f"A pawn can't become a {piece} on {where}.")
    elif not last and step.letter:
        yield Cause("promotion-piece", f"The pawn promotes on {where}, before the last rank.")
    yield from _exposes(scene, step)
