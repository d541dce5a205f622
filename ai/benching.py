"""The speed of an engine, and the signature that pins its rules and the search."""

from __future__ import annotations

import hashlib
from typing import Any

from sfida.ai.chance import SeededChance
from sfida.ai.random_games import random_decisions
from sfida.ai.search_options import IsmctsOptions
from sfida.ai.seeds import decision_seed
from sfida.ai.tree_search import search_for
from sfida.cython_ext.measure import count_moves, count_playout_moves, time_calls, time_playouts
from sfida.cython_ext.rng import Random, derive
from sfida.cython_ext.state import GameState
from sfida.engines.faces.rules import Rules

_SAMPLE_STATES = 128
_SIGNATURE_GAMES = 2
_SIGNATURE_ITERATIONS = 64


def sample_decisions(game: Rules, count: int, seed: int) -> list[GameState]:
    """Return states at decisions, spread evenly over uniformly random games."""
    rng = Random(derive(seed, 0))
    states: list[GameState] = []
    while len(states) < count:
        keep = random_decisions(game.initial_state(), rng)
        states.extend(keep[rng.below(len(keep))] for _ in range(min(16, count - len(states))))
    return states


def bench(game: Rules, seconds: float = 1.0, seed: int = 0) -> dict[str, Any]:
    """Measure an engine under uniformly random play, one thread, CPU time.

    Parameters
    ----------
    game : Rules
        With its options, including the number of players.
    seconds : float
        CPU seconds for the playouts; timing the single calls takes about as long again.
    seed : int

    Returns
    -------
    dict
        The object of ``sfida bench --json``; `memcpy_ns` is the time of a plain copy of the same number of bytes.
    """
    start = game.initial_state()
    rng = Random(derive(seed, 1))
    time_playouts(start, rng, min(0.1, seconds))
    games, spent = time_playouts(start, rng, seconds)
    rate = games / spent
    sample = 200
    _, chances, largest = count_moves(start, rng, sample)
    moves = count_playout_moves(start, rng, sample)
    states = sample_decisions(game, _SAMPLE_STATES, seed)
    calls = time_calls(states, rng, 2)
    total = sum(calls.values()) * len(states) * 1e-9
    calls = time_calls(states, rng, max(2, int(seconds / max(total, 1e-6))))
    return {
        "schema": 1, "type": "bench", "game": game.spec(), "players": game.players,
        "playouts_per_s": rate, "moves_per_playout": moves, "chance_per_playout": chances / sample,
        "ns_per_move": 1e9 / (rate * moves), "clone_ns": calls["copy"], "memcpy_ns": calls["memcpy"],
        "legal_moves_ns": calls["legal"], "apply_ns": calls["play"], "determinize_ns": calls["determinize"],
        "state_bytes": start.state_bytes, "max_legal": largest,
    }


def signature(game: Rules) -> str:
    """Return a hash of 16 hex digits of the moves and visit counts of fixed searches.

    Any change of the rules, the move codes, the random streams or the search changes it.
    """
    digest = hashlib.blake2b(digest_size=8)
    options = IsmctsOptions(iterations=_SIGNATURE_ITERATIONS)
    for number in range(_SIGNATURE_GAMES):
        state = game.initial_state()
        luck = SeededChance(number)
        ply = 0
        while not state.is_over:
            if state.is_chance:
                move = luck.draw(state)
            else:
                seat = state.to_move
                search = search_for(state.view(seat), options, decision_seed(number, seat, ply))
                search.run(iterations=_SIGNATURE_ITERATIONS)
                rows = search.root()
                for code, visits, _, _ in rows:
                    digest.update(f"{code}:{visits} ".encode())
                move = rows[0][0]
            digest.update(f"{move}\n".encode())
            state.apply(move)
            ply += 1
        digest.update(repr(state.scores()).encode())
    return digest.hexdigest()
