"""How a seat stands in Attila: what hints count."""

from __future__ import annotations

from sfida.engines.attila.conflicts import foreseen
from sfida.engines.attila.data import load_data
from sfida.engines.attila.looks import tribes
from sfida.engines.attila.options import AttilaOptions
from sfida.engines.attila.paying import tribe_pays
from sfida.engines.attila.position import Position
from sfida.engines.standing import Term


def standing_of(position: Position, seat: int, options: AttilaOptions) -> tuple[Term, ...]:
    """Return how a seat stands, in a position as the viewer sees it.

    What a scoring would pay counts the conflicts still to come as the viewer sees them: with the cards known to lie
    there, and no more. The hand of the active seat counts as full, for it is refilled at the end of the turn (ATT-3.2).
    """
    who, tokens = position.seats[seat], foreseen(position)
    pays = [Term(f"points a scoring ({tribe.name})", tribe_pays(position, tribe.number, tokens, options)[seat],
                 one=f"point a scoring ({tribe.name})") for tribe in tribes()]
    cards = load_data()["turn"]["hand_size"] if seat == position.seat_on_turn else who.hand_size
    return (Term("points", who.score, one="point"), *pays, Term("influence", sum(who.influence)),
            Term("cards", cards, one="card"), Term("action tiles", len(who.tiles), one="action tile"))
