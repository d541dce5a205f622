"""A running ladder: ratings that move with every game, by OpenSkill."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from openskill.models import PlackettLuce

from sfida.ai.arena.outcome import GameOutcome


@dataclass(frozen=True)
class LadderPlace:
    """Where one agent stands on the ladder.

    Attributes
    ----------
    mu, sigma : float
        Belief about its skill: mean and standard deviation; 25 and 25 / 3 before the first game. `sigma` says how
        settled the ladder is, not how far the figure may be off: it takes games of a block as independent.
    ordinal : float
        mu - 3 sigma: what it has surely reached.
    games : int
    """

    mu: float
    sigma: float
    ordinal: float
    games: int


def ladder(outcomes: Iterable[GameOutcome], agents: int) -> tuple[LadderPlace, ...]:
    """Run all games through a ladder, in the order of the schedule.

    OpenSkill's Plackett-Luce model (Weng and Lin, 2011). Later games weigh as much as the belief is open, so the result
    depends on the order of the games: a ladder suits a field that changes; for a finished tournament the ratings of the
    table are the better estimate.

    Parameters
    ----------
    outcomes : iterable of GameOutcome
        In any order; they are sorted by block and rotation.
    agents : int

    Returns
    -------
    tuple of LadderPlace
        One for each agent.

    Notes
    -----
    An agent with several seats in a game plays it as so many players of the same belief, each of them updated; it then
    moves to the mean of their beliefs, means and variances each. A game that one agent plays alone counts for nothing.
    """
    model = PlackettLuce()
    beliefs = [(rating.mu, rating.sigma) for rating in (model.rating() for _ in range(agents))]
    played = [0] * agents
    for outcome in sorted(outcomes, key=lambda game: (game.block, game.rotation)):
        if len(set(outcome.agents)) == 1:
            continue
        teams = [[model.rating(*beliefs[agent])] for agent in outcome.agents]
        rated = model.rate(teams, ranks=[float(rank) for rank in outcome.ranks])
        for agent in set(outcome.agents):
            own = [rated[seat][0] for seat, sitting in enumerate(outcome.agents) if sitting == agent]
            beliefs[agent] = (sum(each.mu for each in own) / len(own),
                              (sum(each.sigma ** 2 for each in own) / len(own)) ** 0.5)
            played[agent] += 1
    return tuple(LadderPlace(mu, sigma, mu - 3 * sigma, games)
                 for (mu, sigma), games in zip(beliefs, played, strict=True))
