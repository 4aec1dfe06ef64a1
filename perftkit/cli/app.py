"""The group of all commands, and the one place where errors become messages and exit statuses."""

from __future__ import annotations

import contextlib
import importlib
import io
import os
import sys
from typing import TYPE_CHECKING, Any

import click

from perftkit.cli.config import apply_config, note_unknown_variables
from perftkit.cli.help import OTHER, Group, option
from perftkit.cli.options import CONTEXT_SETTINGS, Settings, color_option
from perftkit.cli.output import discard_stdout, discard_unwritable_stderr
from perftkit.core.position import STARTPOS
from perftkit.errors import FenError, PerftkitError
from perftkit.report.text import clean, shortened
from perftkit.verify.verdict import ExitStatus

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["app"]

SECTIONS = {
    "Check a generator": ("run", "divide", "engine"),
    "And more": ("show", "suite", "bench"),
}
COMMANDS = tuple(name for section in SECTIONS.values() for name in section)
MOST_FAULTS = 10  # that are shown of one FEN
LONGEST_FAULT = 300  # characters
SAY_CHESS960 = ("(if this is Chess960, say so)", "(if this is Chess960: --chess960)")

VARIABLES = "PERFTKIT_"

VERBOSE = "perftkit.verbose"
"""Where a context keeps whether --verbose was given."""

EPILOG = """\b
Examples:
  perftkit run --engine ./my-engine
  perftkit divide kiwipete --depth 5 --engine ./my-engine
  perftkit run my_suite.epd --depth 5 --report junit=perft.xml
  perftkit show "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1"

\b
perftkit COMMAND --help shows a command's options. The manual is in the folder
docs of the source: index.md to begin with, mistakes.md for messages.

\b
Exit status: 0 all agreed, 1 a number differs, 2 bad usage or input, 3 an
engine failed, 130 interrupted (143 by SIGTERM, 129 by SIGHUP). Defaults can
be set in [tool.perftkit.COMMAND] of pyproject.toml and in variables such as
PERFTKIT_RUN_DEPTH.
"""


class App(Group):
    """perftkit's commands, each imported only when it is asked for."""

    sections = SECTIONS

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order of the help."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = importlib.import_module(f"perftkit.cli.{cmd_name}").command
        return command

    def meant(self, args: Sequence[str]) -> str | None:
        """Return the command for who types a position, a suite, or an engine alone."""
        from perftkit.cli.meant import command_for

        return command_for(args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; an end that the user chose is not left to click, which calls it 1."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            discard_stdout()
            return ExitStatus.AGREED
        except KeyboardInterrupt:
            return ExitStatus.INTERRUPTED

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        windows_expand_args: bool = True,
        **extra: Any,
    ) -> Any:
        """Run a command; stand-alone, exit with its status and never with a traceback."""

        def call() -> Any:
            return super(App, self).main(
                args,
                prog_name,
                complete_var,
                standalone_mode=False,
                windows_expand_args=windows_expand_args,
                **extra,
            )

        if not standalone_mode:
            return call()
        _prepare_streams()
        status = _guarded(call)
        discard_unwritable_stderr()
        sys.exit(status)


def _prepare_streams() -> None:
    """What a stream's encoding can't write is written as an escape instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def _guarded(call: Callable[[], Any]) -> int:
    """Return the exit status of a call, whatever it raises."""
    try:
        status = call()
        if sys.stdout is not None:
            sys.stdout.flush()
    except click.ClickException as error:
        shown = io.StringIO()
        error.show(file=shown)
        _say("\n".join(clean(line) for line in shown.getvalue().splitlines()))
        return ExitStatus.BAD_INPUT
    except (click.Abort, KeyboardInterrupt):
        _say("interrupted")
        return ExitStatus.INTERRUPTED
    except FenError as error:
        _complain(_fen_message(error))
        return error.exit_status
    except PerftkitError as error:
        _complain(clean(str(error)))
        return error.exit_status
    except OSError as error:
        discard_stdout()
        name = f"{error.filename}: " if error.filename else "the output can't be written: "
        _complain(clean(f"{name}{error.strerror or error}"))
        return ExitStatus.BAD_INPUT
    except Exception as error:
        return _unexpected(error)
    return status if isinstance(status, int) else ExitStatus.AGREED


def _complain(message: str) -> None:
    _say(f"Error: {message}")


def _say(message: str) -> None:
    """Write a message to standard error, if anything can be written there."""
    if sys.stderr is None:
        return
    # click would write UTF-8 where the user asked for ASCII.
    with contextlib.suppress(OSError):
        sys.stderr.write(f"{message}\n")
        sys.stderr.flush()


def _fen_message(error: FenError) -> str:
    faults = error.faults[:MOST_FAULTS]
    lines = [
        f"column {fault.column}, {fault.field}: {fault.message.replace(*SAY_CHESS960)}"
        for fault in faults
    ]
    if any(fault.field == "fen" for fault in faults):
        lines.append(f"a FEN has all its fields, as {STARTPOS}")
    if len(error.faults) > MOST_FAULTS:
        lines.append(f"and {len(error.faults) - MOST_FAULTS} more")
    lines = [shortened(clean(line), LONGEST_FAULT, "...") for line in lines]
    if len(lines) == 1:
        return f"this FEN can't be used: {lines[0]}"
    return "\n  ".join(["this FEN can't be used:", *lines])


def _unexpected(error: Exception) -> int:
    if os.environ.get("PERFTKIT_DEBUG"):
        import traceback

        traceback.print_exception(error)
    what = shortened(clean(f"{type(error).__name__}: {error}"), LONGEST_FAULT, "...")
    _complain(
        f"perftkit failed unexpectedly ({what}). This is a bug in perftkit;"
        " PERFTKIT_DEBUG=1 shows the traceback."
    )
    return ExitStatus.BAD_INPUT


def _show_version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if not wanted or ctx.resilient_parsing:
        return
    from perftkit import __version__

    click.echo(f"perftkit {__version__}")
    if ctx.meta.get(VERBOSE):
        from perftkit.bench.machine import this_machine
        from perftkit.report.bench_parts import machine_lines

        click.echo("\n".join(machine_lines(this_machine())))
    ctx.exit()


def _set_verbose(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    ctx.meta[VERBOSE] = wanted


@click.group(cls=App, context_settings=CONTEXT_SETTINGS, epilog=EPILOG)
@option(
    "--version",
    group=OTHER,
    is_flag=True,
    expose_value=False,
    allow_from_autoenv=False,
    callback=_show_version,
    help="Show the version and exit.",
)
@option(
    "--verbose",
    group=OTHER,
    is_flag=True,
    is_eager=True,  # so that --version, whose place may be before, knows of it
    expose_value=False,
    allow_from_autoenv=False,
    callback=_set_verbose,
    help="With --version: also Python, processor and kernel.",
)
@color_option
@click.pass_context
def app(ctx: click.Context) -> None:
    """Check that a chess move generator is right.

    perftkit counts the leaves of the tree of legal moves of chess positions (perft), broken down
    by kind of move, and compares the counts with those that are known.
    """
    if ctx.meta.get(VERBOSE):
        ctx.fail("--verbose goes with --version")
    apply_config(ctx, Settings.of(ctx))
    if any(name.startswith(VARIABLES) for name in os.environ):
        for sentence in note_unknown_variables(ctx):
            _say(f"note: {clean(sentence)}")
