"""Engines that pytest checks: by option, by configuration and by fixture."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import chess
import pytest
from pytest_project import planted, scripted

from perftkit import KIWIPETE, STARTPOS

HAS_PROC = Path("/proc/self/stat").exists()
CASTLES_OVER_MEN = planted("castling-over-men", "white")
HEALTHY = planted("none")


def lines_of(result):
    return result.stdout.str().splitlines()


def is_alive(pid):
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def test_without_any_configuration(project):
    project.suite()
    result = project.run("--perft-engine", CASTLES_OVER_MEN, "suite.epd", "-v", "-k", "kiwipete")
    result.assert_outcomes(passed=2, failed=1)
    # By python-chess: e2d1 b4c3 leads to a position where e1c1 is not possible, as a bishop
    # stands on d1.
    result.stdout.fnmatch_lines(
        [
            "suite.epd::kiwipete::depth-2 PASSED*",
            "suite.epd::kiwipete::depth-3 FAILED*",
            "nodes: expected 97,862, got *",
            "kiwipete, depth 3, in suite.epd:3",
            "  nodes       expected          97,862  got *difference +*",
            "First wrong position, depth 1:",
            " 1  R  .  .[*] B  K[*] .  .  R",
            "extra         e1c1  (marked [*])",
            "rule          castling-path  (certain)",
            "show again    perftkit divide 'r3k2r/* --depth 1 --engine 'uci:*castling-over-men*",
            f"repeat        perftkit divide '{KIWIPETE}' --depth 3 --engine 'uci:*over-men*",
            "FAILED suite.epd::kiwipete::depth-3*",
        ]
    )
    assert "Traceback" not in result.stdout.str()


def test_only_the_first_failing_depth_of_a_row_is_looked_into(project):
    project.suite()
    result = project.run("--perft-engine", CASTLES_OVER_MEN, "suite.epd", "-k", "start")
    result.assert_outcomes(failed=3)
    text = result.stdout.str()
    assert text.count("First wrong position") == 1
    assert text.count("see depth 1 of this row, where the engine is wrong already") == 2


def test_a_right_engine_passes(project):
    project.write("pytest.ini", f"[pytest]\nperft_engine = {HEALTHY}\nperft_suites = *.epd\n")
    project.suite()
    project.run().assert_outcomes(passed=6)


@pytest.mark.skipif(not HAS_PROC, reason="looks for processes in /proc")
@pytest.mark.parametrize("how", ["option", "fixture"])
def test_one_engine_is_opened_and_closed_at_the_end(project, how):
    engine = scripted("none", project.path / "pids")
    options = ("--perft-engine", engine)
    if how == "fixture":
        options = ()
        text = f"import pytest\n@pytest.fixture\ndef perft_engine():\n    return {engine!r}\n"
        project.write("conftest.py", text)
    project.suite()
    project.run("suite.epd", *options).assert_outcomes(passed=6)
    started = (project.path / "pids").read_text().split()
    assert len(started) == 1
    assert not is_alive(started[0])


def test_the_path_of_a_configured_engine_begins_at_the_root_folder(project):
    program = project.write("my-engine", f"#!/bin/sh\nexec {sys.executable} -m planted\n")
    program.chmod(0o755)
    project.write("pytest.ini", "[pytest]\nperft_engine = ./my-engine\n")
    project.suite("data/suite.epd")
    folder = project.path / "data"
    done = subprocess.run(
        project.command("suite.epd", "--perft-depth", 2),
        cwd=folder, capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert "4 passed" in done.stdout
    assert "there is no program" not in done.stdout


def test_an_engine_with_a_name(project):
    project.write(
        "pyproject.toml",
        '[tool.pytest.ini_options]\nperft_engine = "mine"\nperft_depth = 2\n'
        f"[tool.perftkit.engines.mine]\nspec = '''{HEALTHY}'''\n",
    )
    project.suite()
    project.run("suite.epd").assert_outcomes(passed=4)


def test_rows_without_counts(project):
    project.suite(text=f"{STARTPOS}\n")
    result = project.run("suite.epd", "--perft-depth", 2, "-rs")
    result.assert_outcomes(skipped=2)
    result.stdout.fnmatch_lines(["SKIPPED [[]2] suite.epd:1: the row has no counts, and there is*"])
    engine = ("--perft-engine", HEALTHY)
    project.run("suite.epd", "--perft-depth", 2, *engine).assert_outcomes(passed=2)
    engine = ("--perft-engine", CASTLES_OVER_MEN)
    project.run("suite.epd", "--perft-depth", 2, *engine).assert_outcomes(failed=2)


def test_optional_rows_are_asked_for_by_their_id(project):
    project.suite(text=f'{STARTPOS} ;D1 20 ;id "odd" ;optional "nobody needs it"\n')
    project.run("suite.epd").assert_outcomes(passed=1)
    engine = ("--perft-engine", HEALTHY, "-rs")
    result = project.run("suite.epd", *engine)
    result.assert_outcomes(skipped=1)
    result.stdout.fnmatch_lines(["*nobody needs it; --perft-id odd asks for it"])
    project.run("suite.epd", *engine, "--perft-id", "odd").assert_outcomes(passed=1)


@pytest.mark.parametrize("count", [2039, 2040])
def test_a_number_of_the_suite_that_nobody_confirms(project, count):
    project.suite(text=f'{KIWIPETE} ;D2 {count} ;id "kiwipete"\n')
    result = project.run("suite.epd", "--perft-engine", HEALTHY)
    assert result.parseoutcomes() == ({"passed": 1} if count == 2039 else {"failed": 1})
    if count != 2039:  # the Chess Programming Wiki's table
        assert "THE SUITE IS DISPUTED" in result.stdout.str()
        assert "First wrong position" not in result.stdout.str()


def test_counters_are_compared_without_an_engine(project):
    project.suite(text=f'{KIWIPETE} ;D2 2039 cap=350 ep=1 cas=91 ;id "kiwipete"\n')
    result = project.run("suite.epd")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["  captures    expected             350  got             351  *"])


# Engines that fail.


def test_an_engine_that_cannot_be_started(project):
    project.suite()
    result = project.run("suite.epd", "--perft-engine", "./nowhere", "--perft-depth", 1)
    result.assert_outcomes(errors=2)
    result.stdout.fnmatch_lines(["there is no program './nowhere'*"])
    assert "Traceback" not in result.stdout.str()
    assert "pytest_plugin.py" not in result.stdout.str()


def test_advice_names_what_there_is_in_pytest(project):
    project.suite()
    program = project.write("mute", "#!/bin/sh\necho hello\n")
    program.chmod(0o755)
    said = project.run("suite.epd::start", "--perft-engine", "./mute").stdout.str()
    assert "with perft-command = 'perft {depth}'" in said
    assert "total-pattern or divide-pattern. " in said
    assert "in the file that describes an engine, as [tool.perftkit.engines.NAME]" in said
    assert " --" not in said.partition("= ERRORS =")[2]
    project.write("with space", "")
    said = project.run("suite.epd::start", "--perft-engine", "./with space").stdout.str()
    assert "needs quotes of its own: --perft-engine" in said


@pytest.mark.parametrize("chess960", [False, True])
def test_a_function_that_raises_fails_the_test_in_one_line(project, chess960):
    text = "def raises(fen, depth):\n    raise KeyError('what')\n"
    fixture = "import pytest\n@pytest.fixture\ndef perft_engine():\n    return raises\n"
    project.write("conftest.py", text + fixture)
    fen = "rkr5/8/8/8/8/8/8/RKR5 w CAca - 0 1" if chess960 else STARTPOS
    project.suite(text=f"{fen} ;D1 20\n")
    result = project.run("suite.epd")
    result.assert_outcomes(failed=1)
    said = result.stdout.str()
    assert "raises raised 'KeyError: 'what'' at " in said
    assert "check.py" not in said
    assert "python.py" not in said


def test_an_engine_that_dies(project):
    project.suite(text=f'{KIWIPETE} ;D1 48 ;D3 97862 ;D4 4085603 ;id "kiwipete"\n')
    result = project.run("suite.epd", "--perft-engine", scripted("dies"), "-rs")
    result.assert_outcomes(passed=1, failed=1, skipped=1)
    result.stdout.fnmatch_lines(["SKIPPED * suite.epd:1: the engine failed at depth 3"])
    text = result.stdout.str()
    assert "assertion failed" in text
    assert "\x1b]0;title" not in text
    assert "Traceback" not in text
    assert "pytest_plugin.py" not in text


def test_an_engine_that_hangs(project):
    project.suite(text=f'{KIWIPETE} ;D1 48 ;D3 97862 ;id "kiwipete"\n')
    options = ("--perft-engine", scripted("hangs"), "--perft-timeout", "500ms")
    start = time.monotonic()
    result = project.run("suite.epd", *options)
    assert time.monotonic() - start < 20
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["*0.5 s*"])
    result.stdout.fnmatch_lines(["repeat *--timeout 0.5"])


@pytest.mark.skipif(not HAS_PROC, reason="looks for processes in /proc")
@pytest.mark.parametrize("workers", [(), ("-p", "xdist", "-n", "2")])
def test_no_engine_is_left_behind_at_ctrl_c(project, workers):
    rows = "".join(f'{KIWIPETE} ;D3 97862 ;id "{name}"\n' for name in "abcd")
    project.suite(text=rows)
    pids = project.path / "pids"
    command = project.command("suite.epd", *workers, "--perft-engine", scripted("hangs", pids))
    with subprocess.Popen(
        command, cwd=project.path, stdout=subprocess.PIPE, text=True, start_new_session=True
    ) as running:
        hanging = Path(f"{pids}.hanging")
        deadline = time.monotonic() + 40
        while not hanging.exists() and time.monotonic() < deadline:
            time.sleep(0.05)
        assert hanging.exists()
        os.killpg(running.pid, signal.SIGINT)
        output, _ = running.communicate(timeout=30)
    assert "KeyboardInterrupt" in output or "Interrupted" in output
    started = [int(line) for line in pids.read_text().split()]
    deadline = time.monotonic() + 10
    while any(map(is_alive, started)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not [pid for pid in started if is_alive(pid)]


# Fixtures.

FIXTURE = """\
import pytest
from pathlib import Path

class Engine:
    name = spec = "own"

    def __init__(self):
        from perftkit.engines import Abilities
        self.abilities = Abilities(divides=False, takes_moves=False)
        self.say("opened")

    def say(self, text):
        with open("log", "a") as log:
            log.write(text + "\\n")

    def ask(self, question):
        from perftkit import perft
        from perftkit.engines import Answer
        self.say(f"asked {question.depth}")
        return Answer(perft(question.fen, question.depth, chess960=question.chess960).nodes)

    def position_after(self, question):
        return None

    def close(self):
        self.say("closed")

@pytest.fixture(scope="SCOPE")
def perft_engine():
    engine = Engine()
    yield engine
    engine.close()
"""
ROW_OF_3 = ["asked 1", "asked 2", "asked 3"]


@pytest.mark.parametrize(
    ("scope", "expected"),
    [
        ("session", ["opened", *2 * ROW_OF_3, *2 * ROW_OF_3, "closed"]),
        ("module", 2 * ["opened", *2 * ROW_OF_3, "closed"]),
        ("function", [line for each in 4 * ROW_OF_3 for line in ("opened", each, "closed")]),
    ],
)
def test_a_fixture_of_any_scope(project, scope, expected):
    project.write("conftest.py", FIXTURE.replace("SCOPE", scope))
    project.write("pytest.ini", "[pytest]\nperft_engine = ./nowhere\nperft_suites = *.epd\n")
    project.suite("a.epd")
    project.suite("b.epd")
    project.run().assert_outcomes(passed=12)
    assert (project.path / "log").read_text().splitlines() == expected


@pytest.mark.parametrize("known", [False, True, None])
def test_chess960_is_skipped_where_the_engine_does_not_know_it(project, known):
    fen = "rkr5/8/8/8/8/8/8/RKR5 w CAca - 0 1"
    count = chess.Board(fen, chess960=True).legal_moves.count()
    project.suite(text=f"{fen} ;D1 {count}\n")
    known_text = f"Abilities(divides=False, takes_moves=False, chess960={known})"
    text = FIXTURE.replace("SCOPE", "session")
    text = text.replace("Abilities(divides=False, takes_moves=False)", known_text)
    project.write("conftest.py", text)
    result = project.run("suite.epd", "-rs")
    if known is False:
        result.assert_outcomes(skipped=1)
        result.stdout.fnmatch_lines(["SKIPPED * suite.epd:1: the engine does not know Chess960"])
    else:
        result.assert_outcomes(passed=1)


def test_nothing_is_opened_while_tests_are_collected(project):
    project.write("conftest.py", FIXTURE.replace("SCOPE", "session"))
    project.suite()
    project.run("--co", "suite.epd")
    assert not (project.path / "log").exists()


@pytest.mark.parametrize(
    ("value", "outcomes"),
    [
        ("None", {"passed": 6}),
        ("my_perft", {"passed": 6}),
        ("wrong_perft", {"passed": 1, "failed": 5}),
        ("chess.Board", {"passed": 6}),
        ("chess.Board()", {"passed": 6}),
        (repr(HEALTHY), {"passed": 6}),
        ("17", {"failed": 6}),
        ("'./nowhere'", {"failed": 6}),
    ],
)
def test_what_a_fixture_may_return(project, value, outcomes):
    project.write(
        "conftest.py",
        "import chess, pytest\nfrom perftkit import divide, perft\n"
        "def my_perft(fen, depth):\n"
        "    return {move: each.nodes for move, each in divide(fen, depth).items()}\n"
        "def wrong_perft(fen, depth):\n"
        "    return 20\n"
        f"@pytest.fixture\ndef perft_engine():\n    return {value}\n",
    )
    project.suite()
    result = project.run("suite.epd")
    assert result.parseoutcomes() == outcomes
    assert "Traceback" not in result.stdout.str()
    assert "pytest_plugin.py" not in result.stdout.str()


def test_a_fixture_that_raises_is_shown_as_pytest_does(project):
    text = "import pytest\n@pytest.fixture\ndef perft_engine():\n    raise RuntimeError('what')\n"
    project.write("conftest.py", text)
    project.suite()
    result = project.run("suite.epd", "--perft-depth", 1)
    result.assert_outcomes(errors=2)
    result.stdout.fnmatch_lines(["E       RuntimeError: what", "conftest.py:4: RuntimeError"])
    assert "pluggy" not in result.stdout.str().partition("= ERRORS =")[2]


PARAMS = """\
import chess, pytest

def twenty(fen, depth):
    return 20

@pytest.fixture(scope="SCOPE", params=[
    pytest.param("board", id="a board"),
    "twenty",
    pytest.param("none", marks=pytest.mark.skip(reason="not today")),
])
def perft_engine(request):
    return {"board": chess.Board, "twenty": twenty, "none": None}[request.param]
"""


@pytest.mark.parametrize("scope", ["function", "module", "session"])
def test_a_fixture_with_parameters(project, scope):
    project.write("conftest.py", PARAMS.replace("SCOPE", scope))
    project.suite()
    result = project.run("suite.epd", "-v", "-rfs", "--perft-depth", 2)
    result.assert_outcomes(passed=5, failed=3, skipped=4)
    result.stdout.fnmatch_lines(
        [
            "suite.epd::kiwipete::depth-1[[]a board] PASSED*",
            "* kiwipete depth 2[[]twenty] *",
            "FAILED suite.epd::start::depth-2[[]twenty] - nodes: expected 400, got 20 (-380)",
            "SKIPPED [[]4]*: not today",
        ]
    )
    # The row that is wrong at depth 1 is looked into for the engine that is wrong, and once.
    assert result.stdout.str().count("see depth 1 of this row") == 1
    result = project.run("suite.epd::kiwipete::depth-2[a board]", "--perft-depth", 2)
    result.assert_outcomes(passed=1)
    result = project.run("suite.epd::kiwipete::depth-2", "--perft-depth", 2)
    result.assert_outcomes(passed=1, failed=1, skipped=1)
    project.run("suite.epd", "-k", "board and depth1").assert_outcomes(passed=2)


@pytest.mark.parametrize("indirect", [False, True])
def test_engines_from_a_hook(project, indirect):
    text = (
        "import chess, pytest\n"
        "def twenty(fen, depth):\n    return 20\n"
        "@pytest.fixture\ndef perft_engine(request):\n    return request.param\n"
        "def pytest_generate_tests(metafunc):\n"
        "    if hasattr(metafunc.module, 'no_engines'):\n        return\n"
        "    if 'perft_engine' in metafunc.fixturenames:\n"
        "        engines = [chess.Board, twenty]\n"
        f"        metafunc.parametrize('perft_engine', engines, indirect={indirect})\n"
    )
    project.write("conftest.py", text)
    project.suite()
    project.run("suite.epd", "--perft-depth", 1).assert_outcomes(passed=3, failed=1)


def test_other_fixtures_with_parameters(project):
    text = (
        "import pytest\n@pytest.fixture(autouse=True, params=['a', 'b'])\n"
        "def seen(request):\n    return request.param\n"
    )
    project.write("conftest.py", text)
    project.suite()
    project.run("suite.epd", "--perft-depth", 1).assert_outcomes(passed=4)


@pytest.mark.parametrize("ends", ["return None", "yield None"])
def test_an_async_fixture_that_nobody_awaits(project, ends):
    project.write(
        "conftest.py", f"import pytest\n@pytest.fixture\nasync def perft_engine():\n    {ends}\n"
    )
    project.suite()
    result = project.run("suite.epd::start", "--perft-depth", 1)
    assert "async" in result.stdout.str().rpartition("short test summary")[2]
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    assert "INTERNALERROR" not in result.stdout.str()


def test_an_engine_of_ones_own_that_slips(project):
    text = FIXTURE.replace("SCOPE", "session").replace("return Answer(", "return str(")
    project.write("conftest.py", text)
    project.suite()
    result = project.run("suite.epd::start", "--perft-depth", 1)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*own returned ''20''; it is to return an object of*"])
    assert "check.py" not in result.stdout.str()


def test_a_fixture_that_skips(project):
    text = "import pytest\n@pytest.fixture\ndef perft_engine():\n    pytest.skip('not here')\n"
    project.write("conftest.py", text)
    project.suite()
    project.run("suite.epd", "--perft-depth", 1).assert_outcomes(skipped=2)


def test_other_fixtures_that_all_tests_use(project):
    text = (
        "import pytest\n@pytest.fixture(autouse=True)\ndef seen(request, tmp_path):\n"
        "    assert request.module is None and request.node.fspath\n"
        "    with open('seen', 'a') as log:\n        log.write(request.node.name + '\\n')\n"
    )
    project.write("conftest.py", text)
    project.suite()
    project.run("suite.epd", "--perft-depth", 1).assert_outcomes(passed=2)
    assert (project.path / "seen").read_text() == "depth-1\ndepth-1\n"


def test_ordinary_tests_can_use_the_engine(project):
    project.write(
        "test_it.py",
        "from perftkit import KIWIPETE\nfrom perftkit.testing import assert_perft\n"
        "def test_it(perft_engine):\n    assert_perft(perft_engine, KIWIPETE, 2, 2039)\n",
    )
    project.run("--perft-engine", HEALTHY).assert_outcomes(passed=1)
    project.run("--perft-engine", planted("en-passant-missing")).assert_outcomes(failed=1)


# What pytest's own options make of it.


def test_workers(project):
    project.write("pytest.ini", "[pytest]\nperft_suites = *.epd\n")
    project.suite("a.epd")
    project.suite("b.epd", f"{STARTPOS} ;D1 21\n8/8 w\n")
    workers = ("-p", "xdist", "-n", "2")
    result = project.run_apart(*workers, "--perft-engine", HEALTHY)
    result.assert_outcomes(passed=6, failed=2)
    result.stdout.fnmatch_lines(["*nodes: expected 21, got 20 (-1)*"])
    project.run_apart(*workers, "a.epd::kiwipete").assert_outcomes(passed=3)


def test_last_failed(project):
    project.suite(text=f'{STARTPOS} ;D1 20 ;D2 401 ;id "a"\n{KIWIPETE} ;D1 48 ;id "b"\n8/8 w\n')
    project.write("test_it.py", "def test_passes(): pass\ndef test_fails(): assert False\n")
    project.write("pytest.ini", "[pytest]\nperft_suites = *.epd\n")
    project.run().assert_outcomes(passed=3, failed=3)
    result = project.run("--lf", "-v")
    result.assert_outcomes(failed=3)
    result.stdout.fnmatch_lines(["suite.epd::a::depth-2 FAILED*"])


def test_junit(project):
    project.suite(text=f'{STARTPOS} ;D1 20 ;id "a"\n{KIWIPETE} ;D1 49 ;id "\x1b[31mb"\n')
    project.suite("b.epd", text=f'{STARTPOS} ;D1 20 ;id "a"\n{KIWIPETE} ;D1 49 ;id "b"\n')
    project.run("suite.epd", "b.epd", "--junitxml=x.xml", "-o", "junit_family=xunit1")
    cases = ElementTree.parse(project.path / "x.xml").findall(".//testcase")
    named = {(case.get("classname"), case.get("name")): case for case in cases}
    failing = named["b.epd.b", "depth-1"]
    assert (failing.get("file"), failing.get("line")) == ("b.epd", "1")
    assert failing.find("failure").get("message") == "nodes: expected 49, got 48 (-1)"
    assert "in b.epd:2" in failing.find("failure").text


@pytest.mark.parametrize("workers", [(), ("-p", "xdist", "-n", "1")], ids=["alone", "xdist"])
def test_a_summary_has_a_line_for_each_failure(project, monkeypatch, workers):
    # Where CI is set, pytest writes the whole message of a failure into its summary.
    monkeypatch.setenv("CI", "true")
    project.suite()
    engine = ("--perft-engine", CASTLES_OVER_MEN)
    result = project.run_apart(*workers, *engine, "suite.epd", "-k", "start", "--color=no")
    lines = lines_of(result)
    summary = lines[next(i for i, line in enumerate(lines) if "short test summary" in line) + 1 :]
    assert summary[:-1] == [
        "FAILED suite.epd::start::depth-1 - nodes: expected 20, got 22 (+2)",
        "FAILED suite.epd::start::depth-2 - nodes: expected 400, got 440 (+40)",
        "FAILED suite.epd::start::depth-3 - nodes: expected 8,902, got 10,602 (+1,700)",
    ]
    assert "rule          castling-path  (certain)" in lines


def test_a_line_for_each_failure_and_nothing_else(project):
    project.suite(text=f"# comment\n{STARTPOS} ;D1 21\n")
    lines = lines_of(project.run("suite.epd", "--tb=line"))
    assert f"{project.path / 'suite.epd'}:2: nodes: expected 21, got 20 (-1)" in lines
    assert not any(line.startswith("FEN ") for line in lines)


def test_without_the_terminal(project):
    project.suite(text=f"{STARTPOS} ;D1 21\n")
    done = subprocess.run(
        project.command("suite.epd", "-p", "no:terminal"),
        cwd=project.path, capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (pytest.ExitCode.TESTS_FAILED, "")


def test_each_folder_has_the_engine_of_its_conftest(project):
    project.write("pytest.ini", "[pytest]\nperft_suites = **/*.epd\nperft_depth = 1\n")
    for name in ("a", "b"):
        project.suite(f"{name}/same.epd")
    text = "import pytest\n@pytest.fixture\ndef perft_engine():\n    return lambda fen, depth: 20\n"
    project.write("b/conftest.py", text)
    result = project.run("-v")
    result.assert_outcomes(passed=3, failed=1)
    result.stdout.fnmatch_lines(["b/same.epd::kiwipete::depth-1 FAILED*"])


def test_a_suite_that_is_gone_when_its_tests_run(project):
    project.suite(text=f"{STARTPOS} ;D1 20 ;D2 401\n")
    project.write("test_it.py", "import os\ndef test_it():\n    os.remove('suite.epd')\n")
    project.run("test_it.py", "suite.epd").assert_outcomes(passed=2, failed=1)


def test_stopping_and_debugging(project):
    project.suite(text=f"{STARTPOS} ;D1 21 ;D2 400\n")
    project.run("suite.epd", "-x").assert_outcomes(failed=1)
    result = subprocess.run(
        project.command("suite.epd", "--pdb"),
        cwd=project.path, input="c\nc\n", capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert "1 failed, 1 passed" in result.stdout
    assert "INTERNALERROR" not in result.stdout


def test_colours_on_a_terminal_that_has_them(project):
    project.suite(text=f"{KIWIPETE} ;D1 49\n")
    plain = project.run("suite.epd", "--color=no").stdout.str()
    coloured = project.run("suite.epd", "--color=yes", "--junitxml=x.xml").stdout.str()
    assert "\x1b[" not in plain
    assert "\x1b[1;31m-1\x1b[0m" in coloured
    assert "#x1B" not in (project.path / "x.xml").read_text()
