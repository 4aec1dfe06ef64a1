"""From a file or standard input to lines of text, one at a time.

Byte-order marks, CRLF and NULs at the end of a line are taken off; a line that is no text is a
problem of its own and does not stop the others.
"""

from __future__ import annotations

import io
import re
import sys
from contextlib import nullcontext
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from perftkit.errors import SuiteError
from perftkit.suggest import closest
from perftkit.suite.builtin import BUILTIN
from perftkit.suite.model import SuiteProblem

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager
    from typing import BinaryIO

__all__ = ["COMMENT_MARKS", "Line", "display_name", "read_lines"]

COMMENT_MARKS = ("#", "%", "//")
LONGEST_LINE = 65_536  # bytes
SNIFFED = 4096  # bytes
MOST_ODD = 0.05  # of the sniffed bytes may be control characters or no UTF-8
LONGEST_NUL_RUN = 64

OTHER_UNICODE = {
    b"\xff\xfe\x00\x00": "UTF-32",
    b"\x00\x00\xfe\xff": "UTF-32",
    b"\xff\xfe": "UTF-16",
    b"\xfe\xff": "UTF-16",
}
UTF8_MARK = b"\xef\xbb\xbf"
OTHER_FILES = {
    b"pk\x03\x04": "a zip archive, expected a suite as text; unpack it first",
    b"\x1f\x8b": "packed by gzip, expected a suite as text; unpack it first",
    b"7z\xbc\xaf": "a 7z archive, expected a suite as text; unpack it first",
    b"[event ": "a PGN file of games, expected positions: a FEN and its counts in each line",
    b"<!doctype html": "a web page, expected a suite as text; download the raw file",
    b"#!/": "a script, expected a suite",
    b"{": "JSON, expected a suite: a FEN and its counts in each line",
    b"[{": "JSON, expected a suite: a FEN and its counts in each line",
    b"<?xml": "XML, expected a suite: a FEN and its counts in each line",
    b"<html": "a web page, expected a suite as text; download the raw file",
}
"""What other files begin with, in small letters."""
NEAR = (".epd", ".txt", ".fen", ".csv", ".pgn")  # endings of files that may have been meant
MOST_ENTRIES = 2000  # of a folder that are looked through

NULS_AT_LINE_END = re.compile(rb"\0{1,%d}(?=\r?\n|\Z)" % LONGEST_NUL_RUN)
CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
UNDECODABLE = re.compile("[\udc80-\udcff]")


class Line(NamedTuple):
    """One line of text without its end."""

    number: int
    text: str


def display_name(source: str | Path) -> str:
    """Return what messages call a source."""
    return "<stdin>" if str(source) == "-" else str(source)


def read_lines(source: str | Path) -> Iterator[Line | SuiteProblem]:
    """Yield the lines of a source that are not empty and no undecodable comments.

    Args:
        source: A path, or ``-`` for standard input.

    Raises:
        SuiteError: At the first step: the file is missing, a folder, unreadable or no text.
    """
    name = display_name(source)
    try:
        with _opened(source) as stream:
            _refuse_binary(stream, name)
            yield from _lines(stream, name)
    except FileNotFoundError:
        raise SuiteError(f"{name}: there is no such file{_meant(str(source))}") from None
    except IsADirectoryError:
        raise SuiteError(f"{name} is a folder, expected a suite file") from None
    except OSError as error:
        raise SuiteError(f"{name} can't be read: {error.strerror or error}") from None


def _meant(source: str) -> str:
    """Return what to say of a name that there is not; nothing if none is like it."""
    path = Path(source)
    names: list[str] = []
    try:
        if not path.parent.is_dir():
            return f"; there is no folder {path.parent} either"
        entries = islice(path.parent.iterdir(), MOST_ENTRIES)
        names = [entry.name for entry in entries if entry.name.lower().endswith(NEAR)]
    except (OSError, ValueError):  # a NUL in the name
        return ""
    builtin = BUILTIN if path.name == source else ()
    found = closest(path.name, [*names, *builtin])
    if found is None:
        return ""
    return f", did you mean {found if found in builtin else path.with_name(found)}?"


def _opened(source: str | Path) -> AbstractContextManager[io.BufferedReader]:
    if str(source) != "-":
        try:
            return Path(source).open("rb")
        except ValueError:  # a NUL in the name
            raise FileNotFoundError from None
    if sys.stdin is None:
        raise SuiteError("standard input is closed")
    stream: Any = sys.stdin.buffer
    if not isinstance(stream, io.BufferedReader):
        stream = io.BufferedReader(stream)
    return nullcontext(stream)


def _refuse_binary(stream: io.BufferedReader, name: str) -> None:
    block = stream.peek(SNIFFED)[:SNIFFED]
    for mark, encoding in OTHER_UNICODE.items():
        if block.startswith(mark):
            raise SuiteError(
                f"{name} is text in {encoding}, expected UTF-8; save it as UTF-8 (in Notepad:"
                " Save as, Encoding UTF-8)"
            )
    for begin, what in OTHER_FILES.items():
        if block.removeprefix(UTF8_MARK).lstrip().lower().startswith(begin):
            raise SuiteError(f"{name} is {what}")
    text = NULS_AT_LINE_END.sub(b"", block).decode(errors="surrogateescape")
    controls = len(CONTROL.findall(text))
    odd = controls + len(UNDECODABLE.findall(text))
    if controls and odd > MOST_ODD * len(text):
        raise SuiteError(f"{name} is a binary file, expected a suite as text")


def _lines(stream: BinaryIO, name: str) -> Iterator[Line | SuiteProblem]:
    number = 0
    while raw := stream.readline(LONGEST_LINE + 1):
        number += 1
        if number == 1:
            raw = raw.removeprefix(UTF8_MARK)
        if len(raw) > LONGEST_LINE:
            _skip_line(stream, raw)
            message = f"the line is longer than {LONGEST_LINE} bytes, expected a position"
            yield SuiteProblem(name, number, LONGEST_LINE + 1, message)
            continue
        line = _decoded(raw.rstrip(b"\r\n").rstrip(b"\0 \t"), number, name)
        if line is not None:
            yield line


def _skip_line(stream: BinaryIO, raw: bytes) -> None:
    while raw and not raw.endswith(b"\n"):
        raw = stream.readline(LONGEST_LINE + 1)


def _decoded(raw: bytes, number: int, name: str) -> Line | SuiteProblem | None:
    try:
        text = raw.decode()
    except UnicodeDecodeError as error:
        if raw.lstrip().startswith(tuple(mark.encode() for mark in COMMENT_MARKS)):
            return None
        column = len(raw[: error.start].decode()) + 1
        message = f"the byte 0x{raw[error.start]:02X} is no text in UTF-8"
        return SuiteProblem(name, number, column, message)
    if not text.strip():
        return None
    if control := CONTROL.search(text):
        code = ord(control.group())
        message = f"the control character U+{code:04X} can't be in a row"
        return SuiteProblem(name, number, control.start() + 1, message)
    return Line(number, text)
