"""The table of all rows of a run, which is as long as a browser can bear."""

from __future__ import annotations

from typing import TYPE_CHECKING

from perftkit.report.details import LONGEST_ID, is_failure, spool
from perftkit.report.html.elements import element, text_of
from perftkit.report.html.page import Filled, section
from perftkit.report.html.tables import (
    Column,
    cell,
    counter_cells,
    counter_columns,
    number,
    table,
)
from perftkit.report.text import fine_duration, plural, signed, speed
from perftkit.verify.events import ERROR, MISMATCH, OK, SKIPPED

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

    from perftkit.verify.events import Outcome

__all__ = ["Rows"]

MOST_RIGHT = 5_000  # rows that are no failures
MOST_FAILING = 5_000
LINE = 40  # characters of an id that fit into one line for certain
LOOKS = {OK: "good", MISMATCH: "bad", ERROR: "bad", SKIPPED: "skipped"}
SHOWN = ("captures", "en_passant", "castles", "promotions", "checks", "checkmates")
COLUMNS = (
    Column("status"),
    Column("position"),
    Column("depth", is_number=True),
    Column("nodes", is_number=True),
    Column("expected", is_number=True),
    Column("difference", is_number=True),
    *counter_columns(SHOWN),
    Column("time", is_number=True),
    Column("speed", is_number=True),
    Column("place"),
    Column("reason"),
    Column("FEN", class_="fen"),
)


class Rows:
    """Keeps rows in a file until the page has come to their table."""

    def __init__(self) -> None:
        self._rows = spool()
        self._has_counters = False
        self._kept = {True: 0, False: 0}  # by whether they fail
        self._left_out = {True: 0, False: 0}

    def add(self, outcome: Outcome) -> None:
        """Add a row where there is room for more of its kind."""
        fails = is_failure(outcome)
        if self._kept[fails] == (MOST_FAILING if fails else MOST_RIGHT):
            self._left_out[fails] += 1
            return
        self._kept[fails] += 1
        self._has_counters = self._has_counters or bool(outcome.counts)
        self._rows.write(f"{text_of(_row(outcome))}\n")

    def close(self) -> None:
        """Forget the rows."""
        self._rows.close()

    def section(self) -> Filled | None:
        """Return the table; None without rows."""
        if not any(self._kept.values()):
            return None
        self._rows.seek(0)
        made = section(
            "All rows" if not any(self._left_out.values()) else "Rows",
            self._left_out_words(),
            table("Rows of the run", COLUMNS, class_="" if self._has_counters else "uncounted"),
            id="rows",
        )
        return Filled(made, self._rows)

    def _left_out_words(self) -> Element | None:
        failing, others = self._left_out[True], self._left_out[False]
        if not failing and not others:
            return None
        parts = [plural(others, "row") + " that are no failures"] if others else []
        parts += [plural(failing, "failing row")] if failing else []
        said = (
            f"{' and '.join(parts)} are left out, so that a browser can show this page; reports in"
            " JSON and CSV have all of them."
        )
        return element("p", said, class_="soft")


def _row(outcome: Outcome) -> Element:
    row = outcome.row
    wrong = {difference.name for difference in outcome.differences}
    delta = None
    if outcome.nodes is not None and outcome.expected_nodes is not None:
        delta = outcome.nodes - outcome.expected_nodes
    nps = int(outcome.nodes / outcome.seconds) if outcome.nodes and outcome.seconds > 0 else None
    return element(
        "tr",
        element("td", element("span", outcome.status, class_="word")),
        cell(row.id, "id long" if LINE < len(row.id) <= LONGEST_ID else "id"),
        cell(str(outcome.depth), "n"),
        number(outcome.nodes, "off" if "nodes" in wrong else ""),
        number(outcome.expected_nodes),
        cell(signed(delta) if delta else "", "n off", sort_by=delta),
        *counter_cells(SHOWN, outcome.counts, wrong),
        _time(outcome),
        cell("" if nps is None else speed(nps), "n", sort_by=nps),
        cell(f"{row.file}:{row.line}"),
        cell(outcome.reason or "", "reason"),
        element("td", element("code", row.fen), class_="fen"),
        class_="warn" if outcome.healthy else LOOKS[outcome.status],
        data_status=outcome.status,
    )


def _time(outcome: Outcome) -> Element:
    if outcome.status == SKIPPED:
        return cell("", "n")
    return cell(fine_duration(outcome.seconds), "n", sort_by=round(outcome.seconds, 9))
