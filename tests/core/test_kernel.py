from __future__ import annotations

from importlib import import_module

import pytest
from suite_positions import position_of, row_id, sample

from perftkit import KIWIPETE, perft
from perftkit.core import strict
from perftkit.core.kernel import available_kernels, kernel, kernel_name
from perftkit.errors import KernelError

MODULES = {"baseline": "perftkit.core.fast_baseline", "x86-64-v3": "perftkit.core.fast_v3"}

kernels = pytest.mark.parametrize("name", available_kernels())


@kernels
@pytest.mark.parametrize("row", sample(60), ids=row_id)
def test_every_kernel_counts_what_the_strict_walker_counts(row, name):
    module = import_module(MODULES[name])
    position = position_of(row)
    for depth in (1, 2, 3):
        nodes, counts = strict.count(position, depth)
        assert module.count(position, depth) == (nodes, counts)
        assert module.count_nodes(position, depth) == nodes


@kernels
def test_the_environment_chooses_the_kernel(name, monkeypatch):
    monkeypatch.setenv("PERFTKIT_KERNEL", name)
    assert kernel_name() == name
    assert kernel() is import_module(MODULES[name])
    assert perft(KIWIPETE, 3).nodes == 97862


@pytest.mark.parametrize("unset", [None, ""])
def test_a_kernel_is_chosen_without_asking(unset, monkeypatch):
    if unset is None:
        monkeypatch.delenv("PERFTKIT_KERNEL", raising=False)
    else:
        monkeypatch.setenv("PERFTKIT_KERNEL", unset)
    assert kernel_name() in available_kernels()


def test_a_kernel_that_is_not_there_is_refused(monkeypatch):
    monkeypatch.setenv("PERFTKIT_KERNEL", "x86-64-v9")
    with pytest.raises(KernelError, match=r"x86-64-v9.*only baseline"):
        perft(KIWIPETE, 1)
