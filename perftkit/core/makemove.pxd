"""Make and unmake: every move changes the board in place and is taken back without loss."""

from libc.stdint cimport uint64_t

from perftkit.core.attacks cimport pawn_attacks
from perftkit.core.bitboard cimport NO_SQUARE, Square
from perftkit.core.board cimport (
    KING, KNIGHT, NO_PIECE, PAWN, ROOK, WHITE, Board, Color, State,
    castled_king, castled_rook, move_piece, opponent, pieces, put_piece, remove_piece,
)
from perftkit.core.movegen cimport (
    CAPTURE, CASTLE_KINGSIDE, DOUBLE_PUSH, EN_PASSANT, PROMOTION, PackedMove,
    is_castling, move_from, move_kind, move_to, move_type,
)
from perftkit.core.zobrist cimport ZOBRIST

cdef struct Undo:
    State before        # of the position that the moves are made in: `remember` it once
    uint64_t next_key   # its key without e.p. file, for the other side to move
    int captured        # the type that the last move took, if it was a capture


cdef inline void remember(const Board* board, Undo* undo) noexcept nogil:
    """Save what moves made in this position will overwrite."""
    undo.before = board.state
    undo.captured = NO_PIECE
    undo.next_key = board.state.key ^ board.state.en_passant_key ^ ZOBRIST.white_to_move


cdef inline void castle(
    Board* board, Square king, Square rook, Square king_to, Square rook_to, const Color us
) noexcept nogil:
    """Move king and rook at once; in Chess960 each may stand where the other goes."""
    remove_piece(board, king, KING, us)
    remove_piece(board, rook, ROOK, us)
    put_piece(board, king_to, KING, us)
    put_piece(board, rook_to, ROOK, us)


cdef inline void make_castling(Board* board, PackedMove move, const Color us) noexcept nogil:
    cdef bint kingside = move_kind(move) == CASTLE_KINGSIDE
    cdef Square king = move_from(move), king_to = castled_king(kingside, us)
    cdef Square rook = move_to(move), rook_to = castled_rook(kingside, us)
    castle(board, king, rook, king_to, rook_to, us)
    board.state.key ^= (
        ZOBRIST.piece[us][KING][king] ^ ZOBRIST.piece[us][KING][king_to]
        ^ ZOBRIST.piece[us][ROOK][rook] ^ ZOBRIST.piece[us][ROOK][rook_to]
    )


cdef inline Square victim_square(PackedMove move) noexcept nogil:
    """Where a capture takes: en passant, the pawn beside the capturer, one rank off the target."""
    return move_to(move) ^ 8 if move_kind(move) == EN_PASSANT else move_to(move)


cdef inline void make_displacement(
    Board* board, PackedMove move, Undo* undo, const Color us
) noexcept nogil:
    """Every move but castling: one piece goes to another square and may take or promote."""
    cdef Square source = move_from(move), target = move_to(move), victim
    cdef int kind = move_kind(move)
    cdef int mover = move_type(move)
    if kind & CAPTURE:
        victim = victim_square(move)
        undo.captured = board.mailbox[victim]
        remove_piece(board, victim, undo.captured, opponent(us))
        board.state.key ^= ZOBRIST.piece[opponent(us)][undo.captured][victim]
    if kind & CAPTURE or mover == PAWN:
        board.state.halfmove_clock = 0
    board.state.key ^= ZOBRIST.piece[us][mover][source]
    if kind & PROMOTION:
        remove_piece(board, source, PAWN, us)
        mover = KNIGHT + (kind & 3)
        put_piece(board, target, mover, us)
    else:
        move_piece(board, source, target, mover, us)
        if kind == DOUBLE_PUSH:
            note_double_push(board, target ^ 8, us)
    board.state.key ^= ZOBRIST.piece[us][mover][target]


cdef inline void note_double_push(Board* board, Square passed, const Color us) noexcept nogil:
    board.state.en_passant = passed
    if pawn_attacks(us, passed) & pieces(board, opponent(us), PAWN):
        board.state.en_passant_key = ZOBRIST.en_passant[passed & 7]
        board.state.key ^= board.state.en_passant_key


cdef inline void make_move(
    Board* board, PackedMove move, Undo* undo, const Color us
) noexcept nogil:
    """Play a pseudo-legal move of the side to move, `us`, in the position that `undo` remembers."""
    cdef int lost = undo.before.castling & (
        board.castling_loss[move_from(move)] | board.castling_loss[move_to(move)]
    )
    board.state.key = undo.next_key
    board.state.en_passant_key = 0
    board.state.en_passant = NO_SQUARE
    board.state.halfmove_clock = undo.before.halfmove_clock + 1
    if lost:
        board.state.castling = undo.before.castling ^ lost
        board.state.key ^= (
            ZOBRIST.castling[undo.before.castling] ^ ZOBRIST.castling[board.state.castling]
        )
    if is_castling(move):
        make_castling(board, move, us)
    else:
        make_displacement(board, move, undo, us)
    board.side = opponent(us)


cdef inline void unmake_move(
    Board* board, PackedMove move, const Undo* undo, const Color us
) noexcept nogil:
    """Take back a move that `us` made with `make_move`."""
    cdef Square source = move_from(move), target = move_to(move)
    cdef int kind = move_kind(move)
    cdef bint kingside
    board.side = us
    board.state = undo.before
    if is_castling(move):
        kingside = kind == CASTLE_KINGSIDE
        castle(
            board, castled_king(kingside, us), castled_rook(kingside, us), source, target, us
        )
        return
    if kind & PROMOTION:
        remove_piece(board, target, KNIGHT + (kind & 3), us)
        put_piece(board, source, PAWN, us)
    else:
        move_piece(board, target, source, move_type(move), us)
    if kind & CAPTURE:
        put_piece(board, victim_square(move), undo.captured, opponent(us))


cdef void make(Board* board, PackedMove move, Undo* undo) noexcept nogil
cdef void unmake(Board* board, PackedMove move, const Undo* undo) noexcept nogil
