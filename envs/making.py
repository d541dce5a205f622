"""The environments by game specs; what a library is needed for is said in one line."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from sfida.cython_ext.errors import InvalidOption, SfidaError
from sfida.engines.game import Game
from sfida.engines.registry import make_game
from sfida.envs.choices import FIXED, choices_of

if TYPE_CHECKING:
    from pettingzoo import AECEnv, ParallelEnv


def _need(package: str, extra: str) -> Any:
    """Import a package; raises SfidaError, which says how to install it."""
    try:
        return importlib.import_module(package)
    except ModuleNotFoundError as error:
        if error.name != package:
            raise
        raise SfidaError(f"this environment needs the package {package}: pip install 'sfida[{extra}]'") from None


def _game(game: str | Game, options: dict[str, object]) -> Game:
    if isinstance(game, str):
        return make_game(game, **options)
    if options:
        raise InvalidOption(f"options go with a game spec; {game!r} has its own")
    return game


def aec_env(game: str | Game, *, actions: str = FIXED, observe: str | None = None, reward: str = "shares",
            width: int | None = None, illegal_reward: float | None = None, render_mode: str | None = None,
            **options: object) -> AECEnv[str, dict[str, Any], int]:
    """Return all seats of a game as a PettingZoo environment.

    Parameters
    ----------
    game : str or Game
        Game spec.
    actions : str
        "fixed": a number means the same at every decision; "candidates": action i is the i-th of the moves worth
        searching.
    observe : str, optional
        "features" or "dict"; by default features where the game lists some.
    reward : str
        "shares", "zero_sum" or "points".
    width : int, optional
        Number of actions where they are candidates; of a longer list the moves with the highest priors are offered.
    illegal_reward : float, optional
        Reward of an agent whose action is not legal; the game ends with it. By default `IllegalMove` is raised.
    render_mode : str, optional
        "human", "ansi" or "svg".
    **options
        Options of the game, as for `sfida.make`.

    Raises
    ------
    SfidaError
        If pettingzoo is not installed.
    UnknownGame, InvalidOption
    """
    _need("gymnasium", "envs")
    _need("pettingzoo", "envs")
    from pettingzoo.utils.wrappers import OrderEnforcingWrapper, TerminateIllegalWrapper

    from sfida.envs.aec import AllSeats
    from sfida.envs.seeing import Sight

    made = _game(game, options)
    choices = choices_of(made, actions, width)
    env: AECEnv[str, dict[str, Any], int] = AllSeats(made, choices, Sight(made, choices, observe), reward, render_mode)
    if illegal_reward is not None:
        env = TerminateIllegalWrapper(env, illegal_reward=float(illegal_reward))
    return OrderEnforcingWrapper(env)


def parallel_env(game: str | Game, *, illegal_reward: float | None = -1.0,
                 **settings: Any) -> ParallelEnv[str, dict[str, Any], int]:
    """Return a game as a parallel PettingZoo environment: all agents act, and only the action of the one to move counts.

    Parameters
    ----------
    game : str or Game
    illegal_reward : float, optional
        As for `aec_env`; here an illegal action ends the game by default.
    **settings
        Those of `aec_env`.
    """
    env = aec_env(game, illegal_reward=illegal_reward, **settings)
    from pettingzoo.utils.conversions import turn_based_aec_to_parallel

    return turn_based_aec_to_parallel(env)
