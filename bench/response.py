"""What people wait for: the start of commands, the first page, pictures, and the table in the browser."""

from __future__ import annotations

import gzip
import json
import os
import random
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Sequence
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Annotated, Any

import sfida
from bench import FIVE, ROOT, command, print_head, print_row
from sfida.ai.research.searches import random_decisions
from sfida.cython_ext.rng import Random

# ---- start-up and pictures ------------------------------------------------------------------------------

PROGRAM = [sys.executable, "-m", "sfida"]
SEED = 3
LATE = 0.85             # part of a random game after which it is drawn
AGAIN = 5               # drawings after the first


def start(words: Sequence[str], folder: str) -> subprocess.Popen[str]:
    """Start a process that finds its caches and its state in a folder."""
    env = {**os.environ, "PYTHONPYCACHEPREFIX": str(Path(folder) / "bytecode"), "XDG_STATE_HOME": folder}
    env.pop("PYTHONDONTWRITEBYTECODE", None)
    return subprocess.Popen(words, cwd=ROOT, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.DEVNULL, text=True)


def cost(words: Sequence[str], folder: str, meet: Callable[[subprocess.Popen[str]], object]) -> float:
    """Return the CPU seconds of a process, user and system; `meet` waits for what is measured."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with start(words, folder) as process:
        meet(process)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def ended(process: subprocess.Popen[str]) -> str:
    """Wait for the end of a process and return its output."""
    return process.communicate()[0]


def first_page(process: subprocess.Popen[str]) -> None:
    """Ask `sfida serve` for its start page as a browser does, then end the server."""
    assert process.stdout is not None
    address = re.search(r"http\S+", process.stdout.readline())
    assert address is not None
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
    browser.open(address[0]).read()
    process.terminate()
    ended(process)


def pictures(spec: str) -> None:
    """Print figures of a game's pictures as JSON: first and further drawings in ms, sizes in bytes."""
    seen = random_decisions(sfida.make(spec), Random(SEED), least=2)
    state = seen[int(LATE * len(seen))]
    times: list[float] = []
    for _ in range(1 + AGAIN):
        drawn = timed(times, lambda: state.game.board_svg(state))
    asked = state.game.board_svg(state, seat=state.to_move, labels=True)
    print(json.dumps({"first": times[0], "again": statistics.mean(times[1:]), "plain": len(drawn.encode()),
                      "asked": len(asked.encode()), "json": len(json.dumps(asked, ensure_ascii=False).encode()),
                      "packed": len(gzip.compress(asked.encode(), 1))}))


@command
def startup(*, games: Sequence[str] = FIVE, runs: Annotated[int, "of each command; the least counts"] = 5) -> None:
    """Measure the CPU seconds of starts, and time and size of the pictures. Takes two minutes.

    startup
    startup --games carcassonne --runs 9

    Starts: user and system time of whole processes with warm caches, the least of the runs, which other work on the
    machine disturbs least. `sfida play` ends at its first question; `sfida serve` ends when its start page has been
    answered. Pictures: a late position of a random game; ms of the first drawing in a new process, imports included,
    and the mean of those that follow; KiB without labels, and as the page of the mover gets it: with labels and ghosts,
    as JSON, and compressed.
    """
    lines = [("import sfida", [sys.executable, "-c", "import sfida"], ended),
             ("sfida games", [*PROGRAM, "games"], ended), ("sfida --help", [*PROGRAM, "--help"], ended),
             *((f"sfida play {game}", [*PROGRAM, "play", game, *_seats(game), "--seed", "1"], ended) for game in games),
             ("sfida serve, first page", [*PROGRAM, "serve", "--port", "0", "--no-browser"], first_page)]
    with tempfile.TemporaryDirectory() as folder:
        print_head("start", "CPU s")
        for name, words, meet in lines:
            print_row(name, f"{min([cost(words, folder, meet) for _ in range(runs + 1)][1:]):.3f}")
        print()
        print_head("picture", "first, ms", "again, ms", "KiB", "to choose, KiB", "as JSON, KiB", "compressed, KiB")
        for game in games:
            script = [sys.executable, "-c", f"from bench.response import pictures; pictures({game!r})"]
            row = [json.loads(ended(start(script, folder))) for _ in range(2)][1]       # the first fills the caches
            print_row(game, *(f"{row[key]:.1f}" for key in ("first", "again")),
                      *(f"{row[key] / 1024:.0f}" for key in ("plain", "asked", "json", "packed")))


def _seats(game: str) -> list[str]:
    """Return the options for a person in the first seat and quick opponents."""
    players = sfida.make(game).players
    return ["--seat", "human", *["--seat", "greedy"] * (players - 1)]


# ---- the browser's server -------------------------------------------------------------------------------


SERVED = {"carcassonne": 2, "settlers_of_zarahemla:players=2": 2, "risiko:players=3": 3, "attila:players=2": 2,
          "a_few_acres_of_snow": 2}


def timed(times: list[float], work: Callable[[], Any]) -> Any:
    """Call a function, note its CPU time in milliseconds, and return its result."""
    began = time.process_time()
    done = work()
    times.append(1000 * (time.process_time() - began))
    return done


def server_row(game: str, decisions: int, seed: int) -> str:
    """Return a game's row of the table."""
    from sfida.web.lobby import Links, Lobby
    from sfida.web.runner import Threads
    from sfida.web.scenes import scene

    lobby = Lobby(Links(Path(os.environ["XDG_STATE_HOME"]) / "links.json"), Threads(1))
    link, session = lobby.enter(lobby.open(game, ["human"] * SERVED[game], seed=seed).links[0].token)
    rng, plays, scenes, again = random.Random(seed), [], [], []
    for _ in range(decisions):
        while (asked := scene(session, link))["decision"] is None and not asked["over"]:
            time.sleep(0.01)                            # a single legal move is played automatically
        if asked["over"]:
            break
        move = rng.choice(asked["decision"]["moves"])["text"]
        timed(plays, lambda move=move: session.play(link.seats, session.version, move))
        timed(scenes, lambda: scene(session, link))
        timed(again, lambda: scene(session, link))
    lobby.close()
    body = json.dumps(asked, ensure_ascii=False, separators=(",", ":")).encode()
    figures = "  ".join(f"{statistics.median(times):5.1f} {max(times):5.1f}" for times in (plays, scenes, again))
    return (f"{game.split(':')[0]:<21}  {figures}  {len(body) / 1024:5.0f} KiB  "
            f"{len(gzip.compress(body, 1)) / 1024:4.0f} KiB")


@command
def web(*, decisions: int = 40, seed: int = 5) -> None:
    """Measure what the table in the browser costs the server, in ms of CPU time. Takes a minute.

    web --decisions 40 --seed 5

    In each game people play some decisions by chance: a click is "play". After each the scene is made that their page
    asks for ("scene"), and then once more, as for another page of the same seat ("again"). Medians and maxima; the
    sizes are those of the last scene, plain and as it is sent.
    """
    print(f"{'':<21}  {'play':>11}  {'scene':>11}  {'again':>11}  {'plain':>9}  {'as sent':>8}")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_STATE_HOME"] = folder
        for game in SERVED:
            print(server_row(game, decisions, seed), flush=True)
