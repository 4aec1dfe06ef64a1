"""A run as a table for people: rows as they come, differences in full, a summary."""

from __future__ import annotations

import textwrap
from collections import Counter
from typing import TYPE_CHECKING

from perftkit.report import RunReporter
from perftkit.report.baseline import comparison_headline, comparison_lines
from perftkit.report.commands import divide_command, show_again
from perftkit.report.differences import write_differences, write_disputed
from perftkit.report.layout import COUNTER_COLUMNS, Column, Layout, choose_counters, counter_cells
from perftkit.report.text import alike, duration, grouped, plural, shortened_inside, speed
from perftkit.suite.model import counters_of
from perftkit.verify.compare import NODES
from perftkit.verify.events import ERROR, MISMATCH, OK, SKIPPED, Outcome
from perftkit.verify.failures import failures
from perftkit.verify.verdict import ExitStatus, verdict

if TYPE_CHECKING:
    from collections.abc import Sequence

    from perftkit.report import EngineInfo, RunInfo
    from perftkit.report.console import Span, Terminal
    from perftkit.verify.baseline import Comparison
    from perftkit.verify.choice import Choice
    from perftkit.verify.events import Event
    from perftkit.verify.explain import Cause
    from perftkit.verify.failures import Failure
    from perftkit.verify.verdict import Tally

__all__ = ["TableRunReporter"]

STATUS = Column("", 7, left=True)
DEPTH = Column("depth", 5)
NODES_COLUMN = Column("nodes", 13, least=9)
TIME = Column("time", 8, spare=1)
FIXED = (STATUS, DEPTH, NODES_COLUMN, TIME)

LEAST_ID_WIDTH = 16  # beside counters
FAIR_ID_WIDTH = 10  # beside the time
NARROWEST_ID = 5
MOST_ID_WIDTH = 40
MOST_FAILURES = 20  # that are named again at the end
MOST_NAMED = 8  # rows of a cause that are named
MOST_REMARKS = 5
MOST_DEPTHS = 5  # of what was left out
ROWS_ON_A_SCREEN = 20
LEAST_SECONDS_MEASURED = 0.1
IMPOSSIBLE = "impossible"  # the opcode that says why no game leads to a row

STATUS_WORDS = {
    OK: ("ok", "green"),
    MISMATCH: ("differs", "bold red"),
    SKIPPED: ("skipped", "dim"),
    ERROR: ("error", "bold red"),
}


class TableRunReporter(RunReporter):
    """Writes a row for each depth of each position."""

    def __init__(
        self, terminal: Terminal, info: RunInfo, *, explain_option: str = "--explain"
    ) -> None:
        self._terminal = terminal
        self._explain_option = explain_option
        self._engine = info.engine
        known = counters_of(info.convention)
        room = terminal.width - sum(column.width + 1 for column in FIXED) - LEAST_ID_WIDTH
        self._counters = choose_counters(room, known)
        used = sum(COUNTER_COLUMNS[name].width + 1 for name in self._counters)
        id_width = min(max(LEAST_ID_WIDTH + room - used, LEAST_ID_WIDTH), MOST_ID_WIDTH)
        position = Column("position", id_width, left=True, fair=FAIR_ID_WIDTH, least=NARROWEST_ID)
        counters = [COUNTER_COLUMNS[name] for name in self._counters]
        columns = [STATUS, position, DEPTH, NODES_COLUMN, *counters, TIME]
        self._layout = Layout(columns, terminal.width)
        self._id = self._layout.columns[1]
        self._failures: list[Outcome] = []
        self._remarks: Counter[str] = Counter()
        self._worded: dict[str, str] = {}
        self._unanswered: list[Outcome] = []
        self._disputed: list[Outcome] = []
        self._causes: Sequence[Cause] = ()
        self._choice = info.choice
        self._comparison: Comparison | None = None
        self._left_out: dict[str, Counter[int]] = {}

    def begin(self) -> None:
        """Write the heads of the columns."""
        self._terminal.write(*self._layout.head("bold"))

    def handle(self, event: Event) -> None:
        """Write an outcome."""
        if not isinstance(event, Outcome):
            return
        if event.is_left_out:
            self._left_out.setdefault(event.reason or "", Counter())[event.depth] += 1
            return
        if event.disputed is not None:
            write_disputed(self._terminal, event, event.disputed)
        self._terminal.write(*self._row(event))
        self._take_remarks(event.remarks)
        if event.status == ERROR:
            self._unanswered.append(event)
        elif event.healthy:
            self._disputed.append(event)
        elif event.status == MISMATCH:
            if self._engine is not None or len(self._failures) < MOST_FAILURES:
                self._failures.append(event)
            self._write_details(event)

    def _take_remarks(self, remarks: Sequence[str]) -> None:
        """Count remarks; those that differ by their numbers alone are one."""
        for remark in remarks:
            kind = alike(remark)
            self._worded.setdefault(kind, remark)
            self._remarks[kind] += 1

    def explain(self, causes: Sequence[Cause]) -> None:
        """Keep the causes for the end."""
        self._causes = causes

    def compare(self, comparison: Comparison) -> None:
        """Keep what has changed for the end."""
        self._comparison = comparison

    def end(self, tally: Tally, seconds: float, stopped: str | None) -> None:
        """Write what failed and why, if that may be out of sight, and the summary."""
        if self._engine is not None:
            self._write_engine_failures(self._engine)
        elif tally.mismatch and tally.rows > ROWS_ON_A_SCREEN:
            self._write_failures(tally.mismatch)
        if self._choice is not None and self._left_out:
            self._write_left_out(self._choice, tally)
        if self._comparison is not None:
            self._write_comparison(self._comparison)
        self._terminal.write()
        for span in _summary(tally, seconds, stopped):
            self._terminal.write(span)

    def _row(self, outcome: Outcome) -> list[Span]:
        word, style = STATUS_WORDS[outcome.status]
        if outcome.nodes is None:
            style = "dim" if outcome.status == SKIPPED else style
            head = self._layout.line(
                [word, self._name(outcome), str(outcome.depth)],
                [style, *["dim" if outcome.status == SKIPPED else ""] * 2],
            )
            return [*head, (f"  {outcome.reason}", style)]
        differing = {difference.name for difference in outcome.differences}
        names = (NODES, *self._counters)
        numbers = [grouped(outcome.nodes or 0), *counter_cells(self._counters, outcome.counts)]
        styles = ["bold red" if name in differing else "" for name in names]
        return self._layout.line(
            [word, self._name(outcome), str(outcome.depth), *numbers, duration(outcome.seconds)],
            [style, "", "", *styles, "dim"],
        )

    def _name(self, outcome: Outcome) -> str:
        """The row's id, cut to its column only where no other program reads it."""
        if not self._terminal.is_terminal:
            return outcome.row.id
        ellipsis = "…" if self._terminal.unicode else "..."
        return shortened_inside(outcome.row.id, self._id.width, ellipsis)

    def _write_details(self, outcome: Outcome) -> None:
        write = self._terminal.write
        write("  ", (f"in {outcome.row.file}:{outcome.row.line}", "dim"))
        write_differences(self._terminal, outcome)
        if self._engine is not None and IMPOSSIBLE in outcome.row.notes:
            write("  ", (f"no game leads here: {outcome.row.notes[IMPOSSIBLE]}", "dim"))
        if self._engine is None:
            write("  ", (f"look closer: {_divide_command(outcome)}", "dim"))

    def _write_engine_failures(self, engine: EngineInfo) -> None:
        """Write what to type next for each failing row, or the causes where they are known."""
        from perftkit.report.walk import write_labelled

        failed = failures((outcome.row, outcome.depth) for outcome in self._failures)
        explained = {id(each.failure.row) for cause in self._causes for each in cause.members}
        for cause in self._causes:
            self._write_cause(cause, engine)
        open_ones = [failure for failure in failed if id(failure.row) not in explained]
        if open_ones:
            self._write_next(open_ones, engine, "to look at")
            if len(open_ones) > 1 and not self._causes:
                hint = "finds the rule that is broken and groups them by it"
                self._terminal.write((f"{self._explain_option} {hint}", "dim"))
        unanswered = failures((outcome.row, outcome.depth) for outcome in self._unanswered)
        if unanswered:
            self._write_next(unanswered, engine, "without an answer")
            hint = "divide looks for the smallest position that the engine fails on"
            self._terminal.write((hint, "dim"))
        self._write_healthy()
        for kind, times in self._remarks.most_common(MOST_REMARKS):
            self._terminal.write()
            said = f"{self._worded[kind]} ({plural(times, 'row')})"
            write_labelled(self._terminal, "remark", said)

    def _write_healthy(self) -> None:
        """Write which numbers of the suite nobody confirms."""
        if not self._disputed:
            return
        write = self._terminal.write
        write()
        write((f"{plural(len(self._disputed), 'number')} of the suite to check:", "bold red"))
        for outcome in self._disputed[:MOST_FAILURES]:
            row = outcome.row
            write(
                f"  {row.file}:{row.line}: {row.id}, depth {outcome.depth}: the engine and perftkit"
                f" agree on {grouped(outcome.nodes or 0)}, and the suite says"
                f" {grouped(outcome.expected_nodes or 0)}"
            )
        if len(self._disputed) > MOST_FAILURES:
            write(f"  and {len(self._disputed) - MOST_FAILURES} more")

    def _write_cause(self, cause: Cause, engine: EngineInfo) -> None:
        from perftkit.report.walk import write_diagnosis, write_evidence, write_labelled

        write = self._terminal.write
        names = [member.failure.row.id for member in cause.members]
        more = len(names) - MOST_NAMED
        write()
        write((f"{plural(len(names), 'position')}: ", "bold red"), (cause.diagnosis.rule, "bold"))
        shown = ", ".join(names[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")
        write_labelled(self._terminal, "positions", shown)
        if cause.first_wrong is not None:
            write()
            write_evidence(self._terminal, cause.first_wrong)
        write_diagnosis(self._terminal, cause.diagnosis)
        if cause.first_wrong is not None:
            again = show_again(cause.first_wrong, engine)
            write_labelled(self._terminal, "show again", again, "dim")

    def _write_comparison(self, comparison: Comparison) -> None:
        style = "bold red" if comparison.new else "bold green" if comparison.fixed else "bold"
        self._terminal.write()
        self._terminal.write((comparison_headline(comparison), style))
        for text in comparison_lines(comparison):
            self._terminal.write("  ", (text, "red" if text.startswith("new:") else ""))

    def _write_left_out(self, choice: Choice, tally: Tally) -> None:
        self._terminal.write()
        for reason, depths in self._left_out.items():
            first = sorted(depths)[:MOST_DEPTHS]
            listed = [f"{grouped(depths[depth])} of depth {depth}" for depth in first]
            deeper = depths.total() - sum(depths[depth] for depth in first)
            listed += [f"{grouped(deeper)} deeper"] if deeper else []
            self._wrapped(f"{reason}: {plural(depths.total(), 'row')}, {', '.join(listed)}")
        if tally.seconds < LEAST_SECONDS_MEASURED:
            return
        is_late = len(self._left_out) > 1
        if is_late or tally.nps > 2 * choice.pace.nps:
            nps = speed(tally.nps).removesuffix("n/s").replace(" ", "")
            self._wrapped(f"--nps {nps}, the speed of this run, would choose for the same time")

    def _wrapped(self, text: str) -> None:
        for part in textwrap.wrap(text, max(self._terminal.width - 1, 20)):
            self._terminal.write((part, "dim"))

    def _write_next(self, failed: Sequence[Failure], engine: EngineInfo, why: str) -> None:
        write = self._terminal.write
        write()
        write((f"{plural(len(failed), 'position')} {why}:", "bold red"))
        for failure in failed[:MOST_FAILURES]:
            row = failure.row
            write(f"  {row.file}:{row.line}: {row.id}, depth {failure.depth}")
            command = divide_command(
                row.fen, max(failure.depth, 1), chess960=bool(row.chess960), engine=engine
            )
            write("    ", (command, "dim"))
        if len(failed) > MOST_FAILURES:
            write(f"  and {len(failed) - MOST_FAILURES} more")

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
            (tally.failed, "without an answer"),
            (tally.skipped, "skipped"),
            (tally.unreadable, "unreadable"),
        )
        if number
    ]
    good = verdict(tally) is ExitStatus.AGREED
    positions = plural(tally.positions, "position")
    lines: list[Span] = [
        (
            f"{positions}, {plural(tally.rows, 'row')}: {', '.join(parts)}",
            "bold green" if good else "bold red",
        ),
        f"{plural(tally.nodes, 'node')} in {duration(seconds)}, {speed(tally.nps)}",
    ]
    if stopped is not None:
        lines.append((f"stopped early: {stopped}", "bold yellow"))
    return lines
