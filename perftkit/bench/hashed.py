"""The same counts with each scheme of the hash table, in turns, every time with a fresh table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from perftkit.bench.clocks import CPU, WALL
from perftkit.bench.contestants import FAST, METHODS, NODES, chosen_kernel
from perftkit.bench.memory import peak_bytes, reset_peak
from perftkit.bench.results import Spread
from perftkit.core.hashing import HashRun, count_with_table
from perftkit.core.kernel import kernel
from perftkit.core.table import SCHEMES
from perftkit.verify.compare import differences

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from perftkit.bench.positions import BenchPosition
    from perftkit.verify.compare import Difference

__all__ = [
    "DEFAULT_SCHEME",
    "HASH_METHODS",
    "HashContestant",
    "HashEvent",
    "HashResults",
    "HashSample",
    "HashWrong",
    "hash_contestants",
    "measure_hash",
]

DEFAULT_SCHEME = next(iter(SCHEMES))
HASH_METHODS = (NODES, FAST)
"""Those of `perftkit.bench.contestants.METHODS` that use a table."""


@dataclass(frozen=True, slots=True)
class HashContestant:
    """A way to count with a table.

    Attributes:
        method: One of `HASH_METHODS`.
        scheme: What the table does when a place is taken, one of `perftkit.core.table.SCHEMES`.
        kernel: The build of the fast walker.
        threads: How many count at once and share the table.
    """

    method: str
    scheme: str
    kernel: str
    threads: int = 1

    @property
    def title(self) -> str:
        """Return what it is called in sentences."""
        return f"{METHODS[self.method]}, {self.scheme}, {self.kernel}, threads: {self.threads}"


@dataclass(frozen=True, slots=True)
class HashSample:
    """One count.

    Attributes:
        position: What was counted.
        contestant: How.
        run: In which run, counted from 0.
        hashed: What it cost and what the table did.
        peak_memory: The most bytes that the process held; None where it is not known.
    """

    position: BenchPosition
    contestant: HashContestant
    run: int
    hashed: HashRun
    peak_memory: int | None = None


@dataclass(frozen=True, slots=True)
class HashWrong:
    """A count that is not as published; that contestant is not timed on that position.

    Attributes:
        position: What was counted.
        contestant: How.
        differences: What is not as published.
    """

    position: BenchPosition
    contestant: HashContestant
    differences: tuple[Difference, ...]


HashEvent = HashSample | HashWrong


def hash_contestants(
    methods: Sequence[str], kernels: Sequence[str], threads: Sequence[int] = (1,)
) -> tuple[HashContestant, ...]:
    """Return all schemes with each of the others.

    Args:
        methods: Of `HASH_METHODS`; all of them when it is empty.
        kernels: Of `perftkit.core.kernel.available_kernels`.
        threads: Numbers of threads, each 1 or more.

    Raises:
        KernelError: One of the kernels is not there.
    """
    for name in kernels:
        kernel(name)
    return tuple(
        HashContestant(method, scheme, name, number)
        for method in HASH_METHODS
        if not methods or method in methods
        for name in dict.fromkeys(kernels)
        for number in dict.fromkeys(threads)
        for scheme in SCHEMES
    )


def measure_hash(
    positions: Sequence[BenchPosition],
    contestants: Sequence[HashContestant],
    *,
    megabytes: int,
    runs: int,
) -> Iterator[HashEvent]:
    """Count each position `runs` times in turns, every second time the other way round.

    Every count is compared with the published one. One comes before the first run and is not
    timed: what a machine takes to find so much memory for the first time shall not be held against
    whoever is the first.

    Raises:
        HashTableError: There is not so much memory.
    """
    wrong: set[tuple[str, HashContestant]] = set()
    _count(positions[0], contestants[0], megabytes, positions[0].warm_up.depth)
    for run in range(runs):
        order = contestants if run % 2 == 0 else contestants[::-1]
        for position in positions:
            for contestant in order:
                if (position.name, contestant) in wrong:
                    continue
                event = _sample(position, contestant, megabytes, run)
                if isinstance(event, HashWrong):
                    wrong.add((position.name, contestant))
                yield event


def _sample(
    position: BenchPosition, contestant: HashContestant, megabytes: int, run: int
) -> HashEvent:
    reset_peak()
    task = position.task
    hashed = _count(position, contestant, megabytes, task.depth)
    peak = peak_bytes()
    # Who counts nodes only is held to those.
    wanted = {name: value for name, value in task.counts.items() if name in hashed.counts}
    found = differences(task.nodes, hashed.nodes, wanted, hashed.counts)
    if found:
        return HashWrong(position, contestant, found)
    return HashSample(position, contestant, run, hashed, peak)


def _count(
    position: BenchPosition, contestant: HashContestant, megabytes: int, depth: int
) -> HashRun:
    with chosen_kernel(contestant.kernel):
        return count_with_table(
            position.root,
            depth,
            megabytes=megabytes,
            scheme=contestant.scheme,
            breakdown=contestant.method != NODES,
            threads=contestant.threads,
        )


class HashResults:
    """Collects what `measure_hash` yields.

    Attributes:
        positions: What is counted.
        contestants: How.
        megabytes: The size of the tables.
        runs: How many were asked for.
        clock: By which speeds are given, one of `perftkit.bench.clocks.CLOCKS`.
        wrong: Counts that are not as published.
        failure: Why it ended early; None when it did not, or by Ctrl-C.
        interrupted: Whether Ctrl-C came before all was measured.
    """

    def __init__(
        self,
        positions: Sequence[BenchPosition],
        contestants: Sequence[HashContestant],
        megabytes: int,
        runs: int,
        clock: str = WALL,
    ) -> None:
        self.positions = tuple(positions)
        self.contestants = tuple(contestants)
        self.megabytes = megabytes
        self.runs = runs
        self.clock = clock
        self.wrong: list[HashWrong] = []
        self.failure: str | None = None
        self.interrupted = False
        self._samples: dict[tuple[str, HashContestant], dict[int, HashSample]] = {}

    def add(self, event: HashEvent) -> None:
        """Take in an event."""
        key = event.position.name, event.contestant
        if isinstance(event, HashWrong):
            self.wrong.append(event)
            # What was right before it went wrong is no measurement of anything.
            self._samples.pop(key, None)
        else:
            self._samples.setdefault(key, {})[event.run] = event

    def wrong_of(self, position: BenchPosition, contestant: HashContestant) -> HashWrong | None:
        """Return what was counted wrongly, if anything."""
        for wrong in self.wrong:
            if (wrong.position, wrong.contestant) == (position, contestant):
                return wrong
        return None

    def runs_of(self, position: BenchPosition, contestant: HashContestant) -> list[HashRun]:
        """Return what was measured, in the order of the runs."""
        return [sample.hashed for sample in self._of(position, contestant).values()]

    def spread(
        self,
        position: BenchPosition,
        contestant: HashContestant,
        number: Callable[[HashRun], float],
    ) -> Spread | None:
        """Return the spread of a number over the runs, None where there are none."""
        return Spread.of(number(hashed) for hashed in self.runs_of(position, contestant))

    def nps(self, position: BenchPosition, contestant: HashContestant) -> Spread | None:
        """Return the nodes a second, without what it took to get the memory."""
        runs = self.runs_of(position, contestant)
        timed = ((one.nodes, self._seconds(one)) for one in runs)
        return Spread.of(nodes / seconds for nodes, seconds in timed if seconds > 0)

    def ratio(self, position: BenchPosition, contestant: HashContestant) -> Spread | None:
        """Return how many times as fast as the default scheme one is, from each run's pair."""
        other = self._default(contestant)
        if other is None:
            return None
        own, default = self._of(position, contestant), self._of(position, other)
        pairs = (
            (self._seconds(default[run].hashed), self._seconds(own[run].hashed))
            for run in own
            if run in default
        )
        return Spread.of(theirs / seconds for theirs, seconds in pairs if seconds > 0)

    def peak_memory(self, position: BenchPosition, contestant: HashContestant) -> int | None:
        """Return the most bytes that the process held in any run; None when not known."""
        peaks = (sample.peak_memory for sample in self._of(position, contestant).values())
        return max((peak for peak in peaks if peak is not None), default=None)

    def busy(self) -> float | None:
        """Return the median share of the time in which this process ran; None when not known."""
        spread = Spread.of(_shares(self._samples.values()))
        return None if spread is None else spread.median

    def _of(self, position: BenchPosition, contestant: HashContestant) -> dict[int, HashSample]:
        return self._samples.get((position.name, contestant), {})

    def _seconds(self, hashed: HashRun) -> float:
        return hashed.cpu_seconds if self.clock == CPU else hashed.seconds

    def _default(self, contestant: HashContestant) -> HashContestant | None:
        if contestant.scheme == DEFAULT_SCHEME:
            return None
        other = HashContestant(
            contestant.method, DEFAULT_SCHEME, contestant.kernel, contestant.threads
        )
        return other if other in self.contestants else None


def _shares(samples: Iterable[dict[int, HashSample]]) -> Iterator[float]:
    for by_run in samples:
        for sample in by_run.values():
            if sample.contestant.threads == 1 and sample.hashed.seconds > 0:
                yield sample.hashed.cpu_seconds / sample.hashed.seconds
