"""The tutorial runs as it is printed."""

import re
import sys
import types
from pathlib import Path

import pytest

pytestmark = pytest.mark.release_only("a game in plain Python")

TUTORIAL = Path(__file__).parents[2] / "docs" / "adding_a_game.md"


def test_tutorial(capsys, monkeypatch):
    text = TUTORIAL.read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert len(blocks) >= 6
    module = types.ModuleType("sfida_tutorial")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    for block in blocks:
        exec(compile(block, str(TUTORIAL), "exec"), module.__dict__)
    printed = capsys.readouterr().out.splitlines()
    assert printed[0] == "[0, 1, 2, 3, 5, 6, 7, 8]"
    assert int(printed[-2]) in (0, 2, 6, 8)
    assert printed[-1].startswith("10 games, ")


@pytest.mark.parametrize("name", ["tic_tac_toe", "kuhn_poker", "leduc_poker", "goofspiel",
                                  "phantom_tic_tac_toe"])
def test_tutorial_names_every_example(name):
    title = name.replace("_", " ").replace("tic tac", "tic-tac").replace("tac toe", "tac-toe")
    assert title in TUTORIAL.read_text(encoding="utf-8").lower()
