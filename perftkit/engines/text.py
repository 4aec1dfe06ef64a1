"""What programs print, made harmless and short enough to be shown."""

from __future__ import annotations

import re

__all__ = ["plain", "printable", "quoted", "without_options"]

LONGEST = 200  # characters of a text that is quoted in a message

# CSI, OSC and other sequences; none can run past the next escape, so that this takes linear time.
ESCAPES = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]"
    r"|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)"
    r"|\x1b[ -/]*[0-Z\\-~]"
    r"|\x9b[0-?]*[ -/]*[@-~]"
)


# Control characters, and those that change the direction of a text; a tab separates columns.
CONTROLS = re.compile("[\x00-\x08\x0a-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")


SETTINGS = re.compile(r"--(perft-command|total-pattern|divide-pattern)\b( (?='))?")


def plain(text: str) -> str:
    """Return a text without terminal sequences and control characters, tabs apart."""
    if text.isascii() and text.isprintable():
        return text
    return CONTROLS.sub("", ESCAPES.sub("", text))


def printable(text: str) -> str:
    """Return a text without anything that a terminal could obey; it becomes visible instead."""
    if text.isprintable():
        return text
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode("ascii")
        for char in text
    )


def quoted(text: str, longest: int = LONGEST) -> str:
    """Return a text of a program as a message quotes it: one line, harmless, cut."""
    text = printable(plain(" ".join(text.split())))
    return f"'{text if len(text) <= longest else text[: longest - 3] + '...'}'"


def without_options(message: str, engine: str) -> str:
    """Return a message about an engine for where there are no options of perftkit's command line.

    Args:
        message: What an error says, with advice that names options such as ``--perft-command``.
        engine: What names the engine there, in the place of ``--engine`` and the space behind it.
    """
    text, settings = SETTINGS.subn(lambda found: found[1] + (" = " if found[2] else ""), message)
    if settings:
        text += (
            "; settings stand in the file that describes an engine, as [tool.perftkit.engines.NAME]"
        )
    return text.replace("--engine ", engine)
