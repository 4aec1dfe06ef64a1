"""`perftkit show`: a position as a board."""

from __future__ import annotations

import click

from perftkit.cli.help import RESULT, Command, option
from perftkit.cli.options import (
    Settings,
    chess960_option,
    color_option,
    position_of,
)
from perftkit.cli.output import open_output
from perftkit.report.board import write_position
from perftkit.report.console import Terminal

__all__ = ["command"]

EPILOG = """\b
FEN is quoted or given as separate words, or is named: startpos, kiwipete.

\b
Examples:
  perftkit show kiwipete
  perftkit show "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1"
  perftkit show 8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1 --ascii
"""


@click.command(
    cls=Command,
    epilog=EPILOG,
    short_help="Show a position: board, rights, pins, legal moves.",
)
@click.argument("fen", nargs=-1, required=True)
@option("--ascii", group=RESULT, is_flag=True, help="Show the pieces as letters.")
@chess960_option
@color_option
@click.pass_context
def command(ctx: click.Context, fen: tuple[str, ...], ascii: bool, chess960: bool) -> None:
    """Show a position: board, rights, key, checkers, pinned pieces and legal moves.

    Pieces that give check are marked with !, pinned pieces of the side to move with +.
    """
    position = position_of(fen, chess960=chess960)
    with open_output(None) as stream:
        terminal = Terminal(stream, color=Settings.of(ctx).color)
        write_position(terminal, position, ascii_only=ascii)
