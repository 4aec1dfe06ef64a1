"""The engine that stands in as ./my-engine where the manual's commands are run.

    python manual_engine.py BUG                     speaks UCI
    python manual_engine.py BUG DEPTH FEN [MOVES]   prints one divide
    python manual_engine.py BUG perft --fen FEN --depth DEPTH

BUG is a name of `planted.bugs` and perhaps a side, as in "castling-over-men black". "" is none;
perftkit itself counts then, which takes no time.
"""

from __future__ import annotations

import sys

from planted.__main__ import print_divide, take_position
from planted.board import START
from planted.program import Program

from perftkit import Position, divide

NAME = "My Engine 0.9"


class Healthy:
    """As much of a planted program as is asked for, without a bug."""

    def __init__(self) -> None:
        self.bug = ""
        self.counter = self
        self.position = Position(START)

    def set_up(self, fen: str, moves: tuple[str, ...] = (), chess960: bool = False) -> None:
        self.position = Position(fen, chess960=chess960 or None)
        for move in moves:
            self.position.push(move)

    def divide(self, depth: int) -> list[tuple[str, int]]:
        return [(move, count.nodes) for move, count in divide(self.position, depth).items()]

    def perft(self, depth: int) -> int:
        return sum(nodes for _, nodes in self.divide(depth))

    def fen(self) -> str:
        return self.position.fen()


def speak_uci(program: Program | Healthy) -> None:
    chess960 = False
    for line in sys.stdin:
        match line.split():
            case ["uci"]:
                print(f"id name {NAME}")
                print("option name UCI_Chess960 type check default false\nuciok")
            case ["isready"]:
                print("readyok")
            case ["setoption", "name", "UCI_Chess960", *_, value]:
                chess960 = value == "true"
            case ["position", *words]:
                take_position(program, words, chess960)
            case ["go", "perft", depth]:
                print_divide(program, int(depth))
            case ["d"]:
                print(f"Fen: {program.counter.fen()}")
            case ["quit"]:
                return
        sys.stdout.flush()


def main() -> None:
    bug, _, color = sys.argv[1].partition(" ")
    program = Program(bug, color or "both") if bug else Healthy()
    match sys.argv[2:]:
        case ["perft", "--fen", fen, "--depth", depth]:
            program.set_up(fen)
            print_divide(program, int(depth))
        case [depth, fen, *moves]:
            program.set_up(fen, tuple(" ".join(moves).split()))
            print_divide(program, int(depth))
        case _:
            speak_uci(program)


if __name__ == "__main__":
    main()
