from __future__ import annotations

import re
from importlib import import_module

import pytest
from suite_positions import position_of, row_id, sample

from perftkit import KIWIPETE, perft
from perftkit.core import cpu, strict
from perftkit.core.kernel import available_kernels, kernel, kernel_name, kernel_reason
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


@kernels
def test_a_kernel_is_loaded_by_its_name_whatever_the_environment_says(name, monkeypatch):
    monkeypatch.setenv("PERFTKIT_KERNEL", "baseline")
    assert kernel(name) is import_module(MODULES[name])


def test_a_name_that_no_kernel_has_is_refused():
    with pytest.raises(KernelError, match=r"x86-64-v9.*only baseline"):
        kernel("x86-64-v9")


def test_a_processor_without_the_instructions_has_only_the_baseline(monkeypatch):
    monkeypatch.delenv("PERFTKIT_KERNEL", raising=False)
    monkeypatch.setattr(cpu, "RUNS_X86_64_V3", False)
    assert available_kernels() == ("baseline",)
    assert kernel_name() == "baseline"
    assert re.search("lacks instructions|no other was built", kernel_reason())
    with pytest.raises(KernelError):
        kernel("x86-64-v3")


@pytest.mark.skipif("x86-64-v3" not in available_kernels(), reason="there is no choice here")
@pytest.mark.parametrize(
    ("slow", "name", "reason"),
    [(False, "x86-64-v3", "has BMI2"), (True, "baseline", "PEXT is too slow")],
)
def test_a_processor_with_a_slow_pext_gets_the_baseline(slow, name, reason, monkeypatch):
    monkeypatch.delenv("PERFTKIT_KERNEL", raising=False)
    monkeypatch.setattr(cpu, "HAS_SLOW_PEXT", slow)
    assert kernel_name() == name
    assert reason in kernel_reason()
    monkeypatch.setenv("PERFTKIT_KERNEL", "x86-64-v3")
    assert (kernel_name(), kernel_reason()) == ("x86-64-v3", "PERFTKIT_KERNEL asks for it")
