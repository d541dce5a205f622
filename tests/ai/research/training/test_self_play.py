"""Learning from games without search: gradients, results that repeat, whole numbers, and whole trainings."""

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sfida
from sfida.ai.research.profiling import sample_decisions
from sfida.ai.research.training import self_play, training
from sfida.ai.research.training.fitting import FitOptions
from sfida.ai.research.training.self_play import SelfPlayOptions, learn, quantised_wide, shapes, symmetries, whole_error
from sfida.ai.research.training.training import SEARCH, SELF_PLAY, USUAL, TrainingPlan, train
from sfida.cython_ext.errors import InvalidOption, InvalidRecord
from sfida.cython_ext.learned import Learned, pack, unpack
from sfida.cython_ext.learning import Gradient, SelfPlay, numbers
from sfida.engines.characters import _tasted
from sfida.engines.learned import read_learned, write_learned
from sfida.engines.registry import make_game
from sfida.engines.zarahemla.map import symmetries as board_symmetries
from sfida.engines.zarahemla.position import move_codes

GAME = make_game("attila:players=2")
SMALL = SelfPlayOptions(games=48, hidden=8, second=4, chunk=16, batch=32)


@pytest.fixture(scope="module")
def learned(tmp_path_factory):
    """A small network, and the file of its checkpoint."""
    path = tmp_path_factory.mktemp("learned") / "one.npz"
    return learn(GAME, SMALL, 7, path), path


def in_whole_numbers(found):
    start = GAME.initial_state()
    table = quantised_wide(found, start.sparse_inputs, 2, SMALL)
    return Learned(GAME.name, GAME.rules_version, start.feature_names, {2: table}, {}, (), start.input_names)


# ---- symmetries -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 4])
def test_the_symmetries_of_inputs_are_a_group(players):
    table = symmetries(make_game(f"zarahemla:players={players}"))
    rows = {tuple(row) for row in table}
    assert len(table) == len(rows) == 12
    assert tuple(table[0]) == tuple(range(table.shape[1]))
    assert all(sorted(row) == list(range(table.shape[1])) for row in table)
    assert all(tuple(one[other]) in rows for one in table for other in table)


@pytest.mark.rule("ZAR-2.1")
def test_pieces_moved_by_a_symmetry_give_the_inputs_that_it_names():
    game = make_game("zarahemla:players=3")
    start = game.initial_state()
    while start.is_chance:
        start.apply(start.chance_outcomes()[0][0])
    moved = {int(one) for row in symmetries(game) for one in np.flatnonzero(row != np.arange(len(row)))}
    corner = next(move for move in start.legal_moves() if game.format_move(start, move) == "S5")
    for row, one in zip(symmetries(game), board_symmetries(), strict=True):
        first, second = start.clone(), start.clone()
        first.apply(corner)
        second.apply(corner - 5 + one.corners[5])
        road = first.legal_moves()[0]
        base = next(code for name, code, _count in move_codes() if name == "road")
        first.apply(road)
        second.apply(base + one.edges[road - base])
        assert len(moved.intersection(first.inputs(-2))) == 2
        assert {int(row[given]) for given in moved.intersection(first.inputs(-2))} == moved.intersection(
            second.inputs(-2))


def test_inputs_that_no_position_had_weigh_nothing(learned):
    """Other rows change with every step, so a row of zeros is one that was never met."""
    found, path = learned
    start = GAME.initial_state()
    rows = found.network[:start.sparse_inputs * SMALL.hidden].reshape(start.sparse_inputs, -1)
    with np.load(path) as held:
        moved = held["adam_square0"][:rows.size].reshape(rows.shape).any(axis=1)
    assert 0 < moved.sum() < len(moved)
    assert (rows.any(axis=1) == moved).all()


def test_each_position_is_turned_by_a_symmetry(tmp_path, monkeypatch):
    game, played, learned_from = make_game("zarahemla:players=2"), [], []

    class Watched(Gradient):
        def add(self, network, inputs, ends, *rest):
            learned_from.append(inputs)
            return super().add(network, inputs, ends, *rest)

    def joined(*args):
        played.append(together(*args))
        return played[-1]

    together = self_play._joined
    monkeypatch.setattr(self_play, "Gradient", Watched)
    monkeypatch.setattr(self_play, "_joined", joined)
    learn(game, replace(SMALL, games=2), 7, tmp_path / "one.npz")
    table, turned = symmetries(game), set()
    for first, last in zip([0, *played[0].ends[:-1]], played[0].ends, strict=True):
        given = list(learned_from[0][first:last])
        turned.add([list(row[played[0].inputs[first:last]]) for row in table].index(given) > 0)
    assert turned == {False, True}


# ---- the gradient -----------------------------------------------------------------------------------------


def test_the_gradient_is_that_of_the_loss(learned):
    found, _ = learned
    start = GAME.initial_state()
    start.set_knowledge(None)
    network = found.network.copy()
    player = SelfPlay(start, 8, 4, found.scale.mean, found.scale.gain / 256)
    played = player.play(network, np.arange(2, dtype=np.uint64), 8, 0.05, 0.9, 0.3)
    inputs, ends = np.frombuffer(played["inputs"], np.uint16), np.frombuffer(played["ends"], np.int32)
    dense = np.frombuffer(played["dense"], np.float32).reshape(len(ends), -1)
    targets = np.frombuffer(played["targets"], np.float32).reshape(len(ends), 2)
    rows = np.arange(min(40, len(ends)), dtype=np.int32)
    assert targets.sum(axis=1) == pytest.approx(1, abs=1e-5)

    def loss(at):
        return Gradient(start, 8, 4).add(at, inputs, ends, dense, targets, rows, np.zeros_like(at))

    gradient = np.zeros_like(network)
    Gradient(start, 8, 4).add(network, inputs, ends, dense, targets, rows, gradient)
    at = 0
    for name, shape in shapes(start.sparse_inputs, dense.shape[1], 2, SMALL).items():
        part = np.abs(gradient[at:at + int(np.prod(shape))])
        one = at + int(part.argmax())
        at += len(part)
        up, down = network.copy(), network.copy()
        up[one] += 1e-3
        down[one] -= 1e-3
        assert (loss(up) - loss(down)) / 2e-3 == pytest.approx(gradient[one], rel=0.05, abs=0.02), name
    assert at == len(network) == numbers(start, 8, 4)


# ---- results that repeat ------------------------------------------------------------------------------------


def test_threads_and_interruptions_change_nothing(learned, tmp_path):
    found, _ = learned
    assert (learn(GAME, SMALL, 7, tmp_path / "two.npz", threads=2).network == found.network).all()

    def interrupt(games, _):
        if games == 32:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        learn(GAME, SMALL, 7, tmp_path / "three.npz", on_games=interrupt)
    again = learn(GAME, SMALL, 7, tmp_path / "three.npz", threads=2)
    assert (again.network == found.network).all()
    assert (again.curve, again.positions) == (found.curve, found.positions)
    assert not (learn(GAME, SMALL, 8, tmp_path / "four.npz").network == found.network).all()


def test_an_interruption_in_the_middle_of_a_chunk_changes_nothing(learned, tmp_path, monkeypatch):
    found, _ = learned
    calls = []

    class Interrupted:
        def __init__(self, *shape):
            self.gradient = Gradient(*shape)

        def add(self, *arguments):
            calls.append(1)
            if len(calls) == found.positions // SMALL.batch * 2 // 3:
                raise KeyboardInterrupt
            return self.gradient.add(*arguments)

    monkeypatch.setattr(self_play, "Gradient", Interrupted)
    with pytest.raises(KeyboardInterrupt):
        learn(GAME, SMALL, 7, tmp_path / "five.npz")
    with np.load(tmp_path / "five.npz") as held:
        assert 0 < held["games"] < SMALL.games
    again = learn(GAME, SMALL, 7, tmp_path / "five.npz")
    assert (again.network == found.network).all()
    assert (again.curve, again.positions) == (found.curve, found.positions)


def test_a_finished_training_is_only_read(learned, monkeypatch):
    found, path = learned
    monkeypatch.setattr(self_play, "SelfPlay", None)
    assert (learn(GAME, SMALL, 7, path).network == found.network).all()


def test_a_checkpoint_of_other_options_is_refused(learned):
    _, path = learned
    with pytest.raises(InvalidRecord, match="belongs to a training with other options"):
        learn(GAME, replace(SMALL, trace=0.5), 7, path)


def test_it_learns(tmp_path):
    """After some games the loss is clearly below that of equal shares."""
    found = learn(GAME, SelfPlayOptions(games=800, hidden=16, second=8, chunk=100, batch=64), 1, tmp_path / "a.npz")
    assert found.curve[0][1] == pytest.approx(np.log(2), abs=0.05)
    assert found.curve[-1][1] < found.curve[0][1] - 0.05


# ---- whole numbers ------------------------------------------------------------------------------------------


def test_whole_numbers_change_little_and_files_hold_them(learned, tmp_path):
    found, _ = learned
    made = in_whole_numbers(found)
    assert whole_error(GAME, SMALL, found, made, 3) < 0.005
    assert read_learned(write_learned(tmp_path / "a.json", made)) == made
    state = GAME.initial_state()
    state.set_knowledge(made)
    assert state.clone().knowledge == made
    for state in sample_decisions(GAME, 20, 2):
        state.set_knowledge(made)
        wins, _ = state.evaluation()
        x = np.array([list(state.features(seat, state.to_move).values()) for seat in (0, 1)])
        assert wins == pytest.approx(made.position_shares(x, state.inputs(state.to_move), state.front_seat))


def test_seats_are_counted_from_the_front_seat():
    """Only the first seat's features count, so whoever is in front gets the larger share."""
    names = ("x",)
    table = {"mean": [0.0], "gain": [256.0], "inputs": 1, "hidden": 1, "second": 1, "shift": 0, "s1": 0, "s2": 0,
             "s3": 8, "S1": pack([0], "h"), "D1": pack([0, 0], "h"), "W2": pack([0], "h"), "b1": pack([0], "i"),
             "b2": pack([0], "i"), "W3": pack([0, 0], "i"), "L": pack([1, 0, 0, 0], "i"), "b3": pack([0, 0], "i")}
    made = Learned("game", 1, names, {2: table}, {}, (), ("all:1",))
    x = np.array([[1.0], [1.0]])
    first = made.position_shares(x, [], 0)
    assert first[0] == pytest.approx(np.e / (1 + np.e), abs=1e-3)
    assert made.position_shares(x, [], 1) == first[::-1]


@given(st.sampled_from([("h", 15), ("i", 31)]).flatmap(
    lambda kind: st.tuples(st.just(kind[0]), st.lists(st.integers(-2 ** kind[1], 2 ** kind[1] - 1)))))
def test_packed_numbers_come_back(packed):
    kind, numbers = packed
    text = pack(numbers, kind)
    assert unpack(text, kind, len(numbers)).tolist() == numbers
    for count in (len(numbers) - 1, len(numbers) + 1):
        if count >= 0:
            with pytest.raises(ValueError, match=f"does not have {count} numbers"):
                unpack(text, kind, count)


def test_small_weights_take_little_space():
    """Zeros cost next to nothing, and a weight of eight bits less than one of sixteen."""
    rng = np.random.default_rng(1)
    assert len(pack([0] * 10000, "h")) < 100
    assert len(pack(rng.integers(-128, 128, 10000).tolist(), "h")) < 0.6 * len(pack(
        rng.integers(-32768, 32768, 10000).tolist(), "h"))


@pytest.mark.parametrize(("change", "words"), [
    ({"S1": pack([32767, 1], "h"), "shift": 16}, "the sum of hidden unit 0 could leave 32 bits"),
    ({"W2": pack([32767], "h"), "b2": pack([2**31 - 2**20], "i")}, "the sum of second unit 0 could leave 32 bits"),
    ({"S1": pack([1], "h")}, "S1 does not have 2 numbers"), ({"L": "?"}, "L is not packed numbers"),
    ({"S1": pack([0] * 100000, "h")}, "S1 does not have 2 numbers"), ({"L": "AAAA"}, "L is not packed numbers"),
    ({"hidden": 0}, "hidden holds a number that is not within"), ({"s1": None}, "s1 holds None"),
])
def test_networks_that_cannot_be_are_refused(change, words):
    table = {"mean": [0.0], "gain": [1.0], "inputs": 2, "hidden": 1, "second": 1, "shift": 0, "s1": 0, "s2": 0,
             "s3": 8, "S1": pack([0, 0], "h"), "D1": pack([0, 0], "h"), "W2": pack([0], "h"), "b1": pack([0], "i"),
             "b2": pack([0], "i"), "W3": pack([0, 0], "i"), "L": pack([1, 0, 0, 0], "i"), "b3": pack([0, 0], "i")}
    Learned("game", 1, ("x",), {2: table}, {}, (), ("all:2",))
    with pytest.raises(ValueError, match=words):
        Learned("game", 1, ("x",), {2: {**table, **change}}, {}, (), ("all:2",))
    with pytest.raises(ValueError, match="the groups of its sparse inputs are not named"):
        Learned("game", 1, ("x",), {2: table})


def test_a_network_of_other_inputs_is_refused(learned):
    found, _ = learned
    made = in_whole_numbers(found)
    other = Learned(made.game, made.rules, made.features, made.tables, {}, (), ("hand:1", *made.inputs[1:]))
    with pytest.raises(InvalidOption, match="reads other inputs than 'attila' has now"):
        GAME.initial_state().set_knowledge(other)


def test_characters_have_their_taste_with_sparse_inputs_too(learned):
    found, _ = learned
    made = in_whole_numbers(found)
    name = made.features[0]
    with_taste = _tasted(made, ((name, 0.5),))
    after, before = (unpack(each.tables[2]["L"], "i", 4 * len(made.features)) for each in (with_taste, made))
    apart = np.array(after) - np.array(before)
    apart = apart.reshape(2, len(made.features), 2)
    step = round(0.5 * 2 ** made.tables[2]["s3"] / made.tables[2]["gain"][0])
    assert apart[:, 0].tolist() == [[step, 0], [0, step]]
    assert not apart[:, 1:].any()


# ---- a training ---------------------------------------------------------------------------------------------


def plan(**changes):
    agent = "ismcts:iterations=2"
    usual = {"agent": agent, "against": agent, "candidate": agent, "games": 40, "rounds": 1, "seed": 3, "sprt": None,
             "options": FitOptions(hidden=8), "recipe": SELF_PLAY}
    return TrainingPlan(GAME, **{**usual, **changes})


def test_a_training_writes_a_network_that_searches_use(tmp_path):
    outcome = train(plan(), tmp_path)
    (only,) = outcome.rounds
    assert only.passed
    assert only.to_json()["curve"][-1][0] == 40
    assert only.error < 0.02
    held = json.loads((tmp_path / "training.json").read_text())
    assert held["recipe"] == SELF_PLAY
    made = read_learned(only.path)
    assert made.made["2"]["command"].startswith("sfida train attila:players=2 ")
    assert "--recipe self-play --games 40" in made.made["2"]["command"]
    (state,) = sample_decisions(GAME, 1, 5)
    found = sfida.agent(f"ismcts:iterations=20,knowledge={only.path}", seed=1).analyze(state.view(state.to_move))
    assert found.iterations == 20
    assert train(plan(), tmp_path, resume=True).rounds[0].path == only.path


def test_the_recipe_is_that_of_the_game():
    asked = {**USUAL, "against": USUAL["agent"], "candidate": USUAL["agent"], "seed": 1}
    assert TrainingPlan.of(GAME, asked).recipe == SELF_PLAY
    assert TrainingPlan.of(GAME, asked).games == SelfPlayOptions.games
    assert TrainingPlan.of(GAME, {**asked, "priors": True}).recipe == SEARCH
    assert TrainingPlan.of(make_game("goofspiel"), asked).recipe == SEARCH
    assert TrainingPlan.of(make_game("goofspiel"), asked).games == 1000


@pytest.mark.parametrize(("changes", "words"), [
    ({"rounds": 2}, "in one round, and no priors"), ({"priors": True}, "in one round, and no priors"),
    ({"options": FitOptions(hidden=0)}, "at least one hidden unit"), ({"recipe": "magic"}, "a recipe is self-play or"),
])
def test_what_does_not_go_together_is_refused(changes, words):
    with pytest.raises(InvalidOption, match=words):
        plan(**changes)
    with pytest.raises(InvalidOption, match="lists no sparse inputs"):
        TrainingPlan(make_game("goofspiel"), "greedy", "greedy", "ismcts", 10, 1, 1, recipe=training.SELF_PLAY)
