"""Reading and writing FEN, with every fault of a position reported at once.

    placement side castling en-passant [halfmove-clock fullmove-number]

The castling field is KQkq; in Chess960 also X-FEN (KQkq means the outermost rook on that side of
the king) and Shredder-FEN (the file letter of the rook). File letters that standard chess does not
have make the position a Chess960 position; KQkq never does.
"""

import re

from perftkit.core.bitboard cimport (
    NO_SQUARE, Bitboard, Square, bit, lsb, more_than_one, msb, rank_mask,
)
from perftkit.core.board cimport (
    BLACK, KING, NO_PIECE, PAWN, ROOK, WHITE, Color,
    attackers, castling_right, clear_board, color_at, grant_castling, has_piece, king_square,
    occupied, opponent, pieces, put_piece,
)
from perftkit.core.zobrist cimport en_passant_key_from_scratch, key_from_scratch

from perftkit.errors import Fault, FenError

PIECES = "PpNnBbRrQqKk"         # 2 * type + colour
FILES = "abcdefgh"
COLORS = ("white", "black")
LONGEST = 200                   # characters; the longest valid FEN has about 110
MAX_CLOCK = 65535
MAX_MOVE_NUMBER = 4294967295    # both larger than any game's, and small enough to count on from

FIELDS = (
    "placement", "side", "castling", "en-passant", "halfmove-clock", "fullmove-number",
)


cdef str square_name(Square square):
    return f"{FILES[square & 7]}{(square >> 3) + 1}"


cdef class FenReader:
    """One reading of one FEN: fills a board and collects the faults."""

    cdef Board* board
    cdef str fen
    cdef object chess960        # True, False, or None: follows from the castling field
    cdef list faults
    cdef set unreadable         # columns of which the one fault is said already
    cdef str field              # being read
    cdef int column             # of the field's first character, from 1
    cdef bint placed            # 64 squares were read
    cdef int[64] offsets        # of each square's piece in the placement
    cdef bint sided             # the side to move was read

    cdef fault(self, str name, int offset, str message):
        if self.column + offset in self.unreadable:
            return
        self.faults.append(Fault(name, self.field, self.column + offset, message))

    cdef bint has_one_king(self, Color color):
        cdef Bitboard kings = pieces(self.board, color, KING)
        return kings != 0 and not more_than_one(kings)

    cdef read(self):
        self.field = "fen"
        self.column = 1
        if not self.check_text():
            return
        found = [(match.group(), match.start() + 1) for match in re.finditer("[^ \t]+", self.fen)]
        readers = (
            self.read_placement, self.read_side, self.read_castling, self.read_en_passant,
            self.read_halfmove_clock, self.read_fullmove_number,
        )
        for name, reader, (text, column) in zip(FIELDS, readers, found):
            self.field = name
            self.column = column
            if name == "placement" or self.unreadable.isdisjoint(
                range(column, column + len(text))
            ):
                reader(text)
        self.check_field_count(found)
        self.check_opponent_not_in_check(found)

    cdef bint check_text(self):
        cdef Py_UCS4 character
        cdef int index
        if len(self.fen) > LONGEST:
            self.fault(
                "too-long", LONGEST,
                f"a FEN has at most {LONGEST} characters, this has {len(self.fen)}",
            )
            return False
        for index, character in enumerate(self.fen):
            if not (32 <= character < 127 or character == 9):
                self.fault(
                    "bad-character", index,
                    f"a FEN has only printable ASCII characters, not {ascii(character)}",
                )
                self.unreadable.add(index + 1)
        if not self.fen.strip(" \t"):
            self.fault("empty", 0, "the FEN is empty: expected a placement such as 8/8/…, "
                       "the side to move, castling and en passant")
            return False
        return True

    cdef check_field_count(self, list found):
        if len(found) in (4, 6):
            return
        self.field = "fen"
        if len(found) < 4:
            self.column = len(self.fen) + 1
            self.fault("field-count", 0, f"the FEN ends before its {FIELDS[len(found)]} field")
        elif len(found) == 5:
            self.column = len(self.fen) + 1
            self.fault("field-count", 0, "a FEN has four or six fields: the halfmove clock is "
                       "there, the fullmove number is not")
        else:
            self.column = found[6][1]
            self.fault("field-count", 0, f"a FEN has four or six fields, not {len(found)}")

    # Placement

    def read_placement(self, str text):
        cdef int rank = 7, start = 0
        ranks = text.split("/")
        if len(ranks) != 8:
            self.fault("rank-count", 0, f"the board has 8 ranks, not {len(ranks)}")
        for line in ranks[:8]:
            self.read_rank(line, rank, start)
            start += len(line) + 1
            rank -= 1
        self.placed = not self.faults
        self.check_kings()
        self.check_pawns()

    cdef read_rank(self, str line, int rank, int start):
        cdef int file = 0, offset = start, piece
        cdef bint readable = True
        for symbol in line:
            if symbol in "12345678":
                file += int(symbol)
            elif symbol in "09":
                readable = False
                self.fault("bad-digit", offset, f"{symbol} can't be a run of empty squares: "
                           "expected 1 to 8")
            else:
                piece = PIECES.find(symbol)
                if piece < 0:
                    readable = False
                    self.fault("bad-piece", offset, f"{symbol!r} is no piece: expected one of "
                               "PNBRQK, pnbrqk or a digit 1 to 8")
                elif file < 8:
                    put_piece(self.board, 8 * rank + file, piece >> 1, piece & 1)
                    self.offsets[8 * rank + file] = offset
                file += 1
            offset += 1
        if readable and file != 8:
            self.fault("rank-length", start, f"rank {rank + 1} has {file} files, not 8")

    cdef check_kings(self):
        cdef int color
        cdef Bitboard kings
        for color in (WHITE, BLACK):
            kings = pieces(self.board, color, KING)
            if not kings:
                self.fault("no-king", 0, f"{COLORS[color]} has no king")
            elif more_than_one(kings):
                self.fault(
                    "too-many-kings", self.second_offset(kings),
                    f"{COLORS[color]} has {bin(kings).count('1')} kings, not one",
                )

    cdef int second_offset(self, Bitboard squares):
        """Where in the text the second of several pieces stands."""
        return sorted([self.offsets[square] for square in range(64) if squares & bit(square)])[1]

    cdef check_pawns(self):
        cdef Bitboard stranded = self.board.by_type[PAWN] & (rank_mask(0) | rank_mask(7))
        cdef Square square
        for square in range(64):
            if stranded & bit(square):
                self.fault("pawn-on-last-rank", self.offsets[square],
                           f"a pawn can't stand on {square_name(square)}")

    # Side to move

    def read_side(self, str text):
        if text not in ("w", "b"):
            self.fault("bad-side", 0, f"the side to move is w or b, not {text!r}")
            return
        self.board.side = WHITE if text == "w" else BLACK
        self.sided = True

    cdef check_opponent_not_in_check(self, list found):
        cdef Color us = self.board.side, them = opponent(us)
        if not (self.placed and self.sided and self.has_one_king(us) and self.has_one_king(them)):
            return
        if not attackers(self.board, king_square(self.board, them), us, occupied(self.board)):
            return
        self.field = "side"
        self.column = found[1][1]
        self.fault("opponent-in-check", 0, f"it is {COLORS[us]}'s turn and the {COLORS[them]} "
                   f"king on {square_name(king_square(self.board, them))} is in check")

    # Castling rights

    def read_castling(self, str text):
        cdef int offset
        if text == "-":
            self.board.chess960 = bool(self.chess960)
            return
        for offset, symbol in enumerate(text):
            if symbol not in "KQkqABCDEFGHabcdefgh":
                self.fault("bad-castling", offset, f"{symbol!r} is no castling right: expected "
                           "-, or letters of KQkq, or in Chess960 the files A to H, a to h")
        lettered = any(symbol not in "KQkq" for symbol in text)
        self.board.chess960 = lettered if self.chess960 is None else bool(self.chess960)
        if not self.placed:
            return
        for offset, symbol in enumerate(text):
            if symbol in "KQkqABCDEFGHabcdefgh":
                self.read_right(symbol, offset)

    cdef read_right(self, str symbol, int offset):
        cdef Color color = WHITE if symbol.isupper() else BLACK
        cdef Square king, rook
        if not self.has_one_king(color):
            return
        king = king_square(self.board, color)
        if not self.king_is_in_place(symbol, offset, color, king):
            return
        rook = self.find_rook(symbol, color, king)
        if rook == NO_SQUARE or not has_piece(self.board, rook, ROOK, color):
            self.fault("castling-without-rook", offset, f"the castling right {symbol} has no "
                       f"{COLORS[color]} rook to castle with{self.advice()}")
        elif self.board.state.castling >> castling_right(color, rook > king) & 1:
            self.fault("repeated-castling", offset, f"{symbol} is a second right to castle on "
                       "the same side")
        else:
            grant_castling(self.board, color, rook, rook > king)

    cdef bint king_is_in_place(self, str symbol, int offset, Color color, Square king):
        if self.board.chess960:
            if king >> 3 == 7 * color:
                return True
            home = f"rank {7 * color + 1}"
        else:
            if king == 4 + 56 * color:
                return True
            home = square_name(4 + 56 * color)
        self.fault("castling-without-king", offset, f"the castling right {symbol} needs the "
                   f"{COLORS[color]} king on {home}, it stands on {square_name(king)}"
                   f"{self.advice()}")
        return False

    cdef str advice(self):
        return "" if self.board.chess960 else " (if this is Chess960, say so)"

    cdef Square find_rook(self, str symbol, Color color, Square king):
        """The square of the rook that a right names, or NO_SQUARE."""
        cdef Square corner
        cdef Bitboard rooks
        name = symbol.upper()
        if name not in "KQ":
            # The king's own file names no rook; in standard chess only the corners have one.
            corner = FILES.index(symbol.lower()) + 56 * color
            if self.board.chess960 or corner & 7 == 0 or corner & 7 == 7:
                return corner
            return NO_SQUARE
        if not self.board.chess960:
            return (7 if name == "K" else 0) + 56 * color
        rooks = pieces(self.board, color, ROOK) & rank_mask(7 * color)
        if name == "K":
            rooks &= ~(bit(king) - 1)
            return msb(rooks)
        rooks &= bit(king) - 1
        return lsb(rooks)

    # En passant

    def read_en_passant(self, str text):
        cdef Square target
        if text == "-":
            return
        if len(text) != 2 or text[0] not in FILES or text[1] not in "12345678":
            self.fault("bad-en-passant", 0, f"{text!r} is no en passant square: expected - or a "
                       "square such as e3")
            return
        if not self.sided:
            return
        target = FILES.index(text[0]) + 8 * (int(text[1]) - 1)
        reason = self.why_not_en_passant(target)
        if reason:
            self.fault("impossible-en-passant", 0,
                       f"{text} can't be an en passant square: {reason}")
            return
        self.board.state.en_passant = target

    cdef str why_not_en_passant(self, Square target):
        cdef Color us = self.board.side, them = opponent(us)
        cdef int rank = 5 if us == WHITE else 2
        # The pawn came from the far side of the target and stands on the near side of it.
        cdef Square pawn = target ^ 8, origin = pawn + (16 if us == WHITE else -16)
        if target >> 3 != rank:
            return f"with {COLORS[us]} to move it is on rank {rank + 1}"
        if not self.placed:
            return None
        if not has_piece(self.board, pawn, PAWN, them):
            return f"no {COLORS[them]} pawn on {square_name(pawn)}"
        if self.board.mailbox[target] != NO_PIECE:
            return "a piece stands on it"
        if self.board.mailbox[origin] != NO_PIECE:
            return f"the pawn can't have come from {square_name(origin)}, a piece stands there"
        return None

    # Clocks

    def read_halfmove_clock(self, str text):
        self.board.state.halfmove_clock = self.read_number(text, MAX_CLOCK)

    def read_fullmove_number(self, str text):
        self.board.first_move_number = self.read_number(text, MAX_MOVE_NUMBER)

    cdef long long read_number(self, str text, long long largest):
        if text.isdigit() and len(text) <= 10 and int(text) <= largest:
            return int(text)
        self.fault("bad-clock", 0,
                   f"the {self.field} is a number from 0 to {largest}, not {text!r}")
        return 0


cdef int read_fen(Board* board, object fen, object chess960) except -1:
    """Fill a board from a FEN.

    Args:
        board: Overwritten.
        fen: The text.
        chess960: True, False, or None where the castling field decides.

    Raises:
        FenError: With every fault.
        TypeError: `fen` is no str.
    """
    cdef FenReader reader = FenReader()
    if not isinstance(fen, str):
        raise TypeError(f"a FEN is a str, not {type(fen).__name__}")
    clear_board(board)
    reader.board = board
    reader.fen = fen
    reader.chess960 = chess960
    reader.faults = []
    reader.unreadable = set()
    reader.read()
    if reader.faults:
        raise FenError(fen, sorted(reader.faults, key=column_of))
    board.state.en_passant_key = en_passant_key_from_scratch(board)
    board.state.key = key_from_scratch(board)
    return 0


def column_of(fault):
    """Return where a fault is, to sort by."""
    return fault.column


cdef str write_fen(ConstBoard board, object fullmove_number):
    """Write the six fields.

    Castling rights are written as KQkq, in Chess960 as the rooks' file letters; clocks are never
    larger than can be read again.
    """
    return " ".join((
        placement(board),
        "wb"[board.side],
        castling_field(board),
        "-" if board.state.en_passant == NO_SQUARE else square_name(board.state.en_passant),
        str(min(board.state.halfmove_clock, MAX_CLOCK)),
        str(min(fullmove_number, MAX_MOVE_NUMBER)),
    ))


cdef str piece_symbol(ConstBoard board, Square square):
    """The piece on a square as FEN has it, or None."""
    if board.mailbox[square] == NO_PIECE:
        return None
    return PIECES[2 * board.mailbox[square] + color_at(board, square)]


cdef str placement(ConstBoard board):
    cdef int rank, file
    cdef list ranks = []
    for rank in range(7, -1, -1):
        line = ""
        for file in range(8):
            line += piece_symbol(board, 8 * rank + file) or "."
        ranks.append(re.sub(r"\.+", lambda run: str(len(run.group())), line))
    return "/".join(ranks)


cdef str castling_field(ConstBoard board):
    cdef int right
    cdef str letters = ""
    for right in range(4):
        if not board.state.castling >> right & 1:
            continue
        if board.chess960:
            letter = FILES[board.castling_rook[right] & 7]
            letters += letter.upper() if right >> 1 == WHITE else letter
        else:
            letters += "KQkq"[right]
    return letters or "-"
