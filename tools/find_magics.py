"""Find the magic multipliers of perftkit/core/attacks.pyx and print them as its tables.

For each square the squares that can stop a slider, its mask, have 2^n occupancies. A multiplier is
magic when the top n bits of occupancy * multiplier (modulo 2^64) never send two occupancies with
different attacks to one index. Candidates with few bits set, the bitwise and of three random
numbers, are tried until one is. The random numbers are those of splitmix64, started anew with the
number of the square for each search, so that every run finds the same multipliers.

Bishops take a second or two, rooks up to a minute:

    python tools/find_magics.py            # both tables
    python tools/find_magics.py bishop     # one of them
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

WORD = 2**64 - 1
STEPS = {
    "rook": ((1, 0), (0, 1), (-1, 0), (0, -1)),
    "bishop": ((1, 1), (-1, 1), (1, -1), (-1, -1)),
}


def splitmix64(state: int) -> Iterator[int]:
    """Yield the numbers of the splitmix64 generator that starts with `state`."""
    while True:
        state = state + 0x9E3779B97F4A7C15 & WORD
        mixed = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 & WORD
        mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB & WORD
        yield mixed ^ mixed >> 31


def ray(square: int, step: tuple[int, int], occupied: int = 0) -> list[int]:
    """Return the squares in one direction, up to and with the first occupied one."""
    reached = []
    file, rank = square % 8 + step[0], square // 8 + step[1]
    while 0 <= file < 8 and 0 <= rank < 8:
        reached.append(8 * rank + file)
        if occupied >> reached[-1] & 1:
            break
        file, rank = file + step[0], rank + step[1]
    return reached


def relevant_squares(piece: str, square: int) -> int:
    """Return the mask: the rays without the last square of each."""
    return sum(1 << sq for step in STEPS[piece] for sq in ray(square, step)[:-1])


def subsets(mask: int) -> Iterator[int]:
    """Yield every subset of a mask, the empty one first."""
    subset = 0
    while True:
        yield subset
        subset = subset - mask & mask
        if not subset:
            return


def attacks(piece: str, square: int, occupied: int) -> int:
    """Return the squares that a slider attacks."""
    return sum(1 << sq for step in STEPS[piece] for sq in ray(square, step, occupied))


def is_magic(candidate: int, shift: int, answers: list[tuple[int, int]]) -> bool:
    """Return whether no two occupancies with different attacks share an index."""
    table: dict[int, int] = {}
    for occupied, attacked in answers:
        index = (occupied * candidate & WORD) >> shift
        if table.setdefault(index, attacked) != attacked:
            return False
    return True


def find_magic(piece: str, square: int) -> int:
    """Return the first magic multiplier of the search for one square."""
    mask = relevant_squares(piece, square)
    shift = 64 - bin(mask).count("1")
    answers = [(occupied, attacks(piece, square, occupied)) for occupied in subsets(mask)]
    numbers = splitmix64(square)
    while True:
        candidate = next(numbers) & next(numbers) & next(numbers)
        if is_magic(candidate, shift, answers):
            return candidate


def print_table(piece: str) -> None:
    print(f"cdef uint64_t[64] {piece.upper()}_MAGICS = [")
    for first in range(0, 64, 4):
        row = (f"0x{find_magic(piece, square):016x}ULL," for square in range(first, first + 4))
        print("   ", *row, flush=True)
    print("]")


def main() -> None:
    pieces = sys.argv[1:] or list(STEPS)
    if not set(pieces) <= set(STEPS):
        sys.exit(f"expected {' or '.join(STEPS)}, not {' '.join(pieces)}")
    for piece in pieces:
        print_table(piece)


if __name__ == "__main__":
    main()
