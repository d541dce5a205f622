"""What a learned evaluation of Carcassonne reads of a seat."""

from __future__ import annotations

# Names and meanings; `FEATURE_NAMES` of the rules core has their order. A claim is an incomplete city or
# road with followers; whoever has the most followers in it holds it, together with those who have as many (CAR-7.11,
# CAR-7.12). Expected points are those of the evaluation.
FEATURES: dict[str, str] = {
    "points": "points so far",
    "hand": "followers in hand",
    "cities": "expected points of the cities it holds",
    "roads": "expected points of the roads it holds",
    "monasteries": "expected points of its monasteries",
    "farms": "expected points of its farms (CAR-10.10 to CAR-10.14)",
    "tied": "expected points of claims that it holds together with others",
    "threatened": "expected points of claims that it holds against fewer followers of others",
    "beaten": "expected points of claims where it has followers and others hold",
    "farms_tied": "expected points of farms that it holds together with others (CAR-10.10)",
    "farms_beaten": "expected points of farms where it has farmers and others have more",
    "farmers": "its farmers, which never come back (CAR-9)",
    "fed": "completed cities next to farms that it holds (CAR-10.11)",
    "pending": "incomplete cities next to them",
    "stuck": "followers in claims and monasteries with a gap that no tile left fits",
    "closing": "points of held claims and monasteries if completed, each times the chance of its hardest gap",
    "ready": "of those the ones with a single open side",
    "ahead": "expected final score less the mean of all seats, in spreads: what the rest of the game may still move",
    "lead": "expected final score less the best of the others, in spreads",
    "turns": "tiles that it will lay less an equal share of those left",
    "left": "tiles still to be laid",
}
