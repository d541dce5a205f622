"""Whole trainings of a small game written in Python: their inputs, the kept files, and the networks that pass."""

import contextlib
import json
import sqlite3
from dataclasses import replace

import numpy as np
import pytest

from sfida.ai.arena.sequential import SprtOptions
from sfida.ai.arena.store import Store
from sfida.ai.arena.tournament import Tournament
from sfida.ai.registry import agent as make_agent
from sfida.ai.research.training import training
from sfida.ai.research.training.fitting import FitOptions
from sfida.ai.research.training.positions import PositionSet, all_positions, positions_of
from sfida.ai.research.training.training import CUTOFF, TrainingPlan, kept_choices, train, varied, with_knowledge
from sfida.cython_ext.errors import InvalidOption, InvalidRecord
from sfida.engines.learned import read_learned, write_learned
from sfida.engines.registry import make_game

GAME = make_game("goofspiel")
AGENT = "ismcts:iterations=20"


def plan(**changes):
    usual = {"agent": AGENT, "against": AGENT, "candidate": AGENT, "games": 12, "rounds": 1, "seed": 3,
             "options": FitOptions(hidden=2), "sprt": None}
    return TrainingPlan(GAME, **{**usual, **changes})


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """A training of two rounds without matches, and its folder."""
    folder = tmp_path_factory.mktemp("trained")
    return train(plan(rounds=2), folder), folder


# ---- positions ------------------------------------------------------------------------------------------


def test_records_hold_what_searches_expected(trained):
    _, folder = trained
    with Store.read(folder / "games-1-present.sfida") as store:
        record = store.record(1)
    values = record.extra["values"]
    assert len(values) == len(record.moves) == 8
    assert values[-1] is None, "a last card is no choice"
    assert all(sum(value) == pytest.approx(1, abs=0.002) for value in values if value)
    assert sum(value is not None for value in values) >= 6
    record.replay()
    found = positions_of(GAME, record)
    assert len(found) == 8, "one decision a turn"
    assert found.value[0] == pytest.approx(values[0])
    assert found.value[-1] == pytest.approx(record.result.utilities), "where no search follows, the result"
    assert (found.result == np.array(record.result.utilities, np.float32)).all()
    state = GAME.initial_state()
    assert found.features[0].tolist() == [list(state.features(seat).values()) for seat in (0, 1)]
    assert np.isnan(found.present).all(), "this game has no evaluation"


def test_games_of_a_tournament_can_be_learned_from_too(tmp_path):
    store = tmp_path / "a.sfida"
    Tournament("goofspiel", ["greedy", "random"], 4, 1).run(store)
    found = all_positions(GAME, [store, store])
    assert found.games == 8
    assert (found.value == found.result).all()


def test_positions_of_several_stores_are_numbered_on():
    one = PositionSet(*np.zeros((4, 3, 2), np.float32), game=np.array([0, 0, 1]))
    assert PositionSet.joined([one, one]).game.tolist() == [0, 0, 1, 2, 2, 3]


def test_compiled_games_give_one_position_a_turn(tmp_path):
    store = tmp_path / "a.sfida"
    game = make_game("zarahemla:players=2")
    Tournament(game, ["greedy", "greedy"], 2, 1, adjusted=False).run(store)
    found = all_positions(game, [store])
    with Store.read(store) as held:
        states = list(_decisions(game, held.record(1)))
    assert (found.game == 0).sum() == len({state.turn_number for state in states})
    assert found.present.sum(axis=1) == pytest.approx(1, abs=1e-5)


def _decisions(game, record):
    state = game.initial_state()
    for text in record.moves:
        if not state.is_chance:
            yield state.clone()
        state.apply(state.parse(text))


# ---- players --------------------------------------------------------------------------------------------


def test_self_play_varies(trained):
    _, folder = trained
    with Store.read(folder / "games-1-present.sfida") as store:
        assert set(store.setup.agents) == {f"{AGENT},final=sample,temperature=0.25"}
        assert len({outcome.record.moves for outcome in store.outcomes()}) >= 6
    own = make_agent("ismcts:final=visits")
    assert varied(own) is own
    assert varied(make_agent("greedy")).spec == "greedy"


def test_a_search_to_the_end_gets_a_cutoff(trained):
    outcome, folder = trained
    path = write_learned(folder / "a.json", outcome.learned)
    assert with_knowledge(AGENT, path, GAME).options.cutoff == CUTOFF
    assert with_knowledge(f"{AGENT},cutoff=1", path, GAME).options.cutoff == 1
    assert with_knowledge("greedy", path, GAME).spec == f"greedy:knowledge={path}"
    with pytest.raises(InvalidOption, match="asks for no evaluation"):
        with_knowledge(f"{AGENT},cutoff=-1", path, GAME)
    with pytest.raises(InvalidOption, match="does not judge positions by knowledge"):
        with_knowledge("random", path, GAME)


# ---- rounds ---------------------------------------------------------------------------------------------


def test_a_later_round_plays_with_what_was_learned_before(trained):
    outcome, folder = trained
    first, second = outcome.rounds
    name = first.path.stem.rpartition("-")[2]
    with Store.read(folder / f"games-2-{name}.sfida") as store:
        assert f"knowledge={first.path}" in store.setup.agents[0]
    assert second.games == 2 * first.games == 24
    assert outcome.learned.digest == read_learned(second.path).digest
    assert outcome.learned.made["2"]["command"] == (
        "sfida train goofspiel --recipe search --games 12 --rounds 2 --agent ismcts:iterations=20 --hidden 2 --seed 3 "
        "--mix 0.5 --no-match")


def test_jobs_and_interruptions_change_nothing(trained, tmp_path):
    outcome, _ = trained
    calls = []

    def stop(found):
        calls.append(found)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train(plan(rounds=2), tmp_path, jobs=2, on_round=stop)
    with Store.open(tmp_path / "games-1-present.sfida") as store:
        kept = [game.record for game in store.outcomes()]
    with contextlib.closing(sqlite3.connect(tmp_path / "games-1-present.sfida")) as stopped, stopped:
        stopped.execute("DELETE FROM game WHERE block >= 2")               # as if it had been stopped earlier
    again = train(plan(rounds=2), tmp_path, jobs=2, resume=True)
    assert [found.path.name for found in again.rounds] == [found.path.name for found in outcome.rounds]
    assert again.learned.tables == outcome.learned.tables
    with Store.read(tmp_path / "games-1-present.sfida") as store:
        assert [game.record for game in store.outcomes()] == kept


def test_another_seed_gives_another_network(trained, tmp_path):
    other = train(plan(seed=4), tmp_path)
    assert other.learned.tables != read_learned(trained[0].rounds[0].path).tables


def test_a_network_passes_only_by_a_test(tmp_path, monkeypatch):
    lost = train(plan(sprt=SprtOptions.parse("elo0=300,elo1=400")), tmp_path / "lost")
    assert lost.learned is None
    assert not lost.rounds[0].passed
    assert lost.rounds[0].match.sprt.verdict == "H0"
    won = train(plan(sprt=SprtOptions.parse("elo0=-400,elo1=-300"), rounds=2), tmp_path / "won")
    first, second = won.rounds
    assert first.match.sprt.verdict == "H1"
    assert won.learned.digest == read_learned(second.path).digest
    assert won.learned.made["2"]["match"]["against"] == first.path.stem.rpartition("-")[2]
    assert won.learned.made["2"]["match"]["test"].startswith("H1")
    assert first.match.seed != second.match.seed
    with Store.read(tmp_path / "won" / "games-1-present.sfida") as games:
        assert games.setup.seed not in (first.match.seed, second.match.seed)
    monkeypatch.setattr(training._Training, "_match", lambda *_: replace(
        first.match, sprt=replace(first.match.sprt, verdict="undecided")))
    assert train(plan(sprt=SprtOptions()), tmp_path / "undecided").learned is None


def test_the_first_network_may_meet_another_agent(tmp_path):
    """The other agent has the same time if the network's iterations have a different cost."""
    found = train(plan(against="random", sprt=SprtOptions.parse("elo0=-400,elo1=-300")), tmp_path)
    assert [standing.agent for standing in found.rounds[0].match.agents][1] == "random"
    made = found.learned.made["2"]
    assert made["match"]["against"] == "random"
    assert "--against random" in made["command"]


def test_networks_for_other_numbers_of_players_stay(trained, tmp_path, monkeypatch):
    outcome, _ = trained
    held = outcome.learned
    table = {**held.tables[2], "s2": 20}
    monkeypatch.setattr(type(GAME), "knowledge", type(held)(held.game, held.rules, held.features, {3: table}, {}))
    assert train(plan(), tmp_path).learned.players == (2, 3)


# ---- kept files, and refusals ---------------------------------------------------------------------------


def test_a_folder_keeps_the_plan(trained, tmp_path):
    _, folder = trained
    assert TrainingPlan.of(GAME, kept_choices(folder, GAME)) == plan(rounds=2)
    assert kept_choices(tmp_path, GAME) == {}
    with pytest.raises(InvalidOption, match="holds a training of 'goofspiel', not of 'tic_tac_toe'"):
        kept_choices(folder, make_game("tic_tac_toe"))
    with pytest.raises(InvalidOption, match="holds a training already"):
        train(plan(), folder)


@pytest.mark.parametrize(("content", "words"), [
    ("[]", "no description of a training"), ("{", "the JSON ends too early"),
    (json.dumps({"game": "goofspiel"}), "the field 'agent' is missing"),
    (json.dumps({"game": "goofspiel", **plan().choices, "mix": 2}), "'mix' must be a number from 0 to 1"),
])
def test_a_damaged_plan_is_told(tmp_path, content, words):
    (tmp_path / "training.json").write_text(content)
    with pytest.raises(InvalidRecord, match=words):
        kept_choices(tmp_path, GAME)


def test_other_games_in_the_folder_are_refused(trained):
    _, folder = trained
    with pytest.raises(InvalidRecord, match="holds another tournament: seed is"):
        train(plan(seed=9), folder, resume=True)


def test_a_game_without_features_is_refused():
    with pytest.raises(InvalidOption, match="Tic-tac-toe lists no features"):
        replace(plan(), game=make_game("tic_tac_toe"))
