"""Games of OpenSpiel as games of Sfida: ``openspiel:game=leduc_poker``.

Importing this module does not import open_spiel; making a game does.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from sfida.cython_ext.errors import InvalidOption
from sfida.cython_ext.python_state import Hooks, PythonState
from sfida.engines.game import GameOptions
from sfida.engines.moves import Actions, SmallCodes
from sfida.engines.openspiel.library import Rules, as_openspiel, as_option, rules_of, with_players
from sfida.engines.openspiel.position import BidPosition, HiddenPosition, position_class
from sfida.engines.python_game import PythonGame, position_of
from sfida.engines.spec import options_from, quoted

_WHAT = "game 'openspiel'"
_MOST_PLIES = 10_000            # of a game that does not say how long it may get


@dataclass(frozen=True)
class OpenSpielOptions(GameOptions):
    """Which game of OpenSpiel."""

    players: int = field(default=2, metadata={"high": 6, "doc": "number of seats, where the game leaves it open"})
    game: str = field(kw_only=True, metadata={
        "doc": "OpenSpiel's game string, with ; for , between its parameters: goofspiel(imp_info=True;num_cards=4)"})


class OpenSpiel(PythonGame):
    """Any game of OpenSpiel that has turns, lists its luck and sets 2 to 6 players against each other.

    Parameters
    ----------
    options : OpenSpielOptions
        `players` other than 2 is passed on to a game that leaves it open.

    Raises
    ------
    SfidaError
        If open_spiel is not installed.
    InvalidOption
        If OpenSpiel has no such game, or one that cannot be played here.
    """

    name: ClassVar[str] = "openspiel"
    title: ClassVar[str] = "Games of OpenSpiel"
    options_class: ClassVar[type[GameOptions]] = OpenSpielOptions
    options: OpenSpielOptions

    def __init__(self, options: GameOptions | None = None) -> None:
        if not isinstance(options, OpenSpielOptions):
            raise InvalidOption(f"option 'game' of {_WHAT} must be given: openspiel:game=leduc_poker")
        self.rules: Rules = _rules(options, asked=options.players != 2)
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
        """Return the canonical spec; the game string says how many play."""
        return f"{self.name}:game={self.options.game}"

    def initial_state(self) -> PythonState:
        return PythonState(self, position_class(self.rules)(self.rules), self.players, self._hooks)

    @property
    def actions(self) -> Actions:
        return SmallCodes(self.rules.game.num_distinct_actions())

    def seen_move(self, state: PythonState, move: int, seat: int | None) -> str:
        position = position_of(state)
        return position.seen(move, seat) if isinstance(position, HiddenPosition) else position.format(move)


def _rules(options: OpenSpielOptions, asked: bool) -> Rules:
    """Return the rules that options ask for; `asked` says whether the number of players counts as asked for."""
    text = as_openspiel(options.game)
    rules = rules_of(text)
    if asked and rules.players != options.players:
        fuller = with_players(rules.text, options.players, rules.parameters)
        rules = rules_of(fuller)
        if rules.players != options.players:
            raise InvalidOption(f"option 'players' of {_WHAT} must be {rules.players} with "
                                f"{quoted(as_option(text))}, not {options.players}")
    return rules
