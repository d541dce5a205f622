"""The rows to measure, with the expected figures.

The expected figures come from small prototypes of the same algorithms, written independently of this search. Where a
single run of a row varies by more than a few per cent with its seed, its deviation is given; those of Goofspiel are
from 60 runs (12 at 10,000 iterations) of another independent program, those of poker from runs of this search.
"""

from __future__ import annotations

from dataclasses import dataclass

from support.deciders import Decider


@dataclass(frozen=True)
class Figure:
    """An expected figure.

    Attributes
    ----------
    value : float
    band : tuple of float, optional
        Accepted range; None: near enough (see `row.over_seeds`).
    deviation : float
        Standard deviation of single runs, if it is large.
    """

    value: float
    band: tuple[float, float] | None = None
    deviation: float = 0.0


@dataclass(frozen=True)
class Exploited:
    """A policy made by deciding at every information set; `argmax` is None for learned bids."""

    game: str
    decider: Decider
    mixed: Figure
    argmax: Figure | None


@dataclass(frozen=True)
class Match:
    """A match of phantom tic-tac-toe: the score of the first, and the half width of its 95 % interval."""

    first: Decider
    second: Decider
    score: float
    half_width: float


PLATEAU = (Figure(0.165, (0.160, 0.168)), Figure(0.1667, (0.1567, 0.1767)))


def poker() -> list[Exploited]:
    """Kuhn (10,000 iterations) and Leduc poker (1,000 and 10,000): mixed and argmax."""
    kuhn = {
        "flat": (Figure(0.3285, (0.325, 0.334)), Figure(0.3333, (0.325, 0.334))),
        "pimc": (Figure(0.083), Figure(0.188, deviation=0.034)),
        "so": PLATEAU, "unkeyed": PLATEAU, "mo": PLATEAU,
    }
    short = {
        "flat": (Figure(2.26), Figure(3.07, deviation=0.2)),
        "pimc": (Figure(1.39), Figure(1.32, deviation=0.08)),
        "so": (Figure(0.81), Figure(0.87, deviation=0.12)),
        "unkeyed": (Figure(0.81), Figure(0.87, deviation=0.12)),        # the same as SO if every move is seen
        "mo": (Figure(0.64, deviation=0.04), Figure(0.61, deviation=0.04)),
    }
    long = {
        "flat": (Figure(2.66), Figure(2.90)),
        "pimc": (Figure(0.92), Figure(1.13)),
        "so": (Figure(0.80, (0.75, 0.85)), Figure(0.97)),
        "mo": (Figure(0.476, (0.45, 0.52)), Figure(0.450)),
    }
    return [Exploited(game, Decider("mo" if name == "unkeyed" else name, iterations, c, keyed=name == "mo"), *figures)
            for game, iterations, c, rows in (("kuhn_poker", 10_000, 0.7, kuhn), ("leduc_poker", 1_000, 0.4, short),
                                              ("leduc_poker", 10_000, 0.4, long))
            for name, figures in rows.items()]


def goofspiel() -> list[Exploited]:
    """Hidden bids by UCB1 and EXP3; games won less games lost."""
    rows = []
    for iterations, ucb, exp3 in (
        (100, 0.53, Figure(0.66, deviation=0.042)),
        (1_000, 0.51, Figure(0.14, deviation=0.027)),
        (10_000, 0.51, Figure(0.013, (0.0, 0.03))),
        (50_000, 0.57, Figure(0.002, (0.0, 0.03))),
    ):
        # UCB1 must stay far from an equilibrium; how far depends on the order in which edges are tried
        rows.append(Exploited("goofspiel", Decider("mo", iterations), Figure(ucb, (0.15, 0.75)),
                              Figure(1.0, (0.9999, 1.0001))))
        rows.append(Exploited("goofspiel", Decider("mo", iterations, bids="exp3", bid_explore=0.2), exp3, None))
    return rows


def searcher(kind: str, iterations: int) -> Decider:
    """Return a decider with the settings of the matches."""
    return Decider(kind, iterations, c=0.7, worlds=max(1, min(40, iterations // 25)))


def matches() -> list[Match]:
    """Phantom tic-tac-toe: equal iterations, then MO against MO with half of them."""
    rows = [Match(searcher(first, n), searcher(second, n), score, half) for first, second, n, score, half in (
        ("flat", "so", 200, 0.471, 0.021), ("flat", "so", 1000, 0.363, 0.021),
        ("pimc", "so", 200, 0.468, 0.022), ("pimc", "so", 1000, 0.425, 0.022), ("pimc", "so", 5000, 0.246, 0.037),
        ("mo", "so", 200, 0.504, 0.021), ("mo", "so", 1000, 0.501, 0.020), ("mo", "so", 5000, 0.512, 0.017),
        ("cheat", "so", 200, 0.739, 0.014), ("cheat", "so", 1000, 0.774, 0.008), ("cheat", "so", 5000, 0.750, 0.005),
        ("so", "random", 200, 0.861, 0.017), ("so", "random", 1000, 0.897, 0.018),
    )]
    doubled = (0.523, 0.529, 0.504, 0.539, 0.522)       # their intervals are not known and assumed to be .021
    return rows + [Match(searcher("mo", 200 << i), searcher("mo", 100 << i), score, 0.021)
                   for i, score in enumerate(doubled)]
