"""Debian's engines by default settings; counts are of published tables (SOURCES.md) or of
python-chess, and each engine is an independent program itself."""

from __future__ import annotations

import time

import chess
import pytest

from perftkit import KIWIPETE, STARTPOS, Position
from perftkit.engines import Question
from perftkit.errors import EngineError

POSITION_3 = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"
POSITION_4 = "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1"
# The Chess Programming Wiki's tables of these positions.
PUBLISHED = [
    (STARTPOS, 4, 197281),
    (KIWIPETE, 3, 97862),
    (POSITION_3, 4, 43238),
    (POSITION_4, 3, 9467),
]
CHESS960 = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"
CASTLING960 = "r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1"


@pytest.fixture(params=["stockfish", "fairy-stockfish", "ethereal-chess", "sjeng"])
def real(request, installed, opened):
    return opened(installed(request.param))


@pytest.fixture(params=["stockfish", "fairy-stockfish", "ethereal-chess"])
def real960(request, installed, opened):
    return opened(installed(request.param))


@pytest.mark.parametrize(("fen", "depth", "nodes"), PUBLISHED)
def test_published_counts(real, fen, depth, nodes):
    for _ in range(2):
        answer = real.ask(Question(fen, depth))
        assert answer.nodes == nodes
        assert not answer.remarks


def test_by_moves_and_by_fen(real):
    assert real.abilities.takes_moves
    board = chess.Board(KIWIPETE)
    moves = ("e1g1", "h3g2", "f1e1", "e8c8")
    for number, move in enumerate(moves, 1):
        board.push_uci(move)
        by_moves = real.ask(Question(KIWIPETE, 1, moves[:number]))
        assert by_moves.nodes == board.legal_moves.count()
        assert real.ask(Question(board.fen(), 1)).nodes == by_moves.nodes


def test_promotions_by_moves(real):
    board = chess.Board(POSITION_4)
    for move in ("c4c5", "b2b1n"):
        board.push_uci(move)
    nodes = sum(1 for move in board.legal_moves)
    assert real.ask(Question(POSITION_4, 1, ("c4c5", "b2b1n"))).nodes == nodes


def test_a_finished_game_has_no_moves(real):
    # Fool's mate.
    fen = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"
    answer = real.ask(Question(fen, 1))
    assert answer.nodes == 0
    assert not answer.children
    assert real.ask(Question(STARTPOS, 1)).nodes == 20


@pytest.mark.parametrize("program", ["stockfish", "fairy-stockfish"])
@pytest.mark.parametrize("fen", [KIWIPETE, POSITION_4])
def test_division(installed, opened, program, fen):
    engine = opened(installed(program))
    board = chess.Board(fen)
    expected = {}
    for move in board.legal_moves:
        board.push(move)
        expected[move.uci()] = board.legal_moves.count()
        board.pop()
    assert engine.ask(Question(fen, 2)).children == expected
    assert set(engine.ask(Question(fen, 1)).children) == set(expected)


def test_chess960(real960):
    # The table of Chess960 positions by Reinhard Scharnagl, position 1 there.
    assert real960.ask(Question(CHESS960, 3, (), True)).nodes == 12189
    assert real960.ask(Question(KIWIPETE, 2)).nodes == 2039
    board = chess.Board(CASTLING960, chess960=True)
    board.push_uci("e1h1")
    answer = real960.ask(Question(CASTLING960, 1, ("e1h1",), True))
    assert answer.nodes == board.legal_moves.count()
    if answer.children is not None:
        assert set(answer.children) == {move.uci() for move in board.legal_moves}


def test_chess960_is_refused_by_one_that_does_not_know_it(installed, opened):
    with pytest.raises(EngineError, match=r"Sjeng 11\.2 does not know Chess960"):
        opened(installed("sjeng")).ask(Question(CHESS960, 1, (), True))


@pytest.mark.parametrize(
    ("program", "fen"),
    [
        ("stockfish", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R4RK1 b kq - 1 1"),
        ("fairy-stockfish", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R4RK1 b kq - 1 1"),
    ],
)
def test_the_position_that_it_prints(installed, opened, program, fen):
    engine = opened(installed(program))
    assert engine.abilities.prints_position
    assert engine.position_after(Question(KIWIPETE, 1, ("e1g1",))) == fen


@pytest.mark.parametrize("program", ["glaurung", "toga2"])
def test_engines_without_perft(installed, opened, program):
    with pytest.raises(EngineError, match="has no perft that can be understood") as caught:
        opened(installed(program))
    assert caught.value.exit_status == 3
    assert "--perft-command" in str(caught.value)


def test_the_xboard_side_of_an_engine_that_speaks_both(installed, opened):
    engine = opened(f"xboard:{installed('fairy-stockfish')}")
    assert engine.name == "Fairy-Stockfish"
    assert engine.ask(Question(KIWIPETE, 3)).nodes == 97862


def test_the_overhead_of_a_question_is_small(real):
    real.ask(Question(STARTPOS, 1))
    start = time.perf_counter()
    for _ in range(50):
        real.ask(Question(KIWIPETE, 1))
        real.ask(Question(KIWIPETE, 1, ("e1g1",)))
    # It is about 0.3 ms; the bound leaves room for a busy machine.
    assert (time.perf_counter() - start) / 100 < 0.01


def test_what_was_found_out_is_taken_over(installed, opened):
    from perftkit.engines.spec import open_engine

    first = opened(installed("ethereal-chess"))
    start = time.perf_counter()
    second = open_engine(first.spec, like=first)
    try:
        assert second.abilities == first.abilities
        assert time.perf_counter() - start < 0.1  # it was not even started
        assert second.ask(Question(KIWIPETE, 2)).nodes == 2039
        assert second.name == first.name
    finally:
        second.close()


def test_an_engine_driven_by_a_command_line_of_its_own(installed, opened, tmp_path):
    script = tmp_path / "perft.sh"
    script.write_text(
        "#!/bin/sh\n"
        f'printf "position fen %s moves %s\\ngo perft %s\\nquit\\n" "$2" "$3" "$1" |'
        f" PATH=$PATH:/usr/games {installed('stockfish')}\n"
    )
    script.chmod(0o755)
    for spec in (f"cmd:{script}", f"{script} {{depth}} {{fen}} {{moves}}"):
        engine = opened(spec)
        assert engine.abilities.takes_moves
        assert engine.ask(Question(KIWIPETE, 2)).nodes == 2039
        assert engine.ask(Question(KIWIPETE, 1, ("e1g1",))).nodes == 43


def test_positions_agree_with_the_reference_after_random_moves(installed, opened):
    engine = opened(installed("stockfish"))
    position = Position(STARTPOS)
    moves: list[str] = []
    for number in range(40):
        legal = sorted(move.uci() for move in position.legal_moves())
        if not legal:
            break
        moves.append(legal[(number * 7919) % len(legal)])
        position.push(moves[-1])
        answer = engine.ask(Question(STARTPOS, 1, tuple(moves)))
        assert set(answer.children) == {move.uci() for move in position.legal_moves()}
