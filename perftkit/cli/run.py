"""`perftkit run`: count the positions of suites and compare."""

from __future__ import annotations

import time
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from perftkit import __version__
from perftkit.cli.forecast import noted
from perftkit.cli.help import COUNTING, ENGINE, POSITIONS, RESULT, Choice, Command, Number, option
from perftkit.cli.interrupts import Interrupts
from perftkit.cli.nothing import Skips, why_nothing
from perftkit.cli.options import (
    Settings,
    chess960_option,
    color_option,
    depth_option,
    duration,
    fen_of,
    format_option,
    hash_option,
    method_option,
    node_speed,
    output_option,
    position_of,
    table_of,
    threads_option,
    under_test,
)
from perftkit.cli.output import Messages, discard_stdout, is_piped
from perftkit.cli.reports import Outputs, Reports, destinations, report_option
from perftkit.cli.suites import opened_suites
from perftkit.core.perft import MAX_DEPTH
from perftkit.core.position import Position
from perftkit.engines.builtin import BuiltinGenerator
from perftkit.errors import PerftkitError
from perftkit.report import EngineInfo, RunInfo
from perftkit.report.formats import RUN_FORMATS
from perftkit.report.progress import ProgressBar
from perftkit.suite.builtin import BUILTIN, DEFAULT, resolve
from perftkit.suite.model import CONVENTIONS, PERFTKIT, SuiteRow
from perftkit.suite.sources import read_suites
from perftkit.verify.events import MISMATCH, Advanced, Outcome, Unreadable
from perftkit.verify.failures import failures
from perftkit.verify.runner import RunOptions, estimate, run
from perftkit.verify.verdict import ExitStatus, Tally, verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from perftkit.cli.options import EngineChoice
    from perftkit.cli.reports import Destination
    from perftkit.engines import PerftEngine
    from perftkit.report.console import Terminal
    from perftkit.suite.model import SuiteProblem
    from perftkit.verify.baseline import Comparer
    from perftkit.verify.choice import Pace
    from perftkit.verify.events import Event
    from perftkit.verify.explain import Cause, Explained

__all__ = ["command"]

LARGEST_READ_AHEAD = 4_000_000  # bytes of a suite that is read once more to know the time left
MOST_JOBS = 64
INTERRUPTED = "interrupted"
FAIL_FAST = "fail-fast"
EXPLAINING = ("html",)  # formats that are made of causes

EPILOG = f"""\b
SUITE is a file, - for standard input, or the name of a built-in suite:
  {", ".join([*BUILTIN][:3])},
  {", ".join([*BUILTIN][3:])}

\b
Examples:
  perftkit run
  perftkit run my_suite.epd --depth 6 --max-nodes 50000000
  perftkit run --id "*castling*" --fail-fast
  perftkit run --fen kiwipete --depth 5
  perftkit run --report junit=perft.xml --report json=perft.json
  perftkit run --engine stockfish
  perftkit run --engine "uci:./my-engine --uci" --jobs 2 --explain

SPEC is a command, which is probed, or uci:COMMAND, xboard:COMMAND, py:module:name,
'cmd:COMMAND {{depth}} {{fen}} {{moves}}', or a name that a file gives an engine. A row that is only
a FEN is counted at depths 1 to N; an engine's counts are then compared with perftkit's own.
"""


@click.command(
    cls=Command,
    epilog=EPILOG,
    short_help="Count suites of positions and compare; --engine: check an engine.",
)
@click.argument("suites", metavar="[SUITE]...", nargs=-1)
@depth_option("Count up to this depth in plies.")
@option("--fen", group=POSITIONS, metavar="FEN", help="This position instead of a suite.")
@option(
    "--max-nodes",
    group=POSITIONS,
    type=Number(min=1),
    metavar="N",
    help="Skip counts of more nodes than this.",
)
@option(
    "--id",
    group=POSITIONS,
    multiple=True,
    metavar="GLOB",
    help="Only rows whose id matches; repeatable.",
)
@option("--fail-fast", group=POSITIONS, is_flag=True, help="Stop after the first difference.")
@method_option
@threads_option
@hash_option
@option(
    "--convention",
    group=COUNTING,
    type=Choice(CONVENTIONS),
    default=PERFTKIT,
    metavar="NAME",
    help="perftkit; wiki: no mates among disc. and double.",
)
@chess960_option
@under_test
@option(
    "--jobs",
    group=ENGINE,
    type=Number(1, MOST_JOBS),
    default=1,
    show_default=True,
    metavar="N",
    help="How many of them answer at once.",
)
@option(
    "--budget",
    group=POSITIONS,
    callback=duration,
    metavar="TIME",
    help="Check what finds the most in this time, as 30s or 5m.",
)
@option(
    "--nps",
    group=POSITIONS,
    callback=node_speed,
    metavar="N",
    help="Nodes a second for --budget.  [default: 1M of an engine]",
)
@option(
    "--baseline",
    group=RESULT,
    metavar="FILE",
    help="Compare with an earlier --report json=FILE.",
)
@option(
    "--reference",
    group=ENGINE,
    is_flag=True,
    help="Count all rows by perftkit too.",
)
@option(
    "--explain/--no-explain",
    group=ENGINE,
    default=None,
    help="Find the broken rule; done for html by itself.",
)
@format_option(*RUN_FORMATS)
@output_option
@report_option(*RUN_FORMATS)
@color_option
@click.pass_context
def command(
    ctx: click.Context,
    suites: tuple[str, ...],
    depth: int,
    fen: str | None,
    max_nodes: int | None,
    id: tuple[str, ...],
    fail_fast: bool,
    method: str,
    threads: int,
    hash: int | None,
    convention: str,
    chess960: bool,
    engine: EngineChoice | None,
    jobs: int,
    budget: float | None,
    nps: int | None,
    baseline: str | None,
    reference: bool,
    explain: bool | None,
    format: str,
    output: str | None,
    report: tuple[Destination, ...],
) -> int:
    """Count the positions of suites, with the breakdown by kind of move, and compare.

    Without SUITE the built-in reference suite is checked. With --engine, that engine counts.
    """
    if engine is None:
        _refuse_without_engine(ctx)
    if nps is not None and budget is None:
        raise click.UsageError("--nps is what --budget reckons with: give both.")
    if budget is not None and ctx.get_parameter_source("depth") is ParameterSource.DEFAULT:
        depth = MAX_DEPTH  # the time decides
    places = destinations(format, output, report, suites, "the suite itself")
    if explain is None:
        explain = any(place.format in EXPLAINING for place in places)
    comparer = None if baseline is None else _comparer(baseline, engine)
    options = RunOptions(depth, max_nodes, id, fail_fast, convention)
    asked = _asked(ctx, suites, fen, chess960=chess960)
    color = Settings.of(ctx).color
    started = datetime.now(timezone.utc)
    info = RunInfo(__version__, asked.name, depth, method, convention, started=started)
    with ExitStack() as stack, Interrupts() as interrupts:
        subject: _Subject | None = None
        try:
            if engine is not None:
                # Until it is known how it is asked.
                info = replace(info, engine=EngineInfo(engine.spec, engine.spec, engine.words))
                subject = _subject(engine, stack, interrupts)
                info = replace(info, engine=subject.info)
            if budget is not None:
                pace = _pace(nps, method, subject)
                planned = _planned(asked, options, budget, pace, subject, chess960=chess960)
                asked, options = interrupts.next(planned) or (asked, options)
                info = replace(info, choice=options.choice)
        except KeyboardInterrupt:
            _interrupted_at_once(places, info, color)
            return interrupts.status
        table = table_of(hash, method) if subject is None else None
        errors = Messages(color=color)
        bar = None
        if errors.is_terminal and not is_piped(output):
            bar = _progress_bar(errors, asked.suites, options, chess960=chess960)
        player = _Player(errors, bar, interrupts, comparer, fail_fast=fail_fast)
        try:
            with Outputs(places) as outputs:
                reports = Reports(outputs, info, color=color)
                if subject is None:
                    generator = BuiltinGenerator(method, threads, table)
                    events = run(asked.items, options, generator)
                    is_unlimited = table is None and budget is None and max_nodes is None
                    if asked.position is not None and is_unlimited:
                        where = asked.position
                        events = noted(events, errors, where, depth, method=method, threads=threads)
                    player.play(events, reports)
                else:
                    from perftkit.verify.check import CheckOptions, check

                    checked = CheckOptions(options, reference, jobs)
                    events = check(asked.items, checked, subject.engine, subject.another)
                    explainer = _Explainer(subject.engine, budget) if explain else None
                    player.play(events, reports, explainer)
            for failure in outputs.failures:
                player.complain(failure, ExitStatus.BAD_INPUT)
        except BrokenPipeError:
            discard_stdout()
            return verdict(player.tally) if player.tally.rows else ExitStatus.AGREED
    if not (player.tally.rows or player.tally.unreadable or player.failure or player.interrupted):
        why = why_nothing(asked.suites, id, depth, chess960=chess960)
        errors.write(f"Error: nothing was checked: {why}")
    if player.tally.rows and not player.tally.checked and not player.interrupted:
        why = player.skips.why()
        if options.choice is not None and not options.choice.costs and player.skips.left_out:
            why = _too_short(options.choice.budget, options.choice.pace)
        player.complain(f"nothing was checked: {why}", ExitStatus.BAD_INPUT)
    if errors.is_terminal and asked.suites and player.uncompared == player.tally.rows > 0:
        errors.write(
            ("note: ", "bold yellow"),
            "no row gives a count, so nothing was compared; to write what was counted into a"
            " suite: perftkit suite fill SUITE --output FILE",
        )
    if player.interrupted:
        return interrupts.status
    return max(verdict(player.tally), player.failure)


def _too_short(budget: float, pace: Pace) -> str:
    return (
        f"the budget of {budget:g} s is too short for any row, at"
        f" {pace.nps:,} n/s and {pace.question:g} s a question"
    )


def _comparer(path: str, engine: EngineChoice | None) -> Comparer:
    from perftkit.verify.baseline import Comparer, read_baseline

    return Comparer(read_baseline(path), None if engine is None else engine.spec)


def _interrupted_at_once(places: Sequence[Destination], info: RunInfo, color: bool | None) -> None:
    """Report a run that Ctrl-C ended before anything was asked."""
    with Outputs(places) as outputs:
        reports = Reports(outputs, info, color=color)
        reports.begin()
        reports.end(Tally(), 0.0, INTERRUPTED)
    outputs.complain()


def _refuse_without_engine(ctx: click.Context) -> None:
    for name in ("jobs", "reference", "explain"):
        if ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            raise click.UsageError(f"--{name} is about an engine, which --engine has to name.")


@dataclass(frozen=True, slots=True)
class _Subject:
    """The engine under test.

    Attributes:
        engine: The first of them, which answered when it was asked what it can do.
        another: Opens one more.
        info: What reports say about it.
    """

    engine: PerftEngine
    another: Callable[[], PerftEngine]
    info: EngineInfo


def _subject(choice: EngineChoice, stack: ExitStack, interrupts: Interrupts) -> _Subject:
    from perftkit.cli.compare import opened

    engine = opened(choice, stack, interrupts)
    another = partial(choice.open, engine)
    return _Subject(engine, another, EngineInfo(choice.spec, engine.name, choice.words))


@dataclass(frozen=True, slots=True)
class _Asked:
    """What is to be checked.

    Attributes:
        name: What the suite is called in reports; None for a single position.
        suites: The words for the suites; none for a single position.
        items: Their rows.
        position: The single position.
    """

    name: str | None
    suites: tuple[str, ...]
    items: Iterator[SuiteRow | SuiteProblem]
    position: Position | None = None

    def twice(
        self, *, chess960: bool
    ) -> tuple[Iterator[SuiteRow | SuiteProblem], Iterator[SuiteRow | SuiteProblem]]:
        """Return the rows two times; they are kept where they can't be read again."""
        if self.suites and _are_files(self.suites):
            return self.items, read_suites(self.suites, chess960=chess960)
        rows = list(self.items)
        return iter(rows), iter(rows)


def _asked(
    ctx: click.Context, suites: tuple[str, ...], fen: str | None, *, chess960: bool
) -> _Asked:
    if fen is None:
        suites = suites or (DEFAULT,)
        name = ", ".join(Path(suite).name for suite in suites)
        return _Asked(name, suites, opened_suites(suites, chess960=chess960))
    # Suites of the configuration give way to a position of the command line.
    configured = ctx.get_parameter_source("suites") is ParameterSource.DEFAULT_MAP
    row = _row_of(fen, () if configured else suites, chess960=chess960)
    position = Position(row.fen, chess960=row.chess960)
    return _Asked(None, (), iter([row]), position)


def _planned(
    asked: _Asked,
    options: RunOptions,
    budget: float,
    pace: Pace,
    subject: _Subject | None,
    *,
    chess960: bool,
) -> Iterator[tuple[_Asked, RunOptions]]:
    """Yield, once, what is asked for when it has to fit into a time."""
    from perftkit.verify.check import reason_not_to_ask
    from perftkit.verify.choice import choose

    def is_spared(row: SuiteRow, position: Position) -> bool:
        if subject is None:
            return False
        return reason_not_to_ask(row, position, subject.engine, options.ids) is not None

    items, again = asked.twice(chess960=chess960)
    choice = choose(_as_far_as_readable(items), options, budget, pace, is_spared)
    yield replace(asked, items=again), replace(options, choice=choice)


def _as_far_as_readable(
    items: Iterator[SuiteRow | SuiteProblem],
) -> Iterator[SuiteRow | SuiteProblem]:
    """Yield what there is of a file that breaks off, which is said when it is read again."""
    with suppress(PerftkitError):
        yield from items


def _row_of(fen: str, more_words: Sequence[str], *, chess960: bool) -> SuiteRow:
    """Return the row for --fen, whose fields may have come as further words."""
    if more_words and more_words[0] not in ("w", "b"):
        raise click.UsageError(
            f"--fen and a suite ({more_words[0]}) can't both be given: leave one out, or quote the"
            " FEN"
        )
    words = [fen, *more_words]
    position_of(words, chess960=chess960)
    text = fen_of(words)
    return SuiteRow(
        id="fen" if text == " ".join(words) else fen.lower(),
        fen=" ".join(text.split()),
        chess960=True if chess960 else None,
        file="<fen>",
        line=1,
    )


def _are_files(suites: Sequence[str]) -> bool:
    """Whether suites can be read again: no pipe, no standard input."""
    return all(Path(resolve(name)).is_file() for name in suites)


def _pace(nps: int | None, method: str, subject: _Subject | None) -> Pace:
    from perftkit.verify.choice import ENGINE_PACE, OWN_PACES

    usual = ENGINE_PACE if subject is not None else OWN_PACES[method]
    return usual if nps is None else replace(usual, nps=nps)


def _progress_bar(
    terminal: Terminal, files: Sequence[str], options: RunOptions, *, chess960: bool
) -> ProgressBar:
    if not files or not _are_files(files):
        return ProgressBar(terminal)
    if sum(Path(resolve(name)).stat().st_size for name in files) > LARGEST_READ_AHEAD:
        return ProgressBar(terminal)
    work = estimate(read_suites(files, chess960=chess960), options)
    return ProgressBar(terminal, rows=work.rows, nodes=work.nodes)


class _Explainer:
    """Keeps what fails until the run is over, and then finds out why."""

    def __init__(self, engine: PerftEngine, budget: float | None) -> None:
        self._engine = engine
        self._deadline = None if budget is None else time.monotonic() + budget
        self._failed: list[tuple[SuiteRow, int]] = []
        self._explained: list[Explained] = []

    def take(self, event: Event) -> None:
        """Remember an outcome that differs."""
        if isinstance(event, Outcome) and event.status == MISMATCH and not event.healthy:
            self._failed.append((event.row, event.depth))

    @property
    def rows(self) -> int:
        """Return how many rows there are to explain."""
        return len(failures(self._failed))

    def explain(self) -> Iterator[Explained]:
        """Yield the failing rows as they are explained."""
        from perftkit.verify.explain import explain
        from perftkit.verify.walk import WalkLimits

        limits = WalkLimits(deadline=self._deadline)
        for found in explain(failures(self._failed), self._engine, limits):
            self._explained.append(found)
            yield found

    def causes(self) -> tuple[Cause, ...]:
        """Return what was found, grouped by rule."""
        from perftkit.verify.explain import causes

        return causes(self._explained)


class _Player:
    """Hands the events of a run to everybody who listens."""

    def __init__(
        self,
        errors: Terminal,
        bar: ProgressBar | None,
        interrupts: Interrupts,
        comparer: Comparer | None = None,
        *,
        fail_fast: bool,
    ) -> None:
        self.tally = Tally()
        self._errors = errors
        self._bar = bar
        self._interrupts = interrupts
        self._comparer = comparer
        self._fail_fast = fail_fast
        self._advanced = 0
        self.uncompared = 0
        self.skips = Skips()
        self.interrupted = False
        self.failure = ExitStatus.AGREED

    def play(
        self,
        events: Iterator[Event],
        reports: Reports,
        explainer: _Explainer | None = None,
    ) -> None:
        """Report all events, and the summary however they end."""
        start = time.perf_counter()
        reports.begin()
        complaint: PerftkitError | None = None
        try:
            while (event := self._interrupts.next(events)) is not None:
                self._tell(event, reports)
                if explainer is not None:
                    explainer.take(event)
            if explainer is not None:
                self._explain(explainer, reports)
        except KeyboardInterrupt:
            self.interrupted = True
        except PerftkitError as error:
            # A file that breaks off in the middle, say: what was found before it counts.
            complaint = error
        self._hide_bar()
        if self._comparer is not None:
            reports.compare(self._comparer.comparison())
        reports.end(self.tally, time.perf_counter() - start, self._stopped())
        if complaint is not None:
            self.complain(str(complaint), ExitStatus(complaint.exit_status))

    def complain(self, message: str, failure: ExitStatus) -> None:
        """Say what went wrong besides the events, and remember how bad that is."""
        self.failure = max(self.failure, failure)
        self._write_error(message)

    def _explain(self, explainer: _Explainer, reports: Reports) -> None:
        """Walk from each failing row, and report the causes however that ends."""
        self._hide_bar()
        bar = ProgressBar(self._errors, rows=explainer.rows, noun="rows explained")
        walks = explainer.explain()
        try:
            while self._interrupts.next(walks) is not None:
                if self._bar is not None:
                    bar.advance(rows=1)
        finally:
            bar.hide()
            reports.explain(explainer.causes())

    def _stopped(self) -> str | None:
        if self.interrupted:
            return INTERRUPTED
        failed = self.tally.mismatch or self.tally.failed
        return FAIL_FAST if self._fail_fast and failed else None

    def _tell(self, event: Event, reports: Reports) -> None:
        self.tally.add(event)
        self.skips.take(event)
        if isinstance(event, Outcome) and event.expected_nodes is None:
            self.uncompared += event.nodes is not None
        if self._comparer is not None:
            self._comparer.take(event)
        if isinstance(event, Unreadable):
            self._write_error(str(event.problem))
        elif isinstance(event, Outcome) and reports.on_terminal:
            self._hide_bar()
        reports.handle(event)
        if self._bar is not None:
            self._advance(self._bar, event)

    def _advance(self, bar: ProgressBar, event: Event) -> None:
        if isinstance(event, Advanced):
            self._advanced += event.nodes
            bar.advance(nodes=event.nodes)
        elif isinstance(event, Outcome) and event.nodes is not None:
            bar.advance(nodes=event.nodes - self._advanced, rows=1)
            self._advanced = 0

    def _write_error(self, message: str) -> None:
        self._hide_bar()
        self._errors.write(("error: ", "bold red"), message)

    def _hide_bar(self) -> None:
        if self._bar is not None:
            self._bar.hide()
