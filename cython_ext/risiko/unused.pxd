"""RisiKo!: what a position does not use, overwritten, so that nothing of the past stays in it.

That is what only some phases read, and who drew a card once something else has happened.
"""

from sfida.cython_ext.risiko.board cimport (
    ATTACK, CHANCE_ASSAULT, CHANCE_DEAL, CHANCE_ROLL, C_DRAW, DEFEND, OCCUPY, Game, kind_of,
)


cdef inline void overwrite_unused(Game* g, int fill) noexcept nogil:
    cdef bint fighting = g.phase == DEFEND or g.phase == CHANCE_ROLL or g.phase == CHANCE_ASSAULT
    if not fighting:
        g.defence_dice = fill
        if g.phase != OCCUPY:           # which tells of the dice that moved in
            g.attack_dice = fill
        if g.phase != ATTACK:
            g.assault = fill
    if g.phase > CHANCE_DEAL:
        g.step = fill
    if kind_of(g.last) != C_DRAW:
        g.drawer = fill
