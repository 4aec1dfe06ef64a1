"""Wrong engines in this process, made of python-chess with one rule broken.

python-chess is the independent generator here: what these engines get right is right by it, and
not by perftkit's own rules.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import chess

from perftkit.engines import Abilities, Answer, Question
from perftkit.errors import EngineError

Moves = Callable[[chess.Board], list[chess.Move]]
Change = Callable[[chess.Board, chess.Move], None]


def legal(board: chess.Board) -> list[chess.Move]:
    return sorted(board.legal_moves, key=chess.Move.uci)


@dataclass
class FakeEngine:
    """An engine whose rules can be broken.

    Attributes:
        moves: The list of moves of a position.
        after_push: Spoils the board after a move is made.
        after_pop: Spoils the board after a move is taken back.
        read: Spoils the board that a FEN gives.
        change: Spoils the rows of an answer: children by move, and the depth.
        prints: Writes a board as a FEN; None for an engine that does not.
        fails: The depths at which it dies.
    """

    moves: Moves = legal
    after_push: Change | None = None
    after_pop: Change | None = None
    read: Callable[[chess.Board], chess.Board] | None = None
    change: Callable[[dict[str, int], chess.Board, int], dict[str, int]] | None = None
    divides: bool = True
    takes_moves: bool = True
    knows_chess960: bool | None = True
    merges: bool = False
    prints_total: Callable[[int], int] | None = None
    fails: frozenset[int] = frozenset()
    remarks: tuple[str, ...] = ()
    prints: Callable[[chess.Board], str] | None = None
    counts: dict[int, dict[str, int]] = field(default_factory=dict)
    name: str = "fake"
    spec: str = "py:fake"
    asked: list[Question] = field(default_factory=list)
    closed: int = 0

    @property
    def abilities(self) -> Abilities:
        prints = self.prints is not None
        return Abilities(self.divides, self.takes_moves, self.knows_chess960, prints)

    def ask(self, question: Question) -> Answer:
        self.asked.append(question)
        assert question.depth >= 1
        assert self.takes_moves or not question.moves
        if question.depth in self.fails:
            raise EngineError("it died: segmentation fault")
        board = self.board(question)
        rows = []
        for move in self.moves(board):
            self._push(board, move)
            rows.append((self._name(move), self._count(board, question.depth - 1)))
            self._pop(board)
        return self._answer(rows, board, question.depth)

    def _answer(self, rows: list[tuple[str, int]], board: chess.Board, depth: int) -> Answer:
        children: dict[str, int] = {}
        merged = set()
        for move, nodes in rows:
            key = move[:4] if self.merges else move
            if key != move:
                merged.add(key)
            children[key] = children.get(key, 0) + nodes
        texts = [move for move, _ in rows]
        repeated = {move for move in texts if texts.count(move) > 1}
        if self.change is not None:
            children = self.change(children, board, depth)
        nodes = sum(children.values())
        return Answer(
            nodes,
            children if self.divides else None,
            frozenset(merged) if self.divides else frozenset(),
            frozenset(repeated) if self.divides else frozenset(),
            total=None if self.prints_total is None else self.prints_total(nodes),
            counts=self.counts.get(depth, {}),
            remarks=self.remarks,
            seconds=0.001,
        )

    def board(self, question: Question) -> chess.Board:
        board = chess.Board(question.fen, chess960=question.chess960)
        if self.read is not None:
            board = self.read(board)
        for text in question.moves:
            self._push(board, chess.Move.from_uci(text))
        return board

    def _name(self, move: chess.Move) -> str:
        return move.uci()

    def _push(self, board: chess.Board, move: chess.Move) -> None:
        board.push(move)
        if self.after_push is not None:
            self.after_push(board, move)

    def _pop(self, board: chess.Board) -> None:
        move = board.pop()
        if self.after_pop is not None:
            self.after_pop(board, move)

    def _count(self, board: chess.Board, depth: int) -> int:
        if depth == 0:
            return 1
        moves = self.moves(board)
        if depth == 1:
            return len(moves)
        total = 0
        for move in moves:
            self._push(board, move)
            total += self._count(board, depth - 1)
            self._pop(board)
        return total

    def position_after(self, question: Question) -> str | None:
        return None if self.prints is None else self.prints(self.board(question))

    def close(self) -> None:
        self.closed += 1


# Broken rules.


def without_en_passant(board: chess.Board) -> list[chess.Move]:
    return [move for move in legal(board) if not board.is_en_passant(move)]


def without_castling(board: chess.Board) -> list[chess.Move]:
    return [move for move in legal(board) if not board.is_castling(move)]


def queens_only(board: chess.Board) -> list[chess.Move]:
    return [move for move in legal(board) if move.promotion in (None, chess.QUEEN)]


def pins_ignored(board: chess.Board) -> list[chess.Move]:
    """All pseudo-legal moves but those that leave the king where it is attacked already."""
    if board.is_check():
        return legal(board)
    return sorted(
        (move for move in board.pseudo_legal_moves if not _steps_into_check(board, move)),
        key=chess.Move.uci,
    )


def _steps_into_check(board: chess.Board, move: chess.Move) -> bool:
    king = board.piece_type_at(move.from_square) == chess.KING
    return (king or board.is_en_passant(move)) and not board.is_legal(move)


def forgets_en_passant(board: chess.Board, _: chess.Move) -> None:
    """Make never sets the e.p. square."""
    board.ep_square = None


def keeps_no_rights(board: chess.Board, move: chess.Move) -> None:
    """Unmake of a rook's move does not bring the castling rights back."""
    if board.piece_type_at(move.from_square) == chess.ROOK:
        board.castling_rights &= ~chess.BB_SQUARES[move.from_square]
