"""What is told of an event of A Few Acres of Snow: sites, money, sieges, cards gained and lost, points, and the end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from sfida.engines.acres.data import load_data
from sfida.engines.acres.looks import cards, money_text, side_name, sites, the_side
from sfida.engines.acres.moves import decode
from sfida.engines.acres.position import Position, Siege
from sfida.engines.acres.sentences import ended, siege_stands
from sfida.engines.language import _, ngettext
from sfida.engines.narration import Effect
from sfida.engines.wording import counted, listed

UNTOLD = ("deal", "draw", "home")       # luck after luck: a card drawn changes nothing that is told


def effects_of(before: Position, code: int, after: Position) -> tuple[Effect, ...]:
    """Return what came of a move; the positions are as everybody sees them."""
    if before.phase in UNTOLD and after.phase in UNTOLD:
        return ()
    ended, going_on = _sieges(before, decode(code).kind, after)
    return (*ended, *_sites(before, after), *_captured(before, after), *going_on, *_money(before, after),
            *(_gained(before, after) if before.phase != "deal" else ()))


def end_of(position: Position) -> Effect:
    """Tell how a game that is over has ended."""
    return Effect(ended(position))


# ---- sites --------------------------------------------------------------------------------------------


def _piece(position: Position, site: int) -> tuple[int, bool] | None:
    """Return owner, and whether it is a town, of what stands on a site; None: nothing."""
    return (position.owner[site], position.town[site]) if position.owner[site] >= 0 else None


def _worth(site: int, town: bool) -> int:
    """Return the points that a site brings its owner (FAS-16.5)."""
    return int(sites()[site].value * (load_data()["scoring"]["town_multiplier"] if town else 1))


def _sites(before: Position, after: Position) -> Iterator[Effect]:
    """Tell of villages, towns and forts that came and went, with the points that they bring."""
    if (before.owner, before.town, before.fort) == (after.owner, after.town, after.fort):
        return
    for number in range(len(sites())):
        old, new = _piece(before, number), _piece(after, number)
        if old == new and before.fort[number] == after.fort[number]:
            continue
        gains = [0, 0]
        if old is not None:
            gains[old[0]] -= _worth(number, old[1])
        if new is not None:
            gains[new[0]] += _worth(number, new[1])
        points = [(seat, float(n)) for seat, n in enumerate(gains) if n]
        said = listed([_points(seat, n) for seat, n in points])
        yield Effect(f"{_happened(number, old, new, after.fort[number])}{f': {said}' if said else ''}", tuple(points))


def _points(seat: int, points: float) -> str:
    """Say what a side gains or loses, such as "French -1 point"."""
    return ngettext("{side} {points:+g} point", "{side} {points:+g} points", abs(int(points))).format(
        side=side_name(seat), points=points)


def _happened(number: int, old: tuple[int, bool] | None, new: tuple[int, bool] | None, fortified: bool) -> str:
    """Say what became of a site."""
    name = sites()[number].name
    if old == new:
        return (_("{site} is fortified") if fortified else _("{site} loses its fort")).format(site=name)
    if new is None:
        assert old is not None
        lost = (_("{side} lose the town in {site}, which is neutral now") if old[1] else
                _("{side} lose the village in {site}, which is neutral now"))
        return lost.format(side=the_side(old[0]), site=name)
    if old is not None and old[0] == new[0]:
        return (_("{site} becomes a town") if new[1] else _("{site} becomes a village")).format(site=name)
    if old is None:
        held = _("{side} have a town in {site}") if new[1] else _("{side} have a village in {site}")
        return held.format(side=the_side(new[0]), site=name)
    taken = (_("{side} have a town in {site}, taken from {other}") if new[1] else
             _("{side} have a village in {site}, taken from {other}"))
    return taken.format(side=the_side(new[0]), site=name, other=the_side(old[0]))


def _captured(before: Position, after: Position) -> Iterator[Effect]:
    """Tell of pieces captured, which score for the captor (FAS-16.5)."""
    worth = load_data()["scoring"]
    for seat, (old, new) in enumerate(zip(before.seats, after.seats, strict=True)):
        villages, towns = new.captured_villages - old.captured_villages, new.captured_towns - old.captured_towns
        for n, each, pieces in ((villages, "captured_cube", counted(villages, "village", "villages")),
                                (towns, "captured_disc", counted(towns, "town", "towns"))):
            if n:
                points = float(n * worth[each])
                yield Effect(_("{side} capture {pieces}: {points}").format(
                    side=the_side(seat), pieces=pieces, points=_points(seat, points)), ((seat, points),))


# ---- sieges -------------------------------------------------------------------------------------------


def _sieges(before: Position, kind: str, after: Position) -> tuple[list[Effect], list[Effect]]:
    """Tell of sieges won and lost, and of those that begin or go on."""
    ended, going_on = [], []
    for attacker in range(2):
        old, new = before.siege_by(attacker), after.siege_by(attacker)
        begun = new is not None and (old is None or old.site != new.site)
        if old is not None and (new is None or begun or _decided(after, new)):
            if not _decided(before, old):               # else it has been told
                ended.append(Effect(_outcome(before, kind, after, old)))
        elif new is not None and (old is None or old.lead != new.lead):
            said = _("{side} besiege {site}: {stand}") if begun else _("siege of {site}: {stand}")
            going_on.append(Effect(said.format(side=the_side(attacker), site=sites()[new.site].name,
                                               stand=siege_stands(new))))
    return ended, going_on


def _decided(position: Position, siege: Siege) -> bool:
    """Say whether a siege has been won and only its end is played."""
    if position.is_over:
        return position.reason == "siege" and position.winner == siege.attacker
    return position.ending == siege.site


def _outcome(before: Position, kind: str, after: Position, siege: Siege) -> str:
    """Say who has won a siege (FAS-11, 15.14, 15.15)."""
    site, defender = siege.site, 1 - siege.attacker
    if after.is_over or after.owner[site] != defender:
        if before.phase == "raid_response":
            said = _("the siege of {site} ends: the raid has taken what was besieged")
        elif kind == "withdraw":
            said = _("{attacker} win the siege of {site}: {defender} surrender")
        else:
            said = _("{attacker} win the siege of {site}")
    elif kind == "withdraw":
        said = _("{attacker} give up the siege of {site}: {defender} win it and keep the site")
    else:
        said = _("{defender} win the siege of {site} and keep the site")
    return said.format(site=sites()[site].name, attacker=the_side(siege.attacker), defender=the_side(defender))


# ---- money and cards ----------------------------------------------------------------------------------


def _money(before: Position, after: Position) -> Iterator[Effect]:
    for seat, (old, new) in enumerate(zip(before.seats, after.seats, strict=True)):
        change = new.money - old.money
        if change:
            told = (_("{side} get {amount} and have {money}") if change > 0 else
                    _("{side} lose {amount}, {money} left") if seat != before.mover else
                    _("{side} pay {amount}, {money} left"))
            yield Effect(told.format(side=the_side(seat), amount=money_text(abs(change)), money=new.money))


def _gained(before: Position, after: Position) -> Iterator[Effect]:
    """Tell which cards a side has gained or lost for good."""
    for seat, (old, new) in enumerate(zip(before.seats, after.seats, strict=True)):
        had, has = before.owned(seat), after.owned(seat)
        if len(had) == len(has) and old.locations == new.locations and old.empire == new.empire:
            continue
        change = Counter(has)
        change.subtract(had)
        for sign, said in ((1, _("{side} gain {cards}")), (-1, _("{side} lose {cards}"))):
            names = [_card(card, sign * n) for card, n in sorted(change.items()) if sign * n > 0]
            if names:
                yield Effect(said.format(side=the_side(seat), cards=listed(names)))


def _card(number: int, n: int) -> str:
    card = cards()[number]
    return f"{card.name} ({card.code})" if n == 1 else f"{n} {card.name} ({card.code})"
