"""GitHub's annotations on the lines of the suite, and the summary of the step."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from perftkit.report import OtherPlaceError, RunReporter
from perftkit.report.baseline import comparison_headline, comparison_lines
from perftkit.report.details import detail_lines, is_failure, spool, title_of
from perftkit.report.markdown import MarkdownRunReporter
from perftkit.report.text import clean, plural, shortened
from perftkit.verify.events import Outcome, Unreadable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import TextIO

    from perftkit.report import RunInfo
    from perftkit.verify.baseline import Comparison
    from perftkit.verify.events import Event
    from perftkit.verify.explain import Cause
    from perftkit.verify.verdict import Tally

__all__ = ["GithubRunReporter"]

SUMMARY = "GITHUB_STEP_SUMMARY"
MOST_ANNOTATIONS = 10  # of a kind that GitHub shows of one step
MOST_NOTICES = 8  # for causes: two more say what has changed, and what is left out
MOST_TABLE = 700_000  # bytes of the summary's table, after which only failures are added
MOST_SUMMARY = 1_000_000  # bytes; GitHub refuses a summary of more than 1 MiB
LONGEST_LINE = 2_000  # characters of the summary
CUT = "\n**The rest is left out, since GitHub takes no longer summary; HTML and JSON have it.**\n"


class GithubRunReporter(RunReporter):
    """Writes workflow commands, which GitHub shows beside the line that they are about."""

    def __init__(
        self, stream: TextIO, info: RunInfo, *, environ: Mapping[str, str] | None = None
    ) -> None:
        """Write to a stream.

        Args:
            stream: What the runner reads: standard output or standard error.
            info: What the run was asked for.
            environ: Used for the process's environment, for tests.
        """
        self._stream = stream
        self._info = info
        self._found = 0
        self._summary = (os.environ if environ is None else environ).get(SUMMARY)
        self._written = spool()
        # Without a summary to write, nobody gathers one.
        self._markdown = (
            MarkdownRunReporter(self._written, info, most=MOST_TABLE)
            if self._summary
            else RunReporter()
        )

    def handle(self, event: Event) -> None:
        """Write an annotation for what failed."""
        self._markdown.handle(event)
        if isinstance(event, Unreadable):
            self._found += 1
            if self._found <= MOST_ANNOTATIONS:
                problem = event.problem
                self._annotate(problem.file, problem.line, "unreadable row", [problem.message])
        elif isinstance(event, Outcome) and is_failure(event):
            self._found += 1
            if self._found <= MOST_ANNOTATIONS:
                lines = detail_lines(event, self._info.engine)
                self._annotate(event.row.file, event.row.line, title_of(event), lines)

    def explain(self, causes: Sequence[Cause]) -> None:
        """Write a notice for each cause, and keep them for the summary."""
        self._markdown.explain(causes)
        for cause in causes[:MOST_NOTICES]:
            diagnosis = cause.diagnosis
            self._stream.write(
                f"::notice title={_property(diagnosis.rule)}::{_data(diagnosis.explanation)}\n"
            )

    def compare(self, comparison: Comparison) -> None:
        """Write a notice of what has changed, and keep it for the summary."""
        self._markdown.compare(comparison)
        lines = [comparison_headline(comparison), *comparison_lines(comparison)]
        text = "%0A".join(_data(line) for line in lines)
        self._stream.write(f"::notice title=since the earlier run::{text}\n")

    def end(self, tally: Tally, seconds: float, stopped: str | None) -> None:
        """Say how many more failed, and write the summary of the step."""
        if self._found > MOST_ANNOTATIONS:
            more = plural(self._found - MOST_ANNOTATIONS, "more failure")
            self._stream.write(f"::notice title=perftkit::and {more}\n")
        with self._written:
            self._markdown.end(tally, seconds, stopped)
            if self._summary:
                self._written.seek(0)
                _append(self._summary, self._written)

    def _annotate(self, file: str, line: int, title: str, lines: Sequence[str]) -> None:
        place = f"file={_property(file)},line={line},title={_property(title)}"
        self._stream.write(f"::error {place}::{'%0A'.join(_data(each) for each in lines)}\n")


def _append(summary: str, lines: Iterable[str]) -> None:
    """Add lines to the summary of the step, in which several commands may write.

    Raises:
        OtherPlaceError: It can't be written.
    """
    try:
        with Path(summary).open("a", encoding="utf-8", newline="\n") as stream:
            there = os.fstat(stream.fileno()).st_size
            stream.writelines(_fitting(lines, MOST_SUMMARY - there))
    except OSError as error:
        raise OtherPlaceError(error.errno, error.strerror, f"{SUMMARY}={summary}") from None


def _fitting(lines: Iterable[str], room: int) -> Iterator[str]:
    """Yield lines as long as there is room for so many bytes, and then that some are missing."""
    for line in lines:
        short = f"{shortened(line.rstrip(), LONGEST_LINE)}\n" if len(line) > LONGEST_LINE else line
        room -= len(short.encode())
        if room < 0:
            yield CUT
            return
        yield short


def _data(text: str) -> str:
    return clean(text).replace("%", "%25")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
