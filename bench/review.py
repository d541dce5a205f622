"""Do reviews tell strong play from weak? The loss per decision of agents of different strength, by a deeper search.

    python bench/review.py                                             the five games, ismcts of 1000, 100 and 10
    python bench/review.py --games carcassonne --agents level:10 level:5 level:1 --deeper 20000

Agents are given from the strongest to the weakest. They meet in games in which each sits at each seat as often; some of
the decisions of each are drawn and judged by searches of `--deeper` iterations, which should be ten times what the
strongest agent has. A figure is the mean loss of a decision in % of the win, ± two standard errors over the games, and
the mean accuracy. "less" says by how many standard errors each agent loses less than the one after it; the program
fails if a weaker agent loses clearly less.

Fewer decisions are enough where all agents decide in the same positions: those of games that one plays against itself.

    python bench/review.py --agents level:10 level:5 level:1 --positions-of level:5 -n 8 --drawn 5
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from itertools import zip_longest

import numpy as np
from numpy.typing import NDArray
from specs import FIVE

import sfida
from sfida.ai.review.judge import Event, SearchJudge, played_to_the_end
from sfida.ai.review.model import Effort, Verdict, accuracy
from sfida.cython_ext.rng import derive
from sfida.engines.registry import make_game

Floats = NDArray[np.float64]
AGENTS = ("ismcts:iterations=1000", "ismcts:iterations=100", "ismcts:iterations=10")
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
    """Return the same of agents that decide in the same positions, drawn from games of `of` against itself."""
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
    """Return by how many standard errors the first loses less; `same`: in the same positions."""
    means = [_means(first), _means(second)]
    error = _error(means[1] - means[0]) if same else float(np.hypot(*map(_error, means)))
    return float(means[1].mean() - means[0].mean()) / max(1e-9, error)


def _means(by_game: Sequence[Sequence[Verdict]]) -> Floats:
    return np.array([np.mean([verdict.loss for verdict in verdicts]) for verdicts in by_game if verdicts])


def _error(means: Floats) -> float:
    return float(means.std(ddof=1) / np.sqrt(len(means)))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", nargs="+", default=list(FIVE), metavar="GAME")
    parser.add_argument("--agents", nargs="+", default=list(AGENTS), metavar="AGENT")
    parser.add_argument("-n", "--number", type=int, default=12, help="games")
    parser.add_argument("--drawn", type=int, default=20, help="decisions of each seat of a game that are judged")
    parser.add_argument("--positions-of", metavar="AGENT", help="decide in positions of games of this agent")
    parser.add_argument("--deeper", type=int, default=10_000, help="iterations of the judge")
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    wrong = 0
    for game in chosen.games:
        rest = chosen.number, chosen.drawn, Effort(chosen.deeper), chosen.seed
        found = (losses_in(game, chosen.agents, chosen.positions_of, *rest) if chosen.positions_of
                 else losses(game, chosen.agents, *rest))
        for agent, after in zip_longest(chosen.agents, chosen.agents[1:]):
            loss, error, accurate = mean_loss(found[agent])
            by = None if after is None else less(found[agent], found[after], bool(chosen.positions_of))
            wrong += by is not None and by < -SURE
            print(f"{game:28} {agent:28} loss {100 * loss:6.3f} ± {100 * SURE * error:.3f} %  accuracy {accurate:5.1f}"
                  f"{'' if by is None else f'  less by {by:.1f}'}", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
