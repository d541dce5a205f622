"""A Few Acres of Snow: the rules core.

A turn (FAS-5): start checks, two actions with free actions between them, draws up to five. All cards are public
except those in hands and decks. A move code is kind << 16 | card type << 8 | site, seat or zone (see `KINDS`).
"""

from libc.stdint cimport uint16_t, uint32_t, uint64_t

from sfida.cython_ext.acres.board cimport (
    BY_TURNS, DEAL, DRAW, GAME_OVER, HOME, K_BESIEGE, K_DEVELOP, K_DRAW, K_END, K_FORTIFY, K_LEADER, K_RAID,
    K_REINFORCE, K_SETTLE, K_WITHDRAW, MAIN, MAX_LEGAL, ORDER, PICK, PLAYOUT_TURNS, RAIDERS, REFILL, SHIP, SIEGE_LOSS,
    SIEGE_SETTLE, Game, Side, code, overwrite_unused, points, retrace, site_bit, tidy_all
)
from sfida.cython_ext.acres.evaluation cimport ECONOMIC, evaluate_position, price_of
from sfida.cython_ext.acres.features cimport MOVE_WIDTH, features_of_moves, features_of_sides
from sfida.cython_ext.acres.hidden cimport determinize_position, label_of, redact_position, sees_last
from sfida.cython_ext.acres.inputs cimport fill_inputs
from sfida.cython_ext.acres.moves cimport (
    Bundles, Listing, bundle_up, draws, legal_moves, list_moves, nth_move, only_ends, sieges_allowed
)
from sfida.cython_ext.acres.policy cimport find_priors, find_sure_win, quick_choice, rate_moves, worth_idle
from sfida.cython_ext.acres.tables cimport (
    FORCE_BITS, MODE_SETS, MODES, NEUTRAL_SETS, NEUTRALS, NO_LIMIT, NONE, PURSES, SEAT_INPUTS, SITES, SLOTS, STYLES,
    TABLE_INPUTS, TYPES, VALUE_BITS, Coefficients, Hold, Style, Tables, fill_coefficients, fill_tables
)
from sfida.cython_ext.acres.turn cimport (
    apply_move, begin_game, defence_at, drawn, fill_hand, finish_on_points, open_siege, random_draw, refill, start_turn,
    strength_at
)
from sfida.cython_ext.arrays cimport all_of
from sfida.cython_ext.bits cimport bits_of, lowest, mask_of, popcount
from sfida.cython_ext.flat_state cimport FlatState
from sfida.cython_ext.rng cimport Rng, rng_below
from sfida.cython_ext.state cimport CHANCE, EVERYBODY, ONLOOKER, TERMINAL, PlayoutParams, move_t

from sfida.cython_ext.acres.parameters import CARD_SETS, FEATURES, INPUT_NAMES
from sfida.cython_ext.flat_state import COMMON_MOVE_FEATURES

PHASES = ("pick", "deal", "order", "siege_settle", "siege_loss", "main", "transport", "settler", "strength", "raiders",
          "coins", "furs", "discards", "govern", "raid_response", "ambush_response", "ambush_loss", "give_zone", "home",
          "draw", "game_over")
KINDS = ("", "pass", "end", "settle", "develop", "fortify", "besiege", "reinforce", "leader", "raid", "ambush",
         "convert", "money", "merchant", "trader", "piracy", "draft", "discard", "reserve", "govern", "intendant",
         "retrieve", "home", "withdraw", "transport", "settler", "strength", "also", "stop", "block", "allow", "lose",
         "show", "give", "return", "resolve", "place", "leave", "pick", "draw")
REASONS = ("", "siege", "settle", "supply", "capture", "max_turns")
SIDES = ("british", "french")
# Move features that learned priors read (features.pxd).
MOVE_FEATURES = COMMON_MOVE_FEATURES + (
    "settle", "develop", "fortify", "siege", "raid", "money", "draft", "discard", "deck", "stop", "withdraw",
    "settle_late", "draft_late", "deck_late",
)
assert len(MOVE_FEATURES) == MOVE_WIDTH


cdef class AcresRules:
    """Tables of the map, the cards and the options, and the weights of the game's knowledge.

    Parameters
    ----------
    tables : mapping of str to object
        Numbers and sequences of numbers by the names of `parameters.TABLES`.
    weights : mapping of str to float
        Numbers by the names of `parameters.WEIGHTS`.

    Raises
    ------
    ValueError
        If a name is missing or unknown, a number is out of bounds, or a set names cards that the side does not have.
    """

    cdef Tables t
    cdef Coefficients w
    cdef readonly tuple features        # names of the features of a side for learned evaluations

    def __init__(self, tables not None, weights not None):
        cdef Tables* t = &self.t
        cdef int s, i, k
        self.features = tuple(FEATURES)
        fill_tables(t, tables)
        fill_coefficients(&self.w, weights)
        t.all_sites = all_of(SITES)
        for i in range(SITES):
            for k in range(VALUE_BITS):
                if (t.value[i] >> k) & 1:
                    t.worth[k] |= site_bit(i)
                    t.valued |= site_bit(i)
        if popcount(t.start_forts) > t.forts:
            raise ValueError(f"there are {popcount(t.start_forts)} forts at the start, but {t.forts} in all")
        for s in range(2):
            self.derive_cards(&t.hold[s])
            self.check_cards(s, tables["hold"][s], tables["start"][s])
            for i in range(STYLES):
                self.derive_style(&t.style[i][s])

    cdef int derive_style(self, Style* style) except -1:
        """Fill in worths that follow from a strategy and the weights."""
        cdef int i
        for i in range(PURSES):
            style.coins[i] = price_of(&self.w, style, i)
        for i in range(SLOTS):
            style.idle[i] = worth_idle(&self.w, style.card[i])
        return 0

    cdef int derive_cards(self, Hold* h) except -1:
        """Fill in what follows from other tables of a side."""
        cdef int slot, other, mode, k, i
        cdef uint64_t first
        h.all = h.locations | h.empire
        h.onward[SLOTS] = h.all
        for slot in range(SLOTS):
            if h.all & site_bit(slot) and h.type_of[slot] >= TYPES:
                raise ValueError(f"types by slot: the numbers are 0..{TYPES - 1}, not {h.type_of[slot]}")
        for slot in range(SLOTS):
            for other in range(SLOTS):
                if h.all & site_bit(slot) and h.all & site_bit(other) and h.type_of[other] >= h.type_of[slot]:
                    h.onward[slot] |= site_bit(other)
        for k in range(MODE_SETS):
            for slot in range(SITES):
                for mode in range(MODES):
                    h.leads[k][slot] |= h.link[slot][mode] if (k >> mode) & 1 else 0
        for slot in range(SITES):
            for mode in range(MODES):
                h.modes[slot] |= (h.symbol[mode] >> slot & 1) << mode
        for k in range(NEUTRALS):
            first = h.neutral_type[k] & (0 - h.neutral_type[k])
            for i in range(NEUTRAL_SETS):
                h.neutral_set[i] |= first if (i >> k) & 1 else 0
            for i in range(PURSES):
                h.neutral_afford[i] |= first if h.neutral_cost[k] <= i else 0
        for slot in range(SLOTS):
            for k in range(FORCE_BITS):
                if (h.strength[slot] >> k) & 1:
                    h.force[k] |= site_bit(slot)
        return 0

    cdef int check_cards(self, int s, object hold, object start) except -1:
        """Refuse sets that name slots in which a side has no card: compiled code uses them unchecked."""
        cdef const Hold* h = &self.t.hold[s]
        cdef int i
        for name in CARD_SETS:
            for found in (hold[name] if isinstance(hold[name], (list, tuple)) else [hold[name]]):
                check_set(name, found, h.all)
        check_set("cards at the start", start["deck"] | start["avail"], h.all)
        check_set("towns at the start", start["towns"], start["sites"])
        for i in range(SLOTS):
            if h.all & site_bit(i):
                check_set("types by slot", site_bit(i), h.of_type[h.type_of[i]])
        for i in range(NEUTRALS):
            if self.t.start_display[i] > popcount(h.neutral_type[i]):
                raise ValueError("there are more neutral cards than slots for them")
        return 0


cdef int check_set(str name, uint64_t found, uint64_t whole) except -1:
    """Raise ValueError if a set has members outside its whole."""
    if found & ~whole:
        raise ValueError(f"the table of {name} names what there is not: {found & ~whole:#x}")
    return 0


cdef class AcresState(FlatState):
    """A position of A Few Acres of Snow."""

    cdef const Tables* t                # == &rules.t
    cdef const Coefficients* w               # == &rules.w
    cdef Game* g                        # == data
    cdef unsigned int stop              # turn at which the current playout ends on points

    def __cinit__(self, game, AcresRules rules not None):
        self.t = &rules.t
        self.w = &rules.w
        self.g = <Game*> self.lay_out(sizeof(Game), 2, MAX_LEGAL, PHASES)
        self.phase_at = &self.g.phase
        self.viewer_at = &self.g.viewer
        self.hidden = True
        self.has_sure_win = True
        self.feature_names = rules.features
        self.input_names = INPUT_NAMES
        self.sparse_inputs = 2 * SEAT_INPUTS + TABLE_INPUTS
        self.move_feature_names = MOVE_FEATURES
        begin_game(self.g, self.t)

    # ---- rules of the game --------------------------------------------------------------------------------

    cdef int actor(self) noexcept nogil:
        cdef int phase = self.g.phase
        if phase == GAME_OVER:
            return TERMINAL
        if phase == DRAW or phase == HOME or phase == DEAL:
            return CHANCE
        return self.g.mover

    cdef int turn(self) noexcept nogil:
        return self.g.turns

    cdef int source(self) noexcept nogil:
        return self.g.phase != DEAL

    cdef int legal(self, move_t* out) noexcept nogil:
        return legal_moves(self.g, self.t, out)

    cdef void play(self, move_t move) noexcept nogil:
        apply_move(self.g, self.t, move)

    cdef int outcomes(self, move_t* out, uint32_t* weights) noexcept nogil:
        return draws(self.g, self.t, out, weights)

    cdef move_t sample(self, Rng* rng) noexcept nogil:
        cdef int slot = lowest(random_draw(self.g, rng))
        return <move_t> (K_DRAW << 16 | self.t.hold[self.g.mover].type_of[slot] << 8 | self.g.mover)

    # ---- information of the seats --------------------------------------------------------------------------

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
        """Cards in hand that block (0..3 or more) and that fight (0..4 or more)."""
        cdef const Side* p = &self.g.side[seat]
        cdef const Hold* h = &self.t.hold[seat]
        cdef int blockers = popcount(p.hand & (h.block_raid | h.block_ambush))
        cdef int fighters = popcount(p.hand & p.usable & h.military)
        return min(blockers, 3) + 4 * min(fighters, 4)

    # ---- result of the game -------------------------------------------------------------------------------------

    cdef void result(self, double* win, double* score) noexcept nogil:
        cdef int i
        for i in range(2):
            score[i] = points(self.g, self.t, i)
            win[i] = 0.5
            if self.g.phase == GAME_OVER:
                win[i] = 1.0 if i == self.g.winner else 0.0

    # ---- evaluation and priors ----------------------------------------------------------------------------

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
        cdef Bundles list
        if n == 1:
            return moves[0]
        return moves[quick_choice(self.g, self.t, self.w, &self.t.style[ECONOMIC][self.g.mover],
                                  bundle_up(moves, n, &self.t.hold[self.g.mover], &list), rng)]

    cdef int sure_win(self, const move_t* moves, int n) noexcept nogil:
        return find_sure_win(self.g, self.t, moves, n)

    # ---- playouts: no more moves after the cutoff, so hands count like the result ---------

    cdef void begin_playout(self, Rng* rng) noexcept nogil:
        self.stop = self.g.turns + PLAYOUT_TURNS if self.t.max_turns == NO_LIMIT else NO_LIMIT

    cdef int play_step(self, Rng* rng, const PlayoutParams* params, move_t* scratch) noexcept nogil:
        """Play the rest of the turn; without a limit of turns a playout ends on points (PLAYOUT_TURNS)."""
        cdef Game* g = self.g
        cdef const Tables* t = self.t
        cdef uint32_t informed = params.informed
        cdef unsigned int turn = g.turns
        cdef Bundles list
        cdef Listing found
        cdef const Hold* h
        cdef int k, phase, moves = 0
        if turn >= self.stop:
            finish_on_points(g, t, BY_TURNS)
        while g.turns == turn and g.phase != GAME_OVER:
            phase = g.phase
            if phase == DRAW or phase == HOME or phase == DEAL:
                g.last = 0
                if phase == DRAW:
                    fill_hand(g, t, rng)
                else:
                    drawn(g, t, random_draw(g, rng))
                continue
            moves += 1
            if only_ends(g, t):         # a quarter of all decisions
                g.last = code(K_END, 0, REFILL) + 1
                refill(g, t)
                continue
            h = &t.hold[g.mover]
            found = list_moves(g, t, &list)
            k = 0
            if found.n > 1:
                if informed and rng_below(rng, 100) < informed:
                    k = quick_choice(g, t, self.w, &t.style[ECONOMIC][g.mover], found, rng)
                else:
                    k = rng_below(rng, <uint32_t> found.n)
            apply_move(g, t, nth_move(found, h, k))
        return moves

    cdef void evaluate_world(self, double* win, double* score) noexcept nogil:
        evaluate_position(self.g, self.t, self.w, self.net, EVERYBODY, win, score)

    # ---- features and move worths for the engine --------------------------------------

    cdef int list_inputs(self, int viewer, uint16_t* out) noexcept nogil:
        return fill_inputs(self.g, self.t, viewer, out)

    cdef void fill_features(self, int viewer, double* out) noexcept nogil:
        features_of_sides(self.g, self.t, self.w, viewer, out)

    def move_worth(self, int strategy=0):
        """Return the worth of the mover's legal moves under a strategy.

        Parameters
        ----------
        strategy : int
            Index in `STRATEGY_NAMES`.

        Returns
        -------
        list of (int, float)
            Moves and their worth in points; only information of the mover is read.
        """
        cdef move_t moves[MAX_LEGAL]
        cdef double worth[MAX_LEGAL]
        cdef int i, n
        if not 0 <= strategy < STYLES:
            raise ValueError(f"there is no strategy {strategy}")
        if self.actor() < 0:
            return []
        n = legal_moves(self.g, self.t, moves)
        rate_moves(self.g, self.t, self.w, &self.t.style[strategy][self.g.mover], moves, n, worth)
        return [(moves[i], worth[i]) for i in range(n)]

    # ---- read access for the engine ---------------------------------------------

    cdef tuple types(self, int seat, uint64_t zone):
        """Card types of a zone, ascending, one entry per copy."""
        return tuple(sorted(self.t.hold[seat].type_of[i] for i in bits_of(zone)))

    cdef dict side(self, int s, bint is_open):
        """Return one side as keywords of `SeatPosition`; a hand that is not open shows only public knowledge."""
        cdef const Side* p = &self.g.side[s]
        cdef const Hold* h = &self.t.hold[s]
        cdef bint shown = is_open or popcount(p.known) == p.n_hand
        return {
            "hand": self.types(s, p.hand if is_open else p.known) if shown else None, "hand_size": p.n_hand,
            "known": self.types(s, p.known),
            "deck": self.types(s, p.deck if is_open else (p.hand | p.deck) & ~p.known) if shown else None,
            "deck_size": p.n_deck, "unseen": self.types(s, p.hand | p.deck),
            "discards": self.types(s, p.discard), "reserve": self.types(s, p.reserve),
            "in_play": self.types(s, p.limbo), "locations": self.types(s, p.avail & h.locations),
            "empire": self.types(s, p.avail & h.empire), "money": p.money, "points": points(self.g, self.t, s),
            "villages": p.cubes, "towns": p.discs, "captured_villages": p.got_cubes, "captured_towns": p.got_discs,
            "usable": tuple(bits_of(p.usable & h.locations)),
            "may_besiege": sieges_allowed(self.g, self.t, s),
        }

    cdef dict action(self):
        """Return the last action as keywords of `Action`; None: there was none."""
        cdef const Game* g = self.g
        cdef bint sited = g.verb in (K_SETTLE, K_DEVELOP, K_FORTIFY, K_BESIEGE, K_RAID, K_REINFORCE, K_LEADER,
                                     K_WITHDRAW)
        if g.verb == 0:
            return None
        return {
            "seat": g.verb_by, "verb": KINDS[g.verb], "site": g.site if sited else -1,
            "cards": tuple(g.trail[i] for i in range(g.trail_n)),
            "surrenders": g.verb == K_WITHDRAW and g.which != g.verb_by,
            "answer": KINDS[g.reply], "answer_card": g.reply_card if g.reply else 0,
            "answer_zone": g.reply_zone if g.reply else 0,
        }

    def snapshot(self, seat=None):
        """Return the position as a seat sees it, as keywords of `engines.acres.position.Position`.

        Parameters
        ----------
        seat : int or None
            None: public information only.

        Returns
        -------
        dict
            Tuples, numbers and words; the sides, the sieges and the last action are dicts.
        """
        cdef const Game* g = self.g
        cdef const Tables* t = self.t
        cdef int i, phase = g.phase
        cdef bint resolving = phase == SIEGE_SETTLE or phase == SIEGE_LOSS, over = phase == GAME_OVER
        return {
            "phase": PHASES[phase], "seat_on_turn": g.on_turn, "seat_to_move": self.who(), "mover": g.mover,
            "actions_left": 0 if over else g.actions, "turn": g.turns + 1, "quiet": g.quiet,
            "action": self.action(),
            "under_way": not (over or phase == MAIN or phase == DEAL or phase == DRAW or phase == ORDER or phase == PICK
                              or (resolving and g.at_start)),
            "need": g.need if phase == RAIDERS else 0,
            "owner": tuple(0 if g.side[0].sites & site_bit(i) else 1 if g.side[1].sites & site_bit(i) else -1
                           for i in range(SITES)),
            "town": tuple((g.side[0].towns | g.side[1].towns) & site_bit(i) != 0 for i in range(SITES)),
            "fort": tuple(g.forts & site_bit(i) != 0 for i in range(SITES)),
            "forts_left": g.forts_left, "besieged": tuple(bits_of(g.besieged)),
            "neutral": tuple(card for card in range(TYPES) if t.neutral_of[card]
                             for _ in range(g.display[t.neutral_of[card] - 1])),
            "sieges": tuple({"attacker": i, "site": g.target[i], "lead": g.lead[i],
                             "cards": (self.types(0, g.side[0].siege[i]), self.types(1, g.side[1].siege[i]))}
                            for i in range(2) if g.target[i] != NONE),
            "ending": g.target[g.which] if resolving else -1,
            "seats": tuple(self.side(i, over or seat == i) for i in range(2)),
            "winner": -1 if g.winner == NONE else g.winner, "reason": REASONS[g.reason],
        }

    @property
    def seat_on_turn(self):
        """Seat whose turn it is."""
        return self.g.on_turn

    @property
    def mover(self):
        """Seat that decides, or draws."""
        return self.g.mover

    def hidden_hand(self, int seat):
        """Return the cards of a side's hand by type while the other side cannot deduce them, otherwise None."""
        self.check_seat(seat)
        cdef const Side* p = &self.g.side[seat]
        if self.g.phase == GAME_OVER or p.n_deck == 0 or popcount(p.known) == p.n_hand:
            return None
        return self.types(seat, p.hand)

    def target(self, int besieger):
        """Return the site that a side besieges, or -1."""
        self.check_seat(besieger)
        return -1 if self.g.target[besieger] == NONE else self.g.target[besieger]

    def defence(self, int site):
        """Return the strength of a site itself, including its fort (FAS-10.7)."""
        if not 0 <= site < SITES:
            raise ValueError(f"a site is a number from 0 to {SITES - 1}, not {site}")
        return defence_at(self.g, self.t, site)

    @property
    def turns(self):
        """Number of completed turns of both sides."""
        return self.g.turns

    # ---- constructed positions ---------------------------------------------------------------

    cdef uint64_t take(self, int seat, uint64_t* stock, cards) except? 0:
        """Take cards by type out of a side's stock; returns their slots."""
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
        """Replace the position by a constructed one, for tests and puzzles.

        Parameters
        ----------
        sites : sequence of (site, seat, town), optional
            All pieces on the map; default: those of the start.
        forts : sequence of int
            Sites.
        hands, decks, discards, reserves : pair of sequences of int
            By seat, card types, one entry per copy; all other cards can be gained.
        known : pair of sequences of int
            Parts of the hands that both sides know.
        sieges : sequence of (attacker, site, attacker's cards, defender's cards)
        captured : pair of (cubes, discs)
        supplies : pair of (cubes, discs) or None
            None: pieces neither on the map nor captured.
        money : pair of int, optional
            Default: the amounts at the start.
        on_turn, actions, turns : int
        phase : str
            "main", or "start": begin with the start checks of the turn.

        Raises
        ------
        ValueError
            If there are too few cards or pieces.
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

    # ---- checks of the debug build --------------------------------------------------------------------------

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
            return 0                    # hidden data cannot be recomputed
        for w in range(2):
            if g.target[w] != NONE:
                besieged |= site_bit(g.target[w])
                if not resolving:               # during the resolution of a siege the site may change hands
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
        display = [g.display[i] for i in range(NEUTRALS)]
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
            for i in range(NEUTRALS):
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
        assert display == [t.start_display[i] for i in range(NEUTRALS)], "neutral cards are not conserved"
        return 0
