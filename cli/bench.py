"""`sfida bench`: how fast the rules are."""

from __future__ import annotations

import click

from sfida.cli.output import Number, color_option, json_option, number, output_for, simple_table
from sfida.engines.registry import game_names, make_game

NUMBERS = ("players", "games/s", "moves", "ns/move", "clone", "legal", "apply", "determinize", "bytes",
           "max legal")
NANOSECONDS = ("ns_per_move", "clone_ns", "legal_moves_ns", "apply_ns", "determinize_ns")


@click.command("bench")
@click.argument("games", nargs=-1, metavar="[GAME]...")
@click.option("--players", type=Number(int, 1), metavar="N",
              help="Number of players.  [default: the game's]")
@click.option("--seconds", type=Number(float, 0), default=2.0, metavar="X",
              show_default=True, help="Time a game.")
@click.option("--signature", is_flag=True,
              help="Instead, a hash of fixed games: it changes when the rules or the search do.")
@json_option
@color_option
@click.pass_context
def command(context: click.Context, games: tuple[str, ...], players: int | None, seconds: float,
            signature: bool, as_json: bool) -> None:
    """Measure the rules: uniformly random play, one thread, processor time.

    \b
    sfida bench
    sfida bench carcassonne carcassonne:river=true --players 4
    sfida bench carcassonne --signature
    """
    from sfida.ai import benching

    output = output_for(context, as_json)
    more = {} if players is None else {"players": players}
    chosen = [make_game(spec, **more) for spec in games or game_names(examples=False)]
    table = (simple_table("game", "rules", "signature", right=("rules",)) if signature else
             simple_table("game", *NUMBERS, right=NUMBERS))
    for game in chosen:
        if signature:
            found = {"type": "signature", "game": game.spec(), "rules_version": game.rules_version,
                     "hash": benching.signature(game)}
            cells = [game.spec(), str(game.rules_version), found["hash"]]
        else:
            found = benching.bench(game, seconds)
            cells = [game.spec(), str(game.players), f"{found['playouts_per_s']:,.0f}",
                     f"{found['moves_per_playout']:.1f}", *(f"{found[key]:,.0f}" for key in NANOSECONDS),
                     number(found["state_bytes"]), number(found["max_legal"])]
        if as_json:
            output.emit(found)
        table.add_row(*map(str, cells))
    if not as_json:
        output.table(table)
        if not signature:
            output.line("Times in nanoseconds of processor time.", "dim")
