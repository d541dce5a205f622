"""Learning priors from the shares of visits: the fit, the records, whole trainings."""

from dataclasses import replace

import numpy as np
import pytest

from sfida.ai.arena.store import Store
from sfida.ai.arena.tournament import Tournament
from sfida.ai.research.training.fitting import FitOptions, fit_priors, largest_prior_error, quantised_priors
from sfida.ai.research.training.positions import Decisions, all_decisions, decisions_of
from sfida.ai.research.training.training import TrainingPlan, kept_choices, train, with_knowledge
from sfida.cython_ext.errors import InvalidOption, InvalidRecord
from sfida.cython_ext.learned import Learned
from sfida.engines.learned import read_learned, write_learned
from sfida.engines.registry import make_game

GAME = make_game("goofspiel")
AGENT = "ismcts:iterations=60"
SPREAD = np.array([1.0, 40.0, 0.02])
WEIGHTS = np.array([0.8, 0.03, -60.0])          # in the units of the features


def plan(**changes):
    usual = {"agent": AGENT, "against": AGENT, "candidate": AGENT, "games": 40, "rounds": 1, "seed": 3,
             "options": FitOptions(hidden=2), "sprt": None, "priors": True}
    return TrainingPlan(GAME, **{**usual, **changes})


def drawn(seed=1, games=60, each=30):
    """Return decisions of 2 to 9 moves whose shares are the softmax of known weights; the first feature is a prior."""
    rng = np.random.default_rng(seed)
    counts = rng.integers(2, 10, games * each)
    first = np.concatenate([[0], np.cumsum(counts)])
    x = rng.normal(size=(first[-1], 3)) * SPREAD
    weights = np.exp(x @ WEIGHTS)
    share = weights / np.repeat(np.add.reduceat(weights, first[:-1]), counts)
    return Decisions(x.astype(np.float32), share.astype(np.float32), first, np.repeat(np.arange(games), each), games)


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    folder = tmp_path_factory.mktemp("trained")
    return train(plan(), folder), folder


# ---- the fit ------------------------------------------------------------------------------------------


def test_known_weights_are_found_again():
    found = fit_priors(drawn(), 1)
    assert found.weight * found.scale.gain / 256 * SPREAD == pytest.approx(WEIGHTS * SPREAD, abs=0.02)
    assert found.loss < found.hand_loss
    assert found.held_out == 180
    assert found.decisions == 1620


def test_the_same_seed_gives_the_same_priors():
    one, same, other = (fit_priors(drawn(games=10), seed) for seed in (1, 1, 2))
    assert (one.weight == same.weight).all()
    assert (one.weight != other.weight).any()


def test_what_tells_nothing_leaves_the_priors_by_hand():
    """Shares that are the hand-written priors, and features without meaning."""
    decisions = drawn(games=20)
    x = decisions.features.copy()
    x[:, 0] = np.log(decisions.share)
    found = fit_priors(replace(decisions, features=x), 1)
    expected = np.array([1.0, 0.0, 0.0])
    assert found.weight * found.scale.gain / 256 * [1.0, 40.0, 0.02] == pytest.approx(expected, abs=0.02)
    assert found.loss == pytest.approx(found.hand_loss, abs=1e-3)


def test_whole_numbers_change_little():
    decisions = drawn()
    found = fit_priors(decisions, 1)
    learned = Learned("toy", 1, ["x"], {2: {"moves": quantised_priors(found)}}, {}, "abc")
    assert largest_prior_error(learned, 2, found, decisions) < 1e-3
    shifted = replace(found, weight=found.weight + 0.5)
    assert largest_prior_error(learned, 2, shifted, decisions) > 0.01


def test_too_few_games_are_refused():
    with pytest.raises(InvalidRecord, match="3 finished games are too few"):
        fit_priors(drawn(games=3), 1)


def test_decisions_are_taken_and_numbered_on():
    decisions = drawn(games=4, each=3)
    both = Decisions.joined([decisions, decisions])
    assert both.game.tolist() == [0] * 3 + [1] * 3 + [2] * 3 + [3] * 3 + [4] * 3 + [5] * 3 + [6] * 3 + [7] * 3
    half = both.take(both.game >= 4)
    assert (half.features == decisions.features).all()
    assert half.first.tolist() == decisions.first.tolist()


# ---- records ------------------------------------------------------------------------------------------


def test_records_hold_the_shares_of_visits(trained):
    _, folder = trained
    with Store.read(folder / "games-1-present.sfida") as store:
        record = store.record(1)
    state, some = GAME.initial_state(), 0
    for text, share in zip(record.moves, record.extra["shares"], strict=True):
        if share is not None:
            assert len(share) == len(state.candidate_moves())
            assert sum(share) == pytest.approx(1000, abs=len(share))
            some += 1
        state.apply(state.parse(text))
    found = decisions_of(GAME, record)
    assert len(found) == some >= 5
    assert np.add.reduceat(found.share, found.first[:-1]) == pytest.approx(1)


def test_records_without_shares_are_told(tmp_path):
    store = tmp_path / "a.sfida"
    Tournament("goofspiel", ["random", "random"], 4, 1).run(store)
    with pytest.raises(InvalidRecord, match=r"hold no shares of visits.*--no-priors"):
        all_decisions(GAME, [store])


@pytest.mark.parametrize("share", [[1, 2, 3], [0, 0, 0, 0], [1, 2, 3, "4"], {"a": 1}, "many", [1, 2, 3, -4]])
def test_shares_that_do_not_fit_are_told(trained, share):
    _, folder = trained
    with Store.read(folder / "games-1-present.sfida") as store:
        record = store.record(1)
    broken = record.with_extra(shares=[share, *[None] * (len(record.moves) - 1)])
    with pytest.raises(InvalidRecord, match="the shares of visits of move 1 do not fit"):
        decisions_of(GAME, broken)


def test_compiled_games_give_their_features(tmp_path):
    game = make_game("carcassonne")
    agent = "ismcts:iterations=20,final=sample"
    Tournament(game, [agent, agent], 2, 1, adjusted=False, values=True).run(tmp_path / "a.sfida")
    found = all_decisions(game, [tmp_path / "a.sfida"])
    assert found.features.shape[1] == len(game.initial_state().move_feature_names)
    assert found.games == 2
    assert 0 < (found.game == 0).sum() <= 48


# ---- trainings ----------------------------------------------------------------------------------------


def test_a_training_improves_the_cross_entropy(trained):
    outcome, folder = trained
    (first,) = outcome.rounds
    assert first.priors.loss < first.priors.hand_loss - 0.01
    assert first.to_json()["priors"]["loss"] == first.priors.loss
    held = read_learned(first.path)
    assert held == outcome.learned
    assert held.prior_players == held.players == (2,)
    assert held.move_features == ("prior", "over", "under", "highest")
    assert held.made["2"]["decisions"] == first.priors.decisions
    assert "--priors" in held.made["2"]["command"]
    assert with_knowledge(AGENT, first.path, GAME).options.priors is True
    assert with_knowledge(f"{AGENT},priors=false", first.path, GAME).options.priors is False
    assert TrainingPlan.of(GAME, kept_choices(folder, GAME)) == plan()


def test_only_priors_leave_the_evaluation_as_it_is(trained, tmp_path):
    """The evaluation of the file used in the games stays, too; leaving out priors needs no other folder."""
    outcome, _ = trained
    path = write_learned(tmp_path / "a.json", replace_priors(outcome.learned))
    agent = f"{AGENT},cutoff=2,knowledge={path}"
    again = train(plan(agent=agent, against=agent, candidate=agent, evaluation=False), tmp_path / "more")
    (first,) = again.rounds
    assert first.fit is None
    table = {key: value for key, value in again.learned.tables[2].items() if key != "moves"}
    assert table == read_learned(path).tables[2]
    assert again.learned.made["2"]["evaluation"] == outcome.learned.made["2"]
    alone = train(plan(evaluation=False), tmp_path / "alone")
    assert set(alone.learned.tables[2]) == {"moves"}
    assert (alone.learned.players, alone.learned.prior_players) == ((), (2,))
    assert with_knowledge(AGENT, alone.rounds[0].path, GAME).options.cutoff is None
    without = train(plan(priors=False), tmp_path / "alone", resume=True)
    assert without.rounds[0].priors is None
    assert without.learned.prior_players == ()


def replace_priors(learned):
    """Return the same knowledge without priors."""
    table = {key: value for key, value in learned.tables[2].items() if key != "moves"}
    return Learned(learned.game, learned.rules, learned.features, {2: table}, learned.made)


def test_nothing_to_learn_is_refused():
    with pytest.raises(InvalidOption, match="nothing to learn without evaluation and priors"):
        plan(evaluation=False, priors=False)
    with pytest.raises(InvalidOption, match="Leduc poker lists no features"):
        replace(plan(), game=make_game("leduc_poker"))
