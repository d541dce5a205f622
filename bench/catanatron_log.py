"""Log random games of catanatron 3.2.1 for the differential test of the Zarahemla engine (ZAR-24).

    PYTHONHASHSEED=0 python bench/catanatron_log.py 1 tests/golden/catanatron.jsonl.gz

writes one game each with 2, 3 and 4 players. Needs only the package catanatron (PyPI), not Sfida. A line holds the
board and for each action the actor, the package's name of it, the actions that it listed as playable, and its holdings
afterwards.
"""

import gzip
import json
import random
import sys

from catanatron.game import TURNS_LIMIT, Game
from catanatron.models.enums import DEVELOPMENT_CARDS, RESOURCES
from catanatron.models.player import Color, RandomPlayer

COLORS = (Color.RED, Color.BLUE, Color.WHITE, Color.ORANGE)


def plain(value, seats):
    """Return the value of an action as JSON: colours become seats."""
    if isinstance(value, Color):
        return seats[value]
    if isinstance(value, (tuple, list)):
        return [plain(part, seats) for part in value]
    return value


def holdings(state):
    """Return the package's holdings: bank, then per seat hand, cards, cards played, pieces left, points, road."""
    rows = []
    for i in range(len(state.colors)):
        one = {key[3:]: value for key, value in state.player_state.items() if key.startswith(f"P{i}_")}
        rows.append([
            [one[f"{r}_IN_HAND"] for r in RESOURCES], [one[f"{d}_IN_HAND"] for d in DEVELOPMENT_CARDS],
            [one[f"PLAYED_{d}"] for d in DEVELOPMENT_CARDS],
            [one["ROADS_AVAILABLE"], one["SETTLEMENTS_AVAILABLE"], one["CITIES_AVAILABLE"]],
            one["VICTORY_POINTS"], int(one["HAS_ROAD"]), int(one["HAS_ARMY"]), one["LONGEST_ROAD_LENGTH"]])
    return {"bank": list(state.resource_freqdeck), "deck": len(state.development_listdeck), "seats": rows,
            "robber": list(state.board.robber_coordinate), "to_move": state.current_player_index,
            "prompt": state.current_prompt.value}


def log_game(players, seed):
    game = Game([RandomPlayer(color) for color in COLORS[:players]], seed=seed)
    state = game.state
    seats = {color: i for i, color in enumerate(state.colors)}
    tiles = [[list(where), tile.resource, tile.number] for where, tile in state.board.map.land_tiles.items()]
    ports = [[port.id, port.resource] for port in state.board.map.tiles.values() if hasattr(port, "direction")]
    actions = []
    while game.winning_color() is None and state.num_turns < TURNS_LIMIT:
        prompt = state.current_prompt.value
        listed = [[action.action_type.value, plain(action.value, seats)] for action in state.playable_actions]
        action = game.play_tick()
        actions.append({"seat": seats[action.color], "type": action.action_type.value,
                        "value": plain(action.value, seats), "listed": listed if prompt != "DISCARD" else None,
                        "after": holdings(state)})
    return {"players": players, "seed": seed, "tiles": tiles, "ports": ports, "actions": actions}


def main():
    games, path = int(sys.argv[1]), sys.argv[2]
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    with gzip.GzipFile(path, "wb", mtime=0) as file:
        for number in range(games):
            for players in (2, 3, 4):
                random.seed(seed + number)
                line = json.dumps(log_game(players, seed + number), separators=(",", ":"))
                file.write(line.encode() + b"\n")


if __name__ == "__main__":
    main()
