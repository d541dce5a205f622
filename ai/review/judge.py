"""The losses of decisions: the positions of a finished game, their value for each seat, and judges of decisions."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from sfida.ai.advice import favourite, holdable, unseen
from sfida.ai.analysis import Analysis, MoveStats
from sfida.ai.arena.outcome import forfeited
from sfida.ai.luck.value import Measure, Shares, Value, difference, mean
from sfida.ai.registry import agent
from sfida.ai.review.model import Effort, Verdict
from sfida.ai.search import resolve
from sfida.ai.table import RESIGN
from sfida.cython_ext.errors import InvalidRecord
from sfida.cython_ext.rng import Random, derive
from sfida.cython_ext.state import GameState, View
from sfida.engines.game import Game
from sfida.engines.records import GameRecord, GameResult
from sfida.engines.registry import make_game
from sfida.engines.untrusted import FieldReader

# ---- The events of a finished game with the positions before them, which a review examines

_BY_ACTOR = -1          # `turn_number` of games whose turns are changes of the actor


@dataclass(frozen=True)
class Event:
    """An event of a game.

    Attributes
    ----------
    ply : int
        Number of the event, from 0.
    seat : int
        Seat that decided; -1: chance.
    move : int
        Code of the move or outcome.
    before : GameState
        The whole position before it.
    turn : int
        See `Decision`; -1 for chance events.
    """

    ply: int
    seat: int
    move: int
    before: GameState = field(repr=False, compare=False)
    turn: int = -1


@dataclass(frozen=True)
class Played:
    """A finished game.

    Attributes
    ----------
    game : Game
    record : GameRecord
    events : tuple of Event
    result : tuple of float
        Win shares.
    """

    game: Game
    record: GameRecord
    events: tuple[Event, ...]
    result: tuple[float, ...]


def played_to_the_end(record: GameRecord, game: Game | None = None) -> Played:
    """Return the events of a recorded game that is over.

    Parameters
    ----------
    record : GameRecord
    game : Game, optional
        The game, if it is not registered under the name in the record.

    Raises
    ------
    InvalidRecord
        If the record does not fit the rules, or the game is not over: while it runs, a review would reveal what seats
        cannot know. Of games that ended early, only those that one of two players resigned have a result.
    """
    final = record.replay(game=game)
    engine = make_game(record.game) if game is None else game
    found = GameResult.of(final)
    forfeit = record.forfeit
    if found is not None:
        result = found.utilities
    elif record.extra.get("ended") == RESIGN and forfeit is not None and engine.players == 2:
        result = forfeited(2, forfeit.seat)[0]
    else:
        FieldReader(record.where).fail(
            "the game ended without a result, so there is nothing to review" if forfeit is not None
            or "ended" in record.extra else "the game is not over; a review would tell what its seats cannot know")
    if not record.moves:
        raise InvalidRecord(f"{record.where}: nothing was played")
    state, events, turns = engine.initial_state(), [], _Turns()
    for ply, text in enumerate(record.moves):
        move, seat = state.parse(text), -1 if state.is_chance else int(state.to_move)
        events.append(Event(ply, seat, move, state.clone(), turns.number(seat, int(state.turn_number))))
        state.apply(move)
    return Played(engine, record, tuple(events), tuple(map(float, result)))


class _Turns:
    """Numbers the turns of a game."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[int, int], int] = {}
        self._last, self._own = -1, 0           # for games that do not count their turns

    def number(self, seat: int, counted: int) -> int:
        if seat < 0:
            return -1
        if counted == _BY_ACTOR:
            self._own += seat != self._last
            self._last, counted = seat, self._own
        return self._numbers.setdefault((counted, seat), len(self._numbers))


# ---- The value of a game for each seat before its first event and after each one, with all secrets known

_CURVE_STREAM, _WORLDS = 0x4EF1EA, 0x30E1D    # random streams of events and of worlds
_SAME = 1e-5                    # largest difference of a share that rounding makes
_PAIRS = 2.0                    # weight of the usual error, in pairs, relative to the error of the pair itself


def certain(difference: float, error: float) -> float:
    """Return the part of a difference of two values that counts, 0 to 1.

    Errors of a search find better moves that do not exist, and never the other way round, so raw differences would add
    up to far too much. They are therefore shrunk by the positive-part rule of James and Stein
    (W. James, C. Stein, "Estimation with quadratic loss", 1961): 1 - (error / difference)², 0 for a difference within
    the error, 1 for an exact one.
    """
    return 1.0 - (error / difference) ** 2 if difference > error else 0.0


class Worth(Measure, Protocol):
    """The value of positions with all secrets known; a test may provide an exact one."""

    def now(self, state: GameState, number: int) -> Shares:
        """Return the same as `Value.now`."""

    def after(self, state: GameState, events: Sequence[int], number: int) -> list[Shares]:
        """Return the same as `Value.after`."""

    def foreseen(self, view: View, move: int, number: int) -> Shares:
        """Return the change of the position's value that a seat must expect from its own move.

        It is the mean, over the worlds that are possible for the seat, of the value after the move less that before it.
        """


class SampledWorth(Value):
    """The game's value function with `trust` 1.

    Parameters
    ----------
    game : Game
    playouts : int
        Playouts from each position, unless positions are evaluated alone.
    worlds : int, optional
        Worlds that represent all that are possible for a seat, for comparisons. With them, playouts end after a turn
        if positions can be evaluated, because differences show soon and the rest is noise.
    """

    def __init__(self, game: Game, playouts: int, worlds: int = 0) -> None:
        usual, evaluates = Value(game).options, bool(game.initial_state().has_evaluation)
        many = playouts if usual.playouts or not evaluates else 0
        super().__init__(game, replace(usual, playouts=many, cutoff=1 if worlds and evaluates else usual.cutoff,
                                       trust=1.0))
        self._worlds = worlds

    def foreseen(self, view: View, move: int, number: int) -> Shares:
        """Return the change of the value that a seat must expect from its own move; see `Worth`."""
        worlds = [view.sample(Random(derive(number, _WORLDS, k))) for k in range(self._worlds)]
        return mean([difference(self.after(world, [move], number)[0], self.now(world, number)) for world in worlds])


def before_event(worth: Worth, state: GameState, move: int, ply: int) -> tuple[Shares | None, Shares]:
    """Return the values around an event: before it (only for a chance event with several outcomes), and after it.

    Before a chance event the value is the mean over its outcomes, before a decision the value after the previous
    event.

    Parameters
    ----------
    worth : Worth
    state : GameState
        The position before the event.
    move : int
        Code of the event.
    ply : int
        Number of the event.
    """
    number = derive(_CURVE_STREAM, ply)
    after = worth.after(state, [move], number)[0]
    if state.is_chance:
        weighted = state.chance_outcomes()
        if len(weighted) > 1:
            return difference(after, worth.luck(state, move, weighted, number)), after
    return None, after


def hidden_change(worth: Worth, state: GameState, move: int, ply: int) -> tuple[Shares, Shares]:
    """Return the part of a decision's effect on each seat that its mover could not know, estimated twice.

    It is the change of the true position's value by the move, less the change that its seat had to expect; both use
    the same random numbers.
    """
    seat = int(state.to_move)
    view = state.view(seat)

    def once(number: int) -> Shares:
        changed = difference(worth.after(state, [move], number)[0], worth.now(state, number))
        return difference(changed, worth.foreseen(view, move, number))

    return once(derive(_CURVE_STREAM, ply, 1)), once(derive(_CURVE_STREAM, ply, 2))


def without_noise(twice: Sequence[tuple[Shares, Shares]], seats: Sequence[int]) -> list[Shares]:
    """Return the means of vectors that were estimated twice, shrunk by the likely effect of their errors (`certain`).

    Parameters
    ----------
    twice : sequence of (tuple of float, tuple of float)
        Each by seat.
    seats : sequence of int
        The seat whose entry measures each vector.

    Notes
    -----
    Two estimates reveal little about their error, but all pairs together reveal the usual one.
    """
    own = [(first[seat] - second[seat]) ** 2 / 4.0 for (first, second), seat in zip(twice, seats, strict=True)]
    positive = [variance for variance in own if variance > 0.0]
    usual = math.fsum(positive) / len(positive) if positive else 0.0
    found = []
    for (first, second), seat, variance in zip(twice, seats, own, strict=True):
        middle = mean((first, second))
        error = math.sqrt((_PAIRS * usual + variance) / (_PAIRS + 1.0))
        kept = certain(abs(middle[seat]), error)
        found.append(tuple(share * kept for share in middle))
    return found


def curve_of(around: Sequence[tuple[Shares | None, Shares]], start: Shares,
             result: Sequence[float]) -> tuple[tuple[float, ...], ...]:
    """Return the values before the first event and after each one.

    Parameters
    ----------
    around : sequence
        The results of `before_event` for every event, in order.
    start : tuple of float
        Value of the first position, by seat; it counts only if a decision comes first.
    result : sequence of float
        Win shares.

    Returns
    -------
    tuple of tuple of float
        One row more than events, or two if the result is not the value of the last position, after a resignation.
    """
    rows = [start, *(after for _, after in around)]
    for ply, (before, _) in enumerate(around):
        if before is not None:
            rows[ply] = before
    ended = tuple(map(float, result))
    if any(abs(share) > _SAME for share in difference(rows[-1], ended)):
        rows.append(ended)
    rows[-1] = ended
    return tuple(rows)


# ---- Judges of decisions: the loss of a move, given what its seat knew

JUDGE = "ismcts"
_SPREAD = 0.5           # share of the largest possible spread of iterations (measured: 0.16 to 0.49)
_SEARCHES = 2           # weight of the usual spread, in searches, in the estimate of a loss's error
_ENDGAME, _PACE = 100_000, 40   # most positions of an endgame to solve, in all and for each iteration
_STREAM = 0x10D6E


class Judge(Protocol):
    """Judges moves. It is given only a view, so it cannot know more than the mover did."""

    def judge(self, view: View, move: int, effort: Effort, seed: int) -> Verdict:
        """Return the verdict on a legal move of a view's seat; `Verdict.best_words` is left empty."""


@dataclass(frozen=True)
class _Found:
    """The result of one search for a move."""

    values: tuple[float, ...]
    visits: int
    line: tuple[str, ...]

    @classmethod
    def of(cls, stats: MoveStats) -> _Found:
        return cls(stats.values, stats.visits, stats.pv)


class SearchJudge:
    """Judges by searches: some choose the best move, others are held to it and to the move played.

    A search held to a move evaluates it well, however bad it looks; so both moves are known equally well. As in
    `ai.advice`, there is no such search for moves that the others do not see: the choosing searches give their values.

    Parameters
    ----------
    spec : str
        Spec of an agent that searches a tree; its budget is set for every decision.
    """

    def __init__(self, spec: str = JUDGE) -> None:
        self._agent = holdable(agent(spec))
        self._options = self._agent.options

    def judge(self, view: View, move: int, effort: Effort, seed: int) -> Verdict:
        """Return the verdict on a legal move."""
        options = replace(self._options, iterations=effort.iterations)
        if not resolve(options, view)["endgame"]:       # small endgames are solved in all games
            options = replace(options, endgame=_ENDGAME, endgame_pace=_PACE)
        self._agent.options = options
        self._agent.seed = seed
        exact = self._agent.solved(view, choosing=False)
        if exact is not None:
            return _exact(view, exact, move)
        free, lines = [], 1 if effort.searches == 1 else len(view.legal_moves())
        for number in range(effort.searches):
            self._agent.seed = derive(seed, _STREAM, number)
            free.append(self._agent.search(view, choosing=True, lines=lines))
        best = _best_of(free)
        spent = sum(analysis.iterations for analysis in free)
        at_best = _in(free, best)
        if best == move:
            return self._verdict(view, move, best, at_best, at_best, spent, seed)
        hold = [code for code in (best, move) if _mixed(free, code) is None and not unseen(view, code, seed)]
        if move not in hold and not any(found.visits for found in _in(free, move)):
            hold.append(move)
        known = {code: _in(free, code) for code in (best, move)}
        self._agent.options = replace(self._agent.options, early_stop=False)
        for code in hold:
            known[code] = []
            for number in range(effort.searches):
                self._agent.seed = derive(seed, _STREAM, number, 1)
                held = self._agent.search(view, choosing=True, lines=1, only=code)
                spent += held.iterations
                known[code].append(_Found.of(held.best))
        return self._verdict(view, move, best, known[move], known[best], spent, seed)

    def _verdict(self, view: View, move: int, best: int, played: Sequence[_Found], better: Sequence[_Found],
                 spent: int, seed: int) -> Verdict:
        seat, searches = view.seat, len(better)
        of_played, of_best = _mean(played), _mean(better)
        pairs = [b.values[seat] - p.values[seat] for p, b in zip(played, better, strict=True) if p.visits and b.visits]
        error = _error(pairs, _variance(of_best, seat) + (_variance(of_played, seat) if move != best else 0.0))
        difference = of_best.values[seat] - of_played.values[seat]
        line, seed = _line(played, view, move), derive(seed, _STREAM, 0, *() if move == best else (1,))
        sure = certain(difference, error)
        if not sure:                    # no fault was found
            return Verdict(view.format(move), "", 0.0, error, (0.0,) * view.players, of_played.values[seat], difference,
                           line, line, seed, spent, searches)
        given = tuple(sure * (p - b) for p, b in zip(of_played.values, of_best.values, strict=True))
        return Verdict(view.format(best), "", -given[seat], error, given, of_best.values[seat], difference, line,
                       _line(better, view, best), seed, spent, searches)


def _best_of(free: Sequence[Analysis]) -> int:
    """Return the move that some searches of a position together consider best."""
    weights: dict[int, float] = defaultdict(float)
    for analysis in free:
        mixed = analysis.best.strategy is not None
        for stats in analysis.moves:
            weights[stats.code] += (stats.strategy or 0.0) if mixed else stats.visits
    if len(free) == 1:
        return favourite(free[0]).code
    return max(weights, key=lambda code: weights[code])


def _in(free: Sequence[Analysis], move: int) -> list[_Found]:
    """Return the result of each search for a move."""
    found = []
    for analysis in free:
        stats = next((stats for stats in analysis.moves if stats.code == move), None)
        found.append(_Found((), 0, ()) if stats is None else _Found.of(stats))
    return found


def _mixed(free: Sequence[Analysis], move: int) -> float | None:
    return next((stats.strategy for stats in free[0].moves if stats.code == move), None)


def _mean(found: Sequence[_Found]) -> _Found:
    """Return the combined result of several searches for a move; searches without visits of it do not count."""
    looked = [one for one in found if one.visits]
    visits = sum(one.visits for one in looked)
    values = tuple(math.fsum(one.visits * one.values[seat] for one in looked) / visits
                   for seat in range(len(looked[0].values)))
    return _Found(values, visits, looked[0].line)


def _variance(found: _Found, seat: int) -> float:
    """Return the usual variance of a mean of shares from 0 to 1, from the greatest one: that of shares of 0 and 1."""
    value = min(1.0, max(0.0, found.values[seat]))
    return _SPREAD ** 2 * value * (1.0 - value) / found.visits


def _error(differences: Sequence[float], usual: float) -> float:
    """Return the standard error of the mean of independent searches' results, given their usual variance."""
    many = len(differences)
    if many < 2:
        return math.sqrt(usual)
    mean = math.fsum(differences) / many
    own = math.fsum((one - mean) ** 2 for one in differences) / (many - 1) / many
    return math.sqrt((_SEARCHES * usual + (many - 1) * own) / (_SEARCHES + many - 1))


def _line(found: Sequence[_Found], view: View, move: int) -> tuple[str, ...]:
    return next((one.line for one in found if one.line), (view.format(move),))


def _exact(view: View, solution: Analysis, move: int) -> Verdict:
    """Return the verdict on a move of a solved position."""
    best = solution.best
    played = next(stats for stats in solution.moves if stats.code == move)
    if played.known >= best.known:
        best = played
    given = tuple(p - b for p, b in zip(played.values, best.values, strict=True))
    lost = best.known - played.known
    return Verdict(best.move, "", lost, 0.0, given, best.known, lost, played.pv, best.pv)
