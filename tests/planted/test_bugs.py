"""Every planted bug is found: noticed by the suite, walked down to, and named."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import chess
import pytest

from perftkit import Position
from perftkit.engines import Question
from perftkit.suite.builtin import builtin_path
from perftkit.suite.reader import read_suite
from perftkit.verify.choice import ENGINE_PACE, choose
from perftkit.verify.diagnose import RULES, diagnose
from perftkit.verify.diagnosis import LIKELY
from perftkit.verify.events import MISMATCH
from perftkit.verify.runner import RunOptions
from perftkit.verify.walk import result_of, walk
from planted.bugs import BUGS, COUNTING, GENERATOR, MAKE, UNMAKE, VISIBLE
from planted.engine import PlantedEngine
from planted.material import CASES, evidence_of, judge, leaves, legal, noticed, rows_of, walked
from planted.program import Program
from planted.table import table

FOLDER = Path(__file__).parent
CODE = ("board.py", "generator.py", "counting.py", "program.py")


@pytest.mark.parametrize(("name", "color"), CASES)
def test_the_suite_notices(name, color):
    row = noticed(name, color)
    assert row is not None
    # The number of the suite is the right one, whoever else is wrong.
    if row.nodes < 3000:
        assert leaves(chess.Board(row.fen, chess960=row.chess960), row.depth) == row.nodes


@cache
def chosen(suite):
    """Return the positions of a suite with the deepest depth that three seconds are spent on."""
    items = list(read_suite(builtin_path(suite)))
    choice = choose(items, RunOptions(64), 3, ENGINE_PACE)
    deepest = {}
    for row in items:
        fen = Position(row.fen, chess960=row.chess960).fen()
        depths = [known.depth for known in row.expectations]
        deepest[fen] = max((x for x in depths if choice.rank(row, x) is not None), default=0)
    return deepest


@pytest.mark.parametrize(
    ("name", "color"), [case for case in CASES if BUGS[case[0]].suite == "perft_positions"]
)
def test_a_budget_of_three_seconds_has_a_row_that_notices(name, color):
    row = noticed(name, color)
    assert chosen("perft_positions")[row.fen] >= row.depth


@pytest.mark.parametrize(("name", "color"), CASES)
def test_the_walk_ends_where_the_bug_shows(name, color):
    result = walked(name, color)
    assert result.verdict == MISMATCH
    evidence = evidence_of(result)
    board = judge(evidence)
    by_moves = bool(evidence.right_by_fen)
    root, path = (evidence.root, evidence.path) if by_moves else (evidence.fen, ())
    engine = PlantedEngine(name, color)
    if BUGS[name].rule == "fen-parsing":
        engine.ask(Question(chess.STARTING_FEN, 1))
        root, path = evidence.root or evidence.fen, evidence.path
    answer = engine.ask(Question(root, evidence.depth, path, evidence.chess960))
    if not (evidence.missing or evidence.extra or evidence.repeated):
        assert evidence.wrong_counts
        assert answer.nodes != leaves(board, evidence.depth)
        return
    listed = set(answer.children)
    assert sorted(listed - legal(board)) == sorted(evidence.extra)
    assert sorted(legal(board) - listed) == sorted(evidence.missing)
    assert answer.repeated == set(evidence.repeated)


@pytest.mark.parametrize(("name", "color"), CASES)
def test_the_diagnosis_names_the_rule(name, color):
    diagnosis = diagnose(evidence_of(walked(name, color)))
    assert diagnosis.rule in BUGS[name].rules, diagnosis


@pytest.mark.parametrize(("name", "color"), CASES)
def test_what_is_certain_is_so(name, color):
    """A rule that the position can't tell from the planted one is likely at most."""
    bug = BUGS[name]
    diagnosis = diagnose(evidence_of(walked(name, color)))
    proven = {bug.rule, "make-unmake"} if bug.place == MAKE else {bug.rule}
    assert diagnosis.confidence == LIKELY or diagnosis.rule in proven


@pytest.mark.parametrize("name", [bug.name for bug in VISIBLE if bug.place == MAKE])
def test_a_wrong_make_is_right_by_fen(name):
    for color in BUGS[name].colors:
        evidence = evidence_of(walked(name, color))
        assert (evidence.right_by_fen, len(evidence.path) > 0) == (True, True)
        # The shortest line: the bug does not show with the first move left out.
        board = chess.Board(evidence.root, chess960=evidence.chess960)
        board.push_uci(evidence.path[0])
        later = Question(
            board.fen(en_passant="fen", shredder=evidence.chess960),
            evidence.depth,
            evidence.path[1:],
            evidence.chess960,
        )
        assert PlantedEngine(name, color).ask(later).nodes == leaves(
            judge(evidence), evidence.depth
        )


@pytest.mark.parametrize("name", [bug.name for bug in VISIBLE if bug.place == GENERATOR])
def test_totals_alone_are_bisected(name):
    for color in BUGS[name].colors:
        evidence = evidence_of(walked(name, color, divides=False))
        engine = PlantedEngine(name, color)
        question = Question(evidence.fen, evidence.depth, (), evidence.chess960)
        assert engine.ask(question).nodes != leaves(judge(evidence), evidence.depth)


@pytest.mark.parametrize("name", [bug.name for bug in VISIBLE if bug.place == GENERATOR])
def test_an_engine_that_takes_no_moves_is_diagnosed_too(name):
    for color in BUGS[name].colors:
        evidence = evidence_of(walked(name, color, takes_moves=False))
        assert diagnose(evidence).rule in BUGS[name].rules


# What shows deeper than the suite is usually run, or not at all.

TWO_ROOKS = "4k3/8/8/8/8/8/p7/4K1RR w K - 0 1"
TWO_KINGS = "8/8/8/3k4/8/3K4/8/8 w - - 0 1"


@pytest.mark.parametrize(
    ("name", "fen"),
    [
        # Rg1-g2-h2 and Rh1-h2, Rg1-h1 leave the same men on the board, and one has the right.
        ("hash-forgets-rights", TWO_ROOKS),
        # Four plies that come back to where they began.
        ("hash-forgets-the-depth", TWO_KINGS),
    ],
)
def test_a_small_hash_key_shows_deeper(name, fen):
    depth = BUGS[name].depth
    result = result_of(walk(PlantedEngine(name), fen, depth))
    evidence = evidence_of(result)
    assert evidence.depth == depth
    assert (evidence.missing, evidence.extra) == ((), ())
    assert diagnose(evidence).rule in BUGS[name].rules


def test_an_en_passant_square_that_is_not_restored_shows_in_no_count():
    """The limit that the documentation names; the printed position shows it."""
    name = "unmake-forgets-en-passant"
    engine = PlantedEngine(name)
    for row in rows_of(BUGS[name].suite):
        if row.nodes < 1000:
            assert engine.ask(row.question()).nodes == row.nodes
    program = Program(name)
    fen = "8/8/8/2k5/2pP4/8/B7/4K3 b - d3 0 3"
    program.set_up(fen)
    program.counter.divide(2)
    assert program.counter.fen() == fen.replace("d3", "-")


# The collection itself.


def test_there_are_enough_bugs_for_every_rule():
    assert len(VISIBLE) >= 45
    assert {bug.rule for bug in VISIBLE} == set(RULES) - {"unknown"}
    assert all(bug.rules <= set(RULES) for bug in BUGS.values())
    assert {GENERATOR, MAKE, UNMAKE, COUNTING} <= {bug.place for bug in BUGS.values()}


def test_every_bug_is_planted_and_every_planted_bug_is_listed():
    # Names that the code compares with; `unmake-` and `hash-` are prefixes that it asks for too.
    strings = {
        node.value
        for file in CODE
        for node in ast.walk(ast.parse((FOLDER / file).read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    named = {text for text in strings if re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)+", text)}
    assert named == set(BUGS)


def test_the_readme_has_the_table():
    assert table() in (FOLDER / "README.md").read_text(encoding="utf-8")
