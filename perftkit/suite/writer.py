"""Writing suites, in perftkit's form with counters or in the community's plain one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from perftkit.core.position import Position
from perftkit.suite.model import PERFTKIT, SHORT_NAMES

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import TextIO

    from perftkit.suite.model import SuiteRow

__all__ = ["STYLES", "format_row", "write_suite"]

STYLES = ("perftkit", "community")


def format_row(row: SuiteRow, style: str = "perftkit") -> str:
    """Return the line of a row, without the line's end.

    Args:
        row: The row.
        style: ``perftkit`` writes everything that the row has. ``community`` writes FEN and counts
            only, for readers that take nothing else; castling rights of a Chess960 row are written
            as file letters, since nothing else tells such a reader that it is one.

    Raises:
        ValueError: There is no such style.
    """
    if style == "community":
        fen = Position(row.fen, chess960=True).fen() if row.chess960 else row.fen
        return " ;".join([fen, *(f"D{given.depth} {given.nodes}" for given in row.expectations)])
    if style != "perftkit":
        raise ValueError(f"no style is called {style!r}: expected one of {', '.join(STYLES)}")
    depths = (
        f"D{given.depth} {given.nodes}{_format_counts(given.counts)}" for given in row.expectations
    )
    return " ;".join([row.fen, *depths, *_opcodes(row)])


def write_suite(rows: Iterable[SuiteRow], stream: TextIO, style: str = "perftkit") -> None:
    """Write a line for each row as it comes; `style` as in `format_row`."""
    for row in rows:
        stream.write(format_row(row, style) + "\n")


def _format_counts(counts: Mapping[str, int]) -> str:
    return "".join(
        f" {short}={counts[name]}" for name, short in SHORT_NAMES.items() if name in counts
    )


def _opcodes(row: SuiteRow) -> list[str]:
    opcodes = []
    if row.chess960:
        opcodes.append("chess960")
    if row.convention != PERFTKIT:
        opcodes.append(f"conv={row.convention}")
    if row.has_given_id:
        opcodes.append(f"id {_quote(row.id)}")
    return opcodes + [
        f"{name} {_quote(text)}" if text else name for name, text in row.notes.items()
    ]


def _quote(text: str) -> str:
    """Return a text as an operand; EPD can't express quotation marks and line ends in one."""
    return '"' + re.sub(r"[\x00-\x1f\x7f-\x9f]", " ", text).replace('"', "'") + '"'
