"""The planted program as a process of its own, under perftkit's command line."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import chess
import pytest

import perftkit
from planted.material import leaves, legal

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
FOLDERS = (Path(perftkit.__file__).parents[1], Path(__file__).parents[1])
TIMEOUT = 60  # seconds
PYTHON = shlex.quote(sys.executable)


def call(folder, *args, stdin=None):
    kept = {name: text for name, text in os.environ.items() if not name.startswith("PERFTKIT_")}
    environment = {**kept, "PYTHONPATH": os.pathsep.join(map(str, FOLDERS)), "LC_ALL": "C.UTF-8"}
    return subprocess.run(
        [sys.executable, "-m", *map(str, args)],
        cwd=folder,
        env=environment,
        input=stdin,
        capture_output=True,
        text=True,
        timeout=TIMEOUT,
        check=False,
    )


def uci(name, color="both"):
    return f"uci:{PYTHON} -m planted --bug {name} --color {color}"


def command(name, color="both", what="{depth} {fen} {moves}"):
    return f"cmd:{PYTHON} -m planted --bug {name} --color {color} {what}"


def divided(folder, fen, depth, spec, *options):
    done = call(
        folder, "perftkit", "divide", fen, "--depth", depth, "--engine", spec, "--format", "json",
        *options,
    )  # fmt: skip
    assert "Traceback" not in done.stderr
    return done.returncode, json.loads(done.stdout)


@pytest.mark.parametrize(
    ("fen", "depth", "spec", "rule", "options"),
    [
        (KIWIPETE, 3, uci("castling-through-check"), "castling-through-check", ()),
        (KIWIPETE, 3, command("castling-through-check"), "castling-through-check", ()),
        (KIWIPETE, 2, command("en-passant-missing", "black"), "en-passant-missing", ()),
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", 3, uci("rights-kept-rook-moved"), "castling-rights", ()),
        (KIWIPETE, 3, uci("unmake-forgets-rights"), "make-unmake", ()),
        ("8/8/8/r2Pp2K/8/8/4k3/8 w - e6 0 1", 1, uci("en-passant-pin-ignored"), "en-passant-pin",
         ()),
        ("K7/8/8/3Q4/4q3/8/8/7k w - - 0 1", 2, uci("pin-ignored", "white"), "pin", ()),
        ("4k3/8/8/8/8/8/8/qR1K4 w B - 0 1", 1, uci("castling-960-rook-shields"),
         "castling-into-check", ("--chess960",)),
    ],
)  # fmt: skip
def test_divide_ends_with_the_rule(tmp_path, fen, depth, spec, rule, options):
    status, found = divided(tmp_path, fen, depth, spec, *options)
    assert (status, found["verdict"]) == (1, "mismatch")
    assert found["diagnosis"]["rule"] == rule
    if rule == "make-unmake":
        return
    wrong = found["first_wrong"]
    board = chess.Board(wrong["fen"], chess960=bool(options))
    assert wrong["depth"] == 1
    assert wrong["missing"] or wrong["extra"]
    assert set(wrong["missing"]) <= legal(board)
    assert not set(wrong["extra"]) & legal(board)


@pytest.mark.parametrize("spec", [uci("none"), command("none"), command("none", what="")])
def test_divide_finds_nothing_in_the_healthy_program(tmp_path, spec):
    status, found = divided(tmp_path, KIWIPETE, 2, spec)
    assert (status, found["verdict"], found["engine"]["nodes"]) == (0, "ok", 2039)


def test_run_explains_all_failing_rows_by_the_one_cause(tmp_path):
    done = call(
        tmp_path, "perftkit", "run", "--depth", 4, "--max-nodes", 600, "--explain",
        "--format", "json", "--engine", uci("king-next-to-king"),
    )  # fmt: skip
    found = json.loads(done.stdout)
    assert done.returncode == 1
    assert found["summary"]["mismatch"] > 20
    assert found["summary"]["error"] == 0
    assert [cause["rule"] for cause in found["causes"]] == ["king-adjacent"]


def test_run_finds_the_healthy_program_healthy(tmp_path):
    done = call(
        tmp_path, "perftkit", "run", "--depth", 4, "--max-nodes", 600, "--format", "json",
        "--engine", uci("none"),
    )  # fmt: skip
    summary = json.loads(done.stdout)["summary"]
    assert (done.returncode, summary["mismatch"], summary["error"]) == (0, 0, 0)
    assert summary["ok"] > 400


# The program itself, without perftkit.


def test_it_speaks_uci(tmp_path):
    lines = [
        "uci",
        "isready",
        "position startpos moves e2e4 d7d5",
        "d",
        "go perft 2",
        "position startpos moves e2e5",
        "quit",
    ]
    done = call(tmp_path, "planted", stdin="\n".join(lines) + "\n")
    board = chess.Board()
    board.push_uci("e2e4")
    board.push_uci("d7d5")
    assert {"uciok", "readyok", f"Fen: {board.fen(en_passant='fen')}"} <= set(
        done.stdout.splitlines()
    )
    assert f"Nodes searched: {leaves(board, 2)}" in done.stdout
    assert "info string the move e2e5 is not known" in done.stdout


def test_it_answers_one_question_a_run(tmp_path):
    done = call(tmp_path, "planted", "1", chess.STARTING_FEN, "e2e4 e7e5")
    board = chess.Board()
    board.push_uci("e2e4")
    board.push_uci("e7e5")
    rows = dict(line.split(": ") for line in done.stdout.splitlines() if line)
    assert int(rows.pop("Nodes searched")) == len(rows) == board.legal_moves.count()
    assert set(rows) == legal(board)


def test_it_refuses_a_bug_that_it_does_not_know(tmp_path):
    done = call(tmp_path, "planted", "--bug", "castling-upside-down")
    assert done.returncode == 2
    assert "castling-upside-down" in done.stderr
