"""The position of a state as plain data, as one viewer sees it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sfida.engines.zarahemla.moves import decode
from sfida.engines.zarahemla.position import Five, Position, SeatPosition
from sfida.engines.zarahemla.rules import load_data
from sfida.engines.zarahemla.tables import CARD_IDS, RESOURCE_IDS, TERRAIN_IDS

if TYPE_CHECKING:
    from sfida.cython_ext.zarahemla.core import ZarahemlaState

STATION_KINDS = (*RESOURCE_IDS, "any")


def position_of(state: ZarahemlaState, seat: int | None) -> Position:
    """Return the position as `seat` sees it; None: what everybody sees."""
    raw = state.snapshot()
    hands = state.known_hands(-1 if seat is None else seat)
    over = raw["phase"] == "game_over"
    last = decode(raw["last"]) if raw["last"] >= 0 else None
    if last is not None and last.kind in ("draw_dev", "stolen_card"):
        last = None
    giver = next((i for i in (raw["to_move"], raw["on_turn"])
                  if 0 <= i < state.players and any(raw["give"][i] + raw["want"][i])), None)
    return Position(
        players=state.players,
        phase=raw["phase"],
        seat_on_turn=raw["on_turn"],
        seat_to_move=raw["to_move"],
        terrain=tuple(TERRAIN_IDS[k] if k < len(TERRAIN_IDS) else "" for k in raw["terrain"]),
        numbers=tuple(raw["numbers"]),
        stations=tuple((row["edge"], STATION_KINDS[kind])
                       for row, kind in zip(load_data()["station"], raw["stations"], strict=True)),
        robber=raw["robber"],
        buildings=tuple(raw["buildings"]),
        roads=tuple(raw["roads"]),
        bank=_five(raw["bank"]),
        deck=raw["deck"],
        seats=tuple(_seat(state, raw, i, hands[i], over or i == seat) for i in range(state.players)),
        dice=raw["dice"],
        offer=None if giver is None else (giver, _five(raw["give"][giver]), _five(raw["want"][giver])),
        last=None if last is None else (last.kind, last.arg),
        winner=raw["winner"] if over and raw["winner"] >= 0 else None,
    )


def _seat(state: ZarahemlaState, raw: dict[str, Any], seat: int, hand: Five | None, open_cards: bool) -> SeatPosition:
    row = raw["seats"][seat]
    cards = state.dev_cards(seat)[0] if open_cards or row["cards"] == 0 else None
    points = load_data()["scoring"]["vp_card"]
    return SeatPosition(
        hand=hand, hand_size=row["size"],
        cards=None if cards is None else named(cards), card_count=row["cards"], played=named(row["played"]),
        warriors=row["played"][0], stones=row["stones"], road_length=row["length"],
        roads_left=row["roads_left"], settlements_left=row["settlements_left"], cities_left=row["cities_left"],
        stones_left=row["stones_left"], points=row["points"],
        secret_points=None if cards is None else points * cards[CARD_IDS.index("victory_point")],
        longest_road=raw["holders"][0] == seat, largest_army=raw["holders"][1] == seat,
        temple=raw["holders"][2] == seat)


def _five(counts: Any) -> Five:
    wood, brick, water, wheat, stone = counts
    return wood, brick, water, wheat, stone


def named(counts: list[int]) -> tuple[tuple[str, int], ...]:
    return tuple((name, n) for name, n in zip(CARD_IDS, counts, strict=True) if n)
