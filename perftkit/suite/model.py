"""What a suite is made of: rows of expected counts, and problems where a row can't be read."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import PurePath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = [
    "CONVENTIONS",
    "LONG_NAMES",
    "OPTIONAL",
    "PERFTKIT",
    "SHORT_NAMES",
    "WIKI",
    "Expectation",
    "SuiteProblem",
    "SuiteRow",
    "counters_of",
    "default_id",
]

PERFTKIT = "perftkit"
WIKI = "wiki"
CONVENTIONS = (PERFTKIT, WIKI)
"""How discovered and double checks are counted; see `perftkit.suite.convention`."""

OPTIONAL = "optional"
"""The opcode of rows that engines under test are asked for by their id only, with the reason."""

SHORT_NAMES: Mapping[str, str] = {
    "captures": "cap",
    "en_passant": "ep",
    "castles_kingside": "oo",
    "castles_queenside": "ooo",
    "castles": "cas",
    "promotions": "promo",
    "checks": "chk",
    "discovered_checks": "disc",
    "double_checks": "dbl",
    "checkmates": "mate",
    "discovered_checkmates": "dmate",
    "double_checkmates": "dblmate",
}
"""The counters' names in EPD by their names in JSON, in the order in which both are written."""

LONG_NAMES: Mapping[str, str] = {short: name for name, short in SHORT_NAMES.items()}

ONLY_PERFTKIT = ("discovered_checkmates", "double_checkmates")


def counters_of(convention: str) -> tuple[str, ...]:
    """Return the JSON names of the counters that a convention knows."""
    if convention == WIKI:
        return tuple(name for name in SHORT_NAMES if name not in ONLY_PERFTKIT)
    return tuple(SHORT_NAMES)


def default_id(file: str, line: int) -> str:
    """Return the id of a row that was given none: ``<file stem>:<line>``."""
    return f"{PurePath(file).stem.strip('<>')}:{line}"


@dataclass(frozen=True, slots=True)
class Expectation:
    """The counts that a row gives for one depth.

    Attributes:
        depth: Plies, 0 to 64.
        nodes: Leaves of the tree of that depth.
        counts: Those counters that the row gives, by their JSON names.
    """

    depth: int
    nodes: int
    counts: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SuiteRow:
    """One position of a suite with its expected counts.

    Attributes:
        id: The given id, else ``<file stem>:<line>``.
        fen: The FEN as in the file, with single spaces between its fields.
        chess960: True when the row, its file or the caller asks for Chess960; None where the
            castling field decides, as in `perftkit.Position`.
        expectations: In ascending depth; empty when the row is only a FEN.
        convention: One of `CONVENTIONS`.
        file: The file as it is to be shown, ``<stdin>`` for standard input.
        line: Where in the file, counted from 1.
        notes: The other opcodes by name, as text: ``source``, ``note``, ``impossible``,
            ``disputed``, `OPTIONAL`, and any that perftkit does not know.
    """

    id: str
    fen: str
    chess960: bool | None = None
    expectations: tuple[Expectation, ...] = ()
    convention: str = PERFTKIT
    file: str = "<none>"
    line: int = 0
    notes: Mapping[str, str] = field(default_factory=dict)

    @property
    def has_given_id(self) -> bool:
        """Whether the id was given, rather than made of file and line."""
        return self.id != default_id(self.file, self.line)


@dataclass(frozen=True, slots=True)
class SuiteProblem:
    """One thing that can't be read, and what was expected there.

    Attributes:
        file: The file as it is to be shown.
        line: Counted from 1.
        column: In characters, counted from 1.
        message: A sentence for the user.
    """

    file: str
    line: int
    column: int
    message: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}: {self.message}"
