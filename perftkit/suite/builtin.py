"""The suites that come with perftkit."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from perftkit.errors import SuiteError
from perftkit.suggest import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["BUILTIN", "DEFAULT", "builtin_path", "resolve"]

BUILTIN: Mapping[str, str] = {
    "perft_positions": "perft_positions.epd",
    "wiki_convention": "wiki_convention.epd",
    "chess960_hard": "chess960_hard.epd",
    "chess960_startpos": "chess960_startpos.epd",
    "chess960_fischer": "chess960_fischer.epd",
}
"""File names in `perftkit.data` by the short names that commands take."""

DEFAULT = "perft_positions"


def _data_folder() -> Path:
    # Here, because the import takes longer than all that `perftkit --version` does.
    from importlib import resources

    try:
        return Path(str(resources.files("perftkit.data")))
    except ModuleNotFoundError:
        # A checkout that was compiled in place and not installed.
        return Path(__file__).parents[2] / "data"


def builtin_path(name: str) -> Path:
    """Return where the built-in suite `name` is.

    Raises:
        SuiteError: There is no such suite.
    """
    if name not in BUILTIN:
        raise SuiteError(f"no built-in suite is called {name!r}{did_you_mean(name, BUILTIN)}")
    return _data_folder() / BUILTIN[name]


def resolve(source: str) -> str | Path:
    """Return what `read_suite` takes for a word of the command line.

    ``-`` stays as it is, a file that exists wins over a built-in name, and what is neither is left
    for `read_suite` to complain about.
    """
    if source in BUILTIN and not Path(source).exists():
        return builtin_path(source)
    return source
