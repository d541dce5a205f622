"""Labels of events against views: a label tells what the seat saw of an event, no more and no less."""

from __future__ import annotations

from sfida.cython_ext.rng import Random
from sfida.cython_ext.state import GameState

_MOVES = 4              # moves tried in each position
_DRAWS = 300            # worlds that are asked whether the view itself says too much


def label_fault(state: GameState, seat: int, worlds: list[GameState], rng: Random) -> str | None:
    """Return what is wrong with the labels of events that may come next, or None.

    A move that is legal in one world may not be in another, so the same moves are tried in all of them. Labels of
    the true state and of worlds are kept apart: a game may use larger events in a world.

    Parameters
    ----------
    state : GameState
        The true state.
    seat : int
    worlds : list of GameState
        Worlds of the seat in this state.
    rng : Random
    """
    labels: dict[bytes, int] = {}
    some = _some(state.legal_moves(), rng)
    for starts in ([state], worlds):
        shown: dict[tuple[int, int | None], tuple[bytes, str]] = {}
        for start in starts:
            moves = start.legal_moves()
            for move in sorted({*some.intersection(moves), *_some(moves, rng)}):
                after = start.clone()
                after.apply(move)
                label, key, text = after.label(seat), after.view(seat).key(), start.format(move)
                if not 0 <= label < 2**64:
                    return f"label({seat}) is {label}"
                if labels.setdefault(key, label) != label:
                    return f"event_label({seat}) of '{text}' tells more than view({seat}) shows: it leaks"
                if after.is_over:           # the end reveals everything
                    continue
                own = move if start.to_move == seat else None
                first, other = shown.setdefault((label, own), (key, text))
                if first == key:
                    continue
                for _ in range(_DRAWS):     # does the view itself say too much?
                    after.determinize(seat, rng)
                    if after.view(seat).key() != key:
                        return f"view({seat}) depends on what seat {seat} cannot know: it leaks"
                return (f"event_label({seat}) is the same after '{other}' and after '{text}', "
                        f"but view({seat}) is not: it misses what the event reveals")
    return None


def _some(moves: list[int], rng: Random) -> set[int]:
    """Return a few moves of a list, at random."""
    return {moves[rng.below(len(moves))] for _ in range(_MOVES)}
