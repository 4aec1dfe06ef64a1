"""No kernel runs into an instruction that the processor does not have.

Two ways: the machine code of everything but the kernel for x86-64-v3 is disassembled, and the whole
package counts on an emulated processor of 2006. Each needs a program (objdump, qemu-user), and is
skipped where there is none.
"""

from __future__ import annotations

import platform
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from perftkit.core import cpu, fast_baseline
from perftkit.core.kernel import X86_64_V3, available_kernels

pytestmark = pytest.mark.skipif(
    platform.machine() not in ("x86_64", "AMD64") or sys.platform != "linux",
    reason="x86-64 and Linux only",
)

FOLDER = Path(fast_baseline.__file__).parent
OBJDUMP = shutil.which("objdump")
QEMU = shutil.which("qemu-x86_64") or shutil.which("qemu-x86_64-static")

# What came after the first x86-64 processors: POPCNT, BMI1 and BMI2, LZCNT, MOVBE, SSE3 to SSE4.2
# by some that compilers use, and AVX, whose names all begin with v. TZCNT is not among them: what
# does not know it runs it as BSF, and compilers write it in that knowledge.
NEWER = re.compile(
    r"popcnt|lzcnt|andn|bextr|blsi|blsr|blsmsk|bzhi|mulx|pdep|pext|rorx|sarx|shlx|shrx|movbe"
    r"|pshufb|palignr|pblendw|blendv\w*|ptest|pminu[wd]|pmaxu[wd]|pmulld|pcmpeqq|pcmpgtq"
    r"|pinsr[bdq]|pextr[bdq]|roundsd|v(?!err|erw)[a-z]\w*"
)


def newer_instructions(module):
    listing = subprocess.run(
        [OBJDUMP, "-d", "--no-show-raw-insn", module], capture_output=True, text=True, check=True
    ).stdout
    mnemonics = {found[1] for found in re.finditer(r"^ +[0-9a-f]+:\t(\S+)", listing, re.MULTILINE)}
    assert "ret" in mnemonics or "retq" in mnemonics
    return {name for name in mnemonics if NEWER.fullmatch(name)}


def modules(pattern):
    return sorted(FOLDER.glob(pattern))


@pytest.mark.skipif(OBJDUMP is None, reason="objdump is not installed")
@pytest.mark.skipif(
    re.search("-m(arch|avx|bmi|sse|pop)", cpu.FLAGS), reason="built for one machine"
)
@pytest.mark.parametrize(
    "module", [p for p in modules("*.so") if "fast_v3" not in p.name], ids=lambda p: p.name
)
def test_any_processor_knows_every_instruction_but_of_the_kernel_for_newer_ones(module):
    assert newer_instructions(module) == set()


@pytest.mark.skipif(OBJDUMP is None, reason="objdump is not installed")
@pytest.mark.skipif(not modules("fast_v3*.so"), reason="there is only the baseline")
def test_the_kernel_for_newer_processors_is_seen_to_use_them():
    [module] = modules("fast_v3*.so")
    assert {"pext", "popcnt", "blsr"} <= newer_instructions(module)


COUNTS = """
from perftkit import KIWIPETE, perft
from perftkit.core.kernel import available_kernels, kernel_name
fast, strict = perft(KIWIPETE, 3), perft(KIWIPETE, 3, method="strict")
assert fast.counts == strict.counts
print(kernel_name(), *available_kernels(), perft(KIWIPETE, 3, breakdown=False).nodes, fast.nodes)
"""


def on_processor(model, **variables):
    words = [QEMU, "-cpu", model]
    words += [word for name, text in variables.items() for word in ("-E", f"{name}={text}")]
    done = subprocess.run(
        [*words, sys.executable, "-c", COUNTS],
        cwd=FOLDER.parents[1],
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    return done.stdout.split(), done.stderr


# The last lacks only what no walker asks for by name, and a compiler may use all the same.
@pytest.mark.skipif(QEMU is None, reason="qemu-user is not installed")
@pytest.mark.parametrize("model", ["Conroe", "Nehalem", "Haswell,-bmi2", "Haswell,-movbe"])
def test_an_older_processor_counts_with_the_baseline(model):
    out, err = on_processor(model)
    # 97862 is the Chess Programming Wiki's count.
    assert out == ["baseline", "baseline", "97862", "97862"], err


@pytest.mark.skipif(QEMU is None, reason="qemu-user is not installed")
def test_asking_an_older_processor_for_newer_instructions_is_an_error():
    out, err = on_processor("Conroe", PERFTKIT_KERNEL=X86_64_V3)
    assert out == []
    assert f"KernelError: PERFTKIT_KERNEL={X86_64_V3}: there is no such kernel here" in " ".join(
        err.split()
    ).replace("perftkit.errors.", "")


@pytest.mark.skipif(QEMU is None, reason="qemu-user is not installed")
@pytest.mark.skipif(not modules("fast_v3*.so"), reason="there is only the baseline")
def test_an_emulated_newer_processor_has_both():
    out, err = on_processor("Haswell")
    if out[:1] == ["baseline"]:
        pytest.skip("this qemu can't emulate AVX2")
    assert out == [X86_64_V3, *available_kernels(), "97862", "97862"], err
