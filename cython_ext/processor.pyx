"""Choice of a module's build: the portable one, or the one for the instructions of newer processors.

A portable build for x86-64 needs SSE4.2 and POPCNT, which every processor since 2009 has. It contains some modules
twice (`FASTER` in setup.py). Both do exactly the same; the one in the folder `avx2` of its package is faster.
`SFIDA_INSTRUCTIONS=portable` selects the portable one.
"""

import os


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
    #if defined(SFIDA_BASELINE) && defined(__GNUC__)
    static int sfida_runs_baseline(void) {
        __builtin_cpu_init();
        return __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("sse4.2");
    }
    #else
    static int sfida_runs_baseline(void) { return 1; }
    #endif
    """
    bint runs_baseline "sfida_runs_baseline"() noexcept nogil
    # every instruction of AVX2 in setup.py is available and fast
    bint runs_avx2 "sfida_runs_avx2"() noexcept nogil


def check_baseline(able=None):
    """Refuse a processor that lacks the instructions of this build; raises ImportError.

    Parameters
    ----------
    able : bool, optional
        Whether it has them; by default the processor is asked.
    """
    if not (runs_baseline() if able is None else able):
        raise ImportError("this build of Sfida needs a processor with SSE4.2 and POPCNT, which x86-64 has had since "
                          "2009; build it from source on this machine with SFIDA_NATIVE=1")


def has_avx2():
    """Return whether the modules in folders `avx2` run here, and run faster."""
    return bool(runs_avx2())


def with_faster(path):
    """Return the folders of a package, preceded by the folders of faster modules that run here."""
    folders = list(path)
    if os.environ.get("SFIDA_INSTRUCTIONS") == "portable" or not has_avx2():
        return folders
    return [found for folder in folders if os.path.isdir(found := os.path.join(folder, "avx2"))] + folders
