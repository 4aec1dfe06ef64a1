"""Reading suites as they are found in the wild, one row at a time.

A line is one of

- a row, in any of the forms of `perftkit.suite.grammar`;
- a line of a record: ``id NAME``, ``epd ROW`` or ``perft DEPTH COUNT``. A record ends where the
  next ``id`` or ``epd`` comes, or a row, or the file ends;
- a comment: it begins with ``#``, ``%`` or ``//``;
- a directive, which other readers take for a comment: ``# perftkit: chess960`` or
  ``# perftkit: conv=wiki`` holds for the rows that follow.

What can't be read is yielded as a problem; every other row is still used.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from perftkit.core.position import Position
from perftkit.errors import FenError
from perftkit.suite.grammar import (
    ParsedRow,
    Piece,
    RowError,
    add_depth,
    convention_named,
    parse_depth,
    parse_row,
    quoted,
    words,
)
from perftkit.suite.lines import COMMENT_MARKS, display_name, read_lines
from perftkit.suite.model import (
    PERFTKIT,
    SHORT_NAMES,
    Expectation,
    SuiteProblem,
    SuiteRow,
    counters_of,
    default_id,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from perftkit.suite.lines import Line

__all__ = ["read_suite"]

RECORD = re.compile(r"[ \t]*(id|epd|perft)(?=[ \t]|$)")
DIRECTIVE = re.compile(r"[ \t]*(?:#|%|//)[ \t]*perftkit:(.*)")
MOST_FAULTS = 10  # of a FEN, in one message
ABOUT_CASTLING = ("castling-without-king", "castling-without-rook")


def read_suite(source: str | Path, *, chess960: bool = False) -> Iterator[SuiteRow | SuiteProblem]:
    """Yield the rows of a suite and what could not be read, in the order of the file.

    The file is read as the rows are asked for, so that memory does not grow with it.

    Args:
        source: A path, or ``-`` for standard input.
        chess960: Whether all its positions are of Chess960.

    Raises:
        SuiteError: At the first step: the file is missing, a folder, unreadable or no text.
    """
    reader = _Reader(display_name(source), chess960)
    for line in read_lines(source):
        if isinstance(line, SuiteProblem):
            yield line
        else:
            yield from reader.read(line)
    yield from reader.end_record()


@dataclass(slots=True)
class _Record:
    """A record of several lines, as far as it was read."""

    line: int
    id: str | None = None
    row: ParsedRow | None = None
    broken: bool = False


@dataclass(slots=True)
class _Reader:
    """One reading of one file."""

    file: str
    chess960: bool
    convention: str = PERFTKIT
    record: _Record | None = field(default=None, init=False)

    def read(self, line: Line) -> Iterator[SuiteRow | SuiteProblem]:
        if line.text.lstrip(" \t").startswith(COMMENT_MARKS):
            yield from self._read_directive(line)
        elif match := RECORD.match(line.text):
            operand = Piece(line.text[match.end() :], match.end() + 1)
            yield from self._read_record_line(match[1], operand, line.number)
        else:
            yield from self.end_record()
            yield from self._finish(parse_row(line.text), line.number)

    def end_record(self) -> Iterator[SuiteRow | SuiteProblem]:
        record, self.record = self.record, None
        if record is None or record.broken:
            return
        if record.row is None:
            yield self._problem(record.line, 1, "this record has no line with epd and a FEN")
            return
        if record.row.id is None:
            record.row.id = record.id
        yield from self._finish(record.row, record.line)

    def _read_directive(self, line: Line) -> Iterator[SuiteProblem]:
        match = DIRECTIVE.match(line.text)
        if match is None:
            return
        for word in words(Piece(match[1], match.start(1) + 1)):
            try:
                self._obey(word)
            except RowError as error:
                yield self._problem(line.number, error.column, error.message)

    def _obey(self, word: Piece) -> None:
        if word.text == "chess960":
            self.chess960 = True
        elif word.text.startswith("conv="):
            self.convention = convention_named(Piece(word.text[5:], word.column + 5))
        else:
            raise RowError(
                word.column,
                f"expected chess960, conv=perftkit or conv=wiki, found {quoted(word.text)}",
            )

    def _read_record_line(
        self, keyword: str, operand: Piece, line: int
    ) -> Iterator[SuiteRow | SuiteProblem]:
        record = self.record
        if record is not None and _begins_next(keyword, record):
            yield from self.end_record()
        if self.record is None:
            self.record = _Record(line)
        try:
            _add_to_record(self.record, keyword, operand, line)
        except RowError as error:
            self.record.broken = True
            yield self._problem(line, error.column, error.message)

    def _finish(self, row: ParsedRow, line: int) -> Iterator[SuiteRow | SuiteProblem]:
        """Yield the row, or everything that is wrong with it."""
        chess960 = True if self.chess960 or row.chess960 else None
        errors = list(row.errors)
        # A row that begins with no FEN at all has said so already.
        if row.fen.text and (error := _fen_error(row.fen, chess960)):
            errors.insert(0, error)
        convention = row.convention or self.convention
        known = counters_of(convention)
        if foreign := _foreign_counters(row, known):
            errors.append(RowError(1, f"conv={convention} has no counter {' or '.join(foreign)}"))
        if errors:
            for error in errors:
                yield self._problem(line, error.column, error.message)
            return
        yield SuiteRow(
            id=row.id or default_id(self.file, line),
            fen=" ".join(row.fen.text.split()),
            chess960=chess960,
            expectations=tuple(
                Expectation(depth, nodes, {name: counts[name] for name in known if name in counts})
                for depth, (nodes, counts) in sorted(row.depths.items())
            ),
            convention=convention,
            file=self.file,
            line=line,
            notes=row.notes,
        )

    def _problem(self, line: int, column: int, message: str) -> SuiteProblem:
        return SuiteProblem(self.file, line, column, message)


def _begins_next(keyword: str, record: _Record) -> bool:
    """Whether a line can't belong to the record before it."""
    if keyword == "epd":
        return record.row is not None
    return keyword == "id" and (record.row is not None or record.id is not None)


def _add_to_record(record: _Record, keyword: str, operand: Piece, line: int) -> None:
    text = operand.text.strip(" \t")
    if not text:
        raise RowError(operand.column, f"expected something after {keyword}")
    if keyword == "id":
        record.id = text.strip('"')
        return
    if keyword == "epd":
        record.line = line
        record.row = parse_row(operand.text, operand.column)
        return
    if record.row is None:
        raise RowError(1, "expected a line with epd and a FEN before this one")
    depth, *values = words(operand)
    end = operand.column + len(operand.text)
    add_depth(record.row, parse_depth(depth), values, end, depth.column)


def _foreign_counters(row: ParsedRow, known: tuple[str, ...]) -> list[str]:
    """The counters that are not known, by their short names."""
    given = {name for _, counts in row.depths.values() for name in counts}
    return sorted(SHORT_NAMES[name] for name in given.difference(known))


def _fen_error(fen: Piece, chess960: bool | None) -> RowError | None:
    """Return what the core has against a FEN, all in one, with the columns of the line."""
    try:
        Position(fen.text, chess960=chess960)
    except FenError as error:
        faults = error.faults
    else:
        return None
    parts = [
        f"{fault.message} (column {fen.column + fault.column - 1})"
        for fault in faults[:MOST_FAULTS]
    ]
    if len(faults) > MOST_FAULTS:
        parts.append(f"and {len(faults) - MOST_FAULTS} more")
    if any(fault.name in ABOUT_CASTLING for fault in faults) and not chess960:
        parts.append("a row of Chess960 ends with ;chess960")
    return RowError(fen.column + faults[0].column - 1, "; ".join(parts))
