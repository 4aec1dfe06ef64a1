import csv
import io
import json

import pytest
from written_report import written_report

from perftkit.core.perft import PerftResult
from perftkit.report import DivideInfo, RunInfo
from perftkit.report.csv import CsvRunReporter
from perftkit.report.csv import write_divide as write_csv
from perftkit.report.json import JsonRunReporter
from perftkit.report.json import write_divide as write_json
from perftkit.suite.model import SuiteProblem, SuiteRow
from perftkit.verify.events import MISMATCH, SKIPPED, Advanced, Outcome, Unreadable
from perftkit.verify.verdict import ExitStatus, Tally, verdict

INFO = RunInfo("1.0", "suite.epd", 5, "strict", "perftkit")
ROW = SuiteRow("a", "8/8/8/8/8/8/8/K1k5 w - - 0 1", file="suite.epd", line=3)
OTHER = SuiteRow("b", ROW.fen, file="suite.epd", line=4)
PROBLEM = SuiteProblem("suite.epd", 5, 2, "no \x1b row")
HUGE = 2**70 + 1


def outcome(row, depth, nodes=HUGE, **more):
    return Outcome(row, depth, "ok", nodes=nodes, expected_nodes=nodes, **more)


def written(reporter_of, events, stopped=None):
    return written_report(reporter_of, INFO, events, stopped=stopped)


def document(events, stopped=None):
    return json.loads(written(JsonRunReporter, events, stopped))


def test_json_of_nothing():
    found = document([])
    assert found["positions"] == []
    assert found["errors"] == []
    assert found["summary"]["nps"] == 0


def test_json_groups_rows_by_position_and_keeps_huge_counts():
    found = document([outcome(ROW, 1), outcome(ROW, 2), Advanced(5), outcome(OTHER, 1)])
    assert [entry["line"] for entry in found["positions"]] == [3, 4]
    assert [row["depth"] for row in found["positions"][0]["rows"]] == [1, 2]
    assert found["positions"][1]["rows"][0]["nodes"] == HUGE
    assert found["summary"]["nodes"] == 3 * HUGE
    assert found["summary"]["positions"] == 2


def test_json_of_problems_alone():
    found = document([Unreadable(PROBLEM)], "interrupted")
    assert found["errors"] == [
        {"file": "suite.epd", "line": 5, "column": 2, "message": "no \x1b row"}
    ]
    assert found["summary"]["stopped"] == "interrupted"


def test_json_is_written_row_by_row():
    stream = io.StringIO()
    reporter = JsonRunReporter(stream, INFO)
    reporter.begin()
    reporter.handle(outcome(ROW, 1))
    assert f'"nodes": {HUGE}' in stream.getvalue()


@pytest.mark.parametrize(
    ("id", "read"),
    [
        ("=1+1", "'=1+1"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("+cmd|x", "'+cmd|x"),
        ("-2+3", "'-2+3"),
        ("-", "'-"),
        ("-12", "-12"),
        ("+.5", "+.5"),
        ("a=1", "a=1"),
        ('quotes " , and\nlines', 'quotes " , and\\nlines'),
    ],
)
def test_csv_has_no_formulas_and_is_read_again(id, read):
    row = SuiteRow(id, "8/8/8/8/8/8/8/8 w - - 0 1", file="=a.epd", line=1)
    outcome = Outcome(row, 1, MISMATCH, nodes=1, expected_nodes=2, reason=id)
    (line,) = csv.DictReader(io.StringIO(written_report(CsvRunReporter, INFO, [outcome])))
    assert (line["id"], line["reason"], line["file"]) == (read, read, "'=a.epd")
    assert (line["nodes"], line["expected_nodes"]) == ("1", "2")


def test_csv_of_a_run():
    text = written(CsvRunReporter, [outcome(ROW, 1, counts={"checks": 7}), Unreadable(PROBLEM)])
    (row,) = csv.DictReader(io.StringIO(text))
    assert (row["id"], row["line"], row["nodes"]) == ("a", "3", str(HUGE))
    assert (row["checks"], row["captures"], row["expected_checks"]) == ("7", "", "")


def division(children):
    return DivideInfo("1.0", ROW.fen, (), 2, HUGE, {}, children, 1.0, None)


def test_divide():
    info = division({"a1a2": PerftResult(2, HUGE, {"checks": 1}, 1.0)})
    stream = io.StringIO()
    write_json(stream, info)
    assert json.loads(stream.getvalue())["children"] == {
        "a1a2": {"nodes": HUGE, "counts": {"checks": 1}}
    }
    stream = io.StringIO()
    write_csv(stream, info)
    (row,) = csv.DictReader(io.StringIO(stream.getvalue()))
    assert (row["move"], row["nodes"], row["checks"]) == ("a1a2", str(HUGE), "1")


def test_verdict():
    tally = Tally()
    assert verdict(tally) is ExitStatus.BAD_INPUT
    tally.add(Outcome(ROW, 3, SKIPPED, reason="too many nodes"))
    assert verdict(tally) is ExitStatus.BAD_INPUT
    tally.add(outcome(ROW, 1))
    assert verdict(tally) is ExitStatus.AGREED
    tally.add(Outcome(ROW, 2, MISMATCH, nodes=1, expected_nodes=2))
    assert verdict(tally) is ExitStatus.DIFFERS
    tally.add(Unreadable(PROBLEM))
    assert verdict(tally) is ExitStatus.BAD_INPUT
    assert verdict(tally, interrupted=True) is ExitStatus.INTERRUPTED
