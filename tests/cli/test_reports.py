import csv
import json
import os
import subprocess
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


# Places that are no files of their own.

needs_open_files = pytest.mark.skipif(
    not Path("/dev/fd").exists(), reason="open files have no names"
)


@needs_open_files
@pytest.mark.parametrize("name", ["/dev/stdout", "/dev/fd/1"])
def test_standard_output_is_known_by_its_other_names(process, good, tmp_path, name):
    result = process("run", good, "--format", "json", "--output", name)
    assert json.loads(result.stdout)["summary"]["ok"] == 6
    with (tmp_path / "both.txt").open("w") as file:
        clash = process("run", good, "--report", f"json={name}", stdout=file)
    assert clash.returncode == 2
    assert b"two reports can't both go to standard output" in clash.stderr


@needs_open_files
@pytest.mark.parametrize("name", ["/dev/stderr", "/dev/fd/2"])
def test_standard_error_is_written_to_where_it_stands(process, good, tmp_path, name):
    with (tmp_path / "log.txt").open("w+") as log:
        log.write("before\n")
        log.flush()
        result = process("run", good, "--report", f"json={name}", stderr=log)
        log.seek(0)
        first, _, rest = log.read().partition("\n")
    assert (result.returncode, first) == (0, "before")
    assert json.loads(rest)["summary"]["ok"] == 6


@needs_open_files
def test_a_pipe_that_a_shell_has_opened_is_written_to(process, good):
    reading, writing = os.pipe()  # as in: --report json=>(gzip > perft.json.gz)
    with os.fdopen(reading, encoding="utf-8") as pipe:
        try:
            result = process("run", good, "--report", f"json=/dev/fd/{writing}", pass_fds=[writing])
        finally:
            os.close(writing)
        text = pipe.read()
    assert result.returncode == 0
    assert json.loads(text)["summary"]["ok"] == 6


@needs_open_files
def test_a_file_that_nobody_has_opened(process, good):
    result = process("run", good, "--report", "json=/dev/fd/777")
    assert result.returncode == 2
    assert b"/dev/fd/777 can't be written: Bad file descriptor" in result.stderr


def test_a_report_does_not_replace_the_file_that_standard_output_is(process, good, tmp_path):
    with (tmp_path / "all.txt").open("w") as file:
        result = process("run", good, "--report", "json=all.txt", stdout=file)
    assert result.returncode == 2
    assert b"two reports can't both go to all.txt" in result.stderr


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
def test_a_named_pipe_is_written_to(process, good, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with subprocess.Popen(["cat", "pipe"], cwd=tmp_path, stdout=subprocess.PIPE) as reader:
        process("run", good, "--report", "json=pipe")
        text = reader.communicate()[0]
    assert json.loads(text)["summary"]["ok"] == 6
    assert (tmp_path / "pipe").is_fifo()


@pytest.mark.skipif(os.name == "nt", reason="a path is short there")
def test_the_longest_name_that_a_file_may_have_is_no_hindrance(invoke, good, tmp_path):
    names = ["n" * 250 + ".csv", "n" * 250 + ".xml"]
    invoke("run", good, "--report", f"csv={names[0]}", "--report", f"junit={names[1]}")
    assert (tmp_path / names[0]).read_text().startswith("file,line,id")
    assert (tmp_path / names[1]).read_text().startswith("<?xml")
    assert {path.name for path in tmp_path.iterdir()} == {good.name, *names}


@pytest.mark.parametrize("summary", ["no/such/folder/summary.md", "."])
def test_a_summary_of_the_step_that_can_not_be_written_is_named(
    invoke, good, tmp_path, monkeypatch, summary
):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", summary)
    result = invoke("run", good, "--report", "github")
    assert result.exit_code == 2
    assert "2 positions, 6 rows: 6 ok" in result.stdout
    assert f"error: GITHUB_STEP_SUMMARY={summary} can't be written: " in result.stderr


@needs_open_files
def test_the_summary_of_the_step_may_be_standard_output(process, good):
    environ = {"GITHUB_STEP_SUMMARY": "/dev/stdout"}
    result = process("run", good, "--report", "github", env=environ)
    assert result.returncode == 0
    assert b"## perftkit: all right" in result.stdout
