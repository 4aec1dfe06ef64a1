"""The evidence, made ready: the position with its moves, what the engine has, how it came about."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from perftkit.bitboard import squares
from perftkit.core.position import STARTPOS, Position
from perftkit.errors import PerftkitError
from perftkit.verify.rules.board import Men, name, square_of

if TYPE_CHECKING:
    from perftkit.core.position import Move
    from perftkit.verify.diagnosis import Evidence

__all__ = ["Cause", "Played", "Scene", "Step", "harmless", "read_step"]

LONGEST = 80
MOVE = re.compile(r"([a-h][1-8])([a-h][1-8])([a-z]?)")


@dataclass(frozen=True, slots=True)
class Cause:
    """What one wrong move may come from.

    Attributes:
        rule: The rule's public name.
        text: One or two sentences with the squares of this position.
        proven: Whether the position leaves no doubt that the move breaks this rule.
    """

    rule: str
    text: str
    proven: bool = True


@dataclass(frozen=True, slots=True)
class Step:
    """A move that may be impossible: two squares, and a letter where one was written."""

    source: int
    target: int
    letter: str = ""


def harmless(text: str) -> str:
    """Return what an engine wrote as a short text without anything that a terminal could obey."""
    visible = text if text.isascii() and text.isprintable() else ascii(text)[1:-1]
    return visible if len(visible) <= LONGEST else visible[:LONGEST] + "..."


def read_step(text: str) -> Step | None:
    """Return the squares of a move written as in UCI, None when it is not written so."""
    match = MOVE.fullmatch(text.lower())
    if match is None:
        return None
    return Step(square_of(match[1]), square_of(match[2]), match[3])


@dataclass(frozen=True, slots=True)
class Played:
    """A move of the line that led here.

    Attributes:
        move: The move.
        before: The position before it.
        after: The position after it.
    """

    move: Move
    before: Position
    after: Position

    @property
    def captured(self) -> int | None:
        """The square of the man that it took, None when it took nothing."""
        if not self.move.is_capture:
            return None
        if self.move.is_en_passant:
            return (self.move.from_square & ~7) | (self.move.to_square & 7)
        return self.move.to_square

    @property
    def kind(self) -> str:
        """The kind of the man that moved, a small letter."""
        return (self.before.piece_at(self.move.from_square) or "").lower()


class Scene:
    """Everything that the rules ask about one piece of evidence.

    Args:
        evidence: What is known.

    Raises:
        FenError: The position of the evidence is no legal one.
    """

    def __init__(self, evidence: Evidence) -> None:
        self.evidence = evidence
        self.position = Position(evidence.fen, chess960=evidence.chess960 or None)
        self.chess960 = self.position.chess960
        self.men = Men(self.position)

    @cached_property
    def legal(self) -> dict[str, Move]:
        """The legal moves by UCI text."""
        return {move.uci(): move for move in self.position.legal_moves()}

    @cached_property
    def exposing(self) -> dict[str, Move]:
        """The moves that would be legal if the own king could be left in check."""
        moves = {move.uci(): move for move in self.position.pseudo_legal_moves()}
        return {text: move for text, move in moves.items() if text not in self.legal}

    @cached_property
    def claimed(self) -> frozenset[str]:
        """The moves that the engine has here."""
        evidence = self.evidence
        return frozenset(self.legal).difference(evidence.missing).union(evidence.extra)

    @cached_property
    def checkers(self) -> list[int]:
        """The squares of the men that give check."""
        return squares(self.position.checkers)

    @cached_property
    def pinned(self) -> list[int]:
        """The squares of the mover's pinned men."""
        return squares(self.position.pinned)

    @cached_property
    def line(self) -> tuple[Played, ...]:
        """The moves from the root to here; none when they don't lead here."""
        evidence = self.evidence
        if not evidence.path:
            return ()
        try:
            return tuple(self._replay(Position(evidence.root, chess960=self.chess960 or None)))
        except PerftkitError:
            return ()

    def _replay(self, position: Position) -> list[Played]:
        played = []
        for text in self.evidence.path:
            move = position.parse_move(text)
            before = position.copy()
            position.push(move)
            played.append(Played(move, before, position.copy()))
        return played

    @cached_property
    def root(self) -> Position | None:
        """The position at the start of the line, None when there is no line."""
        return self.line[0].before if self.line else None

    @cached_property
    def from_start(self) -> bool:
        """Whether the line begins at the start position, which needs no reading of a FEN."""
        root = self.root or self.position
        return root.fen() == STARTPOS

    @property
    def mover(self) -> str:
        """The side to move: ``White`` or ``Black``."""
        return self.position.turn.capitalize()

    @property
    def ep_said(self) -> str:
        """What the e.p. square is, as a clause."""
        square = self.position.ep_square
        return "there is no e.p. square" if square is None else f"the e.p. square is {name(square)}"
