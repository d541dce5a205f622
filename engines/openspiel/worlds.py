"""What may be true, given what a seat has seen.

A seat's record (`history.Node.record`) holds its own moves and what OpenSpiel has shown it after each event.
A *world* is a history from the start with the same record, and the same actor at its end. Worlds are worked
out from the record alone and never from the true state, so they cannot betray it. When there are few, all of
them are found, and a draw is uniform over histories, weighted by the probabilities of their chance events
alone: no opponent's choice counts as likelier than another. When there are many, they are drawn event by event
(see `drawing`), which is close to that.

OpenSpiel's own `resample_from_infostate` is not used: few games have it, it is handed the true state, and some
of its worlds keep the true history inside.
"""

from __future__ import annotations

import math
import zlib
from bisect import bisect_right
from itertools import accumulate

from sfida.cython_ext.errors import SfidaError
from sfida.cython_ext.rng import Random
from sfida.engines.openspiel.drawing import Drawer
from sfida.engines.openspiel.history import Node
from sfida.engines.openspiel.matching import CHANCE, END, Matcher

MOST_LISTED = 1024              # worlds that are listed completely
LOOKED_AT = 10_000              # events tried before listing is given up
SURE_AFTER = 200                # events after which it may be seen that this will not do
DRAWN = 512                     # different worlds where not all are listed
KEPT = 8                        # records whose worlds are remembered
BUCKETS = 20                    # kinds of a secret that a search tells apart, at most


class Worlds:
    """The worlds of one record.

    Parameters
    ----------
    matcher : Matcher
        The record.

    Attributes
    ----------
    complete : bool
        Every world is listed; False: they are drawn, at most `DRAWN` different ones.

    Raises
    ------
    SfidaError
        If no world is found.
    """

    def __init__(self, matcher: Matcher) -> None:
        self._others = [seat for seat in range(matcher.rules.players) if seat != matcher.seat]
        self._ranks: dict[int, dict[str, int]] = {}
        listed = list_worlds(matcher)
        self.complete: bool = listed is not None
        if listed is None:
            self._drawer = Drawer(matcher)
            return
        if not listed:
            raise SfidaError(matcher.complaint())
        self._nodes = [node for node, _ in listed]
        largest = max(weight for _, weight in listed)
        self._totals = list(accumulate(math.exp(weight - largest) for _, weight in listed))
        for node in self._nodes:
            node.forget_the_way()

    def draw(self, rng: Random) -> Node:
        """Return a world."""
        if not self.complete:
            return self._drawer.world(rng.below(DRAWN))
        index = bisect_right(self._totals, rng.uniform() * self._totals[-1])
        return self._nodes[min(index, len(self._nodes) - 1)]

    def buckets(self, world: Node) -> dict[int, int]:
        """Return for every other seat a number, 0 to 19, that says what it knows in a world of these.

        Different ones for different knowledge where there are at most 20 kinds of it and all worlds are listed;
        else several kinds share one.
        """
        if not self.complete:
            return {seat: zlib.crc32(world.shown(seat).encode()) % BUCKETS for seat in self._others}
        if not self._ranks:
            for seat in self._others:
                kinds = sorted({node.shown(seat) for node in self._nodes})
                self._ranks[seat] = {kind: rank * BUCKETS // max(BUCKETS, len(kinds))
                                     for rank, kind in enumerate(kinds)}
        return {seat: self._ranks[seat][world.shown(seat)] for seat in self._others}

    def some(self, count: int) -> list[Node]:
        """Return all worlds, or `count` of them where they are not listed; always the same ones."""
        if self.complete:
            return self._nodes
        return [self._drawer.world(number) for number in range(count)]


def list_worlds(matcher: Matcher) -> list[tuple[Node, float]] | None:
    """Return every world with the logarithm of its weight, in a fixed order; None if there are too many.

    Each history under way owns a share of 1, which it hands on in equal parts. What part of 1 has come to an end
    tells early how much there is to come (D. Knuth, "Estimating the efficiency of backtrack programs", 1975).
    """
    found: list[tuple[Node, float]] = []
    tried = 0
    finished = 0.0
    ahead = [(matcher.begin(), 0.0, 1.0)]
    while ahead:
        place, weight, share = ahead.pop()
        events = matcher.events(place)
        tried += len(events)
        total = sum(each for event, each in events if event != END)
        alive = []
        for event, each in reversed(events):
            if event == END:
                found.append((place[0], weight))
                continue
            reached = matcher.follow(place, event)
            if reached is not None:
                alive.append((reached, weight + (math.log(each / total) if place[0].actor == CHANCE else 0.0)))
        if not alive:
            finished += share
        ahead += [(*each, share / len(alive)) for each in alive]
        hopeless = tried > SURE_AFTER and tried > 4 * LOOKED_AT * finished
        if hopeless or tried > LOOKED_AT or len(found) > MOST_LISTED:
            return None
    return found


def worlds_of(node: Node, seat: int) -> Worlds:
    """Return the worlds that a seat has to reckon with at a node; raises SfidaError if none is found."""
    if node.worlds is None:
        node.worlds = {}
    worlds = node.worlds.get(seat)
    if worlds is None:
        worlds = node.worlds[seat] = _remembered(Matcher(node.rules, seat, node.record(seat), node.actor))
    return worlds


def _remembered(matcher: Matcher) -> Worlds:
    """Return worlds from the memory of the rules, or work them out."""
    rules = matcher.rules
    key = (matcher.seat, matcher.actor, matcher.record)
    with rules.lock:
        worlds = rules.known_worlds.get(key)
        if worlds is not None:
            rules.known_worlds.move_to_end(key)
            return worlds
    worlds = Worlds(matcher)
    with rules.lock:
        worlds = rules.known_worlds.setdefault(key, worlds)
        while len(rules.known_worlds) > KEPT:
            rules.known_worlds.popitem(last=False)
    return worlds
