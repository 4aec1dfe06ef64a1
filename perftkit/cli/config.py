"""Defaults from the table [tool.perftkit] of the nearest pyproject.toml."""

from __future__ import annotations

import importlib
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from perftkit.suggest import did_you_mean

if TYPE_CHECKING:
    from perftkit.cli.options import Settings

__all__ = ["apply_config"]

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
    group = ctx.command
    assert isinstance(group, click.Group)
    where = _Place(path, TABLE)
    ctx.default_map = _group_defaults(ctx, group, table, where, ctx.invoked_subcommand)


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
            raise click.ClickException(_no_such(where, "table", key, names))
        if not isinstance(value, dict):
            raise click.ClickException(f"{where.inside(key)} is a table, not {value!r}")
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
            raise click.ClickException(f"{where} {key} can't be {value!r}")
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


def _no_such(where: _Place, kind: str, key: str, names: list[str]) -> str:
    return f"{where} has no {kind} {key!r}{did_you_mean(key, names)}"
