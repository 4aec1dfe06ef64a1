"""A measurement as a table for people, and as JSON."""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING, Any

from perftkit.bench.clocks import CPU, WALL
from perftkit.bench.cycles import TIME_STAMPS
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
from perftkit.report.text import clean, grouped, shortened

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TextIO

    from perftkit.bench.contestants import Contestant
    from perftkit.bench.machine import Machine
    from perftkit.bench.measure import Wrong
    from perftkit.bench.positions import BenchPosition
    from perftkit.bench.results import Results, Spread
    from perftkit.report.console import Terminal

__all__ = ["verdict_lines", "write_json", "write_table"]

# A table against one engine fits in 80 columns.
TITLE = Column("", 20, left=True, fair=8)
KERNEL = Column("kernel", 9, left=True)
THREADS = Column("threads", 7, fair=2)
SPEED = Column("Mn/s", 6)
SPEED_SPREAD = Column("least-most", 11, spare=5)
NANOSECONDS = Column("ns", 5, spare=3)
CYCLES = Column("cycles", 6, spare=4)
INSTRUCTIONS = Column("instr.", 6, spare=6)
RATIO = Column("ratio", 5)
RATIO_SPREAD = Column("least-most", 10, spare=5)
GAIN = Column("gain", 5, spare=2)
GAIN_SPREAD = Column("least-most", 10, spare=5)

MEAN = "geometric mean"


def write_table(
    terminal: Terminal, version: str, machine: Machine, results: Results, cycles: str | None
) -> None:
    """Write a block for each position and one for the geometric means.

    Args:
        terminal: Where to write.
        version: Of perftkit.
        machine: What was measured on.
        results: What was measured.
        cycles: Where cycles come from, as in `perftkit.bench.cycles`; None when nowhere.
    """
    terminal.write((f"perftkit {version}", "bold"))
    for text in machine_lines(machine):
        terminal.write(text)
    terminal.write()
    write_explanations(terminal, _explanations(results, cycles))
    _Table(terminal, results).write()
    _write_remarks(terminal, results)


def _explanations(results: Results, cycles: str | None) -> list[str]:
    runs = "one run" if results.runs == 1 else f"{results.runs} interleaved runs"
    texts = [f"Million leaves a second: the median of {runs}, the least and the most; ns a leaf."]
    if results.clock == CPU:
        texts.append("Seconds are the processor's, not of the clock on the wall.")
    if results.rivals:
        texts.append("Ratio: how many times as fast as the engine in the same run, likewise.")
    if any(map(results.single, results.contestants)):
        texts.append("Gain: how many times as fast as on one thread in the same run, likewise.")
    if cycles == TIME_STAMPS:
        texts.append("Cycles, of a leaf, are ticks of the time stamp counter, at its nominal rate.")
    return texts


class _Table:
    """Lays the numbers out; columns of which nothing is known are left out."""

    def __init__(self, terminal: Terminal, results: Results) -> None:
        self._terminal = terminal
        self._results = results
        pairs = [(p, c) for p in results.positions for c in results.contestants]
        self._has_cycles = any(results.cycles_per_leaf(*pair) for pair in pairs)
        self._has_instructions = any(results.instructions_per_leaf(*pair) for pair in pairs)
        self._has_threads = any(one.threads != 1 for one in results.contestants)
        self._has_gain = any(map(results.single, results.contestants))
        self._ellipsis = "…" if terminal.unicode else "..."
        columns = [TITLE, KERNEL]
        columns += [THREADS] if self._has_threads else []
        columns += [SPEED, SPEED_SPREAD, NANOSECONDS]
        columns += [CYCLES] if self._has_cycles else []
        columns += [INSTRUCTIONS] if self._has_instructions else []
        columns += [GAIN, GAIN_SPREAD] if self._has_gain else []
        for _ in results.rivals:
            columns += [RATIO, RATIO_SPREAD]
        self._layout = Layout(columns, table_width(terminal))
        self._title_width = self._layout.columns[0].width

    def write(self) -> None:
        for position in self._results.positions:
            self._write_head(
                f"{position.name} d{position.task.depth}, {grouped(position.task.nodes)} leaves"
            )
            for contestant in self._results.contestants:
                self._write_measured(position, contestant)
        if len(self._results.positions) > 1:
            self._write_head(MEAN)
            for contestant in self._results.contestants:
                self._write_mean(contestant)

    def _write_head(self, text: str) -> None:
        write = self._terminal.write
        write()
        write((text, "bold"))
        if self._results.rivals and len(self._results.rivals) > 1:
            columns = self._layout.columns
            first = columns.index(RATIO)
            before = sum(column.width + 1 for column in columns[:first])
            ratios = sum(column.width + 1 for column in columns[first:])
            width = ratios // len(self._results.rivals) - 1
            names = [
                f"{shortened(one.title, width, self._ellipsis):>{width}}"
                for one in self._results.rivals
            ]
            write((" " * before + " ".join(names), "dim"))
        write(*self._layout.head("dim"))

    def _write_measured(self, position: BenchPosition, contestant: Contestant) -> None:
        results = self._results
        if wrong := results.wrong_of(position, contestant):
            cells = self._layout.line(self._names(contestant), ["", ""])
            self._terminal.write(*cells, " ", (f"WRONG: {_what_is_wrong(wrong)}", "bold red"))
            return
        single = results.single(contestant)
        self._write_row(
            contestant,
            results.nps(position, contestant),
            results.cycles_per_leaf(position, contestant),
            results.instructions_per_leaf(position, contestant),
            None if single is None else results.ratio(position, contestant, single),
            [results.ratio(position, contestant, rival) for rival in results.rivals],
        )

    def _write_mean(self, contestant: Contestant) -> None:
        results = self._results
        single = results.single(contestant)
        self._write_row(
            contestant,
            results.mean_nps(contestant),
            None,
            None,
            None if single is None else results.mean_ratio(contestant, single),
            [results.mean_ratio(contestant, rival) for rival in results.rivals],
        )

    def _names(self, contestant: Contestant) -> list[str]:
        title = shortened(contestant.title, self._title_width, self._ellipsis)
        return [title, contestant.kernel or "-"]

    def _write_row(
        self,
        contestant: Contestant,
        nps: Spread | None,
        cycles: Spread | None,
        instructions: Spread | None,
        gain: Spread | None,
        ratios: list[Spread | None],
    ) -> None:
        cells = self._names(contestant)
        cells += [str(contestant.threads)] if self._has_threads else []
        cells += _speed_cells(nps)
        cells += [_number(cycles)] if self._has_cycles else []
        cells += [_number(instructions)] if self._has_instructions else []
        if self._has_gain:
            single = self._results.single(contestant)
            cells += ["", ""] if single is None else _ratio_cells(gain)
        for rival, ratio in zip(self._results.rivals, ratios, strict=True):
            cells += ["", ""] if contestant == rival else _ratio_cells(ratio)
        self._terminal.write(*self._layout.line(cells, [""] * len(cells)))


def _speed_cells(nps: Spread | None) -> list[str]:
    return [*spread_cells(nps), "" if nps is None else short(1e9 / nps.median)]


def _number(spread: Spread | None) -> str:
    return "" if spread is None else short(spread.median)


def _ratio_cells(ratio: Spread | None) -> list[str]:
    if ratio is None:
        return ["-", ""]
    return [short(ratio.median), f"{short(ratio.least)}-{short(ratio.most)}"]


def _what_is_wrong(wrong: Wrong) -> str:
    return f"depth {wrong.depth}, {listed(wrong.differences)}"


def _write_remarks(terminal: Terminal, results: Results) -> None:
    if results.clock == WALL:
        write_quiet_remark(terminal, results.busy())
    for text in verdict_lines(results):
        terminal.write()
        terminal.write((text, "bold red"))
    if results.interrupted:
        write_stopped(terminal)


def verdict_lines(results: Results) -> list[str]:
    """Return what is wrong, in sentences for people; nothing when all is well."""
    lines = [f"FAILED: {clean(failed.message)}" for failed in results.failed]
    lines += [
        f"WRONG COUNT of {clean(_who(wrong.contestant))} at {wrong.position.name}: "
        f"{_what_is_wrong(wrong)}"
        for wrong in results.wrong
    ]
    return lines


def _who(contestant: Contestant) -> str:
    kernel = f", {contestant.kernel}" if contestant.kernel else ""
    return f"{contestant.title}{kernel}"


def write_json(
    stream: TextIO, version: str, machine: Machine, results: Results, cycles: str | None
) -> None:
    """Write the document; the arguments are those of `write_table`."""
    document: dict[str, Any] = {
        **document_head(version, machine, cycles=cycles, busy=results.busy()),
        "runs": results.runs,
        "clock": results.clock,
        "positions": [_position(results, position) for position in results.positions],
        "geometric_mean": [
            {
                **_contestant(contestant),
                "nps": spread_values(results.mean_nps(contestant), digits=0),
                "gain": _gain(results, contestant, results.mean_ratio),
                "ratios": {
                    rival.title: spread_values(results.mean_ratio(contestant, rival))
                    for rival in results.rivals
                    if rival != contestant
                },
            }
            for contestant in results.contestants
        ],
        "errors": [
            {"engine": failed.contestant.engine, "message": failed.message}
            for failed in results.failed
        ],
    }
    if results.interrupted:
        document["stopped"] = "interrupted"
    stream.write(json.dumps(document, indent=1) + "\n")


def _position(results: Results, position: BenchPosition) -> dict[str, Any]:
    return {
        "id": position.name,
        "fen": position.fen,
        "depth": position.task.depth,
        "nodes": position.task.nodes,
        "results": [_result(results, position, contestant) for contestant in results.contestants],
    }


def _result(results: Results, position: BenchPosition, contestant: Contestant) -> dict[str, Any]:
    nps = results.nps(position, contestant)
    wrong = results.wrong_of(position, contestant)
    return {
        **_contestant(contestant),
        "status": "mismatch" if wrong else "ok" if nps else "error",
        "seconds": [round(value, 9) for value in results.seconds(position, contestant)],
        "nps": spread_values(nps, digits=0),
        "ns_per_leaf": round(1e9 / nps.median, 4) if nps else None,
        "cycles_per_leaf": spread_values(results.cycles_per_leaf(position, contestant)),
        "gain": _gain(results, contestant, partial(results.ratio, position)),
        "instructions_per_leaf": spread_values(results.instructions_per_leaf(position, contestant)),
        "ratios": {
            rival.title: spread_values(results.ratio(position, contestant, rival))
            for rival in results.rivals
            if rival != contestant
        },
        "differences": [
            {"depth": wrong.depth, "name": one.name, "expected": one.expected, "got": one.got}
            for one in wrong.differences
        ]
        if wrong
        else [],
    }


def _gain(
    results: Results,
    contestant: Contestant,
    ratio: Callable[[Contestant, Contestant], Spread | None],
) -> dict[str, float] | None:
    single = results.single(contestant)
    return None if single is None else spread_values(ratio(contestant, single))


def _contestant(contestant: Contestant) -> dict[str, Any]:
    return {
        "method": contestant.method,
        "kernel": contestant.kernel,
        "threads": contestant.threads,
        "engine": contestant.engine,
        "name": contestant.name,
    }
