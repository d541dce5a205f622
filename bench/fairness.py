"""The price of fairness: what a search would gain by looking at the cards of other seats.

    python bench/fairness.py zarahemla:players=4 --iterations 500 --blocks 50

One seat cheats: its worlds are the true position, hands and cards included, while coming chance events stay unknown.
The others, the same agent, sample their worlds by the rules of the game. A block has one game per seat, with the same
luck and the cheat on each seat once; the interval is the 95 % percentile bootstrap over blocks. No agent of Sfida can
do this: agents get views, which hold nothing that their seat may not see.
"""

from __future__ import annotations

import argparse

import joblib
from intervals import interval

from sfida.ai.chance import SeededChance
from sfida.ai.search import IsmctsOptions, search_for
from sfida.cython_ext.errors import SfidaError
from sfida.cython_ext.rng import derive
from sfida.cython_ext.state import GameState
from sfida.engines.registry import make_game


def choose(state: GameState, iterations: int, seed: int, cheats: bool) -> int:
    """Search for the seat to move and return the most visited move."""
    moves = state.legal_moves()
    if len(moves) == 1:
        return moves[0]
    search = search_for(state.view(state.to_move), IsmctsOptions(iterations=iterations), seed,
                        worlds=[state.clone()] if cheats else None)
    search.run(iterations=iterations)
    return max(search.root(), key=lambda row: row[1])[0]


def play(spec: str, iterations: int, seed: int, cheat: int) -> float:
    """Play one game and return the win share of the cheating seat."""
    state, luck, ply = make_game(spec).initial_state(), SeededChance(derive(seed, 1)), 0
    while not state.is_over:
        if state.is_chance:
            state.apply(luck.draw(state))
        else:
            state.apply(choose(state, iterations, derive(seed, 2, ply), state.to_move == cheat))
        ply += 1
    shares = state.utilities()
    assert shares is not None
    return shares[cheat]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", help="a game with hidden information")
    parser.add_argument("--iterations", type=int, default=500)
    parser.add_argument("--blocks", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    args = parser.parse_args()
    if args.iterations < 1 or args.blocks < 2 or args.jobs < 1:
        parser.error("--iterations and --jobs must be positive, --blocks at least 2")
    try:
        players = make_game(args.game).players
    except SfidaError as error:
        parser.error(str(error))
    won = joblib.Parallel(n_jobs=args.jobs)(
        joblib.delayed(play)(args.game, args.iterations, derive(args.seed, block), cheat)
        for block in range(args.blocks) for cheat in range(players))
    blocks = [sum(won[i:i + players]) / players for i in range(0, len(won), players)]
    low, high = interval(blocks, args.seed)
    print(f"{args.game}, {args.iterations} iterations, {args.blocks * players} games: "
          f"the cheat wins {sum(won) / len(won):.1%} [{low:.1%}, {high:.1%}], fair is {1 / players:.1%}")


if __name__ == "__main__":
    main()
