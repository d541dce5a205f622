"""`sfida`, `sfida games`, `sfida agents`."""

from __future__ import annotations

import re

import click
import pytest

from sfida.ai.registry import agent, agent_names
from sfida.cli.games import value_text
from sfida.cli.main import COMMANDS, main
from sfida.cython_ext.search.parameters import DEFAULTS, SearchParameters
from sfida.engines.registry import ALIASES, game_class, game_names, make


def test_games_as_json_hold_players_and_options(events):
    found = {event["name"]: event for event in events("games")}
    assert list(found) == game_names()
    carcassonne = found["carcassonne"]
    assert carcassonne["type"] == "game"
    assert carcassonne["players"] == [2, 3, 4, 5]
    assert carcassonne["example"] is False
    river = carcassonne["options"][1]
    assert (river["key"], river["type"], river["default"]) == ("river", "bool", False)
    assert found["tic_tac_toe"]["example"] is True
    assert carcassonne["search_defaults"] == game_class("carcassonne").search_defaults


def test_defaults_of_searches_are_shown_with_their_exceptions(sfida, events, monkeypatch):
    """A game given with options shows the defaults that apply to it."""
    monkeypatch.setattr(game_class("carcassonne"), "search_exceptions", (({"players": (4, 5)}, {"tau": 3.5}),))
    assert re.search(r"with players=4 or 5 +tau=3.5\n", sfida("games", "carcassonne").stdout)
    told = events("games", "carcassonne")[0]
    assert told["search_exceptions"] == [{"options": {"players": [4, 5]}, "search_defaults": {"tau": 3.5}}]
    assert told["search_defaults"]["tau"] == game_class("carcassonne").search_defaults["tau"]
    assert events("games", "carcassonne:players=4")[0]["search_defaults"]["tau"] == 3.5
    assert "tau=3.5" in sfida("games", "carcassonne:players=4").stdout


def test_games_begin_with_a_line_each(sfida):
    lines = sfida("games").stdout.splitlines()
    for name in game_names(examples=False):
        line = next(line for line in lines if line.startswith(f"{name} "))
        assert game_class(name).title in line
        assert " players" in line
        assert (game_class(name).length or name) in line
    assert all(game_class(name).length for name in game_names(examples=False))
    text = "\n".join(lines)
    assert "presets: base, tournament, rtu" in text
    assert "catan means preset=catan" in text
    assert "also called acres" in text
    assert "sfida games NAME" in text
    assert all(name in text.split("\n\n")[-1] for name in set(game_names()) - set(game_names(examples=False)))
    assert "farm_scoring" not in text
    assert "sfida games --all" in text


@pytest.mark.parametrize("command", ["games", "agents"])
def test_the_overview_fits_a_small_screen(sfida, monkeypatch, command):
    monkeypatch.setenv("COLUMNS", "80")
    overview, everything = sfida(command).stdout, sfida(command, "--all").stdout
    assert len(overview.splitlines()) < 24
    assert len(everything.splitlines()) > 50
    assert everything.startswith(overview.split("\n\n")[0])


@pytest.mark.parametrize("arguments", [["carcassonne"], ["--all"]])
def test_options_of_games(sfida, arguments):
    text = sfida("games", *arguments).stdout
    assert "Carcassonne, 2-5 players, rules version 1" in text
    assert "farm_scoring=rulebook" in text
    assert f"informed={game_class('carcassonne').search_defaults['informed']}" in text
    assert ("raid_routes=" in text) == (arguments == ["--all"])


def test_the_name_of_a_preset_shows_what_it_stands_for(sfida, events):
    assert "in order: settlers_of_zarahemla:preset=catan\n" in sfida("games", "catan").stdout
    assert events("games", "catan:players=3")[0]["spec"] == "settlers_of_zarahemla:players=3,preset=catan"
    assert "spec" not in events("games", "zarahemla")[0]


def test_every_name_in_the_lists_can_be_played(sfida):
    agents = [line.split()[0] for line in sfida("agents").stdout.split("\n\n")[0].splitlines()]
    assert "ismcts:seconds=1" in agents
    for spec in agents:
        assert agent(spec).spec
    for alias in ALIASES:
        assert make(alias).game.name in game_names()


def test_agents_begin_with_a_line_each(sfida):
    lines = sfida("agents").stdout.splitlines()
    assert not any("belief_tau=0.7" in line for line in lines)
    for name in agent_names():
        assert [line for line in lines if re.split(r"[: ]", line)[0] == name]
    assert [line.split()[0] for line in lines[:4]] == ["human", "random", "greedy", "ismcts:seconds=1"]
    assert "belief_tau=0.7" in sfida("agents", "--all").stdout


def test_agents_are_listed_with_parameters(sfida, events):
    found = {event["name"]: event for event in events("agents")}
    assert list(found) == agent_names()
    seconds = next(p for p in found["ismcts"]["parameters"] if p["key"] == "seconds")
    assert seconds["default"] is None
    assert seconds["doc"]
    told = sfida("agents", "ismcts").stdout
    assert "iterations=no limit" in told
    assert "cutoff=game's" in told
    assert "clock=no clock" in told
    assert "=none" not in told
    assert "threads=1" in told
    assert "[1 to 64]" in told
    assert "threads=" not in sfida("agents", "flat").stdout
    assert "iterations=" not in sfida("agents", "human").stdout


def test_generic_values_are_those_that_a_search_has(sfida):
    """The shown values are those that parameters have if neither a person nor the game sets them."""
    told = " ".join(sfida("agents", "mo-ismcts").stdout.split()).partition("the general one:")[2]
    for name, field in SearchParameters.__dataclass_fields__.items():
        keyword = field.metadata.get("keyword", name)
        if "generic" in field.metadata:
            assert f" {name}={value_text(DEFAULTS[keyword])}" in told
    assert " endgame=0" in told
    assert "bids=" not in sfida("agents", "pimc").stdout


@pytest.mark.parametrize("command", [[], *([name] for name in COMMANDS)])
@pytest.mark.parametrize("flag", ["-h", "--help"])
def test_help_everywhere(sfida, command, flag):
    result = sfida(*command, flag)
    assert result.exit_code == 0
    assert result.stdout.startswith("Usage: sfida")
    assert "sfida " in result.stdout.split("\n", 2)[2], "an example should be shown"
    assert max(map(len, result.stdout.splitlines())) <= 80


@pytest.mark.parametrize("name", COMMANDS)
def test_the_list_of_commands_says_what_they_say(name):
    """The list is written without loading the commands."""
    assert main.get_command(click.Context(main), name).get_short_help_str(200) == COMMANDS[name][1]


def test_version_and_no_command(sfida):
    assert sfida("--version").stdout.startswith("sfida 0.")
    alone = sfida()
    assert alone.exit_code == 0
    assert alone.stdout == sfida("--help").stdout


def test_lists_fit_the_width(sfida, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    for command in (["games"], ["games", "carcassonne"], ["games", "--all"], ["agents"], ["agents", "ismcts"],
                    ["agents", "--all"]):
        assert max(map(len, sfida(*command).stdout.splitlines())) <= 80


def test_a_width_of_thousands_of_digits_is_no_width(sfida, monkeypatch):
    monkeypatch.setenv("COLUMNS", "9" * 5000)
    monkeypatch.setenv("LINES", "9" * 5000)
    assert sfida("games").exit_code == 0
