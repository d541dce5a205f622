"""The end of a search with helpers: cancelled, interrupted, or by an exception."""

import dataclasses
import signal
import threading
import time
from contextlib import suppress

import pytest

import sfida
from sfida.ai import ismcts
from sfida.ai.search import run_search
from sfida.cython_ext.search.search import Search
from support.hidden_toys import FIRST, Guess, GuessPosition
from support.search_toys import Watched, WatchedPosition
from support.searching import content, decision, searched, started, view_of
from support.stopping import soon_after


def on_helper():
    return threading.current_thread() is not threading.main_thread()


# ---- ending from outside -----------------------------------------------------------------------------


@pytest.mark.parametrize("budget", [{"iterations": 10**9}, {"seconds": 60}], ids=str)
def test_a_search_with_helpers_can_be_cancelled(budget):
    view = view_of(decision("carcassonne", 6))
    search = Search(view, 1, batch=8)
    stopper = soon_after(lambda: search.iterations, search.cancel)
    assert run_search(search, 3, **budget) == "cancelled"
    stopper.join()
    search.check_tree()
    assert search.visits == search.iterations > 0
    search.restart(view, 1)
    run_search(search, 2, iterations=200)
    assert search.root_edges() == searched(view, 200, batch=8).root_edges()


@pytest.mark.parametrize("spec", ["ismcts:iterations=1000000000,threads=2", "mo-ismcts:seconds=60,threads=2",
                                  "pimc:iterations=1000000000,threads=2"])
def test_an_agent_can_be_cancelled_and_asked_again(spec):
    view = view_of(decision("carcassonne", 6))
    agent = sfida.agent(spec, seed=1)
    stopper = soon_after(lambda: agent.latest and agent.latest.iterations, agent.cancel)
    found = agent.analyze(view)
    stopper.join()
    assert found.stopped == "cancelled"
    assert found.best.code in view.legal_moves()
    agent.options = type(agent.options)(iterations=100)
    again = agent.analyze(view)
    assert content(again) == content(type(agent)(agent.options, seed=1).analyze(view))


def test_a_cancel_between_two_worlds_ends_the_ensemble(monkeypatch):
    """A cancel ends the whole search of `pimc`, even at the moment between two worlds."""
    agent = sfida.agent("pimc:iterations=4000,worlds=20", seed=1)
    determinize, drawn = GuessPosition.determinize, []

    def note(position, seat, rng):
        determinize(position, seat, rng)
        drawn.append(seat)
        if len(drawn) == 3:
            agent.cancel()

    view = view_of(started(Guess(), FIRST))
    monkeypatch.setattr(GuessPosition, "determinize", note)
    agent.choose(view)
    assert agent.last_analysis.stopped == "cancelled"
    assert agent.last_analysis.iterations < 1000


@pytest.mark.parametrize("budget", [{"iterations": 10**9}, {"seconds": 60}], ids=str)
def test_an_interrupt_ends_a_search_with_helpers(budget):
    view = view_of(decision("carcassonne", 6))
    search = Search(view, 1, batch=8)
    stopper = soon_after(lambda: search.iterations, lambda: signal.raise_signal(signal.SIGINT))
    with pytest.raises(KeyboardInterrupt):
        run_search(search, 2, **budget)
    stopper.join()
    search.check_tree()
    assert search.visits == search.iterations > 0
    found = search.visits
    assert run_search(search, 2, iterations=found + 10) == "iterations"


def test_what_a_callback_raises_ends_a_search_with_helpers():
    search = Search(view_of(decision("carcassonne", 6)), 1, batch=8)

    def fail(running):
        raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        run_search(search, 2, seconds=30, callback=fail)
    run_search(search, 2, iterations=search.visits + 5)
    search.check_tree()


def test_progress_is_told_before_the_first_playout_has_ended(watch):
    """The first playout lasts longer than the time between two reports."""
    watch(lambda move: time.sleep(0.02))
    for threads in (1, 2):
        told = []
        agent = sfida.agent(f"ismcts:iterations=2,priors=true,threads={threads}", seed=1)
        agent.on_progress = told.append
        assert agent.analyze(view_of(started(Watched()))).iterations == 2
        assert all(0 <= progress.win <= 1 for progress in told)


# ---- games that raise --------------------------------------------------------------------------------


@pytest.mark.parametrize("budget", [{"iterations": 10_000}, {"seconds": 30}], ids=str)
def test_what_a_game_raises_on_a_helper_is_raised(watch, budget):
    view = view_of(started(Watched()))
    search = Search(view, 1, batch=8)

    def fail(move):
        if on_helper():
            raise LookupError("the helper's fault")

    watch(fail)
    with pytest.raises(LookupError, match="the helper's fault") as caught:
        run_search(search, 2, **budget)
    assert any("apply" in note for note in caught.value.__notes__)
    watch(lambda move: None)
    search.restart(view, 1)
    assert run_search(search, 2, iterations=100) == "iterations"
    assert search.root_edges() == searched(view, 100, batch=8).root_edges()


def test_a_failure_is_not_told_twice(monkeypatch):
    """Two threads fail at the same time; the next search of the same object must not report the failure again."""
    view = view_of(started(Watched()))
    search = Search(view, 1, batch=8)
    run_search(search, 2, iterations=200)               # so that several iterations may be in flight
    both = threading.Barrier(2)
    result = WatchedPosition.utilities

    def fail(position):
        with suppress(threading.BrokenBarrierError):    # no other thread came
            both.wait(2)
        raise LookupError("both")

    monkeypatch.setattr(WatchedPosition, "utilities", fail)
    with pytest.raises(LookupError, match="both"):
        run_search(search, 2, iterations=400)
    monkeypatch.setattr(WatchedPosition, "utilities", result)
    search.restart(view, 1)
    assert run_search(search, 2, iterations=100) == "iterations"
    assert search.root_edges() == searched(view, 100, batch=8).root_edges()


@pytest.mark.parametrize("agent", ["ismcts", "mo-ismcts", "pimc"])
def test_cancelling_an_endgame_does_not_begin_a_search(agent, monkeypatch):
    """An agent that is cancelled while it solves an endgame returns a move at once."""
    player = sfida.agent(f"{agent}:iterations=1000000000,endgame=1000000", seed=1)

    class Interrupted:
        def __init__(self, *args, **kwargs):
            pass

        def run(self):
            player.cancel()

        def cancel(self):
            pass

    monkeypatch.setattr("sfida.ai.search.Solver", Interrupted)
    view = view_of(decision("carcassonne", 60))
    found = player.analyze(view)
    assert (found.stopped, found.best.code in view.legal_moves()) == ("cancelled", True)
    assert player.choose(view) in view.legal_moves()
    assert player.last_analysis.stopped == "cancelled"
    monkeypatch.undo()
    player.options = dataclasses.replace(player.options, iterations=50)
    assert player.analyze(view).stopped == "iterations"


@pytest.mark.parametrize(("options", "positions", "seconds"), [
    ("iterations=100", 4000, 0.0), ("iterations=100,endgame_pace=7", 700, 0.0), ("iterations=100,endgame=50", 50, 0.0),
    ("iterations=1000000", 20_000_000, 0.0), ("iterations=100,endgame_pace=0", 20_000_000, 0.0),
    ("seconds=0.1", 300_000, 0.07), ("iterations=100,seconds=0.1", 4000, 0.07)])
def test_an_endgame_is_solved_within_the_budget_of_the_decision(options, positions, seconds, monkeypatch):
    """The attempt is bounded in positions and seconds, and the search gets the remaining seconds."""
    asked, searched = [], []

    class Failing:
        def __init__(self, view, budget, **more):
            asked.append((budget, more["seconds"]))

        def run(self):
            time.sleep(0.02)

    def search(search, crew, *, seconds, **more):
        searched.append(seconds)
        return run_search(search, crew, **{**more, "iterations": 50})

    monkeypatch.setattr("sfida.ai.search.Solver", Failing)
    monkeypatch.setattr(ismcts, "run_search", search)
    player = sfida.agent(f"ismcts:{options},extend=0", seed=1)
    player.choose(view_of(decision("carcassonne", 60)))
    assert asked == [(positions, pytest.approx(seconds))]
    assert len(searched) == 1
    assert searched[0] is None if not seconds else 0.0 < searched[0] <= 0.08
