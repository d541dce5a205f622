"""The rules clause by clause, as a person looks them up at the table."""

from __future__ import annotations

import re

import pytest

from sfida.cython_ext.errors import InvalidNotation
from sfida.engines.clauses import rules_of

GAMES = {"carcassonne": "CAR", "attila": "ATT", "risiko": "RIS", "a_few_acres_of_snow": "FAS",
         "settlers_of_zarahemla": "ZAR"}


@pytest.mark.parametrize(("name", "prefix"), GAMES.items())
def test_every_game_has_its_rules(name, prefix):
    rules = rules_of(name)
    assert rules is not None
    assert len(rules.clauses) > 100
    assert all(re.fullmatch(rf"{prefix}-\d+\.\d+", clause) and text for clause, text in rules.clauses.items())
    assert len(rules.contents()) == len(rules.chapters) > 10


def test_a_clause_is_found_by_its_id_its_number_its_chapter_and_its_words():
    rules = rules_of("carcassonne")
    assert rules is not None
    (clause,) = rules.find("CAR-5.3")
    assert clause == rules.find("5.3")[0] == rules.find("car 5.3")[0]
    assert clause.startswith("CAR-5.3 It must lie next to at least one tile")
    assert [line.split()[0] for line in rules.find("4")] == [c for c in rules.clauses if c.startswith("CAR-4.")]
    found = rules.find("monk monastery")
    assert found
    assert all("monk" in line.lower() and "monastery" in line.lower() for line in found)


def test_what_is_no_rule_is_refused():
    rules = rules_of("carcassonne")
    assert rules is not None
    for text in ("99.1", "ATT-1.1", "xyzzy", " "):
        with pytest.raises(InvalidNotation, match="no rule is called or says"):
            rules.find(text)
    assert rules_of("tic_tac_toe") is None
