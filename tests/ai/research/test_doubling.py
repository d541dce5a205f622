"""The gain of a faster search: the measured doublings of a game and the figures derived from them."""

from __future__ import annotations

import itertools
import math
import sys

import pytest

from sfida.ai.research import profiling
from sfida.ai.research.profiling import FILE, Doubling, Doublings, Gain, InvalidDoublings, doublings, elo_lead
from sfida.engines.registry import make_game
from support.toys import ChanceNim

TABLE = Doublings((Doubling(100, 50, Gain(80.0, 60.0, 100.0)), Doubling(200, 50, Gain(40.0, 10.0, 70.0)),
                   Doubling(800, 50, Gain(10.0, -10.0, 30.0))))


def game_of(text, tmp_path, monkeypatch, name):
    """Return a game in a separate package that contains such a file."""
    (tmp_path / name).mkdir()
    (tmp_path / name / "__init__.py").write_text("")
    (tmp_path / name / FILE).write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    __import__(name)
    monkeypatch.setattr(sys.modules[name], "__package__", name)
    return type("Own", (ChanceNim,), {"__module__": name, "name": "own"})()


# ---- Elo ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("share", "players", "lead"), [
    (0.5, 2, 0.0), (0.64, 2, 99.95), (0.25, 4, 0.0), (0.5, 3, 120.4),
])
def test_a_share_in_elo(share, players, lead):
    assert elo_lead(share, players) == pytest.approx(lead, abs=0.05)


def test_a_doubling_is_worth_what_was_measured():
    assert TABLE.gain(100, 2).elo == pytest.approx(80)
    assert TABLE.gain(200, 2).elo == pytest.approx(40)
    assert (TABLE.gain(800, 2).low, TABLE.gain(800, 2).high) == (pytest.approx(-10), pytest.approx(30))


def test_steps_add_up_and_their_errors_do_not_align():
    gain = TABLE.gain(100, 4)
    assert gain.elo == pytest.approx(120)
    assert gain.high - gain.elo == pytest.approx(math.hypot(20, 30))


def test_a_step_holds_until_the_next_measured_one_and_the_ends_beyond_the_table():
    assert TABLE.gain(400, 2).elo == pytest.approx(40)          # between 200 and 800
    assert TABLE.gain(10, 2).elo == pytest.approx(80)
    assert TABLE.gain(1e6, 2).elo == pytest.approx(10)
    gain = TABLE.gain(25, 4)                                    # twice the same step: its error counts twice
    assert gain.high - gain.elo == pytest.approx(2 * 20)


def test_parts_of_a_doubling_and_losses():
    assert TABLE.gain(100, math.sqrt(2)).elo == pytest.approx(40)
    assert TABLE.gain(150, 1.0) == Gain(0.0, 0.0, 0.0)
    loss = TABLE.gain(400, 0.25)
    assert loss.elo == pytest.approx(-TABLE.gain(100, 4).elo)
    assert loss.low < loss.elo < loss.high


# ---- tables -------------------------------------------------------------------------------------------


def test_carcassonne_ships_its_table():
    table = doublings(make_game("carcassonne"), "ismcts")
    assert isinstance(table, Doublings)
    assert table == doublings(make_game("carcassonne:river=true"), "ismcts")
    budgets = [step.iterations for step in table.steps]
    assert budgets == sorted(set(budgets))
    assert all(step.gain.low < step.gain.elo < step.gain.high and step.games >= 100 for step in table.steps)
    assert any(step.gain.low > 0 for step in table.steps)       # some doubling of a small budget is shown to help


def test_matches_of_one_budget_are_pooled(tmp_path, monkeypatch):
    game = game_of("""
        [[table]]
        game = "own"
        players = 2
        agent = "ismcts"
        matches = [
            { iterations = 64, games = 300, share = 0.60, low = 0.54, high = 0.66 },
            { iterations = 8, games = 10, share = 0.7, low = 0.6, high = 0.8 },
            { iterations = 64, games = 100, share = 0.50, low = 0.42, high = 0.58 },
        ]""", tmp_path, monkeypatch, "pooled_table")
    first, second = doublings(game, "ismcts").steps
    assert (first.iterations, second.iterations, second.games) == (8, 64, 400)
    assert second.gain.elo == pytest.approx(elo_lead(0.575, 2))
    half = math.hypot(0.75 * 0.06, 0.25 * 0.08)
    assert second.gain.low == pytest.approx(elo_lead(0.575 - half, 2))
    assert second.gain.high == pytest.approx(elo_lead(0.575 + half, 2))


@pytest.mark.parametrize(("spec", "agent", "why"), [
    ("kuhn_poker", "ismcts", "what a doubling is worth has not been measured in kuhn_poker"),
    ("carcassonne", "pimc", "carcassonne has been measured for ismcts only"),
])
def test_no_table_has_a_reason(spec, agent, why):
    reason = doublings(make_game(spec), agent)
    assert isinstance(reason, str)
    assert reason.endswith(why)


@pytest.mark.parametrize("spec", ["carcassonne:players=5", "zarahemla:players=4", "risiko", "acres", "attila"])
def test_every_game_has_a_table_of_the_search_as_it_is(spec):
    game = make_game(spec)
    table = doublings(game, "ismcts")
    assert (table.agent, table.current) == ("ismcts", True)
    assert table.players == game.players or table.players in (2, 3)
    assert table.commit
    assert table.date


TWO_COUNTS = """
    [[table]]
    game = "own"
    players = 2
    agent = "ismcts"
    matches = [{ iterations = 64, games = 9, share = 0.6, low = 0.5, high = 0.7 }]

    [[table]]
    game = "own"
    players = 4
    agent = "ismcts"
    matches = [{ iterations = 64, games = 9, share = 0.4, low = 0.3, high = 0.5 }]"""


@pytest.mark.parametrize(("players", "taken"), [(2, 2), (3, 2), (4, 4), (6, 4)])
def test_the_table_with_the_nearest_number_of_players_is_taken(players, taken, tmp_path, monkeypatch):
    game = game_of(TWO_COUNTS, tmp_path, monkeypatch, f"two_counts_{players}")
    monkeypatch.setattr(type(game), "players", players)
    table = doublings(game, "ismcts")
    assert (table.players, table.current, table.commit) == (taken, None, None)
    assert table.steps[0].gain.elo == pytest.approx(elo_lead(0.6 if taken == 2 else 0.4, taken))


def test_matches_of_another_search_are_known_as_such(monkeypatch):
    monkeypatch.setattr(profiling, "signature", lambda game: "0" * 16)
    assert doublings(make_game("attila:players=2"), "ismcts").current is False


MATCH = "{ iterations = 64, games = 9, share = 0.6, low = 0.5, high = 0.7 }"
GOOD = f'[[table]]\ngame = "own"\nplayers = 2\nagent = "ismcts"\nmatches = [{MATCH}]'
BAD = [
    (GOOD.replace("0.6", "60.0"), "0 < low <= share <= high < 1"),
    (GOOD.replace("low = 0.5", "low = 0.65"), "0 < low <= share <= high < 1"),
    (GOOD.replace("iterations = 64", "iterations = 0"), "at least 1"),
    (GOOD.replace("iterations = 64", "iterations = 6.4"), "whole numbers"),
    (GOOD.replace("games = 9, ", ""), "'games' is missing"),
    (GOOD.replace("agent =", "agents ="), "'agent' is missing"),
    (GOOD.replace("players = 2", "players = 1"), "at least 2"),
    (GOOD.replace(MATCH, ""), "'matches' is empty"),
    (GOOD.replace('"own"', "7"), "must be names"),
    (GOOD.replace("players", "signature = 7\nplayers"), "must be texts"),
    (GOOD + "]", "own_table"),
]
NUMBER = itertools.count()


@pytest.mark.parametrize(("text", "why"), BAD)
def test_a_wrong_table_is_one_line_that_names_the_file(text, why, tmp_path, monkeypatch):
    game = game_of(text, tmp_path, monkeypatch, f"own_table_{next(NUMBER)}")
    with pytest.raises(InvalidDoublings) as caught:
        doublings(game, "ismcts")
    message = str(caught.value)
    assert why in message
    assert message.startswith(f"{FILE} of own_table_")
    assert "\n" not in message
