import re

import pytest

from perftkit import KIWIPETE, STARTPOS

ESCAPE = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
TIME = re.compile(r" *[0-9.]+ s$| in [0-9.:]+ s.*$")

AT_80 = """\
        position             depth         nodes    captures     checks     time
ok      start                    1            20           0          0 TIME
ok      start                    2           400           0          0 TIME
ok      kiwipete                 1            48           8          0 TIME
differs kiwipete                 3        97,862      17,102        993 TIME
  in wrong.epd:2
  nodes       expected          97,817  got          97,862  difference +45
  captures    expected          17,057  got          17,102  difference +45
  e.p.        expected               0  got              45  difference +45
  hint: the expected number is short by exactly the 45 en passant captures,
        like one of a generator that never makes them
  look closer: perftkit divide "KIWIPETE" --depth 3
differs start-again              1            20           0          0 TIME
  in wrong.epd:3
  nodes       expected              21  got              20  difference -1
  hint: only nodes are known here: the counts under each move show where to
        look (divide)
  look closer: perftkit divide "STARTPOS" --depth 1

3 positions, 5 rows: 3 ok, 2 differ
98,350 nodes TIME
"""

AT_160 = """\
        position                depth         nodes    captures    e.p.    castles promotions\
     checks   disc.  double     mates disc.mates dbl.mates     time
ok      start                       1            20           0       0          0          0\
          0       0       0         0          0         0 TIME
ok      start                       2           400           0       0          0          0\
          0       0       0         0          0         0 TIME
"""


def normalised(text):
    """Without colours, and with times and positions named."""
    text = ESCAPE.sub("", text).replace(STARTPOS, "STARTPOS").replace(KIWIPETE, "KIWIPETE")
    return "".join(TIME.sub(" TIME", line) + "\n" for line in text.splitlines())


def test_80_columns(terminal, wrong):
    shown = terminal("run", wrong.name, columns=80)
    assert shown.status == 1
    assert normalised(shown.text) == AT_80


def test_80_columns_are_kept(terminal, good):
    shown = terminal("run", good, columns=80)
    assert max(len(line) for line in ESCAPE.sub("", shown.text).splitlines()) <= 80


def test_160_columns(terminal, good):
    shown = terminal("run", good, columns=160)
    assert normalised(shown.text).startswith(AT_160)
    assert max(len(line) for line in ESCAPE.sub("", shown.text).splitlines()) <= 160


def test_differences_are_red_and_the_rest_is_not(terminal, wrong):
    lines = terminal("run", wrong).text.splitlines()
    differs = next(line for line in lines if "differs" in line and "kiwipete" in line)
    assert "\x1b[1;31m97,862\x1b[0m" in differs
    agrees = next(line for line in lines if line.startswith("\x1b[32mok"))
    assert "31m" not in agrees


def test_long_names_are_cut_on_a_terminal_alone(terminal, process, tmp_path):
    name = "a-name-that-is-much-longer-than-its-column-can-hold"
    (tmp_path / "long.epd").write_text(f'{STARTPOS} ;D1 20 ;id "{name}"\n')
    assert name not in terminal("run", "long.epd").text
    assert name in process("run", "long.epd").stdout.decode()


def test_the_bar_is_drawn_and_erased(terminal):
    # The slow method takes longer than the bar's delay; nothing is left of it at the end.
    shown = terminal("divide", "--depth", 6, "--method", "strict")
    assert shown.status == 0
    assert re.search(r"\d+% .*/20 moves .*n/s .*left", ESCAPE.sub("", shown.text))
    assert "\r\x1b[2K" in shown.text
    after = shown.text[shown.text.rindex("\r\x1b[2K") :]
    assert "moves  " not in after


@pytest.mark.parametrize("env", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_no_colour_when_told_by_the_environment(terminal, wrong, env):
    shown = terminal("run", wrong.name, env=env)
    assert "\x1b" not in shown.text
    assert normalised(shown.text) == AT_80


def test_an_option_is_stronger_than_the_environment(terminal, process, good):
    assert "\x1b" in terminal("run", good, "--color", env={"NO_COLOR": "1"}).text
    assert "\x1b" not in terminal("run", good, "--no-color", env={"FORCE_COLOR": "1"}).text
    assert "\x1b" not in terminal("--no-color", "run", good).text
    assert b"\x1b" in process("run", good, "--color").stdout


def test_colour_can_be_forced_without_a_terminal(process, good):
    assert b"\x1b[" in process("run", good, env={"FORCE_COLOR": "1"}).stdout
    assert b"\x1b" not in process("run", good, env={"FORCE_COLOR": "1", "NO_COLOR": "1"}).stdout


def test_without_a_terminal_all_is_plain(process, wrong):
    result = process("run", wrong.name)
    assert result.stderr == b""
    assert normalised(result.stdout.decode()) == AT_80
    assert b"\x1b" not in result.stdout


@pytest.mark.parametrize("env", [{"LC_ALL": "C"}, {"PYTHONIOENCODING": "ascii"}])
@pytest.mark.parametrize("args", [("show", "kiwipete"), ("divide", "--depth", 6), ("run",)])
def test_an_ascii_terminal_gets_ascii(terminal, env, args):
    shown = terminal(*args, env=env)
    assert shown.status == 0
    assert shown.text.isascii()


def test_an_ascii_pipe_gets_ascii(process, tmp_path):
    (tmp_path / "name.epd").write_text(f'{STARTPOS} ;D1 20 ;id "é♔"\n')
    result = process("run", "name.epd", env={"PYTHONIOENCODING": "ascii"})
    assert result.returncode == 0
    assert b"\\xe9\\u2654" in result.stdout


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("run", "bad.epd"), b"such as 8/8/..., a line"),
        (("suite", "lint", "bad.epd"), b"such as 8/8/..., a line"),
        (("run", "n\xe9.epd"), b"n\\xe9.epd: there is no such file"),
        (("run", "--engine", "./n\xe9"), b"there is no program './n\\xe9'"),
    ],
)
def test_an_ascii_pipe_gets_messages_in_ascii(process, tmp_path, args, said):
    (tmp_path / "bad.epd").write_text("hello\n")
    result = process(*args, env={"PYTHONIOENCODING": "ascii"})
    text = result.stdout + result.stderr
    assert result.returncode in (2, 3)
    assert said in text
    assert text.isascii()


def test_columns_of_the_environment(process, good):
    assert b"dbl.mates" in process("run", good, env={"COLUMNS": "160"}).stdout
    narrow = process("run", good, env={"COLUMNS": "40"}).stdout.decode()
    assert "8,902" in narrow
    assert "captures" not in narrow


def test_no_bar_over_a_pager(terminal_and_pipe):
    shown = terminal_and_pipe("divide", "--depth", 6)
    assert shown.status == 0
    assert shown.text == ""
