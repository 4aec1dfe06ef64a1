"""The HTML reports: escaped, whole, of a bounded size, and true to what they show."""

import base64
import hashlib
import re
from dataclasses import replace
from pathlib import Path

import chess
import pytest
from html_pages import (
    CAUSE,
    EVENTS,
    FEN,
    INFO,
    OTHER,
    ROW,
    SHOWN,
    division,
    failing,
    hostile_run,
    hostile_walk,
    ok_rows,
    parsed,
    run_page,
)

import perftkit.report.html
from perftkit import STARTPOS
from perftkit.report.html import chart, rows
from perftkit.verify.events import ERROR, MISMATCH, OK, SKIPPED, Outcome

FOLDER = Path(perftkit.report.html.__file__).parent
HTML = {
    *("html", "head", "meta", "title", "link", "style", "body", "main", "footer", "script"),
    *("section", "article", "header", "h1", "h2", "h3", "p", "span", "strong", "small", "code"),
    *("dl", "dt", "dd", "div", "ul", "ol", "li", "details", "summary", "figure", "figcaption"),
    *("table", "thead", "tbody", "tfoot", "tr", "th", "td"),
}
SVG = {"svg", "symbol", "path", "use", "rect", "circle", "line", "text", "g", "title", "desc"}


def with_id(root, id):
    return next(node for node in root.all() if node.attributes.get("id") == id)


PAGES = {"run": hostile_run, "walk": hostile_walk, "divide": division, "plain": run_page}
every_page = pytest.mark.parametrize("page", PAGES.values(), ids=PAGES)


@every_page
def test_a_page_is_properly_nested_and_has_only_our_elements(page):
    root = parsed(page())
    assert {node.tag for node in root.all()} <= HTML | SVG
    assert len(root.all("script")) == len(root.all("style")) == len(root.all("h1")) == 1


@every_page
def test_nothing_in_a_page_runs_or_loads(page):
    root = parsed(page())
    for node in root.all():
        names = set(node.attributes)
        assert not any(name.startswith("on") for name in names), node.attributes
        assert not names & {"src", "srcset", "action", "formaction", "style", "xlink:href"}
        assert node.attributes.get("href", "#").startswith(("#", "data:,")), node.attributes
        assert node.tag != "meta" or node.attributes.get("http-equiv") != "refresh"
    assert "url(" not in root.one("style").text
    assert "@import" not in root.one("style").text


@every_page
def test_ids_are_unique_and_what_is_referred_to_is_there(page):
    nodes = parsed(page()).all()
    ids = [node["id"] for node in nodes if "id" in node.attributes]
    assert len(ids) == len(set(ids))
    named = {node["href"][1:] for node in nodes if node.attributes.get("href", "").startswith("#")}
    for node in nodes:
        named.update(node.attributes.get("aria-labelledby", "").split())
    assert named <= set(ids)


@every_page
def test_only_our_script_and_style_are_let_through(page):
    root = parsed(page())
    policy = next(node for node in root.all("meta") if "http-equiv" in node.attributes)["content"]
    assert policy.startswith("default-src 'none'; ")
    for tag, name in (("style", "page.css"), ("script", "page.js")):
        text = root.one(tag).text
        assert text == (FOLDER / name).read_text(encoding="ascii")
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy


@every_page
def test_a_page_can_be_written_anywhere(page):
    assert page().isascii()


@pytest.mark.parametrize("page", [hostile_run, hostile_walk])
def test_what_a_file_or_an_engine_said_is_text(page):
    text = page()
    assert "<script>document" not in text
    assert "<img" not in text
    assert "\x1b" not in text
    root = parsed(text)
    assert SHOWN in root.one("main").text
    values = [value for node in root.all() for value in node.attributes.values()]
    assert not any("hacked" in value for value in values)


def test_all_that_is_hostile_is_shown():
    main = parsed(hostile_run()).one("main")
    assert SHOWN in main.one("h1").text  # the engine's name
    cause = main.one("article", "cause")
    assert SHOWN in cause.one("p", "lead").text
    assert SHOWN in cause.one("ul", "legend").text
    failures = main.all("article", "failure")
    for failure in failures:  # no board, since this FEN is none
        assert failure.one("h3").text == SHOWN
        assert SHOWN in failure.one("ul", "notes").text
        assert failure.all("code", "copy")[0].text == SHOWN
        assert not failure.all("svg")
    assert len(failures) == 2  # a difference and an engine's failure
    row = next(row for row in main.all("tr") if row.attributes.get("data-status") == MISMATCH)
    cells = [cell.text for cell in row.all("td")]
    assert (cells[1], cells[-3], cells[-1]) == (SHOWN, f"{SHOWN}:7", SHOWN)


# What a page of a run says.


def test_it_begins_with_the_answer():
    root = parsed(run_page(EVENTS[:1]))
    assert root.one("h1").text == "perftkit is right in the 1 row"
    assert root.one("section", "verdict").classes == {"verdict", "right"}
    assert root.one("head").one("title").text == "perftkit is right in the 1 row - perftkit"
    assert root.one("ul", "sums").text == "1 ok"


def test_its_sums_are_those_of_the_run():
    root = parsed(run_page())
    chips = [chip.text for chip in root.one("ul", "sums").all("li")]
    assert chips == [
        *("1 ok", "2 different", "1 without an answer", "1 skipped", "1 unreadable"),
    ]
    assert root.one("h1").text == "perftkit and the suite differ in 2 of 5 rows"
    assert root.one("section", "verdict").classes == {"verdict", "wrong"}
    statuses = [row["data-status"] for row in root.all("tr") if "data-status" in row.attributes]
    assert statuses == [OK, SKIPPED, MISMATCH, ERROR, MISMATCH]


@pytest.mark.parametrize(
    ("events", "said", "look"),
    [
        ((), "Nothing was counted", "unsure"),
        (EVENTS[:2], "perftkit is right in the 1 row counted", "right"),
        (EVENTS[1:2], "Nothing was counted", "unsure"),
        (EVENTS[3:4], "perftkit gave no answer to 1 of 1 row", "wrong"),
        (EVENTS[5:], "1 row of the suite can't be read", "unsure"),
        (
            (replace(EVENTS[4], disputed=7),),
            "perftkit is right, and the suite is disputed in 1 of 1 row",
            "unsure",
        ),
    ],
)
def test_other_answers(events, said, look):
    root = parsed(run_page(events))
    assert root.one("h1").text == said
    assert look in root.one("section", "verdict").classes


def test_what_was_only_counted_is_not_called_right():
    counted = replace(EVENTS[0], expected_nodes=None)
    root = parsed(run_page([counted, replace(counted, depth=2)]))
    assert root.one("h1").text == "perftkit counted 2 rows, and nothing was compared"
    assert "unsure" in root.one("section", "verdict").classes
    both = parsed(run_page([counted], replace(INFO, method="both")))
    assert both.one("h1").text == "perftkit is right in the 1 row"


def test_a_row_that_was_skipped_took_no_time():
    (row,) = [row for row in parsed(run_page(EVENTS[1:2])).all("tr") if row.attributes]
    assert row.all("td")[-5].text == row.all("td")[-4].text == ""


def test_why_a_run_was_stopped():
    root = parsed(run_page(EVENTS[:1], stopped="interrupted"))
    assert root.one("p", "stopped").text == "Stopped early: interrupted"
    assert root.one("h1").text == "perftkit is right in the 1 row so far"
    assert "unsure" in root.one("section", "verdict").classes


def test_a_cause_is_told_with_arrows_and_words():
    card = parsed(run_page(causes=[CAUSE])).one("article", "cause")
    assert card.one("h3").text == "en-passant-pin"
    assert [badge.text for badge in card.all("span", "badge")] == ["certain", "1 position"]
    moves = {
        kind: [x["data-move"] for x in card.all("g", "arrow", kind)]
        for kind in ("missing", "extra")
    }
    assert moves == {"missing": ["h5h6"], "extra": ["d5e6", "h5g5"]}
    legend = [item.text for item in card.one("ul", "legend").all("li")]
    assert legend[0].startswith("missing h5h6 ")
    assert legend[1].startswith("extra d5e6 h5g5")
    assert card.one("figcaption").text == "White to move. No castling rights. En passant on e6."
    assert "other, depth 1" in card.one("ul", "members").text


@pytest.mark.parametrize(("causes", "told"), [([], [SHOWN, "other"]), ([CAUSE], [SHOWN])])
def test_what_a_cause_explains_is_not_told_again(causes, told):
    section = with_id(parsed(run_page(causes=causes)), "different")
    assert [card.one("h3").text for card in section.all("article")] == told
    assert section.one("h2").text.endswith(f": {len(told)}")


def test_counters_stand_side_by_side():
    card = parsed(run_page()).all("article", "failure")[0]
    rows = [[cell.text for cell in row.all("td")] for row in card.one("tbody").all("tr")]
    assert rows == [
        ["1", "nodes", "6", "7", "+1"],
        ["", "checks", "2", "3", "+1"],
        ["", "captures", "1", "1", ""],
    ]


def test_a_failing_position_has_its_board_and_a_command():
    card = parsed(run_page()).all("article", "failure")[1]
    assert len(card.all("use")) == 5
    assert not card.all("g", "arrow")
    codes = [code.text for code in card.all("code", "copy")]
    assert codes == [FEN, f"perftkit divide '{FEN}' --depth 1"]


def test_disputed_numbers_are_told_apart():
    root = parsed(run_page([replace(EVENTS[4], disputed=7)]))
    section = with_id(root, "disputed")
    assert section.one("h2").text == "Numbers of the suite to check: 1"
    assert "the suite says 6, and perftkit counts 7" in section.text
    assert root.all("tr", "warn")


def test_an_engine_that_differs_from_a_disputed_number_too_is_wrong():
    root = parsed(run_page([replace(EVENTS[4], disputed=5)]))
    assert root.one("h1").text == "perftkit and the suite differ in 1 of 1 row"
    section = with_id(root, "different")
    assert "the suite says 6, and perftkit counts 5" in section.text


def test_a_suite_that_is_given_twice_is_explained_twice():
    cause = replace(CAUSE, members=CAUSE.members * 2)
    again = replace(EVENTS[4], row=replace(OTHER))
    root = parsed(run_page([EVENTS[4], again], causes=[cause]))
    assert len(root.all("article")) == 1
    assert "not explained" not in root.one("main").text


# Sizes.


def statuses(root):
    return [row["data-status"] for row in root.all("tr") if "data-status" in row.attributes]


def test_rows_that_are_right_are_limited_and_failures_are_there():
    text = run_page([*ok_rows(5_003), *failing(2)])
    assert text.count('data-status="ok"') == 5_000
    assert text.count('data-status="mismatch"') == 2
    assert "3 rows that are no failures are left out" in text
    assert "<strong>5,003</strong> ok" in text


def test_failing_rows_are_limited_too(monkeypatch):
    monkeypatch.setattr(rows, "MOST_FAILING", 10)
    root = parsed(run_page([*ok_rows(1), *failing(12)]))
    assert statuses(root) == [OK, *[MISMATCH] * 10]
    assert "2 failing rows are left out" in root.one("main").text


def test_only_the_first_failures_have_a_board():
    root = parsed(run_page(failing(60)))
    assert len(root.all("article", "failure")) == len(root.all("svg", "board")) == 50
    assert "and 10 more positions, see the table of rows" in root.one("main").text
    assert len(statuses(root)) == 60


@pytest.mark.parametrize(("number", "dots"), [(1, 1), (40, 40), (41, 21), (300, 38)])
def test_charts_stay_small_and_cover_all_rows(monkeypatch, number, dots):
    monkeypatch.setattr(chart, "MOST_POINTS", 40)
    root = parsed(run_page(ok_rows(number)))
    time, speed, slowest = root.all("figure", "chart")
    assert len(time.all("circle")) == len(speed.all("circle")) == dots
    told = [re.match("([0-9]+) rows", dot.one("title").text) for dot in time.all("circle")]
    assert sum(int(several[1]) if several else 1 for several in told) == number
    assert len(slowest.all("li")) == min(number, 10)
    assert f"the time of {number:,} row" in slowest.text


def test_the_slowest_rows_come_first():
    slow = Outcome(ROW, 4, MISMATCH, nodes=1_000_000, expected_nodes=3, seconds=2.0)
    root = parsed(run_page([*ok_rows(50), slow, *ok_rows(50)]))
    first = root.one("ol", "bars").all("li")[0]
    assert first.text == "plain, depth 42 s, 500 kn/s"
    assert "bad" in first.classes


def test_a_run_in_which_nothing_was_timed_has_no_chart():
    assert not parsed(run_page(EVENTS[1:2])).all("figure", "chart")


def test_columns_of_counters_are_there_where_a_row_has_counters():
    without = replace(EVENTS[0], counts={})
    for events, hidden in (([without], True), ([without, EVENTS[0]], False)):
        table = parsed(run_page(events)).one("table", "sortable")
        assert ("uncounted" in table.classes) is hidden


# Divisions.


def test_a_division_lists_all_moves():
    root = parsed(division())
    assert root.one("h1").text == "2,039 nodes in 48 moves"  # published
    assert len(root.one("tbody").all("tr")) == 48
    nodes = [int(row.all("td")[1].text) for row in root.one("tbody").all("tr")]
    assert sum(nodes) == 2039
    assert root.one("tfoot").one("tr").content[1].text == "2,039"


def test_a_division_after_moves_shows_where_it_is():
    root = parsed(division(STARTPOS, 1, ("e2e4", "e7e5")))
    assert root.one("figcaption").text.startswith("White to move.")
    codes = [code.text for code in root.one("section", "verdict").all("code")]
    board = chess.Board()
    for move in ("e2e4", "e7e5"):
        board.push_uci(move)
    assert codes == [board.fen(en_passant="fen"), "e2e4 e7e5", STARTPOS]


def test_a_walk_compares_all_moves():
    root = parsed(hostile_walk())
    (table,) = root.all("table", "sortable")
    found = {row.all("td")[0].text: row["data-status"] for row in table.one("tbody").all("tr")}
    assert found[SHOWN] == "extra"
    assert sorted(found.values()) == ["extra", *["ok"] * 6]
    assert len(root.all("svg", "board")) == 3  # the root, the first wrong one, where it fails


def test_info_without_a_suite_is_one_position():
    root = parsed(run_page(EVENTS[:1], replace(INFO, suite=None)))
    assert "one position" in root.one("p", "eyebrow").text
    assert OTHER.id not in root.one("main").text
    assert SKIPPED not in statuses(root)
