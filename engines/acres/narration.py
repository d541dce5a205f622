"""What is told of an event of A Few Acres of Snow: sites, money, sieges, cards gained and lost, points, and the end."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from sfida.engines.acres.data import load_data
from sfida.engines.acres.looks import NAMES, cards, is_over, sites
from sfida.engines.acres.position import Position, Siege
from sfida.engines.narration import Effect
from sfida.engines.wording import counted, listed

if TYPE_CHECKING:
    from sfida.cython_ext.acres.core import AcresState

ZONES = ("hand", "deck", "discard", "reserve", "in_play")       # where a side's own cards lie, sieges apart
REASONS = {"siege": "the siege is won", "settle": "a home is settled", "supply": "on points: a supply is empty",
           "capture": "on points: 12 points are captured", "max_turns": "on points: no turns are left",
           "resign": "the other side resigns"}


def effects_of(state: AcresState, after_state: AcresState, before: Position, after: Position) -> tuple[Effect, ...]:
    """Return what came of a move; everything in it is public.

    Parameters
    ----------
    state, after_state : AcresState
        The whole states; all that is told of their cards is which ones a side gained or lost.
    before, after : Position
        As everybody sees them.
    """
    effects = [*_sites(before, after), *_captured(before, after), *_sieges(before, after), *_money(before, after)]
    if before.phase != "deal":
        effects += _gained(state.snapshot(), after_state.snapshot())
    if is_over(after) and not is_over(before) and after.winner >= 0:
        points = " to ".join(str(one.points) for one in after.seats)
        effects.append(Effect(f"the {NAMES[after.winner]} win, {REASONS.get(after.reason, after.reason)}; "
                              f"points are {points}"))
    return tuple(effects)


def _worth(position: Position, site: int) -> int:
    """Return the points that a site brings its owner (FAS-16.5)."""
    factor = load_data()["scoring"]["town_multiplier"] if position.town[site] else 1
    return int(sites()[site].value * factor)


def _sites(before: Position, after: Position) -> list[Effect]:
    """Tell of villages, towns and forts that came and went, with the points that they bring."""
    effects = []
    for site in sites():
        old, new = before.owner[site.number], after.owner[site.number]
        points = []
        if old != new:
            if old >= 0:
                points.append((old, -float(_worth(before, site.number))))
            if new >= 0:
                points.append((new, float(_worth(after, site.number))))
            text = _changed_hands(before, after, site.number, site.name)
        elif new >= 0 and before.town[site.number] != after.town[site.number]:
            points.append((new, float(_worth(after, site.number) - _worth(before, site.number))))
            text = f"{site.name} becomes a {'town' if after.town[site.number] else 'village'}"
        elif before.fort[site.number] != after.fort[site.number]:
            text = f"{site.name} {'is fortified' if after.fort[site.number] else 'loses its fort'}"
        else:
            continue
        points = [(seat, n) for seat, n in points if n]
        said = listed([f"{NAMES[seat]} {n:+g} {'point' if abs(n) == 1 else 'points'}" for seat, n in points])
        effects.append(Effect(f"{text}{f': {said}' if said else ''}", tuple(points)))
    return effects


def _changed_hands(before: Position, after: Position, site: int, name: str) -> str:
    old, new = before.owner[site], after.owner[site]
    if new < 0:
        what = "town" if before.town[site] else "village"
        return f"the {NAMES[old]} lose the {what} in {name}"
    what = "town" if after.town[site] else "village"
    return f"the {NAMES[new]} have a {what} in {name}" + (f", taken from the {NAMES[old]}" if old >= 0 else "")


def _captured(before: Position, after: Position) -> list[Effect]:
    """Tell of pieces captured, which score for the captor (FAS-16.5)."""
    worth, effects = load_data()["scoring"], []
    for seat, (old, new) in enumerate(zip(before.seats, after.seats, strict=True)):
        for n, one, each in ((new.captured_villages - old.captured_villages, "village", worth["captured_cube"]),
                             (new.captured_towns - old.captured_towns, "town", worth["captured_disc"])):
            if n:
                points = float(n * each)
                effects.append(Effect(f"the {NAMES[seat]} capture {counted(n, one)}: {NAMES[seat]} {points:+g} "
                                      f"{'point' if points == 1 else 'points'}", ((seat, points),)))
    return effects


def _sieges(before: Position, after: Position) -> list[Effect]:
    effects = []
    was, now = ({siege.attacker: siege for siege in position.sieges} for position in (before, after))
    for attacker in range(2):
        old, new = was.get(attacker), now.get(attacker)
        if new is not None and (old is None or old.site != new.site):
            effects.append(Effect(f"the {NAMES[attacker]} besiege {sites()[new.site].name}: {_lead(new)}"))
        elif new is not None and old is not None and old.lead != new.lead:
            effects.append(Effect(f"siege of {sites()[new.site].name}: {_lead(new)}"))
        elif old is not None and new is None:
            effects.append(Effect(f"the siege of {sites()[old.site].name} is over"))
    return effects


def _lead(siege: Siege) -> str:
    """Say how a siege stands, and what is still missing (FAS-10.9 to 10.11)."""
    rules = load_data()["siege"]
    if siege.lead > 0:
        leader, lead = siege.attacker, siege.lead
    elif siege.lead < 0:
        leader, lead = 1 - siege.attacker, -siege.lead
    else:
        return "both sides are equally strong"
    wins = rules["attacker_wins_at"] if leader == siege.attacker else rules["defender_wins_at"]
    left = abs(int(wins)) - lead
    note = "enough to win when their turn begins" if left <= 0 else f"{left} short of winning"
    return f"the {NAMES[leader]} lead by {lead}, {note}"


def _money(before: Position, after: Position) -> list[Effect]:
    return [Effect(f"the {NAMES[seat]} {'get' if new.money > old.money else 'pay'} {abs(new.money - old.money)} money, "
                   f"{new.money} left" if new.money < old.money else
                   f"the {NAMES[seat]} get {new.money - old.money} money and have {new.money}")
            for seat, (old, new) in enumerate(zip(before.seats, after.seats, strict=True)) if old.money != new.money]


def _gained(before: dict[str, Any], after: dict[str, Any]) -> list[Effect]:
    """Tell which cards a side has gained or lost for good."""
    effects = []
    for seat, (old, new) in enumerate(zip(before["seats"], after["seats"], strict=True)):
        change = _owned(new)
        change.subtract(_owned(old))
        for sign, verb in ((1, "gain"), (-1, "lose")):
            names = [_card(card, sign * n) for card, n in sorted(change.items()) if sign * n > 0]
            if names:
                effects.append(Effect(f"the {NAMES[seat]} {verb} {listed(names)}"))
    return effects


def _owned(side: dict[str, Any]) -> Counter[int]:
    """Return all cards of a side, wherever they lie."""
    mine = Counter(card for zone in ZONES for card in side[zone])
    for pile in side["siege"]:
        mine.update(pile)
    return mine


def _card(number: int, n: int) -> str:
    card = cards()[number]
    return f"{card.name} ({card.code})" if n == 1 else f"{n} {card.name} ({card.code})"
