"""Who takes part: the walkers of this package, and engines that are asked through a protocol."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from perftkit.core import strict
from perftkit.core.kernel import available_kernels, kernel

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from perftkit.bench.positions import BenchPosition

__all__ = ["METHODS", "Contestant", "Engine", "builtin_contestants", "engine_contestant"]

NODES = "nodes"
FAST = "fast"
STRICT = "strict"
METHODS: Mapping[str, str] = {
    NODES: "fast, nodes only",
    FAST: "fast, every counter",
    STRICT: "strict, every counter",
}
"""What is measured, by its name on the command line."""


class Count(Protocol):
    """Counts the leaves of a position, with those counters that it knows."""

    def __call__(self, position: BenchPosition, depth: int) -> tuple[int, Mapping[str, int]]:
        """Return the leaves and the counters."""
        ...


class Engine(Protocol):
    """Another program that counts leaves."""

    def ask(self, fen: str, depth: int) -> int:
        """Return the leaves of a position; raises `EngineError`."""
        ...

    def close(self) -> None:
        """End it."""
        ...


@dataclass(frozen=True, slots=True)
class Contestant:
    """Somebody who counts.

    Attributes:
        title: For people.
        count: Counts.
        method: One of `METHODS`; None for an engine.
        kernel: The build of the fast walker; None where there is only one way.
        threads: How many count at once; an engine's own affair counts as 1.
        engine: The words of the command line that name the engine; None for a walker.
    """

    title: str
    count: Count = field(compare=False)
    method: str | None = None
    kernel: str | None = None
    threads: int = 1
    engine: str | None = None


def builtin_contestants(
    methods: Sequence[str] = (), kernels: Sequence[str] = ()
) -> tuple[Contestant, ...]:
    """Return the walkers.

    Args:
        methods: Of `METHODS`; all of them when it is empty.
        kernels: Of `available_kernels`; all of them when it is empty.

    Raises:
        KernelError: One of the kernels is not there.
    """
    chosen = []
    for method, title in METHODS.items():
        if methods and method not in methods:
            continue
        if method == STRICT:
            chosen.append(Contestant(title, _count_strictly, method))
            continue
        for name in dict.fromkeys(kernels or available_kernels()):
            chosen.append(Contestant(title, _fast(name, method), method, name))
    return tuple(chosen)


def engine_contestant(spec: str, engine: Engine) -> Contestant:
    """Return an engine as one that takes part."""

    def count(position: BenchPosition, depth: int) -> tuple[int, Mapping[str, int]]:
        return engine.ask(position.fen, depth), {}

    return Contestant(spec, count, engine=spec)


def _fast(name: str, method: str) -> Count:
    chosen = kernel(name)

    def count_nodes(position: BenchPosition, depth: int) -> tuple[int, Mapping[str, int]]:
        return chosen.count_nodes(position.root, depth), {}

    def count(position: BenchPosition, depth: int) -> tuple[int, Mapping[str, int]]:
        return chosen.count(position.root, depth)

    return count_nodes if method == NODES else count


def _count_strictly(position: BenchPosition, depth: int) -> tuple[int, Mapping[str, int]]:
    return strict.count(position.root, depth)
