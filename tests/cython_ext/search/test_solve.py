"""Exact endgames: the solver against expectimax written out in Python."""

from __future__ import annotations

import dataclasses
import math
import pickle
import random
import signal
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Any, Self

import pytest

from sfida.cython_ext.errors import InvalidOption, SfidaError
from sfida.cython_ext.rng import Random
from sfida.cython_ext.search.solve import Solution, SolvedMove, Solver, solve
from sfida.cython_ext.state import GameState, View
from sfida.engines.game import GameOptions
from sfida.engines.python_game import CHANCE, TERMINAL, PythonGame, PythonPosition
from sfida.engines.registry import make_game
from support.stopping import soon_after
from support.toys import Arms, ArmsOptions, ChanceNim, Dice, NimOptions, NimPosition, expectimax, margin_reward

ROOMY = 10_000_000
TIE = 1e-12


@dataclass(frozen=True)
class TreeOptions(GameOptions):
    """The choice of the random tree."""

    players: int = field(default=2, metadata={"low": 1, "high": 5, "doc": "number of seats"})
    tree: int = field(default=0, metadata={"low": 0, "high": 1_000_000, "doc": "number of the tree"})
    coarse: bool = field(default=False, metadata={"doc": "few different results, so many ties"})
    wide: bool = field(default=False, metadata={"doc": "many moves in turn; a chance event after each"})


@cache
def node(options: TreeOptions, path: tuple[int, ...]) -> dict[str, Any]:
    """Return the node at the end of a path: mover, moves with weights, results; drawn from a separate stream."""
    dice = random.Random(f"{options.tree} {path}")
    seats, deep = options.players, len(path)
    mover = CHANCE if deep and dice.random() < 0.35 else dice.randrange(seats)
    if deep >= 5 or (deep >= 2 and dice.random() < 0.1):
        mover = TERMINAL
    width = dice.randint(1, 4)
    if options.wide:
        mover = TERMINAL if deep == 5 else CHANCE if deep % 2 else (deep // 2 + options.tree) % seats
        width = dice.randint(1, 3) if deep % 2 else dice.randint(6, 12)
    shares = [dice.random() for _ in range(seats)]
    if options.coarse:
        winners = dice.sample(range(seats), dice.randint(1, seats))
        shares = [float(seat in winners) for seat in range(seats)]
    return {"mover": mover, "shares": [share / sum(shares) for share in shares],
            "moves": [(move, dice.randint(1, 5)) for move in sorted(dice.sample(range(20), width))],
            "points": [float(dice.randint(0, 3 if options.coarse else 40)) for _ in range(seats)]}


class TreePosition(PythonPosition):
    """A node of a random tree, in which seats and chance come in any order."""

    __slots__ = ("options", "path")

    def __init__(self, options: TreeOptions) -> None:
        self.options = options
        self.path: tuple[int, ...] = ()

    @property
    def here(self) -> dict[str, Any]:
        return node(self.options, self.path)

    @property
    def to_move(self) -> int:                           # type: ignore[override]
        return int(self.here["mover"])

    def clone(self) -> Self:
        twin = object.__new__(type(self))
        twin.options, twin.path = self.options, self.path
        return twin

    def legal_moves(self) -> list[int]:
        return [move for move, _ in self.here["moves"]]

    def chance_outcomes(self) -> list[tuple[int, int]]:
        return list(self.here["moves"])

    def apply(self, move: int) -> None:
        self.path = (*self.path, move)

    def utilities(self) -> list[float]:
        return list(self.here["shares"])

    def scores(self) -> list[float]:
        return list(self.here["points"])


class Tree(PythonGame):
    """Random trees."""

    name = "tree"
    title = "Tree"
    example = True
    options_class = TreeOptions
    position_class = TreePosition
    max_moves = 20


def tree(players: int, number: int, coarse: bool = False, wide: bool = False) -> GameState:
    return Tree(TreeOptions(players=players, tree=number, coarse=coarse, wide=wide)).initial_state()


Worth = tuple[tuple[float, ...], tuple[float, ...]]         # rewards and win shares of all seats


def worth(state: GameState, blend: float, tau: float) -> Worth:
    """Return the value by plain max^n; of equal moves the one with the lowest code is chosen."""
    if state.is_over:
        shares, scores = state.utilities() or [], state.scores()
        if len(shares) == 1:
            return tuple(shares), tuple(shares)
        rewards = tuple(margin_reward(shares[seat], scores[seat], scores[:seat] + scores[seat + 1:], blend, tau)
                        for seat in range(len(shares)))
        return rewards, tuple(shares)
    results = [result for _, result in worths(state, blend, tau)]
    if state.is_chance:
        weights = [weight for _, weight in state.chance_outcomes()]
        mean = [tuple(sum(w * result[k][seat] for w, result in zip(weights, results, strict=True)) / sum(weights)
                      for seat in range(state.players)) for k in (0, 1)]
        return mean[0], mean[1]
    best = results[0]
    for result in results[1:]:
        if result[0][state.to_move] > best[0][state.to_move] + TIE:
            best = result
    return best


def worths(state: GameState, blend: float, tau: float) -> list[tuple[int, Worth]]:
    """Return the value of each move or outcome."""
    found = []
    for move in state.legal_moves():
        child = state.clone()
        child.apply(move)
        found.append((move, worth(child, blend, tau)))
    return found


def size(state: GameState) -> int:
    """Return the number of positions below this one."""
    total = 0
    for move in state.legal_moves():
        child = state.clone()
        child.apply(move)
        total += 1 + size(child)
    return total


def check_all(solution: Solution | None, state: GameState, blend: float = 0.0, tau: float = 10.0) -> None:
    """Compare the value of every move with plain expectimax."""
    assert solution is not None
    truth = dict(worths(state, blend, tau))
    seat = state.to_move
    assert solution.seat == seat
    assert sorted(move.code for move in solution.moves) == sorted(truth)
    for move in solution.moves:
        rewards, shares = truth[move.code]
        assert move.exact
        assert move.reward == pytest.approx(rewards[seat], abs=1e-12)
        assert move.value == pytest.approx(shares, abs=1e-9)
        assert move.line[0] == move.code
    assert solution.best.reward == pytest.approx(max(rewards[seat] for rewards, _ in truth.values()), abs=1e-12)
    assert [move.reward for move in solution.moves[1:]] == sorted((m.reward for m in solution.moves[1:]), reverse=True)


def check_best(solution: Solution | None, whole: Solution) -> None:
    """Compare a search for the best move alone with the whole solution."""
    assert solution is not None
    assert solution.best.exact
    assert solution.best.reward == pytest.approx(whole.best.reward, abs=1e-12)
    truth = {move.code: move for move in whole.moves}
    for move in solution.moves:
        if move.exact:
            assert move.reward == pytest.approx(truth[move.code].reward, abs=1e-12)
        else:
            assert truth[move.code].reward <= move.reward + 1e-12
            assert move.value == ()
    inexact = [move.reward for move in solution.moves if not move.exact]
    assert all(reward <= solution.best.reward + 1e-12 or reward == 1.0 for reward in inexact)


def check_line(solution: Solution, state: GameState, blend: float, tau: float) -> None:
    """Follow the line of best play: outcomes are likely, and no move costs its mover anything."""
    state = state.clone()
    for move in solution.best.line:
        if state.is_chance:
            outcomes = dict(state.chance_outcomes())
            assert outcomes[move] == max(outcomes.values())
        else:
            seat = state.to_move
            truth = dict(worths(state, blend, tau))
            assert truth[move][0][seat] == pytest.approx(worth(state, blend, tau)[0][seat], abs=1e-12)
        state.apply(move)
    assert state.is_over


@lru_cache
def endgame(players: int, tiles_left: int, seed: int) -> GameState:
    """Return a position with a tile in hand and a given number in the stack, after a game of sensible moves."""
    state = make_game("carcassonne", players=players).initial_state()
    rng = Random(seed)
    while True:
        if state.is_chance:
            state.apply(state.sample_chance(rng))
            continue
        priors = state.move_priors()
        if state.tiles_left <= tiles_left and len(priors) > 4:      # type: ignore[attr-defined]
            return state
        state.apply(max(priors, key=lambda row: row[1] * (0.2 + rng.uniform()))[0])


# ---- values -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [1, 2, 3, 4])
@pytest.mark.parametrize("coarse", [False, True])
@pytest.mark.parametrize("blend", [0.0, 0.6])
def test_random_trees_have_the_value_of_expectimax_by_the_book(players: int, coarse: bool, blend: float) -> None:
    """The trees have movers in any order, one to four seats, chance of any weights, with and without ties."""
    for number in range(12):
        state = tree(players, number, coarse)
        whole = solve(state, ROOMY, blend=blend, tau=8.0)
        check_all(whole, state, blend, 8.0)
        assert whole is not None
        check_best(solve(state, ROOMY, blend=blend, tau=8.0, every=False), whole)
        if number < 4:
            check_line(whole, state, blend, 8.0)


@pytest.mark.parametrize(("players", "coarse", "blend"), [(2, False, 0.6), (2, True, 0.0), (1, False, 0.0)])
def test_wide_trees_too_where_most_is_cut_off(players: int, coarse: bool, blend: float) -> None:
    """With many replies, one of them is probed first at chance events."""
    looked = whole_size = 0
    for number in range(2):
        state = tree(players, number, coarse, wide=True)
        whole = solve(state, ROOMY, blend=blend, tau=8.0)
        check_all(whole, state, blend, 8.0)
        assert whole is not None
        best = solve(state, ROOMY, blend=blend, tau=8.0, every=False)
        check_best(best, whole)
        assert best is not None
        looked += best.positions
        whole_size += size(state)
    assert looked < 0.75 * whole_size


def test_what_is_cut_off_changes_no_value_in_large_trees() -> None:
    state = ChanceNim(NimOptions(pile=12)).initial_state()
    solution = solve(state, ROOMY)
    assert solution is not None
    assert solution.best.value == pytest.approx(expectimax(state), abs=1e-12)
    known: dict[bytes, tuple[float, ...]] = {}
    for move in solution.moves:
        child = state.clone()
        child.apply(move.code)
        assert move.value == pytest.approx(expectimax(child, known), abs=1e-12)


def test_dice_and_arms_have_their_known_values() -> None:
    state = Dice().initial_state()
    solution = solve(state, ROOMY)
    assert solution is not None
    assert solution.best.code == 1                      # the middle die
    assert solution.best.value == pytest.approx(expectimax(state), abs=1e-12)
    arms = solve(Arms(ArmsOptions(players=4)).initial_state(), ROOMY)
    assert arms is not None
    assert [move.code for move in arms.moves] == list(range(19, -1, -1))
    assert arms.best.value == pytest.approx([0.95, 0.05 / 3, 0.05 / 3, 0.05 / 3])


def test_tic_tac_toe_is_a_draw_and_a_win_is_found() -> None:
    state = make_game("tic_tac_toe").initial_state()
    whole = solve(state, ROOMY)
    assert whole is not None
    assert [(move.code, move.reward) for move in whole.moves] == [(cell, 0.5) for cell in range(9)]
    for cell in (0, 3, 1, 4):                           # X has a3 b3, O has a2 b2
        state.apply(cell)
    solution = solve(state, ROOMY)
    assert solution is not None
    assert (solution.best.code, solution.best.line, solution.best.value) == (2, (2,), (1.0, 0.0))
    state.apply(8)                                      # X misses the win
    for every in (False, True):                         # 2 also wins, but later
        reply = solve(state, ROOMY, every=every)
        assert reply is not None
        assert (reply.seat, reply.best.code, reply.best.line, reply.best.value) == (1, 5, (5,), (0.0, 1.0))


@pytest.mark.parametrize(("players", "tiles_left", "seed"), [(2, 0, 1), (2, 1, 0), (2, 1, 2), (3, 0, 1), (3, 1, 2),
                                                             (4, 1, 1)])
def test_the_last_tiles_of_carcassonne_agree_with_brute_force(players: int, tiles_left: int, seed: int) -> None:
    state = endgame(players, tiles_left, seed)
    for blend in (0.0, 0.6):
        whole = solve(state, ROOMY, blend=blend, tau=12.0)
        check_all(whole, state, blend, 12.0)
        assert whole is not None
        check_best(solve(state, ROOMY, blend=blend, tau=12.0, every=False), whole)


def test_the_last_three_tiles_of_carcassonne_agree_with_brute_force_too() -> None:
    state = endgame(2, 2, 2)
    whole = solve(state, ROOMY, blend=0.6, tau=12.0)
    check_all(whole, state, 0.6, 12.0)
    assert whole is not None
    best = solve(state, ROOMY, blend=0.6, tau=12.0, every=False)
    check_best(best, whole)
    assert best is not None
    assert best.positions < whole.positions < size(state) / 2


# ---- ties -------------------------------------------------------------------------------------------


def test_ties_go_to_the_better_prior_then_the_lowest_code() -> None:
    solution = solve(make_game("tic_tac_toe").initial_state(), ROOMY, every=False)
    assert solution is not None
    assert solution.best.code == 0
    state = endgame(2, 0, 1)
    decided = solve(state, ROOMY)                       # by win shares alone, many moves are worth the same
    assert decided is not None
    prior = dict(state.move_priors())
    equal = [move.code for move in decided.moves if abs(move.reward - decided.best.reward) < TIE]
    assert len(equal) > 1
    assert prior[decided.best.code] == max(prior[code] for code in equal)


# ---- budget -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("every", [False, True])
@pytest.mark.parametrize("state", [tree(2, 3), tree(3, 3), ChanceNim(NimOptions(pile=9)).initial_state()])
def test_the_budget_is_exact(state: GameState, every: bool) -> None:
    """Exactly the needed number of positions is enough; with one fewer the attempt ends without a result."""
    full = Solver(state, ROOMY, every=every)
    solution = full.run()
    assert solution is not None
    assert full.outcome == "solved"
    need = full.positions
    assert solution.positions == need <= size(state)
    enough = Solver(state, need, every=every, probes=0)
    assert enough.run() == solution
    for budget in (need - 1, need // 2, 1):
        short = Solver(state, budget, every=every, probes=0)
        assert short.run() is None
        assert (short.outcome, short.positions) == ("budget", budget)


def test_max_n_of_three_looks_at_the_whole_tree() -> None:
    state = tree(3, 5)
    solver = Solver(state, ROOMY, blend=0.6)
    solver.run()
    assert solver.positions == size(state)


def test_an_attempt_in_the_middle_of_a_game_is_given_up_by_the_probes() -> None:
    for tiles_left in (4, 10, 40):
        solver = Solver(endgame(2, tiles_left, 1), 200_000, every=False)
        assert solver.run() is None
        assert (solver.outcome, solver.positions) == ("estimate", 0)


def test_the_estimate_is_close_to_the_size_of_the_tree() -> None:
    for players, seed in ((2, 2), (3, 2)):
        state = endgame(players, 1, seed)
        assert Solver(state, ROOMY, probes=200).estimate() == pytest.approx(size(state), rel=0.25)
    assert math.isinf(Solver(state, 20).estimate())
    assert Solver(state, ROOMY, seed=1).estimate() != Solver(state, ROOMY, seed=2).estimate()
    assert Solver(state, ROOMY, seed=1).estimate() == Solver(state, ROOMY, seed=1).estimate()


def test_lines_longer_than_allowed_end_the_attempt() -> None:
    state = ChanceNim(NimOptions(pile=8)).initial_state()
    assert max(len(move.line) for move in solve(state, ROOMY).moves) <= 15      # type: ignore[union-attr]
    short = Solver(state, ROOMY, plies=6, probes=0)
    assert short.run() is None
    assert short.outcome == "depth"
    assert Solver(state, ROOMY, plies=15).run() is not None


# ---- the use of the solver --------------------------------------------------------------------------


def test_every_copy_has_the_same_solution_and_stays_as_it_is() -> None:
    for state in (endgame(2, 1, 0), tree(3, 1), tree(2, 2)):
        before = state.to_bytes()
        copies: list[GameState | View] = [state, state.clone(), state.view(state.to_move)]
        if "carcassonne" in repr(state):
            copies.append(pickle.loads(pickle.dumps(state)))
        first, *others = [solve(copy, ROOMY, blend=0.3) for copy in copies]
        assert first is not None
        assert all(other == first for other in others)
        assert pickle.loads(pickle.dumps(first)) == first
        assert state.to_bytes() == before


def test_results_are_frozen() -> None:
    solution = solve(tree(2, 1), ROOMY)
    assert solution is not None
    assert isinstance(solution.best, SolvedMove)
    with pytest.raises(dataclasses.FrozenInstanceError):
        solution.best.reward = 1.0                      # type: ignore[misc]


def test_games_that_hide_something_and_other_seats_are_refused() -> None:
    poker = make_game("kuhn_poker").initial_state()
    while poker.is_chance:
        poker.apply(poker.legal_moves()[0])
    with pytest.raises(SfidaError, match="'kuhn_poker' hides information"):
        solve(poker.view(poker.to_move), ROOMY)
    state = tree(2, 1)
    with pytest.raises(SfidaError, match="that seat's own view"):
        solve(state.view(1 - state.to_move), ROOMY)
    nim = ChanceNim().initial_state()
    nim.apply(1)
    with pytest.raises(SfidaError, match="where a seat is to move"):
        solve(nim, ROOMY)
    with pytest.raises(TypeError):
        solve("carcassonne", ROOMY)                     # type: ignore[arg-type]


@pytest.mark.parametrize("options", [{"budget": 0}, {"blend": 1.5}, {"blend": math.nan}, {"tau": 0.0}, {"plies": 0},
                                     {"probes": -1}])
def test_parameters_out_of_range_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(InvalidOption, match=f"'{next(iter(options))}' must be"):
        solve(tree(2, 1), **{"budget": 1000, **options})


# ---- interruptions ----------------------------------------------------------------------------------


def test_cancel_ends_a_run_from_another_thread() -> None:
    solver = Solver(endgame(2, 15, 1), 100_000_000, probes=0)
    stopper = soon_after(lambda: solver.positions, solver.cancel)
    assert solver.run() is None
    stopper.join()
    assert solver.outcome == "cancelled"


def test_a_signal_handler_ends_a_run() -> None:
    class Stop(Exception):
        pass

    def stop(*_: object) -> None:
        raise Stop

    solver = Solver(endgame(2, 15, 1), 100_000_000, probes=0)
    before = signal.signal(signal.SIGALRM, stop)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        with pytest.raises(Stop):
            solver.run()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)


class BrokenPosition(NimPosition):
    """Nim that fails at a pile of 2."""

    __slots__ = ()

    def apply(self, move: int) -> None:
        super().apply(move)
        if self.pile == 2:
            raise RuntimeError("a pile of two")


class BrokenNim(ChanceNim):
    """Nim that fails."""

    name = "broken_nim"
    position_class = BrokenPosition


@pytest.mark.parametrize("probes", [0, 32])
def test_what_a_python_game_raises_comes_out(probes: int) -> None:
    with pytest.raises(RuntimeError, match="a pile of two"):
        solve(BrokenNim().initial_state(), ROOMY, probes=probes)


def test_time_ends_an_attempt():
    solver = Solver(endgame(2, 15, 1), 100_000_000, probes=0, seconds=0.01)
    assert solver.run() is None
    assert solver.outcome == "seconds"
    assert 0 < solver.positions < 100_000_000
    with pytest.raises(InvalidOption, match="seconds"):
        Solver(endgame(2, 15, 1), 100, seconds=-1.0)
