"""Checks of the debug build: a position and each step to it against a plain recount.

Nothing here shares code with the core: costs and the map come from the data, roads are walked edge by edge.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from sfida.engines.position_game import same
from sfida.engines.zarahemla.options import Ruleset
from sfida.engines.zarahemla.position import Move, Position, decode, position_of
from sfida.engines.zarahemla.tables import RESOURCE_IDS, corners_of_edge, load_data

if TYPE_CHECKING:
    from sfida.cython_ext.zarahemla.core import ZarahemlaState

COSTS = {"settle": "settlement", "road": "road", "city": "city", "buy_dev": "dev_card", "temple_stone": "temple_stone"}
Hands = list[list[int]]


def check_position(position: Position, rules: Ruleset) -> None:
    """Recount a position and compare all figures that follow from the position alone.

    Raises
    ------
    AssertionError
        If pieces break a rule or are not conserved, or lengths, special cards or points differ from the recount.
    """
    data = load_data()
    corners, pieces, scoring = data["board"]["corner"], data["pieces_per_player"], data["scoring"]
    owner = {corner: seat for corner, seat, _ in position.buildings}
    same("buildings", len(owner), len(position.buildings))
    same("roads", len({edge for edge, _ in position.roads}), len(position.roads))
    for corner in owner:
        if any(other in owner for other in corners[corner]["corners"]):
            raise AssertionError(f"a building next to that on corner {corner} (ZAR-8.4)")
    lengths = []
    for seat, one in enumerate(position.seats):
        kinds = [kind for _, builder, kind in position.buildings if builder == seat]
        roads = frozenset(corners_of_edge()[edge] for edge, builder in position.roads if builder == seat)
        ends = {corner for road in roads for corner in road}
        lengths.append(longest_trail(roads, frozenset(c for c in ends if owner.get(c, seat) != seat)))
        same("roads left", one.roads_left, pieces["roads"] - len(roads))
        same("settlements left", one.settlements_left, pieces["settlements"] - kinds.count("settlement"))
        same("cities left", one.cities_left, pieces["cities"] - kinds.count("city"))
        same("road length", one.road_length, lengths[seat])
        same("Warriors", one.warriors, dict(one.played).get("stripling_warrior", 0))
        same("points", one.points,
              kinds.count("settlement") * scoring["settlement"] + kinds.count("city") * scoring["city"]
              + one.longest_road * scoring["longest_road"] + one.largest_army * scoring["largest_army"]
              + one.temple * scoring["greatest_temple_contributor"])
    least = {row["id"]: row["minimum"] for row in data["special_card"]}
    _check_holder("Largest Army", [one.warriors for one in position.seats],
                  [one.largest_army for one in position.seats], least["largest_army"])
    _check_holder("Greatest Temple Contributor", [one.stones for one in position.seats],
                  [one.temple for one in position.seats], least["greatest_temple_contributor"])
    if sum(one.longest_road for one in position.seats) > 1:
        raise AssertionError("two seats hold the Longest Road")
    top = max(lengths)
    if (top < least["longest_road"]) and any(one.longest_road for one in position.seats):
        raise AssertionError("the Longest Road is held without its minimum (ZAR-9.9)")
    if top >= least["longest_road"] and lengths.count(top) == 1:
        same("Longest Road", position.seats[lengths.index(top)].longest_road, True)
    out = [rules.resource_cards_per_type - left for left in position.bank]
    same("cards in hands", sum(out), sum(one.hand_size for one in position.seats))
    if min(*position.bank, *out) < 0:
        raise AssertionError("a resource is not conserved")


def _check_holder(name: str, counts: list[int], holds: list[bool], least: int) -> None:
    """Check that a seat with the highest count holds a card that only a strictly higher count can take."""
    top = max(counts)
    same(f"{name} is held", any(holds), top >= least)
    if any(holds):
        same(f"{name}: holder's count", counts[holds.index(True)], top)


@lru_cache(maxsize=1024)                # roads rarely change
def longest_trail(roads: frozenset[tuple[int, int]], walls: frozenset[int]) -> int:
    """Return the length of the longest trail (ZAR-9.1); others' buildings stand on `walls`."""
    def walk(corner: int, left: frozenset[tuple[int, int]]) -> int:
        best = 0
        for road in left:
            if corner in road:
                end = road[0] + road[1] - corner
                best = max(best, 1 + (0 if end in walls else walk(end, left - {road})))
        return best

    return max((walk(corner, roads) for corner in {c for road in roads for c in road}), default=0)


def check_step(before: ZarahemlaState, code: int, after: ZarahemlaState, rules: Ruleset) -> None:
    """Check that a move turned one position into the other: cards, bank, deck, and the seat on turn.

    Raises
    ------
    AssertionError
        If anything differs from the effect of the move by the rules.
    """
    move = decode(code)
    position = position_of(before)
    found = [list(after.hand(i)) for i in range(before.players)]
    hands = _hands_after(before, position, move, found)
    if hands is not None:
        same("hands", found, hands)
    now = position_of(after)
    drawn = move.kind == "draw_dev"
    same("deck", now.deck, position.deck - drawn)
    ended = move.kind == "end_turn"
    if not position.phase.startswith(("setup", "init")) and now.phase != "game_over":
        same("seat on turn", now.seat_on_turn, (position.seat_on_turn + ended) % before.players)
    same("turns", now.turns, position.turns + ended)
    if now.winner is not None:
        winner = now.seats[now.winner]
        if winner.points + (winner.secret_points or 0) < rules.victory_points:
            raise AssertionError("the winner has too few points (ZAR-14.2)")


def _hands_after(before: ZarahemlaState, position: Position, move: Move, found: Hands) -> Hands | None:
    """Return the hands after a move; None if `found` only has to obey the bank (a short pile)."""
    hands = [list(before.hand(i)) for i in range(before.players)]
    seat, mover, arg = position.seat_on_turn, position.seat_to_move, move.arg
    match move.kind:
        case "settle" | "road" | "city" | "buy_dev" | "temple_stone" if position.phase in ("main", "pre_roll"):
            for r, n in enumerate(load_data()["costs"][COSTS[move.kind]]):
                hands[seat][r] -= n
        case "bank_trade":
            give, get = divmod(arg, 5)
            hands[seat][give] -= before.rates(seat)[give]
            hands[seat][get] += 1
        case "discard":
            hands[mover][arg] -= 1
        case "take":
            hands[seat][arg] += 1
        case "stolen_card":
            hands[position.placed][arg] -= 1
            hands[seat][arg] += 1
        case "play_prosperity":
            whole = sum(hand[arg] for hand in hands)
            for hand in hands:
                hand[arg] = 0
            hands[seat][arg] = whole
        case "trade_pick":
            offer = (position.gives[seat], position.wants[seat])
            if position.answers[arg] == "counter":
                offer = (position.wants[arg], position.gives[arg])
            for r, (out, back) in enumerate(zip(*offer, strict=True)):
                hands[seat][r] += back - out
                hands[arg][r] += out - back
        case "dice" | "play_liahona":
            return _produced(position, arg + 2, hands, found)
        case "choose_start":
            _start_cards(position, arg, hands[mover])
        case "settle" if found != hands:            # preset catan: the last settlement pays
            _start_cards(position, arg, hands[seat])
    return hands


def _produced(position: Position, total: int, hands: Hands, found: Hands) -> Hands | None:
    due = [[0] * len(RESOURCE_IDS) for _ in hands]
    if total != 7:
        for corner, seat, kind in position.buildings:
            for h in load_data()["board"]["corner"][corner]["hexes"]:
                if position.numbers[h] == total and h != position.robber:
                    due[seat][RESOURCE_IDS.index(position.terrain[h])] += 2 if kind == "city" else 1
    short = any(sum(one[r] for one in due) > position.bank[r] for r in range(len(RESOURCE_IDS)))
    if short:
        for hand, got, owed in zip(hands, found, due, strict=True):
            if any(not 0 <= b - a <= n for a, b, n in zip(hand, got, owed, strict=True)):
                raise AssertionError("more was given than was due")
        return None
    return [[a + b for a, b in zip(hand, owed, strict=True)] for hand, owed in zip(hands, due, strict=True)]


def _start_cards(position: Position, corner: int, hand: list[int]) -> None:
    for h in load_data()["board"]["corner"][corner]["hexes"]:
        if position.terrain[h] in RESOURCE_IDS:
            hand[RESOURCE_IDS.index(position.terrain[h])] += 1
