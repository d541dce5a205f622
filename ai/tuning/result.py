"""What a tuning found: plain data, the content of ``sfida tune --json``."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from sfida.ai.arena.outcome import ForfeitedGames
from sfida.ai.arena.standings import Standings
from sfida.ai.tuning.effects import Effect

_DIGITS = 9

Interval = tuple[float, float]


@dataclass(frozen=True)
class Trial:
    """The games of one candidate: a trial, or a final.

    Attributes
    ----------
    spec, setting : str
        The candidate, and what of it was tuned.
    values : dict
    games : int
    share : float
        Of the win, without luck if that was measured.
    """

    spec: str
    setting: str
    values: dict[str, Any]
    games: int
    share: float

    def to_json(self) -> dict[str, Any]:
        """Return a JSON-able dict."""
        return {"spec": self.spec, "values": self.values, "games": self.games, "share": _rounded(self.share)}


@dataclass(frozen=True)
class Candidate:
    """All that is known of a candidate.

    Attributes
    ----------
    spec, setting : str
    values : dict
    games : int
        In trials and finals.
    share : float
        Mean over these games.
    estimate, ci95 : float, (float, float)
        Share by the model, which has learned from the games of all candidates.
    fresh : float or None
        Share in the finals; None for a candidate that was not in them.
    """

    spec: str
    setting: str
    values: dict[str, Any]
    games: int
    share: float
    estimate: float
    ci95: Interval
    fresh: float | None

    def to_json(self) -> dict[str, Any]:
        """Return a JSON-able dict."""
        return {"spec": self.spec, "values": self.values, "games": self.games, "share": _rounded(self.share),
                "estimate": _rounded(self.estimate), "ci95": [_rounded(end) for end in self.ci95],
                "final": None if self.fresh is None else _rounded(self.fresh)}


@dataclass(frozen=True)
class Match:
    """The best candidate against the agent as given, on luck that nothing was chosen by.

    Attributes
    ----------
    games : int
    share, ci95 : float, (float, float)
        Of the candidate.
    elo, elo_ci95 : float, (float, float)
        Its lead.
    verdict : str
        Of the sequential test: "H1", "H0" or "undecided".
    text : str
        The verdict in words.
    forfeited : int
        Number of blocks with a forfeited game.
    """

    games: int
    share: float
    ci95: Interval
    elo: float
    elo_ci95: Interval
    verdict: str
    text: str
    forfeited: int = 0

    @classmethod
    def of(cls, standings: Standings) -> Match:
        """Return what the table of the match says of its first agent."""
        found = standings.agents[0] if standings.adjusted is None else standings.adjusted.agents[0]
        assert standings.sprt is not None
        low, high = found.elo_ci95          # the mean of two is 0: one lies as far above as the other below
        return cls(standings.games, found.win_share, found.ci95, 2 * found.elo, (2 * low, 2 * high),
                   standings.sprt.verdict, standings.sprt.text, standings.sprt.forfeited)

    def to_json(self) -> dict[str, Any]:
        """Return a JSON-able dict."""
        return {"games": self.games, "share": _rounded(self.share), "ci95": [_rounded(end) for end in self.ci95],
                "elo": _rounded(self.elo), "elo_ci95": [_rounded(end) for end in self.elo_ci95],
                "verdict": self.verdict, "text": self.text, "forfeited": self.forfeited}


@dataclass(frozen=True)
class Tuning:
    """The result.

    Attributes
    ----------
    plan : dict
        `Plan.to_json`.
    games : int
        Played in all.
    even : float
        The share of the win of an average agent.
    trials : tuple of Trial
    candidates : tuple of Candidate
        Best first: finalists by the lower ends of their intervals, then the others by their estimates.
    effects : tuple of Effect
    match : Match or None
        None if the best candidate is the agent as given.
    forfeits : tuple of ForfeitedGames
        Blocks in which an opponent forfeits do not count; what a candidate forfeits, it has lost.
    """

    plan: dict[str, Any]
    games: int
    even: float
    trials: tuple[Trial, ...]
    candidates: tuple[Candidate, ...]
    effects: tuple[Effect, ...]
    match: Match | None
    forfeits: tuple[ForfeitedGames, ...] = ()

    @property
    def best(self) -> Candidate:
        """The best candidate."""
        return self.candidates[0]

    @property
    def use(self) -> str:
        """The spec to use: the best candidate if the match has confirmed it, otherwise the agent as given."""
        return self.best.spec if self.match is not None and self.match.verdict == "H1" else str(self.plan["agent"])

    def to_json(self) -> dict[str, Any]:
        """Return a JSON-able dict."""
        return {
            **{key: value for key, value in self.plan.items() if key != "format"}, "games": self.games,
            "even": _rounded(self.even), "trials": [trial.to_json() for trial in self.trials],
            "candidates": [candidate.to_json() for candidate in self.candidates],
            "effects": [{"parameter": effect.name, "value": effect.value, "share": _rounded(effect.share),
                         "ci95": [_rounded(end) for end in effect.ci95]} for effect in self.effects],
            "best": self.best.spec, "match": None if self.match is None else self.match.to_json(), "use": self.use,
            "forfeits": [asdict(one) for one in self.forfeits],
        }


def _rounded(value: float) -> float:
    return round(float(value), _DIGITS) + 0.0
