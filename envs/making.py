"""The environments by game specs, with one-line errors for missing libraries."""

from __future__ import annotations

import importlib
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from sfida.ai.agent import Agent
from sfida.ai.table import game_for
from sfida.cython_ext.errors import InvalidOption, SfidaError
from sfida.engines.game import Game
from sfida.engines.registry import make_game
from sfida.engines.spec import quoted, whole

if TYPE_CHECKING:
    from gymnasium import Env
    from pettingzoo import AECEnv, ParallelEnv


def _need(module: str, package: str, extra: str) -> None:
    """Import a module; raises SfidaError with the command that installs its package."""
    try:
        importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name != module:
            raise
        raise SfidaError(f"this needs the package {package}: pip install 'sfida[{extra}]'") from None


def _penalty(reward: Any) -> float | None:
    """Return the reward of an illegal action; raises InvalidOption unless it is a number or None."""
    if reward is None:
        return None
    try:
        number = float(reward)
    except (TypeError, ValueError):
        number = math.nan
    if not math.isfinite(number):
        raise InvalidOption(f"illegal_reward must be a number, or None to raise IllegalMove, not {quoted(reward)}")
    return number


def aec_env(game: str | Game, *, actions: str = "fixed", observe: str | None = None, reward: str = "shares",
            width: int | None = None, illegal_reward: float | None = None, render_mode: str | None = None,
            **options: object) -> AECEnv[str, dict[str, Any], int]:
    """Return a PettingZoo environment of all seats of a game.

    Parameters
    ----------
    game : str or Game
        Game spec.
    actions : str
        "fixed": a number means the same at every decision; "candidates": action i is the i-th of the moves worth
        searching.
    observe : str, optional
        "features" or "dict"; by default features, if the game lists any.
    reward : str
        "shares", "zero_sum" or "points".
    width : int, optional
        Number of actions if they are candidates; a longer list is cut to the moves with the highest priors.
    illegal_reward : float, optional
        Reward of an agent for an illegal action, which ends the game. By default the environment raises `IllegalMove`.
    render_mode : str, optional
        "human", "ansi", "svg" or "rgb_array".
    **options
        Options of the game, as for `sfida.make`.

    Raises
    ------
    SfidaError
        If pettingzoo is not installed.
    UnknownGame, InvalidOption
    """
    _need("gymnasium", "gymnasium", "envs")
    _need("pettingzoo", "pettingzoo", "envs")
    from pettingzoo.utils.wrappers import OrderEnforcingWrapper

    from sfida.envs.aec import AllSeats
    from sfida.envs.spaces import EndsAtIllegal, Sight, choices_of

    made = make_game(game, **options)
    choices = choices_of(made, actions, width)
    env: AECEnv[str, dict[str, Any], int] = AllSeats(made, choices, Sight(made, choices, observe), reward, render_mode)
    penalty = _penalty(illegal_reward)
    if penalty is not None:
        env = EndsAtIllegal(env, illegal_reward=penalty)
    return OrderEnforcingWrapper(env)


def parallel_env(game: str | Game, *, illegal_reward: float | None = -1.0,
                 **settings: Any) -> ParallelEnv[str, dict[str, Any], int]:
    """Return a game as a parallel PettingZoo environment: all agents act, but only the action of the mover counts.

    Parameters
    ----------
    game : str or Game
    illegal_reward : float, optional
        As for `aec_env`; here an illegal action ends the game by default.
    **settings
        Parameters of `aec_env`.
    """
    env = aec_env(game, illegal_reward=illegal_reward, **settings)
    from pettingzoo.utils.conversions import turn_based_aec_to_parallel

    return turn_based_aec_to_parallel(env)


def one_seat_env(game: str | Game, opponents: str | Agent | Sequence[str | Agent] = "random", *, seat: int | None = 0,
                 actions: str = "fixed", observe: str | None = None, reward: str = "shares", width: int | None = None,
                 illegal_reward: float | None = -1.0, render_mode: str | None = None,
                 **options: object) -> Env[dict[str, Any], int]:
    """Return a Gymnasium environment of one seat of a game, with agents on the other seats.

    Parameters
    ----------
    game : str or Game
        Game spec. If the number of players is not given, it is that of the opponents and the learner.
    opponents : str, Agent or sequence of them
        Agent specs or agents: one for all other seats, or one for each in seat order.
    seat : int, optional
        The learner's seat; None: each game draws it.
    actions, observe, reward, width, render_mode
        As for `aec_env`.
    illegal_reward : float, optional
        Reward of an illegal action, which ends the game. None: the environment raises `IllegalMove`.
    **options
        Options of the game, as for `sfida.make`.

    Raises
    ------
    SfidaError
        If gymnasium is not installed.
    UnknownGame, UnknownAgent, InvalidOption
    """
    _need("gymnasium", "gymnasium", "envs")
    from sfida.envs.one_seat import OneSeat
    from sfida.envs.spaces import Opponents, Sight, choices_of

    agents: list[str | Agent]
    if isinstance(opponents, Sequence) and not isinstance(opponents, str):
        made = game_for(game, ["human", *opponents], options)
        agents = list(opponents)
    else:
        made = make_game(game, **options)
        agents = [opponents] * (made.players - 1)
    if len(agents) != made.players - 1:
        raise InvalidOption(f"{quoted(made.spec())} needs {made.players - 1} opponents, not {len(agents)}; one agent "
                            "alone stands for all of them")
    if seat is not None and (whole(seat) is None or not 0 <= seat < made.players):
        raise InvalidOption(f"seat must be 0..{made.players - 1}, or None for any, not {quoted(seat)}")
    choices = choices_of(made, actions, width)
    return OneSeat(made, choices, Sight(made, choices, observe), Opponents(made, agents), seat, reward,
                   _penalty(illegal_reward), render_mode)


def register_in_openspiel() -> list[str]:
    """Register Sfida's games in OpenSpiel, so that `pyspiel.load_game` and its algorithms find them.

    Returns
    -------
    list of str
        Their names there, such as "sfida_carcassonne"; parameters are `players`, and other options in one text:
        ``sfida_carcassonne(players=3,options=river:true)``.

    Raises
    ------
    SfidaError
        If open_spiel is not installed.
    """
    _need("pyspiel", "open_spiel", "openspiel")
    from sfida.envs.spiel import register

    return register()
