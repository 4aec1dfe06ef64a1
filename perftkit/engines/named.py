"""Engines that have a name, in pyproject.toml or a TOML file of their own."""

from __future__ import annotations

import importlib
import sys
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from perftkit.engines.settings import DEFAULT_TIMEOUT, EngineSettings
from perftkit.engines.text import printable, quoted
from perftkit.errors import SpecError
from perftkit.suggest import did_you_mean, unfilled

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["NamedEngine", "completed", "find_engines", "known_engines", "read_engines"]

PYPROJECT = "pyproject.toml"
TABLES = (("tool", "perftkit", "engines"), ("engines",))
TEXTS = ("perft_command", "divide_pattern", "total_pattern", "folder")
MAPPINGS = ("environment", "options")
KEYS = ("spec", *TEXTS, *MAPPINGS, "timeout")


@dataclass(frozen=True, slots=True)
class NamedEngine:
    """An engine as a file describes it.

    Attributes:
        name: How it is called for.
        spec: What it stands for.
        settings: What the file says about it, by the names of `EngineSettings`; it runs in the
            folder of the file unless the file says another one.
    """

    name: str
    spec: str
    settings: Mapping[str, Any]


def read_engines(path: Path) -> dict[str, NamedEngine]:
    """Return the engines of a file: the tables [engines.NAME] or [tool.perftkit.engines.NAME].

    Raises:
        SpecError: It can't be read, is no TOML, has none, or says something that there is not.
    """
    engines = _engines(path, _toml(path))
    if not engines:
        raise SpecError(
            f'{path} has no engines; each is a table [engines.NAME] with spec = "COMMAND"'
        )
    return engines


def find_engines(folder: Path) -> dict[str, NamedEngine]:
    """Return the engines of the nearest pyproject.toml that is about perftkit.

    Raises:
        SpecError: The file can't be used.
    """
    for parent in (folder, *folder.parents):
        path = parent / PYPROJECT
        if not path.is_file():
            continue
        content = _toml(path)
        if isinstance(content.get("tool"), dict) and "perftkit" in content["tool"]:
            return _engines(path, content)
    return {}


def known_engines(file: str | None = None, folder: Path | None = None) -> dict[str, NamedEngine]:
    """Return the engines that have a name: those of a file, and of the nearest pyproject.toml.

    Args:
        file: A TOML file whose engines go before the others.
        folder: Where the search begins; None for the current folder.

    Raises:
        SpecError: A file can't be used.
    """
    engines = find_engines(Path.cwd() if folder is None else folder)
    if file is not None:
        engines.update(read_engines(Path(file)))
    return engines


def completed(settings: EngineSettings, named: NamedEngine) -> EngineSettings:
    """Return settings with what a file says about an engine, where they say nothing themselves.

    Raises:
        SpecError: Together they can't be used.
    """
    values = dict(named.settings)
    for entry in fields(settings):
        said = getattr(settings, entry.name)
        if entry.name in MAPPINGS:
            values[entry.name] = {**values.get(entry.name, {}), **said}
        elif said is not None and said is not DEFAULT_TIMEOUT:
            # The same object, not an equal number: who says 60 s wants 60 s.
            values[entry.name] = said
    return EngineSettings(**values)


def _toml(path: Path) -> dict[str, Any]:
    tomllib = importlib.import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")
    try:
        content: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise SpecError(
            f"{path} can't be read: {error.strerror or error}; it is a TOML file with tables"
            f" [engines.NAME]{unfilled(str(path))}"
        ) from None
    except ValueError as error:  # no UTF-8, or no TOML
        raise SpecError(f"{path} is no valid TOML: {error}") from None
    return content


def _engines(path: Path, content: dict[str, Any]) -> dict[str, NamedEngine]:
    for keys in TABLES:
        table: Any = content
        for key in keys:
            table = table.get(key) if isinstance(table, dict) else None
        if table is None:
            continue
        where = ".".join(keys)
        if not isinstance(table, dict):
            raise SpecError(f"{path}: [{where}] is a table of engines, not {quoted(repr(table))}")
        return {
            name: _engine(name, entry, path, f"{path}: [{where}.{printable(name)}]")
            for name, entry in table.items()
        }
    return {}


def _engine(name: str, entry: Any, path: Path, where: str) -> NamedEngine:
    if isinstance(entry, str):
        entry = {"spec": entry}
    if not isinstance(entry, dict):
        raise SpecError(f"{where} is a table or a spec, not {quoted(repr(entry))}")
    values: dict[str, Any] = {"folder": "."}
    for key, value in entry.items():
        values[_key(key, where)] = value
    for key, value in values.items():
        _check(key, value, where)
    spec = values.pop("spec", None)
    if spec is None:
        raise SpecError(f"{where} has no spec, the command of the engine")
    values["folder"] = str(path.resolve().parent / values["folder"])
    for key in MAPPINGS:
        if key in values:
            values[key] = {name: _text(value) for name, value in values[key].items()}
    if "timeout" in values:
        values["timeout"] = float(values["timeout"])
    try:
        EngineSettings(**values)
    except SpecError as error:
        raise SpecError(f"{where}: {error}") from None
    return NamedEngine(name, spec, values)


def _key(key: str, where: str) -> str:
    name = key.replace("-", "_")
    if name in KEYS:
        return name
    raise SpecError(f"{where} has no setting {quoted(key)}{did_you_mean(key, KEYS)}")


def _check(key: str, value: Any, where: str) -> None:
    if key in MAPPINGS:
        fits = isinstance(value, dict) and all(
            isinstance(entry, (str, int, float)) for entry in value.values()
        )
    elif key == "timeout":
        fits = isinstance(value, (int, float)) and not isinstance(value, bool)
    else:
        fits = isinstance(value, str)
    if not fits:
        raise SpecError(f"{where} {key} can't be {quoted(repr(value))}")


def _text(value: str | float | bool) -> str:
    """Return a value as engines write it: true and false in lower case."""
    return str(value).lower() if isinstance(value, bool) else str(value)
