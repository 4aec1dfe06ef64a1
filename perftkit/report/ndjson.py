"""JSON, a line for each thing that happens, written as soon as it does."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from perftkit.report import RunReporter
from perftkit.report.json import (
    cause_entry,
    comparison_entry,
    head_of,
    outcome_entry,
    problem_entry,
    row_entry,
    summary_entry,
)
from perftkit.verify.events import Outcome, Unreadable

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TextIO

    from perftkit.report import RunInfo
    from perftkit.verify.baseline import Comparison
    from perftkit.verify.events import Event
    from perftkit.verify.explain import Cause
    from perftkit.verify.verdict import Tally

__all__ = ["NdjsonRunReporter"]


class NdjsonRunReporter(RunReporter):
    """Writes one object a line; ``type`` says what it is about."""

    def __init__(self, stream: TextIO, info: RunInfo) -> None:
        self._stream = stream
        self._info = info

    def begin(self) -> None:
        """Write what was asked for."""
        self._write("run", head_of(self._info))

    def handle(self, event: Event) -> None:
        """Write an outcome or a problem."""
        if isinstance(event, Outcome):
            self._write("row", {**row_entry(event.row), **outcome_entry(event)})
        elif isinstance(event, Unreadable):
            self._write("error", problem_entry(event.problem))

    def explain(self, causes: Sequence[Cause]) -> None:
        """Write the causes."""
        if self._info.engine is not None:
            for cause in causes:
                self._write("cause", cause_entry(cause, self._info.engine))

    def compare(self, comparison: Comparison) -> None:
        """Write what has changed."""
        self._write("baseline", comparison_entry(comparison))

    def end(self, tally: Tally, seconds: float, stopped: str | None) -> None:
        """Write the summary."""
        self._write("summary", summary_entry(tally, seconds, stopped))

    def _write(self, kind: str, entry: dict[str, Any]) -> None:
        self._stream.write(json.dumps({"type": kind, **entry}) + "\n")
        self._stream.flush()
