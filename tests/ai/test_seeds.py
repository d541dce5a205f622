"""Seeds: an agent's seed reveals nothing about the luck, the other seats or the root."""

from __future__ import annotations

import functools
import hashlib
import itertools
import json
import operator
import secrets
import shlex
import sys
from pathlib import Path

import numpy as np
import pytest

import sfida
from sfida.ai import chance
from sfida.ai.agent import NamedAgent
from sfida.ai.arena.schedule import Schedule, Setup
from sfida.ai.chance import LARGEST_SEED, fresh_seed

BOT = Path(__file__).resolve().parents[2] / "docs" / "example_bot.py"

# The functions of all seeds of a game or tournament, with the number of their indices.
OF_A_GAME = {chance.luck_seed: 2, chance.decision_seed: 2, chance.advice_seed: 2}
OF_A_TOURNAMENT = {chance.game_seed: 2, chance.block_seed: 1, chance.lineup_seed: 2, chance.bootstrap_seed: 0,
                   chance.forecast_seed: 0}


class Spy(NamedAgent):
    """Plays the first move, and keeps its seeds."""

    name = "spy"

    def __init__(self) -> None:
        super().__init__()
        self.given: list[int] = []

    def choose(self, view):
        self.given.append(self.seed)
        return view.legal_moves()[0]


def test_a_fresh_root_fills_128_bits():
    """A drawn bit is 0, or 1, in all of 64 roots with a probability of 2 ** -64."""
    roots = [fresh_seed() for _ in range(64)]
    assert functools.reduce(operator.or_, roots) == LARGEST_SEED
    assert functools.reduce(operator.and_, roots) == 0
    assert sfida.play("tic_tac_toe", ["random", "random"]).seed.bit_length() > 64
    assert Schedule(Setup("g", 1, 2, ("a", "b"), 2, fresh_seed())).game_seed(0, 0).bit_length() > 64


def test_no_seed_of_one_domain_is_one_of_another():
    given = [of(7, *place) for of, words in {**OF_A_GAME, **OF_A_TOURNAMENT}.items()
             for place in itertools.product(range(6), repeat=words)]
    assert len({seed % 2**64 for seed in given}) == len(given)


def test_a_seed_of_an_agent_as_root_gives_no_luck():
    """No seed that an agent derives from its own seed by our functions equals a seed that it was not given."""
    root = fresh_seed()
    secret = {chance.luck_seed(root, source, number) for source in range(4) for number in range(100)}
    secret |= {chance.decision_seed(root, 1, ply) for ply in range(100)} | {root}
    own = [chance.decision_seed(root, 0, ply) for ply in range(20)]
    derived = {of(seed, *place) % 2**64 for seed in own for of, words in OF_A_GAME.items()
               for place in itertools.product(range(20), repeat=words)}
    assert not secret & (derived | set(own))


def test_neighbouring_roots_and_places_have_nothing_in_common():
    """About half of the bits differ; the bound is five standard deviations of 64 x 400 fair bits."""
    pairs = [(chance.luck_seed(root, 0, k), other) for root in range(20) for k in range(10)
             for other in (chance.luck_seed(root + 1, 0, k), chance.luck_seed(root, 0, k + 1))]
    flips = sum((a ^ b).bit_count() for a, b in pairs)
    assert abs(flips - 32 * len(pairs)) < 5 * np.sqrt(64 * len(pairs)) / 2


def test_a_root_of_128_bits_is_not_cut():
    for of, words in {**OF_A_GAME, **OF_A_TOURNAMENT}.items():
        place = (3,) * words
        assert len({of(root, *place) for root in (1, 2**64 + 1, 2**127 + 1)}) == 3
    low, high = (sfida.play("carcassonne", ["random", "random"], seed=seed) for seed in (5, 5 + 2**64))
    assert low.moves != high.moves
    assert sfida.GameRecord.from_json_line(high.to_json_line()).seed == 5 + 2**64


def test_seeds_are_the_same_on_every_machine():
    """The values are fixed here, because records and stores hold games that came from them."""
    assert chance.luck_seed(7, 1, 2) == 12706182815697110800
    assert chance.decision_seed(7, 1, 2) == 10958190236903738500
    assert chance.block_seed(7, 3) == 151143434128845849456035447047784597186
    assert chance.block_seed(2**128 - 7, 3) == 187223166491747189021767530139562854792


def test_trying_typed_roots_of_a_tournament_is_dear(monkeypatch):
    """Each root that people type costs a guesser one run of scrypt; a fresh one, and the games of a block, none."""
    asked: list[int] = []

    def scrypt(password, **options):
        asked.append(options["n"] * options["r"] * 128)
        return hashlib.blake2b(password, digest_size=32).digest()

    monkeypatch.setattr(hashlib, "scrypt", scrypt)
    fresh = secrets.randbits(32)                # random, because the wrong results of this scrypt are cached
    roots = (fresh, 2**63 + fresh, 2**64 - 1 - fresh)
    for root in roots:
        for of, words in OF_A_TOURNAMENT.items():
            of(root, *(0,) * words)
    assert asked == [32 * 2**20] * 3
    for root in (2**64, chance.block_seed(fresh, 0), chance.game_seed(fresh, 0, 0)):
        for of, words in {**OF_A_GAME, **OF_A_TOURNAMENT}.items():
            of(root, *(0,) * words)
    assert len(asked) == 3


def test_agents_are_given_seeds_of_64_bits_and_never_a_root():
    first, second = Spy(), Spy()
    record = sfida.play("leduc_poker", [first, second])
    given = [*first.given, *second.given]
    assert len(set(given)) == len(given)
    assert all(0 <= seed < 2**64 for seed in given)
    assert record.seed not in given


@pytest.mark.parametrize("seed", [None, 7])
def test_programs_are_told_neither_root_nor_luck(seed, tmp_path):
    log = tmp_path / "log"
    bot = shlex.join([sys.executable, "-S", str(BOT)])
    spec = "exec:" + shlex.join(["sh", "-c", f"tee -a {shlex.quote(str(log))} | {bot}"])
    result = sfida.tournament("leduc_poker", [spec, "random"], 4, seed)
    messages = [json.loads(line) for line in log.read_text().splitlines()]
    given = {message["seed"] for message in messages if "seed" in message}
    assert given
    assert all(0 <= one < 2**64 for one in given)
    schedule = Schedule(result.setup)
    lucks = {game.record.extra["chance_seed"] for game in result.outcomes}
    roots = {schedule.game_seed(block, rotation) for block in range(2) for rotation in range(2)}
    draws = {chance.luck_seed(luck, source, number) for luck in lucks for source in range(2) for number in range(20)}
    assert len(lucks) == 2
    secret = lucks | roots | draws | {result.setup.seed}
    parts = {part for number in secret for part in (number, number % 2**64, number >> 64) if part > 2**32}
    assert not parts & {number for message in messages for number in _numbers(message)}


def _numbers(value):
    """Yield every whole number in a message, including those in its texts."""
    if isinstance(value, dict):
        value = [*value.keys(), *value.values()]
    if isinstance(value, list):
        for one in value:
            yield from _numbers(one)
    elif isinstance(value, int):
        yield value
    elif isinstance(value, str) and value.isdigit():
        yield int(value)
