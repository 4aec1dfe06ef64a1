"""Options and arguments that several commands share."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import click

from perftkit.cli.help import (
    ASKING,
    COUNTING,
    ENGINE,
    OTHER,
    POSITIONS,
    RESULT,
    Choice,
    Number,
    option,
)
from perftkit.core.crew import MOST_THREADS, thread_number
from perftkit.core.exact import STRICT
from perftkit.core.perft import MAX_DEPTH, METHODS
from perftkit.core.position import KIWIPETE, STARTPOS, Position
from perftkit.errors import FenError, SpecError
from perftkit.report.text import shortened

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from perftkit.core.table import HashTable
    from perftkit.engines import PerftEngine
    from perftkit.engines.settings import EngineSettings

__all__ = [
    "CONTEXT_SETTINGS",
    "ENGINE_OPTIONS",
    "NAMED_FENS",
    "DepthType",
    "EngineChoice",
    "Settings",
    "about_spec",
    "chess960_option",
    "color_option",
    "depth_option",
    "duration",
    "engine_choice",
    "fen_of",
    "format_option",
    "hash_option",
    "method_option",
    "node_speed",
    "output_option",
    "paste_settings",
    "position_of",
    "table_of",
    "threads_option",
    "under_test",
]

Decorated = TypeVar("Decorated", bound="Callable[..., Any]")

CONTEXT_SETTINGS: dict[str, Any] = {
    "help_option_names": ["-h", "--help"],
    "auto_envvar_prefix": "PERFTKIT",
    "max_content_width": 100,
}

SHORT_NUMBER = re.compile("-?[0-9]{1,9}")
LONGEST_SHOWN = 40  # of a text that is no depth, in characters

NODE_SPEED = re.compile(r"(?P<number>[0-9]{1,12}(?:\.[0-9]{1,9})?) ?(?P<unit>[kmg]?)(?:n/s)?")
SIZES = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9}

COMMANDLINE = click.core.ParameterSource.COMMANDLINE

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


def duration(_: click.Context, __: click.Parameter, value: str | None) -> float | None:
    """Return the seconds of a time such as ``90``, ``90s``, ``1.5m`` or ``2h``: a callback."""
    if value is None:
        return None
    from perftkit.engines.settings import seconds_of

    try:
        return seconds_of(value)
    except SpecError as error:
        raise click.BadParameter(f"{error}.") from None


def node_speed(_: click.Context, __: click.Parameter, value: str | None) -> int | None:
    """Return the nodes a second of a speed such as ``800000``, ``800k`` or ``1.5M``: a callback."""
    if value is None:
        return None
    found = NODE_SPEED.fullmatch(value.strip().lower())
    nps = int(float(found["number"]) * SIZES[found["unit"]]) if found else 0
    if nps < 1:
        shown = shortened(value, LONGEST_SHOWN, "...")
        raise click.BadParameter(f"{shown!r} is no number of nodes such as 500k, 2M or 1.5G.")
    return nps


def _set_color(ctx: click.Context, _: click.Parameter, value: bool | None) -> None:
    if value is not None:
        Settings.of(ctx).color = value


def color_option(function: Decorated) -> Decorated:
    """Add --color and --no-color."""
    return option(
        "--color/--no-color",
        group=OTHER,
        default=None,
        expose_value=False,
        callback=_set_color,
        help="Colours or none; by default on a terminal.",
    )(function)


def chess960_option(function: Decorated) -> Decorated:
    """Add --chess960."""
    return option(
        "--chess960",
        group=POSITIONS,
        is_flag=True,
        help="Read castling rights as those of Chess960.",
    )(function)


def depth_option(text: str) -> Callable[[Decorated], Decorated]:
    """Add --depth with a help text."""
    return option(
        "--depth",
        "-d",
        group=POSITIONS,
        type=DepthType(),
        default=DEFAULT_DEPTH,
        show_default=True,
        metavar="N",
        help=text,
    )


def method_option(function: Decorated) -> Decorated:
    """Add --method."""
    return option(
        "--method",
        group=COUNTING,
        type=Choice(METHODS),
        default=METHODS[0],
        metavar="METHOD",
        help="fast, strict (as the textbook has it) or both.",
    )(function)


def threads_option(function: Decorated) -> Decorated:
    """Add --threads, whose value is never None and never 0."""
    return option(
        "--threads",
        group=COUNTING,
        type=Number(0, MOST_THREADS),
        default=0,
        envvar="PERFTKIT_THREADS",
        callback=lambda _ctx, _param, value: thread_number(value),
        metavar="N",
        help="How many count at once; 0, the default: all.",
    )(function)


def hash_option(function: Decorated) -> Decorated:
    """Add --hash, whose value `table_of` takes."""
    return option(
        "--hash",
        group=COUNTING,
        type=Number(min=0),
        metavar="MB",
        help="Size of a hash table; 0, the default: none.",
    )(function)


def table_of(megabytes: int | None, method: str) -> HashTable | None:
    """Return the hash table that --hash asks for, if it does.

    Raises:
        HashTableError: There is not so much memory.
        click.UsageError: The method uses none.
    """
    if not megabytes:
        return None
    if method == STRICT:
        raise click.UsageError("--method strict uses no hash table: --hash 0 asks for none.")
    from perftkit.core.table import HashTable

    return HashTable(megabytes)


def format_option(*formats: str) -> Callable[[Decorated], Decorated]:
    """Add --format with a choice of formats, the first being the default."""
    return option(
        "--format",
        group=RESULT,
        type=Choice(formats),
        default=formats[0],
        metavar="FORMAT",
        help=f"How it is written: {', '.join(formats[:-1])} or {formats[-1]}.",
    )


def output_option(function: Decorated) -> Decorated:
    """Add --output."""
    return option(
        "--output",
        "-o",
        group=RESULT,
        metavar="FILE",
        help="Write it to a file, not to standard output.",
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
        click.ClickException: They have not even the look of a FEN.
    """
    try:
        return Position(fen_of(words), chess960=True if chess960 else None)
    except FenError:
        # Here, since it is seldom needed.
        from perftkit.cli.meant import about_position

        why = about_position(words)
        if why is None:
            raise
        raise click.ClickException(why) from None


@dataclass(frozen=True, slots=True)
class EngineChoice:
    """The engine under test that a command line names.

    Attributes:
        spec: What was given to --engine.
        settings: How it is to be talked to.
        words: The words of the command line that name the same engine again.
        file: Where engines that have a name are described, besides pyproject.toml.
    """

    spec: str
    settings: EngineSettings
    words: tuple[str, ...]
    file: str | None = None

    def open(self, like: PerftEngine | None = None) -> PerftEngine:
        """Return the engine.

        Args:
            like: One that was opened before; what is known about it is not found out again.

        Raises:
            PerftkitError: The text names none, or it can't be started or understood.
        """
        from perftkit.engines.named import known_engines
        from perftkit.engines.spec import open_engine

        engines = known_engines(self.file)
        return open_engine(self.spec, self.settings, engines=engines, like=like)


ENGINE_OPTIONS: tuple[tuple[str, dict[str, Any]], ...] = (
    (
        "--engine",
        {
            "group": ENGINE,
            "metavar": "SPEC",
            "help": "Check this engine: a command, such as stockfish.",
        },
    ),
    (
        "--timeout",
        {
            "callback": duration,
            "group": ENGINE,
            "metavar": "TIME",
            "help": "How long an answer may take.  [default: 60s]",
        },
    ),
    (
        "--perft-command",
        {
            "group": ASKING,
            "metavar": "TEXT",
            "help": 'What makes it count: "perft {depth}".',
        },
    ),
    (
        "--divide-pattern",
        {
            "group": ASKING,
            "metavar": "REGEX",
            "help": "Finds (?P<move>...) and (?P<nodes>...).",
        },
    ),
    (
        "--total-pattern",
        {"group": ASKING, "metavar": "REGEX", "help": "Finds the total, (?P<nodes>...)."},
    ),
    (
        "--engine-env",
        {
            "group": ASKING,
            "multiple": True,
            "metavar": "NAME=VALUE",
            "help": "Set a variable of its environment; repeatable.",
        },
    ),
    ("--engine-dir", {"group": ASKING, "metavar": "DIR", "help": "Run it in this folder."}),
    (
        "--engine-option",
        {
            "group": ASKING,
            "multiple": True,
            "metavar": "NAME=VALUE",
            "help": "Set an option such as Hash=64; repeatable.",
        },
    ),
    (
        "--engines",
        {"group": ASKING, "metavar": "FILE", "help": "A TOML file of engines with names."},
    ),
)
"""The options about an engine under test, as `option` takes them."""

PATTERNS = ("divide_pattern", "total_pattern")
"""Those of them that say how to read what was printed; a pasted division can need them too."""


def under_test(function: Decorated) -> Decorated:
    """Add the options about an engine; the function gets an `EngineChoice` or None."""

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        given = {_name_of(name): kwargs.pop(_name_of(name)) for name, _ in ENGINE_OPTIONS}
        return function(*args, engine=engine_choice(given), **kwargs)

    return _with_options(call, ENGINE_OPTIONS)  # type: ignore[return-value]


def about_spec(function: Decorated) -> Decorated:
    """Add the options about the engine that the argument SPEC names, which becomes `engine`."""
    more = ENGINE_OPTIONS[1:]

    @functools.wraps(function)
    def call(*args: Any, spec: str, **kwargs: Any) -> Any:
        given = {_name_of(name): kwargs.pop(_name_of(name)) for name, _ in more}
        return function(*args, engine=engine_choice({"engine": spec, **given}), **kwargs)

    return _with_options(call, more)  # type: ignore[return-value]


def _with_options(
    call: Callable[..., Any], options: Sequence[tuple[str, dict[str, Any]]]
) -> Callable[..., Any]:
    for name, attributes in reversed(options):
        call = option(name, **attributes)(call)
    return call


def paste_settings(ctx: click.Context) -> EngineSettings:
    """Return how to read what an engine has printed.

    Raises:
        SpecError: A pattern can't be used.
    """
    from perftkit.engines.settings import EngineSettings

    return EngineSettings(**{name: ctx.params[name] for name in PATTERNS})


def _name_of(name: str) -> str:
    return name.lstrip("-").replace("-", "_")


def engine_choice(given: Mapping[str, Any]) -> EngineChoice | None:
    """Return the engine that the values of `ENGINE_OPTIONS` mean; None when they name none.

    Raises:
        click.UsageError: They contradict each other, or can't be read.
        SpecError: A setting can't be used.
    """
    spec = given["engine"]
    if spec is None:
        _complain_of_orphans(given)
        return None
    if not spec.strip():
        raise click.UsageError(
            "SPEC is empty; it is a command such as stockfish or './my-engine --uci'."
        )
    from perftkit.engines.settings import DEFAULT_TIMEOUT, EngineSettings

    settings = EngineSettings(
        perft_command=given["perft_command"],
        divide_pattern=given["divide_pattern"],
        total_pattern=given["total_pattern"],
        environment=_pairs("--engine-env", given["engine_env"]),
        folder=given["engine_dir"],
        options=_pairs("--engine-option", given["engine_option"]),
        timeout=given["timeout"] or DEFAULT_TIMEOUT,
    )
    return EngineChoice(spec, settings, tuple(_words(given)), given["engines"])


def _complain_of_orphans(given: Mapping[str, Any]) -> None:
    """Refuse options about an engine that is not named; defaults of a project may wait for one."""
    ctx = click.get_current_context()
    pasted = PATTERNS if ctx.params.get("paste") is not None else ()
    for name in given:
        if name not in pasted and ctx.get_parameter_source(name) is COMMANDLINE:
            raise click.UsageError(
                f"--{name.replace('_', '-')} is about an engine, which --engine has to name."
            )


def _pairs(name_of_option: str, texts: Sequence[str]) -> dict[str, str]:
    pairs = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name.strip():
            shown = shortened(text, LONGEST_SHOWN, "...")
            raise click.UsageError(f"{name_of_option} {shown!r} is not of the form NAME=VALUE.")
        pairs[name.strip()] = value
    return pairs


def _words(given: Mapping[str, Any]) -> Iterator[str]:
    """Yield the words that give the same options again."""
    for name, _ in ENGINE_OPTIONS:
        value = given[_name_of(name)]
        if value is None:
            continue
        for each in value if isinstance(value, tuple) else (value,):
            yield name
            yield f"{each:g}" if isinstance(each, float) else each
