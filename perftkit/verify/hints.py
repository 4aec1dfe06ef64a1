"""What a pattern of differences points to, in words.

A generator that breaks one rule is often wrong by a number that can be recognised: by exactly the
en passant captures, by three of four promotions, by a multiple of 2^32. Each function here knows
one family of such patterns and says nothing when it does not see one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from perftkit.core.perft import perft
from perftkit.verify.compare import NODES, differences

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from perftkit.core.position import Position

__all__ = ["KINDS", "finished_games", "hints", "overflow_bits"]

WIDTHS = (32, 16)  # bits of a counter; a difference that is a multiple of 2^8 may be chance
NARROW = 8
LARGEST = 300_000
"""Leaves one ply earlier up to which finished games are looked for."""

# A kind of move that is sometimes never generated, by its counter, from the special to the general.
KINDS = {
    "en_passant": "en passant captures",
    "castles_queenside": "queenside castles",
    "castles_kingside": "kingside castles",
    "castles": "castles",
    "promotions": "promotions",
}

# What to look at when the moves that are too few or too many are all of one kind.
RULES = {
    "en_passant": (
        "whether the e.p. square is set after every double push and cleared one move later, and"
        " whether an e.p. capture that uncovers the own king is refused"
    ),
    "castles": (
        "whether the rights go when a king or rook moves or a rook is captured at home and come"
        " back when the move is taken back, and which squares must not be attacked (out of,"
        " through and into check) and which must be empty"
    ),
    "promotions": "whether captures promote too, and to each of the four pieces",
    "captures": "pinned pieces, a king that takes a defended piece, and captures that end a check",
}

CHECKING = (
    "checks",
    "discovered_checks",
    "double_checks",
    "checkmates",
    "discovered_checkmates",
    "double_checkmates",
)
NAMES = {
    NODES: "nodes",
    "captures": "captures",
    **KINDS,
    "checks": "checks",
    "discovered_checks": "discovered checks",
    "double_checks": "double checks",
    "checkmates": "checkmates",
    "discovered_checkmates": "discovered checkmates",
    "double_checkmates": "double checkmates",
}


@dataclass(frozen=True, slots=True)
class _Pattern:
    """Both sides of a comparison, and what is between them.

    Attributes:
        deltas: Counted less expected, for what differs.
        given: The counters that both sides have.
        more: The counters of the side with more leaves, with all that it has.
        fewer: The counters of the other side.
        side: What the side with fewer leaves is called.
        finished: How many games end before the last ply, 0 when that is not known.
    """

    deltas: Mapping[str, int]
    given: frozenset[str]
    more: Mapping[str, int]
    fewer: Mapping[str, int]
    side: str
    finished: int

    @property
    def nodes(self) -> int:
        """Return the difference of the leaves."""
        return self.deltas.get(NODES, 0)


def overflow_bits(deltas: Iterable[int]) -> int | None:
    """Return how many bits a counter has whose overflow explains all of these differences.

    One multiple of 2^16 is hardly chance, and neither are several of 2^8.

    Args:
        deltas: Counted less expected, nowhere 0.
    """
    every = list(deltas)
    if not every or not all(every):
        return None
    widths = (*WIDTHS, NARROW) if len(every) > 1 else WIDTHS
    return next((bits for bits in widths if not any(delta % 2**bits for delta in every)), None)


def hints(
    expected_nodes: int,
    nodes: int,
    expected_counts: Mapping[str, int],
    counts: Mapping[str, int],
    *,
    finished: int | None = None,
) -> tuple[str, ...]:
    """Return what the differences of two counts point to, the strongest first.

    Args:
        expected_nodes: Leaves that were expected.
        nodes: Leaves that were counted.
        expected_counts: The counters that were expected, by JSON name; may be some or none.
        counts: The counters that were counted, in the same convention.
        finished: How many games end before the last ply (`finished_games`), None when that is
            not known.
    """
    found = differences(expected_nodes, nodes, expected_counts, counts)
    if not found:
        return ()
    short = nodes < expected_nodes
    pattern = _Pattern(
        deltas={difference.name: difference.delta for difference in found},
        given=frozenset(expected_counts),
        more=expected_counts if short else counts,
        fewer=counts if short else expected_counts,
        side="the counted number" if short else "the expected number",
        finished=finished or 0,
    )
    overflow = tuple(_overflow(pattern))
    if overflow:
        return overflow
    return tuple(_wrong_moves(pattern) if pattern.nodes else _wrong_counters(pattern))


def _overflow(pattern: _Pattern) -> Iterator[str]:
    for name, delta in pattern.deltas.items():
        bits = overflow_bits([delta])
        if bits is not None:
            yield (
                f"the {NAMES[name]} differ by exactly {abs(delta) >> bits} x 2^{bits}: a counter of"
                f" {bits} bits overflowed, the moves may well be right"
            )


def _wrong_moves(pattern: _Pattern) -> Iterator[str]:
    """Read what is known when the number of leaves differs."""
    whole = _finished_counted(pattern) or _missing_kind(pattern) or _single_promotion(pattern)
    if whole:
        yield whole
        return
    only = _only_kind(pattern)
    if only:
        yield only
    elif not pattern.given:
        yield "only nodes are known here: the counts under each move show where to look (divide)"
    elif _only_among(pattern, CHECKING):
        yield from _quiet_moves(pattern)
    else:
        yield "moves of several kinds differ: the counts under each move show where (divide)"


def _finished_counted(pattern: _Pattern) -> str | None:
    """Whether the leaves are more by exactly the games that end before the last ply."""
    # The games that are over add to no counter: where one differs, it is another bug.
    if not pattern.finished or abs(pattern.nodes) != pattern.finished or len(pattern.deltas) > 1:
        return None
    games = "game that is" if pattern.finished == 1 else f"{pattern.finished} games that are"
    return (
        f"the numbers differ by exactly the {games} over by mate or stalemate before the last ply,"
        " which have no leaves and are not counted"
    )


def _missing_kind(pattern: _Pattern) -> str | None:
    """Whether the leaves are short by exactly all moves of one kind."""
    missing = abs(pattern.nodes)
    for name, kind in KINDS.items():
        if pattern.more.get(name) != missing or pattern.fewer.get(name, 0) != 0:
            continue
        if name == "en_passant" and not _agrees(pattern, "captures", pattern.nodes):
            continue
        return (
            f"{pattern.side} is short by exactly the {missing} {kind}, like one of a generator"
            " that never makes them"
        )
    return None


def _agrees(pattern: _Pattern, name: str, delta: int) -> bool:
    """Whether a counter differs by so much, if it is known at all."""
    return name not in pattern.given or pattern.deltas.get(name, 0) == delta


def _single_promotion(pattern: _Pattern) -> str | None:
    promotions = pattern.more.get("promotions", 0)
    if promotions and abs(pattern.nodes) * 4 == promotions * 3:
        return (
            f"{pattern.side} is short by three of every four of the {promotions} promotions: pawns"
            " promote to one piece only"
        )
    return None


def _only_kind(pattern: _Pattern) -> str | None:
    """Whether the leaves differ by exactly the difference of one counter."""
    for name in ("en_passant", "castles", "promotions", "captures"):
        if pattern.deltas.get(name) != pattern.nodes:
            continue
        many = "too few" if pattern.nodes < 0 else "too many"
        kind = NAMES[name]
        return f"all {abs(pattern.nodes)} nodes {many} are {kind}: look at {RULES[name]}"
    return None


def _quiet_moves(pattern: _Pattern) -> Iterator[str]:
    if not {"captures", "castles", "promotions"} <= pattern.given:
        yield (
            f"the counters that are given do not explain the {abs(pattern.nodes)} nodes between the"
            " two: the counts under each move show where (divide)"
        )
    else:
        yield (
            f"captures, castles and promotions agree, so all {abs(pattern.nodes)} nodes between"
            " the two are quiet moves: pawn pushes, double pushes, or steps of a pinned piece or"
            " out of check"
        )


def _wrong_counters(pattern: _Pattern) -> Iterator[str]:
    """Read what is known when the leaves agree, so that only their kinds are counted wrongly."""
    special = list(_mates_left_out(pattern)) + list(_other_habits(pattern))
    if special:
        yield from special
        return
    if _only_among(pattern, CHECKING):
        yield (
            f"the moves are right, only {_listed(pattern)} differ: the detection of check at the"
            " last ply is wrong, not the generation of moves"
        )
        return
    yield f"the number of moves is right, only {_listed(pattern)} differ: a counter is wrong"


def _mates_left_out(pattern: _Pattern) -> Iterator[str]:
    for name, mates in (
        ("discovered_checks", "discovered_checkmates"),
        ("double_checks", "double_checkmates"),
        ("checks", "checkmates"),
    ):
        delta = abs(pattern.deltas.get(name, 0))
        if not delta or delta != max(pattern.more.get(mates, 0), pattern.fewer.get(mates, 0)):
            continue
        advice = "" if name == "checks" else " (the published convention: --convention wiki)"
        yield (
            f"the {NAMES[name]} differ by exactly the {delta} {NAMES[mates]}: mates are left out of"
            f" them{advice}"
        )


def _other_habits(pattern: _Pattern) -> Iterator[str]:
    en_passant = max(pattern.more.get("en_passant", 0), pattern.fewer.get("en_passant", 0))
    if en_passant and abs(pattern.deltas.get("captures", 0)) == en_passant:
        yield (
            f"the captures differ by exactly the {en_passant} en passant captures: these are left"
            " out of them"
        )
    sides = pattern.deltas.get("castles_kingside"), pattern.deltas.get("castles_queenside")
    if sides[0] and sides[1] and sides[0] == -sides[1]:
        yield "kingside and queenside castles are taken for each other"
    if set(pattern.deltas) == {"discovered_checks"}:
        yield (
            "only the discovered checks differ: a check by the castled rook or the promoted piece"
            " is none of these, one that an e.p. capture uncovers is"
        )


def _only_among(pattern: _Pattern, names: tuple[str, ...]) -> bool:
    """Whether no other counter than these differs."""
    return all(name in names for name in pattern.deltas if name != NODES)


def _listed(pattern: _Pattern) -> str:
    *names, last = (NAMES[name] for name in pattern.deltas if name != NODES)
    return f"{', '.join(names)} and {last}" if names else last


def finished_games(position: Position, depth: int, *, largest: int = LARGEST) -> int | None:
    """Return how many games end in mate or stalemate before the last of so many plies.

    They have no leaves at that depth, and some engines count one for each.

    Args:
        position: The root; it is not changed.
        depth: Plies, 0 or more.
        largest: Leaves one ply earlier up to which they are looked for.

    Returns:
        The number, or None where that would take more than a moment.
    """
    if depth < 1:
        return 0
    for ply in range(1, depth):
        if perft(position, ply, breakdown=False).nodes > largest:
            return None
    return _finished_within(position.copy(), depth - 1)


def _finished_within(position: Position, depth: int) -> int:
    moves = position.legal_moves()
    if not moves:
        return 1
    if depth == 0:
        return 0
    found = 0
    for move in moves:
        position.push(move)
        found += _finished_within(position, depth - 1)
        position.pop()
    return found
