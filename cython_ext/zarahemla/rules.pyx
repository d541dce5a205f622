"""The Settlers of Zarahemla: what is fixed for a game, taken from arrays.

The arrays are copied as they are; tables that follow from others are computed here. What C code relies on without
looking is checked: that numbers of hexes, corners, edges, terrains and seats are some, and that the codes of moves in
the data are those that are compiled.
"""

from libc.stdint cimport uint64_t
from libc.string cimport memset

from sfida.cython_ext.arrays cimport check_names, fill, fill_rows, in_places, within
from sfida.cython_ext.bits cimport lane
from sfida.cython_ext.zarahemla.board cimport (
    BLANK, CARD_TYPES, C_DICE, C_DRAW_DEV, C_END, C_FIRST_PLAYER, C_LAYOUT, C_NUMBER, C_STATION, C_STOLEN_CARD,
    C_TERRAIN, C_TOKEN_START, HIDEOUT, M_BANK_TRADE, M_BUY_DEV, M_CHOOSE_START, M_CITY, M_DISCARD, M_END_TURN,
    M_MOVE_ROBBER, M_PLAY_HARVEST, M_PLAY_LIAHONA, M_PLAY_PROSPERITY, M_PLAY_ROAD_BUILDING, M_PLAY_TEMPLE_BUILDING,
    M_PLAY_WARRIOR, M_ROAD, M_ROLL, M_SETTLE, M_STEAL_FROM, M_STEAL_NOTHING, M_TAKE, M_TAKE_STOP, M_TEMPLE_STONE,
    M_TRADE_ACCEPT, M_TRADE_COUNTER, M_TRADE_GIVE, M_TRADE_NO_DEAL, M_TRADE_OPEN, M_TRADE_PICK, M_TRADE_REJECT,
    M_TRADE_SUBMIT, M_TRADE_WANT, NOWHERE, N_MOVES, RESOURCES, ROLLS, SEATS, Tables, cards_word, dev_word,
)
from sfida.cython_ext.zarahemla.weights cimport (
    FEATURES, F_POINTS, F_INCOME, F_STEADY, F_KINDS, F_SPECIAL, F_ANY, F_SITE_NOW, F_SITE_NEAR, F_SITE_FAR, F_ROAD,
    F_ROAD_LEAD, F_ARMY, F_ARMY_LEAD, F_TEMPLE, F_TEMPLE_LEAD, F_CARDS, F_HAND, F_OVER, F_PLAN, F_PLANS, F_CITY,
    F_ROBBED, F_CLOSE, F_TURN, F_LEAD, F_LEFT,
)

# First code of each kind, in the order of `K_...` in `turn.pxd`, and the code after the last one.
MOVE_BASES = (
    M_SETTLE, M_ROAD, M_CITY, M_CHOOSE_START, M_ROLL, M_END_TURN, M_BUY_DEV, M_TEMPLE_STONE, M_BANK_TRADE,
    M_PLAY_WARRIOR, M_PLAY_HARVEST, M_PLAY_ROAD_BUILDING, M_PLAY_TEMPLE_BUILDING, M_PLAY_PROSPERITY, M_PLAY_LIAHONA,
    M_TAKE, M_TAKE_STOP, M_DISCARD, M_MOVE_ROBBER, M_STEAL_FROM, M_STEAL_NOTHING, M_TRADE_OPEN, M_TRADE_GIVE,
    M_TRADE_WANT, M_TRADE_SUBMIT, M_TRADE_ACCEPT, M_TRADE_REJECT, M_TRADE_COUNTER, M_TRADE_PICK, M_TRADE_NO_DEAL,
    N_MOVES,
)
CHANCE_BASES = (C_LAYOUT, C_TOKEN_START, C_FIRST_PLAYER, C_DICE, C_DRAW_DEV, C_STOLEN_CARD, C_TERRAIN, C_NUMBER,
                C_STATION, C_END)

FEATURE_NAMES = in_places({
    "points": F_POINTS, "income": F_INCOME, "steady": F_STEADY, "kinds": F_KINDS, "special": F_SPECIAL, "any": F_ANY,
    "site_now": F_SITE_NOW, "site_near": F_SITE_NEAR, "site_far": F_SITE_FAR, "road": F_ROAD, "road_lead": F_ROAD_LEAD,
    "army": F_ARMY, "army_lead": F_ARMY_LEAD, "temple": F_TEMPLE, "temple_lead": F_TEMPLE_LEAD, "cards": F_CARDS,
    "hand": F_HAND, "over": F_OVER, "plan": F_PLAN, "plans": F_PLANS, "city": F_CITY, "robbed": F_ROBBED,
    "close": F_CLOSE, "turn": F_TURN, "lead": F_LEAD, "left": F_LEFT,
})


cdef class ZarahemlaRules:
    """Tables of the map, costs and options.

    Parameters
    ----------
    tables : engines.zarahemla.tables.Tables
    weights : mapping of str to float, or to a pair
        The parameters of the knowledge, by name (`engines.zarahemla.weights.WEIGHTS`).

    Raises
    ------
    ValueError
        If an array has another size than its table, or the numbers do not fit together.
    """

    def __init__(self, tables, weights):
        memset(&self.t, 0, sizeof(Tables))
        self.resources = tables.resources
        self.cards = tables.cards
        self.features = FEATURE_NAMES
        self.take_map(tables)
        self.take_layouts(tables)
        self.take_costs(tables)
        self.take_codes(tables)
        self.take_options(tables)
        self.take_weights(weights)

    cdef int take_weights(self, weights) except -1:
        cdef int i
        check_names(weights, [*(<dict> self.w.k), *self.features[:FEATURES]], "weights")
        self.w.k = weights
        for i in range(FEATURES):
            self.w.worth[i], self.w.win[i] = weights[self.features[i]]
        return 0

    cdef int take_map(self, tables) except -1:
        cdef Tables* t = &self.t
        cdef int i
        t.n_hexes = fill_rows(t.hex_corners, sizeof(t.hex_corners), sizeof(t.hex_corners[0]), tables.hex_corners,
                              "hexes")
        t.n_corners = fill_rows(t.next_to, sizeof(t.next_to), sizeof(t.next_to[0]), tables.next_to, "corners")
        t.n_edges = fill_rows(t.end_a, sizeof(t.end_a), sizeof(t.end_a[0]), tables.end_a, "edges")
        t.n_stations = fill_rows(t.station_kind, sizeof(t.station_kind), sizeof(t.station_kind[0]),
                                 tables.station_kind, "stations")
        t.all_corners = (<uint64_t> 1 << t.n_corners) - 1
        for sets in (tables.hex_corners, tables.only_hex, tables.next_to):
            within(sets, 0, t.all_corners, "sets of corners")
        within(tables.edges_at_high, 0, (1 << max(0, t.n_edges - 64)) - 1, "sets of edges")
        within(tables.degree, 0, 3, "edges at a corner")
        within(tables.n_hexes_at, 0, 3, "hexes at a corner")
        within(tables.edge_at, 0, t.n_edges - 1, "edges")
        within(tables.hex_at, 0, t.n_hexes - 1, "hexes")
        for corners in (tables.far_end, tables.end_a, tables.end_b):
            within(corners, 0, t.n_corners - 1, "corners")
        within(tables.station_at[tables.station_at != NOWHERE], 0, t.n_stations - 1, "stations")
        within(tables.station_kind, 0, RESOURCES, "kinds of stations")
        i = t.n_corners
        fill(t.only_hex, t.n_hexes * sizeof(t.only_hex[0]), tables.only_hex, "hexes")
        fill(t.edges_at, i * sizeof(t.edges_at[0]), tables.edges_at, "edges at corners")
        fill(t.edges_at_high, i * sizeof(t.edges_at_high[0]), tables.edges_at_high, "edges at corners")
        fill(t.degree, i * sizeof(t.degree[0]), tables.degree, "edges at corners")
        fill(t.edge_at, i * sizeof(t.edge_at[0]), tables.edge_at, "edges at corners")
        fill(t.far_end, i * sizeof(t.far_end[0]), tables.far_end, "neighbours of corners")
        fill(t.n_hexes_at, i * sizeof(t.n_hexes_at[0]), tables.n_hexes_at, "hexes at corners")
        fill(t.hex_at, i * sizeof(t.hex_at[0]), tables.hex_at, "hexes at corners")
        fill(t.station_at, i * sizeof(t.station_at[0]), tables.station_at, "stations at corners")
        fill(t.end_b, t.n_edges * sizeof(t.end_b[0]), tables.end_b, "ends of edges")
        fill(t.station_bag, sizeof(t.station_bag), tables.station_bag, "stations by kind")
        return 0

    cdef int take_layouts(self, tables) except -1:
        cdef Tables* t = &self.t
        t.n_layouts = tables.n_layouts
        if not 1 <= t.n_layouts <= C_TOKEN_START - C_LAYOUT:
            raise ValueError(f"there are 1 to {C_TOKEN_START - C_LAYOUT} layouts, not {t.n_layouts}")
        for lines in tables.strip_line:
            laid = [h for line, n in zip(lines, tables.strip_length) for h in line[:n].tolist()]
            check_each_hex_once(t, laid, "strips")
        within(tables.strip_side, 0, HIDEOUT, "terrains of strips")
        fill(t.strip_line, sizeof(t.strip_line), tables.strip_line, "lines of strips")
        fill(t.strip_length, sizeof(t.strip_length), tables.strip_length, "lengths of strips")
        fill(t.strip_side, sizeof(t.strip_side), tables.strip_side, "sides of strips")
        fill(t.terrain_bag, sizeof(t.terrain_bag), tables.terrain_bag, "hexes by terrain")
        fill(t.number_bag, sizeof(t.number_bag), tables.number_bag, "tokens by number")
        within(tables.token, 2, 12, "tokens")
        t.n_tokens = fill_rows(t.token, sizeof(t.token), sizeof(t.token[0]), tables.token, "tokens")
        hideouts = min((tables.strip_side == HIDEOUT).sum(axis=2).min(axis=1).sum(), tables.terrain_bag[HIDEOUT])
        if t.n_hexes - hideouts > t.n_tokens:
            raise ValueError(f"{t.n_tokens} tokens are too few for {t.n_hexes - hideouts} hexes")
        t.n_outer = fill_rows(t.outer, sizeof(t.outer), sizeof(t.outer[0]), tables.outer, "outer hexes")
        t.n_inner = fill_rows(t.inner, sizeof(t.inner), sizeof(t.inner[0]), tables.inner, "inner hexes")
        t.center = tables.center
        check_each_hex_once(t, [*tables.outer.tolist(), *tables.inner.tolist(), t.center], "spiral")
        within(tables.given & 7, 0, BLANK, "terrains given")
        fill(t.given, t.n_hexes * sizeof(t.given[0]), tables.given, "hexes given")
        return 0

    cdef int take_costs(self, tables) except -1:
        cdef Tables* t = &self.t
        cdef int i, r, ratio
        if tables.costs.shape != (5, RESOURCES) or tables.deck.shape != (CARD_TYPES,):
            raise ValueError(f"there are 5 purchases of {RESOURCES} resources, and {CARD_TYPES} types of cards")
        t.road_cost, t.settlement_cost, t.city_cost, t.card_cost, t.stone_cost = map(cards_word, tables.costs)
        t.deck = dev_word(tables.deck)
        t.cards_each = tables.cards_each
        t.n_settlements, t.n_cities, t.n_roads = tables.n_settlements, tables.n_cities, tables.n_roads
        t.n_stones = tables.n_stones
        t.settlement_points, t.city_points = tables.settlement_points, tables.city_points
        t.card_points = tables.card_points
        t.road_points, t.army_points, t.temple_points = tables.road_points, tables.army_points, tables.temple_points
        t.road_minimum, t.army_minimum = tables.road_minimum, tables.army_minimum
        t.temple_minimum = tables.temple_minimum
        for i in range(64):
            for r in range(RESOURCES):
                ratio = tables.generic_ratio if i & 32 else tables.bank_ratio
                if (i >> r) & 1:
                    ratio = tables.special_ratio
                t.rate[i] |= lane(r) * <uint64_t> ratio
        within(tables.roll_slot, 0, ROLLS - 1, "rows of rolls")
        fill(t.roll_slot, sizeof(t.roll_slot), tables.roll_slot, "rows of rolls")
        within(tables.dice36, 0, ROLLS, "rolls")
        fill(t.dice36, sizeof(t.dice36), tables.dice36, "rolls")
        return 0

    cdef int take_codes(self, tables) except -1:
        cdef int kind, code
        for name, found, known in (("move_codes", tables.move_bases, MOVE_BASES),
                                   ("chance_codes", tables.chance_bases, CHANCE_BASES)):
            if tuple(found) != known:
                raise ValueError(f"[{name}] of the data differs from the compiled codes")
        for kind in range(len(MOVE_BASES) - 1):
            for code in range(MOVE_BASES[kind], MOVE_BASES[kind + 1]):
                self.t.kind_of[code] = kind
        return 0

    cdef int take_options(self, tables) except -1:
        cdef Tables* t = &self.t
        t.players = tables.players
        if not 2 <= t.players <= SEATS:
            raise ValueError(f"there are 2 to {SEATS} players, not {t.players}")
        t.target = tables.target
        t.discard_limit = tables.discard_limit
        t.max_turns = tables.max_turns
        t.terrain_mode, t.token_mode, t.station_mode = tables.terrain_mode, tables.token_mode, tables.station_mode
        t.first_player = tables.first_player
        if not -1 <= t.first_player < t.players:
            raise ValueError(f"there is no seat {t.first_player}")
        t.shortage = tables.shortage
        t.trade_mode = tables.trade_mode
        t.max_offers, t.max_side = tables.max_offers, tables.max_side
        t.gifts = tables.gifts
        t.choose_start = tables.choose_start
        t.numbered_site = tables.numbered_site
        t.robber_home = tables.robber_home
        t.may_steal = tables.may_steal
        t.set_aside = tables.set_aside
        t.dev_same_turn = tables.dev_same_turn
        t.harvest_partial = tables.harvest_partial
        t.temple_before_roll = tables.temple_before_roll
        within(tables.order, 0, t.players - 1, "seats of the order")
        t.n_order = fill_rows(t.order, sizeof(t.order), sizeof(t.order[0]), tables.order, "placements")
        t.last_pairs = t.n_order - t.players
        return 0


cdef int check_each_hex_once(const Tables* t, list hexes, str name) except -1:
    """Refuse a layout that leaves a hex out or covers one twice."""
    if sorted(hexes) != list(range(t.n_hexes)):
        raise ValueError(f"{name}: each hex is covered once, not {hexes}")
    return 0
