"""`perftkit divide` against an engine, or against what one has printed."""

from __future__ import annotations

import math
import sys
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from perftkit import __version__
from perftkit.cli.interrupts import Interrupts
from perftkit.cli.output import Messages, is_piped
from perftkit.cli.reports import Outputs
from perftkit.core.position import Position
from perftkit.engines.builtin import BuiltinGenerator
from perftkit.report import EngineInfo, WalkInfo
from perftkit.report.commands import divide_command
from perftkit.report.formats import write_walk
from perftkit.suggest import unfilled
from perftkit.verify.compare import compare_answer
from perftkit.verify.diagnosis import LIKELY
from perftkit.verify.events import ERROR, OK
from perftkit.verify.explain import diagnosed
from perftkit.verify.verdict import ExitStatus
from perftkit.verify.walk import Reached, WalkResult, judged, reference_children, suspects, walk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from perftkit.cli.options import EngineChoice
    from perftkit.cli.reports import Destination
    from perftkit.core.perft import PerftResult
    from perftkit.engines import Answer, PerftEngine
    from perftkit.engines.settings import EngineSettings
    from perftkit.report.console import Terminal
    from perftkit.verify.diagnosis import Diagnosis
    from perftkit.verify.walk import WalkEvent

__all__ = ["Request", "compare_with_engine", "compare_with_paste", "opened", "published_counts"]

LARGEST_PASTE = 8_000_000  # bytes; a division has a few hundred lines
DEEPEST_GUESS = 8
MOST_NODES_GUESSED = 2_000_000_000
INTERRUPTED = "interrupted"
WITH_COUNTERS = ("json", "html")  # formats that show the breakdown under each move


@dataclass(frozen=True, slots=True)
class Request:
    """What is to be divided and how the result is written.

    Attributes:
        fen: The root.
        chess960: Whether it is one of Chess960.
        moves: What is played first, as UCI text.
        depth: Plies.
        depth_given: Whether the depth was asked for, rather than being the default.
        places: Where the result goes, and in which format; the main place first.
        color: Whether to write colours.
    """

    fen: str
    chess960: bool
    moves: tuple[str, ...]
    depth: int
    depth_given: bool
    places: tuple[Destination, ...]
    color: bool | None

    @property
    def root(self) -> Position:
        """Return the root."""
        return Position(self.fen, chess960=self.chess960 or None)

    @property
    def position(self) -> Position:
        """Return the position after the moves."""
        position = self.root
        for move in self.moves:
            position.push(move)
        return position


def compare_with_engine(request: Request, choice: EngineChoice) -> int:
    """Walk to the first wrong position, write the report, and return the exit status."""
    with ExitStack() as stack, Interrupts() as interrupts:
        try:
            engine = opened(choice, stack, interrupts)
        except KeyboardInterrupt:
            _interrupted_at_once(request, choice)
            return interrupts.status
        info = EngineInfo(choice.spec, engine.name, choice.words)
        errors = Messages(color=request.color)
        shown = errors if errors.is_terminal and not is_piped(request.places[0].file) else None
        published = published_counts(request.position)
        events = walk(engine, request.root, request.depth, moves=request.moves, published=published)
        with Outputs(request.places) as outputs:
            result, stopped = _followed(events, interrupts, shown)
            _write(outputs, _walk_info(request, info, result, stopped), request.color)
        outputs.complain()
    return interrupts.status if stopped is not None else _status(result)


def _interrupted_at_once(request: Request, choice: EngineChoice) -> None:
    """Report that Ctrl-C came before it was found out how the engine is asked."""
    info = EngineInfo(choice.spec, choice.spec, choice.words)
    with Outputs(request.places) as outputs:
        _write(outputs, _walk_info(request, info, WalkResult(ERROR), INTERRUPTED), request.color)
    outputs.complain()


def opened(choice: EngineChoice, stack: ExitStack, interrupts: Interrupts) -> PerftEngine:
    """Return the engine, which has found out what it can do; Ctrl-C is felt meanwhile.

    Raises:
        PerftkitError: It can't be opened, or it can't count.
        KeyboardInterrupt: Ctrl-C.
    """

    def steps() -> Iterator[PerftEngine]:
        engine = stack.enter_context(closing(choice.open()))
        assert engine.abilities is not None
        yield engine

    engine = interrupts.next(steps())
    assert engine is not None
    return engine


def published_counts(position: Position) -> dict[int, int]:
    """Return what the embedded suite gives for a position, by depth."""
    from perftkit.suite.builtin import DEFAULT, resolve
    from perftkit.suite.model import SuiteRow
    from perftkit.suite.reader import read_suite

    fields = position.fen().split()[:4]
    for row in read_suite(resolve(DEFAULT)):
        if isinstance(row, SuiteRow) and row.fen.split()[:4] == fields:
            return {given.depth: given.nodes for given in row.expectations}
    return {}


def _followed(
    events: Iterator[WalkEvent], interrupts: Interrupts, shown: Terminal | None
) -> tuple[WalkResult, str | None]:
    """Return where a walk ends, and why it was broken off; show its steps to a person."""
    from perftkit.report.walk import write_step

    last: Reached | None = None
    try:
        while (event := interrupts.next(events)) is not None:
            if isinstance(event, WalkResult):
                return event, None
            last = event if isinstance(event, Reached) else last
            if shown is not None:
                write_step(shown, event)
    except KeyboardInterrupt:
        pass
    if last is None:
        return WalkResult(ERROR), INTERRUPTED
    return WalkResult(ERROR), f"{INTERRUPTED}; wrong at depth {last.depth} of {last.fen}"


def _walk_info(
    request: Request, engine: EngineInfo, result: WalkResult, stopped: str | None
) -> WalkInfo:
    children: dict[str, PerftResult] = {}
    if result.depth and any(place.format in WITH_COUNTERS for place in request.places):
        children = dict(BuiltinGenerator().children(request.position, result.depth))
    return WalkInfo(
        version=__version__,
        fen=request.fen,
        chess960=request.chess960,
        moves=request.moves,
        asked_depth=request.depth,
        engine=engine,
        result=result,
        children=children,
        diagnosis=None if stopped is not None or result.verdict == OK else diagnosed(result),
        stopped=stopped,
    )


def _status(result: WalkResult) -> int:
    if result.error is not None or result.answer is None:
        return ExitStatus.ENGINE_FAILED
    if result.verdict == OK and not result.disputed:
        return ExitStatus.AGREED
    return ExitStatus.DIFFERS


def _write(outputs: Outputs, info: WalkInfo, color: bool | None) -> None:
    outputs.each(lambda place, stream: write_walk(place.format, stream, info, color=color))


# What an engine has printed.


def compare_with_paste(request: Request, name: str, settings: EngineSettings) -> int:
    """Compare a printed division with the right one, and return the exit status.

    Args:
        request: What was divided.
        name: The file, or ``-``.
        settings: How to read it, where it has a shape of its own.
    """
    from perftkit.engines.answers import answer_from
    from perftkit.engines.parse import parse_output

    output = parse_output(
        _pasted(name),
        request.depth,
        divide_pattern=settings.divide_regex,
        total_pattern=settings.total_regex,
    )
    position = request.position
    answer = answer_from(output, position, seconds=0.0)
    if answer is None:
        raise click.ClickException(
            f"{'standard input' if name == '-' else name}: no line has a move and a count, as"
            " 'e2e4: 600', and none has a total; paste what the engine prints for its division,"
            " or say how to read it: --divide-pattern"
        )
    depth = request.depth if request.depth_given else _guessed_depth(position, answer)
    result = judged(position, depth, answer)
    info = _walk_info(request, EngineInfo("", "the pasted division", ()), result, None)
    info = _about_paste(replace(info, next_command=_next_command(position, result, settings)))
    with Outputs(request.places) as outputs:
        _write(outputs, info, request.color)
    outputs.complain()
    return _status(result)


def _pasted(name: str) -> str:
    try:
        if name == "-":
            if sys.stdin is None:
                raise click.ClickException("standard input is closed")
            text = sys.stdin.buffer.read(LARGEST_PASTE + 1)
        else:
            with Path(name).open("rb") as stream:
                text = stream.read(LARGEST_PASTE + 1)
    except (OSError, ValueError) as error:
        ends = unfilled(name) if isinstance(error, FileNotFoundError) else ""
        raise click.ClickException(f"{name} can't be read: {_reason(error)}{ends}") from None
    if len(text) > LARGEST_PASTE:
        raise click.ClickException(f"{name} is no division: it has more than {LARGEST_PASTE} bytes")
    return text.decode("utf-8", errors="replace")


def _reason(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)


def _guessed_depth(position: Position, answer: Answer) -> int:
    """Return the depth at which the most rows are right, then the total is nearest."""
    best, depth = (-1, 0.0), 1
    for tried in range(1, DEEPEST_GUESS + 1):
        expected = reference_children(position, tried)
        nodes = sum(expected.values())
        found = compare_answer(answer, expected, tried)
        right = len(answer.children or ()) - found.differing
        nearness = -abs(math.log((answer.nodes + 1) / (nodes + 1)))
        if (right, nearness) > best:
            best, depth = (right, nearness), tried
        if nodes > max(answer.nodes, 1) * 100 or nodes > MOST_NODES_GUESSED:
            break
    return depth


def _about_paste(info: WalkInfo) -> WalkInfo:
    """Add what only somebody who pastes can have done wrong: another depth, or half of it."""
    result = info.result
    answer, found = result.answer, result.comparison
    if answer is None or found is None or found.agrees:
        return info
    position = Position(info.fen, chess960=info.chess960 or None)
    for move in info.moves:
        position.push(move)
    chess960 = position.chess960
    guess = _guessed_depth(position, answer)
    if guess != result.depth and _is_better(judged(position, guess, answer), result):
        remark = f"this is the division at depth {guess}, not {result.depth}"
        again = divide_command(position.fen(), guess, chess960=chess960, more=["--paste", "-"])
        return replace(_remarked(info, remark), next_command=again)
    if not found.divided:
        remark = (
            "a total shows that something is wrong, and not where: paste the engine's division,"
            " its count under each move"
        )
        again = divide_command(
            position.fen(), result.depth, chess960=chess960, more=["--paste", "-"]
        )
        return replace(_remarked(info, remark), next_command=again)
    is_whole = answer.total is not None and answer.total == answer.nodes
    if is_whole or not found.missing or found.extra:
        return info
    there = len(answer.children or ())
    remark = f"{there} of {len(result.expected)} rows: is the paste complete?"
    if answer.total is None and 2 * there > len(result.expected) and info.diagnosis is not None:
        return _remarked(info, remark, replace(info.diagnosis, confidence=LIKELY))
    return _remarked(info, remark)


def _is_better(guessed: WalkResult, given: WalkResult) -> bool:
    """Whether a printed division is rather one of another depth."""
    one, other = guessed.comparison, given.comparison
    assert one is not None
    assert other is not None
    return one.agrees or (one.divided and 2 * one.differing < other.differing)


def _remarked(info: WalkInfo, remark: str, diagnosis: Diagnosis | None = None) -> WalkInfo:
    """Return a report that ends with a remark instead of a rule, or with a rule as well."""
    result = replace(
        info.result,
        remarks=(remark, *info.result.remarks),
        first_wrong=info.result.first_wrong if diagnosis is not None else None,
    )
    return replace(info, result=result, diagnosis=diagnosis)


def _next_command(position: Position, result: WalkResult, settings: EngineSettings) -> str | None:
    """Return the command for the engine's division one ply further down."""
    moves = suspects(position, result)
    if not moves or result.depth < 2 or result.first_wrong is not None:
        return None
    child = position.copy()
    child.push(moves[0])
    more = ["--paste", "-"]
    if settings.divide_pattern is not None:
        more += ["--divide-pattern", settings.divide_pattern]
    if settings.total_pattern is not None:
        more += ["--total-pattern", settings.total_pattern]
    return divide_command(child.fen(), result.depth - 1, chess960=position.chess960, more=more)
