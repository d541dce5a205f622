"""Choice of a module's build: the portable one, or the one for the instructions of newer processors.

A portable build for x86-64 contains some modules twice (`FASTER` in setup.py). Both do exactly the same; the one in
the folder `avx2` of its package is faster. `SFIDA_INSTRUCTIONS=portable` selects the portable one.
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
    """
    # every instruction of AVX2 in setup.py is available and fast
    bint runs_avx2 "sfida_runs_avx2"() noexcept nogil


def has_avx2():
    """Return whether the modules in folders `avx2` run here, and run faster."""
    return bool(runs_avx2())


def with_faster(path):
    """Return the folders of a package, preceded by the folders of faster modules that run here."""
    folders = list(path)
    if os.environ.get("SFIDA_INSTRUCTIONS") == "portable" or not has_avx2():
        return folders
    return [found for folder in folders if os.path.isdir(found := os.path.join(folder, "avx2"))] + folders
