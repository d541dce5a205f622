"""The data of all parts of a report, including strength against budget, and their CSV files."""

from __future__ import annotations

import csv
import io
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from sfida.ai.arena.outcome import GameOutcome
from sfida.ai.arena.schedule import Setup
from sfida.ai.arena.standings import Standings
from sfida.ai.registry import agent_class, foreign_agent
from sfida.ai.report.html import short_labels
from sfida.ai.search import DEFAULT_ITERATIONS, BudgetOptions
from sfida.cython_ext.errors import SfidaError
from sfida.engines.spec import parse_spec
from sfida.engines.untrusted import visible

# ---- Strength against budget: agents that differ only in their budget, and the gain from doubling it

KINDS = ("iterations", "seconds")
LEAST = 3           # least number of budgets of a family that is not the whole field


@dataclass(frozen=True)
class Family:
    """Agents that differ only in their budget.

    Attributes
    ----------
    kind : str
        "iterations" or "seconds" (per decision).
    label : str
        Their spec without that budget.
    members : tuple of int
        Indices of the agents, smallest budget first.
    budgets : tuple of float
        Budget of each member, ascending; at least two are different.
    """

    kind: str
    label: str
    members: tuple[int, ...]
    budgets: tuple[float, ...]


def families(agents: Sequence[str]) -> tuple[Family, ...]:
    """Find the agents that differ only in their budget.

    Parameters
    ----------
    agents : sequence of str
        Specs.

    Returns
    -------
    tuple of Family
        A single family of all agents, or every family with at least three different budgets.
    """
    found: dict[tuple[str, str], list[tuple[float, int]]] = {}
    for index, spec in enumerate(agents):
        for kind in KINDS:
            read = _without(spec, kind)
            if read is not None:
                found.setdefault((kind, read[0]), []).append((read[1], index))
    result = []
    for (kind, label), held in found.items():
        held.sort()
        different = len({budget for budget, _ in held})
        if different >= LEAST or (different >= 2 and len(held) == len(agents)):
            result.append(Family(kind, label, tuple(index for _, index in held), tuple(budget for budget, _ in held)))
    return tuple(result)


def _without(spec: str, kind: str) -> tuple[str, float] | None:
    """Return a spec without its budget of a kind, and that budget; None if it has none."""
    try:
        name, params = parse_spec(spec)
    except SfidaError:
        return None
    if kind == "iterations" and not any(key in params for key in (*KINDS, "clock")) and _searches(name):
        params = {"iterations": str(DEFAULT_ITERATIONS), **params}
    try:
        budget = float(params.pop(kind))
    except (KeyError, ValueError):
        return None
    if not (budget > 0 and math.isfinite(budget)):
        return None
    rest = ",".join(f"{key}={params[key]}" for key in sorted(params))
    return (f"{name}:{rest}" if rest else name), budget


def _searches(name: str) -> bool:
    """Return whether an agent has the common budget options, and so their default."""
    try:                # a store may hold any name, but must not load code of other packages
        return foreign_agent(name) is None and issubclass(agent_class(name).options_class, BudgetOptions)
    except SfidaError:
        return False


def per_doubling(family: Family, standings: Standings) -> float | None:
    """Return the Elo gained per doubling of the budget, by least squares over the members with a rating."""
    points = [(math.log2(budget), standings.agents[index].elo)
              for budget, index in zip(family.budgets, family.members, strict=True)
              if math.isfinite(standings.agents[index].elo)]
    if len({x for x, _ in points}) < 2:
        return None
    x, y = np.array(points).T
    return float(((x - x.mean()) * (y - y.mean())).sum() / ((x - x.mean()) ** 2).sum())


def steps(family: Family, standings: Standings) -> tuple[float | None, ...]:
    """Return every member's Elo gain per doubling since the previous one; None without a figure."""
    result: list[float | None] = [None]
    for place in range(1, len(family.members)):
        elo = [standings.agents[family.members[i]].elo for i in (place - 1, place)]
        doublings = math.log2(family.budgets[place] / family.budgets[place - 1])
        usable = doublings > 0 and all(map(math.isfinite, elo))
        result.append((elo[1] - elo[0]) / doublings if usable else None)
    return tuple(result)


# ---- The data of all parts of a report

SUSPECT = 3.0           # standard errors beyond which a pair does not fit the ratings

@dataclass(frozen=True)
class NumberedGame:
    """A game with its place in the list.

    Attributes
    ----------
    number : int
        Number from 1, by block and rotation.
    outcome : GameOutcome
    counted : bool
        Whether the standings include it.
    """

    number: int
    outcome: GameOutcome
    counted: bool

    @property
    def plies(self) -> int:
        """Number of moves, chance events included."""
        return len(self.outcome.record.moves)


@dataclass(frozen=True)
class Material:
    """A tournament, prepared for a report.

    Attributes
    ----------
    setup : Setup
    standings : Standings
    games : tuple of NumberedGame
        In the order of their numbers.
    names : tuple of str
        A short name for each agent, in the order of the setup.
    store : Path or None
    """

    setup: Setup
    standings: Standings
    games: tuple[NumberedGame, ...]
    names: tuple[str, ...]
    store: Path | None

    @classmethod
    def of(cls, setup: Setup, standings: Standings, outcomes: Sequence[GameOutcome],
           store: Path | None = None) -> Material:
        """Return the data with numbered games; those of the first `standings.blocks` whole blocks are counted."""
        ordered = sorted(outcomes, key=lambda outcome: (outcome.block, outcome.rotation))
        sizes = Counter(outcome.block for outcome in ordered)
        whole = set([block for block, size in sizes.items() if size == setup.players][:standings.blocks])
        games = tuple(NumberedGame(number, outcome, outcome.block in whole)
                      for number, outcome in enumerate(ordered, 1))
        return cls(setup, standings, games, short_labels(setup.labels), store)

    @property
    def counted(self) -> tuple[NumberedGame, ...]:
        """The games that the standings include."""
        return tuple(game for game in self.games if game.counted)

    @property
    def ranking(self) -> tuple[int, ...]:
        """Indices of the agents, best first; those without a rating last."""
        elo = [agent.elo for agent in self.standings.agents]
        return tuple(sorted(range(len(elo)), key=lambda i: (elo[i] != elo[i], -elo[i] if elo[i] == elo[i] else 0.0, i)))

    def seats_of(self, agent: int) -> Iterator[tuple[NumberedGame, int]]:
        """Yield every counted game of an agent, with its seat."""
        for game in self.counted:
            for seat, here in enumerate(game.outcome.agents):
                if here == agent:
                    yield game, seat


# ---- The data of a report as CSV

Cell = str | int | float | None


def csv_files(material: Material) -> dict[str, str]:
    """Return the text of every CSV file by its name.

    Lines end in CR LF and fields are quoted if necessary (RFC 4180); numbers have all their digits, and unknown or
    infinite values are empty.
    """
    return {"agents.csv": _agents(material), "pairs.csv": _pairs(material), "seats.csv": _seats(material),
            "games.csv": _games(material)}


def _agents(material: Material) -> str:
    heads = ("rank", "agent", "label", "games", "forfeits", "win_share", "win_share_low", "win_share_high", "elo",
             "elo_low", "elo_high", "mean_rank", "mean_score", "ms_per_move", "luck", "fair_win_share",
             "fair_win_share_low", "fair_win_share_high", "fair_elo", "fair_elo_low", "fair_elo_high")
    rows: list[list[Cell]] = []
    for rank, index in enumerate(material.ranking, 1):
        a, found = material.standings.agents[index], material.standings.adjusted
        fair = None if found is None else found.agents[index]
        rows.append([rank, a.agent, a.label, a.games, a.forfeits, a.win_share, *a.ci95, a.elo, *a.elo_ci95, a.mean_rank,
                     a.mean_score, a.ms_per_move,
                     *([None] * 7 if fair is None else
                       [fair.luck, fair.win_share, *fair.ci95, fair.elo, *fair.elo_ci95])])
    return csv_text(heads, rows)


def _pairs(material: Material) -> str:
    heads = ("a", "b", "games", "score", "score_low", "score_high", "expected", "residual", "z")
    labels = [agent.label for agent in material.standings.agents]
    return csv_text(heads, ((labels[p.a], labels[p.b], p.games, p.score, *(p.ci95 or (None, None)), p.expected,
                          p.residual, p.z) for p in material.standings.pairs))


def _seats(material: Material) -> str:
    heads = ("seat", "name", "win_share", "win_share_low", "win_share_high", "elo")
    return csv_text(heads, ((s.seat, s.name, s.win_share, *s.ci95, s.elo) for s in material.standings.seats))


def _games(material: Material) -> str:
    heads = ["game", "block", "rotation", "counted", "plies", "wall_seconds", "forfeit_seat", "forfeit_kind",
             "forfeit_reason"]
    per_seat = ("agent", "score", "rank", "utility", "decisions", "seconds", "luck")
    heads += [f"{what}_{seat}" for seat in range(material.setup.players) for what in per_seat]
    labels = material.setup.labels
    rows: list[list[Cell]] = []
    for game in material.games:
        played, forfeit = game.outcome, game.outcome.forfeit
        row: list[Cell] = [game.number, played.block, played.rotation, int(game.counted), game.plies, played.wall]
        row += [None] * 3 if forfeit is None else [forfeit.seat, forfeit.kind, forfeit.reason]
        for seat, agent in enumerate(played.agents):
            row += [labels[agent], played.scores[seat], played.ranks[seat], played.utilities[seat],
                    played.decisions[seat], played.seconds[seat],
                    None if played.luck is None else played.luck.seats[seat]]
        rows.append(row)
    return csv_text(heads, rows)


def csv_text(heads: Sequence[str], rows: Iterable[Sequence[Cell]]) -> str:
    """Return a header line and rows as CSV; see `csv_files` for its form."""
    stream = io.StringIO()
    writer = csv.writer(stream)
    writer.writerow(heads)
    writer.writerows([_cell(value) for value in row] for row in rows)
    return stream.getvalue()


def _cell(value: Cell) -> str:
    if value is None or (isinstance(value, float) and not math.isfinite(value)):
        return ""
    return visible(value, keep="\n") if isinstance(value, str) else repr(value)
