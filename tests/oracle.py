"""The independent judge of the tests: perft with all counters by python-chess.

It is written for being right, not fast: about 150,000 leaves a second. Subtrees that come again by
another order of moves are counted once, which small endgames need.
"""

from __future__ import annotations

from collections import Counter

import chess

COUNTERS = (
    "captures",
    "en_passant",
    "castles_kingside",
    "castles_queenside",
    "castles",
    "promotions",
    "checks",
    "discovered_checks",
    "double_checks",
    "checkmates",
    "discovered_checkmates",
    "double_checkmates",
)

Seen = dict[tuple[object, ...], "Counter[str]"]


def python_chess_counts(
    fen: str, depth: int, chess960: bool | None = None
) -> tuple[int, dict[str, int]]:
    """Return the nodes and all counters of the tree of `depth` plies.

    With `chess960` None the castling field decides: letters other than KQkq make it Chess960.
    """
    return python_chess_table(fen, depth, chess960)[depth]


def python_chess_table(
    fen: str, depth: int, chess960: bool | None = None
) -> dict[int, tuple[int, dict[str, int]]]:
    """Return the same for every depth from 0 to `depth`."""
    if chess960 is None:
        chess960 = not set(fen.split()[2]) <= set("KQkq-")
    board = chess.Board(fen, chess960=chess960)
    table: dict[int, tuple[int, dict[str, int]]] = {0: (1, {})}
    seen: Seen = {}
    for ply in range(1, depth + 1):
        counts = _count(board, ply, seen)
        table[ply] = (counts["nodes"], {name: counts[name] for name in COUNTERS})
    return table


def _count(board: chess.Board, depth: int, seen: Seen) -> Counter[str]:
    # Everything that the tree below depends on.
    key = (
        depth,
        board.pawns,
        board.knights,
        board.bishops,
        board.rooks,
        board.queens,
        board.occupied_co[chess.WHITE],
        board.occupied,
        board.turn,
        board.castling_rights,
        board.ep_square,
    )
    if key in seen:
        return seen[key]
    total: Counter[str] = Counter()
    for move in board.legal_moves:
        if depth == 1:
            _count_leaf(board, move, total)
        else:
            board.push(move)
            total.update(_count(board, depth - 1, seen))
            board.pop()
    seen[key] = total
    return total


def _count_leaf(board: chess.Board, move: chess.Move, total: Counter[str]) -> None:
    total["nodes"] += 1
    castling = board.is_castling(move)
    kingside = castling and board.is_kingside_castling(move)
    if castling:
        total["castles"] += 1
        total["castles_kingside" if kingside else "castles_queenside"] += 1
    elif board.is_capture(move):
        total["captures"] += 1
        total["en_passant"] += board.is_en_passant(move)
    total["promotions"] += move.promotion is not None
    board.push(move)
    checkers = board.checkers_mask()
    if checkers:
        double = chess.popcount(checkers) > 1
        discovered = not double and not checkers & _moved(move, castling, kingside)
        mate = not any(board.generate_legal_moves())
        total["checks"] += 1
        total["double_checks"] += double
        total["discovered_checks"] += discovered
        total["checkmates"] += mate
        total["double_checkmates"] += mate and double
        total["discovered_checkmates"] += mate and discovered
    board.pop()


def _moved(move: chess.Move, castling: bool, kingside: bool) -> int:
    """The bitboard of what moved, where it stands now: king and rook when castling."""
    if not castling:
        return chess.BB_SQUARES[move.to_square]
    files = chess.BB_FILE_F | chess.BB_FILE_G if kingside else chess.BB_FILE_C | chess.BB_FILE_D
    return files & chess.BB_RANKS[chess.square_rank(move.from_square)]
