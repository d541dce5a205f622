"""A first game of RisiKo!: what it is about, and a lesson for each kind of decision; numbers come from the options."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfida.engines.language import _, ngettext
from sfida.engines.lessons import Lesson
from sfida.engines.risiko import names
from sfida.engines.risiko.looks import continents, sets_in
from sfida.engines.risiko.moves import Move, decode
from sfida.engines.risiko.notation import RESERVE
from sfida.engines.risiko.options import Ruleset
from sfida.engines.risiko.position import position_of
from sfida.engines.risiko.rules import codes, load_data
from sfida.engines.wording import counted, listed

if TYPE_CHECKING:
    from sfida.cython_ext.risiko.core import RisikoState


def introduction_of(rules: Ruleset) -> str:
    """Tell aim, course of a turn and end of the game."""
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
    """Return the lesson of a seat's decision; it tells nothing that the seat does not know."""
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
    """Say how a placement is typed, by an example."""
    code, name = codes()[place], names.territory_name(place)
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
    here, there = names.territory_name(origin), names.territory_name(target)
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
            garrison=garrison, named=f"{names.territory_name(here)} {names.territory_name(there)} {example.amount}",
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
    typed = _("'{here}>>{there}' goes on until the territory falls or you cannot, '{here}>>{there} {reserve}' stops "
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
        "tells nobody what you hold. You have none, and only you know.\n\n"
        "Type '=' to go on. A set is three cards with the same sign, one of each sign, or a joker with two that are "
        "equal; any five cards hold one."), "RIS-14.2")


def _color() -> Lesson:
    return Lesson("color", _("Choosing a colour"), _(
        "You choose the colour of your armies. It makes no difference to your chances, since the objectives are dealt "
        "afterwards; some of them are to destroy one colour.\n\n"
        "Type the number in the list, or for example 'color=blue'."), "RIS-3.5")
