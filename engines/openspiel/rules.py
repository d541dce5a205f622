"""What is fixed about one loaded OpenSpiel game: who plays, what a seat is shown, what a result is worth."""

from __future__ import annotations

import functools
from collections import OrderedDict
from collections.abc import Sequence
from threading import Lock
from typing import TYPE_CHECKING, Any

from sfida.cython_ext.errors import SfidaError
from sfida.cython_ext.learned import PY_MOST_FEATURES as MOST_FEATURES
from sfida.engines.openspiel.library import is_open, library, load

if TYPE_CHECKING:
    from sfida.engines.openspiel.worlds import Worlds

_SLACK = 1e-6                   # of a share beyond 0 or 1, from rounding


class Rules:
    """A loaded game.

    Parameters
    ----------
    text : str
        OpenSpiel's game string.
    to_play : bool
        Agents are to play it; False: it is only walked through.

    Attributes
    ----------
    text : str
        The game string that builds the same rules again, in OpenSpiel's canonical writing.
    spiel : module
        pyspiel.
    game : pyspiel.Game
        One move at a time: simultaneous moves have been put one after the other.
    title : str
    parameters : dict
        Parameters that game strings of this kind may have, with their defaults.
    players : int
        Number of seats.
    initial : pyspiel.State
        The start of the game; not to be changed.
    hidden : bool
        Some seat cannot see everything.
    bids : bool
        Some moves are simultaneous ones.
    longest_list : int
        Bound on the moves or chance outcomes at any one time.
    feature_names : tuple of str
        What a learned evaluation may read of a seat: which one it is, and the numbers of its observation. Empty if the
        game gives none, or too many.
    known_worlds : OrderedDict
        What `worlds` has worked out lately, by what the seat has seen.
    """

    def __init__(self, text: str, to_play: bool = True) -> None:
        self.spiel: Any = library()
        self.game: Any = load(text, to_play)
        kind = self.game.get_type()
        self.bids: bool = kind.short_name == "turn_based_simultaneous_game"
        # The converted game's own string spells out every default.
        base = self.spiel.load_game(text) if self.bids else self.game
        self.text: str = str(base)
        self.title: str = f"{base.get_type().long_name} (OpenSpiel)"
        self.parameters: dict[str, Any] = base.get_type().parameter_specification
        self.players: int = self.game.num_players()
        self.initial: Any = self.game.new_initial_state()        # some games take long to make one
        self.hidden: bool = not is_open(self.spiel, self.game)
        self.longest_list: int = max(1, self.game.num_distinct_actions(), self.game.max_chance_outcomes())
        self.spread: float = self.game.max_utility() - self.game.min_utility()
        self.perfect_recall: bool = kind.provides_information_state_string
        self.feature_names: tuple[str, ...] = self._feature_names(kind)
        self.known_worlds: OrderedDict[object, Worlds] = OrderedDict()
        self.lock: Lock = Lock()

    def shown(self, state: Any, seat: int) -> str:
        """Return what OpenSpiel says that a seat knows (its information state) or else sees (its observation)."""
        if self.perfect_recall:
            return str(state.information_state_string(seat))
        return str(state.observation_string(seat))

    def _feature_names(self, kind: Any) -> tuple[str, ...]:
        if not kind.provides_observation_tensor:
            return ()
        size = self.game.observation_tensor_size()
        name = self.game.get_type().short_name if not self.bids else self.text.partition("(")[0]
        names = (*(f"{name} seat {seat}" for seat in range(self.players)), *(f"{name} {i}" for i in range(size)))
        return names if size and len(names) <= MOST_FEATURES else ()

    def features(self, state: Any, seat: int) -> list[float]:
        """Return a number for each of `feature_names`; where seats have secrets only the seat to move is observed."""
        which = [float(each == seat) for each in range(self.players)]
        if self.hidden and state.current_player() != seat:
            return which + [0.0] * (len(self.feature_names) - self.players)
        return [*which, *state.observation_tensor(seat)]

    def shares(self, returns: Sequence[float]) -> list[float]:
        """Return each seat's share of one win: 1/n plus what it has more than the mean, on one linear scale.

        With U the difference of the largest and the smallest utility of the game and n seats, a seat gets
        ``1/n + (its return - mean return) / ((n - 1) * U)``: between 0 and 1, adding up to 1. For two players
        of a zero-sum game these are the returns themselves, mapped linearly to 0..1.

        Raises
        ------
        SfidaError
            If returns lie beyond the bounds that the game itself states.
        """
        mean = sum(returns) / self.players
        unit = (self.players - 1) * self.spread
        shares = [1.0 / self.players + (value - mean) / unit for value in returns]
        if min(shares) < -_SLACK or max(shares) > 1 + _SLACK:
            raise SfidaError(f"OpenSpiel's {self.text} returned {list(returns)}, beyond its own bounds "
                             f"{self.game.min_utility()} to {self.game.max_utility()}")
        return [min(1.0, max(0.0, share)) for share in shares]


def rules_of(text: str) -> Rules:
    """Return the rules of a game string; positions of one game share one object, whatever way it was written."""
    rules = _loaded(text)
    return rules if rules.text == text else _loaded(rules.text)


@functools.lru_cache(maxsize=64)
def _loaded(text: str) -> Rules:
    return Rules(text)
