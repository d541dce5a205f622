"""No agent sees what its seat cannot know: equal information and equal seeds give equal visit counts."""

import pytest

import sfida
from sfida.cython_ext.rng import Random, derive
from sfida.cython_ext.search import Search
from sfida.cython_ext.state import View
from sfida.engines.registry import game_names, make

HIDING = [name for name in game_names() if make(name).hidden]


def visits(view, seed, *, cheat=False, iterations=500):
    search = Search(view, seed=seed, c=0.7, cheat=cheat)
    search.run(iterations=iterations)
    return search.root()


def decisions(name, games=8, seed=48):
    """Yield decisions of random games, each with its own stream of random numbers."""
    for game in range(games):
        rng = Random(derive(seed, game))
        state = make(name)
        while not state.is_over:
            if state.is_chance:
                state.apply(state.sample_chance(rng))
                continue
            yield state.clone(), rng
            moves = state.legal_moves()
            state.apply(moves[rng.below(len(moves))])


def permuted(state, rng):
    """Redraw what the mover cannot know."""
    twin = state.clone()
    twin.determinize(state.to_move, rng)
    return twin


def differing(name, search):
    """Count the decisions at which `search(state, seed)` differs when hidden information is permuted."""
    found = [0, 0]
    for number, (state, rng) in enumerate(decisions(name)):
        twin = permuted(state, rng)
        assert twin.view(state.to_move).key() == state.view(state.to_move).key()
        found[search(state, number) != search(twin, number)] += 1
    assert sum(found) >= 10
    return found[True]


def test_there_are_games_that_hide_something():
    assert {"kuhn_poker", "leduc_poker", "goofspiel", "phantom_tic_tac_toe"} <= set(HIDING)


@pytest.mark.parametrize("name", HIDING)
def test_views_give_identical_searches(name):
    assert differing(name, lambda state, seed: visits(state.view(state.to_move), seed)) == 0


@pytest.mark.parametrize("name", HIDING)
def test_poisoned_and_true_hidden_data_give_identical_searches(name):
    """The search works on a redacted copy exactly as it would on the true state, because it reads neither."""
    for number, (state, _) in enumerate(decisions(name, games=2)):
        seat = state.to_move
        assert visits(state.view(seat), number) == visits(View.unredacted(state, seat), number)


@pytest.mark.parametrize("name", HIDING)
def test_a_cheating_search_is_caught(name):
    """Positive control: searching the true state gives different counts for different hidden cards."""
    assert differing(name, lambda state, seed: visits(View.unredacted(state, state.to_move), seed,
                                                      cheat=True)) > 0


def test_cheating_needs_an_unredacted_view():
    state = make("kuhn_poker")
    for _ in range(2):
        state.apply(state.legal_moves()[0])
    with pytest.raises(ValueError, match="unredacted"):
        Search(state.view(0), cheat=True)


@pytest.mark.parametrize("name", HIDING)
@pytest.mark.parametrize("agent", ["random", "greedy", "flat:iterations=300", "ismcts:iterations=300"])
def test_agents_choose_alike(name, agent):
    """The same through the public face: every agent gets a view and answers from it alone."""
    for number, (state, rng) in enumerate(decisions(name, games=1)):
        twin = permuted(state, rng)
        seat = state.to_move
        first = sfida.agent(agent, seed=number).choose(state.view(seat))
        assert first == sfida.agent(agent, seed=number).choose(twin.view(seat))
        assert first in state.legal_moves()


def test_value_of_hidden_information():
    """In phantom tic-tac-toe the cheat beats the honest search clearly, so there is something to see."""
    won = 0.0
    games = 60
    for game in range(games):
        state = make("phantom_tic_tac_toe")
        cheat_seat = game % 2
        ply = 0
        while not state.is_over:
            seat = state.to_move
            if seat == cheat_seat:
                rows = visits(View.unredacted(state, seat), derive(7, game, ply), cheat=True, iterations=200)
            else:
                rows = visits(state.view(seat), derive(8, game, ply), iterations=200)
            state.apply(rows[0][0])
            ply += 1
        won += state.utilities()[cheat_seat]
    assert won / games > 0.6
