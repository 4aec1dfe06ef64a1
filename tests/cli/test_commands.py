import subprocess
import sys

import click
import pytest
from processes import environment

from perftkit.cli.app import app


def commands(group=app, path=()):
    ctx = click.Context(group)
    for name in group.list_commands(ctx):
        command = group.get_command(ctx, name)
        yield (*path, name)
        if isinstance(command, click.Group):
            yield from commands(command, (*path, name))


@pytest.mark.parametrize("path", [(), *commands()], ids=" ".join)
@pytest.mark.parametrize("option", ["-h", "--help"])
def test_every_command_has_help_with_examples(invoke, path, option):
    result = invoke(*path, option)
    assert result.exit_code == 0
    assert "Usage: " in result.stdout
    assert "Examples:\n" in result.stdout
    assert " ".join(["\n    perftkit", *path]) in result.stdout
    assert "\\b" not in result.stdout
    assert max(len(line) for line in result.stdout.splitlines()) <= 100


def test_no_command_asks_for_help(invoke):
    result = invoke()
    assert result.exit_code == 2
    assert "Usage: " in result.output


def test_version(invoke):
    result = invoke("--version")
    assert result.exit_code == 0
    assert result.stdout.startswith("perftkit ")


def test_little_is_imported_for_the_version():
    code = (
        "import sys; from perftkit.cli.app import app\n"
        "try: app.main(['--version'])\n"
        "except SystemExit: print(*sys.modules)"
    )
    out = subprocess.run(
        [sys.executable, "-c", code], env=environment(), capture_output=True, check=True
    ).stdout.decode()
    loaded = set(out.split())
    assert not loaded & {"rich", "perftkit.suite.reader", "perftkit.cli.run", "tomllib"}


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_shell_completion(process, shell):
    env = {"_PERFTKIT_COMPLETE": f"{shell}_source"}
    # click names the variable after the program; `python -m` has another name.
    code = "import sys; sys.argv[0] = 'perftkit'; from perftkit.cli import main; main()"
    script = subprocess.run(
        [sys.executable, "-c", code], env=environment(**env), capture_output=True, check=False
    )
    if b"version" in script.stderr:  # click looks for bash itself
        pytest.skip("this shell is too old or missing")
    assert b"_PERFTKIT_COMPLETE" in script.stdout
    env = {
        "_PERFTKIT_COMPLETE": f"{shell}_complete",
        "COMP_WORDS": "perftkit di",
        "COMP_CWORD": "1",
    }
    if shell == "fish":
        env["COMP_CWORD"] = "di"
    words = subprocess.run(
        [sys.executable, "-c", code], env=environment(**env), capture_output=True, check=True
    )
    assert b"divide" in words.stdout
    assert b"show" not in words.stdout


def test_output_to_a_file(invoke, good, tmp_path):
    shown = invoke("run", good, "--format", "csv").stdout
    result = invoke("run", good, "--format", "csv", "--output", "out.csv")
    assert result.exit_code == 0
    assert result.stdout == ""
    written = (tmp_path / "out.csv").read_text()
    assert written.splitlines()[0] == shown.splitlines()[0]
    assert len(written.splitlines()) == len(shown.splitlines())
    assert "\x1b" not in written


def test_a_link_to_a_file_stays_a_link(invoke, good, tmp_path):
    real = tmp_path / "real.csv"
    real.write_text("old")
    real.chmod(0o640)
    link = tmp_path / "link.csv"
    link.symlink_to(real)
    assert invoke("run", good, "--format", "csv", "--output", link).exit_code == 0
    assert link.is_symlink()
    assert real.read_text().startswith("file,line")
    assert real.stat().st_mode & 0o777 == 0o640


def test_fill_may_write_over_what_it_reads(invoke, good):
    assert invoke("suite", "fill", good, "--output", good).exit_code == 0
    assert "chk=993" in good.read_text()
    assert invoke("run", good).exit_code == 0
