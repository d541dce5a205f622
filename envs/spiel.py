"""Sfida's games among those of OpenSpiel: ``pyspiel.load_game("sfida_carcassonne(players=3,options=river:true)")``."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

import numpy as np
import pyspiel

from sfida.cython_ext.errors import InvalidOption
from sfida.cython_ext.observing import fill_seats
from sfida.cython_ext.state import GameState
from sfida.engines.game import Game
from sfida.engines.python_game import PythonGame, PythonPosition
from sfida.engines.registry import game_class, game_names, make_game
from sfida.engines.spec import quoted
from sfida.envs.spaces import CandidateChoices, FixedChoices, centred

PREFIX = "sfida_"
LONGEST = 100_000               # decisions, and chance events, of a game: Sfida's games declare no bound


# ---- a position ---------------------------------------------------------------------------------


class SeenNode:
    """A position and what each seat has seen before it. OpenSpiel copies and pickles it with its state.

    Parameters
    ----------
    state : GameState
    seen : list of list of str
        For each seat, in order, its own moves and what it saw of other events (`GameState.label`).
    """

    __slots__ = ("actions", "seen", "state")

    def __init__(self, state: GameState, seen: list[list[str]]) -> None:
        self.state = state
        self.seen = seen
        self.actions: dict[int, int] | None = None      # codes of the legal actions; None before they are needed

    def __deepcopy__(self, memo: dict[int, Any]) -> SeenNode:
        return SeenNode(self.state.clone(), [events[:] for events in self.seen])

    def __reduce__(self) -> tuple[Any, ...]:
        return SeenNode, (self.state, self.seen)

    def play(self, code: int) -> None:
        """Play a move or a chance outcome and note what each seat saw of it."""
        state, actor = self.state, self.state.to_move
        state.apply(code)
        self.actions = None
        for seat, events in enumerate(self.seen):
            label = state.label(seat)
            if seat == actor:
                events.append(f"{code:x}:{label:x}")
            elif label:
                events.append(f"{label:x}")


class SfidaState(pyspiel.State):
    """A position of one of Sfida's games for OpenSpiel."""

    def __init__(self, game: SfidaGame) -> None:
        super().__init__(game)
        self._course = SeenNode(game.sfida.initial_state(), [[] for _ in range(game.sfida.players)])

    @property
    def position(self) -> GameState:
        """The position; must not be changed."""
        return self._course.state

    def _codes(self) -> dict[int, int]:
        """Return the code of each legal action, ascending by action, or of each outcome by its index in the list."""
        course = self._course
        if course.actions is None:
            state = course.state
            if state.is_chance:
                course.actions = dict(enumerate(code for code, _ in state.chance_outcomes()))
            elif state.is_over:
                course.actions = {}
            else:
                course.actions = dict(sorted(self.get_game().choices.at(state).items()))
        return course.actions

    # ---- OpenSpiel ------------------------------------------------------------------------------

    def current_player(self) -> int:
        """Return the seat to move; Sfida's numbers for chance and for the end are also OpenSpiel's."""
        return int(self._course.state.to_move)

    def _legal_actions(self, player: int) -> list[int]:
        return list(self._codes())

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the index of each outcome in the list of outcomes, with its probability."""
        outcomes = self._course.state.chance_outcomes()
        total = sum(weight for _, weight in outcomes)
        return [(place, weight / total) for place, (_, weight) in enumerate(outcomes)]

    def _apply_action(self, action: int) -> None:
        self._course.play(self._codes()[action])

    def _action_to_string(self, player: int, action: int) -> str:
        code = self._codes().get(action)
        return str(action) if code is None else self._course.state.format(code)

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return bool(self._course.state.is_over)

    def returns(self) -> list[float]:
        """Return each seat's win share on a scale with sum 0; zeros before the end."""
        shares = self._course.state.utilities()
        return [0.0] * self._course.state.players if shares is None else centred(shares)

    def __str__(self) -> str:
        return self._course.state.game.board_text(self._course.state)


# ---- what a seat sees ---------------------------------------------------------------------------


class SfidaObserver:
    """The observations of a seat for OpenSpiel.

    With perfect recall, the string contains everything that the seat has done and seen. Without, it is the dict of the
    game as JSON, and the tensor contains the features of learned evaluations.

    Attributes
    ----------
    tensor : float32 array or None
        None if the game lists no features, and with perfect recall.
    dict : dict
        The single part of the tensor, of shape (players, features).
    """

    def __init__(self, game: Game, perfect_recall: bool) -> None:
        self._perfect_recall = perfect_recall
        self._scratch = game.initial_state()
        names = self._scratch.feature_names
        self.tensor: Any = None
        self.dict: dict[str, Any] = {}
        if names and not perfect_recall:
            self.tensor = np.zeros(game.players * len(names), np.float32)
            self.dict["features"] = self.tensor.reshape(game.players, len(names))

    def set_from(self, state: SfidaState, player: int) -> None:
        """Write the observation of a seat into the tensor."""
        if self.tensor is not None:
            fill_seats(state.position, self._scratch, player, self.dict["features"])

    def string_from(self, state: SfidaState, player: int) -> str:
        """Return the observation of a seat as text."""
        if self._perfect_recall:
            return " ".join([f"seat {player}", *state._course.seen[player]])
        return json.dumps(state.position.observation(player), sort_keys=True)


# ---- games --------------------------------------------------------------------------------------


class SfidaGame(pyspiel.Game):
    """One of Sfida's games with chosen options. Each game has its own subclass with its `kind`.

    Parameters
    ----------
    params : dict
        `players`, and other options of the game in the text `options`: ``"river:true;farmers:false"``.

    Raises
    ------
    InvalidOption
    """

    kind: Any                   # pyspiel.GameType

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        params = {**self.kind.parameter_specification, **(params or {})}
        name = self.kind.short_name.removeprefix(PREFIX)
        options = _read_options(params["options"], name)
        self.sfida: Game = make_game(name, **{**options, "players": params["players"]})
        self.choices = CandidateChoices(self.sfida) if self.sfida.actions is None else FixedChoices(self.sfida.actions)
        players = self.sfida.players
        super().__init__(self.kind, pyspiel.GameInfo(
            num_distinct_actions=self.choices.size,
            max_chance_outcomes=int(self.sfida.initial_state().max_legal) if _has_luck(self.sfida) else 0,
            num_players=players, min_utility=-1.0 / (players - 1), max_utility=1.0, utility_sum=0.0,
            max_game_length=LONGEST), params)

    def __reduce__(self) -> tuple[Any, ...]:
        return _load, (str(self),)

    def new_initial_state(self) -> SfidaState:
        """Return the start of the game."""
        return SfidaState(self)

    def max_chance_nodes_in_history(self) -> int:
        """Return a bound on the number of chance events of a game."""
        return LONGEST if _has_luck(self.sfida) else 0

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> SfidaObserver | None:
        """Return the observer of positions; None for observations of only public or only private information."""
        if params:
            raise ValueError(f"Sfida's observers take no parameters, not {params}")
        if iig_obs_type is None:
            return SfidaObserver(self.sfida, perfect_recall=False)
        if not iig_obs_type.public_info or iig_obs_type.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER:
            return None
        return SfidaObserver(self.sfida, iig_obs_type.perfect_recall)


def _load(text: str) -> Any:
    return pyspiel.load_game(text)


def _has_luck(game: Game) -> bool:
    """Return whether a game has chance events; a game in plain Python has them if it lists outcomes."""
    return not (isinstance(game, PythonGame)
                and game.position_class.chance_outcomes is PythonPosition.chance_outcomes)


def _read_options(text: str, name: str) -> dict[str, str]:
    """Return the options in a text such as "river:true;farmers:false"; raises InvalidOption."""
    options: dict[str, str] = {}
    for part in filter(None, (part.strip() for part in text.split(";"))):
        key, colon, value = part.partition(":")
        if not colon or key.strip() in (*options, "players"):
            raise InvalidOption(f"parameter 'options' of {PREFIX}{name} must be like river:true;farmers:false, each "
                                f"option once and without players, not {quoted(text)}")
        options[key.strip()] = value.strip()
    return options


def _kind(name: str) -> Any:
    """Return OpenSpiel's description of a game."""
    cls = game_class(name)
    start = cls().initial_state()
    limits = {field.name: field.metadata for field in dataclasses.fields(cls.options_class)}["players"]
    hidden = bool(start.hidden)
    types = pyspiel.GameType
    return types(
        short_name=PREFIX + name, long_name=f"{cls.title} (Sfida)", dynamics=types.Dynamics.SEQUENTIAL,
        chance_mode=(types.ChanceMode.EXPLICIT_STOCHASTIC if _has_luck(start.game) else types.ChanceMode.DETERMINISTIC),
        information=(types.Information.IMPERFECT_INFORMATION if hidden else types.Information.PERFECT_INFORMATION),
        utility=types.Utility.ZERO_SUM, reward_model=types.RewardModel.TERMINAL,
        min_num_players=int(limits.get("low", 2)), max_num_players=int(limits.get("high", 6)),
        provides_information_state_string=True, provides_information_state_tensor=False,
        provides_observation_string=True, provides_observation_tensor=bool(start.feature_names),
        parameter_specification={"players": start.players, "options": ""})


def register() -> list[str]:
    """Register every game that `sfida.game_names` lists, if it is not registered; return OpenSpiel's names of them.

    The import of this module does so, so that pickled games and states also find them.
    """
    names = [PREFIX + name for name in game_names()]
    known = set(pyspiel.registered_names())
    for name in names:
        if name not in known:
            kind = _kind(name.removeprefix(PREFIX))
            pyspiel.register_game(kind, type("SfidaGame", (SfidaGame,), {"kind": kind}))
    return names


register()
