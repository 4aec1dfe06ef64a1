"""Columns that are fixed before the first row is known, so that rows are written as they come."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from perftkit.report.text import SHORT_TITLES, grouped

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from perftkit.report.console import Span

__all__ = ["COUNTER_COLUMNS", "Column", "choose_counters", "counter_cells", "line"]


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a table.

    Attributes:
        title: What stands above it.
        width: In characters; longer texts are not cut, they push the rest to the right.
        left: Whether its texts stand to the left, as names do.
    """

    title: str
    width: int
    left: bool = False


WIDTHS = {
    "captures": 11,
    "checks": 10,
    "checkmates": 9,
    "castles": 10,
    "promotions": 10,
    "en_passant": 7,
    "discovered_checks": 7,
    "double_checks": 7,
    "discovered_checkmates": 10,
    "double_checkmates": 9,
    "castles_kingside": 10,
    "castles_queenside": 10,
}
"""The counters in the order in which they get a column where there is room."""

COUNTER_COLUMNS = {name: Column(SHORT_TITLES[name], width) for name, width in WIDTHS.items()}

GAP = 1


def choose_counters(room: int, known: Sequence[str]) -> tuple[str, ...]:
    """Return the counters whose columns fit in `room` characters, in the order of `known`.

    Args:
        room: What is left on a line.
        known: The counters that there are, in the order in which they are to stand.
    """
    chosen = set()
    for name, width in WIDTHS.items():
        if name not in known:
            continue
        room -= width + GAP
        if room < 0:
            break
        chosen.add(name)
    return tuple(name for name in known if name in chosen)


def counter_cells(names: Sequence[str], counts: Mapping[str, int]) -> list[str]:
    """Return the texts of some counters; one that is not known stays empty."""
    return [grouped(counts[name]) if name in counts else "" for name in names]


def line(columns: Sequence[Column], cells: Sequence[str], styles: Sequence[str]) -> list[Span]:
    """Return a row of a table as styled texts, with no spaces at its end."""
    spans: list[Span] = []
    last = len(columns) - 1
    for index, (column, cell, style) in enumerate(zip(columns, cells, styles, strict=True)):
        gap = " " * GAP if index else ""
        space = " " * max(column.width - len(cell), 0)
        if column.left:
            after = "" if index == last else space
            spans += [gap, (cell, style), after]
        else:
            spans += [gap + space, (cell, style)]
    return spans
