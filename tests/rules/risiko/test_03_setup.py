"""The setup: chapter 3."""

from __future__ import annotations

import collections

import pytest

from sfida.cython_ext.rng import Random, derive
from sfida.engines.risiko.tables import load_data
from support.playing import deal, legal, play
from support.risiko import BASE, candidates, position, start, step

SETUP = {row["players"]: row for row in load_data()["setup"]}


def placed(players: int, seed: int = 1, options: str = "") -> list[tuple[int, int]]:
    """Play the setup; return (seat, batch) in their order."""
    rng = Random(derive(seed, players))
    state = deal(start(f"risiko:{options}" if options else "risiko", players=players), rng)
    batches: dict[int, tuple[int, int]] = {}
    while state.phase == "setup_place":
        raw = state.snapshot()
        batches.setdefault(raw["turns"], (state.to_move, raw["left"]))
        step(state, rng)
    return list(batches.values())


@pytest.mark.rule("RIS-3.2", "RIS-15.1", "RIS-18.27")
def test_the_first_player_is_drawn() -> None:
    for players in (3, 6):
        state = start(players=players)
        assert state.chance_outcomes() == [(state.parse(f"#first={i}"), 1) for i in range(players)]
    assert start().game.chance_source(start()) == "first player"


@pytest.mark.rule("RIS-3.3", "RIS-3.4", "RIS-3.13")
@pytest.mark.parametrize("first", [0, 2, 3])
def test_turns_go_round_from_the_first_player(first: int) -> None:
    rng = Random(first)
    state = deal(play(start(players=4), f"#first={first}"), rng)
    seen = []
    while state.snapshot()["round"] < 2 and not state.is_over:
        if state.snapshot()["round"] == 1 and state.seat_on_turn not in seen:
            seen.append(state.seat_on_turn)
        step(state, rng)
    assert seen == [(first + i) % 4 for i in range(4)]


@pytest.mark.rule("RIS-3.5")
def test_colors() -> None:
    assert [one.color for one in position(deal(start(players=6), Random(1))).seats] == [
        row["id"] for row in load_data()["color"]]
    state = play(start("risiko:choose_colors=true", players=3), "#first=1")
    assert (state.phase, state.to_move) == ("colors", 1)
    assert len(legal(state)) == 6
    play(state, "color=viola", "color rosso")
    assert legal(state) == {"color=blu", "color=giallo", "color=nero", "color=verde"}
    play(state, "color b")
    assert state.phase == "chance_objectives"
    assert [one.color for one in position(state).seats] == ["blu", "viola", "rosso"]


@pytest.mark.rule("RIS-3.6", "RIS-3.1")
def test_objectives_are_dealt_once() -> None:
    state = play(start(players=3), "#first=2", "#objective=o24")
    assert len(state.chance_outcomes()) == 13
    play(state, "#objective=as_af", "#objective=kill_blu")
    assert [BASE[state.objective(i) or 0] for i in range(3)] == ["as_af", "kill_blu", "o24"]
    assert state.phase == "chance_deal"
    with pytest.raises(ValueError, match="luck is written"):
        start("risiko:preset=tournament").parse("#objective=o24")


@pytest.mark.rule("RIS-3.7", "RIS-15.2", "RIS-19.6")
def test_the_deal_begins_with_the_last_player() -> None:
    state = play(start(players=4), "#first=1", "#objective=o24", "#objective=na_af", "#objective=as_af",
                 "#objective=na_oc")
    assert [weight for _, weight in state.chance_outcomes()] == [1] * 42
    play(state, "#deal=CIN", "#deal=ALK", "#deal=MOR", "#deal=BRA", "#deal=SIA")
    owner = position(state).owner
    assert [owner[i] for i in (33, 0, 35, 11, 37)] == [0, 3, 2, 1, 0]
    assert len(state.chance_outcomes()) == 37


@pytest.mark.rule("RIS-3.7", "RIS-3.8", "RIS-3.9", "RIS-3.10", "RIS-19.7")
@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_dealt_numbers(players: int) -> None:
    row = SETUP[players]
    state = deal(start(players=players), Random(derive(4, players)))
    first = state.snapshot()["first_seat"]
    seats = [state.snapshot()["seats"][(first + k) % players] for k in range(players)]
    assert [seat["territories"] for seat in seats] == row["dealt_by_turn_order"]
    left = [seat["stock"] for seat in seats]
    assert [left[0] + 3, *left[1:]] == row["reserve_by_turn_order"]     # P1 already holds the first batch
    assert [seat["armies"] for seat in seats] == row["dealt_by_turn_order"]
    assert row["initial_armies"] == {3: 35, 4: 30, 5: 25, 6: 20}[players]


@pytest.mark.rule("RIS-3.11", "RIS-19.6", "RIS-19.7")
@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_batches(players: int) -> None:
    row = SETUP[players]
    batches = placed(players)
    seats = [seat for seat, _ in batches[:players]]
    assert seats == [(seats[0] + k) % players for k in range(players)]
    for place, seat in enumerate(seats):
        stock, sizes = row["reserve_by_turn_order"][place], [n for who, n in batches if who == seat]
        assert sum(sizes) == stock
        assert sizes[:-1] == [3] * (len(sizes) - 1)
        assert sizes[-1] == row["last_batch_by_turn_order"][place]
    if players == 4:
        assert [n for who, n in batches if who == seats[0]] == [3, 3, 3, 3, 3, 3, 2]
        assert [n for who, n in batches if who == seats[2]] == [3, 3, 3, 3, 3, 3, 1]


@pytest.mark.rule("RIS-3.11", "RIS-14.3")
def test_a_batch_may_be_split() -> None:
    state = deal(start(players=3), Random(5))
    seat = state.to_move
    own = [i for i, who in enumerate(position(state).owner) if who == seat]
    assert len(legal(state)) == 3 * len(own)
    assert len(candidates(state)) == 3 * len(own)
    state.apply(state.candidate_moves()[0])
    assert state.to_move == seat
    assert state.snapshot()["left"] == 2


@pytest.mark.rule("RIS-3.12", "RIS-19.8")
@pytest.mark.parametrize(("players", "total"), [(3, 105), (4, 120), (5, 125), (6, 120)])
def test_after_the_setup(players: int, total: int) -> None:
    rng = Random(players)
    state = deal(start(players=players), rng)
    while state.snapshot()["round"] == 0:
        step(state, rng)
    raw = state.snapshot()
    assert sum(raw["armies"]) == total
    assert raw["deck"] == 44
    assert [seat["card_count"] for seat in raw["seats"]] == [0] * players
    assert raw["seat_on_turn"] == raw["first_seat"]
    assert raw["round"] == 1


@pytest.mark.rule("RIS-15.2")
def test_the_deal_is_uniform() -> None:
    """Each seat gets each territory with a frequency equal to its share; one false alarm in about 10**5."""
    counts: collections.Counter[tuple[int, int]] = collections.Counter()
    rng, games = Random(8), 250
    begun = play(start(players=4), "#first=0", "#objective=o24", "#objective=na_af", "#objective=as_af",
                 "#objective=na_oc")
    for _ in range(games):
        state = begun.clone()
        while state.phase == "chance_deal":
            state.apply(state.sample_chance(rng))
        counts.update(enumerate(position(state).owner))
    share = {0: 10 / 42, 1: 10 / 42, 2: 11 / 42, 3: 11 / 42}
    chi2 = sum((counts[i, seat] - games * share[seat]) ** 2 / (games * share[seat])
               for i in range(42) for seat in range(4))
    assert chi2 < 41 * 3 + 4.5 * (2 * 41 * 3) ** 0.5


@pytest.mark.rule("RIS-13.3", "RIS-19.50", "RIS-15.2")
def test_a_deal_of_more_than_half_a_continent_is_repeated() -> None:
    state = play(start("risiko:deal_half_continent_cap=true", players=3), "#first=0", "#objective=o24",
                 "#objective=na_af", "#objective=as_af")
    south = ["VEN", "PER", "BRA"]       # of four, to the last player
    others = [row["code"] for row in load_data()["territory"] if row["code"] not in south]
    order = []
    for k in range(42):
        order.append(south.pop() if k % 3 == 0 and south else others.pop())
    play(state, *(f"#deal={code}" for code in order[:-1]))
    assert state.snapshot()["owner"].count(-1) == 1
    play(state, f"#deal={order[-1]}")
    assert state.phase == "chance_deal"
    assert state.snapshot()["owner"].count(-1) == 42
    caps = {row["code"]: row["deal_cap_half"] for row in load_data()["continent"]}
    assert list(caps.values()) == [4, 2, 3, 3, 6, 2]


@pytest.mark.rule("RIS-13.3")
@pytest.mark.parametrize(("players", "share"), [(3, 0.13), (4, 0.43), (5, 0.65), (6, 0.79)])
def test_how_often_a_deal_is_admissible(players: int, share: float) -> None:
    """The mean number of deals is one over the acceptance probability, within five standard errors."""
    rng, games, dealt = Random(derive(3, players)), 60, 0
    begun = play(start("risiko:deal_half_continent_cap=true", players=players), "#first=0")
    while begun.phase == "chance_objectives":
        begun.apply(begun.legal_moves()[0])
    for _ in range(games):
        state = begun.clone()
        while state.phase == "chance_deal":
            state.apply(state.sample_chance(rng))
            dealt += 1
    mean, error = dealt / 42 / games, (1 - share) ** 0.5 / share / games ** 0.5
    assert abs(mean - 1 / share) < 5 * error + 0.05 / share
