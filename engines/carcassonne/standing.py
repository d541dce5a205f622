"""How a seat of Carcassonne stands: points, what its unfinished features and farms would bring, and its followers."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from sfida.engines.carcassonne.gaps import Stack, gaps_of
from sfida.engines.carcassonne.moves import Deploy, encode
from sfida.engines.carcassonne.position import Cell, majority
from sfida.engines.carcassonne.seen import position_of
from sfida.engines.language import N_, _
from sfida.engines.standing import Term

if TYPE_CHECKING:
    from sfida.cython_ext.carcassonne.core import CarcassonneState

# Points that wait, by where: many and one.
WAITING = {"city": (N_("points waiting in cities"), N_("point waiting in cities")),
           "road": (N_("points waiting on roads"), N_("point waiting on roads")),
           "monastery": (N_("points waiting in monasteries"), N_("point waiting in monasteries"))}


def standing(state: CarcassonneState, seat: int) -> tuple[Term, ...]:
    """Return how a seat stands; a turn that goes on counts as if it ended without a follower.

    Points that wait are those of the final count, were it now (CAR-10). The followers that are stuck stand in features
    with a place where no tile fits any more; the tile of the turn counts as one that is left, laid or not.
    """
    if state.phase == "deploy":
        state = state.clone()
        state.apply(encode(Deploy(None)))
    position, count = position_of(state), state.final_scores_now()
    stack = Stack(state)
    hand = position.tile_in_hand or position.tiles[-1].code
    waiting: Counter[str] = Counter()
    gaps: set[Cell] = set()
    cities: set[int] = set()
    stuck = 0
    for feature in position.features:
        if feature.complete or not feature.followers[seat]:
            continue
        holds = seat in majority(feature.followers)
        if feature.kind == "field":
            cities.update(feature.cities if holds else ())
            continue
        missing = gaps_of(position, feature, stack.grid)
        if not all(stack.fitting(cell, hand) for cell in missing):
            stuck += feature.followers[seat]
        if holds:
            waiting[feature.kind] += feature.points
            gaps |= missing
    return (Term(_("points"), count["scores"][seat], _("point")),
            *(Term(_(many), waiting[kind], _(one)) for kind, (many, one) in WAITING.items()),
            Term(_("points waiting on farms"), count["farms"][seat], _("point waiting on farms")),
            Term(_("followers in hand"), position.supply[seat], _("follower in hand")),
            Term(_("cities next to its farms"), len(cities), _("city next to its farms")),
            Term(_("gaps to fill"), len(gaps), _("gap to fill"), good=False),
            Term(_("followers stuck for good"), stuck, _("follower stuck for good"), good=False))
