"""The result of a search as plain data: moves and values, expected lines, and the gains and costs of a move."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from sfida.ai.beliefs.marginals import Marginal
from sfida.cython_ext.errors import SfidaError
from sfida.cython_ext.rng import Random, derive
from sfida.cython_ext.state import CHANCE, GameState, View
from sfida.engines.game import Notation
from sfida.engines.language import _
from sfida.engines.narration import Term, changes
from sfida.engines.untrusted import JsonData, bounds

# ---- The result of a search as plain data


@dataclass(frozen=True)
class MoveStats:
    """One candidate of an analysis.

    Attributes
    ----------
    move : str
        In the game's notation.
    code : int
        Move code.
    visits : int
    share : float
        Share of all visits, 0 to 1.
    value : float or None
        Expected win share of the searching seat, 0 to 1. None if it is not known: the search never tried the move, or
        the solver only found that it is no better than the best.
    lcb : float or None
        Lower confidence bound of the mean reward, by which the final move is chosen; at least 0, which is the
        lowest reward. None as for `value`.
    prior : float
        Probability by the game's own policy, weighted by `foresight`, 0 to 1; 0 without priors.
    pv : tuple of str
        Expected line, starting with this move, chance outcomes included.
    values : tuple of float
        Expected win share of every seat; empty if `value` is None. Agents of other packages may give only that of
        their own seat.
    strategy : float or None
        Probability of playing the move, 0 to 1, if the choice is hidden from others who also choose.
    """

    move: str
    code: int
    visits: int
    share: float
    value: float | None
    lcb: float | None
    prior: float
    pv: tuple[str, ...] = ()
    values: tuple[float, ...] = ()
    strategy: float | None = None

    @property
    def known(self) -> float:
        """The `value` of a move if it is known; raises ValueError otherwise."""
        if self.value is None:
            raise ValueError(f"the search did not try {self.move}")
        return self.value

    def to_json(self) -> dict[str, Any]:
        """Return the move as in ``sfida analyze --json``."""
        data = {"move": self.move, "visits": self.visits, "share": self.share, "value": self.value,
                "values": list(self.values) or None, "lcb": self.lcb, "prior": self.prior, "pv": list(self.pv)}
        return data if self.strategy is None else {**data, "strategy": self.strategy}


@dataclass(frozen=True)
class Analysis:
    """Result of a search from one seat's view, best move first.

    Attributes
    ----------
    seat : int
    iterations : int
        Visits of the root.
    value : tuple of float
        Expected win share per seat.
    moves : tuple of MoveStats
        The chosen move first, then the others by visits.
    seconds : float
    stopped : str
        "iterations", "seconds", "decided" (no other move could catch up), "forced" (one legal move), "solved"
        (the rest of the game was solved; `iterations` then counts positions) or "cancelled".
    memory_full : bool
        Whether the memory limit stopped the tree from growing.
    beliefs : tuple of Marginal
        Probable values of each hidden item, if the game names them (`Game.secrets`).
    effective : float or None
        Effective number of worlds of a weighted belief.
    """

    seat: int
    iterations: int
    value: tuple[float, ...]
    moves: tuple[MoveStats, ...]
    seconds: float
    stopped: str
    memory_full: bool = False
    beliefs: tuple[Marginal, ...] = ()
    effective: float | None = None

    @property
    def best(self) -> MoveStats:
        """The chosen move."""
        return self.moves[0]

    def to_json(self) -> dict[str, Any]:
        """Return the object of ``sfida analyze --json``."""
        return {"schema": 1, "type": "analysis", "seat": self.seat, "iterations": self.iterations,
                "value": list(self.value), "moves": [m.to_json() for m in self.moves],
                "seconds": self.seconds, "stopped": self.stopped, "memory_full": self.memory_full,
                "beliefs": [belief.to_json() for belief in self.beliefs], "effective_worlds": self.effective}


@dataclass(frozen=True)
class Progress:
    """The progress of a running search.

    Attributes
    ----------
    iterations : int
    seconds : float
    best : str
        Most visited move, in notation.
    win : float
        Expected win share of the searching seat if that move is played.
    """

    iterations: int
    seconds: float
    best: str
    win: float


# ---- Expected lines: the seat and the move of each event, in words

_WORLD = 0x11E5                         # stream of further worlds
_TRIES = 100                            # most worlds tried to find one in which the line can be played


@dataclass(frozen=True)
class Ply(JsonData):
    """One event of a line.

    Attributes
    ----------
    seat : int
        The seat that moves; -1 for chance.
    move : str
        The move in notation.
    words : str
        The move in words, for people.
    effects : tuple of str
        Effects of the event, as far as the viewer of the line may know them.
    """

    seat: int = field(metadata=bounds(low=-1))
    move: str
    words: str
    effects: tuple[str, ...] = ()


@dataclass(frozen=True)
class Line:
    """An expected line, played in a world that is possible for the seat.

    Attributes
    ----------
    plies : tuple of Ply
    over : bool
        Whether the game is over after it.
    standings : tuple of tuple of tuple of Term
        The standing of every seat before each ply and after the last one (`Game.standing`), as the viewer knows it.
    """

    plies: tuple[Ply, ...]
    over: bool
    standings: tuple[tuple[tuple[Term, ...], ...], ...] = field(default=(), compare=False, repr=False)

    @property
    def answer(self) -> int | None:
        """Index of the first ply of a seat other than that of the first ply; None if there is none."""
        return next((i for i, ply in enumerate(self.plies) if ply.seat not in (-1, self.plies[0].seat)), None)


def follow(view: View, texts: Sequence[str], seed: int) -> Line:
    """Return a line with the seat and the words of each event.

    Parameters
    ----------
    view : View
        View in which the line starts.
    texts : sequence of str
        Events in notation, chance outcomes included, such as `MoveStats.pv`.
    seed : int
        Seed of the worlds in which the line is tried; with the seed of the search the first one is the world in
        which the search found its line.

    Returns
    -------
    Line
        The part of the line that can be played in one world.
    """
    world = view.sample(Random(seed))
    best = _playable(world, texts)
    for number in range(1, _TRIES if view.hidden else 1):
        if len(best) == len(texts):
            break
        other = view.sample(Random(derive(seed, _WORLD, number)))
        found = _playable(other, texts)
        if len(found) > len(best):
            world, best = other, found
    return _told(world, best, view.seat)


def _playable(world: GameState, texts: Sequence[str]) -> list[int]:
    """Return the codes of the events of a line, up to the first that cannot be played in a world."""
    state, codes = world.clone(), []
    for text in texts:
        if state.is_over:
            break
        try:
            code = state.parse(text)
        except SfidaError:
            break
        if state.format(code) != text:
            break
        codes.append(code)
        state.apply(code)
    return codes


def _told(state: GameState, codes: Sequence[int], viewer: int) -> Line:
    """Play a line in a world, and describe it to a seat."""
    game, plies = state.game, []
    standings = [_standing(state, viewer)]
    for code in codes:
        before = state.clone()
        state.apply(code)
        effects = game.effects(before, code, state, viewer)
        plies.append(Ply(int(before.to_move), before.format(code), game.describe_move(before, code),
                         tuple(effect.text for effect in effects)))
        standings.append(_standing(state, viewer))
    return Line(tuple(plies), bool(state.is_over), tuple(standings))


def _standing(state: GameState, viewer: int) -> tuple[tuple[Term, ...], ...]:
    return tuple(state.game.standing(state, seat, viewer) for seat in range(state.players))


# ---- The gains and costs of a move in the terms of its game, from the line that a search expects after it


@dataclass(frozen=True)
class Reasons(JsonData):
    """The reasons for and against a move, in words.

    Attributes
    ----------
    gains : tuple of str
        Changes in favour of the seat by the move and the further moves that it is expected to make before a chance
        event or another seat: "+3 points", "Blue -1 card".
    costs : tuple of str
        Changes in favour of the others by the same moves.
    answer : tuple of str
        Changes by the expected answer of the next other seat, whomever they favour, such as "Blue +8 points".
    """

    gains: tuple[str, ...] = ()
    costs: tuple[str, ...] = ()
    answer: tuple[str, ...] = ()

    @property
    def for_and_against(self) -> list[str]:
        """The reasons for and against the move, each as a phrase."""
        said = ((_("for it: {changes}"), self.gains), (_("against it: {changes}"), self.costs))
        return [message.format(changes=", ".join(parts)) for message, parts in said if parts]

    @property
    def answered(self) -> list[str]:
        """The changes by the expected answer as a phrase, if there are any."""
        return [_("the answer brings {changes}").format(changes=", ".join(self.answer))] if self.answer else []


def reasons_of(game: Notation, line: Line) -> Reasons:
    """Return the reasons for and against the first move of an expected line; empty if it has no moves."""
    if not line.plies:
        return Reasons()
    seat, told = line.plies[0].seat, line.standings
    turn = next((i for i, ply in enumerate(line.plies) if ply.seat != seat), len(line.plies))
    gains: list[str] = []
    costs: list[str] = []
    for one, term in sorted(_changes(told[0], told[turn]), key=lambda change: change[0] != seat):
        (gains if term.better == (one == seat) else costs).append(_text(game, one, term, seat))
    answer: list[str] = []
    if line.answer is not None:
        answer = [_text(game, one, term) for one, term in _changes(told[line.answer], told[line.answer + 1])]
    return Reasons(tuple(gains), tuple(costs), tuple(answer))


def reasons_text(state: GameState, move: MoveStats, line: Line) -> str:
    """Return the reasons for and against a move: its odds or price, its gains and costs, and the effect of the answer.

    The text is "" for games that count nothing, if the move has no price either.
    """
    found, note = reasons_of(state.game, line), state.game.move_note(state, move.code)
    told = found.for_and_against
    if note:
        told.insert(0, note)
    elif not told and any(line.standings[0]):
        told = [_("it changes nothing at once that can be counted")]
    return "; ".join([*told, *found.answered])


def _changes(before: Sequence[Sequence[Term]], after: Sequence[Sequence[Term]]) -> list[tuple[int, Term]]:
    return [(seat, term) for seat, (old, new) in enumerate(zip(before, after, strict=True))
            for term in changes(old, new)]


def _text(game: Notation, seat: int, term: Term, own: int = CHANCE) -> str:
    """Return a change in words; the seat itself is not named."""
    return term.text if seat == own else f"{game.seat_name(seat)} {term.text}"
