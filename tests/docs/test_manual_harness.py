"""That the harness notices what it has to notice."""

from __future__ import annotations

import shutil

import pytest
from manual import COMMANDS, CONSOLE, DATA, PYTHON, read_page
from manual_run import Problem, Scratch, agrees, parse, rewritten, updated

needs_bash = pytest.mark.skipif(shutil.which("bash") is None, reason="the commands are bash's")


def blocks_of(*lines):
    return read_page("\n".join(lines) + "\n")


def problems_of(folder, *lines, absent=frozenset()):
    scratch = Scratch(folder, absent=absent)
    return [problem for block in blocks_of(*lines) for problem in scratch.run(block)]


@pytest.mark.parametrize(
    ("lines", "kind"),
    [
        (["    $ perftkit run", "    ok"], CONSOLE),
        (["    perftkit run"], COMMANDS),
        (["    PERFTKIT_KERNEL=baseline perftkit run"], COMMANDS),
        (["    printf 'diff' | perftkit divide"], COMMANDS),
        (["    >>> 1 + 1", "    2"], PYTHON),
        (["    from perftkit import perft"], PYTHON),
        (["    8/8/8/8/k7/8/8/4K3 w - - 0 1 ;D1 5"], DATA),
        (["```toml", "[tool.perftkit]", "```"], DATA),
        (["```text", "perftkit run [OPTIONS]", "```"], DATA),
        (["```", "perftkit run", "```"], COMMANDS),
        (["```console", "$ true", "```"], CONSOLE),
        (["```python", "print()", "```"], PYTHON),
    ],
)
def test_blocks_are_told_apart(lines, kind):
    assert [block.kind for block in blocks_of("Text:", "", *lines, "", "More.")] == [kind]


def test_commands_know_their_lines():
    (block,) = blocks_of("Text:", "", "```console", "$ one \\", "  more", "a", "", "$ two", "```")
    one, two = block.commands
    assert (one.text, one.line, one.output) == ("one \\\n  more", 4, ("a",))
    assert (two.text, two.line, two.output) == ("two", 8, ())


def test_whole_commands_of_tables_are_found_and_others_are_not():
    (block,) = blocks_of(
        "| to | do |",
        "| --- | --- |",
        "| a | `perftkit run --depth 2` |",
        "| b | `perftkit engine SPEC` |",
        "| c | `perftkit divide --depth N` |",
        "| d | `perftkit run` and `perftkit show …` |",
    )
    assert [(each.text, each.line) for each in block.commands] == [
        ("perftkit run --depth 2", 3),
        ("perftkit run", 6),
    ]


def test_a_remark_holds_for_the_next_block_and_an_engine_for_all_that_follow():
    blocks = blocks_of(
        "<!-- engine: castling-over-men black -->",
        "<!-- only parsed: slow -->",
        "",
        "    $ a",
        "",
        "Text.",
        "<!-- columns: 104 -->",
        "",
        "    $ b",
        "",
        "<!-- engine: healthy -->",
        "",
        "    $ c",
    )
    assert [block.columns for block in blocks] == [80, 104, 104]
    assert [block.engine for block in blocks] == ["castling-over-men black"] * 2 + [""]
    assert [block.only_parsed for block in blocks] == ["slow", "", ""]


def test_a_block_without_an_end_is_an_error():
    with pytest.raises(ValueError, match="line 1"):
        blocks_of("```console", "$ true")


@pytest.mark.parametrize(
    ("expected", "found", "same"),
    [
        ("a", "a", True),
        ("a", "b", False),
        ("a", "a\nb", False),
        ("…", "", True),
        ("a\n…\nd", "a\nb\nc\nd", True),
        ("a\n…\nd", "a\nd", True),
        ("a\n…\nd", "a\nb\nc", False),
        ("a\n…\na", "a", False),
        ("a\n…\nc\n…\ne", "a\nb\nc\nd\ne", True),
        ("a\n…\nc\n…\ne", "a\nb\nd\ne", False),
        ("2 rows in 0.215 s, 366 Mn/s", "2 rows in 12.001 s, 5.7 kn/s", True),
        ("2 rows in 0.215 s, 366 Mn/s", "3 rows in 0.215 s, 366 Mn/s", False),
        ("startpos 1  20   0.000 s", "startpos 1  20  10.000 s", True),
        ("startpos 1  20   0.000 s", "startpos 1  21   0.000 s", False),
        ('{"seconds": 0.001, "nodes": 20}', '{"seconds": 2e-05, "nodes": 20}', True),
        ('{"seconds": 0.001, "nodes": 20}', '{"seconds": 0.001, "nodes": 21}', False),
    ],
)
def test_outputs_are_compared_line_by_line(expected, found, same):
    assert agrees(expected.splitlines(), found.splitlines()) is same


@pytest.mark.parametrize(
    ("expected", "found", "new"),
    [
        ("a", "b\nc", ("b", "c")),
        ("a\n…\nd", "A\nb\nc\nD", ("A", "…", "D")),
        ("a\n…", "A\nb\nc\nD", ("A", "…")),
        ("a\n…\nb\n…\nd", "A\nb\nc\nD", None),
    ],
)
def test_an_updated_output_is_cut_as_it_was(expected, found, new):
    assert updated(expected.splitlines(), found.splitlines()) == new


def test_a_wrong_output_is_rewritten_where_it_stands():
    lines = ["Text.", "", "    $ echo yes", "    no", "", "More."]
    blocks = blocks_of(*lines)
    (command,) = blocks[0].commands
    problems = [Problem(command.line, "", ("yes",), command)]
    text = rewritten("\n".join(lines) + "\n", problems, blocks)
    assert text == "Text.\n\n    $ echo yes\n    yes\n\nMore.\n"


@pytest.mark.parametrize(
    ("command", "problem"),
    [
        ("perftkit run --depth 5 > out.txt", ""),
        ("A=1 perftkit divide kiwipete | perftkit divide --paste -   # a remark", ""),
        ("perftkit suite lint my.epd --verify 5", ""),
        ("perftkit --version --verbose", ""),
        ("perftkit runn", "there is no command 'runn'"),
        ("perftkit suite lnt", "there is no command 'lnt'"),
        ("perftkit run --dept 5", "No such option"),
        ("true && perftkit run --dept 5", "No such option"),
    ],
)
def test_commands_are_parsed(command, problem):
    assert (problem in parse(command)) if problem else not parse(command)


@needs_bash
def test_a_wrong_output_is_noticed_with_its_line(tmp_path):
    problems = problems_of(tmp_path, "Text.", "", "```console", "$ echo yes", "no", "```")
    assert [problem.line for problem in problems] == [4]
    assert "the page has\nno" in problems[0].message
    assert problems[0].output == ("yes",)


@needs_bash
def test_a_status_above_1_has_to_be_shown(tmp_path):
    (problem,) = problems_of(tmp_path, "    $ perftkit show rubbish", "    …")
    assert "the exit status is 2" in problem.message


@needs_bash
def test_a_status_that_is_shown_is_compared(tmp_path):
    problems = problems_of(
        tmp_path, "    $ (exit 3)", "    $ echo $?", "    3", "    $ echo $?", "    1"
    )
    assert [problem.line for problem in problems] == [4]


@needs_bash
def test_a_command_without_output_has_to_succeed(tmp_path):
    problems = problems_of(tmp_path, "    perftkit show kiwipete", "    perftkit show rubbish")
    assert [problem.line for problem in problems] == [2]


@needs_bash
def test_files_are_made_by_cat_and_stay_for_the_page(tmp_path):
    page = [
        "    $ cat made.txt",
        "    one",
        "    two",
        "",
        "And:",
        "",
        "    $ wc -l < made.txt",
        "    2",
    ]
    assert not problems_of(tmp_path, *page)


@needs_bash
def test_what_needs_an_engine_that_is_not_there_is_left_out(tmp_path):
    scratch = Scratch(tmp_path, absent=frozenset({"stockfish"}))
    (block,) = blocks_of("    $ perftkit engine stockfish", "    rubbish")
    assert not list(scratch.run(block))
    assert scratch.skipped == {"stockfish"}


@needs_bash
def test_the_stand_in_has_the_bug_that_is_asked_for(tmp_path):
    page = [
        "<!-- engine: promotion-missing white -->",
        "",
        "    $ ./my-engine 1 '4k3/P7/8/8/8/8/8/4K3 w - - 0 1'",
        "    …",
        "",
        "    Nodes searched: 5",
    ]
    assert "Nodes searched: 6" in problems_of(tmp_path, *page)[0].message


@pytest.mark.parametrize(
    ("lines", "wrong"),
    [
        ([">>> 1 + 1", "2"], False),
        ([">>> 1 + 1", "3"], True),
        (["import perftkit", "perftkit.perft(perftkit.KIWIPETE, 1)"], False),
        (["import perftkit", "perftkit.perft('rubbish', 1)"], True),
    ],
)
def test_python_is_run(tmp_path, lines, wrong):
    assert bool(problems_of(tmp_path, "```python", *lines, "```")) is wrong


def test_python_blocks_of_a_page_share_their_names(tmp_path):
    assert not problems_of(
        tmp_path, "```python", "a = 1", "```", "", "```python", ">>> a", "1", "```"
    )
