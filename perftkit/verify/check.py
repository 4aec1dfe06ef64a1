"""Asking an engine under test for the rows of a suite, as the same stream of events as a run."""

from __future__ import annotations

import threading
import time
from collections import deque
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, replace
from queue import SimpleQueue
from typing import TYPE_CHECKING

from perftkit.core.perft import perft
from perftkit.core.position import Position
from perftkit.engines import Question
from perftkit.errors import EngineError
from perftkit.suite.convention import comparable
from perftkit.suite.model import OPTIONAL, SuiteProblem
from perftkit.suite.select import over_limit
from perftkit.verify.choice import Timekeeper
from perftkit.verify.compare import differences
from perftkit.verify.events import ERROR, MISMATCH, OK, Outcome, Unreadable
from perftkit.verify.numbers import number_hints
from perftkit.verify.runner import selected, skipped

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from collections.abc import Generator as Generation

    from perftkit.engines import Answer, PerftEngine
    from perftkit.suite.model import SuiteRow
    from perftkit.suite.select import Case
    from perftkit.verify.events import Event
    from perftkit.verify.runner import RunOptions

__all__ = [
    "DEPTH_0",
    "UNKNOWN_CHESS960",
    "CheckOptions",
    "check",
    "check_case",
    "engine_failed",
    "reason_not_to_ask",
]

ROWS_AHEAD = 4  # that each engine may be ahead of the row that is shown
PATIENCE = 5.0  # seconds for a thread whose engine was closed to notice it
UNKNOWN_CHESS960 = "the engine does not know Chess960"
# Some count for ever.
DEPTH_0 = "no engine is asked for depth 0, where there is nothing to count"


@dataclass(frozen=True, slots=True)
class CheckOptions:
    """How an engine is checked.

    Attributes:
        run: What is checked.
        recount: Whether the reference counts every row, also those whose counts are given.
        jobs: How many engines answer at once.
        id_option: By what the user selects rows by id, for messages.
    """

    run: RunOptions
    recount: bool = False
    jobs: int = 1
    id_option: str = "--id"


def check(
    items: Iterable[SuiteRow | SuiteProblem],
    options: CheckOptions,
    engine: PerftEngine,
    another: Callable[[], PerftEngine] | None = None,
) -> Iterator[Event]:
    """Ask for what is selected and yield what happens, in the order of the suite.

    An engine that fails makes the row an error, and the run goes on. Engines that are opened here
    are closed here, however the iteration ends; `engine` is left to the caller, but where several
    answer at once it is closed when the iteration is broken off.

    Args:
        items: What `perftkit.suite.reader.read_suite` yields; they are read as they are needed.
        options: What is checked, and how.
        engine: Who is asked first.
        another: Opens one more of the same, for several jobs.

    Raises:
        KeyboardInterrupt: Ctrl-C.
    """
    choice = options.run.choice
    clock = None if choice is None else Timekeeper(choice)
    rows: Generation[Iterable[Event], None, None]
    if options.jobs > 1 and another is not None:
        rows = _together(items, options, clock, engine, another)
    else:
        checker = _Checker(options, clock, engine)
        rows = (_unreadable(item) or checker.row(item) for item in items)
    try:
        for events in rows:
            for event in events:
                yield event
                failed = isinstance(event, Outcome) and event.status in (MISMATCH, ERROR)
                if options.run.fail_fast and failed:
                    return
    finally:
        rows.close()


def check_case(case: Case, options: CheckOptions, engine: PerftEngine) -> Outcome:
    """Ask for one depth of one row, and return what `check` would say about it.

    The selection is the caller's: depths and ids are not looked at again. An engine that fails
    makes the outcome an error.

    Args:
        case: What is asked.
        options: How it is checked.
        engine: Who is asked; left open.

    Raises:
        KeyboardInterrupt: Ctrl-C.
    """
    position = Position(case.row.fen, chess960=case.row.chess960)
    return _Checker(options, None, engine).case(position, case)


def engine_failed(depth: int) -> str:
    """Return why a row is not asked at the depths below one that the engine failed at."""
    return f"the engine failed at depth {depth}"


def _unreadable(item: SuiteRow | SuiteProblem) -> list[Event] | None:
    return [Unreadable(item)] if isinstance(item, SuiteProblem) else None


class _Checker:
    """Asks one engine for rows."""

    def __init__(
        self, options: CheckOptions, clock: Timekeeper | None, engine: PerftEngine
    ) -> None:
        self._options = options
        self._clock = clock
        self.engine = engine
        self.stopped = False

    def row(self, item: SuiteRow | SuiteProblem) -> Iterator[Event]:
        """Yield an outcome for each depth of a row."""
        if isinstance(item, SuiteProblem):
            return
        run = self._options.run
        position = Position(item.fen, chess960=item.chess960)
        given_up: str | None = None
        for case in selected(item, run):
            outcome = self.case(position, case, given_up)
            if outcome.status == ERROR:
                given_up = engine_failed(case.depth)
            yield outcome

    def case(self, position: Position, case: Case, given_up: str | None = None) -> Outcome:
        """Return the outcome of one depth of a row, which is not asked if it was given up."""
        options = self._options
        try:
            spared = given_up or reason_not_to_ask(
                case.row, position, self.engine, options.run.ids, options.id_option
            )
        except EngineError as error:  # asked what it can do
            return replace(skipped(case, str(error)), status=ERROR)
        if spared is not None and (case.skipped is None or case.is_left_out):
            return skipped(replace(case, is_left_out=False), spared)
        if case.skipped is not None:
            return skipped(case, case.skipped)
        if case.depth == 0:
            return skipped(replace(case, is_left_out=False), DEPTH_0)
        if self._clock is not None:
            self._clock.begin()
            if late := self._clock.reason_to_skip(case.row, case.depth):
                return skipped(replace(case, is_left_out=True), late)
        return self._counted(position, case)

    def _counted(self, position: Position, case: Case) -> Outcome:
        expected, disputed = self._expected(position, case)
        limit = self._options.run.max_nodes
        if limit is not None and expected > limit:
            return skipped(case, over_limit(expected, limit))
        try:
            return self._ask(position, case, expected, disputed)
        finally:
            if self._clock is not None:
                self._clock.finished(case.row, case.depth)

    def _expected(self, position: Position, case: Case) -> tuple[int, int | None]:
        """Return the right leaves, and those of the reference where they are not the row's."""
        if case.expected is not None and not self._options.recount:
            return case.expected.nodes, None
        counted = perft(position, case.depth, breakdown=False).nodes
        if case.expected is None or case.expected.nodes == counted:
            return counted, None
        return case.expected.nodes, counted

    def _ask(self, position: Position, case: Case, expected: int, disputed: int | None) -> Outcome:
        question = Question(position.fen(), case.depth, (), position.chess960)
        start = time.perf_counter()
        try:
            if self.stopped:
                raise EngineError("the run was stopped")
            answer = self.engine.ask(question)
        except EngineError as error:
            seconds = time.perf_counter() - start
            failed = replace(skipped(case, str(error)), status=ERROR, seconds=seconds)
            return replace(failed, expected_nodes=expected, disputed=disputed)
        return self._outcome(position, case, answer, expected, disputed)

    def _outcome(
        self,
        position: Position,
        case: Case,
        answer: Answer,
        expected: int,
        disputed: int | None,
    ) -> Outcome:
        given = case.expected.counts if case.expected else {}
        expected_counts, _ = comparable(
            given, {}, row_convention=case.row.convention, asked=self._options.run.convention
        )
        wrong = answer.nodes != expected or (answer.total or expected) != expected
        outcome = Outcome(
            case.row,
            case.depth,
            MISMATCH if wrong or disputed is not None else OK,
            nodes=answer.nodes,
            expected_nodes=expected,
            counts=dict(answer.counts),
            expected_counts=expected_counts,
            seconds=answer.seconds,
            remarks=(*answer.remarks, *_counter_remarks(expected_counts, answer.counts)),
            disputed=disputed,
        )
        return self._judged(position, outcome, answer) if wrong else outcome

    def _judged(self, position: Position, outcome: Outcome, answer: Answer) -> Outcome:
        """Return the outcome of a wrong answer with what the numbers say."""
        expected = outcome.expected_nodes or 0
        got = answer.nodes if answer.nodes != expected else answer.total or 0
        reference = perft(position, outcome.depth)
        disputed = reference.nodes if reference.nodes != expected else None
        found = differences(expected, got, {}, {})
        if disputed is not None:
            return replace(outcome, differences=found, disputed=disputed)
        words = number_hints(position, reference, got, answer.counts)
        return replace(outcome, differences=found, hints=words)


def reason_not_to_ask(
    row: SuiteRow,
    position: Position,
    engine: PerftEngine,
    ids: Sequence[str],
    id_option: str = "--id",
) -> str | None:
    """Return why an engine is spared a row; None when it is asked.

    Args:
        row: The row.
        position: That of the row.
        engine: Who would be asked.
        ids: The patterns by which rows are asked for; one that no engine has to know needs some.
        id_option: By what the user gives them, for messages.
    """
    if position.chess960 and engine.abilities.chess960 is False:
        return UNKNOWN_CHESS960
    reason = row.notes.get(OPTIONAL)
    return None if reason is None or ids else f"{reason}; {id_option} {row.id} asks for it"


def _counter_remarks(expected: Mapping[str, int], counts: Mapping[str, int]) -> Iterator[str]:
    """Say which counters of an engine are not those of the row; only nodes decide."""
    for name, value in counts.items():
        if name in expected and value != expected[name]:
            yield f"{name}: the engine prints {value}, the row has {expected[name]}"


# Several engines at once.


def _together(
    items: Iterable[SuiteRow | SuiteProblem],
    options: CheckOptions,
    clock: Timekeeper | None,
    engine: PerftEngine,
    another: Callable[[], PerftEngine],
) -> Generation[Iterable[Event], None, None]:
    """Yield the events of each row in the order of the suite, however the answers come."""
    crew = _Crew(options, clock, engine, another)
    waiting: deque[Future[list[Event]]] = deque()
    try:
        for item in items:
            waiting.append(crew.give(item))
            most = options.jobs * ROWS_AHEAD
            while waiting and (len(waiting) > most or waiting[0].done()):
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
        crew.dismiss()
    except BaseException:
        crew.dismiss(at_once=True)
        raise


class _Crew:
    """Threads that each ask an engine of their own."""

    def __init__(
        self,
        options: CheckOptions,
        clock: Timekeeper | None,
        engine: PerftEngine,
        another: Callable[[], PerftEngine],
    ) -> None:
        self._options = options
        self._clock = clock
        self._another = another
        self._first: PerftEngine | None = engine
        self._tasks: SimpleQueue[tuple[SuiteRow, Future[list[Event]]] | None] = SimpleQueue()
        self._checkers: list[_Checker] = []
        self._own: list[PerftEngine] = []
        self._threads: list[threading.Thread] = []
        self._stopped = False
        self._lock = threading.Lock()

    def give(self, item: SuiteRow | SuiteProblem) -> Future[list[Event]]:
        """Return what will be the events of a row."""
        promise: Future[list[Event]] = Future()
        if isinstance(item, SuiteProblem):
            promise.set_result([Unreadable(item)])
            return promise
        if len(self._threads) < self._options.jobs:
            thread = threading.Thread(target=self._work, daemon=True)
            self._threads.append(thread)
            thread.start()
        self._tasks.put((item, promise))
        return promise

    def dismiss(self, *, at_once: bool = False) -> None:
        """End the threads and close the engines; at once, while they still wait for answers."""
        with self._lock:
            self._stopped = at_once
            for checker in self._checkers:
                checker.stopped = checker.stopped or at_once
        for _ in self._threads:
            self._tasks.put(None)
        if at_once:
            self._close(checker.engine for checker in self._checkers)
        deadline = time.monotonic() + PATIENCE
        for thread in self._threads:
            thread.join(max(deadline - time.monotonic(), 0) if at_once else None)
        self._close(self._own)

    def _close(self, engines: Iterable[PerftEngine]) -> None:
        for engine in list(engines):
            with suppress(EngineError):
                engine.close()

    def _work(self) -> None:
        checker: _Checker | None = None
        while (task := self._tasks.get()) is not None:
            row, promise = task
            try:
                if self._stopped:
                    raise EngineError("the run was stopped")
                checker = checker or self._checker()
                promise.set_result(list(checker.row(row)))
            except BaseException as error:
                promise.set_exception(error)

    def _checker(self) -> _Checker:
        with self._lock:
            engine, self._first = self._first, None
        if engine is None:
            engine = self._another()
            self._own.append(engine)
        with self._lock:
            checker = _Checker(self._options, self._clock, engine)
            checker.stopped = self._stopped
            self._checkers.append(checker)
        return checker
