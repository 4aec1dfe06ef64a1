"""The version is written in two places, for the import to be fast: they must agree."""

import sys
from pathlib import Path

from perftkit import __version__

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

PYPROJECT = Path(__file__).parent.parent / "pyproject.toml"


def test_the_version_is_that_of_the_project() -> None:
    assert tomllib.loads(PYPROJECT.read_text())["project"]["version"] == __version__
