"""Expected against counted numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["NODES", "Difference", "differences"]

NODES = "nodes"


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
