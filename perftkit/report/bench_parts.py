"""What the tables and documents of all measurements have in common."""

from __future__ import annotations

import textwrap
from dataclasses import asdict
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any

from perftkit.report import SCHEMA
from perftkit.report.text import grouped

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from perftkit.bench.machine import Machine
    from perftkit.bench.results import Spread
    from perftkit.report.console import Terminal
    from perftkit.verify.compare import Difference

__all__ = [
    "document_head",
    "listed",
    "machine_lines",
    "millions",
    "short",
    "spread_cells",
    "spread_values",
    "table_width",
    "write_explanations",
    "write_quiet_remark",
    "write_stopped",
]

FULL_WIDTH = 80  # characters
UNLIMITED = 10_000
QUIET = 0.9  # the least share of the processor that a measurement should have had


def machine_lines(machine: Machine) -> list[str]:
    """Return what a measurement was made on, in words."""
    others = [name for name in machine.kernels if name != machine.kernel]
    also = f"; also here: {', '.join(others)}" if others else ""
    slow = "; slow PEXT" if machine.slow_pext else ""
    flags = f", {machine.flags}" if machine.flags else ""
    cores = "1 core" if machine.cores == 1 else f"{machine.cores} cores"
    return [
        f"Python     {machine.python}, {machine.system}",
        f"processor  {machine.processor}, {cores}{slow}",
        f"kernel     {machine.kernel}: {machine.kernel_reason}{also}",
        f"compiler   {machine.compiler}{flags}",
    ]


def table_width(terminal: Terminal) -> int:
    """Return the room of a table. From 80 columns on nothing is left out: it was asked for."""
    return terminal.width if terminal.width < FULL_WIDTH else UNLIMITED


def write_explanations(terminal: Terminal, texts: Sequence[str]) -> None:
    """Write lines that say what the columns are; wrapped anew where the terminal is narrow."""
    if terminal.width < FULL_WIDTH:
        texts = textwrap.wrap(" ".join(texts), terminal.width, break_on_hyphens=False)
    for text in texts:
        terminal.write((text, "dim"))


def write_quiet_remark(terminal: Terminal, busy: float | None) -> None:
    """Warn when the processor was shared with other programs; nothing when that is not known."""
    if busy is None or busy >= QUIET:
        return
    terminal.write()
    terminal.write(
        (
            f"Other programs were running: this one had {busy:.0%} of a core. Ratios are worth"
            " more than speeds.",
            "yellow",
        )
    )


def write_stopped(terminal: Terminal) -> None:
    """Say that Ctrl-C came too early."""
    terminal.write()
    terminal.write(("stopped early: interrupted, runs are missing", "bold yellow"))


def millions(nps: float) -> str:
    """Return leaves a second in millions."""
    number = nps / 1e6
    return f"{number:,.0f}" if number >= 99.95 else short(number)


def short(number: float) -> str:
    """Return about three figures."""
    digits = 0 if number >= 99.95 else 1 if number >= 9.995 else 2
    return f"{number:.{digits}f}"


def spread_cells(spread: Spread | None) -> list[str]:
    """Return leaves a second as two cells: the median, and the least and the most."""
    if spread is None:
        return ["-", ""]
    return [millions(spread.median), f"{millions(spread.least)}-{millions(spread.most)}"]


def listed(differences: Iterable[Difference]) -> str:
    """Return what is not as published."""
    return "; ".join(
        f"{one.name} {grouped(one.got)}, published {grouped(one.expected)}" for one in differences
    )


def document_head(version: str, machine: Machine, **more: Any) -> dict[str, Any]:
    """Return how every document begins; `more` is said of the machine too."""
    return {
        "perftkit": version,
        "schema": SCHEMA,
        "command": "bench",
        "date": datetime.now(timezone.utc).isoformat(timespec="seconds"),
        "machine": {**asdict(machine), **more},
    }


def spread_values(spread: Spread | None, digits: int = 4) -> dict[str, float] | None:
    """Return a spread for a document; without digits, of integers."""
    if spread is None:
        return None
    values = {"median": spread.median, "least": spread.least, "most": spread.most}
    return {
        name: round(value, digits) if digits else round(value) for name, value in values.items()
    }
