"""What trading with other players is worth to an agent in The Settlers of Zarahemla.

    python bench/trade_worth.py --agent ismcts:iterations=500 --players 4 --blocks 50

One seat never trades with other players: it makes no offers and rejects all, and takes its next best move instead.
The others are the same agent and trade freely. If trading helps those who trade, the abstainer wins less than its
fair share. A block has one game per seat, with the same luck and the abstainer on each seat once; the interval is the
95 % percentile bootstrap over blocks.
"""

from __future__ import annotations

import argparse

import joblib
from intervals import interval

from sfida.ai.chance import SeededChance
from sfida.ai.registry import agent as make_agent
from sfida.cython_ext.errors import SfidaError
from sfida.cython_ext.rng import derive
from sfida.cython_ext.state import View
from sfida.engines.registry import make_game
from sfida.engines.zarahemla.position import decode

TRADES = {"trade_open", "trade_accept", "trade_counter"}


def choose(spec: str, view: View, seed: int, abstains: bool) -> int:
    """Return the agent's move; for an abstainer the best one that is not a trade between players."""
    moves = view.legal_moves()
    if len(moves) == 1:
        return moves[0]
    rows = make_agent(spec, seed=seed).analyze(view).moves
    return next((row.code for row in rows if not abstains or decode(row.code).kind not in TRADES), moves[0])


def play(spec: str, agent: str, seed: int, abstainer: int) -> tuple[float, int]:
    """Play one game; return the win share of the abstainer and the number of deals."""
    state, luck, ply, deals = make_game(spec).initial_state(), SeededChance(derive(seed, 1)), 0, 0
    while not state.is_over:
        if state.is_chance:
            state.apply(luck.draw(state))
        else:
            seat = state.to_move
            move = choose(agent, state.view(seat), derive(seed, 2, ply), seat == abstainer)
            deals += decode(move).kind == "trade_pick"
            state.apply(move)
        ply += 1
    shares = state.utilities()
    assert shares is not None
    return shares[abstainer], deals


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--agent", default="ismcts:iterations=500")
    parser.add_argument("--players", type=int, default=4, choices=(2, 3, 4))
    parser.add_argument("--blocks", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    args = parser.parse_args()
    if args.blocks < 2 or args.jobs < 1:
        parser.error("--blocks must be at least 2 and --jobs positive")
    try:
        make_agent(args.agent)
    except SfidaError as error:
        parser.error(str(error))
    spec = f"settlers_of_zarahemla:players={args.players}"
    played = joblib.Parallel(n_jobs=args.jobs)(
        joblib.delayed(play)(spec, args.agent, derive(args.seed, block), seat)
        for block in range(args.blocks) for seat in range(args.players))
    won = [share for share, _ in played]
    low, high = interval([sum(won[i:i + args.players]) / args.players for i in range(0, len(won), args.players)],
                         args.seed)
    deals = sum(deals for _, deals in played) / len(played)
    print(f"{spec}, {args.agent}, {len(played)} games with {deals:.1f} deals each: the seat that never trades wins "
          f"{sum(won) / len(won):.1%} [{low:.1%}, {high:.1%}], fair is {1 / args.players:.1%}")


if __name__ == "__main__":
    main()
