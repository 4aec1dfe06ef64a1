from __future__ import annotations

from pathlib import Path

import pytest

from perftkit.errors import SuiteError
from perftkit.suite.builtin import BUILTIN, DEFAULT, builtin_path, resolve


@pytest.mark.parametrize("name", BUILTIN)
def test_the_suites_are_there(name):
    assert builtin_path(name).is_file()


def test_the_default_is_one_of_them():
    assert builtin_path(DEFAULT).name == "perft_positions.epd"


def test_every_suite_of_the_data_folder_has_a_name():
    assert set(BUILTIN.values()) == {
        path.name for path in builtin_path(DEFAULT).parent.glob("*.epd")
    }


def test_unknown_name():
    with pytest.raises(SuiteError, match="no built-in suite is called 'nothing': there are perft_"):
        builtin_path("nothing")


def test_words_of_the_command_line(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert resolve("-") == "-"
    assert resolve("some/file.epd") == "some/file.epd"
    assert resolve(DEFAULT) == builtin_path(DEFAULT)
    Path(DEFAULT).touch()
    assert resolve(DEFAULT) == DEFAULT
