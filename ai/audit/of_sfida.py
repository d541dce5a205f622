"""Games behind Sfida's contract, compiled, in plain Python or of OpenSpiel: `determinize` is audited."""

from __future__ import annotations

import pickle
from collections.abc import Hashable
from typing import Any, ClassVar

from sfida.ai.audit.labels import label_fault
from sfida.ai.audit.scribbling import scribbling_changes
from sfida.ai.audit.sights import sights_of
from sfida.ai.audit.subject import CHANCE, TERMINAL, Refused, Subject, Twin
from sfida.ai.audit.twins import twins_of_game
from sfida.cython_ext.errors import SfidaError
from sfida.cython_ext.rng import Random, derive
from sfida.cython_ext.state import GameState
from sfida.engines.faces.knowledge import Knowledge
from sfida.engines.game import Game
from sfida.engines.openspiel.game import OpenSpiel
from sfida.engines.python_game import PythonGame, PythonPosition

_TWINS = 12             # twins tried for each seat of a game
_ELSEWHERE = ("world", "label")         # sights that have checks of their own


class StateSubject(Subject[GameState]):
    """A game of Sfida.

    Parameters
    ----------
    game : Game
    """

    sampler: ClassVar[str] = "determinize"
    canonical: ClassVar[bool] = True
    twinned: ClassVar[bool] = True

    def __init__(self, game: Game) -> None:
        self.game = game
        self.spec = game.spec()
        self.players = game.players
        self.hidden = game.initial_state().hidden
        self._names_secrets = (game.position_class.secrets is not PythonPosition.secrets if isinstance(game, PythonGame)
                               else type(game).secrets is not Knowledge.secrets)
        self.merges = not isinstance(game, OpenSpiel)   # whose positions hold their histories

    # ---- rules --------------------------------------------------------------------------------

    def start(self) -> GameState:
        return self.game.initial_state()

    def actor(self, place: GameState) -> int:
        return place.to_move

    def events(self, place: GameState) -> list[tuple[int, int]]:
        if place.to_move == CHANCE:
            return place.chance_outcomes()
        return [(move, 1) for move in place.legal_moves()]

    def after(self, place: GameState, event: int) -> GameState:
        child = place.clone()
        child.apply(event)
        return child

    def text(self, place: GameState, event: int) -> str:
        return place.format(event)

    def key(self, place: GameState) -> Hashable:
        return place.to_bytes()

    # ---- who knows what -----------------------------------------------------------------------

    def news(self, before: GameState, event: int, after: GameState, seat: int) -> Hashable | None:
        return after.label(seat) or None

    def known(self, place: GameState, seat: int) -> Hashable:
        return place.view(seat).key()

    def sights(self, place: GameState, seat: int) -> dict[str, Any]:
        found = sights_of(place, seat)
        for name in _ELSEWHERE:
            del found[name]
        return found

    def secret(self, place: GameState, seat: int) -> Hashable:
        return tuple(place.view(other).key() for other in range(self.players) if other != seat)

    def parts(self, place: GameState, seat: int) -> dict[str, Hashable]:
        """Return the secrets that the game names; else the pieces of what the others observe."""
        found: dict[str, Hashable] = {**self.game.secrets(place, seat)}
        for other in range(self.players) if not found else ():
            if other != seat:
                found |= _leaves(place.observation(other), f"observation({other})")
        return found

    def whole(self, place: GameState, seat: int) -> Hashable:
        if not self._names_secrets:
            return self.secret(place, seat)
        return tuple(sorted(self.game.secrets(place, seat).items()))

    # ---- the sampler --------------------------------------------------------------------------

    def sample(self, place: GameState, seat: int, seed: int) -> GameState:
        world = place.clone()
        try:
            world.determinize(seat, Random(seed))
        except Exception as error:      # of the game's author, or the sampler has found no world
            raise Refused(_said(error)) from None
        return world

    def blind(self, place: GameState, seat: int, seed: int) -> GameState | None:
        return place.view(seat).sample(Random(seed))

    # ---- faults that one look shows --------------------------------------------------------------

    def impossible(self, world: GameState, seat: int) -> str | None:
        try:
            world.verify()
        except AssertionError as error:
            return f"a recount of the world fails: {error}"
        if world.to_move != TERMINAL and not world.legal_moves():
            return "nobody can move in the world"
        return None

    def unfaithful(self, place: GameState, world: GameState, seat: int) -> str | None:
        again = self.game.initial_state()
        again.load(world.to_bytes())
        if self.secret(again, seat) != self.secret(world, seat) or again != world:
            return "load(to_bytes()) of a world gives another one"
        try:
            again = pickle.loads(pickle.dumps(world))
        except Exception as error:      # whatever stands in the attributes of a game in plain Python
            return f"a world cannot be pickled: {_said(error)}"
        if again != world:
            return "pickling a world gives another one"
        changed = scribbling_changes(place, texts=False)
        return None if changed is None else f"{changed} depends on bytes that the position does not use"

    def mislabelled(self, place: GameState, worlds: list[GameState], seat: int, seed: int) -> str | None:
        return label_fault(place, seat, worlds, Random(derive(seed, seat)))

    def twins(self, seed: int) -> tuple[int, list[Twin]]:
        counts = twins_of_game(self.game, seed, twins=_TWINS)
        return counts.positions, [Twin("label" in each.what, each.what.partition("; bytes")[0], each.seat, each.history,
                                       each.twin) for each in counts.differences]


def _said(error: Exception) -> str:
    """Return an error in one line."""
    text = " ".join(str(error).split())[:160]
    return text if isinstance(error, SfidaError) else f"{type(error).__name__}: {text}"


def _leaves(value: Any, path: str) -> dict[str, Hashable]:
    """Return the numbers and texts inside an observation, by where they stand."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else None
    if items is None:
        return {path: value}
    return {name: leaf for key, item in items for name, leaf in _leaves(item, f"{path}.{key}").items()}
