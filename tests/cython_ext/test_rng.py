"""Random streams against the published reference vectors, and bounded draws without bias."""

from __future__ import annotations

import pickle
from collections import Counter
from itertools import permutations

import numpy as np
import pytest

from sfida.cython_ext.rng import Random, derive, splitmix64

MASK = (1 << 64) - 1


def test_splitmix64_reference() -> None:
    """First outputs for seed 1234567, as printed for the reference C program of S. Vigna."""
    assert splitmix64(1234567, 5) == [6457827717110365317, 3203168211198807973, 9817491932198370423,
                                      4593380528125082431, 16408922859458223821]


def test_xoshiro256plusplus_reference() -> None:
    """Ten outputs from the state (1, 2, 3, 4), made with the reference C program of D. Blackman and S. Vigna."""
    stream = Random.from_state([1, 2, 3, 4])
    assert [stream.next() for _ in range(10)] == [
        41943041, 58720359, 3588806011781223, 3591011842654386, 9228616714210784205,
        9973669472204895162, 14011001112246962877, 12406186145184390807, 15849039046786891736,
        10450023813501588000]


def test_seeding_is_splitmix64() -> None:
    for seed in (0, 1, 42, MASK):
        assert list(Random(seed).state) == splitmix64(seed, 4)


def lemire(stream: Random, n: int) -> int:
    """A bounded draw as the paper writes it: multiply the upper 32 bits, reject the biased rest."""
    while True:
        product = (stream.next() >> 32) * n
        if product & 0xFFFFFFFF >= (1 << 32) % n:
            return product >> 32


@pytest.mark.parametrize("n", [1, 2, 6, 71, 1000, 3 << 30, (1 << 32) - 1])
def test_bounded_draws_follow_the_paper(n: int) -> None:
    """D. Lemire (2019). With n = 3 * 2**30 a quarter of the draws must be rejected to be fair."""
    ours, paper = Random(n), Random(n)
    assert [ours.below(n) for _ in range(500)] == [lemire(paper, n) for _ in range(500)]
    assert ours.state == paper.state


def test_bounded_draws_have_no_modulo_bias() -> None:
    """Thirds of [0, 3 * 2**30) come equally often; taking a remainder would give the first third half of them."""
    stream = Random(7)
    thirds = Counter(stream.below(3 << 30) >> 30 for _ in range(30_000))
    assert set(thirds) == {0, 1, 2}
    assert max(abs(count - 10_000) for count in thirds.values()) < 5 * (30_000 * 2 / 9) ** 0.5


def test_uniform_has_53_bits_below_one() -> None:
    stream, words = Random(5), Random(5)
    for _ in range(1000):
        value = stream.uniform()
        assert value == (words.next() >> 11) / 2**53
        assert 0 <= value < 1


def test_shuffle_is_uniform() -> None:
    stream = Random(11)
    seen: Counter[tuple[int, ...]] = Counter()
    for _ in range(24_000):
        items = [0, 1, 2, 3]
        stream.shuffle(items)
        seen[tuple(items)] += 1
    assert set(seen) == set(permutations(range(4)))
    assert sum((count - 1000) ** 2 / 1000 for count in seen.values()) < 60    # chi-square, 23 degrees, p < 1e-4


def test_weighted_draws() -> None:
    stream = Random(3)
    drawn = Counter(stream.weighted([0, 1, 2, 0, 3]) for _ in range(12_000))
    assert set(drawn) == {1, 2, 4}
    for index, weight in ((1, 1), (2, 2), (4, 3)):
        assert abs(drawn[index] - 2000 * weight) < 5 * (12_000 * weight / 6 * (1 - weight / 6)) ** 0.5


def test_streams_by_key_are_those_of_numpy() -> None:
    for root, key in ((0, ()), (7, (1, 2, 3)), (2**70, (5, 0))):
        expected = np.random.SeedSequence(entropy=root, spawn_key=key).generate_state(1, np.uint64)[0]
        assert derive(root, *key) == int(expected)
    seeds = {derive(7, game, seat, ply) for game in range(5) for seat in range(4) for ply in range(20)}
    assert len(seeds) == 400


def test_pickle_goes_on_where_it_was() -> None:
    stream = Random(9)
    stream.next()
    twin = pickle.loads(pickle.dumps(stream))
    assert [twin.next() for _ in range(5)] == [stream.next() for _ in range(5)]


def test_bad_arguments_are_refused() -> None:
    with pytest.raises(ValueError, match="n >= 1"):
        Random(1).below(0)
    with pytest.raises(ValueError, match="positive total weight"):
        Random(1).weighted([0, 0])
    with pytest.raises(ValueError, match="not all zero"):
        Random.from_state([0, 0, 0, 0])
