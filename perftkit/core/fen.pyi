from typing import Final

PIECES: Final[str]
FILES: Final[str]
COLORS: Final[tuple[str, str]]
FIELDS: Final[tuple[str, ...]]
LONGEST: Final[int]
MAX_CLOCK: Final[int]
MAX_MOVE_NUMBER: Final[int]
