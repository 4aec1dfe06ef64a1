"""A division as a table for people."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from perftkit.core.counts import COUNTERS
from perftkit.report.layout import COUNTER_COLUMNS, Column, choose_counters, counter_cells, line
from perftkit.report.text import duration, grouped, plural, speed

if TYPE_CHECKING:
    from collections.abc import Mapping

    from perftkit.report import DivideInfo
    from perftkit.report.console import Terminal

__all__ = ["write_table"]

MOVE = Column("move", 6, left=True)
NODES = Column("nodes", 15)


def write_table(terminal: Terminal, info: DivideInfo) -> None:
    """Write a line for each move, the total and the time."""
    names = choose_counters(terminal.width - MOVE.width - NODES.width - 2, COUNTERS)
    columns = [MOVE, NODES, *(COUNTER_COLUMNS[name] for name in names)]

    def write(title: str, nodes: int, counts: Mapping[str, int], style: str) -> None:
        cells = [title, grouped(nodes), *counter_cells(names, counts)]
        terminal.write(*line(columns, cells, [style] * len(cells)))

    titles = [column.title for column in columns]
    terminal.write(*line(columns, titles, ["bold"] * len(titles)))
    for move, child in info.children.items():
        write(move, child.nodes, child.counts, "")
    write("total", info.nodes, info.counts, "bold")
    terminal.write()
    nps = int(info.nodes / info.seconds) if info.seconds > 0 else 0
    said = (
        f"{plural(len(info.children), 'move')}, depth {info.depth}, {plural(info.nodes, 'node')}"
        f" in {duration(info.seconds)}, {speed(nps)}"
    )
    for text in textwrap.wrap(said, terminal.width):
        terminal.write(text)
    if info.stopped is not None:
        terminal.write((f"stopped early: {info.stopped}, moves are missing", "bold yellow"))
