"""The examples of the page run as printed, and its figures match the games."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from sfida.engines.registry import make_game

pytestmark = pytest.mark.release_only("no rules: what learners are told")

PAGE = (Path(__file__).parents[2] / "docs" / "measure" / "environments.md").read_text(encoding="utf-8")


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_the_examples_run(capsys: pytest.CaptureFixture[str]) -> None:
    for package in ("pettingzoo", "gymnasium", "pyspiel"):
        pytest.importorskip(package)
    blocks = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    assert len(blocks) == 3
    space: dict[str, Any] = {}
    for block in blocks:
        exec(compile(block, "environments.md", "exec"), space)
    reward, seed = re.fullmatch(r"(\S+) \[.*\] (\d+)\n", capsys.readouterr().out).groups()  # type: ignore[union-attr]
    assert -0.5 <= float(reward) <= 1
    assert seed == "7"
    assert space["state"].position.players == 3


@pytest.mark.parametrize(("game", "row"), [
    ("carcassonne", "| Carcassonne | {count:,};"), ("carcassonne:river=true", "with the River {count:,} |"),
    ("settlers_of_zarahemla", "| The Settlers of Zarahemla | {count:,} |"), ("attila", "| Attila | {count:,} |"),
    ("a_few_acres_of_snow", "| A Few Acres of Snow | {count:,} |"), ("risiko", "| RisiKo! | {count:,} |"),
])
def test_the_sizes_of_fixed_spaces_are_told(game: str, row: str) -> None:
    actions = make_game(game).actions
    assert actions is not None
    assert row.format(count=actions.count) in PAGE
