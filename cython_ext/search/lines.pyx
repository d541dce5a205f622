"""The moves that a tree expects."""

from libc.stdint cimport uint64_t
from libc.string cimport memset

from sfida.cython_ext.search.arena cimport child_key, find_child
from sfida.cython_ext.search.history cimport Seen, decide, fold_event, last_decision
from sfida.cython_ext.rng cimport Random
from sfida.cython_ext.state cimport CHANCE, MAX_SEATS, TERMINAL, GameState, View

cdef int MOST_CHANCES = 4               # events between two decisions whose outcomes are followed


cdef list expected_line(Tree t, move_t move, int length):
    """See `Search.line`."""
    cdef GameState s
    if t.cheat or t.clairvoyant:
        s = t.origin.clone()
    else:
        s = (<View> t.view).sample(Random(t.seed))
    return line_of_many(t, s, move, length) if t.multiple else line_of_one(t, s, move, length)


cdef uint32_t most_visited(const Arena* a, uint32_t v, GameState s):
    """Edge of node v with the most visits among the moves legal in a state; 0: none was visited."""
    cdef uint32_t e, best = 0, visits = 0
    legal = set(s.legal_moves())
    for e in range(a.node[v].first, a.node[v].first + a.node[v].n_edges):
        if a.edge[e].n > visits and a.edge[e].code in legal:
            visits = a.edge[e].n
            best = e
    return best


cdef list line_of_one(Tree t, GameState s, move_t code, int length):
    """Return the line of one tree: after a chance event, the outcome that was visited most."""
    cdef Arena* a = &t.arena
    cdef Seen seen
    cdef uint32_t v = t.root_node, e, child
    cdef int actor, chances = 0
    cdef bint exact = t.clairvoyant or not t.origin.hidden
    out = []
    while len(out) < length:
        if code not in s.legal_moves():
            break
        out.append((s.clone(), code))
        e = edge_of(a, v, code)
        actor = s.actor()
        s.play(code)
        s.wipe(0)
        if e == 0:
            break
        decide(&seen, v, e - a.node[v].first)
        fold_event(t, s, &seen, actor, code, chances, exact)
        steps, child, s, exact, chances = follow_chance(t, e, s, seen, exact, chances, chances + MOST_CHANCES)
        if child == 0 or a.node[child].n < 2:
            break
        out.extend(steps)
        v = child
        e = most_visited(a, v, s)
        if e == 0:
            break
        code = a.edge[e].code
    return out[:length]


cdef tuple follow_chance(Tree t, uint32_t e, GameState s, Seen seen, bint exact, int chances, int most):
    """Follow the most visited outcomes behind an edge until the next decision.

    Returns (steps, child node, state, exact, chance events on the path so far).
    """
    cdef Arena* a = &t.arena
    cdef GameState trial
    cdef Seen now_seen
    cdef uint32_t child
    cdef bint kept
    cdef int actor = s.actor()
    if actor == TERMINAL or chances > most:
        return [], 0, s, exact, chances
    if actor != CHANCE:
        child = find_child(a, &a.edge[e], child_key(seen.node, a.edge[e].code, seen.history, actor))
        return [], child, s, exact, chances
    best = ([], 0, s, exact, chances)
    visits = 0
    for outcome, _ in s.chance_outcomes():
        trial = s.clone()
        trial.play(outcome)
        trial.wipe(0)
        now_seen = seen
        kept = fold_event(t, trial, &now_seen, CHANCE, outcome, chances + 1, exact)
        steps, child, after, then, count = follow_chance(t, e, trial, now_seen, kept, chances + 1, most)
        if child and a.node[child].n > visits:
            visits = a.node[child].n
            best = ([(s, outcome), *steps], child, after, then, count)
    return best


cdef list line_of_many(Tree t, GameState s, move_t move, int length):
    """Return the line where every seat has its own tree; luck as it is likeliest."""
    cdef Arena* a = &t.arena
    cdef Seen seen[MAX_SEATS]
    cdef uint32_t v = t.root_node, e
    cdef uint64_t history
    cdef int actor, chances = 0
    cdef move_t code = move
    memset(seen, 0, sizeof(seen))
    out = []
    while len(out) < length:
        actor = s.actor()
        if actor == TERMINAL or (actor == CHANCE and chances >= length):
            break
        if actor == CHANCE:
            chances += 1
            code = max(s.chance_outcomes(), key=lambda pair: (pair[1], -pair[0]))[0]
        elif out:
            v = last_decision(t, s, &seen[actor], actor, actor, &history)
            e = a.node[v].first + seen[actor].offset
            v = find_child(a, &a.edge[e], child_key(v, a.edge[e].code, history, actor))
            if v == 0 or a.node[v].n < 2:
                break
            e = most_visited(a, v, s)
            if e == 0:
                break
            code = a.edge[e].code
        elif move not in s.legal_moves():
            break
        out.append((s.clone(), code))
        s.play(code)
        s.wipe(0)
        if actor != CHANCE:
            e = edge_of(a, v, code)
            decide(&seen[actor], v, e - a.node[v].first if e else 0)
        fold_event(t, s, seen, actor, code, chances, False)
    while out and out[len(out) - 1][0].is_chance:  # luck that nobody answers tells nothing
        out.pop()
    return out
