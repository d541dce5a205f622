"""The parts from which a rules object is built, and the figures that a state derives from it."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import sfida
from sfida.cython_ext.rng import Random

FOLDERS = {"a_few_acres_of_snow": "acres", "carcassonne": "carcassonne", "settlers_of_zarahemla": "zarahemla",
           "risiko": "risiko", "attila": "attila"}


def part(name: str, module: str) -> Any:
    """Return a module of a game's engine."""
    return import_module(f"sfida.engines.{FOLDERS[name]}.{module}")


def settled(name: str) -> tuple[Any, ...]:
    """Return the objects from which the rules of a game are built, besides its data."""
    game: Any = sfida.make(name).game
    if name == "attila":
        return game.land, game.options
    return (game.options,) if name == "carcassonne" else (game.ruleset,)


def handed(name: str) -> tuple[Any, Any]:
    """Return the tables and the weights that the rules object of a game takes."""
    tables = part(name, "tables")
    tiles = (tables.load_tiles(),) if name == "carcassonne" else ()
    return tables.build_tables(tables.load_data(), *tiles, *settled(name)), tables.WEIGHTS


def thoughts(state: Any, rules: Any) -> list[Any]:
    """Return a state's figures from the weights of other rules with the same tables, along a random game."""
    rng, found = Random(4), []
    twin = type(state)(state.game, rules)
    state = state.clone()
    for _ in range(250):
        if state.is_over:
            break
        twin.load(state.to_bytes())
        twin.set_knowledge(None)
        found += [twin.legal_moves(), twin.evaluation(), twin.move_priors(), twin.features(0)]
        moves = state.candidate_moves() if state.to_move >= 0 else [state.sample_chance(rng)]
        state.apply(moves[rng.below(len(moves))])
    return found
