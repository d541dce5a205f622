"""Sfida's agents against the bots of OpenSpiel and catanatron, and catanatron's games under Sfida's rules."""

from __future__ import annotations

import gzip
import json
import os
import random
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import click
import numpy as np

from bench import command, interval, run_all
from sfida.ai.registry import agent as make_agent
from sfida.ai.registry import agent_class
from sfida.ai.table import play
from sfida.cython_ext.errors import InvalidOption
from sfida.cython_ext.rng import Random, derive
from sfida.cython_ext.state import View
from sfida.engines.openspiel.library import SpielRules, bare_name
from sfida.engines.openspiel.library import library as openspiel
from sfida.engines.python_game import position_of
from sfida.engines.registry import make_game
from sfida.engines.spec import describe, parse_spec
from sfida.engines.zarahemla.catanatron.library import CatanatronError, LostTrack, library, part, playable, use_checkout
from sfida.engines.zarahemla.catanatron.replay import EXPECTED, ROAD_HOLDER, Replay

# ---- OpenSpiel ------------------------------------------------------------------------------------------


GAMES = (
    "kuhn_poker", "leduc_poker", "liars_dice", "liars_dice(numdice=2)",
    "goofspiel(imp_info=True;num_cards=4;points_order=descending)",
    "goofspiel(imp_info=True;num_cards=5;points_order=descending)",
    "phantom_ttt", "dark_hex", "gin_rummy(hand_size=2;num_ranks=4;num_suits=2)",
)
AGENTS = ("ismcts", "mo-ismcts")
# Games whose information states OpenSpiel's C++ bot can determinize.
RESAMPLED = frozenset({"bargaining", "bridge", "euchre", "gin_rummy", "hearts", "kuhn_poker", "leduc_poker", "oh_hell",
                       "universal_poker"})


class OpenSpielBot:
    """OpenSpiel's ISMCTS bot as an agent of Sfida.

    Parameters
    ----------
    rules : SpielRules
        The game.
    simulations : int
        Simulations per decision.
    uct_c : float
        Exploration constant, in units of returns.
    """

    def __init__(self, rules: SpielRules, simulations: int, uct_c: float) -> None:
        self.rules = rules
        self.simulations = simulations
        self.uct_c = uct_c
        self.seed = 0
        self.spec = f"openspiel-ismcts:simulations={simulations},uct_c={uct_c:g}"
        self.resampled = bare_name(rules.text) in RESAMPLED

    def choose(self, view: View) -> int:
        """Return the bot's move; every decision creates a new bot from the seed."""
        rng = Random(self.seed)
        state = position_of(view.sample(rng)).node.state.clone()
        bot = self.cpp_bot() if self.resampled else self.python_bot(view, rng)
        return int(bot.step(state))

    def cpp_bot(self) -> Any:
        pyspiel, seed = openspiel(), self.seed % 2**31
        observing = not self.rules.perfect_recall
        return pyspiel.ISMCTSBot(
            seed=seed, evaluator=pyspiel.RandomRolloutEvaluator(1, seed), uct_c=self.uct_c,
            max_simulations=self.simulations, final_policy_type=pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT,
            use_observation_string=observing, allow_inconsistent_action_sets=observing)

    def python_bot(self, view: View, rng: Random) -> Any:
        from open_spiel.python.algorithms import ismcts as python_ismcts
        from open_spiel.python.algorithms import mcts as python_mcts

        numbers = np.random.RandomState(self.seed % 2**32)
        observing = not self.rules.perfect_recall
        bot = python_ismcts.ISMCTSBot(
            self.rules.game, python_mcts.RandomRolloutEvaluator(1, numbers), self.uct_c, self.simulations,
            random_state=numbers, final_policy_type=python_ismcts.ISMCTSFinalPolicyType.MAX_VISIT_COUNT,
            use_observation_string=observing, allow_inconsistent_action_sets=observing)
        bot.set_resampler(lambda state, player: position_of(view.sample(rng)).node.state.clone())
        return bot


class Timed:
    """An agent that adds up its thinking time."""

    def __init__(self, agent: Any) -> None:
        self.agent = agent
        self.spec = agent.spec
        self.seconds = 0.0
        self.decisions = 0
        self.seed = 0

    def new_game(self) -> None:
        if hasattr(self.agent, "new_game"):
            self.agent.new_game()

    def choose(self, view: View) -> int:
        self.agent.seed = self.seed
        started = time.perf_counter()
        move = self.agent.choose(view)
        self.seconds += time.perf_counter() - started
        self.decisions += 1
        return int(move)


@dataclass
class Pairs:
    """The result of some pairs: the agent's mean return per pair, and the seconds and decisions of both sides."""

    returns: list[float] = field(default_factory=list)
    seconds: np.ndarray = field(default_factory=lambda: np.zeros(2))
    decisions: np.ndarray = field(default_factory=lambda: np.zeros(2))


def with_simulations(spec: str, simulations: int) -> str:
    """Return an agent spec with the budget added, if the agent takes one and the spec does not set it."""
    name, params = parse_spec(spec)
    known = {option["key"] for option in describe(agent_class(name).options_class)}
    if "iterations" not in known or {"iterations", "seconds"} & set(params):
        return spec
    return f"{spec}{',' if params else ':'}iterations={simulations}"


def play_pairs(game: str, agent: str, simulations: int, factor: float, seeds: list[int]) -> Pairs:
    """Play pairs, one per seed."""
    engine = make_game("openspiel", game=game)
    uct_c = factor * (engine.rules.game.max_utility() - engine.rules.game.min_utility())
    sides = [Timed(make_agent(agent)), Timed(OpenSpielBot(engine.rules, simulations, uct_c))]
    result = Pairs()
    for seed in seeds:
        returns = [play(engine, sides[::step], seed).result.scores[seat] for seat, step in ((0, 1), (1, -1))]
        result.returns.append(sum(returns) / 2)
    result.seconds += [side.seconds for side in sides]
    result.decisions += [side.decisions for side in sides]
    return result


@command
def openspiel_match(*, games: Annotated[Sequence[str], "OpenSpiel's game strings of two-player games, with ; for ,"
                                        ] = GAMES,
                    agents: Annotated[Sequence[str], "agent specs of Sfida"] = AGENTS,
                    simulations: Annotated[int, "per decision, for both sides"] = 1000,
                    uct_c: Annotated[float, "exploration of the bot, in ranges of returns"] = 0.7,
                    pairs: Annotated[int, "pairs of games per cell"] = 200, seed: int = 1, jobs: int = 1) -> None:
    """Measure the mean return of agents against OpenSpiel's ISMCTS, in its units (chips or wins). Takes hours.

    openspiel-match                                     every game, ismcts and mo-ismcts
    openspiel-match --games leduc_poker --agents ismcts:c=1 --pairs 500 --simulations 2000

    A pair is two games with the same luck, the seats swapped; its result is the agent's mean return (OpenSpiel's own
    units: chips, or 1 for a win and -1 for a loss). The interval is the percentile bootstrap over pairs.

    The opponent is `pyspiel.ISMCTSBot` (C++) if OpenSpiel can determinize the game's information states. Otherwise it
    is the same algorithm in OpenSpiel's Python, `open_spiel.python.algorithms.ismcts`, with worlds drawn by Sfida's
    adapter: the same worlds for both sides. Both bots evaluate a new node by one random playout, keep no tree between
    decisions, and play the most visited move.

    Neither side is given the true state. An OpenSpiel bot takes a state, of which it uses only the information state;
    it gets a world drawn from its seat's view, which has the same information state. Its `uct_c` multiplies raw
    returns, Sfida's `c` win shares between 0 and 1: by default `uct_c` is 0.7 times the range of the game's returns,
    which is Sfida's own 0.7 in those units. `--uct-c` sets another factor.
    """
    width = max(map(len, games))
    names = max(map(len, agents))
    print(f"{simulations} simulations a decision, uct_c = {uct_c:g} * range, {pairs} pairs, seed {seed}")
    print(f"{'game':{width}}  {'agent':{names}}  bot     mean return  95 % interval        ms a move (agent, bot)")
    for number, game in enumerate(games):
        seeds = [derive(seed, number, pair) for pair in range(pairs)]
        for agent in agents:
            spec = with_simulations(agent, simulations)
            parts = list(run_all(play_pairs, [(game, spec, simulations, uct_c, seeds[job::jobs])
                                              for job in range(min(jobs, pairs))], jobs))
            returns = [value for part in parts for value in part.returns]
            speed = 1000 * sum(part.seconds for part in parts) / sum(part.decisions for part in parts)
            low, high = interval(returns, seed)
            bot = "C++" if bare_name(game) in RESAMPLED else "Python"
            print(f"{game:{width}}  {agent:{names}}  {bot:6}  {np.mean(returns):+11.4f}  [{low:+.4f}, {high:+.4f}]  "
                  f"{speed[0]:8.1f} {speed[1]:8.1f}", flush=True)


# ---- catanatron's bots ----------------------------------------------------------------------------------


BOTS = {
    "random": ("models.player", "RandomPlayer"),
    "weighted-random": ("players.weighted_random", "WeightedRandomPlayer"),
    "victory-point": ("players.search", "VictoryPointPlayer"),
}
CHECKOUT_BOTS = {
    "value": ("players.value", "ValueFunctionPlayer"),
    "alphabeta": ("players.minimax", "AlphaBetaPlayer"),
}
THINKING, DICE, OTHER = range(3)        # random streams of a game


@dataclass
class BlockResult:
    """The result of some blocks; seconds and decisions are those of the agent, then of the bots.

    Losses include the games of which the agent has lost track; strays are roads that catanatron allows and our rules
    forbid.
    """

    shares: list[float] = field(default_factory=list)
    wins: int = 0
    losses: int = 0
    unfinished: int = 0
    lost_track: int = 0
    strays: int = 0
    turned_down: int = 0
    turns: int = 0
    seconds: np.ndarray = field(default_factory=lambda: np.zeros(2))
    decisions: np.ndarray = field(default_factory=lambda: np.zeros(2))

    def add(self, other: BlockResult) -> None:
        """Add another result."""
        for name in vars(self):
            setattr(self, name, getattr(self, name) + getattr(other, name))


def bot(spec: str, color: Any) -> Any:
    """Return one of catanatron's players; raises InvalidOption for an unknown one."""
    name, params = parse_spec(spec)
    known = {**BOTS, **CHECKOUT_BOTS}
    if name not in known:
        raise InvalidOption(f"'{name}' is not a known bot of catanatron; the bots are: {', '.join(known)}")
    module, kind = known[name]
    try:
        return getattr(part(module), kind)(color, **params)
    except CatanatronError as error:
        if name in CHECKOUT_BOTS:
            raise CatanatronError(f"the bot '{name}' is in catanatron's repository, not in the package: name a "
                                  "checkout with --catanatron-repo") from error
        raise


def play_block(agent: str, spec: str, players: int, seed: int) -> BlockResult:
    """Play a game with the agent on each seat, all with the same luck."""
    result = BlockResult()
    won = sum(play_game(agent, spec, players, place, seed, result) for place in range(players))
    result.shares.append(won / players)
    return result


def play_game(agent: str, spec: str, players: int, place: int, seed: int, result: BlockResult) -> float:
    """Play one game; return the agent's win share and add everything else to the result."""
    from sfida.catanatron import SfidaPlayer

    colors = list(library().Color)[:players]
    mine = SfidaPlayer(colors[place], agent, seed=derive(seed, place) % 2**32)
    seats = [mine if k == place else bot(spec, color) for k, color in enumerate(colors)]
    game = library().Game(seats, seed=1 + seed % 2**31)
    limit, rolls, ply, lost_track = part("game").TURNS_LIMIT, 0, 0, False
    while game.winning_color() is None and game.state.num_turns < limit:
        player, choices = game.state.current_player(), playable(game)
        random.seed(derive(seed, THINKING, ply))
        started = time.perf_counter()
        try:
            action = player.decide(game, choices)
        except LostTrack:
            lost_track = True
            break
        side = 0 if player is mine else 1
        if len(choices) > 1:
            result.seconds[side] += time.perf_counter() - started
            result.decisions[side] += 1
        is_roll = action.action_type.name == "ROLL"
        random.seed(derive(seed, DICE, rolls) if is_roll else derive(seed, OTHER, ply))
        rolls += is_roll
        ply += 1
        game.execute(action)
    winner = game.winning_color()
    result.wins += winner == mine.color
    result.losses += lost_track or winner not in (None, mine.color)
    result.unfinished += winner is None and not lost_track
    result.lost_track += lost_track
    result.strays += mine.strays
    result.turned_down += mine.turned_down
    result.turns += game.state.num_turns
    return 1 / players if winner is None and not lost_track else float(winner == mine.color)


def play_blocks(agent: str, spec: str, players: int, seeds: list[int], checkout: Path | None) -> BlockResult:
    """Play one block for each seed."""
    if checkout is not None:
        use_checkout(checkout)
    result = BlockResult()
    for seed in seeds:
        result.add(play_block(agent, spec, players, seed))
    return result


@command
def catanatron_match(*, agents: Annotated[Sequence[str], "agent specs of Sfida"] = ("ismcts:iterations=1000",),
                     bots: Annotated[Sequence[str], "random, weighted-random, victory-point; with a checkout also "
                                     "value, alphabeta:depth=2 (all that are available)"] = (),
                     players: Annotated[int, click.IntRange(2, 4), "seats"] = 2,
                     blocks: Annotated[int, "blocks of one game per seat"] = 25, seed: int = 1, jobs: int = 1,
                     catanatron_repo: Annotated[Path | None, "checkout of catanatron's repository"] = None,
                     json_: Annotated[bool, "--json", "print one JSON object a match"] = False) -> None:
    """Measure the share of wins of agents among catanatron's bots, in games that catanatron runs. Takes an hour.

    catanatron-match                                    the bots of the package catanatron
    catanatron-match --agents ismcts:iterations=2000 --blocks 50 --players 4
    catanatron-match --catanatron-repo ~/catanatron --bots value alphabeta:depth=2

    A block has one game per seat of the agent: with the same board, the same order of the development deck and the same
    dice, the agent takes every seat once and the bot takes all others. The result is the agent's share of the wins; a
    game that reaches catanatron's turn limit counts 1/n, and one that the agent cannot follow to its end is lost. The
    interval is the 95 % percentile bootstrap over blocks.

    The agent sees only its seat's view (see docs/measure/catanatron.md). catanatron gives its bots the whole game:
    `value` and `alphabeta` look at hidden cards. These two are in catanatron's repository (GPL), not in the package:
    they are loaded from a checkout that the user names, and Sfida contains none of their code.
    """
    if catanatron_repo is not None:
        use_checkout(catanatron_repo)
    bots = bots or [*BOTS, *(CHECKOUT_BOTS if catanatron_repo is not None else ())]
    for spec in bots:
        bot(spec, next(iter(library().Color)))
    for spec in agents:
        make_agent(spec)
    widths = max(map(len, agents)), max(map(len, bots))
    if not json_:
        print(f"{players} players, {blocks} blocks of {players} games, seed {seed}, catanatron from "
              f"{Path(library().__file__ or '').parent}")
        print(f"{'agent':{widths[0]}}  {'bot':{widths[1]}}  share  95 % interval   won-lost-open  lost track  strays  "
              f"turned down  turns  ms a move (agent, bot)")
    for number, spec in enumerate(bots):
        seeds = [derive(seed, number, block) for block in range(blocks)]
        for agent in agents:
            result = BlockResult()
            for one in run_all(play_blocks, [(agent, spec, players, seeds[job::jobs], catanatron_repo)
                                             for job in range(min(jobs, blocks))], jobs):
                result.add(one)
            low, high = interval(result.shares, seed)
            games = result.wins + result.losses + result.unfinished
            speed = 1000 * result.seconds / np.maximum(result.decisions, 1)
            if json_:
                print(json.dumps({"agent": agent, "bot": spec, "players": players, "games": games,
                                  "win_share": float(np.mean(result.shares)), "ci95": [low, high],
                                  "ms_per_move": speed.tolist()}), flush=True)
                continue
            scores = f"{result.wins}-{result.losses}-{result.unfinished}"
            print(f"{agent:{widths[0]}}  {spec:{widths[1]}}  {np.mean(result.shares):5.3f}  [{low:.3f}, {high:.3f}]  "
                  f"{scores:>13}  {result.lost_track:10}  {result.strays:6}  {result.turned_down:11}  "
                  f"{result.turns / games:5.0f}  {speed[0]:8.1f} {speed[1]:8.1f}", flush=True)


# ---- catanatron's games ---------------------------------------------------------------------------------


@dataclass
class Replayed:
    """The result of some games."""

    games: int = 0
    actions: int = 0
    comparisons: int = 0
    broken: int = 0
    seconds: float = 0.0
    found: Counter[str] = field(default_factory=Counter)
    games_with: Counter[str] = field(default_factory=Counter)

    def add(self, other: Replayed) -> None:
        """Add another result."""
        for name in ("games", "actions", "comparisons", "broken", "seconds", "found", "games_with"):
            setattr(self, name, getattr(self, name) + getattr(other, name))


def replay_games(players: int, seeds: list[int], checkout: Path | None) -> Replayed:
    """Replay one game per seed."""
    if checkout is not None:
        use_checkout(checkout)
    catanatron = library()
    whole = Replayed()
    started = time.process_time()
    for seed in seeds:
        colors = list(catanatron.Color)[:players]
        replay = Replay(catanatron.Game([catanatron.RandomPlayer(color) for color in colors], seed=seed))
        found = replay.run()
        whole.add(Replayed(1, replay.actions, replay.comparisons, int(replay.broken), 0.0, found, Counter(list(found))))
    whole.seconds = time.process_time() - started
    return whole


@command
def catanatron_replay(*, games: Annotated[int, "games for each number of players"] = 1000,
                      players: Annotated[Sequence[int], click.IntRange(2, 4)] = (2, 3, 4),
                      seed: Annotated[int, "seed of the first game"] = 1, jobs: int = 1,
                      catanatron_repo: Annotated[Path | None, "checkout of catanatron's repository"] = None) -> int:
    """Count the differences of catanatron's random games from Sfida's rules (ZAR-24.7). Takes half an hour.

    catanatron-replay                                     1000 games for 2, 3 and 4 players
    catanatron-replay --games 300 --players 4 --jobs 2
    catanatron-replay --catanatron-repo ~/catanatron      a checkout instead of the package

    After every action the positions are compared (hands, bank, cards, pieces, robber, army, points, the seat to decide,
    and the Longest Road as catanatron counts it), and before every decision the legal moves. The exit code is 1 if
    anything differs that section 24.4 of the rules does not explain.

    catanatron's games are not reproducible from their seed: they depend on Python's hashes of strings and of None. To
    get the same games again, set PYTHONHASHSEED and turn off address randomisation (`setarch -R`).
    """
    if catanatron_repo is not None:
        use_checkout(catanatron_repo)
    print(f"catanatron from {Path(library().__file__ or '').parent}, "
          f"PYTHONHASHSEED={os.environ.get('PYTHONHASHSEED', 'random')}")
    unexplained = 0
    for many in players:
        seeds = list(range(seed, seed + games))
        whole = Replayed()
        for one in run_all(replay_games, [(many, seeds[job::4 * jobs], catanatron_repo)
                                          for job in range(min(4 * jobs, games))], jobs):
            whole.add(one)
        print(f"\n{many} players: {whole.games} games, {whole.actions} actions, {whole.comparisons} lists of legal "
              f"moves compared, {whole.seconds:.0f} s of processor time; {whole.broken} could not be followed to "
              "the end", flush=True)
        for what, count in sorted(whole.found.items(), key=lambda item: (item[0] not in EXPECTED, item[0])):
            known = what in EXPECTED
            unexplained += not known
            unit = "games" if what == ROAD_HOLDER else f"times in {whole.games_with[what]} games"
            print(f"  {'rule difference' if known else 'UNEXPLAINED'}  {what}: {count} {unit}", flush=True)
    print("\nno difference without an explanation" if not unexplained else f"\n{unexplained} kinds UNEXPLAINED")
    return 1 if unexplained else 0


def plain(value: Any, seats: dict[Any, int]) -> Any:
    """Return the value of an action as JSON: colours become seats."""
    if isinstance(value, library().Color):
        return seats[value]
    return [plain(each, seats) for each in value] if isinstance(value, (tuple, list)) else value


def holdings(state: Any) -> dict[str, Any]:
    """Return the holdings in the package's state: bank, deck, robber, and per seat hand, cards, pieces, points."""
    enums, rows = part("models.enums"), []
    for i in range(len(state.colors)):
        one = {key[3:]: value for key, value in state.player_state.items() if key.startswith(f"P{i}_")}
        rows.append([
            [one[f"{r}_IN_HAND"] for r in enums.RESOURCES],
            [one[f"{d}_IN_HAND"] for d in enums.DEVELOPMENT_CARDS],
            [one[f"PLAYED_{d}"] for d in enums.DEVELOPMENT_CARDS],
            [one["ROADS_AVAILABLE"], one["SETTLEMENTS_AVAILABLE"], one["CITIES_AVAILABLE"]],
            one["VICTORY_POINTS"], int(one["HAS_ROAD"]), int(one["HAS_ARMY"]), one["LONGEST_ROAD_LENGTH"]])
    return {"bank": list(state.resource_freqdeck), "deck": len(state.development_listdeck), "seats": rows,
            "robber": list(state.board.robber_coordinate), "to_move": state.current_player_index,
            "prompt": state.current_prompt.value}


def log_game(players: int, seed: int) -> dict[str, Any]:
    """Play a random game and return its log."""
    catanatron = library()
    colors = [getattr(catanatron.Color, name) for name in ("RED", "BLUE", "WHITE", "ORANGE")]
    game = catanatron.Game([catanatron.RandomPlayer(color) for color in colors[:players]], seed=seed)
    state = game.state
    seats = {color: i for i, color in enumerate(state.colors)}
    tiles = [[list(where), tile.resource, tile.number] for where, tile in state.board.map.land_tiles.items()]
    ports = [[port.id, port.resource] for port in state.board.map.tiles.values() if hasattr(port, "direction")]
    actions = []
    while game.winning_color() is None and state.num_turns < part("game").TURNS_LIMIT:
        prompt = state.current_prompt.value
        listed = [[action.action_type.value, plain(action.value, seats)] for action in state.playable_actions]
        action = game.play_tick()
        actions.append({"seat": seats[action.color], "type": action.action_type.value,
                        "value": plain(action.value, seats), "listed": listed if prompt != "DISCARD" else None,
                        "after": holdings(state)})
    return {"players": players, "seed": seed, "tiles": tiles, "ports": ports, "actions": actions}


@command
def catanatron_log(games: int, path: Path, *, seed: int = 1) -> None:
    """Log random games of catanatron 3.2.1 as lines of JSON, for the tests of Zarahemla (ZAR-24). Takes seconds.

    PYTHONHASHSEED=0 python -m bench catanatron-log 1 tests/golden/catanatron.jsonl.gz

    GAMES is for each of 2, 3 and 4 players. A line holds the board and for each action the actor, the package's name of
    it, the actions that it listed as playable, and its holdings afterwards.
    """
    with gzip.GzipFile(path, "wb", mtime=0) as file:
        for number in range(seed, seed + games):
            for players in (2, 3, 4):
                random.seed(number)
                file.write(json.dumps(log_game(players, number), separators=(",", ":")).encode() + b"\n")
