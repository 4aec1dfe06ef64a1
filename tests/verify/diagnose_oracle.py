"""Generators with one bug each, by python-chess and by hand: nothing of perftkit is in here.

A bug takes a `chess.Board` and returns the list of moves that a generator with this bug has, as
UCI texts. `evidence_of` makes the evidence of it, and `mirrored` turns a case into the other
colour's.
"""

from __future__ import annotations

import chess

from perftkit.verify.diagnosis import Evidence


def board_of(fen, chess960=False):
    return chess.Board(fen, chess960=chess960)


def is_lettered(fen):
    """Whether the castling field is one of Chess960."""
    return not set(fen.split()[2]) <= set("KQkq-")


def mirrored(fen, chess960=False):
    """The same position with the colours changed and the ranks turned over."""
    board = board_of(fen, chess960).mirror()
    return board.shredder_fen() if chess960 else board.fen(en_passant="fen")


def texts(board, moves):
    return {board.uci(move) for move in moves}


def legal(board):
    return texts(board, board.legal_moves)


def evidence_of(board, claimed, **more):
    right = legal(board)
    fen = board.shredder_fen(en_passant="fen") if board.chess960 else board.fen(en_passant="fen")
    return Evidence(
        fen=fen,
        chess960=board.chess960,
        missing=tuple(sorted(right - set(claimed))),
        extra=tuple(sorted(set(claimed) - right)),
        **more,
    )


def exposing(board, wanted):
    """The list with those moves that leave the own king in check and are wanted."""
    return legal(board) | texts(board, (m for m in board.pseudo_legal_moves if wanted(m)))


def without(board, unwanted):
    return texts(board, (m for m in board.legal_moves if not unwanted(m)))


# En passant


def ep_pin(board):
    """The king is not looked at after an e.p. capture."""
    return exposing(board, lambda m: board.is_en_passant(m) and not board.is_check())


def ep_never(board):
    return without(board, board.is_en_passant)


def ep_not_in_check(board):
    return without(board, lambda m: board.is_en_passant(m) and board.is_check())


def ep_always_ends_check(board):
    return exposing(board, lambda m: board.is_en_passant(m) and board.is_check())


def ep_not_by_pinned(board):
    return without(
        board, lambda m: board.is_en_passant(m) and board.is_pinned(board.turn, m.from_square)
    )


def ep_file(file):
    """The e.p. square is another one, on this file: kept from before, or wrongly set."""

    def bug(board):
        other = board.copy()
        other.ep_square = chess.square("abcdefgh".index(file), 5 if board.turn else 2)
        return legal(other)

    return bug


def ep_to_wrong_rank(board):
    """The capture lands beside, where the captured pawn stands, instead of behind it."""
    wrong = set()
    for move in board.legal_moves:
        if board.is_en_passant(move):
            rank = chess.square_rank(move.from_square)
            back = chess.square(
                chess.square_file(move.to_square), 2 * rank - chess.square_rank(move.to_square)
            )
            wrong.add(chess.square_name(move.from_square) + chess.square_name(back))
    return ep_never(board) | wrong


def ep_sentinel(board):
    """No e.p. square is kept as the number of a8 or a1, onto which pawns then capture."""
    square = chess.A8 if board.turn else chess.A1
    pawns = board.pieces(chess.PAWN, board.turn) & chess.BB_PAWN_ATTACKS[not board.turn][square]
    return legal(board) | {_name(pawn, square) for pawn in pawns}


def ep_by_any_piece(board):
    """Every piece that can go to the e.p. square is held to take the pawn that gives check."""
    return exposing(
        board,
        lambda m: (
            board.is_check()
            and m.to_square == board.ep_square
            and board.piece_type_at(m.from_square) not in (chess.PAWN, chess.KING)
        ),
    )


# Castling


def castlings(board, *, rights=None, path=True, out=True, through=True, into=True, rook_way=False):
    """The castling moves by a rule of which parts can be switched off, as UCI texts."""
    found = set()
    us = board.turn
    king = board.king(us)
    home = chess.BB_RANK_1 if us else chess.BB_RANK_8
    for rook in chess.scan_forward((board.castling_rights if rights is None else rights) & home):
        kingside = rook > king
        base = king & ~7
        goal, rook_goal = base + (6 if kingside else 2), base + (5 if kingside else 3)
        ways = chess.between(king, goal) | chess.BB_SQUARES[goal]
        rook_ways = chess.between(rook, rook_goal) | chess.BB_SQUARES[rook_goal]
        gone = chess.BB_SQUARES[king] | chess.BB_SQUARES[rook]
        blocked = (ways | rook_ways) & board.occupied & ~gone
        mid = chess.between(king, goal)
        away = board.occupied & ~chess.BB_SQUARES[king]
        after = (board.occupied & ~gone) | chess.BB_SQUARES[rook_goal]

        def attacked(squares, occupied):
            return any(
                board.attackers_mask(not us, s, occupied) for s in chess.scan_forward(squares)
            )

        if path and blocked:
            continue
        if out and board.is_check():
            continue
        if through and attacked(mid, away):
            continue
        end = chess.BB_SQUARES[goal]
        if into and (attacked(end, away) or attacked(end, after)):
            continue
        if rook_way and attacked(rook_ways | chess.BB_SQUARES[rook], board.occupied):
            continue
        found.add(board.uci(chess.Move(king, rook if board.chess960 else goal)))
    return found


def with_castlings(**rule):
    def bug(board):
        others = {m for m in board.legal_moves if not board.is_castling(m)}
        return texts(board, others) | castlings(board, **rule)

    return bug


def castling_rights(files):
    """The mover's rooks with a right are those on these files, whatever the position says."""

    def bug(board):
        rank = 0 if board.turn else 7
        squares = [chess.square("abcdefgh".index(file), rank) for file in files]
        return with_castlings(rights=chess.SquareSet(squares).mask)(board)

    return bug


def castling_never(board):
    return without(board, board.is_castling)


def castling_never_short(board):
    return without(board, board.is_kingside_castling)


def castling_960_fixed_squares(board):
    """Chess960 castling that wants the squares of standard chess empty."""

    def blocked(move):
        if not board.is_castling(move):
            return False
        rank = move.from_square & ~7
        files = (5, 6) if board.is_kingside_castling(move) else (1, 2, 3)
        return any(board.occupied >> (rank + file) & 1 for file in files)

    return without(board, blocked)


def castling_960_rook_not_lifted(board):
    """The king's square is looked at with the rook still where it was."""
    us = board.turn
    found = legal(board)
    for rook in chess.scan_forward(
        board.castling_rights & (chess.BB_RANK_1 if us else chess.BB_RANK_8)
    ):
        king = board.king(us)
        kingside = rook > king
        goal = (king & ~7) + (6 if kingside else 2)
        rook_goal = (king & ~7) + (5 if kingside else 3)
        ways = chess.between(king, goal) | chess.between(rook, rook_goal)
        ways |= chess.BB_SQUARES[goal] | chess.BB_SQUARES[rook_goal]
        gone = chess.BB_SQUARES[king] | chess.BB_SQUARES[rook]
        if ways & board.occupied & ~gone or board.is_check():
            continue
        squares = chess.between(king, goal) | chess.BB_SQUARES[goal]
        if not any(board.is_attacked_by(not us, s) for s in chess.scan_forward(squares)):
            found.add(board.uci(chess.Move(king, rook)))
    return found


# Promotions


def no_promotion(board):
    """Pawns arrive and stay pawns."""
    return {text[:4] for text in legal(board)}


def promotion_not_found(board):
    return without(board, lambda m: m.promotion)


def queen_only(board):
    return without(board, lambda m: m.promotion and m.promotion != chess.QUEEN)


def no_knight(board):
    return without(board, lambda m: m.promotion == chess.KNIGHT)


def promotes_to_king(board):
    return legal(board) | {text[:4] + "k" for text in legal(board) if len(text) == 5}


def captures_to_queen_only(board):
    return without(
        board, lambda m: m.promotion and m.promotion != chess.QUEEN and board.is_capture(m)
    )


def capture_does_not_promote(board):
    captures = {board.uci(m) for m in board.legal_moves if m.promotion and board.is_capture(m)}
    return (legal(board) - captures) | {text[:4] for text in captures}


# Pawns


def _pawns(board):
    return chess.scan_forward(board.pawns & board.occupied_co[board.turn])


def _forward(board):
    return 8 if board.turn else -8


def _start(board, square):
    return chess.square_rank(square) == (1 if board.turn else 6)


def safe(board, text):
    """Whether a move, which may be none of chess, leaves the own king unattacked."""
    source, target = chess.parse_square(text[:2]), chess.parse_square(text[2:4])
    other = board.copy()
    piece = other.remove_piece_at(source)
    other.set_piece_at(target, piece)
    king = other.king(board.turn)
    return king is None or not other.is_attacked_by(not board.turn, king)


def added(board, found):
    return legal(board) | {text for text in found if safe(board, text)}


def _name(source, target):
    return chess.square_name(source) + chess.square_name(target)


def double_push_jumps(board):
    step = _forward(board)
    return added(
        board,
        {
            _name(s, s + 2 * step)
            for s in _pawns(board)
            if _start(board, s) and not board.occupied >> (s + 2 * step) & 1
        },
    )


def double_push_onto(board):
    step = _forward(board)
    return added(
        board,
        {
            _name(s, s + 2 * step)
            for s in _pawns(board)
            if _start(board, s)
            and not board.occupied >> (s + step) & 1
            and not board.occupied_co[board.turn] >> (s + 2 * step) & 1
        },
    )


def double_push_anywhere(board):
    step = _forward(board)
    found = set()
    for s in _pawns(board):
        middle, end = s + step, s + 2 * step
        if 8 <= end < 56 and not board.occupied >> middle & 1 and not board.occupied >> end & 1:
            found.add(_name(s, end))
    return added(board, found)


def _is_double(board, move):
    return (
        board.piece_type_at(move.from_square) == chess.PAWN
        and abs(move.from_square - move.to_square) == 16
    )


def double_push_never(board):
    return without(board, lambda m: _is_double(board, m))


def double_push_no_evasion(board):
    return without(board, lambda m: board.is_check() and _is_double(board, m))


def pawn_captures_wrap(board):
    found = set()
    for s in _pawns(board):
        for step in (7, 9):
            target = s + (step if board.turn else -step)
            takes = 8 <= target < 56 and board.occupied_co[not board.turn] >> target & 1
            if takes or (target == board.ep_square and chess.square_distance(s, target) > 1):
                found.add(_name(s, target))
    return added(board, found)


def pushes_onto_enemy(board):
    step = _forward(board)
    return added(
        board,
        {
            _name(s, s + step)
            for s in _pawns(board)
            if 8 <= s + step < 56 and board.occupied_co[not board.turn] >> (s + step) & 1
        },
    )


def pawns_capture_backwards(board):
    found = set()
    for s in _pawns(board):
        for target in chess.scan_forward(chess.BB_PAWN_ATTACKS[not board.turn][s]):
            if board.occupied_co[not board.turn] >> target & 1:
                found.add(_name(s, target))
    return added(board, found)


def pawns_capture_nothing(board):
    found = set()
    for s in _pawns(board):
        for target in chess.scan_forward(chess.BB_PAWN_ATTACKS[board.turn][s]):
            if 8 <= target < 56 and not board.occupied >> target & 1 and 16 <= s < 32:
                found.add(_name(s, target))
    return added(board, found)


def no_pawn_capture_left(board):
    """Captures towards the a file are missing."""
    return without(
        board,
        lambda m: (
            board.piece_type_at(m.from_square) == chess.PAWN
            and not m.promotion
            and not board.is_en_passant(m)
            and chess.square_file(m.to_square) < chess.square_file(m.from_square)
        ),
    )


def no_single_push(board):
    return without(
        board,
        lambda m: (
            board.piece_type_at(m.from_square) == chess.PAWN
            and abs(m.from_square - m.to_square) == 8
            and not m.promotion
        ),
    )


# Pins and checks


def _is_king(board, move):
    return board.piece_type_at(move.from_square) == chess.KING


def no_pins(board):
    return exposing(
        board,
        lambda m: (
            not board.is_check()
            and not _is_king(board, m)
            and not board.is_en_passant(m)
            and not board.is_castling(m)
        ),
    )


def pinned_evades(board):
    """In check, a pinned piece takes or blocks all the same."""
    wanted = board.checkers_mask()
    if chess.popcount(wanted) != 1:
        return legal(board)
    checker = chess.lsb(wanted)
    wanted |= chess.between(board.king(board.turn), checker)
    return exposing(board, lambda m: not _is_king(board, m) and wanted >> m.to_square & 1)


def pinned_never_move(board):
    return without(
        board,
        lambda m: (
            not _is_king(board, m)
            and not board.is_en_passant(m)
            and board.is_pinned(board.turn, m.from_square)
        ),
    )


def pinned_never_capture(board):
    """The piece that pins can't be taken by the pinned one."""
    return without(
        board,
        lambda m: (
            not _is_king(board, m)
            and board.is_pinned(board.turn, m.from_square)
            and board.is_capture(m)
        ),
    )


def checks_ignored(board):
    return exposing(
        board,
        lambda m: (
            board.checkers()
            and len(board.checkers()) == 1
            and not _is_king(board, m)
            and not board.is_en_passant(m)
        ),
    )


def no_blocks(board):
    return without(
        board,
        lambda m: (
            board.is_check()
            and not _is_king(board, m)
            and not board.checkers_mask() >> m.to_square & 1
        ),
    )


def no_captures_of_checker(board):
    return without(
        board,
        lambda m: (
            board.is_check() and not _is_king(board, m) and board.checkers_mask() >> m.to_square & 1
        ),
    )


def double_check_as_single(board):
    """In double check, only one of the two checkers is seen."""
    checkers = list(board.checkers())
    if len(checkers) < 2:
        return legal(board)
    king = board.king(board.turn)
    good = 0
    for checker in checkers:
        good |= chess.BB_SQUARES[checker] | chess.between(king, checker)
    return exposing(board, lambda m: not _is_king(board, m) and good >> m.to_square & 1)


def double_check_ignored(board):
    return exposing(board, lambda m: len(board.checkers()) > 1 and not _is_king(board, m))


# Kings


def _king_moves(board):
    king = board.king(board.turn)
    targets = chess.BB_KING_ATTACKS[king] & ~board.occupied_co[board.turn]
    return [chess.Move(king, target) for target in chess.scan_forward(targets)]


def king_anywhere(board):
    return legal(board) | texts(board, _king_moves(board))


def king_x_ray(board):
    """Attacked squares are looked at with the king still on the board."""
    return legal(board) | texts(
        board,
        (m for m in _king_moves(board) if not board.is_attacked_by(not board.turn, m.to_square)),
    )


def king_sees_no_king(board):
    """The other king attacks nothing."""
    other = board.copy()
    other.remove_piece_at(board.king(not board.turn))
    occupied = board.occupied & ~chess.BB_SQUARES[board.king(board.turn)]
    return legal(board) | texts(
        board,
        (
            m
            for m in _king_moves(board)
            if not other.attackers_mask(not board.turn, m.to_square, occupied)
        ),
    )


def king_takes_defended(board):
    return legal(board) | texts(board, (m for m in _king_moves(board) if board.is_capture(m)))


def king_blind_to(kind):
    """Men of this kind attack nothing."""

    def bug(board):
        occupied = board.occupied & ~chess.BB_SQUARES[board.king(board.turn)]
        blind = board.pieces_mask(kind, not board.turn)
        return legal(board) | texts(
            board,
            (
                m
                for m in _king_moves(board)
                if not board.attackers_mask(not board.turn, m.to_square, occupied) & ~blind
            ),
        )

    return bug


def king_does_not_capture(board):
    return without(board, lambda m: _is_king(board, m) and board.is_capture(m))


def king_shy_of_pawn_pushes(board):
    """Squares in front of the other side's pawns are held attacked."""
    step = -_forward(board)
    fronts = {s + step for s in chess.scan_forward(board.pawns & board.occupied_co[not board.turn])}
    return without(
        board,
        lambda m: _is_king(board, m) and not board.is_castling(m) and m.to_square in fronts,
    )


def king_stuck_in_check(board):
    return without(board, lambda m: _is_king(board, m) and board.is_check())


# Pieces


DIRECTIONS = {
    chess.ROOK: [(0, 1), (0, -1), (1, 0), (-1, 0)],
    chess.BISHOP: [(1, 1), (1, -1), (-1, 1), (-1, -1)],
}
DIRECTIONS[chess.QUEEN] = DIRECTIONS[chess.ROOK] + DIRECTIONS[chess.BISHOP]


def sliders(board):
    for kind, directions in DIRECTIONS.items():
        for source in board.pieces(kind, board.turn):
            yield source, directions


def sliders_run_through(board):
    """The first man on the way, of either side, does not stop a slider."""
    found = set()
    for source, directions in sliders(board):
        for df, dr in directions:
            file, rank = chess.square_file(source) + df, chess.square_rank(source) + dr
            met = 0
            while 0 <= file < 8 and 0 <= rank < 8:
                target = chess.square(file, rank)
                piece = board.piece_at(target)
                usable = piece is None or (
                    piece.color != board.turn and piece.piece_type != chess.KING
                )
                if met == 1 and usable:
                    found.add(_name(source, target))
                met += piece is not None
                file, rank = file + df, rank + dr
    return added(board, found)


def sliders_short(reach):
    def far(board, move):
        if board.piece_type_at(move.from_square) not in DIRECTIONS:
            return False
        return chess.square_distance(move.from_square, move.to_square) > reach

    return lambda board: without(board, lambda m: far(board, m))


def sliders_wrap(board):
    """Steps are added to the number of the square, and no edge is seen."""
    found = set()
    for source, directions in sliders(board):
        for df, dr in directions:
            target = source
            crossed = False
            for _ in range(7):
                after = target + df + 8 * dr
                if not 0 <= after < 64:
                    break
                crossed |= abs(chess.square_file(after) - chess.square_file(target)) > 2
                target = after
                if board.occupied_co[board.turn] >> target & 1:
                    break
                if crossed and not board.kings >> target & 1:
                    found.add(_name(source, target))
                if board.occupied >> target & 1:
                    break
    return added(board, found - legal(board))


def steps(kind, offsets):
    """Knights or kings that step by numbers of squares, without seeing an edge."""

    def bug(board):
        found = set()
        for source in board.pieces(kind, board.turn):
            for offset in offsets:
                target = source + offset
                if not 0 <= target < 64 or board.occupied_co[board.turn] >> target & 1:
                    continue
                if not board.kings >> target & 1:
                    found.add(_name(source, target))
        return added(board, found)

    return bug


KNIGHT = (6, 10, 15, 17, -6, -10, -15, -17)
KING = (1, 7, 8, 9, -1, -7, -8, -9)


def lacks_step(kind, offset):
    return lambda board: without(
        board,
        lambda m: (
            board.piece_type_at(m.from_square) == kind
            and m.to_square - m.from_square == offset
            and not board.is_castling(m)
        ),
    )


def takes_own(board):
    found = set()
    for source in chess.scan_forward(board.occupied_co[board.turn]):
        for target in chess.scan_forward(
            board.attacks_mask(source) & board.occupied_co[board.turn]
        ):
            if not board.kings >> target & 1 and board.piece_type_at(source) != chess.PAWN:
                found.add(_name(source, target))
    return added(board, found)


def takes_king(board):
    """Knights that go through anything: a king two ranks up is taken as well."""
    king = board.king(not board.turn)
    found = {
        _name(source, king)
        for source in chess.scan_forward(board.occupied_co[board.turn])
        if chess.square_distance(source, king) == 1
        and board.piece_type_at(source) not in (chess.KING,)
    }
    return legal(board) | found
