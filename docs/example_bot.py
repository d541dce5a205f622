#!/usr/bin/env python3
"""A whole bot in plain Python: plays any game of Sfida, a random legal move at a time."""

import json
import random
import sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        answer = {"type": "ready", "protocol": 1}
    elif message["type"] == "choose":
        luck = random.Random(message["seed"])
        answer = {"type": "move", "id": message["id"], "move": luck.choice(message["legal_moves"])}
    elif message["type"] == "quit":
        break
    else:
        continue
    print(json.dumps(answer), flush=True)
