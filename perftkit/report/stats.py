"""The statistics of a suite as text."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from perftkit.report.layout import Column, Layout
from perftkit.report.text import SHORT_TITLES, grouped

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from perftkit.report.console import Terminal
    from perftkit.suite.stats import SuiteStats

__all__ = ["write_stats"]

FACT_COLUMNS = (Column("", 22, left=True, least=20), Column("", 8, least=6))
DEPTH_COLUMNS = (
    Column("depth", 5, least=2),
    Column("rows", 5, spare=3),
    Column("nodes", 29),
    Column("largest", 29, spare=1),
    Column("counters", 8, spare=2),
)


def write_stats(terminal: Terminal, stats: SuiteStats) -> None:
    """Write what is in a suite: its rows, its depths, its counters."""
    facts = {
        "positions": stats.rows,
        "unreadable rows": stats.problems,
        "only a FEN": stats.bare,
        "white to move": stats.white_to_move,
        "Chess960": stats.chess960,
        "with castling rights": stats.castling,
        "with an e.p. square": stats.en_passant,
        "in check": stats.in_check,
        "published convention": stats.wiki,
    }
    _write_facts(terminal, facts)
    terminal.write()
    rows = [
        [
            grouped(number)
            for number in (depth, found.rows, found.nodes, found.largest, found.with_counters)
        ]
        for depth, found in stats.depths.items()
    ]
    layout = Layout(_columns(rows), terminal.width)
    terminal.write(*layout.head("bold"))
    for cells in rows:
        terminal.write(*layout.line(cells, [""] * len(cells)))
    if not stats.counters:
        return
    terminal.write()
    terminal.write(("counts that give each counter", "bold"))
    counters = stats.counters
    titles = {title: counters[name] for name, title in SHORT_TITLES.items() if name in counters}
    _write_facts(terminal, titles)


def _columns(rows: Sequence[Sequence[str]]) -> list[Column]:
    """Return the columns of the depths, none narrower than its texts if that can be helped."""
    found = []
    for column, *cells in zip(DEPTH_COLUMNS, *rows, strict=True):
        fair = max(map(len, [column.title, *cells]))
        found.append(replace(column, fair=fair, width=max(column.width, fair)))
    return found


def _write_facts(terminal: Terminal, facts: Mapping[str, int]) -> None:
    layout = Layout(FACT_COLUMNS, terminal.width)
    for label, number in facts.items():
        terminal.write(*layout.line([label, grouped(number)], ["", ""]))
