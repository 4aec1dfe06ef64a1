"""Moves as arrows over a board; what kind each is shows without colour too."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from perftkit.report.board import square_named
from perftkit.report.html.elements import element
from perftkit.report.html.pieces import SQUARE

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from xml.etree.ElementTree import Element

    from perftkit.verify.diagnosis import Evidence

__all__ = ["KINDS", "Kind", "arrows", "legend", "marked_moves"]


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of move that is wrong.

    Attributes:
        name: In the page's classes and words.
        dashes: Of the line, as SVG's ``stroke-dasharray``; None for an unbroken one.
        hollow: Whether the head is an outline.
        meaning: What the legend says.
    """

    name: str
    dashes: str | None
    hollow: bool
    meaning: str


KINDS = (
    Kind("missing", "9 6", True, "legal, and the engine does not have it"),
    Kind("extra", None, False, "not legal, and the engine has it"),
    Kind("repeated", "14 4 3 4", False, "listed more than once"),
    Kind("miscounted", "2.5 5", True, "a move with a wrong count under it"),
)

START = 0.2 * SQUARE  # from the middle of the square that a move leaves
HEAD_LENGTH = 15.0
HEAD_WIDTH = 8.5  # to each side
WIDTH = 5.0
BEYOND = 14.0  # from the middle of the square that a pawn promotes on
ASIDE = 7.0  # between arrows that would cover each other


def marked_moves(evidence: Evidence) -> dict[str, tuple[str, ...]]:
    """Return the moves of each kind that a first wrong position shows, by the kind's name."""
    found = {
        "missing": evidence.missing,
        "extra": evidence.extra,
        "repeated": evidence.repeated,
        "miscounted": tuple(move for move in evidence.wrong_counts if move),
    }
    return {name: moves for name, moves in found.items() if moves}


def arrows(moves: Mapping[str, Sequence[str]]) -> list[Element]:
    """Return arrows for moves, by the name of their kind; what names no squares has none.

    Promotions of one pawn to one square share an arrow, which says the pieces.
    """
    kinds = [(kind, _by_squares(moves.get(kind.name, ()))) for kind in KINDS]
    lanes: dict[tuple[int, int], list[str]] = {}
    for kind, lines in kinds:
        for line in lines:
            lanes.setdefault(line, []).append(kind.name)
    drawn = []
    for kind, lines in kinds:
        for line, pieces in lines.items():
            sharing = lanes[line]
            aside = ASIDE * (sharing.index(kind.name) - (len(sharing) - 1) / 2)
            drawn.append(_arrow(kind, line, pieces, aside))
    return drawn


def _by_squares(moves: Iterable[str]) -> dict[tuple[int, int], str]:
    """Return the promotion pieces of moves by the two squares; not what names no squares."""
    found: dict[tuple[int, int], str] = {}
    for move in moves:
        start, end = square_named(move[:2]), square_named(move[2:4])
        if start is not None and end is not None:
            known = found.setdefault((start, end), "")
            found[start, end] = known + move[4:5].upper()
    return found


def _middle(square: int) -> tuple[float, float]:
    return (square % 8 + 0.5) * SQUARE, (7 - square // 8 + 0.5) * SQUARE


def _arrow(kind: Kind, line: tuple[int, int], pieces: str, aside: float) -> Element:
    (x1, y1), (x2, y2) = (_middle(square) for square in line)
    length = math.hypot(x2 - x1, y2 - y1)
    name = "".join("abcdefgh"[square % 8] + str(square // 8 + 1) for square in line)
    title = f"{kind.name}: {name}" + (f" to {' '.join(pieces)}" if pieces else "")
    made = element("g", element("title", title), class_=f"arrow {kind.name}", data_move=name)
    if not length:
        made.append(element("circle", cx=x1, cy=y1, r=SQUARE * 0.4, stroke_dasharray=kind.dashes))
        return made
    ux, uy = (x2 - x1) / length, (y2 - y1) / length

    def at(along: float, sideways: float) -> str:
        across = sideways + aside
        return f"{x1 + ux * along - uy * across:.1f} {y1 + uy * along + ux * across:.1f}"

    neck = length - HEAD_LENGTH
    shaft = f"M{at(START, 0)}L{at(neck, 0)}"
    head = f"M{at(neck, -HEAD_WIDTH)}L{at(length, 0)}L{at(neck, HEAD_WIDTH)}Z"
    made.append(element("path", d=shaft, class_="halo"))
    made.append(
        element("path", d=shaft, class_="shaft", stroke_width=WIDTH, stroke_dasharray=kind.dashes)
    )
    made.append(element("path", d=head, class_="head hollow" if kind.hollow else "head"))
    if pieces:
        made.append(_label(pieces, x2, y2 + math.copysign(BEYOND, uy)))
    return made


def _label(text: str, x: float, y: float) -> Element:
    """Return a small label around a point."""
    width = 7.0 * len(text) + 6
    return element(
        "g",
        element("rect", x=x - width / 2, y=y - 6, width=width, height=12, rx=2),
        element("text", text, x=x, y=y + 3.2, text_anchor="middle"),
        class_="label",
    )


def legend(moves: Mapping[str, Sequence[str]]) -> Element | None:
    """Return what the arrows mean, with the moves as text; None where there are none."""
    made = element("ul", class_="legend")
    for kind in KINDS:
        if moves.get(kind.name):
            made.append(
                element(
                    "li",
                    _sample(kind),
                    element("strong", kind.name, class_=kind.name),
                    " ",
                    element("code", " ".join(moves[kind.name]), class_="moves"),
                    element("small", kind.meaning),
                )
            )
    return made if len(made) else None


def _sample(kind: Kind) -> Element:
    """Return a short arrow of a kind."""
    width, middle = 44, 9.0
    neck = width - HEAD_LENGTH
    head = f"M{neck} {middle - HEAD_WIDTH}L{width} {middle}L{neck} {middle + HEAD_WIDTH}Z"
    return element(
        "svg",
        element(
            "g",
            element(
                "path",
                d=f"M1 {middle}H{neck}",
                class_="shaft",
                stroke_width=WIDTH,
                stroke_dasharray=kind.dashes,
            ),
            element("path", d=head, class_="head hollow" if kind.hollow else "head"),
            class_=f"sample {kind.name}",
        ),
        viewBox=f"-2 -2 {width + 6} 22",
        class_="key",
        aria_hidden="true",
    )
