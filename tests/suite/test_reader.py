"""Each shape of a row that is found in the wild gives what it says."""

from __future__ import annotations

import io
import itertools
import tracemalloc

import pytest

from perftkit import KIWIPETE, STARTPOS
from perftkit.suite.model import SuiteProblem
from perftkit.suite.reader import read_suite

FOUR_FIELDS = STARTPOS.removesuffix(" 0 1")


def nodes(row):
    return {given.depth: given.nodes for given in row.expectations}


@pytest.mark.parametrize(
    "rest",
    [
        " ;D1 20 ;D2 400 ;D3 8902",
        ";D1 20;D2 400;D3 8902",
        "; D1 20 ; D2 400 ; D3 8902 ;",
        "\t;D1\t20\t;D2  400;;D3 8902  ",
        " ;d1 20 ;d2 400 ;d3 8902",
        " ;D3 8902 ;D1 20 ;D2 400",
        " ;D1=20 ;D2: 400 ;D3 : 8902",
        " ;D1 20 ;D2 400 ;D3 8,902",
        " ;D1 20 ;D2 400 ;D3 8_902",
        " ;D1 20 ;D2 400 ;D3 8902 # as everybody knows",
        " ;D1 20 ;D2 400 ;D3 8902 // as everybody knows",
        " ;D1 20 ;D2 400 ;D3 8902 ;D2 400",
        " D1 20; D2 400; D3 8902;",
        ",20,400,8902",
        " , 20 , 400 , 8_902",
    ],
)
def test_counts_of_three_depths(read_row, rest):
    row = read_row(STARTPOS + rest)
    assert row.fen == STARTPOS
    assert nodes(row) == {1: 20, 2: 400, 3: 8902}


@pytest.mark.parametrize(
    "rest",
    [
        "; 4; 197281",
        ";4;197_281;",
        " | 4 | 197281",
        "|4|197,281",
        "|4|197281|",
        ' c0 "4"; c1 "197281";',
    ],
)
@pytest.mark.parametrize("fen", [STARTPOS, FOUR_FIELDS])
def test_one_depth_and_its_count(read_row, fen, rest):
    row = read_row(fen + rest)
    assert row.fen == fen
    assert nodes(row) == {4: 197281}
    assert row.notes == {}


@pytest.mark.parametrize(
    "fen",
    [
        FOUR_FIELDS,
        FOUR_FIELDS + " 0 0",
        FOUR_FIELDS + " 12 345",
        # An e.p. field that no capture can use.
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
    ],
)
def test_a_row_can_be_only_a_fen(read_row, fen):
    row = read_row(fen)
    assert (row.fen, row.expectations, row.id, row.line) == (fen, (), "suite:1", 1)


def test_spaces_in_the_fen_are_normalised(read_row):
    assert read_row("  " + STARTPOS.replace(" ", " \t ") + " ;D1 20").fen == STARTPOS


def test_a_fen_in_quotation_marks(read_row):
    row = read_row(f'"{STARTPOS}",20,400')
    assert (row.fen, nodes(row)) == (STARTPOS, {1: 20, 2: 400})


def test_only_the_depths_that_are_given(read_row):
    assert nodes(read_row(STARTPOS + " ;D5 4865609 ;D0 1")) == {0: 1, 5: 4865609}


def test_counts_of_any_size(read_row):
    row = read_row(STARTPOS + " ;D15 2015099950053364471960")
    assert nodes(row) == {15: 2015099950053364471960}


def test_counters(read_row):
    row = read_row(
        KIWIPETE + " ;D3 97862 cap=17102 ep=45 oo=1 ooo=2 cas=3_162 promo=0 chk=993 disc=4 dbl=5 "
        'mate=1 dmate=6 dblmate=7 ;id "kiwipete"'
    )
    (given,) = row.expectations
    assert row.id == "kiwipete"
    assert given.counts == {
        "captures": 17102,
        "en_passant": 45,
        "castles_kingside": 1,
        "castles_queenside": 2,
        "castles": 3162,
        "promotions": 0,
        "checks": 993,
        "discovered_checks": 4,
        "double_checks": 5,
        "checkmates": 1,
        "discovered_checkmates": 6,
        "double_checkmates": 7,
    }


def test_counters_that_are_not_given_are_not_made_up(read_row):
    assert read_row(KIWIPETE + " ;D3 97862 ep=45").expectations[0].counts == {"en_passant": 45}


@pytest.mark.parametrize(
    ("rest", "name"),
    [
        (' ;D1 20 ;id "two words"', "two words"),
        (" ;D1 20 ;id pos-3", "pos-3"),
        (" ;D1 20 ;id position 3 ;D2 400", "position 3"),
        (' id "a;b # c"; D1 20;', "a;b # c"),
        (' ;D1 20 ;id "Петров ♞"', "Петров ♞"),
        (' hmvc 0; fmvn 1; id "perft.1";', "perft.1"),
    ],
)
def test_ids(read_row, rest, name):
    row = read_row(FOUR_FIELDS + rest)
    assert row.id == name
    assert row.has_given_id


def test_other_opcodes_are_kept(read_row):
    row = read_row(FOUR_FIELDS + ' bm Nf3; c0 "a comment"; ;source "a book" ;noop')
    assert row.notes == {"bm": "Nf3", "c0": "a comment", "source": "a book", "noop": ""}
    assert row.expectations == ()


def test_records(read):
    rows = read(
        f"id one\nepd {FOUR_FIELDS}\nperft 1 20\nperft 3 8_902 cap=34\n\n# between\n"
        f"epd {KIWIPETE}\nperft 1 48\n{STARTPOS} ;D1 20\nid four\nepd {FOUR_FIELDS}"
    )
    assert [(row.id, row.fen, nodes(row), row.line) for row in rows] == [
        ("one", FOUR_FIELDS, {1: 20, 3: 8902}, 2),
        ("suite:7", KIWIPETE, {1: 48}, 7),
        ("suite:9", STARTPOS, {1: 20}, 9),
        ("four", FOUR_FIELDS, {}, 11),
    ]
    assert rows[0].expectations[1].counts == {"captures": 34}


def test_duplicates_are_rows_too(read):
    assert len(read(f"{STARTPOS} ;D1 20\n" * 2)) == 2


@pytest.mark.parametrize("mark", ["#", "%", "//", "  # "])
def test_comments_and_empty_lines(read_row, mark):
    row = read_row(f"{mark}a comment ;D1 7\n\n \t\n{STARTPOS} ;D1 20\n{mark}\n")
    assert row.line == 4


@pytest.mark.parametrize(
    "content",
    [
        f"{STARTPOS} ;D1 20\r\n{KIWIPETE} ;D1 48\r\n",
        f"\ufeff{STARTPOS} ;D1 20\n{KIWIPETE} ;D1 48",
        f"{STARTPOS} ;D1 20\0\n{KIWIPETE} ;D1 48\0",
        f"{STARTPOS} ;D1 20 \0\0\r\n{KIWIPETE} ;D1 48\0\r\n\0",
        f"{STARTPOS} ;D1 20\n\n\n{KIWIPETE} ;D1 48",
    ],
)
def test_ends_and_beginnings_of_lines(read, content):
    assert [nodes(row) for row in read(content)] == [{1: 20}, {1: 48}]


def test_comments_in_another_encoding(read_row):
    assert nodes(read_row(b"# Petrovi\xe9\n" + STARTPOS.encode() + b" ;D1 20")) == {1: 20}


# Chess960

XFEN = "r1k1r2q/p1ppp1pp/8/8/8/8/P1PPP1PP/R1K1R2Q w KQkq - 0 1"
SHREDDER = "r1k1r2q/p1ppp1pp/8/8/8/8/P1PPP1PP/R1K1R2Q w EAea - 0 1"


def test_chess960_opcode(read):
    rows = read(f"{XFEN} ;chess960 ;D1 23\n{FOUR_FIELDS} chess960;\n{STARTPOS}\n{SHREDDER}\n")
    assert [row.chess960 for row in rows] == [True, True, None, None]


@pytest.mark.parametrize("mark", ["#", "%", "//"])
def test_chess960_directive(read, mark):
    rows = read(f"{STARTPOS}\n{mark} perftkit: chess960\n{XFEN} ;D1 23\n")
    assert [row.chess960 for row in rows] == [None, True]


def test_chess960_asked_for_by_the_caller(read_row):
    assert read_row(XFEN, chess960=True).chess960 is True


def test_chess960_is_not_guessed_from_kqkq(read_problem):
    problem = read_problem("# one\n" + XFEN)
    assert (problem.line, problem.column) == (2, XFEN.index("KQkq") + 1)
    assert problem.message.endswith("a row of Chess960 ends with ;chess960")


# Conventions


@pytest.mark.parametrize("opcode", ["conv=wiki", "conv wiki", 'conv "wiki"', "conv = wiki"])
def test_convention_opcode(read_row, opcode):
    row = read_row(f"{KIWIPETE} ;D5 193690690 dbl=2637 ;{opcode}")
    assert row.convention == "wiki"
    assert row.expectations[0].counts["double_checks"] == 2637
    assert "double_checkmates" not in row.expectations[0].counts


def test_convention_beside_a_counter(read_row):
    assert read_row(f"{KIWIPETE} ;D5 193690690 dbl=2637 conv=wiki").convention == "wiki"


def test_convention_directive(read):
    rows = read(f"{STARTPOS}\n# perftkit: conv=wiki\n{STARTPOS}\n{STARTPOS} ;conv=perftkit\n")
    assert [row.convention for row in rows] == ["perftkit", "wiki", "perftkit"]


# Streams


def test_standard_input(monkeypatch):
    class Stdin:
        buffer = io.BytesIO(f"{STARTPOS} ;D1 20\nx\n".encode())

    monkeypatch.setattr("sys.stdin", Stdin)
    row, problem = read_suite("-")
    assert (row.file, row.id, row.line) == ("<stdin>", "stdin:1", 1)
    assert isinstance(problem, SuiteProblem)
    assert str(problem).startswith("<stdin>:2:1: ")


def test_rows_are_read_as_they_are_asked_for(tmp_path):
    path = tmp_path / "large.epd"
    path.write_text(f"{STARTPOS} ;D1 20 ;D2 400 ;D3 8902\n" * 200_000)
    tracemalloc.start()
    assert len(list(itertools.islice(read_suite(path), 1000))) == 1000
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 3_000_000  # the file has 17 MB
