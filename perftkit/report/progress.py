"""A bar on the last line of the terminal while a command counts."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from perftkit.report.text import duration, grouped, speed

if TYPE_CHECKING:
    from collections.abc import Callable

    from perftkit.report.console import Span, Terminal

__all__ = ["ProgressBar"]

FIRST_AFTER = 0.3  # seconds, so that a short command shows none
EVERY = 0.1  # seconds
BAR_WIDTH = 24
ERASE_LINE = "\r\x1b[2K"


class ProgressBar:
    """What is done, how fast, and the time left.

    It must be erased before anything else is written to the same terminal: `hide`.
    """

    def __init__(
        self,
        terminal: Terminal,
        *,
        rows: int | None = None,
        nodes: int | None = None,
        noun: str = "rows",
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Begin to measure; nothing is shown yet.

        Args:
            terminal: Where it is shown.
            rows: How many steps there are; None when that is not known.
            nodes: How many leaves there are to count; None when that is not known.
            noun: What the steps are called.
            clock: Tells the time in seconds, for tests.
        """
        self._terminal = terminal
        self._rows = rows
        self._nodes = nodes
        self._noun = noun
        self._clock = clock
        self._start = clock()
        self._drawn = self._start + FIRST_AFTER - EVERY
        self._visible = False
        self._rows_done = 0
        self._nodes_done = 0

    def advance(self, *, nodes: int = 0, rows: int = 0) -> None:
        """Add what was done, and draw the bar if it is time."""
        self._nodes_done += nodes
        self._rows_done += rows
        now = self._clock()
        if now - self._drawn < EVERY:
            return
        self._drawn = now
        self.hide()
        self._terminal.write(*self._text(now - self._start), end="")
        self._terminal.flush()
        self._visible = True

    def hide(self) -> None:
        """Erase the bar, if it is shown."""
        if self._visible:
            self._terminal.control(ERASE_LINE)
            self._terminal.flush()
            self._visible = False

    def _text(self, seconds: float) -> list[Span]:
        share = self._share()
        rate = self._nodes_done / seconds if seconds > 0 else 0.0
        steps = grouped(self._rows_done)
        if self._rows is not None:
            steps += f"/{grouped(self._rows)}"
        parts = [f"{steps} {self._noun}", speed(int(rate))]
        if share:
            parts.append(f"{duration(seconds / share - seconds)} left")
        text = "  ".join(parts)
        most = self._terminal.width - 1
        if share is None:
            return [text[:most]]
        text = f"{share:4.0%}  {text}"
        return [*self._bar(share, min(BAR_WIDTH, most - len(text) - 1)), text[:most]]

    def _share(self) -> float | None:
        """How much is done, from 0 to 1, by leaves where these are known."""
        if self._nodes:
            return min(self._nodes_done / self._nodes, 1.0)
        if self._rows:
            return min(self._rows_done / self._rows, 1.0)
        return None

    def _bar(self, share: float, width: int) -> list[Span]:
        if width < 4:
            return []
        full, empty = ("━", "─") if self._terminal.unicode else ("#", "-")
        filled = round(share * width)
        return [(full * filled, "green"), (empty * (width - filled), "dim"), " "]
