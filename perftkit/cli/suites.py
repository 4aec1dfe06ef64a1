"""Opening the suites of a command line, with an answer for words that name none."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from perftkit.cli.help import as_typed
from perftkit.errors import SuiteError
from perftkit.suite.sources import read_suites

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from perftkit.suite.model import SuiteProblem, SuiteRow

__all__ = ["explained", "opened_suites"]


def opened_suites(
    words: Sequence[str], *, chess960: bool = False
) -> Iterator[SuiteRow | SuiteProblem]:
    """Return the rows of some suites as they are read.

    Args:
        words: Files, ``-`` for standard input, or names of built-in suites.
        chess960: Whether all positions are of Chess960.

    Raises:
        SuiteError: One of them can't be used at all; says what to type where that can be told.
    """
    with explained(words):
        return read_suites(words, chess960=chess960)


@contextmanager
def explained(words: Sequence[str]) -> Iterator[None]:
    """Add what to type to the error of a word that is no suite.

    Args:
        words: Those of the command line; to a FEN without quotes several belong.
    """
    try:
        yield
    except SuiteError as error:
        # Here, since it is seldom needed.
        from perftkit.cli.meant import instead_of_suite, is_there

        wrong = max((word for word in words if str(error).startswith(word)), key=len, default="-")
        if wrong == "-":
            raise
        rest = words[words.index(wrong) :]
        instead = instead_of_suite(rest, click.get_current_context().command_path)
        if instead is None:
            raise
        missing = f"{as_typed(wrong)}: there is no such file"
        raise SuiteError(f"{error if is_there(wrong) else missing}; {instead}") from None
