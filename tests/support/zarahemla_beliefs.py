"""A seat's knowledge of all hands as a plain weighted set of worlds (ZAR-17.5).

A separate implementation in Python for comparison with the core: every event updates every world.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from sfida.cython_ext.zarahemla.core import ZarahemlaState
from sfida.engines.zarahemla.game import Zarahemla
from sfida.engines.zarahemla.position import decode
from sfida.engines.zarahemla.tables import load_data

World = tuple[tuple[int, ...], ...]
COSTS = load_data()["costs"]
PAID = {"settle": "settlement", "road": "road", "city": "city", "buy_dev": "dev_card", "temple_stone": "temple_stone"}


class Beliefs:
    """The worlds of one seat, or of the public (-1)."""

    def __init__(self, seat: int, state: ZarahemlaState) -> None:
        self.seat = seat
        assert isinstance(state.game, Zarahemla)
        self.gifts = state.game.ruleset.trade_gifts
        self.worlds: dict[World, float] = {tuple(state.hand(i) for i in range(state.players)): 1.0}

    def _map(self, change: Callable[[list[list[int]]], None]) -> None:
        """Change the hands of every world; worlds with a negative number of cards are dropped."""
        worlds: dict[World, float] = {}
        for world, weight in self.worlds.items():
            hands = [list(hand) for hand in world]
            change(hands)
            if min(min(hand) for hand in hands) >= 0:
                key = tuple(map(tuple, hands))
                worlds[key] = worlds.get(key, 0.0) + weight
        self.worlds = worlds

    def _give(self, seat: int, cards: Iterable[int], sign: int) -> None:
        def change(hands: list[list[int]]) -> None:
            for r, n in enumerate(cards):
                hands[seat][r] += sign * n

        self._map(change)

    def _proof(self, seat: int, cards: Iterable[int]) -> None:
        wanted = list(cards)
        self._give(seat, wanted, -1)
        self._give(seat, wanted, 1)

    def see(self, before: ZarahemlaState, code: int, after: ZarahemlaState) -> None:
        """Update all worlds with one event."""
        move = decode(code)
        raw = before.snapshot()
        seat, mover = raw["seat_on_turn"], raw["seat_to_move"]
        kind, arg = move.kind, move.arg
        unit = [[int(r == k) for r in range(5)] for k in range(5)]
        if kind in PAID and raw["phase"] in ("main", "pre_roll"):
            self._give(seat, COSTS[PAID[kind]], -1)
        elif kind == "bank_trade":
            give, get = divmod(arg, 5)
            self._give(seat, [before.rates(seat)[give] * x for x in unit[give]], -1)
            self._give(seat, unit[get], 1)
        elif kind == "discard":
            self._give(mover, unit[arg], -1)
        elif kind in ("dice", "play_liahona", "choose_start", "take") or (kind == "settle"):
            for i in range(before.players):         # all seats see the cards that the bank gives
                gained = [b - a for a, b in zip(before.hand(i), after.hand(i), strict=True)]
                self._give(i, gained, 1)
        elif kind == "stolen_card":
            self._theft(seat, raw["placed"], arg)
        elif kind == "play_prosperity":
            self._prosperity(before, seat, arg)
        elif kind in ("trade_give", "trade_accept"):
            cards = after.snapshot()["gives"][mover] if kind == "trade_give" else raw["wants"][seat]
            self._proof(mover, cards)
        elif kind == "trade_pick":
            self._deal(raw, seat, arg)

    def _theft(self, thief: int, victim: int, card: int) -> None:
        worlds: dict[World, float] = {}
        for world, weight in self.worlds.items():
            for r in [card] if self.seat in (thief, victim) else range(5):
                if world[victim][r]:
                    hands = [list(hand) for hand in world]
                    hands[victim][r] -= 1
                    hands[thief][r] += 1
                    key = tuple(map(tuple, hands))
                    share = weight * world[victim][r] / sum(world[victim])
                    worlds[key] = worlds.get(key, 0.0) + share
        self.worlds = worlds

    def _prosperity(self, before: ZarahemlaState, seat: int, r: int) -> None:
        given = [before.hand(i)[r] for i in range(before.players)]
        self.worlds = {world: weight for world, weight in self.worlds.items()
                       if all(world[i][r] == n for i, n in enumerate(given) if i != seat)}

        def change(hands: list[list[int]]) -> None:
            for i, n in enumerate(given):
                if i != seat:
                    hands[i][r] -= n
                    hands[seat][r] += n

        self._map(change)

    def _deal(self, raw: dict, seat: int, other: int) -> None:
        if raw["answers"][other] == "yes":
            out, back = raw["gives"][seat], raw["wants"][seat]
        else:
            out, back = raw["wants"][other], raw["gives"][other]
        self._give(seat, out, -1)
        self._give(other, back, -1)
        self._give(seat, back, 1)
        self._give(other, out, 1)

    def now(self, state: ZarahemlaState) -> dict[World, float]:
        """Return the worlds with their probabilities, without those in which the mover could not continue."""
        raw = state.snapshot()
        j = raw["seat_to_move"]
        worlds = dict(self.worlds)
        if self.seat >= 0 and j not in (-1, -4, self.seat):
            worlds = {world: weight for world, weight in worlds.items() if _can_go_on(raw, world, j, self.gifts)}
        whole = sum(worlds.values())
        return {world: weight / whole for world, weight in worlds.items()}


def _can_go_on(raw: dict, world: World, j: int, gifts: bool) -> bool:
    hand = world[j]
    if raw["phase"] == "discard":
        return sum(hand[raw["floor"]:]) >= raw["left"]
    if raw["phase"] == "trade_compose" and not any(raw["wants"][j]) and not gifts:
        others = [sum(world[i][r] for i in range(len(world)) if i != j) for r in range(5)]
        given = raw["gives"][j]
        if any(given):
            return any(others[r] and not given[r] for r in range(5))
        return any(hand[g] and others[w] for g in range(5) for w in range(5) if g != w)
    return True
