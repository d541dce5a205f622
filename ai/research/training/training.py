"""Training in rounds: an agent's games against itself, the fit of a network to them, and a match that decides.

A folder holds everything. The file names show how the files were made, so a training continues where it stopped:

- ``games-R-N.sfida``: the games of round R, played with the knowledge N (``present``, or the first digits of the digest
  of a network), or ``self-play-R.npz``: the checkpoint of a network that learns from games without search;
- ``network-R-D.json``: the network D, and the priors, that were fitted to the games of rounds 1 to R;
- ``match-R-D-N.sfida``: its match against N, which a sequential test ends;
- ``training.json``: the plan.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, fields, replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from sfida.ai.agent import Agent, NamedAgent
from sfida.ai.arena.backends import LOCAL, workers
from sfida.ai.arena.outcome import ForfeitedGames
from sfida.ai.arena.sequential import SprtOptions
from sfida.ai.arena.standings import Standings, lead_of
from sfida.ai.arena.store import Store
from sfida.ai.arena.tournament import Tournament, TournamentProgress
from sfida.ai.chance import LARGEST_SEED, training_seed
from sfida.ai.registry import agent as make_agent
from sfida.ai.research.training.fitting import (
    MOST_ERROR, Fit, FitOptions, FitTask, PriorFit, PriorTask, fit_prior_task, fit_task, largest_error,
    largest_prior_error, quantised, quantised_priors
)
from sfida.ai.research.training.positions import all_decisions, all_positions
from sfida.ai.research.training.self_play import SelfPlayFit, SelfPlayOptions, learn, quantised_wide, whole_error
from sfida.ai.search import FinalOptions, FlatOptions, KnowledgeOptions, TreeOptions, judged, resolve
from sfida.ai.seat import Seat
from sfida.cython_ext.errors import InvalidOption, InvalidRecord
from sfida.cython_ext.learned import MOVES, Learned
from sfida.cython_ext.state import GameState
from sfida.engines.files import read_at_most, write_whole
from sfida.engines.game import Game
from sfida.engines.learned import write_learned
from sfida.engines.records import read_contents, sfida_version
from sfida.engines.spec import by_contents, changes, contents_of, quoted, shown
from sfida.engines.untrusted import FieldReader, json_text

# ---- The agents of a training: those of self-play, and those of a match

TEMPERATURE = 0.25              # self-play varies moves of about equal value
CUTOFF = 2                      # turns of a playout if the game's own searches use no evaluation


def knowing(spec: str, evaluation: bool = True) -> NamedAgent:
    """Return an agent that can evaluate positions with the content of a file.

    Parameters
    ----------
    spec : str
    evaluation : bool
        Whether the file is to hold a new evaluation, not only priors.

    Raises
    ------
    InvalidOption
        If the agent evaluates no positions, or plays its playouts to the end, so that it would not use the file.
    """
    made = make_agent(spec)
    if not isinstance(made, NamedAgent) or "knowledge" not in {field.name for field in fields(made.options)}:
        raise InvalidOption(f"the agent {quoted(spec)} does not judge positions by knowledge: name another one to play "
                            "with it, by --candidate")
    if evaluation and getattr(made.options, "cutoff", None) == -1:
        raise InvalidOption(f"the agent {quoted(spec)} plays its playouts to the end, so it asks for no evaluation: "
                            "name one with a 'cutoff' of 0 or more, by --candidate")
    return made


def with_knowledge(spec: str, path: Path, game: Game) -> NamedAgent:
    """Return an agent that evaluates positions with the content of a file.

    If neither its spec nor the game lets it use the content of the file, its playouts end after `CUTOFF` turns, and it
    searches with priors.

    Parameters
    ----------
    spec : str
    path : Path
        File of a learned evaluation, or of priors.
    game : Game

    Raises
    ------
    InvalidOption
        See `knowing`.
    """
    made = knowing(spec, evaluation=False)
    options = replace(made.options, knowledge=str(path.absolute()))
    if not isinstance(options, (FlatOptions, TreeOptions)):
        return type(made)(options)
    view = judged(game.initial_state().view(0), options)
    values, held = resolve(options, view), view.knowledge
    assert held is not None
    if game.players in held.players and values["cutoff"] < 0:
        knowing(spec)
        options = replace(options, cutoff=CUTOFF)
    if isinstance(options, TreeOptions) and game.players in held.prior_players and options.priors is None:
        options = options if values["priors"] else replace(options, priors=True)
    return type(made)(options)


def varied(agent: Agent) -> Agent:
    """Return an agent for self-play: unless its choice is fixed, it draws its moves by visits.

    Parameters
    ----------
    agent : Agent
        An agent whose spec sets how it chooses the move to play (`final`) is returned unchanged.
    """
    if not isinstance(agent, NamedAgent) or not isinstance(agent.options, FinalOptions):
        return agent
    usual = type(agent.options)()
    if (agent.options.final, agent.options.temperature) != (usual.final, usual.temperature):
        return agent
    return type(agent)(replace(agent.options, final="sample", temperature=TEMPERATURE))


# ---- The parameters that determine a training, and the file that stores them next to the games

FILE_NAME = "training.json"
MOST_ROUNDS, MOST_GAMES, MOST_HIDDEN = 1000, 10**9, 1024
SELF_PLAY, SEARCH = "self-play", "search"       # recipes: games without search, or games of a searching agent
RECIPES = (SELF_PLAY, SEARCH)
USUAL: dict[str, Any] = {"agent": "ismcts:iterations=200", "recipe": None, "games": None, "rounds": 1, "seed": None,
                         "hidden": None, "mix": FitOptions.mix, "sprt": "", "evaluation": True, "priors": False}
_BY_RECIPE = {SELF_PLAY: {"games": SelfPlayOptions.games, "hidden": SelfPlayOptions.hidden},
              SEARCH: {"games": 1000, "hidden": FitOptions.hidden}}
_MOST_BYTES = 1 << 16


@dataclass(frozen=True)
class TrainingPlan:
    """The parameters that determine a training.

    Attributes
    ----------
    game : Game
        A game that lists features.
    agent : str
        Agent of the first round's games.
    against : str
        Opponent of the first network in its match.
    candidate : str
        Agent that plays with a network.
    games : int
        Games of each round; those of a searching agent are rounded up to whole blocks.
    rounds : int
    seed : int
    options : FitOptions
        Of the recipe `SEARCH`; `hidden` counts for both.
    sprt : SprtOptions or None
        The test that a network must pass; None: no matches, every network is accepted.
    evaluation, priors : bool
        Whether each is learned. An evaluation that is not learned stays unchanged.
    recipe : str
        One of `RECIPES`.

    Raises
    ------
    InvalidOption
        If the game lists no features or inputs for it, or the choices contradict each other.
    """

    game: Game
    agent: str
    against: str
    candidate: str
    games: int
    rounds: int
    seed: int
    options: FitOptions = field(default_factory=FitOptions)
    sprt: SprtOptions | None = field(default_factory=SprtOptions)
    evaluation: bool = True
    priors: bool = False
    recipe: str = SEARCH

    def __post_init__(self) -> None:
        if self.recipe not in RECIPES:
            raise InvalidOption(f"a recipe is {SELF_PLAY} or {SEARCH}, not {quoted(self.recipe)}")
        if self.recipe == SELF_PLAY:
            if not self.game.initial_state().sparse_inputs:
                raise InvalidOption(f"{self.game.title} lists no sparse inputs, so only games of a searching agent "
                                    f"teach its evaluation: --recipe {SEARCH}")
            if self.rounds != 1 or self.priors or not self.evaluation:
                raise InvalidOption(f"games without search teach an evaluation in one round, and no priors: for more, "
                                    f"--recipe {SEARCH}")
            if not self.options.hidden:
                raise InvalidOption("a network with sparse inputs has at least one hidden unit")
        if not (self.evaluation or self.priors):
            raise InvalidOption("there is nothing to learn without evaluation and priors")
        if self.priors and not self.game.initial_state().move_feature_names:
            raise InvalidOption(f"{self.game.title} lists no features of moves, so there are no priors to learn; "
                                "docs/measure/training.md says how a game does")
        if not self.game.initial_state().feature_names:
            raise InvalidOption(f"{self.game.title} lists no features, so there is nothing to learn from; "
                                "docs/measure/training.md says how a game does")

    @property
    def self_play(self) -> SelfPlayOptions:
        """The options of games without search."""
        return SelfPlayOptions(games=self.games, hidden=self.options.hidden)

    @property
    def command(self) -> str:
        """The command that does the same, apart from the paths of its files."""
        words = ["sfida", "train", self.game.spec(), "--recipe", self.recipe, "--games", str(self.games),
                 "--rounds", str(self.rounds), "--agent", self.agent]
        if self.against != self.agent:
            words += ["--against", self.against]
        if self.candidate != self.agent:
            words += ["--candidate", self.candidate]
        words += ["--hidden", str(self.options.hidden), "--seed", str(self.seed)]
        if self.recipe == SEARCH:
            words += ["--mix", f"{self.options.mix:g}"]
        if not self.evaluation:
            words.append("--no-evaluation")
        if self.priors:
            words.append("--priors")
        return shlex.join([*words, *(["--no-match"] if self.sprt is None else ["--sprt", str(self.sprt)])])

    @property
    def choices(self) -> dict[str, Any]:
        """All parameters except the game, as plain data."""
        return {"recipe": self.recipe, "agent": self.agent, "against": self.against, "candidate": self.candidate,
                "games": self.games, "rounds": self.rounds, "seed": self.seed, "hidden": self.options.hidden,
                "mix": self.options.mix, "sprt": None if self.sprt is None else str(self.sprt),
                "evaluation": self.evaluation, "priors": self.priors}

    @classmethod
    def of(cls, game: Game, choices: dict[str, Any]) -> TrainingPlan:
        """Return the plan of `choices`, where None stands for what is usual in the game; raises InvalidOption."""
        asked = dict(choices)
        if asked["recipe"] is None:
            able = game.initial_state().sparse_inputs and asked["evaluation"] and not asked["priors"]
            asked["recipe"] = SELF_PLAY if able and asked["rounds"] == 1 else SEARCH
        asked |= {name: value for name, value in _BY_RECIPE.get(asked["recipe"], {}).items() if asked[name] is None}
        options = replace(FitOptions(), hidden=asked.pop("hidden"), mix=asked.pop("mix"))
        sprt = asked.pop("sprt")
        return cls(game, options=options, sprt=None if sprt is None else SprtOptions.parse(sprt), **asked)

    def save(self, folder: Path) -> None:
        """Write the plan to a folder; raises OSError."""
        agents = [Seat(make_agent(spec)).options for spec in (self.agent, self.against, self.candidate)]
        contents = contents_of(self.game.options, *agents)
        write_whole(folder / FILE_NAME, json_text({"game": self.game.spec(), **self.choices, **(
            {"contents": contents} if contents else {})}) + "\n")


def is_begun(folder: Path) -> bool:
    """Return whether a folder holds a training."""
    return (folder / FILE_NAME).exists()


def kept_choices(folder: Path, game: Game) -> dict[str, Any]:
    """Return the choices of the training that a folder holds; empty if there is none.

    Raises
    ------
    InvalidOption
        If it is a training of another game.
    InvalidRecord, OSError
        If its file is damaged or cannot be read.
    """
    if not is_begun(folder):
        return {}
    path = folder / FILE_NAME
    reader = FieldReader(shown(path))
    fields = reader.parse(read_at_most(path, _MOST_BYTES).decode(errors="replace"))
    if not isinstance(fields, dict):
        reader.fail("no description of a training")
    held, contents = reader.take(fields, "game", str), read_contents(fields, reader)
    now = contents_of(game.options)
    if changed := changes(contents, now):
        raise InvalidOption(f"{shown(folder)} holds a training of another game ({changed[0]}): name another --folder")
    if by_contents(held, contents) != by_contents(game.spec(), now):
        raise InvalidOption(f"{shown(folder)} holds a training of '{held}', not of '{game.spec()}': name another "
                            "--folder")
    return {
        "recipe": reader.take(fields, "recipe", str, SEARCH),
        "agent": reader.take(fields, "agent", str), "against": reader.take(fields, "against", str),
        "candidate": reader.take(fields, "candidate", str),
        "games": reader.take(fields, "games", int, low=1, high=MOST_GAMES),
        "rounds": reader.take(fields, "rounds", int, low=1, high=MOST_ROUNDS),
        "seed": reader.take(fields, "seed", int, low=0, high=LARGEST_SEED),
        "hidden": reader.take(fields, "hidden", int, low=0, high=MOST_HIDDEN),
        "mix": reader.take(fields, "mix", float, low=0, high=1), "sprt": reader.take(fields, "sprt", str, None),
        "evaluation": reader.take(fields, "evaluation", bool, True),
        "priors": reader.take(fields, "priors", bool, False)}


# ---- Training in rounds: an agent's games against itself, the fit of a network to them, and a match that decides

PRESENT = "present"             # name of the game's knowledge before the training
_GAMES, _FIT, _MATCH = 0, 1, 2  # parts of a round, each with its own seeds
_SHOWN = 8                      # digits of a digest in file names

T = TypeVar("T")
R = TypeVar("R")


@dataclass(frozen=True)
class Player:
    """The agent that plays with the training's knowledge so far."""

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
        Games learned from, including those of earlier rounds.
    fit : Fit, SelfPlayFit or None
        Fit of the evaluation; None if it was not learned.
    priors : PriorFit or None
        Fit of the priors; None if none were learned.
    error : float
        Largest change of a win share, or of a prior, due to the whole numbers.
    path : Path
        File of the network.
    match : Standings or None
        None if none was played.
    passed : bool
        Whether it replaces the previous knowledge.
    forfeits : tuple of ForfeitedGames
        Forfeits of the round's games, which are not learned from.
    """

    number: int
    games: int
    fit: Fit | SelfPlayFit | None
    priors: PriorFit | None
    error: float
    path: Path
    match: Standings | None
    passed: bool
    forfeits: tuple[ForfeitedGames, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the round as ``sfida train --json`` prints it."""
        found = self.fit
        return {
            "round": self.number, "games": self.games, **({} if found is None else found.to_json()),
            **({} if self.priors is None else {"priors": self.priors.to_json()}),
            "quantisation_error": self.error, "file": str(self.path), "match": self.match and self.match.to_json(),
            "passed": self.passed, "forfeits": [asdict(one) for one in self.forfeits]}


@dataclass(frozen=True)
class TrainingOutcome:
    """The result of a training: its rounds, and the network to use (None if none passed)."""

    rounds: tuple[Round, ...]
    learned: Learned | None


def train(plan: TrainingPlan, folder: Path, *, jobs: int = 1, backend: str = "loky", resume: bool = False,
          on_progress: Callable[[str, TournamentProgress], object] | None = None,
          on_count: Callable[[str, int, int], object] | None = None,
          on_round: Callable[[Round], object] | None = None) -> TrainingOutcome:
    """Train a network.

    Parameters
    ----------
    plan : TrainingPlan
    folder : Path
        Folder of all files; created if missing.
    jobs, backend : int, str
        As for `Tournament.run`; they do not change the result.
    resume : bool
        Whether to continue with the content of the folder.
    on_progress : callable, optional
        Called with the current step in words, and the progress of its games.
    on_count : callable, optional
        Called with what is counted, the number of games for which it is done, and that of all games.
    on_round : callable, optional
        Called with every round when it is over.

    Raises
    ------
    InvalidOption, InvalidRecord, SfidaError
        If the agents cannot play, or the folder holds another training.
    KeyboardInterrupt
        At Ctrl-C; the games played are kept.
    """
    run = _Training(plan, folder, jobs, backend, on_progress, on_count)
    if not resume and is_begun(folder):
        raise InvalidOption(f"{shown(folder)} holds a training already: continue with it by --resume, or name another "
                            "--folder")
    folder.mkdir(parents=True, exist_ok=True)
    plan.save(folder)
    rounds = []
    for number in range(1, plan.rounds + 1):
        rounds.append(run.play_round(number))
        if on_round is not None:
            on_round(rounds[-1])
    return TrainingOutcome(tuple(rounds), run.player.learned)


def cautions(plan: TrainingPlan, jobs: int) -> list[str]:
    """Return the warnings that a user should see before the first game, one line each."""
    return Tournament(plan.game, [plan.agent, plan.candidate, plan.against], 1, 0, adjusted=False).cautions(jobs)


class _Training:
    """A training in progress.

    Attributes
    ----------
    player : Player
        The agent with the best knowledge so far.
    """

    def __init__(self, plan: TrainingPlan, folder: Path, jobs: int, backend: str,
                 on_progress: Callable[[str, TournamentProgress], object] | None,
                 on_count: Callable[[str, int, int], object] | None) -> None:
        self.player = Player(make_agent(plan.agent), PRESENT)
        self._plan = plan
        self._folder = folder
        self._jobs = jobs
        self._backend = backend
        self._on_progress = on_progress
        self._on_count = on_count
        self._stores: list[Path] = []
        knowing(plan.candidate, plan.evaluation)        # refuses an unsuitable agent before any game is played
        make_agent(plan.against)
        self._self_play(1)

    def play_round(self, number: int) -> Round:
        """Play the games, fit a network, and play its match."""
        if self._plan.recipe == SELF_PLAY:
            return self._judged(number, *self._without_search(number))
        path = self._folder / f"games-{number}-{self.player.name}.sfida"
        played = self._run(self._self_play(number), path, f"round {number}: games", {})
        self._stores.append(path)
        plan, seed = self._plan, training_seed(self._plan.seed, number, _FIT)
        positions = decisions = fit = priors = None
        if plan.evaluation:
            positions = all_positions(plan.game, self._stores, self._jobs, on_progress=self._counting("positions read"))
            fit = _in_worker(fit_task, FitTask(positions, plan.options, seed))
        if plan.priors:
            decisions = all_decisions(plan.game, self._stores, self._jobs, on_progress=self._counting("decisions read"))
            priors = _in_worker(fit_prior_task, PriorTask(decisions, seed))
        games = sum(part.games for part in (positions or decisions,) if part is not None)
        learned = self._learned(fit, priors, games, number)
        error = 0.0
        if positions is not None and fit is not None:
            error = _checked(largest_error(learned, fit, positions.features), "a win share")
        if decisions is not None and priors is not None:
            error = max(error, _checked(largest_prior_error(learned, plan.game.players, priors, decisions), "a prior"))
        return self._judged(number, learned, games, fit, priors, error, played.forfeits)

    def _without_search(self, number: int) -> tuple[Learned, int, SelfPlayFit, None, float]:
        """Learn an evaluation from games without search; return what `_judged` takes."""
        plan = self._plan
        found = learn(plan.game, plan.self_play, plan.seed, self._folder / f"self-play-{number}.npz", self._jobs,
                      self._counting("games played"))
        learned = self._learned(found, None, found.games, number)
        error = whole_error(plan.game, plan.self_play, found, learned, training_seed(plan.seed, number, _FIT))
        return learned, found.games, found, None, _checked(error, "a win share")

    def _counting(self, what: str) -> Callable[[int, int], object] | None:
        return None if self._on_count is None else partial(self._on_count, what)

    def _judged(self, number: int, learned: Learned, games: int, fit: Fit | SelfPlayFit | None,
                priors: PriorFit | None, error: float, forfeits: tuple[ForfeitedGames, ...] = ()) -> Round:
        """Write a network and play its match."""
        name = learned.digest[:_SHOWN]
        file = write_learned(self._folder / f"network-{number}-{name}.json", learned)
        candidate = Player(with_knowledge(self._plan.candidate, file, self._plan.game), name, learned, file)
        match = None if self._plan.sprt is None else self._match(number, candidate)
        passed = match is None or (match.sprt is not None and match.sprt.verdict == "H1")
        result = Round(number, games, fit, priors, error, file, match, passed, forfeits)
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
        """The next network's opponent: before any network has passed, the agent that the plan names."""
        return make_agent(self._plan.against) if self.player.learned is None else self.player.agent

    def _run(self, tournament: Tournament, path: Path, title: str, names: dict[str, str]) -> Standings:
        """Play a tournament; `names` maps specs to the names of agents in the progress reports."""
        report = self._on_progress
        return tournament.run(path, jobs=self._jobs, backend=self._backend, resume=True, on_progress=(
            None if report is None else
            lambda progress: report(title, replace(progress, leader=names.get(progress.leader, "")))))

    def _learned(self, fit: Fit | SelfPlayFit | None, priors: PriorFit | None, games: int, number: int) -> Learned:
        """Return what was learned, together with the game's knowledge for other numbers of players.

        A part that was not learned, the network or the priors, is the one that the games used.
        """
        plan = self._plan
        game, state = plan.game, plan.game.initial_state()
        tables, made = _parts(game.knowledge, state)
        tables.pop(game.players, None)
        present, told = _parts(self._present(), state)
        held = present.get(game.players, {})
        table = {key: value for key, value in held.items() if key != MOVES}
        if isinstance(fit, SelfPlayFit):
            table = quantised_wide(fit, state.sparse_inputs, game.players, plan.self_play)
        elif fit is not None:
            table = quantised(fit, game.players)
        moves = held.get(MOVES) if priors is None else quantised_priors(priors)
        tables[game.players] = table if moves is None else {**table, MOVES: moves}
        before = told.get(str(game.players)) if fit is None and table else None
        made[str(game.players)] = {
            "command": plan.command, "seed": plan.seed, "rounds": number, "games": games,
            **({} if fit is None else {"positions": fit.positions}),
            **({} if priors is None else {"decisions": priors.decisions}),
            "hours": round(fit.hours if isinstance(fit, SelfPlayFit) else sum(map(_hours, self._stores)), 2),
            "version": sfida_version(), "match": None,
            **({} if before is None else {"evaluation": before})}
        names = state.move_feature_names if any(MOVES in part for part in tables.values()) else ()
        inputs = state.input_names if any("S1" in part for part in tables.values()) else ()
        return Learned(game.name, game.rules_version, state.feature_names, tables, made, names, inputs)

    def _present(self) -> Learned | None:
        """Return the knowledge that this round's games used; None: the hand-written knowledge."""
        if self.player.learned is not None:
            return self.player.learned
        view = self._plan.game.initial_state().view(0)
        options = getattr(self.player.agent, "options", None)
        return (judged(view, options) if isinstance(options, KnowledgeOptions) else view).knowledge

    def _signed(self, learned: Learned, result: Round) -> Learned:
        """Return the network with a note on how its match ended."""
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
        return Learned(learned.game, learned.rules, learned.features, learned.tables, made, learned.move_features,
                       learned.inputs)


def _parts(known: Learned | None, state: GameState) -> tuple[dict[int, dict[str, Any]], dict[str, Any]]:
    """Return copies of the known parts for each number of players and of their origin, if they fit the game now."""
    if known is None or known.features != state.feature_names or known.rules != state.game.rules_version:
        return {}, {}
    fits = known.move_features == state.move_feature_names
    tables = {players: {key: value for key, value in table.items() if fits or key != MOVES}
              for players, table in known.tables.items() if "S1" not in table or known.inputs == state.input_names}
    return {players: table for players, table in tables.items() if table}, dict(known.made)


def _in_worker(function: Callable[[T], R], task: T) -> R:
    """Fit in a worker with numpy on one thread: the products are small, and threads would wait for each other."""
    with workers(LOCAL[0], 2, None) as run:
        found: list[R] = list(run(function, [task]))
    return found[0]


def _checked(error: float, what: str) -> float:
    """Return the error due to whole numbers; raises InvalidRecord if it is too large."""
    if error > MOST_ERROR:
        raise InvalidRecord(f"whole numbers change {what} by {error:.3f}, more than {MOST_ERROR:g}: learn from more "
                            "games, or with fewer hidden units")
    return error


def _hours(path: Path) -> float:
    """Return the total time of the games of a store, in hours."""
    with Store.read(path, trust_agents=True) as store:
        return sum(outcome.wall for outcome in store.outcomes()) / 3600
