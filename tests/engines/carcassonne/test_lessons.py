"""The walk-through of a first game: lessons and the introduction are true for the options in force."""

from __future__ import annotations

import pytest

from sfida.cython_ext.rng import Random
from sfida.engines.registry import make, make_game
from support.carcassonne import Table
from support.lessons import lines
from support.playing import step

pytestmark = pytest.mark.release_only("texts are plain Python")

SPECS = ("carcassonne", "carcassonne:players=3,river=true", "carcassonne:players=5,farm_scoring=first_edition",
         "carcassonne:players=4,farmers=false,city2_scoring=full",
         "carcassonne:river=true,river_uturn=monotone,farm_scoring=per_farm,river_start_tile=after_lake")


def test_no_lesson_is_about_farmers_where_there_are_none() -> None:
    for seed in range(6):
        state, rng = make("carcassonne:players=4,farmers=false,city2_scoring=full"), Random(seed)
        while not state.is_over:
            assert state.is_chance or "farmer" not in state.game.lesson(state, state.to_move).text
            step(state, rng)


@pytest.mark.parametrize("spec", SPECS)
def test_the_introduction_fits_a_screen_and_keeps_to_the_options(spec: str) -> None:
    said = make_game(spec).introduction()
    assert lines(said) <= 14
    assert ("armer" in said) == ("farmers=false" not in spec)
    assert ("river" in said) == ("river=true" in spec)
    assert ("4 points for each" in said) == ("first_edition" in spec)
    assert ("a city of 2 tiles" in said) == ("full" not in spec)


def key(place: str, *turns: str) -> str:
    """Return the kind of decision after a tile is laid."""
    table = Table()
    for turn in turns:
        table.play(turn)
    table.hand(0, place.split("@")[0])
    table.state.apply(table.state.parse(place))
    return str(table.game.lesson(table.state, 0).key)


def test_the_lesson_of_a_follower_is_that_of_what_matters_there() -> None:
    assert key("U@-1,0/1") == "deploy"
    assert key("B@0,1/0") == "monastery"
    assert key("E@0,-1/2") == "completed"
    assert key("U@-1,0/1", "1:U@1,0/1+f0") == "deploy"
    assert key("U@2,0/1", "1:U@1,0/1+r0") == "farm"
    assert key("U@3,0/1", *(f"0:B@{x},1/0+m" for x in range(6)), "1:U@1,0/1", "1:U@2,0/1") == "last_follower"
