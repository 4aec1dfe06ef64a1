"""Every error that perftkit raises on purpose, with the exit status the command line gives it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = [
    "NOT_BUILT",
    "BaselineError",
    "DepthError",
    "DisagreementError",
    "EngineError",
    "Fault",
    "FenError",
    "HashTableError",
    "KernelError",
    "MoveError",
    "PerftkitError",
    "SpecError",
    "SuiteError",
    "ThreadError",
]


NOT_BUILT = (
    "perftkit's compiled core is missing, or was built for another Python. In a checkout of the"
    " source, build it with: python -m pip install -e .   (needs a C compiler)"
)
"""What to say where the extension modules can't be imported."""


class PerftkitError(Exception):
    """Base of all errors a user can cause; `exit_status` is the one of the command line."""

    exit_status = 2


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong with a FEN.

    Attributes:
        name: What kind of fault, in a stable short form, e.g. ``opponent-in-check``.
        field: The FEN field it is in: ``placement``, ``side``, ``castling``, ``en-passant``,
            ``halfmove-clock``, ``fullmove-number``, or ``fen`` for the text as a whole.
        column: Where in the FEN, counted from 1.
        message: A sentence for the user that says what is wrong and what was expected.
    """

    name: str
    field: str
    column: int
    message: str


class FenError(PerftkitError, ValueError):
    """A FEN that is malformed or whose position breaks the rules.

    Attributes:
        fen: The text as given.
        faults: Everything that is wrong with it, in the order of the text.
    """

    def __init__(self, fen: str, faults: Sequence[Fault]) -> None:
        self.fen = fen
        self.faults = tuple(faults)
        super().__init__(
            "; ".join(f"{f.message} ({f.field}, column {f.column})" for f in self.faults)
        )


class MoveError(PerftkitError, ValueError):
    """A move that can't be read, or that is not legal in the position it was given for."""


class DepthError(PerftkitError, ValueError):
    """A depth outside the range that the walkers count, 0 to 64."""


class KernelError(PerftkitError):
    """The build of the walker that was asked for is not installed or can't run here."""


class HashTableError(PerftkitError, ValueError):
    """A hash table that can't be had, or that the method asked for makes no use of."""


class DisagreementError(PerftkitError):
    """The two walkers count a position differently: one of them is wrong."""

    exit_status = 1


class ThreadError(PerftkitError):
    """The system gives no thread to count on."""


class SuiteError(PerftkitError):
    """A suite as a whole can't be used: missing, a folder, unreadable, or binary."""


class BaselineError(PerftkitError):
    """A file that is no result of an earlier run."""


class EngineError(PerftkitError):
    """An engine under test died, gave no answer in time, or can't be understood."""

    exit_status = 3


class SpecError(PerftkitError, ValueError):
    """A text that names no engine, or a setting of one that can't be used: bad usage."""
