from __future__ import annotations

import pytest

from perftkit import STARTPOS
from perftkit.suite.model import Expectation, SuiteRow
from perftkit.suite.select import cases, matches

ROW = SuiteRow(
    "en-passant-pin",
    STARTPOS,
    expectations=(Expectation(1, 20), Expectation(3, 8902), Expectation(5, 4865609)),
)


@pytest.mark.parametrize(
    ("globs", "expected"),
    [
        ([], True),
        (["en-passant-*"], True),
        (["castling-*", "*pin"], True),
        (["*-p[a-i]*"], True),
        (["pin"], False),
        (["EN-*"], False),
    ],
)
def test_ids(globs, expected):
    assert matches(ROW, globs) is expected


def test_depths_up_to_the_limit():
    assert [case.depth for case in cases(ROW, max_depth=4)] == [1, 3]
    assert [case.expected for case in cases(ROW, max_depth=4)] == list(ROW.expectations[:2])


def test_depths_of_too_many_nodes_are_skipped_with_the_reason():
    reasons = {case.depth: case.skipped for case in cases(ROW, max_depth=9, max_nodes=8902)}
    assert reasons == {1: None, 3: None, 5: "4865609 nodes are more than the limit of 8902"}


def test_a_row_that_is_only_a_fen_gives_every_depth():
    bare = SuiteRow("bare", STARTPOS)
    assert [(case.depth, case.expected) for case in cases(bare, max_depth=3, max_nodes=1)] == [
        (1, None),
        (2, None),
        (3, None),
    ]
