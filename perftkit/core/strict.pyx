"""The strict walker and its Python face."""

from libc.string cimport memset

from perftkit.core.board cimport BLACK, WHITE, Color
from perftkit.core.counts cimport Threats, counts_as_python, summed, tally_leaf, threats_to_king
from perftkit.core.legality cimport (
    ILLEGAL, LEGAL, LOOK, KingSafety, Verdict,
    castles_through_check, judge, king_attacked, king_safety, legal_moves,
)
from perftkit.core.makemove cimport Undo, make_move, remember, unmake_move
from perftkit.core.movegen cimport MoveList, generate, is_castling
from perftkit.core.position cimport Position, make_python_move
from perftkit.core.signals cimport StopFlag, flag_of, heed_signals

cdef struct Node:
    # What is worked out of a position before its moves are made.
    KingSafety safety
    Threats threats
    Undo undo


cdef inline void survey(Board* board, Node* node, const Color us) noexcept nogil:
    node.safety = king_safety(board, us)
    node.threats = threats_to_king(board, us)
    remember(board, &node.undo)


cdef inline int count_move(
    Board* board, PackedMove move, Node* node, int depth, Walk* state, const Color us
) except -1 nogil:
    """Count the leaves at `depth` plies from here that begin with `move`, if it is legal."""
    cdef Verdict verdict = judge(&node.safety, move)
    if verdict == ILLEGAL:
        return 0
    if verdict == LOOK and is_castling(move) and castles_through_check(board, move, us):
        return 0
    make_move(board, move, &node.undo, us)
    if verdict == LEGAL or not king_attacked(board, us):
        if depth == 1:
            tally_leaf(&state.tally, board, move, &node.threats, us)
        elif us == WHITE:
            walk_black(board, depth - 1, state)
        else:
            walk_white(board, depth - 1, state)
    unmake_move(board, move, &node.undo, us)
    return 0


cdef inline int count_moves(Board* board, int depth, Walk* state, const Color us) except -1 nogil:
    cdef MoveList found
    cdef Node node
    cdef int index
    heed_signals(&state.visits, state.stop)
    survey(board, &node, us)
    generate(board, &found, us)
    if depth == 1:
        # The same loop; a constant depth leaves the branches of inner nodes out of the hottest one.
        for index in range(found.count):
            count_move(board, found.moves[index], &node, 1, state, us)
    else:
        for index in range(found.count):
            count_move(board, found.moves[index], &node, depth, state, us)
    return 0


cdef int walk_white(Board* board, int depth, Walk* state) except -1 nogil:
    return count_moves(board, depth, state, WHITE)


cdef int walk_black(Board* board, int depth, Walk* state) except -1 nogil:
    return count_moves(board, depth, state, BLACK)


cdef int walk(Board* board, int depth, Walk* state) except -1 nogil:
    """Tally the leaves of the tree of `depth` plies, 1 or more, below the board.

    A signal handler that raises ends the walk with its exception and leaves the board somewhere
    in the tree: callers walk on a copy.
    """
    if board.side == WHITE:
        return walk_white(board, depth, state)
    return walk_black(board, depth, state)


cdef int walk_move(Board* board, PackedMove move, int depth, Walk* state) except -1 nogil:
    """The same for the leaves that begin with one pseudo-legal move."""
    cdef Node node
    if board.side == WHITE:
        survey(board, &node, WHITE)
        return count_move(board, move, &node, depth, state, WHITE)
    survey(board, &node, BLACK)
    return count_move(board, move, &node, depth, state, BLACK)


def count(Position position, int depth, StopFlag stop=None):
    """Return the nodes and counters of the tree of `depth` plies, 1 or more."""
    cdef Board board = position.board
    cdef Walk state
    memset(&state, 0, sizeof(state))
    state.stop = flag_of(stop)
    with nogil:
        walk(&board, depth, &state)
    return counts_as_python(summed(&state.tally))


def count_moves_apart(Position position, int depth):
    """Yield each legal move with the nodes and counters of the leaves that begin with it."""
    cdef Board board = position.board
    cdef MoveList found
    cdef Walk state
    cdef int index
    legal_moves(&board, &found)
    for index in range(found.count):
        memset(&state, 0, sizeof(state))
        with nogil:
            walk_move(&board, found.moves[index], depth, &state)
        yield (
            make_python_move(found.moves[index], board.chess960),
            *counts_as_python(summed(&state.tally)),
        )
