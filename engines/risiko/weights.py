"""The weights of the knowledge of RisiKo!: what the evaluation, the priors and playouts go by."""

from __future__ import annotations

# Weights of the features in the exponent of the win shares, fitted on own games. `F_...` in
# cython_ext/risiko/weights.pxd describes the features.
FEATURES: dict[str, float] = {
    "done": 1.15, "near": 0.85, "ready": -1.5, "first": 1.9, "income": 0.0, "armies": 3.7, "land": 4.6, "cards": 0.38,
    "set": 0.47, "bonus": 0.68, "almost": 0.0, "threat": -4.4, "front": 1.0, "stack": 0.8, "points": 0.0, "lead": 3.0,
    "turn": 0.41,
}
# The other weights, in the order of `Weights`. Their unit is an army.
KNOBS: dict[str, float] = {
    "goal": 60.0,                       # the objective
    "step": 0.7,                        # any territory of it, besides
    "way_1": 0.3,                       # share of the objective for what is one, two, three steps before it
    "way_2": 0.12,
    "way_3": 0.05,
    "land": 0.6,                        # any territory
    "link": 0.35,                       # an own neighbour of it, and an enemy one negated
    "bonus": 1.2,                       # an army of a continent bonus
    "deny": 0.9,                        # the same, of somebody else's
    "stop": 0.35,                       # share of the objective for what an enemy needs for his
    "card": 3.0,                        # the first conquest of a turn
    "prize": 2.5,                       # a card of who may be eliminated
    "rival": 3.0,                       # a rival less
    "army": 0.8,                        # an own army lost
    "slain": 0.25,                      # an enemy one
    "ahead": 0.35,                      # share of what lies beyond a conquest
    "keep": 0.5,                        # share of a worth for keeping instead of taking
    "fear": 0.9,                        # share of the chance with which the strongest neighbour attacks
    "points": 0.6,                      # a point in a tournament
    "patience": 8.0,                    # armies that a set must bring before there are five cards
    "heat": 0.8,                        # temperature of the priors: this, and a share of the best worth
    "spread": 0.08,
    "noise": 0.2,                       # of playouts: share of a worth, either way
    "hopeless": 0.125,                  # chance below which an assault needs the objective as a reason
    "least": 1e-4,                      # prior of any move, of that of the best one
}

# All of them by name, as the rules core takes them.
WEIGHTS: dict[str, float] = {**{f"win.{name}": weight for name, weight in FEATURES.items()}, **KNOBS}
