"""A walk to the first wrong position as text: the steps as they happen, and the report."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from perftkit.core.position import Position
from perftkit.report.board import EXTRA_MARK, MISSING_MARK, square_named, write_board
from perftkit.report.commands import fails_again, show_again
from perftkit.report.details import asked_otherwise, other_fen, said_of_walk
from perftkit.report.layout import Column, Layout
from perftkit.report.text import duration, grouped, plural, signed
from perftkit.verify.compare import EXTRA, MISSING, RIGHT, compared_rows
from perftkit.verify.events import OK
from perftkit.verify.walk import Asked, Disputed, Reached

if TYPE_CHECKING:
    from collections.abc import Sequence

    from perftkit.report import WalkInfo
    from perftkit.report.console import Terminal
    from perftkit.verify.compare import ComparedRow
    from perftkit.verify.diagnosis import Diagnosis, Evidence
    from perftkit.verify.walk import FailedAt, WalkEvent, WalkResult

__all__ = [
    "write_comparison",
    "write_diagnosis",
    "write_evidence",
    "write_labelled",
    "write_step",
    "write_walk",
]

LABEL_WIDTH = 14
MOST_TEXT_WIDTH = 100
MOST_COUNTS = 8  # wrong counts that are listed of one position
MOST_ROWS = 60  # differing moves that are listed

COLUMNS = (
    Column("move", 8, left=True, least=6),
    Column("expected", 17, least=8),
    Column("engine", 17, least=6),
    Column("difference", 17, least=10),
)


def write_step(terminal: Terminal, event: WalkEvent) -> None:
    """Write what happens in a walk, with the board of each position that it goes down to."""
    if isinstance(event, Asked):
        _write_asked(terminal, event)
    elif isinstance(event, Disputed):
        _write_disputed(terminal, event)
    elif isinstance(event, Reached) and event.path:
        terminal.write()
        terminal.write(("wrong after ", "bold"), " ".join(event.path))
        write_board(terminal, Position(event.fen, chess960=None), {})
        terminal.write()
    terminal.flush()


def _write_asked(terminal: Terminal, event: Asked) -> None:
    how = "moves" if event.by_moves else "FEN"
    where = f" after {event.path[-1]}" if event.path else ""
    text = f"depth {event.depth}{where}, by {how}: {plural(event.nodes, 'node')}"
    if event.agrees:
        terminal.write((f"{text}, right", "dim"))
        return
    verdict = f"{grouped(event.expected)} are right"
    if event.differing:
        moves = "1 move differs" if event.differing == 1 else f"{event.differing} moves differ"
        verdict += f", {moves}"
    _write_in_width(terminal, (f"{text}, ", ""), (verdict, "bold red"))


def _write_disputed(terminal: Terminal, disputed: Disputed) -> None:
    terminal.write(("THE REFERENCE IS DISPUTED: ", "bold red"), (str(disputed), "red"))


def write_walk(terminal: Terminal, info: WalkInfo) -> None:
    """Write the report: what differs at the root, the first wrong position, and why."""
    result = info.result
    for disputed in result.disputed:
        _write_disputed(terminal, disputed)
    _write_verdict(terminal, info)
    if result.answer is not None and result.comparison is not None and result.verdict != OK:
        write_comparison(terminal, compared_rows(result.answer, result.expected, result.comparison))
    if result.first_wrong is not None:
        terminal.write()
        _write_title(terminal, info, result.first_wrong)
        terminal.write()
        write_evidence(terminal, result.first_wrong)
        if info.diagnosis is not None:
            write_diagnosis(terminal, info.diagnosis)
        if info.engine.words:
            again = show_again(result.first_wrong, info.engine)
            write_labelled(terminal, "show again", again, "dim")
    if info.next_command is not None:
        terminal.write()
        write_labelled(terminal, "next", info.next_command)
    for remark in result.remarks:
        write_labelled(terminal, "remark", remark)
    if result.error is not None:
        write_labelled(terminal, "error", result.error, "bold red")
    if result.failed_at is not None:
        _write_failed_at(terminal, info, result.failed_at)
    stopped = info.stopped or result.stopped
    if stopped is not None:
        write_labelled(terminal, "stopped early", stopped, "bold yellow")
    if result.questions:
        terminal.write()
        terminal.write(_effort(result))


def _write_failed_at(terminal: Terminal, info: WalkInfo, failed: FailedAt) -> None:
    """Write the smallest position that the engine fails on, and what shows it again."""
    terminal.write()
    terminal.write(("The engine fails", "bold"), f" at depth {failed.depth} of this position:")
    terminal.write()
    write_board(terminal, Position(failed.fen, chess960=info.chess960 or None), {})
    terminal.write()
    write_labelled(terminal, "FEN", failed.fen)
    if failed.path:
        write_labelled(terminal, "line", " ".join(failed.path))
        write_labelled(terminal, "with", failed.error, "red")
    write_labelled(terminal, "show again", fails_again(failed, info), "dim")
    if failed.is_slow:
        limit = info.engine.timeout_option
        advice = f"a shorter {limit} lets perftkit look for a smaller position that fails"
        write_labelled(terminal, "", advice)


def _write_title(terminal: Terminal, info: WalkInfo, evidence: Evidence) -> None:
    broken_off = info.result.error or info.stopped or info.result.stopped
    words = "The last wrong position that was reached" if broken_off else "First wrong position"
    terminal.write((words, "bold"), f", depth {evidence.depth}:")


def _write_verdict(terminal: Terminal, info: WalkInfo) -> None:
    said, numbers = said_of_walk(info)
    found = info.result.comparison
    if found is not None and found.agrees:
        _write_in_width(terminal, (f"{said}: ", "bold green"), (numbers, "bold green"))
    elif numbers:
        _write_in_width(terminal, (f"{said}: ", "bold red"), (numbers, ""))
    else:
        terminal.write((said, "bold red"))


def _write_in_width(terminal: Terminal, verdict: tuple[str, str], numbers: tuple[str, str]) -> None:
    """Write a verdict; where it would be cut on a terminal, the numbers get a line of their own."""
    text, style = verdict
    if terminal.is_terminal and len(text) + len(numbers[0]) > terminal.width:
        terminal.write((text.rstrip(), style))
        terminal.write("  ", numbers)
    else:
        terminal.write(verdict, numbers)


def write_comparison(terminal: Terminal, rows: Sequence[ComparedRow]) -> None:
    """Write the moves that differ, and how many agree."""
    differing = [row for row in rows if row.status != RIGHT]
    layout = Layout(COLUMNS, terminal.width)
    if differing:
        terminal.write()
        terminal.write(*layout.head("bold"))
    for row in differing[:MOST_ROWS]:
        terminal.write(*layout.line(_cells(row), ["", "", "red", "bold red"]))
    if len(differing) > MOST_ROWS:
        terminal.write(f"and {len(differing) - MOST_ROWS} more that differ")
    agreeing = len(rows) - len(differing)
    if rows:
        terminal.write((f"{agreeing} move{' agrees' if agreeing == 1 else 's agree'}", "dim"))


def _cells(row: ComparedRow) -> list[str]:
    if row.status == MISSING:
        return [row.move, grouped(row.expected or 0), "-", MISSING]
    if row.status == EXTRA:
        return [row.move, "-", grouped(row.got or 0), EXTRA]
    expected, got = row.expected or 0, row.got or 0
    last = signed(got - expected) if got != expected else row.status
    return [row.move, grouped(expected), grouped(got), last]


def write_evidence(terminal: Terminal, evidence: Evidence) -> None:
    """Write the first wrong position: board, FEN, line, and what is wrong."""
    position = Position(evidence.fen, chess960=evidence.chess960 or None)
    write_board(terminal, position, _marks(evidence))
    terminal.write()
    write_labelled(terminal, "FEN", evidence.fen)
    if evidence.path:
        write_labelled(terminal, "line", " ".join(evidence.path))
        write_labelled(terminal, "from", evidence.root)
    if evidence.missing:
        marked = f"{' '.join(evidence.missing)}  (marked {MISSING_MARK})"
        write_labelled(terminal, "missing", marked, "green")
    if evidence.extra:
        marked = f"{' '.join(evidence.extra)}  (marked {EXTRA_MARK})"
        write_labelled(terminal, "extra", marked, "red")
    if evidence.repeated:
        write_labelled(terminal, "repeated", " ".join(evidence.repeated), "red")
    if evidence.wrong_counts:
        write_labelled(terminal, "wrong counts", _wrong_counts(evidence), "red")
    again, printed = asked_otherwise(evidence), other_fen(evidence)
    if again is not None:
        write_labelled(terminal, "asked again", again)
    if printed is not None:
        write_labelled(terminal, "engine's FEN", printed)


def _wrong_counts(evidence: Evidence) -> str:
    parts = [
        f"{move or 'total'} {grouped(got)} for {grouped(expected)}"
        for move, (expected, got) in evidence.wrong_counts.items()
    ]
    more = len(parts) - MOST_COUNTS
    shown = ", ".join(parts[:MOST_COUNTS])
    return f"{shown} and {more} more" if more > 0 else shown


def _marks(evidence: Evidence) -> dict[int, str]:
    """Return the squares that the missing and the extra moves leave and go to."""
    marks = {}
    for moves, mark in ((evidence.missing, MISSING_MARK), (evidence.extra, EXTRA_MARK)):
        for move in moves:
            for name in (move[:2], move[2:4]):
                square = square_named(name)
                if square is not None:
                    marks[square] = mark
    return marks


def write_diagnosis(terminal: Terminal, diagnosis: Diagnosis) -> None:
    """Write the rule that is broken and the explanation."""
    confidence = f"  ({diagnosis.confidence})"
    spans = [(f"{'rule':<{LABEL_WIDTH}}", "bold"), (diagnosis.rule, "bold yellow")]
    if LABEL_WIDTH + len(diagnosis.rule) + len(confidence) > terminal.width:
        terminal.write(*spans)
        terminal.write(" " * LABEL_WIDTH, confidence.lstrip())
    else:
        terminal.write(*spans, confidence)
    write_labelled(terminal, "", diagnosis.explanation)


def write_labelled(terminal: Terminal, label: str, text: str, style: str = "") -> None:
    """Write a text behind a label; commands and FENs are not broken, so that they can be copied."""
    room = max(min(terminal.width, MOST_TEXT_WIDTH) - LABEL_WIDTH, 20)
    whole = label in ("FEN", "from", "show again", "next", "repeat", "engine's FEN")
    for part in [text] if whole else textwrap.wrap(text, room, break_on_hyphens=False) or [""]:
        terminal.write((f"{label:<{LABEL_WIDTH}}", "bold"), (part, style))
        label = ""


def _effort(result: WalkResult) -> str:
    return f"{plural(result.questions, 'question')}, answered in {duration(result.seconds)}"
