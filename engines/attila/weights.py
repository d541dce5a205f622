"""The weights of the knowledge of Attila: what the evaluation, the priors and playouts go by (part 11)."""

from __future__ import annotations

# `Knobs` in cython_ext/attila/weights.pxd has them by name. Their unit is a point.
WEIGHTS: dict[str, float] = {
    "later": 0.5,                       # a scoring after the next one, against it
    "growth": 0.5,                      # tokens that a tribe gains by a conflict and the cards before it
    "breadth": 0.6,                     # provinces likewise
    "plays": 5.8,                       # cards played a conflict
    "wander": 0.8,                      # spread of a lead, against that of a random walk
    "fight_few": 0.05,                  # chance that a province of one or two tokens is fought over before a scoring,
    "fight_three": 0.15,                # of three
    "fight_four": 0.5,                  # of four
    "fight_later": 0.6,                 # how much more before a later one, as a share of the rest
    "lose_tied": 0.75,                  # chance of a tribe to lose where it is tied for weakest,
    "lose_near": 0.35,                  # one stronger than the weakest,
    "lose_far": 0.15,                   # two stronger
    "rival": 1.0,                       # points of others against own ones
    "double_turn": 2.5,                 # tiles in hand
    "exchange": 2.0,
    "influence_2": 4.0,
    "spare": 0.15,                      # a second card of a tribe in hand
    "card": 0.3,                        # a card short of a full hand
    "turn": 5.0,                        # the turn of who is next, against that of who has just been
    "price": 0.35,                      # a card laid by who refills at once
    "wait": 0.4,                        # and by who refills last, besides
    "doubt": 0.3,                       # spread of a conflict when all cards are known
    "unknown": 0.35,                    # that each card adds which is not
    "rash": 0.5,                        # cards that a seat is expected to lay
    "heat": 0.6,                        # temperature of the priors: this, and a share of what is at stake
    "spread": 0.1,
    "least": 1e-3,                      # prior of any move, of that of the best one
    "noise": 0.5,                       # of playouts, either way
    "scale": 3.0,                       # points of a win share's softmax at the end
    "scale_tile": 2.0,                  # and for each square root of a peace tile left
}
