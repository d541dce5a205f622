"""Actions of catanatron as Sfida's moves, discards after a seven included (ZAR-24.3, 24.4 h)."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from sfida.cython_ext.errors import IllegalMove
from sfida.cython_ext.state import GameState
from sfida.cython_ext.zarahemla.core import ZarahemlaState
from sfida.engines.zarahemla.catanatron.library import CatanatronError, names
from sfida.engines.zarahemla.position import decode, encode

# ---- Actions of catanatron as Sfida's moves (ZAR-24.3)

UNSEEN = -1                             # stands for a card that the reader did not see
TALK = ("OFFER_TRADE", "ACCEPT_TRADE", "REJECT_TRADE", "CANCEL_TRADE")     # steps of a trade that move no cards
DISCARDS = ("DISCARD", "DISCARD_RESOURCE")
CARD_PLAYS = {"PLAY_KNIGHT_CARD": "KNIGHT", "PLAY_MONOPOLY": "MONOPOLY", "PLAY_YEAR_OF_PLENTY": "YEAR_OF_PLENTY",
              "PLAY_ROAD_BUILDING": "ROAD_BUILDING"}

Plan = tuple[int, ...]                  # the decisions of one action, in order


@dataclass(frozen=True)
class LoggedStep:
    """An action of the log.

    Attributes
    ----------
    seat : int
        Seat of the action.
    kind : str
        catanatron's name of the action.
    moves : tuple of int
        Sfida's moves, chance outcomes included; `UNSEEN` for a card that the reader did not see.
    """

    seat: int
    kind: str
    moves: Plan

    def seen_by(self, viewer: int) -> LoggedStep:
        """Return the step without the card that a seat could not see (ZAR-16)."""
        if viewer == self.seat or not self.moves:
            return self
        last = decode(self.moves[-1])
        hidden = last.kind == "draw_dev" or (
            last.kind == "stolen_card" and decode(self.moves[-2]).arg != viewer)
        return dataclasses.replace(self, moves=(*self.moves[:-1], UNSEEN)) if hidden else self


def plan_of(action: Any, colors: Sequence[Any]) -> Plan | None:
    """Return the decisions of an action; None for an action without a counterpart in Sfida.

    A discard without its cards (catanatron draws them at random) has no decisions. `TAKE_STOP` is omitted.
    """
    table, kind, value = names(), action.action_type.name, action.value
    if kind == "BUILD_SETTLEMENT":
        return (encode("settle", table.corner[value]),)
    if kind == "BUILD_ROAD":
        return (encode("road", table.edge[tuple(value)]),)
    if kind == "BUILD_CITY":
        return (encode("city", table.corner[value]),)
    if kind == "MOVE_ROBBER":
        place = encode("move_robber", table.hex[tuple(value[0])])
        return (place,) if value[1] is None else (place, encode("steal_from", colors.index(value[1])))
    if kind == "PLAY_MONOPOLY":
        return (encode("play_prosperity", table.resource[value]),)
    if kind == "PLAY_YEAR_OF_PLENTY":
        taken = sorted(table.resource[name] for name in value)
        return (encode("play_harvest"), *(encode("take", r) for r in taken))
    if kind == "MARITIME_TRADE":
        return (encode("bank_trade", 5 * table.resource[value[0]] + table.resource[value[-1]]),)
    if kind in DISCARDS:
        cards = [value] if isinstance(value, str) else value or ()
        return tuple(encode("discard", r) for r in sorted(table.resource[name] for name in cards))
    plain = {"ROLL": "roll", "END_TURN": "end_turn", "BUY_DEVELOPMENT_CARD": "buy_dev",
             "PLAY_KNIGHT_CARD": "play_warrior", "PLAY_ROAD_BUILDING": "play_road_building"}
    return (encode(plain[kind]),) if kind in plain else None


def step_of(entry: Any, colors: Sequence[Any]) -> LoggedStep:
    """Return an entry of a log as Sfida's moves; raises CatanatronError for a trade between players."""
    action = getattr(entry, "action", entry)
    kind, value = action.action_type.name, action.value
    seat, moves = colors.index(action.color), plan_of(action, colors)
    if kind in TALK:
        return LoggedStep(seat, kind, ())
    if moves is None:
        raise CatanatronError(f"catanatron's action {kind} has no counterpart here: tables that trade between "
                              "players cannot be followed")
    result = value if entry is action else entry.result
    if kind == "ROLL":
        moves += (encode("dice", sum(result) - 2),)
    elif kind == "BUY_DEVELOPMENT_CARD":
        moves += (UNSEEN if result is None else encode("draw_dev", names().card[result]),)
    elif kind == "MOVE_ROBBER" and value[1] is not None:
        card = value[2] if entry is action else result
        moves += (UNSEEN if card is None else encode("stolen_card", names().resource[card]),)
    return LoggedStep(seat, kind, moves)


def plans(state: GameState) -> set[Plan]:
    """Return the legal whole actions of the seat to move.

    A robber move includes its victim, a Bountiful Harvest all its cards; `TAKE_STOP`, which ends a harvest early, is
    omitted from the plan.
    """
    found: set[Plan] = set()
    _grow(state, (), found)
    return found


def _grow(state: GameState, plan: Plan, found: set[Plan]) -> None:
    for code in state.legal_moves():
        kind = decode(code).kind
        if kind == "take_stop":
            found.add(plan)
            continue
        longer = (*plan, code)
        if kind not in ("move_robber", "play_harvest", "take"):
            found.add(longer)
            continue
        after = state.clone()
        after.apply(code)
        if not after.is_over and decode(after.legal_moves()[0]).kind in ("steal_from", "take"):
            _grow(after, longer, found)
        else:
            found.add(longer)


# ---- Discards after a seven: catanatron begins with seat 0, Sfida with the seat on turn (ZAR-24.4 h)


class Discards:
    """The discarded cards since the last seven, by seat."""

    def __init__(self) -> None:
        self.cards: dict[int, list[int]] = {}

    def add(self, seat: int, moves: Plan) -> None:
        """Note the cards that a seat discarded."""
        self.cards.setdefault(seat, []).extend(moves)

    def clear(self) -> None:
        """Forget the discards after they have been played."""
        self.cards.clear()

    def play(self, state: ZarahemlaState, until: int | None = None) -> None:
        """Play all discards in Sfida's order; see `events`."""
        for _ in self.events(state, until):
            pass

    def events(self, state: ZarahemlaState, until: int | None = None) -> Iterator[tuple[int, int]]:
        """Play the discards one by one in Sfida's order, and yield seat and card after each.

        Parameters
        ----------
        state : ZarahemlaState
            A state in the discard phase.
        until : int, optional
            The seat that decides now: stop at its turn to discard, and let earlier seats without noted discards give
            their first legal cards.

        Raises
        ------
        IllegalMove
            If a seat discarded cards that it does not hold.
        """
        left = {seat: sorted(codes) for seat, codes in self.cards.items()}
        while is_discarding(state) and state.to_move != until:
            codes = left.get(state.to_move)
            if not codes and until is None:
                raise IllegalMove(f"seat {state.to_move} has to discard more cards")
            seat, code = state.to_move, codes.pop(0) if codes else state.legal_moves()[0]
            state.apply(code)
            yield seat, code


def is_discarding(state: ZarahemlaState) -> bool:
    """Return whether some seat has to discard cards."""
    return not state.is_over and not state.is_chance and decode(state.legal_moves()[0]).kind == "discard"
