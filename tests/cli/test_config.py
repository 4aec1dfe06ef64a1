import json

import pytest


@pytest.fixture
def project(tmp_path, monkeypatch):
    """Writes [tool.perftkit…] tables and works in a folder below them."""

    def write(text):
        (tmp_path / "pyproject.toml").write_text(text)
        folder = tmp_path / "some" / "folder"
        folder.mkdir(parents=True)
        monkeypatch.chdir(folder)

    return write


def depth_of(result):
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)["depth"]


def test_options_of_a_command(invoke, project, good):
    project('[tool.perftkit.run]\ndepth = 2\nmax-nodes = 300\nformat = "json"\n')
    result = invoke("run", good)
    assert depth_of(result) == 2
    assert json.loads(result.stdout)["summary"]["skipped"] == 2


def test_suites_and_lists(invoke, project, good):
    project(f'[tool.perftkit.run]\nsuites = ["{good}"]\nid = ["kiwi*"]\nformat = "json"\n')
    document = json.loads(invoke("run").stdout)
    assert [entry["id"] for entry in document["positions"]] == ["kiwipete"]
    one = invoke("run", "--fen", "startpos", "--id", "*")
    assert json.loads(one.stdout)["positions"][0]["id"] == "startpos"


def test_a_file_without_our_table_is_passed_over(invoke, project, good, tmp_path):
    project('[tool.perftkit.divide]\ndepth = 1\nformat = "json"\n')
    (tmp_path / "some" / "pyproject.toml").write_text('[tool.other]\nname = "perftkit"\n')
    assert depth_of(invoke("divide")) == 1


def test_the_command_line_is_strongest_then_the_environment(invoke, project, good):
    project('[tool.perftkit.divide]\ndepth = 1\nformat = "json"\n')
    env = {"PERFTKIT_DIVIDE_DEPTH": "2"}
    assert depth_of(invoke("divide", env=env)) == 2
    assert depth_of(invoke("divide", "--depth", "3", env=env)) == 3


def test_nested_commands(invoke, project, tmp_path):
    (tmp_path / "fens.txt").write_text("8/8/8/8/8/8/8/K1k5 w - - 0 1\n")
    project("[tool.perftkit.suite.fill]\ndepth = 1\n")
    assert ";D1 " in invoke("suite", "fill", tmp_path / "fens.txt").stdout


def test_colour(process, good, tmp_path):
    (tmp_path / "pyproject.toml").write_text("[tool.perftkit]\ncolor = true\n")
    assert b"\x1b[" in process("run", good).stdout
    assert b"\x1b[" not in process("run", good, "--no-color").stdout


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[tool.perftkit.run]\ndept = 3\n", "no option 'dept', did you mean depth?"),
        ("[tool.perftkit.rum]\ndepth = 3\n", "no table 'rum', did you mean run?"),
        ("[tool.perftkit]\ndepth = 3\n", "no table 'depth'"),
        ("[tool.perftkit]\ncolor = 3\n", "true or false"),
        ("[tool.perftkit.run]\ndepth = true\n", "depth can't be true; it is a text or a number"),
        ("[tool.perftkit.run]\ndepth = 99\n", "1 to 64"),
        ("[tool.perftkit.run]\nfail-fast = 3\n", "fail-fast can't be 3"),
        ("[tool.perftkit.run]\nid = 3\n", "id can't be 3"),
        ('[tool.perftkit.run]\nformat = "\\u001b[31m"\n', "--format"),
        ('[tool.perftkit.run]\noutput = "\\u0000"\n', "can't be written"),
        ("[tool.perftkit.suite.fil]\ndepth = 3\n", "[tool.perftkit.suite]"),
        ("[tool.perftkit.suite]\nfill = 3\n", "fill"),
        ("[tool.perftkit.run\n", "no valid TOML"),
    ],
)
def test_what_can_not_be(invoke, project, good, text, words):
    project(text)
    args = ["suite", "fill", good] if ".suite" in text else ["run", good]
    result = invoke(*args)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert words in result.stderr
    assert "\x1b" not in result.stderr


def test_help_and_version_need_no_configuration(invoke, project):
    project("[tool.perftkit.run\n")
    assert invoke("--version").exit_code == 0
    assert invoke("--help").exit_code == 0
