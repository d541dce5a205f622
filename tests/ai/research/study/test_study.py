"""The figures of a study, on tournaments and curves whose figures are known."""

import numpy as np
import pytest

from sfida.ai.arena.bootstrap import Tally
from sfida.ai.arena.store import Store
from sfida.ai.luck.value import Value
from sfida.ai.research.study import running
from sfida.ai.research.study.running import Variant, half_width, is_clear, variants_of
from sfida.ai.research.study.study import (
    Curve, LineupParts, Lineups, MeanCourse, all_curves, check_luck, decided, elo_of, estimates, reached,
    value_for_curves
)
from sfida.cython_ext.errors import InvalidOption
from sfida.engines.registry import make_game

# Parts of the variance of a win share: differences between two seats of twice the square root.
SEAT, SKILL, LUCK, REST = 0.01, 0.02, 0.06, 0.01


def made(blocks, seed, agents=(0, 1), seat=SEAT, skill=SKILL, luck=LUCK, rest=REST):
    """Return an invented tournament of two seats; agent 0 is the better one, seat 1 the worse one."""
    rng = np.random.default_rng(seed)
    games = 2 * blocks
    agent = np.array([agents, agents[::-1]] * blocks)
    measured = rng.normal(0, np.sqrt(luck), games)
    first = (np.sqrt(seat) + np.sqrt(skill) * np.sign(agent[:, 1] - agent[:, 0]) + measured
             + rng.normal(0, np.sqrt(rest), games))
    zeros = np.zeros((games, 2))
    return Tally(blocks=blocks, loose=0, block=np.repeat(np.arange(blocks), 2), number=np.arange(blocks), agent=agent,
                 utility=np.column_stack([0.5 + first, 0.5 - first]), rank=zeros, score=zeros, decisions=zeros,
                 seconds=zeros, wall=np.zeros(games), plies=np.zeros(games, int), forfeit=np.full(games, -1),
                 luck=np.column_stack([measured, -measured]))


def parts_of(tally, specs=("better", "worse"), resamples=500):
    return estimates(LineupParts(tally, Lineups.of(tally, specs)).figures, tally.blocks, 1, resamples)


def test_the_parts_are_those_that_were_put_in():
    found = parts_of(made(4000, 1))
    for part, right in (("luck", LUCK), ("seat", SEAT), ("skill", SKILL), ("rest", REST)):
        one = found[f"{part} of all"]
        assert one.value == pytest.approx(right / 0.1, abs=0.02)
        assert one.high - one.low < 0.06
    assert found["seat 0"].value == pytest.approx(np.sqrt(SEAT), abs=0.01)
    assert found["seat 1"].value == pytest.approx(-found["seat 0"].value)


def test_few_blocks_do_not_look_like_seat_or_skill():
    found = [parts_of(made(10, seed, seat=0, skill=0), resamples=2) for seed in range(200)]
    for part in ("seat", "skill"):
        values = [one[f"{part} of all"].value for one in found]
        assert abs(np.mean(values)) < 3 * np.std(values) / np.sqrt(200) + 1e-3
        assert np.std(values) > 0.005, "single studies vary to both sides of 0"


def test_the_intervals_hold():
    inside = np.zeros(4)
    for seed in range(100):
        found = parts_of(made(60, seed), resamples=400)
        for place, (part, right) in enumerate((("luck", LUCK), ("seat", SEAT), ("skill", SKILL), ("rest", REST))):
            one = found[f"{part} of all"]
            inside[place] += one.low <= right / 0.1 <= one.high
    assert (inside >= 87).all(), "95 % intervals, within what 100 studies and 60 blocks can tell"


def test_equal_agents_are_one_and_lineups_are_told_apart():
    tallies = [made(40, 1, (0, 1)), made(40, 2, (0, 2), skill=0), made(1, 3, (1, 3), skill=0)]
    whole = tallies[0].__class__(**{
        **vars(tallies[0]), "blocks": 81, "block": np.repeat(np.arange(81), 2), "number": np.arange(81),
        **{name: np.concatenate([getattr(one, name) for one in tallies])
           for name in ("agent", "utility", "luck", "rank", "score", "decisions", "seconds", "wall", "plies",
                        "forfeit")}})
    lineups = Lineups.of(whole, ("a", "b", "a", "c"))
    assert lineups.names == ("a", "a : b")
    assert list(np.bincount(lineups.of_block + 1)) == [1, 40, 40]
    found = estimates(LineupParts(whole, lineups).figures, 81, 1, 100)
    assert found["skill of a"].value == pytest.approx(0)
    assert found["skill of a : b"].value > 0.1


# ---- curves -----------------------------------------------------------------------------------------


def curve(*first):
    """Return a curve of two seats, given by the share of the first."""
    return Curve(0, 0, np.array([[share, 1 - share] for share in first]))


def test_a_game_is_decided_where_the_lead_ends_to_change():
    one = decided(curve(0.5, 0.7, 0.3, 0.4, 0.8, 0.95, 0.92, 1.0))
    assert (one.changes, one.led, one.sure, one.turns) == (2, 5 / 8, 6 / 8, 8)


def test_a_lead_must_be_worth_something_and_the_result_always_is():
    assert decided(curve(0.6, 0.49, 0.52, 0.47, 0.6, 1.0)).changes == 0
    assert decided(curve(0.6, 0.46, 0.44, 0.47, 0.6, 1.0)).changes == 2
    late = decided(curve(0.6, 0.6, 0.6, 0.0))
    assert (late.changes, late.led, late.sure) == (1, 1.0, 1.0)


def test_a_game_that_was_never_open_and_one_that_nobody_won():
    assert decided(curve(0.95, 0.96, 0.97, 1.0)).led == 1 / 4 == decided(curve(0.95, 0.96, 0.97, 1.0)).sure
    assert decided(curve(0.95, 0.96, 0.97, 0.5)).led == 1.0


def test_the_share_of_games_decided_grows_to_all():
    shares = reached(np.array([0.1, 0.5, 0.5, 1.0]))
    assert shares[0] == 0
    assert shares[2] == 0.25
    assert shares[9] == 0.25
    assert shares[10] == 0.75
    assert shares[-1] == 1
    assert (np.diff(shares) >= 0).all()


def test_means_are_over_games():
    games = [(0, decided(curve(0.9, 1.0))), (0, decided(curve(0.2, 1.0))), (2, decided(curve(0.2, 0.8, 1.0)))]
    found = MeanCourse(games, 3).figures(np.ones((3, 1)), False)
    assert found["changes"][0] == pytest.approx(2 / 3)
    assert found["turns"][0] == pytest.approx(7 / 3)


def test_curves_end_with_the_result_and_say_whole_shares():
    import sfida

    played = sfida.tournament("carcassonne", ["greedy", "random"], games=2, seed=1, adjusted=False)
    game = make_game("carcassonne")
    for outcome, found in zip(played.outcomes, all_curves(game, played.outcomes), strict=True):
        assert np.allclose(found.values.sum(axis=1), 1, atol=1e-6)
        assert tuple(found.values[-1]) == outcome.utilities
        assert 60 <= len(found.values) <= 84, "one row for each turn"
    assert value_for_curves(game).options.trust == 1.0 > Value(game).options.trust


# ---- options and details ----------------------------------------------------------------------------


def test_clear_means_clear_at_any_time():
    """With a look after every block, a difference of 0 is called clear in at most 5 % of all cases."""
    rng = np.random.default_rng(1)
    wrong = 0
    for _ in range(200):
        series = rng.normal(0, 0.5, 300)
        wrong += any(is_clear(series[:count]) for count in range(30, 301, 10))
    assert wrong <= 16
    assert is_clear(rng.normal(0.3, 0.5, 300))
    assert not is_clear(rng.normal(3, 0.5, 29))
    assert half_width(400, 1.0) < half_width(100, 1.0)


def test_it_stops_when_all_differences_are_clear(tmp_path, monkeypatch):
    monkeypatch.setattr(running, "is_clear", lambda differences, comparisons: len(differences) >= 20)
    variants = [Variant("a", make_game("kuhn_poker")), Variant("b", make_game("leduc_poker"))]
    plan = running.StudyPlan(variants, ("greedy", "random"), 80, 1, until_clear=True)
    assert running.play(plan, tmp_path / "x.sfida")
    held = []
    for variant in variants:
        with Store.read(variant.store(tmp_path / "x.sfida")) as store:
            held.append(len(store))
    assert held[0] == held[1]
    assert 40 <= held[0] < 70
    monkeypatch.setattr(running, "is_clear", lambda differences, comparisons: False)
    assert not running.play(plan, tmp_path / "x.sfida", resume=True)
    with Store.read(variants[1].store(tmp_path / "x.sfida")) as store:
        assert len(store) == 80


def test_variants_are_games_with_stores_of_their_own(tmp_path):
    two = variants_of("carcassonne:river=true", "players=2,3")
    assert [one.game.players for one in two] == [2, 3]
    assert two[1].name == "players=3"
    assert two[1].store(tmp_path / "a.sfida").name == "a.players-3.sfida"
    for wrong in ("players", "players=2", "players=2,2", "=2,3", "colour=1,2"):
        with pytest.raises(InvalidOption):
            variants_of("carcassonne", wrong)


def test_a_game_without_luck_is_refused():
    check_luck(make_game("kuhn_poker"))
    with pytest.raises(InvalidOption, match="no luck in Tic-tac-toe"):
        check_luck(make_game("tic_tac_toe"))


def test_elo_of_a_seat():
    assert elo_of(0.25, 4) == pytest.approx(0)
    assert elo_of(10 / 11, 2) == pytest.approx(400)
    assert elo_of(1.0, 2) == float("inf")
    assert elo_of(-0.1, 2) == -float("inf")
