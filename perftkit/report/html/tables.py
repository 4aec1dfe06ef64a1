"""Tables that a page's script can sort, each in a box in which it scrolls."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from perftkit.report.html.elements import add, element
from perftkit.report.text import SHORT_TITLES, grouped

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Mapping, Sequence
    from xml.etree.ElementTree import Element

__all__ = ["Column", "cell", "counter_cells", "counter_columns", "number", "table"]


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a table.

    Attributes:
        title: What stands above it.
        is_number: Whether its cells are numbers, and sorted as such.
        class_: A further class of its head.
    """

    title: str
    is_number: bool = False
    class_: str = ""


def table(
    label: str,
    columns: Sequence[Column],
    rows: Iterable[Element] = (),
    *,
    total: Element | None = None,
    is_low: bool = False,
    class_: str = "",
) -> Element:
    """Return a table in its box.

    Args:
        label: What it is, for those who don't see it.
        columns: Its columns.
        rows: Its rows.
        total: A row under them that stays there when they are sorted.
        is_low: Whether it is only as wide as it has to be, and not to be sorted.
        class_: A further class of the table.
    """
    head = element("tr")
    for column in columns:
        classes = _classes("n" if column.is_number else "", column.class_)
        head.append(element("th", column.title, scope="col", class_=classes))
    body = element("tbody")
    add(body, *rows)
    made = element(
        "table",
        element("thead", head),
        body,
        None if total is None else element("tfoot", total),
        class_=_classes("" if is_low else "sortable", class_),
    )
    return element(
        "div",
        made,
        class_="scroll low" if is_low else "scroll",
        tabindex=0,
        role="region",
        aria_label=label,
    )


def _classes(*names: str) -> str | None:
    return " ".join(name for name in names if name) or None


def cell(text: str, class_: str | None = None, *, sort_by: float | None = None) -> Element:
    """Return a cell with a text.

    Args:
        text: What stands in it.
        class_: Its class.
        sort_by: The number that it is sorted by where the text is not that number.
    """
    return element("td", text, class_=class_, data_value=sort_by)


def number(value: int | None, class_: str = "") -> Element:
    """Return a cell with an integer; it stays empty for None."""
    return cell("" if value is None else grouped(value), _classes("n", class_))


def counter_columns(names: Iterable[str]) -> list[Column]:
    """Return the columns of counters."""
    return [Column(SHORT_TITLES[name], is_number=True, class_="counter") for name in names]


def counter_cells(
    names: Iterable[str], counts: Mapping[str, int], wrong: Container[str] = ()
) -> list[Element]:
    """Return the cells of counters, those that are wrong marked; an unknown one stays empty."""
    return [
        number(counts.get(name), "counter off" if name in wrong else "counter") for name in names
    ]
