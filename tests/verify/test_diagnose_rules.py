"""Every rule against lists of moves that a generator with one bug has, in both colours.

The lists come from python-chess with one rule switched off (`diagnose_oracle`), never from the
code that is tested. Each position is also turned round, so that every case is one of White's and
one of Black's; in most rows some positions are Black's to begin with.
"""

from __future__ import annotations

from dataclasses import dataclass

import chess
import diagnose_oracle as bugs
import pytest

from perftkit.verify.diagnose import RULES, diagnose
from perftkit.verify.diagnosis import CERTAIN, LIKELY


@dataclass(frozen=True)
class Case:
    """One bug, and positions that show it."""

    rule: str
    bug: object
    fens: tuple[str, ...]
    confidence: str | None = CERTAIN
    chess960: bool = False
    turned: bool = True

    @property
    def shown(self):
        """The positions, and each of them turned round where the bug is the same for both."""
        others = [bugs.mirrored(fen, self.chess960) for fen in self.fens if self.turned]
        return dict.fromkeys((*self.fens, *others))


def standard(rule, bug, *fens, confidence=CERTAIN, turned=True):
    return Case(rule, bug, fens, confidence, turned=turned)


def fischer(rule, bug, *fens, confidence=CERTAIN):
    return Case(rule, bug, fens, confidence, chess960=True)


KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
KIWIPETE_BLACK = KIWIPETE.replace(" w ", " b ")
POSITION_5 = "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8"
PROMOTIONS = "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1"

CASES = (
    # En passant
    standard(
        "en-passant-pin",
        bugs.ep_pin,
        "8/8/8/r2Pp2K/8/8/4k3/8 w - e6 0 1",
        "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1",
        "8/5bk1/8/2Pp4/8/1K6/8/8 w - d6 0 1",
        "8/8/1B6/8/3Pp3/8/5k2/K7 b - d3 0 1",
    ),
    standard(
        "en-passant-pin",
        bugs.ep_pin,
        "4r3/8/8/3pP3/8/8/8/4K2k w - d6 0 1",
        "4k3/8/8/8/3Pp3/8/8/K3R3 b - d3 0 1",
        confidence=LIKELY,  # the pawn is pinned: a bug with pins would show the same
    ),
    standard(
        "en-passant-evasion",
        bugs.ep_not_in_check,
        "8/8/8/2k5/2pP4/8/B7/4K3 b - d3 0 3",
        "8/p2p1N2/8/4p2k/1p2P1Pp/1P1b3K/P6P/n7 b - g3 0 32",
        "4r1k1/8/p3pQp1/3p2Pp/1p1P1RK1/2P5/7q/8 w - h6 0 2",
        "1b4k1/8/8/2Pp4/8/8/7K/8 w - d6 0 1",
        confidence=LIKELY,  # e.p. may be missing everywhere
    ),
    standard(
        "en-passant-evasion",
        bugs.ep_always_ends_check,
        "4k3/8/8/3pP3/8/3n4/8/4K3 w - d6 0 1",
        "4k3/8/3N4/8/3Pp3/8/8/4K3 b - d3 0 1",
        "k6b/6pp/pp1P4/1R6/5pP1/8/K6P/7B b - g3 0 19",
        confidence=None,
    ),
    standard(
        "en-passant-evasion",
        bugs.ep_by_any_piece,
        "4k3/8/8/3p1N2/2K5/8/8/8 w - d6 0 1",
        "8/8/8/2k5/3P1n2/8/8/4K3 b - d3 0 1",
        "3k4/8/R7/3p4/4K3/8/8/8 w - d6 0 1",
        confidence=LIKELY,
    ),
    standard(
        "en-passant-missing",
        bugs.ep_never,
        "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
        "r3k2r/8/8/8/2pP4/8/8/R3K2R b KQkq d3 0 1",
        "6k1/8/8/8/1Pp5/8/8/6K1 b - b3 0 1",
        "4k3/8/8/2PpP3/8/8/8/4K3 w - d6 0 1",
        confidence=LIKELY,  # the FEN alone gives the square: it may not be read
    ),
    standard(
        "en-passant-stale",
        bugs.ep_file("d"),
        "4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1",
        "r3k2r/8/8/8/2pP4/8/8/R3K2R b KQkq - 0 1",
        "4k3/8/8/2PpP3/8/8/8/4K3 w - - 0 1",
        confidence=None,
    ),
    standard(
        "en-passant-target",
        bugs.ep_to_wrong_rank,
        "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
        "r3k2r/8/8/8/2pP4/8/8/R3K2R b KQkq d3 0 1",
        "r3k2r/Pp1p1ppp/1b3n1N/nPp5/BBPNb3/8/P2P1RPP/R1Q3K1 w kq c6 0 5",
        "8/8/8/2k5/2pP4/8/B7/4K3 b - d3 0 3",
    ),
    standard(
        "en-passant-target",
        bugs.ep_sentinel,
        "8/RPP5/8/3k4/5Bp1/6Pp/P4P1P/5K2 w - - 1 42",
        "4k3/8/8/8/8/8/1p6/4K3 b - - 0 1",
        "4k3/1P6/8/8/8/8/8/4K2R w K - 0 1",
        confidence=LIKELY,
    ),
    # Castling
    standard(
        "castling-through-check",
        bugs.with_castlings(through=False),
        "4kr2/8/8/8/8/8/8/R3K2R w KQ - 0 1",
        "r3k2r/8/8/8/8/8/8/3RK3 b kq - 0 1",
        "r3k2r/8/8/8/2b5/8/8/R3K2R w KQkq - 0 1",
    ),
    fischer(
        "castling-through-check",
        bugs.with_castlings(through=False),
        "3rk3/8/8/8/8/8/8/R4K2 w A - 0 1",
        "1k4r1/8/8/8/8/8/8/2R1K3 b g - 0 1",
        "3qk3/8/8/8/8/8/8/1K4R1 w G - 0 1",
    ),
    standard(
        "castling-out-of-check",
        bugs.with_castlings(out=False),
        "4k3/8/8/8/4r3/8/8/R3K2R w KQ - 0 1",
        "r3k2r/8/3N4/8/8/8/8/4K3 b kq - 0 1",
        "4k3/8/8/8/1b6/8/8/R3K2R w KQ - 0 1",
    ),
    fischer(
        "castling-out-of-check",
        bugs.with_castlings(out=False),
        "1k2r3/8/8/8/8/8/8/R3K1R1 w GA - 0 1",
        "1r1k2r1/8/8/8/8/8/8/3RK3 b gb - 0 1",
        "4k3/8/8/8/8/6n1/8/1R3K2 w B - 0 1",
        confidence=None,
    ),
    standard(
        "castling-into-check",
        bugs.with_castlings(into=False),
        "4k1r1/8/8/8/8/8/8/R3K2R w KQ - 0 1",
        "r3k2r/8/8/8/8/8/8/2R1K1R1 b kq - 0 1",
        "4k3/8/8/8/8/1n6/8/R3K2R w KQ - 0 1",
    ),
    fischer(
        "castling-into-check",
        bugs.castling_960_rook_not_lifted,
        "4k3/8/8/8/8/8/8/qR1K4 w B - 0 1",
        "3k4/8/8/8/8/8/8/rRK5 w B - 0 1",
        "Qr1k4/8/8/8/8/8/8/4K3 b b - 0 1",
    ),
    standard(
        "castling-path",
        bugs.with_castlings(path=False),
        "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3",
        "rn2k2r/8/8/8/8/8/8/4K3 b kq - 0 1",
        "4k3/8/8/8/8/8/8/R2QK2R w KQ - 0 1",
        "r3k2r/8/8/8/8/8/8/Rn2K2R w KQkq - 0 1",
    ),
    fischer(
        "castling-path",
        bugs.with_castlings(path=False),
        "4k3/8/8/8/8/8/8/1RN1K3 w B - 0 1",
        "2rnk3/8/8/8/8/8/8/4K3 b c - 0 1",
        "4k3/8/8/8/8/8/8/RB2K3 w A - 0 1",
    ),
    fischer(
        "castling-path",
        bugs.castling_960_fixed_squares,
        "4k3/8/8/8/8/8/8/6KR w H - 0 1",
        "2rk4/8/8/8/8/8/8/4K3 b c - 0 1",
        "4k3/8/8/8/8/8/8/5KR1 w G - 0 1",
        "4k3/8/8/8/8/8/8/1NR1K3 w C - 0 1",
        confidence=LIKELY,
    ),
    standard(
        "castling-over-restricted",
        bugs.with_castlings(rook_way=True),
        "4k3/6b1/8/8/8/8/8/R3K2R w KQ - 0 1",
        "r3k2r/8/8/8/5B2/8/8/4K3 b kq - 0 1",
        "1r2k3/8/8/8/8/8/8/R3K2R w KQ - 0 1",
        "4k2r/8/8/8/8/8/8/R3K2R w KQ - 0 1",
        confidence=LIKELY,  # castling to this side may be missing everywhere
    ),
    fischer(
        "castling-over-restricted",
        bugs.with_castlings(rook_way=True),
        "rk2r2b/ppp2b1p/1n4p1/3p1p2/3q1P2/1P1QN3/P1P1P2P/RK2R1BB w EAea - 0 12",
        "4k2r/8/8/8/8/8/8/4K2R b h - 0 1",
        "1r2k3/8/8/8/8/8/8/1R2K1R1 w GB - 0 1",
        confidence=None,
    ),
    standard(
        "castling-missing",
        bugs.castling_never,
        "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1",
        "r3k2r/8/8/8/8/8/8/4K3 b kq - 0 1",
        KIWIPETE,
        confidence=LIKELY,  # in a FEN that is given, the rights may not be read
    ),
    fischer(
        "castling-missing",
        bugs.castling_never,
        "4k3/8/8/8/8/8/8/R3K2R w HA - 0 1",
        "r3k2r/8/8/8/8/8/8/4K3 b ha - 0 1",
        "4k3/8/8/8/8/8/8/3K3R w H - 0 1",
        confidence=LIKELY,
    ),
    # Promotion
    standard(
        "promotion-missing",
        bugs.no_promotion,
        "4k3/P7/8/8/8/8/8/4K3 w - - 0 1",
        PROMOTIONS,
        "8/Pk6/8/8/8/8/6Kp/8 w - - 0 1",
    ),
    standard(
        "promotion-missing",
        bugs.promotion_not_found,
        "4k3/P7/8/8/8/8/8/4K3 w - - 0 1",
        PROMOTIONS,
        "8/Pk6/8/8/8/8/6Kp/8 b - - 0 1",
        confidence=None,
    ),
    standard(
        "promotion-piece",
        bugs.queen_only,
        "4k3/P7/8/8/8/8/8/4K3 w - - 0 1",
        PROMOTIONS,
        "8/Pk6/8/8/8/8/6Kp/8 b - - 0 1",
    ),
    standard(
        "promotion-piece",
        bugs.no_knight,
        "4k3/P7/8/8/8/8/8/4K3 w - - 0 1",
        PROMOTIONS,
        "8/Pk6/8/8/8/8/6Kp/8 b - - 0 1",
    ),
    standard(
        "promotion-piece",
        bugs.promotes_to_king,
        "4k3/P7/8/8/8/8/8/4K3 w - - 0 1",
        PROMOTIONS,
        POSITION_5,
    ),
    standard(
        "promotion-capture",
        bugs.captures_to_queen_only,
        PROMOTIONS,
        "1r2k3/P7/8/8/8/8/8/4K3 w - - 0 1",
        "4k3/8/8/8/8/8/6p1/4K2R b - - 0 1",
    ),
    standard(
        "promotion-capture",
        bugs.capture_does_not_promote,
        PROMOTIONS,
        "1r2k3/P7/8/8/8/8/8/4K3 w - - 0 1",
        "4k3/8/8/8/8/8/6p1/4K2R b - - 0 1",
        "5n2/3KP3/8/8/4k3/8/8/8 w - - 0 1",
        confidence=None,
    ),
    # Pawns
    standard(
        "pawn-double-push",
        bugs.double_push_jumps,
        KIWIPETE,
        "4k3/p7/N7/8/8/8/8/4K3 b - - 0 1",
        "4k3/8/8/8/8/b7/P7/4K3 w - - 0 1",
    ),
    standard(
        "pawn-double-push",
        bugs.double_push_onto,
        "4k3/p7/8/N7/8/8/8/4K3 b - - 0 1",
        "4k3/8/8/8/n7/8/P7/4K3 w - - 0 1",
        "7k/3p4/8/3P4/8/8/8/K7 b - - 0 1",
    ),
    standard(
        "pawn-double-push",
        bugs.double_push_anywhere,
        "4k3/8/p7/8/8/8/8/4K3 b - - 0 1",
        "4k3/8/8/8/8/P7/8/4K3 w - - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/4P3/1pN2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
    ),
    standard(
        "pawn-double-push",
        bugs.double_push_never,
        chess.STARTING_FEN,
        KIWIPETE,
        "4k3/p7/8/8/8/8/8/4K3 b - - 0 1",
    ),
    standard(
        "pawn-double-push",
        bugs.double_push_no_evasion,
        "rnb1kbnr/pppppppp/8/q7/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - 0 1",
        "rnbqkbnr/ppp1pppp/8/8/Q7/2P5/PP1PPPPP/RNB1KBNR b KQkq - 0 1",
        "8/8/8/8/r6K/8/6P1/4k3 w - - 0 1",
        confidence=None,
    ),
    standard(
        "pawn-wrap",
        bugs.pawn_captures_wrap,
        "4k3/8/p7/8/7P/8/8/4K3 w - - 0 1",
        "4k3/8/8/8/P6p/8/8/4K3 w - - 0 1",
        "4k3/8/8/1P6/P6p/6pP/8/4K3 w - - 0 1",
        "4k3/8/8/p7/8/7P/8/4K3 b - - 0 1",
        "4k3/8/8/P6p/8/8/8/4K3 b - - 0 1",
        "1nb1kbnr/r1p2pp1/3p1q2/pp2NP1p/7P/2PP4/PP2P1P1/R1BQKBNR b Kk h3 0 1",
        turned=False,
        confidence=None,
    ),
    standard(
        "pawn-move",
        bugs.pushes_onto_enemy,
        "4k3/8/8/p7/P7/8/8/4K3 w - - 0 1",
        "4k3/8/8/p7/P7/8/8/4K3 b - - 0 1",
        KIWIPETE,
    ),
    standard(
        "pawn-move",
        bugs.pawns_capture_backwards,
        "4k3/8/8/P7/1p6/8/8/4K3 w - - 0 1",
        "4k3/8/6P1/5p2/8/8/8/4K3 b - - 0 1",
        "4k3/8/8/3P4/2n1n3/8/8/4K3 w - - 0 1",
    ),
    standard(
        "pawn-move",
        bugs.no_pawn_capture_left,
        KIWIPETE_BLACK,
        "4k3/8/8/3p4/2N5/8/8/4K3 b - - 0 1",
        "4k3/8/8/3n4/4P3/8/8/4K3 w - - 0 1",
    ),
    standard(
        "pawn-move",
        bugs.no_single_push,
        chess.STARTING_FEN,
        KIWIPETE,
        "4k3/8/8/3p4/2N5/8/8/4K3 b - - 0 1",
    ),
    # Pins and checks
    standard(
        "pin",
        bugs.no_pins,
        "4k3/4r3/8/8/8/8/4N3/4K3 w - - 0 1",
        "4k3/3n4/8/8/B7/8/8/4K3 b - - 0 1",
        "4k3/8/8/8/1b6/8/3P4/4K3 w - - 0 1",
    ),
    standard(
        "pin",
        bugs.pinned_evades,
        "7k/8/8/8/8/4n3/r2B2K1/8 w - - 0 1",
        "kn1R4/8/8/8/8/8/6B1/4K3 b - - 0 1",
        "k3r3/8/8/8/7b/8/5R2/4K3 w - - 0 1",
        confidence=None,
    ),
    standard(
        "pin-over-restricted",
        bugs.pinned_never_move,
        "4k3/4r3/8/8/8/8/4R3/4K3 w - - 0 1",
        "4k3/3b4/8/8/B7/8/8/4K3 b - - 0 1",
        "4k3/8/8/7q/8/8/4B3/3K3R w - - 0 1",
        "4k3/4p3/8/8/8/8/8/4RK2 b - - 0 1",
        confidence=None,
    ),
    standard(
        "pin-over-restricted",
        bugs.pinned_never_capture,
        "4k3/4r3/8/8/8/8/4R3/4K3 w - - 0 1",
        "4k3/3b4/8/8/B7/8/8/4K3 b - - 0 1",
        "7k/8/8/8/8/2q5/1P1P4/4K3 w - - 0 1",
        confidence=LIKELY,  # these men may lack the move anyway
    ),
    standard(
        "pin-over-restricted",
        bugs.ep_not_by_pinned,
        "6k1/8/8/8/1Pp5/8/B7/6K1 b - b3 0 1",
        "5bk1/8/8/2Pp4/8/K7/8/8 w - d6 0 1",
        "8/8/7k/8/4Pp2/8/8/K1B5 b - e3 0 1",
        confidence=None,
    ),
    standard(
        "check-evasion",
        bugs.checks_ignored,
        "4k3/8/8/8/4r3/8/8/R3K2R w - - 0 1",
        "r3k2r/8/8/8/8/8/8/4R1K1 b - - 0 1",
        "rnb1kbnr/pppp1ppp/8/4p3/7q/5P2/PPPPP1PP/RNBQKBNR w KQkq - 1 3",
    ),
    standard(
        "check-evasion",
        bugs.no_blocks,
        "4k3/8/8/8/4r3/8/3N1B2/R3K2R w - - 0 1",
        "rnbqkbnr/ppp1pppp/3p4/8/Q7/2P5/PP1PPPPP/RNB1KBNR b KQkq - 0 1",
        "1R5R/8/4k3/8/8/8/8/r1K5 w - - 3 5",
        confidence=None,
    ),
    standard(
        "check-evasion",
        bugs.no_captures_of_checker,
        "4k3/8/8/8/4r3/6N1/8/R3K2R w - - 0 1",
        "r3k2r/p1pp1pb1/bn2Qnp1/2qPN3/1p2P3/2N5/PPPBBPPP/R3K2R b KQkq - 0 2",
        "4k3/8/8/8/8/5n2/4P1P1/4K2R w - - 0 1",
        confidence=None,
    ),
    standard(
        "double-check",
        bugs.double_check_as_single,
        "4k3/8/8/8/4r3/5n2/8/3QK2R w K - 0 1",
        "3qk3/8/5N2/4R3/8/8/8/4K3 b - - 0 1",
        "6k1/8/8/8/1b6/1N6/8/r3K3 w - - 0 1",
        confidence=None,
    ),
    standard(
        "double-check",
        bugs.double_check_ignored,
        "4k3/8/8/8/4r3/5n2/8/3QK2R w K - 0 1",
        "r7/3R2kQ/5p2/4p3/8/7P/8/5K2 b - - 2 3",
        "B6b/8/8/8/2K5/5k2/8/b6B b - - 0 1",
        "6k1/8/8/8/1b6/1N6/8/r3K3 w - - 0 1",
        confidence=None,
    ),
    # Kings
    standard(
        "king-into-check",
        bugs.king_anywhere,
        "4k3/8/8/8/8/8/r7/4K3 w - - 0 1",
        "4k3/8/2P1P1P1/8/8/8/8/4K3 b - - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/4P3/1pN2Q2/PPPBBPpP/R3K2R w KQkq - 0 1",
        confidence=None,
    ),
    standard(
        "king-into-check",
        bugs.king_blind_to(chess.PAWN),
        "4k3/8/8/8/8/2p1p3/8/3K4 w - - 0 1",
        "3k4/8/4P3/8/8/8/8/4K3 b - - 0 1",
        "4k3/8/8/8/8/6p1/8/6K1 w - - 0 1",
    ),
    standard(
        "king-x-ray",
        bugs.king_x_ray,
        "4k3/4r3/8/8/4K3/8/8/8 w - - 0 1",
        "8/8/8/3k4/8/8/8/K2R4 b - - 0 1",
        "4k3/8/8/8/8/2b5/3K4/8 w - - 0 1",
        "6k1/8/8/8/8/8/8/r2K4 w - - 0 1",
        confidence=None,
    ),
    standard(
        "king-adjacent",
        bugs.king_sees_no_king,
        "8/8/3k4/8/3K4/8/8/7r w - - 0 1",
        "8/8/8/8/1k1K4/8/8/7R b - - 0 1",
        "8/8/8/8/8/k1K5/8/8 w - - 0 1",
        confidence=None,
    ),
    standard(
        "king-captures-defended",
        bugs.king_takes_defended,
        "4k3/8/8/8/8/5b2/4r3/4K3 w - - 0 1",
        "3k4/3Q4/8/8/B7/8/8/4K3 b - - 0 1",
        "2kr3r/p1pQqpb1/bn4p1/3PN2n/1p2P3/2N5/PPPBBPPP/R3K2R b KQ - 0 3",
        confidence=None,
    ),
    standard(
        "king-over-restricted",
        bugs.king_does_not_capture,
        "rnb1kbnr/ppp3p1/8/7p/8/8/PPPPqPPP/RNB1K2R w KQkq - 0 1",
        "4k3/3P4/8/8/8/8/8/4K3 b - - 0 1",
        "7k/8/8/8/8/8/4r3/4K3 w - - 0 1",
    ),
    standard(
        "king-over-restricted",
        bugs.king_shy_of_pawn_pushes,
        "4k3/8/8/3p4/8/3K4/8/8 w - - 0 1",
        "8/8/3k4/8/3P4/8/8/4K3 b - - 0 1",
        "4k3/8/p7/8/1K6/8/8/8 w - - 0 1",
    ),
    standard(
        "king-over-restricted",
        bugs.king_stuck_in_check,
        "4k3/8/8/8/4r3/8/8/R3K2R w KQ - 0 1",
        "4k3/8/5N2/8/8/8/8/4K2R b - - 0 1",
        "4k3/8/8/8/8/2b5/3K4/R7 w - - 0 1",
    ),
    # Pieces
    standard(
        "slider-range",
        bugs.sliders_run_through,
        chess.STARTING_FEN,
        KIWIPETE,
        "r3k3/8/8/p7/8/8/8/4K3 b - - 0 1",
    ),
    standard(
        "slider-range",
        bugs.sliders_short(3),
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/8/5Q2/PPPBBPPP/R3K2R w KQkq - 0 1",
        "r3k3/8/8/8/8/8/8/4K3 b - - 0 1",
        "4k3/8/8/8/8/8/8/B3K3 w - - 0 1",
    ),
    standard(
        "leaper-moves",
        bugs.lacks_step(chess.KNIGHT, 17),
        KIWIPETE,
        "4k3/8/8/8/4n3/8/8/4K3 b - - 0 1",
        "4k3/8/8/8/1N6/8/8/4K3 w - - 0 1",
    ),
    standard(
        "leaper-moves",
        bugs.steps(chess.KNIGHT, (18, -18)),
        chess.STARTING_FEN,
        "4k3/8/8/8/4n3/8/8/4K3 b - - 0 1",
        KIWIPETE,
    ),
    standard(
        "leaper-moves",
        bugs.steps(chess.KING, (16, -16)),
        "8/8/8/4k3/8/8/8/K7 b - - 0 1",
        "8/8/8/4K3/8/8/8/k7 w - - 0 1",
        "4k3/8/8/8/8/2K5/8/8 w - - 0 1",
    ),
    standard(
        "piece-wrap",
        bugs.steps(chess.KNIGHT, bugs.KNIGHT),
        "4k3/8/8/7N/8/8/8/4K3 w - - 0 1",
        "4k3/8/8/n7/8/8/8/4K3 b - - 0 1",
        "rnbqkb1r/pppppppp/7n/8/8/N7/PPPPPPPP/R1BQKBNR b KQkq - 0 1",
    ),
    standard(
        "piece-wrap",
        bugs.sliders_wrap,
        "4k3/8/8/8/7R/8/8/4K3 w - - 0 1",
        "4k3/8/8/b7/8/8/8/7K b - - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
    ),
    standard(
        "piece-wrap",
        bugs.steps(chess.KING, bugs.KING),
        "4k3/8/8/7K/8/8/8/8 w - - 0 1",
        "8/8/8/k7/8/8/8/4K3 b - - 0 1",
        "4k3/8/8/8/K7/8/8/8 w - - 0 1",
    ),
    standard(
        "own-capture",
        bugs.takes_own,
        chess.STARTING_FEN,
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        confidence=None,
    ),
)


def positions():
    for case in CASES:
        for fen in case.shown:
            yield pytest.param(case, fen, id=f"{case.rule} {case.bug.__name__} {fen}")


@pytest.mark.parametrize(("case", "fen"), list(positions()))
def test_the_broken_rule_is_named(case, fen):
    board = bugs.board_of(fen, case.chess960)
    evidence = bugs.evidence_of(board, case.bug(board))
    assert evidence.missing or evidence.extra, "this position does not show the bug"
    diagnosis = diagnose(evidence)
    assert diagnosis.rule == case.rule, diagnosis
    if case.confidence is not None:
        assert diagnosis.confidence == case.confidence, diagnosis
    assert names_a_square(diagnosis.explanation, evidence), diagnosis


def names_a_square(text, evidence):
    squares = {move[at : at + 2] for move in evidence.missing + evidence.extra for at in (0, 2)}
    castles = "O-O" in text
    return castles or any(square in text for square in squares)


def test_every_rule_about_moves_has_three_positions_for_each_side():
    turns = {}
    for case in CASES:
        for fen in case.shown:
            side = bugs.board_of(fen, case.chess960).turn
            turns.setdefault((case.rule, side), set()).add(fen)
    others = {
        "castling-rights",
        "make-unmake",
        "duplicate-move",
        "move-list-overflow",
        "count-only",
        "fen-parsing",
        "unknown",
    }  # in the other files of these tests
    for rule in set(RULES) - others:
        for side in chess.COLORS:
            assert len(turns.get((rule, side), ())) >= 3, (rule, side)


def extra(fen, move):
    """The evidence of one move too many, in a position that python-chess has without it."""
    board = bugs.board_of(fen)
    assert move not in bugs.legal(board)
    return diagnose(bugs.evidence_of(board, bugs.legal(board) | {move}))


def test_castling_in_check_is_so_whatever_else_is_attacked():
    # The rook on g1 looks through the king at d1 and c1.
    found = extra("r3k3/8/8/8/8/8/8/R3K1rR w KQq - 1 2", "e1c1")
    assert (found.rule, found.confidence) == ("castling-out-of-check", CERTAIN)
    found = extra("r3k1Rr/8/8/8/8/8/8/R3K3 b Qkq - 1 2", "e8c8")
    assert (found.rule, found.confidence) == ("castling-out-of-check", CERTAIN)


@pytest.mark.parametrize(
    ("fen", "move"),
    [
        ("3Q4/1Q4Q1/4Q3/2Q4R/Q4Q2/3Q4/1Q4Rp/1K1BBNNk w - - 0 1", "h5h1"),  # the king
        ("4k3/8/8/8/8/P7/P7/R3K3 w - - 0 1", "a1a3"),  # a man of its own
        ("r3k3/p7/p7/8/8/8/8/4K3 b - - 0 1", "a8a6"),
    ],
)
def test_a_slider_that_passes_over_a_man_runs_through(fen, move):
    found = extra(fen, move)
    assert (found.rule, found.confidence) == ("slider-range", CERTAIN)
