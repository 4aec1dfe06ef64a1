"""A position as a board with all that is known about it."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from perftkit import bitboard

if TYPE_CHECKING:
    from collections.abc import Mapping

    from perftkit.core.position import Position
    from perftkit.report.console import Span, Terminal

__all__ = ["EXTRA_MARK", "MISSING_MARK", "square_named", "write_board", "write_position"]

FILES = "abcdefgh"
CHECKER_MARK = "!"
PINNED_MARK = "+"
MISSING_MARK = "-"
EXTRA_MARK = "*"
LABEL_WIDTH = 12
LEAST_TEXT = 16
MOST_MOVE_WIDTH = 100

GROUNDS = {CHECKER_MARK: "red", PINNED_MARK: "magenta", MISSING_MARK: "green", EXTRA_MARK: "red"}

# The filled pieces are used for both sides where colour tells them apart.
OUTLINED = dict(zip("KQRBNPkqrbnp", "♔♕♖♗♘♙♚♛♜♝♞♟", strict=True))
FILLED = dict(zip("KQRBNPkqrbnp", "♚♛♜♝♞♟♚♛♜♝♞♟", strict=True))


def write_position(terminal: Terminal, position: Position, *, ascii_only: bool = False) -> None:
    """Write the board, the state of the position and its legal moves.

    Args:
        terminal: Where to write.
        position: What to show.
        ascii_only: Whether to show pieces as letters even where others could be shown.
    """
    marks = dict.fromkeys(bitboard.squares(position.pinned), PINNED_MARK)
    marks.update(dict.fromkeys(bitboard.squares(position.checkers), CHECKER_MARK))
    write_board(terminal, position, marks, ascii_only=ascii_only)
    terminal.write()
    room = max(terminal.width - LABEL_WIDTH, LEAST_TEXT)
    for label, value, style in _facts(position):
        for part in [value] if label == "FEN" else textwrap.wrap(value, room):
            terminal.write((f"{label:<{LABEL_WIDTH}}", "bold"), (part, style))
            label = ""
    _write_moves(terminal, position)


def write_board(
    terminal: Terminal,
    position: Position,
    marks: Mapping[int, str],
    *,
    ascii_only: bool = False,
) -> None:
    """Write the board with marks, single characters, behind what stands on some squares."""
    pieces = _pieces(terminal, ascii_only=ascii_only)
    for rank in reversed(range(8)):
        terminal.write(*_rank(terminal, position, rank, pieces, marks))
    terminal.write("   " + "".join(f" {file} " for file in FILES).rstrip())


def square_named(name: str) -> int | None:
    """Return the number of a square, a1 = 0 to h8 = 63; None for what names none."""
    if len(name) != 2 or name[0] not in FILES or name[1] not in "12345678":
        return None
    return FILES.index(name[0]) + 8 * (int(name[1]) - 1)


def _pieces(terminal: Terminal, *, ascii_only: bool) -> dict[str, str]:
    if ascii_only or not terminal.unicode:
        return {letter: letter for letter in OUTLINED}
    return FILLED if terminal.color else OUTLINED


def _rank(
    terminal: Terminal,
    position: Position,
    rank: int,
    pieces: dict[str, str],
    marks: Mapping[int, str],
) -> list[Span]:
    spans: list[Span] = [f" {rank + 1} "]
    for file in range(8):
        square = rank * 8 + file
        piece = position.piece_at(square)
        mark = marks.get(square, " ")
        empty = " " if terminal.color else "."
        cell = f" {pieces[piece] if piece else empty}{mark}"
        spans.append((cell, _style(square, piece, mark)))
    return spans


def _style(square: int, piece: str | None, mark: str) -> str:
    light = (square // 8 + square % 8) % 2
    ground = GROUNDS.get(mark, "cyan" if light else "blue")
    ink = "bold bright_white" if piece and piece.isupper() else "black"
    return f"{ink} on {ground}"


def _facts(position: Position) -> list[tuple[str, str, str]]:
    ep_square = position.ep_square
    return [
        ("FEN", position.fen(), ""),
        ("to move", position.turn, ""),
        ("rules", "Chess960" if position.chess960 else "standard chess", ""),
        ("castling", position.castling, ""),
        ("en passant", "-" if ep_square is None else _name(ep_square), ""),
        ("half moves", f"{position.halfmove_clock} since a capture or a pawn's move", ""),
        ("move number", str(position.fullmove_number), ""),
        ("key", f"{position.key:016x}", ""),
        ("checkers", _named(position.checkers, CHECKER_MARK), "red" if position.checkers else ""),
        ("pinned", _named(position.pinned, PINNED_MARK), "magenta" if position.pinned else ""),
        ("state", _state(position), "bold red" if position.is_check else ""),
    ]


def _name(square: int) -> str:
    return f"{FILES[square % 8]}{square // 8 + 1}"


def _named(board: int, mark: str) -> str:
    names = [_name(square) for square in bitboard.squares(board)]
    return f"{' '.join(names)} (marked {mark})" if names else "-"


def _state(position: Position) -> str:
    if position.is_checkmate:
        return "checkmate"
    if position.is_stalemate:
        return "stalemate"
    return "check" if position.is_check else "no check"


def _write_moves(terminal: Terminal, position: Position) -> None:
    moves = sorted(move.uci() for move in position.legal_moves())
    label = f"{f'{len(moves)} moves':<{LABEL_WIDTH}}"
    room = max(min(terminal.width, MOST_MOVE_WIDTH) - LABEL_WIDTH, 6)
    per_line = max(room // 6, 1)
    for start in range(0, max(len(moves), 1), per_line):
        texts = [f"{move:<5}" for move in moves[start : start + per_line]]
        terminal.write((label, "bold"), " ".join(texts).rstrip() or "-")
        label = " " * LABEL_WIDTH
