"""The package open_spiel: its games as values of a spec, and the constant properties of one loaded game.

A comma separates the options of a spec, so a spec has ``;`` in place of OpenSpiel's ``,`` between parameters:
``openspiel:game=goofspiel(imp_info=True;num_cards=4)``. A ``;`` inside a value, as in
``nim(pile_sizes=1;3;5)``, is kept, because no ``name=`` follows it.
"""

from __future__ import annotations

import functools
import importlib
import math
import re
from collections import OrderedDict
from collections.abc import Sequence
from fractions import Fraction
from threading import Lock
from typing import TYPE_CHECKING, Any

from sfida.cython_ext.errors import InvalidOption, SfidaError
from sfida.cython_ext.learned import PY_MOST_FEATURES as MOST_FEATURES
from sfida.engines.spec import did_you_mean, quoted

if TYPE_CHECKING:
    from sfida.engines.openspiel.worlds import Worlds


# ---- OpenSpiel's game strings, such as ``goofspiel(imp_info=True,num_cards=4)``, as values of a Sfida spec

_SEPARATOR = re.compile(r"(?<!\s)\s*[;,]\s*(?=\w+\s*=)")      # the lookbehind avoids one attempt per blank in a row


def as_openspiel(text: str) -> str:
    """Return a game string in OpenSpiel's notation, for either separator."""
    return _SEPARATOR.sub(",", text.strip())


def as_option(text: str) -> str:
    """Return a game string of OpenSpiel as the value of an option: without commas and empty brackets at the end."""
    return _SEPARATOR.sub(";", text.strip()).removesuffix("()")


def bare_name(text: str) -> str:
    """Return the short name at the start of a game string."""
    return text.partition("(")[0].strip()


def balanced(text: str) -> bool:
    """Return whether the brackets of a text are balanced."""
    depth = 0
    for sign in text:
        depth += {"(": 1, ")": -1}.get(sign, 0)
        if depth < 0:
            return False
    return depth == 0


def with_players(text: str, players: int, parameters: dict[str, Any]) -> str:
    """Return a game string with a given number of players, if it does not specify one.

    Parameters
    ----------
    text : str
        A game string in OpenSpiel's notation.
    players : int
    parameters : dict
        Parameters that the game has, by name.
    """
    if "players" not in parameters or re.search(r"[(,]players=", text):
        return text
    name, _, rest = text.partition("(")
    rest = rest.removesuffix(")")
    return f"{name}({rest},players={players})" if rest else f"{name}(players={players})"


# ---- Exact weights for probabilities that OpenSpiel gives as floats

_LARGEST = 2**32 - 1            # largest sum of all weights
_DENOMINATOR = 10**6            # largest denominator of an exact fraction
_TOLERANCE = 1e-9               # largest error of a float against its fraction


@functools.lru_cache(maxsize=1024)
def integer_weights(probabilities: tuple[float, ...]) -> tuple[int, ...]:
    """Return integer weights in proportion to probabilities.

    A probability such as 1/52 arrives as the nearest float. Each float is replaced by the simplest fraction within
    1e-9. If these fractions add up to exactly 1, the weights are their numerators over the least common
    denominator, which undoes the rounding. Other distributions are rounded to multiples of 2**-31, and no possible
    outcome gets the weight 0.

    Parameters
    ----------
    probabilities : tuple of float
        Each above 0.

    Returns
    -------
    tuple of int
        Weights of at least 1; their sum is below 2**32.
    """
    fractions = [Fraction(p).limit_denominator(_DENOMINATOR) for p in probabilities]
    common = math.lcm(*(fraction.denominator for fraction in fractions))
    if (common <= _LARGEST and sum(fractions) == 1 and all(fractions)
            and all(abs(f - p) <= _TOLERANCE for f, p in zip(fractions, probabilities, strict=True))):
        return tuple(int(fraction * common) for fraction in fractions)
    total = math.fsum(probabilities)
    return tuple(max(1, round(p / total * 2**31)) for p in probabilities)


# ---- The package open_spiel, imported when a game first needs it, and its games that Sfida can play

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
    """Return the pyspiel game of an OpenSpiel game string, with one move at a time.

    Simultaneous moves are made one after the other (OpenSpiel's `convert_to_turn_based`).

    Parameters
    ----------
    text : str
    to_play : bool
        Agents are to play the game; False: it is only walked through.

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
    except (spiel.SpielError, IndexError) as error:      # IndexError: from C++, for missing parameters
        raise InvalidOption(f"OpenSpiel cannot build {quoted(text)}: {' '.join(str(error).split())[:200]}") from None
    reason = (obstacle if to_play else unreadable)(spiel, game)
    if reason:
        raise InvalidOption(f"{WHOSE} cannot be {quoted(text)}: {reason}")
    return game


def unreadable(spiel: Any, game: Any) -> str:
    """Return the reason why the histories of a loaded game cannot be replayed; "" if they can."""
    kind = game.get_type()
    if kind.dynamics != spiel.GameType.Dynamics.SEQUENTIAL:
        return "mean-field games have no seats to play"
    if kind.chance_mode == spiel.GameType.ChanceMode.SAMPLED_STOCHASTIC:
        return "it draws its luck out of sight instead of listing what may happen"
    if not is_open(spiel, game) and not (kind.provides_information_state_string or kind.provides_observation_string):
        return "it does not tell what each player sees"
    return ""


def obstacle(spiel: Any, game: Any) -> str:
    """Return the reason why Sfida cannot play a loaded game; "" if it can."""
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
    """Return whether a loaded game has perfect information."""
    return bool(game.get_type().information == spiel.GameType.Information.PERFECT_INFORMATION)


# ---- Constant properties of one loaded OpenSpiel game: seats, observations, win shares

_SLACK = 1e-6                   # rounding error of a share beyond 0 or 1


class SpielRules:
    """A loaded game.

    Parameters
    ----------
    text : str
        OpenSpiel's game string.
    to_play : bool
        Agents are to play the game; False: it is only walked through.

    Attributes
    ----------
    text : str
        The game string that builds the same rules again, in OpenSpiel's canonical notation.
    spiel : module
        pyspiel.
    game : pyspiel.Game
        The game with one move at a time: simultaneous moves are made one after the other.
    title : str
    parameters : dict
        Parameters that game strings of this kind may have, with their defaults.
    players : int
        Number of seats.
    initial : pyspiel.State
        The start of the game; do not change it.
    hidden : bool
        Some seat cannot see everything.
    bids : bool
        Some moves are simultaneous.
    longest_list : int
        Bound on the moves or chance outcomes at any one time.
    feature_names : tuple of str
        Inputs of a learned evaluation for a seat: the seat's number, and the numbers of its observation. Empty if the
        game has no such numbers, or too many.
    known_worlds : OrderedDict
        Cache of the latest results of `worlds`, by seat, actor and record.
    """

    def __init__(self, text: str, to_play: bool = True) -> None:
        self.spiel: Any = library()
        self.game: Any = load(text, to_play)
        kind = self.game.get_type()
        self.bids: bool = kind.short_name == "turn_based_simultaneous_game"
        # The converted game's own string spells out every default.
        base = self.spiel.load_game(text) if self.bids else self.game
        self.text: str = str(base)
        self.title: str = f"{base.get_type().long_name} (OpenSpiel)"
        self.parameters: dict[str, Any] = base.get_type().parameter_specification
        self.players: int = self.game.num_players()
        self.initial: Any = self.game.new_initial_state()        # slow in some games
        self.hidden: bool = not is_open(self.spiel, self.game)
        self.longest_list: int = max(1, self.game.num_distinct_actions(), self.game.max_chance_outcomes())
        self.spread: float = self.game.max_utility() - self.game.min_utility()
        self.perfect_recall: bool = kind.provides_information_state_string
        self.feature_names: tuple[str, ...] = self._feature_names(kind)
        self.known_worlds: OrderedDict[object, Worlds] = OrderedDict()
        self.lock: Lock = Lock()

    def shown(self, state: Any, seat: int) -> str:
        """Return OpenSpiel's text of a seat's information state, or else of its observation."""
        if self.perfect_recall:
            return str(state.information_state_string(seat))
        return str(state.observation_string(seat))

    def _feature_names(self, kind: Any) -> tuple[str, ...]:
        if not kind.provides_observation_tensor:
            return ()
        size = self.game.observation_tensor_size()
        name = self.game.get_type().short_name if not self.bids else self.text.partition("(")[0]
        names = (*(f"{name} seat {seat}" for seat in range(self.players)), *(f"{name} {i}" for i in range(size)))
        return names if size and len(names) <= MOST_FEATURES else ()

    def features(self, state: Any, seat: int) -> list[float]:
        """Return a number for each of `feature_names`; if seats have secrets, only the seat to move is observed."""
        which = [float(each == seat) for each in range(self.players)]
        if self.hidden and state.current_player() != seat:
            return which + [0.0] * (len(self.feature_names) - self.players)
        return [*which, *state.observation_tensor(seat)]

    def shares(self, returns: Sequence[float]) -> list[float]:
        """Return each seat's share of one win: 1/n plus its difference from the mean return, on one linear scale.

        With n seats, and with U the difference of the largest and the smallest utility of the game, a seat gets
        ``1/n + (its return - mean return) / ((n - 1) * U)``: between 0 and 1, adding up to 1. For two players
        of a zero-sum game these shares are the returns, mapped linearly to 0..1.

        Raises
        ------
        SfidaError
            If returns lie beyond the bounds that the game declares.
        """
        mean = sum(returns) / self.players
        unit = (self.players - 1) * self.spread
        shares = [1.0 / self.players + (value - mean) / unit for value in returns]
        if min(shares) < -_SLACK or max(shares) > 1 + _SLACK:
            raise SfidaError(f"OpenSpiel's {self.text} returned {list(returns)}, beyond its own bounds "
                             f"{self.game.min_utility()} to {self.game.max_utility()}")
        return [min(1.0, max(0.0, share)) for share in shares]


def rules_of(text: str) -> SpielRules:
    """Return the rules of a game string; all positions of a game share one object, whatever the string's spelling."""
    rules = _loaded(text)
    return rules if rules.text == text else _loaded(rules.text)


@functools.lru_cache(maxsize=64)
def _loaded(text: str) -> SpielRules:
    return SpielRules(text)
