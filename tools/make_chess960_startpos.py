"""Write data/chess960_startpos.epd to standard output: the 960 starting arrays, counted.

    python tools/make_chess960_startpos.py > data/chess960_startpos.epd

Check the result with tools/check_suites.py before it is committed.
"""

from __future__ import annotations

import sys
from itertools import combinations

from perftkit.core.perft import perft
from perftkit.suite.fill import fill_row
from perftkit.suite.model import Expectation, SuiteRow
from perftkit.suite.writer import write_suite

DEPTH = 4
HEADER = """\
# Chess960: the 960 starting arrays by their usual numbers (518: standard chess), to depth 4.
# Counted by perftkit. All nodes agree with Stockfish 15.1, all counters with python-chess.
"""


def array(number: int) -> str:
    """Return the back rank of an array, a-file first, by Scharnagl's numbering (0 to 959)."""
    squares = [""] * 8
    number, light = divmod(number, 4)
    squares[2 * light + 1] = "b"
    number, dark = divmod(number, 4)
    squares[2 * dark] = "b"
    knights, queen = divmod(number, 6)
    _put(squares, "q", queen)
    first, second = list(combinations(range(5), 2))[knights]
    _put(squares, "n", second)
    _put(squares, "n", first)
    for piece in "rkr":
        _put(squares, piece, 0)
    return "".join(squares)


def _put(squares: list[str], piece: str, index: int) -> None:
    """Put a piece on the free square with the given index from the left."""
    free = [square for square in range(8) if not squares[square]]
    squares[free[index]] = piece


def row(number: int) -> SuiteRow:
    pieces = array(number)
    rooks = "".join("abcdefgh"[file] for file in reversed(range(8)) if pieces[file] == "r")
    fen = f"{pieces}/pppppppp/8/8/8/8/PPPPPPPP/{pieces.upper()} w {rooks.upper()}{rooks} - 0 1"
    counted = tuple(Expectation(depth, perft(fen, depth).nodes) for depth in range(1, DEPTH + 1))
    return fill_row(
        SuiteRow(
            id=f"array-{number:03d}-{pieces}",
            fen=fen,
            expectations=counted,
            notes={"source": "perftkit, Stockfish 15.1"},
        )
    )


if __name__ == "__main__":
    sys.stdout.write(HEADER)
    write_suite(map(row, range(960)), sys.stdout)
