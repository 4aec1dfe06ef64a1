"""What wrong counts say where every list of moves is right."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from perftkit.core.perft import divide, perft
from perftkit.errors import PerftkitError
from perftkit.verify.hints import finished_games, overflow_bits
from perftkit.verify.rules.scene import Cause

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from perftkit.core.position import Position
    from perftkit.verify.rules.scene import Scene

__all__ = ["cause_of_counts"]

TOTAL = ""
MOST_DEPTHS = 5  # that are added up
FEW = 100
"""Leaves below which a total by itself fits too many patterns to point to one."""

LARGEST = 20_000_000
"""Leaves up to which a whole tree is counted again, a fraction of a second."""

NO_MATES = "checks that are no mates"

TWICE = {
    "checkmates": "mate",
    "checks": "give check",
    NO_MATES: "give check without mate",
    "discovered_checks": "give a discovered check",
    "double_checks": "give a double check",
    "captures": "capture",
    "en_passant": "capture en passant",
    "castles": "castle",
    "promotions": "promote",
}

LOST = {
    "castles_kingside": ("castling rights", "castling kingside"),
    "castles_queenside": ("castling rights", "castling queenside"),
    "castles": ("castling rights", "castling"),
    "en_passant": ("the e.p. square", "capturing en passant"),
}
"""What unmake may fail to restore, by the kind of move that is then missing."""


@dataclass(frozen=True, slots=True)
class _Wrong:
    """The count of one move, or of the position (`move` is ``""``)."""

    move: str
    expected: int
    got: int
    depth: int
    position: Position

    @property
    def delta(self) -> int:
        return self.got - self.expected

    @property
    def where(self) -> str:
        return f"under {self.move}" if self.move else "here"


def cause_of_counts(scene: Scene) -> Cause:
    """Return what wrong counts come from when no list of moves is known to be wrong."""
    counts = scene.evidence.wrong_counts
    wrong = list(_read(scene, counts))
    if wrong and not scene.evidence.divides:
        return _cause_of_total(scene, wrong)
    children = [each for each in wrong if each.move]
    if scene.evidence.printed_total and TOTAL in counts and not children:
        return _printed_sum(scene, *counts[TOTAL])
    if TOTAL in counts and not children and 1 < scene.evidence.depth <= MOST_DEPTHS:
        total = _total(scene, *counts[TOTAL])
        if total is not None:
            return total
    shown = children or wrong
    if not shown:
        return Cause("unknown", "No move is missing or too many and no count is wrong.", False)
    looks = QUICK if _is_large(scene, shown) else THOROUGH
    for look in looks:
        cause = look(scene, shown)
        if cause is not None:
            return cause
    return _unexplained(scene, shown)


def _printed_sum(scene: Scene, expected: int, got: int) -> Cause:
    """A total that is printed under rows which are right and add up to the right number."""
    if 1 < scene.evidence.depth <= MOST_DEPTHS:
        total = _total(scene, expected, got)
        if total is not None:
            return total
    said = f"Every row is right and only the printed sum is wrong: {got} "
    bits = overflow_bits([got - expected])
    if bits is None:
        return Cause("count-only", f"{said}for {expected}. The moves are right.")
    times = abs(got - expected) >> bits
    amount = str(2**bits) if times == 1 else f"{times} x {2**bits}"
    sign = "\N{MINUS SIGN}" if got < expected else "+"
    return Cause("count-only", f"{said}= {expected} {sign} {amount}, a total of {bits} bits.")


def _cause_of_total(scene: Scene, wrong: list[_Wrong]) -> Cause:
    """What a wrong total comes from where it is all that the engine prints.

    At depth 1 it is the length of the list of moves, so that a wrong one proves nothing about the
    counting; a small one equals some sum or other by coincidence.
    """
    first = wrong[0]
    overflow = _overflow(scene, wrong)
    if overflow is not None:
        return overflow
    mates = _mates_not_counted(scene, wrong)
    if mates is not None and scene.evidence.right_by_fen is not True:
        return mates
    if scene.evidence.right_by_fen is True or scene.evidence.depth == 1 or first.expected < FEW:
        return _unexplained(scene, wrong)
    cause = _total(scene, first.expected, first.got)
    looks = iter(QUICK if _is_large(scene, wrong) else THOROUGH)
    while cause is None:
        look = next(looks, _unexplained)
        cause = look(scene, wrong)
    return replace(cause, proven=False)


def _is_large(scene: Scene, wrong: list[_Wrong]) -> bool:
    """Whether counting again takes more than a moment, by what is expected under one move."""
    rows = 1 if wrong[0].move == TOTAL else len(scene.legal)
    return max(each.expected for each in wrong) * rows > LARGEST


def _read(scene: Scene, counts: Mapping[str, tuple[int, int]]) -> Iterator[_Wrong]:
    for move, (expected, got) in counts.items():
        depth = scene.evidence.depth
        position = scene.position.copy()
        if move:
            try:
                position.push(move)
            except PerftkitError:
                continue
            depth -= 1
        yield _Wrong(move, expected, got, depth, position)


def _total(scene: Scene, expected: int, got: int) -> Cause | None:
    """A total that is wrong although the rows under it are right."""
    if overflow_bits([got - expected]) is not None:
        return None
    if got == _cumulative(scene.position, scene.evidence.depth, 1):
        return Cause(
            "count-only",
            f"The total is {got} for {expected}: the sum of the leaves of all depths up to"
            f" {scene.evidence.depth}. Perft counts the leaves of the last depth only.",
        )
    return None


def _cumulative(position: Position, depth: int, least: int) -> int | None:
    """The leaves of all depths together; None when that is too many to count."""
    if depth > MOST_DEPTHS:
        return None
    return sum(perft(position, each, breakdown=False).nodes for each in range(least, depth + 1))


def _overflow(_scene: Scene, wrong: list[_Wrong]) -> Cause | None:
    bits = overflow_bits(each.delta for each in wrong)
    if bits is None:
        return None
    first = wrong[0]
    return Cause(
        "count-only",
        f"The count {first.where} is {first.got} for {first.expected}, which is"
        f" {abs(first.delta) >> bits} x 2^{bits} away"
        f"{f', and so are all {len(wrong)} that are wrong' if len(wrong) > 1 else ''}: a counter of"
        f" {bits} bits overflowed, the moves may well be right.",
    )


def _finished(scene: Scene, wrong: list[_Wrong]) -> Cause | None:
    """Mates and stalemates before the last ply, which have no leaves, counted as one each."""
    for each in wrong:
        if each.delta <= 0:
            return None
        if each.delta != finished_games(each.position, each.depth):
            return None
    first = wrong[0]
    games = first.delta
    one = "one game is" if games == 1 else f"{games} games are"
    return Cause(
        "count-only",
        f"The count {first.where} is {first.got} for {first.expected}, and {one} over by mate or"
        " stalemate before the last ply there: a finished game has no leaves, the engine counts"
        " one for it.",
        proven=_is_finished(first.position) or len(wrong) > 1,
    )


def _is_finished(position: Position) -> bool:
    return position.is_checkmate or position.is_stalemate


def _other_depth(scene: Scene, wrong: list[_Wrong]) -> Cause | None:
    """Counts that are right for one ply more or less."""
    first = wrong[0]
    everywhere = not first.move or len(wrong) == len(scene.legal)
    if everywhere and all(each.got == _cumulative(each.position, each.depth, 0) for each in wrong):
        return Cause(
            "count-only",
            f"The count {first.where} is {first.got} for {first.expected}: inner positions are"
            " counted too. Perft counts the leaves of the last ply only.",
            proven=len(wrong) > 1,
        )
    for change in (-1, 1):
        if all(_leaves(each, change) == each.got for each in wrong):
            return Cause(
                "count-only",
                f"The count {first.where} is {first.got} for {first.expected}: that is the number"
                f" of leaves one ply {'earlier' if change < 0 else 'later'}.",
                proven=everywhere,
            )
    return None


def _leaves(wrong: _Wrong, change: int) -> int | None:
    depth = wrong.depth + change
    if depth < 0 or (change > 0 and wrong.expected > LARGEST // 100):
        return None
    return perft(wrong.position, depth, breakdown=False).nodes


def _lost(scene: Scene, wrong: list[_Wrong]) -> Cause | None:
    """Counts that are short of moves of which one kind of state decides."""
    if scene.evidence.depth < 2:
        return None
    first = wrong[0]
    every = [perft(each.position, each.depth).counts for each in wrong]
    for kind, (state, moves) in LOST.items():
        if all(-counts[kind] <= each.delta < 0 for each, counts in zip(wrong, every, strict=True)):
            return Cause(
                "make-unmake",
                f"The count {first.where} is {first.got} for {first.expected}, of which {moves}"
                f" makes {every[0][kind]}, while each list of moves is right when it is asked for"
                f" alone: unmake does not restore {state}.",
                proven=False,
            )
    return None


def _mates_not_counted(scene: Scene, wrong: list[_Wrong]) -> Cause | None:
    """Counts that are less by the leaves that are mate, everywhere where there are any."""
    if _is_large(scene, wrong) or not _differs_by_kind(scene, wrong, "checkmates", -1):
        return None
    first = wrong[0]
    mates = f"{-first.delta} mate{'' if first.delta == -1 else 's'}"
    listed = scene.evidence.divides and scene.evidence.depth == 1
    or_missing = "" if listed else ", or the moves that mate are not there"
    return Cause(
        "count-only",
        f"The count {first.where} is {first.got} for {first.expected}, short by exactly the"
        f" {mates} there: leaves that are mate are not counted{or_missing}. A mate is a leaf as any"
        " other.",
        proven=listed and bool(first.move),
    )


def _twice(scene: Scene, wrong: list[_Wrong]) -> Cause | None:
    """Counts that are more by the leaves of one kind, which are counted twice then."""
    for kind, words in TWICE.items():
        if _differs_by_kind(scene, wrong, kind, 1):
            return Cause(
                "count-only",
                f"Every count with leaves that {words} is more by exactly as many as these"
                f" ({wrong[0].got} for {wrong[0].expected} {wrong[0].where}): they are counted"
                " twice.",
                proven=False,
            )
    return None


def _differs_by_kind(scene: Scene, wrong: list[_Wrong], kind: str, sign: int) -> bool:
    """Whether the counts differ by the leaves of a kind, everywhere where there are any.

    Args:
        scene: The position.
        wrong: The counts.
        kind: The counter.
        sign: 1 where they are more, -1 where they are less.
    """
    depth = scene.evidence.depth
    total = {TOTAL: perft(scene.position, depth)}
    rows = divide(scene.position, depth) if wrong[0].move else total
    of_kind = {move: _leaves_of(row.counts, kind) for move, row in rows.items()}
    found = {move: count for move, count in of_kind.items() if count}
    return found == {each.move: sign * each.delta for each in wrong}


def _leaves_of(counts: Mapping[str, int], kind: str) -> int:
    if kind == NO_MATES:
        return counts["checks"] - counts["checkmates"]
    return counts[kind]


def _swapped(_scene: Scene, wrong: list[_Wrong]) -> Cause | None:
    """Right numbers under the wrong moves."""
    got = sorted(each.got for each in wrong)
    if len(wrong) < 2 or got != sorted(each.expected for each in wrong):
        return None
    first, second = wrong[0], wrong[1]
    return Cause(
        "count-only",
        f"The counts of {len(wrong)} moves are right but stand under other moves ({first.move}"
        f" {first.got} for {first.expected}, {second.move} {second.got} for {second.expected}):"
        " positions are taken for each other, as by a hash collision.",
        proven=False,
    )


def _counts_of_promotions(scene: Scene, wrong: list[_Wrong]) -> Cause | None:
    """Promotions that have the count of another piece."""
    for each in wrong:
        others = [move for move in scene.legal if move[:4] == each.move[:4] and move != each.move]
        if len(each.move) < 5 or not any(
            each.got == _leaves_after(scene, move, each.depth) for move in others
        ):
            return None
    first = wrong[0]
    return Cause(
        "count-only",
        f"The count {first.where} is {first.got} for {first.expected}, the count of a promotion to"
        " another piece: positions are taken for each other, as by a hash collision.",
        proven=False,
    )


def _leaves_after(scene: Scene, move: str, depth: int) -> int:
    position = scene.position.copy()
    position.push(move)
    return perft(position, depth, breakdown=False).nodes


QUICK = (_overflow, _finished, _swapped)
THOROUGH = (
    _overflow,
    _finished,
    _mates_not_counted,
    _twice,
    _other_depth,
    _lost,
    _swapped,
    _counts_of_promotions,
)


def _unexplained(scene: Scene, wrong: list[_Wrong]) -> Cause:
    first = wrong[0]
    said = f"The count {first.where} is {first.got} for {first.expected}"
    if len(wrong) > 1:
        more = len(wrong) - 1
        said += f", and {more} more {'count is' if more == 1 else 'counts are'} wrong"
    if scene.evidence.right_by_fen is True:
        return Cause(
            "make-unmake",
            f"{said}, although the engine is right when it is given the position as a FEN: state"
            " is not updated by make or not restored by unmake.",
        )
    if not first.move and scene.evidence.depth == 1:
        return Cause("unknown", f"{said}; the engine gives no list of moves to compare.", False)
    if not scene.evidence.divides:
        return _unexplained_total(scene, said)
    if first.move and scene.evidence.depth > 1 and (scene.evidence.alone or len(wrong) > 2):
        return Cause(
            "make-unmake",
            f"{said}, although every list of moves below is right when it is asked for alone: most"
            " often unmake does not restore something, else positions are taken for each other by"
            " a hash table.",
            proven=False,
        )
    return Cause(
        "count-only",
        f"{said}, although every list of moves below is right: a leaf or a finished game is"
        " counted wrongly, or positions are taken for each other (a hash table), or something is"
        " not restored by unmake.",
        proven=False,
    )


def _unexplained_total(scene: Scene, said: str) -> Cause:
    if not scene.evidence.alone:
        return Cause("unknown", f"{said}; the engine gives no list of moves to compare.", False)
    return Cause(
        "make-unmake",
        f"{said}, although the total after each move is right when it is asked for alone: most"
        " often make or unmake does not keep up some state, else positions are taken for each"
        " other by a hash table or leaves are counted wrongly.",
        proven=False,
    )
