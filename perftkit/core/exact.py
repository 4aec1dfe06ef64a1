"""Counts of any size: what can pass 64 bits is cut until it can't, and added up in Python.

A walker counts in 64 bits. No position has more than `MOST_MOVES` moves, so a tree of `SAFE_DEPTH`
plies has fewer than 2**64 leaves whatever the position, and no counter exceeds the leaves. Deeper
trees are never given to a walker as a whole.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from perftkit.core import strict
from perftkit.core.counts import COUNTERS
from perftkit.core.kernel import kernel
from perftkit.core.signals import StoppedError

if TYPE_CHECKING:
    from perftkit.core.position import Position
    from perftkit.core.signals import StopFlag
    from perftkit.core.table import HashTable

FAST = "fast"
STRICT = "strict"
MOST_MOVES = 768  # MAX_MOVES of movegen.pxd, where it is proven
SAFE_DEPTH = 6  # the deepest for which MOST_MOVES**depth < 2**64


@dataclass(slots=True)
class Total:
    """A sum of counts, as exact integers.

    Attributes:
        nodes: Leaves.
        counts: How many of them are of each kind; empty without the breakdown.
    """

    nodes: int = 0
    counts: dict[str, int] = field(default_factory=dict)

    def add(self, nodes: int, counts: dict[str, int]) -> None:
        """Add what another part of the tree has."""
        self.nodes += nodes
        for name, count in counts.items():
            self.counts[name] = self.counts.get(name, 0) + count


def count_exactly(
    position: Position,
    depth: int,
    walker: str,
    *,
    breakdown: bool = True,
    stop: StopFlag | None = None,
    table: HashTable | None = None,
) -> Total:
    """Count the leaves of a tree.

    Args:
        position: Its root, left as it is.
        depth: Plies, 1 or more.
        walker: `FAST` or `STRICT`.
        breakdown: Whether to count the kinds of leaves too.
        stop: Ends the count; None on the main thread, where Ctrl-C does.
        table: What `FAST` looks subtrees up in, if given.

    Raises:
        StoppedError: The flag was raised.
        KeyboardInterrupt: Ctrl-C, without a flag.
    """
    if depth <= SAFE_DEPTH:
        return Total(*_walk(position, depth, walker, breakdown, stop, table))
    total = Total(0, dict.fromkeys(COUNTERS, 0) if breakdown else {})
    _add_below(position.copy(), depth, walker, breakdown, stop, table, total)
    return total


def _add_below(
    position: Position,
    depth: int,
    walker: str,
    breakdown: bool,
    stop: StopFlag | None,
    table: HashTable | None,
    total: Total,
) -> None:
    if stop is not None and stop.is_set():
        raise StoppedError
    if depth <= SAFE_DEPTH:
        total.add(*_walk(position, depth, walker, breakdown, stop, table))
        return
    for move in position.legal_moves():
        position.push(move)
        _add_below(position, depth - 1, walker, breakdown, stop, table, total)
        position.pop()


def _walk(
    position: Position,
    depth: int,
    walker: str,
    breakdown: bool,
    stop: StopFlag | None,
    table: HashTable | None,
) -> tuple[int, dict[str, int]]:
    if walker == STRICT:
        nodes, counts = strict.count(position, depth, stop)
        return nodes, counts if breakdown else {}
    if breakdown:
        return kernel().count(position, depth, stop, table)
    return kernel().count_nodes(position, depth, stop, table), {}
