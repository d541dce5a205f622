"""Plays the games of a study by tournaments, and studies what their stores hold."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from sfida.ai.arena.progress import Progress
from sfida.ai.arena.store import Store, is_vacant
from sfida.ai.arena.tally import Tally
from sfida.ai.arena.tournament import Tournament
from sfida.ai.registry import agent as make_agent
from sfida.ai.seat import Seat
from sfida.ai.study.clear import FEWEST, first_shares, is_clear
from sfida.ai.study.study import Study, check_luck, study_of
from sfida.ai.study.variants import Variant
from sfida.cython_ext.errors import InvalidRecord
from sfida.engines.spec import by_contents, changes, contents_of, shown

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
