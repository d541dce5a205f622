"""Sfida's agents at a table of catanatron (extra ``catanatron``).

>>> from catanatron import Color, Game, RandomPlayer
>>> from sfida.catanatron import SfidaPlayer
>>> game = Game([SfidaPlayer(Color.RED, "ismcts:iterations=50"), RandomPlayer(Color.BLUE)], seed=1)
>>> winner = game.play()

catanatron gives a `catanatron.Player` the whole game, hidden cards included. An agent here does not see them: its view
is derived from the log as its seat saw it, from its own hand and from the sizes of the other hands (see
`engines.zarahemla.catanatron.chair`).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sfida.ai.agent import Agent
from sfida.ai.chance import check_seed, decision_seed, opening_seed
from sfida.ai.registry import agent as make_agent
from sfida.ai.seat import Seat, observation_of
from sfida.cython_ext.zarahemla.core import ZarahemlaState
from sfida.engines.zarahemla.catanatron.chair import Chair
from sfida.engines.zarahemla.catanatron.library import library, log_of
from sfida.engines.zarahemla.catanatron.steps import Plan, plan_of
from sfida.engines.zarahemla.position import encode

_Player: Any = library().Player
WAIT = (encode("roll"), encode("end_turn"))     # the moves if the agent names none that the table allows


class SfidaPlayer(_Player):  # type: ignore[misc]
    """An agent of Sfida as a catanatron player.

    Parameters
    ----------
    color : catanatron.Color
    agent : str or Agent
        Agent spec such as ``"ismcts:iterations=1000"``, or an agent.
    seed : int
        Seed of its random choices; the seed of each decision is derived from it.

    Attributes
    ----------
    turned_down : int
        Number of choices so far that our rules allow but the table's do not (ZAR-24.4 c, e); the next best move was
        played instead.

    Raises
    ------
    UnknownAgent, InvalidOption
        If the agent's spec is wrong.
    CatanatronError
        When deciding in a game that cannot be followed: on a map other than the base map, with trade between players,
        or after a move that breaks our rules and is no road.
    """

    def __init__(self, color: Any, agent: str | Agent = "ismcts:seconds=1", seed: int = 0) -> None:
        super().__init__(color)
        self._place = Seat(make_agent(agent) if isinstance(agent, str) else agent)
        self.seed: int = check_seed(seed)
        self.turned_down: int = 0
        self.reset_state()

    def reset_state(self) -> None:
        """Forget the previous game."""
        self._chair: Chair | None = None
        self._heard = 0
        self._log: list[Any] = []
        self._discards: list[int] = []
        self._place.begin(self._opening())

    def _opening(self) -> int:
        return opening_seed(self.seed, 0)

    @property
    def strays(self) -> int:
        """Number of roads in this game, as far as it was read, that the table allowed against our rules.

        See docs/measure/catanatron.md.
        """
        return 0 if self._chair is None else self._chair.strays

    @property
    def agent(self) -> Agent:
        """The agent that decides."""
        return self._place.agent

    def decide(self, game: Any, playable_actions: Iterable[Any]) -> Any:
        """Return one of the playable actions; offers of trade are rejected."""
        actions = list(playable_actions)
        no = [action for action in actions if action.action_type.name == "REJECT_TRADE"]
        if no or len(actions) == 1:
            if self._discards and actions[0].action_type.name == "DISCARD_RESOURCE":
                self._discards.pop(0)           # the last card of a discard: only one kind is left
            return no[0] if no else actions[0]
        state = self.seat_state(game)
        colors = game.state.colors
        by_plan = {plan: action for action in actions if (plan := plan_of(action, colors)) is not None}
        if actions[0].action_type.name == "DISCARD_RESOURCE":
            return by_plan[(self._next_discard(state, by_plan),)]
        return by_plan[self._choose(state, set(by_plan), len(self._log))]

    def seat_state(self, game: Any) -> ZarahemlaState:
        """Return a possible position for the seat, built only from what the seat saw."""
        log = log_of(game)
        if self._chair is None or log[:len(self._log)] != self._log:
            self.reset_state()
            self._chair = Chair(game, game.state.colors.index(self.color))
        assert self._chair is not None
        self._log = log
        told, seen = self._chair.events, len(self._chair.events)
        self._chair.read(game)
        if self._chair.events is not told:      # a bought card has turned out to be another one
            self._place.begin(self._opening())
            seen = 0
        self._tell(seen)
        return self._chair.worlds(game)[0]

    def _tell(self, first: int) -> None:
        """Tell the agent the events from `first` on, as its seat saw them."""
        assert self._chair is not None
        if not self._place.listens:
            return
        if first == 0:
            self._heard = 0
        for actor, code, state in self._chair.events[first:]:
            seen = observation_of(state, self._chair.seat, actor, code, self._heard)
            if seen is not None:
                self._heard += 1
                self._place.observe(seen)

    def _choose(self, state: ZarahemlaState, allowed: set[Plan], ply: int) -> Plan:
        """Ask the agent for one decision after another until an action is complete."""
        plan: Plan = ()
        while plan not in allowed:
            codes = {one[len(plan)] for one in allowed if one[:len(plan)] == plan}
            code = self._ask(state, codes, ply) if len(codes) > 1 else next(iter(codes))
            plan = (*plan, code)
            if plan not in allowed:
                state.apply(code)
        return plan

    def _ask(self, state: ZarahemlaState, codes: set[int], ply: int) -> int:
        """Return the agent's choice, or the best of its other moves that the table allows."""
        seat = state.to_move
        code = int(self._place.choose(state.view(seat), decision_seed(self.seed, seat, ply)))
        if code in codes:
            return code
        self.turned_down += 1
        found = self._place.last_analysis
        ranked = [row.code for row in found.moves] if found is not None else []
        return next((one for one in (*ranked, *WAIT) if one in codes), min(codes))

    def _next_discard(self, state: ZarahemlaState, by_plan: dict[Plan, Any]) -> int:
        """Return the next card to discard; the first call chooses all cards of a discard."""
        if not self._discards:
            seat, first = state.to_move, len(self._log)
            while not state.is_chance and state.to_move == seat and self._is_discard(state):
                code = self._ask(state, set(state.legal_moves()), first + len(self._discards))
                self._discards.append(code)
                state.apply(code)
        return self._discards.pop(0)

    @staticmethod
    def _is_discard(state: ZarahemlaState) -> bool:
        return state.legal_moves()[0] in range(encode("discard"), encode("discard") + 5)
