"""Ctrl-C during a count that does not hold the interpreter's lock."""

from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport uint32_t

cdef enum:
    # Inner nodes of a tree between two looks: some milliseconds of work at the most.
    VISITS_BETWEEN_SIGNALS = 1024


cdef inline int heed_signals(uint32_t* visits) except -1 nogil:
    """Let Python's signal handlers run now and then; what they raise ends the walk."""
    visits[0] += 1
    if visits[0] % VISITS_BETWEEN_SIGNALS:
        return 0
    with gil:
        return PyErr_CheckSignals()
