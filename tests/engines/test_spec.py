from __future__ import annotations

import os
from pathlib import Path

import pytest
from programs import hostile_command

from perftkit import KIWIPETE, STARTPOS
from perftkit.engines import Question
from perftkit.engines.command import CommandEngine, split_command
from perftkit.engines.named import find_engines, known_engines, read_engines
from perftkit.engines.process import find_program
from perftkit.engines.settings import EngineSettings
from perftkit.engines.spec import open_engine
from perftkit.engines.uci import UciEngine
from perftkit.errors import EngineError, SpecError

KIWI = Question(KIWIPETE, 2)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"divide_pattern": "("}, "the divide pattern '(' is no regular expression"),
        ({"divide_pattern": r"(?P<move>\w+)"}, "has no group 'nodes'; it needs (?P<move>...) and"),
        ({"total_pattern": r"(\d+)"}, "has no group 'nodes'; it needs (?P<nodes>...)"),
        ({"perft_command": " "}, "is empty"),
        ({"perft_command": "perft\n{depth}"}, "no single line"),
        ({"perft_command": "perft {deep}"}, "has {deep}; there are {depth} and {fen}"),
        ({"timeout": 0.0}, "above 0, not 0"),
        ({"timeout": float("nan")}, "above 0, not nan"),
        ({"environment": {"A=B": "x"}}, "'A=B'"),
        ({"options": {"": "x"}}, "option ''"),
        ({"options": {"Hash": "1\nquit"}}, "'Hash'"),
    ],
)
def test_settings_that_cannot_be_used(settings, said):
    with pytest.raises(SpecError) as caught:
        EngineSettings(**settings)
    assert said in str(caught.value)
    assert caught.value.exit_status == 2


def refusal(spec):
    with pytest.raises(SpecError) as caught:
        open_engine(spec)
    return str(caught.value)


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("", "empty"),
        ("  ", "empty"),
        ("uci:", "empty"),
        ("cmd:", "empty"),
        ("./engine 'open", "No closing quotation"),
        ("cmd:perft {depth}", "has no {fen}"),
        ("cmd:perft {fen}", "has no {depth}"),
    ],
)
def test_specs_that_name_nothing(spec, said):
    assert said in refusal(spec)


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("xboard: ", "'xboard:' is empty; write xboard:./my-engine"),
        ("cmd:", "write cmd:'./perft.sh {depth} {fen} {moves}'"),
        ("uic:./x", "there is no kind of engine 'uic:', did you mean uci:./x?"),
        ("xbaord:./x -a", "'xbaord:', did you mean 'xboard:./x -a'?"),
        ("winboard:./x", "'winboard:', did you mean xboard:./x?"),
        ("CECP:./x", "did you mean xboard:./x?"),
        ("python:a.b:c", "did you mean py:a.b:c?"),
        ("command:./x {depth} {fen}", "did you mean 'cmd:./x {depth} {fen}'?"),
        ("uci=./x", "'uci=', did you mean uci:./x?"),
        ("uci ./x", "'uci', did you mean uci:./x?"),
        ("uci:uci:./x", "'uci:uci:./x' has two kinds, uci: and uci:; write uci:./x"),
        ("uci:xboard:./x -a", "write 'xboard:./x -a'"),
        ("foo:sh", "there is no kind of engine 'foo:': there are uci:, xboard:, cmd: and py:"),
    ],
)
def test_kinds_that_there_are_not(spec, said):
    assert said in refusal(spec)


@pytest.mark.parametrize("spec", ["foo:./x", "C:x", "http://localhost:1", "./x:uci", "engine ./x"])
def test_colons_that_are_no_mistake_of_the_kind(spec):
    with pytest.raises(EngineError, match="there is no program"):
        open_engine(spec)


def test_a_program_whose_name_has_a_colon(tmp_path, monkeypatch):
    path = tmp_path / "uic:x"
    path.write_text("#!/bin/sh\ncat >/dev/null\n")
    path.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    with pytest.raises(EngineError, match="can't be talked to"):
        open_engine("uic:x", EngineSettings(timeout=1))


@pytest.mark.parametrize("spec", ["~/x", "uci:~/x", "$HOME/x", "cmd:~/x {depth} {fen}"])
def test_what_the_shell_did_not_fill_in(monkeypatch, spec):
    monkeypatch.setenv("HOME", "/home/me")
    with pytest.raises(EngineError, match=r"filled in by the shell alone.*: write /home/me/x$"):
        open_engine(spec)


@pytest.mark.parametrize(
    ("name", "content", "mode", "said"),
    [
        ("x.py", "import sys\n", 0o755, "name what runs it: --engine 'python3 {path}'"),
        ("x.jar", "PK\3\4", 0o644, "name what runs it: --engine 'java -jar {path}'"),
        ("x.py", "#!/usr/bin/env python3\n", 0o644, "make it executable: chmod +x {path}"),
        ("x", "MZ\0\0", 0o644, "it is a program for Windows, and this is "),
        ("x", "MZ\0\0", 0o755, "it is a program for Windows, and this is "),
        ("x", "echo 20\n", 0o644, "make it executable: chmod +x {path}"),
    ],
)
def test_files_that_can_not_be_started(tmp_path, name, content, mode, said):
    path = tmp_path / name
    path.write_text(content)
    path.chmod(mode)
    with pytest.raises(EngineError) as caught:
        open_engine(f"uci:{path}")
    assert said.format(path=path) in str(caught.value)


@pytest.mark.parametrize("kind", ["", "uci:", "xboard:", "cmd:"])
def test_a_program_that_is_not_there(kind):
    with pytest.raises(EngineError, match="there is no program 'no-such-engine'") as caught:
        open_engine(f"{kind}no-such-engine --uci")
    assert caught.value.exit_status == 3


def test_a_file_that_is_no_program(tmp_path):
    path = tmp_path / "engine"
    path.write_text("not a program")
    path.chmod(0o644)
    with pytest.raises(EngineError, match=r"engine can't be started: Permission denied"):
        open_engine(f"uci:{path}")


def test_a_folder_that_is_not_there(tmp_path):
    with pytest.raises(EngineError, match="there is no such folder"):
        open_engine("uci:sh", EngineSettings(folder=str(tmp_path / "missing")))


def test_words_are_those_of_a_shell_but_no_shell_is_run():
    assert split_command("a 'b c' \"d\" $HOME `ls`; rm") == [
        *("a", "b c", "d", "$HOME", "`ls`;", "rm"),
    ]


def test_placeholders_and_arguments():
    question = Question(STARTPOS, 3, ("e2e4", "e7e5"))
    engine = CommandEngine("p {depth} --fen={fen} '{moves}' x", EngineSettings(), "s")
    assert engine.arguments(question) == ["p", "3", f"--fen={STARTPOS}", "e2e4 e7e5", "x"]
    appended = CommandEngine("p", EngineSettings(), "s")
    assert appended.arguments(question) == ["p", "3", STARTPOS, "e2e4 e7e5"]
    assert appended.arguments(Question(STARTPOS, 3)) == ["p", "3", STARTPOS]


def script(tmp_path, text):
    path = tmp_path / "perft.py"
    path.write_text(
        "import sys\nfrom perftkit import divide\n"
        "depth, fen, *rest = sys.argv[1:]\n"
        "rows = {m: r.nodes for m, r in divide(fen, int(depth)).items()}\n" + text
    )
    import sys

    return f"cmd:{sys.executable} {path} {{depth}} {{fen}}"


def test_a_command_that_divides(tmp_path, opened):
    engine = opened(
        script(
            tmp_path, "for m, n in rows.items(): print(m, n)\nprint()\nprint(sum(rows.values()))"
        )
    )
    assert engine.abilities.divides
    assert not engine.abilities.takes_moves
    # The Chess Programming Wiki's table; 43 replies to castling are by python-chess.
    assert engine.ask(KIWI).nodes == 2039
    assert engine.ask(Question(KIWIPETE, 1, ("e1g1",))).nodes == 43


def test_a_command_that_prints_a_number(tmp_path, opened):
    engine = opened(script(tmp_path, "print(sum(rows.values()))"))
    assert not engine.abilities.divides
    assert engine.ask(KIWI).nodes == 2039


def test_own_patterns(tmp_path, opened):
    engine = opened(
        script(tmp_path, "for m, n in rows.items(): print(f'<{n}|{m}>')\nprint('sum is', 5)"),
        divide_pattern=r"<(?P<nodes>\d+)\|(?P<move>\w+)>",
        total_pattern=r"sum is (?P<nodes>\d+)",
    )
    answer = engine.ask(KIWI)
    assert answer.nodes == 2039
    assert "contradicts" in answer.remarks[0]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("print('hello')", "printed no count of leaves"),
        ("sys.exit('no book')", "ended with exit status 1 at depth 2 of"),
        ("sys.exit('no book')", "its last words: 'no book'"),
        ("print(20)", "ignores the position"),
        ("import time; time.sleep(60)", "gave no answer within 2 s"),
        ("import os; os.kill(os.getpid(), 9)", "was ended by SIGKILL"),
    ],
)
def test_commands_that_fail(tmp_path, opened, text, said):
    with pytest.raises(EngineError) as caught:
        opened(script(tmp_path, text), timeout=2.0)
    assert said in str(caught.value)


def test_the_environment_and_the_folder(tmp_path, opened):
    (tmp_path / "here").mkdir()
    text = (
        "import os\nassert os.environ['PERFT_HOW'] == 'well', os.environ\n"
        f"assert os.getcwd() == {str(tmp_path / 'here')!r}\nprint(sum(rows.values()))"
    )
    engine = opened(
        script(tmp_path, text), environment={"PERFT_HOW": "well"}, folder=str(tmp_path / "here")
    )
    assert engine.ask(KIWI).nodes == 2039


def test_programs_are_found_where_debian_puts_games(monkeypatch):
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    assert find_program("sh") is not None
    assert find_program("no-such-engine") is None


def test_an_own_perft_command(opened):
    with pytest.raises(EngineError, match="'count 2' was answered with nothing"):
        opened(f"uci:{hostile_command('none')}", perft_command="count {depth}")
    engine = opened(f"uci:{hostile_command('perft-fen')}", perft_command="perft {depth} {fen}")
    assert engine.ask(KIWI).nodes == 2039
    # Without a placeholder the depth is appended.
    engine = opened(f"uci:{hostile_command('none')}", perft_command="go perft")
    assert engine.ask(KIWI).nodes == 2039


FILE = """
[engines.mine]
spec = "{command}"
timeout = 7
options = {{ Hash = 4 }}
perft-command = "go perft {{depth}}"

[engines.short]
spec = "py:board_library:totals"
"""


@pytest.fixture
def toml(tmp_path):
    path = tmp_path / "engines.toml"
    path.write_text(FILE.format(command="uci:" + hostile_command("none")))
    return path


def test_engines_of_a_file(toml, opened):
    engines = read_engines(toml)
    assert sorted(engines) == ["mine", "short"]
    assert engines["mine"].settings == {
        "timeout": 7.0,
        "options": {"Hash": "4"},
        "perft_command": "go perft {depth}",
        "folder": str(toml.parent),
    }
    engine = open_engine("mine", engines=engines)
    try:
        assert isinstance(engine, UciEngine)
        assert engine.spec == "mine"
        assert engine.ask(KIWI).nodes == 2039
    finally:
        engine.close()
    assert open_engine("short", engines=engines).ask(KIWI).nodes == 2039


def test_what_is_said_goes_before_what_a_file_says(toml):
    from perftkit.engines.named import completed

    named = read_engines(toml)["mine"]
    assert completed(EngineSettings(), named).timeout == 7.0
    said = EngineSettings(timeout=60.0 * 1.0, options={"Threads": "2"}, perft_command="perft")
    together = completed(said, named)
    assert together.timeout == 60.0
    assert together.options == {"Hash": "4", "Threads": "2"}
    assert together.perft_command == "perft"


def test_engines_of_a_project(tmp_path):
    below = tmp_path / "src" / "deep"
    below.mkdir(parents=True)
    (tmp_path / "pyproject.toml").write_text(
        '[tool.perftkit.engines]\nme = "./target/engine"\n[tool.perftkit.engines.you]\nspec = "x"\n'
    )
    assert sorted(find_engines(below)) == ["me", "you"]
    assert find_engines(below)["me"].settings["folder"] == str(tmp_path)
    assert known_engines(None, tmp_path / "src").keys() == {"me", "you"}


def test_a_relative_program_of_a_project_is_found_from_below(tmp_path, monkeypatch):
    program = tmp_path / "my-engine"
    program.write_text("#!/bin/sh\necho hello\n")
    program.chmod(0o755)
    (tmp_path / "below").mkdir()
    monkeypatch.chdir(tmp_path / "below")
    assert find_program("./my-engine", str(tmp_path)) == str(program)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "has no engines"),
        ("x = ", "is no valid TOML"),
        ("engines = 5", "is a table of engines"),
        ("[engines.a]\n", "[engines.a] has no spec"),
        ("[engines.a]\nspec = 5\n", "spec can't be '5'"),
        ("[engines.a]\nspec = 'x'\nperft-comand = 'y'\n", "did you mean perft_command?"),
        ("[engines.a]\nspec = 'x'\ntimeout = 'y'\n", "timeout can't be"),
        ("[engines.a]\nspec = 'x'\ntimeout = -1\n", "above 0"),
        ("[engines.a]\nspec = 'x'\noptions = 'y'\n", "options can't be"),
        ("[engines.a]\nspec = 'x'\ndivide-pattern = '('\n", "no regular expression"),
        ("[engines]\na = 5\n", "is a table or a spec"),
    ],
)
def test_files_that_cannot_be_used(tmp_path, text, said):
    path = tmp_path / "engines.toml"
    path.write_text(text)
    with pytest.raises(SpecError) as caught:
        read_engines(path)
    assert said in str(caught.value)
    assert str(path) in str(caught.value)


def test_a_file_that_is_not_there():
    with pytest.raises(SpecError, match="can't be read: No such file"):
        read_engines(Path("missing.toml"))
