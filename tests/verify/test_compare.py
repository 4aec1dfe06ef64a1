from perftkit.engines import Answer
from perftkit.verify.compare import (
    EXTRA,
    MISSING,
    RIGHT,
    WRONG,
    Difference,
    compare_answer,
    compared_rows,
    differences,
)


def test_equal_numbers_have_no_differences():
    assert differences(8902, 8902, {"captures": 34}, {"captures": 34, "checks": 12}) == ()


def test_nodes_come_first_and_only_given_counters_are_compared():
    found = differences(8903, 8902, {"captures": 35}, {"captures": 34, "checks": 12})
    assert found == (Difference("nodes", 8903, 8902), Difference("captures", 35, 34))
    assert [difference.delta for difference in found] == [-1, -1]


def test_a_counter_that_was_not_measured_is_zero():
    assert differences(1, 1, {"captures": 0}, {}) == ()
    assert differences(1, 1, {"captures": 2}, {}) == (Difference("captures", 2, 0),)


def test_numbers_of_any_size_stay_exact():
    (found,) = differences(2**70 + 1, 2**70, {}, {})
    assert found.delta == -1


REFERENCE = {"a2a3": 2, "a7a8b": 1, "a7a8n": 2, "a7a8q": 3, "a7a8r": 4, "b2b3": 0}


def test_an_answer_that_is_right():
    found = compare_answer(Answer(12, dict(REFERENCE)), REFERENCE, 2)
    assert found.agrees
    assert (found.expected, found.got, found.differing) == (12, 12, 0)


def test_missing_extra_and_wrong_moves():
    children = {"c2c3": 5, "a2a3": 1, "a7a8b": 1, "a7a8n": 2, "a7a8q": 3}
    found = compare_answer(Answer(12, children), REFERENCE, 2)
    assert not found.agrees
    assert (found.missing, found.extra, found.wrong) == (("a7a8r",), ("c2c3",), {"a2a3": (2, 1)})
    assert compare_answer(Answer(12, children), REFERENCE, 1).missing == ("a7a8r", "b2b3")
    rows = compared_rows(Answer(12, children), REFERENCE, found)
    assert [(row.move, row.status) for row in rows if row.status != RIGHT] == [
        ("a2a3", WRONG),
        ("a7a8r", MISSING),
        ("c2c3", EXTRA),
    ]


def test_rows_without_the_promotion_letter_stand_for_all():
    children = {"a2a3": 2, "a7a8": 10, "b2b3": 0}
    answer = Answer(12, children, merged=frozenset(["a7a8"]))
    found = compare_answer(answer, REFERENCE, 2)
    assert found.agrees
    rows = {row.move: row.expected for row in compared_rows(answer, REFERENCE, found)}
    assert rows == {"a2a3": 2, "a7a8": 10, "b2b3": 0}
    short = Answer(11, {**children, "a7a8": 9}, merged=frozenset(["a7a8"]))
    assert compare_answer(short, REFERENCE, 2).wrong == {"a7a8": (10, 9)}


def test_totals_alone():
    assert compare_answer(Answer(12), REFERENCE, 2).agrees
    found = compare_answer(Answer(11), REFERENCE, 2)
    assert not found.agrees
    assert not found.divided
    assert compared_rows(Answer(11), REFERENCE, found) == []


def test_a_total_that_contradicts_right_rows():
    found = compare_answer(Answer(12, dict(REFERENCE), total=13), REFERENCE, 2)
    assert (found.agrees, found.total) == (False, 13)


def test_a_move_listed_twice_is_not_a_wrong_count():
    answer = Answer(14, {**REFERENCE, "a2a3": 4}, repeated=frozenset(["a2a3"]))
    found = compare_answer(answer, REFERENCE, 2)
    assert (found.repeated, found.wrong) == (("a2a3",), {})
