"""What has changed between two runs; the numbers of the speed are worked out by hand."""

import json
import math

import pytest

from perftkit.errors import BaselineError
from perftkit.suite.model import SuiteRow
from perftkit.verify.baseline import Baseline, Comparer, Earlier, read_baseline
from perftkit.verify.events import ERROR, MISMATCH, OK, SKIPPED, Advanced, Outcome

FEN = "8/8/8/8/k7/8/8/4K3 w - - 0 1"
ROW = SuiteRow("lone", FEN, file="a.epd", line=3)


def outcome(status, depth=1, nodes=5, seconds=0.0, row=ROW):
    return Outcome(row, depth, status, nodes=nodes, seconds=seconds)


def compared(before, after):
    """Compare rows that are given as statuses, or outcomes, by depth from 1."""
    baseline = Baseline("old.json", None)
    for depth, earlier in enumerate(before, 1):
        if isinstance(earlier, str):
            earlier = Earlier(earlier, 5, 0.0)
        baseline.add("lone", FEN, depth, earlier)
    comparer = Comparer(baseline)
    for depth, now in enumerate(after, 1):
        comparer.take(outcome(now, depth) if isinstance(now, str) else now)
    return comparer.comparison()


def test_failures_that_are_new_fixed_and_old():
    found = compared(
        [OK, OK, MISMATCH, ERROR, MISMATCH, ERROR, OK],
        [OK, MISMATCH, OK, OK, MISMATCH, MISMATCH, ERROR],
    )
    assert (found.new, found.fixed, found.still, found.changed) == (2, 2, 2, 0)
    assert [(each.depth, each.before, each.after) for each in found.new_failures] == [
        (2, OK, MISMATCH),
        (7, OK, ERROR),
    ]
    assert [each.depth for each in found.fixed_failures] == [3, 4]


def test_an_old_failure_with_another_number():
    found = compared([MISMATCH], [outcome(MISMATCH, nodes=6)])
    assert (found.still, found.changed) == (1, 1)


def test_rows_that_were_not_counted_in_one_of_the_runs():
    found = compared([OK, SKIPPED, OK], [OK, OK, SKIPPED, OK])
    assert (found.added, found.gone, found.new) == (2, 1, 0)
    comparer = Comparer(Baseline("old.json", None))
    comparer.take(Advanced(5))
    assert comparer.comparison().added == 0


def test_a_row_is_known_by_its_position_when_its_id_has_changed():
    baseline = Baseline("old.json", None)
    baseline.add("suite:3", FEN, 1, Earlier(MISMATCH, 5, 0.0))
    assert baseline.find(ROW, 1)[1].has_failed
    # Two rows of one position, in standard chess and in Chess960 say, are told apart by id only.
    baseline.add("suite:4", FEN, 1, Earlier(OK, 5, 0.0))
    assert baseline.find(ROW, 1) is None
    assert not baseline.find(SuiteRow("suite:4", FEN), 1)[1].has_failed


def speeds(*pairs):
    before = [Earlier(OK, 5, then) for then, _ in pairs]
    after = [outcome(OK, depth, 5, now) for depth, (_, now) in enumerate(pairs, 1)]
    return compared(before, after).speed


def test_a_speed_that_is_the_same():
    speed = speeds(*[(1.0, 1.0)] * 5)
    assert (speed.rows, speed.ratio, speed.is_beyond_noise) == (5, 1.0, False)
    assert speed.noise == pytest.approx(1.05)


def test_a_speed_beyond_noise():
    speed = speeds(*[(1.0, 1.25)] * 9)
    assert speed.ratio == pytest.approx(0.8)
    assert speed.is_beyond_noise
    assert speed.outliers == ()


def test_the_noise_is_that_of_the_rows():
    # The logarithms of the ratios are -0.2, -0.1, 0, 0.1, 0.2: their median is 0, and the median
    # of their distances from it is 0.1.
    speed = speeds(*[(math.exp(x), 1.0) for x in (-0.2, -0.1, 0.0, 0.1, 0.2)])
    assert speed.ratio == pytest.approx(1.0)
    assert math.log(speed.noise) == pytest.approx(3 * 1.2533 * 1.4826 * 0.1 / math.sqrt(5))


def test_a_row_that_has_changed_otherwise_than_the_rest():
    speed = speeds(*[(1.0, 1.0)] * 6, (1.0, 3.0))
    assert not speed.is_beyond_noise
    assert [(each.depth, each.ratio) for each in speed.outliers] == [(7, pytest.approx(1 / 3))]


def test_a_row_that_had_to_wait_for_a_processor_has_not_changed():
    steady = [(1.0, 1.0)] * 6
    assert speeds(*steady, (0.002, 0.02)).outliers == ()
    assert speeds(*steady, (0.02, 0.002)).outliers == ()
    (slower,) = speeds(*steady, (0.02, 0.08)).outliers
    assert (slower.depth, slower.ratio) == (7, pytest.approx(1 / 4))


def test_a_run_that_is_too_short_says_nothing_of_speed():
    assert speeds(*[(0.01, 0.02)] * 24) is None
    assert speeds(*[(0.02, 0.01)] * 24) is None
    assert speeds(*[(0.01, 0.02)] * 25).ratio == pytest.approx(0.5)


def test_rows_that_are_too_short_or_wrong_say_nothing_of_speed():
    assert speeds(*[(0.0005, 0.5)] * 9) is None
    assert speeds(*[(1.0, 1.0)] * 4) is None
    assert compared([Earlier(MISMATCH, 5, 1.0)] * 9, [outcome(OK, seconds=1.0)] * 9).speed is None


HEAD = {"perftkit": "1", "schema": 1, "command": "run", "engine": "uci:x"}
GOOD = {"depth": 1, "status": "ok", "nodes": 5, "seconds": 0.5}


def document(row=GOOD, **more):
    return {**HEAD, "positions": [{"id": "a", "fen": FEN, "rows": [row]}], **more}


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le"])
def test_a_file_in_any_encoding_that_a_shell_writes(tmp_path, encoding):
    path = tmp_path / "old.json"
    path.write_bytes(json.dumps(document()).encode(encoding))
    baseline = read_baseline(str(path))
    assert baseline.find(SuiteRow("a", FEN), 1)[1] == Earlier(OK, 5, 0.5)
    assert baseline.engine == "uci:x"


def test_a_file_of_lines(tmp_path):
    path = tmp_path / "old.ndjson"
    lines = [{"type": "run", **HEAD}, {"type": "row", "id": "a", "fen": FEN, **GOOD},
             {"type": "summary", "rows": 1}]  # fmt: skip
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert read_baseline(str(path)).find(SuiteRow("a", FEN), 1)[1] == Earlier(OK, 5, 0.5)
    path.write_text(json.dumps(lines[0]) + "\n{\n")
    with pytest.raises(BaselineError, match="line 2, column 2"):
        read_baseline(str(path))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "is no JSON: line 1, column 1"),
        ("{", "is no JSON: line 1, column 2"),
        ("\0\1\2\3", "is no JSON"),
        ("[" * 100_000, "is no JSON of perftkit run"),
        ("[]", "is no result of a run"),
        (json.dumps({"command": "divide"}), "is no result of a run"),
        (json.dumps({"command": "run", "schema": 2}), "schema 2 is not 1"),
        (json.dumps(HEAD), "positions is missing or not a list"),
        (json.dumps({**HEAD, "positions": [5]}), "position 1: id is missing or not a text"),
        (json.dumps(document(5)), "position 1: depth is missing or not an integer"),
        (json.dumps(document({**GOOD, "depth": True})), "depth is missing or not an integer"),
        (json.dumps(document({**GOOD, "status": "well"})), "status is 'well', expected ok"),
        (json.dumps(document({**GOOD, "nodes": "5"})), "nodes is missing or not an integer"),
        (json.dumps(document({**GOOD, "seconds": None})), "seconds is missing or not a number"),
        (json.dumps(document({**GOOD, "seconds": math.nan})), "seconds is nan, expected a time"),
        (json.dumps(document({**GOOD, "seconds": 1e300})), "seconds is 1e+300, expected a time"),
        (json.dumps(document({**GOOD, "seconds": -1})), "seconds is -1.0, expected a time"),
        (json.dumps(document({**GOOD, "seconds": 10**400})), "seconds is inf, expected a time"),
        (json.dumps(document()).replace('"nodes": 5', '"nodes": ' + "5" * 5000), "is no JSON of"),
    ],
)  # fmt: skip
def test_a_file_that_is_no_earlier_run(tmp_path, content, message):
    path = tmp_path / "old.json"
    path.write_text(content)
    with pytest.raises(BaselineError) as error:
        read_baseline(str(path))
    assert str(path) in str(error.value)
    assert message in str(error.value)


def test_lines_that_another_program_wrote_again(tmp_path):
    path = tmp_path / "old.ndjson"
    lines = [{"type": "run", **HEAD}, {"type": "row", "id": "a\u2028b\x85c", "fen": FEN, **GOOD}]
    text = "\r\n".join(json.dumps(line, ensure_ascii=False) for line in lines)
    path.write_text("\n" + text, encoding="utf-8", newline="")
    assert read_baseline(str(path)).find(SuiteRow("a\u2028b\x85c", FEN), 1)[1] == Earlier(
        OK, 5, 0.5
    )


@pytest.mark.parametrize("name", ["missing.json", ".", "a\0b"])
def test_a_file_that_can_not_be_read(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BaselineError, match="can't be read"):
        read_baseline(name)
