"""The two ways in which tables count discovered and double checks.

perftkit counts a mate by a discovered check among the discovered checks, and one by a double check
among the double checks. The tables that are copied everywhere (*wiki* here) leave mates out of
these two columns, though not out of the checks. perftkit's two further counters make the published
values exact: discovered = ``disc`` - ``dmate``, double = ``dbl`` - ``dblmate``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from perftkit.suite.model import ONLY_PERFTKIT

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["comparable", "to_wiki"]

MATES_AMONG = {
    "discovered_checks": "discovered_checkmates",
    "double_checks": "double_checkmates",
}


def to_wiki(counts: Mapping[str, int]) -> dict[str, int]:
    """Return counters of perftkit's convention in the published one.

    The two counters of mates among discovered and double checks are not part of it. A column whose
    mates are not known can't be converted and is left out.
    """
    converted = {}
    for name, value in counts.items():
        if name in ONLY_PERFTKIT:
            continue
        mates = MATES_AMONG.get(name)
        if mates is None:
            converted[name] = value
        elif mates in counts:
            converted[name] = value - counts[mates]
    return converted


def comparable(
    expected: Mapping[str, int],
    measured: Mapping[str, int],
    *,
    row_convention: str,
    asked: str = "perftkit",
) -> tuple[dict[str, int], dict[str, int]]:
    """Return expected and measured counters in one convention, ready to be compared.

    Args:
        expected: The counters of a row, in the row's convention.
        measured: All counters, in perftkit's convention.
        row_convention: The row's ``convention``.
        asked: The convention that the user wants to see. A row of the published convention is
            compared in that one whatever was asked, since it can't be converted back.

    Returns:
        The expected counters that can be compared, and all measured ones.
    """
    if row_convention == "wiki":
        return dict(expected), to_wiki(measured)
    if asked == "wiki":
        return to_wiki(expected), to_wiki(measured)
    return dict(expected), dict(measured)
