"""Sentences for people: what is being decided, how a siege stands, and how the game ended."""

from __future__ import annotations

from sfida.cython_ext.acres.parameters import QUIET_TURNS
from sfida.engines.acres.data import load_data
from sfida.engines.acres.looks import cards, money_text, offered, sites, the_side
from sfida.engines.acres.position import Position, Siege
from sfida.engines.language import N_, _, ngettext
from sfida.engines.wording import listed

# What is being put together: the action, with what is asked for next.
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
    """Say why a game that is over has ended, such as "the British have no villages left to place"."""
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
    """Say who has won and by how much, such as "the British win by 62 points to 52"."""
    mine, others = position.seats[position.winner].points, position.seats[1 - position.winner].points
    if position.reason in ("siege", "settle", "resign"):
        said = _("{side} win at once, whatever the points ({points} to {others})")
    elif mine == others:
        said = _("with {points} points each it is a tie, which {side} win")
    else:
        said = _("{side} win by {points} points to {others}")
    return said.format(side=the_side(position.winner), points=mine, others=others)


def ended(position: Position) -> str:
    """Say why a game that is over has ended, and who has won."""
    return f"{ending(position)}: {result(position)}"


def siege_stands(siege: Siege) -> str:
    """Say how a siege stands, and what is still missing (FAS-11.2 to 11.4)."""
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
    """Say in one sentence what is going on: what is being decided, with what counts there."""
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
    """Return what is said in each phase but the actions of a turn: `turn` has played, `side` or `answerer` decides."""
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
    """Say what action is being put together, and ask for its next card."""
    data, verb, way = load_data(), position.verb, ""
    if position.step == "transport":
        first = cards(position.by_board)[position.chosen[0]]
        way = next((offered(name) for name, places in first.links if position.site in places), _("transport"))
    question = _(_STEPS[position.step]).format(way=way, price=money_text(data["cost"]["discard_each_further_card"]),
                                               fur=money_text(data["income"]["trader_per_fur_card"]))
    doing = _BEGUN[verb] if position.chosen and verb in _BEGUN else _DOING[verb]
    return _(doing).format(side=the_side(mover, first=True), cards=_played(position), question=question,
                           site=sites()[position.site].name if position.site >= 0 else "")
