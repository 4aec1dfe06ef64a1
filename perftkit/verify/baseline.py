"""An earlier run, and what has changed since: new failures, fixed ones, speed."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

from perftkit.errors import BaselineError
from perftkit.suggest import unfilled
from perftkit.verify.events import ERROR, MISMATCH, OK, SKIPPED, Outcome

if TYPE_CHECKING:
    from collections.abc import Sequence

    from perftkit.suite.model import SuiteRow
    from perftkit.verify.events import Event

__all__ = [
    "Baseline",
    "Change",
    "Comparer",
    "Comparison",
    "Earlier",
    "RowSpeed",
    "Speed",
    "read_baseline",
]

SCHEMA = 1
MAKE_ONE = "make one with perftkit run --report json=FILE"
STATUSES = (OK, MISMATCH, ERROR, SKIPPED)
MOST_KEPT = 1000  # changes that are named

MOST_SECONDS = 1e9  # of a row: thirty years
LEAST_SECONDS = 0.001  # of a row, before its speed is believed
FEWEST_ROWS = 5  # with such a time
LEAST_TOTAL = 0.25  # seconds of all of them: what else the machine does can slow a shorter run
LEAST_ROW_DELAY = 0.05  # seconds: waiting for a processor alone makes a difference of less
LEAST_CHANGE = math.log(1.05)  # of the whole, whatever the noise
LEAST_ROW_CHANGE = math.log(1.5)  # of one row against the others
STANDARD_ERRORS = 3.0
ROW_DEVIATIONS = 4.0
DEVIATION = 1.4826  # of a normal distribution, as a multiple of its median absolute deviation
MEDIAN_ERROR = 1.2533  # standard error of a median, as a multiple of that of the mean: sqrt(pi / 2)


@dataclass(frozen=True, slots=True)
class Earlier:
    """A row and depth of the earlier run.

    Attributes:
        status: As in `perftkit.verify.events`.
        nodes: Leaves counted; None when it was skipped or failed.
        seconds: How long that took.
    """

    status: str
    nodes: int | None
    seconds: float

    @property
    def has_failed(self) -> bool:
        """Whether it differed, or the engine gave no answer."""
        return self.status in (MISMATCH, ERROR)


class Baseline:
    """What an earlier run found, by position and depth.

    Attributes:
        name: The file.
        engine: The spec of the engine under test; None for the built-in generator.
    """

    def __init__(self, name: str, engine: str | None) -> None:
        """Know no rows yet."""
        self.name = name
        self.engine = engine
        self._rows: dict[tuple[str, int, str], Earlier] = {}
        self._ids: dict[tuple[str, int], str | None] = {}

    def add(self, id: str, fen: str, depth: int, earlier: Earlier) -> None:
        """Add a row."""
        self._rows[fen, depth, id] = earlier
        several = (fen, depth) in self._ids and self._ids[fen, depth] != id
        self._ids[fen, depth] = None if several else id

    def find(self, row: SuiteRow, depth: int) -> tuple[tuple[str, int, str], Earlier] | None:
        """Return the row's key and what it was: that of its id, or the only one of its position."""
        key = row.fen, depth, row.id
        if key not in self._rows:
            id = self._ids.get(key[:2])
            if id is None:
                return None
            key = row.fen, depth, id
        return key, self._rows[key]

    def counted(self) -> int:
        """Return how many rows were not skipped."""
        return sum(earlier.status != SKIPPED for earlier in self._rows.values())


def read_baseline(path: str) -> Baseline:
    """Read what `perftkit run` wrote as ``json`` or ``ndjson``.

    Raises:
        BaselineError: It can't be read, or is something else; says where.
    """
    try:
        content = Path(path).read_bytes()
        text = content.decode(json.detect_encoding(content))
    except UnicodeDecodeError:
        raise BaselineError(f"{path} is no JSON: it is no text") from None
    except (OSError, ValueError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        ends = unfilled(str(path)) if isinstance(error, FileNotFoundError) else ""
        raise BaselineError(f"{path} can't be read: {reason}{ends}") from None
    text = text.removeprefix("\N{ZERO WIDTH NO-BREAK SPACE}")
    first = text.lstrip().partition("\n")[0]
    if '"type"' in first and first.rstrip().endswith("}"):
        return _from_lines(path, text)
    return _from_document(path, _parsed(text, path, 0))


def _parsed(text: str, path: str, line: int) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        where = f"line {line + error.lineno}, column {error.colno}"
        raise BaselineError(f"{path} is no JSON: {where}: {error.msg}; {MAKE_ONE}") from None
    except (ValueError, RecursionError) as error:
        raise BaselineError(f"{path} is no JSON of perftkit run: {error}") from None


def _from_document(path: str, document: Any) -> Baseline:
    baseline = _begun(path, document)
    positions = _field(document, "positions", list, path)
    for number, position in enumerate(positions, 1):
        where = f"{path}: position {number}"
        id, fen = (_field(position, name, str, where) for name in ("id", "fen"))
        for row in _field(position, "rows", list, where):
            _add(baseline, id, fen, row, where)
    return baseline


def _from_lines(path: str, text: str) -> Baseline:
    baseline: Baseline | None = None
    for number, line in enumerate(text.split("\n"), 1):  # JSON may hold other line ends
        if not line.strip():
            continue
        entry, where = _parsed(line, path, number - 1), f"{path}: line {number}"
        if baseline is None:
            baseline = _begun(path, entry)
        elif _field(entry, "type", str, where) == "row":
            id, fen = (_field(entry, name, str, where) for name in ("id", "fen"))
            _add(baseline, id, fen, entry, where)
    assert baseline is not None
    return baseline


def _begun(path: str, head: Any) -> Baseline:
    if not isinstance(head, dict) or head.get("command") != "run":
        raise BaselineError(f"{path} is no result of a run: {MAKE_ONE}")
    if head.get("schema") != SCHEMA:
        raise BaselineError(f"{path}: schema {head.get('schema')!r} is not {SCHEMA}")
    engine = head.get("engine")
    return Baseline(path, engine if isinstance(engine, str) else None)


def _add(baseline: Baseline, id: str, fen: str, row: Any, where: str) -> None:
    depth, status = _field(row, "depth", int, where), _field(row, "status", str, where)
    if status not in STATUSES:
        raise BaselineError(f"{where}: status is {status!r}, expected {', '.join(STATUSES)}")
    nodes = row.get("nodes")
    if nodes is not None:
        nodes = _field(row, "nodes", int, where)
    try:
        seconds = float(_field(row, "seconds", (int, float), where))
    except OverflowError:  # an integer
        seconds = math.inf
    if not 0 <= seconds < MOST_SECONDS:
        raise BaselineError(f"{where}: seconds is {seconds}, expected a time")
    baseline.add(id, fen, depth, Earlier(status, nodes, seconds))


def _field(entry: Any, name: str, kind: type | tuple[type, ...], where: str) -> Any:
    value = entry.get(name) if isinstance(entry, dict) else None
    if not isinstance(value, kind) or isinstance(value, bool):
        kinds = {str: "a text", int: "an integer", list: "a list"}
        expected = kinds.get(kind, "a number") if isinstance(kind, type) else "a number"
        raise BaselineError(f"{where}: {name} is missing or not {expected}")
    return value


@dataclass(frozen=True, slots=True)
class Change:
    """A row and depth that fails now and did not, or the other way round.

    Attributes:
        row: The row.
        depth: Plies.
        before: Its status in the earlier run.
        after: Its status in this one.
    """

    row: SuiteRow
    depth: int
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class RowSpeed:
    """The speed of a row and depth, against that of the earlier run.

    Attributes:
        row: The row.
        depth: Plies.
        ratio: Of the leaves a second now to those then; below 1 it is slower.
    """

    row: SuiteRow
    depth: int
    ratio: float


@dataclass(frozen=True, slots=True)
class Speed:
    """How the speed has changed.

    Attributes:
        rows: How many rows it is taken from.
        ratio: The median of their ratios of leaves a second, now to then; below 1 it is slower.
        noise: By how large a factor the median may be off: three standard errors of a median, at
            least 1.05.
        outliers: Rows that have changed otherwise than the rest, the slowest first.
    """

    rows: int
    ratio: float
    noise: float
    outliers: tuple[RowSpeed, ...]

    @property
    def is_beyond_noise(self) -> bool:
        """Whether the change is larger than the noise."""
        return not 1 / self.noise <= self.ratio <= self.noise


@dataclass(frozen=True, slots=True)
class Comparison:
    """A run against an earlier one.

    Attributes:
        baseline: The file of the earlier run.
        engine: Its engine.
        engine_now: The engine of this run.
        new: How many rows fail that did not.
        fixed: How many rows do not fail that did.
        still: How many rows fail as before.
        changed: How many of those count another number of leaves than before.
        added: How many rows were counted that the earlier run did not count.
        gone: How many rows the earlier run counted and this one did not.
        new_failures: The first of those that are new.
        fixed_failures: The first of those that are fixed.
        speed: How it has changed; None where too few rows take long enough to tell.
    """

    baseline: str
    engine: str | None
    engine_now: str | None
    new: int
    fixed: int
    still: int
    changed: int
    added: int
    gone: int
    new_failures: tuple[Change, ...]
    fixed_failures: tuple[Change, ...]
    speed: Speed | None


@dataclass(frozen=True, slots=True)
class _Timed:
    """The times of a row and depth in both runs."""

    row: SuiteRow
    depth: int
    then: float
    now: float

    @property
    def change(self) -> float:
        """Return the logarithm of the leaves a second now to those then."""
        return math.log(self.then / self.now)


class Comparer:
    """Takes the events of a run and holds them against an earlier one."""

    def __init__(self, baseline: Baseline, engine: str | None = None) -> None:
        """Know nothing of the run yet.

        Args:
            baseline: The earlier run.
            engine: The spec of the engine that is checked now; None for the built-in generator.
        """
        self._baseline = baseline
        self._engine = engine
        self._met: set[tuple[str, int, str]] = set()
        self._new: list[Change] = []
        self._fixed: list[Change] = []
        self._numbers = dict.fromkeys(("new", "fixed", "still", "changed", "added"), 0)
        self._timed: list[_Timed] = []

    def take(self, event: Event) -> None:
        """Compare an outcome; the other events say nothing."""
        if not isinstance(event, Outcome) or event.status == SKIPPED:
            return
        found = self._baseline.find(event.row, event.depth)
        if found is None or found[1].status == SKIPPED:
            self._numbers["added"] += 1
            return
        key, earlier = found
        self._met.add(key)
        now = Earlier(event.status, event.nodes, event.seconds)
        if earlier.has_failed or now.has_failed:
            self._take_failure(event, earlier, now)
        elif min(earlier.seconds, now.seconds) >= LEAST_SECONDS and earlier.nodes == now.nodes:
            self._timed.append(_Timed(event.row, event.depth, earlier.seconds, now.seconds))

    def _take_failure(self, outcome: Outcome, earlier: Earlier, now: Earlier) -> None:
        change = Change(outcome.row, outcome.depth, earlier.status, now.status)
        if not earlier.has_failed:
            self._count("new", self._new, change)
        elif not now.has_failed:
            self._count("fixed", self._fixed, change)
        else:
            self._numbers["still"] += 1
            self._numbers["changed"] += earlier.nodes != now.nodes

    def _count(self, name: str, kept: list[Change], change: Change) -> None:
        self._numbers[name] += 1
        if len(kept) < MOST_KEPT:
            kept.append(change)

    def comparison(self) -> Comparison:
        """Return what has changed."""
        return Comparison(
            self._baseline.name,
            self._baseline.engine,
            self._engine,
            **self._numbers,
            gone=self._baseline.counted() - len(self._met),
            new_failures=tuple(self._new),
            fixed_failures=tuple(self._fixed),
            speed=_speed(self._timed),
        )


def _speed(timed: Sequence[_Timed]) -> Speed | None:
    total = min(sum(each.then for each in timed), sum(each.now for each in timed))
    if len(timed) < FEWEST_ROWS or total < LEAST_TOTAL:
        return None
    middle = median(each.change for each in timed)
    deviation = DEVIATION * median(abs(each.change - middle) for each in timed)
    error = MEDIAN_ERROR * deviation / math.sqrt(len(timed))
    noise = max(LEAST_CHANGE, STANDARD_ERRORS * error)
    far = max(LEAST_ROW_CHANGE, ROW_DEVIATIONS * deviation)
    outliers = sorted(
        (RowSpeed(each.row, each.depth, math.exp(each.change)) for each in timed
         if abs(each.change - middle) > far and abs(each.then - each.now) > LEAST_ROW_DELAY),
        key=lambda each: each.ratio,
    )  # fmt: skip
    return Speed(len(timed), math.exp(middle), math.exp(noise), tuple(outliers[:MOST_KEPT]))
