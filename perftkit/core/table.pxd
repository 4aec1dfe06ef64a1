"""The hash table: what is below a position, found again when another order of moves leads there.

Threads share it without locks. Every word is read and written at once, and the first word of an
entry is the position's key mixed with all the others, so that an entry of which two threads wrote
a part each is no entry of any position. See docs/hash.md for how sure that is.

A subtree is known by 128 bits, which hold the position, the side to move and the depth: one half
says where in the table, the other is compared, with the bits of the first that don't say where.
"""

from libc.stdint cimport uint64_t

from perftkit.core.counts cimport Counts

cdef extern from *:
    """
    #include <stdint.h>
    #if defined(__GNUC__)
    static inline uint64_t perftkit_load(const uint64_t *word) {
        return __atomic_load_n(word, __ATOMIC_RELAXED);
    }
    static inline void perftkit_store(uint64_t *word, uint64_t value) {
        __atomic_store_n(word, value, __ATOMIC_RELAXED);
    }
    /* gcc takes a function that only prefetches for one without effect, and drops its calls. */
    static inline void perftkit_prefetch(const uint64_t *word) {
        __builtin_prefetch(word);
        __asm__ volatile ("");
    }
    #else
    static __inline uint64_t perftkit_load(const uint64_t *word) {
        return *(const volatile uint64_t *) word;
    }
    static __inline void perftkit_store(uint64_t *word, uint64_t value) {
        *(volatile uint64_t *) word = value;
    }
    static __inline void perftkit_prefetch(const uint64_t *word) { (void) word; }
    #endif
    #if defined(__SIZEOF_INT128__)
    static inline uint64_t perftkit_high_half(uint64_t a, uint64_t b) {
        return (uint64_t) (((unsigned __int128) a * b) >> 64);
    }
    #else
    static __inline uint64_t perftkit_high_half(uint64_t a, uint64_t b) {
        uint64_t low = (uint32_t) a * (b & 0xFFFFFFFFu), middle = (a >> 32) * (uint32_t) b;
        uint64_t other = (uint64_t) (uint32_t) a * (b >> 32);
        uint64_t carry = (low >> 32) + (uint32_t) middle + (uint32_t) other;
        return (a >> 32) * (b >> 32) + (middle >> 32) + (other >> 32) + (carry >> 32);
    }
    #endif
    """
    uint64_t load "perftkit_load" (const uint64_t* word) noexcept nogil
    void store "perftkit_store" (uint64_t* word, uint64_t value) noexcept nogil
    void prefetch "perftkit_prefetch" (const uint64_t* word) noexcept nogil
    uint64_t high_half_of_product "perftkit_high_half" (uint64_t a, uint64_t b) noexcept nogil

cdef enum Scheme:
    # What a store does when its index is taken.
    ALWAYS = 0          # one slot an index: the newer stays
    DEEPER = 1          # one slot an index: the deeper stays, the newer of equals
    TWO_SLOT = 2        # one slot for the deeper, the other for what did not get that one

cdef enum:
    DEEPEST = 64
    # An entry of nodes only: the check, and a word of 48 bits of nodes, 4 of depth, 12 of the key.
    NODES_WORDS = 2
    COUNT_BITS = 48
    KEY_BITS = 52
    DEPTH_MASK = 15
    # An entry of every counter is one line of the processor's cache; its second word as above.
    COUNTS_WORDS = 8

cdef struct Key:
    uint64_t place
    uint64_t check

cdef struct PositionKeys:
    Key[2][6][64] piece         # by colour and type
    Key[64] right               # by the square of the rook that may castle
    Key[64] en_passant          # by the square behind the pawn
    Key[2][DEEPEST + 1] subtree     # by side to move and depth

cdef struct Table:
    uint64_t* words
    uint64_t nodes_places       # how many indices there are for entries of each kind
    uint64_t counts_places
    int scheme
    int slots                   # of an index
    uint64_t compared           # bits of keys that are compared: all, unless a test wants less

cdef struct TableUse:
    uint64_t lookups
    uint64_t hits
    uint64_t stores
    uint64_t kept               # stores that found a deeper subtree in the first slot
    uint64_t too_large          # subtrees whose counts don't fit an entry

cdef PositionKeys KEYS
cdef uint64_t[COUNTS_WORDS] MIX     # an odd factor for each word of an entry


cdef inline void mix_in(Key* key, const Key* other) noexcept nogil:
    key.place ^= other.place
    key.check ^= other.check


cdef inline uint64_t* nodes_entry(const Table* table, const Key* key) noexcept nogil:
    return table.words + high_half_of_product(key.place, table.nodes_places) * (
        NODES_WORDS * table.slots
    )


cdef inline uint64_t* counts_entry(const Table* table, const Key* key) noexcept nogil:
    return table.words + high_half_of_product(key.place, table.counts_places) * (
        COUNTS_WORDS * table.slots
    )


cdef inline void prefetch_entry(
    const Table* table, const Key* key, const bint counting
) noexcept nogil:
    cdef const uint64_t* entry
    if not counting:
        prefetch(nodes_entry(table, key))
        return
    entry = counts_entry(table, key)
    prefetch(entry)
    if table.slots == 2:
        prefetch(entry + COUNTS_WORDS)


cdef inline uint64_t depth_of(uint64_t word) noexcept nogil:
    return word >> COUNT_BITS & DEPTH_MASK


cdef inline uint64_t first_word(const Key* key, int depth, uint64_t nodes) noexcept nogil:
    return nodes | <uint64_t> (min(depth, DEPTH_MASK)) << COUNT_BITS | key.place << KEY_BITS


cdef inline uint64_t nodes_of(uint64_t word) noexcept nogil:
    return word & ((<uint64_t> 1 << COUNT_BITS) - 1)


cdef inline bint is_of(
    const Table* table, const Key* key, uint64_t check, uint64_t word
) noexcept nogil:
    """Whether an entry, whose words are no longer in its check, is the one of a key."""
    return not ((check ^ key.check) | (word >> KEY_BITS ^ (key.place & 0xFFF))) & table.compared


cdef inline bint recall_nodes(
    const Table* table, const Key* key, uint64_t* nodes, TableUse* use
) noexcept nogil:
    """Find how many leaves a subtree has; False when the table does not know."""
    cdef const uint64_t* first = nodes_entry(table, key)
    cdef const uint64_t* entry
    cdef uint64_t word
    cdef int slot
    use.lookups += 1
    for slot in range(table.slots):
        entry = first + slot * NODES_WORDS
        word = load(entry + 1)
        if is_of(table, key, load(entry) ^ word, word):
            nodes[0] = nodes_of(word)
            use.hits += 1
            return True
    return False


cdef inline uint64_t* slot_for(
    const Table* table, uint64_t* entry, int depth, int words, TableUse* use
) noexcept nogil:
    """Where a subtree is to be stored, NULL for nowhere; what it displaces may move on."""
    cdef uint64_t old
    cdef int index
    if table.scheme == ALWAYS:
        return entry
    old = load(entry + 1)
    if depth_of(old) > <uint64_t> depth:
        use.kept += 1
        return entry + words if table.scheme == TWO_SLOT else NULL
    if old and table.scheme == TWO_SLOT:
        for index in range(words):
            store(entry + words + index, load(entry + index))
    return entry


cdef inline void remember_nodes(
    const Table* table, const Key* key, int depth, uint64_t nodes, TableUse* use
) noexcept nogil:
    cdef uint64_t* entry
    cdef uint64_t word
    if nodes >> COUNT_BITS:
        use.too_large += 1
        return
    entry = slot_for(table, nodes_entry(table, key), depth, NODES_WORDS, use)
    if entry == NULL:
        return
    word = first_word(key, depth, nodes)
    store(entry, key.check ^ word)
    store(entry + 1, word)
    use.stores += 1


cdef inline uint64_t mixed(const uint64_t* words) noexcept nogil:
    """All words but the check in one. A sum of multiples: small counters must not cancel out."""
    cdef uint64_t sum = 0
    cdef int index
    for index in range(1, COUNTS_WORDS):
        sum += words[index] * MIX[index]
    return sum


cdef inline bint pack_counts(
    uint64_t* words, const Key* key, int depth, const Counts* counts
) noexcept nogil:
    """Fill the words of an entry; False when some counter does not fit."""
    if (
        counts.nodes >> COUNT_BITS | counts.captures >> COUNT_BITS
        | counts.checks >> 36 | counts.checkmates >> 28
        | counts.promotions >> 36 | counts.double_checkmates >> 28
        | counts.double_checks >> 36 | counts.discovered_checkmates >> 28
        | counts.castles_kingside >> 32 | counts.castles_queenside >> 32
        | counts.en_passant >> 32 | counts.discovered_checks >> 32
    ):
        return False
    words[1] = first_word(key, depth, counts.nodes)
    words[2] = counts.captures | key.place >> 12 << COUNT_BITS
    words[3] = counts.checks | counts.checkmates << 36
    words[4] = counts.promotions | counts.double_checkmates << 36
    words[5] = counts.double_checks | counts.discovered_checkmates << 36
    words[6] = counts.castles_kingside | counts.castles_queenside << 32
    words[7] = counts.en_passant | counts.discovered_checks << 32
    words[0] = key.check ^ mixed(words)
    return True


cdef inline void add_packed(Counts* counts, const uint64_t* words) noexcept nogil:
    cdef uint64_t bits_36 = (<uint64_t> 1 << 36) - 1
    cdef uint64_t bits_32 = (<uint64_t> 1 << 32) - 1
    counts.nodes += nodes_of(words[1])
    counts.captures += nodes_of(words[2])
    counts.checks += words[3] & bits_36
    counts.checkmates += words[3] >> 36
    counts.promotions += words[4] & bits_36
    counts.double_checkmates += words[4] >> 36
    counts.double_checks += words[5] & bits_36
    counts.discovered_checkmates += words[5] >> 36
    counts.castles_kingside += words[6] & bits_32
    counts.castles_queenside += words[6] >> 32
    counts.en_passant += words[7] & bits_32
    counts.discovered_checks += words[7] >> 32


cdef inline bint recall_counts(
    const Table* table, const Key* key, Counts* counts, TableUse* use
) noexcept nogil:
    """Add what is known of a subtree to the counts; False when the table does not know."""
    cdef const uint64_t* first = counts_entry(table, key)
    cdef const uint64_t* entry
    cdef uint64_t[COUNTS_WORDS] words
    cdef int slot, index
    use.lookups += 1
    for slot in range(table.slots):
        entry = first + slot * COUNTS_WORDS
        for index in range(COUNTS_WORDS):
            words[index] = load(entry + index)
        if is_of(table, key, words[0] ^ mixed(words), words[1]) and not (
            (words[2] >> COUNT_BITS ^ key.place >> 12) & 0xFFFF & table.compared
        ):
            add_packed(counts, words)
            use.hits += 1
            return True
    return False


cdef inline void remember_counts(
    const Table* table, const Key* key, int depth, const Counts* counts, TableUse* use
) noexcept nogil:
    cdef uint64_t[COUNTS_WORDS] words
    cdef uint64_t* entry
    cdef int index
    if not pack_counts(words, key, depth, counts):
        use.too_large += 1
        return
    entry = slot_for(table, counts_entry(table, key), depth, COUNTS_WORDS, use)
    if entry == NULL:
        return
    for index in range(COUNTS_WORDS):
        store(entry + index, words[index])
    use.stores += 1


cdef class HashTable:
    cdef Table table
    cdef TableUse use
    cdef void* memory
    cdef size_t reserved
    cdef readonly Py_ssize_t megabytes
    cdef readonly str scheme

    cdef int take_memory(self) except -1
    cdef uint64_t words(self) noexcept nogil
    cdef void add_use(self, const TableUse* use) noexcept nogil
