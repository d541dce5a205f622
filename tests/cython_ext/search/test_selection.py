"""Parameters of selection that change the visited moves, on games with known values."""

import pytest

import sfida
from support.hidden_toys import FIRST, GO, Guess, Leaky
from support.search_toys import Kingmaker
from support.searching import after, mean_value, searched, started, view_of
from support.toys import ARMS, Arms

# ---- the rewards of other seats ----------------------------------------------------------------------


@pytest.mark.parametrize("batch", [1, 8])
def test_others_strive_for_their_own_reward(batch):
    """Seat 1 gives up nothing to harm seat 0."""
    row = searched(view_of(started(Kingmaker())), 2500, c=0.3, batch=batch).root_edges()[0]
    assert row["move"] == 0
    assert row["value"] == pytest.approx((0.70, 0.20, 0.10), abs=0.04)


# ---- moves that win for certain ----------------------------------------------------------------------


def winning_position():
    """Return a position of tic-tac-toe with several moves, exactly one of which wins at once."""
    state = sfida.make("tic_tac_toe")
    for text in ("a1", "a2", "b1", "b2"):
        state.apply(state.parse(text))
    return state, state.parse("c1")


@pytest.mark.parametrize("parameters", [{}, {"batch": 8}], ids=str)
def test_a_move_that_wins_is_the_only_one_looked_at(parameters):
    state, win = winning_position()
    assert after(state, win).utilities()[state.to_move] == 1
    decided = searched(view_of(state), 200, decisive=True, **parameters).root_edges()
    assert [(row["move"], row["visits"]) for row in decided] == [(win, 200)]
    open_minded = searched(view_of(state), 200, decisive=False, **parameters).root_edges()
    assert {row["move"] for row in open_minded} == set(state.legal_moves())


def test_a_threat_is_answered_sooner_where_wins_are_seen():
    """If the opponent could win at once, the search need not visit each of its replies to see the threat."""
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
    """Every guess wins in some world, so the search must not restrict itself to one."""
    view = view_of(started(Guess(), FIRST, GO))
    search = searched(view, 4000, decisive=True)
    rows = search.root_edges()
    assert len(rows) == 4
    for row in rows:                                    # 1 / 4, five standard errors at a share of the visits
        assert row["value"][0] == pytest.approx(0.25, abs=5 * 0.433 / row["visits"] ** 0.5)


def test_a_hidden_game_may_say_which_move_wins():
    """With `sure_win` the game guarantees the win, even with hidden information."""
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
    ("priors=false,expand_at=3", {"expand_at": 3}),
    ("priors=false,batch=3", {"batch": 3}),
    ("priors=false,blend=0.5,tau=3", {"blend": 0.5, "tau": 3.0}),
], ids=str)
@pytest.mark.parametrize("game", [Arms(), Leaky()], ids=lambda game: game.name)
def test_an_agent_searches_with_what_it_was_told(game, options, parameters):
    view = view_of(started(game, FIRST) if game.name == "leaky" else started(game))
    found = sfida.agent(f"ismcts:iterations=300,{options}", seed=6).analyze(view)
    search = searched(view, 300, 6, **{"decisive": True, "batch": 8, **parameters})
    assert sorted((m.code, m.visits, m.value) for m in found.moves) == sorted(
        (row["move"], row["visits"], row["value"][0] if row["visits"] else None) for row in search.root_edges())


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
