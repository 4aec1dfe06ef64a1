"""The program between two questions, whatever protocol they come by."""

from __future__ import annotations

from planted.board import START
from planted.counting import Counter


class Program:
    """What is kept from one question to the next."""

    def __init__(self, bug: str = "", color: str = "both") -> None:
        self.bug = bug
        self.counter = Counter(bug, color)

    def set_up(self, fen: str, moves: tuple[str, ...] = (), chess960: bool = False) -> str | None:
        """Set the position; return the first move that it does not know, and stop before it."""
        if self.bug == "fen-start-position":
            self.counter.set_fen(START)
            return None
        if not self._rejects(fen):
            self.counter.set_fen(fen, chess960)
        for text in moves:
            known = {self.counter.text(move): move for move in self.counter.legal_moves()}
            if text not in known:
                return text
            self.counter.make(known[text])
        self.counter.history.clear()
        return None

    def _rejects(self, fen: str) -> bool:
        """Whether the FEN is refused without a word: the position before stays."""
        fields = fen.split()
        side = self.counter.active["wb".index(fields[1])]
        return side == "fen-with-en-passant-rejected" and fields[3] != "-"
