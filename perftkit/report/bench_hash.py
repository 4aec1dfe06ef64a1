"""How much each scheme of the hash table is worth, as a table for people and as JSON."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from perftkit.bench.clocks import CPU, WALL
from perftkit.bench.contestants import METHODS
from perftkit.bench.hashed import DEFAULT_SCHEME
from perftkit.report.bench_parts import (
    document_head,
    listed,
    machine_lines,
    short,
    spread_cells,
    spread_values,
    table_width,
    write_explanations,
    write_quiet_remark,
    write_stopped,
)
from perftkit.report.layout import Column, Layout
from perftkit.report.text import clean, grouped

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TextIO

    from perftkit.bench.hashed import HashContestant, HashResults
    from perftkit.bench.machine import Machine
    from perftkit.bench.positions import BenchPosition
    from perftkit.core.hashing import HashRun
    from perftkit.report.console import Terminal

__all__ = ["hash_verdict_lines", "write_hash_json", "write_hash_table"]

# With a column of threads the table still fits in 80 columns.
SCHEME = Column("scheme", 8, left=True)
KERNEL = Column("kernel", 9, left=True)
THREADS = Column("threads", 7, fair=2)
HITS = Column("hits", 6, spare=4)
SPEED = Column("Mn/s", 6)
SPEED_SPREAD = Column("least-most", 13, spare=5)
RATIO = Column("ratio", 5)
SECONDS = Column("s", 6, spare=2)
CPU_SECONDS = Column("CPU s", 6, spare=6)
SETUP = Column("setup", 6, spare=7)
PEAK = Column("MB", 6, spare=3)

EXPLANATIONS = (
    "two-slot keeps the deeper subtree in one slot and always replaces the other; always and",
    "deeper have one slot and do only the one or the other. Each count has a fresh table.",
    "Hits: of the look-ups. Million leaves a second: the median, the least and the most.",
    "Ratio: how many times as fast as two-slot in the same run. Seconds: passed, and of the",
    "processor; setup: in which the system handed out the memory, apart. MB: the peak.",
)


def write_hash_table(
    terminal: Terminal, version: str, machine: Machine, results: HashResults
) -> None:
    """Write a block for each position and method.

    Args:
        terminal: Where to write.
        version: Of perftkit.
        machine: What was measured on.
        results: What was measured.
    """
    terminal.write((f"perftkit {version}", "bold"))
    for text in machine_lines(machine):
        terminal.write(text)
    runs = "one run" if results.runs == 1 else f"{results.runs} interleaved runs, medians"
    terminal.write(f"hash table {grouped(results.megabytes)} MB, {runs}")
    terminal.write()
    write_explanations(terminal, EXPLANATIONS)
    if results.clock == CPU:
        terminal.write(("Leaves a second and ratios are by the processor's seconds.", "dim"))
    _Table(terminal, results).write()
    _write_remarks(terminal, results)


class _Table:
    """Lays the numbers out; columns in which all rows are the same are left out."""

    def __init__(self, terminal: Terminal, results: HashResults) -> None:
        self._terminal = terminal
        self._results = results
        contestants = results.contestants
        self._methods = dict.fromkeys(one.method for one in contestants)
        self._has_kernels = len({one.kernel for one in contestants}) > 1
        self._has_threads = any(one.threads != 1 for one in contestants)
        columns = [SCHEME]
        columns += [KERNEL] if self._has_kernels else []
        columns += [THREADS] if self._has_threads else []
        columns += [HITS, SPEED, SPEED_SPREAD, RATIO, SECONDS, CPU_SECONDS, SETUP, PEAK]
        self._layout = Layout(columns, table_width(terminal))

    def write(self) -> None:
        for position in self._results.positions:
            for method in self._methods:
                self._write_block(position, method)

    def _write_block(self, position: BenchPosition, method: str) -> None:
        task = position.task
        write = self._terminal.write
        write()
        head = f"{position.name} d{task.depth}, {grouped(task.nodes)} leaves; {METHODS[method]}"
        write((head, "bold"))
        write(*self._layout.head("dim"))
        for contestant in self._results.contestants:
            if contestant.method == method:
                self._write_row(position, contestant)

    def _write_row(self, position: BenchPosition, contestant: HashContestant) -> None:
        results = self._results
        cells = [contestant.scheme]
        cells += [contestant.kernel] if self._has_kernels else []
        cells += [str(contestant.threads)] if self._has_threads else []
        if wrong := results.wrong_of(position, contestant):
            spans = self._layout.line(cells, [""] * len(cells))
            said = f"WRONG: {listed(wrong.differences)}"
            self._terminal.write(*spans, " ", (said, "bold red"))
            return
        peak = results.peak_memory(position, contestant)
        ratio = results.ratio(position, contestant)
        cells += [
            self._median(position, contestant, lambda one: one.hit_rate, "{:.1%}"),
            *spread_cells(results.nps(position, contestant)),
            "" if ratio is None else short(ratio.median),
            self._median(position, contestant, lambda one: one.seconds),
            self._median(position, contestant, lambda one: one.cpu_seconds),
            self._median(position, contestant, lambda one: one.setup_seconds),
            "" if peak is None else grouped(peak >> 20),
        ]
        self._terminal.write(*self._layout.line(cells, [""] * len(cells)))

    def _median(
        self,
        position: BenchPosition,
        contestant: HashContestant,
        number: Callable[[HashRun], float],
        form: str | None = None,
    ) -> str:
        spread = self._results.spread(position, contestant, number)
        if spread is None:
            return "-"
        return short(spread.median) if form is None else form.format(spread.median)


def _write_remarks(terminal: Terminal, results: HashResults) -> None:
    if results.clock == WALL:
        write_quiet_remark(terminal, results.busy())
    for text in hash_verdict_lines(results):
        terminal.write()
        terminal.write((text, "bold red"))
    if results.interrupted:
        write_stopped(terminal)


def hash_verdict_lines(results: HashResults) -> list[str]:
    """Return what is wrong, in sentences for people; nothing when all is well."""
    lines = [] if results.failure is None else [f"FAILED: {clean(results.failure)}"]
    lines += [
        f"WRONG COUNT of {wrong.contestant.title} at {wrong.position.name}: depth "
        f"{wrong.position.task.depth}, {listed(wrong.differences)}"
        for wrong in results.wrong
    ]
    return lines


def write_hash_json(stream: TextIO, version: str, machine: Machine, results: HashResults) -> None:
    """Write the document; the arguments are those of `write_hash_table`."""
    document: dict[str, Any] = {
        **document_head(version, machine, busy=results.busy()),
        "hash": results.megabytes,
        "runs": results.runs,
        "clock": results.clock,
        "positions": [_position(results, position) for position in results.positions],
        "errors": [] if results.failure is None else [{"message": results.failure}],
    }
    if results.interrupted:
        document["stopped"] = "interrupted"
    stream.write(json.dumps(document, indent=1) + "\n")


def _position(results: HashResults, position: BenchPosition) -> dict[str, Any]:
    return {
        "id": position.name,
        "fen": position.fen,
        "depth": position.task.depth,
        "nodes": position.task.nodes,
        "results": [_result(results, position, one) for one in results.contestants],
    }


def _result(
    results: HashResults, position: BenchPosition, contestant: HashContestant
) -> dict[str, Any]:
    runs = results.runs_of(position, contestant)
    wrong = results.wrong_of(position, contestant)
    ratio = results.ratio(position, contestant)
    return {
        "method": contestant.method,
        "scheme": contestant.scheme,
        "kernel": contestant.kernel,
        "threads": contestant.threads,
        "status": "mismatch" if wrong else "ok" if runs else "error",
        "seconds": [round(one.seconds, 9) for one in runs],
        "cpu_seconds": [round(one.cpu_seconds, 9) for one in runs],
        "setup_seconds": [round(one.setup_seconds, 9) for one in runs],
        "nps": spread_values(results.nps(position, contestant), digits=0),
        "hit_rate": spread_values(
            results.spread(position, contestant, lambda one: one.hit_rate), digits=6
        ),
        "ratios": {} if ratio is None else {DEFAULT_SCHEME: spread_values(ratio)},
        "statistics": [one.statistics for one in runs],
        "peak_memory": results.peak_memory(position, contestant),
        "differences": [
            {
                "depth": position.task.depth,
                "name": one.name,
                "expected": one.expected,
                "got": one.got,
            }
            for one in wrong.differences
        ]
        if wrong
        else [],
    }
