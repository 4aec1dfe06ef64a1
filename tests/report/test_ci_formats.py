"""The formats that continuous integration reads."""

import io
import json
import re
from xml.etree import ElementTree

import junitparser
import pytest
from written_report import written_report

from perftkit.report import EngineInfo, RunInfo
from perftkit.report.github import GithubRunReporter
from perftkit.report.json import JsonRunReporter
from perftkit.report.junit import JunitRunReporter
from perftkit.report.markdown import MarkdownRunReporter
from perftkit.report.ndjson import NdjsonRunReporter
from perftkit.suite.model import SuiteProblem, SuiteRow
from perftkit.verify.compare import Difference
from perftkit.verify.diagnosis import Diagnosis, Evidence
from perftkit.verify.events import ERROR, MISMATCH, OK, SKIPPED, Outcome, Unreadable
from perftkit.verify.explain import Cause, Explained
from perftkit.verify.failures import Failure
from perftkit.verify.walk import WalkResult

INFO = RunInfo("1.0", "suite.epd", 5, "fast", "perftkit")
ENGINE = EngineInfo("./e", "<b>E</b>\x07", ("--engine", "./e"))
WITH_ENGINE = RunInfo("1.0", "suite.epd", 5, "fast", "perftkit", ENGINE)
HOSTILE = "a|b <script>alert(1)</script> \x1b[31m \x00 \ufffe ]]> & \"' %0A ::error::x @me #1 *x*"
FEN = "8/8/8/r2Pp2K/8/8/4k3/8 w - e6 0 1"
ROW = SuiteRow("plain", FEN, file="suite.epd", line=3)
BAD = SuiteRow(HOSTILE, FEN, file="dir:a,b/suite.epd", line=7)
EVENTS = (
    Outcome(ROW, 1, OK, nodes=6, expected_nodes=6, counts={"checks": 1}, seconds=0.25),
    Outcome(ROW, 2, SKIPPED, expected_nodes=100, reason="too many nodes"),
    Outcome(
        *(BAD, 1, MISMATCH),
        nodes=7,
        expected_nodes=6,
        differences=(Difference("nodes", 6, 7), Difference("checks", 2, 3)),
        hints=("count " + HOSTILE,),
    ),
    Outcome(BAD, 2, ERROR, reason="it died: " + HOSTILE),
    Unreadable(SuiteProblem("suite.epd", 9, 4, "expected a FEN, found '\x1b'")),
)
CAUSE = Cause(
    Diagnosis("en-passant-pin", "Both pawns leave the fifth rank.", "certain"),
    Evidence(FEN, root=FEN, extra=("d5e6",)),
    (Explained(Failure(BAD, 1), WalkResult(MISMATCH), None),),
)


def written(reporter_of, events, info=INFO, causes=None, **more):
    return written_report(reporter_of, info, events, causes, **more)


def test_ndjson_says_what_json_says():
    document = json.loads(written(JsonRunReporter, EVENTS, WITH_ENGINE, [CAUSE]))
    lines = written(NdjsonRunReporter, EVENTS, WITH_ENGINE, [CAUSE]).splitlines()
    entries = [json.loads(line) for line in lines]
    kinds = [entry.pop("type") for entry in entries]
    assert kinds == ["run", "row", "row", "row", "row", "error", "cause", "summary"]
    rows = [
        {**{name: position[name] for name in ("id", "file", "line", "fen")}, **row}
        for position in document["positions"]
        for row in position["rows"]
    ]
    assert entries[1:5] == rows
    assert entries[5:6] == document["errors"]
    assert entries[6:7] == document["causes"]
    assert entries[7] == document["summary"]
    assert entries[0].items() <= document.items()


def test_ndjson_is_written_row_by_row():
    stream = io.StringIO()
    reporter = NdjsonRunReporter(stream, INFO)
    reporter.begin()
    for number, event in enumerate(EVENTS, 2):
        reporter.handle(event)
        assert stream.getvalue().count("\n") == number


def suite_of(events=EVENTS, info=INFO, causes=None):
    return ElementTree.fromstring(written(JunitRunReporter, events, info, causes))[0]


def test_junit_counts_its_cases():
    suite = suite_of()
    cases = suite.findall("testcase")
    assert suite.attrib["tests"] == str(len(cases)) == "5"
    assert suite.attrib["failures"] == str(len(suite.findall("testcase/failure"))) == "1"
    assert suite.attrib["errors"] == str(len(suite.findall("testcase/error"))) == "2"
    assert suite.attrib["skipped"] == str(len(suite.findall("testcase/skipped"))) == "1"


def test_junit_has_a_case_for_each_row_and_depth():
    case = suite_of().find("testcase")
    assert case.attrib == {
        **{"classname": "suite.epd", "name": "plain depth 1", "time": "0.250000"},
        **{"file": "suite.epd", "line": "3"},
    }


def test_junit_tells_a_failure_in_full():
    failure = suite_of().find("testcase/failure")
    assert failure.attrib["message"] == "nodes: expected 6, got 7 (+1)"
    lines = failure.text.splitlines()
    assert lines[:2] == [
        "nodes: expected 6, got 7, difference +1",
        "checks: expected 2, got 3, difference +1",
    ]
    assert lines[-3:] == [
        f"FEN: {FEN}",
        "in dir:a,b/suite.epd:7",
        f"repeat: perftkit divide '{FEN}' --depth 1",
    ]


def test_junit_has_no_character_that_xml_forbids():
    text = written(JunitRunReporter, EVENTS, WITH_ENGINE, [CAUSE])
    assert not re.search("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]", text)
    suite = ElementTree.fromstring(text)[0]
    assert "<script>alert(1)</script> \\x1b[31m" in suite.findall("testcase")[2].attrib["name"]
    assert suite.find("system-out").text.startswith("en-passant-pin (certain): Both pawns")


def test_junit_as_another_program_reads_it():
    """junitparser reads the format for others, and counts the cases by itself."""
    text = written(JunitRunReporter, EVENTS, WITH_ENGINE, [CAUSE])
    (suite,) = junitparser.JUnitXml.fromstring(text.encode())
    stated = suite.tests, suite.failures, suite.errors, suite.skipped
    suite.update_statistics()
    assert stated == (suite.tests, suite.failures, suite.errors, suite.skipped) == (5, 1, 2, 1)
    passed, skipped, *failed = suite
    assert passed.is_passed
    assert skipped.is_skipped
    assert [type(case.result[0]) for case in failed] == [
        junitparser.Failure,
        junitparser.Error,
        junitparser.Error,
    ]
    assert "repeat: perftkit divide" in failed[0].result[0].text


def test_junit_has_no_two_cases_of_one_name():
    # GitLab, for one, shows the first of them and leaves out the others, failures too.
    again = SuiteRow("plain", FEN, file="suite.epd", line=4)
    elsewhere = SuiteRow("plain", FEN, file="other.epd", line=3)
    events = [
        Outcome(row, 1, OK, nodes=6, expected_nodes=6) for row in (ROW, again, elsewhere, ROW)
    ]
    root = ElementTree.fromstring(written(JunitRunReporter, events))
    cases = [(case.get("classname"), case.get("name")) for case in root.iter("testcase")]
    assert cases == [
        ("suite.epd", "plain depth 1"),
        ("suite.epd", "plain depth 1 #2"),
        ("other.epd", "plain depth 1"),
        ("suite.epd", "plain depth 1 #3"),
    ]


def test_junit_of_nothing():
    assert suite_of([]).attrib["tests"] == "0"


def test_github_escapes_what_its_commands_are_made_of():
    text = written(GithubRunReporter, EVENTS, environ={})
    lines = text.splitlines()
    assert [line.split(" ")[0] for line in lines] == ["::error"] * 3
    assert lines[0].startswith("::error file=dir%3Aa%2Cb/suite.epd,line=7,title=a|b <script>")
    assert "%250A %3A%3Aerror%3A%3Ax" in lines[0]
    assert "::nodes: expected 6, got 7, difference +1%0Achecks: expected 2" in lines[0]
    assert lines[2].startswith("::error file=suite.epd,line=9,title=unreadable row::expected a FEN")


def test_github_annotates_the_first_ten_failures():
    failed = [EVENTS[2]] * 25
    lines = written(GithubRunReporter, failed, environ={}).splitlines()
    assert len([line for line in lines if line.startswith("::error")]) == 10
    assert lines[-1] == "::notice title=perftkit::and 15 more failures"


def test_github_adds_the_table_to_the_summary_of_the_step(tmp_path):
    summary = tmp_path / "summary.md"
    summary.write_text("before\n")
    environ = {"GITHUB_STEP_SUMMARY": str(summary)}
    written(GithubRunReporter, EVENTS, WITH_ENGINE, [CAUSE], environ=environ)
    text = summary.read_text()
    assert text.startswith("before\n## ")
    assert written(MarkdownRunReporter, EVENTS, WITH_ENGINE, [CAUSE]) == text[len("before\n") :]


def test_a_summary_that_github_would_refuse_is_cut(tmp_path):
    summary = tmp_path / "summary.md"
    environ = {"GITHUB_STEP_SUMMARY": str(summary)}
    written(GithubRunReporter, [*[EVENTS[0]] * 20_000, *EVENTS[2:]], environ=environ)
    text = summary.read_text()
    assert len(text.encode()) < 1024 * 1024
    assert "20,002 rows: 20,000 ok" in text
    assert re.search("and [0-9,]+ more rows that are no failures", text)
    assert text.count("| mismatch |") == text.count("| error |") == 1


def failing_rows(count, id="ё" * 20):
    for line in range(1, count + 1):
        row = SuiteRow(f"{id}-{line}", FEN, file="suite.epd", line=line)
        difference = Difference("nodes", 6, 7)
        yield Outcome(row, 1, MISMATCH, nodes=7, expected_nodes=6, differences=(difference,))


def cause_of(outcomes):
    members = (Explained(Failure(each.row, 1), WalkResult(MISMATCH), None) for each in outcomes)
    return Cause(CAUSE.diagnosis, CAUSE.first_wrong, tuple(members))


@pytest.mark.parametrize(
    ("count", "id"), [(15_000, "plain"), (15_000, "ё" * 20), (1_000, "x" * 10_000)]
)
def test_a_summary_of_failures_alone_is_cut_too(tmp_path, count, id):
    summary = tmp_path / "summary.md"
    summary.write_text("x" * 200_000)  # of another command in the same step
    failures = list(failing_rows(count, id))
    environ = {"GITHUB_STEP_SUMMARY": str(summary)}
    written(GithubRunReporter, failures, WITH_ENGINE, [cause_of(failures)], environ=environ)
    text = summary.read_text(encoding="utf-8")
    assert 900_000 < len(text.encode()) < 1024 * 1024
    assert text.rstrip().endswith("GitHub takes no longer summary; HTML and JSON have it.**")
    assert "### en-passant-pin (certain)" in text
    assert max(map(len, text[200_000:].splitlines())) <= 2_000


def test_github_shows_all_notices_that_are_written():
    failures = list(failing_rows(11))
    lines = written(GithubRunReporter, failures, causes=[CAUSE] * 30, environ={}).splitlines()
    notices = [line for line in lines if line.startswith("::notice")]
    assert len(notices) < 10  # with what --baseline says, GitHub shows ten
    assert notices[-1] == "::notice title=perftkit::and 1 more failure"


def test_titles_have_a_length_that_can_be_read():
    (failure,) = failing_rows(1, "x" * 10_000)
    for reporter in (GithubRunReporter, MarkdownRunReporter):
        text = written(reporter, [failure])
        title = re.search("(title=|### )([^,]*)", text)[2].replace("%2C depth 1", "")
        assert title.startswith("x" * 90)
        assert re.search("…x+-1", title)
        assert len(title) < 300


def test_unreadable_rows_stand_under_titles_without_places():
    text = written(MarkdownRunReporter, EVENTS[4:])
    # GitHub would make a picture of `suite.epd:100:`, as of any `:100:`.
    assert "### unreadable row: expected a FEN, found '" in text
    assert "\n    in suite.epd:9, column 4\n" in text


def test_junit_is_right_in_every_encoding():
    text = written(JunitRunReporter, list(failing_rows(1, "ё→😀")))
    case = ElementTree.fromstring(text.encode("ascii")).find(".//testcase")
    assert case.get("name") == "ё→😀-1 depth 1"


def test_markdown_has_no_formulas():
    (failure,) = failing_rows(1, "$x$")
    assert r"\$x\$-1" in written(MarkdownRunReporter, [failure])


def test_markdown_has_no_html_and_keeps_its_columns():
    text = written(MarkdownRunReporter, EVENTS, WITH_ENGINE, [CAUSE])
    outside = "\n".join(line for line in text.splitlines() if not line.startswith("    "))
    assert "<" not in outside
    assert "\x1b" not in text
    table = [line for line in text.splitlines() if line.startswith("| ")]
    assert {len(re.findall(r"(?<!\\)\|", line)) for line in table} == {14}
    assert r"@me" not in outside.replace(r"\@me", "")


def test_markdown_begins_with_the_verdict():
    text = written(MarkdownRunReporter, EVENTS[:1])
    assert text.startswith(
        "## perftkit: all right\n\n1 position, 1 row: 1 ok  \n6 nodes in 2.000 s"
    )
    assert "| ok | plain | 1 | 6 | 6 |  |  |  |  | 1 |  | 0.250 s |  |" in text


@pytest.mark.parametrize(
    ("events", "stopped", "said"),
    [
        ((), None, "nothing was checked"),
        ((), "interrupted", "nothing was checked"),
        (EVENTS[:1], "interrupted", "all right so far"),
        (EVENTS[1:2], None, "nothing was checked"),
        (EVENTS[2:3], "fail-fast", "not right"),
        (EVENTS[4:], None, "not right"),
    ],
)
def test_markdown_says_no_more_than_is_known(events, stopped, said):
    text = written_report(MarkdownRunReporter, INFO, events, stopped=stopped)
    assert text.startswith(f"## perftkit: {said}\n")


def test_markdown_does_not_call_right_what_was_only_counted():
    counted = Outcome(ROW, 1, OK, nodes=6)
    assert written(MarkdownRunReporter, [counted]).startswith("## perftkit: nothing was compared")


@pytest.mark.parametrize("format", ["markdown", "junit", "github", "ndjson"])
def test_each_is_a_format_of_run(invoke_run, format):
    result = invoke_run("--format", format)
    assert result.exit_code == 1
    assert "97817" in result.stdout


@pytest.fixture
def invoke_run(tmp_path):
    from click.testing import CliRunner

    from perftkit import KIWIPETE
    from perftkit.cli.app import app

    suite = tmp_path / "wrong.epd"
    suite.write_text(f"{KIWIPETE} ;D3 97817\n")
    return lambda *args: CliRunner().invoke(app, ["run", str(suite), *args])


def test_a_division_as_markdown():
    from click.testing import CliRunner

    from perftkit.cli.app import app

    result = CliRunner().invoke(app, ["divide", "--depth", "2", "--format", "markdown"])
    rows = [line.split(" | ") for line in result.stdout.splitlines() if line.startswith("| ")]
    assert len(rows) == 23
    assert rows[-1][:2] == ["| total", "400"]  # the published count
    assert {row[1] for row in rows[2:-1]} == {"20"}
