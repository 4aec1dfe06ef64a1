from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import pytest

from perftkit.core import attacks as compiled

SOURCE = Path(compiled.__file__).with_name("attacks.pyx")
TOOL = Path(__file__).parents[2] / "tools" / "find_magics.py"

pytestmark = pytest.mark.skipif(
    not (SOURCE.exists() and TOOL.exists()), reason="not run in a checkout"
)


@pytest.fixture(scope="module")
def tool():
    spec = importlib.util.spec_from_file_location("find_magics", TOOL)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def constants(piece):
    """The table in the source of the core."""
    _, _, table = SOURCE.read_text("utf-8").partition(f"{piece.upper()}_MAGICS = [")
    return [int(number, 16) for number in re.findall(r"0x[0-9a-f]{16}", table)[:64]]


def test_the_search_starts_with_the_published_numbers_of_splitmix64(tool):
    # The first numbers of the generator's reference implementation for the state 1234567.
    numbers = tool.splitmix64(1234567)
    assert [next(numbers) for _ in range(3)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
    ]


@pytest.mark.parametrize("square", range(8))
def test_the_search_finds_the_bishops_multipliers_again(tool, square):
    assert tool.find_magic("bishop", square) == constants("bishop")[square]


@pytest.mark.parametrize("square", [18, 27])
def test_the_search_finds_some_of_the_rooks_multipliers_again(tool, square):
    assert tool.find_magic("rook", square) == constants("rook")[square]
