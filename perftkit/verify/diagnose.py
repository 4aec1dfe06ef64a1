"""Which rule of chess an engine breaks, proven from the first position where it is wrong."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from perftkit.errors import PerftkitError
from perftkit.verify.diagnosis import CERTAIN, LIKELY, Diagnosis
from perftkit.verify.rules import state
from perftkit.verify.rules.board import file_of, rank_of
from perftkit.verify.rules.castling import attempt_of
from perftkit.verify.rules.extra import causes_of_extra
from perftkit.verify.rules.missing import causes_of_missing
from perftkit.verify.rules.names import GENERAL, RULES
from perftkit.verify.rules.numbers import cause_of_counts
from perftkit.verify.rules.scene import Cause, Scene, harmless, read_step

if TYPE_CHECKING:
    from collections.abc import Iterator

    from perftkit.verify.diagnosis import Evidence

__all__ = ["RULES", "diagnose"]

SHOWN = 6
OVERFLOW_FROM = 100
CAPS = frozenset((16, 32, 64, 128, 256))
"""Lengths at which lists are cut off; one that is so long by chance has nothing to do with it."""
USUAL_SIZES = frozenset((100, 120, 127, 128, 150, 192, 199, 200, 250, 255, 256))
MANY_KINDS = frozenset(("slider-range", "leaper-moves", "pawn-move", "king-over-restricted"))


def diagnose(evidence: Evidence) -> Diagnosis:
    """Return the rule that the first wrong position shows to be broken.

    Args:
        evidence: What is known about the position. Moves may be any text.

    Returns:
        The most specific rule that explains most of the wrong moves; ``unknown`` when none does
        or when the position is no legal one. It is `CERTAIN` only where the position proves it.
    """
    try:
        scene = Scene(evidence)
    except PerftkitError as error:
        return Diagnosis("unknown", f"The position can't be looked at: {error}", LIKELY)
    cause = _main_cause(scene)
    if not evidence.divides and (evidence.missing or evidence.extra):
        cause = replace(cause, text=f"Guessed from totals: {cause.text}", proven=False)
    return _diagnosis(cause)


def _diagnosis(cause: Cause) -> Diagnosis:
    return Diagnosis(cause.rule, _sentence(cause.text), CERTAIN if cause.proven else LIKELY)


def _sentence(text: str) -> str:
    """The text with a capital, unless it begins with a move or a square."""
    return text if text[1].isdigit() else text[0].upper() + text[1:]


def _main_cause(scene: Scene) -> Cause:
    evidence = scene.evidence
    if not (evidence.missing or evidence.extra):
        return _without_wrong_moves(scene)
    if evidence.right_by_fen is True:
        return _wrong_by_moves(scene)
    if evidence.right_by_moves is True:
        return _wrong_by_fen(scene)
    read = _read_otherwise(scene)
    if read is not None:
        return read
    if not scene.claimed and _ended_by_draw(scene):
        return _no_moves(scene)
    return _weighed(scene)


def _without_wrong_moves(scene: Scene) -> Cause:
    evidence = scene.evidence
    if evidence.repeated:
        return _repeated(scene)
    if not evidence.wrong_counts:
        printed = state.printed_differences(scene)
        if printed:
            return _printed(scene, printed[0])
    return cause_of_counts(scene)


def _repeated(scene: Scene) -> Cause:
    moves = _listed(scene.evidence.repeated)
    return Cause(
        "duplicate-move",
        f"Each move is listed once, and the engine lists {moves} more than once.",
    )


def _listed(moves: tuple[str, ...] | list[str]) -> str:
    shown = ", ".join(harmless(move) for move in moves[:SHOWN])
    return shown if len(moves) <= SHOWN else f"{shown} and {len(moves) - SHOWN} more"


# The position in the engine's mind is another one


def _printed(scene: Scene, other: state.Other) -> Cause:
    if not scene.line or scene.evidence.right_by_fen is False:
        text = f"The engine reads the FEN otherwise: {other.text}."
        return Cause("fen-parsing", text, proven=not scene.line)
    return Cause(
        "make-unmake",
        f"After {_after(scene)} the engine has another position in mind: {other.text}.",
        proven=scene.evidence.right_by_fen is True,
    )


def _after(scene: Scene) -> str:
    moves = [str(played.move) for played in scene.line[-3:]]
    return ("... " if len(scene.line) > 3 else "") + " ".join(moves)


def _wrong_by_moves(scene: Scene) -> Cause:
    """The FEN is answered rightly, so that the generator is right and the state is wrong."""
    special = _repetition(scene) or _state_rule(scene)
    if special is not None:
        return special
    printed = state.printed_differences(scene)
    other = printed[0] if printed else state.other_position(scene)
    what = _what_is_wrong(scene, other)
    return Cause(
        "make-unmake",
        f"The engine is right when it is given this position as a FEN, and wrong after"
        f" {_after(scene) or 'the moves that lead here'}: {what}.",
    )


def _repetition(scene: Scene) -> Cause | None:
    """A position that stood before in the line, where the engine has no move any more."""
    if scene.claimed or all(played.before.key != scene.position.key for played in scene.line):
        return None
    return Cause(
        "make-unmake",
        f"After {_after(scene)} the engine has no move, and as a FEN the same position is answered"
        " rightly. It stood before in this line: the engine holds the game to be drawn by"
        " repetition, which does not end a perft tree.",
        proven=False,
    )


def _wrong_by_fen(scene: Scene) -> Cause:
    """The same position is right after moves, so that the generator is right, not the reader."""
    other = state.other_position(scene)
    what = f", its moves are those it would have if {other.text}" if other is not None else ""
    return Cause(
        "fen-parsing",
        f"The engine is right when it reaches this position by moves, and wrong when it is given"
        f" the FEN{what}.",
    )


def _what_is_wrong(scene: Scene, other: state.Other | None) -> str:
    if other is None:
        return state.ghost(scene) or "make or unmake does not keep up the state"
    if other.printed:
        return other.text if other.state == state.MEN else f"{other.state} is wrong, {other.text}"
    return f"its moves are those it would have if {other.text}"


def _state_rule(scene: Scene) -> Cause | None:
    """Castling rights and e.p. squares that the line explains have rules of their own."""
    evidence = scene.evidence
    wanted = {"castling-rights", "en-passant-stale"}
    found: list[Cause] = []
    for _, causes in _causes(scene):
        named = [cause for cause in causes if cause.rule in wanted]
        if not named:
            return None
        found.append(named[0])
    if not found or (evidence.missing and evidence.extra):
        return None
    text = f"{found[0].text} As a FEN the same position is answered rightly."
    return Cause(found[0].rule, text)


def _read_otherwise(scene: Scene) -> Cause | None:
    """The FEN, or the command that gives it, is read as another position."""
    evidence = scene.evidence
    for printed in state.printed_differences(scene):
        if _matters(scene, printed):
            return _printed(scene, printed)
    other_rook = bool(evidence.missing and evidence.extra) and not scene.line
    if evidence.same_as is None and not other_rook and _explained(scene):
        return None
    other = state.other_position(scene)
    if other is None or other.state == state.EN_PASSANT:
        return None
    if other.state == state.CASTLING and not other_rook:
        return None
    if other.state == state.MEN:
        return Cause(
            "make-unmake",
            f"After {_after(scene)} the engine's moves are those it would have if {other.text}.",
            proven=False,
        )
    return Cause("fen-parsing", f"The engine's moves are those it would have if {other.text}.")


def _matters(scene: Scene, other: state.Other) -> bool:
    """Whether what the engine printed has to do with its wrong moves."""
    named = {cause.rule for _, causes in _causes(scene) for cause in causes}
    if other.state == state.CASTLING:
        return any(rule.startswith("castling") or rule == "fen-parsing" for rule in named)
    if other.state == state.EN_PASSANT:
        return any(rule.startswith("en-passant") for rule in named)
    return True


def _explained(scene: Scene) -> bool:
    """Whether every wrong move has a cause of its own."""
    overlaps = not scene.legal or not scene.claimed.isdisjoint(scene.legal)
    return overlaps and all(causes for _, causes in _causes(scene))


def _ended_by_draw(scene: Scene) -> bool:
    """Whether an engine may hold the game to be drawn, which never ends a perft tree."""
    kinds = "".join(man.lower() for man in scene.men.at if man)
    return scene.position.halfmove_clock >= 100 or sorted(kinds) in (
        ["k", "k"],
        ["b", "k", "k"],
        ["k", "k", "n"],
    )


def _no_moves(scene: Scene) -> Cause:
    why = (
        f": the game may be drawn (the halfmove clock is {scene.position.halfmove_clock}, the men"
        " may be too few to mate), but draws don't end a perft tree"
        if _ended_by_draw(scene)
        else ": it may have refused the FEN, or hold the game to be over"
    )
    return Cause(
        "unknown",
        f"The engine has no move at all where {len(scene.legal)} are legal{why}.",
        proven=False,
    )


# The moves, one by one


@dataclass(slots=True)
class _Tally:
    """What speaks for one rule."""

    rule: str
    moves: list[str] = field(default_factory=list)
    causes: list[Cause] = field(default_factory=list)


def _causes(scene: Scene) -> Iterator[tuple[str, list[Cause]]]:
    for text in scene.evidence.extra:
        yield text, causes_of_extra(scene, text)
    for text in scene.evidence.missing:
        yield text, causes_of_missing(scene, text)


def _weighed(scene: Scene) -> Cause:
    tallies: dict[str, _Tally] = {}
    for move, causes in _causes(scene):
        for cause in {cause.rule: cause for cause in reversed(causes)}.values():
            tally = tallies.setdefault(cause.rule, _Tally(cause.rule))
            tally.moves.append(move)
            tally.causes.append(cause)
    if not tallies:
        return _unknown(scene)
    ranked = sorted(tallies.values(), key=lambda tally: _rank(scene, tally))
    best = ranked[0]
    if not scene.claimed and len(best.moves) < len(scene.evidence.missing):
        return _no_moves(scene)
    overflow = _overflow(scene, best)
    if overflow is not None:
        return overflow
    return _concluded(scene, best, ranked[1:])


def _rank(scene: Scene, tally: _Tally) -> tuple[int, int, int, int]:
    order = list(RULES).index(tally.rule)
    return -len(tally.moves), GENERAL.get(tally.rule, 0), _unshown(scene, tally), order


def _unshown(scene: Scene, tally: _Tally) -> int:
    """How many moves the engine has right although they would break, or need, the same rule."""
    extra = set(tally.moves) & set(scene.evidence.extra)
    if len(extra) == len(tally.moves):
        others = [text for text in scene.exposing if text not in scene.evidence.extra]
        return sum(_names(causes_of_extra(scene, text), tally.rule) for text in others)
    others = [text for text in scene.legal if text not in scene.evidence.missing]
    return sum(_names(causes_of_missing(scene, text), tally.rule) for text in others)


def _names(causes: list[Cause], rule: str) -> bool:
    return any(cause.rule == rule for cause in causes)


def _concluded(scene: Scene, best: _Tally, others: list[_Tally]) -> Cause:
    wrong = (*scene.evidence.extra, *scene.evidence.missing)
    left = [move for move in wrong if move not in best.moves]
    rivals = [
        other
        for other in others
        if len(other.moves) == len(best.moves) and _is_rival(scene, other, best)
    ]
    text = best.causes[0].text
    if len(best.moves) > 1:
        same = [move for move in best.moves if move != best.moves[0]]
        text += f" The same explains {_listed(same)}."
    if left:
        text += f" Not explained by it: {_listed(left)}."
    proven = all(cause.proven for cause in best.causes) and not rivals
    proven = proven and 2 * len(left) < len(wrong)
    got = len(scene.claimed)
    if not scene.evidence.extra and got in CAPS:
        text += f" The engine has exactly {got} moves: a list that is cut off looks like this too."
        proven = False
    elif not scene.evidence.extra and left and got > min(CAPS):
        text += " Moves of several kinds are also missing where a list is too short for all."
    return Cause(best.rule, text, proven)


def _is_rival(scene: Scene, other: _Tally, best: _Tally) -> bool:
    """Whether another rule may be meant, as far as the moves that are right can tell.

    An illegal move breaks what it breaks. That a legal one is missing can have any cause that it
    fits, so there every other rule is a rival.
    """
    if not set(best.moves).isdisjoint(scene.evidence.missing):
        return True
    if GENERAL.get(other.rule, 0) > GENERAL.get(best.rule, 0):
        return _unshown(scene, other) == 0
    return _unshown(scene, other) <= _unshown(scene, best)


def _overflow(scene: Scene, best: _Tally) -> Cause | None:
    """Moves that are cut off a long list are of any kind."""
    evidence = scene.evidence
    many = len(scene.legal)
    got = many - len(evidence.missing)
    several = not evidence.extra and len(best.moves) < len(evidence.missing)
    if several and got in CAPS:
        return Cause(
            "move-list-overflow",
            f"{many} moves are legal and the engine has {got} of them, and those that are"
            " missing are of several kinds: the list that it keeps them in is too short.",
            proven=False,
        )
    if evidence.extra or many < OVERFLOW_FROM or best.rule not in MANY_KINDS:
        return None
    usual = got in USUAL_SIZES
    of_one_rule = len(best.moves) == len(evidence.missing)
    if of_one_rule and (not usual or _in_one_direction(scene)):
        return None
    return Cause(
        "move-list-overflow",
        f"{many} moves are legal and the engine has {got} of them:"
        f" the list that it keeps them in is too short{'' if usual else ', it seems'}.",
        proven=False,
    )


def _in_one_direction(scene: Scene) -> bool:
    """Whether the missing moves all go the same way, which no cut-off list does."""
    ways = set()
    for text in scene.evidence.missing:
        step = read_step(text)
        if step is not None:
            files = file_of(step.target) - file_of(step.source)
            ranks = rank_of(step.target) - rank_of(step.source)
            far = max(abs(files), abs(ranks))
            ways.add((files / far, ranks / far))
    return len(ways) == 1


def _unknown(scene: Scene) -> Cause:
    evidence = scene.evidence
    parts = []
    if evidence.extra:
        parts.append(f"too many: {_listed(evidence.extra)}{_odd(scene)}")
    if evidence.missing:
        parts.append(f"missing: {_listed(evidence.missing)}")
    said = state.ghost(scene)
    if said is not None:
        return Cause("make-unmake", f"After {_after(scene)} {said}.", proven=False)
    return Cause("unknown", f"No rule explains the moves that are {'; '.join(parts)}.", False)


def _odd(scene: Scene) -> str:
    """What is odd about the first extra move."""
    text = scene.evidence.extra[0]
    step = read_step(text)
    if step is None:
        return f" ({harmless(text)} is no move of two squares)"
    if scene.men.at[step.source] is None:
        return f" (nothing stands on {text[:2]})"
    if scene.men.enemy(step.source):
        return f" ({scene.men.the(step.source)} is of the side that is not to move)"
    if attempt_of(scene, step) is not None:
        return f" ({text} is castling, which is written otherwise here)"
    return ""
