"""Strength per iteration: threads at will, as with time budgets, against one thread, at equal iterations.

    python bench/threads.py                                 400 games of Carcassonne, 2 threads, 500 iterations
    python bench/threads.py --threads 4 --iterations 2000 --games 1000 --game carcassonne:river=true

With iteration budgets threads keep their order and find the same as one thread, so there is nothing to measure. At
will each continues as soon as it can: the result depends on timing, and this program measures what that costs. A pair
is two games with the same luck and swapped seats; the interval is over pairs. Elo is computed from the win share.
Needs as many idle cores as threads.
"""

from __future__ import annotations

import argparse
import math
import time

import numpy as np

from sfida.ai.ismcts import IsmctsAgent
from sfida.ai.registry import agent as make_agent
from sfida.ai.search import Crew, analysis_of, final_order, run_search, search_for
from sfida.ai.table import play
from sfida.cython_ext.rng import derive
from sfida.cython_ext.state import View
from sfida.engines.registry import make_game


class AtWill(IsmctsAgent):
    """`ismcts` whose threads do not keep the order of the iterations."""

    def __init__(self, spec: str, threads: int) -> None:
        super().__init__(make_agent(spec).options)
        self._crew = Crew(threads)

    def search(self, view: View, *, choosing: bool, lines: int, only: int | None = None):
        started = time.perf_counter()
        if self._search is None or not self._search.fits(view):
            self._search = search_for(view, self.options, self.seed)
        self._search.restart(view, self.seed)
        run_search(self._search, self._crew, iterations=self.options.iterations, ordered=False)
        rows = final_order(self._search.root_edges(), self.options.final, self.options.temperature, self.seed)
        return analysis_of(view, rows, {}, iterations=self._search.visits, seconds=time.perf_counter() - started,
                           stopped="iterations", full=self._search.arena_full)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="carcassonne", help="a game for two players (carcassonne)")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--iterations", type=int, default=500)
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    game = make_game(args.game)
    spec = f"ismcts:iterations={args.iterations},reuse=false,early_stop=false"
    many, one = AtWill(spec, args.threads), make_agent(spec)
    shares = []
    for pair in range(args.games // 2):
        seed = derive(args.seed, pair)
        results = [play(game, [many, one][::step], seed).result.utilities[seat] for seat, step in ((0, 1), (1, -1))]
        shares.append(sum(results) / 2)
    mean = float(np.mean(shares))
    half = 1.96 * float(np.std(shares, ddof=1)) / math.sqrt(len(shares))
    print(f"{args.game}, {args.iterations} iterations, {args.threads} threads at will against one: {100 * mean:.1f} % "
          f"[{100 * (mean - half):.1f}, {100 * (mean + half):.1f}], {2 * len(shares)} games")


if __name__ == "__main__":
    main()
