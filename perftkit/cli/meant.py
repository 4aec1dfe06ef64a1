"""What people type instead of a command or a FEN: a suite, an engine, a word of another tool."""

from __future__ import annotations

import os
import re
import shlex
from glob import escape, glob
from pathlib import Path
from typing import TYPE_CHECKING

from perftkit.cli.help import as_typed
from perftkit.cli.options import NAMED_FENS
from perftkit.core.position import STARTPOS
from perftkit.engines.spec import PREFIXES
from perftkit.suggest import did_you_mean, unfilled
from perftkit.suite.builtin import BUILTIN

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["about_position", "about_suite", "command_for", "instead_of_suite", "is_there"]

NAMES = tuple(NAMED_FENS)
RANKS_APART = 7  # slashes of a FEN
FIELDS_APART = 3  # spaces of the shortest
UCI = ("position", "fen")
SUITE_ENDINGS = (".epd", ".txt", ".fen", ".csv")
ENGINES = ("stockfish", "stockfish.exe")
OF_SUITES = ("lint", "stats", "convert", "fill")
COUNTING = ("perft", "go", "count", "splitperft", "position")
SHOWN = "--depth 4"
MOVE = re.compile(r"[a-h][1-8][a-h][1-8][nbrq]?", re.IGNORECASE)
SPECS = tuple(f"{kind}:" for kind in PREFIXES)
GLOB = re.compile(r"[*?]|\[.+\]")
MOST_FOUND = 3  # files that are listed
QUOTES = "\"'`\u2018\u2019\u201c\u201d"


def command_for(words: Sequence[str]) -> str | None:
    """Return the command that words which begin with none probably want, as a sentence."""
    first, *rest = words
    if first.lower() == "help":
        return f"Type: {shlex.join(['perftkit', *rest[:1], '--help'])}"
    if first.lower() == "version":
        return "Type: perftkit --version"
    if first.lower() in NAMES or first.count("/") == RANKS_APART:
        fen = shlex.quote(" ".join(_up_to_option(words)))
        return f"To count a position: perftkit divide {fen} {SHOWN}; to see it: perftkit show {fen}"
    if first.lower() in COUNTING:
        return _for_perft(rest)
    if first.lower() in OF_SUITES:
        return f"Type: {shlex.join(['perftkit', 'suite', *words])}"
    if _is_suite(first):
        return f"To check a suite: {shlex.join(['perftkit', 'run', *words])}"
    if _is_program(first):
        engine = _engine(first)
        return (
            f"To check an engine: perftkit run --engine {engine};"
            f" to see what it speaks: perftkit engine {engine}"
        )
    return None


def about_suite(words: Sequence[str]) -> str | None:
    """Return the command of `perftkit suite` for words that begin with a suite, as a sentence."""
    if not _is_suite(words[0]):
        return None
    suite = shlex.join(words)
    return (
        f"To find what is wrong with a suite: perftkit suite lint {suite};"
        f" to describe it: perftkit suite stats {suite}"
    )


def instead_of_suite(words: Sequence[str], command: str) -> str | None:
    """Return what to type instead of a word that is no suite; None where it may be misspelt only.

    Args:
        words: What was given, from that word on.
        command: The command that takes suites.
    """
    first = words[0]
    if first.lower() in NAMES or first.count("/") == RANKS_APART:
        fen = shlex.quote(" ".join(_up_to_option(words)))
        return f"to check a position: perftkit run --fen {fen}"
    if first.isdecimal():
        return f"a depth is given by --depth {first}"
    if not is_there(first) and (ends := unfilled(first)):
        return ends.removeprefix("; ")
    if _is_program(first) or first.lower().startswith(SPECS):
        return f"to check an engine: perftkit run --engine {_engine(first)}"
    if first.lower().endswith(".gz"):
        return f"as a pipe: gunzip -c {shlex.quote(first)} | {command} -"
    return _of_files(first, command)


def _of_files(word: str, command: str) -> str | None:
    """Return how to give the files of a folder or of a pattern."""
    if is_there(word) and Path(word).is_dir():
        found = [name for ending in SUITE_ENDINGS for name in _found(f"{escape(word)}/*{ending}")]
        return f"the suites in it: {_listed(command, found)}" if found else None
    if not GLOB.search(word) or is_there(word):
        return None
    found = _found(word)
    if not found:
        return "no file has a name of that pattern"
    return f"the shell fills in patterns where there are no quotes: {_listed(command, found)}"


def is_there(name: str) -> bool:
    """Whether a file or folder has a name, which may be none at all."""
    return os.path.exists(name)  # noqa: PTH110, that of Path fails where it is too long


def _found(pattern: str) -> list[str]:
    return sorted(glob(pattern))  # noqa: PTH207, as the shell has it


def _listed(command: str, found: Sequence[str]) -> str:
    """Return a command with files, the first of them where there are many."""
    more = " ..." if len(found) > MOST_FOUND else ""
    return f"{command} {shlex.join(found[:MOST_FOUND])}{more}"


def about_position(words: Sequence[str]) -> str | None:
    """Return why words are no position, as a sentence; None for what has the look of a FEN.

    What is wrong inside a FEN is told by its `FenError`.
    """
    text = " ".join(words).strip()
    first, *rest = text.split() or [""]
    shown = repr(as_typed(text))
    if not first:
        return None
    if first[0] in QUOTES or text[-1] in QUOTES:
        return f"{shown} has quotes of its own; one pair is enough"
    if first.lower() in (*UCI, *NAMES):
        return f"{shown} is not a FEN alone; type: {_apart([first, *rest])}"
    if first.count("\\") == RANKS_APART:
        return f"{shown} has backslashes; the ranks of a FEN are parted by /"
    if not rest and first.count("_") >= FIELDS_APART:
        return f"{shown} has underscores; the fields of a FEN are parted by spaces"
    if first.count("/") == RANKS_APART and ";" in text:
        fen = text.partition(";")[0].strip()
        return f"{shown} is a row of a suite; give its FEN alone: {shlex.quote(fen)}"
    if "/" in first and not _is_program(first):
        return None
    if first.isdecimal():
        return f"{shown} is no FEN; a depth is given by --depth {first}"
    if MOVE.fullmatch(first):
        return f"{shown} is no FEN; all moves are one word: --moves 'e2e4 e7e5'"
    if _is_program(first):
        return f"{shown} is no FEN; an engine is named by --engine {_engine(first)}"
    return f"{shown} is no FEN{did_you_mean(first, NAMES, f'; one is like {STARTPOS!r}')}"


def _apart(words: Sequence[str]) -> str:
    """Return what to type for ``position fen ... moves ...``, or a name with more after it."""
    words = [word for word in words if word.lower() not in UCI]
    moves = [word for word in words if MOVE.fullmatch(word)]
    named = bool(words) and words[0].lower() in NAMES
    depth = next((word for word in words[1:2] if named and word.isdecimal()), None)
    fen = words[:1] if named else [word for word in words if word not in (*moves, "moves")]
    options = [f"--moves {shlex.quote(' '.join(moves))}"] if moves else []
    if depth is not None:
        options.append(f"--depth {depth}")
    position = shlex.quote(" ".join(fen or ("startpos",)))
    return " ".join(["perftkit divide", position, *options]) if options else position


def _for_perft(rest: Sequence[str]) -> str:
    """Return the sentence for ``perft 5`` and the like, with or without a position."""
    depth = next((word for word in rest if word.isdecimal() and len(word) < 3), None)
    words = [word for word in _up_to_option(rest) if word not in (depth, "perft", "fen", "moves")]
    fen = shlex.quote(" ".join(words)) if words else "startpos"
    counting = SHOWN if depth is None else f"--depth {depth}"
    return (
        f"To count a position: perftkit run --fen {fen} {counting};"
        f" under each move: perftkit divide {fen} {counting}"
    )


def _up_to_option(words: Sequence[str]) -> list[str]:
    ends = (index for index, word in enumerate(words) if word.startswith("-") and len(word) > 1)
    return list(words[: next(ends, len(words))])


def _is_suite(word: str) -> bool:
    return word in BUILTIN or word.lower().endswith(SUITE_ENDINGS)


def _engine(word: str) -> str:
    """Return a program as --engine takes it: one of this folder has to begin with a dot."""
    here = Path(word).name == word and word.lower() not in ENGINES and Path(word).is_file()
    return shlex.quote(f"./{word}" if here else word)


def _is_program(word: str) -> bool:
    try:
        here = Path(word).is_file() and os.access(word, os.X_OK)
    except (OSError, ValueError):  # a name that is too long, or has a NUL
        return False
    return here or word.lower() in ENGINES
