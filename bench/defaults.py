"""Parameters of a search against its defaults: what is a value worth in a game?

    python bench/defaults.py attila:players=2 chance_depth=0 fpu=0.2,c_prior=0.7    each against the defaults
    python bench/defaults.py carcassonne cutoff=-1 --against cutoff=7 --equal time
    python bench/defaults.py risiko:players=3 bids=ucb --agent mo-ismcts --iterations 500 -n 400
    python bench/defaults.py --every --equal time --ms 10 -n 48 --sprt elo0=0,elo1=70 --store FILE

Each candidate takes one seat among copies of the agent that it is compared with, on common luck, until a sequential
test of the results without luck has decided or the games are used up. One row of a table is printed for each: the lead
in Elo with its 95 % interval, the games, and the verdict: H1 (it leads by elo1), H0 (by elo0), or undecided.

`--equal iterations` asks whether a parameter makes better use of each iteration, `--equal time` whether it is worth
what it costs: the candidate gets as many iterations as take the same processor time, measured at positions of random
games. Neither needs an idle machine.

`--every` asks for each game and number of players whether its playouts have the right length: half and twice the
default `cutoff`, and to the end. With `--store` rows are kept in a file, and the same call plays only those it lacks.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from specs import EVERY

import sfida
from sfida.ai.arena.sequential import SprtOptions
from sfida.ai.arena.standings import lead_of
from sfida.ai.arena.tournament import tournament
from sfida.ai.research.profiling import sample_decisions
from sfida.engines.registry import make_game

QUESTION = "elo0=0,elo1=35"
POSITIONS = 40              # at which iterations are timed
PROBE = 1000                # iterations, to find out how many take --ms
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


def budget(game: str, args: argparse.Namespace) -> int:
    """Return the iterations of the agent that candidates are compared with."""
    if args.ms is None:
        return int(args.iterations)
    spent = seconds_for(game, spec_of(args.agent, PROBE, args.against), args.seed)
    return max(1, round(PROBE * args.ms / 1000 * POSITIONS / spent))


def lengths(game: str) -> list[str]:
    """Return other lengths of playouts than a game's default: half and twice as many turns, and to the end."""
    made = make_game(game)
    usual = made.search_settings(made.knowledge)["cutoff"]
    others = (-1,) if usual < 0 else (max(1, usual // 2), 2 * usual, -1)
    return [f"cutoff={turns}" for turns in (*others, *((6, 12) if usual < 0 else ())) if turns != usual]


def questions(args: argparse.Namespace) -> Iterator[tuple[str, str]]:
    """Yield the games and candidates that are asked for."""
    for game in args.games_asked:
        yield from ((game, candidate) for candidate in args.candidates or lengths(game))


def held(args: argparse.Namespace) -> dict[str, str]:
    """Return the rows of the store by what they answer."""
    if args.store is None or not args.store.exists():
        return {}
    return {entry["of"]: entry["row"] for entry in map(json.loads, args.store.read_text("utf-8").splitlines())}


def answer(game: str, candidate: str, args: argparse.Namespace, rows: dict[str, str]) -> str:
    """Return a row, played now unless the store holds it."""
    made = make_game(game)
    of = repr((game, candidate, sorted(made.search_settings(made.knowledge).items()), args.agent, args.against,
               args.iterations, args.ms, args.equal, args.games, str(args.sprt), args.seed))
    if of not in rows:
        rows[of] = row(game, candidate, args)
        if args.store is not None:
            with args.store.open("a", encoding="utf-8") as file:
                file.write(json.dumps({"of": of, "row": rows[of]}) + "\n")
    return rows[of]


def row(game: str, candidate: str, args: argparse.Namespace) -> str:
    """Play a candidate's games and return its row."""
    least = budget(game, args)
    second = spec_of(args.agent, least, args.against)
    iterations = least
    if args.equal == "time":
        cost = seconds_for(game, spec_of(args.agent, least, candidate), args.seed)
        iterations = max(1, round(least * seconds_for(game, second, args.seed) / cost))
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
    made.add_argument("asked", nargs="*", metavar="GAME PARAMETERS ...",
                      help="a game, and candidates such as c_prior=2 or cutoff=-1,blend=0.3; with --every no game")
    made.add_argument("--every", action="store_true", help="the five games with every number of players")
    made.add_argument("--agent", default="ismcts")
    made.add_argument("--against", default="", metavar="PARAMETERS", help="instead of the defaults")
    made.add_argument("--iterations", type=int, default=500, help="budget of the agent that it is compared with")
    made.add_argument("--ms", type=float, help="likewise as milliseconds of processor time for a decision")
    made.add_argument("--equal", choices=["iterations", "time"], default="iterations")
    made.add_argument("-n", "--games", type=int, default=200, help="most games of a candidate")
    made.add_argument("--sprt", default=QUESTION, help=f"the question of the test (default: {QUESTION})")
    made.add_argument("--seed", type=int, default=1)
    made.add_argument("-j", "--jobs", type=int, default=1)
    made.add_argument("--store", type=Path, metavar="FILE", help="keep the rows here, and play only those it lacks")
    made.add_argument("--no-head", action="store_true", help="print rows alone")
    return made


def main(argv: Sequence[str] | None = None) -> int:
    made = parser()
    args = made.parse_args(argv)
    args.games_asked, args.candidates = (EVERY, args.asked) if args.every else (args.asked[:1], args.asked[1:])
    if not (args.every or args.candidates):
        made.error("give a game and candidates, such as attila c_prior=2, or --every")
    args.sprt = SprtOptions.parse(f"{args.sprt},adjusted=true")
    for candidate in args.candidates:       # refuse all that is wrong before the first game
        sfida.agent(spec_of(args.agent, args.iterations, candidate))
    if not args.no_head:
        print(HEAD)
    rows = held(args)
    for game, candidate in questions(args):
        print(answer(game, candidate, args, rows), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
