"""What the processor can do that this process runs on, and what compiled the core."""

cdef extern from *:
    """
    #if defined(__GNUC__) && defined(__x86_64__)
    #include <cpuid.h>
    /* Everything that a compiler may use at the level x86-64-v3, not only what the walker asks for.
       The system must save the wide registers too, which __builtin_cpu_supports asks for AVX2. */
    static int perftkit_runs_v3(void) {
        unsigned int a, b, c, d;
        const unsigned int fma_movbe_f16c = 1u << 12 | 1u << 22 | 1u << 29, lzcnt = 1u << 5;
        __builtin_cpu_init();
        if (!(__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi")
            && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt")))
            return 0;
        if (!__get_cpuid(1, &a, &b, &c, &d) || (c & fma_movbe_f16c) != fma_movbe_f16c)
            return 0;
        return __get_cpuid(0x80000001u, &a, &b, &c, &d) && (c & lzcnt);
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

    #if defined(__clang__)
    #define PERFTKIT_COMPILER "clang " __clang_version__
    #elif defined(__GNUC__)
    #define PERFTKIT_COMPILER "gcc " __VERSION__
    #elif defined(_MSC_VER)
    #define PERFTKIT_STRINGIFY(text) #text
    #define PERFTKIT_STRING(text) PERFTKIT_STRINGIFY(text)
    #define PERFTKIT_COMPILER "MSVC " PERFTKIT_STRING(_MSC_FULL_VER)
    #else
    #define PERFTKIT_COMPILER "an unknown compiler"
    #endif
    #ifndef PERFTKIT_FLAGS
    #define PERFTKIT_FLAGS ""
    #endif
    """
    bint perftkit_runs_v3() noexcept nogil
    bint perftkit_has_slow_pext() noexcept nogil
    const char* PERFTKIT_COMPILER
    const char* PERFTKIT_FLAGS

RUNS_X86_64_V3 = bool(perftkit_runs_v3())
HAS_SLOW_PEXT = bool(perftkit_has_slow_pext())
COMPILER = PERFTKIT_COMPILER.decode("ascii", "replace").strip()
FLAGS = PERFTKIT_FLAGS.decode("ascii", "replace").strip()
