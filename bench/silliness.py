"""How often an agent makes obviously silly moves in RisiKo!, in games against itself.

    python bench/silliness.py [--agent ismcts:iterations=500] [--game risiko:players=3] [--games 10] [--seed 1]

Each line shows how often such a move was possible, and how often it was made.
"""

from __future__ import annotations

import argparse
from collections import Counter

import sfida
from sfida.ai.chance import SeededChance
from sfida.cython_ext.risiko.core import RisikoState
from sfida.engines.risiko.game import Risiko
from sfida.engines.risiko.position import Move, Position, decode

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
    """Return the chance of an assault."""
    return state.rules.win_chance(position.armies[origin], position.armies[target],
                                  protected=state.is_protected(target, position.owner[origin]))


def is_inland(state: RisikoState, position: Position, i: int) -> bool:
    return all(position.owner[k] == position.owner[i] for k in state.rules.neighbours(i))


def wins_at_once(state: RisikoState, code: int) -> bool:
    """Return whether a move, without any chance event, ends the game with a win of the seat to move."""
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
    """Count the chances for silly moves, and the silly moves."""
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
    """Play games of an agent against itself; return the chances for silly moves and the silly moves, by kind."""
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


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--agent", default="ismcts:iterations=500")
    parser.add_argument("--game", default="risiko:players=3")
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    seen, made = count_games(given.game, given.agent, given.games, given.seed)
    print("| silly | chances | made | rate |\n|---|---|---|---|")
    for kind, words in KINDS.items():
        rate = f"{100 * made[kind] / seen[kind]:.1f} %" if seen[kind] else ""
        print(f"| {words} | {seen[kind]} | {made[kind]} | {rate} |")


if __name__ == "__main__":
    main()
