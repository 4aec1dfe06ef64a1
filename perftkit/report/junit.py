"""JUnit's XML, as GitLab, Jenkins and GitHub's viewers read it: a case for each row and depth."""

from __future__ import annotations

import shutil
from collections import Counter
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape, quoteattr

from perftkit.report import RunReporter
from perftkit.report.baseline import comparison_headline, comparison_lines
from perftkit.report.details import cause_lines, detail_lines, headline, is_failure, spool
from perftkit.report.text import clean
from perftkit.verify.events import ERROR, MISMATCH, SKIPPED, Outcome, Unreadable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import TextIO

    from perftkit.report import RunInfo
    from perftkit.verify.baseline import Comparison
    from perftkit.verify.events import Event
    from perftkit.verify.explain import Cause
    from perftkit.verify.verdict import Tally

__all__ = ["JunitRunReporter"]

FAILED = {MISMATCH: ("failure", MISMATCH), ERROR: ("error", "engine")}
"""The element of a case that failed, and what it calls the failure."""

NOT_XML = dict.fromkeys((0xFFFE, 0xFFFF), "�")


class JunitRunReporter(RunReporter):
    """Writes one test suite; the cases wait in a file, since their number stands before them."""

    def __init__(self, stream: TextIO, info: RunInfo) -> None:
        self._stream = stream
        self._info = info
        self._cases = spool()
        self._output: list[str] = []
        self._named: Counter[int] = Counter()  # by hash, as there may be very many

    def handle(self, event: Event) -> None:
        """Add a case for an outcome or for a row that can't be read."""
        if isinstance(event, Outcome):
            self._add_outcome(event)
        elif isinstance(event, Unreadable):
            problem = event.problem
            text = _element("error", {"message": problem.message, "type": "unreadable"}, [])
            name = f"line {problem.line}, column {problem.column}"
            self._add_case(problem.file, problem.line, name, 0.0, text)

    def explain(self, causes: Sequence[Cause]) -> None:
        """Keep the causes for the suite's output."""
        for cause in causes:
            self._output += [*cause_lines(cause, self._info.engine), ""]

    def compare(self, comparison: Comparison) -> None:
        """Keep what has changed for the suite's output."""
        self._output += [comparison_headline(comparison), *comparison_lines(comparison), ""]

    def end(self, tally: Tally, seconds: float, stopped: str | None) -> None:
        """Write the whole document."""
        if stopped is not None:
            self._output.append(f"stopped early: {stopped}")
        started = self._info.started
        attributes = {
            "name": " ".join(("perftkit", self._info.suite or "one position")),
            "tests": str(tally.rows + tally.unreadable),
            "failures": str(tally.mismatch),
            "errors": str(tally.failed + tally.unreadable),
            "skipped": str(tally.skipped),
            "time": f"{seconds:.6f}",
        }
        sums = {name: value for name, value in attributes.items() if name != "name"}
        if started is not None:
            attributes["timestamp"] = started.strftime("%Y-%m-%dT%H:%M:%S")
        write = self._stream.write
        write('<?xml version="1.0" encoding="utf-8"?>\n')
        write(f"<testsuites{_attributes({'name': 'perftkit', **sums})}>\n")
        write(f"<testsuite{_attributes(attributes)}>\n")
        self._cases.seek(0)
        shutil.copyfileobj(self._cases, self._stream)
        self._cases.close()
        if self._output:
            write(_element("system-out", {}, self._output))
        write("</testsuite>\n</testsuites>\n")

    def _add_outcome(self, outcome: Outcome) -> None:
        inside = ""
        if outcome.status == SKIPPED:
            inside = _element("skipped", {"message": outcome.reason or ""}, [])
        elif is_failure(outcome):
            element, kind = FAILED[outcome.status]
            lines = detail_lines(outcome, self._info.engine)
            inside = _element(element, {"message": headline(outcome), "type": kind}, lines)
        row = outcome.row
        name = f"{row.id} depth {outcome.depth}"
        self._add_case(row.file, row.line, name, outcome.seconds, inside)

    def _add_case(self, file: str, line: int, name: str, seconds: float, inside: str) -> None:
        attributes = {
            "classname": file,
            "name": self._another(file, name),
            "time": f"{seconds:.6f}",
            "file": file,
            "line": str(line),
        }
        head = f"<testcase{_attributes(attributes)}"
        self._cases.write(f"{head}>\n{inside}</testcase>\n" if inside else f"{head}/>\n")

    def _another(self, file: str, name: str) -> str:
        """Return a name that no case of the file has: viewers show one of those that are alike."""
        key = hash((file, name))
        self._named[key] += 1
        return name if self._named[key] == 1 else f"{name} #{self._named[key]}"


def _element(name: str, attributes: Mapping[str, str], lines: Sequence[str]) -> str:
    head = f"<{name}{_attributes(attributes)}"
    if not lines:
        return f"{head}/>\n"
    text = "\n".join(_ascii(escape(_allowed(line))) for line in lines)
    return f"{head}>{text}</{name}>\n"


def _attributes(values: Mapping[str, str]) -> str:
    pairs = (f" {name}={quoteattr(_allowed(value))}" for name, value in values.items())
    return _ascii("".join(pairs))


def _ascii(markup: str) -> str:
    """Return XML that is the same in every encoding: standard output need not be in UTF-8."""
    return markup.encode("ascii", "xmlcharrefreplace").decode("ascii")


def _allowed(text: str) -> str:
    """Return a text of characters that XML can hold; the others become visible."""
    return clean(text).translate(NOT_XML)
