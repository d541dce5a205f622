"""Setup and initial placement: chapters 3 and 4."""

from __future__ import annotations

import itertools
from collections import Counter

import pytest

from sfida.cython_ext.errors import InvalidOption
from sfida.cython_ext.rng import Random
from sfida.engines.zarahemla.tables import load_data
from support.playing import legal, play, step
from support.zarahemla import points, position, roads_of, sites_of, start

DATA = load_data()
CORNERS = DATA["board"]["corner"]


def laid(layout: int = 0, tokens: int = 0, first: int = 0, players: int = 3, options: str = ""):
    spec = "zarahemla" + (f":{options}" if options else "")
    return play(start(spec, players=players), f"#layout={layout}", f"#start={tokens}", f"#first={first}")


def place_all(state, seed: int = 5):
    rng = Random(seed)
    order = []
    while position(state).phase in ("init_settlement", "init_road"):
        if position(state).phase == "init_settlement":
            order.append(state.to_move)
        step(state, rng)
        state.verify()
    return order


@pytest.mark.release_only("12,288 layouts, each recounted")
@pytest.mark.rule("ZAR-3.1", "ZAR-3.2", "ZAR-16.1")
def test_layouts() -> None:
    state = start()
    outcomes = state.chance_outcomes()
    assert [code for code, _ in outcomes] == list(range(1000, 1000 + 12288))
    assert {weight for _, weight in outcomes} == {1}
    seen = set()
    total = Counter(wood=4, brick=3, water=4, wheat=4, stone=3, hideout=1)
    for code, _ in outcomes:
        one = state.clone()
        one.apply(code)
        raw = tuple(one.snapshot()["terrain"])
        seen.add(raw)
        if code % 97 == 0:
            assert Counter(position(one).terrain) == total
    assert len(seen) == 12288


@pytest.mark.rule("ZAR-3.2")
@pytest.mark.parametrize("example", DATA["layout_example"], ids=lambda row: str(row["code"]))
def test_layout_examples(example) -> None:
    assert list(position(laid(example["code"])).terrain) == example["terrain"]


@pytest.mark.rule("ZAR-3.3", "ZAR-3.4")
@pytest.mark.parametrize("example", DATA["token_example"], ids=lambda row: str(row["token_start"]))
def test_token_examples(example) -> None:
    state = laid(example["layout_code"], example["token_start"])
    assert list(position(state).numbers) == example["numbers"]


@pytest.mark.rule("ZAR-3.3", "ZAR-3.4")
def test_the_spiral() -> None:
    state = play(start(), "#layout=4711")
    assert [weight for _, weight in state.chance_outcomes()] == [1] * 12
    spiral, tokens = DATA["spiral"], DATA["tokens"]["numbers"]
    hexes = DATA["board"]["hex"]
    for k in range(12):
        one = play(state.clone(), f"#start={k}")
        outer = [spiral["outer_ccw"][(k + i) % 12] for i in range(12)]
        inner = [spiral["inner_ccw"][(k // 2 + i) % 6] for i in range(6)]
        assert inner[0] in hexes[outer[-1]]["neighbors"]
        way = [*outer, *inner, spiral["center"]]
        assert sorted(way) == list(range(19))
        assert all(b in hexes[a]["neighbors"] for a, b in itertools.pairwise(way))
        where = position(one)
        assert [where.numbers[h] for h in way if where.terrain[h] != "hideout"] == tokens
        assert where.numbers[where.terrain.index("hideout")] == 0


@pytest.mark.rule("ZAR-3.5")
def test_what_lies_ready() -> None:
    where = position(laid(12287))
    assert where.bank == (18,) * 5
    assert where.deck == 29
    assert where.terrain[where.robber] == "hideout"


@pytest.mark.rule("ZAR-3.6", "ZAR-18.17", "ZAR-18.18")
@pytest.mark.parametrize(("players", "marker"), [(2, 3), (3, 2), (4, 2)])
def test_score_markers(players: int, marker: int) -> None:
    state = laid(players=players)
    place_all(state)
    assert points(state) == [marker] * players == [DATA["score_track"]["start"][str(players)]] * players


@pytest.mark.rule("ZAR-3.7")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_first_player(players: int) -> None:
    state = play(start(players=players), "#layout=1", "#start=2")
    assert state.chance_outcomes() == [(13300 + seat, 1) for seat in range(players)]
    for seat in range(players):
        assert play(state.clone(), f"#first={seat}").to_move == seat


@pytest.mark.rule("ZAR-3.8", "ZAR-18.20", "ZAR-19.4")
def test_boards_of_ones_own() -> None:
    spec = "zarahemla:terrain=wwwwbbbaaaagggghsss,numbers=2.3.3.4.4.5.5.6.6.8.8.9.9.10.10.0.11.11.12,stations=3wbags333"
    state = start(spec)
    assert state.chance_outcomes() == [(13300, 1), (13301, 1)]
    where = position(state)
    assert where.terrain[:5] == ("wood", "wood", "wood", "wood", "brick")
    assert where.robber == 15
    assert where.numbers[14:17] == (10, 0, 11)
    assert [kind for _, kind in where.stations][:3] == ["any", "wood", "brick"]
    half = start("zarahemla:terrain=wwwwbbbaaaagggghsss")
    assert half.parse("#start=3") in half.legal_moves()


@pytest.mark.rule("ZAR-19.4")
@pytest.mark.parametrize(("options", "what"), [
    ("terrain=www", "terrain must be 19"), ("terrain=wwwwbbbaaaaggggssss", "one hideout"),
    ("numbers=2", "numbers must be 19"), ("terrain_mode=explicit", "needs terrain"),
    ("preset=catan_replay", "needs terrain"), ("stations=wb", "stations must be 9"),
    ("terrain=wwwwbbbaaaagggghsss,numbers=2.3.3.4.4.5.5.6.6.8.8.9.9.10.10.2.11.11.12", "hex 15"),
    ("numbers=2.3.3.4.4.5.5.6.6.8.8.9.9.10.10.0.11.11.12", "terrain=... too"),
    ("board=figures,terrain=wwwwbbbaaaagggghsss", "leave out"),
    ("terrain=wwwwbbbaaaagggghsss,terrain_mode=strips", "exclude each other"), ("first_player=2", "no such seat"),
])
def test_boards_that_make_no_sense(options: str, what: str) -> None:
    with pytest.raises(InvalidOption, match=what):
        start(f"zarahemla:{options}")


@pytest.mark.rule("ZAR-3.8", "ZAR-19.2", "ZAR-16.1")
def test_shuffled_boards() -> None:
    """Terrain, numbers and stations are each drawn uniformly from the rest of their bag."""
    state = start("zarahemla:preset=catan", players=3)
    bags = [Counter(w=4, b=3, a=4, g=4, s=3, h=1), Counter(DATA["tokens"]["numbers"]),
            Counter({"3": 4, "w": 1, "b": 1, "a": 1, "g": 1, "s": 1})]
    rng = Random(9)
    for bag, events in zip(bags, (19, 18, 9), strict=True):
        for _ in range(events):
            weights = {state.format(code).split("=")[1]: weight for code, weight in state.chance_outcomes()}
            assert weights == {str(kind): n for kind, n in bag.items() if n}
            code = step(state, rng)
            kind = state.format(code).split("=")[1]
            bag[int(kind) if int in map(type, bag) else kind] -= 1
    assert position(state).phase == "setup_first"
    assert position(state).robber == position(state).terrain.index("hideout")


@pytest.mark.rule("ZAR-4.1", "ZAR-4.2")
@pytest.mark.parametrize(("players", "first", "order"), [
    (2, 1, [1, 0, 0, 1, 1, 0]), (2, 0, [0, 1, 1, 0, 0, 1]), (3, 0, [0, 1, 2, 2, 1, 0]),
    (4, 2, [2, 3, 0, 1, 1, 0, 3, 2])])
def test_order_of_placement(players: int, first: int, order: list[int]) -> None:
    state = laid(first=first, players=players)
    assert place_all(state) == order
    names = {2: "players_2", 3: "players_3", 4: "players_4"}
    assert [(seat - first) % players for seat in order] == DATA["initial_order"][names[players]]


@pytest.mark.rule("ZAR-4.3", "ZAR-4.5")
def test_a_road_follows_each_settlement() -> None:
    state = laid(players=2)
    play(state, "S13")
    assert (state.to_move, position(state).phase) == (0, "init_road")
    assert roads_of(state) == {(8, 13), (9, 13), (13, 18)}
    play(state, "R13-18", "S19", "R19-24")
    assert state.to_move == 1           # the second pair in a row
    play(state, "S30")
    assert roads_of(state) == {(24, 30), (30, 35), (30, 36)}


@pytest.mark.rule("ZAR-4.4", "ZAR-4.6")
def test_places_for_first_settlements() -> None:
    state = laid()
    assert sites_of(state) == set(range(54))
    play(state, "S0", "R0-3")
    taken = {0, *CORNERS[0]["corners"]}
    assert sites_of(state) == set(range(54)) - taken
    play(state, "S13", "R13-18")
    taken |= {13, *CORNERS[13]["corners"]}
    assert sites_of(state) == set(range(54)) - taken


@pytest.mark.rule("ZAR-4.4", "ZAR-18.21")
def test_a_corner_of_the_hideout_alone_is_no_first_place() -> None:
    spec = "zarahemla:terrain=hwwwbbbaaaaggggwsss,first_player=0,numbers=0.3.3.4.4.5.5.6.6.8.8.9.9.10.10.2.11.11.12"
    state = start(spec)
    assert sites_of(state) == set(range(54)) - {0, 3}
    assert sites_of(start(spec + ",initial_site=any")) == set(range(54))
    assert [c for c in (0, 3, 4, 7) if CORNERS[c]["hexes"] == [0]] == [0, 3]
    state.arrange(roads=[(0, 0), (0, 6)], hands=[(1, 1, 1, 1, 0)])
    assert {0, 3} <= sites_of(state)    # later it is an ordinary place, which produces nothing
    play(state, "S3")
    for number in (2, 3, 4, 5, 6, 8, 9, 10, 11, 12):
        one = play(state.clone(), "end", "roll", f"#dice={number}")
        assert one.hand(0) == (0,) * 5


@pytest.mark.rule("ZAR-4.7")
def test_choice_of_the_first_cards() -> None:
    state = laid(first=1)
    place_all(state)
    assert (state.to_move, position(state).phase) == (1, "init_choose")
    for seat in (1, 2, 0):
        assert state.to_move == seat
        own = [c for c, owner, _ in position(state).buildings if owner == seat]
        assert legal(state) == {f"G{c}" for c in own}
        terrain = position(state).terrain
        expected = Counter(terrain[h] for h in CORNERS[own[0]]["hexes"] if terrain[h] != "hideout")
        play(state, f"G{own[0]}")
        for viewer in range(3):         # all seats see the choice and the cards
            hand = position(state, viewer).seats[seat].hand
            assert hand == tuple(expected.get(r, 0) for r in ("wood", "brick", "water", "wheat", "stone"))
    assert position(state).phase == "pre_roll"
    assert state.to_move == 1


@pytest.mark.rule("ZAR-4.8")
@pytest.mark.parametrize(("players", "pairs"), [(2, 3), (3, 2), (4, 2)])
def test_first_pieces_come_from_the_supply(players: int, pairs: int) -> None:
    state = laid(players=players)
    place_all(state)
    for seat in position(state).seats:
        assert (seat.settlements_left, seat.roads_left, seat.points) == (5 - pairs, 15 - pairs, pairs)
    assert position(state).bank == (18,) * 5


@pytest.mark.rule("ZAR-4.9", "ZAR-19.2")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_placement_of_the_parent_game(players: int) -> None:
    """Seats place two pairs; the second settlement pays at once; any corner is allowed."""
    state = start("zarahemla:preset=catan,first_player=0", players=players)
    rng = Random(3)
    while state.is_chance:
        step(state, rng)
    assert sites_of(state) == set(range(54))
    order = []
    while position(state).phase != "pre_roll":
        seat, phase, before = state.to_move, position(state).phase, position(state)
        code = step(state, rng)
        if phase == "init_settlement":
            order.append(seat)
            paid = len(order) > players
            due = sum(before.numbers[h] > 0 for h in CORNERS[code]["hexes"])
            assert sum(state.hand(seat)) == (due if paid else 0)
    assert order == [*range(players), *reversed(range(players))]
    if players == 2:
        assert order == DATA["initial_order"]["catan_players_2"]
    assert state.to_move == 0
