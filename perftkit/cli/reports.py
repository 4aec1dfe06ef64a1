"""Several reports of one result: where each goes, and what happens if one can't be written."""

from __future__ import annotations

import os
import sys
from contextlib import ExitStack, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from perftkit.cli.help import RESULT, option
from perftkit.cli.output import discard_stdout, file_identity, file_or_none, is_one_of, open_output
from perftkit.report import OtherPlaceError, RunReporter
from perftkit.report.console import Terminal
from perftkit.report.formats import TABLE, run_reporter
from perftkit.suggest import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from contextlib import AbstractContextManager
    from types import TracebackType
    from typing import Any, TextIO

    from perftkit.report import RunInfo
    from perftkit.verify.baseline import Comparison
    from perftkit.verify.events import Event
    from perftkit.verify.explain import Cause
    from perftkit.verify.verdict import Tally

__all__ = ["Destination", "Outputs", "Reports", "destinations", "report_option"]

TO_STDERR = ("github",)
"""Formats that may be asked for without a file: they are read on standard error too."""

ENDINGS = {
    ".txt": TABLE,
    ".json": "json",
    ".ndjson": "ndjson",
    ".jsonl": "ndjson",
    ".csv": "csv",
    ".md": "markdown",
    ".xml": "junit",
    ".html": "html",
    ".htm": "html",
}
"""Formats by the endings of their files."""


@dataclass(frozen=True, slots=True)
class Destination:
    """A format and the place for it.

    Attributes:
        format: One of the formats of the command.
        file: A file, or None for the standard stream.
        is_error_stream: Whether that stream is standard error.
    """

    format: str
    file: str | None = None
    is_error_stream: bool = False

    @property
    def is_stdout(self) -> bool:
        """Whether it goes to standard output."""
        return self.file is None and not self.is_error_stream

    @property
    def name(self) -> str:
        """Return what messages call the place."""
        return self.file or ("standard error" if self.is_error_stream else "standard output")

    @property
    def identity(self) -> str:
        """Return what two spellings of one place have in common."""
        if self.is_error_stream or (self.file is not None and "\0" in self.file):
            return self.name  # no file has such a name
        known = file_identity(self.file)
        return known or (self.name if self.file is None else os.path.realpath(self.file))

    def open(self) -> AbstractContextManager[TextIO]:
        """Open the place; a file is replaced when all is written.

        Raises:
            click.ClickException: It can't be written.
        """
        if not self.is_error_stream:
            return open_output(self.file)
        if sys.stderr is None:
            raise click.ClickException("standard error is closed")
        return nullcontext(sys.stderr)


def report_option(*formats: str) -> Callable[[Any], Any]:
    """Add --report with a choice of formats; the value is a tuple of `Destination`."""

    def parse(
        _: click.Context, __: click.Parameter, values: Sequence[str]
    ) -> tuple[Destination, ...]:
        return tuple(_parsed(value, formats) for value in values)

    return option(
        "--report",
        "report",
        group=RESULT,
        multiple=True,
        callback=parse,
        metavar="FORMAT=FILE",
        help="Write a report as well; repeatable.",
    )


def _parsed(text: str, formats: Sequence[str]) -> Destination:
    format, equals, file = text.partition("=")
    format = format.strip().lower()
    if format not in formats:
        instead = _instead(text, formats)
        otherwise = f"; write {instead}" if instead else None
        ends = otherwise if otherwise and not equals else did_you_mean(format, formats, otherwise)
        raise click.BadParameter(f"{text!r} begins with no format{ends}")
    if not equals and format in TO_STDERR:
        return Destination(format, is_error_stream=True)
    if not file:
        raise click.BadParameter(f"{text!r} names no file; write {format}=FILE.")
    return Destination(format, file_or_none(file))


def _instead(text: str, formats: Sequence[str]) -> str | None:
    """Return what was meant by ``json:FILE``, or by a file whose ending says its format."""
    format, colon, file = text.partition(":")
    if not (colon and file and format.lower() in formats):
        file = text.rpartition("=")[2].strip()
        format = ENDINGS.get(Path(file).suffix.lower(), "")
    return f"{format.lower()}={file}" if format.lower() in formats else None


def destinations(
    format: str,
    output: str | None,
    report: Sequence[Destination],
    sources: Sequence[str],
    source: str,
) -> tuple[Destination, ...]:
    """Return where a result goes: the main place first, then the further reports.

    Args:
        format: Of the main place.
        output: Its file; None or ``-`` for standard output.
        report: The further ones.
        sources: Files that the result is made from.
        source: What messages call them.

    Raises:
        click.UsageError: Two go to one place, or one would overwrite a source.
    """
    main = Destination(format, file_or_none(output))
    found = (main, *report)
    taken: set[str] = set()
    for place in found:
        if is_one_of(place.file, sources):
            given = "--output" if place is main else "--report"
            raise click.UsageError(f"{given} {place.file} would overwrite {source}.")
        if place.identity in taken:
            raise click.UsageError(f"two reports can't both go to {place.name}.")
        taken.add(place.identity)
    return found


class Outputs:
    """All places of a result while they are open; one that can't be written is left out from there.

    Attributes:
        failures: What could not be written, as sentences.
    """

    def __init__(self, places: Sequence[Destination]) -> None:
        """Know the places, the main one first."""
        self._places = places
        self._open: dict[Destination, tuple[TextIO, ExitStack]] = {}
        self.failures: list[str] = []

    def __enter__(self) -> Outputs:
        try:
            for place in self._places:
                stack = ExitStack()
                self._open[place] = stack.enter_context(place.open()), stack
        except BaseException:
            self.__exit__(*sys.exc_info())
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        for place, (_, stack) in self._open.items():
            try:
                stack.__exit__(kind, error, traceback)
            except OSError as unwritten:
                if unwritten is not error:
                    self._note(place, unwritten)
        self._open = {}

    def each(self, write: Callable[[Destination, TextIO], None]) -> None:
        """Write to every place.

        Raises:
            OSError: No place is left to which anything can be written.
        """
        for place, (stream, stack) in tuple(self._open.items()):
            try:
                write(place, stream)
            except OSError as error:
                self._drop(place, stack, error)

    def _drop(self, place: Destination, stack: ExitStack, error: OSError) -> None:
        del self._open[place]
        try:
            stack.__exit__(type(error), error, error.__traceback__)
        except OSError as unwritten:
            error = unwritten
        if not self._open:
            raise error
        self._note(place, error)

    def _note(self, place: Destination, error: OSError) -> None:
        if isinstance(error, OtherPlaceError):
            name = error.filename
        elif place.is_stdout:
            discard_stdout()
            if isinstance(error, BrokenPipeError):
                return  # who reads it has seen enough
            name = "the output"
        else:
            name = place.name
        self.failures.append(f"{name} can't be written: {error.strerror or error}")

    def complain(self) -> None:
        """Say what could not be written.

        Raises:
            click.ClickException: Something could not.
        """
        if self.failures:
            raise click.ClickException("; ".join(self.failures))


class Reports(RunReporter):
    """All reports of a run, each told of everything.

    Attributes:
        on_terminal: Whether a person sees the rows there as they come.
    """

    def __init__(self, outputs: Outputs, info: RunInfo, *, color: bool | None = None) -> None:
        """Write to places that are open.

        Args:
            outputs: The places.
            info: What the run was asked for.
            color: Whether the table has colours; None leaves it to the environment.
        """
        self._outputs = outputs
        self._reporters: dict[Destination, RunReporter] = {}
        self.on_terminal = False
        outputs.each(lambda place, stream: self._add(place, stream, info, color))

    def _add(self, place: Destination, stream: TextIO, info: RunInfo, color: bool | None) -> None:
        if place.is_stdout and place.format == TABLE:
            self.on_terminal = Terminal(stream, color=color).is_terminal
        self._reporters[place] = run_reporter(place.format, stream, info, color=color)

    def begin(self) -> None:
        """Write what comes before the first event."""
        self._each(lambda reporter: reporter.begin())

    def handle(self, event: Event) -> None:
        """Write what an event says, if anything."""
        self._each(lambda reporter: reporter.handle(event))

    def explain(self, causes: Sequence[Cause]) -> None:
        """Take why rows fail."""
        self._each(lambda reporter: reporter.explain(causes))

    def compare(self, comparison: Comparison) -> None:
        """Write what has changed since an earlier run."""
        self._each(lambda reporter: reporter.compare(comparison))

    def end(self, tally: Tally, seconds: float, stopped: str | None) -> None:
        """Write what comes last."""
        self._each(lambda reporter: reporter.end(tally, seconds, stopped))

    def _each(self, tell: Callable[[RunReporter], None]) -> None:
        self._outputs.each(lambda place, _: tell(self._reporters[place]))
