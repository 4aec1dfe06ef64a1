"""What is no rule of chess: counters that overflow, lists that are cut, mates, repetition, sums.

What is right is said by python-chess, of which the wrong engines are made.
"""

from __future__ import annotations

import chess
import diagnose_oracle as bugs
import pytest
from fake_engine import FakeEngine, legal, without_en_passant
from test_diagnose_numbers import of_counts, rows

from perftkit import KIWIPETE, STARTPOS
from perftkit.suite.model import SuiteRow
from perftkit.verify.diagnose import diagnose
from perftkit.verify.diagnosis import CERTAIN, LIKELY
from perftkit.verify.explain import causes, explain
from perftkit.verify.failures import Failure
from perftkit.verify.hints import overflow_bits
from perftkit.verify.walk import result_of, walk

BACK_RANK = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1"
QUEENS = "8/8/8/8/7k/2Q5/3Q4/K7 w - - 0 1"
SIXTEEN = "4k3/8/8/8/8/8/P7/4K2R w K - 0 1"  # and castling


class Mateless(FakeEngine):
    """A leaf that is mate counts 0."""

    def _count(self, board, depth):
        if depth == 0:
            return 0 if board.is_checkmate() else 1
        total = 0
        for move in self.moves(board):
            board.push(move)
            total += self._count(board, depth - 1)
            board.pop()
        return total


@pytest.mark.parametrize("fen", [BACK_RANK, bugs.mirrored(BACK_RANK)])
def test_mates_that_are_not_counted_are_no_missing_moves(fen):
    evidence = result_of(walk(Mateless(divides=False), fen, 2)).first_wrong
    assert not evidence.missing
    found = diagnose(evidence)
    assert (found.rule, found.confidence) == ("count-only", LIKELY)
    assert "leaves that are mate are not counted" in found.explanation
    divided = diagnose(result_of(walk(Mateless(), fen, 2)).first_wrong)
    assert (divided.rule, divided.confidence) == ("count-only", CERTAIN)
    assert "leaves that are mate are not counted" in divided.explanation


def test_a_move_that_totals_only_hint_at_is_a_guess():
    engine = FakeEngine(without_en_passant, divides=False)
    evidence = result_of(walk(engine, KIWIPETE, 3)).first_wrong
    assert evidence.missing == ("b4a3",)
    found = diagnose(evidence)
    assert found.confidence == LIKELY
    assert found.explanation.startswith("Guessed from totals: ")


@pytest.mark.parametrize(
    ("deltas", "bits"),
    [
        ([-65536], 16),
        ([-3 * 65536, 2**32], 16),
        ([2**32], 32),
        ([-256], None),
        ([-256, -512], 8),
        ([-256, -511], None),
        ([-65536, 0], None),
        ([], None),
    ],
)
def test_widths_of_counters(deltas, bits):
    assert overflow_bits(deltas) == bits


@pytest.mark.parametrize(("depth", "bits"), [(3, 8), (4, 16)])
def test_counters_of_other_widths(depth, bits):
    right = {move: nodes for move, (nodes, _) in rows(KIWIPETE, 3).items()}
    if depth == 4:  # as large as at depth 4, roughly
        right = {move: nodes * 43 for move, nodes in right.items()}
    wrong = {move: (n, n % 2**bits) for move, n in right.items() if n >= 2**bits}
    assert len(wrong) > 10
    found = of_counts(KIWIPETE, depth, wrong, alone=True)
    assert (found.rule, found.confidence) == ("count-only", CERTAIN)
    assert f"a counter of {bits} bits overflowed" in found.explanation


def test_a_printed_sum_that_is_wrong_under_right_rows():
    # Kiwipete at depth 3: 97862 (Chess Programming Wiki).
    engine = FakeEngine(prints_total=lambda nodes: nodes & 0xFFFF)
    result = result_of(walk(engine, KIWIPETE, 3))
    found = diagnose(result.first_wrong)
    assert (found.rule, found.confidence) == ("count-only", CERTAIN)
    assert (
        "only the printed sum is wrong: 32326 = 97862 \N{MINUS SIGN} 65536, a total of 16 bits"
        in found.explanation
    )
    off = FakeEngine(prints_total=lambda nodes: nodes + 1)
    found = diagnose(result_of(walk(off, STARTPOS, 2)).first_wrong)
    assert "only the printed sum is wrong: 21 for 20" in found.explanation


@pytest.mark.parametrize("fen", [KIWIPETE, QUEENS, bugs.mirrored(KIWIPETE)])
@pytest.mark.parametrize("size", [16, 32])
def test_a_list_that_is_cut_off_is_not_called_a_rule(fen, size):
    board = bugs.board_of(fen)
    moves = [board.uci(move) for move in board.legal_moves]
    found = diagnose(bugs.evidence_of(board, moves[:size]))
    assert (found.rule, found.confidence) == ("move-list-overflow", LIKELY)
    assert f"the engine has {size} of them" in found.explanation


def test_one_kind_that_is_missing_from_a_list_of_a_round_length_is_only_likely():
    board = chess.Board(SIXTEEN)
    rest = [board.uci(move) for move in board.legal_moves if not board.is_castling(move)]
    assert len(rest) == 16
    found = diagnose(bugs.evidence_of(board, rest))
    assert (found.rule, found.confidence) == ("castling-missing", LIKELY)
    assert "exactly 16 moves: a list that is cut off" in found.explanation


def test_what_leaves_half_unexplained_is_not_certain():
    board = chess.Board(STARTPOS)
    found = diagnose(bugs.evidence_of(board, ["e2e4"]))
    assert found.confidence == LIKELY


def test_lists_of_one_length_in_several_positions():
    def cut(board):
        return list(board.legal_moves)[:30]

    fens = [KIWIPETE, QUEENS, bugs.mirrored(KIWIPETE)]
    failed = [Failure(SuiteRow(str(number), fen), 1) for number, fen in enumerate(fens)]
    (cause,) = causes(explain(failed, FakeEngine(cut)))
    assert (cause.diagnosis.rule, cause.diagnosis.confidence) == ("move-list-overflow", LIKELY)
    assert "exactly 30 of them" in cause.diagnosis.explanation


def test_repetition_does_not_end_a_tree():
    def drawn(board):
        return [] if len(board.move_stack) > 3 and board.is_repetition(2) else legal(board)

    fen = "7k/8/8/8/8/8/8/K7 w - - 0 1"
    result = result_of(walk(FakeEngine(drawn), fen, 5))
    evidence = result.first_wrong
    found = diagnose(evidence)
    assert found.rule == "make-unmake"
    assert "by repetition, which does not end a perft tree" in found.explanation
