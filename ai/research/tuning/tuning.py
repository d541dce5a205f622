"""A tuning: its plan, its trials, finals and match, each a tournament in one folder, and its result.

The trials look for good values, the finals play the best of them again with fresh chance events, and the match confirms
the best of those against the agent as given. Each of them is a tournament of the arena: one seat of a candidate against
copies of an opponent, every deal from every seat.
"""

from __future__ import annotations

import json
import operator
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from sfida.ai.agent import Agent, NamedAgent
from sfida.ai.arena.bootstrap import Floats, Ints, Tally
from sfida.ai.arena.outcome import ForfeitedGames, joined, told
from sfida.ai.arena.sequential import SprtOptions
from sfida.ai.arena.standings import Standings
from sfida.ai.arena.store import Store
from sfida.ai.arena.tournament import Tournament, TournamentProgress
from sfida.ai.chance import check_seed, tuning_seed
from sfida.ai.registry import agent as make_agent
from sfida.ai.research.tuning.model import Estimates, Model, OptionEffect, ask, effects, version
from sfida.ai.research.tuning.space import Space, Values
from sfida.ai.seat import Seat
from sfida.cython_ext.errors import InvalidOption, InvalidRecord, SfidaError
from sfida.engines.files import read_at_most, write_whole
from sfida.engines.game import Game
from sfida.engines.records import read_contents, sfida_version
from sfida.engines.registry import make_game
from sfida.engines.spec import contents_of, differences, quoted, shown
from sfida.engines.untrusted import LARGEST, FieldReader

# ---- The result of a tuning as plain data, the content of ``sfida tune --json``

_DIGITS = 9

Interval = tuple[float, float]


@dataclass(frozen=True)
class Trial:
    """The games of one candidate: a trial, or a final.

    Attributes
    ----------
    spec, setting : str
        The candidate, and its tuned parameters.
    values : dict
    games : int
    share : float
        Win share, luck-adjusted if luck was measured.
    """

    spec: str
    setting: str
    values: dict[str, Any]
    games: int
    share: float

    def to_json(self) -> dict[str, Any]:
        """Return a JSON-able dict."""
        return {"spec": self.spec, "values": self.values, "games": self.games, "share": _rounded(self.share)}


@dataclass(frozen=True)
class Candidate:
    """The results of a candidate.

    Attributes
    ----------
    spec, setting : str
    values : dict
    games : int
        In trials and finals.
    share : float
        Mean over these games.
    estimate, ci95 : float, (float, float)
        Share by the model, which is fitted to the games of all candidates.
    fresh : float or None
        Share in the finals; None for a candidate without finals.
    """

    spec: str
    setting: str
    values: dict[str, Any]
    games: int
    share: float
    estimate: float
    ci95: Interval
    fresh: float | None

    def to_json(self) -> dict[str, Any]:
        """Return a JSON-able dict."""
        return {"spec": self.spec, "values": self.values, "games": self.games, "share": _rounded(self.share),
                "estimate": _rounded(self.estimate), "ci95": [_rounded(end) for end in self.ci95],
                "final": None if self.fresh is None else _rounded(self.fresh)}


@dataclass(frozen=True)
class TuningMatch:
    """The match of the best candidate against the agent as given, with chance events that no choice depended on.

    Attributes
    ----------
    games : int
    share, ci95 : float, (float, float)
        Win share of the candidate.
    elo, elo_ci95 : float, (float, float)
        Lead of the candidate.
    verdict : str
        Verdict of the sequential test: "H1", "H0" or "undecided".
    text : str
        The verdict in words.
    forfeited : int
        Number of blocks with a forfeited game.
    """

    games: int
    share: float
    ci95: Interval
    elo: float
    elo_ci95: Interval
    verdict: str
    text: str
    forfeited: int = 0

    @classmethod
    def of(cls, standings: Standings) -> TuningMatch:
        """Return the result of the match's first agent in these standings."""
        found = standings.agents[0] if standings.adjusted is None else standings.adjusted.agents[0]
        assert standings.sprt is not None
        low, high = found.elo_ci95          # the mean of both is 0: one is as far above it as the other is below
        return cls(standings.games, found.win_share, found.ci95, 2 * found.elo, (2 * low, 2 * high),
                   standings.sprt.verdict, standings.sprt.text, standings.sprt.forfeited)

    def to_json(self) -> dict[str, Any]:
        """Return a JSON-able dict."""
        return {"games": self.games, "share": _rounded(self.share), "ci95": [_rounded(end) for end in self.ci95],
                "elo": _rounded(self.elo), "elo_ci95": [_rounded(end) for end in self.elo_ci95],
                "verdict": self.verdict, "text": self.text, "forfeited": self.forfeited}


@dataclass(frozen=True)
class Tuning:
    """The result of a tuning.

    Attributes
    ----------
    plan : dict
        `TuningPlan.to_json`.
    games : int
        Number of all games played.
    even : float
        The win share of an average agent.
    trials : tuple of Trial
    candidates : tuple of Candidate
        Best first: finalists by the lower ends of their intervals, then the others by their estimates.
    effects : tuple of OptionEffect
    match : TuningMatch or None
        None if the best candidate is the agent as given.
    forfeits : tuple of ForfeitedGames
        Blocks with a forfeit of an opponent do not count; a game that a candidate forfeits is lost for it.
    """

    plan: dict[str, Any]
    games: int
    even: float
    trials: tuple[Trial, ...]
    candidates: tuple[Candidate, ...]
    effects: tuple[OptionEffect, ...]
    match: TuningMatch | None
    forfeits: tuple[ForfeitedGames, ...] = ()

    @property
    def best(self) -> Candidate:
        """The best candidate."""
        return self.candidates[0]

    @property
    def use(self) -> str:
        """The spec to use: the best candidate if the match has confirmed it, otherwise the agent as given."""
        return self.best.spec if self.match is not None and self.match.verdict == "H1" else str(self.plan["agent"])

    def to_json(self) -> dict[str, Any]:
        """Return a JSON-able dict."""
        return {
            **{key: value for key, value in self.plan.items() if key != "format"}, "games": self.games,
            "even": _rounded(self.even), "trials": [trial.to_json() for trial in self.trials],
            "candidates": [candidate.to_json() for candidate in self.candidates],
            "effects": [{"parameter": effect.name, "value": effect.value, "share": _rounded(effect.share),
                         "ci95": [_rounded(end) for end in effect.ci95]} for effect in self.effects],
            "best": self.best.spec, "match": None if self.match is None else self.match.to_json(), "use": self.use,
            "forfeits": [asdict(one) for one in self.forfeits],
        }


def _rounded(value: float) -> float:
    return round(float(value), _DIGITS) + 0.0


# ---- The plan of a tuning: the number of games of its parts, their seeds, and the tournaments that play them

BUDGET = 1000           # games
FINALISTS = 4
_FORMAT = 1
_SEARCH, _FINALS = 0.5, 0.2     # shares of the budget
_FEWEST = 10            # fewest trials to learn from, and least games of a trial by default
_MOST = 60              # trials by default
_TRIAL, _FINAL, _MATCH, _ASK, _EFFECT = range(5)        # stages of the seeds


@dataclass(frozen=True)
class TuningPlan:
    """Everything that determines a tuning; see `plan_of`.

    Attributes
    ----------
    game : Game
    space : Space
    by_spec : bool
        Whether the agent was given as a spec and not as an object.
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
        """Games of each finalist, in whole rounds."""
        unit = self.game.players * len(self.opponents)
        return int(_FINALS * self.budget) // (FINALISTS * unit) * unit

    @property
    def per_match(self) -> int:
        """Most games of the match."""
        left = self.budget - self.trials * self.per_trial - FINALISTS * self.per_final
        return left // self.game.players * self.game.players

    # ---- agents -------------------------------------------------------------------------------

    @property
    def base(self) -> str | Agent:
        """The agent as given."""
        return self._played(self.space.agent)

    @property
    def opponents(self) -> tuple[str | Agent, ...]:
        """The opponents of the candidates."""
        return self.against or (self.base,)

    def candidate(self, values: Values) -> str | Agent:
        """Return the agent with these values."""
        return self._played(self.space.candidate(values))

    def _played(self, agent: NamedAgent) -> str | Agent:
        return agent.spec if self.by_spec else agent

    # ---- tournaments --------------------------------------------------------------------------

    def cautions(self, jobs: int) -> list[str]:
        """Return the warnings that a user should see before the first game, one line each."""
        candidates = map(self.candidate, self.space.corners())
        return self._tournament([self.base, *candidates, *self.opponents], 1, _TRIAL, 0).cautions(jobs)

    def trial(self, values: Values, number: int) -> Tournament:
        """Return the games of a trial; each trial has its own chance events."""
        return self._tournament([self.candidate(values), *self.opponents], self.per_trial, _TRIAL, number)

    def final(self, values: Values) -> Tournament:
        """Return the games of a finalist; all finalists have the same chance events."""
        return self._tournament([self.candidate(values), *self.opponents], self.per_final, _FINAL, 0)

    def match(self, values: Values) -> Tournament:
        """Return the match of the best candidate against the agent as given; the sequential test ends it."""
        return self._tournament([self.candidate(values), self.base], self.per_match, _MATCH, 0,
                                replace(self.sprt, adjusted=self.measured))

    @cached_property
    def measured(self) -> bool:
        """Whether luck is measured and the shares are luck-adjusted."""
        return self._tournament([self.base, *self.opponents], 1, _TRIAL, 0).value is not None

    def _tournament(self, agents: Sequence[str | Agent], games: int, stage: int, number: int,
                    sprt: SprtOptions | None = None) -> Tournament:
        return Tournament(self.game, agents, games, tuning_seed(self.seed, stage, number), mode="gauntlet", sprt=sprt,
                          adjusted=self.adjusted)

    def ask_seed(self, number: int) -> int:
        """Return the seed that chooses a trial's values."""
        return tuning_seed(self.seed, _ASK, number)

    @property
    def effect_seed(self) -> int:
        """Seed of the settings over which effects are averaged."""
        return tuning_seed(self.seed, _EFFECT, 0)

    # ---- record -------------------------------------------------------------------------------

    def to_json(self) -> dict[str, Any]:
        """Return what distinguishes a tuning from others; JSON-able."""
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
            sprt: SprtOptions | None = None) -> TuningPlan:
    """Return a plan.

    Parameters
    ----------
    game : str or Game
    agent : str or NamedAgent
        The agent whose parameters are tuned.
    over : str
        The parameters and their values: ``"c_prior=0.3..3,cutoff=-1|2|4|8"``.
    seed : int
    against : sequence of str or Agent
        Opponents; by default the agent as given.
    budget : int
        Most games of the whole tuning.
    games_per_trial : int, optional
        Rounded up to whole rounds; by default about 10, and more if there would be more than 60 trials.
    adjusted : bool or None
        See `Tournament`.
    sprt : SprtOptions, optional
        Sequential test of the match.

    Raises
    ------
    UnknownGame, UnknownAgent, InvalidOption
        Also if a value is not valid for this game, or the budget is too small.
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
    per_trial = max(-(-wanted // unit) * unit, 2 * engine.players)      # at least two blocks, to estimate a variance
    plan = TuningPlan(engine, space, isinstance(agent, str), rivals, budget, per_trial, check_seed(seed), adjusted,
                      SprtOptions() if sprt is None else sprt)
    if plan.trials < _FEWEST:
        least = -(-_FEWEST * per_trial // _SEARCH)
        raise InvalidOption(f"a budget of {budget} games is too small for {_FEWEST} trials of {per_trial} games, which "
                            f"take half of it; right would be at least {least:.0f}")
    plan.trial(space.corners()[0], 0)           # raises an error if the arena cannot play it
    return plan


# ---- Running a tuning: trials, finals and match, each a tournament with its own store in one folder

PLAN = "tune.json"
_LARGEST_PLAN = 10**6           # bytes
_LEAST = 0.02                   # least standard deviation of a block's share


@dataclass(frozen=True)
class _Played:
    """A candidate and the blocks that it played: win share and opponent of each, arrays of shape (blocks,)."""

    values: dict[str, Any]
    share: Floats
    opponent: Ints
    forfeits: tuple[ForfeitedGames, ...] = ()

    @property
    def mean(self) -> float:
        return round(float(self.share.mean()), _DIGITS)


class _Run:
    """One run over the folder of a tuning."""

    def __init__(self, plan: TuningPlan, folder: Path, jobs: int,
                 on_progress: Callable[[TournamentProgress], object] | None) -> None:
        self.plan, self._folder, self._jobs, self._on_progress = plan, folder, jobs, on_progress
        self._of = plan.trials * plan.per_trial + FINALISTS * plan.per_final + plan.per_match
        self.games = 0

    def play(self, tournament: Tournament, name: str, of: int) -> Standings:
        """Play the games that the store of a tournament lacks; it counts as `of` games of the whole tuning."""
        path, before = self._folder / f"{name}.sfida", self.games
        show = self._on_progress

        def told(progress: TournamentProgress) -> None:
            assert show is not None
            games = before + progress.games
            left = (self._of - games) / progress.rate if progress.rate and progress.left is not None else None
            show(replace(progress, games=games, of=self._of, left=left))

        standings = tournament.run(path, jobs=self._jobs, resume=True, on_progress=None if show is None else told)
        self.games += of
        return standings

    def scores(self, name: str, values: Values) -> _Played:
        """Read the games of a candidate, without the blocks with a forfeit of another agent.

        Raises
        ------
        SfidaError
            If no block is left.
        """
        players = self.plan.game.players
        with Store.read(self._folder / f"{name}.sfida", trust_agents=True) as held:
            tally, labels = Tally.of(held.outcomes(), players), held.setup.labels
        forfeits = tally.forfeits(labels)
        others = np.array([fault is not None and tally.agent[game, fault.seat] != 0
                           for game, fault in enumerate(tally.faults)], bool)
        tally = tally.blocks_where(np.bincount(tally.block, others, tally.blocks) == 0)
        if not tally.blocks:
            raise SfidaError(f"nothing can be tuned, because the opponents do not play{told(forfeits)}")
        fair = tally.adjusted() if self.plan.measured else tally
        own = fair.agent == 0
        share = np.bincount(fair.block, (fair.utility * own).sum(axis=1), fair.blocks) / players
        opponent = np.zeros(fair.blocks, np.int64)
        opponent[fair.block] = fair.agent.max(axis=1) - 1
        return _Played(dict(values), share, opponent, forfeits)


def tune(plan: TuningPlan, folder: Path, *, jobs: int = 1,
         on_progress: Callable[[TournamentProgress], object] | None = None) -> Tuning:
    """Play the games that the folder lacks and return the result, which interruptions do not change.

    Parameters
    ----------
    plan : TuningPlan
    folder : Path
        Folder of the games, with one store for each trial, each finalist and the match; created if missing.
    jobs, on_progress
        As for `Tournament.run`.

    Raises
    ------
    InvalidRecord
        If the folder holds another tuning.
    SfidaError
        If the opponents forfeit all games of a candidate.
    KeyboardInterrupt
        At Ctrl-C; the games played are kept.
    """
    _claim(plan, folder)
    run, space = _Run(plan, folder, jobs, on_progress), plan.space
    trials: list[_Played] = []
    for number in range(plan.trials):
        values = ask(space, [(trial.values, trial.mean) for trial in trials], plan.ask_seed(number))
        name = f"trial-{number + 1:03d}"
        run.play(plan.trial(values, number), name, plan.per_trial)
        trials.append(run.scores(name, values))
    points = _distinct([trial.values for trial in trials])
    promise = _model(plan, trials).at(space.places(points))
    finals: list[_Played] = []
    for place, index in enumerate(np.argsort(-promise.mean, kind="stable")[:FINALISTS].tolist(), start=1):
        run.play(plan.final(points[index]), f"final-{place}", plan.per_final)
        finals.append(run.scores(f"final-{place}", points[index]))
    model = _model(plan, [*trials, *finals])
    candidates = _candidates(plan, points, model.at(space.places(points)), trials, finals)
    played, match = run.games, None
    forfeits = [one.forfeits for one in (*trials, *finals)]
    if candidates[0].spec != space.agent.spec:
        table = run.play(plan.match(candidates[0].values), "match", plan.per_match)
        match = TuningMatch.of(table)
        played += match.games
        forfeits.append(table.forfeits)
    return Tuning(
        plan=plan.to_json(), games=played, even=1 / plan.game.players,
        trials=tuple(Trial(space.candidate(trial.values).spec, space.text(trial.values), trial.values,
                           plan.per_trial, trial.mean) for trial in trials),
        candidates=candidates, effects=effects(space, model, plan.effect_seed), match=match, forfeits=joined(forfeits))


def held_seed(folder: Path) -> int | None:
    """Return the seed of the tuning in a folder, None if there is none; raises InvalidRecord if it is damaged."""
    held = _held(folder)
    if held is None:
        return None
    seed: int = FieldReader(shown(folder / PLAN)).take(dict(held), "seed", int, low=0, high=LARGEST)
    return seed


# ---- the folder -----------------------------------------------------------------------------------------


def _held(folder: Path) -> dict[str, Any] | None:
    path = folder / PLAN
    if not path.exists():
        return None
    reader = FieldReader(shown(path))
    found = reader.parse(read_at_most(path, _LARGEST_PLAN).decode(errors="replace"), "the plan")
    if not isinstance(found, dict):
        reader.fail("it must hold the plan of a tuning")
    read_contents(dict(found), reader)
    return found


def _claim(plan: TuningPlan, folder: Path) -> None:
    """Write the plan into a new folder; raises InvalidRecord if the folder holds another one."""
    held, asked = _held(folder), json.loads(json.dumps(plan.to_json()))
    if held is None:
        if folder.is_dir() and any(folder.iterdir()):
            raise InvalidRecord(f"{shown(folder)}: holds files but no tuning; give a new folder")
        folder.mkdir(parents=True, exist_ok=True)
        write_whole(folder / PLAN, json.dumps(asked, indent=1) + "\n")
        return
    found = differences(held, asked)
    if found:
        raise InvalidRecord(f"{shown(folder)}: holds another tuning: {'; '.join(found)}")


# ---- evaluating the games -------------------------------------------------------------------------------


def _distinct(points: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    return list({tuple(point.items()): point for point in points}.values())


def _model(plan: TuningPlan, played: Sequence[_Played]) -> Model:
    """Return the model of these games. The few blocks of a trial do not suffice to estimate their variance, so all
    trials share one: the mean variance of blocks with the same candidate and opponent.
    """
    share = np.concatenate([one.share for one in played])
    opponent = np.concatenate([one.opponent for one in played])
    of = np.repeat(np.arange(len(played)), [len(one.share) for one in played])
    rest = share - np.array([one.share.mean() for one in played])[of]
    sums = np.bincount(opponent, rest, len(plan.opponents))
    rest = rest - (sums / np.maximum(np.bincount(opponent, minlength=len(plan.opponents)), 1))[opponent]
    free = len(share) - len(played) - len(plan.opponents) + 1
    deviation = max(float(np.sqrt((rest ** 2).sum() / max(free, 1))), _LEAST)
    return Model(plan.space.places([one.values for one in played]), np.array([one.mean for one in played]),
                 np.array([deviation / np.sqrt(len(one.share)) for one in played]), 1 / plan.game.players)


def _candidates(plan: TuningPlan, points: Sequence[dict[str, Any]], found: Estimates, trials: Sequence[_Played],
                finals: Sequence[_Played]) -> tuple[Candidate, ...]:
    """Return all candidates, finalists first."""
    space, told = plan.space, []
    for row, values in enumerate(points):
        own = [one for one in (*trials, *finals) if one.values == values]
        share = np.concatenate([one.share for one in own])
        told.append(Candidate(
            space.candidate(values).spec, space.text(values), values, len(share) * plan.game.players,
            float(share.mean()), float(found.mean[row]), (float(found.low[row]), float(found.high[row])),
            next((one.mean for one in finals if one.values == values), None)))
    return tuple(sorted(told, key=lambda one: (one.fresh is None, -one.ci95[0] if one.fresh is not None
                                               else -one.estimate)))
