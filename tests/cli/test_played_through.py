"""Whole games at a terminal, by a person who types only what the screen explains; some screens are golden files."""

from __future__ import annotations

import difflib
from pathlib import Path

import pytest

from support.golden_screens import GAMES, SIZES, golden_path, kept, played
from support.newcomer import THE_END

PATHS = ("To look at it again: ", "All of it: ")       # lines that end with the path of the game
HOW = "if the new screens are better, run 'python tests/support/golden_screens.py' and look at the difference"


@pytest.mark.release_only
@pytest.mark.parametrize(("rows", "columns"), SIZES)
@pytest.mark.parametrize("game", GAMES)
def test_a_newcomer_plays_to_the_end(game: str, rows: int, columns: int, tmp_path: Path) -> None:
    screens = played(game, rows, columns, tmp_path)
    for screen in screens:
        assert len(screen.decision) <= rows or THE_END in screen.text, "the decision has scrolled away"
        wide = [line for line in screen.text.split("\n") if len(line) > columns and not line.startswith(PATHS)]
        assert not wide
    end = screens[-1].text
    assert "100 %" in end
    found, right = kept(screens), golden_path(game, rows, columns).read_text()
    assert found == right, HOW + "\n" + "\n".join(
        list(difflib.unified_diff(right.split("\n"), found.split("\n"), "golden", "now", lineterm=""))[:60])
