"""Parameters of a search against its defaults: what is a value worth in a game?

    python bench/defaults.py attila:players=2 chance_depth=0 fpu=0.2,c_prior=0.7    each against the defaults
    python bench/defaults.py carcassonne cutoff=-1 --against cutoff=7 --equal time
    python bench/defaults.py risiko:players=3 bids=regret --agent mo-ismcts --iterations 500 -n 400

Each candidate takes one seat among copies of the agent that it is compared with, on common luck, until a sequential
test of the results without luck has decided or the games are used up. One row of a table is printed for each: the lead
in Elo with its 95 % interval, the games, and the verdict: H1 (it leads by elo1), H0 (by elo0), or undecided.

`--equal iterations` asks whether a parameter makes better use of each iteration, `--equal time` whether it is worth
what it costs: the candidate gets as many iterations as take the same processor time, measured at positions of random
games. Neither needs an idle machine.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence

import sfida
from sfida.ai.arena.lead import lead_of
from sfida.ai.arena.run import tournament
from sfida.ai.arena.sequential import SprtOptions
from sfida.ai.benching import sample_decisions
from sfida.engines.registry import make_game

QUESTION = "elo0=0,elo1=35"
POSITIONS = 40              # at which iterations are timed
HEAD = ("| game | players | candidate | against | games | Elo without luck [95 %] | verdict |\n"
        "|---|---|---|---|---|---|---|")


def spec_of(agent: str, iterations: int, parameters: str) -> str:
    """Return the spec of an agent with a budget and parameters, both as `k=v,k=v`."""
    return f"{agent}:iterations={iterations}" + (f",{parameters}" if parameters else "")


def seconds_for(game: str, spec: str, seed: int) -> float:
    """Return the processor time that an agent takes for decisions of random games."""
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


def row(game: str, candidate: str, args: argparse.Namespace) -> str:
    """Play a candidate's games and return its row."""
    second = spec_of(args.agent, args.iterations, args.against)
    iterations = args.iterations
    if args.equal == "time":
        cost = seconds_for(game, spec_of(args.agent, iterations, candidate), args.seed)
        iterations = max(1, round(iterations * seconds_for(game, second, args.seed) / cost))
    first = spec_of(args.agent, iterations, candidate)
    table = tournament(game, [first, second], args.games, args.seed, args.jobs, mode="gauntlet",
                       sprt=args.sprt, strict=True).standings
    lead = lead_of(table)
    assert table.sprt is not None
    return (f"| {make_game(game).title} | {table.players} | `{first}` | `{second}` | {table.games} | "
            f"{lead}{'' if lead.fair else ' (with luck)'} | {table.sprt.verdict} "
            f"({args.sprt.elo0:g} or {args.sprt.elo1:g}) |")


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("game")
    made.add_argument("candidates", nargs="+", metavar="PARAMETERS", help="such as c_prior=2 or cutoff=-1,blend=0.3")
    made.add_argument("--agent", default="ismcts")
    made.add_argument("--against", default="", metavar="PARAMETERS", help="instead of the defaults")
    made.add_argument("--iterations", type=int, default=500, help="budget of the agent that it is compared with")
    made.add_argument("--equal", choices=["iterations", "time"], default="iterations")
    made.add_argument("-n", "--games", type=int, default=200, help="most games of a candidate")
    made.add_argument("--sprt", default=QUESTION, help=f"the question of the test (default: {QUESTION})")
    made.add_argument("--seed", type=int, default=1)
    made.add_argument("-j", "--jobs", type=int, default=1)
    made.add_argument("--no-head", action="store_true", help="print rows alone")
    return made


def main(argv: Sequence[str] | None = None) -> int:
    args = parser().parse_args(argv)
    args.sprt = SprtOptions.parse(f"{args.sprt},adjusted=true")
    for candidate in args.candidates:       # refuse all that is wrong before the first game
        sfida.agent(spec_of(args.agent, args.iterations, candidate))
    if not args.no_head:
        print(HEAD)
    for candidate in args.candidates:
        print(row(args.game, candidate, args), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
