"""Aids at the board of Attila: what stands in a province, who may go there, what tribes pay, where cards lead."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sfida.engines.attila.advice import weakest_text
from sfida.engines.attila.narration import tribe_pays
from sfida.engines.attila.options import AttilaOptions
from sfida.engines.attila.position import Position, foreseen
from sfida.engines.attila.style import (
    card_key, column_key, is_over, named_cards, on_board, peaceful_limit, province_key, seat_name, spread, tribes
)
from sfida.engines.language import _, counted, listed
from sfida.engines.narration import Aid

if TYPE_CHECKING:
    from sfida.cython_ext.attila.core import AttilaState


def aids_of(state: AttilaState, position: Position, viewer: int | None, options: AttilaOptions) -> tuple[Aid, ...]:
    """Return the aids; `position` is the position as the viewer sees it."""
    if position.phase in ("deal", "first"):
        return ()
    found = [*_provinces(position), *_columns(position, options)]
    if not is_over(position):
        allowed = [state.allowed(tribe.number) for tribe in tribes()]
        found += [*_open(position, allowed), *_cards(position, viewer, allowed)]
    return tuple(found)


def _province(position: Position, number: int) -> tuple[str, str]:
    """Return the key and the name of a province."""
    return province_key(position.land, number), position.land.provinces[number].name


def _provinces(position: Position) -> Iterator[Aid]:
    """Yield the tokens of each province, and how near a conflict is."""
    for number, tokens in enumerate(position.tokens):
        there = sum(tokens)
        parts = [named_cards(tokens) if there else _("no token")]
        if position.pacified[number]:
            parts.append(_("at peace"))
        elif number in position.queue:
            parts.append(_("conflict, {weakest}").format(weakest=weakest_text(position, number)))
        elif there == peaceful_limit():
            parts.append(_("the next token starts a conflict"))
        else:
            parts.append(_("a conflict from {number} tokens on").format(number=peaceful_limit() + 1))
        yield Aid("owners", *_province(position, number), "; ".join(parts))


def _columns(position: Position, options: AttilaOptions) -> Iterator[Aid]:
    """Yield what each tribe would pay now, and mark its provinces."""
    tokens, size, places = foreseen(position), on_board(position), spread(position)
    for tribe in tribes():
        pays = tribe_pays(position, tribe.number, tokens, options)
        paid = ", ".join(f"{seat_name(seat)} {points}" for seat, points in enumerate(pays) if points)
        words = _("no token yet") if not size[tribe.number] else _("{tokens} in {provinces}").format(
            tokens=counted(size[tribe.number], "token", "tokens"),
            provinces=counted(places[tribe.number], "province", "provinces"))
        if not is_over(position):
            words += "; " + (_("a scoring now pays {points}").format(points=paid) if paid else
                             _("a scoring now pays nobody"))
        yield Aid("pays", column_key(tribe.number), tribe.name, words, tuple(
            province_key(position.land, number) for number, here in enumerate(position.tokens) if here[tribe.number]))


def _open(position: Position, allowed: list[list[int]]) -> Iterator[Aid]:
    """Yield the tribes that each province is open to."""
    for number, peaceful in enumerate(position.pacified):
        open_to = [tribe.name for tribe in tribes() if number in allowed[tribe.number]]
        if not peaceful:
            yield Aid("fits", *_province(position, number), _("no tribe can enter it now") if not open_to else
                      _("open to every tribe") if len(open_to) == len(allowed) else
                      _("open to {tribes}").format(tribes=listed(open_to)))


def _cards(position: Position, viewer: int | None, allowed: list[list[int]]) -> Iterator[Aid]:
    """Yield what the cards of the viewer's hand allow, and mark the provinces."""
    hand = position.seats[viewer].hand if viewer is not None else None
    for tribe in tribes():
        if hand is not None and hand[tribe.number]:
            places = allowed[tribe.number]
            words = _("a token into one of {provinces}, then {gain} influence or a second token").format(
                provinces=counted(len(places), "province", "provinces"), gain=position.gain) if places else _(
                    "no province is open to it: a dead card")
            yield Aid("fits", card_key(tribe.number), tribe.name, words,
                      tuple(province_key(position.land, place) for place in places))
