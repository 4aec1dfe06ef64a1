"""What the processor can do that this process runs on."""

cdef extern from *:
    """
    #if defined(__GNUC__) && defined(__x86_64__)
    static int perftkit_runs_v3(void) {
        __builtin_cpu_init();
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi")
            && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
    }
    /* Before Zen 3, AMD's processors carry PEXT out bit by bit, slower than a multiplication. */
    static int perftkit_has_slow_pext(void) {
        __builtin_cpu_init();
        return __builtin_cpu_is("amdfam15h") || __builtin_cpu_is("amdfam17h");
    }
    #else
    static int perftkit_runs_v3(void) { return 0; }
    static int perftkit_has_slow_pext(void) { return 0; }
    #endif
    """
    bint perftkit_runs_v3() noexcept nogil
    bint perftkit_has_slow_pext() noexcept nogil

RUNS_X86_64_V3 = bool(perftkit_runs_v3())
HAS_SLOW_PEXT = bool(perftkit_has_slow_pext())
