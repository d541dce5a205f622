"""Narration of Attila: the decision, each event, conflicts, scorings tribe by tribe (ATT-8), and the end."""

from __future__ import annotations

import math
from collections.abc import Sequence

from sfida.engines.attila.options import AttilaOptions
from sfida.engines.attila.position import OF_TRIBES, TILES, Battle, Move, Position, Six, known_strengths
from sfida.engines.attila.style import (
    PLACED, centuries, is_over, letters_of, named_cards, of_tribe, on_board, ordinal, seat_name, spread, the_tribe,
    tile_names, tribes
)
from sfida.engines.attila.tables import load_data
from sfida.engines.language import N_, _, counted, listed, names_codes, ngettext, npgettext
from sfida.engines.narration import Effect

# ---- Points of the tribes of Attila in a scoring (ATT-8)


def share(markers: Sequence[int], tokens: int, provinces: int, difference: bool = False) -> list[int]:
    """Return the points that a tribe pays each seat, clause by clause (ATT-8.3 to 8.9, 12.4 to 12.8)."""
    ranks = sorted({marker for marker in markers if marker > 0}, reverse=True)
    points = [0] * len(markers)
    if not ranks:
        return points
    first = [seat for seat, marker in enumerate(markers) if marker == ranks[0]]
    second = [seat for seat, marker in enumerate(markers) if len(ranks) > 1 and marker == ranks[1]]
    if len(first) > 1:
        for seat in first:
            points[seat] = math.ceil((tokens + provinces) / len(first))
    elif not second:
        points[first[0]] = tokens + provinces
    else:
        points[first[0]] = tokens
        if len(markers) > 2 or ranks[0] - ranks[1] <= load_data()["scoring"]["two_player_second_max_gap"]:
            for seat in second:
                points[seat] = math.ceil(provinces / len(second))
    if difference and len(markers) == 2:
        points = [max(0, points[0] - points[1]), max(0, points[1] - points[0])]
    return points


def tribe_pays(position: Position, tribe: int, tokens: Sequence[Six], options: AttilaOptions) -> list[int]:
    """Return the points that a tribe would pay each seat if it were scored with the given tokens on the board.

    Parameters
    ----------
    position : Position
    tribe : int
    tokens : sequence of Six
        Tokens by province.
    options : AttilaOptions
    """
    markers = [one.influence[tribe] for one in position.seats]
    return share(markers, sum(here[tribe] for here in tokens), sum(here[tribe] > 0 for here in tokens),
                 options.two_player_difference_scoring)


# ---- Sentences: the current decision, the last move, the last conflict, the end

_ENDINGS = {"peace": N_("the last peace tile is laid"), "tribe": N_("a tribe has no token left"),
            "influence": N_("a marker is on the last space"), "stalemate": N_("no token can be placed any more"),
            "cap": N_("the limit of turns is reached")}
_LAST = {"card": N_("Last move: a card {of_tribe}"), "dump": N_("Last move: a dead card {of_tribe} discarded"),
         "give": N_("Last move: a card {of_tribe} put aside"), "inf_a": N_("Last move: one space up with {the_tribe}"),
         "inf_b": N_("Last move: one space up with {the_tribe}"), "at": N_("Last move: a token in {province}"),
         "second": N_("Last move: a second token in {province}"), "fight": N_("Last move: the order of the conflicts"),
         "influence": N_("Last move: influence gained"), "done": N_("Last move: no more cards laid"),
         "go_on": N_("Last move: on to the scoring"), "end_turn": N_("Last move: the turn ended"),
         "tile_double": N_("Last move: the tile Double turn"), "tile_exchange": N_("Last move: the tile Exchange"),
         "tile_influence": N_("Last move: the tile Influence 2"), "give_done": N_("Last move: cards exchanged"),
         "skip": N_("Last move: no card played"), "first": N_("Last move: the first seat drawn")}


def headline(position: Position) -> str:
    """Describe the current decision in a few words; at the end, the result."""
    return f"{_ending(position) if is_over(position) else _deciding(position)}."


def sentence(position: Position) -> str:
    """Describe the current decision in one sentence, with the facts that matter; at the end, the result."""
    if is_over(position):
        return headline(position)
    counts = _counting(position)
    said = f"{_deciding(position)}{f': {counts}' if counts else ''}."
    if position.ending:
        return said + " " + _("This is the last turn: {reason}.").format(reason=ending_text(position))
    if is_frozen(position):
        return said + " " + _("This is the last turn unless cards are exchanged: no player holds a card to play.")
    return said


def is_frozen(position: Position) -> bool:
    """Return whether the game ends with this turn because every hand is dead, unless cards are drawn (ATT-4.13)."""
    full = position.seats[position.seat_on_turn].hand_size == load_data()["turn"]["hand_size"]
    return position.phase == "end" and position.idle >= position.players and full


def ending_text(position: Position) -> str:
    """Return the reasons for the end of the game."""
    return ", ".join(_(_ENDINGS.get(reason, reason)) for reason in position.ending)


def _ending(position: Position) -> str:
    names = [seat_name(seat) for seat in position.winners]
    if not names:
        return _("The game is over")
    points = counted(position.seats[position.winners[0]].score, "point", "points")
    if len(names) == 1:
        return _("The game is over: {seat} wins with {points}").format(seat=names[0], points=points)
    return _("The game is over: {seats} share the victory with {points}").format(seats=listed(names), points=points)


# ---- the current decision -----------------------------------------------------------------------------


def emptied_century(position: Position) -> int:
    """Return the last century whose peace tiles are all laid; 0 for none."""
    return max((one.number for one, left in zip(centuries(), position.peace, strict=True) if left == 0), default=0)


def _deciding(position: Position) -> str:
    """Describe the current decision, without a full stop."""
    turn = seat_name(position.seat_on_turn) if 0 <= position.seat_on_turn < position.players else ""
    mover = seat_name(position.seat_to_move) if 0 <= position.seat_to_move < position.players else turn
    names = [position.land.provinces[number].name for number in position.queue]
    more = min(position.plays_left, position.seats[position.seat_on_turn].hand_size - 1) if turn else 0
    said = {
        "deal": _("The cards are dealt"),
        "first": _("It is drawn who begins"),
        "play": (_("{mover} discards a dead card") if "dump" in position.legal else
                 _("{mover} plays nothing: all cards are dead") if "skip" in position.legal else
                 _("{mover} plays a card, then {more} more") if more > 0 else _("{mover} plays a card")),
        "place": _("{mover} places a token {of_tribe}"),
        "follow": (_("{mover} gains {gain} influence with {the_tribe}")
                   if position.legal and "second" not in position.legal else
                   _("{mover} gains {gain} influence with {the_tribe} or places a second token")),
        "order": _("{mover} chooses which conflict comes first: {places}"),
        "commit": _("{mover} lays cards for the conflict in {place}"),
        "prescore": (_("{mover} continues: the final scoring takes the place of that of the {ordinal} century")
                     if not position.scored_next else _("{mover} continues to the scoring of the {ordinal} century")
                     if position.legal == {"go_on"} else
                     _("{mover} may use a tile before the {ordinal} century is scored")),
        "end": _("{mover} ends the turn or uses a tile") if _tiles(position) else _("{mover} ends the turn"),
        "give": _("{mover} puts cards aside to exchange them"),
        "inf_a": _("{mover} moves a marker up by one"),
        "inf_b": _("{mover} moves a marker up by one more"),
        "draw": _("{seat} draws cards"),
    }
    return said.get(position.phase, position.phase.replace("_", " ").capitalize()).format(
        mover=mover, seat=turn, more=more, gain=steps(position), place=names[0] if names else "",
        places=_(" or ").join(names), ordinal=ordinal(emptied_century(position)),
        of_tribe=of_tribe(position.card) if position.card >= 0 else "",
        the_tribe=the_tribe(position.card) if position.card >= 0 else "")


def _counting(position: Position) -> str:
    """Return the facts that matter for a decision, as text after a colon; "" for none."""
    if not 0 <= position.seat_to_move < position.players:
        return ""
    who = position.seats[position.seat_to_move]
    hand = ""                                   # without codes, the page shows the cards themselves
    if names_codes() and who.hand is not None and who.hand_size:
        hand = _("{letters} in hand").format(letters=letters_of(who.hand))
    if position.phase == "play":
        if position.legal & {"dump", "skip"}:
            return hand
        return f"{hand}{'; ' if hand else ''}" + _("{gain} influence or a second token").format(gain=position.gain)
    if position.phase in ("place", "follow"):
        left = _tokens_left(position.supply[position.card])
        new = position.phase == "place" and not on_board(position)[position.card]
        return f"{left}, {_('start provinces only')}" if new else left
    if position.phase == "commit" and position.queue:
        return "; ".join(part for part in (*_sentences_conflict(position), hand) if part)
    if position.phase == "give":
        given = letters_of(position.given)
        so_far = _("{letters} so far").format(letters=given) if given else _("none so far")
        return f"{so_far}{', ' if hand else ''}{hand}"
    if position.phase == "end":
        return _("unused {tiles}").format(tiles=_tiles(position)) if _tiles(position) else ""
    if position.phase == "inf_a":
        return _("the first of two steps")
    return ""


def steps(position: Position) -> int:
    """Return the number of spaces that influence moves the marker, at most to the last space (ATT-5.8)."""
    if position.card < 0:
        return position.gain
    return min(position.gain, position.land.last_space - position.seats[position.seat_on_turn].influence[position.card])


def _tokens_left(number: int) -> str:
    return npgettext("attila", "{number} left", "{number} left", number).format(number=number)


def _tiles(position: Position) -> str:
    """Name the tiles that the mover may still use at the end of this turn, as far as the viewer knows.

    Only the owner of a hand knows whether it allows a Double turn (ATT-9.4). Nobody exchanges cards in the last turn.
    """
    if position.tile_used or not 0 <= position.seat_to_move < position.players:
        return ""
    usable = {TILES[kind] for kind in position.legal & TILES.keys()} if position.legal else \
        set(TILES.values()) - ({"exchange"} if position.ending else set())
    return ", ".join(tile_names()[tile] for tile in position.seats[position.seat_to_move].tiles if tile in usable)


def _sentences_conflict(position: Position) -> list[str]:
    """Describe the state of a conflict, with the cards known to the viewer, and the cards laid or still possible."""
    strength = known_strengths(position, position.queue[0])
    order = [(position.seat_on_turn + i) % position.players for i in range(position.players)]
    at = order.index(position.seat_to_move)
    laid = [f"{seat_name(seat)} {position.seats[seat].laid}" for seat in order[:at + 1] if position.seats[seat].laid]
    later = [f"{seat_name(seat)} ({counted(position.seats[seat].hand_size, 'card', 'cards')})"
             for seat in order[at + 1:]]
    return [_strengths(strength), _("laid so far {cards}").format(cards=", ".join(laid)) if laid else "",
            _("then {seats}").format(seats=", ".join(later)) if later else ""]


def _strengths(strength: Six) -> str:
    """Return strengths, the highest first, such as "Franks 3, Goths 1"."""
    there = sorted((tribe for tribe, n in enumerate(strength) if n), key=lambda tribe: (-strength[tribe], tribe))
    return ", ".join(f"{tribes()[tribe].name} {strength[tribe]}" for tribe in there)


def two_players(options: AttilaOptions) -> str:
    """Describe the differences with two players (ATT-12.4, 12.8)."""
    if options.players > 2:
        return ""
    gap = load_data()["scoring"]["two_player_second_max_gap"]
    less = _(" Only the difference in each tribe is scored.") if options.two_player_difference_scoring else ""
    return _(" With two players the second is paid only if at most {gap} spaces behind.").format(gap=gap) + less


# ---- past events --------------------------------------------------------------------------------------


def battle_text(position: Position, battle: Battle) -> str:
    """Return the strengths of the tribes in a conflict, such as "Germania: Franks 3, Vandals 2, Huns 1"."""
    return f"{position.land.provinces[battle.province].name}: {_strengths(battle.strength)}"


def gone_text(battle: Battle) -> str:
    """Name the tribes that left after a conflict, such as "Huns and Goths left, 2 tokens"."""
    gone = listed([tribes()[tribe].name for tribe, n in enumerate(battle.removed) if n])
    return _("{tribes} left, {tokens}").format(tribes=gone, tokens=counted(sum(battle.removed), "token", "tokens"))


def happened(position: Position) -> list[str]:
    """Return sentences without a full stop about the last conflict of the turn and the last move."""
    told = []
    if position.battle is not None:
        told.append(_("Last conflict in {strengths}; {gone}").format(strengths=battle_text(position, position.battle),
                                                                    gone=gone_text(position.battle)))
        laid = [f"{seat_name(seat)} {named_cards(cards)}" for seat, cards in enumerate(position.battle.laid)
                if any(cards)]
        told += [_("Laid there: {cards}").format(cards="; ".join(laid))] if laid else []
    if position.last is not None:
        kind, what = position.last
        told.append(_(_LAST[kind]).format(
            province=position.land.provinces[what].name if kind in PLACED else "",
            of_tribe=of_tribe(what) if kind in OF_TRIBES else "",
            the_tribe=the_tribe(what) if kind in OF_TRIBES else ""))
    return told


# ---- The effects of an event of Attila: influence, conflicts, peace, scorings tribe by tribe, and the end


def effects_of(before: Position, move: Move, after: Position, options: AttilaOptions) -> tuple[Effect, ...]:
    """Return the effects of a move; all of them are public.

    Parameters
    ----------
    before, after : Position
    move : Move
        The move from `before` to `after`.
    options : AttilaOptions
    """
    effects = [*_influence(before, after), *_conflict(before, move, after), *_waiting(before, after)]
    if after.ending and after.ending != before.ending:
        effects.append(Effect(_("the game ends with this turn: {reason}").format(reason=ending_text(after))))
    for number, now in enumerate(zip(*(one.gained for one in after.seats), strict=True)):
        if now != tuple(one.gained[number] for one in before.seats):
            effects += _scoring(before, number, options)
    if after.reshuffles > before.reshuffles:
        effects.append(Effect(_("the discards are shuffled and become the draw pile")))
    return tuple(effects)


def _influence(before: Position, after: Position) -> list[Effect]:
    found = []
    for seat, (old, new) in enumerate(zip(before.seats, after.seats, strict=True)):
        for tribe in tribes():
            space, last = new.influence[tribe.number], old.influence[tribe.number]
            if space != last:
                found.append(Effect(_("{seat}'s marker {of_tribe} goes from {last} to {space}").format(
                    seat=seat_name(seat), of_tribe=of_tribe(tribe.number), last=last, space=space)))
    return found


def _waiting(before: Position, after: Position) -> list[Effect]:
    """Return the effects for provinces that have just become too crowded (ATT-6.1)."""
    return [Effect(_("{province} is too crowded: there will be a conflict").format(
                province=after.land.provinces[place].name))
            for place in after.queue if place not in before.queue]


def _conflict(before: Position, move: Move, after: Position) -> list[Effect]:
    """Return the effects at the end of a conflict (ATT-6.5 to 6.8, 7.1)."""
    battle = after.battle
    if battle is None or move.kind != "done" or len(after.queue) >= len(before.queue):
        return []
    effects = [Effect(_("{seat} had laid {cards}").format(seat=seat_name(seat), cards=named_cards(cards)))
               for seat, cards in enumerate(battle.laid) if any(cards)]
    place = after.land.provinces[battle.province].name
    effects += [Effect(_("conflict in {strengths}").format(strengths=battle_text(after, battle))),
                Effect(gone_text(battle))]
    if sum(after.peace) < sum(before.peace):
        left = sum(after.peace)
        effects.append(Effect(ngettext(
            "{province} gets a peace tile of the {ordinal} century; {left} tile left in all",
            "{province} gets a peace tile of the {ordinal} century; {left} tiles left in all", left).format(
                province=place, ordinal=ordinal(before.century), left=left)))
    else:
        effects.append(Effect(_("{province} is at peace, although no tile is left").format(province=place)))
    return effects


def _scoring(position: Position, number: int, options: AttilaOptions) -> list[Effect]:
    """Return the effects of a scoring: the total of each seat, and the points that every tribe pays (ATT-8)."""
    last = number == len(centuries())
    name = (_("final scoring") if last else
            _("scoring of the {ordinal} century").format(ordinal=ordinal(centuries()[number].number)))
    tokens, provinces = on_board(position), spread(position)
    effects, idle = [], []
    for tribe in tribes():
        paid = tribe_pays(position, tribe.number, position.tokens, options)
        points = tuple((seat, float(n)) for seat, n in enumerate(paid) if n)
        if not points:
            idle.append(the_tribe(tribe.number))
            continue
        size = _("{tokens} in {provinces}").format(
            tokens=counted(tokens[tribe.number], "token", "tokens"),
            provinces=counted(provinces[tribe.number], "province", "provinces"))
        who = listed([f"{seat_name(seat)} {n:g}" for seat, n in points])
        effects.append(Effect(_("{the_tribe}, {size}, pay {seats}").format(
            the_tribe=the_tribe(tribe.number), size=size, seats=who), points))
    total = ", ".join(f"{seat_name(seat)} {one.prospect}" for seat, one in enumerate(position.seats))
    nobody = [Effect(_("{tribes} pay nobody").format(tribes=listed(idle)))] if idle else []
    return [Effect(f"{name}: {total}"), *effects, *nobody]
