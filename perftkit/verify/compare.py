"""Expected against counted numbers, and an engine's list of moves against the right one."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from perftkit.engines import Answer

__all__ = [
    "EXTRA",
    "MISSING",
    "NODES",
    "REPEATED",
    "RIGHT",
    "WRONG",
    "ComparedRow",
    "Comparison",
    "Difference",
    "compare_answer",
    "compared_rows",
    "differences",
]

NODES = "nodes"

RIGHT = "ok"
WRONG = "wrong"
MISSING = "missing"
EXTRA = "extra"
REPEATED = "repeated"


@dataclass(frozen=True, slots=True)
class Difference:
    """One number that is not as expected.

    Attributes:
        name: `NODES`, or the JSON name of a counter.
        expected: What the suite says.
        got: What was counted.
    """

    name: str
    expected: int
    got: int

    @property
    def delta(self) -> int:
        """Return by how much too many were counted; negative when too few."""
        return self.got - self.expected


def differences(
    expected_nodes: int,
    nodes: int,
    expected_counts: Mapping[str, int],
    counts: Mapping[str, int],
) -> tuple[Difference, ...]:
    """Return what differs, the nodes first, then the counters in the order of the suite.

    Both mappings are in one convention. A counter that was not measured, as at depth 0, is 0.
    """
    pairs = [(NODES, expected_nodes, nodes)]
    pairs += [(name, value, counts.get(name, 0)) for name, value in expected_counts.items()]
    return tuple(Difference(name, given, got) for name, given, got in pairs if given != got)


@dataclass(frozen=True, slots=True)
class Comparison:
    """An engine's answer against the reference, move by move.

    Attributes:
        expected: Leaves that the reference counts.
        got: Leaves that the engine counts: the sum of its rows, or its total without rows.
        missing: Legal moves that the engine does not list, in alphabetical order.
        extra: Moves that it lists although they are not legal, in the order in which it did.
        repeated: Moves that it lists more than once.
        wrong: What was expected and what the engine said, for moves that both have, in the order
            in which the engine listed them. A key without its promotion letter stands for all.
        total: The total that the engine printed where it is not the expected one although every
            row is; None otherwise.
        divided: Whether the engine listed moves at all.
    """

    expected: int
    got: int
    missing: tuple[str, ...] = ()
    extra: tuple[str, ...] = ()
    repeated: tuple[str, ...] = ()
    wrong: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    total: int | None = None
    divided: bool = True

    @property
    def wrong_list(self) -> bool:
        """Return whether the list of moves itself is wrong."""
        return bool(self.missing or self.extra or self.repeated)

    @property
    def agrees(self) -> bool:
        """Return whether everything that the engine said is right."""
        rows_agree = not self.wrong_list and not self.wrong
        return rows_agree and self.total is None and (self.divided or self.got == self.expected)

    @property
    def differing(self) -> int:
        """Return how many moves differ."""
        return len({*self.missing, *self.extra, *self.repeated, *self.wrong})


def compare_answer(answer: Answer, reference: Mapping[str, int], depth: int) -> Comparison:
    """Compare an engine's answer with the leaves under each legal move.

    A legal move without leaves under it may be left out of a list of more than one ply, as engines
    that only print what they reached do.

    Args:
        answer: What the engine said.
        reference: The right leaves under each legal move, by UCI text.
        depth: The depth in plies that was asked for.
    """
    expected = sum(reference.values())
    if answer.children is None:
        return Comparison(expected, answer.nodes, divided=False)
    known = {**reference, **_summed(answer, reference)}
    covered = {move for move in reference if move[:4] in answer.merged}
    wrong, extra = {}, []
    for move, got in answer.children.items():
        if move not in known:
            extra.append(move)
        elif got != known[move] and move not in answer.repeated:
            wrong[move] = (known[move], got)
    missing = [
        move
        for move, nodes in reference.items()
        if move not in answer.children and move not in covered and (nodes or depth == 1)
    ]
    repeated = tuple(sorted(answer.repeated & answer.children.keys()))
    found = Comparison(
        expected, answer.nodes, tuple(sorted(missing)), tuple(sorted(extra)), repeated, wrong
    )
    if found.agrees and answer.total is not None and answer.total != expected:
        return replace(found, total=answer.total)
    return found


@dataclass(frozen=True, slots=True)
class ComparedRow:
    """One move of an engine's list and of the right one.

    Attributes:
        move: UCI text.
        status: `RIGHT`, `WRONG`, `MISSING`, `EXTRA` or `REPEATED`.
        expected: The right leaves under it; None for a move that is not legal.
        got: The engine's; None where it says none.
    """

    move: str
    status: str
    expected: int | None
    got: int | None


def compared_rows(
    answer: Answer, reference: Mapping[str, int], found: Comparison
) -> list[ComparedRow]:
    """Return both lists as one, in alphabetical order; without rows if the engine gave none."""
    if answer.children is None:
        return []
    sums = _summed(answer, reference)
    covered = {move for move in reference if move[:4] in answer.merged}
    moves = {*answer.children, *(reference.keys() - covered)}
    rows = []
    for move in sorted(moves):
        expected = sums.get(move, reference.get(move))
        rows.append(ComparedRow(move, _status(move, found), expected, answer.children.get(move)))
    return rows


def _status(move: str, found: Comparison) -> str:
    for status, moves in (
        (MISSING, found.missing),
        (EXTRA, found.extra),
        (REPEATED, found.repeated),
        (WRONG, found.wrong),
    ):
        if move in moves:
            return status
    return RIGHT


def _summed(answer: Answer, reference: Mapping[str, int]) -> dict[str, int]:
    """Return the sums under the keys that stand for all promotions of a move."""
    sums: dict[str, int] = {}
    for move, nodes in reference.items():
        if move[:4] in answer.merged:
            sums[move[:4]] = sums.get(move[:4], 0) + nodes
    return sums
