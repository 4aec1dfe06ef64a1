"""Bugs that people really had, in the positions in which they were reported.

Positions and moves are those of the reports that were collected for this project; a class that was
reported without a position, or in another variant of chess, has one that shows the same. Every
count is python-chess's. Classes that no position can show are in docs/diagnosis.md.
"""

from __future__ import annotations

from dataclasses import dataclass

import diagnose_oracle as bugs
import pytest

from perftkit import KIWIPETE, STARTPOS
from perftkit.verify.diagnose import diagnose
from perftkit.verify.diagnosis import Evidence

POSITION_5 = "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8"


@dataclass(frozen=True)
class Report:
    """One report.

    Attributes:
        name: The class of the bug.
        fen: The position that is wrong.
        expected: Legal moves.
        wrong: The moves that were missing (`-e1g1`) or too many (`+e1g1`).
        rule: What has to be named.
        root: Where the line began, for what moves have left behind.
        path: The line.
    """

    name: str
    fen: str
    expected: int
    wrong: str
    rule: str
    chess960: bool = False
    root: str = ""
    path: str = ""


REPORTS = (
    Report(
        "castling-960-not-supported",
        "qnbnr1kr/ppp1b1pp/4p3/3p1p2/8/2NPP3/PPP1BPPP/QNB1R1KR w HEhe - 1 9",
        29,
        "-g1h1",
        "castling-path",
        chess960=True,
    ),
    Report(
        "castling-960-rook-attacked",
        "rk2r2b/ppp2b1p/1n4p1/3p1p2/3q1P2/1P1QN3/P1P1P2P/RK2R1BB w EAea - 0 12",
        33,
        "-b1a1",
        "castling-over-restricted",
        chess960=True,
    ),
    Report(
        "castling-960-rook-identity",
        "4k1rr/1b1p3p/nn1p4/P3Np2/3P1bp1/6PP/P5R1/1B1K2N1 b k - 1 37",
        35,
        "+e8g8",
        "castling-path",
    ),
    Report(
        "castling-b-file-attack",
        "r3k2r/p1pNqpb1/bn2pnp1/3P4/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
        45,
        "-e8c8",
        "castling-over-restricted",
    ),
    Report(
        "castling-fix-drops-king-moves",
        "rnb1kbnr/ppp3p1/8/7p/8/8/PPPPqPPP/RNB1K2R w KQkq - 0 1",
        1,
        "-e1e2",
        "king-over-restricted",
    ),
    Report(
        "castling-right-kept-after-rook-capture",
        "rnbq1k1r/pp1Pbppp/2p5/8/2B5/P7/1PP1N1PP/RNBQK2n w Q - 0 9",
        40,
        "+e1g1",
        "castling-rights",
        root=POSITION_5,
        path="a2a3 f2h1",
    ),
    Report(
        "castling-through-pieces",
        "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3",
        27,
        "+e1g1",
        "castling-path",
    ),
    Report(
        "double-check-aligned",
        "r7/3R2kQ/5p2/4p3/8/7P/8/5K2 b - - 2 3",
        1,
        "+g7h7",
        "king-x-ray",  # of the two checkers, one stands behind the other
    ),
    Report(
        "ep-diagonal-discovery", "8/5bk1/8/2Pp4/8/1K6/8/8 w - d6 0 1", 8, "+c5d6", "en-passant-pin"
    ),
    Report(
        "ep-diagonal-discovery",
        "k6b/6pp/pp1P4/1R6/5pP1/8/K6P/7B b - g3 0 19",
        3,
        "+f4g3",
        "en-passant-evasion",  # the bishop on h1 gives check already
    ),
    Report(
        "ep-evasion-missing",
        "4r1k1/8/p3pQp1/3p2Pp/1p1P1RK1/2P5/7q/8 w - h6 0 2",
        2,
        "-g5h6",
        "en-passant-evasion",
    ),
    Report(
        "ep-evasion-missing",
        "8/p2p1N2/8/4p2k/1p2P1Pp/1P1b3K/P6P/n7 b - g3 0 32",
        2,
        "-h4g3",
        "en-passant-evasion",
    ),
    Report(
        "ep-evasion-unreachable-fen",
        "8/8/8/1k6/3Pp3/8/8/4KQ2 b - d3 0 1",
        6,
        "-e4d3",
        "en-passant-evasion",
    ),
    Report(
        "ep-from-fen-ignored",
        "rn1qk2r/pbp1nppp/1p2p3/3pP3/1bBP4/2N2N2/PPP2PPP/R1BQK2R w KQkq d6 0 7",
        34,
        "-e5d6",
        "en-passant-missing",  # the FEN alone: that it is not read, only moves could tell
    ),
    Report("ep-horizontal-pin", "8/8/8/r2Pp2K/8/8/4k3/8 w - e6 0 1", 6, "+d5e6", "en-passant-pin"),
    Report("ep-horizontal-pin", "8/8/8/r2Pp2K/8/8/8/4k3 w - e6 0 1", 6, "+d5e6", "en-passant-pin"),
    Report(
        "ep-kept-one-ply-too-long",
        "rnbqkbnr/1pp1pppp/8/p2pP3/8/7P/PPPP1PP1/RNBQKBNR w KQkq - 0 4",
        29,
        "+e5d6",
        "en-passant-stale",
        root=STARTPOS,
        path="e2e4 a7a6 e4e5 d7d5 h2h3 a6a5",
    ),
    Report(
        "ep-marker-blocks-rays",
        "rnbqkbnr/ppp1pppp/3p4/8/Q7/2P5/PP1PPPPP/RNB1KBNR b KQkq - 0 1",
        6,
        "+c7c5",
        "check-evasion",  # the pawn jumps past the line of the check
    ),
    Report(
        "ep-pinned-pawn-along-line",
        "6k1/8/8/8/1Pp5/8/B7/6K1 b - b3 0 1",
        6,
        "-c4b3",
        "pin-over-restricted",
    ),
    Report(
        "ep-sentinel-is-a-square",
        "8/RPP5/8/3k4/5Bp1/6Pp/P4P1P/5K2 w - - 1 42",
        26,
        "+b7a8",
        "en-passant-target",
    ),
    Report(
        "fen-rights-vs-king",
        "r2qk2r/pppppppp/8/8/8/8/PPPPPPPP/R2KQ2R w kq - 0 1",
        23,
        "+d1g1",
        "fen-parsing",
    ),
    Report(
        "promotion-capture-evasion",
        "5n2/3KP3/8/8/4k3/8/8/8 w - - 0 1",
        10,
        "-e7f8q -e7f8r -e7f8b -e7f8n +e7f8",
        "promotion-capture",
    ),
    Report(
        "promotion-evasion",
        "r6K/1k4P1/8/8/8/8/8/8 w - - 0 1",
        5,
        "-g7g8q -g7g8r -g7g8b -g7g8n",
        "promotion-missing",
    ),
    Report(
        "underpromotion-missing",
        "r2q1rk1/pp1bbppp/4p3/P1p1P3/4P3/1P4P1/1BpQ1PBP/R4RK1 b - - 0 14",
        33,
        "-c2c1n",
        "promotion-piece",
    ),
    Report(
        "undo-captured-piece",
        "rnb1kbnr/pppp1ppp/4p3/6q1/8/8/PPPPPPPP/RNBQKB1R w KQkq - 0 3",
        19,
        "+g5f7 +g5h7",
        "make-unmake",
        root="rnbqkbnr/pppp1ppp/4p3/6N1/8/8/PPPPPPPP/RNBQKB1R b KQkq - 1 2",
        path="d8g5",
    ),
    Report(
        "wrap-ep-capture",
        "1nb1kbnr/r1p2pp1/3p1q2/pp2NP1p/7P/2PP4/PP2P1P1/R1BQKBNR b K - 0 1",
        35,
        "+a5h3",
        "pawn-wrap",
    ),
    Report("xfen-rook-search", "4k3/8/8/8/8/8/8/4K1RR w H - 0 1", 20, "+e1g1", "fen-parsing", True),
    Report(
        "slider-through-piece",
        "4k3/8/8/8/r1P2R2/8/8/4K3 w - - 0 1",
        17,
        "+f4a4 +f4b4",
        "slider-range",
    ),
)


def evidence_of(report):
    board = bugs.board_of(report.fen, report.chess960)
    right = bugs.legal(board)
    missing = tuple(text[1:] for text in report.wrong.split() if text[0] == "-")
    extra = tuple(text[1:] for text in report.wrong.split() if text[0] == "+")
    assert len(right) == report.expected
    assert right.issuperset(missing)
    assert right.isdisjoint(extra)
    return Evidence(
        fen=report.fen,
        chess960=report.chess960,
        root=report.root or report.fen,
        path=tuple(report.path.split()),
        missing=missing,
        extra=extra,
    )


@pytest.mark.parametrize("report", REPORTS, ids=lambda report: f"{report.name} {report.fen}")
def test_a_reported_position(report):
    diagnosis = diagnose(evidence_of(report))
    assert diagnosis.rule == report.rule, diagnosis


@pytest.mark.parametrize("report", REPORTS, ids=lambda report: f"{report.name} {report.fen}")
def test_a_reported_position_turned_round(report):
    if report.name in ("wrap-ep-capture",):  # squares are numbers there, which do not turn round
        return
    evidence = evidence_of(report)
    diagnosis = diagnose(
        Evidence(
            fen=bugs.mirrored(evidence.fen, report.chess960),
            chess960=report.chess960,
            root=bugs.mirrored(evidence.root, report.chess960),
            path=tuple(map(turned, evidence.path)),
            missing=tuple(map(turned, evidence.missing)),
            extra=tuple(map(turned, evidence.extra)),
        )
    )
    assert diagnosis.rule == report.rule, diagnosis


def turned(move):
    return "".join(str(9 - int(char)) if char.isdigit() else char for char in move)


# Reported counts


def counted(fen, depth, expected, got):
    return diagnose(Evidence(fen=fen, root=fen, depth=depth, wrong_counts={"": (expected, got)}))


def test_cumulative_counts():
    diagnosis = counted(KIWIPETE, 4, 4085603, 4185552)
    assert diagnosis.rule == "count-only"
    assert "all depths" in diagnosis.explanation


def test_a_surplus_that_equals_a_column():
    # 461 of the 469 checks at depth 4 are no mates (OEIS A089956).
    diagnosis = counted(STARTPOS, 4, 197281, 197742)
    assert diagnosis.rule == "count-only"
    assert "counted twice" in diagnosis.explanation


def test_a_total_that_nothing_explains():
    diagnosis = counted(KIWIPETE, 4, 4085603, 4085675)
    assert (diagnosis.rule, diagnosis.confidence) == ("count-only", "likely")


def test_one_move_list_for_all_levels():
    board = bugs.board_of(STARTPOS)
    moves = sorted(bugs.legal(board))
    wrong = {move: (20, 20 * number) for number, move in enumerate(moves, start=1) if number > 1}
    assert 20 + sum(got for _, got in wrong.values()) == 4200
    diagnosis = diagnose(Evidence(fen=STARTPOS, root=STARTPOS, depth=2, wrong_counts=wrong))
    assert (diagnosis.rule, diagnosis.confidence) == ("make-unmake", "likely")


def test_the_answer_for_the_position_before():
    # A strict reader refuses the FEN, and the program answers for what it had before.
    fen = "B6b/8/8/8/2K5/5k2/8/b6B b - - 0 1"
    before = "8/8/4k3/8/8/4K3/8/8 w - - 0 1"
    board = bugs.board_of(fen)
    claimed = bugs.legal(bugs.board_of(before))
    diagnosis = diagnose(bugs.evidence_of(board, claimed, same_as=before))
    assert (diagnosis.rule, diagnosis.confidence) == ("fen-parsing", "certain")


@pytest.mark.parametrize(
    ("fen", "size"),
    [
        ("3Q4/1Q4Q1/4Q3/2Q4R/Q4Q2/3Q4/1Q4Rp/1K1BBNNk w - - 0 1", 128),
        ("QQQQQQBk/Q6B/Q6Q/Q6Q/Q6Q/Q6Q/Q6Q/KQQQQQQQ w - - 0 1", 256),
    ],
)
def test_lists_of_128_and_256_moves(fen, size):
    board = bugs.board_of(fen)
    first = [board.uci(move) for move in board.legal_moves][:size]
    assert diagnose(bugs.evidence_of(board, first)).rule == "move-list-overflow"
