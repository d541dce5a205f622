"""Judges of decisions: what a move lost, by what its seat knew."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from sfida.ai.analysis import Analysis, MoveStats
from sfida.ai.registry import agent
from sfida.ai.review.curve import certain
from sfida.ai.review.depths import Effort
from sfida.ai.review.model import Verdict
from sfida.ai.search_options import resolve
from sfida.ai.why import favourite, holdable, unseen
from sfida.cython_ext.rng import derive
from sfida.cython_ext.state import View

JUDGE = "ismcts"
_SPREAD = 0.5           # of the greatest possible spread of what iterations say: 0.16 to 0.49 in the five games
_SEARCHES = 2           # as so many searches more that spread counts when the error of a loss is estimated
_ENDGAME, _PACE = 100_000, 40   # positions of an endgame that is solved, at most; and of them for each iteration
_STREAM = 0x10D6E


class Judge(Protocol):
    """Judges moves. It is given a view and nothing else, so it cannot know more than the mover did."""

    def judge(self, view: View, move: int, effort: Effort, seed: int) -> Verdict:
        """Return what a legal move of a view's seat lost; `Verdict.best_words` is left empty."""


@dataclass(frozen=True)
class _Found:
    """A move in one search."""

    values: tuple[float, ...]
    visits: int
    line: tuple[str, ...]

    @classmethod
    def of(cls, stats: MoveStats) -> _Found:
        return cls(stats.values, stats.visits, stats.pv)


class SearchJudge:
    """Judges by searches: some choose the best move, others are held to it and to the move played.

    Held to a move a search knows it well, however bad it looks; so both are known equally well. As in `ai.why`, moves
    that the others do not see are not searched so: there the searches that choose say what they are worth.

    Parameters
    ----------
    spec : str
        An agent that searches a tree; its budget is set for every decision.
    """

    def __init__(self, spec: str = JUDGE) -> None:
        self._agent = holdable(agent(spec))
        self._options = self._agent.options

    def judge(self, view: View, move: int, effort: Effort, seed: int) -> Verdict:
        """Return what a legal move lost."""
        options = replace(self._options, iterations=effort.iterations)
        if not resolve(options, view)["endgame"]:       # what can be solved is, in all games
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
    """Return the move that some searches of a position think best together."""
    weights: dict[int, float] = defaultdict(float)
    for analysis in free:
        mixed = analysis.best.strategy is not None
        for stats in analysis.moves:
            weights[stats.code] += (stats.strategy or 0.0) if mixed else stats.visits
    if len(free) == 1:
        return favourite(free[0]).code
    return max(weights, key=lambda code: weights[code])


def _in(free: Sequence[Analysis], move: int) -> list[_Found]:
    """Return what each search knows of a move."""
    found = []
    for analysis in free:
        stats = next((stats for stats in analysis.moves if stats.code == move), None)
        found.append(_Found((), 0, ()) if stats is None else _Found.of(stats))
    return found


def _mixed(free: Sequence[Analysis], move: int) -> float | None:
    return next((stats.strategy for stats in free[0].moves if stats.code == move), None)


def _mean(found: Sequence[_Found]) -> _Found:
    """Return what several searches say of a move together; those that did not look at it say nothing."""
    looked = [one for one in found if one.visits]
    visits = sum(one.visits for one in looked)
    values = tuple(math.fsum(one.visits * one.values[seat] for one in looked) / visits
                   for seat in range(len(looked[0].values)))
    return _Found(values, visits, looked[0].line)


def _variance(found: _Found, seat: int) -> float:
    """Return the usual variance of a mean of shares from 0 to 1, by the greatest one: that of shares of 0 and 1."""
    value = min(1.0, max(0.0, found.values[seat]))
    return _SPREAD ** 2 * value * (1.0 - value) / found.visits


def _error(differences: Sequence[float], usual: float) -> float:
    """Return the standard error of the mean of what independent searches say, whose usual variance is known."""
    many = len(differences)
    if many < 2:
        return math.sqrt(usual)
    mean = math.fsum(differences) / many
    own = math.fsum((one - mean) ** 2 for one in differences) / (many - 1) / many
    return math.sqrt((_SEARCHES * usual + (many - 1) * own) / (_SEARCHES + many - 1))


def _line(found: Sequence[_Found], view: View, move: int) -> tuple[str, ...]:
    return next((one.line for one in found if one.line), (view.format(move),))


def _exact(view: View, solution: Analysis, move: int) -> Verdict:
    """Return the verdict on a move of a position that was solved."""
    best = solution.best
    played = next(stats for stats in solution.moves if stats.code == move)
    if played.known >= best.known:
        best = played
    given = tuple(p - b for p, b in zip(played.values, best.values, strict=True))
    lost = best.known - played.known
    return Verdict(best.move, "", lost, 0.0, given, best.known, lost, played.pv, best.pv)
