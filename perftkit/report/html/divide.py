"""A division as a page: the board, and the counts under each move."""

from __future__ import annotations

from typing import TYPE_CHECKING

from perftkit.core.counts import COUNTERS
from perftkit.core.position import Position
from perftkit.report.html.board import picture
from perftkit.report.html.case import beside_board
from perftkit.report.html.elements import element
from perftkit.report.html.page import codes, copyable, facts, section, write_page
from perftkit.report.html.tables import (
    Column,
    cell,
    counter_cells,
    counter_columns,
    number,
    table,
)
from perftkit.report.text import fine_duration, grouped, plural, speed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import TextIO
    from xml.etree.ElementTree import Element

    from perftkit.report import DivideInfo

__all__ = ["divided_position", "position_facts", "write_divide"]


def write_divide(stream: TextIO, info: DivideInfo) -> None:
    """Write the page of a division."""
    said = f"{plural(info.nodes, 'node')} in {plural(len(info.children), 'move')}"
    title = f"{said}, depth {info.depth} - perftkit"
    write_page(stream, title, info.version, (_top(said, info), _moves(info)))


def _top(said: str, info: DivideInfo) -> Element:
    nps = int(info.nodes / info.seconds) if info.seconds > 0 else 0
    stopped = None
    if info.stopped is not None:
        text = f"Stopped early: {info.stopped}, moves are missing"
        stopped = element("p", element("strong", text), class_="stopped")
    fen = divided_position(info.fen, info.moves).fen()
    return element(
        "section",
        element("p", f"perftkit divide, depth {info.depth}", class_="eyebrow"),
        element("h1", said),
        stopped,
        beside_board(
            picture(fen, "position"),
            facts(
                (
                    *position_facts(info.fen, info.moves, fen),
                    ("counted in", f"{fine_duration(info.seconds)}, {speed(nps)}"),
                )
            ),
        ),
        class_="verdict" if info.stopped is None else "verdict unsure",
        id="verdict",
    )


def divided_position(fen: str, moves: Sequence[str], *, chess960: bool | None = None) -> Position:
    """Return the position that is divided: after the moves that were played first."""
    position = Position(fen, chess960=chess960 or None)
    for move in moves:
        position.push(move)
    return position


def position_facts(
    root: str, moves: Sequence[str], fen: str
) -> tuple[tuple[str, Element | None], ...]:
    """Return where a division begins."""
    return (
        ("FEN", copyable(fen)),
        ("reached by", codes(moves) if moves else None),
        ("from", copyable(root) if moves else None),
    )


def _moves(info: DivideInfo) -> Element:
    columns = (
        Column("move"),
        Column("nodes", is_number=True),
        Column("relative", is_number=True),
        *counter_columns(COUNTERS),
    )
    most = max((child.nodes for child in info.children.values()), default=0)
    rows = [_row(move, child.nodes, child.counts, most) for move, child in info.children.items()]
    total = element(
        "tr",
        element("th", "total", scope="row"),
        number(info.nodes),
        cell(""),
        *counter_cells(COUNTERS, info.counts),
    )
    listed = table("Counts under each move", columns, rows, total=total)
    return section(f"{grouped(len(info.children))} moves", listed, id="moves")


def _row(move: str, nodes: int, counts: Mapping[str, int], most: int) -> Element:
    share = f"{nodes / most * 100:.1f}%" if most else "0"
    bar = element(
        "svg", element("rect", width=share, height="100%", rx=2), class_="share", aria_hidden="true"
    )
    return element(
        "tr",
        element("td", element("code", move)),
        number(nodes),
        element("td", bar, data_value=nodes),
        *counter_cells(COUNTERS, counts),
    )
