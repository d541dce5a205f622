"""Regret: the win probability that the decisions of an agent give away, on panels of positions with known values.

A panel is a file of lines in `bench/panels/`: a description, games of levels 5 to 10, and some of their decisions with
the worth of their plausible moves. An oracle finds the worth: after each move all seats search on to the end, in worlds
sampled from the mover's view and on common luck, half of the games with one evaluation and half with another.
"""

from __future__ import annotations

import functools
import itertools
import json
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any

import click
import numpy as np
from numpy.typing import NDArray

from bench import ROOT, BenchFailure, ResultLines, command, file_name, interval, print_head, print_row, run_all
from sfida.ai.agent import seating_of
from sfida.ai.registry import agent as make_agent
from sfida.ai.table import play
from sfida.cython_ext.batch import Batch
from sfida.cython_ext.rng import Random, derive
from sfida.cython_ext.state import GameState
from sfida.engines.game import Game
from sfida.engines.records import GameRecord
from sfida.engines.registry import make_game

PANELS = ROOT / "bench" / "panels"
LEVELS = range(5, 11)                   # levels of the players in a panel's games
JUDGE = "ismcts:iterations=1000"        # searches whose favourites are plausible moves
PLAUSIBLE = 0.02                        # least share of a judge's visits
MOST_PLAUSIBLE = 6                      # most plausible moves of a judge
ROUND = 32                              # games after each move between two looks at the differences
FEWEST = 64                             # games after each move before one may be dropped
CLEAR = 3.5                             # standard errors by which a move must be behind to be dropped
KNOWN = 0.01                            # standard error at which the difference of two moves is known

Floats = NDArray[np.float64]

# ---- the oracle -----------------------------------------------------------------------------------------


def evaluations(game: Game) -> tuple[str, str]:
    """Return the parameters of two searches that evaluate positions differently."""
    if game.knowledge is not None and game.players in game.knowledge.players:
        return "knowledge=hand", "knowledge=learned"
    return "knowledge=hand", "knowledge=hand,cutoff=-1"


@functools.lru_cache(2)
def players_of(spec: str, agent: str) -> Batch:
    """Return players of all seats that go on with games; each process has its own."""
    game = make_game(spec)
    seating = seating_of(game, [make_agent(agent)] * game.players)
    if seating is None:
        raise BenchFailure(f"the moves of {spec} cannot be valued: {agent} does not play without Python")
    return Batch(game.initial_state(), ["uniform"] * game.players, False, False, 1, 1, seating)


@dataclass(frozen=True)
class Oracle:
    """The way in which moves are valued.

    Attributes
    ----------
    game : str
        Game spec.
    iterations : int
        Budget of the searches that go on.
    most : int
        Most games after a move, a multiple of `ROUND`.
    seed : int
    """

    game: str
    iterations: int
    most: int
    seed: int

    def shares(self, position: GameState, move: int, worlds: range, key: int) -> Floats:
        """Play a move in numbered worlds, and on to the end; return the mover's win shares.

        Worlds alternate between the two evaluations. `key` numbers the decision.
        """
        game = make_game(self.game)
        shares = np.empty((len(worlds), game.players))
        for number, more in enumerate(evaluations(game)):
            rows = [i for i, world in enumerate(worlds) if world % 2 == number]
            seeds = np.array([derive(self.seed, key, worlds[i]) for i in rows], np.uint64)
            out = np.empty((len(rows), game.players))
            players_of(self.game, f"ismcts:iterations={self.iterations},{more}").play_on(position, move, seeds, out)
            shares[rows] = out
        return shares[:, position.to_move]

    def compare(self, position: GameState, moves: Sequence[int], key: int,
                reference: int | None = None) -> dict[int, MoveWorth]:
        """Play on from some moves until their differences are known; clear losers are dropped on the way.

        Their worth is measured against `reference`, by default the best of them.
        """
        played = {move: np.empty(0) for move in moves}
        alive = list(moves)
        best = alive[0]
        while len(alive) > 1 and (n := len(played[best])) < self.most:
            for move in alive:
                played[move] = np.append(played[move], self.shares(position, move, range(n, n + ROUND), key))
            best = max(alive, key=lambda move: float(played[move].mean()))
            behind = {move: PairedMean.of(played[best], played[move]) for move in alive if move != best}
            if n + ROUND >= FEWEST:
                alive = [move for move in alive if move == best or behind[move].mean < CLEAR * behind[move].error]
                if all(behind[move].error < KNOWN for move in alive if move != best):
                    break
        against = best if reference is None else reference
        return {move: MoveWorth.of(played[against], played[move]) for move in moves}


@dataclass(frozen=True)
class PairedMean:
    """The mean of paired differences, with its standard error."""

    mean: float
    error: float

    @classmethod
    def of(cls, one: Floats, other: Floats) -> PairedMean:
        """Return the difference over the worlds that both have; with equal results the error is that of one unequal."""
        n = min(len(one), len(other))
        apart = one[:n] - other[:n]
        spread = max(float(apart.std(ddof=1)), n ** -0.5) if n > 1 else 1.0
        return cls(float(apart.mean()) if n else 0.0, spread / max(n, 1) ** 0.5)


@dataclass(frozen=True)
class MoveWorth:
    """How far a move is behind the reference of its decision, the best move first found, in win probability.

    Attributes
    ----------
    games : int
    behind : float
        Mean over the worlds that both moves have; below 0 for a better move that was valued later.
    error : float
        Its standard error.
    parts : tuple of float
        `behind` in the first, second, third and fourth of every four worlds: the two evaluations, twice.
    """

    games: int
    behind: float
    error: float
    parts: tuple[float, ...]

    @classmethod
    def of(cls, best: Floats, move: Floats) -> MoveWorth:
        """Return the worth of a move from its win shares and those of the reference."""
        found, n = PairedMean.of(best, move), min(len(best), len(move))
        parts = tuple(round(float((best[i:n:4] - move[i:n:4]).mean()), 4) if n > i else 0.0 for i in range(4))
        return cls(n, round(found.mean, 4), round(found.error, 4), parts)


# ---- panels ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class PanelDecision:
    """A decision of a panel: the move at index `ply` of a game, with the worth of plausible moves by notation."""

    game: int
    ply: int
    moves: dict[str, MoveWorth]

    def line(self) -> dict[str, Any]:
        """Return the decision as a line of a file."""
        return {"game": self.game, "ply": self.ply,
                "moves": {text: [one.games, one.behind, one.error, *one.parts] for text, one in self.moves.items()}}

    @classmethod
    def of(cls, line: dict[str, Any]) -> PanelDecision:
        """Read a decision from a line of a file."""
        return cls(line["game"], line["ply"], {text: MoveWorth(int(row[0]), row[1], row[2], tuple(row[3:]))
                                               for text, row in line["moves"].items()})

    def regret(self, text: str) -> float:
        """Return how far a move is behind the best one.

        The best move of three quarters of the worlds is compared in the fourth, in all four ways, so its good luck does
        not count. Where the moves are close it is not the best one, so the mean is a lower bound, below 0 for an agent
        that chooses better; the distance to the best move of all worlds is an upper bound.
        """
        behind = np.array([one.parts for one in self.moves.values()])
        best = (behind.sum(axis=1, keepdims=True) - behind).argmin(axis=0)
        return float((self.moves[text].parts - behind[best, range(len(best))]).mean())


class Panel:
    """The decisions of a game, in a file that grows: a panel that is being built continues where it ended.

    Parameters
    ----------
    path : Path
    about : dict, optional
        Description of a panel that may be new; without it the file must exist.
    """

    def __init__(self, path: Path, about: dict[str, Any] | None = None) -> None:
        if about is None and not path.exists():
            raise BenchFailure(f"there is no panel '{path}'; build it with: python -m bench regret-panel GAME")
        self._lines = ResultLines(path, about)
        held = self._lines.held
        self.about = about or held[0]
        self.games = [GameRecord.from_json(line) for line in held if "type" in line]
        self._at = {(line["game"], line["ply"]): PanelDecision.of(line) for line in held if "ply" in line}

    @property
    def oracle(self) -> Oracle:
        """The oracle that valued its moves."""
        return Oracle(self.about["game"], self.about["iterations"], self.about["most"], self.about["seed"])

    @property
    def decisions(self) -> list[PanelDecision]:
        """The decisions in the order of the games."""
        return [self._at[key] for key in sorted(self._at)]

    def add_game(self, record: GameRecord) -> None:
        """Keep a game."""
        self.games.append(record)
        self._lines.add(json.loads(record.to_json_line()))

    def add(self, decision: PanelDecision) -> None:
        """Keep a decision, in place of the one with fewer moves."""
        self._at[decision.game, decision.ply] = decision
        self._lines.add(decision.line())


def panel_of(game: str) -> Path:
    """Return the file of a game's panel."""
    made = make_game(game)
    return PANELS / f"{file_name(made.name, str(made.players))}.jsonl"


def panel_game(spec: str, seed: int, number: int) -> GameRecord:
    """Play a game of a panel: its levels are drawn for each seat."""
    rng = Random(derive(seed, 1, number))
    levels = [LEVELS[rng.below(len(LEVELS))] for _ in range(make_game(spec).players)]
    return play(spec, [f"level:{level}" for level in levels], derive(seed, 2, number))


def choices_of(record: GameRecord) -> Iterator[tuple[int, GameState]]:
    """Yield index and position of every decision with a choice; the position is valid until the next."""
    state = make_game(record.game).initial_state()
    for ply, text in enumerate(record.moves):
        if not state.is_chance and len(state.candidate_moves()) > 1:
            yield ply, state
        state.apply(state.parse(text))


def positions_at(record: GameRecord, plies: Iterable[int]) -> list[GameState]:
    """Return the positions of a game before the moves with these indices, in ascending order."""
    wanted = set(plies)
    return [state.clone() for ply, state in choices_of(record) if ply in wanted]


def chosen_plies(record: GameRecord, count: int, seed: int) -> list[int]:
    """Return decisions of a game, one from each of equal parts of it."""
    plies, rng = [ply for ply, _ in choices_of(record)], Random(seed)
    edges = [len(plies) * i // count for i in range(count + 1)]
    return [plies[low + rng.below(high - low)] for low, high in itertools.pairwise(edges) if high > low]


def key_of(game: int, ply: int) -> int:
    """Return the number of a decision, from which its worlds derive."""
    return derive(game, ply)


def plausible(oracle: Oracle, position: GameState, key: int) -> list[int]:
    """Return the moves to which searches with either evaluation give visits."""
    found: dict[int, None] = {}
    for more in evaluations(make_game(oracle.game)):
        judge = make_agent(f"{JUDGE},{more}", seed=derive(oracle.seed, key))
        rows = judge.analyze(position.view(position.to_move)).moves
        found |= dict.fromkeys([rows[0].code] + [row.code for row in sorted(rows, key=lambda row: -row.visits)
                                                 [:MOST_PLAUSIBLE] if row.share >= PLAUSIBLE])
    return list(found)


def valued(oracle: Oracle, record: GameRecord, game: int, ply: int) -> PanelDecision:
    """Value the plausible moves of a decision."""
    position, key = positions_at(record, [ply])[0], key_of(game, ply)
    worth = oracle.compare(position, plausible(oracle, position, key), key)
    return PanelDecision(game, ply, {position.format(move): one for move, one in worth.items()})


def with_moves(oracle: Oracle, record: GameRecord, decision: PanelDecision, more: Sequence[str]) -> PanelDecision:
    """Value further moves of a decision against its reference."""
    position, key = positions_at(record, [decision.ply])[0], key_of(decision.game, decision.ply)
    reference = position.parse(min(decision.moves, key=lambda text: abs(decision.moves[text].behind)))
    worth = oracle.compare(position, [reference, *map(position.parse, more)], key, reference)
    return PanelDecision(decision.game, decision.ply,
                    decision.moves | {text: worth[position.parse(text)] for text in more})


@command
def regret_panel(game: str, *, games: int = 40, decisions: Annotated[int, "of each game"] = 10,
                 iterations: Annotated[int, "of the oracle's searches"] = 8,
                 most: Annotated[int, "most games of the oracle after a move", click.IntRange(ROUND)] = 768,
                 seed: int = 1, jobs: int = 2,
                 file: Annotated[Path | None, "panel to write, instead of the one in bench/panels"] = None) -> None:
    """Build the panel of a game: decisions whose plausible moves are valued. Takes hours; an interruption costs little.

    regret-panel risiko:players=4
    regret-panel carcassonne --games 20 --most 128 --file trial.jsonl

    Plausible moves are those that get two hundredths of the visits of a short search, with either evaluation. The
    oracle's games after a move are played to the end by searches that all seats share; it stops when the difference to
    the best move is known to .01, when a move is clearly worse, or after the most games.
    """
    made = make_game(game)
    about = {"game": made.spec(), "rules": str(made.rules_version), "iterations": iterations, "most": most,
             "decisions": decisions, "seed": seed}
    panel = Panel(file or panel_of(game), about)
    for record in run_all(panel_game, [(made.spec(), seed, number) for number in range(len(panel.games), games)], jobs):
        panel.add_game(record)
    held = {(one.game, one.ply) for one in panel.decisions}
    wanted = [(panel.oracle, panel.games[number], number, ply) for number in range(games)
              for ply in chosen_plies(panel.games[number], decisions, derive(seed, 3, number))]
    missing = [one for one in wanted if one[2:] not in held]
    for number, found in enumerate(run_all(valued, missing, jobs), len(wanted) - len(missing) + 1):
        panel.add(found)
        print(f"\r{number} of {len(wanted)} decisions", end="", flush=True)
    print()


# ---- the regret of agents -------------------------------------------------------------------------------


def choices(spec: str, record: GameRecord, plies: Sequence[int], seed: int) -> tuple[list[str], float]:
    """Return the moves that an agent chooses in positions of a game, and the processor seconds that it took."""
    agent, found, spent = make_agent(spec), [], 0.0
    for ply, position in zip(plies, positions_at(record, plies), strict=True):
        agent.seed = derive(seed, ply)
        agent.new_game()
        started = time.process_time()
        move = agent.choose(position.view(position.to_move))
        spent += time.process_time() - started
        found.append(position.format(move))
    return found, spent


@dataclass(frozen=True)
class Regret:
    """The regret of an agent on a panel.

    Attributes
    ----------
    agent : str
    decisions : int
    seconds : float
        Processor time per decision.
    best : float
        Share of decisions in which it chose the best move.
    mean : float
        Mean win probability that a decision gives away at least: compared with the best move of three quarters of the
        worlds, in the fourth.
    ci95 : (float, float)
        95 % interval, by bootstrap over games.
    most : float
        Mean win probability that a decision gives away at most: compared with the best move of all worlds, whose luck
        counts as worth.
    most_ci95 : (float, float)
    less : float
        How much less that is than the first agent's, from the same decisions.
    less_ci95 : (float, float)
    """

    agent: str
    decisions: int
    seconds: float
    best: float
    mean: float
    ci95: tuple[float, float]
    most: float
    most_ci95: tuple[float, float]
    less: float
    less_ci95: tuple[float, float]


def completed(panel: Panel, asked: Sequence[Sequence[str]], jobs: int) -> None:
    """Value the moves that agents chose and the panel lacks; `asked` has the choices of each agent."""
    work = []
    for number, decision in enumerate(panel.decisions):
        lacking = sorted({texts[number] for texts in asked} - set(decision.moves))
        if lacking:
            work.append((panel.oracle, panel.games[decision.game], decision, lacking))
    for found in run_all(with_moves, work, jobs):
        panel.add(found)


def regrets(panel: Panel, agents: Sequence[str], jobs: int, seed: int) -> list[Regret]:
    """Return the regret of agents on a panel, in their order; moves that the panel lacks are valued and kept."""
    by_game = [(game, [one.ply for one in found])
               for game, found in itertools.groupby(panel.decisions, key=lambda one: one.game)]
    asked, seconds = list[list[str]](), list[float]()
    for spec in agents:
        found = list(run_all(choices, [(spec, panel.games[game], plies, derive(seed, game))
                                       for game, plies in by_game], jobs))
        asked.append([text for texts, _ in found for text in texts])
        seconds.append(sum(spent for _, spent in found))
    completed(panel, asked, jobs)
    decisions = panel.decisions
    behind = np.array([[one.moves[text].behind for one, text in zip(decisions, texts, strict=True)]
                       for texts in asked])
    lost = np.array([[one.regret(text) for one, text in zip(decisions, texts, strict=True)] for texts in asked])
    top = np.array([min(one.behind for one in decision.moves.values()) for decision in decisions])
    at = np.cumsum([0] + [len(plies) for _, plies in by_game])[:-1]
    counts = np.diff(np.append(at, len(decisions)))
    rows = []
    for number, spec in enumerate(agents):
        blocks = np.add.reduceat(lost[number], at) / counts
        most = np.add.reduceat(behind[number] - top, at) / counts
        apart = np.add.reduceat(behind[0] - behind[number], at) / counts
        rows.append(Regret(spec, len(decisions), seconds[number] / len(decisions),
                           float((behind[number] == top).mean()), float(blocks.mean()), interval(list(blocks), seed),
                           float(most.mean()), interval(list(most), seed),
                           float(apart.mean()), interval(list(apart), seed)))
    return rows


@command
def regret(game: str, *, agent: Annotated[Sequence[str], "the agents; the others are compared with the first"],
           jobs: int = 2, seed: int = 1,
           json_: Annotated[bool, "--json", "print a JSON object for each agent instead of a table"] = False,
           file: Annotated[Path | None, "panel to use, instead of the one in bench/panels"] = None) -> None:
    """Measure the win probability that an agent's decisions give away, on the panel of a game. Takes minutes.

    regret carcassonne --agent ismcts:iterations=1000 ismcts:iterations=4000
    regret risiko:players=4 --agent level:5 level:8 --json

    Regret is the mean over the decisions of the panel, of which each has a choice, forced moves left out. It lies
    between two bounds: "at least" compares with the best move of three quarters of the oracle's games, in the fourth;
    "at most" with the best of all of them, whose luck counts as worth. "best" is the share of decisions in which the
    agent chose that move. "less" is how much less than the first agent it gives away; the interval is of the same
    decisions, so it is narrower than those of the means. Moves that nobody chose so far are valued by the panel's
    oracle and kept in its file. CPU time is in ms for a decision.
    """
    rows = regrets(Panel(file or panel_of(game)), agent, jobs, seed)
    if json_:
        for row in rows:
            print(json.dumps(asdict(row)))
        return
    print_head("agent", "CPU, ms", "best", "at least [95 %]", "at most [95 %]", "less [95 %]")
    for row in rows:
        print_row(f"`{row.agent}`", f"{1000 * row.seconds:.1f}", f"{row.best:.0%}",
                  f"{row.mean:.4f} [{row.ci95[0]:.4f}, {row.ci95[1]:.4f}]",
                  f"{row.most:.4f} [{row.most_ci95[0]:.4f}, {row.most_ci95[1]:.4f}]",
                  f"{row.less:+.4f} [{row.less_ci95[0]:+.4f}, {row.less_ci95[1]:+.4f}]" if row is not rows[0] else "")
