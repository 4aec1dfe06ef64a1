"""Markdown, for pull requests, issues and the summaries of CI: the verdict, failures, all rows."""

from __future__ import annotations

import re
import shutil
from typing import TYPE_CHECKING

from perftkit.core.counts import COUNTERS
from perftkit.report import RunReporter
from perftkit.report.baseline import comparison_headline, comparison_lines
from perftkit.report.commands import show_again
from perftkit.report.details import (
    cause_lines,
    detail_lines,
    is_compared,
    is_failure,
    spool,
    sums,
    title_of,
)
from perftkit.report.layout import counter_cells
from perftkit.report.text import SHORT_TITLES, clean, duration, grouped, plural, signed, speed
from perftkit.verify.compare import RIGHT, compared_rows
from perftkit.verify.events import Outcome, Unreadable
from perftkit.verify.verdict import ExitStatus, verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import TextIO

    from perftkit.report import DivideInfo, RunInfo, WalkInfo
    from perftkit.verify.baseline import Comparison
    from perftkit.verify.events import Event
    from perftkit.verify.explain import Cause
    from perftkit.verify.verdict import Tally

__all__ = ["MarkdownRunReporter", "write_divide", "write_walk"]

SPECIAL = re.compile(r"([\\`*_\[\]|~#@$])")
MOST_FAILURES = 50  # that are told in full
SHOWN = ("captures", "en_passant", "castles", "promotions", "checks", "checkmates")


class MarkdownRunReporter(RunReporter):
    """Writes the summary, then the failures, then the table of all rows, which waits in a file."""

    def __init__(self, stream: TextIO, info: RunInfo, *, most: int | None = None) -> None:
        """Write to a stream.

        Args:
            stream: Where to.
            info: What the run was asked for.
            most: Bytes of the table after which rows that are right are left out; None for
                no limit.
        """
        self._stream = stream
        self._info = info
        self._most = most
        self._table = spool()
        self._length = 0
        self._left_out = 0
        self._failures: list[list[str]] = []
        self._failed = 0
        self._compared = 0
        self._causes: Sequence[Cause] = ()
        self._comparison: Comparison | None = None

    def handle(self, event: Event) -> None:
        """Add a row."""
        if isinstance(event, Unreadable):
            self._failed += 1
            if self._failed <= MOST_FAILURES:
                problem = event.problem
                place = f"in {problem.file}:{problem.line}, column {problem.column}"
                self._failures.append([f"unreadable row: {problem.message}", clean(place)])
        elif isinstance(event, Outcome):
            if is_failure(event):
                self._failed += 1
                if self._failed <= MOST_FAILURES:
                    lines = detail_lines(event, self._info.engine)
                    self._failures.append([title_of(event), *lines])
            self._compared += is_compared(event, self._info)
            self._add(event)

    def explain(self, causes: Sequence[Cause]) -> None:
        """Keep the causes."""
        self._causes = causes

    def compare(self, comparison: Comparison) -> None:
        """Keep what has changed."""
        self._comparison = comparison

    def end(self, tally: Tally, seconds: float, stopped: str | None) -> None:
        """Write all of it."""
        write = self._stream.write
        asked = self._info.engine.name if self._info.engine else "perftkit"
        write(f"## {_text(asked)}: {self._verdict(tally, stopped)}\n\n")
        parts = [f"{grouped(number)} {word}" for number, word in sums(tally)]
        write(f"{plural(tally.positions, 'position')}, {plural(tally.rows, 'row')}: ")
        write(", ".join(parts))
        write(f"  \n{grouped(tally.nodes)} nodes in {duration(seconds)}, {speed(tally.nps)}\n")
        if stopped is not None:
            write(f"\n**stopped early: {stopped}**\n")
        if self._comparison is not None:
            lines = comparison_lines(self._comparison)
            self._block([comparison_headline(self._comparison), *lines])
        for cause in self._causes:
            self._block(cause_lines(cause, self._info.engine))
        for lines in self._failures:
            self._block(lines)
        if self._failed > len(self._failures):
            write(f"\nand {plural(self._failed - len(self._failures), 'more failure')}\n")
        self._write_table()

    def _verdict(self, tally: Tally, stopped: str | None) -> str:
        if not tally.checked and not tally.unreadable:
            return "nothing was checked"
        if verdict(tally) is not ExitStatus.AGREED:
            return "not right"
        if not self._compared:
            return "nothing was compared"
        return "all right" if stopped is None else "all right so far"

    def _block(self, lines: Sequence[str]) -> None:
        """Write a title and an indented block under it, in which nothing has a meaning."""
        title, *rest = lines
        self._stream.write(f"\n### {_text(title)}\n\n")
        self._stream.writelines(f"    {line}\n" for line in rest)

    def _add(self, outcome: Outcome) -> None:
        if self._most is not None and self._length > self._most and not is_failure(outcome):
            self._left_out += 1
            return
        nodes = "" if outcome.nodes is None else grouped(outcome.nodes)
        expected = "" if outcome.expected_nodes is None else grouped(outcome.expected_nodes)
        cells = [outcome.status, outcome.row.id, str(outcome.depth), nodes, expected]
        cells += counter_cells(SHOWN, outcome.counts)
        row = _row([*cells, duration(outcome.seconds), outcome.reason or ""])
        self._length += len(row.encode())
        self._table.write(row)

    def _write_table(self) -> None:
        titles = ["", "position", "depth", "nodes", "expected", *(SHORT_TITLES[x] for x in SHOWN)]
        self._stream.write("\n" + _head([*titles, "time", "reason"], left=(0, 1, len(titles) + 1)))
        self._table.seek(0)
        shutil.copyfileobj(self._table, self._stream)
        self._table.close()
        if self._left_out:
            self._stream.write(f"\nand {grouped(self._left_out)} more rows that are no failures\n")


def write_divide(stream: TextIO, info: DivideInfo) -> None:
    """Write the moves of a division with their counts as a table."""
    titles = ["move", "nodes", *(SHORT_TITLES[name] for name in COUNTERS)]
    stream.write(f"Depth {info.depth} of `{info.fen}`{_after(info.moves)}\n\n")
    stream.write(_head(titles, left=(0,)))
    for move, child in info.children.items():
        stream.write(_counted(move, child.nodes, child.counts))
    stream.write(_counted("total", info.nodes, info.counts))
    if info.stopped is not None:
        stream.write(f"\n**stopped early: {info.stopped}, moves are missing**\n")


def _counted(title: str, nodes: int, counts: Mapping[str, int]) -> str:
    return _row([title, grouped(nodes), *counter_cells(COUNTERS, counts)])


def write_walk(stream: TextIO, info: WalkInfo) -> None:
    """Write where a walk ended, why, and what differs at the root."""
    result, found = info.result, info.result.first_wrong
    stream.write(f"## {_text(info.engine.name)}: {result.verdict}\n\n")
    stream.write(f"Depth {result.depth} of `{info.fen}`{_after(info.moves)}\n")
    if info.diagnosis is not None:
        diagnosis = info.diagnosis
        stream.write(f"\n### {_text(diagnosis.rule)} ({diagnosis.confidence})\n\n")
        stream.write(f"{_text(diagnosis.explanation)}\n")
    facts = [] if found is None else [f"FEN: {found.fen}", f"depth: {found.depth}"]
    if found is not None:
        lists = {"line": found.path, "missing": found.missing, "extra": found.extra}
        facts += [f"{name}: {' '.join(moves)}" for name, moves in lists.items() if moves]
        if info.engine.words:
            facts.append(f"show again: {show_again(found, info.engine)}")
    facts += [f"remark: {remark}" for remark in result.remarks]
    facts += [f"error: {result.error}"] if result.error is not None else []
    stopped = info.stopped or result.stopped
    facts += [f"stopped early: {stopped}"] if stopped is not None else []
    stream.write("\n" if facts else "")
    stream.writelines(f"    {clean(fact)}\n" for fact in facts)
    if result.answer is None or result.comparison is None:
        return
    stream.write("\n" + _head(["move", "", "expected", "engine", "difference"], left=(0, 1)))
    for row in compared_rows(result.answer, result.expected, result.comparison):
        numbers = ["" if number is None else grouped(number) for number in (row.expected, row.got)]
        both = row.expected is not None and row.got is not None and row.status != RIGHT
        delta = signed((row.got or 0) - (row.expected or 0)) if both else ""
        stream.write(_row([row.move, row.status, *numbers, delta]))


def _after(moves: Sequence[str]) -> str:
    return f" after {_text(' '.join(moves))}" if moves else ""


def _head(titles: Sequence[str], left: Iterable[int]) -> str:
    to_the_left = set(left)
    rule = ("---" if index in to_the_left else "---:" for index in range(len(titles)))
    return f"| {' | '.join(titles)} |\n| {' | '.join(rule)} |\n"


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(_text(cell) for cell in cells)} |\n"


def _text(text: str) -> str:
    """Return a text in which nothing has a meaning to Markdown or HTML."""
    safe = clean(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return SPECIAL.sub(r"\\\1", safe)
