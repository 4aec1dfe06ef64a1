"""Every shape that is listed for 54 real engines, as text written from the shape.

The numbers are made up, so that a parser that knows chess would not get further. Left out are the
entries that name no shape: 31 (an object whose text is not given), and of those without a number
the "nodes:D:MB:FEN" of one, which is a command.
"""

from __future__ import annotations

import re
import time
from dataclasses import dataclass, field

import pytest

from perftkit import STARTPOS, Position
from perftkit.engines.answers import answer_from
from perftkit.engines.parse import OutputParser, parse_output


@dataclass(frozen=True)
class Shape:
    """What an engine prints at depth 2, and what is to be understood."""

    text: str
    rows: tuple[tuple[str, int], ...] = ()
    total: int | None = None
    is_bare: bool = False
    counts: dict[str, int] = field(default_factory=dict)
    depth: int = 2


TWO = (("e2e4", 180), ("a7a8q", 220))
SHAPES = {
    "1 Stockfish": Shape(
        "Stockfish 15.1 by the Stockfish developers (see AUTHORS file)\n"
        "info string NNUE evaluation using nn-ad9b42354671.nnue enabled\n"
        "e2e4: 180\na7a8q: 220\nb1c3: 0\n\nNodes searched: 400\n\n",
        (*TWO, ("b1c3", 0)),
        400,
    ),
    "1 Stockfish, bench on standard error": Shape(
        "Position: 1/1 (rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 10)\n"
        "e2e4: 180\na7a8q: 220\n\nNodes searched: 400\n\n===========================\n"
        "Total time (ms) : 9\nNodes searched  : 400\nNodes/second    : 44444\n",
        TWO,
        400,
    ),
    "1 Stockfish, Chess960": Shape("e1h1: 180\nNodes searched: 180\n", (("e1h1", 180),), 180),
    "2 Fairy-Stockfish": Shape(
        "e2e4: 180\nQ@h4: 1\ni1j3: 7\nj10i10: 3\n\nNodes searched: 191\n",
        (("e2e4", 180), ("Q@h4", 1), ("i1j3", 7), ("j10i10", 3)),
        191,
    ),
    "3 Cfish": Shape(
        "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 10\n"
        "\nPosition: 1/1\ne2e4: 180\na7a8q: 220\n\n===========================\n"
        "Total time (ms) : 1\nNodes searched  : 400\nNodes/second    : 400000\n",
        TWO,
        400,
    ),
    "4 Ethereal": Shape("9483\n", total=9483, is_bare=True),
    "5 Weiss": Shape("\nPerft complete:\nTime : 12ms\nNPS  : 9\nNodes: 400\n", total=400),
    "6 Berserk": Shape(" e2e4: 180\na7a8q: 220\n\nNodes: 400\nTime: 3ms\nNPS: 133333\n", TWO, 400),
    "7 Viridithas, divided": Shape(
        "e2e4: 180\na7a8q: 220\ninfo depth 2 nodes 400 time 0 nps 123\n", TWO, 400
    ),
    "8 Carp": Shape(
        "e2e4 -- 20 nodes in 1.2µs\na7a8 -- 5 nodes in 831ns\na7a8 -- 6 nodes in 1.0ms\n"
        "\n31 nodes in 1.2ms - 30Mnodes/s\n",
        (("e2e4", 20), ("a7a8", 5), ("a7a8", 6)),
        31,
    ),
    "9 Obsidian": Shape("e2e4 -> 180\na7a8q -> 220\nnodes: 400\ntime: 0\nnps: 9000\n", TWO, 400),
    "9 Obsidian, depth 1": Shape("nodes: 20\ntime: 0\nnps: 9000\n", total=20, depth=1),
    "10 Stormphrax, split": Shape("e2e4\t180\na7a8q\t220\n\ntotal 400\n123 nps\n", TWO, 400),
    "10 Stormphrax, plain": Shape("400\n", total=400, is_bare=True),
    "11 Demolito": Shape("e2e4\t180\na7a8q\t220\n400\n", TWO, 400, is_bare=True),
    "12 Crafty": Shape("total moves=400  time=0.00\n", total=400),
    "13 Sjeng": Shape(
        "  +----+----+----+----+----+----+----+----+\n"
        "8 | *R | *N | *B | *Q | *K | *B | *N | *R |\n"
        "     a    b    c    d    e    f    g    h\n\n"
        "Raw nodes for depth 2: 9483\nTime : 0.00\n",
        total=9483,
    ),
    "14 PyChess": Shape(
        "   e2-e4         20         20\n   b1-c3         20         40\n"
        " 1\t20\t0.01\t123.00nps\n"
        "   e2-e4        180        180\n   b1-c3        220        400\n"
        " 2\t400\t0.01\t123.00nps\n",
        (("e2-e4", 180), ("b1-c3", 220)),
        400,
    ),
    "15 Lynx": Shape(
        "e2e4\t\t180\na7a8q\t\t220\n\nDepth:\t2\nNodes:\t400\nTime:\t0.5\nnps:\t1.23 Mnps\n",
        TWO,
        400,
    ),
    "16 Leorik": Shape("400\n", total=400, is_bare=True),
    "17 Minic": Shape(
        "perft 2\nvalidNodes   400\npseudoNodes   451\ncaptureNodes 3\nepNodes 1\n"
        "castling 7\npromotion 8\ncheckNode 0\ncheckMateNode 0\n",
        total=400,
        counts={
            "captures": 3,
            "en_passant": 1,
            "castles": 7,
            "promotions": 8,
            "checks": 0,
            "checkmates": 0,
        },
    ),
    "18 RubiChess": Shape(
        "e2e4  : 180\na7a8q : 220\nTotal nodes: 400\nTime (ms):   3\nNPS:         133333\n",
        TWO,
        400,
    ),
    "19 Halogen": Shape(
        "e2e4: 180\na7a8q: 220\n\nNodes searched: 400 in 0.01 seconds (40000 nps)\n", TWO, 400
    ),
    "20 Laser": Shape(
        "Nodes: 400\nCaptures: 3\nTime: 0\nNodes/second: 9223372036854775807\n",
        total=400,
        counts={"captures": 3},
    ),
    "21 Nalwald": Shape(
        "    e2e4 180 rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1\n"
        "    a7a8q 220 Q6k/8/8/8/8/8/8/K7 b - - 0 1\n"
        "**400** nodes in **0.001** seconds\n",
        TWO,
        400,
    ),
    "22 4ku": Shape("info depth 2 nodes 400 time 0\nnodes 400\n", total=400),
    "23 Texel": Shape("perft(2) = 400, t=0.001s\n", total=400),
    "24 Xiphos": Shape(
        "perft(2)=400, time: 0ms, nps: 123456 (no hashing, bulk counting)\n", total=400
    ),
    "25 Arasan": Shape("perft 2 = 400\n", total=400),
    "26 Koivisto": Shape("e2e4 180\na7a8q 220\nnodes: 400 nps: 123\n", TWO, 400),
    "27 Velvet": Shape("info string Nodes: 400\ninfo string Duration: 12ms\n", total=400),
    "28 Reckless": Shape(
        "-----------------------------------------------------------\n"
        " #     Move      Nodes     Time         NPS\n"
        "-----------------------------------------------------------\n"
        "  1     e2e4           180        0.000s  123.000 kN/s\n"
        "  2     a7a8q          220        0.000s  123.000 kN/s\n"
        "-----------------------------------------------------------\n"
        "Total 400    0.000s   246.000 kN/s\n",
        TWO,
        400,
    ),
    "28 Reckless, simple": Shape("e2e4: 180\na7a8q: 220\n\ntotal: 400\n", TWO, 400),
    "29 Caissa": Shape(
        "Running Perft... depth=2\ne2e4: 180\na7a8q: 220\nTotal nodes:      400\n"
        "Time:             0.1 seconds\nNodes per second: 1.2M\n",
        TWO,
        400,
    ),
    "30 Weiawaga": Shape(
        "e2e4: 180\na7a8q: 220\n\n   +---+---+\n 8 | r | n |\n   a b c d e f g h\n"
        "FEN: rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n"
        "Hash: 0x463b96181691fc9c\nNodes: 400\nNPS: 9\nElapsed: 1ms\n",
        TWO,
        400,
    ),
    "32 Blunder": Shape("e2e4: 180\na7a8q: 220\n\nNodes: 400\nTime: 0ms\nNps: 400000\n", TWO, 400),
    "33 bbc": Shape(
        "\n     Performance test\n\n     move: e2e4   nodes: 180\n     move: a7a8q  nodes: 220\n"
        "\n    Depth: 2\n    Nodes: 400\n     Time: 0\n\n",
        TWO,
        400,
    ),
    "34 VICE": Shape(
        "Starting Test To Depth:2\nmove 1 : e2e4 : 180\nmove 2 : a7a8q : 220\n"
        "\nTest Complete : 400 nodes visited in 0ms\n",
        TWO,
        400,
    ),
    "34 VICE, a copy": Shape(
        "Move 1: e2e4 : 180\nMove 2: a7a8q : 220\n\nTest Complete : 400 nodes visited\n",
        TWO,
        400,
    ),
    "35 qperft": Shape(
        " 1. e2e4 moves =         10 ( 0.001 sec)\n 2. a7a8 moves =         10 ( 0.001 sec)\n"
        "perft( 1)=           20 ( 0.001 sec)\n"
        " 1. e2e4 moves =        180 ( 0.001 sec)\n 2. a7a8 moves =        220 ( 0.001 sec)\n"
        "perft( 2)=          400 ( 0.001 sec)\n",
        (("e2e4", 180), ("a7a8", 220)),
        400,
    ),
    "36 MPerft": Shape(
        "  +-----------------+\n8 | r n b q k b n r |\n    a b c d e f g h\n"
        " e2e4              180\na7a8q              220\n"
        "perft  2 :            400 leaves in      0.001 s     400000 leaves/s\n",
        TWO,
        400,
    ),
    "36 MPerft, total": Shape("total   :            400 leaves in 0.001 s\n", total=400),
    "37 ROCE": Shape(
        "g2g1 124\ng2g1 124\ng2g1 124\ng2g1 124\nMoves: 4\nNodes: 496\n",
        (("g2g1", 124),) * 4,
        496,
    ),
    "38 AdaChess, divided": Shape(
        "e2e4           180   0   0   0   0   0   0   0   0\n"
        "a8=Q+          220   1   0   0   0   0   0   0   0\n",
        (("e2e4", 180), ("a8=Q+", 220)),
    ),
    "38 AdaChess": Shape(
        "Depth      Nodes   Capt.    E.p.  Castl.   Prom.   Check    Mate\n"
        "1             20       0       0       0       0       0       0\n"
        "2            400       0       0       0       0       0       0\n"
        "Nps: 123456\n",
        total=400,
    ),
    "39 Heimdall": Shape(
        "e2e4: 180\na7a8q: 220\n\nNodes searched (bulk-counting: off): 400\n  - Captures: 3\n"
        "  - Checks: 12\n  - E.P: 1\n  - Checkmates: 0\n  - Castles: 0\n  - Promotions: 2\n"
        "\nTime taken: 0.000 seconds\n",
        TWO,
        400,
        counts={
            "captures": 3,
            "checks": 12,
            "en_passant": 1,
            "checkmates": 0,
            "castles": 0,
            "promotions": 2,
        },
    ),
    "39 Heimdall, coloured": Shape(
        "\x1b[32me2e4\x1b[0m: \x1b[1;33m180\x1b[0m\n\x1b]0;title\x07a7a8q: 220\n"
        "\x1b[1mNodes searched (bulk-counting: on):\x1b[0m 400\n",
        TWO,
        400,
    ),
    "40 Potential": Shape(
        "f2f3: 20\nsome debug print\ne2e4: 180\n\ntotal: 200\nnps: 123\n",
        (("f2f3", 20), ("e2e4", 180)),
        200,
    ),
    "41 Jet": Shape("e2e4: 180\na7a8q: 220\nNodes: 400\n", TWO, 400),
    "42 Clover": Shape("e2e4: 180\na7a8q: 220\nnodes: 400\ntime : 0\nnps  : 123\n", TWO, 400),
    "43 Pawnocchio": Shape(
        "e2e4: 180\na7a8q: 220\nNodes searched: 400 in 0ms (123 nps)\n", TWO, 400
    ),
    "44 Drofa": Shape(
        "e2e4: 180\na7a8q: 220\n\n===========================\nTotal time (ms) : 0\n"
        "Nodes searched  : 400\nNodes / second  : 400000\n",
        TWO,
        400,
    ),
    "45 akimbo": Shape("e2e4: 180\na7a8q: 220\nperft 2 time 0 nodes 400 (1.23 Mnps)\n", TWO, 400),
    "46 CAPS": Shape(
        "e2e4\t180\na7a8q\t220\nFinished perft depth 2 in 0.1 ms (123nps)\nNodes searched: 400\n",
        TWO,
        400,
    ),
    "47 toad": Shape("e2e4\t180\na7a8q\t220\n400\n", TWO, 400, is_bare=True),
    "48 stash-bot": Shape("info nodes 400 nps 400000 time 0\n", total=400),
    "49 PlentyChess": Shape(
        "e2e4: 180\na7a8q: 220\nPerft: 400 nodes in 0.01s => 123nps\n", TWO, 400
    ),
    "50 Simbelmyne": Shape("e2e4: 180\na7a8q: 220\n\n400\n", TWO, 400, is_bare=True),
    "51 libchess": Shape("1 e2e4: 180\n2 a7a8q: 220\n\nTime 0ms\nNodes 400\nNPS: 123\n", TWO, 400),
    "52 Vajolet": Shape("Perft 2 leaf nodes: 400\n", total=400),
    "53 Tucano": Shape(
        "  Depth        Nodes      Secs   Nodes/Sec\n"
        "      1           20      0.00           0\n"
        "      2          400      0.00      400000\n",
        total=400,
    ),
    "54 sunfish": Shape("e2e4: 180\na7a8q: 220\n\nNodes searched: 400\n", TWO, 400),
    "+ Zeta Dva": Shape("nodecount:400, seconds: 0.0, nps: 123\n", total=400),
    "+ StockDory": Shape(
        "e2e4: 180\na7a8q: 1,054\n\nNodes searched: 1,234\n",
        (("e2e4", 180), ("a7a8q", 1054)),
        1234,
    ),
    "+ Maestro": Shape(
        "Move: e2e4 Nodes: 180\nMove: a7a8q Nodes: 220\n\tTotal Nodes: 400\nPerformance: 30 MNPS\n",
        TWO,
        400,
    ),
    "+ rusty-rival": Shape(
        "e2e4: 1,234 5,678 nps\na7a8q: 6 5,678 nps\n1240 nodes 1.2 nps\n",
        (("e2e4", 1234), ("a7a8q", 6)),
        1240,
    ),
    "+ thc": Shape("PerftFast(cr,2) = 400\n", total=400),
    "+ Pygmalion": Shape(
        "  e2e4  : 180\n  a7a8q : 220\nLeafs: 400\nCaptures: 3\nNodes: 421\n",
        TWO,
        400,
        counts={"captures": 3},
    ),
    "+ Mango Paola": Shape(
        "Blancas> Nodos 400, en 0 ms\nCapturas\t: 3\nPeon al Paso\t: 1\nPromocion\t: 8\n"
        "OO\t\t: 4\nOOO\t\t: 5\nTotal Enroque\t: 9\nJaque enemigo\t: 12\n"
        "Relacion: 123 knods/s\n",
        total=400,
        counts={
            "captures": 3,
            "en_passant": 1,
            "promotions": 8,
            "castles_kingside": 4,
            "castles_queenside": 5,
            "castles": 9,
            "checks": 12,
        },
    ),
    "perftree's script": Shape(
        "a2a3 180\nb2b3 220\n\n400\n", (("a2a3", 180), ("b2b3", 220)), 400, True
    ),
    "underscores": Shape("e2e4: 1_054\nNodes searched: 1_054\n", (("e2e4", 1054),), 1054),
    "SAN": Shape(
        "Nf3 20\nNbd2: 3\nexd6 e.p.: 1\nO-O: 5\nO-O-O+: 6\na8=Q#: 7\nQxf7+ 8\ntotal 50\n",
        (
            ("Nf3", 20),
            ("Nbd2", 3),
            ("exd6 e.p.", 1),
            ("O-O", 5),
            ("O-O-O+", 6),
            ("a8=Q#", 7),
            ("Qxf7+", 8),
        ),
        50,
    ),
    "long algebraic": Shape(
        "e2-e4: 20\nNg1-f3: 21\ne5xd6: 2\na7-a8=Q: 1\n0-0: 3\n",
        (("e2-e4", 20), ("Ng1-f3", 21), ("e5xd6", 2), ("a7-a8=Q", 1), ("0-0", 3)),
    ),
    "upper case": Shape("E2E4: 20\na7a8Q: 1\n", (("E2E4", 20), ("a7a8Q", 1))),
    "a prompt before the total": Shape("Blancas> Nodos 400, en 0 ms\n", total=400),
}


@pytest.mark.parametrize("name", SHAPES)
def test_what_real_engines_print(name):
    shape = SHAPES[name]
    output = parse_output(shape.text, shape.depth)
    assert tuple((row.move, row.nodes) for row in output.rows) == shape.rows
    assert output.total == shape.total
    assert output.is_bare == shape.is_bare
    assert output.counts == shape.counts
    assert not output.searches


@pytest.mark.parametrize("name", SHAPES)
def test_windows_line_ends_and_colours_change_nothing(name):
    shape = SHAPES[name]
    text = "".join(f"\x1b[0m{line}\x1b[K\r\n" for line in shape.text.splitlines())
    assert parse_output(text, shape.depth) == parse_output(shape.text, shape.depth)


@pytest.mark.parametrize(
    "line",
    [
        "NPS: 400",
        "Nodes/second: 400",
        "Nodes per second: 400",
        "Nodes / second  : 400",
        "Time: 400",
        "Nodes: 1.23M",
        "Nodes: 400k",
        "nodes: 30Mnodes/s",
        "Total: 3.5 s",
        "e2e4: 1.5s",
        "e2e4: 20ms",
        "Time : 12ms",
        "400 nps",
        "Moves: 24",
        "Hash: 0x463b96181691fc9c",
        "Fen: rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
        "8 | r | n | b | q | k | b | n | r |",
        "1   R N B Q K B N R",
        "    a b c d e f g h",
        "go perft 3",
        "position fen 8/8/8/8/8/8/8/K1k5 w - - 0 1 moves a1a2",
        "Unknown command: perft 3",
        "Error (unknown command): perft 3",
        "Illegal move: perft 3",
        "Checkers: e4",
        "Performance: 30 MNPS",
        "option name Hash type spin default 16 min 1 max 1024",
        "Stockfish 15.1 by the Stockfish developers",
        "info string 400 NNUE files",
        "Allocated 2*1000000 hash entries, totalling 64000000 bytes.",
    ],
)
def test_lines_that_are_no_count(line):
    output = parse_output(line, 3)
    assert output.total is None
    assert not output.rows


def test_lower_depths_printed_on_the_way_are_left_out():
    text = "perft 1 = 20\nperft 2 = 400\nperft 3 = 8902\n"
    assert parse_output(text, 3).total == 8902
    assert parse_output(text, 2).total == 400


def test_a_total_of_another_depth_only_is_said():
    output = parse_output("perft 2 = 400", 3)
    assert (output.total, output.depth) == (400, 2)


def test_a_search_is_no_perft():
    text = "info depth 1 seldepth 1 score cp 13 nodes 20 pv e2e4\nbestmove e2e4\n"
    output = parse_output(text, 1)
    assert output.searches
    assert output.total is None


def test_a_number_of_many_digits_is_exact():
    assert parse_output("Nodes searched: 85490667112173454326", 9).total == 85490667112173454326
    assert parse_output(f"Nodes searched: {'9' * 4000}", 9).total is None


def test_own_patterns_replace_those_that_are_known():
    output = parse_output(
        "e2e4: 3\n> e4 gives 20 <\nNodes: 7\nall in all 20!",
        1,
        divide_pattern=re.compile(r"> (?P<move>\S+) gives (?P<nodes>\d+)"),
        total_pattern=re.compile(r"all in all (?P<nodes>\d+)"),
    )
    assert [(row.move, row.nodes) for row in output.rows] == [("e4", 20)]
    assert output.total == 20


RUBBISH = {
    "one endless line of digits": "1" * 4_000_000,
    "one endless line of moves": "e2e4 " * 800_000,
    "escape sequences without end": "\x1b]" * 2_000_000,
    "open brackets": "\x1b[" + "9;" * 2_000_000,
    "spaces and a number": (" " * 3000 + "1\n") * 1000,
    "words": ("Nodes searched nodes total perft ( ( ( = : " * 40 + "\n") * 2000,
    "short lines": "1 2 3 x y z\n" * 100_000,
    "parentheses": ("nodes searched (" * 60 + "\n") * 2000,
}


@pytest.mark.parametrize("name", RUBBISH)
def test_megabytes_of_rubbish_take_time_in_proportion(name):
    parser = OutputParser(3)
    start = time.perf_counter()
    for line in RUBBISH[name].split("\n"):
        parser.feed(line)
    assert time.perf_counter() - start < 20
    assert parser.result().total is None or name == "short lines"
    assert len(parser.result().rows) < 5000


def test_memory_is_bounded_however_many_rows_there_are():
    parser = OutputParser(3)
    for _ in range(20_000):
        parser.feed("e2e4: 1")
    assert len(parser.result().rows) == 4096


def test_the_moves_stay_in_the_engines_order():
    position = Position(STARTPOS)
    moves = [move.uci() for move in position.legal_moves()]
    backwards = sorted(moves, reverse=True)
    output = parse_output("".join(f"{move}: 1\n" for move in backwards), 1)
    assert list(answer_from(output, position, seconds=0.0).children) == backwards
