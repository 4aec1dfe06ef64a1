"""Perft and divide: the number of leaves of the move tree, with the breakdown by kind of move."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from perftkit.core import strict
from perftkit.core.kernel import kernel, kernel_name
from perftkit.core.position import Position
from perftkit.errors import DepthError, DisagreementError, HashTableError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from perftkit.core.position import Move
    from perftkit.core.table import HashTable

MAX_DEPTH = 64
FAST = "fast"
STRICT = "strict"
BOTH = "both"
METHODS = (FAST, STRICT, BOTH)


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
    table: HashTable | None = None,
) -> PerftResult:
    """Count the leaves of the tree of legal moves.

    Args:
        position: A `Position`, or a FEN.
        depth: Plies, 0 to 64.
        method: ``fast``, ``strict``, or ``both`` to run and compare the two.
        chess960: For a FEN, as in `Position`.
        breakdown: False counts the leaves only, which the fast method does about twice as fast.
        table: A hash table, which the fast method uses; none is used unless given.

    Raises:
        DepthError: The depth is no integer from 0 to 64.
        FenError: The FEN is malformed or its position breaks the rules.
        ValueError: There is no such method.
        DisagreementError: Asked for both, and the two methods differ.
        HashTableError: A table is given to the strict method, which uses none.
        KernelError: PERFTKIT_KERNEL asks for a build that is not there.
        KeyboardInterrupt: Ctrl-C; the position is unchanged.
    """
    root = _root(position, chess960)
    _check(depth, method, table, least=0)
    if depth == 0:
        return PerftResult(0, 1, {}, 0.0)
    start = time.perf_counter()
    counts: dict[str, int] = {}
    if breakdown:
        nodes, counts = _count(root, depth, method, table)
    else:
        nodes = _count_nodes(root, depth, method, table)
    return PerftResult(depth, nodes, counts, time.perf_counter() - start)


def divide(
    position: Position | str,
    depth: int,
    *,
    method: str = FAST,
    chess960: bool | None = None,
    table: HashTable | None = None,
) -> dict[str, PerftResult]:
    """Count the leaves under each legal move of a position.

    Args:
        position: A `Position`, or a FEN.
        depth: Plies, 1 to 64, the root's move included.
        method: ``fast``, ``strict``, or ``both`` to run and compare the two.
        chess960: For a FEN, as in `Position`.
        table: A hash table, which the fast method uses; none is used unless given.

    Returns:
        For each move's UCI text, in alphabetical order, the count of the leaves that begin with
        it; its `depth` is the given one.

    Raises:
        DepthError: The depth is no integer from 1 to 64.
        FenError: The FEN is malformed or its position breaks the rules.
        ValueError: There is no such method.
        DisagreementError: Asked for both, and the two methods differ.
        HashTableError: A table is given to the strict method, which uses none.
        KernelError: PERFTKIT_KERNEL asks for a build that is not there.
        KeyboardInterrupt: Ctrl-C; the position is unchanged.
    """
    root = _root(position, chess960)
    _check(depth, method, table, least=1)
    children = {}
    start = time.perf_counter()
    for move, nodes, counts in _count_moves_apart(root, depth, method, table):
        end = time.perf_counter()
        children[move.uci()] = PerftResult(depth, nodes, counts, end - start)
        start = end
    return dict(sorted(children.items()))


def _count(
    position: Position, depth: int, method: str, table: HashTable | None
) -> tuple[int, dict[str, int]]:
    if method == STRICT:
        return strict.count(position, depth)
    found = kernel().count(position, depth, table)
    if method == BOTH and found != (other := strict.count(position, depth)):
        raise DisagreementError(
            f"the methods differ at depth {depth} of {position.fen()}: "
            f"fast {_listed(found)}, strict {_listed(other)}"
        )
    return found


def _count_nodes(position: Position, depth: int, method: str, table: HashTable | None) -> int:
    if method != FAST:
        return _count(position, depth, method, table)[0]
    return kernel().count_nodes(position, depth, table)


def _count_moves_apart(
    root: Position, depth: int, method: str, table: HashTable | None
) -> Iterator[tuple[Move, int, dict[str, int]]]:
    # At depth 1 each move is a leaf itself, which only the strict walker looks at one by one.
    if method == STRICT or depth == 1:
        yield from strict.count_moves_apart(root, depth)
        return
    position = root.copy()
    for move in position.legal_moves():
        position.push(move)
        yield move, *_count(position, depth - 1, method, table)
        position.pop()


def _listed(found: tuple[int, dict[str, int]]) -> str:
    nodes, counts = found
    return " ".join([f"nodes={nodes}", *(f"{name}={count}" for name, count in counts.items())])


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
