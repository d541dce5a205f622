"""Memory of the search tree, and the locks that guard it.

A node is a decision point as the tree's owner can distinguish them; its edges lie in one contiguous
block. The first child of an edge is stored in the edge, further ones (other histories between the two
decisions) in an open-addressing map. All indices have 32 bits; index 0 means none. The pools are reserved at their
maximum size and take memory as they fill; when nodes, edges and map together have used up the budget, `full` is set and
the tree stops growing. The data of an edge that only learned bids need is in a parallel array, which other searches
do not have.

Threads may work in different nodes at the same time. Their shared data is guarded here: counters and map by a lock,
returned blocks by one free list per simulation. So the memory of a tree depends on the operations on it, not on which
thread was first. The map grows only when no other thread is in the tree (`arena_tight`, `arena_relieve`).

Threads that share a tree meet every few microseconds; putting one to sleep and waking it takes longer than
the wait itself. So they spin, and yield their core only after a while.
"""

from libc.stdint cimport int8_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset

from sfida.cython_ext.rng cimport mix64
from sfida.cython_ext.search.params cimport MAX_BATCH
from sfida.cython_ext.state cimport move_t


cdef extern from *:
    """
    #include <sched.h>
    #include <stdint.h>
    #include <stdlib.h>
    #include <time.h>
    #ifdef __linux__
    #include <sys/mman.h>
    #endif
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
    ctypedef struct Lock "sfida_lock":
        int held
    ctypedef struct WideLock "sfida_wide_lock":
        Lock lock
    # wait a little; the more spins so far, the more the thread yields its core
    void rest "sfida_rest"(int spins) noexcept nogil
    void acquire "sfida_acquire"(Lock* lock) noexcept nogil
    void release "sfida_release"(Lock* lock) noexcept nogil
    # flags that one thread sets and another waits for
    int load_flag "sfida_load"(const int* flag) noexcept nogil
    void store_flag "sfida_store"(int* flag, int value) noexcept nogil
    uint64_t load_key "sfida_load_key"(const uint64_t* key) noexcept nogil
    void store_key "sfida_store_key"(uint64_t* key, uint64_t value) noexcept nogil
    # `count` items of `size` bytes, all zero, for free(); NULL when there is no memory
    void* reserve "sfida_reserve"(size_t count, size_t size) noexcept nogil


cdef enum:
    CLASSES = 24                        # block sizes, see class_size
    FIRST_SLOTS = 1024                  # initial size of the map
    ONE = 1048576                       # rewards are fixed point with 20 bits: sums do not depend on their order


cdef struct Node:                       # 16 bytes
    uint32_t first                      # first edge of the block
    uint32_t n                          # visits
    uint16_t n_edges
    int8_t actor                        # seat to move
    uint8_t size_class                  # size of the edge block; the top bits are flags
    uint32_t check                      # upper half of its key


cdef enum:
    NODE_COMPLETE = 128                 # every edge it will ever have exists and is legal at every visit
    NODE_LOOKED_AHEAD = 64              # a complete node whose priors include the turn after each move


cdef struct Edge:                       # 32 bytes
    move_t code
    int64_t w                           # sum of the actor's rewards, fixed point
    uint32_t n                          # visits
    uint32_t available                  # times the move was legal when the node was visited; see `availability`
    uint32_t child                      # first child node
    float prior


cdef struct Bid:                        # 16 bytes: a hidden choice whose strategy is learned
    double reward                       # sum of the estimated rewards
    double average                      # sum of the strategies so far


cdef struct Arena:
    Node* node
    Edge* edge
    Bid* bid                            # parallel to the edges; NULL in a search that learns no bids
    uint64_t* key                       # map of further children: key 0 is an empty slot
    uint32_t* value
    uint32_t map_mask
    uint64_t budget                     # bytes
    uint32_t edge_bytes                 # an edge with its parallel data
    uint32_t node_cap
    uint32_t edge_cap
    Lock lock                           # guards the following fields while threads are in the tree
    uint32_t n_nodes
    uint32_t edge_top                   # first edge that no block has used yet
    uint32_t n_map
    int full
    uint32_t free_block[MAX_BATCH][CLASSES]  # heads of the lists of returned blocks, linked through `child`


cdef inline int class_size(int c) noexcept nogil:
    """Edges in a block of class c: 1, 2, 3, 4, 6, 8, 12, 16, 24, ..., 8192."""
    if c == 0:
        return 1
    return (2 + ((c - 1) & 1)) << ((c - 1) // 2)


cdef inline int arena_init(Arena* a, uint64_t budget, bint bids) noexcept nogil:
    """Reserve pools that use at most `budget` bytes; returns 0, or -1 when there is no memory."""
    cdef uint64_t each = sizeof(Edge) + (sizeof(Bid) if bids else 0)
    cdef uint64_t edges, nodes
    if budget < 1 << 20:
        budget = 1 << 20
    edges = budget // each
    nodes = budget // (sizeof(Node) + each)         # a visited edge may be a node
    if edges > <uint64_t> 0x3FFFFFFF:
        edges = 0x3FFFFFFF
    if nodes > <uint64_t> 0x3FFFFFFF:
        nodes = 0x3FFFFFFF
    memset(a, 0, sizeof(Arena))
    a.budget = budget
    a.edge_bytes = <uint32_t> each
    a.edge_cap = <uint32_t> edges
    a.node_cap = <uint32_t> nodes
    a.map_mask = FIRST_SLOTS - 1
    a.node = <Node*> reserve(a.node_cap, sizeof(Node))
    a.edge = <Edge*> reserve(a.edge_cap, sizeof(Edge))
    a.key = <uint64_t*> calloc(FIRST_SLOTS, sizeof(uint64_t))
    a.value = <uint32_t*> calloc(FIRST_SLOTS, sizeof(uint32_t))
    a.n_nodes = 1
    a.edge_top = 1
    if bids:
        a.bid = <Bid*> reserve(edges, sizeof(Bid))
    if a.node == NULL or a.edge == NULL or a.key == NULL or a.value == NULL or (bids and a.bid == NULL):
        return -1
    return 0


cdef inline void arena_free(Arena* a) noexcept nogil:
    free(a.node)
    free(a.edge)
    free(a.key)
    free(a.value)
    free(a.bid)
    memset(a, 0, sizeof(Arena))


cdef inline void arena_clear(Arena* a) noexcept nogil:
    """Empty the tree but keep its memory."""
    if a.n_map:
        memset(a.key, 0, (<uint64_t> a.map_mask + 1) * sizeof(uint64_t))
    a.map_mask = FIRST_SLOTS - 1
    a.n_nodes = 1
    a.edge_top = 1
    a.n_map = 0
    a.full = 0
    memset(a.free_block, 0, sizeof(a.free_block))


cdef inline uint64_t count_edges(const Arena* a) noexcept nogil:
    """Number of edges of all nodes."""
    cdef uint64_t n = 0
    cdef uint32_t v
    for v in range(1, a.n_nodes):
        n += a.node[v].n_edges
    return n


cdef inline uint64_t map_bytes(const Arena* a) noexcept nogil:
    return (<uint64_t> a.map_mask + 1) * 12


cdef inline uint64_t arena_bytes(const Arena* a) noexcept nogil:
    """Bytes in use: nodes, edge blocks including their spare room, and the map."""
    return <uint64_t> a.n_nodes * sizeof(Node) + <uint64_t> a.edge_top * a.edge_bytes + map_bytes(a)


cdef inline bint arena_tight(const Arena* a, uint32_t edges, uint32_t nodes) noexcept nogil:
    """Whether that many more edges and nodes might not fit, or the map may need to grow first."""
    return not a.full and (
        arena_bytes(a) + <uint64_t> edges * a.edge_bytes + <uint64_t> nodes * sizeof(Node) > a.budget
        or a.edge_top + edges > a.edge_cap or a.n_nodes + nodes > a.node_cap
        or (a.n_map + nodes) * <uint64_t> 10 > a.map_mask * <uint64_t> 7)


cdef inline void arena_relieve(Arena* a, uint32_t nodes) noexcept nogil:
    """Double the map if `nodes` more could fill it and the budget allows it; no other thread is in the tree."""
    cdef uint64_t slots = <uint64_t> a.map_mask + 1
    cdef uint64_t i, slot
    cdef uint64_t* key
    cdef uint32_t* value
    if ((a.n_map + nodes) * <uint64_t> 10 <= a.map_mask * <uint64_t> 7
            or arena_bytes(a) + map_bytes(a) > a.budget or a.full):
        return
    key = <uint64_t*> calloc(2 * slots, sizeof(uint64_t))
    value = <uint32_t*> calloc(2 * slots, sizeof(uint32_t))
    if key == NULL or value == NULL:
        free(key)
        free(value)
        return
    for i in range(slots):
        if a.key[i]:
            slot = a.key[i] & (2 * slots - 1)
            while key[slot]:
                slot = (slot + 1) & (2 * slots - 1)
            key[slot] = a.key[i]
            value[slot] = a.value[i]
    free(a.key)
    free(a.value)
    a.key = key
    a.value = value
    a.map_mask = <uint32_t> (2 * slots - 1)


cdef inline uint32_t new_node(Arena* a, int actor) noexcept nogil:
    """Create a node; 0 when the arena is full. Needs the lock if threads are in the tree."""
    cdef uint32_t v = a.n_nodes
    if v >= a.node_cap or arena_bytes(a) + sizeof(Node) > a.budget:
        a.full = 1
        return 0
    a.n_nodes = v + 1
    a.node[v].first = 0
    a.node[v].n = 0
    a.node[v].n_edges = 0
    a.node[v].actor = actor
    a.node[v].size_class = 0
    a.node[v].check = 0
    return v


cdef inline uint32_t take_block(Arena* a, int c, int free_list) noexcept nogil:
    """Return the first edge of a block of class c; 0 when the arena is full."""
    cdef uint32_t first = a.free_block[free_list][c]
    cdef uint32_t room = class_size(c)
    if a.full:
        return 0
    if first:
        a.free_block[free_list][c] = a.edge[first].child
        return first
    acquire(&a.lock)
    first = a.edge_top
    if first + room > a.edge_cap or arena_bytes(a) + <uint64_t> room * a.edge_bytes > a.budget:
        a.full = 1
        first = 0
    else:
        a.edge_top = first + room
    release(&a.lock)
    return first


cdef inline void reserve_edges(Arena* a, uint32_t v, int k, int free_list) noexcept nogil:
    """Give node v, which has no edges, room for k of them; without memory nothing changes."""
    cdef uint32_t first
    cdef int c = 0
    while c + 1 < CLASSES and class_size(c) < k:
        c += 1
    first = take_block(a, c, free_list)
    if first:
        a.node[v].first = first
        a.node[v].size_class = c


cdef inline void move_edges(Arena* a, uint32_t old, uint32_t new, int n) noexcept nogil:
    """Copy the n edges of one block to another, with their parallel data."""
    memcpy(&a.edge[new], &a.edge[old], n * sizeof(Edge))
    if a.bid != NULL:
        memcpy(&a.bid[new], &a.bid[old], n * sizeof(Bid))


cdef inline uint32_t add_edge(Arena* a, uint32_t v, move_t code, float prior, int free_list) noexcept nogil:
    """Append an edge to node v, moving its block to a larger class when needed; 0 when full."""
    cdef Node* node = &a.node[v]
    cdef uint32_t first, e
    cdef int c = node.size_class & ~NODE_COMPLETE
    if node.first == 0:
        first = take_block(a, 0, free_list)
        if first == 0:
            return 0
        node.first = first
        node.size_class = 0
    elif node.n_edges == class_size(c):
        if c + 1 >= CLASSES:
            a.full = 1
            return 0
        first = take_block(a, c + 1, free_list)
        if first == 0:
            return 0
        move_edges(a, node.first, first, node.n_edges)
        a.edge[node.first].child = a.free_block[free_list][c]
        a.free_block[free_list][c] = node.first
        node.first = first
        node.size_class = c + 1
    e = node.first + node.n_edges
    node.n_edges += 1
    a.edge[e].code = code
    a.edge[e].w = 0
    a.edge[e].n = 0
    a.edge[e].available = 1
    a.edge[e].prior = prior
    a.edge[e].child = 0
    if a.bid != NULL:
        memset(&a.bid[e], 0, sizeof(Bid))
    return e


cdef inline void complete_node(Arena* a, Node* node, uint32_t n) noexcept nogil:
    """Record at visit n that the node has all its edges: from now on its visits count for each of them."""
    cdef int i
    node.size_class |= NODE_COMPLETE
    for i in range(node.n_edges):
        a.edge[node.first + i].available -= n


cdef inline uint32_t availability(const Node* node, const Edge* edge, uint32_t n) noexcept nogil:
    """Return how often an edge was legal in n visits of its node."""
    return edge.available + (n if node.size_class & NODE_COMPLETE else 0)


cdef inline uint64_t child_key(uint32_t v, move_t code, uint64_t history, int actor) noexcept nogil:
    """Key of the actor's decision reached from node v by a move and the observations since; never 0."""
    cdef uint64_t k = mix64(mix64(code, v), mix64(history, <uint64_t> actor))
    return k if k else 1


cdef inline uint32_t find_child(const Arena* a, const Edge* edge, uint64_t key) noexcept nogil:
    """Return the child under a key, or 0. Other threads may add children at the same time."""
    cdef uint64_t slot, there
    if edge.child and a.node[edge.child].check == <uint32_t> (key >> 32):
        return edge.child
    slot = key & a.map_mask
    while True:
        there = load_key(&a.key[slot])
        if there == 0:
            return 0
        if there == key:
            return a.value[slot]
        slot = (slot + 1) & a.map_mask


cdef inline uint32_t make_child(Arena* a, Edge* edge, uint64_t key, int actor) noexcept nogil:
    """Create the child under a key; 0 when the arena is full."""
    cdef uint64_t slot
    cdef uint32_t v = 0
    acquire(&a.lock)
    if edge.child and a.n_map * <uint64_t> 10 >= (a.map_mask + 1) * <uint64_t> 9:
        a.full = 1
    else:
        v = new_node(a, actor)
    if v:
        a.node[v].check = <uint32_t> (key >> 32)
        if edge.child == 0:
            edge.child = v
        else:
            slot = key & a.map_mask
            while a.key[slot]:
                slot = (slot + 1) & a.map_mask
            a.value[slot] = v
            store_key(&a.key[slot], key)
            a.n_map += 1
    release(&a.lock)
    return v
