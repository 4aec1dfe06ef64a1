"""A UCI engine that counts rightly and misbehaves as it is told: `python hostile.py HABIT`.

It is a program of its own, so that tests meet real pipes, deaths and process groups. What it
counts comes from perftkit; the tests that use it are about how it says it.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

from perftkit import STARTPOS, Position, divide

HABIT = sys.argv[1] if len(sys.argv) > 1 else "none"
KIWIPETE_SIDE = "r3k2r/p1ppqpb1"  # how the one position that some habits are about begins
ESCAPES = "\x1b[31m\x1b]0;owned\x07[bold red]\u202e\x07"


class Engine:
    def __init__(self):
        self.position = Position(STARTPOS)
        self.before = None
        self.questions = 0
        self.held = []

    def say(self, *lines, end="\n"):
        stream = sys.stderr if HABIT == "stderr" and "readyok" not in lines else sys.stdout
        for line in lines:
            stream.write(line + end)
        if HABIT != "flush":
            stream.flush()

    def handle(self, line):
        if HABIT == "flush":
            sys.stdout.flush()  # what was said before comes only with the next line
        words = line.split()
        if not words:
            return
        if words[0] == "uci":
            self.introduce()
        elif words[0] == "isready":
            self.say("readyok", end="" if HABIT == "no-newline" else "\n")
        elif words[0] == "position":
            self.place(words[1:])
        elif words[:2] == ["go", "perft"] and HABIT not in ("perft-fen", "no-perft"):
            self.count(int(words[2]))
        elif words[0] == "perft" and HABIT == "perft-fen":
            self.position = Position(" ".join(words[2:]) or STARTPOS)
            self.count(int(words[1]))
        elif words[0] == "go" and HABIT == "no-perft":
            self.say("info depth 1 score cp 13 nodes 20 pv e2e4", "bestmove e2e4")
        elif words[0] == "d" and HABIT in ("prints", "wrong-print"):
            fen = (
                self.position.fen().replace("KQkq", "-")
                if HABIT == "wrong-print"
                else self.position.fen()
            )
            self.say("", " +---+---+", f"Fen: {fen}", "Checkers: ")
        elif words[0] == "quit":
            sys.exit(0)

    def introduce(self):
        if HABIT == "dies-at-once":
            sys.stderr.write("cannot open book.bin\n")
            sys.exit(7)
        if HABIT == "never-introduces":
            time.sleep(600)
        if HABIT == "name":
            self.say(f"id name Evil {ESCAPES} engine " + "x" * 500)
        else:
            self.say("id name Hostile")
        self.say("option name Hash type spin default 16 min 1 max 1024")
        if HABIT == "chess960":
            self.say("option name UCI_Chess960 type check default false")
        self.say("uciok")

    def place(self, words):
        if HABIT in ("ignores-position", "perft-fen"):
            return
        moves = words[words.index("moves") + 1 :] if "moves" in words else []
        fen = STARTPOS if words[0] == "startpos" else " ".join(words[1:7])
        self.before = self.position
        if HABIT == "rejects" and fen.startswith(KIWIPETE_SIDE) and " w " in fen and "- 3 9" in fen:
            return
        if HABIT == "echo":
            self.say("position " + " ".join(words))
        self.position = Position(fen)
        if HABIT != "ignores-moves":
            for move in moves:
                self.position.push(move)

    def count(self, depth):
        self.questions += 1
        # The habits that break off begin after the questions of the probe.
        late = self.questions > 12
        position = self.before if HABIT == "position-before" and self.before else self.position
        children = {move: result.nodes for move, result in divide(position, depth).items()}
        if HABIT == "totals-without-h5" and position.fen().startswith("k7/"):
            children = {move: nodes for move, nodes in children.items() if move[2:] != "h5"}
        if HABIT == "late":
            threading.Timer(0.3, self.answer, (children, depth)).start()
        elif HABIT == "hangs" and late:
            self.say("thinking hard")
            Path("hangs").touch()
            time.sleep(600)
        elif HABIT == "undying":
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                signal.signal(number, signal.SIG_IGN)
            child = subprocess.Popen(["sleep", "600"])
            Path(os.environ["HOSTILE_PIDS"]).write_text(f"{os.getpid()} {child.pid}\n")
            time.sleep(600)
        elif HABIT == "grandchild" and late:
            subprocess.Popen(["sleep", "600"])
            time.sleep(600)
        elif HABIT == "dies" and late:
            self.say(*(f"{move}: {nodes}" for move, nodes in list(children.items())[:3]))
            sys.stderr.write("assertion failed: king captured\n")
            sys.stderr.flush()
            os._exit(9)
        elif HABIT == "crashes-there" and depth == 1 and "p1ppqpb1" in position.fen():
            os.abort()
        elif HABIT == "crashes" and late:
            os.kill(os.getpid(), 11)
        elif HABIT == "closes-output" and late:
            os.close(1)
            time.sleep(600)
        elif HABIT == "no-end" and late:
            while True:
                sys.stdout.write("e2e4" * 10_000)
        elif HABIT == "rubbish" and late:
            sys.stdout.write("blah 1 [red] e2e4 \x00\x07\n" * 200_000)
            sys.stdout.flush()
            self.answer(children, depth)
        elif HABIT == "deaf" and late:
            while True:
                time.sleep(600)
        else:
            self.answer(children, depth)

    def answer(self, children, depth):
        total = sum(children.values())
        rows = [f"{move}: {nodes}" for move, nodes in children.items()]
        if HABIT in ("totals", "quiet-below", "totals-without-h5"):
            rows = []
        if HABIT == "none-at-1" and depth == 1:
            rows = []
        if HABIT == "contradicts":
            total += 7
        if HABIT == "markup":
            rows = [f"\x1b[31m\x07{row} {ESCAPES}" for row in rows]
            rows.append(f"[link=http://evil]{ESCAPES}: 5")
        if HABIT == "repeats":
            rows.append(rows[0])
        if HABIT == "rows-only":
            self.say(*rows)
        elif HABIT == "total-first":
            self.say(f"Nodes searched: {total}", *rows)
        elif HABIT == "bare":
            self.say(*rows, "", str(total))
        else:
            self.say("info string 99 files", *rows, "", f"Nodes searched: {total}", "")
        if HABIT == "ends-after":
            self.say("readyok")
            sys.exit(0)
        if HABIT == "crashes-after" and self.questions > 12:
            self.say("readyok")
            os.abort()


if HABIT == "flush":
    # As a program in C without setvbuf: PYTHONUNBUFFERED does nothing for it.
    sys.stdout = open(1, "w", buffering=1 << 16, closefd=False)  # noqa: SIM115
if HABIT == "not-uci":
    sys.stdout.write("hello\n")
    sys.exit(0)
engine = Engine()
for text in iter(sys.stdin.readline, ""):
    engine.handle(text)
