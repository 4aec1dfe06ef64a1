from perftkit.core.position import Position
from perftkit.core.signals import StopFlag
from perftkit.core.table import HashTable

def count_nodes(
    position: Position, depth: int, stop: StopFlag | None = None, table: HashTable | None = None
) -> int: ...
def count(
    position: Position, depth: int, stop: StopFlag | None = None, table: HashTable | None = None
) -> tuple[int, dict[str, int]]: ...
