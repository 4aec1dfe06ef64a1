"""The HTML reports in a real Chromium: nothing to complain about, sorted, filtered, readable."""

from __future__ import annotations

import json
import os
import shutil
from dataclasses import replace

import pytest
from html_pages import (
    CAUSE,
    EVENTS,
    SHOWN,
    WITH_ENGINE,
    division,
    failing,
    hostile_run,
    hostile_walk,
    ok_rows,
    run_page,
)

from perftkit.suite.model import SuiteRow
from perftkit.verify.events import OK, Outcome
from perftkit.verify.explain import Explained
from perftkit.verify.failures import Failure

IS_REQUIRED = "NEEDS_BROWSER" in os.environ  # where a test that can't be run is a failure
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
DRIVER = shutil.which("chromedriver")
PAGES = {"run": hostile_run, "walk": hostile_walk, "divide": division}
LEAST_CONTRAST = 4.5  # of text to its ground, as WCAG 2.1 asks for at level AA

every_page = pytest.mark.parametrize("page", PAGES.values(), ids=PAGES)


def missing(what):
    if IS_REQUIRED:
        pytest.fail(f"{what} is missing, and NEEDS_BROWSER is set")
    pytest.skip(f"{what} is not installed")


@pytest.fixture(scope="module")
def browser():
    try:
        from selenium import webdriver
    except ImportError:
        missing("selenium")
    if CHROMIUM is None or DRIVER is None:
        missing("chromium with its driver")
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for word in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
        options.add_argument(word)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    started = webdriver.Chrome(options, webdriver.ChromeService(DRIVER))
    yield started
    started.quit()


@pytest.fixture
def show(browser, tmp_path):
    """Opens a page: `show(text, width=360)`; it must not complain, nor load more."""
    file = tmp_path / "page.html"

    def opened(text, *, width=1100, scheme="light", media="", scripts=True):
        file.write_text(text, encoding="utf-8")
        screen = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        emulated = {"media": media, "features": features}
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", emulated)
        browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": not scripts})
        browser.get(file.as_uri())
        return browser

    browser.get("about:blank")
    browser.get_log("performance")
    yield opened
    assert browser.get_log("browser") == []
    messages = [json.loads(entry["message"]) for entry in browser.get_log("performance")]
    asked = {
        message["message"]["params"]["request"]["url"]
        for message in messages
        if message["message"]["method"] == "Network.requestWillBeSent"
    }
    assert asked <= {file.as_uri(), "data:,"}


def texts(page, selector):
    script = "return [...document.querySelectorAll(arguments[0])].map(node => node.textContent)"
    return page.execute_script(script, selector)


def column(page, title):
    """Return the texts of the visible cells below a title."""
    return page.execute_script(
        """
        const heads = [...document.querySelectorAll("table.sortable thead th")];
        const index = heads.findIndex(head => head.textContent === arguments[0]);
        const rows = [...document.querySelectorAll("table.sortable tbody tr")];
        return rows.filter(row => !row.hidden).map(row => row.cells[index].textContent);
        """,
        title,
    )


def head(page, title):
    return next(
        button
        for button in page.find_elements("css selector", "table.sortable th button")
        if button.get_property("textContent") == title
    )


def press(page, title):
    head(page, title).click()
    script = "return document.querySelector('th[aria-sort]').ariaSort"
    return page.execute_script(script)


# Safe.


@every_page
def test_what_is_hostile_is_shown_and_does_nothing(show, page):
    shown = show(page())
    assert "hacked" not in shown.title.replace(SHOWN, "")
    assert shown.execute_script("return document.scripts.length") == 1
    assert shown.execute_script("return document.images.length") == 0
    if page is not division:
        assert any(SHOWN in text for text in texts(shown, "main"))


def test_the_policy_refuses_what_is_not_ours(show, browser):
    page = show(hostile_run())
    page.execute_script(
        """
        const script = document.createElement("script");
        script.textContent = "document.title = 'hacked'";
        document.body.append(script);
        """
    )
    assert page.title != "hacked"
    complaints = browser.get_log("browser")
    assert len(complaints) == 1
    assert "Content Security Policy" in complaints[0]["message"]


# Pictures.


def test_arrows_and_men_are_drawn(show):
    page = show(run_page(EVENTS, causes=[CAUSE]))
    sizes = page.execute_script(
        """
        const size = node => {
          const box = node.getBoundingClientRect();
          return [box.width, box.height];
        };
        const all = selector => [...document.querySelectorAll(".cause " + selector)].map(size);
        return {missing: all("g.arrow.missing"), extra: all("g.arrow.extra"), men: all("use"),
                board: all("svg.board")};
        """
    )
    assert {name: len(found) for name, found in sizes.items()} == {
        **{"missing": 1, "extra": 2, "men": 5, "board": 1}
    }
    ((board, height),) = sizes["board"]
    assert board == height > 250
    for width, height in (*sizes["missing"], *sizes["extra"], *sizes["men"]):
        assert max(width, height) > board / 16
    colors = page.execute_script(
        "return ['missing', 'extra'].map(kind => getComputedStyle("
        "document.querySelector(`.arrow.${kind}`)).stroke)"
    )
    assert len(set(colors)) == 2


def test_charts_stay_inside_of_their_boxes(show):
    page = show(run_page(ok_rows(500)), width=360)
    assert (
        page.execute_script(
            """
        const outside = (node, box) => {
          const [one, other] = [node.getBoundingClientRect(), box.getBoundingClientRect()];
          return one.left < other.left || one.right > other.right || one.top < other.top
            || one.bottom > other.bottom;
        };
        return [...document.querySelectorAll(".chart")].flatMap(box =>
          [...box.querySelectorAll("circle, text, rect, span")].filter(node => outside(node, box))
        ).length;
        """
        )
        == 0
    )


# Tables.


def rows_of(*numbers):
    for line, (nodes, seconds) in enumerate(numbers, 1):
        row = SuiteRow(f"row-{line}", "8/8/8/8/8/8/8/8 w - - 0 1", file="suite.epd", line=line)
        yield Outcome(row, 1, OK, nodes=nodes, expected_nodes=nodes, seconds=seconds)


NUMBERS = ((10, 0.5), (9, 0.0009), (2**60 + 1, 20.0), (None, 0.0), (2**60, 0.001), (1_000, 3.0))


def test_a_click_sorts_numbers_as_numbers(show):
    page = show(run_page(rows_of(*NUMBERS)))
    rising = ["9", "10", "1,000", f"{2**60:,}", f"{2**60 + 1:,}"]
    assert press(page, "nodes") == "ascending"
    assert column(page, "nodes") == [*rising, ""]  # what is not known stays last
    assert press(page, "nodes") == "descending"
    assert column(page, "nodes") == [*reversed(rising), ""]


def test_times_are_sorted_by_their_length(show):
    page = show(run_page(rows_of(*NUMBERS)))
    assert press(page, "time") == "ascending"
    assert column(page, "time") == ["0.000 s", "900 µs", "1 ms", "500 ms", "3 s", "20.0 s"]


def test_names_are_sorted_with_their_numbers(show):
    page = show(run_page(rows_of(*[(1, 1.0)] * 11)))
    assert press(page, "position") == "ascending"
    assert press(page, "position") == "descending"
    assert column(page, "position") == [f"row-{line}" for line in range(11, 0, -1)]


def test_a_column_is_sorted_by_keyboard_too(show):
    from selenium.webdriver.common.keys import Keys

    page = show(division())
    names = column(page, "move")
    head(page, "move").send_keys(Keys.ENTER)
    head(page, "move").send_keys(Keys.SPACE)
    assert column(page, "move") == sorted(names, reverse=True)
    assert texts(page, "tfoot th") == ["total"]


def test_only_one_column_is_marked_as_sorted(show):
    page = show(division())
    press(page, "nodes")
    assert press(page, "captures") == "ascending"
    assert texts(page, "th[aria-sort]") == ["captures"]


def test_a_filter_shows_some_of_the_rows(show):
    page = show(run_page([*ok_rows(12), *failing(3)]))
    text, only = page.find_elements("css selector", ".tools input")
    text.send_keys("ROW-1")
    assert column(page, "position") == ["row-1", "row-10", "row-11"]
    assert texts(page, ".tools output") == ["3 of 15 rows"]
    text.clear()
    only.click()
    assert column(page, "position") == ["bad-0", "bad-1", "bad-2"]
    only.click()
    assert len(column(page, "position")) == 15
    assert texts(page, ".tools output") == [""]


def test_a_fen_is_copied(show):
    page = show(division())
    origin = {"permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]}
    page.execute_cdp_cmd("Browser.grantPermissions", origin)
    page.find_element("css selector", ".copy + button").click()
    copied = page.execute_async_script("navigator.clipboard.readText().then(arguments[0])")
    assert copied == texts(page, ".copy")[0]


def test_a_page_is_whole_without_scripts(show):
    page = show(run_page(EVENTS, causes=[CAUSE]), scripts=False)
    assert texts(page, ".tools, th button, .copy + button") == []
    assert len(column(page, "status")) == 5
    assert len(texts(page, ".cause g.arrow")) == 3


# Looks.


@every_page
def test_a_phone_has_to_scroll_down_only(show, page):
    assert (
        show(page(), width=360).execute_script("return document.documentElement.scrollWidth") <= 360
    )


@pytest.mark.parametrize("width", [360, 1400])
def test_a_long_id_leaves_room_for_the_rest(show, width):
    id = "x" * 10_000
    (bad,) = failing(1)
    row = replace(bad.row, id=id)
    member = Explained(Failure(row, 1), CAUSE.members[0].result, None)
    cause = replace(CAUSE, members=(member,))
    page = show(run_page([replace(bad, row=row)], WITH_ENGINE, [cause]), width=width)
    height = page.execute_script("return document.documentElement.scrollHeight")
    plain = replace(CAUSE, members=(replace(member, failure=Failure(bad.row, 1)),))
    page = show(run_page([bad], WITH_ENGINE, [plain]), width=width)
    assert height - page.execute_script("return document.documentElement.scrollHeight") < 700
    page = show(run_page([replace(bad, row=replace(bad.row, id="name-" * 20))]), width=width)
    cut = """
        const cell = document.querySelector("#rows td.id");
        return cell.scrollWidth - cell.clientWidth;
    """
    assert page.execute_script(cut) == 0


@pytest.mark.parametrize("width", [760, 800, 1000, 1400])
def test_the_difference_stands_beside_what_was_expected(show, width):
    page = show(run_page(failing(2)), width=width)
    cut = """
        return [...document.querySelectorAll(".scroll.low")].map(
          box => box.scrollWidth - box.clientWidth);
    """
    assert page.execute_script(cut) == [0, 0]


def test_paper_is_the_same_whatever_the_screen_was(show):
    text = run_page([*ok_rows(3), *failing(1)])
    colors = """
        return [".chart .dot", ".bars rect", ".board .light", ".board .dark", ".board .coordinate"]
          .map(selector => getComputedStyle(document.querySelector(selector)).fill);
    """
    light, dark = (
        show(text, scheme=scheme, media="print").execute_script(colors)
        for scheme in ("light", "dark")
    )
    assert light == dark


def test_reasons_are_as_wide_as_can_be_read(show):
    page = show(run_page([replace(EVENTS[3], reason="it said " * 200)]), width=1400)
    script = "return document.querySelector('#rows td.reason').getBoundingClientRect().width"
    assert 250 < page.execute_script(script) < 500


def test_heads_stand_over_their_numbers(show):
    page = show(division())
    script = """
        const right = node => {
          const range = document.createRange();
          range.selectNodeContents(node);
          return range.getBoundingClientRect().right;
        };
        const [head, cell] = ["thead th button", "tbody td"].map(
          selector => document.querySelectorAll(selector)[1]);
        return Math.abs(right(head.firstChild) - right(cell));
    """
    assert page.execute_script(script) < 1


CONTRASTS = """
const channels = text => text.match(/[0-9.]+/g).map(Number);
const luminance = ([red, green, blue]) => {
  const [r, g, b] = [red, green, blue].map(value => {
    const part = value / 255;
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const ground = node => {
  for (; node; node = node.parentElement) {
    const color = channels(getComputedStyle(node).backgroundColor);
    if (color.length === 3 || color[3] === 1) return color;
  }
  return [255, 255, 255];
};
const found = [];
for (const node of document.querySelectorAll("body *:not(svg *)")) {
  const own = [...node.childNodes].some(child => child.nodeType === 3 && child.data.trim());
  if (!own || !node.checkVisibility() || node.closest("svg")) continue;
  const pair = [channels(getComputedStyle(node).color), ground(node)].map(luminance);
  const ratio = (Math.max(...pair) + 0.05) / (Math.min(...pair) + 0.05);
  found.push([ratio, node.tagName, node.className, node.textContent.slice(0, 40)]);
}
return found.sort((one, other) => one[0] - other[0]);
"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("page", [hostile_walk, hostile_run])
def test_texts_stand_out_from_their_ground(show, scheme, page):
    found = show(page(), scheme=scheme).execute_script(CONTRASTS)
    assert len(found) > 50
    assert found[0][0] >= LEAST_CONTRAST, found[0]


def test_disputed_rows_stand_out_too(show):
    text = run_page([replace(EVENTS[4], disputed=7)])
    for scheme in ("light", "dark"):
        found = show(text, scheme=scheme).execute_script(CONTRASTS)
        assert found[0][0] >= LEAST_CONTRAST, found[0]


def test_dark_is_dark_and_light_is_light(show):
    script = "return getComputedStyle(document.body).backgroundColor.match(/[0-9]+/g).map(Number)"
    light = show(division(), scheme="light").execute_script(script)
    dark = show(division(), scheme="dark").execute_script(script)
    assert min(light) > 200
    assert max(dark) < 60


def long_run():
    return run_page([*ok_rows(200), *failing(1), *EVENTS[:3]])


@pytest.mark.parametrize("page", [long_run, division, hostile_walk])
def test_paper_has_no_buttons_and_cuts_no_table(show, page):
    shown = show(page(), width=720, scheme="dark", media="print")
    hidden = "return [...document.querySelectorAll('.tools, .copy + button')].every(node =>"
    assert shown.execute_script(f"{hidden} getComputedStyle(node).display === 'none')")
    cut = shown.execute_script(
        "return [...document.querySelectorAll('.scroll')].map(box =>"
        " [box.scrollHeight - box.clientHeight, box.scrollWidth - box.clientWidth])"
    )
    assert cut
    assert max(max(pair) for pair in cut) == 0
    ground = shown.execute_script("return getComputedStyle(document.body).backgroundColor")
    assert ground == "rgb(255, 255, 255)"
