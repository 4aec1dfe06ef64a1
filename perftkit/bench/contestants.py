"""Who takes part: the walkers of this package, and engines that are asked through a protocol."""

from __future__ import annotations

import os
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from perftkit.core import strict
from perftkit.core.kernel import VARIABLE, available_kernels, kernel
from perftkit.core.perft import perft

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from perftkit.bench.positions import BenchPosition

__all__ = [
    "FAST",
    "METHODS",
    "NODES",
    "STRICT",
    "Contestant",
    "Engine",
    "builtin_contestants",
    "chosen_kernel",
    "engine_contestant",
]

NODES = "nodes"
FAST = "fast"
STRICT = "strict"
METHODS: Mapping[str, str] = {
    NODES: "fast, nodes only",
    FAST: "fast, all counters",
    STRICT: "strict, all counters",
}
"""What is measured, by its name on the command line."""


class Count(Protocol):
    """Counts the leaves of a position, with those counters that it knows."""

    def __call__(self, position: BenchPosition, depth: int) -> tuple[int, Mapping[str, int]]:
        """Return the leaves and the counters."""
        ...


class Engine(Protocol):
    """Another program that counts leaves."""

    @property
    def name(self) -> str:
        """What it calls itself, else its command."""
        ...

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
        name: What the engine calls itself.
    """

    title: str
    count: Count = field(compare=False)
    method: str | None = None
    kernel: str | None = None
    threads: int = 1
    engine: str | None = None
    name: str | None = None


def builtin_contestants(
    methods: Sequence[str] = (), kernels: Sequence[str] = (), threads: Sequence[int] = (1,)
) -> tuple[Contestant, ...]:
    """Return the walkers.

    Args:
        methods: Of `METHODS`; all of them when it is empty.
        kernels: Of `available_kernels`; all of them when it is empty.
        threads: Numbers of threads, each 1 or more.

    Raises:
        KernelError: One of the kernels is not there.
    """
    chosen = []
    for method, title in METHODS.items():
        if methods and method not in methods:
            continue
        names = dict.fromkeys(kernels or available_kernels())
        for name in [None] if method == STRICT else names:
            for number in dict.fromkeys(threads):
                count = _count(method, name) if number == 1 else _crew(method, name, number)
                chosen.append(Contestant(title, count, method, name, number))
    return tuple(chosen)


def engine_contestant(spec: str, engine: Engine) -> Contestant:
    """Return an engine as one that takes part."""

    def count(position: BenchPosition, depth: int) -> tuple[int, Mapping[str, int]]:
        return engine.ask(position.fen, depth), {}

    return Contestant(spec, count, engine=spec, name=engine.name)


def _count(method: str, name: str | None) -> Count:
    """Return what counts on this thread, with as little around it as can be."""
    if name is None:
        return lambda position, depth: strict.count(position.root, depth)
    chosen = kernel(name)
    if method == NODES:
        return lambda position, depth: (chosen.count_nodes(position.root, depth), {})
    return lambda position, depth: chosen.count(position.root, depth)


def _crew(method: str, name: str | None, threads: int) -> Count:
    """Return what counts on several threads."""
    if name is not None:
        kernel(name)  # for the error, if it is not there

    def count(position: BenchPosition, depth: int) -> tuple[int, Mapping[str, int]]:
        with chosen_kernel(name):
            result = perft(
                position.root,
                depth,
                method=STRICT if method == STRICT else FAST,
                breakdown=method != NODES,
                threads=threads,
            )
        return result.nodes, result.counts

    return count


@contextmanager
def chosen_kernel(name: str | None) -> Iterator[None]:
    """Let a kernel be the one that runs for a while."""
    before = os.environ.get(VARIABLE)
    if name is not None:
        os.environ[VARIABLE] = name
    try:
        yield
    finally:
        if before is None:
            os.environ.pop(VARIABLE, None)
        else:
            os.environ[VARIABLE] = before
