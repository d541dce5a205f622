"""All seats of a game as a PettingZoo environment (AEC: one agent acts at a time)."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv

from sfida.ai.chance import episode_seed, fresh_seed, stream_seed
from sfida.cython_ext.errors import InvalidOption
from sfida.cython_ext.observing import play_luck
from sfida.cython_ext.rng import Random
from sfida.cython_ext.state import GameState
from sfida.engines.game import Game
from sfida.engines.spec import quoted
from sfida.envs.spaces import RENDER_MODES, ActionChoices, Rewards, Sight, as_seed, check_mode, drawn, move_of, texts_of


class AllSeats(AECEnv[str, dict[str, Any], int]):
    """Every seat of a game, each an agent named ``seat_0``, ``seat_1`` and so on.

    An agent acts whenever its seat has to decide, even with only one legal move; chance events are played in between.

    Parameters
    ----------
    game : Game
    choices : ActionChoices
    sight : Sight
    reward : str
        See `Rewards`.
    render_mode : str, optional
        "human", "ansi", "svg" or "rgb_array"; the picture shows what everybody may see.

    Attributes
    ----------
    state_of_game : GameState
        The true position with all secrets: not for agents. Must not be changed.
    """

    def __init__(self, game: Game, choices: ActionChoices, sight: Sight, reward: str, render_mode: str | None) -> None:
        super().__init__()
        self.game = game
        self.render_mode = check_mode(render_mode)
        self.metadata = {"name": f"sfida_{game.name}_v{game.rules_version}", "render_modes": RENDER_MODES,
                         "is_parallelizable": False, "render_fps": 1}
        self.possible_agents = [f"seat_{seat}" for seat in range(game.players)]
        self.agents: list[str] = []
        self._seat = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._choices, self._sight, self._reward = choices, sight, reward
        self._actions: dict[str, spaces.Discrete] = {
            agent: spaces.Discrete(choices.size) for agent in self.possible_agents}
        self._root, self._number = fresh_seed(), -1
        self._begin()

    def _begin(self) -> None:
        """Start the next game of the seed."""
        self._number += 1
        self._luck = Random(stream_seed(episode_seed(self._root, self._number)))
        self.state_of_game: GameState = self.game.initial_state()
        play_luck(self.state_of_game, self._luck)
        self._rewards = Rewards(self._reward, self.state_of_game)
        self._ask()

    def _ask(self) -> None:
        """Store the legal actions."""
        state = self.state_of_game
        self._offered = {} if state.is_over else self._choices.at(state)

    def action_texts(self) -> dict[int, str]:
        """Return the notation of each legal action of the seat to move."""
        return texts_of(self.state_of_game, self._offered)

    def knowledge(self, agent: str) -> bytes:
        """Return all that an agent may know now, which lets `sfida audit` distinguish a summary from a leak."""
        return self.state_of_game.view(self._seat[agent]).key()

    # ---- PettingZoo -----------------------------------------------------------------------------

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of an agent's observations; all agents share it."""
        return self._sight.space

    def action_space(self, agent: str) -> spaces.Discrete:
        """Return the space of an agent's actions."""
        return self._actions[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a new game.

        Parameters
        ----------
        seed : int, optional
            Seed of all chance events of this game and, in order, of the games that follow without a seed.
        options : dict, optional
            Not used.

        Raises
        ------
        InvalidOption
            If the seed is invalid.
        """
        if seed is not None:
            self._root, self._number = as_seed(seed), -1
        self._begin()
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self.state_of_game.to_move]

    def observe(self, agent: str) -> dict[str, Any]:
        """Return the present observation of an agent; its mask is all zeros if it is not to move."""
        if agent not in self._seat:
            raise InvalidOption(f"there is no agent {quoted(agent)}; the agents are {', '.join(self.possible_agents)}")
        state, seat = self.state_of_game, self._seat[agent]
        return self._sight.of(state, seat, self._offered if state.to_move == seat else {})

    def step(self, action: int) -> None:
        """Play the action of the agent to move, and the chance events that follow.

        Raises
        ------
        IllegalMove
            If its mask does not allow it; nothing has changed.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        state = self.state_of_game
        state.apply(move_of(action, self._offered, self._choices.size, self._seat[agent]))
        play_luck(state, self._luck)
        self._ask()
        self._cumulative_rewards[agent] = 0.0
        self.rewards = dict(zip(self.agents, self._rewards.of(state), strict=True))
        self._accumulate_rewards()
        if state.is_over:
            self.terminations = dict.fromkeys(self.agents, True)
            self._deads_step_first()
        else:
            self.agent_selection = self.possible_agents[state.to_move]

    def render(self) -> str | NDArray[np.uint8] | None:
        """Draw what everybody may see, as text, SVG or pixels; None if it is printed."""
        return drawn(self.state_of_game, self.render_mode)

    def close(self) -> None:
        """Do nothing: there are no resources to release."""
