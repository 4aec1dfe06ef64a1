"""One row that failed, in full, for those who show a failure at a time: pytest and assertions."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import TYPE_CHECKING

from perftkit import __version__
from perftkit.report import WalkInfo
from perftkit.report.commands import divide_command
from perftkit.report.console import Terminal
from perftkit.report.details import headline
from perftkit.report.differences import write_differences, write_disputed
from perftkit.report.walk import write_labelled, write_walk

if TYPE_CHECKING:
    from perftkit.report import EngineInfo
    from perftkit.verify.events import Outcome
    from perftkit.verify.explain import Explained

__all__ = ["FailureInfo", "failure_text", "write_failure"]


@dataclass(frozen=True, slots=True)
class FailureInfo:
    """A row that failed, with what is known about it.

    Attributes:
        outcome: What was expected and counted.
        engine: Who was asked; None for the built-in generator.
        explained: What a walk found; None where nobody walked.
        note: Why nobody walked, if that is worth saying.
        title: What failed, in short; None where the numbers say it.
    """

    outcome: Outcome
    engine: EngineInfo | None = None
    explained: Explained | None = None
    note: str | None = None
    title: str | None = None


def failure_text(info: FailureInfo, *, color: bool = False) -> str:
    """Return a failure as text of several lines, of which the first says in short what failed."""
    stream = io.StringIO()
    write_failure(Terminal(stream, color=color), info)
    return stream.getvalue().rstrip("\n")


def write_failure(terminal: Terminal, info: FailureInfo) -> None:
    """Write the numbers, the hints, the way to the first wrong position, and what to type next."""
    outcome = info.outcome
    row = outcome.row
    terminal.write((headline(outcome) if info.title is None else info.title, "bold red"))
    where = f", in {row.file}:{row.line}" if row.line else ""
    terminal.write(f"{row.id}, depth {outcome.depth}{where}")
    if outcome.disputed is not None:
        write_disputed(terminal, outcome, outcome.disputed)
    write_differences(terminal, outcome)
    if info.engine is not None and info.explained is not None:
        terminal.write()
        write_walk(terminal, _walk_info(info, info.engine, info.explained))
    terminal.write()
    write_labelled(terminal, "FEN", row.fen)
    for remark in outcome.remarks:
        write_labelled(terminal, "remark", remark)
    if info.note is not None:
        write_labelled(terminal, "note", info.note)
    again = divide_command(
        row.fen, max(outcome.depth, 1), chess960=bool(row.chess960), engine=info.engine
    )
    write_labelled(terminal, "repeat", again)


def _walk_info(info: FailureInfo, engine: EngineInfo, explained: Explained) -> WalkInfo:
    row = info.outcome.row
    return WalkInfo(
        version=__version__,
        fen=row.fen,
        chess960=bool(row.chess960),
        moves=(),
        asked_depth=info.outcome.depth,
        engine=engine,
        result=explained.result,
        children={},
        diagnosis=explained.diagnosis,
        stopped=None,
    )
