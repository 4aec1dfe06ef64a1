from collections.abc import Iterator

from perftkit.core.position import Move, Position

def count(position: Position, depth: int) -> tuple[int, dict[str, int]]: ...
def count_moves_apart(
    position: Position, depth: int
) -> Iterator[tuple[Move, int, dict[str, int]]]: ...
