"""What a seat knows, and what is known about playing a game well."""

from __future__ import annotations

import abc
from typing import Any, ClassVar, Generic

from sfida.cython_ext.learned import Learned
from sfida.engines.actions import Actions
from sfida.engines.faces import S
from sfida.engines.faces.rules import GameOptions
from sfida.engines.learned import beside


class Knowledge(abc.ABC, Generic[S]):
    """The face that agents and beliefs read.

    Attributes
    ----------
    search_defaults : dict
        Measured defaults of search parameters for this game (see `cython_ext.search.parameters`).
    search_exceptions : tuple of (dict, dict)
        Where other defaults are better: for options that have one of the values given, such as ``{"players": (4, 5)}``,
        the defaults that differ. What stands later wins. Read both by `search_settings`.
    search_learned : dict
        The defaults that differ where a learned evaluation judges positions; they win over the others.
    luck_defaults : dict
        How positions of this game are valued when luck is measured (see `ai.luck.value`); chosen by the variance that
        it takes away (docs/statistics.md).
    greedy_by_priors : bool
        The priors look at each move closely enough to be rules of play: `greedy` plays the likeliest move.
    strategies : tuple of str
        Names of scripted strategies, which anybody may play as ``greedy:strategy=NAME``; see `strategy_worth`.
    """

    search_defaults: ClassVar[dict[str, Any]] = {}
    search_exceptions: ClassVar[tuple[tuple[dict[str, tuple[Any, ...]], dict[str, Any]], ...]] = ()
    search_learned: ClassVar[dict[str, Any]] = {}
    luck_defaults: ClassVar[dict[str, Any]] = {}
    greedy_by_priors: ClassVar[bool] = False
    strategies: ClassVar[tuple[str, ...]] = ()
    options: GameOptions                # of `Rules`

    # ---- what a seat sees and does not see ------------------------------------------------------

    @abc.abstractmethod
    def observation(self, state: S, seat: int) -> dict[str, Any]:
        """Return what `seat` may see, as a JSON-able dict."""

    def private_type(self, state: S, seat: int) -> str | None:
        """Return the secret that a seat keeps for long and plays for, such as a hidden objective; None: it has none.

        A belief keeps what it has learnt of it when other hidden things, such as cards, are shown.

        Parameters
        ----------
        state : GameState
            A whole state, never a redacted one.
        seat : int
        """
        return None

    def secrets(self, state: S, seat: int) -> dict[str, str]:
        """Return what a whole state says about each thing that `seat` cannot see, in words for people.

        Beliefs are shown by it: how probable is each value of each thing. Which things there are, the keys, depends
        only on what the seat knows; what luck has not decided yet is no secret. The default tells nothing.

        Parameters
        ----------
        state : GameState
            A whole state, never a redacted one.
        seat : int

        Returns
        -------
        dict of str to str
            For example ``{"card of seat 1": "K"}``; empty when nothing is hidden from the seat.
        """
        return {}

    @property
    def actions(self) -> Actions | None:
        """The moves as numbers of a fixed action space, for learners; None: the game numbers none."""
        return None

    # ---- what an agent may go by ----------------------------------------------------------------

    @property
    def knowledge(self) -> Learned | None:
        """The learned evaluation by which positions are judged from the start; None: the hand-made one.

        By default the one in the file ``learned.json`` beside the game's module, if there is such a file.
        """
        return beside(type(self))

    def search_settings(self, knowledge: Learned | None) -> dict[str, Any]:
        """Return the defaults of search parameters for this game with its options.

        Parameters
        ----------
        knowledge : Learned or None
            What judges the positions, where it knows this number of players; None: the evaluation made by hand.
        """
        found = dict(self.search_defaults)
        for options, settings in self.search_exceptions:
            if all(getattr(self.options, name) in values for name, values in options.items()):
                found |= settings
        if knowledge is not None and self.options.players in knowledge.players:
            found |= self.search_learned
        return found

    def decisions_left(self, state: S, seat: int) -> float:
        """Return how many decisions of `seat` are to be expected until the end, the coming one included.

        A clock is divided by it. Only what is public may be read.
        """
        return 20.0

    def decision_weight(self, state: S, seat: int) -> float:
        """Return how much more time than an average one the coming decision of `seat` deserves; 1: as much."""
        return 1.0

    def strategy_worth(self, state: S, strategy: str) -> dict[int, float]:
        """Return what one of the game's `strategies` thinks of each legal move of the mover.

        Parameters
        ----------
        state : GameState
            A world determinized for the mover: what he cannot know must not count.
        strategy : str
            One of `strategies`.
        """
        raise NotImplementedError(f"{type(self).__name__} has no strategy '{strategy}'")
