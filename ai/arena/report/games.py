"""The games of a report: the list of all, and a few selected ones with their last boards."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Sequence

from sfida.ai.arena.report.labels import seat_label
from sfida.ai.arena.report.markup import NOTHING, Column, count, duration, escaped, fixed, lines, picture, table
from sfida.ai.arena.report.material import Material, NumberedGame
from sfida.ai.arena.report.style import agent_colour
from sfida.cython_ext.errors import SfidaError
from sfida.engines.game import Game

LISTED = 2000
CHOSEN = 8
FORFEITS = 3
FORFEIT_ROWS = 100
MOVES = 2000
_PART_END = re.compile(r"([:,/])")


def chosen(games: Sequence[NumberedGame]) -> list[tuple[NumberedGame, list[str]]]:
    """Pick at most 8 games worth a look, each with the reasons."""
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
            pick(played[tops.index(max(tops))], f"the best score, {fixed(max(tops), _digits(max(tops)))}")
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
    """Return a name with a mark in the agent's colour; the name may be wrapped between the parts of a spec."""
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
    return fixed(score, _digits(score)) if score == score else NOTHING


def _digits(score: float) -> int:
    return 0 if float(score).is_integer() else 2
