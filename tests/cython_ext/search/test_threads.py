"""Threads that share one tree: results must not depend on their number."""

import threading
import time

import pytest

import sfida
from sfida.ai.search import Crew, run_search
from sfida.cython_ext.search.search import Search
from support.hidden_toys import Corridor
from support.search_toys import Watched
from support.searching import after, content, decision, searched, started, view_of
from support.stopping import timed

GAMES = [("carcassonne", 12), ("carcassonne:players=4", 20), ("phantom_tic_tac_toe", 2), ("leduc_poker", 1)]
VARIANTS = [
    {}, {"c": 0.3, "expand_at": 2, "decisive": True}, {"multiple": True, "keyed": True},
    {"multiple": True, "keyed": False, "bids": "ucb"},
]
KNOWING = [                             # for games with priors and an evaluation
    {"priors": True}, {"chance_depth": 1},
    {"priors": True, "expand_at": 1, "cutoff": 2, "informed": 50, "blend": 0.5},
]


# ---- iteration budgets: the threads make no difference ----------------------------------------------


@pytest.mark.parametrize("batch", [1, 3, 8])
@pytest.mark.parametrize(("spec", "plies"), GAMES)
@pytest.mark.parametrize("agent", ["ismcts", "mo-ismcts", "pimc:worlds=5"])
def test_agents_find_the_same_on_any_number_of_threads(agent, spec, plies, batch):
    view = view_of(decision(spec, plies))
    found, chosen = [], []
    for threads in (1, 2, 8):
        text = f"{agent}{',' if ':' in agent else ':'}iterations=300,batch={batch},threads={threads}"
        found.append(content(sfida.agent(text, seed=5).analyze(view)))
        player = sfida.agent(text, seed=5)
        chosen.append((player.choose(view), content(player.last_analysis)))
    assert found[0] == found[1] == found[2]
    assert chosen[0] == chosen[1] == chosen[2]


@pytest.mark.parametrize(("spec", "plies", "parameters"),
                         [(spec, plies, parameters) for spec, plies in GAMES
                          for parameters in (VARIANTS + KNOWING if "carcassonne" in spec else VARIANTS)], ids=str)
def test_variants_are_bit_identical_on_any_number_of_threads(spec, plies, parameters):
    view = view_of(decision(spec, plies))
    one, two, eight = (searched(view, 700, threads=threads, batch=8, **parameters) for threads in (1, 2, 8))
    assert one.root_edges() == two.root_edges() == eight.root_edges()
    assert one.statistics() == two.statistics() == eight.statistics()
    assert sum(row["visits"] for row in one.root_edges()) == 700
    one.check_tree()


def test_slow_playouts_and_slices_make_no_difference(watch):
    """The duration of a playout determines the thread that plays it, but must not change the results."""
    view = view_of(started(Watched()))
    calm = searched(view, 150, batch=8)
    played = []

    def dawdle(move):
        played.append(threading.get_ident())
        if len(played) % 97 == 0:
            time.sleep(0.01)

    watch(dawdle)
    for delay in (0.0, 0.005):
        hurried = Search(view, 1, batch=8)
        run_search(hurried, 2, iterations=150, callback=lambda _, pause=delay: time.sleep(pause))
        assert hurried.root_edges() == calm.root_edges()
    assert len(set(played)) >= 2                        # other threads helped


@pytest.mark.parametrize(("spec", "plies"), GAMES)
def test_a_batch_of_one_is_the_serial_algorithm(spec, plies):
    view = view_of(decision(spec, plies))
    assert searched(view, 500, batch=1).root_edges() == searched(view, 500).root_edges()
    assert searched(view, 500, batch=1, threads=2).root_edges() == searched(view, 500).root_edges()
    if not view.has_priors:                             # the game has no default
        agent = sfida.agent("ismcts:iterations=500,batch=1,threads=2", seed=1)
        serial = searched(view, 500, decisive=True).root()
        assert [(m.code, m.visits) for m in agent.analyze(view).moves] == [(code, n) for code, n, _, _ in serial]


@pytest.mark.parametrize(("spec", "plies"), GAMES)
def test_the_batch_is_part_of_what_a_result_depends_on(spec, plies):
    view = view_of(decision(spec, plies, choices=3))
    runs = [searched(view, 500, batch=batch).root_edges() for batch in (1, 2, 8, 64)]
    assert all(a != b for i, a in enumerate(runs) for b in runs[:i])


def test_early_iterations_are_not_in_flight_together():
    """The batch grows after 16 iterations, so short searches equal the serial algorithm."""
    view = view_of(decision("carcassonne", 12))
    assert searched(view, 16, batch=64).root_edges() == searched(view, 16).root_edges()


@pytest.mark.parametrize("batch", [8, 64])
@pytest.mark.parametrize("parameters", [
    {}, {"priors": True}, {"priors": True, "expand_at": 2}, {"priors": True, "cutoff": 2},
], ids=str)
@pytest.mark.parametrize("plies", [12, 66])
def test_the_tree_is_sound_with_iterations_in_flight(plies, parameters, batch):
    search = searched(view_of(decision("carcassonne", plies)), 2500, batch=batch, **parameters)
    search.check_tree()
    assert sum(row["visits"] for row in search.root_edges()) == 2500


@pytest.mark.parametrize("multiple", [False, True])
def test_iterations_that_meet_in_worlds_that_differ_are_all_counted(multiple):
    """Two concurrent iterations reach the same new leaf, and only the second one has a certain move there."""
    view = view_of(started(Corridor()))
    for seed in range(12):
        search = searched(view, 400, seed, priors=True, batch=8, multiple=multiple)
        search.check_tree()
        assert sum(row["visits"] for row in search.root_edges()) == 400


def test_stopping_early_does_not_depend_on_the_threads():
    view = view_of(decision("carcassonne", 20, 3))
    ends = set()
    for threads in (1, 2, 8):
        search = Search(view, 1, priors=True, cutoff=6, informed=80, batch=8)
        reason = run_search(search, threads, iterations=3000, early_stop=True)
        ends.add((reason, search.visits, tuple(search.root())))
    assert len(ends) == 1
    reason, visits, _ = ends.pop()
    assert (reason, visits < 3000) == ("decided", True)
    whole = searched(view, 3000, priors=True, cutoff=6, informed=80, batch=8)
    assert whole.root()[0][0] == search.root()[0][0]


@pytest.mark.parametrize(("spec", "plies", "parameters"), [
    ("carcassonne", 12, {"priors": True, "cutoff": 2}), ("carcassonne", 30, {"cutoff": 1}),
    ("carcassonne", 12, {"priors": True, "cutoff": 1, "chance_depth": 1}),
    ("carcassonne", 12, {"priors": True, "cutoff": 1, "multiple": True}),
], ids=str)
def test_a_full_memory_is_full_for_any_number_of_threads(spec, plies, parameters):
    """The end of the tree's growth must not depend on the thread that takes the last of the memory."""
    view = view_of(decision(spec, plies))
    found = []
    for threads in (1, 2, 3):
        search = searched(view, 25_000, threads=threads, batch=8, memory=1, **parameters)
        search.check_tree()
        found.append((search.arena_full, search.root_edges(), search.statistics()))
    assert found[0] == found[1] == found[2]
    assert found[0][0]


def test_the_map_of_children_grows_for_any_number_of_threads():
    """Every drawn tile leads to a separate child, so the map is enlarged several times."""
    view = view_of(decision("carcassonne", 12))
    one, two = (searched(view, 20_000, threads=threads, batch=8, cutoff=1) for threads in (1, 2))
    assert one.root_edges() == two.root_edges()
    assert one.statistics() == two.statistics()
    assert not one.arena_full
    one.check_tree()
    two.check_tree()


# ---- time budgets ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("spec", "parameters"), [
    ("carcassonne", {}), ("carcassonne", {"priors": True, "cutoff": 6}), ("carcassonne", {"multiple": True}),
    ("phantom_tic_tac_toe", {}), ("phantom_tic_tac_toe", {"multiple": True, "keyed": True}),
    ("goofspiel", {"multiple": True}), ("leduc_poker", {}),
], ids=str)
def test_a_time_budget_on_two_threads_counts_every_iteration(spec, parameters):
    search = Search(view_of(decision(spec, 12 if spec == "carcassonne" else 1)), 1, **parameters)
    assert run_search(search, 2, seconds=0.15) == "seconds"
    assert search.visits == search.iterations == sum(row["visits"] for row in search.root_edges())
    assert search.iterations > 5
    search.check_tree()
    found = search.visits
    assert run_search(search, 2, seconds=0.1) == "seconds"              # and continues from there
    assert search.visits == search.iterations > found
    search.check_tree()


@timed
def test_two_threads_do_more_where_playouts_wait(watch):
    """Playouts here sleep most of the time, so that two threads do more even on one core."""
    watch(lambda move: time.sleep(0.0005))
    view = view_of(started(Watched()))
    counts = []
    for threads in (1, 2):
        search = Search(view, 1, batch=8)
        assert run_search(search, threads, seconds=0.4) == "seconds"
        counts.append(search.iterations)
    assert counts[1] > 1.3 * counts[0]


@timed
def test_a_time_budget_is_kept_by_an_agent_with_threads():
    view = view_of(decision("carcassonne", 12))
    agent = sfida.agent("ismcts:seconds=0.2,threads=2,early_stop=false", seed=1)
    found = agent.analyze(view)
    assert (found.stopped, found.iterations) == ("seconds", sum(move.visits for move in found.moves))
    assert 0.2 <= found.seconds < 3


# ---- helpers -----------------------------------------------------------------------------------------


def test_a_helper_that_comes_late_goes_at_once():
    search = searched(view_of(decision("carcassonne", 12)), 100, batch=8)
    before = search.root_edges()
    search.help()
    helper = threading.Thread(target=search.help)
    helper.start()
    helper.join(5)
    assert not helper.is_alive()
    assert search.root_edges() == before


def test_a_helper_that_comes_early_waits_for_the_run():
    """Between `admit_helpers` and `run` the budget is still that of the previous search."""
    view = view_of(decision("tic_tac_toe", 0))
    search = searched(view, 500, batch=8)
    search.restart(view, 1)
    search.admit_helpers(2)
    helper = threading.Thread(target=search.help)
    helper.start()
    time.sleep(0.1)
    assert search.visits == 0
    assert search.run(iterations=100) == "iterations"
    helper.join(5)
    assert not helper.is_alive()
    assert search.root_edges() == searched(view, 100, batch=8).root_edges()


def test_more_helpers_than_were_announced_do_no_harm():
    view = view_of(decision("carcassonne", 12))
    for ordered, budget in ((True, {"iterations": 1500}), (False, {"seconds": 0.15})):
        search = Search(view, 1, batch=4)
        search.admit_helpers(2, ordered)
        helpers = [threading.Thread(target=search.help) for _ in range(6)]
        for helper in helpers:
            helper.start()
        search.run(**budget)
        for helper in helpers:
            helper.join(5)
            assert not helper.is_alive()
        search.check_tree()
        assert search.visits == search.iterations
        if ordered:
            assert search.root_edges() == searched(view, 1500, batch=4).root_edges()


def test_a_crew_helps_with_one_search_after_the_other(watch):
    """The threads of a crew stay until the crew is closed."""
    players = set()
    watch(lambda move: (players.add(threading.get_ident()), time.sleep(0.0002)))
    view = view_of(started(Watched()))
    search = Search(view, 1, batch=8)
    before = threading.active_count()
    crew = Crew(3)
    for number in range(5):
        search.restart(view, number)
        assert run_search(search, crew, iterations=60) == "iterations"
        assert search.root_edges() == searched(view, 60, number, batch=8).root_edges()
    assert 2 <= len(players) <= 3
    assert threading.active_count() > before
    crew.close()
    crew.close()
    patience = time.perf_counter() + 5
    while threading.active_count() > before and time.perf_counter() < patience:
        time.sleep(0.01)
    assert threading.active_count() <= before           # threads of tests before may have ended meanwhile
    search.restart(view, 9)
    assert run_search(search, crew, iterations=50) == "iterations"      # and the crew can be used again
    crew.close()


@pytest.mark.parametrize("threads", [0, 65])
def test_a_search_has_1_to_64_threads(threads):
    search = Search(view_of(decision("tic_tac_toe", 0)), 1)
    with pytest.raises(ValueError, match=f"1 to 64 threads, not {threads}"):
        search.admit_helpers(threads)


def test_no_thread_is_left_behind():
    view = view_of(decision("tic_tac_toe", 0))
    before = threading.active_count()
    search = Search(view, 1, batch=8)
    for number in range(60):
        search.restart(view, number)
        run_search(search, 3, iterations=20)
    patience = time.perf_counter() + 5                  # the last threads may still be ending
    while threading.active_count() > before and time.perf_counter() < patience:
        time.sleep(0.01)
    assert threading.active_count() <= before           # threads of tests before may have ended meanwhile


# ---- continuing with the same memory -----------------------------------------------------------------


@pytest.mark.parametrize(("spec", "plies"), GAMES)
def test_worlds_made_ready_for_one_root_are_not_used_at_another(spec, plies):
    """Threads prepare worlds in advance; a cancelled search leaves some of them unused."""
    old, new = view_of(decision(spec, plies)), view_of(decision(spec, plies + 1, seed=4))
    search = Search(old, 1, batch=8)
    run_search(search, 2, seconds=0.05)
    searched_before = search.iterations
    search.restart(old, 1)
    search.run(seconds=0.03)                            # in order, so that prepared worlds remain
    search.restart(new, 1)
    run_search(search, 2, iterations=400)
    assert searched_before > 0
    assert search.root_edges() == searched(new, 400, batch=8).root_edges()


def test_a_tree_goes_on_within_a_turn_with_iterations_in_flight():
    """A search that is stopped anywhere, advanced and resumed equals the uninterrupted search."""
    state = decision("carcassonne", 20, seed=3, choices=4)
    search = Search(view_of(state), 1, c=0.3, batch=8)

    def enough(running):
        raise LookupError

    with pytest.raises(LookupError):
        run_search(search, 2, iterations=10**9, callback=enough)
    twin = searched(view_of(state), search.iterations, c=0.3, batch=8)
    assert twin.root_edges() == search.root_edges()
    best = search.root()[0][0]
    child = after(state, best)
    assert child.to_move == state.to_move
    for one in (search, twin):
        assert one.advance(best, view_of(child))
        run_search(one, 2, iterations=one.visits + 500)
        one.check_tree()
    assert twin.root_edges() == search.root_edges()
    assert set(child.legal_moves()) >= {move for move, _, _, _ in search.root()}


@pytest.mark.parametrize("agent", ["ismcts", "mo-ismcts", "pimc"])
def test_earlier_decisions_leave_no_trace(agent):
    """An earlier search, perhaps of another seat, is dropped with its tree."""
    spec = f"{agent}:iterations=400"
    used = sfida.agent(spec, seed=4)
    here = view_of(decision("phantom_tic_tac_toe", 2))
    used.analyze(view_of(decision("phantom_tic_tac_toe", 3, seed=7)))
    assert content(used.analyze(here)) == content(sfida.agent(spec, seed=4).analyze(here))
