"""Positions that fail and that no cause explains: the board, and the counters side by side."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from perftkit.report.commands import divide_command
from perftkit.report.details import is_failure, short_id
from perftkit.report.html.board import picture
from perftkit.report.html.case import beside_board
from perftkit.report.html.elements import add, element
from perftkit.report.html.page import copyable, facts, section
from perftkit.report.html.tables import Column, cell, number, table
from perftkit.report.text import SHORT_TITLES, grouped, plural, signed
from perftkit.verify.compare import NODES
from perftkit.verify.events import ERROR

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from xml.etree.ElementTree import Element

    from perftkit.report import EngineInfo
    from perftkit.suite.model import SuiteRow
    from perftkit.verify.events import Outcome

__all__ = ["Failing"]

MOST_KEPT = 1_000  # positions of a kind, since it is known only at the end which are explained
MOST_TOLD = 50  # of them in full

DIFFERENT, UNANSWERED, DISPUTED = "different", "unanswered", "disputed"
TITLES = {
    DIFFERENT: "Positions that differ",
    UNANSWERED: "Positions without an answer",
    DISPUTED: "Numbers of the suite to check",
}
NOTES = {
    DISPUTED: (
        "Here perftkit's own generator does not count what the suite says: one of the two is"
        " wrong, whatever the engine says."
    )
}
COLUMNS = (
    Column("depth", is_number=True),
    Column("counter"),
    Column("expected", is_number=True),
    Column("got", is_number=True),
    Column("difference", is_number=True),
)


@dataclass(slots=True)
class _Position:
    """A row of the suite with the depths of it that fail in one way."""

    row: SuiteRow
    outcomes: list[Outcome]


@dataclass(slots=True)
class _Kept:
    """The positions that fail in one way: the first of them, and how many there are."""

    positions: list[_Position] = field(default_factory=list)
    last: SuiteRow | None = None
    total: int = 0

    def add(self, outcome: Outcome) -> None:
        is_new = outcome.row is not self.last
        self.last = outcome.row
        self.total += is_new
        if self.total > MOST_KEPT:
            return
        if is_new:
            self.positions.append(_Position(outcome.row, []))
        self.positions[-1].outcomes.append(outcome)

    def without(self, rows: Iterable[SuiteRow]) -> list[_Position]:
        left_out = {(row.file, row.line) for row in rows}
        return [each for each in self.positions if (each.row.file, each.row.line) not in left_out]


class Failing:
    """Collects what fails, by position."""

    def __init__(self) -> None:
        self._kinds = {kind: _Kept() for kind in TITLES}

    def add(self, outcome: Outcome) -> None:
        """Add an outcome, if it is a failure."""
        if is_failure(outcome):
            self._kinds[_kind(outcome)].add(outcome)

    def sections(
        self, engine: EngineInfo | None, explained: Sequence[SuiteRow]
    ) -> Iterator[Element]:
        """Yield a section for each way to fail.

        Args:
            engine: Who was asked.
            explained: The rows that differ for a reason that is known.
        """
        for kind, kept in self._kinds.items():
            known = explained if kind == DIFFERENT else ()
            total = kept.total - len(known)
            if not total:
                continue
            title = TITLES[kind] + (", not explained" if known else "")
            made = section(f"{title}: {grouped(total)}", NOTES.get(kind), id=kind)
            told = kept.without(known)[:MOST_TOLD]
            for index, position in enumerate(told, 1):
                made.append(_card(position, engine, f"{kind}-{index}"))
            if total > len(told):
                more = f"and {plural(total - len(told), 'more position')}, see the table of rows"
                made.append(element("p", more, class_="soft"))
            yield made


def _kind(outcome: Outcome) -> str:
    if outcome.status == ERROR:
        return UNANSWERED
    return DISPUTED if outcome.healthy else DIFFERENT


def _card(position: _Position, engine: EngineInfo | None, name: str) -> Element:
    row, first = position.row, position.outcomes[0]
    again = divide_command(row.fen, max(first.depth, 1), chess960=bool(row.chess960), engine=engine)
    notes = element("ul", class_="notes")
    for text in _notes(position):
        notes.append(element("li", text))
    known = facts(
        (
            ("FEN", copyable(row.fen)),
            ("place", f"{row.file}:{row.line}"),
            ("show it again", copyable(again)),
        )
    )
    return element(
        "article",
        element("header", element("h3", short_id(row)), _depths(position)),
        beside_board(
            picture(row.fen, name, chess960=row.chess960),
            notes if len(notes) else None,
            _compared(position),
            known,
        ),
        class_="card failure",
    )


def _depths(position: _Position) -> Element:
    depths = ", ".join(str(outcome.depth) for outcome in position.outcomes)
    several = len(position.outcomes) > 1
    return element("span", f"depth{'s' if several else ''} {depths}", class_="badge")


def _notes(position: _Position) -> Iterator[str]:
    """Yield what is said about the failures, each sentence once."""
    seen = set()
    for outcome in position.outcomes:
        for text in _said(outcome):
            if text not in seen:
                seen.add(text)
                yield text


def _said(outcome: Outcome) -> Iterator[str]:
    if outcome.reason is not None:
        yield f"depth {outcome.depth}: {outcome.reason}"
    if outcome.disputed is not None:
        yield (
            f"depth {outcome.depth}: the suite says {grouped(outcome.expected_nodes or 0)}, and"
            f" perftkit counts {grouped(outcome.disputed)}"
        )
    yield from outcome.hints
    yield from outcome.remarks


def _compared(position: _Position) -> Element | None:
    """Return the counters that were expected and got, side by side; None where none were got."""
    rows = [row for outcome in position.outcomes for row in _counters(outcome)]
    return table("Expected and got", COLUMNS, rows, is_low=True) if rows else None


def _counters(outcome: Outcome) -> Iterator[Element]:
    got = {each.name: each.got for each in outcome.differences} | dict(outcome.counts)
    expected = dict(outcome.expected_counts)
    if outcome.nodes is not None and outcome.expected_nodes is not None:
        got = {NODES: outcome.nodes, **got}
        expected = {NODES: outcome.expected_nodes, **expected}
    depth = str(outcome.depth)
    for name, wanted in expected.items():
        if name not in got:
            continue
        delta = got[name] - wanted
        row = element("tr", cell(depth, "n"), cell(SHORT_TITLES.get(name, name)))
        numbers = (
            number(got[name], "off" if delta else ""),
            cell(signed(delta) if delta else "", "n off"),
        )
        add(row, number(wanted), *numbers)
        yield row
        depth = ""
