"""The table of a tournament: plain data, the content of ``sfida tournament --json``."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple

from sfida.ai.arena.outcome import ForfeitedGames

# ---- The table of a tournament: plain data, the content of ``sfida tournament --json``


@dataclass(frozen=True)
class SeatShare:
    """The result of one agent on one seat.

    Attributes
    ----------
    games : int
    win_share : float
    ci95 : (float, float)
        95 % interval, by bootstrap over blocks.
    """

    games: int
    win_share: float
    ci95: tuple[float, float]


@dataclass(frozen=True)
class AgentStanding:
    """The result of one agent.

    Attributes
    ----------
    agent, label : str
        The spec; and the spec with a number if it occurs more than once in the tournament.
    games : int
        Number of its seats in all games (two copies in one game count twice).
    forfeits : int
    win_share : float
        Mean win share per seat; 1 / seats is a fair share.
    ci95 : (float, float)
        95 % interval of the win share, by bootstrap over blocks.
    elo : float
        Plackett-Luce rating, adjusted for seats; the mean of all agents is 0.
    elo_ci95 : (float, float)
        95 % interval, by bootstrap over blocks.
    mean_rank : float
    mean_score : float or None
        Mean points over games without a forfeit.
    by_seat : tuple of SeatShare
    ms_per_move : float
        Wall-clock time per decision; not compared.
    """

    agent: str
    label: str
    games: int
    forfeits: int
    win_share: float
    ci95: tuple[float, float]
    elo: float
    elo_ci95: tuple[float, float]
    mean_rank: float
    mean_score: float | None
    by_seat: tuple[SeatShare, ...]
    ms_per_move: float = field(compare=False)


@dataclass(frozen=True)
class AdjustedStanding:
    """The luck-adjusted result of one agent.

    Attributes
    ----------
    win_share, ci95 : float, (float, float)
        Luck-adjusted win share per seat, in mean; it may lie beyond 0 or 1. Interval by bootstrap over blocks.
    elo, elo_ci95 : float, (float, float)
        Rating from these shares (`first_place`); the mean of all agents is 0.
    luck : float
        Mean luck per seat, in win shares.
    """

    win_share: float
    ci95: tuple[float, float]
    elo: float
    elo_ci95: tuple[float, float]
    luck: float


@dataclass(frozen=True)
class Adjusted:
    """The luck-adjusted results of all agents.

    Attributes
    ----------
    value : str
        Key of the value function that measured luck.
    agents : tuple of AdjustedStanding
        In the order of the setup.
    reach : float or None
        Variance of the blocks after the adjustment divided by that before, averaged over the agents; None if the
        results do not vary.
    """

    value: str
    agents: tuple[AdjustedStanding, ...]
    reach: float | None


@dataclass(frozen=True)
class PairStanding:
    """The result of one agent against another in the games that both played.

    Agents that never met, such as the others of a gauntlet, have no figures: all but `games` are None.

    Attributes
    ----------
    a, b : int
        Indices of the agents; a < b in a table.
    games : int
        Number of times that a seat of `a` met a seat of `b`: their meetings.
    score : float or None
        Share of the meetings in which `a` finished ahead; a tie counts half.
    ci95 : (float, float) or None
        95 % interval, by bootstrap over blocks.
    expected : float or None
        The score predicted by the ratings.
    residual : float or None
        score - expected: what the ratings do not explain.
    z : float or None
        The residual in standard errors.
    """

    a: int
    b: int
    games: int
    score: float | None = None
    ci95: tuple[float, float] | None = None
    expected: float | None = None
    residual: float | None = None
    z: float | None = None

    @property
    def turned(self) -> PairStanding:
        """The same result from the side of `b`."""
        if self.score is None or self.ci95 is None or self.expected is None or self.residual is None or self.z is None:
            return PairStanding(self.b, self.a, self.games)
        low, high = self.ci95
        return PairStanding(self.b, self.a, self.games, 1 - self.score, (1 - high, 1 - low), 1 - self.expected,
                            -self.residual, -self.z)

    def surprises(self, errors: float) -> bool:
        """Return whether the score differs from the ratings' prediction by more than a number of standard errors."""
        return self.z is not None and abs(self.z) > errors


@dataclass(frozen=True)
class SeatStanding:
    """The result of one seat over all agents.

    Attributes
    ----------
    seat : int
    name : str
    win_share : float
    ci95 : (float, float)
    elo : float
        Strength of the seat in the ratings; the mean of all seats is 0.
    """

    seat: int
    name: str
    win_share: float
    ci95: tuple[float, float]
    elo: float


@dataclass(frozen=True)
class SprtState:
    """The state of a sequential test.

    Attributes
    ----------
    elo0, elo1, alpha, beta : float
        Hypotheses about the first agent's lead over the others, and error rates.
    llr, lower, upper : float
        Log likelihood ratio and the bounds that end the test.
    fraction : float
        Progress of the ratio towards the bound on its side, 0 to 1; 1 if decided.
    blocks : int
        Number of whole blocks included.
    verdict : str
        "H1", "H0" or "undecided".
    text : str
        The verdict in words.
    forfeited : int
        Number of those blocks with a forfeited game.
    """

    elo0: float
    elo1: float
    alpha: float
    beta: float
    llr: float
    lower: float
    upper: float
    fraction: float
    blocks: int
    verdict: str
    text: str
    forfeited: int = 0


@dataclass(frozen=True)
class Standings:
    """The table of a tournament.

    Attributes
    ----------
    game : str
    players, games, blocks, seed : int
        All figures are based on games of whole blocks only.
    loose : int
        Number of games of unfinished blocks, which are not counted.
    mode : str
    agents : tuple of AgentStanding
        In the order of the setup.
    pairs : tuple of PairStanding
    seats : tuple of SeatStanding
    seat_p : float
        Probability of seats at least this uneven if seats did not matter (randomisation test over blocks).
    sides : bool
        Whether the seats are sides with different rules.
    sprt : SprtState or None
    adjusted : Adjusted or None
        None if the luck of some game was not measured.
    forfeits : tuple of ForfeitedGames
        The forfeited games, by agent and reason.
    """

    game: str
    players: int
    games: int
    blocks: int
    loose: int
    seed: int
    mode: str
    agents: tuple[AgentStanding, ...]
    pairs: tuple[PairStanding, ...]
    seats: tuple[SeatStanding, ...]
    seat_p: float
    sides: bool
    sprt: SprtState | None
    adjusted: Adjusted | None = None
    forfeits: tuple[ForfeitedGames, ...] = ()

    @property
    def ranking(self) -> tuple[int, ...]:
        """Indices of the agents, best rating first."""
        return tuple(sorted(range(len(self.agents)), key=lambda index: (-self.agents[index].elo, index)))

    def to_json(self) -> dict[str, Any]:
        """Return the object of ``sfida tournament --json``; agents in the order given."""
        data = asdict(self)
        for pair in data["pairs"]:
            pair["a"], pair["b"] = (self.agents[pair[key]].label for key in ("a", "b"))
        return {"schema": 1, "type": "tournament", **data}


# ---- The lead of the first of two agents in a tournament


class Lead(NamedTuple):
    """A lead in Elo with its 95 % interval; `fair`: from the luck-adjusted results."""

    elo: float
    low: float
    high: float
    fair: bool

    def __str__(self) -> str:
        return f"{self.elo:+.0f} [{self.low:+.0f}, {self.high:+.0f}]"


def lead_of(table: Standings) -> Lead:
    """Return the lead of the first of two agents, luck-adjusted if luck was measured."""
    first = (table.agents if table.adjusted is None else table.adjusted.agents)[0]
    low, high = (2 * end for end in first.elo_ci95)             # the mean of both is 0: each has half of the lead
    return Lead(2 * first.elo, low, high, table.adjusted is not None)
