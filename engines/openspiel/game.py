"""A game of OpenSpiel as a registered game, and its positions.

Importing this module does not import open_spiel; creating a game does.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

from sfida.cython_ext.errors import InvalidOption
from sfida.cython_ext.python_state import Hooks, PythonState
from sfida.cython_ext.rng import Random
from sfida.engines.game import GameOptions
from sfida.engines.moves import Actions, SmallCodes
from sfida.engines.openspiel.library import SpielRules, as_openspiel, as_option, rules_of, with_players
from sfida.engines.openspiel.worlds import Node, replay, start, worlds_of
from sfida.engines.python_game import TERMINAL, PythonGame, PythonPosition, position_of
from sfida.engines.spec import options_from, quoted

# ---- Positions of OpenSpiel games with the interface of a Python game

_COLOUR = re.compile("\x1b\\[[0-9;]*m")


class OpenPosition(PythonPosition):
    """A position of a game with perfect information.

    Attributes
    ----------
    node : Node
        The current node of the history.
    viewer : int
        Seat of a redacted copy, whose history is one of that seat's worlds; -1 for a whole position.

    Parameters
    ----------
    options : SpielRules
        The loaded game.
    """

    __slots__ = ("node", "viewer")

    def __init__(self, options: SpielRules) -> None:
        self.node: Node = start(options)
        self.viewer: int = -1

    def clone(self) -> Self:
        twin = object.__new__(type(self))
        twin.node = self.node
        twin.viewer = self.viewer
        return twin

    def __reduce__(self) -> tuple[Any, ...]:
        return restore, (self.node.rules.text, self.node.history(), self.viewer)

    # ---- rules --------------------------------------------------------------------------------

    @property
    def to_move(self) -> int:  # type: ignore[override]
        """Seat to move, chance or the end; OpenSpiel uses the same numbers."""
        return self.node.actor

    def legal_moves(self) -> list[int]:
        return self.node.actions()

    def chance_outcomes(self) -> list[tuple[int, int]]:
        return self.node.outcomes()

    def apply(self, move: int) -> None:
        self.node = self.node.child(move)

    def utilities(self) -> list[float]:
        return self.node.rules.shares(self.node.state.returns())

    def scores(self) -> list[float]:
        """OpenSpiel's returns; in games with hidden information zeros before the end."""
        if self.node.rules.hidden and self.node.actor != TERMINAL:
            return [0.0] * self.node.rules.players
        return [float(value) for value in self.node.state.returns()]

    def features(self, seat: int) -> list[float]:
        return self.node.rules.features(self.node.state, seat)

    # ---- text ---------------------------------------------------------------------------------

    def observation(self, seat: int) -> dict[str, Any]:
        return {"board": _clean(str(self.node.state)), "to_move": self.node.actor}

    def format(self, move: int) -> str:
        return self.node.name(move)

    def text(self, seat: int | None) -> str:
        return _clean(str(self.node.state))


class HiddenPosition(OpenPosition):
    """A position of a game with hidden information.

    Attributes
    ----------
    buckets : dict of int to int
        For a world drawn by a seat: the information of every other seat then, as a small number.
    """

    __slots__ = ("buckets",)

    def __init__(self, options: SpielRules) -> None:
        super().__init__(options)
        self.buckets: dict[int, int] = {}

    def clone(self) -> Self:
        twin = super().clone()
        twin.buckets = self.buckets
        return twin

    # ---- information of the seats -------------------------------------------------------------

    def event_label(self, seat: int) -> str | None:
        """The seat's new observation, if it has changed, and the new actor if it has changed, which is public."""
        node = self.node
        if node.parent is None:
            return None
        news = node.news(seat)
        return news if node.actor == node.parent.actor else f"{news or ''}\0{node.actor}"

    def determinize(self, seat: int, rng: Random) -> None:
        """Replace the history by one of the seat's worlds; at the end of the game nothing is hidden."""
        if self.node.actor != TERMINAL:
            worlds = worlds_of(self.node, seat)
            self.node = worlds.draw(rng)
            self.buckets = worlds.buckets(self.node)
            self.viewer = -1

    def private_bucket(self, seat: int) -> int:
        """The information of the seat when the world was drawn; the key of its tree in a search."""
        return self.buckets.get(seat, 0)

    def redact(self, seat: int) -> None:
        """Replace the history by the first of the seat's worlds."""
        if self.node.actor != TERMINAL:
            self.node = worlds_of(self.node, seat).some(1)[0]
            self.buckets = {}
            self.viewer = seat

    def observation(self, seat: int) -> dict[str, Any]:
        return {"seen": _clean(self.node.shown(seat)), "to_move": self.node.actor}

    def secrets(self, seat: int) -> dict[str, str]:
        """The observation of every other seat."""
        if self.node.actor == TERMINAL:
            return {}
        return {f"seat {other} sees": " ".join(self.node.shown(other).split()) or "nothing"
                for other in range(self.node.rules.players) if other != seat}

    # ---- text ---------------------------------------------------------------------------------

    def text(self, seat: int | None) -> str:
        if self.node.actor == TERMINAL:
            return super().text(seat)
        if seat is not None:
            return _clean(self.node.shown(seat)) or "nothing to see yet"
        return "chance comes next" if self.node.actor < 0 else f"seat {self.node.actor} to move"

    def seen(self, move: int, seat: int | None) -> str:
        """Return the text of a move or outcome as a seat saw it, or a spectator, who sees only what all seats see.

        A seat knows the move if all of its worlds after the move contain the same move.
        """
        if seat is None:
            texts = {self.seen(move, each) for each in range(self.node.rules.players)}
            return texts.pop() if len(texts) == 1 else "?"
        if self.node.actor == seat:
            return self.node.name(move)
        after = self.node.child(move)
        if after.news(seat) is None:
            return ""
        if after.actor == TERMINAL:
            return self.node.name(move)
        events = {_last_news(world, seat) for world in worlds_of(after, seat).some(_ASKED)}
        return self.node.name(move) if events == {(self.node.actor, move)} else "?"


class BidPosition(HiddenPosition):
    """A position of a game in which players move at the same time."""

    __slots__ = ()

    def is_bid(self) -> bool:
        return bool(self.node.actor >= 0 and self.node.state.simultaneous_game_state().is_simultaneous_node())


_ASKED = 32                     # worlds examined for the move, if not all are listed


def _last_news(node: Node, seat: int) -> tuple[int, int]:
    """Return the actor and the code of the last event that a seat noticed."""
    while node.parent is not None and node.news(seat) is None:
        node = node.parent
    return (node.parent.actor if node.parent is not None else TERMINAL), node.action


def _clean(text: str) -> str:
    """Return a text of OpenSpiel without colours and without empty lines at both ends."""
    return _COLOUR.sub("", text).strip("\n")


def position_class(rules: SpielRules) -> type[OpenPosition]:
    """Return the class of a game's positions."""
    return BidPosition if rules.bids else HiddenPosition if rules.hidden else OpenPosition


def restore(text: str, events: tuple[int, ...], viewer: int) -> OpenPosition:
    """Rebuild a position from its pickled parts: the game string, the events, and the viewer."""
    rules = rules_of(as_openspiel(text))
    position = position_class(rules)(rules)
    position.node = replay(rules, events)
    position.viewer = viewer
    return position


# ---- Games of OpenSpiel as games of Sfida: ``openspiel:game=leduc_poker``

_WHAT = "game 'openspiel'"
_MOST_PLIES = 10_000            # least limit on the moves and chance events of a game


@dataclass(frozen=True)
class OpenSpielOptions(GameOptions):
    """The options: a game of OpenSpiel, and the number of players."""

    players: int = field(default=2, metadata={"high": 6, "doc": "number of seats, where the game leaves it open"})
    game: str = field(kw_only=True, metadata={
        "doc": "OpenSpiel's game string, with ; for , between its parameters: goofspiel(imp_info=True;num_cards=4)"})


class OpenSpiel(PythonGame):
    """Any game of OpenSpiel with turns, explicit chance outcomes and 2 to 6 opposing players.

    Parameters
    ----------
    options : OpenSpielOptions
        `players` other than 2 is passed on to a game with a variable number of players.

    Raises
    ------
    SfidaError
        If open_spiel is not installed.
    InvalidOption
        If OpenSpiel has no such game, or Sfida cannot play it.
    """

    name: ClassVar[str] = "openspiel"
    title: ClassVar[str] = "Games of OpenSpiel"
    options_class: ClassVar[type[GameOptions]] = OpenSpielOptions
    options: OpenSpielOptions

    def __init__(self, options: GameOptions | None = None) -> None:
        if not isinstance(options, OpenSpielOptions):
            raise InvalidOption(f"option 'game' of {_WHAT} must be given: openspiel:game=leduc_poker")
        self.rules: SpielRules = _rules(options, asked=options.players != 2)
        super().__init__(dataclasses.replace(options, players=self.rules.players, game=as_option(self.rules.text)))
        self.title = self.rules.title  # type: ignore[misc] # one class stands for many games

    def _hooks_of_positions(self) -> Hooks:
        kind = position_class(self.rules)
        hidden = issubclass(kind, HiddenPosition)
        return Hooks(
            self.spec(), self.rules.longest_list, max(_MOST_PLIES, 4 * self.rules.game.max_game_length()),
            hidden=hidden, labels=hidden, scores=True, bids=issubclass(kind, BidPosition),
            features=self.rules.feature_names)

    @classmethod
    def from_params(cls, params: Mapping[str, object]) -> OpenSpiel:
        options = options_from(OpenSpielOptions, params, _WHAT)
        if "players" in params:
            rules = _rules(options, asked=True)
            options = dataclasses.replace(options, players=rules.players, game=as_option(rules.text))
        return cls(options)

    def spec(self) -> str:
        """Return the canonical spec; the game string contains the number of players."""
        return f"{self.name}:game={self.options.game}"

    def initial_state(self) -> PythonState:
        return PythonState(self, position_class(self.rules)(self.rules), self.players, self._hooks)

    @property
    def actions(self) -> Actions:
        return SmallCodes(self.rules.game.num_distinct_actions())

    def seen_move(self, state: PythonState, move: int, seat: int | None) -> str:
        position = position_of(state)
        return position.seen(move, seat) if isinstance(position, HiddenPosition) else position.format(move)


def _rules(options: OpenSpielOptions, asked: bool) -> SpielRules:
    """Return the rules for some options; `asked` says whether the number of players was given explicitly."""
    text = as_openspiel(options.game)
    rules = rules_of(text)
    if asked and rules.players != options.players:
        fuller = with_players(rules.text, options.players, rules.parameters)
        rules = rules_of(fuller)
        if rules.players != options.players:
            raise InvalidOption(f"option 'players' of {_WHAT} must be {rules.players} with "
                                f"{quoted(as_option(text))}, not {options.players}")
    return rules
