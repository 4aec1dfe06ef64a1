"""What holds for every diagnosis: its names, its words, and what it does with bad evidence."""

from __future__ import annotations

import random

import chess
import diagnose_oracle as bugs
import pytest

from perftkit import KIWIPETE, STARTPOS
from perftkit.verify.diagnose import RULES, diagnose
from perftkit.verify.diagnosis import CERTAIN, LIKELY, Evidence

# The public names, from the design's table of rules.
PUBLIC = """
en-passant-pin en-passant-evasion en-passant-missing en-passant-stale en-passant-target
castling-through-check castling-out-of-check castling-into-check castling-path
castling-over-restricted castling-rights castling-missing
promotion-missing promotion-piece promotion-capture
pawn-double-push pawn-wrap piece-wrap pawn-move pin pin-over-restricted check-evasion double-check
king-into-check king-x-ray king-adjacent king-captures-defended king-over-restricted
slider-range leaper-moves own-capture make-unmake duplicate-move move-list-overflow count-only
fen-parsing unknown
"""


def test_the_public_names_are_all_there():
    assert list(RULES) == PUBLIC.split()
    assert all(meaning and meaning[0].islower() for meaning in RULES.values())


def test_the_explanation_of_the_design():
    fen = "8/8/8/K2pP2r/8/8/4k3/8 w - d6 0 1"
    diagnosis = diagnose(Evidence(fen=fen, extra=("e5d6",)))
    assert diagnosis.rule == "en-passant-pin"
    assert diagnosis.confidence == CERTAIN
    assert diagnosis.explanation == (
        "After e5xd6 e.p. both pawns leave the fifth rank and the rook on h5 attacks the king on"
        " a5."
    )


def test_black_counts_ranks_from_its_own_side():
    fen = "8/4K3/8/8/k2Pp2R/8/8/8 b - d3 0 1"
    diagnosis = diagnose(Evidence(fen=fen, extra=("e4d3",)))
    assert "both pawns leave the fifth rank and the rook on h4" in diagnosis.explanation


# Several causes


def test_the_main_cause_is_named_and_the_rest_is_listed():
    board = bugs.board_of("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")
    claimed = (bugs.double_push_jumps(board) | {"e1d2"}) - {"a1b1"}
    diagnosis = diagnose(bugs.evidence_of(board, claimed))
    assert diagnosis.rule == "pawn-double-push"
    assert "Not explained by it: e1d2, a1b1." in diagnosis.explanation


def test_a_general_rule_wins_where_it_explains_more():
    board = bugs.board_of("4k3/8/8/8/8/3b4/3rK3/8 w - - 0 1")
    evidence = bugs.evidence_of(board, bugs.king_anywhere(board))
    assert len(evidence.extra) > 2
    assert diagnose(evidence).rule == "king-into-check"


def test_the_moves_that_are_right_decide_between_two_rules():
    # The pawn is defended by the king alone, so that taking it is a step next to the king too.
    fen = "8/8/8/8/8/3k4/2p5/2K5 w - - 0 1"
    adjacent = diagnose(Evidence(fen=fen, extra=("c1c2", "c1d2")))
    assert adjacent.rule == "king-adjacent"
    defended = diagnose(Evidence(fen=fen, extra=("c1c2",)))
    assert defended.rule == "king-captures-defended"


def test_a_square_that_the_king_and_another_man_attack_is_attacked():
    # d2 is next to the king on d3 and on the rank of the rook: either may be overlooked.
    diagnosis = diagnose(Evidence(fen="8/8/8/8/8/3k4/7r/2K5 w - - 0 1", extra=("c1d2",)))
    assert diagnosis.rule == "king-into-check"


def test_captures_to_a_queen_only_are_no_proof_where_nothing_else_promotes():
    board = bugs.board_of("5n2/3KP3/8/8/4k3/8/8/8 w - - 0 1")
    diagnosis = diagnose(bugs.evidence_of(board, bugs.queen_only(board)))
    assert (diagnosis.rule, diagnosis.confidence) == ("promotion-piece", LIKELY)


@pytest.mark.parametrize(
    ("fen", "missing", "extra"),
    [
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1", "e1h1"),
        ("r3k2r/8/8/8/8/8/8/4K3 b kq - 0 1", "e8c8", "e8a8"),
        ("4k3/8/8/8/8/8/8/R3K2R w HA - 0 1", "e1h1", "e1g1"),
    ],
)
def test_castling_in_another_notation_is_no_broken_rule(fen, missing, extra):
    diagnosis = diagnose(Evidence(fen=fen, missing=(missing,), extra=(extra,)))
    assert diagnosis.rule == "unknown"
    assert "another notation" in diagnosis.explanation


# Moves that are none

ODD = [
    "e4e5",  # no man there
    "e7e5",  # one of the other side
    "e2e2",
    "0000",
    "(none)",
    "Nf3",
    "O-O-O-O",
    "\x1b[31me2e4\x1b[0m",
    "[bold]e2e4[/bold]",
    "a" * 10_000,
    "",
    "\N{RIGHT-TO-LEFT OVERRIDE}e2e4",
]


@pytest.mark.parametrize("move", ODD)
def test_text_that_is_no_move_is_unknown_and_harmless(move):
    diagnosis = diagnose(Evidence(fen=STARTPOS, extra=(move,)))
    assert (diagnosis.rule, diagnosis.confidence) == ("unknown", LIKELY)
    assert diagnosis.explanation.isascii()
    assert diagnosis.explanation.isprintable()
    assert len(diagnosis.explanation) < 300


def test_what_the_engine_printed_is_harmless_too():
    printed = "\x1b[31m" + "8/" * 5000 + " w \x07 -\x1b -"
    evidence = Evidence(fen=STARTPOS, missing=("e2e4",), engine_fen=printed)
    diagnosis = diagnose(evidence)
    assert diagnosis.explanation.isprintable()
    assert len(diagnosis.explanation) < 400


@pytest.mark.parametrize("fen", ["", "hello", "8/8/8/8/8/8/8/8 w - - 0 1", "4k3/8 w - - 0 1"])
def test_a_position_that_is_none(fen):
    diagnosis = diagnose(Evidence(fen=fen, missing=("e2e4",)))
    assert (diagnosis.rule, diagnosis.confidence) == ("unknown", LIKELY)
    assert "can't be looked at" in diagnosis.explanation


def test_a_line_that_does_not_lead_here_is_left_aside():
    board = bugs.board_of(KIWIPETE)
    evidence = bugs.evidence_of(
        board, bugs.castling_never(board), root=STARTPOS, path=("e2e4", "nonsense")
    )
    assert diagnose(evidence).rule == "castling-missing"


def test_nothing_wrong_is_unknown():
    diagnosis = diagnose(Evidence(fen=STARTPOS))
    assert (diagnosis.rule, diagnosis.confidence) == ("unknown", LIKELY)


def test_a_missing_move_that_is_not_legal_is_unknown():
    assert diagnose(Evidence(fen=STARTPOS, missing=("e2e5",))).rule == "unknown"


# No move at all


@pytest.mark.parametrize("fen", [STARTPOS, KIWIPETE, bugs.mirrored(KIWIPETE)])
def test_an_engine_without_any_move(fen):
    board = bugs.board_of(fen)
    diagnosis = diagnose(bugs.evidence_of(board, ()))
    assert (diagnosis.rule, diagnosis.confidence) == ("unknown", LIKELY)
    assert "no move at all" in diagnosis.explanation


@pytest.mark.parametrize(
    "fen", ["4k3/8/8/8/8/8/8/4K2R w - - 100 80", "4k3/8/8/8/8/8/8/4K1N1 w - - 0 1"]
)
def test_an_engine_that_ends_the_tree_by_a_draw(fen):
    diagnosis = diagnose(bugs.evidence_of(bugs.board_of(fen), ()))
    assert diagnosis.rule == "unknown"
    assert "draws don't end a perft tree" in diagnosis.explanation


# Anything at all


def random_text(rng):
    squares = [chess.square_name(rng.randrange(64)) for _ in range(2)]
    return "".join(squares) + rng.choice(["", "", "", "q", "k", "x"])


@pytest.mark.parametrize("seed", range(20))
def test_random_lists_are_answered_with_a_public_rule(seed):
    rng = random.Random(seed)
    board = chess.Board(rng.choice([STARTPOS, KIWIPETE, "8/Pk6/8/8/3Pp3/8/6Kp/8 b - d3 0 1"]))
    moves = []
    for _ in range(rng.randrange(20)):
        legal = list(board.legal_moves)
        if not legal:
            break
        move = rng.choice(legal)
        moves.append(move.uci())
        board.push(move)
    root = board.root().fen(en_passant="fen")
    for _ in range(10):
        right = sorted(bugs.legal(board))
        missing = tuple(rng.sample(right, rng.randrange(min(3, len(right)) + 1)))
        texts = [random_text(rng) for _ in range(rng.randrange(4))]
        evidence = Evidence(
            fen=board.fen(en_passant="fen"),
            root=root,
            path=tuple(moves),
            missing=missing,
            extra=tuple(text for text in texts if text not in right),
            right_by_fen=rng.choice([None, True, False]),
        )
        diagnosis = diagnose(evidence)
        assert diagnosis.rule in RULES
        assert diagnosis.confidence in (CERTAIN, LIKELY)
        assert diagnosis.explanation.endswith(".")
