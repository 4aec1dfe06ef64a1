"""The terminal: what it can do, and the one place where coloured text is written to it."""

from __future__ import annotations

import os
import shutil
import sys
from typing import TYPE_CHECKING, Literal, TextIO

from perftkit.report.text import clean

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Span", "Terminal"]

Span = str | tuple[str, str]
"""A text, alone or with a style such as ``bold red``."""

DEFAULT_WIDTH = 80

PLAIN = str.maketrans({"…": "...", "µ": "u"})
"""Our own signs where only ASCII can be shown."""


class Terminal:
    """A stream that may be a terminal.

    Attributes:
        stream: Where it writes.
        is_terminal: Whether a person is there to see things move.
        unicode: Whether more than ASCII can be shown.
        color: Whether styles are shown.
    """

    def __init__(
        self, stream: TextIO, *, color: bool | None = None, environ: Mapping[str, str] | None = None
    ) -> None:
        """Look at a stream.

        Args:
            stream: Where to write.
            color: Whether to write styles; None decides by NO_COLOR, FORCE_COLOR and the stream.
            environ: Used for the process's environment, for tests.
        """
        self._environ = os.environ if environ is None else environ
        self.stream = stream
        dumb = self._environ.get("TERM", "") in ("dumb", "unknown")
        is_tty = _is_tty(stream)
        self.is_terminal = is_tty and not dumb
        self.unicode = _can_unicode(stream, self._environ)
        self.color = self._wants_color() if color is None else color
        self._palette = self._open_palette() if self.color else None

    @property
    def width(self) -> int:
        """Return the number of columns: COLUMNS, else the terminal's, else 80."""
        columns = self._environ.get("COLUMNS", "")
        if columns.isdecimal() and int(columns) > 0:
            return int(columns)
        if not _is_tty(self.stream):
            return DEFAULT_WIDTH
        return _size_of(self.stream)

    def write(self, *spans: Span, end: str = "\n") -> None:
        """Write a line made of texts, each alone or with a style; nothing in them is obeyed."""
        pairs = [(span, "") if isinstance(span, str) else span for span in spans]
        if self._palette is None:
            line = "".join(clean(text) for text, _ in pairs)
        else:
            line = "".join(self._palette.render(clean(text), style) for text, style in pairs)
        if not self.unicode:
            line = line.translate(PLAIN)
        self.stream.write((line.rstrip(" ") if end else line) + end)

    def control(self, sequence: str) -> None:
        """Write a control sequence of our own."""
        self.stream.write(sequence)

    def flush(self) -> None:
        """Write out what is buffered."""
        self.stream.flush()

    def _wants_color(self) -> bool:
        if self._environ.get("NO_COLOR"):
            return False
        if self._environ.get("FORCE_COLOR"):
            return True
        return self.is_terminal

    def _open_palette(self) -> _Palette:
        # A terminal's own abilities are found out; elsewhere colour was asked for, so the 16
        # colours that everything knows are written.
        detect = self.is_terminal and bool(self._environ.get("TERM") or sys.platform == "win32")
        return _Palette(self.stream, "auto" if detect else "standard")


class _Palette:
    """Renders styles; far cheaper than printing by a rich console, which lays out every line."""

    def __init__(self, stream: TextIO, color_system: Literal["auto", "standard"]) -> None:
        from rich.color import ColorSystem
        from rich.console import Console
        from rich.style import Style

        console = Console(file=stream, force_terminal=True, color_system=color_system)
        systems = {
            "standard": ColorSystem.STANDARD,
            "256": ColorSystem.EIGHT_BIT,
            "truecolor": ColorSystem.TRUECOLOR,
            "windows": ColorSystem.WINDOWS,
        }
        self._system = systems.get(console.color_system or "standard", ColorSystem.STANDARD)
        self._parse = Style.parse

    def render(self, text: str, style: str) -> str:
        """Return the text between the sequences that switch the style on and off."""
        if not style or not text:
            return text
        return self._parse(style).render(text, color_system=self._system)


def _is_tty(stream: TextIO) -> bool:
    try:
        return stream.isatty()
    except ValueError:  # closed
        return False


def _size_of(stream: TextIO) -> int:
    try:
        return os.get_terminal_size(stream.fileno()).columns or DEFAULT_WIDTH
    except (OSError, ValueError):
        return shutil.get_terminal_size((DEFAULT_WIDTH, 24)).columns


def _can_unicode(stream: TextIO, environ: Mapping[str, str]) -> bool:
    encoding = (getattr(stream, "encoding", None) or "ascii").lower().replace("_", "-")
    if not encoding.startswith("utf"):
        return False
    # In the C locale Python writes UTF-8 all the same, which says nothing about the terminal.
    plain = environ.get("LC_ALL") in ("C", "POSIX") and not environ.get("PYTHONIOENCODING")
    return not plain or environ.get("PYTHONUTF8") == "1"
