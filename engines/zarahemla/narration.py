"""What is told of an event of Zarahemla: cards gained, paid, robbed and traded, special cards, and points."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sfida.engines.narration import Effect
from sfida.engines.wording import listed
from sfida.engines.zarahemla.looks import RESOURCES, SPECIAL, has_temple, seat_names, sentence
from sfida.engines.zarahemla.moves import Move
from sfida.engines.zarahemla.options import Ruleset
from sfida.engines.zarahemla.position import Position
from sfida.engines.zarahemla.rules import load_data

if TYPE_CHECKING:
    from sfida.cython_ext.zarahemla.core import ZarahemlaState

PAYING = ("dice", "play_liahona", "settle", "choose_start")       # moves that give cards from the bank
SPECIAL_NAMES = {"longest_road": "the Longest Road", "largest_army": "the Largest Army",
                 "temple": "the Greatest Temple Contributor"}
SPECIAL_POINTS = {"longest_road": "longest_road", "largest_army": "largest_army",
                  "temple": "greatest_temple_contributor"}
ANSWERS = {"trade_accept": "accepts", "trade_reject": "refuses"}


def points_of(position: Position, seat: int) -> dict[str, int]:
    """Return a seat's points by what they are for, as far as the position shows them (ZAR-14.1)."""
    worth, one = load_data()["scoring"], position.seats[seat]
    kinds = [kind for _, owner, kind in position.buildings if owner == seat]
    return {"settlements": kinds.count("settlement") * worth["settlement"],
            "cities": kinds.count("city") * worth["city"],
            "victory point cards": one.secret_points or 0,
            **{name: getattr(one, name) * worth[SPECIAL_POINTS[name]] for name in SPECIAL}}


def effects_of(state: ZarahemlaState, after_state: ZarahemlaState, before: Position, move: Move, after: Position,
               rules: Ruleset, seat: int | None) -> tuple[Effect, ...]:
    """Return what came of a move, as a seat may know it.

    Parameters
    ----------
    state, after_state : ZarahemlaState
        The whole states; of the hands only changes that everybody sees are told.
    before, after : Position
        As everybody sees them; at the end of the game all is open.
    move : Move
        What led from one to the other.
    rules : Ruleset
    seat : int or None
        The viewer; None: a spectator.
    """
    names = [name.capitalize() for name in seat_names(before.players)]
    effects: list[Effect] = []
    if move.kind == "stolen_card":
        effects.append(_stolen(state, move, names, seat))
    elif move.kind in PAYING or move.kind in ("take", "trade_pick", "play_prosperity", "bank_trade", "discard"):
        effects += _cards(state, after_state, move, before, after, names)
    if after.phase != "game_over" and after.robber >= 0 and move.kind == "move_robber":
        effects.append(Effect(f"{_hex(after, after.robber)} yields nothing while the robber is there"))
    if move.kind == "dice" and after.phase == "discard":
        over = [names[i] for i, one in enumerate(after.seats) if sum(state.hand(i)) > rules.discard_limit]
        if over:
            effects.append(Effect(f"{listed(over)} {'has' if len(over) == 1 else 'have'} too many cards and must "
                                  "give up half of them"))
    effects += _points(before, after, names)
    return tuple(effects)


def question(position: Position) -> str:
    """Say what the seat to move decides, and in a trade who offers what to whom."""
    said = sentence(position)
    if position.offer is None:
        return said
    giver, give, want = position.offer
    name = seat_names(position.players)[giver].capitalize()
    cards = f"{_bundle(give) or 'nothing'} for {_bundle(want) or 'nothing'}"
    if position.phase != "trade_compose":
        return f"{said} {name} gives {cards}."
    if giver == position.seat_to_move:
        return f"{said} So far: {cards}."
    mover = seat_names(position.players)[position.seat_to_move].capitalize()
    return f"{mover} makes a counter-offer. {name} offered {cards}."


def _stolen(state: ZarahemlaState, move: Move, names: Sequence[str], seat: int | None) -> Effect:
    thief, victim = state.seat_on_turn, state.victim
    what = f"1 {RESOURCES[move.arg]}" if seat in (thief, victim) else "a card"
    return Effect(f"{names[thief]} steals {what} from {names[victim]}")


def _cards(state: ZarahemlaState, after_state: ZarahemlaState, move: Move, before: Position, after: Position,
           names: Sequence[str]) -> list[Effect]:
    """Tell which cards each seat gained and lost, all of which lay open."""
    effects = []
    for seat, name in enumerate(names):
        change = [new - old for old, new in zip(state.hand(seat), after_state.hand(seat), strict=True)]
        got, gave = _bundle([max(n, 0) for n in change]), _bundle([max(-n, 0) for n in change])
        if got and gave:
            effects.append(Effect(f"{name} gets {got} for {gave}"))
        elif got:
            effects.append(Effect(f"{name} gets {got}"))
        elif gave and move.kind not in ("settle", "discard"):
            effects.append(Effect(f"{name} loses {gave}"))
    if move.kind == "dice" and move.arg + 2 != 7 and not effects:
        effects.append(Effect("nobody gets anything"))
    return effects


def _bundle(cards: Sequence[int]) -> str:
    return listed([f"{n} {RESOURCES[i]}" for i, n in enumerate(cards) if n])


def _hex(position: Position, number: int) -> str:
    token = position.numbers[number]
    return f"the {position.terrain[number]} on {token}" if token else f"the {position.terrain[number]}"


def _points(before: Position, after: Position, names: Sequence[str]) -> list[Effect]:
    """Tell who gained or lost points, and by what (ZAR-14.1)."""
    effects: list[Effect] = []
    changes = [{what: now - was[what] for what, now in points_of(after, seat).items()}
               for seat, was in enumerate(points_of(before, seat) for seat in range(before.players))]
    for what in SPECIAL:
        if what == "temple" and not has_temple(after):
            continue
        holders = [next((i for i, one in enumerate(position.seats) if getattr(one, what)), None)
                   for position in (before, after)]
        if holders[0] != holders[1]:
            effects.append(_handed(what, holders[0], holders[1], changes, names))
    for seat, change in enumerate(changes):
        built = change["settlements"] + change["cities"]
        if built:
            what = "a settlement becomes a city" if change["cities"] else "for the settlement"
            effects.append(Effect(f"{names[seat]} {built:+d}: {what}" if change["cities"]
                                  else f"{names[seat]} {built:+d} {what}", ((seat, built),)))
        shown = change["victory point cards"]
        if shown:
            effects.append(Effect(f"{names[seat]} shows victory point cards, {shown:+d}", ((seat, shown),)))
    return effects


def _handed(what: str, last: int | None, holder: int | None, changes: Sequence[dict[str, int]],
            names: Sequence[str]) -> Effect:
    """Tell that a special card changed hands (ZAR-9, 10.13, 11)."""
    points = tuple((seat, change[what]) for seat, change in enumerate(changes) if change[what])
    if holder is None:
        assert last is not None
        return Effect(f"{names[last]} loses {SPECIAL_NAMES[what]}, {changes[last][what]:+d}; nobody holds it", points)
    text = f"{names[holder]} takes {SPECIAL_NAMES[what]}, {changes[holder][what]:+d}"
    return Effect(text if last is None else f"{text}, from {names[last]}, {changes[last][what]:+d}", points)
