"""Which files are suites for pytest, and what their tests are called."""

from __future__ import annotations

import ast
import subprocess
import sys
from importlib import metadata

import pytest

from perftkit import KIWIPETE, STARTPOS

ALL = [
    "suite.epd::start::depth-1",
    "suite.epd::start::depth-2",
    "suite.epd::start::depth-3",
    "suite.epd::kiwipete::depth-1",
    "suite.epd::kiwipete::depth-2",
    "suite.epd::kiwipete::depth-3",
]
PASSING = "def test_passes(): pass\n"


def names(result):
    return [line for line in result.outlines if "::" in line and "Error" not in line]


def collected(project, *args):
    return names(project.run("--co", "-q", *args))


def test_the_entry_point():
    try:
        dist = metadata.distribution("perftkit")
    except metadata.PackageNotFoundError:
        pytest.skip("perftkit is not installed as a distribution")
    points = [point for point in dist.entry_points if point.group == "pytest11"]
    assert [(point.name, point.value) for point in points] == [
        ("perftkit", "perftkit.pytest_plugin")
    ]


def test_an_installed_plugin_is_found(project, monkeypatch):
    if not metadata.entry_points(group="pytest11", name="perftkit"):
        pytest.skip("perftkit is not installed as a distribution")
    monkeypatch.delenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD")
    project.suite()
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "suite.epd", "--perft-depth", "2"],
        capture_output=True, text=True, check=True, timeout=60,
    )  # fmt: skip
    assert "4 passed" in done.stdout


def test_a_start_of_pytest_loads_nothing_of_the_core(project):
    project.write(
        "conftest.py",
        "import sys\ndef pytest_unconfigure():\n"
        "    roots = ('perftkit', 'click', 'rich')\n"
        "    print(sorted(name for name in sys.modules if name.split('.')[0] in roots))\n",
    )
    project.write("test_it.py", PASSING)
    result = project.run_apart("-q", "-s")
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["[[]'perftkit', 'perftkit.pytest_plugin']"])


def test_the_plugin_imports_nothing_of_the_core():
    program = "import sys, perftkit.pytest_plugin; print(sorted(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60
    )
    loaded = ast.literal_eval(done.stdout)
    assert [name for name in loaded if name.split(".")[0] in ("perftkit", "click", "rich")] == [
        "perftkit",
        "perftkit.pytest_plugin",
    ]


def test_it_is_silent_until_it_is_asked(project):
    project.suite()
    project.suite("data/other.epd")
    project.write("test_it.py", PASSING)
    result = project.run("-v")
    result.assert_outcomes(passed=1)
    text = result.stdout.str().replace("plugins: ", "")
    assert "suite" not in text
    assert "perft:" not in text


def test_a_file_on_the_command_line(project):
    project.suite()
    result = project.run("-v", "suite.epd")
    result.assert_outcomes(passed=6)
    assert [line.split()[0] for line in names(result)] == ALL


def test_other_files_need_to_be_configured(project):
    project.suite("suite.txt")
    assert project.run("suite.txt").ret != pytest.ExitCode.OK
    project.run("--perft-suite", "*.txt").assert_outcomes(passed=6)
    project.run("--perft-suite", "*.txt", "suite.txt").assert_outcomes(passed=6)


@pytest.mark.parametrize(
    "arg", ["suite.epd::kiwipete", "suite.epd::kiwipete::depth-2", "suite.epd::start"]
)
def test_node_ids_are_arguments(project, arg):
    project.suite()
    assert collected(project, arg) == [name for name in ALL if name.startswith(arg)]


@pytest.mark.parametrize(
    ("expression", "chosen"),
    [
        ("kiwipete and depth3", ["suite.epd::kiwipete::depth-3"]),
        ("kiwipete and depth-3", ["suite.epd::kiwipete::depth-3"]),
        ("start and not depth3", ALL[:2]),
        ("suite.epd", ALL),
    ],
)
def test_keywords(project, expression, chosen):
    project.suite()
    assert collected(project, "suite.epd", "-k", expression) == chosen


@pytest.mark.parametrize("where", ["pyproject.toml", "pytest.ini"])
def test_configured_suites(project, where):
    text = {
        "pyproject.toml": '[tool.pytest.ini_options]\nperft_suites = ["data/*.epd", "more/a.txt"]\n'
        "perft_depth = 2\n",
        "pytest.ini": "[pytest]\nperft_suites =\n    data/*.epd\n    more/a.txt\nperft_depth = 2\n",
    }
    project.write(where, text[where])
    project.write("test_it.py", PASSING)
    for name in ("data/one.epd", "data/two.epd", "more/a.txt", "more/b.txt", "c.epd"):
        project.suite(name)
    result = project.run("-v", "-p", "no:cacheprovider")
    result.assert_outcomes(passed=1 + 3 * 4)
    files = {line.split("::")[0] for line in names(result)}
    assert files == {"data/one.epd", "data/two.epd", "more/a.txt", "test_it.py"}
    project.run("test_it.py").assert_outcomes(passed=1)
    project.run("data").assert_outcomes(passed=8)
    project.run("data/one.epd").assert_outcomes(passed=4)


def test_configured_suites_beside_testpaths(project):
    ini = '[tool.pytest.ini_options]\ntestpaths = ["tests"]\nperft_suites = ["data/*.epd"]\n'
    project.write("pyproject.toml", ini)
    project.write("tests/test_it.py", PASSING)
    project.suite("data/one.epd")
    project.run().assert_outcomes(passed=7)
    project.run("tests").assert_outcomes(passed=1)


def test_the_command_line_goes_before_the_configuration(project):
    project.write(
        "pytest.ini",
        "[pytest]\nperft_suites = nowhere.epd\nperft_depth = 1\nperft_max_nodes = 10\n"
        "perft_ids = start\n",
    )
    project.suite()
    result = project.run(
        *("--perft-suite", "suite.epd", "--perft-depth", 2, "--perft-max-nodes", 400),
        *("--perft-id", "kiwi*", "--perft-id", "start", "-rs"),
    )
    result.assert_outcomes(passed=3, skipped=1)
    result.stdout.fnmatch_lines(["SKIPPED* suite.epd:3: 2039 nodes are more than the limit of 400"])


def test_a_suite_that_comes_with_perftkit(project):
    project.write("pytest.ini", "[pytest]\nperft_suites = perft_positions\nperft_depth = 1\n")
    result = project.run("-v", "-k", "kiwipete")
    result.stdout.fnmatch_lines(["perft_positions.epd::kiwipete::depth-1 PASSED*"])
    result = project.run("-v", "perft_positions::kiwipete", "--perft-depth", 2)
    result.assert_outcomes(passed=2)


# Folders that pytest does not look into.

HIDDEN = ["build", ".hidden", "node_modules", "a/dist/b", "venv"]


@pytest.mark.parametrize("folder", HIDDEN)
@pytest.mark.parametrize("workers", [(), ("-p", "xdist", "-n", "1")], ids=["alone", "xdist"])
def test_suites_in_folders_that_pytest_does_not_look_into(project, folder, workers):
    if folder == "venv":
        project.write("venv/pyvenv.cfg", "")
    project.write("pytest.ini", "[pytest]\n")
    project.write("test_it.py", PASSING)
    project.write(f"{folder}/test_other.py", PASSING)
    project.write(f"{folder}/more/test_other.py", PASSING)
    project.suite(f"{folder}/other.epd")
    suite = f"{folder}/x.epd"
    project.suite(suite)
    configured = ("-o", f"perft_suites={suite}")
    by_hand = ("--perft-suite", suite)
    if workers:
        result = project.run_apart(*workers, *configured)
        result.assert_outcomes(passed=7)
        return
    expected = [name.replace("suite.epd", suite) for name in ALL]
    for args in (configured, by_hand, (*by_hand, "."), (*by_hand, "test_it.py")):
        assert sorted(collected(project, *args)) == sorted([*expected, "test_it.py::test_passes"])
    assert collected(project, suite) == expected
    assert collected(project, suite, *configured) == expected
    ignored = f"--ignore={folder}"
    assert collected(project, *configured, ignored) == ["test_it.py::test_passes"]


def test_a_wildcard_does_not_lead_into_them(project):
    project.write("test_it.py", PASSING)
    for name in ("build/x.epd", "build/dist/x.epd", "data/x.epd"):
        project.suite(name)
    project.write("venv/pyvenv.cfg", "")
    project.suite("venv/lib/x.epd")

    def files(pattern):
        return {name.partition("::")[0] for name in collected(project, "--perft-suite", pattern)}

    assert files("**/*.epd") == {"test_it.py", "data/x.epd"}
    assert files("build/*.epd") == {"test_it.py", "build/x.epd"}
    assert files("build/**/*.epd") == {"test_it.py", "build/x.epd"}
    assert files("venv/**/*.epd") == {"test_it.py", "venv/lib/x.epd"}
    result = project.run("--perft-suite", "[b]uild/*.epd")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(
        ["*only what is in folders that pytest does not look into, as build/*"]
    )


def test_what_is_ignored_stays_out(project):
    project.write("pytest.ini", "[pytest]\ntestpaths = tests\nperft_suites = data/*.epd\n")
    project.write("tests/test_it.py", PASSING)
    project.suite("data/a.epd")
    project.suite("data/b.epd")
    assert len(collected(project, "--ignore=data/a.epd")) == 7
    assert len(collected(project, "--ignore-glob=data/*")) == 1
    project.write("pytest.ini", "[pytest]\nperft_suites = data/*.epd\n")
    project.write("conftest.py", "collect_ignore = ['data/a.epd']\n")
    assert len(collected(project)) == 7


# What is left of a suite.


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["--perft-id", "kiwipet"], "no row has an id like 'kiwipet', did you mean kiwipete?"),
        (["--perft-id", "start", "--perft-id", "x*"],
         "--perft-id: no row has an id like 'x*': there are start and kiwipete"),
        (["-o", "perft_ids=begin"], "perft_ids: no row has an id like 'begin'"),
        (["--perft-max-nodes", "19"],
         "every count has more than 19 nodes; the least is perft_max_nodes = 20"),
        (["--perft-max-nodes", "20", "--perft-id", "kiwi*"], "the least is perft_max_nodes = 48"),
        (["deep.epd", "--perft-depth", "1"],
         "no row gives a count up to depth 1; the least is perft_depth = 2"),
    ],
)  # fmt: skip
def test_options_that_leave_nothing_of_a_suite(project, args, said):
    project.suite()
    project.suite("deep.epd", f'{STARTPOS} ;D2 400 ;D3 8902 ;id "deep"\n')
    project.write("test_it.py", PASSING)
    suites = ["deep.epd"] if "deep.epd" in args else ["suite.epd"]
    result = project.run("test_it.py", *suites, *args)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert said in result.stderr.str()
    assert "Traceback" not in result.stderr.str() + result.stdout.str()


def test_an_id_of_the_configuration_may_be_for_another_suite(project):
    project.write("pytest.ini", "[pytest]\nperft_suites = *.epd\nperft_ids = start\n    other\n")
    project.suite()
    project.suite("other.epd", f'{STARTPOS} ;D1 20 ;id "other"\n')
    assert collected(project, "suite.epd") == ALL[:3]
    assert len(collected(project)) == 4
    project.write("pytest.ini", "[pytest]\nperft_suites = *.epd\nperft_ids = start\n    othr\n")
    assert project.run().ret == pytest.ExitCode.USAGE_ERROR


def test_a_suite_that_is_too_deep_is_warned_of(project):
    project.suite()
    project.suite("deep.epd", f"{STARTPOS} ;D3 8902\n")
    said = "deep.epd: no row gives a count up to depth 2; the least is perft_depth = 3"
    result = project.run_apart("suite.epd", "deep.epd", "--perft-depth", 2)
    result.assert_outcomes(passed=4, warnings=1)
    result.stdout.fnmatch_lines([f"*{said}"])
    result = project.run_apart("suite.epd", "deep.epd", "--perft-depth", 2, "-W", "error")
    result.assert_outcomes(errors=1)
    assert said in result.outlines


@pytest.mark.parametrize(
    ("ini", "args", "said"),
    [
        ("perft_suites = data/*.epd", [], "perft_suites: no file matches 'data/*.epd' in "),
        ("", ["--perft-suite", "x"], "--perft-suite: no file matches 'x' in "),
        ("", ["--perft-suite", "data"], "--perft-suite: 'data' is a folder; for its suites write"),
        ("perft_depth = deep", ["suite.epd"], "perft_depth is to be a whole number from 1 to 64"),
        ("", ["suite.epd", "--perft-depth", "65"], "perft_depth is to be a whole number from 1"),
        ("", ["suite.epd", "--perft-max-nodes", "0"], "perft_max_nodes is to be a whole number"),
        ("", ["suite.epd", "--perft-timeout", "soon"], "perft_timeout: 'soon' is no time above 0"),
        ("perft_engine =", ["suite.epd"], "perft_engine is empty"),
    ],
)
def test_usage_errors(project, ini, args, said):
    project.write("pytest.ini", f"[pytest]\n{ini}\n")
    project.write("data/text.txt", "")
    project.suite()
    result = project.run(*args)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert f"ERROR: {said}" in result.stderr.str()
    assert "Traceback" not in result.stderr.str() + result.stdout.str()


@pytest.mark.skipif(pytest.version_tuple < (9,), reason="has no [tool.pytest]")
@pytest.mark.parametrize("depth", ["2", '"2"'])
def test_numbers_in_toml(project, depth):
    project.write("pyproject.toml", f"[tool.pytest]\nperft_depth = {depth}\n")
    project.suite()
    result = project.run("suite.epd")
    if depth == "2" and pytest.version_tuple < (9, 2):
        assert result.ret == pytest.ExitCode.USAGE_ERROR
        assert "config option 'perft_depth' expects a string, got int: 2" in result.stderr.str()
    else:
        result.assert_outcomes(passed=4)


def test_rows_that_cannot_be_read_fail_and_the_others_run(project):
    project.suite(text=f"{STARTPOS} ;D1 20\n8/8/8 w - - 0 1 ;D1 5\n{KIWIPETE} ;D1 48\n")
    result = project.run("-v", "suite.epd")
    result.assert_outcomes(passed=2, failed=1)
    result.stdout.fnmatch_lines(
        ["suite.epd::line-1::depth-1 PASSED*", "suite.epd::unreadable-line-2 FAILED*"]
    )
    result.stdout.fnmatch_lines(["suite.epd:2:1: the board has 8 ranks, not 3*"])
    assert "Traceback" not in result.stdout.str()


@pytest.mark.parametrize(
    ("content", "said"),
    [(b"", "suite.epd has no position"), (b"\x00\x01\x02" * 99, "suite.epd is a binary file")],
)
def test_files_that_are_no_suite(project, content, said):
    (project.path / "suite.epd").write_bytes(content)
    result = project.run("suite.epd")
    assert result.ret == pytest.ExitCode.INTERRUPTED
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines([f"*{said}*"])
    assert "Traceback" not in result.stdout.str()


def test_names_are_unique_and_harmless(project):
    ids = ["twice", "twice", "a b::c[d]", "\N{WHITE CHESS KING}\\x1b", "", "x" * 500]
    rows = [f'{STARTPOS} ;D1 20 ;id "{text}"' if text else f"{STARTPOS} ;D1 20" for text in ids]
    project.suite(text="\n".join(rows))
    found = [name.split("::") for name in collected(project, "suite.epd")]
    assert all(len(parts) == 3 for parts in found)
    assert [parts[1] for parts in found] == [
        "twice",
        "twice-line-2",
        "a-b:c(d)",
        "\\u2654\\x1b",
        "line-5",
        "x" * 100,
    ]
    for parts in found:
        assert collected(project, "::".join(parts)) == ["::".join(parts)]


def test_markers(project):
    project.suite()
    project.write("test_it.py", PASSING)
    assert len(collected(project, "test_it.py", "suite.epd", "-m", "perft")) == 6
    assert collected(project, "test_it.py", "suite.epd", "-m", "not perft") == [
        "test_it.py::test_passes"
    ]
    project.run_apart("suite.epd", "--strict-markers", "-W", "error").assert_outcomes(passed=6)
    project.run("--markers").stdout.fnmatch_lines(["@pytest.mark.perft(depth)*"])


def test_without_the_plugin(project):
    project.suite()
    result = project.pytester.runpytest_inprocess("-p", "no:perftkit", "suite.epd")
    assert result.ret != pytest.ExitCode.OK
    assert "passed" not in result.stdout.str()


def test_a_misspelt_suite(project):
    said = project.run("--perft-suite", "perft_position").stderr.str()
    assert "no built-in suite is called so, did you mean perft_positions?" in said
    said = project.run("--perft-suite", "x").stderr.str()
    assert "no built-in suite is called so: there are perft_positions, wiki_convention" in said


@pytest.mark.parametrize(("condition", "outcome"), [("True", "skipped"), ("False", "passed")])
def test_conditions_of_marks(project, condition, outcome):
    project.write(
        "conftest.py",
        "import pytest\ndef pytest_collection_modifyitems(items):\n    for item in items:\n"
        f"        mark = pytest.mark.skipif('{condition} and sys.platform', reason='why')\n"
        "        item.add_marker(mark)\n",
    )
    project.suite()
    project.run("suite.epd").assert_outcomes(**{outcome: 6})


def test_chess960_is_asked_for(project):
    # A king on e1 and rooks on b1 and g1 can't have these rights in standard chess; the count is
    # that of python-chess.
    import chess

    fen = "1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w KQkq - 0 1"
    count = chess.Board(fen, chess960=True).legal_moves.count()
    project.suite(text=f"{fen} ;D1 {count}\n")
    project.run("suite.epd").assert_outcomes(failed=1)
    project.run("suite.epd", "--perft-chess960").assert_outcomes(passed=1)
    project.write("pytest.ini", "[pytest]\nperft_chess960 = true\n")
    project.run("suite.epd").assert_outcomes(passed=1)


def test_the_default_depth(project):
    # The Chess Programming Wiki's table.
    project.suite(text=f"{STARTPOS} ;D1 20 ;D4 197281 ;D5 4865609\n")
    assert len(collected(project, "suite.epd")) == 2
