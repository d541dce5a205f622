"""Sentences for people: what is being decided, how a siege stands, and how the game ended."""

from __future__ import annotations

from sfida.engines.acres.data import load_data
from sfida.engines.acres.looks import NAMES, cards, is_over, sites
from sfida.engines.acres.position import Position, Siege
from sfida.engines.wording import counted, listed

# What the game asks for next while an action is put together: the step, and the question.
_STEPS = {
    "transport": "which card gives the {way}?", "strength": "which card begins the siege?",
    "raiders": "which card joins the raid?", "discards": "discard another card for {price} money?",
    "govern": "return a second card?", "coins": "which card's money do they take?",
    "furs": "which card's furs do they sell, for {fur} money each?",
}


def ending(position: Position) -> str:
    """Say why a game that is over has ended, such as "the British have no villages left to place"."""
    turn, winner = position.seat_on_turn, position.winner
    who = position.seats[turn]
    spent = "towns" if who.towns == 0 else "villages"
    home = listed([sites()[siege.site].name for siege in position.sieges if siege.attacker == winner])
    why = {
        "siege": f"the {NAMES[winner]} have won the siege of {home or 'a home site'}",
        "settle": f"the {NAMES[winner]} have settled the enemy's home",
        "supply": f"the {NAMES[turn]} have no {spent} left to place",
        "capture": f"the {NAMES[turn]} hold captured pieces worth {load_data()['scoring']['capture_points_to_end']} "
                   "points or more",
        "max_turns": "no turns are left",
        "resign": f"the {NAMES[1 - winner]} resign",
    }
    return why.get(position.reason, position.reason)


def result(position: Position) -> str:
    """Say who has won and by how much, such as "the British win by 62 points to 52"."""
    mine, others = position.seats[position.winner].points, position.seats[1 - position.winner].points
    name = NAMES[position.winner]
    if position.reason in ("siege", "settle", "resign"):
        return f"the {name} win at once, whatever the points ({mine} to {others})"
    if mine == others:
        return f"with {mine} points each it is a tie, which the {name} win"
    return f"the {name} win by {mine} points to {others}"


def siege_stands(siege: Siege) -> str:
    """Say how a siege stands, and what is still missing (FAS-11.2 to 11.4)."""
    rules = load_data()["siege"]
    short = int(rules["attacker_wins_at"]) - siege.lead
    held = int(rules["defender_wins_at"]) + siege.lead
    attacker, defender = NAMES[siege.attacker], NAMES[1 - siege.attacker]
    leads = (f"the {attacker} lead by {siege.lead}" if siege.lead > 0 else
             f"the {defender} lead by {-siege.lead}" if siege.lead < 0 else "both sides are equally strong")
    if short <= 0:
        return f"{leads}, enough to take it when their turn begins"
    if held <= 0:
        return f"{leads}, enough to keep it when their turn begins"
    return f"{leads}, {short} short of taking it"


def sentence(position: Position) -> str:
    """Say in one sentence what is going on: what is being decided, with what counts there."""
    if is_over(position):
        return f"The game is over: {ending(position)}; {result(position)}."
    turn = NAMES[position.seat_on_turn]
    mover = NAMES[position.seat_to_move] if position.seat_to_move >= 0 else turn
    place = sites()[position.ending].name if position.ending >= 0 else ""
    said = {
        "deal": "The hands are dealt.",
        "pick": f"The {mover} choose an empire card for their first deck.",
        "draw": f"The {turn} draw cards.",
        "order": f"The {mover} have won both sieges: which one is settled first?",
        "siege_settle": f"The {mover} have won the siege of {place}: do they place a village there?",
        "siege_loss": f"The {mover} have lost the siege of {place}: which empire card do they give up?",
        "raid_response": f"The {turn} raid {_stake(position)} with {_played(position)}: do the {mover} block?",
        "ambush_response": f"The {turn} ambush with {_played(position)}: do the {mover} block?",
        "ambush_loss": f"The ambush of the {turn} succeeds: which card do the {mover} lose?",
        "give_zone": f"The {turn} convert with {_played(position)}: from where do the {mover} give Native Americans?",
    }
    if position.phase in said:
        return said[position.phase]
    money = position.seats[position.seat_on_turn].money
    if position.step:
        return f"The {mover} {_doing(position)}: {_step(position)}"
    if position.actions_left:
        return f"The {mover} have {counted(position.actions_left, 'action', 'actions')} left and {money} money."
    return f"The {mover} have no actions left and {money} money: the turn ends, or a free action comes first."


def _stake(position: Position) -> str:
    """Name the site of a raid with its piece, such as "Pemaquid (a village)"."""
    site = sites()[position.site]
    return f"{site.name} (a {'town' if position.town[site.number] else 'village'})"


def _played(position: Position) -> str:
    """Name the cards of the action."""
    return listed([cards()[card].name for card in position.chosen]) or "no card yet"


def _doing(position: Position) -> str:
    """Say what action is being put together."""
    verb, played = position.verb, _played(position)
    place = sites()[position.site].name if position.site >= 0 else ""
    begun = f" with {played}" if position.chosen else ""
    said = {
        "settle": f"settle {place} from {played}", "besiege": f"besiege {place} from {played}",
        "develop": f"develop {place}", "raid": f"raid {place}{begun}", "discard": f"discard {played}",
        "govern": "govern", "merchant": f"trade by ship{begun}", "trader": f"sell furs{begun}",
    }
    return said.get(verb, verb)


def _step(position: Position) -> str:
    """Ask for the next card of the action."""
    data = load_data()
    if position.step == "settler":
        return "which card gives the settlers?"
    way = ""
    if position.step == "transport":
        first = cards(position.by_board)[position.chosen[0]]
        way = next((name for name, places in first.links if position.site in places), "transport")
    return _STEPS[position.step].format(way=way, price=data["cost"]["discard_each_further_card"],
                                        fur=data["income"]["trader_per_fur_card"])
