"""HTML as a format of commands: what it makes them compute, and where it is written."""

import json

import pytest
from html_pages import parsed

from perftkit import KIWIPETE


@pytest.fixture
def suite(tmp_path):
    path = tmp_path / "suite.epd"
    path.write_text(f'{KIWIPETE} ;D1 48 ;D2 2039 ;id "kiwipete"\n')  # published
    return path


def test_a_run_as_a_page(invoke, wrong, tmp_path):
    result = invoke("run", wrong, "--report", "html=page.html")
    assert result.exit_code == 1
    root = parsed((tmp_path / "page.html").read_text())
    assert root.one("h1").text == "perftkit and the suite differ in 2 of 5 rows"
    assert [card.one("h3").text for card in root.all("article")] == ["kiwipete", "start-again"]


def test_a_page_on_standard_output(invoke, good):
    result = invoke("run", good, "--format", "html")
    assert parsed(result.stdout).one("h1").text == "perftkit is right in all 6 rows"


def test_a_page_explains_without_being_asked(invoke, suite, engine, tmp_path):
    spec = engine("castling")
    result = invoke("run", suite, "--depth", 2, "--engine", spec, "--report", "html=page.html")
    assert result.exit_code == 1
    root = parsed((tmp_path / "page.html").read_text())
    card = root.one("article", "cause")
    assert card.one("h3").text == "castling-missing"
    assert [arrow["data-move"] for arrow in card.all("g", "arrow", "missing")] == ["e1c1", "e1g1"]
    assert "castling-missing" in result.stdout  # the table has it as well


@pytest.mark.parametrize(
    ("more", "explains"),
    [
        (("html=a.html",), True),
        (("html=a.html", "--no-explain"), False),
        (("csv=a.csv",), False),
        (("csv=a.csv", "--explain"), True),
    ],
)
def test_who_explains(invoke, suite, engine, tmp_path, more, explains):
    spec = engine("castling")
    reports = ("--report", "json=a.json", "--report", *more)
    invoke("run", suite, "--depth", 1, "--engine", spec, *reports)
    assert ("causes" in json.loads((tmp_path / "a.json").read_text())) is explains


def test_a_run_without_an_engine_has_nothing_to_explain(invoke, wrong):
    assert invoke("run", wrong, "--format", "html").exit_code == 1
    result = invoke("run", wrong, "--format", "html", "--explain")
    assert result.exit_code == 2
    assert "--explain is about an engine" in result.stderr


def test_a_division_as_a_page(invoke, tmp_path):
    result = invoke("divide", "--depth", 2, "--report", "html=page.html")
    assert result.exit_code == 0
    root = parsed((tmp_path / "page.html").read_text())
    assert root.one("h1").text == "400 nodes in 20 moves"  # published
    assert len(root.one("tbody").all("tr")) == 20


def test_a_walk_as_a_page(invoke, engine, tmp_path):
    spec = engine("castling")
    args = ("divide", "kiwipete", "--depth", 2, "--engine", spec, "--report", "html=page.html")
    assert invoke(*args).exit_code == 1
    root = parsed((tmp_path / "page.html").read_text())
    assert root.one("h1").text == "Wrong 1.0 is wrong at depth 1"
    assert [arrow["data-move"] for arrow in root.all("g", "arrow", "missing")] == ["e1c1", "e1g1"]
    (table,) = root.all("table", "sortable")
    titles = [cell.text for cell in table.one("thead").all("th")]
    assert {"captures", "O-O", "O-O-O"} <= set(titles)  # of perftkit's own count
    captures = [
        row.all("td")[titles.index("captures")].text for row in table.one("tbody").all("tr")
    ]
    assert sum(map(int, captures)) == 8  # published


def test_a_walk_that_finds_nothing(invoke, engine):
    result = invoke("divide", "--depth", 2, "--engine", engine("none"), "--format", "html")
    assert result.exit_code == 0
    root = parsed(result.stdout)
    assert "right" in root.one("section", "verdict").classes
    assert root.one("h1").text == "Wrong 1.0 is right up to depth 2"


def test_a_paste_as_a_page(invoke, tmp_path):
    (tmp_path / "pasted.txt").write_text("a2a3: 20\n")
    result = invoke("divide", "--depth", 2, "--paste", "pasted.txt", "--format", "html")
    assert result.exit_code == 1
    assert "1 of 20 rows: is the paste complete?" in parsed(result.stdout).one("main").text
