"""What a diagnosis is made of: the evidence that goes in and the named rule that comes out."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["CERTAIN", "LIKELY", "Diagnosis", "Evidence"]

CERTAIN = "certain"
LIKELY = "likely"


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is known about the first wrong position.

    Attributes:
        fen: The position as perftkit knows it, six fields.
        chess960: Whether it is one of Chess960.
        root: The FEN from which it was reached.
        path: The moves from the root, as UCI text; empty at the root.
        depth: At which depth the engine is wrong here: 1 when its list of moves is.
        missing: Legal moves that the engine does not have, as UCI text.
        extra: Moves that it has although they are not legal, as UCI text.
        repeated: Moves that it lists more than once.
        wrong_counts: For moves that both have and whose count is wrong although everything below
            agrees, what was expected and what the engine said. The key "" is the total.
        right_by_fen: Whether the engine is right when it is given this position as a FEN, and
            wrong only when it reaches it by moves; None when that is not known.
        right_by_moves: Whether the engine is right when it reaches this position by moves (those
            of `path`; the double push, for an e.p. square without a path), and wrong only when it
            is given the FEN; None when that is not known.
        printed_total: Whether every row is right, and only the total that is printed under them
            (the key "" of `wrong_counts`) is not.
        alone: True when the engine is right about each position after the moves in
            `wrong_counts` when it is asked for that one by itself, so that only the count from
            the position before is wrong: a move is not taken back, or the counting is wrong.
        divides: False for an engine that prints totals alone, so that its lists of moves are not
            known, only how long they are.
        engine_fen: The FEN that the engine printed for this position, None without one.
        same_as: The FEN of another position for which the engine's answer would be right (the
            position before, the start position), None when none is known.
    """

    fen: str
    chess960: bool = False
    root: str = ""
    path: tuple[str, ...] = ()
    depth: int = 1
    missing: tuple[str, ...] = ()
    extra: tuple[str, ...] = ()
    repeated: tuple[str, ...] = ()
    wrong_counts: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    right_by_fen: bool | None = None
    right_by_moves: bool | None = None
    printed_total: bool = False
    alone: bool | None = None
    divides: bool = True
    engine_fen: str | None = None
    same_as: str | None = None


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """The rule that is broken.

    Attributes:
        rule: One of `perftkit.verify.diagnose.RULES`, a public name.
        explanation: One or two sentences with the squares of this position.
        confidence: `CERTAIN` where it is proven from the position, else `LIKELY`.
    """

    rule: str
    explanation: str
    confidence: str
