"""`perftkit suite`: look after suites."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from perftkit.cli.help import COUNTING, POSITIONS, RESULT, Choice, Group, Number, option
from perftkit.cli.interrupts import Interrupts
from perftkit.cli.options import (
    DepthType,
    Settings,
    chess960_option,
    color_option,
    output_option,
)
from perftkit.cli.output import Messages, is_one_of, open_output
from perftkit.cli.suites import explained, opened_suites
from perftkit.report.console import Terminal
from perftkit.report.text import plural
from perftkit.suite.model import SuiteProblem
from perftkit.suite.writer import STYLES, format_row
from perftkit.verify.verdict import ExitStatus

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from perftkit.suite.model import SuiteRow

__all__ = ["command"]

DEFAULT_MAX_NODES = 200_000

GROUP_EPILOG = """\b
Examples:
  perftkit suite lint my_suite.epd --verify 1000000
  perftkit suite stats perft_positions
  perftkit suite convert my_suite.epd --to community --output plain.epd
  perftkit suite fill my_suite.epd --depth 4 --output filled.epd
"""

LINT_EPILOG = """\b
Examples:
  perftkit suite lint my_suite.epd
  perftkit suite lint one.epd two.epd --verify 1000000

Exit status: 1 when a count can't be true, 2 when a row can't be read; warnings alone give 0.
"""

STATS_EPILOG = """\b
Examples:
  perftkit suite stats
  perftkit suite stats my_suite.epd
"""

CONVERT_EPILOG = """\b
Examples:
  perftkit suite convert my_suite.epd --to community
  perftkit suite convert one.epd two.epd --output all.epd

Comments of the files are not kept.
"""

FILL_EPILOG = """\b
Examples:
  perftkit suite fill my_suite.epd --output my_suite.epd
  perftkit suite fill fens.txt --depth 5 --max-nodes 1000000

Comments of the files are not kept. Exit status: 1 when a row's number differs from the count; the
row is then written as it was.
"""


class SuiteGroup(Group):
    """The commands about suites."""

    def meant(self, args: Sequence[str]) -> str | None:
        """Return the command for who types a suite alone."""
        from perftkit.cli.meant import about_suite

        return about_suite(args)


@click.group(
    cls=SuiteGroup,
    epilog=GROUP_EPILOG,
    short_help="Lint, describe, convert and fill suites.",
)
def command() -> None:
    """Check, describe, convert and fill suites of positions."""


suites_argument = click.argument("suites", metavar="SUITE...", nargs=-1, required=True)


@command.command(epilog=LINT_EPILOG, short_help="Find what is wrong with suites.")
@suites_argument
@option(
    "--verify",
    group=COUNTING,
    type=Number(min=1),
    metavar="N",
    help="Count again what gives at most N nodes.",
)
@chess960_option
@color_option
@click.pass_context
def lint(
    ctx: click.Context, suites: tuple[str, ...], verify: int | None, chess960: bool
) -> ExitStatus:
    """Find what is wrong with suites: malformed rows, duplicates, contradictions, wrong counts."""
    from perftkit.suite.builtin import resolve
    from perftkit.suite.lint import ERROR, WARNING, lint

    severities: Counter[str] = Counter()
    malformed = False
    with open_output(None) as stream, explained(suites):
        terminal = Terminal(stream, color=Settings.of(ctx).color)
        sources = [resolve(suite) for suite in suites]
        for finding in lint(sources, verify=verify, chess960=chess960):
            severities[finding.severity] += 1
            malformed = malformed or finding.code == "malformed"
            terminal.write((str(finding), "red" if finding.severity == ERROR else "yellow"))
        terminal.write(
            f"{plural(severities[ERROR], 'error')}, {plural(severities[WARNING], 'warning')}"
        )
    if malformed:
        return ExitStatus.BAD_INPUT
    return ExitStatus.DIFFERS if severities[ERROR] else ExitStatus.AGREED


@command.command(epilog=STATS_EPILOG, short_help="Describe what is in suites.")
@click.argument("suites", metavar="[SUITE]...", nargs=-1)
@chess960_option
@color_option
@click.pass_context
def stats(ctx: click.Context, suites: tuple[str, ...], chess960: bool) -> ExitStatus:
    """Describe what is in suites: positions, depths, nodes, counters."""
    from perftkit.report.stats import write_stats
    from perftkit.suite.builtin import DEFAULT
    from perftkit.suite.stats import statistics

    found = statistics(opened_suites(suites or (DEFAULT,), chess960=chess960))
    with open_output(None) as stream:
        write_stats(Terminal(stream, color=Settings.of(ctx).color), found)
    return ExitStatus.BAD_INPUT if found.problems else ExitStatus.AGREED


@command.command(epilog=CONVERT_EPILOG, short_help="Write suites of any form in one form.")
@suites_argument
@option(
    "--to",
    "style",
    group=RESULT,
    type=Choice(STYLES),
    default=STYLES[0],
    metavar="STYLE",
    help="perftkit, or community: FEN and counts only.",
)
@chess960_option
@output_option
@color_option
@click.pass_context
def convert(
    ctx: click.Context, suites: tuple[str, ...], style: str, chess960: bool, output: str | None
) -> ExitStatus:
    """Write suites of any form in one form."""
    items = opened_suites(suites, chess960=chess960)
    return _rewrite(ctx, suites, items, output, style, lambda row: row)


@command.command(epilog=FILL_EPILOG, short_help="Count what the rows do not give.")
@suites_argument
@option(
    "--depth",
    "-d",
    group=POSITIONS,
    type=DepthType(least=0),
    default=0,
    show_default=True,
    metavar="N",
    help="Add missing depths up to this one.",
)
@option(
    "--max-nodes",
    group=POSITIONS,
    type=Number(min=1),
    default=DEFAULT_MAX_NODES,
    show_default=True,
    metavar="N",
    help="Only depths of at most N.",
)
@chess960_option
@output_option
@color_option
@click.pass_context
def fill(
    ctx: click.Context,
    suites: tuple[str, ...],
    depth: int,
    max_nodes: int,
    chess960: bool,
    output: str | None,
) -> ExitStatus:
    """Count what the rows of suites do not give: counters, and depths up to --depth."""
    from perftkit.suite.fill import fill_row

    items = opened_suites(suites, chess960=chess960)

    def filled(row: SuiteRow) -> SuiteRow:
        return fill_row(row, max_depth=depth, max_nodes=max_nodes)

    return _rewrite(ctx, suites, items, output, STYLES[0], filled)


class _LeftAsItIsError(Exception):
    """What was written must not replace the file that it was made from."""


def _rewrite(
    ctx: click.Context,
    suites: Sequence[str],
    items: Iterator[SuiteRow | SuiteProblem],
    output: str | None,
    style: str,
    change: Callable[[SuiteRow], SuiteRow],
) -> ExitStatus:
    """Write each row after a change; what is wrong is said, and the other rows still written.

    A file is not replaced by what was made from it unless all of it was read.
    """
    errors = Messages(color=Settings.of(ctx).color)
    in_place = is_one_of(output, suites)
    status = ExitStatus.AGREED
    changed = _changed(items, change)
    with Interrupts() as interrupts:
        try:
            with open_output(output) as stream:
                try:
                    while (outcome := interrupts.next(changed)) is not None:
                        status = max(status, outcome.status)
                        if outcome.message:
                            errors.write(("error: ", "bold red"), outcome.message)
                        if outcome.row is not None:
                            stream.write(format_row(outcome.row, style) + "\n")
                except KeyboardInterrupt:
                    status = ExitStatus.INTERRUPTED
                    errors.write("interrupted")
                if in_place and status >= ExitStatus.BAD_INPUT:
                    raise _LeftAsItIsError
        except _LeftAsItIsError:
            errors.write(f"{output} was left as it is, since not all of it could be rewritten")
    return status


@dataclass(frozen=True, slots=True)
class _Changed:
    """A row to write, or what is wrong with one, or both."""

    row: SuiteRow | None
    status: ExitStatus = ExitStatus.AGREED
    message: str = ""


def _changed(
    items: Iterator[SuiteRow | SuiteProblem], change: Callable[[SuiteRow], SuiteRow]
) -> Iterator[_Changed]:
    from perftkit.suite.fill import FillError

    for item in items:
        if isinstance(item, SuiteProblem):
            yield _Changed(None, ExitStatus.BAD_INPUT, str(item))
            continue
        try:
            yield _Changed(change(item))
        except FillError as error:
            yield _Changed(item, ExitStatus.DIFFERS, str(error))
