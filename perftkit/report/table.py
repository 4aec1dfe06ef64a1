"""A run as a table for people: rows as they come, differences in full, a summary."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from perftkit.report.layout import COUNTER_COLUMNS, Column, choose_counters, counter_cells, line
from perftkit.report.text import SHORT_TITLES, duration, grouped, shortened, signed, speed
from perftkit.suite.model import counters_of
from perftkit.verify.compare import NODES
from perftkit.verify.events import MISMATCH, OK, SKIPPED, Outcome

if TYPE_CHECKING:
    from perftkit.report import RunInfo
    from perftkit.report.console import Span, Terminal
    from perftkit.verify.events import Event
    from perftkit.verify.verdict import Tally

__all__ = ["TableRunReporter"]

STATUS = Column("", 7, left=True)
DEPTH = Column("depth", 5)
NODES_COLUMN = Column("nodes", 13)
TIME = Column("time", 8)
FIXED = (STATUS, DEPTH, NODES_COLUMN, TIME)

LEAST_ID_WIDTH = 16
MOST_ID_WIDTH = 40
MOST_FAILURES = 20  # that are named again at the end
ROWS_ON_A_SCREEN = 20
HINT = "hint: "

STATUS_WORDS = {OK: ("ok", "green"), MISMATCH: ("differs", "bold red"), SKIPPED: ("skipped", "dim")}


class TableRunReporter:
    """Writes a row for each depth of each position."""

    def __init__(self, terminal: Terminal, info: RunInfo) -> None:
        self._terminal = terminal
        known = counters_of(info.convention)
        room = terminal.width - sum(column.width + 1 for column in FIXED) - LEAST_ID_WIDTH
        self._counters = choose_counters(room, known)
        used = sum(COUNTER_COLUMNS[name].width + 1 for name in self._counters)
        id_width = min(max(LEAST_ID_WIDTH + room - used, 4), MOST_ID_WIDTH)
        self._id = Column("position", id_width, left=True)
        counters = [COUNTER_COLUMNS[name] for name in self._counters]
        self._columns = [STATUS, self._id, DEPTH, NODES_COLUMN, *counters, TIME]
        self._failures: list[Outcome] = []

    def begin(self) -> None:
        """Write the heads of the columns."""
        titles = [column.title for column in self._columns]
        self._terminal.write(*line(self._columns, titles, ["bold"] * len(titles)))

    def handle(self, event: Event) -> None:
        """Write an outcome."""
        if not isinstance(event, Outcome):
            return
        self._terminal.write(*self._row(event))
        if event.status == MISMATCH:
            if len(self._failures) < MOST_FAILURES:
                self._failures.append(event)
            self._write_details(event)

    def end(self, tally: Tally, seconds: float, stopped: str | None) -> None:
        """Write which rows differed, if they may be out of sight, and the summary."""
        if tally.mismatch and tally.rows > ROWS_ON_A_SCREEN:
            self._write_failures(tally.mismatch)
        self._terminal.write()
        for span in _summary(tally, seconds, stopped):
            self._terminal.write(span)

    def _row(self, outcome: Outcome) -> list[Span]:
        word, style = STATUS_WORDS[outcome.status]
        if outcome.status == SKIPPED:
            head = line(
                self._columns[:3], [word, self._name(outcome), str(outcome.depth)], ["dim"] * 3
            )
            return [*head, (f"  {outcome.reason}", "dim")]
        differing = {difference.name for difference in outcome.differences}
        names = (NODES, *self._counters)
        numbers = [grouped(outcome.nodes or 0), *counter_cells(self._counters, outcome.counts)]
        styles = ["bold red" if name in differing else "" for name in names]
        return line(
            self._columns,
            [word, self._name(outcome), str(outcome.depth), *numbers, duration(outcome.seconds)],
            [style, "", "", *styles, "dim"],
        )

    def _name(self, outcome: Outcome) -> str:
        """The row's id, cut to its column only where no other program reads it."""
        if not self._terminal.is_terminal:
            return outcome.row.id
        ellipsis = "…" if self._terminal.unicode else "..."
        return shortened(outcome.row.id, self._id.width, ellipsis)

    def _write_details(self, outcome: Outcome) -> None:
        write = self._terminal.write
        write("  ", (f"in {outcome.row.file}:{outcome.row.line}", "dim"))
        for difference in outcome.differences:
            title = SHORT_TITLES.get(difference.name, difference.name)
            write(
                f"  {title:<11} expected {grouped(difference.expected):>15}  got ",
                (f"{grouped(difference.got):>15}", "red"),
                "  difference ",
                (signed(difference.delta), "bold red"),
            )
        for hint in outcome.hints:
            first, *rest = textwrap.wrap(hint, max(self._terminal.width - len(HINT) - 3, 20))
            write("  ", (HINT, "bold yellow"), first)
            for text in rest:
                write(" " * (len(HINT) + 2), text)
        write("  ", (f"look closer: {_divide_command(outcome)}", "dim"))

    def _write_failures(self, total: int) -> None:
        self._terminal.write()
        self._terminal.write((f"{grouped(total)} of the rows differ:", "bold red"))
        for outcome in self._failures:
            row = outcome.row
            self._terminal.write(f"  {row.file}:{row.line}: {row.id}, depth {outcome.depth}")
        if total > len(self._failures):
            self._terminal.write(f"  and {grouped(total - len(self._failures))} more")


def _divide_command(outcome: Outcome) -> str:
    row = outcome.row
    chess960 = " --chess960" if row.chess960 else ""
    return f'perftkit divide "{row.fen}" --depth {max(outcome.depth, 1)}{chess960}'


def _summary(tally: Tally, seconds: float, stopped: str | None) -> list[Span]:
    parts = [f"{grouped(tally.ok)} ok"]
    parts += [
        f"{grouped(number)} {word}"
        for number, word in (
            (tally.mismatch, "differ" if tally.mismatch != 1 else "differs"),
            (tally.skipped, "skipped"),
            (tally.unreadable, "unreadable"),
        )
        if number
    ]
    good = not tally.mismatch and not tally.unreadable and tally.rows > 0
    positions = _plural(tally.positions, "position")
    lines: list[Span] = [
        (
            f"{positions}, {_plural(tally.rows, 'row')}: {', '.join(parts)}",
            "bold green" if good else "bold red",
        ),
        f"{_plural(tally.nodes, 'node')} in {duration(seconds)}, {speed(tally.nps)}",
    ]
    if stopped is not None:
        lines.append((f"stopped early: {stopped}", "bold yellow"))
    return lines


def _plural(number: int, noun: str) -> str:
    return f"{grouped(number)} {noun}{'' if number == 1 else 's'}"
