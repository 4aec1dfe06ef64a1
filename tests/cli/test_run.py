"""Counts of the start position and of Kiwipete are the published ones."""

import csv
import io
import json

import pytest

from perftkit import KIWIPETE, STARTPOS
from perftkit.core.counts import COUNTERS


def test_all_agrees(invoke, good):
    result = invoke("run", good)
    assert result.exit_code == 0
    assert result.stderr == ""
    assert "2 positions, 6 rows: 6 ok" in result.stdout


def test_the_builtin_suite_is_the_default(invoke):
    result = invoke("run", "--depth", 1, "--format", "json")
    assert result.exit_code == 0
    document = json.loads(result.stdout)
    assert document["suite"] == "perft_positions"
    assert document["summary"]["positions"] >= 128
    assert document["positions"][0]["file"] == "perft_positions.epd"


def test_a_difference_is_told_counter_by_counter_and_in_words(invoke, wrong):
    result = invoke("run", wrong)
    assert result.exit_code == 1
    lines = [" ".join(line.split()) for line in result.stdout.splitlines()]
    assert "nodes expected 97,817 got 97,862 difference +45" in lines
    assert "captures expected 17,057 got 17,102 difference +45" in lines
    assert "e.p. expected 0 got 45 difference +45" in lines
    assert any("short by exactly the 45 en passant captures" in line for line in lines)
    assert f'look closer: perftkit divide "{KIWIPETE}" --depth 3' in lines
    assert "3 positions, 5 rows: 3 ok, 2 differ" in lines


def test_fail_fast(invoke, wrong):
    result = invoke("run", wrong, "--fail-fast", "--format", "json")
    assert result.exit_code == 1
    document = json.loads(result.stdout)
    assert document["summary"]["rows"] == 4
    assert document["summary"]["stopped"] == "fail-fast"


def test_bad_rows_do_not_stop_the_good_ones(invoke, mixed):
    result = invoke("run", mixed, "--format", "json")
    assert result.exit_code == 2
    assert "mixed.epd:2:" in result.stderr
    document = json.loads(result.stdout)
    assert [entry["line"] for entry in document["errors"]] == [2]
    assert document["summary"]["ok"] == 2
    assert document["summary"]["error"] == 1


def test_bad_input_matters_more_than_a_difference(invoke, mixed):
    mixed.write_text(mixed.read_text().replace("D1 48", "D1 49"))
    assert invoke("run", mixed).exit_code == 2


def test_json_is_that_of_the_contract(invoke, good):
    result = invoke("run", good, "--depth", 3, "--format", "json", "--max-nodes", 10000)
    document = json.loads(result.stdout)
    assert list(document) == [
        *("perftkit", "schema", "command", "suite", "depth", "method", "engine"),
        *("positions", "errors", "summary"),
    ]
    assert document["schema"] == 1
    assert document["command"] == "run"
    assert document["suite"] == "good.epd"
    assert document["depth"] == 3
    assert document["engine"] is None
    start, kiwipete = document["positions"]
    assert (start["id"], start["line"]) == ("start", 1)
    assert kiwipete["fen"] == KIWIPETE
    row = start["rows"][2]
    assert (row["depth"], row["status"], row["nodes"]) == (3, "ok", 8902)
    assert row["expected_nodes"] == 8902
    assert row["expected_counts"] == {"captures": 34, "checks": 12}
    assert list(row["counts"]) == list(COUNTERS)
    assert row["counts"]["captures"] == 34
    assert isinstance(row["seconds"], float)
    skipped = kiwipete["rows"][2]
    assert (skipped["status"], skipped["nodes"]) == ("skipped", None)
    assert "97862" in skipped["reason"]
    assert document["errors"] == []
    summary = document["summary"]
    assert list(summary) == [
        *("positions", "rows", "ok", "mismatch", "error", "skipped"),
        *("nodes", "seconds", "nps"),
    ]
    assert (summary["rows"], summary["ok"], summary["skipped"]) == (6, 5, 1)
    assert summary["nodes"] == 20 + 400 + 8902 + 48 + 2039


def test_a_row_that_is_only_a_fen(invoke, tmp_path):
    (tmp_path / "fens.txt").write_text(KIWIPETE + "\n")
    result = invoke("run", "fens.txt", "--depth", 2, "--format", "json")
    assert result.exit_code == 0
    rows = json.loads(result.stdout)["positions"][0]["rows"]
    assert [(row["nodes"], row["expected_nodes"]) for row in rows] == [(48, None), (2039, None)]


def test_csv(invoke, wrong):
    result = invoke("run", wrong, "--format", "csv")
    assert result.exit_code == 1
    rows = list(csv.DictReader(io.StringIO(result.stdout)))
    assert len(rows) == 5
    assert rows[3]["status"] == "mismatch"
    assert (rows[3]["nodes"], rows[3]["expected_nodes"]) == ("97862", "97817")
    assert (rows[3]["en_passant"], rows[3]["expected_en_passant"]) == ("45", "0")
    assert rows[3]["expected_checks"] == ""


def test_ids_are_selected_by_patterns(invoke, wrong):
    result = invoke("run", wrong, "--id", "start", "--id", "*again", "--format", "json")
    found = [entry["id"] for entry in json.loads(result.stdout)["positions"]]
    assert found == ["start", "start-again"]


def test_nothing_selected_is_no_success(invoke, good):
    result = invoke("run", good, "--id", "nobody")
    assert result.exit_code == 2
    assert "nothing was checked" in result.stderr


@pytest.mark.parametrize("words", [[KIWIPETE], KIWIPETE.split(), ["kiwipete"]])
def test_one_position(invoke, words):
    result = invoke("run", "--fen", *words, "--depth", 3, "--format", "json")
    assert result.exit_code == 0
    document = json.loads(result.stdout)
    assert document["suite"] is None
    (position,) = document["positions"]
    assert position["fen"] == KIWIPETE
    assert [row["nodes"] for row in position["rows"]] == [48, 2039, 97862]


def test_a_position_and_a_suite_exclude_each_other(invoke, good):
    result = invoke("run", good, "--fen", "startpos")
    assert result.exit_code == 2
    assert "can't both be given" in result.stderr


def test_standard_input(invoke, good):
    result = invoke("run", "-", input=good.read_text())
    assert result.exit_code == 0
    assert "6 ok" in result.stdout


def test_several_suites(invoke, good, wrong):
    result = invoke("run", good, wrong, "--format", "json")
    assert result.exit_code == 1
    document = json.loads(result.stdout)
    assert document["suite"] == "good.epd, wrong.epd"
    assert len({entry["file"] for entry in document["positions"]}) == 2


def test_the_published_convention(invoke, tmp_path):
    # Two double checks that are mate, as a table of the published convention counts them.
    fen = "6rk/7p/8/4N3/8/8/8/B3K3 w - - 0 1"
    (tmp_path / "wiki.epd").write_text(f"{fen} ;D1 16 chk=8 disc=6 dbl=0 mate=2\n")
    result = invoke("run", "wiki.epd")
    assert result.exit_code == 1
    assert "--convention wiki" in result.stdout
    assert invoke("run", "wiki.epd", "--convention", "wiki").exit_code == 0


# The first of the published 960 positions of Chess960.
CHESS960 = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w {} - 2 9 ;D1 21"


def test_chess960_is_asked_for(invoke, tmp_path):
    (tmp_path / "letters.epd").write_text(CHESS960.format("HFhf"))
    assert invoke("run", "letters.epd").exit_code == 0
    (tmp_path / "xfen.epd").write_text(CHESS960.format("KQkq"))
    assert invoke("run", "xfen.epd").exit_code == 2
    assert invoke("run", "xfen.epd", "--chess960").exit_code == 0


EVIL = "\N{RIGHT-TO-LEFT OVERRIDE}\N{CONTROL SEQUENCE INTRODUCER}31m\x1b]0;title\x07"


@pytest.mark.parametrize("kind", ["table", "csv", "json"])
def test_nothing_of_a_file_is_obeyed(process, tmp_path, kind):
    rows = [
        f'{KIWIPETE} ;D1 48 ;id "[bold]x[/bold] :smile:"',
        f'{KIWIPETE} ;D1 48 ;id "{EVIL}"',
        f"{EVIL} no row",
        f"{KIWIPETE} ;D1 48 ;{EVIL}",
    ]
    (tmp_path / "evil.epd").write_text("\n".join(rows))
    result = process("run", "evil.epd", "--format", kind, env={"FORCE_COLOR": "1"})
    text = (result.stdout + result.stderr).decode()
    assert "[bold]x[/bold] :smile:" in text
    assert not {*EVIL[:2], "\x07"} & set(text)
    assert "\x1b]" not in text


def test_a_budget_checks_the_same_on_every_run_and_says_what_it_leaves_out(invoke):
    """Times differ from run to run; what is checked does not."""
    arguments = ("run", "--budget", "50ms", "--format", "json")
    first, second = (json.loads(invoke(*arguments).stdout) for _ in range(2))
    rows = [
        [(row["depth"], row["status"]) for each in document["positions"] for row in each["rows"]]
        for document in (first, second)
    ]
    assert rows[0] == rows[1]
    assert {status for _, status in rows[0]} == {"ok", "skipped"}
    left_out = first["summary"]["skipped"]
    table = invoke("run", "--budget", "50ms", "--no-color").stdout
    assert f"left out for the budget of 0.05 s: {left_out} rows, " in table
    assert "\nskipped" not in table


def test_a_budget_goes_deeper_than_the_usual_depth_where_there_is_time(invoke):
    result = invoke("run", "--fen", "startpos", "--budget", "500ms", "--format", "json")
    rows = json.loads(result.stdout)["positions"][0]["rows"]
    assert [(row["depth"], row["status"]) for row in rows] == [
        (1, "ok"), (2, "ok"), (3, "ok"), (4, "ok"), (5, "ok"), (6, "skipped"),
    ]  # fmt: skip
    result = invoke("run", "--fen", "startpos", "--budget", "1s", "--depth", 2, "--format", "json")
    assert json.loads(result.stdout)["summary"]["rows"] == 2


def test_a_budget_for_a_suite_that_can_be_read_once_only(process, tmp_path):
    suite = tmp_path / "suite.epd"
    suite.write_text(f"{STARTPOS} ;D1 20 ;D2 400\nrubbish\n")
    with suite.open("rb") as stream:
        result = process("run", "-", "--budget", "1s", stdin=stream)
    assert result.returncode == 2
    assert b"2 ok" in result.stdout
    assert b"<stdin>:2" in result.stderr


@pytest.mark.parametrize(("nps", "rows"), [("500", 1), ("0.5k", 1), ("1G", 2)])
def test_the_speed_that_a_budget_reckons_with(invoke, tmp_path, nps, rows):
    suite = tmp_path / "suite.epd"
    suite.write_text(f"{STARTPOS} ;D1 20 ;D2 400\n")
    result = invoke("run", suite, "--budget", "100ms", "--nps", nps, "--format", "json")
    assert json.loads(result.stdout)["summary"]["ok"] == rows


@pytest.mark.parametrize("nps", ["0", "fast", "-1", "1e6", ""])
def test_a_speed_that_is_none(invoke, nps):
    result = invoke("run", "--budget", "1s", "--nps", nps)
    assert result.exit_code == 2
    assert "is no number of nodes such as 500k, 2M or 1.5G" in result.stderr


def test_a_budget_that_is_too_short_for_anything(invoke):
    result = invoke("run", "--budget", "1ms", "--nps", "1k", "--fen", "kiwipete")
    assert result.exit_code == 2
    assert "the budget of 0.001 s is too short for any row, at 1,000 n/s" in result.stderr


@pytest.mark.parametrize("format", ["table", "markdown", "html"])
def test_a_limit_by_which_every_row_is_skipped(invoke, good, format):
    result = invoke("run", good, "--max-nodes", 19, "--format", format)
    assert result.exit_code == 2
    assert result.stderr == (
        "error: nothing was checked: all 6 rows were skipped, since 20 nodes are more than the"
        " limit of 19; raise --max-nodes\n"
    )


def test_a_limit_by_which_all_rows_but_one_are_skipped(invoke, good):
    result = invoke("run", good, "--max-nodes", 20)
    assert (result.exit_code, result.stderr) == (0, "")


def test_rows_without_counts_are_counted_under_any_limit(invoke):
    result = invoke("run", "--fen", "startpos", "--max-nodes", 1)
    assert (result.exit_code, result.stderr) == (0, "")


def test_a_limit_is_not_mistaken_for_a_short_budget(invoke, good):
    result = invoke("run", good, "--max-nodes", 19, "--budget", "10s")
    assert result.exit_code == 2
    assert "raise --max-nodes" in result.stderr
    assert "too short" not in result.stderr


def test_a_speed_without_a_budget(invoke):
    result = invoke("run", "--nps", "1M")
    assert result.exit_code == 2
    assert "--nps is what --budget reckons with" in result.stderr
