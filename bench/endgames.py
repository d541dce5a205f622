"""The last turns of a game without hidden information against exact play: what do an agent's moves give away?

    python bench/endgames.py carcassonne ismcts:seconds=1 ismcts:iterations=1000
    python bench/endgames.py carcassonne --left 4 --positions 40 ismcts:seconds=1,endgame=0

Positions come from games of `--player` against itself: first decisions of a turn with so many tiles left, that in hand
included, which are undecided (the best move wins with 3 to 97 %) and where moves differ by more than 1 %. Their moves
are solved exactly, for the win alone. Of each agent: root mean square and largest loss (win share of the best move less
that of its move), the number of losses above .02, the error of the value that it gives its move, and processor time.
"""

from __future__ import annotations

import argparse
import pickle
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import sfida
from sfida.ai.chance import SeededChance
from sfida.cython_ext.search.solve import Solver
from sfida.cython_ext.state import GameState
from sfida.engines.registry import make_game

DECIDED, SPREAD = 0.03, 0.01
HEAD = ("| left | agent | positions | rms loss | largest | losses > .02 | rms error of the value | s per decision |\n"
        "|---|---|---|---|---|---|---|---|")


class Endgame(NamedTuple):
    """A position by the codes that lead to it, and what each move is worth to the mover when all play perfectly."""

    left: int
    codes: tuple[int, ...]
    worth: dict[int, float]


def position(game: str, codes: Sequence[int]) -> GameState:
    """Return the position after some codes."""
    state = make_game(game).initial_state()
    for code in codes:
        state.apply(code)
    return state


def solved(state: GameState, seconds: float) -> dict[int, float] | None:
    """Return the worth of each move; None: the position is no question, or too large for that time."""
    found = Solver(state.view(state.to_move), 1 << 60, blend=0.0, probes=0, seconds=seconds).run()
    if found is None:
        return None
    worth = {move.code: move.value[found.seat] for move in found.moves}
    best = max(worth.values())
    return worth if DECIDED < best < 1.0 - DECIDED and best - min(worth.values()) > SPREAD else None


def positions(args: argparse.Namespace) -> Iterator[Endgame]:
    """Play games and yield their undecided ends, without end."""
    agent = sfida.agent(args.player, seed=args.seed)
    number = args.seed * 1_000_000
    while True:
        state, codes, luck = make_game(args.game).initial_state(), [], SeededChance(number)
        number += 1
        agent.new_game()
        drawn = False                   # the event before was luck: a turn begins
        while not state.is_over:
            if state.is_chance:
                code = luck.draw(state)
            else:
                left = state.tiles_left + 1
                if left in args.left and drawn and len(state.legal_moves()) > 1:
                    worth = solved(state, args.patience)
                    if worth is not None:
                        yield Endgame(left, tuple(codes), worth)
                code = agent.choose(state.view(state.to_move))
            drawn = state.is_chance
            state.apply(code)
            codes.append(code)


def gathered(args: argparse.Namespace) -> list[Endgame]:
    """Return so many positions of each size, from a file if there is one."""
    kept = Path(args.keep) if args.keep else None
    if kept is not None and kept.exists():
        return [Endgame(*each) for each in pickle.loads(kept.read_bytes())]
    found: dict[int, list[Endgame]] = {left: [] for left in args.left}
    for each in positions(args):
        if len(found[each.left]) < args.positions:
            found[each.left].append(each)
        if all(len(some) == args.positions for some in found.values()):
            break
    chosen = [each for some in found.values() for each in some]
    if kept is not None:
        kept.write_bytes(pickle.dumps([tuple(each) for each in chosen]))
    return chosen


def row(game: str, spec: str, left: str, endgames: Sequence[Endgame], seed: int) -> str:
    """Let an agent decide all positions and return its row."""
    losses, errors, spent = [], [], 0.0
    agent = sfida.agent(spec, seed=seed)
    for each in endgames:
        state = position(game, each.codes)
        agent.new_game()
        started = time.process_time()
        code = agent.choose(state.view(state.to_move))
        spent += time.process_time() - started
        best = max(each.worth.values())
        losses.append(best - each.worth[code])
        errors.append(agent.last_analysis.best.value - each.worth[code])
    count = len(losses)
    return (f"| {left} | `{spec}` | {count} | {(sum(x * x for x in losses) / count) ** 0.5:.3f} | {max(losses):.3f} | "
            f"{sum(x > 0.02 for x in losses)} | {(sum(x * x for x in errors) / count) ** 0.5:.3f} | "
            f"{spent / count:.3f} |")


def main(argv: Sequence[str] | None = None) -> int:
    made = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("game", help="Carcassonne, with options")
    made.add_argument("agents", nargs="+")
    made.add_argument("--left", type=int, nargs="+", default=[2, 3, 4], help="tiles left")
    made.add_argument("--positions", type=int, default=20, help="of each size")
    made.add_argument("--player", default="ismcts:iterations=100", help="plays the games")
    made.add_argument("--patience", type=float, default=60.0, help="seconds after which a position is left out")
    made.add_argument("--keep", metavar="FILE", help="keep the positions there, or take them from there")
    made.add_argument("--seed", type=int, default=1)
    args = made.parse_args(argv)
    endgames = gathered(args)
    print(HEAD)
    for spec in args.agents:
        for left in args.left:
            print(row(args.game, spec, str(left), [each for each in endgames if each.left == left], args.seed),
                  flush=True)
        if len(args.left) > 1:
            print(row(args.game, spec, "all", endgames, args.seed), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
