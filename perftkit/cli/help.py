"""Commands and options that explain themselves: grouped help, and what was meant by a misspelling.

Every option says with ``group=`` under which heading the help lists it.
"""

from __future__ import annotations

import inspect
import os
import re
import shutil
import textwrap
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import click

from perftkit.report.text import shortened
from perftkit.suggest import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import NoReturn

__all__ = [
    "ASKING",
    "CONFIG",
    "COUNTING",
    "ENGINE",
    "GROUPS",
    "OTHER",
    "POSITIONS",
    "RESULT",
    "RIVALS",
    "Choice",
    "Command",
    "Group",
    "Number",
    "Option",
    "as_typed",
    "group_of",
    "option",
]

Decorated = TypeVar("Decorated", bound="Callable[..., Any]")

POSITIONS = "Positions and depths"
COUNTING = "Counting"
ENGINE = "Engine under test"
ASKING = "How the engine is asked"
RIVALS = "Other engines"
RESULT = "Result"
OTHER = "Other"

GROUPS = (POSITIONS, COUNTING, ENGINE, ASKING, RIVALS, RESULT, OTHER)
"""The headings, in the order of the help."""

CONFIG = "perftkit.config"
"""Where a context keeps which table of which file the defaults come from."""

FULL_WIDTH = 80
WIDEST_TERM = 26  # characters of an option and its value beside which its text still begins
INDENT, GAP = 2, 2
LEAST_TEXT = 20  # characters beside a term; where there are fewer, the text stands below it
BELOW = 6  # where that text begins
NARROWEST = 28  # characters; terminals of fewer columns break the lines
VERBATIM = "\b"  # before a paragraph whose lines stay as they are
ROW = re.compile(r"  \S.*?  +(?=\S)")  # of a table: a term, and behind it where its text begins
LONGEST_SHOWN = 60  # characters of what was typed
SHORTENED_NUMBER = re.compile("(?P<number>[1-9][0-9]{0,5})(?P<unit>e3|e6|e9|[kmg])")
ZEROS = {"k": "000", "e3": "000", "m": "000000", "e6": "000000", "g": "0" * 9, "e9": "0" * 9}

EXAMPLES = {
    "fen": "startpos, kiwipete, or a FEN in quotes",
    "spec": "a command such as stockfish or './my-engine --uci'",
    "suites": "a file, - for standard input, or a name such as perft_positions",
}
"""What a command wants where it gets no words."""


def as_typed(text: str) -> str:
    """Return what was typed as a message shows it, which is cut where it is long."""
    return shortened(text, LONGEST_SHOWN, "...")


class Option(click.Option):
    """An option with a place in the help.

    Attributes:
        group: The heading under which it is listed, one of `GROUPS`.
    """

    def __init__(self, *args: Any, group: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.group = group

    def handle_parse_result(
        self, ctx: click.Context, opts: Mapping[str, Any], args: list[str]
    ) -> tuple[Any, list[str]]:
        """Take the value; one that can't be used and was not typed comes with its place."""
        try:
            return super().handle_parse_result(ctx, opts, args)
        except click.BadParameter as error:
            place = self._place(ctx)
            if not place:
                raise
            raise click.BadParameter(
                error.message + place, error.ctx, error.param, error.param_hint
            ) from None

    def _place(self, ctx: click.Context) -> str:
        """Return where a value was set, if not on the command line."""
        source = ctx.get_parameter_source(self.name or "")
        if source is click.core.ParameterSource.DEFAULT_MAP:
            return f" It is set in {ctx.find_root().meta.get(CONFIG, 'pyproject.toml')}."
        if source is click.core.ParameterSource.ENVIRONMENT:
            names = [self.envvar] if isinstance(self.envvar, str) else list(self.envvar or ())
            if ctx.auto_envvar_prefix is not None and self.name:
                names.append(f"{ctx.auto_envvar_prefix}_{self.name.upper()}")
            name = next((name for name in names if os.environ.get(name)), names[-1])
            return f" It is set by the variable {name}."
        return ""

    def get_help_extra(self, ctx: click.Context) -> Any:
        """Leave ranges out: whoever leaves one is told it."""
        extra = super().get_help_extra(ctx)
        extra.pop("range", None)
        return extra


def option(*names: str, group: str, **attributes: Any) -> Callable[[Decorated], Decorated]:
    """Add an option as `click.option` does, under a heading of the help."""
    return click.option(*names, cls=Option, group=group, **attributes)


def group_of(param: click.Parameter) -> str:
    """Return the heading under which the help lists an option."""
    return param.group if isinstance(param, Option) else OTHER


if TYPE_CHECKING:
    TextChoice = click.Choice[str]
else:
    TextChoice = click.Choice  # older versions of click have it without a type of its values


class Choice(TextChoice):
    """A choice of names that knows which one was meant."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the name, or say what there is."""
        if value in self.choices:
            return str(value)
        what = param.name if param is not None and param.name else "choice"
        ends = did_you_mean(str(value), self.choices)
        return self.fail(f"there is no {what.rstrip('s')} {str(value)!r}{ends}", param, ctx)


class Number(click.IntRange):
    """A whole number whose limits are told in words."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return the number, or say which ones there are."""
        try:
            return int(super().convert(value, param, ctx))
        except click.BadParameter:
            text = str(value).strip()
            found = SHORTENED_NUMBER.fullmatch(text.lower())
            plain = f"; write {found['number']}{ZEROS[found['unit']]}" if found else ""
            self.fail(f"{as_typed(text)!r} is no whole number {self.limits()}{plain}.", param, ctx)

    def limits(self) -> str:
        """Return which numbers there are."""
        return f"of {self.min} or more" if self.max is None else f"from {self.min} to {self.max}"


class _Context(click.Context):
    """A context whose help fits into terminals that are narrower than click thinks of."""

    def make_formatter(self) -> click.HelpFormatter:
        """Return what writes the help."""
        widest = self.max_content_width or FULL_WIDTH
        columns = min(shutil.get_terminal_size().columns, widest)
        return self.formatter_class(width=max(columns, NARROWEST))


class _Suggesting(click.Command):
    """What commands and groups of them have in common."""

    context_class = _Context

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Take the words apart; a misspelt option is answered with the one that was meant."""
        names = self._option_names(ctx)
        for arg in self._free_words(ctx, args):
            if arg.startswith("-") and f"-{arg.partition('=')[0]}" in names:
                self._refuse_option(ctx, arg.partition("=")[0], names)
        self._refuse_swallowed(ctx, args, names)
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            self._refuse_option(ctx, error.option_name, names)
        except click.BadOptionUsage as error:
            self._refuse_without_value(ctx, error)
        except click.MissingParameter as error:
            example = EXAMPLES.get(error.param.name or "") if error.param else None
            ctx.fail(error.format_message().rstrip(".") + (f": {example}" if example else "."))

    def _refuse_swallowed(
        self, ctx: click.Context, args: Sequence[str], names: Sequence[str]
    ) -> None:
        """Refuse ``--engine --depth 3``, which would name the engine --depth."""
        taking = self._taking(ctx)
        before = ""
        for arg in args:
            if arg == "--":
                return
            if before in taking and arg in names:
                ctx.fail(f"{before} needs a value before {arg}: {before} {taking[before]}")
            before = "" if before in taking else arg

    def _refuse_without_value(self, ctx: click.Context, error: click.BadOptionUsage) -> NoReturn:
        metavar = self._taking(ctx).get(error.option_name)
        if metavar is None:
            raise error
        ctx.fail(f"{error.option_name} needs a value: {error.option_name} {metavar}")

    def _refuse_option(self, ctx: click.Context, name: str, names: Sequence[str]) -> NoReturn:
        otherwise = f": {ctx.command_path} --help lists the options"
        ctx.fail(f"there is no option {name!r}{did_you_mean(name, names, otherwise)}")

    def _option_names(self, ctx: click.Context) -> list[str]:
        return [
            name
            for param in self.get_params(ctx)
            for name in (*param.opts, *param.secondary_opts)
            if name.startswith("--")
        ]

    def _taking(self, ctx: click.Context) -> dict[str, str]:
        """Return the options that take a value, and what stands for it."""
        return {
            name: param.metavar or param.type.name.upper()
            for param in self.get_params(ctx)
            if isinstance(param, click.Option) and not param.is_flag
            for name in param.opts
        }

    def _free_words(self, ctx: click.Context, args: Sequence[str]) -> Iterator[str]:
        """Yield the words that are no values of options, up to ``--``."""
        taking = self._taking(ctx)
        before = ""
        for arg in args:
            if arg == "--":
                return
            if before not in taking:
                yield arg
            before = arg

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options under their headings, with one column for all."""
        rows: dict[str, list[tuple[str, str]]] = {name: [] for name in GROUPS}
        for param in self.get_params(ctx):
            record = param.get_help_record(ctx)
            if record is not None and isinstance(param, click.Option):
                rows[group_of(param)].append(record)
        terms = [term for group in rows.values() for term, _ in group]
        width = max((len(term) for term in terms if len(term) <= WIDEST_TERM), default=0)
        for name, group in rows.items():
            if group:
                with formatter.section(name):
                    _write_rows(formatter, group, width)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write what comes last: sentences, tables, and examples, which are copied as they are."""
        if not self.epilog:
            return
        formatter.write_paragraph()
        with formatter.indentation():
            room = formatter.width - formatter.current_indent
            paragraphs = inspect.cleandoc(self.epilog).split("\n\n")
            formatter.write_text("\n\n".join(_fitted(each, room) for each in paragraphs))


@dataclass
class _Entry:
    """A sentence, or a row of a table.

    Attributes:
        head: What stands before its text.
        text: The text, which may be wrapped.
    """

    head: str
    text: str

    def lines(self, width: int) -> list[str]:
        """Return it wrapped; the text stands below its head where there is no room beside it."""
        below = width - len(self.head) < LEAST_TEXT
        column = BELOW if below else len(self.head)
        wrapped = textwrap.wrap(
            self.text,
            width - column,
            break_long_words=False,
            break_on_hyphens=False,
        )
        lines = [" " * column + line for line in wrapped]
        if below:
            return [self.head.rstrip(), *lines]
        return [self.head + lines[0][column:], *lines[1:]]


def _fitted(paragraph: str, width: int) -> str:
    """Return a paragraph whose lines would stay as they are, wrapped anew where it is too wide."""
    mark, *lines = paragraph.split("\n")
    if mark != VERBATIM or lines[0] == "Examples:" or max(map(len, lines)) <= width:
        return paragraph
    entries: list[_Entry] = []
    for line in lines:
        row = ROW.match(line)
        head = row[0] if row else line[: len(line) - len(line.lstrip())]
        if not row and entries and len(head) == len(entries[-1].head):
            entries[-1].text += " " + line.strip()
        else:
            entries.append(_Entry(head, line[len(head) :]))
    return "\n".join([mark, *(line for entry in entries for line in entry.lines(width))])


def _write_rows(
    formatter: click.HelpFormatter, rows: Sequence[tuple[str, str]], width: int
) -> None:
    """Write terms and their texts, which all begin in the same column."""
    column = INDENT + width + GAP
    if formatter.width - column < LEAST_TEXT:
        column, width = BELOW, 0
    for term, text in rows:
        lines = click.wrap_text(text, formatter.width - column).splitlines() or [""]
        head = " " * INDENT + term
        if len(term) > width:
            formatter.write(f"{head}\n")
            head = ""
        formatter.write(f"{head.ljust(column)}{lines[0]}".rstrip() + "\n")
        for line in lines[1:]:
            formatter.write(" " * column + line + "\n")


class Command(_Suggesting):
    """A command whose help is grouped and that knows which option was meant."""


class Group(_Suggesting, click.Group):
    """A group of commands that knows which one was meant."""

    command_class = Command

    sections: Mapping[str, Sequence[str]] | None = None
    """The commands by heading; None for one list of them all."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order in which the commands are written."""
        return list(self.commands)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command, or say what was meant, or what there is."""
        name = args[0]
        if self.get_command(ctx, name) is None and not name.startswith("-"):
            commands = self.list_commands(ctx)
            meant = self.meant(args)
            missing = f"there is no command {as_typed(name)!r}"
            if meant is not None:
                ctx.fail(f"{missing}. {meant}")
            ctx.fail(f"{missing}{did_you_mean(name, commands)}")
        return super().resolve_command(ctx, args)

    def meant(self, args: Sequence[str]) -> str | None:
        """Return what to say to words that are none of the commands."""
        return None

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands, then the options: the commands are what is looked for."""
        self.format_commands(ctx, formatter)
        super().format_options(ctx, formatter)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands under their headings."""
        names = self.list_commands(ctx)
        width = max(map(len, names))
        for heading, section in (self.sections or {"Commands": names}).items():
            rows = [(name, self._short_help(ctx, name)) for name in section]
            with formatter.section(heading):
                _write_rows(formatter, rows, width)

    def _short_help(self, ctx: click.Context, name: str) -> str:
        command = self.get_command(ctx, name)
        assert command is not None
        return command.get_short_help_str(limit=1000)
