"""The Settlers of Zarahemla: tables, options and weights of the rules core, the source of the generated tables.pxd.

Sets of corners and of edges are words with one bit each; edges from 64 on have a separate word.
"""

from __future__ import annotations

from sfida.cython_ext.declare import Feature, Field, derived, feature, table, values_of, weight, weights_of_features

# Names in the order of their numbers in the core.
RESOURCE_NAMES = ("wood", "brick", "water", "wheat", "stone")
CARD_NAMES = ("stripling_warrior", "prosperity", "bountiful_harvest", "road_building", "temple_building", "liahona",
              "victory_point")

TERRAIN_NAMES = (*RESOURCE_NAMES, "hideout")
STATION_NAMES = (*RESOURCE_NAMES, "any")
ANSWER_NAMES = ("none", "no", "yes", "counter")         # to an offer
MOVE_NAMES = (
    "settle", "road", "city", "choose_start", "roll", "end_turn", "buy_dev", "temple_stone", "bank_trade",
    "play_warrior", "play_harvest", "play_road_building", "play_temple_building", "play_prosperity", "play_liahona",
    "take", "take_stop", "discard", "move_robber", "steal_from", "steal_nothing", "trade_open", "trade_give",
    "trade_want", "trade_submit", "trade_accept", "trade_reject", "trade_counter", "trade_pick", "trade_no_deal",
)
CHANCE_NAMES = ("layout", "token_start", "first_player", "dice", "draw_dev", "stolen_card", "terrain", "number",
                "station")

SIZES = {
    "MAX_HEXES": 19, "MAX_CORNERS": 54, "MAX_EDGES": 72, "MAX_STATIONS": 9, "SEATS": 4,
    "RESOURCES": len(RESOURCE_NAMES), "CARD_TYPES": len(CARD_NAMES), "PURCHASES": 5,
    "STRIPS": 5, "MAX_STRIP": 5, "DIRECTIONS": 3, "MAX_LAYOUTS": 12288, "MAX_TOKENS": 18, "MAX_OUTER": 12,
    "MAX_INNER": 6, "ROLLS": 10, "MAX_ORDER": 12, "MOVE_KINDS": len(MOVE_NAMES), "N_MOVES": 338,
    "CHANCE_KINDS": len(CHANCE_NAMES),
}

TABLES: tuple[Field, ...] = (
    # ---- map
    table("uint8_t n_hexes", "hexes (ZAR-2.1)", low=1, high="MAX_HEXES", called="hexes"),
    table("uint8_t n_corners", "corners (ZAR-2.1)", low=1, high="MAX_CORNERS", called="corners"),
    table("uint8_t n_edges", "edges (ZAR-2.1)", low=1, high="MAX_EDGES", called="edges"),
    table("uint8_t n_stations", "stations (ZAR-12)", high="MAX_STATIONS", called="stations"),
    table("uint64_t hex_corners[MAX_HEXES]", "corners of each hex, as a set", rows="t.n_hexes",
          high="all_of(t.n_corners)", called="corners of hexes"),
    table("uint64_t only_hex[MAX_HEXES]", "corners that touch no other hex, as a set", rows="t.n_hexes",
          high="all_of(t.n_corners)", called="corners of one hex"),
    table("uint64_t next_to[MAX_CORNERS]", "neighbour corners, as a set", rows="t.n_corners",
          high="all_of(t.n_corners)", called="neighbour corners"),
    table("uint64_t edges_at[MAX_CORNERS]", "edges 0..63 that end at a corner, as a set", rows="t.n_corners",
          high="all_of(min(64, t.n_edges))", called="edges at corners"),
    table("uint8_t edges_at_high[MAX_CORNERS]", "edges 64..71 that end there", rows="t.n_corners",
          high="all_of(max(0, t.n_edges - 64))", called="high edges at corners"),
    table("uint8_t degree[MAX_CORNERS]", "edges at a corner (ZAR-2.3)", rows="t.n_corners", high=3,
          called="numbers of edges"),
    table("uint8_t edge_at[MAX_CORNERS][3]", "these edges", rows="t.n_corners", high="t.n_edges - 1", called="edges"),
    table("uint8_t far_end[MAX_CORNERS][3]", "the other end of `edge_at`", rows="t.n_corners",
          high="t.n_corners - 1", called="far ends of edges"),
    table("uint8_t n_hexes_at[MAX_CORNERS]", "hexes that touch a corner (ZAR-2.3)", rows="t.n_corners", high=3,
          called="numbers of hexes"),
    table("uint8_t hex_at[MAX_CORNERS][3]", "these hexes", rows="t.n_corners", high="t.n_hexes - 1",
          called="hexes at corners"),
    table("uint8_t station_at[MAX_CORNERS]", "station at a corner, or NOWHERE", rows="t.n_corners",
          called="stations at corners"),
    table("uint8_t end_a[MAX_EDGES]", "a corner of an edge", rows="t.n_edges", high="t.n_corners - 1",
          called="ends of edges"),
    table("uint8_t end_b[MAX_EDGES]", "its other corner", rows="t.n_edges", high="t.n_corners - 1",
          called="other ends of edges"),
    derived("uint64_t all_corners", "all of them, as a set"),
    table("uint8_t station_kind[MAX_STATIONS]", "resource of each station as printed; RESOURCES: any (ZAR-12)",
          rows="t.n_stations", high="RESOURCES", called="kinds of stations"),
    table("uint8_t station_edge[MAX_STATIONS]", "edge of the shore where each station lies", rows="t.n_stations",
          high="t.n_edges - 1", called="edges of stations"),
    table("uint8_t station_bag[RESOURCES + 1]", "stations of each kind that are shuffled (ZAR-3.8)",
          high="MAX_STATIONS", called="stations by kind"),
    # ---- layouts
    table("uint8_t strip_line[DIRECTIONS][STRIPS][MAX_STRIP]", "hexes of each line in each direction (ZAR-3.1)",
          high="t.n_hexes - 1", called="lines of strips"),
    table("uint8_t strip_length[STRIPS]", "hexes of each line", high="MAX_STRIP", called="lengths of strips"),
    table("uint8_t strip_side[STRIPS][2][MAX_STRIP]", "terrains on both sides of the strips s5, s4a, s4b, s3a, s3b",
          high="RESOURCES", called="terrains of strips"),
    table("int n_layouts", "layouts (ZAR-3.2)", low=1, high="MAX_LAYOUTS", called="layouts"),
    table("uint8_t terrain_bag[RESOURCES + 1]", "hexes of each terrain that are shuffled (ZAR-3.8)", high="MAX_HEXES",
          called="hexes by terrain"),
    table("uint8_t number_bag[16]", "tokens of each number that are shuffled (ZAR-3.8)", high="MAX_TOKENS",
          called="tokens by number"),
    table("uint8_t n_tokens", "number tokens (ZAR-1.6)", high="MAX_TOKENS", called="number tokens"),
    table("uint8_t token[MAX_TOKENS]", "their numbers, in the order of the letters", rows="t.n_tokens", low=2, high=12,
          called="tokens"),
    table("uint8_t n_outer", "hexes of the outer ring (ZAR-3.4)", low=1, high="MAX_OUTER", called="hexes of the ring"),
    table("uint8_t n_inner", "hexes of the inner ring", low=1, high="MAX_INNER", called="hexes of the inner ring"),
    table("uint8_t outer[MAX_OUTER]", "the outer ring, counter-clockwise (ZAR-3.3)", rows="t.n_outer",
          high="t.n_hexes - 1", called="outer hexes"),
    table("uint8_t inner[MAX_INNER]", "the inner ring", rows="t.n_inner", high="t.n_hexes - 1", called="inner hexes"),
    table("uint8_t center", "the hex in the middle", high="MAX_HEXES - 1"),
    table("uint8_t given[MAX_HEXES]", "terrain | number << 3 of a board that is given (ZAR-19.4)", rows="t.n_hexes",
          high="7 | 12 << 3", called="hexes given"),
    # ---- costs, counts, points
    derived("uint64_t road_cost", "cards of a road, with their total"),
    derived("uint64_t settlement_cost", "cards of a settlement"),
    derived("uint64_t city_cost", "cards of a city"),
    derived("uint64_t card_cost", "cards of a development card"),
    derived("uint64_t stone_cost", "cards of a temple stone"),
    derived("uint64_t rate[64]", "bank ratio by stations: a bit for each resource, 32 for any (ZAR-12)"),
    derived("uint64_t deck", "the development cards of each type, with their total"),
    table("int cards_each", "cards of each resource (ZAR-1.1)", high=24, called="cards of a resource"),
    table("int n_settlements", "settlements of a player (ZAR-1.3)", high="MAX_CORNERS", called="settlements"),
    table("int n_cities", "cities of a player (ZAR-1.3)", high="MAX_CORNERS", called="cities"),
    table("int n_roads", "roads of a player (ZAR-1.3)", high="MAX_EDGES", called="roads"),
    table("int n_stones", "temple stones of a player; 0: there is no temple (ZAR-1.3)", high=100,
          called="temple stones"),
    table("int settlement_points", "points of a settlement (ZAR-14.1)", high=9),
    table("int city_points", "points of a city", high=9),
    table("int card_points", "points of a victory point card", low=1, high=9),
    table("int road_points", "points of the Longest Road", high=9),
    table("int army_points", "points of the Largest Army", high=9),
    table("int temple_points", "points of the Greatest Temple Contributor", high=9),
    table("int road_minimum", "roads in a row that the Longest Road takes (ZAR-9.4)", low=1, high="MAX_EDGES"),
    table("int army_minimum", "Warriors that the Largest Army takes (ZAR-10.13)", low=1, high=100),
    table("int temple_minimum", "stones that the Greatest Temple Contributor takes (ZAR-11.2)", low=1, high=100),
    table("uint8_t roll_slot[16]", "dice total -> row of `Game.prod`", high="ROLLS - 1", called="rows of rolls"),
    table("uint8_t dice36[36]", "the throws of two dice: their total less 2 (ZAR-16)", high="ROLLS", called="rolls"),
    derived("uint8_t kind_of[N_MOVES]", "kind of each move"),
    # ---- options (ZAR-19)
    table("int players", "seats", low=2, high="SEATS"),
    table("int target", "points that win (ZAR-14.2)", low=1, high=99, called="points that win"),
    table("int discard_limit", "cards that a seven leaves alone (ZAR-7.2)", high=1000),
    table("int max_turns", "turns after which an unfinished game is a draw (ZAR-14.9)", low=1, high=60000),
    table("int terrain_mode", "terrains by the strips, shuffled or given (ZAR-3.8)", high=2),
    table("int token_mode", "numbers by the spiral, shuffled or given (ZAR-3.8)", high=2),
    table("int station_mode", "stations as printed, shuffled or given (ZAR-3.8)", high=2),
    table("int first_player", "a seat, or -1: drawn (ZAR-3.7)", low=-1, high="SEATS - 1"),
    table("int shortage", "who gets what when the bank has too little (ZAR-6.6)", high=2),
    table("int trade_mode", "trade between players: none, simple or full (ZAR-13.15)", high=2),
    table("int max_offers", "openings a turn (ZAR-13.8)", high=255),
    table("int max_side", "cards on a side of an offer (ZAR-13.6)", low=1, high=120),
    table("bint gifts", "one side of an offer may be empty (ZAR-13.17)"),
    table("bint choose_start", "a player chooses the settlement that pays the starting cards (ZAR-4.7)"),
    table("bint numbered_site", "a first settlement touches a numbered hex (ZAR-4.4)"),
    table("bint robber_home", "the robber may go back to the hideout (ZAR-7.5)"),
    table("bint may_steal", "a theft may be declined (ZAR-7.8)"),
    table("bint set_aside", "a tie after a cut sets the Longest Road aside (ZAR-9.8)"),
    table("bint dev_same_turn", "a development card may be played in the turn in which it is bought (ZAR-10.2)"),
    table("bint harvest_partial", "Bountiful Harvest may take a single card (ZAR-10.8)"),
    table("bint temple_before_roll", "temple stones may be placed before the dice (ZAR-11.5)"),
    table("int n_order", "placements (ZAR-4.1, 4.2)", low="t.players", high="MAX_ORDER", called="placements"),
    table("uint8_t order[MAX_ORDER]", "seats from the first, of each pair placed", rows="t.n_order",
          high="t.players - 1", called="seats of the order"),
    derived("int last_pairs", "pairs placed from here on pay the starting cards, unless they are chosen (ZAR-4.9)"),
    # ---- sources of the derived numbers
    table("uint8_t costs[PURCHASES][RESOURCES]", "cards of a road, settlement, city, card and stone (ZAR-8.1)",
          high=127, called="costs"),
    table("int bank_ratio", "cards for one of the bank (ZAR-12.1)", low=1, high=127),
    table("int generic_ratio", "cards for one with a station for any (ZAR-12.2)", low=1, high=127),
    table("int special_ratio", "cards for one with a station for the resource (ZAR-12.3)", low=1, high=127),
    table("uint8_t dev_cards[CARD_TYPES]", "development cards of each type (ZAR-1.4)", high=50,
          called="development cards"),
    table("int move_bases[MOVE_KINDS + 1]", "first code of each kind of move, and the code after all (ZAR-15)",
          called="codes of moves"),
    table("int chance_bases[CHANCE_KINDS + 1]", "first code of each kind of event, and the code after all (ZAR-16)",
          called="codes of events"),
)

FEATURES: dict[str, Feature] = {
    # worth of a unit in points, and its weight in the exponent of the win probabilities
    "points": feature("seen by all, and the victory point cards held (others': expected)", worth=1.0, win=0.179),
    "income": feature("dots at their worth, times what is left of the game", worth=0.06, win=0.085),
    "steady": feature("dots at their worth", worth=0.04, win=0.03),
    "kinds": feature("resources with an income", worth=0.12, win=0.615),
    "special": feature("dots of resources with their own station", worth=0.03, win=-0.005),
    "any": feature("3:1 station", worth=0.15, win=-0.027),
    "site_now": feature("best corner for a settlement without a road: dots", worth=0.03, win=0.022),
    "site_near": feature("best corner for a settlement with one road", worth=0.02, win=0.011),
    "site_far": feature("best corner for a settlement with two roads", worth=0.01, win=0.026),
    "road": feature("segments of the road beyond two, five at most", worth=0.04, win=0.041),
    "road_lead": feature("segments over the longest of others, -2 to 2; from three on", worth=0.12, win=-0.017),
    "army": feature("Warriors played, at most one more than the strongest other", worth=0.15, win=0.178),
    "army_lead": feature("Warriors over the most of others, -2 to 2; from two on", worth=0.12, win=0.04),
    "temple": feature("stones, at most one more than the most of another", worth=0.15, win=-0.076),
    "temple_lead": feature("stones over the most of others, -2 to 2; from two on", worth=0.12, win=0.194),
    "cards": feature("other development cards held", worth=0.25, win=0.463),
    "hand": feature("resource cards up to the limit of a seven", worth=0.04, win=0.03),
    "over": feature("resource cards beyond it", worth=-0.05, win=0.004),
    "plan": feature("the purchase nearest in time and worth", worth=0.5, win=0.375),
    "plans": feature("the other purchases together", worth=0.12, win=0.15),
    "city": feature("dots of the settlement best made a city", worth=0.01, win=0.028),
    "robbed": feature("dots under the robber", worth=-0.04, win=-0.012),
    "close": feature("how near the target: 0 from six points away, 1 at one point away", worth=0.0, win=1.481),
    "turn": feature("seats that roll before this one, of all", worth=0.0, win=-0.126),
    # for learned evaluations only
    "lead": feature("points beyond the best rival's"),
    "left": feature("share of the game that is left, the same for all"),
}

# Weights of the evaluation, the priors and playouts (ZAR-23).
WEIGHTS: tuple[Field, ...] = (
    weight("double patience", 4.5, "rolls after which a plan is worth half", low=1e-6),
    weight("double rival", 0.35, "points of others against own ones"),
    weight("double heat", 0.15, "temperature of the priors, in points", low=1e-6),
    weight("double place_heat", 0.8, "temperature of the priors of first settlements, in dots", low=1e-6),
    weight("double deal", 0.02, "least gain that a deal must bring, in points"),
    weight("double spite", 1.0, "weight of what a deal gives the partner"),
    weight("double variety", 1.5, "dots that a resource still missing counts as, at a site"),
    weight("double first_variety", 1.5, "dots that it counts as at a first settlement"),
    weight("double numbers", 0.4, "dots that a number not yet held counts as"),
    weight("double room", 0.18, "share of the best further site that a first settlement counts"),
    weight("double scarce", 0.12, "further worth of a first dot of wood and brick"),
    weights_of_features("double worth[FEATURES]", "points of a unit of each feature", FEATURES),
    weights_of_features("double win[FEATURES]", "in the exponent of the win shares, for a unit of each", FEATURES),
)

STRUCTS = {"Tables": TABLES, "Coefficients": WEIGHTS}
VALUES = values_of(WEIGHTS)
