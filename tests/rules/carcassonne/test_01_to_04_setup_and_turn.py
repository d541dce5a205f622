"""Components, overview, setup and turn (chapters 1 to 4 of the rules)."""

from __future__ import annotations

from collections import Counter

import pytest

from sfida.cython_ext.errors import IllegalMove, InvalidOption
from sfida.engines.carcassonne.game import Carcassonne
from sfida.engines.carcassonne.position import Deploy, Place, decode
from sfida.engines.carcassonne.tables import load_data, load_tiles
from support.carcassonne import CODES, Table, figures, golden, random_moves


@pytest.mark.rule("CAR-1.1")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_two_to_five_players(players: int) -> None:
    state = Carcassonne.from_params({"players": str(players)}).initial_state()
    assert state.players == players
    assert state.scores() == [0] * players


@pytest.mark.rule("CAR-1.1")
@pytest.mark.parametrize("players", ["1", "6", "0"])
def test_other_numbers_of_players_are_refused(players: str) -> None:
    with pytest.raises(InvalidOption, match="players"):
        Carcassonne.from_params({"players": players})


@pytest.mark.rule("CAR-1.2")
def test_72_land_tiles_one_of_them_on_the_table() -> None:
    position = Table().position
    assert len(position.tiles) == 1
    assert sum(position.remaining.values()) == 71
    assert sum(tile.count for tile in load_tiles() if tile.set == "base") == 72
    assert position.remaining["D"] == 3


@pytest.mark.rule("CAR-1.3")
def test_river_tiles_come_only_by_agreement() -> None:
    assert Table().position.river_remaining == {}
    river = Table(river=True).position
    assert sum(river.river_remaining.values()) == 11
    assert river.river_remaining["RL"] == 1
    assert [tile.code for tile in river.tiles] == ["RA"]


@pytest.mark.rule("CAR-1.4", "CAR-3.4", "CAR-3.5")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_each_player_has_seven_of_eight_followers_and_no_points(players: int) -> None:
    table = Table(players=players)
    colors = [table.game.seat_name(seat) for seat in range(players)]
    assert len(set(colors)) == players
    assert len(load_data()["players"]["colors"]) * 8 == load_data()["components"]["followers"] == 40
    assert table.position.supply == (7,) * players
    assert table.state.scores() == [0] * players


@pytest.mark.rule("CAR-1.5", "CAR-2.4", "CAR-6.5")
def test_a_follower_serves_in_every_role() -> None:
    table = Table()
    table.hand(0, "A")
    table.state.apply(table.state.parse("A@1,0/1"))
    words = [table.game.describe_move(table.state, move) for move in table.state.legal_moves()]
    assert [word.split()[0] for word in words] == ["no", "monk", "thief", "farmer"]
    assert "monastery" in words[1]
    assert "road" in words[2]
    assert "field" in words[3]
    table = Table()
    table.hand(0, "E")
    table.state.apply(table.state.parse("E@0,-1/2"))
    knight = table.state.parse("+c0")
    assert table.game.describe_move(table.state, knight).startswith("knight in the city")


@pytest.mark.rule("CAR-1.6")
def test_scores_are_not_limited_by_the_track() -> None:
    table = Table()
    table.run(*golden("g1_two_players")["moves"])
    assert table.state.scores() == [107, 136]


@pytest.mark.rule("CAR-1.7")
def test_tiles_show_cities_roads_fields_monasteries_and_crossings() -> None:
    base = [tile for tile in load_tiles() if tile.set == "base"]
    kinds = {segment.kind for tile in base for segment in tile.segments}
    assert kinds == {"city", "road", "field", "monastery"}
    crossings = {tile.code for tile in base for s in tile.segments if s.ends_in == "crossing"}
    assert crossings == {"L", "W", "X"}


@pytest.mark.rule("CAR-1.8", "CAR-9.3")
def test_followers_are_conserved() -> None:
    table = Table(players=3)
    for tiles in range(2, 72, 5):
        random_moves(table, tiles, until=tiles)
        position = table.position
        assert len(position.supply) == 3
        out = Counter(follower.seat for follower in position.followers)
        assert all(out[seat] + position.supply[seat] == 7 for seat in range(3))
    assert sum(out.values()) > 0


@pytest.mark.rule("CAR-2.1", "CAR-4.1", "CAR-4.2")
def test_players_lay_one_tile_after_another() -> None:
    table = Table(players=3)
    for number, text in enumerate(golden("g2_three_players")["moves"]):
        assert table.position.seat_on_turn == number % 3
        assert len(table.position.tiles) == number + 1
        table.play(text)
    city = max(f[1] for f in figures(table.state) if f[0] == "city")
    assert city > 5                                 # cities grow across tiles


@pytest.mark.rule("CAR-2.2", "CAR-2.3", "CAR-10.16")
def test_points_during_play_and_at_the_end_decide() -> None:
    game = golden("g2_three_players")
    table = Table(players=3)
    table.run(*game["moves"])
    result = table.if_over()
    assert any(result["scores"])
    assert any(result["incomplete"])
    assert any(result["farms"])
    assert table.state.scores() == [76, 57, 31]
    assert table.state.utilities() == [1, 0, 0]


@pytest.mark.rule("CAR-3.1", "CAR-3.3")
def test_the_start_tile_lies_in_the_middle() -> None:
    position = Table().position
    tile = position.tiles[0]
    assert (tile.code, tile.x, tile.y, tile.rotation) == ("D", 0, 0, 0)
    assert sorted(position.open_places) == [(-1, 0), (0, -1), (0, 1), (1, 0)]


@pytest.mark.rule("CAR-3.2", "CAR-5.1")
def test_the_stack_is_shuffled_face_down() -> None:
    """Every tile left is equally likely, and the order is not fixed in advance."""
    table = Table()
    counts = {tile.code: tile.count - (tile.code == "D") for tile in load_tiles() if tile.set == "base"}
    for text in ("E@0,-1/2", "W@1,0/0", "B@0,1/0"):
        weights = {table.state.format(move).strip("!"): n for move, n in table.state.chance_outcomes()}
        assert weights == {code: n for code, n in counts.items() if n}
        table.play(text)
        counts[text[0]] -= 1
    assert table.state.chance_outcomes() == table.state.clone().chance_outcomes()


@pytest.mark.rule("CAR-3.6", "CAR-13.7")
def test_who_starts() -> None:
    assert Table(players=4).position.seat_on_turn == 0
    table = Table(players=4, first_player="random")
    assert table.position.phase == "first"
    assert [weight for _, weight in table.state.chance_outcomes()] == [1, 1, 1, 1]
    table.state.apply(table.state.parse("first:2"))
    seats = []
    for text in ("E@0,-1/2", "W@1,0/0", "B@0,1/0", "U@-1,0/1"):
        seats.append(table.position.seat_on_turn)
        table.play(text)
    assert seats == [2, 3, 0, 1]


@pytest.mark.rule("CAR-3.7", "CAR-11.1")
def test_with_the_river_the_source_is_laid_first() -> None:
    position = Table(river=True).position
    tile = position.tiles[0]
    assert (tile.code, tile.x, tile.y, tile.rotation) == ("RA", 0, 0, 0)
    assert sum(position.remaining.values()) == 71


TURNS = {(2, False): [36, 35], (3, False): [24, 24, 23], (4, False): [18, 18, 18, 17],
         (5, False): [15, 14, 14, 14, 14], (2, True): [41, 41], (3, True): [28, 27, 27],
         (4, True): [21, 21, 20, 20], (5, True): [17, 17, 16, 16, 16]}


@pytest.mark.rule("CAR-3.7", "CAR-4.1", "CAR-11.14")
@pytest.mark.parametrize(("players", "river"), TURNS)
def test_turns_of_each_player(players: int, river: bool) -> None:
    for seed in range(20):
        table = Table(players=players, river=river)
        random_moves(table, seed)
        if not table.position.discarded:
            break
    assert not table.position.discarded
    turns = [0] * players
    seat = 0
    for _ in table.position.tiles[1:]:
        turns[seat] += 1
        seat = (seat + 1) % players
    assert table.position.seat_on_turn == seat
    assert turns == TURNS[players, river]


@pytest.mark.rule("CAR-4.2", "CAR-5.10")
def test_the_drawn_tile_must_be_placed() -> None:
    table = Table()
    table.draw("E")
    moves = [decode(move) for move in table.state.legal_moves()]
    assert len(moves) == 4
    assert all(isinstance(move, Place) and CODES[move.tile] == "E" for move in moves)
    for text in ("pass", "-", "none"):
        with pytest.raises(IllegalMove, match="must be placed"):
            table.state.parse(text)
    table = Table()
    with pytest.raises(IllegalMove, match="may not be discarded"):
        table.state.parse("!E")


@pytest.mark.rule("CAR-4.3", "CAR-6.1", "CAR-6.2", "CAR-6.3")
def test_one_own_follower_may_be_deployed() -> None:
    table = Table()
    table.draw("E")
    table.state.apply(table.state.parse("E@0,-1/2"))
    moves = [decode(move) for move in table.state.legal_moves()]
    assert moves == [Deploy(None), Deploy(0), Deploy(1)]
    declined = table.state.clone()
    declined.apply(declined.parse("-"))
    assert table.game.position(declined).supply == (7, 7)
    assert table.game.position(declined).followers == ()
    table.state.apply(table.state.parse("+f0"))
    assert table.supply() == [6, 7]
    assert len(table.position.followers) == 1
    assert table.position.seat_on_turn == 1         # no second follower in this turn
    assert table.state.is_chance


@pytest.mark.rule("CAR-4.4", "CAR-4.5", "CAR-8.4")
def test_place_deploy_score_take_back_in_this_order() -> None:
    table = Table()
    table.draw("E")
    table.state.apply(table.state.parse("E@0,-1/2"))
    assert table.state.to_move == 0                 # the city is complete, but nothing is scored yet
    assert table.if_over()["scores"] == [0, 0]
    table.state.apply(table.state.parse("+c0"))
    assert table.if_over()["scores"] == [2, 0]
    assert table.supply() == [7, 7]
    assert table.position.followers == ()
    assert table.position.seat_on_turn == 1
