"""Clocks for whole games: their specs, the time for a decision, and games that stay within their clock."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

import sfida
from sfida.ai import ismcts
from sfida.ai.search import run_search
from sfida.ai.seat import LEAST, Clock, read_clock
from support.search_toys import Kingmaker
from support.searching import after, decision, started, view_of
from support.stopping import timed
from support.toys import Arms, ArmsPosition

# ---- the text -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("text", "seconds", "increment"), [
    ("300", 300.0, 0.0), ("300+5", 300.0, 5.0), ("0.5+0.25", 0.5, 0.25), (" 60+0 ", 60.0, 0.0), ("1.5", 1.5, 0.0)])
def test_clocks_are_read(text, seconds, increment):
    assert read_clock(text) == (seconds, increment)


@pytest.mark.parametrize("text", ["", "+5", "5+", "0", "0+5", "0.0", "-3", "five", "300+5+1", "3e2", "nan", "inf",
                                  "300 + 5", "1,5", "5:00"])
def test_what_is_no_clock_is_refused(text):
    with pytest.raises(sfida.InvalidOption, match="such as 300\\+5, not"):
        read_clock(text)


@pytest.mark.parametrize("agent", ["ismcts", "mo-ismcts", "pimc"])
def test_agents_refuse_what_is_no_clock(agent):
    with pytest.raises(sfida.InvalidOption, match="such as 300\\+5, not 'fast'"):
        sfida.agent(f"{agent}:clock=fast")
    assert sfida.agent(f"{agent}:clock=300+5").spec == f"{agent}:clock=300+5"


# ---- the time for a decision --------------------------------------------------------------------------


@given(start=st.floats(0.05, 1e5), increment=st.floats(0.0, 100.0), decisions=st.floats(0.1, 500.0),
       weight=st.floats(0.01, 20.0), used=st.floats(0.0, 1.5))
def test_no_decision_gets_more_than_is_left(start, increment, decisions, weight, used):
    clock = Clock(start, increment)
    clock.spend(used * start)
    clock.left -= increment
    seconds = clock.allot(decisions, weight)
    assert seconds >= LEAST
    assert seconds <= max(LEAST, clock.left)
    if decisions >= 4:
        assert seconds <= max(LEAST, 0.25 * clock.left)


@given(start=st.floats(1.0, 1e4), increment=st.floats(0.0, 10.0), weights=st.lists(st.floats(0.1, 10.0), max_size=80),
       expected=st.floats(1.0, 60.0))
def test_a_game_that_lasts_as_long_as_it_likes_stays_within_its_clock(start, increment, weights, expected):
    """Even with far more decisions than expected, the time spent never exceeds the time available."""
    clock = Clock(start, increment)
    for weight in weights:
        seconds = clock.allot(expected, weight)
        if seconds > LEAST:
            assert seconds <= clock.left
        clock.spend(min(seconds, max(clock.left, 0.0)))
        assert clock.left >= increment - 1e-9


def test_time_is_shared_among_the_decisions_to_come():
    clock = Clock(100.0)
    assert clock.allot(10) == pytest.approx(9.8)        # two per cent are held back
    assert clock.allot(20) == pytest.approx(4.9)
    assert clock.allot(10, 2.0) == pytest.approx(19.6)
    assert clock.allot(10, 0.5) == pytest.approx(4.9)
    assert clock.allot(10, 9.0) == pytest.approx(24.5)  # a quarter at most
    assert clock.allot(1) == pytest.approx(98.0)        # but all of the time for the last decision


def test_increments_are_spent_and_added():
    clock = Clock(100.0, 5.0)
    assert clock.allot(20) == pytest.approx(4.9 + 5.0)
    clock.spend(12.0)
    assert clock.left == pytest.approx(93.0)
    poor = Clock(1.0, 5.0)
    assert poor.allot(20) <= 1.0                        # an increment comes after its decision


def test_a_clock_that_has_run_out_leaves_next_to_nothing():
    clock = Clock(10.0)
    clock.spend(11.0)
    assert clock.left < 0
    assert clock.allot(20) == LEAST


# ---- agents -------------------------------------------------------------------------------------------


@pytest.fixture
def budgets(monkeypatch):
    """Note the budget of every run of a search."""
    noted = []

    def run(search, threads, **budget):
        noted.append((budget.get("iterations"), budget.get("seconds")))
        return run_search(search, threads, **budget)

    for module in (ismcts, ismcts):
        monkeypatch.setattr(module, "run_search", run)
    return noted


class Slow(ArmsPosition):
    """A playout takes half a millisecond, so that few iterations fit into a second."""

    __slots__ = ()

    def utilities(self):
        end = math.inf
        for _ in range(20_000):
            end -= 1
        return super().utilities()


class Planned(Arms):
    """The arms, in a game that estimates the decisions left and their weight."""

    position_class = Slow

    def __init__(self, left=20.0, weight=1.0):
        super().__init__()
        self.left, self.weight = left, weight

    def decisions_left(self, state, seat):
        assert (state.to_move, seat) == (0, 0)
        return self.left

    def decision_weight(self, state, seat):
        return self.weight


@pytest.mark.parametrize(("left", "weight", "share"), [(20, 1, 0.049), (10, 1, 0.098), (20, 3, 0.147), (20, 9, 0.245)])
@pytest.mark.parametrize("agent", ["ismcts", "mo-ismcts"])
def test_a_game_says_how_its_time_is_shared(budgets, agent, left, weight, share):
    view = view_of(started(Planned(left, weight)))
    sfida.agent(f"{agent}:clock=0.4,extend=0,early_stop=false").choose(view)
    assert budgets == [(None, pytest.approx(0.4 * share))]


def test_a_clock_counts_the_time_of_every_decision(budgets):
    view = view_of(started(Planned(10)))
    agent = sfida.agent("ismcts:clock=1+0.1,extend=0,early_stop=false")
    for _ in range(3):
        agent.choose(view)
    shares = [seconds for _, seconds in budgets]
    assert shares[0] == pytest.approx(0.098 + 0.1)
    assert shares[0] > shares[1] > shares[2]            # each decision took more than its increment
    agent.new_game()
    agent.choose(view)
    assert budgets[-1][1] == shares[0]                  # a new game resets the clock


def test_an_analysis_does_not_run_on_the_clock(budgets):
    view = view_of(started(Arms()))
    agent = sfida.agent("ismcts:clock=0.2")
    agent.analyze(view)
    assert budgets == [(1000, None)]
    sfida.agent("ismcts:clock=0.2,seconds=0.05").analyze(view)
    assert budgets[1] == (None, 0.05)


@timed
def test_other_budgets_bound_what_the_clock_gives(budgets):
    view = view_of(started(Planned(20)))
    sfida.agent("ismcts:clock=300,seconds=0.05,extend=0").choose(view)
    sfida.agent("ismcts:clock=300,iterations=50,extend=0").choose(view)
    assert budgets[0] == (None, 0.05)
    assert budgets[1] == (50, pytest.approx(14.7))
    budgets.clear()
    sfida.agent("pimc:clock=4").choose(view)
    (iterations, seconds), = budgets                    # minus the time to set up the search
    assert iterations is None
    assert 0.5 * 4 * 0.049 < seconds <= 4 * 0.049


@timed
@pytest.mark.parametrize("spec", ["ismcts:clock=0.6", "mo-ismcts:clock=0.4+0.02", "pimc:clock=0.6,worlds=5",
                                  "ismcts:clock=0.6,threads=2"])
@pytest.mark.parametrize("game", ["tic_tac_toe", "phantom_tic_tac_toe"])
def test_a_game_stays_within_its_clock(game, spec):
    """The table measures the time, with a tolerance of a fifth of a second for a busy machine."""
    spent, decisions = 0.0, 0

    def note(event):
        nonlocal spent, decisions
        if event.seat == 0:
            spent += event.seconds
            decisions += 1

    sfida.play(game, [spec, "random"], seed=3, on_event=note)
    seconds, increment = read_clock(spec.partition("clock=")[2].partition(",")[0])
    assert decisions >= 3
    assert 0.1 * seconds < spent < seconds + increment * decisions + 0.2


# ---- more time where the best moves disagree -----------------------------------------------------------

DISAGREEING = "priors=true,c_prior=100,early_stop=false"      # visits follow the priors


class MisjudgedPosition(Slow):
    """Two arms: the worse one has four fifths of the prior, and therefore of the visits."""

    __slots__ = ()

    def legal_moves(self):
        return [0, 10]

    def priors(self, moves):
        return [4.0 if move == 0 else 1.0 for move in moves]


class Misjudged(Planned):
    """Arms on whose order visits and results never agree."""

    position_class = MisjudgedPosition


def test_a_disagreement_gets_more_time(budgets):
    view = view_of(started(Misjudged()))
    for extend in (0.0, 0.5, 2.0):
        agent = sfida.agent(f"ismcts:seconds=0.1,extend={extend},{DISAGREEING}")
        agent.choose(view)
        extra = [(None, pytest.approx(0.1 * extend / 2))] * 2 if extend else []
        assert budgets == [(None, 0.1), *extra]
        assert agent.last_analysis.seconds >= 0.1 * (1 + extend)
        budgets.clear()


def test_agreement_gets_none(budgets):
    view = view_of(started(Kingmaker()))
    sfida.agent("ismcts:seconds=0.1,extend=1,c=0.2,early_stop=false").choose(view)
    assert budgets == [(None, 0.1)]


def test_an_analysis_and_an_iteration_budget_are_not_extended(budgets):
    view = view_of(started(Misjudged()))
    sfida.agent(f"ismcts:seconds=0.05,extend=1,{DISAGREEING}").analyze(view)
    sfida.agent(f"ismcts:iterations=100,extend=1,{DISAGREEING}").choose(view)
    assert budgets == [(None, 0.05), (100, None)]


@timed
def test_an_extension_does_not_overdraw_the_clock():
    """The last decision gets all remaining time; an extension for a disagreement must not exceed it."""
    agent = sfida.agent(f"ismcts:clock=0.3,extend=1,{DISAGREEING}")
    agent.choose(view_of(started(Misjudged(left=1.0))))
    assert agent.last_analysis.iterations > 0
    assert agent.last_analysis.seconds < 0.3 + 0.1


# ---- later steps of a turn ----------------------------------------------------------------------------


def test_a_later_step_of_a_turn_gets_a_share(budgets):
    state = decision("carcassonne", 20, seed=3, choices=4)
    for follow, seconds in ((0.3, 0.03), (1.0, 0.1), (0.0, LEAST)):
        agent = sfida.agent(f"ismcts:seconds=0.1,endgame=0,extend=0,early_stop=false,follow={follow}", seed=4)
        move = agent.choose(view_of(state))
        child = after(state, move)
        assert child.to_move == state.to_move
        if len(child.legal_moves()) > 1:
            agent.choose(view_of(child))
            assert budgets == [(None, 0.1), (None, pytest.approx(seconds))]
        budgets.clear()


@given(start=st.floats(0.01, 1e4), increment=st.floats(0.0, 1e3), saved=st.floats(0.0, 1e5),
       decisions=st.floats(0.0, 500.0), weight=st.floats(0.0, 10.0), spent=st.floats(0.0, 100.0))
def test_no_decision_gets_more_than_the_clock_had_at_the_start(start, increment, saved, decisions, weight, spent):
    clock = Clock(start, increment)
    clock.left += saved
    assert clock.longest == start + increment
    assert clock.allot(decisions, weight) <= max(LEAST, clock.longest)
    assert spent + clock.spare(spent) <= max(spent, clock.longest) + 1e-9


def test_worlds_that_no_time_is_left_for_are_left_out(monkeypatch):
    """Each world gets at least a millisecond, so ten thousand worlds would take ten seconds."""
    searched = []
    monkeypatch.setattr(ismcts, "run_search",
                        lambda *given, **budget: searched.append(1) or run_search(*given, **budget))
    sfida.agent("pimc:seconds=0.02,worlds=10000").choose(view_of(decision("risiko:players=3", 3)))
    assert 1 <= len(searched) <= 100
