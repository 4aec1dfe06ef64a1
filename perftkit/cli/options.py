"""Options and arguments that several commands share."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import click

from perftkit.core.crew import MOST_THREADS, thread_number
from perftkit.core.perft import MAX_DEPTH, METHODS
from perftkit.core.position import KIWIPETE, STARTPOS, Position
from perftkit.report.text import shortened

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = [
    "CONTEXT_SETTINGS",
    "NAMED_FENS",
    "DepthType",
    "Settings",
    "chess960_option",
    "color_option",
    "depth_option",
    "fen_of",
    "format_option",
    "method_option",
    "output_option",
    "position_of",
    "threads_option",
]

Decorated = TypeVar("Decorated", bound="Callable[..., Any]")

CONTEXT_SETTINGS: dict[str, Any] = {
    "help_option_names": ["-h", "--help"],
    "auto_envvar_prefix": "PERFTKIT",
    "max_content_width": 100,
}

SHORT_NUMBER = re.compile("-?[0-9]{1,9}")
LONGEST_SHOWN = 40  # of a text that is no depth, in characters

DEFAULT_DEPTH = 4

NAMED_FENS = {"startpos": STARTPOS, "kiwipete": KIWIPETE}


@dataclass(slots=True)
class Settings:
    """What was said before or after the command's name and holds for all of them.

    Attributes:
        color: Whether to write colours; None leaves it to the environment and the terminal.
    """

    color: bool | None = None

    @classmethod
    def of(cls, ctx: click.Context) -> Settings:
        """Return the settings of this call."""
        root = ctx.find_root()
        if root.obj is None:
            root.obj = cls()
        settings: Settings = root.obj
        return settings


class DepthType(click.IntRange):
    """A depth in plies."""

    def __init__(self, least: int = 1) -> None:
        super().__init__(least, MAX_DEPTH)
        self.least = least

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return the number, or say which ones there are."""
        text = str(value).strip()
        number = int(text) if SHORT_NUMBER.fullmatch(text) else None
        if number is not None and self.least <= number <= MAX_DEPTH:
            return number
        more = " (depth 0 is the position itself, always 1 node)" if number == 0 else ""
        shown = shortened(text, LONGEST_SHOWN, "...")
        return self.fail(
            f"{shown!r} is no depth from {self.least} to {MAX_DEPTH}{more}.", param, ctx
        )


def _set_color(ctx: click.Context, _: click.Parameter, value: bool | None) -> None:
    if value is not None:
        Settings.of(ctx).color = value


def color_option(function: Decorated) -> Decorated:
    """Add --color and --no-color."""
    return click.option(
        "--color/--no-color",
        default=None,
        expose_value=False,
        callback=_set_color,
        help="Write colours, or none. The default is colours on a terminal.",
    )(function)


def chess960_option(function: Decorated) -> Decorated:
    """Add --chess960."""
    return click.option(
        "--chess960", is_flag=True, help="Read castling rights by the rules of Chess960."
    )(function)


def depth_option(text: str) -> Callable[[Decorated], Decorated]:
    """Add --depth with a help text."""
    return click.option(
        "--depth",
        "-d",
        type=DepthType(),
        default=DEFAULT_DEPTH,
        show_default=True,
        metavar="N",
        help=text,
    )


def method_option(function: Decorated) -> Decorated:
    """Add --method."""
    return click.option(
        "--method",
        type=click.Choice(METHODS),
        default=METHODS[0],
        show_default=True,
        help="How the leaves are counted.",
    )(function)


def threads_option(function: Decorated) -> Decorated:
    """Add --threads, whose value is never None and never 0."""
    return click.option(
        "--threads",
        type=click.IntRange(0, MOST_THREADS),
        default=0,
        envvar="PERFTKIT_THREADS",
        callback=lambda _ctx, _param, value: thread_number(value),
        metavar="N",
        help="How many count at once; 0, the default, for all that the process may use.",
    )(function)


def format_option(*formats: str) -> Callable[[Decorated], Decorated]:
    """Add --format with a choice of formats, the first being the default."""
    return click.option(
        "--format",
        type=click.Choice(formats),
        default=formats[0],
        show_default=True,
        help="How the result is written.",
    )


def output_option(function: Decorated) -> Decorated:
    """Add --output."""
    return click.option(
        "--output",
        "-o",
        metavar="FILE",
        help="Write the result to a file instead of standard output.",
    )(function)


def fen_of(words: Sequence[str]) -> str:
    """Return the FEN that the words of a command line mean: a name, or the FEN's fields."""
    fen = " ".join(words)
    named: str | None = NAMED_FENS.get(fen.lower())
    return fen if named is None else named


def position_of(words: Sequence[str], *, chess960: bool) -> Position:
    """Return the position that the words of a command line mean.

    Raises:
        FenError: They are no name, and no FEN of a position.
    """
    return Position(fen_of(words), chess960=True if chess960 else None)
