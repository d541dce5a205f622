"""Deploying followers (chapter 6 of the rules)."""

from __future__ import annotations

import pytest

from sfida.cython_ext.errors import IllegalMove
from support.carcassonne import Table, vector

MONKS = [f"0:B@0,{y}/0+m" for y in range(1, 8)]


@pytest.mark.rule("CAR-6.1")
def test_nobody_is_always_a_choice() -> None:
    table = Table()
    table.hand(0, "W")
    table.state.apply(table.state.parse("W@1,0/0"))
    assert "-" in [table.state.format(move) for move in table.state.legal_moves()]
    table.state.apply(table.state.parse("-"))
    assert table.position.followers == ()


@pytest.mark.rule("CAR-6.3", "CAR-6.8", "CAR-12.7")
def test_without_followers_a_player_goes_on_placing() -> None:
    """T8: without followers there is no choice, not even on a road that would be scored at once."""
    table = Table()
    table.run(*MONKS)
    assert table.supply() == [0, 7]
    turn = table.run("0:W@1,0/0")
    assert not turn.asked
    turn = table.run("0:W@-1,0/0")
    assert not turn.asked
    assert turn.gains == [0, 0]
    assert len(table.position.tiles) == 10
    assert table.run("1:E@0,-1/2").asked            # the other player still has followers


@pytest.mark.rule("CAR-6.8")
def test_a_deployment_without_followers_is_refused_with_the_reason() -> None:
    table = Table()
    table.run(*MONKS)
    table.hand(0, "E")
    with pytest.raises(IllegalMove, match="no follower left"):
        table.game.parse_turn(table.state, "0,-1/2+c0")


@pytest.mark.rule("CAR-6.4")
def test_only_the_tile_just_placed_takes_a_follower() -> None:
    table = Table()
    table.run("0:U@1,0/1")
    table.hand(1, "B")
    table.state.apply(table.state.parse("B@1,1/0"))
    assert [table.state.format(move) for move in table.state.legal_moves()] == ["-", "+m", "+f0"]
    table.state.apply(table.state.parse("+f0"))
    follower = table.position.followers[0]
    assert follower.tile == len(table.position.tiles) - 1


@pytest.mark.rule("CAR-6.6")
def test_own_followers_block_too_and_over_any_distance() -> None:
    table = Table()
    turn = table.run("0:U@1,0/1+r0", "0:U@2,0/1", "0:U@3,0/1", "0:U@-1,0/1")
    assert turn.free == ["f0", "f1"]
    turn = table.run("1:U@-2,0/1")
    assert "r0" not in turn.free


@pytest.mark.rule("CAR-6.7")
@pytest.mark.parametrize(("name", "kinds"), [("ex_only_farmer", {"f"}), ("ex_no_farmer", {"c", "r"})])
def test_rulebook_examples(name: str, kinds: set[str]) -> None:
    wanted = vector(name)
    turn = Table(players=wanted["players"]).run(*wanted["moves"])
    assert {segment[0] for segment in turn.free} == kinds


@pytest.mark.rule("CAR-6.6", "CAR-6.7")
def test_an_occupied_city_is_refused_and_its_holder_named() -> None:
    table = Table()
    table.run("0:N@0,-1/1+c0")
    table.hand(1, "E")
    table.state.apply(table.state.parse("E@1,-1/3"))
    with pytest.raises(IllegalMove, match=r"knight of Red at \(0,-1\)"):
        table.state.parse("+c0")


@pytest.mark.rule("CAR-6.9", "CAR-8.1")
def test_followers_stay_until_their_feature_is_scored() -> None:
    table = Table()
    table.run("0:U@1,0/1+r0", "1:B@0,1/0+m")
    for text in ("0:E@0,-1/2", "1:U@2,0/1", "0:U@-1,0/1"):
        table.run(text)
        assert table.supply() == [6, 6]
        table.hand(0, "U")
        assert all(table.state.format(move)[0] == "U" for move in table.state.legal_moves())
    table.run("1:W@3,0/0", "1:W@-2,0/0")
    assert table.supply() == [7, 6]
    assert table.if_over()["scores"] == [6, 0]


@pytest.mark.rule("CAR-6.10", "CAR-8.3")
def test_a_feature_completed_by_this_tile_may_be_claimed() -> None:
    turn = Table().run("0:E@0,-1/2+c0")
    assert "c0" in turn.free
    assert turn.gains == [2, 0]


@pytest.mark.rule("CAR-6.11")
def test_a_monastery_is_always_free() -> None:
    table = Table()
    table.run("0:B@0,1/0+m")
    assert "m" in table.run("1:B@0,2/0+m").free
    assert "m" in table.run("0:A@0,3/0+f0").free
    assert [f.seat for f in table.position.followers] == [0, 1, 0]


@pytest.mark.rule("CAR-6.12")
@pytest.mark.parametrize(("turn", "roads"), [
    ("0:L@1,0/1", ["r0", "r1", "r2"]), ("0:W@1,0/0", ["r0", "r1", "r2"]),
    ("0:X@1,0/0", ["r0", "r1", "r2", "r3"])])
def test_each_road_leaving_a_crossing_is_a_segment(turn: str, roads: list[str]) -> None:
    table = Table()
    assert [s for s in table.run(turn).free if s.startswith("r")] == roads
    blocked = Table().run("1:U@1,0/1+r0", turn.replace("@1,0", "@2,0"))
    assert len([s for s in blocked.free if s.startswith("r")]) == len(roads) - 1
