"""What the command line says of levels: against which one `level:auto` plays, how each game's were found."""

from __future__ import annotations

from typing import Any

from sfida.ai.levels.agent import level_text
from sfida.ai.levels.ladder import LEVELS
from sfida.ai.levels.person import UNCOUNTED, damage, rated_level, remember_table, remembered
from sfida.ai.levels.scale import Scale, scale_of
from sfida.ai.table import Table
from sfida.cli.games import two_columns
from sfida.cli.output import Output
from sfida.cli.text import Text
from sfida.cython_ext.errors import InvalidRecord
from sfida.engines.language import _
from sfida.engines.registry import describe_game, game_names, make_game
from sfida.engines.wording import counted


def tell_level(table: Table, screen: Output) -> None:
    """Say which level follows the person at a table, and by how many games, if one does, and what does not count."""
    if table.unrated and rated_level(table) is not None:
        screen.note(_(UNCOUNTED))
    following = [seat for seat in table.seats if seat.follows_person]
    if not following:
        return
    games, damaged = remembered()
    if damaged:
        screen.complain(damage(damaged))
    known = sum(game.name == table.game.name for game in games)
    said = (_("level:auto plays at level {level} of {levels}, by {games} of yours.") if known else
            _("level:auto plays at level {level} of {levels}, a first guess."))
    screen.note(said.format(level=level_text(following[0].level or 0.0), levels=LEVELS,
                            games=counted(known, "game", "games")))


def keep_result(table: Table, share: float, screen: Output) -> None:
    """Add a game to the record of the person; say so if that fails, or if it counts already."""
    try:
        if not remember_table(table, share) and rated_level(table) is not None and not table.unrated:
            screen.note(_("This game counts for your level already, by how it ended first."))
    except InvalidRecord as error:
        screen.complain(str(error))


def known_levels() -> list[dict[str, Any]]:
    """Return how the levels of every game were found, as JSON-able data."""
    found = []
    for name in game_names():
        for players in describe_game(name)["players"]:
            scale = scale_of(make_game(name, players=players) if len(describe_game(name)["players"]) > 1
                             else make_game(name))
            found.append({"game": name, "players": players, **described(scale)})
    return found


def described(scale: Scale) -> dict[str, Any]:
    """Return the levels of a game as JSON-able data."""
    rows = []
    for level, (strength, rating) in enumerate(zip(scale.strengths, scale.ratings, strict=True), start=1):
        step = None if scale.fit is None or level == 1 else scale.fit.steps[level - 2]
        rows.append({"level": level, **vars(strength), "elo": rating, "step": None if step is None else vars(step)})
    fit = scale.fit
    return {"fitted": None if fit is None else {"date": str(fit.date), "version": fit.version, "games": fit.games,
                                               "span": fit.span}, "levels": rows}


def show_levels(output: Output) -> None:
    """Print how the levels of every game were found."""
    rows, unfitted = [], []
    for entry in known_levels():
        name = f"{entry['game']}, {entry['players']} players"
        if entry["fitted"] is None:
            unfitted.append(name)
            continue
        steps = [row["step"] for row in entry["levels"][1:]]
        beyond = [row["level"] for row in entry["levels"][1:] if row["step"]["extrapolated"]]
        elos, wide = [step["elo"] for step in steps], max((step["high"] - step["low"]) / 2 for step in steps)
        rows.append((Text(name, "bold cyan"), Text(
            f"steps of {_range(elos)} Elo (95 %: ± {wide:.0f} at most), fitted "
            f"{entry['fitted']['date']} with Sfida {entry['fitted']['version']}, {entry['fitted']['games']:,} games"
            + (f"; from level {beyond[0]} on extrapolated" if beyond else ""))))
    output.line("How far each level is above the one below, by game:", "bold")
    two_columns(output, rows)
    if unfitted:
        output.wrapped(Text("Not fitted, a general formula for all games: " + "; ".join(unfitted), "dim"))


def _range(elos: list[float]) -> str:
    low, high = f"{min(elos):.0f}", f"{max(elos):.0f}"
    return low if low == high else f"{low} to {high}"
