"""What is told of an event of Attila: influence, conflicts, peace, scorings tribe by tribe, and the end."""

from __future__ import annotations

from collections.abc import Sequence

from sfida.engines.attila.looks import (
    centuries,
    named_cards,
    of_tribe,
    on_board,
    ordinal,
    seat_name,
    spread,
    the_tribe,
    tribes,
)
from sfida.engines.attila.moves import Move
from sfida.engines.attila.options import AttilaOptions
from sfida.engines.attila.paying import tribe_pays
from sfida.engines.attila.position import Position
from sfida.engines.attila.sentences import battle_text, ending_text, gone_text
from sfida.engines.language import _, ngettext
from sfida.engines.narration import Effect
from sfida.engines.wording import counted, listed


def effects_of(before: Position, move: Move, after: Position, options: AttilaOptions,
               scorings: Sequence[int]) -> tuple[Effect, ...]:
    """Return what came of a move; everything in it is public.

    Parameters
    ----------
    before, after : Position
    move : Move
        What led from one to the other.
    options : AttilaOptions
    scorings : sequence of int
        Numbers of the scorings that the move held: centuries from 0, then the final one.
    """
    effects = [*_influence(before, after), *_conflict(before, move, after), *_waiting(before, after)]
    if after.ending and after.ending != before.ending:
        effects.append(Effect(_("the game ends with this turn: {reason}").format(reason=ending_text(after))))
    for number in scorings:
        effects += _scoring(before, number, options)
    if after.reshuffles > before.reshuffles:
        effects.append(Effect(_("the discards are shuffled and become the draw pile")))
    return tuple(effects)


def _influence(before: Position, after: Position) -> list[Effect]:
    found = []
    for seat, (old, new) in enumerate(zip(before.seats, after.seats, strict=True)):
        for tribe in tribes():
            space, last = new.influence[tribe.number], old.influence[tribe.number]
            if space != last:
                found.append(Effect(_("{seat}'s marker {of_tribe} goes from {last} to {space}").format(
                    seat=seat_name(seat), of_tribe=of_tribe(tribe.number), last=last, space=space)))
    return found


def _waiting(before: Position, after: Position) -> list[Effect]:
    """Tell of provinces that have just become too crowded (ATT-6.1)."""
    return [Effect(_("{province} is too crowded: there will be a conflict").format(
                province=after.land.provinces[place].name))
            for place in after.queue if place not in before.queue]


def _conflict(before: Position, move: Move, after: Position) -> list[Effect]:
    """Tell how a conflict ended (ATT-6.5 to 6.8, 7.1)."""
    battle = after.battle
    if battle is None or move.kind != "done" or len(after.queue) >= len(before.queue):
        return []
    effects = [Effect(_("{seat} had laid {cards}").format(seat=seat_name(seat), cards=named_cards(cards)))
               for seat, cards in enumerate(battle.laid) if any(cards)]
    place = after.land.provinces[battle.province].name
    effects += [Effect(_("conflict in {strengths}").format(strengths=battle_text(after, battle))),
                Effect(gone_text(battle))]
    if sum(after.peace) < sum(before.peace):
        left = sum(after.peace)
        effects.append(Effect(ngettext(
            "{province} gets a peace tile of the {ordinal} century; {left} tile left in all",
            "{province} gets a peace tile of the {ordinal} century; {left} tiles left in all", left).format(
                province=place, ordinal=ordinal(before.century), left=left)))
    else:
        effects.append(Effect(_("{province} is at peace, although no tile is left").format(province=place)))
    return effects


def _scoring(position: Position, number: int, options: AttilaOptions) -> list[Effect]:
    """Tell what the seats get, and what every tribe pays (ATT-8)."""
    last = number == len(centuries())
    name = (_("final scoring") if last else
            _("scoring of the {ordinal} century").format(ordinal=ordinal(centuries()[number].number)))
    tokens, provinces = on_board(position), spread(position)
    effects, idle = [], []
    for tribe in tribes():
        paid = tribe_pays(position, tribe.number, position.tokens, options)
        points = tuple((seat, float(n)) for seat, n in enumerate(paid) if n)
        if not points:
            idle.append(the_tribe(tribe.number))
            continue
        size = _("{tokens} in {provinces}").format(
            tokens=counted(tokens[tribe.number], "token", "tokens"),
            provinces=counted(provinces[tribe.number], "province", "provinces"))
        who = listed([f"{seat_name(seat)} {n:g}" for seat, n in points])
        effects.append(Effect(_("{the_tribe}, {size}, pay {seats}").format(
            the_tribe=the_tribe(tribe.number), size=size, seats=who), points))
    total = ", ".join(f"{seat_name(seat)} {one.prospect}" for seat, one in enumerate(position.seats))
    nobody = [Effect(_("{tribes} pay nobody").format(tribes=listed(idle)))] if idle else []
    return [Effect(f"{name}: {total}"), *effects, *nobody]
