"""The plan of a tuning: how many games its parts have, with which seeds, and the tournaments that play them.

The trials look for good values, the finals play the best of them again on fresh luck, and the match confirms the best
of those against the agent as given. Each of them is a tournament of the arena: one seat of a candidate against copies
of an opponent, every deal from every seat.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from sfida.ai.agent import Agent, NamedAgent
from sfida.ai.arena.sequential import SprtOptions
from sfida.ai.arena.tournament import Tournament
from sfida.ai.registry import agent as make_agent
from sfida.ai.seat import Seat
from sfida.ai.seeds import check_seed, tuning_seed
from sfida.ai.tuning.asking import version
from sfida.ai.tuning.space import Space, Values
from sfida.cython_ext.errors import InvalidOption
from sfida.engines.game import Game
from sfida.engines.records import sfida_version
from sfida.engines.registry import make_game
from sfida.engines.spec import contents_of, quoted

BUDGET = 1000           # games
FINALISTS = 4
_FORMAT = 1
_SEARCH, _FINALS = 0.5, 0.2     # shares of the budget
_FEWEST = 10            # trials below which nothing is learned, and least games of a trial by default
_MOST = 60              # trials by default
_TRIAL, _FINAL, _MATCH, _ASK, _EFFECT = range(5)        # stages of the seeds


@dataclass(frozen=True)
class Plan:
    """Everything that determines a tuning; see `plan_of`.

    Attributes
    ----------
    game : Game
    space : Space
    by_spec : bool
        Whether the agent was given by its spec and not as an object.
    against : tuple of str or Agent
    budget, per_trial, seed : int
    adjusted : bool or None
    sprt : SprtOptions
    """

    game: Game
    space: Space
    by_spec: bool
    against: tuple[str | Agent, ...]
    budget: int
    per_trial: int
    seed: int
    adjusted: bool | None
    sprt: SprtOptions

    # ---- sizes --------------------------------------------------------------------------------

    @property
    def trials(self) -> int:
        """Number of trials."""
        return int(_SEARCH * self.budget) // self.per_trial

    @property
    def per_final(self) -> int:
        """Games of each finalist: whole rounds."""
        unit = self.game.players * len(self.opponents)
        return int(_FINALS * self.budget) // (FINALISTS * unit) * unit

    @property
    def per_match(self) -> int:
        """Games of the match, at most."""
        left = self.budget - self.trials * self.per_trial - FINALISTS * self.per_final
        return left // self.game.players * self.game.players

    # ---- agents -------------------------------------------------------------------------------

    @property
    def base(self) -> str | Agent:
        """The agent as given."""
        return self._played(self.space.agent)

    @property
    def opponents(self) -> tuple[str | Agent, ...]:
        """Whom the candidates play against."""
        return self.against or (self.base,)

    def candidate(self, values: Values) -> str | Agent:
        """Return the agent with these values."""
        return self._played(self.space.candidate(values))

    def _played(self, agent: NamedAgent) -> str | Agent:
        return agent.spec if self.by_spec else agent

    # ---- tournaments --------------------------------------------------------------------------

    def cautions(self, jobs: int) -> list[str]:
        """Return what a user should know before the first game, one line each."""
        candidates = map(self.candidate, self.space.corners())
        return self._tournament([self.base, *candidates, *self.opponents], 1, _TRIAL, 0).cautions(jobs)

    def trial(self, values: Values, number: int) -> Tournament:
        """Return the games of a trial; each has luck of its own."""
        return self._tournament([self.candidate(values), *self.opponents], self.per_trial, _TRIAL, number)

    def final(self, values: Values) -> Tournament:
        """Return the games of a finalist; all have the same luck."""
        return self._tournament([self.candidate(values), *self.opponents], self.per_final, _FINAL, 0)

    def match(self, values: Values) -> Tournament:
        """Return the match of the best against the agent as given, ended by the sequential test."""
        return self._tournament([self.candidate(values), self.base], self.per_match, _MATCH, 0,
                                replace(self.sprt, adjusted=self.measured))

    @cached_property
    def measured(self) -> bool:
        """Whether luck is measured and taken off."""
        return self._tournament([self.base, *self.opponents], 1, _TRIAL, 0).value is not None

    def _tournament(self, agents: Sequence[str | Agent], games: int, stage: int, number: int,
                    sprt: SprtOptions | None = None) -> Tournament:
        return Tournament(self.game, agents, games, tuning_seed(self.seed, stage, number), mode="gauntlet", sprt=sprt,
                          adjusted=self.adjusted)

    def ask_seed(self, number: int) -> int:
        """Return the seed of the choice of a trial's values."""
        return tuning_seed(self.seed, _ASK, number)

    @property
    def effect_seed(self) -> int:
        """Seed of the settings over which effects are means."""
        return tuning_seed(self.seed, _EFFECT, 0)

    # ---- record -------------------------------------------------------------------------------

    def to_json(self) -> dict[str, Any]:
        """Return what tells a tuning from others; JSON-able."""
        opponents = [make_agent(each) if isinstance(each, str) else each for each in self.opponents]
        contents = contents_of(self.game.options, self.space.agent.options, *(Seat(each).options for each in opponents))
        return {
            "format": _FORMAT, "sfida": sfida_version(), "optuna": version(), "game": self.game.spec(),
            "rules_version": self.game.rules_version, "agent": self.space.agent.spec,
            "over": [{"name": each.name, "range" if each.ranges else "values": list(each.values)}
                     for each in self.space.parameters],
            "against": [each if isinstance(each, str) else each.spec for each in self.opponents],
            "budget": self.budget, "games_per_trial": self.per_trial, "adjusted": self.measured,
            "sprt": str(self.sprt), "seed": self.seed, **({"contents": contents} if contents else {}),
        }


def plan_of(game: str | Game, agent: str | NamedAgent, over: str, *, seed: int, against: Sequence[str | Agent] = (),
            budget: int = BUDGET, games_per_trial: int | None = None, adjusted: bool | None = None,
            sprt: SprtOptions | None = None) -> Plan:
    """Return a plan.

    Parameters
    ----------
    game : str or Game
    agent : str or NamedAgent
        Whose parameters are tuned.
    over : str
        Which parameters, and their values: ``"c_prior=0.3..3,cutoff=-1|2|4|8"``.
    seed : int
    against : sequence of str or Agent
        Opponents; by default the agent as given.
    budget : int
        Games in all, at most.
    games_per_trial : int, optional
        Rounded up to whole rounds; by default 10 or so, and more if there would be more than 60 trials.
    adjusted : bool or None
        As of `Tournament`.
    sprt : SprtOptions, optional
        Of the match.

    Raises
    ------
    UnknownGame, UnknownAgent, InvalidOption
        Also if a value is not for this game, or the budget too small.
    SfidaError
        If Optuna is not installed.
    """
    version()
    engine = make_game(game)
    base: Any = make_agent(agent) if isinstance(agent, str) else agent
    if not isinstance(base, NamedAgent):
        raise InvalidOption(f"only agents with declared parameters can be tuned, not {quoted(agent)}")
    space = Space.parse(base, over)
    rivals = tuple(make_agent(each).spec if isinstance(each, str) else each for each in against)
    for point in space.corners():
        Seat(space.candidate(point)).check(engine)
    unit = engine.players * max(len(rivals), 1)
    budget = operator.index(budget)             # whole numbers of any type
    usual = max(_FEWEST, int(_SEARCH * budget) // _MOST)
    wanted = usual if games_per_trial is None else operator.index(games_per_trial)
    per_trial = max(-(-wanted // unit) * unit, 2 * engine.players)      # two blocks, for a variance
    plan = Plan(engine, space, isinstance(agent, str), rivals, budget, per_trial, check_seed(seed), adjusted,
                SprtOptions() if sprt is None else sprt)
    if plan.trials < _FEWEST:
        least = -(-_FEWEST * per_trial // _SEARCH)
        raise InvalidOption(f"a budget of {budget} games is too small for {_FEWEST} trials of {per_trial} games, which "
                            f"take half of it; right would be at least {least:.0f}")
    plan.trial(space.corners()[0], 0)           # refuses what the arena cannot play
    return plan
