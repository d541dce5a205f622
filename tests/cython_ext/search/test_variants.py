"""The variants of the search differ in the knowledge by which each decision is made."""

import pytest

import sfida
from sfida.ai.ismcts import PimcAgent
from sfida.cython_ext.rng import Random
from sfida.cython_ext.state import GameState
from support.exploitability import GameTree
from support.hidden_toys import CARDS, FIRST, GO, SAFE, Answer, Guess, GuessPosition, Hide
from support.searching import decision, searched, started, view_of

AGENTS = ["ismcts", "mo-ismcts", "pimc"]


def found(spec, state, iterations=3000, seed=1, **more):
    return sfida.agent(f"{spec}{',' if ':' in spec else ':'}iterations={iterations}", seed=seed, **more).analyze(
        view_of(state))


def value_of(analysis, code):
    return next(move.value for move in analysis.moves if move.code == code)


# ---- worlds searched with perfect information: pimc -----------------------------------------------------


@pytest.mark.parametrize("batch", [1, 8])
@pytest.mark.parametrize("card", range(CARDS))
def test_pimc_counts_on_knowing_and_one_tree_does_not(card, batch):
    """Strategy fusion: the best guess differs from world to world, and the seat never learns its world."""
    state = started(Guess(), FIRST + card)
    fused = found(f"pimc:batch={batch}", state)
    assert (fused.best.code, round(value_of(fused, GO), 1)) == (GO, 1.0)
    for agent in ("ismcts", "mo-ismcts"):
        honest = found(f"{agent}:batch={batch}", state)
        assert honest.best.code == SAFE
        assert value_of(honest, GO) < 0.45


def test_one_world_of_pimc_is_drawn_and_not_the_true_one():
    """With one world pimc guesses the card it has drawn: uniform over the four cards, right in one game out of four.

    Chi-square with three degrees of freedom stays below 25.9, and a count of 400 within 4.5 standard errors, except
    for one time in 100,000.
    """
    state = started(Guess(), FIRST + 2, GO)
    guesses = [0] * CARDS
    for seed in range(400):
        guesses[found("pimc:worlds=1", state, 40, seed).best.code - FIRST] += 1
    assert sum((n - 100) ** 2 / 100 for n in guesses) < 25.9
    assert abs(guesses[2] - 100) < 4.5 * 75**0.5


def test_the_worlds_of_pimc_come_from_the_determinizer(monkeypatch):
    """The number of worlds is as requested, but at most that of the iterations, and each is a separate draw."""
    drawn = []
    determinize = GuessPosition.determinize

    def note(position, seat, rng):
        determinize(position, seat, rng)
        drawn.append(position.card)

    state = started(Guess(), FIRST)
    for worlds, iterations, count in ((1, 100, 1), (7, 100, 7), (50, 20, 20)):
        view = view_of(state)
        agent = sfida.agent(f"pimc:worlds={worlds},iterations={iterations}", seed=3)
        with monkeypatch.context() as context:
            context.setattr(GuessPosition, "determinize", note)
            agent.choose(view)
        assert count <= len(drawn) <= count + 1         # the expected line may draw one more
        assert agent.last_analysis.iterations == iterations
        if count >= 7:
            assert len(set(drawn)) > 1
        drawn.clear()


def test_more_worlds_are_known_better():
    """With more worlds, the share of worlds in which a guess is right approaches a quarter."""
    state = started(Guess(), FIRST, GO)
    spreads = []
    for worlds in (1, 4, 100):
        shares = {move.code: move.share for move in found(f"pimc:worlds={worlds}", state, 4000).moves}
        spreads.append(max(shares.values()) - min(shares.get(FIRST + card, 0.0) for card in range(CARDS)))
    assert spreads[0] > 0.8
    assert spreads[0] > spreads[1] > spreads[2]
    assert spreads[2] < 0.25


def test_pimc_adds_up_its_worlds():
    found_ = found("pimc:worlds=7", decision("phantom_tic_tac_toe", 2), 500)
    assert found_.iterations == sum(move.visits for move in found_.moves) == 500
    assert sum(move.share for move in found_.moves) == pytest.approx(1)
    assert sum(found_.value) == pytest.approx(1)
    assert all(0 <= move.value <= 1 and 0 <= move.lcb <= 1 for move in found_.moves)


def test_where_nothing_is_hidden_pimc_searches_once():
    state = decision("tic_tac_toe", 2)
    one, many = (found(f"pimc:worlds={worlds}", state, 600) for worlds in (1, 50))
    assert [(m.code, m.visits) for m in one.moves] == [(m.code, m.visits) for m in many.moves]


@pytest.mark.parametrize("spec", ["tic_tac_toe", "phantom_tic_tac_toe", "leduc_poker", "carcassonne"])
def test_a_search_of_one_world_tells_lines_that_can_be_played(spec):
    state = decision(spec, 2)
    analysis = found("pimc:worlds=3", state, 3000)
    assert len(analysis.best.pv) > 1
    assert analysis.best.pv[0] == analysis.best.move
    rng = Random(5)
    for _ in range(400):                                # the move is legal in some world of the view
        world, played = view_of(state).sample(rng), 0
        for text in analysis.best.pv:
            try:
                world.apply(world.parse(text))
            except sfida.SfidaError:
                break
            played += 1
        if played == len(analysis.best.pv):
            break
    assert played == len(analysis.best.pv)


# ---- one tree per seat --------------------------------------------------------------------------------------


@pytest.mark.parametrize("batch", [1, 8])
@pytest.mark.parametrize("card", [0, 1])
def test_an_opponent_knows_his_own_secret_where_trees_are_told_apart_by_it(card, batch):
    """Asked, seat 1 names its own card and wins. Without keys it forgets the card, and asking seems worth a half."""
    state = started(Answer(), FIRST + card)
    keyed = found(f"mo-ismcts:batch={batch}", state)
    assert keyed.best.code == SAFE
    assert value_of(keyed, GO) < 0.2
    for spec in ("mo-ismcts:keyed=false", "ismcts:c=0.7"):
        forgetful = found(f"{spec},batch={batch}", state)
        assert forgetful.best.code == GO
        assert value_of(forgetful, GO) == pytest.approx(0.5, abs=0.06)


@pytest.mark.parametrize("batch", [1, 8])
def test_a_hidden_move_is_seen_in_one_tree_only(batch):
    """Finding the hidden object is worth a half, as one tree per seat shows; a shared tree values it at 1."""
    state = started(Hide())
    for spec in ("mo-ismcts", "mo-ismcts:keyed=false", "mo-ismcts:bids=ucb"):
        own = found(f"{spec}{',' if ':' in spec else ':'}batch={batch}", state)
        assert own.best.code == SAFE
        assert value_of(own, GO) < 0.65
    fused = found(f"ismcts:batch={batch}", state)
    assert fused.best.code == GO
    assert value_of(fused, GO) > 0.9


def test_keys_make_leduc_harder_to_exploit():
    """Exploitability at 1,000 iterations, by visit shares: one tree about .81, keyed trees about .65."""
    tree = GameTree(sfida.make("leduc_poker"))

    def exploitability(**parameters):
        policy = {}
        for number, (key, info) in enumerate(tree.sets.items()):
            visits = {move: n for move, n, _, _ in searched(info.view, 1000, number, c=0.4, **parameters).root()}
            policy[key] = [visits.get(move, 0) / 1000 for move in info.moves]
        return tree.exploitability(policy)

    assert 0.55 < exploitability(multiple=True, keyed=True) < 0.74


@pytest.mark.parametrize(("spec", "plies"), [("tic_tac_toe", 1), ("carcassonne", 12), ("phantom_tic_tac_toe", 3),
                                             ("leduc_poker", 1), ("goofspiel", 1), ("kuhn_poker", 0)])
@pytest.mark.parametrize("parameters", [
    {}, {"batch": 8}, {"bids": "ucb", "keyed": False}, {"bids": "exp3", "expand_at": 2, "batch": 8},
    {"decisive": True}], ids=str)
def test_trees_of_all_seats_are_sound(spec, plies, parameters):
    view = view_of(decision(spec, plies))
    search = searched(view, 1500, multiple=True, **parameters)
    search.check_tree()
    assert sum(row["visits"] for row in search.root_edges()) == search.visits == 1500


def test_nothing_hidden_makes_trees_of_all_seats_agree_with_one():
    """If both seats see the whole game, the value of each move is the same."""
    view = view_of(decision("tic_tac_toe", 3))
    one, many = ({row["move"]: row["reward"] for row in searched(view, 8000, c=0.4, **more).root_edges()}
                 for more in ({}, {"multiple": True}))
    assert one == pytest.approx(many, abs=0.12)
    best = max(one, key=one.__getitem__)
    assert one[best] == pytest.approx(many[best], abs=0.05)


@pytest.mark.parametrize("agent", ["ismcts", "mo-ismcts"])
def test_trees_go_on_within_a_turn(agent):
    """A later step of a turn begins with the results of the earlier ones, in either layout."""
    state = decision("carcassonne", 20, seed=3, choices=4)
    player = sfida.agent(f"{agent}:iterations=800,early_stop=false", seed=4)
    state.apply(player.choose(view_of(state)))
    assert len(state.legal_moves()) > 1
    player.choose(view_of(state))
    assert player.last_analysis.iterations == 800
    assert 800 < player.latest.iterations < 1600       # of both steps; part of the second tree already existed


# ---- all variants ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("spec", ["carcassonne:players=4", "phantom_tic_tac_toe", "leduc_poker", "goofspiel"])
def test_a_game_between_agents_is_the_same_again(agent, spec):
    players = 4 if "players=4" in spec else 2
    if players == 4:
        agent += ":iterations=3,cutoff=0"
    else:
        agent += ":iterations=40"
    records = [sfida.play(spec, [agent] * players, seed=9) for _ in range(2)]
    assert records[0] == records[1]


def test_one_world_stays_one_world():
    state = decision("phantom_tic_tac_toe", 2)
    view = view_of(state)
    world = view.sample(Random(1))
    assert isinstance(world, GameState)
    search = searched(view, 100, world=world)
    with pytest.raises(ValueError, match="search of one world"):
        search.restart(view, 1)
    with pytest.raises(ValueError, match="search of one world"):
        searched(view, 100).restart(view, 1, world=world)
    assert PimcAgent().options.worlds == 20
