"""Studies on the screen."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from sfida.cli.output import Output, simple_table
from sfida.cli.standings import tell_forfeits
from sfida.cli.text import Text
from sfida.engines.wording import counted

if TYPE_CHECKING:
    from sfida.ai.study.estimates import Estimate
    from sfida.ai.study.study import Study

_NAME = 26              # columns for the name of a row
_WIDE_SEATS = 3         # most seats whose intervals have room for both ends
_ENDS = 6               # most ways to end that are listed


def tell(output: Output, studies: Sequence[tuple[str, Study]], early: bool) -> None:
    """Print studies, each with the name of its variant, and what the later ones change."""
    for number, (name, study) in enumerate(studies):
        if number:
            output.line()
        _head(output, name, study)
        _parts(output, study)
        _course(output, study)
        _seats(output, study)
    if len(studies) > 1:
        _compared(output, studies, early)


def _head(output: Output, name: str, study: Study) -> None:
    output.line(Text(name or study.game, "bold").append(
        f"  {counted(study.games, 'game', 'games')} in {counted(study.blocks, 'block', 'blocks')}, "
        f"seed {study.seed}", "not bold"))
    if study.left_out:
        output.wrapped(Text(f"{counted(study.left_out, 'game', 'games')} left out: of unfinished blocks, of blocks "
                            "with a forfeited game, or of line-ups with a single block.", "dim"))
    tell_forfeits(output, study.forfeits)
    output.line()


def _parts(output: Output, study: Study) -> None:
    from sfida.ai.study.parts import ALL, PARTS

    table = simple_table("% of the variance", *PARTS, right=PARTS)
    table.padding = (0, 1)
    table.columns[0].max_width = _NAME
    rows = {"all games": ALL} | ({name: name for name in study.lineups} if len(study.lineups) > 1 else {})
    for title, lineup in rows.items():
        table.add_row(title, *(_share(study.figures[f"{part} of {lineup}"]) for part in PARTS))
    output.table(table)
    output.wrapped(Text(f"Luck: what value function {study.value} sees of it, at least. Rest: unseen luck, the agents' "
                        "own random choices, what suits one agent on one seat.", "dim"))


def _course(output: Output, study: Study) -> None:
    from sfida.ai.study.decided import GRID, LEAD, SURE

    if not study.led:
        return
    found = study.figures
    output.line()
    output.line(f"Turns a game        {_plain(found['turns'])}")
    output.line(f"Lead changes a game {_plain(found['changes'])}   (a lead: {100 * LEAD:.0f} % of the win ahead)")
    output.line(f"The winner leads to the end after {_share(found['led'])} % of the turns, and is {100 * SURE:.0f} % "
                "sure")
    output.line(f"after {_share(found['sure'])} %. Decided games, by the share of their turns played:")
    table = simple_table("after", *(f"{100 * share:.0f} %" for share in (0.25, 0.5, 0.75, 0.9)),
                         right=("25 %", "50 %", "75 %", "90 %"))
    for title, shares in (("the winner leads", study.led), (f"{100 * SURE:.0f} % sure", study.sure)):
        table.add_row(title, *(f"{100 * shares[round(GRID * share)]:.0f} %" for share in (0.25, 0.5, 0.75, 0.9)))
    output.table(table)
    if study.ends:
        games = sum(study.ends.values())
        output.wrapped("Games ended by " + ", ".join(
            f"{reason} ({'nobody' if seat < 0 else study.seats[seat]}) {100 * count / games:.0f} %"
            for (reason, seat), count in list(study.ends.items())[:_ENDS]) + ".")


def _seats(output: Output, study: Study) -> None:
    output.line()
    elo, low, high = (_elo(value) for value in study.first_elo)
    first = study.figures["seat 0"]
    output.wrapped(f"Moving first ({study.seats[0]}): {100 * first.value:+.1f} % [{100 * first.low:+.1f} "
                f"{100 * first.high:+.1f}] beyond an even share, {elo} [{low} {high}] Elo")
    output.line()
    table = simple_table("win % without luck", *study.seats, right=study.seats)
    table.padding = (0, 1)
    table.columns[0].max_width = _NAME
    held = {(cell.lineup, cell.agent, cell.seat): cell for cell in study.cells}
    even = 100 / len(study.seats)
    win = _win if len(study.seats) <= _WIDE_SEATS else _short_win
    table.add_row("all games", *(win(even + 100 * one.value, even + 100 * one.low, even + 100 * one.high)
                                 for one in (study.figures[f"seat {seat}"] for seat in range(len(study.seats)))))
    told = ""
    for lineup, agent in dict.fromkeys((cell.lineup, cell.agent) for cell in study.cells):
        row = [held[lineup, agent, seat] for seat in range(len(study.seats))]
        alone = lineup == agent
        if not alone and lineup != told:
            table.add_row(lineup, *("" for _ in row))
        told = lineup
        table.add_row(agent if alone else f"  {agent}",
                      *(win(100 * cell.share, 100 * cell.ci95[0], 100 * cell.ci95[1]) for cell in row))
    output.table(table)


def _compared(output: Output, studies: Sequence[tuple[str, Study]], early: bool) -> None:
    from sfida.ai.study.comparing import differences

    reference, first = studies[0]
    names = [name for name, _ in studies[1:]]
    found = [differences(study, first) for _, study in studies[1:]]
    output.line()
    table = simple_table(f"minus {reference}", *names, right=tuple(names))
    table.padding = (0, 1)
    for title, key, scale in (("first seat, %", "first", 100), ("luck, %", "luck", 100), ("seat, %", "seat", 100),
                              ("skill, %", "skill", 100), ("rest, %", "rest", 100), ("turns", "turns", 1),
                              ("lead changes", "changes", 1), ("the winner leads, % of turns", "led", 100),
                              ("the winner is sure, % of turns", "sure", 100)):
        table.add_row(title, *(_signed(one[key], scale) for one in found))
    output.table(table)
    output.wrapped(Text("* where 0 lies outside the 95 % interval, which is that of each one alone."
                        + (" Stopped: the differences of the first seat are clear." if early else ""), "dim"))


def _share(found: Estimate) -> str:
    if not math.isfinite(found.value):
        return "-"
    return f"{_whole(found.value)} [{_whole(found.low)} {_whole(found.high)}]"


def _whole(value: float) -> str:
    return f"{round(100 * value) + 0:d}" if math.isfinite(value) else "?"


def _plain(found: Estimate) -> str:
    return f"{found.value:.1f} [{found.low:.1f} {found.high:.1f}]"


def _signed(found: Estimate, scale: int) -> str:
    if not math.isfinite(found.value):
        return "-"
    value, low, high = (scale * each for each in (found.value, found.low, found.high))
    if not math.isfinite(low):
        return f"{value:+.1f} "
    return f"{value:+.1f} [{low:+.1f} {high:+.1f}]{'*' if found.clear else ' '}"


def _win(share: float, low: float, high: float) -> str:
    """Return a share of the win in %: without luck an estimate may lie outside what a share can be."""
    share, low, high = (min(max(value, 0.0), 100.0) for value in (share, low, high))
    return f"{share:.1f} [{low:.1f} {high:.1f}]"


def _short_win(share: float, low: float, high: float) -> str:
    """Likewise with half the width of the interval."""
    return f"{min(max(share, 0.0), 100.0):.0f} ±{(high - low) / 2:.0f}"


def _elo(value: float) -> str:
    return f"{value:+.0f}" if math.isfinite(value) else ("+inf" if value > 0 else "-inf")
