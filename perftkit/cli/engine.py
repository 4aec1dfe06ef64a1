"""`perftkit engine`: what an engine under test speaks."""

from __future__ import annotations

import json
from contextlib import closing
from typing import TYPE_CHECKING

import click

from perftkit import __version__
from perftkit.cli.help import Command
from perftkit.cli.options import (
    Settings,
    about_spec,
    color_option,
    format_option,
    output_option,
)
from perftkit.cli.output import open_output
from perftkit.report import SCHEMA
from perftkit.report.console import Terminal

if TYPE_CHECKING:
    from typing import TextIO

    from perftkit.cli.options import EngineChoice
    from perftkit.engines.findings import Findings

__all__ = ["command"]

WIDTH_OF_TABLES = 60  # characters; in fewer there are no columns where they do not fit

EPILOG = """\b
SPEC is a command (stockfish, "./my-engine --uci"), which is probed, or
  uci:COMMAND       a UCI engine
  xboard:COMMAND    an xboard engine
  cmd:COMMAND       any program, run once a question:
                    "cmd:./perft.sh {depth} {fen} {moves}"
  py:module:name    a Python function(fen, depth), or a board with
                    legal_moves, push and pop
  NAME              of [tool.perftkit.engines.NAME] in pyproject.toml, or of a
                    file (--engines)

\b
Examples:
  perftkit engine stockfish
  perftkit engine "cmd:./perft.sh {depth} {fen} {moves}"
  perftkit engine ./my-engine --perft-command "bench {depth}"
"""


@click.command(
    cls=Command,
    epilog=EPILOG,
    short_help="Say what an engine speaks and what it can do.",
)
@click.argument("spec")
@about_spec
@format_option("table", "json")
@output_option
@color_option
@click.pass_context
def command(ctx: click.Context, engine: EngineChoice, format: str, output: str | None) -> None:
    """Say what an engine speaks, how it is asked, and what it can do.

    It is started and asked a few easy questions. Where nothing works, the message says what was
    tried, what came back, and what to type instead; the exit status is then 3.
    """
    from perftkit.engines.findings import findings_of

    with closing(engine.open()) as opened:
        findings = findings_of(opened)
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
    widest = max(len(text) for _, text in rows)
    for title, text in rows:
        if width + 2 + widest > terminal.width < WIDTH_OF_TABLES:
            terminal.write((f"{title}: ", "dim"), text)
        else:
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
