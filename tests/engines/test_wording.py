"""Numbers with their nouns, and lists of names."""

from __future__ import annotations

import pytest

from sfida.engines.language import counted, listed


@pytest.mark.parametrize(("number", "said"), [(0, "0 armies"), (1, "1 army"), (2, "2 armies")])
def test_numbers_stand_with_their_noun(number: int, said: str) -> None:
    assert counted(number, "army", "armies") == said


@pytest.mark.parametrize(("names", "said"), [
    ([], ""), (["Blue"], "Blue"), (["Blue", "Red"], "Blue and Red"), (["Blue", "Red", "Black"], "Blue, Red and Black")])
def test_names_are_listed(names: list[str], said: str) -> None:
    assert listed(names) == said
