from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from importlib import import_module

import pytest
from suite_positions import SUITES, sample

from perftkit import KIWIPETE, STARTPOS, Position, divide, perft
from perftkit.core import memory, strict
from perftkit.core.counts import COUNTERS
from perftkit.core.hashing import count_with_table
from perftkit.core.kernel import available_kernels, kernel
from perftkit.core.perft import BOTH, STRICT
from perftkit.core.table import SCHEMES, HashTable, pack_entry, unpack_entry
from perftkit.errors import DepthError, HashTableError
from perftkit.suite.convention import comparable

schemes = pytest.mark.parametrize("scheme", SCHEMES)

# Rows of the embedded suite, which has them from the Chess Programming Wiki, that fill a table of
# 1 MB many times over.
LARGE = {
    "startpos": 6,
    "kiwipete": 5,
    "position-3-rook-endgame-ep-pins": 6,
    "position-4-castling-and-promotions": 5,
}


def given(row, depth):
    return next(given for given in row.expectations if given.depth == depth)


def large_rows():
    return [(row, LARGE[row.id]) for row in SUITES["perft_positions"] if row.id in LARGE]


def assert_as_given(row, depth, nodes, counts):
    known = given(row, depth)
    assert (row.id, nodes) == (row.id, known.nodes)
    expected, counted = comparable(known.counts, counts, row_convention=row.convention)
    assert (row.id, expected) == (row.id, {name: counted[name] for name in expected})


@schemes
def test_a_small_table_that_must_replace_counts_as_the_suite_says(scheme):
    table = HashTable(1, scheme)
    assert len(large_rows()) == len(LARGE)
    for row, depth in large_rows():
        result = perft(row.fen, depth, table=table)
        assert_as_given(row, depth, result.nodes, result.counts)
        assert perft(row.fen, depth, breakdown=False, table=table).nodes == result.nodes
    use = table.statistics
    # More than a table of 1 MB can hold of the larger entries.
    assert use["stores"] > 1 << 14
    assert 0 < use["hits"] < use["lookups"]
    assert (use["kept"] > 0) == (scheme != "always")


@pytest.mark.parametrize("name", SUITES)
def test_one_table_for_all_positions_of_a_suite_up_to_50_000_nodes(name):
    table = HashTable(4)
    for row in SUITES[name]:
        wanted = [given for given in row.expectations if given.nodes <= 50_000]
        if not wanted:
            continue
        depth = wanted[-1].depth
        for _ in range(2):
            result = perft(row.fen, depth, chess960=row.chess960, table=table)
            assert_as_given(row, depth, result.nodes, result.counts)
            nodes = perft(row.fen, depth, chess960=row.chess960, breakdown=False, table=table).nodes
            assert nodes == result.nodes


@pytest.mark.parametrize("name", available_kernels())
def test_every_kernel_counts_with_a_table(name):
    module = import_module(f"perftkit.core.fast_{'v3' if name == 'x86-64-v3' else name}")
    for row in sample(120):
        position = Position(row.fen, chess960=row.chess960)
        table = HashTable(1)
        for depth in (1, 2, 3, 3):
            nodes, counts = strict.count(position, depth)
            assert module.count(position, depth, table=table) == (nodes, counts)
            assert module.count_nodes(position, depth, table=table) == nodes


@pytest.mark.parametrize("breakdown", [True, False])
def test_positions_are_told_apart_as_fide_does(breakdown):
    # OEIS A083276: 1, 20, 400, 5362 different positions after 0 to 3 plies, of 8902 paths. Each
    # is looked up with the plies that are left, and stored once.
    run = count_with_table(STARTPOS, 5, megabytes=16, breakdown=breakdown)
    assert run.nodes == 4865609
    assert run.statistics["lookups"] == 1 + 20 + 400 + 8902
    assert run.statistics["stores"] == 1 + 20 + 400 + 5362
    assert run.statistics["hits"] == 8902 - 5362
    assert run.hit_rate == pytest.approx(0.3797, abs=1e-4)


# Groups of positions that differ in one thing only: side to move, rights, en passant, and a
# castling rook of Chess960. Their counts are the strict walker's.
ALIKE = [
    ("r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 1", False),
    ("r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq - 0 1", False),
    ("r3k2r/8/8/3pP3/8/8/8/R3K2R b KQkq - 0 1", False),
    ("r3k2r/8/8/3pP3/8/8/8/R3K2R w KQk - 0 1", False),
    ("r3k2r/8/8/3pP3/8/8/8/R3K2R w Qkq - 0 1", False),
    ("r3k2r/8/8/3pP3/8/8/8/R3K2R w - - 0 1", False),
    ("4k3/8/8/8/8/8/8/1K3RR1 w F - 0 1", True),
    ("4k3/8/8/8/8/8/8/1K3RR1 w G - 0 1", True),
    ("4k3/8/8/8/8/8/8/1K3RR1 w - - 0 1", True),
]


def test_what_differs_little_is_not_taken_for_the_same():
    table = HashTable(4)
    for fen, chess960 in ALIKE:
        for depth in (2, 3, 4):
            result = perft(fen, depth, chess960=chess960, table=table)
            expected = strict.count(Position(fen, chess960=chess960), depth)
            assert (fen, depth, result.nodes, result.counts) == (fen, depth, *expected)


def test_a_second_count_is_one_look_up():
    table = HashTable(4)
    first = perft(KIWIPETE, 4, table=table)
    before = table.statistics
    second = perft(KIWIPETE, 4, table=table)
    assert (second.nodes, second.counts) == (first.nodes, first.counts)
    assert table.statistics["lookups"] == before["lookups"] + 1
    assert table.statistics["hits"] == before["hits"] + 1
    table.clear()
    assert set(table.statistics.values()) == {0}
    perft(KIWIPETE, 4, table=table)
    assert table.statistics == before


def test_divide_uses_a_table_too():
    table = HashTable(4)
    plain = divide(KIWIPETE, 4)
    hashed = divide(KIWIPETE, 4, table=table)
    assert table.statistics["hits"] > 0
    assert {move: (r.nodes, r.counts) for move, r in hashed.items()} == {
        move: (r.nodes, r.counts) for move, r in plain.items()
    }


@schemes
def test_threads_share_a_table(scheme):
    table = HashTable(1, scheme)
    rows = large_rows()
    found = []

    def work(row, depth, breakdown):
        found.append((row, depth, perft(row.fen, depth, breakdown=breakdown, table=table)))

    threads = [
        threading.Thread(target=work, args=(row, depth, breakdown))
        for row, depth in rows[:2]
        for breakdown in (True, False, True)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == len(threads)
    for row, depth, result in found:
        assert result.nodes == given(row, depth).nodes
        if result.counts:
            assert_as_given(row, depth, result.nodes, result.counts)
    use = table.statistics
    assert 0 < use["hits"] < use["lookups"]


@pytest.mark.parametrize("breakdown", [True, False])
def test_comparing_keys_is_what_keeps_counts_right(breakdown):
    right = 119060324  # OEIS A048987
    table = HashTable(1)
    table._compare_only(4)
    assert perft(STARTPOS, 6, breakdown=breakdown, table=table).nodes != right
    table = HashTable(1)
    table._compare_only(64)
    assert perft(STARTPOS, 6, breakdown=breakdown, table=table).nodes == right


# Entries with every counter, in the order of the struct of the core.

SMALL = [400, 30, 1, 2, 3, 4, 50, 6, 7, 8, 1, 2]
OTHER = [401, 29, 1, 3, 2, 5, 49, 7, 6, 9, 2, 1]
LARGEST = [(1 << bits) - 1 for bits in (48, 48, 32, 32, 32, 36, 36, 32, 36, 28, 28, 28)]
PLACE, CHECK = 0x0123456789ABCDEF, 0xFEDCBA9876543210


@pytest.mark.parametrize("counts", [SMALL, OTHER, LARGEST, [0] * 12])
@pytest.mark.parametrize("depth", [2, 8, 64])
def test_an_entry_gives_back_what_it_was_given(counts, depth):
    words = pack_entry(PLACE, CHECK, depth, counts)
    assert unpack_entry(PLACE, CHECK, words) == counts


@pytest.mark.parametrize("index", range(12))
def test_a_subtree_whose_counters_do_not_fit_has_no_entry(index):
    counts = list(SMALL)
    counts[index] = LARGEST[index] + 1
    assert pack_entry(PLACE, CHECK, 7, counts) is None


@pytest.mark.parametrize("bit", [*range(28), *range(64, 128)])
def test_an_entry_is_not_that_of_another_key(bit):
    # Of the first half of the key the highest bits say where in the table, the lowest 28 are
    # compared; of the other half all are.
    words = pack_entry(PLACE, CHECK, 3, SMALL)
    place = PLACE ^ (1 << bit if bit < 64 else 0)
    check = CHECK ^ (1 << bit - 64 if bit >= 64 else 0)
    assert unpack_entry(place, check, words) is None


def test_a_torn_entry_is_no_entry():
    mine = pack_entry(PLACE, CHECK, 3, SMALL)
    theirs = pack_entry(PLACE ^ 0xFFF0FF, CHECK ^ 0x55, 3, OTHER)
    for torn in range(1, 255):
        words = [(theirs if torn >> index & 1 else mine)[index] for index in range(8)]
        for place, check in ((PLACE, CHECK), (PLACE ^ 0xFFF0FF, CHECK ^ 0x55)):
            assert unpack_entry(place, check, words) is None
    # Where only counters are torn, their multiples must differ, not just their bits.
    swapped = [*mine[:3], mine[4], mine[3], *mine[5:]]
    assert unpack_entry(PLACE, CHECK, swapped) is None


def test_a_sum_that_passes_2_to_the_64_does_not_wrap():
    # Two kings have more than 3 moves each, and 3**64 leaves are too many.
    with pytest.raises(OverflowError):
        kernel().count_nodes(Position("k7/8/8/8/8/8/8/7K w - - 0 1"), 64, table=HashTable(1))


# What is refused


@pytest.mark.parametrize("megabytes", [0, -1, 1.5, "64", True, None])
def test_the_size_is_a_number_of_megabytes(megabytes):
    with pytest.raises(HashTableError, match="a number of megabytes from 1 on, not"):
        HashTable(megabytes)


def test_an_unknown_scheme_is_refused():
    with pytest.raises(HashTableError, match="'clever': expected one of two-slot, always, deeper"):
        HashTable(1, "clever")


@pytest.mark.parametrize("megabytes", [10**7, 10**30])
def test_a_table_larger_than_memory_is_refused(megabytes):
    with pytest.raises(HashTableError, match=f"no memory for a hash table of {megabytes} MB"):
        HashTable(megabytes)


LIMITED = """
import resource
from perftkit.core.table import HashTable
from perftkit.errors import HashTableError
resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
try:
    HashTable(1024)
except HashTableError as error:
    print(error)
HashTable(16)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="limits are kept on Linux only")
@pytest.mark.skipif("libasan" in os.environ.get("LD_PRELOAD", ""), reason="a sanitizer needs more")
def test_memory_that_the_system_refuses_is_a_clear_error():
    done = subprocess.run(
        [sys.executable, "-c", LIMITED], capture_output=True, text=True, timeout=60
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("there is no memory for a hash table of 1024 MB")


def test_free_memory_is_the_least_that_anybody_allows(tmp_path, monkeypatch):
    machine = tmp_path / "meminfo"
    machine.write_text("MemTotal: 9999999 kB\nMemAvailable:  2097152 kB\n", encoding="ascii")
    monkeypatch.setattr(memory, "_OF_THE_MACHINE", machine)
    monkeypatch.setattr(memory, "_OF_THE_CONTAINER", tmp_path)
    assert memory.free_megabytes() == 2048
    (tmp_path / "memory.current").write_text("1048576\n", encoding="ascii")
    (tmp_path / "memory.max").write_text("max\n", encoding="ascii")
    assert memory.free_megabytes() == 2048
    (tmp_path / "memory.max").write_text("68157440\n", encoding="ascii")
    assert memory.free_megabytes() == 64


def test_the_strict_method_uses_no_table():
    table = HashTable(1)
    for count in (perft, divide):
        with pytest.raises(HashTableError, match="strict"):
            count(STARTPOS, 3, method=STRICT, table=table)
    assert perft(STARTPOS, 3, method=BOTH, table=table).nodes == 8902
    assert table.statistics["lookups"] > 0


def test_a_measured_count_says_what_it_found():
    run = count_with_table(KIWIPETE, 4, megabytes=2, scheme="deeper")
    plain = perft(KIWIPETE, 4)
    assert (run.scheme, run.megabytes, run.bytes, run.depth) == ("deeper", 2, 2 << 20, 4)
    assert (run.nodes, run.counts) == (plain.nodes, plain.counts)
    assert list(run.counts) == list(COUNTERS)
    assert run.seconds > 0
    assert run.nps == int(run.nodes / run.seconds)
    with pytest.raises(DepthError):
        count_with_table(KIWIPETE, 65, megabytes=1)


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timer to interrupt by")
def test_ctrl_c_stops_a_count_with_a_table_and_leaves_the_table_right():
    def interrupt(signum, frame):
        raise KeyboardInterrupt

    table = HashTable(1)
    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 0.2)
    try:
        with pytest.raises(KeyboardInterrupt):
            perft(KIWIPETE, 64, table=table)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert table.statistics["lookups"] > 0
    for row, depth in large_rows()[:2]:
        result = perft(row.fen, depth - 1, table=table)
        assert_as_given(row, depth - 1, result.nodes, result.counts)
