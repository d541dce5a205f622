"""Long games cut short, for tests that check every position of every game."""

from __future__ import annotations

# A point or two more than at the start are enough to win, so games end within a few dozen turns.
SHORT = {"settlers_of_zarahemla": "settlers_of_zarahemla:board=figures,trade_mode=none,victory_points=4,"
                                  "temple_before_roll=false",
         "risiko": "risiko:players=3,round_limit=1", "a_few_acres_of_snow": "a_few_acres_of_snow:max_turns=16",
         "attila": "attila:players=2"}
THREE = {"settlers_of_zarahemla": "settlers_of_zarahemla:players=3,trade_mode=none,victory_points=4",
         "risiko": "risiko:players=3,round_limit=2", "a_few_acres_of_snow": "a_few_acres_of_snow:max_turns=16"}
STRIDES = {THREE["settlers_of_zarahemla"]: 13, THREE["risiko"]: 59, SHORT["risiko"]: 9,
           SHORT["a_few_acres_of_snow"]: 11, "attila": 61, SHORT["attila"]: 13}


def short(name: str) -> str:
    """Return the spec of a short game of that name; the name itself if the game is short."""
    return SHORT.get(name, name)


def short_for_three(name: str) -> str:
    """Return the spec of a short game for three players, if the game allows three and then hides more."""
    return THREE.get(name, name)


def stride(spec: str) -> int:
    """Return the number of decisions from one checked position to the next."""
    return STRIDES.get(spec, 1)
