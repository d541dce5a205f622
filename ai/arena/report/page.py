"""The page of a report: one HTML file with everything, readable without a network, scripts or colour."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from sfida.ai.arena.report import games
from sfida.ai.arena.report.budget import KINDS, Family, families, per_doubling, steps
from sfida.ai.arena.report.figures import figures, why_none
from sfida.ai.arena.report.markup import NOTHING, Column, count, duration, escaped, fixed, interval, percent, table
from sfida.ai.arena.report.material import SUSPECT, Material
from sfida.ai.arena.report.style import POLICY, SCRIPT, STYLE
from sfida.engines.records import sfida_version


def page(material: Material, title: str | None = None) -> str:
    """Return the report of a tournament as an HTML document.

    Parameters
    ----------
    material : Material
    title : str, optional
        Heading; by default made from the game.
    """
    heading = escaped(title if title is not None else f"Tournament of {material.standings.game}")
    sections = [(name, words, body) for name, words, body in _sections(material) if body]
    links = "".join(f'<li><a href="#{name}">{words}</a></li>' for name, words, _ in sections)
    body = "\n".join(f'<section id="{name}" aria-labelledby="{name}-head"><h2 id="{name}-head">{words}</h2>\n{text}\n'
                     "</section>" for name, words, text in sections)
    return (f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
            f'<meta http-equiv="Content-Security-Policy" content="{escaped(POLICY)}">\n'
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            f"<title>{heading}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n"
            f'<header class="top"><h1>{heading}</h1>\n{_facts(material)}\n{_verdict(material)}{_without_figures()}'
            f'<nav aria-label="Sections"><ul>{links}</ul></nav></header>\n'
            f"<main>\n{body}\n</main>\n<script>{SCRIPT}</script>\n</body>\n</html>\n")


def _sections(material: Material) -> list[tuple[str, str, str]]:
    picked = games.chosen(material.games)
    linked = [game.number for game, _ in picked]
    everything = count(len(material.games), "game") if material.games else ""
    kept = material.store is not None
    numbers = " as <code>sfida replay</code> counts them" if kept else ""
    others = "" if kept else " <code>--store</code> keeps the games of a tournament for <code>sfida replay</code>."
    budgets = _families(material)
    drawn = figures(material, budgets)
    return [
        ("standings", "Standings", _standings(material)),
        ("luck", "Without luck", _without_luck(material) + _grid(drawn, "luck")),
        ("pairs", "Who beats whom", _grid(drawn, "rating", "cross") + _pairs(material)),
        ("budget", "Strength against budget", _budgets(material, budgets, drawn)),
        ("scores", "Scores and seats", _grid(drawn, "scores", "seats") or _no_games(material)),
        ("times", "Length and time", _grid(drawn, "length", "walls", "decisions")),
        ("forfeits", "Forfeits", games.forfeit_list(material)),
        ("chosen", "Games worth a look",
         games.picks(picked) + "".join(games.section(material, game, why) for game, why in picked) if picked else ""),
        ("games", "All games", f'<p class="small muted">{everything}, numbered by block and rotation'
         f"{numbers}; the winner is in bold.{others}</p>" + games.game_list(material, linked)
         if everything else ""),
    ]


def _grid(drawn: Mapping[str, str], *names: str) -> str:
    held = "\n".join(drawn[name] for name in names if drawn.get(name))
    return f'<div class="grid">\n{held}\n</div>\n' if held else ""


def _without_figures() -> str:
    return f'<p class="small muted">{escaped(why_none())}</p>\n' if why_none() else ""


def _no_games(material: Material) -> str:
    return "" if material.counted else "<p>No block has been played to its end yet, so there is nothing to show.</p>"


def _facts(material: Material) -> str:
    setup, standings = material.setup, material.standings
    mode = setup.mode + (", mirrored" if setup.mirror else "")
    played = f"{count(standings.games, 'game')} in {count(standings.blocks, 'block')}"
    if standings.loose:
        played += f" ({fixed(standings.loose)} of unfinished blocks left out)"
    versions = sorted({game.outcome.record.sfida for game in material.games} or {sfida_version()})
    wall = sum(game.outcome.wall for game in material.games)
    facts = [("Game", setup.game), ("Seats", str(setup.players)), ("Agents", f"{len(setup.agents)}, {mode}"),
             ("Played", played), ("Luck", "common to a block" if setup.luck == "common" else "independent"),
             ("Seed", str(setup.seed)), ("Time of all games", duration(wall)),
             ("Versions", f"sfida {', '.join(versions)}; rules {setup.rules_version}")]
    items = "".join(f"<div><dt>{name}</dt><dd>{escaped(value)}</dd></div>" for name, value in facts)
    return f'<dl class="facts">{items}</dl>'


def _verdict(material: Material) -> str:
    test = material.standings.sprt
    if test is None:
        return ""
    return (f'<div class="verdict"><p>{escaped(test.text)}</p><p class="small muted">Sequential test of '
            f"{test.elo0:g} against {test.elo1:g} Elo: log likelihood ratio {fixed(test.llr, 2)} "
            f"between {fixed(test.lower, 2)} and {fixed(test.upper, 2)} after "
            f"{count(test.blocks, 'block')}.</p></div>\n")


def _standings(material: Material) -> str:
    columns = [Column("rank"), Column("agent", "row"), Column("Elo"), Column("95\u202f%", "text"), Column("games"),
               Column("win share"), Column("95\u202f%", "text"), Column("mean rank"), Column("mean score"),
               Column("ms per move"), Column("forfeits")]
    means = [abs(agent.mean_score) for agent in material.standings.agents if agent.mean_score is not None]
    digits = 2 if max(means, default=0.0) < 10 else 1
    rows = []
    for rank, index in enumerate(material.ranking, 1):
        agent = material.standings.agents[index]
        row = [str(rank), games.marked(index, agent.label), fixed(agent.elo, sign=True),
               _within(interval(agent.elo_ci95, sign=True)), fixed(agent.games), percent(agent.win_share),
               _within(interval(agent.ci95, 1, scale=100)), fixed(agent.mean_rank, 2),
               fixed(agent.mean_score, digits), fixed(agent.ms_per_move, _digits(agent.ms_per_move)),
               str(agent.forfeits)]
        rows.append(row if agent.games else [*row[:2], NOTHING, NOTHING, "0", *[NOTHING] * 5, "0"])
    even = percent(1 / material.setup.players)
    note = (f'<p class="small muted">Win share is the mean share of the win per seat; {even} is a fair share. '
            "Intervals are 95\u202f%, by bootstrap over blocks. The same figures with all digits are in "
            "agents.csv, pairs.csv, seats.csv and games.csv next to this page.</p>")
    return table(columns, rows, "Standings") + note


def _without_luck(material: Material) -> str:
    """Return the table of results without luck; "" where luck was not measured."""
    found = material.standings.adjusted
    if found is None:
        return ""
    columns = [Column("agent", "row"), Column("Elo"), Column("95\u202f%", "text"), Column("win share"),
               Column("95\u202f%", "text"), Column("luck"), Column("win share with luck")]
    rows = []
    for index in material.ranking:
        agent, fair = material.standings.agents[index], found.agents[index]
        rows.append([games.marked(index, agent.label), fixed(fair.elo, sign=True),
                     _within(interval(fair.elo_ci95, sign=True)), percent(fair.win_share),
                     _within(interval(fair.ci95, 1, scale=100)), fixed(100 * fair.luck, 1, sign=True),
                     percent(agent.win_share)])
    less = ("" if found.reach is None else
            f"Without luck the results of blocks vary {fixed(found.reach, 2)} times as much. ")
    return table(columns, rows, "Without luck") + (
        f'<p class="small muted">{less}Luck is what outcomes of chance were worth above their mean, in % of the win, '
        f"by the value function {escaped(found.value)}; Elo is by wins alone.</p>")


def _pairs(material: Material) -> str:
    names, place = material.names, {index: rank for rank, index in enumerate(material.ranking)}
    held = material.standings.pairs
    if not any(pair.games for pair in held):
        return ""
    odd = [pair for pair in held if pair.surprises(SUSPECT)]
    words = (f"{count(len(odd), 'pair')} {'does' if len(odd) == 1 else 'do'} not fit the ratings: " + "; ".join(
        f"{names[pair.a]} scores {percent(pair.score, 0)} against {names[pair.b]}, {percent(pair.expected, 0)} expected"
        for pair in odd) + "." if odd else
        f"No pair lies more than {SUSPECT:g} standard errors from what the ratings predict.")
    columns = [Column("agent", "row"), Column("against", "text"), Column("meetings"), Column("score"),
               Column("95\u202f%", "text"), Column("expected"), Column("residual"), Column("z")]
    rows = []
    for pair in sorted(held, key=lambda pair: sorted((place[pair.a], place[pair.b]))):
        told = pair if place[pair.a] < place[pair.b] else pair.turned
        rows.append([games.marked(told.a, names[told.a]),
                     f'<td class="c-text wraps">{games.marked(told.b, names[told.b])}</td>', fixed(told.games),
                     percent(told.score), _within(interval(told.ci95, 1, scale=100)), percent(told.expected),
                     fixed(None if told.residual is None else 100 * told.residual, 1, sign=True),
                     fixed(told.z, 1, sign=True)])
    return (f'<p class="small">{escaped(words)}</p><details><summary>All pairs as a table</summary>'
            f'{table(columns, rows, "Pairs")}</details>')


def _families(material: Material) -> list[tuple[str, list[Family]]]:
    """Return the agents that differ only in their budget, by the kind of budget."""
    held = families([agent.agent for agent in material.standings.agents])
    kinds = ((kind, [family for family in held if family.kind == kind]) for kind in KINDS)
    return [(kind, here) for kind, here in kinds if here]


def _budgets(material: Material, budgets: Sequence[tuple[str, Sequence[Family]]], drawn: Mapping[str, str]) -> str:
    parts = []
    for kind, here in budgets:
        figure = drawn.get(f"budget-{kind}", "")
        if figure or (not drawn and material.standings.blocks):
            tables = "".join(_budget_table(material, family) for family in here)
            parts.append(f'<div class="grid">{figure}<div>{tables}</div></div>')
    return "\n".join(parts)


def _budget_table(material: Material, family: Family) -> str:
    agents = material.standings.agents
    columns = [Column(family.kind, "row"), Column("Elo"), Column("95\u202f%", "text"), Column("Elo per doubling")]
    rows = []
    for size, index, step in zip(family.budgets, family.members, steps(family, material.standings), strict=True):
        budget = duration(size) if family.kind == "seconds" else fixed(size)
        rows.append([games.marked(index, budget), fixed(agents[index].elo, sign=True),
                     _within(interval(agents[index].elo_ci95, sign=True)), fixed(step, sign=True)])
    slope = per_doubling(family, material.standings)
    words = ("" if slope is None or not math.isfinite(slope) else
             f'<p class="small">Over the whole range a doubling gains {fixed(slope, sign=True)} Elo (least squares); '
             "the table shows the gain since the budget above.</p>")
    return table(columns, rows, family.label, show_caption=True) + words


def _within(text: str) -> str:
    return f'<span class="within">{text}</span>'


def _digits(milliseconds: float) -> int:
    return 0 if milliseconds >= 100 else 1 if milliseconds >= 1 else 3
