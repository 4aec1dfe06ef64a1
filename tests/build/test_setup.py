"""setup.py: which extension modules it asks for, and with which flags, on other machines."""

from __future__ import annotations

import platform
import re
import runpy
import sys
import sysconfig
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
UNIVERSAL = "-Wall -arch arm64 -arch x86_64 -g"


class Extension:
    def __init__(self, name: str, sources: list[str], **given: Any) -> None:
        self.name = name.removeprefix("perftkit.core.")
        self.sources = sources
        self.arguments = given["extra_compile_args"]
        self.macros = dict(given["define_macros"])


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Run setup.py as on another machine, and return the extensions by name."""

    def ask(system: str, machine: str, cflags: str = "", archflags: str = "") -> dict[str, Any]:
        found: list[Extension] = []
        setuptools, build = ModuleType("setuptools"), ModuleType("Cython.Build")
        setuptools.Extension = Extension  # type: ignore[attr-defined]
        setuptools.setup = lambda **_: None  # type: ignore[attr-defined]
        build.cythonize = lambda modules, **_: found.extend(modules)  # type: ignore[attr-defined]
        for name, module in {"setuptools": setuptools, "Cython.Build": build}.items():
            monkeypatch.setitem(sys.modules, name, module)
        monkeypatch.setitem(sys.modules, "Cython", ModuleType("Cython"))
        monkeypatch.setattr(sys, "platform", system)
        monkeypatch.setattr(platform, "machine", lambda: machine)
        monkeypatch.setattr(sysconfig, "get_config_var", {"CFLAGS": cflags}.get)
        monkeypatch.setenv("ARCHFLAGS", archflags)
        for name in ("CFLAGS", "PERFTKIT_SANITIZE"):
            monkeypatch.delenv(name, raising=False)
        runpy.run_path(str(ROOT / "setup.py"))
        return {extension.name: extension for extension in found}

    return ask


@pytest.mark.parametrize(
    ("machine", "newer"),
    [
        (("linux", "x86_64"), True),
        (("linux", "aarch64"), False),
        (("linux", "riscv64"), False),
        (("darwin", "x86_64"), True),
        (("darwin", "arm64"), False),
        (("darwin", "x86_64", UNIVERSAL), False),  # the Python of python.org, and `pip install .`
        (("darwin", "arm64", UNIVERSAL), False),
        (("darwin", "arm64", UNIVERSAL, "-arch x86_64"), True),  # a wheel for the other kind
        (("darwin", "x86_64", UNIVERSAL, "-arch arm64"), False),
        (("darwin", "x86_64", UNIVERSAL, "-arch x86_64"), True),
        (("win32", "AMD64"), False),
        (("win32", "ARM64"), False),
    ],
)
def test_the_walker_for_newer_processors_is_built_for_x86_64_alone(
    asked: Any, machine: tuple[str, ...], newer: bool
) -> None:
    extensions = asked(*machine)
    assert ("fast_v3" in extensions) == newer
    particular = {
        name
        for name, extension in extensions.items()
        if any(flag.startswith(("-m", "/arch")) for flag in extension.arguments)
    }
    assert particular == ({"fast_v3"} if newer else set())


@pytest.mark.parametrize("machine", ["AMD64", "ARM64"])
def test_msvc_gets_only_flags_that_it_knows(asked: Any, machine: str) -> None:
    for extension in asked("win32", machine).values():
        assert extension.arguments == ["/O2"]
        assert extension.macros["CYTHON_INLINE"] == "__forceinline"


def test_every_module_is_built(asked: Any) -> None:
    modules = {path.stem for path in (ROOT / "perftkit" / "core").glob("*.pyx")}
    assert set(asked("linux", "x86_64")) == modules
    assert set(asked("linux", "aarch64")) == modules - {"fast_v3"}


GNU_ONLY = re.compile(r"__builtin_|__attribute__|__int128|__asm|__atomic_")
COMPILER = re.compile(r"_MSC_VER|__GNUC__|__SIZEOF_INT128__")


def gnu_only(block: str) -> list[str]:
    """Return the lines of C that MSVC can't take, where no #if asks for the compiler."""
    found, asks = [], [False]
    for line in map(str.strip, block.splitlines()):
        if line.startswith("#if"):
            asks.append(asks[-1] or bool(COMPILER.search(line)))
        elif line.startswith("#endif"):
            asks.pop()
        elif not asks[-1] and GNU_ONLY.search(line):
            found.append(line)
    return found


def test_what_only_gcc_and_clang_have_is_asked_for() -> None:
    sources = [path for path in (ROOT / "perftkit" / "core").iterdir() if path.suffix[:3] == ".px"]
    sources += (ROOT / "perftkit" / "core").glob("*.pyx")
    assert len(sources) > 30
    # C stands in string literals that begin with a line for the preprocessor.
    blocks = [
        (path.name, block)
        for path in sources
        for block in re.findall(r'"""\n(\s+#.*?)"""', path.read_text(), re.DOTALL)
    ]
    assert len(blocks) >= 6
    assert [(name, line) for name, block in blocks for line in gnu_only(block)] == []
