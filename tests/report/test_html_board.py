"""Pictures of positions; where the men stand is python-chess's word."""

import chess
import pytest
from html_pages import parsed

from perftkit import KIWIPETE, Position
from perftkit.report.html.arrows import arrows, legend, marked_moves
from perftkit.report.html.board import picture, state_words
from perftkit.report.html.elements import element, text_of
from perftkit.verify.diagnosis import Evidence


def shown(made):
    return parsed(text_of(made))


def drawn(**moves):
    return shown(element("svg", *arrows(moves))).all("g", "arrow")


@pytest.mark.parametrize("fen", [KIWIPETE, chess.STARTING_FEN, "8/8/8/r2Pp2K/8/8/4k3/8 w - e6 0 1"])
def test_men_stand_where_they_stand(fen):
    found = {}
    for man in shown(picture(fen, "x")).all("use"):
        square = chess.square(int(man["x"]) // 45, 7 - int(man["y"]) // 45)
        color = chess.WHITE if "white" in man.classes else chess.BLACK
        found[square] = (man["href"].removeprefix("#piece-"), color)
    expected = chess.Board(fen).piece_map().items()
    assert found == {at: (chess.piece_name(man.piece_type), man.color) for at, man in expected}


def test_a_fen_that_is_none_has_no_picture():
    assert picture("<script>", "x") is None


def test_a_picture_says_what_it_shows():
    board = shown(picture(KIWIPETE, "b", moves={"extra": ["e1h1"]})).one("svg")
    assert board["role"] == "img"
    assert board["aria-labelledby"] == "b-title b-desc"
    description = board.one("desc").text
    assert "White: Ra1 Ke1 Rh1" in description
    assert description.endswith("Arrows for extra moves: e1h1.")


def test_the_king_in_check_and_the_en_passant_square_are_marked():
    board = shown(picture("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", "x"))
    mark = board.one("rect", "check")
    assert (mark["x"], mark["y"]) == ("180", "315")  # e1
    board = shown(picture("8/8/8/r2Pp2K/8/8/4k3/8 w - e6 0 1", "x"))
    assert board.one("circle", "ep")["cx"] == "202.5"


@pytest.mark.parametrize(
    ("fen", "words"),
    [
        (
            KIWIPETE,
            "White to move. Castling rights: White kingside and queenside, Black kingside and"
            " queenside.",
        ),
        ("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", "White to move, in check. No castling rights."),
        ("4k3/8/8/8/7b/8/4r3/4K3 w - - 0 1", "White to move, in double check. No castling rights."),
        ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "Black to move, checkmated. No castling rights."),
        ("7k/8/6Q1/8/8/8/8/K7 b - - 0 1", "Black to move, stalemated. No castling rights."),
        (
            "rk5r/8/8/8/8/8/8/RK5R w HAa - 0 1",
            "White to move. Castling rights: White with the h-file rook and with the a-file rook,"
            " Black with the a-file rook. Chess960.",
        ),
    ],
)
def test_a_state_in_words(fen, words):
    assert state_words(Position(fen)) == words


def test_an_arrow_goes_from_square_to_square():
    (arrow,) = drawn(missing=["e1g1"])
    shaft, head = arrow.one("path", "shaft")["d"], arrow.one("path", "head")["d"]
    assert shaft.startswith("M211.5 337.5L")  # from the middle of e1 at 202.5, less what it hides
    assert "L292.5 337.5L" in head  # the middle of g1
    assert arrow.one("title").text == "missing: e1g1"


def test_kinds_differ_without_colour():
    looks = set()
    for kind in ("missing", "extra", "repeated", "miscounted"):
        (arrow,) = drawn(**{kind: ["a1a8"]})
        dashes = arrow.one("path", "shaft").attributes.get("stroke-dasharray")
        looks.add((dashes, "hollow" in arrow.one("path", "head").classes))
    assert len(looks) == 4


def test_promotions_share_an_arrow_that_names_the_pieces():
    (arrow,) = drawn(missing=["b7b8n", "b7b8b", "b7b8r"])
    assert arrow.one("text").text == "NBR"
    assert arrow.one("title").text == "missing: b7b8 to N B R"


def test_arrows_of_two_kinds_do_not_cover_each_other():
    one, other = drawn(missing=["b7b8q"], extra=["b7b8"])
    assert one.one("path", "shaft")["d"] != other.one("path", "shaft")["d"]


def test_castling_in_chess960_goes_to_the_rook():
    (arrow,) = drawn(extra=["e1h1"])
    assert arrow["data-move"] == "e1h1"


@pytest.mark.parametrize("move", ["", "0000", "O-O", "z9a1", "e2", '"><b>', "e2e9"])
def test_what_names_no_squares_has_no_arrow_and_is_named(move):
    assert not drawn(extra=[move])
    assert move in shown(legend({"extra": [move]})).text


def test_a_move_that_goes_nowhere_is_a_ring():
    (arrow,) = drawn(extra=["e1e1"])
    assert arrow.one("circle")["cx"] == "202.5"


def test_what_evidence_shows():
    evidence = Evidence(
        *(KIWIPETE,),
        missing=("e1g1",),
        repeated=("a2a3",),
        wrong_counts={"": (1, 2), "b2b3": (1, 2)},
    )
    assert marked_moves(evidence) == {
        "missing": ("e1g1",),
        "repeated": ("a2a3",),
        "miscounted": ("b2b3",),
    }
    assert legend({}) is None
