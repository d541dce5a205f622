"""The page of a report: one HTML file with everything, readable without a network, scripts or colour."""

from __future__ import annotations

import importlib.util
import math
import re
import shlex
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from sfida.ai.arena.outcome import GameOutcome
from sfida.ai.arena.schedule import Setup
from sfida.ai.arena.standings import Standings
from sfida.ai.report.html import (
    NOTHING, POLICY, SCRIPT, STYLE, Column, agent_colour, count, duration, escaped, fixed, interval, lines, percent,
    picture, seat_label, table
)
from sfida.ai.report.material import (
    KINDS, SUSPECT, Family, Material, NumberedGame, csv_files, families, per_doubling, steps
)
from sfida.cython_ext.errors import SfidaError
from sfida.engines.files import write_whole
from sfida.engines.game import Game
from sfida.engines.records import sfida_version

# ---- The games of a report: the list of all games, and a few selected ones with their last boards

LISTED = 2000
CHOSEN = 8
FORFEITS = 3
FORFEIT_ROWS = 100
MOVES = 2000
_PART_END = re.compile(r"([:,/])")


def chosen(games: Sequence[NumberedGame]) -> list[tuple[NumberedGame, list[str]]]:
    """Select at most 8 interesting games, each with the reasons."""
    picked: dict[int, tuple[NumberedGame, list[str]]] = {}

    def pick(game: NumberedGame, why: str) -> None:
        picked.setdefault(game.number, (game, []))[1].append(why)

    def ends(of: Callable[[NumberedGame], float], least: str, most: str) -> None:
        values = [of(game) for game in played]
        if played and min(values) < max(values):
            pick(played[values.index(min(values))], least)
            pick(played[values.index(max(values))], most)

    played = [game for game in games if game.outcome.forfeit is None]
    if played:
        pick(played[0], "the first")
    ends(_margin, "the closest", "the clearest win")
    ends(lambda game: game.plies, "the shortest", "the longest")
    if played:
        tops = [max(game.outcome.scores) for game in played]
        if min(tops) < max(tops):
            pick(played[tops.index(max(tops))], f"the best score, {fixed(max(tops), _games_digits(max(tops)))}")
    for game in [game for game in games if game.outcome.forfeit is not None][:FORFEITS]:
        if len(picked) < CHOSEN:
            pick(game, "a forfeit")
    return list(picked.values())


def _margin(game: NumberedGame) -> float:
    """Return the difference in points between the first and the second."""
    order = sorted(range(len(game.outcome.ranks)), key=lambda seat: game.outcome.ranks[seat])
    return abs(game.outcome.scores[order[0]] - game.outcome.scores[order[1]])


def game_list(material: Material, linked: Sequence[int]) -> str:
    """Return the table of all games, or of the first 2,000; the numbers in `linked` link to a section."""
    shown = material.games[:LISTED]
    columns = [Column("game"), Column("block")]
    columns += [Column(escaped(seat_label(seat.seat, seat.name)), "text") for seat in material.standings.seats]
    columns += [Column("moves"), Column("time"), Column("notes", "text")]
    rows = []
    for game in shown:
        played = game.outcome
        number = f'<a href="#game-{game.number}">{game.number}</a>' if game.number in linked else str(game.number)
        row = [f'<td data-v="{game.number}">{number}</td>',
               f'<td data-v="{played.block + played.rotation / 100}">{played.block + 1}.{played.rotation + 1}</td>']
        for seat, agent in enumerate(played.agents[:len(material.standings.seats)]):
            won = ' won' if played.ranks[seat] == 1 and played.forfeit is None else ""
            row.append(f'<td class="c-seat{won}" data-v="{played.scores[seat]}"><span class="ends">'
                       f'{marked(agent, material.names[agent])} <span>'
                       f'{_points(played.scores[seat])} <span class="within">{ordinal(played.ranks[seat])}</span>'
                       '</span></span></td>')
        row += [f'<td data-v="{game.plies}">{game.plies}</td>',
                f'<td data-v="{played.wall}">{duration(played.wall)}</td>',
                f'<td class="c-text wraps">{escaped(_cut(_note(game)))}</td>']
        rows.append(row)
    left = len(material.games) - len(shown)
    more = (f'<p class="small muted">{count(left, "game")} more {"is" if left == 1 else "are"} not listed here; '
            "games.csv has them all.</p>" if left else "")
    heads = table(columns, rows, "All games", ident="all-games")
    return f'<div class="games-list"><div class="listing">{heads}</div></div>{more}'


def forfeit_list(material: Material) -> str:
    """Return the table of forfeits; "" if there are none."""
    lost = [game for game in material.games if game.outcome.forfeit is not None]
    if not lost:
        return ""
    columns = [Column("game"), Column("agent", "row"), Column("seat", "text"), Column("kind", "text"),
               Column("reason", "text")]
    names = {seat.seat: seat_label(seat.seat, seat.name) for seat in material.standings.seats}
    rows = []
    for game in lost[:FORFEIT_ROWS]:
        forfeit = game.outcome.forfeit
        assert forfeit is not None
        agent = game.outcome.agents[forfeit.seat]
        rows.append([str(game.number), marked(agent, material.names[agent]),
                     escaped(names.get(forfeit.seat, f"seat {forfeit.seat}")), escaped(forfeit.kind),
                     f'<td class="c-text wraps">{escaped(forfeit.reason)}</td>'])
    left = len(lost) - FORFEIT_ROWS
    more = f'<p class="small muted">{count(left, "forfeit")} more in games.csv.</p>' if left > 0 else ""
    return table(columns, rows, "Forfeited games") + more


def picks(games: Sequence[tuple[NumberedGame, list[str]]]) -> str:
    """Return the links to the sections of the chosen games."""
    items = "".join(f'<li><a href="#game-{game.number}">Game {game.number}</a>, {escaped(_all_of(why))}</li>'
                    for game, why in games)
    return f'<ul class="picks">{items}</ul>'


def section(material: Material, game: NumberedGame, why: Sequence[str]) -> str:
    """Return the section of one game: its last board, scores and moves, and the command that replays it."""
    played = game.outcome
    names = {seat.seat: seat_label(seat.seat, seat.name) for seat in material.standings.seats}
    rows = [[escaped(names.get(seat, f"seat {seat}")), marked(agent, material.names[agent]),
             _points(played.scores[seat]), ordinal(played.ranks[seat]), duration(played.seconds[seat])]
            for seat, agent in enumerate(played.agents)]
    scores = table([Column("seat", "text"), Column("agent", "row"), Column("points"), Column("rank"),
                    Column("time")], rows, f"Game {game.number}, seat by seat")
    facts = (f"Block {played.block + 1}, rotation {played.rotation + 1}; {count(game.plies, 'move')} in "
             f"{duration(played.wall)}.")
    note = _note(game)
    told = [f"<p>{facts}</p>", scores, f"<p>{escaped(note)}</p>" if note else ""]
    if material.store is not None:
        words = f"sfida replay {shlex.quote(str(material.store))} --game {game.number}"
        where = "" if material.store.is_absolute() else ", in the folder where the tournament ran"
        told.append(f'<p class="small">Move by move in a terminal{where}: <code>{escaped(words)}</code></p>')
    told.append(_moves(game))
    head = f"Game {game.number}: {_all_of(why)}"
    return (f'<article class="final" id="game-{game.number}"><header><h3>{escaped(head)}</h3></header>'
            f'<div>{_board(game)}</div><div>{"".join(told)}</div></article>')


def _board(game: NumberedGame) -> str:
    """Return the last board, or the reason why there is none."""
    alt = f"Board of game {game.number} after its last move"
    try:
        state = game.outcome.record.replay()
        if type(state.game).board_svg is Game.board_svg:        # the default is the text, only smaller
            return f'<pre class="textboard" aria-label="{escaped(alt)}">{lines(state.game.board_text(state))}</pre>'
        drawn = picture(state.game.board_svg(state), f"game-{game.number}-", alt)
    except SfidaError as error:
        return f'<p class="muted">The board cannot be drawn: {escaped(error)}.</p>'
    return f'<div class="paperboard" role="group" aria-label="{escaped(alt)}">{drawn}</div>'


def _moves(game: NumberedGame) -> str:
    record = game.outcome.record
    if not record.moves:
        return ""
    luck = frozenset(record.chance or ())
    items = "".join(f'<li class="luck">{escaped(move)}</li>' if ply in luck else f"<li>{escaped(move)}</li>"
                    for ply, move in enumerate(record.moves[:MOVES]))
    left = len(record.moves) - MOVES
    more = f'<p class="small muted">{count(left, "move")} more in the record.</p>' if left > 0 else ""
    said = " (chance events in italics)" if luck else ""
    return (f'<details><summary>{count(len(record.moves), "move")}{said}</summary>'
            f'<ol class="moves">{items}</ol>{more}</details>')


def marked(agent: int, name: str) -> str:
    """Return a name with a mark in the agent's colour; the name may be broken between the parts of a spec."""
    text = _PART_END.sub(r"\1<wbr>", escaped(name))
    return f'<span class="agent" style="--mark:{agent_colour(agent)}">{text}</span>'


def ordinal(rank: int) -> str:
    """Return a rank as an ordinal number."""
    ending = "th" if 10 <= rank % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(rank % 10, "th")
    return f"{rank}{ending}"


def _note(game: NumberedGame) -> str:
    notes = []
    forfeit = game.outcome.forfeit
    if forfeit is not None:
        notes.append(f"forfeited by seat {forfeit.seat} ({forfeit.kind}): {forfeit.reason}")
    if not game.counted:
        notes.append("not counted: its block is not finished")
    return "; ".join(notes)


def _cut(text: str, limit: int = 90) -> str:
    return text if len(text) <= limit else f"{text[:limit - 1]}…"


def _all_of(words: Sequence[str]) -> str:
    return ", ".join(words[:-1]) + (" and " if len(words) > 1 else "") + words[-1]


def _points(score: float) -> str:
    return fixed(score, _games_digits(score)) if score == score else NOTHING


def _games_digits(score: float) -> int:
    return 0 if float(score).is_integer() else 2


# ---- The page of a report: one HTML file with everything, readable without a network, scripts or colour


def write_report(directory: Path, setup: Setup, standings: Standings, outcomes: Sequence[GameOutcome], *,
                 store: Path | None = None, title: str | None = None) -> Path:
    """Write the report of a tournament and return the path of its page.

    The folder receives ``report.html``, which is self-contained, and ``agents.csv``, ``pairs.csv``, ``seats.csv`` and
    ``games.csv`` (RFC 4180, with a header line). Each replaces a file of the same name in one step. Equal arguments
    give equal files; `why_none` gives the reason if the page has no figures.

    Parameters
    ----------
    directory : Path
        Created if missing.
    setup : Setup
    standings : Standings
    outcomes : sequence of GameOutcome
        In any order; they are numbered from 1 by block and rotation. Games of unfinished blocks are listed but not
        counted.
    store : Path, optional
        File of the games, for the commands that replay one.
    title : str, optional
        Heading; by default made from the game.

    Returns
    -------
    Path
        ``directory / "report.html"``.

    Raises
    ------
    OSError
        If the folder or a file in it cannot be written.
    """
    material = Material.of(setup, standings, outcomes, store)
    directory.mkdir(parents=True, exist_ok=True)
    html = page(material, title)
    for name, text in csv_files(material).items():
        write_whole(directory / name, text)
    return write_whole(directory / "report.html", html)


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
    picked = chosen(material.games)
    linked = [game.number for game, _ in picked]
    everything = count(len(material.games), "game") if material.games else ""
    kept = material.store is not None
    numbers = " as <code>sfida replay</code> counts them" if kept else ""
    others = "" if kept else " <code>--store</code> keeps the games of a tournament for <code>sfida replay</code>."
    budgets = _families(material)
    drawn = _figures(material, budgets)
    return [
        ("standings", "Standings", _standings(material)),
        ("luck", "Luck-adjusted", _without_luck(material) + _grid(drawn, "luck")),
        ("pairs", "Who beats whom", _grid(drawn, "rating", "cross") + _pairs(material)),
        ("budget", "Strength against budget", _budgets(material, budgets, drawn)),
        ("scores", "Scores and seats", _grid(drawn, "scores", "seats") or _no_games(material)),
        ("times", "Length and time", _grid(drawn, "length", "walls", "decisions")),
        ("forfeits", "Forfeits", forfeit_list(material)),
        ("chosen", "Games worth a look",
         picks(picked) + "".join(section(material, game, why) for game, why in picked) if picked else ""),
        ("games", "All games", f'<p class="small muted">{everything}, numbered by block and rotation'
         f"{numbers}; the winner is in bold.{others}</p>" + game_list(material, linked)
         if everything else ""),
    ]


def _grid(drawn: Mapping[str, str], *names: str) -> str:
    held = "\n".join(drawn[name] for name in names if drawn.get(name))
    return f'<div class="grid">\n{held}\n</div>\n' if held else ""


def why_none() -> str:
    """Return the reason why a report has no figures, in a sentence; "" if it has them."""
    if importlib.util.find_spec("matplotlib") is not None:
        return ""
    return "The figures are left out: they need matplotlib (pip install 'sfida[report]')."


def _figures(material: Material, budgets: Sequence[tuple[str, Sequence[Family]]]) -> dict[str, str]:
    """Return the figures by their names; empty if matplotlib is not installed."""
    if why_none():
        return {}
    from sfida.ai.report.figures import figures  # matplotlib is slow to load

    return figures(material, budgets)


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
        row = [str(rank), marked(index, agent.label), fixed(agent.elo, sign=True),
               _within(interval(agent.elo_ci95, sign=True)), fixed(agent.games), percent(agent.win_share),
               _within(interval(agent.ci95, 1, scale=100)), fixed(agent.mean_rank, 2),
               fixed(agent.mean_score, digits), fixed(agent.ms_per_move, _digits(agent.ms_per_move)),
               str(agent.forfeits)]
        rows.append(row if agent.games else [*row[:2], NOTHING, NOTHING, "0", *[NOTHING] * 5, "0"])
    even = percent(1 / material.setup.players)
    note = (f'<p class="small muted">Win share is the mean win share per seat; {even} is a fair share. '
            "Intervals are 95\u202f%, by bootstrap over blocks. The same figures with all digits are in "
            "agents.csv, pairs.csv, seats.csv and games.csv next to this page.</p>")
    return table(columns, rows, "Standings") + note


def _without_luck(material: Material) -> str:
    """Return the table of luck-adjusted results; "" if luck was not measured."""
    found = material.standings.adjusted
    if found is None:
        return ""
    columns = [Column("agent", "row"), Column("Elo"), Column("95\u202f%", "text"), Column("win share"),
               Column("95\u202f%", "text"), Column("luck"), Column("win share with luck")]
    rows = []
    for index in material.ranking:
        agent, fair = material.standings.agents[index], found.agents[index]
        rows.append([marked(index, agent.label), fixed(fair.elo, sign=True),
                     _within(interval(fair.elo_ci95, sign=True)), percent(fair.win_share),
                     _within(interval(fair.ci95, 1, scale=100)), fixed(100 * fair.luck, 1, sign=True),
                     percent(agent.win_share)])
    less = ("" if found.reach is None else
            f"Luck-adjusted results of blocks vary {fixed(found.reach, 2)} times as much. ")
    return table(columns, rows, "Luck-adjusted") + (
        f'<p class="small muted">{less}Luck is what outcomes of chance were worth above their mean, in % of win '
        f"probability, by the value function {escaped(found.value)}; Elo is by wins alone.</p>")


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
        rows.append([marked(told.a, names[told.a]),
                     f'<td class="c-text wraps">{marked(told.b, names[told.b])}</td>', fixed(told.games),
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
        rows.append([marked(index, budget), fixed(agents[index].elo, sign=True),
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
