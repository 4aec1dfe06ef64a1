"""Validate chess move generators: perft with the whole breakdown, and the rules behind it.

>>> from perftkit import perft
>>> perft("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 3).nodes
8902
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from perftkit.core.perft import PerftResult, divide, perft
    from perftkit.core.position import KIWIPETE, STARTPOS, Move, Position

__version__ = "0.1.0"  # as in pyproject.toml; reading it from the metadata takes 15 ms

__all__ = [
    "KIWIPETE",
    "STARTPOS",
    "Move",
    "PerftResult",
    "Position",
    "__version__",
    "divide",
    "perft",
]

# The compiled core is loaded by whoever first uses a name of it: pytest imports this package at
# every start, for its plugin, and most runs of pytest have nothing to do with chess.
HOMES = {
    "KIWIPETE": "perftkit.core.position",
    "STARTPOS": "perftkit.core.position",
    "Move": "perftkit.core.position",
    "Position": "perftkit.core.position",
    "PerftResult": "perftkit.core.perft",
    "divide": "perftkit.core.perft",
    "perft": "perftkit.core.perft",
}


def __getattr__(name: str) -> object:
    if name not in HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        home = importlib.import_module(HOMES[name])
    except ImportError as error:
        if not (error.name or "").startswith("perftkit.core"):
            raise
        from perftkit.errors import NOT_BUILT

        raise ImportError(NOT_BUILT) from None
    found: object = getattr(home, name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *HOMES})
