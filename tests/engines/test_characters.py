"""The characters of the levels: what they are made of, how they are named, and that their styles show."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.characters import shown_in
from sfida import InvalidOption, agent, make
from sfida.ai.arena.tournament import Tournament
from sfida.ai.levels.agent import LevelAgent
from sfida.engines.characters import Character, characters
from sfida.engines.language import speaking
from sfida.engines.registry import game_class, make_game

GAMES = ("carcassonne", "settlers_of_zarahemla", "risiko", "attila", "a_few_acres_of_snow")
EVERY = [(game, each) for game in GAMES for each in characters(game_class(game)).values()]
NAMED = pytest.mark.parametrize(("game", "character"), EVERY, ids=[f"{game}-{each.name}" for game, each in EVERY])


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_three_or_four(game: str) -> None:
    assert len(characters(game_class(game))) in (3, 4)
    assert characters(game_class("tic_tac_toe")) == {}


@NAMED
def test_they_have_names_and_descriptions_in_every_language(game: str, character: Character) -> None:
    words = []
    for lang in ("en", "it"):
        with speaking(lang):
            words += [character.title, character.about]
    assert len(set(words)) == 4
    assert all(about.endswith(".") for about in words[1::2])


@pytest.mark.parametrize("game", GAMES)
def test_the_page_of_the_levels_lists_them(game: str) -> None:
    page = Path(__file__).parents[2] / "docs" / "play" / "levels.md"
    listed = ", ".join(f"`{name}`" for name in characters(game_class(game)))
    assert f"| {listed} |" in page.read_text(encoding="utf-8")


@NAMED
def test_they_think_about_the_same_game_and_see_no_more(game: str, character: Character) -> None:
    state = make(game)
    while state.is_chance:
        state.apply(state.chance_outcomes()[0][0])
    view = state.view(state.to_move)
    plain, own = agent("level:3", seed=7), agent(f"level:3/{character.name}", seed=7)
    assert isinstance(own, LevelAgent)
    assert own.choose(view) in view.legal_moves()
    assert plain.choose(view) in view.legal_moves()
    _, seen = own._ready(view)
    assert seen.redacted
    assert (seen.key(), seen.seat, seen.game) == (view.key(), view.seat, view.game)
    assert own.spec == f"level:3/{character.name}"


@NAMED
def test_what_was_measured_is_about_as_strong_and_shows(game: str, character: Character) -> None:
    found = character.measured
    assert found is not None
    assert found.low <= 0 <= found.high or abs(found.elo) < 60          # Elo; a level is about 100
    assert found.more_low > 0 or found.more_high < 0


@pytest.mark.parametrize(("game", "name"), [
    ("carcassonne", "miser"), ("a_few_acres_of_snow", "raider"), ("attila", "warlord")])
def test_the_style_shows_in_a_few_games(game: str, name: str, tmp_path: Path) -> None:
    made = make_game(game)
    Tournament(made, [f"level:2/{name}", "level:2"], 8, 11, adjusted=False).run(
        tmp_path / "games.sfida", jobs=1, backend="threading")
    shown = shown_in(made, characters(game_class(game))[name], tmp_path / "games.sfida", 1)
    assert shown.more > 0.25 * shown.plain
    assert shown.low > 0


def test_an_unknown_character_is_told_with_those_that_there_are() -> None:
    with pytest.raises(InvalidOption, match="there is no character 'raider' in Carcassonne; it has builder, farmer"):
        agent("level:5/raider").choose(make("carcassonne").view(0))
    with pytest.raises(InvalidOption, match="there are no characters in Tic-tac-toe: leave '/raider' out"):
        agent("level:5/raider").choose(make("tic_tac_toe").view(0))


@pytest.mark.parametrize("wrong", ["level:5/", "level:5/Raider", "level:5/a/b", "level:/raider", "level:11/raider"])
def test_a_wrong_spec_is_refused_in_one_line(wrong: str) -> None:
    with pytest.raises(InvalidOption) as caught:
        agent(wrong)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("given", "canonical"), [
    ("level:5/raider", "level:5/raider"), ("level:5.0 / raider", "level:5/raider"),
    ("level:auto/raider", "level:auto/raider"), ("level:sight=3/raider", "level:sight=3/raider")])
def test_specs(given: str, canonical: str) -> None:
    assert agent(given).spec == canonical
    assert agent(canonical).spec == canonical


def test_auto_takes_its_level_and_keeps_its_character() -> None:
    own = agent("level:auto/farmer")
    assert isinstance(own, LevelAgent)
    own.check_game(make_game("carcassonne"))
    assert own.follows_person
    assert own.level is not None
    assert own.spec == f"level:{own.level:g}/farmer"
