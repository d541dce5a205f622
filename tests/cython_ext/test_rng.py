"""Random streams against the published reference vectors, and bounded draws without bias."""

from __future__ import annotations

import pickle
from collections import Counter
from itertools import permutations

import numpy as np
import pytest

from sfida.cython_ext.rng import Random, derive, splitmix64

MASK = (1 << 64) - 1
GOLDEN_SEEDS = [15793235383387715774, 7434755675892716031, 10336799076134799060,
                10105466160653836544, 14807232188674614782]


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
    """Return a bounded draw as the paper defines it: multiply the upper 32 bits, reject the biased rest."""
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
    """Thirds of [0, 3 * 2**30) come equally often; with a remainder the first third would get half of the draws."""
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


# ---- against a second implementation, in plain Python ---------------------------------------------


def python_splitmix(seed: int, count: int) -> list[int]:
    """SplitMix64 as published (S. Vigna)."""
    out = []
    for _ in range(count):
        seed = (seed + 0x9E3779B97F4A7C15) & MASK
        z = seed
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        out.append(z ^ (z >> 31))
    return out


def python_xoshiro(state: list[int], count: int) -> list[int]:
    """xoshiro256++ as published (D. Blackman and S. Vigna)."""

    def rotl(x: int, k: int) -> int:
        return ((x << k) | (x >> (64 - k))) & MASK

    s = list(state)
    out = []
    for _ in range(count):
        out.append((rotl((s[0] + s[3]) & MASK, 23) + s[0]) & MASK)
        t = (s[1] << 17) & MASK
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= t
        s[3] = rotl(s[3], 45)
    return out


def test_the_second_implementation_gives_the_published_vectors() -> None:
    assert python_splitmix(1234567, 5)[0] == 6457827717110365317
    assert python_splitmix(1234567, 5)[4] == 16408922859458223821
    assert python_xoshiro([1, 2, 3, 4], 10)[:2] == [41943041, 58720359]
    assert python_xoshiro([1, 2, 3, 4], 10)[9] == 10450023813501588000


@pytest.mark.parametrize("seed", [0, 1, 0xDEADBEEF, MASK])
def test_long_streams_agree_with_the_second_implementation(seed: int) -> None:
    assert splitmix64(seed, 2000) == python_splitmix(seed, 2000)
    stream = Random(seed)
    assert [stream.next() for _ in range(2000)] == python_xoshiro(python_splitmix(seed, 4), 2000)


# ---- uniformity -----------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [2, 3, 6, 7, 71, 100])
def test_small_bounded_draws_are_uniform(n: int) -> None:
    """Chi-square exceeds the bound by chance less than once in a million times."""
    stream, draws = Random(1000 + n), 40_000
    counts = Counter(stream.below(n) for _ in range(draws))
    assert set(counts) <= set(range(n))
    square = sum((counts[i] - draws / n) ** 2 / (draws / n) for i in range(n))
    assert square < (n - 1) + 6 * (2 * (n - 1)) ** 0.5 + 20


@pytest.mark.parametrize(("n", "rejected"), [((1 << 31) + 1, 0.5), (3 << 30, 0.25), ((1 << 32) - 1, 0.0),
                                             (1 << 31, 0.0)])
def test_rejection_is_as_frequent_as_it_must_be(n: int, rejected: float) -> None:
    """2**32 mod n of 2**32 words are rejected; the four quarters of the range then come equally often."""
    draws = 20_000
    stream, words = Random(n), Random(n)
    quarters = Counter(stream.below(n) * 4 // n for _ in range(draws))
    used = 0
    while words.state != stream.state and used < 4 * draws:
        words.next()
        used += 1
    assert 1 - draws / used == pytest.approx(rejected, abs=0.02)
    assert max(abs(quarters[i] - draws / 4) for i in range(4)) < 5 * (draws * 3 / 16) ** 0.5


# ---- streams by key -------------------------------------------------------------------------------


def test_derived_seeds_are_the_same_on_every_machine() -> None:
    assert [derive(0), derive(1), derive(7, 1, 2, 3), derive(7, 3, 2, 1), derive(2**70, 5, 0)] == GOLDEN_SEEDS


def test_streams_of_neighbouring_keys_are_independent() -> None:
    """First words of 4,000 pairs of neighbours differ in half of the 64 bits, each bit in half of the pairs.

    The mean of 4,000 numbers of differing bits has a standard deviation of 4 / sqrt(4000) = 0.063.
    """
    pairs = [(derive(7, game, ply), derive(7, game, ply + 1)) for game in range(40) for ply in range(100)]
    bits = [Random(a).next() ^ Random(b).next() for a, b in pairs]
    assert np.mean([x.bit_count() for x in bits]) == pytest.approx(32, abs=5 * 0.063)
    for bit in range(64):
        assert sum(x >> bit & 1 for x in bits) == pytest.approx(2000, abs=6 * 1000**0.5)


def test_the_order_and_number_of_key_words_matter() -> None:
    keys = [(), (0,), (0, 0), (1,), (1, 0), (0, 1), (1, 2), (2, 1), (12,)]
    assert len({derive(7, *key) for key in keys}) == len(keys)
    assert derive(7, 1) != derive(8, 1)
