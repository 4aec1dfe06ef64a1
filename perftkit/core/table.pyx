"""The memory of the hash table, its keys, and what Python sees of it."""

from libc.stddef cimport size_t
from libc.stdint cimport uint64_t, uintptr_t
from libc.string cimport memset

from perftkit.core.memory import free_megabytes
from perftkit.errors import HashTableError

cdef extern from *:
    """
    #if defined(_WIN32)
    #include <stdlib.h>
    static void *perftkit_reserve(size_t bytes) { return calloc(bytes, 1); }
    static void perftkit_give_back(void *memory, size_t bytes) { (void) bytes; free(memory); }
    static void perftkit_ask_for_huge_pages(void *memory, size_t bytes) {
        (void) memory; (void) bytes;
    }
    #else
    #include <sys/mman.h>
    #if !defined(MAP_ANONYMOUS)
    #define MAP_ANONYMOUS MAP_ANON
    #endif
    static void *perftkit_reserve(size_t bytes) {
        void *memory = mmap(
            NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0
        );
        return memory == MAP_FAILED ? NULL : memory;
    }
    static void perftkit_give_back(void *memory, size_t bytes) { munmap(memory, bytes); }
    static void perftkit_ask_for_huge_pages(void *memory, size_t bytes) {
    #if defined(MADV_HUGEPAGE)
        (void) madvise(memory, bytes, MADV_HUGEPAGE);
    #else
        (void) memory; (void) bytes;
    #endif
    }
    #endif
    #if defined(__GNUC__)
    static inline void perftkit_add(uint64_t *sum, uint64_t value) {
        __atomic_fetch_add(sum, value, __ATOMIC_RELAXED);
    }
    #else
    static __inline void perftkit_add(uint64_t *sum, uint64_t value) { *sum += value; }
    #endif
    """
    void* reserve "perftkit_reserve" (size_t bytes) noexcept nogil
    void give_back "perftkit_give_back" (void* memory, size_t bytes) noexcept nogil
    void ask_for_huge_pages "perftkit_ask_for_huge_pages" (
        void* memory, size_t bytes
    ) noexcept nogil
    void add "perftkit_add" (uint64_t* sum, uint64_t value) noexcept nogil

SCHEMES = {"two-slot": TWO_SLOT, "always": ALWAYS, "deeper": DEEPER}

cdef enum:
    HUGE_PAGE = 1 << 21
    WORDS_OF_MEGABYTE = 1 << 17
    MOST_MEGABYTES = 1 << 24       # where the system does not say what is free


# Keys

cdef uint64_t next_random(uint64_t* state) noexcept nogil:
    """The generator SplitMix64 of Steele, Lea and Flood (2014)."""
    cdef uint64_t z
    state[0] += 0x9E3779B97F4A7C15ULL
    z = state[0]
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL
    return z ^ (z >> 31)


cdef void fill_keys() noexcept nogil:
    cdef uint64_t state = 0
    cdef uint64_t* words = <uint64_t*> &KEYS
    cdef size_t index
    for index in range(sizeof(PositionKeys) // sizeof(uint64_t)):
        words[index] = next_random(&state)
    for index in range(sizeof(MIX) // sizeof(uint64_t)):
        MIX[index] = next_random(&state) | 1


fill_keys()


# The table

cdef class HashTable:
    """Memory in which the fast walker keeps what is below a position, for when it comes again.

    Several walks, of several threads, positions and depths, can use one table at the same time: it
    never holds anything that is not true of a position.

    Args:
        megabytes: Its size, 1 or more; any number will do.
        scheme: What a store does when its place is taken: ``two-slot`` keeps the deeper subtree in
            one slot and always replaces the other; ``always`` and ``deeper`` have one slot and do
            only the one or the other.

    Raises:
        HashTableError: The size is no such number, there is no such scheme, or there is not that
            much memory.
    """

    def __cinit__(self, megabytes, scheme="two-slot"):
        self.memory = NULL
        if scheme not in SCHEMES:
            raise HashTableError(
                f"no scheme of a hash table is called {scheme!r}: "
                f"expected one of {', '.join(SCHEMES)}"
            )
        if not isinstance(megabytes, int) or isinstance(megabytes, bool) or megabytes < 1:
            raise HashTableError(
                f"the size of a hash table is a number of megabytes from 1 on, not {megabytes!r}"
            )
        free = free_megabytes()
        if megabytes > (MOST_MEGABYTES if free is None else free):
            raise no_memory(megabytes, free)
        self.megabytes = megabytes
        self.take_memory()
        self.scheme = scheme
        self.table.scheme = SCHEMES[scheme]
        self.table.slots = 2 if self.table.scheme == TWO_SLOT else 1
        self.table.nodes_places = self.words() // (NODES_WORDS * self.table.slots)
        self.table.counts_places = self.words() // (COUNTS_WORDS * self.table.slots)
        self.table.compared = ~<uint64_t> 0

    def __dealloc__(self):
        if self.memory != NULL:
            give_back(self.memory, self.reserved)

    cdef int take_memory(self) except -1:
        cdef uintptr_t start
        self.reserved = (<size_t> self.megabytes << 20) + HUGE_PAGE
        self.memory = reserve(self.reserved)
        if self.memory == NULL:
            raise no_memory(self.megabytes, free_megabytes())
        start = (<uintptr_t> self.memory + HUGE_PAGE - 1) & ~<uintptr_t> (HUGE_PAGE - 1)
        self.table.words = <uint64_t*> start
        ask_for_huge_pages(<void*> start, <size_t> self.megabytes << 20)
        return 0

    cdef uint64_t words(self) noexcept nogil:
        return <uint64_t> self.megabytes * WORDS_OF_MEGABYTE

    cdef void add_use(self, const TableUse* use) noexcept nogil:
        add(&self.use.lookups, use.lookups)
        add(&self.use.hits, use.hits)
        add(&self.use.stores, use.stores)
        add(&self.use.kept, use.kept)
        add(&self.use.too_large, use.too_large)

    @property
    def statistics(self):
        """What all finished walks together did with the table.

        ``lookups`` and how many of them were ``hits``; ``stores``, written entries; ``kept``, how
        often a deeper subtree kept the place; ``too_large``, subtrees whose counts fit no entry.
        """
        return {
            "lookups": load(&self.use.lookups),
            "hits": load(&self.use.hits),
            "stores": load(&self.use.stores),
            "kept": load(&self.use.kept),
            "too_large": load(&self.use.too_large),
        }

    def clear(self):
        """Forget everything, the statistics too."""
        cdef uint64_t index
        with nogil:
            for index in range(self.words()):
                store(self.table.words + index, 0)
            for index in range(sizeof(TableUse) // sizeof(uint64_t)):
                store(<uint64_t*> &self.use + index, 0)

    def _compare_only(self, bits):
        """Make false hits likely, for the tests: compare the lowest bits only, up to all 64."""
        self.table.compared = (1 << bits) - 1

    def __repr__(self):
        return f"HashTable({self.megabytes}, {self.scheme!r})"


def no_memory(megabytes, free):
    """The error that there is no memory for a table."""
    rest = "" if free is None else f": {free} MB are free"
    return HashTableError(f"there is no memory for a hash table of {megabytes} MB{rest}")


def pack_entry(place, check, depth, counts):
    """The words of an entry with every counter, for the tests; None when it is not to be had."""
    cdef uint64_t[COUNTS_WORDS] words
    cdef Key key
    cdef Counts given
    cdef size_t index
    cdef int word
    key.place, key.check = place, check
    for index in range(sizeof(Counts) // sizeof(uint64_t)):
        (<uint64_t*> &given)[index] = counts[index]
    if not pack_counts(words, &key, depth, &given):
        return None
    return [words[word] for word in range(COUNTS_WORDS)]


def unpack_entry(place, check, words):
    """What a walk reads in an entry, for the tests; None when it is not the entry of the key."""
    cdef uint64_t[COUNTS_WORDS] entry
    cdef Table table
    cdef TableUse use
    cdef Key key
    cdef Counts found
    cdef size_t index
    cdef int word
    memset(&found, 0, sizeof(Counts))
    memset(&use, 0, sizeof(TableUse))
    key.place, key.check = place, check
    for word in range(COUNTS_WORDS):
        entry[word] = words[word]
    table.words = entry
    table.counts_places = table.slots = 1
    table.compared = ~<uint64_t> 0
    if not recall_counts(&table, &key, &found, &use):
        return None
    return [
        (<uint64_t*> &found)[index] for index in range(sizeof(Counts) // sizeof(uint64_t))
    ]
