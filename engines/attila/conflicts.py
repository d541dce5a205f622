"""Who is weakest in a conflict of Attila, and how the board looks after the conflicts that are still to come."""

from __future__ import annotations

from collections.abc import Iterable

from sfida.engines.attila.position import Position, Six, six


def strengths(tokens: Six, laid: Iterable[Six | None]) -> Six:
    """Return the strength of each tribe in a province: its tokens and all cards laid for it (ATT-6.6).

    Parameters
    ----------
    tokens : Six
        Of the province.
    laid : iterable of Six or None
        Cards that each seat has laid; None: they are not known, and count for nothing.

    Returns
    -------
    Six
        0 for tribes without a token there.
    """
    rows = [cards for cards in laid if cards is not None]
    return six(n + sum(cards[tribe] for cards in rows) if n else 0 for tribe, n in enumerate(tokens))


def weakest(strength: Six) -> tuple[int, ...]:
    """Return the tribes that leave: all that share the lowest strength of those present (ATT-6.7 to 6.9)."""
    least = min((n for n in strength if n), default=0)
    return tuple(tribe for tribe, n in enumerate(strength) if n and n == least)


def known_strengths(position: Position, province: int) -> Six:
    """Return the strengths in a province whose conflict is to come or going on, as far as the viewer knows the cards.

    Cards lie only where the conflict has begun: it is the first in the queue.
    """
    laid = [one.laid_cards for one in position.seats] if province == position.queue[0] else ()
    return strengths(position.tokens[province], laid)


def foreseen(position: Position) -> tuple[Six, ...]:
    """Return the tokens by province at the next scoring, if nobody laid more cards than the viewer knows.

    A scoring that is due now comes before the conflicts that are still to come (ATT-8.11).
    """
    tokens = list(position.tokens)
    for province in () if position.scored_next else position.queue:
        gone = weakest(known_strengths(position, province))
        tokens[province] = six(0 if tribe in gone else n for tribe, n in enumerate(tokens[province]))
    return tuple(tokens)
