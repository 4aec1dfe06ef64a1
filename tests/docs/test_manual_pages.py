"""That every page can be found, says where its numbers come from, and asks no other server."""

from __future__ import annotations

import importlib.util
import inspect
import re
import sys
import types

import pytest
from manual import DOCS, PAGES, ROOT

import perftkit.core.attacks
import perftkit.core.position
import perftkit.core.table

LINK = re.compile(r"(?<!\!)\[[^\]]+\]\((?P<target>[^)\s]+)\)")
SIGNATURE = re.compile(r"\A[\w.]+\(.*\)\n+")  # which Cython puts before a docstring
CONFIG = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")


def pages_of_the_nav():
    nav = CONFIG.partition("\nnav:\n")[2].partition("\nmarkdown_extensions:")[0]
    return re.findall(r"^ +- [^:]+: (\S+\.md)$", nav, re.MULTILINE)


def links_of(page):
    text = re.sub(r"^(```|~~~).*?^\1", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    return [found["target"] for found in LINK.finditer(text)]


def test_every_page_is_in_the_nav_once():
    pages = sorted(str(page.relative_to(DOCS)) for page in DOCS.rglob("*.md"))
    assert sorted(pages_of_the_nav()) == pages


def test_every_page_can_be_reached_from_the_front_page_by_links():
    reached, waiting = set(), ["index.md"]
    while waiting:
        page = waiting.pop()
        if page in reached:
            continue
        reached.add(page)
        links = (link.partition("#")[0] for link in links_of(DOCS / page))
        waiting += [link for link in links if link.endswith(".md") and "://" not in link]
    assert reached == set(pages_of_the_nav())


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_to_files_lead_somewhere(page):
    for link in links_of(page):
        path, _, _ = link.partition("#")
        if path and "://" not in link:
            assert (page.parent / path).exists(), link


def test_the_readme_names_every_page_that_a_user_begins_with():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for page in ("index", "start", "wrong", "engines", "counters", "suite", "commands", "python"):
        assert f"(docs/{page}.md)" in readme


def test_the_theme_asks_no_other_server():
    assert "  font: false" in CONFIG
    for text in (CONFIG, *(path.read_text("utf-8") for path in DOCS.rglob("*.css"))):
        assert "http" not in text.replace("https://www.w3.org", "")


def test_every_source_of_a_number_is_told():
    """Each part of a row's `source` stands in the table of SOURCES.md."""
    text = (ROOT / "data" / "SOURCES.md").read_text(encoding="utf-8")
    named = "\n".join(row.split("|")[1] for row in text.splitlines() if row.startswith("| "))
    for suite in sorted((ROOT / "data").glob("*.epd")):
        for row in suite.read_text(encoding="utf-8").splitlines():
            if row.startswith("#") or not (found := re.search(r'source "([^"]+)"', row)):
                continue
            for part in found[1].split("; "):
                assert re.sub(r" from D\d+$", "", part) in named, (suite.name, part)


@pytest.mark.parametrize(
    "module",
    [perftkit.core.position, perftkit.core.table, perftkit.core.attacks],
    ids=lambda module: module.__name__,
)
def test_the_python_page_has_the_docstrings_of_compiled_modules(module, monkeypatch):
    """What is read from the source is what the compiled module has."""
    griffe = types.ModuleType("griffe")
    griffe.Extension = object
    monkeypatch.setitem(sys.modules, "griffe", griffe)
    spec = importlib.util.spec_from_file_location("pyx", ROOT / "tools" / "griffe_pyx.py")
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    path = ROOT.joinpath(*module.__name__.split(".")).with_suffix(".pyx")
    found = tool.docstrings(path.read_text(encoding="utf-8"))
    assert found.pop("") == inspect.cleandoc(module.__doc__)
    assert found == dict(documented(module))


def documented(owner, prefix=""):
    for name, value in vars(owner).items():
        mine = getattr(value, "__module__", owner.__name__) in (None, owner.__name__)
        if name.startswith("__") or not getattr(value, "__doc__", None) or not (mine or prefix):
            continue
        if isinstance(value, (str, int, tuple, dict)):
            continue
        yield prefix + name, SIGNATURE.sub("", inspect.cleandoc(value.__doc__))
        if isinstance(value, type):
            yield from documented(value, f"{name}.")
