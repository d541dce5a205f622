"""Why a move of Attila is not legal now, in the words of a player."""

from __future__ import annotations

from sfida.engines.attila.looks import on_board, peaceful_limit, tile_names, tribes
from sfida.engines.attila.moves import LETTERS, Move
from sfida.engines.attila.position import NOTHING, Position
from sfida.engines.attila.sentences import headline

_WINDOWS = {
    "double_turn": "Double turn is used at the end of a turn",
    "exchange": "Exchange is used before a card, before your first card of a conflict, or at the end of a turn",
    "influence_2": "Influence 2 is used before your first card of a conflict, a scoring, or the end of a turn"}
_TILES = {"tile_double": "double_turn", "tile_exchange": "exchange", "tile_influence": "influence_2"}


def why_not(position: Position, move: Move) -> str:
    """Return why a move is refused, as the mover knows; what is decided now where it is simply not its time.

    Parameters
    ----------
    position : Position
        As the mover sees it.
    move : Move
        An illegal one.
    """
    return _reason(position, move) or headline(position).rstrip(".")


def _reason(position: Position, move: Move) -> str:
    """Return the rule that forbids a move, in words; "" for none to name."""
    tribe, phase = move.what, position.phase
    if move.kind == "card" and phase == "play":
        return _no_card(position, tribe) or _closed(position, tribe)
    if move.kind in ("at", "second"):
        if phase == "play":
            return "a card comes first, then its token"
        return _no_place(position, move.what) if phase in ("place", "follow") else ""
    if move.kind == "dump" and phase == "play":
        return _no_card(position, tribe) or "you hold a card that can be played"
    if move.kind == "commit" and phase == "commit":
        there = position.land.provinces[position.queue[0]].name
        absent = not position.tokens[position.queue[0]][tribe]
        return (f"there are no {tribes()[tribe].name} in {there}" if absent else _no_card(position, tribe)
                or f"cards laid one by one go in the order {' '.join(LETTERS)}")
    if move.kind == "give" and phase == "give":
        return _no_card(position, tribe) or f"cards put aside one by one go in the order {' '.join(LETTERS)}"
    if move.kind in _TILES:
        return _no_tile(position, _TILES[move.kind])
    if move.kind in ("inf_a", "inf_b") and phase in ("inf_a", "inf_b"):
        full = position.seats[position.seat_to_move].influence[tribe] >= position.land.last_space
        return ("your marker is on the last space" if full
                else "the second step is in the tribe of the first, or in a later one")
    if move.kind == "end_turn" and phase == "play":
        return "a card must be played first"
    return ""


def _no_card(position: Position, tribe: int) -> str:
    who = position.seats[position.seat_to_move]
    if who.hand is None or who.hand[tribe]:
        return ""
    had = position.given[tribe] + (who.laid_cards or NOTHING)[tribe]
    return f"you hold no {'more ' if had else ''}card of the {tribes()[tribe].name}"


def _closed(position: Position, tribe: int) -> str:
    """Say why a tribe has no place at all (ATT-4.8, 4.10)."""
    name = tribes()[tribe].name
    if not position.supply[tribe]:
        return f"no token of the {name} is left"
    return f"no province is open to the {name}"


def _no_place(position: Position, province: int) -> str:
    """Say why no token of the card in play goes to a province (ATT-4.2 to 4.8)."""
    name, tribe = position.land.provinces[province].name, tribes()[position.card].name
    if not position.supply[position.card]:
        return f"no token of the {tribe} is left"
    if position.pacified[province]:
        return f"{name} is at peace"
    if sum(position.tokens[province]) > peaceful_limit():
        return f"{name} is full"
    if not on_board(position)[position.card]:
        return f"no {tribe} are on the map, so they begin in a start province, and {name} is none"
    return f"the {tribe} are neither in {name} nor next to it, and it is no start province"


def _no_tile(position: Position, tile: str) -> str:
    """Say why a tile cannot be used (ATT-9)."""
    if position.seat_to_move != position.seat_on_turn:
        return "only the player whose turn it is uses tiles"
    if tile not in position.seats[position.seat_to_move].tiles:
        return f"your tile {tile_names()[tile]} is gone"
    if position.tile_used:
        return "one tile a turn, and you have used one"
    if tile == "exchange" and position.ending:
        return "nobody exchanges cards in the last turn"
    if tile == "double_turn" and position.phase == "end":
        return "you hold no card that can be played"
    return _WINDOWS[tile]
