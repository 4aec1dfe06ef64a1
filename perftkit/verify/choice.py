"""Which rows and depths a limited time is spent on: those that find the most for their cost.

A mistake of a generator shows where the kind of move that it is about occurs, and mostly at the
first ply where it does. So a count is worth more the more kinds of move its last ply has that
were seen seldom so far, and it costs the time that its leaves take at a pace that is agreed on
beforehand. Nothing that is measured enters, so that the choice is the same on every run.
"""

from __future__ import annotations

import heapq
import threading
import time
from array import array
from dataclasses import dataclass
from typing import TYPE_CHECKING

from perftkit.core.counts import COUNTERS
from perftkit.core.perft import perft
from perftkit.core.position import Position
from perftkit.suite.model import SuiteProblem
from perftkit.suite.select import cases, matches

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from perftkit.suite.model import SuiteRow
    from perftkit.suite.select import Case
    from perftkit.verify.runner import RunOptions

__all__ = ["ENGINE_PACE", "OWN_PACES", "Choice", "Pace", "Timekeeper", "choose"]

MOST_NODES_COUNTED = 20_000  # for the kinds of a row that does not give them
FIRST_LOOK = 1.0  # the worth of a position that was not looked at yet, in kinds that are new
DEEPER_LOOK = 0.5  # of one ply more of a position
DEPTH_KINDS = 4 * len(COUNTERS)  # the first number of a kind that is a depth
MOST_DEPTHS = 65

_Key = tuple[str, int, str]  # file, line and id

WARM_UP = 0.1  # of the time, before the pace is measured
LOOKS = 50  # how often the rest of the time is planned anew


@dataclass(frozen=True, slots=True)
class Pace:
    """How long counting is taken to last.

    Attributes:
        nps: Leaves a second.
        question: Seconds that every count costs, however small.
    """

    nps: int
    question: float

    def seconds(self, nodes: int) -> float:
        """Return the time of a count of so many leaves."""
        return self.question + nodes / self.nps


ENGINE_PACE = Pace(1_000_000, 0.002)
"""Of an engine about which nothing is known."""

OWN_PACES: Mapping[str, Pace] = {
    "fast": Pace(100_000_000, 0.0001),
    "strict": Pace(20_000_000, 0.0001),
    "both": Pace(15_000_000, 0.0002),
}
"""Of the built-in generator by its methods, on a slow machine."""


@dataclass(frozen=True, slots=True)
class Choice:
    """What a budget is spent on.

    Attributes:
        budget: Seconds.
        pace: By which it was reckoned.
        ranks: The place of each depth that was chosen in the order of choice, by the file, line
            and id of its row.
        costs: Seconds by rank.
    """

    budget: float
    pace: Pace
    ranks: Mapping[_Key, Mapping[int, int]]
    costs: Sequence[float]

    def rank(self, row: SuiteRow, depth: int) -> int | None:
        """Return the place in the order of choice; None for what was left out."""
        return self.ranks.get(_key(row), {}).get(depth)

    def reason_to_leave_out(self, row: SuiteRow, depth: int) -> str | None:
        """Return why something is not counted; None for what was chosen."""
        if self.rank(row, depth) is not None:
            return None
        return f"left out for the budget of {self.budget:g} s"


def choose(
    items: Iterable[SuiteRow | SuiteProblem],
    options: RunOptions,
    budget: float,
    pace: Pace,
    is_spared: Callable[[SuiteRow, Position], bool] = lambda _, __: False,
) -> Choice:
    """Return what a time is best spent on, the same whenever it is called.

    The count that adds the most for its cost is taken first, and so on while there is time; a
    depth of a row comes after its shallower ones. The same row twice counts as one.

    Args:
        items: The rows.
        options: What of them is selected.
        budget: Seconds.
        pace: How fast it is counted.
        is_spared: Whether a row is not asked for anyway.
    """
    candidates: dict[_Key, list[_Candidate]] = {}
    for item in items:
        if isinstance(item, SuiteProblem) or not matches(item, options.ids):
            continue
        position = Position(item.fen, chess960=item.chess960)
        if not is_spared(item, position):
            found = list(_affordable(item, position, options, budget, pace))
            candidates[_key(item)] = found
    return _greedy(candidates, budget, pace)


def _key(row: SuiteRow) -> _Key:
    return row.file, row.line, row.id


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A depth of a row, its time, and the kinds of move at its last ply as bits."""

    depth: int
    cost: float
    kinds: int


def _affordable(
    row: SuiteRow, position: Position, options: RunOptions, budget: float, pace: Pace
) -> Iterator[_Candidate]:
    """Yield the depths of a row that fit into the time by themselves."""
    growth = _Growth(position)
    for case in cases(row, max_depth=options.depth, max_nodes=options.max_nodes):
        if case.skipped is not None:
            return
        nodes, counts = growth.look(case)
        if options.max_nodes is not None and nodes > options.max_nodes:
            return
        cost = pace.seconds(nodes)
        if cost > budget:
            return
        yield _Candidate(case.depth, cost, _kinds(position, case.depth, counts))


class _Growth:
    """How many leaves the depths of a position have, counted while that is cheap."""

    def __init__(self, position: Position) -> None:
        self._position = position
        self._depth = 1
        self._nodes = len(position.legal_moves())
        self._rate = max(self._nodes, 1)

    def look(self, case: Case) -> tuple[int, Mapping[str, int]]:
        """Return the leaves of a case, and its counters as far as they are known.

        Leaves that neither the row gives nor are cheap to count are estimated.
        """
        estimate = self._nodes * self._rate ** max(case.depth - self._depth, 0)
        nodes = case.expected.nodes if case.expected else estimate
        if max(nodes, estimate) > MOST_NODES_COUNTED:
            return nodes, case.expected.counts if case.expected else {}
        counted = perft(self._position, case.depth)
        if case.depth == self._depth + 1:
            self._rate = max(counted.nodes // max(self._nodes, 1), 1)
        self._depth, self._nodes = case.depth, counted.nodes
        return (case.expected.nodes if case.expected else counted.nodes), counted.counts


def _kinds(position: Position, depth: int, counts: Mapping[str, int]) -> int:
    """Return a bit for each counter with the side that moves last, and one for the depth."""
    is_white = position.turn == ("white" if depth % 2 else "black")
    variant = 2 * position.chess960 + is_white
    bits = 1 << (DEPTH_KINDS + 2 * depth + is_white)
    for number, name in enumerate(COUNTERS):
        if counts.get(name):
            bits |= 1 << (4 * number + variant)
    return bits


def _greedy(candidates: Mapping[_Key, Sequence[_Candidate]], budget: float, pace: Pace) -> Choice:
    rarity = _Rarity()
    rows = list(candidates.items())

    def entry(row: int, number: int) -> tuple[float, int, int]:
        candidate = rows[row][1][number]
        look = FIRST_LOOK if number == 0 else DEEPER_LOOK
        worth = (look + rarity.worth(candidate.kinds)) / candidate.cost
        return -worth, number, row

    ranks: dict[_Key, dict[int, int]] = {}
    costs = array("d")
    left = budget
    waiting = [entry(row, 0) for row in range(len(rows)) if rows[row][1]]
    heapq.heapify(waiting)
    while waiting:
        first = heapq.heappop(waiting)
        _, number, row = first
        # What was worth most may be worth less by now; nothing ever gets worth more.
        current = entry(row, number)
        if current > first and waiting and current > waiting[0]:
            heapq.heappush(waiting, current)
            continue
        key, depths = rows[row]
        candidate = depths[number]
        if candidate.cost > left:
            continue  # and so are the deeper ones
        left -= candidate.cost
        ranks.setdefault(key, {})[candidate.depth] = len(costs)
        costs.append(candidate.cost)
        rarity.see(candidate.kinds)
        if number + 1 < len(depths):
            heapq.heappush(waiting, entry(row, number + 1))
    return Choice(budget, pace, ranks, costs)


class _Rarity:
    """How often each kind was seen; each doubling makes the next time worth half."""

    def __init__(self) -> None:
        self._seen = [0] * (DEPTH_KINDS + 2 * MOST_DEPTHS)
        self._worths: dict[int, float] = {}

    def worth(self, kinds: int) -> float:
        """Return what some kinds together are worth now."""
        known = self._worths.get(kinds)
        if known is None:
            known = sum(0.5 ** self._seen[kind].bit_length() for kind in _bits(kinds))
            self._worths[kinds] = known
        return known

    def see(self, kinds: int) -> None:
        """Count some kinds."""
        for kind in _bits(kinds):
            self._seen[kind] += 1
            if self._seen[kind].bit_length() > (self._seen[kind] - 1).bit_length():
                self._worths.clear()


def _bits(mask: int) -> Iterator[int]:
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


class Timekeeper:
    """Keeps an engine that is slower than its pace within the time.

    What was chosen last is given up first. Several threads may ask.
    """

    def __init__(self, choice: Choice) -> None:
        """Start the clock."""
        self._choice = choice
        self._start = time.monotonic()
        self._done = bytearray(len(choice.costs))
        self._reckoned = 0.0
        self._looked = 0.0
        self._limit = len(choice.costs)
        self._begun = False
        self._lock = threading.Lock()

    def begin(self) -> None:
        """Start the clock anew at the first question, so that reading up to it costs nothing.

        However short the time is, that question is then asked.
        """
        with self._lock:
            if not self._begun:
                self._begun = True
                self._start = time.monotonic()

    def finished(self, row: SuiteRow, depth: int) -> None:
        """Take note of a count that is over."""
        rank = self._choice.rank(row, depth)
        if rank is not None:
            with self._lock:
                self._done[rank] = 1
                self._reckoned += self._choice.costs[rank]

    def reason_to_skip(self, row: SuiteRow, depth: int) -> str | None:
        """Return why a count is not begun; None when there is time."""
        budget, rank = self._choice.budget, self._choice.rank(row, depth)
        spent = time.monotonic() - self._start
        if spent >= budget:
            return f"the budget of {budget:g} s was used up"
        with self._lock:
            if spent >= max(budget * WARM_UP, self._looked + budget / LOOKS):
                self._looked = spent
                self._limit = self._last_that_fits(spent)
        if rank is None or rank <= self._limit:
            return None
        return f"no time: slower than {self._choice.pace.nps:,} n/s, for which it was chosen"

    def _last_that_fits(self, spent: float) -> int:
        if spent <= self._reckoned:
            return len(self._done)
        left = self._choice.budget - spent
        slowness = spent / max(self._reckoned, self._choice.pace.question)
        for rank, cost in enumerate(self._choice.costs):
            if not self._done[rank]:
                left -= cost * slowness
                if left < 0:
                    return rank - 1
        return len(self._done)
