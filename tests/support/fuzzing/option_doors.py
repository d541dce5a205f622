"""The door for pairs of options: every pair is refused in one line, or makes a game that ends with a correct result.

A pair is two options of a game, each with a value; the number of players and the preset are options, too. Case n is
pair n of all pairs, so `len(pairs())` cases cover all pairs. If a pair is not refused,

- it makes the same game in either order, as keywords, and from the game's own spec;
- a random game ends within the bound of its clause, and the shown points agree with ranks and win shares;
- no option loses its effect because of the other, unless its metadata says so (`only_with`): if games on the same luck
  differ with and without the option alone, they must also differ beside the other option.

The door of single options looks for options that have an effect only beside another one.
"""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import itertools
import random
from collections.abc import Mapping
from typing import Any

import numpy as np

import sfida
from sfida.cython_ext.errors import SfidaError
from sfida.cython_ext.state import GameState
from sfida.engines.game import Game
from sfida.engines.registry import ALIASES, game_class, game_names, make_game
from sfida.engines.spec import describe, option_text
from support.fuzzing.case import Broken, Case, Door, check_message

# Values in addition to the ends of a range and their neighbours.
MORE = {"victory_points": (8,), "max_turns": (120,), "army_cap": (60, 130), "round_limit": (15,), "hand_limit": (4,)}
# Values that cut games short or let them continue forever, so that other options cannot show an effect.
EXTREME = {"victory_points": (3, 4), "army_cap": (60000,), "max_turns": (1, 2, 60000, None),
           "round_limit": (0, 1, 10000)}
LONG = 50_000           # number of events from which a game is not replayed in Python
GAMES = 120             # games on the same luck that show whether an option has an effect
OFTEN = 12              # minimum games that differ with the option alone, so that none beside the other is significant
QUIET_GAME = 20_000     # maximum turns of a game of A Few Acres of Snow without a limit


# ---- pairs ------------------------------------------------------------------------------------------


def values_of(name: str) -> dict[str, list[Any]]:
    """Return the options of a game with the values that are tried."""
    found: dict[str, list[Any]] = {}
    for option in describe(game_class(name).options_class):
        key, default = option["key"], option["default"]
        if "values" in option:
            values = list(option["values"])
        elif option["type"] == "bool":
            values = [False, True]
        elif option["type"] == "int" and key == "players":
            values = list(range(option.get("low", default), option.get("high", default) + 1))
        elif option["type"] == "int":
            values = sorted({option["low"], option["low"] + 1, *MORE.get(key, ()), option["high"]})
            values += [None] if option.get("optional") and default is not None else []
        else:
            continue                        # files and boards in words
        found[key] = values
    return found


@functools.cache
def pairs() -> tuple[tuple[str, str, Any, str, Any], ...]:
    """Return all pairs in a mixed order: the name of the game, and two options with their values."""
    names = [*game_names(), *(alias for alias, spec in ALIASES.items() if ":" in spec)]
    found = []
    for name in names:
        for (one, ones), (other, others) in itertools.combinations(values_of(name).items(), 2):
            found += [(name, one, a, other, b) for a in ones for b in others]
    random.Random(1).shuffle(found)
    return tuple(found)


@functools.cache
def singles() -> tuple[tuple[str, str, Any], ...]:
    """Return all values of all options, in a mixed order."""
    found = sorted({(name, key, value) for pair in pairs() for name, key, value in (pair[:3], (pair[0], *pair[3:]))},
                   key=repr)
    random.Random(1).shuffle(found)
    return tuple(found)


def spec_of(name: str, given: Mapping[str, Any]) -> str:
    """Return the spec of a game with options."""
    cls = game_class(name).options_class
    return name + "".join(f"{',' if index else ':'}{key}={option_text(cls, key, value)}"
                          for index, (key, value) in enumerate(given.items()))


# ---- conditions -------------------------------------------------------------------------------------


def built(name: str, given: Mapping[str, Any]) -> Game | None:
    """Return the game, which must not depend on how its options are given; None if it is refused, in one line."""
    swapped = dict(reversed(list(given.items())))
    (first, one), (second, other) = given.items()
    games: list[Game | None] = []
    for make in (lambda: make_game(spec_of(name, given)), lambda: make_game(spec_of(name, swapped)),
                 lambda: make_game(name, **given), lambda: make_game(spec_of(name, {first: one}), **{second: other})):
        try:
            games.append(make())
        except SfidaError as error:
            check_message(error, spec_of(name, given))
            games.append(None)
    game = games[0]
    if any(other != game for other in games):
        raise Broken(f"the order of the options matters: {games}")
    if game is not None and (make_game(game.spec()) != game or make_game(game.spec()).spec() != game.spec()):
        raise Broken(f"{game.spec()!r} is read as {make_game(game.spec()).spec()!r}")
    return game


def check_bound(game: Game, state: GameState) -> None:
    """Refuse an end later than the clause allows, or by a cap that should never be reached."""
    raw: dict[str, Any] = getattr(state, "snapshot", dict)()
    rules: Any = getattr(game, "ruleset", game.options)
    most = {"settlers_of_zarahemla": lambda: raw["turns"] <= rules.max_turns,
            "risiko": lambda: raw["round"] <= min(10_000, (rules.round_limit or 10_000) + 25 * rules.sdadata),
            "a_few_acres_of_snow": lambda: raw["turn"] - 1 <= (rules.max_turns or QUIET_GAME),
            "attila": lambda: "cap" not in raw["ending"]}
    if not most.get(game.name, lambda: state.turn_number < 200)():
        raise Broken(f"the game ended after {state.turn_number} turns")


def check_result(game: Game, state: GameState) -> None:
    """Refuse ranks that contradict win shares, and shown points that contradict ranks."""
    shares, scores, ranks = state.utilities(), state.scores(), state.ranks()
    assert shares is not None
    assert ranks is not None
    winners = {seat for seat, share in enumerate(shares) if share > 1e-9}
    if abs(sum(shares) - 1) > 1e-9 or min(ranks) != 1 or len({round(shares[seat], 9) for seat in winners}) != 1:
        raise Broken(f"shares {shares}, ranks {ranks}")
    drawn = len(winners) == len(shares)             # nobody has won: ranks follow the points (ZAR-14.9)
    if not drawn and winners != {seat for seat, rank in enumerate(ranks) if rank == 1}:
        raise Broken(f"shares {shares}, but ranks {ranks}")
    shows_points = not ((game.name == "risiko" and not game.ruleset.points)           # type: ignore[attr-defined]
                        or game.end_reason(state) in ("siege", "settle") or game.example)
    for one, other in itertools.permutations(range(len(shares)), 2):
        if shows_points and scores[one] > scores[other] and (
                ranks[one] >= ranks[other] or shares[one] < shares[other]):
            raise Broken(f"scores {scores}, but ranks {ranks} and shares {shares}")


def end_of(game: Game, moves: Any) -> GameState:
    """Return the final state of a game, given by its moves."""
    state = game.initial_state()
    for move in moves.tolist():
        state.apply(move)
    return state


# ---- options without effect -------------------------------------------------------------------------


@functools.lru_cache(maxsize=4096)
def played(spec: str, players: int, count: int = GAMES, sight: bool = False) -> tuple[bytes, ...]:
    """Return digests of random games on the same luck; with `sight` they include the seats' observations."""
    games = sfida.batch(spec, ["random"] * players, count, seed=1, observations=sight)
    sights = games.observations.tobytes() if sight else b""
    moves = np.split(games.moves, games.starts[1:-1])
    return tuple(hashlib.blake2b(b"".join((game.tobytes(), *(row.tobytes() for row in ends), sights))).digest()
                 for game, *ends in zip(moves, games.scores, games.shares, strict=True))


def differing(one: str, other: str, players: int) -> int:
    """Return the number of games on the same luck that differ."""
    return sum(a != b for a, b in zip(played(one, players), played(other, players), strict=True))


def says_nothing(game: Game, without: Game) -> bool:
    """Return whether an option repeats the value of the preset or the default."""
    return game == without or getattr(game, "ruleset", game) == getattr(without, "ruleset", without)


def needed(name: str, key: str) -> set[str]:
    """Return the options that an option declares to need for an effect."""
    field = next(field for field in dataclasses.fields(game_class(name).options_class) if field.name == key)
    return {*field.metadata.get("needs", {}), *field.metadata.get("only_with", {})}


def check_alone(name: str, key: str, value: Any) -> None:
    """Refuse an option that has an effect only beside another one, without declaring it."""
    plain = make_game(name)
    try:
        alone = make_game(spec_of(name, {key: value}))
    except SfidaError:
        return
    if says_nothing(alone, plain) or key == "players" or differing(alone.spec(), plain.spec(), alone.players):
        return
    for company, values in values_of(name).items():
        for other in values:
            try:
                without = make_game(spec_of(name, {company: other}))
                game = make_game(spec_of(name, {company: other, key: value}))
            except (SfidaError, KeyError):
                continue
            if company != key and other not in EXTREME.get(company, ()) and company not in needed(name, key) and (
                    differing(game.spec(), without.spec(), game.players) >= GAMES // 3):
                raise Broken(f"{key}={value} has an effect only with {company}={other}")


def check_effect(name: str, given: Mapping[str, Any], key: str) -> None:
    """Refuse an option that loses its effect beside the other one, without declaring it."""
    company = next(other for other in given if other != key)
    if key == "players" or any(value in EXTREME.get(name, ()) for name, value in given.items()):
        return
    if company in needed(name, key):
        return
    try:
        without = make_game(spec_of(name, {company: given[company]}))
        alone, plain = make_game(spec_of(name, {key: given[key]})), make_game(name)
    except SfidaError:
        return                              # one of them is legal only beside the other
    game = make_game(spec_of(name, given))
    if says_nothing(game, without) or says_nothing(alone, plain):
        return
    if differing(alone.spec(), plain.spec(), plain.players) < OFTEN:
        return
    if differing(game.spec(), without.spec(), game.players) == 0 and (
            played(game.spec(), game.players, 4, True) == played(without.spec(), game.players, 4, True)):
        raise Broken(f"{key}={given[key]} has no effect with {company}={given[company]}")


def option_pairs(case: Case) -> None:
    name, one, a, other, b = pairs()[case.number % len(pairs())]
    given = {one: a, other: b}
    case.note(spec_of(name, given))
    game = built(name, given)
    if game is None:
        return
    games = sfida.batch(game, ["random"] * game.players, 1, seed=case.rng.getrandbits(32))
    if len(games.moves) < LONG:
        state = end_of(game, games.moves)
        check_bound(game, state)
        check_result(game, state)
    for key in given:
        check_effect(name, given, key)


def single_options(case: Case) -> None:
    found = singles()
    name, key, value = found[case.number % len(found)]
    case.note(spec_of(name, {key: value}))
    check_alone(name, key, value)


DOORS = (Door("option-pairs", "pairs of options of all games, by number", option_pairs, short=40),
         Door("single-options", "options that have an effect only with others, by number", single_options, 0.04, 4))
