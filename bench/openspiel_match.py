"""Sfida's agents against OpenSpiel's own information set MCTS, at the same number of simulations.

    python bench/openspiel_match.py                                     every game, ismcts and mo-ismcts
    python bench/openspiel_match.py --games leduc_poker --agents ismcts:c=1 --pairs 500 --simulations 2000

A pair is two games with the same luck, the seats swapped; its result is the agent's mean return (OpenSpiel's own
units: chips, or 1 for a win and -1 for a loss). The interval is the percentile bootstrap over pairs.

The opponent is `pyspiel.ISMCTSBot` (C++) if OpenSpiel can determinize the game's information states. Otherwise it is
the same algorithm in OpenSpiel's Python, `open_spiel.python.algorithms.ismcts`, with worlds drawn by Sfida's
adapter: the same worlds for both sides. Both bots evaluate a new node by one random playout, keep no tree between
decisions, and play the most visited move.

Neither side is given the true state. An OpenSpiel bot takes a state, of which it uses only the information state;
it gets a world drawn from its seat's view, which has the same information state. Its `uct_c` multiplies raw returns,
Sfida's `c` win shares between 0 and 1: by default `uct_c` is 0.7 times the range of the game's returns, which is
Sfida's own 0.7 in those units. `--uct-c` sets another factor.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass, field
from typing import Any

import joblib
import numpy as np
import pyspiel
from intervals import interval
from open_spiel.python.algorithms import ismcts as python_ismcts
from open_spiel.python.algorithms import mcts as python_mcts

from sfida.ai.registry import agent as make_agent
from sfida.ai.registry import agent_class
from sfida.ai.table import play
from sfida.cython_ext.rng import Random, derive
from sfida.cython_ext.state import View
from sfida.engines.openspiel.library import Rules, bare_name
from sfida.engines.python_game import position_of
from sfida.engines.registry import make_game
from sfida.engines.spec import describe, parse_spec

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
    rules : Rules
        The game.
    simulations : int
        Simulations per decision.
    uct_c : float
        Exploration, in units of returns.
    """

    def __init__(self, rules: Rules, simulations: int, uct_c: float) -> None:
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
        seed = self.seed % 2**31
        observing = not self.rules.perfect_recall
        return pyspiel.ISMCTSBot(
            seed=seed, evaluator=pyspiel.RandomRolloutEvaluator(1, seed), uct_c=self.uct_c,
            max_simulations=self.simulations, final_policy_type=pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT,
            use_observation_string=observing, allow_inconsistent_action_sets=observing)

    def python_bot(self, view: View, rng: Random) -> Any:
        numbers = np.random.RandomState(self.seed % 2**32)
        observing = not self.rules.perfect_recall
        bot = python_ismcts.ISMCTSBot(
            self.rules.game, python_mcts.RandomRolloutEvaluator(1, numbers), self.uct_c, self.simulations,
            random_state=numbers, final_policy_type=python_ismcts.ISMCTSFinalPolicyType.MAX_VISIT_COUNT,
            use_observation_string=observing, allow_inconsistent_action_sets=observing)
        bot.set_resampler(lambda state, player: position_of(view.sample(rng)).node.state.clone())
        return bot


class Timed:
    """An agent whose thinking time is summed."""

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
class Result:
    """The result of some pairs: the agent's mean return of each, and both sides' seconds and decisions."""

    returns: list[float] = field(default_factory=list)
    seconds: np.ndarray = field(default_factory=lambda: np.zeros(2))
    decisions: np.ndarray = field(default_factory=lambda: np.zeros(2))


def with_simulations(spec: str, simulations: int) -> str:
    """Return an agent spec with the budget, if the agent takes one and the spec does not set it."""
    name, params = parse_spec(spec)
    known = {option["key"] for option in describe(agent_class(name).options_class)}
    if "iterations" not in known or {"iterations", "seconds"} & set(params):
        return spec
    return f"{spec}{',' if params else ':'}iterations={simulations}"


def play_pairs(game: str, agent: str, simulations: int, factor: float, seeds: list[int]) -> Result:
    """Play pairs, one per seed."""
    engine = make_game("openspiel", game=game)
    uct_c = factor * (engine.rules.game.max_utility() - engine.rules.game.min_utility())
    sides = [Timed(make_agent(agent)), Timed(OpenSpielBot(engine.rules, simulations, uct_c))]
    result = Result()
    for seed in seeds:
        returns = [play(engine, sides[::step], seed).result.scores[seat] for seat, step in ((0, 1), (1, -1))]
        result.returns.append(sum(returns) / 2)
    result.seconds += [side.seconds for side in sides]
    result.decisions += [side.decisions for side in sides]
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", nargs="+", default=GAMES, metavar="GAME",
                        help="OpenSpiel's game strings of two-player games, with ; for ,")
    parser.add_argument("--agents", nargs="+", default=AGENTS, metavar="SPEC", help="agent specs of Sfida")
    parser.add_argument("--simulations", type=int, default=1000, help="simulations per decision, for both sides (1000)")
    parser.add_argument("--uct-c", type=float, default=0.7, help="exploration of the bot, in ranges of returns (0.7)")
    parser.add_argument("--pairs", type=int, default=200, help="pairs of games per cell (200)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    args = parser.parse_args()

    width = max(map(len, args.games))
    names = max(map(len, args.agents))
    print(f"{args.simulations} simulations a decision, uct_c = {args.uct_c:g} * range, {args.pairs} pairs, "
          f"seed {args.seed}")
    print(f"{'game':{width}}  {'agent':{names}}  bot     mean return  95 % interval        ms a move (agent, bot)")
    for number, game in enumerate(args.games):
        seeds = [derive(args.seed, number, pair) for pair in range(args.pairs)]
        for agent in args.agents:
            spec = with_simulations(agent, args.simulations)
            parts = joblib.Parallel(n_jobs=args.jobs)(
                joblib.delayed(play_pairs)(game, spec, args.simulations, args.uct_c, seeds[job::args.jobs])
                for job in range(min(args.jobs, args.pairs)))
            returns = [value for part in parts for value in part.returns]
            speed = 1000 * sum(part.seconds for part in parts) / sum(part.decisions for part in parts)
            low, high = interval(returns, args.seed)
            bot = "C++" if bare_name(game) in RESAMPLED else "Python"
            print(f"{game:{width}}  {agent:{names}}  {bot:6}  {np.mean(returns):+11.4f}  [{low:+.4f}, {high:+.4f}]  "
                  f"{speed[0]:8.1f} {speed[1]:8.1f}", flush=True)


if __name__ == "__main__":
    main()
