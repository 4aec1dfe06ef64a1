from collections.abc import Iterator

from perftkit.core.position import Move, Position
from perftkit.core.signals import StopFlag

def count(
    position: Position, depth: int, stop: StopFlag | None = None
) -> tuple[int, dict[str, int]]: ...
def count_moves_apart(
    position: Position, depth: int
) -> Iterator[tuple[Move, int, dict[str, int]]]: ...
