"""How many times as fast as one commit another is, on this machine.

    python benchmarks/compare.py main HEAD --runs 7

Each commit is built in a worktree and an environment of its own, which are removed at the end. Then
both count the usual six positions in turns, and the ratios are taken pair by pair. What is measured
is the processor's time of one thread, so that other programs disturb as little as can be. Every
count is compared with the published one, so that a fast wrong answer is no answer: exit status 1.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import subprocess
import sys
import tempfile
import venv
from pathlib import Path
from statistics import geometric_mean, median
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[1]
METHODS = ("nodes", "fast", "strict")
LEAST_SECONDS = 0.05  # of a sample: shorter counts are repeated

# The usual six, with the counts of the Chess Programming Wiki at a depth and one ply before.
POSITIONS = (
    (
        "start",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        6,
        (4_865_609, 119_060_324),
    ),
    (
        "kiwipete",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        5,
        (4_085_603, 193_690_690),
    ),
    ("position-3", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 6, (674_624, 11_030_083)),
    (
        "position-4",
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        5,
        (422_333, 15_833_292),
    ),
    (
        "position-5",
        "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
        5,
        (2_103_487, 89_941_194),
    ),
    (
        "position-6",
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        5,
        (3_894_594, 164_075_551),
    ),
)

# Runs under either commit's Python; asks for no more than what every version has had.
WORKER = """
import inspect, json, sys, time
from perftkit import perft
known = inspect.signature(perft).parameters
threads = {"threads": 1} if "threads" in known else {}
for line in sys.stdin:
    method, fen, depth, least = json.loads(line)
    options = dict(threads, method="strict" if method == "strict" else "fast")
    if method == "nodes" and "breakdown" in known:
        options["breakdown"] = False
    counts, took = 0, 0.0
    start = time.process_time()
    while counts == 0 or took < least:
        nodes = perft(fen, depth, **options).nodes
        counts += 1
        took = time.process_time() - start
    print(json.dumps([nodes, took / counts]), flush=True)
"""


class Build:
    """A commit, built and ready to count."""

    def __init__(self, commit: str, python: Path) -> None:
        self.commit = commit
        # Away from the project, whose sources must not be found before what is installed.
        self.process = subprocess.Popen(
            [python, "-c", WORKER],
            cwd=python.parents[1],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def seconds(self, method: str, fen: str, depth: int, expected: int) -> float:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.write(json.dumps([method, fen, depth, LEAST_SECONDS]) + "\n")
            self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if not answer:
            sys.exit(f"{self.commit} ended while it counted {fen}, method {method}")
        nodes, took = json.loads(answer)
        if nodes != expected:
            sys.exit(
                f"WRONG COUNT of {self.commit}, method {method}: {nodes}, not {expected},"
                f" at depth {depth} of {fen}"
            )
        seconds: float = took
        return seconds

    def close(self) -> None:
        self.process.kill()
        self.process.communicate()


def git(*words: str) -> str:
    done = subprocess.run(["git", "-C", ROOT, *words], capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"git {' '.join(words)}: {done.stderr.strip()}")
    return done.stdout.strip()


@contextlib.contextmanager
def built(commit: str, folder: Path) -> Iterator[Build]:
    """Build a commit below a folder."""
    source, environment = folder / "source", folder / "environment"
    name = git("rev-parse", "--short", "--verify", f"{commit}^{{commit}}")
    print(f"building {commit} ({name})", file=sys.stderr)
    git("worktree", "add", "--detach", "--quiet", str(source), name)
    try:
        venv.create(environment, with_pip=True)
        python = environment / ("Scripts" if sys.platform == "win32" else "bin") / "python"
        done = subprocess.run(
            [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", source],
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            sys.exit(f"{commit} can't be built:\n{done.stderr[-3000:]}")
        build = Build(f"{commit} ({name})", python)
        try:
            yield build
        finally:
            build.close()
    finally:
        git("worktree", "remove", "--force", str(source))


def spread(values: list[float]) -> str:
    return f"{median(values):.3f} ({min(values):.3f}-{max(values):.3f})"


def measure(base: Build, head: Build, options: argparse.Namespace) -> None:
    pairs: dict[tuple[str, str], list[float]] = {}
    speeds: dict[tuple[str, str], list[tuple[float, float]]] = {}
    for run in range(options.runs):
        builds = (base, head) if run % 2 == 0 else (head, base)
        for method in options.method:
            for name, fen, depth, (shallower, full) in POSITIONS:
                plies, expected = (depth - 1, shallower) if options.quick else (depth, full)
                took = {build: build.seconds(method, fen, plies, expected) for build in builds}
                pairs.setdefault((method, name), []).append(took[base] / took[head])
                speeds.setdefault((method, name), []).append(
                    (expected / took[base] / 1e6, expected / took[head] / 1e6)
                )
    print(
        f"{options.runs} runs in turns; million leaves a second of processor time; ratio above 1:"
    )
    print(f"{head.commit} is faster than {base.commit}. Medians (least-most).")
    for method in options.method:
        print(f"\n{method:<16}{'base':>9}{'head':>9}  ratio")
        for name, *_ in POSITIONS:
            key = (method, name)
            old, new = (median(column) for column in zip(*speeds[key], strict=True))
            print(f"{name:<16}{old:9,.0f}{new:9,.0f}  {spread(pairs[key])}")
        runs = zip(*(pairs[method, name] for name, *_ in POSITIONS), strict=True)
        print(f"{'geometric mean':<34}  {spread([geometric_mean(run) for run in runs])}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("base", help="a commit")
    parser.add_argument("head", help="another")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument(
        "--method", choices=METHODS, action="append", help="may be repeated (default: nodes, fast)"
    )
    parser.add_argument("--quick", action="store_true", help="count one ply less")
    options = parser.parse_args()
    if options.runs < 1:
        parser.error("--runs is 1 or more")
    options.method = options.method or ["nodes", "fast"]
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="perftkit-compare-")))
        base = stack.enter_context(built(options.base, folder / "base"))
        head = stack.enter_context(built(options.head, folder / "head"))
        measure(base, head, options)


if __name__ == "__main__":
    main()
