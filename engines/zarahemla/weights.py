"""The weights of the knowledge of The Settlers of Zarahemla: what the evaluation, the priors and playouts go by."""

from __future__ import annotations

# Features, which `F_...` in cython_ext/zarahemla/tables.pxd describes: points that a unit is worth, and
# its weight in the exponent of the win shares.
FEATURES: dict[str, tuple[float, float]] = {
    "points": (1.0, 0.179), "income": (0.06, 0.085), "steady": (0.04, 0.03), "kinds": (0.12, 0.615),
    "special": (0.03, -0.005), "any": (0.15, -0.027), "site_now": (0.03, 0.022), "site_near": (0.02, 0.011),
    "site_far": (0.01, 0.026), "road": (0.04, 0.041), "road_lead": (0.12, -0.017), "army": (0.15, 0.178),
    "army_lead": (0.12, 0.04), "temple": (0.15, -0.076), "temple_lead": (0.12, 0.194), "cards": (0.25, 0.463),
    "hand": (0.04, 0.03), "over": (-0.05, 0.004), "plan": (0.5, 0.375), "plans": (0.12, 0.15), "city": (0.01, 0.028),
    "robbed": (-0.04, -0.012), "close": (0.0, 1.481), "turn": (0.0, -0.126),
}
# The other weights.
KNOBS: dict[str, float] = {
    "patience": 4.5,                    # rolls after which a plan is worth half
    "rival": 0.35,                      # points of others against own ones
    "heat": 0.15,                       # temperature of the priors, in points
    "place_heat": 0.8,                  # likewise for first settlements, in dots
    "deal": 0.02,                       # least gain that a deal must bring, in points
    "spite": 1.0,                       # weight of what a deal gives the partner
    "variety": 1.5,                     # dots that a resource still missing counts as, at a site
    "first_variety": 1.5,               # likewise for the first settlements
    "numbers": 0.4,                     # dots that a number not yet held counts as
    "room": 0.18,                       # share of the best further site that a first settlement counts
    "scarce": 0.12,                     # further worth of a first dot of wood and brick
}

# All of them by name, as the rules core takes them.
WEIGHTS: dict[str, float | tuple[float, float]] = {**FEATURES, **KNOBS}
