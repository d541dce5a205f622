"""Attila: the rules core.

A turn is a card, its token, influence or a second token, then conflicts, peace and scorings (ATT-3). Hands, cards
laid face down and the order of the pile are hidden (part 6). `board.pxd` describes the move codes.
"""

from libc.stdint cimport uint16_t, uint32_t, uint64_t
from libc.string cimport memset

from sfida.cython_ext.arrays cimport all_of
from sfida.cython_ext.attila.board cimport (
    COMMIT, DEAL, DRAW, END, FIRST_PLAYER, FOLLOW, GAME_OVER, GIVE, HURRIED, LOG, LOG_DEAD, M_COMMIT, M_DONE, M_DRAW,
    M_SKIP, MAX_LEGAL, NONE, OPEN_MOVES, PLACE, PLAY, Game, allowed, bit, gain, is_luck, lanes_of, live_tribes,
    overwrite_unused, reached, restart_log, spread, tokens_at
)
from sfida.cython_ext.attila.evaluation cimport (
    MEMORIES, Claims, Memory, Weights, evaluate_position, fill_weights, find_claims
)
from sfida.cython_ext.attila.features cimport MOVE_WIDTH, features_of_moves, features_of_seats
from sfida.cython_ext.attila.hidden cimport determinize_position, label_of, redact_position, seen_code, take_back
from sfida.cython_ext.attila.inputs cimport fill_inputs
from sfida.cython_ext.attila.moves cimport chance_outcomes, moves_of, sample_chance
from sfida.cython_ext.attila.policy cimport find_priors, find_sure_win, play_at_random, play_by_worth
from sfida.cython_ext.attila.tables cimport (
    ALL_FEATURES, SCORINGS, SEAT_INPUTS, SEATS, TABLE_INPUTS, TRIBES, Tables, fill_coefficients, fill_tables
)
from sfida.cython_ext.attila.turn cimport apply_move, begin_turn, is_scored, share_out, start, tribe_points
from sfida.cython_ext.bits cimport count_of
from sfida.cython_ext.flat_state cimport FlatState
from sfida.cython_ext.lanes cimport kinds_of, masked, size_of
from sfida.cython_ext.learned cimport MOST_ACTIVE, net_shares, wide_shares
from sfida.cython_ext.rng cimport Random, Rng, rng_below
from sfida.cython_ext.state cimport CHANCE, EVERYBODY, ONLOOKER, TERMINAL, PlayoutParams, move_t

from sfida.cython_ext.attila.parameters import FEATURES, INPUT_NAMES
from sfida.cython_ext.flat_state import COMMON_MOVE_FEATURES

PHASES = ("first", "deal", "play", "place", "follow", "order", "commit", "prescore", "end", "give", "inf_a", "inf_b",
          "draw", "game_over")
REASONS = ("peace", "tribe", "influence", "stalemate", "cap")
TILES = ("double_turn", "exchange", "influence_2")
# Move features that learned priors read (features.pxd).
MOVE_FEATURES = COMMON_MOVE_FEATURES + (
    "plays", "dumps", "places", "places_more", "influences", "commits", "stops", "ends", "tiles", "held", "crowd",
    "fights", "commits_late", "tiles_late", "fights_late",
)
assert len(MOVE_FEATURES) == MOVE_WIDTH


cdef class AttilaRules:
    """Tables of the map, the components and the options, and the weights of the game's knowledge.

    Parameters
    ----------
    tables : mapping of str to object
        Numbers and sequences of numbers by the names of `parameters.TABLES`.
    weights : mapping of str to float
        Numbers by the names of `parameters.WEIGHTS`.

    Raises
    ------
    ValueError
        If a name is missing or unknown, or a number is out of bounds.
    """

    cdef Tables t
    cdef Weights w
    cdef readonly tuple features        # names of the features of a seat for learned evaluations

    def __init__(self, tables, weights):
        cdef Tables* t = &self.t
        memset(&self.w, 0, sizeof(Weights))
        self.features = tuple(FEATURES)
        fill_tables(t, tables)
        t.all_provinces = <uint32_t> all_of(t.provinces)
        if t.start & ~t.all_provinces:
            raise ValueError(f"the map has {t.provinces} provinces, but tribes start in others too")
        t.all_cards = lanes_of(tables["cards"], 9)
        t.all_tokens = lanes_of(tables["tokens"], 20)
        fill_coefficients(&self.w.k, weights)
        fill_weights(t, &self.w)

    def share(self, markers, int tokens, int provinces):
        """Return the points that one tribe pays each seat (ATT-8).

        Parameters
        ----------
        markers : sequence of int
            Influence by seat.
        tokens, provinces : int
            K and P of the tribe.
        """
        cdef int found[SEATS]
        cdef int points[SEATS]
        cdef int i
        if len(markers) != self.t.players:
            raise ValueError(f"there are {self.t.players} seats")
        for i in range(self.t.players):
            found[i] = markers[i]
        share_out(&self.t, found, tokens, provinces, points)
        return [points[i] for i in range(self.t.players)]


cdef tuple six(uint64_t lanes):
    """Counts by tribe."""
    return tuple([count_of(lanes, i) for i in range(TRIBES)])


cdef class AttilaState(FlatState):
    """A position of Attila."""

    cdef const Tables* t                # == &rules.t
    cdef const Weights* w               # == &rules.w
    cdef Game* g                        # == data
    cdef Memory memory                  # a cache for playouts and priors; it is no part of the position

    def __cinit__(self, game, AttilaRules rules not None):
        self.t = &rules.t
        self.w = &rules.w
        self.g = <Game*> self.lay_out(sizeof(Game), rules.t.players, MAX_LEGAL, PHASES)
        self.phase_at = &self.g.phase
        self.viewer_at = &self.g.viewer
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
        return self.g.phase != FIRST_PLAYER

    cdef int legal(self, move_t* out) noexcept nogil:
        return moves_of(self.g, self.t, out)

    cdef void play(self, move_t move) noexcept nogil:
        apply_move(self.g, self.t, move)

    cdef int outcomes(self, move_t* out, uint32_t* weights) noexcept nogil:
        return chance_outcomes(self.g, self.t, out, weights)

    cdef move_t sample(self, Rng* rng) noexcept nogil:
        return sample_chance(self.g, self.t, rng)

    # ---- information of the seats --------------------------------------------------------------------------

    cdef uint64_t event_label(self, int seat) noexcept nogil:
        return label_of(self.g, seat)

    cdef bint sees_event(self, int seat) noexcept nogil:
        return seen_code(self.g, seat) == self.g.last

    cdef void determinize_for(self, int seat, Rng* rng) noexcept nogil:
        determinize_position(self.g, self.t, seat, rng)

    cdef void redact(self, int seat) noexcept nogil:
        redact_position(self.g, self.t, seat)

    cdef void wipe(self, int fill) noexcept nogil:
        overwrite_unused(self.g, self.t.players, fill)

    cdef int private_bucket(self, int seat) noexcept nogil:
        """The tribe of which the seat holds most, and whether it holds one, two or more."""
        cdef uint64_t cards = self.g.hand[seat] + self.g.laid[seat]
        cdef int i, best = 0
        for i in range(1, TRIBES):
            if count_of(cards, i) > count_of(cards, best):
                best = i
        i = count_of(cards, best)
        return 3 * best + (0 if i < 2 else 1 if i == 2 else 2)

    cdef bint is_bid(self) noexcept nogil:
        """Whether cards are being laid face down (ATT-6.5)."""
        return self.g.phase == COMMIT and not self.t.open_commitments

    cdef void retract_bids(self, int seat) noexcept nogil:
        take_back(self.g, self.t, seat)

    # ---- result of the game -------------------------------------------------------------------------------------

    cdef void result(self, double* win, double* score) noexcept nogil:
        """The most points win; equal ones share the win (ATT-11.9)."""
        cdef const Game* g = self.g
        cdef int i, best = 0, n = 0
        for i in range(self.t.players):
            score[i] = g.score[i]
            if g.score[i] > best:
                best = g.score[i]
        for i in range(self.t.players):
            n += g.score[i] == best
        for i in range(self.t.players):
            if g.phase != GAME_OVER:
                win[i] = 1.0 / self.t.players
            else:
                win[i] = 1.0 / n if g.score[i] == best else 0.0

    # ---- evaluation and priors ----------------------------------------------------------------------------

    cdef void evaluate(self, double* win, double* score) noexcept nogil:
        self.judge(ONLOOKER if self.actor() == CHANCE else self.g.mover, NULL, win, score)

    cdef void evaluate_world(self, double* win, double* score) noexcept nogil:
        self.judge(EVERYBODY, &self.memory, win, score)

    cdef void judge(self, int viewer, Memory* memory, double* win, double* score) noexcept nogil:
        """Evaluate the position; only a network depends on `viewer`."""
        cdef double x[SEATS * ALL_FEATURES]
        cdef uint16_t active[MOST_ACTIVE]
        cdef int n
        if self.g.phase == GAME_OVER or self.g.turns == 0:
            self.result(win, score)
        elif self.net != NULL:
            features_of_seats(self.g, self.t, self.w, viewer, score, x)
            if self.net.wide != NULL:
                n = self.list_inputs(viewer, active)
                wide_shares(self.net.wide, x, active, n, self.g.active, ~0U, win)
            else:
                net_shares(self.net, x, ~0U, win)
        else:
            evaluate_position(self.g, self.t, self.w, memory, win, score)

    cdef void hand_priors(self, const move_t* moves, int n, float* out) noexcept nogil:
        cdef double worth[MAX_LEGAL]
        find_priors(self.g, self.t, self.w, &self.memory, moves, n, worth, out)

    cdef void fill_move_features(self, const move_t* moves, int n, double* out) noexcept nogil:
        features_of_moves(self.g, self.t, self.w, moves, n, out)

    cdef int sure_win(self, const move_t* moves, int n) noexcept nogil:
        return find_sure_win(self.g, self.t, moves, n)

    cdef int list_inputs(self, int viewer, uint16_t* out) noexcept nogil:
        return fill_inputs(self.g, self.t, self.actor(), viewer, out)

    cdef int front(self) noexcept nogil:
        return self.g.active

    cdef void fill_features(self, int viewer, double* out) noexcept nogil:
        cdef double points[SEATS]
        features_of_seats(self.g, self.t, self.w, viewer, points, out)

    # ---- playouts without lists -----------------------------------------------------------------------

    cdef void begin_playout(self, Rng* rng) noexcept nogil:
        if self.g.phase != GAME_OVER:
            self.g.world = HURRIED

    cdef int play_step(self, Rng* rng, const PlayoutParams* params, move_t* scratch) noexcept nogil:
        """Play the rest of the turn; without a cutoff, the rest of the game."""
        cdef Game* g = self.g
        cdef const Tables* t = self.t
        cdef uint32_t informed = params.informed
        cdef int moves = 0, turn = g.turns
        while (g.turns == turn or params.cutoff < 0) and g.phase != GAME_OVER:
            if is_luck(g.phase):
                apply_move(g, t, sample_chance(g, t, rng))
                continue
            if informed and rng_below(rng, 100) < informed:
                moves += play_by_worth(g, t, self.w, &self.memory, scratch, rng)
            else:
                moves += play_at_random(g, t, scratch, rng)
        return moves

    cdef bint comparable(self) noexcept nogil:
        """Whether the first seat begins a turn: being next to move is worth much."""
        return self.g.turns % self.t.players == 0

    # ---- read access for the engine ---------------------------------------------

    def snapshot(self, seat=None):
        """Return the position as a seat sees it, as keywords of `engines.attila.position.Position`.

        Parameters
        ----------
        seat : int or None
            None: public information only.

        Returns
        -------
        dict
            Tuples, numbers and words; the seats and the last conflict are dicts. The legal moves are codes, if
            the viewer can deduce them, and so is the last event, if every seat saw it; -1: no such event.
        """
        cdef const Game* g = self.g
        cdef const Tables* t = self.t
        cdef int points[SEATS]
        cdef int i, k
        cdef int last = -1 if g.last == NONE or M_DRAW <= g.last < M_SKIP or M_COMMIT <= g.last < M_DONE else g.last
        cdef bint over = g.phase == GAME_OVER, in_play = g.phase == PLACE or g.phase == FOLLOW or g.queued
        prospect = [0] * t.players
        for k in range(TRIBES):
            tribe_points(g, t, k, points)
            for i in range(t.players):
                prospect[i] += points[i]
        return {
            "players": self.players, "phase": PHASES[g.phase], "turn": g.turns, "seat_on_turn": g.active,
            "seat_to_move": self.who(), "first_seat": g.first, "dealt": g.step,
            "tokens": tuple([six(spread(g.tokens[i])) for i in range(t.provinces)]),
            "pacified": tuple([bool((g.pacified >> i) & 1) for i in range(t.provinces)]),
            "supply": six(g.supply), "box": six(g.box), "peace": self.peace_left(), "gain": gain(g, t),
            "pile": size_of(g.pile), "discards": six(g.discard), "reshuffles": g.reshuffles,
            "plays_left": g.plays_left, "tile_used": bool(g.tile_used), "card": g.card_tribe if in_play else -1,
            "queue": tuple([g.queue[i] for i in range(g.queued)]), "given": six(g.given), "to_draw": g.to_draw,
            "ending": tuple([name for i, name in enumerate(REASONS) if (g.end_reasons >> <int> i) & 1]),
            "seats": tuple([self.seat_snapshot(i, over or i == seat, prospect[i]) for i in range(t.players)]),
            "winners": tuple([i for i, rank in enumerate(self.ranks()) if rank == 1]) if over else (),
            "last": last, "battle": None if g.shown_at == NONE else self.battle_snapshot(), "idle": g.idle,
            "legal": self.legal_moves() if self.who() >= 0 and (g.mover == seat or (OPEN_MOVES >> g.phase) & 1) else [],
            "back": PHASES[g.back] if GIVE <= g.phase <= DRAW and g.back != NONE else "",
            "scoring_due": bool(is_scored(g, t, g.scoring_due)),
        }

    cdef tuple peace_left(self):
        """Peace tiles left on each century space."""
        cdef int i, left = 0
        found = []
        for i in range(1, self.t.peace_tiles + 1):
            left += i > self.g.peace_used
            if self.t.closes[i]:
                found.append(left)
                left = 0
        return tuple(found)

    cdef dict seat_snapshot(self, int seat, bint is_open, int prospect):
        """Fields of the engine's `SeatPosition`; `is_open`: its cards are visible."""
        cdef const Game* g = self.g
        cdef int hand = size_of(g.hand[seat]), laid = size_of(g.laid[seat])
        return {
            "hand": six(g.hand[seat]) if is_open or hand == 0 else None, "hand_size": hand, "laid": laid,
            "laid_cards": six(g.laid[seat]) if is_open or laid == 0 or self.t.open_commitments else None,
            "influence": six(g.influence[seat]), "score": g.score[seat], "prospect": prospect,
            "gained": tuple([g.gained[k][seat] for k in range(SCORINGS)]),
            "tiles": tuple([name for k, name in enumerate(TILES) if (g.tiles[seat] >> <int> k) & 1]),
        }

    cdef dict battle_snapshot(self):
        """Fields of the engine's `Battle`."""
        cdef const Game* g = self.g
        cdef uint64_t tokens = spread(g.shown_tokens), strength = tokens
        cdef int i
        for i in range(self.t.players):
            strength += g.shown[i]
        return {
            "province": g.shown_at, "tokens": six(tokens), "strength": six(masked(strength, kinds_of(tokens))),
            "removed": six(masked(tokens, g.shown_gone)),
            "laid": tuple([six(g.shown[i]) for i in range(self.t.players)]),
        }

    @property
    def active(self):
        """Seat whose turn it is."""
        return self.g.active

    @property
    def gain(self):
        """Spaces of influence that a card played now brings (ATT-5.1)."""
        return gain(self.g, self.t)

    def drawer(self):
        """Return the seat that receives the next drawn card; None when none is drawn."""
        if self.g.phase == DEAL:
            return self.g.step // self.t.hand_size
        return self.g.active if self.g.phase == DRAW else None

    def hand(self, int seat):
        """Return a seat's cards by tribe, without laid or given ones; in a view only the viewer's are true."""
        self.check_seat(seat)
        return six(self.g.hand[seat])

    def laid(self, int seat):
        """Return the cards laid by a seat in the current conflict, by tribe; in a view only the viewer's are true."""
        self.check_seat(seat)
        return six(self.g.laid[seat])

    def pile(self):
        """Return the cards of the draw pile by tribe; not for views."""
        return six(self.g.pile)

    def allowed(self, int tribe):
        """Return the provinces where a token of a tribe may be placed now, ascending (ATT-4)."""
        cdef uint32_t mask
        if not 0 <= tribe < TRIBES:
            raise ValueError(f"a tribe is 0..{TRIBES - 1}, not {tribe}")
        mask = allowed(self.g, tribe)
        return [i for i in range(self.t.provinces) if (mask >> <int> i) & 1]

    def determinize_by_log(self, int seat, Random rng not None):
        """Determinize and return whether the world was drawn from the log of hands; False: from counts alone."""
        self.check_seat(seat)
        return bool(determinize_position(self.g, self.t, seat, &rng.rng))

    def history(self):
        """Return the public log of hands since its last restart: (kind, seat, tribe or mask).

        Kinds are "draw" (tribe 7 if the viewer did not see it), "leave", and "dead" with a mask of tribes.
        """
        cdef int k = 0
        found = []
        while k < self.g.log_n:
            kind, seat, value = self.g.log[k] >> 6, (self.g.log[k] >> 3) & 7, self.g.log[k] & 7
            if kind == LOG_DEAD:
                k += 1
                value = self.g.log[k]
            found.append((("draw", "leave", "dead")[kind], seat, value))
            k += 1
        return found

    def history_base(self):
        """Return the pile that the first draws of the log came from, by tribe."""
        return six(self.g.base)

    # ---- constructed positions ---------------------------------------------------------------

    def arrange(self, tokens, hands, *, pacified=(), peace_used=0, influence=(), supply=None, discards=None, active=0,
                scores=(), tiles=None, turn=1):
        """Replace the position by a constructed start of a turn, for tests and puzzles.

        Parameters
        ----------
        tokens : sequence of six int
            By province, at most four tokens each.
        By province, at most four tokens each.
            By seat.
        pacified : sequence of int
            Provinces.
        peace_used : int
            Peace tiles laid.
        influence : sequence of six int
            By seat; default: none.
        supply : six int, optional
            Default: all tokens not on the board. Tokens in neither place are out of the game.
        discards : six int, optional
            The other cards are the draw pile; default: none.
        active, turn : int
        scores : sequence of int
        tiles : sequence of sequence of str, optional
            Unused tiles by seat; default: all.

        Raises
        ------
        ValueError
            If the position is impossible.
        """
        cdef Game* g = self.g
        cdef const Tables* t = self.t
        cdef uint64_t board = 0
        cdef int i, k
        memset(g, 0, sizeof(Game))
        start(g, t)
        self.check_seat(active)
        if len(tokens) != t.provinces:
            raise ValueError(f"{t.provinces} provinces need tokens")
        for i in range(t.provinces):
            here = lanes_of(tokens[i], 4)
            if size_of(here) >= t.fight_at:
                raise ValueError(f"province {i} cannot have {size_of(here)} tokens")
            board += <uint64_t> here
            for k in range(TRIBES):
                g.tokens[i] |= <uint32_t> count_of(here, k) << (4 * k)
                if count_of(here, k):
                    g.where[k] |= bit(i)
        for i in pacified:
            g.pacified |= bit(i)
            g.open &= ~bit(i)
        if not 0 <= peace_used <= t.peace_tiles:
            raise ValueError(f"there are {t.peace_tiles} peace tiles")
        g.peace_used = peace_used
        g.supply = t.all_tokens - board if supply is None else lanes_of(supply, 20)
        g.box = t.all_tokens - board - g.supply
        for i in range(TRIBES):
            g.reach[i] = reached(g, t, i)
            if count_of(board, i) + count_of(g.supply, i) > count_of(t.all_tokens, i):
                raise ValueError(f"there are too many tokens of tribe {i}")
        for i, row in enumerate(influence):
            g.influence[i] = lanes_of(row, t.last_space)
        for i, points in enumerate(scores):
            g.score[i] = points
        if tiles is not None:
            for i, names in enumerate(tiles):
                g.tiles[i] = sum(1 << TILES.index(name) for name in names)
        self.put_cards(hands, discards)
        g.active = active
        g.first = active
        g.step = t.players * t.hand_size
        g.turns = turn - 1
        begin_turn(g, t)

    cdef int put_cards(self, hands, discards) except -1:
        """Deal hands and discards as if from one pile."""
        cdef Game* g = self.g
        cdef int i
        if len(hands) != self.players:
            raise ValueError(f"there are {self.players} seats")
        g.discard = lanes_of(discards or [0] * TRIBES, 9)
        g.pile = self.t.all_cards - g.discard
        for i in range(self.players):
            g.hand[i] = lanes_of(hands[i], 9)
            if size_of(g.hand[i]) > self.t.hand_size:
                raise ValueError(f"seat {i} has too many cards")
            g.pile -= g.hand[i]
        for i in range(TRIBES):
            if count_of(g.pile, i) > 9:
                raise ValueError(f"there are too many cards of tribe {i}")
        restart_log(g, self.t)
        g.base += g.pile
        return 0

    # ---- checks of the debug build --------------------------------------------------------------------------

    cdef int check(self) except -1:
        cdef const Game* g = self.g
        cdef const Tables* t = self.t
        cdef uint64_t cards = g.pile + g.discard + g.given, board = 0
        cdef uint32_t mask
        cdef int i, k, n = 0
        for i in range(t.players):
            cards += g.hand[i] + g.laid[i]
            assert size_of(g.hand[i]) <= t.hand_size, "a hand is too large"
            for k in range(TRIBES):
                assert count_of(g.influence[i], k) <= t.last_space, "a marker is beyond the chart"
        assert cards == t.all_cards, "cards are not conserved"
        for i in range(t.provinces):
            board += spread(g.tokens[i])
            n = tokens_at(g, i)
            assert n == size_of(spread(g.tokens[i])) <= t.fight_at, "a province has too many tokens"
            waits = any(g.queue[k] == i for k in range(g.queued))
            assert (n == t.fight_at) == waits, "a conflict is missing"
            assert bool((g.open >> i) & 1) == (not (g.pacified >> i) & 1 and not waits), "open provinces differ"
        assert board + g.supply + g.box == t.all_tokens, "tokens are not conserved"
        for k in range(TRIBES):
            mask = 0
            for i in range(t.provinces):
                if count_of(spread(g.tokens[i]), k):
                    mask |= bit(i)
            assert mask == g.where[k], "the provinces of a tribe differ"
            assert reached(g, t, k) == g.reach[k], "the reach of a tribe differs"
        if g.phase == PLAY or g.phase == END:
            assert g.live == live_tribes(g), "the live tribes differ"
        assert g.log_n <= LOG, "the log runs over"
        self.check_memory()
        return 0

    cdef int check_memory(self) except -1:
        """Find the claims in the memory again."""
        cdef int markers[SEATS]
        cdef Claims c
        cdef uint64_t key
        cdef int i, k
        for i in range(MEMORIES):
            key = self.memory.key[i]
            if key == 0:
                continue
            for k in range(self.t.players):
                markers[k] = <int> (key >> (8 * k) & 0xFF)
            find_claims(self.t, self.w, <int> (key >> 48 & 0xFF), <int> (key >> 40 & 0xFF), markers, &c)
            for k in range(self.t.players):
                assert c.tokens[k] == self.memory.claims[i].tokens[k], "claims to tokens differ"
                assert c.provinces[k] == self.memory.claims[i].provinces[k], "claims to provinces differ"
        return 0
