"""RisiKo!: the rules core.

A turn has reinforcements, combats and the strategic move, in this order (RIS-4). The objectives, the cards in hand
and the order of the deck are hidden (RIS-16). `board.pxd` describes the move codes.
"""

from libc.stdint cimport uint16_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc

from sfida.cython_ext.arrays cimport check_names
from sfida.cython_ext.bits cimport bits_of, mask_of, popcount
from sfida.cython_ext.flat_state cimport FlatState
from sfida.cython_ext.risiko.board cimport (
    ATTACK, CHANCE_ASSAULT, CHANCE_DEAL, CHANCE_OBJECTIVES, CHANCE_START, DESTROY, DRAW, GAME_OVER, HURRIED, MAX_LEGAL,
    NOBODY, NOWHERE, OCCUPY, SDADATA, SETUP_PLACE, TERRITORY_COUNT, TRADE, UNWATCHED, Game, bit, effective, has_room,
    is_luck, is_true, overwrite_unused, points_of, reinforcement, set_armies, standing, trade_is_due
)
from sfida.cython_ext.risiko.evaluation cimport evaluate_position
from sfida.cython_ext.risiko.features cimport (
    SHIELDED, STACK, Odds, chance_after, features_of_seats, fill_odds, fit_stacks
)
from sfida.cython_ext.risiko.hidden cimport determinize_position, knows_objective, label_of, redact_position, sees_last
from sfida.cython_ext.risiko.inputs cimport fill_inputs
from sfida.cython_ext.risiko.moves cimport (
    chance_outcomes, coming_round, count_full, forbids_elimination, moves_of, only_territories, sample_chance
)
from sfida.cython_ext.risiko.policy cimport (
    MOVE_WIDTH, Mind, Tally, features_of_moves, find_priors, find_sure_win, play_at_random, play_by_plan, reference_game
)
from sfida.cython_ext.risiko.tables cimport (
    CARDS, COLORS, CONTINENTS, MAX_DICE, MAX_OBJECTIVES, MOST_ARMIES, MOST_BORDERS, MOST_NEIGHBOURS, SEAT_INPUTS, SEATS,
    TABLE_INPUTS, TERRITORIES, Coefficients, Objective, Tables, fill_coefficients, fill_tables
)
from sfida.cython_ext.risiko.turn cimport (
    apply_move, begin_attacks, begin_fortifying, begin_placing, begin_turn, finish_turn, start
)
from sfida.cython_ext.rng cimport Random, Rng, rng_below, rng_uniform
from sfida.cython_ext.state cimport CHANCE, EVERYBODY, ONLOOKER, TERMINAL, PlayoutParams, move_t

from sfida.cython_ext.flat_state import COMMON_MOVE_FEATURES
from sfida.cython_ext.risiko.parameters import FEATURES, INPUT_NAMES

PHASES = ("chance_start", "colors", "chance_objectives", "chance_deal", "setup_place", "trade", "place", "attack",
          "defend", "chance_roll", "chance_assault", "occupy", "fortify", "draw", "sdadata", "game_over")
KINDS = {1: "color", 2: "place", 3: "trade", 4: "end_trade", 5: "attack", 6: "assault", 7: "safe_assault",
         8: "end_attack", 9: "defend", 10: "occupy", 11: "fortify", 12: "end_turn", 16: "start", 17: "objective",
         18: "deal", 19: "roll", 20: "assault_end", 21: "draw", 22: "close"}
HIDDEN = 63                             # card or objective of a last event that the viewer did not see
# Move features that learned priors read (policy.pxd).
MOVE_FEATURES = COMMON_MOVE_FEATURES + (
    "attack", "assault", "safe", "end_attack", "end_turn", "keep_cards", "chance", "card", "wanted", "worth",
    "share", "front", "attack_late", "chance_late",
)
assert len(MOVE_FEATURES) == MOVE_WIDTH
LARGEST_STACK = STACK
IDS = ("colors", "objectives")


cdef class RisikoRules:
    """Tables of the map, the cards, the objectives and the options, and the weights of the game's knowledge.

    Parameters
    ----------
    tables : mapping of str to object
        Numbers and sequences of numbers by the names of `parameters.TABLES`, and the ids of `colors` and `objectives`.
    weights : mapping of str to float
        Numbers by the names of `parameters.WEIGHTS`.

    Raises
    ------
    ValueError
        If a name is missing or unknown, a number is out of bounds, or numbers are inconsistent.
    """

    cdef Tables t
    cdef Odds k
    cdef Coefficients w
    cdef readonly tuple colors          # ids, in the order of the data
    cdef readonly tuple objectives      # ids of the deck in use
    cdef readonly tuple features        # names of the features of a seat for learned evaluations

    def __init__(self, tables, weights):
        cdef Coefficients* w = &self.w
        self.features = tuple(FEATURES)
        check_names([name for name in tables if name in IDS], IDS, "tables")
        numbers = dict(tables)
        self.colors, self.objectives = tuple(numbers.pop("colors")), tuple(numbers.pop("objectives"))
        fill_tables(&self.t, numbers)
        fill_coefficients(w, weights)
        w.way[0], w.way[1], w.way[2] = w.way_1, w.way_2, w.way_3
        self.take_map()
        self.take_dice()
        self.take_objectives()
        fill_odds(&self.t, &self.k)

    cdef int take_map(self) except -1:
        """Check that the continents partition the map, that each card shows its symbol, and the round limits."""
        cdef Tables* t = &self.t
        cdef uint64_t land = 0
        cdef int i, k, size = 0, borders = 0
        if len(self.colors) != COLORS:
            raise ValueError(f"there are {COLORS} colours, not {len(self.colors)}")
        t.all_territories = bit(TERRITORIES) - 1
        t.all_cards = bit(CARDS) - 1
        for i in range(CONTINENTS):
            size += popcount(t.continent[i])
            land |= t.continent[i]
        if size != TERRITORIES or land != t.all_territories:
            raise ValueError("the continents do not share out the territories")
        for i in range(TERRITORIES):
            if popcount(t.adjacent[i]) > MOST_NEIGHBOURS:
                raise ValueError(f"a territory has at most {MOST_NEIGHBOURS} neighbours")
            borders += popcount(t.adjacent[i])
            for k in range(64):
                if (k >> i % 6) & 1:
                    t.around[i // 6][k] |= t.adjacent[i]
        if borders > 2 * MOST_BORDERS:
            raise ValueError(f"the map has at most {MOST_BORDERS} borders")
        for i in range(CARDS):
            t.symbol[t.symbol_of[i]] |= bit(i)
        if t.last_round < t.round_limit:
            raise ValueError(f"the last round is {t.round_limit} or a later one, not {t.last_round}")
        return 0

    cdef int take_dice(self) except -1:
        """Check that the table of throws covers all numbers of dice of both sides."""
        cdef Tables* t = &self.t
        cdef int i, a, d
        for a in range(1, MAX_DICE + 1):
            for d in range(1, MAX_DICE + 1):
                for i in range(MAX_DICE + 1):
                    t.throws[a][d] += t.ways[a][d][i]
                    t.upto[a][d][i] = t.throws[a][d]
                if t.throws[a][d] == 0:
                    raise ValueError(f"{a} against {d} dice: there is no throw")
        return 0

    cdef int take_objectives(self) except -1:
        """Check the size of the deck, and that the fall-back of a `destroy` objective is of another type."""
        cdef Tables* t = &self.t
        cdef Objective* o
        cdef int i, _copy
        if len(self.objectives) != t.n_objectives:
            raise ValueError(f"there are {t.n_objectives} objectives, not {len(self.objectives)}")
        for i in range(t.n_objectives):
            o = &t.objective[i]
            if t.n_cards + o.copies > MAX_OBJECTIVES:
                raise ValueError(f"at most {MAX_OBJECTIVES} objectives are supported")
            for _copy in range(o.copies):
                o.cards |= <uint32_t> 1 << t.n_cards
                t.objective_of[t.n_cards] = i
                t.n_cards += 1
            if o.type == DESTROY and (o.fallback >= t.n_objectives or t.objective[o.fallback].type == DESTROY):
                raise ValueError(f"objective {self.objectives[i]}: its fall-back is another one of its kind, or none")
            if o.type == TERRITORY_COUNT and o.min_armies > 1:
                t.by_armies |= <uint32_t> 1 << i
        return 0

    def win_chance(self, int attackers, int defenders, bint reserve=False, bint protected=False, int dice=0):
        """Return the probability that an assault conquers, by all armies of origin and target (RIS-7).

        Exact up to 32 armies each; larger stacks are scaled down to that.

        Parameters
        ----------
        attackers, defenders : int
        reserve : bool
            Whether the assault keeps a reserve.
        protected : bool
            Whether no throw may conquer the target now (RIS-9.6, `RisikoState.is_protected`).
        dice : int
            Dice of the first throw; 0: the maximum, as in all other throws.
        """
        if attackers < 1 or defenders < 0:
            raise ValueError("an attacker has at least 1 army, a defender none or more")
        if not 0 <= dice <= MAX_DICE or dice >= attackers > 1:
            raise ValueError(f"{attackers} armies throw at most {min(attackers - 1, MAX_DICE)} dice, not {dice}")
        return chance_after(&self.t, &self.k, reserve + SHIELDED * protected, attackers, defenders, dice)

    def expected_losses(self, int attackers, int defenders, bint reserve=False, bint protected=False):
        """Return the expected losses of both sides in an assault, by all armies of origin and target (RIS-7).

        Exact up to 32 armies each; the losses of larger stacks are scaled up in proportion. The parameters are
        those of `win_chance`.
        """
        cdef int form = reserve + SHIELDED * protected
        if attackers < 1 or defenders < 0:
            raise ValueError("an attacker has at least 1 army, a defender none or more")
        cdef double scale = max(1.0, max(attackers, defenders) / <double> STACK)
        fit_stacks(&attackers, &defenders)
        return scale * self.k.lost[form][attackers][defenders], scale * self.k.slain[form][attackers][defenders]

    def neighbours(self, int i):
        """Return the neighbours of a territory, ascending."""
        if not 0 <= i < TERRITORIES:
            raise ValueError(f"a territory is 0..{TERRITORIES - 1}, not {i}")
        return [k for k in range(TERRITORIES) if self.t.adjacent[i] >> <int> k & 1]


cdef class RisikoState(FlatState):
    """A position of RisiKo!"""
    cdef const Tables* t                # == &rules.t
    cdef const Odds* k                  # == &rules.k
    cdef const Coefficients* w          # == &rules.w
    cdef Game* g                        # == data
    cdef Mind mind                      # plan of the current playout

    def __cinit__(self, game, RisikoRules rules not None):
        self.t = &rules.t
        self.k = &rules.k
        self.w = &rules.w
        self.g = <Game*> self.lay_out(sizeof(Game), rules.t.players, MAX_LEGAL, PHASES)
        self.phase_at = &self.g.phase
        self.viewer_at = &self.g.viewer
        self.max_listed = 7 * MOST_ARMIES + 1
        self.hidden = True
        self.has_sure_win = True
        self.feature_names = rules.features
        self.input_names = INPUT_NAMES
        self.sparse_inputs = self.t.players * SEAT_INPUTS + TABLE_INPUTS
        self.move_feature_names = MOVE_FEATURES
        start(self.g, self.t)

    # ---- rules of the game --------------------------------------------------------------------------------

    cdef int actor(self) noexcept nogil:
        cdef int phase = self.g.phase
        if phase == GAME_OVER:
            return TERMINAL
        if is_luck(phase):
            return CHANCE
        return self.g.mover

    cdef int turn(self) noexcept nogil:
        return self.g.turns

    cdef int source(self) noexcept nogil:
        cdef int phase = self.g.phase
        if phase == CHANCE_START:
            return 0
        if phase <= CHANCE_DEAL:
            return phase - CHANCE_OBJECTIVES + 1
        return 5 if phase == SDADATA else 4 if phase == DRAW else 3

    cdef int legal(self, move_t* out) noexcept nogil:
        return moves_of(self.g, self.t, False, out)

    cdef int candidates(self, move_t* out) noexcept nogil:
        cdef bint compact = not self.t.full_candidates or count_full(self.g, self.t) > MAX_LEGAL
        return moves_of(self.g, self.t, compact, out)

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
        return self.g.phase == GAME_OVER or sees_last(self.g, self.t, seat, self.g.drawer)

    cdef void determinize_for(self, int seat, Rng* rng) noexcept nogil:
        determinize_position(self.g, self.t, seat, rng)

    cdef void redact(self, int seat) noexcept nogil:
        redact_position(self.g, self.t, seat)

    cdef void wipe(self, int fill) noexcept nogil:
        overwrite_unused(self.g, fill)

    cdef int private_bucket(self, int seat) noexcept nogil:
        """The objective of the seat."""
        return self.g.objective[seat] % 20

    # ---- result of the game -------------------------------------------------------------------------------

    cdef void result(self, double* win, double* score) noexcept nogil:
        cdef const Game* g = self.g
        cdef uint64_t best = 0
        cdef uint64_t key[SEATS]
        cdef int i, n = 0
        if g.phase != GAME_OVER:
            for i in range(self.t.players):
                score[i] = 0.0 if self.t.points else popcount(g.own[i])
                win[i] = 1.0 / self.t.players
            return
        for i in range(self.t.players):
            key[i] = standing(g, self.t, i)
            if key[i] > best:
                best = key[i]
        for i in range(self.t.players):
            n += key[i] == best
        for i in range(self.t.players):
            win[i] = 1.0 / n if key[i] == best else 0.0
            score[i] = points_of(g, self.t, i) if self.t.points else popcount(g.own[i])

    # ---- evaluation and priors ----------------------------------------------------------------------------

    cdef void evaluate(self, double* win, double* score) noexcept nogil:
        cdef int actor = self.actor()
        if actor == TERMINAL:
            self.result(win, score)
        else:
            evaluate_position(self.g, self.t, self.k, self.w, self.net, ONLOOKER if actor == CHANCE else actor, win,
                              score)

    cdef void hand_priors(self, const move_t* moves, int n, float* out) noexcept nogil:
        cdef double scratch[MAX_LEGAL]
        find_priors(self.g, self.t, self.k, self.w, moves, n, scratch, out)

    cdef void fill_move_features(self, const move_t* moves, int n, double* out) noexcept nogil:
        features_of_moves(self.g, self.t, self.k, self.w, moves, n, out)

    cdef move_t playout_move(self, const move_t* moves, int n, Rng* rng) noexcept nogil:
        """Draw a move by its prior."""
        cdef float share[MAX_LEGAL]
        cdef double x = rng_uniform(rng)
        cdef int i
        self.hand_priors(moves, n, share)
        for i in range(n - 1):
            x -= share[i]
            if x < 0.0:
                return moves[i]
        return moves[n - 1]

    cdef int sure_win(self, const move_t* moves, int n) noexcept nogil:
        return find_sure_win(self.g, self.t, moves, n)

    cdef int list_inputs(self, int viewer, uint16_t* out) noexcept nogil:
        return fill_inputs(self.g, self.t, self.k, viewer, out)

    cdef int front(self) noexcept nogil:
        return self.g.on_turn

    cdef void fill_features(self, int viewer, double* out) noexcept nogil:
        features_of_seats(self.g, self.t, self.k, viewer, out)

    # ---- playouts without lists, with all secrets open -----------------------------------------

    cdef void begin_playout(self, Rng* rng) noexcept nogil:
        self.mind.turn = -1
        if self.g.phase != GAME_OVER:
            self.g.world = HURRIED

    cdef int play_step(self, Rng* rng, const PlayoutParams* params, move_t* scratch) noexcept nogil:
        """Play the rest of the turn."""
        cdef Game* g = self.g
        cdef const Tables* t = self.t
        cdef uint32_t informed = params.informed
        cdef int moves = 0, turn = g.turns
        while g.turns == turn and g.phase != GAME_OVER:
            if is_luck(g.phase):
                apply_move(g, t, sample_chance(g, t, rng))
                continue
            if informed and rng_below(rng, 100) < informed:
                moves += 1
                play_by_plan(&self.mind, g, t, self.k, self.w, scratch, rng)
            else:
                moves += play_at_random(g, t, informed == 0, scratch, rng)
        return moves

    cdef void evaluate_world(self, double* win, double* score) noexcept nogil:
        evaluate_position(self.g, self.t, self.k, self.w, self.net, EVERYBODY, win, score)

    def reference_playout(self, Random rng not None, bint greedy=False):
        """Play to the end by a policy of the reference statistics (RIS-21.3, 21.4) and count.

        Parameters
        ----------
        rng : Random
        greedy : bool
            Use the greedy policy for all seats instead of uniformly random moves.

        Returns
        -------
        dict of str to int
            "decisions", "throws", "conquests", "listed" (sum of the lengths of the lists), "longest" (list) and
            "most_cards" (in a hand).
        """
        cdef Tally tally
        cdef move_t* scratch = <move_t*> malloc(MAX_LEGAL * sizeof(move_t))
        if scratch == NULL:
            raise MemoryError()
        if self.g.phase != GAME_OVER:
            self.g.world = UNWATCHED
        with nogil:
            reference_game(self.g, self.t, greedy, scratch, &tally, &rng.rng)
        free(scratch)
        return tally

    # ---- read access for the engine ---------------------------------------------

    def snapshot(self, seat=None):
        """Return the position as a seat sees it, as keywords of `engines.risiko.position.Position`.

        Parameters
        ----------
        seat : int or None
            None: public information only.

        Returns
        -------
        dict
            Tuples, numbers and words; the seats are dicts, and the last event is its code as the seat saw it.
        """
        cdef const Game* g = self.g
        cdef int i
        cdef bint over = g.phase == GAME_OVER
        cdef bint told = over or sees_last(g, self.t, -1 if seat is None else seat, g.drawer)
        ranks = self.standings() if over else ()
        return {
            "players": self.players, "tournament": bool(self.t.points), "phase": PHASES[g.phase], "round": g.round,
            "turns": g.turns, "first_seat": g.first, "seat_on_turn": g.on_turn, "seat_to_move": self.who(),
            "owner": tuple([-1 if g.owner[i] == NOBODY else g.owner[i] for i in range(TERRITORIES)]),
            "armies": tuple([g.armies[i] for i in range(TERRITORIES)]),
            "left": g.left, "conquests": g.conquests, "earns_card": bool(has_room(g, self.t, 0)),
            "origin": -1 if g.origin == NOWHERE else g.origin, "target": -1 if g.target == NOWHERE else g.target,
            "attack_dice": g.attack_dice, "defence_dice": g.defence_dice,
            "assault": g.assault if ATTACK <= g.phase <= CHANCE_ASSAULT else 0,
            "deck": popcount(g.deck), "discards": tuple(bits_of(g.discard)), "draw_cycle": g.cycles,
            "card_cycles": tuple([g.cycle[i] for i in range(CARDS)]),
            "seats": tuple([self.seat_snapshot(i, over or i == seat) for i in range(self.players)]),
            "winner": -1 if g.winner == NOBODY else g.winner,
            "winners": tuple([i for i, rank in enumerate(ranks) if rank == 1]),
            "last": g.last if told else g.last | NOWHERE,
        }

    cdef dict seat_snapshot(self, int seat, bint is_open):
        """Fields of the engine's `SeatPosition`; `is_open`: its cards and its objective are visible."""
        cdef const Game* g = self.g
        cdef const Tables* t = self.t
        cdef int i, income = reinforcement(g, t, seat), held = <int> g.total[seat] + g.stock[seat]
        cdef bint shown = is_open or (t.reveal and g.eliminated_by[seat] != NOBODY)
        if t.army_cap:
            held += g.left if seat == g.on_turn else 0
            income = max(0, min(income, t.army_cap - held))
        objective = self.objective(seat) if shown else None
        return {
            "color": "" if g.color[seat] == NOBODY else self.rules.colors[g.color[seat]],
            "alive": bool((g.alive >> seat) & 1), "territories": popcount(g.own[seat]), "armies": g.total[seat],
            "stock": g.stock[seat], "income": income,
            "continents": tuple([i for i in range(CONTINENTS) if (g.own[seat] & t.continent[i]) == t.continent[i]]),
            "card_count": popcount(g.hand[seat]),
            "cards": tuple(bits_of(g.hand[seat])) if is_open or not g.hand[seat] else None,
            "drawn_in": tuple(sorted([g.cycle[i] for i in bits_of(g.hand[seat])])), "objective": objective,
            "effective": None if objective is None else effective(g, t, seat, objective),
            "possible": tuple(bits_of(g.possible[seat])),
            "points": points_of(g, t, seat) if t.points and objective is not None else None,
            "eliminated_by": -1 if g.eliminated_by[seat] == NOBODY else g.eliminated_by[seat],
            "eliminated_round": g.eliminated_round[seat],
        }

    @property
    def seat_on_turn(self):
        """Seat whose turn it is."""
        return self.g.on_turn

    @property
    def just_dealt(self):
        """Seat that receives the next objective dealt; only in the phase "chance_objectives"."""
        return (self.g.first + self.g.step) % self.players

    def is_protected(self, int target, int seat):
        """Return whether no throw of a seat may conquer a territory in its next attacks, as of now (RIS-9.6)."""
        self.check_seat(seat)
        if not 0 <= target < TERRITORIES:
            raise ValueError(f"a territory is 0..{TERRITORIES - 1}, not {target}")
        return bool(forbids_elimination(self.t, coming_round(self.g, self.t, seat))
                    and (only_territories(self.g, self.t) >> target) & 1)

    def conquest_earns_card(self, int more=0):
        """Return whether the seat on turn draws a card after a turn with a conquest (RIS-6.1, 13.7).

        Parameters
        ----------
        more : int
            Cards that it takes over before the end of the turn.
        """
        return bool(has_room(self.g, self.t, more))

    def hand(self, int seat):
        """Return the cards in a seat's hand, ascending; in a view only the viewer's are true."""
        self.check_seat(seat)
        return bits_of(self.g.hand[seat])

    def deck_cards(self):
        """Return the cards in the deck, ascending; not for views."""
        return bits_of(self.g.deck)

    def objective(self, int seat):
        """Return the number of a seat's objective in the deck; None if it is not dealt or not in this view."""
        self.check_seat(seat)
        return self.g.objective[seat] if self.g.objective[seat] < self.t.n_objectives else None

    def knows_objective(self, int viewer, int seat):
        """Return whether a seat knows another's objective, or it is not dealt yet (RIS-16.4, 18.10)."""
        self.check_seat(viewer)
        self.check_seat(seat)
        return bool(self.g.phase == GAME_OVER or knows_objective(self.g, self.t, viewer, seat))

    def fulfils(self, int seat, int which):
        """Return whether a seat would have fulfilled an objective if it held it (RIS-10.4, 10.5)."""
        self.check_seat(seat)
        return bool(is_true(self.g, self.t, seat, which))

    def standings(self):
        """Return each seat's rank at the end, 1 for the first; equal ones share it (RIS-17)."""
        cdef int i
        keys = [standing(self.g, self.t, i) for i in range(self.players)]
        return [1 + sum(other > key for other in keys) for key in keys]

    # ---- constructed positions ---------------------------------------------------------------

    def arrange(self, owner, armies, *, phase="attack", on_turn=0, first=0, round_=5, left=None, hands=(),
                discards=(), cycles=None, objectives=None, possible=None, conquests=0, eliminated=(), battle=None):
        """Replace the position by a constructed one, for tests and puzzles.

        Parameters
        ----------
        owner, armies : sequence of 42 int
            Seat and number of armies of each territory.
        phase : str
            "turn_start", "place", "attack", "fortify", "occupy" or "turn_end" of the seat on turn; automatic
            steps happen at once.
        on_turn, first, round_, conquests : int
        left : int, optional
            Armies to place, in the phase "place".
        hands : sequence of sequence of int
            Cards by seat.
        discards : sequence of int
            The deck holds the rest.
        cycles : dict of int to int, optional
            Draw cycles of cards in hands; all other cards are of the current cycle, the largest one.
        objectives : sequence of int, optional
            By seat; default: 0, 1, 2, ...
        possible : sequence of sequence of int, optional
            Objectives by seat that are not excluded; default: all.
        eliminated : sequence of (int, int, int)
            Seat, eliminating seat, and round.
        battle : (int, int), optional
            Origin and target of the last conquest, in the phase "occupy".

        Raises
        ------
        ValueError
            If the position is impossible.
        """
        cdef Game* g = self.g
        cdef int i
        start(g, self.t)
        g.first, g.on_turn, g.mover, g.round = first, on_turn, on_turn, round_
        g.conquests = conquests
        g.turns = 1
        if len(owner) != TERRITORIES or len(armies) != TERRITORIES:
            raise ValueError(f"{TERRITORIES} territories need owners and armies")
        for i in range(TERRITORIES):
            self.check_seat(owner[i])
            if not 1 <= armies[i] <= MOST_ARMIES:
                raise ValueError(f"territory {i} cannot have {armies[i]} armies")
            g.owner[i] = owner[i]
            g.own[g.owner[i]] |= bit(i)
            g.total[g.owner[i]] += armies[i]
            set_armies(g, i, armies[i])
        for i in range(self.players):
            g.color[i] = i
            g.objective[i] = i if objectives is None else objectives[i]
            if g.objective[i] >= self.t.n_objectives:
                raise ValueError(f"there is no objective {objectives[i]}")
            if possible is not None:
                g.possible[i] = mask_of(possible[i])
        self.put_players(eliminated)
        self.put_cards(hands, discards, cycles or {})
        if phase == "turn_start":
            begin_turn(g, self.t)
        elif phase == "place":
            g.left = left or 0
            begin_placing(g, self.t)
        elif phase == "attack":
            begin_attacks(g, self.t)
        elif phase == "fortify":
            begin_fortifying(g, self.t)
        elif phase == "turn_end":
            finish_turn(g, self.t)
        elif phase == "occupy" and battle is not None:
            g.origin, g.target = battle
            g.phase = OCCUPY
        else:
            raise ValueError(f"a position cannot be arranged in the phase {phase}")

    cdef int put_players(self, eliminated) except -1:
        cdef Game* g = self.g
        for seat, by, when in eliminated:
            self.check_seat(seat)
            g.alive &= ~(1 << <int> seat)
            g.eliminated_by[<int> seat] = by
            g.eliminated_round[<int> seat] = when
        for seat in range(self.players):
            if bool(g.own[<int> seat]) != bool((g.alive >> <int> seat) & 1):
                raise ValueError(f"seat {seat} has territories and is out, or neither")
        return 0

    cdef int put_cards(self, hands, discards, cycles) except -1:
        cdef Game* g = self.g
        cdef int i
        held = mask_of([card for cards in hands for card in cards] + list(discards))
        g.discard = mask_of(discards)
        for i, cards in enumerate(hands):
            g.hand[i] = mask_of(cards)
        g.deck = self.t.all_cards & ~<uint64_t> held
        g.cycles = max(cycles.values(), default=0)
        for i in range(CARDS):
            g.cycle[i] = cycles.get(i, g.cycles)
            if g.cycle[i] != g.cycles:
                g.current &= ~bit(i)
        return 0

    # ---- checks of the debug build --------------------------------------------------------------------------

    cdef int check(self) except -1:
        cdef const Game* g = self.g
        cdef const Tables* t = self.t
        cdef uint64_t cards = g.deck | g.discard, territories = 0, current = 0
        cdef int i, k, sum
        assert not g.deck & g.discard, "a card is in the deck and discarded"
        for i in range(t.players):
            assert not g.hand[i] & cards, "a card is in two places"
            cards |= g.hand[i]
            assert not g.own[i] & territories, "a territory has two owners"
            territories |= g.own[i]
            sum = 0
            for k in bits_of(g.own[i]):
                assert g.owner[k] == i, "the owner differs"
                sum += g.armies[k]
            assert sum == <int> g.total[i], "the armies of a seat differ"
            if g.round:
                assert bool((g.alive >> i) & 1) == (g.own[i] != 0), "who is alive differs"
        assert cards == t.all_cards, "cards are not conserved"
        for i in range(CARDS):
            if g.cycle[i] == g.cycles:
                current |= bit(i)
        assert current == g.current, "the cards of the cycle differ"
        assert not g.deck & ~g.current, "the deck holds a card of an older cycle"
        if g.phase < SETUP_PLACE:
            return 0
        assert territories == t.all_territories, "a territory has no owner"
        if g.phase == TRADE:
            assert trade_is_due(g, t), "a seat is asked for a set that everybody knows it does not hold"
        for i in range(TERRITORIES):
            assert g.armies[i] >= 1, "a territory is empty"
            assert ((g.many >> i) & 1) == (g.armies[i] >= 2), "the territories with several armies differ"
        if not g.viewer and g.phase != GAME_OVER:
            for i in range(t.players):
                assert (g.possible[i] >> g.objective[i]) & 1, "the true objective is excluded"
        return 0
