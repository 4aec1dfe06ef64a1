"""What the wrong engines have right, and what is wrong with them, is judged by python-chess."""

import time

import chess
import pytest
from fake_engine import (
    FakeEngine,
    forgets_en_passant,
    keeps_no_rights,
    legal,
    pins_ignored,
    queens_only,
    without_castling,
    without_en_passant,
)

from perftkit import KIWIPETE, STARTPOS
from perftkit.errors import EngineError, FenError, MoveError
from perftkit.verify.events import ERROR, MISMATCH, OK
from perftkit.verify.walk import (
    Asked,
    Disputed,
    Reached,
    WalkLimits,
    WalkResult,
    judged,
    result_of,
    suspects,
    walk,
)

POSITION_4 = "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1"
LONE_ROOKS = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"


def moves_of(engine, evidence):
    """The engine's list and the right one, by its own code and python-chess."""
    board = chess.Board(evidence.fen, chess960=evidence.chess960)
    right = {move.uci() for move in board.legal_moves}
    return {move.uci() for move in engine.moves(board)}, right


def assert_true(engine, evidence):
    """The evidence is what python-chess says, and the path leads where it says."""
    listed, right = moves_of(engine, evidence)
    assert set(evidence.missing) == right - listed
    assert set(evidence.extra) == listed - right
    assert evidence.missing or evidence.extra
    assert_path(evidence)


def assert_path(evidence):
    board = chess.Board(evidence.root, chess960=evidence.chess960)
    for move in evidence.path:
        board.push_uci(move)
    assert board.board_fen() == chess.Board(evidence.fen).board_fen()


@pytest.mark.parametrize("fen", [STARTPOS, KIWIPETE, POSITION_4])
def test_a_healthy_engine_is_right(fen):
    engine = FakeEngine()
    result = result_of(walk(engine, fen, 3))
    assert (result.verdict, result.depth, result.first_wrong) == (OK, 3, None)
    assert [question.depth for question in engine.asked] == [1, 2, 3]
    assert result.answer.nodes == sum(result.expected.values())


@pytest.mark.parametrize(
    ("moves", "fen"),
    [
        (without_en_passant, KIWIPETE),
        (pins_ignored, KIWIPETE),
        (queens_only, POSITION_4),
        (without_castling, KIWIPETE),
        (without_castling, POSITION_4),
    ],
)
def test_a_wrong_generator_is_found(moves, fen):
    engine = FakeEngine(moves)
    result = result_of(walk(engine, fen, 4))
    evidence = result.first_wrong
    assert result.verdict == MISMATCH
    assert evidence.depth == 1
    assert_true(engine, evidence)
    if evidence.path:
        assert (evidence.right_by_fen, evidence.right_by_moves) == (False, False)
    else:
        assert evidence.right_by_fen is None


def test_the_lowest_depth_that_differs_is_the_last_that_the_root_is_asked_for():
    engine = FakeEngine(without_en_passant)
    result = result_of(walk(engine, KIWIPETE, 5))
    assert result.depth == 2
    assert max(question.depth for question in engine.asked) == 2
    assert len(engine.asked) == result.questions <= 5


def test_of_several_positions_the_simplest_is_taken():
    # Without castling every move that keeps the rights leads to a wrong position.
    engine = FakeEngine(without_castling)
    result = result_of(walk(engine, LONE_ROOKS.replace(" w ", " b "), 2))
    assert result.first_wrong.path == ()
    crowded = "r3k2r/8/8/8/8/8/p6P/R3K2R w KQkq - 0 1"
    one_side = FakeEngine(lambda board: legal(board) if board.turn else without_castling(board))
    evidence = result_of(walk(one_side, crowded, 3)).first_wrong
    assert len(evidence.path) == 1
    men = chess.popcount(chess.Board(evidence.fen).occupied)
    others = []
    for move in chess.Board(crowded).legal_moves:
        board = chess.Board(crowded)
        board.push(move)
        if len(without_castling(board)) != board.legal_moves.count():
            others.append(chess.popcount(board.occupied))
    assert men == min(others) < max(others)


def test_a_position_that_moves_have_spoilt_is_found_where_the_fen_is_right():
    engine = FakeEngine(after_push=forgets_en_passant)
    evidence = result_of(walk(engine, KIWIPETE, 3)).first_wrong
    assert (evidence.right_by_fen, evidence.right_by_moves) == (True, False)
    assert evidence.depth == 1
    (missing,) = evidence.missing
    board = chess.Board(evidence.fen)
    assert board.is_en_passant(chess.Move.from_uci(missing))
    assert_path(evidence)


def test_the_line_that_shows_it_is_the_shortest():
    # The first moves only lead to where the double push is wrong, so they are dropped.
    fen = "4k3/8/8/8/1p6/8/P7/4K3 b - - 0 1"
    engine = FakeEngine(after_push=forgets_en_passant)
    result = result_of(walk(engine, fen, 4))
    evidence = result.first_wrong
    assert result.depth == 3
    assert evidence.path == ("a2a4",)
    assert evidence.missing == ("b4a3",)
    assert evidence.root != fen
    assert_path(evidence)


def test_moves_before_the_root_count_as_moves():
    engine = FakeEngine(after_push=forgets_en_passant)
    moves = ("e1d1", "e8f8", "a2a4")
    evidence = result_of(walk(engine, KIWIPETE.replace("KQkq", "-"), 1, moves=moves)).first_wrong
    assert (evidence.right_by_fen, evidence.path) == (True, ("a2a4",))
    assert evidence.missing == ("b4a3",)


def test_what_is_not_taken_back_is_found_as_a_count():
    engine = FakeEngine(after_pop=keeps_no_rights)
    result = result_of(walk(engine, LONE_ROOKS, 3))
    evidence = result.first_wrong
    assert evidence.alone is True
    assert not evidence.missing
    assert not evidence.extra
    board = chess.Board(evidence.fen)
    for move, (expected, got) in evidence.wrong_counts.items():
        board.push_uci(move)
        assert FakeEngine()._count(board, evidence.depth - 1) == expected != got
        board.pop()


def test_an_engine_that_takes_no_moves_gets_fens():
    engine = FakeEngine(without_en_passant, takes_moves=False)
    evidence = result_of(walk(engine, KIWIPETE, 3)).first_wrong
    assert_true(engine, evidence)
    assert evidence.right_by_moves is None
    spoilt = FakeEngine(after_push=forgets_en_passant, takes_moves=False)
    evidence = result_of(walk(spoilt, KIWIPETE, 3)).first_wrong
    assert evidence.alone is True
    assert list(evidence.wrong_counts) == ["a2a4"]


@pytest.mark.parametrize("takes_moves", [True, False])
def test_an_engine_that_only_gives_totals_is_bisected(takes_moves):
    engine = FakeEngine(without_en_passant, divides=False, takes_moves=takes_moves)
    evidence = result_of(walk(engine, KIWIPETE, 3)).first_wrong
    assert_true(engine, evidence)
    assert evidence.missing == ("b4a3",)


def test_totals_of_a_position_that_moves_have_spoilt():
    engine = FakeEngine(after_push=forgets_en_passant, divides=False)
    evidence = result_of(walk(engine, KIWIPETE, 3)).first_wrong
    assert (evidence.right_by_fen, evidence.missing) == (True, ("b4a3",))


def test_totals_that_are_too_high_stay_a_number():
    engine = FakeEngine(pins_ignored, divides=False)
    evidence = result_of(walk(engine, KIWIPETE, 2)).first_wrong
    listed, right = moves_of(engine, evidence)
    assert evidence.wrong_counts == {"": (len(right), len(listed))}


@pytest.mark.parametrize(
    ("kept", "missing"),
    [("q", "bnr"), ("qn", "br"), ("n", "bqr"), ("bnr", "q")],
)
def test_promotions_without_their_letter_are_told_apart(kept, missing):
    def some(board):
        return [move for move in legal(board) if not move.promotion or move.uci()[4] in kept]

    fen = "8/P6k/8/8/8/8/7K/8 w - - 0 1"
    evidence = result_of(walk(FakeEngine(some, merges=True), fen, 2)).first_wrong
    assert evidence.missing == tuple(sorted(f"a7a8{letter}" for letter in missing))
    assert evidence.extra == ()


def test_a_pawn_that_arrives_unpromoted_is_an_extra_move():
    class Unpromoted(FakeEngine):
        def ask(self, question):
            answer = super().ask(question)
            board = self.board(question)
            if question.depth == 1 and "a7a8" in answer.children:
                answer.children["a7a8"] = 1
            elif question.depth == 2 and "a7a8" in answer.children:
                answer.children["a7a8"] = 3 if board.turn else 0
            return answer

    fen = "8/P6k/8/8/8/8/7K/8 w - - 0 1"
    evidence = result_of(walk(Unpromoted(merges=True), fen, 2)).first_wrong
    assert evidence.extra == ("a7a8",)
    assert evidence.missing == ("a7a8b", "a7a8n", "a7a8q", "a7a8r")


def test_a_healthy_engine_without_promotion_letters_is_right():
    assert result_of(walk(FakeEngine(merges=True), POSITION_4, 3)).verdict == OK


def test_a_move_listed_twice():
    engine = FakeEngine(lambda board: [*legal(board), chess.Move.from_uci("e2e4")])
    evidence = result_of(walk(engine, STARTPOS, 2)).first_wrong
    assert (evidence.repeated, evidence.depth) == (("e2e4",), 1)


def test_rows_without_leaves_may_be_left_out():
    def drop(children, _board, depth):
        return {move: nodes for move, nodes in children.items() if nodes}

    mate_in_one = "7k/8/5K2/8/8/8/8/6Q1 w - - 0 1"
    assert result_of(walk(FakeEngine(change=drop), mate_in_one, 2)).verdict == OK


def test_a_total_that_wraps_is_a_count():
    engine = FakeEngine(prints_total=lambda nodes: nodes % 2**8)
    evidence = result_of(walk(engine, KIWIPETE, 2)).first_wrong
    assert (evidence.depth, evidence.wrong_counts) == (2, {"": (2039, 2039 % 256)})


def test_finished_games_that_are_counted():
    def count_mates(children, board, depth):
        counted = {}
        for move, nodes in children.items():
            board.push_uci(move)
            counted[move] = nodes + (depth == 2 and board.is_game_over())
            board.pop()
        return counted

    mate_in_one = "7k/8/5K2/8/8/8/8/6Q1 w - - 0 1"
    evidence = result_of(walk(FakeEngine(change=count_mates), mate_in_one, 2)).first_wrong
    assert evidence.depth == 2
    assert set(evidence.wrong_counts.values()) == {(0, 1)}
    assert evidence.alone is True


def test_an_engine_that_does_not_read_the_ep_square_of_a_fen():
    def ignore(board):
        board.ep_square = None
        return board

    fen = "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3"
    evidence = result_of(walk(FakeEngine(read=ignore), fen, 2)).first_wrong
    assert (evidence.missing, evidence.right_by_moves) == (("e5f6",), True)
    broken = FakeEngine(without_en_passant)
    assert result_of(walk(broken, fen, 2)).first_wrong.right_by_moves is False


def test_the_position_that_it_answers_for_instead():
    engine = FakeEngine(read=lambda _: chess.Board())
    result = result_of(walk(engine, KIWIPETE, 3))
    assert (result.depth, result.first_wrong.same_as) == (1, STARTPOS)
    before = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"
    engine = FakeEngine(read=lambda _: chess.Board(before))
    result = result_of(walk(engine, KIWIPETE, 3, before=[before]))
    assert result.first_wrong.same_as == before


def test_chess960():
    fen = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"
    healthy = FakeEngine()
    assert result_of(walk(healthy, fen, 2)).verdict == OK
    assert {question.chess960 for question in healthy.asked} == {True}
    engine = FakeEngine(without_castling)
    evidence = result_of(walk(engine, "4k3/8/8/8/8/8/8/1RK2R2 w BF - 0 1", 2)).first_wrong
    assert evidence.chess960
    assert set(evidence.missing) == {"c1b1", "c1f1"}


def test_a_failing_engine_ends_the_walk_with_what_was_found():
    result = result_of(walk(FakeEngine(fails=frozenset([1])), KIWIPETE, 3))
    assert (result.verdict, result.answer, result.questions) == (ERROR, None, 1)
    assert "segmentation fault" in result.error
    result = result_of(walk(FakeEngine(fails=frozenset([3])), KIWIPETE, 4))
    assert (result.verdict, result.depth, result.answer.nodes) == (ERROR, 2, 2039)
    result = result_of(walk(Dying(without_en_passant), KIWIPETE, 4))
    assert result.verdict == ERROR
    assert result.first_wrong.wrong_counts == {"a2a4": (44, 43)}


class Dying(FakeEngine):
    """Dies when it is asked about any position but Kiwipete."""

    def ask(self, question):
        self.fails = frozenset() if question.fen == KIWIPETE else frozenset(range(9))
        return super().ask(question)


def test_limits():
    result = result_of(walk(FakeEngine(), KIWIPETE, 6, limits=WalkLimits(max_nodes=3000)))
    assert (result.verdict, result.depth) == (OK, 2)
    assert "97862 nodes" in result.stopped
    late = WalkLimits(deadline=time.monotonic() - 1)
    result = result_of(walk(FakeEngine(), KIWIPETE, 6, limits=late))
    assert (result.verdict, result.depth, result.questions) == (ERROR, 0, 0)
    assert "time" in result.stopped


def test_a_published_number_that_the_reference_disputes_is_said_first():
    events = list(walk(FakeEngine(), KIWIPETE, 3, published={2: 2040, 3: 97862}))
    disputed = [event for event in events if isinstance(event, Disputed)]
    assert [(each.depth, each.published, each.counted) for each in disputed] == [(2, 2040, 2039)]
    asked = [event.depth for event in events[: events.index(disputed[0])]]
    assert asked == [1]
    assert events[-1].disputed == tuple(disputed)
    assert events[-1].verdict == OK


def test_the_steps_are_told():
    events = list(walk(FakeEngine(without_en_passant), KIWIPETE, 4))
    assert isinstance(events[-1], WalkResult)
    assert not any(isinstance(event, WalkResult) for event in events[:-1])
    asked = [event for event in events if isinstance(event, Asked)]
    assert [(event.depth, event.by_moves, event.agrees) for event in asked] == [
        (1, False, True),
        (2, False, False),
        (1, False, False),
        (1, True, False),
    ]
    assert [event.path for event in events if isinstance(event, Reached)] == [(), ("a2a4",)]


def test_remarks_of_the_engine_are_kept_once():
    result = result_of(walk(FakeEngine(remarks=("it is slow",)), STARTPOS, 3))
    assert result.remarks == ("it is slow",)


def test_bad_input_is_refused_before_anything_is_asked():
    engine = FakeEngine()
    with pytest.raises(FenError):
        walk(engine, "8/8/8/8/8/8/8/8 w - - 0 1", 2)
    with pytest.raises(MoveError):
        walk(engine, STARTPOS, 2, moves=("e2e5",))
    assert engine.asked == []


def test_a_single_answer_is_judged():
    from perftkit import Position
    from perftkit.engines import Question

    position = Position(KIWIPETE)
    answer = FakeEngine(without_en_passant).ask(Question(KIWIPETE, 2))
    result = judged(position, 2, answer)
    assert (result.verdict, result.first_wrong) == (MISMATCH, None)
    assert suspects(position, result) == ["a2a4"]
    answer = FakeEngine(without_castling).ask(Question(KIWIPETE, 2))
    result = judged(position, 2, answer)
    assert result.first_wrong.missing == ("e1c1", "e1g1")
    assert result.first_wrong.depth == 1


@pytest.mark.parametrize("en_passant", ["fen", "legal", "xfen"])
@pytest.mark.parametrize("fen", [KIWIPETE, POSITION_4, STARTPOS])
def test_printed_positions_differ_by_convention_only(en_passant, fen):
    engine = FakeEngine(prints=lambda board: board.fen(en_passant=en_passant))
    assert result_of(walk(engine, fen, 2)).remarks == ()


def test_a_printed_position_that_is_another_one_is_remarked():
    def all_rights(board):
        return board.fen().replace(" kq ", " KQkq ").replace(" Kkq ", " KQkq ")

    result = result_of(walk(FakeEngine(prints=all_rights), LONE_ROOKS, 2))
    assert result.verdict == OK
    (remark,) = result.remarks
    assert "the castling rights or e.p. squares differ" in remark
    engine = FakeEngine(prints=lambda board: board.fen().replace("KQkq", "Kkq"))
    assert "the castling rights differ" in result_of(walk(engine, LONE_ROOKS, 2)).remarks[0]
    engine = FakeEngine(prints=lambda board: board.fen().replace(" w ", " b "))
    assert "the sides to move differ" in result_of(walk(engine, LONE_ROOKS, 1)).remarks[0]
    engine = FakeEngine(prints=lambda _: "rubbish")
    assert result_of(walk(engine, LONE_ROOKS, 1)).remarks == ()


def test_what_the_engine_prints_is_evidence():
    def keeps(board):
        return board.fen()

    engine = FakeEngine(after_push=forgets_en_passant, prints=keeps)
    evidence = result_of(walk(engine, KIWIPETE, 3)).first_wrong
    assert evidence.engine_fen.split()[3] == "-"
    assert evidence.fen.split()[3] == "a3"


class Crashing(FakeEngine):
    """It dies wherever it makes an en passant capture in its tree."""

    def _push(self, board, move):
        if board.is_en_passant(move):
            raise EngineError("assertion failed: captured != KING")
        super()._push(board, move)


def test_a_failure_is_followed_to_the_smallest_position():
    result = result_of(walk(Crashing(), KIWIPETE, 4))
    # To depth 2 it makes only moves of the root, none of which is en passant.
    assert (result.verdict, result.depth) == (ERROR, 2)
    failed = result.failed_at
    assert "assertion failed" in failed.error
    assert failed.depth == 1
    board = chess.Board(KIWIPETE)
    for move in failed.path:
        board.push_uci(move)
    assert board.fen() == failed.fen
    assert any(board.is_en_passant(move) for move in board.legal_moves)


def test_an_engine_that_fails_at_everything_is_not_followed():
    engine = FakeEngine(fails=frozenset([1, 2]))
    result = result_of(walk(engine, KIWIPETE, 3))
    assert (result.verdict, result.failed_at.depth, result.failed_at.path) == (ERROR, 1, ())
    assert len(engine.asked) <= 2
