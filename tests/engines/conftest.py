from __future__ import annotations

import pytest
from programs import hostile_command

from perftkit.engines.process import find_program
from perftkit.engines.settings import EngineSettings
from perftkit.engines.spec import open_engine


@pytest.fixture(autouse=True)
def _somewhere_else(tmp_path, monkeypatch):
    """Engines may write files where they run, and below HOME."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))


@pytest.fixture
def opened():
    """Opens engines that are closed when the test ends: `opened(spec, timeout=5)`."""
    engines = []

    def open_it(spec, **settings):
        engine = open_engine(spec, EngineSettings(**{"timeout": 20.0, **settings}))
        engines.append(engine)
        return engine

    yield open_it
    for engine in engines:
        engine.close()


@pytest.fixture
def hostile(opened):
    """Opens the engine with a bad habit: `hostile("hangs", timeout=1)`."""

    def open_it(habit, prefix="uci", **settings):
        kind = f"{prefix}:" if prefix else ""
        return opened(kind + hostile_command(habit), **settings)

    return open_it


@pytest.fixture
def installed():
    """Skips where a program is not installed."""

    def check(program):
        if find_program(program) is None:
            pytest.skip(f"{program} is not installed")
        return program

    return check
