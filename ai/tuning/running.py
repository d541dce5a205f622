"""Runs a tuning: trials, finals and match, each a tournament with a store of its own in one folder."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from sfida.ai.arena.bootstrap import Floats, Ints
from sfida.ai.arena.outcome import ForfeitedGames, joined, told
from sfida.ai.arena.progress import Progress
from sfida.ai.arena.standings import Standings
from sfida.ai.arena.store import Store
from sfida.ai.arena.tally import Tally
from sfida.ai.arena.tournament import Tournament
from sfida.ai.tuning.asking import ask
from sfida.ai.tuning.effects import effects
from sfida.ai.tuning.model import Estimates, Model
from sfida.ai.tuning.plan import FINALISTS, Plan
from sfida.ai.tuning.result import Candidate, Match, Trial, Tuning
from sfida.ai.tuning.space import Values
from sfida.cython_ext.errors import InvalidRecord, SfidaError
from sfida.engines.files import read_at_most, write_whole
from sfida.engines.record_fields import LARGEST, FieldReader
from sfida.engines.records import read_contents
from sfida.engines.spec import differences, shown

PLAN = "tune.json"
_LARGEST_PLAN = 10**6           # bytes
_DIGITS = 9                     # of a share that is told to the chooser
_LEAST = 0.02                   # standard deviation of a block's share, at least


@dataclass(frozen=True)
class _Played:
    """A candidate and the blocks that it played: share of the win and opponent of each, arrays of shape (blocks,)."""

    values: dict[str, Any]
    share: Floats
    opponent: Ints
    forfeits: tuple[ForfeitedGames, ...] = ()

    @property
    def mean(self) -> float:
        return round(float(self.share.mean()), _DIGITS)


class _Run:
    """One run over the folder of a tuning."""

    def __init__(self, plan: Plan, folder: Path, jobs: int, on_progress: Callable[[Progress], object] | None) -> None:
        self.plan, self._folder, self._jobs, self._on_progress = plan, folder, jobs, on_progress
        self._of = plan.trials * plan.per_trial + FINALISTS * plan.per_final + plan.per_match
        self.games = 0

    def play(self, tournament: Tournament, name: str, of: int) -> Standings:
        """Play what the store of a tournament lacks; it counts as `of` games of the whole."""
        path, before = self._folder / f"{name}.sfida", self.games
        show = self._on_progress

        def told(progress: Progress) -> None:
            assert show is not None
            games = before + progress.games
            left = (self._of - games) / progress.rate if progress.rate and progress.left is not None else None
            show(replace(progress, games=games, of=self._of, left=left))

        standings = tournament.run(path, jobs=self._jobs, resume=True, on_progress=None if show is None else told)
        self.games += of
        return standings

    def scores(self, name: str, values: Values) -> _Played:
        """Read the games of a candidate, without the blocks in which another agent forfeits.

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


def tune(plan: Plan, folder: Path, *, jobs: int = 1, on_progress: Callable[[Progress], object] | None = None) -> Tuning:
    """Play the games that the folder lacks and return the result, which is the same however often it was interrupted.

    Parameters
    ----------
    plan : Plan
    folder : Path
        Where the games are kept, one store for each trial, each finalist and the match; created if missing.
    jobs, on_progress
        As of `Tournament.run`.

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
        match = Match.of(table)
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


def _claim(plan: Plan, folder: Path) -> None:
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


# ---- what the games say ---------------------------------------------------------------------------------


def _distinct(points: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    return list({tuple(point.items()): point for point in points}.values())


def _model(plan: Plan, played: Sequence[_Played]) -> Model:
    """Return the model of these games. A block varies as much as blocks of one candidate and one opponent do in the
    mean over all: by themselves, the few of a trial do not tell.
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


def _candidates(plan: Plan, points: Sequence[dict[str, Any]], found: Estimates, trials: Sequence[_Played],
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
