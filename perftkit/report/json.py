"""The JSON of the public contract, written as the results come."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from perftkit.report import SCHEMA
from perftkit.verify.events import Outcome, Unreadable

if TYPE_CHECKING:
    from typing import TextIO

    from perftkit.report import DivideInfo, RunInfo
    from perftkit.suite.model import SuiteProblem, SuiteRow
    from perftkit.verify.events import Event
    from perftkit.verify.verdict import Tally

__all__ = ["JsonRunReporter", "write_divide"]

FRACTION_DIGITS = 6  # of seconds


class JsonRunReporter:
    """Writes one document, row by row; only the unreadable rows are kept until the end."""

    def __init__(self, stream: TextIO, info: RunInfo) -> None:
        self._stream = stream
        self._info = info
        self._row: SuiteRow | None = None
        self._problems: list[SuiteProblem] = []

    def begin(self) -> None:
        """Write the head of the document."""
        head = {
            "perftkit": self._info.version,
            "schema": SCHEMA,
            "command": "run",
            "suite": self._info.suite,
            "depth": self._info.depth,
            "method": self._info.method,
            "engine": None,
        }
        self._stream.write(json.dumps(head)[:-1] + ',\n "positions": [')

    def handle(self, event: Event) -> None:
        """Write an outcome, or keep a problem for the end."""
        if isinstance(event, Unreadable):
            self._problems.append(event.problem)
        elif isinstance(event, Outcome):
            self._write_outcome(event)

    def end(self, tally: Tally, seconds: float, stopped: str | None) -> None:
        """Write the problems and the summary."""
        close = "" if self._row is None else "]}"
        errors = ",\n  ".join(json.dumps(_problem(problem)) for problem in self._problems)
        summary = json.dumps(_summary(tally, seconds, stopped))
        self._stream.write(f'{close}],\n "errors": [{errors}],\n "summary": {summary}}}\n')

    def _write_outcome(self, outcome: Outcome) -> None:
        entry = json.dumps(_outcome(outcome))
        row = outcome.row
        if row is self._row:
            self._stream.write(",\n    " + entry)
            return
        head = json.dumps({"id": row.id, "file": row.file, "line": row.line, "fen": row.fen})[:-1]
        before = "\n  " if self._row is None else "]},\n  "
        self._stream.write(f'{before}{head}, "rows": [\n    {entry}')
        self._row = row


def _outcome(outcome: Outcome) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "depth": outcome.depth,
        "status": outcome.status,
        "nodes": outcome.nodes,
        "expected_nodes": outcome.expected_nodes,
        "counts": dict(outcome.counts),
        "expected_counts": dict(outcome.expected_counts),
        "seconds": round(outcome.seconds, FRACTION_DIGITS),
    }
    if outcome.reason is not None:
        entry["reason"] = outcome.reason
    if outcome.hints:
        entry["hints"] = list(outcome.hints)
    return entry


def _problem(problem: SuiteProblem) -> dict[str, Any]:
    return {
        "file": problem.file,
        "line": problem.line,
        "column": problem.column,
        "message": problem.message,
    }


def _summary(tally: Tally, seconds: float, stopped: str | None) -> dict[str, Any]:
    summary: dict[str, Any] = {
        "positions": tally.positions,
        "rows": tally.rows,
        "ok": tally.ok,
        "mismatch": tally.mismatch,
        "error": tally.unreadable,
        "skipped": tally.skipped,
        "nodes": tally.nodes,
        "seconds": round(seconds, FRACTION_DIGITS),
        "nps": tally.nps,
    }
    if stopped is not None:
        summary["stopped"] = stopped
    return summary


def write_divide(stream: TextIO, info: DivideInfo) -> None:
    """Write the document of a division."""
    document: dict[str, Any] = {
        "perftkit": info.version,
        "schema": SCHEMA,
        "command": "divide",
        "fen": info.fen,
        "moves": list(info.moves),
        "depth": info.depth,
        "nodes": info.nodes,
        "counts": info.counts,
    }
    if info.stopped is not None:
        document["stopped"] = info.stopped
    children = ",\n  ".join(
        f"{json.dumps(move)}: {json.dumps({'nodes': child.nodes, 'counts': child.counts})}"
        for move, child in info.children.items()
    )
    stream.write(json.dumps(document)[:-1] + f',\n "children": {{\n  {children}}}}}\n')
