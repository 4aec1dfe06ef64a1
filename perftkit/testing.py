"""Assertions for the tests of chess libraries: right counts, right moves, or an explanation.

They are plain functions, for pytest, unittest or anything else:

    from perftkit.testing import assert_moves, assert_perft, check_generator

    def test_the_start_position():
        assert_perft(my_library.perft, STARTPOS, 4)

    def test_castling():
        board = my_library.Board(FEN)
        assert_moves(board.legal_moves, FEN)

    def test_the_whole_suite():
        check_generator(my_library.Board, depth=3)

An AssertionError says what was expected, where the first wrong position is, and which rule is
broken there.
"""

from __future__ import annotations

import io
import time
from collections.abc import Iterable, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from perftkit import __version__
from perftkit.core.exact import FAST
from perftkit.core.perft import MAX_DEPTH, perft
from perftkit.core.position import Position
from perftkit.engines import Answer, PerftEngine, Question
from perftkit.engines.answers import answer_from
from perftkit.engines.parse import MOST_DIGITS, Output, Row
from perftkit.engines.python import FunctionEngine, engine_of, guarded, is_found_again, text_of
from perftkit.engines.text import quoted, without_options
from perftkit.errors import DepthError, EngineError, PerftkitError, SuiteError
from perftkit.report import EngineInfo, RunInfo
from perftkit.report.console import Terminal
from perftkit.report.details import is_failure, title_of
from perftkit.report.failure import FailureInfo, failure_text
from perftkit.report.table import TableRunReporter
from perftkit.report.text import clean, plural
from perftkit.suite.builtin import DEFAULT
from perftkit.suite.model import LONG_NAMES, PERFTKIT, SHORT_NAMES, SuiteRow
from perftkit.suite.nothing import too_little, unknown_id
from perftkit.suite.select import matches
from perftkit.suite.sources import read_suites
from perftkit.verify.check import CheckOptions, check
from perftkit.verify.compare import differences
from perftkit.verify.events import ERROR, MISMATCH, OK, Outcome, Unreadable
from perftkit.verify.explain import UNREPEATED, Explained, causes, diagnosed
from perftkit.verify.explain import explain as explained_failures
from perftkit.verify.failures import Failure, failures
from perftkit.verify.hints import hints
from perftkit.verify.numbers import number_hints
from perftkit.verify.runner import RunOptions
from perftkit.verify.verdict import ExitStatus, Tally, verdict
from perftkit.verify.walk import WalkLimits, WalkResult, judged, result_of, walk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from perftkit.core.perft import PerftResult
    from perftkit.suite.model import SuiteProblem

__all__ = ["Counted", "assert_moves", "assert_perft", "check_generator"]

Counted = int | Mapping[Any, int]
"""Leaves, or the leaves under each move."""

WALK_SECONDS = 60.0
EXPLAIN_SECONDS = 300.0  # for all rows of a suite
MOST_LINES = 20  # about rows that can't be read or that the generator failed at
MOST_NODES = 100_000  # of a count of `check_generator`, since Python counts so many in a second
GIVEN = "what was counted"
ENGINE_IS = "generator="

__tracebackhide__ = True  # in a report of pytest: the line of the caller is what is looked for


def assert_perft(
    generator: object,
    fen: str | Position,
    depth: int,
    expected: Counted | None = None,
    *,
    counts: Mapping[str, int] | None = None,
    chess960: bool | None = None,
) -> None:
    """Assert that a generator counts what perftkit counts.

    >>> from perftkit import KIWIPETE, STARTPOS
    >>> assert_perft(20, STARTPOS, 1)
    >>> assert_perft(2039, KIWIPETE, 2, counts={"castles": 91})
    >>> assert_perft({"e1d1": 1, "e1d2": 1, "e1e2": 1, "e1f2": 1, "e1f1": 1},
    ...              "4k3/8/8/8/8/8/8/4K3 w - - 0 1", 1)

    A generator that can be asked is followed down to the first position where it is wrong.

    Args:
        generator: A function ``function(fen, depth)`` that returns the leaves, or a mapping of each
            move to the leaves under it; a class of boards or a board, with ``legal_moves``,
            ``push`` and ``pop``; a `PerftEngine`, or a text that names one, such as
            ``./my-engine``. Or what was counted already: the leaves, or a mapping of each move to
            the leaves under it.
        fen: The position, as a FEN or a `perftkit.Position`, which is left as it is.
        depth: Plies, 1 to 64.
        expected: A published number, or the published leaves under each move, with which both the
            generator and perftkit must agree.
        counts: The counters that were counted beside the leaves, by the names of JSON
            (``captures``) or EPD (``cap``): they must be perftkit's.
        chess960: As in `perftkit.Position`.

    Raises:
        AssertionError: Something differs, or the generator raises, which is then the cause.
        FenError: The FEN is malformed or its position breaks the rules.
        DepthError: The depth is no integer from 1 to 64.
        SpecError: The generator is nothing that can be asked.
        TypeError: Another argument is of another type.
        ValueError: What was expected is below 0, or there is no counter of a name.
    """
    with _Short():
        _check_depth(depth)
        _check_expected(expected)
        given = _counters(counts)
        case = _Case(fen, depth, chess960)
        cause: BaseException | None = None
        try:
            with _asked(generator) as engine:
                complaint = (
                    _disputed(case, expected)
                    or _wrong_leaves(case, engine, can_walk=not _is_counted(generator))
                    or _wrong_counters(case, given)
                )
        except EngineError as error:
            said = without_options(str(error), ENGINE_IS)
            complaint, cause = f"{said}\nFEN           {case.row.fen}", error
    if complaint is not None:
        raise AssertionError(complaint) from (cause and cause.__cause__)


def assert_moves(
    moves: Iterable[Any], fen: str | Position, *, chess960: bool | None = None
) -> None:
    """Assert that some moves are the legal ones of a position: all, no other, and none twice.

    >>> assert_moves(["Kd1", "Kd2", "Ke2", "Kf2", "Kf1"], "4k3/8/8/8/8/8/8/4K3 w - - 0 1")

    Args:
        moves: Texts in UCI, SAN or long algebraic notation, or objects with a ``uci()`` or whose
            text is one of these.
        fen: The position, as in `assert_perft`.
        chess960: As in `perftkit.Position`.

    Raises:
        AssertionError: They are not.
        FenError: The FEN is malformed or its position breaks the rules.
        TypeError: The moves are no iterable, or one text.
    """
    if isinstance(moves, (str, bytes)) or not isinstance(moves, Iterable):
        shown = _shown(moves) if isinstance(moves, (str, bytes)) else type(moves).__name__
        raise TypeError(f"the moves are a list of texts or of objects, not {shown}")
    with _Short():
        case = _Case(fen, 1, chess960)
    rows = tuple(Row(text_of(move), 1) for move in moves)
    answer = answer_from(Output(rows), case.position, seconds=0.0) if rows else Answer(0, {})
    assert answer is not None
    result = judged(case.position, 1, answer)
    if result.verdict != OK:
        named = EngineInfo("", "the list of moves", ())
        title = "these are not the legal moves of the position"
        raise AssertionError(_text(case, answer, result, named, title=title))


def check_generator(
    generator: object,
    *,
    suite: str | Path | Iterable[str | Path] = DEFAULT,
    depth: int = 4,
    max_nodes: int | None = MOST_NODES,
    ids: str | Iterable[str] = (),
    chess960: bool = False,
    explain: bool = True,
) -> None:
    """Assert that a generator counts every row of a suite rightly.

    All rows are asked, and one AssertionError tells of all that are wrong, grouped by the rule that
    is broken.

    Args:
        generator: Who is asked, as in `assert_perft`; nothing that was counted already.
        suite: A file, or the name of a suite that comes with perftkit, or several of them.
        depth: The deepest depth that is asked.
        max_nodes: Counts with more leaves are left out; None for no limit.
        ids: Shell patterns of which a row's id must match one; without any, every row is asked.
            Each is to match a row.
        chess960: Whether all positions are of Chess960.
        explain: Whether to find out why rows fail, which takes a few more questions for each.

    Raises:
        AssertionError: A count is wrong, the generator failed, or a row can't be read.
        SuiteError: A suite can't be used at all, an id matches no row, or nothing is left to ask.
        DepthError: The depth is no integer from 1 to 64.
        SpecError: The generator is nothing that can be asked.
        EngineError: The engine that a text names can't be started.
        TypeError: Another argument is of another type.
        ValueError: The limit of nodes is not above 0, or no suite is named.
    """
    with _Short():
        _check_depth(depth)
        _check_max_nodes(max_nodes)
        names = [str(name) for name in _several("suite", suite, (str, Path))]
        if not names:
            raise ValueError("suite names no suite")
        options = RunOptions(depth, max_nodes, tuple(map(str, _several("ids", ids, (str,)))))
        items = list(read_suites(names, chess960=chess960))
        shown = ", ".join(Path(name).name for name in names)
        with _asked(generator, counted=False) as engine:
            info = RunInfo(__version__, shown, depth, FAST, PERFTKIT, _info(engine))
            tally = Tally()
            complaint = _suite_complaint(items, info, options, engine, tally, with_causes=explain)
        if complaint is None:
            _check_selection([item for item in items if isinstance(item, SuiteRow)], options, shown)
        if complaint is None and not tally.checked:
            raise SuiteError(f"{shown}: nothing was checked: every count was skipped")
    if complaint is not None:
        raise AssertionError(complaint)


# Arguments.


class _Short:
    """Lets errors of perftkit begin their traceback at the caller's line."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, EngineError):
            error.args = (without_options(str(error), ENGINE_IS),)
        if isinstance(error, PerftkitError):
            raise error.with_traceback(None) from error.__cause__


def _check_depth(depth: object) -> None:
    if isinstance(depth, bool) or not isinstance(depth, int) or not 1 <= depth <= MAX_DEPTH:
        raise DepthError(f"the depth is a whole number from 1 to {MAX_DEPTH}, not {_shown(depth)}")


def _check_max_nodes(max_nodes: object) -> None:
    if max_nodes is not None and _whole(max_nodes, "max_nodes") < 1:
        raise ValueError(f"max_nodes is a whole number above 0, or None, not {_shown(max_nodes)}")


def _check_expected(expected: object) -> None:
    if expected is None:
        return
    what = "the number that is expected"
    for number in expected.values() if isinstance(expected, Mapping) else [expected]:
        if _whole(number, what) < 0:
            raise ValueError(f"{what} is not below 0: {number!r}")


def _whole(number: Any, what: str) -> int:
    """Return a whole number of any type that stands for one."""
    if isinstance(number, (bool, type)) or not hasattr(number, "__index__"):
        raise TypeError(f"{what} is a whole number, not {_shown(number)}")
    found = int(number.__index__())
    if abs(found) >= 10**MOST_DIGITS:
        raise ValueError(f"{what} has more than {MOST_DIGITS} digits")
    return found


def _shown(value: object) -> str:
    """Return a value as Python writes it, in a line that is not too long."""
    try:
        text = repr(value)
    except Exception:  # of an object that is not ours, or of a number of thousands of digits
        text = f"this {type(value).__name__}"
    return quoted(text)[1:-1]


def _several(what: str, given: Any, kinds: tuple[type, ...]) -> list[Any]:
    """Return an argument that is one text, or an iterable of them."""
    is_one = isinstance(given, (*kinds, bytes)) or not isinstance(given, Iterable)
    found = [given] if is_one else list(given)
    for each in found:
        if not isinstance(each, kinds):
            raise TypeError(f"{what} is a text or several, not {_shown(each)}")
        if not str(each):
            raise ValueError(f"{what} has an empty text")
    return found


def _counters(counts: Mapping[str, int] | None) -> dict[str, int]:
    """Return counters by their JSON names."""
    if counts is None:
        return {}
    if not isinstance(counts, Mapping):
        raise TypeError(f"counts is a mapping of counters to numbers, not {_shown(counts)}")
    given: dict[str, int] = {}
    for name, value in counts.items():
        long = _counter(name)
        if long in given:
            raise ValueError(f"{long} is in counts twice, by two of its names")
        given[long] = _whole(value, f"the number of {long}")
    return given


def _counter(name: str) -> str:
    """Return the JSON name of a counter, which may be given by its short one."""
    long = LONG_NAMES.get(name, name)
    if long not in SHORT_NAMES:
        raise ValueError(f"there is no counter {name!r}; there are {', '.join(SHORT_NAMES)}")
    return long


def _check_selection(rows: list[SuiteRow], options: RunOptions, suite: str) -> None:
    """Complain of arguments that leave nothing to ask, so that a slip is no success.

    Raises:
        SuiteError: That is so, or an id matches no row.
    """
    unknown = unknown_id(rows, options.ids)
    if not any(matches(row, options.ids) for row in rows):
        why = unknown or "there is no row"
        raise SuiteError(f"{suite}: no row is selected, so that nothing was checked: {why}")
    limits = (options.depth, "depth="), (options.max_nodes, "max_nodes=")
    nothing = too_little(rows, options.ids, *limits)
    if unknown or nothing:
        raise SuiteError(f"{suite}: {unknown or f'nothing was checked: {nothing}'}")


# Who is asked.


@contextmanager
def _asked(generator: Any, *, counted: bool = True) -> Iterator[PerftEngine]:
    """Yield whoever can be asked; an engine that a text names is opened, and closed at the end.

    Args:
        generator: What was given.
        counted: Whether it may be what was counted already.
    """
    if isinstance(generator, str):
        from perftkit.engines.named import known_engines
        from perftkit.engines.spec import open_engine

        engine = open_engine(generator, engines=known_engines())
        try:
            yield engine
        finally:
            engine.close()
    elif counted and _is_counted(generator):
        yield FunctionEngine(lambda fen, depth: generator, "", GIVEN)
    else:
        yield guarded(engine_of(generator))


def _is_counted(generator: object) -> bool:
    is_number = hasattr(generator, "__index__") and not isinstance(generator, type)
    return is_number or isinstance(generator, Mapping)


def _info(engine: PerftEngine) -> EngineInfo:
    """Return what reports say about an engine; without words where a command can't name it."""
    spec = engine.spec
    is_known = is_found_again(spec) if spec.startswith("py:") else bool(spec)
    words = ("--engine", spec) if is_known else ()
    return EngineInfo(spec, engine.name, words, "timeout of the engine")


# One position.


class _Case:
    """What is asserted about one position."""

    def __init__(self, fen: str | Position, depth: int, chess960: bool | None) -> None:
        if isinstance(fen, Position):
            chess960 = fen.chess960 if chess960 is None else chess960
            fen = fen.fen()
        self.position = Position(fen, chess960=chess960)
        self.depth = depth
        self.row = SuiteRow(
            "the position", " ".join(fen.split()), True if self.position.chess960 else None
        )

    @property
    def question(self) -> Question:
        """Return what is asked."""
        return Question(self.position.fen(), self.depth, (), self.position.chess960)

    @cached_property
    def reference(self) -> PerftResult:
        """Return what perftkit counts, with the breakdown."""
        return perft(self.position, self.depth)


def _disputed(case: _Case, expected: Counted | None) -> str | None:
    """Say that perftkit does not confirm what was expected."""
    if expected is None:
        return None
    engine = FunctionEngine(lambda fen, depth: expected, "", "what was expected")
    answer = engine.ask(case.question)
    result = judged(case.position, case.depth, answer)
    if result.verdict == OK:
        return None
    title = "what was expected is disputed: perftkit's own generator counts otherwise"
    return _text(case, answer, result, _info(engine), title=title)


def _wrong_leaves(case: _Case, engine: PerftEngine, *, can_walk: bool) -> str | None:
    answer = engine.ask(case.question)
    result = judged(case.position, case.depth, answer)
    if result.verdict == OK:
        return None
    if can_walk:
        limits = WalkLimits(deadline=time.monotonic() + WALK_SECONDS)
        walked = result_of(walk(engine, case.position, case.depth, limits=limits))
        result = _kept(result, walked)
    return _text(case, answer, result, _info(engine))


def _kept(first: WalkResult, walked: WalkResult) -> WalkResult:
    """Return what a walk found; where it found nothing, the first answer is what there is."""
    if walked.verdict != OK:
        return walked
    remarks = walked.remarks if walked.stopped else (*walked.remarks, UNREPEATED)
    return replace(first, first_wrong=None, remarks=remarks, stopped=walked.stopped)


def _text(
    case: _Case,
    answer: Answer,
    result: WalkResult,
    engine: EngineInfo,
    *,
    title: str | None = None,
) -> str:
    """Return all that is known about a wrong answer."""
    reference = case.reference
    outcome = Outcome(
        case.row,
        case.depth,
        MISMATCH,
        nodes=answer.nodes,
        expected_nodes=reference.nodes,
        differences=differences(reference.nodes, answer.nodes, {}, {}),
    )
    if result.first_wrong is None or not result.first_wrong.divides:
        words = number_hints(case.position, reference, answer.nodes, answer.counts)
        outcome = replace(outcome, hints=words)
    if not outcome.differences and title is None:
        title = f"depth {case.depth}: the number of leaves is right, under wrong moves"
    # Without a first wrong position, nothing is known but that the numbers differ.
    diagnosis = diagnosed(result) if result.first_wrong is not None else None
    explained = Explained(Failure(case.row, case.depth), result, diagnosis)
    return failure_text(FailureInfo(outcome, engine, explained, title=title))


def _wrong_counters(case: _Case, given: Mapping[str, int]) -> str | None:
    if not given:
        return None
    reference = case.reference
    expected = {name: reference.counts[name] for name in given}
    outcome = Outcome(
        case.row,
        case.depth,
        MISMATCH,
        nodes=reference.nodes,
        expected_nodes=reference.nodes,
        counts=given,
        expected_counts=expected,
        differences=differences(reference.nodes, reference.nodes, expected, given),
        hints=hints(reference.nodes, reference.nodes, expected, given),
    )
    return failure_text(FailureInfo(outcome)) if outcome.differences else None


# A suite.


def _suite_complaint(
    items: Iterable[SuiteRow | SuiteProblem],
    info: RunInfo,
    options: RunOptions,
    engine: PerftEngine,
    tally: Tally,
    *,
    with_causes: bool,
) -> str | None:
    """Return what is wrong in a whole suite; None when all agrees that was checked."""
    stream = io.StringIO()
    terminal = Terminal(stream, color=False)
    reporter = TableRunReporter(terminal, info, explain_option="explain=True")
    reporter.begin()
    failed: list[tuple[SuiteRow, int]] = []
    unasked: list[str] = []
    start = time.perf_counter()
    for event in check(items, CheckOptions(options, id_option="ids="), engine):
        tally.add(event)
        if isinstance(event, Unreadable):
            unasked.append(clean(str(event.problem)))
        elif isinstance(event, Outcome) and is_failure(event):
            reporter.handle(event)
            if event.status == ERROR:
                unasked.append(without_options(title_of(event), ENGINE_IS))
            elif not event.healthy:
                failed.append((event.row, event.depth))
    if verdict(tally) is ExitStatus.AGREED or not (tally.checked or tally.unreadable):
        return None
    if with_causes:
        stream.seek(0)  # the causes stand for the rows
        stream.truncate()
        limits = WalkLimits(deadline=time.monotonic() + EXPLAIN_SECONDS)
        reporter.explain(causes(explained_failures(failures(failed), engine, limits)))
    reporter.end(tally, time.perf_counter() - start, None)
    return "\n".join([_title(tally, info), *_first(unasked), stream.getvalue()]).rstrip("\n")


def _first(lines: list[str]) -> list[str]:
    more = len(lines) - MOST_LINES
    return [*lines[:MOST_LINES], *([f"and {more} more"] if more > 0 else [])]


def _title(tally: Tally, info: RunInfo) -> str:
    parts = [
        f"{number} {what}"
        for number, what in (
            (tally.mismatch, "wrong"),
            (tally.failed, "without an answer"),
            (tally.unreadable, "unreadable"),
        )
        if number
    ]
    who = info.engine.name if info.engine is not None else ""
    return f"{who}, {info.suite}: of {plural(tally.rows, 'count')}, {', '.join(parts)}"
