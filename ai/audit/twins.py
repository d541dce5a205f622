"""Twins: histories of a game that a seat cannot tell apart must look the same to it, byte for byte.

A game is played; then something that one seat did not see is changed in it. Either two hidden events change places,
or a hidden event gets another outcome, and the game continues in the same way as far as possible. As long as the seat
saw the same of every event, its view, everything drawn or written from it, and its own moves must be the same.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from sfida.ai.audit.sights import differing, sights_of
from sfida.cython_ext.rng import Random, derive
from sfida.cython_ext.state import GameState
from sfida.cython_ext.twins import Tape
from sfida.engines.faces.rules import Rules

__all__ = ["Difference", "TwinCounts", "twins_of_game"]

INFORMED = (0, 40, 90)      # percent of moves by the game's priors, used in turn by the games
NEAR = 8                    # most hidden events of the same kind between two that change places
PICTURES = 10               # one in this many full comparisons also draws the picture
_SHOWN = 12                 # most bytes and events that a message names


@dataclass(frozen=True)
class Difference:
    """Two histories that a seat could not tell apart, until its views differed.

    Attributes
    ----------
    game : str
        Game spec with the number of players.
    seed, seat, ply : int
        Seed of the game, seat of the view, and the event after which the views differ.
    what : str
        What differs, and the likely cause.
    history, twin : tuple of str
        The events from the first different one on, in the game's notation.
    """

    game: str
    seed: int
    seat: int
    ply: int
    what: str
    history: tuple[str, ...]
    twin: tuple[str, ...]

    def __str__(self) -> str:
        return (f"game '{self.game}', seed {self.seed}, seat {self.seat}, ply {self.ply}: {self.what}; "
                f"played {_listed(self.history)}, its twin {_listed(self.twin)}")


@dataclass
class TwinCounts:
    """What was compared.

    Attributes
    ----------
    games, swaps, outcomes : int
        Games played; twins in which two hidden events changed places; twins in which a hidden event got another
        outcome. Only twins with at least one compared position count.
    positions : int
        Positions of twins whose view was compared with that of the game; if nothing is hidden, positions of the
        game of which every view was compared with the position itself.
    audited : int
        Of these, positions at which everything that the seat is shown was compared, texts included.
    differences : list of Difference
    """

    games: int = 0
    swaps: int = 0
    outcomes: int = 0
    positions: int = 0
    audited: int = 0
    differences: list[Difference] = field(default_factory=list)


def twins_of_game(game: Rules, seed: int, *, twins: int = 20, every: int = 50, plies: int = 2000,
                  counts: TwinCounts | None = None) -> TwinCounts:
    """Play a game, follow twins of it for every seat, and compare.

    Parameters
    ----------
    game : Rules
    seed : int
        Seed of all random choices.
    twins : int
        Twins tried for each seat.
    every : int
        Everything that the seat is shown is compared at one in this many positions on average; 0: nowhere.
    plies : int
        Events after which a game is abandoned.
    counts : TwinCounts, optional
        Counts to add to.

    Returns
    -------
    TwinCounts
        Without `differences` if the game keeps its secrets.
    """
    counts = TwinCounts() if counts is None else counts
    rng = Random(derive(seed, game.players))
    start = game.initial_state()
    tape = Tape(start, rng, plies, INFORMED[seed % len(INFORMED)])
    counts.games += 1
    if not start.hidden:
        _compare_open(game, seed, tape, counts)
        return counts
    for seat in range(game.players):
        alike = tape.hidden_events(seat)
        for _ in range(twins if alike else 0):
            _follow(game, seed, tape, seat, alike, rng, every, counts)
    return counts


def _compare_open(game: Rules, seed: int, tape: Tape, counts: TwinCounts) -> None:
    """Check a game without hidden information, in which every view is the whole position."""
    counts.positions += len(tape.moves)
    for seat in range(game.players):
        closed = tape.count_closed(seat)
        if closed:
            counts.differences.append(Difference(
                game.spec(), seed, seat, len(tape.moves),
                f"nothing is hidden, but {closed} views are not the position", (), ()))


def _follow(game: Rules, seed: int, tape: Tape, seat: int, alike: list[list[int]], rng: Random, every: int,
            counts: TwinCounts) -> None:
    """Make one twin, in one of the two ways, and compare."""
    plies = alike[rng.below(len(alike))]
    at = rng.below(len(plies))
    later = [ply for ply in plies[at + 1:at + 1 + NEAR] if tape.moves[ply] != tape.moves[plies[at]]]
    swapped = later[rng.below(len(later))] if later and rng.below(2) else -1

    def audit(ply: int, twin: GameState) -> list[str] | None:
        counts.audited += 1
        pictures = rng.below(PICTURES) == 0
        names = differing(sights_of(tape.states[ply + 1], seat, pictures=pictures),
                          sights_of(twin, seat, pictures=pictures))
        if _told(tape.states[ply], tape.moves[ply], tape.states[ply + 1], seat) != _told(
                _replayed(tape.states[plies[at]], tape.line[:-1]), tape.line[-1], twin, seat):
            names.append("narration")
        return names or None

    positions, found = tape.twin(seat, plies[at], swapped, rng, every, audit)
    counts.positions += positions
    if positions:
        counts.swaps += swapped >= 0
        counts.outcomes += swapped < 0
    if found is not None:
        counts.differences.append(_difference(game, seed, tape, seat, plies[at], found))


def _told(before: GameState, move: int, after: GameState, seat: int) -> object:
    """Return what a seat is told of an event; nothing at the end of the game, which opens everything."""
    return None if after.is_over else after.game.narrate(before, move, after, seat)


def _replayed(state: GameState, moves: list[int]) -> GameState:
    """Return the position after some moves."""
    state = state.clone()
    for move in moves:
        state.apply(move)
    return state


def _difference(game: Rules, seed: int, tape: Tape, seat: int, at: int,
                found: tuple[int, Any, GameState]) -> Difference:
    ply, what, twin = found
    if isinstance(what, str):
        words = what
    else:
        state = tape.states[ply + 1]
        names = what or differing(sights_of(state, seat, pictures=True), sights_of(twin, seat, pictures=True))
        words = f"{', '.join(sorted(names))} {'differs' if len(names) == 1 else 'differ'}"
        ours, theirs = state.view(seat).key(), twin.view(seat).key()
        offsets = [i for i, (a, b) in enumerate(zip(ours, theirs, strict=False)) if a != b]
        if offsets:
            more = " ..." if len(offsets) > _SHOWN else ""
            words += f"; bytes {', '.join(map(str, offsets[:_SHOWN]))}{more} of the view"
        if ours != theirs:
            words += (": the label of the last event leaves out what the seat was shown" if "observation" in names
                      else ": the view keeps what the seat never saw")
        else:
            words += ": it reads what the seat's view does not hold"
    history = _texts(tape.states[at], tape.moves[at:ply + 1])
    return Difference(game.spec(), seed, seat, ply, words, history, _texts(tape.states[at], tape.line))


def _texts(state: GameState, moves: list[int]) -> tuple[str, ...]:
    """Return the events from a position on, in notation."""
    state, texts = state.clone(), []
    for move in moves:
        texts.append(state.format(move))
        state.apply(move)
    return tuple(texts)


def _listed(texts: tuple[str, ...]) -> str:
    """Return the first and the last events."""
    if len(texts) > _SHOWN:
        texts = (*texts[:_SHOWN // 2], f"({len(texts) - _SHOWN} more)", *texts[-_SHOWN // 2:])
    return f"'{' '.join(texts)}'"
