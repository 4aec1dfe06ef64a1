from typing import Final

COUNTERS: Final[tuple[str, ...]]
