import csv
import io
import json

import pytest

from perftkit import KIWIPETE, STARTPOS

# Published at many places, as Stockfish prints it for `go perft 3`.
START_3 = {
    **{"a2a3": 380, "b2b3": 420, "c2c3": 420, "d2d3": 539, "e2e3": 599, "f2f3": 380},
    **{"g2g3": 420, "h2h3": 380, "a2a4": 420, "b2b4": 421, "c2c4": 441, "d2d4": 560},
    **{"e2e4": 600, "f2f4": 401, "g2g4": 421, "h2h4": 420, "b1a3": 400, "b1c3": 440},
    **{"g1f3": 440, "g1h3": 400},
}


def test_json_is_that_of_the_contract(invoke):
    result = invoke("divide", "--depth", 3, "--format", "json")
    assert result.exit_code == 0
    document = json.loads(result.stdout)
    assert list(document) == [
        *("perftkit", "schema", "command", "fen", "moves", "depth", "nodes", "counts", "children")
    ]
    assert document["fen"] == STARTPOS
    assert document["nodes"] == 8902
    assert document["counts"]["captures"] == 34
    children = document["children"]
    assert {move: child["nodes"] for move, child in children.items()} == START_3
    assert sum(child["counts"]["checks"] for child in children.values()) == 12
    assert list(children) == sorted(children)


def test_table(invoke):
    result = invoke("divide", "kiwipete", "-d", 2)
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert len([line for line in lines if line[:2] in ("e1", "e5")]) == 4 + 7
    assert "total" in result.stdout
    assert "48 moves, depth 2, 2,039 nodes in" in result.stdout


def test_csv(invoke):
    result = invoke("divide", *KIWIPETE.split(), "--depth", 1, "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(result.stdout)))
    assert len(rows) == 48
    assert sum(int(row["captures"]) for row in rows) == 8
    assert {row["move"] for row in rows if row["castles"] == "1"} == {"e1g1", "e1c1"}


def test_sorted_by_nodes(invoke):
    result = invoke("divide", "--depth", 3, "--sort", "nodes", "--format", "json")
    children = json.loads(result.stdout)["children"]
    assert list(children)[:3] == ["e2e4", "e2e3", "d2d4"]
    nodes = [child["nodes"] for child in children.values()]
    assert nodes == sorted(nodes, reverse=True)


@pytest.mark.parametrize("moves", ["e2e4 e7e5", "e2e4,e7e5", " e2e4  e7e5 "])
def test_moves_are_played_first(invoke, moves):
    result = invoke("divide", "--moves", moves, "--depth", 1, "--format", "json")
    document = json.loads(result.stdout)
    assert document["moves"] == ["e2e4", "e7e5"]
    assert document["fen"] == STARTPOS
    assert document["nodes"] == 29


@pytest.mark.parametrize("moves", ["e2e5", "xyz", "e2e4 e2e4", "\x1b[31m"])
def test_a_move_that_is_none(invoke, moves):
    result = invoke("divide", "--moves", moves)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith("Error: ")
    assert "\x1b" not in result.stderr


def test_chess960(invoke):
    fen = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w KQkq - 2 9"
    result = invoke("divide", fen, "--chess960", "--depth", 2, "--format", "json")
    assert json.loads(result.stdout)["nodes"] == 528  # the first of the published 960 positions
    assert invoke("divide", fen).exit_code == 2


def test_no_legal_move(invoke):
    mate = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"
    result = invoke("divide", mate, "--depth", 3, "--format", "json")
    assert result.exit_code == 0
    document = json.loads(result.stdout)
    assert document["nodes"] == 0
    assert document["children"] == {}
    assert document["counts"]["captures"] == 0
