"""Histories that a seat cannot tell apart, for tests that what it is shown keeps secrets."""

from __future__ import annotations

from collections.abc import Iterator

from sfida.cython_ext.rng import Random, derive
from sfida.cython_ext.state import GameState
from sfida.cython_ext.twins import Tape
from sfida.engines.registry import game_names, make, make_game
from support.short_games import short_for_three

HIDING = [short_for_three(name) for name in game_names() if make(name).hidden]


def twins_of(game: str, seat: int, tries: int, seed: int) -> Iterator[tuple[list[int], list[int]]]:
    """Yield pairs of histories that a seat cannot tell apart."""
    rng = Random(derive(seed, seat))
    tape = Tape(make_game(game).initial_state(), rng, 2000, 40)
    alike = tape.hidden_events(seat)
    for _ in range(tries if alike else 0):
        plies = alike[rng.below(len(alike))]
        at = plies[rng.below(len(plies))]
        found: list[list[int]] = []

        def keep(_ply: int, state: GameState, found: list[list[int]] = found) -> None:
            if not state.is_over:
                found.append(list(tape.line))

        tape.twin(seat, at, -1, rng, 1, keep)
        if found:
            line = found[rng.below(len(found))]
            yield list(tape.moves[:at + len(line)]), [*tape.moves[:at], *line]
