import csv
import json
from pathlib import Path

import pytest


def test_several_reports_beside_the_table(invoke, good, tmp_path):
    result = invoke("run", good, "--report", "json=all.json", "--report", "csv=all.csv")
    assert result.exit_code == 0
    assert "2 positions, 6 rows: 6 ok" in result.stdout
    assert json.loads((tmp_path / "all.json").read_text())["summary"]["ok"] == 6
    with (tmp_path / "all.csv").open() as stream:
        assert len(list(csv.DictReader(stream))) == 6


def test_a_table_in_a_file_and_json_on_standard_output(invoke, good, tmp_path):
    result = invoke("run", good, "--output", "table.txt", "--report", "json=-")
    assert json.loads(result.stdout)["summary"]["ok"] == 6
    assert "6 rows: 6 ok" in (tmp_path / "table.txt").read_text()


def test_several_reports_of_a_division(invoke, tmp_path):
    result = invoke("divide", "--depth", 2, "--report", "json=all.json", "--report", "csv=all.csv")
    assert result.exit_code == 0
    assert "20 moves, depth 2, 400 nodes" in result.stdout
    document = json.loads((tmp_path / "all.json").read_text())
    assert (document["nodes"], len(document["children"])) == (400, 20)
    assert len((tmp_path / "all.csv").read_text().splitlines()) == 21


def test_several_reports_of_a_walk(invoke, engine, tmp_path):
    result = invoke(
        *("divide", "kiwipete", "--depth", 2, "--engine", engine("castling")),
        *("--report", "json=all.json", "--report", "csv=all.csv"),
    )
    assert result.exit_code == 1
    document = json.loads((tmp_path / "all.json").read_text())
    assert document["verdict"] == "mismatch"
    assert document["children"]
    assert (tmp_path / "all.csv").read_text().startswith("move,status,")


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("--report", "json"), "names no file; write json=FILE"),
        (("--report", "json="), "names no file"),
        (("--report", "yaml=a"), "begins with no format"),
        (("--report", "json=a", "--report", "csv=a"), "two reports can't both go to a"),
        (("--report", "json=a", "--report", "csv=./a"), "two reports can't both go to ./a"),
        (("--report", "json=-"), "two reports can't both go to standard output"),
        (("--report", "json=good.epd"), "would overwrite the suite itself"),
        (("--report", "json=no/such/folder/x"), "can't be written"),
    ],
)
def test_reports_that_can_not_be(invoke, good, args, message):
    result = invoke("run", "good.epd", *args)
    assert result.exit_code == 2
    assert message in result.stderr
    assert good.read_text().count(";D1") == 2


needs_full_device = pytest.mark.skipif(
    not Path("/dev/full").exists(), reason="there is no device that is always full"
)


@needs_full_device
def test_a_full_disk_ends_one_report_and_not_the_others(process, good, tmp_path):
    result = process("run", good, "--report", "json=/dev/full", "--report", "csv=all.csv")
    assert result.returncode == 2
    assert b"/dev/full can't be written: No space left on device" in result.stderr
    assert b"2 positions, 6 rows: 6 ok" in result.stdout
    assert len((tmp_path / "all.csv").read_text().splitlines()) == 7


@needs_full_device
def test_a_full_disk_under_the_result_leaves_the_reports(process, good, tmp_path):
    with Path("/dev/full").open("w") as full:
        result = process("run", good, "--report", "json=all.json", stdout=full)
    assert result.returncode == 2
    assert b"the output can't be written: No space left on device" in result.stderr
    assert json.loads((tmp_path / "all.json").read_text())["summary"]["ok"] == 6
