"""`sfida profile` and `sfida bench`: the speed of a search and of the rules, and the time of each step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from sfida.ai.seat import MOST_SECONDS
from sfida.cli.errors import refuse_given
from sfida.cli.file_options import OutputFile
from sfida.cli.output import (
    Number, Output, ScreenTable, Text, color_option, json_option, measures, output_for, simple_table
)
from sfida.engines.game import Game
from sfida.engines.registry import game_names, make_game
from sfida.engines.spec import quoted, shown

# ---- Tables of a profile, for 80 columns

Row = Mapping[str, Any]

SHARES = (
    ("determinize", "determinize", "{:.1%}"),
    ("select", "select", "{:.1%}"),
    ("expand", "expand", "{:.1%}"),
    ("playout", "playout", "{:.1%}"),
    ("back up", "backup", "{:.1%}"),
    ("time per playout", "playout_us", "{:.1f} µs"),
)
TREE = (
    ("moves per playout, mean", "playout_moves", "{:.1f}"),
    ("depth (decisions in the tree), mean", "depth_mean", "{:.1f}"),
    ("depth, maximum", "depth_max", "{:d}"),
    ("nodes", "nodes", "{:,d}"),
    ("nodes that hold moves", "decision_nodes", "{:,d}"),
    ("size of the tree", "tree_bytes", "{:,d} bytes"),
    ("size of a node, mean", "bytes_per_node", "{:.1f} bytes"),
    ("memory in use", "arena_load", "{:.1%}"),
    ("hash map in use", "map_load", "{:.1%}"),
)
CALLS = {"clone": "clone", "legal": "legal moves", "candidates": "candidates", "apply": "apply",
         "determinize": "determinize", "label": "event label", "evaluate": "evaluate", "priors": "priors",
         "playout": "playout (from a leaf)"}
_SEARCH = {True: "the search as it is now", False: "an older search or rules", None: "search unknown"}
_BAR = 14                               # columns of the longest bar
_BINS = 12                              # maximum number of rows in a distribution


def show(output: Output, found: Sequence[Row]) -> None:
    """Print the result of `ai.research.profiling.profile` for people."""
    first = found[0]
    output.line(Text().append(first["game"], "bold").append(
        f"  {first['agent']}  {first['searches']:,} searches of {first['iterations'] / first['searches']:,.0f} "
        "iterations (mean)"))
    output.line()
    output.table(_speed(found))
    _explain_speed(output, found)
    heads = [f"{row['threads']} thread{'s' if row['threads'] > 1 else ''}" for row in found]
    output.line()
    output.table(measures(SHARES, heads, [{**row, **row["share"]} for row in found]))
    output.line()
    output.table(measures(TREE, ["tree of a search"], [first]))
    output.line()
    output.table(_distributions(first))
    output.line()
    output.table(_calls(first["calls_ns"]))
    if first["memory_full"]:
        output.wrapped("The memory was full: trees stopped growing (see the agent's option memory).")


def _speed(found: Sequence[Row]) -> ScreenTable:
    several = any(row["at_will_per_s"] is not None for row in found)
    rated = found[0]["elo"] is not None
    numbers = ["iterations/s", "speed", *(["at will", "apart"] if several else []), "busy",
               *(["Elo [95 %]"] if rated else [])]
    table = simple_table("threads", *numbers, right=tuple(numbers))
    for row in found:
        cells = [f"{row['threads']}{' (recommended)' if row['recommended'] and len(found) > 1 else ''}",
                 f"{row['iterations_per_s']:,.0f}", f"{row['speedup']:.2f}"]
        if several:
            cells += ["·" if row[key] is None else f"{row[key]:.2f}" for key in ("at_will_speedup",
                                                                                 "side_by_side_speedup")]
        cells.append(f"{row['busy']:.0%}")
        if rated:
            cells.append(elo(row["elo"], row["elo_ci95"]) if row["threads"] > 1 else "0")
        table.add_row(*cells)
    return table


def _explain_speed(output: Output, found: Sequence[Row]) -> None:
    first = found[0]
    if first["elo"] is None:
        output.wrapped(f"No Elo: {first['elo_missing']}.")
        return
    source = first["elo_measured"]
    version = "" if source["commit"] is None else (
        f" (commit {source['commit']} of {source['date']}, {_SEARCH[source['current']]})")
    output.wrapped(f"Elo: what the speed is worth, from {first['elo_from']:,} iterations per move on one thread. "
                   f"Measured in matches of {source['agent']} with {source['players']} players{version}: one seat with "
                   "twice the iterations against others with once. Beyond these the last gain is assumed to hold.")
    if source["players"] != first["players"]:
        output.wrapped(f"With {first['players']} players this has not been measured: the lead in Elo is assumed to be "
                       f"that with {source['players']}.")
    table = simple_table("iterations", "Elo [95 %]", "games", right=("iterations", "Elo [95 %]", "games"))
    for step in first["elo_per_doubling"]:
        table.add_row(f"{step['iterations']:,} to {2 * step['iterations']:,}", elo(step["elo"], step["elo_ci95"]),
                      f"{step['games']:,}")
    output.table(table)


def _distributions(row: Row) -> ScreenTable:
    """Return depths and branching factors side by side."""
    table = simple_table("depth", "iterations", "", "moves", "decisions", "", right=("iterations", "decisions"))
    left, right = grouped(row["depths"]), [(label, count) for label, count in row["branchings"].items()]
    for number in range(max(len(left), len(right))):
        table.add_row(*_bin(left, number), *_bin(right, number))
    return table


def grouped(counts: Mapping[str, int]) -> list[tuple[str, int]]:
    """Merge neighbouring bins into at most 12, all of the same width except the last."""
    labels = list(counts)
    width = -(-len(labels) // _BINS)
    groups = [labels[start:start + width] for start in range(0, len(labels), width)]
    return [(group[0] if len(group) == 1 else f"{group[0]}-{group[-1]}", sum(counts[label] for label in group))
            for group in groups]


def _bin(bins: Sequence[tuple[str, int]], number: int) -> tuple[str, str, str]:
    if number >= len(bins):
        return "", "", ""
    label, count = bins[number]
    total, most = sum(n for _, n in bins), max(n for _, n in bins)
    return label, f"{count / total:.1%}", "█" * round(_BAR * count / most)


def _calls(costs: Mapping[str, float]) -> ScreenTable:
    table = simple_table("time per call", "ns", right=("ns",))
    for name, cost in costs.items():
        table.add_row(CALLS[name], f"{cost:,.0f}")
    return table


def elo(value: float, interval: Sequence[float]) -> str:
    """Return a lead in Elo with its interval, such as "+13 [-4, +30]"."""
    return f"{round(value):+d} [{round(interval[0]):+d}, {round(interval[1]):+d}]"


# ---- `sfida profile`: the speed of a search and the time of each step

_MOST_THREADS = 64


@click.command("profile")
@click.argument("game")
@click.option("--agent", "spec", default="ismcts", metavar="AGENT", show_default=True,
              help="Agent whose search is measured.")
@click.option("--players", type=Number(int, 1), metavar="N",
              help="Number of players.  [default: the game's]")
@click.option("--seconds", type=Number(float, 0, MOST_SECONDS), default=2.0, metavar="X",
              show_default=True, help="Time to spend on each number of threads.")
@click.option("--threads", metavar="1,2",
              help="Numbers of threads to compare.  [default: 1 and the agent's number of threads]")
@click.option("--svg", type=OutputFile(), metavar="FILE",
              help="Draw a flame graph of the search on one thread, by step and function, as SVG. The figures are from "
              "perf or callgrind where one of them is installed and works, else from Sfida's own counters.")
@click.option("--compare", "revision", metavar="REVISION",
              help="Run the same searches with the working tree and with a revision of git in turn, and show both side "
              "by side. Each of the 14 processes takes --seconds.")
@json_option
@color_option
@click.pass_context
def command(context: click.Context, game: str, spec: str, players: int | None, seconds: float,
            threads: str | None, svg: Path | None, revision: str | None, as_json: bool) -> None:
    """Measure how fast a search is and where its time goes.

    Shows iterations per second, what further threads gain, the time spent in each step, the growth of the tree, and
    what a doubling of the iterations is worth.

    \b
    sfida profile carcassonne
    sfida profile carcassonne --threads 1,2,4
    sfida profile carcassonne --agent ismcts:iterations=2000 --players 4
    sfida profile carcassonne --svg flames.svg
    sfida profile carcassonne --compare HEAD~1
    """
    output = output_for(context, as_json)
    chosen = make_game(game, **({} if players is None else {"players": players}))
    if revision is not None:
        refuse_given(context, "--compare", {"threads": "--threads", "svg": "--svg"})
        _compare(output, chosen, spec, revision, seconds)
        return
    from sfida.ai.research.profiling import profile

    counts = None if threads is None else thread_counts(threads)
    if svg is not None and counts is not None:
        counts = [1, *counts]                           # the flame graph is that of one thread
    found = profile(chosen, spec, seconds, counts)
    if as_json:
        for row in found:
            output.emit(row)
    else:
        show(output, found)
    if svg is not None:
        _draw(output, found[0], seconds, svg)


def _draw(output: Output, row: Row, seconds: float, path: Path) -> None:
    """Write the flame graph of a profile on one thread and say where its figures are from."""
    from sfida.ai.research.flames import COUNTERS, drawing, flames_of

    flames = flames_of(row, seconds, output.note)
    path.write_text(drawing(flames, row), encoding="utf-8")
    if output.json:
        output.emit({"schema": 1, "type": "flames", "game": row["game"], "agent": row["agent"], "file": str(path),
                     **flames.as_json()})
        return
    source = ("Sfida's own counters: steps as measured, functions as estimated" if flames.source == COUNTERS
              else f"{flames.source}, {flames.total:,.0f} {flames.unit}")
    why = "".join(f"; {reason}" for reason in flames.passed_over)
    output.line()
    output.wrapped(f"Flame graph: {shown(path)}, from {source}{f' ({why[2:]})' if why else ''}.")


# ---- `sfida profile --compare`: the same searches with the working tree and with an older revision



def _compare(output: Output, game: Game, spec: str, revision: str, seconds: float) -> None:
    from sfida.ai.research.comparing import compare

    found = compare(game, spec, revision, seconds, output.progress if output.live else output.note)
    output.progress("")
    if output.json:
        output.emit(found)
        return
    output.wrapped(Text().append(found["game"], "bold").append(
        f"  {found['agent']}  {found['searches']:,} searches of {found['iterations'] / found['searches']:,.0f} "
        f"iterations (mean), {found['pairs']} pairs, {found['build']} build"))
    output.line()
    output.table(compared(found))
    output.wrapped("Medians of the pairs, one thread, processor time. The last column says how many times as fast the "
                   "working tree is: the median of the pairs, and the least and the most.")
    output.wrapped("Both found the same." if found["same"] else
                   "They found different results: rules, search or knowledge differ, not only the speed.")
    if found["instructions"] is None:
        output.wrapped(f"No instructions: {found['instructions_missing']}.")


def compared(found: Row) -> ScreenTable:
    """Return a comparison as a table."""
    numbers = (found["before"], f"{found['after']} ", "times as fast")      # the labels may be the same
    table = simple_table("", *numbers, right=numbers)
    rows = [("iterations/s", "{:,.0f}", found["iterations_per_s"]),
            *((f"{title}, µs", "{:.2f}", found["step_us"][key]) for title, key, _ in SHARES[:5]),
            *([("instructions", "{:,.0f}", found["instructions"])] if found["instructions"] else [])]
    for title, form, row in rows:
        bounds = f" [{row['range'][0]:.2f}, {row['range'][1]:.2f}]" if "range" in row else ""
        table.add_row(title, form.format(row["before"]), form.format(row["after"]), f"{row['ratio']:.2f}{bounds}")
    return table


def thread_counts(text: str) -> list[int]:
    """Read a list such as "1,2"; raises UsageError."""
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isdecimal() and len(part) < 9 and 1 <= int(part) <= _MOST_THREADS for part in parts):
        raise click.UsageError(f"--threads is a list of whole numbers from 1 to {_MOST_THREADS} such as 1,2, "
                               f"not {quoted(text)}")
    return [int(part) for part in parts]


# ---- `sfida bench`: the speed of the rules

ROWS = (
    ("players", "players", "{:d}"),
    ("games a second", "playouts_per_s", "{:,.0f}"),
    ("moves a game", "moves_per_playout", "{:.1f}"),
    ("time per move", "ns_per_move", "{:,.0f} ns"),
    ("clone", "clone_ns", "{:,.0f} ns"),
    ("legal moves", "legal_moves_ns", "{:,.0f} ns"),
    ("apply", "apply_ns", "{:,.0f} ns"),
    ("determinize", "determinize_ns", "{:,.0f} ns"),
    ("size of a state", "state_bytes", "{:,d} bytes"),
    ("most legal moves", "max_legal", "{:d}"),
)


@click.command("bench")
@click.argument("games", nargs=-1, metavar="[GAME]...")
@click.option("--players", type=Number(int, 1), metavar="N",
              help="Number of players.  [default: the game's]")
@click.option("--seconds", type=Number(float, 0, MOST_SECONDS), default=2.0, metavar="X",
              show_default=True, help="Time to spend on each game.")
@click.option("--signature", is_flag=True,
              help="Print a hash of fixed games instead: it changes when the rules or the search change.")
@json_option
@color_option
@click.pass_context
def bench_command(context: click.Context, games: tuple[str, ...], players: int | None, seconds: float,
            signature: bool, as_json: bool) -> None:
    """Measure the speed of the rules.

    Plays uniformly random moves on one thread and counts processor time.

    \b
    sfida bench
    sfida bench carcassonne carcassonne:river=true --players 4
    sfida bench carcassonne --signature
    """
    from sfida.ai.research import profiling

    output = output_for(context, as_json)
    more = {} if players is None else {"players": players}
    chosen = [make_game(spec, **more) for spec in games or game_names(examples=False)]
    if signature:
        hashes = simple_table("game", "rules version", "signature", right=("rules version",))
        for game in chosen:
            digest = profiling.signature(game)
            if as_json:
                output.emit({"type": "signature", "game": game.spec(), "rules_version": game.rules_version,
                             "hash": digest})
            hashes.add_row(game.spec(), str(game.rules_version), digest)
        if not as_json:
            output.table(hashes)
        return
    measured = []
    for game in chosen:
        found = profiling.bench(game, seconds)
        measured.append(found)
        if as_json:
            output.emit(found)
    if not as_json:
        output.table(measures(ROWS, [found["game"] for found in measured], measured))
