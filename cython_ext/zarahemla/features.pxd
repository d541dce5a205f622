"""The Settlers of Zarahemla knowledge: the features that only a learned evaluation reads, besides those of `plans`."""

from sfida.cython_ext.zarahemla.board cimport Game, Tables
from sfida.cython_ext.zarahemla.plans cimport Scene, points_of
from sfida.cython_ext.zarahemla.weights cimport F_LEAD, F_LEFT


cdef inline void fill_further(const Game* g, const Tables* t, const Scene* scene, int seat, double* x) noexcept nogil:
    cdef double best = 0.0, other
    cdef int i
    for i in range(t.players):
        if i != seat:
            other = points_of(g, t, scene, i)
            best = other if other > best else best
    x[F_LEAD] = points_of(g, t, scene, seat) - best
    x[F_LEFT] = scene.left
