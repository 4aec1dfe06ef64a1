"""What moves leave behind, and what a FEN is read as: the state of an engine is wrong.

The engine's list is python-chess's for the position that such an engine would have in mind.
"""

from __future__ import annotations

from dataclasses import replace

import chess
import diagnose_oracle as bugs
import pytest

from perftkit import KIWIPETE, STARTPOS
from perftkit.verify.diagnose import diagnose
from perftkit.verify.diagnosis import CERTAIN, LIKELY

CORNERS = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
SHIELDED = "r3k2r/p6p/8/8/8/8/P6P/R3K2R w KQkq - 0 1"
POSITION_5 = "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8"


def turned_move(text):
    """A move as it is when the ranks are turned over."""
    return "".join(str(9 - int(char)) if char.isdigit() else char for char in text)


def both_colors(rows):
    """Each row (root, moves, more...) and the same turned round."""
    found = []
    for root, line, *more in rows:
        moves = tuple(line.split())
        chess960 = bugs.is_lettered(root)
        turned = tuple(map(turned_move, moves))
        found.append(pytest.param(root, moves, *more, id=f"{root} {line}"))
        other = bugs.mirrored(root, chess960)
        found.append(pytest.param(other, turned, *more, id=f"{other} {' '.join(turned)}"))
    return found


def played(root, moves):
    board = bugs.board_of(root, bugs.is_lettered(root))
    for move in moves:
        board.push_uci(move)
    return board


def evidence(root, moves, bug, **more):
    board = played(root, moves)
    found = bugs.evidence_of(board, bug(board), root=root, path=moves, **more)
    assert found.missing or found.extra, "this position does not show the bug"
    return found


# Castling rights

KEPT = both_colors(
    [
        (POSITION_5, "a2a3 f2h1", "ah"),
        (CORNERS, "h1h2 e8e7 h2h1 e7e8", "ah"),
        (CORNERS, "e1e2 a8a7 e2e1 a7a8", "ah"),
        (KIWIPETE, "a2a3 h3g2 a3a4 g2h1n", "ah"),
        ("r3k2r/8/8/8/8/8/8/1R2K1R1 w GBha - 0 1", "g1g2 h8h7 g2g1 h7h8", "gb"),
        ("r3k2r/8/8/8/8/8/8/1R2K1R1 w GBha - 0 1", "e1e2 h8h7 e2e1 h7h8", "gb"),
    ]
)


@pytest.mark.parametrize(("root", "moves", "files"), KEPT)
@pytest.mark.parametrize("right_by_fen", [True, False, None])
def test_a_castling_right_that_should_have_gone(root, moves, files, right_by_fen):
    bug = bugs.castling_rights(files)
    diagnosis = diagnose(evidence(root, moves, bug, right_by_fen=right_by_fen))
    assert diagnosis.rule == "castling-rights"
    assert diagnosis.confidence == CERTAIN


def test_the_move_that_took_the_right_is_named():
    bug = bugs.castling_rights("ah")
    captured = diagnose(evidence(POSITION_5, ("a2a3", "f2h1"), bug))
    assert "f2h1 took the rook on h1" in captured.explanation
    moved = diagnose(evidence(CORNERS, ("e1e2", "a8a7", "e2e1", "a7a8"), bug))
    assert "the king moved from e1 with e1e2" in moved.explanation


LOST = both_colors(
    [
        (SHIELDED, "a1b1 a8b8"),
        (SHIELDED, "a1c1 e8e7"),
        (SHIELDED, "e1e2 a8b8 e2e3"),
        (SHIELDED.replace(" w ", " b "), "e8g8"),
        (SHIELDED.replace("KQkq", "HAha"), "a1b1 a8b8"),
    ]
)


@pytest.mark.parametrize(("root", "moves"), LOST)
def test_a_castling_right_that_should_have_stayed(root, moves):
    bug = bugs.castling_never
    known = diagnose(evidence(root, moves, bug, right_by_fen=True))
    assert (known.rule, known.confidence) == ("castling-rights", CERTAIN)
    guessed = diagnose(evidence(root, moves, bug))
    assert (guessed.rule, guessed.confidence) == ("castling-rights", LIKELY)
    not_kept_up = diagnose(evidence(root, moves, bug, right_by_fen=False))
    assert not_kept_up.rule in ("castling-missing", "castling-path")


def test_a_right_lost_without_any_move_that_touches_it_is_make_unmake():
    found = evidence(KIWIPETE, ("a2a3", "b4b3"), bugs.castling_never, right_by_fen=True)
    diagnosis = diagnose(found)
    assert (diagnosis.rule, diagnosis.confidence) == ("make-unmake", CERTAIN)
    assert "castling field" in diagnosis.explanation


# En passant

STALE = both_colors(
    [
        ("4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1", "d7d5 e1e2 e8e7", "d"),
        (STARTPOS, "e2e4 a7a6 e4e5 d7d5 h2h3 a6a5", "d"),
        ("4k3/8/8/2PpP3/8/8/8/4K3 w - d6 0 1", "e1e2 e8e7", "d"),
    ]
)


@pytest.mark.parametrize(("root", "moves", "file"), STALE)
@pytest.mark.parametrize("right_by_fen", [True, None])
def test_an_en_passant_square_that_is_kept(root, moves, file, right_by_fen):
    found = evidence(root, moves, bugs.ep_file(file), right_by_fen=right_by_fen)
    diagnosis = diagnose(found)
    assert (diagnosis.rule, diagnosis.confidence) == ("en-passant-stale", CERTAIN)
    assert moves[-1] in diagnosis.explanation


MISSING = both_colors(
    [
        ("4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1", "d7d5"),
        (STARTPOS, "e2e4 a7a6 e4e5 d7d5"),
        (STARTPOS, "a2a3 d7d5 a3a4 d5d4 e2e4"),
    ]
)


@pytest.mark.parametrize(("root", "moves"), MISSING)
def test_an_en_passant_capture_missing_after_moves(root, moves):
    both_ways = diagnose(evidence(root, moves, bugs.ep_never, right_by_fen=False))
    assert (both_ways.rule, both_ways.confidence) == ("en-passant-missing", CERTAIN)
    unknown = diagnose(evidence(root, moves, bugs.ep_never))
    assert (unknown.rule, unknown.confidence) == ("en-passant-missing", LIKELY)
    by_moves = diagnose(evidence(root, moves, bugs.ep_never, right_by_fen=True))
    assert (by_moves.rule, by_moves.confidence) == ("make-unmake", CERTAIN)
    assert "no e.p. square" in by_moves.explanation


# Make and unmake


def men(**squares):
    """The engine has these men on the board, `None` for nothing, by square."""

    def bug(board):
        other = board.copy()
        for square, symbol in squares.items():
            piece = chess.Piece.from_symbol(symbol) if symbol else None
            other.set_piece_at(chess.parse_square(square), piece)
        return bugs.legal(other)

    return bug


def other_side(board):
    other = board.copy()
    other.turn = not other.turn
    other.ep_square = None
    return bugs.legal(other)


STATES = [
    (CORNERS, "e1g1 e8e7", men(h1="R", f1=None), "h1"),
    (CORNERS, "e1g1", men(h1="R", f1=None), "f1"),
    ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "e8c8 e1e2", men(a8="r", d8=None), "a8"),
    ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", men(d5="p"), "d5"),
    ("4k3/8/8/8/3Pp3/8/8/4K3 b - d3 0 1", "e4d3", men(d4="P"), "d4"),
    ("4k3/8/8/3n4/4P3/8/8/4K3 w - - 0 1", "e4d5", men(d5="n"), "d5"),
    ("4k3/8/8/8/8/2b5/3P4/4K3 w - - 0 1", "d2c3 e8e7", men(d2="P"), "d2"),
    ("4k3/8/8/8/8/8/1P6/4K3 w - - 0 1", "b2b4 e8e7", men(b2="P", b4=None), "b2"),
    (KIWIPETE, "e1g1 a6e2", other_side, "to move"),
    (STARTPOS, "e2e4", other_side, "to move"),
    (CORNERS, "a1a8", other_side, "move"),
]


@pytest.mark.parametrize(("root", "line", "bug", "words"), STATES)
def test_a_position_that_is_right_as_fen_and_wrong_by_moves(root, line, bug, words):
    found = evidence(root, tuple(line.split()), bug, right_by_fen=True)
    diagnosis = diagnose(found)
    assert (diagnosis.rule, diagnosis.confidence) == ("make-unmake", CERTAIN)
    assert words in diagnosis.explanation


def test_a_man_that_is_gone_is_make_unmake_without_another_question():
    root, moves = "4k3/8/8/3n4/4P3/8/8/4K3 w - - 0 1", ("e4d5",)
    board = played(root, moves)
    claimed = bugs.legal(board) | {"d5b4", "d5f4"}
    diagnosis = diagnose(bugs.evidence_of(board, claimed, root=root, path=moves))
    assert (diagnosis.rule, diagnosis.confidence) == ("make-unmake", LIKELY)
    assert "the knight on d5, which e4d5 has taken" in diagnosis.explanation


def test_any_other_list_by_moves_is_make_unmake():
    board = played(KIWIPETE, ("a2a3", "b4b3"))
    claimed = bugs.legal(board) - {"e5d7", "c3b5"}
    found = bugs.evidence_of(board, claimed, root=KIWIPETE, path=("a2a3", "b4b3"))
    diagnosis = diagnose(replace(found, right_by_fen=True))
    assert (diagnosis.rule, diagnosis.confidence) == ("make-unmake", CERTAIN)
    assert "a2a3 b4b3" in diagnosis.explanation


def test_what_the_engine_prints_shows_the_state_that_no_count_shows():
    root, moves = "4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1", ("d7d5", "e5e6", "e8e7")
    board = played(root, moves)
    printed = board.fen(en_passant="fen").replace(" - - ", " - d6 ")
    found = bugs.evidence_of(board, bugs.legal(board), root=root, path=moves, engine_fen=printed)
    diagnosis = diagnose(found)
    assert diagnosis.rule == "make-unmake"
    assert "e.p. square d6, not -" in diagnosis.explanation


@pytest.mark.parametrize(
    "printed", ["4k3/8/8/8/8/8/8/4K2R w K - 3 9", "4k3/8/8/8/8/8/8/4K2R w K -"]
)
def test_clocks_that_the_engine_prints_say_nothing(printed):
    board = bugs.board_of("4k3/8/8/8/8/8/8/4K2R w K - 0 1")
    found = bugs.evidence_of(board, bugs.castling_never(board), engine_fen=printed)
    assert diagnose(found).rule == "castling-missing"


def test_an_engine_that_prints_the_ep_square_only_where_it_matters_is_right():
    board = played(STARTPOS, ("e2e4",))
    printed = board.fen(en_passant="legal")
    assert " - " in printed
    claimed = bugs.lacks_step(chess.KNIGHT, -15)(board)
    found = bugs.evidence_of(board, claimed, root=STARTPOS, path=("e2e4",), engine_fen=printed)
    assert diagnose(found).rule == "leaper-moves"


@pytest.mark.parametrize(
    ("fen", "printed"),
    [
        ("4k3/8/8/3pP3/8/8/8/N3K3 w - d6 0 1", "4k3/8/8/3pP3/8/8/8/N3K3 w - - 0 1"),
        ("4k3/8/8/8/8/8/8/N3K2R w K - 0 1", "4k3/8/8/8/8/8/8/N3K2R w - - 0 1"),
    ],
)
def test_what_is_printed_otherwise_must_have_to_do_with_the_wrong_moves(fen, printed):
    board = bugs.board_of(fen)
    claimed = bugs.legal(board) - {"a1b3"}
    diagnosis = diagnose(bugs.evidence_of(board, claimed, engine_fen=printed))
    assert diagnosis.rule == "leaper-moves"


def test_wrong_men_that_are_printed_for_the_fen_itself_are_a_matter_of_reading():
    board = played(STARTPOS, ("e2e4",))
    printed = board.fen(en_passant="fen").replace("/PPPP1PPP/", "/PPPP2PP/")
    claimed = bugs.legal(board) | {"f7f4"}
    found = bugs.evidence_of(board, claimed, root=STARTPOS, path=("e2e4",), engine_fen=printed)
    by_fen = diagnose(replace(found, right_by_fen=False))
    assert (by_fen.rule, by_fen.confidence) == ("fen-parsing", LIKELY)
    assert "nothing on f2" in by_fen.explanation
    by_moves = diagnose(replace(found, right_by_fen=True))
    assert (by_moves.rule, by_moves.confidence) == ("make-unmake", CERTAIN)
    assert "nothing on f2" in by_moves.explanation


# The FEN is read otherwise

ELSEWHERE = [
    (KIWIPETE, STARTPOS),
    (KIWIPETE.replace(" w ", " b "), STARTPOS),
    ("4k3/8/8/8/3Pp3/8/8/4K3 b - d3 0 1", KIWIPETE),
    ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1"),
    ("rkbnrqnb/8/8/pppppppp/PPPPP3/B7/5PPP/1KRNRQNB b Kkq - 1 9", STARTPOS),
    (bugs.mirrored(POSITION_5), POSITION_5),
]


@pytest.mark.parametrize(("fen", "other"), ELSEWHERE)
def test_the_answer_is_that_of_another_position(fen, other):
    chess960 = fen.startswith("rkbn")
    board = bugs.board_of(fen, chess960)
    claimed = bugs.legal(bugs.board_of(other))
    diagnosis = diagnose(bugs.evidence_of(board, claimed, same_as=other))
    assert (diagnosis.rule, diagnosis.confidence) == ("fen-parsing", CERTAIN)
    assert other in diagnosis.explanation


@pytest.mark.parametrize("fen", [KIWIPETE, POSITION_5, CORNERS, bugs.mirrored(POSITION_5)])
def test_the_start_position_and_the_other_side_are_looked_for(fen):
    board = bugs.board_of(fen)
    start = diagnose(bugs.evidence_of(board, bugs.legal(chess.Board())))
    assert (start.rule, start.confidence) == ("fen-parsing", CERTAIN)
    assert "start position" in start.explanation
    side = diagnose(bugs.evidence_of(board, other_side(board)))
    assert (side.rule, side.confidence) == ("fen-parsing", CERTAIN)
    assert ("Black" if board.turn else "White") in side.explanation


EP_IGNORED = [
    "rn1qk2r/pbp1nppp/1p2p3/3pP3/1bBP4/2N2N2/PPP2PPP/R1BQK2R w KQkq d6 0 7",
    "4k3/8/8/8/3Pp3/8/8/4K3 b - d3 0 1",
    "8/8/8/2k5/2pP4/8/B7/4K3 b - d3 0 3",
    "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
]


@pytest.mark.parametrize("fen", [*EP_IGNORED, *map(bugs.mirrored, EP_IGNORED)])
def test_an_ep_field_that_is_not_read(fen):
    board = bugs.board_of(fen)
    claimed = bugs.ep_never(board)
    known = diagnose(bugs.evidence_of(board, claimed, right_by_moves=True))
    assert (known.rule, known.confidence) == ("fen-parsing", CERTAIN)
    assert "e.p." in known.explanation
    printed = board.fen(en_passant="fen").replace(f" {fen.split()[3]} ", " - ")
    shown = diagnose(bugs.evidence_of(board, claimed, engine_fen=printed))
    assert (shown.rule, shown.confidence) == ("fen-parsing", CERTAIN)
    guessed = diagnose(bugs.evidence_of(board, claimed))
    assert guessed.rule in ("en-passant-missing", "en-passant-evasion")
    assert guessed.confidence == LIKELY


RIGHTS_GUESSED = [
    ("r3k2r/8/8/8/8/8/8/R3K2R w - - 0 1", "ah"),
    ("r3k2r/8/8/8/8/8/8/R3K2R b KQ - 0 1", "ah"),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w kq - 0 1", "ah"),
]


@pytest.mark.parametrize(("fen", "files"), RIGHTS_GUESSED)
@pytest.mark.parametrize("turned", [False, True])
def test_rights_that_the_fen_does_not_give(fen, files, turned):
    board = bugs.board_of(bugs.mirrored(fen) if turned else fen)
    diagnosis = diagnose(bugs.evidence_of(board, bugs.castling_rights(files)(board)))
    assert (diagnosis.rule, diagnosis.confidence) == ("fen-parsing", LIKELY)


@pytest.mark.parametrize("turned", [False, True])
def test_another_rook_than_the_castling_field_means(turned):
    fen = "4k3/8/8/8/8/8/8/4K1RR w H - 0 1"
    board = bugs.board_of(bugs.mirrored(fen, chess960=True) if turned else fen, chess960=True)
    diagnosis = diagnose(bugs.evidence_of(board, bugs.castling_rights("g")(board)))
    assert diagnosis.rule == "fen-parsing"
    assert "castling field" in diagnosis.explanation


def test_a_root_that_was_read_otherwise_is_wrong_both_ways():
    """The engine takes rights for granted where king and rook are at home."""
    root, moves = "r3k2r/8/8/8/8/8/8/R3K2R b - - 0 1", ("a8a2",)
    board = played(root, moves)
    granted = bugs.board_of(board.fen().replace(" - - ", " KQ - "))
    found = bugs.evidence_of(
        board,
        bugs.legal(granted),
        root=root,
        path=moves,
        right_by_fen=False,
        right_by_moves=False,
        engine_fen=granted.fen(),
    )
    assert set(found.extra) == {"e1g1", "e1c1"}
    diagnosis = diagnose(found)
    assert (diagnosis.rule, diagnosis.confidence) == ("fen-parsing", LIKELY)
    assert diagnose(replace(found, right_by_fen=True)).rule != "fen-parsing"
