"""Write docs/commands.md, the command reference, from the commands themselves.

    python tools/command_reference.py

perftkit has to be importable. A test compares the file with what this would write.
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

import click

from perftkit.cli.app import app
from perftkit.cli.help import GROUPS, group_of

if TYPE_CHECKING:
    from collections.abc import Iterator

PAGE = Path(__file__).parents[1] / "docs" / "commands.md"
PROGRAM = "perftkit"
TABLE = "tool.perftkit"
OPTION = re.compile(r"(?<![\w`-])--?[a-z][a-z0-9-]*\b")

HEAD = """\
# Command reference

<!-- Written by tools/command_reference.py: change the commands, then run it. -->

All commands with all their options, under the headings of `--help`, which every command has
(`-h`). What `--engine` and SPEC can be is told in [Engines under test](engines.md), what the
formats hold in [Reports](reports.md), and what the exit status means [on the front
page](index.md#exit-status).

## Where a value comes from

The first of these that says something decides:

1. the command line,
2. the environment variable in the table,
3. the key in the table, in the nearest `pyproject.toml` upwards that has a `[tool.perftkit]`,
4. the default.

In a variable, flags are `1` or `0`, and the values of an option that may be given several times
are separated by spaces. In the file, flags are `true` or `false`, and such values are a list; a
dash in a key may be written as an underscore:

```toml
[tool.perftkit]
color = false

[tool.perftkit.run]
depth = 5
engine = "uci:./my-engine"
max-nodes = 50_000_000
```

A key or a table that does not exist is an error, with the name that was probably meant. `NO_COLOR`
and `TERM=dumb` are heeded, and `PERFTKIT_KERNEL` chooses [the build of the fast
walker](benchmarks.md#the-kernels).
"""

ARGUMENTS = {
    "suites": "A file, `-` for standard input, or the name of a"
    " [built-in suite](suite.md#the-suites-that-come-with-perftkit).",
    "fen": "A position, quoted or as separate words; `startpos` and `kiwipete` are names for two.",
    "spec": "What names [an engine](engines.md).",
}
"""What click's arguments are; they have no help of their own."""

REMARK = "<!-- only parsed: they are about files and engines of the reader's own -->"


@dataclass(frozen=True, slots=True)
class Place:
    """A command and where it stands among the others.

    Attributes:
        words: The words before it and its own, without the program's name.
        command: What click knows of it.
        context: In which its options are resolved.
    """

    words: tuple[str, ...]
    command: click.Command
    context: click.Context

    @property
    def name(self) -> str:
        """Return what is typed."""
        return " ".join((PROGRAM, *self.words))

    @property
    def table(self) -> str:
        """Return the table of pyproject.toml with its defaults."""
        return ".".join((TABLE, *self.words))


def places(place: Place) -> Iterator[Place]:
    """Yield the commands of a group, each followed by its own."""
    group, context = place.command, place.context
    if not isinstance(group, click.Group):
        return
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        inner = click.Context(command, parent=context, info_name=name)
        found = Place((*place.words, name), command, inner)
        yield found
        yield from places(found)


def reference() -> str:
    """Return the page."""
    settings = dict(app.context_settings)
    context = click.Context(app, info_name=PROGRAM, **settings)
    root = Place((), app, context)
    parts = [HEAD, *section(root)]
    for place in places(root):
        parts += section(place)
    return "\n".join(parts).rstrip() + "\n"


def section(place: Place) -> Iterator[str]:
    """Yield what is said about one command."""
    level = "#" * max(2, 1 + len(place.words))
    yield f"{level} {place.name}\n"
    yield prose(place.command.help or "") + "\n"
    usage = " ".join(place.command.collect_usage_pieces(place.context))
    yield f"```text\n{place.name} {usage}\n```\n"
    yield from options(place)
    yield from epilog(place.command.epilog or "")


def options(place: Place) -> Iterator[str]:
    """Yield the table of a command's arguments and options, these under the help's headings."""
    parameters = [each for each in place.command.params if not getattr(each, "hidden", False)]
    if not parameters:
        return
    yield f"| option | what it says | default | variable, and key in `[{place.table}]` |"
    yield "| --- | --- | --- | --- |"
    arguments = [each for each in parameters if isinstance(each, click.Argument)]
    for argument in arguments:
        yield row(place, argument)
    for heading in GROUPS:
        under = [each for each in parameters if each not in arguments and group_of(each) == heading]
        if under and len(under) + len(arguments) < len(parameters):
            yield f"| **{heading}** | | | |"
        for parameter in under:
            yield row(place, parameter)
    yield ""


def row(place: Place, parameter: click.Parameter) -> str:
    """Return the row of one argument or option."""
    cells = spelling(place, parameter), meaning(parameter), default(parameter, place.context)
    return f"| {' | '.join(cells)} | {sources(place, parameter)} |"


def spelling(place: Place, parameter: click.Parameter) -> str:
    """Return how an option is written, which links to itself."""
    longest = max(parameter.opts, key=len)
    anchor = "-".join((PROGRAM, *place.words, longest.lstrip("-")))
    if isinstance(parameter, click.Argument):
        text = " ".join(parameter.get_usage_pieces(place.context))
    else:
        short = [option for option in parameter.opts if option != longest]
        text = ", ".join([*short, " / ".join([longest, *parameter.secondary_opts])])
        text += value(parameter)
    text = text.replace("|", "\\|")
    return f'<a id="{anchor}" href="#{anchor}">`{text}`</a>'


def value(parameter: click.Parameter) -> str:
    """Return what stands for the option's value."""
    if isinstance(parameter, click.Option) and (parameter.is_flag or parameter.count):
        return ""
    if parameter.metavar is None and isinstance(parameter.type, click.Choice):
        return " " + "|".join(parameter.type.choices)
    return " " + (parameter.metavar or parameter.type.name.upper())


def meaning(parameter: click.Parameter) -> str:
    """Return the help of an option."""
    if isinstance(parameter, click.Argument):
        return ARGUMENTS[parameter.name or ""]
    text = inline(re.sub(r"\s*\[default: .*\]", "", getattr(parameter, "help", None) or ""))
    return f"{text} {limits(parameter.type)}".strip()


def limits(kind: click.ParamType) -> str:
    """Return which numbers an option takes."""
    if not isinstance(kind, click.IntRange):
        return ""
    return f"{kind.min} or more." if kind.max is None else f"{kind.min} to {kind.max}."


def default(parameter: click.Parameter, context: click.Context) -> str:
    """Return the default as the help has it."""
    if isinstance(parameter, click.Argument):
        return "required" if parameter.required else ""
    if said := re.search(r"\[default: (.*)\]", getattr(parameter, "help", None) or ""):
        return inline(said[1])
    given = parameter.get_default(context)
    if given is None or parameter.multiple or callable(given) or given is False or given == "":
        return ""
    if not isinstance(given, (str, int, float)):
        return ""
    return f"`{given}`"


def sources(place: Place, parameter: click.Parameter) -> str:
    """Return the environment variable and the key of the configuration."""
    found = []
    if isinstance(parameter, click.Option):
        named = parameter.envvar or ()
        found += [named] if isinstance(named, str) else list(named)
        prefix = place.context.auto_envvar_prefix
        if parameter.allow_from_autoenv and prefix and parameter.name:
            found.append(f"{prefix}_{parameter.name.upper()}")
    if place.words or parameter.name == "color":
        found.append(key_of(parameter))
    return "<br>".join(f"`{name}`" for name in found)


def key_of(parameter: click.Parameter) -> str:
    """Return the key by which pyproject.toml gives a value."""
    return max(parameter.opts, key=len).lstrip("-")


def epilog(text: str) -> Iterator[str]:
    """Yield what stands at the end of a command's help; examples as code."""
    for paragraph in re.split(r"\n\s*\n", text.replace("\b\n", "")):
        lines = [line for line in paragraph.splitlines() if line.strip()]
        for indented, group in groupby(lines, key=lambda line: line.startswith("  ")):
            if not indented:
                yield prose("\n".join(group)) + "\n"
                continue
            code = [line.strip() for line in group]
            commands = all(line.startswith(PROGRAM) for line in code)
            if commands:
                yield REMARK + "\n"
            yield f"```{'sh' if commands else 'text'}"
            yield from code
            yield "```\n"


def prose(text: str) -> str:
    """Return the paragraphs of a help text as Markdown."""
    paragraphs = re.split(r"\n\s*\n", text.replace("\b\n", "").strip())
    return "\n\n".join(inline(" ".join(each.split())) for each in paragraphs)


def inline(text: str) -> str:
    """Return plain text as Markdown on one line, with options as code."""
    text = text.replace("\\", "\\\\")
    for character in "*_[]|":
        text = text.replace(character, "\\" + character)
    text = text.replace("<", "&lt;").replace("{", "&#123;")
    return OPTION.sub(
        lambda found: f"`{found[0]}`" if found[0].startswith("--") else found[0], text
    )


if __name__ == "__main__":
    PAGE.write_text(reference(), encoding="utf-8")
    sys.stdout.write(f"{PAGE} has {len(reference().splitlines())} lines\n")
