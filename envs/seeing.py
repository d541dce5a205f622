"""What a seat is shown: the space of its observations, and the observation of a position."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces

from sfida.cython_ext.errors import InvalidOption
from sfida.cython_ext.observing import fill_seats
from sfida.cython_ext.state import GameState
from sfida.engines.game import Game
from sfida.engines.spec import quoted
from sfida.envs.choices import CandidateChoices, Choices

FEATURES, DICT = "features", "dict"
KINDS = (FEATURES, DICT)


class PositionSpace(spaces.Space[dict[str, Any]]):
    """The dicts in which a game tells what a seat sees (`GameState.observation`): JSON-able, of any shape."""

    def __init__(self, game: Game) -> None:
        super().__init__(None, None)
        self.game = game

    def sample(self, mask: Any = None, probability: Any = None) -> dict[str, Any]:
        """Return what some seat sees at the start."""
        return self.game.initial_state().observation(int(self.np_random.integers(self.game.players)))

    def contains(self, x: Any) -> bool:
        """Return whether it is a dict that JSON can hold."""
        return isinstance(x, dict) and _is_plain(x)

    @property
    def is_np_flattenable(self) -> bool:
        """Whether it can be one array: never."""
        return False

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PositionSpace) and other.game == self.game

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"PositionSpace({self.game.spec()})"


def _is_plain(value: Any) -> bool:
    if isinstance(value, dict):
        return all(isinstance(key, str) and _is_plain(item) for key, item in value.items())
    if isinstance(value, (list, tuple)):
        return all(_is_plain(item) for item in value)
    return value is None or isinstance(value, (bool, int, float, str))


class Sight:
    """Shows positions to seats. Nothing that a seat cannot know is read: other seats' secrets are overwritten before.

    Parameters
    ----------
    game : Game
    choices : Choices
    kind : str, optional
        "features": what a learned evaluation of the game reads; "dict": all that the game tells programs. By default
        features where the game has some.

    Raises
    ------
    InvalidOption
        If there is no such kind, or the game lists no features.

    Attributes
    ----------
    space : gymnasium.spaces.Dict
        Of the observations of every seat: `observation`, of shape (players, features), one row for each seat, that of
        the observer first (or `position`, a dict); `action_mask`; `moves`, of shape (actions, features of a move),
        where actions are candidates whose features the game lists.
    """

    def __init__(self, game: Game, choices: Choices, kind: str | None = None) -> None:
        start = game.initial_state()
        self._shape = game.players, len(start.feature_names)
        if kind is None:
            kind = FEATURES if self._shape[1] else DICT
        if kind not in KINDS:
            raise InvalidOption(f"observe must be one of {', '.join(map(repr, KINDS))}, not {quoted(kind)}")
        if kind == FEATURES and not self._shape[1]:
            raise InvalidOption(f"{quoted(game.spec())} lists no features; right would be observe='{DICT}'")
        self._choices = choices
        self._scratch = start
        self._by_features = kind == FEATURES
        parts: dict[str, spaces.Space[Any]] = {}
        if self._by_features:
            parts["observation"] = spaces.Box(-np.inf, np.inf, self._shape, np.float32)
        else:
            parts["position"] = PositionSpace(game)
        parts["action_mask"] = spaces.Box(0, 1, (choices.size,), np.int8)
        self._candidates = choices if isinstance(choices, CandidateChoices) and choices.move_features else None
        if self._candidates is not None:
            parts["moves"] = spaces.Box(-np.inf, np.inf, (choices.size, choices.move_features), np.float32)
        self.space = spaces.Dict(parts)

    def of(self, state: GameState, seat: int, offered: dict[int, int]) -> dict[str, Any]:
        """Return the observation of a seat.

        Parameters
        ----------
        state : GameState
        seat : int
        offered : dict
            Codes of the actions that it may choose from now; empty for a seat that is not to move.
        """
        seen: dict[str, Any] = {}
        if self._by_features:
            rows = np.empty(self._shape, dtype=np.float32)
            fill_seats(state, self._scratch, seat, rows)
            seen["observation"] = rows
        else:
            seen["position"] = state.observation(seat)
        seen["action_mask"] = self._choices.mask(offered)
        if self._candidates is not None:
            seen["moves"] = self._candidates.features(state, offered)
        return seen
