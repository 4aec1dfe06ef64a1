"""What is said about an outcome that is not as expected, line by line, in every format."""

from __future__ import annotations

import tempfile
from typing import TYPE_CHECKING, TextIO, cast

from perftkit.report.commands import divide_command, show_again
from perftkit.report.text import SHORT_TITLES, clean, grouped, plural, shortened_inside, signed
from perftkit.verify.events import ERROR, MISMATCH, OK

if TYPE_CHECKING:
    from perftkit.report import EngineInfo, RunInfo, WalkInfo
    from perftkit.suite.model import SuiteRow
    from perftkit.verify.diagnosis import Evidence
    from perftkit.verify.events import Outcome
    from perftkit.verify.explain import Cause
    from perftkit.verify.verdict import Tally

__all__ = [
    "LONGEST_ID",
    "asked_otherwise",
    "cause_lines",
    "detail_lines",
    "headline",
    "is_compared",
    "is_failure",
    "other_fen",
    "said_of_walk",
    "short_id",
    "spool",
    "sums",
    "title_of",
]

LONGEST_ID = 200  # characters of it in titles
LARGEST_IN_MEMORY = 1_000_000  # characters of what waits for the summary that stands before it


def spool() -> TextIO:
    """Return a place for text that is written before what stands above it is known."""
    place = tempfile.SpooledTemporaryFile(  # noqa: SIM115 - whoever asked closes it
        LARGEST_IN_MEMORY, "w+", encoding="utf-8", errors="backslashreplace", newline="\n"
    )
    return cast("TextIO", place)


def is_failure(outcome: Outcome) -> bool:
    """Whether an outcome is a difference, or an engine's failure."""
    return outcome.status in (MISMATCH, ERROR)


def is_compared(outcome: Outcome, info: RunInfo) -> bool:
    """Whether an outcome is right by some other count, rather than only counted."""
    is_known = outcome.expected_nodes is not None or info.method == "both"
    return outcome.status == OK and is_known


def short_id(row: SuiteRow) -> str:
    """Return the id of a row as titles have it: of a length that can be read."""
    return shortened_inside(row.id, LONGEST_ID)


def sums(tally: Tally) -> list[tuple[int, str]]:
    """Return how many rows had which end, as numbers and words; what did not happen is left out."""
    ends = (
        (tally.ok, "ok"),
        (tally.mismatch, "different"),
        (tally.failed, "without an answer"),
        (tally.skipped, "skipped"),
        (tally.unreadable, "unreadable"),
    )
    return [(number, word) for number, word in ends if number or word == "ok"]


def headline(outcome: Outcome) -> str:
    """Return in one line what failed."""
    if outcome.reason is not None:
        return clean(outcome.reason)
    if not outcome.differences:
        return f"the suite is disputed: perftkit counts {outcome.disputed}"
    first = outcome.differences[0]
    return (
        f"{SHORT_TITLES.get(first.name, first.name)}: expected {grouped(first.expected)}, got"
        f" {grouped(first.got)} ({signed(first.delta)})"
    )


def title_of(outcome: Outcome) -> str:
    """Return in one line what failed, and which row."""
    return f"{short_id(outcome.row)}, depth {outcome.depth}: {headline(outcome)}"


def detail_lines(outcome: Outcome, engine: EngineInfo | None) -> list[str]:
    """Return all that is known about a failure, with the command that repeats it."""
    row = outcome.row
    lines = [
        f"{SHORT_TITLES.get(each.name, each.name)}: expected {each.expected}, got {each.got},"
        f" difference {each.delta:+}"
        for each in outcome.differences
    ]
    if outcome.reason is not None:
        lines.append(f"error: {outcome.reason}")
    if outcome.disputed is not None:
        lines.append(
            f"the suite is disputed: it says {outcome.expected_nodes}, and perftkit counts"
            f" {outcome.disputed}"
        )
    lines += [f"hint: {hint}" for hint in outcome.hints]
    lines += [f"remark: {remark}" for remark in outcome.remarks]
    command = divide_command(
        row.fen, max(outcome.depth, 1), chess960=bool(row.chess960), engine=engine
    )
    lines += [f"FEN: {row.fen}", f"in {row.file}:{row.line}", f"repeat: {command}"]
    return [clean(line) for line in lines]


def cause_lines(cause: Cause, engine: EngineInfo | None) -> list[str]:
    """Return the rule that is broken, why, where, and the command that shows it."""
    diagnosis, found = cause.diagnosis, cause.first_wrong
    lines = [f"{diagnosis.rule} ({diagnosis.confidence}): {diagnosis.explanation}"]
    if found is not None:
        lines.append(f"FEN: {found.fen}")
        if found.missing:
            lines.append(f"missing: {' '.join(found.missing)}")
        if found.extra:
            lines.append(f"extra: {' '.join(found.extra)}")
        if engine is not None:
            lines.append(f"show again: {show_again(found, engine)}")
    names = ", ".join(
        f"{short_id(each.failure.row)} depth {each.failure.depth}" for each in cause.members
    )
    lines.append(f"positions: {names}")
    return [clean(line) for line in lines]


def said_of_walk(info: WalkInfo) -> tuple[str, str]:
    """Return whether an engine's division is right, and the numbers that say so."""
    result, name = info.result, info.engine.name
    if result.answer is None or result.comparison is None:
        broken_off = info.stopped is not None and result.error is None
        return ("nothing was compared" if broken_off else f"{name} gave no answer"), ""
    got, expected = result.answer.nodes, result.comparison.expected
    if result.comparison.agrees:
        counted = f"{plural(len(result.expected), 'move')}, {plural(expected, 'node')}"
        return f"{name} is right up to depth {result.depth}", counted
    return f"{name} is wrong at depth {result.depth}", _wrong_by(
        result.comparison.total, got, expected
    )


def _wrong_by(total: int | None, got: int, expected: int) -> str:
    if total is not None:
        return (
            f"its rows are right, and the total that it prints is {grouped(total)} for"
            f" {grouped(expected)} ({signed(total - expected)})"
        )
    if got == expected:
        return f"{plural(got, 'node')} are the right number, under wrong moves"
    return f"{plural(got, 'node')}, {grouped(expected)} are right ({signed(got - expected)})"


def asked_otherwise(evidence: Evidence) -> str | None:
    """Return what the engine said when a first wrong position was put to it in another way."""
    if evidence.right_by_fen:
        return "right for this FEN, wrong after the moves of the line"
    if evidence.right_by_moves and evidence.path:
        return "right after the moves of the line, wrong for this FEN"
    if evidence.right_by_moves:
        return "right when it plays the double push itself, wrong for this FEN"
    if evidence.alone:
        return "right about each of the positions after these moves, asked one by one"
    return None


def other_fen(evidence: Evidence) -> str | None:
    """Return the FEN that the engine printed, where it differs in more than the clocks."""
    printed = evidence.engine_fen
    if printed is None or printed.split()[:4] == evidence.fen.split()[:4]:
        return None
    return printed
