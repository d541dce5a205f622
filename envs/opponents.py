"""The agents that a learner plays against."""

from __future__ import annotations

from collections.abc import Sequence

from sfida.ai.agent import Agent
from sfida.ai.registry import agent as make_agent
from sfida.ai.seat import Seat
from sfida.cython_ext.errors import InvalidOption
from sfida.engines.game import Game


class Opponents:
    """Agents for game after game. Those that specs name are made anew for each, unless they may play another.

    Parameters
    ----------
    game : Game
    agents : sequence of str or Agent
        In seat order, without the learner.

    Raises
    ------
    InvalidOption
        If one of them requires what the game does not have, or is a person.
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
        """End the programs that play, if any; they start again with the next game."""
        for seat in self._seats:
            seat.close()


def _seat(agent: str | Agent) -> Seat:
    return Seat(make_agent(agent) if isinstance(agent, str) else agent)
