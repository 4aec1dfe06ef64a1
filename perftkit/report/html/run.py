"""A run as a page: the answer first, then the causes, what they leave open, speed, all rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from perftkit.report import RunReporter
from perftkit.report.baseline import comparison_headline, comparison_lines
from perftkit.report.details import is_compared, short_id, sums
from perftkit.report.html.case import case, diagnosis_head
from perftkit.report.html.chart import Timings
from perftkit.report.html.elements import add, element
from perftkit.report.html.failing import Failing
from perftkit.report.html.page import facts, section, write_page
from perftkit.report.html.rows import Rows
from perftkit.report.text import duration, grouped, plural, speed
from perftkit.verify.events import MISMATCH, Outcome, Unreadable
from perftkit.verify.verdict import ExitStatus, verdict

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import TextIO
    from xml.etree.ElementTree import Element

    from perftkit.report import RunInfo
    from perftkit.suite.model import SuiteProblem, SuiteRow
    from perftkit.verify.baseline import Comparison
    from perftkit.verify.events import Event
    from perftkit.verify.explain import Cause
    from perftkit.verify.verdict import Tally

__all__ = ["HtmlRunReporter"]

MOST_CAUSES = 50  # that are told in full; there are some forty rules
MOST_PROBLEMS = 200  # unreadable rows that are listed
MOST_MEMBERS = 500  # rows of a cause that are named
MEMBERS_SHOWN = 12  # without being asked for

CHIPS = {"ok": "good", "different": "bad", "without an answer": "bad", "unreadable": "warn"}


class HtmlRunReporter(RunReporter):
    """Writes the page at the end; until then rows wait in a file."""

    def __init__(self, stream: TextIO, info: RunInfo) -> None:
        self._stream = stream
        self._info = info
        self._rows = Rows()
        self._timings = Timings()
        self._failing = Failing()
        self._healthy = 0
        self._compared = 0
        self._problems: list[SuiteProblem] = []
        self._causes: Sequence[Cause] = ()
        self._comparison: Comparison | None = None

    def handle(self, event: Event) -> None:
        """Add a row, or a row that can't be read."""
        if isinstance(event, Unreadable):
            if len(self._problems) < MOST_PROBLEMS:
                self._problems.append(event.problem)
        elif isinstance(event, Outcome):
            self._rows.add(event)
            self._timings.add(event)
            self._failing.add(event)
            self._healthy += event.status == MISMATCH and event.healthy
            self._compared += is_compared(event, self._info)

    def explain(self, causes: Sequence[Cause]) -> None:
        """Keep the causes."""
        self._causes = causes

    def compare(self, comparison: Comparison) -> None:
        """Keep what has changed."""
        self._comparison = comparison

    def end(self, tally: Tally, seconds: float, stopped: str | None) -> None:
        """Write all of it."""
        said = self._said(tally, stopped)
        sections = [
            self._verdict(said, tally, seconds, stopped),
            _changes(self._comparison),
            *self._explained(),
            *self._failing.sections(self._info.engine, self._explained_rows()),
            *self._unreadable(tally),
            self._timings.section(),
            self._rows.section(),
        ]
        there = [each for each in sections if each is not None]
        write_page(self._stream, f"{said} - perftkit", self._info.version, there)
        self._rows.close()

    def _said(self, tally: Tally, stopped: str | None) -> str:
        """Return the answer, in one sentence."""
        engine, rows = self._info.engine, plural(tally.rows, "row")
        name = "perftkit" if engine is None else engine.name
        wrong = tally.mismatch - self._healthy
        if wrong and engine is None:
            return f"perftkit and the suite differ in {grouped(wrong)} of {rows}"
        if wrong:
            return f"{name} is wrong in {grouped(wrong)} of {rows}"
        if tally.failed:
            return f"{name} gave no answer to {grouped(tally.failed)} of {rows}"
        if tally.mismatch:
            return (
                f"{name} is right, and the suite is disputed in {grouped(self._healthy)} of {rows}"
            )
        if tally.unreadable:
            return f"{plural(tally.unreadable, 'row')} of the suite can't be read"
        if not tally.ok:
            return "Nothing was counted"
        if not self._compared:
            return f"{name} counted {plural(tally.ok, 'row')}, and nothing was compared"
        rows = f"{'the' if tally.ok == 1 else 'all'} {plural(tally.ok, 'row')}"
        end = " so far" if stopped else " counted" if tally.skipped else ""
        return f"{name} is right in {rows}{end}"

    def _verdict(self, said: str, tally: Tally, seconds: float, stopped: str | None) -> Element:
        look = self._look(tally, stopped)
        chips = element("ul", class_="sums")
        for count, word in sums(tally):
            label = element("strong", grouped(count))
            chips.append(element("li", label, f" {word}", class_=CHIPS.get(word)))
        asked = f"{plural(tally.positions, 'position')} of {self._info.suite}"
        if self._info.suite is None:
            asked = "one position"
        counted = f"{plural(tally.nodes, 'node')} in {duration(seconds)}, {speed(tally.nps)}"
        return element(
            "section",
            element(
                "p", f"perftkit run, {asked}, up to depth {self._info.depth}", class_="eyebrow"
            ),
            element("h1", said),
            chips,
            element("p", counted),
            _stopped(stopped),
            self._facts(),
            class_=f"verdict {look}",
            id="verdict",
        )

    def _look(self, tally: Tally, stopped: str | None) -> str:
        if tally.mismatch > self._healthy or tally.failed:
            return "wrong"
        is_whole = self._compared and stopped is None
        return "right" if is_whole and verdict(tally) is ExitStatus.AGREED else "unsure"

    def _facts(self) -> Element:
        info = self._info
        budget = None
        if info.choice is not None:
            budget = f"{duration(info.choice.budget)}, at {speed(info.choice.pace.nps)}"
        started = None if info.started is None else info.started.strftime("%Y-%m-%d %H:%M:%S %Z")
        asked: str | Element = f"perftkit's own generator, method {info.method}"
        if info.engine is not None:
            asked = element("code", info.engine.spec)
        return facts(
            (
                ("checked", asked),
                ("convention", info.convention),
                ("budget", budget),
                ("started", started),
            )
        )

    def _explained(self) -> Iterator[Element]:
        """Yield the section of the causes, if there are any."""
        if not self._causes:
            return
        made = section("What is wrong", id="causes")
        for index, cause in enumerate(self._causes[:MOST_CAUSES], 1):
            made.append(self._cause(cause, index))
        yield made

    def _cause(self, cause: Cause, index: int) -> Element:
        explains = element("span", plural(len(cause.members), "position"), class_="badge bad")
        made = element(
            "article",
            diagnosis_head(cause.diagnosis, explains),
            element("p", cause.diagnosis.explanation, class_="lead"),
            class_="card cause",
        )
        if cause.first_wrong is not None:
            made.append(case(cause.first_wrong, self._info.engine, f"cause-{index}"))
        made.append(_members(cause))
        return made

    def _explained_rows(self) -> list[SuiteRow]:
        return [member.failure.row for cause in self._causes for member in cause.members]

    def _unreadable(self, tally: Tally) -> Iterator[Element]:
        """Yield the section of the rows that can't be read, if there are any."""
        if not self._problems:
            return
        listed = element("ul", class_="notes")
        add(listed, *(element("li", str(problem)) for problem in self._problems))
        made = section(f"Unreadable: {grouped(tally.unreadable)}", listed, id="unreadable")
        more = tally.unreadable - len(self._problems)
        if more:
            made.append(element("p", f"and {grouped(more)} more", class_="soft"))
        yield made


def _changes(comparison: Comparison | None) -> Element | None:
    """Return the section of what has changed since an earlier run."""
    if comparison is None:
        return None
    listed = element("ul", class_="notes")
    add(listed, *(element("li", line) for line in comparison_lines(comparison)))
    return section(comparison_headline(comparison), listed, id="changes")


def _stopped(stopped: str | None) -> Element | None:
    if stopped is None:
        return None
    return element("p", element("strong", f"Stopped early: {stopped}"), class_="stopped")


def _members(cause: Cause) -> Element:
    """Return the rows that a cause explains."""
    members = cause.members
    names = element("ul", class_="members")
    for member in members[:MOST_MEMBERS]:
        row = member.failure.row
        place = element("small", f"{row.file}:{row.line}")
        names.append(element("li", f"{short_id(row)}, depth {member.failure.depth} ", place))
    if len(members) > MOST_MEMBERS:
        names.append(element("li", f"and {grouped(len(members) - MOST_MEMBERS)} more"))
    title = f"explains {plural(len(members), 'position')} of the suite"
    summary = element("summary", title)
    return element("details", summary, names, open=len(members) <= MEMBERS_SHOWN)
