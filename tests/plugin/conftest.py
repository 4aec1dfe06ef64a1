from __future__ import annotations

import os

import pytest
from pytest_project import FOLDERS, Project

# A pytest in this process forgets what it imports, and the compiled core can't be imported twice.
import perftkit.testing  # noqa: F401


@pytest.fixture
def project(pytester, monkeypatch):
    """A folder to run pytest in: `project.run("suite.epd")`.

    No plugin is found by itself, so that this one can be named wherever perftkit is not installed.
    """
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    before = os.environ.get("PYTHONPATH", "")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([*map(str, FOLDERS), before]))
    monkeypatch.setenv("COLUMNS", "160")
    return Project(pytester)
