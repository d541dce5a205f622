"""The result of a tuning on the screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfida.cli.games import value_text
from sfida.cli.output import Output, simple_table
from sfida.cli.standings import tell_forfeits
from sfida.cli.text import Text
from sfida.engines.wording import counted

if TYPE_CHECKING:
    from sfida.ai.tuning.result import Match, Tuning

_SHOWN = 12             # candidates
_NAME = 34              # columns for the name of a row


def tell(output: Output, found: Tuning) -> None:
    """Print the candidates, the effects of the parameters, the match, and the spec to use."""
    plan = found.plan
    output.line(Text(str(plan["game"]), "bold").append(
        f"  tuning {plan['agent']}, {counted(found.games, 'game', 'games')}, seed {plan['seed']}", "not bold"))
    if plan["against"] != [plan["agent"]]:
        output.line(f"against {', '.join(plan['against'])}")
    output.line()
    _candidates(output, found)
    _effects(output, found)
    _match(output, found)
    if found.forfeits:
        output.line()
    tell_forfeits(output, found.forfeits)


def _candidates(output: Output, found: Tuning) -> None:
    heads = ("games", "win %", "final %", "estimate", "95 %")
    table = simple_table("candidate", *heads, right=heads)
    table.padding = (0, 1)
    table.columns[0].max_width = _NAME
    for one in found.candidates[:_SHOWN]:
        table.add_row(one.setting, str(one.games), _percent(one.share),
                      "-" if one.fresh is None else _percent(one.fresh), _percent(one.estimate), _ends(one.ci95))
    output.table(table)
    more = len(found.candidates) - _SHOWN
    luck = "Without luck. " if found.plan["adjusted"] else ""
    output.wrapped(Text(f"{luck}An even share is {_percent(found.even)} %. Estimates learn from the games of all "
                        f"{counted(len(found.candidates), 'candidate', 'candidates')} in "
                        f"{counted(len(found.trials), 'trial', 'trials')}"
                        + (f"; {more} more are not shown" if more > 0 else "") + ".", "dim"))


def _effects(output: Output, found: Tuning) -> None:
    table = simple_table("parameter", "effect, win %", "95 %", right=("effect, win %", "95 %"))
    table.padding = (0, 1)
    for one in found.effects:
        table.add_row(f"{one.name}={value_text(one.value)}", f"{100 * one.share:+.1f}",
                      f"{100 * one.ci95[0]:+.1f} {100 * one.ci95[1]:+.1f}")
    output.line()
    output.table(table)
    output.wrapped(Text("The effect of a value: beyond the mean of those listed of its parameter, over all that the "
                        "others may be.", "dim"))


def _match(output: Output, found: Tuning) -> None:
    output.line()
    if found.match is None:
        output.wrapped("No match: the best found is the agent as given.")
        output.line(Text("Use: ").append(found.use, "bold"))
        return
    match = found.match
    output.wrapped(f"Match of {found.best.spec} against {found.plan['agent']}, "
                   f"{counted(match.games, 'game', 'games')}: {_percent(match.share)} % [{_ends(match.ci95)}], "
                   f"a lead of {match.elo:+.0f} Elo [{match.elo_ci95[0]:+.0f} {match.elo_ci95[1]:+.0f}].")
    output.wrapped(Text(f"{match.text}."))
    output.line()
    output.line(Text("Use: ").append(found.use, "bold"))
    output.wrapped(_reason(match))


def _reason(match: Match) -> str:
    if match.verdict == "H1":
        return "The match has confirmed it."
    if match.verdict == "H0":
        return "That is the agent as given: the match found no gain."
    if match.forfeited:
        return "That is the agent as given: the match did not decide, and some of its games were forfeited."
    return "That is the agent as given: the match did not decide; with a larger budget it may."


def _percent(share: float) -> str:
    return f"{100 * share:.1f}"


def _ends(interval: tuple[float, float]) -> str:
    return f"{100 * interval[0]:.1f} {100 * interval[1]:.1f}"
