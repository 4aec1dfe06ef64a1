"""`perftkit engine`: what an engine under test speaks; and the options about engines."""

from __future__ import annotations

import functools
import json
import re
from typing import TYPE_CHECKING, Any, TypeVar

import click

from perftkit import __version__
from perftkit.cli.options import Settings, color_option, format_option, output_option
from perftkit.cli.output import open_output
from perftkit.report import SCHEMA
from perftkit.report.console import Terminal

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TextIO

    from perftkit.engines import PerftEngine
    from perftkit.engines.findings import Findings

__all__ = ["SecondsType", "command", "engine_options", "open_chosen"]

Decorated = TypeVar("Decorated", bound="Callable[..., Any]")

META = "perftkit.engine"  # where the options' values are kept in the context
ENGINES = "engines"
SECONDS = re.compile(r"(?P<number>\d{1,9}(?:\.\d{1,9})?) ?(?P<unit>ms|s|m|min|h)?")
UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0}

EPILOG = """\b
SPEC is a command (stockfish, "./my-engine --uci"), which is probed, or
  uci:COMMAND       a UCI engine
  xboard:COMMAND    an xboard engine
  cmd:COMMAND       any program, run once a question: "cmd:./perft.sh {depth} {fen} {moves}"
  py:module:name    a Python function(fen, depth), or a board with legal_moves, push and pop
  NAME              of [tool.perftkit.engines.NAME] in pyproject.toml, or in a file (--engines)

\b
Examples:
  perftkit engine stockfish
  perftkit engine "cmd:./perft.sh {depth} {fen} {moves}"
  perftkit engine ./my-engine --perft-command "bench {depth}"
"""


class SecondsType(click.ParamType):  # type: ignore[type-arg,unused-ignore]
    """A time above zero: ``10``, ``10s``, ``500ms``, ``2m``."""

    name = "time"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Return the seconds, or say what was expected."""
        if isinstance(value, float):
            return value
        found = SECONDS.fullmatch(str(value).strip())
        seconds = float(found["number"]) * UNITS[found["unit"] or "s"] if found else 0.0
        if seconds > 0:
            return seconds
        return self.fail(f"{value!r} is no time such as 10, 10s, 500ms or 2m.", param, ctx)


def engine_options(function: Decorated) -> Decorated:
    """Add the options that say how an engine is talked to; `open_chosen` uses them."""
    for flag, key, metavar, text, more in reversed(OPTIONS):
        function = click.option(
            flag,
            metavar=metavar,
            help=text,
            callback=functools.partial(_keep, key),
            expose_value=False,
            **more,
        )(function)
    return function


def open_chosen(ctx: click.Context, spec: str, *, like: PerftEngine | None = None) -> PerftEngine:
    """Return the engine of a name or a spec, with the settings of `engine_options`.

    Args:
        ctx: The command's context.
        spec: What the user typed.
        like: An engine that this function returned for the same text before.

    Raises:
        SpecError: Something that was said about it can't be used.
        EngineError: It can't be started or understood.
    """
    from perftkit.engines.named import known_engines
    from perftkit.engines.settings import EngineSettings
    from perftkit.engines.spec import open_engine

    said = dict(ctx.meta.get(META, {}))
    engines = known_engines(said.pop(ENGINES, None))
    return open_engine(spec, EngineSettings(**said), engines=engines, like=like)


def _keep(key: str, ctx: click.Context, param: click.Parameter, value: Any) -> None:
    """Keep what an option says where `open_chosen` finds it: a callback."""
    if value is None or value == ():
        return
    if param.multiple:
        value = dict(_pair(entry, param, ctx) for entry in value)
    ctx.meta.setdefault(META, {})[key] = value


def _pair(entry: str, param: click.Parameter, ctx: click.Context) -> tuple[str, str]:
    name, equals, value = entry.partition("=")
    if not equals or not name.strip():
        raise click.BadParameter(f"{entry!r} is not NAME=VALUE.", ctx, param)
    return name.strip(), value


OPTIONS: tuple[tuple[str, str, str, str, dict[str, Any]], ...] = (
    (
        "--perft-command",
        "perft_command",
        "TEXT",
        "What makes the engine count, with {depth} and, where it wants one, {fen}.",
        {},
    ),
    (
        "--divide-pattern",
        "divide_pattern",
        "REGEX",
        "Finds a line of the engine's division: groups (?P<move>...), (?P<nodes>...).",
        {},
    ),
    (
        "--total-pattern",
        "total_pattern",
        "REGEX",
        "Finds the engine's total: a group (?P<nodes>...).",
        {},
    ),
    (
        "--engine-option",
        "options",
        "NAME=VALUE",
        "Set an option of the engine; may be repeated.",
        {"multiple": True},
    ),
    (
        "--engine-env",
        "environment",
        "NAME=VALUE",
        "Set a variable in the engine's environment; may be repeated.",
        {"multiple": True},
    ),
    ("--engine-dir", "folder", "DIR", "The folder that the engine runs in.", {}),
    (
        "--timeout",
        "timeout",
        "TIME",
        "The most time for a question, such as 10s; the default is 60s.",
        {"type": SecondsType()},
    ),
    (
        "--engines",
        ENGINES,
        "FILE",
        "A TOML file with engines that have a name, [engines.NAME].",
        {},
    ),
)


@click.command(epilog=EPILOG)
@click.argument("spec")
@engine_options
@format_option("table", "json")
@output_option
@color_option
@click.pass_context
def command(ctx: click.Context, spec: str, format: str, output: str | None) -> None:
    """Say what an engine speaks, how it is asked, and what it can do.

    It is started and asked a few easy questions. Where nothing works, the message says what was
    tried, what came back, and what to type instead; the exit status is then 3.
    """
    from perftkit.engines.findings import findings_of

    if not spec.strip():
        raise click.UsageError("SPEC is empty; it is a command, or a kind and a command.")
    engine = open_chosen(ctx, spec)
    try:
        findings = findings_of(engine)
    finally:
        engine.close()
    with open_output(output) as stream:
        if format == "json":
            _write_json(stream, findings)
        else:
            _write_table(Terminal(stream, color=Settings.of(ctx).color), findings)


def _write_json(stream: TextIO, findings: Findings) -> None:
    abilities = findings.abilities
    document = {
        "perftkit": __version__,
        "schema": SCHEMA,
        "command": "engine",
        "engine": {
            "spec": findings.spec,
            "name": findings.name,
            "protocol": findings.protocol,
            "perft_command": findings.command,
            "divides": abilities.divides,
            "divides_at_depth_1": abilities.divides and findings.divides_leaves,
            "takes_moves": abilities.takes_moves,
            "chess960": abilities.chess960,
            "notation": list(findings.notation),
            "prints_position": abilities.prints_position,
            "position_command": findings.position_command,
        },
    }
    stream.write(json.dumps(document, indent=1) + "\n")


def _write_table(terminal: Terminal, findings: Findings) -> None:
    rows = _facts(findings)
    width = max(len(title) for title, _ in rows)
    for title, text in rows:
        terminal.write((title.ljust(width + 2), "dim"), text)


def _facts(findings: Findings) -> list[tuple[str, str]]:
    abilities = findings.abilities
    facts = [
        ("engine", findings.name),
        ("spec", findings.spec),
        ("protocol", findings.protocol),
    ]
    if findings.command is not None:
        facts.append(("asked with", findings.command))
    facts.append(("divides", _division(findings)))
    moves = "yes" if abilities.takes_moves else "no, it gets the FEN after them"
    facts.append(("plays moves", moves))
    facts.append(("Chess960", {True: "yes", False: "no", None: "not known"}[abilities.chess960]))
    if findings.notation:
        facts.append(("notation", ", ".join(findings.notation)))
    facts.append(("prints its position", _printing(findings)))
    return facts


def _division(findings: Findings) -> str:
    if not findings.abilities.divides:
        return "no, only totals; it is bisected by its totals after each move"
    return "yes" if findings.divides_leaves else "yes, from depth 2 on"


def _printing(findings: Findings) -> str:
    if not findings.abilities.prints_position:
        return "no"
    command = findings.position_command
    return "yes" if command is None else f"yes, with {command!r}"
