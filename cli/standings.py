"""The table of a tournament on the screen."""

from __future__ import annotations

from collections.abc import Sequence

import rich.text

from sfida.ai.arena.outcome import ForfeitedGames
from sfida.ai.arena.standings import PairStanding, Standings
from sfida.cli.output import Output, number, simple_table
from sfida.cli.text import Text
from sfida.engines.wording import counted

WIDE = 90                   # columns that the whole table needs
NAME = 18                   # least columns for the name of an agent
BETWEEN = 2                 # blanks between two columns
SURPRISING = 3.0            # standard errors from which a residual is marked
CERTAIN = 0.05              # p value below which the effect of the seats is shown


def tell(output: Output, standings: Standings) -> None:
    """Print a table for people: ratings, pairs, seats, and the verdict of a sequential test."""
    output.line(Text(standings.game, "bold").append(
        f"  {standings.mode}, {counted(standings.games, 'game', 'games')} in "
        f"{counted(standings.blocks, 'block', 'blocks')}, seed {standings.seed}", "not bold"))
    if standings.loose:
        output.line(f"{counted(standings.loose, 'game', 'games')} of blocks that are not complete yet "
                    f"{'is' if standings.loose == 1 else 'are'} not counted.", "dim")
    output.line()
    ranking(output, standings)
    without_luck(output, standings)
    pairs(output, standings)
    seats(output, standings)
    if standings.sprt is not None:
        output.line()
        output.wrapped(Text(standings.sprt.text, "bold" if standings.sprt.verdict != "undecided" else ""))
    if standings.forfeits:
        output.line()
    tell_forfeits(output, standings.forfeits)


def tell_forfeits(output: Output, forfeits: Sequence[ForfeitedGames]) -> None:
    """Print why games were forfeited, each reason once."""
    for one in forfeits:
        output.line(Text().append(str(one).removesuffix(one.details), "bold").append(one.details))


def ranking(output: Output, standings: Standings) -> None:
    """Print one line per agent, best rating first; a narrow screen gets fewer columns."""
    columns = ["Elo", "95 %", "games", "win %", "95 % ", "rank", "score", "ms/move"]
    if output.width < WIDE:
        columns = [name for name in columns if name not in ("rank", "ms/move")]
    if any(agent.forfeits for agent in standings.agents):
        columns.append("forfeits")
    table = simple_table("#", "agent", *columns, right=("#", *columns))
    table.padding = (0, 1)
    table.columns[1].min_width = NAME
    for place, index in enumerate(standings.ranking, start=1):
        agent = standings.agents[index]
        low, high = agent.elo_ci95
        cells = {
            "Elo": f"{agent.elo:+.0f}", "95 %": f"{low:+.0f} {high:+.0f}", "games": str(agent.games),
            "win %": f"{100 * agent.win_share:.1f}", "95 % ": f"{100 * agent.ci95[0]:.1f} {100 * agent.ci95[1]:.1f}",
            "rank": f"{agent.mean_rank:.2f}", "score": "-" if agent.mean_score is None else f"{agent.mean_score:.1f}",
            "ms/move": f"{agent.ms_per_move:.3g}" if agent.ms_per_move < 1000 else f"{agent.ms_per_move:.0f}",
            "forfeits": str(agent.forfeits)}
        table.add_row(str(place), agent.label, *(cells[name] for name in columns))
    output.table(table)
    output.line(f"A fair win share is {100 / standings.players:.1f} %. Rank and score are means. Intervals by "
                "bootstrap over blocks; mean Elo 0.", "dim")


def without_luck(output: Output, standings: Standings) -> None:
    """Print the results without luck beside those with it, where luck was measured."""
    found = standings.adjusted
    if found is None:
        return
    columns = ["Elo", "95 %", "win %", "95 % ", "luck", "win % with luck"]
    table = simple_table("without luck", *columns, right=tuple(columns))
    table.padding = (0, 1)
    table.columns[0].min_width = NAME
    for index in standings.ranking:
        agent, fair = standings.agents[index], found.agents[index]
        table.add_row(agent.label, f"{fair.elo:+.0f}", f"{fair.elo_ci95[0]:+.0f} {fair.elo_ci95[1]:+.0f}",
                      f"{100 * fair.win_share:.1f}", f"{100 * fair.ci95[0]:.1f} {100 * fair.ci95[1]:.1f}",
                      f"{100 * fair.luck:+.1f}", f"{100 * agent.win_share:.1f}")
    output.line()
    output.table(table)
    less = "" if found.reach is None else f"Without luck results vary {found.reach:.2f} times as much. "
    output.line(f"{less}Elo by wins alone. Luck by value function {found.value}.", "dim")


def pairs(output: Output, standings: Standings) -> None:
    """Print how often the agent of a row finished ahead of that of a column, a tie counting half, and how often they
    met. Columns are numbered like the rows."""
    if len(standings.agents) < 3:
        return
    order = standings.ranking
    cells = {(side.a, side.b): meeting(side) for pair in standings.pairs for side in (pair, pair.turned)}
    cells.update({(a, a): Text("·") for a in order})
    wide = max(len(line) for cell in cells.values() for line in cell.plain.splitlines())
    room = output.width - len(str(len(order))) - BETWEEN - NAME
    across = max(1, room // (wide + BETWEEN))
    for first in range(0, len(order), across):          # what does not fit follows below
        heads = [str(place) for place in range(first + 1, len(order) + 1)][:across]
        table = simple_table("#", "ahead of", *heads, right=("#", *heads))
        for place, a in enumerate(order, start=1):
            table.add_row(str(place), standings.agents[a].label, *(cells[a, b] for b in order[first:][:across]))
        output.line()
        output.table(table)
    notes = ["below each score: meetings"]
    if not all(pair.games for pair in standings.pairs):
        notes.append("-: they never met")
    if any(pair.surprises(SURPRISING) for pair in standings.pairs):
        notes.append(f"*: more than {number(SURPRISING)} standard errors from what the ratings predict")
    output.wrapped(Text("; ".join(notes).capitalize(), "dim"))


def meeting(pair: PairStanding) -> Text:
    """Return how often the first of a pair finished ahead and, below it, how often they met; a dash for never."""
    if pair.score is None:
        return Text("-")
    told = Text(f"{100 * pair.score:.0f} %" + ("*" if pair.surprises(SURPRISING) else ""))
    return told.append_text(rich.text.Text(f"\n{pair.games}", "dim"))


def seats(output: Output, standings: Standings) -> None:
    """Print the win share of each seat, and whether the differences may be chance."""
    if not standings.blocks:
        return
    shares = "  ".join(f"{seat.name} {100 * seat.win_share:.1f} %" for seat in standings.seats)
    verdict = "seats matter" if standings.seat_p < CERTAIN else "no seat effect shown"
    output.line()
    output.line(f"Seats: {shares}   ({verdict}, p = {standings.seat_p:.2g})")
    if standings.seat_p < CERTAIN or standings.sides:
        by_seat(output, standings)


def by_seat(output: Output, standings: Standings) -> None:
    """Print the win share of each agent on each seat."""
    names = [seat.name for seat in standings.seats]
    table = simple_table("win % as", *names, right=tuple(names))
    for index in standings.ranking:
        agent = standings.agents[index]
        table.add_row(agent.label, *(
            f"{100 * one.win_share:.1f} ({100 * one.ci95[0]:.1f} {100 * one.ci95[1]:.1f})" if one.games else "-"
            for one in agent.by_seat))
    output.line()
    output.table(table)
