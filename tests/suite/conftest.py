from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from perftkit.suite.model import SuiteProblem, SuiteRow
from perftkit.suite.reader import read_suite

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Read = Callable[..., list[SuiteRow | SuiteProblem]]


@pytest.fixture
def read(tmp_path: Path) -> Read:
    """Write a text or bytes to a file and return everything that is read from it."""

    def read(content: str | bytes, **options: bool) -> list[SuiteRow | SuiteProblem]:
        path = tmp_path / "suite.epd"
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return list(read_suite(path, **options))

    return read


@pytest.fixture
def read_row(read: Read) -> Callable[..., SuiteRow]:
    """The same for a suite of one row."""

    def read_row(content: str | bytes, **options: bool) -> SuiteRow:
        (row,) = read(content, **options)
        assert isinstance(row, SuiteRow), row
        return row

    return read_row


@pytest.fixture
def read_problem(read: Read) -> Callable[..., SuiteProblem]:
    """The same for a suite with one problem and nothing else."""

    def read_problem(content: str | bytes, **options: bool) -> SuiteProblem:
        (problem,) = read(content, **options)
        assert isinstance(problem, SuiteProblem), problem
        return problem

    return read_problem
