"""What a door and a case are, and what counts as a failure."""

from __future__ import annotations

import random
import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

LONGEST_ERROR = 1200        # characters of an error line: one of our games has many options to name
QUOTED = 100                # characters in a row of what was typed, a little more than the 80 that may be repeated
_COLOR = re.compile(r"\x1b\[[0-9;]*m")


class Broken(Exception):
    """Something happened that no input may bring about."""


@dataclass
class Case:
    """One case of a door; everything in it comes from the seed, the door and the number.

    Attributes
    ----------
    rng : random.Random
        The only source of choices.
    folder : Path
        An empty folder of its own, which is the current one.
    said : list of str
        What was tried, for whoever looks at a failure.
    """

    door: str
    seed: int
    number: int
    folder: Path
    said: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.rng = random.Random(f"{self.seed} {self.door} {self.number}")

    def note(self, what: str) -> None:
        """Remember what is tried."""
        self.said.append(what)

    def file(self, name: str, data: bytes) -> Path:
        """Write an input file."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        self.note(f"{name}: {data[:2000]!r}{'...' if len(data) > 2000 else ''}")
        return path

    def clear(self) -> None:
        """Empty the folder."""
        for path in self.folder.iterdir():
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink()


@dataclass(frozen=True)
class Door:
    """One way in.

    Attributes
    ----------
    name, doc : str
    run : callable
        Makes a case and tries it; whatever it raises is a failure.
    share : float
        How many of the asked cases are run here: doors of whole programs are slower than those of one call.
    short : int
        Cases in the suite.
    """

    name: str
    doc: str
    run: Callable[[Case], None]
    share: float = 1.0
    short: int = 100


def check_words(text: str, what: str, *, color: bool = False) -> None:
    """Refuse signs that cannot be seen, such as escapes; colours only where they were asked for."""
    shown = _COLOR.sub("", text) if color else text
    if shown.replace("\n", "").replace("\t", "").isprintable():
        return
    at = next(at for at, sign in enumerate(shown) if not sign.isprintable() and sign not in "\n\t")
    raise Broken(f"{what} holds the sign {shown[at]!r} as it is: {shown[max(0, at - 40):at + 40]!r}")


def check_quotes(text: str, typed: str, what: str) -> None:
    """Refuse a message that repeats a long piece of what was typed."""
    if len(typed) < QUOTED:
        return
    for first in range(0, len(text) - QUOTED + 10, 10):
        if (piece := text[first:first + QUOTED - 10]) in typed and len(piece) == QUOTED - 10:
            raise Broken(f"{what} repeats more than 80 characters: {piece!r}")


def check_message(error: BaseException, typed: str = "") -> None:
    """Refuse an error that does not make one short line; what cannot be seen is made so where it is shown."""
    text = str(error)
    if not text.strip():
        raise Broken(f"{type(error).__name__} says nothing") from error
    if len(text) > LONGEST_ERROR:
        raise Broken(f"{type(error).__name__} says {len(text)} characters: {text[:200]!r}...") from error
    if len(text.splitlines()) > 1:
        raise Broken(f"{type(error).__name__} says more than a line: {text[:200]!r}") from error
    check_quotes(text, typed, f"the message of {type(error).__name__}")
