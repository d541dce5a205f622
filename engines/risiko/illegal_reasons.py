"""Reasons why a move or a chance outcome of RisiKo! is not legal now, in the words of the rules."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from sfida.engines.language import N_, _, counted, listed, named
from sfida.engines.moves import Reason
from sfida.engines.risiko import style
from sfida.engines.risiko.position import Move, decode, position_of
from sfida.engines.risiko.style import neighbours
from sfida.engines.risiko.tables import card_name

if TYPE_CHECKING:
    from sfida.cython_ext.risiko.core import RisikoState
    from sfida.engines.risiko.game import Risiko
    from sfida.engines.risiko.options import Ruleset

DICE = 3                                # most dice of a side (RIS-7.5, 7.6)
RESERVED = 5                            # least armies on the origin of an assault with a reserve (RIS-14.6)
PHASES: dict[str, tuple[str, ...]] = {  # phases of each kind of move
    "color": ("colors",), "place": ("setup_place", "place"), "trade": ("trade",), "attack": ("attack",),
    "assault": ("attack",), "safe_assault": ("attack",), "defend": ("defend",), "occupy": ("occupy",),
    "fortify": ("fortify",), "end_trade": ("trade",), "end_attack": ("attack",), "end_turn": ("fortify",),
    "start": ("chance_start",), "objective": ("chance_objectives",), "deal": ("chance_deal",),
    "roll": ("chance_roll",), "draw": ("draw",), "close": ("sdadata",), "assault_end": ("chance_assault",)}
# The decision or chance event of each phase, which comes before anything else.
FIRST = {
    "colors": (N_("every player takes a colour first"), "RIS-3.5"),
    "setup_place": (N_("the armies of the setup are placed first, three at a time"), "RIS-3.11"),
    "defend": (N_("the defender says first how many dice are thrown"), "RIS-7.6"),
    "occupy": (N_("say first how many more armies move in: 'x 0' is none"), "RIS-7.11"),
    "chance_start": (N_("it is thrown first who begins"), "RIS-3.2"),
    "chance_objectives": (N_("the objectives are dealt first"), "RIS-3.6"),
    "chance_deal": (N_("the territories are dealt first"), "RIS-3.7"),
    "chance_roll": (N_("the dice are thrown first"), "RIS-14.5"),
    "chance_assault": (N_("the assault is decided first"), "RIS-14.8"),
    "draw": (N_("the card of the turn is drawn first"), "RIS-6.1"),
    "sdadata": (N_("the closing dice are thrown first"), "RIS-13.4"),
}
# Reasons against a kind of move in the other phases of a turn.
LATER = {
    "color": (N_("colours are taken before the game"), "RIS-3.5"),
    "occupy": (N_("armies move in right after a conquest"), "RIS-7.11"),
    "defend": (N_("the defender says the dice once an attack is announced"), "RIS-7.6"),
    "start": (N_("who begins was thrown before the game"), "RIS-3.2"),
    "objective": (N_("the objectives were dealt before the game"), "RIS-3.6"),
    "deal": (N_("the territories were dealt before the game"), "RIS-3.7"),
    "roll": (N_("no throw is due: an attack names its territories first"), "RIS-7.4"),
    "draw": (N_("a card is drawn at the end of a turn with a conquest"), "RIS-6.1"),
    "close": (N_("the closing dice are thrown at the end of a turn"), "RIS-13.4"),
    "assault_end": (N_("at a table every throw of an assault is told"), "RIS-14.6"),
}
_PLACE_FIRST = N_("all armies must be placed before the first attack"), "RIS-5.6"
_TRADED = N_("sets are traded in the reinforcement phase, before armies are placed"), "RIS-6.6"
# The course of a turn (RIS-4.1): by kind of move and phase, the step that must come first, or the missed time.
COURSE = {
    "trade": dict.fromkeys(("place", "attack", "fortify"), _TRADED),
    "place": {"trade": (N_("sets are traded before armies are placed: '=' trades no more"), "RIS-14.4"),
              "attack": (N_("the armies of this turn were placed before the attacks"), "RIS-5.6"),
              "fortify": (N_("the armies of this turn were placed before the attacks"), "RIS-5.6")},
    "attack": {"trade": _PLACE_FIRST, "place": _PLACE_FIRST,
               "fortify": (N_("the attacks are over: the strategic move comes last"), "RIS-4.1")},
    "fortify": {"trade": _PLACE_FIRST, "place": _PLACE_FIRST,
                "attack": (N_("the strategic move comes after the attacks: '=' ends them"), "RIS-4.1")},
    "end_turn": {"place": _PLACE_FIRST},
}
SAME = {"assault": "attack", "safe_assault": "attack", "end_trade": "end_turn", "end_attack": "end_turn"}


def why_not(state: RisikoState, move: Move) -> Reason | None:
    """Return the reason why a move or a chance outcome is illegal; None for no reason."""
    if state.phase not in PHASES[move.kind]:
        return _not_now(state, move.kind)
    return _REASONS[move.kind](Case(state, move))


def _not_now(state: RisikoState, kind: str) -> Reason | None:
    """Return the reason why it is not the time for a kind of move."""
    rules = _rules(state)
    if kind == "color" and not rules.choose_colors:
        return Reason(_("players do not choose their colours in this game"), "RIS-3.5")
    if kind == "close" and not rules.sdadata:
        return Reason(_("this game has no closing dice"), "RIS-13.4")
    if kind == "defend" and rules.forced_max_defense:
        return Reason(_("the defender always throws as many dice as possible"), "RIS-11.3")
    told = FIRST.get(state.phase) or LATER.get(kind) or COURSE[SAME.get(kind, kind)].get(state.phase)
    return None if told is None else Reason(_(told[0]), told[1])


def _rules(state: RisikoState) -> Ruleset:
    return cast("Risiko", state.game).ruleset


@dataclass
class Case:
    """A refused move and its position."""

    state: RisikoState
    move: Move

    def __post_init__(self) -> None:
        self.rules: Ruleset = _rules(self.state)
        self.seat = int(self.state.to_move)
        self.position = position_of(self.state, self.seat)
        self.owner, self.armies = self.position.owner, self.position.armies

    def spare(self, place: int) -> tuple[int, str]:
        """Return the number of armies that may leave a territory of the mover, and the clause that keeps the others."""
        front = any(self.owner[other] != self.seat for other in neighbours()[place])
        stay = self.rules.min_garrison if front else 1
        return max(0, self.armies[place] - stay), "RIS-11.5" if stay > 1 else "RIS-7.12"

    def only(self, place: int) -> bool:
        """Return whether a territory is the only one of an owner who cannot be eliminated yet (RIS-9.4)."""
        return (self.rules.early_elimination != "off" and self.position.round <= self.rules.early_elimination_rounds
                and self.owner.count(self.owner[place]) == 1)


def _held_by(case: Case, place: int, clause: str) -> Reason:
    return Reason(_("{place} is not yours: {seat} holds it").format(
        place=style.territory_name(place), seat=case.state.game.seat_name(case.owner[place])), clause)


def _one_stays(case: Case, place: int, clause: str) -> Reason:
    """Return the reason that all armies except one may leave a territory, or that its only army must stay."""
    name, armies = style.territory_name(place), case.armies[place]
    if armies < 2:
        return Reason(_("{place} has one army, and it must stay").format(place=name), clause)
    return Reason(_("{place} has {armies}, of which one must stay: {most} at most").format(
        place=name, armies=counted(armies, "army", "armies"), most=armies - 1), clause)


# ---- decisions of players ---------------------------------------------------------------------------


def _color(case: Case) -> Reason:
    row = style.color_row(case.move.amount)
    seat = next((i for i, one in enumerate(case.position.seats) if one.color == row["id"]), 0)
    return Reason(_("{color} is taken by {seat}").format(
        color=named(row).lower(), seat=case.state.game.seat_name(seat)), "RIS-3.5")


def _place(case: Case) -> Reason:
    if case.owner[case.move.target] != case.seat:
        return _held_by(case, case.move.target, "RIS-3.11" if case.state.phase == "setup_place" else "RIS-5.5")
    if not case.move.amount:
        return Reason(_("at least one army is placed"), "RIS-14.3")
    return Reason(_("you may place {armies} at most").format(
        armies=counted(case.position.left, "army", "armies")), "RIS-14.3")


def _trade(case: Case) -> Reason:
    hand = case.position.seats[case.seat].cards or ()
    missing = [card_name(card) for card in case.move.cards if card not in hand]
    if missing:
        return Reason(_("you do not hold {cards}").format(cards=listed(missing)), "RIS-14.4")
    return Reason(_("{cards} are no set").format(cards=listed([*map(card_name, case.move.cards)])), "RIS-6.4")


def _pair(case: Case, clause: str) -> Reason | None:
    """Return the error in a pair of territories, apart from the armies on them."""
    move = case.move
    origin, target = style.territory_name(move.origin), style.territory_name(move.target)
    if case.owner[move.origin] != case.seat:
        return _held_by(case, move.origin, clause)
    if move.kind == "fortify":
        if move.origin == move.target:
            return Reason(_("{place} is one territory, and a move needs two").format(place=origin), clause)
        if case.owner[move.target] != case.seat:
            return _held_by(case, move.target, clause)
    elif case.owner[move.target] == case.seat:
        return Reason(_("{place} is yours already").format(place=target), clause)
    if move.target not in neighbours()[move.origin]:
        return Reason(_("{origin} and {target} are not neighbours").format(origin=origin, target=target),
                      clause if move.kind == "fortify" else "RIS-7.3")
    return None


def _attack(case: Case) -> Reason:
    move, armies = case.move, case.armies
    wrong = _pair(case, "RIS-7.2")
    if wrong is not None:
        return wrong
    if armies[move.origin] < 2:
        return _one_stays(case, move.origin, "RIS-7.2")
    able = min(DICE, armies[move.origin] - 1)
    if move.kind == "attack" and not 1 <= move.amount <= DICE:
        return Reason(_("an attack throws one to three dice"), "RIS-7.5")
    if move.kind == "attack" and move.amount > able:
        return _one_stays(case, move.origin, "RIS-7.5")
    if move.kind == "safe_assault" and armies[move.origin] < RESERVED:
        return Reason(_("an assault with a reserve needs {armies} armies on its origin").format(armies=RESERVED),
                      "RIS-14.6")
    dice = move.amount if move.kind == "attack" else able
    return _early(case, dice) or _inferior(case)


def _early(case: Case, dice: int) -> Reason | None:
    """Return the reason why an attack on the only territory of a player is too early (RIS-9.4)."""
    target, rules = case.move.target, case.rules
    if not case.only(target):
        return None
    held = {"place": style.territory_name(target), "seat": case.state.game.seat_name(case.owner[target]),
            "rounds": rules.early_elimination_rounds}
    armies = case.armies[target]
    if rules.early_elimination == "no_attack" or armies < 2:
        return Reason(_("{place} is the only territory of {seat}, and nobody may be eliminated before the end of round "
                        "{rounds}: it cannot be attacked").format(**held),
                      "RIS-18.9" if rules.early_elimination == "no_attack" else "RIS-9.6")
    least = min(DICE, armies) if rules.no_inferior_attack else 1
    if dice < armies and (case.move.kind == "attack" or armies > least):
        return None
    return Reason(_("{place} is the only territory of {seat}, and nobody may be eliminated before the end of round "
                    "{rounds}: fewer dice must be thrown than it has armies, {most} at most").format(
                        **held, most=min(DICE, armies - 1)), "RIS-9.6")


def _inferior(case: Case) -> Reason:
    place, armies = style.territory_name(case.move.target), case.armies[case.move.target]
    return Reason(_("{place} is defended with {dice}, and no fewer may attack it").format(
        place=place, dice=counted(min(DICE, armies), "die", "dice")), "RIS-11.4")


def _defend(case: Case) -> Reason:
    most = min(DICE, case.armies[case.position.target])
    return Reason(_("{place} is defended with 1 to {most} dice").format(
        place=style.territory_name(case.position.target), most=most) if most > 1 else
        _("{place} has one army, so it is defended with one die").format(
            place=style.territory_name(case.position.target)), "RIS-7.6")


def _left(case: Case, place: int, clause: str) -> Reason:
    """Return the reason that limits the armies that may leave a territory by choice."""
    most, keeps = case.spare(place)
    if keeps != "RIS-11.5":
        return _one_stays(case, place, clause)
    return Reason(_("{place} has {armies} and borders an enemy, so {stay} must stay: {most} at most").format(
        place=style.territory_name(place), armies=counted(case.armies[place], "army", "armies"),
        stay=case.rules.min_garrison, most=most), keeps)


def _fortify(case: Case) -> Reason:
    wrong = _pair(case, "RIS-8.2")
    if wrong is not None:
        return wrong
    if not case.move.amount:
        return Reason(_("at least one army moves: '=' makes no strategic move"), "RIS-14.7")
    return _left(case, case.move.origin, "RIS-8.2")


# ---- chance outcomes --------------------------------------------------------------------------------


def _start(case: Case) -> Reason:
    return Reason(_("the seats are 0 to {last}").format(last=case.state.players - 1), "RIS-3.2")


def _objective(case: Case) -> Reason:
    return Reason(_("the objective {objective} is dealt already").format(
        objective=case.state.rules.objectives[case.move.amount]), "RIS-3.6")


def _deal(case: Case) -> Reason:
    place = style.territory_name(case.move.target)
    if case.owner[case.move.target] >= 0:
        return Reason(_("{place} is dealt already").format(place=place), "RIS-3.7")
    return Reason(_("with {place} a player would own more than half of a continent").format(place=place), "RIS-13.3")


def _roll(case: Case) -> Reason:
    position = case.position
    return Reason(_("{attack} against {defence}: together both sides lose {armies}").format(
        attack=counted(position.attack_dice, "die", "dice"), defence=counted(position.defence_dice, "die", "dice"),
        armies=counted(min(position.attack_dice, position.defence_dice), "army", "armies")), "RIS-7.7")


def _draw(case: Case) -> Reason:
    if case.move.amount in case.position.discards and case.position.deck:
        return Reason(_("{card} is among the discards").format(card=card_name(case.move.amount)), "RIS-6.7")
    return Reason(_("{card} is not in the deck").format(card=card_name(case.move.amount)), "RIS-15.4")


_REASONS: dict[str, Callable[[Case], Reason]] = {
    "color": _color, "place": _place, "trade": _trade, "attack": _attack, "assault": _attack,
    "safe_assault": _attack, "defend": _defend, "fortify": _fortify, "start": _start, "objective": _objective,
    "deal": _deal, "roll": _roll, "draw": _draw,
    "occupy": lambda case: _left(case, case.position.origin, "RIS-7.12"),
    "close": lambda case: Reason(_("two dice show 2 to 12"), "RIS-15.5"),
    "assault_end": lambda case: Reason(_("an assault cannot end so"), "RIS-14.8"),
}


# ---- texts that contradict an announcement ----------------------------------------------------------


def wrong_dice(state: RisikoState, attack: int, defence: int) -> Reason | None:
    """Return the error in the numbers of dice of a throw, compared with the announced attack and defence."""
    position = position_of(state)
    if state.phase != "chance_roll" or (attack, defence) == (position.attack_dice, position.defence_dice):
        return None
    return Reason(_("{attack} of the attacker and {defence} of the defender are thrown, not {one} and {other}").format(
        attack=counted(position.attack_dice, "die", "dice"), defence=counted(position.defence_dice, "die", "dice"),
        one=attack, other=defence), "RIS-7.5" if attack != position.attack_dice else "RIS-7.6")


def wrong_conquest(state: RisikoState, place: int | None, dice: int | None) -> Reason | None:
    """Return the error in the territory or the compulsory armies of an occupation."""
    position = position_of(state)
    if state.phase != "occupy":
        return None
    if place not in (None, position.target):
        return Reason(_("the armies move into {place}, which was conquered").format(
            place=style.territory_name(position.target)), "RIS-7.11")
    if dice not in (None, position.attack_dice):
        return Reason(_("{armies} took part in the last throw and had to move in").format(
            armies=counted(position.attack_dice, "army", "armies")), "RIS-7.10")
    return None


def nothing_from(state: RisikoState, place: int) -> Reason:
    """Return the reason why no move starts from a territory, typed alone in a phase whose moves have an origin."""
    case = Case(state, Move("end_turn"))
    seat, owner, name = case.seat, case.owner, style.territory_name(place)
    clause = "RIS-7.2" if state.phase == "attack" else "RIS-8.2"
    if owner[place] != seat:
        return _held_by(case, place, clause)
    if case.armies[place] < 2:
        return _one_stays(case, place, clause)
    if state.phase == "attack" and all(owner[other] == seat for other in neighbours()[place]):
        return Reason(_("no enemy borders {place}").format(place=name), clause)
    if state.phase == "fortify" and all(owner[other] != seat for other in neighbours()[place]):
        return Reason(_("no territory of yours borders {place}").format(place=name), clause)
    if not any(decode(code).origin == place for code in state.legal_moves()
               if decode(code).kind in ("attack", "fortify")):
        if state.phase == "fortify":
            return _left(case, place, clause)
        target = next(other for other in neighbours()[place] if owner[other] != seat)
        return _attack(Case(state, Move("assault", place, target)))
    return Reason(_("say where to from {place}").format(place=name), "RIS-22.3")
