"""Building and the longest road: chapters 8 and 9."""

from __future__ import annotations

import pytest

from sfida.cython_ext.rng import Random
from sfida.engines.zarahemla.tables import corners_of_edge, load_data
from support.playing import legal, play, step
from support.zarahemla import cards, holders, lengths, points, position, roads_of, setup, sites_of, start

DATA = load_data()
FIGURE_23 = ("S 0 8; S 0 44; R 0 8-12-17-22-28-34-39-44; R 0 17-23; R 0 34-29; S 1 38; R 1 22-16-21-27-33-38; "
             "H 1 1 1 1 1 0")


@pytest.mark.rule("ZAR-8.1", "ZAR-1.3")
@pytest.mark.parametrize(("hand", "move"), [
    ("1 1 0 0 0", "R19-24"), ("1 1 1 1 0", "S26"), ("0 0 0 2 3", "C19"), ("0 0 1 1 1", "D"), ("0 1 0 0 1", "T")])
def test_costs(hand: str, move: str) -> None:
    state = setup(f"S 0 19; R 0 19-25-20-26; H 0 {hand}")
    before = position(state).bank
    others = {"end", "offer", "S20"} | (legal(state, "R") if hand.startswith("1 1") else set())
    assert move in legal(state) <= {move, *others}
    play(state, move)
    assert state.hand(0) == (0,) * 5
    assert [b - a for a, b in zip(before, position(state).bank, strict=True)] == list(map(int, hand.split()))
    for k, n in enumerate(hand.split()):        # with one card less it is too expensive
        if int(n):
            less = [int(x) - (i == k) for i, x in enumerate(hand.split())]
            poorer = " ".join(map(str, less))
            assert move not in legal(setup(f"S 0 19; R 0 19-25-20-26; H 0 {poorer}"))


@pytest.mark.rule("ZAR-8.2")
def test_no_piece_of_an_empty_supply() -> None:
    trail = "R 0 0-4-1-5-2-6-10-15-20-26-32-37-42-46-50-53"      # fifteen along the shore
    state = setup(f"S 0 0; {trail}; H 0 5 5 5 5 5")
    assert position(state).seats[0].roads_left == 0
    assert not roads_of(state)
    towns = "C 0 0; C 0 2; C 0 11; C 0 21; S 0 47"
    state = setup(f"{towns}; H 0 0 0 0 2 3")
    assert position(state).seats[0].cities_left == 0
    assert not legal(state, "C")
    play(state, "end", "roll", "#dice=2")
    assert not legal(state, "R")                # another seat's turn and cards


@pytest.mark.rule("ZAR-8.3", "ZAR-9.11")
def test_where_roads_may_go() -> None:
    """Figure 27; and not past another seat's building (figure 34)."""
    assert roads_of(setup("S 0 19; R 0 19-24; H 0 1 1 0 0 0")) == {(14, 19), (18, 24), (19, 25), (24, 30)}
    state = setup("S 0 24; S 1 13; R 1 13-18-24; H 1 1 1 0 0 0", on_turn=1)
    assert roads_of(state) == {(8, 13), (9, 13), (18, 23)}
    shore = setup("S 0 0; R 0 0-3; H 0 1 1 0 0 0")
    assert (3, 7) in roads_of(shore)
    taken = setup("S 0 19; R 0 19-24; S 1 30; R 1 30-24; H 0 1 1 0 0 0")
    assert (24, 30) not in roads_of(taken)


@pytest.mark.rule("ZAR-8.4")
def test_where_settlements_may_go() -> None:
    """Figures 19 and 28."""
    text = "S 0 8; S 1 24; R 0 8-13-9-5; R 1 24-30-35; H 0 1 1 1 1 0; H 1 1 1 1 1 0"
    assert sites_of(setup(text)) == {5, 9}
    assert sites_of(setup(text, on_turn=1)) == {35}


@pytest.mark.rule("ZAR-8.5", "ZAR-8.7", "ZAR-8.9")
def test_cities() -> None:
    state = setup("S 0 19; R 0 19-25-20-26; H 0 1 1 1 3 3")
    play(state, "S26", "C26")
    seat = position(state).seats[0]
    assert (seat.settlements_left, seat.cities_left, seat.points) == (4, 3, 3)
    assert {c: kind for c, _, kind in position(state).buildings} == {19: "settlement", 26: "city"}
    assert "C26" not in legal(state)


@pytest.mark.rule("ZAR-8.6", "ZAR-8.7")
def test_five_settlements_need_a_city_first() -> None:
    state = setup("S 0 0; S 0 2; S 0 11; S 0 47; S 0 49; R 0 0-3-7-12; H 0 1 1 1 3 3")
    assert "S12" not in legal(state)
    assert legal(state, "C") == {"C0", "C2", "C11", "C47", "C49"}
    play(state, "C11")
    assert position(state).seats[0].settlements_left == 1
    assert sites_of(state) == {12}


@pytest.mark.rule("ZAR-8.8", "ZAR-18.8")
def test_roads_may_meet_and_cross() -> None:
    """Three seats may meet at an empty corner; a cut there needs two edges of one seat."""
    state = setup("S 0 13; R 0 13-18; S 1 30; R 1 30-24-18; H 0 1 1 0 0 0")
    assert (18, 23) in roads_of(state)
    assert all(len(row["edges"]) <= 3 for row in DATA["board"]["corner"])
    cut = setup("S 0 13; R 0 13-18-23; S 1 30; R 1 30-24-18; H 1 1 1 1 1 0", on_turn=1)
    assert 18 not in sites_of(cut)              # next to 13
    cut = setup("S 0 8; R 0 8-13-18-23; S 1 30; R 1 30-24-18; H 1 1 1 1 1 0", on_turn=1)
    play(cut, "S18")
    assert lengths(cut) == [2, 2, 0]


@pytest.mark.rule("ZAR-8.9")
def test_pieces_never_leave_the_map() -> None:
    state, rng = start("zarahemla:players=3,trade_mode=none"), Random(8)
    roads: set = set()
    corners: dict = {}
    for _ in range(1500):
        if state.is_over:
            break
        step(state, rng)
        where = position(state)
        assert roads <= set(where.roads)
        now = {c: (seat, kind) for c, seat, kind in where.buildings}
        for c, (seat, kind) in corners.items():
            assert now[c] in ((seat, kind), (seat, "city"))
        roads, corners = set(where.roads), now


# ---- longest road -----------------------------------------------------------------------------------


def longest(roads: set[tuple[int, int]], walls: set[int]) -> int:
    """Return the length of the longest trail, by trying all trails (ZAR-9.1)."""
    def walk(corner: int, left: frozenset[tuple[int, int]], begin: bool) -> int:
        if corner in walls and not begin:
            return 0
        return max((1 + walk(b if a == corner else a, left - {(a, b)}, False)
                    for a, b in left if corner in (a, b)), default=0)

    return max((walk(c, frozenset(roads), True) for road in roads for c in road), default=0)


@pytest.mark.rule("ZAR-9.1", "ZAR-9.2", "ZAR-9.3", "ZAR-9.6")
def test_lengths_against_every_trail() -> None:
    """Random networks with rings, branches and cuts are compared after every new piece."""
    checked = cuts = 0
    for seed in (0, 9, 13, 21):
        state, rng = start("zarahemla:players=4,trade_mode=none,temple_before_roll=false"), Random(seed)
        before: list[int] = []
        for _ in range(1300):
            if state.is_over:
                break
            pieces = (state.snapshot()["roads"], state.snapshot()["buildings"])
            step(state, rng)
            raw = state.snapshot()
            if pieces == (raw["roads"], raw["buildings"]):
                continue
            found = [one["road_length"] for one in raw["seats"]]
            for seat in range(4):
                mine = {corners_of_edge()[e] for e, owner in raw["roads"] if owner == seat}
                walls = {c for c, owner, _ in raw["buildings"] if owner != seat}
                assert found[seat] == longest(mine, walls)
                checked += 1
            cuts += any(a < b for a, b in zip(found, before, strict=False))
            before = found
    assert checked > 500
    assert cuts >= 3


@pytest.mark.rule("ZAR-9.1")
@pytest.mark.parametrize(("roads", "length"), [
    ("R 0 18-24-30-35-29-23-18", 6), ("R 0 18-24-30-35-29-23-18; R 0 18-13-8", 8),
    ("R 0 18-24-30-35-29-23-18; R 0 18-13; R 0 30-36", 7), ("R 0 8-13-18; R 0 13-9", 2)])
def test_rings_and_branches(roads: str, length: int) -> None:
    assert lengths(setup(roads))[0] == length


@pytest.mark.rule("ZAR-9.2", "ZAR-9.3")
def test_buildings_at_ends_and_in_between() -> None:
    assert lengths(setup("S 1 8; S 1 23; R 0 8-13-18-23"))[0] == 3        # both ends at another's building
    assert lengths(setup("S 1 13; R 0 8-13-18-23"))[0] == 2
    assert lengths(setup("S 0 13; R 0 8-13-18-23; R 1 9-13"))[0] == 3     # own building, another's road


@pytest.mark.rule("ZAR-9.4", "ZAR-9.5")
def test_first_to_five_and_then_longer() -> None:
    state = setup("S 0 8; R 0 8-12-17-22-28; S 1 40; R 1 40-35-30-24-19; H 0 2 2 0 0 0; H 1 2 2 0 0 0")
    assert holders(state)[0] == -1
    play(state, "R28-34")
    assert (holders(state)[0], points(state)) == (0, [3, 1, 0])
    play(state, "end", "roll", "#dice=2", "R14-19")
    assert (lengths(state), holders(state)[0]) == ([5, 5, 0], 0)
    play(state, "R9-14")
    assert (lengths(state), holders(state)[0], points(state)) == ([5, 6, 0], 1, [1, 3, 0])


@pytest.mark.rule("ZAR-9.6")
def test_free_roads_count_too() -> None:
    state = setup("S 0 8; R 0 8-12-17-22", phase="pre_roll", cards=[cards(roads=1)])
    play(state, "RB", "R22-28", "R28-34")
    assert holders(state)[0] == 0


@pytest.mark.rule("ZAR-9.7", "ZAR-9.10")
def test_a_cut_gives_the_card_away() -> None:
    """Figure 23, second example."""
    state = setup(FIGURE_23, on_turn=1)
    assert (lengths(state), holders(state)[0]) == ([7, 5, 0], 0)
    play(state, "S22")
    assert (lengths(state), holders(state)[0]) == ([4, 5, 0], 1)
    assert points(state) == [2, 4, 0]


@pytest.mark.rule("ZAR-9.8", "ZAR-9.10")
def test_ties_after_a_cut() -> None:
    state = setup(f"{FIGURE_23}; R 0 44-48", on_turn=1)
    assert lengths(state) == [8, 5, 0]
    play(state, "S22")
    assert (lengths(state), holders(state)[0]) == ([5, 5, 0], 0)


@pytest.mark.rule("ZAR-9.8", "ZAR-9.10")
@pytest.mark.parametrize(("option", "holder"), [("holder_keeps", 0), ("set_aside", -1)])
def test_a_tie_of_others_after_a_cut(option: str, holder: int) -> None:
    text = f"{FIGURE_23}; S 2 9; R 2 9-14-19-25-31-37; H 2 1 1 0 0 0"
    state = setup(text, on_turn=1, options=f"longest_road_tie={option}", holders=[0, -1, -1])
    play(state, "S22")
    assert (lengths(state), holders(state)[0]) == ([4, 5, 5], holder)
    assert points(state)[0] == (4 if holder == 0 else 2)
    play(state, "end", "roll", "#dice=2", "R37-42")
    assert (lengths(state)[2], holders(state)[0]) == (6, 2)


@pytest.mark.rule("ZAR-9.9", "ZAR-9.10")
def test_nobody_has_five_after_a_cut() -> None:
    state = setup("S 0 39; R 0 12-17-22-28-34-39; S 1 27; R 1 22-16-21-27; H 1 1 1 1 1 0", on_turn=1)
    assert (lengths(state), holders(state)[0], points(state)) == ([5, 3, 0], 0, [3, 1, 0])
    play(state, "S22")
    assert (lengths(state), holders(state)[0], points(state)) == ([3, 3, 0], -1, [1, 2, 0])


@pytest.mark.rule("ZAR-9.11", "ZAR-9.7")
def test_a_broken_road_goes_on_at_both_ends() -> None:
    """Figure 33."""
    state = setup("S 0 28; R 0 28-34-29-35-30-24-18; S 1 53; R 1 35-40-45-49-53-50; H 1 1 1 1 1 0; H 0 1 1 0 0 0",
                  on_turn=1)
    assert lengths(state) == [6, 5, 0]
    play(state, "S35")
    assert (lengths(state), holders(state)[0]) == ([3, 5, 0], 1)
    play(state, "end", "roll", "#dice=2", "end", "roll", "#dice=2")
    assert {(13, 18), (18, 23), (30, 36)} <= roads_of(state)
    assert (35, 40) not in roads_of(state)


@pytest.mark.rule("ZAR-18.9")
def test_a_cut_ring_still_runs_round() -> None:
    state = setup("S 0 18; R 0 18-24-30-35-29-23-18; S 1 40; R 1 40-35; H 1 1 1 1 1 0", on_turn=1)
    assert lengths(state)[0] == 6
    assert 35 not in sites_of(state)
    state = setup("S 0 18; R 0 18-24-30-35-29-23-18; S 1 44; R 1 44-40-35; H 1 1 1 1 1 0", on_turn=1)
    play(state, "S35")
    assert lengths(state)[0] == 6       # from 35 all the way back to 35
