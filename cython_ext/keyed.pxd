"""Seeds and chance outcomes by key: BLAKE2b, the seeds of a game, and the race of its chance outcomes."""

from libc.stdint cimport uint32_t, uint64_t

from sfida.cython_ext.state cimport GameState, move_t


cdef enum:
    MOST_SOURCES = 16                   # sources of chance events of a game
    PERSON = 16                         # bytes of a personalization

cdef struct Root:                       # seed of a game, 128 bits
    uint64_t low
    uint64_t high

# hash of a message; `person` has PERSON bytes
cdef void blake2b(void* out, int size, const void* key, int key_size, const char* person, const void* message,
                  size_t length) noexcept nogil
# `ai.chance.decision_seed`
cdef uint64_t decision_seed(const Root* root, int seat, int ply) noexcept nogil


cdef class SeededDraws:
    cdef Root root
    cdef uint64_t drawn[MOST_SOURCES]   # draws from each source so far
    cdef move_t* outcomes
    cdef uint32_t* weights

    cdef void begin(self, Root root) noexcept nogil
    cdef move_t draw(self, GameState state) noexcept nogil
