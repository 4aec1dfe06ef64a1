"""Why a run checked nothing, in words: an empty suite, an id that no row has, too small a depth."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING

from perftkit.report.text import alike, grouped
from perftkit.suite.model import SuiteRow
from perftkit.suite.nothing import no_such_id, too_shallow
from perftkit.suite.select import matches, over_limit
from perftkit.suite.sources import read_suites
from perftkit.verify.events import SKIPPED, Outcome

if TYPE_CHECKING:
    from collections.abc import Sequence

    from perftkit.verify.events import Event

__all__ = ["Skips", "why_nothing"]

MOST_ROWS = 100_000  # that are read again
OTHERWISE = "; perftkit run without --id shows the ids"


class Skips:
    """Why rows of a run were skipped.

    Attributes:
        left_out: How many were for want of time.
    """

    def __init__(self) -> None:
        self.left_out = 0
        self._kinds: Counter[str] = Counter()
        self._worded: dict[str, str] = {}

    def take(self, event: Event) -> None:
        """Remember the reason of a row that was skipped."""
        if not isinstance(event, Outcome) or event.status != SKIPPED:
            return
        reason = event.reason or ""
        kind = alike(reason)
        self.left_out += event.is_left_out
        self._kinds[kind] += 1
        self._worded.setdefault(kind, reason)

    def why(self) -> str:
        """Return the most frequent of the reasons, and what to do, if all rows were skipped."""
        ((kind, number),) = self._kinds.most_common(1)
        total = self._kinds.total()
        rows = "the only row was" if total == 1 else f"all {grouped(total)} rows were"
        most = "" if number == total else f" {grouped(number)} of them"
        return f"{rows} skipped,{most} since {self._worded[kind]}{_remedy(kind)}"


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


def _remedy(kind: str) -> str:
    """Return what to do about a reason why rows are skipped, given as `alike` has it."""
    # Here, since a run that checks something has no use for it.
    from perftkit.verify.check import DEPTH_0, UNKNOWN_CHESS960

    remedies = {
        over_limit(0, 0): "raise --max-nodes",
        UNKNOWN_CHESS960: "perft_positions has rows of standard chess",
        DEPTH_0: "raise --depth, or give counts of depth 1 or more",
    }
    return next((f"; {do}" for why, do in remedies.items() if alike(why) == kind), "")
