"""Learning an evaluation from games without search, by TD(lambda): the recipe for games that list sparse inputs.

Games come in chunks. In each, all seats look one move ahead with the network as it is, and draw a move by a softmax of
the win shares; then the network learns from the chunk's positions, once. The temperature and the rate of learning fall
as the training goes on. Games, positions and batches have fixed numbers, so any number of threads learns the same.

References
----------
G. Tesauro, "Temporal difference learning and TD-Gammon" (1995).
"""

from __future__ import annotations

import io
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any

import joblib
import numpy as np
from numpy.typing import NDArray

from sfida.ai.research.batch import batch
from sfida.ai.research.profiling import sample_decisions
from sfida.ai.research.training.fitting import LIMIT, STEPS, Adam, FeatureScale
from sfida.cython_ext.errors import InvalidRecord
from sfida.cython_ext.learned import PY_MOST_ACTIVE as MOST_ACTIVE
from sfida.cython_ext.learned import Learned, pack
from sfida.cython_ext.learning import Gradient, SelfPlay, numbers
from sfida.cython_ext.rng import derive
from sfida.engines.files import write_whole
from sfida.engines.game import Game

Floats = NDArray[np.float32]

_PART = 32                      # games that a thread plays before it takes more
_SCALED = 200                   # games of `greedy` that show how much features vary
_CHECKED = 512                  # positions at which whole numbers are compared
_KEPT_EVERY = 60.0              # seconds between two checkpoints
_ONE = 1024                     # scale of a hidden unit in whole numbers
_WEIGHT_BITS = 11               # bits of a sparse input's weight in whole numbers, without its sign


@dataclass(frozen=True)
class SelfPlayOptions:
    """Options of learning from games without search.

    Attributes
    ----------
    games : int
    hidden, second : int
        Units of the two layers.
    tried : int
        Most moves that a seat tries.
    hottest, coolest : float
        Temperature of the choice of moves, in win shares, at the start and at the end.
    trace : float
        Lambda.
    kept : float
        Share of the positions that are learned from.
    rate : float
        Rate of `Adam` in the first half; then it falls to nearly nothing.
    chunk : int
        Games between two changes of the network.
    batch : int
        Positions per step.
    """

    games: int = 1_000_000
    hidden: int = 64
    second: int = 16
    tried: int = 12
    hottest: float = 0.05
    coolest: float = 0.01
    trace: float = 0.9
    kept: float = 0.2
    rate: float = 0.001
    chunk: int = 512
    batch: int = 512


@dataclass(frozen=True)
class SelfPlayFit:
    """A network learned from games without search.

    Attributes
    ----------
    network : float32 array
        Its numbers, as `cython_ext.learning` orders them.
    scale : FeatureScale
    games, positions : int
        What it learned from.
    hours : float
        Time that this took, pauses left out.
    curve : tuple of (int, float)
        After so many games, the mean cross entropy of the latest positions, in nats.
    """

    network: Floats
    scale: FeatureScale
    games: int
    positions: int
    hours: float
    curve: tuple[tuple[int, float], ...]

    def to_json(self) -> dict[str, Any]:
        """Return the part of the output of ``sfida train --json`` that describes it."""
        return {"positions": self.positions, "curve": [list(point) for point in self.curve]}


def learn(game: Game, options: SelfPlayOptions, seed: int, path: Path, threads: int = 1,
          on_games: Callable[[int, int], object] | None = None) -> SelfPlayFit:
    """Play games and learn from them; a checkpoint lets an interrupted training continue.

    Parameters
    ----------
    game : Game
        A game that lists sparse inputs.
    options : SelfPlayOptions
    seed : int
    path : Path
        File of the checkpoint, which is also the result.
    threads : int
        They do not change the result.
    on_games : callable, optional
        Called with the number of games played, and of all games.

    Raises
    ------
    InvalidRecord
        If the checkpoint belongs to other options, or no game had a position to learn from.
    KeyboardInterrupt
        At Ctrl-C; the latest checkpoint is kept.
    """
    learner = _Learner(game, options, seed, path, threads)
    saved, held = time.monotonic(), learner.snapshot()
    try:
        while learner.games < options.games:
            learner.advance()
            held = learner.snapshot()               # an interruption in the middle of a chunk leaves it alone
            if on_games is not None:
                on_games(learner.games, options.games)
            if time.monotonic() - saved > _KEPT_EVERY:
                _write(path, held)
                saved = time.monotonic()
    finally:
        _write(path, held)
    return learner.result()


def _write(path: Path, held: dict[str, Any]) -> None:
    """Write a checkpoint, completely or not at all."""
    file = io.BytesIO()
    np.savez(file, **held)
    write_whole(path, file.getvalue())


class _Learner:
    """A network that is being learned.

    Attributes
    ----------
    games : int
        Games learned from so far.
    """

    def __init__(self, game: Game, options: SelfPlayOptions, seed: int, path: Path, threads: int) -> None:
        self._start = game.initial_state()
        self._start.set_knowledge(None)
        self._options, self._seed, self._threads = options, seed, threads
        self._gradient = Gradient(self._start, options.hidden, options.second)
        self._symmetries = symmetries(game)
        self._idle: SimpleQueue[SelfPlay] = SimpleQueue()
        self._key = repr((game.spec(), options, seed, self._start.input_names, self._start.feature_names))
        self.games = self._positions = 0
        self._seconds = 0.0
        self._curve: list[tuple[int, float]] = []
        self._adam = Adam()
        if path.exists():
            self._load(path)
            return
        played = batch(game, ["greedy"] * game.players, _SCALED, seed=derive(seed, 0), features=True)
        self._scale = FeatureScale.of(played.features.astype(np.float32))
        self._network = self._first()
        assert len(self._network) == numbers(self._start, options.hidden, options.second)

    def advance(self) -> None:
        """Play a chunk of games and learn from it."""
        began = time.monotonic()
        options, first = self._options, self.games
        last = min(first + options.chunk, options.games)
        done = first / options.games
        heat = options.hottest * (1 - done) + options.coolest * done
        parts = [range(low, min(low + _PART, last)) for low in range(first, last, _PART)]
        if self._threads == 1:
            played = [self._play(part, heat) for part in parts]
        else:
            played = joblib.Parallel(n_jobs=self._threads, backend="threading", batch_size=1)(
                joblib.delayed(self._play)(part, heat) for part in parts)
        rate = options.rate * min(1.0, 2 * (1 - done) + 0.01)
        self.games = last
        self._fit(_joined(played, self._start.players, self._start.players * len(self._start.feature_names)), rate)
        self._seconds += time.monotonic() - began

    def _play(self, part: range, heat: float) -> dict[str, bytes]:
        options = self._options
        try:
            player = self._idle.get_nowait()
        except Empty:
            player = SelfPlay(self._start, options.hidden, options.second, self._scale.mean, self._scale.gain / STEPS)
        seeds = np.array([derive(self._seed, 2, number) for number in part], np.uint64)
        found: dict[str, bytes] = player.play(self._network, seeds, options.tried, heat, options.trace, options.kept)
        self._idle.put(player)
        return found

    def _fit(self, positions: _Positions, rate: float) -> None:
        """Learn from the positions of a chunk, once, in an order that the seed decides."""
        options, loss, used = self._options, 0.0, 0
        rng = np.random.default_rng(derive(self._seed, 3, self.games))
        order = rng.permutation(len(positions.ends)).astype(np.int32)
        inputs = positions.inputs
        if len(self._symmetries) > 1:
            drawn = rng.integers(len(self._symmetries), size=len(order))
            inputs = self._symmetries[np.repeat(drawn, np.diff(positions.ends, prepend=0)), inputs]
        size = max(1, min(options.batch, len(order)))
        for low in range(0, len(order) - size + 1, size):
            rows = order[low:low + size]
            gradient = np.zeros_like(self._network)
            loss += self._gradient.add(self._network, inputs, positions.ends, positions.dense, positions.targets, rows,
                                       gradient)
            used += len(rows)
            gradient /= np.float32(len(rows))
            self._network += self._adam.steps([self._network], [gradient], rate)[0]
        self._positions += used
        if used:
            self._curve.append((self.games, round(loss / used, 5)))

    def result(self) -> SelfPlayFit:
        """Return what was learned; raises InvalidRecord if no game had a position to learn from."""
        if not self._curve:
            raise InvalidRecord(f"{self.games} games are too few to learn from: play more")
        return SelfPlayFit(self._used(), self._scale, self.games, self._positions, self._seconds / 3600,
                           _thinned(self._curve))

    def _used(self) -> Floats:
        """Return the network with zeros for the sparse inputs that no position had."""
        network, first = self._network.copy(), self._first()
        size = self._start.sparse_inputs * self._options.hidden
        rows, before = (whole[:size].reshape(-1, self._options.hidden) for whole in (network, first))
        rows[(rows == before).all(axis=1)] = 0
        return network

    def _first(self) -> Floats:
        """Return the network before it learned anything."""
        start = self._start
        return fresh(start.sparse_inputs, start.players * len(start.feature_names), start.players, self._options,
                     np.random.default_rng(derive(self._seed, 1)))

    def snapshot(self) -> dict[str, Any]:
        """Return copies of all that a checkpoint holds."""
        return {"key": self._key, "network": self._network.copy(), "mean": self._scale.mean, "gain": self._scale.gain,
                "games": self.games, "positions": self._positions, "seconds": self._seconds, "curve": list(self._curve),
                **{name: array.copy() for name, array in self._adam.arrays().items()}}

    def _load(self, path: Path) -> None:
        with np.load(path) as held:
            if str(held["key"]) != self._key:
                raise InvalidRecord(f"'{path}' belongs to a training with other options: name another --folder")
            self._network = held["network"]
            self._scale = FeatureScale(held["mean"], held["gain"])
            self.games, self._positions = int(held["games"]), int(held["positions"])
            self._seconds = float(held["seconds"])
            self._curve = [(int(games), float(loss)) for games, loss in held["curve"]]
            self._adam.restore(held)


@dataclass(frozen=True)
class _Positions:
    """Positions of a chunk, in the order of their games."""

    inputs: NDArray[np.uint16]
    ends: NDArray[np.int32]
    dense: Floats
    targets: Floats


def _joined(parts: list[dict[str, bytes]], seats: int, dense: int) -> _Positions:
    """Join the positions of all parts; the ends of each part count from its own start."""
    ends, listed = [], 0
    for part in parts:
        here = np.frombuffer(part["ends"], np.int32)
        ends.append(here + np.int32(listed))
        listed += len(part["inputs"]) // 2
    return _Positions(np.frombuffer(b"".join(part["inputs"] for part in parts), np.uint16),
                      np.concatenate(ends).astype(np.int32),
                      np.frombuffer(b"".join(part["dense"] for part in parts), np.float32).reshape(-1, dense),
                      np.frombuffer(b"".join(part["targets"] for part in parts), np.float32).reshape(-1, seats))


def _thinned(curve: list[tuple[int, float]], points: int = 40) -> tuple[tuple[int, float], ...]:
    """Return means over equal parts of a curve."""
    parts = [part for part in np.array_split(np.array(curve).reshape(-1, 2), points) if len(part)]
    return tuple((int(part[-1, 0]), round(float(part[:, 1].mean()), 4)) for part in parts)


def symmetries(game: Game) -> NDArray[np.uint16]:
    """Return for each symmetry of a game, the identity first, and each sparse input the one that takes its place."""
    start = game.initial_state()
    groups = [(name, int(size)) for name, size in (group.split(":") for group in start.input_names)]
    # those of a seat come first, once for each seat, then those of the table
    of_seat = (start.sparse_inputs - sum(size for _, size in groups)) // (game.players - 1)
    named = game.input_symmetries()
    found = np.tile(np.arange(start.sparse_inputs, dtype=np.uint16), (1 + len(named), 1))
    for row, symmetry in zip(found[1:], named, strict=True):
        at = 0
        for name, size in groups:
            if name in symmetry:
                for seat in range(game.players if at < of_seat else 1):
                    first = seat * of_seat + at if at < of_seat else at + (game.players - 1) * of_seat
                    row[first:first + size] = first + np.array(symmetry[name])
            at += size
    return found


# ---- The numbers of a network

def shapes(inputs: int, dense: int, seats: int, options: SelfPlayOptions) -> dict[str, tuple[int, ...]]:
    """Return the parts of a network in their order, with their shapes (`cython_ext.learning`)."""
    return {"W1": (inputs, options.hidden), "D1": (dense, options.hidden), "b1": (options.hidden,),
            "W2": (options.hidden, options.second), "b2": (options.second,), "W3": (options.second, seats),
            "L": (dense, seats), "b3": (seats,)}


def fresh(inputs: int, dense: int, seats: int, options: SelfPlayOptions, rng: np.random.Generator) -> Floats:
    """Return the numbers of a network that gives all seats equal shares, with different hidden units."""
    spread = {"W1": 0.03, "D1": 0.3 / np.sqrt(dense), "W2": 1 / np.sqrt(options.hidden)}
    parts = []
    for name, shape in shapes(inputs, dense, seats, options).items():
        if name in spread:
            parts.append(rng.normal(0.0, spread[name], shape).ravel())
        else:
            parts.append(rng.uniform(0.2, 0.8, shape) if name in ("b1", "b2") else np.zeros(shape).ravel())
    return np.concatenate(parts).astype(np.float32)


def quantised_wide(found: SelfPlayFit, inputs: int, seats: int, options: SelfPlayOptions) -> dict[str, Any]:
    """Return a network as a table for `Learned`, in the finest steps whose sums fit into whole numbers.

    Raises
    ------
    InvalidRecord
        If a weight is too large.
    """
    dense, at, part = seats * len(found.scale.mean), 0, {}
    for name, shape in shapes(inputs, dense, seats, options).items():
        part[name] = found.network[at:at + int(np.prod(shape))].reshape(shape).astype(np.float64)
        at += part[name].size
    for s1 in range(10, -1, -1):
        one = _ONE * 2.0 ** s1
        first, start = np.rint(part["D1"] * one / STEPS), np.rint(part["b1"] * one) + (1 << s1 >> 1)
        shift = max(0, int(np.ceil(np.log2(np.abs(part["W1"]).max() * one + 1))) - _WEIGHT_BITS)
        sparse = np.rint(part["W1"] * one / 2.0 ** shift)
        most = np.minimum(np.abs(sparse).sum(axis=0), np.abs(sparse).max(axis=0) * MOST_ACTIVE) * 2.0 ** shift
        if _fits(first, 15) and _fits(sparse, 15) and _fits(most + LIMIT * np.abs(first).sum(axis=0) + abs(start), 31):
            break
    else:
        raise InvalidRecord("the weights of the network became too large: learn from more games")
    for s2 in range(13, -1, -1):
        between, later = np.rint(part["W2"] * 2.0 ** s2), np.rint(part["b2"] * _ONE * 2.0 ** s2) + (1 << s2 >> 1)
        if _fits(between, 15) and _fits((_ONE - 1) * np.abs(between).sum(axis=0) + np.abs(later), 31):
            break
    else:
        raise InvalidRecord("the weights of the network became too large: learn from more games")
    for s3 in range(24, -1, -1):
        last = {"W3": part["W3"] * 2.0 ** s3 / _ONE, "L": part["L"] * 2.0 ** s3 / STEPS, "b3": part["b3"] * 2.0 ** s3}
        if all(_fits(np.rint(row), 31) for row in last.values()):
            break
    packed = {"S1": (sparse, "h"), "D1": (first, "h"), "b1": (start, "i"), "W2": (between, "h"), "b2": (later, "i"),
              **{name: (np.rint(row), "i") for name, row in last.items()}}
    return {"mean": found.scale.mean.tolist(), "gain": found.scale.gain.tolist(), "inputs": inputs,
            "hidden": options.hidden, "second": options.second, "shift": shift, "s1": s1, "s2": s2, "s3": s3,
            **{name: pack(row.astype(int).ravel().tolist(), kind) for name, (row, kind) in packed.items()}}


def whole_error(game: Game, options: SelfPlayOptions, found: SelfPlayFit, learned: Learned, seed: int) -> float:
    """Return the largest difference of a win share that whole numbers make, at positions of random games."""
    start = game.initial_state()
    player = SelfPlay(start, options.hidden, options.second, found.scale.mean, found.scale.gain / STEPS)
    return player.largest_error(found.network, learned, sample_decisions(game, _CHECKED, seed))


def _fits(numbers_: NDArray[np.float64], bits: int) -> bool:
    return bool(np.abs(numbers_).max(initial=0) < 2 ** bits)
