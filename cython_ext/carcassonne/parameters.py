"""Carcassonne: tables, options and weights of the rules core, the source of the generated tables.pxd."""

from __future__ import annotations

from sfida.cython_ext.declare import Feature, Field, Inputs, derived, feature, names_of_inputs, table, values_of, weight

SIZES = {
    "MAX_TYPES": 40,                    # tile types, a multiple of 8
    "TYPE_WORDS": 5,                    # MAX_TYPES / 8
    "MAX_TILES": 84, "SEGMENTS": 8, "STACKS": 4, "SEATS": 5, "NONE": 0xFF,
    # steps of sparse inputs
    "STANDINGS": 4, "SPANS": 6, "OPENINGS": 4, "CHANCES": 6, "STAGES": 6, "WORTHS": 4, "NEEDS": 12,
}

# A tile type in one rotation. Sides are N, E, S, W; half-edges go clockwise from the left half of the north side.
# Terrains and kinds of segments: 1 field, 2 road, 3 city, 4 river, 5 monastery.
FACE: tuple[Field, ...] = (
    table("uint8_t side[4]", "terrain of each side", low=1, high=4, called="sides of a tile"),
    table("uint8_t edge_seg[4]", "segment of a city or road side, else NONE", called="segments of sides"),
    table("uint8_t half_seg[8]", "field segment of each half-edge, else NONE", called="segments of half-edges"),
    table("uint8_t n_segs", "segments", high="SEGMENTS", called="segments of a tile"),
    table("uint8_t kind[SEGMENTS]", "kind of each segment", rows="t.n_segs", low=1, high=5, called="kinds of segments"),
    table("uint8_t n_edges[SEGMENTS]", "sides of a city or road segment", rows="t.n_segs", high=4,
          called="sides of segments"),
    table("uint8_t shields[SEGMENTS]", "shields of a city segment (CAR-7.8)", rows="t.n_segs", high=9,
          called="shields"),
    derived("uint8_t monastery", "its segment, or NONE"),
    table("uint8_t n_contacts", "contacts of a field and a city (CAR-10.11)", high="SEGMENTS",
          called="contacts of a tile"),
    table("uint8_t contact_field[SEGMENTS]", "the field of each contact", rows="t.n_contacts", high="t.n_segs - 1",
          called="fields of contacts"),
    table("uint8_t contact_city[SEGMENTS]", "the city of each contact", rows="t.n_contacts", high="t.n_segs - 1",
          called="cities of contacts"),
    derived("uint8_t code", "sides as two-bit codes, N lowest; 0 for a river side"),
    derived("uint8_t river_sides", "sides with a river, a bit each"),
    derived("uint8_t n_claims", "city and road segments"),
    derived("uint8_t claim[SEGMENTS]", "these segments, ascending; by their numbers:"),
    derived("uint8_t claim_kind[SEGMENTS]", "kind of each"),
    derived("uint8_t claim_sides[SEGMENTS]", "its sides, a bit each"),
    derived("uint32_t claim_figures[SEGMENTS]", "its figures as a feature of one tile (board.pxd)"),
)

TABLES: tuple[Field, ...] = (
    # ---- tiles
    table("Face face[MAX_TYPES * 4]", "index type * 4 + rotation; a rotation is a quarter turn clockwise",
          rows="4 * t.n_types", called="faces"),
    derived("uint8_t fit[MAX_TYPES][256]", "rotations that fit the code of an open cell, a bit each (CAR-5.5)"),
    derived("uint64_t fitting[256][TYPE_WORDS]", "0xFF in the byte of each land tile that fits a code in a rotation"),
    derived("uint64_t rotations[16]", "set bits of a mask of rotations, in order, 16 bits each"),
    derived("uint64_t stack_mask[STACKS][TYPE_WORDS]", "0xFF in the byte of each type of the stack"),
    table("uint8_t copies[MAX_TYPES]", "tiles of each type (CAR-1)", rows="t.n_types"),
    table("uint8_t n_rotations[MAX_TYPES]", "rotations that differ", rows="t.n_types", low=1, high=4,
          called="rotations"),
    table("int n_types", "tile types", low=1, high="MAX_TYPES", called="tile types"),
    table("int players", "seats (CAR-1.1)", low=2, high="SEATS"),
    table("int start_type", "start tile (CAR-3.1)", high="MAX_TYPES - 1"),
    table("int start_rotation", "its rotation", high=3),
    table("int source_type", "source of the river (CAR-11.1)", high="MAX_TYPES - 1"),
    table("int source_rotation", "its rotation", high=3),
    table("int lake_type", "lake of the river (CAR-11.7)", high="MAX_TYPES - 1"),
    table("int supply", "followers of a seat (CAR-1.5)", high=15, called="followers of a seat"),
    # ---- options (CAR-13)
    table("bint river", "play with the river tiles (CAR-13.1)"),
    table("int farm_scoring", "farms by the rulebook, each by itself, or as in the first edition (CAR-13.2)", high=2),
    table("bint city2_half", "a completed city of two tiles scores half (CAR-13.3)"),
    table("int uturn", "bends of the river: not twice the same way, never back, or no limit (CAR-13.4)", high=2),
    table("int river_start", "start tile with the River: removed, shuffled or after the lake (CAR-13.5)", high=2),
    table("bint farmers", "followers may be deployed in fields (CAR-13.6)"),
    table("int first_player", "a seat, or -1: drawn (CAR-13.7)", low=-1, high="SEATS - 1"),
    # ---- points (chapters 7 and 10)
    table("int road_tile", "points of a tile of a completed road (CAR-7.2)", high=100),
    table("int city_tile", "points of a tile of a completed city (CAR-7.7)", high=100),
    table("int city_shield", "points of a shield in a completed city (CAR-7.8)", high=100),
    table("int city2_tile", "points of a tile of a completed city of the size `city2_size` (CAR-7.9)", high=100),
    table("int city2_shield", "points of a shield in such a city", high=100),
    table("int city2_size", "tiles of such a city", high="MAX_TILES"),
    table("int monastery_full", "points of a completed monastery (CAR-7.14)", high=100),
    table("int farm_city", "points of a completed city for a farm (CAR-10.11)", high=100),
    table("int first_edition_city", "points of a completed city for farms of the first edition (CAR-13.2)", high=100),
    table("int road_tile_open", "points of a tile of an incomplete road at the end (CAR-10.4)", high=100),
    table("int city_tile_open", "points of a tile of an incomplete city at the end (CAR-10.5)", high=100),
    table("int city_shield_open", "points of a shield in an incomplete city at the end (CAR-10.6)", high=100),
    table("int monastery_own_open", "points of the tile of an incomplete monastery (CAR-10.8)", high=100),
    table("int monastery_next_open", "points of a tile next to it", high=100),
    # ---- stacks
    table("uint8_t stack[MAX_TYPES]", "stack that each type is drawn from: land, river, lake; NONE: not drawn",
          rows="t.n_types"),
)

# Weights of the evaluation and the priors (rules, chapter 18).
WEIGHTS: tuple[Field, ...] = (
    weight("double city_close", 0.85, "chance to complete a city with one open side, early in the game"),
    weight("double city_per_side", 0.25, "how much of it each further open side takes"),
    weight("double city_growth", 0.6, "tiles an open side of a city is expected to add over the rest of the game"),
    weight("double road_growth", 0.9, "tiles an open side of a road is expected to add over the rest of the game"),
    weight("double monk_fill", 0.75, "share of the missing neighbours of a monastery that get filled"),
    weight("double farm_open", 0.35, "chance that an open city becomes a completed one, for farms"),
    weight("double hand", 1.6, "scale of the worth of followers in hand"),
    weight("double rival", 0.8, "weight of the strongest rival's gain in placement priors"),
    weight("double spread", 1.6, "scale of the win estimate: its growth with the square root of the tiles left"),
    weight("double floor", 1.0, "scale of the win estimate: its fixed part", low=1e-6),
    weight("double place_heat", 1.5, "temperature of the placement priors, in points", low=1e-6),
    weight("double deploy_heat", 1.0, "temperature of the deployment priors, in points", low=1e-6),
    weight("double claim", 1.0, "share of a free feature's worth counted in placement priors"),
)

# Features of a seat for learned evaluations. A claim is an incomplete city or road with followers; it is held by the
# seats with the most followers in it (CAR-7.11, 7.12). Expected points are those of the evaluation.
FEATURES: dict[str, Feature] = {
    "points": feature("points so far"),
    "hand": feature("followers in hand"),
    "cities": feature("expected points of the cities it holds"),
    "roads": feature("expected points of the roads it holds"),
    "monasteries": feature("expected points of its monasteries"),
    "farms": feature("expected points of its farms (CAR-10.10 to CAR-10.14)"),
    "tied": feature("expected points of claims that it holds together with others"),
    "threatened": feature("expected points of claims that it holds against fewer followers of others"),
    "beaten": feature("expected points of claims where it has followers and others hold"),
    "farms_tied": feature("expected points of farms that it holds together with others (CAR-10.10)"),
    "farms_beaten": feature("expected points of farms where it has farmers and others have more"),
    "farmers": feature("its farmers, which never come back (CAR-9)"),
    "fed": feature("completed cities next to farms that it holds (CAR-10.11)"),
    "pending": feature("incomplete cities next to them"),
    "stuck": feature("followers in claims and monasteries with a gap that no tile left fits"),
    "closing": feature("points of held claims and monasteries if completed, each times the chance of its hardest gap"),
    "ready": feature("these points of the claims and monasteries with a single open side"),
    "ahead": feature("expected final score less the mean of all seats, in spreads: what the rest of the game may still "
                     "move"),
    "lead": feature("expected final score less the best of the others, in spreads"),
    "turns": feature("tiles that it will lay less an equal share of those left"),
    "left": feature("tiles still to be laid"),
}

# Sparse inputs of learned evaluations. Seats are counted from the one on turn. One entry each: an input counts as often
# as there are such features. Steps:
# standing: alone, against fewer followers of others, tied, beaten; open sides: 0, 1, 2, more;
# span, tiles and shields of a feature: 1, 2, 3, 4, 5 and 6, more; the cities of a farm count from 0 to 4, and more;
# chance, tiles left that fit the hardest gap: 0, 1, 2 and 3, 4 to 7, 8 to 15, more;
# stage, tiles to come: 0 to 3, 4 to 7, 8 to 13, 14 to 24, 25 to 40, more;
# worth, tiles and shields, or cities of a farm: 0, 1 and 2, 3 to 5, more.
INPUTS: dict[str, Inputs] = {
    "claims": Inputs("2 * STANDINGS * SPANS * OPENINGS * CHANCES", "roads and cities with followers of the seat, one "
                     "entry each: kind, standing, span, open sides, chance"),
    "closing": Inputs("2 * STAGES * OPENINGS * CHANCES", "those that it holds, one entry each: kind, stage, open "
                      "sides, chance"),
    "guards": Inputs("3 * 3 * 3 * SPANS", "farms, roads and cities with its followers, one entry each: kind, its "
                     "followers: 1, 2, more, those of the strongest rival: 0, 1, more, span"),
    "monasteries": Inputs("9 * CHANCES", "monasteries, one entry each: tiles around, chance"),
    "monks": Inputs("9 * STAGES", "monasteries, one entry each: tiles around, stage"),
    "farms": Inputs("STANDINGS * SPANS * SPANS", "farms with its followers, one entry each: standing, completed "
                    "cities, incomplete cities"),
    "farmers": Inputs("STANDINGS * SPANS * STAGES", "farms with its followers, one entry each: standing, cities, "
                      "stage"),
    "joins": Inputs("2 * 3 * 3 * WORTHS * WORTHS", "pairs of roads or cities with followers at one open cell, one "
                    "entry for each pair of sides: kind; tiles that fit there: 1, 2 and 3, more; after the join the "
                    "seat holds all alone, with others, or nothing; worth of what it holds now; worth of the rest"),
    "mergers": Inputs("3 * WORTHS * WORTHS", "pairs of farms with followers at one open cell, one entry for each cell: "
                      "after the join the seat holds all alone, with others, or nothing; worth of what it holds now; "
                      "worth of the rest"),
    "hand": Inputs("8 * STAGES", "followers in hand: 0 to 6, more; stage"),
    "posted": Inputs("4 * 5", "followers on farms, roads, cities and monasteries: 1 to 4, more"),
    "stuck": Inputs("4", "followers in claims and monasteries with a gap that no tile left fits: 1 to 3, more"),
    "points": Inputs("24", "fives of points"),
    "lead": Inputs("13 * STAGES", "expected points beyond the best rival's: within 1, 3, 6, 10, 16, 25 and more, "
                   "either way; stage"),
    "free": Inputs("2 * SPANS * OPENINGS * CHANCES", "incomplete roads and cities without followers, one entry each: "
                   "kind, span, open sides, chance", common=True),
    "spots": Inputs("4 * SPANS * OPENINGS", "segments where the mover may deploy, one entry each: field by completed "
                    "and incomplete cities, road and city by span and open sides, monastery by pairs of tiles missing",
                    common=True),
    "needs": Inputs("NEEDS * CHANCES", "tiles left that fit some pattern of neighbours, in the steps of a chance",
                    common=True),
    "drawn": Inputs("MAX_TYPES", "the tile in hand", common=True),
    "left": Inputs("28", "tiles to come: 1 to 12, then in fives", common=True),
    "phase": Inputs("5", "the phase", common=True),
    "river": Inputs("1", "the river has an open end", common=True),
}
INPUT_NAMES = names_of_inputs(INPUTS, SIZES)

STRUCTS = {"Face": FACE, "Tables": TABLES, "Coefficients": WEIGHTS}
VALUES = values_of(WEIGHTS)
