"""Counting the rows of a suite and comparing them, as a stream of events."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from perftkit.core.counts import COUNTERS
from perftkit.core.perft import PerftResult
from perftkit.core.position import Position
from perftkit.engines.builtin import BuiltinGenerator
from perftkit.suite.convention import comparable
from perftkit.suite.model import PERFTKIT, SuiteProblem
from perftkit.suite.select import Case, cases, matches
from perftkit.verify.compare import differences
from perftkit.verify.events import MISMATCH, OK, SKIPPED, Advanced, Outcome, Unreadable
from perftkit.verify.hints import finished_games, hints
from perftkit.verify.parallel import Ahead

if TYPE_CHECKING:
    from collections.abc import Generator as Generation
    from collections.abc import Iterable, Iterator

    from perftkit.engines import Generator
    from perftkit.suite.model import SuiteRow
    from perftkit.verify.choice import Choice
    from perftkit.verify.events import Event

__all__ = ["RunOptions", "Work", "estimate", "run", "run_case", "selected", "skipped"]

# A longer count is asked for move by move, so that listeners see it advance.
MOST_NODES_AT_ONCE = 5_000_000
MOST_DEPTH_AT_ONCE = 4  # for a row without expected counts
MOST_NODES_LOOKED_AT = 20_000  # one ply earlier, for games that are over; many rows may be wrong


@dataclass(frozen=True, slots=True)
class RunOptions:
    """What is checked.

    Attributes:
        depth: Deeper expectations are not selected; rows without any are counted from 1 to here.
        max_nodes: Depths that expect more leaves are skipped; None for no limit.
        ids: Shell patterns of which a row's id must match one; empty for every row.
        fail_fast: Whether to stop after the first difference.
        convention: The convention that is compared in, where the row leaves a choice.
        choice: What of all this a limited time is spent on; None for all of it.
    """

    depth: int
    max_nodes: int | None = None
    ids: tuple[str, ...] = ()
    fail_fast: bool = False
    convention: str = PERFTKIT
    choice: Choice | None = None


@dataclass(frozen=True, slots=True)
class Work:
    """How much there is to do.

    Attributes:
        rows: Depths of rows that are selected and not skipped.
        nodes: Their leaves; None when some are not known before.
    """

    rows: int
    nodes: int | None


def estimate(items: Iterable[SuiteRow | SuiteProblem], options: RunOptions) -> Work:
    """Return how much `run` would have to do."""
    rows, nodes, known = 0, 0, True
    for item in items:
        if isinstance(item, SuiteProblem):
            continue
        for case in selected(item, options):
            if case.skipped is None:
                rows += 1
                nodes += case.expected.nodes if case.expected else 0
                known = known and case.expected is not None
    return Work(rows, nodes if known else None)


def run(
    items: Iterable[SuiteRow | SuiteProblem], options: RunOptions, generator: Generator
) -> Iterator[Event]:
    """Count what is selected and yield what happens; the outcomes of a row follow each other.

    The built-in generator on several threads counts rows ahead of their turn; what happens is the
    same, in the same order.

    Args:
        items: What `perftkit.suite.reader.read_suite` yields; they are read as they are needed.
        options: What is checked.
        generator: Who counts.

    Raises:
        KeyboardInterrupt: Ctrl-C during a count, after what was finished until then.
    """
    if not isinstance(generator, BuiltinGenerator) or generator.threads == 1:
        yield from _run(items, options, generator)
        return
    may_start = partial(_known_before, options=options)
    with Ahead(items, may_start, generator) as ahead:
        try:
            yield from _run(ahead, options, generator, ahead)
        except KeyboardInterrupt:
            for position, case, result in ahead.finished():
                yield _outcome(position, case, result, options)
            raise


def run_case(case: Case, options: RunOptions, generator: Generator) -> Outcome:
    """Count one depth of one row, and return what `run` would say about it.

    The selection is the caller's: depths and ids are not looked at again.

    Raises:
        KeyboardInterrupt: Ctrl-C.
    """
    if case.skipped is not None:
        return skipped(case, case.skipped)
    position = Position(case.row.fen, chess960=case.row.chess960)
    return _outcome(position, case, generator.count(position, case.depth), options)


def _run(
    items: Iterable[SuiteRow | SuiteProblem],
    options: RunOptions,
    generator: Generator,
    ahead: Ahead | None = None,
) -> Iterator[Event]:
    for item in items:
        if isinstance(item, SuiteProblem):
            yield Unreadable(item)
            continue
        for event in _run_row(item, options, generator, ahead):
            yield event
            if options.fail_fast and isinstance(event, Outcome) and event.status == MISMATCH:
                return


def selected(row: SuiteRow, options: RunOptions) -> Iterator[Case]:
    """Yield the depths of a row that are asked for; those that are not counted say why."""
    if not matches(row, options.ids):
        return
    for case in cases(row, max_depth=options.depth, max_nodes=options.max_nodes):
        reason = None
        if options.choice is not None and case.skipped is None:
            reason = options.choice.reason_to_leave_out(row, case.depth)
        yield case if reason is None else replace(case, skipped=reason, is_left_out=True)
        if reason is not None and case.expected is None:
            return  # there is no end to its depths


def _known_before(row: SuiteRow, options: RunOptions) -> Iterator[Case]:
    """Yield the cases that are counted whatever the others of the row come to."""
    for case in selected(row, options):
        if case.skipped is None and (case.expected is not None or options.max_nodes is None):
            yield case


def _run_row(
    row: SuiteRow, options: RunOptions, generator: Generator, ahead: Ahead | None
) -> Iterator[Event]:
    position = Position(row.fen, chess960=row.chess960)
    too_many: str | None = None
    for case in selected(row, options):
        reason = case.skipped or too_many
        if reason is not None:
            yield skipped(case, reason)
            continue
        result = yield from _count(position, case, generator, ahead)
        yield _outcome(position, case, result, options)
        if options.max_nodes is not None and result.nodes > options.max_nodes:
            # Only a row without expected counts comes here, or one whose expected count is wrong.
            too_many = f"depth {case.depth} has {result.nodes} nodes, over {options.max_nodes}"


def _count(
    position: Position, case: Case, generator: Generator, ahead: Ahead | None
) -> Generation[Event, None, PerftResult]:
    if ahead is not None:
        return (yield from ahead.count(position, case))
    if not _is_long(case):
        return generator.count(position, case.depth)
    nodes, seconds = 0, 0.0
    counts = Counter(dict.fromkeys(COUNTERS, 0))
    for _, part in generator.children(position, case.depth):
        nodes += part.nodes
        seconds += part.seconds
        counts.update(part.counts)
        yield Advanced(part.nodes)
    return PerftResult(case.depth, nodes, dict(counts), seconds)


def _is_long(case: Case) -> bool:
    if case.expected is None:
        return case.depth > MOST_DEPTH_AT_ONCE
    return case.depth > 1 and case.expected.nodes > MOST_NODES_AT_ONCE


def skipped(case: Case, reason: str) -> Outcome:
    """Return the outcome of a case that is not counted."""
    expected = case.expected
    return Outcome(
        case.row,
        case.depth,
        SKIPPED,
        expected_nodes=expected.nodes if expected else None,
        expected_counts=expected.counts if expected else {},
        reason=reason,
        is_left_out=case.is_left_out,
    )


def _outcome(position: Position, case: Case, result: PerftResult, options: RunOptions) -> Outcome:
    given = case.expected.counts if case.expected else {}
    expected_counts, counts = comparable(
        given, result.counts, row_convention=case.row.convention, asked=options.convention
    )
    outcome = Outcome(
        case.row,
        case.depth,
        OK,
        nodes=result.nodes,
        counts=counts,
        expected_counts=expected_counts,
        seconds=result.seconds,
    )
    if case.expected is None:
        return outcome
    outcome = replace(outcome, expected_nodes=case.expected.nodes)
    found = differences(case.expected.nodes, result.nodes, expected_counts, counts)
    if not found:
        return outcome
    finished = finished_games(position, case.depth, largest=MOST_NODES_LOOKED_AT)
    words = hints(case.expected.nodes, result.nodes, expected_counts, counts, finished=finished)
    return replace(outcome, status=MISMATCH, differences=found, hints=words)
