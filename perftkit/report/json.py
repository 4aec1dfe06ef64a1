"""The JSON of the public contract, written as the results come."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any

from perftkit.report import SCHEMA, RunReporter
from perftkit.report.commands import fails_again, show_again
from perftkit.verify.events import Outcome, Unreadable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import TextIO

    from perftkit.core.perft import PerftResult
    from perftkit.report import DivideInfo, EngineInfo, RunInfo, WalkInfo
    from perftkit.suite.model import SuiteProblem, SuiteRow
    from perftkit.verify.baseline import Change, Comparison, Speed
    from perftkit.verify.diagnosis import Diagnosis, Evidence
    from perftkit.verify.events import Event
    from perftkit.verify.explain import Cause
    from perftkit.verify.verdict import Tally
    from perftkit.verify.walk import WalkResult

__all__ = [
    "JsonRunReporter",
    "cause_entry",
    "comparison_entry",
    "head_of",
    "outcome_entry",
    "problem_entry",
    "row_entry",
    "summary_entry",
    "write_divide",
    "write_walk",
]

FRACTION_DIGITS = 6  # of seconds
RATIO_DIGITS = 4


class JsonRunReporter(RunReporter):
    """Writes one document, row by row; only the unreadable rows are kept until the end."""

    def __init__(self, stream: TextIO, info: RunInfo) -> None:
        self._stream = stream
        self._info = info
        self._row: SuiteRow | None = None
        self._problems: list[SuiteProblem] = []
        self._causes: Sequence[Cause] | None = None
        self._comparison: Comparison | None = None

    def begin(self) -> None:
        """Write the head of the document."""
        self._stream.write(json.dumps(head_of(self._info))[:-1] + ',\n "positions": [')

    def handle(self, event: Event) -> None:
        """Write an outcome, or keep a problem for the end."""
        if isinstance(event, Unreadable):
            self._problems.append(event.problem)
        elif isinstance(event, Outcome):
            self._write_outcome(event)

    def explain(self, causes: Sequence[Cause]) -> None:
        """Keep the causes for the end."""
        self._causes = causes

    def compare(self, comparison: Comparison) -> None:
        """Keep what has changed for the end."""
        self._comparison = comparison

    def end(self, tally: Tally, seconds: float, stopped: str | None) -> None:
        """Write the problems, the causes where they were asked for, and the summary."""
        close = "" if self._row is None else "]}"
        errors = ",\n  ".join(json.dumps(problem_entry(problem)) for problem in self._problems)
        summary = json.dumps(summary_entry(tally, seconds, stopped))
        causes = ""
        if self._causes is not None and self._info.engine is not None:
            engine = self._info.engine
            texts = (json.dumps(cause_entry(cause, engine)) for cause in self._causes)
            causes = ' "causes": [{}],\n'.format(",\n  ".join(texts))
        since = ""
        if self._comparison is not None:
            since = f' "baseline": {json.dumps(comparison_entry(self._comparison))},\n'
        self._stream.write(
            f'{close}],\n "errors": [{errors}],\n{causes}{since} "summary": {summary}}}\n'
        )

    def _write_outcome(self, outcome: Outcome) -> None:
        entry = json.dumps(outcome_entry(outcome))
        row = outcome.row
        if row is self._row:
            self._stream.write(",\n    " + entry)
            return
        head = json.dumps(row_entry(row))[:-1]
        before = "\n  " if self._row is None else "]},\n  "
        self._stream.write(f'{before}{head}, "rows": [\n    {entry}')
        self._row = row


def head_of(info: RunInfo) -> dict[str, Any]:
    """Return what a run was asked for, as the contract has it."""
    head: dict[str, Any] = {
        "perftkit": info.version,
        "schema": SCHEMA,
        "command": "run",
        "suite": info.suite,
        "depth": info.depth,
        "method": info.method,
        "engine": None if info.engine is None else info.engine.spec,
    }
    if info.choice is not None:
        head["budget"] = {"seconds": info.choice.budget, "nps": info.choice.pace.nps}
    return head


def row_entry(row: SuiteRow) -> dict[str, Any]:
    """Return a row of a suite: its position, and where it stands."""
    return {"id": row.id, "file": row.file, "line": row.line, "fen": row.fen}


def outcome_entry(outcome: Outcome) -> dict[str, Any]:
    """Return one depth of a row, without the row."""
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
    if outcome.remarks:
        entry["remarks"] = list(outcome.remarks)
    if outcome.disputed is not None:
        entry["disputed_by_reference"] = outcome.disputed
    return entry


def problem_entry(problem: SuiteProblem) -> dict[str, Any]:
    """Return what can't be read of a suite, and where."""
    return {
        "file": problem.file,
        "line": problem.line,
        "column": problem.column,
        "message": problem.message,
    }


def summary_entry(tally: Tally, seconds: float, stopped: str | None) -> dict[str, Any]:
    """Return the sums of a run."""
    summary: dict[str, Any] = {
        "positions": tally.positions,
        "rows": tally.rows,
        "ok": tally.ok,
        "mismatch": tally.mismatch,
        "error": tally.unreadable + tally.failed,
        "skipped": tally.skipped,
        "nodes": tally.nodes,
        "seconds": round(seconds, FRACTION_DIGITS),
        "nps": tally.nps,
    }
    if stopped is not None:
        summary["stopped"] = stopped
    return summary


def comparison_entry(comparison: Comparison) -> dict[str, Any]:
    """Return what has changed since an earlier run."""
    speed = comparison.speed
    return {
        "file": comparison.baseline,
        "engine": comparison.engine,
        "new": comparison.new,
        "fixed": comparison.fixed,
        "still": comparison.still,
        "changed": comparison.changed,
        "added": comparison.added,
        "gone": comparison.gone,
        "new_failures": [_change(each) for each in comparison.new_failures],
        "fixed_failures": [_change(each) for each in comparison.fixed_failures],
        "speed": speed and _speed(speed),
    }


def _change(change: Change) -> dict[str, Any]:
    before_and_after = {"depth": change.depth, "before": change.before, "after": change.after}
    return {**row_entry(change.row), **before_and_after}


def _speed(speed: Speed) -> dict[str, Any]:
    return {
        "rows": speed.rows,
        "ratio": round(speed.ratio, RATIO_DIGITS),
        "noise": round(speed.noise, RATIO_DIGITS),
        "is_beyond_noise": speed.is_beyond_noise,
        "outliers": [
            {**row_entry(each.row), "depth": each.depth, "ratio": round(each.ratio, RATIO_DIGITS)}
            for each in speed.outliers
        ],
    }


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
    stream.write(f"{json.dumps(document)[:-1]}{_children(info.children)}}}\n")


def _children(children: Mapping[str, PerftResult]) -> str:
    """Return the counts under each move, a line a move, as the next member of a document."""
    texts = ",\n  ".join(
        f"{json.dumps(move)}: {json.dumps({'nodes': child.nodes, 'counts': child.counts})}"
        for move, child in children.items()
    )
    return f',\n "children": {{\n  {texts}}}'


def write_walk(stream: TextIO, info: WalkInfo) -> None:
    """Write the document of a division that an engine's was compared with."""
    result = info.result
    counts: Counter[str] = Counter()
    for child in info.children.values():
        counts.update(child.counts)
    document: dict[str, Any] = {
        "perftkit": info.version,
        "schema": SCHEMA,
        "command": "divide",
        "fen": info.fen,
        "moves": list(info.moves),
        "depth": result.depth,
        "asked_depth": info.asked_depth,
        "nodes": sum(child.nodes for child in info.children.values()),
        "counts": dict(counts),
    }
    stopped = info.stopped or result.stopped
    if stopped is not None:
        document["stopped"] = stopped
    after: dict[str, Any] = {
        "engine": _engine(info.engine, result),
        "verdict": result.verdict,
        "first_wrong": result.first_wrong and _first_wrong(result.first_wrong),
        "diagnosis": info.diagnosis and _diagnosis(info.diagnosis),
    }
    if result.first_wrong is not None and info.engine.words:
        after["show_again"] = show_again(result.first_wrong, info.engine)
    if info.next_command is not None:
        after["next_command"] = info.next_command
    if result.error is not None:
        after["error"] = result.error
    failed = result.failed_at
    if failed is not None:
        after["failed_at"] = {
            "fen": failed.fen,
            "path": list(failed.path),
            "depth": failed.depth,
            "error": failed.error,
            "show_again": fails_again(failed, info),
        }
    if result.disputed:
        after["disputed"] = [
            {"depth": each.depth, "published": each.published, "counted": each.counted}
            for each in result.disputed
        ]
    if result.remarks:
        after["remarks"] = list(result.remarks)
    tail = "".join(f",\n {json.dumps(name)}: {json.dumps(value)}" for name, value in after.items())
    stream.write(f"{json.dumps(document)[:-1]}{_children(info.children)}{tail}}}\n")


def _engine(engine: EngineInfo, result: WalkResult) -> dict[str, Any]:
    answer = result.answer
    return {
        "spec": engine.spec or None,
        "name": engine.name,
        "nodes": None if answer is None else answer.nodes,
        "children": None if answer is None or answer.children is None else dict(answer.children),
        "questions": result.questions,
        "seconds": round(result.seconds, FRACTION_DIGITS),
    }


def _first_wrong(evidence: Evidence) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "fen": evidence.fen,
        "root": evidence.root,
        "path": list(evidence.path),
        "depth": evidence.depth,
        "missing": list(evidence.missing),
        "extra": list(evidence.extra),
        "wrong_counts": {
            move: {"expected": expected, "got": got}
            for move, (expected, got) in evidence.wrong_counts.items()
        },
    }
    if evidence.repeated:
        entry["repeated"] = list(evidence.repeated)
    more = {
        "right_by_fen": evidence.right_by_fen,
        "right_by_moves": evidence.right_by_moves,
        "engine_fen": evidence.engine_fen,
        "same_as": evidence.same_as,
    }
    return {**entry, **{name: value for name, value in more.items() if value is not None}}


def _diagnosis(diagnosis: Diagnosis) -> dict[str, Any]:
    return {
        "rule": diagnosis.rule,
        "explanation": diagnosis.explanation,
        "confidence": diagnosis.confidence,
    }


def cause_entry(cause: Cause, engine: EngineInfo) -> dict[str, Any]:
    """Return why rows fail, and which."""
    rows = [
        {
            "id": member.failure.row.id,
            "file": member.failure.row.file,
            "line": member.failure.row.line,
            "depth": member.failure.depth,
        }
        for member in cause.members
    ]
    found = cause.first_wrong
    return {
        **_diagnosis(cause.diagnosis),
        "rows": rows,
        "first_wrong": found and _first_wrong(found),
        "show_again": found and show_again(found, engine),
    }
