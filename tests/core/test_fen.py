from __future__ import annotations

import re
from pathlib import Path

import pytest
from suite_positions import position_of, row_id, sample

from perftkit import KIWIPETE, STARTPOS, Position
from perftkit.core import fen as fen_module
from perftkit.errors import FenError, PerftkitError

SOURCE = Path(fen_module.__file__).with_name("fen.pyx")
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"


def faults_of(fen, chess960=None):
    with pytest.raises(FenError) as caught:
        Position(fen, chess960=chess960)
    return caught.value.faults


# Reading and writing


@pytest.mark.parametrize(
    "fen",
    [
        STARTPOS,
        KIWIPETE,
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
        "4k3/8/8/8/8/8/8/4K3 w - - 99 150",
        "4k3/8/8/8/8/8/8/4K3 b - - 0 0",
        "8/8/8/8/8/8/1k6/3K4 w - - 65535 4294967295",
        "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
        "8/2k5/8/8/8/8/8/RR1K1R1R w HB - 0 1",
        "4k3/8/8/8/8/8/8/4K2R w H - 0 1",
    ],
)
def test_six_fields_come_back_as_they_were(fen):
    assert Position(fen).fen() == fen


@pytest.mark.parametrize("row", sample(25), ids=row_id)
def test_what_is_written_reads_as_the_same_position(row):
    position = position_of(row)
    again = Position(position.fen(), chess960=position.chess960)
    assert again.fen() == position.fen()
    assert again.key == position.key
    assert position.fen().split()[0] == row.fen.split()[0]


def test_four_fields_begin_at_move_1_with_clock_0():
    assert Position(f"{START} b KQkq -").fen() == f"{START} b KQkq - 0 1"


def test_spaces_and_tabs_separate_fields():
    assert Position(f"  {START}\tw   KQkq\t - 0\t1  ").fen() == STARTPOS


def test_the_start_position_is_the_default():
    assert Position().fen() == STARTPOS == f"{START} w KQkq - 0 1"


@pytest.mark.parametrize("order", ["qkQK", "kqKQ", "QqKk"])
def test_rights_are_written_in_the_usual_order(order):
    assert Position(f"{START} w {order} - 0 1").castling == "KQkq"


def test_the_en_passant_square_is_kept_and_given_after_every_double_push():
    fen = "4k3/8/8/8/7P/8/8/4K3 b - h3 0 1"
    assert Position(fen).fen() == fen
    assert Position(fen).ep_square == 23
    position = Position()
    position.push("a2a4")
    assert position.fen() == "rnbqkbnr/pppppppp/8/8/P7/8/1PPPPPPP/RNBQKBNR b KQkq a3 0 1"
    position.push("h7h5")
    assert position.ep_square == 47
    position.push("g1f3")
    assert position.ep_square is None


def test_clocks_count_on():
    position = Position(f"{START} w KQkq - 7 41")
    seen = []
    for move in ["g1f3", "g8f6", "f3e5", "d7d6", "e5f7", "e8f7"]:
        position.push(move)
        seen.append((position.halfmove_clock, position.fullmove_number))
    assert seen == [(8, 41), (9, 42), (10, 42), (0, 43), (0, 43), (0, 44)]
    for expected in reversed([(7, 41), *seen[:-1]]):
        position.pop()
        assert (position.halfmove_clock, position.fullmove_number) == expected
    assert position.fen() == f"{START} w KQkq - 7 41"


def test_black_to_move_first_counts_the_same():
    position = Position("4k3/8/8/8/8/8/8/4K3 b - - 0 5")
    position.push("e8e7")
    assert position.fullmove_number == 6
    position.push("e1e2")
    assert position.fullmove_number == 6
    assert position.copy().fullmove_number == 6


# Chess960: which castling fields ask for it, and what they mean


@pytest.mark.parametrize("rights", ["KQkq", "K", "-"])
def test_standard_rights_never_imply_chess960(rights):
    assert Position(f"{START} w {rights} - 0 1").chess960 is False


@pytest.mark.parametrize("rights", ["HAha", "H", "a", "KAkq"])
def test_file_letters_imply_chess960(rights):
    assert Position(f"{START} w {rights} - 0 1").chess960 is True


@pytest.mark.parametrize("rights", ["KQkq", "HAha", "-"])
@pytest.mark.parametrize("chess960", [True, False])
def test_the_flag_wins_over_the_field(rights, chess960):
    position = Position(f"{START} w {rights} - 0 1", chess960=chess960)
    assert position.chess960 is chess960
    if rights != "-":
        assert position.castling == ("HAha" if chess960 else "KQkq")


@pytest.mark.parametrize(
    ("rights", "written"),
    [
        ("K", "H"),  # the outermost rook
        ("F", "F"),
        ("Q", "A"),
        ("B", "B"),
        ("FQ", "FA"),
        ("KB", "HB"),
    ],
)
def test_x_fen_names_the_outermost_rook_and_letters_name_any(rights, written):
    position = Position(f"8/2k5/8/8/8/8/8/RR1K1R1R w {rights} - 0 1", chess960=True)
    assert position.castling == written


def test_x_fen_looks_for_rooks_on_its_own_side_of_the_king_only():
    assert Position("4k3/8/8/8/8/8/8/R2K4 w Q - 0 1", chess960=True).castling == "A"
    (fault,) = faults_of("4k3/8/8/8/8/8/8/R2K4 w K - 0 1", chess960=True)
    assert fault.name == "castling-without-rook"


@pytest.mark.parametrize(
    ("fen", "name"),
    [
        ("4k3/8/8/8/8/8/8/4KR2 w K - 0 1", "castling-without-rook"),
        ("4k3/8/8/8/8/8/8/5K1R w K - 0 1", "castling-without-king"),
        ("bqnb1rkr/pppppppp/8/8/8/8/PPPPPPPP/BQNB1RKR w KQkq - 0 1", "castling-without-king"),
    ],
)
def test_rights_off_home_squares_are_a_fault_that_points_to_chess960(fen, name):
    first = faults_of(fen)[0]
    assert (first.name, first.field, first.column) == (name, "castling", fen.index(" w K") + 3 + 1)
    assert "Chess960" in first.message
    assert Position(fen, chess960=True).chess960


def test_the_advice_is_not_given_to_who_has_said_chess960():
    (fault,) = faults_of("4k3/8/8/8/8/8/8/4K3 w K - 0 1", chess960=True)
    assert fault.name == "castling-without-rook"
    assert "Chess960" not in fault.message


# Faults

KINGS = "4k3/8/8/8/8/8/8/4K3"

# A ^ stands before each place where a fault is found, and is no part of the FEN.
FAULTS = {
    "^": ["empty fen"],
    "^  \t ": ["empty fen"],
    f"{START} w KQkq - 0 ^\x00": ["bad-character fen"],
    f"{START} w KQkq ^– 0 1": ["bad-character fen"],
    f"^♔{START} w KQkq - 0 1": ["bad-character fen"],
    f"{START} w KQkq - 0 1^\n": ["bad-character fen"],
    f"{START} w ^🐎Qk^🐎 - 0 1": ["bad-character fen", "bad-character fen"],
    200 * "x" + "^" + 9_800 * "x": ["too-long fen"],
    200 * "♞" + "^♞": ["too-long fen"],
    f"{START}^": ["field-count fen"],
    f"{START} w^": ["field-count fen"],
    f"{START} w KQkq^": ["field-count fen"],
    f"{START} w KQkq - 0^": ["field-count fen"],
    f"{START} w KQkq - 0 1 ^2": ["field-count fen"],
    f"{START} w KQkq - 0 1 ^2 3": ["field-count fen"],
    "^4k3/8/8/8/8/8/4K3 w - -": ["rank-count placement"],
    "^^4k3/8/8/8/8/8/8/8/4K3 w - -": ["rank-count placement", "no-king placement"],
    "^4k3/8/8/8/8/8/8/4K3/ w - -": ["rank-count placement"],
    "4k3/8/8/8/^7/8/8/4K3 w - -": ["rank-length placement"],
    "4k3/8/8/^pppppppp1/8/8/8/4K3 w - -": ["rank-length placement"],
    "4k3/8/8/^44p/8/8/8/4K3 w - -": ["rank-length placement"],
    "4k3/8/8/^/8/8/8/4K3 w - -": ["rank-length placement"],
    "4k3/8/8/8^0/8/8/8/4K3 w - -": ["bad-digit placement"],
    # What can't be read is not counted: no word about the length of such a rank.
    "4k3/8/8/^9^0/8/8/8/4K3 w - -": ["bad-digit placement", "bad-digit placement"],
    "4k3/8/8/8/8/3^x4/8/4K3 w - -": ["bad-piece placement"],
    "^8/8/8/8/8/8/8/4K3 w - -": ["no-king placement"],
    "^^8/8/8/8/8/8/8/8 w - -": ["no-king placement", "no-king placement"],
    "4k3/8/8/8/8/8/8/K3^K3 w - -": ["too-many-kings placement"],
    "^P3k3/8/8/8/8/8/8/4K2^p w - -": [
        "pawn-on-last-rank placement",
        "pawn-on-last-rank placement",
    ],
    f"{KINGS} ^W - -": ["bad-side side"],
    f"{KINGS} ^white - -": ["bad-side side"],
    "4k3/8/8/8/8/8/8/K3R3 ^w - -": ["opponent-in-check side"],
    "8/8/8/8/8/8/4k3/4K3 ^b - -": ["opponent-in-check side"],
    f"{START} w K^X - 0 1": ["bad-castling castling"],
    f"{START} w KQk^- - 0 1": ["bad-castling castling"],
    f"{START} w K^K - 0 1": ["repeated-castling castling"],
    f"{START} w K^H - 0 1": ["repeated-castling castling"],
    f"{KINGS} w ^K - 0 1": ["castling-without-rook castling"],
    "4k3/8/8/8/8/8/8/4K2n b ^K - 0 1": ["castling-without-rook castling"],
    "4k3/8/8/8/8/8/8/4K2R w H^h - 0 1": ["castling-without-rook castling"],
    "4k3/8/8/8/8/8/8/4K2R w ^E - 0 1": ["castling-without-rook castling"],
    "4k2r/8/8/8/8/8/4K3/7R w ^Kk - 0 1": ["castling-without-king castling"],
    "4k2r/8/8/8/8/8/4K3/7R w ^Hh - 0 1": ["castling-without-king castling"],
    f"{KINGS} w - ^e9 0 1": ["bad-en-passant en-passant"],
    f"{KINGS} w - ^E6 0 1": ["bad-en-passant en-passant"],
    f"{KINGS} w - ^e66 0 1": ["bad-en-passant en-passant"],
    f"{KINGS} w - ^e6 0 1": ["impossible-en-passant en-passant"],
    "4k3/8/8/4p3/8/8/8/4K3 b - ^e6 0 1": ["impossible-en-passant en-passant"],
    "4k3/8/8/4P3/8/8/8/4K3 w - ^e6 0 1": ["impossible-en-passant en-passant"],
    "4k3/8/4n3/4p3/8/8/8/4K3 w - ^e6 0 1": ["impossible-en-passant en-passant"],
    "4k3/4n3/8/4p3/8/8/8/4K3 w - ^e6 0 1": ["impossible-en-passant en-passant"],
    f"{KINGS} w - - ^-1 1": ["bad-clock halfmove-clock"],
    f"{KINGS} w - - ^1.5 1": ["bad-clock halfmove-clock"],
    f"{KINGS} w - - ^65536 1": ["bad-clock halfmove-clock"],
    f"{KINGS} w - - 0 ^x": ["bad-clock fullmove-number"],
    f"{KINGS} w - - 0 ^4294967296": ["bad-clock fullmove-number"],
    f"{KINGS} w - - 0 ^99999999999999999999999": ["bad-clock fullmove-number"],
    # Everything that is wrong, at once.
    "^rnbq1bnr/pppp^0ppp/^9/^7/8/8/PPPPPPPP/RNBQKBNR ^x KQkq^z ^i3 ^-5 ^none": [
        "no-king placement",
        "bad-digit placement",
        "bad-digit placement",
        "rank-length placement",
        "bad-side side",
        "bad-castling castling",
        "bad-en-passant en-passant",
        "bad-clock halfmove-clock",
        "bad-clock fullmove-number",
    ],
}
MARKED = pytest.mark.parametrize("marked", FAULTS, ids=range(len(FAULTS)))


def unmarked(marked):
    """The FEN without the marks, and the column of each mark."""
    pieces = marked.split("^")
    return "".join(pieces), [len("".join(pieces[:n])) + 1 for n in range(1, len(pieces))]


@MARKED
def test_each_fault_has_a_name_a_field_and_a_column(marked):
    fen, columns = unmarked(marked)
    found = faults_of(fen)
    assert [fault.column for fault in found] == columns
    expected = [(col, *what.split()) for col, what in zip(columns, FAULTS[marked], strict=True)]
    assert sorted((fault.column, fault.name, fault.field) for fault in found) == sorted(expected)


@pytest.mark.skipif(not SOURCE.exists(), reason="installed without the source of the core")
def test_this_file_shows_every_fault_that_exists():
    shown = {what.split()[0] for faults in FAULTS.values() for what in faults}
    assert shown == set(re.findall(r'fault\(\s*"([a-z-]+)"', SOURCE.read_text("utf-8")))


def test_the_error_tells_every_fault_and_keeps_the_text():
    fen = "4k3/8/8/8/8/8/8/P7 x - -"
    with pytest.raises(FenError) as caught:
        Position(fen)
    assert caught.value.fen == fen
    assert isinstance(caught.value, (PerftkitError, ValueError))
    assert len(caught.value.faults) == 3
    for fault in caught.value.faults:
        assert f"{fault.message} ({fault.field}, column {fault.column})" in str(caught.value)


@MARKED
def test_messages_are_one_line_of_moderate_length(marked):
    for fault in faults_of(unmarked(marked)[0]):
        assert fault.message.isprintable()
        assert len(fault.message) < 200


@pytest.mark.parametrize("cut", range(len(STARTPOS)))
def test_a_fen_that_is_cut_off_is_refused_or_still_complete(cut):
    fen = STARTPOS[:cut]
    if len(fen.split()) in (4, 6):
        assert Position(fen).key == Position().key
    else:
        assert faults_of(fen)


@pytest.mark.parametrize("fen", [None, 0, b"8/8/8/8/8/8/8/8 w - -", ["w"]])
def test_a_fen_is_a_str(fen):
    with pytest.raises(TypeError, match="a FEN is a str"):
        Position(fen)


def test_a_position_that_is_set_up_again_with_a_bad_fen_stays_as_it_was():
    position = Position(KIWIPETE)
    with pytest.raises(FenError):
        position.__init__("8/8/8/8/8/8/8/8 w - -")
    assert position.fen() == KIWIPETE
    assert len(position.legal_moves()) == 48
