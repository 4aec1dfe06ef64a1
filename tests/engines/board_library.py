"""What authors of Python libraries have, for the tests of `py:` specs."""

from __future__ import annotations

import os
import sys
import time

import chess

from perftkit import Position
from perftkit import divide as _divide
from perftkit import perft as _perft
from perftkit.engines import Abilities, Answer


def totals(fen, depth):
    return _perft(fen, depth).nodes


def division(fen, depth):
    return {move: result.nodes for move, result in _divide(fen, depth).items()}


def san_division(fen, depth):
    board = chess.Board(fen)
    return {
        board.san(chess.Move.from_uci(move)): nodes for move, nodes in division(fen, depth).items()
    }


def with_chess960(fen, depth, chess960=False):
    return _perft(fen, depth, chess960=chess960).nodes


def raises(fen, depth):
    raise KeyError("the \x1b[31mking")


def exits(fen, depth):
    raise SystemExit(3)


def nonsense(fen, depth):
    return "twenty"


def truth(fen, depth):
    return True


def negative(fen, depth):
    return {"e2e4": -1}


def too_large(fen, depth):
    return 10**40


def unspeakable(fen, depth):
    return {"e2e4": -(10**5000)}


class MethodBoard:
    """`legal_moves` is a method, and moves are texts."""

    def __init__(self, fen):
        self._position = Position(fen)

    def legal_moves(self):
        return [move.uci() for move in self._position.legal_moves()]

    def push(self, move):
        self._position.push(move)

    def pop(self):
        self._position.pop()


class BrokenPop(chess.Board):
    """Loses the castling rights when a move is taken back."""

    def pop(self):
        move = super().pop()
        self.castling_rights = 0
        return move


class SettableBoard:
    def __init__(self):
        self.board = chess.Board()

    def set_fen(self, fen):
        self.board.set_fen(fen)

    @property
    def legal_moves(self):
        return self.board.legal_moves

    def push(self, move):
        self.board.push(move)

    def pop(self):
        self.board.pop()


settable = SettableBoard()
number = 5


class OwnEngine:
    name = "own"
    spec = "py:own"
    abilities = Abilities(divides=False, takes_moves=False)

    def ask(self, question):
        return Answer(_perft(question.fen, question.depth).nodes)

    def position_after(self, question):
        return None

    def close(self):
        pass


# What only a process of its own survives, from the second ply on.


def hangs(fen, depth):
    if depth > 1:
        time.sleep(600)
    return totals(fen, depth)


def vanishes(fen, depth):
    if depth > 1:
        print("the last thing I do", file=sys.stderr)
        os._exit(9)
    return totals(fen, depth)


def noisy(fen, depth):
    print('{"done": 7}\nNOISE')
    os.write(1, b"NOISE\n")
    return division(fen, depth)


def reads(fen, depth):
    return len(sys.stdin.read()) + totals(fen, depth)


def interrupts(fen, depth):
    raise KeyboardInterrupt


def huge(fen, depth):
    return 10**6000


def recurses(fen, depth):
    return recurses(fen, depth)
