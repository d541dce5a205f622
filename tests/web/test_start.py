"""The contents of the start page: facts and options in words, pictures, and games in small without their secrets."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from sfida.ai.levels.scale import NAMES
from sfida.cython_ext.rng import Random
from sfida.engines.registry import game_names, make_game
from sfida.web.lobby import Glimpse
from sfida.web.scenes import preview
from support.alike import HIDING, twins_of
from support.served import Served, serving


def home(served: Served) -> Any:
    return served.client.get("/api/home").json()


def test_facts_and_options_are_in_words(served: Served) -> None:
    games = {game["name"]: game for game in home(served)["games"]}
    assert set(games) == set(game_names())
    for name in game_names(examples=False):
        game = games[name]
        assert game["luck"] in ("little luck", "some luck", "much luck")
        low, high = game["minutes"]
        assert 0 < low <= high
        assert game["pictured"]
        assert game["teaches"]
        assert len({option["title"] for option in game["options"]}) == len(game["options"])
        for option in game["options"]:
            assert "_" not in option["title"]
            words = [choice["words"] for choice in option["choices"]]
            assert len(set(words)) == len(words)
            assert not any("_" in each for each in words), option
    assert not games["tic_tac_toe"]["pictured"]


def test_usual_values_follow_preset_and_players(served: Served) -> None:
    def usual(spec: str) -> Any:
        return served.client.get("/api/usual", params={"game": spec}).json()

    assert usual("carcassonne")["city2_scoring"] == "2 points"
    assert (usual("risiko")["round_limit"], usual("risiko:preset=rtu")["round_limit"]) == ("100", "35")
    assert usual("zarahemla:players=2")["initial_settlements"] != usual("zarahemla:players=3")["initial_settlements"]
    assert usual("zarahemla")["board"] == "random"
    assert "did you mean" in usual("risiko:prest=rtu")["error"]
    assert served.guest().get("/api/usual?game=risiko").status_code == 403
    for spec in ("carcassonne", "attila", "risiko", "zarahemla", "acres"):
        assert set(usual(spec)) == set(make_game(spec).settled())


def test_pictures_are_always_the_same(served: Served) -> None:
    for game in home(served)["games"]:
        answer = served.guest().get(f"/pictures/{game['name']}.svg")
        assert answer.status_code == (200 if game["pictured"] else 404)
        if game["pictured"]:
            assert ElementTree.fromstring(answer.text).tag.endswith("svg")
            assert "data-part" not in answer.text
            assert answer.headers["content-type"] == "image/svg+xml"
            assert len(answer.content) < 400_000
    assert served.guest().get("/pictures/nothing.svg").status_code == 404
    assert served.guest().get("/pictures/..%2Fapp.svg").status_code == 404


def test_levels_have_names(served: Served) -> None:
    told = served.client.get("/api/words").json()["levels"]
    assert [(level["title"], level["words"]) for level in told.values()] == list(NAMES)
    assert len({name for name, _ in NAMES}) == 10


def test_game_is_seen_in_small_without_being_loaded(served: Served) -> None:
    host = served.host("risiko", "human", "level:2", "greedy", "greedy", seed="3")
    scene = host.play_on(5)
    (table,) = home(served)["tables"]
    asked = {"table": table["id"]}
    loaded = served.client.get("/api/preview", params=asked).json()
    assert [seat["agent"] for seat in loaded["seats"]] == ["human", "level:2", "greedy", "greedy"]
    assert [seat["mine"] for seat in loaded["seats"]] == [True, False, False, False]
    assert loaded["moved"] > 1_700_000_000
    host.until(lambda scene: scene["decision"] is not None)
    loaded = served.client.get("/api/preview", params=asked).json()
    served.lobby._sleep(table["id"])
    assert served.client.get("/api/preview", params=asked).json() == loaded
    assert [session for _, session in served.lobby.tables()] == [None]
    assert "<svg" in loaded["picture"]
    assert scene["game"]["name"] == "risiko"
    for wrong in ({"table": "x"}, {"kept": "../../x"}, {}):
        assert served.client.get("/api/preview", params=wrong).status_code == 404
    assert served.guest().get("/api/preview", params=asked).status_code == 403


def seen_in_small(game: str, moves: list[int], own: tuple[int, ...]) -> dict[str, Any]:
    state = make_game(game).initial_state()
    for move in moves:
        state.apply(move)
    return small(state, own)


def small(state: Any, own: tuple[int, ...]) -> dict[str, Any]:
    lobby: Any = SimpleNamespace(glimpse=lambda _table, _kept: Glimpse(state, ("human",) * state.players, own, 1.0))
    return preview(lobby, "table", "")


@pytest.mark.parametrize("game", HIDING)
def test_what_the_host_cannot_know_changes_no_preview(game: str) -> None:
    compared, players = 0, make_game(game).players
    for seat in range(players):
        for one, other in twins_of(game, seat, 6, 5):
            assert seen_in_small(game, one, (seat,)) == seen_in_small(game, other, (seat,))
            compared += 1
    assert compared >= 2
    state, rng = make_game(game).initial_state(), Random(4)
    for _ in range(30):
        if state.is_over:
            break
        moves = state.legal_moves()
        state.apply(moves[rng.below(len(moves))])
    if state.hidden and not state.is_over:                   # people who share a screen see what everybody knows
        told = small(state, tuple(range(players)))
        for seat in range(players):
            other = state.clone()
            other.determinize(seat, rng)
            assert small(other, tuple(range(players))) == told


def test_luck_is_what_was_measured() -> None:
    page = Path(__file__).parents[2].joinpath("docs", "results", "luck_and_skill.md").read_text(encoding="utf-8")
    measured = dict(re.findall(r"^\| ([^|]+), \d players \| \d+ \| (\d+) \[", page, re.MULTILINE))
    for name in game_names(examples=False):
        game = make_game(name)
        assert game.luck == int(measured[game.title])


def test_game_that_was_left_is_seen_in_small() -> None:
    with serving() as served:
        served.host("attila", "human", "level:1", "human", seed="3").play_on(3)
    with serving() as served:                               # another port: its links are not known here
        (kept,) = home(served)["kept"]
        told = served.client.get("/api/preview", params={"kept": kept["id"]}).json()
        assert [(seat["agent"], seat["mine"]) for seat in told["seats"]] == [
            ("human", True), ("level:1", False), ("human", True)]
        assert "<svg" in told["picture"]
        assert home(served)["tables"] == []
