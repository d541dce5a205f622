"""The deck of practice in the state folder, and what reviews add to it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from pathlib import Path

from sfida.ai.keeping.kept import kept_games, reviewable, seat_of
from sfida.ai.practice import schedule
from sfida.ai.practice.deck import Deck
from sfida.ai.review.depths import DEPTHS, Depth
from sfida.ai.review.model import Review
from sfida.ai.state_folder import state_folder
from sfida.ai.story import PERSON
from sfida.cli.output import Output
from sfida.cli.review_all import review_cache
from sfida.cython_ext.errors import InvalidRecord
from sfida.engines.language import _, ngettext
from sfida.engines.records import GameRecord

_DEEPEST_FIRST = sorted(DEPTHS.values(), key=lambda depth: -depth.iterations)


def deck_file() -> Path:
    """Return the file of the deck."""
    return state_folder() / "practice.json"


def gather(output: Output, deck: Deck, name: str | None, seat: int | None, today: date) -> int:
    """Add the mistakes in reviewed games to the deck, and return of how many games there is no review."""
    unreviewed = 0
    for found in kept_games(name):
        if isinstance(found, InvalidRecord):
            output.note(_("Left out: {error}").format(error=found))
            continue
        own = seat_of(found, seat) if reviewable(found) else None
        if own is not None and _take(deck, found, own, today) is False:
            unreviewed += 1
    return unreviewed


def _take(deck: Deck, record: GameRecord, seat: int, today: date) -> bool:
    """Add the mistakes of a game by its deepest review; return whether there is one."""
    cache = review_cache()
    for depth in _DEEPEST_FIRST:
        key = cache.key(record, seat, depth)
        if key in deck.taken:
            return True
        review = cache.find(record, seat, depth)
        if review is not None:
            deck.take(key, record, seat, review, today)
            return True
    return False


def persons_seat(seats: Sequence[str], seat: int | None) -> int | None:
    """Return the seat of the person whose mistakes a review of some seat, or of all (None), is to bring back.

    None if it is not for a person, or if it is for several.
    """
    people = [number for number, who in enumerate(seats) if who == PERSON and seat in (None, number)]
    return people[0] if len(people) == 1 else None


def practise_later(output: Output, record: GameRecord, seat: int, depth: Depth, review: Review) -> None:
    """Add a person's mistakes in a game that was just reviewed to the deck, and say so in a line.

    Nothing is added if the deck knows a review of the game that is as deep. That it cannot be changed is told.
    """
    keys = {known.name: review_cache().key(record, seat, known) for known in _DEEPEST_FIRST
            if known.iterations >= depth.iterations}
    try:
        with Deck.changing(deck_file()) as deck:
            new = None if deck.taken & set(keys.values()) else deck.take(
                keys[depth.name], record, seat, review, schedule.today())
    except InvalidRecord as error:
        output.complain(_("{error}; 'sfida practice' will not know of this game").format(error=error))
        return
    if new is None:
        output.note(_("'sfida practice' knows this game already."))
    elif new:
        output.note(ngettext("{number} mistake of yours comes back in 'sfida practice'.",
                             "{number} mistakes of yours come back in 'sfida practice'.", new).format(number=new))
    else:
        output.note(_("No mistake of yours cost so much that it comes back in 'sfida practice'."))
