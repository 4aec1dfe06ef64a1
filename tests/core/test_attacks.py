from __future__ import annotations

import chess
import pytest

from perftkit.core.attacks import SLIDER_METHOD, attacks, between_squares, line_through

STEPS = {
    "R": [(1, 0), (0, 1), (-1, 0), (0, -1)],
    "B": [(1, 1), (-1, 1), (1, -1), (-1, -1)],
    "N": [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)],
    "K": [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)],
    "P": [(1, 1), (-1, 1)],
    "p": [(1, -1), (-1, -1)],
}


def along(square, step):
    """The squares from `square` in one direction to the edge of the board."""
    file, rank = square % 8 + step[0], square // 8 + step[1]
    while 0 <= file < 8 and 0 <= rank < 8:
        yield 8 * rank + file
        file, rank = file + step[0], rank + step[1]


def ends_of_ray(ray):
    """For each set of occupied squares of a ray but its last: what a slider reaches.

    Yields pairs of bitboards, the occupied squares and the reached ones.
    """
    relevant = ray[:-1]
    for bits in range(1 << len(relevant)):
        occupied = sum(1 << sq for index, sq in enumerate(relevant) if bits >> index & 1)
        reached = 0
        for square in ray:
            reached |= 1 << square
            if occupied >> square & 1:
                break
        yield occupied, reached


def every_occupancy(piece, square):
    """All subsets of the squares that matter to a slider, each with what it then attacks."""
    combined = [(0, 0)]
    for step in STEPS[piece]:
        one_ray = list(ends_of_ray(list(along(square, step))))
        combined = [
            (occupied | more, reached | further)
            for occupied, reached in combined
            for more, further in one_ray
        ]
    return combined


@pytest.mark.parametrize(("piece", "entries"), [("R", 102_400), ("B", 5_248)])
def test_every_entry_of_the_slider_tables_equals_a_walk_along_the_rays(piece, entries):
    seen = 0
    for square in range(64):
        for occupied, reached in every_occupancy(piece, square):
            assert attacks(piece, square, occupied) == reached, (square, hex(occupied))
            seen += 1
    assert seen == entries


@pytest.mark.parametrize("piece", ["R", "B"])
@pytest.mark.parametrize("square", [0, 7, 27, 36, 56, 63])
def test_squares_off_the_rays_and_at_their_ends_change_nothing(piece, square):
    relevant = 0
    for step in STEPS[piece]:
        relevant |= sum(1 << sq for sq in list(along(square, step))[:-1])
    irrelevant = (2**64 - 1) ^ relevant
    for occupied, reached in every_occupancy(piece, square)[::37]:
        assert attacks(piece, square, occupied | irrelevant) == reached


@pytest.mark.parametrize("square", range(64))
def test_a_queen_is_a_rook_and_a_bishop(square):
    occupied = 0x0042_1800_2418_4200
    expected = attacks("R", square, occupied) | attacks("B", square, occupied)
    assert attacks("Q", square, occupied) == expected


@pytest.mark.parametrize("piece", ["N", "K", "P", "p"])
def test_leapers_and_pawns_by_coordinates(piece):
    for square in range(64):
        expected = 0
        for file_step, rank_step in STEPS[piece]:
            file, rank = square % 8 + file_step, square // 8 + rank_step
            if 0 <= file < 8 and 0 <= rank < 8:
                expected |= 1 << (8 * rank + file)
        assert attacks(piece, square) == expected, square
        assert attacks(piece, square, 2**64 - 1) == expected, square


@pytest.mark.parametrize("piece", ["n", "b", "r", "q", "k"])
def test_only_pawns_depend_on_their_colour(piece):
    assert attacks(piece, 27, 0xFF00) == attacks(piece.upper(), 27, 0xFF00)


def test_between_and_line_equal_those_of_python_chess():
    for a in range(64):
        for b in range(64):
            assert between_squares(a, b) == chess.between(a, b), (a, b)
            assert line_through(a, b) == chess.ray(a, b), (a, b)


def test_between_and_line_are_symmetric():
    for a in range(64):
        for b in range(a, 64):
            assert between_squares(a, b) == between_squares(b, a)
            assert line_through(a, b) == line_through(b, a)


def test_between_leaves_both_ends_out_and_line_has_them():
    a1, h8 = 0, 63
    assert between_squares(a1, h8) == 0x0040_2010_0804_0200
    assert line_through(a1, h8) == 0x8040_2010_0804_0201
    assert between_squares(a1, a1) == line_through(a1, a1) == 0


@pytest.mark.parametrize("square", [-1, 64, 1000])
def test_there_are_64_squares(square):
    with pytest.raises(ValueError, match=r"from 0 \(a1\) to 63 \(h8\)"):
        attacks("R", square)
    with pytest.raises(ValueError, match=r"from 0 \(a1\) to 63 \(h8\)"):
        between_squares(0, square)
    with pytest.raises(ValueError, match=r"from 0 \(a1\) to 63 \(h8\)"):
        line_through(square, 0)


@pytest.mark.parametrize("piece", ["", "X", "rook", "♜"])
def test_an_unknown_piece_is_refused(piece):
    with pytest.raises(ValueError, match="no piece is called"):
        attacks(piece, 0)


@pytest.mark.parametrize("occupancy", [-1, 2**64])
def test_an_occupancy_of_more_than_64_bits_is_refused(occupancy):
    with pytest.raises(OverflowError):
        attacks("R", 0, occupancy)


def test_the_build_says_how_it_looks_up_sliders():
    assert SLIDER_METHOD in ("pext", "magic")
