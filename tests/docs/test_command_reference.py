"""The command reference is what the commands say now, and complete."""

from __future__ import annotations

import importlib.util
import re
import sys

import click
import pytest
from click.testing import CliRunner
from manual import DOCS, ROOT

from perftkit.cli.app import app
from perftkit.cli.help import GROUPS, group_of

SCRIPT = ROOT / "tools" / "command_reference.py"


def commands(group, context, words=()):
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        yield (*words, name), command
        if isinstance(command, click.Group):
            inner = click.Context(command, parent=context, info_name=name)
            yield from commands(command, inner, (*words, name))


ALL = dict(commands(app, click.Context(app, info_name="perftkit")))
TEXT = (DOCS / "commands.md").read_text(encoding="utf-8")


def test_it_is_what_the_commands_say_now(monkeypatch):
    spec = importlib.util.spec_from_file_location("command_reference", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, spec.name, module)
    spec.loader.exec_module(module)
    assert module.reference() == TEXT, "run python tools/command_reference.py"


@pytest.mark.parametrize("words", ALL, ids=" ".join)
def test_every_command_and_option_is_in_it(words):
    name = " ".join(("perftkit", *words))
    assert f"# {name}\n" in TEXT
    for parameter in ALL[words].params:
        anchor = "-".join(("perftkit", *words, max(parameter.opts, key=len).lstrip("-")))
        assert TEXT.count(f'id="{anchor}"') == 1, anchor


def test_options_stand_under_the_headings_of_the_help():
    table = TEXT.partition("## perftkit run")[2].partition("## perftkit divide")[0]
    headings = re.findall(r"^\| \*\*(.*)\*\* \|", table, re.MULTILINE)
    assert headings == [heading for heading in GROUPS if heading in headings]
    for parameter in ALL["run",].params:
        if isinstance(parameter, click.Option):
            before = table.partition(f'id="perftkit-run-{max(parameter.opts, key=len)[2:]}"')[0]
            assert re.findall(r"\*\*(.*)\*\*", before)[-1] == group_of(parameter)


def test_its_keys_and_variables_are_heeded(tmp_path, monkeypatch):
    """The rules of the page, on one option: line before variable before file before default."""
    monkeypatch.chdir(tmp_path)

    def depths(*words):
        call = ["run", "--fen", "startpos", "--format", "csv", *words]
        return len(CliRunner().invoke(app, call).stdout.splitlines()) - 1

    assert depths() == 4
    (tmp_path / "pyproject.toml").write_text("[tool.perftkit.run]\ndepth = 1\n", encoding="utf-8")
    assert depths() == 1
    monkeypatch.setenv("PERFTKIT_RUN_DEPTH", "2")
    assert depths() == 2
    assert depths("--depth", "3") == 3
