"""Engines that speak UCI."""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING

from perftkit.core.position import STARTPOS
from perftkit.engines.dialogue import GREETING, NUDGE, Dialogue, DialogueEngine, Marker
from perftkit.engines.process import EngineDiedError, EngineTimeoutError
from perftkit.engines.text import printable, quoted
from perftkit.errors import EngineError
from perftkit.suggest import did_you_mean

if TYPE_CHECKING:
    from perftkit.engines import Question

__all__ = ["NotUciError", "UciDialogue", "UciEngine"]

CHESS960 = "UCI_Chess960"
OPTION = re.compile(r"option name (?P<name>.{1,100}?) type\b")
SILENCE = 1.5  # seconds after which an engine that printed something else has no UCI to offer
REFUSAL = re.compile(r"(unknown|illegal|invalid|error|unrecogni[sz]ed).*\buci\b", re.IGNORECASE)
LONGEST_NAME = 80


class NotUciError(EngineError):
    """The program did not answer as an engine of this protocol does.

    Attributes:
        ended: Whether that is because it ended.
    """

    def __init__(self, message: str, *, ended: bool = False) -> None:
        self.ended = ended
        super().__init__(message)


class UciDialogue(Dialogue):
    """A running UCI engine."""

    protocol = "UCI"

    def _greet(self) -> None:
        self._options: dict[str, str] = {}  # as it writes them, by the lower-case name
        self._is_chess960 = False
        self._was_nudged = False
        self.process.asked = "'uci'"
        self.process.limit = limit = min(self._settings.timeout or GREETING, GREETING)
        deadline = time.monotonic() + limit
        try:
            self.process.send("uci")
            while not self._is_introduced(deadline):
                pass
        except (EngineDiedError, EngineTimeoutError) as error:
            raise NotUciError(str(error), ended=isinstance(error, EngineDiedError)) from None
        self.process.send(*self._settings_lines())

    def _is_introduced(self, deadline: float) -> bool:
        """Read a line of the introduction, and say whether it is the last one."""
        silence = SILENCE if self.heard else None
        line = self.process.next_line(deadline, silence if self._was_nudged else NUDGE)
        if line is None and not self._was_nudged:
            self._was_nudged = True
            self.process.send("")
            return False
        if line is None:
            said = ", ".join(quoted(text) for text in self.heard)
            raise NotUciError(f"{self.process.name} did not answer 'uci'; it printed {said}")
        text = line.text.strip()
        self.heard.append(text)
        if text.endswith("uciok"):
            return True
        if text.startswith("id name "):
            self.title = printable(text[8:].strip())[:LONGEST_NAME] or None
        elif found := OPTION.match(text):
            self._options[found["name"].strip().lower()] = found["name"].strip()
        elif REFUSAL.search(text):
            raise NotUciError(f"{self.process.name} answered 'uci' with {quoted(text)}")
        return False

    @property
    def chess960(self) -> bool:
        """Whether it has the option, or the user says that it has."""
        names = (name.lower() for name in self._settings.options)
        return CHESS960.lower() in self._options or CHESS960.lower() in names

    def _settings_lines(self) -> list[str]:
        lines = []
        for name, value in self._settings.options.items():
            if name.lower() == CHESS960.lower():
                self._is_chess960 = value.lower() == "true"
            known = self._options.get(name.lower())
            if known is None and self._options and name.lower() != CHESS960.lower():
                ends = did_you_mean(name, sorted(self._options.values()))
                raise EngineError(
                    f"{self.title or self.process.name} has no option {quoted(name)}"
                    f"{printable(ends)}"
                )
            lines.append(f"setoption name {known or name} value {value}")
        return lines

    def _placing(self, question: Question) -> list[str]:
        lines = []
        if question.chess960 != self._is_chess960 and self.chess960:
            self._is_chess960 = question.chess960
            value = "true" if question.chess960 else "false"
            lines.append(f"setoption name {CHESS960} value {value}")
        where = "startpos" if question.fen == STARTPOS else f"fen {question.fen}"
        moves = f" moves {' '.join(question.moves)}" if question.moves else ""
        lines.append(f"position {where}{moves}")
        return lines

    def _marker(self) -> Marker | None:
        return Marker("isready", "readyok")


class UciEngine(DialogueEngine):
    """A UCI engine under test."""

    dialogue_class = UciDialogue
