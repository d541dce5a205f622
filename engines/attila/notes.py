"""What a move of Attila brings beyond its words: places taken, conflicts, odds of a draw."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import comb
from typing import TYPE_CHECKING, cast

from sfida.cython_ext.rng import Random
from sfida.engines.attila.conflicts import foreseen, known_strengths, weakest
from sfida.engines.attila.looks import on_board, peaceful_limit, seat_name, spread, tribes
from sfida.engines.attila.moves import LETTERS, Move, encode
from sfida.engines.attila.options import AttilaOptions
from sfida.engines.attila.paying import tribe_pays
from sfida.engines.attila.position import NOTHING, Position, Six, six
from sfida.engines.language import N_, _
from sfida.engines.wording import chance_text, counted, listed

if TYPE_CHECKING:
    from sfida.cython_ext.attila.core import AttilaState

_WORLDS = 5000          # worlds of which the draw pile is averaged
_RANKS = (N_("1st"), N_("2nd"), N_("3rd"), N_("4th"), N_("5th"))
_SHARED = (N_("shared 1st"), N_("shared 2nd"), N_("shared 3rd"), N_("shared 4th"), N_("shared 5th"))


def move_note(state: AttilaState, position: Position, move: Move, options: AttilaOptions) -> str:
    """Return what a legal move brings; `position` is the state as the mover sees it."""
    if move.kind == "card":
        return _tribe_note(position, move.what)
    if move.kind in ("at", "second"):
        return _place_note(position, move.what)
    if move.kind in ("influence", "inf_a", "inf_b"):
        tribe = position.card if move.kind == "influence" else move.what
        return _gain_note(position, tribe, position.gain if move.kind == "influence" else 1, options)
    if move.kind in ("commit", "done"):
        return _conflict_note(position, move)
    if move.kind in ("go_on", "end_turn"):
        return _scoring_note(state, position, move)
    if move.kind == "tile_exchange":
        if not position.pile:
            return _("the cards come from the discards, those put aside among them")
        return _("a card drawn is {odds}").format(odds=_draw_odds(state, position, 1))
    if move.kind == "give_done":
        return _("at least one {odds}").format(odds=_draw_odds(state, position, sum(position.given)))
    return ""


def _scoring_note(state: AttilaState, position: Position, move: Move) -> str:
    """Say what a scoring that follows pays each seat (ATT-8, 11.5, 11.6)."""
    after = state.clone()
    after.apply(encode(move))
    if move.kind == "end_turn" and not after.is_over:
        return ""
    if move.kind == "go_on" and not position.scored_next:
        return _("no scoring: the final one takes its place")
    paid = ", ".join(f"{seat_name(seat)} +{new - old:g}"
                     for seat, (old, new) in enumerate(zip(state.scores(), after.scores(), strict=True)))
    return _("final scoring: {points}").format(points=paid) if move.kind == "end_turn" else paid


def _tribe_note(position: Position, tribe: int) -> str:
    """Say what a tribe is worth, and who stands how in it."""
    tokens, provinces = on_board(position)[tribe], spread(position)[tribe]
    size = (f"{counted(tokens, 'token', 'tokens')}, {counted(provinces, 'province', 'provinces')}" if tokens
            else _("no token yet"))
    spaces = [(one.influence[tribe], seat) for seat, one in enumerate(position.seats)]
    others = max((pair for pair in spaces if pair[1] != position.seat_to_move), key=lambda pair: pair[0])
    own = position.seats[position.seat_to_move].influence[tribe]
    return _("{size}; you {own}, {seat} {space}").format(size=size, own=own, seat=seat_name(others[1]), space=others[0])


def _place_note(position: Position, province: int) -> str:
    """Say what a token of the card in play does in a province, as far as the viewer knows."""
    after = _placed(position, province)
    there = sum(after.tokens[province])
    if there > peaceful_limit():
        return _("conflict, {weakest}").format(weakest=_weakest_text(after, province))
    if there == peaceful_limit():
        return _("the next one starts a conflict")
    return _("a new province") if after.tokens[province][position.card] == 1 else ""


def _placed(position: Position, province: int) -> Position:
    """Return a position with one more token of the card in play."""
    tokens = list(position.tokens)
    tokens[province] = _one_more(tokens[province], position.card)
    full = sum(tokens[province]) > peaceful_limit()
    return replace(position, tokens=tuple(tokens), queue=(*position.queue, province) if full else position.queue)


def _gain_note(position: Position, tribe: int, spaces: int, options: AttilaOptions) -> str:
    """Say where influence leads, and what a scoring would pay more for it."""
    seat = position.seat_to_move
    who, tokens = position.seats[seat], foreseen(position)
    space = min(position.land.last_space, who.influence[tribe] + spaces)
    raised = replace(who, influence=six(space if i == tribe else n for i, n in enumerate(who.influence)))
    after = replace(position, seats=tuple(raised if i == seat else one for i, one in enumerate(position.seats)))
    more = (tribe_pays(after, tribe, tokens, options)[seat] - tribe_pays(position, tribe, tokens, options)[seat])
    rivals = [one.influence[tribe] for i, one in enumerate(position.seats) if i != seat]
    rank = 1 + sum(other > space for other in rivals)
    place = _((_SHARED if space in rivals else _RANKS)[rank - 1])
    if space == position.land.last_space:
        place = _("the last space")
    if more:
        return _("to {space}, {place}; pays {more} more").format(space=space, place=place, more=more)
    return _("to {space}, {place}; pays no more").format(space=space, place=place)


def _conflict_note(position: Position, move: Move) -> str:
    """Say who is weakest then, counting the cards that the viewer knows."""
    if move.kind == "commit":
        seat = position.seat_to_move
        cards = _one_more(position.seats[seat].laid_cards or NOTHING, move.what)
        position = replace(position, seats=tuple(replace(one, laid_cards=cards) if i == seat else one
                                                 for i, one in enumerate(position.seats)))
    return _weakest_text(position, position.queue[0])


def _one_more(counts: Six, tribe: int) -> Six:
    return six(n + (i == tribe) for i, n in enumerate(counts))


def _weakest_text(position: Position, province: int) -> str:
    strength = known_strengths(position, province)
    gone = weakest(strength)
    who = (listed([tribes()[tribe].name for tribe in gone]) if len(gone) < 3 else
           _("{number} tribes").format(number=len(gone)))
    return _("weakest {tribes} at {strength}").format(tribes=who, strength=strength[gone[0]])


def _draw_odds(state: AttilaState, position: Position, cards: int) -> str:
    """Say how likely each tribe is among cards drawn in an exchange.

    When the pile runs out, the discards are drawn from, with the cards put aside among them (ATT-10.4). Where every
    unseen card may lie in the pile alike (ATT-16.3), drawing from the pile is drawing from all of them; else the odds
    are those over worlds that the mover thinks possible.
    """
    first = min(cards, position.pile)
    rest = [a + b for a, b in zip(position.discards, position.given, strict=True)]
    later = [_without(rest, tribe, cards - first) for tribe in range(len(LETTERS))]
    view, seat = state.view(state.to_move), position.seats[position.seat_to_move]
    if _one_pile(state):
        assert seat.hand is not None
        seen = [a + b for a, b in zip(seat.hand, rest, strict=True)]
        unseen = [tribe.cards - seen[tribe.number] for tribe in tribes()]
        found = [_without(unseen, tribe, first) for tribe in range(len(LETTERS))]
    else:
        rng, found = Random(1), [0.0] * len(LETTERS)
        for _world in range(_WORLDS):
            pile = cast("AttilaState", view.sample(rng)).pile()
            for tribe in range(len(LETTERS)):
                found[tribe] += _without(pile, tribe, first) / _WORLDS
    return ", ".join(f"{letter} {chance_text(1 - none * after)}"
                     for letter, none, after in zip(LETTERS, found, later, strict=True))


def _one_pile(state: AttilaState) -> bool:
    """Return whether all cards known to have been drawn came from one pile, and nobody has shown a dead hand."""
    kinds = [kind for kind, _seat, _what in state.history()]
    return "dead" not in kinds and kinds.count("draw") <= sum(state.history_base())


def _without(cards: Sequence[int], tribe: int, drawn: int) -> float:
    """Return how likely none of the cards drawn is of a tribe."""
    return comb(sum(cards) - cards[tribe], drawn) / comb(sum(cards), drawn)
