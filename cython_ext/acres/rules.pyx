"""A Few Acres of Snow: the tables that all states of a game share, copied from arrays.

What they mean is told in engines/acres/table_types.py and board.pxd. Checked here is only what the compiled code
relies on: that numbers which index an array, and sets whose members do, lie within it.
"""

from libc.stdint cimport uint64_t
from libc.string cimport memset

from sfida.cython_ext.acres cimport board
from sfida.cython_ext.acres.board cimport VALUE_BITS, Hold, Side, Tables, site_bit
from sfida.cython_ext.acres.weights cimport (
    ECONOMIC, FEATURES, F_POINTS, F_RACE, F_GROWTH, F_CAPTURED, F_MONEY, F_FORCE, F_GUARD, F_DEAD, F_SIZE, F_SETTLERS,
    F_SUPPORT, F_WALLS, F_EXPOSED, F_FOOTHOLD, F_SIEGE, F_HOME, F_TURN, F_FRENCH, F_LEFT, F_CUBES, F_DISCS,
    F_HAND_FORCE, HAMMER, RAIDER, STYLES, Style, Weights,
)
from sfida.cython_ext.arrays cimport check_names, fill, in_places
from sfida.cython_ext.bits cimport popcount

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
