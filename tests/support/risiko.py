"""Positions of RisiKo! for tests, written as ``b CIN 10 MOR | g SIA 3 | n *``.

A part begins with the letter of a seat's colour (b g n r v p are the seats 0 to 5). Territories follow, each with its
armies if not one; NA, SA, EU, AF, AS and OC stand for all territories of a continent that are not named elsewhere, and
* for all others.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sfida.cython_ext.risiko.core import RisikoState
from sfida.cython_ext.rng import Random
from sfida.engines.registry import make
from sfida.engines.risiko.game import Risiko
from sfida.engines.risiko.position import Position, SeatPosition
from sfida.engines.risiko.style import card
from sfida.engines.risiko.tables import codes, load_data
from support import playing
from support.playing import legal

LETTERS = "bgnrvp"
BLUE, YELLOW, BLACK, RED, GREEN, PURPLE = range(6)
BASE = [row["id"] for row in load_data()["objective"]]
TOURNAMENT = [row["id"] for row in load_data()["tournament_objective"]]


def start(spec: str = "risiko", **options: Any) -> RisikoState:
    """Return a game at its start."""
    state = make(spec, **options)
    assert isinstance(state, RisikoState)
    return state


def number(code: str) -> int:
    """Return the number of a territory."""
    return codes().index(code)


def lands() -> dict[str, list[int]]:
    """Return the territories of each continent by its code."""
    ids = [row["id"] for row in load_data()["territory"]]
    return {row["code"]: [ids.index(name) for name in row["territories"]] for row in load_data()["continent"]}


def read_board(text: str) -> tuple[list[int], list[int]]:
    """Return owners and armies."""
    owner, armies = [-1] * 42, [0] * 42
    groups: list[tuple[int, list[int], int]] = []
    for part in text.split("|"):
        letter, *words = part.split()
        seat = LETTERS.index(letter)
        for word, after in zip(words, [*words[1:], ""], strict=True):
            if word.isdecimal():
                continue
            count = int(after) if after.isdecimal() else 1
            if word in codes():
                assert owner[number(word)] < 0, f"{word} is named twice"
                owner[number(word)], armies[number(word)] = seat, count
            else:
                groups.append((seat, lands().get(word, list(range(42))), count))
    for seat, group, count in sorted(groups, key=lambda one: len(one[1])):
        for i in group:
            if owner[i] < 0:
                owner[i], armies[i] = seat, count
    assert -1 not in owner, f"nobody owns {codes()[owner.index(-1)]}"
    return owner, armies


def words(text: str) -> list[str]:
    """Return the words of a text, such as the codes of some territories."""
    return text.split()


def cards(text: str) -> list[int]:
    """Return the cards named in a text such as ``ALK QUE J1``."""
    return [card(word) for word in text.split()]


def setup(text: str, *, players: int = 3, options: str = "", hands: Sequence[str] = (), discards: str = "",
          objectives: Sequence[str] = (), cycles: dict[str, int] | None = None, battle: str = "",
          **arranged: Any) -> RisikoState:
    """Return a hand-made position; seat 0 (blue) is on turn in round 5 unless `arranged` says otherwise.

    Parameters
    ----------
    text : str
        Owners and armies of the territories.
    players : int
    options : str
        More options of the game, as in a spec.
    hands : sequence of str
        Cards by seat.
    discards : str
    objectives : sequence of str
        Ids by seat; "" for any other objective, in base play to destroy the next seat.
    cycles : dict of str to int
        Draw cycles of cards.
    battle : str
        Battle such as ``CIN>MOR``, in the phase occupy.
    **arranged
        Further arguments of `RisikoState.arrange`.
    """
    state = start("risiko" + (f":{options}" if options else ""), players=players)
    ids = list(state.rules.objectives)
    named = [*objectives, *[""] * (players - len(objectives))]
    for i in range(players):            # if this objective is available
        prey = f"kill_{state.rules.colors[(i + 1) % players]}"
        named[i] = named[i] or next(one for one in (prey, *reversed(ids)) if one in ids and one not in named)
    chosen = [ids.index(one) for one in named]
    owner, armies = read_board(text)
    if battle:
        arranged["battle"] = tuple(number(code) for code in battle.split(">"))
    state.arrange(owner, armies, hands=[cards(hand) for hand in hands], discards=cards(discards), objectives=chosen,
                  cycles={card(name): cycle for name, cycle in (cycles or {}).items()}, **arranged)
    if not state.is_over:
        state.verify()
    return state


def candidates(state: RisikoState, prefix: str = "") -> set[str]:
    """Return the texts of the moves worth searching that begin with `prefix`."""
    return {text for text in map(state.format, state.candidate_moves()) if text.startswith(prefix)}


def throws(state: RisikoState) -> set[str]:
    """Return the legal single throws."""
    return {text for text in legal(state) if ">" in text and ">>" not in text and not text.startswith("~")}


def position(state: RisikoState, seat: int | None = None) -> Position:
    """Return the position as a seat sees it."""
    game = state.game
    assert isinstance(game, Risiko)
    return game.position(state, seat)


def seat_of(state: RisikoState, seat: int) -> SeatPosition:
    """Return a seat's part of the position, with hidden information."""
    return position(state, seat).seats[seat]


def armies(state: RisikoState, code: str) -> int:
    """Return the armies on a territory."""
    return position(state).armies[number(code)]


def owner(state: RisikoState, code: str) -> int:
    """Return the seat that owns a territory."""
    return position(state).owner[number(code)]


def winner(state: RisikoState) -> int:
    """Return the seat that has fulfilled its objective, or -1."""
    return int(state.snapshot()["winner"])


def excluded(state: RisikoState, seat: int) -> set[str]:
    """Return the objectives that the seat cannot hold, by public information."""
    possible = state.snapshot()["seats"][seat]["possible"]
    return {one for i, one in enumerate(state.rules.objectives) if i not in possible}


def step(state: RisikoState, rng: Random, compact: bool = True) -> int:
    """Play one random chance event or move and return its code; `compact`: only moves worth searching."""
    return playing.step(state, rng, candidates=compact)
