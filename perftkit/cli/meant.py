"""What people type instead of a command: a position, a suite, an engine, a word of another tool."""

from __future__ import annotations

import os
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from perftkit.suite.builtin import BUILTIN

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["about_suite", "command_for"]

NAMES = ("startpos", "kiwipete")
RANKS_APART = 7  # slashes of a FEN
SUITE_ENDINGS = (".epd", ".txt", ".fen", ".csv")
ENGINES = ("stockfish", "stockfish.exe")
OF_SUITES = ("lint", "stats", "convert", "fill")
COUNTING = ("perft", "go", "count", "splitperft", "position")
SHOWN = "--depth 4"


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
        engine = shlex.quote(first)
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


def _is_program(word: str) -> bool:
    try:
        here = Path(word).is_file() and os.access(word, os.X_OK)
    except ValueError:  # a NUL in the name
        return False
    return here or word.lower() in ENGINES
