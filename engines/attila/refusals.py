"""Why a move of Attila is not legal now, in the words of a player."""

from __future__ import annotations

from sfida.engines.attila.looks import of_tribe, on_board, peaceful_limit, the_tribe, tile_names, tribes
from sfida.engines.attila.moves import LETTERS, TILES, Move
from sfida.engines.attila.position import NOTHING, Position
from sfida.engines.attila.sentences import headline
from sfida.engines.language import N_, _

_WINDOWS = {
    "double_turn": N_("Double turn is used at the end of a turn"),
    "exchange": N_("Exchange is used before a card, before your first card of a conflict, or at the end of a turn"),
    "influence_2": N_("Influence 2 is used before your first card of a conflict, a scoring, or the end of a turn")}


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
            return _("a card comes first, then its token")
        return _no_place(position, move.what) if phase in ("place", "follow") else ""
    if move.kind == "dump" and phase == "play":
        return _no_card(position, tribe) or _("you hold a card that can be played")
    if move.kind == "commit" and phase == "commit":
        there = position.land.provinces[position.queue[0]].name
        absent = not position.tokens[position.queue[0]][tribe]
        if absent:
            return _("there are no {tribe} in {province}").format(tribe=tribes()[tribe].name, province=there)
        return _no_card(position, tribe) or _("cards laid one by one go in the order {letters}").format(
            letters=" ".join(LETTERS))
    if move.kind == "give" and phase == "give":
        return _no_card(position, tribe) or _("cards put aside one by one go in the order {letters}").format(
            letters=" ".join(LETTERS))
    if move.kind in TILES:
        return _no_tile(position, TILES[move.kind])
    if move.kind in ("inf_a", "inf_b") and phase in ("inf_a", "inf_b"):
        full = position.seats[position.seat_to_move].influence[tribe] >= position.land.last_space
        return (_("your marker is on the last space") if full
                else _("the second step is in the tribe of the first, or in a later one"))
    if move.kind == "end_turn" and phase == "play":
        return _("a card must be played first")
    return ""


def _no_card(position: Position, tribe: int) -> str:
    who = position.seats[position.seat_to_move]
    if who.hand is None or who.hand[tribe]:
        return ""
    had = position.given[tribe] + (who.laid_cards or NOTHING)[tribe]
    said = _("you hold no more card {of_tribe}") if had else _("you hold no card {of_tribe}")
    return said.format(of_tribe=of_tribe(tribe))


def _closed(position: Position, tribe: int) -> str:
    """Say why a tribe has no place at all (ATT-4.8, 4.10)."""
    if not position.supply[tribe]:
        return _no_token(tribe)
    return _("no province is open to {the_tribe}").format(the_tribe=the_tribe(tribe))


def _no_token(tribe: int) -> str:
    return _("no token {of_tribe} is left").format(of_tribe=of_tribe(tribe))


def _no_place(position: Position, province: int) -> str:
    """Say why no token of the card in play goes to a province (ATT-4.2 to 4.8)."""
    if not position.supply[position.card]:
        return _no_token(position.card)
    if position.pacified[province]:
        said = _("{province} is at peace")
    elif sum(position.tokens[province]) > peaceful_limit():
        said = _("{province} is full")
    elif not on_board(position)[position.card]:
        said = _("no {tribe} are on the map, so they begin in a start province, and {province} is none")
    else:
        said = _("{the_tribe} are neither in {province} nor next to it, and it is no start province")
    return said.format(province=position.land.provinces[province].name, tribe=tribes()[position.card].name,
                       the_tribe=the_tribe(position.card))


def _no_tile(position: Position, tile: str) -> str:
    """Say why a tile cannot be used (ATT-9)."""
    if position.seat_to_move != position.seat_on_turn:
        return _("only the player whose turn it is uses tiles")
    if tile not in position.seats[position.seat_to_move].tiles:
        return _("your tile {tile} is gone").format(tile=tile_names()[tile])
    if position.tile_used:
        return _("one tile a turn, and you have used one")
    if tile == "exchange" and position.ending:
        return _("nobody exchanges cards in the last turn")
    if tile == "double_turn" and position.phase == "end":
        return _("you hold no card that can be played")
    return _(_WINDOWS[tile])
