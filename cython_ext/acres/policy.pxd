"""A Few Acres of Snow: worth of each move in points under a strategy; priors, playouts, certain wins.

A handful of rules per kind of move are cheap enough for playouts. Only the mover's own secrets are read.
"""

from libc.math cimport exp
from libc.stdint cimport uint32_t, uint64_t
from libc.string cimport memcpy

from sfida.cython_ext.acres.board cimport (
    COINS, DEAL, DISCARDS, FURS, GAME_OVER, K_AMBUSH, K_BESIEGE, K_BLOCK, K_CONVERT, K_DEVELOP, K_DISCARD, K_DRAFT,
    K_END, K_FORTIFY, K_GOVERN, K_HOME, K_INTENDANT, K_LEADER, K_LOSE, K_MERCHANT, K_MONEY, K_PASS, K_PICK, K_PIRACY,
    K_PLACE, K_RAID, K_REINFORCE, K_RESERVE, K_RESOLVE, K_RETRIEVE, K_RETURN, K_SETTLE, K_SETTLER, K_STOP, K_STRENGTH,
    K_TRADER, K_TRANSPORT, K_WITHDRAW, MAIN, MAX_LEGAL, RAID_RESPONSE, RAIDERS, STRENGTH, Game, Side, card_of, kind_of,
    owned, place_of, raid_cards, site_bit
)
from sfida.cython_ext.acres.evaluation cimport (
    ECONOMIC, Front, Plan, able, decided, front_odds, make_plan, push, raid_reach, raid_worth, siege_chance, stake_of,
    unblocked, worth_of_money
)
from sfida.cython_ext.acres.moves cimport BY_CARD, Bundles, Listing, bundle_up, kind_at, live, sieges_allowed
from sfida.cython_ext.acres.tables cimport MODES, NONE, SITES, Coefficients, Hold, Style, Tables
from sfida.cython_ext.acres.turn cimport apply_move, next_turn, strength_at
from sfida.cython_ext.bits cimport lowest, popcount
from sfida.cython_ext.rng cimport Rng, rng_next
from sfida.cython_ext.state cimport move_t


cdef enum:
    PLENTY = 9                          # stands for the supply that an action does not use


cdef inline double money_gain(const Game* g, const Plan* p, int coins) noexcept nogil:
    return worth_of_money(p.k, p.style, g.side[p.s].money + coins) - p.money


cdef inline double card_worth(const Plan* p, int slot) noexcept nogil:
    """Worth of a card in the deck; negative: it is a burden."""
    if (p.dead >> slot) & 1:
        return p.k.card_dead
    return p.style.card[slot]


cdef inline double burden(const Plan* p, int slot) noexcept nogil:
    """Worth of removing a card for good."""
    return -card_worth(p, slot) * p.style.lean * min(p.k.burden_most, p.left / p.k.burden_turns)


cdef inline double key_price(const Plan* p, int slot) noexcept nogil:
    """Cost of spending a card that a siege needs on something else."""
    return p.k.key_price if (p.keys >> slot) & 1 else 0.0


cdef inline double ending(const Game* g, const Tables* t, const Plan* p, int discs, int cubes,
                          double gain) noexcept nogil:
    """Worth of emptying a supply, which ends the game at the side's next turn: good with a sufficient lead only."""
    if discs > 0 and cubes > 0:
        return 0.0
    return p.k.ending if p.lead + gain > p.k.ending_lead else -p.k.ending


cdef inline double develop_worth(const Game* g, const Tables* t, const Plan* p, int site) noexcept nogil:
    cdef double gain = t.value[site] * (t.town_factor - 1)
    cdef double race = p.k.race_slope * p.lead if p.lead > p.k.race_behind else p.k.race_least
    return p.style.develop * gain + race + ending(g, t, p, g.side[p.s].discs - 1, PLENTY, gain)


cdef inline double settle_worth(const Game* g, const Tables* t, const Plan* p, int site) noexcept nogil:
    cdef const Side* me = &g.side[p.s]
    cdef const Hold* h = &t.hold[p.s]
    cdef uint64_t bit = site_bit(site)
    cdef double worth = 0.0, value = t.value[site]
    if me.avail & h.locations & bit:
        worth += p.style.card[site] * p.late
    elif owned(me) & h.locations & bit:
        worth += (p.style.card[site] + p.k.settle_again) * p.late  # the card is in the deck and would be usable again
    if not me.sites & bit:
        worth += p.style.settle * value * (1.0 + p.k.settle_late * p.late) + p.style.site[site] * p.late
        worth += ending(g, t, p, PLENTY, me.cubes - 1, value)
    if t.settling_wins and h.victory & bit:
        worth += p.k.settle_wins
    return worth


cdef inline double draft_worth(const Game* g, const Tables* t, const Plan* p, int slot) noexcept nogil:
    cdef const Hold* h = &t.hold[p.s]
    cdef uint64_t bit = site_bit(slot)
    cdef int copies = popcount(p.owned & h.of_type[h.type_of[slot]]), _copy
    cdef int neutral = t.neutral_of[h.type_of[slot]], price = h.neutral_cost[neutral - 1] if neutral else h.cost[slot]
    cdef double worth = p.style.card[slot]
    if bit & (h.military | h.fort):
        worth += p.style.defend * p.threat * (p.k.draft_arms + h.strength[slot])
    for _copy in range(min(copies, p.k.draft_copies)):
        worth *= p.k.draft_copy
    if bit & h.governor:
        worth *= p.k.draft_governor * min(p.k.draft_governor_most,
                                          popcount(p.owned & p.dead & ~g.side[p.s].reserve) + 1)
    if bit & h.home_support:
        worth *= p.k.draft_home
    return worth * p.late - p.size + money_gain(g, p, -price)


cdef inline double reinforce_worth(const Game* g, const Tables* t, const Plan* p, int which, int slot,
                                   int actions) noexcept nogil:
    """Worth of a card in a siege, including what the other cards in hand can reach with it."""
    cdef const Front* f = &p.front[which]
    cdef const Side* me = &g.side[p.s]
    cdef int lead = g.lead[which], sign = -1 if f.defends else 1
    cdef int force = strength_at(t, p.s, slot, f.site)
    cdef uint64_t others = me.hand & able(g, t, p.s, f.site, f.defends) & ~site_bit(slot)
    cdef double now = front_odds(t, p.k, f, lead), gain, further
    cdef int more
    gain = front_odds(t, p.k, f, lead + sign * force) - now
    more = push(t, p.s, f.site, others, actions)
    if more:
        further = (front_odds(t, p.k, f, lead + sign * (force + more)) - now) * force / (force + more)
        gain = max(gain, further)
    return f.stake * gain - (p.k.reinforce_pay * t.hold[p.s].siege_pay[slot]) - p.k.reinforce_force * force


cdef inline double fortify_worth(const Game* g, const Tables* t, const Coefficients* w, const Plan* p,
                                 int site) noexcept nogil:
    """Worth of a fort by the threat of sieges and raids; it counts for about one reinforcement."""
    cdef uint64_t bit = site_bit(site)
    cdef double share = p.k.fort_base + p.k.fort_threat * p.threat
    cdef double worth = p.style.defend * stake_of(g, t, w, 1 - p.s, site) * share
    if raid_reach(g, t, 1 - p.s, p.k.fort_steps) & bit:
        worth += p.k.fort_raid * raid_worth(g, t, p.k, 1 - p.s, site)
    if g.side[p.s].towns & bit:
        worth *= p.k.fort_town
    return worth * (p.k.fort_always + p.k.fort_late * p.late) + money_gain(g, p, -t.fortify_cost)


cdef inline double besiege_worth(const Game* g, const Tables* t, const Coefficients* w, const Plan* p, int slot,
                                 int site) noexcept nogil:
    cdef double stake = stake_of(g, t, w, p.s, site) * p.style.siege + p.style.site[site] * p.late
    cdef double odds = siege_chance(g, t, w, p.s, slot, site, g.side[p.s].hand, g.actions)
    return stake * (odds - p.k.siege_odds) - p.k.siege_cost


cdef inline double raid_move_worth(const Game* g, const Tables* t, const Plan* p, int site) noexcept nogil:
    cdef const Side* foe = &g.side[1 - p.s]
    cdef const Hold* h = &t.hold[1 - p.s]
    cdef uint64_t blockers = h.block_raid | (foe.usable & h.locations & site_bit(site))
    cdef int n = raid_cards(g, t, p.s, site)
    cdef double worth = p.style.raid * raid_worth(g, t, p.k, p.s, site) + p.k.raid_site * p.style.site[site]
    cdef double free = unblocked(foe, blockers, p.share)
    return worth * free - p.k.raid_card * n + p.k.raid_blocked * (1.0 - free)


cdef inline double convert_worth(const Game* g, const Tables* t, const Plan* p) noexcept nogil:
    cdef const Side* foe = &g.side[1 - p.s]
    cdef uint64_t wanted = t.hold[1 - p.s].wanted
    cdef double none = 0.0 if foe.reserve & wanted else unblocked(foe, wanted, p.share)
    return p.k.convert_hit * p.style.ambush * (1.0 - none) - p.k.convert_cost


cdef inline double retrieve_worth(const Game* g, const Tables* t, const Coefficients* w, const Plan* p) noexcept nogil:
    """Worth of retrieving the reserve: it turns a siege, or opens a promising one."""
    cdef const Side* me = &g.side[p.s]
    cdef const Hold* h = &t.hold[p.s]
    cdef const Front* f
    cdef double gain = -p.k.retrieve_action, odds, with_them
    cdef uint64_t cards, links, foes
    cdef int which, sign, site, mode, slot
    for which in range(2):
        f = &p.front[which]
        if f.site == NONE or not me.reach & site_bit(f.site):
            continue
        sign = -1 if f.defends else 1
        cards = able(g, t, p.s, f.site, f.defends)
        odds = front_odds(t, p.k, f, g.lead[which] + sign * push(t, p.s, f.site, me.hand & cards, g.actions))
        with_them = front_odds(t, p.k, f, g.lead[which] + sign * push(t, p.s, f.site, (me.hand | me.reserve) & cards,
                                                                      g.actions))
        gain += f.stake * (with_them - odds)
    if g.actions >= 2 and sieges_allowed(g, t, p.s):
        links = (live(me) | (me.reserve & me.usable)) & h.locations
        while links:
            slot = lowest(links)
            links &= links - 1
            for mode in range(MODES):
                foes = h.link[slot][mode] & g.side[1 - p.s].sites
                while foes:
                    site = lowest(foes)
                    foes &= foes - 1
                    if site_bit(slot) & me.hand:
                        odds = siege_chance(g, t, w, p.s, slot, site, me.hand, g.actions)
                    else:
                        odds = 0.0
                    with_them = siege_chance(g, t, w, p.s, slot, site, me.hand | me.reserve, g.actions)
                    if with_them > p.k.retrieve_odds and with_them > odds + p.k.retrieve_more:
                        gain = max(gain, (stake_of(g, t, w, p.s, site) * p.style.siege + p.style.site[site])
                                   * (with_them - max(odds, p.k.siege_odds)) - p.k.retrieve_action)
    return gain - p.k.retrieve_dead * t.retrieve_cost * popcount(me.reserve & p.dead)


cdef inline double reserve_worth(const Game* g, const Tables* t, const Plan* p, int slot) noexcept nogil:
    """Worth of reserving a card: useless ones are put away for good, fighters until they strike together."""
    cdef const Hold* h = &t.hold[p.s]
    cdef uint64_t bit = site_bit(slot)
    cdef double worth = -p.k.reserve_cost
    cdef int lying = popcount(g.side[p.s].reserve)
    if bit & p.dead:
        worth = p.k.reserve_dead * burden(p, slot) - p.k.reserve_lying * lying
    elif bit & p.keys:
        worth = p.k.reserve_key * p.style.reserve
    elif bit & h.military and not g.besieged:
        worth = p.style.reserve * h.strength[slot]
        if bit & h.vulnerable and g.side[p.s].reserve & h.vulnerable == 0:
            worth -= p.k.reserve_exposed
    elif bit & h.locations and p.style.card[slot] < p.k.reserve_poor_below:
        worth = p.k.reserve_poor * burden(p, slot) - p.k.reserve_lying * lying
    return worth


cdef inline double worth_idle(const Coefficients* k, double worth) noexcept nogil:
    """Worth of discarding a card of this worth in hand to draw another."""
    return k.idle_bad if worth < k.idle_bad_below else k.idle_poor if worth < k.idle_poor_below else k.idle_good


cdef inline double idle_worth(const Plan* p, int slot) noexcept nogil:
    if ((p.dead | p.keys) >> slot) & 1:
        return worth_idle(p.k, card_worth(p, slot) + key_price(p, slot))
    return p.style.idle[slot]


cdef inline double intendant_worth(const Game* g, const Tables* t, const Plan* p, int slot) noexcept nogil:
    cdef const Hold* h = &t.hold[p.s]
    cdef uint64_t bit = site_bit(slot)
    cdef double worth = p.k.intendant_card * max(0.0, card_worth(p, slot))
    cdef int which
    if bit & h.home_support:
        worth += p.k.intendant_home
    for which in range(2):
        if p.front[which].site == NONE or g.actions < 2:
            continue
        if bit & able(g, t, p.s, p.front[which].site, p.front[which].defends):
            worth += max(0.0, reinforce_worth(g, t, p, which, slot, 0))
    return worth + money_gain(g, p, -t.intendant_cost)


cdef inline double trader_worth(const Game* g, const Tables* t, const Plan* p) noexcept nogil:
    return money_gain(g, p, t.fur_money * popcount(live(&g.side[p.s]) & t.hold[p.s].fur))


cdef inline double merchant_worth(const Game* g, const Tables* t, const Plan* p, int ship) noexcept nogil:
    """Worth of the two best coins besides the ship."""
    cdef const Hold* h = &t.hold[p.s]
    cdef uint64_t coins = live(&g.side[p.s]) & h.coin & ~site_bit(ship)
    cdef int best = 0, second = 0, n
    while coins:
        n = h.coins[lowest(coins)]
        coins &= coins - 1
        if n > best:
            second = best
            best = n
        elif n > second:
            second = n
    return money_gain(g, p, best + second) - p.k.merchant_cost - p.k.merchant_ship * h.coins[ship] - key_price(p, ship)


cdef inline double wanted_now(const Game* g, const Tables* t, const Plan* p, int slot) noexcept nogil:
    """Worth of the remaining uses of a card this turn: the price of spending it on something lesser."""
    cdef const Hold* h = &t.hold[p.s]
    cdef const Side* me = &g.side[p.s]
    cdef uint64_t bit = site_bit(slot)
    cdef double worth = p.k.held_card * max(0.0, card_worth(p, slot))
    if bit & p.dead:
        return p.k.held_dead
    if bit & h.settler:
        worth += p.k.held_settler
    if bit & me.sites & ~me.towns and me.hand & h.settler & ~bit and slot < SITES and h.locations & bit:
        worth += p.k.held_develop * t.value[slot]
    worth += p.k.held_coin * h.coins[slot] + p.k.held_strength * h.strength[slot] + key_price(p, slot)
    if (p.front[0].site != NONE and bit & able(g, t, p.s, p.front[0].site, p.front[0].defends)) or (
            p.front[1].site != NONE and bit & able(g, t, p.s, p.front[1].site, p.front[1].defends)):
        worth += p.k.held_siege
    return worth


cdef inline double main_worth(const Game* g, const Tables* t, const Coefficients* w, const Plan* p, uint32_t base,
                              int i) noexcept nogil:
    """Worth of the action of a bundle with slot or place i."""
    cdef const Hold* h = &t.hold[p.s]
    cdef const Side* me = &g.side[p.s]
    cdef int kind = kind_at(base), place = place_of(base) if base & BY_CARD else i
    if kind == K_DEVELOP:
        return develop_worth(g, t, p, i)
    elif kind == K_SETTLE:
        return settle_worth(g, t, p, i)
    elif kind == K_FORTIFY:
        return fortify_worth(g, t, w, p, place)
    elif kind == K_BESIEGE:
        return besiege_worth(g, t, w, p, lowest(h.of_type[card_of(base)]), i)
    elif kind == K_REINFORCE:
        return reinforce_worth(g, t, p, place, lowest(h.of_type[h.type_of[i]]), g.actions - 1)
    elif kind == K_LEADER:
        return reinforce_worth(g, t, p, place, lowest(me.hand & h.leader), g.actions) - p.k.leader_cost
    elif kind == K_RAID:
        return raid_move_worth(g, t, p, i)
    elif kind == K_AMBUSH:
        return p.ambush + money_gain(g, p, -h.use_pay[i]) - p.k.ambush_cost
    elif kind == K_CONVERT:
        return convert_worth(g, t, p)
    elif kind == K_MONEY:
        return money_gain(g, p, h.coins[i]) - key_price(p, i)
    elif kind == K_MERCHANT:
        return merchant_worth(g, t, p, i)
    elif kind == K_TRADER:
        return trader_worth(g, t, p)
    elif kind == K_PIRACY:
        return (money_gain(g, p, t.piracy_money)
                + p.k.piracy_loss * min(t.piracy_money, <int> g.side[1 - p.s].money) - p.k.piracy_cost)
    elif kind == K_DRAFT:
        return draft_worth(g, t, p, i)
    elif kind == K_DISCARD:
        return idle_worth(p, i)
    elif kind == K_RESERVE:
        return reserve_worth(g, t, p, i)
    elif kind == K_GOVERN:
        return burden(p, i) + p.k.govern_base
    elif kind == K_INTENDANT:
        return intendant_worth(g, t, p, lowest(h.of_type[h.type_of[i]]))
    elif kind == K_RETRIEVE:
        return retrieve_worth(g, t, w, p)
    elif kind == K_HOME:
        return p.k.home_first           # comes first: it shows the cards to choose from
    elif kind == K_WITHDRAW:
        return (p.k.withdraw if place == p.s
                else p.k.surrender_home if t.hold[1 - p.s].victory & site_bit(g.target[place]) else p.k.surrender)
    return 0.0                          # pass, end


cdef inline double step_worth(const Game* g, const Tables* t, const Plan* p, int kind, int slot) noexcept nogil:
    """Worth of one more card of the current action."""
    cdef const Hold* h = &t.hold[p.s]
    if kind == K_STOP:
        return 0.0
    if kind == K_STRENGTH:
        return (p.k.open_strength * strength_at(t, p.s, slot, g.site) - p.k.open_pay * h.siege_pay[slot]
                - p.k.open_settler * ((h.settler >> slot) & 1))
    if kind == K_TRANSPORT or kind == K_SETTLER or g.phase == RAIDERS:
        # a raid that is already long enough gains nothing from a longer route
        return (p.k.step_longer if g.phase == RAIDERS and g.need == 0 else p.k.step_base) - wanted_now(g, t, p, slot)
    if g.phase == COINS:
        return money_gain(g, p, h.coins[slot])
    if g.phase == FURS:
        # no such card is passed over
        return money_gain(g, p, t.fur_money) - p.k.fur_card - p.k.fur_order * h.type_of[slot]
    if g.phase == DISCARDS:
        return idle_worth(p, slot) + money_gain(g, p, -t.discard_next)
    return burden(p, slot) - p.k.govern_more        # GOVERN


cdef inline double loss_of(const Game* g, const Tables* t, const Plan* p, int slot) noexcept nogil:
    """Cost of returning an empire card: its price and a draft, or a gain if it is a burden."""
    cdef const Hold* h = &t.hold[p.s]
    return p.k.loss_price * h.cost[slot] + p.style.card[slot]


cdef inline double answer_worth(const Game* g, const Tables* t, const Plan* p, uint32_t base,
                                int i) noexcept nogil:
    """Worth of the answer of a bundle, or of the decision about a siege, with slot or place i."""
    cdef const Hold* h = &t.hold[p.s]
    cdef const Side* me = &g.side[p.s]
    cdef int kind = kind_at(base)
    if kind == K_BLOCK:
        if g.phase == RAID_RESPONSE:
            return raid_worth(g, t, p.k, 1 - p.s, g.site) - p.k.block_card * wanted_now(g, t, p, i)
        return ((p.k.block_hit if (me.hand | me.reserve) & h.vulnerable else p.k.block_miss)
                - p.k.block_card * wanted_now(g, t, p, i))
    if kind == K_LOSE or kind == K_RETURN:
        return -loss_of(g, t, p, i)
    if kind == K_RESOLVE:
        return p.k.resolve_defence if i != p.s else 0.0
    if kind == K_PLACE:
        return (p.k.place_base + settle_worth(g, t, p, g.target[g.which])
                - (p.k.place_card * wanted_now(g, t, p, i) if base & BY_CARD else 0.0))
    if kind == K_PICK:
        return p.style.card[i]
    return 0.0


cdef inline uint64_t kinds_in(Listing found) noexcept nogil:
    """Kinds of the moves of a list, a bit each."""
    cdef uint64_t kinds = 0
    cdef int i
    for i in range(found.size):
        kinds |= <uint64_t> 1 << kind_at(found.list.base[i])
    return kinds


cdef inline void rate_list(const Game* g, const Tables* t, const Coefficients* w, const Style* style, Listing found,
                           double* out) noexcept nogil:
    """Compute the worth of every move of a list for the mover, in points."""
    cdef Plan p
    cdef int i, kind, phase = g.phase
    cdef uint32_t base
    cdef uint64_t left
    make_plan(g, t, w, style, g.mover, kinds_in(found), &p)
    for i in range(found.size):
        base = found.list.base[i]
        left = found.list.differ[i]
        kind = kind_at(base)
        if phase == MAIN:
            while left:
                out[0] = main_worth(g, t, w, &p, base, lowest(left))
                out += 1
                left &= left - 1
        elif kind >= K_TRANSPORT and kind <= K_STOP:
            while left:
                out[0] = step_worth(g, t, &p, kind, lowest(left))
                out += 1
                left &= left - 1
        else:
            while left:
                out[0] = answer_worth(g, t, &p, base, lowest(left))
                out += 1
                left &= left - 1


cdef inline void rate_moves(const Game* g, const Tables* t, const Coefficients* w, const Style* style,
                            const move_t* moves, int n, double* out) noexcept nogil:
    """Compute the worth of some moves for the mover, in points."""
    cdef Bundles list
    rate_list(g, t, w, style, bundle_up(moves, n, &t.hold[g.mover], &list), out)


cdef inline void soften(const Coefficients* k, const double* worth, int n, double heat, float* out) noexcept nogil:
    """Turn worths into probabilities: positive, summing to 1, with a minimum for each move."""
    cdef double top = -1e300, sum = 0.0, x
    cdef int i
    for i in range(n):
        top = max(top, worth[i])
    for i in range(n):
        x = exp(max(k.prior_floor, (worth[i] - top) / heat)) + k.prior_least
        out[i] = <float> x
        sum += x
    for i in range(n):
        out[i] = <float> (out[i] / sum)


cdef inline void find_priors(const Game* g, const Tables* t, const Coefficients* w, const move_t* moves, int n,
                             float* out) noexcept nogil:
    cdef double worth[MAX_LEGAL]
    if n == 1:
        out[0] = 1.0
        return
    rate_moves(g, t, w, &t.style[ECONOMIC][g.mover], moves, n, worth)
    soften(w, worth, n, w.heat, out)


cdef inline int quick_choice(const Game* g, const Tables* t, const Coefficients* w, const Style* style,
                             Listing found, Rng* rng) noexcept nogil:
    """Return the number of the best move by its worth plus a little noise."""
    cdef double worth[MAX_LEGAL]
    cdef double best = -1e300, v
    cdef int i, pick = 0
    cdef uint64_t luck = 0
    rate_list(g, t, w, style, found, worth)
    for i in range(found.n):
        if i & 3 == 0:
            luck = rng_next(rng)
        v = worth[i] + w.noise * <double> (luck & 0xFFFF) / 65536.0
        luck >>= 16
        if v > best:
            best = v
            pick = i
    return pick


cdef inline bint has_won(const Game* g, int s) noexcept nogil:
    return g.phase == GAME_OVER and g.winner == s


cdef inline int find_sure_win(const Game* g, const Tables* t, const move_t* moves, int n) noexcept nogil:
    """Index of a move that wins the game, wins a siege for certain, or settles a victory site; or -1.

    A siege of a victory site is won for certain once its lead withstands everything that the other side could add in
    its turn. The strongest cards go first, so that no card is needed later.
    """
    cdef int s = g.mover, i, kind, slot, best = -1, force, top = -1
    cdef const Side* me = &g.side[s]
    cdef const Hold* h = &t.hold[s]
    cdef uint64_t cards
    cdef Game twin
    if g.phase > DEAL and g.phase < MAIN:
        for i in range(n):
            memcpy(&twin, g, sizeof(Game))
            apply_move(&twin, t, moves[i])
            if has_won(&twin, s):
                return i
        return -1
    if g.mover != g.on_turn or g.phase < MAIN:
        return -1
    if g.phase == MAIN:
        memcpy(&twin, g, sizeof(Game))
        next_turn(&twin, t)
        if has_won(&twin, s):       # whatever is drawn before
            for i in range(n):
                if kind_of(moves[i]) == K_END:
                    return i
    if t.settling_wins and (g.phase == MAIN or g.verb == K_SETTLE):
        for i in range(n):
            kind = kind_of(moves[i])
            if kind == K_SETTLE and h.victory & site_bit(place_of(moves[i])):
                return i
            if (kind == K_TRANSPORT or kind == K_SETTLER) and h.victory & site_bit(g.site):
                return i
    if g.phase == STRENGTH and h.victory & site_bit(g.site):
        for i in range(n):
            memcpy(&twin, g, sizeof(Game))
            apply_move(&twin, t, moves[i])
            cards = twin.side[s].hand & able(&twin, t, s, g.site, False)
            if not twin.side[s].reach & site_bit(g.site):
                cards = 0
            if decided(&twin, t, s, twin.lead[s] + push(t, s, g.site, cards, twin.actions)):
                return i
        return -1
    if g.phase != MAIN or g.target[s] == NONE or not h.victory & site_bit(g.target[s]):
        return -1
    if decided(g, t, s, g.lead[s]):
        for i in range(n):
            kind = kind_of(moves[i])
            if kind == K_END or kind == K_PASS:
                return i
    if not me.reach & site_bit(g.target[s]):
        return -1
    cards = me.hand & able(g, t, s, g.target[s], False)
    if not decided(g, t, s, g.lead[s] + push(t, s, g.target[s], cards, g.actions)):
        return -1
    for i in range(n):
        kind = kind_of(moves[i])
        if place_of(moves[i]) != s:
            continue
        if kind == K_LEADER:
            return i
        if kind == K_REINFORCE:
            slot = lowest(h.of_type[card_of(moves[i])])
            force = strength_at(t, s, slot, g.target[s])
            if force > top:
                top = force
                best = i
    return best
