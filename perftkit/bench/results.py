"""What the samples say: medians with their spread, ratios pair by pair, geometric means."""

from __future__ import annotations

from dataclasses import dataclass, replace
from statistics import geometric_mean, median
from typing import TYPE_CHECKING

from perftkit.bench.clocks import WALL
from perftkit.bench.measure import Event, Failed, Sample, Wrong

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from perftkit.bench.contestants import Contestant
    from perftkit.bench.positions import BenchPosition

__all__ = ["Results", "Spread"]


@dataclass(frozen=True, slots=True)
class Spread:
    """Several measurements of one thing.

    Attributes:
        median: The middle one.
        least: The smallest.
        most: The greatest.
    """

    median: float
    least: float
    most: float

    @classmethod
    def of(cls, values: Iterable[float]) -> Spread | None:
        """Return the spread of some values, None of none."""
        known = list(values)
        return cls(median(known), min(known), max(known)) if known else None


class Results:
    """Collects what `perftkit.bench.measure.measure` yields.

    Attributes:
        positions: What is counted.
        contestants: Who counts.
        runs: How many were asked for.
        clock: By which they are timed, one of `perftkit.bench.clocks.CLOCKS`.
        wrong: Counts that are not as published.
        failed: Engines that gave no answer.
        interrupted: Whether Ctrl-C came before all was measured.
    """

    def __init__(
        self,
        positions: Sequence[BenchPosition],
        contestants: Sequence[Contestant],
        runs: int,
        clock: str = WALL,
    ) -> None:
        self.positions = tuple(positions)
        self.contestants = tuple(contestants)
        self.runs = runs
        self.clock = clock
        self.wrong: list[Wrong] = []
        self.failed: list[Failed] = []
        self.interrupted = False
        self._samples: dict[tuple[str, Contestant], dict[int, Sample]] = {}

    def add(self, event: Event) -> None:
        """Take in an event."""
        if isinstance(event, Wrong):
            self.wrong.append(event)
            # What it counted before it went wrong is no measurement of anything.
            self._samples.pop((event.position.name, event.contestant), None)
        elif isinstance(event, Failed):
            self.failed.append(event)
        else:
            by_run = self._samples.setdefault((event.position.name, event.contestant), {})
            by_run[event.run] = event

    @property
    def rivals(self) -> tuple[Contestant, ...]:
        """Return the engines among the contestants."""
        return tuple(one for one in self.contestants if one.engine is not None)

    def wrong_of(self, position: BenchPosition, contestant: Contestant) -> Wrong | None:
        """Return what somebody counted wrongly at a position, if anything."""
        for wrong in self.wrong:
            if (wrong.position, wrong.contestant) == (position, contestant):
                return wrong
        return None

    def seconds(self, position: BenchPosition, contestant: Contestant) -> list[float]:
        """Return the times of a count, in the order of the runs."""
        return [sample.seconds for sample in self._of(position, contestant).values()]

    def nps(self, position: BenchPosition, contestant: Contestant) -> Spread | None:
        """Return the leaves a second."""
        nodes = position.task.nodes
        return Spread.of(nodes / seconds for seconds in self.seconds(position, contestant))

    def cycles_per_leaf(self, position: BenchPosition, contestant: Contestant) -> Spread | None:
        """Return the cycles a leaf, None where they are not known."""
        return self._per_leaf(position, contestant, lambda sample: sample.cycles)

    def instructions_per_leaf(
        self, position: BenchPosition, contestant: Contestant
    ) -> Spread | None:
        """Return the instructions a leaf, None where they are not known."""
        return self._per_leaf(position, contestant, lambda sample: sample.instructions)

    def ratio(
        self, position: BenchPosition, contestant: Contestant, rival: Contestant
    ) -> Spread | None:
        """Return how many times as fast as a rival somebody is, from the pairs of each run."""
        return Spread.of(self._ratios(position, contestant, rival).values())

    def single(self, contestant: Contestant) -> Contestant | None:
        """Return who counts in the same way on one thread, for somebody who does on several."""
        if contestant.threads == 1 or contestant.engine is not None:
            return None
        alone = replace(contestant, threads=1)
        return alone if alone in self.contestants else None

    def mean_nps(self, contestant: Contestant) -> Spread | None:
        """Return the geometric mean of the leaves a second, of each run that has all positions."""
        return self._mean(
            [
                {
                    run: position.task.nodes / sample.seconds
                    for run, sample in self._of(position, contestant).items()
                }
                for position in self.positions
            ]
        )

    def mean_ratio(self, contestant: Contestant, rival: Contestant) -> Spread | None:
        """Return the geometric mean of the ratios, of each run that has all positions."""
        return self._mean(
            [self._ratios(position, contestant, rival) for position in self.positions]
        )

    def busy(self) -> float | None:
        """Return the median share of the time in which this process ran; None when not known."""
        spread = Spread.of(
            sample.busy
            for by_run in self._samples.values()
            for sample in by_run.values()
            if sample.busy is not None
            and sample.contestant.engine is None
            and sample.contestant.threads == 1
        )
        return None if spread is None else spread.median

    def _of(self, position: BenchPosition, contestant: Contestant) -> dict[int, Sample]:
        return self._samples.get((position.name, contestant), {})

    def _per_leaf(
        self,
        position: BenchPosition,
        contestant: Contestant,
        number: Callable[[Sample], float | None],
    ) -> Spread | None:
        values = [number(sample) for sample in self._of(position, contestant).values()]
        return Spread.of(value / position.task.nodes for value in values if value is not None)

    def _ratios(
        self, position: BenchPosition, contestant: Contestant, rival: Contestant
    ) -> dict[int, float]:
        own, other = self._of(position, contestant), self._of(position, rival)
        return {run: other[run].seconds / own[run].seconds for run in own if run in other}

    def _mean(self, by_position: list[dict[int, float]]) -> Spread | None:
        runs = [run for run in range(self.runs) if all(run in by_run for by_run in by_position)]
        return Spread.of(geometric_mean([by_run[run] for by_run in by_position]) for run in runs)
