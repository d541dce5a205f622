"""How a seat of RisiKo! stands: territories, continents, armies, cards, and how far its own objective is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfida.engines.language import ngettext
from sfida.engines.risiko.goals import progress_parts
from sfida.engines.risiko.looks import neighbours
from sfida.engines.risiko.notes import chance_text
from sfida.engines.risiko.options import Ruleset
from sfida.engines.risiko.position import Position, position_of
from sfida.engines.standing import Term

if TYPE_CHECKING:
    from sfida.cython_ext.risiko.core import RisikoState

LIKELY = 0.5                            # chance of conquest from which on a territory is at risk


def standing_of(state: RisikoState, seat: int, viewer: int, rules: Ruleset) -> tuple[Term, ...]:
    """Return how a seat stands; its objective counts for its own eyes alone.

    Armies include those still to be placed, so that placing them is no gain; a territory is at risk while a neighbour
    would conquer it with a chance above `LIKELY`; armies at the front, which are told of the viewer alone, stand where
    an enemy is next door.
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
    """Return the nouns of all terms as they follow a number, in the language that is spoken."""
    return {"territories": ngettext("territory", "territories", number),
            "continents": ngettext("continent", "continents", number),
            "armies per turn": ngettext("army per turn", "armies per turn", number),
            "territories at risk": ngettext("territory at risk", "territories at risk", number),
            "armies at the front": ngettext("army at the front", "armies at the front", number),
            "armies": ngettext("army", "armies", number),
            "cards": ngettext("card", "cards", number),
            "points": ngettext("point", "points", number)}


def _objective(position: Position, seat: int, rules: Ruleset) -> tuple[Term, ...]:
    """Return how far a seat's objective is, and its points in a tournament; nothing that other terms count as well."""
    terms = [Term(part.many, part.done, part.one, good=not part.to_destroy)
             for part in progress_parts(rules, position, seat) if not part.of_all]
    points = position.seats[seat].points
    if points is not None:
        terms.append(_term("points", points))
    return tuple(terms)


def _at_risk(state: RisikoState, position: Position, seat: int) -> int:
    """Return how many territories of a seat a neighbour would likely conquer."""
    owner, armies = position.owner, position.armies
    return sum(any(owner[other] not in (seat, -1) and armies[other] > 0        # none while territories are dealt
                   and chance_text(state, position, other, place)[0] > LIKELY for other in neighbours()[place])
               for place in range(len(owner)) if owner[place] == seat)


def _at_front(position: Position, seat: int) -> int:
    """Return the armies of a seat on territories that border an enemy."""
    owner = position.owner
    return sum(position.armies[place] for place in range(len(owner))
               if owner[place] == seat and any(owner[other] != seat for other in neighbours()[place]))
