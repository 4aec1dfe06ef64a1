"""Nodes a second of each method, and how many times those of a UCI engine's `go perft`.

    python benchmarks/ratio.py --against stockfish --runs 5

All take turns on the same positions; each figure is the median of its runs. Every count is
compared with the published one, so that a fast wrong answer is no answer.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import time
from statistics import geometric_mean, median
from typing import TYPE_CHECKING

from perftkit import KIWIPETE, STARTPOS, perft
from perftkit.core.kernel import kernel_name

if TYPE_CHECKING:
    from collections.abc import Callable

# The usual six, with the counts of the Chess Programming Wiki.
POSITIONS = (
    ("start", STARTPOS, 6, 119_060_324),
    ("kiwipete", KIWIPETE, 5, 193_690_690),
    ("position 3", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 6, 11_030_083),
    (
        "position 4",
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        5,
        15_833_292,
    ),
    ("position 5", "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 5, 89_941_194),
    (
        "position 6",
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        5,
        164_075_551,
    ),
)


class Engine:
    """A UCI engine that answers `go perft`."""

    def __init__(self, command: str) -> None:
        self.process = subprocess.Popen(
            command.split(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )

    def perft(self, fen: str, depth: int) -> int:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(f"position fen {fen}\ngo perft {depth}\n")
        for line in self.process.stdout:
            if match := re.match(r"Nodes searched\s*:\s*(\d+)", line):
                return int(match[1])
        raise SystemExit("the engine ended without an answer to go perft")


def seconds(count: Callable[[], int], expected: int) -> float:
    start = time.perf_counter()
    nodes = count()
    took = time.perf_counter() - start
    assert nodes == expected, f"counted {nodes}, not {expected}"
    return took


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--against", default="stockfish", help="the engine's command")
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    engine = Engine(options.against)
    askers: dict[str, Callable[[str, int], int]] = {
        options.against: engine.perft,
        "nodes only": lambda fen, depth: perft(fen, depth, breakdown=False).nodes,
        "breakdown": lambda fen, depth: perft(fen, depth).nodes,
        "strict": lambda fen, depth: perft(fen, depth, method="strict").nodes,
    }
    ratios: dict[str, list[float]] = {name: [] for name in askers}
    print(f"kernel {kernel_name()}, {options.runs} runs, million nodes a second (ratio)")
    print("".join(f"{name:>20}" for name in ["", *askers]))
    for title, fen, depth, expected in POSITIONS:
        times: dict[str, list[float]] = {name: [] for name in askers}
        for _ in range(options.runs):
            for name, ask in askers.items():
                times[name].append(seconds(lambda a=ask: a(fen, depth), expected))  # noqa: B023
        base = median(times[options.against])
        cells = []
        for name in askers:
            took = median(times[name])
            ratios[name].append(base / took)
            cells.append(f"{expected / took / 1e6:,.0f} ({base / took:.2f})")
        print(f"{title + ' d' + str(depth):>20}" + "".join(f"{cell:>20}" for cell in cells))
    print(
        f"{'geometric mean':>20}" + "".join(f"{geometric_mean(ratios[n]):>20.2f}" for n in askers)
    )


if __name__ == "__main__":
    main()
