"""The formats by their names, each imported only when it is asked for."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from perftkit.report.console import Terminal

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import TextIO

    from perftkit.report import DivideInfo, RunInfo, RunReporter, WalkInfo

__all__ = [
    "DIVIDE_FORMATS",
    "RUN_FORMATS",
    "TABLE",
    "run_reporter",
    "write_divide",
    "write_walk",
]

TABLE = "table"

REPORTERS: Mapping[str, tuple[str, str]] = {
    "json": ("perftkit.report.json", "JsonRunReporter"),
    "ndjson": ("perftkit.report.ndjson", "NdjsonRunReporter"),
    "csv": ("perftkit.report.csv", "CsvRunReporter"),
    "markdown": ("perftkit.report.markdown", "MarkdownRunReporter"),
    "junit": ("perftkit.report.junit", "JunitRunReporter"),
    "github": ("perftkit.report.github", "GithubRunReporter"),
    "html": ("perftkit.report.html", "HtmlRunReporter"),
}
"""Where the reporter of a run is: its module, and its name there."""

WRITERS: Mapping[str, str] = {
    "json": "perftkit.report.json",
    "csv": "perftkit.report.csv",
    "markdown": "perftkit.report.markdown",
    "html": "perftkit.report.html",
}
"""The modules with the functions `write_divide` and `write_walk`."""

RUN_FORMATS = (TABLE, *REPORTERS)
DIVIDE_FORMATS = (TABLE, *WRITERS)


def run_reporter(
    format: str, stream: TextIO, info: RunInfo, *, color: bool | None = None
) -> RunReporter:
    """Return who writes a run to a stream in one of `RUN_FORMATS`."""
    if format == TABLE:
        from perftkit.report.table import TableRunReporter

        return TableRunReporter(Terminal(stream, color=color), info)
    module, name = REPORTERS[format]
    make: Callable[[TextIO, RunInfo], RunReporter] = getattr(import_module(module), name)
    return make(stream, info)


def write_divide(
    format: str, stream: TextIO, info: DivideInfo, *, color: bool | None = None
) -> None:
    """Write a division in one of `DIVIDE_FORMATS`."""
    if format == TABLE:
        from perftkit.report.divide import write_table

        write_table(Terminal(stream, color=color), info)
    else:
        import_module(WRITERS[format]).write_divide(stream, info)


def write_walk(format: str, stream: TextIO, info: WalkInfo, *, color: bool | None = None) -> None:
    """Write a division that an engine's was compared with in one of `DIVIDE_FORMATS`."""
    if format == TABLE:
        from perftkit.report.walk import write_walk as write_table

        write_table(Terminal(stream, color=color), info)
    else:
        import_module(WRITERS[format]).write_walk(stream, info)
