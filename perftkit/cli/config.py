"""Defaults from the table [tool.perftkit] of the nearest pyproject.toml."""

from __future__ import annotations

import importlib
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from perftkit.cli.help import CONFIG
from perftkit.suggest import closest, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterator

    from perftkit.cli.options import Settings

__all__ = ["apply_config", "note_unknown_variables"]

FILE_NAME = "pyproject.toml"
TABLE = "tool.perftkit"


@dataclass(frozen=True, slots=True)
class _Place:
    """A table in a file, as messages name it."""

    path: Path
    table: str

    def inside(self, name: str) -> _Place:
        return _Place(self.path, f"{self.table}.{name}")

    def __str__(self) -> str:
        return f"{self.path}: [{self.table}]"


def apply_config(ctx: click.Context, settings: Settings) -> None:
    """Make what the file says the defaults of the command that was asked for.

    Raises:
        click.ClickException: The file can't be read, or says something that there is not.
    """
    found = _find(Path.cwd())
    if found is None:
        return
    path, table = found
    table = dict(table)
    table.pop("engines", None)  # read by perftkit.engines.named when an engine is asked for
    color = table.pop("color", None)
    if settings.color is None and color is not None:
        if not isinstance(color, bool):
            raise click.ClickException(f"{_Place(path, TABLE)} color is true or false")
        settings.color = color
    ctx.meta[CONFIG] = f"{path}: [{TABLE}.{ctx.invoked_subcommand}]"
    group = ctx.command
    assert isinstance(group, click.Group)
    where = _Place(path, TABLE)
    ctx.default_map = _group_defaults(ctx, group, table, where, ctx.invoked_subcommand)


def note_unknown_variables(ctx: click.Context) -> Iterator[str]:
    """Yield a sentence for each PERFTKIT_ variable that is meant for a command and not read."""
    name = ctx.invoked_subcommand or ""
    command = ctx.command.get_command(ctx, name) if isinstance(ctx.command, click.Group) else None
    if command is None or isinstance(command, click.Group):
        return
    prefix = f"PERFTKIT_{name.upper()}_"
    known = {f"{prefix}{(param.name or '').upper()}": param for param in command.params}
    own = {param.envvar for param in command.params}
    for variable in sorted(os.environ):
        if variable in known or variable in own or not variable.startswith("PERFTKIT_"):
            continue
        rest = variable.removeprefix(prefix)
        meant = closest(rest, [each.removeprefix(prefix) for each in known])
        if rest != variable:
            ends = f", did you mean {prefix}{meant}?" if meant else ""
            yield f"there is no variable {variable}{ends or f': perftkit {name} --help'}"
        elif (whole := f"{prefix}{variable.removeprefix('PERFTKIT_')}") in known:
            yield f"there is no variable {variable}, did you mean {whole}?"


def _find(folder: Path) -> tuple[Path, dict[str, Any]] | None:
    for parent in (folder, *folder.parents):
        path = parent / FILE_NAME
        if not path.is_file():
            continue
        table = _read(path).get("tool", {})
        table = table.get("perftkit") if isinstance(table, dict) else None
        if isinstance(table, dict):
            return path, table
    return None


def _read(path: Path) -> dict[str, Any]:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise click.ClickException(f"{path} can't be read: {error}") from None
    if "perftkit" not in text:
        return {}
    tomllib = importlib.import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")
    try:
        content: dict[str, Any] = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise click.ClickException(f"{path} is no valid TOML: {error}") from None
    return content


def _group_defaults(
    ctx: click.Context,
    group: click.Group,
    table: dict[str, Any],
    where: _Place,
    wanted: str | None = None,
) -> dict[str, Any]:
    """Return the values by command and parameter, of the wanted command alone if there is one."""
    names = group.list_commands(ctx)
    for key, value in table.items():
        if key not in names:
            raise click.ClickException(_no_such_table(where, key, value, names))
        if not isinstance(value, dict):
            raise click.ClickException(f"{where.inside(key)} is a table, not {_shown(value)}")
    defaults = {}
    for name, values in table.items():
        if wanted not in (None, name):
            continue
        command = group.get_command(ctx, name)
        inner = where.inside(name)
        if isinstance(command, click.Group):
            defaults[name] = _group_defaults(ctx, command, values, inner)
        elif command is not None:
            defaults[name] = _command_defaults(command, values, inner)
    return defaults


def _command_defaults(
    command: click.Command, table: dict[str, Any], where: _Place
) -> dict[str, Any]:
    known = {_key(param): param for param in command.params if param.name}
    values = {}
    for key, value in table.items():
        param = known.get(key.replace("-", "_"))
        if param is None:
            raise click.ClickException(_no_such(where, "option", key, list(known)))
        if not _fits(param, value):
            raise click.ClickException(f"{where} {key} can't be {_shown(value)}; {_kind(param)}")
        values[param.name or key] = value
    return values


def _key(param: click.Parameter) -> str:
    longest = max(param.opts, key=len)
    return longest.lstrip("-").replace("-", "_")


def _fits(param: click.Parameter, value: Any) -> bool:
    """Whether a value of TOML is of a kind that the parameter can take."""
    if isinstance(param, click.Option) and param.is_flag:
        return isinstance(value, bool)
    if param.multiple or param.nargs != 1:
        return isinstance(value, list) and all(isinstance(entry, str) for entry in value)
    return isinstance(value, (str, int)) and not isinstance(value, bool)


def _kind(param: click.Parameter) -> str:
    """Return what a parameter is to be set to."""
    if isinstance(param, click.Option) and param.is_flag:
        return "it is true or false"
    if param.multiple or param.nargs != 1:
        return "it is a list of texts"
    return "it is a text or a number"


def _shown(value: Any) -> str:
    """Return a value as TOML writes it, where that is short."""
    return str(value).lower() if isinstance(value, bool) else repr(value)


def _no_such_table(where: _Place, key: str, value: Any, names: list[str]) -> str:
    if isinstance(value, dict) or closest(key, names):
        return _no_such(where, "table", key, names)
    return (
        f"{where} has no table {key!r}: options stand in the table of their command, as"
        f" [{where.table}.{names[0]}]"
    )


def _no_such(where: _Place, kind: str, key: str, names: list[str]) -> str:
    return f"{where} has no {kind} {key!r}{did_you_mean(key, names)}"
