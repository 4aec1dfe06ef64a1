"""From the words of a command line to the rows of suites."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING

from perftkit.suite.builtin import BUILTIN, resolve
from perftkit.suite.reader import read_suite

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from perftkit.suite.model import SuiteProblem, SuiteRow

__all__ = ["read_suites"]


def read_suites(
    names: Sequence[str], *, chess960: bool = False
) -> Iterator[SuiteRow | SuiteProblem]:
    """Return the rows of some suites as they are read.

    Args:
        names: Files, ``-`` for standard input, or names of built-in suites.
        chess960: Whether all positions are of Chess960.

    Raises:
        SuiteError: One of them can't be used at all, which is said before any row is handed out.
    """
    return chain.from_iterable([_opened(name, chess960=chess960) for name in names])


def _opened(name: str, *, chess960: bool) -> Iterator[SuiteRow | SuiteProblem]:
    source = resolve(name)
    items = read_suite(source, chess960=chess960)
    if source != name:
        items = (replace(item, file=BUILTIN[name]) for item in items)
    first = next(items, None)
    return items if first is None else chain([first], items)
