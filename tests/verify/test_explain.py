import chess
from fake_engine import FakeEngine, forgets_en_passant, without_castling, without_en_passant

from perftkit import KIWIPETE
from perftkit.suite.model import Expectation, SuiteRow
from perftkit.verify.explain import causes, explain
from perftkit.verify.failures import Failure, failures

CASTLING = [
    SuiteRow("crowded", "r3k2r/8/8/8/8/8/p6P/R3K2R w KQkq - 0 1"),
    SuiteRow("lone", "4k3/8/8/8/8/8/8/4K2R w K - 0 1"),
    SuiteRow("kiwipete", KIWIPETE, expectations=(Expectation(1, 48),)),
]
PAWN = SuiteRow("pawn", "4k3/8/8/8/1p6/8/P7/4K3 w - - 0 1")


def test_one_bug_is_one_cause_with_the_smallest_position():
    engine = FakeEngine(without_castling)
    failed = [Failure(row, 1) for row in CASTLING]
    explained = list(explain(failed, engine))
    assert [found.failure.row.id for found in explained] == ["crowded", "lone", "kiwipete"]
    (cause,) = causes(explained)
    assert cause.diagnosis.rule == "castling-missing"
    assert cause.first_wrong.fen == CASTLING[1].fen
    assert [member.failure.row.id for member in cause.members] == ["crowded", "lone", "kiwipete"]


def test_two_bugs_are_two_causes_the_more_frequent_first():
    def neither(board):
        return [move for move in without_castling(board) if not board.is_en_passant(move)]

    failed = [Failure(PAWN, 2), *(Failure(row, 1) for row in CASTLING)]
    found = causes(explain(failed, FakeEngine(neither)))
    assert [cause.diagnosis.rule for cause in found] == ["castling-missing", "en-passant-missing"]
    assert chess.Board(found[1].first_wrong.fen).turn == chess.BLACK


def test_what_is_right_when_it_is_asked_again_is_said():
    (explained,) = explain([Failure(PAWN, 2)], FakeEngine())
    assert explained.diagnosis.rule == "unknown"
    (cause,) = causes([explained])
    assert cause.first_wrong is None


def test_what_an_engine_that_dies_leaves_open():
    (explained,) = explain([Failure(PAWN, 2)], FakeEngine(fails=frozenset([1])))
    assert explained.diagnosis is None
    assert causes([explained]) == ()


def test_a_count_is_not_explained_before_the_positions_below_it_were_looked_at():
    class Dying(FakeEngine):
        def ask(self, question):
            self.fails = frozenset() if question.fen == KIWIPETE else frozenset(range(9))
            return super().ask(question)

    (explained,) = explain([Failure(CASTLING[2], 3)], Dying(without_en_passant))
    assert explained.result.first_wrong.wrong_counts
    assert explained.diagnosis is None


def test_rows_that_fail_at_several_depths_are_explained_once():
    found = failures([(PAWN, 3), (CASTLING[0], 1), (PAWN, 2)])
    assert found == (Failure(PAWN, 2), Failure(CASTLING[0], 1))


def test_state_and_generator_are_different_causes():
    explained = [
        *explain([Failure(PAWN, 2)], FakeEngine(without_en_passant)),
        *explain([Failure(PAWN, 2)], FakeEngine(after_push=forgets_en_passant)),
    ]
    assert len({found.diagnosis.rule for found in explained}) == 2
