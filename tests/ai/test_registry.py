"""Agents by name."""

import json
import sys
from collections import Counter

import pytest

import sfida
from sfida.ai.agent import Agent
from sfida.ai.registry import agent_class, agent_names, broken_agents
from sfida.engines.spec import describe
from support.distributions import install, python


def test_every_registered_agent_can_be_built_and_described():
    assert broken_agents() == {}
    assert {"human", "random", "greedy", "flat", "ismcts"} <= set(agent_names())
    for name in agent_names():
        cls = agent_class(name)
        free = {"command": sys.executable, "level": "4", "port": "4000"}
        spec = f"{name}:{free[cls.free_text]}" if cls.free_text else name
        agent = sfida.agent(spec)
        assert isinstance(agent, Agent)
        assert agent.spec == spec
        assert cls.doc
        json.dumps(describe(cls.options_class))
        for entry in describe(cls.options_class):
            assert entry["doc"], f"option '{entry['key']}' of agent '{name}' is not explained"


def test_unknown_agent_and_option_name_the_nearest():
    with pytest.raises(sfida.UnknownAgent, match="unknown agent 'randon'; did you mean 'random'"):
        sfida.agent("randon")
    with pytest.raises(sfida.InvalidOption, match="unknown option 'x' of agent 'random'; its options: none"):
        sfida.agent("random:x=1")
    with pytest.raises(sfida.InvalidOption, match="'iteratons' of agent 'ismcts'; did you mean 'iterations'"):
        sfida.agent("ismcts:iteratons=5")
    with pytest.raises(sfida.InvalidOption, match="is given twice"):
        sfida.agent("ismcts:iterations=5", iterations=6)


def test_random_agent_is_uniform_and_keeps_to_its_seed():
    view = sfida.make("tic_tac_toe").view(0)
    chosen = Counter(sfida.agent("random", seed).choose(view) for seed in range(4500))
    assert len(chosen) == 9
    assert sum((n - 500) ** 2 / 500 for n in chosen.values()) < 26.12      # chi-square, 8 degrees, 0.1 %
    assert len({sfida.agent("random", 5).choose(view) for _ in range(3)}) == 1


def test_random_agent_varies_over_the_moves_of_a_game_with_one_seed():
    agent, state, places = sfida.agent("random", 1), sfida.make("tic_tac_toe"), []
    while not state.is_over:
        legal = state.legal_moves()
        move = agent.choose(state.view(state.to_move))
        places.append(legal.index(move) / len(legal))
        state.apply(move)
    assert len({round(place, 1) for place in places}) > 2


def test_random_agent_out_of_turn():
    with pytest.raises(sfida.IllegalMove, match="seat 1 is not to move"):
        sfida.agent("random").choose(sfida.make("tic_tac_toe").view(1))


def test_a_human_is_asked_or_says_that_nobody_is_there():
    human = sfida.agent("human")
    view = sfida.make("tic_tac_toe").view(0)
    with pytest.raises(sfida.SfidaError, match="'human' has nobody to ask"):
        human.choose(view)
    human.ask = lambda view: "b2"
    assert view.format(human.choose(view)) == "b2"


LAST = """
from dataclasses import dataclass, field
from sfida.ai.agent import NamedAgent

@dataclass(frozen=True)
class Options:
    back: int = field(default=1, metadata={"low": 1, "doc": "counted from the end"})

class Last(NamedAgent):
    name = "last"
    doc = "the last legal move"
    options_class = Options

    def choose(self, view):
        return view.legal_moves()[-self.options.back]
"""


def test_a_third_party_agent_plays_and_a_broken_one_is_named(tmp_path):
    points = "[sfida.agents]\nlast = my_agents:Last\nbroken = my_agents:Lost\n"
    install(tmp_path, "myagents", points, my_agents=LAST)
    out = python(tmp_path, """
import sfida
print(sfida.agent_names())
print(sfida.play("tic_tac_toe", ["last", "last:back=1"], seed=1).moves[:2])
for spec in ("last:bak=2", "broken"):
    try:
        sfida.agent(spec)
    except sfida.SfidaError as error:
        print(error)
""").splitlines()
    assert "'last'" in out[0]
    assert "'broken'" not in out[0]
    assert out[1] == "('c1', 'b1')"
    assert out[2] == "unknown option 'bak' of agent 'last'; did you mean 'back'? its options: back"
    assert out[3].startswith("agent 'broken' of distribution 'myagents' cannot be loaded: AttributeError")
