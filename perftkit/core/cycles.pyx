"""Counters of the processor's cycles, where the system lets a program read them."""

cdef extern from *:
    """
    #if defined(__linux__) && defined(__has_include)
    #if __has_include(<linux/perf_event.h>)     /* Alpine has the kernel's headers apart */
    #define PERFTKIT_HAS_PERF_EVENTS
    #endif
    #endif
    #if defined(PERFTKIT_HAS_PERF_EVENTS)
    #include <linux/perf_event.h>
    #include <string.h>
    #include <sys/syscall.h>
    #include <unistd.h>
    /* A file that counts what this process and its later threads do outside the kernel. */
    static int perftkit_perf_event(unsigned int type, unsigned long long config) {
        struct perf_event_attr attr;
        memset(&attr, 0, sizeof attr);
        attr.size = sizeof attr;
        attr.type = type;
        attr.config = config;
        attr.inherit = 1;
        attr.exclude_kernel = 1;
        attr.exclude_hv = 1;
        return (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
    }
    #else
    static int perftkit_perf_event(unsigned int type, unsigned long long config) { return -1; }
    #endif

    #if defined(__GNUC__) && defined(__x86_64__)
    #include <cpuid.h>
    #include <x86intrin.h>
    /* Only where it runs at one rate, whatever the processor's clock does. */
    static int perftkit_has_ticks(void) {
        unsigned int a, b, c, d;
        return __get_cpuid(0x80000007u, &a, &b, &c, &d) && (d & 1u << 8);
    }
    static unsigned long long perftkit_ticks(void) { return __rdtsc(); }
    #else
    static int perftkit_has_ticks(void) { return 0; }
    static unsigned long long perftkit_ticks(void) { return 0; }
    #endif
    """
    int perftkit_perf_event(unsigned int type, unsigned long long config) noexcept nogil
    bint perftkit_has_ticks() noexcept nogil
    unsigned long long perftkit_ticks() noexcept nogil

HAS_TICKS = bool(perftkit_has_ticks())


def open_event(unsigned int type, unsigned long long config) -> int:
    """Return a file descriptor of Linux's perf events, or -1 where there is none to be had."""
    return perftkit_perf_event(type, config)


def ticks() -> int:
    """Return the time stamp counter, whose rate is constant; always 0 without `HAS_TICKS`."""
    return perftkit_ticks()
