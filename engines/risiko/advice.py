"""Advice on RisiKo!: costs and odds of a move, the standing of a seat, and lessons for a first game."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

from sfida.cython_ext.risiko.core import LARGEST_STACK
from sfida.engines.language import N_, _, counted, listed, ngettext
from sfida.engines.narration import Lesson, Term
from sfida.engines.risiko import style
from sfida.engines.risiko.objectives import goal_of, objective_row, progress_parts
from sfida.engines.risiko.options import Ruleset
from sfida.engines.risiko.position import RESERVE, Move, Position, decode, position_of
from sfida.engines.risiko.style import continents, neighbours, set_worth, sets_in
from sfida.engines.risiko.tables import codes, load_data

if TYPE_CHECKING:
    from sfida.cython_ext.risiko.core import RisikoState


# ---- Notes: expected losses, gains of a conquest, odds afterwards

NO_CARD = N_("no card: the hand is full, or none is left")
_THROW_COST = N_("one throw costs {own:.1f} armies on average, {seat} {others:.1f}")
_DEFENCE_COST = N_("a throw costs {own:.1f} armies on average, {seat} {others:.1f}")     # must fit into 80 columns
_COST = N_("costs {own:.1f} armies on average, {seat} {others:.1f}")
_ABOUT = N_("costs about {own:.1f} armies on average, {seat} {others:.1f}")


def note_of(state: RisikoState, move: Move, rules: Ruleset) -> str:
    """Return costs and gains of a legal move that its words do not mention, from the mover's information only."""
    told: dict[str, Callable[[RisikoState, Position, Move, Ruleset], str]] = {
        "place": _placed, "attack": _attack, "assault": _attack, "safe_assault": _attack, "defend": _notes_defence,
        "occupy": _moved, "fortify": _moved, "trade": _trade, "end_attack": _card_due}
    tell = told.get(move.kind)
    return "" if tell is None else tell(state, position_of(state, int(state.to_move)), move, rules)


# ---- odds -------------------------------------------------------------------------------------------


def chance_text(state: RisikoState, position: Position, origin: int, target: int, *, reserve: bool = False,
                dice: int = 0, more: int = 0, against: int = 0, digits: int = 0) -> tuple[float, str]:
    """Return the chance that an attack from one territory conquers another, and the chance in words.

    Parameters
    ----------
    state : RisikoState
    position : Position
        The position as any viewer sees it.
    origin, target : int
    reserve : bool
        Whether the assault keeps a reserve.
    dice : int
        Dice of the first throw; 0: the maximum.
    more, against : int
        Armies added to the origin and to the target before the attack.
    digits : int
        Decimals.
    """
    attackers, defenders = position.armies[origin] + more, position.armies[target] + against
    chance = state.rules.win_chance(attackers, defenders, reserve, dice=dice,
                                    protected=state.is_protected(target, position.owner[origin]))
    told = _("about {chance} %") if max(attackers, defenders) > LARGEST_STACK else "{chance} %"
    return chance, told.format(chance=f"{100 * chance:.{digits}f}")


# ---- battles ----------------------------------------------------------------------------------------


@cache
def throw_losses(attack: int, defence: int) -> tuple[float, float]:
    """Return the average losses of attacker and defender in one throw with given numbers of dice (RIS-15.3)."""
    row = next(one for one in load_data()["battle_odds"]
               if one["attack_dice"] == attack and one["defense_dice"] == defence)
    mean = [sum(one["ways"] * one[f"{who}_loss"] for one in row["outcomes"]) / row["total"]
            for who in ("attacker", "defender")]
    return mean[0], mean[1]


def _attack(state: RisikoState, position: Position, move: Move, rules: Ruleset) -> str:
    """Describe the average losses of one throw or a whole attack, and the gains of the conquest."""
    here, there = position.armies[move.origin], position.armies[move.target]
    protected = state.is_protected(move.target, int(state.to_move))
    if move.kind == "attack":
        cost, losses = _THROW_COST, throw_losses(move.amount, min(3, there))
    else:
        cost = _ABOUT if max(here, there) > LARGEST_STACK else _COST
        losses = state.rules.expected_losses(here, there, move.kind == "safe_assault", protected)
    told = [_average(state, _(cost), losses, position.owner[move.target])]
    brings = "" if protected else listed(_conquest(state, position, move.target, rules))
    if protected:
        told.append(_("cannot conquer it: nobody is eliminated before round {round}").format(
            round=rules.early_elimination_rounds + 1))
    if brings:
        told.append(_("a conquest {brings}").format(brings=brings))
    return "; ".join(told)


def _average(state: RisikoState, cost: str, losses: tuple[float, float], other: int) -> str:
    return cost.format(own=losses[0], seat=state.game.seat_name(other), others=losses[1])


def _conquest(state: RisikoState, position: Position, target: int, rules: Ruleset) -> list[str]:
    """Return the further gains of the mover from the conquest of a territory, the most important first."""
    seat, loser = int(state.to_move), position.owner[target]
    held = {place for place, owner in enumerate(position.owner) if owner == seat} | {target}
    last, inherited = position.seats[loser].territories == 1, 0
    found = _for_objective(state, position, target, held, rules)
    if last:
        inherited = position.seats[loser].card_count
        told = _("eliminates {seat} ({cards})") if inherited else _("eliminates {seat}")
        if not found and sum(one.alive for one in position.seats) == 2:
            found.append(_("wins the game"))
        found.append(told.format(seat=state.game.seat_name(loser), cards=counted(inherited, "card", "cards")))
    for number, land in enumerate(continents()):
        if target in land.territories:
            if held.issuperset(land.territories):
                found.append(_("completes {land} (+{bonus} armies per turn)").format(land=land.name, bonus=land.bonus))
            elif number in position.seats[loser].continents:
                found.append(_("breaks {land} (-{bonus} for {seat})").format(
                    land=land.name, bonus=land.bonus, seat=state.game.seat_name(loser)))
    if not position.conquests and state.conquest_earns_card(inherited):
        found.append(_("earns a card"))
    return found


def _for_objective(state: RisikoState, position: Position, target: int, held: set[int], rules: Ruleset) -> list[str]:
    """Describe whether a conquest fulfils the mover's objective, or a part of it."""
    seat = int(state.to_move)
    which = position.seats[seat].effective
    if which is None:
        return []
    row, goal = objective_row(rules, which), goal_of(rules, which)
    whole = [one for one in continents() if held.issuperset(one.territories)]
    if goal:
        spare = sum(one.id not in row.get("continents", ()) for one in whole)
        done, counts = held.issuperset(goal) and spare >= row.get("extra", 0), target in goal
    elif row["type"] == "destroy":
        loser = position.seats[position.owner[target]]
        counts = loser.color == row["color"]
        done = counts and loser.territories == 1
    else:
        counts = row["min_armies"] == 1
        done = counts and len(held) >= row["count"]
    return [_("wins the game")] if done else [_("counts for the objective")] if counts else []


def _notes_defence(state: RisikoState, position: Position, move: Move, rules: Ruleset) -> str:
    lost, slain = throw_losses(position.attack_dice, move.amount)
    return _average(state, _(_DEFENCE_COST if position.assault else _COST), (slain, lost), position.seat_on_turn)


# ---- armies -----------------------------------------------------------------------------------------


def _placed(state: RisikoState, position: Position, move: Move, rules: Ruleset) -> str:
    """Describe the best attack from a territory with its new armies, and the greatest threat to the territory."""
    owner = position.owner
    enemies = [other for other in neighbours()[move.target] if owner[other] != owner[move.target]]
    if not enemies:
        return _("no enemy borders it")
    here, more = move.target, move.amount
    (_chance, best), prey = max((chance_text(state, position, here, other, more=more), other) for other in enemies)
    _chance, worst = max(chance_text(state, position, other, here, against=more) for other in enemies)
    return _("then {prey} falls with {best}, {place} with {worst}").format(
        prey=style.territory_name(prey), best=best, place=style.territory_name(here), worst=worst)


def _moved(state: RisikoState, position: Position, move: Move, rules: Ruleset) -> str:
    """Give the armies in both territories after the move."""
    origin, target = (position.origin, position.target) if move.kind == "occupy" else (move.origin, move.target)
    here, there = position.armies[origin] - move.amount, position.armies[target] + move.amount
    return _("{here} in {origin}, {there} in {target} then").format(
        here=here, origin=style.territory_name(origin), there=there, target=style.territory_name(target))


def _trade(state: RisikoState, position: Position, move: Move, rules: Ruleset) -> str:
    """Give the armies for a set of cards (RIS-6.3, 6.5)."""
    seat = int(state.to_move)
    own = [card for card in move.cards if card < len(position.owner) and position.owner[card] == seat]
    extra = load_data()["cards"]["owned_territory_bonus"] * len(own)
    worth = set_worth(move.cards, rules.trade_table) + extra
    brings = worth
    if rules.army_cap:
        brings = min(worth, max(0, rules.army_cap - position.seats[seat].armies - position.left))
    told = (_("brings {armies} of {worth}: nobody has more than {cap}") if brings < worth
            else _("brings {armies}, {extra} of them for cards of own territories") if extra else _("brings {armies}"))
    return told.format(armies=counted(brings, "army", "armies"), extra=extra, worth=worth, cap=rules.army_cap)


def _card_due(state: RisikoState, position: Position, move: Move, rules: Ruleset) -> str:
    """Describe whether the mover gets a card at the end of the turn (RIS-6.1)."""
    if not position.conquests:
        return _("no conquest this turn, so no card")
    return _("a card at the end of the turn") if state.conquest_earns_card() else _(NO_CARD)


# ---- The standing of a seat of RisiKo!: territories, continents, armies, cards, and progress of its objective

LIKELY = 0.5                            # chance of conquest above which a territory is at risk


def standing_of(state: RisikoState, seat: int, viewer: int, rules: Ruleset) -> tuple[Term, ...]:
    """Return the standing of a seat; the progress of its objective is a term only if the seat is the viewer.

    Armies include those still to be placed, so placing them is no gain. A territory is at risk while a neighbour would
    conquer it with a chance above `LIKELY`. Armies at the front stand next to an enemy; they are a term only if the
    seat is the viewer.
    """
    position = position_of(state, viewer)
    one = position.seats[seat]
    own = _objective(position, seat, rules) if seat == viewer else ()
    return (*own,
            _term("territories", one.territories),
            _term("continents", len(one.continents)),
            _term("armies per turn", one.income),
            _term("territories at risk", _at_risk(state, position, seat), good=False),
            *([_term("armies at the front", _at_front(position, seat))] if seat == viewer else []),
            _term("armies", one.armies + position.waiting(seat)),
            _term("cards", one.card_count))


def _term(what: str, value: float, good: bool = True) -> Term:
    return Term(_nouns(2)[what], value, _nouns(1)[what], good)


def _nouns(number: int) -> dict[str, str]:
    """Return the nouns of all terms as they follow a number, in the current language."""
    return {"territories": ngettext("territory", "territories", number),
            "continents": ngettext("continent", "continents", number),
            "armies per turn": ngettext("army per turn", "armies per turn", number),
            "territories at risk": ngettext("territory at risk", "territories at risk", number),
            "armies at the front": ngettext("army at the front", "armies at the front", number),
            "armies": ngettext("army", "armies", number),
            "cards": ngettext("card", "cards", number),
            "points": ngettext("point", "points", number)}


def _objective(position: Position, seat: int, rules: Ruleset) -> tuple[Term, ...]:
    """Return the progress of a seat's objective and its tournament points, without parts that other terms count."""
    terms = [Term(part.many, part.done, part.one, good=not part.to_destroy)
             for part in progress_parts(rules, position, seat) if not part.of_all]
    points = position.seats[seat].points
    if points is not None:
        terms.append(_term("points", points))
    return tuple(terms)


def _at_risk(state: RisikoState, position: Position, seat: int) -> int:
    """Return the number of a seat's territories that a neighbour would probably conquer."""
    owner, armies = position.owner, position.armies
    return sum(any(owner[other] not in (seat, -1) and armies[other] > 0        # none while territories are dealt
                   and chance_text(state, position, other, place)[0] > LIKELY for other in neighbours()[place])
               for place in range(len(owner)) if owner[place] == seat)


def _at_front(position: Position, seat: int) -> int:
    """Return the armies of a seat on territories that border an enemy."""
    owner = position.owner
    return sum(position.armies[place] for place in range(len(owner))
               if owner[place] == seat and any(owner[other] != seat for other in neighbours()[place]))


# ---- Lessons: the introduction to the game, and each kind of decision


def introduction_of(rules: Ruleset) -> str:
    """Describe the aim, the course of a turn and the end of the game."""
    card = (_("such as two continents, 24 territories or the end of a colour") if rules.objective_deck == "base"
            else _("most often territories that you must hold"))
    return "\n\n".join((
        _("The map has 42 territories in six continents, shared out among you and your enemies. A card that only you "
          "see names your objective, {card}. Whoever has fulfilled theirs in their own turn wins at once."
          ).format(card=card),
        _("In your turn you first receive armies, one for every three territories{least} and more for whole "
          "continents and for sets of cards, and place them. Then you attack neighbouring territories as often as you "
          "like: dice decide, and ties are the defender's. Last you may move armies once between two neighbouring "
          "territories of yours. A turn with a conquest brings a card.").format(least=_least(rules)),
        " ".join(filter(None, (_early(rules), _round_limit(rules)))) or _("The game ends when somebody has won.")))


def _round_limit(rules: Ruleset) -> str:
    if not rules.round_limit:
        return ""
    result = _("it is a draw of those who are left") if rules.limit_result == "draw" else _("the most points win")
    end = (_("From round {round} on a low throw of two dice may end the game: then {result}.") if rules.sdadata
           else _("After round {round} {result}."))
    values = _("Your points are the values of the territories of your objective that you hold.")
    return " ".join([end.format(round=rules.round_limit, result=result), *([values] if rules.points else [])])


def _least(rules: Ruleset) -> str:
    least = _(" ({least} at least)").format(least=rules.min_reinforcement) if rules.min_reinforcement else ""
    if not rules.extra_reinforcement:
        return least
    return least + _(", and {armies} besides").format(armies=counted(rules.extra_reinforcement, "army", "armies"))


def _early(rules: Ruleset) -> str:
    if rules.early_elimination == "off" or not rules.early_elimination_rounds:
        return ""
    return ngettext("Nobody can be eliminated in the first {number} round.",
                    "Nobody can be eliminated in the first {number} rounds.", rules.early_elimination_rounds).format(
                        number=rules.early_elimination_rounds)


def lesson_of(state: RisikoState, seat: int, rules: Ruleset) -> Lesson | None:
    """Return the lesson on a seat's decision; it contains only what the seat knows."""
    position, phase = position_of(state, seat), state.phase
    if phase == "colors":
        return _color()
    if phase == "trade":
        return _sets(rules) if sets_in(position.seats[seat].cards or ()) else _no_set()
    moves = map(decode, state.candidate_moves())
    example = next(move for move in moves if not move.kind.startswith("end_"))
    if phase in ("setup_place", "place"):
        typed = _placing(example.target, min(2, position.left))
        return _setup(position.left, typed) if phase == "setup_place" else _reinforcements(rules, typed)
    if phase == "attack":
        return _attacks(rules, example)
    if phase == "defend":
        return _defence()
    if phase == "occupy":
        return _occupation(rules, position.attack_dice, position.origin, position.target)
    return _strategic_move(rules, example) if phase == "fortify" else None


# ---- armies -----------------------------------------------------------------------------------------


def _placing(place: int, most: int) -> str:
    """Explain the notation of a placement by an example."""
    code, name = codes()[place], style.territory_name(place)
    return _("Type a territory and a number: '{name} {most}' or '+{code} {most}' puts {armies} on {name}. '{code}' "
             "alone lists what you may put there.").format(
                 name=name, most=most, code=code, armies=counted(most, "army", "armies"))


def _setup(batch: int, typed: str) -> Lesson:
    return Lesson("setup", _("The first armies"), _(
        "Before the first round all players in turn place a few armies, three at most, until everything is on the map. "
        "You have {batch} to place now, on one of your territories or on several.\n\n"
        "A lone army cannot attack and falls easily. Make two or three places strong from which you want to attack: "
        "next to territories that your objective needs, or in a small continent that you could soon hold whole. "
        "{typed}").format(batch=batch, typed=typed), "RIS-3.11")


def _reinforcements(rules: Ruleset, typed: str) -> Lesson:
    bring = listed([f"{land.name} {land.bonus}" for land in continents()])
    receive = [_("You receive one army for every three of your territories{least}, and more for each continent that is "
                 "all yours: {bring}. All of them must be placed before you attack.").format(
                     least=_least(rules), bring=bring)]
    if rules.army_cap:
        receive.append(_("Nobody may have more than {cap} armies; the rest is lost.").format(cap=rules.army_cap))
    put = _("Put them together where you want to attack now, or where a strong enemy stands next door; a territory "
            "that no enemy borders needs one army only.")
    return Lesson("place", _("Reinforcements"), f"{' '.join(receive)}\n\n{put} {typed}", "RIS-5.5")


def _occupation(rules: Ruleset, dice: int, origin: int, target: int) -> Lesson:
    here, there = style.territory_name(origin), style.territory_name(target)
    moved = ngettext("The army that threw the last die has moved into {there}.",
                     "The {dice} armies that threw the last dice have moved into {there}.", dice)
    send = (_("You may send more after them from {here}, where one army must stay.") if rules.min_garrison < 2 else
            _("You may send more after them from {here}, where {garrison} armies must stay if an enemy borders it, "
              "else one."))
    move = _("Move most of them if you want to attack on from {there}, or if the enemy is there; move none if {here} "
             "is in more danger. Type how many more: 0 for none.")
    return Lesson("occupy", _("Moving in"), f"{moved} {send}\n\n{move}".format(
        dice=dice, here=here, there=there, garrison=rules.min_garrison), "RIS-7.11")


def _strategic_move(rules: Ruleset, example: Move) -> Lesson:
    garrison = (_("{garrison} armies stay where an enemy borders it, elsewhere one").format(garrison=rules.min_garrison)
                if rules.min_garrison > 1 else _("one army stays behind"))
    here, there = example.origin, example.target
    return Lesson("fortify", _("The strategic move"), _(
        "Once in a turn you may move armies from one of your territories to a neighbouring one of yours, whether you "
        "attacked or not; {garrison}. It ends your turn.\n\n"
        "Bring armies from the inland to a border that needs them. Type both territories and a number, such as "
        "'{named}' or '{coded}', or '=' to move nothing.").format(
            garrison=garrison, named=f"{style.territory_name(here)} {style.territory_name(there)} {example.amount}",
            coded=f"~{codes()[here]}>{codes()[there]} {example.amount}"), "RIS-8.1")


# ---- battles ----------------------------------------------------------------------------------------


def _attacks(rules: Ruleset, example: Move) -> Lesson:
    here, there = codes()[example.origin], codes()[example.target]
    dice = [_("You throw a die for each army that attacks, three at most; one army stays behind. The defender throws "
              "up to three. The highest dice are compared, then the next: each time the lower one costs its side an "
              "army; ties are the defender's.")]
    if rules.no_inferior_attack:
        dice.append(_("You may not throw fewer dice than the defender."))
    earns = (_("The first conquest earns a card, unless you hold {limit} by then.").format(limit=rules.hand_limit)
             if rules.hand_limit else _("The first conquest earns a card."))
    typed = _("'{here}>>{there}' continues until the territory falls or you cannot, '{here}>>{there} {reserve}' stops "
              "with about {reserve} armies left, '{here}>{there}' is one throw; names do as well. An even chance takes "
              "two armies more than one or two defenders, almost twice as many as a crowd.").format(
                  here=here, there=there, reserve=RESERVE)
    ends = _("'=' ends the attacks.")
    return Lesson("attack", _("Attacking"), f"{' '.join(dice)}\n\n{typed} {earns} {ends}", "RIS-7.5")


def _defence() -> Lesson:
    return Lesson("defend", _("Defending"), _(
        "You are attacked, and say before the throw with how many dice you defend: three at most, and no more than you "
        "have armies there. The highest dice are compared, then the next, and ties are yours.\n\n"
        "Fewer dice risk fewer armies in one throw, but to hold a territory the most dice are always best. Type the "
        "number of dice."), "RIS-7.6")


# ---- cards and colours ------------------------------------------------------------------------------


def _sets(rules: Ruleset) -> Lesson:
    worth = {row["id"]: row[rules.trade_table] for row in load_data()["trade"]}
    own = load_data()["cards"]["owned_territory_bonus"]
    return Lesson("trade", _("Trading a set of cards"), _(
        "Three cards make a set: three cannons bring {three_cannons} armies, three infantry {three_infantry}, three "
        "cavalry {three_cavalry}, one of each {one_of_each}, a joker and two that are equal {joker_plus_pair}; and "
        "each card of a territory of yours {own} more. You hold a set.\n\n"
        "Waiting pays if a better set is near, or if you are about to conquer a territory of a card; but whoever "
        "eliminates you takes your cards. Type a number of the list or 'T' and three cards, such as 'T ALK QUE PER', "
        "or '=' to keep them.").format(own=own, **worth), "RIS-6.3")


def _no_set() -> Lesson:
    return Lesson("no_set", _("Asked for a set of cards"), _(
        "Whoever may hold a set of three cards, by what the others know, is asked whether to trade it: so the question "
        "shows nobody what you hold. You have none, and only you know.\n\n"
        "Type '=' to continue. A set is three cards with the same sign, one of each sign, or a joker with two that are "
        "equal; any five cards hold one."), "RIS-14.2")


def _color() -> Lesson:
    return Lesson("color", _("Choosing a colour"), _(
        "You choose the colour of your armies. It makes no difference to your chances, since the objectives are dealt "
        "afterwards; some of them are to destroy one colour.\n\n"
        "Type the number in the list, or for example 'color=blue'."), "RIS-3.5")
