"""How to show it: reporters that are handed what happens and write as it comes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from perftkit.core.perft import PerftResult
    from perftkit.verify.baseline import Comparison
    from perftkit.verify.choice import Choice
    from perftkit.verify.diagnosis import Diagnosis
    from perftkit.verify.events import Event
    from perftkit.verify.explain import Cause
    from perftkit.verify.verdict import Tally
    from perftkit.verify.walk import WalkResult

__all__ = [
    "SCHEMA",
    "DivideInfo",
    "EngineInfo",
    "OtherPlaceError",
    "RunInfo",
    "RunReporter",
    "WalkInfo",
]

SCHEMA = 1
"""The version of the machine-readable formats."""


class OtherPlaceError(OSError):
    """What can't be written is no stream of ours: its `filename` says what."""


@dataclass(frozen=True, slots=True)
class EngineInfo:
    """The engine under test.

    Attributes:
        spec: The text that names it.
        name: What it calls itself.
        words: The words of a command line that name it again, for commands to be typed next.
        timeout_option: By what the user limits the time of an answer, for messages.
    """

    spec: str
    name: str
    words: tuple[str, ...]
    timeout_option: str = "--timeout"


@dataclass(frozen=True, slots=True)
class RunInfo:
    """What a run was asked for.

    Attributes:
        version: Of perftkit.
        suite: The name of the suite, or the names with commas; None for a single position.
        depth: The deepest depth that is checked.
        method: How the leaves are counted.
        convention: In which convention counters are shown.
        engine: Who is checked; None for the built-in generator.
        started: When the run began, with its time zone; None where nobody looked.
        choice: What of it a limited time was spent on; None for all of it.
    """

    version: str
    suite: str | None
    depth: int
    method: str
    convention: str
    engine: EngineInfo | None = None
    started: datetime | None = None
    choice: Choice | None = None


class RunReporter:
    """Somebody who is told what happens in a run, and by itself writes nothing."""

    def begin(self) -> None:
        """Write what comes before the first event."""

    def handle(self, event: Event) -> None:
        """Write what an event says, if anything."""

    def explain(self, causes: Sequence[Cause]) -> None:
        """Take why rows fail, after the last event and before the end."""

    def compare(self, comparison: Comparison) -> None:
        """Take what has changed since an earlier run, before the end."""

    def end(self, tally: Tally, seconds: float, stopped: str | None) -> None:
        """Write what comes last.

        Args:
            tally: The sums.
            seconds: Wall time of the run.
            stopped: Why not everything was checked: ``interrupted``, ``fail-fast``, or None.
        """


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


@dataclass(frozen=True, slots=True)
class WalkInfo:
    """What an engine's division was compared with, and where that led.

    Attributes:
        version: Of perftkit.
        fen: The position before `moves`.
        chess960: Whether it is one of Chess960.
        moves: What was played first, as UCI text.
        asked_depth: The depth that was asked for; the result has the one that was compared.
        engine: Who was asked.
        result: Where the walk ended.
        children: The right counts at the result's depth, by UCI text.
        diagnosis: The rule that is broken, if any was found.
        stopped: ``interrupted`` when the walk was broken off, else None.
        next_command: What to type next where the way down is left to the user, else None.
    """

    version: str
    fen: str
    chess960: bool
    moves: tuple[str, ...]
    asked_depth: int
    engine: EngineInfo
    result: WalkResult
    children: dict[str, PerftResult]
    diagnosis: Diagnosis | None
    stopped: str | None
    next_command: str | None = None
