"""The weights of the knowledge of Carcassonne: what the evaluation and the priors go by."""

from __future__ import annotations

# `Knobs` in cython_ext/carcassonne/tables.pxd has them by name.
WEIGHTS: dict[str, float] = {
    "city_close": 0.85,                 # chance to complete a city with one open side, early in the game
    "city_per_side": 0.25,              # what each further open side takes from it
    "city_growth": 0.6,                 # tiles an open side is expected to add over the rest of the game
    "road_growth": 0.9,
    "monk_fill": 0.75,                  # share of the missing neighbours of a monastery that get filled
    "farm_open": 0.35,                  # chance that an open city becomes a completed one, for farms
    "hand": 1.6,                        # scale of the worth of followers in hand
    "rival": 0.8,                       # weight of the strongest rival's gain in placement priors
    "spread": 1.6,                      # scale of the win estimate: spread * sqrt(tiles left) + floor
    "floor": 1.0,
    "place_heat": 1.5,                  # temperature of the placement priors, in points
    "deploy_heat": 1.0,
    "claim": 1.0,                       # share of a free feature's worth counted in placement priors
}
