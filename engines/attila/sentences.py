"""Sentences about a game of Attila: what is being decided, what the last move and the last conflict did, the end."""

from __future__ import annotations

from sfida.engines.attila.conflicts import known_strengths
from sfida.engines.attila.looks import (
    PLACED,
    centuries,
    is_over,
    letters_of,
    on_board,
    ordinal,
    seat_name,
    tile_names,
    tribes,
)
from sfida.engines.attila.position import Battle, Position, Six
from sfida.engines.wording import counted, listed

_ENDINGS = {"peace": "the last peace tile is laid", "tribe": "a tribe has no token left",
            "influence": "a marker is on the last space", "stalemate": "no token can be placed any more",
            "cap": "the limit of turns is reached"}
_LAST = {"card": "a card of the {}", "dump": "a dead card of the {} discarded", "give": "a card of the {} put aside",
         "inf_a": "one space up with the {}", "inf_b": "one space up with the {}", "at": "a token in {}",
         "second": "a second token in {}", "fight": "the order of the conflicts", "influence": "influence gained",
         "done": "no more cards laid", "go_on": "on to the scoring", "end_turn": "the turn ended",
         "tile_double": "the tile Double turn", "tile_exchange": "the tile Exchange",
         "tile_influence": "the tile Influence 2", "give_done": "cards exchanged", "skip": "no card played",
         "first": "the first seat drawn"}


def headline(position: Position) -> str:
    """Say in a few words who decides what; at the end, who won."""
    return f"{_ending(position) if is_over(position) else _deciding(position)}."


def sentence(position: Position) -> str:
    """Say in one sentence what is being decided, with what counts there; at the end, who won."""
    if is_over(position):
        return headline(position)
    counts = _counting(position)
    said = f"{_deciding(position)}{f': {counts}' if counts else ''}."
    return f"{said} This is the last turn: {ending_text(position)}." if position.ending else said


def ending_text(position: Position) -> str:
    """Say why the game ends."""
    return ", ".join(_ENDINGS.get(reason, reason) for reason in position.ending)


def _ending(position: Position) -> str:
    names = [seat_name(seat) for seat in position.winners]
    if not names:
        return "The game is over"
    points = position.seats[position.winners[0]].score
    who = names[0] + " wins" if len(names) == 1 else f"{listed(names)} share the victory"
    return f"The game is over: {who} with {counted(points, 'point', 'points')}"


# ---- what is being decided ----------------------------------------------------------------------------


def emptied_century(position: Position) -> int:
    """Return the last century whose peace tiles are all laid; 0 for none."""
    return max((one.number for one, left in zip(centuries(), position.peace, strict=True) if left == 0), default=0)


def _deciding(position: Position) -> str:
    """Say who decides what, without a full stop."""
    turn = seat_name(position.seat_on_turn) if 0 <= position.seat_on_turn < position.players else ""
    mover = seat_name(position.seat_to_move) if 0 <= position.seat_to_move < position.players else turn
    tribe = tribes()[position.card].name if position.card >= 0 else "tribe"
    names = [position.land.provinces[number].name for number in position.queue]
    said = {
        "deal": "The cards are dealt",
        "first": "It is drawn who begins",
        "play": f"{mover} plays a card{f', then {position.plays_left} more' if position.plays_left else ''}",
        "place": f"{mover} places a token of the {tribe}",
        "follow": f"{mover} gains {position.gain} influence with the {tribe} or places a second token",
        "order": f"{mover} chooses which conflict comes first: {' or '.join(names)}",
        "commit": f"{mover} lays cards for the conflict in {names[0] if names else 'a province'}",
        "prescore": f"{mover} may use a tile before the {ordinal(emptied_century(position))} century is scored",
        "end": f"{mover} ends the turn{' or uses a tile' if _tiles(position) else ''}",
        "give": f"{mover} puts cards aside to exchange them",
        "inf_a": f"{mover} moves a marker up by one",
        "inf_b": f"{mover} moves a marker up by one more",
        "draw": f"{turn} draws cards",
    }
    return said.get(position.phase, position.phase.replace("_", " ").capitalize())


def _counting(position: Position) -> str:
    """Say what counts in a decision, in the words that follow a colon; "" for nothing."""
    if not 0 <= position.seat_to_move < position.players:
        return ""
    who = position.seats[position.seat_to_move]
    hand = f"{letters_of(who.hand)} in hand" if who.hand is not None and who.hand_size else ""
    if position.phase == "play":
        return f"{hand}{'; ' if hand else ''}{position.gain} influence or a second token"
    if position.phase == "place":
        none = "" if on_board(position)[position.card] else ", start provinces only"
        return f"{position.supply[position.card]} left{none}"
    if position.phase == "follow":
        return f"{position.supply[position.card]} left"
    if position.phase == "commit" and position.queue:
        return "; ".join(part for part in (*_conflict(position), hand) if part)
    if position.phase == "give":
        return f"{letters_of(position.given) or 'none'} so far{', ' if hand else ''}{hand}"
    if position.phase == "end":
        return f"unused {_tiles(position)}" if _tiles(position) else ""
    if position.phase == "inf_a":
        return "the first of two steps"
    return ""


def _tiles(position: Position) -> str:
    """Name the tiles that the mover may still use at the end of this turn; nobody exchanges cards in the last one."""
    if position.tile_used or not 0 <= position.seat_to_move < position.players:
        return ""
    return ", ".join(tile_names()[tile] for tile in position.seats[position.seat_to_move].tiles
                     if tile != "exchange" or not position.ending)


def _conflict(position: Position) -> list[str]:
    """Say how a conflict stands, with the cards that the viewer knows, and what the others have laid or may lay."""
    strength = known_strengths(position, position.queue[0])
    order = [(position.seat_on_turn + i) % position.players for i in range(position.players)]
    at = order.index(position.seat_to_move)
    laid = [f"{seat_name(seat)} {position.seats[seat].laid}" for seat in order[:at + 1] if position.seats[seat].laid]
    later = [f"{seat_name(seat)} ({counted(position.seats[seat].hand_size, 'card', 'cards')})"
             for seat in order[at + 1:]]
    return [_strengths(strength), f"laid so far {', '.join(laid)}" if laid else "",
            f"then {', '.join(later)}" if later else ""]


def _strengths(strength: Six) -> str:
    """Return strengths, the highest first, such as "Franks 3, Goths 1"."""
    there = sorted((tribe for tribe, n in enumerate(strength) if n), key=lambda tribe: (-strength[tribe], tribe))
    return ", ".join(f"{tribes()[tribe].name} {strength[tribe]}" for tribe in there)


# ---- what happened ------------------------------------------------------------------------------------


def battle_text(position: Position, battle: Battle) -> str:
    """Say how strong the tribes of a conflict were, such as "Germania: Franks 3, Vandals 2, Huns 1"."""
    return f"{position.land.provinces[battle.province].name}: {_strengths(battle.strength)}"


def gone_text(battle: Battle) -> str:
    """Say which tribes left after a conflict, such as "Huns and Goths left, 2 tokens"."""
    gone = listed([tribes()[tribe].name for tribe, n in enumerate(battle.removed) if n])
    return f"{gone} left, {counted(sum(battle.removed), 'token', 'tokens')}"


def happened(position: Position) -> list[str]:
    """Return sentences without a full stop about the last conflict of the turn and the last move."""
    told = []
    if position.battle is not None:
        told.append(f"Last conflict in {battle_text(position, position.battle)}; {gone_text(position.battle)}")
        laid = [f"{seat_name(seat)} {cards_text(cards)}" for seat, cards in enumerate(position.battle.laid)
                if any(cards)]
        told += [f"Laid there: {'; '.join(laid)}"] if laid else []
    if position.last is not None:
        kind, what = position.last
        name = "" if what < 0 else position.land.provinces[what].name if kind in PLACED else tribes()[what].name
        told.append(f"Last move: {_LAST[kind].format(name)}")
    return told


def cards_text(cards: Six) -> str:
    """Return cards in words, such as "2 Franks and 1 Goth"."""
    return listed([counted(n, tribes()[tribe].name.removesuffix("s"), tribes()[tribe].name)
                   for tribe, n in enumerate(cards) if n])
