"""Histories of an OpenSpiel game that agree with what a seat has seen: listed, or drawn one by one.

Events are drawn uniformly (chance outcomes by their weights) among the events that agree. At a dead end an
earlier event that the seat could not make out may be drawn again, while the later events are kept: the card that
a player lays now must have been dealt to that player, the card that the seat gets now cannot have been dealt to
another. If no such change helps, the search steps back.

Starting over at the first dead end gives the right distribution, so the search tries that first. If it fails,
the search draws earlier events again instead (see `Search`). The first history is the slowest to find: it
shows which events the seat can distinguish from all others, and later histories try these events first.

A seat's record (`Node.record`) holds its own moves and the observation that OpenSpiel showed it after
each event. A *world* is a history from the start with the same record, and the same actor at its end. Worlds
are derived from the record alone and never from the true state, so they cannot reveal the true state. If there
are few worlds, all of them are listed, and a draw is uniform over histories, weighted only by the probabilities
of their chance events: no opponent's choice counts as likelier than another. If there are many worlds, they are
drawn event by event (see `Drawer`), which approximates that distribution.

OpenSpiel's own `resample_from_infostate` is not used: few games implement it, it receives the true state, and
some of its worlds keep the true history inside.
"""

from __future__ import annotations

import hashlib
import itertools
import math
import zlib
from bisect import bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from sfida.cython_ext.errors import SfidaError
from sfida.cython_ext.rng import Random, derive
from sfida.cython_ext.state import CHANCE, TERMINAL
from sfida.engines.openspiel.library import integer_weights

if TYPE_CHECKING:
    from sfida.engines.openspiel.library import SpielRules


# ---- The history of a game, event by event, and the record of each seat

Record = tuple[int | str, ...]


class Node:
    """A state of OpenSpiel and the event that led to it. Immutable: copies of a position share nodes.

    Parameters
    ----------
    rules : SpielRules
    state : pyspiel.State
    parent : Node, optional
        The node before the event; None at the start.
    action : int
        The move or chance outcome that led to this node; -1 at the start.

    Attributes
    ----------
    actor : int
        Next actor: a seat, -1 (chance) or -4 (the game is over); OpenSpiel and Sfida use the same numbers.
    """

    __slots__ = ("_names", "_shown", "_state", "action", "actor", "parent", "rules", "worlds")

    def __init__(self, rules: SpielRules, state: Any, parent: Node | None = None, action: int = -1) -> None:
        self.rules: SpielRules = rules
        self._state = state
        self.parent: Node | None = parent
        self.action: int = action
        self.actor: int = state.current_player()
        self._shown: dict[int, str] | None = None
        self._names: dict[int, str] | None = None
        self.worlds: dict[int, Worlds] | None = None        # see `worlds_of`

    @property
    def state(self) -> Any:
        """OpenSpiel's state; do not change it."""
        if self._state is None:
            self._state = self.rules.initial.clone()
            for action in self.history():
                self._state.apply_action(action)
        return self._state

    def forget_the_way(self) -> None:
        """Drop the states of the earlier nodes, which are large and seldom needed again."""
        node = self.parent
        while node is not None and node._state is not None:
            node._state = node._shown = node._names = None
            node = node.parent

    def child(self, action: int) -> Node:
        """Return the node after a legal move or a possible outcome."""
        return Node(self.rules, self.state.child(action), self, action)

    def actions(self) -> list[int]:
        """Return the legal moves of the actor, or the possible outcomes."""
        return [action for action, _ in self.outcomes()] if self.actor < 0 else list(self.state.legal_actions())

    def outcomes(self) -> list[tuple[int, int]]:
        """Return the possible outcomes of a chance event with their weights."""
        pairs = [(action, chance) for action, chance in self.state.chance_outcomes() if chance > 0.0]
        weights = integer_weights(tuple(chance for _, chance in pairs))
        return [(action, weight) for (action, _), weight in zip(pairs, weights, strict=True)]

    def history(self) -> tuple[int, ...]:
        """Return every event from the start."""
        events = []
        node = self
        while node.parent is not None:
            events.append(node.action)
            node = node.parent
        return tuple(reversed(events))

    def shown(self, seat: int) -> str:
        """Return OpenSpiel's observation of a seat at this node."""
        if self._shown is None:
            self._shown = {}
        text = self._shown.get(seat)
        if text is None:
            text = self._shown[seat] = self.rules.shown(self.state, seat)
        return text

    def news(self, seat: int) -> str | None:
        """Return the observation of a seat at this node if it differs from the observation before the last event."""
        text = self.shown(seat)
        return None if self.parent is not None and self.parent.shown(seat) == text else text

    def record(self, seat: int) -> Record:
        """Return everything that a seat has seen, in order: its own moves as numbers, its observations as text."""
        items: list[int | str] = []
        node = self
        while True:
            news = node.news(seat)
            if news is not None:
                items.append(news)
            if node.parent is None:
                return tuple(reversed(items))
            if node.parent.actor == seat:
                items.append(node.action)
            node = node.parent

    def name(self, action: int) -> str:
        """Return OpenSpiel's text of a move or outcome, with its number if other events have the same text."""
        if self._names is None:
            texts = {each: " ".join(self.state.action_to_string(self.actor, each).split())
                     for each in self.actions()}
            seen: dict[str, int] = {}
            for text in texts.values():
                plain = _plain(text)
                seen[plain] = seen.get(plain, 0) + 1
            self._names = {each: text if text and seen[_plain(text)] == 1 else f"{text}#{each}"
                           for each, text in texts.items()}
        return self._names[action]


def _plain(text: str) -> str:
    return "".join(text.split()).lower()


def start(rules: SpielRules) -> Node:
    """Return the start of a game."""
    return Node(rules, rules.initial)


def replay(rules: SpielRules, events: tuple[int, ...]) -> Node:
    """Return the node after a sequence of events; raises ValueError if one of the events is not possible."""
    node = start(rules)
    for event in events:
        if node.actor != TERMINAL and event not in node.actions():
            raise ValueError(f"event {event} is not possible")
        node = node.child(event)
    return node


# ---- Events that agree with the record of a seat

END = -9                        # in place of an event: a world may end at this node

Place = tuple[Node, int]        # last node of a partial history, and number of record items that it explains


class Matcher:
    """One seat's record, and the histories that produce exactly this record.

    Parameters
    ----------
    rules : SpielRules
    seat : int
        Owner of the record.
    record : tuple
        Everything the seat has seen (`Node.record`).
    actor : int
        Actor at the end of the histories.
    """

    def __init__(self, rules: SpielRules, seat: int, record: Record, actor: int) -> None:
        self.rules = rules
        self.seat = seat
        self.record = record
        self.actor = actor

    def begin(self) -> Place:
        """Return the start of the game."""
        return start(self.rules), 1

    def events(self, place: Place) -> list[tuple[int, int]]:
        """Return the possible next events with weights, `END` among them if the history may end here."""
        node, at = place
        done = at == len(self.record)
        found = [(END, 1)] if done and node.actor == self.actor else []
        if node.actor == self.seat:
            own = None if done else self.record[at]
            return found + ([(own, 1)] if isinstance(own, int) and own in node.actions() else [])
        if node.actor == CHANCE:
            return found + node.outcomes()
        return found + [(action, 1) for action in node.actions()]

    def follow(self, place: Place, event: int) -> Place | None:
        """Return the place after a possible event; None if the seat would have seen something else."""
        node, at = place
        if node.actor == self.seat:
            at += 1
        child = node.child(event)
        if child.actor == TERMINAL:     # the owner of a record knows that the game continued
            return None
        news = child.news(self.seat)
        if news is None:
            return child, at
        if at < len(self.record) and self.record[at] == news:
            return child, at + 1
        return None

    def complaint(self) -> str:
        """Return the message that no history was found that agrees with the record."""
        return (f"no history of OpenSpiel's {self.rules.text} was found that shows seat {self.seat} what it has "
                "seen: too much is hidden in this game, or what it shows its players contradicts itself")


# ---- One search for a history that agrees with the record of a seat

MOST_REDRAWN = 2000             # changes tried at one dead end

Path = list[Place]

_NOBODY = -9


class Insight:
    """Facts about a record, learned from the first history that agrees with it.

    Attributes
    ----------
    plain : dict of int to (int, int)
        By place in the record: actor and event behind the item there, if the seat can distinguish every possible
        event from all others.
    blurred : dict of int to bool
        By place in the record: the seat cannot distinguish all events there.
    """

    def __init__(self) -> None:
        self.plain: dict[int, tuple[int, int]] = {}
        self.blurred: dict[int, bool] = {}

    def expected(self, place: Place) -> int | None:
        """Return the event that must come at a place, if it is known."""
        actor, event = self.plain.get(place[1], (_NOBODY, 0))
        return event if actor == place[0].actor else None

    def learn(self, path: Path, seat: int) -> None:
        """Note the plain events of a complete history."""
        for (node, at), (after, reached) in itertools.pairwise(path):
            if reached > at and node.actor != seat and not is_blurred(node, seat):
                self.plain[at] = node.actor, after.action


def is_blurred(node: Node, seat: int) -> bool:
    """Return whether some possible events at a node look the same to a seat, or are invisible to it."""
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
        Known facts about the record.
    rng : Random
    learning : bool
        The insight may grow: this search is for the first history.

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
            Number of dead ends without a repair from which the search may step back.
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
        """Return the events to try at a place, from last to first: the expected event, then others in random order."""
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
        """Return the path with one event drawn again such that it no longer ends at a dead end; None if that fails."""
        for slot, event in self._changes(path):
            mended = self._redraw(path, slot, event)
            if mended:
                return mended
        return None

    def _changes(self, path: Path) -> list[tuple[int, int]]:
        """Return changes worth trying, each a slot of the path and its new event; every slot once per round."""
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
        """Return whether the event at a place may have been another one."""
        node, at = place
        if node.actor == self.matcher.seat:
            return False
        blurred = self.insight.blurred.get(at)
        if blurred is None and self.learning:
            blurred = self.insight.blurred[at] = is_blurred(node, self.matcher.seat)
        return blurred is not False

    def _redraw(self, path: Path, slot: int, change: int) -> Path | None:
        """Return the path with another event at a slot, if the other events still agree and the dead end is gone."""
        old = path[slot][0].action
        fresh = path[:slot]
        for i in range(slot, len(path)):
            event = change if i == slot else path[i][0].action
            possible = fresh[-1][0].actions()
            if event not in possible:
                if fresh[-1][0].actor != path[slot - 1][0].actor or old not in possible:
                    return None
                event = old             # the change has used up the event drawn here, and made the old one possible
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


# ---- Histories that agree with the record of a seat, drawn one by one if there are too many to list

STRICT_TRIES = 8                # attempts that start over at the first dead end
MENDING_TRIES = 24              # attempts without stepping back: the strict ones, then those with repairs of dead ends
PATIENCE = 400_000              # events tried before a draw fails


class Drawer:
    """Numbered histories that agree with a record; their choice depends on the record alone.

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
        """Return the history with a number.

        Raises
        ------
        SfidaError
            If no history was found with reasonable effort.
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


# ---- The possible worlds, given the record of a seat

MOST_LISTED = 1024              # most worlds that are listed completely
LOOKED_AT = 10_000              # events tried before listing stops
SURE_AFTER = 200                # events tried before listing may be judged hopeless
DRAWN = 512                     # different worlds if not all are listed
KEPT = 8                        # records whose worlds are cached
BUCKETS = 20                    # most kinds of a secret that a search distinguishes


class Worlds:
    """The worlds of one record.

    Parameters
    ----------
    matcher : Matcher
        The record.

    Attributes
    ----------
    complete : bool
        Every world is listed; False: worlds are drawn, at most `DRAWN` different ones.

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
        """Return for every other seat a number, 0 to 19, of its information in one of these worlds.

        Different information has different numbers if all worlds are listed and a seat has at most 20 kinds of
        information in them; otherwise several kinds share a number.
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
        """Return all worlds, or `count` of them if they are not listed; always the same ones."""
        if self.complete:
            return self._nodes
        return [self._drawer.world(number) for number in range(count)]


def list_worlds(matcher: Matcher) -> list[tuple[Node, float]] | None:
    """Return every world with the logarithm of its weight, in a fixed order; None if there are too many.

    Each partial history owns a share of 1, which it divides equally among its continuations. The total share of the
    finished histories gives an early estimate of the remaining work (D. Knuth, "Estimating the efficiency of
    backtrack programs", 1975).
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
    """Return the worlds that a seat considers possible at a node; raises SfidaError if none is found."""
    if node.worlds is None:
        node.worlds = {}
    worlds = node.worlds.get(seat)
    if worlds is None:
        worlds = node.worlds[seat] = _remembered(Matcher(node.rules, seat, node.record(seat), node.actor))
    return worlds


def _remembered(matcher: Matcher) -> Worlds:
    """Return the worlds of a record from the cache of the rules, or find them."""
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
