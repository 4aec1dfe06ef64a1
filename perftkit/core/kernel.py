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
    from perftkit.core.signals import StopFlag
    from perftkit.core.table import HashTable

BASELINE = "baseline"
X86_64_V3 = "x86-64-v3"
VARIABLE = "PERFTKIT_KERNEL"
"""Where a user asks for a build by name."""

KERNELS = (BASELINE, X86_64_V3)
_MODULES = {BASELINE: "perftkit.core.fast_baseline", X86_64_V3: "perftkit.core.fast_v3"}


class Kernel(Protocol):
    """One build of the fast walker."""

    def count_nodes(
        self,
        position: Position,
        depth: int,
        stop: StopFlag | None = None,
        table: HashTable | None = None,
    ) -> int:
        """Return the leaves of the tree of `depth` plies, 1 or more.

        A table is used if one is given.

        Raises:
            StoppedError: The flag was raised.
        """

    def count(
        self,
        position: Position,
        depth: int,
        stop: StopFlag | None = None,
        table: HashTable | None = None,
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
    wanted = os.environ.get(VARIABLE)
    if wanted:
        return _checked(wanted, f"{VARIABLE}={wanted}")
    return available_kernels()[-1] if not cpu.HAS_SLOW_PEXT else BASELINE


def kernel_reason() -> str:
    """Return why `kernel_name` is what it is, for people; raises as `kernel_name`."""
    name, available = kernel_name(), available_kernels()
    if os.environ.get(VARIABLE):
        return f"{VARIABLE} asks for it"
    if name == X86_64_V3:
        return "this processor has BMI2, AVX2 and POPCNT"
    if X86_64_V3 in available:
        return f"this processor's PEXT is too slow for {X86_64_V3}"
    if find_spec(_MODULES[X86_64_V3]):
        return f"this processor lacks instructions of {X86_64_V3}"
    return "no other was built for this kind of processor"


def _checked(name: str, asked: str) -> str:
    available = available_kernels()
    if name not in available:
        raise KernelError(f"{asked}: there is no such kernel here, only {', '.join(available)}")
    return name


@cache
def _load(name: str) -> Kernel:
    return cast("Kernel", import_module(_MODULES[name]))


def kernel(name: str | None = None) -> Kernel:
    """Return a build of the fast walker.

    Args:
        name: One of `available_kernels`; None for the one that runs.

    Raises:
        KernelError: That one is not there.
    """
    return _load(kernel_name() if name is None else _checked(name, f"kernel {name!r}"))
