"""Methods of deciding that yardsticks compare: from random moves to a search with one tree or one tree per seat."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sfida.ai.ismcts import PimcAgent
from sfida.ai.search import PimcOptions
from sfida.cython_ext.rng import Random
from sfida.cython_ext.search.flat import FlatSearch
from sfida.cython_ext.search.search import Search
from sfida.cython_ext.state import GameState, View

FOREVER = 1e9                           # seconds


@dataclass(frozen=True)
class Decision:
    """The result of a decider for a view.

    Attributes
    ----------
    shares : mapping of int to float
        Probability of each move that it may play: the average strategy of a bid, else the share of visits.
    best : int
        The most visited move; of several, the one with the lowest code.
    """

    shares: Mapping[int, float]
    best: int


@dataclass(frozen=True)
class Decider:
    """One method of deciding.

    Attributes
    ----------
    kind : str
        "random"; "flat" (UCB1 over random playouts); "pimc"; "so" (one tree); "mo" (one tree per seat); "cheat" (one
        tree, searching the true state).
    iterations : int
        Budget of a decision.
    c : float
        Exploration constant of UCB1.
    worlds : int
        Sampled worlds that share the budget (pimc).
    keyed : bool
        Separate opponents' trees by the game's private bucket (mo).
    bids : str
        Method for hidden choices (mo): "ucb" or "exp3".
    bid_explore : float
        Share of uniform exploration in hidden choices.
    """

    kind: str
    iterations: int = 1
    c: float = 0.7
    worlds: int = 50
    keyed: bool = True
    bids: str = "ucb"
    bid_explore: float = 0.1

    def decide(self, view: View, seed: int) -> Decision:
        """Spend the budget on a view; a forced move needs none."""
        moves = view.legal_moves()
        if self.kind == "random" or len(moves) == 1:
            return Decision(dict.fromkeys(moves, 1 / len(moves)), moves[Random(seed).below(len(moves))])
        visits, strategy = self._visits(view, seed)
        total = sum(visits.values())
        shares = {move: n / total for move, n in visits.items()} if strategy is None else strategy
        return Decision(shares, max(sorted(visits), key=visits.__getitem__))

    def _visits(self, view: View, seed: int) -> tuple[dict[int, int], dict[int, float] | None]:
        """Return the visits of each tried move, and the average strategy if the move is a learned bid."""
        if self.kind == "flat":
            flat = FlatSearch(view, seed)
            flat.bandit(FOREVER, self.iterations, self.c)
            return {row["move"]: row["visits"] for row in flat.rows()}, None
        if self.kind == "pimc":
            options = PimcOptions(iterations=self.iterations, worlds=self.worlds, c=self.c, batch=1, decisive=False)
            return {row.code: row.visits for row in PimcAgent(options, seed).analyze(view).moves}, None
        search = Search(view, seed, c=self.c, multiple=self.kind == "mo", keyed=self.keyed,
                        cheat=self.kind == "cheat", bids=self.bids, bid_explore=self.bid_explore,
                        decisive=False)
        search.run(iterations=self.iterations)
        rows = search.root_edges()
        bid = rows[0]["strategy"] is not None
        return ({row["move"]: row["visits"] for row in rows},
                {row["move"]: row["strategy"] for row in rows} if bid else None)

    def move(self, state: GameState, seed: int) -> int:
        """Return the decider's move in a match; only "cheat" sees more than its own view."""
        seat = state.to_move
        view = View.unredacted(state, seat) if self.kind == "cheat" else state.view(seat)
        return self.decide(view, seed).best
