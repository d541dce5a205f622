"""The interface of learners to games: action and observation spaces, pictures, rewards, opponents."""

from __future__ import annotations

import abc
import io
import operator
from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo.utils.wrappers import TerminateIllegalWrapper

from sfida.ai.agent import Agent
from sfida.ai.chance import check_seed
from sfida.ai.registry import agent as make_agent
from sfida.ai.seat import Seat
from sfida.cython_ext.errors import IllegalMove, InvalidOption, SfidaError
from sfida.cython_ext.observing import fill_moves, fill_seats, play_luck
from sfida.cython_ext.rng import Random
from sfida.cython_ext.state import GameState
from sfida.engines.game import Game
from sfida.engines.moves import Actions
from sfida.engines.spec import quoted, whole

# ---- Seeds as learners' libraries provide them


def as_seed(seed: Any) -> int:
    """Return a seed, which may be a numpy number; raises InvalidOption unless it is a whole number from 0 on."""
    try:
        return check_seed(seed if isinstance(seed, bool) else operator.index(seed))
    except TypeError:
        return check_seed(seed)


# ---- Illegal actions, which end the game if they have a reward


class EndsAtIllegal(TerminateIllegalWrapper[str, dict[str, Any], int]):
    """PettingZoo's wrapper, which checks an action against the mask that it has handed out: agents get a copy of it."""

    def observe(self, agent: str) -> dict[str, Any] | None:
        """Return the current observation of an agent, which may write into the mask."""
        seen = super().observe(agent)
        return None if seen is None else {**seen, "action_mask": seen["action_mask"].copy()}


# ---- From the number of an action to a move and its notation


def texts_of(state: GameState, offered: dict[int, int]) -> dict[int, str]:
    """Return the notation of each action that may be chosen."""
    return {action: state.format(code) for action, code in offered.items()}


def move_of(action: Any, offered: dict[int, int], size: int, seat: int) -> int:
    """Return the code of an action.

    Parameters
    ----------
    action : int
    offered : dict
        Codes of the actions that may be chosen.
    size : int
        Number of actions of the space.
    seat : int
        Seat that chooses.

    Raises
    ------
    IllegalMove
        If it may not be chosen; the message lists the actions that may.
    """
    try:
        number = operator.index(action)
    except TypeError:
        raise IllegalMove(f"an action is a whole number from 0 to {size - 1}, not {quoted(action)}") from None
    if number not in offered:
        some = ", ".join(map(str, list(offered)[:3]))
        raise IllegalMove(f"action {number} is not legal for seat {seat} here; its action_mask allows "
                          f"{len(offered)}, such as {some}")
    return offered[number]


# ---- The moves behind the numbers of actions at a decision: a fixed space, or a list of candidates

FIXED, CANDIDATES = "fixed", "candidates"
MOST_WIDTH = 1 << 20


class ActionChoices(abc.ABC):
    """The moves that a seat may choose from, as actions 0 to `size` - 1.

    Attributes
    ----------
    size : int
        Number of actions.
    move_features : int
        Number of features that describe each action; 0: none do.
    """

    size: int
    move_features: int = 0

    @abc.abstractmethod
    def at(self, state: GameState) -> dict[int, int]:
        """Return the code of each action that may be chosen at a decision, ascending by code."""

    def mask(self, offered: dict[int, int]) -> NDArray[np.int8]:
        """Return 1 for each action that may be chosen, else 0."""
        mask = np.zeros(self.size, dtype=np.int8)
        mask[list(offered)] = 1
        return mask


class FixedChoices(ActionChoices):
    """Actions with the same meaning at every decision.

    Parameters
    ----------
    actions : Actions
        Actions of the game.
    """

    def __init__(self, actions: Actions) -> None:
        self.size = actions.count
        self._actions = actions

    def at(self, state: GameState) -> dict[int, int]:
        moves = state.legal_moves() if self._actions.complete else state.candidate_moves()
        return dict(zip(self._actions.numbers(moves), moves, strict=True))


class CandidateChoices(ActionChoices):
    """Actions that number the moves worth searching, ascending by code.

    Parameters
    ----------
    game : Game
    width : int, optional
        Number of actions; a longer list is cut to the moves with the highest priors. By default no list is longer.
    """

    def __init__(self, game: Game, width: int | None = None) -> None:
        start = game.initial_state()
        play_luck(start, Random(0))                     # the chance events of a setup may have a long list of their own
        longest = int(start.clone().max_legal)
        if width is None:
            width = longest
        elif not 1 <= (whole(width) or 0) <= MOST_WIDTH:
            raise InvalidOption(f"width must be a whole number from 1 to {MOST_WIDTH}, not {quoted(width)}")
        self.size = width
        self.move_features = len(start.move_feature_names)

    def at(self, state: GameState) -> dict[int, int]:
        moves = state.candidate_moves()
        if len(moves) > self.size:
            likely = sorted(state.move_priors(), key=lambda pair: (-pair[1], pair[0]))
            moves = sorted(move for move, _ in likely[:self.size])
        return dict(enumerate(moves))

    def features(self, state: GameState, offered: dict[int, int]) -> NDArray[np.float32]:
        """Return the features of the moves offered, then rows of zeros; shape (size, move_features)."""
        table = np.zeros((self.size, self.move_features), dtype=np.float32)
        if offered:
            fill_moves(state, np.fromiter(offered.values(), dtype=np.uint64, count=len(offered)), table)
        return table


def choices_of(game: Game, actions: str, width: int | None) -> ActionChoices:
    """Return the choices of a name.

    Raises
    ------
    InvalidOption
        If there are no choices of that name, or the game does not number its moves.
    """
    if actions == CANDIDATES:
        return CandidateChoices(game, width)
    if actions != FIXED:
        raise InvalidOption(f"actions must be '{FIXED}' or '{CANDIDATES}', not {quoted(actions)}")
    if width is not None:
        raise InvalidOption(f"width goes with actions='{CANDIDATES}'; a fixed space has the size of the game's own")
    if game.actions is None:
        raise InvalidOption(f"{quoted(game.spec())} has no fixed numbers of actions; right would be "
                            f"actions='{CANDIDATES}'")
    return FixedChoices(game.actions)


# ---- The observations of a seat: their space, and the observation of a position

FEATURES, DICT = "features", "dict"
OBSERVATION_KINDS = (FEATURES, DICT)


class PositionSpace(spaces.Space[dict[str, Any]]):
    """The dicts that describe what a seat sees of a game (`GameState.observation`): JSON-able, of any shape."""

    def __init__(self, game: Game) -> None:
        super().__init__(None, None)
        self.game = game

    def sample(self, mask: Any = None, probability: Any = None) -> dict[str, Any]:
        """Return the observation of some seat at the start."""
        return self.game.initial_state().observation(int(self.np_random.integers(self.game.players)))

    def contains(self, x: Any) -> bool:
        """Return whether `x` is a dict that JSON can represent."""
        return isinstance(x, dict) and _is_plain(x)

    @property
    def is_np_flattenable(self) -> bool:
        """Whether it can be flattened to one array: never."""
        return False

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PositionSpace) and other.game == self.game

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"PositionSpace({self.game.spec()})"


def _is_plain(value: Any) -> bool:
    if isinstance(value, dict):
        return all(isinstance(key, str) and _is_plain(item) for key, item in value.items())
    if isinstance(value, (list, tuple)):
        return all(_is_plain(item) for item in value)
    return value is None or isinstance(value, (bool, int, float, str))


class Sight:
    """Makes observations. It reads nothing that a seat cannot know: it first overwrites other seats' secrets.

    Parameters
    ----------
    game : Game
    choices : ActionChoices
    kind : str, optional
        "features": the input of a learned evaluation of the game; "dict": all that the game shows to programs. By
        default features, if the game has any.

    Raises
    ------
    InvalidOption
        If there is no such kind, or the game lists no features.

    Attributes
    ----------
    space : gymnasium.spaces.Dict
        Space of the observations of every seat: `observation`, of shape (players, features), one row for each seat, the
        observer's first (or `position`, a dict); `action_mask`; `moves`, of shape (actions, features of a move), if
        actions are candidates whose features the game lists.
    """

    def __init__(self, game: Game, choices: ActionChoices, kind: str | None = None) -> None:
        start = game.initial_state()
        self._shape = game.players, len(start.feature_names)
        if kind is None:
            kind = FEATURES if self._shape[1] else DICT
        if kind not in OBSERVATION_KINDS:
            raise InvalidOption(f"observe must be one of {', '.join(map(repr, OBSERVATION_KINDS))}, not {quoted(kind)}")
        if kind == FEATURES and not self._shape[1]:
            raise InvalidOption(f"{quoted(game.spec())} lists no features; right would be observe='{DICT}'")
        self._choices = choices
        self._scratch = start
        self._by_features = kind == FEATURES
        parts: dict[str, spaces.Space[Any]] = {}
        if self._by_features:
            parts["observation"] = spaces.Box(-np.inf, np.inf, self._shape, np.float32)
        else:
            parts["position"] = PositionSpace(game)
        parts["action_mask"] = spaces.Box(0, 1, (choices.size,), np.int8)
        self._candidates = choices if isinstance(choices, CandidateChoices) and choices.move_features else None
        if self._candidates is not None:
            parts["moves"] = spaces.Box(-np.inf, np.inf, (choices.size, choices.move_features), np.float32)
        self.space = spaces.Dict(parts)

    def of(self, state: GameState, seat: int, offered: dict[int, int]) -> dict[str, Any]:
        """Return the observation of a seat.

        Parameters
        ----------
        state : GameState
        seat : int
        offered : dict
            Codes of the actions that the seat may choose from now; empty if it is not to move.
        """
        seen: dict[str, Any] = {}
        if self._by_features:
            rows = np.empty(self._shape, dtype=np.float32)
            fill_seats(state, self._scratch, seat, rows)
            seen["observation"] = rows
        else:
            seen["position"] = state.observation(seat)
        seen["action_mask"] = self._choices.mask(offered)
        if self._candidates is not None:
            seen["moves"] = self._candidates.features(state, offered)
        return seen


# ---- Pictures of a position for those who watch a learner

RENDER_MODES = ["human", "ansi", "svg", "rgb_array"]
PIXELS = 800                            # width of an "rgb_array"


def check_mode(mode: str | None) -> str | None:
    """Return a render mode; raises InvalidOption if there is no such mode."""
    if mode is not None and mode not in RENDER_MODES:
        raise InvalidOption(f"render_mode must be one of {', '.join(map(repr, RENDER_MODES))}, not {quoted(mode)}")
    return mode


def drawn(state: GameState, mode: str | None, seat: int | None = None) -> str | NDArray[np.uint8] | None:
    """Draw a position as `seat` sees it (None: its public part).

    Returns
    -------
    str, numpy.ndarray or None
        The text ("ansi"), the SVG document ("svg") or its pixels ("rgb_array": height x 800 x 3, uint8); None for
        "human", which prints the text.
    """
    if mode is None:
        raise InvalidOption(f"nothing is drawn without a render_mode: give one of {', '.join(map(repr, RENDER_MODES))}")
    if mode == "svg":
        return state.game.board_svg(state, seat=seat)
    if mode == "rgb_array":
        return pixels(state.game.board_svg(state, seat=seat))
    text = state.game.board_text(state, seat=seat)
    if mode == "human":
        print(text)
        return None
    return text


def pixels(svg: str) -> NDArray[np.uint8]:
    """Return the pixels of an SVG document on white, height x 800 x 3; raises SfidaError if a package is missing."""
    try:
        import resvg_py
        from PIL import Image
    except ImportError as error:
        raise SfidaError("'rgb_array' needs the packages resvg-py and Pillow: pip install 'sfida[envs]'") from error
    png = bytes(resvg_py.svg_to_bytes(svg_string=svg, width=PIXELS, background="white"))
    with Image.open(io.BytesIO(png)) as image:
        return np.asarray(image.convert("RGB"), dtype=np.uint8)


# ---- The rewards of seats

SHARES, ZERO_SUM, POINTS = "shares", "zero_sum", "points"
REWARD_KINDS = (SHARES, ZERO_SUM, POINTS)


def centred(shares: list[float]) -> list[float]:
    """Return win shares on a scale with sum 0 and the value 1 for a win alone."""
    n = len(shares)
    return [(n * share - 1) / (n - 1) for share in shares]


class Rewards:
    """Rewards of a game as it continues.

    Parameters
    ----------
    kind : str
        "shares": each seat's win share at the end, 0 to 1, and 0 before; "zero_sum": the same on a scale from
        -1 / (n - 1) to 1, with sum 0; "points": the change of each seat's visible points since the last action.
    state : GameState
        The start.

    Raises
    ------
    InvalidOption
        If there is no such kind.
    """

    def __init__(self, kind: str, state: GameState) -> None:
        if kind not in REWARD_KINDS:
            raise InvalidOption(f"reward must be one of {', '.join(map(repr, REWARD_KINDS))}, not {quoted(kind)}")
        self._kind = kind
        self._points = [float(points) for points in state.scores()] if kind == POINTS else []

    def of(self, state: GameState) -> list[float]:
        """Return each seat's reward since the last call."""
        if self._kind == POINTS:
            before, self._points = self._points, [float(points) for points in state.scores()]
            return [now - then for then, now in zip(before, self._points, strict=True)]
        shares = state.utilities()
        if shares is None:
            return [0.0] * state.players
        return list(shares) if self._kind == SHARES else centred(shares)


# ---- The opponents of a learner


class Opponents:
    """Agents for one game after another. Those given as specs are made again for each, unless they are reusable.

    Parameters
    ----------
    game : Game
    agents : sequence of str or Agent
        In seat order, without the learner.

    Raises
    ------
    InvalidOption
        If an agent requires knowledge that the game does not have, or is a person.
    UnknownAgent
    """

    def __init__(self, game: Game, agents: Sequence[str | Agent]) -> None:
        self._agents = tuple(agents)
        self._seats = [_seat(agent) for agent in self._agents]
        self._fresh = True
        for seat in self._seats:
            seat.check(game)
            if seat.is_person:
                raise InvalidOption("a person cannot sit at a learner's table; opponents are agents such as 'random'")

    def seats(self) -> list[Seat]:
        """Return the seats for the next game."""
        if not self._fresh:
            for number, agent in enumerate(self._agents):
                if isinstance(agent, str) and not self._seats[number].is_reusable:
                    self._seats[number].close()
                    self._seats[number] = _seat(agent)
        self._fresh = False
        return list(self._seats)

    def close(self) -> None:
        """End the programs of agents, if any; they start again with the next game."""
        for seat in self._seats:
            seat.close()


def _seat(agent: str | Agent) -> Seat:
    return Seat(make_agent(agent) if isinstance(agent, str) else agent)
