from perftkit.core.position import Position
from perftkit.core.signals import StopFlag

def count_nodes(position: Position, depth: int, stop: StopFlag | None = None) -> int: ...
def count(
    position: Position, depth: int, stop: StopFlag | None = None
) -> tuple[int, dict[str, int]]: ...
