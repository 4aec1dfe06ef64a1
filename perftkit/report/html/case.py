"""A first wrong position: its board with arrows, what is wrong in it, and how to see it again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from perftkit.report.commands import show_again
from perftkit.report.details import asked_otherwise, other_fen
from perftkit.report.html.arrows import legend, marked_moves
from perftkit.report.html.board import picture
from perftkit.report.html.elements import element
from perftkit.report.html.page import codes, copyable, facts
from perftkit.report.html.tables import Column, cell, number, table
from perftkit.report.text import signed

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

    from perftkit.report import EngineInfo
    from perftkit.verify.diagnosis import Diagnosis, Evidence

__all__ = ["beside_board", "case", "diagnosis_head"]

MOST_COUNTS = 12  # wrong counts that are listed of one position


def diagnosis_head(diagnosis: Diagnosis, *more: Element) -> Element:
    """Return the name of a broken rule, and how sure that is."""
    confidence = element("span", diagnosis.confidence, class_="badge")
    return element("header", element("h3", diagnosis.rule), confidence, *more)


def beside_board(board: Element | None, *content: Element | None) -> Element:
    """Return a board with what belongs to it at its side."""
    return element("div", board, element("div", *content), class_="case")


def case(evidence: Evidence, engine: EngineInfo | None, name: str) -> Element:
    """Return a first wrong position.

    Args:
        evidence: What is known about it.
        engine: Who was asked; None where nobody could be asked again.
        name: Of its picture, unique in the page.
    """
    moves = marked_moves(evidence)
    board = picture(evidence.fen, name, chess960=evidence.chess960, moves=moves)
    again = None
    if engine is not None and engine.words:
        again = copyable(show_again(evidence, engine))
    printed = other_fen(evidence)
    known = facts(
        (
            ("FEN", copyable(evidence.fen)),
            ("reached by", codes(evidence.path) if evidence.path else None),
            ("from", copyable(evidence.root) if evidence.path else None),
            ("depth", f"wrong at depth {evidence.depth}"),
            ("asked again", asked_otherwise(evidence)),
            ("engine's FEN", copyable(printed) if printed is not None else None),
            ("show it again", again),
        )
    )
    return beside_board(board, legend(moves), _wrong_counts(evidence), known)


def _wrong_counts(evidence: Evidence) -> Element | None:
    """Return the counts under moves that are wrong, side by side."""
    if not evidence.wrong_counts:
        return None
    columns = (
        Column("move"),
        Column("expected", is_number=True),
        Column("got", is_number=True),
        Column("difference", is_number=True),
    )
    wrong = list(evidence.wrong_counts.items())
    rows = [
        element(
            "tr",
            cell(move or "total"),
            number(expected),
            number(got),
            cell(signed(got - expected), "n off"),
        )
        for move, (expected, got) in wrong[:MOST_COUNTS]
    ]
    more = len(wrong) - MOST_COUNTS
    left_out = element("p", f"and {more} more", class_="soft") if more > 0 else None
    listed = table("Wrong counts", columns, rows, is_low=True)
    return element("div", listed, left_out)
