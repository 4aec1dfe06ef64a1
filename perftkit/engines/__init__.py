"""Who answers: anything that counts the leaves of a position."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator

    from perftkit.core.perft import PerftResult
    from perftkit.core.position import Position

__all__ = ["Generator"]


class Generator(Protocol):
    """A move generator that can be asked for counts."""

    def count(self, position: Position, depth: int) -> PerftResult:
        """Return the number of leaves and the breakdown at a depth of 0 to 64 plies."""
        ...

    def children(self, position: Position, depth: int) -> Iterator[tuple[str, PerftResult]]:
        """Yield each legal move's UCI text, in alphabetical order, with the leaves under it.

        The depth is 1 to 64 plies, the root's move included. The results add up to `count`. The
        position must not be changed while this is iterated.
        """
        ...
