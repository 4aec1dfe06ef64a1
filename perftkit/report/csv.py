"""Comma-separated values: a head, then a line for each result."""

from __future__ import annotations

import csv
import re
from typing import TYPE_CHECKING

from perftkit.core.counts import COUNTERS
from perftkit.report import RunReporter
from perftkit.report.text import clean
from perftkit.verify.compare import compared_rows
from perftkit.verify.events import Outcome

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import TextIO

    from perftkit.report import DivideInfo, RunInfo, WalkInfo
    from perftkit.verify.events import Event

__all__ = ["CsvRunReporter", "write_divide", "write_walk"]

FORMULA = re.compile(r"[=+@-](?![0-9]*\.?[0-9]+$)")


class CsvRunReporter(RunReporter):
    """Writes a line for each depth of each row; what is not known stays empty."""

    def __init__(self, stream: TextIO, info: RunInfo) -> None:
        del info  # the lines are the same whoever counted
        self._writer = csv.writer(stream, lineterminator="\n")

    def begin(self) -> None:
        """Write the names of the columns."""
        self._writer.writerow(
            [
                *("file", "line", "id", "fen", "depth", "status", "nodes", "expected_nodes"),
                *COUNTERS,
                *(f"expected_{name}" for name in COUNTERS),
                *("seconds", "reason"),
            ]
        )

    def handle(self, event: Event) -> None:
        """Write an outcome."""
        if not isinstance(event, Outcome):
            return
        row = event.row
        self._writer.writerow(
            [
                *(_text(row.file), row.line, _text(row.id), _text(row.fen)),
                *(event.depth, event.status, event.nodes, event.expected_nodes),
                *_counters(event.counts),
                *_counters(event.expected_counts),
                *(f"{event.seconds:.6f}", event.reason and _text(event.reason)),
            ]
        )


def _text(text: str) -> str:
    """Return a text that neither a terminal nor a spreadsheet obeys; numbers stay as they are."""
    safe = clean(text)
    return f"'{safe}" if FORMULA.match(safe) else safe


def _counters(counts: Mapping[str, int]) -> list[int | None]:
    return [counts.get(name) for name in COUNTERS]


def write_divide(stream: TextIO, info: DivideInfo) -> None:
    """Write a line for each move of a division."""
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(["move", "nodes", *COUNTERS])
    for move, child in info.children.items():
        writer.writerow([move, child.nodes, *_counters(child.counts)])


def write_walk(stream: TextIO, info: WalkInfo) -> None:
    """Write a line for each move that the engine or the reference has, and both counts."""
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(["move", "status", "nodes", "expected_nodes"])
    result = info.result
    if result.answer is None or result.comparison is None:
        return
    for row in compared_rows(result.answer, result.expected, result.comparison):
        writer.writerow([_text(row.move), row.status, row.got, row.expected])
