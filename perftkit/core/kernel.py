"""Which build of the fast walker runs: chosen once, by what the processor has.

The same source is compiled for any processor (``baseline``) and, on x86-64, for those of the level
x86-64-v3. ``PERFTKIT_KERNEL`` asks for one of them by name.
"""

from __future__ import annotations

import os
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Protocol, cast

from perftkit.core import cpu
from perftkit.errors import KernelError

if TYPE_CHECKING:
    from perftkit.core.position import Position
    from perftkit.core.table import HashTable

BASELINE = "baseline"
X86_64_V3 = "x86-64-v3"
_MODULES = {BASELINE: "perftkit.core.fast_baseline", X86_64_V3: "perftkit.core.fast_v3"}


class Kernel(Protocol):
    """One build of the fast walker."""

    def count_nodes(self, position: Position, depth: int, table: HashTable | None = None) -> int:
        """Return the leaves of the tree of `depth` plies, 1 or more."""

    def count(
        self, position: Position, depth: int, table: HashTable | None = None
    ) -> tuple[int, dict[str, int]]:
        """Return the leaves and how many are of each kind."""


def available_kernels() -> tuple[str, ...]:
    """Return the names of the builds that are installed and that this processor can run."""
    if cpu.RUNS_X86_64_V3 and find_spec(_MODULES[X86_64_V3]):
        return (BASELINE, X86_64_V3)
    return (BASELINE,)


def kernel_name() -> str:
    """Return the name of the build that runs.

    Raises:
        KernelError: PERFTKIT_KERNEL asks for one that is not there.
    """
    available = available_kernels()
    wanted = os.environ.get("PERFTKIT_KERNEL")
    if wanted and wanted not in available:
        raise KernelError(
            f"PERFTKIT_KERNEL={wanted}: there is no such kernel here, only {', '.join(available)}"
        )
    if wanted:
        return wanted
    return available[-1] if not cpu.HAS_SLOW_PEXT else BASELINE


@cache
def _load(name: str) -> Kernel:
    return cast("Kernel", import_module(_MODULES[name]))


def kernel() -> Kernel:
    """Return the build of the fast walker that runs; raises as `kernel_name`."""
    return _load(kernel_name())
