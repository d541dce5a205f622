"""Strength of agents, and the gain of iterations, parameters and threads."""

from __future__ import annotations

import json
import math
import shlex
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import zip_longest
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray

import sfida
from bench import (
    EVERY, FIVE, ResultLines, command, file_name, folder_of, print_head, print_row, refused, with_iterations
)
from sfida.ai.arena.sequential import SprtOptions
from sfida.ai.arena.standings import Standings, lead_of
from sfida.ai.arena.store import Store, is_vacant
from sfida.ai.arena.tournament import Tournament, table_of, tournament
from sfida.ai.ismcts import IsmctsAgent
from sfida.ai.registry import agent as make_agent
from sfida.ai.research.profiling import bench, elo_lead, sample_decisions
from sfida.ai.review.judge import Event, SearchJudge, played_to_the_end
from sfida.ai.review.model import Effort, Verdict, accuracy
from sfida.ai.search import Crew, analysis_of, final_order, run_search, search_for
from sfida.ai.table import play
from sfida.cython_ext.rng import derive
from sfida.cython_ext.state import View
from sfida.engines.registry import make_game

Floats = NDArray[np.float64]

# ---- the tables of docs/results/strength.md ---------------------------------------------------------------------


@dataclass(frozen=True)
class Gauntlet:
    """One gauntlet: the first agent against copies of the second."""

    name: str
    game: str
    first: str
    second: str
    games: int
    target: float | None = None

    def command(self, games: int, seed: int, jobs: int) -> str:
        """Return the command that plays the gauntlet."""
        return shlex.join(["sfida", "tournament", self.game, self.first, self.second, "--mode", "gauntlet",
                           "-n", str(games or self.games), "--seed", str(seed), "-j", str(jobs)])


CELLS = (
    Gauntlet("greedy", "carcassonne", "greedy", "random", 400, 0.98),
    Gauntlet("fast", "carcassonne", "ismcts:seconds=0.1", "greedy", 200, 0.75),
    Gauntlet("flat", "carcassonne", "ismcts:iterations=2000", "flat:iterations=2000", 200, 0.65),
    Gauntlet("four", "carcassonne:players=4", "ismcts:seconds=0.1", "greedy", 200, 0.45),
    Gauntlet("normal", "carcassonne", "ismcts:seconds=1", "greedy", 100, 0.85),
    Gauntlet("zarahemla-random", "zarahemla:players=4", "ismcts:seconds=0.1", "random", 200, 0.9),
    Gauntlet("zarahemla-fast", "zarahemla:players=4", "ismcts:seconds=0.1", "greedy", 200, 0.35),
    Gauntlet("zarahemla-normal", "zarahemla:players=4", "ismcts:seconds=1", "greedy", 200, 0.45),
    Gauntlet("zarahemla-two", "zarahemla:players=2", "ismcts:seconds=1", "greedy", 200, 0.72),
    Gauntlet("risiko-three", "risiko:players=3", "ismcts:seconds=1", "greedy", 60, 0.6),
    Gauntlet("risiko-four", "risiko:players=4", "ismcts:seconds=1", "greedy", 60, 0.45),
    Gauntlet("risiko-six", "risiko:players=6", "ismcts:seconds=0.1", "random", 60, 0.85),
    Gauntlet("risiko-points", "risiko:players=4,preset=tournament", "ismcts:seconds=1", "greedy", 60),
    Gauntlet("risiko-trees", "risiko:players=3", "mo-ismcts:iterations=300,keyed=true", "ismcts:iterations=300", 120),
    Gauntlet("acres-random", "acres", "ismcts:seconds=0.1", "random", 100, 0.99),
    Gauntlet("acres-greedy", "acres", "ismcts:seconds=1", "greedy", 30, 0.82),
    Gauntlet("acres-hammer", "acres", "ismcts:seconds=1", "greedy:strategy=hammer", 30, 0.82),
    Gauntlet("acres-raider", "acres", "ismcts:seconds=1", "greedy:strategy=raider", 30, 0.82),
    Gauntlet("acres-flat", "acres", "ismcts:seconds=0.3", "flat:seconds=0.3", 40, 0.68),
    Gauntlet("attila-two", "attila:players=2", "ismcts:seconds=1", "greedy", 40, 0.85),
    Gauntlet("attila-four", "attila:players=4", "ismcts:seconds=1", "greedy", 40, 0.55),
    Gauntlet("attila-five", "attila:players=5", "ismcts:seconds=0.1", "random", 40, 0.9),
    Gauntlet("attila-flat", "attila:players=2", "ismcts:seconds=0.3", "flat:seconds=0.3", 40, 0.65),
    Gauntlet("attila-trees", "attila:players=2", "mo-ismcts:iterations=300", "ismcts:iterations=300", 200),
)


@command
def strength(*, cells: Annotated[str, "names, separated by commas"] = "",
             games: Annotated[int | None, "games per cell instead of the default number"] = None,
             seed: int = 20261, jobs: int = 2, list_: Annotated[bool, "--list", "show the cells"] = False) -> None:
    """Measure win shares in %, in a list of tournaments. A cell takes minutes to an hour, all hours.

    strength                      every cell
    strength --cells greedy,fast  some of them
    strength --list               the cells, each as its `sfida tournament` command

    The win share is that of the first agent on one seat among copies of the second; a fair share is 1 / players. Time
    budgets need idle cores: never run more jobs than there are cores.
    """
    wanted = [name for name in cells.split(",") if name]
    unknown = set(wanted) - {cell.name for cell in CELLS}
    if unknown:
        raise refused(f"unknown cells: {', '.join(sorted(unknown))}; --list shows them")
    for cell in CELLS:
        if wanted and cell.name not in wanted:
            continue
        if list_:
            print(f"{cell.name:16} {cell.command(games or cell.games, seed, jobs)}")
            continue
        started = time.monotonic()
        table = tournament(cell.game, [cell.first, cell.second], games or cell.games, seed, jobs,
                           mode="gauntlet").standings
        first, second = table.agents
        sides = "".join(f"  as {seat.name} {one.win_share:.1%} [{one.ci95[0]:.1%}, {one.ci95[1]:.1%}]"
                        for seat, one in zip(table.seats, first.by_seat, strict=True)) if table.sides else ""
        target = "" if cell.target is None else f"target {cell.target:.0%}  "
        print(f"{cell.name:16} {cell.first} : {cell.second}  {table.games} games  {first.win_share:.1%} "
              f"[{first.ci95[0]:.1%}, {first.ci95[1]:.1%}]  {target}points {first.mean_score:.1f} : "
              f"{second.mean_score:.1f}{sides}  {(time.monotonic() - started) / 60:.1f} min", flush=True)


def share(game: str, agent: str, other: str, games: int, seed: int, jobs: int) -> str:
    """Return the win share of an agent among copies of another, as 62 % [55, 70]."""
    first = tournament(game, [agent, other], games, seed, jobs, mode="gauntlet").standings.agents[0]
    return f"{100 * first.win_share:.0f} % [{100 * first.ci95[0]:.0f}, {100 * first.ci95[1]:.0f}]"


@command
def games_table(*rows: str, agents: Annotated[str, "separated by commas"] = "greedy,ismcts:iterations=500",
                games: Annotated[int, "games per cell"] = 60, seconds: Annotated[float, "of random play"] = 2.0,
                seed: int = 1, jobs: int = 1) -> None:
    """Measure speed in games a second, size in bytes and win shares in % of the games. A row takes minutes, all hours.

    games-table                                   every row of the table in docs/results/strength.md
    games-table zarahemla:players=3 attila        these
    games-table --agents greedy,ismcts:seconds=0.1 --games 200 carcassonne

    A row is a game with a number of players. Speed is that of uniformly random play on one core, size that of a state.
    Strength is the win share, with its 95 % interval, of one agent on every seat in turn: among random players and, for
    agents other than `greedy`, among copies of `greedy`. A fair share is 1/n for n seats. Iteration budgets give the
    same shares on any machine.
    """
    pairs = [(agent, other) for agent in agents.split(",") for other in ("random", "greedy")
             if (agent, other) != ("greedy",) * 2]
    print_head("game", "players", "ns a move", "games a second", "bytes", *(f"`{a}` : `{b}`" for a, b in pairs))
    for spec in rows or EVERY:
        game = make_game(spec)
        speed = bench(game, seconds)
        print_row(game.title, game.players, f"{speed['ns_per_move']:.0f}", f"{speed['playouts_per_s']:,.0f}",
                  f"{speed['state_bytes']:,}", *(share(spec, *pair, games, seed, jobs) for pair in pairs))


# ---- parameters -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class TrialOptions:
    """The settings for comparing candidates with an agent; `ms` per decision, if given, overrides `iterations`."""

    agent: str
    against: str
    iterations: int
    ms: float | None
    equal: str
    games: int
    sprt: SprtOptions
    seed: int
    jobs: int


QUESTION = "elo0=0,elo1=35"
POSITIONS = 40              # positions at which iterations are timed
PROBE = 1000                # iterations of the measurement that converts --ms to iterations


def seconds_for(game: str, spec: str, seed: int) -> float:
    """Return the processor time that an agent takes for some decisions of random games."""
    agent = sfida.agent(spec, seed=seed)
    views = [state.view(state.to_move) for state in sample_decisions(make_game(game), POSITIONS, seed)]
    spent = 0.0
    for view in views:
        agent.new_game()
        agent.choose(view)
        started = time.process_time()
        agent.new_game()
        agent.choose(view)
        spent += time.process_time() - started
    return spent


def budget(game: str, trial: TrialOptions) -> int:
    """Return the iterations of the agent with which candidates are compared."""
    if trial.ms is None:
        return int(trial.iterations)
    spent = seconds_for(game, with_iterations(trial.agent, PROBE, trial.against), trial.seed)
    return max(1, round(PROBE * trial.ms / 1000 * POSITIONS / spent))


def lengths(game: str) -> list[str]:
    """Return lengths of playouts other than a game's default: half and twice the number of turns, and to the end."""
    made = make_game(game)
    usual = made.search_settings(made.knowledge)["cutoff"]
    others = (-1,) if usual < 0 else (max(1, usual // 2), 2 * usual, -1)
    return [f"cutoff={turns}" for turns in (*others, *((6, 12) if usual < 0 else ())) if turns != usual]


def answer(game: str, candidate: str, trial: TrialOptions, rows: ResultLines) -> str:
    """Return the row of a candidate; its games are played unless the row is held."""
    made = make_game(game)
    of = repr((game, candidate, sorted(made.search_settings(made.knowledge).items()), trial.agent, trial.against,
               trial.iterations, trial.ms, trial.equal, trial.games, str(trial.sprt), trial.seed))
    found = next((str(line["row"]) for line in rows.held if line["of"] == of), None)
    if found is None:
        rows.add({"of": of, "row": (found := played_row(game, candidate, trial))})
    return found


def played_row(game: str, candidate: str, trial: TrialOptions) -> str:
    """Play a candidate's games and return its row."""
    least = budget(game, trial)
    second = with_iterations(trial.agent, least, trial.against)
    iterations = least
    if trial.equal == "time":
        cost = seconds_for(game, with_iterations(trial.agent, least, candidate), trial.seed)
        iterations = max(1, round(least * seconds_for(game, second, trial.seed) / cost))
    first = with_iterations(trial.agent, iterations, candidate)
    test = replace(trial.sprt, adjusted=bool(make_game(game).chance_sources))
    table = tournament(game, [first, second], trial.games, trial.seed, trial.jobs, mode="gauntlet", sprt=test,
                       strict=True).standings
    lead = lead_of(table)
    assert table.sprt is not None
    return (f"| {make_game(game).title} | {table.players} | `{first}` | `{second}` | {table.games} | "
            f"{lead}{'' if lead.fair else ' (with luck)'} | {table.sprt.verdict} "
            f"({trial.sprt.elo0:g} or {trial.sprt.elo1:g}) |")


@command
def defaults(*asked: str, every: Annotated[bool, "the five games with every number of players"] = False,
             agent: str = "ismcts", against: Annotated[str, "parameters instead of the defaults"] = "",
             iterations: Annotated[int, "budget of the agent that it is compared with"] = 500,
             ms: Annotated[float | None, "milliseconds of processor time for a decision, instead of iterations"] = None,
             equal: Literal["iterations", "time"] = "iterations",
             games: Annotated[int, "-n", "--games", "most games of a candidate"] = 200,
             sprt: Annotated[str, "the question of the test"] = QUESTION, seed: int = 1, jobs: int = 1,
             store: Annotated[Path | None, "keep the rows in this file, and play only those it lacks"] = None,
             no_head: Annotated[bool, "print rows alone"] = False) -> None:
    """Measure the lead in Elo of parameters of a search over its defaults. A row takes minutes to hours.

    defaults attila:players=2 chance_depth=0 fpu=0.2,c_prior=0.7    each against the defaults
    defaults carcassonne cutoff=-1 --against cutoff=7 --equal time
    defaults risiko:players=3 bids=ucb --agent mo-ismcts --iterations 500 -n 400
    defaults --every --equal time --ms 10 -n 48 --sprt elo0=0,elo1=70 --store FILE

    Each candidate takes one seat among copies of the agent that it is compared with, on common luck, until a sequential
    test of the luck-adjusted results has decided or the games are used up. One row of a table is printed for each: the
    lead in Elo with its 95 % interval, the games, and the verdict: H1 (it leads by elo1), H0 (by elo0), or undecided.

    `--equal iterations` asks whether a parameter makes better use of each iteration, `--equal time` whether it is worth
    what it costs: the candidate gets as many iterations as take the same processor time, measured at positions of
    random games. Neither needs an idle machine.

    `--every` asks for each game and number of players whether its playouts have the right length: half and twice the
    default `cutoff`, and to the end. With `--store` the same call plays only the rows that the file lacks.
    """
    wanted, candidates = (EVERY, asked) if every else (asked[:1], asked[1:])
    if not (every or candidates):
        raise refused("give a game and candidates, such as attila c_prior=2, or --every")
    trial = TrialOptions(agent, against, iterations, ms, equal, games, SprtOptions.parse(sprt), seed, jobs)
    for candidate in candidates:            # refuse every wrong candidate before the first game
        sfida.agent(with_iterations(agent, iterations, candidate))
    if not no_head:
        print_head("game", "players", "candidate", "against", "games", "luck-adjusted Elo [95 %]", "verdict")
    rows = ResultLines(store)
    for game in wanted:
        for candidate in candidates or lengths(game):
            print(answer(game, candidate, trial, rows), flush=True)


# ---- iterations -----------------------------------------------------------------------------------------


FACTORS = (2, 4)


@dataclass(frozen=True)
class BudgetMatch:
    """A match of an agent with `factor` times `iterations` against the same agent with `iterations`."""

    game: str
    agent: str
    iterations: int
    factor: int

    @property
    def agents(self) -> tuple[str, str]:
        """The specs, the one with more iterations first."""
        return with_iterations(self.agent, self.factor * self.iterations), with_iterations(self.agent, self.iterations)


@dataclass(frozen=True)
class Share:
    """A win share and the lead in Elo that corresponds to it, each with its 95 % interval."""

    share: float
    ci95: tuple[float, float]
    elo: float
    elo_ci95: tuple[float, float]

    @classmethod
    def of(cls, share: float, ci95: tuple[float, float], players: int) -> Share:
        """Compute the lead, which is infinite for shares of at most 0 or at least 1."""
        def lead(share: float) -> float:
            return elo_lead(share, players) if 0 < share < 1 else math.copysign(math.inf, share - 0.5)

        return cls(share, ci95, lead(share), (lead(ci95[0]), lead(ci95[1])))

    def __str__(self) -> str:
        low, high = self.ci95
        return (f"{100 * self.share:5.1f} % [{100 * low:5.1f} {100 * high:5.1f}]  {self.elo:+5.0f} "
                f"[{self.elo_ci95[0]:+5.0f} {self.elo_ci95[1]:+5.0f}]")


@dataclass(frozen=True)
class MeasuredDoubling:
    """The result of a match; `fair` is luck-adjusted, None if luck was not measured."""

    match: BudgetMatch
    players: int
    games: int
    raw: Share
    fair: Share | None
    verdict: str | None

    @classmethod
    def of(cls, match: BudgetMatch, table: Standings) -> MeasuredDoubling:
        """Read the result from the standings."""
        first, fair = table.agents[0], table.adjusted.agents[0] if table.adjusted is not None else None
        return cls(match, table.players, table.games, Share.of(first.win_share, first.ci95, table.players),
                   None if fair is None else Share.of(fair.win_share, fair.ci95, table.players),
                   None if table.sprt is None else table.sprt.verdict)


def matches(game: str, agent: str, least: int, most: int, factors: tuple[int, ...]) -> Iterator[BudgetMatch]:
    """Yield the matches of a game: by factor, then by budget."""
    for factor in factors:
        iterations = least
        while factor * iterations <= most:
            yield BudgetMatch(game, agent, iterations, factor)
            iterations *= 2


def finite(value: Any) -> Any:
    """Return plain data with None for infinite numbers, which JSON does not know."""
    if isinstance(value, dict):
        return {key: finite(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [finite(each) for each in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


@command
def doubling(*specs: str, agent: Annotated[str, "spec without its budget"] = "ismcts",
             least: Annotated[int, "--from", "smallest budget"] = 250,
             most: Annotated[int, "--to", "largest budget"] = 16_000,
             factors: Sequence[int] = FACTORS, games: Annotated[int, "of each match, at most"] = 400,
             sprt: Annotated[str | None, "end matches by this test, such as elo0=0,elo1=20"] = None,
             seed: int = 20263, jobs: int = 1, store: Path | None = None,
             held: Annotated[bool, "play nothing"] = False,
             json_: Annotated[bool, "--json", "print one JSON object a match"] = False) -> None:
    """Measure what more iterations are worth, in win shares (%) and Elo. All games take days, one match minutes.

    doubling --store DIR -j 2              the table of docs/results/strength.md
    doubling acres --from 500 --to 2000 --games 100 --store DIR
    doubling --store DIR --held            the table of the games held so far

    One seat with more iterations plays against copies of the same agent with fewer, on every seat in turn with the same
    luck (a gauntlet). "Share" is its win share, "luck-adjusted" the same without the luck of the games,
    where the game has a value function; both with 95 % intervals by bootstrap over blocks. Elo is the lead that gives
    such a share against equal opponents. No budget is larger than --to.

    Every match has a file in --store, and the same call continues with it; --games may be larger then. With --sprt a
    match ends as soon as the test decides; shares at such an end exaggerate.
    """
    if min(factors) < 2 or least * min(factors) > most:
        raise refused("--factors must be at least 2, and --to at least their product with --from")
    if held and store is None:
        raise refused("--held needs --store")
    test = None if sprt is None else SprtOptions.parse(sprt)
    with folder_of(store) as folder:
        for game in specs or FIVE:
            if not json_:
                print(f"\n{game}\nbudgets           games   share   95 %             Elo   95 %        luck-adjusted")
            for match in matches(game, agent, least, most, tuple(factors)):
                path = folder / f"{file_name(match.game, *match.agents)}.sfida"
                if not held:
                    table = Tournament(game, match.agents, games, seed, mode="gauntlet", sprt=test).run(
                        path, jobs=jobs, resume=True)
                elif is_vacant(path):
                    continue
                else:
                    with Store.read(path) as found:
                        table = table_of(found)
                if not table.games:
                    continue
                made = MeasuredDoubling.of(match, table)
                if json_:
                    print(json.dumps(finite(asdict(made))), flush=True)
                else:
                    budgets = f"{match.factor * match.iterations:,} : {match.iterations:,}"
                    print(f"{budgets:16} {made.games:6,}  {made.raw}   {made.fair or 'not measured'!s:41}"
                          f"{'  ' + made.verdict if made.verdict else ''}".rstrip(), flush=True)


# ---- threads --------------------------------------------------------------------------------------------


class AtWill(IsmctsAgent):
    """`ismcts` whose threads do not keep the order of the iterations."""

    def __init__(self, spec: str, threads: int) -> None:
        super().__init__(make_agent(spec).options)
        self._crew = Crew(threads)

    def search(self, view: View, *, choosing: bool, lines: int, only: int | None = None):
        started = time.perf_counter()
        if self.latest is None or not self.latest.fits(view):
            self.latest = search_for(view, self.options, self.seed)
        self.latest.restart(view, self.seed)
        run_search(self.latest, self._crew, iterations=self.options.iterations, ordered=False)
        rows = final_order(self.latest.root_edges(), self.options.final, self.options.temperature, self.seed)
        return analysis_of(view, rows, {}, iterations=self.latest.visits, seconds=time.perf_counter() - started,
                           stopped="iterations", full=self.latest.arena_full)


@command
def threads(*, game: Annotated[str, "a game for two players"] = "carcassonne", threads: int = 2, iterations: int = 500,
            games: int = 400, seed: int = 1) -> None:
    """Measure the win share in % of threads at will against one thread at equal iterations. Takes half an hour.

    threads                                 400 games of Carcassonne, 2 threads, 500 iterations
    threads --threads 4 --iterations 2000 --games 1000 --game carcassonne:river=true

    With iteration budgets threads keep their order and find the same as one thread, so there is nothing to measure. At
    will, as with time budgets, each continues as soon as it can: the result depends on timing, and this measures what
    that costs. A pair is two games with the same luck and swapped seats; the interval is over pairs. Needs as many idle
    cores as threads.
    """
    engine = make_game(game)
    spec = f"ismcts:iterations={iterations},reuse=false,early_stop=false"
    many, one = AtWill(spec, threads), make_agent(spec)
    shares = []
    for pair in range(games // 2):
        results = [play(engine, [many, one][::step], derive(seed, pair)).result.utilities[seat]
                   for seat, step in ((0, 1), (1, -1))]
        shares.append(sum(results) / 2)
    mean = float(np.mean(shares))
    half = 1.96 * float(np.std(shares, ddof=1)) / math.sqrt(len(shares))
    print(f"{game}, {iterations} iterations, {threads} threads at will against one: {100 * mean:.1f} % "
          f"[{100 * (mean - half):.1f}, {100 * (mean + half):.1f}], {2 * len(shares)} games")


# ---- reviews --------------------------------------------------------------------------------------------


REVIEWED = ("ismcts:iterations=1000", "ismcts:iterations=100", "ismcts:iterations=10")
SURE = 2.0              # standard errors


def losses(game: str, agents: Sequence[str], games: int, drawn: int, effort: Effort,
           seed: int) -> dict[str, list[list[Verdict]]]:
    """Return the verdicts on some decisions of each agent, in a list for each game."""
    players, judge = make_game(game).players, SearchJudge()
    found: dict[str, list[list[Verdict]]] = defaultdict(list)
    for number in range(games):
        seated = [agents[(number + seat) % len(agents)] for seat in range(players)]
        played = played_to_the_end(sfida.play(game, seated, seed=seed + number))
        for seat, agent in enumerate(seated):
            rng = np.random.default_rng(derive(seed, number, seat))
            own = [event for event in played.events if event.seat == seat and len(event.before.legal_moves()) > 1]
            chosen = rng.choice(len(own), min(drawn, len(own)), replace=False) if own else []
            found[agent].append([_judged(judge, own[index], effort, seed) for index in chosen])
    return found


def losses_in(game: str, agents: Sequence[str], of: str, games: int, drawn: int, effort: Effort,
              seed: int) -> dict[str, list[list[Verdict]]]:
    """Return the verdicts on agents that decide in the same positions, drawn from games of `of` against itself."""
    players, judge = make_game(game).players, SearchJudge()
    found: dict[str, list[list[Verdict]]] = {agent: [] for agent in agents}
    for number in range(games):
        played = played_to_the_end(sfida.play(game, [of] * players, seed=seed + number))
        free = [event for event in played.events if event.seat >= 0 and len(event.before.legal_moves()) > 1]
        rng = np.random.default_rng(derive(seed, number))
        chosen = [free[index] for index in rng.choice(len(free), min(drawn, len(free)), replace=False)]
        for agent in agents:
            moves = [sfida.agent(agent, seed=derive(seed, event.ply)).choose(event.before.view(event.seat))
                     for event in chosen]
            found[agent].append([_judged(judge, replace(event, move=move), effort, seed)
                                 for event, move in zip(chosen, moves, strict=True)])
    return found


def _judged(judge: SearchJudge, event: Event, effort: Effort, seed: int) -> Verdict:
    return judge.judge(event.before.view(event.seat), event.move, effort, derive(seed, event.ply))


def mean_loss(by_game: Sequence[Sequence[Verdict]]) -> tuple[float, float, float]:
    """Return the mean loss of a decision, its standard error over games, and the mean accuracy."""
    means = _means(by_game)
    every = [accuracy(verdict.loss) for verdicts in by_game for verdict in verdicts]
    return float(means.mean()), _error(means), float(np.mean(every))


def less(first: Sequence[Sequence[Verdict]], second: Sequence[Sequence[Verdict]], same: bool) -> float:
    """Return the number of standard errors by which the first loses less; `same`: in the same positions."""
    means = [_means(first), _means(second)]
    error = _error(means[1] - means[0]) if same else float(np.hypot(*map(_error, means)))
    return float(means[1].mean() - means[0].mean()) / max(1e-9, error)


def _means(by_game: Sequence[Sequence[Verdict]]) -> Floats:
    return np.array([np.mean([verdict.loss for verdict in verdicts]) for verdicts in by_game if verdicts])


def _error(means: Floats) -> float:
    return float(means.std(ddof=1) / np.sqrt(len(means)))


@command
def review(*, games: Sequence[str] = FIVE, agents: Sequence[str] = REVIEWED,
           number: Annotated[int, "-n", "--number", "games"] = 12,
           drawn: Annotated[int, "decisions of each seat of a game that are judged"] = 20,
           positions_of: Annotated[str | None, "decide in positions of games of this agent"] = None,
           deeper: Annotated[int, "iterations of the judge"] = 10_000, seed: int = 1) -> int:
    """Measure what a decision of strong and of weak agents loses, in % of win probability, by reviews. Takes hours.

    review                                             the five games, ismcts of 1000, 100 and 10
    review --games carcassonne --agents level:10 level:5 level:1 --deeper 20000
    review --agents level:10 level:5 level:1 --positions-of level:5 -n 8 --drawn 5

    Agents are given from the strongest to the weakest. They meet in games in which each sits at each seat as often;
    some of the decisions of each are drawn and judged by searches of `--deeper` iterations, which should be ten times
    what the strongest agent has. A figure is the mean loss of a decision, ± two standard errors over the games, and the
    mean accuracy. "less" says by how many standard errors each agent loses less than the one after it; the exit code is
    1 if a weaker agent loses clearly less. Fewer decisions are enough where all agents decide in the same positions:
    those of games that one plays against itself.
    """
    wrong = 0
    for game in games:
        rest = number, drawn, Effort(deeper), seed
        found = losses_in(game, agents, positions_of, *rest) if positions_of else losses(game, agents, *rest)
        for agent, after in zip_longest(agents, agents[1:]):
            loss, error, accurate = mean_loss(found[agent])
            by = None if after is None else less(found[agent], found[after], bool(positions_of))
            wrong += by is not None and by < -SURE
            print(f"{game:28} {agent:28} loss {100 * loss:6.3f} ± {100 * SURE * error:.3f} %  accuracy {accurate:5.1f}"
                  f"{'' if by is None else f'  less by {by:.1f}'}", flush=True)
    return 1 if wrong else 0
