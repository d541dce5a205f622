"""How a seat stands in Attila: what hints count."""

from __future__ import annotations

from sfida.engines.attila.conflicts import foreseen
from sfida.engines.attila.data import load_data
from sfida.engines.attila.looks import tribes
from sfida.engines.attila.options import AttilaOptions
from sfida.engines.attila.paying import tribe_pays
from sfida.engines.attila.position import Position
from sfida.engines.language import ngettext, pgettext
from sfida.engines.standing import Term


def standing_of(position: Position, seat: int, options: AttilaOptions) -> tuple[Term, ...]:
    """Return how a seat stands, in a position as the viewer sees it.

    What a scoring would pay counts the conflicts that come before it as the viewer sees them: with the cards known to
    lie there, and no more. The hand of the active seat counts as full, for it is refilled at the end of the turn
    (ATT-3.2), unless that ends the game (ATT-10.6).
    """
    who, tokens = position.seats[seat], foreseen(position)
    many, one = (ngettext("point a scoring ({tribe})", "points a scoring ({tribe})", number) for number in (2, 1))
    pays = [Term(many.format(tribe=tribe.name), tribe_pays(position, tribe.number, tokens, options)[seat],
                 one=one.format(tribe=tribe.name)) for tribe in tribes()]
    cards = load_data()["turn"]["hand_size"] if seat == position.seat_on_turn and not position.ending else \
        who.hand_size
    return (Term(ngettext("point", "points", 2), who.score, one=ngettext("point", "points", 1)), *pays,
            Term(pgettext("attila", "influence"), sum(who.influence)),
            Term(ngettext("card", "cards", 2), cards, one=ngettext("card", "cards", 1)),
            Term(ngettext("action tile", "action tiles", 2), len(who.tiles),
                 one=ngettext("action tile", "action tiles", 1)))
