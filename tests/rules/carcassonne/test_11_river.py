"""The River (chapter 11 of the rules)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest

from sfida.cython_ext.errors import IllegalMove
from sfida.engines.carcassonne.tables import load_tiles
from support.carcassonne import CODES, Table, golden, random_moves, vector

TYPES = {tile.code: tile for tile in load_tiles()}


def rivers(count: int, **options: Any) -> Iterator[Table]:
    """Yield random games that stop when the river stack and the lake are used up."""
    for seed in range(count):
        table = Table(river=True, **options)
        for tiles in range(2, 14):
            random_moves(table, seed * 100 + tiles, until=tiles)
            if not table.position.river_remaining:
                break
        yield table


@pytest.mark.rule("CAR-11.1")
def test_the_game_starts_with_the_source() -> None:
    position = Table(river=True).position
    assert [(t.code, t.x, t.y) for t in position.tiles] == [("RA", 0, 0)]
    assert "RA" not in position.river_remaining
    assert "D" not in [t.code for t in position.tiles]


@pytest.mark.rule("CAR-11.2", "CAR-11.17")
def test_river_tiles_are_drawn_first_and_the_lake_last() -> None:
    for seed in range(10):
        table = Table(players=3, river=True)
        drawn: list[str] = []
        while table.position.river_remaining:
            codes = [table.state.format(move).strip("!") for move, _ in table.state.chance_outcomes()]
            weights = [weight for _, weight in table.state.chance_outcomes()]
            left = dict(table.position.river_remaining)
            lake = left.pop("RL")
            assert lake == 1
            assert dict(zip(codes, weights, strict=True)) == (left or {"RL": 1})
            drawn.append(codes[(seed * 7 + len(drawn)) % len(codes)])
            table.draw(drawn[-1])
            while not table.state.is_chance:
                table.state.apply(table.state.legal_moves()[seed % len(table.state.legal_moves())])
        assert drawn[-1] == "RL"
        assert sorted(drawn[:-1]) == ["RB", "RC", "RD", "RD", "RE", "RG", "RG", "RH", "RI", "RK"]
        assert not any(TYPES[table.state.format(move).strip("!")].set == "river"
                       for move, _ in table.state.chance_outcomes())


@pytest.mark.rule("CAR-11.3", "CAR-11.16")
def test_features_on_river_tiles_score_as_usual() -> None:
    table = Table(river=True)
    # The bridge of RK carries a road between two crossings; land tiles complete it.
    table.run("0:RK@0,1/0+r0", "1:W@1,1/0")
    assert table.run("1:W@-1,1/0").gains == [3, 0]
    table = Table(river=True)
    # City sides of RC on both banks: two cities of two tiles.
    table.run("0:RC@0,1/1+c0")
    assert table.run("1:E@1,1/3").gains == [2, 0]


@pytest.mark.rule("CAR-11.16", "CAR-7.14")
def test_river_tiles_surround_monasteries() -> None:
    table = Table(river=True)
    table.run("0:RH@0,1/1")
    table.run("1:B@1,0/0+m")
    assert table.if_over()["incomplete"] == [0, 3]  # its own tile, the source and RH


@pytest.mark.rule("CAR-11.4", "CAR-11.5")
def test_no_u_turn() -> None:
    """T5 to T7."""
    table = Table(river=True)
    table.run("0:RG@0,1/0")
    assert table.placements("RG") == [(-1, 1, 2)]
    assert table.placements("RH") == [(-1, 1, 0), (-1, 1, 2)]
    table.hand(1, "RG")
    with pytest.raises(IllegalMove, match="turn back"):
        table.state.parse("RG@-1,1/1")
    table.run("1:RD@-1,1/0")                        # a straight tile in between resets the rule
    assert table.placements("RI") == [(-2, 1, 0), (-2, 1, 3)]


@pytest.mark.rule("CAR-11.5", "CAR-13.4")
@pytest.mark.parametrize(("rule", "first", "later"), [
    ("immediate", [(-1, 1, 2)], [(-2, 1, 0), (-2, 1, 3)]),
    ("monotone", [(-1, 1, 2)], [(-2, 1, 0)]),
    ("none", [(-1, 1, 1), (-1, 1, 2)], [(-2, 1, 0), (-2, 1, 3)])])
def test_u_turn_options(rule: str, first: list[Any], later: list[Any]) -> None:
    table = Table(river=True, river_uturn=rule)
    table.run("0:RG@0,1/0")
    assert table.placements("RG") == first
    table.run("1:RD@-1,1/0")
    assert table.placements("RI") == later


@pytest.mark.rule("CAR-11.6")
def test_nobody_stands_on_the_river() -> None:
    for table in rivers(10, players=5):
        for follower in table.position.followers:
            tile = table.position.tiles[follower.tile]
            assert TYPES[tile.code].segments[follower.segment].kind != "river"
    table = Table(river=True)
    assert table.run("0:RD@0,1/1").free == ["f0", "f1"]
    table.hand(1, "RK")
    table.state.apply(table.state.parse("RK@0,2/0"))
    with pytest.raises(IllegalMove, match="river"):
        table.state.parse("+w")


@pytest.mark.rule("CAR-11.7")
def test_the_next_player_lays_the_lake_as_that_turns_tile() -> None:
    game = golden("g4_river_two_players")
    at = next(i for i, text in enumerate(game["moves"]) if text.startswith("RL"))
    assert at == 10
    table = Table(river=True)
    table.run(*game["moves"][:at])
    assert table.position.seat_on_turn == at % 2
    assert [(table.state.format(move), n) for move, n in table.state.chance_outcomes()] == [("RL", 1)]
    table.play(game["moves"][at])
    assert table.position.seat_on_turn == (at + 1) % 2
    assert sum(n for _, n in table.state.chance_outcomes()) == 71


@pytest.mark.rule("CAR-11.8")
def test_a_river_tile_continues_the_river() -> None:
    table = Table(river=True)
    for code in ("RB", "RC", "RD", "RE", "RG", "RH", "RI", "RK"):
        places = table.placements(code)
        assert places
        assert {place[:2] for place in places} == {(0, 1)}
    table.hand(0, "RD")
    with pytest.raises(IllegalMove, match=r"continues at \(0,1\)"):
        table.state.parse("RD@1,0/0")
    for done in rivers(5):
        cells = [(t.x, t.y) for t in done.position.tiles if TYPES[t.code].set == "river"]
        assert all(abs(a[0] - b[0]) + abs(a[1] - b[1]) == 1 for a, b in pairwise(cells))


@pytest.mark.rule("CAR-11.9")
def test_the_banks_meet_at_the_source() -> None:
    wanted = vector("rv_spring_wrap")
    assert Table(river=True).run(*wanted["moves"]).free == []
    for code in ("RA", "RL"):
        fields = [s for s in TYPES[code].segments if s.kind == "field"]
        assert [len(field.half_edges) for field in fields] == [8]


@pytest.mark.rule("CAR-11.10")
def test_bridges() -> None:
    fields = {code: sum(s.kind == "field" for s in TYPES[code].segments) for code in ("RB", "RH", "RK")}
    assert fields == {"RB": 4, "RH": 3, "RK": 4}    # road and river both cut the land
    for code, end in (("RB", "city"), ("RH", "monastery")):
        roads = [s for s in TYPES[code].segments if s.kind == "road"]
        assert [road.ends_in for road in roads] == [end]
        table = Table(river=True)
        turned = {"RB": 1, "RH": 1}[code]
        table.run(f"0:{code}@0,1/{turned}+r0")
        assert table.run("1:W@-1,1/0").gains == [2, 0]      # complete: the road ends at the city or monastery
    wanted = vector("rv_bridge_city")
    assert Table(river=True).run(*wanted["moves"]).free == wanted["options"]


@pytest.mark.rule("CAR-11.11")
def test_the_river_parts_farms() -> None:
    table = Table(river=True)
    table.run("0:RG@0,1/0+f1")                      # the source joins both banks, so f0 belongs to it too
    assert table.run("1:RD@-1,1/0").free == []
    # Away from the source the two banks are two farms: claim them below a closed-off stretch.
    table = Table(river=True)
    table.run("0:RK@0,1/0+f1")                      # the road of the bridge cuts the banks off
    assert table.run("1:RD@0,2/1").free == ["f1"]


@pytest.mark.rule("CAR-11.12")
def test_a_river_tile_that_fits_nowhere_is_discarded() -> None:
    game = golden("g5_river_blocked")
    at = game["moves"].index("!RB")
    table = Table(players=4, river=True)
    table.run(*game["moves"][:at])
    seat = table.position.seat_on_turn
    for text in game["moves"][at:]:
        if not text.startswith("!"):
            break
        table.state.apply(table.state.parse(text))
        assert table.position.seat_on_turn == seat
    assert text.startswith("RL@-1,0")               # the stack is used up: the same player lays the lake
    table.play(text)
    assert table.position.seat_on_turn == (seat + 1) % 4


@pytest.mark.rule("CAR-11.13")
def test_a_lake_that_fits_nowhere_leaves_the_cell_empty() -> None:
    table = next(t for t in rivers(60, river_uturn="none") if "RL" in t.position.discarded)
    assert "RL" not in [t.code for t in table.position.tiles]
    assert table.state.is_chance or table.position.tile_in_hand not in ("RL", None)
    last = [t for t in table.position.tiles if TYPES[t.code].set == "river"][-1]
    stream = [edge for s in TYPES[last.code].segments if s.kind == "river" for edge in s.edges]
    steps = [(0, -1), (1, 0), (0, 1), (-1, 0)]
    ends = [(last.x + steps[(e + last.rotation) % 4][0], last.y + steps[(e + last.rotation) % 4][1])
            for e in stream]
    random_moves(table, 1)
    laid = {(t.x, t.y) for t in table.position.tiles}
    assert len([cell for cell in ends if cell not in laid]) == 1
    assert sum(table.state.utilities()) == 1


@pytest.mark.rule("CAR-11.14", "CAR-13.5")
def test_the_start_tile_is_out_of_the_game() -> None:
    assert Table(river=True).position.remaining["D"] == 3
    table = Table(river=True)
    random_moves(table, 3)
    gone = list(table.position.discarded)
    assert [t.code for t in table.position.tiles].count("D") + gone.count("D") == 3


@pytest.mark.rule("CAR-11.15")
def test_deploying_on_the_lake() -> None:
    lake = {"free": 0, "taken": 0}
    for seed in range(30):
        table = Table(river=True)
        while set(table.position.river_remaining) != {"RL"} or not table.state.is_chance:
            moves = table.state.legal_moves()
            table.state.apply(moves[(seed + len(table.position.tiles)) % len(moves)])
        if not table.state.can_place(CODES.index("RL")):
            continue
        seat = table.position.seat_on_turn
        table.draw("RL")
        table.state.apply(table.state.legal_moves()[0])
        if table.position.phase == "deploy":
            lake["free"] += 1
            assert table.position.deploy_segments == (0,)
            table.state.apply(table.state.parse("farmer"))
            assert table.position.followers[-1].seat == seat
        else:
            lake["taken"] += 1
    assert lake["free"] > 0
    assert lake["taken"] > 0
    table = Table(river=True)                       # the source lies before the first turn
    assert table.state.is_chance
    table.hand(0, "RD")
    table.state.apply(table.state.parse("RD@0,1/1"))
    table.state.apply(table.state.parse("+f0"))
    assert table.position.followers[0].tile == 1


@pytest.mark.rule("CAR-11.17")
def test_no_land_tile_before_the_river_is_done() -> None:
    table = Table(river=True)
    with pytest.raises(IllegalMove, match="no tile E can be drawn now"):
        table.state.parse("E")
