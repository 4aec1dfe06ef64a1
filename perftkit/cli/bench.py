"""`perftkit bench`: how fast the walkers are on this machine."""

from __future__ import annotations

import os
from contextlib import ExitStack
from typing import TYPE_CHECKING, Protocol, TypeVar

import click

from perftkit import __version__
from perftkit.bench.clocks import CLOCKS, CPU, WALL, can_time_engines
from perftkit.bench.contestants import (
    METHODS,
    STRICT,
    builtin_contestants,
    engine_contestant,
)
from perftkit.bench.cycles import open_cycle_counter
from perftkit.bench.hashed import HashResults, HashSample, hash_contestants, measure_hash
from perftkit.bench.machine import this_machine
from perftkit.bench.measure import Sample, measure
from perftkit.bench.positions import POSITION_NAMES, bench_positions, hash_bench_positions
from perftkit.bench.results import Results
from perftkit.cli.help import COUNTING, POSITIONS, RESULT, RIVALS, Choice, Command, Number, option
from perftkit.cli.interrupts import Interrupts
from perftkit.cli.options import (
    LONGEST_SHOWN,
    SHORT_NUMBER,
    Settings,
    color_option,
    format_option,
    output_option,
)
from perftkit.cli.output import Messages, is_piped, open_output
from perftkit.core.crew import MOST_THREADS
from perftkit.core.kernel import KERNELS, VARIABLE, kernel_name
from perftkit.core.table import HashTable
from perftkit.errors import EngineError, HashTableError
from perftkit.report.bench import verdict_lines, write_json, write_table
from perftkit.report.bench_hash import hash_verdict_lines, write_hash_json, write_hash_table
from perftkit.report.console import Terminal
from perftkit.report.progress import ProgressBar
from perftkit.report.text import shortened
from perftkit.verify.verdict import ExitStatus

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from perftkit.bench.contestants import Contestant
    from perftkit.bench.cycles import CycleCounter

__all__ = ["command"]

RUNS, FEW_RUNS, MOST_RUNS = 5, 3, 1000
LEAST_SECONDS, QUICK_LEAST_SECONDS = 0.05, 0.01  # of a sample
TIMEOUT = 300.0  # seconds

EPILOG = """\b
Examples:
  perftkit bench --quick
  perftkit bench --against stockfish
  perftkit bench --position kiwipete --method nodes --runs 15
  perftkit bench --threads 1,2 --kernel baseline
  perftkit bench --hash 1024
  perftkit bench --hash 64 --position start --method nodes --threads 1,2
  perftkit bench --format json --output result.json

\b
Without names all positions, methods and kernels are measured. Methods: nodes
is the fast walker counting leaves only, fast the same with every counter,
strict the textbook's walker. Every count is compared with the published one;
status 1 if one differs, 3 if an engine fails.

\b
With --hash: the start position to depth 7 and Kiwipete to 6, others when
--position names them, with each scheme of replacement side by side.
"""


Took = TypeVar("Took", contravariant=True)


class _Collector(Protocol[Took]):
    """Takes in what a measurement yields."""

    def add(self, event: Took) -> None: ...


def _numbers_of_threads(_: click.Context, __: click.Parameter, value: str) -> tuple[int, ...]:
    """Return the numbers between the commas, or say which ones there are."""
    numbers = []
    for word in map(str.strip, value.split(",")):
        if not SHORT_NUMBER.fullmatch(word) or not 1 <= int(word) <= MOST_THREADS:
            shown = shortened(word, LONGEST_SHOWN, "...")
            raise click.BadParameter(f"{shown!r} is no number from 1 to {MOST_THREADS}.")
        numbers.append(int(word))
    return tuple(numbers)


@click.command(cls=Command, epilog=EPILOG, short_help="Measure how fast leaves are counted here.")
@option(
    "--runs",
    group=COUNTING,
    type=Number(1, MOST_RUNS),
    metavar="N",
    help=f"How often each is measured.  [default: {RUNS} or {FEW_RUNS}]",
)
@option("--quick", group=POSITIONS, is_flag=True, help="Count one ply less, for a first look.")
@option(
    "--position",
    "names",
    group=POSITIONS,
    metavar="NAME",
    type=Choice(POSITION_NAMES),
    multiple=True,
    help="start, kiwipete, position-3 to -6; repeatable.",
)
@option(
    "--method",
    "methods",
    group=COUNTING,
    metavar="NAME",
    type=Choice(tuple(METHODS)),
    multiple=True,
    help="nodes, fast or strict; repeatable.",
)
@option(
    "--kernel",
    "kernels",
    group=COUNTING,
    metavar="NAME",
    type=Choice(KERNELS),
    multiple=True,
    help=f"{' or '.join(KERNELS)}; repeatable.",
)
@option(
    "--threads",
    group=COUNTING,
    default="1",
    callback=_numbers_of_threads,
    show_default=True,
    metavar="N,...",
    help="On how many, as 1 or 1,2,4.",
)
@option(
    "--hash",
    group=COUNTING,
    type=Number(min=1),
    metavar="MB",
    help="Measure hash tables of this size instead.",
)
@option(
    "--against",
    group=RIVALS,
    multiple=True,
    metavar="CMD",
    help="Let another engine count as well; repeatable.",
)
@option(
    "--timeout",
    group=RIVALS,
    type=click.FloatRange(0, min_open=True),
    default=TIMEOUT,
    metavar="SECONDS",
    help=f"How long a count may take.  [default: {TIMEOUT:g}]",
)
@option(
    "--clock",
    group=COUNTING,
    type=Choice(CLOCKS),
    default=CLOCKS[0],
    metavar="CLOCK",
    help="wall, or cpu: the processor's time.",
)
@format_option("table", "json")
@option("--json", "as_json", group=RESULT, is_flag=True, help="Short for --format json.")
@output_option
@color_option
@click.pass_context
def command(
    ctx: click.Context,
    runs: int | None,
    quick: bool,
    names: tuple[str, ...],
    methods: tuple[str, ...],
    kernels: tuple[str, ...],
    threads: tuple[int, ...],
    hash: int | None,
    against: tuple[str, ...],
    timeout: float,
    clock: str,
    format: str,
    as_json: bool,
    output: str | None,
) -> int:
    """Measure how fast leaves are counted here, on the usual six positions."""
    if clock == CPU and against and not can_time_engines():
        ctx.fail("the processor's time of an engine can't be read here: leave out --clock cpu")
    if clock == CPU and max(threads) > 1:
        ctx.fail("on several threads the processor's time says nothing: leave out --clock cpu")
    as_json = as_json or format == "json"
    if hash is not None:
        _refuse_with_hash(methods, against)
        hash_results = HashResults(
            hash_bench_positions(names, quick=quick),
            hash_contestants(methods, kernels or (kernel_name(),), threads),
            hash,
            runs or FEW_RUNS,
            clock,
        )
        return _measure_hash(ctx, hash_results, as_json=as_json, output=output)
    machine = this_machine()
    positions = bench_positions(names, quick=quick)
    with ExitStack() as stack:
        rivals = [_rival(spec, timeout, stack) for spec in dict.fromkeys(against)]
        interrupts = stack.enter_context(Interrupts())
        walkers = builtin_contestants(methods, kernels or _asked_kernels(), threads)
        contestants = [*rivals, *walkers]
        cycles = open_cycle_counter(time_stamps=clock == WALL)
        if cycles is not None:
            stack.callback(cycles.close)
        stream = stack.enter_context(open_output(output))
        runs = runs or (FEW_RUNS if quick else RUNS)
        results = Results(positions, contestants, runs, clock)
        least = QUICK_LEAST_SECONDS if quick else LEAST_SECONDS
        events = measure(
            positions, contestants, runs=runs, least_seconds=least, clock=clock, cycles=cycles
        )
        color = Settings.of(ctx).color
        results.interrupted = _collect(results, events, interrupts, _bar(results, output, color))
        source = _source(cycles)
        if as_json:
            write_json(stream, __version__, machine, results, source)
        else:
            write_table(Terminal(stream, color=color), __version__, machine, results, source)
    for text in verdict_lines(results):
        click.echo(text, err=True)
    return _status(results)


def _refuse_with_hash(methods: Sequence[str], against: Sequence[str]) -> None:
    if STRICT in methods:
        raise click.UsageError("--method strict uses no hash table: leave --hash out.")
    if against:
        raise click.UsageError("--hash measures no other engines: leave --against out.")


def _measure_hash(
    ctx: click.Context, results: HashResults, *, as_json: bool, output: str | None
) -> int:
    """Measure the schemes of a hash table, report, and return the exit status."""
    machine = this_machine()
    HashTable(results.megabytes)  # more than there is shall be refused before anything is counted
    color = Settings.of(ctx).color
    with Interrupts() as interrupts, open_output(output) as stream:
        events = measure_hash(
            results.positions,
            results.contestants,
            megabytes=results.megabytes,
            runs=results.runs,
        )
        bar = _bar(results, output, color)
        try:
            results.interrupted = _collect(results, events, interrupts, bar)
        except HashTableError as error:
            # Another program took the memory meanwhile: what was measured before is worth as much.
            results.failure = str(error)
        if as_json:
            write_hash_json(stream, __version__, machine, results)
        else:
            write_hash_table(Terminal(stream, color=color), __version__, machine, results)
    for text in hash_verdict_lines(results):
        click.echo(text, err=True)
    return _hash_status(results)


def _asked_kernels() -> Sequence[str]:
    """Return the kernel that the environment asks for, if it asks for one."""
    return (kernel_name(),) if os.environ.get(VARIABLE) else ()


def _rival(spec: str, timeout: float, stack: ExitStack) -> Contestant:
    from perftkit.bench.engine import open_engine

    engine = open_engine(spec, timeout)
    stack.callback(engine.close)
    return engine_contestant(spec, engine)


def _bar(
    results: Results | HashResults, output: str | None, color: bool | None
) -> ProgressBar | None:
    errors = Messages(color=color)
    if not errors.is_terminal or is_piped(output):
        return None
    samples = results.runs * len(results.positions) * len(results.contestants)
    return ProgressBar(errors, rows=samples, noun="samples")


def _collect(
    results: _Collector[Took],
    events: Iterator[Took],
    interrupts: Interrupts,
    bar: ProgressBar | None,
) -> bool:
    """Take in all events, and say whether Ctrl-C came before the last one."""
    interrupted = False
    try:
        while (event := interrupts.next(events)) is not None:
            results.add(event)
            if bar is not None and isinstance(event, (Sample, HashSample)):
                bar.advance(nodes=event.position.task.nodes, rows=1)
    except KeyboardInterrupt:
        interrupted = True
    finally:
        if bar is not None:
            bar.hide()
    return interrupted


def _source(cycles: CycleCounter | None) -> str | None:
    return None if cycles is None else cycles.source


def _status(results: Results) -> int:
    if results.interrupted:
        return ExitStatus.INTERRUPTED
    if results.failed:
        return EngineError.exit_status
    return ExitStatus.DIFFERS if results.wrong else ExitStatus.AGREED


def _hash_status(results: HashResults) -> int:
    if results.interrupted:
        return ExitStatus.INTERRUPTED
    if results.failure is not None:
        return HashTableError.exit_status
    return ExitStatus.DIFFERS if results.wrong else ExitStatus.AGREED
