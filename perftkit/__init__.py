"""Validate chess move generators: perft with the whole breakdown, and the rules behind it.

>>> from perftkit import perft
>>> perft("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 3).nodes
8902
"""

from __future__ import annotations

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

try:
    from perftkit.core.perft import PerftResult, divide, perft
    from perftkit.core.position import KIWIPETE, STARTPOS, Move, Position
except ImportError as error:
    # Without the compiled core there is still a message to give: by `perftkit.cli.main`, or to
    # whoever asks for one of the names.
    if not (error.name or "").startswith("perftkit.core"):
        raise

    def __getattr__(name: str) -> object:
        if name in __all__:
            from perftkit.errors import NOT_BUILT

            raise ImportError(NOT_BUILT)
        raise AttributeError(f"module 'perftkit' has no attribute {name!r}")
