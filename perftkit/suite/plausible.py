"""What no game can lead to and what no count can be: words for it, without counting anything."""

from __future__ import annotations

from typing import TYPE_CHECKING

from perftkit.bitboard import squares
from perftkit.suite.model import SHORT_NAMES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from perftkit.core.position import Position
    from perftkit.suite.model import Expectation

__all__ = ["impossible_counts", "impossible_position"]

MOST_PIECES = 16
MOST_PAWNS = 8
MOST_MOVES = 218  # of a position that a game can lead to
AT_START = {"N": 2, "R": 2, "Q": 1}
CAN_BE_OPENED = "BRQ"
SIDES = ("white", "black")


def impossible_position(position: Position) -> Iterator[str]:
    """Yield the reasons why no game can lead to a position; none is no proof that one can."""
    men = {square: piece for square in range(64) if (piece := position.piece_at(square))}
    own = {
        "white": {square: piece for square, piece in men.items() if piece.isupper()},
        "black": {square ^ 56: piece.upper() for square, piece in men.items() if piece.islower()},
    }
    for side, other in zip(SIDES, reversed(SIDES), strict=True):
        reasons = list(_material(own[side]))
        if not reasons:
            taken = max(0, MOST_PIECES - len(own[other]))
            reasons = list(_pawn_structure(own[side], taken))
        yield from (f"{side} {reason}" for reason in reasons)
    yield from _checks(position, men)


def _material(own: dict[int, str]) -> Iterator[str]:
    pieces = list(own.values())
    pawns = pieces.count("P")
    if len(pieces) > MOST_PIECES:
        yield f"has {len(pieces)} pieces, more than {MOST_PIECES}"
    if pawns > MOST_PAWNS:
        yield f"has {pawns} pawns, more than {MOST_PAWNS}"
        return
    promoted = sum(max(0, pieces.count(piece) - count) for piece, count in AT_START.items())
    for shade in (0, 1):
        bishops = sum(
            piece == "B" and (square + square // 8) % 2 == shade for square, piece in own.items()
        )
        promoted += max(0, bishops - 1)
    if promoted > MOST_PAWNS - pawns:
        yield f"has at least {promoted} promoted pieces, but only {MOST_PAWNS - pawns} pawns less"


def _pawn_structure(own: dict[int, str], taken: int) -> Iterator[str]:
    """Ask whether pawns of the second rank can have reached their squares by `taken` captures."""
    pawns = [(square % 8, square // 8) for square, piece in own.items() if piece == "P"]
    captures = _fewest_captures(pawns)
    if captures is None:
        yield "has pawns that can't have come from eight files"
    elif captures > taken:
        yield f"has pawns that took at least {captures} men, but only {taken} are missing"


def _fewest_captures(pawns: list[tuple[int, int]]) -> int | None:
    """The least total of files crossed when each pawn (file, rank) began on a file of its own."""
    totals = {0: 0}  # by the set of files used
    for file, rank in pawns:
        longer: dict[int, int] = {}
        for used, total in totals.items():
            for origin in range(max(0, file - rank + 1), min(7, file + rank - 1) + 1):
                if used >> origin & 1:
                    continue
                crossed = total + abs(file - origin)
                key = used | 1 << origin
                longer[key] = min(crossed, longer.get(key, crossed))
        totals = longer
    return min(totals.values(), default=None)


def _checks(position: Position, men: dict[int, str]) -> Iterator[str]:
    checkers = squares(position.checkers)
    king = next(
        (at for at, piece in men.items() if piece == ("K" if position.turn == "white" else "k"))
    )
    if len(checkers) > 2:
        yield f"{len(checkers)} pieces give check at once"
    elif len(checkers) == 2:
        yield from _double_check(king, checkers, men)
    if checkers and position.ep_square is not None:
        yield from _check_after_double_push(position, king, checkers, men)


def _double_check(king: int, checkers: Sequence[int], men: dict[int, str]) -> Iterator[str]:
    if not any(men[square].upper() in CAN_BE_OPENED for square in checkers):
        yield "two pieces give check at once, and neither can have been uncovered"
        return
    first, second = (_step(king, square) for square in checkers)
    if first is not None and second == (-first[0], -first[1]):
        yield "two pieces give check at once from both ends of a line"


def _check_after_double_push(
    position: Position, king: int, checkers: Sequence[int], men: dict[int, str]
) -> Iterator[str]:
    """Before the double push that allows e.p. nobody can have been in check."""
    target = position.ep_square or 0
    pawn = target ^ 8
    origin = target + (target - pawn)
    for square in checkers:
        opened = men[square].upper() in CAN_BE_OPENED and _is_between(origin, king, square)
        if square != pawn and not opened:
            yield "the check was there before the double push that allows e.p."


def _step(start: int, end: int) -> tuple[int, int] | None:
    """The direction (files, ranks) of a line from a square to another, None if there is none."""
    files, ranks = end % 8 - start % 8, end // 8 - start // 8
    if files and ranks and abs(files) != abs(ranks):
        return None
    return (files > 0) - (files < 0), (ranks > 0) - (ranks < 0)


def _is_between(square: int, king: int, checker: int) -> bool:
    step = _step(king, checker)
    if step is None or _step(king, square) != step or _step(square, checker) != step:
        return False
    return square not in (king, checker)


# Counts

# Every leaf that is counted on the left is counted on the right too.
PARTS = (
    ("en_passant", "captures"),
    ("castles_kingside", "castles"),
    ("castles_queenside", "castles"),
    ("captures", "nodes"),
    ("castles", "nodes"),
    ("promotions", "nodes"),
    ("checks", "nodes"),
    ("discovered_checks", "checks"),
    ("double_checks", "checks"),
    ("checkmates", "checks"),
    ("discovered_checkmates", "discovered_checks"),
    ("discovered_checkmates", "checkmates"),
    ("double_checkmates", "double_checks"),
    ("double_checkmates", "checkmates"),
)
# No leaf is counted in two of these, all are counted on the right.
DISJOINT = (
    (("captures", "castles"), "nodes"),
    (("promotions", "castles", "en_passant"), "nodes"),
    (("discovered_checks", "double_checks"), "checks"),
    (("discovered_checkmates", "double_checkmates"), "checkmates"),
)


def impossible_counts(expected: Expectation) -> Iterator[str]:
    """Yield the reasons why the counts of one depth can't be true."""
    counts = {"nodes": expected.nodes, **expected.counts}
    if expected.depth == 0 and (expected.nodes != 1 or any(expected.counts.values())):
        yield "depth 0 has one node and no moves"
    if expected.depth == 1 and expected.nodes > MOST_MOVES:
        yield f"no game leads to a position of more than {MOST_MOVES} moves"
    for part, whole in PARTS:
        if part in counts and whole in counts and counts[part] > counts[whole]:
            yield f"{_sum((part,), counts)} is more than {_sum((whole,), counts)}"
    for parts, whole in DISJOINT:
        known = tuple(part for part in parts if part in counts)
        total = sum(counts[part] for part in known)
        if len(known) > 1 and whole in counts and total > counts[whole]:
            yield f"{_sum(known, counts)} is more than {_sum((whole,), counts)}"
    sides = ("castles_kingside", "castles_queenside")
    if all(name in counts for name in (*sides, "castles")):
        total = sum(counts[side] for side in sides)
        if total != counts["castles"]:
            yield f"{_sum(sides, counts)} is not {_sum(('castles',), counts)}"
    if counts.get("promotions", 0) % 4:
        yield f"{_sum(('promotions',), counts)} is no multiple of four"


def _sum(names: Sequence[str], counts: dict[str, int]) -> str:
    """Write counters as their sum, ``oo+ooo=7``."""
    text = "+".join(SHORT_NAMES.get(name, name) for name in names)
    return f"{text}={sum(counts[name] for name in names)}"
