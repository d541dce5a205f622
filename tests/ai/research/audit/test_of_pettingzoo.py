"""PettingZoo's environments: the audit finds every leak that is visible from outside, and honest environments pass."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

pytest.importorskip("pettingzoo", reason="pettingzoo is not installed: pip install 'sfida[envs]'")

from sfida.ai.research.audit.auditing import Auditor, subjects_of
from sfida.ai.research.audit.subject import NOT_APPLICABLE, PASSED, SAMPLING
from sfida.cli.main import main
from sfida.cython_ext.errors import SfidaError
from support.card_env import CardEnv

pytestmark = pytest.mark.release_only("no rules core takes part")

CARDS = "pettingzoo:env=support.card_env"


def audited(spec, positions=6, **more):
    return Auditor(*subjects_of(spec), positions=positions, **more).run()


@pytest.mark.parametrize(("leak", "check", "what"), [
    ("mask", "legal lists", "action_mask reveals what the agent has not been shown"),
    ("choice", "legal lists", "action_mask reveals what the agent has not been shown"),
    ("refused", "legal lists", "an action that the mask allows cannot be played: the environment raises "
                               "ValueError: not against that card"),
    ("lax", "legal lists", "an action that the mask does not allow is played"),
    ("infos", "labels", "infos reveals what the agent has not been shown"),
    ("reward", "labels", "reward reveals what the agent has not been shown"),
    ("turn", "shown", "observe() out of turn reveals what the agent has not been shown"),
    ("dull", "legal lists", "action_mask reveals what the agent has not been shown"),
    ("open", "shown", "observation reveals what the agent has not been shown"),
    ("last", "shown", "last() and observe() show different things"),
    ("window", "serialisation", "memory behind the observation reveals what the agent has not been shown"),
    ("luck", "replayed", "the same seed and actions give another game"),
    ("watched", "replayed", "observe() for other agents changes the game"),
    ("live", "handed out", "writing into a mask of legal actions changes the game"),
    ("reused", "handed out", "an observation changes as the game continues"),
])
def test_each_leak_is_found_by_its_check(leak, check, what):
    audit = audited(f"{CARDS},leak={leak}", positions=12)
    assert (check, what) in {(finding.check, finding.what) for finding in audit.findings}
    finding = next(each for each in audit.findings if each.what == what)
    assert finding.reproduction.moves[0].startswith("seed ")
    assert len(finding.reproduction.moves) <= 4


def test_what_cannot_be_pickled_is_said():
    audit = audited(f"{CARDS},leak=lambda")
    assert [finding.check for finding in audit.findings] == ["serialisation"]


@pytest.mark.parametrize("spec", [
    CARDS, "pettingzoo:env=sfida.envs.aec_env,game=kuhn_poker",
    "pettingzoo:env=sfida.envs.aec_env,game=tic_tac_toe,illegal_reward=-1", f"{CARDS},leak=known"])
def test_honest_environments_pass(spec):
    audit = audited(spec)
    assert audit.clean
    status = {check.name: check.status for check in audit.checks}
    assert {status.pop(name) for name in SAMPLING} == {NOT_APPLICABLE}
    assert set(status.values()) == {PASSED}


def test_findings_can_be_seen_again():
    """The codes of a finding are a seed and actions that lead to a turn of its seat."""
    audit = audited(f"{CARDS},leak=refused", positions=12)
    where = audit.findings[0].reproduction
    env = CardEnv("refused")
    env.reset(seed=where.codes[0])
    for action in where.codes[1:]:
        env.step(action)
    assert env.possible_agents[where.seat] == env.agent_selection
    with pytest.raises(ValueError, match="not against that card"):
        env.step(int(where.differing[0].removeprefix("action ")))


def test_the_command_tells_what_was_found_and_its_exit_code():
    done = CliRunner().invoke(main, ["audit", "-q", f"{CARDS},leak=infos", "--positions", "6"])
    assert done.exit_code == 1
    assert "labels: infos reveals what the agent has not been shown" in done.output
    assert "there is no sampler" in done.output
    assert "statistical" not in done.output


@pytest.mark.parametrize(("text", "message"), [
    ("pettingzoo", "pettingzoo needs the option 'env': pettingzoo:env=classic/leduc_holdem_v4"),
    ("pettingzoo:env=no_such_module_here", "'no_such_module_here' cannot be imported"),
    ("pettingzoo:env=classic/nosuch_v1", "'classic/nosuch_v1' cannot be imported"),
    ("pettingzoo:env=support.needy_env", "needs the module no_such_package, which is not installed"),
    ("pettingzoo:env=../x", "is not the name of a module"),
    ("pettingzoo:env=json", "'json' has no function env()"),
    ("pettingzoo:env=builtins.dict", "it has no reset()"),
    ("pettingzoo:env=support.card_env,wrong=1", "cannot be started: TypeError"),
    ("pettingzoo:env=sfida.envs.aec_env,game=nosuch", "nosuch"),
])
def test_bad_names_are_told_in_one_line(text, message):
    with pytest.raises(SfidaError) as error:
        list(subjects_of(text))
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_time_is_shared_out_and_what_is_left_is_said():
    audit = audited(CARDS, positions=5000, seconds=0.2)
    assert audit.positions < 5000
    assert audit.unchecked
    done = CliRunner().invoke(main, ["audit", "-q", CARDS, "--seconds", "0.2", "--positions", "5000"])
    assert "out of time (--seconds): " in done.output
