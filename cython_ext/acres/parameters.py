"""A Few Acres of Snow: tables, options and weights of the rules core, the source of the generated tables.pxd.

Sites, slots and card types are numbered as in board.pxd; a set of sites or of slots is one word with a bit for each.
"""

from __future__ import annotations

from sfida.cython_ext.declare import (
    RANGES, Feature, Field, Inputs, derived, feature, names_of_inputs, table, values_of, weight, weights_of_features
)

SIZES = {
    "SITES": 36, "SLOTS": 64,
    "TYPES": 91,                        # 59 location cards and 32 rows of empire cards, in the order of the data
    "LOCATIONS": 59, "NEUTRALS": 3, "NEUTRAL_SETS": 8,
    "VALUE_BITS": 3,                    # bits of a site's value: 0 to 7
    "FORCE_BITS": 3,                    # bits of a card's strength: 0 to 7
    "PURSES": 32,                       # size of the price tables indexed by money; more money buys the same
    "MODES": 3,                         # transport modes: bateau, wagon, ship
    "MODE_SETS": 8, "ALL_MODES": 7,
    "KINDS": 40,                        # kinds of moves
    "NONE": 0xFF,                       # no site, card or seat
    "NO_LIMIT": 0x7FFFFFFF,             # turn limit of a game without one
    "QUIET_TURNS": 200,                 # consecutive turns without a new or lost piece that end such a game
    "STYLES": 3,                        # strategies
}
STRATEGIES = ("economic", "hammer", "raider")   # in the order of their numbers; the search uses the first
SITES, SLOTS, TYPES, LOCATIONS, NEUTRALS, PURSES, MODES, NONE, NO_LIMIT, QUIET_TURNS = (SIZES[name] for name in (
    "SITES", "SLOTS", "TYPES", "LOCATIONS", "NEUTRALS", "PURSES", "MODES", "NONE", "NO_LIMIT", "QUIET_TURNS"))


def sites(name: str, doc: str, *, called: str = "") -> Field:
    """Declare a set of sites."""
    return table(f"uint64_t {name}", doc, high="all_of(SITES)", called=called)


def cards(name: str, doc: str) -> Field:
    """Declare a set of slots of one side; the rules object checks that the side has cards in them."""
    return table(f"uint64_t {name}", doc)


# Cards of one side, by slot.
HOLD: tuple[Field, ...] = (
    derived("uint64_t all", "slots that hold a card of the side"),
    sites("locations", "location cards", called="location cards"),
    cards("empire", "all others, neutral ones included"),
    cards("neutral", "neutral cards"),
    cards("start", "location cards of the initial deck"),
    cards("several", "slots of types of several copies"),
    cards("later", "slots that are not the first of their type"),
    table("uint64_t symbol[MODES]", "cards that offer a mode", called="transport"),
    cards("settler", "cards with a settler"),
    cards("fur", "cards with furs"),
    cards("coin", "cards with money"),
    cards("military", "cards that attackers may use in any siege"),
    cards("fort", "cards that only defenders may use in a siege"),
    cards("leader", "cards sent to a siege by a free action (FAS-12.6)"),
    cards("paid", "cards that cost money when they enter a siege (FAS-10.5)"),
    cards("raid", "cards that may launch a raid (FAS-13.1)"),
    cards("raid_extra", "cards that lengthen a raid (FAS-13.3)"),
    cards("natives", "cards that cost money in a raid or an ambush"),
    cards("ambush", "cards for ambushes (FAS-14.1)"),
    cards("convert", "cards that convert (FAS-14.7)"),
    cards("block_raid", "cards that block raids (FAS-13.8)"),
    cards("block_ambush", "cards that block ambushes (FAS-14.2)"),
    cards("vulnerable", "cards that ambushes take (FAS-14.3)"),
    cards("trader", "Traders (FAS-15.3)"),
    cards("governor", "Governors (FAS-15.9)"),
    cards("intendant", "Intendants (FAS-15.11)"),
    cards("home_support", "Home Support (FAS-15.12)"),
    cards("piracy", "the location card that piracy needs (FAS-15.4); 0: this side has none"),
    cards("wanted", "neutral Native Americans, which conversions take"),
    table("uint64_t afford[PURSES]", "own empire cards that so much money buys", called="cards by price"),
    table("uint64_t link[SITES][MODES]", "sites that a location card reaches", high="all_of(SITES)", called="links"),
    derived("uint8_t modes[SITES]", "modes that it offers, a bit each"),
    derived("uint64_t leads[MODE_SETS][SITES]", "sites that it reaches by the modes of a set, a bit each"),
    table("uint8_t type_of[SLOTS]", "type of the card in each slot; NONE: no card", called="types by slot"),
    table("uint8_t coins[SLOTS]", "money of a location card", high=100),
    table("uint8_t strength[SLOTS]", "strength in sieges, ships apart", high="(1 << FORCE_BITS) - 1"),
    derived("uint64_t force[FORCE_BITS]", "bit planes of the strengths"),
    table("uint8_t siege_pay[SLOTS]", "price of a card in a siege", high=100, called="prices in sieges"),
    table("uint8_t use_pay[SLOTS]", "price of a card in a raid or an ambush", high=100, called="prices of use"),
    table("uint8_t cost[SLOTS]", "price of a card to draft", high=100, called="prices"),
    table("uint64_t of_type[TYPES]", "slots of a type; 0: not this side's", called="slots by type"),
    derived("uint64_t onward[SLOTS + 1]", "slots of the type at a slot and of later types; the last: all"),
    table("uint64_t neutral_type[NEUTRALS]", "slots of each neutral type", called="slots of neutral types"),
    derived("uint64_t neutral_set[NEUTRAL_SETS]", "first slots of a set of neutral types, a bit each"),
    derived("uint64_t neutral_afford[PURSES]", "first slots of the neutral types that so much money buys"),
    table("uint8_t neutral_cost[NEUTRALS]", "price of each neutral type", high=100, called="prices of neutral types"),
    table("int native_pay", "money that Native Americans cost in a raid or an ambush; 0: the side cannot have any",
          low=0, high=100),
    sites("home", "sites where chains for card use end (FAS-6.2)"),
    sites("home_reinforce", "further sites where chains for reinforcement end (FAS-12.3)"),
    sites("victory", "sites whose siege wins (FAS-11.15, 16.1)"),
)

# One side at the start (FAS-4).
START: tuple[Field, ...] = (
    sites("sites", "controlled sites", called="sites at the start"),
    sites("towns", "sites with a town", called="towns at the start"),
    cards("deck", "cards of the initial deck"),
    cards("avail", "location cards and own empire cards that can be gained"),
    table("int money", "money", low=0, high=1000),
    table("uint8_t cubes", "village cubes in the supply", high=100),
    table("uint8_t discs", "town discs in the supply", high=100),
)

# Preferences of a strategy, for one side; engines/acres/weights.py has the values.
STYLE: tuple[Field, ...] = (
    table("float card[SLOTS]", "worth of one more card of this kind in the deck, in points", called="worth of cards"),
    table("float site[SITES]", "worth of controlling a site beyond its points", called="worth of sites"),
    sites("aims", "sites whose sieges the strategy is about: cards that lead there are kept"),
    table("float develop", "weight of points by developing"),
    table("float settle", "weight of points by settling"),
    table("float siege", "weight of gains by sieges"),
    table("float defend", "weight of preparing for the enemy's sieges"),
    table("float raid", "weight of raids"),
    table("float ambush", "weight of ambushes"),
    table("float purse", "money worth saving"),
    table("float lean", "weight of a thin deck"),
    table("float reserve", "worth of a point of strength in the reserve"),
    derived("double coins[PURSES]", "worth of so much money"),
    derived("double idle[SLOTS]", "worth of discarding a card that is neither useless nor needed for a siege"),
)

TABLES: tuple[Field, ...] = (
    table("Hold hold[2]", "the cards of each side", called="cards"),
    table("Start start[2]", "each side at the start", called="sides at the start"),
    table("Style style[STYLES][2]", "preferences of the strategies, by side", called="strategies"),
    # ---- map (FAS-2)
    table("uint64_t joined[SITES]", "sites connected to each one, sea and lakes included", high="all_of(SITES)",
          called="connections"),
    table("uint64_t raids[SITES]", "sites one raid connection away", high="all_of(SITES)",
          called="connections for raids"),
    derived("uint64_t all_sites", "every site"),
    sites("ship_siege", "sites where ships count in sieges", called="sites where ships count"),
    sites("settler_sites", "sites that need a settler", called="sites that need a settler"),
    derived("uint64_t worth[VALUE_BITS]", "bit planes of the sites' values"),
    derived("uint64_t valued", "sites of any value"),
    table("uint8_t value[SITES]", "value of each site", high="(1 << VALUE_BITS) - 1", called="values of sites"),
    table("uint8_t defence[SITES]", "defence of each site", high=100, called="defence of sites"),
    sites("start_forts", "sites with a fort at the start", called="forts at the start"),
    table("uint8_t forts", "fortification discs", high="SITES", called="forts"),
    table("uint8_t start_display[NEUTRALS]", "copies of each neutral type", high=100, called="neutral cards"),
    table("uint8_t neutral_of[TYPES]", "1 + number of a neutral type; 0: not neutral", high="NEUTRALS",
          called="neutral types"),
    # ---- costs and income (FAS-9, 15)
    table("int fortify_cost", "price of a fort (FAS-9.1)", low=0, high=100),
    table("int intendant_cost", "price of the Intendant (FAS-15.11)", low=0, high=100),
    table("int retrieve_cost", "price of each card taken back from the reserve (FAS-15.8)", low=0, high=100),
    table("int discard_first", "price of the first card discarded (FAS-15.6)", low=0, high=100),
    table("int discard_next", "price of each further one", low=0, high=100),
    table("int fur_money", "money of a fur card (FAS-15.3)", low=0, high=100),
    table("int piracy_money", "money of piracy (FAS-15.4)", low=0, high=100),
    table("int merchant_coins", "cards with money that a merchant takes at most (FAS-15.2)", low=0, high=100),
    # ---- sieges (FAS-10, 11)
    table("int intrinsic", "defence of every site", low=0, high=100),
    table("int fort_defence", "defence that a fort adds", low=0, high=100),
    table("int ship_strength", "strength of a ship where ships count", low=0, high=100),
    table("int attacker_wins", "lead with which the besieger wins", low=1, high=100),
    table("int defender_wins", "lead with which the defender wins", low=1, high=100),
    # ---- scoring and limits (FAS-4, 5, 16)
    table("int cube_points", "points of a captured village", low=0, high=100),
    table("int disc_points", "points of a captured town", low=0, high=100),
    table("int town_factor", "how many times a town counts its site's value", low=0, high=100),
    table("int capture_end", "captured points that end the game", low=1, high=1000),
    table("int tie_winner", "side that wins a tie", low=0, high=1, called="the winner of a tie"),
    table("int hand_size", "cards of a full hand", low=1, high=20),
    table("int max_reserve", "cards of a full reserve", low=0, high=20),
    table("int first_actions", "actions of the first turn of each side", low=0, high=100),
    table("int turn_actions", "actions of a turn", low=1, high=100),
    table("int home_draws", "cards that Home Support draws (FAS-15.12)", low=0, high=100),
    table("int first_player", "side that begins", low=0, high=1, called="the first player"),
    # ---- options (FAS-18)
    table("int max_turns", "turns of both sides until points decide, or NO_LIMIT", low=1),
    table("int raid_bonus", "connections that a raid reaches beyond one a card", low=0, high=1),
    table("bint eager", "the discard pile is shuffled as soon as the deck is empty"),
    table("bint check_after_sieges", "the end is tested after the sieges of the turn's start"),
    table("bint location_reserve", "location cards may go to the reserve"),
    table("bint lost_location_reserve", "those of lost sites may"),
    table("bint home_reshuffles", "Home Support shuffles the discard pile when the deck runs out"),
    table("bint settling_wins", "settling a victory site wins the game"),
    table("bint supply_waits", "an empty supply does not end the game during a siege"),
    table("bint capture_waits", "captured points do not end the game during a siege"),
    table("bint may_surrender", "the defender may surrender the site"),
    table("bint raid_from_besieged", "raids may start from a besieged site"),
    table("bint raid_besieged", "a besieged site may be raided"),
    table("bint any_route", "a raid need not take the shortest route (R-7)"),
    table("bint optional_place", "placing a village after a siege is optional"),
    table("bint governor_spares_start", "the Governor spares the cards of starting sites that are held"),
    table("bint siege_waits", "the British besiege only after a French siege or with enough points"),
    table("int siege_waits_points", "these points", low=0, high=1000),
    table("bint free_blocked_raid", "a blocked raid costs no action"),
    table("bint free_blocked_ambush", "a blocked ambush costs no action"),
    table("bint pick_extra", "the French pick one more empire card for their first deck"),
    table("bint may_skip_refill", "a turn may end without drawing"),
)

# Features of a side. A win probability compares both sides by the features with a weight `win`: own value minus the
# other side's. The origin of these weights is not recorded.
FEATURES: dict[str, Feature] = {
    "points": feature("points", win=0.0),
    "race": feature("points, times how near the end of the game is", win=0.256),
    "growth": feature("points that developing would still bring, as discs and settlers allow", win=0.066),
    "captured": feature("captured points beyond a third of those that end the game", win=0.439),
    "money": feature("worth of the money held", win=0.09),
    "force": feature("strength of empire cards owned, square root", win=0.868),
    "guard": feature("share of cards that block, in the deck", win=0.1),
    "dead": feature("location cards of sites not held, and others of no use", win=-0.485),
    "size": feature("cards in the deck beyond ten", win=-0.017),
    "settlers": feature("usable settler cards, against the size of the deck", win=1.527),
    "support": feature("Home Support owned", win=0.4),
    "walls": feature("fortified sites", win=0.08),
    "exposed": feature("points that raids could take", win=-0.02),
    "foothold": feature("held sites whose cards lead to the enemy's victory sites", win=0.539),
    "siege": feature("expected points of sieges of other sites", win=0.17),
    "home": feature("chance to win the siege of a victory site", win=0.0),
    "turn": feature("to move", win=0.109),
    "french": feature("the side"),
    "left": feature("turns that each side may expect, the same for both"),
    "cubes": feature("village cubes in the supply"),
    "discs": feature("town discs in the supply"),
    "hand_force": feature("strength of the cards in hand, as far as known"),
}

# Sparse inputs of learned evaluations. Seats are counted from the British, so each side has inputs of its own. A group
# of cards has as many inputs of a type as there are copies in the zone; the deck is what the other zones leave.
INPUTS: dict[str, Inputs] = {
    "turn": Inputs("1", "the side is on turn"),
    "mover": Inputs("1", "the side decides"),
    "owned": Inputs("SLOTS", "cards in any zone of the side"),
    "hand": Inputs("2 * SLOTS", "cards in hand; a second group while the side is on turn"),
    "shown": Inputs("SLOTS", "cards of an unknown hand that both sides know"),
    "discard": Inputs("SLOTS", "cards in the discard pile"),
    "reserve": Inputs("SLOTS", "cards in the reserve"),
    "bound": Inputs("SLOTS", "cards in sieges, or put aside by Home Support"),
    "dead": Inputs("SITES", "each location card that cannot be used"),
    "village": Inputs("SITES", "a village on a site"),
    "town": Inputs("SITES", "a town on a site"),
    "fort": Inputs("SITES", "a fort on a site"),
    "prey": Inputs("SITES", "each enemy site that a single card may raid"),
    "money": Inputs("20", "money: 1 to 19, 20 and more"),
    "points": Inputs("30", "threes of points"),
    "captured": Inputs("15", "captured points: 1 to 14, 15 and more"),
    "cubes": Inputs("20", "village cubes in the supply"),
    "discs": Inputs("12", "town discs in the supply"),
    "held": Inputs("8", "cards in hand: 1 to 7, 8 and more"),
    "undrawn": Inputs("16", "cards in the deck: 1 to 15, 16 and more"),
    "cycle": Inputs("30", "cards in hand, deck and discard pile: 1 to 29, 30 and more"),
    "siege": Inputs("SITES", "the site that the side besieges"),
    "lead": Inputs("4 * 13", "its lead, -6 to 6: on turn or not, at a victory site or another"),
    "phase": Inputs("21", "the phase", common=True),
    "actions": Inputs("4", "actions left", common=True),
    "ahead": Inputs("31", "points of the British beyond those of the French, -15 to 15", common=True),
    "turns": Inputs("40", "fours of turns of both sides", common=True),
    "display": Inputs("5 * NEUTRALS", "neutral cards of each type: 1 to 4, 5 and more", common=True),
    "forts": Inputs("8", "forts in the supply", common=True),
    "verb": Inputs("KINDS", "the kind of an action under way", common=True),
    "goal": Inputs("SITES", "its site", common=True),
    "loser": Inputs("2", "the loser of a siege under resolution", common=True),
}
INPUT_NAMES = names_of_inputs(INPUTS, SIZES)

# Weights of the evaluation, the priors and playouts; worth is in points unless the meaning says otherwise. The
# values are set by hand: no fit or tuning is recorded.
WEIGHTS: tuple[Field, ...] = (
    weights_of_features("double win[FEATURES]", "in the exponent of the win shares", FEATURES),
    weight("double french", 0.0, "in the exponent for being French"),
    weight("double victory", 40.0, "points that the siege of a victory site counts as"),
    weight("double heat", 0.8, "temperature of the priors", low=1e-6),
    weight("double noise", 0.8, "noise of the moves of playouts", low=0),
    # ---- odds of a siege
    weight("double odds_lost", 0.01, "chance of a side that has as good as lost the siege"),
    weight("double odds_least", 0.02, "chance at the bad end of the curve"),
    weight("double odds_span", 0.97, "from there to the good end"),
    weight("double odds_slope", 0.7, "logit for a point of lead"),
    weight("double odds_attack", 0.8, "lead after the reply at which the besieger's chance is even"),
    weight("double odds_defence", 0.2, "the besieger's lead and the reply together at which the defender's is even"),
    weight("double odds_edge", 0.14, "logit for a point of strength in stock beyond the other side's"),
    # ---- a side's assessment of its position
    weight("double money_first", 0.55, "a coin of the first few"),
    weight("int money_first_coins", 3, "how many these are, in coins", low=0, high=100),
    weight("double money_saved", 0.38, "a further coin, as long as it is worth saving"),
    weight("double money_idle", 0.06, "a coin beyond that"),
    weight("double turns_most", 40.0, "turns a side expects at most"),
    weight("double turns_least", 1.0, "turns it expects with an empty supply"),
    weight("double turns_a_piece", 2.2, "turns it expects for each piece of the smaller supply"),
    weight("double stake_value", 0.8, "share of a site's value that its card and place add to the stake of a siege"),
    weight("double stake_base", 1.5, "stake of any siege besides: the loser's card, the tempo"),
    weight("double late_turns", 9.0, "turns left with which a card drafted now is worth all of its worth", low=1e-6),
    weight("double threat_slope", 0.15, "threat (0 to 1) of a point of strength that the other side owns more"),
    weight("double threat_base", 0.1, "threat when both are as strong"),
    weight("double raid_base", 1.0, "cost of a raid to the other side beyond the points"),
    weight("int raid_most", 3, "cards of a raid that the other side is feared to have together", low=0, high=100),
    weight("int settler_force", 1, "strength that a settler card counts as when the weakest transport is looked "
           "for", low=0, high=100),
    # ---- kinds of actions
    weight("double card_dead", -1.0, "a card in the deck that is of no use"),
    weight("double burden_most", 1.5, "factor of being rid of a card early in the game"),
    weight("double burden_turns", 8.0, "turns left with which the factor is 1", low=1e-6),
    weight("double key_price", 1.5, "spending a card that the strategy's siege needs on something else"),
    weight("double ending", 25.0, "emptying a supply, which ends the game: gained when ahead, lost otherwise"),
    weight("double ending_lead", 3.0, "lead from which the end is welcome"),
    weight("double race_slope", 0.06, "developing, for each point of lead: it brings the end nearer"),
    weight("double race_behind", -10.0, "lead at and below which developing counts"),
    weight("double race_least", -0.6, "so much"),
    weight("double settle_again", 1.0, "a card of the deck that works again when its site is settled"),
    weight("double settle_late", 0.4, "share of a site's value that is added while the game is long"),
    weight("double settle_wins", 100.0, "settling a site that wins the game"),
    weight("double draft_arms", 1.0, "strength that a card of arms counts as beyond its own, by threat"),
    weight("int draft_copies", 4, "copies owned, at most, that lower the worth of one more", low=0, high=100),
    weight("double draft_copy", 0.72, "factor for each of them"),
    weight("double draft_governor", 0.34, "factor of a Governor for each useless card and one more"),
    weight("int draft_governor_most", 5, "most of these that count", low=0, high=100),
    weight("double draft_home", 1.2, "factor of Home Support"),
    weight("double draft_size", 0.05, "price of a draft for each card of the deck beyond some"),
    weight("int draft_free", 8, "this many cards", low=0, high=100),
    weight("double reinforce_pay", 0.35, "a coin that a card costs in a siege"),
    weight("double reinforce_force", 0.12, "a point of strength that is bound in a siege"),
    weight("double fort_base", 0.02, "share of a siege's stake that a fort saves without threat"),
    weight("double fort_threat", 0.10, "share that it saves at full threat besides"),
    weight("int fort_steps", 2, "cards of the raids that it is feared for", low=0, high=100),
    weight("double fort_raid", 0.3, "share of such a raid's worth that it saves"),
    weight("double fort_town", 1.2, "factor of a town"),
    weight("double fort_always", 0.3, "share of a fort's worth at the end of the game"),
    weight("double fort_late", 0.7, "share that is added while the game is long"),
    weight("double siege_odds", 0.35, "chance from which a siege is worth its cards"),
    weight("double siege_cost", 0.8, "actions and cards that opening a siege takes"),
    weight("double raid_site", 0.5, "share of a site's worth to the strategy that a raid of it brings"),
    weight("double raid_card", 0.45, "each card that a raid takes"),
    weight("double raid_blocked", 0.25, "a raid that costs the other side the card that blocks"),
    weight("double ambush_hit", 3.0, "an ambush that finds a card"),
    weight("double ambush_blocked", 0.15, "an ambush that costs the other side the card that blocks"),
    weight("double ambush_cost", 0.35, "action and card of an ambush"),
    weight("double convert_hit", 1.3, "a conversion that finds Native Americans"),
    weight("double convert_cost", 0.1, "action and card of a conversion"),
    weight("double retrieve_action", 0.5, "taking up the reserve, for what it makes of the turn"),
    weight("double retrieve_odds", 0.5, "chance above which the reserve is called for a new siege"),
    weight("double retrieve_more", 0.05, "by how much the reserve must raise that chance"),
    weight("double retrieve_dead", 0.3, "a coin paid for a useless card of the reserve"),
    weight("double reserve_cost", 0.1, "an action for a card that gains nothing in the reserve"),
    weight("double reserve_dead", 0.75, "share of a useless card's burden that the reserve takes off"),
    weight("double reserve_lying", 0.1, "each card that lies in the reserve already"),
    weight("double reserve_key", 2.0, "strength that a card which a siege needs counts as in the reserve"),
    weight("double reserve_exposed", 0.1, "the first card there that an ambush can take"),
    weight("double reserve_poor_below", -0.2, "worth below which a location card is better put away"),
    weight("double reserve_poor", 0.6, "share of its burden that the reserve takes off"),
    weight("double idle_bad", 0.42, "discarding a bad card to draw another"),
    weight("double idle_bad_below", -0.5, "worth below which a card is bad"),
    weight("double idle_poor", 0.25, "discarding a poor card"),
    weight("double idle_poor_below", 0.2, "worth below which a card is poor"),
    weight("double idle_good", 0.05, "discarding any other card"),
    weight("double intendant_card", 0.2, "share of a card's worth that taking it up brings"),
    weight("double intendant_home", 1.6, "taking up Home Support besides"),
    weight("double merchant_cost", 0.15, "two or three cards for one action's money"),
    weight("double merchant_ship", 0.1, "a coin on the card that serves as the ship"),
    weight("double leader_cost", 0.2, "the Military Leader bound in a siege"),
    weight("double piracy_loss", 0.3, "a coin that the other side loses"),
    weight("double piracy_cost", 0.1, "the second card of piracy"),
    weight("double govern_base", 0.2, "governing besides the burden of the first card: a second may follow"),
    weight("double home_first", 6.0, "Home Support: first of all, since it shows what there is to choose from"),
    weight("double withdraw", -4.0, "giving up one's own siege"),
    weight("double surrender_home", -60.0, "giving up a site whose siege wins the game"),
    weight("double surrender", -8.0, "giving up another site"),
    # ---- remaining uses of a card in hand
    weight("double held_card", 0.15, "share of a card's worth"),
    weight("double held_dead", -0.3, "a useless card: spend it first"),
    weight("double held_settler", 1.0, "a settler"),
    weight("double held_develop", 0.3, "a point of the site that the card could develop"),
    weight("double held_coin", 0.25, "a coin"),
    weight("double held_strength", 0.35, "a point of strength"),
    weight("double held_siege", 1.5, "a card that a siege under way can use"),
    # ---- further cards of an action; answers
    weight("double open_strength", 1.2, "a point of strength of the card that opens a siege"),
    weight("double open_pay", 0.3, "a coin that it costs"),
    weight("double open_settler", 0.3, "a settler symbol on it"),
    weight("double step_base", 1.0, "a transport, a settler or a raider that is needed"),
    weight("double step_longer", -1.0, "a raider for a longer route than need be"),
    weight("double fur_card", 0.1, "a fur card spent"),
    weight("double fur_order", 0.001, "order of fur cards, for each type: none is passed over"),
    weight("double govern_more", 0.1, "a second card of the Governor"),
    weight("double loss_price", 0.4, "a coin of the price of an empire card that is lost"),
    weight("double block_card", 0.4, "share of what a card could still do that blocking with it costs"),
    weight("double block_hit", 3.0, "blocking an ambush that would hit"),
    weight("double block_miss", 0.4, "blocking one that would not"),
    weight("double resolve_defence", 1.0, "resolving the siege that the side defends first"),
    weight("double place_base", 3.0, "a cube on a site that was won, besides its worth"),
    weight("double place_card", 0.2, "share of what the settler card could still do"),
    # ---- priors and win probabilities
    weight("double prior_floor", -12.0, "least exponent of a prior: a move is so much worse than the best, in heat"),
    weight("double prior_least", 0.002, "added to each prior before they are divided by their sum"),
    weight("double score_growth", 0.3, "share of the points by developing that a predicted score counts"),
    weight("double share_range", 12.0, "bound of the exponent of a win share, without sieges of victory sites"),
    weight("double share_late", 0.15, "how slowly the end comes near, for each turn left (race, growth)"),
    weight("double share_captured", 3.0, "captured points count beyond those that end the game divided by "
           "this", low=1e-6),
    weight("double share_guard", 3.0, "cards that block, in a hand, that count at most"),
    weight("int share_hand", 5, "cards of a hand, and of the least deck, that guard and settlers are related "
           "to", low=1, high=100),
    weight("int share_size", 10, "cards beyond which a deck is large", low=0, high=100),
)

CARD_SETS = tuple(one.name for one in HOLD if one.kind == "uint64_t" and one.given and one.high == RANGES[one.kind][1])
STRUCTS = {"Hold": HOLD, "Start": START, "Style": STYLE, "Tables": TABLES, "Coefficients": WEIGHTS}
VALUES = values_of(WEIGHTS)
