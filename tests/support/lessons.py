"""What holds for the lessons of every game: each decision has one, of few lines, under a clause that exists."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Sequence

from sfida.cython_ext.rng import Random, derive
from sfida.cython_ext.state import GameState
from sfida.engines.clauses import rules_of
from sfida.engines.narration import Lesson
from sfida.engines.registry import make_game
from support.playing import step

WIDE = 76               # columns of a narrow screen
LONGEST = 11            # lines of a lesson
_GAMES = 30


def lines(text: str) -> int:
    """Return how many lines a text takes on a narrow screen, those between its paragraphs counted."""
    return sum(len(textwrap.wrap(paragraph, WIDE)) or 1 for paragraph in text.split("\n"))


def kinds_met(specs: Sequence[str], *, most: int = 5000, candidates: bool = False, seed: int = 3,
              also: Callable[[GameState, Lesson], object] = lambda state, lesson: None) -> set[str]:
    """Return the keys of all lessons that come up in 30 random games, and check them.

    Parameters
    ----------
    specs : sequence of str
        One game's, taken in turn.
    most : int
        Events of a game that are followed.
    candidates : bool
        Play only moves worth searching.
    seed : int
    also : callable
        Checks more: called at the first decision of each kind in each game.
    """
    met: set[str] = set()
    for number in range(_GAMES):
        game = make_game(specs[number % len(specs)])
        rules = rules_of(game.name)
        assert rules is not None
        state, rng, here = game.initial_state(), Random(derive(seed, number)), set()
        for _ in range(most):
            if state.is_over:
                break
            if not state.is_chance:
                lesson = game.lesson(state, state.to_move)
                assert lesson is not None
                if lesson.key not in here:
                    here.add(lesson.key)
                    assert lesson.title
                    assert rules.find(lesson.rule)
                    assert 3 <= lines(lesson.text) <= LONGEST
                    assert "{" not in lesson.text
                    also(state, lesson)
            step(state, rng, candidates=candidates)
        met |= here
    return met
