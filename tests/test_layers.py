import ast
from pathlib import Path

import pytest

import perftkit

PACKAGE = Path(perftkit.__file__).parent
CORE = {"errors", "core", "bitboard", "suggest"}
MAY_IMPORT = {
    "errors": set(),
    "suggest": set(),
    "core": {"errors"},
    "bitboard": {"core"},
    "suite": CORE,
    "engines": CORE,
    "verify": CORE | {"suite", "engines"},
    "bench": CORE | {"suite", "engines", "verify"},
    "report": CORE | {"suite", "engines", "verify", "bench", "__version__"},
    "cli": CORE | {"suite", "engines", "verify", "bench", "report", "__version__"},
    "pytest_plugin": CORE | {"suite", "engines", "verify", "report"},
    "testing": CORE | {"suite", "engines", "verify", "report", "__version__"},
}
SOURCES = sorted(PACKAGE.rglob("*.py"))


def imported(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} has a relative import"
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def layer_of(path):
    return path.relative_to(PACKAGE).with_suffix("").parts[0]


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_go_one_way(path):
    layer = layer_of(path)
    if layer not in MAY_IMPORT:
        return
    allowed = MAY_IMPORT[layer] | {layer}
    found = {name.split(".")[1] for name in imported(path) if name.startswith("perftkit.")}
    assert found <= allowed


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_only_the_command_line_knows_click_and_only_the_console_knows_rich(path):
    roots = {name.split(".")[0] for name in imported(path)}
    if layer_of(path) != "cli":
        assert "click" not in roots
        if path.relative_to(PACKAGE).as_posix() != "report/console.py":
            assert "rich" not in roots


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_only_its_plugin_knows_pytest(path):
    roots = {name.split(".")[0] for name in imported(path)}
    if layer_of(path) != "pytest_plugin":
        assert not roots & {"pytest", "_pytest"}


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_nothing_below_the_command_line_prints_or_exits(path):
    if layer_of(path) in ("cli", "__main__"):
        return
    calls = {
        ast.unparse(node.func)
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
    }
    assert not calls & {"print", "exit", "quit", "sys.exit", "os._exit"}
