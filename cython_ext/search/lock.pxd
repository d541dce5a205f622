"""A lock for sections of a few microseconds, and waiting without a system call, for nogil code.

Threads that share a tree meet every few microseconds; putting one to sleep and waking it takes longer than
what it waits for. So they spin, and only after a while give their core away.
"""

from libc.stdint cimport int64_t, uint64_t
from posix.time cimport CLOCK_MONOTONIC, clock_gettime, timespec


cdef extern from *:
    """
    #include <sched.h>
    #include <stdint.h>
    #include <time.h>
    #if defined(__x86_64__) || defined(__i386__)
    #define SFIDA_RELAX() __builtin_ia32_pause()
    #elif defined(__aarch64__)
    #define SFIDA_RELAX() __asm__ __volatile__("yield")
    #else
    #define SFIDA_RELAX() ((void) 0)
    #endif

    typedef struct { int held; } sfida_lock;
    /* alone on its cache lines: threads at different ones do not disturb each other */
    typedef struct { sfida_lock lock; char room[124]; } sfida_wide_lock;

    static inline void sfida_rest(int spins) {
        if (spins < 400) {
            SFIDA_RELAX();
        } else if (spins < 20000) {
            sched_yield();          /* a sleep may last a millisecond, hundreds of iterations */
        } else {
            struct timespec t = {0, 50000};
            nanosleep(&t, NULL);
        }
    }

    static inline void sfida_acquire(sfida_lock *lock) {
        int spins = 0;
        while (__atomic_exchange_n(&lock->held, 1, __ATOMIC_ACQUIRE))
            while (__atomic_load_n(&lock->held, __ATOMIC_RELAXED))
                sfida_rest(spins++);
    }

    static inline void sfida_release(sfida_lock *lock) {
        __atomic_store_n(&lock->held, 0, __ATOMIC_RELEASE);
    }

    static inline int sfida_load(const int *flag) { return __atomic_load_n(flag, __ATOMIC_ACQUIRE); }
    static inline void sfida_store(int *flag, int value) { __atomic_store_n(flag, value, __ATOMIC_RELEASE); }
    static inline uint64_t sfida_load_key(const uint64_t *key) { return __atomic_load_n(key, __ATOMIC_ACQUIRE); }
    static inline void sfida_store_key(uint64_t *key, uint64_t value) {
        __atomic_store_n(key, value, __ATOMIC_RELEASE);
    }
    """
    ctypedef struct Lock "sfida_lock":
        int held
    ctypedef struct WideLock "sfida_wide_lock":
        Lock lock
    # wait a little: the more spins so far, the less of the core it takes
    void rest "sfida_rest"(int spins) noexcept nogil
    void acquire "sfida_acquire"(Lock* lock) noexcept nogil
    void release "sfida_release"(Lock* lock) noexcept nogil
    # flags that one thread sets and another waits for
    int load_flag "sfida_load"(const int* flag) noexcept nogil
    void store_flag "sfida_store"(int* flag, int value) noexcept nogil
    uint64_t load_key "sfida_load_key"(const uint64_t* key) noexcept nogil
    void store_key "sfida_store_key"(uint64_t* key, uint64_t value) noexcept nogil


cdef inline int64_t now() noexcept nogil:
    """Nanoseconds of a clock that never goes back."""
    cdef timespec t
    clock_gettime(CLOCK_MONOTONIC, &t)
    return <int64_t> t.tv_sec * 1000000000 + t.tv_nsec
