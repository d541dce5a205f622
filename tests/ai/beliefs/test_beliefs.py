"""Beliefs against exact enumeration, and the observations of a seat."""

import itertools
import math

import numpy as np
import pytest

import sfida
from sfida.ai.beliefs import BeliefOptions, Beliefs, HeuristicPolicy, ParticleFilter, marginals, particles
from sfida.ai.beliefs.particles import effective_size, systematic
from sfida.ai.seat import observations, recorded_observations
from sfida.cython_ext.errors import IllegalMove, InvalidOption, InvalidRecord, SfidaError
from sfida.cython_ext.rng import Random, derive
from sfida.cython_ext.search.search import Search
from sfida.cython_ext.state import View
from sfida.engines.registry import game_names, make, make_game
from support.short_games import short, stride

HIDING = [short(name) for name in game_names() if make(name).hidden]
PURE = {"fresh": 0.0}                   # the filter alone, without the mixture of `worlds`


def uniform(view, rng):
    return dict.fromkeys(view.legal_moves(), 1.0)


def by_strength(view, rng):
    """Return the strategy of a poker player whose moves reveal much: better cards are played more boldly."""
    rank = "JQK".index(view.observation()["card"])
    return {move: math.exp(1.5 * (rank - 1) * (move - 1)) for move in view.legal_moves()}


def random_game(name, seed):
    """Return the codes of a game between random players."""
    rng, state, codes = Random(seed), make(name), []
    while not state.is_over:
        moves = state.legal_moves()
        codes.append(state.sample_chance(rng) if state.is_chance else moves[rng.below(len(moves))])
        state.apply(codes[-1])
    return codes


def watched(name, codes, seat, options=None, seed=0, policy=None):
    """Return a filter that has seen a game, and the last view of the seat."""
    belief = ParticleFilter(seat, options, seed, policy)
    state = make(name)
    for code in codes:
        state.apply(code)
    for event in observations(make_game(name), codes, seat):
        belief.observe(event)
    return belief, state.view(seat)


def codes_of(name, text):
    state, codes = make(name), []
    for word in text.split():
        codes.append(state.parse(word))
        state.apply(codes[-1])
    return codes


def probability(worlds, seat, item, value):
    table = {m.item: dict(m.values) for m in marginals(worlds, seat)}
    return table[item].get(value, 0.0)


def posterior(name, events, view, policy, explore, tau):
    """Return the exact posterior of every secret by enumeration of all histories: {item: {value: probability}}."""
    seat, totals = view.seat, {}

    def walk(state, number, weight):
        if number == len(events) and state.view(seat).key() == view.key():
            for item, value in make_game(name).secrets(state, seat).items():
                found = totals.setdefault(item, {})
                found[value] = found.get(value, 0.0) + weight
            return
        if state.is_over:
            return
        event = events[number] if number < len(events) else None
        actor = state.to_move
        if state.is_chance:
            whole = sum(w for _, w in state.chance_outcomes())
            chances = {code: w / whole for code, w in state.chance_outcomes()}
        elif actor == seat:
            chances = {event.move: 1.0} if event is not None and event.actor == seat else {}
        else:
            model = policy(state.view(actor), Random(0))
            whole, k = sum(model.values()), len(state.legal_moves())
            chances = {code: (1 - explore) * model[code] / whole + explore / k for code in state.legal_moves()}
        fitting = []
        for code, chance in chances.items():
            child = state.clone()
            child.apply(code)
            label = child.label(seat)
            if label == 0 and actor != seat:
                fitting.append((child, number, chance))
            elif event is not None and (actor, label, child.view(seat).key()) == (
                    event.actor, event.label, event.view.key()):
                fitting.append((child, number + 1, chance))
        mass = sum(chance for *_, chance in fitting)
        factor = mass if state.is_chance else mass**tau
        for child, further, chance in fitting:
            walk(child, further, weight * factor * chance / mass)

    walk(make(name), 0, 1.0)
    return {item: {value: total / sum(found.values()) for value, total in found.items()}
            for item, found in totals.items()}


def worst_error(name, codes, seat, policy, explore, tau, particles, seed):
    """Return the largest difference of any marginal from the exact one, at any point of a game."""
    options = BeliefOptions(particles=particles, explore=explore, tau=tau, fresh=0.0)
    belief, events, worst = ParticleFilter(seat, options, seed, policy), [], 0.0
    for event in observations(make_game(name), codes, seat):
        events.append(event)
        belief.observe(event)
        exact = posterior(name, events, event.view, policy, explore, tau)
        worlds = belief.worlds(event.view, particles, Random(seed))
        found = {m.item: dict(m.values) for m in marginals(worlds, seat)}
        assert set(found) == set(exact)
        for item, values in exact.items():
            assert set(found[item]) <= set(values)
            worst = max(worst, *(abs(found[item].get(value, 0.0) - p) for value, p in values.items()))
    return worst


# ---- the posterior -------------------------------------------------------------------------------


@pytest.mark.parametrize(("explore", "tau"), [(0.5, 0.7), (0.05, 1.0), (1.0, 1.0)])
def test_kuhn_by_hand(explore, tau):
    """Seat 1 holds the queen and faces a bet: the king by the odds of the model's bets, softened."""
    belief, view = watched("kuhn_poker", codes_of("kuhn_poker", "deal:K deal:Q bet"), 1,
                           BeliefOptions(particles=2000, explore=explore, tau=tau, fresh=0.0), 1, by_strength)
    bets = {"K": 1 / (1 + math.exp(-1.5)), "J": 1 / (1 + math.exp(1.5))}
    weights = {card: ((1 - explore) * pi + explore / 2) ** tau for card, pi in bets.items()}
    expected = weights["K"] / sum(weights.values())
    # 1333 particles remain: independent draws would have a standard error of .014
    found = probability(belief.worlds(view, 2000, Random(2)), 1, "card of seat 0", "K")
    assert found == pytest.approx(expected, abs=0.02)
    if explore == 1.0:
        assert found == pytest.approx(0.5, abs=0.005)


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize(("explore", "tau"), [(0.5, 0.7), (0.05, 1.0)])
def test_leduc_agrees_with_enumeration(seat, explore, tau):
    """Two whole games; the effective size stays above 500, where four standard errors are .09 at most."""
    for seed in (1, 2):
        codes = random_game("leduc_poker", seed)
        assert worst_error("leduc_poker", codes, seat, by_strength, explore, tau, 2000, seed) < 0.05


def test_phantom_tic_tac_toe_agrees_with_enumeration():
    """Unseen tries of the other seat are inferred by Bayes: its mark, and the cells that it found taken."""
    codes = codes_of("phantom_tic_tac_toe", "b2 b2 a1 c3")

    def corners(view, rng):
        return {cell: 3.0 if cell in (0, 2, 6, 8) else 1.0 for cell in view.legal_moves()}

    assert worst_error("phantom_tic_tac_toe", codes, 0, corners, 0.2, 1.0, 4000, 5) < 0.03
    assert worst_error("phantom_tic_tac_toe", codes, 1, corners, 0.2, 1.0, 4000, 5) < 0.03


def test_phantom_tic_tac_toe_by_hand():
    """Each free cell has a random opponent's mark with probability 1/8, an occupied one never."""
    belief, view = watched("phantom_tic_tac_toe", codes_of("phantom_tic_tac_toe", "b2 a1"), 0,
                           BeliefOptions(particles=800, **PURE), 3, uniform)
    table = {m.item: dict(m.values) for m in marginals(belief.worlds(view, 800, Random(1)), 0)}
    assert sorted(table) == ["a1", "a2", "a3", "b1", "b3", "c1", "c2", "c3"]
    for values in table.values():
        assert values["O"] == pytest.approx(1 / 8, abs=0.03)


def test_luck_weighs_by_its_own_odds():
    """In Leduc poker the shared king leaves one of two kings; moves carry no information (tau 0)."""
    belief, view = watched("leduc_poker", codes_of("leduc_poker", "deal:J deal:Q call call deal:K"), 0,
                           BeliefOptions(particles=2000, tau=0.0, **PURE), 4)
    worlds = belief.worlds(view, 2000, Random(1))
    for card, odds in {"J": 1 / 4, "Q": 2 / 4, "K": 1 / 4}.items():
        assert probability(worlds, 0, "card of seat 1", card) == pytest.approx(odds, abs=0.03)


def test_soft_beliefs_are_milder_than_sharp_ones():
    codes = codes_of("leduc_poker", "deal:Q deal:K call raise")
    sharp, soft, deaf = (
        probability(belief.worlds(view, 1000, Random(1)), 0, "card of seat 1", "K") for belief, view in (
            watched("leduc_poker", codes, 0, BeliefOptions(explore=explore, tau=tau, **PURE), 1, by_strength)
            for explore, tau in ((0.05, 1.0), (0.5, 0.7), (0.5, 0.0))))
    assert sharp > soft + 0.1
    assert soft > deaf + 0.05
    assert deaf == pytest.approx(0.4, abs=0.03)


# ---- weights -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("weights", "size"), [
    ([1, 1, 1, 1], 4), ([5, 0, 0], 1), ([3, 1], 16 / 10), ([1e-200, 1e-200], 2), ([], 0), ([0, 0], 0)])
def test_effective_size(weights, size):
    assert effective_size(np.array(weights, dtype=float)) == pytest.approx(size)


def test_systematic_resampling_is_as_even_as_can_be():
    weights = np.array([0.0, 0.5, 2.0, 0.0, 1.25, 0.25, 0.0])
    for start in (0.0, 0.3, 0.999999999):
        counts = np.bincount(systematic(weights, 10, start), minlength=7)
        expected = 10 * weights / weights.sum()
        assert counts.sum() == 10
        assert (np.abs(counts - expected) < 1).all()
        assert not counts[weights == 0].any()


def test_nothing_is_drawn_from_nothing():
    assert systematic([], 0, 0.5) == []


def test_a_renewal_may_keep_every_particle(monkeypatch):
    """Survivors with almost the whole weight leave no particles to be drawn for lasting secrets."""
    monkeypatch.setattr(particles, "effective_size", lambda weights: (1 - 1e-9) * 16 / 8)
    game = "risiko:players=3,round_limit=1"
    belief, view = watched(game, random_game(game, 1)[:60], 0, BeliefOptions(particles=16), 1, uniform)
    assert (belief.alive, belief.renewed) == (16, 0)
    assert len(belief.worlds(view, 5, Random(1))) == 5


def test_weights_too_small_for_a_float_rule_a_world_out():
    codes = codes_of("kuhn_poker", "deal:K deal:Q bet")
    belief, _ = watched("kuhn_poker", codes[:2], 1, BeliefOptions(explore=0.0, **PURE), 1, by_strength)
    belief._weights = np.full(len(belief._worlds), 5e-324)
    event = list(observations(make_game("kuhn_poker"), codes, 1))[-1]
    found, weights = belief._forward(event, event.view).lead(belief._worlds, belief._weights, Random(1))
    assert len(found) == len(weights) == np.count_nonzero(weights) < len(belief._worlds)
    belief.observe(event)
    assert len(belief.worlds(event.view, 9, Random(1))) == 9


def test_the_effective_size_is_reported_before_renewal():
    """Two of three cards are possible for seat 0 when seat 1 sees the queen; a bet then weights them."""
    options = BeliefOptions(particles=999, explore=0.0, tau=1.0, **PURE)
    belief, _ = watched("kuhn_poker", codes_of("kuhn_poker", "deal:K deal:Q"), 1, options, 1, by_strength)
    assert (belief.alive, belief.ess, belief.renewed) == (666, pytest.approx(666), 0)
    belief, _ = watched("kuhn_poker", codes_of("kuhn_poker", "deal:K deal:Q bet"), 1, options, 1, by_strength)
    king, jack = 1 / (1 + math.exp(-1.5)), 1 / (1 + math.exp(1.5))
    assert belief.alive == 666
    assert belief.ess == pytest.approx(333 * (king + jack) ** 2 / (king**2 + jack**2))


# ---- worlds that agree with the observations --------------------------------------------------------


@pytest.mark.parametrize("name", HIDING)
def test_every_world_agrees_with_the_view(name):
    """Worlds are checked throughout random games; in some the particles run out and are renewed by the rule."""
    renewed = 0
    for seed in range(2):
        codes = random_game(name, derive(9, seed))
        for seat in (0, 1):
            belief = ParticleFilter(seat, BeliefOptions(particles=64), seed, uniform)
            for number, event in enumerate(observations(make_game(name), codes, seat)):
                belief.observe(event)
                if number % stride(name):
                    continue
                share = min(1.0, belief.ess / 8)
                assert belief.renewed == pytest.approx((1 - share) * 64, abs=1.0)
                renewed += belief.renewed
                if number % (1 + len(codes) // 25):
                    continue
                worlds = belief.worlds(event.view, 40, Random(seed))
                assert len(worlds) == 40
                for world in worlds:
                    assert world.view(seat).key() == event.view.key()
                    assert world.to_move == event.view.to_move
                    world.random_playout(Random(1))
                    assert world.is_over
    assert renewed > 0 or name in ("kuhn_poker", "leduc_poker", "goofspiel", short("settlers_of_zarahemla"))


def test_an_impossible_observation_is_survived():
    """A filter without possible particles restarts from the game's own determinizer."""
    belief, _ = watched("leduc_poker", codes_of("leduc_poker", "deal:Q deal:K call"), 0,
                        BeliefOptions(particles=64, **PURE), 1, uniform)
    events = list(observations(make_game("leduc_poker"), codes_of("leduc_poker", "deal:J deal:K call raise"), 0))
    belief.observe(events[-1])
    assert (belief.alive, belief.ess, belief.renewed) == (0, 0.0, 64)
    worlds = belief.worlds(events[-1].view, 64, Random(1))
    assert {world.view(0).key() for world in worlds} == {events[-1].view.key()}
    assert len({world.to_bytes() for world in worlds}) == 3


def never_bets_the_jack(view, rng):
    return {0: 1.0, 1: 0.0} if view.observation()["card"] == "J" else {0: 0.0, 1: 1.0}


def test_no_world_is_impossible_unless_asked_for():
    """The share of fresh worlds bounds the effect of a wrong model."""
    codes = codes_of("kuhn_poker", "deal:J deal:Q bet")
    for fresh in (0.0, 0.4):
        options = BeliefOptions(explore=0.0, tau=1.0, fresh=fresh)
        belief, view = watched("kuhn_poker", codes, 1, options, 1, never_bets_the_jack)
        found = probability(belief.worlds(view, 1000, Random(1)), 1, "card of seat 0", "J")
        assert found == pytest.approx(fresh / 2, abs=0.05)      # 400 draws: a standard error of .01
        assert (found == 0.0) == (fresh == 0.0)


def test_a_model_that_rules_out_what_happened_gives_way():
    belief, view = watched("kuhn_poker", codes_of("kuhn_poker", "deal:J deal:Q bet"), 1,
                           BeliefOptions(explore=0.0, **PURE), 1, lambda view, rng: {0: 1.0})
    assert (belief.alive, belief.renewed) == (0, 256)
    assert probability(belief.worlds(view, 500, Random(1)), 1, "card of seat 0", "J") == pytest.approx(0.5, abs=0.1)


def test_a_filter_may_start_in_the_middle():
    codes = codes_of("leduc_poker", "deal:Q deal:K call raise call deal:J call raise")
    events = list(observations(make_game("leduc_poker"), codes, 0))
    raises = {card: (0.5 * math.exp(lean) / (1 + math.exp(lean)) + 0.25) ** 0.7
              for card, lean in {"J": -1.5, "Q": 0.0, "K": 1.5}.items()}
    told_once = 2 * raises["K"] / (raises["J"] + raises["Q"] + 2 * raises["K"])     # one J, one Q and two K are left
    late = ParticleFilter(0, BeliefOptions(**PURE), 1, by_strength)
    for event in events[4:]:
        late.observe(event)
    begun = ParticleFilter(0, BeliefOptions(**PURE), 1, by_strength)
    begun.begin(events[4].view)
    for event in events[5:]:
        begun.observe(event)
    worlds = [f.worlds(events[-1].view, 300, Random(1)) for f in (late, begun)]
    assert worlds[0] == worlds[1]
    unasked = ParticleFilter(0).worlds(events[-1].view, 300, Random(1))     # no event was observed
    kings = [probability(bag, 0, "card of seat 1", "K") for bag in (worlds[0], unasked)]
    assert kings[0] == pytest.approx(told_once, abs=0.08)
    assert kings[1] == pytest.approx(0.5, abs=0.08)         # 300 draws: a standard error of .03


def test_nothing_hidden_nothing_to_believe():
    codes = codes_of("tic_tac_toe", "b2 a1 c3")
    belief, view = watched("tic_tac_toe", codes, 0)
    worlds = belief.worlds(view, 5, Random(1))
    assert [world.view(0).key() for world in worlds] == [view.key()] * 5
    assert marginals(worlds, 0) == ()


# ---- reproducible, and honest ---------------------------------------------------------------------


def contents(belief, view, seed=7):
    return [world.to_bytes() for world in belief.worlds(view, 50, Random(seed))]


def test_the_seed_decides_everything():
    codes = random_game("phantom_tic_tac_toe", 4)[:7]
    beliefs = [watched("phantom_tic_tac_toe", codes, 0, BeliefOptions(particles=80), seed) for seed in (1, 1, 2)]
    first, again, other = (contents(*pair) for pair in beliefs)
    assert first == again != other
    assert contents(*beliefs[0]) == first           # asking changes nothing
    assert contents(*beliefs[0], seed=8) != first


@pytest.mark.parametrize(("name", "seat", "one", "other"), [
    ("kuhn_poker", 0, "deal:Q deal:J pass bet", "deal:Q deal:K pass bet"),
    ("leduc_poker", 1, "deal:Q deal:J call raise call deal:Q call", "deal:K deal:J call raise call deal:Q call"),
    ("goofspiel", 1, "1", "3"),
    ("phantom_tic_tac_toe", 0, "b2 a1", "b2 b2 c3"),        # in the second game X learns nothing of O's failed try
    ("phantom_tic_tac_toe", 1, "b2 a1 c2 a2 b1", "b2 a1 a1 a3 a2 c3"),
])
def test_what_a_seat_cannot_tell_apart_makes_no_difference(name, seat, one, other):
    games = [codes_of(name, text) for text in (one, other)]
    told = [list(observations(make_game(name), codes, seat)) for codes in games]
    assert told[0] == told[1]
    assert [event.view.key() for event in told[0]] == [event.view.key() for event in told[1]]
    assert games[0] != games[1]
    beliefs = [watched(name, codes, seat, BeliefOptions(particles=80), 3) for codes in games]
    assert contents(*beliefs[0]) == contents(*beliefs[1])
    assert [b.ess for b, _ in beliefs] == [beliefs[0][0].ess] * 2


def test_the_model_of_the_other_sees_his_side_only():
    """In the worlds of seat 0, which holds the king, seat 1 is modelled by views that hide the king."""
    seen = []

    def spy(view, rng):
        seen.append((view, rng.next()))
        return uniform(view, rng)

    watched("kuhn_poker", codes_of("kuhn_poker", "deal:K deal:Q pass bet"), 0, policy=spy)
    assert seen
    for view, _ in seen:
        assert type(view) is View
        assert view.redacted
        assert view.seat == 1
        assert view.observation()["other"] == "hidden"
    assert {view.observation()["card"] for view, _ in seen} == {"J", "Q"}
    streams = {}
    for view, number in seen:
        assert streams.setdefault(view.key(), number) == number


@pytest.mark.parametrize("weights", [{}, {0: -1.0, 1: 2.0}, {0: math.nan, 1: 1.0}, {0: 0.0}])
def test_a_model_without_probabilities(weights):
    with pytest.raises(SfidaError, match="a model of the others must give finite weights"):
        watched("kuhn_poker", codes_of("kuhn_poker", "deal:J deal:Q bet"), 1, policy=lambda view, rng: weights)


def test_a_belief_is_of_one_seat():
    view = make("kuhn_poker").view(1)
    with pytest.raises(ValueError, match="this is the belief of seat 0, not of seat 1"):
        ParticleFilter(0).begin(view)
    with pytest.raises(ValueError, match="at least one world"):
        ParticleFilter(1).worlds(view, 0, Random(1))


@pytest.mark.parametrize("wrong", [
    {"particles": 0}, {"particles": 2.5}, {"explore": 1.5}, {"tau": -0.1}, {"fresh": "x"}, {"temperature": 0.0}])
def test_wrong_options(wrong):
    with pytest.raises(InvalidOption, match=f"option '{next(iter(wrong))}' of a belief must be"):
        BeliefOptions(**wrong)


# ---- the model -----------------------------------------------------------------------------------


def model_of(name, text, **options):
    state = make(name)
    for code in codes_of(name, text):
        state.apply(code)
    chances = HeuristicPolicy(**options)(state.view(state.to_move), Random(1))
    assert sum(chances.values()) == pytest.approx(1.0)
    return {state.format(move): chance for move, chance in chances.items()}


def test_the_model_takes_a_win():
    chances = model_of("tic_tac_toe", "a1 b1 a2 b2")
    assert chances["a3"] > 0.9
    assert chances["c1"] == chances["c3"] == pytest.approx(chances["a3"] * math.exp(-0.5 / 0.1))
    chances = model_of("tic_tac_toe", "a1 b1 a2 b2", temperature=100.0)
    assert chances["a3"] == pytest.approx(1 / 5, abs=0.01)


def test_the_model_knows_its_own_card_only():
    """Facing a bet, the king calls and the jack folds; the queen averages over both possible cards of the other."""
    calls = {card: model_of("kuhn_poker", f"deal:{other} deal:{card} bet", samples=400)["bet"]
             for card, other in (("J", "Q"), ("Q", "J"), ("K", "J"))}
    assert calls["K"] > 0.99
    assert calls["J"] < 0.1
    assert 0.8 < calls["Q"] < 0.97
    assert model_of("kuhn_poker", "deal:K deal:Q bet", samples=400)["bet"] == calls["Q"]


def test_the_model_follows_priors():
    state = make("carcassonne")
    state.apply(state.sample_chance(Random(1)))
    priors = dict(state.move_priors())
    assert HeuristicPolicy()(state.view(0), Random(1)) == pytest.approx(priors)


def test_without_knowledge_all_moves_are_alike():
    assert set(model_of("leduc_poker", "deal:K deal:J").values()) == {0.5}


# ---- observations at a table ------------------------------------------------------------------------


class Witness:
    """Plays at random by its seed and keeps its observations."""

    spec = "witness"
    seed = 0

    def __init__(self):
        self.told = []

    def observe(self, event):
        self.told.append(event)

    def choose(self, view):
        moves = view.legal_moves()
        return moves[self.seed % len(moves)]


class Blind(Witness):
    observe = None


@pytest.mark.parametrize("name", ["tic_tac_toe", *HIDING])
def test_a_table_tells_each_seat_what_it_saw(name):
    witness = Witness()                 # on all seats
    players = make_game(name).players
    record = sfida.play(name, [witness] * players, seed=11)
    for seat in (0, 1):
        told = [event for event in witness.told if event.seat == seat]
        assert [event.number for event in told] == list(range(len(told)))
        again = list(recorded_observations(record, seat))
        assert told == again
        assert [event.view.key() for event in told] == [event.view.key() for event in again]
        for event in told:
            assert event.view.seat == seat
            assert event.view.redacted
            assert (event.move is None) == (event.actor != seat)
            assert event.label != 0 or event.actor == seat
    alone = Blind()
    assert sfida.play(name, [alone] * players, seed=11).moves == record.moves
    assert alone.told == []


def test_a_deal_is_told_to_its_owner_only():
    witness = Witness()
    record = sfida.play("kuhn_poker", [witness, witness], seed=2)
    for seat in (0, 1):
        deal, *bets = [event for event in witness.told if event.seat == seat]
        assert deal.actor == -1
        assert deal.view.observation()["card"] == record.moves[seat][-1]
        assert all(event.actor in (0, 1) for event in bets)
        assert len(bets) == len(record.moves) - 2


def test_a_rejected_try_is_told_to_nobody_else():
    x, o = (list(observations(make_game("phantom_tic_tac_toe"), ["b2", "b2", "a1"], seat)) for seat in (0, 1))
    assert [event.actor for event in x] == [0, 1]
    assert [event.move for event in x] == [4, None]
    assert [event.actor for event in o] == [0, 1, 1]
    assert [event.move for event in o] == [None, 4, 6]


def test_observations_of_a_part_of_a_record():
    record = sfida.play("leduc_poker", ["random", "random"], seed=5)
    whole, part = (list(recorded_observations(record, 0, until)) for until in (None, 4))
    assert 0 < len(part) < len(whole)
    assert part == whole[:len(part)]
    with pytest.raises(InvalidRecord, match="no position after move 99"):
        recorded_observations(record, 0, 99)
    with pytest.raises(IllegalMove, match="not legal here"):
        list(observations(make_game("leduc_poker"), [10**6], 0))


# ---- an agent's beliefs -----------------------------------------------------------------------------


class Believer(Witness):
    """Searches worlds of its beliefs, on any seat."""

    def __init__(self):
        super().__init__()
        self.beliefs = Beliefs(BeliefOptions(particles=32))
        self.bags = []

    def new_game(self):
        self.beliefs.new_game()

    def observe(self, event):
        self.beliefs.observe(event)

    def choose(self, view):
        worlds = self.beliefs.worlds(view, 16, self.seed)
        assert {world.view(view.seat).key() for world in worlds} == {view.key()}
        self.bags.append([world.to_bytes() for world in worlds])
        search = Search(view, self.seed, worlds=worlds)
        search.run(iterations=64)
        return search.root()[0][0]


@pytest.mark.parametrize("name", ["leduc_poker", "phantom_tic_tac_toe"])
def test_an_agent_that_believes(name):
    """The same game again, in a new process or after another game, gives the same beliefs."""
    agent = Believer()
    records = [sfida.play(name, [agent, agent], seed=seed) for seed in (3, 4, 3)]
    bags, count = agent.bags, len([m for i, m in enumerate(records[0].moves) if i not in records[0].chance])
    assert records[0] == records[2] != records[1]
    assert bags[:count] == bags[-count:]
    fresh = Believer()
    assert sfida.play(name, [fresh, fresh], seed=3) == records[0]
    assert fresh.bags == bags[:count]


# ---- words for hidden information --------------------------------------------------------------------


def test_kuhn_marginals_exactly():
    """With the king in hand the other card is one of two, equally likely."""
    belief, view = watched("kuhn_poker", codes_of("kuhn_poker", "deal:K deal:J"), 0,
                           BeliefOptions(particles=100, **PURE))
    (card,) = marginals(belief.worlds(view, 100, Random(1)), 0)
    assert card.item == "card of seat 1"
    assert card.values == (("J", 0.5), ("Q", 0.5))
    assert card.to_json() == {"item": "card of seat 1", "values": [{"value": "J", "probability": 0.5},
                                                                   {"value": "Q", "probability": 0.5}]}


def test_marginals_of_weighted_worlds():
    worlds = []
    for card in "JQK":
        state = make("leduc_poker")
        for code in codes_of("leduc_poker", f"deal:Q deal:{card}"):
            state.apply(code)
        worlds.append(state)
    (card,) = marginals(worlds, 0, [2, 1, 2])
    assert card.values == (("J", 0.4), ("K", 0.4), ("Q", 0.2))
    assert marginals(worlds, 0, [0, 0, 3])[0].values == (("K", 1.0),)
    assert marginals([], 0) == ()
    with pytest.raises(ValueError, match="3 worlds need as many weights, not 1"):
        marginals(worlds, 0, [1.0])


@pytest.mark.parametrize(("name", "moves", "seat", "secrets"), [
    ("kuhn_poker", "deal:K", 1, {"card of seat 0": "K"}),
    ("kuhn_poker", "deal:K", 0, {}),
    ("kuhn_poker", "deal:K deal:J pass pass", 0, {}),
    ("kuhn_poker", "deal:K deal:J bet pass", 0, {"card of seat 1": "J"}),
    ("leduc_poker", "deal:K deal:J call call", 1, {"card of seat 0": "K"}),
    ("leduc_poker", "deal:K deal:J call call deal:Q", 0, {"card of seat 1": "J"}),
    ("goofspiel", "3", 1, {"card face down": "3"}),
    ("goofspiel", "3", 0, {}),
    ("goofspiel", "3 4", 1, {}),
    ("tic_tac_toe", "b2", 1, {}),
    ("phantom_tic_tac_toe", "b2 b2 a1 a1", 0, {
        "a3": "empty", "b3": "empty", "c3": "empty", "a2": "empty", "c2": "empty", "b1": "empty", "c1": "empty"}),
    ("phantom_tic_tac_toe", "a3 b3 c3 a2", 0, {
        "a2": "O", "b3": "O", "b2": "empty", "c2": "empty", "a1": "empty", "b1": "empty", "c1": "empty"}),
    ("phantom_tic_tac_toe", "a3 b3 a2 b2 a1", 0, {}),
])
def test_secrets_in_words(name, moves, seat, secrets):
    state = make(name)
    for code in codes_of(name, moves):
        state.apply(code)
    assert make_game(name).secrets(state, seat) == secrets


@pytest.mark.parametrize("name", game_names())
def test_what_is_secret_is_no_secret(name):
    """The items of a game's beliefs depend only on the seat's knowledge; a seat that knows everything has none."""
    game = make_game(name)
    for seed in range(3):
        state, rng = make(name), Random(seed)
        for code in itertools.islice(random_game(name, seed), 40):
            state.apply(code)
            for seat in range(state.players):
                worlds = [state.view(seat).sample(rng) for _ in range(4)]
                items = {tuple(game.secrets(world, seat)) for world in [state, *worlds]}
                assert len(items) == 1
                for world in worlds:
                    assert all(isinstance(value, str) for value in game.secrets(world, seat).values())
        if state.is_over:
            assert name in ("kuhn_poker", "leduc_poker") or game.secrets(state, 0) == {}
