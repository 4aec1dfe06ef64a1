"""A UCI engine around python-chess that can be told to be wrong: `uci_engine.py BUG`."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "verify"))

import chess
import fake_engine
from fake_engine import FakeEngine

from perftkit.engines import Question

BUGS = {
    "none": FakeEngine(),
    "castling": FakeEngine(fake_engine.without_castling),
    "en-passant": FakeEngine(fake_engine.without_en_passant),
    "state": FakeEngine(after_push=fake_engine.forgets_en_passant),
    "pins": FakeEngine(fake_engine.pins_ignored),
}
EVIL = "\x1b]0;title\x07\x1b[31m[bold]red[/bold]\N{RIGHT-TO-LEFT OVERRIDE}"


def main() -> None:
    bug = sys.argv[1]
    if len(sys.argv) > 2:
        with Path(sys.argv[2]).open("a") as pids:
            pids.write(f"{os.getpid()}\n")
    position = Question(chess.STARTING_FEN, 1)
    asked = 0
    for line in sys.stdin:
        command, *words = line.split() or [""]
        if command == "uci":
            print(f"id name {EVIL if bug == 'evil' else 'Wrong 1.0'}")
            print("option name UCI_Chess960 type check default false\nuciok")
        elif command == "isready":
            print("readyok")
        elif command == "position":
            position = read(words)
        elif command == "go":
            asked += 1
            answer(bug, Question(position.fen, int(words[1]), position.moves), asked)
        elif command == "quit":
            return
        sys.stdout.flush()


def read(words: list[str]) -> Question:
    moves = words[words.index("moves") + 1 :] if "moves" in words else []
    if words[0] == "startpos":
        return Question(chess.STARTING_FEN, 1, tuple(moves))
    return Question(" ".join(words[1:7]), 1, tuple(moves))


def answer(bug: str, question: Question, asked: int) -> None:
    # A probe may ask for more of the start position.
    late = question.depth > 2 and question.fen != chess.STARTING_FEN
    if bug == "hangs" and late:
        for name in sys.argv[2:]:
            with Path(f"{name}.hanging").open("a") as hanging:
                hanging.write(f"{os.getpid()}\n")
        time.sleep(600)
    if bug == "dies" and late:
        print(f"{EVIL} assertion failed", file=sys.stderr, flush=True)
        os._exit(7)
    found = BUGS.get(bug, BUGS["castling" if bug == "evil" else "none"]).ask(question)
    assert found.children is not None
    for move, nodes in found.children.items():
        print(f"{move}: {nodes}")
    if bug == "evil":
        print(f"{EVIL}: 17")
    print(f"\nNodes searched: {found.nodes}\n")


main()
