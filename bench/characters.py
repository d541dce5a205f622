"""The characters of a game: whether their style shows, and how strong they are beside the plain level."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from bench import command, folder_of, interval, refused
from sfida.ai.arena.outcome import GameOutcome, told
from sfida.ai.arena.standings import lead_of
from sfida.ai.arena.store import Store
from sfida.ai.arena.tournament import Tournament
from sfida.cython_ext.errors import SfidaError
from sfida.cython_ext.rng import derive
from sfida.cython_ext.state import CHANCE
from sfida.engines.characters import FILE, Character, characters
from sfida.engines.game import Game
from sfida.engines.registry import make_game

EVERYTHING = -2                         # the viewer of features to whom nothing is hidden


@dataclass(frozen=True)
class Shown:
    """How much more of its sign a game has from a character than from the plain level, with a 95 % interval."""

    plain: float
    more: float
    low: float
    high: float


@command
def characters_match(game: str, *only: str, level: Annotated[str, "that both sides play at"] = "5",
                     games: Annotated[int, "of each match"] = 400, seed: int = 20265, jobs: int = 1,
                     store: Path | None = None,
                     keep: Annotated[bool, "write the figures to the game's characters.toml"] = False) -> None:
    """Play the characters of a game against the same level without character: strength in Elo, and how the style
    shows. A match takes a few minutes.

    characters-match carcassonne --store DIR               all of them; the same call continues
    characters-match carcassonne farmer --games 100        one of them
    characters-match carcassonne --store DIR --keep        also writes what was found

    Every deal is played from every seat. The sign of a character is the share of its moves that its regular expression
    `sign` matches, or the mean of its `feature` when it is to move. The interval is the 95 % percentile bootstrap over
    games.
    """
    made = make_game(game)
    known = characters(type(made))
    if unknown := [name for name in only if name not in known]:
        raise refused(f"{made.title} has no character '{unknown[0]}'; it has {', '.join(known) or 'none'}")
    with folder_of(store) as folder:
        for name in only or known:
            path = folder / f"{made.name}-{name}-{level}-{known[name].shift:g}-{seed}.sfida"
            planned = Tournament(made, [f"level:{level}/{name}", f"level:{level}"], games, derive(seed, len(name)))
            table = planned.run(path, jobs=jobs, resume=True, backend="loky" if jobs > 1 else "threading")
            if table.forfeits:
                raise SfidaError(f"a match that was forfeited says nothing of its players{told(table.forfeits)}")
            lead, shown = lead_of(table), shown_in(made, known[name], path, seed)
            print(f"{made.name} level:{level}/{name:12} {table.games:5} games  {lead!s:>20} Elo   "
                  f"sign {shown.plain:.3g} {shown.more:+.3g} [{shown.low:+.3g}, {shown.high:+.3g}]", flush=True)
            if keep:
                write(made, name, f"games = {table.games}, elo = {lead.elo:.0f}, low = {lead.low:.0f}, "
                                  f"high = {lead.high:.0f}, plain = {shown.plain:.3g}, more = {shown.more:.3g}, "
                                  f"more_low = {shown.low:.3g}, more_high = {shown.high:.3g}")


def shown_in(game: Game, character: Character, path: Path, seed: int) -> Shown:
    """Return how the sign of a character shows in the games of a store."""
    pairs = []
    with Store.read(path) as store:
        for outcome in store.outcomes():
            sums, counts = [0.0, 0.0], [0, 0]
            for agent, value in signs(game, character, outcome):
                sums[agent] += value
                counts[agent] += 1
            if all(counts):
                pairs.append([total / count for total, count in zip(sums, counts, strict=True)])
    more = [mine - plain for mine, plain in pairs]
    return Shown(sum(plain for _, plain in pairs) / len(pairs), sum(more) / len(more), *interval(more, seed))


def signs(game: Game, character: Character, outcome: GameOutcome) -> Iterator[tuple[int, float]]:
    """Yield (agent, value) for every decision of a game: whether the move is a sign, or the feature of its seat."""
    sign = re.compile(character.sign or "$^")
    state = game.initial_state()
    for move in outcome.record.moves:
        if isinstance(move, str):
            if state.to_move != CHANCE:
                yield outcome.agents[state.to_move], (
                    float(bool(sign.match(move))) if character.feature is None else
                    state.features(state.to_move, EVERYTHING)[character.feature])
            state.apply(state.parse(move))
        else:
            state.apply(move)


def write(game: Game, name: str, figures: str) -> None:
    """Write figures of a character to the file of the game's package, in place of the old ones."""
    path = Path(str(sys.modules[type(game).__module__].__file__)).resolve().with_name(FILE)
    before, head, rest = path.read_text(encoding="utf-8").partition(f"[{name}]\n")
    own, gap, after = rest.partition("\n[")
    lines = [line for line in own.rstrip().splitlines() if not line.startswith("measured")]
    own = "\n".join([*lines, f"measured = {{ {figures} }}", ""])
    path.write_text(before + head + own + gap + after, encoding="utf-8")
