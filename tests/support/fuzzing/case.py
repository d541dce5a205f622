"""Doors and cases, and the outcomes that count as failures."""

from __future__ import annotations

import random
import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

LONGEST_ERROR = 1200        # maximum characters of an error line: one of our games has many options to name
QUOTED = 100                # consecutive typed characters, a little more than the 80 that a message may repeat
_COLOR = re.compile(r"\x1b\[[0-9;]*m")


class Broken(Exception):
    """A case had an effect that no input may have."""


@dataclass
class Case:
    """One case of a door; the seed, the door and the number determine all its contents.

    Attributes
    ----------
    rng : random.Random
        The only source of random choices.
    folder : Path
        The case's own empty folder, which is the current one.
    said : list of str
        Notes on the actions of the case, for the analysis of a failure.
    """

    door: str
    seed: int
    number: int
    folder: Path
    said: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.rng = random.Random(f"{self.seed} {self.door} {self.number}")

    def note(self, what: str) -> None:
        """Note an action of the case."""
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
    """One way by which data come in.

    Attributes
    ----------
    name, doc : str
    run : callable
        Makes a case and tries it; any exception is a failure.
    share : float
        Share of the requested cases that is run: doors of whole programs are slower than doors of one call.
    short : int
        Number of cases in the test suite.
    """

    name: str
    doc: str
    run: Callable[[Case], None]
    share: float = 1.0
    short: int = 100


def check_words(text: str, what: str, *, color: bool = False) -> None:
    """Refuse invisible characters, such as escapes; colours are allowed only with `color`."""
    shown = _COLOR.sub("", text) if color else text
    if shown.replace("\n", "").replace("\t", "").isprintable():
        return
    at = next(at for at, sign in enumerate(shown) if not sign.isprintable() and sign not in "\n\t")
    raise Broken(f"{what} holds the sign {shown[at]!r} as it is: {shown[max(0, at - 40):at + 40]!r}")


def check_quotes(text: str, typed: str, what: str) -> None:
    """Refuse a message that repeats a long piece of the typed text."""
    if len(typed) < QUOTED:
        return
    for first in range(0, len(text) - QUOTED + 10, 10):
        if (piece := text[first:first + QUOTED - 10]) in typed and len(piece) == QUOTED - 10:
            raise Broken(f"{what} repeats more than 80 characters: {piece!r}")


def check_message(error: BaseException, typed: str = "") -> None:
    """Refuse an error without a message, or with a long one; invisible characters are escaped at output."""
    text = str(error)
    if not text.strip():
        raise Broken(f"{type(error).__name__} says nothing") from error
    if len(text) > LONGEST_ERROR:
        raise Broken(f"{type(error).__name__} says {len(text)} characters: {text[:200]!r}...") from error
    if len(text.splitlines()) > 1:
        raise Broken(f"{type(error).__name__} says more than a line: {text[:200]!r}") from error
    check_quotes(text, typed, f"the message of {type(error).__name__}")
