"""Each kind of finding is found, and nothing in sound rows."""

from __future__ import annotations

import pytest

from perftkit import KIWIPETE, STARTPOS, Position
from perftkit.errors import SuiteError
from perftkit.suite.lint import Finding, lint
from perftkit.suite.model import Expectation
from perftkit.suite.plausible import impossible_counts, impossible_position


@pytest.fixture
def findings(tmp_path):
    """Lint texts as files of their own; returns (line, severity, code, message) of each finding."""

    def run(*texts, **options):
        paths = []
        for number, text in enumerate(texts, start=1):
            paths.append(tmp_path / f"{number}.epd")
            paths[-1].write_text(text)
        return [
            (found.line, found.severity, found.code, found.message.replace(str(tmp_path), ""))
            for found in lint(paths, **options)
        ]

    return run


def test_sound_rows(findings):
    assert (
        findings(f'{STARTPOS} ;D1 20 ;D2 400 ;source "x"\n{KIWIPETE} ;D1 48 cap=8', verify=400)
        == []
    )


def test_malformed(findings):
    (found,) = findings(f"{STARTPOS} ;D1 x")
    assert found[:3] == (1, "error", "malformed")


def test_missing_file(tmp_path):
    with pytest.raises(SuiteError):
        next(lint([tmp_path / "no.epd"]))


def test_text_of_a_finding():
    found = Finding("error", "f.epd", 3, 7, "malformed", "expected a count")
    assert str(found) == "f.epd:3:7: error: expected a count [malformed]"


def test_duplicates_within_and_across_files(findings):
    row = f"{STARTPOS} ;D1 20 ;id a\n"
    assert findings(row + row, row) == [
        (2, "warning", "duplicate-id", "a: /1.epd:1 has the same id"),
        (2, "warning", "duplicate-position", "a: /1.epd:1 has the same position"),
        (1, "warning", "duplicate-id", "a: /1.epd:1 has the same id"),
        (1, "warning", "duplicate-position", "a: /1.epd:1 has the same position"),
    ]


@pytest.mark.parametrize(
    "other",
    [
        STARTPOS.removesuffix("0 1") + "12 34",
        STARTPOS.removesuffix(" 0 1"),
        STARTPOS.replace("KQkq", "HAha"),
        STARTPOS + " ;chess960",
    ],
)
def test_the_same_position_written_otherwise(findings, other):
    (found,) = findings(f"{STARTPOS}\n{other} ;id b")
    assert found[2] == "duplicate-position"


def test_en_passant_that_no_move_can_use_makes_no_other_position(findings):
    fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq {} 0 1"
    (found,) = findings(f"{fen.format('e3')}\n{fen.format('-')}")
    assert found[2] == "duplicate-position"
    usable = "4k3/8/8/8/3pP3/8/8/4K3 b - {} 0 1"
    assert findings(f"{usable.format('e3')}\n{usable.format('-')}") == []


def test_the_same_position_in_the_other_convention_is_no_duplicate(findings):
    assert findings(f"{KIWIPETE} ;D1 48 disc=0\n{KIWIPETE} ;D1 48 disc=0 ;conv=wiki") == []


def test_contradictions(findings):
    found = findings(
        f"{KIWIPETE} ;D1 48 ;D3 97862 ep=45 ;id a\n"
        f"{KIWIPETE} ;D3 97863 ;id b ;conv=wiki\n"
        f"{KIWIPETE} ;D3 97862 ep=46 ;id c\n"
        f"{KIWIPETE} ;D3 97862 ep=47 ;id d ;conv=wiki\n"
    )
    assert [(line, message) for line, _, code, message in found if code == "contradiction"] == [
        (2, "b: depth 3 has 97863 nodes, /1.epd:1 says 97862"),
        (3, "c: depth 3 has ep=46, /1.epd:1 says 45"),
    ]


def test_unknown_opcodes(findings):
    row = f'{STARTPOS} ;bm e4 ;c3 "x" ;source "y" ;E1 20'
    assert findings(row) == [(1, "warning", "unknown-opcode", "1:1: no opcode is called 'E1'")]


def test_impossible_counts(findings):
    assert findings(f"{STARTPOS} ;D1 20 ep=1 cap=0") == [
        (1, "error", "impossible-count", "1:1: depth 1: ep=1 is more than cap=0")
    ]


def test_an_impossible_position_can_be_meant_so(findings):
    fen = "8/8/N7/2k5/N7/8/8/3K4 b - - 0 1"
    message = "1:1: two pieces give check at once, and neither can have been uncovered"
    assert findings(fen) == [(1, "warning", "impossible-position", message)]
    assert findings(f'{fen} ;impossible "two knights give check"') == []


def test_recount(findings):
    text = f"{KIWIPETE} ;D1 49 cap=8 ;D2 2039 cap=350 chk=3 ;D3 97863 ;id a"
    assert findings(text) == []
    assert findings(text, verify=2039) == [
        (1, "error", "wrong-count", "a: depth 1: 49 nodes, counted 48"),
        (1, "error", "wrong-count", "a: depth 2: cap=350, counted 351"),
    ]


def test_recount_in_the_published_convention(findings):
    # Six mates by a discovered check, which the published convention leaves out of disc.
    fen = "RB5k/KP4pp/PP6/8/8/8/8/8 w - - 0 1"
    assert findings(f"{fen} ;D1 6 mate=6 disc=0 ;conv=wiki", verify=10) == []
    (found,) = findings(f"{fen} ;D1 6 mate=6 disc=6 ;conv=wiki", verify=10)
    assert found[3] == "1:1: depth 1: disc=6, counted 0"


def test_recount_of_a_small_number_before_a_huge_tree_ends_early(findings):
    (found,) = findings(f"{STARTPOS} ;D12 62 ;id a", verify=100)
    assert found[3] == "a: depth 3 has 8902 nodes, so depth 12 has not so few"


def test_recount_of_chess960(findings):
    row = "r1k1r2q/p1ppp1pp/8/8/8/8/P1PPP1PP/R1K1R2Q w KQkq - ;D2 522"
    assert findings(row, verify=1000, chess960=True) == []


@pytest.mark.parametrize(
    ("depth", "nodes", "counts", "reasons"),
    [
        (0, 2, {}, ["depth 0 has one node and no moves"]),
        (0, 1, {"captures": 1}, ["depth 0 has one node and no moves"]),
        (1, 219, {}, ["no game leads to a position of more than 218 moves"]),
        (2, 219, {}, []),
        (1, 5, {"captures": 6}, ["cap=6 is more than nodes=5"]),
        (1, 5, {"checks": 6}, ["chk=6 is more than nodes=5"]),
        (1, 9, {"captures": 5, "en_passant": 6}, ["ep=6 is more than cap=5"]),
        (1, 9, {"checks": 5, "checkmates": 6}, ["mate=6 is more than chk=5"]),
        (1, 9, {"castles": 5, "captures": 5}, ["cap+cas=10 is more than nodes=9"]),
        (1, 9, {"castles": 3, "castles_kingside": 4}, ["oo=4 is more than cas=3"]),
        (
            1,
            9,
            {"castles": 3, "castles_kingside": 1, "castles_queenside": 1},
            ["oo+ooo=2 is not cas=3"],
        ),
        (
            1,
            9,
            {"checks": 5, "discovered_checks": 3, "double_checks": 3},
            ["disc+dbl=6 is more than chk=5"],
        ),
        (
            1,
            9,
            {"discovered_checks": 1, "discovered_checkmates": 2},
            ["dmate=2 is more than disc=1"],
        ),
        (1, 9, {"double_checks": 1, "double_checkmates": 2}, ["dblmate=2 is more than dbl=1"]),
        (1, 9, {"promotions": 6}, ["promo=6 is no multiple of four"]),
        (1, 9, {"captures": 9, "checks": 9, "checkmates": 9, "promotions": 8}, []),
    ],
)
def test_counts_that_can_not_be(depth, nodes, counts, reasons):
    assert list(impossible_counts(Expectation(depth, nodes, counts))) == reasons


@pytest.mark.parametrize(
    ("fen", "reason"),
    [
        ("4k3/8/8/8/8/NNNNNNNN/NNNNNNNN/4K3 w - - 0 1", "white has 17 pieces, more than 16"),
        ("4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1", "white has 9 pawns, more than 8"),
        (
            "4k3/pppppppp/8/8/8/8/8/nnn1K3 w - - 0 1",
            "black has at least 1 promoted pieces, but only 0 pawns less",
        ),
        # Two bishops on squares of one colour: one of them was a pawn.
        (
            "4k3/8/8/8/8/8/PPPPPPPP/B1B1K3 w - - 0 1",
            "white has at least 1 promoted pieces, but only 0 pawns less",
        ),
        (
            "4k3/pppppppp/8/8/8/P7/P7/4K3 w - - 0 1",
            None,
        ),
        (
            "rnbqkbnr/pppppppp/8/8/8/P7/P1PPPPPP/RNBQKBNR w KQkq - 0 1",
            "white has pawns that took at least 1 men, but only 0 are missing",
        ),
        (
            "rnbqkbnr/pppppppp/8/8/8/7P/6PP/RNBQKBNR w KQkq - 0 1",
            "white has pawns that can't have come from eight files",
        ),
        ("4k3/8/8/8/4r3/3n4/5p2/4K3 w - - 0 1", "3 pieces give check at once"),
        (
            "8/8/8/8/r3K2r/8/8/k7 w - - 0 1",
            "two pieces give check at once from both ends of a line",
        ),
        ("4k3/8/8/8/4r3/3n4/8/4K3 w - - 0 1", None),
        (
            "8/8/8/1k6/3Pp3/8/8/4KQ2 b - d3 0 1",
            "the check was there before the double push that allows e.p.",
        ),
        # The double push itself gives check, or uncovers one.
        ("8/8/8/4k3/3Pp3/8/8/4K3 b - d3 0 1", None),
        ("k6b/6pp/pp1P4/1R6/5pP1/8/K6P/7B b - g3 0 19", None),
        (KIWIPETE, None),
        (STARTPOS, None),
    ],
)
def test_positions_that_no_game_leads_to(fen, reason):
    reasons = list(impossible_position(Position(fen)))
    assert reasons[:1] == ([reason] if reason else [])
