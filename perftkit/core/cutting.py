"""Cutting a tree into parts that several threads count."""

from __future__ import annotations

import heapq
import math
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING

from perftkit.core.kernel import kernel

if TYPE_CHECKING:
    from perftkit.core.position import Position

# A part of fewer plies is not cut further: what it costs is less than what cutting does.
LEAST_DEPTH = 3
# Four plies are counted, for a better estimate, where two promise that this is soon done.
MOST_LOOKED_AT = 5_000


@dataclass(frozen=True, slots=True)
class Part:
    """A subtree.

    Attributes:
        position: Its root.
        depth: Plies from there to the leaves.
        leaves: An estimate of how many it has.
    """

    position: Position
    depth: int
    leaves: float


def estimate(position: Position, depth: int) -> float:
    """Return about how many leaves a tree of `depth` plies has, from its first plies."""
    plies = min(depth, 2)
    leaves = kernel().count_nodes(position, plies)
    if depth > 4 and leaves**2 <= MOST_LOOKED_AT:
        plies, leaves = 4, kernel().count_nodes(position, 4)
    return math.pow(leaves, depth / plies)


def cut(root: Part, wanted: int) -> list[Part]:
    """Return subtrees that together have the leaves of `root`, the largest first.

    The largest one is cut until there are as many as wanted, so that the parts to be counted last
    are small, and no more parts than that needs. Equal positions stay apart: each is counted as
    often as it is reached.
    """
    order = count()  # never compare parts
    heap = [(-root.leaves, next(order), root)]
    done: list[Part] = []
    while heap and len(heap) + len(done) < wanted:
        part = heapq.heappop(heap)[2]
        if part.depth <= LEAST_DEPTH:
            done.append(part)
            continue
        for child in _children(part):
            heapq.heappush(heap, (-child.leaves, next(order), child))
    done += (part for _, _, part in heap)
    return sorted(done, key=lambda part: -part.leaves)


def _children(part: Part) -> list[Part]:
    children = []
    for move in part.position.legal_moves():
        child = part.position.copy()
        child.push(move)
        child = child.copy()  # without the history, which takes ten times the memory
        children.append(Part(child, part.depth - 1, _quick_estimate(child, part.depth - 1)))
    return children


def _quick_estimate(position: Position, depth: int) -> float:
    plies = min(depth, 2)
    return math.pow(kernel().count_nodes(position, plies), depth / plies)
