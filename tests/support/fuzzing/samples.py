"""Valid data to spoil: positions, records, stores, maps and recorded games; each a function of its arguments."""

from __future__ import annotations

import functools
import json
import random
import sqlite3
import tempfile
from collections.abc import Sequence
from importlib import resources
from pathlib import Path
from typing import Any

from sfida.ai.arena.store import Store, export_games, import_games
from sfida.ai.arena.tournament import Tournament
from sfida.cython_ext.rng import Random
from sfida.cython_ext.state import GameState
from sfida.engines.registry import make, make_game

GOLDEN = Path(__file__).resolve().parents[2] / "golden" / "games.jsonl"
FIVE = {
    "carcassonne": ("carcassonne", "carcassonne:players=5,river=true,first_player=random"),
    "zarahemla": ("zarahemla", "zarahemla:preset=catan,players=4"),
    "risiko": ("risiko", "risiko:preset=tournament,players=4", "risiko:preset=rtu,players=3"),
    "attila": ("attila", "attila:players=2,removed_tokens=box,exhaustion_check=after_conflicts"),
    "acres": ("acres", "acres:preset=online"),
}
EXAMPLES = ("tic_tac_toe", "kuhn_poker", "leduc_poker", "goofspiel", "phantom_tic_tac_toe")
GAMES_WALKED = 6            # games of each spec from which positions are taken
MOST_EVENTS = 400
STEP = 8                    # events between two kept positions
REPLAY = """\
[[replay]]
id = "short"
preset = "first_edition"
options = { raid_routes = "any", ships_in_every_sea_siege = true, max_turns = 400 }
hand_british = "BOS NHV NYK PEM PHI"
hand_french = "LOU PRO RI0 TR0 TRI"
end = "max_turns"
winner = "french"
final_points = { british = 17, french = 29 }
turns = [
  "B | draft RG |  | 7 5 17 29",
  "F | piracy PRO | MTL TAD | 5 7 17 29",
  "B | money BOS; merchant NHV PHI NYK | NFK STM RG BOS | 14 7 17 29",
  "F | trader TR0 TRI MTL TAD; draft CB | GAS QUE BX CB | 14 13 17 29",
  "B | ambush RG hit RI0 hand; pass | NHV | 14 13 17 29",
]
"""


@functools.lru_cache(maxsize=64)
def _walk(spec: str, number: int) -> Sequence[GameState]:
    """Return positions of one random game, including the first one."""
    luck = random.Random(f"{spec} {number}")
    rng = Random(number)
    state = make(spec)
    kept = [state.clone()]
    for event in range(1, MOST_EVENTS + 1):
        if state.is_over:
            break
        state.apply(state.sample_chance(rng) if state.is_chance else luck.choice(state.candidate_moves()))
        if event % STEP == 0 or state.is_over:
            kept.append(state.clone())
    return kept


def position(rng: random.Random, spec: str) -> GameState:
    """Return a position of a random game, sometimes before a chance event, rarely at the end."""
    state: GameState = rng.choice(_walk(spec, rng.randrange(GAMES_WALKED))).clone()
    luck = Random(rng.getrandbits(32))
    for _ in range(rng.randrange(STEP)):
        if state.is_over:
            break
        state.apply(state.sample_chance(luck) if state.is_chance else rng.choice(state.candidate_moves()))
    return state


@functools.cache
def records() -> tuple[dict[str, Any], ...]:
    """Return finished games of every kind, and their beginnings as unfinished games."""
    found = []
    for line in GOLDEN.read_text(encoding="utf-8").splitlines():
        game = json.loads(line)
        if len(game["moves"]) < 300:
            found.append(game)
        for count in (0, 3, 25):
            short = {**game, "moves": game["moves"][:count], "result": None}
            found.append({**short, "chance": [index for index in game["chance"] if index < count]})
    return tuple(found)


@functools.cache
def stored() -> tuple[tuple[bytes, str], ...]:
    """Return tournaments, each as the bytes of its store and its exported JSON Lines."""
    found = []
    for game, agents, games, mode in (
            ("tic_tac_toe", ["random", "greedy"], 6, "round-robin"), ("kuhn_poker", ["random", "random"], 4,
                                                                      "gauntlet"),
            ("goofspiel", ["greedy", "random", "flat:iterations=10"], 6, "round-robin")):
        with tempfile.TemporaryDirectory() as folder:
            store, lines, copy = (Path(folder) / name for name in ("played.sfida", "games.jsonl", "copy.sfida"))
            Tournament(game, agents, games, seed=5, mode=mode).run(store, backend="threading")
            with Store.open(store) as opened:
                export_games(opened, lines)
            text = "".join(f"{_timeless(line)}\n" for line in lines.read_text(encoding="utf-8").splitlines())
            lines.write_text(text, encoding="utf-8")
            import_games(lines, copy)
            with sqlite3.connect(copy) as connection:
                connection.execute("PRAGMA journal_mode = DELETE")
                connection.execute("UPDATE game SET finished = '2026-01-01 00:00:00'")
            connection.execute("VACUUM")
            connection.close()
            found.append((copy.read_bytes(), text))
    return tuple(found)


def _timeless(line: str) -> str:
    """Return a line of an export with fixed times, so that it is the same on every machine."""
    record = json.loads(line)
    timing = record["tournament_game"]
    timing["seconds"] = [0.25 * count for count in timing["decisions"]]
    timing["wall"] = 2.0
    return json.dumps(record)


@functools.cache
def attila_map() -> str:
    """Return a map of Attila as a user would write one."""
    return resources.files("sfida.engines.attila").joinpath("data.toml").read_text(encoding="utf-8")


@functools.cache
def specs() -> tuple[str, ...]:
    """Return game specs in use."""
    return (*(spec for group in FIVE.values() for spec in group), *EXAMPLES,
            *(record["game"] for record in records()))


def first(spec: str) -> Any:
    """Return the engine of a spec."""
    return make_game(spec)
