"""The program on a command line.

    python -m planted [--bug NAME] [--color white|black|both]            speaks UCI
    python -m planted [--bug NAME] [--color …] DEPTH FEN [MOVES]         prints one divide

MOVES are one argument, separated by spaces, or several.
"""

from __future__ import annotations

import argparse
import sys

from planted.board import START
from planted.bugs import BUGS
from planted.program import Program


def main() -> None:
    parser = argparse.ArgumentParser(prog="planted")
    parser.add_argument("--bug", default="none", choices=["none", *BUGS], metavar="NAME")
    parser.add_argument("--color", default="both", choices=["white", "black", "both"])
    parser.add_argument("depth", nargs="?", type=int)
    parser.add_argument("fen", nargs="?")
    parser.add_argument("moves", nargs="*")
    arguments = parser.parse_args()
    program = Program("" if arguments.bug == "none" else arguments.bug, arguments.color)
    if arguments.depth is None:
        speak_uci(program)
        return
    unknown = program.set_up(arguments.fen, tuple(" ".join(arguments.moves).split()))
    if unknown is not None:
        sys.exit(f"planted: the move {unknown} is not known")
    print_divide(program, arguments.depth)


def print_divide(program: Program, depth: int) -> None:
    rows = program.counter.divide(depth)
    for text, nodes in rows:
        print(f"{text}: {nodes}")
    total = sum(nodes for _, nodes in rows) if rows else program.counter.perft(depth)
    print(f"\nNodes searched: {total}\n", flush=True)


def speak_uci(program: Program) -> None:
    chess960 = False
    for line in sys.stdin:
        words = line.split()
        if words == ["uci"]:
            print(f"id name planted {program.bug or 'nothing'}\nid author the perftkit authors")
            print("option name UCI_Chess960 type check default false\nuciok", flush=True)
        elif words == ["isready"]:
            print("readyok", flush=True)
        elif words[:3] == ["setoption", "name", "UCI_Chess960"]:
            chess960 = words[-1] == "true"
        elif words[:1] == ["position"]:
            take_position(program, words[1:], chess960)
        elif words[:2] == ["go", "perft"]:
            print_divide(program, int(words[2]))
        elif words == ["d"]:
            print(f"Fen: {program.counter.fen()}", flush=True)
        elif words == ["quit"]:
            return


def take_position(program: Program, words: list[str], chess960: bool) -> None:
    end = words.index("moves") if "moves" in words else len(words)
    fen = " ".join(words[1:end]) if words[0] == "fen" else START
    unknown = program.set_up(fen, tuple(words[end + 1 :]), chess960)
    if unknown is not None:
        print(f"info string the move {unknown} is not known", flush=True)


if __name__ == "__main__":
    main()
