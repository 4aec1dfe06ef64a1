"""From what was understood of an engine's output to its answer."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from perftkit.core.position import Position
from perftkit.engines import Answer
from perftkit.engines.notation import Notation
from perftkit.engines.parse import Row
from perftkit.engines.text import quoted

if TYPE_CHECKING:
    from collections.abc import Iterable

    from perftkit.engines import Question
    from perftkit.engines.parse import Output

__all__ = ["answer_from", "asked_position", "by_fen", "moves_from_deeper"]

MOST_NAMED = 5  # moves that one remark lists


def asked_position(question: Question) -> Position:
    """Return the position after a question's moves.

    Raises:
        FenError: The FEN is malformed or its position breaks the rules.
        MoveError: A move is not legal.
    """
    position = Position(question.fen, chess960=question.chess960)
    for move in question.moves:
        position.push(move)
    return position


def by_fen(question: Question) -> Question:
    """Return a question with the position after its moves as FEN, and no moves."""
    if not question.moves:
        return question
    return replace(question, fen=asked_position(question).fen(), moves=())


def answer_from(output: Output, position: Position, *, seconds: float) -> Answer | None:
    """Return an answer in perftkit's notation; None where nothing says how many leaves there are.

    Args:
        output: What was printed.
        position: What was asked about.
        seconds: How long it took.
    """
    remarks = []
    if output.depth is not None:
        remarks.append(f"the engine says that its total is of depth {output.depth}")
    if not output.rows:
        if output.total is None:
            return None
        return Answer(
            output.total,
            total=output.total,
            counts=output.counts,
            remarks=tuple(remarks),
            seconds=seconds,
        )
    children, merged, repeated, unread = _children(output.rows, position)
    nodes = sum(children.values())
    if output.total is not None and output.total != nodes:
        remarks.append(
            f"the engine's total {output.total} contradicts its rows, which add up to {nodes}"
        )
    if unread:
        remarks.append(f"no move of this position can be meant by {_listed(unread)}")
    return Answer(
        nodes,
        children,
        merged=merged,
        repeated=repeated,
        total=output.total,
        counts=output.counts,
        remarks=tuple(remarks),
        seconds=seconds,
    )


def moves_from_deeper(
    deeper: Output, shallow: Output, position: Position, *, seconds: float
) -> Answer | None:
    """Return the answer at depth 1 of an engine that divides only deeper.

    Args:
        deeper: What it printed at depth 2.
        shallow: What it printed at depth 1.
        position: What was asked about.
        seconds: How long both took.
    """
    rows = tuple(Row(row.move, 1) for row in deeper.rows)
    return answer_from(replace(shallow, rows=rows), position, seconds=seconds)


def _children(
    rows: Iterable[Row], position: Position
) -> tuple[dict[str, int], frozenset[str], frozenset[str], list[str]]:
    """Return the leaves by move, which keys stand for several promotions, repeated ones, others."""
    notation = Notation(position)
    children: Counter[str] = Counter()
    times: Counter[str] = Counter()
    merged = set()
    unread = []
    for row in rows:
        uci, lacks_letter = notation.read(row.move)
        children[uci] += row.nodes
        times[uci] += 1
        if lacks_letter:
            merged.add(uci)
        if not _is_uci(uci):
            unread.append(row.move)
    repeated = {uci for uci, count in times.items() if count > 1 and uci not in merged}
    return dict(children), frozenset(merged), frozenset(repeated), unread


def _is_uci(text: str) -> bool:
    return len(text) in (4, 5) and text[0] in "abcdefgh" and text[1] in "12345678"


def _listed(texts: list[str]) -> str:
    shown = ", ".join(quoted(text) for text in texts[:MOST_NAMED])
    more = len(texts) - MOST_NAMED
    return f"{shown} and {more} more" if more > 0 else shown
