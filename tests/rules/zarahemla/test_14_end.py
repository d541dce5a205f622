"""Points and the end of the game: chapter 14."""

from __future__ import annotations

import pytest

from sfida.cython_ext.rng import Random
from support.playing import legal, play, step
from support.zarahemla import cards, points, position, random_game, setup, start

ELEVEN = "C 0 0; C 0 2; C 0 11; S 0 26; S 0 47; R 0 0-3-7-12-17-22"     # two, three, longest road; + a VP card = 11
FIGURE_23 = ("S 0 8; S 0 44; R 0 8-12-17-22-28-34-39-44; R 0 17-23; R 0 34-29; S 1 38; R 1 22-16-21-27-33-38; "
             "H 1 1 1 1 1 0")


@pytest.mark.rule("ZAR-14.1")
def test_what_counts() -> None:
    state = setup("S 0 26; C 0 0; R 0 0-3-7-12-17-22", cards=[cards(point=2)], stones=[3], played=[cards(warrior=3)])
    assert points(state) == [1 + 2 + 2 + 2 + 2, 0, 0]
    assert position(state, 0).seats[0].secret_points == 2


@pytest.mark.rule("ZAR-14.2", "ZAR-14.5", "ZAR-10.4")
def test_a_card_bought_this_turn_may_win() -> None:
    """Molly, p20."""
    state = setup(f"{ELEVEN}; H 0 0 0 1 1 1", cards=[cards(point=1)])
    assert points(state)[0] == 10
    play(state, "D")
    other = state.clone()
    play(state, "#draw=victory_point")
    assert state.is_over
    assert state.utilities() == [1.0, 0.0, 0.0]
    assert state.scores() == [12, 0, 0]
    assert not play(other, "#draw=prosperity").is_over      # type: ignore[arg-type]


@pytest.mark.rule("ZAR-14.2")
@pytest.mark.parametrize(("text", "move"), [
    ("C 0 0; C 0 2; C 0 11; S 0 26; S 0 47; R 0 0-3-7-12-17-22; H 0 0 0 0 2 3", "C26"),
    ("C 0 0; C 0 2; C 0 11; S 0 26; S 0 47; R 0 0-3-7-12-17-22; H 0 1 1 1 1 0", "S12"),
    ("C 0 0; C 0 2; C 0 11; C 0 26; S 0 47; R 0 0-3-7-12-17; H 0 1 1 0 0 0", "R17-22"),
    ("C 0 0; C 0 2; C 0 11; C 0 26; S 0 47; H 0 0 1 0 0 1", "T")])
def test_every_way_to_the_last_point(text: str, move: str) -> None:
    stones = [2] if move == "T" else []
    state = setup(text, cards=[cards(point=1)], stones=stones)
    assert 10 <= points(state)[0] + 1 <= 11
    play(state, move)
    assert state.is_over
    assert state.utilities()[0] == 1.0


@pytest.mark.rule("ZAR-14.3", "ZAR-18.10", "ZAR-18.15", "ZAR-14.10")
def test_twelve_in_another_turn_wins_at_the_start_of_the_own() -> None:
    """A cut gives seat 2 the road: it wins when its turn begins, unless it has lost the points by then."""
    text = f"{FIGURE_23}; C 2 9; C 2 42; C 2 53; C 2 2; S 2 26; R 2 9-14-19-25-31-37-42"
    state = setup(text, on_turn=1, cards=[cards(), cards(), cards(point=1)], holders=[0, -1, -1])
    assert points(state)[2] == 9
    play(state, "S22")
    assert (points(state)[2], state.is_over) == (11, False)
    play(state, "end")
    assert state.is_over
    assert state.utilities() == [0.0, 0.0, 1.0]
    assert state.scores()[2] == 12


@pytest.mark.rule("ZAR-14.4")
@pytest.mark.parametrize(("card", "text", "more"), [
    ("RB", "C 0 0; C 0 2; C 0 11; C 0 26; S 0 47; S 0 49; R 0 0-3-7-12-17", {}),
    ("TB", "C 0 0; C 0 2; C 0 11; C 0 26; S 0 47; S 0 49", {"stones": [1]}),
    ("W", "C 0 0; C 0 2; C 0 11; C 0 26; S 0 47; S 0 49", {"played": [cards(warrior=2)]})])
def test_winning_before_the_roll(card: str, text: str, more: dict) -> None:
    state = setup(text, phase="pre_roll", cards=[cards(warrior=1, roads=1, temple=1)], **more)
    assert points(state)[0] == 10
    play(state, card, *(["R17-22"] if card == "RB" else []))
    assert state.is_over


@pytest.mark.rule("ZAR-14.6")
def test_everything_is_revealed_at_the_end() -> None:
    state = play(setup(f"{ELEVEN}; H 0 0 0 1 1 1; H 1 1 2 0 0 0", cards=[cards(point=1), cards(point=2, warrior=1)]),
                 "D", "#draw=victory_point")
    for seat in (None, 1, 2):
        assert position(state, seat).seats[0].secret_points == 2
        assert dict(position(state, seat).seats[1].cards or ()) == {"stripling_warrior": 1, "victory_point": 2}
        assert position(state, seat).seats[1].hand == (1, 2, 0, 0, 0)
    assert state.view(2).key() == state.to_bytes()


@pytest.mark.rule("ZAR-14.7")
def test_result_and_ranks() -> None:
    text = f"{ELEVEN}; H 0 0 0 1 1 1; S 1 19; S 2 40; S 3 49"
    state = play(setup(text, players=4, cards=[cards(point=1), cards(), cards(point=1)]), "D", "#draw=victory_point")
    assert state.utilities() == [1.0, 0.0, 0.0, 0.0]
    assert state.scores() == [12, 1, 2, 1]
    assert state.ranks() == [1, 3, 2, 3]
    told = state.game.explain_scores(state)[2]
    assert told.endswith(": 2 points = 1 from 1 settlement + 1 from 1 victory point card")


@pytest.mark.rule("ZAR-14.8", "ZAR-19.1")
@pytest.mark.parametrize(("preset", "target"), [("zarahemla", 12), ("zarahemla_10", 10), ("zarahemla_11", 11)])
def test_shorter_games(preset: str, target: int) -> None:
    state, rng = start(f"zarahemla:preset={preset},trade_mode=none"), Random(2)
    while not state.is_over:
        step(state, rng)
    assert max(state.scores()) >= target
    assert state.game.ruleset.victory_points == target


@pytest.mark.rule("ZAR-14.9", "ZAR-18.1")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_cap_makes_a_draw(players: int) -> None:
    state = random_game(f"zarahemla:trade_mode=none,max_turns=7,players={players}", 3)
    assert state.snapshot()["turns"] == 7
    assert state.utilities() == [1 / players] * players
    scores, ranks = state.scores(), state.ranks()
    assert ranks == [1 + sum(other > score for other in scores) for score in scores]
    assert start().game.ruleset.max_turns == 1000


@pytest.mark.rule("ZAR-18.1")
def test_turns_go_on_without_anything_to_do() -> None:
    state = setup(phase="pre_roll")
    for _ in range(4):
        assert legal(state) == {"roll"}
        play(state, "roll", "#dice=2")
        assert legal(state) == {"end"}
        play(state, "end")


@pytest.mark.rule("ZAR-14.10")
def test_only_the_active_player_wins() -> None:
    for seed in range(12):
        state, rng = start("zarahemla:players=3,victory_points=5,trade_mode=none"), Random(seed)
        while not state.is_over:
            on_turn = state.seat_on_turn
            code = step(state, rng)
        winner = state.utilities().index(1.0)
        assert winner == ((on_turn + 1) % 3 if code == 235 else on_turn)


@pytest.mark.rule("ZAR-18.25")
def test_more_than_twelve_points() -> None:
    """At eleven points, a settlement that cuts the longest road and takes it brings the seat to fourteen."""
    text = ("S 0 8; S 0 44; R 0 8-12-17-22-28-34-39-44; S 1 38; R 1 22-16-21-27-33-38; C 1 2; C 1 19; C 1 53; C 1 26; "
            "H 1 1 1 1 1 0")
    state = setup(text, on_turn=1, stones=[0, 3], cards=[cards()])
    assert points(state) == [4, 11, 0]
    play(state, "S22")
    assert state.is_over
    assert state.scores()[1] == 14
