from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from programs import HAS_PROC, hostile_command, is_alive

from perftkit.engines import process
from perftkit.engines.process import EngineDiedError, EngineProcess, EngineTimeoutError
from perftkit.engines.text import plain, printable, quoted, without_options
from perftkit.errors import EngineError

PATIENCE = 10  # seconds for what takes milliseconds
ASK = """
import sys
from perftkit.engines.spec import open_engine
print("begins", flush=True)
open_engine(sys.argv[1])
"""


@pytest.fixture(params=["selectors", "threads"])
def started(request, monkeypatch):
    """Starts `sh -c TEXT`, with either way of reading pipes."""
    if request.param == "threads":
        monkeypatch.setattr(process, "_pipes", process._ThreadPipes)
    running = []

    def start(text):
        running.append(EngineProcess(["sh", "-c", text], name="it"))
        return running[-1]

    yield start
    for each in running:
        each.close()


def soon():
    return time.monotonic() + PATIENCE


def read_to_the_end(it, deadline=None):
    deadline = soon() if deadline is None else deadline
    while it.next_line(deadline) is not None:
        pass


def test_lines_of_both_streams(started):
    it = started("echo out; echo error >&2; printf 'no end'; cat")
    found = {it.next_line(soon()) for _ in range(2)}
    assert found == {("out", False), ("error", True)}
    assert it.next_line(soon(), 0.1) is None
    assert [line.text for line in it.unfinished()] == ["no end"]
    it.send("back")
    assert it.next_line(soon()) == ("back", False)


def test_the_last_line_needs_no_end(started):
    it = started("printf last")
    assert it.next_line(soon()) == ("last", False)
    with pytest.raises(EngineDiedError, match="it ended with exit status 0"):
        it.next_line(soon())


def test_a_line_without_end_is_cut(started):
    it = started("head -c 3000000 /dev/zero | tr '\\0' x; echo; echo next")
    assert len(it.next_line(soon()).text) == process.LONGEST_LINE
    assert it.next_line(soon()) == ("next", False)


def test_too_much_output_is_an_error(started, monkeypatch):
    monkeypatch.setattr(process, "MOST_OUTPUT", 1 << 20)
    it = started("yes")
    with pytest.raises(EngineError, match="printed more than 1 MB"):
        read_to_the_end(it)


def test_what_was_printed_before_is_thrown_away(started):
    it = started("echo old; read x; echo new; cat")
    time.sleep(0.2)
    it.discard()
    it.send("")
    assert it.next_line(soon()) == ("new", False)


def test_throwing_away_ends_even_if_the_program_does_not(started):
    started("yes").discard()


def test_a_deadline_and_a_silence(started):
    it = started("echo words; read line; sleep 60")
    it.asked = "the question"
    it.limit = 0.2
    assert it.next_line(soon()) == ("words", False)
    with pytest.raises(
        EngineTimeoutError, match=r"no answer within 0\.2 s to the question.*'words'"
    ):
        it.next_line(time.monotonic() + 0.2)
    it.asked = "another one"
    with pytest.raises(EngineTimeoutError, match="to another one; it printed nothing since"):
        it.next_line(time.monotonic() + 0.2)


def test_the_deadline_holds_for_one_that_never_stops_printing(started):
    it = started("while :; do echo x; done")
    deadline = time.monotonic() + 0.5
    with pytest.raises(EngineTimeoutError):
        read_to_the_end(it, deadline)
    assert time.monotonic() < deadline + PATIENCE


def test_the_last_words_are_those_of_standard_error_and_harmless(started):
    it = started("echo out; printf 'bad \\033[31mred\\033[0m [bold]\\007\\n' >&2; exit 4")
    with pytest.raises(EngineDiedError) as caught:
        read_to_the_end(it)
    assert "ended with exit status 4" in str(caught.value)
    assert "its last words: 'bad red [bold]'" in str(caught.value)


def test_writing_to_one_that_is_gone(started):
    it = started("exit 5")
    time.sleep(0.3)
    with pytest.raises(EngineDiedError, match="exit status 5"):
        it.send("x" * 1_000_000)


def test_a_close_kills_the_whole_group(started, tmp_path):
    it = started(f"trap '' TERM INT HUP; sleep 600 & echo $$ $! >{tmp_path}/pids; echo ok; wait")
    it.next_line(soon())
    pids = [int(word) for word in (tmp_path / "pids").read_text().split()]
    assert all(map(is_alive, pids))
    start = time.monotonic()
    it.close("quit")
    it.close()
    assert time.monotonic() - start < PATIENCE
    wait_until_gone(pids)


def test_a_close_by_another_thread_ends_the_wait_though_the_pipe_stays_open(started):
    # What is in a session of its own is not killed, and holds the other end of the pipe.
    leave = (
        "import subprocess; print(subprocess.Popen(['sleep', '60'], start_new_session=True).pid)"
    )
    it = started(f'{sys.executable} -c "{leave}"; sleep 60')
    left = int(it.next_line(soon()).text)
    closer = threading.Timer(0.2, it.close)
    closer.start()
    start = time.monotonic()
    with pytest.raises(EngineDiedError):
        it.next_line(start + 60)
    assert time.monotonic() - start < PATIENCE
    closer.join()
    os.kill(left, signal.SIGKILL)


def test_a_farewell_lets_it_end_by_itself(started, tmp_path):
    it = started(f"read x; echo $x >{tmp_path}/said")
    it.close("quit")
    assert (tmp_path / "said").read_text() == "quit\n"


@pytest.mark.skipif(not HAS_PROC, reason="looks for processes in /proc")
def test_no_zombie_is_left(started):
    it = started("exit 0")
    pid = it._process.pid
    it.close()
    assert not Path(f"/proc/{pid}").exists()


def wait_until_gone(pids):
    end = time.monotonic() + PATIENCE
    while alive := [pid for pid in pids if is_alive(pid)]:
        assert time.monotonic() < end, f"still there: {alive}"
        time.sleep(0.02)


@pytest.mark.parametrize(
    "end", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL], ids=str
)
def test_nothing_is_left_behind_after_any_end(tmp_path, end):
    pids = tmp_path / "pids"
    running = subprocess.Popen(
        [sys.executable, "-c", ASK, f"uci:{hostile_command('undying')}"],
        env={**os.environ, "HOSTILE_PIDS": str(pids)},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    try:
        assert running.stdout.readline() == b"begins\n"
        until = time.monotonic() + PATIENCE
        while not (pids.exists() and pids.read_text().endswith("\n")):
            assert time.monotonic() < until
            time.sleep(0.02)
        found = [int(word) for word in pids.read_text().split()]
        assert all(map(is_alive, found))
        running.send_signal(end)
        running.wait(PATIENCE)
        wait_until_gone(found)
    finally:
        running.kill()
        running.stdout.close()
        running.wait()


def test_the_guard_forgets_groups_that_are_gone(tmp_path):
    others = [subprocess.Popen(["sleep", "600"], start_new_session=True) for _ in range(3)]
    try:
        told = "".join(f"+ {each.pid}\n" for each in others) + f"- {others[1].pid}\n"
        subprocess.run(
            ["/bin/sh", "-c", process.GUARD], input=told.encode(), check=False, timeout=PATIENCE
        )
        assert others[0].wait(PATIENCE) == -signal.SIGKILL
        assert others[2].wait(PATIENCE) == -signal.SIGKILL
        assert others[1].poll() is None
    finally:
        for each in others:
            each.kill()
            each.wait()


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[1;31mred\x1b[0m", "red"),
        ("\x1b]0;title\x07after", "after"),
        ("\x1b]8;;http://x\x1b\\link", "link"),
        ("\x9b31mred", "red"),
        ("bell\x07 back\x08 nul\x00", "bell back nul"),
        ("\u202eright to left", "right to left"),
        ("tab\tstays", "tab\tstays"),
        ("é µ ♞", "é µ ♞"),
    ],
)
def test_plain_text(text, shown):
    assert plain(text) == shown


def test_quotations_are_one_short_harmless_line():
    assert quoted("a\nb\x1b[31m c") == "'a b c'"
    assert len(quoted("x" * 5000)) < 210
    assert printable("a\x85b") == "a\\x85b"


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("it died", "it died"),
        ("write --engine 'sh x'", "write ENGINE='sh x'"),
        (
            "give --perft-command 'perft {depth}', or --total-pattern",
            "give perft-command = 'perft {depth}', or total-pattern; settings stand in the file"
            " that describes an engine, as [tool.perftkit.engines.NAME]",
        ),
        ("--perft-command2 is none", "--perft-command2 is none"),
    ],
)
def test_advice_without_options(message, expected):
    assert without_options(message, "ENGINE=") == expected
