"""A running ladder: ratings that are updated after every game, by OpenSkill."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from openskill.models import PlackettLuce

from sfida.ai.arena.outcome import GameOutcome


@dataclass(frozen=True)
class LadderPlace:
    """The place of one agent on the ladder.

    Attributes
    ----------
    mu, sigma : float
        Belief about its skill: mean and standard deviation; 25 and 25 / 3 before the first game. `sigma` says how
        settled the ladder is, not how large the error may be: it assumes that the games of a block are independent.
    ordinal : float
        mu - 3 sigma, a cautious estimate of its skill.
    games : int
    """

    mu: float
    sigma: float
    ordinal: float
    games: int


def ladder(outcomes: Iterable[GameOutcome], agents: int) -> tuple[LadderPlace, ...]:
    """Run all games through a ladder, in the order of the schedule.

    OpenSkill's Plackett-Luce model (Weng and Lin, 2011). The weight of a game depends on the uncertainty at that time,
    so the result depends on the order of the games: a ladder suits a changing field; for a finished tournament the
    ratings of the table are the better estimate.

    Parameters
    ----------
    outcomes : iterable of GameOutcome
        In any order; they are sorted by block and rotation.
    agents : int

    Returns
    -------
    tuple of LadderPlace
        One per agent.

    Notes
    -----
    An agent with several seats in a game counts as that many players with the same belief, each of which is updated;
    its new belief has the mean of their means and the mean of their variances. A game among copies of one agent is
    ignored.
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
