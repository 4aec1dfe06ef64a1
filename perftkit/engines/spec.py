"""From the text that names an engine to the engine."""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING

from perftkit.engines.command import CommandEngine, has_placeholders, split_command
from perftkit.engines.dialogue import DialogueEngine
from perftkit.engines.named import completed
from perftkit.engines.probe import probed_engine
from perftkit.engines.process import find_program
from perftkit.engines.python import python_engine
from perftkit.engines.settings import EngineSettings
from perftkit.engines.text import quoted
from perftkit.engines.uci import UciEngine
from perftkit.engines.xboard import XboardEngine
from perftkit.errors import EngineError, SpecError
from perftkit.suggest import closest

if TYPE_CHECKING:
    from collections.abc import Mapping

    from perftkit.engines import PerftEngine
    from perftkit.engines.named import NamedEngine

__all__ = ["PREFIXES", "open_engine"]

PREFIXES = ("uci", "xboard", "cmd", "py")
EXAMPLES = {
    "uci": "./my-engine",
    "xboard": "./my-engine",
    "cmd": "'./perft.sh {depth} {fen} {moves}'",
}
OTHER_NAMES = {
    "winboard": "xboard",
    "cecp": "xboard",
    "command": "cmd",
    "exec": "cmd",
    "shell": "cmd",
    "python": "py",
}
"""What else the kinds are called."""

KIND = re.compile(r"(?P<kind>[A-Za-z]{2,12})(?:[:=]|\s+(?=\S))(?P<rest>.+)", re.DOTALL)


def open_engine(
    spec: str,
    settings: EngineSettings | None = None,
    *,
    engines: Mapping[str, NamedEngine] | None = None,
    like: PerftEngine | None = None,
) -> PerftEngine:
    """Return the engine that a text names.

    Args:
        spec: ``uci:COMMAND``, ``xboard:COMMAND``, ``cmd:COMMAND``, ``py:module:name``, or a
            command alone, which is probed; or the name of one of the `engines`.
        settings: How it is to be talked to; what a named engine's file says is added.
        engines: Those that have a name, as `perftkit.engines.named.known_engines` finds them.
        like: An engine that was opened with the same arguments; what was found out about it is
            taken over, so that several processes of an engine are probed once.

    Raises:
        SpecError: The text names nothing.
        EngineError: The engine can't be started or understood.
    """
    settings = EngineSettings() if settings is None else settings
    shown = spec
    named = engines.get(spec.strip()) if engines is not None else None
    if named is not None:
        spec, settings = named.spec, completed(settings, named)
    prefix, rest = _parts(spec)
    if prefix in EXAMPLES:
        _refuse_incomplete(prefix, rest)
    elif not prefix:
        _refuse_unknown_kind(rest, settings)
    if not prefix and engines is not None and named is None:
        _refuse_misspelt(rest, settings, engines)
    if isinstance(like, DialogueEngine):
        return type(like)(rest, settings, shown, like=like)
    if isinstance(like, CommandEngine):
        return CommandEngine(rest, settings, shown, like=like)
    if prefix == "py":
        return python_engine(rest.strip(), settings, shown)
    if prefix == "cmd" or (not prefix and has_placeholders(rest)):
        return _probed(CommandEngine(rest, settings, shown))
    if prefix == "uci":
        return _probed(UciEngine(rest, settings, shown))
    if prefix == "xboard":
        return _probed(XboardEngine(rest, settings, shown))
    return probed_engine(rest, settings, shown)


def _probed(engine: DialogueEngine | CommandEngine) -> PerftEngine:
    """Find out what an engine can do, so that what fails does so when it is opened."""
    engine.probe()
    return engine


def _refuse_misspelt(
    command: str, settings: EngineSettings, engines: Mapping[str, NamedEngine]
) -> None:
    """Refuse what is no program and probably a misspelt name."""
    words = split_command(command)
    if len(words) > 1 or not (meant := closest(words[0], engines)):
        return
    if find_program(words[0], settings.folder) is None:
        raise EngineError(
            f"there is no engine and no program {quoted(words[0])}, did you mean {meant}?"
        )


def _refuse_incomplete(prefix: str, rest: str) -> None:
    """Refuse a kind that no command follows, or another kind."""
    if not rest.strip():
        raise SpecError(f"'{prefix}:' is empty; write {prefix}:{EXAMPLES[prefix]}")
    second, command = _parts(rest)
    if second:
        raise SpecError(
            f"{quoted(f'{prefix}:{rest}')} has two kinds, {prefix}: and {second}:; write"
            f" {shlex.quote(f'{second}:{command}')}"
        )


def _refuse_unknown_kind(command: str, settings: EngineSettings) -> None:
    """Refuse ``uic:./my-engine``, ``winboard:./my-engine`` and ``uci ./my-engine``."""
    found = KIND.fullmatch(command.strip())
    if found is None or find_program(split_command(command)[0], settings.folder) is not None:
        return
    word, rest = found["kind"], found["rest"].strip()
    mark = command.strip()[len(word)]
    kind = OTHER_NAMES.get(word.lower()) or closest(word, PREFIXES)
    if mark.isspace() and word.lower() not in (*PREFIXES, *OTHER_NAMES):
        return
    if kind is not None:
        meant = shlex.quote(f"{kind}:{rest}")
        raise SpecError(f"there is no kind of engine {quoted(word + mark)}, did you mean {meant}?")
    if find_program(split_command(rest)[0], settings.folder) is not None:
        kinds = ", ".join(f"{name}:" for name in PREFIXES[:-1])
        raise SpecError(
            f"there is no kind of engine {quoted(word + mark)}: there are {kinds} and py:"
        )


def _parts(spec: str) -> tuple[str, str]:
    """Return the prefix, empty without one, and the rest."""
    prefix, colon, rest = spec.partition(":")
    prefix = prefix.strip().lower()
    return (prefix, rest) if colon and prefix in PREFIXES else ("", spec)
