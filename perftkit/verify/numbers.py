"""What the wrong number of an engine says by itself, where the moves behind it are not known."""

from __future__ import annotations

from typing import TYPE_CHECKING

from perftkit.core.perft import perft
from perftkit.verify.hints import finished_games, hints

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from perftkit.core.perft import PerftResult
    from perftkit.core.position import Position

__all__ = ["number_hints"]

OVERFLOW = 2**32
MOST_NODES_LOOKED_AT = 20_000  # one ply earlier, for games that are over; many rows may be wrong

KINDS = {
    "en_passant": "en passant captures",
    "castles_queenside": "queenside castles",
    "castles_kingside": "kingside castles",
    "castles": "castles",
    "promotions": "promotions",
}


def number_hints(
    position: Position, reference: PerftResult, nodes: int, counts: Mapping[str, int]
) -> tuple[str, ...]:
    """Return what an engine's wrong number of leaves points to, in words.

    An engine mostly gives no counters, so that its number is looked at beside those of the
    reference: all moves of one kind may be exactly what it lacks.

    Args:
        position: What was counted.
        reference: The right count, with its breakdown.
        nodes: What the engine counted.
        counts: The counters that the engine printed, by JSON name; may be none.
    """
    words = tuple(_hints(position, reference, nodes))
    if words or not counts:
        return words
    known = {name: reference.counts[name] for name in counts if name in reference.counts}
    return hints(reference.nodes, nodes, known, {name: counts[name] for name in known})


def _hints(position: Position, reference: PerftResult, nodes: int) -> Iterator[str]:
    delta = nodes - reference.nodes
    if delta % OVERFLOW == 0:
        yield (
            f"the engine differs by exactly {abs(delta) // OVERFLOW} x 2^32: a counter of 32 bits"
            " overflowed, the moves may well be right"
        )
        return
    for name, kind in KINDS.items():
        if delta < 0 and reference.counts.get(name, 0) == -delta:
            yield (
                f"the engine is short by exactly the {-delta} {kind}, like one that never makes"
                " them"
            )
            return
    promotions = reference.counts.get("promotions", 0)
    if promotions and -delta * 4 == promotions * 3:
        yield (
            f"the engine is short by three of every four of the {promotions} promotions: pawns"
            " promote to one piece only"
        )
    elif delta > 0 and delta == _finished(position, reference.depth):
        yield (
            f"the engine counts exactly {delta} too many, as many as there are games that are over"
            " before the last ply: these have no leaves"
        )


def _finished(position: Position, depth: int) -> int | None:
    """Return how many games end before the last ply; the mates alone where these are many."""
    before = perft(position, depth - 1)
    if before.nodes > MOST_NODES_LOOKED_AT:
        return before.counts["checkmates"]
    return finished_games(position, depth)
