"""Make and unmake: every move changes the board in place and is taken back without loss."""

from libc.stdint cimport uint8_t, uint16_t, uint64_t

from perftkit.core.attacks cimport pawn_attacks
from perftkit.core.bitboard cimport NO_SQUARE, Square
from perftkit.core.board cimport (
    KING, KNIGHT, NO_PIECE, PAWN, ROOK, WHITE, Board, Color,
    castled_king, castled_rook, opponent, piece_of, pieces, put_piece, remove_piece,
)
from perftkit.core.movegen cimport (
    CAPTURE, CASTLE_KINGSIDE, DOUBLE_PUSH, EN_PASSANT, PROMOTION, PackedMove,
    is_castling, move_from, move_kind, move_to,
)
from perftkit.core.zobrist cimport ZOBRIST

cdef struct Undo:
    # What a move overwrites and the move itself does not tell.
    uint64_t key
    uint64_t en_passant_key
    uint16_t halfmove_clock
    uint8_t castling
    uint8_t en_passant
    uint8_t captured


cdef inline void castle(
    Board* board, Square king, Square rook, Square king_to, Square rook_to, const Color us
) noexcept nogil:
    """Move king and rook at once; in Chess960 each may stand where the other goes."""
    cdef int king_piece = piece_of(KING, us)
    cdef int rook_piece = piece_of(ROOK, us)
    remove_piece(board, king, king_piece)
    remove_piece(board, rook, rook_piece)
    put_piece(board, king_to, king_piece)
    put_piece(board, rook_to, rook_piece)


cdef inline void make_castling(Board* board, PackedMove move, const Color us) noexcept nogil:
    cdef bint kingside = move_kind(move) == CASTLE_KINGSIDE
    cdef Square king = move_from(move), king_to = castled_king(kingside, us)
    cdef Square rook = move_to(move), rook_to = castled_rook(kingside, us)
    castle(board, king, rook, king_to, rook_to, us)
    board.key ^= (
        ZOBRIST.piece[piece_of(KING, us)][king] ^ ZOBRIST.piece[piece_of(KING, us)][king_to]
        ^ ZOBRIST.piece[piece_of(ROOK, us)][rook] ^ ZOBRIST.piece[piece_of(ROOK, us)][rook_to]
    )


cdef inline void make_displacement(
    Board* board, PackedMove move, Undo* undo, const Color us
) noexcept nogil:
    """Every move but castling: one piece goes to another square and may take or promote."""
    cdef Square source = move_from(move), target = move_to(move), victim
    cdef int kind = move_kind(move)
    cdef int piece = board.mailbox[source]
    cdef int arrives = piece
    if kind & CAPTURE:
        # The pawn taken en passant stands beside the capturer, one rank off the target.
        victim = target ^ 8 if kind == EN_PASSANT else target
        undo.captured = board.mailbox[victim]
        remove_piece(board, victim, undo.captured)
        board.key ^= ZOBRIST.piece[undo.captured][victim]
        board.halfmove_clock = 0
    if piece == piece_of(PAWN, us):
        board.halfmove_clock = 0
        if kind & PROMOTION:
            arrives = piece_of(KNIGHT + (kind & 3), us)
        elif kind == DOUBLE_PUSH:
            board.en_passant = target ^ 8
            if pawn_attacks(us, target ^ 8) & pieces(board, opponent(us), PAWN):
                board.en_passant_key = ZOBRIST.en_passant[target & 7]
    remove_piece(board, source, piece)
    put_piece(board, target, arrives)
    board.key ^= (
        ZOBRIST.piece[piece][source] ^ ZOBRIST.piece[arrives][target] ^ board.en_passant_key
    )


cdef inline void make_move(
    Board* board, PackedMove move, Undo* undo, const Color us
) noexcept nogil:
    """Play a pseudo-legal move of the side to move, `us`, and note in `undo` what it overwrites."""
    cdef int lost = board.castling & (
        board.castling_loss[move_from(move)] | board.castling_loss[move_to(move)]
    )
    undo.key = board.key
    undo.en_passant_key = board.en_passant_key
    undo.halfmove_clock = board.halfmove_clock
    undo.castling = board.castling
    undo.en_passant = board.en_passant
    undo.captured = NO_PIECE
    board.key ^= ZOBRIST.white_to_move ^ board.en_passant_key
    board.en_passant_key = 0
    board.en_passant = NO_SQUARE
    board.halfmove_clock += 1
    if is_castling(move):
        make_castling(board, move, us)
    else:
        make_displacement(board, move, undo, us)
    if lost:
        board.key ^= ZOBRIST.castling[board.castling] ^ ZOBRIST.castling[board.castling ^ lost]
        board.castling ^= lost
    board.side = opponent(us)
    board.fullmove_number += us


cdef inline void unmake_move(
    Board* board, PackedMove move, const Undo* undo, const Color us
) noexcept nogil:
    """Take back a move that `us` made with `make_move`."""
    cdef Square source = move_from(move), target = move_to(move)
    cdef int kind = move_kind(move)
    cdef bint kingside
    cdef int piece
    board.side = us
    board.fullmove_number -= us
    board.key = undo.key
    board.en_passant_key = undo.en_passant_key
    board.halfmove_clock = undo.halfmove_clock
    board.castling = undo.castling
    board.en_passant = undo.en_passant
    if is_castling(move):
        kingside = kind == CASTLE_KINGSIDE
        castle(
            board, castled_king(kingside, us), castled_rook(kingside, us), source, target, us
        )
        return
    piece = board.mailbox[target]
    remove_piece(board, target, piece)
    put_piece(board, source, piece_of(PAWN, us) if kind & PROMOTION else piece)
    if kind & CAPTURE:
        put_piece(board, target ^ 8 if kind == EN_PASSANT else target, undo.captured)


cdef void make(Board* board, PackedMove move, Undo* undo) noexcept nogil
cdef void unmake(Board* board, PackedMove move, const Undo* undo) noexcept nogil
