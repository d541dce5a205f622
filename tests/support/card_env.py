"""A small card game as a PettingZoo environment, honest or with a leak, for tests of audits."""

from __future__ import annotations

import random
from typing import ClassVar

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

CARDS, BETS, ROUNDS = 4, 3, 2


class CardEnv(AECEnv):
    """Each of two players holds a card and bets 0 to 2 in turn; bets are hidden from the other player.

    Parameters
    ----------
    leak : str
        The fault; "" for none. "dull": observations leave out the player's own card, which limits the bets; "known":
        the same, but `knowledge` reveals that card; "open": observations show the other player's card, and
        `knowledge` does not.
    """

    metadata: ClassVar = {"name": "cards_v0", "render_modes": []}

    def __init__(self, leak=""):
        super().__init__()
        self.leak = leak
        self.possible_agents = ["north", "south"]
        self.render_mode = None
        if leak in ("known", "open"):
            self.knowledge = lambda agent: (self.cards[agent], len(self.bets))

    def observation_space(self, agent):
        return spaces.Dict({"observation": spaces.Box(0, 9, (2,), np.int8),
                            "action_mask": spaces.Box(0, 1, (BETS + 1,), np.int8)})

    def action_space(self, agent):
        return spaces.Discrete(BETS + 1)

    def reset(self, seed=None, options=None):
        self.luck = random.Random(None if self.leak == "luck" else seed)
        self.agents = self.possible_agents[:]
        self.cards = dict(zip(self.agents, self.luck.sample(range(CARDS), 2), strict=True))
        self.bets = []
        self.agent_selection = self.agents[0]
        self.rewards = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self.buffer = np.zeros(2, np.int8)
        self.table = np.zeros((2, 2), np.int8)
        self._tell()

    def _other(self, agent):
        return self.possible_agents[agent == self.possible_agents[0]]

    def _tell(self):
        mover = self.agent_selection
        hidden = self.cards[self._other(mover)]
        self.mask = np.array([1, 1, 1, 0], np.int8)
        if self.leak == "mask" and hidden == CARDS - 1:
            self.mask[2] = 0
        if self.leak in ("dull", "known") and self.cards[mover] == 0:
            self.mask[2] = 0
        if self.leak == "choice" and self.bets[-1:] == [2]:
            self.mask[2] = 0
        if self.leak == "infos":
            self.infos[mover] = {"hint": hidden}
        if self.leak == "reward":
            self._cumulative_rewards[mover] = hidden

    def observe(self, agent):
        if self.leak == "turn":
            agent = self.agent_selection
        values = [self.cards[agent], len(self.bets)]
        if self.leak in ("dull", "known"):
            values[0] = 0
        if self.leak == "open":
            values[0] = self.cards[self._other(agent)]
        if self.leak == "watched":
            self.cards[self._other(agent)] = self.luck.randrange(CARDS)
        seen = np.array(values, np.int8)
        if self.leak == "reused":
            self.buffer[:] = seen
            seen = self.buffer
        elif self.leak == "window":
            self.table[0], self.table[1] = seen, self.cards[self._other(agent)]
            seen = self.table.copy()[0]
        mask = self.mask if self.leak == "live" else self.mask.copy()
        if agent != self.agent_selection:
            mask = np.zeros_like(mask)
        more = {"why": lambda: 0} if self.leak == "lambda" else {}
        return {"observation": seen, "action_mask": mask, **more}

    def last(self, observe=True):
        found = super().last(observe)
        if self.leak == "last":
            found[0]["observation"][0] = self.cards[self._other(self.agent_selection)]
        return found

    def step(self, action):
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        if not self.mask[action] and self.leak != "lax":
            raise ValueError(f"{action} is not legal")
        if self.leak == "refused" and action == 2 and self.cards[self._other(agent)] == 0:
            raise ValueError("not against that card")
        self.bets.append(int(action))
        self._cumulative_rewards[agent] = 0
        if len(self.bets) == 2 * ROUNDS:
            self.terminations = dict.fromkeys(self.agents, True)
            self._deads_step_first()
        else:
            self.agent_selection = self._other(agent)
            self._tell()


def env(leak=""):
    return CardEnv(leak)
