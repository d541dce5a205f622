"""Tuning finds the best parameters, reports their uncertainty, and does not depend on interruptions."""

import threading

import numpy as np
import pytest

from sfida.ai.arena.store import Store
from sfida.ai.research.tuning.space import Space
from sfida.ai.research.tuning.tuning import held_seed, plan_of, tune
from sfida.cython_ext.errors import InvalidOption, InvalidRecord
from support.marksmen import BEST, Marksman, MarksmanOptions, Marksmen, MarksmenOptions
from support.pages import blocks

pytest.importorskip("optuna", reason="optuna is not installed: pip install 'sfida[tune]'")


def plan(**more):
    return plan_of(**{"game": Marksmen(), "agent": Marksman(), "over": "aim=0..20,hat", "seed": 1, "budget": 400,
                      **more})


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tune") / "a"
    return tune(plan(), folder), folder


def test_the_best_value_is_found_and_confirmed(found):
    tuning, _ = found
    assert abs(tuning.best.values["aim"] - BEST) <= 2
    assert tuning.match.verdict == "H1"
    assert tuning.use == tuning.best.spec
    assert tuning.match.elo_ci95[0] > 35


def test_the_example_of_the_page(found, monkeypatch, capsys):
    monkeypatch.setattr("sfida.ai.research.tuning.tuning.tune", lambda plan, folder, jobs: found[0])
    for block in blocks("docs/measure/tuning.md"):
        exec(block, {})
    assert found[0].use in capsys.readouterr().out


def test_effects_tell_what_matters(found):
    effects = {(one.name, one.value): one for one in found[0].effects}
    assert max((one.share, value) for (name, value), one in effects.items() if name == "aim")[1] == 15
    assert effects["aim", 15.0].ci95[0] > 0
    assert effects["aim", 0.0].ci95[1] < 0
    low, high = effects["hat", True].ci95
    assert low < 0 < high


def test_estimates_are_intervals_around_the_truth(found):
    """A marksman that aims at 4 wins 1 / (1 + 10 ** (lead / 10)) of its games against one that is closer by `lead`."""
    held = 0
    for one in found[0].candidates:
        lead = 10 - abs(round(one.values["aim"]) - BEST)
        truth = 1 / (1 + 10 ** (-lead / 10))
        held += one.ci95[0] <= truth <= one.ci95[1]
    assert held >= 0.8 * len(found[0].candidates)


def test_no_luck_is_shared_between_trials_finals_and_match(found):
    seeds = {}
    for path in found[1].glob("*.sfida"):
        with Store.read(path, trust_agents=True) as held:
            for game in held.outcomes():
                seeds.setdefault(game.record.extra["chance_seed"], set()).add(path.stem)
    assert {"final-1", "final-2", "final-3", "final-4"} in seeds.values(), "finalists have the same luck"
    assert all(len(stems) == 1 or all(stem.startswith("final") for stem in stems) for stems in seeds.values())


def test_the_budget_is_kept(found):
    tuning, folder = found
    held = 0
    for path in folder.glob("*.sfida"):
        with Store.read(path, trust_agents=True) as store:
            held += len(store)
    assert tuning.games <= held <= 400


def test_an_interrupted_tuning_goes_on_to_the_same_result(found, tmp_path):
    seen = []

    def stop(progress):
        if threading.current_thread() is threading.main_thread():       # at the end of every tournament
            seen.append(progress.games)
            if len(seen) == 5:
                raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tune(plan(), tmp_path / "b", on_progress=stop)
    assert held_seed(tmp_path / "b") == 1
    played = len(list((tmp_path / "b").glob("*.sfida")))
    assert 0 < played < plan().trials
    assert tune(plan(), tmp_path / "b", jobs=2) == found[0]


def test_another_tuning_is_refused(found):
    with pytest.raises(InvalidRecord, match="budget is 400 there and 500 here"):
        tune(plan(budget=500), found[1])


def test_many_seats_and_opponents(tmp_path):
    rivals = (Marksman(MarksmanOptions(aim=10.0)), "random")
    made = plan(game=Marksmen(MarksmenOptions(players=3)), against=rivals, over="aim=2|8|14|20", budget=240,
                adjusted=True)
    tuning = tune(made, tmp_path / "a")
    assert tuning.plan["against"] == ["marksman:aim=10", "random"]
    assert tuning.even == pytest.approx(1 / 3)
    assert tuning.best.values == {"aim": 14.0}
    with Store.read(tmp_path / "a" / "trial-001.sfida", trust_agents=True) as held:
        for game in held.outcomes():
            assert game.agents.count(0) == 1
            assert len(set(game.agents)) == 2
    assert tuning.trials[0].games == 12, "whole rounds"


def test_the_agent_as_given_may_be_the_best(tmp_path):
    made = plan(agent=Marksman(MarksmanOptions(aim=14.0)), over="stance", budget=200, adjusted=True)
    tuning = tune(made, tmp_path / "a")
    assert tuning.best.spec == "marksman:aim=14"
    assert tuning.match is None
    assert tuning.use == "marksman:aim=14"


# ---- parameters to tune ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("over", "words"), [
    ("aims=1..2", "unknown option 'aims' of agent 'marksman'; did you mean 'aim'?"),
    ("aim", "say which values of 'aim' to try"),
    ("aim=", "does not say what to tune"),
    ("", "does not say what to tune"),
    ("aim=1..2,,hat", "does not say what to tune"),
    ("aim=1..30", "a number from 0.0 to 20.0, not '30'"),
    ("aim=1|x", "must be a number from 0.0 to 20.0, not 'x'"),
    ("aim=5..1", "from a smaller to a larger number"),
    ("aim=..1", "must be a number"),
    ("breath=none..1", "from a smaller to a larger number"),
    ("aim=3", "leaves nothing to choose"),
    ("aim=3|3.0", "names a value twice"),
    ("aim=1..2,aim=3..4", "'aim' is to be tuned twice"),
    ("hat=false..true", "is no number"),
    ("stance=firm|lose", "did you mean 'loose'?"),
])
def test_what_cannot_be_tuned_is_told_in_one_line(over, words):
    with pytest.raises(InvalidOption) as told:
        Space.parse(Marksman(), over)
    assert words in str(told.value)
    assert "\n" not in str(told.value)


def test_ranges_lists_and_names():
    space = Space.parse(Marksman(), "aim=0..20, breath=1..1000, stance, hat")
    aim, breath, stance, hat = space.parameters
    assert not aim.log
    assert breath.log
    assert breath.shown() == (1, 6, 32, 178, 1000)
    assert stance.values == ("firm", "loose")
    assert set(hat.values) == {True, False}
    drawn = [breath.draw(np.random.default_rng(seed)) for seed in range(400)]
    assert min(drawn) < 3
    assert max(drawn) > 300
    assert sum(value < 32 for value in drawn) == pytest.approx(200, abs=40)
    assert Space.parse(Marksman(), "breath=none|5").parameters[0].values == (None, 5)


@pytest.mark.parametrize(("more", "words"), [
    ({"budget": 100}, "too small for 10 trials of 10 games"),
    ({"agent": "random", "over": "x=1..2"}, "agent 'random' has no parameters to tune"),
    ({"agent": "exec:true", "over": "x=1..2"}, "agent 'exec' has no parameters to tune"),
    ({"game": "kuhn_poker", "agent": "ismcts", "over": "cutoff=-1|4"}, "has no evaluation"),
    ({"game": "acres", "agent": "greedy", "over": "strategy=hammer|hamster"}, "has no strategy 'hamster'"),
    ({"against": ("human",)}, "'human' cannot sit in a tournament"),
])
def test_plans_that_cannot_be_played_are_refused_before_anything_is(more, words):
    with pytest.raises(InvalidOption, match=words):
        plan(**more)
