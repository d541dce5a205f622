"""Agents in single games: hidden cards, trades, silly moves, endgames, commitments, models of a player."""

from __future__ import annotations

import math
import pickle
import statistics
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, NamedTuple

import click

import sfida
from bench import command, interval, print_head, print_row, refused, run_all, with_iterations
from sfida.ai.beliefs import BeliefOptions, ParticleFilter
from sfida.ai.chance import SeededChance
from sfida.ai.registry import agent as make_agent
from sfida.ai.search import IsmctsOptions, search_for
from sfida.ai.seat import observations
from sfida.cython_ext.risiko.core import RisikoState
from sfida.cython_ext.rng import Random, derive
from sfida.cython_ext.search.search import Search
from sfida.cython_ext.search.solve import Solver
from sfida.cython_ext.state import GameState, View
from sfida.engines.registry import make_game
from sfida.engines.risiko.game import Risiko
from sfida.engines.risiko.position import Move, Position, decode
from sfida.engines.zarahemla.position import decode as decode_trade
from support.attila_conflicts import CONFLICTS, learned
from support.exploitability import GameTree

# ---- one seat that plays differently --------------------------------------------------------------------

BLOCKS = click.IntRange(2)
Choice = Callable[[GameState, int, bool], int]      # takes a state, a seed, and whether the seat plays differently


def play_odd(spec: str, choose: Choice, seed: int, odd: int) -> tuple[float, list[int]]:
    """Play one game; return the win share of the odd seat, and the moves of all seats."""
    state, luck, ply, moves = make_game(spec).initial_state(), SeededChance(derive(seed, 1)), 0, list[int]()
    while not state.is_over:
        if state.is_chance:
            state.apply(luck.draw(state))
        else:
            legal = state.legal_moves()
            moves.append(legal[0] if len(legal) == 1 else choose(state, derive(seed, 2, ply), state.to_move == odd))
            state.apply(moves[-1])
        ply += 1
    shares = state.utilities()
    assert shares is not None
    return shares[odd], moves


def play_blocks(spec: str, choose: Choice, blocks: int, seed: int, jobs: int) -> tuple[str, list[list[int]]]:
    """Play blocks of one game per odd seat with the same luck; return the odd seat's share in words, and the moves."""
    players = make_game(spec).players
    played = list(run_all(play_odd, [(spec, choose, derive(seed, block), seat)
                                     for block in range(blocks) for seat in range(players)], jobs))
    won = [share for share, _ in played]
    low, high = interval([sum(won[i:i + players]) / players for i in range(0, len(won), players)], seed)
    return (f"{sum(won) / len(won):.1%} [{low:.1%}, {high:.1%}], fair is {1 / players:.1%}",
            [moves for _, moves in played])


class Cheat(NamedTuple):
    """A search in which an odd seat knows the true state."""

    iterations: int

    def __call__(self, state: GameState, seed: int, odd: bool) -> int:
        """Return the most visited move."""
        search = search_for(state.view(state.to_move), IsmctsOptions(iterations=self.iterations), seed,
                            worlds=[state.clone()] if odd else None)
        search.run(iterations=self.iterations)
        return max(search.root(), key=lambda row: row[1])[0]


class Abstainer(NamedTuple):
    """An agent whose odd seat takes its best move that is not a trade between players."""

    agent: str

    def __call__(self, state: GameState, seed: int, odd: bool) -> int:
        """Return the move."""
        rows = make_agent(self.agent, seed=seed).analyze(state.view(state.to_move)).moves
        return next((row.code for row in rows if not odd or decode_trade(row.code).kind not in TRADES),
                    state.legal_moves()[0])


TRADES = {"trade_open", "trade_accept", "trade_counter"}


@command
def fairness(game: str, *, iterations: int = 500, blocks: Annotated[int, BLOCKS] = 50, seed: int = 1,
             jobs: int = 2) -> None:
    """Measure the price of fairness, in % of win probability: what a look at the cards of others gains. Takes an hour.

    fairness zarahemla:players=4 --iterations 500 --blocks 50

    One seat cheats: its worlds are the true position, hands and cards included, while coming chance events stay
    unknown. The others, the same agent, sample their worlds by the rules of the game. A block has one game per seat,
    with the same luck and the cheat on each seat once; the interval is the 95 % percentile bootstrap over blocks. No
    agent of Sfida can do this: agents get views, which hold nothing that their seat may not see.
    """
    share, played = play_blocks(game, Cheat(iterations), blocks, seed, jobs)
    print(f"{game}, {iterations} iterations, {len(played)} games: the cheat wins {share}")


@command
def trade_worth(*, agent: str = "ismcts:iterations=500", players: Annotated[int, click.IntRange(2, 4)] = 4,
                blocks: Annotated[int, BLOCKS] = 50, seed: int = 1, jobs: int = 2) -> None:
    """Measure what trading in The Settlers of Zarahemla is worth, in % of win probability. Takes an hour.

    trade-worth --agent ismcts:iterations=500 --players 4 --blocks 50

    One seat never trades with other players: it makes no offers and rejects all, and takes its next best move instead.
    The others are the same agent and trade freely. If trading helps those who trade, the abstainer wins less than its
    fair share. A block has one game per seat, with the same luck and the abstainer on each seat once; the interval is
    the 95 % percentile bootstrap over blocks.
    """
    make_agent(agent)
    spec = f"settlers_of_zarahemla:players={players}"
    share, played = play_blocks(spec, Abstainer(agent), blocks, seed, jobs)
    deals = sum(decode_trade(move).kind == "trade_pick" for moves in played for move in moves) / len(played)
    print(f"{spec}, {agent}, {len(played)} games with {deals:.1f} deals each: the seat that never trades wins {share}")


# ---- silly moves in RisiKo! -----------------------------------------------------------------------------


KINDS = {
    "landlocked": "armies placed where no enemy is near",
    "unplayed": "a won objective left unplayed",
    "hopeless": "attacks with a chance below 1 in 8, none of whose targets the objective names",
    "no card": "turns ended without a conquest, though one was 9 in 10 certain",
    "idle": "turns ended with five or more armies inland that could have moved on",
    "hoarded": "sets kept with five or more cards in hand",
}
HOPELESS, CERTAIN, IDLE, MANY_CARDS = 1 / 8, 0.9, 5, 5


def chance_of(state: RisikoState, position: Position, origin: int, target: int) -> float:
    """Return the probability that an assault wins."""
    return state.rules.win_chance(position.armies[origin], position.armies[target],
                                  protected=state.is_protected(target, position.owner[origin]))


def is_inland(state: RisikoState, position: Position, i: int) -> bool:
    return all(position.owner[k] == position.owner[i] for k in state.rules.neighbours(i))


def wins_at_once(state: RisikoState, code: int) -> bool:
    """Return whether a move wins the game for the seat to move at once, without a chance event."""
    twin = state.clone()
    twin.apply(code)
    shares = twin.utilities()
    return shares is not None and shares[state.to_move] == 1.0


def has_reason(state: RisikoState, position: Position, target: int) -> bool:
    """Return whether the objective of the seat to move requires the target."""
    seat = position.seat_to_move
    assert position.seats[seat].objective is not None
    goal = position.seats[seat].goal
    if goal:
        return target in goal
    which = position.seats[seat].effective
    assert which is not None
    name = state.rules.objectives[which]
    prey = name.removeprefix("kill_")
    owner = position.owner[target]
    return position.seats[owner].color == prey if prey != name else position.seats[seat].territories > 20


def judge_attack(state: RisikoState, position: Position, legal: list[Move], move: Move, seen: Counter[str],
                 made: Counter[str]) -> None:
    pairs = {(one.origin, one.target) for one in legal if one.kind in ("attack", "assault")}
    if any(chance_of(state, position, *pair) < HOPELESS for pair in pairs):
        seen["hopeless"] += 1
        made["hopeless"] += (move.kind != "end_attack"
                             and chance_of(state, position, move.origin, move.target) < HOPELESS
                             and not has_reason(state, position, move.target))
    if position.conquests == 0 and any(chance_of(state, position, *pair) >= CERTAIN for pair in pairs):
        seen["no card"] += 1
        made["no card"] += move.kind == "end_attack"


def judge(state: RisikoState, code: int, seen: Counter[str], made: Counter[str]) -> None:
    """Count the opportunities for silly moves, and the silly moves."""
    assert isinstance(state.game, Risiko)
    seat = state.to_move
    position = state.game.position(state, seat)
    codes = state.candidate_moves()
    legal, move = [decode(one) for one in codes], decode(code)
    own = [i for i in range(len(position.owner)) if position.owner[i] == seat]
    if state.phase in ("place", "occupy", "fortify"):
        winning = [one for one in codes if wins_at_once(state, one)]
        seen["unplayed"] += bool(winning)
        made["unplayed"] += bool(winning) and not wins_at_once(state, code)
    if state.phase in ("place", "setup_place"):
        inland = [i for i in own if is_inland(state, position, i)]
        seen["landlocked"] += bool(inland)
        counts_armies = "armies" in position.seats[seat].progress
        made["landlocked"] += move.target in inland and not (counts_armies and position.armies[move.target] == 1)
    elif state.phase == "attack":
        judge_attack(state, position, legal, move, seen, made)
    elif state.phase == "fortify":
        idle = [i for i in own if is_inland(state, position, i) and position.armies[i] >= IDLE]
        seen["idle"] += bool(idle)
        made["idle"] += bool(idle) and move.kind == "end_turn"
    elif state.phase == "trade" and len(position.seats[seat].cards or ()) >= MANY_CARDS:
        seen["hoarded"] += 1
        made["hoarded"] += move.kind == "end_trade"


def count_games(game: str, agent: str, games: int, seed: int) -> tuple[Counter[str], Counter[str]]:
    """Play games of an agent against itself; return the opportunities and the silly moves, by kind."""
    seen: Counter[str] = Counter()
    made: Counter[str] = Counter()
    for nth in range(games):
        state, luck, player = sfida.make(game), SeededChance(seed + nth), sfida.agent(agent, seed=seed + nth)
        assert isinstance(state, RisikoState)
        while not state.is_over:
            if state.is_chance:
                state.apply(luck.draw(state))
                continue
            code = player.choose(state.view(state.to_move))
            judge(state, code, seen, made)
            state.apply(code)
    return seen, made


@command
def silliness(*, agent: str = "ismcts:iterations=500", game: str = "risiko:players=3", games: int = 10,
              seed: int = 1) -> None:
    """Measure how often an agent makes obviously silly moves in RisiKo!, in % of the chances. Takes ten minutes.

    silliness --agent ismcts:iterations=300 --games 25 --seed 1001

    The agent plays against itself. Each line shows how often such a move was possible, and how often it was made.
    """
    seen, made = count_games(game, agent, games, seed)
    print_head("silly", "chances", "made", "rate")
    for kind, words in KINDS.items():
        print_row(words, seen[kind], made[kind], f"{100 * made[kind] / seen[kind]:.1f} %" if seen[kind] else "")


# ---- endgames -------------------------------------------------------------------------------------------


DECIDED, SPREAD = 0.03, 0.01


class EndgamePosition(NamedTuple):
    """A position, given by the codes that lead to it, with the exact value of each move to the mover."""

    left: int
    codes: tuple[int, ...]
    worth: dict[int, float]


def position(game: str, codes: Sequence[int]) -> GameState:
    """Return the position that a sequence of codes leads to."""
    state = make_game(game).initial_state()
    for code in codes:
        state.apply(code)
    return state


def solved(state: GameState, seconds: float) -> dict[int, float] | None:
    """Return the exact value of each move; None if the choice hardly matters, or the position is too large."""
    found = Solver(state.view(state.to_move), 1 << 60, blend=0.0, probes=0, seconds=seconds).run()
    if found is None:
        return None
    worth = {move.code: move.value[found.seat] for move in found.moves}
    best = max(worth.values())
    return worth if DECIDED < best < 1.0 - DECIDED and best - min(worth.values()) > SPREAD else None


def undecided(game: str, player: str, sizes: Sequence[int], patience: float, seed: int) -> Iterator[EndgamePosition]:
    """Play games and yield their undecided endgame positions, forever."""
    agent = sfida.agent(player, seed=seed)
    number = seed * 1_000_000
    while True:
        state, codes, luck = make_game(game).initial_state(), [], SeededChance(number)
        number += 1
        agent.new_game()
        drawn = False                   # the last event was luck: a turn begins
        while not state.is_over:
            if state.is_chance:
                code = luck.draw(state)
            else:
                left = state.tiles_left + 1
                if left in sizes and drawn and len(state.legal_moves()) > 1:
                    worth = solved(state, patience)
                    if worth is not None:
                        yield EndgamePosition(left, tuple(codes), worth)
                code = agent.choose(state.view(state.to_move))
            drawn = state.is_chance
            state.apply(code)
            codes.append(code)


def judge_endgames(game: str, spec: str, left: str, endgames: Sequence[EndgamePosition], seed: int) -> None:
    """Let an agent decide in all positions and print its row."""
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
    print_row(left, f"`{spec}`", count, f"{(sum(x * x for x in losses) / count) ** 0.5:.3f}", f"{max(losses):.3f}",
              sum(x > 0.02 for x in losses), f"{(sum(x * x for x in errors) / count) ** 0.5:.3f}",
              f"{spent / count:.3f}")


@command
def endgames(game: str, *agents: str, left: Annotated[Sequence[int], "tiles left"] = (2, 3, 4),
             positions: Annotated[int, "of each size"] = 20,
             player: Annotated[str, "plays the games"] = "ismcts:iterations=100",
             patience: Annotated[float, "seconds after which a position is left out"] = 60.0,
             keep: Annotated[Path | None, "keep the positions in this file, or take them from there"] = None,
             seed: int = 1) -> None:
    """Measure what moves give away in the last turns of Carcassonne, in win shares. Takes an hour.

    endgames carcassonne ismcts:seconds=1 ismcts:iterations=1000
    endgames carcassonne --left 4 --positions 40 ismcts:seconds=1,endgame=0

    Positions come from games of `--player` against itself: first decisions of a turn with few tiles left, that in
    hand included, which are undecided (the best move wins with 3 to 97 %) and where moves differ by more than 1 %.
    Their moves are solved exactly, for the win alone. Of each agent: root mean square and largest loss (win share of
    the best move less that of its move), the number of losses above .02, the error of the value that it gives its move,
    and processor time.
    """
    if not agents:
        raise refused("name agents")
    if keep is not None and keep.exists():
        chosen = [EndgamePosition(*one) for one in pickle.loads(keep.read_bytes())]
    else:
        found: dict[int, list[EndgamePosition]] = {size: [] for size in left}
        for one in undecided(game, player, left, patience, seed):
            if len(found[one.left]) < positions:
                found[one.left].append(one)
            if all(len(some) == positions for some in found.values()):
                break
        chosen = [one for some in found.values() for one in some]
        if keep is not None:
            keep.write_bytes(pickle.dumps([tuple(one) for one in chosen]))
    print_head("left", "agent", "positions", "rms loss", "largest", "losses > .02", "rms error of the value",
               "s per decision")
    for spec in agents:
        for size in left:
            judge_endgames(game, spec, str(size), [one for one in chosen if one.left == size], seed)
        if len(left) > 1:
            judge_endgames(game, spec, "all", chosen, seed)


# ---- hidden commitments in Attila -----------------------------------------------------------------------

HIDING = ("mo-ismcts:bids=exp3", "mo-ismcts:bids=ucb", "ismcts")


@command
def attila_conflicts(*, iterations: Annotated[int, "per decision"] = 1000, seeds: int = 2) -> None:
    """Measure how well agents hide commitments in Attila: what a best response gains, of a game. Takes two minutes.

    attila-conflicts
    attila-conflicts --iterations 2000 --seeds 4

    In the last conflict of a game for two, the active player must not be predictable: the other sees how many cards it
    has laid, but not which. Each agent analyses every decision; the exploitability of the strategy from which it draws
    and of its most likely move is exact. It is a mean over seats and seeds, where a won game counts 1, a lost one -1.
    """
    start = time.perf_counter()
    print_head("conflict", "agent", "drawn", "likeliest move")
    for name, conflict in CONFLICTS.items():
        tree = conflict.tree()
        for agent in HIDING:
            pairs = [learned(tree, with_iterations(agent, iterations), seed) for seed in range(seeds)]
            print_row(name, f"`{agent}`", *(f"{statistics.fmean(map(tree.exploitability, policies)):.2f}"
                                            for policies in zip(*pairs, strict=True)))
    print(f"\n{iterations} iterations, {seeds} seeds; {time.perf_counter() - start:.0f} s")


# ---- models of a player in Leduc poker ------------------------------------------------------------------


FOLD, CALL, RAISE = 0, 1, 2
LEDUC = make_game("leduc_poker")
BELIEFS = {
    "base": None,
    "default (e=.5, tau=.7, fresh=.1)": BeliefOptions(),
    "soft (e=.5, tau=1)": BeliefOptions(explore=0.5, tau=1.0, fresh=0.0),
    "sharp (e=.05, tau=1)": BeliefOptions(explore=0.05, tau=1.0, fresh=0.0),
}


class ByStrength:
    """The modelled player: with a better hand it raises more often and folds less often.

    Parameters
    ----------
    slope : float
        Log odds of raising versus calling with the best hand, and of folding versus calling with the worst one.
    """

    def __init__(self, slope: float) -> None:
        self.slope = slope

    def __call__(self, view: View, rng: Random) -> dict[int, float]:
        """Return the probability of each legal move."""
        seen = view.observation()
        hand = 1.0 if seen["card"] == seen["shared"] else "JQK".index(seen["card"]) / (2 if not seen["shared"] else 3)
        lean = self.slope * (2 * hand - 1)
        weights = {FOLD: math.exp(-lean), CALL: 1.0, RAISE: math.exp(lean)}
        moves = view.legal_moves()
        whole = sum(weights[move] for move in moves)
        return {move: weights[move] / whole for move in moves}


def histories(state: GameState, played: tuple[int, ...] = ()) -> dict[bytes, tuple[int, ...]]:
    """Return for every information set the moves of one of its histories, which its seat cannot tell apart."""
    if state.is_over:
        return {}
    found = {} if state.is_chance else {state.view(state.to_move).key(): played}
    for move in state.legal_moves():
        child = state.clone()
        child.apply(move)
        for key, moves in histories(child, (*played, move)).items():
            found.setdefault(key, moves)
    return found


def leduc_policies(tree: GameTree, ways: Mapping[bytes, tuple[int, ...]], options: BeliefOptions | None,
                   model: ByStrength, iterations: int, c: float, seed: int
                   ) -> tuple[dict[bytes, list[float]], dict[bytes, list[float]]]:
    """Search at every information set; return the policy of visit shares and the policy of the best moves."""
    mixed, argmax = {}, {}
    for number, (key, info) in enumerate(tree.sets.items()):
        worlds = None
        if options is not None:
            belief = ParticleFilter(info.seat, options, derive(seed, 1, number), model)
            for event in observations(LEDUC, ways[key], info.seat):
                belief.observe(event)
            worlds = belief.worlds(info.view, options.particles, Random(derive(seed, 2, number)))
        search = Search(info.view, seed=derive(seed, number), c=c, worlds=worlds, decisive=False)
        search.run(iterations=iterations)
        visits = {move: n for move, n, *_ in search.root()}
        counts = [visits.get(move, 0) for move in info.moves]
        mixed[key] = [n / sum(counts) for n in counts]
        argmax[key] = [float(i == counts.index(max(counts))) for i in range(len(counts))]
    return mixed, argmax


def leduc_winnings(tree: GameTree, policy: Mapping[bytes, list[float]], other: Mapping[bytes, list[float]]) -> float:
    """Return the mean winnings per hand of a policy against another, over both seats."""
    total = 0.0
    for seat in (0, 1):
        both = {key: (policy if info.seat == seat else other)[key] for key, info in tree.sets.items()}
        total += tree.value(both) * (1 - 2 * seat)
    return total / 2


@command
def beliefs(*, iterations: Annotated[int, "per decision"] = 2000, seeds: int = 2, particles: int = 256,
            slope: Annotated[float, "how much the modelled player's moves reveal"] = 3.0,
            c: Annotated[float, "exploration constant"] = 0.4) -> None:
    """Measure what a model of the opponent gains and costs in Leduc poker, in chips per hand. Takes two minutes.

    beliefs
    beliefs --iterations 5000 --seeds 4 --slope 1.5

    In Leduc poker a player whose policy is known is modelled by exactly that policy. The search decides at every
    information set, with worlds drawn from the game's determinizer (base) or from a belief that uses the model more or
    less sharply. The printed figures of the resulting policies are exact, as means over both seats: the gain over base
    against the modelled player, and the exploitability by any player. The policy is the shares of visits (mixed) or the
    most visited move (argmax).
    """
    tree, ways, model = GameTree(LEDUC.initial_state()), histories(LEDUC.initial_state()), ByStrength(slope)
    modelled = {}
    for key, info in tree.sets.items():
        chances = model(info.view, Random(0))
        modelled[key] = [chances[move] for move in info.moves]
    print(f"{iterations} iterations, {seeds} seeds; the modelled player's own exploitability is "
          f"{tree.exploitability(modelled):.3f}")
    print(f"{'belief':34} {'gain mixed':>10} {'argmax':>8}  {'exploitability mixed':>20} {'argmax':>8}   seconds")
    base: list[list[float]] = []
    for name, options in BELIEFS.items():
        started = time.perf_counter()
        chosen = None if options is None else replace(options, particles=particles)
        pairs = [leduc_policies(tree, ways, chosen, model, iterations, c, seed) for seed in range(seeds)]
        won = [[leduc_winnings(tree, policy, modelled) for policy in pair] for pair in pairs]
        lost = [[tree.exploitability(policy) for policy in pair] for pair in pairs]
        base = base or won
        gains = [statistics.mean(new[i] - old[i] for new, old in zip(won, base, strict=True)) for i in (0, 1)]
        risks = [statistics.mean(pair[i] for pair in lost) for i in (0, 1)]
        print(f"{name:34} {gains[0]:+10.3f} {gains[1]:+8.3f}  {risks[0]:20.3f} {risks[1]:8.3f}   "
              f"{time.perf_counter() - started:7.0f}", flush=True)
