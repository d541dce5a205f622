"""Names, letters, colours and places shared by the texts and pictures of Zarahemla."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from sfida.engines.language import LANGUAGES, N_, _, language, listed, named, npgettext, pgettext
from sfida.engines.zarahemla.map import drawing_data
from sfida.engines.zarahemla.position import Position

# ---- Names, letters and colours shared by the text and the picture of Zarahemla

RESOURCES = ("wood", "brick", "water", "wheat", "stone")
SEAT_RGB = {"red": "#c62f2b", "blue": "#2458b8", "white": "#f6f2e6", "orange": "#f08a1c"}
SPECIAL = ("longest_road", "largest_army", "temple")        # the fields of SeatPosition

# Kinds of the last move by the kind of their place.
CORNER_MOVES = frozenset({"settle", "settlement", "city", "choose_start", "choosestart"})
EDGE_MOVES = frozenset({"road"})
HEX_MOVES = frozenset({"move_robber", "moverobber", "robber"})


def seat_names(players: int) -> list[str]:
    """Return the colour names of the seats, such as "Red", in the current language."""
    colours = drawing_data()["player_colors"]
    return [str(name).capitalize() for name in colours.get(f"name_{language()}", colours["ids"])[:players]]


def seat_spellings(seat: int) -> frozenset[str]:
    """Return the colour name of a seat in every language."""
    colours = drawing_data()["player_colors"]
    return frozenset(str(colours[key][seat]) for key in ("ids", *(f"name_{code}" for code in LANGUAGES))
                     if key in colours)


def seat_letters(players: int) -> list[str]:
    """Return one capital letter per seat: the first of its colour that no earlier seat has."""
    letters: list[str] = []
    for name in seat_names(players):
        letters.append(next(c for c in name.upper() if c not in letters))
    return letters


def seat_rgb(seat: int) -> str:
    """Return the paint colour of a seat."""
    return SEAT_RGB[drawing_data()["player_colors"]["ids"][seat]]


@cache
def resource_letters() -> Mapping[str, str]:
    """Return the letter of each resource in the notation (ZAR-22.3)."""
    return {str(entry["id"]): str(entry["letter"]) for entry in drawing_data()["resource"]}


def resource_noun(resource: str, number: int = 1) -> str:
    """Return the noun of a resource after a number."""
    return {
        "wood": npgettext("zarahemla", "wood", "wood", number),
        "brick": npgettext("zarahemla", "brick", "brick", number),
        "water": npgettext("zarahemla", "water", "water", number),
        "wheat": npgettext("zarahemla", "wheat", "wheat", number),
        "stone": npgettext("zarahemla", "stone", "stone", number),
    }[resource]


def terrain_name(terrain: str) -> str:
    """Return the name of a terrain in the data: a resource or the hideout."""
    return pgettext("zarahemla", "hideout") if terrain == "hideout" else resource_noun(terrain)


def card_names() -> Mapping[str, str]:
    """Return the names of the development cards by their ids in the data."""
    return {str(card["id"]): named(card) for card in drawing_data()["dev_card"]} | {
        "victory_point": _("Victory Point")}


@cache
def costs() -> Mapping[str, tuple[int, ...]]:
    """Return the price of each thing, in resource order (ZAR-8.1)."""
    return {str(name): tuple(cost) for name, cost in drawing_data()["costs"].items()}


@cache
def pips(number: int) -> int:
    """Return the number of dots under a number: its rolls out of 36 (ZAR-1.6); 0 for no number."""
    return int(drawing_data()["dice"]["pips"].get(str(number), 0))


def dice_pair(total: int) -> tuple[int, int]:
    """Return two dice with a total, different ones if possible; the game itself draws only the total (ZAR-6.1)."""
    low = (total - 1) // 2 if total not in (2, 12) else total // 2
    return low, total - low


def cards_text(counts: Sequence[int]) -> str:
    """Return resource cards in words, such as "2 wood and 1 stone"; "" for none."""
    return listed([resource_cards(name, n) for n, name in zip(counts, RESOURCES, strict=True) if n])


def resource_cards(resource: str, number: int) -> str:
    """Return a number of cards of one resource in words, such as "2 wood"."""
    return f"{number} {resource_noun(resource, number)}"


def ratio(kind: str) -> int:
    """Return the number of cards that a kind of station takes for one card (ZAR-12)."""
    rules = drawing_data()["station_types"]
    return int(rules["generic_ratio"] if kind == "any" else rules["special_ratio"])


def has_temple(position: Position) -> bool:
    """Return whether the temple is in play: somebody has placed stones or may still place some."""
    return any(seat.stones or seat.stones_left for seat in position.seats)


def elsewhere(position: Position, seat: int) -> tuple[int, ...] | None:
    """Return the cards of each resource in all the other hands together (ZAR-17.4).

    None if the own hand is hidden. No card is ever lost, so the number of cards of each resource is a fifth of all
    cards in the bank and the hands.
    """
    own = position.seats[seat].hand
    if own is None:
        return None
    each = (sum(position.bank) + sum(other.hand_size for other in position.seats)) // len(RESOURCES)
    return tuple(each - bank - held for bank, held in zip(position.bank, own, strict=True))


_SAID = {                               # sentences by phase
    "setup_layout": N_("The land is laid out."),
    "setup_tokens": N_("The number tokens are laid."),
    "setup_stations": N_("The stations are laid."),
    "setup_first": N_("It is drawn who goes first."),
    "init_settlement": N_("{mover} places a starting settlement."),
    "init_road": N_("{mover} places the road beside it."),
    "init_choose": N_("{mover} chooses the settlement that gives the starting cards."),
    "pre_roll": N_("{mover} rolls the dice, or plays a card first."),
    "dice": N_("{turn} rolls the dice."),
    "discard": N_("{mover} has too many cards and gives up half of them."),
    "robber": N_("{mover} moves the robber."),
    "steal": N_("{mover} chooses whom to rob."),
    "stolen": N_("{turn} draws a card from the victim's hand."),
    "take": N_("{mover} takes cards from the bank."),
    "free_roads": N_("{mover} places free roads."),
    "main": N_("{mover} trades and builds."),
    "draw": N_("{turn} draws a development card."),
    "trade_compose": N_("{mover} makes an offer."),
    "trade_respond": N_("{mover} answers the offer."),
    "trade_pick": N_("{mover} picks a partner for the trade."),
}


def sentence(position: Position) -> str:
    """Return one sentence on the current decision or the result."""
    names = seat_names(position.players)
    turn = names[position.seat_on_turn] if 0 <= position.seat_on_turn < position.players else ""
    mover = names[position.seat_to_move] if 0 <= position.seat_to_move < position.players else turn
    if position.phase == "game_over":
        return _ending(position, names)
    if position.phase not in _SAID:
        return position.phase.replace("_", " ")
    return _(_SAID[position.phase]).format(mover=mover, turn=turn)


def total_points(position: Position, seat: int) -> int:
    """Return the points of a seat, as far as the viewer knows them."""
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
        return _("The game is over: {winner} wins with {points} points.").format(
            winner=names[first].capitalize(), points=points)
    return _("The game is over without a winner; the most points are {points}.").format(points=points)


# ---- Keys of the parts of Zarahemla at which people point

DICE, DECK, TEMPLE = "dice", "deck", "temple"   # the plates in the corners of the frame


def place_key(kind: str, number: int) -> str:
    """Return the key of a "corner", an "edge", a "hex" or a "seat"."""
    return f"{kind}:{number}"


def hand_key(resource: int) -> str:
    """Return the key of a resource in the mover's hand."""
    return f"hand:{RESOURCES[resource]}"


def bank_key(resource: int) -> str:
    """Return the key of a resource in the bank."""
    return f"bank:{RESOURCES[resource]}"


def card_key(name: str) -> str:
    """Return the key of a development card of the mover, given by its id in the data."""
    return f"card:{name}"
