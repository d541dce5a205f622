"""RisiKo!: what is fixed for a game, taken from arrays.

The arrays are copied as they are; tables that follow from others are computed here, among them the odds of assaults.
What C code relies on without looking is checked: that numbers of territories, symbols, colours and objectives are some,
and that the continents share out the map.
"""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memset

from sfida.cython_ext.arrays cimport check_names, fill, in_places, within
from sfida.cython_ext.bits cimport popcount
from sfida.cython_ext.risiko.board cimport (
    CARDS, COLORS, CONTINENTS, DESTROY, JOKER, MAX_DICE, MAX_OBJECTIVES, MOST_ROUNDS, SEATS, TERRITORIES,
    TERRITORY_COUNT, Objective, Tables, bit,
)
from sfida.cython_ext.risiko.odds cimport SHIELDED, STACK, chance_after, fill_odds, fit_stacks
from sfida.cython_ext.risiko.weights cimport (
    FEATURES, F_DONE, F_NEAR, F_READY, F_FIRST, F_INCOME, F_ARMIES, F_LAND, F_CARDS, F_SET, F_BONUS, F_ALMOST,
    F_THREAT, F_FRONT, F_STACK, F_POINTS, F_LEAD, F_TURN, F_FRESH, F_WHOLE, F_COUNT, F_DESTROY, F_HUNTED, F_RIVAL,
    F_ROUND, F_ALIVE,
)

LARGEST_STACK = STACK
FEATURE_NAMES = in_places({
    "done": F_DONE, "near": F_NEAR, "ready": F_READY, "first": F_FIRST, "income": F_INCOME, "armies": F_ARMIES,
    "land": F_LAND, "cards": F_CARDS, "set": F_SET, "bonus": F_BONUS, "almost": F_ALMOST, "threat": F_THREAT,
    "front": F_FRONT, "stack": F_STACK, "points": F_POINTS, "lead": F_LEAD, "turn": F_TURN, "fresh": F_FRESH,
    "whole": F_WHOLE, "count": F_COUNT, "destroy": F_DESTROY, "hunted": F_HUNTED, "rival": F_RIVAL, "round": F_ROUND,
    "alive": F_ALIVE,
})


cdef class RisikoRules:
    """Tables of the map, the cards, the objectives and the options.

    Parameters
    ----------
    tables : engines.risiko.tables.Tables
    weights : mapping of str to float
        The parameters of the knowledge, by name (`engines.risiko.weights.WEIGHTS`).

    Raises
    ------
    ValueError
        If an array has another size than its table, or the numbers do not fit together.
    """

    def __init__(self, tables, weights):
        memset(&self.t, 0, sizeof(Tables))
        self.colors, self.objectives, self.features = tables.colors, tables.objectives, FEATURE_NAMES
        if len(self.colors) != COLORS:
            raise ValueError(f"there are {COLORS} colours, not {len(self.colors)}")
        self.take_map(tables)
        self.take_cards(tables)
        self.take_objectives(tables)
        self.take_options(tables)
        self.take_weights(weights)
        fill_odds(&self.t, &self.k)

    cdef int take_weights(self, weights) except -1:
        cdef int i
        win = [f"win.{name}" for name in self.features[:FEATURES]]
        check_names(weights, [*(<dict> self.w.k), *win], "weights")
        self.w.k = weights
        for i in range(FEATURES):
            self.w.win[i] = weights[win[i]]
        self.w.way[0], self.w.way[1], self.w.way[2] = self.w.k.way_1, self.w.k.way_2, self.w.k.way_3
        return 0

    cdef int take_map(self, tables) except -1:
        cdef Tables* t = &self.t
        cdef uint64_t land = 0
        cdef int i, size = 0
        t.all_territories = bit(TERRITORIES) - 1
        for sets in (tables.adjacent, tables.continent):
            within(sets, 0, t.all_territories, "sets of territories")
        fill(t.adjacent, sizeof(t.adjacent), tables.adjacent, "borders")
        fill(t.continent, sizeof(t.continent), tables.continent, "continents")
        fill(t.value, sizeof(t.value), tables.value, "values")
        fill(t.bonus, sizeof(t.bonus), tables.bonus, "bonuses")
        fill(t.half, sizeof(t.half), tables.half, "halves of continents")
        for i in range(CONTINENTS):
            size += popcount(t.continent[i])
            land |= t.continent[i]
        if size != TERRITORIES or land != t.all_territories:
            raise ValueError("the continents do not share out the territories")
        return 0

    cdef int take_cards(self, tables) except -1:
        cdef Tables* t = &self.t
        cdef int i, a, d
        t.all_cards = bit(CARDS) - 1
        within(tables.symbol_of, 0, JOKER, "symbols")
        fill(t.symbol_of, sizeof(t.symbol_of), tables.symbol_of, "symbols")
        for i in range(CARDS):
            t.symbol[t.symbol_of[i]] |= bit(i)
        fill(t.class_value, sizeof(t.class_value), tables.class_value, "sets of cards")
        t.card_bonus = tables.card_bonus
        fill(t.ways, sizeof(t.ways), tables.ways, "throws")
        for a in range(1, MAX_DICE + 1):
            for d in range(1, MAX_DICE + 1):
                for i in range(MAX_DICE + 1):
                    t.throws[a][d] += t.ways[a][d][i]
                if t.throws[a][d] == 0:
                    raise ValueError(f"{a} against {d} dice: there is no throw")
        return 0

    cdef int take_objectives(self, tables) except -1:
        cdef Tables* t = &self.t
        cdef Objective* o
        cdef int i, _copy
        cdef const uint8_t[::1] copies = tables.copies, types = tables.types, counts = tables.counts
        cdef const uint8_t[::1] min_armies = tables.min_armies, extra = tables.extra
        cdef const uint8_t[::1] targets = tables.targets, fallbacks = tables.fallbacks
        cdef const uint64_t[::1] needs = tables.needs, others = tables.others
        t.n_objectives = len(self.objectives)
        if t.n_objectives > MAX_OBJECTIVES or tables.copies.sum() > MAX_OBJECTIVES:
            raise ValueError(f"at most {MAX_OBJECTIVES} objectives are supported")
        for array in (tables.copies, tables.types, tables.counts, tables.min_armies, tables.extra, tables.targets,
                      tables.fallbacks, tables.needs, tables.others):
            if len(array) != t.n_objectives:
                raise ValueError(f"there are {t.n_objectives} objectives, not {len(array)}")
        within(tables.types, 0, DESTROY, "types of objectives")
        within(tables.targets, 0, COLORS - 1, "colours of objectives")
        within(tables.fallbacks, 0, max(0, t.n_objectives - 1), "fall-backs of objectives")
        within(tables.needs, 0, t.all_territories, "territories of objectives")
        within(tables.others, 0, (1 << CONTINENTS) - 1, "continents of objectives")
        for i in range(t.n_objectives):
            o = &t.objective[i]
            o.need, o.others = needs[i], others[i]
            o.type, o.count, o.min_armies, o.extra = types[i], counts[i], min_armies[i], extra[i]
            o.color, o.fallback = targets[i], fallbacks[i]
            for _copy in range(copies[i]):
                o.cards |= <uint32_t> 1 << t.n_cards
                t.objective_of[t.n_cards] = i
                t.n_cards += 1
        for i in range(t.n_objectives):
            o = &t.objective[i]
            if o.type == DESTROY:
                o = &t.objective[o.fallback]
                if o.type == DESTROY:
                    raise ValueError(f"objective {self.objectives[i]}: its fall-back is another one of its kind")
            if o.type == TERRITORY_COUNT and o.min_armies > 1:
                t.by_armies |= <uint32_t> 1 << i
        return 0

    cdef int take_options(self, tables) except -1:
        cdef Tables* t = &self.t
        t.players = tables.players
        if not 2 <= t.players <= SEATS:
            raise ValueError(f"there are 2 to {SEATS} players, not {t.players}")
        t.initial, t.batch = tables.initial, tables.batch
        t.forced_defence = tables.forced_defence
        t.no_inferior_attack = tables.no_inferior_attack
        t.garrison = tables.garrison
        t.points = tables.points
        t.completed = tables.completed
        t.round_limit, t.last_round = tables.round_limit, tables.last_round
        if not 0 <= t.round_limit <= t.last_round <= MOST_ROUNDS:
            raise ValueError(f"a game has at most {MOST_ROUNDS} rounds, not {t.last_round}")
        t.rank_by_points = tables.rank_by_points
        t.rtu_ties = tables.rtu_ties
        t.sdadata = tables.sdadata
        t.first_threshold, t.step = tables.first_threshold, tables.step
        t.max_threshold, t.skip_above = tables.max_threshold, tables.skip_above
        t.army_cap = tables.army_cap
        t.early, t.early_rounds = tables.early, tables.early_rounds
        t.min_reinforcement, t.extra_reinforcement = tables.min_reinforcement, tables.extra_reinforcement
        t.hand_limit = tables.hand_limit
        t.lazy = tables.lazy
        t.reveal = tables.reveal
        t.choose_colors = tables.choose_colors
        t.full_candidates = tables.full_candidates
        return 0

    def win_chance(self, int attackers, int defenders, bint reserve=False, bint protected=False, int dice=0):
        """Return the chance that an assault conquers, by all armies of origin and target (RIS-7).

        Exact up to 32 armies each; larger stacks are scaled down to that.

        Parameters
        ----------
        attackers, defenders : int
        reserve : bool
            The assault keeps a reserve.
        protected : bool
            The target is one that no throw may conquer now (RIS-9.6, `RisikoState.is_protected`).
        dice : int
            Of the first throw; 0: the most, as in all others.
        """
        if attackers < 1 or defenders < 0:
            raise ValueError("an attacker has at least 1 army, a defender none or more")
        if not 0 <= dice <= MAX_DICE or dice >= attackers > 1:
            raise ValueError(f"{attackers} armies throw at most {min(attackers - 1, MAX_DICE)} dice, not {dice}")
        return chance_after(&self.t, &self.k, reserve + SHIELDED * protected, attackers, defenders, dice)

    def expected_losses(self, int attackers, int defenders, bint reserve=False, bint protected=False):
        """Return the armies that an assault is expected to cost both sides, by all armies of origin and target (RIS-7).

        Exact up to 32 armies each; the losses of larger stacks are those of smaller ones in proportion. Parameters are
        those of `win_chance`.
        """
        cdef int form = reserve + SHIELDED * protected
        if attackers < 1 or defenders < 0:
            raise ValueError("an attacker has at least 1 army, a defender none or more")
        cdef double scale = max(1.0, max(attackers, defenders) / <double> STACK)
        fit_stacks(&attackers, &defenders)
        return scale * self.k.lost[form][attackers][defenders], scale * self.k.slain[form][attackers][defenders]

    def neighbours(self, int i):
        """Return the territories that border a territory, ascending."""
        if not 0 <= i < TERRITORIES:
            raise ValueError(f"a territory is 0..{TERRITORIES - 1}, not {i}")
        return [k for k in range(TERRITORIES) if self.t.adjacent[i] >> <int> k & 1]
