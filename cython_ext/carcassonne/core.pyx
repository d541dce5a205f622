"""Carcassonne with the River: the rules core.

Turn (CAR-4): a chance event draws a tile type; the seat on turn places the tile; if some of its segments can
take a follower, the seat deploys one or none; completed features are scored. A drawn tile without a
legal placement is discarded at once, and the next event is another draw (CAR-5.9).

Move codes have the kind << 56, and below it:
draw 1: tile type; place 2: type << 24 | (x + 128) << 16 | (y + 128) << 8 | rotation;
deploy 3: segment number + 1, 0 for none; first player 4: seat.
"""

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

from sfida.cython_ext.arrays cimport check_names
from sfida.cython_ext.bits cimport rarely
from sfida.cython_ext.carcassonne.board cimport (
    CELLS, CITY, FARM_FIRST_EDITION, FARM_PER_FARM, FARM_RULEBOOK, FIELD, HOLDERS, KIND_DEPLOY, KIND_DRAW, KIND_FIRST,
    KIND_PLACE, KIND_SHIFT, LAKE_STACK, LAND_STACK, MAX_FOLLOWERS, MAX_MONKS, MAX_NODES, MAX_SETS, MONASTERY, NOTHING,
    OPEN_BASE, PHASE_DEPLOY, PHASE_DRAW, PHASE_FIRST, PHASE_OVER, PHASE_PLACE, RIVER, RIVER_SLOT, RIVER_STACK, ROAD,
    START_STACK, Board, Gap, cell_of, copy_board, count_of, figures, lay, overwrite_unused, root_of, tiles_around, x_of,
    y_of
)
from sfida.cython_ext.carcassonne.evaluation cimport (
    Outlook, Rates, Weights, fill_rates, look_out, tiles_to_come, win_estimate
)
from sfida.cython_ext.carcassonne.features cimport MOVE_WIDTH, Gaps, features_of_moves, features_of_seats, find_gaps
from sfida.cython_ext.carcassonne.inputs cimport fill_inputs
from sfida.cython_ext.carcassonne.moves cimport (
    MOST_SPOTS, Spot, deploy_moves, list_spots, placeable, placement_at, placements, spot_of
)
from sfida.cython_ext.carcassonne.policy cimport (
    Promise, best_spot, deploy_gain, make_promises, sensible_deploy, softmax, worth_of_promise
)
from sfida.cython_ext.carcassonne.tables cimport (
    ALL_FEATURES, MAX_TILES, NONE, SEAT_INPUTS, SEATS, STACKS, TABLE_INPUTS, Face, Tables, fill_coefficients,
    fill_tables
)
from sfida.cython_ext.carcassonne.turn cimport (
    apply_move, completed_value, count_farms, count_incomplete, deploy, discard, end_turn, lay_in_hand, open_value, put,
    sample_type, start, take, win_shares
)
from sfida.cython_ext.flat_state cimport FlatState
from sfida.cython_ext.learned cimport MOST_ACTIVE, net_shares, wide_shares
from sfida.cython_ext.rng cimport Rng, rng_below
from sfida.cython_ext.state cimport CHANCE, TERMINAL, GameState, PlayoutParams, move_t

from sfida.cython_ext.carcassonne.parameters import FEATURES, INPUT_NAMES
from sfida.cython_ext.flat_state import COMMON_MOVE_FEATURES

PHASES = ("first", "draw", "place", "deploy", "over")
KINDS = ("", "field", "road", "city", "river", "monastery")
# Move features that learned priors read (features.pxd).
MOVE_FEATURES = COMMON_MOVE_FEATURES + (
    "gain", "claim", "rival", "done", "neighbours", "gain_late", "rival_late", "keep", "city", "road", "monk",
    "farm", "closed", "keep_late", "city_late", "farm_late",
)
assert len(MOVE_FEATURES) == MOVE_WIDTH


cdef class CarcassonneRules:
    """Tables of the tile faces, points and options, and the weights of the game's knowledge.

    Parameters
    ----------
    tables : mapping of str to object
        Numbers and sequences of numbers by the names of `parameters.TABLES`, and `codes`, the codes of the tile types.
    weights : mapping of str to float
        Numbers by the names of `parameters.WEIGHTS`.

    Raises
    ------
    ValueError
        If a name is missing or unknown, a number is out of bounds, or numbers are inconsistent.
    """

    cdef Tables t
    cdef Weights w                      # weights of the evaluation and the priors
    cdef readonly tuple codes           # tile codes in the order of the data file
    cdef readonly tuple features        # names of the features of a seat for learned evaluations

    def __init__(self, tables, weights):
        self.features = tuple(FEATURES)
        check_names([name for name in tables if name == "codes"], ["codes"], "tables")
        numbers = dict(tables)
        self.codes = tuple(numbers.pop("codes"))
        fill_tables(&self.t, numbers)
        fill_coefficients(&self.w.k, weights)
        self.check_types()
        fill_faces(&self.t)
        self.check_faces()
        self.check_box()
        fill_rotations(&self.t)
        fill_fit(&self.t)
        for left in range(MAX_TILES + 1):
            fill_rates(&self.w, left, &self.w.rates[left])

    cdef int check_types(self) except -1:
        """Check that every type has a code and a stack or none, and that seats and followers are within bounds."""
        cdef Tables* t = &self.t
        cdef int i
        if len(self.codes) != t.n_types:
            raise ValueError(f"there are {t.n_types} tile types, not {len(self.codes)}")
        for i in (t.start_type, t.source_type, t.lake_type):
            if i >= t.n_types:
                raise ValueError(f"a tile type is 0..{t.n_types - 1}, not {i}")
        for i in range(t.n_types):
            if t.stack[i] != NONE:
                if t.stack[i] > LAKE_STACK:
                    raise ValueError(f"a stack is 0..{LAKE_STACK}, not {t.stack[i]}")
                (<uint8_t*> t.stack_mask[t.stack[i]])[i] = 0xFF
        (<uint8_t*> t.stack_mask[START_STACK])[t.start_type] = 0xFF
        if t.supply * t.players > MAX_FOLLOWERS:
            raise ValueError(f"{t.players} players with {t.supply} followers each are too many")
        if t.first_player >= t.players:
            raise ValueError(f"there is no seat {t.first_player}")
        return 0

    cdef int check_faces(self) except -1:
        """Check that every segment that a face names exists and is of the right kind."""
        cdef const Face* f
        cdef int i, k, side
        cdef bint good = True
        for i in range(4 * self.t.n_types):
            f = &self.t.face[i]
            for side in range(4):
                if f.side[side] == CITY or f.side[side] == ROAD:
                    good = good and is_segment(f, f.edge_seg[side], f.side[side])
                else:
                    good = good and f.edge_seg[side] == NONE
                if f.side[side] != CITY:            # fields on both halves of the side
                    good = good and is_segment(f, f.half_seg[2 * side], FIELD)
                    good = good and is_segment(f, f.half_seg[2 * side + 1], FIELD)
            for k in range(f.n_contacts):
                good = good and is_segment(f, f.contact_field[k], FIELD) and is_segment(f, f.contact_city[k], CITY)
            if not good:
                raise ValueError(f"tile {self.codes[i // 4]}: its sides and segments do not fit together")
        return 0

    cdef int check_box(self) except -1:
        """Check that all tiles of the box fit the tables of a position in every layout."""
        cdef const Tables* t = &self.t
        cdef int i, k, kind
        cdef int tiles = 0, sets = 0, nodes = 1, monks = 0
        for i in range(t.n_types):
            tiles += t.copies[i]
            nodes -= t.copies[i]        # each tile except the first merges at least one
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


cdef void fill_faces(Tables* t) noexcept nogil:
    """Derive fields of each face from its sides and segments."""
    cdef Face* f
    cdef int i, k, n, side
    for i in range(4 * t.n_types):
        f = &t.face[i]
        f.monastery = NONE
        for k in range(f.n_segs):
            if f.kind[k] == MONASTERY:
                f.monastery = k
        for k in range(4):
            if f.side[k] == RIVER:
                f.river_sides |= 1 << k
            else:
                f.code |= f.side[k] << (2 * k)
        for k in range(f.n_segs):
            if f.kind[k] != CITY and f.kind[k] != ROAD:
                continue
            n = f.n_claims
            f.n_claims = n + 1
            f.claim[n] = k
            f.claim_kind[n] = f.kind[k]
            f.claim_figures[n] = figures(f.n_edges[k], f.shields[k], 1)
            for side in range(4):
                f.claim_sides[n] |= (f.edge_seg[side] == k) << side


cdef void fill_rotations(Tables* t) noexcept nogil:
    """Fill the set bits of each mask of rotations, in order."""
    cdef int mask, turned, k
    for mask in range(16):
        k = 0
        for turned in range(4):
            if (mask >> turned) & 1:
                t.rotations[mask] |= <uint64_t> turned << (16 * k)
                k += 1


cdef void fill_fit(Tables* t) noexcept nogil:
    """Fill the rotations of each land tile that fit each code of an open cell, and which tiles fit (CAR-5.5)."""
    cdef int i, r, code, d, need
    cdef bint ok
    for i in range(t.n_types):
        if t.face[i * 4].river_sides:
            continue                # river tiles are checked by river_fits
        for code in range(256):
            for r in range(t.n_rotations[i]):
                ok = True
                for d in range(4):
                    need = (code >> (2 * d)) & 3
                    if need and need != t.face[i * 4 + r].side[d]:
                        ok = False
                if ok:
                    t.fit[i][code] |= 1 << r
                    (<uint8_t*> t.fitting[code])[i] = 0xFF


cdef class CarcassonneState(FlatState):
    """A position of Carcassonne. Everything is public except the order of the stacks (rules, 14.4)."""
    cdef const Tables* t                # == &rules.t
    cdef const Weights* w               # == &rules.w
    cdef Board* b                       # == data

    def __cinit__(self, game, CarcassonneRules rules not None):
        self.t = &rules.t
        self.w = &rules.w
        self.b = <Board*> self.lay_out(sizeof(Board), rules.t.players, MOST_SPOTS, PHASES)
        self.phase_at = &self.b.phase
        self.feature_names = rules.features
        self.input_names = INPUT_NAMES
        self.sparse_inputs = self.t.players * SEAT_INPUTS + TABLE_INPUTS
        self.move_feature_names = MOVE_FEATURES
        start(self.b, self.t)

    cdef void copy_from(self, GameState other) noexcept nogil:
        copy_board(self.b, <const Board*> other.data)

    cdef int actor(self) noexcept nogil:
        if self.b.phase == PHASE_PLACE or self.b.phase == PHASE_DEPLOY:
            return self.b.seat
        return TERMINAL if self.b.phase == PHASE_OVER else CHANCE

    cdef int legal(self, move_t* out) noexcept nogil:
        if self.b.phase == PHASE_PLACE:
            return placements(self.b, self.t, self.b.type, out)
        return deploy_moves(self.b, out)

    cdef void play(self, move_t move) noexcept nogil:
        apply_move(self.b, self.t, move)

    cdef int outcomes(self, move_t* out, uint32_t* weights) noexcept nogil:
        cdef int i, n = 0
        cdef const uint8_t* left = <const uint8_t*> self.b.left
        if self.b.phase == PHASE_FIRST:
            for i in range(self.t.players):
                out[i] = (<move_t> KIND_FIRST << KIND_SHIFT) | <move_t> i
                weights[i] = 1
            return self.t.players
        if self.b.stack == START_STACK:
            out[0] = (<move_t> KIND_DRAW << KIND_SHIFT) | <move_t> self.t.start_type
            weights[0] = 1
            return 1
        for i in range(self.t.n_types):
            if left[i] and (<const uint8_t*> self.t.stack_mask[self.b.stack])[i]:
                out[n] = (<move_t> KIND_DRAW << KIND_SHIFT) | <move_t> i
                weights[n] = left[i]
                n += 1
        return n

    cdef move_t sample(self, Rng* rng) noexcept nogil:
        if self.b.phase == PHASE_FIRST:
            return (<move_t> KIND_FIRST << KIND_SHIFT) | <move_t> rng_below(rng, self.t.players)
        return (<move_t> KIND_DRAW << KIND_SHIFT) | <move_t> sample_type(self.b, self.t, rng)

    cdef int source(self) noexcept nogil:
        if self.b.phase == PHASE_FIRST:
            return 2
        return 1 if self.b.n_left[RIVER_STACK] or self.b.n_left[LAKE_STACK] else 0

    cdef uint64_t event_label(self, int seat) noexcept nogil:
        return self.b.last_move

    cdef void wipe(self, int fill) noexcept nogil:
        overwrite_unused(self.b, self.t.players, fill)

    cdef void result(self, double* win, double* score) noexcept nogil:
        win_shares(self.b, self.t, win, score)

    # ---- evaluation and priors ----------------------------------------------------------------------------

    cdef void evaluate(self, double* win, double* score) noexcept nogil:
        cdef Outlook o
        cdef Gaps g
        cdef double x[SEATS * ALL_FEATURES]
        cdef uint16_t active[MOST_ACTIVE]
        cdef int n
        if self.b.phase == PHASE_OVER:
            win_shares(self.b, self.t, win, score)
            return
        look_out(self.b, self.t, self.w, &o)
        memcpy(score, o.expected, self.t.players * sizeof(double))
        if self.net == NULL:
            win_estimate(self.w, o.left, self.t.players, score, win)
            return
        find_gaps(self.b, self.t, &g)
        features_of_seats(self.b, self.t, self.w, &o, &g, x)
        if self.net.wide != NULL:
            n = fill_inputs(self.b, self.t, &o, &g, active)
            wide_shares(self.net.wide, x, active, n, self.b.seat, ~0U, win)
        else:
            net_shares(self.net, x, ~0U, win)

    cdef int list_inputs(self, int viewer, uint16_t* out) noexcept nogil:
        cdef Outlook o
        cdef Gaps g
        look_out(self.b, self.t, self.w, &o)
        find_gaps(self.b, self.t, &g)
        return fill_inputs(self.b, self.t, &o, &g, out)

    cdef int front(self) noexcept nogil:
        return self.b.seat

    cdef void fill_features(self, int viewer, double* out) noexcept nogil:
        cdef Outlook o
        cdef Gaps g
        look_out(self.b, self.t, self.w, &o)
        find_gaps(self.b, self.t, &g)
        features_of_seats(self.b, self.t, self.w, &o, &g, out)

    cdef void hand_priors(self, const move_t* moves, int n, float* out) noexcept nogil:
        cdef const Rates* r = &self.w.rates[tiles_to_come(self.b)]
        cdef Spot spot[MOST_SPOTS]
        cdef Promise promise[MOST_SPOTS]
        cdef int i
        if self.b.phase == PHASE_DEPLOY:
            for i in range(n):
                out[i] = <float> deploy_gain(self.b, self.t, r, moves[i])
            softmax(out, n, self.w.k.deploy_heat)
            return
        for i in range(n):
            spot[i] = spot_of(self.b, moves[i])
        make_promises(self.b, self.t, r, spot, n, promise)
        for i in range(n):
            out[i] = <float> worth_of_promise(self.w, &promise[i])
        softmax(out, n, self.w.k.place_heat)

    cdef void fill_move_features(self, const move_t* moves, int n, double* out) noexcept nogil:
        features_of_moves(self.b, self.t, self.w, moves, n, out)

    # ---- playouts -------------------------------------------------------------------------------------

    cdef int play_step(self, Rng* rng, const PlayoutParams* params, move_t* scratch) noexcept nogil:
        """Play the rest of a turn, the tile or its discard and the follower, and the next draw."""
        cdef Board* b = self.b
        cdef const Tables* t = self.t
        cdef uint32_t informed = params.informed
        cdef Spot spots[MOST_SPOTS]
        cdef int n, moves = 0
        if b.phase == PHASE_PLACE:
            n = list_spots(b, t, b.type, spots)
            if rarely(n == 0):
                discard(b, t)
            else:
                moves = 1
                if informed and rng_below(rng, 100) < informed:
                    n = best_spot(b, t, self.w, spots, n, rng)
                else:
                    n = spots[rng_below(rng, n)]
                put(b, t, placement_at(b, b.type, n))
        if b.phase == PHASE_DEPLOY:
            moves += 1
            n = deploy_moves(b, scratch)
            if informed and rng_below(rng, 100) < informed:
                n = <int> (scratch[sensible_deploy(b, t, self.w, scratch, n)] & 15)
            else:
                n = <int> (scratch[rng_below(rng, n)] & 15)
            if n:
                deploy(b, t, n - 1)
            end_turn(b, t)
        if b.phase == PHASE_DRAW:       # listing the placements shows whether the tile has one
            take(b, sample_type(b, t, rng))
            b.phase = PHASE_PLACE
        return moves

    # ---- read access for the engine ---------------------------------------------

    def snapshot(self, bint features=True):
        """Return the fields of the engine's `Position` by name, with the features on the table if requested."""
        cdef Board* b = self.b
        cdef int i, k
        cdef const uint8_t* left = <const uint8_t*> b.left
        codes = self.rules.codes
        open_places = [(x_of(b.gap[i].place), y_of(b.gap[i].place)) for i in range(b.n_open)]
        if b.river_on:
            open_places.append((b.river_x, b.river_y))
        in_hand = None
        if b.phase == PHASE_PLACE:
            in_hand = codes[b.type]
        elif b.phase == PHASE_DEPLOY:
            in_hand = codes[b.tile[b.n_tiles - 1].face >> 2]
        stacks = [{codes[i]: left[i] for i in range(self.t.n_types)
                   if left[i] and (<const uint8_t*> self.t.stack_mask[k])[i]} for k in range(START_STACK)]
        land, river = stacks[LAND_STACK], stacks[RIVER_STACK]
        if b.n_left[LAKE_STACK]:
            river.update(stacks[LAKE_STACK])
        if b.n_left[START_STACK]:
            code = codes[self.t.start_type]
            land[code] = land.get(code, 0) + 1
        return {
            "players": self.players, "phase": PHASES[b.phase], "seat_on_turn": b.seat,
            "tiles": tuple([(codes[b.tile[i].face >> 2], b.tile[i].x, b.tile[i].y, b.tile[i].face & 3)
                            for i in range(b.n_tiles)]),
            "followers": tuple(sorted([(b.follower[i].tile, b.follower[i].seg, b.follower[i].seat)
                                       for i in range(b.n_followers)])),
            "scores": tuple([b.score[i] for i in range(self.players)]),
            "supply": tuple([b.supply[i] for i in range(self.players)]),
            "tile_in_hand": in_hand,
            "open_places": tuple(sorted(open_places, key=lambda cell: (cell[1], cell[0]))),
            "placements": self.places_for(b.type) if b.phase == PHASE_PLACE else (),
            "deploy_segments": tuple([i for i in range(8) if b.phase == PHASE_DEPLOY and (b.free_segs >> i) & 1]),
            "remaining": land, "river_remaining": river,
            "discarded": tuple([codes[i] for i in range(self.t.n_types) for _ in range(b.discarded[i])]),
            "river_end": (b.river_x, b.river_y) if b.river_on else None,
            "features": self.features_on_table() if features else (),
        }

    cdef tuple features_on_table(self):
        """Return every road, city, monastery and farm on the table, in the order of their first tiles and segments.

        Each is a tuple of the fields of the engine's `Feature`.
        """
        cdef Board* b = self.b
        cdef const Face* f
        cdef int i, k, n, kind, root
        cdef int number[MAX_NODES]
        cdef uint8_t standing[MAX_TILES][8]             # seat + 1 of the follower on each segment
        memset(number, 0xFF, sizeof(number))            # -1
        memset(standing, 0, sizeof(standing))
        for i in range(b.n_followers):
            standing[b.follower[i].tile][b.follower[i].seg] = b.follower[i].seat + 1
        kinds, segments, sides, shields, followers, cities, points = [], [], [], [], [], [], []
        for i in range(b.n_tiles):
            f = &self.t.face[b.tile[i].face]
            for k in range(f.n_segs):
                kind = f.kind[k]
                if kind == RIVER:
                    continue
                root = root_of(b, b.tile[i].seg[k]) if kind != MONASTERY else -1
                n = number[root] if root >= 0 else -1
                if n < 0:
                    n = len(kinds)
                    kinds.append(KINDS[kind])
                    segments.append([])
                    sides.append(0 if kind == FIELD else b.node[root].open if root >= 0 else
                                 9 - tiles_around(b, b.tile[i].x, b.tile[i].y))
                    shields.append(0 if root < 0 or kind == FIELD else b.node[root].shields)
                    followers.append([0] * self.players)
                    cities.append(set())
                    points.append(self.points_of(kind, root, 9 - sides[n]))
                    if root >= 0:
                        number[root] = n
                segments[n].append((i, k))
                if standing[i][k]:
                    followers[n][standing[i][k] - 1] += 1
        for i in range(b.n_tiles):
            f = &self.t.face[b.tile[i].face]
            for k in range(f.n_contacts):
                cities[number[root_of(b, b.tile[i].seg[f.contact_field[k]])]].add(
                    number[root_of(b, b.tile[i].seg[f.contact_city[k]])])
        return tuple([
            (name, tuple(own), open_sides, marks, tuple(here), name != "field" and not open_sides,
             tuple(sorted(beside)), value)
            for name, own, open_sides, marks, here, beside, value in zip(
                kinds, segments, sides, shields, followers, cities, points, strict=True)])

    cdef int points_of(self, int kind, int root, int around):
        """Points of a completed feature, or of an incomplete one at a game end now; 0 for a farm."""
        if kind == FIELD:
            return 0
        if kind != MONASTERY:
            return open_value(self.b, self.t, root) if self.b.node[root].open else completed_value(self.b, self.t, root)
        if around == 9:
            return self.t.monastery_full
        return self.t.monastery_own_open + (around - 1) * self.t.monastery_next_open

    def places_for(self, int tile_type):
        """Return every legal (x, y, rotation) of a tile type (index in the data file) now, sorted."""
        cdef move_t moves[MOST_SPOTS]
        cdef int i, n
        self.check_type(tile_type)
        n = placements(self.b, self.t, tile_type, moves)
        return tuple(sorted([(x_of(moves[i]), y_of(moves[i]), <int> (moves[i] & 3)) for i in range(n)]))

    def unscored(self, move_t move):
        """Return a copy after a tile or follower is placed but before the turn is scored."""
        cdef CarcassonneState twin = self.clone()
        if move >> KIND_SHIFT == KIND_PLACE:
            lay_in_hand(twin.b, self.t, move)
            twin.b.phase = PHASE_DEPLOY
        elif move >> KIND_SHIFT == KIND_DEPLOY and move & 15:
            deploy(twin.b, self.t, <int> (move & 15) - 1)
        return twin

    def closes(self, int tile_type, int x, int y, int rotation, int tile, int segment):
        """Return whether the road or city of a segment is complete once a tile is laid somewhere where it fits."""
        cdef Board after = self.b[0]
        self.check_type(tile_type)
        lay(&after, self.t, 4 * tile_type + rotation, x, y)
        return after.node[root_of(&after, after.tile[tile].seg[segment])].open == 0

    cdef int check_type(self, int tile_type) except -1:
        if not 0 <= tile_type < self.t.n_types:
            raise ValueError(f"tile type must be 0..{self.t.n_types - 1}, not {tile_type}")
        return 0

    @property
    def last_tile_type(self):
        """Type (index in the data file) of the tile laid last."""
        return self.b.tile[self.b.n_tiles - 1].face >> 2

    @property
    def tiles_left(self):
        """Number of tiles still to be drawn, all stacks together."""
        return sum(self.b.n_left[k] for k in range(STACKS))

    def can_place(self, int tile_type):
        """Return whether a tile type (index in the data file) has a legal placement now."""
        self.check_type(tile_type)
        return placeable(self.b, self.t, tile_type)

    def final_scores_now(self):
        """Return the score of each seat if the game ended here.

        Returns
        -------
        dict of str to list of int
            "scores" (now), "incomplete", "farms" (by the option), "farms_per_farm",
            "farms_first_edition", "final" = scores + incomplete + farms.
        """
        cdef int points[SEATS]
        cdef int i
        cdef bint over = self.b.phase == PHASE_OVER
        now = [self.b.score_before_final[i] if over else self.b.score[i] for i in range(self.players)]
        out = {"scores": now}
        for i in range(SEATS):
            points[i] = 0
        count_incomplete(self.b, self.t, points)
        out["incomplete"] = [points[i] for i in range(self.players)]
        for name, rule in (("farms", self.t.farm_scoring), ("farms_rulebook", FARM_RULEBOOK),
                           ("farms_per_farm", FARM_PER_FARM), ("farms_first_edition", FARM_FIRST_EDITION)):
            for i in range(SEATS):
                points[i] = 0
            count_farms(self.b, self.t, rule, points)
            out[name] = [points[i] for i in range(self.players)]
        out["final"] = [a + c + f for a, c, f in zip(now, out["incomplete"], out["farms"])]
        return out

    def setup_turn(self, int seat, int tile_type):
        """Put `seat` on turn with a tile in hand, regardless of the stacks (for set-up positions).

        Raises
        ------
        ValueError
            If the seat or type is out of range, or the tile has no legal placement.
        """
        cdef uint8_t* left = <uint8_t*> self.b.left
        cdef int i, taken
        self.check_seat(seat)
        if self.b.phase != PHASE_DRAW and self.b.phase != PHASE_PLACE:
            raise ValueError("a turn can be set up only between turns")
        if not self.can_place(tile_type):
            raise ValueError(f"tile {self.rules.codes[tile_type]} has no legal placement")
        # take it off its stack if one is left; otherwise another tile leaves the box for it, so that all still fit
        taken = tile_type
        if not left[taken]:
            for i in range(self.t.n_types):
                if left[i] > left[taken] and (<const uint8_t*> self.t.stack_mask[LAND_STACK])[i]:
                    taken = i
        if not left[taken]:
            raise ValueError("the box is empty: no more tiles can be set up")
        left[taken] -= 1
        for i in (LAND_STACK, RIVER_STACK, LAKE_STACK):
            if (<const uint8_t*> self.t.stack_mask[i])[taken] and self.b.n_left[i]:
                self.b.n_left[i] -= 1
        if not self.room_for(tile_type):
            left[taken] += 1
            for i in (LAND_STACK, RIVER_STACK, LAKE_STACK):
                if (<const uint8_t*> self.t.stack_mask[i])[taken]:
                    self.b.n_left[i] += 1
            raise ValueError("too many tiles of many parts for one box")
        self.b.seat = seat
        self.b.type = tile_type
        self.b.phase = PHASE_PLACE

    cdef bint room_for(self, int tile_type):
        """Whether this tile and all remaining ones fit into the node tables in every layout."""
        cdef int i, k, count, kind, of_sets, of_fields
        cdef int nodes = self.b.n_sets + self.b.n_fields
        cdef int sets = self.b.n_sets
        for i in range(self.t.n_types):
            count = (<const uint8_t*> self.b.left)[i] + (i == tile_type)
            of_sets = 0
            of_fields = 0
            for k in range(self.t.face[i * 4].n_segs):
                kind = self.t.face[i * 4].kind[k]
                of_sets += kind == CITY or kind == ROAD
                of_fields += kind == FIELD
            sets += count * of_sets
            nodes += count * (of_sets + of_fields - 1)      # each tile merges at least one
        return nodes <= MAX_NODES and sets <= MAX_SETS

    cdef int check(self) except -1:
        cdef Board* b = self.b
        cdef int i, d, n, code
        tiles = {}
        for i in range(b.n_tiles):
            assert (b.tile[i].x, b.tile[i].y) not in tiles, "two tiles on one cell"
            tiles[b.tile[i].x, b.tile[i].y] = i
            assert b.grid[cell_of(b.tile[i].x, b.tile[i].y)] == i + 1, "grid and tile list differ"
        used = [i for i in range(CELLS) if b.grid[i]]
        assert b.low < 0 or b.high >= CELLS or b.low <= min(used) and max(used) <= b.high, "a cell would not be copied"
        for i in range(b.n_open):
            x = x_of(b.gap[i].place)
            y = y_of(b.gap[i].place)
            assert (x, y) not in tiles, "an open cell is occupied"
            code = 0
            for d, (dx, dy) in enumerate(((0, -1), (1, 0), (0, 1), (-1, 0))):
                n = tiles.get((x + dx, y + dy), -1)
                if n >= 0:
                    code |= self.t.face[b.tile[n].face].side[d ^ 2] << (2 * d)
            assert code == b.code[i] and code > 0, "an open cell's code differs from its neighbours"
        self.check_gaps(tiles)
        self.check_features()
        for seat in range(self.players):
            out = sum(1 for i in range(b.n_followers) if b.follower[i].seat == seat)
            assert out + b.supply[seat] == self.t.supply, "followers are not conserved"
        total = b.n_tiles + sum(b.n_left[i] for i in range(STACKS)) + (b.phase == PHASE_PLACE)
        total += sum(b.discarded[i] for i in range(self.t.n_types))
        assert total <= MAX_TILES, "more tiles than the box holds"
        return 0

    cdef int check_gaps(self, dict tiles) except -1:
        """Check that every open cell, and the open end of the river, has the nodes of its neighbours."""
        cdef Board* b = self.b
        cdef const Gap* gap
        cdef const Face* f
        cdef int slot, d, h, n, x, y
        for slot in [*range(b.n_open), *([RIVER_SLOT] if b.river_on else [])]:
            gap = &b.gap[slot]
            x = x_of(gap.place)
            y = y_of(gap.place)
            assert slot != RIVER_SLOT or (x, y) == (b.river_x, b.river_y), "the river ends at two places"
            assert b.grid[cell_of(x, y)] == OPEN_BASE + slot, "grid and open cells differ"
            for d, (dx, dy) in enumerate(((0, -1), (1, 0), (0, 1), (-1, 0))):
                n = tiles.get((x + dx, y + dy), -1)
                found = [gap.edge[d], gap.half[2 * d], gap.half[2 * d + 1]]
                wanted = [NOTHING, NOTHING, NOTHING]
                if n >= 0:
                    f = &self.t.face[b.tile[n].face]
                    kind = f.side[d ^ 2]
                    if kind == CITY or kind == ROAD:
                        wanted[0] = root_of(b, b.tile[n].seg[f.edge_seg[d ^ 2]])
                    for h in range(0 if kind == CITY else 1 if kind == FIELD else 2):
                        wanted[1 + h] = root_of(b, b.tile[n].seg[f.half_seg[(2 * d + h) ^ 5]])
                assert [b.root[i] for i in found] == wanted, "an open cell's nodes differ from its neighbours"
        return 0

    cdef int check_features(self) except -1:
        """Check the figures of every feature."""
        cdef Board* b = self.b
        cdef const Face* f
        cdef int i, k, n
        assert b.root[NOTHING] == NOTHING and b.node[NOTHING].open == 2, "the node of empty sides is in use"
        members = {n: set() for n in [*range(b.n_sets), *range(MAX_NODES - b.n_fields, MAX_NODES)] if b.root[n] == n}
        followers = {n: [0] * SEATS for n in members}
        for i in range(b.n_tiles):
            f = &self.t.face[b.tile[i].face]
            for k in range(f.n_claims):
                members[b.root[b.tile[i].seg[f.claim[k]]]].add(i)
            for k in range(f.n_contacts):
                members[b.root[b.tile[i].seg[f.contact_field[k]]]].add(b.root[b.tile[i].seg[f.contact_city[k]]])
        for i in range(b.n_followers):
            n = b.tile[b.follower[i].tile].seg[b.follower[i].seg]
            if n != NONE:
                followers[b.root[n]][b.follower[i].seat] += 1
        for n in members:
            found = {i for i in range(128) if (b.members[n][i >> 6] >> (i & 63)) & 1}
            if b.node[n].kind == FIELD:
                assert {b.root[i] for i in found} == members[n], "the cities next to a field differ"
            else:
                assert found == members[n] and b.node[n].tiles == len(found), "the tiles of a feature differ"
            most_here = max(followers[n])
            assert [count_of(b.node[n].followers, k) for k in range(SEATS)] == followers[n], "followers differ"
            assert [(b.node[n].followers >> (HOLDERS + k)) & 1 for k in range(SEATS)] == [
                0 < k == most_here for k in followers[n]], "the seats with most followers differ"
        return 0


def perft(CarcassonneState state not None, int turns, bint deploys):
    """Count the move sequences of the next turns.

    Each tile type left in the stack counts once per turn; types without a placement contribute nothing.

    Parameters
    ----------
    state : CarcassonneState
        Before a draw.
    turns : int
        Turns to count, at least 1.
    deploys : bool
        Count the follower choices too; otherwise followers are ignored.
    """
    cdef Board* work = <Board*> malloc(2 * (turns + 1) * sizeof(Board))
    cdef uint64_t total
    if work == NULL:
        raise MemoryError()
    work[0] = state.b[0]
    with nogil:
        total = count_turns(work, state.t, turns, deploys)
    free(work)
    return total


cdef uint64_t count_turns(Board* work, const Tables* t, int turns, bint deploys) noexcept nogil:
    cdef Board* b = &work[0]
    cdef Board* placed = &work[1]
    cdef Board* next_turn = &work[2]
    cdef move_t place[MOST_SPOTS]
    cdef move_t choice[12]
    cdef int type, i, k, n, m
    cdef uint64_t total = 0
    for type in range(t.n_types):
        if not ((<uint8_t*> b.left)[type] and (<const uint8_t*> t.stack_mask[b.stack])[type]):
            continue
        n = placements(b, t, type, place)
        if turns == 1 and not deploys:
            total += n
            continue
        for i in range(n):
            memcpy(placed, b, sizeof(Board))
            take(placed, type)
            placed.phase = PHASE_PLACE
            put(placed, t, place[i])
            if placed.phase != PHASE_DEPLOY:
                total += 1 if turns == 1 else count_turns(placed, t, turns - 1, deploys)
                continue
            m = deploy_moves(placed, choice) if deploys else 1
            if turns == 1:
                total += m
                continue
            choice[0] = <move_t> KIND_DEPLOY << KIND_SHIFT
            for k in range(m):
                memcpy(next_turn, placed, sizeof(Board))
                apply_move(next_turn, t, choice[k])
                total += count_turns(next_turn, t, turns - 1, deploys)
    return total
