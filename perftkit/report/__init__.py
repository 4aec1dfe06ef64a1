"""How to show it: reporters that are handed what happens and write as it comes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from perftkit.core.perft import PerftResult
    from perftkit.verify.events import Event
    from perftkit.verify.verdict import Tally

__all__ = ["SCHEMA", "DivideInfo", "RunInfo", "RunReporter"]

SCHEMA = 1
"""The version of the machine-readable formats."""


@dataclass(frozen=True, slots=True)
class RunInfo:
    """What a run was asked for.

    Attributes:
        version: Of perftkit.
        suite: The name of the suite, or the names with commas; None for a single position.
        depth: The deepest depth that is checked.
        method: How the leaves are counted.
        convention: In which convention counters are shown.
    """

    version: str
    suite: str | None
    depth: int
    method: str
    convention: str


class RunReporter(Protocol):
    """Somebody who is told what happens in a run."""

    def begin(self) -> None:
        """Write what comes before the first event."""
        ...

    def handle(self, event: Event) -> None:
        """Write what an event says, if anything."""
        ...

    def end(self, tally: Tally, seconds: float, stopped: str | None) -> None:
        """Write what comes last.

        Args:
            tally: The sums.
            seconds: Wall time of the run.
            stopped: Why not everything was checked: ``interrupted``, ``fail-fast``, or None.
        """
        ...


@dataclass(frozen=True, slots=True)
class DivideInfo:
    """What was divided, and the result.

    Attributes:
        version: Of perftkit.
        fen: The position before `moves`.
        moves: What was played first, as UCI text.
        depth: Plies.
        nodes: The sum of the children.
        counts: The sums of their counters.
        children: By UCI text, in the order in which they are to be shown.
        seconds: Time spent counting.
        stopped: ``interrupted`` when moves are missing, else None.
    """

    version: str
    fen: str
    moves: tuple[str, ...]
    depth: int
    nodes: int
    counts: dict[str, int]
    children: dict[str, PerftResult]
    seconds: float
    stopped: str | None
