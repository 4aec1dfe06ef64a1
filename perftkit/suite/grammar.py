"""The grammar of one row of a suite.

    row       = fen [ rest ] [ comment ]
    fen       = four fields, or six; may be in quotation marks
    rest      = segments | list | pair
    segments  = [ ";" ] segment { ";" segment } [ ";" ]
    segment   = depth | opcode | ""
    depth     = "D" number [ "=" | ":" ] count { counter "=" count }
    counter   = "cap" | "ep" | "oo" | "ooo" | "cas" | "promo" | "chk" | "disc" | "dbl"
              | "mate" | "dmate" | "dblmate"
    opcode    = "id" text | "chess960" | "conv" ( "=" | " " ) ( "perftkit" | "wiki" )
              | "c0" depth number ; "c1" count            (both numbers: one depth)
              | name [ text ]
    text      = '"' anything but '"' '"' | words
    list      = "," count { "," count }                   FEN,20,400,8902: depths 1, 2, 3
    pair      = "|" number "|" count                      FEN|4|197281
              | ";" number ";" count                      FEN; 4; 197281
    count     = digits, with separators as in 97_862 or 97,862 (in a list only the first)
    comment   = ( "#" | "//" ), with a space before and after

The first field can be followed by any spaces and tabs. Depths may come in any order and may
be missing; the same depth may be given twice if both say the same.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from perftkit.core.perft import MAX_DEPTH
from perftkit.suite.model import CONVENTIONS, LONG_NAMES, SHORT_NAMES

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = [
    "ParsedRow",
    "Piece",
    "RowError",
    "add_depth",
    "convention_named",
    "parse_depth",
    "parse_row",
    "quoted",
    "words",
]

MOST_DIGITS = 40
LONGEST_QUOTE = 40  # characters of the row that a message repeats

WORD = re.compile(r"[^ \t]+")
FEN_FIELD = re.compile(r"[ \t]*([^ \t;|,]+)")
CLOCK = re.compile(r"[ \t]*(\d+)(?=[ \t;|,]|$)")
COMMENT = re.compile(r"[ \t](?:#|//)(?=[ \t]|$)")
COUNT = re.compile(r"\d{1,3}(?:,\d{3})+|\d+(?:_\d+)*", re.ASCII)
DEPTH_WORD = re.compile(r"[Dd](\d*)(?:[ \t]*([=:]))?(?=[ \t]|$|(?<=[=:]))", re.ASCII)
DEPTH_LIKE = re.compile(r"[Dd][-+.]?\d")  # nothing but a depth that is written wrongly
OPCODE = re.compile(r"[A-Za-z][A-Za-z0-9_-]*(?=[ \t]|$)", re.ASCII)
CONVENTION = re.compile(r"conv(?:[ \t]*=[ \t]*|[ \t]+|$)")


class RowError(Exception):
    """A place in a row that can't be read.

    Attributes:
        column: In the line, counted from 1.
        message: What was expected there.
    """

    def __init__(self, column: int, message: str) -> None:
        self.column = column
        self.message = message
        super().__init__(message)


class Piece(NamedTuple):
    """A piece of a line and the column, counted from 1, at which it begins."""

    text: str
    column: int


@dataclass(slots=True)
class ParsedRow:
    """What a row says, before the core has looked at its FEN."""

    fen: Piece
    id: str | None = None
    chess960: bool = False
    convention: str | None = None
    depths: dict[int, tuple[int, dict[str, int]]] = field(default_factory=dict)
    notes: dict[str, str] = field(default_factory=dict)
    errors: list[RowError] = field(default_factory=list)


def parse_row(text: str, column: int = 1) -> ParsedRow:
    """Read a row.

    Args:
        text: The row; it is not empty.
        column: Of its first character in the line.

    Returns:
        The row, with what can't be read in its `errors`.
    """
    row = ParsedRow(Piece("", column))
    try:
        row.fen, rest = _split_fen(text, column)
        _read_rest(rest, row)
    except RowError as error:
        row.errors.append(error)
    return row


def words(piece: Piece) -> list[Piece]:
    """Return the words of a piece."""
    return [Piece(word.group(), piece.column + word.start()) for word in WORD.finditer(piece.text)]


def quoted(text: str) -> str:
    """Return a part of a row as a message repeats it."""
    return repr(text if len(text) <= LONGEST_QUOTE else text[:LONGEST_QUOTE] + "…")


# The FEN


def _split_fen(text: str, column: int) -> tuple[Piece, Piece]:
    start = len(text) - len(text.lstrip(" \t"))
    if text[start : start + 1] == '"':
        start += 1
        end = text.find('"', start)
        if end < 0:
            raise RowError(column + start - 1, "the quotation mark before the FEN is not closed")
        rest = end + 1
    else:
        rest = end = _end_of_fen(text, start)
    if "/" not in text[start:end]:
        found = next(iter(text[start:].split()), "")
        raise RowError(
            column + start,
            "expected a FEN such as 8/8/…, a line of an id/epd/perft record, or a comment, "
            f"found {quoted(found)}",
        )
    return Piece(text[start:end], column + start), Piece(text[rest:], column + rest)


def _end_of_fen(text: str, start: int) -> int:
    end = start
    for pattern in (FEN_FIELD,) * 4 + (CLOCK,) * 2:
        if (match := pattern.match(text, end)) is None:
            break
        end = match.end()
    return end


# What follows the FEN


def _read_rest(rest: Piece, row: ParsedRow) -> None:
    mark = rest.text.lstrip(" \t")[:1]
    if mark == ",":
        _read_list(rest, row)
    elif mark == "|":
        numbers = _split(rest, "|")[1:]
        _read_pair([number for number in numbers if number.text], rest, row)
    else:
        _read_segments(rest, row)


def _split(piece: Piece, separator: str) -> list[Piece]:
    parts = []
    column = piece.column
    for part in piece.text.split(separator):
        indent = len(part) - len(part.lstrip(" \t"))
        parts.append(Piece(part.strip(" \t"), column + indent))
        column += len(part) + len(separator)
    return parts


def _read_list(rest: Piece, row: ParsedRow) -> None:
    for depth, count in enumerate(_split(rest, ",")[1:], start=1):
        if depth > MAX_DEPTH:
            raise RowError(count.column, f"a list has at most {MAX_DEPTH} counts")
        row.depths[depth] = (_count(count, f"the count of depth {depth}"), {})


def _read_pair(numbers: list[Piece], rest: Piece, row: ParsedRow) -> None:
    if len(numbers) != 2:
        raise RowError(
            rest.column,
            "expected a depth and a count: several counts are written FEN,20,400 or "
            "FEN ;D1 20 ;D2 400",
        )
    _add(row, parse_depth(numbers[0]), _count(numbers[1], "a count"), {}, numbers[0].column)


def _read_segments(rest: Piece, row: ParsedRow) -> None:
    numbers: list[Piece] = []
    for segment in _segments(rest):
        try:
            if COUNT.fullmatch(segment.text):
                numbers.append(segment)
            else:
                _read_segment(segment, row)
        except RowError as error:
            row.errors.append(error)
    if numbers:
        _read_pair(numbers, numbers[0], row)
    _join_c0_c1(rest, row)


def _segments(rest: Piece) -> Iterator[Piece]:
    """Yield what stands between semicolons that are not in quotation marks."""
    text = rest.text
    blanked = re.sub('"[^"]*"', lambda found: "_" * len(found.group()), text)
    if (comment := COMMENT.search(blanked)) is not None:
        blanked = blanked[: comment.start()]
    if (mark := blanked.find('"')) >= 0:
        raise RowError(rest.column + mark, "this quotation mark is not closed")
    column = 0
    for part in blanked.split(";"):
        segment = text[column : column + len(part)]
        stripped = segment.strip(" \t")
        if stripped:
            yield Piece(stripped, rest.column + column + segment.index(stripped))
        column += len(part) + 1


def _read_segment(segment: Piece, row: ParsedRow) -> None:
    if (match := DEPTH_WORD.match(segment.text)) is not None:
        depth = parse_depth(Piece(match[1], segment.column + 1))
        after = Piece(segment.text[match.end() :], segment.column + match.end())
        add_depth(row, depth, words(after), after.column, segment.column)
    elif DEPTH_LIKE.match(segment.text):
        word = words(segment)[0]
        parse_depth(Piece(word.text[1:], word.column + 1))
    elif (match := CONVENTION.match(segment.text)) is not None:
        value = Piece(segment.text[match.end() :], segment.column + match.end())
        row.convention = convention_named(value)
    elif (match := OPCODE.match(segment.text)) is not None:
        operand = Piece(segment.text[match.end() :], segment.column + match.end())
        _read_opcode(Piece(match.group(), segment.column), operand, row)
    else:
        raise RowError(
            segment.column,
            "expected a depth and its count such as D3 8902, or an opcode such as "
            f'id "name", found {quoted(segment.text)}',
        )


# Depths


def add_depth(row: ParsedRow, depth: int, values: list[Piece], end: int, column: int) -> None:
    """Read the count and the counters of a depth into a row.

    Args:
        row: Where they go.
        depth: Plies.
        values: The words after the depth.
        end: The column where the first was expected.
        column: Of the depth.

    Raises:
        RowError: A word is not what was expected.
    """
    if not values:
        raise RowError(end, f"expected the count of depth {depth}")
    nodes = _count(values[0], f"the count of depth {depth}")
    counts: dict[str, int] = {}
    for word in values[1:]:
        if word.text.startswith("conv="):
            row.convention = convention_named(Piece(word.text[5:], word.column + 5))
        else:
            name, value = _counter(word)
            if name in counts:
                raise RowError(word.column, f"{SHORT_NAMES[name]} is given twice")
            counts[name] = value
    _add(row, depth, nodes, counts, column)


def _counter(word: Piece) -> tuple[str, int]:
    name, equals, value = word.text.partition("=")
    if not equals or name not in LONG_NAMES:
        raise RowError(
            word.column,
            f"expected a counter such as cap=34, of {' '.join(LONG_NAMES)}, "
            f"found {quoted(word.text)}",
        )
    return LONG_NAMES[name], _count(
        Piece(value, word.column + len(name) + 1), f"the number of {name}"
    )


def _add(row: ParsedRow, depth: int, nodes: int, counts: dict[str, int], column: int) -> None:
    known_nodes, known_counts = row.depths.get(depth, (nodes, counts))
    if known_nodes != nodes or any(known_counts.get(name, n) != n for name, n in counts.items()):
        raise RowError(column, f"depth {depth} is given twice with different counts")
    row.depths[depth] = (nodes, {**known_counts, **counts})


def parse_depth(piece: Piece) -> int:
    """Return the depth that a word names.

    Raises:
        RowError: It is no number from 0 to 64.
    """
    if not re.fullmatch(r"\d{1,9}", piece.text, re.ASCII) or int(piece.text) > MAX_DEPTH:
        found = f", found {quoted(piece.text)}" if piece.text else ""
        raise RowError(piece.column, f"expected a depth from 0 to {MAX_DEPTH}{found}")
    return int(piece.text)


def _count(piece: Piece, what: str) -> int:
    digits = re.sub("[,_]", "", piece.text)
    if not COUNT.fullmatch(piece.text) or len(digits) > MOST_DIGITS:
        found = quoted(piece.text) if piece.text else "nothing"
        raise RowError(piece.column, f"expected {what}, a whole number, found {found}")
    return int(digits)


# Opcodes


def convention_named(piece: Piece) -> str:
    """Return the convention that a word names.

    Raises:
        RowError: There is no such convention.
    """
    name = piece.text.strip(' \t"')
    if name not in CONVENTIONS:
        raise RowError(
            piece.column, f"expected conv={' or conv='.join(CONVENTIONS)}, found {quoted(name)}"
        )
    return name


def _read_opcode(name: Piece, operand: Piece, row: ParsedRow) -> None:
    text = operand.text.strip(" \t")
    if text.startswith('"') and text.find('"', 1) == len(text) - 1:
        text = text[1:-1]
    if name.text == "id":
        if not text:
            raise RowError(operand.column, 'expected the id after id, as in id "startpos"')
        if row.id is not None:
            raise RowError(name.column, "the row has two ids")
        row.id = text
    elif name.text == "chess960":
        if text:
            raise RowError(operand.column, f"chess960 takes no operand, found {quoted(text)}")
        row.chess960 = True
    elif name.text in row.notes:
        raise RowError(name.column, f"{quoted(name.text)} is given twice")
    else:
        row.notes[name.text] = text


def _join_c0_c1(rest: Piece, row: ParsedRow) -> None:
    """Read `c0 "4"; c1 "197281"` as a depth and its count, when both are numbers."""
    depth, nodes = (Piece(row.notes.get(name, ""), rest.column) for name in ("c0", "c1"))
    if not (COUNT.fullmatch(depth.text) and COUNT.fullmatch(nodes.text)):
        return
    del row.notes["c0"], row.notes["c1"]
    _add(row, parse_depth(depth), _count(nodes, "a count"), {}, rest.column)
