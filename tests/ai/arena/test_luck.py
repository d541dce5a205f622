"""Luck in tournaments: measured, stored, and subtracted in the table and in sequential tests."""

import contextlib
import dataclasses
import shutil
import sqlite3

import numpy as np
import pytest

import sfida
from sfida.ai.arena.bootstrap import Tally, Terms, fair_shares, ratios
from sfida.ai.arena.evaluate import evaluate
from sfida.ai.arena.outcome import GameOutcome
from sfida.ai.arena.schedule import Schedule, Setup
from sfida.ai.arena.sequential import SprtOptions, Stopping, sprt_state
from sfida.ai.arena.store import Store, export_games, import_games
from sfida.ai.arena.tournament import measure, table_of
from sfida.ai.luck.value import GameLuck, Value, luck_of
from sfida.cython_ext.errors import InvalidOption, InvalidRecord
from sfida.engines.records import GameRecord
from sfida.engines.registry import make_game

KEY = "0123456789abcdef"


@pytest.fixture(scope="module")
def filled(tmp_path_factory):
    path = tmp_path_factory.mktemp("luck") / "games.sfida"
    return path, sfida.tournament("leduc_poker", ["greedy", "random"], 12, seed=3, store=path, adjusted=True)


@pytest.fixture
def store(filled, tmp_path):
    shutil.copy(filled[0], tmp_path / "games.sfida")
    return tmp_path / "games.sfida"


def edit(path, *statements):
    with contextlib.closing(sqlite3.connect(path)) as connection, connection:
        for statement in statements:
            connection.execute(statement)


# ---- measured luck ----------------------------------------------------------------------------------


def test_luck_is_measured_where_games_are_played(filled):
    path, result = filled
    value = Value(make_game("leduc_poker"))
    with Store.read(path) as opened:
        assert opened.value == value.key
        for outcome in opened.outcomes():
            assert outcome.luck == luck_of(outcome.record, value)
    for agent, fair in zip(result.standings.agents, result.standings.adjusted.agents, strict=True):
        assert fair.luck == pytest.approx(np.mean([game.luck.seats[seat] for game in result.outcomes for seat in (0, 1)
                                                   if game.record.seats[seat] == agent.agent]), abs=1e-8)
    assert result.standings.adjusted.value == value.key


@pytest.mark.parametrize(("game", "adjusted", "measured"), [
    ("carcassonne", None, True), ("carcassonne", False, False), ("leduc_poker", None, False),
    ("leduc_poker", True, True)])
def test_luck_is_measured_if_wanted_or_if_the_game_has_a_value_function(game, adjusted, measured):
    result = sfida.tournament(game, ["greedy", "greedy"], 2, seed=1, adjusted=adjusted)
    assert (result.standings.adjusted is not None) is measured
    assert all((outcome.luck is not None) is measured for outcome in result.outcomes)


def test_jobs_and_later_measuring_do_not_change_the_table(filled, tmp_path):
    plain = tmp_path / "plain.sfida"
    without = sfida.tournament("leduc_poker", ["greedy", "random"], 12, seed=3, jobs=2, store=plain)
    assert without.standings.adjusted is None
    value = Value(make_game("leduc_poker"))
    with Store.open(plain) as opened:
        opened.note("value", value.key)
        assert measure(opened, value) == 12
        assert measure(opened, value) == 0
        assert table_of(opened) == filled[1].standings


def test_games_of_one_deal_share_what_was_drawn_for_their_luck(filled):
    """In Kuhn poker the deal is the only luck: rotated seats have it in turn, and it cancels."""
    result = sfida.tournament("kuhn_poker", ["greedy", "greedy"], 20, seed=3, adjusted=True)
    by_agent = np.zeros((10, 2))
    for game in result.outcomes:
        for seat, agent in enumerate(game.agents):
            by_agent[game.block, agent] += game.luck.seats[seat]
    assert by_agent == pytest.approx(np.zeros((10, 2)), abs=1e-9)
    assert any(abs(game.luck.seats[0]) > 0.05 for game in result.outcomes)


def test_a_tournament_that_goes_on_measures_what_is_missing(store):
    edit(store, "DELETE FROM luck WHERE block > 2")
    again = sfida.tournament("leduc_poker", ["greedy", "random"], 16, seed=3, store=store, resume=True, adjusted=True)
    assert all(game.luck is not None for game in again.outcomes)
    fresh = sfida.tournament("leduc_poker", ["greedy", "random"], 16, seed=3, adjusted=True, jobs=2)
    assert again.standings == fresh.standings


# ---- stored luck ------------------------------------------------------------------------------------


def test_a_store_made_before_luck_was_measured_is_read_and_takes_it(store):
    edit(store, "DROP TABLE luck", "DELETE FROM header WHERE key = 'value'")
    with Store.read(store) as opened:
        assert opened.value is None
        assert opened.luck() == {}
        assert table_of(opened).adjusted is None
    with Store.open(store) as opened:
        opened.note("value", KEY)
        opened.add_luck({(0, 0): GameLuck(KEY, (0.25, -0.25))})
        assert opened.luck() == {(0, 0): GameLuck(KEY, (0.25, -0.25))}
        assert table_of(opened).adjusted is None, "all games or none"


def test_luck_by_another_value_function_is_kept_apart(store):
    with Store.open(store) as opened:
        before = opened.luck()
        own = opened.value
        opened.add_luck({(0, 0): GameLuck(KEY, (0.25, -0.25))})
        assert opened.luck() == before
        opened.note("value", KEY)
        assert opened.luck() == {(0, 0): GameLuck(KEY, (0.25, -0.25))}
        opened.note("value", own)
        assert opened.luck() == before


def test_exported_games_can_be_measured_again(filled, tmp_path):
    path, result = filled
    with Store.read(path) as opened:
        export_games(opened, tmp_path / "games.jsonl")
    import_games(tmp_path / "games.jsonl", tmp_path / "copy.sfida")
    value = Value(make_game("leduc_poker"))
    with Store.open(tmp_path / "copy.sfida") as opened:
        assert opened.value is None
        opened.note("value", value.key)
        measure(opened, value)
        assert table_of(opened) == result.standings


@pytest.mark.parametrize(("statement", "message"), [
    ("UPDATE luck SET seats = '[0.5, 0.5]'", "luck of block 0, rotation 0: the luck of all seats must sum to 0"),
    ("UPDATE luck SET seats = '[0.5]'", "luck of block 0, rotation 0: 'seats' must have 2 entries, not 1"),
    ("UPDATE luck SET seats = '[1e999, 0]'", "luck of block 0, rotation 0: 'seats' holds a number that is not finite"),
    ("UPDATE luck SET seats = '[\"a\", 0]'", "luck of block 0, rotation 0: entry 1 of 'seats' must be a number"),
    ("UPDATE luck SET seats = 'x'", "luck of block 0, rotation 0: not JSON at column 1"),
    ("UPDATE luck SET seats = x'00'", "luck of block 0, rotation 0: the field 'seats' is missing"),
    ("UPDATE header SET value = '\"abc\"' WHERE key = 'value'", "header: 'value' must be 16 hex digits, not 'abc'"),
    ("UPDATE header SET value = '7' WHERE key = 'value'", "header: 'value' must be a text"),
    ("ALTER TABLE luck ADD COLUMN more TEXT", "its table 'luck' is not as this program makes it"),
    ("CREATE TRIGGER t AFTER INSERT ON luck BEGIN DELETE FROM luck; END", "holds the trigger 't', which"),
])
def test_damaged_luck_is_refused_in_one_line(store, statement, message):
    edit(store, statement)
    with pytest.raises(InvalidRecord) as caught, Store.read(store) as opened:
        list(opened.outcomes())
    assert message in str(caught.value)
    assert str(caught.value).startswith(str(store))
    assert "\n" not in str(caught.value)


# ---- luck-adjusted results --------------------------------------------------------------------------


def simulated(blocks, lead, seed=1, measured=True):
    """A match of two agents whose luck is known; the first leads by this log strength."""
    setup = Setup("leduc_poker", 1, 2, ("greedy", "random"), 2 * blocks, 5, "gauntlet")
    rng, record, games = np.random.default_rng(seed), GameRecord("leduc_poker", 1, moves=("x",)), []
    for block in Schedule(setup):
        for rotation in range(2):
            agents, event = block.seating(rotation), 2 * rng.normal(size=2)
            speed = event + lead * np.equal(agents, 0) + rng.gumbel(size=2)
            won = tuple(map(float, speed == speed.max()))
            power, mirrored = np.exp(event), np.exp(-event)
            luck = (power / power.sum() - mirrored / mirrored.sum()) / 2
            games.append(GameOutcome(block.index, rotation, agents, record, won, tuple(2 - int(x) for x in won),
                                     (0.0, 0.0), (1, 1), (0.1, 0.1), 0.2,
                                     luck=GameLuck(KEY, tuple(map(float, luck))) if measured else None))
    return setup, games


def test_the_table_without_luck_is_closer_to_the_truth():
    """Over 60 simulated matches between equals the adjusted results are nearer to even in the mean square."""
    tables = [evaluate(Tally.of(games, 2), setup, resamples=40, value=KEY)
              for setup, games in (simulated(40, 0, seed) for seed in range(60))]
    off = np.array([(table.agents[0].win_share - 0.5, table.adjusted.agents[0].win_share - 0.5, table.adjusted.reach)
                    for table in tables])
    assert (off[:, 1] ** 2).mean() < 0.75 * (off[:, 0] ** 2).mean()
    assert 0.4 < off[:, 2].mean() < 0.7


@pytest.mark.parametrize(("lead", "verdict"), [(1.5, "H1"), (-1.5, "H0"), (0.1, "undecided")])
def test_both_forms_of_the_sequential_test_agree(lead, verdict):
    options = SprtOptions(adjusted=True)
    setup, games = simulated(60, lead)
    stopping = Stopping(setup, options)
    for first in range(0, len(games), 2):
        stopping.add(games[first:first + 2])
        if stopping.decided:
            break
    state = sprt_state(Tally.of(games[:2 * stopping.blocks], 2), setup, options)
    assert stopping.sprt.state("").llr == pytest.approx(state.llr, abs=1e-9)
    assert (state.verdict, stopping.decided) == (verdict, verdict != "undecided")
    assert sprt_state(Tally.of(games, 2), setup, options).blocks == stopping.blocks, "later blocks change nothing"
    assert state.llr != sprt_state(Tally.of(games, 2), setup, SprtOptions()).llr


def test_a_test_without_luck_needs_luck():
    setup, games = simulated(2, 0, measured=False)
    for ask in (lambda: Stopping(setup, SprtOptions(adjusted=True)).add(games[:2]),
                lambda: sprt_state(Tally.of(games, 2), setup, SprtOptions(adjusted=True)),
                lambda: Tally.of(games, 2).adjusted()):
        with pytest.raises(InvalidOption, match="sfida ratings FILE --adjusted"):
            ask()
    with pytest.raises(InvalidOption, match="leave adjusted=False out"):
        sfida.tournament("carcassonne", ["greedy", "random"], sprt="elo0=0,elo1=50,adjusted=true", adjusted=False)


def test_options_of_a_test_without_luck_come_back_as_they_are():
    options = SprtOptions.parse("elo0=0,elo1=50,adjusted=true")
    assert options.adjusted
    assert SprtOptions.parse(str(options)) == options
    assert "adjusted" not in str(dataclasses.replace(options, adjusted=False))


def test_a_one_sided_match_keeps_the_interval_of_its_results():
    """If one agent wins every game, the luck of the games says nothing about a possible later loss."""
    setup, games = simulated(20, 50)
    table = evaluate(Tally.of(games, 2), setup, resamples=200, value=KEY)
    agent, fair = table.agents[0], table.adjusted.agents[0]
    assert agent.win_share == 1
    assert fair.ci95[0] <= agent.ci95[0] < 0.84
    assert fair.ci95[1] >= 1
    assert fair.elo_ci95[1] - fair.elo_ci95[0] > 300


def test_intervals_of_shares_may_lie_beyond_one():
    ratio, block = np.zeros(40, int), np.arange(40)
    won = Terms.of(1, 40, ratio, block, np.where(block == 0, 0.0, 1.0))
    fair = Terms.of(1, 40, ratio, block, np.linspace(0.9, 1.2, 40))
    found = fair_shares(fair, ratios(won, 1, 200), 1, 200)
    assert 1 < found.low[0] < found.value[0] < found.high[0]
    assert ratios(fair, 1, 200).high[0] == 1
