"""Where the men go on an empty board: tables of squares, a1 = 0, b1 = 1, … h8 = 63."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

WHITE, BLACK = 0, 1
STRAIGHT = ((0, 1), (1, 0), (0, -1), (-1, 0))
DIAGONAL = ((1, 1), (1, -1), (-1, -1), (-1, 1))
EAST = STRAIGHT.index((1, 0))
SOUTH_WEST = DIAGONAL.index((-1, -1))
LEAPS = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))
FORWARD = (8, -8)
PAWN_RANK = (1, 6)
LAST_RANK = (7, 0)
HOME_RANK = (0, 7)

Squares = tuple[int, ...]


def file_of(square: int) -> int:
    return square & 7


def rank_of(square: int) -> int:
    return square >> 3


def name_of(square: int) -> str:
    return "abcdefgh"[file_of(square)] + str(rank_of(square) + 1)


def square_named(name: str) -> int:
    return "abcdefgh".index(name[0]) + 8 * (int(name[1]) - 1)


def _ray(square: int, step: tuple[int, int]) -> Squares:
    file, rank = file_of(square) + step[0], rank_of(square) + step[1]
    found = []
    while 0 <= file < 8 and 0 <= rank < 8:
        found.append(file + 8 * rank)
        file, rank = file + step[0], rank + step[1]
    return tuple(found)


def _steps(square: int, steps: Iterable[tuple[int, int]]) -> Squares:
    return tuple(target for step in steps for target in _ray(square, step)[:1])


def _steps_round_the_edge(square: int, steps: Iterable[tuple[int, int]]) -> Squares:
    """What index arithmetic without a look at the file gives."""
    found = (square + file + 8 * rank for file, rank in steps)
    return tuple(target for target in found if 0 <= target < 64)


def _between(first: int, second: int) -> frozenset[int]:
    for step in STRAIGHT + DIAGONAL:
        ray = _ray(first, step)
        if second in ray:
            return frozenset(ray[: ray.index(second)])
    return frozenset()


BOARD = range(64)
STRAIGHT_RAYS = [tuple(_ray(square, step) for step in STRAIGHT) for square in BOARD]
DIAGONAL_RAYS = [tuple(_ray(square, step) for step in DIAGONAL) for square in BOARD]
KNIGHT_STEPS = [_steps(square, LEAPS) for square in BOARD]
KING_STEPS = [_steps(square, STRAIGHT + DIAGONAL) for square in BOARD]
PAWN_STEPS = [
    [_steps(square, ((-1, up), (1, up))) for square in BOARD] for up in (1, -1)
]  # by colour and square
KNIGHT_WRAPPED = [_steps_round_the_edge(square, LEAPS) for square in BOARD]
KING_WRAPPED = [_steps_round_the_edge(square, STRAIGHT + DIAGONAL) for square in BOARD]
PAWN_WRAPPED = [
    [_steps_round_the_edge(square, ((-1, up), (1, up))) for square in BOARD] for up in (1, -1)
]
BETWEEN = [[_between(first, second) for second in BOARD] for first in BOARD]
