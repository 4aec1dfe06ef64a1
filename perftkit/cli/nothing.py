"""Why a run checked nothing, in words: an empty suite, an id that no row has, too small a depth."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from perftkit.suite.model import SuiteRow
from perftkit.suite.nothing import no_such_id, too_shallow
from perftkit.suite.select import matches
from perftkit.suite.sources import read_suites

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["why_nothing"]

MOST_ROWS = 100_000  # that are read again
OTHERWISE = "; perftkit run without --id shows the ids"


def why_nothing(suites: Sequence[str], ids: Sequence[str], depth: int, *, chess960: bool) -> str:
    """Return why no row was selected.

    Args:
        suites: What was read, by the words of the command line.
        ids: The patterns of ids that were asked for.
        depth: How deep rows were looked at.
        chess960: Whether all positions are of Chess960.
    """
    if "-" in suites:  # can't be read again
        return "no row was selected; look at the suite, at --id and at --depth"
    rows = [
        item
        for item in islice(read_suites(suites, chess960=chess960), MOST_ROWS)
        if isinstance(item, SuiteRow)
    ]
    if not rows:
        return (
            f"{', '.join(suites)} has no rows; a row is a FEN with its counts, as"
            " 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20 ;D2 400'"
        )
    selected = [row for row in rows if matches(row, ids)]
    if not selected:
        return no_such_id(ids[0], {row.id for row in rows}, OTHERWISE)
    return too_shallow(selected, depth, "--depth ") or "no row was selected"
