"""The core against python-chess in 5,000 positions that random play reaches from the suites' rows.

Hypothesis plays the games, so that a failure shrinks to few moves from one row. It is derandomized:
every run sees the same positions, and a change of the core can't fail by luck elsewhere. Each part
has its own rows, which also keeps the games of the parts apart.
"""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st
from oracle import python_chess_counts
from suite_positions import SUITES, board_of, position_of

from perftkit import perft
from perftkit.core.perft import BOTH

PARTS = 20
POSITIONS = 250  # of each part
LONGEST_GAME = 40  # plies

# Every part has some rows of each suite, and draws the suite first: the two with all 960 arrays
# have nine tenths of the rows.
ROWS = [
    [rows[part::PARTS] for rows in SUITES.values() if len(rows) >= PARTS] for part in range(PARTS)
]

games = st.integers(0, LONGEST_GAME).flatmap(
    lambda plies: st.lists(st.integers(0, 255), min_size=plies, max_size=plies)
)


def play(row, choices):
    """The position after a game in which each choice picks a move, until it ends."""
    position = position_of(row)
    for choice in choices:
        moves = sorted(position.legal_moves(), key=str)
        if not moves:
            break
        position.push(moves[choice % len(moves)])
    return position


def compare(position):
    board = board_of(position)
    moves = sorted(move.uci() for move in position.legal_moves())
    assert moves == sorted(board.uci(move) for move in board.legal_moves)
    assert position.checkers == board.checkers_mask()
    assert position.key == position.key_from_scratch()
    nodes, counts = python_chess_counts(position.fen(), 2, position.chess960)
    result = perft(position, 2, method=BOTH)
    assert (result.nodes, result.counts) == (nodes, counts)
    assert perft(position, 2, breakdown=False).nodes == nodes


@pytest.mark.parametrize("part", range(PARTS))
def test_moves_checkers_and_counters_equal_those_of_python_chess(part):
    reached = set()

    @settings(
        max_examples=POSITIONS + 30,
        derandomize=True,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow],
    )
    @given(row=st.sampled_from(ROWS[part]).flatmap(st.sampled_from), choices=games)
    def judge(row, choices):
        position = play(row, choices)
        note(position.fen())
        reached.add(position.fen())
        compare(position)

    judge()
    assert len(reached) >= POSITIONS
