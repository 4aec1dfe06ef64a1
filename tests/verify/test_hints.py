"""The full counts are those published for Kiwipete (Chess Programming Wiki, "Perft Results")."""

import chess
import pytest
from oracle import python_chess_counts

from perftkit import Position
from perftkit.verify.hints import finished_games, hints

KIWIPETE_3 = {
    "captures": 17102,
    "en_passant": 45,
    "castles_kingside": 1625,
    "castles_queenside": 1537,
    "castles": 3162,
    "promotions": 0,
    "checks": 993,
    "discovered_checks": 0,
    "double_checks": 0,
    "checkmates": 1,
}
NODES_3 = 97862
KIWIPETE_4 = {
    "captures": 757163,
    "en_passant": 1929,
    "castles": 128013,
    "promotions": 15172,
    "checks": 25523,
    "discovered_checks": 42,
    "double_checks": 6,
    "checkmates": 43,
}
NODES_4 = 4085603


def counted(nodes_less, **counters_less):
    """The hint for counts at depth 3 that are short by so many."""
    counts = dict(KIWIPETE_3)
    for name, less in counters_less.items():
        counts[name] -= less
    return hints(NODES_3, NODES_3 - nodes_less, KIWIPETE_3, counts)


def test_no_difference_has_no_hint():
    assert counted(0) == ()


def test_missing_en_passant():
    (hint,) = counted(45, captures=45, en_passant=45)
    assert "the counted number is short by exactly the 45 en passant captures" in hint


def test_missing_en_passant_in_a_suite_is_said_of_the_suite():
    less = {**KIWIPETE_3, "captures": 17057, "en_passant": 0}
    (hint,) = hints(NODES_3 - 45, NODES_3, less, KIWIPETE_3)
    assert hint.startswith("the expected number is short by exactly the 45 en passant captures")


def test_missing_en_passant_is_seen_without_counters_in_the_suite():
    (hint,) = hints(NODES_3 - 45, NODES_3, {}, KIWIPETE_3)
    assert "en passant" in hint


def test_the_same_difference_is_not_called_en_passant_when_the_captures_agree():
    (hint,) = hints(NODES_3 - 45, NODES_3, {"captures": 17102}, KIWIPETE_3)
    assert "en passant" not in hint


@pytest.mark.parametrize(
    ("counters", "words"),
    [
        ({"castles": 3162, "castles_kingside": 1625, "castles_queenside": 1537}, "3162 castles"),
        ({"castles": 1625, "castles_kingside": 1625}, "1625 kingside castles"),
        ({"castles": 1537, "castles_queenside": 1537}, "1537 queenside castles"),
    ],
)
def test_missing_castles(counters, words):
    (hint,) = counted(counters["castles"], **counters)
    assert words in hint


def test_some_castles_too_few_point_to_rights_and_attacked_squares():
    (hint,) = counted(12, castles=12, castles_kingside=12)
    assert "all 12 nodes too few are castles" in hint
    assert "rights" in hint
    assert "through" in hint


def test_surplus_castles():
    (hint,) = counted(-7, castles=-7, castles_queenside=-7)
    assert "all 7 nodes too many are castles" in hint


def test_promotion_to_one_piece_only():
    less = 15172 * 3 // 4
    counts = {**KIWIPETE_4, "promotions": 15172 // 4}
    (hint,) = hints(NODES_4, NODES_4 - less, KIWIPETE_4, counts)
    assert "three of every four of the 15172 promotions" in hint


def test_missing_promotions():
    counts = {**KIWIPETE_4, "promotions": 0}
    (hint,) = hints(NODES_4, NODES_4 - 15172, KIWIPETE_4, counts)
    assert "15172 promotions" in hint


def test_only_captures():
    (hint,) = counted(-3, captures=-3)
    assert "all 3 nodes too many are captures" in hint
    assert "pinned" in hint


def test_quiet_moves():
    (hint,) = counted(4)
    assert "all 4 nodes between the two are quiet moves" in hint


def test_nothing_given_but_nodes():
    (hint,) = hints(NODES_3 - 4, NODES_3, {}, KIWIPETE_3)
    assert "divide" in hint


def test_too_few_counters_to_say_more():
    (hint,) = hints(NODES_3 - 4, NODES_3, {"captures": 17102}, KIWIPETE_3)
    assert "do not explain the 4 nodes" in hint


def test_several_kinds():
    (hint,) = counted(10, captures=6, castles=4, castles_kingside=4)
    assert "several kinds" in hint


@pytest.mark.parametrize("times", [1, 3])
def test_overflow(times):
    nodes = 8031647685  # Kiwipete, depth 6
    (hint,) = hints(nodes, nodes - times * 2**32, {}, {})
    assert f"exactly {times} x 2^32" in hint


def test_only_checks_point_to_the_detection_of_check():
    (hint,) = counted(0, checks=5)
    assert "the moves are right, only checks differ" in hint


def test_mates_left_out_of_checks():
    (hint,) = counted(0, checks=1)
    assert "exactly the 1 checkmates" in hint


def test_the_published_convention_is_recognised():
    # Kiwipete, depth 5: 2645 double checks of which 8 are mates; the wiki prints 2637.
    measured = {"double_checks": 2645, "double_checkmates": 8}
    (hint,) = hints(193690690, 193690690, {"double_checks": 2637}, measured)
    assert "--convention wiki" in hint


def test_en_passant_left_out_of_captures():
    (hint,) = counted(0, captures=45)
    assert "exactly the 45 en passant captures" in hint


def test_sides_of_castling_swapped():
    (hint,) = counted(0, castles_kingside=88, castles_queenside=-88)
    assert "taken for each other" in hint


def test_a_counter_that_has_nothing_to_do_with_check():
    (hint,) = counted(0, captures=2, checks=3)
    assert "only captures and checks differ" in hint


# Finished games: the counts are python-chess's, in `oracle`.

SCHOLAR = "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4"
STALEMATES = "6k1/8/5QK1/8/8/8/8/8 w - - 0 1"


def games_over(fen, depth):
    """How many games end before the last ply, by python-chess."""

    def walk(board, plies):
        moves = list(board.legal_moves)
        if not moves:
            return 1
        if plies == 0:
            return 0
        found = 0
        for move in moves:
            board.push(move)
            found += walk(board, plies - 1)
            board.pop()
        return found

    return walk(chess.Board(fen), depth - 1)


@pytest.mark.parametrize("fen", [SCHOLAR, STALEMATES, chess.STARTING_FEN])
@pytest.mark.parametrize("depth", [1, 2, 3])
def test_finished_games_are_found(fen, depth):
    assert finished_games(Position(fen), depth) == games_over(fen, depth)


def test_finished_games_are_not_looked_for_in_a_large_tree():
    assert finished_games(Position(), 6) is None
    assert finished_games(Position(), 0) == 0


def test_finished_games_counted_as_leaves():
    finished = games_over(STALEMATES, 3)
    assert finished > 1
    nodes, counts = python_chess_counts(STALEMATES, 3)
    (hint,) = hints(nodes, nodes + finished, counts, counts, finished=finished)
    assert f"exactly the {finished} games that are over by mate or stalemate" in hint
    (bare,) = hints(nodes, nodes + finished, {}, {}, finished=finished)
    assert "over by mate or stalemate" in bare


def test_a_difference_with_counters_is_no_finished_game():
    (hint,) = hints(100, 103, {"captures": 10}, {"captures": 13}, finished=3)
    assert "over by mate" not in hint
