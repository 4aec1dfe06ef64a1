"""The men of the board as SVG shapes, drawn for this project."""

from __future__ import annotations

from typing import TYPE_CHECKING

from perftkit.report.html.elements import element

if TYPE_CHECKING:
    from collections.abc import Mapping
    from xml.etree.ElementTree import Element

__all__ = ["SQUARE", "piece", "symbols"]

SQUARE = 45  # units of a square's side
FRAME = "3 2.5 39 39"  # of the shapes, which fills a square

# A foot, shared, then what stands on it from the bottom to the top.
FOOT = "M11.5 39.5V37.6Q11.5 35 14 35H31Q33.5 35 33.5 37.6V39.5Z"
SKIRT = "M15 35C17.2 32.8 17.4 31.2 16 29H29C27.6 31.2 27.8 32.8 30 35Z"

SHAPES: Mapping[str, tuple[str, ...]] = {
    "p": (
        "M13 39.5V37.6Q13 35 15.5 35H29.5Q32 35 32 37.6V39.5Z",
        "M16.5 35C16.8 29.5 20 27.5 20.2 22H24.8C25 27.5 28.2 29.5 28.5 35Z",
        "M18 22Q16.6 22 16.6 20.6T18 19.2H27Q28.4 19.2 28.4 20.6T27 22Z",
        "M22.5 9A5.2 5.2 0 0 1 22.5 19.4A5.2 5.2 0 0 1 22.5 9Z",
    ),
    "r": (
        FOOT,
        "M15 35L16.8 19.5H28.2L30 35Z",
        "M12.5 9.5H16.9V12.7H20.4V9.5H24.6V12.7H28.1V9.5H32.5V16.5L29.4 19.5H15.6L12.5 16.5Z",
    ),
    "b": (
        FOOT,
        "M16 35C16.4 31 19.4 30 19.6 26H25.4C25.6 30 28.6 31 29 35Z",
        "M17.6 26Q16.2 26 16.2 24.6T17.6 23.2H27.4Q28.8 23.2 28.8 24.6T27.4 26Z",
        "M22.5 9.6C27.6 12.8 29.6 17 28.2 20.6C27.6 22.2 26.6 23.2 25.6 23.2H19.4"
        "C18.4 23.2 17.4 22.2 16.8 20.6C15.4 17 17.4 12.8 22.5 9.6Z",
        "M22.5 5.4A2.1 2.1 0 0 1 22.5 9.6A2.1 2.1 0 0 1 22.5 5.4Z",
    ),
    "n": (
        FOOT,
        "M15.2 35C14.8 29.2 21.6 26.6 21.8 21.2C19.8 22.8 17.6 23 16 25C14.8 26.6 13.4 27.4 12 26.4"
        "C10.4 25.2 10.6 23.2 11.6 21.4C13.2 18.6 14 17 14.6 14.4C15 12.8 15.8 11.8 17 11L16.6 7"
        "L20.8 9.8C28.6 9.6 33.6 16.6 31.6 26.6C31 29.8 30.2 32.4 30 35Z",
    ),
    "q": (
        FOOT,
        SKIRT,
        "M15.6 29L10.4 14.8L16.2 20.6L16.6 11.6L20.6 19.6L22.5 10.2L24.4 19.6L28.4 11.6"
        "L28.8 20.6L34.6 14.8L29.4 29Z",
        *(
            f"M{x} {y - 1.9}A1.9 1.9 0 0 1 {x} {y + 1.9}A1.9 1.9 0 0 1 {x} {y - 1.9}Z"
            for x, y in ((10.2, 13.6), (16.4, 10.2), (22.5, 8.6), (28.6, 10.2), (34.8, 13.6))
        ),
    ),
    "k": (
        FOOT,
        SKIRT,
        "M15.6 29C14.4 26.4 10.4 24 10.4 19.4C10.4 15.4 13.4 13.2 16.4 13.2"
        "C19.4 13.2 21.4 14.8 22.5 16.8C23.6 14.8 25.6 13.2 28.6 13.2"
        "C31.6 13.2 34.6 15.4 34.6 19.4C34.6 24 30.6 26.4 29.4 29Z",
        "M21.1 13.6V10.2H18.3V7.4H21.1V4.6H23.9V7.4H26.7V10.2H23.9V13.6L22.5 16.8Z",
    ),
}
"""The filled parts of each piece in a square of `SQUARE` units, the lowest first."""

LINES: Mapping[str, str] = {
    "b": "M24.8 14.2L21.4 18.8",
    "n": "M16.9 15.6H18.3M12.9 23.6L14 22.6M24.4 13.4C28.2 17 29 23.6 27.2 31",
    "k": "M22.5 16.8V29",
    "q": "M15.6 29H29.4",
    "r": "M15.6 19.5H29.4",
}
"""What is drawn over them."""

NAMES = {"p": "pawn", "n": "knight", "b": "bishop", "r": "rook", "q": "queen", "k": "king"}


def symbols() -> Element:
    """Return the shapes of all pieces, which the boards of a page refer to."""
    made = element("svg", class_="symbols", width=0, height=0, aria_hidden="true")
    for letter, shapes in SHAPES.items():
        parts = [element("path", d=shape) for shape in shapes]
        if letter in LINES:
            parts.append(element("path", d=LINES[letter], fill="none"))
        made.append(element("symbol", *parts, id=_symbol(letter), viewBox=FRAME))
    return made


def piece(letter: str, x: float, y: float) -> Element:
    """Return a piece, by its letter in a FEN, with its upper left corner at a point."""
    return element(
        "use",
        href=f"#{_symbol(letter.lower())}",
        class_="man white" if letter.isupper() else "man black",
        x=x,
        y=y,
        width=SQUARE,
        height=SQUARE,
    )


def _symbol(letter: str) -> str:
    return f"piece-{NAMES[letter]}"
