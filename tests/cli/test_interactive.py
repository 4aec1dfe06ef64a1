import pytest

from perftkit import KIWIPETE, STARTPOS

EP_PLY = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/Pp2P3/2N2Q1p/1PPBBPPP/R3K2R b KQkq a3 0 1"


@pytest.fixture
def talk(invoke, engine):
    """Gives commands to a conversation about Kiwipete: `talk("diff", "next", bug="castling")`."""

    def call(*commands, bug="en-passant", depth=2):
        return invoke(
            *("divide", "kiwipete", "--depth", depth, "--engine", engine(bug), "--interactive"),
            input="\n".join(commands) + "\n",
        )

    return call


def test_the_way_down_by_hand(talk):
    result = talk("diff", "next", "fen", "next", "explain", "undo", "fen")
    assert result.exit_code == 1
    lines = [" ".join(line.split()) for line in result.stdout.splitlines()]
    assert "depth 2: 2,038 nodes, 2,039 are right" in lines
    assert "a2a4 44 43 -1" in lines
    assert lines.count(EP_PLY) >= 2
    assert "a2a4, depth 1" in lines
    assert "b4a3 1 - missing" in lines
    assert "this is where the engine is wrong: explain names the rule" in lines
    assert any(line.startswith("rule en-passant-missing") for line in lines)
    assert lines[-1] == KIWIPETE


def test_moves_and_depth(talk):
    result = talk(
        *("move a2a4", "depth", "undo", "depth", "depth 5", "move e1g1, e8c8", "depth"),
        *("root", "depth", "moves e2a6 b4c3", "moves", "undo 9", "board"),
        bug="none",
    )
    assert result.exit_code == 0
    lines = [" ".join(line.split()) for line in result.stdout.splitlines()]
    assert [line for line in lines if line.startswith("depth")] == [
        *("depth 1", "depth 2", "depth 5", "depth 3", "depth 5")
    ]
    assert "e1g1 e8c8, depth 3" in lines
    assert "line e2a6 b4c3" in lines
    assert "the root, depth 5" in lines
    assert result.stderr == ""


def test_another_position(talk):
    result = talk("fen startpos", "diff", f"fen {EP_PLY}", "fen", bug="none")
    assert result.exit_code == 0
    assert STARTPOS in result.stdout
    assert "depth 2: 400 nodes, all agree" in result.stdout
    assert result.stdout.rstrip().endswith(EP_PLY)


def test_where_all_agrees(talk):
    result = talk("next", "explain", bug="none")
    assert result.exit_code == 0
    assert "depth 2: 2,039 nodes, all agree" in result.stdout
    assert "is right up to depth 2" in result.stdout


def test_mistakes_are_told_with_their_line_and_the_rest_is_obeyed(talk):
    result = talk(
        *("# a comment", "", "dif", "move e2e5", "move", "depth x", "depth 65", "undo"),
        *("fen 8/8/8", "\x1b[31m", "fen"),
        bug="none",
    )
    assert result.exit_code == 2
    complaints = result.stderr.splitlines()
    assert [line[:14] for line in complaints] == [
        f"error: line {number}" + ":"[: 14 - len(f"error: line {number}")]
        for number in (3, 4, 5, 6, 7, 8, 9, 10)
    ]
    assert "did you mean diff?" in complaints[0]
    assert "e2e5" in complaints[1]
    assert "this is the root" in complaints[5]
    assert "this FEN can't be used" in complaints[6]
    assert "\x1b" not in result.stderr
    assert KIWIPETE in result.stdout


def test_an_engine_that_dies_is_told_and_started_again(talk):
    result = talk("depth 3", "diff", "depth 2", "diff", bug="dies")
    assert result.exit_code == 3
    assert "assertion failed" in result.stderr
    assert "depth 2: 2,039 nodes, all agree" in result.stdout


def test_help_lists_the_commands_and_quit_ends(talk):
    result = talk("help", "quit", "fen", bug="none")
    assert result.exit_code == 0
    for command in ("fen", "moves", "depth", "move", "undo", "root", "diff", "next", "explain"):
        assert f"\n{command} " in "\n" + result.stdout
    assert KIWIPETE not in result.stdout


def test_completion(engine):
    from perftkit import Position
    from perftkit.cli.interactive import Conversation, _Completer

    talk = Conversation(None, None, None, None)
    talk.begin(Position(), (), 2)
    complete = _Completer(talk)
    assert [complete("e2", 0), complete("e2", 1), complete("e2", 2)] == ["e2e3", "e2e4", None]
    assert complete("dif", 0) == "diff"


def test_a_prompt_on_a_terminal(tmp_path, engine):
    import os
    import pty
    import subprocess
    import sys

    from processes import environment

    master, slave = pty.openpty()
    with subprocess.Popen(
        [
            *(sys.executable, "-m", "perftkit", "divide", "kiwipete", "-d", "2"),
            *("--engine", engine("none"), "--interactive"),
        ],
        stdin=slave,
        stdout=slave,
        stderr=slave,
        cwd=tmp_path,
        env=environment(),
    ) as running:
        os.close(slave)
        os.write(master, b"diff\nquit\n")
        written = b""
        while True:
            try:
                block = os.read(master, 65536)
            except OSError:
                break
            if not block:
                break
            written += block
        os.close(master)
        assert running.wait(30) == 0
    text = written.decode()
    assert "perftkit> " in text
    assert "all agree" in text
