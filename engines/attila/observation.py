"""What a seat may see of a state as plain data for programs, and what it cannot see."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from sfida.engines.attila.moves import LETTERS
from sfida.engines.attila.position import Position, Six
from sfida.engines.language import _

if TYPE_CHECKING:
    from sfida.cython_ext.attila.core import AttilaState


def observation(state: AttilaState, seat: int, position: Position) -> dict[str, Any]:
    """Return what `seat` may see, JSON-able; `position` is the state as it sees it."""
    raw = state.snapshot()
    code = {i: one.code for i, one in enumerate(position.land.provinces)}
    return {
        "phase": position.phase, "turn": position.turn, "seat_on_turn": position.seat_on_turn,
        "first": raw["first"], "dealt": raw["dealt"], "century": position.century, "gain": position.gain,
        "peace": list(position.peace), "ending": list(position.ending), "plays_left": position.plays_left,
        "idle": position.idle, "tile_used": position.tile_used, "to_draw": raw["to_draw"],
        "scoring_due": raw["scoring_due"],
        "card": None if position.card < 0 else LETTERS[position.card],
        "tokens": {code[i]: _letters(here) for i, here in enumerate(position.tokens) if any(here)},
        "pacified": [code[i] for i, one in enumerate(position.pacified) if one],
        "supply": _letters_counted(position.supply), "box": _letters_counted(raw["box"]),
        "pile": position.pile, "discards": _letters(position.discards), "reshuffles": position.reshuffles,
        "conflicts": [code[i] for i in position.queue], "given": _letters(position.given),
        "battle": None if raw["battle"] is None else {
            "province": code[raw["battle"]["province"]],
            "tokens": _letters(raw["battle"]["tokens"]),
            "laid": [_letters(laid) for laid in raw["battle"]["shown"]],
            "left": [LETTERS[i] for i in range(6) if raw["battle"]["gone"] >> i & 1]},
        "seats": [{
            "hand": None if one.hand is None else _letters(one.hand), "hand_size": one.hand_size,
            "laid": one.laid, "laid_cards": None if one.laid_cards is None else _letters(one.laid_cards),
            "influence": _letters_counted(one.influence), "score": one.score, "prospect": one.prospect,
            "gained": list(raw["seats"][i]["gained"]), "tiles": list(one.tiles),
        } for i, one in enumerate(position.seats)],
        "hands_log": [[kind, who, what if kind != "draw" or who == seat or position.phase == "game_over" else None]
                      for kind, who, what in state.history()],
    }


def secrets(state: AttilaState, position: Position, seat_name: Callable[[int], str]) -> dict[str, str]:
    """Return hands of others and what they have laid face down; `position` is the state as the seat sees it."""
    if state.is_over:
        return {}
    found = {}
    for i, one in enumerate(position.seats):
        if one.hand is None:
            found[_("hand of {seat}").format(seat=seat_name(i))] = _letters(state.hand(i))
        if one.laid_cards is None:
            found[_("cards laid by {seat}").format(seat=seat_name(i))] = _letters(state.laid(i))
    return found


def _letters(cards: Six) -> str:
    """Return cards or tokens as letters, such as "FFH"."""
    return "".join(letter * n for letter, n in zip(LETTERS, cards, strict=True))


def _letters_counted(counts: Six) -> dict[str, int]:
    return dict(zip(LETTERS, counts, strict=True))
