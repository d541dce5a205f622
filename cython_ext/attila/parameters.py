"""Attila: tables, options and weights of the rules core, the source of the generated tables.pxd.

Sets of provinces and of tribes are words with one bit each; counts by tribe are in the lanes of a word.
"""

from __future__ import annotations

from sfida.cython_ext.declare import Feature, Field, Inputs, derived, feature, names_of_inputs, table, values_of, weight

SIZES = {
    "TRIBES": 6, "PROVINCES": 32, "SEATS": 5, "MOST_TILES": 16, "SCORINGS": 5, "MOST_TOKENS": 5,
    # steps of sparse inputs
    "RANKS": 6, "HEAPS": 8, "LEADS": 12, "GAINS": 5,
}

TABLES: tuple[Field, ...] = (
    # ---- map
    table("int provinces", "provinces of the map (ATT-1.8)", low=1, high="PROVINCES"),
    table("uint32_t adjacent[PROVINCES]", "neighbours of each province (ATT-1.14)", rows="t.provinces",
          high="all_of(t.provinces)", called="borders"),
    table("uint32_t start", "provinces with the red border (ATT-1.15)", called="start provinces"),
    derived("uint32_t all_provinces", "all of them"),
    table("int last_space", "last space of the influence chart (ATT-5.8)", low=1, high=100,
          called="spaces of the influence chart"),
    # ---- components
    table("uint8_t cards[TRIBES]", "cards of each tribe (ATT-1.2)", high=9, called="cards of a tribe"),
    table("uint8_t tokens[TRIBES]", "tokens of each tribe (ATT-1.3)", high=20, called="tokens of a tribe"),
    derived("uint64_t all_cards", "cards of each tribe, in lanes"),
    derived("uint64_t all_tokens", "tokens of each tribe, in lanes"),
    table("int players", "seats (ATT-1.7)", low=2, high="SEATS"),
    table("int hand_size", "cards of a full hand (ATT-2.4)", low=1, high=6, called="cards in a hand"),
    table("int plays", "cards a turn (ATT-3.1, 12.2)", low=1, high=6, called="cards a turn"),
    table("int fight_at", "tokens in a province that start a conflict (ATT-6.1)", low=1, high="MOST_TOKENS",
          called="tokens that start a conflict"),
    table("int peace_tiles", "peace tiles (ATT-1.6)", low=1, high="MOST_TILES - 1"),
    table("uint8_t gain[MOST_TILES + 1]", "spaces of influence that a card brings, by peace tiles used (ATT-5.1)",
          rows="t.peace_tiles + 1", called="gains"),
    table("uint8_t closes[MOST_TILES + 1]", "by peace tiles used: 1 + number of the century whose last tile this is, "
          "or 0 (ATT-8.1)", rows="t.peace_tiles + 1", high="SCORINGS - 1", called="centuries"),
    table("int gap", "second places of two players count within a given number of spaces (ATT-12.4)", low=0, high=100,
          called="spaces between two players"),
    # ---- options (ATT-13)
    table("bint random_start", "a chance event picks who plays first (ATT-2.7)"),
    table("bint box", "tokens that lose a conflict leave the game (ATT-6.10)"),
    table("bint check_late", "a tribe's last token ends the game if it survives the conflicts of its card (ATT-11.4)"),
    table("bint score_late", "a scoring due between two conflicts of one card waits for the second one (ATT-8.11)"),
    table("bint merge_final", "the last peace tile brings the final scoring alone (ATT-11.6)"),
    table("bint end_replaces", "the final scoring replaces that of a century completed later in the turn (ATT-11.6)"),
    table("bint choose_order", "the active player chooses which of two conflicts comes first (ATT-6.13)"),
    table("bint skip_dead", "a player with dead cards alone may keep them (ATT-4.10, 4.13)"),
    table("bint open_commitments", "conflict cards are laid face up (house variant)"),
    table("bint difference", "with two players, only the difference in a tribe is scored (ATT-12.8)"),
    table("bint every_decision", "tiles may be used at every decision of the active player (ATT-9.8)"),
)

# Weights of the evaluation, the priors and playouts (part 11), in points unless another unit is named.
WEIGHTS: tuple[Field, ...] = (
    weight("double later", 0.5, "share that a scoring after the next one counts", low=0, high=1),
    weight("double growth", 0.5, "tokens that a tribe gains by a conflict and the cards before it"),
    weight("double breadth", 0.6, "provinces that a tribe gains by them"),
    weight("double plays", 5.8, "cards played a conflict", low=0, high=100),
    weight("double wander", 0.8, "spread of a lead, against that of a random walk", low=0, high=100),
    weight("double fight_few", 0.05, "chance that a province of one or two tokens is fought over before a scoring",
           low=0, high=1),
    weight("double fight_three", 0.15, "the same chance for a province of three tokens", low=0, high=1),
    weight("double fight_four", 0.5, "the same chance for a province of four tokens", low=0, high=1),
    weight("double fight_later", 0.6, "how much higher the chance is before a later scoring, as a share of the rest",
           low=0, high=1),
    weight("double lose_tied", 0.75, "chance of a tribe to lose where it is tied for weakest", low=0, high=1),
    weight("double lose_near", 0.35, "the same chance where it is one stronger than the weakest", low=0, high=1),
    weight("double lose_far", 0.15, "the same chance where it is two stronger", low=0, high=1),
    weight("double rival", 1.0, "points of others against own ones"),
    weight("double double_turn", 2.5, "the tile Double turn in hand"),
    weight("double exchange", 2.0, "the tile Exchange in hand"),
    weight("double influence_2", 4.0, "the tile Influence 2 in hand"),
    weight("double spare", 0.15, "a second card of a tribe in hand"),
    weight("double card", 0.3, "a card short of a full hand"),
    weight("double turn", 5.0, "the turn of the next player, against that of who has just played"),
    weight("double price", 0.35, "a card laid by a player who refills at once"),
    weight("double wait", 0.4, "further cost of a card for the player who refills last"),
    weight("double doubt", 0.3, "spread of a conflict when all cards are known", low=1e-6),
    weight("double unknown", 0.35, "spread that each unknown card adds", low=0),
    weight("double rash", 0.5, "cards that a seat is expected to lay"),
    weight("double heat", 0.6, "temperature of the priors, the fixed part", low=0),
    weight("double spread", 0.1, "temperature of the priors, as a share of what is at stake", low=0),
    weight("double least", 1e-3, "prior of any move, as a share of that of the best one", low=0, high=1),
    weight("double noise", 0.5, "noise of playouts, either way", low=0),
    weight("double scale", 3.0, "points of a win share's softmax at the end", low=1e-6),
    weight("double scale_tile", 2.0, "points that it grows by for each square root of a peace tile left", low=0),
)

FEATURES: dict[str, Feature] = {
    # ---- parts of the expected points, in points
    "points": feature("points scored"),
    "sure": feature("points of a scoring that comes before anybody plays again"),
    "next_firsts": feature("points of the next scoring otherwise: tokens, for first places"),
    "next_seconds": feature("points of the next scoring otherwise: provinces, for second places"),
    "later_firsts": feature("points of all later scorings for first places"),
    "later_seconds": feature("points of all later scorings for second places"),
    "double_turn": feature("the tile Double turn, unused"),
    "exchange": feature("the tile Exchange, unused"),
    "influence_2": feature("the tile Influence 2, unused"),
    "short": feature("cards short of a full hand, negative"),
    "turn": feature("waiting for the own turn, negative"),
    # ---- standing among the seats
    "worth": feature("expected points beyond the mean of all, in units of the win shares' scale"),
    "lead": feature("expected points beyond the best rival's, in that unit"),
    "ahead": feature("points scored beyond the best rival's"),
    "prospect": feature("points if a scoring were held now"),
    # ---- influence chart
    "influence": feature("spaces of all markers"),
    "top": feature("spaces of the foremost marker: the last space ends the game"),
    "firsts": feature("tribes led alone"),
    "ties": feature("tribes where the first place is shared"),
    "shaky": feature("expected tokens of tribes that a card of a rival would take or level"),
    # ---- tokens and cards
    "safe": feature("points of tokens at peace"),
    "held": feature("points that tokens of the cards in hand promise against the others"),
    "dead": feature("cards in hand that cannot be played"),
    # ---- whole table, the same for all seats
    "peace": feature("share of the peace tiles that are left"),
    "rest": feature("weight of the later scorings"),
    "ending": feature("the game ends with this turn"),
    "supply": feature("tokens left of the tribe with the fewest: the last one ends the game"),
    "wait": feature("turns of others before the own one, of all"),
}

# Sparse inputs of learned evaluations. Seats are counted from the one on turn; hands and cards laid face down are those
# of the seats that the viewer knows. "For each tribe" means one entry for each tribe in one common group: an input
# counts as often as there are such tribes. Steps:
# rank of a marker: none on the chart, first alone, first with others, second alone, second with others, behind;
# heap, a number of tokens or provinces: 0, 1, 2, 3 and 4, 5 and 6, 7 to 9, 10 to 12, more;
# lead, spaces against the best other marker: not on the chart, level, ahead by 1, 2, 3 and 4, 5 to 7, more, behind by
# the same; gain, spaces that a card brings now: 0 to 3, more.
INPUTS: dict[str, Inputs] = {
    "markers": Inputs("24 * TRIBES", "space of each marker: 1 to 23, more"),
    "places": Inputs("RANKS * HEAPS * TRIBES", "by tribe: rank, tokens on the board"),
    "reigns": Inputs("RANKS * HEAPS * HEAPS", "for each tribe with a marker on the chart: rank, tokens on the "
                     "board, provinces"),
    "races": Inputs("LEADS * GAINS * HEAPS", "for each tribe: lead, gain, tokens on the board"),
    "eras": Inputs("RANKS * (MOST_TILES + 1)", "for each tribe with a marker on the chart: rank, peace tiles used"),
    "calm": Inputs("RANKS * HEAPS", "for each tribe with a marker on the chart and tokens at peace: rank, such tokens"),
    "hot": Inputs("RANKS * HEAPS", "for each tribe with a marker on the chart and tokens in provinces where the "
                  "next one starts a conflict: rank, such tokens"),
    "losers": Inputs("RANKS * 3", "for each tribe that loses the coming conflict with all cards laid so far: rank; "
                     "tokens there: 1, 2, more; only if all secrets are known"),
    "hand": Inputs("3 * TRIBES", "cards of each tribe in hand: 1, 2, more"),
    "promises": Inputs("3 * RANKS * HEAPS", "for each tribe in hand: cards, rank, tokens on the board"),
    "arms": Inputs("3 * 2 * RANKS", "for each tribe in hand that has tokens in the contested province: cards, whether "
                   "it is weakest there by tokens, rank"),
    "dead": Inputs("3", "cards in hand of tribes without an allowed province: 1, 2, more"),
    "laid": Inputs("3 * TRIBES", "cards of each tribe laid in the conflict: 1, 2, more"),
    "stake": Inputs("6", "cards laid in the conflict: 1 to 5, more"),
    "cards": Inputs("6", "cards: 1 to 5, more"),
    "tiles": Inputs("3", "unused tiles"),
    "points": Inputs("30", "threes of points"),
    "lead": Inputs("13 * GAINS", "points beyond the best rival's: level, within 2, 5, 9, 14, 20 and more, either way; "
                   "gain"),
    "mover": Inputs("1", "the seat decides"),
    "tokens": Inputs("3 * TRIBES * PROVINCES", "tokens of each tribe in each province: 1, 2, more", common=True),
    "peace": Inputs("PROVINCES", "provinces at peace", common=True),
    "fight": Inputs("PROVINCES", "the province of the next conflict", common=True),
    "fought": Inputs("3 * TRIBES", "tokens of each tribe there: 1, 2, more", common=True),
    "fights": Inputs("2", "conflicts to come: 1, 2", common=True),
    "supply": Inputs("HEAPS * TRIBES", "tokens left of each tribe, a heap", common=True),
    "room": Inputs("HEAPS * TRIBES", "provinces that each tribe may enter now, a heap", common=True),
    "out": Inputs("9 * TRIBES", "discards of each tribe", common=True),
    "used": Inputs("MOST_TILES + 1", "peace tiles used", common=True),
    "ending": Inputs("5", "what ends the game with this turn", common=True),
    "last": Inputs("1", "a tribe's last token awaits its conflict", common=True),
    "phase": Inputs("14", "the phase", common=True),
    "back": Inputs("14", "the phase after a tile or an exchange", common=True),
    "card": Inputs("TRIBES", "the tribe of the card played", common=True),
    "plays": Inputs("6", "cards still to be played in this turn: 1 to 5, more", common=True),
    "draws": Inputs("6", "cards still to be drawn: 1 to 5, more", common=True),
    "used_tile": Inputs("1", "a tile was used in this turn", common=True),
    "pile": Inputs("14", "fours of cards in the pile", common=True),
    "idle": Inputs("6", "turns without a draw: 1 to 5, more", common=True),
    "turns": Inputs("12", "fives of turns", common=True),
}
INPUT_NAMES = names_of_inputs(INPUTS, SIZES)

STRUCTS = {"Tables": TABLES, "Coefficients": WEIGHTS}
VALUES = values_of(WEIGHTS)
