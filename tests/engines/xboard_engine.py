"""An xboard engine that counts rightly: `python xboard_engine.py HABIT…`.

Habits: `old` (no protover, no ping), `usermove`, `refuses` (the moves), `illegal` (setboard),
`slow` (it thinks before each count), `king-takes-rook` (Chess960 castling).
"""

from __future__ import annotations

import sys
import time

from perftkit import STARTPOS, Position, divide
from perftkit.errors import MoveError

HABITS = sys.argv[1:]
position = Position(STARTPOS)
chess960 = False
forced = False


def say(text):
    print(text, flush=True)


def play(text):
    global position
    if "refuses" in HABITS:
        say(f"Illegal move: {text}")
        return
    castles = {"O-O": True, "O-O-O": False}
    try:
        if text in castles and "king-takes-rook" not in HABITS:
            moves = [move for move in position.legal_moves() if move.is_castling]
            side = [m for m in moves if (m.to_square > m.from_square) == castles[text]]
            position.push(side[0])
        elif chess960 and "king-takes-rook" not in HABITS and position.parse_move(text).is_castling:
            raise MoveError(text)
        else:
            position.push(text)
    except (MoveError, IndexError):
        say(f"Error (unknown command): {text}")


for line in iter(sys.stdin.readline, ""):
    words = line.split()
    if not words:
        continue
    if words[0] == "protover" and "old" not in HABITS:
        usermove = int("usermove" in HABITS)
        say(f'feature myname="Little 1.0" setboard=1 ping=1 usermove={usermove}')
        say('feature variants="normal,fischerandom" done=1')
    elif words[0] == "new":
        position, chess960, forced = Position(STARTPOS), False, False
    elif words[0] == "variant":
        chess960 = words[1] == "fischerandom"
    elif words[0] == "force":
        forced = True
    elif words[0] == "setboard":
        if "illegal" in HABITS and "p1ppqpb1" in line:
            say("tellusererror Illegal position")
        else:
            position = Position(" ".join(words[1:]), chess960=chess960)
    elif words[0] == "ping" and "old" not in HABITS:
        say(f"pong {words[1]}")
    elif words[0] == "perft":
        if not forced:
            say("move e2e4")
        if "slow" in HABITS:
            time.sleep(0.3)
        for move, result in divide(position, int(words[1])).items():
            say(f"{move} {result.nodes}")
        say(f"Total: {sum(r.nodes for r in divide(position, int(words[1])).values())}")
    elif words[0] == "usermove" and "usermove" in HABITS:
        play(words[1])
    elif words[0] == "quit":
        break
    elif words[0] not in ("xboard", "ping", "protover") and "usermove" not in HABITS:
        play(words[0])
