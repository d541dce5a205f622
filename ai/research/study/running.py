"""Plays the games of a study by tournaments, until differences are clear, and studies what their stores hold.

A confidence sequence for a mean by Robbins' normal mixture, with the observed variance (Waudby-Smith and others, 2021,
arXiv 2103.06476): the true mean lies within all intervals, of any length of the series, in 95 % of all cases. So the
study may look as often as it likes, and stop at the first that leaves out 0.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from sfida.ai.arena.bootstrap import Floats, Tally
from sfida.ai.arena.store import Store, is_vacant
from sfida.ai.arena.tournament import Progress, Tournament
from sfida.ai.registry import agent as make_agent
from sfida.ai.research.study.study import Study, check_luck, study_of
from sfida.ai.seat import Seat
from sfida.cython_ext.errors import InvalidOption, InvalidRecord
from sfida.engines.game import Game
from sfida.engines.registry import make_game
from sfida.engines.spec import by_contents, changes, contents_of, quoted, shown

# ---- When is the difference between two games clear: an interval that holds at whatever moment one looks

FEWEST = 30             # blocks before which nothing is clear: the observed variance says little
ALPHA = 0.05
_TIGHTEST = 100         # blocks at which the interval is narrowest for what it promises


def first_shares(tally: Tally) -> Floats:
    """Return what the first seat won in each block beyond an even share, luck-adjusted if luck was measured.

    Blocks with forfeits are NaN: they do not count in a comparison.
    """
    fair = tally.adjusted() if tally.luck is not None else tally
    shares = fair.utility.reshape(tally.blocks, -1, tally.agent.shape[1])[:, :, 0]
    return np.where(tally.forfeited, np.nan, shares.mean(axis=1) - 1 / tally.agent.shape[1])


def is_clear(differences: Floats, comparisons: int = 1) -> bool:
    """Return whether the mean of differences, one for each block, is certainly not 0.

    Parameters
    ----------
    differences : float array of shape (blocks,)
        NaN: the block does not count.
    comparisons : int
        How many such questions are asked at once (Bonferroni).
    """
    differences = differences[~np.isnan(differences)]
    count = len(differences)
    if count < FEWEST:
        return False
    return abs(float(differences.mean())) > half_width(count, float(differences.std(ddof=1)), ALPHA / comparisons)


def half_width(count: int, deviation: float, alpha: float = ALPHA) -> float:
    """Return half the width of the interval after `count` blocks of the given standard deviation."""
    wanted = math.log(1 / alpha ** 2)
    mixing = (wanted + math.log(wanted) + 1) / _TIGHTEST
    spread = count * mixing + 1
    return deviation * math.sqrt(2 * spread / (count ** 2 * mixing) * math.log(math.sqrt(spread) / alpha))


# ---- The games of a study: one, or one for each value of an option


@dataclass(frozen=True)
class Variant:
    """A game that is studied.

    Attributes
    ----------
    name : str
        Such as "preset=second"; "" if there is only one.
    game : Game
    """

    name: str
    game: Game

    def store(self, path: Path) -> Path:
        """Return where its games are kept if a study is kept at `path`: games.sfida, games.preset-second.sfida."""
        if not self.name:
            return path
        return path.with_name(f"{path.stem}.{self.name.replace('=', '-')}{path.suffix}")


def variants_of(game: str | Game, vary: str | None) -> list[Variant]:
    """Return the games of a study.

    Parameters
    ----------
    game : str or Game
    vary : str or None
        ``OPTION=A,B`` with two values or more; the first is what the others are compared with.

    Raises
    ------
    UnknownGame, InvalidOption
    """
    if vary is None:
        return [Variant("", make_game(game))]
    option, equals, values = (part.strip() for part in vary.partition("="))
    listed = [value.strip() for value in values.split(",")]
    if not option or not equals or len(listed) < 2 or not all(listed):
        raise InvalidOption(f"{quoted(vary)} does not say what to vary; right would be OPTION=A,B with two values or "
                            "more")
    found = [Variant(f"{option}={value}", make_game(game, **{option: value})) for value in listed]
    _check_different(found, option)
    return found


def _check_different(variants: Sequence[Variant], option: str) -> None:
    if len({variant.game.spec() for variant in variants}) < len(variants):
        raise InvalidOption(f"two values of '{option}' give the same game")


# ---- Plays the games of a study by tournaments, and studies what their stores hold

AGENTS = ("ismcts:iterations=200", "ismcts:iterations=200", "greedy", "greedy")     # unequal and, in pairs, equal
GAMES = 120
_GROWTH = 1.25          # of the number of blocks between two looks at whether a difference is clear


@dataclass(frozen=True)
class Plan:
    """The games to be played.

    Attributes
    ----------
    variants : sequence of Variant
    agents : tuple of str
    games : int
        Of each variant, at most.
    seed : int
    until_clear : bool
        Stop as soon as it is clear what each value does to the share of the first seat.
    """

    variants: Sequence[Variant]
    agents: tuple[str, ...]
    games: int
    seed: int
    until_clear: bool = False

    def tournament(self, variant: Variant, games: int) -> Tournament:
        """Return the tournament of a variant; raises InvalidOption if there is no luck in the game."""
        check_luck(variant.game)
        return Tournament(variant.game, self.agents, games, self.seed, adjusted=True)


def play(plan: Plan, store: Path, *, jobs: int = 1, resume: bool = False,
         on_progress: Callable[[Progress], object] | None = None) -> bool:
    """Play the games that are missing; return whether it stopped early because all differences are clear.

    Parameters
    ----------
    plan : Plan
    store : Path
        Where the games of each variant are kept, see `Variant.store`.
    jobs, resume, on_progress
        As of `Tournament.run`.
    """
    paths = [variant.store(store) for variant in plan.variants]
    for variant in plan.variants:
        plan.tournament(variant, plan.games)            # refuses what cannot be played before anything is
    held = [_held(path) if resume else 0 for path in paths]
    blocks = float(FEWEST) if plan.until_clear else float("inf")
    while True:
        whole = True
        for number, (variant, path) in enumerate(zip(plan.variants, paths, strict=True)):
            games = max(int(min(plan.games, blocks * variant.game.players)), held[number])
            whole = whole and games >= plan.games
            plan.tournament(variant, games).run(path, jobs=jobs, resume=resume, on_progress=on_progress)
        if whole or (plan.until_clear and all_clear(paths)):
            return not whole
        blocks, resume = _GROWTH * blocks, True


def all_clear(paths: Sequence[Path]) -> bool:
    """Return whether the first seat's share in the first store certainly differs from that in each of the others."""
    shares = []
    for path in paths:
        with Store.read(path, trust_agents=True) as held:
            shares.append(first_shares(Tally.of(held.outcomes(), held.setup.players)))
    count = min(map(len, shares))
    return all(is_clear(other[:count] - shares[0][:count], len(shares) - 1) for other in shares[1:])


def study_all(variants: Sequence[Variant], store: Path, agents: Sequence[str] = (), jobs: int = 1,
              on_progress: Callable[[int, int], object] | None = None) -> list[Study]:
    """Return the study of each variant by the games in its store; `on_progress` as of `study_of`.

    Raises
    ------
    InvalidRecord
        If a store holds another game or, where some are named, other agents; see `study_of`, too.
    """
    found = []
    for variant in variants:
        path = variant.store(store)
        with Store.read(path, trust_agents=True) as held:
            contents = contents_of(variant.game.options, *(Seat(make_agent(agent)).options for agent in agents))
            (game, players), there = held.setup.meaning, dict(held.setup.contents)
            if changed := changes(there, contents):
                raise InvalidRecord(f"{shown(path)}: {changed[0]}")
            if game != by_contents(variant.game.spec(), contents):
                raise InvalidRecord(f"{shown(path)}: holds games of '{held.setup.game}', not of "
                                    f"'{variant.game.spec()}'")
            if agents and players != by_contents(tuple(agents), contents):
                raise InvalidRecord(f"{shown(path)}: its agents are {', '.join(held.setup.agents)}, not "
                                    f"{', '.join(agents)}")
            found.append(study_of(held, variant.game, jobs, on_progress))
    return found


def _held(path: Path) -> int:
    """Return the number of games that the tournament in a store was to have, 0 if there is none."""
    if is_vacant(path):
        return 0
    with Store.read(path, trust_agents=True) as held:
        return held.setup.games
