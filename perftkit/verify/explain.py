"""Why rows fail: a walk and a diagnosis for each, grouped by the rule that is broken."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from perftkit.core.position import Position
from perftkit.verify.diagnose import diagnose
from perftkit.verify.diagnosis import LIKELY, Diagnosis
from perftkit.verify.events import OK
from perftkit.verify.walk import NO_LIMITS, WalkLimits, result_of, simplicity, walk

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from perftkit.engines import PerftEngine
    from perftkit.verify.diagnosis import Evidence
    from perftkit.verify.failures import Failure
    from perftkit.verify.walk import WalkResult

__all__ = ["UNREPEATED", "Cause", "Explained", "causes", "diagnosed", "explain"]

FEWEST_CUT = 3  # positions with lists of one length that are hardly chance
UNREPEATED = (
    "asked again, the engine was right: it does not always answer the same, which points to state"
    " that is left over from what it was asked before"
)


@dataclass(frozen=True, slots=True)
class Explained:
    """A failure with what a walk found.

    Attributes:
        failure: The row and the depth.
        result: Where the walk ended.
        diagnosis: The rule that is broken; None when the engine failed or time ran out before
            anything was known.
    """

    failure: Failure
    result: WalkResult
    diagnosis: Diagnosis | None


@dataclass(frozen=True, slots=True)
class Cause:
    """All failures of one rule.

    Attributes:
        diagnosis: Of the simplest position among them.
        first_wrong: That position; None when it could not be found again.
        members: The failures, in the order of the suite.
    """

    diagnosis: Diagnosis
    first_wrong: Evidence | None
    members: tuple[Explained, ...]


def explain(
    failed: Iterable[Failure], engine: PerftEngine, limits: WalkLimits = NO_LIMITS
) -> Iterator[Explained]:
    """Walk from each failing row to its first wrong position and diagnose that.

    Args:
        failed: The failing rows.
        engine: Who is asked.
        limits: Where each walk stops.

    Raises:
        KeyboardInterrupt: Ctrl-C.
    """
    before: list[str] = []
    for failure in failed:
        row = failure.row
        published = {given.depth: given.nodes for given in row.expectations}
        result = result_of(
            walk(
                engine,
                row.fen,
                failure.depth,
                chess960=row.chess960,
                published=published,
                before=before[-1:],
                limits=limits,
            )
        )
        before.append(row.fen)
        yield Explained(failure, result, diagnosed(result))


def diagnosed(result: WalkResult) -> Diagnosis | None:
    """Return the rule that a walk's end shows to be broken; None when it came to no end.

    A wrong count says nothing yet where the positions below it were not looked at. An engine that
    agrees with the reference where the published number does not is healthy.
    """
    evidence = result.first_wrong
    if evidence is None and result.verdict == OK and result.disputed:
        return None
    broken_off = result.error is not None or result.stopped is not None
    if evidence is None:
        return None if broken_off else Diagnosis("unknown", UNREPEATED, LIKELY)
    if broken_off and not (evidence.missing or evidence.extra or evidence.repeated):
        return None
    return diagnose(evidence)


def causes(explained: Iterable[Explained]) -> tuple[Cause, ...]:
    """Group what was explained by rule, the rule with the most rows first."""
    groups: dict[str, list[Explained]] = {}
    for found in _of_cut_lists(list(explained)):
        if found.diagnosis is not None:
            groups.setdefault(found.diagnosis.rule, []).append(found)
    found_causes = [_cause(members) for members in groups.values()]
    return tuple(sorted(found_causes, key=lambda cause: -len(cause.members)))


def _of_cut_lists(explained: list[Explained]) -> list[Explained]:
    """Rename what lists of one length lack, where several positions have a list of that length.

    What is missing looks like one rule here and another there.
    """
    lengths = {id(found): _cut_length(found) for found in explained}
    known = [length for length in lengths.values() if length is not None]
    where = {
        (length, found.result.first_wrong.fen)
        for found in explained
        if (length := lengths[id(found)]) is not None and found.result.first_wrong is not None
    }
    rules = {
        found.diagnosis.rule
        for found in explained
        if lengths[id(found)] is not None and found.diagnosis is not None
    }
    if len(set(known)) != 1 or len(where) < FEWEST_CUT or len(rules) < 2:
        return explained
    text = (
        f"In {len(where)} positions with more moves the engine has exactly {known[0]} of them,"
        " whatever moves are missing: the list that it keeps them in is too short."
    )
    cut = Diagnosis("move-list-overflow", text, LIKELY)
    return [
        found if lengths[id(found)] is None else replace(found, diagnosis=cut)
        for found in explained
    ]


def _cut_length(found: Explained) -> int | None:
    """Return how many moves the engine has where it only lacks some; None elsewhere."""
    evidence = found.result.first_wrong
    if evidence is None or not evidence.missing or evidence.extra or evidence.depth != 1:
        return None
    position = Position(evidence.fen, chess960=evidence.chess960 or None)
    return len(position.legal_moves()) - len(evidence.missing)


def _cause(members: list[Explained]) -> Cause:
    simplest = min(members, key=_size)
    assert simplest.diagnosis is not None
    return Cause(simplest.diagnosis, simplest.result.first_wrong, tuple(members))


def _size(found: Explained) -> tuple[bool, int, int, int]:
    """Return by what one example is better than another: found, shallow, with few men."""
    evidence = found.result.first_wrong
    if evidence is None:
        return (True, 0, 0, 0)
    return (False, evidence.depth, simplicity(evidence.fen), len(evidence.path))
