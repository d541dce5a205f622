"""How a side stands in A Few Acres of Snow, in the terms in which its moves are explained."""

from __future__ import annotations

from sfida.engines.acres.data import load_data
from sfida.engines.acres.looks import cards, home_sites, sites, strength_at
from sfida.engines.acres.position import Position
from sfida.engines.language import _, ngettext
from sfida.engines.standing import Term

_LAST_PIECES = 3                # so few pieces in a supply are worth a word: the game ends when one is empty
_ENDING = ("order", "siege_settle", "siege_loss")       # sieges are decided, and their cards on the way back


def standing(position: Position, seat: int, viewer: int) -> tuple[Term, ...]:
    """Return how a side stands; of its cards which ones it owns, which is public, not where they are.

    Parameters
    ----------
    position : Position
        As everybody sees it.
    seat, viewer : int
        Whether there is room in the hand is told to its owner alone.
    """
    mine, other, pile = position.seats[seat], position.seats[1 - seat], position.owned(seat)
    falling, home = _falling(position, seat)
    points, hand = mine.points, load_data()["setup"]["hand_size"]
    terms = [
        Term(_("points"), points, _("point")),
        Term(_("home sites about to fall"), falling * home, _("home site about to fall"), good=False),
        Term(_("sites about to fall"), falling * (not home), _("site about to fall"), good=False),
        *_strengths(position, seat),
        Term(ngettext("money", "money", 2), mine.money, ngettext("money", "money", 1)),
        Term(_("siege strength owned"), sum(cards()[card].strength for card in pile)),
        Term(_("cards owned"), len(pile), _("card owned")),
        Term(_("unusable cards"), sum(cards()[card].site >= 0 and cards()[card].site not in mine.usable
                                      for card in pile), _("unusable card"), good=False),
        Term(_("cards in reserve"), len(mine.reserve), _("card in reserve")),
        Term(_("pieces to place until the game ends"), min(mine.villages, mine.towns, _LAST_PIECES),
             _("piece to place until the game ends"), good=points < other.points),
    ]
    if seat == viewer:
        left = mine.deck_size + len(mine.discards)         # both may run out (FAS-5.9)
        terms.append(Term(_("cards to draw"), min(max(0, hand - mine.hand_size), left), _("card to draw")))
    return tuple(terms)


def _falling(position: Position, seat: int) -> tuple[bool, bool]:
    """Return whether the enemy wins a siege of the seat's site if nothing is done, and whether that ends the game."""
    siege = position.siege_by(1 - seat)
    falls = (siege is not None and position.phase not in _ENDING
             and siege.lead >= load_data()["siege"]["attacker_wins_at"])
    return falls, siege is not None and falls and siege.site in home_sites(1 - seat)


def _strengths(position: Position, seat: int) -> list[Term]:
    """Return what the seat's cards are worth in each siege that is not decided yet."""
    if position.phase in _ENDING:
        return []
    table = sites(position.every_ship)
    return [Term(_("strength at {site}").format(site=table[siege.site].name),
                 sum(strength_at(cards()[card], table[siege.site]) for card in siege.cards[seat]))
            for siege in position.sieges]
