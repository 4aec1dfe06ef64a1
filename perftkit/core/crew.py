"""Counting on several threads.

The walkers run without the interpreter's lock. The threads take parts of trees from one queue, in
the order in which counts were started; sums are made of what they hand back, so no count depends on
how many threads there are or which of them is faster.
"""

from __future__ import annotations

import os
import time
from queue import Empty, SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING

from perftkit.core.cutting import Part, cut, estimate
from perftkit.core.exact import FAST, STRICT, Total, count_exactly
from perftkit.core.signals import StopFlag, StoppedError
from perftkit.errors import ThreadError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from perftkit.core.position import Position
    from perftkit.core.table import HashTable

__all__ = ["MOST_THREADS", "Count", "Crew", "available_threads", "cost", "thread_number"]

MOST_THREADS = 1024
# So many that the last part to end leaves no other thread idle for long.
PARTS_PER_THREAD = 32
# In leaves that the fast walker counts: a part smaller than this gains nothing by being cut.
LEAST_PART = 2_000_000
# How much longer than the fast walker's a leaf takes.
_WEIGHTS = {FAST: 1, STRICT: 6}
# A lock that is waited for without end can't be interrupted on every system.
_LOOK_UP_AFTER = 0.1  # seconds


def available_threads() -> int:
    """Return how many threads this process may run at once."""
    if hasattr(os, "process_cpu_count"):
        return os.process_cpu_count() or 1
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0)) or 1
    return os.cpu_count() or 1


def thread_number(threads: int | None) -> int:
    """Return how many threads are meant: None and 0 are all that the process may use.

    Raises:
        ValueError: It is no such number.
    """
    if threads is None:
        return available_threads()
    if isinstance(threads, bool) or not isinstance(threads, int):
        raise ValueError(f"threads is a number from 0 to {MOST_THREADS}, not {threads!r}")
    if not 0 <= threads <= MOST_THREADS:
        raise ValueError(f"threads is a number from 0 to {MOST_THREADS}, not {threads}")
    return threads or available_threads()


def cost(position: Position, depth: int, walkers: Sequence[str]) -> float:
    """Return about how long a count takes, in leaves that the fast walker counts."""
    return estimate(position, depth) * _weight(walkers)


def _weight(walkers: Sequence[str]) -> int:
    return sum(_WEIGHTS[walker] for walker in walkers)


class Count:
    """A count under way. It belongs to the thread that started it."""

    def __init__(self, walkers: Sequence[str], parts: int, stop: StopFlag) -> None:
        self.totals = {walker: Total() for walker in walkers}
        self.stop = stop
        self.begun = self.ended = time.perf_counter()
        self._missing = parts * len(walkers)
        self._parts = parts * len(walkers)
        self._answers: SimpleQueue[Answer] = SimpleQueue()

    @property
    def seconds(self) -> float:
        """Wall time from the start of the first part to the end of the last."""
        return self.ended - self.begun

    def answer(self, answer: Answer) -> None:
        """Hand in the result of a part, on any thread."""
        self._answers.put(answer)

    def is_finished(self) -> bool:
        """Return whether every part has been counted, without waiting."""
        while self._missing:
            try:
                self._take(self._answers.get_nowait())
            except Empty:
                return False
        return True

    def advances(self) -> Iterator[int]:
        """Wait for the parts, and yield after each how many leaves it had.

        Raises:
            KeyboardInterrupt: Ctrl-C, on the main thread.
            Exception: Whatever a part could not be counted for.
        """
        while self._missing:
            try:
                answer = self._answers.get(timeout=_LOOK_UP_AFTER)
            except Empty:
                continue
            yield self._take(answer)

    def wait(self) -> None:
        """Wait for all parts; raises as `advances`."""
        for _ in self.advances():
            pass

    def _take(self, answer: Answer) -> int:
        if answer.error is not None:
            raise answer.error
        if self._missing == self._parts:
            self.begun, self.ended = answer.begun, answer.ended
        self._missing -= 1
        self.begun = min(self.begun, answer.begun)
        self.ended = max(self.ended, answer.ended)
        self.totals[answer.walker].add(answer.total.nodes, answer.total.counts)
        # Of several walkers on the same leaves one makes the progress.
        return answer.total.nodes if answer.walker == next(iter(self.totals)) else 0


class Answer:
    """What became of one part."""

    __slots__ = ("begun", "ended", "error", "total", "walker")

    def __init__(self, walker: str) -> None:
        self.walker = walker
        self.total = Total()
        self.error: Exception | None = None
        self.begun = self.ended = time.perf_counter()


class _Task:
    """One part for one walker."""

    __slots__ = ("_breakdown", "_count", "_part", "_table", "_walker")

    def __init__(
        self, count: Count, part: Part, walker: str, breakdown: bool, table: HashTable | None
    ) -> None:
        self._count = count
        self._part = part
        self._walker = walker
        self._breakdown = breakdown
        self._table = table

    def run(self) -> None:
        if self._count.stop.is_set():
            return
        answer = Answer(self._walker)
        try:
            answer.total = count_exactly(
                self._part.position,
                self._part.depth,
                self._walker,
                breakdown=self._breakdown,
                stop=self._count.stop,
                table=self._table,
            )
        except StoppedError:
            return
        except Exception as error:
            answer.error = error
        answer.ended = time.perf_counter()
        self._count.answer(answer)


class Crew:
    """Threads that count; leaving the `with` block ends them, whatever they are doing."""

    def __init__(self, threads: int, table: HashTable | None = None) -> None:
        """Make a crew; its threads are started when there is work.

        Args:
            threads: How many, 1 or more.
            table: What they look subtrees up in with the fast walker, if given.
        """
        self.size = threads
        self.table = table
        self._queue: SimpleQueue[_Task | None] = SimpleQueue()
        self._threads: list[Thread] = []
        self._flags: dict[StopFlag, None] = {}
        self._closed = False

    def __enter__(self) -> Crew:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def wants_more(self) -> bool:
        """Return whether a thread may soon find nothing to do."""
        return self._queue.qsize() < 2 * self.size

    def start(
        self,
        position: Position,
        depth: int,
        walkers: Sequence[str],
        *,
        breakdown: bool = True,
        least: float = 0,
    ) -> Count | None:
        """Begin to count the leaves of a tree with each of the walkers.

        Args:
            position: Its root, which may be changed afterwards.
            depth: Plies, 1 or more.
            walkers: `FAST`, `STRICT`, or both.
            breakdown: Whether to count the kinds of leaves too.
            least: What the count must cost, in leaves of the fast walker.

        Returns:
            What is under way; None when it would cost less, and nothing was begun.
        """
        leaves = estimate(position, depth)
        if leaves * _weight(walkers) < least:
            return None
        root = Part(position.copy(), depth, leaves)
        wanted = min(leaves * _weight(walkers) // LEAST_PART, PARTS_PER_THREAD * self.size)
        parts = cut(root, int(wanted)) if wanted > 1 else [root]
        count = Count(walkers, len(parts), StopFlag())
        self._flags[count.stop] = None
        for walker in walkers:
            for part in parts:
                self._queue.put(_Task(count, part, walker, breakdown, self.table))
        self._enlist(len(parts) * len(walkers))
        return count

    def drop(self, count: Count) -> None:
        """Forget a count: one that is finished, or one that nobody needs any more."""
        count.stop.set()
        self._flags.pop(count.stop, None)

    def close(self) -> None:
        """End all counts and threads."""
        self._closed = True
        for flag in self._flags:
            flag.set()
        for _ in range(self.size):
            self._queue.put(None)
        for thread in self._threads:
            thread.join()
        self._threads.clear()

    def _enlist(self, tasks: int) -> None:
        for _ in range(min(tasks, self.size - len(self._threads))):
            # A daemon, so that a crew that is never closed does not keep the process alive.
            thread = Thread(target=self._work, name="perftkit", daemon=True)
            try:
                thread.start()
            except RuntimeError as error:
                if not self._threads:
                    raise ThreadError(f"the system gives no thread to count on: {error}") from error
                # Those that there are do all of the work; the system is not asked again.
                self.size = len(self._threads)
                return
            self._threads.append(thread)

    def _work(self) -> None:
        while not self._closed and (task := self._queue.get()) is not None:
            task.run()
