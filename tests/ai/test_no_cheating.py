"""No agent sees what its seat cannot know: equal information and equal seeds give equal visit counts."""

import pytest

import sfida
from sfida.ai.seat import observations
from sfida.cython_ext.rng import Random, derive
from sfida.cython_ext.search.search import Search
from sfida.cython_ext.state import View
from sfida.engines.registry import game_names, make, make_game
from support.short_games import short_for_three, stride

HIDING = [short_for_three(name) for name in game_names() if make(name).hidden]


VARIANTS = [
    {"batch": 8},
    {"multiple": True, "keyed": True},
    {"multiple": True, "keyed": False, "batch": 8},
    {"multiple": True, "bids": "ucb", "batch": 8},
    {"expand_at": 1, "decisive": True, "chance_depth": 1},
]


def visits(view, seed, *, cheat=False, iterations=500, **parameters):
    search = Search(view, seed=seed, c=0.7, cheat=cheat, **parameters)
    search.run(iterations=iterations)
    return search.root()


def decisions(name, games=4, seed=48):
    """Yield decisions of random games, each with a separate random stream."""
    for game in range(games):
        rng = Random(derive(seed, game))
        state = make(name)
        number = 0
        while not state.is_over:
            if state.is_chance:
                state.apply(state.sample_chance(rng))
                continue
            if number % stride(name) == 0:
                yield state.clone(), rng
            number += 1
            moves = state.legal_moves()
            state.apply(moves[rng.below(len(moves))])


def permuted(state, rng):
    """Return a state with the mover's hidden information redrawn."""
    twin = state.clone()
    twin.determinize(state.to_move, rng)
    return twin


def differs(name, search, games=4):
    """Return whether `search(state, seed)` differs at some decision when hidden information is permuted."""
    number = -1
    for number, (state, rng) in enumerate(decisions(name, games)):
        twin = permuted(state, rng)
        assert twin.view(state.to_move).key() == state.view(state.to_move).key()
        if search(state, number) != search(twin, number):
            return True
    assert number + 1 >= min(10, 2 * games)
    return False


def test_there_are_games_that_hide_something():
    assert {"kuhn_poker", "leduc_poker", "goofspiel", "phantom_tic_tac_toe"} <= set(HIDING)


@pytest.mark.parametrize("name", HIDING)
def test_views_give_identical_searches(name):
    assert not differs(name, lambda state, seed: visits(state.view(state.to_move), seed))


@pytest.mark.parametrize("name", HIDING)
def test_poisoned_and_true_hidden_data_give_identical_searches(name):
    """The search works on a redacted copy exactly as it would on the true state, because it reads neither."""
    for number, (state, _) in enumerate(decisions(name, games=2)):
        seat = state.to_move
        assert visits(state.view(seat), number) == visits(View.unredacted(state, seat), number)


@pytest.mark.parametrize("name", HIDING)
def test_a_cheating_search_is_caught(name):
    """Positive control: searching the true state gives different counts for different hidden cards."""
    assert differs(name, lambda state, seed: visits(View.unredacted(state, state.to_move), seed, cheat=True))


def test_cheating_needs_an_unredacted_view():
    state = make("kuhn_poker")
    for _ in range(2):
        state.apply(state.legal_moves()[0])
    with pytest.raises(ValueError, match="unredacted"):
        Search(state.view(0), cheat=True)


@pytest.mark.parametrize("name", HIDING)
@pytest.mark.parametrize("parameters", VARIANTS, ids=str)
def test_no_variant_reads_what_is_hidden(name, parameters):
    """Whole states that differ in hidden information, and the view, give the same counts."""
    def search(state, seed):
        return visits(View.unredacted(state, state.to_move), seed, iterations=120, **parameters)

    assert not differs(name, search, games=2)
    for number, (state, _) in enumerate(decisions(name, games=1)):
        assert search(state, number) == visits(state.view(state.to_move), number, iterations=120, **parameters)


@pytest.mark.parametrize("name", HIDING)
@pytest.mark.parametrize("parameters", VARIANTS, ids=str)
def test_a_cheating_variant_is_caught(name, parameters):
    """Positive control: without determinization the same searches differ."""
    assert differs(name, lambda state, seed: visits(View.unredacted(state, state.to_move), seed, iterations=120,
                                                    cheat=True, **parameters), games=3)


AGENTS = ["pimc:worlds=5", "pimc:worlds=5,batch=1", "mo-ismcts", "mo-ismcts:batch=1,bids=ucb", "ismcts:batch=1",
          "ismcts:threads=2"]


def analysed(spec, view, seed):
    """Return an agent's analysis of a view."""
    agent = sfida.agent(spec + (",iterations=150" if ":" in spec else ":iterations=150"), seed=seed)
    found = agent.analyze(view)
    return [(move.code, move.visits, move.values, move.strategy) for move in found.moves], found.beliefs


@pytest.mark.parametrize("name", HIDING)
@pytest.mark.parametrize("spec", AGENTS)
def test_agents_analyse_alike(name, spec):
    """Whole states and views give the same analysis through the public interface, with lines and beliefs."""
    for number, (state, rng) in enumerate(decisions(name, games=1)):
        twin, seat = permuted(state, rng), state.to_move
        first = analysed(spec, View.unredacted(state, seat), number)
        assert analysed(spec, View.unredacted(twin, seat), number) == first
        assert analysed(spec, state.view(seat), number) == first


@pytest.mark.parametrize("name", HIDING)
def test_an_ensemble_of_the_true_world_is_caught(name):
    """Positive control for worlds of an ensemble: worlds taken from the true state reveal hidden information."""
    assert differs(name, lambda state, seed: visits(state.view(state.to_move), seed, world=state.clone()), games=3)


# ---- beliefs ----------------------------------------------------------------------------------------

ALIKE = [                               # different games with the same observations of the seat
    ("kuhn_poker", 0, "deal:Q deal:J pass bet", "deal:Q deal:K pass bet"),
    ("leduc_poker", 1, "deal:J deal:J call raise call deal:Q call", "deal:K deal:J call raise call deal:Q call"),
    ("goofspiel", 1, "1", "3"),
    ("phantom_tic_tac_toe", 0, "b2 a1", "b2 b2 c3"),
    ("phantom_tic_tac_toe", 1, "b2 a1 c2 a2 b1", "b2 a1 a1 a3 a2 c3"),
]


def played(name, text):
    state, codes = make(name), []
    for move in text.split():
        codes.append(state.parse(move))
        state.apply(codes[-1])
    return state, codes


def believing(name, seat, text, spec):
    """Return an agent's analysis after it has watched a game from a seat."""
    state, codes = played(name, text)
    agent = sfida.agent(spec, seed=3)
    agent.new_game()
    for event in observations(make_game(name), codes, seat):
        agent.observe(event)
    found = agent.analyze(View.unredacted(state, seat))
    return [(move.code, move.visits, move.values) for move in found.moves], found.beliefs, found.effective


@pytest.mark.parametrize(("name", "seat", "one", "other"), ALIKE)
@pytest.mark.parametrize("batch", [1, 8])
@pytest.mark.parametrize("agent", ["ismcts", "mo-ismcts"])
def test_beliefs_come_from_what_was_seen(name, seat, one, other, agent, batch):
    spec = f"{agent}:iterations=200,beliefs=64,batch={batch}"
    found = believing(name, seat, one, spec)
    assert believing(name, seat, other, spec) == found
    assert found[2] > 0


@pytest.mark.parametrize(("name", "seat", "one", "other"), ALIKE)
def test_a_belief_that_holds_the_truth_is_caught(name, seat, one, other):
    """Positive control: the same searches with the true state for all worlds differ."""
    states = [played(name, text)[0] for text in (one, other)]
    counts = [visits(state.view(seat), 1, worlds=[state]) for state in states]
    assert counts[0] != counts[1]


# ---- any agent --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", HIDING)
@pytest.mark.parametrize("agent", ["random", "greedy", "flat:iterations=300", "ismcts:iterations=300"])
def test_agents_choose_alike(name, agent):
    """Through the public interface every agent gets a view and chooses from the view alone."""
    for number, (state, rng) in enumerate(decisions(name, games=1)):
        twin = permuted(state, rng)
        seat = state.to_move
        first = sfida.agent(agent, seed=number).choose(state.view(seat))
        assert first == sfida.agent(agent, seed=number).choose(twin.view(seat))
        assert first in state.legal_moves()


def test_value_of_hidden_information():
    """In phantom tic-tac-toe the cheat clearly beats the honest search, so hidden information matters."""
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
