"""Measure which side is better in A Few Acres of Snow: the British win share by edition and by agents.

    python bench/side_balance.py                                 every row, with its own number of games
    python bench/side_balance.py --presets first --rows greedy   some of them
    python bench/side_balance.py --presets first,raids           the first edition with one change of the second
    python bench/side_balance.py --store balance.jsonl           continues where it was stopped
    python bench/side_balance.py --list                          the rows

Games are independent; the interval is Wilson's, at 95 %. A row is printed when its games are played.
"""

from __future__ import annotations

import argparse
import json
import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from sfida.ai.chance import SeededChance
from sfida.ai.registry import agent as make_agent
from sfida.ai.seat import Seat
from sfida.ai.table import decide
from sfida.engines.acres.moves import decode
from sfida.engines.acres.rules import site_codes
from sfida.engines.registry import make

# Editions, and the first one with a single change of the second.
PRESETS = {
    "first": "preset=first",
    "second": "preset=second",
    "online": "preset=online",
    "raids": "preset=first,raid_range_bonus=1",
    "reserve": "preset=first,location_cards_in_reserve=false",
    "home": "preset=first,home_support_reshuffles=false",
    "bateaux": "preset=first,french_bateaux_in_initial_deck=false",
    "settling": "preset=first,settling_victory_target_wins=true",
}
EDITIONS = "first,second,online"
HAMMER = "greedy:strategy=hammer"
RAIDER = "greedy:strategy=raider"


@dataclass(frozen=True)
class Row:
    """The agents of both sides, and the number of games."""

    name: str
    british: str
    french: str
    games: int


ROWS = (
    Row("random", "random", "random", 200),
    Row("greedy", "greedy", "greedy", 400),
    Row("hammer-greedy", HAMMER, "greedy", 400),
    Row("hammer-defence", HAMMER, HAMMER, 400),
    Row("hammer-raider", HAMMER, RAIDER, 400),
    Row("greedy-raider", "greedy", RAIDER, 400),
    Row("raider-raider", RAIDER, RAIDER, 400),
    Row("hammer-search", HAMMER, "ismcts:iterations=1000", 100),
    Row("search-200", "ismcts:iterations=200", "ismcts:iterations=200", 60),
    Row("search-1000", "ismcts:iterations=1000", "ismcts:iterations=1000", 100),
    Row("search-5000", "ismcts:iterations=5000", "ismcts:iterations=5000", 60),
)


def play(preset: str, row: Row, seed: int) -> dict[str, object]:
    """Play one game; return winner, reason, turns, points and sieges."""
    agents = [make_agent(spec, seed=seat) for seat, spec in enumerate((row.british, row.french))]
    state, luck, ply = make(f"acres:{PRESETS[preset]}"), SeededChance(seed), 0
    sieges = set()
    while not state.is_over:
        if state.is_chance:
            state.apply(luck.draw(state))
            continue
        seat = state.to_move
        move = decide(Seat(agents[seat]), state, seed, ply)
        ply += 1
        told = decode(move)
        if told.kind == "besiege":
            sieges.add(f"{'BF'[seat]}.{site_codes()[told.place]}")
        state.apply(move)
    end = state.snapshot()
    return {"preset": preset, "row": row.name, "seed": seed, "winner": end["winner"], "reason": end["reason"],
            "turns": end["turns"], "points": list(state.scores()), "sieges": sorted(sieges)}


def wilson(won: int, games: int) -> tuple[float, float]:
    """Return the 95 % interval of a share."""
    z = 1.959964
    share = won / games
    middle = (share + z * z / (2 * games)) / (1 + z * z / games)
    half = z / (1 + z * z / games) * math.sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    return middle - half, middle + half


def told(preset: str, row: Row, games: list[dict[str, object]]) -> str:
    """Return the line of one row."""
    n = len(games)
    won = sum(game["winner"] == 0 for game in games)
    low, high = wilson(won, n)
    ends = Counter(f"{'BF'[int(str(game['winner']))]} {game['reason']}" for game in games)
    sieges = Counter(name for game in games for name in list(game["sieges"]))   # type: ignore[call-overload]
    turns = sum(int(str(game["turns"])) for game in games) / n
    return (f"{preset:8} {row.name:15} {n:4} games  British {won / n:6.1%} [{low:.1%}, {high:.1%}]  "
            + f"{turns:4.0f} turns  "
            + ", ".join(f"{what} {count / n:.0%}" for what, count in ends.most_common())
            + "  besieged: " + ", ".join(f"{what} {count / n:.0%}" for what, count in sieges.most_common(3)))


def wanted(names: str, known: tuple[str, ...], parser: argparse.ArgumentParser) -> Iterator[str]:
    """Yield the requested names, by default all of them."""
    asked = [name for name in names.split(",") if name]
    for name in asked:
        if name not in known:
            parser.error(f"'{name}' is not one of {', '.join(known)}")
    yield from (name for name in known if not asked or name in asked)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--presets", default=EDITIONS, help=f"some of {', '.join(PRESETS)}, separated by commas")
    parser.add_argument("--rows", default="", help="separated by commas")
    parser.add_argument("--games", type=int, default=0, help="games per row instead of the default number")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--store", type=Path, help="JSON Lines, one per game; games in it are not played again")
    parser.add_argument("--list", action="store_true")
    args = parser.parse_args()
    presets = list(wanted(args.presets, tuple(PRESETS), parser))
    names = list(wanted(args.rows, tuple(row.name for row in ROWS), parser))
    done: dict[tuple[str, str, int], dict[str, object]] = {}
    if args.store is not None and args.store.exists():
        for line in args.store.read_text().splitlines():
            game = json.loads(line)
            done[game["preset"], game["row"], game["seed"]] = game
    for row in (row for row in ROWS if row.name in names):
        for preset in presets:
            if args.list:
                print(f"{preset:8} {row.name:15} {row.british} : {row.french}  {args.games or row.games} games")
                continue
            games = []
            for seed in range(args.seed, args.seed + (args.games or row.games)):
                game = done.get((preset, row.name, seed))
                if game is None:
                    game = play(preset, row, seed)
                    if args.store is not None:
                        with args.store.open("a") as file:
                            file.write(json.dumps(game) + "\n")
                games.append(game)
            print(told(preset, row, games), flush=True)


if __name__ == "__main__":
    main()
