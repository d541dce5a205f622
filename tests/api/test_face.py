"""The public interface of the package, as the documentation promises it to scripts and notebooks."""

import json
import re
import subprocess
import sys
from importlib.metadata import version

import pytest

import sfida


def test_the_documented_block_runs_as_it_stands():
    state = sfida.make("carcassonne:river=false", players=2)
    shown = []
    for move in state.legal_moves():
        shown.append(state.format(move))
    assert shown
    state.apply(state.parse(shown[0]))
    twin = state.clone()
    seat = state.to_move
    assert seat == 0
    agent = sfida.agent("ismcts:iterations=1000", seed=7)
    move = agent.choose(state.view(seat))
    assert move in state.legal_moves()
    result = agent.analyze(state.view(seat))
    assert result.moves[0].visits > 0
    assert state == twin
    record = sfida.play("carcassonne", ["greedy", "greedy", "random"], seed=1)
    assert record.replay().is_over
    sfida.testing.check_game("kuhn_poker")


def test_errors_derive_from_one_class():
    for name in ("IllegalMove", "InvalidNotation", "AmbiguousNotation", "InvalidOption", "InvalidRecord",
                 "UnknownGame", "UnknownAgent"):
        assert issubclass(getattr(sfida, name), sfida.SfidaError)
    assert issubclass(sfida.SfidaError, ValueError)


def test_every_public_name_is_there_and_others_are_not():
    for name in sfida.__all__:
        assert getattr(sfida, name) is not None
        assert name in dir(sfida)
    assert sfida.__version__ == version("sfida")
    with pytest.raises(AttributeError, match="module 'sfida' has no attribute 'mak'"):
        sfida.mak  # noqa: B018


def test_importing_loads_nothing_heavy():
    heavy = ("numpy", "joblib", "click", "rich", "sfida.ai", "sfida.engines", "sfida.cli")
    code = f"import sys, sfida; print(sorted(name for name in sys.modules if name.startswith({heavy})))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_records_through_the_face(tmp_path):
    record = sfida.play("tic_tac_toe", ["random", "random"], seed=1)
    path = tmp_path / "games.jsonl"
    sfida.append_record(path, record)
    assert json.loads(path.read_text())["type"] == "game"
    assert sfida.read_record(path) == record
    assert list(sfida.read_records(path)) == [record]


def test_the_package_runs_as_a_program():
    done = subprocess.run([sys.executable, "-m", "sfida", "--version"], capture_output=True, text=True,
                          check=False)
    assert done.returncode == 0, done.stderr
    assert re.fullmatch(rf"sfida {re.escape(version('sfida'))}\n", done.stdout)


@pytest.mark.parametrize(("call", "reason"), [
    (lambda: sfida.make(5), "a spec is text such as name:key=value, not 5"),
    (lambda: sfida.agent(None), "a spec is text such as name:key=value, not None"),
    (lambda: sfida.play("tic_tac_toe", ["random", 7]), "an agent needs 'spec' and 'choose', which 7 does not have"),
    (lambda: sfida.tournament("tic_tac_toe", ["random", b"x"], 2),
     "an agent needs 'spec' and 'choose', which b'x' does not have"),
    (lambda: sfida.tournament("tic_tac_toe", ["random", "greedy"], 2, sprt=3),
     "a sequential test is given by SprtOptions or by text, not 3"),
])
def test_arguments_of_another_type_are_refused_in_one_line(call, reason):
    with pytest.raises(sfida.InvalidOption) as told:
        call()
    assert str(told.value) == reason
