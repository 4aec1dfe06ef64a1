"""Columns that are fixed before the first row is known, so that rows are written as they come."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from perftkit.report.text import SHORT_TITLES, grouped

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from perftkit.report.console import Span

__all__ = ["COUNTER_COLUMNS", "Column", "Layout", "choose_counters", "counter_cells", "line"]


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a table.

    Attributes:
        title: What stands above it.
        width: In characters; longer texts are not cut, they push the rest to the right.
        left: Whether its texts stand to the left, as names do.
        fair: The width below which other columns are rather left out; 0 for `width`.
        least: The width below which it is never narrowed; 0 for `fair`.
        spare: Where there is no room, those of the greatest number are left out first; 0 for
            one that always stays.
    """

    title: str
    width: int
    left: bool = False
    fair: int = 0
    least: int = 0
    spare: int = 0


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


class Layout:
    """The columns of a table that fit into a width, each as wide as there is room for.

    Attributes:
        columns: Those that are shown.
    """

    def __init__(self, columns: Sequence[Column], width: int) -> None:
        """Leave out and narrow columns until they fit, or nothing more can be done.

        Args:
            columns: All of them.
            width: Characters of a line.
        """
        shown = list(columns)
        while _taken(shown, _fair) > width and (most := max(column.spare for column in shown)):
            shown = [column for column in shown if column.spare != most]
        floor = _fair if _taken(shown, _fair) <= width else _least
        self._is_shown = [column in shown for column in columns]
        self.columns = _narrowed(shown, [floor(column) for column in shown], width)

    def line(self, cells: Sequence[str], styles: Sequence[str]) -> list[Span]:
        """Return a row, given the cells of all columns, or of the first of them."""
        shown = [index for index in range(len(cells)) if self._is_shown[index]]
        columns = self.columns[: len(shown)]
        return line(columns, [cells[index] for index in shown], [styles[index] for index in shown])

    def head(self, style: str) -> list[Span]:
        """Return the titles; one that is wider than its column is cut."""
        titles = [column.title[: column.width] for column in self.columns]
        return line(self.columns, titles, [style] * len(titles))


def _fair(column: Column) -> int:
    return column.fair or column.width


def _least(column: Column) -> int:
    return column.least or _fair(column)


def _taken(columns: Sequence[Column], width_of: Callable[[Column], int]) -> int:
    return sum(width_of(column) + GAP for column in columns) - GAP


def _narrowed(columns: Sequence[Column], floors: Sequence[int], width: int) -> list[Column]:
    """Return the columns, those with the most room above their least width narrowed first."""
    widths = [column.width for column in columns]
    while sum(widths) + GAP * (len(widths) - 1) > width:
        room, index = max((wide - floors[index], index) for index, wide in enumerate(widths))
        if room <= 0:
            break
        widths[index] -= 1
    return [replace(column, width=wide) for column, wide in zip(columns, widths, strict=True)]
