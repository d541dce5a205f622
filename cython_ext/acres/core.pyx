"""A Few Acres of Snow: the rules core.

A turn (FAS-5): start checks, two actions with free actions between them, draws up to five. Every card is seen by
both but those in hands and decks. A move code is kind << 16 | card type << 8 | site, seat or zone (see `KINDS`).
"""

from libc.stdint cimport uint32_t, uint64_t
from libc.string cimport memset

from sfida.cython_ext.acres cimport board
from sfida.cython_ext.acres.board cimport (
    BY_TURNS, DEAL, DRAW, GAME_OVER, HOME, K_DRAW, MAIN, MAX_LEGAL, PLAYOUT_TURNS, SHIP, SIEGE_LOSS, SIEGE_SETTLE,
    VALUE_BITS, Game, Hold, Side, Tables, overwrite_unused, points, retrace, site_bit, tidy_all,
)
from sfida.cython_ext.acres.evaluation cimport evaluate_position
from sfida.cython_ext.acres.features cimport MOVE_WIDTH, features_of_moves, features_of_sides
from sfida.cython_ext.acres.hidden cimport determinize_position, label_of, redact_position, sees_last
from sfida.cython_ext.acres.moves cimport draws, legal_moves
from sfida.cython_ext.acres.policy cimport find_priors, find_sure_win, quick_move, rate_moves
from sfida.cython_ext.acres.turn cimport (
    apply_move, begin_game, drawn, finish_on_points, open_siege, random_draw, start_turn, strength_at,
)
from sfida.cython_ext.acres.weights cimport (
    ECONOMIC, FEATURES, F_POINTS, F_RACE, F_GROWTH, F_CAPTURED, F_MONEY, F_FORCE, F_GUARD, F_DEAD, F_SIZE, F_SETTLERS,
    F_SUPPORT, F_WALLS, F_EXPOSED, F_FOOTHOLD, F_SIEGE, F_HOME, F_TURN, F_FRENCH, F_LEFT, F_CUBES, F_DISCS,
    F_HAND_FORCE, HAMMER, RAIDER, STYLES, Style, Weights,
)
from sfida.cython_ext.arrays cimport check_names, fill, in_places
from sfida.cython_ext.bits cimport bits_of, lowest, mask_of, popcount
from sfida.cython_ext.flat_state cimport FlatState
from sfida.cython_ext.rng cimport Rng, rng_below
from sfida.cython_ext.state cimport CHANCE, EVERYBODY, ONLOOKER, TERMINAL, PlayoutParams, move_t

from sfida.cython_ext.flat_state import COMMON_MOVE_FEATURES

# The sizes of the tables, and two numbers with a meaning, for those who fill them.
SITES = board.SITES
SLOTS = board.SLOTS
TYPES = board.TYPES
LOCATIONS = board.LOCATIONS
NEUTRALS = board.NEUTRALS
MODES = board.MODES
PURSES = board.PURSES
NONE = board.NONE
NO_LIMIT = board.NO_LIMIT
QUIET_TURNS = board.QUIET_TURNS

FEATURE_NAMES = in_places({
    "points": F_POINTS, "race": F_RACE, "growth": F_GROWTH, "captured": F_CAPTURED, "money": F_MONEY, "force": F_FORCE,
    "guard": F_GUARD, "dead": F_DEAD, "size": F_SIZE, "settlers": F_SETTLERS, "support": F_SUPPORT, "walls": F_WALLS,
    "exposed": F_EXPOSED, "foothold": F_FOOTHOLD, "siege": F_SIEGE, "home": F_HOME, "turn": F_TURN, "french": F_FRENCH,
    "left": F_LEFT, "cubes": F_CUBES, "discs": F_DISCS, "hand_force": F_HAND_FORCE,
})
STRATEGY_NAMES = in_places({"economic": ECONOMIC, "hammer": HAMMER, "raider": RAIDER})
PHASES = ("pick", "deal", "order", "siege_settle", "siege_loss", "main", "transport", "settler", "strength", "raiders",
          "coins", "furs", "discards", "govern", "raid_response", "ambush_response", "ambush_loss", "give_zone", "home",
          "draw", "game_over")
KINDS = ("", "pass", "end", "settle", "develop", "fortify", "besiege", "reinforce", "leader", "raid", "ambush",
         "convert", "money", "merchant", "trader", "piracy", "draft", "discard", "reserve", "govern", "intendant",
         "retrieve", "home", "withdraw", "transport", "settler", "strength", "also", "stop", "block", "allow", "lose",
         "show", "give", "return", "resolve", "place", "leave", "pick", "draw")
REASONS = ("", "siege", "settle", "supply", "capture", "max_turns")
SIDES = ("british", "french")
# what learned priors read of a move (features.pxd)
MOVE_FEATURES = COMMON_MOVE_FEATURES + (
    "settle", "develop", "fortify", "siege", "raid", "money", "draft", "discard", "deck", "stop", "withdraw",
    "settle_late", "draft_late", "deck_late",
)
assert len(MOVE_FEATURES) == MOVE_WIDTH


cdef class AcresRules:
    """Tables of the map, the cards and the options, and the weights of what the search is told.

    Parameters
    ----------
    tables : engines.acres.table_types.Tables
    knowledge : engines.acres.table_types.Knowledge

    Raises
    ------
    ValueError
        If an array has another shape or dtype than its table, a set names what there is not, or a number is out of
        range.
    """

    cdef Tables t
    cdef Weights w

    def __init__(self, tables not None, knowledge not None):
        cdef Tables* t = &self.t
        cdef int i
        memset(t, 0, sizeof(Tables))
        memset(&self.w, 0, sizeof(Weights))
        t.all_sites = site_bit(board.SITES) - 1
        self.copy_map(tables.map)
        self.copy_numbers(tables.numbers)
        self.copy_options(tables.options)
        fill(t.neutral_of, sizeof(t.neutral_of), tables.neutral_of, "neutral types")
        fill(t.start_display, sizeof(t.start_display), tables.display, "neutral cards")
        for i in range(board.TYPES):
            check_below("neutral types", t.neutral_of[i], board.NEUTRALS + 1)
        for i in range(2):
            self.copy_cards(&t.hold[i], tables.cards[i])
            self.copy_start(&t.start[i], &t.hold[i], tables.start[i])
        t.forts = tables.forts
        t.start_forts = tables.start_forts
        check_set("forts at the start", t.start_forts, t.all_sites)
        check_below("forts at the start", popcount(t.start_forts), t.forts + 1)
        self.copy_knowledge(knowledge)

    cdef int copy_map(self, board_tables) except -1:
        cdef Tables* t = &self.t
        cdef int i, k
        fill(t.value, sizeof(t.value), board_tables.value, "values of sites")
        fill(t.defence, sizeof(t.defence), board_tables.defence, "defence of sites")
        fill(t.joined, sizeof(t.joined), board_tables.joined, "connections")
        fill(t.raids, sizeof(t.raids), board_tables.raids, "connections for raids")
        t.ship_siege = board_tables.ship_siege
        t.settler_sites = board_tables.settler_sites
        check_set("sites where ships count", t.ship_siege, t.all_sites)
        check_set("sites that need a settler", t.settler_sites, t.all_sites)
        for i in range(board.SITES):
            check_set("connections", t.joined[i] | t.raids[i], t.all_sites)
            check_below("values of sites", t.value[i], 1 << VALUE_BITS)
            for k in range(VALUE_BITS):
                if (t.value[i] >> k) & 1:
                    t.worth[k] |= site_bit(i)
        return 0

    cdef int copy_numbers(self, numbers) except -1:
        cdef Tables* t = &self.t
        t.fortify_cost = numbers.fortify_cost
        t.intendant_cost = numbers.intendant_cost
        t.retrieve_cost = numbers.retrieve_cost
        t.discard_first = numbers.discard_first
        t.discard_next = numbers.discard_next
        t.fur_money = numbers.fur_money
        t.piracy_money = numbers.piracy_money
        t.merchant_coins = numbers.merchant_coins
        t.intrinsic = numbers.intrinsic
        t.fort_defence = numbers.fort_defence
        t.ship_strength = numbers.ship_strength
        t.attacker_wins = numbers.attacker_wins
        t.defender_wins = numbers.defender_wins
        t.cube_points = numbers.cube_points
        t.disc_points = numbers.disc_points
        t.town_factor = numbers.town_factor
        t.capture_end = numbers.capture_end
        t.tie_winner = numbers.tie_winner
        t.hand_size = numbers.hand_size
        t.max_reserve = numbers.max_reserve
        t.first_actions = numbers.first_actions
        t.turn_actions = numbers.turn_actions
        t.first_player = numbers.first_player
        t.home_draws = numbers.home_draws
        t.siege_waits_points = numbers.siege_waits_points
        check_below("the winner of a tie", t.tie_winner, 2)
        check_below("the first player", t.first_player, 2)
        return 0

    cdef int copy_options(self, options) except -1:
        cdef Tables* t = &self.t
        t.max_turns = options.max_turns
        t.raid_bonus = options.raid_bonus
        t.eager = options.eager
        t.check_after_sieges = options.check_after_sieges
        t.location_reserve = options.location_reserve
        t.lost_location_reserve = options.lost_location_reserve
        t.home_reshuffles = options.home_reshuffles
        t.settling_wins = options.settling_wins
        t.supply_waits = options.supply_waits
        t.capture_waits = options.capture_waits
        t.may_surrender = options.may_surrender
        t.raid_from_besieged = options.raid_from_besieged
        t.raid_besieged = options.raid_besieged
        t.any_route = options.any_route
        t.optional_place = options.optional_place
        t.governor_spares_start = options.governor_spares_start
        t.siege_waits = options.siege_waits
        t.free_blocked_raid = options.free_blocked_raid
        t.free_blocked_ambush = options.free_blocked_ambush
        t.pick_extra = options.pick_extra
        t.may_skip_refill = options.may_skip_refill
        return 0

    cdef int copy_cards(self, Hold* h, cards) except -1:
        cdef int slot, other
        sets = cards.sets
        fill(h.type_of, sizeof(h.type_of), cards.type_of, "types by slot")
        fill(h.coins, sizeof(h.coins), cards.coins, "coins")
        fill(h.strength, sizeof(h.strength), cards.strength, "strength")
        fill(h.siege_pay, sizeof(h.siege_pay), cards.siege_pay, "prices in sieges")
        fill(h.use_pay, sizeof(h.use_pay), cards.use_pay, "prices of use")
        fill(h.cost, sizeof(h.cost), cards.cost, "prices")
        fill(h.of_type, sizeof(h.of_type), cards.of_type, "slots by type")
        fill(h.link, sizeof(h.link), cards.link, "links")
        fill(h.symbol, sizeof(h.symbol), cards.symbol, "transport")
        fill(h.afford, sizeof(h.afford), cards.afford, "cards by price")
        fill(h.neutral_type, sizeof(h.neutral_type), cards.neutral_type, "slots of neutral types")
        fill(h.neutral_cost, sizeof(h.neutral_cost), cards.neutral_cost, "prices of neutral types")
        h.locations = sets.locations
        h.empire = sets.empire
        h.neutral = sets.neutral
        h.start = sets.start
        h.several = sets.several
        h.later = sets.later
        h.settler = sets.settler
        h.fur = sets.fur
        h.coin = sets.coin
        h.military = sets.military
        h.fort = sets.fort
        h.leader = sets.leader
        h.paid = sets.paid
        h.raid = sets.raid
        h.raid_extra = sets.raid_extra
        h.natives = sets.natives
        h.ambush = sets.ambush
        h.convert = sets.convert
        h.block_raid = sets.block_raid
        h.block_ambush = sets.block_ambush
        h.vulnerable = sets.vulnerable
        h.trader = sets.trader
        h.governor = sets.governor
        h.intendant = sets.intendant
        h.home_support = sets.home_support
        h.piracy = sets.piracy
        h.wanted = sets.wanted
        h.all = h.locations | h.empire
        h.home = cards.home
        h.home_reinforce = cards.home_reinforce
        h.victory = cards.victory
        h.native_pay = cards.native_pay
        self.check_cards(h, vars(sets))
        h.onward[board.SLOTS] = h.all
        for slot in range(board.SLOTS):
            for other in range(board.SLOTS):
                if h.all & site_bit(slot) and h.all & site_bit(other) and h.type_of[other] >= h.type_of[slot]:
                    h.onward[slot] |= site_bit(other)
        return 0

    cdef int check_cards(self, const Hold* h, dict sets) except -1:
        cdef int i, k
        for name, found in sets.items():
            check_set(name, found, h.all)
        check_set("location cards", h.locations, self.t.all_sites)
        check_set("homes and aims", h.home | h.home_reinforce | h.victory, self.t.all_sites)
        for i in range(board.SLOTS):
            if h.all & site_bit(i):
                check_below("types by slot", h.type_of[i], board.TYPES)
                check_set("types by slot", site_bit(i), h.of_type[h.type_of[i]])
        for i in range(board.TYPES):
            check_set("slots by type", h.of_type[i], h.all)
        for i in range(board.SITES):
            for k in range(board.MODES):
                check_set("links", h.link[i][k], self.t.all_sites)
        for i in range(board.MODES):
            check_set("transport", h.symbol[i], h.all)
        for i in range(board.PURSES):
            check_set("cards by price", h.afford[i], h.all)
        for i in range(board.NEUTRALS):
            check_set("slots of neutral types", h.neutral_type[i], h.all)
            if self.t.start_display[i] > popcount(h.neutral_type[i]):
                raise ValueError("there are more neutral cards than slots for them")
        return 0

    cdef int copy_start(self, Side* p, const Hold* h, start) except -1:
        p.sites = start.sites
        p.towns = start.towns
        p.deck = start.deck
        p.avail = start.avail
        p.money = start.money
        p.cubes = start.cubes
        p.discs = start.discs
        p.n_deck = popcount(p.deck)
        check_set("sites at the start", p.sites, self.t.all_sites)
        check_set("towns at the start", p.towns, p.sites)
        check_set("cards at the start", p.deck | p.avail, h.all)
        return 0

    cdef int copy_knowledge(self, knowledge) except -1:
        cdef Weights* w = &self.w
        cdef Style* style
        cdef int i, s
        if len(knowledge.card) != STYLES:
            raise ValueError(f"there are {STYLES} strategies, not {len(knowledge.card)}")
        for i in range(STYLES):
            for s in range(2):
                style = &w.style[i][s]
                fill(style.card, sizeof(style.card), knowledge.card[i, s], "worth of cards")
                fill(style.site, sizeof(style.site), knowledge.site[i, s], "worth of sites")
                style.aims = knowledge.aims[i, s]
                check_set("aims", style.aims, self.t.all_sites)
                check_names(knowledge.knobs[i][s], <dict> style.k, "weights of a strategy")
                style.k = knowledge.knobs[i][s]
        check_names(knowledge.win, FEATURE_NAMES[:FEATURES], "weights of the features")
        for i in range(FEATURES):
            w.win[i] = knowledge.win[FEATURE_NAMES[i]]
        w.french = knowledge.french
        w.victory = knowledge.victory
        w.heat = knowledge.heat
        w.noise = knowledge.noise
        check_names(knowledge.coefficients, <dict> w.k, "coefficients")
        w.k = knowledge.coefficients
        return 0


cdef int check_set(str name, uint64_t found, uint64_t whole) except -1:
    """Raise ValueError if a set has members that its whole has not."""
    if found & ~whole:
        raise ValueError(f"the table of {name} names what there is not: {found & ~whole:#x}")
    return 0


cdef int check_below(str name, int number, int bound) except -1:
    """Raise ValueError if a number is not from 0 to `bound` - 1."""
    if not 0 <= number < bound:
        raise ValueError(f"the table of {name} has {number}, not 0 to {bound - 1}")
    return 0


cdef class AcresState(FlatState):
    """A position of A Few Acres of Snow."""

    cdef const Tables* t                # == &rules.t
    cdef const Weights* w               # == &rules.w
    cdef Game* g                        # == data
    cdef unsigned int stop              # turn at which the running playout ends on points

    def __cinit__(self, game, AcresRules rules not None):
        self.t = &rules.t
        self.w = &rules.w
        self.g = <Game*> self.lay_out(sizeof(Game), 2, MAX_LEGAL, PHASES)
        self.phase_at = &self.g.phase
        self.viewer_at = &self.g.viewer
        self.hidden = True
        self.has_sure_win = True
        self.feature_names = FEATURE_NAMES
        self.move_feature_names = MOVE_FEATURES
        begin_game(self.g, self.t)

    # ---- rules --------------------------------------------------------------------------------

    cdef int actor(self) noexcept nogil:
        cdef int phase = self.g.phase
        if phase == GAME_OVER:
            return TERMINAL
        if phase == DRAW or phase == HOME or phase == DEAL:
            return CHANCE
        return self.g.mover

    cdef int turn(self) noexcept nogil:
        return self.g.turns

    cdef int legal(self, move_t* out) noexcept nogil:
        return legal_moves(self.g, self.t, out)

    cdef void play(self, move_t move) noexcept nogil:
        apply_move(self.g, self.t, move)

    cdef int outcomes(self, move_t* out, uint32_t* weights) noexcept nogil:
        return draws(self.g, self.t, out, weights)

    cdef move_t sample(self, Rng* rng) noexcept nogil:
        cdef int slot = lowest(random_draw(self.g, rng))
        return <move_t> (K_DRAW << 16 | self.t.hold[self.g.mover].type_of[slot] << 8 | self.g.mover)

    # ---- information --------------------------------------------------------------------------

    cdef uint64_t event_label(self, int seat) noexcept nogil:
        return label_of(self.g, seat)

    cdef bint sees_event(self, int seat) noexcept nogil:
        return sees_last(self.g, seat)

    cdef void determinize_for(self, int seat, Rng* rng) noexcept nogil:
        determinize_position(self.g, self.t, seat, rng)

    cdef void redact(self, int seat) noexcept nogil:
        redact_position(self.g, self.t, seat)

    cdef void wipe(self, int fill) noexcept nogil:
        overwrite_unused(self.g, fill)

    cdef int private_bucket(self, int seat) noexcept nogil:
        """Cards in hand that block (0..3 and more) and that fight (0..4 and more)."""
        cdef const Side* p = &self.g.side[seat]
        cdef const Hold* h = &self.t.hold[seat]
        cdef int blockers = popcount(p.hand & (h.block_raid | h.block_ambush))
        cdef int fighters = popcount(p.hand & p.usable & h.military)
        return min(blockers, 3) + 4 * min(fighters, 4)

    # ---- result -------------------------------------------------------------------------------

    cdef void result(self, double* win, double* score) noexcept nogil:
        cdef int i
        for i in range(2):
            score[i] = points(self.g, self.t, i)
            win[i] = 0.5
            if self.g.phase == GAME_OVER:
                win[i] = 1.0 if i == self.g.winner else 0.0

    # ---- knowledge ----------------------------------------------------------------------------

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
        return quick_move(self.g, self.t, self.w, &self.w.style[ECONOMIC][self.g.mover], moves, n, rng)

    cdef int sure_win(self, const move_t* moves, int n) noexcept nogil:
        return find_sure_win(self.g, self.t, moves, n)

    # ---- playouts: nobody moves any more where one is cut, so its hands count like its result ---------

    cdef void begin_playout(self, Rng* rng) noexcept nogil:
        self.stop = self.g.turns + PLAYOUT_TURNS if self.t.max_turns == board.NO_LIMIT else board.NO_LIMIT

    cdef int play_step(self, Rng* rng, const PlayoutParams* params, move_t* scratch) noexcept nogil:
        """The rest of the turn; a game without a limit of turns ends on points in a playout (PLAYOUT_TURNS)."""
        cdef Game* g = self.g
        cdef const Tables* t = self.t
        cdef uint32_t informed = params.informed
        cdef unsigned int turn = g.turns
        cdef int n, phase, moves = 0
        if turn >= self.stop:
            finish_on_points(g, t, BY_TURNS)
        while g.turns == turn and g.phase != GAME_OVER:
            phase = g.phase
            if phase == DRAW or phase == HOME or phase == DEAL:
                g.last = 0
                drawn(g, t, random_draw(g, rng))
                continue
            moves += 1
            n = legal_moves(g, t, scratch)
            if n == 1:
                apply_move(g, t, scratch[0])
            elif informed and rng_below(rng, 100) < informed:
                apply_move(g, t, quick_move(g, t, self.w, &self.w.style[ECONOMIC][g.mover], scratch, n, rng))
            else:
                apply_move(g, t, scratch[rng_below(rng, <uint32_t> n)])
        return moves

    cdef void evaluate_world(self, double* win, double* score) noexcept nogil:
        evaluate_position(self.g, self.t, self.w, self.net, EVERYBODY, win, score)

    # ---- what the knowledge thinks, for the engine's Python side --------------------------------------

    cdef void fill_features(self, int viewer, double* out) noexcept nogil:
        features_of_sides(self.g, self.t, self.w, viewer, out)

    def move_worth(self, int strategy=0):
        """Return what a strategy thinks of the mover's legal moves.

        Parameters
        ----------
        strategy : int
            Its place in `STRATEGY_NAMES`.

        Returns
        -------
        list of (int, float)
            Moves, and their worth in points; only what the mover may know is read.
        """
        cdef move_t moves[MAX_LEGAL]
        cdef double worth[MAX_LEGAL]
        cdef int i, n
        if not 0 <= strategy < STYLES:
            raise ValueError(f"there is no strategy {strategy}")
        if self.actor() < 0:
            return []
        n = legal_moves(self.g, self.t, moves)
        rate_moves(self.g, self.t, self.w, &self.w.style[strategy][self.g.mover], moves, n, worth)
        return [(moves[i], worth[i]) for i in range(n)]

    # ---- read access for the engine's Python side ---------------------------------------------

    cdef list types(self, int seat, uint64_t zone):
        """Card types of a zone, ascending, one entry a copy."""
        return sorted(self.t.hold[seat].type_of[i] for i in bits_of(zone))

    def snapshot(self):
        """Return the position as a dict of plain lists and ints, hands and decks as they lie here.

        In a view the other side's hand holds only what is known of it, and its deck all the rest.
        """
        cdef const Game* g = self.g
        cdef const Tables* t = self.t
        cdef const Side* p
        cdef const Hold* h
        cdef int s, i
        seats = []
        for s in range(2):
            p, h = &g.side[s], &t.hold[s]
            seats.append({
                "hand": self.types(s, p.hand), "known": self.types(s, p.known), "deck": self.types(s, p.deck),
                "discard": self.types(s, p.discard), "reserve": self.types(s, p.reserve),
                "unseen": self.types(s, p.hand | p.deck),
                "siege": [self.types(s, p.siege[0]), self.types(s, p.siege[1])],
                "in_play": self.types(s, p.limbo),
                "locations": self.types(s, p.avail & h.locations), "empire": self.types(s, p.avail & h.empire),
                "hand_size": p.n_hand, "deck_size": p.n_deck, "money": p.money, "points": points(g, t, s),
                "cubes": p.cubes, "discs": p.discs, "got_cubes": p.got_cubes, "got_discs": p.got_discs,
                "sites": bits_of(p.sites), "towns": bits_of(p.towns),
                "usable": bits_of(p.usable & h.locations), "reach": bits_of(p.reach & t.all_sites),
                "near": bits_of(p.near),
            })
        neutral = [card for card in range(board.TYPES) if t.neutral_of[card]]
        return {
            "phase": PHASES[g.phase], "on_turn": g.on_turn, "to_move": self.who(), "mover": g.mover,
            "actions": g.actions, "turns": g.turns, "quiet": g.quiet,
            "verb": KINDS[g.verb], "site": -1 if g.site == board.NONE else g.site, "count": g.count, "need": g.need,
            "mode": g.mode, "trail": [g.trail[i] for i in range(g.trail_n)],
            "verb_by": g.verb_by, "reply": (KINDS[g.reply], g.reply_card, g.reply_zone),
            "forts": bits_of(g.forts), "forts_left": g.forts_left, "besieged": bits_of(g.besieged),
            "neutral": [card for card in neutral for _ in range(g.display[t.neutral_of[card] - 1])],
            "targets": [-1 if g.target[i] == board.NONE else g.target[i] for i in range(2)],
            "leads": [g.lead[0], g.lead[1]], "which": g.which, "loser": g.loser, "lose_first": bool(g.lose_first),
            "at_start": bool(g.at_start), "french_siege": bool(g.french_siege), "seats": seats,
            "winner": -1 if g.winner == board.NONE else g.winner, "reason": REASONS[g.reason], "last": g.last - 1,
        }

    @property
    def seat_on_turn(self):
        """Seat whose turn it is."""
        return self.g.on_turn

    @property
    def mover(self):
        """Seat that decides, or draws."""
        return self.g.mover

    def target(self, int besieger):
        """Return the site that a side besieges, or -1."""
        self.check_seat(besieger)
        return -1 if self.g.target[besieger] == board.NONE else self.g.target[besieger]

    @property
    def turns(self):
        """Turns ended, both sides together."""
        return self.g.turns

    # ---- positions made by hand ---------------------------------------------------------------

    cdef uint64_t take(self, int seat, uint64_t* stock, cards) except? 0:
        """Take cards by type out of a side's stock; their slots."""
        cdef const Hold* h = &self.t.hold[seat]
        cdef uint64_t found = 0, some
        cdef int kind
        for card in cards:
            some = stock[seat] & h.of_type[card]
            kind = self.t.neutral_of[card]
            if not some or (kind and not self.g.display[kind - 1]):
                raise ValueError(f"there is no copy of card type {card} left for the {SIDES[seat]}")
            some &= 0 - some
            stock[seat] ^= some
            found |= some
            if kind:
                self.g.display[kind - 1] -= 1
        return found

    cdef int put_sieges(self, sieges, uint64_t* stock) except -1:
        cdef Game* g = self.g
        cdef int a, s, site
        cdef uint64_t cards
        for attacker, site, *played in sieges:
            a = attacker
            if not g.side[1 - a].sites & site_bit(site):
                raise ValueError(f"site {site} is not the other side's")
            open_siege(g, self.t, a, site)
            for s, types in ((a, played[0]), (1 - a, played[1])):
                cards = self.take(s, stock, types)
                g.side[s].siege[a] = cards
                for slot in bits_of(cards):
                    force = strength_at(self.t, s, slot, site)
                    g.lead[a] += force if s == a else -force
        return 0

    def arrange(self, *, sites=None, forts=(), hands=((), ()), decks=((), ()), discards=((), ()),
                reserves=((), ()), known=((), ()), sieges=(), captured=((0, 0), (0, 0)), supplies=(None, None),
                money=None, on_turn=0, actions=2, turns=2, phase="main"):
        """Replace the position by one made by hand, for tests and puzzles.

        Parameters
        ----------
        sites : sequence of (site, seat, town), optional
            All pieces on the map; default: those of the start.
        forts : sequence of int
            Sites.
        hands, decks, discards, reserves : pair of sequences of int
            By seat, card types, one entry a copy; all other cards can be gained.
        known : pair of sequences of int
            Parts of the hands that both sides know.
        sieges : sequence of (attacker, site, attacker's cards, defender's cards)
        captured : pair of (cubes, discs)
        supplies : pair of (cubes, discs) or None
            None: what is not on the map or captured.
        money : pair of int, optional
            Default: as at the start.
        on_turn, actions, turns : int
        phase : str
            "main", or "start": the start of the turn is gone through.

        Raises
        ------
        ValueError
            If there are not so many cards or pieces.
        """
        cdef Game* g = self.g
        cdef const Tables* t = self.t
        cdef Side* p
        cdef uint64_t stock[2]
        cdef uint64_t unknown
        cdef int s, i
        begin_game(g, t)
        g.phase = MAIN
        g.mover = g.on_turn = on_turn
        g.actions, g.turns = actions, turns
        for s in range(2):
            p = &g.side[s]
            stock[s] = (p.avail | p.deck | t.hold[s].neutral) & t.hold[s].all
            if sites is not None:
                p.sites = mask_of(site for site, seat, _ in sites if seat == s)
                p.towns = mask_of(site for site, seat, town in sites if seat == s and town)
        if g.side[0].sites & g.side[1].sites:
            raise ValueError("a site has pieces of both sides")
        g.forts = mask_of(forts)
        g.forts_left = t.forts - popcount(g.forts)
        for s in range(2):
            p = &g.side[s]
            p.hand = self.take(s, stock, hands[s])
            p.known = 0
            p.deck = self.take(s, stock, decks[s])
            p.discard = self.take(s, stock, discards[s])
            p.reserve = self.take(s, stock, reserves[s])
            p.got_cubes, p.got_discs = captured[s]
            i = t.start[s].cubes + popcount(t.start[s].sites & ~t.start[s].towns) - popcount(p.sites & ~p.towns)
            p.cubes = i - captured[1 - s][0]
            i = t.start[s].discs + popcount(t.start[s].towns) - popcount(p.towns)
            p.discs = i - captured[1 - s][1]
            if supplies[s] is not None:
                p.cubes, p.discs = supplies[s]
            if money is not None:
                p.money = money[s]
        self.put_sieges(sieges, stock)
        for s in range(2):
            p = &g.side[s]
            p.avail = stock[s] & ~t.hold[s].neutral
            p.n_hand, p.n_deck = popcount(p.hand), popcount(p.deck)
            for card in known[s]:
                unknown = p.hand & ~p.known & t.hold[s].of_type[card]
                if not unknown:
                    raise ValueError(f"card type {card} is not in the hand of the {SIDES[s]}")
                p.known |= unknown & (0 - unknown)
            if p.n_deck == 0:
                p.known = p.hand
            tidy_all(p, &t.hold[s], t.hold[s].all)
            retrace(g, t, s)
        if phase == "start":
            start_turn(g, t)

    # ---- debug build --------------------------------------------------------------------------

    cdef int check(self) except -1:
        cdef const Game* g = self.g
        cdef const Tables* t = self.t
        cdef const Side* p
        cdef const Hold* h
        cdef Game again
        cdef int s, w, lead
        cdef uint64_t seen, zone, besieged = 0
        cdef bint resolving = g.phase == SIEGE_SETTLE or g.phase == SIEGE_LOSS
        if g.viewer:
            return 0                    # what is hidden cannot be recomputed
        for w in range(2):
            if g.target[w] != board.NONE:
                besieged |= site_bit(g.target[w])
                if not resolving:               # the site may have changed hands while the siege is resolved
                    assert (g.side[1 - w].sites >> g.target[w]) & 1, "a siege of a site that is not the enemy's"
                    lead = -(t.intrinsic + t.defence[g.target[w]]
                             + (t.fort_defence if (g.forts >> g.target[w]) & 1 else 0))
                    for s in range(2):
                        for i in bits_of(g.side[s].siege[w]):
                            force = max(t.hold[s].strength[i], t.ship_strength if (
                                (t.hold[s].symbol[SHIP] >> i) & 1 and (t.ship_siege >> g.target[w]) & 1) else 0)
                            lead += force if s == w else -force
                    assert lead == g.lead[w], "the lead of a siege differs"
            else:
                assert not g.side[0].siege[w] | g.side[1].siege[w], "cards of a siege that is none"
        if not resolving:
            assert besieged == g.besieged, "the besieged sites differ"
        assert not g.side[0].sites & g.side[1].sites, "a site has pieces of both sides"
        assert not g.forts & ~(g.side[0].sites | g.side[1].sites), "a fort without a piece"
        assert popcount(g.forts) + g.forts_left == t.forts, "forts are not conserved"
        display = [g.display[i] for i in range(board.NEUTRALS)]
        for s in range(2):
            p, h = &g.side[s], &t.hold[s]
            seen = 0
            for zone in (p.avail, p.discard, p.reserve, p.siege[0], p.siege[1], p.limbo, p.hand, p.deck):
                assert not zone & seen, "a card is in two zones"
                seen |= zone
            assert not seen & ~h.all, "a card of nobody"
            assert not p.known & ~p.hand, "a known card is not in hand"
            assert popcount(p.hand) == p.n_hand and popcount(p.deck) == p.n_deck, "a size differs"
            assert p.n_deck or p.known == p.hand, "without a deck the hand is known"
            zone = (t.start[s].avail | t.start[s].deck) & h.all
            assert popcount(seen & ~h.neutral) == popcount(zone & ~h.neutral), "cards are not conserved"
            for i in range(board.NEUTRALS):
                display[i] += popcount(seen & h.neutral_type[i])
            assert not p.towns & ~p.sites, "a town without a site"
            assert p.cubes + popcount(p.sites & ~p.towns) + g.side[1 - s].got_cubes <= (
                t.start[s].cubes + popcount(t.start[s].sites & ~t.start[s].towns)), "too many cubes"
            assert p.discs + popcount(p.towns) + g.side[1 - s].got_discs <= (
                t.start[s].discs + popcount(t.start[s].towns)), "too many discs"
            assert p.money >= 0, "money is negative"
            again = g[0]
            tidy_all(&again.side[s], h, h.all)
            retrace(&again, t, s)
            for a, b, what in (
                    (again.side[s].discard, p.discard, "discard pile"), (again.side[s].reserve, p.reserve, "reserve"),
                    (again.side[s].hand, p.hand, "hand"), (again.side[s].known, p.known, "known hand"),
                    (again.side[s].deck, p.deck, "deck"), (again.side[s].avail, p.avail, "available cards"),
                    (again.side[s].usable, p.usable, "usable cards"), (again.side[s].reach, p.reach, "reach"),
                    (again.side[s].near, p.near, "raids")):
                assert a == b, f"{what}: the order of copies or a derived set differs"
        assert display == [t.start_display[i] for i in range(board.NEUTRALS)], "neutral cards are not conserved"
        return 0
