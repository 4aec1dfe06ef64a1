"""Check suites with two programs that share nothing with perftkit.

    python tools/check_suites.py [--max-nodes N] [--stockfish PATH --stockfish-nodes N] FILE...

python-chess counts nodes and counters of every depth of at most N nodes (200,000 by default), in
both conventions; Stockfish, if its path is given, the nodes of every depth of at most its own N.
Prints each difference and a summary, and exits with 1 if there was a difference.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from oracle import python_chess_table

from perftkit.core.position import Position
from perftkit.suite.convention import comparable
from perftkit.suite.model import SuiteProblem, SuiteRow
from perftkit.suite.reader import read_suite


def python_chess_differences(job: tuple[SuiteRow, int]) -> tuple[int, list[str]]:
    """Return how many depths of a row were checked and what differs."""
    row, most = job
    wanted = [given for given in row.expectations if given.nodes <= most]
    if not wanted:
        return 0, []
    table = python_chess_table(row.fen, wanted[-1].depth, row.chess960)
    found = []
    for given in wanted:
        nodes, counts = table[given.depth]
        expected, counted = comparable(given.counts, counts, row_convention=row.convention)
        if nodes != given.nodes:
            found.append(f"{row.id}: depth {given.depth}: {given.nodes}, python-chess {nodes}")
        found += [
            f"{row.id}: depth {given.depth}: {name} {count}, python-chess {counted[name]}"
            for name, count in expected.items()
            if counted[name] != count
        ]
    return len(wanted), found


def stockfish_differences(job: tuple[SuiteRow, int, str]) -> tuple[int, list[str]]:
    """Return how many depths of a row were checked and what differs."""
    row, most, path = job
    depths = [given for given in row.expectations if given.depth > 0 and given.nodes <= most]
    position = Position(row.fen, chess960=row.chess960)
    commands = [f"setoption name UCI_Chess960 value {str(position.chess960).lower()}"]
    for given in depths:
        commands += [f"position fen {position.fen()}", f"go perft {given.depth}"]
    text = "\n".join([*commands, "quit", ""])
    done = subprocess.run([path], input=text, capture_output=True, text=True, check=False)
    answers = re.findall(r"^Nodes searched: (\d+)", done.stdout, re.MULTILINE)
    found = [
        f"{row.id}: depth {given.depth}: {given.nodes}, Stockfish {answer}"
        for given, answer in zip(depths, answers, strict=False)
        if int(answer) != given.nodes
    ]
    if len(answers) < len(depths):
        found.append(f"{row.id}: Stockfish answered {len(answers)} of {len(depths)} questions")
    return len(depths), found


def check(file: str, options: argparse.Namespace, pool: ProcessPoolExecutor) -> bool:
    """Check a file, print what differs, and return whether everything agreed."""
    items = list(read_suite(file))
    rows = [item for item in items if isinstance(item, SuiteRow)]
    found = [str(item) for item in items if isinstance(item, SuiteProblem)]
    checks = {"python-chess": pool.map(python_chess_differences, jobs(rows, options.max_nodes))}
    if options.stockfish:
        questions = jobs(rows, options.stockfish_nodes, options.stockfish)
        checks["Stockfish"] = pool.map(stockfish_differences, questions)
    for name, results in checks.items():
        depths = 0
        for checked, differences in results:
            depths += checked
            found += differences
        print(f"{file}: {depths} depths of {len(rows)} rows checked with {name}")
    for line in found:
        print(line)
    return not found


def jobs(rows: list[SuiteRow], *settings: object) -> list[tuple[object, ...]]:
    return [(row, *settings) for row in rows]


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--max-nodes", type=int, default=200_000)
    parser.add_argument("--stockfish")
    parser.add_argument("--stockfish-nodes", type=int, default=20_000_000)
    parser.add_argument("files", nargs="+")
    options = parser.parse_args()
    with ProcessPoolExecutor() as pool:
        agreed = [check(file, options, pool) for file in options.files]
    return 0 if all(agreed) else 1


if __name__ == "__main__":
    sys.exit(main())
