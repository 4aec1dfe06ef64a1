"""Whatever a file contains, reading it gives rows and problems, or one sentence."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from perftkit import KIWIPETE, STARTPOS, Position
from perftkit.errors import SuiteError
from perftkit.suite.model import SuiteProblem
from perftkit.suite.reader import read_suite
from perftkit.suite.writer import STYLES, format_row

FRAGMENTS = [
    *(
        STARTPOS,
        KIWIPETE,
        "8/8/8/8/8/8/8/K1k5 w - -",
        " ;D1 20",
        ";D2 400 cap=1",
        " ep=0",
        ";D",
        "d3",
    ),
    *(" ", "\t", ";", '"', "|", ",", "=", ":", "#", " # ", "//", "%", "\n", "\r\n", "\0", "\ufeff"),
    *(
        "id ",
        "epd ",
        "perft ",
        "perft 1 20",
        ";id x",
        ";chess960",
        ";conv=wiki",
        "conv",
        "c0 4;c1 5",
    ),
    *(
        "# perftkit: ",
        "20",
        "97_862",
        "97,862",
        "-1",
        "99999999999999999999",
        "²",
        "♞",
        "💥",
        "é",
        "\x85",
    ),
]

contents = st.one_of(
    st.lists(st.sampled_from(FRAGMENTS), max_size=20).map(lambda parts: "".join(parts).encode()),
    st.binary(max_size=200),
    st.tuples(st.integers(0, 120), st.binary(max_size=3)).map(
        lambda change: _changed(f'{KIWIPETE} ;D1 48 cap=8 ;id "x"\n'.encode(), *change)
    ),
)


def _changed(row: bytes, at: int, new: bytes) -> bytes:
    return row[:at] + new + row[at + 1 :]


@settings(max_examples=400, deadline=None)
@given(contents)
def test_anything(content):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "any.epd"
        path.write_bytes(content)
        try:
            items = list(read_suite(path))
        except SuiteError:
            return
    lines = content.split(b"\n")
    for item in items:
        assert 1 <= item.line <= len(lines)
        if isinstance(item, SuiteProblem):
            assert 1 <= item.column <= len(lines[item.line - 1]) + 2
            assert item.message
            continue
        Position(item.fen, chess960=item.chess960)
        for style in STYLES:
            assert "\n" not in format_row(item, style)
