"""A division that an engine's was compared with as a page: the verdict, where, why, all moves."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from perftkit.core.counts import COUNTERS
from perftkit.report.commands import fails_again
from perftkit.report.details import said_of_walk
from perftkit.report.html.board import picture
from perftkit.report.html.case import beside_board, case, diagnosis_head
from perftkit.report.html.divide import divided_position, position_facts
from perftkit.report.html.elements import add, element
from perftkit.report.html.page import codes, copyable, facts, section, write_page
from perftkit.report.html.tables import (
    Column,
    cell,
    counter_cells,
    counter_columns,
    number,
    table,
)
from perftkit.report.text import fine_duration, plural, signed
from perftkit.verify.compare import RIGHT, compared_rows
from perftkit.verify.events import OK

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TextIO
    from xml.etree.ElementTree import Element

    from perftkit.report import WalkInfo
    from perftkit.verify.compare import ComparedRow
    from perftkit.verify.walk import FailedAt

__all__ = ["write_walk"]


def write_walk(stream: TextIO, info: WalkInfo) -> None:
    """Write the page of a walk."""
    sections = (_verdict(info), _first_wrong(info), _failed_at(info), _moves(info))
    there = [each for each in sections if each is not None]
    write_page(stream, f"{said_of_walk(info)[0]} - perftkit", info.version, there)


def _verdict(info: WalkInfo) -> Element:
    result = info.result
    said, numbers = said_of_walk(info)
    is_right = result.verdict == OK and result.comparison is not None
    look = "unsure" if is_right and result.disputed else "right" if is_right else "wrong"
    fen = divided_position(info.fen, info.moves, chess960=info.chess960).fen()
    at = f"depth {result.depth}" if result.depth else f"depth {info.asked_depth} was asked for"
    return element(
        "section",
        element("p", f"perftkit divide with an engine, {at}", class_="eyebrow"),
        element("h1", said),
        element("p", numbers[:1].upper() + numbers[1:]) if numbers else None,
        _remarks(info),
        beside_board(
            picture(fen, "position", chess960=info.chess960),
            facts((*position_facts(info.fen, info.moves, fen), *_about_engine(info))),
        ),
        class_=f"verdict {look}",
        id="verdict",
    )


def _about_engine(info: WalkInfo) -> tuple[tuple[str, Element | str | None], ...]:
    result = info.result
    effort = f"{plural(result.questions, 'question')}, answered in {fine_duration(result.seconds)}"
    return (
        ("engine", element("code", info.engine.spec) if info.engine.spec else None),
        ("asked", effort if result.questions else None),
        ("next", copyable(info.next_command) if info.next_command is not None else None),
    )


def _remarks(info: WalkInfo) -> Element | None:
    """Return what was not as it should be, besides the counts."""
    result = info.result
    stopped = info.stopped or result.stopped
    texts = [
        *(f"The reference is disputed: {disputed}" for disputed in result.disputed),
        *([f"Error: {result.error}"] if result.error is not None else []),
        *([f"Stopped early: {stopped}"] if stopped is not None else []),
        *result.remarks,
    ]
    made = element("ul", class_="notes")
    add(made, *(element("li", text) for text in texts))
    return made if texts else None


def _first_wrong(info: WalkInfo) -> Element | None:
    """Return the first wrong position and the diagnosis."""
    evidence, diagnosis = info.result.first_wrong, info.diagnosis
    if evidence is None and diagnosis is None:
        return None
    card = element("article", class_="card cause")
    if diagnosis is not None:
        add(card, diagnosis_head(diagnosis), element("p", diagnosis.explanation, class_="lead"))
    if evidence is not None:
        card.append(case(evidence, info.engine, "first-wrong"))
    broken_off = info.result.error or info.stopped or info.result.stopped
    title = "The last wrong position that was reached" if broken_off else "First wrong position"
    return section(title, card, id="first-wrong-position")


def _failed_at(info: WalkInfo) -> Element | None:
    """Return the smallest position that the engine fails on."""
    failed = info.result.failed_at
    if failed is None:
        return None
    known = facts(_about_failure(failed, info))
    board = picture(failed.fen, "failed-at", chess960=info.chess960)
    card = element("article", beside_board(board, known), class_="card failure")
    return section(f"The engine fails at depth {failed.depth} here", card, id="failed-at-position")


def _about_failure(
    failed: FailedAt, info: WalkInfo
) -> tuple[tuple[str, Element | str | None], ...]:
    advice = "a shorter --timeout lets perftkit look for a smaller position that fails"
    return (
        ("FEN", copyable(failed.fen)),
        ("reached by", codes(failed.path) if failed.path else None),
        ("with", failed.error),
        ("show it again", copyable(fails_again(failed, info))),
        ("advice", advice if failed.is_slow else None),
    )


def _moves(info: WalkInfo) -> Element | None:
    """Return both lists of moves of the root as one table, with the right counters."""
    result = info.result
    if result.answer is None or result.comparison is None:
        return None
    compared = compared_rows(result.answer, result.expected, result.comparison)
    if not compared:
        return None
    names = _counters(info)
    columns = (
        Column("move"),
        Column("status"),
        Column("expected", is_number=True),
        Column("engine", is_number=True),
        Column("difference", is_number=True),
        *counter_columns(names),
    )
    rows = [_row(row, info, names) for row in compared]
    listed = table("Moves of both", columns, rows)
    differing = sum(row.status != RIGHT for row in compared)
    title = f"{plural(len(compared), 'move')} at depth {result.depth}, {differing} differ"
    if not differing:
        title = f"{plural(len(compared), 'move')} at depth {result.depth}, all alike"
    note = element("p", "The counters are those of perftkit.", class_="soft") if names else None
    return section(title, note, listed, id="moves")


def _counters(info: WalkInfo) -> Sequence[str]:
    """Return the counters that there is something to say about."""
    totals: Counter[str] = Counter()
    for child in info.children.values():
        totals.update(child.counts)
    return [name for name in COUNTERS if totals[name]]


def _row(row: ComparedRow, info: WalkInfo, names: Sequence[str]) -> Element:
    child = info.children.get(row.move)
    delta = None
    if row.expected is not None and row.got is not None:
        delta = row.got - row.expected
    is_wrong = row.status != RIGHT
    return element(
        "tr",
        element("td", element("code", row.move)),
        element("td", element("span", row.status, class_="word")),
        number(row.expected),
        number(row.got, "off" if is_wrong else ""),
        cell(signed(delta) if delta else "", "n off", sort_by=delta),
        *counter_cells(names, {} if child is None else child.counts),
        class_="bad" if is_wrong else "good",
        data_status=row.status,
    )
