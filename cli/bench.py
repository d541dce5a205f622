"""`sfida bench`: the speed of the rules."""

from __future__ import annotations

import click

from sfida.ai.clock import MOST_SECONDS
from sfida.cli.output import Number, color_option, json_option, measures, output_for, simple_table
from sfida.engines.registry import game_names, make_game

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
def command(context: click.Context, games: tuple[str, ...], players: int | None, seconds: float,
            signature: bool, as_json: bool) -> None:
    """Measure the speed of the rules.

    Plays uniformly random moves on one thread and counts processor time.

    \b
    sfida bench
    sfida bench carcassonne carcassonne:river=true --players 4
    sfida bench carcassonne --signature
    """
    from sfida.ai import benching

    output = output_for(context, as_json)
    more = {} if players is None else {"players": players}
    chosen = [make_game(spec, **more) for spec in games or game_names(examples=False)]
    if signature:
        hashes = simple_table("game", "rules version", "signature", right=("rules version",))
        for game in chosen:
            digest = benching.signature(game)
            if as_json:
                output.emit({"type": "signature", "game": game.spec(), "rules_version": game.rules_version,
                             "hash": digest})
            hashes.add_row(game.spec(), str(game.rules_version), digest)
        if not as_json:
            output.table(hashes)
        return
    measured = []
    for game in chosen:
        found = benching.bench(game, seconds)
        measured.append(found)
        if as_json:
            output.emit(found)
    if not as_json:
        output.table(measures(ROWS, [found["game"] for found in measured], measured))
