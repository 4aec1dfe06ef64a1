"""Counting the rows that come next while the results of those before are waited for."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from perftkit.core.crew import Count, Crew
from perftkit.core.perft import WALKERS, PerftResult, agreed
from perftkit.core.position import Position
from perftkit.suite.model import SuiteProblem
from perftkit.verify.events import Advanced

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from collections.abc import Generator as Generation
    from types import TracebackType

    from perftkit.engines.builtin import BuiltinGenerator
    from perftkit.suite.model import SuiteRow
    from perftkit.suite.select import Case
    from perftkit.verify.events import Event

__all__ = ["Ahead"]

# Less is counted at its turn, before another thread has heard of it: leaves of the fast walker.
LEAST_COST = 100_000
# What is read ahead of the row that is reported, so that memory stays bounded.
MOST_ROWS = 512


@dataclass(slots=True)
class _Entry:
    """A row read ahead, with the counts that were started for it, by their depths."""

    item: SuiteRow | SuiteProblem
    started: dict[int, tuple[Case, Position, Count]] = field(default_factory=dict)


class Ahead:
    """Rows in their order, whose counts are begun on other threads before their turn comes.

    Small counts are left to whoever asks, at their turn. Large ones are cut and occupy all
    threads, one after the other.
    """

    def __init__(
        self,
        items: Iterable[SuiteRow | SuiteProblem],
        cases: Callable[[SuiteRow], Iterable[Case]],
        generator: BuiltinGenerator,
    ) -> None:
        """Begin nothing yet.

        Args:
            items: The rows, read as they are needed.
            cases: What of a row may be counted ahead of its turn.
            generator: Who counts, and on how many threads.
        """
        self._items = iter(items)
        self._cases = cases
        self._generator = generator
        self._walkers = WALKERS[generator.method]
        self._crew = Crew(generator.threads, generator.table)
        self._read: deque[_Entry] = deque()
        self._current: _Entry | None = None
        self._failure: Exception | None = None

    def __enter__(self) -> Ahead:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> None:
        self._crew.close()

    def __iter__(self) -> Iterator[SuiteRow | SuiteProblem]:
        """Yield the rows; the counts of a row are asked for before the next one is."""
        self._read_some()
        while self._read:
            self._current = self._read.popleft()
            yield self._current.item
            for _, _, count in self._current.started.values():
                self._crew.drop(count)
            self._current = None
            self._read_some()
        if self._failure is not None:
            raise self._failure

    def count(self, position: Position, case: Case) -> Generation[Event, None, PerftResult]:
        """Yield what happens until the result of a case of this row is there, and return it."""
        entry = self._current
        assert entry is not None
        if case.depth not in entry.started and not self._start(entry, position, case):
            return replace(self._generator, threads=1).count(position, case.depth)
        count = entry.started[case.depth][2]
        for nodes in count.advances():
            self._read_some()
            yield Advanced(nodes)
        del entry.started[case.depth]
        self._crew.drop(count)
        return _result(position, case, count)

    def finished(self) -> Iterator[tuple[Position, Case, PerftResult]]:
        """End all counts, and yield those that had been finished and not reported."""
        self._crew.close()
        entries = [self._current, *self._read] if self._current else self._read
        for entry in entries:
            for case, position, count in entry.started.values():
                if count.is_finished():
                    yield position, case, _result(position, case, count)

    def _read_some(self) -> None:
        while self._failure is None and (not self._read or self._may_read_more()):
            try:
                item = next(self._items, None)
            except Exception as error:
                # A file that breaks off: what was read before it comes first.
                self._failure = error
                return
            if item is None:
                return
            entry = _Entry(item)
            self._read.append(entry)
            if not isinstance(item, SuiteProblem):
                self._start_row(entry, item)

    def _may_read_more(self) -> bool:
        return self._crew.wants_more() and len(self._read) < MOST_ROWS

    def _start_row(self, entry: _Entry, row: SuiteRow) -> None:
        position = Position(row.fen, chess960=row.chess960)
        for case in self._cases(row):
            if case.depth not in entry.started:
                self._start(entry, position, case)

    def _start(self, entry: _Entry, position: Position, case: Case) -> bool:
        """Begin to count a case, unless it is small."""
        if case.depth == 0:
            return False  # no tree, which threads could share
        count = self._crew.start(position, case.depth, self._walkers, least=LEAST_COST)
        if count is None:
            return False
        entry.started[case.depth] = case, position, count
        return True


def _result(position: Position, case: Case, count: Count) -> PerftResult:
    total = agreed(position, case.depth, count.totals)
    return PerftResult(case.depth, total.nodes, total.counts, count.seconds)
