"""Training in rounds: games of an agent against itself, what is fitted to them, and a match that decides.

A folder holds it all. The names of its files tell what made them, so that a training goes on where it stopped:

- ``games-R-N.sfida``: the games of round R, played with the knowledge N (``present``, or the first digits of the digest
  of a network);
- ``network-R-D.json``: the network D, and the priors, that were fitted to the games of rounds 1 to R;
- ``match-R-D-N.sfida``: its match against N, which a sequential test ends;
- ``training.json``: the plan.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from sfida.ai.agent import Agent
from sfida.ai.arena.backends import LOCAL, workers
from sfida.ai.arena.lead import lead_of
from sfida.ai.arena.outcome import ForfeitedGames
from sfida.ai.arena.progress import Progress
from sfida.ai.arena.standings import Standings
from sfida.ai.arena.store import Store
from sfida.ai.arena.tournament import Tournament
from sfida.ai.judging import KnowledgeOptions, judged
from sfida.ai.registry import agent as make_agent
from sfida.ai.seeds import training_seed
from sfida.ai.training.decisions import all_decisions
from sfida.ai.training.fitting import Fit, FitTask, fit_task
from sfida.ai.training.plan import Plan, is_begun
from sfida.ai.training.players import knowing, varied, with_knowledge
from sfida.ai.training.positions import all_positions
from sfida.ai.training.priors import PriorFit, PriorTask, fit_prior_task, largest_prior_error, quantised_priors
from sfida.ai.training.quantising import MOST_ERROR, largest_error, quantised
from sfida.cython_ext.errors import InvalidOption, InvalidRecord
from sfida.cython_ext.learned import MOVES, Learned
from sfida.cython_ext.state import GameState
from sfida.engines.learned import write_learned
from sfida.engines.records import sfida_version
from sfida.engines.spec import shown

PRESENT = "present"             # the name of what the game knows before the training
_GAMES, _FIT, _MATCH = 0, 1, 2  # parts of a round, each with seeds of its own
_SHOWN = 8                      # digits of a digest in names of files

T = TypeVar("T")
R = TypeVar("R")


@dataclass(frozen=True)
class Player:
    """Who plays with what the training has found so far."""

    agent: Agent
    name: str
    learned: Learned | None = None
    path: Path | None = None


@dataclass(frozen=True)
class Round:
    """The result of one round.

    Attributes
    ----------
    number : int
        From 1.
    games : int
        Games that were learnt from, those of earlier rounds included.
    fit : Fit or None
        Of the evaluation; None if it was not learned.
    priors : PriorFit or None
        Likewise.
    error : float
        Largest difference of a share of the win, or of a prior, that whole numbers make.
    path : Path
        The network.
    match : Standings or None
        None if none was played.
    passed : bool
        Whether it takes the place of what was known before.
    forfeits : tuple of ForfeitedGames
        Of its own games; nothing is learnt from them.
    """

    number: int
    games: int
    fit: Fit | None
    priors: PriorFit | None
    error: float
    path: Path
    match: Standings | None
    passed: bool
    forfeits: tuple[ForfeitedGames, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the round as in ``sfida train --json``."""
        found = self.fit
        return {
            "round": self.number, "games": self.games, **({} if found is None else found.to_json()),
            **({} if self.priors is None else {"priors": self.priors.to_json()}),
            "quantisation_error": self.error, "file": str(self.path), "match": self.match and self.match.to_json(),
            "passed": self.passed, "forfeits": [asdict(one) for one in self.forfeits]}


@dataclass(frozen=True)
class Outcome:
    """The result of a training: its rounds, and the network to be used, None if none passed."""

    rounds: tuple[Round, ...]
    learned: Learned | None


def train(plan: Plan, folder: Path, *, jobs: int = 1, backend: str = "loky", resume: bool = False,
          on_progress: Callable[[str, Progress], object] | None = None,
          on_count: Callable[[int, int], object] | None = None,
          on_round: Callable[[Round], object] | None = None) -> Outcome:
    """Train a network.

    Parameters
    ----------
    plan : Plan
    folder : Path
        Where everything is kept; it is created if missing.
    jobs, backend : int, str
        As of `Tournament.run`; they do not change the result.
    resume : bool
        Go on with what the folder holds.
    on_progress : callable, optional
        Called with what is being done, in words, and the progress of its games.
    on_count : callable, optional
        Called with the number of games whose positions have been read, and of all.
    on_round : callable, optional
        Called with every round when it is over.

    Raises
    ------
    InvalidOption, InvalidRecord, SfidaError
        If the agents cannot play, or the folder holds another training.
    KeyboardInterrupt
        At Ctrl-C; whatever was played is kept.
    """
    run = _Training(plan, folder, jobs, backend, on_progress, on_count)
    if not resume and is_begun(folder):
        raise InvalidOption(f"{shown(folder)} holds a training already: go on with it by --resume, or name another "
                            "--folder")
    folder.mkdir(parents=True, exist_ok=True)
    plan.save(folder)
    rounds = []
    for number in range(1, plan.rounds + 1):
        rounds.append(run.play_round(number))
        if on_round is not None:
            on_round(rounds[-1])
    return Outcome(tuple(rounds), run.player.learned)


def cautions(plan: Plan, jobs: int) -> list[str]:
    """Return what a user should know before the first game, one line each."""
    return Tournament(plan.game, [plan.agent, plan.candidate, plan.against], 1, 0, adjusted=False).cautions(jobs)


class _Training:
    """A training in progress.

    Attributes
    ----------
    player : Player
        Who plays with the best knowledge so far.
    """

    def __init__(self, plan: Plan, folder: Path, jobs: int, backend: str,
                 on_progress: Callable[[str, Progress], object] | None,
                 on_count: Callable[[int, int], object] | None) -> None:
        self.player = Player(make_agent(plan.agent), PRESENT)
        self._plan = plan
        self._folder = folder
        self._jobs = jobs
        self._backend = backend
        self._on_progress = on_progress
        self._on_count = on_count
        self._stores: list[Path] = []
        knowing(plan.candidate, plan.evaluation)        # what cannot be played is refused before anything is
        make_agent(plan.against)
        self._self_play(1)

    def play_round(self, number: int) -> Round:
        """Play, learn and compare."""
        path = self._folder / f"games-{number}-{self.player.name}.sfida"
        played = self._run(self._self_play(number), path, f"round {number}: games", {})
        self._stores.append(path)
        plan, seed = self._plan, training_seed(self._plan.seed, number, _FIT)
        positions = decisions = fit = priors = None
        if plan.evaluation:
            positions = all_positions(plan.game, self._stores, self._jobs, on_progress=self._on_count)
            fit = _in_worker(fit_task, FitTask(positions, plan.options, seed))
        if plan.priors:
            decisions = all_decisions(plan.game, self._stores, self._jobs, on_progress=self._on_count)
            priors = _in_worker(fit_prior_task, PriorTask(decisions, seed))
        games = sum(part.games for part in (positions or decisions,) if part is not None)
        learned = self._learned(fit, priors, games, number)
        error = 0.0
        if positions is not None and fit is not None:
            error = _checked(largest_error(learned, fit, positions.features), "a share of the win")
        if decisions is not None and priors is not None:
            error = max(error, _checked(largest_prior_error(learned, plan.game.players, priors, decisions), "a prior"))
        name = learned.digest[:_SHOWN]
        file = write_learned(self._folder / f"network-{number}-{name}.json", learned)
        candidate = Player(with_knowledge(self._plan.candidate, file, self._plan.game), name, learned, file)
        match = None if self._plan.sprt is None else self._match(number, candidate)
        passed = match is None or (match.sprt is not None and match.sprt.verdict == "H1")
        result = Round(number, games, fit, priors, error, file, match, passed, played.forfeits)
        if passed:
            self.player = replace(candidate, learned=self._signed(learned, result))
        return result

    def _self_play(self, number: int) -> Tournament:
        plan = self._plan
        agent = varied(self.player.agent)
        return Tournament(plan.game, [agent, agent], plan.games, training_seed(plan.seed, number, _GAMES),
                          luck="independent", adjusted=False, values=True)

    def _match(self, number: int, candidate: Player) -> Standings:
        plan = self._plan
        measured = bool(plan.game.luck_defaults) and bool(plan.game.chance_sources)
        rival = self._rival
        tournament = Tournament(plan.game, [candidate.agent, rival], None,
                                training_seed(plan.seed, number, _MATCH), sprt=plan.sprt,
                                adjusted=True if measured else None)
        return self._run(tournament, self._folder / f"match-{number}-{candidate.name}-{self.player.name}.sfida",
                         f"round {number}: match",
                         {candidate.agent.spec: "the network", rival.spec: "what was known before"})

    @property
    def _rival(self) -> Agent:
        """Whom the next network meets: before any has passed, the agent that the plan names."""
        return make_agent(self._plan.against) if self.player.learned is None else self.player.agent

    def _run(self, tournament: Tournament, path: Path, title: str, names: dict[str, str]) -> Standings:
        """Play a tournament; `names` says who leads, by spec."""
        report = self._on_progress
        return tournament.run(path, jobs=self._jobs, backend=self._backend, resume=True, on_progress=(
            None if report is None else
            lambda progress: report(title, replace(progress, leader=names.get(progress.leader, "")))))

    def _learned(self, fit: Fit | None, priors: PriorFit | None, games: int, number: int) -> Learned:
        """Return what was learned beside what the game knows for other numbers of players.

        A part that was not learned, the network or the priors, is that by which the games were played.
        """
        plan = self._plan
        game, state = plan.game, plan.game.initial_state()
        tables, made = _parts(game.knowledge, state)
        tables.pop(game.players, None)
        present, told = _parts(self._present(), state)
        held = present.get(game.players, {})
        table = {key: value for key, value in held.items() if key != MOVES}
        if fit is not None:
            table = quantised(fit, game.players)
        moves = held.get(MOVES) if priors is None else quantised_priors(priors)
        tables[game.players] = table if moves is None else {**table, MOVES: moves}
        before = told.get(str(game.players)) if fit is None and table else None
        made[str(game.players)] = {
            "command": plan.command, "seed": plan.seed, "rounds": number, "games": games,
            **({} if fit is None else {"positions": fit.positions}),
            **({} if priors is None else {"decisions": priors.decisions}),
            "hours": round(sum(map(_hours, self._stores)), 2), "version": sfida_version(), "match": None,
            **({} if before is None else {"evaluation": before})}
        names = state.move_feature_names if any(MOVES in part for part in tables.values()) else ()
        return Learned(game.name, game.rules_version, state.feature_names, tables, made, names)

    def _present(self) -> Learned | None:
        """Return what the games of this round were played by; None: by hand."""
        if self.player.learned is not None:
            return self.player.learned
        view = self._plan.game.initial_state().view(0)
        options = getattr(self.player.agent, "options", None)
        return (judged(view, options) if isinstance(options, KnowledgeOptions) else view).knowledge

    def _signed(self, learned: Learned, result: Round) -> Learned:
        """Return a network that says how its match ended."""
        if result.match is None:
            return learned
        first, lead = result.match.agents[0], lead_of(result.match)
        test, fair = result.match.sprt, result.match.adjusted
        players = str(self._plan.game.players)
        made = {**learned.made, players: {**learned.made[players], "match": {
            "against": self._plan.against if self.player.learned is None else self.player.name,
            "games": result.match.games, "win_share": round(first.win_share, 4),
            "without_luck": None if fair is None else round(fair.agents[0].win_share, 4),
            "elo": [round(lead.elo, 1), round(lead.low, 1), round(lead.high, 1)], "agent": str(self._plan.candidate),
            "test": None if test is None else f"{test.verdict}: elo0={test.elo0:g}, elo1={test.elo1:g}"}}}
        return Learned(learned.game, learned.rules, learned.features, learned.tables, made, learned.move_features)


def _parts(known: Learned | None, state: GameState) -> tuple[dict[int, dict[str, Any]], dict[str, Any]]:
    """Return copies of what is known for each number of players and how it was made, as far as it fits the game now."""
    if known is None or known.features != state.feature_names or known.rules != state.game.rules_version:
        return {}, {}
    fits = known.move_features == state.move_feature_names
    tables = {players: {key: value for key, value in table.items() if fits or key != MOVES}
              for players, table in known.tables.items()}
    return {players: table for players, table in tables.items() if table}, dict(known.made)


def _in_worker(function: Callable[[T], R], task: T) -> R:
    """Fit in a worker, where numpy's products take one thread: they are small, and threads wait for each other."""
    with workers(LOCAL[0], 2, None) as run:
        found: list[R] = list(run(function, [task]))
    return found[0]


def _checked(error: float, what: str) -> float:
    """Return how much whole numbers change; raises InvalidRecord if that is too much."""
    if error > MOST_ERROR:
        raise InvalidRecord(f"whole numbers change {what} by {error:.3f}, more than {MOST_ERROR:g}: learn from more "
                            "games, or with fewer hidden units")
    return error


def _hours(path: Path) -> float:
    """Return the time that the games of a store took, in hours."""
    with Store.read(path, trust_agents=True) as store:
        return sum(outcome.wall for outcome in store.outcomes()) / 3600
