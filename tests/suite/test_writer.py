"""What is written is read again as the same row, in both styles."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perftkit import KIWIPETE, STARTPOS
from perftkit.suite.grammar import parse_row
from perftkit.suite.model import CONVENTIONS, Expectation, SuiteRow, counters_of
from perftkit.suite.reader import read_suite
from perftkit.suite.writer import format_row, write_suite

XFEN = "r1k1r2q/p1ppp1pp/8/8/8/8/P1PPP1PP/R1K1R2Q w KQkq - 0 1"
SHREDDER = "r1k1r2q/p1ppp1pp/8/8/8/8/P1PPP1PP/R1K1R2Q w EAea - 0 1"
FENS = [STARTPOS, KIWIPETE, STARTPOS.removesuffix(" 0 1"), SHREDDER]

# An operand is any text without quotation marks and control characters.
texts = st.text(st.characters(exclude_categories=["Cc", "Cs"], exclude_characters='"'), max_size=20)
names = st.from_regex(r"[a-z][a-z0-9_-]{0,9}", fullmatch=True).filter(
    lambda name: name not in ("id", "chess960", "conv", "c0", "c1") and not name.startswith("d")
)
numbers = st.integers(0, 10**22)


@st.composite
def rows(draw):
    convention = draw(st.sampled_from(CONVENTIONS))
    counts = st.dictionaries(
        st.sampled_from(counters_of(convention)), numbers
    ) | st.fixed_dictionaries(
        {name: st.sampled_from([0, 0, 7]) for name in counters_of(convention)}
    )
    depths = sorted(draw(st.sets(st.integers(0, 64), max_size=6)))
    return SuiteRow(
        id=draw(texts.filter(bool)),
        fen=draw(st.sampled_from(FENS)),
        chess960=draw(st.sampled_from([None, True])),
        expectations=tuple(Expectation(depth, draw(numbers), draw(counts)) for depth in depths),
        convention=convention,
        notes=draw(st.dictionaries(names, texts, max_size=3)),
    )


def as_read(text: str) -> SuiteRow:
    """Read a row without a file."""
    parsed = parse_row(text)
    assert not parsed.errors, parsed.errors
    convention = parsed.convention or "perftkit"
    known = counters_of(convention)
    return SuiteRow(
        id=parsed.id or "",
        fen=parsed.fen.text,
        chess960=True if parsed.chess960 else None,
        expectations=tuple(
            Expectation(depth, nodes, {name: counts[name] for name in known if name in counts})
            for depth, (nodes, counts) in sorted(parsed.depths.items())
        ),
        convention=convention,
        notes=parsed.notes,
    )


@given(rows())
def test_round_trip(row):
    assert as_read(format_row(row)) == row


@given(rows())
def test_other_readers_find_the_counts_in_the_first_two_words(row):
    for line in (format_row(row), format_row(row, "community")):
        depths = [segment.split()[:2] for segment in line.split(" ;D")[1:]]
        assert depths[: len(row.expectations)] == [
            [str(expected.depth), str(expected.nodes)] for expected in row.expectations
        ]


def test_own_style():
    counts = {"checks": 12, "captures": 34, "en_passant": 0}
    row = SuiteRow(
        id="startpos",
        fen=STARTPOS,
        expectations=(Expectation(3, 8902, counts), Expectation(4, 197281, {"checkmates": 8})),
        notes={"source": 'a "book"\n'},
    )
    assert format_row(row) == (
        f"{STARTPOS} ;D3 8902 cap=34 ep=0 chk=12 ;D4 197281 mate=8"
        ' ;id "startpos" ;source "a \'book\' "'
    )


def test_community_style_writes_file_letters_of_chess960():
    row = SuiteRow(id="x", fen=XFEN, chess960=True, expectations=(Expectation(1, 23),))
    assert format_row(row, "community") == f"{SHREDDER} ;D1 23"
    assert format_row(row) == f'{XFEN} ;D1 23 ;chess960 ;id "x"'


def test_an_id_that_was_not_given_is_not_written(tmp_path):
    path = tmp_path / "some.epd"
    path.write_text(f"{STARTPOS} ;D1 20\n")
    (row,) = read_suite(path)
    assert row.id == "some:1"
    assert format_row(row) == f"{STARTPOS} ;D1 20"


def test_a_suite_line_by_line():
    stream = io.StringIO()
    write_suite([SuiteRow(id="a", fen=STARTPOS), SuiteRow(id="b", fen=KIWIPETE)], stream)
    assert stream.getvalue() == f'{STARTPOS} ;id "a"\n{KIWIPETE} ;id "b"\n'


def test_unknown_style():
    with pytest.raises(ValueError, match="no style is called 'pgn': expected one of perftkit"):
        format_row(SuiteRow(id="a", fen=STARTPOS), "pgn")
