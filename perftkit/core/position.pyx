"""`Position` and `Move`: the core for Python."""

from libc.stdlib cimport free, realloc

from perftkit.core.bitboard cimport NO_SQUARE, Square, square_argument
from perftkit.core.board cimport WHITE, castled_king, is_consistent
from perftkit.core.fen cimport castling_field, piece_symbol, read_fen, write_fen
from perftkit.core.legality cimport (
    KingSafety, has_legal_move, is_legal_filtered, is_legal_plain, king_safety_of_mover,
    legal_moves,
)
from perftkit.core.makemove cimport make, unmake
from perftkit.core.movegen cimport (
    CAPTURE, CASTLE_KINGSIDE, DOUBLE_PUSH, EN_PASSANT, PROMOTION, MoveList,
    is_castling, move_from, move_kind, move_to, pseudo_legal_moves,
)
from perftkit.core.zobrist cimport key_from_scratch

from perftkit.errors import MoveError

STARTPOS = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"

SQUARE_NAMES = tuple(file + rank for rank in "12345678" for file in "abcdefgh")
PROMOTION_SYMBOLS = "nbrq"


cdef Board START_BOARD
read_fen(&START_BOARD, STARTPOS, None)


cdef Move make_python_move(PackedMove packed, bint chess960):
    cdef Move move = Move.__new__(Move)
    move.packed = packed
    move.chess960 = chess960
    return move


cdef class Move:
    """A move of some position: immutable, hashable, made by `Position` only.

    Squares are numbers from 0 (a1) to 63 (h8). A castling move goes from the king's square to the
    rook's, in standard chess too.
    """

    def __init__(self):
        raise TypeError("moves are made by a Position: legal_moves(), parse_move()")

    @property
    def from_square(self):
        """The square the piece leaves, 0 to 63."""
        return move_from(self.packed)

    @property
    def to_square(self):
        """The square it reaches, 0 to 63; the rook's square when castling."""
        return move_to(self.packed)

    @property
    def promotion(self):
        """``n``, ``b``, ``r`` or ``q``, or None."""
        if not self.is_promotion:
            return None
        return PROMOTION_SYMBOLS[move_kind(self.packed) & 3]

    @property
    def is_capture(self):
        """Whether it takes something, en passant included."""
        return move_kind(self.packed) & CAPTURE != 0

    @property
    def is_en_passant(self):
        """Whether it captures en passant."""
        return move_kind(self.packed) == EN_PASSANT

    @property
    def is_castling(self):
        """Whether it castles, to either side."""
        return bool(is_castling(self.packed))

    @property
    def is_promotion(self):
        """Whether it promotes."""
        return move_kind(self.packed) & PROMOTION != 0

    @property
    def is_double_push(self):
        """Whether it is a pawn's first step of two squares."""
        return move_kind(self.packed) == DOUBLE_PUSH

    def uci(self):
        """Return the UCI text: ``e2e4``, ``a7a8q``; castling ``e1g1``, in Chess960 ``e1h1``."""
        cdef Square source = move_from(self.packed), target = move_to(self.packed)
        if is_castling(self.packed) and not self.chess960:
            target = castled_king(move_kind(self.packed) == CASTLE_KINGSIDE, source >= 56)
        return SQUARE_NAMES[source] + SQUARE_NAMES[target] + (self.promotion or "")

    def __str__(self):
        return self.uci()

    def __repr__(self):
        return f"<Move {self.uci()}>"

    def __eq__(self, other):
        if not isinstance(other, Move):
            return NotImplemented
        return self.packed == (<Move> other).packed and self.chess960 == (<Move> other).chess960

    def __hash__(self):
        return hash((self.packed, self.chess960))

    def __reduce__(self):
        return restore_move, (self.packed, bool(self.chess960))


def restore_move(packed, chess960):
    """Rebuild a pickled move."""
    return make_python_move(packed, chess960)


cdef class Position:
    """A legal chess position and the moves played since it was set up.

    Args:
        fen: FEN of four or six fields, X-FEN or Shredder-FEN; the start position by default.
        chess960: Whether castling follows Chess960. By default it does when the castling field
            has file letters, which standard chess does not have.

    Raises:
        FenError: The text is malformed or the position breaks the rules; lists every fault.
        TypeError: `fen` is no str.
    """

    def __cinit__(self):
        # A subclass that does not call __init__ must not leave a board without kings.
        self.board = START_BOARD
        self.history = NULL
        self.played = self.capacity = 0

    def __init__(self, fen=STARTPOS, *, chess960=None):
        # Read aside first: a fault must leave the position as it was.
        cdef Board board
        read_fen(&board, fen, chess960)
        self.board = board
        self.played = 0

    def __dealloc__(self):
        free(self.history)

    def fen(self):
        """Return the FEN of six fields; in Chess960 with the rooks' file letters (Shredder-FEN).

        The e.p. square is given after every double push, whether or not a pawn can capture.
        """
        return write_fen(&self.board, self.fullmove_number)

    def __repr__(self):
        return f"Position({self.fen()!r}{', chess960=True' if self.board.chess960 else ''})"

    def copy(self):
        """Return the same position without the moves that led to it."""
        cdef Position twin = Position.__new__(Position)
        twin.board = self.board
        twin.board.first_move_number = self.fullmove_number
        return twin

    def __reduce__(self):
        return restore_position, (self.fen(), bool(self.board.chess960))

    # State

    @property
    def turn(self):
        """``white`` or ``black``."""
        return "white" if self.board.side == WHITE else "black"

    @property
    def chess960(self):
        """Whether castling is written and read as in Chess960."""
        return bool(self.board.chess960)

    @property
    def castling(self):
        """The castling field of the FEN, ``-`` for none."""
        return castling_field(&self.board)

    @property
    def ep_square(self):
        """The square behind a pawn that has just moved two squares, or None."""
        return None if self.board.state.en_passant == NO_SQUARE else self.board.state.en_passant

    @property
    def halfmove_clock(self):
        """Plies since the last capture or pawn move, as the FEN had it or counted on."""
        return self.board.state.halfmove_clock

    @property
    def fullmove_number(self):
        """The number of the move, from 1 in the start position."""
        # The moves of Black among those played since: every second one.
        first_was_black = (self.board.side + self.played) % 2
        return self.board.first_move_number + (self.played + first_was_black) // 2

    @property
    def key(self):
        """The Zobrist key of the Polyglot book format, 0 to 2**64 - 1."""
        return self.board.state.key

    @property
    def checkers(self):
        """The bitboard of the pieces that give check to the side to move."""
        return king_safety_of_mover(&self.board).checkers

    @property
    def pinned(self):
        """The bitboard of the side to move's pieces that alone shield their king from a slider."""
        return king_safety_of_mover(&self.board).pinned

    @property
    def is_check(self):
        """Whether the side to move is in check."""
        return self.checkers != 0

    @property
    def is_checkmate(self):
        """Whether the side to move is in check and has no legal move."""
        return self.is_check and not has_legal_move(&self.board)

    @property
    def is_stalemate(self):
        """Whether the side to move is not in check and has no legal move."""
        return not self.is_check and not has_legal_move(&self.board)

    def piece_at(self, square):
        """Return the piece on a square (0 to 63) as in FEN, ``P`` to ``k``, or None.

        Raises:
            ValueError: No such square.
        """
        return piece_symbol(&self.board, square_argument(square))

    # Moves

    def pseudo_legal_moves(self):
        """Return the moves that may leave the own king in check, in no promised order.

        Castling is among them when the right is there and the way is free.
        """
        cdef MoveList found
        pseudo_legal_moves(&self.board, &found)
        return self.as_list(&found)

    def legal_moves(self):
        """Return the legal moves, in no promised order."""
        cdef MoveList found
        legal_moves(&self.board, &found)
        return self.as_list(&found)

    cdef list as_list(self, const MoveList* found):
        cdef int index
        return [
            make_python_move(found.moves[index], self.board.chess960)
            for index in range(found.count)
        ]

    def is_legal(self, move):
        """Return whether a `Move` or a UCI text is a legal move here."""
        cdef PackedMove packed
        try:
            packed = self.resolve(move)
        except MoveError:
            return False
        return bool(self.passes_filter(packed))

    def is_legal_by_making(self, move):
        """Return the same, found the plain way: make the move and look at the king."""
        cdef PackedMove packed
        try:
            packed = self.resolve(move)
        except MoveError:
            return False
        return bool(is_legal_plain(&self.board, packed))

    cdef bint passes_filter(self, PackedMove packed):
        cdef KingSafety safety = king_safety_of_mover(&self.board)
        return is_legal_filtered(&self.board, &safety, packed)

    def parse_move(self, uci):
        """Return the legal move that a UCI text names.

        Castling may be written as the king's step (``e1g1``) or as king takes rook (``e1h1``);
        in Chess960 the first form is taken only where no other king move is meant by it.

        Raises:
            MoveError: The text is no move, or no legal one.
        """
        cdef PackedMove packed = self.resolve(uci)
        if not self.passes_filter(packed):
            raise MoveError(f"{uci} is not legal in {self.fen()}: it leaves the king in check")
        return make_python_move(packed, self.board.chess960)

    cdef int resolve(self, move) except -1:
        """The pseudo-legal move that a `Move` or a UCI text names."""
        cdef MoveList found
        cdef int index
        pseudo_legal_moves(&self.board, &found)
        if isinstance(move, Move):
            for index in range(found.count):
                if found.moves[index] == (<Move> move).packed:
                    return found.moves[index]
            raise MoveError(f"{move} is not a move in {self.fen()}")
        if not isinstance(move, str):
            raise TypeError(f"a move is a Move or a str, not {type(move).__name__}")
        moves = self.as_list(&found)
        for candidate in moves:
            if candidate.uci() == move:
                return (<Move> candidate).packed
        for candidate in moves:
            if candidate.is_castling and move in castling_spellings(candidate):
                return (<Move> candidate).packed
        raise MoveError(f"{move!r} is not a move in {self.fen()}")

    def push(self, move):
        """Play a legal move, given as `Move` or UCI text.

        Raises:
            MoveError: It is not legal here.
        """
        cdef PackedMove packed = self.resolve(move)
        if not self.passes_filter(packed):
            raise MoveError(f"{move} is not legal in {self.fen()}: it leaves the king in check")
        self.reserve()
        self.history[self.played].move = packed
        make(&self.board, packed, &self.history[self.played].undo)
        self.played += 1

    def pop(self):
        """Take back the last move played and return it.

        Raises:
            IndexError: No move was played.
        """
        if self.played == 0:
            raise IndexError("no move was played in this position")
        self.played -= 1
        unmake(&self.board, self.history[self.played].move, &self.history[self.played].undo)
        return make_python_move(self.history[self.played].move, self.board.chess960)

    cdef int reserve(self) except -1:
        """Make room for one more move in the history."""
        cdef Py_ssize_t capacity
        cdef void* grown
        if self.played < self.capacity:
            return 0
        capacity = max(64, 2 * self.capacity)
        grown = realloc(self.history, capacity * sizeof(Played))
        if grown == NULL:
            raise MemoryError
        self.history = <Played*> grown
        self.capacity = capacity
        return 0

    # For tests

    def key_from_scratch(self):
        """Return the key worked out from the pieces, for comparison with `key`."""
        return key_from_scratch(&self.board)

    def is_consistent(self):
        """Return whether all parts of the board agree with each other."""
        return bool(is_consistent(&self.board))


def castling_spellings(move):
    """Return both UCI texts of a castling move."""
    cdef Move castling = move
    return {make_python_move(castling.packed, chess960).uci() for chess960 in (False, True)}


def restore_position(fen, chess960):
    """Rebuild a pickled position."""
    return Position(fen, chess960=chess960)
