"""Golden files: signatures of every game, and records of the project's own play.

    python tests/support/golden.py

rewrites them. Do this only after a change that was meant to alter the behaviour of the rules, the random
streams or the search: raise `rules_version` when old records no longer replay, and describe the change in
CHANGELOG.md.
"""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import sfida
from sfida.ai.research.profiling import signature
from sfida.engines.records import GameRecord
from sfida.engines.registry import game_class, game_names, make_game

FOLDER = Path(__file__).resolve().parents[1] / "golden"
HOW = ("if this change is meant, run 'python tests/support/golden.py', look at the difference, and say in "
       "CHANGELOG.md what changed (raise rules_version when old records no longer replay)")

# Options that change the course of a game, besides the defaults.
VARIANTS = ["carcassonne:players=3", "carcassonne:players=5,river=true", "carcassonne:first_player=random,river=true",
            "carcassonne:first_player=1", "settlers_of_zarahemla:temple_before_roll=false,trade_mode=none,max_turns=40",
            "settlers_of_zarahemla:players=3,trade_gifts=true,trade_max_cards_per_side=120,max_turns=10",
            "settlers_of_zarahemla:max_turns=20", "settlers_of_zarahemla:players=3,trade_mode=none,max_turns=60",
            "settlers_of_zarahemla:players=4,preset=catan,trade_mode=simple,max_turns=20",
            "risiko:round_limit=2", "risiko:preset=rtu,players=3,round_limit=2", "risiko:players=6,round_limit=1",
            "a_few_acres_of_snow:max_turns=30", "a_few_acres_of_snow:preset=online,max_turns=24",
            "a_few_acres_of_snow:max_turns=40,ships_in_every_sea_siege=true,raid_routes=any",
            "attila:players=5,start_player=random,tile_windows=every_decision",
            "attila:players=2,scoring_after_trigger=replaced"]
# Games of thousands of decisions, of which only the variants above are used.
TOO_LONG = ("a_few_acres_of_snow", "risiko", "settlers_of_zarahemla")

# (game, agents, seed)
GAMES = [
    ("carcassonne", ("greedy", "ismcts:iterations=50"), 1),
    ("carcassonne", ("ismcts:iterations=50", "greedy", "random"), 2),
    ("carcassonne:river=true", ("greedy", "ismcts:iterations=50", "greedy", "flat:iterations=100"), 3),
    ("carcassonne:river=true,first_player=random",
     ("ismcts:iterations=50,cutoff=-1,priors=false", "greedy", "random", "random", "greedy"), 4),
    ("tic_tac_toe", ("ismcts:iterations=50", "greedy"), 5),
    ("kuhn_poker", ("ismcts:iterations=50", "greedy"), 6),
    ("leduc_poker", ("flat:iterations=100", "ismcts:iterations=50"), 7),
    ("goofspiel", ("ismcts:iterations=50", "random"), 8),
    ("phantom_tic_tac_toe", ("greedy", "ismcts:iterations=50"), 9),
    ("settlers_of_zarahemla:trade_mode=none", ("random", "ismcts:iterations=20"), 10),
    ("settlers_of_zarahemla:players=3,max_turns=25", ("random", "ismcts:iterations=20", "random"), 11),
    ("settlers_of_zarahemla:players=4,preset=catan,trade_mode=none",
     ("random", "random", "flat:iterations=40", "random"), 12),
    ("risiko:players=3,round_limit=8", ("random", "ismcts:iterations=20", "random"), 13),
    ("risiko:preset=tournament,players=4,round_limit=6",
     ("random", "ismcts:iterations=20", "flat:iterations=40", "random"), 14),
    ("a_few_acres_of_snow:max_turns=60", ("ismcts:iterations=20", "random"), 15),
    ("a_few_acres_of_snow:preset=second,max_turns=40", ("random", "flat:iterations=40"), 16),
    ("attila", ("random", "ismcts:iterations=20", "random"), 15),
    ("attila:players=2,removed_tokens=box,exhaustion_check=after_conflicts", ("ismcts:iterations=20", "random"), 16),
]


def specs() -> list[str]:
    """Return the specs with a signature: every game of our own, and the variants."""
    own = [name for name in game_names()
           if game_class(name).__module__.startswith("sfida.") and name not in TOO_LONG]
    return [*own, *VARIANTS]


def signatures() -> dict[str, str]:
    """Return the signature of each spec."""
    return {spec: signature(make_game(spec)) for spec in specs()}


def play(number: int) -> GameRecord:
    """Play one of the golden games."""
    game, agents, seed = GAMES[number]
    return dataclasses.replace(sfida.play(game, agents, seed=seed), sfida="")


def write() -> None:
    """Write the golden files."""
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / "signatures.json").write_text(json.dumps(signatures(), indent=1, sort_keys=True) + "\n")
    lines = [play(number).to_json_line() for number in range(len(GAMES))]
    (FOLDER / "games.jsonl").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    write()
