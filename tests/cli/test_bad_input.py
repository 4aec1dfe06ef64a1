import gzip
import os
from pathlib import Path

import pytest

from perftkit import STARTPOS

BAD_FENS = {
    "empty": "",
    "blank": "   ",
    "cut off": STARTPOS[:30],
    "10,000 characters": "p" * 10_000,
    "10,000 fields": "w " * 5_000,
    "NUL": STARTPOS.replace("8", "\0", 1),
    "emoji": STARTPOS.replace("8", "\N{BLACK CHESS PAWN}\N{GRINNING FACE}", 1),
    "escape": "\x1b[2J" + STARTPOS,
    "lone surrogate": "\udc80" + STARTPOS,
    "no king": "8/8/8/8/8/8/8/8 w - - 0 1",
    "huge clock": STARTPOS.replace("0 1", "9" * 5_000 + " 1"),
}
needs_full_device = pytest.mark.skipif(
    not Path("/dev/full").exists(), reason="needs a device that is always full"
)
DEPTHS = ["-1", "0", "65", "99", "x", "", "1.5", "9" * 5_000, "٣"]


def assert_refused(result):
    """One clear message on standard error, nothing on standard output, status 2."""
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.count("Error:") == 1
    assert "unexpected" not in result.stderr
    assert "\x1b" not in result.stderr
    assert len(result.stderr) < 6_000


@pytest.mark.parametrize("fen", BAD_FENS.values(), ids=BAD_FENS)
@pytest.mark.parametrize("command", [["show"], ["divide"], ["run", "--fen"]], ids="-".join)
def test_fens(invoke, command, fen):
    assert_refused(invoke(*command, fen))


def test_a_command_of_any_length(invoke):
    result = invoke("p" * 10_000)
    assert_refused(result)
    assert "there is no command 'ppp" in result.stderr


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("e4", "; one is like 'rnbqkbnr/"),
        ("Start", "did you mean startpos?"),
        ("5", "--depth 5"),
        ("startpos e2e4 e7e5 3", "type: perftkit divide startpos --moves 'e2e4 e7e5'"),
        (f"fen {STARTPOS}", f"type: '{STARTPOS}'"),
        (f"position fen {STARTPOS} moves e2e4", f"perftkit divide '{STARTPOS}' --moves e2e4"),
        (STARTPOS.replace("/", "\\"), "parted by /"),
        (STARTPOS.replace(" ", "_"), "parted by spaces"),
        (f"'{STARTPOS}'", "one pair is enough"),
        (f"{STARTPOS} ;D1 20", f"give its FEN alone: '{STARTPOS}'"),
    ],
)
@pytest.mark.parametrize("command", [["show"], ["divide"], ["run", "--fen"]], ids="-".join)
def test_what_is_no_fen_is_told_in_a_sentence(invoke, command, text, words):
    result = invoke(*command, text)
    assert_refused(result)
    assert len(result.stderr.splitlines()) == 1
    assert words in result.stderr


@pytest.mark.parametrize("depth", DEPTHS)
@pytest.mark.parametrize("command", ["run", "divide"])
def test_depths(invoke, command, depth):
    result = invoke(command, "--depth", depth)
    assert_refused(result)
    assert "1 to 64" in result.stderr


def test_depth_0_says_why(invoke):
    assert "always 1 node" in invoke("divide", "--depth", "0").stderr


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["run", "--dept", "3"], "there is no option '--dept', did you mean --depth?"),
        (["run", "--max-nodes", "0"], "'0' is no whole number of 1 or more."),
        (["run", "--max-nodes", "1M"], "'1M' is no whole number of 1 or more; write 1000000."),
        (["suite", "lint", "x.epd", "--verify", "2e6"], "write 2000000."),
        (["run", "--threads", "many"], "'many' is no whole number from 0 to 1024."),
        (["bench", "--runs", "9" * 5000], "from 1 to 1000"),
        (["run", "--depth"], "--depth needs a value: --depth N"),
        (["divide", "-d"], "-d needs a value: -d N"),
        (["run", "--engine", "--depth", "3"], "--engine needs a value before --depth"),
        (["show"], "Missing argument 'FEN...': startpos, kiwipete, or a FEN in quotes"),
        (["engine"], "Missing argument 'SPEC': a command such as stockfish or './my-engine --uci'"),
        (["suite", "lint"], "Missing argument 'SUITE...': a file, "),
        (["run", "--format", "xml"], "there is no format 'xml': there are table, json, "),
        (["run", "--method", "magic"], "there are fast, strict and both"),
        (["divide", "--sort", "size"], "there are move and nodes"),
        (["rnu"], "there is no command 'rnu', did you mean run?"),
        (["suite", "lnit"], "there is no command 'lnit', did you mean lint?"),
        (
            ["zzz"],
            "there is no command 'zzz': there are run, divide, engine, show, suite and bench",
        ),
        (["show"], "FEN"),
        (["suite", "lint"], "SUITE"),
    ],
    ids=" ".join,
)
def test_usage(invoke, args, words):
    result = invoke(*args)
    assert_refused(result)
    assert words in result.stderr


@pytest.mark.parametrize(
    ("given", "instead"),
    [
        ("perft.xml", "'perft.xml' begins with no format; write junit=perft.xml"),
        ("a.json", "'a.json' begins with no format; write json=a.json"),
        ("sub/perft.MD", "write markdown=sub/perft.MD"),
        ("=x.htm", "write html=x.htm"),
        ("json:out", "write json=out"),
        ("JUnit:perft.xml", "write junit=perft.xml"),
        ("xml=perft.xml", "'xml=perft.xml' begins with no format; write junit=perft.xml"),
        ("jsno=a.xml", "did you mean json?"),
        ("perft.doc", "begins with no format: there are table, json,"),
        ("", "begins with no format: there are table, json,"),
        ("html", "'html' names no file; write html=FILE."),
        ("html=", "'html=' names no file; write html=FILE."),
    ],
)
def test_reports(invoke, given, instead):
    result = invoke("run", "--report", given)
    assert_refused(result)
    assert instead in result.stderr


def test_reports_of_a_command_that_has_fewer(invoke):
    assert "there are table," in invoke("divide", "--report", "perft.xml").stderr


ENGINE_HINT = "to check an engine: perftkit run --engine"
POSITION_HINT = "to check a position: perftkit run --fen"


@pytest.mark.parametrize(
    ("words", "instead"),
    [
        (["./script"], f"./script is a script, expected a suite; {ENGINE_HINT} ./script"),
        (["script"], f"script is a script, expected a suite; {ENGINE_HINT} ./script"),
        (
            ["program"],
            f"expected a suite as text; {ENGINE_HINT} ./program",
        ),
        (["Stockfish"], f"Stockfish: there is no such file; {ENGINE_HINT} Stockfish"),
        (["uci:script"], f"uci:script: there is no such file; {ENGINE_HINT} uci:script"),
        (["kiwipete"], f"kiwipete: there is no such file; {POSITION_HINT} kiwipete"),
        ([STARTPOS], f": there is no such file; {POSITION_HINT} '{STARTPOS}'"),
        (STARTPOS.split(), f": there is no such file; {POSITION_HINT} '{STARTPOS}'"),
        (["good.epd", *STARTPOS.split()], f"{POSITION_HINT} '{STARTPOS}'"),
        (["5"], "5: there is no such file; a depth is given by --depth 5"),
        (["*.epd"], "*.epd: there is no such file; the shell fills in patterns where there are no"),
        (["*.epd"], "quotes: perftkit COMMAND good.epd"),
        (["[a-f]*/*"], "perftkit COMMAND folder/1.epd folder/2.epd folder/3.epd ..."),
        (["*.pgn"], "*.pgn: there is no such file; no file has a name of that pattern"),
        (["folder"], "folder is a folder, expected a suite file; the suites in it: perftkit"),
        (
            ["~/good.epd"],
            "by the shell alone, and not in quotes: write /home/me/good.epd",
        ),
        (["~/" + "x" * 500], "...: there is no such file; ~ and $ are filled in"),
        (
            ["$HOME/good.epd"],
            "by the shell alone, and not in quotes: write /home/me/good.epd",
        ),
        (["a.epd.gz"], "unpack it first; as a pipe: gunzip -c a.epd.gz | perftkit COMMAND -"),
    ],
    ids=str,
)
@pytest.mark.parametrize(
    "command", [["run"], ["suite", "lint"], ["suite", "stats"], ["suite", "fill"]], ids="-".join
)
def test_words_that_are_no_suite(invoke, monkeypatch, tmp_path, command, words, instead):
    monkeypatch.setenv("HOME", "/home/me")
    (tmp_path / "good.epd").write_text(f"{STARTPOS} ;D1 20\n")
    (tmp_path / "script").write_text("#!/bin/sh\n")
    (tmp_path / "program").write_bytes(b"\x7fELF\2\1\1" + bytes(9))
    for name in ("script", "program"):
        (tmp_path / name).chmod(0o755)
    (tmp_path / "a.epd.gz").write_bytes(gzip.compress(b"x"))
    (tmp_path / "folder").mkdir()
    for number in range(1, 5):
        (tmp_path / "folder" / f"{number}.epd").write_text(f"{STARTPOS} ;D1 20\n")
    result = invoke(*command, *words, prog_name="perftkit")
    assert_refused(result)
    assert instead.replace("COMMAND", " ".join(command)) in result.stderr


@pytest.mark.parametrize("word", ["missing.epd", "missing/", "[odd", "a$b", "perft_position"])
def test_names_that_may_be_misspelt_only_are_left_alone(invoke, word):
    result = invoke("run", word)
    assert_refused(result)
    assert "the shell" not in result.stderr
    assert "to check" not in result.stderr


def test_a_suite_that_may_be_run_is_a_suite(invoke, good):
    good.chmod(0o755)
    assert invoke("run", good).exit_code == 0


@pytest.mark.parametrize(
    "args",
    [
        ["run", "--output", "~/perft.json"],
        ["run", "--report", "html=~/perft.html"],
        ["run", "--baseline", "~/perft.json"],
        ["run", "--engine", "mine", "--engines", "~/engines.toml"],
        ["run", "--engine", "cat", "--engine-dir", "~/engine"],
        ["divide", "--paste", "~/notes.txt"],
        ["suite", "convert", "good.epd", "--output", "~/out.epd"],
    ],
    ids=" ".join,
)
def test_what_the_shell_did_not_fill_in(invoke, monkeypatch, good, args):
    monkeypatch.setenv("HOME", "/home/me")
    result = invoke(*args)
    assert result.exit_code in (2, 3)
    assert "~ and $ are filled in by the shell alone, and not in quotes: write /home/me/" in (
        result.stderr
    )


def unreadable(path):
    path.write_text(STARTPOS)
    path.chmod(0)
    return path


@pytest.mark.parametrize("command", [["run"], ["suite", "lint"], ["suite", "stats"]], ids="-".join)
@pytest.mark.parametrize("kind", ["missing", "folder", "binary", "unreadable", "loop", "escape"])
def test_files(invoke, tmp_path, command, kind):
    path = tmp_path / "suite.epd"
    if kind == "folder":
        path.mkdir()
    elif kind == "binary":
        path.write_bytes(bytes(range(256)) * 40)
    elif kind == "unreadable":
        if os.geteuid() == 0:
            pytest.skip("nothing is unreadable for the superuser")
        unreadable(path)
    elif kind == "loop":
        path.symlink_to(path)
    elif kind == "escape":
        path = tmp_path / "\x1b[31m.epd"
    result = invoke(*command, path)
    assert_refused(result)
    assert ".epd" in result.stderr


def test_a_missing_suite_is_said_before_anything_is_counted(invoke, good):
    assert_refused(invoke("run", good, "missing.epd"))


def test_an_output_file_that_cannot_be_written(invoke, good, tmp_path):
    for name in (tmp_path, tmp_path / "no" / "such" / "folder", "/dev/full/x"):
        result = invoke("run", good, "--output", name)
        assert_refused(result)
        assert "can't be written" in result.stderr


@pytest.mark.parametrize(
    "args",
    [
        ["run", "missing.epd"],
        ["run", "--fen", "x"],
        ["run", "--depth", "x"],
        ["divide", "x"],
        ["divide", "--moves", "e9"],
        ["suite", "convert", "missing.epd"],
    ],
    ids=" ".join,
)
def test_bad_usage_leaves_an_output_file_as_it_was(invoke, tmp_path, args):
    path = tmp_path / "result"
    path.write_text("precious")
    assert_refused(invoke(*args, "--output", path))
    assert path.read_text() == "precious"
    assert [entry.name for entry in tmp_path.iterdir()] == ["result"]


@needs_full_device
@pytest.mark.parametrize("args", [("run",), ("divide",), ("show", "startpos"), ("suite", "stats")])
def test_a_full_disk(process, args):
    with Path("/dev/full").open("w") as full:
        result = process(*args, stdout=full)
    assert result.returncode == 2
    assert result.stderr.decode() == "Error: the output can't be written: No space left on device\n"


@needs_full_device
def test_a_full_disk_by_name(process):
    result = process("run", "--output", "/dev/full")
    assert result.returncode == 2
    assert b"No space left on device" in result.stderr
    assert b"Traceback" not in result.stderr


@pytest.mark.parametrize("args", [("run",), ("run", "--format", "json"), ("suite", "convert")])
def test_a_reader_that_goes_away(process, args):
    reading, writing = os.pipe()
    os.close(reading)
    suites = () if args[0] == "run" else ("perft_positions",)
    result = process(*args, *suites, stdout=writing)
    os.close(writing)
    assert result.returncode == 0
    assert result.stderr == b""


def test_a_difference_is_not_forgotten_when_the_reader_goes_away(process, wrong):
    reading, writing = os.pipe()
    os.close(reading)
    result = process("run", wrong, stdout=writing)
    os.close(writing)
    assert (result.returncode, result.stderr) == (1, b"")


def test_closed_standard_output(process):
    result = process("show", "startpos", stdout=None, preexec_fn=lambda: os.close(1))
    assert result.returncode == 2
    assert result.stderr == b"Error: standard output is closed\n"


def test_an_unexpected_failure_is_one_sentence(invoke, monkeypatch):
    def fail(*_, **__):
        raise RuntimeError("\x1b[31mboom")

    monkeypatch.setattr("perftkit.cli.show.position_of", fail)
    result = invoke("show", "startpos")
    assert result.exit_code == 2
    assert len(result.stderr.splitlines()) == 1
    assert "RuntimeError: \\x1b[31mboom" in result.stderr
    assert "PERFTKIT_DEBUG=1" in result.stderr


def test_the_traceback_can_be_seen(monkeypatch, capsys):
    from perftkit.cli.app import app

    def fail(*_, **__):
        raise RuntimeError("boom")

    monkeypatch.setattr("perftkit.cli.show.position_of", fail)
    monkeypatch.setenv("PERFTKIT_DEBUG", "1")
    with pytest.raises(SystemExit) as leaving:
        app.main(["show", "startpos"])
    assert leaving.value.code == 2
    assert "Traceback" in capsys.readouterr().err
