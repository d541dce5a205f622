"""The option `knowledge` of the agents, and the effect of a learned evaluation on their searches."""

import pytest

from sfida.ai.luck.value import Value
from sfida.ai.registry import agent
from sfida.ai.research.profiling import sample_decisions
from sfida.cython_ext.errors import InvalidOption
from sfida.engines.learned import write_learned
from sfida.engines.registry import make, make_game
from sfida.engines.zarahemla.game import Zarahemla
from support.networks import random_network

SPEC = "settlers_of_zarahemla:players=3"
AGENTS = ("greedy:", "flat:iterations=60,cutoff=1,", "ismcts:iterations=60,cutoff=1,",
          "mo-ismcts:iterations=60,cutoff=1,", "pimc:iterations=60,worlds=3,cutoff=1,")


@pytest.fixture
def learned():
    return random_network(make(SPEC), seed=7)


@pytest.fixture
def path(tmp_path, learned):
    return write_learned(tmp_path / "net.json", learned)


def views():
    return [state.view(state.to_move) for state in sample_decisions(make_game(SPEC), 40, 3)]


def judged_by(view, knowledge):
    twin = view.clone()
    twin.set_knowledge(knowledge)
    return twin


@pytest.mark.parametrize("name", AGENTS)
def test_an_agent_plays_by_the_file(name, path, learned):
    """The agent plays as with a view that the network evaluates, and leaves its view unchanged."""
    by_file, by_view = agent(f"{name}knowledge={path}", seed=5), agent(f"{name}".rstrip(":,"), seed=5)
    chosen, usual, expected = [], [], []
    for view in views():
        before = view.knowledge
        chosen.append(by_file.choose(view))
        assert view.knowledge is before
        usual.append(by_view.choose(view))
        expected.append(by_view.choose(judged_by(view, learned)))
    if not name.startswith("greedy"):           # greedy otherwise plays by the priors of this game
        assert chosen == expected
    assert chosen != usual


def test_by_hand_a_learned_game_plays_as_before(learned, monkeypatch):
    monkeypatch.setattr(Zarahemla, "knowledge", None)
    usual = [agent("ismcts:iterations=60", seed=5).choose(view) for view in views()]
    monkeypatch.setattr(Zarahemla, "knowledge", learned)
    assert [agent("ismcts:iterations=60,knowledge=hand", seed=5).choose(view) for view in views()] == usual
    by_default = [agent("ismcts:iterations=60", seed=5).choose(view) for view in views()]
    assert by_default != usual
    assert [agent("ismcts:iterations=60,knowledge=learned", seed=5).choose(view) for view in views()] == by_default


@pytest.mark.parametrize("name", AGENTS)
def test_what_does_not_fit_is_refused_before_the_game(name, path, tmp_path):
    for spec, game, message in (
            (f"{name}knowledge=learned", "attila", "has no learned evaluation: leave 'knowledge' out"),
            (f"{name}knowledge={path}", "attila", "is for the game 'settlers_of_zarahemla', not for 'attila'"),
            (f"{name}knowledge={tmp_path}", "attila", "cannot be read"),
            (f"{name}knowledge={tmp_path}/none", "attila", "must be hand, learned or a file; there is no file")):
        with pytest.raises(InvalidOption, match=message) as caught:
            agent(spec).check_game(make_game(game))
        assert "\n" not in str(caught.value)


def test_a_file_that_changes_is_read_again(path, learned):
    player = agent(f"ismcts:iterations=60,cutoff=0,knowledge={path}", seed=5)
    before = [player.choose(view) for view in views()]
    write_learned(path, random_network(make(SPEC), hidden=7, seed=8))
    assert [player.choose(view) for view in views()] != before


def test_a_tree_is_not_kept_when_the_knowledge_changes(learned):
    player = agent("ismcts:iterations=60", seed=5)
    fresh = [agent("ismcts:iterations=60", seed=5).choose(judged_by(view, learned)) for view in views()]
    mixed = []
    for view in views():
        player.new_game()
        player.choose(view)
        player.new_game()
        mixed.append(player.choose(judged_by(view, learned)))
    assert mixed == fresh


def test_values_of_luck_are_named_after_the_knowledge_that_they_ask(learned, monkeypatch):
    """Playouts to the end do not use the knowledge."""
    cut, whole = ({"steps": 0, "playouts": 2, "cutoff": cutoff} for cutoff in (1, -1))
    keys = []
    for _ in range(2):
        for defaults in (cut, whole):
            monkeypatch.setattr(Zarahemla, "luck_defaults", defaults)
            keys.append(Value(make_game(SPEC)).key)
        monkeypatch.setattr(Zarahemla, "knowledge", learned)
    assert keys[0] != keys[2]
    assert keys[1] == keys[3]
