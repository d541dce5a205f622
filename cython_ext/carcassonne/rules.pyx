"""Carcassonne: what is fixed for a game, taken from arrays.

The arrays are copied as they are; tables that follow from others are computed here. What C code relies on without
looking is checked: that numbers of types, segments and sides are some, and that the box fits the tables of a position.
"""

from libc.stdint cimport uint8_t
from libc.string cimport memset

from sfida.cython_ext.arrays cimport check_names, fill_rows, in_places, within
from sfida.cython_ext.carcassonne.board cimport (
    CITY, FIELD, LAKE_STACK, MAX_FOLLOWERS, MAX_MONKS, MAX_NODES, MAX_SETS, MAX_TILES, MONASTERY, NONE,
    RIVER, ROAD, SEATS, START_STACK, Face, Tables,
)
from sfida.cython_ext.carcassonne.features cimport (
    F_POINTS, F_HAND, F_CITIES, F_ROADS, F_MONASTERIES, F_FARMS, F_TIED, F_THREATENED, F_BEATEN, F_FARMS_TIED,
    F_FARMS_BEATEN, F_FARMERS, F_FED, F_PENDING, F_STUCK, F_CLOSING, F_READY, F_AHEAD, F_LEAD, F_TURNS, F_LEFT,
)
from sfida.cython_ext.carcassonne.weights cimport fill_rates

FEATURE_NAMES = in_places({
    "points": F_POINTS, "hand": F_HAND, "cities": F_CITIES, "roads": F_ROADS, "monasteries": F_MONASTERIES,
    "farms": F_FARMS, "tied": F_TIED, "threatened": F_THREATENED, "beaten": F_BEATEN, "farms_tied": F_FARMS_TIED,
    "farms_beaten": F_FARMS_BEATEN, "farmers": F_FARMERS, "fed": F_FED, "pending": F_PENDING, "stuck": F_STUCK,
    "closing": F_CLOSING, "ready": F_READY, "ahead": F_AHEAD, "lead": F_LEAD, "turns": F_TURNS, "left": F_LEFT,
})


cdef class CarcassonneRules:
    """Tables of the tile faces, points and options.

    Parameters
    ----------
    tables : engines.carcassonne.tables.Tables
        At most 40 tile types.
    weights : mapping of str to float
        The parameters of the knowledge, by name (`engines.carcassonne.weights.WEIGHTS`).

    Raises
    ------
    ValueError
        If an array has another size than its table, or the numbers do not fit together.
    """

    def __init__(self, tables, weights):
        memset(&self.t, 0, sizeof(Tables))
        self.features = FEATURE_NAMES
        self.codes = tables.codes
        self.take_tiles(tables)
        self.take_options(tables)
        self.check_faces()
        self.check_box()
        fill_rotations(&self.t)
        fill_fit(&self.t)
        check_names(weights, <dict> self.w.k, "weights")
        self.w.k = weights
        for left in range(MAX_TILES + 1):
            fill_rates(&self.w, left, &self.w.rates[left])

    cdef int take_tiles(self, tables) except -1:
        cdef Tables* t = &self.t
        cdef int i, stack
        cdef const uint8_t[::1] stacks = tables.stack
        if tables.faces.dtype.names != tuple(<dict> t.face[0]):
            raise ValueError(f"a tile face has the fields {', '.join(<dict> t.face[0])}, in this order")
        faces = tables.faces.view("u1").reshape(-1, 4 * sizeof(Face))
        t.n_types = fill_rows(t.face, sizeof(t.face), 4 * sizeof(Face), faces, "tile types")
        for array in (tables.copies, tables.n_rotations, tables.stack, self.codes):
            if len(array) != t.n_types:
                raise ValueError(f"there are {t.n_types} tile types, not {len(array)}")
        fill_rows(t.copies, sizeof(t.copies), sizeof(t.copies[0]), tables.copies, "tile types")
        within(tables.n_rotations, 1, 4, "rotations")
        fill_rows(t.n_rotations, sizeof(t.n_rotations), sizeof(t.n_rotations[0]), tables.n_rotations, "tile types")
        t.start_type, t.start_rotation = tables.start_type, tables.start_rotation
        t.source_type, t.source_rotation = tables.source_type, tables.source_rotation
        t.lake_type = tables.lake_type
        for i in (t.start_type, t.source_type, t.lake_type):
            if not 0 <= i < t.n_types:
                raise ValueError(f"a tile type is 0..{t.n_types - 1}, not {i}")
        for i in (t.start_rotation, t.source_rotation):
            if not 0 <= i < 4:
                raise ValueError(f"a rotation is 0..3, not {i}")
        for i in range(t.n_types):
            stack = stacks[i]
            if stack != NONE and stack > LAKE_STACK:
                raise ValueError(f"a stack is 0..{LAKE_STACK}, not {stack}")
            if stack != NONE:
                (<uint8_t*> t.stack_mask[stack])[i] = 0xFF
        (<uint8_t*> t.stack_mask[START_STACK])[t.start_type] = 0xFF
        return 0

    cdef int take_options(self, tables) except -1:
        cdef Tables* t = &self.t
        t.players, t.supply = tables.players, tables.supply
        if not (1 <= t.players <= SEATS and 0 <= t.supply * t.players <= MAX_FOLLOWERS):
            raise ValueError(f"{t.players} players with {t.supply} followers each are too many")
        t.first_player = tables.first_player
        if not -1 <= t.first_player < t.players:
            raise ValueError(f"there is no seat {t.first_player}")
        t.river = tables.river
        t.farm_scoring = tables.farm_scoring
        t.city2_half = tables.city2_half
        t.uturn = tables.uturn
        t.river_start = tables.river_start
        t.farmers = tables.farmers
        t.road_tile = tables.road_tile
        t.city_tile, t.city_shield = tables.city_tile, tables.city_shield
        t.city2_tile, t.city2_shield, t.city2_size = tables.city2_tile, tables.city2_shield, tables.city2_size
        t.monastery_full = tables.monastery_full
        t.farm_city, t.first_edition_city = tables.farm_city, tables.first_edition_city
        t.road_tile_open = tables.road_tile_open
        t.city_tile_open, t.city_shield_open = tables.city_tile_open, tables.city_shield_open
        t.monastery_own_open, t.monastery_next_open = tables.monastery_own_open, tables.monastery_next_open
        return 0

    cdef int check_faces(self) except -1:
        """Every segment that a face names is one of its own, of the kind that the place asks for."""
        cdef const Face* f
        cdef int i, k, side
        cdef bint good = True
        for i in range(4 * self.t.n_types):
            f = &self.t.face[i]
            good = good and f.n_segs <= 8 and f.n_contacts <= 8
            for k in range(min(f.n_segs, 8)):
                good = good and FIELD <= f.kind[k] <= MONASTERY
            for side in range(4):
                good = good and FIELD <= f.side[side] <= RIVER
                if f.side[side] == CITY or f.side[side] == ROAD:
                    good = good and is_segment(f, f.edge_seg[side], f.side[side])
                else:
                    good = good and f.edge_seg[side] == NONE
                if f.side[side] != CITY:            # land on both halves of the side
                    good = good and is_segment(f, f.half_seg[2 * side], FIELD)
                    good = good and is_segment(f, f.half_seg[2 * side + 1], FIELD)
            for k in range(min(f.n_contacts, 8)):
                good = good and is_segment(f, f.contact_field[k], FIELD) and is_segment(f, f.contact_city[k], CITY)
            if f.monastery != NONE:
                good = good and is_segment(f, f.monastery, MONASTERY)
            if not good:
                raise ValueError(f"tile {self.codes[i // 4]}: its sides and segments do not fit together")
        return 0

    cdef int check_box(self) except -1:
        """All tiles of the box fit the tables of a position, however they are laid."""
        cdef const Tables* t = &self.t
        cdef int i, k, kind
        cdef int tiles = 0, sets = 0, nodes = 1, monks = 0
        for i in range(t.n_types):
            tiles += t.copies[i]
            nodes -= t.copies[i]        # each tile but the first merges at least one
            for k in range(t.face[4 * i].n_segs):
                kind = t.face[4 * i].kind[k]
                sets += t.copies[i] * (kind == CITY or kind == ROAD)
                nodes += t.copies[i] * (kind == CITY or kind == ROAD or kind == FIELD)
                monks += t.copies[i] * (kind == MONASTERY)
        if tiles > MAX_TILES or sets > MAX_SETS or nodes > MAX_NODES or monks > MAX_MONKS:
            raise ValueError(f"{tiles} tiles with {nodes} features, {sets} of them cities and roads, and {monks} "
                             f"monasteries are too many")
        return 0


cdef bint is_segment(const Face* f, int i, int kind) noexcept nogil:
    return i < f.n_segs and f.kind[i] == kind


cdef void fill_rotations(Tables* t) noexcept nogil:
    """The set bits of each mask of rotations, in order."""
    cdef int mask, turned, k
    for mask in range(16):
        k = 0
        for turned in range(4):
            if (mask >> turned) & 1:
                t.rotations[mask][k] = turned
                k += 1


cdef void fill_fit(Tables* t) noexcept nogil:
    """Which rotations of each land tile fit each code of an open cell (CAR-5.5)."""
    cdef int i, r, code, d, need
    cdef bint ok
    for i in range(t.n_types):
        if t.face[i * 4].river_sides:
            continue                # river tiles go through river_fits
        for code in range(256):
            for r in range(t.n_rotations[i]):
                ok = True
                for d in range(4):
                    need = (code >> (2 * d)) & 3
                    if need and need != t.face[i * 4 + r].side[d]:
                        ok = False
                if ok:
                    t.fit[i][code] |= 1 << r
