"""Engines that speak the xboard protocol (CECP)."""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING

from perftkit.core.position import Position
from perftkit.engines.dialogue import GREETING, NUDGE, Dialogue, DialogueEngine, Marker
from perftkit.engines.process import EngineTimeoutError
from perftkit.engines.text import printable, quoted
from perftkit.errors import EngineError

if TYPE_CHECKING:
    from perftkit.engines import Question
    from perftkit.engines.dialogue import Manner
    from perftkit.engines.parse import Output

__all__ = ["RefusedError", "XboardDialogue", "XboardEngine"]

FEATURE = re.compile(r'(?P<name>[a-z]+)=(?:"(?P<text>[^"]*)"|(?P<word>\S+))')
SILENCE = 1.5  # seconds after which an engine without features has said all that it wants to say
REFUSED = re.compile(r"tellusererror|illegal position|illegal move", re.IGNORECASE)
ERROR = re.compile(r"\berror\b", re.IGNORECASE)
LONGEST_NAME = 80


class RefusedError(EngineError):
    """The engine does not accept a position or a move."""


class XboardDialogue(Dialogue):
    """A running xboard engine.

    Attributes:
        features: What it said about itself.
    """

    protocol = "xboard"

    def _greet(self) -> None:
        self.features: dict[str, str] = {}
        self._pings = 0
        self._has_ping = False
        self._is_chess960 = False
        self._refusal: str | None = None
        self._sent: tuple[str, ...] = ()
        self._writes_castling = True
        self.process.asked = "'xboard'"
        self.process.limit = limit = min(self._settings.timeout or GREETING, GREETING)
        self.process.send("xboard", "protover 2")
        deadline = time.monotonic() + limit
        while not self._is_introduced(deadline):
            pass
        self.title = printable(self.features.get("myname", ""))[:LONGEST_NAME] or None
        self._has_ping = self._answers_ping()
        options = (f"option {name}={value}" for name, value in self._settings.options.items())
        self.process.send("new", "force", *options)

    def _is_introduced(self, deadline: float) -> bool:
        """Read a line of the introduction, and say whether it is over."""
        try:
            line = self.process.next_line(deadline, SILENCE)
        except EngineTimeoutError:
            return True
        if line is None:
            return True
        self.heard.append(line.text)
        at = line.text.find("feature ")
        if at >= 0:
            for found in FEATURE.finditer(line.text[at:]):
                self.features[found["name"]] = found["text"] or found["word"] or ""
        return self.features.get("done") == "1"

    def _answers_ping(self) -> bool:
        if self.features.get("ping") == "1":
            return True
        marker = self._next_ping()
        self.process.send(marker.line)
        deadline = time.monotonic() + SILENCE
        try:
            while line := self.process.next_line(deadline, NUDGE):
                if line.text.rstrip().endswith(marker.reply):
                    return True
        except EngineTimeoutError:
            pass
        return False

    @property
    def chess960(self) -> bool:
        """Whether it has the variant."""
        return "fischerandom" in self.features.get("variants", "").split(",")

    def _placing(self, question: Question) -> list[str]:
        self._refusal = None
        lines = ["force"]
        if question.chess960 != self._is_chess960:
            self._is_chess960 = question.chess960
            variant = ("variant fischerandom",) if question.chess960 else ()
            lines = ["new", *variant, "force"]
        lines.append(f"setboard {question.fen}")
        prefix = "usermove " if self.features.get("usermove") == "1" else ""
        self._sent = tuple(_spelt(question) if self._writes_castling else question.moves)
        lines.extend(prefix + move for move in self._sent)
        return lines

    def _marker(self) -> Marker | None:
        return self._next_ping() if self._has_ping else None

    def _next_ping(self) -> Marker:
        self._pings += 1
        return Marker(f"ping {self._pings}", f"pong {self._pings}")

    def run(
        self, question: Question, command: str, manner: Manner | None, timeout: float | None
    ) -> Output:
        """Ask a question; castling that is refused as O-O is tried as king takes rook."""
        try:
            return super().run(question, command, manner, timeout)
        except RefusedError:
            if not self._writes_castling or tuple(question.moves) == self._sent:
                raise
        self._writes_castling = False
        return super().run(question, command, manner, timeout)

    def _notice(self, text: str) -> None:
        if self._refusal is not None:
            return
        if REFUSED.search(text) or (ERROR.search(text) and text.split()[-1] in self._sent):
            self._refusal = text

    def _check_refusal(self) -> None:
        if self._refusal is not None:
            raise RefusedError(
                f"{self.title or self.process.name} refused {self.process.asked}:"
                f" {quoted(self._refusal)}"
            )


class XboardEngine(DialogueEngine):
    """An xboard engine under test."""

    dialogue_class = XboardDialogue


def _spelt(question: Question) -> list[str]:
    """Return a question's moves as the protocol writes them: castling in Chess960 is O-O."""
    if not question.chess960:
        return list(question.moves)
    position = Position(question.fen, chess960=True)
    texts = []
    for uci in question.moves:
        move = position.parse_move(uci)
        short = move.to_square > move.from_square
        texts.append(("O-O" if short else "O-O-O") if move.is_castling else uci)
        position.push(move)
    return texts
