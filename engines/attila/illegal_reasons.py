"""Reasons why a move or a chance outcome of Attila is not legal now, in the words of a player."""

from __future__ import annotations

from sfida.engines.attila.options import AttilaOptions
from sfida.engines.attila.position import LETTERS, NOTHING, TILES, Move, Position
from sfida.engines.attila.style import of_tribe, on_board, peaceful_limit, the_tribe, tile_names, tribes
from sfida.engines.language import N_, _
from sfida.engines.moves import Reason

_WINDOWS = {
    "double_turn": N_("Double turn is used at the end of a turn"),
    "exchange": N_("Exchange is used before a card, before your first card of a conflict, or at the end of a turn"),
    "influence_2": N_("Influence 2 is used before your first card of a conflict, a scoring, or the end of a turn")}
PHASES: dict[str, tuple[str, ...]] = {  # phases of each kind of move
    "card": ("play",), "dump": ("play",), "skip": ("play",), "at": ("place",), "second": ("follow",),
    "influence": ("follow",), "fight": ("order",), "commit": ("commit",), "done": ("commit",), "go_on": ("prescore",),
    "end_turn": ("end",), "give": ("give",), "give_done": ("give",), "inf_a": ("inf_a",), "inf_b": ("inf_b",),
    "draw": ("deal", "draw"), "draw_hidden": (), "commit_hidden": (), "first": ("first",)}
# The decision of each phase, which comes before anything else.
FIRST = {
    "place": (N_("the token of the card is placed first"), "ATT-4.1"),
    "follow": (N_("first comes the influence of the card, or a second token"), "ATT-5.7"),
    "order": (N_("say first which conflict is carried out first"), "ATT-13.6"),
    "commit": (N_("cards are laid for the conflict first: 'done' lays no more"), "ATT-6.2"),
    "prescore": (N_("the century is scored first: 'score' continues"), "ATT-8.11"),
    "give": (N_("cards are put aside for the exchange first: 'draw' ends it"), "ATT-9.5"),
    "inf_a": (N_("the two steps of Influence 2 come first"), "ATT-9.6"),
    "inf_b": (N_("the second step of Influence 2 comes first"), "ATT-9.6"),
    "deal": (N_("the cards are dealt first"), "ATT-2.4"),
    "draw": (N_("the cards are drawn first"), "ATT-10.1"),
    "first": (N_("it is drawn first who begins"), "ATT-13.1"),
}
# Reasons against a kind of move when a card is due, or at the end of a turn.
LATER = {
    "card": (N_("the cards of this turn are played"), "ATT-3.1"), "dump": (N_("the cards of this turn are played"),
                                                                           "ATT-3.1"),
    "skip": (N_("the cards of this turn are played"), "ATT-3.1"),
    "at": (N_("a card comes first, then its token"), "ATT-4.1"),
    "second": (N_("a card comes first, then its tokens"), "ATT-5.5"),
    "influence": (N_("a card comes first, then its token and its influence"), "ATT-5.1"),
    "fight": (N_("no two conflicts are to be carried out"), "ATT-6.13"),
    "commit": (N_("cards are laid in a conflict"), "ATT-6.1"), "done": (N_("cards are laid in a conflict"), "ATT-6.1"),
    "commit_hidden": (N_("cards are laid in a conflict"), "ATT-6.1"),
    "go_on": (N_("no century is to be scored"), "ATT-8.1"),
    "end_turn": (N_("a card must be played first"), "ATT-3.4"),
    "give": (N_("cards are put aside with the tile Exchange: *X"), "ATT-9.5"),
    "give_done": (N_("cards are put aside with the tile Exchange: *X"), "ATT-9.5"),
    "inf_a": (N_("steps are taken with the tile Influence 2: *I"), "ATT-9.6"),
    "inf_b": (N_("steps are taken with the tile Influence 2: *I"), "ATT-9.6"),
    "draw": (N_("cards are drawn when a turn ends"), "ATT-10.1"),
    "draw_hidden": (N_("cards are drawn when a turn ends"), "ATT-10.1"),
    "first": (N_("it is settled who begins"), "ATT-2.7"),
}


def why_not(position: Position, move: Move, options: AttilaOptions) -> Reason | None:
    """Return the reason why a move or a chance outcome is illegal, from the mover's information; None for no reason.

    Parameters
    ----------
    position : Position
        The position as the mover sees it.
    move : Move
        An illegal move.
    options : AttilaOptions
    """
    if move.kind in TILES and position.phase not in ("deal", "draw", "first"):
        return _no_tile(position, TILES[move.kind])
    if position.phase not in PHASES.get(move.kind, ()):
        return _not_now(position, move)
    return _here(position, move, options)


def why_no_pass(position: Position) -> Reason:
    """Return the reason why a phase does not allow a pass."""
    told = FIRST.get(position.phase, (N_("a card must be played: nobody may decline"), "ATT-3.4"))
    return Reason(_(told[0]), told[1])


def _not_now(position: Position, move: Move) -> Reason | None:
    if move.kind == "second" and position.phase == "place":
        return Reason(_("the first token comes first: @, then the province"), "ATT-5.5")
    told = FIRST.get(position.phase) or LATER.get(move.kind)
    return None if told is None else Reason(_(told[0]), told[1])


def _here(position: Position, move: Move, options: AttilaOptions) -> Reason | None:
    """Return the rule that forbids a move of the expected kind."""
    tribe, kind = move.what, move.kind
    if kind == "card":
        return _no_card(position, tribe, "ATT-4.1") or _closed(position, tribe)
    if kind in ("at", "second"):
        return _no_place(position, tribe)
    if kind in ("dump", "skip"):
        return _no_dump(position, move, options)
    if kind == "commit":
        there = position.land.provinces[position.queue[0]].name
        if not position.tokens[position.queue[0]][tribe]:
            return Reason(_("there are no {tribe} in {province}").format(tribe=tribes()[tribe].name, province=there),
                          "ATT-6.3")
        return _no_card(position, tribe, "ATT-6.2") or Reason(
            _("cards laid one by one go in the order {letters}").format(letters=" ".join(LETTERS)), "ATT-14.3")
    if kind == "give":
        return _no_card(position, tribe, "ATT-9.5") or Reason(
            _("cards put aside one by one go in the order {letters}").format(letters=" ".join(LETTERS)), "ATT-14.3")
    if kind == "give_done":
        return Reason(_("at least one card is put aside"), "ATT-9.5")
    if kind in ("inf_a", "inf_b"):
        full = position.seats[position.seat_to_move].influence[tribe] >= position.land.last_space
        return Reason(_("your marker is on the last space"), "ATT-5.8") if full else Reason(
            _("the second step is in the tribe of the first, or in a later one"), "ATT-14.3")
    if kind == "fight":
        return Reason(_("no conflict is to be carried out in {province}").format(
            province=position.land.provinces[tribe].name), "ATT-6.13")
    if kind == "draw":
        return Reason(_("no card {of_tribe} is left in the draw pile").format(of_tribe=of_tribe(tribe)), "ATT-15.1")
    if kind == "first":
        return Reason(_("the seats are 0 to {last}").format(last=position.players - 1), "ATT-13.1")
    return None


def _no_dump(position: Position, move: Move, options: AttilaOptions) -> Reason:
    """Return the reason against discarding a dead card, or against playing nothing (ATT-4.10)."""
    missing = _no_card(position, move.what, "ATT-4.10") if move.kind == "dump" else None
    if missing is not None:
        return missing
    hand = position.seats[position.seat_to_move].hand or NOTHING
    if any(count and _closed(position, tribe, may_be_open=True) is None for tribe, count in enumerate(hand)):
        return Reason(_("you hold a card that can be played"), "ATT-4.10")
    if options.no_live_card == "skip":
        return Reason(_("in this game dead cards are kept: '--' plays nothing"), "ATT-13.7")
    return Reason(_("one dead card is discarded: '~' and its tribe"), "ATT-4.10")


def _no_card(position: Position, tribe: int, clause: str) -> Reason | None:
    who = position.seats[position.seat_to_move]
    if who.hand is None or who.hand[tribe]:
        return None
    had = position.given[tribe] + (who.laid_cards or NOTHING)[tribe]
    said = _("you hold no more card {of_tribe}") if had else _("you hold no card {of_tribe}")
    return Reason(said.format(of_tribe=of_tribe(tribe)), clause)


def _closed(position: Position, tribe: int, *, may_be_open: bool = False) -> Reason | None:
    """Return the reason why a tribe has no place at all (ATT-4.8, 4.10); with `may_be_open` None if it has one."""
    if not position.supply[tribe]:
        return _no_token(tribe)
    if may_be_open and any(_shut(position, tribe, number) is None for number in range(len(position.tokens))):
        return None
    return Reason(_("no province is open to {the_tribe}").format(the_tribe=the_tribe(tribe)), "ATT-4.10")


def _no_token(tribe: int) -> Reason:
    return Reason(_("no token {of_tribe} is left").format(of_tribe=of_tribe(tribe)), "ATT-4.8")


def _no_place(position: Position, province: int) -> Reason | None:
    """Return the reason why no token of the card in play goes to a province (ATT-4.2 to 4.8)."""
    if not 0 <= province < len(position.tokens):
        return None
    return (_shut(position, position.card, province) if position.supply[position.card] else
            _no_token(position.card))


def _shut(position: Position, tribe: int, province: int) -> Reason | None:
    """Return the reason why a province is closed to a tribe; None: the province is open."""
    land = position.land
    if position.pacified[province]:
        said, clause = _("{province} is at peace"), "ATT-4.5"
    elif sum(position.tokens[province]) > peaceful_limit():
        said, clause = _("{province} is full"), "ATT-4.6"
    elif land.provinces[province].start or position.tokens[province][tribe] or any(
            position.tokens[other][tribe] for link in land.links if province in (link.a, link.b)
            for other in (link.a, link.b)):
        return None
    elif not on_board(position)[tribe]:
        said = _("no {tribe} are on the map, so they begin in a start province, and {province} is none")
        clause = "ATT-4.2"
    else:
        said = _("{the_tribe} are neither in {province} nor next to it, and it is no start province")
        clause = "ATT-4.3"
    return Reason(said.format(province=land.provinces[province].name, tribe=tribes()[tribe].name,
                              the_tribe=the_tribe(tribe)), clause)


def _no_tile(position: Position, tile: str) -> Reason:
    """Return the reason why a tile cannot be used (ATT-9)."""
    who = position.seats[position.seat_to_move]
    if position.seat_to_move != position.seat_on_turn:
        return Reason(_("only the player whose turn it is uses tiles"), "ATT-9.1")
    if tile not in who.tiles:
        return Reason(_("your tile {tile} is gone").format(tile=tile_names()[tile]), "ATT-9.2")
    if position.tile_used:
        return Reason(_("one tile a turn, and you have used one"), "ATT-9.1")
    if tile == "exchange" and position.ending and position.phase == "end":
        return Reason(_("nobody draws at the end of the last turn, so no cards are exchanged"), "ATT-10.6")
    if tile == "exchange" and not who.hand_size:
        return Reason(_("you hold no card to exchange"), "ATT-14.2")
    if tile == "influence_2" and min(who.influence) >= position.land.last_space:
        return Reason(_("all your markers are on the last space"), "ATT-14.2")
    if tile == "double_turn" and position.phase == "end":
        return Reason(_("you hold no card that can be played"), "ATT-9.4")
    if position.phase in ("inf_a", "inf_b", "give"):
        told = FIRST[position.phase]
        return Reason(_(told[0]), told[1])
    return Reason(_(_WINDOWS[tile]), "ATT-9.8")
