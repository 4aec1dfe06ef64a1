"""Finding what is wrong with a suite itself."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from perftkit.core.perft import perft
from perftkit.core.position import Position
from perftkit.suite.convention import comparable
from perftkit.suite.model import OPTIONAL, SHORT_NAMES, SuiteProblem
from perftkit.suite.plausible import impossible_counts, impossible_position
from perftkit.suite.reader import read_suite

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from perftkit.core.perft import PerftResult
    from perftkit.suite.model import Expectation, SuiteRow

__all__ = ["ERROR", "KNOWN_OPCODES", "WARNING", "Finding", "lint"]

ERROR = "error"
WARNING = "warning"

OWN_NOTES = ("source", "note", "impossible", "disputed", OPTIONAL)
# fmt: off
EPD_OPCODES = (
    "acd", "acms", "acn", "acs", "am", "bm", "ce", "dm", "draw_accept", "draw_claim", "draw_offer",
    "draw_reject", "eco", "fmvn", "hmvc", "nic", "noop", "pm", "pv", "rc", "resign", "sm", "tcgs",
    "tcri", "tcsi", *(f"{letter}{digit}" for letter in "cv" for digit in range(10)),
)
# fmt: on
KNOWN_OPCODES = frozenset((*OWN_NOTES, *EPD_OPCODES))

# While a depth is recounted its shallower ones are too, so that a small wrong number in front of a
# huge tree ends the recount early instead of running for years.
MOST_TIMES_LARGER = 20


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that a suite should not have.

    Attributes:
        severity: `ERROR` for what is surely wrong, `WARNING` for what deserves a look.
        file: The file as it is to be shown.
        line: Counted from 1.
        column: Counted from 1.
        code: The kind: ``malformed``, ``duplicate-id``, ``duplicate-position``,
            ``contradiction``, ``impossible-position``, ``impossible-count``, ``unknown-opcode``
            or ``wrong-count``.
        message: A sentence for the user.
    """

    severity: str
    file: str
    line: int
    column: int
    code: str
    message: str

    def __str__(self) -> str:
        return (
            f"{self.file}:{self.line}:{self.column}: {self.severity}: {self.message} [{self.code}]"
        )


def lint(
    sources: Iterable[str | Path], *, verify: int | None = None, chess960: bool = False
) -> Iterator[Finding]:
    """Yield the findings of some suites, in the order of their rows.

    A row with the opcode ``impossible`` means its position so and gets no warning for it.

    Args:
        sources: Paths, or ``-`` for standard input. Rows are compared across files too.
        verify: Recount every depth that claims at most so many nodes; None recounts nothing.
        chess960: Whether all positions are of Chess960.

    Raises:
        SuiteError: A file can't be used at all.
    """
    seen = _Seen()
    for source in sources:
        for item in read_suite(source, chess960=chess960):
            if isinstance(item, SuiteProblem):
                yield Finding(ERROR, item.file, item.line, item.column, "malformed", item.message)
            else:
                yield from _lint_row(item, seen, verify)


def _lint_row(row: SuiteRow, seen: _Seen, verify: int | None) -> Iterator[Finding]:
    position = Position(row.fen, chess960=row.chess960)
    yield from seen.compare(row, position)
    for name in row.notes:
        if name not in KNOWN_OPCODES:
            yield _finding(WARNING, row, "unknown-opcode", f"no opcode is called {name!r}")
    if "impossible" not in row.notes:
        for reason in impossible_position(position):
            yield _finding(WARNING, row, "impossible-position", reason)
    for expected in row.expectations:
        if expected.depth == 1 and "impossible" in row.notes:
            continue
        for reason in impossible_counts(expected):
            yield _finding(ERROR, row, "impossible-count", f"depth {expected.depth}: {reason}")
    if verify is not None:
        yield from _recount(row, position, verify)


def _finding(severity: str, row: SuiteRow, code: str, message: str) -> Finding:
    return Finding(severity, row.file, row.line, 1, code, f"{row.id}: {message}")


@dataclass(slots=True)
class _Known:
    """What the rows of one position have said so far."""

    place: str
    conventions: set[str]
    nodes: dict[int, tuple[int, str]] = field(default_factory=dict)
    counts: dict[tuple[str, int, str], tuple[int, str]] = field(default_factory=dict)


@dataclass(slots=True)
class _Seen:
    """What all rows so far have said, to find repetitions and contradictions."""

    ids: dict[str, str] = field(default_factory=dict)
    positions: dict[str, _Known] = field(default_factory=dict)

    def compare(self, row: SuiteRow, position: Position) -> Iterator[Finding]:
        place = f"{row.file}:{row.line}"
        first = self.ids.setdefault(row.id, place)
        if first != place:
            yield _finding(WARNING, row, "duplicate-id", f"{first} has the same id")
        known = self.positions.setdefault(_identity(position), _Known(place, set()))
        if row.convention in known.conventions:
            message = f"{known.place} has the same position"
            yield _finding(WARNING, row, "duplicate-position", message)
        known.conventions.add(row.convention)
        for expected in row.expectations:
            for message in _contradictions(known, row.convention, expected, place):
                yield _finding(ERROR, row, "contradiction", message)


def _identity(position: Position) -> str:
    """The same text for positions that have the same tree, however their FENs are written."""
    fields = Position(position.fen(), chess960=True).fen().split()[:4]
    if not any(move.is_en_passant for move in position.legal_moves()):
        fields[3] = "-"
    return " ".join(fields)


def _contradictions(
    known: _Known, convention: str, expected: Expectation, place: str
) -> Iterator[str]:
    nodes, where = known.nodes.setdefault(expected.depth, (expected.nodes, place))
    if nodes != expected.nodes:
        yield f"depth {expected.depth} has {expected.nodes} nodes, {where} says {nodes}"
    for name, count in expected.counts.items():
        before, where = known.counts.setdefault((convention, expected.depth, name), (count, place))
        if before != count:
            short = SHORT_NAMES[name]
            yield f"depth {expected.depth} has {short}={count}, {where} says {before}"


def _recount(row: SuiteRow, position: Position, most: int) -> Iterator[Finding]:
    wanted = {given.depth: given for given in row.expectations if given.nodes <= most}
    for depth in range(max(wanted, default=-1) + 1):
        result = perft(position, depth)
        if depth in wanted:
            for message in _differences(row, wanted[depth], result):
                yield _finding(ERROR, row, "wrong-count", f"depth {depth}: {message}")
        if result.nodes > MOST_TIMES_LARGER * max(most, 1) and depth < max(wanted):
            message = (
                f"depth {depth} has {result.nodes} nodes, so depth {max(wanted)} has not so few"
            )
            yield _finding(ERROR, row, "wrong-count", message)
            return


def _differences(row: SuiteRow, expected: Expectation, result: PerftResult) -> Iterator[str]:
    if expected.nodes != result.nodes:
        yield f"{expected.nodes} nodes, counted {result.nodes}"
    given, counted = comparable(expected.counts, result.counts, row_convention=row.convention)
    for name, count in given.items():
        if counted.get(name, 0) != count:
            yield f"{SHORT_NAMES[name]}={count}, counted {counted.get(name, 0)}"
