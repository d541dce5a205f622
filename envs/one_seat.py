"""One seat of a game as a Gymnasium environment, with agents on the other seats."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from sfida.ai.agent import HumanAgent
from sfida.ai.chance import episode_seed, fresh_seed, stream_seed
from sfida.ai.seat import Seat
from sfida.ai.table import Table
from sfida.cython_ext.errors import IllegalMove, SfidaError
from sfida.cython_ext.state import GameState
from sfida.engines.game import Game
from sfida.engines.records import GameRecord
from sfida.envs.spaces import (
    RENDER_MODES, ActionChoices, Opponents, Rewards, Sight, as_seed, check_mode, drawn, move_of, texts_of
)


class OneSeat(gymnasium.Env[dict[str, Any], int]):
    """A game at a table as in `sfida.play`: the same seed gives the same chance events and agents' decisions.

    Parameters
    ----------
    game : Game
    choices : ActionChoices
    sight : Sight
    others : Opponents
        The agents on the other seats.
    seat : int or None
        The learner's seat; None: each game draws it by its seed.
    reward : str
        See `Rewards`.
    illegal_reward : float or None
        Reward of an illegal action, which ends the game; None: the environment raises `IllegalMove`.
    render_mode : str or None
        "human", "ansi", "svg" or "rgb_array"; the picture shows what the learner's seat sees.

    Attributes
    ----------
    seat : int
        The learner's seat in this game.
    """

    def __init__(self, game: Game, choices: ActionChoices, sight: Sight, others: Opponents, seat: int | None,
                 reward: str, illegal_reward: float | None, render_mode: str | None) -> None:
        self.game = game
        self.metadata = {"render_modes": RENDER_MODES, "render_fps": 1}
        self.render_mode = check_mode(render_mode)
        self.action_space = spaces.Discrete(choices.size)
        self.observation_space = sight.space
        self.seat = 0 if seat is None else seat
        self._choices, self._sight, self._reward = choices, sight, reward
        self._illegal_reward = illegal_reward
        self._others, self._fixed_seat = others, seat
        self._root, self._number = fresh_seed(), -1
        self._table: Table | None = None
        self._offered: dict[int, int] = {}
        self._closed = True
        Rewards(reward, game.initial_state())           # raises an error for an unknown kind

    # ---- Gymnasium ------------------------------------------------------------------------------

    def reset(self, *, seed: int | None = None,
              options: dict[str, Any] | None = None) -> tuple[dict[str, Any], dict[str, Any]]:
        """Start a new game and play it up to the first decision of the learner.

        Parameters
        ----------
        seed : int, optional
            Seed of all chance events and agents of this game and, in order, of the games that follow without a seed.
        options : dict, optional
            Not used.

        Returns
        -------
        dict, dict
            The observation, and an empty dict.
        """
        if seed is not None:
            self._root, self._number = as_seed(seed), -1
            super().reset(seed=self._root)
        while True:
            self._number += 1
            self._begin(episode_seed(self._root, self._number))
            if not self._state.is_over:                 # the others may end the game before the learner can act
                return self._seen(), {}

    def step(self, action: int) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Play an action, then chance events and the others' moves, up to the learner's next decision or the end.

        Returns
        -------
        dict, float, bool, bool, dict
            The observation, the reward of the learner's seat, whether the game is over, False, and information:
            `illegal`, one line, if the action was not legal; `scores` and `utilities` of all seats at the end.

        Raises
        ------
        IllegalMove
            If the action is not legal and has no reward; nothing has changed.
        SfidaError
            If there is no game in progress, or another agent fails.
        """
        if self._table is None or self._closed:
            raise SfidaError("no game is in progress: call reset() first")
        try:
            code = move_of(action, self._offered, self._choices.size, self.seat)
        except IllegalMove as error:
            if self._illegal_reward is None:
                raise
            self._closed = True
            return self._seen(), self._illegal_reward, True, False, {"illegal": str(error)}
        self._table.play(code)
        self._play_on()
        state = self._state
        self._closed = bool(state.is_over)
        end = {"scores": state.scores(), "utilities": state.utilities()} if state.is_over else {}
        return self._seen(), self._rewards.of(state)[self.seat], self._closed, False, end

    def render(self) -> str | NDArray[np.uint8] | None:
        """Draw what the learner's seat sees, as text, SVG or pixels; None if it is printed."""
        if self._table is None:
            raise SfidaError("no game is in progress: call reset() first")
        return drawn(self._state, self.render_mode, self.seat)

    def close(self) -> None:
        """End the programs of the other agents, if any."""
        self._others.close()

    # ---- beyond Gymnasium -----------------------------------------------------------------------

    def action_masks(self) -> NDArray[np.bool_]:
        """Return which actions are legal; the name is that of sb3-contrib's maskable algorithms."""
        return self._choices.mask(self._offered).astype(np.bool_)

    def action_texts(self) -> dict[int, str]:
        """Return the notation of each legal action."""
        return texts_of(self._state, self._offered) if self._offered else {}

    def record(self) -> GameRecord:
        """Return the record of the game so far; the learner's seat is called "human"."""
        if self._table is None:
            raise SfidaError("no game is in progress: call reset() first")
        return self._table.record()

    # ---- the game -------------------------------------------------------------------------------

    @property
    def _state(self) -> GameState:
        assert self._table is not None
        return self._table.state

    def _begin(self, root: int) -> None:
        self.seat = stream_seed(root) % self.game.players if self._fixed_seat is None else self._fixed_seat
        seats = self._others.seats()
        seats.insert(self.seat, Seat(HumanAgent()))
        self._table = Table(self.game, seats, root)
        self._table.begin()
        self._rewards = Rewards(self._reward, self._state)
        self._closed = False
        self._play_on()

    def _play_on(self) -> None:
        """Play up to the next decision of the learner, or the end."""
        assert self._table is not None
        while not self._table.is_over and self._state.to_move != self.seat:
            self._table.play(self._table.next_move())
        self._offered = {} if self._table.is_over else self._choices.at(self._state)

    def _seen(self) -> dict[str, Any]:
        return self._sight.of(self._state, self.seat, self._offered)
