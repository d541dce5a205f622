"""Doors for whole sessions of `sfida play`: valid commands and nonsense, with and without a terminal."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from support.fuzzing import garbage, samples
from support.fuzzing.case import Case, Door
from support.fuzzing.file_doors import full_device
from support.fuzzing.program import QUICK, run
from support.fuzzing.text_doors import move_text

COMMANDS = ("help", "moves", "board", "log", "tiles", "hint", "why", "why 1", "undo", "save", "save kept.jsonl",
            "save kept.jsonl.gz", "save full", "quit", "?", "h", "resign", "cards", "adj GER", "adj", "", "y", "n", "d")


def typed_line(rng: random.Random, state: Any) -> str:
    """Return a line, mostly a valid one."""
    match rng.randrange(8):
        case 0 | 1 | 2:
            return str(rng.randrange(1, 9))
        case 3:
            return rng.choice(COMMANDS)
        case 4:
            return f"{rng.choice(COMMANDS).split(' ')[0]} {garbage.word(rng)}"
        case 5:
            return garbage.text(rng, rng.choice(COMMANDS), COMMANDS)
        case _:
            return move_text(rng, state)


def inside(line: str) -> str:
    """Change a save command so that it writes into the folder of the case."""
    return line.replace("/", "_").replace("~", "_") if line.strip().lower().startswith("save") else line


def script(rng: random.Random, spec: str) -> str:
    """Return the text typed in one session."""
    state = samples.position(rng, spec)
    lines = [inside(typed_line(rng, state).replace("\n", " ")) for _ in range(rng.choice((1, 3, 8)))]
    return "\n".join(lines) + ("\n" if rng.random() < 0.9 else "")


def _session(specs: Sequence[str]) -> Any:
    def session(case: Case) -> None:
        rng = case.rng
        spec = rng.choice(specs)
        players = samples.first(spec).players
        seats = [rng.choice(("human", "human", "random", QUICK)) for _ in range(players)]
        words = [word for seat in seats for word in ("--seat", seat)]
        for option in ("--manual-chance", "--json", "--record=game.jsonl", "--color=always"):
            if rng.random() < 0.15:
                words.append(option)
        if "human" not in seats and "--manual-chance" not in words:
            words[1] = "human"
        full_device(case.folder / "full")
        run(case, "play", spec, "--seed", str(rng.randrange(50)), *words, typed=script(rng, spec),
            terminal=rng.random() < 0.5, asked=True)
    return session


# The board is not laid by luck: working out what each seat saw of one of 12,288 layouts takes a second.
PLAYED = {**samples.FIVE, "zarahemla": ("zarahemla:board=figures", "zarahemla:board=figures,preset=catan,players=4"),
          "examples": samples.EXAMPLES}
DOORS = tuple(Door(f"session-{name}", f"sessions of {name}", _session(specs), share=0.1, short=8)
              for name, specs in PLAYED.items())
