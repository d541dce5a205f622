"""Names, letters and colours that the text and the picture of Zarahemla have in common."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from sfida.engines.wording import listed
from sfida.engines.zarahemla.geometry import drawing_data
from sfida.engines.zarahemla.position import Position

RESOURCES = ("wood", "brick", "water", "wheat", "stone")
SEAT_RGB = {"red": "#c62f2b", "blue": "#2458b8", "white": "#f6f2e6", "orange": "#f08a1c"}
SPECIAL = ("longest_road", "largest_army", "temple")        # the fields of SeatPosition

# Kinds of the last move by what its place names.
CORNER_MOVES = frozenset({"settle", "settlement", "city", "choose_start", "choosestart"})
EDGE_MOVES = frozenset({"road"})
HEX_MOVES = frozenset({"move_robber", "moverobber", "robber"})


def seat_names(players: int) -> list[str]:
    """Return the colour names of the seats."""
    return [str(name) for name in drawing_data()["player_colors"]["ids"][:players]]


def seat_letters(players: int) -> list[str]:
    """Return one capital letter a seat: the first of its colour that no seat before it has."""
    letters: list[str] = []
    for name in seat_names(players):
        letters.append(next(c for c in name.upper() if c not in letters))
    return letters


def seat_rgb(seat: int) -> str:
    """Return the colour that a seat is painted in."""
    return SEAT_RGB[seat_names(seat + 1)[seat]]


@cache
def resource_letters() -> Mapping[str, str]:
    """Return the letter of each resource in the notation (ZAR-22.3)."""
    return {str(entry["id"]): str(entry["letter"]) for entry in drawing_data()["resource"]}


@cache
def card_names() -> Mapping[str, str]:
    """Return the names of the development cards by their ids in the data."""
    names = {str(card["id"]): str(card["name_en"]) for card in drawing_data()["dev_card"]}
    return names | {"victory_point": "Victory Point"}


@cache
def costs() -> Mapping[str, tuple[int, ...]]:
    """Return what each thing costs, in resource order (ZAR-8.1)."""
    return {str(name): tuple(cost) for name, cost in drawing_data()["costs"].items()}


@cache
def pips(number: int) -> int:
    """Return the dots under a number: its chances out of 36 (ZAR-1.6); 0 for no number."""
    return int(drawing_data()["dice"]["pips"].get(str(number), 0))


def cards_text(counts: Sequence[int]) -> str:
    """Return resource cards as people say them, such as "2 wood and 1 stone"; "" for none."""
    return listed([f"{n} {name}" for n, name in zip(counts, RESOURCES, strict=True) if n])


def ratio(kind: str) -> int:
    """Return how many cards a station of a kind takes for one (ZAR-12)."""
    rules = drawing_data()["station_types"]
    return int(rules["generic_ratio"] if kind == "any" else rules["special_ratio"])


def has_temple(position: Position) -> bool:
    """Return whether the temple is in play: somebody has placed stones or may still place some."""
    return any(seat.stones or seat.stones_left for seat in position.seats)


def elsewhere(position: Position, seat: int) -> tuple[int, ...] | None:
    """Return the cards of each resource in all the other hands together (ZAR-17.4).

    None where the own hand is hidden. No card is ever lost, so there are as many of each kind as the bank and the
    hands hold together, divided by five.
    """
    own = position.seats[seat].hand
    if own is None:
        return None
    each = (sum(position.bank) + sum(other.hand_size for other in position.seats)) // len(RESOURCES)
    return tuple(each - bank - held for bank, held in zip(position.bank, own, strict=True))


def sentence(position: Position) -> str:
    """Say in one sentence what is going on."""
    names = seat_names(position.players)
    turn = names[position.seat_on_turn].capitalize() if 0 <= position.seat_on_turn < position.players else ""
    mover = names[position.seat_to_move].capitalize() if 0 <= position.seat_to_move < position.players else turn
    if position.phase == "game_over":
        return _ending(position, names)
    said = {
        "setup_layout": "The land is laid out.",
        "setup_tokens": "The number tokens are laid.",
        "setup_first": "It is drawn who goes first.",
        "init_settlement": f"{mover} places a starting settlement.",
        "init_road": f"{mover} places the road beside it.",
        "init_choose": f"{mover} chooses the settlement that gives the starting cards.",
        "pre_roll": f"{mover} rolls the dice, or plays a card first.",
        "dice": f"{turn} rolls the dice.",
        "discard": f"{mover} has too many cards and gives up half of them.",
        "robber": f"{mover} moves the robber.",
        "steal": f"{mover} chooses whom to rob.",
        "stolen": f"{turn} draws a card from the victim's hand.",
        "take": f"{mover} takes cards from the bank.",
        "free_roads": f"{mover} places free roads.",
        "main": f"{mover} trades and builds.",
        "draw": f"{turn} draws a development card.",
        "trade_compose": f"{mover} makes an offer.",
        "trade_respond": f"{mover} answers the offer.",
        "trade_pick": f"{mover} picks a partner for the trade.",
    }
    return said.get(position.phase, position.phase.replace("_", " "))


def total_points(position: Position, seat: int) -> int:
    """Return the points of a seat as far as the viewer knows them."""
    return position.seats[seat].points + (position.seats[seat].secret_points or 0)


def leaders(position: Position) -> list[int]:
    """Return the winner, or without one the seats with the most points."""
    if position.winner is not None:
        return [position.winner]
    totals = [total_points(position, seat) for seat in range(position.players)]
    return [seat for seat, points in enumerate(totals) if points == max(totals)]


def _ending(position: Position, names: list[str]) -> str:
    first = leaders(position)[0]
    points = total_points(position, first)
    if position.winner is not None:
        return f"The game is over: {names[first].capitalize()} wins with {points} points."
    return f"The game is over without a winner; the most points are {points}."
