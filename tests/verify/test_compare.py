from perftkit.verify.compare import Difference, differences


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
