"""Shown numbers and the core's numbers: positions to check, the results of moves, and comparisons of two numbers.

A game's checks are a function of a `Spot`; `number_doors` lists them. They read the texts on a legal move or a chance
event, compute the same numbers by playing it, and raise `Broken` at a difference.
"""

from __future__ import annotations

import math
import random
import re
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from sfida.cython_ext.errors import InvalidOption, SfidaError
from sfida.cython_ext.rng import Random
from sfida.cython_ext.state import GameState
from sfida.engines.registry import game_class, make_game
from sfida.engines.spec import describe
from support.fuzzing.case import Broken, Case

SAMPLES = 10_000            # sampled games if there are too many continuations to list
MOST_ENDS = 20_000          # maximum number of listed positions; with more, samples are drawn instead
MOST_EVENTS = 700           # maximum number of events of the game from which positions are taken
_SIGMAS = 5.0               # standard errors by which a sample may differ
_FILES = ("map", "objectives")          # options that name a file
_NUMBER = re.compile(r"[-+]?\d+(?:\.\d+)?")


@dataclass(frozen=True)
class Spot:
    """A position of a game with shown numbers: a decision, a chance event or the end."""

    case: Case
    state: GameState

    @property
    def game(self) -> Any:
        """The engine of the game."""
        return self.state.game

    @property
    def rng(self) -> random.Random:
        """The source of the case's choices."""
        return self.case.rng

    def moves(self, most: int) -> list[int]:
        """Return legal moves, or outcomes of a chance event: all of them, or a random choice of `most`."""
        moves = list(self.state.legal_moves())
        return moves if len(moves) <= most else sorted(self.rng.sample(moves, most))

    def after(self, move: int) -> GameState:
        """Return the position after a move."""
        state = self.state.clone()
        state.apply(move)
        return state

    def words(self, move: int) -> str:
        """Return the text on a move in a list: its words and its note."""
        return "; ".join(filter(None, (self.game.describe_move(self.state, move),
                                       self.game.move_note(self.state, move))))

    def fail(self, what: str) -> None:
        """Report a shown number that the core contradicts."""
        raise Broken(f"{self.game.spec()}, {getattr(self.state, 'phase', '')}, seat {self.state.to_move}: {what}")

    def equal(self, what: str, shown: object, true: object) -> None:
        """Compare two values that must be equal."""
        if shown != true:
            self.fail(f"{what}: shown {shown!r}, true {true!r}")

    def check_notes(self, most: int, decode: Callable[[int], Any],
                    checks: Mapping[str, Callable[[Spot, Any, str], None]], unchecked: Collection[str] = ()) -> None:
        """Compare the notes of some legal moves with the moves' effects, by kind; other kinds must have no note."""
        if self.state.to_move < 0:
            return
        for code in self.moves(most):
            note, move = self.game.move_note(self.state, code), decode(code)
            if move.kind in checks:
                checks[move.kind](self, move, note)
            elif move.kind not in unchecked:
                self.equal(f"note of {self.state.format(code)}", note, "")

    def near(self, what: str, shown: float, ends: Ends, value: Callable[[GameState], float], digits: int = 1) -> None:
        """Compare a shown mean, rounded to `digits` decimals, with the mean of a value over all ends of a move."""
        mean, error = ends.mean(value)
        if abs(shown - mean) > 0.5 * 10.0 ** -digits + _SIGMAS * error + 1e-6 * max(1.0, abs(mean)):
            self.fail(f"{what}: shown {shown:g}, true {mean:.{digits + 2}f}"
                      + (f" (within {_SIGMAS * error:.{digits + 2}f})" if error else ""))


# ---- positions --------------------------------------------------------------------------------------


def random_spec(rng: random.Random, name: str) -> str:
    """Return a game spec: a preset and a number of players, and in two of three cases other options, too."""
    described = {option["key"]: option for option in describe(game_class(name).options_class)
                 if option["key"] not in _FILES}
    while True:
        keys = [key for key in ("preset", "players") if key in described]
        if rng.random() < 0.67:
            keys += rng.sample([key for key in described if key not in keys],
                               min(len(described) - len(keys), rng.choice((1, 1, 2, 4))))
        text = ",".join(f"{key}={_value(rng, described[key])}" for key in keys)
        try:
            return str(make_game(f"{name}:{text}" if text else name).spec())
        except InvalidOption:
            continue


def _value(rng: random.Random, option: dict[str, Any]) -> str:
    if "values" in option:
        return str(rng.choice(option["values"])).lower()
    low, high = int(option.get("low", 0)), int(option.get("high", 9))
    return str(rng.choice((low, low + 1, rng.randint(low, min(high, low + 9)), rng.randint(low, min(high, 400)))))


def spots(case: Case, name: str) -> Iterable[Spot]:
    """Play a game with random options; yield one position of each phase that occurred, and the last position."""
    rng = case.rng
    spec = random_spec(rng, name)
    case.note(spec)
    state = make_game(spec).initial_state()
    luck, style = Random(rng.getrandbits(32)), rng.choice(("candidates", "legal", "greedy", "greedy", "mixed"))
    most = rng.randrange(1, MOST_EVENTS)
    kept: dict[str, tuple[int, GameState]] = {}
    for _event in range(most):
        phase = str(getattr(state, "phase", state.to_move))
        seen = kept[phase][0] + 1 if phase in kept else 1
        if rng.random() < 1.0 / seen:
            kept[phase] = seen, state.clone()
        else:
            kept[phase] = seen, kept[phase][1]
        if state.is_over:
            break
        state.apply(state.sample_chance(luck) if state.is_chance else _choice(rng, state, style))
    kept["the last one"] = 1, state
    for phase, (_count, found) in kept.items():
        case.note(phase)
        yield Spot(case, found)


def _choice(rng: random.Random, state: GameState, style: str) -> int:
    """Return a move: a random one of all or of those worth searching, or the one with the highest prior."""
    if style == "mixed":
        style = rng.choice(("candidates", "legal", "greedy"))
    if style == "greedy" and state.has_priors:
        return max(state.move_priors(), key=lambda each: each[1])[0]
    return rng.choice(state.legal_moves() if style == "legal" else state.candidate_moves())


# ---- the ends of a move -----------------------------------------------------------------------------


@dataclass(frozen=True)
class Ends:
    """The end positions of a move with their probabilities, or samples of equal weight."""

    found: tuple[tuple[float, GameState], ...]
    sampled: bool

    def mean(self, value: Callable[[GameState], float]) -> tuple[float, float]:
        """Return the mean of a value, and its standard error, which is 0 if every end is listed."""
        values = [(chance, value(state)) for chance, state in self.found]
        mean = math.fsum(chance * x for chance, x in values)
        if not self.sampled:
            return mean, 0.0
        spread = math.fsum(chance * (x - mean) ** 2 for chance, x in values)
        return mean, math.sqrt((spread + 1.0 / len(values)) / len(values))

    def chance(self, holds: Callable[[GameState], bool]) -> tuple[float, float]:
        """Return the probability of a condition, and its standard error."""
        return self.mean(lambda state: float(holds(state)))


def ends_of(state: GameState, move: int, done: Callable[[GameState], bool], choose: Callable[[GameState], int],
            seed: int, alike: Callable[[GameState], Hashable] = GameState.to_bytes) -> Ends:
    """Play a move and continue until `done`: chance events branch to every outcome, `choose` makes decisions.

    Parameters
    ----------
    state : GameState
    move : int
    done : callable
        Returns whether a position is an end; the end of the game always is one.
    choose : callable
        Returns the move of a seat that has to decide on the way.
    seed : int
        Seed of the samples, if there are too many continuations.
    alike : callable
        Positions with equal values of this function are merged, on the way and at the end.
    """
    first = state.clone()
    first.apply(move)
    front: dict[Hashable, tuple[float, GameState]] = {alike(first): (1.0, first)}
    found: dict[Hashable, tuple[float, GameState]] = {}
    while front:
        coming: dict[Hashable, tuple[float, GameState]] = {}
        for chance, at in front.values():
            if at.is_over or done(at):
                _merge(found, alike(at), chance, at)
                continue
            outcomes = at.chance_outcomes() if at.is_chance else [(choose(at), 1)]
            total = sum(weight for _code, weight in outcomes)
            for code, weight in outcomes:
                after = at.clone()
                after.apply(code)
                _merge(coming, alike(after), chance * weight / total, after)
        front = coming
        if len(front) + len(found) > MOST_ENDS:
            return _sampled(first, done, choose, Random(seed))
    return Ends(tuple(found.values()), sampled=False)


def _merge(into: dict[Hashable, tuple[float, GameState]], key: Hashable, chance: float, state: GameState) -> None:
    into[key] = (into[key][0] + chance, into[key][1]) if key in into else (chance, state)


def _sampled(first: GameState, done: Callable[[GameState], bool], choose: Callable[[GameState], int],
             rng: Random) -> Ends:
    found = []
    for _ in range(SAMPLES):
        at = first.clone()
        while not (at.is_over or done(at)):
            at.apply(at.sample_chance(rng) if at.is_chance else choose(at))
        found.append((1.0 / SAMPLES, at))
    return Ends(tuple(found), sampled=True)


# ---- shown numbers ----------------------------------------------------------------------------------


def numbers_in(text: str) -> list[float]:
    """Return the numbers of a text, in order."""
    return [float(found) for found in _NUMBER.findall(text)]


def number_at(pattern: str, text: str) -> float | None:
    """Return the number in the first group of a pattern; None if the text does not match."""
    found = re.search(pattern, text)
    return None if found is None else float(found[1].replace(",", ""))


def refused(state: GameState, move: int) -> bool:
    """Return whether the core refuses a move."""
    try:
        state.clone().apply(move)
    except SfidaError:
        return True
    return False
