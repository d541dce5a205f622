"""One search for a history that agrees with what a seat has seen.

Events are drawn uniformly (those of chance by their weights) among the events that agree. At a dead end an
earlier event that the seat could not make out may be drawn again, and what came after it is kept: the card that
a player lays now must have been dealt to him, the card that the seat gets now cannot have been dealt to another.
Failing that, the search steps back.
"""

from __future__ import annotations

import itertools
import math

from sfida.cython_ext.rng import Random
from sfida.engines.openspiel.history import Node
from sfida.engines.openspiel.matching import END, Matcher, Place

MOST_REDRAWN = 2000             # changes tried at one dead end

Path = list[Place]

_NOBODY = -9


class Insight:
    """What has been learnt about a record from the first history that agrees with it.

    Attributes
    ----------
    plain : dict of int to (int, int)
        By place in the record: whose event shows the seat what it saw there and which, where the seat can tell
        every possible event from all others.
    blurred : dict of int to bool
        By place in the record: the seat cannot tell the events there apart.
    """

    def __init__(self) -> None:
        self.plain: dict[int, tuple[int, int]] = {}
        self.blurred: dict[int, bool] = {}

    def expected(self, place: Place) -> int | None:
        """Return the event that has to come at a place, as far as is known."""
        actor, event = self.plain.get(place[1], (_NOBODY, 0))
        return event if actor == place[0].actor else None

    def learn(self, path: Path, seat: int) -> None:
        """Note the plain events of a complete history."""
        for (node, at), (after, reached) in itertools.pairwise(path):
            if reached > at and node.actor != seat and not is_blurred(node, seat):
                self.plain[at] = node.actor, after.action


def is_blurred(node: Node, seat: int) -> bool:
    """Say whether some events that are possible at a node look the same to a seat, or escape its notice."""
    events = node.actions()
    shown = {node.child(event).news(seat) for event in events}
    return len(shown) < max(2, len(events)) or None in shown


class Search:
    """One attempt at a history.

    Parameters
    ----------
    matcher : Matcher
        The record.
    insight : Insight
        What is known about the record.
    rng : Random
    learning : bool
        The insight may grow: this is about the first history.

    Attributes
    ----------
    tried : int
        Events tried.
    """

    def __init__(self, matcher: Matcher, insight: Insight, rng: Random, learning: bool) -> None:
        self.matcher = matcher
        self.insight = insight
        self.rng = rng
        self.learning = learning
        self.tried: int = 0

    def run(self, mending: bool, steps_back: int) -> Path | None:
        """Return a complete path, or None.

        Parameters
        ----------
        mending : bool
            Draw earlier events again at a dead end.
        steps_back : int
            How many dead ends that cannot be mended are stepped back from.
        """
        path = [self.matcher.begin()]
        ahead = [self._order(path[0])]
        while path:
            if not ahead[-1]:
                mended = self._mend(path) if mending else None
                if mended:
                    path = mended
                    ahead = [[] for _ in path[1:]] + [self._order(path[-1])]
                    continue
                steps_back -= 1
                if steps_back < 0:
                    return None
                path.pop()
                ahead.pop()
                continue
            event = ahead[-1].pop()
            if event == END:
                return path
            place = self._follow(path[-1], event)
            if place is not None:
                path.append(place)
                ahead.append(self._order(place))
        return None

    def _follow(self, place: Place, event: int) -> Place | None:
        self.tried += 1
        return self.matcher.follow(place, event)

    def _order(self, place: Place) -> list[int]:
        """Return the events to try at a place, the first one last: in random order, the expected one before all."""
        events = self.matcher.events(place)
        if len(events) < 2:
            return [event for event, _ in events]
        keys = [(-math.log(1.0 - self.rng.uniform()) / weight, event) for event, weight in events]
        order = [event for _, event in sorted(keys, reverse=True)]
        expected = self.insight.expected(place)
        if expected in order:
            order.append(expected)
        if END in order:                # unnoticed events may follow, but need not
            order.remove(END)
            order.insert(len(order) * self.rng.below(2), END)
        return order

    # ---- dead ends ----------------------------------------------------------------------------

    def _mend(self, path: Path) -> Path | None:
        """Draw one event again so that the dead end at the end of the path is none any more."""
        for slot, event in self._changes(path):
            mended = self._redraw(path, slot, event)
            if mended:
                return mended
        return None

    def _changes(self, path: Path) -> list[tuple[int, int]]:
        """Return changes worth trying: another event in the place of a slot of the path, every slot once a round."""
        slots = [i for i in range(1, len(path)) if self._can_change(path[i - 1])]
        missing = self.insight.expected(path[-1])
        choices = []
        for slot in slots:
            current = path[slot][0].action
            events = [event for event in path[slot - 1][0].actions()
                      if event != current and (missing is None or missing in (event, current))]
            self.rng.shuffle(events)
            choices.append([(slot, event) for event in events])
        self.rng.shuffle(choices)
        rounds = itertools.chain.from_iterable(itertools.zip_longest(*choices))
        return list(itertools.islice(filter(None, rounds), MOST_REDRAWN))

    def _can_change(self, place: Place) -> bool:
        """Say whether the event at a place may have been another one."""
        node, at = place
        if node.actor == self.matcher.seat:
            return False
        blurred = self.insight.blurred.get(at)
        if blurred is None and self.learning:
            blurred = self.insight.blurred[at] = is_blurred(node, self.matcher.seat)
        return blurred is not False

    def _redraw(self, path: Path, slot: int, change: int) -> Path | None:
        """Return the path with another event at a slot, if the rest still agrees and the dead end is gone."""
        old = path[slot][0].action
        fresh = path[:slot]
        for i in range(slot, len(path)):
            event = change if i == slot else path[i][0].action
            possible = fresh[-1][0].actions()
            if event not in possible:
                if fresh[-1][0].actor != path[slot - 1][0].actor or old not in possible:
                    return None
                event = old             # the change has used up what was drawn here, and set free the other
            place = self._follow(fresh[-1], event)
            if place is None or place[1] < path[i][1]:
                return None
            fresh.append(place)
            if place[1] > path[-1][1]:
                return fresh
            if place[1] > path[i][1]:
                return None
        if any(event == END or self._follow(fresh[-1], event) for event, _ in self.matcher.events(fresh[-1])):
            return fresh
        return None
