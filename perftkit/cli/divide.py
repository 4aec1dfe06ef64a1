"""`perftkit divide`: the count under each move of a position."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import click

from perftkit import __version__
from perftkit.cli.forecast import noted
from perftkit.cli.help import ENGINE, POSITIONS, RESULT, Choice, Command, option
from perftkit.cli.interrupts import Interrupts
from perftkit.cli.moves import play
from perftkit.cli.options import (
    Settings,
    chess960_option,
    color_option,
    depth_option,
    format_option,
    hash_option,
    method_option,
    output_option,
    paste_settings,
    position_of,
    table_of,
    threads_option,
    under_test,
)
from perftkit.cli.output import Messages, is_piped
from perftkit.cli.reports import Outputs, destinations, report_option
from perftkit.core.counts import COUNTERS
from perftkit.engines.builtin import BuiltinGenerator
from perftkit.report import DivideInfo
from perftkit.report.formats import DIVIDE_FORMATS, TABLE, write_divide
from perftkit.report.progress import ProgressBar
from perftkit.verify.verdict import ExitStatus

if TYPE_CHECKING:
    from collections.abc import Iterator

    from perftkit.cli.options import EngineChoice
    from perftkit.cli.reports import Destination
    from perftkit.core.perft import PerftResult
    from perftkit.core.position import Position

__all__ = ["command"]


EPILOG = """\b
FEN is quoted or given as separate words, or is named: startpos, kiwipete.

\b
Examples:
  perftkit divide --depth 3
  perftkit divide kiwipete --depth 4 --sort nodes
  perftkit divide startpos --moves "e2e4 e7e5" --depth 3
  perftkit divide "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1" --format csv
  perftkit divide kiwipete --depth 5 --engine "uci:./my-engine --uci"
  perftkit divide kiwipete --depth 3 --paste output.txt

With --engine the engine's counts are compared, and where they differ the way is followed down to
the first wrong position and the broken rule. --depth is then how deep to look at most.
"""


@click.command(
    cls=Command,
    epilog=EPILOG,
    short_help="Count under each move of a position; --engine: find the bug.",
)
@click.argument("fen", nargs=-1)
@depth_option("Plies, with the moves that are listed.")
@option(
    "--moves",
    group=POSITIONS,
    default="",
    metavar="MOVES",
    help='Play these first: "e2e4 e7e5".',
)
@option(
    "--sort",
    group=RESULT,
    type=Choice(("move", "nodes")),
    default="move",
    metavar="KEY",
    help="By move, or by nodes: the most first.",
)
@method_option
@threads_option
@hash_option
@chess960_option
@under_test
@option(
    "--interactive",
    group=ENGINE,
    is_flag=True,
    help="Walk by hand with the engine, at a prompt.",
)
@option(
    "--paste",
    group=ENGINE,
    metavar="FILE",
    help="Compare what one printed; - for standard input.",
)
@format_option(*DIVIDE_FORMATS)
@output_option
@report_option(*DIVIDE_FORMATS)
@color_option
@click.pass_context
def command(
    ctx: click.Context,
    fen: tuple[str, ...],
    depth: int,
    moves: str,
    sort: str,
    method: str,
    threads: int,
    hash: int | None,
    chess960: bool,
    engine: EngineChoice | None,
    interactive: bool,
    paste: str | None,
    format: str,
    output: str | None,
    report: tuple[Destination, ...],
) -> int:
    """Count the leaves under each legal move of a position, the start position by default.

    With --engine, find the first position where an engine's moves are wrong, and say why.
    """
    formatted = format != TABLE or bool(report)
    _refuse_clashes(engine, interactive=interactive, paste=paste, formatted=formatted)
    sources = () if paste is None else (paste,)
    places = destinations(format, output, report, sources, "what is pasted")
    position = position_of(fen or ("startpos",), chess960=chess960)
    root = position.fen()
    played = tuple(moves.replace(",", " ").split())
    play(position, played)
    color = Settings.of(ctx).color
    if engine is not None or paste is not None:
        from perftkit.cli.compare import Request, compare_with_engine, compare_with_paste

        given = ctx.get_parameter_source("depth") is not click.core.ParameterSource.DEFAULT
        request = Request(root, position.chess960, played, depth, given, places, color)
        if paste is not None:
            return compare_with_paste(request, paste, paste_settings(ctx))
        assert engine is not None
        if not interactive:
            return compare_with_engine(request, engine)
        from perftkit.cli.interactive import converse

        return converse(request, engine)
    table = table_of(hash, method)
    with Interrupts() as interrupts, Outputs(places) as outputs:
        bar = _progress_bar(position, output, color)
        results = BuiltinGenerator(method, threads, table).children(position, depth)
        if table is None:
            errors = Messages(color=color)
            results = noted(results, errors, position, depth, method=method, threads=threads)
        children, interrupted = _collect(results, interrupts, bar)
        info = _info(root, played, depth, _sorted(children, sort), interrupted=interrupted)
        outputs.each(lambda place, to: write_divide(place.format, to, info, color=color))
    outputs.complain()
    return interrupts.status if interrupted else ExitStatus.AGREED


def _refuse_clashes(
    engine: EngineChoice | None, *, interactive: bool, paste: str | None, formatted: bool
) -> None:
    if paste is not None and (engine is not None or interactive):
        raise click.UsageError("--paste needs no engine: it compares what one has printed.")
    if interactive and engine is None:
        raise click.UsageError("--interactive walks with an engine, which --engine has to name.")
    if interactive and formatted:
        raise click.UsageError(
            "--interactive is a conversation; it has no --format and no --report."
        )


def _progress_bar(position: Position, output: str | None, color: bool | None) -> ProgressBar | None:
    errors = Messages(color=color)
    if not errors.is_terminal or is_piped(output):
        return None
    return ProgressBar(errors, rows=len(position.legal_moves()), noun="moves")


def _collect(
    results: Iterator[tuple[str, PerftResult]], interrupts: Interrupts, bar: ProgressBar | None
) -> tuple[dict[str, PerftResult], bool]:
    """Return what is under each move, and whether Ctrl-C came before the last one."""
    children: dict[str, PerftResult] = {}
    interrupted = False
    try:
        while (item := interrupts.next(results)) is not None:
            move, result = item
            children[move] = result
            if bar is not None:
                bar.advance(nodes=result.nodes, rows=1)
    except KeyboardInterrupt:
        interrupted = True
    if bar is not None:
        bar.hide()
    return children, interrupted


def _sorted(children: dict[str, PerftResult], sort: str) -> dict[str, PerftResult]:
    if sort == "move":
        return children
    return dict(sorted(children.items(), key=lambda item: -item[1].nodes))


def _info(
    fen: str,
    moves: tuple[str, ...],
    depth: int,
    children: dict[str, PerftResult],
    *,
    interrupted: bool,
) -> DivideInfo:
    counts = Counter(dict.fromkeys(COUNTERS, 0))
    for child in children.values():
        counts.update(child.counts)
    return DivideInfo(
        version=__version__,
        fen=fen,
        moves=moves,
        depth=depth,
        nodes=sum(child.nodes for child in children.values()),
        counts=dict(counts),
        children=children,
        seconds=sum(child.seconds for child in children.values()),
        stopped="interrupted" if interrupted else None,
    )
