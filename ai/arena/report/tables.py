"""The data of a report as CSV."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Sequence

from sfida.ai.arena.report.material import Material
from sfida.engines.visible import visible

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
