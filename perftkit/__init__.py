"""Validate chess move generators: perft with the whole breakdown, and the rules behind it.

>>> from perftkit import perft
>>> perft("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 3).nodes
8902
"""

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
