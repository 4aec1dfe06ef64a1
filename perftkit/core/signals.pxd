"""Ending a count early: Ctrl-C, or whoever started it on another thread."""

from libc.stdint cimport uint32_t

cdef enum:
    # Inner nodes of a tree between two looks: some milliseconds of work at the most.
    VISITS_BETWEEN_SIGNALS = 1024


cdef class StopFlag:
    cdef int raised


cdef const int* flag_of(StopFlag stop) noexcept
cdef int ask_to_end(const int* stop) except -1 nogil


cdef inline int heed_signals(uint32_t* visits, const int* stop) except -1 nogil:
    """Look up now and then whether the walk is to end; what is raised then ends it.

    Without a flag (NULL) Python's signal handlers run, as they do on the main thread alone.
    """
    visits[0] += 1
    if visits[0] % VISITS_BETWEEN_SIGNALS:
        return 0
    return ask_to_end(stop)
