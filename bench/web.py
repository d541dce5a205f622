"""What the table in the browser costs the server: CPU time of a click, of a scene, and of the same scene again.

    python bench/web.py [--decisions 40] [--seed 5]

In each game people play some decisions by chance. After each the scene is made that their page asks for ("scene"), and
then once more, as for another page of the same seat ("again"). Medians and maxima in milliseconds of CPU time; the
sizes are those of the last scene, plain and as it is sent.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import random
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

GAMES = {"carcassonne": 2, "settlers_of_zarahemla:players=2": 2, "risiko:players=3": 3, "attila:players=2": 2,
         "a_few_acres_of_snow": 2}


def timed(times: list[float], work: Callable[[], Any]) -> Any:
    """Do some work, note its CPU time in milliseconds, and return what it returns."""
    began = time.process_time()
    done = work()
    times.append(1000 * (time.process_time() - began))
    return done


def measure(game: str, decisions: int, seed: int) -> str:
    """Return a row of the table."""
    from sfida.web.lobby import Links, Lobby
    from sfida.web.scenes import scene
    from sfida.web.session import Workers

    house = Lobby(Links(Path(os.environ["XDG_STATE_HOME"]) / "links.json"), Workers(1))
    link, room = house.enter(house.open(game, ["human"] * GAMES[game], seed=seed).links[0].token)
    rng, plays, scenes, again = random.Random(seed), [], [], []
    for _ in range(decisions):
        while (asked := scene(room, link))["decision"] is None and not asked["over"]:
            time.sleep(0.01)                            # the only move plays itself
        if asked["over"]:
            break
        move = rng.choice(asked["decision"]["moves"])["text"]
        timed(plays, lambda move=move: room.play(link.seats, room.version, move))
        timed(scenes, lambda: scene(room, link))
        timed(again, lambda: scene(room, link))
    house.close()
    body = json.dumps(asked, ensure_ascii=False, separators=(",", ":")).encode()
    figures = "  ".join(f"{statistics.median(times):5.1f} {max(times):5.1f}" for times in (plays, scenes, again))
    return (f"{game.split(':')[0]:<21}  {figures}  {len(body) / 1024:5.0f} KiB  "
            f"{len(gzip.compress(body, 1)) / 1024:4.0f} KiB")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--decisions", type=int, default=40)
    parser.add_argument("--seed", type=int, default=5)
    arguments = parser.parse_args()
    print(f"{'':<21}  {'play':>11}  {'scene':>11}  {'again':>11}  {'plain':>9}  {'as sent':>8}")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_STATE_HOME"] = folder
        for game in GAMES:
            print(measure(game, arguments.decisions, arguments.seed), flush=True)


if __name__ == "__main__":
    main()
