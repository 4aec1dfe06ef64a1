"""Flags that end counts on other threads."""

from cpython.exc cimport PyErr_CheckSignals

# One thread raises a flag while others read it, without the interpreter's lock.
cdef extern from *:
    """
    #if defined(__GNUC__) || defined(__clang__)
    #define perftkit_read_flag(flag) __atomic_load_n(flag, __ATOMIC_RELAXED)
    #define perftkit_raise_flag(flag) __atomic_store_n(flag, 1, __ATOMIC_RELAXED)
    #else
    #define perftkit_read_flag(flag) (*(const volatile int *)(flag))
    #define perftkit_raise_flag(flag) ((void)(*(volatile int *)(flag) = 1))
    #endif
    """
    int read_flag "perftkit_read_flag"(const int* flag) nogil
    void raise_flag "perftkit_raise_flag"(int* flag) nogil


class StoppedError(Exception):
    """Ends a count whose flag was raised."""


cdef class StopFlag:
    """Ends the counts that were given it, on whichever threads they run."""

    def set(self):
        """Raise the flag; it stays raised."""
        raise_flag(&self.raised)

    def is_set(self):
        """Return whether it was raised."""
        return read_flag(&self.raised) != 0


cdef const int* flag_of(StopFlag stop) noexcept:
    """Where a walk reads the flag, NULL for None; the caller keeps the flag alive."""
    return NULL if stop is None else &stop.raised


cdef int ask_to_end(const int* stop) except -1 nogil:
    if stop == NULL:
        with gil:
            return PyErr_CheckSignals()
    if read_flag(stop):
        with gil:
            raise StoppedError
    return 0
