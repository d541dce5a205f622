"""The package catanatron: imported when it is first needed, and read the same way in all its versions."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Any

from sfida.cython_ext.errors import SfidaError
from sfida.engines.spec import quoted

HOMES = ("catanatron", "catanatron_core", ".")  # where a checkout of its repository keeps the package


class CatanatronError(SfidaError):
    """catanatron is missing, or a table of it plays by rules that have no counterpart here."""


class LostTrack(CatanatronError):
    """A game went on in a way that our rules do not allow and that cannot be followed."""


def library() -> Any:
    """Return the module catanatron.

    Raises
    ------
    CatanatronError
        If it is not installed.
    """
    return part("")


def part(name: str) -> Any:
    """Return a module of the package by its name below ``catanatron``; raises CatanatronError."""
    full = f"catanatron.{name}" if name else "catanatron"
    try:
        return importlib.import_module(full)
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] != "catanatron":
            raise CatanatronError(f"catanatron needs the package {error.name}: pip install {error.name}") from None
        if sys.modules.get("catanatron") is not None:
            raise CatanatronError(f"this version of catanatron has no module {full}") from None
        raise CatanatronError("this needs the package catanatron: pip install 'sfida[catanatron]'") from None


def use_checkout(path: Path) -> None:
    """Import catanatron from a checkout of its repository from now on.

    Raises
    ------
    CatanatronError
        If there is no package in it, or if catanatron has been imported from elsewhere already.
    """
    home = next((path / name for name in HOMES if (path / name / "catanatron" / "__init__.py").is_file()), None)
    if home is None:
        raise CatanatronError(f"{quoted(str(path))} is no checkout of catanatron: it has no catanatron/__init__.py")
    loaded = sys.modules.get("catanatron")
    if loaded is not None and Path(loaded.__file__ or "").parent != (home / "catanatron").resolve():
        raise CatanatronError("catanatron is in use already; name the checkout before anything else")
    if str(home.resolve()) not in sys.path:
        sys.path.insert(0, str(home.resolve()))


def log_of(game: Any) -> list[Any]:
    """Return the log of a game: actions up to 3.2, later records of an action and its result."""
    state = game.state
    return list(state.action_records if hasattr(state, "action_records") else state.actions)


def playable(game: Any) -> list[Any]:
    """Return what the player to decide may do."""
    return list(game.playable_actions if hasattr(game, "playable_actions") else game.state.playable_actions)


def chooses_discards() -> bool:
    """Say whether players choose what they discard, card by card (after 3.2), instead of losing it by lot."""
    return hasattr(part("models.enums").ActionType, "DISCARD_RESOURCE")


def hand_of(game: Any, seat: int) -> tuple[int, ...]:
    """Return the resource cards of a seat in our order."""
    return tuple(game.state.player_state[f"P{seat}_{name}_IN_HAND"] for name in part("models.enums").RESOURCES)


def cards_of(game: Any, seat: int, played: bool = False) -> dict[str, int]:
    """Return the development cards of a seat that are held or were played, by catanatron's names."""
    key = "P{0}_PLAYED_{1}" if played else "P{0}_{1}_IN_HAND"
    return {name: game.state.player_state[key.format(seat, name)]
            for name in part("models.enums").DEVELOPMENT_CARDS}
