"""What is told of an event of A Few Acres of Snow: sites, money, sieges, cards gained and lost, points, and the end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from sfida.engines.acres.data import load_data
from sfida.engines.acres.looks import NAMES, cards, sites
from sfida.engines.acres.moves import decode
from sfida.engines.acres.position import Position, Siege
from sfida.engines.acres.sentences import ending, result, siege_stands
from sfida.engines.narration import Effect
from sfida.engines.wording import counted, listed

if TYPE_CHECKING:
    from sfida.cython_ext.acres.core import AcresState

Snapshot = dict[str, Any]               # of `AcresState.snapshot`

ZONES = ("hand", "deck", "discard", "reserve", "in_play")       # where a side's own cards lie, sieges apart
UNTOLD = ("deal", "draw", "home")       # luck after luck: a card drawn changes nothing that is told
ENDING = ("siege_settle", "siege_loss")


def effects_of(state: AcresState, after_state: AcresState) -> tuple[Effect, ...]:
    """Return what came of a move; everything in it is public.

    Parameters
    ----------
    state, after_state : AcresState
        The whole states; all that is told of their cards is which ones a side gained or lost.
    """
    if state.is_chance and after_state.phase in UNTOLD:
        return ()
    before, after = state.snapshot(), after_state.snapshot()
    ended, going_on = _sieges(before, after)
    return (*ended, *_sites(before, after), *_captured(before, after), *going_on, *_money(before, after),
            *(_gained(before, after) if before["phase"] != "deal" else ()))


def end_of(position: Position) -> Effect:
    """Tell how a game that is over has ended."""
    return Effect(f"{ending(position)}: {result(position)}")


# ---- sites --------------------------------------------------------------------------------------------


def _pieces(raw: Snapshot) -> dict[int, tuple[int, bool]]:
    """Return owner, and whether it is a town, of each site that is held."""
    return {site: (seat, site in row["towns"]) for seat, row in enumerate(raw["seats"]) for site in row["sites"]}


def _worth(site: int, town: bool) -> int:
    """Return the points that a site brings its owner (FAS-16.5)."""
    return int(sites()[site].value * (load_data()["scoring"]["town_multiplier"] if town else 1))


def _sites(before: Snapshot, after: Snapshot) -> Iterator[Effect]:
    """Tell of villages, towns and forts that came and went, with the points that they bring."""
    if (before["forts"] == after["forts"]
            and all(old["sites"] == new["sites"] and old["towns"] == new["towns"]
                    for old, new in zip(before["seats"], after["seats"], strict=True))):
        return
    was, now = _pieces(before), _pieces(after)
    for number in sorted({*was, *now, *before["forts"], *after["forts"]}):
        old, new = was.get(number), now.get(number)
        forts = number in before["forts"], number in after["forts"]
        if old == new and forts[0] == forts[1]:
            continue
        gains = [0, 0]
        if old is not None:
            gains[old[0]] -= _worth(number, old[1])
        if new is not None:
            gains[new[0]] += _worth(number, new[1])
        points = [(seat, float(n)) for seat, n in enumerate(gains) if n]
        said = listed([f"{NAMES[seat]} {n:+g} {'point' if abs(n) == 1 else 'points'}" for seat, n in points])
        yield Effect(f"{_happened(number, old, new, forts[1])}{f': {said}' if said else ''}", tuple(points))


def _happened(number: int, old: tuple[int, bool] | None, new: tuple[int, bool] | None, fortified: bool) -> str:
    """Say what became of a site."""
    name = sites()[number].name
    if old == new:
        return f"{name} {'is fortified' if fortified else 'loses its fort'}"
    if new is None:
        assert old is not None
        return f"the {NAMES[old[0]]} lose the {_piece(old)} in {name}, which is neutral now"
    if old is not None and old[0] == new[0]:
        return f"{name} becomes a {_piece(new)}"
    return (f"the {NAMES[new[0]]} have a {_piece(new)} in {name}"
            + (f", taken from the {NAMES[old[0]]}" if old is not None else ""))


def _piece(held: tuple[int, bool]) -> str:
    return "town" if held[1] else "village"


def _captured(before: Snapshot, after: Snapshot) -> Iterator[Effect]:
    """Tell of pieces captured, which score for the captor (FAS-16.5)."""
    worth = load_data()["scoring"]
    for seat, (old, new) in enumerate(zip(before["seats"], after["seats"], strict=True)):
        for key, each in (("got_cubes", "captured_cube"), ("got_discs", "captured_disc")):
            n = new[key] - old[key]
            pieces = counted(n, "village", "villages") if key == "got_cubes" else counted(n, "town", "towns")
            if n:
                points = float(n * worth[each])
                yield Effect(f"the {NAMES[seat]} capture {pieces}: {NAMES[seat]} {points:+g} "
                             f"{'point' if points == 1 else 'points'}", ((seat, points),))


# ---- sieges -------------------------------------------------------------------------------------------


def _sieges(before: Snapshot, after: Snapshot) -> tuple[list[Effect], list[Effect]]:
    """Tell of sieges won and lost, and of those that begin or go on."""
    ended, going_on = [], []
    for attacker in range(2):
        old, new = before["targets"][attacker], after["targets"][attacker]
        if old >= 0 and (old != new or _decided(after, attacker)):
            if not _decided(before, attacker):          # else it has been told
                ended.append(Effect(_outcome(before, after, attacker)))
        elif new >= 0 and (old != new or before["leads"][attacker] != after["leads"][attacker]):
            siege = Siege(attacker, new, after["leads"][attacker], ((), ()))
            begins = f"the {NAMES[attacker]} besiege" if old != new else "siege of"
            going_on.append(Effect(f"{begins} {sites()[new].name}: {siege_stands(siege)}"))
    return ended, going_on


def _decided(raw: Snapshot, attacker: int) -> bool:
    """Say whether a siege has been won and only its end is played."""
    if raw["phase"] == "game_over":
        return bool(raw["reason"] == "siege" and raw["winner"] == attacker)
    return raw["phase"] in ENDING and raw["which"] == attacker


def _outcome(before: Snapshot, after: Snapshot, attacker: int) -> str:
    """Say who has won a siege (FAS-11, 15.14, 15.15)."""
    site, defender = before["targets"][attacker], 1 - attacker
    name, last = sites()[site].name, decode(after["last"]).kind
    if after["phase"] == "game_over" or site not in after["seats"][defender]["sites"]:
        if before["phase"] == "raid_response":
            return f"the siege of {name} ends: the raid has taken what was besieged"
        how = f": the {NAMES[defender]} surrender" if last == "withdraw" else ""
        return f"the {NAMES[attacker]} win the siege of {name}{how}"
    if last == "withdraw":
        return f"the {NAMES[attacker]} give up the siege of {name}: the {NAMES[defender]} win it and keep the site"
    return f"the {NAMES[defender]} win the siege of {name} and keep the site"


# ---- money and cards ----------------------------------------------------------------------------------


def _money(before: Snapshot, after: Snapshot) -> Iterator[Effect]:
    for seat, (old, new) in enumerate(zip(before["seats"], after["seats"], strict=True)):
        change = new["money"] - old["money"]
        if change:
            told = (f"get {change} money and have {new['money']}" if change > 0 else
                    f"{'lose' if seat != before['mover'] else 'pay'} {-change} money, {new['money']} left")
            yield Effect(f"the {NAMES[seat]} {told}")


def _gained(before: Snapshot, after: Snapshot) -> Iterator[Effect]:
    """Tell which cards a side has gained or lost for good."""
    for seat, (old, new) in enumerate(zip(before["seats"], after["seats"], strict=True)):
        had, has = owned(old), owned(new)
        if len(had) == len(has) and old["locations"] == new["locations"] and old["empire"] == new["empire"]:
            continue
        change = Counter(has)
        change.subtract(had)
        for sign, verb in ((1, "gain"), (-1, "lose")):
            names = [_card(card, sign * n) for card, n in sorted(change.items()) if sign * n > 0]
            if names:
                yield Effect(f"the {NAMES[seat]} {verb} {listed(names)}")


def owned(side: dict[str, Any]) -> list[int]:
    """Return all cards of a side, wherever they lie."""
    return [card for pile in (*(side[zone] for zone in ZONES), *side["siege"]) for card in pile]


def _card(number: int, n: int) -> str:
    card = cards()[number]
    return f"{card.name} ({card.code})" if n == 1 else f"{n} {card.name} ({card.code})"
