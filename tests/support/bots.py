"""A program that breaks the protocol: `python bots.py MODE`, each mode in its own way.

With an unknown mode it follows the protocol. It needs nothing but Python, and starts fast.
"""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path


def say(**message):
    print(json.dumps(message), flush=True)


def shout(data):
    """Write bytes forever."""
    while True:
        os.write(1, data)


def sleep():
    time.sleep(600)


mode = sys.argv[1]
games = 0

if mode == "deaf":
    sleep()
chunks = iter(lambda: os.read(0, 1 << 24).decode(), "")
for line in chunks if mode == "hasty" else sys.stdin:       # hasty: treats each chunk read as a line
    if mode == "short lines" and len(line) > 100_000:
        sys.exit("line too long")
    try:
        message = json.loads(line)
    except ValueError:
        if mode in ("hangs on garbage", "hasty"):
            sleep()
        sys.exit("no JSON")
    kind = message["type"]
    if mode == "strict" and kind not in ("hello", "new_game", "choose", "quit"):
        say(type="error", message=f"what is {kind}?")
    if kind == "observe" and mode == "talks back":
        say(type="error", message="so what?")
    if kind == "hello":
        if mode == "never ready":
            sleep()
        if mode == "dies at once":
            sys.exit("bots.py: no such file: weights.bin")
        if mode == "refuses":
            say(type="error", message="no licence")
            sleep()
        if mode == "child":
            child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
            Path(sys.argv[2]).write_text(str(child.pid))
        if mode == "other version":
            say(type="ready", protocol=2)
        elif mode == "other versions":
            say(type="ready", protocol=1, versions=[3, 2])
        elif mode == "newer, too":
            say(type="ready", protocol=2, versions=[2, 1])
        elif mode == "no version":
            say(type="ready")
        elif mode == "no versions":
            say(type="ready", versions=[])
        elif mode in ("listens", "talks back"):
            say(type="ready", observes=True)
        else:
            say(type="info", comment="warming up")
            say(type="ready", protocol=1, name="a bot", shoe_size=43)
        if mode == "deaf later":
            sleep()
    if kind == "new_game":
        games += 1
    if kind == "quit":
        if mode == "stays":
            sleep()
        if len(sys.argv) > 2:
            Path(sys.argv[2]).write_text(f"quit after {games} games\n")
        break
    if kind != "choose":
        continue
    number, moves = message["id"], message["legal_moves"]
    if mode in ("silent", "child"):
        sleep()
    if mode == "needs a limit" and message["limit"] > 1e9:
        sleep()
    if mode == "small numbers" and message["seed"] == 2**64 - 1:
        say(type="error", id=number, message="too large")
    if mode == "own luck":
        say(type="move", id=number, move=moves[time.time_ns() // 1000 % len(moves)])
    if mode == "garbage":
        print("I think", moves[0], flush=True)
    if mode == "list":
        print("[1, 2]", flush=True)
    if mode == "deep":
        print("[" * 100_000, flush=True)
    if mode == "nan":
        print('{"type": "move", "id": NaN, "move": "a1"}', flush=True)
    if mode == "latin-1":
        os.write(1, '{"type": "info", "text": "größer"}\n'.encode("latin-1"))
    if mode == "dies":
        print("Traceback (most recent call last):\n  ...\nKeyError: '\x1b[31mtile'\n", file=sys.stderr)
        sys.exit(3)
    if mode == "killed":
        os.kill(os.getpid(), signal.SIGKILL)
    if mode == "closes stdout":
        os.close(1)
        sleep()
    if mode == "endless line":
        shout(b"x" * 65536)
    if mode == "endless lines":
        shout(b'{"type":"info"}\n' * 4096)
    if mode == "endless stderr":
        while True:
            os.write(2, b"thinking\n" * 4096)
    if mode == "much stderr":
        os.write(2, b"thinking\n" * 100_000)
    if mode == "wrong id":
        say(type="move", id=number + 1, move=moves[0])
    if mode == "no id":
        say(type="move", move=moves[0])
    if mode == "true id":
        say(type="move", id=True, move=moves[0])
    if mode == "number":
        say(type="move", id=number, move=5)
    if mode == "gives up":
        say(type="error", id=number, message="out of\nmemory")
    if mode == "illegal":
        say(type="move", id=number, move="z9")
    if mode == "twice":
        say(type="move", id=number, move=moves[-1])
    if mode == "leaves a child":
        subprocess.Popen([sys.executable, "-c", "import time; time.sleep(3)"])
        sys.exit(4)
    if mode == "second game" and games == 1:
        sys.exit(0)
    if mode == "fourth game" and games == 4:
        sys.exit(3)
    say(type="info", depth=3)
    say(type="move", id=number, move=moves[-1], why="the last one")
    if mode == "one game" and games == 2:
        sys.exit(0)
if mode == "half a line":
    print('{"type":', end="", flush=True)
if mode == "outlives us":
    sleep()
