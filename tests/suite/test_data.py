"""The suites that come with perftkit: sound, readable, and equal to python-chess.

Every depth of at most 200,000 nodes of the first three suites is counted by python-chess here. The
two large Chess960 suites are sampled; `tools/check_suites.py` counts them whole.
"""

from __future__ import annotations

import re
from pathlib import Path

import chess
import pytest
from oracle import python_chess_table

from perftkit import Position
from perftkit.suite.builtin import BUILTIN, builtin_path
from perftkit.suite.convention import comparable
from perftkit.suite.lint import lint
from perftkit.suite.model import OPTIONAL, SHORT_NAMES, SuiteRow, counters_of
from perftkit.suite.reader import read_suite
from perftkit.suite.writer import format_row

MOST_NODES = 200_000
ROOT = Path(__file__).parents[2]
SAMPLED = {"chess960_fischer": (89, 15_000), "chess960_startpos": (97, 15_000)}  # step, nodes


def rows_of(name) -> list[SuiteRow]:
    rows = list(read_suite(builtin_path(name)))
    assert all(isinstance(row, SuiteRow) for row in rows), rows
    return rows


SUITES = {name: rows_of(name) for name in BUILTIN}
POSITIONS = {row.id: row for row in SUITES["perft_positions"]}

checked_by_python_chess = [
    pytest.param(row, MOST_NODES, id=f"{name}-{row.id}")
    for name, rows in SUITES.items()
    if name not in SAMPLED
    for row in rows
] + [
    pytest.param(row, most, id=f"{name}-{row.id}")
    for name, (step, most) in SAMPLED.items()
    for row in SUITES[name][::step]
]


@pytest.mark.parametrize(("row", "most"), checked_by_python_chess)
def test_counts_equal_those_of_python_chess(row, most):
    wanted = [given for given in row.expectations if given.nodes <= most]
    table = python_chess_table(row.fen, wanted[-1].depth, row.chess960)
    for given in wanted:
        nodes, counts = table[given.depth]
        expected, counted = comparable(given.counts, counts, row_convention=row.convention)
        assert (given.depth, nodes) == (given.depth, given.nodes)
        assert (given.depth, expected) == (given.depth, {name: counted[name] for name in expected})


@pytest.mark.parametrize("name", BUILTIN)
def test_every_small_depth_has_all_counters(name):
    for row in SUITES[name]:
        for given in row.expectations:
            if given.nodes <= MOST_NODES:
                assert given.counts.keys() == set(counters_of(row.convention)), row.id


@pytest.mark.parametrize("name", BUILTIN)
def test_rows_name_what_they_test_and_where_the_numbers_come_from(name):
    ids = [row.id for row in SUITES[name]]
    assert len(set(ids)) == len(ids)
    for row in SUITES[name]:
        assert row.has_given_id
        assert re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", row.id), row.id
        assert row.notes["source"], row.id


@pytest.mark.parametrize("name", BUILTIN)
def test_lint_finds_nothing(name):
    assert list(map(str, lint([builtin_path(name)], verify=10_000))) == []


def test_no_suite_contradicts_another():
    found = lint(map(builtin_path, BUILTIN))
    assert {finding.code for finding in found} <= {"duplicate-position"}


@pytest.mark.parametrize("name", BUILTIN)
def test_rows_stand_in_the_file_as_they_are_written(name):
    lines = builtin_path(name).read_text().splitlines()
    for row in SUITES[name]:
        assert lines[row.line - 1] == format_row(row)


def test_how_much_work_the_default_suite_is():
    rows = SUITES["perft_positions"]
    for depth, most in ((4, 60_000_000), (5, 2_000_000_000), (6, 25_000_000_000)):
        total = sum(
            given.nodes for row in rows for given in row.expectations if given.depth <= depth
        )
        assert total < most
    assert sum(any(given.depth == 6 for given in row.expectations) for row in rows) >= 128


# Counts that everybody can look up, beside the file.
@pytest.mark.parametrize(
    ("name", "depth", "nodes", "counts"),
    [
        ("startpos", 9, 2439530234167, {"mate": 400191963, "cas": 1784356000}),
        ("startpos", 15, 2015099950053364471960, {}),
        ("kiwipete", 5, 193690690, {"dbl": 2645, "dblmate": 8, "disc": 19883, "ep": 73365}),
        ("kiwipete", 6, 8031647685, {"cap": 1558445089, "promo": 56627920}),
        ("position-3-rook-endgame-ep-pins", 7, 178633661, {"ep": 294874, "mate": 87}),
        ("position-4-castling-and-promotions", 6, 706045033, {"cap": 210369132}),
        ("position-5-promotion-with-check", 5, 89941194, {}),
        ("position-6-middlegame", 6, 6923051137, {"dbl": 192435, "dblmate": 20}),
    ],
)
def test_published_counts_of_the_quoted_positions(name, depth, nodes, counts):
    (given,) = (given for given in POSITIONS[name].expectations if given.depth == depth)
    assert given.nodes == nodes
    short = {SHORT_NAMES[name]: count for name, count in given.counts.items()}
    assert short == short | counts


def test_rows_show_what_their_ids_say():
    def leaves(name, depth):
        return next(given for given in POSITIONS[name].expectations if given.depth == depth)

    assert leaves("moves-218", 1).nodes == 218
    for name in ("all-moves-mate-bishop-battery", "all-moves-mate-knight-battery"):
        first = leaves(name, 1)
        assert first.nodes == first.counts["checkmates"] > 0
    for name in POSITIONS:
        position = Position(POSITIONS[name].fen)
        if name.startswith("stalemate-") and leaves(name, 1).nodes == 0:
            assert position.is_stalemate
        if name.startswith("checkmate-"):
            assert position.is_checkmate
        if name.startswith("double-check-") and "by" not in name:
            assert bin(position.checkers).count("1") == 2
    assert leaves("en-passant-pinned-pawn-along-its-line", 1).counts["en_passant"] == 1
    assert leaves("bishops-two-aligned-give-check-b", 1).nodes == 6


def test_all_starting_arrays():
    arrays = SUITES["chess960_startpos"]
    assert len({row.fen for row in arrays}) == len(arrays) == 960
    assert arrays[518].fen == "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1"
    assert all(Position(row.fen).chess960 for row in arrays)
    for number, row in enumerate(arrays):
        board = chess.Board.from_chess960_pos(number)
        assert row.fen == board.shredder_fen()
        assert row.id == f"array-{number:03d}-{row.fen[:8]}"
    # The standard array by the rules of Chess960 has the published counts of standard chess.
    assert [given.nodes for given in arrays[518].expectations] == [20, 400, 8902, 197281]


def test_what_engines_need_not_know_is_optional_and_says_why():
    optional = {row.id for row in POSITIONS.values() if OPTIONAL in row.notes}
    assert optional == {
        "en-passant-can-not-end-queen-check",
        "en-passant-pawn-pinned-on-rank-by-rook",
        "en-passant-can-not-end-knight-check",
        "moves-more-than-256",
        "en-passant-discovers-on-diagonal",
    }
    for name in optional:
        assert POSITIONS[name].notes["impossible"]
        assert POSITIONS[name].notes[OPTIONAL]


def test_how_many_rows_the_documents_say_there_are():
    rows = SUITES["perft_positions"]
    to_4 = [given for row in rows for given in row.expectations if given.depth <= 4]
    readme, page = (ROOT / "README.md").read_text(), (ROOT / "docs/suite.md").read_text()
    assert f"{len(rows)} positions, {len(to_4)} rows: {len(to_4)} ok" in readme
    assert f"{sum(given.nodes for given in to_4):,} nodes" in readme
    for name, suite in SUITES.items():
        assert f"| `{name}` | {len(suite)} |" in page
        totals = (
            sum(given.nodes for row in suite for given in row.expectations if given.depth <= depth)
            for depth in (4, 5, 6)
        )
        assert f"| `{name}` | {' | '.join(f'{total:,}' for total in totals)} |" in page
