"""perftkit's own generator as one that can be asked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from perftkit.core.crew import Crew
from perftkit.core.perft import METHODS, count_moves_apart, perft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from perftkit.core.perft import PerftResult
    from perftkit.core.position import Position
    from perftkit.core.table import HashTable

__all__ = ["BuiltinGenerator"]


@dataclass(frozen=True, slots=True)
class BuiltinGenerator:
    """The built-in generator.

    Attributes:
        method: One of `perftkit.core.perft.METHODS`.
        threads: How many count at once, 1 or more.
        table: A hash table for the fast method; none is used unless given.
    """

    method: str = METHODS[0]
    threads: int = 1
    table: HashTable | None = None

    def count(self, position: Position, depth: int) -> PerftResult:
        """Return the number of leaves and the breakdown at a depth of 0 to 64 plies."""
        return perft(position, depth, method=self.method, threads=self.threads, table=self.table)

    def children(self, position: Position, depth: int) -> Iterator[tuple[str, PerftResult]]:
        """Yield each legal move's UCI text with the leaves under it, as each is counted."""
        with Crew(self.threads, self.table) as crew:
            yield from count_moves_apart(position, depth, self.method, crew)
