PINNED_EN_PASSANT = "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1"


def facts(text):
    lines = (line.split(maxsplit=1) for line in text.splitlines())
    return {words[0]: words[1] for words in lines if len(words) == 2}


def test_start_position(invoke):
    result = invoke("show", "startpos", "--ascii")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0] == " 8  r  n  b  q  k  b  n  r"
    assert lines[7] == " 1  R  N  B  Q  K  B  N  R"
    assert lines[8] == "    a  b  c  d  e  f  g  h"
    assert "463b96181691fc9c" in result.stdout  # published with the Polyglot format
    assert "20 moves" in result.stdout


def test_pieces_are_unicode_where_they_can_be(invoke):
    assert "♔" in invoke("show", "startpos").stdout


def test_separate_words(invoke):
    result = invoke("show", *PINNED_EN_PASSANT.split(), "--ascii")
    assert result.exit_code == 0
    found = facts(result.stdout)
    assert found["en"] == "passant  d3"
    assert found["to"] == "move     black"


def test_checkers_and_pinned_pieces_are_marked(invoke):
    # The rook on e8 gives check; the bishop on c3 is pinned by the bishop on a5.
    result = invoke("show", "4r1k1/8/8/b7/8/2B5/8/4K3 w - - 0 1", "--ascii")
    assert "r!" in result.stdout
    assert "B+" in result.stdout
    found = facts(result.stdout)
    assert found["checkers"] == "e8 (marked !)"
    assert found["pinned"] == "c3 (marked +)"
    assert found["state"] == "check"


def test_checkmate_and_stalemate(invoke):
    mate = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"
    assert facts(invoke("show", mate).stdout)["state"] == "checkmate"
    assert facts(invoke("show", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1").stdout)["state"] == "stalemate"


def test_all_faults_of_a_fen_at_once(invoke):
    result = invoke("show", "9/8/8/8/8/8/8/K1K5 x - - 0 1")
    assert result.exit_code == 2
    assert result.stdout == ""
    assert "white has 2 kings" in result.stderr or "two" in result.stderr
    assert "black has no king" in result.stderr
    assert "column" in result.stderr


def test_on_a_terminal_the_board_is_coloured(terminal):
    shown = terminal("show", "kiwipete")
    assert shown.status == 0
    assert "\x1b[" in shown.text
    assert "♚" in shown.text
