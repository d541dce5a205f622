"""The Settlers of Zarahemla knowledge: the features that only a learned evaluation reads, besides those of `plans`."""

from libc.stdint cimport uint64_t

from sfida.cython_ext.bits cimport count_of
from sfida.cython_ext.zarahemla.board cimport RESOURCES, ROLLS, Game, Tables
from sfida.cython_ext.zarahemla.income cimport income_dots
from sfida.cython_ext.zarahemla.plans cimport Scene, points_of
from sfida.cython_ext.zarahemla.weights cimport F_DOTS, F_LEAD, F_LEFT, F_NUMBERS


cdef inline void fill_further(const Game* g, const Tables* t, const Scene* scene, int seat, double* x) noexcept nogil:
    cdef uint64_t dots = income_dots(g, seat)
    cdef double best = -1e9, other
    cdef int i
    for i in range(RESOURCES):
        x[F_DOTS + i] = count_of(dots, i)
    for i in range(t.players):
        if i != seat:
            other = points_of(g, t, scene, i)
            best = other if other > best else best
    x[F_LEAD] = points_of(g, t, scene, seat) - best
    x[F_LEFT] = scene.left
    x[F_NUMBERS] = 0.0
    for i in range(ROLLS):
        if g.prod[i][seat]:
            x[F_NUMBERS] += i + 1 if i < 5 else 10 - i
