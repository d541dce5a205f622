"""Logs of catanatron 3.2.1 replayed under our rules (ZAR-24); `python -m bench catanatron-log` writes them."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sfida.cython_ext.zarahemla.core import ZarahemlaState
from sfida.engines.zarahemla.options import STATION_LETTERS, TERRAIN_LETTERS
from sfida.engines.zarahemla.position import decode, encode
from sfida.engines.zarahemla.tables import CARD_IDS, RESOURCE_IDS, edge_of_corners, load_data
from support.zarahemla import start

DATA = load_data()
TABLES = DATA["catanatron"]
RESOURCE = {row["catanatron"]: row["index"] for row in DATA["resource"]}
CARD = {row["catanatron"]: row["index"] for row in DATA["dev_card"] if "catanatron" in row}
CARD_ORDER = [CARD[name] for name in ("KNIGHT", "YEAR_OF_PLENTY", "MONOPOLY", "ROAD_BUILDING", "VICTORY_POINT")]
HEX = {tuple(cube): h for h, cube in enumerate(TABLES["hex_to_cube"])}
CORNER = TABLES["node_to_corner"]
EDGES = [row["corners"] for row in DATA["board"]["edge"]]
SPEC = "zarahemla:preset=catan_replay"


@dataclass
class Report:
    """The comparisons made in one replay."""

    actions: int = 0
    lists: int = 0
    listed: int = 0
    road_differs_at: int | None = None
    surplus: set[str] = field(default_factory=set)


def read_logs(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the logged games."""
    with gzip.open(path, "rt") as file:
        yield from map(json.loads, file)


def board(log: dict[str, Any]) -> dict[str, str]:
    """Return the board of a log as options (ZAR-24.1, 24.2)."""
    terrain, numbers = ["h"] * 19, ["0"] * 19
    letter = {name: one for one, name in TERRAIN_LETTERS.items()}
    for cube, resource, number in log["tiles"]:
        if resource is not None:
            terrain[HEX[tuple(cube)]] = letter[RESOURCE_IDS[RESOURCE[resource]]]
            numbers[HEX[tuple(cube)]] = str(number)
    sign = {name: one for one, name in STATION_LETTERS.items()}
    at_edge = {TABLES["port_id_to_edge"][port]: kind for port, kind in log["ports"]}
    stations = [at_edge[row["edge"]] for row in DATA["station"]]
    return {"terrain": "".join(terrain), "numbers": ".".join(numbers), "stations": "".join(
        "3" if kind is None else sign[RESOURCE_IDS[RESOURCE[kind]]] for kind in stations)}


def translate(kind: str, value: Any, logged: bool) -> list[int]:
    """Return our moves for an action (ZAR-24.3); `logged`: with its chance outcomes."""
    if kind in ("BUILD_SETTLEMENT", "BUILD_CITY"):
        return [encode("settle" if kind == "BUILD_SETTLEMENT" else "city", CORNER[value])]
    if kind == "BUILD_ROAD":
        return [encode("road", edge_of_corners()[CORNER[value[0]], CORNER[value[1]]])]
    if kind == "ROLL":
        return [encode("roll"), *([encode("dice", sum(value) - 2)] if logged else [])]
    if kind == "DISCARD":
        return [encode("discard", r) for r in sorted(RESOURCE[name] for name in value)]
    if kind == "MOVE_ROBBER":
        moves = [encode("move_robber", HEX[tuple(value[0])])]
        if value[1] is not None:
            moves.append(encode("steal_from", value[1]))
            moves += [encode("stolen_card", RESOURCE[value[2]])] if logged else []
        return moves
    if kind == "BUY_DEVELOPMENT_CARD":
        return [encode("buy_dev"), *([encode("draw_dev", CARD[value])] if logged else [])]
    if kind == "PLAY_MONOPOLY":
        return [encode("play_prosperity", RESOURCE[value])]
    if kind == "PLAY_YEAR_OF_PLENTY":
        taken = [encode("take", r) for r in sorted(RESOURCE[name] for name in value if name)]
        return [encode("play_harvest"), *taken, *([encode("take_stop")] if len(taken) == 1 else [])]
    if kind == "MARITIME_TRADE":
        return [encode("bank_trade", 5 * RESOURCE[value[0]] + RESOURCE[value[4]])]
    return [encode({"END_TURN": "end_turn", "PLAY_KNIGHT_CARD": "play_warrior",
                    "PLAY_ROAD_BUILDING": "play_road_building"}[kind])]


class TheirRoad:
    """The longest road as the package counts it (ZAR-24.6)."""

    def __init__(self, players: int) -> None:
        self.counted: list[set[int]] = [set() for _ in range(players)]
        self.stored = [0] * players
        self.best, self.holder = 0, -1

    def follow(self, before: ZarahemlaState, code: int) -> None:
        """Update with one of our moves, before it is played."""
        move, raw = decode(code), before.snapshot()
        seat = raw["seat_to_move"]
        roads = [{tuple(EDGES[e]) for e, owner in raw["roads"] if owner == s} for s in range(before.players)]
        owner_of = {c: owner for c, owner, _ in raw["buildings"]}
        if move.kind == "settle":
            self.counted[seat].add(move.arg)
            owner_of[move.arg] = seat
            for other in range(before.players):
                ends = [b if a == move.arg else a for a, b in roads[other] if move.arg in (a, b)]
                if other != seat and len(ends) == 2 and raw["phase"] == "main":
                    self._cut(other, ends, roads[other], owner_of)
        elif move.kind == "road":
            pair = EDGES[move.arg]
            self.counted[seat] |= {c for c in pair if owner_of.get(c, seat) == seat}
            length = self._length(seat, roads[seat] | {tuple(pair)}, owner_of)
            self.stored[seat] = max(self.stored[seat], length)
            if length >= 5 and length > self.best:
                self.best, self.holder = length, seat

    def _cut(self, seat: int, ends: list[int], roads: set[tuple[int, int]], owner_of: dict[int, int]) -> None:
        todo, met = list(ends), set(ends)
        while todo:
            corner = todo.pop()
            if owner_of.get(corner, seat) != seat:
                continue
            for a, b in roads:
                if corner in (a, b) and a + b - corner not in met:
                    met.add(a + b - corner)
                    todo.append(a + b - corner)
        self.counted[seat] |= met
        self.stored[seat] = self._length(seat, roads, owner_of)
        self.best = max(self.stored)
        self.holder = self.stored.index(self.best)

    def _length(self, seat: int, roads: set[tuple[int, int]], owner_of: dict[int, int]) -> int:
        def walk(corner: int, left: frozenset[tuple[int, int]]) -> int:
            return max((1 + walk(a + b - corner, left - {(a, b)}) for a, b in left
                        if corner in (a, b) and owner_of.get(a + b - corner, seat) == seat), default=0)

        return max((walk(c, frozenset(roads)) for c in self.counted[seat]), default=0)


def replay(log: dict[str, Any], their_road: bool = False) -> Report:
    """Play a log by our rules; raises AssertionError where the two differ (ZAR-24.7).

    With `their_road` the package's longest road is tracked, too, and must be as described.
    """
    state = start(SPEC, players=log["players"], **board(log))
    report = Report()
    theirs = TheirRoad(log["players"]) if their_road else None
    pending: dict[int, list[int]] = {}
    for number, action in enumerate(log["actions"]):
        where = f"action {number}: {action['type']} {action['value']}"
        if action["type"] == "DISCARD":
            pending[action["seat"]] = translate("DISCARD", action["value"], True)
        else:
            assert state.to_move == action["seat"], where
            compare_lists(state, action, report, where)
            for code in translate(action["type"], action["value"], True):
                assert code in state.legal_moves(), where
                if theirs is not None:
                    theirs.follow(state, code)
                state.apply(code)
        if theirs is not None:
            assert [int(i == theirs.holder) for i in range(state.players)] == [
                row[5] for row in action["after"]["seats"]], where
        report.actions += 1
        after = log["actions"][number + 1]["type"] if number + 1 < len(log["actions"]) else ""
        if after == "DISCARD":
            continue
        while pending:
            for code in pending.pop(state.to_move):
                assert code in state.legal_moves(), where
                state.apply(code)
        compare_holdings(state, action, report, where, number)
    return report


def compare_lists(state: ZarahemlaState, action: dict[str, Any], report: Report, where: str) -> None:
    """Check that each action that the package lists is legal by our rules, step by step."""
    report.lists += 1
    ours = set(state.legal_moves())
    first = set()
    for kind, value in action["listed"]:
        report.listed += 1
        work = state.clone()
        for code in translate(kind, value, False):
            assert code in work.legal_moves(), f"{where}: we do not allow {kind} {value}"
            work.apply(code)
        first.add(translate(kind, value, False)[0])
    report.surplus |= {decode(code).kind for code in ours - first}


def compare_holdings(state: ZarahemlaState, action: dict[str, Any], report: Report, where: str, number: int) -> None:
    raw, theirs = state.snapshot(), action["after"]
    assert list(raw["bank"]) == theirs["bank"], where
    assert raw["deck"] == theirs["deck"], where
    assert raw["robber"] == HEX[tuple(theirs["robber"])], where
    assert state.to_move == theirs["to_move"], where
    road = []
    for seat, (hand, held, played, left, points, has_road, has_army, length) in enumerate(theirs["seats"]):
        row = raw["seats"][seat]
        assert list(state.hand(seat)) == hand, where
        assert [state.dev_cards(seat)[0][d] for d in CARD_ORDER] == held, where
        assert [dict(row["played"]).get(CARD_IDS[d], 0) for d in CARD_ORDER] == played, where
        assert [row["roads_left"], row["settlements_left"], row["cities_left"]] == left, where
        assert row["largest_army"] == bool(has_army), where
        assert row["points"] - 2 * row["longest_road"] == points - 2 * has_road, where
        road.append((bool(has_road), length))
    ours = [(one["longest_road"], one["road_length"]) for one in raw["seats"]]
    if report.road_differs_at is None and [has for has, _ in ours] != [has for has, _ in road]:
        report.road_differs_at = number


assert len(CARD_IDS) == 7
