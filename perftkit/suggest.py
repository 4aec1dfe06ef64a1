"""What was probably meant by a misspelt name: one sentence in one style, for all messages."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["MOST_LISTED", "closest", "did_you_mean", "unfilled"]

LEAST_ALIKE = 0.65  # of 1; below, a suggestion is rather silly than helpful
MOST_LISTED = 14  # names in one message


def closest(name: str, names: Iterable[str]) -> str | None:
    """Return the one of some names that was probably meant by another, None if none is alike.

    Case, dashes in front, and the difference between ``-`` and ``_`` do not count.
    """
    # Here, since a command that is spelt well does not need it.
    from difflib import get_close_matches

    by_key = {_key(each): each for each in names}
    found = get_close_matches(_key(name), by_key, n=1, cutoff=LEAST_ALIKE)
    return by_key[found[0]] if found else None


def did_you_mean(name: str, names: Iterable[str], otherwise: str | None = None) -> str:
    """Return the end of a message about a name that there is not.

    Args:
        name: What was written.
        names: What there is.
        otherwise: What is said instead where nothing is alike; None lists what there is.

    Returns:
        Such as ``, did you mean run?`` or ``: there are run, divide and show``.
    """
    known = tuple(names)
    found = closest(name, known)
    if found is not None:
        return f", did you mean {found}?"
    if otherwise is not None:
        return otherwise
    if not known:
        return ": there are none"
    if len(known) > MOST_LISTED:
        rest = len(known) - MOST_LISTED
        return f": there are {', '.join(known[:MOST_LISTED])} and {rest} more"
    *first, last = known
    return f": there are {', '.join(first)} and {last}" if first else f": there is only {last}"


def unfilled(name: str) -> str:
    """Return the end of a message about a file that is missing: that its ``~`` was left as it is.

    A shell fills in ``~`` and ``$NAME``, but not inside of quotes, behind ``=`` and in files.
    """
    filled = os.path.expandvars(os.path.expanduser(name))  # noqa: PTH111, "x/" stays
    if filled == name:
        return ""
    # Here, since it is seldom needed.
    from shlex import quote

    return f"; ~ and $ are filled in by the shell alone, and not in quotes: write {quote(filled)}"


def _key(name: str) -> str:
    return name.lstrip("-").replace("_", "-").lower()
