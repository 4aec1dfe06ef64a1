"""Counts are the published ones (Chess Programming Wiki), whoever counts them."""

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from interrupted import interrupt

import perftkit
from perftkit import KIWIPETE, STARTPOS, Position, divide, perft
from perftkit.core import crew, exact, strict
from perftkit.core import perft as perft_module
from perftkit.core.crew import MOST_THREADS, Count, Crew, available_threads, thread_number
from perftkit.core.cutting import Part, cut, estimate
from perftkit.core.exact import MOST_MOVES, SAFE_DEPTH
from perftkit.core.perft import METHODS, count_moves_apart
from perftkit.errors import DisagreementError

MOST_MOVES_KNOWN = "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1"  # 218, Petrović 1964
POSITION_4 = "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1"
COUNTS = ("captures", "en_passant", "castles", "promotions", "checks", "checkmates")
PUBLISHED = [
    (STARTPOS, 4, 197281, 1576, 0, 0, 0, 469, 8),
    (KIWIPETE, 3, 97862, 17102, 45, 3162, 0, 993, 1),
    (POSITION_4, 4, 422333, 131393, 0, 7795, 60032, 15492, 5),
    # A finished game: stalemate.
    ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 9, 0, 0, 0, 0, 0, 0, 0),
]


def collect(children, found):
    for move, result in children:
        found[move] = result


def workers():
    return sum(thread.name == "perftkit" for thread in threading.enumerate())


@pytest.fixture
def busy(monkeypatch):
    """Makes any work enough for several threads, and any part large enough to be cut."""
    monkeypatch.setattr(perft_module, "WORTH_THREADS", 0)
    monkeypatch.setattr(crew, "LEAST_PART", 1)
    monkeypatch.setattr("perftkit.core.cutting.LEAST_DEPTH", 1)


@pytest.mark.usefixtures("busy")
@pytest.mark.parametrize("threads", [1, 2, 5])
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("row", PUBLISHED, ids=lambda row: row[0].split()[0])
def test_published_counts_on_any_number_of_threads(row, method, threads):
    fen, depth, nodes, *published = row
    result = perft(fen, depth, method=method, threads=threads)
    assert (result.depth, result.nodes) == (depth, nodes)
    assert [result.counts[name] for name in COUNTS] == published
    assert perft(fen, depth, method=method, threads=threads, breakdown=False).nodes == nodes
    children = divide(fen, depth, method=method, threads=threads)
    assert list(children) == sorted(children)
    assert sum(child.nodes for child in children.values()) == nodes
    for name, count in zip(COUNTS, published, strict=True):
        assert sum(child.counts[name] for child in children.values()) == count
    assert workers() == 0


def test_work_that_is_worth_it():
    result = perft(KIWIPETE, 5, threads=2)
    assert (result.nodes, result.counts["checkmates"]) == (193690690, 30171)
    assert sum(child.nodes for child in divide(KIWIPETE, 5, threads=2).values()) == 193690690


def test_small_work_starts_no_thread(monkeypatch):
    monkeypatch.setattr(crew, "Thread", None)
    assert perft(KIWIPETE, 3, threads=2).nodes == 97862
    assert sum(child.nodes for child in divide(KIWIPETE, 3, threads=2).values()) == 97862


def test_divide_is_what_the_strict_walker_finds_below_each_move(busy):
    found = divide(KIWIPETE, 3, threads=3)
    for move, nodes, counts in strict.count_moves_apart(Position(KIWIPETE), 3):
        assert (found[move.uci()].nodes, found[move.uci()].counts) == (nodes, counts)
        assert found[move.uci()].depth == 3


def test_the_position_stays_as_it_is(busy):
    position = Position(KIWIPETE)
    position.push("e1g1")
    before = position.fen(), position.key
    perft(position, 3, threads=2)
    divide(position, 3, threads=2)
    assert (position.fen(), position.key) == before
    assert position.pop().uci() == "e1g1"


# Cutting


@pytest.mark.parametrize("wanted", [2, 21, 64, 300])
@pytest.mark.parametrize(("fen", "nodes"), [(STARTPOS, 4865609), (KIWIPETE, 193690690)])
def test_parts_add_up_and_come_largest_first(fen, nodes, wanted):
    position = Position(fen)
    parts = cut(Part(position, 5, estimate(position, 5)), wanted)
    assert wanted <= len(parts) < wanted + 218
    assert sum(perft(part.position, part.depth, breakdown=False).nodes for part in parts) == nodes
    assert parts == sorted(parts, key=lambda part: -part.leaves)


def test_what_is_too_small_is_not_cut():
    position = Position()
    assert len(cut(Part(position, 4, 1.0), 1000)) == 20
    assert len(cut(Part(position, 3, 1.0), 1000)) == 1


# Exact sums


def test_no_tree_of_the_safe_depth_can_pass_64_bits():
    header = Path(perftkit.__file__).with_name("core") / "movegen.pxd"
    assert f"    MAX_MOVES = {MOST_MOVES}\n" in header.read_text()
    assert MOST_MOVES**SAFE_DEPTH < 2**64
    assert len(Position(MOST_MOVES_KNOWN).legal_moves()) == 218 < MOST_MOVES


@pytest.mark.usefixtures("busy")
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("safe", [1, 2, 3])
def test_cutting_above_the_safe_depth_changes_nothing(monkeypatch, safe, threads):
    monkeypatch.setattr(exact, "SAFE_DEPTH", safe)
    for fen, depth, nodes, *published in PUBLISHED:
        result = perft(fen, depth, method="both", threads=threads)
        assert result.nodes == nodes
        assert [result.counts[name] for name in COUNTS] == published
        assert perft(fen, depth, threads=threads, breakdown=False).nodes == nodes


@pytest.mark.usefixtures("busy")
@pytest.mark.parametrize("threads", [1, 2, 5])
@pytest.mark.parametrize("method", METHODS)
def test_sums_pass_2_to_the_64(monkeypatch, method, threads):
    # Each leaf stands for 2**52: what one call finds just fits in 64 bits, and their sum does not.
    walk = exact._walk

    def multiplied(position, depth, *more):
        nodes, counts = walk(position, depth, *more)
        assert depth <= 2
        assert nodes << 52 < 2**64
        return nodes << 52, {name: count << 52 for name, count in counts.items()}

    monkeypatch.setattr(exact, "_walk", multiplied)
    monkeypatch.setattr(exact, "SAFE_DEPTH", 2)
    result = perft(KIWIPETE, 4, method=method, threads=threads)
    assert result.nodes == 4085603 << 52 > 2**64
    assert result.counts["captures"] == 757163 << 52 > 2**64
    children = divide(KIWIPETE, 4, method=method, threads=threads)
    assert sum(child.nodes for child in children.values()) == 4085603 << 52


# What goes wrong


@pytest.mark.parametrize("threads", [-1, MOST_THREADS + 1, True, 1.0, "2"])
def test_a_number_of_threads_is_a_small_integer(threads):
    with pytest.raises(ValueError, match="from 0 to 1024"):
        perft(STARTPOS, 1, threads=threads)
    with pytest.raises(ValueError, match="from 0 to 1024"):
        divide(STARTPOS, 1, threads=threads)


def test_all_threads_are_those_that_the_process_may_use():
    allowed = available_threads()
    assert thread_number(None) == thread_number(0) == allowed
    assert thread_number(3) == 3
    if hasattr(os, "sched_getaffinity"):
        code = "import os; os.sched_setaffinity(0, {min(os.sched_getaffinity(0))}); "
        code += "from perftkit.core.crew import available_threads; print(available_threads())"
        found = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
        assert found.stdout == b"1\n"


@pytest.mark.usefixtures("busy")
def test_what_fails_on_a_thread_fails_here(monkeypatch):
    def broken(*_, **__):
        raise MemoryError("none left")

    monkeypatch.setattr(crew, "count_exactly", broken)
    with pytest.raises(MemoryError, match="none left"):
        perft(STARTPOS, 4, threads=2)
    assert workers() == 0


@pytest.mark.usefixtures("busy")
def test_a_disagreement_is_the_same_on_any_number_of_threads(monkeypatch):
    walk = exact._walk

    def wrong(position, depth, walker, *more):
        nodes, counts = walk(position, depth, walker, *more)
        return nodes + (nodes if walker == exact.STRICT else 0), counts

    monkeypatch.setattr(exact, "_walk", wrong)
    messages = set()
    for threads in (1, 2, 5):
        with pytest.raises(DisagreementError) as caught:
            perft(STARTPOS, 3, method="both", threads=threads)
        messages.add(str(caught.value))
    (message,) = messages
    assert f"depth 3 of {STARTPOS}: fast nodes=8902 " in message
    assert "strict nodes=17804 " in message


def test_leaving_a_crew_ends_its_threads():
    with Crew(3) as several:
        count = several.start(Position(), 12, ("fast",))
        assert not count.is_finished()
        assert workers() == 3
    assert workers() == 0
    assert not count.is_finished()


@pytest.mark.usefixtures("busy")
def test_moves_that_were_finished_before_ctrl_c_come_first(monkeypatch):
    advances = Count.advances
    waited = []

    def interrupted(self):
        waited.append(self)
        if len(waited) == 3:
            raise KeyboardInterrupt
        return advances(self)

    monkeypatch.setattr(Count, "advances", interrupted)
    found = {}
    with Crew(2) as several, pytest.raises(KeyboardInterrupt):
        collect(count_moves_apart(Position(), 4, "fast", several), found)
    monkeypatch.undo()
    assert len(found) >= 2
    expected = divide(STARTPOS, 4)
    assert list(found)[:2] == list(expected)[:2]
    assert all(result.nodes == expected[move].nodes for move, result in found.items())
    assert workers() == 0


INTERRUPTED = """
import threading, time
from perftkit import KIWIPETE, Position, divide, perft

position = Position(KIWIPETE)
print("counting", flush=True)
try:
    {count}(position, {depth}, method={method!r}, threads={threads})
except KeyboardInterrupt:
    stopped = time.monotonic()
print(stopped, threading.active_count(), perft(position, 5, threads=2).nodes)
"""


def seconds_to_stop(**words):
    """How long after Ctrl-C a count ends."""
    seconds, printed = interrupt(INTERRUPTED.format(**words), after=0.3)
    assert printed == ["1", "193690690"]
    return seconds


@pytest.mark.skipif(sys.platform == "win32", reason="Windows sends Ctrl-C to a whole console")
@pytest.mark.parametrize("depth", [7, 64])
@pytest.mark.parametrize("method", ["fast", "both"])
@pytest.mark.parametrize("count", ["perft", "divide"])
def test_ctrl_c_stops_all_threads_within_a_fifth_of_a_second(count, method, depth):
    # One of three will do: a busy machine may hold up either process.
    words = {"count": count, "method": method, "depth": depth}
    assert any(seconds_to_stop(threads=threads, **words) < 0.2 for threads in (2, 3, 2))
