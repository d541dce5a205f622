"""The tutorial names every example; `tests/test_examples.py` runs it."""

from pathlib import Path

import pytest

pytestmark = pytest.mark.release_only("a game in plain Python")

TUTORIAL = Path(__file__).parents[2] / "docs" / "adding_a_game.md"


@pytest.mark.parametrize("name", ["tic_tac_toe", "kuhn_poker", "leduc_poker", "goofspiel",
                                  "phantom_tic_tac_toe"])
def test_tutorial_names_every_example(name):
    title = name.replace("_", " ").replace("tic tac", "tic-tac").replace("tac toe", "tac-toe")
    assert title in TUTORIAL.read_text(encoding="utf-8").lower()
