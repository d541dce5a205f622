"""What a search has found, as plain data."""

from libc.math cimport sqrt
from libc.stdint cimport int64_t, uint32_t, uint64_t

from sfida.cython_ext.search.arena cimport ONE, Arena, Edge, Node, arena_bytes, availability, count_edges
from sfida.cython_ext.search.selection cimport as_judged
from sfida.cython_ext.search.thread cimport BRANCH_BINS, DEPTH_BINS, SearchThread, Tally
from sfida.cython_ext.search.tree cimport RootTotal


cdef list root_edges(Tree t):
    """See `Search.root_edges`."""
    cdef Arena* a = &t.arena
    cdef Node* node = &a.node[t.root_node]
    cdef Edge* edge
    cdef RootTotal* total
    cdef int i, p
    cdef double mean, n, averages = 0.0
    out = []
    if a.bid != NULL:
        for i in range(node.n_edges):
            averages += a.bid[node.first + i].average
    for i in range(node.n_edges):
        edge = &a.edge[node.first + i]
        total = &t.root_total[i]
        n = total.n if total.n else 1.0
        mean = total.reward[t.seat] / n
        reward = <double> edge.w / ONE / edge.n if edge.n else 0.0
        if edge.n and t.odds != NULL:
            reward = as_judged(t, edge.code, reward)
        if total.n:
            value = [total.win[p] / n for p in range(t.origin.players)]
        else:                           # visited only before it became the root
            value = [(1.0 - reward) / max(1, t.origin.players - 1)] * t.origin.players
            value[t.seat] = reward
        out.append({
            "move": edge.code,
            "visits": edge.n,
            "availability": availability(node, edge, node.n),
            "reward": reward,
            "deviation": sqrt(max(0.0, total.square / n - mean * mean)) if total.n > 1 else 0.5,
            "value": value,
            "prior": edge.prior,
            "strategy": a.bid[node.first + i].average / averages if averages > 0.0 else None,
        })
    out.sort(key=lambda row: (-row["visits"], row["move"]))
    return out


cdef dict statistics(SharedTree t):
    """See `Search.statistics`."""
    cdef Arena* a = &t.arena
    cdef const Tally* tally
    cdef int i
    cdef uint64_t moves = 0, depths = 0, deepest = 0, edges = count_edges(a)
    spent = {"determinize": 0, "select": 0, "expand": 0, "playout": 0, "backup": 0}
    by_depth = [0] * DEPTH_BINS
    by_branching = [0] * BRANCH_BINS
    for thread in t.threads:
        tally = &(<SearchThread> thread).tally
        moves += tally.playout_moves
        depths += tally.depth_sum
        deepest = max(deepest, tally.depth_max)
        for i in range(DEPTH_BINS):
            by_depth[i] += tally.depths[i]
        for i in range(BRANCH_BINS):
            by_branching[i] += tally.branchings[i]
        spent["determinize"] += tally.clock.determinize
        spent["select"] += tally.clock.select
        spent["expand"] += tally.clock.expand
        spent["playout"] += tally.clock.playout
        spent["backup"] += tally.clock.backup
    used = arena_bytes(a)
    total = sum(spent.values())
    return {
        "nodes": edges + 1,         # every edge leads to a node; one visited once lives in its edge
        "decision_nodes": a.n_nodes - 1,
        "edges": edges,
        "tree_bytes": used,
        "bytes_per_node": used / (edges + 1),
        "map_load": a.n_map / (a.map_mask + 1.0),
        "arena_load": used / <double> a.budget,
        "depth_mean": depths / <double> max(1, t.backed_up),
        "depth_max": deepest,
        "depths": by_depth,
        "branchings": by_branching,
        "share": {step: each / total for step, each in spent.items()} if total else None,
        "playout_us": spent["playout"] / 1000.0 / max(1, t.backed_up),
        "playout_moves": moves / <double> max(1, t.backed_up),
        "arena_full": bool(a.full),
    }


cdef int check_tree(Tree t) except -1:
    """See `Search.check_tree`."""
    cdef Arena* a = &t.arena
    cdef uint32_t v
    cdef uint64_t total
    cdef int i
    cdef Edge* edge
    for v in range(1, a.n_nodes):
        total = 0
        for i in range(a.node[v].n_edges):
            edge = &a.edge[a.node[v].first + i]
            assert (edge.n <= availability(&a.node[v], edge, a.node[v].n) or t.params.priors
                    or v in t.entry), "more visits than availability"
            assert 0 <= edge.w <= <int64_t> edge.n * ONE, "a mean reward left [0, 1]"
            total += edge.n
        assert total <= a.node[v].n, "more edge visits than node visits"
        if not a.full:
            assert a.node[v].n - total <= <uint64_t> t.params.expand_at, "visits were lost"
    return 0
