"""Placing tiles (chapter 5 of the rules)."""

from __future__ import annotations

import pytest

from sfida.cython_ext.errors import IllegalMove
from sfida.engines.carcassonne.tables import load_tiles
from support.carcassonne import CODES, Table, figures, random_moves

RING = ["0:B@0,1/0", "0:B@1,1/0", "0:B@1,2/0", "0:B@1,3/0", "0:B@0,3/0", "0:B@-1,3/0",
        "0:B@-1,2/0", "0:B@-1,1/0"]


@pytest.mark.rule("CAR-5.1")
def test_a_tile_is_drawn_by_its_share_of_the_stack() -> None:
    outcomes = Table().state.chance_outcomes()
    assert sum(weight for _, weight in outcomes) == 71
    weights = {Table().state.format(move).strip("!"): weight for move, weight in outcomes}
    assert (weights["V"], weights["U"], weights["C"], weights["D"]) == (9, 8, 1, 3)


@pytest.mark.rule("CAR-5.2")
def test_everybody_sees_the_drawn_tile() -> None:
    table = Table(players=3)
    table.draw("Q")
    seen = [table.state.view(seat).observation() for seat in range(3)]
    assert [view["tile_in_hand"] for view in seen] == ["Q"] * 3
    assert table.state.view(0).key() == table.state.view(2).key()


@pytest.mark.rule("CAR-5.3", "CAR-5.4")
def test_a_tile_lies_side_to_side_with_another() -> None:
    table = Table()
    random_moves(table, 5, until=30)
    cells = {(tile.x, tile.y) for tile in table.position.tiles}
    for code in table.position.remaining:
        for x, y, _ in table.placements(code):
            assert {(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)} & cells
            assert (x, y) not in cells
    table = Table()
    table.hand(0, "B")
    assert table.position.placements == ((0, 1, 0),)
    with pytest.raises(IllegalMove, match="only at a corner"):
        table.state.parse("B@1,1/0")
    with pytest.raises(IllegalMove, match="touches no tile"):
        table.state.parse("B@5,5/0")
    with pytest.raises(IllegalMove, match="already holds tile D"):
        table.state.parse("B@0,0/0")


@pytest.mark.rule("CAR-5.5")
def test_terrain_continues_on_every_side() -> None:
    table = Table()
    table.hand(0, "E")
    with pytest.raises(IllegalMove, match="south side is field against city of D"):
        table.state.parse("E@0,-1/0")
    table.run("0:E@0,-1/2", "0:W@1,0/0")
    # (1,-1) has a field to its west and to its south: the bend's roads must leave north and east.
    assert [place for place in table.placements("V") if place[:2] == (1, -1)] == [(1, -1, 2)]


@pytest.mark.rule("CAR-5.5", "CAR-5.6")
def test_every_rotation_that_fits_is_legal_and_no_other() -> None:
    """The list is compared with a check of all four sides at every cell, for every tile."""
    table = Table()
    random_moves(table, 11, until=40)
    types = {tile.code: tile for tile in load_tiles()}
    board = {(t.x, t.y): [types[t.code].edges[(side - t.rotation) % 4] for side in range(4)]
             for t in table.position.tiles}
    steps = [(0, -1), (1, 0), (0, 1), (-1, 0)]
    empty = {(x + dx, y + dy) for x, y in board for dx, dy in steps} - set(board)
    used = set()
    for tile in types.values():
        if tile.set == "river":
            continue
        wanted = []
        for x, y in sorted(empty):
            for k in range(tile.rotations):
                sides = [tile.edges[(side - k) % 4] for side in range(4)]
                facing = [board.get((x + dx, y + dy)) for dx, dy in steps]
                if all(other is None or other[(side + 2) % 4] == sides[side]
                       for side, other in enumerate(facing)):
                    wanted.append((x, y, k))
        assert table.placements(tile.code) == wanted
        used |= {k for _, _, k in wanted}
    assert used == {0, 1, 2, 3}


@pytest.mark.rule("CAR-5.7")
def test_a_monastery_does_not_constrain_its_neighbours() -> None:
    table = Table()
    table.run("0:B@0,1/0+m")
    # Three sides of the monastery are open fields: any tile with a field side fits there.
    for code in ("B", "E", "V", "R", "U"):
        assert any(place[:2] == (0, 2) for place in table.placements(code)), code
    assert not any(place[:2] == (0, 2) for place in table.placements("X"))


@pytest.mark.rule("CAR-5.8", "CAR-12.4", "CAR-6.11", "CAR-7.14")
def test_an_enclosed_cell_may_stay_empty_and_be_filled() -> None:
    table = Table()
    table.run(*RING)
    assert table.if_over()["scores"] == [0, 0]
    assert (0, 2) in table.position.open_places
    turn = table.run("1:B@0,2/0+m")
    assert turn.gains == [0, 9]                     # its own monastery, complete in the same turn
    assert table.supply() == [7, 7]


@pytest.mark.rule("CAR-5.9", "CAR-12.16", "CAR-12.18")
def test_a_tile_that_fits_nowhere_is_discarded() -> None:
    """T4."""
    table = Table()
    table.play("E@0,-1/2")
    assert not table.state.can_place(CODES.index("C"))
    assert table.position.seat_on_turn == 1
    assert table.state.format(table.state.parse("C")) == "!C"
    table.state.apply(table.state.parse("!C"))
    assert table.state.is_chance                    # no seat is asked; the same player draws again
    assert table.position.seat_on_turn == 1
    assert table.position.discarded == ("C",)
    assert "C" not in table.position.remaining
    assert all(table.state.format(move) != "!C" for move, _ in table.state.chance_outcomes())
    table.draw("W")
    assert table.state.to_move == 1


@pytest.mark.rule("CAR-5.10")
def test_a_tile_is_placed_even_where_it_hurts() -> None:
    """The only place of C extends the opponent's city, and C must still be placed there."""
    table = Table()
    table.hand(0, "C")
    assert table.position.placements == ((0, -1, 0),)
    assert len(table.state.legal_moves()) == 1


@pytest.mark.rule("CAR-5.8", "CAR-10.4")
def test_a_road_straight_across_the_table() -> None:
    """The road is as long as the box allows: nothing wraps around and no tile is lost."""
    table = Table()
    table.play("0:U@1,0/1+r0")
    for x in range(2, 72):
        table.play(f"{x % 2}:U@{x},0/1")
    position = table.position
    assert {(tile.x, tile.y) for tile in position.tiles} == {(x, 0) for x in range(72)}
    assert len(position.open_places) == 2 * 72 + 2
    assert {(-1, 0), (72, 0), (71, 1), (0, -1)} <= set(position.open_places)
    roads = [row for row in figures(table.state) if row[0] == "road"]
    assert roads == [("road", 72, 2, 0, (1, 0))]
    assert table.state.is_over
    assert table.state.scores()[0] == 72


def test_a_set_up_that_does_not_fit_the_box_is_refused() -> None:
    def crossings(number: int) -> None:
        table = Table()
        for x in range(1, number + 1):
            table.play(f"0:X@{x},0/0")

    crossings(3)
    with pytest.raises(ValueError, match="too many tiles"):
        crossings(71)
