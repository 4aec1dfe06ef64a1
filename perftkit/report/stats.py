"""The statistics of a suite as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from perftkit.report.layout import Column, line
from perftkit.report.text import SHORT_TITLES, grouped

if TYPE_CHECKING:
    from perftkit.report.console import Terminal
    from perftkit.suite.stats import SuiteStats

__all__ = ["write_stats"]

LABEL_WIDTH = 22
DEPTH_COLUMNS = (
    Column("depth", 5),
    Column("rows", 5),
    Column("nodes", 29),
    Column("largest", 29),
    Column("counters", 8),
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
    for label, number in facts.items():
        terminal.write(f"{label:<{LABEL_WIDTH}}{grouped(number):>9}")
    terminal.write()
    titles = [column.title for column in DEPTH_COLUMNS]
    terminal.write(*line(DEPTH_COLUMNS, titles, ["bold"] * len(titles)))
    for depth, found in stats.depths.items():
        numbers = (depth, found.rows, found.nodes, found.largest, found.with_counters)
        cells = [grouped(number) for number in numbers]
        terminal.write(*line(DEPTH_COLUMNS, cells, [""] * len(cells)))
    if not stats.counters:
        return
    terminal.write()
    terminal.write(("counts that give each counter", "bold"))
    for name, title in SHORT_TITLES.items():
        if name in stats.counters:
            terminal.write(f"{title:<{LABEL_WIDTH}}{grouped(stats.counters[name]):>9}")
