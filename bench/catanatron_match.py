"""Sfida's agents against catanatron's own bots, in games that catanatron runs.

    python bench/catanatron_match.py                                    the bots of the package catanatron
    python bench/catanatron_match.py --agents ismcts:iterations=2000 --blocks 50 --players 4
    python bench/catanatron_match.py --catanatron-repo ~/catanatron --bots value alphabeta:depth=2

A block has one game per seat of the agent: with the same board, the same order of the development deck and the same
dice, the agent takes every seat once and the bot takes all others. The result is the agent's share of the wins; a game
that reaches catanatron's turn limit counts 1/n, and one that the agent cannot follow to its end is lost. The interval
is the 95 % percentile bootstrap over blocks.

The agent sees only its seat's view (see docs/catanatron.md). catanatron gives its bots the whole game: `value` and
`alphabeta` look at hidden cards. These two are in catanatron's repository (GPL), not in the package: they are loaded
from a checkout that the user names, and Sfida contains none of their code.
"""

from __future__ import annotations

import argparse
import random
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import joblib
import numpy as np
from intervals import interval

from sfida.ai.registry import agent as make_agent
from sfida.cython_ext.errors import InvalidOption
from sfida.cython_ext.rng import derive
from sfida.engines.spec import parse_spec
from sfida.engines.zarahemla.catanatron.library import CatanatronError, LostTrack, library, part, playable, use_checkout

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
class Result:
    """The result of some blocks; seconds and decisions are those of the agent and of the bots.

    Losses include the games of which the agent has lost track; strays are roads that the table allowed against our
    rules.
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

    def add(self, other: Result) -> None:
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


def play_block(agent: str, spec: str, players: int, seed: int) -> Result:
    """Play a game with the agent on each seat, all with the same luck."""
    result = Result()
    won = sum(play_game(agent, spec, players, place, seed, result) for place in range(players))
    result.shares.append(won / players)
    return result


def play_game(agent: str, spec: str, players: int, place: int, seed: int, result: Result) -> float:
    """Play one game; return the agent's share of the win and add everything else to the result."""
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


def play_blocks(agent: str, spec: str, players: int, seeds: list[int], checkout: Path | None) -> Result:
    """Play one block for each seed."""
    if checkout is not None:
        use_checkout(checkout)
    result = Result()
    for seed in seeds:
        result.add(play_block(agent, spec, players, seed))
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--agents", nargs="+", default=["ismcts:iterations=1000"], metavar="SPEC",
                        help="agent specs of Sfida")
    parser.add_argument("--bots", nargs="+", metavar="BOT", help="random, weighted-random, victory-point; with a "
                        "checkout also value, alphabeta:depth=2 (default: all that are available)")
    parser.add_argument("--players", type=int, default=2, choices=(2, 3, 4), help="seats (2)")
    parser.add_argument("--blocks", type=int, default=25, help="blocks of one game per seat (25)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--catanatron-repo", type=Path, metavar="PATH", help="checkout of catanatron's repository")
    args = parser.parse_args()

    if args.catanatron_repo is not None:
        use_checkout(args.catanatron_repo)
    bots = args.bots or [*BOTS, *(CHECKOUT_BOTS if args.catanatron_repo is not None else ())]
    for spec in bots:
        bot(spec, next(iter(library().Color)))
    for spec in args.agents:
        make_agent(spec)
    print(f"{args.players} players, {args.blocks} blocks of {args.players} games, seed {args.seed}, catanatron from "
          f"{Path(library().__file__ or '').parent}")
    widths = max(map(len, args.agents)), max(map(len, bots))
    print(f"{'agent':{widths[0]}}  {'bot':{widths[1]}}  share  95 % interval   won-lost-open  lost track  strays  "
          f"turned down  turns  ms a move (agent, bot)")
    for number, spec in enumerate(bots):
        seeds = [derive(args.seed, number, block) for block in range(args.blocks)]
        for agent in args.agents:
            result = Result()
            for one in joblib.Parallel(n_jobs=args.jobs)(
                    joblib.delayed(play_blocks)(agent, spec, args.players, seeds[job::args.jobs], args.catanatron_repo)
                    for job in range(min(args.jobs, args.blocks))):
                result.add(one)
            low, high = interval(result.shares, args.seed)
            games = result.wins + result.losses + result.unfinished
            speed = 1000 * result.seconds / np.maximum(result.decisions, 1)
            scores = f"{result.wins}-{result.losses}-{result.unfinished}"
            print(f"{agent:{widths[0]}}  {spec:{widths[1]}}  {np.mean(result.shares):5.3f}  [{low:.3f}, {high:.3f}]  "
                  f"{scores:>13}  {result.lost_track:10}  {result.strays:6}  {result.turned_down:11}  "
                  f"{result.turns / games:5.0f}  {speed[0]:8.1f} {speed[1]:8.1f}", flush=True)


if __name__ == "__main__":
    main()
