"""The package's own names, which are looked up when they are first used."""

import subprocess
import sys

import pytest

import perftkit
from perftkit.core import perft as counting
from perftkit.core import position


def test_the_public_names_are_those_of_the_core():
    assert perftkit.perft is counting.perft
    assert perftkit.divide is counting.divide
    assert perftkit.PerftResult is counting.PerftResult
    for name in ("KIWIPETE", "STARTPOS", "Move", "Position"):
        assert getattr(perftkit, name) is getattr(position, name)


def test_all_public_names_are_there():
    everything = {}
    exec("from perftkit import *", everything)
    assert set(perftkit.__all__) <= everything.keys()
    assert set(perftkit.__all__) <= set(dir(perftkit))


def test_a_name_that_is_not_there():
    with pytest.raises(AttributeError, match="module 'perftkit' has no attribute 'prft'"):
        getattr(perftkit, "prft")  # noqa: B009
    with pytest.raises(ImportError, match="cannot import name 'prft'"):
        exec("from perftkit import prft")


def test_importing_the_package_loads_no_core():
    program = "import sys, perftkit; print([name for name in sys.modules if '.core' in name])"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout == "[]\n"
