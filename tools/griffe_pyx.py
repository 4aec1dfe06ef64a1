"""Lets the API pages take the docstrings of compiled modules from where they are written.

A compiled module has its types in a stub (`position.pyi`) and its docstrings in the source
(`position.pyx`), each in one place. Griffe reads the stub; this extension adds the docstrings,
without building or importing anything.
"""

from __future__ import annotations

import inspect
import re
from typing import TYPE_CHECKING, Any

import griffe

if TYPE_CHECKING:
    from collections.abc import Iterator

DEFINITION = re.compile(
    r"""
    ^(?P<indent>\ *)(?:cdef\ class|class|def)\ (?P<name>\w+)
    (?:\((?:[^()]|\([^()]*\))*\))?:\n
    \s*\"{3}(?P<text>.*?)\"{3}
    """,
    re.MULTILINE | re.DOTALL | re.VERBOSE,
)
MODULE = re.compile(r'\A"{3}(?P<text>.*?)"{3}', re.DOTALL)
CLASS = re.compile(r"^(?:cdef class|class) (?P<name>\w+)", re.MULTILINE)


class PyxDocstrings(griffe.Extension):
    """Adds docstrings from a .pyx file to what its .pyi file declares."""

    def on_package(self, *, pkg: griffe.Module, loader: griffe.GriffeLoader, **_: Any) -> None:
        """Go through the modules of a package that has been read."""
        for module in _modules(pkg):
            source = module.filepath.with_suffix(".pyx") if _has_stub(module) else None
            if source is not None and source.is_file():
                found = docstrings(source.read_text(encoding="utf-8"))
                _add_docstrings(module, found, loader.docstring_parser)


def _has_stub(module: griffe.Module) -> bool:
    return not isinstance(module.filepath, list) and module.filepath.suffix == ".pyi"


def _modules(module: griffe.Module) -> Iterator[griffe.Module]:
    yield module
    for member in module.modules.values():
        if not member.is_alias:
            yield from _modules(member)


def docstrings(source: str) -> dict[str, str]:
    """Return the docstrings of a .pyx file by qualified name, the module's own by ""."""
    found = {}
    if own := MODULE.match(source):
        found[""] = inspect.cleandoc(own["text"])
    classes = [(match.start(), match["name"]) for match in CLASS.finditer(source)]
    for match in DEFINITION.finditer(source):
        name = match["name"]
        if match["indent"]:
            name = [owner for start, owner in classes if start < match.start()][-1] + "." + name
        found[name] = inspect.cleandoc(match["text"])
    return found


def _add_docstrings(
    module: griffe.Module,
    found: dict[str, str],
    parser: griffe.DocstringStyle | griffe.Parser | None,
) -> None:
    for name, text in found.items():
        try:
            target = module[name] if name else module
        except KeyError:
            continue  # not in the stub, so not public
        if target.docstring is None:
            target.docstring = griffe.Docstring(text, parent=target, parser=parser)
