"""Golden screens: the games that a newcomer plays at a terminal, and the screens that are kept.

    python tests/support/golden_screens.py

rewrites them. Do this only after a change that was meant to alter the screens, and review the difference.
"""

from __future__ import annotations

import re
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from support.newcomer import Newcomer, Screen
from support.terminal import Terminal

FOLDER = Path(__file__).resolve().parents[1] / "golden" / "screens"
GAMES = {"carcassonne": 2, "zarahemla": 2, "risiko": 4, "acres": 2, "attila": 3}
SIZES = ((24, 80), (40, 100))
SEED = 3


def played(game: str, rows: int, columns: int, state: Path) -> list[Screen]:
    """Return all screens of a game against `greedy`."""
    seats = ["human", *["greedy"] * (GAMES[game] - 1)]
    terminal = Terminal("play", game, *(word for seat in seats for word in ("--seat", seat)), "--seed", SEED,
                        rows=rows, columns=columns, first_look=0.02, XDG_STATE_HOME=str(state))
    try:
        return list(Newcomer(terminal, SEED).play())
    finally:
        terminal.close()


# The findings of a first look depend on the machine, and so do paths.
_LOOKING_BACK = re.compile(r"^(To look at it again|All of it): |, (luck|worst turn): ")


def kept(screens: list[Screen]) -> str:
    """Return the first screen of each kind of decision, and the last one."""
    seen: set[str] = set()
    lines: list[str] = []
    for number, screen in enumerate(screens, start=1):
        last = number == len(screens)
        if last or (screen.question not in seen and screen.decision):
            seen.add(screen.question)
            lines += [f"======== screen {number}{': the end' if last else ''}", *_stable(screen)]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _stable(screen: Screen) -> Iterator[str]:
    dropped = False
    for line in (screen.text.split("\n") if not screen.decision else screen.decision):
        dropped = bool(_LOOKING_BACK.search(line)) or (dropped and line.startswith("  "))     # or continues one
        if not dropped:
            yield line
    if screen.typed:
        yield f"[typed: {screen.typed}]"


def golden_path(game: str, rows: int, columns: int) -> Path:
    return FOLDER / f"{game}-{columns}x{rows}.txt"


def write() -> None:
    """Write all golden screens."""
    FOLDER.mkdir(exist_ok=True)
    for game in GAMES:
        for rows, columns in SIZES:
            with tempfile.TemporaryDirectory() as state:
                golden_path(game, rows, columns).write_text(kept(played(game, rows, columns, Path(state))))


if __name__ == "__main__":
    write()
