"""What the wrong number of an engine says by itself, where the moves behind it are not known."""

from __future__ import annotations

from typing import TYPE_CHECKING

from perftkit.core.perft import perft
from perftkit.verify.hints import KINDS, finished_games, hints, overflow_bits

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from perftkit.core.perft import PerftResult
    from perftkit.core.position import Position

__all__ = ["number_hints"]

FEWEST_MATES = 5  # that a number can lack by more than chance
MOST_NODES_LOOKED_AT = 20_000  # one ply earlier, for games that are over; many rows may be wrong


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
    bits = overflow_bits([delta])
    if bits is not None:
        yield (
            f"the engine differs by exactly {abs(delta) >> bits} x 2^{bits}: a counter of {bits}"
            " bits overflowed, the moves may well be right"
        )
        return
    mates = reference.counts.get("checkmates", 0)
    if mates >= FEWEST_MATES and delta == -mates:
        yield f"the engine is short by exactly the {mates} mates, like one that does not count them"
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
    elif delta > 0:
        over = finished_games(position, reference.depth, largest=MOST_NODES_LOOKED_AT)
        games = "games that are over"
        if over is None:
            over, games = _mates_before(position, reference.depth), "mates"
        if delta == over:
            yield (
                f"the engine counts exactly {delta} too many, as many as there are {games}"
                " before the last ply: these have no leaves"
            )


def _mates_before(position: Position, depth: int) -> int:
    """Return how many games end in mate before the last ply, which is counted fast."""
    mates = sum(perft(position, ply).counts["checkmates"] for ply in range(1, depth))
    return mates + position.is_checkmate
