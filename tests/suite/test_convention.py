"""The two conventions, with the numbers that are published."""

from __future__ import annotations

from perftkit import KIWIPETE, perft
from perftkit.suite.builtin import builtin_path
from perftkit.suite.convention import comparable, to_wiki
from perftkit.suite.reader import read_suite

OURS = {"captures": 9, "double_checks": 2645, "double_checkmates": 8, "checkmates": 30171}


def test_published_value_is_the_difference():
    assert to_wiki(OURS) == {"captures": 9, "double_checks": 2637, "checkmates": 30171}


def test_a_column_without_its_mates_is_left_out():
    assert to_wiki({"checks": 5, "discovered_checks": 3}) == {"checks": 5}


def test_a_row_of_the_published_convention():
    expected, measured = comparable({"double_checks": 2637}, OURS, row_convention="wiki")
    assert (expected["double_checks"], measured["double_checks"]) == (2637, 2637)


def test_a_row_of_our_convention_shown_in_the_published_one():
    expected, measured = comparable(OURS, OURS, row_convention="perftkit", asked="wiki")
    assert expected == measured == to_wiki(OURS)


def test_a_row_of_our_convention():
    given = {"double_checks": 2645}
    assert comparable(given, OURS, row_convention="perftkit") == (given, OURS)


def rows_by_position(name):
    return {" ".join(row.fen.split()[:4]): row for row in read_suite(builtin_path(name))}


def test_the_published_tables_follow_exactly_from_our_counts():
    ours, published = rows_by_position("perft_positions"), rows_by_position("wiki_convention")
    compared = set()
    for position, row in published.items():
        counts = {given.depth: given.counts for given in ours[position].expectations}
        for given in row.expectations:
            if given.depth not in counts:
                continue
            expected, converted = comparable(
                given.counts, counts[given.depth], row_convention="wiki"
            )
            for name in expected.keys() & converted.keys():
                assert expected[name] == converted[name], (row.id, given.depth, name)
                compared.add((row.id, given.depth, name))
    # The two cells that show the difference, as printed in the tables.
    assert ("kiwipete-wiki", 5, "double_checks") in compared
    assert ("startpos-wiki", 8, "discovered_checks") in compared
    assert len(compared) > 350


def test_counting_gives_the_published_tables():
    cells = 0
    for row in read_suite(builtin_path("wiki_convention")):
        for given in row.expectations:
            if given.nodes > 5_000_000:
                continue
            expected, measured = comparable(
                given.counts, perft(row.fen, given.depth).counts, row_convention=row.convention
            )
            assert expected == {name: measured[name] for name in expected}
            cells += len(expected)
    assert cells > 200


def test_kiwipete_at_depth_4_has_no_mates_by_double_check():
    # Published: 6 double checks, 42 discovered checks.
    counts = to_wiki(perft(KIWIPETE, 4).counts)
    assert (counts["double_checks"], counts["discovered_checks"]) == (6, 42)
