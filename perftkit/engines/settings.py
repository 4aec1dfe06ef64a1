"""How an engine is to be talked to, where that can't be found out."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from perftkit.errors import SpecError

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["DEFAULT_TIMEOUT", "EngineSettings", "compiled_pattern", "seconds_of"]

DEFAULT_TIMEOUT = 60.0  # seconds

DIVIDE_GROUPS = ("move", "nodes")
TOTAL_GROUPS = ("nodes",)
PLACEHOLDERS = ("depth", "fen", "moves")
DURATION = re.compile(r"(?P<number>[0-9]{1,9}(?:\.[0-9]{1,9})?) ?(?P<unit>ms|s|m|h)?")
UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}
LONGEST_SHOWN = 40  # characters of a text that is no time

BRACED = re.compile(r"\{([A-Za-z_]*)\}")


@dataclass(frozen=True, slots=True)
class EngineSettings:
    """What is said about an engine on the command line or in a file.

    Attributes:
        perft_command: What makes it count, with ``{depth}`` and, where it wants one, ``{fen}``;
            None tries those that are usual. A text without ``{depth}`` gets the depth appended.
        divide_pattern: A regular expression that finds a line of the division, with the groups
            ``move`` and ``nodes``.
        total_pattern: A regular expression that finds the total, with the group ``nodes``.
        environment: Variables that are added to the environment.
        folder: Where it runs; None for the current folder.
        options: Options of the engine, by name (``UCI_Chess960``).
        timeout: Seconds for a question; None waits for ever.

    Raises:
        SpecError: A pattern is no regular expression or lacks a group, a command has an unknown
            placeholder, or the time is not positive.
    """

    perft_command: str | None = None
    divide_pattern: str | None = None
    total_pattern: str | None = None
    environment: Mapping[str, str] = field(default_factory=dict)
    folder: str | None = None
    options: Mapping[str, str] = field(default_factory=dict)
    timeout: float | None = DEFAULT_TIMEOUT

    def __post_init__(self) -> None:
        compiled_pattern("divide pattern", self.divide_pattern, DIVIDE_GROUPS)
        compiled_pattern("total pattern", self.total_pattern, TOTAL_GROUPS)
        if self.timeout is not None and not self.timeout > 0:
            raise SpecError(f"the timeout is a number of seconds above 0, not {self.timeout:g}")
        if self.perft_command is not None:
            _check_command(self.perft_command)
        for what, texts in (("environment", self.environment), ("options", self.options)):
            _check_texts(what, texts)

    @property
    def divide_regex(self) -> re.Pattern[str] | None:
        """Return the divide pattern, compiled."""
        return compiled_pattern("divide pattern", self.divide_pattern, DIVIDE_GROUPS)

    @property
    def total_regex(self) -> re.Pattern[str] | None:
        """Return the total pattern, compiled."""
        return compiled_pattern("total pattern", self.total_pattern, TOTAL_GROUPS)


def seconds_of(text: str) -> float:
    """Return the seconds of a time such as ``90``, ``90s``, ``1.5m`` or ``2h``.

    Raises:
        SpecError: It is no time, or not above 0.
    """
    found = DURATION.fullmatch(text.strip().lower())
    seconds = float(found["number"]) * UNITS[found["unit"] or "s"] if found else 0.0
    if not seconds > 0:
        shown = text if len(text) <= LONGEST_SHOWN else f"{text[: LONGEST_SHOWN - 3]}..."
        raise SpecError(f"{shown!r} is no time above 0 such as 30, 30s, 2m or 1h")
    return seconds


def compiled_pattern(
    what: str, text: str | None, groups: tuple[str, ...]
) -> re.Pattern[str] | None:
    """Compile a user's regular expression.

    Raises:
        SpecError: It is none, or does not have the groups.
    """
    if text is None:
        return None
    try:
        pattern = re.compile(text)
    except (re.error, RecursionError, OverflowError) as error:
        raise SpecError(f"the {what} {text!r} is no regular expression: {error}") from None
    for name in groups:
        if name not in pattern.groupindex:
            wanted = " and ".join(f"(?P<{group}>...)" for group in groups)
            raise SpecError(f"the {what} {text!r} has no group {name!r}; it needs {wanted}")
    return pattern


def _check_command(text: str) -> None:
    if not text.strip() or not text.isprintable():
        raise SpecError(f"the perft command {text!r} is empty or no single line of text")
    for name in BRACED.findall(text):
        if name not in PLACEHOLDERS[:2]:
            raise SpecError(
                f"the perft command {text!r} has {{{name}}}; there are {{depth}} and {{fen}}"
            )


def _check_texts(what: str, texts: Mapping[str, str]) -> None:
    for name, text in texts.items():
        bad = not name or "=" in name or any(char in name + text for char in "\0\n\r")
        if bad and what == "environment":
            raise SpecError(f"no environment can have the variable {name!r} with {text!r}")
        if bad and (not name or any(char in name + text for char in "\0\n\r")):
            raise SpecError(f"no engine can have the option {name!r} with {text!r}")
