"""Counting in turns, as a stream of events: nobody has the quiet minutes of a machine alone."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from perftkit.bench.clocks import CPU, WALL, engines_cpu_seconds, own_cpu_seconds
from perftkit.bench.cycles import TIME_STAMPS
from perftkit.errors import EngineError
from perftkit.verify.compare import differences

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from perftkit.bench.contestants import Contestant
    from perftkit.bench.cycles import CycleCounter
    from perftkit.bench.positions import BenchPosition
    from perftkit.suite.model import Expectation
    from perftkit.verify.compare import Difference

__all__ = ["Event", "Failed", "Sample", "Wrong", "measure"]


@dataclass(frozen=True, slots=True)
class Sample:
    """One measurement.

    Attributes:
        position: What was counted.
        contestant: Who counted.
        run: In which run, counted from 0.
        seconds: Of one count, by the clock that was asked for.
        cycles: Of the processor, for one count; None where they are not known.
        instructions: Likewise.
        busy: The share of the wall time that the processor gave; None where it is not known.
    """

    position: BenchPosition
    contestant: Contestant
    run: int
    seconds: float
    cycles: float | None = None
    instructions: float | None = None
    busy: float | None = None


@dataclass(frozen=True, slots=True)
class Wrong:
    """Somebody counted wrongly, and is not timed on that position.

    Attributes:
        position: What was counted.
        contestant: Who counted.
        depth: Plies.
        differences: What is not as published.
    """

    position: BenchPosition
    contestant: Contestant
    depth: int
    differences: tuple[Difference, ...]


@dataclass(frozen=True, slots=True)
class Failed:
    """An engine gave no answer, and takes part no longer.

    Attributes:
        contestant: Who.
        message: What happened.
    """

    contestant: Contestant
    message: str


Event = Sample | Wrong | Failed


def measure(
    positions: Sequence[BenchPosition],
    contestants: Sequence[Contestant],
    *,
    runs: int,
    least_seconds: float = 0.0,
    clock: str = WALL,
    cycles: CycleCounter | None = None,
    wall: Callable[[], float] = time.perf_counter,
) -> Iterator[Event]:
    """Count each position once to warm up, and then `runs` times in turns.

    Every second run goes the other way round, so that what comes later has no lasting advantage.
    Every count is compared with the published one.

    Args:
        positions: What is counted.
        contestants: Who counts.
        runs: How often, 1 or more.
        least_seconds: A count that is shorter is repeated, and the mean is taken.
        clock: One of `perftkit.bench.clocks.CLOCKS`; the processor's time of an engine must be
            one that can be read here.
        cycles: Counts the processor's cycles.
        wall: Tells the time in seconds, for tests.
    """
    counting = _Counting(least_seconds, clock, cycles, wall)
    for position in positions:
        for contestant in contestants:
            yield from counting.warm_up(position, contestant)
    for run in range(runs):
        order = contestants if run % 2 == 0 else contestants[::-1]
        for position in positions:
            for contestant in order:
                yield from counting.sample(position, contestant, run)


class _Counting:
    """Counts, compares, and remembers who is out."""

    def __init__(
        self,
        least_seconds: float,
        clock: str,
        cycles: CycleCounter | None,
        wall: Callable[[], float],
    ) -> None:
        self._least_seconds = least_seconds
        self._by_cpu = clock == CPU
        self._cycles = cycles
        self._wall = wall
        self._failed: set[Contestant] = set()
        self._wrong: set[tuple[str, Contestant]] = set()

    def warm_up(self, position: BenchPosition, contestant: Contestant) -> Iterator[Event]:
        if not self._is_out(position, contestant):
            problem = self._count(position, contestant, position.warm_up)
            if problem is not None:
                yield problem

    def sample(self, position: BenchPosition, contestant: Contestant, run: int) -> Iterator[Event]:
        if self._is_out(position, contestant):
            return
        is_engine = contestant.engine is not None
        cpu = engines_cpu_seconds if is_engine else own_cpu_seconds
        repeats, took = 0, 0.0
        before, start_cpu, start = self._read(), cpu(), self._wall()
        while repeats == 0 or took < self._least_seconds:
            problem = self._count(position, contestant, position.task)
            if problem is not None:
                yield problem
                return
            repeats += 1
            took = self._wall() - start
        end_cpu, after = cpu(), self._read()
        took_cpu = None if start_cpu is None or end_cpu is None else end_cpu - start_cpu
        # Ticks are the same for any number of threads; what an engine does is not seen.
        counted = not is_engine and (contestant.threads == 1 or not self._has_ticks())
        cycles, instructions = _spent(before, after, repeats) if counted else (None, None)
        yield Sample(
            position,
            contestant,
            run,
            (took_cpu if self._by_cpu and took_cpu is not None else took) / repeats,
            cycles,
            instructions,
            None if took_cpu is None or took <= 0 else took_cpu / took,
        )

    def _is_out(self, position: BenchPosition, contestant: Contestant) -> bool:
        return contestant in self._failed or (position.name, contestant) in self._wrong

    def _count(
        self, position: BenchPosition, contestant: Contestant, expected: Expectation
    ) -> Wrong | Failed | None:
        try:
            nodes, counts = contestant.count(position, expected.depth)
        except EngineError as error:
            self._failed.add(contestant)
            return Failed(contestant, str(error))
        # Whoever counts only some of the counters is held to those.
        wanted = {name: value for name, value in expected.counts.items() if name in counts}
        found = differences(expected.nodes, nodes, wanted, counts)
        if not found:
            return None
        self._wrong.add((position.name, contestant))
        return Wrong(position, contestant, expected.depth, found)

    def _has_ticks(self) -> bool:
        return self._cycles is not None and self._cycles.source == TIME_STAMPS

    def _read(self) -> tuple[int, int | None]:
        return (0, None) if self._cycles is None else self._cycles.read()


def _spent(
    before: tuple[int, int | None], after: tuple[int, int | None], repeats: int
) -> tuple[float | None, float | None]:
    cycles = (after[0] - before[0]) / repeats
    if before[1] is None or after[1] is None:
        return cycles or None, None
    return cycles or None, (after[1] - before[1]) / repeats
