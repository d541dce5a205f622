"""Parameters of selection and backup that change which moves are looked at, on games with known truths."""

import pytest

import sfida
from sfida.engines.python_game import PythonPosition
from support.hidden_toys import FIRST, GO, Guess, Leaky
from support.search_toys import Booths, Kingmaker, KingmakerOptions, Trap, TrapOptions
from support.searching import after, decision, mean_value, searched, started, view_of
from support.toys import ARMS, Arms


def most_visited(search):
    return search.root()[0][0]


# ---- what others strive for --------------------------------------------------------------------------


@pytest.mark.parametrize(("parameters", "lead", "best", "shares"), [
    ({}, True, 0, (0.70, 0.20, 0.10)),
    ({"backup": "paranoid"}, True, 1, (0.40, 0.30, 0.30)),
    ({"backup": "leader", "leader_weight": 0.2}, True, 2, (0.55, 0.35, 0.10)),
    ({"backup": "leader", "leader_weight": 0.05}, True, 0, (0.70, 0.20, 0.10)),
    ({"backup": "leader", "leader_weight": 0.2}, False, 0, (0.70, 0.20, 0.10)),
], ids=str)
@pytest.mark.parametrize("window", [1, 8])
def test_the_best_move_depends_on_what_others_strive_for(parameters, lead, best, shares, window):
    """Seat 1 harms seat 0 where it is nothing but hostile, or where that costs little and seat 0 leads."""
    view = view_of(started(Kingmaker(KingmakerOptions(lead=lead))))
    row = searched(view, 2500, c=0.3, window=window, **parameters).root_edges()[0]
    assert row["move"] == best
    assert row["value"] == pytest.approx(shares, abs=0.04)


def test_an_agent_is_told_what_others_strive_for():
    view = view_of(started(Kingmaker()))
    chosen = [sfida.agent(f"ismcts:iterations=2000,c=0.3,{more}", seed=1).choose(view) for more in (
        "backup=maxn", "backup=paranoid", "backup=leader", "backup=leader,leader_weight=0.05")]
    assert chosen == [0, 1, 2, 0]


def test_holding_a_leader_back_needs_an_evaluation():
    """Without one nobody is known to lead, and everybody strives for his own reward."""
    class BlindPosition(Kingmaker.position_class):
        __slots__ = ()
        evaluate = PythonPosition.evaluate

    class Blind(Kingmaker):
        position_class = BlindPosition

    view = view_of(started(Blind()))
    assert searched(view, 500, backup="leader").root_edges() == searched(view, 500).root_edges()


# ---- implicit minimax --------------------------------------------------------------------------------


@pytest.mark.parametrize("percent", [0, 5])
def test_the_evaluation_backed_up_by_best_reply_sees_a_trap(percent):
    """Nine replies of ten do not punish the move; the evaluation knows the tenth, even when it is a lost game."""
    view = view_of(started(Trap(TrapOptions(percent=percent))))
    shares = []
    for minimax in (0.0, 0.5, 1.0):
        visits = dict.fromkeys((0, 1), 0)
        for seed in range(10):
            for move, n, _, _ in searched(view, 30, seed, minimax=minimax, c=0.3, decisive=False).root():
                visits[move] += n
        shares.append(visits[1] / 300)
    assert shares[0] > 0.5
    assert shares[2] < 0.2
    assert shares[1] < shares[0] - 0.05


def test_implicit_minimax_needs_an_evaluation():
    agent = sfida.agent("ismcts:minimax=0.3")
    with pytest.raises(sfida.InvalidOption, match=r"tic_tac_toe.*no evaluation to back up.*'minimax'"):
        agent.choose(view_of(decision("tic_tac_toe", 0)))


def test_implicit_minimax_changes_no_value_told():
    """Values that are shown stay means of results; only what is looked at changes."""
    view = view_of(started(Trap()))
    for row in searched(view, 400, minimax=0.4, c=0.5).root_edges():
        if row["move"] == 0:
            assert row["value"] == pytest.approx([0.6, 0.4])


# ---- progressive history -----------------------------------------------------------------------------


@pytest.mark.parametrize("window", [1, 8])
def test_history_tells_places_what_was_good_at_others(window):
    """One ware is good at all of forty booths: with history a search finds it sooner at each.

    Over six seeds the mean gains .06 +- .01; 0.025 is three standard errors less.
    """
    view = view_of(started(Booths()))
    means = [sum(mean_value(searched(view, 1000, seed, history=history, window=window)) for seed in range(6)) / 6
             for history in (0.0, 3.0)]
    assert means[1] > means[0] + 0.025


# ---- moves that win for certain ----------------------------------------------------------------------


def winning_position():
    """Tic-tac-toe with exactly one move that wins at once, among several."""
    state = sfida.make("tic_tac_toe")
    for text in ("a1", "a2", "b1", "b2"):
        state.apply(state.parse(text))
    return state, state.parse("c1")


@pytest.mark.parametrize("parameters", [{}, {"window": 8}], ids=str)
def test_a_move_that_wins_is_the_only_one_looked_at(parameters):
    state, win = winning_position()
    assert after(state, win).utilities()[state.to_move] == 1
    decided = searched(view_of(state), 200, decisive=True, **parameters).root_edges()
    assert [(row["move"], row["visits"]) for row in decided] == [(win, 200)]
    open_minded = searched(view_of(state), 200, decisive=False, **parameters).root_edges()
    assert {row["move"] for row in open_minded} == set(state.legal_moves())


def test_a_threat_is_answered_sooner_where_wins_are_seen():
    """Where the opponent would win at once, its replies need no visits each to be understood."""
    state = sfida.make("tic_tac_toe")
    for text in ("a1", "b2", "c3", "b1"):               # seat 1 threatens b3
        state.apply(state.parse(text))
    answer = state.parse("b3")
    counts = [0, 0]
    for seed in range(20):
        for decisive in (False, True):
            search = searched(view_of(state), 60, seed, decisive=decisive, c=0.5)
            counts[decisive] += {move: n for move, n, _, _ in search.root()}[answer]
    assert counts[True] > counts[False] + 120           # a tenth of all iterations


def test_a_win_in_one_world_proves_nothing():
    """Every guess wins in some world; none is the only one looked at."""
    view = view_of(started(Guess(), FIRST, GO))
    search = searched(view, 4000, decisive=True)
    rows = search.root_edges()
    assert len(rows) == 4
    for row in rows:                                    # 1 / 4, five standard errors at a share of the visits
        assert row["value"][0] == pytest.approx(0.25, abs=5 * 0.433 / row["visits"] ** 0.5)


def test_a_hidden_game_may_say_which_move_wins():
    """With `sure_win` the game vouches for it, also where something is hidden."""
    class Telling(Guess.position_class):
        __slots__ = ()

        def sure_win(self, moves):
            return FIRST + 2 if FIRST + 2 in moves else None

    class TellingGuess(Guess):
        position_class = Telling

    view = view_of(started(TellingGuess(), FIRST, GO))
    assert [(row["move"], row["visits"]) for row in searched(view, 50, decisive=True).root_edges()] == [
        (FIRST + 2, 50)]
    assert len(searched(view, 50, decisive=False).root_edges()) == 4
    assert sfida.agent("ismcts:iterations=50", seed=1).choose(view) == FIRST + 2
    assert len(sfida.agent("ismcts:iterations=50,decisive=false", seed=1).analyze(view).moves) == 4


# ---- options of agents reach the search ---------------------------------------------------------------


@pytest.mark.parametrize(("options", "parameters"), [
    ("c=0.2,priors=false", {"c": 0.2}), ("c=2,priors=false", {"c": 2.0}),
    ("priors=true,c_prior=0.5,fpu=0.4", {"priors": True, "c_prior": 0.5, "fpu": 0.4}),
    ("priors=true,widen=2,widen_factor=0.5", {"priors": True, "widen_base": 2, "widen_factor": 0.5}),
    ("priors=false,expand_at=3,history=1.5", {"expand_at": 3, "history": 1.5}),
    ("priors=false,batch=3", {"window": 3}),
    ("priors=false,blend=0.5,tau=3", {"blend": 0.5, "tau": 3.0}),
    ("priors=false,playout=nst,noise=0.4", {"playout": "nst", "noise": 0.4}),
], ids=str)
@pytest.mark.parametrize("game", [Arms(), Leaky()], ids=lambda game: game.name)
def test_an_agent_searches_with_what_it_was_told(game, options, parameters):
    view = view_of(started(game, FIRST) if game.name == "leaky" else started(game))
    found = sfida.agent(f"ismcts:iterations=300,{options}", seed=6).analyze(view)
    search = searched(view, 300, 6, **{"decisive": True, "window": 8, **parameters})
    assert sorted((m.code, m.visits, m.value) for m in found.moves) == sorted(
        (row["move"], row["visits"], row["value"][0]) for row in search.root_edges())


def test_a_search_held_to_a_move_looks_at_no_other():
    view = view_of(started(Arms()))
    search = searched(view, 10, priors=True)
    for only in (7, ARMS - 1):
        search.restart(view, 1, only=only)
        search.run(iterations=100)
        assert [(row["move"], row["visits"]) for row in search.root_edges()] == [(only, 100)]
        assert mean_value(search) == pytest.approx(only / ARMS)
    with pytest.raises(ValueError, match="99 is not a legal move"):
        search.restart(view, 1, only=99)
    search.restart(view, 1)
    search.run(iterations=100)
    assert len(search.root_edges()) == ARMS
