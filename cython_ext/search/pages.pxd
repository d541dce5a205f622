"""Large zeroed memory that costs little when it is first touched."""


cdef extern from *:
    """
    #include <stdint.h>
    #include <stdlib.h>
    #ifdef __linux__
    #include <sys/mman.h>
    #endif

    static inline void *sfida_reserve(size_t count, size_t size) {
        void *memory = calloc(count, size);
    #ifdef MADV_HUGEPAGE
        /* one fault for two megabytes instead of for four kilobytes; only a hint */
        if (memory && count * size >= ((size_t) 4 << 20)) {
            uintptr_t huge = (uintptr_t) 2 << 20;
            uintptr_t first = ((uintptr_t) memory + huge - 1) & ~(huge - 1);
            uintptr_t end = ((uintptr_t) memory + count * size) & ~(huge - 1);
            madvise((void *) first, end - first, MADV_HUGEPAGE);
        }
    #endif
        return memory;
    }
    """
    # `count` items of `size` bytes, all zero, to be given to free(); NULL when there is no memory
    void* reserve "sfida_reserve"(size_t count, size_t size) noexcept nogil
