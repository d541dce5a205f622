"""The Settlers of Zarahemla: the rules core.

Turn (ZAR-5): possibly a development card, the dice, then trade and building in any order. Everything is public
except the development cards in hand and the stolen cards (ZAR-17). The move codes are defined in ZAR-15: decisions of
players are below 338, chance outcomes start at 1000.
"""

from libc.stdint cimport int64_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from sfida.cython_ext.arrays cimport all_of
from sfida.cython_ext.bits cimport MIDS, bits_of, count_of, covers, lane, nth, popcount
from sfida.cython_ext.flat_state cimport FlatState
from sfida.cython_ext.rng cimport Rng, rng_below
from sfida.cython_ext.state cimport CHANCE, EVERYBODY, ONLOOKER, TERMINAL, GameState, PlayoutParams, move_t
from sfida.cython_ext.zarahemla.board cimport (
    BLANK, C_DICE, C_DRAW_DEV, C_END, C_FIRST_PLAYER, C_LAYOUT, C_NUMBER, C_STATION, C_STOLEN_CARD, C_TERRAIN,
    C_TOKEN_START, DICE, DRAW, FORGOTTEN, FREE_ROADS, GAME_OVER, HIDEOUT, M_BANK_TRADE, M_BUY_DEV, M_CHOOSE_START,
    M_CITY, M_DISCARD, M_END_TURN, M_MOVE_ROBBER, M_PLAY_HARVEST, M_PLAY_LIAHONA, M_PLAY_PROSPERITY,
    M_PLAY_ROAD_BUILDING, M_PLAY_TEMPLE_BUILDING, M_PLAY_WARRIOR, M_ROAD, M_ROLL, M_SETTLE, M_STEAL_FROM,
    M_STEAL_NOTHING, M_TAKE, M_TAKE_STOP, M_TEMPLE_STONE, M_TRADE_ACCEPT, M_TRADE_COUNTER, M_TRADE_GIVE,
    M_TRADE_NO_DEAL, M_TRADE_OPEN, M_TRADE_PICK, M_TRADE_REJECT, M_TRADE_SUBMIT, M_TRADE_WANT, MAIN, MAX_LEGAL,
    MAX_THEFTS, NOBODY, NOWHERE, PRE_ROLL, ROBBER, SETUP_FIRST, SETUP_LAYOUT, SETUP_TOKENS, STOLEN, UNWATCHED,
    VICTORY_POINT, WARRIOR, Game, Seat, answer_of, card, cards_in, cards_word, dev_word, dots_of, edge_free,
    longest_trail, outstanding, overwrite_unused, put_city, put_road, put_settlement, resource_worth, secret_points,
    side_of, total, warriors
)
from sfida.cython_ext.zarahemla.evaluation cimport evaluate_position
from sfida.cython_ext.zarahemla.features cimport features_of_seats, robbed_dots
from sfida.cython_ext.zarahemla.hidden cimport (
    MAX_WORLDS, Worlds, could_be, determinize_position, fill_worlds, forget_thefts, label_of, load_worlds, odds_of_draw,
    redact_position, sees_last, tracked
)
from sfida.cython_ext.zarahemla.inputs cimport fill_inputs
from sfida.cython_ext.zarahemla.moves cimport (
    Choices, count_choices, find_choices, further_moves, legal_moves, nth_choice, robber_goals, stone_before_roll
)
from sfida.cython_ext.zarahemla.policy cimport (
    MOVE_WIDTH, features_of_moves, find_priors, find_sure_win, keep_sensible, quick_move
)
from sfida.cython_ext.zarahemla.tables cimport (
    CARD_TYPES, CHANCE_KINDS, DIRECTIONS, MAX_STRIP, MOVE_KINDS, N_MOVES, PURCHASES, RESOURCES, ROLLS, SEAT_INPUTS,
    SEATS, STRIPS, TABLE_INPUTS, Coefficients, Tables, fill_coefficients, fill_tables
)
from sfida.cython_ext.zarahemla.turn cimport (
    apply_move, build_road, chance_outcomes, end_turn, roll_is, sample_chance, start, survey, turn_number
)

from bisect import bisect_right

from sfida.cython_ext.errors import IllegalMove
from sfida.cython_ext.flat_state import COMMON_MOVE_FEATURES
from sfida.cython_ext.zarahemla.parameters import (
    ANSWER_NAMES, CARD_NAMES, CHANCE_NAMES, FEATURES, INPUT_NAMES, MOVE_NAMES, RESOURCE_NAMES, STATION_NAMES,
    TERRAIN_NAMES
)

PHASES = ("setup_layout", "setup_tokens", "setup_stations", "setup_first", "init_settlement", "init_road",
          "init_choose", "pre_roll", "dice", "discard", "robber", "steal", "stolen", "take", "free_roads", "main",
          "draw", "trade_compose", "trade_respond", "trade_pick", "game_over")
# Move features that learned priors read (policy.pxd).
MOVE_FEATURES = COMMON_MOVE_FEATURES + (
    "settles", "roads", "cities", "ends", "buys", "plays", "banks", "offers", "deals", "declines", "roads_late",
    "cities_late", "buys_late", "banks_late", "deals_late",
)
assert len(MOVE_FEATURES) == MOVE_WIDTH

# First code of each kind, in the order of `K_...` in `turn.pxd`, and the end of the last range.
MOVE_BASES = (
    M_SETTLE, M_ROAD, M_CITY, M_CHOOSE_START, M_ROLL, M_END_TURN, M_BUY_DEV, M_TEMPLE_STONE, M_BANK_TRADE,
    M_PLAY_WARRIOR, M_PLAY_HARVEST, M_PLAY_ROAD_BUILDING, M_PLAY_TEMPLE_BUILDING, M_PLAY_PROSPERITY, M_PLAY_LIAHONA,
    M_TAKE, M_TAKE_STOP, M_DISCARD, M_MOVE_ROBBER, M_STEAL_FROM, M_STEAL_NOTHING, M_TRADE_OPEN, M_TRADE_GIVE,
    M_TRADE_WANT, M_TRADE_SUBMIT, M_TRADE_ACCEPT, M_TRADE_REJECT, M_TRADE_COUNTER, M_TRADE_PICK, M_TRADE_NO_DEAL,
    N_MOVES,
)
CHANCE_BASES = (C_LAYOUT, C_TOKEN_START, C_FIRST_PLAYER, C_DICE, C_DRAW_DEV, C_STOLEN_CARD, C_TERRAIN, C_NUMBER,
                C_STATION, C_END)


cdef class ZarahemlaRules:
    """Tables of the map, costs and options, and the weights of the game's knowledge.

    Parameters
    ----------
    tables : mapping of str to object
        Numbers and sequences of numbers by the names of `parameters.TABLES`.
    weights : mapping of str to float
        Numbers by the names of `parameters.WEIGHTS`.

    Raises
    ------
    ValueError
        If a name is missing or unknown, a number is out of bounds, or numbers are inconsistent.
    """

    cdef Tables t
    cdef Coefficients w
    cdef readonly tuple features        # names of the features of a seat for learned evaluations

    def __init__(self, tables, weights):
        self.features = tuple(FEATURES)
        fill_tables(&self.t, tables)
        fill_coefficients(&self.w, weights)
        self.check_tables()
        self.derive()

    cdef int check_tables(self) except -1:
        """Check the assumptions of the compiled code: every hex has a place, every move code its kind."""
        cdef const Tables* t = &self.t
        cdef int i, k, hideouts = 0
        if t.first_player >= t.players:
            raise ValueError(f"there is no seat {t.first_player}")
        for i in range(t.n_corners):
            if t.station_at[i] != NOWHERE and t.station_at[i] >= t.n_stations:
                raise ValueError(f"there is no station {t.station_at[i]}")
        for i in range(DIRECTIONS):
            check_each_hex_once(t, [t.strip_line[i][k][n] for k in range(STRIPS) for n in range(t.strip_length[k])],
                                "strips")
        check_each_hex_once(t, [t.outer[i] for i in range(t.n_outer)] + [t.inner[i] for i in range(t.n_inner)]
                            + [t.center], "spiral")
        for i in range(STRIPS):
            hideouts += min([sum([t.strip_side[i][k][n] == HIDEOUT for n in range(MAX_STRIP)]) for k in range(2)])
        hideouts = min(hideouts, t.terrain_bag[HIDEOUT])
        if t.n_hexes - hideouts > t.n_tokens:
            raise ValueError(f"{t.n_tokens} tokens are too few for {t.n_hexes - hideouts} hexes")
        if tuple([t.move_bases[i] for i in range(MOVE_KINDS + 1)]) != MOVE_BASES:
            raise ValueError("[move_codes] of the data differs from the compiled codes")
        if tuple([t.chance_bases[i] for i in range(CHANCE_KINDS + 1)]) != CHANCE_BASES:
            raise ValueError("[chance_codes] of the data differs from the compiled codes")
        return 0

    cdef int derive(self) except -1:
        cdef Tables* t = &self.t
        cdef int i, r, ratio
        t.all_corners = all_of(t.n_corners)
        t.road_cost, t.settlement_cost, t.city_cost, t.card_cost, t.stone_cost = [
            cards_word([t.costs[i][r] for r in range(RESOURCES)]) for i in range(PURCHASES)]
        t.deck = dev_word([t.dev_cards[i] for i in range(CARD_TYPES)])
        for i in range(64):
            for r in range(RESOURCES):
                ratio = t.special_ratio if (i >> r) & 1 else t.generic_ratio if i & 32 else t.bank_ratio
                t.rate[i] |= lane(r) * <uint64_t> ratio
                t.share[i][r] = 1.0 / ratio
                t.part[i][r] = (65535 + ratio) // ratio
        for i in range(256):
            t.per_roll[i] = i / 36.0
        for i in range(128):
            t.dots[i] = dots_of(i >> 3)
            t.worth_of[i] = dots_of(i >> 3) * resource_worth(i & 7) if i & 7 < RESOURCES else 0.0
        for i, bag in enumerate(([t.terrain_bag[r] for r in range(RESOURCES + 1)],
                                 [t.number_bag[r] for r in range(2, 13)],
                                 [t.station_bag[r] for r in range(RESOURCES + 1)])):
            t.bag_size[i] = sum(bag)
            for r, n in enumerate(bag):
                t.bag[i] |= <uint64_t> (<int> n) << (5 * r)
        for i in range(MOVE_KINDS):
            for r in range(t.move_bases[i], t.move_bases[i + 1]):
                t.kind_of[r] = i
        t.last_pairs = t.n_order - t.players
        return 0


cdef tuple named(list counts):
    """Names and counts of the development cards with a count above 0."""
    return tuple([(name, n) for name, n in zip(CARD_NAMES, counts, strict=True) if n])


cdef int check_each_hex_once(const Tables* t, list hexes, str name) except -1:
    """Refuse a layout that omits a hex or covers one twice."""
    if sorted(hexes) != list(range(t.n_hexes)):
        raise ValueError(f"{name}: each hex is covered once, not {hexes}")
    return 0


cdef class ZarahemlaState(FlatState):
    """A position of The Settlers of Zarahemla."""
    cdef const Tables* t                # == &rules.t
    cdef const Coefficients* w               # == &rules.w
    cdef Game* g                        # == data

    def __cinit__(self, game, ZarahemlaRules rules not None):
        self.t = &rules.t
        self.w = &rules.w
        self.g = <Game*> self.lay_out(sizeof(Game), rules.t.players, max(MAX_LEGAL, rules.t.n_layouts), PHASES)
        self.phase_at = &self.g.phase
        self.viewer_at = &self.g.viewer
        self.hidden = True
        self.has_sure_win = True
        self.feature_names = rules.features
        self.input_names = INPUT_NAMES
        self.sparse_inputs = self.t.players * SEAT_INPUTS + TABLE_INPUTS
        self.move_feature_names = MOVE_FEATURES
        start(self.g, self.t)

    cdef GameState blank(self):
        cdef GameState twin = FlatState.blank(self)
        if self.g.phase > SETUP_LAYOUT:
            twin.max_legal = MAX_LEGAL  # the long list of layouts is no longer needed
        return twin

    cdef void copy_from(self, GameState other) noexcept nogil:
        FlatState.copy_from(self, other)
        if self.g.phase == SETUP_LAYOUT:
            self.max_legal = other.max_legal

    def load(self, bytes data not None):
        """Overwrite the position with bytes that `to_bytes` of the same game and options returned."""
        GameState.load(self, data)
        if self.g.phase == SETUP_LAYOUT:
            self.max_legal = max(MAX_LEGAL, self.t.n_layouts)

    # ---- rules of the game --------------------------------------------------------------------------------

    cdef int actor(self) noexcept nogil:
        cdef int phase = self.g.phase
        if phase == GAME_OVER:
            return TERMINAL
        if phase <= SETUP_FIRST or phase == DICE or phase == STOLEN or phase == DRAW:
            return CHANCE
        return self.g.mover

    cdef int turn(self) noexcept nogil:
        return turn_number(self.g, self.t)

    cdef int source(self) noexcept nogil:
        cdef int phase = self.g.phase
        return phase if phase <= SETUP_FIRST else 4 if phase == DICE else 5 if phase == DRAW else 6

    cdef int legal(self, move_t* out) noexcept nogil:
        return legal_moves(self.g, self.t, out)

    cdef void play(self, move_t move) noexcept nogil:
        apply_move(self.g, self.t, move)

    cdef int outcomes(self, move_t* out, uint32_t* weights) noexcept nogil:
        return chance_outcomes(self.g, self.t, out, weights)

    cdef move_t sample(self, Rng* rng) noexcept nogil:
        return sample_chance(self.g, self.t, rng)

    # ---- information of the seats --------------------------------------------------------------------------

    cdef uint64_t event_label(self, int seat) noexcept nogil:
        return label_of(self.g, self.t, seat)

    cdef bint sees_event(self, int seat) noexcept nogil:
        return self.g.phase == GAME_OVER or sees_last(self.g, seat)

    cdef void determinize_for(self, int seat, Rng* rng) noexcept nogil:
        determinize_position(self.g, self.t, seat, rng)

    cdef void redact(self, int seat) noexcept nogil:
        redact_position(self.g, self.t, seat)

    cdef void wipe(self, int fill) noexcept nogil:
        overwrite_unused(self.g, fill)

    cdef int private_bucket(self, int seat) noexcept nogil:
        """Victory points and Warriors held (0, 1, or at least 2 of each), and whether there are other cards."""
        cdef uint64_t dev = self.g.seat[seat].dev
        cdef int points = count_of(dev, VICTORY_POINT), soldiers = count_of(dev, WARRIOR)
        cdef int others = cards_in(dev) - points - soldiers
        return min(points, 2) + 3 * min(soldiers, 2) + 9 * min(others, 1)

    # ---- result of the game -------------------------------------------------------------------------------

    cdef void result(self, double* win, double* score) noexcept nogil:
        cdef const Game* g = self.g
        cdef int i
        for i in range(self.t.players):
            score[i] = g.seat[i].points
            if g.phase == GAME_OVER:
                score[i] += secret_points(g, self.t, i)
            if g.phase == GAME_OVER and g.winner != NOBODY:
                win[i] = 1.0 if i == g.winner else 0.0
            else:
                win[i] = 1.0 / self.t.players

    # ---- evaluation and priors ----------------------------------------------------------------------------

    cdef int candidates(self, move_t* out) noexcept nogil:
        return keep_sensible(self.g, self.t, self.w, out, legal_moves(self.g, self.t, out))

    cdef void evaluate(self, double* win, double* score) noexcept nogil:
        if self.g.phase == GAME_OVER:
            self.result(win, score)
        else:
            evaluate_position(self.g, self.t, self.w, self.net, ONLOOKER if self.actor() == CHANCE else self.g.mover,
                              win, score)

    cdef void hand_priors(self, const move_t* moves, int n, float* out) noexcept nogil:
        find_priors(self.g, self.t, self.w, moves, n, out)

    cdef void fill_move_features(self, const move_t* moves, int n, double* out) noexcept nogil:
        features_of_moves(self.g, self.t, self.w, moves, n, out)

    cdef move_t playout_move(self, const move_t* moves, int n, Rng* rng) noexcept nogil:
        return moves[0] if n == 1 else quick_move(self.g, self.t, self.w, moves, n, rng)

    cdef int sure_win(self, const move_t* moves, int n) noexcept nogil:
        return find_sure_win(self.g, self.t, moves, n)

    cdef int list_inputs(self, int viewer, uint16_t* out) noexcept nogil:
        return fill_inputs(self.g, self.t, self.g.mover if self.actor() >= 0 else -1, viewer, out)

    cdef int front(self) noexcept nogil:
        return self.g.on_turn

    cdef void fill_features(self, int viewer, double* out) noexcept nogil:
        features_of_seats(self.g, self.t, self.w, viewer, out)

    # ---- playouts: no moves follow the cutoff, so secrets count in the evaluation as in the result ----

    cdef void begin_playout(self, Rng* rng) noexcept nogil:
        forget_thefts(self.g, UNWATCHED)

    cdef int play_step(self, Rng* rng, const PlayoutParams* params, move_t* scratch) noexcept nogil:
        """Play the rest of the turn; informed playouts make no offers, which would take most of a random game."""
        cdef Game* g = self.g
        cdef const Tables* t = self.t
        cdef uint32_t informed = params.informed
        cdef Choices choices
        cdef uint64_t hexes
        cdef int n, k, further, phase, moves = 0, turn = turn_number(g, t) if params.cutoff >= 0 else -1
        while True:
            phase = g.phase
            if phase == MAIN:
                moves += 1
                if informed and rng_below(rng, 100) < informed:
                    apply_move(g, t, quick_move(g, t, self.w, scratch, 0, rng))
                    continue
                find_choices(g, t, &choices)
                further = further_moves(g, t, scratch, 0)
                n = count_choices(&choices) + further
                if n == 1:
                    g.last = M_END_TURN + 1         # the only legal move
                    end_turn(g, t)
                elif informed and rng_below(rng, 100) < informed:
                    apply_move(g, t, quick_move(g, t, self.w, scratch, n, rng))
                else:
                    k = n
                    if informed and further and scratch[further - 1] == M_TRADE_OPEN:
                        k -= 1
                    k = <int> rng_below(rng, <uint32_t> k)
                    n -= further
                    apply_move(g, t, nth_choice(&choices, k) if k < n else scratch[k - n])
                continue
            if phase == GAME_OVER:
                return moves
            if phase <= SETUP_FIRST or phase == DICE or phase == STOLEN or phase == DRAW:
                apply_move(g, t, sample_chance(g, t, rng))
                continue
            if phase <= PRE_ROLL and turn >= 0 and turn_number(g, t) != turn:
                return moves            # a turn begins before the dice or, in the setup, with a placement
            moves += 1
            if phase == PRE_ROLL:
                if (g.carded or not g.seat[g.on_turn].dev) and not stone_before_roll(g, t):
                    g.last = C_DICE + t.dice36[rng_below(rng, 36)] + 1      # the only legal move
                    roll_is(g, t, g.last - 1 - C_DICE + 2)
                    continue
                if informed and rng_below(rng, 100) < informed:
                    apply_move(g, t, quick_move(g, t, self.w, scratch, 0, rng))
                    continue
            if phase == ROBBER and not informed:
                hexes = robber_goals(g)
                n = popcount(hexes)
                apply_move(g, t, M_MOVE_ROBBER + nth(hexes, <int> rng_below(rng, <uint32_t> n) if n > 1 else 0))
                continue
            n = legal_moves(g, t, scratch)
            if n == 1:
                apply_move(g, t, scratch[0])
            elif informed and rng_below(rng, 100) < informed:
                apply_move(g, t, quick_move(g, t, self.w, scratch, n, rng))
            else:
                apply_move(g, t, scratch[rng_below(rng, <uint32_t> n)])

    cdef void evaluate_world(self, double* win, double* score) noexcept nogil:
        evaluate_position(self.g, self.t, self.w, self.net, EVERYBODY, win, score)

    # ---- read access for the engine ---------------------------------------------

    cdef tuple five(self, uint64_t lanes):
        return tuple([count_of(lanes, r) for r in range(RESOURCES)])

    def snapshot(self, int viewer=-1):
        """Return the fields of the engine's `Position` by name, as far as a seat knows them; -1: the public part."""
        cdef const Game* g = self.g
        cdef const Tables* t = self.t
        cdef const Seat* s
        cdef bint over = g.phase == GAME_OVER
        cdef int i, c, e
        who, hands = self.who(), self.known_hands(viewer)
        buildings, roads = [], []
        for i in range(t.players):
            s = &g.seat[i]
            buildings += [(c, i, "settlement") for c in bits_of(s.settlements)]
            buildings += [(c, i, "city") for c in bits_of(s.cities)]
            roads += [(e, i) for e in bits_of(s.roads)]
            roads += [(64 + e, i) for e in bits_of(s.roads_high)]
        gives = tuple([self.side(g.give[i]) for i in range(t.players)])
        wants = tuple([self.side(g.want[i]) for i in range(t.players)])
        givers = [i for i in (who, g.on_turn) if i >= 0 and any(gives[i] + wants[i])]
        return {
            "players": t.players, "phase": PHASES[g.phase], "seat_on_turn": g.on_turn, "seat_to_move": who,
            "first_seat": g.first,
            "terrain": tuple(["" if g.hex[i] & 7 == BLANK else TERRAIN_NAMES[g.hex[i] & 7] for i in range(t.n_hexes)]),
            "numbers": tuple([g.hex[i] >> 3 for i in range(t.n_hexes)]),
            "stations": tuple([(t.station_edge[i], STATION_NAMES[g.station[i]]) for i in range(t.n_stations)]),
            "robber": -1 if g.robber == NOWHERE else g.robber,
            "buildings": tuple(sorted(buildings)), "roads": tuple(sorted(roads)), "bank": self.five(g.bank),
            "deck": cards_in(g.deck),
            "seats": tuple([self.seat_snapshot(i, hands[i], over or i == viewer) for i in range(t.players)]),
            "dice": g.dice, "card_played": bool(g.carded), "cards_bought": cards_in(g.fresh), "turns": g.turns,
            "offer": (givers[0], gives[givers[0]], wants[givers[0]]) if givers else None,
            "offers_made": g.offers, "gives": gives, "wants": wants,
            "answers": tuple([ANSWER_NAMES[answer_of(g, i)] for i in range(t.players)]),
            "left": g.left, "floor": g.floor, "placed": g.corner, "last": self.last_named(),
            "winner": g.winner if over and g.winner != NOBODY else None,
        }

    cdef dict seat_snapshot(self, int seat, hand, bint open_cards):
        """Fields of the engine's `SeatPosition`; `open_cards`: the development cards are open as well."""
        cdef const Seat* s = &self.g.seat[seat]
        cdef const Tables* t = self.t
        known = open_cards or not cards_in(s.dev)
        return {
            "hand": hand, "hand_size": total(s.hand),
            "cards": named([count_of(s.dev, d) for d in range(CARD_TYPES)]) if known else None,
            "card_count": cards_in(s.dev), "played": named([(s.played >> (4 * d)) & 15 for d in range(CARD_TYPES)]),
            "warriors": warriors(s), "stones": s.stones, "road_length": s.length,
            "roads_left": t.n_roads - s.n_roads, "settlements_left": t.n_settlements - s.n_settlements,
            "cities_left": t.n_cities - s.n_cities, "stones_left": t.n_stones - s.stones, "points": s.points,
            "secret_points": secret_points(self.g, t, seat) if known else None,
            "longest_road": self.g.road_holder == seat, "largest_army": self.g.army_holder == seat,
            "temple": self.g.temple_holder == seat,
        }

    cdef tuple last_named(self):
        """Kind and argument of the last event; None before the first one, and for cards that are not public."""
        cdef int code = self.g.last - 1
        if code < 0 or C_DRAW_DEV <= code < C_TERRAIN:
            return None
        names, bases = (MOVE_NAMES, MOVE_BASES) if code < N_MOVES else (CHANCE_NAMES, CHANCE_BASES)
        kind = bisect_right(bases, code) - 1
        return names[kind], code - bases[kind]

    cdef tuple side(self, unsigned int packed):
        return tuple([side_of(packed, r) for r in range(RESOURCES)])

    @property
    def seat_on_turn(self):
        """Seat whose turn it is."""
        return self.g.on_turn

    @property
    def victim(self):
        """Seat that is being robbed; only in the phase "stolen"."""
        return self.g.corner

    def rates(self, int seat):
        """Return the number of cards of each resource that the seat gives the bank for one (ZAR-12)."""
        self.check_seat(seat)
        return list(self.five(self.t.rate[self.g.seat[seat].stations]))

    def income(self, int seat):
        """Return the cards of each resource that the seat receives in the 36 rolls, given the robber (ZAR-6)."""
        self.check_seat(seat)
        found = list(self.five(self.g.seat[seat].dots))
        cdef int robbed = robbed_dots(self.g, self.t, seat)
        if robbed:
            found[self.g.hex[self.g.robber] & 7] -= robbed
        return found

    def others_hold(self, int seat):
        """Return the total cards of each resource in the other hands, as the seat can deduce them (ZAR-13.8)."""
        self.check_seat(seat)
        return [outstanding(self.g, self.t, seat, r) for r in range(RESOURCES)]

    def dev_cards(self, int seat):
        """Return the seat's unplayed development cards by type; a view has only the viewer's.

        Returns
        -------
        (list of int, list of int)
            Held cards, and those of them bought this turn.
        """
        self.check_seat(seat)
        fresh = self.g.fresh if seat == self.g.on_turn else 0
        return ([count_of(self.g.seat[seat].dev, d) for d in range(CARD_TYPES)],
                [count_of(fresh, d) for d in range(CARD_TYPES)])

    def deck_cards(self):
        """Return the development cards left in the deck by type; not for views."""
        return [count_of(self.g.deck, d) for d in range(CARD_TYPES)]

    def draw_odds(self, int seat):
        """Return the probability of each type as the next card of the deck, for a seat (ZAR-17.7, 17.8)."""
        cdef double odds[CARD_TYPES]
        self.check_seat(seat)
        odds_of_draw(self.g, self.t, seat, odds)
        return [odds[d] for d in range(CARD_TYPES)]

    def hand(self, int seat):
        """Return the seat's resource cards: wood, brick, water, wheat, stone; in a view, the cards that it contains."""
        self.check_seat(seat)
        return self.five(self.g.seat[seat].hand)

    def hand_worlds(self, int seat=-1):
        """Return the knowledge of `seat` about all hands (ZAR-17.5); -1: the public knowledge.

        Returns
        -------
        list of (float, tuple of tuple of int), or None
            Probability and every seat's five counts, one entry for each distinct set of hands, likeliest first.
            None when too many thefts are open: then only hand sizes and totals are recorded (ZAR-17.6).
        """
        cdef Worlds w
        cdef int i, k
        if seat != -1:
            self.check_seat(seat)
        if self.g.phase == GAME_OVER or (not self.g.n_thefts and (seat != -1 or self.players > 2)):
            return [(1.0, tuple(self.hand(i) for i in range(self.players)))]
        if self.g.n_thefts > MAX_THEFTS or self.players == 2:
            return None
        fill_worlds(self.g, self.t, NOBODY if seat == -1 else seat, MAX_WORLDS, &w)
        if w.cut:
            return None                 # happens only for the public knowledge
        found = []
        for k in range(w.begin[w.n], w.begin[w.n + 1]):
            found.append((w.pool[k].weight, tuple(
                self.five(w.base[i] + <uint64_t> w.pool[k].share[i] - MIDS) for i in range(self.players))))
        whole = sum(weight for weight, _ in found)
        return sorted(((weight / whole, hands) for weight, hands in found), reverse=True)

    def known_hands(self, int seat=-1):
        """Return each seat's five counts as far as `seat` (-1: the public) can deduce them, otherwise None."""
        worlds = self.hand_worlds(seat)
        if worlds is None:
            own = [self.hand(i) if i == seat or total(self.g.seat[i].hand) == 0 else None
                   for i in range(self.players)]
            return own
        first = worlds[0][1]
        return [first[i] if all(world[i] == first[i] for _, world in worlds) else None for i in range(self.players)]

    @property
    def open_thefts(self):
        """Number of thefts that are not public (ZAR-17.5); -1 when there were too many to keep."""
        return -1 if self.g.n_thefts > MAX_THEFTS else self.g.n_thefts

    def forget(self):
        """Discard the record of thefts, as when there are too many (ZAR-17.6)."""
        if self.players > 2 and self.g.phase != GAME_OVER:
            forget_thefts(self.g, FORGOTTEN)

    # ---- moves of other programs -------------------------------------------------------------

    def lay_road(self, int edge, bint free=False):
        """Lay an unconnected road of the seat on turn (ZAR-8.3), as other programs may.

        Parameters
        ----------
        edge : int
        free : bool
            The road costs nothing, even when no free road of a card remains in this position.

        Raises
        ------
        IllegalMove
            If roads cannot be built now, the edge is taken, or the seat has no road left or cannot pay for it.
        """
        cdef Game* g = self.g
        cdef const Tables* t = self.t
        cdef int seat = g.on_turn
        if not 0 <= edge < t.n_edges or (g.phase != MAIN and g.phase != FREE_ROADS):
            raise IllegalMove(f"no road can be laid on edge {edge} now")
        if not edge_free(g, edge):
            raise IllegalMove(f"there is a road on edge {edge}")
        if g.seat[seat].n_roads >= t.n_roads or (
                g.phase == MAIN and not free and not covers(g.seat[seat].hand, t.road_cost)):
            raise IllegalMove(f"seat {seat} has no road left or cannot pay for it")
        g.last = M_ROAD + edge + 1
        if g.phase == MAIN and free:
            put_road(g, t, seat, edge)
        else:
            build_road(g, t, edge)
        self.wipe(0)
        self.raise_failure()

    # ---- constructed positions ---------------------------------------------------------------

    def arrange(self, *, phase="main", on_turn=0, dice=None, buildings=(), roads=(), hands=(), cards=(), fresh=(),
                played=(), stones=(), robber=None, holders=None, shown=(), turns=0):
        """Replace the position by a constructed one, for tests and puzzles.

        Parameters
        ----------
        phase : str
            "main" or "pre_roll".
        on_turn : int
        dice : int, optional
            Total of this turn; default: 8 in "main".
        buildings : sequence of (seat, corner, kind)
            In the order of building; roads belong in `roads`.
        roads : sequence of (seat, edge)
            Built before the buildings, so that a building of another seat may cut them.
        hands, cards, played : sequence
            By seat: five resource counts; seven counts of development cards held; seven of cards played. Bank and
            deck hold the rest.
        fresh : sequence of int
            Seven counts: cards that the seat on turn bought this turn.
        stones : sequence of int
            By seat.
        robber : int, optional
            Default: the hideout.
        holders : sequence of int, optional
            Longest Road, Largest Army, Greatest Temple Contributor; -1: nobody. Default: by the counts; the first
            of equal seats holds the card.
        shown : sequence of int
            Points at each seat's last own decision.
        turns : int

        Raises
        ------
        ValueError
            If the terrain is not laid yet, or cards do not fit.
        """
        cdef Game* g = self.g
        cdef const Tables* t = self.t
        cdef int i, d
        cdef Game board = g[0]
        if g.phase <= SETUP_FIRST and g.home == NOWHERE:
            raise ValueError("the land is not laid yet")
        start(g, t)
        memcpy(g.hex, board.hex, sizeof(g.hex))
        memcpy(g.station, board.station, sizeof(g.station))
        survey(g, t)
        g.home = board.home
        g.robber = board.home if robber is None else robber
        g.phase = PHASES.index(phase)
        if phase not in ("main", "pre_roll"):
            raise ValueError(f"a position can be arranged in the phases main and pre_roll, not {phase}")
        g.on_turn = g.mover = on_turn
        g.turns = turns
        g.dice = (8 if phase == "main" else 0) if dice is None else dice
        self.put_pieces(buildings, roads)
        for i, n in enumerate(stones):
            g.seat[i].stones = n
        for i, counts in enumerate(played):
            for d, n in enumerate(counts):
                g.seat[i].played |= <uint32_t> (<int> n) << (4 * d)
        for r in range(RESOURCES):
            if sum(counts[r] for counts in hands) > t.cards_each:
                raise ValueError(f"the hands hold more than {t.cards_each} {RESOURCE_NAMES[r]}")
        for d in range(CARD_TYPES):
            if sum(counts[d] for counts in (*cards, *played)) > count_of(t.deck, d):
                raise ValueError(f"there are only {count_of(t.deck, d)} {CARD_NAMES[d]}")
        for i, counts in enumerate(hands):
            g.seat[i].hand = cards_word(counts)
            g.bank -= g.seat[i].hand
        for i, counts in enumerate(cards):
            g.seat[i].dev = dev_word(counts)
            g.deck -= g.seat[i].dev
        for counts in played:
            g.deck -= dev_word(counts)
        g.fresh = dev_word(fresh)
        self.set_holders(holders)
        for i in range(t.players):
            g.seat[i].shown = shown[i] if i < len(shown) else g.seat[i].points

    cdef int put_pieces(self, buildings, roads) except -1:
        for seat, edge in roads:
            put_road(self.g, self.t, seat, edge)
        for seat, corner, kind in buildings:
            put_settlement(self.g, self.t, seat, corner)
            if kind == "city":
                put_city(self.g, self.t, seat, corner)
        return 0

    def set_holders(self, holders=None):
        """Give the special cards to `holders`, or by the counts (see `arrange`)."""
        cdef Game* g = self.g
        cdef const Tables* t = self.t
        cdef int i
        for holder, points in ((g.road_holder, t.road_points), (g.army_holder, t.army_points),
                               (g.temple_holder, t.temple_points)):
            if holder != NOBODY:
                g.seat[<int> holder].points -= <int> points
        if holders is None:
            holders = []
            for counts, least in (
                    ([g.seat[i].length for i in range(t.players)], t.road_minimum),
                    ([g.seat[i].played & 15 for i in range(t.players)], t.army_minimum),
                    ([g.seat[i].stones for i in range(t.players)], t.temple_minimum)):
                best = max(counts)
                holders.append(counts.index(best) if best >= least else -1)
        g.road_holder, g.army_holder, g.temple_holder = [NOBODY if h < 0 else h for h in holders]
        for holder, points in zip(holders, (t.road_points, t.army_points, t.temple_points), strict=True):
            if holder >= 0:
                g.seat[holder].points += points

    # ---- checks of the debug build --------------------------------------------------------------------------

    cdef int check(self) except -1:
        cdef const Game* g = self.g
        cdef const Tables* t = self.t
        cdef const Seat* s
        cdef uint64_t cards, dev, walls, reach, blocked = 0, built = 0
        cdef uint64_t prod[ROLLS][SEATS]
        cdef Worlds w
        cdef int64_t share[SEATS]
        cdef int i, j, k, c, h, e, front
        cdef double worth
        if g.viewer:
            return 0                    # hidden data cannot be recomputed
        cards, dev = g.bank, g.deck
        memset(prod, 0, sizeof(prod))
        dots = [[0] * RESOURCES for _ in range(t.players)]
        edges = []
        for i in range(t.players):
            s = &g.seat[i]
            cards += s.hand
            dev += s.dev + dev_word([(s.played >> (4 * d)) & 15 for d in range(CARD_TYPES)])
            assert total(s.hand) == sum(self.five(s.hand)), "a hand's total differs"
            assert cards_in(s.dev) == sum(self.dev_cards(i)[0]), "the total of development cards differs"
            assert not s.settlements & s.cities, "a corner has two buildings"
            assert bin(s.settlements).count("1") == s.n_settlements, "settlements differ"
            assert bin(s.cities).count("1") == s.n_cities, "cities differ"
            mine = [e for e in range(t.n_edges)
                    if ((s.roads >> e) & 1 if e < 64 else (s.roads_high >> (e - 64)) & 1)]
            assert len(mine) == s.n_roads, "roads differ"
            edges += mine
            walls = 0
            for j in range(t.players):
                if j != i:
                    walls |= g.seat[j].settlements | g.seat[j].cities
            reach = s.settlements | s.cities
            built |= reach
            assert not reach & walls, "two seats build on one corner"
            for e in mine:
                reach |= (<uint64_t> 1 << t.end_a[e]) | (<uint64_t> 1 << t.end_b[e])
            reach &= ~walls
            assert reach == s.reach, "the reach differs"
            for e in range(t.n_edges):
                front = ((reach >> t.end_a[e]) | (reach >> t.end_b[e])) & 1
                assert front == ((s.front >> e) & 1 if e < 64 else (s.front_high >> (e - 64)) & 1), "the front differs"
            assert longest_trail(g, t, i) == s.length, "the road's length differs"
            for c in range(t.n_corners):
                if ((s.settlements | s.cities) >> c) & 1:
                    blocked |= (<uint64_t> 1 << c) | t.next_to[c]
                    for k in range(t.n_hexes_at[c]):
                        h = g.hex[t.hex_at[c][k]]
                        if h >> 3:
                            prod[t.roll_slot[h >> 3]][i] += card(h & 7) * <uint64_t> (1 + ((s.cities >> c) & 1))
                            dots[i][h & 7] += (1 + ((s.cities >> c) & 1)) * dots_of(h >> 3)
            for k in range(ROLLS):
                assert prod[k][i] == g.prod[k][i], "the income differs"
            assert list(self.five(s.dots)) == dots[i], "the dots of the income differ"
            assert s.points == (s.n_settlements * t.settlement_points + s.n_cities * t.city_points
                                + (g.road_holder == i) * t.road_points + (g.army_holder == i) * t.army_points
                                + (g.temple_holder == i) * t.temple_points), "the points differ"
        assert len(set(edges)) == len(edges), "two roads on one edge"
        if g.phase > SETUP_TOKENS:
            assert bits_of(g.open) == [h for h in range(t.n_hexes) if g.hex[h] >> 3 or t.robber_home], (
                "the targets of the robber differ")
        for c in range(t.n_corners):
            reach = 0
            for k in range(t.degree[c]):
                if edge_free(g, t.edge_at[c][k]):
                    reach |= <uint64_t> 1 << t.far_end[c][k]
            assert reach == g.near[c], "the corners at free edges differ"
            worth = 0.0
            h = front = 0
            for k in range(t.n_hexes_at[c]):
                j = g.hex[t.hex_at[c][k]]
                front += dots_of(j >> 3)
                if j & 7 < RESOURCES and j >> 3:
                    worth += dots_of(j >> 3) * resource_worth(j & 7)
                    h |= 1 << (j & 7)
            if g.phase > SETUP_TOKENS:
                assert worth == g.site[c] and h == g.kinds[c] and front == g.plain[c], "the survey of a corner differs"
        for r in range(RESOURCES):
            assert count_of(cards, r) == t.cards_each, "resource cards are not conserved"
        assert dev == t.deck, "development cards are not conserved"
        assert blocked == g.blocked, "the blocked corners differ"
        assert built == g.built, "the corners with buildings differ"
        assert (g.dice == 0) or g.phase >= DICE or g.phase == GAME_OVER, "dice are known too early"
        if tracked(g):
            load_worlds(g, t, NOBODY, &w)
            memset(share, 0, sizeof(share))
            for j in range(w.n):
                k = g.theft[j].card
                assert (g.theft[j].may >> k) & 1, "a theft took a card that was excluded"
                assert count_of(w.held[j] + <uint64_t> share[w.victim[j]], k) > 64, "a theft took a card not there"
                share[w.victim[j]] -= <int64_t> lane(k)
                share[w.thief[j]] += <int64_t> lane(k)
                assert could_be(&w, j, share), "the record of thefts contradicts the hands"
            for i in range(t.players):
                assert share[i] == g.seat[i].drift, "the drift of a hand differs"
        else:
            for i in range(t.players):
                assert g.seat[i].drift == 0, "a hand drifts without thefts"
        return 0
