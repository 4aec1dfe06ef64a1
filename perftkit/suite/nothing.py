"""Why nothing of a suite is selected: an id that no row has, too small a depth or limit.

Each way of asking (a command line, pytest, a function) says it with the names of its own options.
"""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from perftkit.suggest import did_you_mean
from perftkit.suite.select import cases, matches

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from perftkit.suite.model import SuiteRow

__all__ = ["no_such_id", "too_little", "too_shallow", "unknown_id"]

GLOB = "*?[]!"


def unknown_id(rows: Iterable[SuiteRow], ids: Sequence[str]) -> str | None:
    """Return what is wrong where a pattern matches no row; None where each matches one."""
    left = list(dict.fromkeys(ids))
    names: dict[str, None] = {}
    for row in rows:
        names[row.id] = None
        left = [pattern for pattern in left if not fnmatchcase(row.id, pattern)]
        if not left:
            return None
    return no_such_id(left[0], names) if left else None


def no_such_id(pattern: str, names: Iterable[str], otherwise: str | None = None) -> str:
    """Return that no row has an id, and which was probably meant.

    Args:
        pattern: The pattern of ids.
        names: The ids that there are.
        otherwise: As for `perftkit.suggest.did_you_mean`.
    """
    plain = "".join(char for char in pattern if char not in GLOB)
    return f"no row has an id like {pattern!r}{did_you_mean(plain, names, otherwise)}"


def too_shallow(rows: Iterable[SuiteRow], depth: int, option: str) -> str | None:
    """Return that all counts of some rows are deeper than a depth; None where that is not so.

    Args:
        rows: The rows.
        depth: The deepest depth that is asked for.
        option: What sets it, with the space or sign that stands before its value.
    """
    least: int | None = None
    for row in rows:
        if not row.expectations or row.expectations[0].depth <= depth:
            return None
        least = min(row.expectations[0].depth, least or row.expectations[0].depth)
    if least is None:
        return None
    return f"no row gives a count up to depth {depth}; the least is {option}{least}"


def too_little(
    rows: Iterable[SuiteRow],
    ids: Sequence[str],
    depth: tuple[int, str],
    max_nodes: tuple[int | None, str],
) -> str | None:
    """Return why no count of some rows is left; None where one is, or where there are no rows.

    Args:
        rows: The rows; no more are read than until one has a count.
        ids: The patterns of ids that were asked for.
        depth: The deepest depth that is asked for, and what sets it, as in `too_shallow`.
        max_nodes: The most nodes of a count, and what sets it.
    """
    selected = []
    fewest: int | None = None
    for row in rows:
        if not matches(row, ids):
            continue
        selected.append(row)
        for case in cases(row, max_depth=depth[0], max_nodes=max_nodes[0]):
            if case.skipped is None or case.expected is None:
                return None
            fewest = min(case.expected.nodes, fewest or case.expected.nodes)
    if fewest is None:
        return too_shallow(selected, *depth)
    return f"every count has more than {max_nodes[0]} nodes; the least is {max_nodes[1]}{fewest}"
