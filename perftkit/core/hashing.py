"""One count with a hash table, measured: how fast it was and how often the table knew."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from perftkit.core.perft import perft
from perftkit.core.table import HashTable

if TYPE_CHECKING:
    from perftkit.core.position import Position


_WAKE = 0.1  # seconds; where a wait can't be interrupted, Ctrl-C is felt that late


@dataclass(frozen=True, slots=True)
class HashRun:
    """What a count with a fresh table found, and what it cost.

    Attributes:
        scheme: What the table did when a place was taken, as in `HashTable`.
        megabytes: The size of the table.
        depth: Plies.
        nodes: Leaves of the tree.
        counts: How many are of each kind; empty without the breakdown.
        seconds: Wall time of the count.
        cpu_seconds: Processor time of the count.
        setup_seconds: Wall time in which the system handed out the table's memory, before that.
        statistics: What the count did with the table, as in `HashTable.statistics`.
    """

    scheme: str
    megabytes: int
    depth: int
    nodes: int
    counts: dict[str, int]
    seconds: float
    cpu_seconds: float
    setup_seconds: float
    statistics: dict[str, int]

    @property
    def bytes(self) -> int:
        """Return the size of the table in bytes."""
        return self.megabytes << 20

    @property
    def hit_rate(self) -> float:
        """Return which part of the look-ups the table answered, 0 to 1."""
        lookups = self.statistics["lookups"]
        return self.statistics["hits"] / lookups if lookups else 0.0

    @property
    def nps(self) -> int:
        """Return nodes per second, 0 when the count was too short to be timed."""
        return int(self.nodes / self.seconds) if self.seconds > 0 else 0


def count_with_table(
    position: Position | str,
    depth: int,
    *,
    megabytes: int,
    scheme: str = "two-slot",
    breakdown: bool = True,
    chess960: bool | None = None,
    threads: int = 1,
) -> HashRun:
    """Count with a table of its own, as `perft` does with the fast method.

    Ctrl-C ends it, while the system hands out the memory as well.

    Raises:
        HashTableError: As `HashTable`.
        DepthError: As `perft`, which see for the others too.
    """
    start = time.perf_counter()
    table = HashTable(megabytes, scheme)
    _touch(table)
    setup = time.perf_counter() - start
    start_cpu = time.process_time()
    result = perft(
        position, depth, breakdown=breakdown, chess960=chess960, threads=threads, table=table
    )
    cpu = time.process_time() - start_cpu
    return HashRun(
        scheme=scheme,
        megabytes=megabytes,
        depth=depth,
        nodes=result.nodes,
        counts=result.counts,
        seconds=result.seconds,
        cpu_seconds=cpu,
        setup_seconds=setup,
        statistics=table.statistics,
    )


def _touch(table: HashTable) -> None:
    """Make the system hand out all of a fresh table's memory now.

    That can take seconds, so a thread does it while this one waits, which Ctrl-C can end.
    """
    done = threading.Event()

    def clear() -> None:
        table.clear()
        done.set()

    threading.Thread(target=clear, daemon=True).start()
    while not done.wait(_WAKE):
        pass
