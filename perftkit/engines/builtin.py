"""perftkit's own generator as one that can be asked."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from perftkit.core.perft import METHODS, divide, perft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from perftkit.core.perft import PerftResult
    from perftkit.core.position import Position

__all__ = ["BuiltinGenerator"]


@dataclass(frozen=True, slots=True)
class BuiltinGenerator:
    """The built-in generator.

    Attributes:
        method: One of `perftkit.core.perft.METHODS`.
    """

    method: str = METHODS[0]

    def count(self, position: Position, depth: int) -> PerftResult:
        """Return the number of leaves and the breakdown at a depth of 0 to 64 plies."""
        return perft(position, depth, method=self.method)

    def children(self, position: Position, depth: int) -> Iterator[tuple[str, PerftResult]]:
        """Yield each legal move's UCI text with the leaves under it, as each is counted."""
        if depth == 1:
            # The breakdown of a single ply belongs to the moves of the root itself.
            yield from divide(position, depth, method=self.method).items()
            return
        for move in sorted(position.legal_moves(), key=str):
            start = time.perf_counter()
            child = position.copy()
            child.push(move)
            result = perft(child, depth - 1, method=self.method)
            yield move.uci(), replace(result, depth=depth, seconds=time.perf_counter() - start)
