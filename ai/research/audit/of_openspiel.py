"""The audit of OpenSpiel's games: their own sampler `resample_from_infostate`, and what they show their players.

A seat has seen its own moves and OpenSpiel's information states, or observations if the game has no information states.
Other histories of the same record are worlds whose own history, played from the start, gives the seat that record, or
come from the adapter, which derives them from the record alone (`engines.openspiel.worlds`).
"""

from __future__ import annotations

import contextlib
from collections.abc import Hashable, Iterator
from typing import Any, ClassVar

from sfida.ai.research.audit.subject import OutOfTime, Refused, Subject, Timer, silence
from sfida.cython_ext.errors import SfidaError
from sfida.cython_ext.rng import Random
from sfida.cython_ext.state import TERMINAL
from sfida.engines.openspiel.library import SpielRules, as_openspiel, as_option, library
from sfida.engines.openspiel.worlds import Matcher, Node, Place, Worlds, replay, start

ADAPTER = "pyspiel"
_PATIENCE = 2           # positions at which the adapter may find nothing, at a cost of some seconds each
_PART = 0.5             # share of a position's time for the adapter
_LOOKED = 60            # events of a random game without resampling after which the game counts as having none


class OpenSpielSubject(Subject[Node]):
    """A game of OpenSpiel.

    Parameters
    ----------
    text : str
        Game string of OpenSpiel, with ``;`` or ``,`` between its parameters.

    Raises
    ------
    SfidaError
        If there is no such game, or its histories cannot be followed.
    """

    sampler: ClassVar[str] = "resample_from_infostate"
    canonical: ClassVar[bool] = False
    effort: ClassVar[float] = 0.2

    def __init__(self, text: str) -> None:
        self.rules = SpielRules(as_openspiel(text), to_play=False)
        self.spec = f"{ADAPTER}:game={as_option(self.rules.text)}"
        self.players = self.rules.players
        self.hidden = self.rules.hidden
        self.merges = False             # a position contains its history
        kind = self.rules.game.get_type()
        self._tensor = ("observation_tensor" if kind.provides_observation_tensor else
                        "information_state_tensor" if kind.provides_information_state_tensor else "")
        self._in_vain = 0               # positions at which the adapter found no history
        self._adapted: tuple[Node, int, Worlds] | None = None
        self._structs = hasattr(self.rules.initial, "to_observation_struct")
        self._channels = [name for name, given in (
            ("information_state_string", kind.provides_information_state_string),
            ("information_state_tensor", kind.provides_information_state_tensor),
            ("observation_string", kind.provides_observation_string),
            ("observation_tensor", kind.provides_observation_tensor)) if given]

    # ---- rules --------------------------------------------------------------------------------

    def start(self) -> Node:
        return start(self.rules)

    def actor(self, place: Node) -> int:
        return place.actor

    def events(self, place: Node) -> list[tuple[int, int]]:
        return place.outcomes() if place.actor < 0 else [(action, 1) for action in place.actions()]

    def after(self, place: Node, event: int) -> Node:
        return place.child(event)

    def text(self, place: Node, event: int) -> str:
        return place.name(event)

    def key(self, place: Node) -> Hashable:
        return tuple(place.state.history())

    # ---- who knows what -----------------------------------------------------------------------

    def news(self, before: Node, event: int, after: Node, seat: int) -> Hashable | None:
        return after.news(seat)

    def known(self, place: Node, seat: int) -> Hashable:
        return place.shown(seat)

    def sights(self, place: Node, seat: int) -> dict[str, Any]:
        state = place.state
        found: dict[str, Any] = {name: getattr(state, name)(seat) for name in self._channels}
        if self._structs:
            try:
                with silence():
                    found["to_observation_struct"] = state.to_observation_struct(seat).to_json()
            except self.rules.spiel.SpielError:
                self._structs = False       # the game does not implement it
        if place.actor == seat:
            found["legal_actions"] = list(state.legal_actions())
            found["texts of the moves"] = [state.action_to_string(seat, each) for each in state.legal_actions()]
        return found

    def secret(self, place: Node, seat: int) -> Hashable:
        others = tuple(place.shown(other) for other in range(self.players) if other != seat)
        return others or (str(place.state),)

    def parts(self, place: Node, seat: int) -> dict[str, Hashable]:
        if not self._tensor:
            return {}
        return {f"{self._tensor}[{i}] of seat {other}": value for other in range(self.players) if other != seat
                for i, value in enumerate(getattr(place.state, self._tensor)(other)) if value}

    # ---- the sampler --------------------------------------------------------------------------

    def sample(self, place: Node, seat: int, seed: int) -> Node:
        try:
            with silence():
                world = Node(self.rules, place.state.resample_from_infostate(seat, Random(seed).uniform))
                world.shown(seat)
        except self.rules.spiel.SpielError as error:
            raise Refused(" ".join(str(error).split())[:160]) from None
        return world

    def independent(self, place: Node, seat: int, seed: int) -> Node | None:
        """Return a world whose own history looked the same to the seat, or otherwise one of the adapter's."""
        with silence(), contextlib.suppress(Refused, ValueError, self.rules.spiel.SpielError):
            history = self.sample(place, seat, seed).state.history()
            found = replay(self.rules, tuple(history))
            if (found.actor == place.actor and self.secret(found, seat) != self.secret(place, seat)
                    and found.record(seat) == place.record(seat)):
                return found
        if self._in_vain >= _PATIENCE:
            return None
        try:
            with self.timer.share(_PART):
                return self._worlds_of(place, seat).draw(Random(seed))
        except (SfidaError, OutOfTime, self.rules.spiel.SpielError):
            self._in_vain += 1
            return None

    def _worlds_of(self, place: Node, seat: int) -> Worlds:
        """Return the adapter's worlds, which respect the time limit; the latest ones are cached."""
        if self._adapted is None or self._adapted[0] is not place or self._adapted[1] != seat:
            self._adapted = place, seat, Worlds(_Timed(place, seat, self.timer))
        return self._adapted[2]

    # ---- faults that a single position shows ------------------------------------------------------

    def impossible(self, world: Node, seat: int) -> str | None:
        if world.actor != TERMINAL and not self.events(world):
            return "nobody can move in the world"
        return None

    def unfaithful(self, place: Node, world: Node, seat: int) -> str | None:
        for what, again in self._again(world):
            if isinstance(again, str):
                return f"{what} of a world cannot be read: {again}"
            if self.secret(again, seat) != self.secret(world, seat):
                leads = "is the true one" if self.secret(again, seat) == self.secret(place, seat) else "is another one"
                return f"{what} of a world {leads}"
        return None

    def _again(self, world: Node) -> Iterator[tuple[str, Node | str]]:
        """Yield the world as restored from its history and from its serialisation, or the reasons for failure."""
        try:
            with silence():
                again = replay(self.rules, tuple(world.state.history()))
            yield "history()", again
        except ValueError:
            yield "history()", "one of its events is not possible"
        except self.rules.spiel.SpielError as error:
            yield "history()", _short(error)
        try:
            with silence():
                again = Node(self.rules, self.rules.game.deserialize_state(world.state.serialize()))
            yield "serialize()", again
        except self.rules.spiel.SpielError as error:
            yield "serialize()", _short(error)


class _Timed(Matcher):
    """The observations of a seat, for an adapter with a time limit."""

    def __init__(self, place: Node, seat: int, timer: Timer) -> None:
        super().__init__(place.rules, seat, place.record(seat), place.actor)
        self._timer = timer

    def follow(self, place: Place, event: int) -> Place | None:
        self._timer.check()
        return super().follow(place, event)


def _short(error: Exception) -> str:
    return " ".join(str(error).split())[:120]


def resampling_games() -> list[str]:
    """Return the names of all OpenSpiel games that offer resampling and whose histories can be followed.

    Each is tried at every decision of one random game, until it gives a world.
    """
    spiel = library()
    found = []
    for name in spiel.registered_names():
        with silence(), contextlib.suppress(SfidaError, spiel.SpielError):
            if _offers(OpenSpielSubject(name)):
                found.append(name)
    return found


def _offers(subject: OpenSpielSubject) -> bool:
    place, rng = subject.start(), Random(1)
    for _ in range(_LOOKED):
        if place.actor == TERMINAL:
            return False
        if place.actor >= 0:
            try:
                subject.sample(place, place.actor, 1)
            except Refused as refusal:
                if "not implemented" in str(refusal):
                    return False
            else:
                return True
        events = subject.events(place)
        place = subject.after(place, events[rng.below(len(events))][0])
    return False
