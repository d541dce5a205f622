"""Exact values and losses in small two-player games whose strategies are known: yardsticks of reviews."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from sfida.ai.review.model import Effort, Verdict
from sfida.cython_ext.state import GameState, View
from sfida.engines.game import Game

Policy = Mapping[bytes, Sequence[float]]        # probability of each legal move, by the key of the mover's view


class Truth:
    """The exact values of positions and moves when both seats follow a policy; a `Worth` and a `Judge` of reviews.

    Parameters
    ----------
    game : Game
        A game of two players, small enough for a walk of its whole tree.
    policy : mapping
        Policy for every reachable information set.
    """

    def __init__(self, game: Game, policy: Policy) -> None:
        self.game = game
        self.policy = policy
        self._known: dict[bytes, np.ndarray] = {}
        self._sets: dict[bytes, list[tuple[GameState, float, float]]] = {}
        self._walk(game.initial_state(), 1.0, [1.0, 1.0])

    def _walk(self, state: GameState, chance: float, reach: list[float]) -> None:
        if state.is_over:
            return
        seat = int(state.to_move)
        if state.is_chance:
            weights = state.chance_outcomes()
            total = sum(weight for _, weight in weights)
            for code, weight in weights:
                self._walk(_played(state, code), chance * weight / total, reach)
            return
        key = state.view(seat).key()
        if key in self._sets and not state.hidden:          # the same position was reached by another order of moves
            return
        self._sets.setdefault(key, []).append((state, chance, reach[1 - seat]))
        for code, probability in zip(state.legal_moves(), self.policy[key], strict=True):
            self._walk(_played(state, code), chance, [p * probability if s == seat else p for s, p in enumerate(reach)])

    def value(self, state: GameState) -> np.ndarray:
        """Return the expected win shares."""
        key = state.to_bytes()
        if key not in self._known:
            if state.is_over:
                found = np.array(state.utilities())
            elif state.is_chance:
                weights = state.chance_outcomes()
                found = sum(weight * self.value(_played(state, code)) for code, weight in weights) / sum(
                    weight for _, weight in weights)
            else:
                policy = self.policy[state.view(int(state.to_move)).key()]
                found = sum(p * self.value(_played(state, code))
                            for code, p in zip(state.legal_moves(), policy, strict=True))
            self._known[key] = np.asarray(found)
        return self._known[key]

    def worlds(self, view: View) -> list[tuple[GameState, float]]:
        """Return the possible positions for a seat, with their probabilities from luck and the other seat's policy."""
        held = self._sets[view.key()]
        weights = np.array([chance * other for _, chance, other in held])
        if not weights.sum():                               # the other seat never plays this way: use luck alone
            weights = np.array([chance for _, chance, _ in held])
        return [(state, weight) for (state, _, _), weight in zip(held, weights / weights.sum(), strict=True)]

    def worth(self, view: View, move: int) -> np.ndarray:
        """Return the value of a move, given the knowledge of its seat."""
        return sum(weight * self.value(_played(state, move)) for state, weight in self.worlds(view))

    # ---- as a value function ----------------------------------------------------------------------

    def now(self, state: GameState, number: int) -> np.ndarray:
        return self.value(state)

    def after(self, state: GameState, events: Sequence[int], number: int) -> np.ndarray:
        return np.array([self.value(_played(state, event)) for event in events])

    def luck(self, state: GameState, outcome: int, weighted: Sequence[tuple[int, int]], number: int) -> np.ndarray:
        mean = sum(weight * self.value(_played(state, code)) for code, weight in weighted)
        return self.value(_played(state, outcome)) - mean / sum(weight for _, weight in weighted)

    def foreseen(self, view: View, move: int, number: int) -> np.ndarray:
        return self.worth(view, move) - sum(weight * self.value(state) for state, weight in self.worlds(view))

    # ---- as a judge -------------------------------------------------------------------------------

    def judge(self, view: View, move: int, effort: Effort, seed: int) -> Verdict:
        worths = {code: self.worth(view, code) for code in view.legal_moves()}
        best = max(worths, key=lambda code: worths[code][view.seat])
        if worths[move][view.seat] >= worths[best][view.seat] - 1e-12:
            best = move
        given = worths[move] - worths[best]
        return Verdict(view.format(best), "", -float(given[view.seat]), 0.0, tuple(map(float, given)),
                       float(worths[best][view.seat]), -float(given[view.seat]), (view.format(move),),
                       (view.format(best),))


def perfect_play(game: Game) -> dict[bytes, list[float]]:
    """Return the policy that plays the first of the best moves, for a game without secrets and luck."""
    values: dict[bytes, list[float]] = {}
    policy: dict[bytes, list[float]] = {}

    def solve(state: GameState) -> list[float]:
        if state.is_over:
            return list(state.utilities())
        key = state.to_bytes()
        if key not in values:
            seat = int(state.to_move)
            children = [solve(_played(state, code)) for code in state.legal_moves()]
            best = max(range(len(children)), key=lambda i: children[i][seat])
            policy[state.view(seat).key()] = [float(i == best) for i in range(len(children))]
            values[key] = children[best]
        return values[key]

    solve(game.initial_state())
    return policy


def _played(state: GameState, code: int) -> GameState:
    after = state.clone()
    after.apply(code)
    return after
