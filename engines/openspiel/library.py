"""The package open_spiel: imported when a game first needs it, and asked for games that Sfida can play."""

from __future__ import annotations

import importlib
from typing import Any

from sfida.cython_ext.errors import InvalidOption, SfidaError
from sfida.engines.openspiel.names import balanced, bare_name
from sfida.engines.spec import did_you_mean, quoted

MOST_SEATS = 6
WHOSE = "option 'game' of game 'openspiel'"


def library() -> Any:
    """Return the module pyspiel.

    Raises
    ------
    SfidaError
        If open_spiel is not installed.
    """
    try:
        return importlib.import_module("pyspiel")
    except ModuleNotFoundError:
        raise SfidaError("the game openspiel needs the package open_spiel: "
                         "pip install 'sfida[openspiel]'") from None


def load(text: str, to_play: bool = True) -> Any:
    """Return the pyspiel game of an OpenSpiel game string, one move at a time.

    Moves that OpenSpiel has made at once are made one after the other (its `convert_to_turn_based`).

    Parameters
    ----------
    text : str
    to_play : bool
        Agents are to play it; False: it is only walked through.

    Raises
    ------
    InvalidOption
        If OpenSpiel knows no such game or parameter, or if the game is of a kind that Sfida cannot play.
    """
    spiel = library()
    name = bare_name(text)
    known = spiel.registered_names()
    if name not in known:
        raise InvalidOption(f"{WHOSE} must be a game of OpenSpiel, not {quoted(name)}{did_you_mean(name, known)}")
    if not balanced(text):
        raise InvalidOption(f"the brackets of {quoted(text)} in {WHOSE} do not match")
    try:
        game = spiel.load_game(text)
        if game.get_type().dynamics == spiel.GameType.Dynamics.SIMULTANEOUS:
            game = spiel.convert_to_turn_based(game)
    except (spiel.SpielError, IndexError) as error:      # IndexError: of its C++, for parameters that are missing
        raise InvalidOption(f"OpenSpiel cannot build {quoted(text)}: {' '.join(str(error).split())[:200]}") from None
    reason = (obstacle if to_play else unreadable)(spiel, game)
    if reason:
        raise InvalidOption(f"{WHOSE} cannot be {quoted(text)}: {reason}")
    return game


def unreadable(spiel: Any, game: Any) -> str:
    """Say why the histories of a loaded game cannot be followed; "" when they can."""
    kind = game.get_type()
    if kind.dynamics != spiel.GameType.Dynamics.SEQUENTIAL:
        return "mean-field games have no seats to play"
    if kind.chance_mode == spiel.GameType.ChanceMode.SAMPLED_STOCHASTIC:
        return "it draws its luck out of sight instead of listing what may happen"
    if not is_open(spiel, game) and not (kind.provides_information_state_string or kind.provides_observation_string):
        return "it does not tell what each player sees"
    return ""


def obstacle(spiel: Any, game: Any) -> str:
    """Say why Sfida cannot play a loaded game; "" when it can."""
    reason = unreadable(spiel, game)
    if reason:
        return reason
    kind = game.get_type()
    if kind.utility == spiel.GameType.Utility.IDENTICAL:
        return "all its players win or lose together, and agents of Sfida play against each other"
    if not 2 <= game.num_players() <= MOST_SEATS:
        return f"it has {game.num_players()} players; Sfida plays with 2 to {MOST_SEATS}"
    if not 0 < game.max_utility() - game.min_utility() < float("inf"):
        return "its utilities have no bounds"
    return ""


def is_open(spiel: Any, game: Any) -> bool:
    """Say whether nothing is hidden in a loaded game."""
    return bool(game.get_type().information == spiel.GameType.Information.PERFECT_INFORMATION)
