"""What a measurement was made on, since a speed alone says little about anybody else's computer."""

from __future__ import annotations

import platform
import sys
from dataclasses import dataclass
from pathlib import Path

from perftkit.core import cpu
from perftkit.core.crew import available_threads
from perftkit.core.kernel import available_kernels, kernel_name, kernel_reason

__all__ = ["Machine", "this_machine"]


@dataclass(frozen=True, slots=True)
class Machine:
    """What there is here.

    Attributes:
        python: Implementation and version, and whether it is free-threaded.
        system: Operating system and architecture.
        processor: Its name, or the architecture where the system does not tell.
        cores: How many of them this process may use.
        kernel: The build of the fast walker that runs.
        kernel_reason: Why that one.
        kernels: Those that could run.
        slow_pext: Whether the processor carries PEXT out slowly.
        compiler: What compiled the core.
        flags: What the compiler was told beyond Python's own flags.
    """

    python: str
    system: str
    processor: str
    cores: int
    kernel: str
    kernel_reason: str
    kernels: tuple[str, ...]
    slow_pext: bool
    compiler: str
    flags: str


def this_machine() -> Machine:
    """Look at what there is; raises as `perftkit.core.kernel.kernel_name`."""
    return Machine(
        python=_python(),
        system=f"{platform.system()} {platform.machine()}",
        processor=_processor(),
        cores=available_threads(),
        kernel=kernel_name(),
        kernel_reason=kernel_reason(),
        kernels=available_kernels(),
        slow_pext=cpu.HAS_SLOW_PEXT,
        compiler=cpu.COMPILER,
        flags=cpu.FLAGS,
    )


def _python() -> str:
    locked = getattr(sys, "_is_gil_enabled", lambda: True)()
    return (
        f"{platform.python_implementation()} {platform.python_version()}"
        f"{'' if locked else ', free-threaded'}"
    )


def _processor() -> str:
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
    except OSError:
        text = ""
    for line in text.splitlines():
        name, _, value = line.partition(":")
        if name.strip() == "model name" and value.strip():
            return " ".join(value.split())
    return platform.processor() or platform.machine() or "unknown"
