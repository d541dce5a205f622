"""What is told of an event of Zarahemla: cards gained, paid, robbed and traded, special cards, and points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from sfida.engines.narration import Effect
from sfida.engines.wording import listed
from sfida.engines.zarahemla.looks import RESOURCES, SPECIAL, cards_text, seat_names
from sfida.engines.zarahemla.moves import Move
from sfida.engines.zarahemla.options import Ruleset
from sfida.engines.zarahemla.rules import load_data
from sfida.engines.zarahemla.tables import CARD_IDS, TERRAIN_IDS

if TYPE_CHECKING:
    from sfida.cython_ext.zarahemla.core import ZarahemlaState

DEALING = frozenset({"dice", "play_liahona", "settle", "choose_start", "take", "trade_pick", "play_prosperity",
                     "bank_trade", "discard"})                  # moves after which hands differ that all can see
_POINT_CARD = CARD_IDS.index("victory_point")
SPECIAL_NAMES = {"longest_road": "the Longest Road", "largest_army": "the Largest Army",
                 "temple": "the Greatest Temple Contributor"}
SPECIAL_POINTS = {"longest_road": "longest_road", "largest_army": "largest_army",
                  "temple": "greatest_temple_contributor"}


def points_of(state: ZarahemlaState, raw: Mapping[str, Any], seat: int) -> dict[str, int]:
    """Return a seat's points on show by what they are for; cards worth a point are shown at the end (ZAR-14.1)."""
    worth = load_data()["scoring"]
    kinds = [kind for _, owner, kind in raw["buildings"] if owner == seat]
    shown = state.dev_cards(seat)[0][_POINT_CARD] if raw["phase"] == "game_over" else 0
    return {"settlements": kinds.count("settlement") * worth["settlement"],
            "cities": kinds.count("city") * worth["city"],
            "victory point cards": shown * worth["vp_card"],
            **{name: (holder == seat) * worth[SPECIAL_POINTS[name]]
               for name, holder in zip(SPECIAL, raw["holders"], strict=True)}}


def effects_of(before: ZarahemlaState, after: ZarahemlaState, move: Move, rules: Ruleset,
               seat: int | None) -> tuple[Effect, ...]:
    """Return what came of a move, as a seat may know it.

    Parameters
    ----------
    before, after : ZarahemlaState
        The whole states; of the hands only changes that everybody sees are told.
    move : Move
        What led from one to the other.
    rules : Ruleset
    seat : int or None
        The viewer; None: a spectator.
    """
    names = [name.capitalize() for name in seat_names(before.players)]
    effects: list[Effect] = []
    if move.kind == "stolen_card":
        effects.append(_stolen(before, move, names, seat))
    elif move.kind in DEALING:
        effects += _cards(before, after, move, names)
    elif move.kind == "move_robber" and not after.is_over:
        effects.append(Effect(f"{_hex(after, move.arg)} yields nothing while the robber is there"))
    if move.kind in ("dice", "play_liahona") and after.phase == "discard":
        over = [names[i] for i in range(before.players) if sum(before.hand(i)) > rules.discard_limit]
        effects.append(Effect(f"{listed(over)} {'has' if len(over) == 1 else 'have'} too many cards and must "
                              "give up half of them"))
    if before.scores() != after.scores():
        effects += _points(before, after, names)
    return tuple(effects)


def _stolen(state: ZarahemlaState, move: Move, names: Sequence[str], seat: int | None) -> Effect:
    thief, victim = state.seat_on_turn, state.victim
    what = f"1 {RESOURCES[move.arg]}" if seat in (thief, victim) else "a card"
    return Effect(f"{names[thief]} steals {what} from {names[victim]}")


def _cards(before: ZarahemlaState, after: ZarahemlaState, move: Move, names: Sequence[str]) -> list[Effect]:
    """Tell which cards each seat gained and lost, all of which lay open."""
    effects = []
    for seat, name in enumerate(names):
        change = [new - old for old, new in zip(before.hand(seat), after.hand(seat), strict=True)]
        got, gave = cards_text([max(n, 0) for n in change]), cards_text([max(-n, 0) for n in change])
        if got and gave:
            effects.append(Effect(f"{name} gets {got} for {gave}"))
        elif got:
            effects.append(Effect(f"{name} gets {got}"))
        elif gave and move.kind not in ("settle", "discard"):
            effects.append(Effect(f"{name} loses {gave}"))
    if move.kind == "dice" and move.arg + 2 != 7 and not effects:
        effects.append(Effect("nobody gets anything"))
    return effects


def _hex(state: ZarahemlaState, number: int) -> str:
    raw = state.snapshot()
    terrain, token = TERRAIN_IDS[raw["terrain"][number]], raw["numbers"][number]
    return f"the {terrain} on {token}" if token else f"the {terrain}"


def _points(before: ZarahemlaState, after: ZarahemlaState, names: Sequence[str]) -> list[Effect]:
    """Tell who gained or lost points, and by what (ZAR-14.1)."""
    effects: list[Effect] = []
    old, new = before.snapshot(), after.snapshot()
    changes = []
    for seat in range(before.players):
        was = points_of(before, old, seat)
        changes.append({what: now - was[what] for what, now in points_of(after, new, seat).items()})
    for what, last, holder in zip(SPECIAL, old["holders"], new["holders"], strict=True):
        if last != holder:
            effects.append(_handed(what, last, holder, changes, names))
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


def _handed(what: str, last: int, holder: int, changes: Sequence[dict[str, int]],
            names: Sequence[str]) -> Effect:
    """Tell that a special card changed hands (ZAR-9, 10.13, 11)."""
    points = tuple((seat, change[what]) for seat, change in enumerate(changes) if change[what])
    if holder < 0:
        return Effect(f"{names[last]} loses {SPECIAL_NAMES[what]}, {changes[last][what]:+d}; nobody holds it", points)
    text = f"{names[holder]} takes {SPECIAL_NAMES[what]}, {changes[holder][what]:+d}"
    return Effect(text if last < 0 else f"{text}, from {names[last]}, {changes[last][what]:+d}", points)
