"""Sfida's games in OpenSpiel: OpenSpiel's simulation, interface and playthrough tests, and one of its algorithms."""

from __future__ import annotations

import pickle
import subprocess
import sys
import unittest
from pathlib import Path
from typing import Any

import pytest

import sfida
from sfida.cython_ext.errors import InvalidOption, SfidaError
from sfida.envs import register_in_openspiel

pyspiel = pytest.importorskip("pyspiel")

pytestmark = [pytest.mark.release_only("no rules: what algorithms are given"),
              pytest.mark.filterwarnings("ignore::DeprecationWarning")]

BOARD_GAMES = ("sfida_a_few_acres_of_snow", "sfida_attila", "sfida_carcassonne", "sfida_risiko",
               "sfida_settlers_of_zarahemla")
OPTIONS = ("sfida_attila(players=5)", "sfida_carcassonne(players=4,options=river:true)",
           "sfida_risiko(options=move_granularity:full)", "sfida_settlers_of_zarahemla(players=4)")
TINY = ("sfida_goofspiel", "sfida_kuhn_poker", "sfida_leduc_poker", "sfida_phantom_tic_tac_toe", "sfida_tic_tac_toe")


@pytest.fixture(autouse=True, scope="module")
def registered() -> list[str]:
    """Register the games in OpenSpiel; its tests need their flags."""
    from absl import flags

    if not flags.FLAGS.is_parsed():
        flags.FLAGS.mark_as_parsed()
    return register_in_openspiel()


def test_every_listed_game_is_there_once(registered: list[str]) -> None:
    assert registered == [f"sfida_{name}" for name in sfida.game_names()]
    assert register_in_openspiel() == registered
    assert set(registered) <= set(pyspiel.registered_names())


@pytest.mark.parametrize("name", [*BOARD_GAMES, *OPTIONS, *TINY])
def test_openspiels_simulations_pass(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The simulations check clones, serialised and pickled states, and the range of utilities."""
    from open_spiel.python.tests import games_sim_test

    monkeypatch.setattr(games_sim_test, "MAX_ACTIONS_PER_GAME", 40)
    games_sim_test.GamesSimTest().sim_game(pyspiel.load_game(name))


@pytest.mark.parametrize("name", [*TINY, "sfida_carcassonne"])
def test_openspiels_random_games_pass(name: str) -> None:
    """Whole games: actions, masks and outcomes lie within the bounds of the game, and histories replay."""
    pyspiel.random_sim_test(pyspiel.load_game(name), num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("name", [*BOARD_GAMES, *TINY])
def test_openspiels_interface_tests_pass(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from open_spiel.integration_tests import api_test

    few = api_test.sample_some_states.sample_some_states

    def sampled(game: Any, max_states: int = 400, **settings: Any) -> Any:
        return few(game, max_states=min(max_states, 40 if name in BOARD_GAMES else 100), **settings)

    monkeypatch.setattr(api_test.sample_some_states, "sample_some_states", sampled)
    case = type("Case", (api_test.EnforceAPIOnPartialTreeBase,), {"game_name": name, "game": pyspiel.load_game(name)})
    result = unittest.TestResult()
    unittest.defaultTestLoader.loadTestsFromTestCase(case).run(result)
    assert result.testsRun >= 5
    assert [trace for _, trace in (*result.errors, *result.failures)] == []


@pytest.mark.parametrize("name", [*TINY, "sfida_attila"])
def test_openspiels_playthroughs_repeat(name: str, tmp_path: Path) -> None:
    from open_spiel.python.algorithms import generate_playthrough

    told = generate_playthrough.playthrough(name, None, seed=4)
    (tmp_path / "told.txt").write_text(told)
    original, again = generate_playthrough.replay(tmp_path / "told.txt")
    assert original == again
    assert "GameType.provides_information_state_string = True" in told


@pytest.mark.parametrize("name", ["sfida_kuhn_poker", "sfida_goofspiel", "sfida_leduc_poker"])
def test_an_information_state_recalls_all_that_its_seat_has_done_and_seen(name: str) -> None:
    """States with equal information states of a seat have the same earlier ones and actions of that seat."""
    pasts: dict[tuple[int, str], tuple[Any, ...]] = {}
    histories = 0

    def visit(state: Any, past: tuple[tuple[Any, ...], ...]) -> None:
        nonlocal histories
        if state.is_terminal():
            return
        seat = state.current_player()
        if seat < 0:
            for outcome, _ in state.chance_outcomes():
                visit(state.child(outcome), past)
            return
        histories += 1
        known = state.information_state_string(seat)
        assert pasts.setdefault((seat, known), past[seat]) == past[seat]
        for action in state.legal_actions():
            mine = (*past[seat], (known, action))
            visit(state.child(action), (*past[:seat], mine, *past[seat + 1:]))

    visit(pyspiel.load_game(name).new_initial_state(), ((), ()))
    assert 0 < len(pasts) < histories, "what is hidden is not told"


def test_counterfactual_regret_finds_the_value_of_kuhn_poker() -> None:
    """-1/18 of a chip for the first seat; win shares count a chip as a quarter, and returns as twice a share."""
    from open_spiel.python.algorithms import cfr, expected_game_score

    game = pyspiel.load_game("sfida_kuhn_poker")
    solver = cfr.CFRSolver(game)
    for _ in range(60):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    value = expected_game_score.policy_value(game.new_initial_state(), [policy, policy])
    assert value == pytest.approx([-1 / 36, 1 / 36], abs=0.004)


@pytest.mark.parametrize("name", [*BOARD_GAMES])
def test_actions_are_moves_of_the_game_and_luck_has_its_weights(name: str) -> None:
    state = pyspiel.load_game(name).new_initial_state()
    position = sfida.make(name.removeprefix("sfida_"))
    for number in range(60):
        if position.is_chance:
            outcomes = position.chance_outcomes()
            total = sum(weight for _, weight in outcomes)
            assert state.chance_outcomes() == [(i, weight / total) for i, (_, weight) in enumerate(outcomes)]
            place = number * 7919 % len(outcomes)
            state.apply_action(place)
            position.apply(outcomes[place][0])
            continue
        assert state.current_player() == position.to_move
        texts = [state.action_to_string(action) for action in state.legal_actions()]
        moves = position.candidate_moves() if name == "sfida_risiko" else position.legal_moves()
        assert sorted(texts) == sorted(map(position.format, moves))
        chosen = number * 7919 % len(texts)
        move = position.parse(texts[chosen]) if name != "sfida_risiko" else next(
            move for move in moves if position.format(move) == texts[chosen])
        state.apply_action(state.legal_actions()[chosen])
        position.apply(move)
        assert state.position == position


def test_pickles_are_read_where_nothing_was_registered(tmp_path: Path) -> None:
    state = pyspiel.load_game("sfida_carcassonne(players=3,options=river:true)").new_initial_state()
    for _ in range(9):
        state.apply_action(state.legal_actions()[-1])
    (tmp_path / "state").write_bytes(pickle.dumps(state))
    code = "import pickle, sys; print(pickle.load(open(sys.argv[1], 'rb')).position.to_bytes().hex())"
    done = subprocess.run([sys.executable, "-c", code, tmp_path / "state"], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == state.position.to_bytes().hex()


@pytest.mark.parametrize(("text", "message"), [
    ("sfida_risiko(players=9)", "option 'players' of game 'risiko' must be a whole number from 3 to 6, not 9"),
    ("sfida_carcassonne(options=rivers:true)", "unknown option 'rivers' of game 'carcassonne'; did you mean 'river'?"),
    ("sfida_carcassonne(options=river)", "must be like river:true;farmers:false, each option once and without players"),
    ("sfida_carcassonne(options=players:3)", "must be like river:true;farmers:false, each option once and without"),
])
def test_bad_parameters_are_said_in_one_line(text: str, message: str) -> None:
    with pytest.raises(InvalidOption) as caught:
        pyspiel.load_game(text)
    assert message in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1


def test_without_open_spiel_one_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(SfidaError, match=r"needs the package open_spiel: pip install 'sfida\[openspiel\]'"):
        register_in_openspiel()
