"""Narration of A Few Acres of Snow: the decision, each event, sieges, and the end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from sfida.cython_ext.acres.parameters import QUIET_TURNS
from sfida.engines.acres.position import Position, Siege, decode
from sfida.engines.acres.style import card_name, cards, money_text, offered, side_name, sites, the_side
from sfida.engines.acres.tables import load_data
from sfida.engines.language import N_, _, counted, listed, ngettext
from sfida.engines.narration import Effect

# ---- Sentences for people: the current decision, the state of a siege, and the end of the game

# An action in progress, with the question for its next card.
_DOING = {
    "settle": N_("{side} settle {site} from {cards}: {question}"),
    "besiege": N_("{side} besiege {site} from {cards}: {question}"),
    "develop": N_("{side} develop {site}: {question}"), "raid": N_("{side} raid {site}: {question}"),
    "discard": N_("{side} discard {cards}: {question}"), "govern": N_("{side} govern: {question}"),
    "merchant": N_("{side} trade by ship: {question}"), "trader": N_("{side} sell furs: {question}"),
}
_BEGUN = {
    "raid": N_("{side} raid {site} with {cards}: {question}"),
    "merchant": N_("{side} trade by ship with {cards}: {question}"),
    "trader": N_("{side} sell furs with {cards}: {question}"),
}
_STEPS = {
    "settler": N_("which card gives the settlers?"), "transport": N_("which card gives the {way}?"),
    "strength": N_("which card begins the siege?"), "raiders": N_("which card joins the raid?"),
    "discards": N_("discard another card for {price}?"), "govern": N_("return a second card?"),
    "coins": N_("which card's money do they take?"),
    "furs": N_("which card's furs do they sell, for {fur} each?"),
}


def ending(position: Position) -> str:
    """Return the reason for the end of a finished game, such as "the British have no villages left to place"."""
    turn, winner = position.seat_on_turn, position.winner
    home = listed([sites()[siege.site].name for siege in position.sieges if siege.attacker == winner])
    side, rules = the_side(turn), load_data()["scoring"]
    why = {
        "siege": (_("{side} have won the siege of {site}") if home else
                  _("{side} have won the siege of a home site")).format(side=the_side(winner), site=home),
        "settle": _("{side} have settled the enemy's home").format(side=the_side(winner)),
        "supply": (_("{side} have no towns left to place") if position.seats[turn].towns == 0 else
                   _("{side} have no villages left to place")).format(side=side),
        "capture": _("{side} hold captured pieces worth {points} points or more").format(
            side=side, points=rules["capture_points_to_end"]),
        "max_turns": (_("no village or town was placed or lost in {turns} turns").format(turns=QUIET_TURNS)
                      if position.quiet >= QUIET_TURNS else _("no turns are left")),
        "resign": _("{side} resign").format(side=the_side(1 - winner)),
    }
    return why.get(position.reason, position.reason)


def result(position: Position) -> str:
    """Return the winner and the points, such as "the British win by 62 points to 52"."""
    mine, others = position.seats[position.winner].points, position.seats[1 - position.winner].points
    if position.reason in ("siege", "settle", "resign"):
        said = _("{side} win at once, whatever the points ({points} to {others})")
    elif mine == others:
        said = _("with {points} points each it is a tie, which {side} win")
    else:
        said = _("{side} win by {points} points to {others}")
    return said.format(side=the_side(position.winner), points=mine, others=others)


def ended(position: Position) -> str:
    """Return the reason for the end of a finished game, and its result."""
    return f"{ending(position)}: {result(position)}"


def siege_stands(siege: Siege) -> str:
    """Describe the state of a siege, and the strength still missing (FAS-11.2 to 11.4)."""
    rules = load_data()["siege"]
    short = int(rules["attacker_wins_at"]) - siege.lead
    held = int(rules["defender_wins_at"]) + siege.lead
    leads = (_("{side} lead by {lead}").format(side=the_side(siege.attacker), lead=siege.lead) if siege.lead > 0 else
             _("{side} lead by {lead}").format(side=the_side(1 - siege.attacker), lead=-siege.lead)
             if siege.lead < 0 else _("both sides are equally strong"))
    if short <= 0:
        return _("{leads}, enough to take it when their turn begins").format(leads=leads)
    if held <= 0:
        return _("{leads}, enough to keep it when their turn begins").format(leads=leads)
    return ngettext("{leads}, {short} short of taking it", "{leads}, {short} short of taking it", short).format(
        leads=leads, short=short)


def sentence(position: Position) -> str:
    """Return one sentence on the current decision, with the facts that matter for it."""
    if position.is_over:
        return _("The game is over: {ending}; {result}.").format(ending=ending(position), result=result(position))
    turn = position.seat_on_turn
    mover = position.seat_to_move if position.seat_to_move >= 0 else turn
    left, money = position.actions_left, position.seats[turn].money
    given = {"side": the_side(mover, first=True), "answerer": the_side(mover), "turn": the_side(turn, first=True),
             "site": sites()[position.ending].name if position.ending >= 0 else "", "cards": _played(position),
             "target": sites()[position.site].name if position.site >= 0 else "", "actions": left,
             "money": money_text(money)}
    asked = _asked(position).get(position.stage)
    if asked is not None:
        return asked.format(**given)
    if position.step:
        return _action(position, mover)
    if left:
        return ngettext("{side} have {actions} action left and {money}.",
                        "{side} have {actions} actions left and {money}.", left).format(**given)
    return _("{side} have no actions left and {money}: the turn ends, or a free action comes first.").format(
        **given)


def _asked(position: Position) -> dict[str, str]:
    """Return the sentence of each phase except the actions of a turn.

    `turn` is the side that has played; `side` or `answerer` is the side that decides.
    """
    raided = (_("{turn} raid {target} (a town) with {cards}: do {answerer} block?")
              if position.site >= 0 and position.town[position.site] else
              _("{turn} raid {target} (a village) with {cards}: do {answerer} block?"))
    return {
        "deal": _("The hands are dealt."),
        "pick": _("{side} choose an empire card for their first deck."),
        "draw": _("{turn} draw cards."),
        "order": _("{side} have won both sieges: which one is settled first?"),
        "siege_settle": _("{side} have won the siege of {site}: do they place a village there?"),
        "siege_loss": _("{side} have lost the siege of {site}: which empire card do they give up?"),
        "raid_response": raided,
        "ambush_response": _("{turn} ambush with {cards}: do {answerer} block?"),
        "ambush_loss": (_("The ambush of the French succeeds: which card do {answerer} lose?")
                        if position.seat_on_turn else
                        _("The ambush of the British succeeds: which card do {answerer} lose?")),
        "give_zone": _("{turn} convert with {cards}: from where do {answerer} give Native Americans?"),
    }


def _played(position: Position) -> str:
    """Name the cards of the action."""
    return listed([cards()[card].name for card in position.chosen]) or _("no card yet")


def _action(position: Position, mover: int) -> str:
    """Describe the action in progress, and ask for its next card."""
    data, verb, way = load_data(), position.verb, ""
    if position.step == "transport":
        first = cards(position.by_board)[position.chosen[0]]
        way = next((offered(name) for name, places in first.links if position.site in places), _("transport"))
    question = _(_STEPS[position.step]).format(way=way, price=money_text(data["cost"]["discard_each_further_card"]),
                                               fur=money_text(data["income"]["trader_per_fur_card"]))
    doing = _BEGUN[verb] if position.chosen and verb in _BEGUN else _DOING[verb]
    return _(doing).format(side=the_side(mover, first=True), cards=_played(position), question=question,
                           site=sites()[position.site].name if position.site >= 0 else "")


# ---- Events: sites, money, sieges, cards gained and lost, points, the end

UNTOLD = ("deal", "draw", "home")       # chance after chance: a drawn card has no reported effect


def effects_of(before: Position, code: int, after: Position) -> tuple[Effect, ...]:
    """Return the effects of a move; the positions are the public ones."""
    if before.phase in UNTOLD and after.phase in UNTOLD:
        return ()
    ended, going_on = _sieges(before, decode(code).kind, after)
    return (*ended, *_sites(before, after), *_captured(before, after), *going_on, *_money(before, after),
            *(_gained(before, after) if before.phase != "deal" else ()))


def end_of(position: Position) -> Effect:
    """Return the effect that reports the end of a finished game."""
    return Effect(ended(position))


# ---- sites --------------------------------------------------------------------------------------------


def _piece(position: Position, site: int) -> tuple[int, bool] | None:
    """Return the owner of the piece on a site, and whether the piece is a town; None: no piece."""
    return (position.owner[site], position.town[site]) if position.owner[site] >= 0 else None


def _worth(site: int, town: bool) -> int:
    """Return the points of a site for its owner (FAS-16.5)."""
    return int(sites()[site].value * (load_data()["scoring"]["town_multiplier"] if town else 1))


def _sites(before: Position, after: Position) -> Iterator[Effect]:
    """Yield the changes of villages, towns and forts, with their points."""
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
    """Return the gain or loss of a side, such as "French -1 point"."""
    return ngettext("{side} {points:+g} point", "{side} {points:+g} points", abs(int(points))).format(
        side=side_name(seat), points=points)


def _happened(number: int, old: tuple[int, bool] | None, new: tuple[int, bool] | None, fortified: bool) -> str:
    """Describe the change of a site."""
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
    """Yield the captures of pieces, which score for the captor (FAS-16.5)."""
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
    """Return the effects of decided sieges, and the effects of sieges that begin or continue."""
    ended, going_on = [], []
    for attacker in range(2):
        old, new = before.siege_by(attacker), after.siege_by(attacker)
        begun = new is not None and (old is None or old.site != new.site)
        if old is not None and (new is None or begun or _decided(after, new)):
            if not _decided(before, old):               # a decided siege has been reported
                ended.append(Effect(_outcome(before, kind, after, old)))
        elif new is not None and (old is None or old.lead != new.lead):
            said = _("{side} besiege {site}: {stand}") if begun else _("siege of {site}: {stand}")
            going_on.append(Effect(said.format(side=the_side(attacker), site=sites()[new.site].name,
                                               stand=siege_stands(new))))
    return ended, going_on


def _decided(position: Position, siege: Siege) -> bool:
    """Return whether a siege has been won and only its resolution remains."""
    if position.is_over:
        return position.reason == "siege" and position.winner == siege.attacker
    return position.ending == siege.site


def _outcome(before: Position, kind: str, after: Position, siege: Siege) -> str:
    """Describe the result of a siege (FAS-11, 15.14, 15.15)."""
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
    """Yield the cards that a side has gained or lost for good."""
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
    return card_name(number) if n == 1 else f"{n} {card_name(number)}"
