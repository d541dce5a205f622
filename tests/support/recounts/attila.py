"""Checks of the debug build: a position and each step to it against a plain recount.

Nothing here shares code with the core: the map comes from its file, all numbers from the data.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfida.engines.attila.map import Land
from sfida.engines.attila.narration import share
from sfida.engines.attila.options import AttilaOptions
from sfida.engines.attila.position import Move, Position
from sfida.engines.attila.tables import load_data
from sfida.engines.position_game import same

if TYPE_CHECKING:
    from sfida.cython_ext.attila.core import AttilaState


def neighbours(land: Land) -> list[set[int]]:
    """Return for each province the provinces joined to it by a border or an arrow (ATT-1.14)."""
    found: list[set[int]] = [set() for _ in land.provinces]
    for link in land.links:
        found[link.a].add(link.b)
        found[link.b].add(link.a)
    return found


def allowed(position: Position, tribe: int, borders: list[set[int]]) -> list[int]:
    """Return the provinces where a token of a tribe may be placed (ATT-4.2 to 4.8)."""
    own = {i for i, tokens in enumerate(position.tokens) if tokens[tribe]}
    reach = {i for i, one in enumerate(position.land.provinces) if one.start}.union(own, *(borders[i] for i in own))
    if position.supply[tribe] == 0:
        return []
    return sorted(i for i in reach if not position.pacified[i] and sum(position.tokens[i]) < 5)


def scoring(position: Position, options: AttilaOptions) -> list[int]:
    """Return the points of every seat if all tribes were scored now."""
    sums = [0] * position.players
    for tribe in range(6):
        tokens = sum(here[tribe] for here in position.tokens)
        provinces = sum(here[tribe] > 0 for here in position.tokens)
        points = share([one.influence[tribe] for one in position.seats], tokens, provinces,
                       options.two_player_difference_scoring)
        sums = [a + b for a, b in zip(sums, points, strict=True)]
    return sums


def check_position(state: AttilaState, position: Position, options: AttilaOptions) -> None:
    """Recount a position and compare all figures that follow from the position alone.

    Raises
    ------
    AssertionError
        If cards, tokens or tiles are not conserved, or the core's lists differ from the recount.
    """
    data, borders = load_data(), neighbours(position.land)
    for tribe, row in enumerate(data["tribes"]):
        board = sum(here[tribe] for here in position.tokens)
        out = row["tokens"] - board - position.supply[tribe]
        if out < 0 or (out and options.removed_tokens == "supply"):
            raise AssertionError(f"tokens of tribe {tribe} are not conserved")
        cards = position.discards[tribe] + position.given[tribe] + state.pile()[tribe] + sum(
            state.hand(i)[tribe] + state.laid(i)[tribe] for i in range(position.players))
        same(f"cards of tribe {tribe}", cards, row["cards"])
        same(f"provinces open to tribe {tribe}", state.allowed(tribe), allowed(position, tribe, borders))
    same("prospects", [one.prospect for one in position.seats], scoring(position, options))
    if max(map(sum, position.tokens)) > data["turn"]["max_tokens_in_province"]:
        raise AssertionError("a province holds a sixth token (ATT-4.6)")


def check_step(before: Position, move: Move, after: Position) -> None:
    """Check that a move turned one position into the other: tokens, influence, points.

    Raises
    ------
    AssertionError
    """
    tokens = [list(here) for here in before.tokens]
    steps = [list(one.influence) for one in before.seats]
    own, last = steps[before.seat_on_turn], before.land.last_space
    if move.kind in ("at", "second"):
        tokens[move.what][before.card] += 1
    elif move.kind == "influence":
        own[before.card] = min(last, own[before.card] + before.gain)
    elif move.kind in ("inf_a", "inf_b"):
        own[move.what] = min(last, own[move.what] + 1)
    elif move.kind == "done" and len(after.queue) < len(before.queue):
        assert after.battle is not None
        place = before.queue[0]
        strength = [n + sum(laid[tribe] for laid in after.battle.laid) for tribe, n in enumerate(tokens[place])]
        least = min(strength[tribe] for tribe in range(6) if tokens[place][tribe])
        tokens[place] = [n if strength[tribe] > least else 0 for tribe, n in enumerate(tokens[place])]
        same("peace tiles", sum(after.peace), max(0, sum(before.peace) - 1))
        same("pacified", after.pacified, tuple(one or i == place for i, one in enumerate(before.pacified)))
    same("tokens", [list(here) for here in after.tokens], tokens)
    same("influence", [list(one.influence) for one in after.seats], steps)
    gains = [b.score - a.score for a, b in zip(before.seats, after.seats, strict=True)]
    if move.kind in ("go_on", "end_turn") and any(gains):
        same("points", gains, [one.prospect for one in before.seats])
    elif any(gains):
        raise AssertionError(f"points without a scoring: {gains}")
