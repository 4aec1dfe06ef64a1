"""Each kind of broken row is a problem that says where and what was expected."""

from __future__ import annotations

import pytest

from perftkit import STARTPOS
from perftkit.errors import SuiteError
from perftkit.suite.model import SuiteProblem, SuiteRow
from perftkit.suite.reader import read_suite

AFTER = len(STARTPOS) + 1  # the column after the FEN


@pytest.mark.parametrize(
    ("rest", "column", "message"),
    [
        (" ;D1", 4, "expected the count of depth 1"),
        (" ;D1 ;D2 400", 4, "expected the count of depth 1"),
        (" ;D", 3, "expected a depth from 0 to 64"),
        (" ;D 20", 3, "expected a depth from 0 to 64"),
        (" ;D65 20", 3, "expected a depth from 0 to 64, found '65'"),
        (" ;D9999999999 20", 3, "expected a depth from 0 to 64, found '9999999999'"),
        (" ;D1 2o", 5, "expected the count of depth 1, a whole number, found '2o'"),
        (" ;D1 -20", 5, "expected the count of depth 1, a whole number, found '-20'"),
        (" ;D1 20.0", 5, "expected the count of depth 1, a whole number, found '20.0'"),
        (" ;D1 1e5", 5, "expected the count of depth 1, a whole number, found '1e5'"),
        (" ;D1 8,90", 5, "expected the count of depth 1, a whole number, found '8,90'"),
        (" ;D1 ²", 5, "expected the count of depth 1, a whole number, found '²'"),
        (" ;D1 " + 41 * "9", 5, "expected the count of depth 1, a whole number, found '99"),
        (" ;D1 20 21", 8, "expected a counter such as cap=34"),
        (" ;D1 20 cop=1", 8, "expected a counter such as cap=34"),
        (" ;D1 20 cap=", 12, "expected the number of cap, a whole number, found nothing"),
        (" ;D1 20 cap=x", 12, "expected the number of cap, a whole number, found 'x'"),
        (" ;D1 20 cap=1 cap=1", 14, "cap is given twice"),
        (" ;D1 20 ;D1 21", 9, "depth 1 is given twice with different counts"),
        (" ;D1 20 cap=0 ;D1 20 cap=1", 15, "depth 1 is given twice with different counts"),
        (" ;?!", 2, "expected a depth and its count such as D3 8902"),
        (" ;1 20", 2, "expected a depth and its count such as D3 8902"),
        (" 20 400", 1, "expected a depth and its count such as D3 8902"),
        (';id "x', 4, "this quotation mark is not closed"),
        (" ;id", 4, 'expected the id after id, as in id "startpos"'),
        (" ;id a ;id b", 8, "the row has two ids"),
        (" ;note a ;note b", 10, "'note' is given twice"),
        (" ;chess960 yes", 10, "chess960 takes no operand, found 'yes'"),
        (" ;conv=cpw", 7, "expected conv=perftkit or conv=wiki, found 'cpw'"),
        (" ;conv", 6, "expected conv=perftkit or conv=wiki, found ''"),
        (" ;20", 2, "expected a depth and a count"),
        (" ;1;20;2;400", 2, "expected a depth and a count"),
        (" |1", 0, "expected a depth and a count"),
        (" |1|20|2", 0, "expected a depth and a count"),
        (" |x|20", 2, "expected a depth from 0 to 64, found 'x'"),
        (" |1|x", 4, "expected a count, a whole number, found 'x'"),
        (",20,", 4, "expected the count of depth 2, a whole number, found nothing"),
        (",20,x,8902", 4, "expected the count of depth 2, a whole number, found 'x'"),
        (65 * ",1", 129, "a list has at most 64 counts"),
        (" ;D1 20 dmate=1 ;conv=wiki", None, "conv=wiki has no counter dmate"),
    ],
)
def test_what_follows_the_fen(read_problem, rest, column, message):
    problem = read_problem(STARTPOS + rest)
    assert problem.message.startswith(message)
    assert problem.line == 1
    assert problem.column == (1 if column is None else AFTER + column)


@pytest.mark.parametrize(
    ("line", "column", "message"),
    [
        ("hello", 1, "expected a FEN such as 8/8/…"),
        ("fen,depth,nodes", 1, "expected a FEN such as 8/8/…"),
        (";D1 20", 1, "expected a FEN such as 8/8/…"),
        ('"8/8', 1, "the quotation mark before the FEN is not closed"),
        ("8/8 w", 1, "the board has 8 ranks, not 2"),
        (STARTPOS[:30] + " ;D1 20", None, "ends before its side field"),
        (STARTPOS.removesuffix(" KQkq - 0 1") + " ;D1 20", None, "ends before its castling field"),
        (STARTPOS.removesuffix(" 1") + " ;D1 20", None, "four or six fields"),
        (STARTPOS.replace("Q", "X", 1), STARTPOS.index("Q") + 1, "'X' is no piece"),
        (STARTPOS.replace("Q", "♛", 1), STARTPOS.index("Q") + 1, "only printable ASCII characters"),
        (STARTPOS.replace("Q", "💥", 1), STARTPOS.index("Q") + 1, "only printable ASCII"),
        (10_000 * "8/", None, "at most 200 characters"),
        (10_000 * "x", 1, "expected a FEN such as 8/8/…"),
        (STARTPOS.replace("Q", "\0", 1), STARTPOS.index("Q") + 1, "control character U+0000"),
        (STARTPOS + " ;id \x1b[31m", AFTER + 5, "control character U+001B"),
    ],
)
def test_fen(read_problem, line, column, message):
    problem = read_problem(line + "\n")
    assert message in problem.message
    assert len(problem.message) < 1000
    if column is not None:
        assert problem.column == column


def test_every_fault_of_a_fen_with_its_column_in_the_line(read_problem):
    line = "  rnbqkbnr/pppppppp/8/8/9/8/PPPPPPPP/RNBQXBNR w KQkq e9 0 1 ;D1 20"
    problem = read_problem(line)
    assert "white has no king (column 3)" in problem.message
    for found in ("9/", "X", "e9"):
        assert f"(column {line.index(found) + 1})" in problem.message


def test_a_fen_of_many_faults_is_cut_short(read_problem):
    problem = read_problem("/".join(["zzzzzzzz"] * 8) + " w - -")
    assert problem.message.count("is no piece") == 10 - 2  # two faults are the missing kings
    assert "and 56 more" in problem.message


def test_several_problems_of_a_row(read):
    problems = read(STARTPOS.replace("w", "v", 1) + " ;D1 x ;D2 y")
    assert [problem.column for problem in problems] == [45, AFTER + 5, AFTER + 11]


def test_other_rows_are_still_used(read):
    good = f"{STARTPOS} ;D1 20"
    items = read(f"{good}\n{STARTPOS} ;D1 x\n\nhello\n{good}\n{70_000 * 'y'}\n{good}\n")
    assert [(type(item), item.line) for item in items] == [
        (SuiteRow, 1),
        (SuiteProblem, 2),
        (SuiteProblem, 4),
        (SuiteRow, 5),
        (SuiteProblem, 6),
        (SuiteRow, 7),
    ]


def test_bytes_that_are_no_utf8(read):
    row = STARTPOS.encode() + b" ;id caf"
    problem, good = read(row + b"\xe9\n" + row + b"\n")
    assert problem.message == "the byte 0xE9 is no text in UTF-8"
    assert problem.column == len(row) + 1
    assert good.id == "caf"


@pytest.mark.parametrize(
    ("lines", "line", "column", "message"),
    [
        ("perft 1 20", 1, 1, "expected a line with epd and a FEN before this one"),
        ("id x\nperft 1 20", 2, 1, "expected a line with epd and a FEN before this one"),
        ("id x", 1, 1, "this record has no line with epd and a FEN"),
        ("id", 1, 3, "expected something after id"),
        ("epd", 1, 4, "expected something after epd"),
        ("epd hello", 1, 5, "expected a FEN such as 8/8/…"),
        (f"epd {STARTPOS}\nperft", 2, 6, "expected something after perft"),
        (f"epd {STARTPOS}\nperft 1", 2, 8, "expected the count of depth 1"),
        (f"epd {STARTPOS}\nperft x 20", 2, 7, "expected a depth from 0 to 64, found 'x'"),
        (f"epd {STARTPOS}\nperft 1 x", 2, 9, "expected the count of depth 1, a whole number"),
    ],
)
def test_records(read_problem, lines, line, column, message):
    problem = read_problem(lines)
    assert (problem.line, problem.column) == (line, column)
    assert problem.message.startswith(message)


def test_the_record_after_a_broken_one_is_used(read):
    problem, row = read(f"id a\nepd {STARTPOS}\nperft 1 x\nid b\nepd {STARTPOS}\nperft 1 20\n")
    assert problem.line == 3
    assert row.id == "b"


def test_unknown_directive(read):
    problem, row = read(f"# perftkit: frc\n{STARTPOS}")
    assert problem.message == "expected chess960, conv=perftkit or conv=wiki, found 'frc'"
    assert problem.column == 13
    assert row.chess960 is None


# Whole files


def error_of(source) -> str:
    with pytest.raises(SuiteError) as caught:
        next(read_suite(source))
    return str(caught.value)


def test_missing_file(tmp_path):
    assert error_of(tmp_path / "no.epd").endswith("no.epd: there is no such file")
    assert error_of("a\0b").endswith("there is no such file")


def test_folder(tmp_path):
    assert error_of(tmp_path).endswith("is a folder, expected a suite file")


def test_unreadable_file(tmp_path, monkeypatch):
    # Not by its mode, since the tests may run as root.
    def refuse(*_, **__):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("pathlib.Path.open", refuse)
    assert error_of(tmp_path / "x.epd").endswith("x.epd can't be read: Permission denied")


def test_path_through_a_file(tmp_path):
    (tmp_path / "file").touch()
    assert error_of(tmp_path / "file" / "x.epd").endswith("can't be read: Not a directory")


def test_closed_standard_input(monkeypatch):
    monkeypatch.setattr("sys.stdin", None)
    assert error_of("-") == "standard input is closed"


@pytest.mark.parametrize(
    "content",
    [
        b"\x7fELF\x02\x01\x01" + bytes(9) + b"\x03\x00\x3e\x00",
        b"\x89PNG\r\n\x1a\n" + bytes(3) + b"\rIHDR",
        bytes(100_000),
        bytes(range(256)) * 300,
        STARTPOS.encode("utf-16-be"),
    ],
)
def test_binary_file(tmp_path, content):
    path = tmp_path / "x.bin"
    path.write_bytes(content)
    assert error_of(path).endswith("is a binary file, expected a suite as text")


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"\x1f\x8b\x08\x00" + bytes(range(256)), "packed by gzip"),
        (b"PK\x03\x04" + bytes(range(256)), "a zip archive"),
        (b'\xef\xbb\xbf[Event "x"]\n\n1. e4 *\n', "a PGN file of games, expected positions"),
        (b"\n<!DOCTYPE html>\n", "a web page, expected a suite as text; download the raw file"),
        (b"#!/bin/sh\necho 20\n", "a script, expected a suite"),
        (b'{"perftkit": "1.0"}\n', "JSON, expected a suite: a FEN and its counts"),
        (b'[{"fen": "8/8"}]\n', "JSON, expected a suite: a FEN and its counts"),
        (b'<?xml version="1.0"?>\n<testsuites/>\n', "XML, expected a suite: a FEN and its counts"),
    ],
)
def test_files_of_other_kinds(tmp_path, content, what):
    path = tmp_path / "x.epd"
    path.write_bytes(content)
    assert f"x.epd is {what}" in error_of(path)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32"])
def test_other_unicode(tmp_path, encoding):
    path = tmp_path / "x.epd"
    path.write_bytes(STARTPOS.encode(encoding))
    assert error_of(path).endswith(
        f"is text in {encoding.upper()}, expected UTF-8; save it as UTF-8 (in Notepad: Save as,"
        " Encoding UTF-8)"
    )


def test_empty_file(read):
    assert read(b"") == []
