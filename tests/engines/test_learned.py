"""Files of learned evaluations, and the file that comes with a game."""

import json
import pickle
import sys

import pytest

from sfida.cython_ext.errors import InvalidOption, SfidaError
from sfida.cython_ext.learned import Learned
from sfida.cython_ext.rng import Random
from sfida.engines.examples.leduc_poker import LeducPoker, LeducPosition
from sfida.engines.learned import MOST_BYTES, beside, read_learned, write_learned
from sfida.engines.registry import make
from sfida.testing import check_game
from support.networks import random_network, random_priors, random_table


@pytest.fixture
def learned():
    return Learned("risiko", 2, "abc", {2: random_table(3), 4: random_table(3, hidden=0)}, {"hours": 3.5})


def test_a_file_reads_back(tmp_path, learned):
    path = write_learned(tmp_path / "net.json", learned)
    assert read_learned(path) == learned
    assert read_learned(path).made == {"hours": 3.5}
    assert read_learned(path).players == (2, 4)


def test_a_file_with_priors_reads_back(tmp_path):
    table = {**random_table(3), "moves": random_priors(2)}
    learned = Learned("risiko", 2, "abc", {2: table, 4: {"moves": random_priors(2, 1)}, 5: random_table(3)}, {}, "xy")
    found = read_learned(write_learned(tmp_path / "net.json", learned))
    assert found == learned
    assert found.move_features == ("x", "y")
    assert (found.players, found.prior_players) == ((2, 5), (2, 4))
    assert "move_features" not in write_learned(tmp_path / "b.json", Learned("risiko", 2, "abc", {})).read_text()


@pytest.mark.parametrize(("values", "message"), [
    ({"move_features": "xy"}, "'move_features' must be a list of names"),
    ({"move_features": [1, 2]}, "'move_features' must be a list of names"),
    ({"move_features": ["x"]}, "network for 2 players: priors: mean has 2 numbers, not 1"),
    ({"tables": {"2": {"moves": []}}}, "priors: a set of them is a mapping"),
    ({"tables": {"2": {"moves": {"mean": []}}}}, "priors: 'gain' is missing"),
    ({"tables": {"2": {"moves": {}, "mean": []}}}, "priors: 'mean' is missing")])
def test_damaged_priors_get_one_clear_line(tmp_path, values, message):
    path = tmp_path / "net.json"
    changed(Learned("risiko", 2, "abc", {2: {"moves": random_priors(2)}}, {}, "xy"), path, **values)
    with pytest.raises(InvalidOption, match=message) as caught:
        read_learned(path)
    assert "\n" not in str(caught.value)


def changed(learned, path, **values):
    content = json.loads(write_learned(path, learned).read_text()) | values
    path.write_text(json.dumps(content))


@pytest.mark.parametrize(("values", "message"), [
    ({"format": 2}, "it does not have the format 1"), ({"game": 3}, "'game' must be a name"),
    ({"rules": True}, "'rules' a version"), ({"features": ["a", 1, "c"]}, "'features' must be a list of names"),
    ({"features": ["a", "a", "c"]}, "1 to 256 different features"), ({"features": []}, "1 to 256 different features"),
    ({"tables": []}, "'tables' and 'made' must be tables"), ({"tables": {"two": {}}}, "'two' in 'tables'"),
    ({"tables": {"7": {}}}, "1 to 6 players, not 7"), ({"tables": {"2": {}}}, "players: 'mean' is missing"),
    ({"tables": {"2": []}}, "a network is a mapping"), ({"made": None}, "'tables' and 'made' must be tables")])
def test_a_foreign_file_gets_one_clear_line(tmp_path, learned, values, message):
    path = tmp_path / "net.json"
    changed(learned, path, **values)
    with pytest.raises(InvalidOption, match=message) as caught:
        read_learned(path)
    assert str(caught.value).startswith(f"{path} is no learned evaluation: ")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("data", [b"", b"\xff\xfe\x00", b"[1, 2", b"[" * 100_000, b"1" * 5000, b'{"format": NaN}',
                                  b"3"])
def test_a_damaged_file_gets_one_clear_line(tmp_path, data):
    path = tmp_path / "net.json"
    path.write_bytes(data)
    with pytest.raises(InvalidOption, match="is no learned evaluation: ") as caught:
        read_learned(path)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < len(str(path)) + 300


def test_a_file_that_was_cut_short_is_refused(tmp_path, learned):
    path = write_learned(tmp_path / "net.json", learned)
    data = path.read_bytes()
    for end in range(0, len(data) - 2, 7):
        path.write_bytes(data[:end])
        with pytest.raises(InvalidOption):
            read_learned(path)


def test_no_file_is_too_large(tmp_path):
    huge = Learned("game", 1, [f"f{i}" for i in range(200)], {n: random_table(200, hidden=900) for n in (2, 3, 4, 5)})
    with pytest.raises(InvalidOption, match="is larger than"):
        write_learned(tmp_path / "net.json", huge)
    assert not (tmp_path / "net.json").exists()
    (tmp_path / "net.json").write_bytes(b" " * (MOST_BYTES + 1))
    with pytest.raises(OSError, match="larger than"):
        read_learned(tmp_path / "net.json")


# ---- games in plain Python ----------------------------------------------------------------------------


class LearningPosition(LeducPosition):
    """Leduc poker that lists features: chips, and the mover's own card."""

    __slots__ = ()
    feature_names = ("chips", "rank", "pair", "round")

    def features(self, seat):
        own = seat == self.to_move
        return (float(self.chips[seat]), float(self.cards[seat]) if own else 1.0,
                float(own and self.cards[seat] == self.cards[2]), float(len(self.rounds)))


class LearningPoker(LeducPoker):
    name = "learning_poker"
    position_class = LearningPosition


class PeekingPosition(LearningPosition):
    __slots__ = ()

    def features(self, seat):
        return float(self.chips[seat]), float(self.cards[seat]), 0.0, 1.0


class PeekingPoker(LeducPoker):
    name = "peeking_poker"
    position_class = PeekingPosition


def dealt(game):
    state = game.initial_state()
    state.apply(10)
    state.apply(12)
    return state


def test_a_python_game_is_judged_by_a_network():
    state = dealt(LearningPoker())
    assert state.features(0) == {"chips": 1.0, "rank": 0.0, "pair": 0.0, "round": 1.0}
    assert state.features(1)["rank"] == 1.0
    assert state.evaluation() is None
    view = state.view(0)
    view.set_knowledge(random_network(state))
    assert view.has_evaluation
    world = view.sample(Random(1))
    shares, scores = world.evaluation()
    assert sum(shares) == pytest.approx(1.0)
    assert scores == [0.0, 0.0]
    assert not state.has_evaluation
    copy = pickle.loads(pickle.dumps(world))
    assert copy.evaluation() == world.evaluation()




def test_its_features_are_checked():
    assert check_game(LearningPoker(), seeds=5).games == 5
    with pytest.raises(AssertionError, match="features\\(\\) depend on what"):
        check_game(PeekingPoker(), seeds=5)


def test_features_and_their_names_go_together():
    class NamesOnly(LeducPosition):
        feature_names = ("chips",)

    class Unnamed(LeducPosition):
        def features(self, seat):
            return (1.0,)

    class Short(LearningPosition):
        def features(self, seat):
            return (1.0,)

    for kind in (NamesOnly, Unnamed):
        with pytest.raises(SfidaError, match="must define both features\\(\\) and feature_names, or neither"):
            type("Poker", (LeducPoker,), {"name": "poker", "position_class": kind})()
    state = dealt(type("Poker", (LeducPoker,), {"name": "poker", "position_class": Short})())
    with pytest.raises(SfidaError, match="features\\(\\) must give 4 numbers, as many as feature_names, not 1"):
        state.features(0)


# ---- the file that comes with a game --------------------------------------------------------------------


def test_a_game_starts_with_the_file_beside_its_module(tmp_path, monkeypatch):
    learned = random_network(LearningPoker().initial_state())
    write_learned(tmp_path / "learned.json", learned)
    monkeypatch.setattr(sys.modules[__name__], "__file__", str(tmp_path / "game.py"))
    beside.cache_clear()
    try:
        state = dealt(LearningPoker())
        assert state.knowledge == learned
        assert state.game.knowledge == learned
        assert state.evaluation() is not None
        assert pickle.loads(pickle.dumps(state)).knowledge == learned
        state.set_knowledge(None)
        assert pickle.loads(pickle.dumps(state)).knowledge is None
    finally:
        beside.cache_clear()


def test_without_a_file_positions_are_judged_by_hand():
    assert make("leduc_poker").knowledge is None


# ---- the files that come with the games -----------------------------------------------------------------


@pytest.mark.parametrize("name", ["carcassonne", "a_few_acres_of_snow", "risiko"])
def test_what_a_game_has_learned_has_passed_its_match(name):
    """For each number of players the file states the command that made it, and that it passed a sequential test."""
    shipped = make(name).game.knowledge
    assert shipped is not None
    for players in shipped.players:
        made = shipped.made[str(players)]
        assert made["command"].startswith("sfida train ")
        assert made["match"]["test"].startswith("H1: ")
        assert made["match"]["win_share"] > 1 / players
        assert "/" not in made["match"]["agent"] + made["match"]["against"], "no path of the machine that made it"
        assert make(f"{name}:players={players}").knowledge == shipped
