"""Wrong counts where every list of moves is right, lists that are too long, and moves twice.

The right counts come from python-chess (`oracle`), the wrong ones are made from them by hand.
"""

from __future__ import annotations

import chess
import diagnose_oracle as bugs
import pytest
from oracle import python_chess_counts

from perftkit import KIWIPETE, STARTPOS
from perftkit.verify.diagnose import diagnose
from perftkit.verify.diagnosis import CERTAIN, LIKELY, Evidence

QUEENS = "3Q4/1Q4Q1/4Q3/2Q4R/Q4Q2/3Q4/1Q4Rp/1K1BBNNk w - - 0 1"
MORE_QUEENS = "QQQQQQBk/Q6B/Q6Q/Q6Q/Q6Q/Q6Q/Q6Q/KQQQQQQQ w - - 0 1"
BLACK_QUEENS = "5k2/8/8/7R/8/bq6/1rqqqqqq/K1nqnbrq b - - 0 1"


def rows(fen, depth):
    """The leaves and counters under each move."""
    board = bugs.board_of(fen)
    found = {}
    for move in list(board.legal_moves):
        board.push(move)
        counts = python_chess_counts(board.fen(en_passant="fen"), depth - 1)
        board.pop()
        found[board.uci(move)] = counts
    return found


def of_counts(fen, depth, wrong, **more):
    return diagnose(Evidence(fen=fen, root=fen, depth=depth, wrong_counts=wrong, **more))


# 32 bits


@pytest.mark.parametrize("fen", [KIWIPETE, bugs.mirrored(KIWIPETE), STARTPOS])
@pytest.mark.parametrize("times", [1, 3])
def test_a_counter_of_32_bits(fen, times):
    nodes = 8031647685  # Kiwipete, depth 6 (Chess Programming Wiki)
    total = of_counts(fen, 6, {"": (nodes, nodes - times * 2**32)})
    assert (total.rule, total.confidence) == ("count-only", CERTAIN)
    assert f"{times} x 2^32" in total.explanation
    move = next(iter(rows(fen, 1)))
    row = of_counts(fen, 6, {move: (2**33, 2**33 - times * 2**32)})
    assert row.rule == "count-only"
    assert f"{times} x 2^32" in row.explanation


def test_a_large_count_is_not_counted_again():
    # Kiwipete, depth 6 (Chess Programming Wiki); counting it again would take minutes at depth 8.
    for depth in (6, 8, 20):
        diagnosis = of_counts(KIWIPETE, depth, {"": (8031647685, 8031647690)})
        assert diagnosis.rule == "count-only"
        row = of_counts(KIWIPETE, depth, {"a2a3": (186_000_000, 186_000_007)})
        assert row.rule == "count-only"


# Finished games

MATES = [
    ("6rk/5Npp/8/8/8/8/8/6K1 b - - 0 1", 1),  # mated already
    ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 1),  # stalemate
    ("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", 1),
]


@pytest.mark.parametrize("fen", [fen for fen, _ in MATES] + [bugs.mirrored(f) for f, _ in MATES])
def test_a_finished_game_counted_at_the_root(fen):
    assert not list(bugs.board_of(fen).legal_moves)
    diagnosis = of_counts(fen, 1, {"": (0, 1)})
    assert (diagnosis.rule, diagnosis.confidence) == ("count-only", CERTAIN)
    assert "over by mate or stalemate" in diagnosis.explanation


MATE_IN_ONE = [
    "7k/5Q2/5K2/8/8/8/8/8 w - - 0 1",
    "6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1",
    "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2",
]


@pytest.mark.parametrize("fen", [*MATE_IN_ONE, *map(bugs.mirrored, MATE_IN_ONE)])
def test_mates_and_stalemates_counted_under_a_move(fen):
    right = rows(fen, 2)
    wrong = {move: (0, 1) for move, (nodes, _) in right.items() if nodes == 0}
    assert wrong
    diagnosis = of_counts(fen, 2, wrong, alone=True)
    assert (diagnosis.rule, diagnosis.confidence) == ("count-only", CERTAIN)
    assert "over by mate or stalemate" in diagnosis.explanation


def test_mates_two_plies_down():
    board = bugs.board_of("7k/8/5QK1/8/8/8/8/8 b - - 0 1")
    right = rows(board.fen(), 3)
    (move, (nodes, _)), *_ = right.items()
    board.push_uci(move)
    finished = sum(not any(after(board, reply).legal_moves) for reply in board.legal_moves)
    assert finished > 1
    diagnosis = of_counts("7k/8/5QK1/8/8/8/8/8 b - - 0 1", 3, {move: (nodes, nodes + finished)})
    assert diagnosis.rule == "count-only"
    assert f"{finished} games are over" in diagnosis.explanation


def after(board, move):
    other = board.copy()
    other.push(move)
    return other


# Other habits of counting


@pytest.mark.parametrize("fen", [KIWIPETE, bugs.mirrored(KIWIPETE), STARTPOS])
def test_inner_positions_counted_too(fen):
    one, two = (python_chess_counts(fen, depth)[0] for depth in (1, 2))
    diagnosis = of_counts(fen, 2, {"": (two, one + two)})
    assert diagnosis.rule == "count-only"
    assert "all depths" in diagnosis.explanation
    wrong = {move: (nodes, nodes + 1) for move, (nodes, _) in rows(fen, 2).items()}
    under_moves = of_counts(fen, 2, wrong)
    assert (under_moves.rule, under_moves.confidence) == ("count-only", CERTAIN)
    assert "inner positions" in under_moves.explanation


@pytest.mark.parametrize("fen", [KIWIPETE, bugs.mirrored(KIWIPETE)])
def test_a_ply_too_many_or_too_few(fen):
    shallow = {move: nodes for move, (nodes, _) in rows(fen, 1).items()}
    deep = {move: nodes for move, (nodes, _) in rows(fen, 2).items()}
    early = of_counts(fen, 2, {move: (deep[move], shallow[move]) for move in deep})
    assert early.rule == "count-only"
    assert "one ply earlier" in early.explanation
    late = of_counts(fen, 1, {move: (shallow[move], deep[move]) for move in deep})
    assert "one ply later" in late.explanation


@pytest.mark.parametrize(("kind", "words"), [("captures", "capture"), ("checks", "give check")])
@pytest.mark.parametrize("fen", [KIWIPETE, bugs.mirrored(KIWIPETE)])
def test_leaves_of_a_kind_counted_twice(fen, kind, words):
    right = rows(fen, 2)
    wrong = {
        move: (nodes, nodes + counts[kind])
        for move, (nodes, counts) in right.items()
        if counts[kind]
    }
    diagnosis = of_counts(fen, 2, wrong, alone=True)
    assert diagnosis.rule == "count-only"
    assert f"leaves that {words}" in diagnosis.explanation
    assert "counted twice" in diagnosis.explanation


def test_checks_counted_twice_at_the_last_ply():
    board = bugs.board_of("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1")
    wrong = {board.uci(move): (1, 2) for move in board.legal_moves if board.gives_check(move)}
    diagnosis = of_counts(board.fen(), 1, wrong)
    assert diagnosis.rule == "count-only"
    assert "give check" in diagnosis.explanation


@pytest.mark.parametrize("fen", [KIWIPETE, bugs.mirrored(KIWIPETE)])
def test_counts_under_the_wrong_moves(fen):
    right = {move: nodes for move, (nodes, _) in rows(fen, 2).items()}
    first, second = min(right, key=right.get), max(right, key=right.get)
    wrong = {first: (right[first], right[second]), second: (right[second], right[first])}
    diagnosis = of_counts(fen, 2, wrong, alone=True)
    assert (diagnosis.rule, diagnosis.confidence) == ("count-only", LIKELY)
    assert "taken for each other" in diagnosis.explanation


def test_a_promotion_with_the_count_of_another_piece():
    fen = "8/k1P5/8/1K6/8/8/8/8 w - - 0 1"
    right = {move: nodes for move, (nodes, _) in rows(fen, 2).items()}
    assert right["c7c8n"] != right["c7c8b"]
    diagnosis = of_counts(fen, 2, {"c7c8n": (right["c7c8n"], right["c7c8b"])}, alone=True)
    assert diagnosis.rule == "count-only"


# Unmake


@pytest.mark.parametrize("fen", [KIWIPETE, bugs.mirrored(KIWIPETE)])
@pytest.mark.parametrize("kind", ["castles", "castles_kingside"])
def test_castling_rights_that_unmake_does_not_restore(fen, kind):
    # What the mutation "undo does not restore rights" does: the first replies still castle.
    wrong = {
        move: (nodes, nodes - counts[kind])
        for move, (nodes, counts) in list(rows(fen, 2).items())[7:]
        if counts[kind]
    }
    diagnosis = of_counts(fen, 2, wrong, alone=True)
    assert (diagnosis.rule, diagnosis.confidence) == ("make-unmake", LIKELY)
    assert "castling rights" in diagnosis.explanation


def test_counts_without_a_pattern_point_to_unmake_when_each_position_is_right_alone():
    right = rows(KIWIPETE, 2)
    wrong = {move: (right[move][0], right[move][0] + 7) for move in ("a2a3", "b2b3", "g2g3")}
    alone = of_counts(KIWIPETE, 2, wrong, alone=True)
    assert (alone.rule, alone.confidence) == ("make-unmake", LIKELY)
    assert "hash table" in alone.explanation
    unknown = of_counts(KIWIPETE, 2, {"a2a3": wrong["a2a3"]})
    assert (unknown.rule, unknown.confidence) == ("count-only", LIKELY)
    by_moves = of_counts(KIWIPETE, 2, {"a2a3": wrong["a2a3"]}, right_by_fen=True)
    assert (by_moves.rule, by_moves.confidence) == ("make-unmake", CERTAIN)


def test_a_total_alone_at_depth_1_is_not_explained():
    diagnosis = of_counts(KIWIPETE, 1, {"": (48, 47)})
    assert (diagnosis.rule, diagnosis.confidence) == ("unknown", LIKELY)
    assert "47 for 48" in diagnosis.explanation


# Engines that print totals alone


@pytest.mark.parametrize(
    ("fen", "got"),
    [
        # 0, 1, 5 and 9 are right. Each wrong number equals some sum over the tree by coincidence;
        # it was a king that steps onto attacked squares, and blocks of a check that were missing.
        ("7k/7P/7K/8/8/8/8/8 b - - 0 1", 1),
        ("K7/p7/k7/8/8/8/8/8 w - - 0 1", 3),
        ("K7/p7/k7/8/8/8/8/8 w - - 0 1", 2),
        ("r6K/1k4P1/8/8/8/8/8/8 w - - 0 1", 1),
        ("4k3/8/8/8/3P4/8/2p5/4K3 b - d3 0 1", 10),
    ],
)
@pytest.mark.parametrize("turned", [False, True])
def test_the_length_of_a_list_proves_nothing(fen, got, turned):
    fen = bugs.mirrored(fen) if turned else fen
    right = bugs.board_of(fen).legal_moves.count()
    diagnosis = of_counts(fen, 1, {"": (right, got)}, divides=False)
    assert (diagnosis.rule, diagnosis.confidence) == ("unknown", LIKELY)
    assert f"{got} for {right}" in diagnosis.explanation


@pytest.mark.parametrize(
    ("fen", "right", "got"),
    [
        # A pawn that promotes stays a pawn after make: 49 is 40 + 9 by coincidence.
        ("4k3/8/8/8/3P4/8/2p5/4K3 b - d3 0 1", 40, 49),
        ("4k3/8/8/8/3P4/8/2p5/4K3 b - d3 0 1", 40, 33),
        ("r6K/1k4P1/8/8/8/8/8/8 w - - 0 1", 97, 101),
    ],
)
def test_a_small_total_proves_nothing(fen, right, got):
    assert sum(nodes for nodes, _ in rows(fen, 2).values()) == right
    diagnosis = of_counts(fen, 2, {"": (right, got)}, divides=False, alone=True)
    assert (diagnosis.rule, diagnosis.confidence) == ("make-unmake", LIKELY)


def test_what_a_larger_total_equals_is_likely():
    for got, said in ((420, "sum of the leaves"), (421, "inner positions"), (20, "earlier")):
        found = of_counts(STARTPOS, 2, {"": (400, got)}, divides=False, alone=True)
        assert (found.rule, found.confidence) == ("count-only", LIKELY)
        assert said in found.explanation
    other = of_counts(STARTPOS, 2, {"": (400, 433)}, divides=False, alone=True)
    assert other.rule == "make-unmake"
    assert of_counts(STARTPOS, 2, {"": (400, 433)}, divides=False).rule == "unknown"


def test_a_total_that_overflows_or_is_right_by_fen_is_certain():
    overflow = of_counts(STARTPOS, 2, {"": (400, 400 - 2**32)}, divides=False)
    assert (overflow.rule, overflow.confidence) == ("count-only", CERTAIN)
    by_fen = of_counts(KIWIPETE, 1, {"": (48, 47)}, divides=False, right_by_fen=True)
    assert (by_fen.rule, by_fen.confidence) == ("make-unmake", CERTAIN)


# Lists of moves

TWICE = [
    (KIWIPETE, ("e1g1",)),
    (bugs.mirrored(KIWIPETE), ("e8g8", "e8c8")),
    (STARTPOS, ("g1f3", "b1c3", "e2e4")),
    (STARTPOS.replace(" w ", " b "), ("e7e5",)),
    ("8/P7/8/8/8/8/8/K1k5 w - - 0 1", ("a7a8q",)),
    ("4k3/8/8/8/3Pp3/8/8/4K3 b - d3 0 1", ("e4d3",)),
]


@pytest.mark.parametrize(("fen", "moves"), TWICE)
def test_moves_listed_twice(fen, moves):
    diagnosis = diagnose(Evidence(fen=fen, repeated=moves))
    assert (diagnosis.rule, diagnosis.confidence) == ("duplicate-move", CERTAIN)
    assert all(move in diagnosis.explanation for move in moves)


@pytest.mark.parametrize(
    ("fen", "size"), [(QUEENS, 128), (QUEENS, 200), (MORE_QUEENS, 256), (BLACK_QUEENS, 100)]
)
@pytest.mark.parametrize("turned", [False, True])
def test_a_list_that_is_too_short(fen, size, turned):
    board = bugs.board_of(bugs.mirrored(fen) if turned else fen)
    moves = [board.uci(move) for move in board.legal_moves]
    diagnosis = diagnose(bugs.evidence_of(board, moves[:size]))
    assert (diagnosis.rule, diagnosis.confidence) == ("move-list-overflow", LIKELY)
    assert f"{len(moves)} moves are legal and the engine has {size}" in diagnosis.explanation


def test_moves_missing_from_a_long_list_for_another_reason():
    board = bugs.board_of(QUEENS)
    knights = bugs.without(board, lambda m: board.piece_type_at(m.from_square) == chess.KNIGHT)
    assert diagnose(bugs.evidence_of(board, knights)).rule == "leaper-moves"
