# The part of the fast walker's body that goes by a hash table: see hashed.pxd.

cdef int expand_white(
    const Snapshot* at, const Key* key, int depth, HashedWalk* walk
) except -1 nogil:
    return expand(at, key, depth, walk, WHITE)


cdef int expand_black(
    const Snapshot* at, const Key* key, int depth, HashedWalk* walk
) except -1 nogil:
    return expand(at, key, depth, walk, BLACK)


cdef inline int count_below(
    const Snapshot* at, const Key* key, int depth, HashedWalk* walk, const Color us
) except -1 nogil:
    if depth > LEAST_HASHED:
        if us == WHITE:
            return expand_white(at, key, depth, walk)
        return expand_black(at, key, depth, walk)
    if us == WHITE:
        if walk.counting:
            return count_white(at, depth, &walk.walk)
        return nodes_white(at, depth, &walk.walk)
    if walk.counting:
        return count_black(at, depth, &walk.walk)
    return nodes_black(at, depth, &walk.walk)


cdef inline Counts grown(const Counts* after, const Counts* before) noexcept nogil:
    """What was counted in between."""
    cdef Counts counts
    counts.nodes = after.nodes - before.nodes
    counts.captures = after.captures - before.captures
    counts.en_passant = after.en_passant - before.en_passant
    counts.castles_kingside = after.castles_kingside - before.castles_kingside
    counts.castles_queenside = after.castles_queenside - before.castles_queenside
    counts.promotions = after.promotions - before.promotions
    counts.checks = after.checks - before.checks
    counts.discovered_checks = after.discovered_checks - before.discovered_checks
    counts.double_checks = after.double_checks - before.double_checks
    counts.checkmates = after.checkmates - before.checkmates
    counts.discovered_checkmates = after.discovered_checkmates - before.discovered_checkmates
    counts.double_checkmates = after.double_checkmates - before.double_checkmates
    return counts


cdef int refuse_to_wrap() except -1 nogil:
    with gil:
        raise OverflowError("there are more than 2**64 leaves")


cdef inline int look_up_counts(
    const Queued* queued, int depth, HashedWalk* walk, const Color us
) except -1 nogil:
    cdef Counts before, found
    if recall_counts(&walk.table, &queued.subtree, &walk.walk.counts, &walk.use):
        return 0
    before = walk.walk.counts
    count_below(&queued.at, &queued.key, depth, walk, us)
    found = grown(&walk.walk.counts, &before)
    remember_counts(&walk.table, &queued.subtree, depth, &found, &walk.use)
    return 0


cdef inline int look_up_nodes(
    const Queued* queued, int depth, HashedWalk* walk, const Color us
) except -1 nogil:
    cdef uint64_t nodes
    if recall_nodes(&walk.table, &queued.subtree, &nodes, &walk.use):
        walk.walk.counts.nodes += nodes
        return 0
    nodes = walk.walk.counts.nodes
    count_below(&queued.at, &queued.key, depth, walk, us)
    nodes = walk.walk.counts.nodes - nodes
    remember_nodes(&walk.table, &queued.subtree, depth, nodes, &walk.use)
    return 0


cdef inline int look_up(
    const Queued* queued, int depth, HashedWalk* walk, const Color us
) except -1 nogil:
    """Count what is below a position, by the table if it knows."""
    cdef uint64_t before = walk.walk.counts.nodes
    if walk.counting:
        look_up_counts(queued, depth, walk, us)
    else:
        look_up_nodes(queued, depth, walk, us)
    # No counter is larger than the nodes, and no entry holds more than 2^48 of them.
    return refuse_to_wrap() if walk.walk.counts.nodes < before else 0


cdef inline int expand(
    const Snapshot* at, const Key* key, int depth, HashedWalk* walk, const Color us
) except -1 nogil:
    """Count what is below the children of a position."""
    cdef Queued* first = walk.end
    cdef Queued* last
    cdef Queued* child = first
    # In a fresh table each look-up may wait for the system to hand out a page.
    ask_to_end(walk.walk.stop)
    walk.key = key[0]
    visit_moves(at, depth, &walk.walk, us, False, QUEUEING)
    last = walk.end
    while child != last:
        look_up(child, depth - 1, walk, opponent(us))
        child += 1
    walk.end = first
    return 0


cdef int walk_hashed(
    const Board* board, int depth, bint counting, HashTable table, HashedWalk* walk, StopFlag stop
) except -1:
    """Count from a board, each subtree of two plies or more by the table if it knows."""
    cdef Queued root
    cdef Queued* queue = <Queued*> malloc(<size_t> depth * MAX_MOVES * sizeof(Queued))
    if queue == NULL:
        raise MemoryError
    memset(walk, 0, sizeof(HashedWalk))
    set_out(board, &root.at, &walk.walk, stop)
    walk.table = table.table
    walk.counting = counting
    walk.end = queue
    root.key = key_of(&root.at)
    root.subtree = subtree_key(&root.at, &root.key, depth, board.side)
    try:
        with nogil:
            if board.side == WHITE:
                look_up(&root, depth, walk, WHITE)
            else:
                look_up(&root, depth, walk, BLACK)
    finally:
        free(queue)
        table.add_use(&walk.use)
    return 0
