import io

import pytest

from perftkit import Position
from perftkit.report.board import write_position
from perftkit.report.console import Terminal
from perftkit.report.layout import COUNTER_COLUMNS, Column, Layout, choose_counters, line
from perftkit.report.progress import ProgressBar
from perftkit.suite.model import SHORT_NAMES


class Screen(io.StringIO):
    encoding = "utf-8"

    def isatty(self):
        return True


def screen(**environ):
    return Terminal(Screen(), environ={"TERM": "xterm", "COLUMNS": "80", **environ})


@pytest.mark.parametrize(
    ("environ", "color", "expected"),
    [
        ({}, None, True),
        ({"NO_COLOR": "1"}, None, False),
        ({"NO_COLOR": ""}, None, True),
        ({"NO_COLOR": "1", "FORCE_COLOR": "1"}, None, False),
        ({"NO_COLOR": "1"}, True, True),
        ({"FORCE_COLOR": "1"}, False, False),
        ({"TERM": "dumb"}, None, False),
        ({"TERM": "dumb", "FORCE_COLOR": "1"}, None, True),
    ],
)
def test_who_decides_about_colour(environ, color, expected):
    terminal = Terminal(Screen(), color=color, environ={"TERM": "xterm", **environ})
    assert terminal.color is expected
    terminal.write(("x", "red"))
    assert ("\x1b[" in terminal.stream.getvalue()) is expected


@pytest.mark.parametrize("color", [True, False])
def test_nothing_in_a_text_is_obeyed(color):
    terminal = Terminal(Screen(), color=color, environ={"TERM": "xterm"})
    terminal.write("[red]x[/red] :smile: \x1b[5m", ("\x1b]0;t\x07", "bold"))
    text = terminal.stream.getvalue()
    assert "[red]x[/red] :smile: \\x1b[5m" in text
    assert "\x1b[5m" not in text
    assert "\x07" not in text


@pytest.mark.parametrize(("columns", "width"), [("120", 120), ("0", 80), ("x", 80), ("", 80)])
def test_width(columns, width):
    assert Terminal(io.StringIO(), environ={"COLUMNS": columns}).width == width


def test_unicode_depends_on_encoding_and_locale():
    stream = Screen()
    assert Terminal(stream, environ={}).unicode
    assert not Terminal(stream, environ={"LC_ALL": "C"}).unicode
    assert Terminal(stream, environ={"LC_ALL": "C", "PYTHONIOENCODING": "utf-8"}).unicode
    stream.encoding = "ascii"
    assert not Terminal(stream, environ={}).unicode


def test_columns_are_chosen_by_use_and_stand_in_order():
    known = tuple(SHORT_NAMES)
    assert choose_counters(0, known) == ()
    assert choose_counters(12, known) == ("captures",)
    assert choose_counters(24, known) == ("captures", "checks")
    assert choose_counters(1000, known) == known
    assert sum(COUNTER_COLUMNS[name].width + 1 for name in known) <= 160


def test_a_cell_that_is_too_long_pushes_the_rest():
    columns = [Column("a", 3, left=True), Column("b", 3)]
    texts = [span if isinstance(span, str) else span[0] for span in line(columns, "xy", ["", ""])]
    assert "".join(texts) == "x     y"
    texts = [
        span if isinstance(span, str) else span[0]
        for span in line(columns, ["long", "1234"], ["", ""])
    ]
    assert "".join(texts) == "long 1234"


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


def test_a_bar_with_known_work():
    terminal, clock = screen(NO_COLOR="1"), Clock()
    bar = ProgressBar(terminal, rows=10, nodes=4_000_000, clock=clock)
    bar.advance(nodes=10, rows=1)
    assert terminal.stream.getvalue() == ""  # too early
    clock.now = 1.0
    bar.advance(nodes=999_990, rows=1)
    text = terminal.stream.getvalue()
    assert text == "━" * 6 + "─" * 18 + "  25%  2/10 rows  1 Mn/s  3.000 s left"
    bar.hide()
    bar.hide()
    assert terminal.stream.getvalue() == text + "\r\x1b[2K"


def test_a_bar_without_known_work():
    terminal, clock = screen(NO_COLOR="1"), Clock()
    bar = ProgressBar(terminal, clock=clock)
    clock.now = 2.0
    bar.advance(nodes=3000, rows=7)
    assert terminal.stream.getvalue() == "7 rows  1.5 kn/s"


@pytest.mark.parametrize("columns", [5, 20, 40, 41, 42, 43, 44, 50, 60, 80, 200])
def test_a_bar_never_reaches_the_last_column(columns):
    terminal, clock = screen(NO_COLOR="1", COLUMNS=str(columns)), Clock()
    bar = ProgressBar(terminal, rows=10, nodes=4_000_000, clock=clock)
    clock.now = 1.0
    bar.advance(nodes=2_000_000, rows=5)
    assert len(terminal.stream.getvalue()) < columns


def test_a_bar_is_drawn_ten_times_a_second():
    terminal, clock = screen(NO_COLOR="1"), Clock()
    bar = ProgressBar(terminal, clock=clock)
    for step in range(1000):
        clock.now = step / 1000
        bar.advance(rows=1)
    assert terminal.stream.getvalue().count("rows") in (7, 8)


BOARD = """\
 8  .  .  .  .  r! .  k  .
 7  .  .  .  .  .  .  .  .
 6  .  .  .  .  .  .  .  .
 5  b  .  .  .  .  .  .  .
 4  .  .  .  .  .  .  .  .
 3  .  .  B+ .  .  .  .  .
 2  .  .  .  .  .  .  .  .
 1  .  .  .  .  K  .  .  .
    a  b  c  d  e  f  g  h
"""


def test_a_board_without_colour():
    terminal = screen(NO_COLOR="1")
    position = Position("4r1k1/8/8/b7/8/2B5/8/4K3 w - - 0 1")
    write_position(terminal, position, ascii_only=True)
    assert terminal.stream.getvalue().startswith(BOARD)


def test_a_board_in_colour_marks_by_ground_too():
    terminal = screen()
    write_position(terminal, Position("4r1k1/8/8/b7/8/2B5/8/4K3 w - - 0 1"))
    text = terminal.stream.getvalue()
    assert "\x1b[30;41m ♜!" in text
    assert "\x1b[1;97;45m ♝+" in text


TABLE = (
    Column("name", 10, left=True, fair=8, least=3),
    Column("number", 9, least=5),
    Column("time", 6, spare=1),
    Column("speed", 6, spare=2),
)


@pytest.mark.parametrize(
    ("width", "widths"),
    [
        (99, [10, 9, 6, 6]),
        (34, [10, 9, 6, 6]),
        (33, [9, 9, 6, 6]),
        (32, [8, 9, 6, 6]),
        (31, [10, 9, 6]),  # the name is rather kept than the speed
        (25, [8, 9, 6]),
        (24, [10, 9]),
        (18, [8, 9]),
        (14, [6, 7]),
        (9, [3, 5]),
        (1, [3, 5]),  # nothing more can be done
    ],
)
def test_columns_that_fit(width, widths):
    layout = Layout(TABLE, width)
    assert [column.width for column in layout.columns] == widths
    text = "".join(span if isinstance(span, str) else span[0] for span in layout.head("bold"))
    assert len(text) <= max(width, 9)


def test_cells_of_columns_that_are_left_out_are_left_out_too():
    layout = Layout(TABLE, 18)
    cells = ["a", "1", "2 s", "3 n/s"]
    assert (
        "".join(span if isinstance(span, str) else span[0] for span in layout.line(cells, [""] * 4))
        == "a                1"
    )
    assert layout.line(cells[:1], [""]) == ["", ("a", ""), ""]


def test_columns_of_one_rank_are_left_out_together():
    pair = [Column("ratio", 5), Column("least-most", 10, spare=1)]
    assert [one.title for one in Layout([*pair, *pair], 20).columns] == ["ratio", "ratio"]
