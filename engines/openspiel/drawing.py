"""Drawing histories that agree with what a seat has seen, one by one, where there are too many to list.

Starting over at the first dead end gives the right distribution, so that comes first. Where it leads nowhere,
earlier events are drawn again instead (see `searching`). The first history is the slowest: from it is learnt
which events the seat can tell from all others, and these are tried first in the histories to come.
"""

from __future__ import annotations

import hashlib

from sfida.cython_ext.errors import SfidaError
from sfida.cython_ext.rng import Random, derive
from sfida.engines.openspiel.history import Node
from sfida.engines.openspiel.matching import Matcher
from sfida.engines.openspiel.searching import Insight, Search

STRICT_TRIES = 8                # attempts that start over at the first dead end
MENDING_TRIES = 24              # attempts that start over at the first dead end that cannot be mended, those included
PATIENCE = 400_000              # events tried before a draw is given up


class Drawer:
    """Numbered histories that agree with a record; which ones depends on the record alone.

    Parameters
    ----------
    matcher : Matcher
        The record.
    """

    def __init__(self, matcher: Matcher) -> None:
        self._matcher = matcher
        text = repr((matcher.seat, matcher.actor, matcher.record))
        self._seed = int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little")
        self._insight = Insight()
        self._first_attempt = 0
        self._drawn: dict[int, Node] = {0: self._draw(0)}

    def world(self, number: int) -> Node:
        """Return the history of a number.

        Raises
        ------
        SfidaError
            If none was found with reasonable effort.
        """
        node = self._drawn.get(number)
        if node is None:
            node = self._drawn[number] = self._draw(number)
        return node

    def _draw(self, number: int) -> Node:
        rng = Random(derive(self._seed, number))
        attempt = self._first_attempt
        tried = 0
        while tried < PATIENCE:
            search = Search(self._matcher, self._insight, rng, learning=number == 0)
            steps_back = 1 << min(attempt - MENDING_TRIES, 16) if attempt >= MENDING_TRIES else 0
            path = search.run(attempt >= STRICT_TRIES, steps_back)
            if path:
                if number == 0:
                    self._insight.learn(path, self._matcher.seat)
                    self._first_attempt = 0 if attempt < STRICT_TRIES else STRICT_TRIES
                node = path[-1][0]
                node.forget_the_way()
                return node
            tried += search.tried
            attempt += 1
        raise SfidaError(self._matcher.complaint())
