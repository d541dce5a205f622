"""What the processor can do."""


cdef extern from *:
    """
    #if defined(__x86_64__) && defined(__GNUC__)
    static int sfida_runs_avx2(void) {
        __builtin_cpu_init();                   /* looks at what the operating system saves, too */
        if (!__builtin_cpu_supports("popcnt") || !__builtin_cpu_supports("avx2")) return 0;
        if (!__builtin_cpu_supports("bmi") || !__builtin_cpu_supports("bmi2")) return 0;
        /* Zen and Zen 2 take hundreds of cycles for a pdep */
        return !__builtin_cpu_is("znver1") && !__builtin_cpu_is("znver2");
    }
    #else
    static int sfida_runs_avx2(void) { return 0; }
    #endif
    """
    # every instruction of AVX2 in setup.py, none of them slow
    bint runs_avx2 "sfida_runs_avx2"() noexcept nogil
