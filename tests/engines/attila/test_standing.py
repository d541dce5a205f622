"""The terms in hints of Attila: points of future scorings, influence, cards, tiles, as far as the viewer knows."""

from __future__ import annotations

import pytest

from sfida.ai.analysis import Reasons, follow, reasons_of
from sfida.cython_ext.attila.core import AttilaState
from support.attila import play, setup


def counted(state: AttilaState, seat: int, viewer: int) -> dict[str, float]:
    """Return a standing by name."""
    return {term.name: term.value for term in state.game.standing(state, seat, viewer)}


def reasons(state: AttilaState, *texts: str) -> Reasons:
    """Return the reasons for and against a line of moves."""
    return reasons_of(state.game, follow(state.view(state.to_move), texts, 1))


@pytest.mark.rule("ATT-8.4", "ATT-8.5")
def test_a_standing_counts_what_a_scoring_would_pay_by_tribe() -> None:
    state = setup("GER:FF RAE:FH", ["FFHHGG", "FFHHGG"], influence={"0.F": 3, "1.F": 2, "1.H": 1}, scores=[5, 7, 0])
    white, red = counted(state, 0, 0), counted(state, 1, 0)
    assert (white["points"], red["points"]) == (5, 7)
    assert (white["points a scoring (Franks)"], red["points a scoring (Franks)"]) == (3, 2)
    assert (white["points a scoring (Huns)"], red["points a scoring (Huns)"]) == (0, 2)
    assert (white["influence"], white["cards"], white["action tiles"]) == (3, 6, 3)
    assert sum(white[f"points a scoring ({name})"] for name in ("Franks", "Huns", "Goths", "Saxons", "Teutons",
                                                                "Vandals")) == state.snapshot()["seats"][0]["prospect"]


def test_taking_the_first_place_gains_its_tokens_and_costs_the_rival_as_much() -> None:
    state = setup("GER:FF RAE:FF", ["FFHHGG", "FFHHGG"], used=1, influence={"0.F": 1, "1.F": 2})
    found = reasons(state, "F", "@GER", "+2", "end")
    assert found.gains == ("+3 points a scoring (Franks)", "+2 influence", "red -2 points a scoring (Franks)")
    assert found.costs == ()


@pytest.mark.rule("ATT-6.7")
def test_a_conflict_to_come_counts_as_if_nobody_laid_more_cards() -> None:
    state = setup("GER:FFHH", ["FFHHGG", "FFHHGG"], influence={"0.F": 1, "1.H": 1})
    found = reasons(state, "F", "@GER", "+1")
    assert found.gains == ("+1 point a scoring (Franks)", "+1 influence", "red -3 points a scoring (Huns)")


def test_cards_laid_count_for_the_seat_that_knows_them_and_for_no_other() -> None:
    state = play(setup("GER:FFHH", ["GGGHFF", "FFHHGG"], influence={"0.G": 1, "1.F": 1}), "G@GER+1")
    name = "points a scoring (Goths)"
    assert counted(state, 0, 0)[name] == 0
    play(state, ":G", ":G")
    assert counted(state, 0, 0)[name] == 2              # Goths 3, Franks 2, Huns 2
    assert counted(state, 0, 1)[name] == counted(state, 0, 2)[name] == 0


def test_standings_do_not_depend_on_hidden_cards() -> None:
    one = play(setup("GER:FFHH", ["GGHHFF", "FFHHGG", "SSTTVV"]), "G@GER+1", "GH", "F")
    other = play(setup("GER:FFHH", ["GGHHFF", "FFHHGG", "SSTTVV"]), "G@GER+1", "FF", "H")
    for seat in range(3):
        assert one.game.standing(one, seat, 2) == other.game.standing(other, seat, 2)


@pytest.mark.rule("ATT-10.1")
def test_cards_cost_those_who_draw_later() -> None:
    state = play(setup("GER:FFHH", ["GGHHFF", "FFHHGG"]), "G@GER+1", "done")
    assert reasons(state, ":F", "done").costs[0] == "-1 card"
    assert counted(play(state, ":F", ":F"), 1, 0)["cards"] == 4
    assert counted(state, 0, 0)["cards"] == 6


def test_a_scoring_brings_what_it_was_said_to_bring() -> None:
    state = play(setup("GER:FFHH", ["GGHHFF", "FFHHGG"], influence={"0.F": 1, "1.H": 2}), "G@GER+1", "nobody")
    assert state.phase == "prescore"
    assert reasons(state, "score").gains == ("+3 points",)
    assert reasons(state, "score").costs == ("red +3 points",)
    assert reasons(state, "*I", "I:H", "I:H").costs == ("-1 action tile",)
