"""Perft and divide: the number of leaves of the move tree, with the breakdown by kind of move."""

from __future__ import annotations

import time
from collections import deque
from dataclasses import dataclass
from operator import itemgetter
from typing import TYPE_CHECKING

from perftkit.core import strict
from perftkit.core.crew import Count, Crew, cost, thread_number
from perftkit.core.exact import FAST, STRICT, Total, count_exactly
from perftkit.core.kernel import kernel_name
from perftkit.core.position import Position
from perftkit.errors import DepthError, DisagreementError, HashTableError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from perftkit.core.position import Move
    from perftkit.core.table import HashTable

MAX_DEPTH = 64
BOTH = "both"
METHODS = (FAST, STRICT, BOTH)
WALKERS = {FAST: (FAST,), STRICT: (STRICT,), BOTH: (FAST, STRICT)}
# In leaves that the fast walker counts: less is done before other threads have begun.
WORTH_THREADS = 4_000_000


@dataclass(frozen=True, slots=True)
class PerftResult:
    """What one count found.

    Attributes:
        depth: Plies, 0 to 64.
        nodes: Leaves of the tree of that depth, an exact integer of any size; 1 at depth 0.
        counts: How many leaf moves are of each kind, by the names in
            `perftkit.core.counts.COUNTERS`; empty at depth 0 and without the breakdown.
        seconds: Wall time that the count took.
    """

    depth: int
    nodes: int
    counts: dict[str, int]
    seconds: float

    @property
    def nps(self) -> int:
        """Nodes per second, 0 when the count was too short to be timed."""
        return int(self.nodes / self.seconds) if self.seconds > 0 else 0


def perft(
    position: Position | str,
    depth: int,
    *,
    method: str = FAST,
    chess960: bool | None = None,
    breakdown: bool = True,
    threads: int | None = 1,
    table: HashTable | None = None,
) -> PerftResult:
    """Count the leaves of the tree of legal moves.

    Args:
        position: A `Position`, or a FEN.
        depth: Plies, 0 to 64.
        method: ``fast``, ``strict``, or ``both`` to run and compare the two.
        chess960: For a FEN, as in `Position`.
        breakdown: False counts the leaves only, which the fast method does about twice as fast.
        threads: How many count at once; None or 0 for all that the process may use. The result
            does not depend on it.
        table: A hash table, which the fast method uses; none is used unless given.

    Raises:
        DepthError: The depth is no integer from 0 to 64.
        FenError: The FEN is malformed or its position breaks the rules.
        ValueError: There is no such method, or no such number of threads.
        DisagreementError: Asked for both, and the two methods differ.
        HashTableError: A table is given to the strict method, which uses none.
        KernelError: PERFTKIT_KERNEL asks for a build that is not there.
        KeyboardInterrupt: Ctrl-C; the position is unchanged.
    """
    root = _root(position, chess960)
    _check(depth, method, table, least=0)
    crew = Crew(thread_number(threads), table)
    if depth == 0:
        return PerftResult(0, 1, {}, 0.0)
    start = time.perf_counter()
    with crew:
        total = _count(root, depth, method, breakdown, crew)
    return PerftResult(depth, total.nodes, total.counts, time.perf_counter() - start)


def divide(
    position: Position | str,
    depth: int,
    *,
    method: str = FAST,
    chess960: bool | None = None,
    threads: int | None = 1,
    table: HashTable | None = None,
) -> dict[str, PerftResult]:
    """Count the leaves under each legal move of a position.

    Args:
        position: A `Position`, or a FEN.
        depth: Plies, 1 to 64, the root's move included.
        method: ``fast``, ``strict``, or ``both`` to run and compare the two.
        chess960: For a FEN, as in `Position`.
        threads: How many count at once; None or 0 for all that the process may use. The result
            does not depend on it.
        table: A hash table, which the fast method uses; none is used unless given.

    Returns:
        For each move's UCI text, in alphabetical order, the count of the leaves that begin with
        it; its `depth` is the given one.

    Raises:
        DepthError: The depth is no integer from 1 to 64.
        FenError: The FEN is malformed or its position breaks the rules.
        ValueError: There is no such method, or no such number of threads.
        DisagreementError: Asked for both, and the two methods differ.
        HashTableError: A table is given to the strict method, which uses none.
        KernelError: PERFTKIT_KERNEL asks for a build that is not there.
        KeyboardInterrupt: Ctrl-C; the position is unchanged.
    """
    root = _root(position, chess960)
    _check(depth, method, table, least=1)
    with Crew(thread_number(threads), table) as crew:
        return dict(count_moves_apart(root, depth, method, crew))


def count_moves_apart(
    root: Position, depth: int, method: str, crew: Crew
) -> Iterator[tuple[str, PerftResult]]:
    """Yield each legal move's UCI text, in alphabetical order, with the leaves under it.

    Args:
        root: The position, which must not be changed meanwhile.
        depth: Plies, 1 or more, the root's move included.
        method: One of `METHODS`.
        crew: The threads that count; one of a single thread leaves it to the caller's.

    Raises:
        KernelError: PERFTKIT_KERNEL asks for a build that is not there.
        DisagreementError: Asked for both, and the two methods differ.
        KeyboardInterrupt: Ctrl-C.
    """
    _check(depth, method, crew.table, least=1)
    # At depth 1 each move is a leaf itself, which only the strict walker looks at one by one.
    if depth == 1:
        start = time.perf_counter()
        leaves = [
            (move.uci(), nodes, counts) for move, nodes, counts in strict.count_moves_apart(root, 1)
        ]
        seconds = (time.perf_counter() - start) / max(len(leaves), 1)
        for name, nodes, counts in sorted(leaves, key=itemgetter(0)):
            yield name, PerftResult(1, nodes, counts, seconds)
        return
    children = [(move.uci(), _after(root, move)) for move in sorted(root.legal_moves(), key=str)]
    walkers = WALKERS[method]
    alone = crew.size == 1 or cost(root, depth, walkers) < WORTH_THREADS
    counted = _one_by_one if alone else _ahead
    for move, child, totals, seconds in counted(children, depth - 1, walkers, crew):
        total = agreed(child, depth - 1, totals)
        yield move, PerftResult(depth, total.nodes, total.counts, seconds)


def _after(position: Position, move: Move) -> Position:
    child = position.copy()
    child.push(move)
    return child


_Child = tuple[str, Position]
_Counted = tuple[str, Position, dict[str, Total], float]


def _one_by_one(
    children: list[_Child], depth: int, walkers: tuple[str, ...], crew: Crew
) -> Iterator[_Counted]:
    for move, child in children:
        start = time.perf_counter()
        totals = {
            walker: count_exactly(child, depth, walker, table=crew.table) for walker in walkers
        }
        yield move, child, totals, time.perf_counter() - start


def _ahead(
    children: list[_Child], depth: int, walkers: tuple[str, ...], crew: Crew
) -> Iterator[_Counted]:
    upcoming = iter(children)
    started: deque[tuple[str, Position, Count]] = deque()

    def start_some() -> None:
        while crew.wants_more() and (found := next(upcoming, None)):
            if (count := crew.start(found[1], depth, walkers)) is not None:
                started.append((*found, count))

    try:
        start_some()
        while started:
            move, child, count = started[0]
            for _ in count.advances():
                start_some()
            started.popleft()
            crew.drop(count)
            yield move, child, count.totals, count.seconds
            start_some()
    except KeyboardInterrupt:
        crew.close()
        for move, child, count in started:
            if count.is_finished():
                yield move, child, count.totals, count.seconds
        raise


def _count(position: Position, depth: int, method: str, breakdown: bool, crew: Crew) -> Total:
    walkers = WALKERS[method]
    if crew.size > 1:
        count = crew.start(position, depth, walkers, breakdown=breakdown, least=WORTH_THREADS)
        if count is not None:
            count.wait()
            return agreed(position, depth, count.totals)
    totals = {
        walker: count_exactly(position, depth, walker, breakdown=breakdown, table=crew.table)
        for walker in walkers
    }
    return agreed(position, depth, totals)


def agreed(position: Position, depth: int, totals: Mapping[str, Total]) -> Total:
    """Return what all walkers found.

    Raises:
        DisagreementError: They differ.
    """
    first, *others = totals.values()
    if any(other != first for other in others):
        found = ", ".join(f"{walker} {_listed(total)}" for walker, total in totals.items())
        raise DisagreementError(f"the methods differ at depth {depth} of {position.fen()}: {found}")
    return first


def _listed(total: Total) -> str:
    counts = (f"{name}={count}" for name, count in total.counts.items())
    return " ".join([f"nodes={total.nodes}", *counts])


def _root(position: Position | str, chess960: bool | None) -> Position:
    if isinstance(position, Position):
        return position
    return Position(position, chess960=chess960)


def _check(depth: int, method: str, table: HashTable | None, *, least: int) -> None:
    if not isinstance(depth, int) or isinstance(depth, bool) or not least <= depth <= MAX_DEPTH:
        raise DepthError(f"the depth is a number from {least} to {MAX_DEPTH}, not {depth!r}")
    if method not in METHODS:
        raise ValueError(f"no method is called {method!r}: expected one of {', '.join(METHODS)}")
    if method != STRICT:
        kernel_name()
    elif table is not None:
        raise HashTableError("the strict method uses no hash table")
