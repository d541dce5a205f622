"""RisiKo!: tables, options and weights of the rules core, the source of the generated tables.pxd.

Sets of territories, of continents, of cards and of objectives are words with one bit each.
"""

from __future__ import annotations

from sfida.cython_ext.declare import (
    Feature, Field, Inputs, derived, feature, names_of_inputs, table, values_of, weight, weights_of_features
)

SIZES = {
    "TERRITORIES": 42, "CONTINENTS": 6, "SEATS": 6, "COLORS": 6,
    "CARDS": 44,                        # in the territory deck, including jokers
    "SYMBOLS": 4,                       # infantry, cavalry, cannon, joker
    "CLASSES": 7,                       # kinds of card sets
    "MAX_OBJECTIVES": 32,               # objective cards of a deck, including copies (RIS-13.8)
    "MAX_DICE": 3,
    "MOST_NEIGHBOURS": 7,               # of a territory
    "MOST_BORDERS": 127,                # of the map
    "SIXES": 7,                         # groups of six territories
    "MOST_ARMIES": 60000,               # a seat loses further armies (RIS-20.3)
    "MOST_ROUNDS": 10000,               # rounds after which a game without a limit ends (RIS-17.3)
}

# An objective (RIS-10.4, 11.7). Type 0 requires a number of territories, 1 named ones, 2 named ones and further
# continents, 3 the elimination of a colour.
OBJECTIVE: tuple[Field, ...] = (
    table("uint64_t need", "territories, of types 1 and 2", high="all_of(TERRITORIES)",
          called="territories of objectives"),
    table("uint64_t others", "type 2: continents that are not named", high="all_of(CONTINENTS)",
          called="continents of objectives"),
    derived("uint32_t cards", "its cards in the deck of objectives"),
    table("uint8_t copies", "how many these are", high="MAX_OBJECTIVES", called="copies of objectives"),
    table("uint8_t type", "TERRITORY_COUNT, REGIONS, REGIONS_PLUS or DESTROY", high=3, called="types of objectives"),
    table("uint8_t count", "type 0: territories", called="territories of an objective"),
    table("uint8_t min_armies", "type 0: armies on each", called="armies of an objective"),
    table("uint8_t extra", "type 2: further continents", called="further continents"),
    table("uint8_t color", "type 3: the colour", high="COLORS - 1", called="colours of objectives"),
    table("uint8_t fallback", "type 3: objective that it turns into (RIS-10.5)", high="MAX_OBJECTIVES - 1",
          called="fall-backs of objectives"),
)

TABLES: tuple[Field, ...] = (
    # ---- map
    table("uint64_t adjacent[TERRITORIES]", "neighbours of each territory (RIS-2.1)", high="all_of(TERRITORIES)",
          called="borders"),
    derived("uint64_t around[SIXES][64]", "the same of sets, by the group of six territories and the set in it"),
    table("uint64_t continent[CONTINENTS]", "territories of each continent (RIS-2.1)", high="all_of(TERRITORIES)",
          called="continents"),
    table("uint8_t value[TERRITORIES]", "points of each territory (RIS-11.10)", called="values"),
    table("uint8_t bonus[CONTINENTS]", "armies for each whole continent (RIS-5.3)", called="bonuses"),
    table("uint8_t half[CONTINENTS]", "most territories of a continent that may be dealt to a player (RIS-13.3); "
          "0: any number", called="halves of continents"),
    derived("uint64_t all_territories", "the whole map"),
    # ---- cards (RIS-6)
    table("uint8_t symbol_of[CARDS]", "infantry, cavalry, cannon or joker, of each card (RIS-2.4)", high="SYMBOLS - 1",
          called="symbols"),
    table("uint8_t class_value[CLASSES]", "armies for a set of each class (RIS-6.3)", called="sets of cards"),
    table("uint8_t card_bonus", "armies for each traded card whose territory is owned (RIS-6.5)"),
    derived("uint64_t symbol[SYMBOLS]", "cards that show each"),
    derived("uint64_t all_cards", "the whole deck"),
    # ---- dice (RIS-7.7, 15.3)
    table("uint32_t ways[MAX_DICE + 1][MAX_DICE + 1][MAX_DICE + 1]", "throws by attack dice, defence dice and armies "
          "that the defender loses", high=46656, called="throws"),
    derived("uint32_t throws[MAX_DICE + 1][MAX_DICE + 1]", "their sum"),
    derived("uint32_t upto[MAX_DICE + 1][MAX_DICE + 1][MAX_DICE + 1]", "the same up to that many lost by the defender"),
    # ---- objectives
    table("Objective objective[MAX_OBJECTIVES]", "different objectives of the deck", rows="t.n_objectives",
          called="objectives"),
    table("int n_objectives", "how many they are", low=0, high="MAX_OBJECTIVES", called="different objectives"),
    derived("int n_cards", "objective cards of the deck"),
    derived("uint8_t objective_of[MAX_OBJECTIVES]", "objective of each card"),
    derived("uint32_t by_armies", "objectives whose truth depends on numbers of armies"),
    # ---- setup
    table("int players", "seats (RIS-1.1)", low=2, high="SEATS"),
    table("uint16_t initial", "armies each player starts with (RIS-3.9)", high="MOST_ARMIES", called="initial armies"),
    table("uint8_t batch", "armies placed at a time in the setup (RIS-3.11)", low=1, called="armies of a batch"),
    # ---- options (RIS-13)
    table("bint forced_defence", "the defender always throws as many dice as possible (RIS-11.3)"),
    table("bint no_inferior_attack", "no attack with fewer dice than the defender (RIS-11.4)"),
    table("int garrison", "armies that stay on a border territory when others move on (RIS-11.5)", low=1,
          high="MOST_ARMIES"),
    table("bint points", "the values of territories are points (RIS-11.10)"),
    table("int completed", "points for the objective (RIS-17.5)", low=0, high=60000, called="points for the objective"),
    table("int round_limit", "last round (RIS-11.9, 17.3); 0: no limit", low=0, high="MOST_ROUNDS"),
    table("int last_round", "last round even where closing dice decide", low=0, high="MOST_ROUNDS"),
    table("bint rank_by_points", "points rank the players after the last round, else it is a draw (RIS-17.3, 17.5)"),
    table("bint rtu_ties", "further tie-breaks rank players with equal points (RIS-13.5)"),
    table("bint sdadata", "from the last round on, two dice may end the game (RIS-13.4)"),
    table("int first_threshold", "sum of the closing dice up to which they do, in the last round", low=0, high=12),
    table("int step", "how much it grows every round", low=0, high=12, called="step of the threshold"),
    table("int max_threshold", "how far", low=0, high=12),
    table("int skip_above", "no closing dice after more conquests in the turn", low=0, high=255),
    table("int army_cap", "most armies of a player (RIS-12.2); 0: any number", low=0, high="MOST_ARMIES"),
    table("int early", "eliminations in the first rounds (RIS-9.6): bounded, no attack at all, or allowed", low=0,
          high=2, called="early eliminations"),
    table("int early_rounds", "how many rounds (RIS-9.4)", low=0, high="MOST_ROUNDS"),
    table("int min_reinforcement", "least armies for territories (RIS-5.2)", low=0, high="MOST_ARMIES"),
    table("int extra_reinforcement", "armies added in every turn (RIS-13.6)", low=0, high="MOST_ARMIES"),
    table("int hand_limit", "cards in hand at which no more are drawn (RIS-13.7); 0: any number", low=0, high="CARDS"),
    table("bint lazy", "discards become the deck at the next draw, not when it runs out (RIS-18.5)"),
    table("bint reveal", "the objective of who is eliminated is shown (RIS-18.10)"),
    table("bint choose_colors", "players choose their colours (RIS-3.5)"),
    table("bint full_candidates", "a search considers every number of armies (RIS-14.10)"),
)

# Features of a seat, and their weights in the exponent of the win probabilities, fitted on self-play games.
FEATURES: dict[str, Feature] = {
    "done": feature("share of the objective that is there", win=1.15),
    "near": feature("exp(-armies needed for the rest / armies at hand)", win=0.85),
    "ready": feature("how surely the armies at hand suffice for it, 0 to 1", win=-1.5),
    "first": feature("the same, times how soon the seat is on turn", win=1.9),
    "income": feature("share of all reinforcements", win=0.0),
    "armies": feature("share of all armies", win=3.7),
    "land": feature("share of all territories", win=4.6),
    "cards": feature("cards in hand, six at most", win=0.38),
    "set": feature("armies that sets in hand are worth, in tens", win=0.47),
    "bonus": feature("bonus of whole continents that survive a round, in fives", win=0.68),
    "almost": feature("bonus of the best unfinished continent by how near it is, in fives", win=0.0),
    "threat": feature("share of own territories that would fall", win=-4.4),
    "front": feature("armies at the front of those of all who stand there", win=1.0),
    "stack": feature("share of the largest stack of all armies", win=0.8),
    "points": feature("share of the points that an objective has, of tournaments", win=0.0),
    "lead": feature("lead in points over the best other, the more the later", win=3.0),
    "turn": feature("1 on turn, down to 0 for who has just been", win=0.41),
    # for learned evaluations only
    "fresh": feature("armies to place in the coming turn, those of sets among them"),
    "whole": feature("whole continents"),
    "count": feature("chance that the objective counts territories"),
    "destroy": feature("chance that it is to destroy somebody"),
    "hunted": feature("how many others are expected to have this seat to destroy"),
    "rival": feature("how ready the best rival is"),
    "round": feature("rounds played, 30 at most, the same for all"),
    "alive": feature("seats still in the game, the same for all"),
}

# Sparse inputs of learned evaluations. Seats are counted from the one on turn; eliminated seats have none. Objectives
# are those that count (RIS-10.5), by their place in the deck.
INPUTS: dict[str, Inputs] = {
    "alive": Inputs("1", "the seat is in the game"),
    "mover": Inputs("1", "the seat decides"),
    "land": Inputs("7 * TERRITORIES", "armies on each own territory: 1 to 4, 5 and 6, 7 to 9, 10 and more"),
    "balance": Inputs("6 * TERRITORIES", "armies on each own territory beyond those of its strongest enemy: "
                      "-6 and less, -5 to -3, -2 to 0, 1 and 2, 3 to 5, 6 and more"),
    "held": Inputs("12 * CONTINENTS", "own territories of each continent"),
    "size": Inputs("24", "own territories: 1 to 23, 24 and more"),
    "force": Inputs("24", "fives of armies: 1 to 23, 24 and more"),
    "income": Inputs("20", "armies of a reinforcement: 1 to 19, 20 and more"),
    "stock": Inputs("10", "threes of armies left in the setup"),
    "fronts": Inputs("16", "own territories with an enemy neighbour: 1 to 15, 16 and more"),
    "ready": Inputs("20", "pairs of armies there that may attack: 1 to 19, 20 and more"),
    "cards": Inputs("8", "cards in hand: 1 to 7, 8 and more"),
    "symbols": Inputs("3 * SYMBOLS", "cards in hand with each symbol: 1, 2, 3 and more"),
    "shown": Inputs("4", "cards in hand with own territories: 1 to 3, 4 and more"),
    "set": Inputs("8", "pairs of armies for the best set in hand: 1 to 7, 8 and more"),
    "excluded": Inputs("MAX_OBJECTIVES", "each objective that an unknown one is not"),
    "objective": Inputs("MAX_OBJECTIVES", "the objective"),
    "steps": Inputs("12 * MAX_OBJECTIVES", "each objective with its missing steps: 0 to 10, 11 and more"),
    "cost": Inputs("20", "pairs of armies that the objective costs: 1 to 19, 20 and more"),
    "lacks": Inputs("7 * TERRITORIES", "armies on each territory of others that an objective names, as in `land`"),
    "keeps": Inputs("TERRITORIES", "each own territory that the objective names"),
    "holders": Inputs("8 * (SEATS - 1)", "missing territories of each seat, from the next one on: 1 to 7, 8 and more"),
    "prey": Inputs("8 * (SEATS - 1)", "the same, of the seat to destroy"),
    "points": Inputs("22", "fours of points of a tournament"),
    "phase": Inputs("16", "the phase", common=True),
    "round": Inputs("40", "the round: 1 to 39, 40 and more", common=True),
    "left": Inputs("30", "armies to place: 1 to 29, 30 and more", common=True),
    "conquests": Inputs("4", "conquests in this turn: 1 to 3, 4 and more", common=True),
    "origin": Inputs("TERRITORIES", "the territory that attacks", common=True),
    "target": Inputs("TERRITORIES", "the territory under attack", common=True),
}
INPUT_NAMES = names_of_inputs(INPUTS, SIZES)

# Weights of the evaluation, the priors and playouts, in armies.
WEIGHTS: tuple[Field, ...] = (
    weights_of_features("double win[FEATURES]", "in the exponent of the win shares, for a unit of each", FEATURES),
    weight("double goal", 60.0, "the objective"),
    weight("double step", 0.7, "any territory of it, besides"),
    weight("double way_1", 0.3, "share of the objective for what is one step before it"),
    weight("double way_2", 0.12, "the same, two steps"),
    weight("double way_3", 0.05, "the same, three steps"),
    derived("double way[3]", "these three"),
    weight("double land", 0.6, "any territory"),
    weight("double link", 0.35, "an own neighbour of it, and an enemy one negated"),
    weight("double bonus", 1.2, "an army of a continent bonus"),
    weight("double deny", 0.9, "the same, of somebody else's"),
    weight("double stop", 0.35, "share of the objective for what an enemy needs for his"),
    weight("double card", 3.0, "the first conquest of a turn"),
    weight("double prize", 2.5, "a card of who may be eliminated"),
    weight("double rival", 3.0, "a rival less"),
    weight("double army", 0.8, "an own army lost"),
    weight("double slain", 0.25, "an enemy one"),
    weight("double ahead", 0.35, "share of what lies beyond a conquest"),
    weight("double keep", 0.5, "share of a worth for keeping instead of taking"),
    weight("double fear", 0.9, "share of the chance with which the strongest neighbour attacks"),
    weight("double points", 0.6, "a point in a tournament"),
    weight("double patience", 8.0, "armies that a set must bring before there are five cards"),
    weight("double heat", 0.8, "temperature of the priors: this, and a share of the best worth", low=1e-6),
    weight("double spread", 0.08, "this share"),
    weight("double noise", 0.2, "of playouts: share of a worth, either way"),
    weight("double hopeless", 0.125, "chance below which an assault needs the objective as a reason"),
    weight("double least", 1e-4, "prior of any move, of that of the best one"),
)

STRUCTS = {"Objective": OBJECTIVE, "Tables": TABLES, "Coefficients": WEIGHTS}
VALUES = values_of(WEIGHTS)
