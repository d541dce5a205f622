"""The program in Italian: no English on the screen, the same JSON and records, commands in both languages."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import sfida as library
from sfida.ai.registry import agent_names
from sfida.engines.language import language
from sfida.engines.registry import describe_game, game_names, make_game
from support.crawling import english_in
from support.marked import NOTATION, is_marked, speaking_marked, unmarked
from support.newcomer import drawn
from support.terminal import Terminal

PROMPT = r"(?:^|\n)\w+> $|Invio[^\n]*: $"
THE_END = "── fine ──"
ASKED = ("aiuto", "? consiglio", "stato", "mosse", "tessere", "cronaca", "carte", "consiglio", "perché 1", "perché",
         "annulla", "ripeti", "adesso", "boh", "99", "stato ora", "? boh", "0,0", "cavaliere nord", "abbandona",
         "tabellone")


def played(state: Path) -> str:
    """Return the output of a game of Carcassonne in which a person asks for everything, then plays the first moves."""
    terminal = Terminal("play", "carcassonne", "--seat", "human", "--seat", "greedy", "--seed", 3, "--lang", "it",
                        "--tutorial", rows=40, columns=100, XDG_STATE_HOME=str(state))
    asked, shown = list(ASKED), ""
    try:
        for _ in range(400):
            shown += drawn(terminal.wait_for(rf"{PROMPT}|{THE_END}", 60))
            if THE_END in shown:
                before = len(terminal.text)
                assert terminal.end() == 0
                return shown + drawn(terminal.text[before:])
            waits = shown.endswith(": ")
            terminal.type("" if waits else asked.pop(0) if asked and "   5  " in shown else "1")
    finally:
        terminal.close()
    raise AssertionError("no end after 400 lines")


@pytest.mark.release_only("what is drawn does not depend on the build")
def test_a_game_in_italian_shows_no_english(tmp_path):
    shown = played(tmp_path)
    assert not english_in(shown, "it")
    for words in ("tocca a rosso", "segnati durante la partita", "tessere paesaggio in pila", "Piazzare una tessera",
                  "probabilità di vittoria", "fortuna:", "errore:"):
        assert words in shown


def test_the_crawler_finds_english(tmp_path, sfida):
    shown = sfida("play", "carcassonne", "--seat", "random", "--seat", "random", "--seed", 3).stdout
    assert "scored during play" in english_in(shown, "it")
    assert not english_in(sfida("--lang", "it", "play", "carcassonne", "--seat", "random", "--seat", "random", "--seed",
                                3).stdout, "it")


@pytest.mark.parametrize("arguments", [("--lang", "it", "play"), ("play", "--lang", "it"),
                                       ("--lang", "en", "play", "--lang", "it")])
def test_the_option_stands_before_or_after_the_command(sfida, arguments):
    result = sfida(*arguments, "carcassonne", "--seat", "random", "--seat", "random", "--seed", 3)
    assert "sorte: tessera B, monastero" in result.stdout
    assert language() == "en"


def test_the_environment_chooses_the_language(sfida, monkeypatch):
    monkeypatch.setenv("SFIDA_LANG", "it")
    arguments = ("carcassonne", "--seat", "random", "--seat", "random", "--seed", 3)
    assert "sorte: tessera" in sfida("play", *arguments).stdout
    assert "chance: tile" in sfida("play", *arguments, "--lang", "en").stdout
    assert "chance: tile" in sfida("--lang", "en", "play", *arguments).stdout


def test_the_locale_of_the_system_does_not(sfida, monkeypatch):
    for name in ("LANG", "LC_ALL", "LANGUAGE"):
        monkeypatch.setenv(name, "it_IT.UTF-8")
    assert "chance: tile" in sfida("play", "carcassonne", "--seat", "random", "--seat", "random", "--seed", 3).stdout


@pytest.mark.parametrize("arguments", [("--lang", "fr", "games"), ("hint", "carcassonne", "--lang", "fr")])
def test_an_unknown_language_gets_one_line(sfida, arguments):
    result = sfida(*arguments)
    assert result.exit_code == 2
    assert re.fullmatch(r"error: invalid value for '--lang': 'fr' is not one of 'en', 'it' \(see: .*\)\n",
                        result.stderr)


def test_json_and_records_are_the_same_in_every_language(sfida):
    for lang in ("en", "it"):
        sfida("--lang", lang, "play", "carcassonne", "--seat", "greedy", "--seat", "random", "--seed", 5,
              "--record", f"{lang}.jsonl")
    games = [json.loads(Path(f"{lang}.jsonl").read_text()) for lang in ("en", "it")]
    for game in games:
        for changing in ("date", "seconds", "time"):
            game.pop(changing, None)
    assert games[0]["moves"] == games[1]["moves"]
    assert games[0].keys() == games[1].keys()
    for command in (("replay", "en.jsonl"), ("hint", "en.jsonl", "--until", "40", "--agent", "ismcts:iterations=50")):
        english, italian = (re.sub(r'"seconds": ?[0-9.e-]+', "", sfida("--lang", lang, *command, "--json").stdout)
                            for lang in ("en", "it"))
        assert english == italian
        assert english


def test_commands_are_typed_in_both_languages(sfida):
    typed = "\n".join(["stato", "status", "perche", "PERCHÉ", "quit"])
    for lang, points in (("en", "0 points"), ("it", "0 punti")):
        shown = sfida("play", "carcassonne", "--lang", lang, "--seat", "human", "--seat", "greedy", "--seed", 3,
                      input=typed).output
        assert shown.count(points) >= 4


# ---- every word comes through the catalogue ------------------------------------------------------------

GAMES = ("carcassonne:river=true", "attila:players=3", "risiko:players=3", "settlers_of_zarahemla:players=3",
         "a_few_acres_of_snow")
TYPED = ("help", "? hint", "? why", "moves", "board", "tiles", "cards", "status", "log", "why 1", "undo",
         "redo", "now", "boh", "99", "resign", "1", "1", "undo", "redo", "redo", "? boh", "why 99", "rule", "rule 99.9",
         "save", "a1>b2", "draft XX", "[9]", "+9", "1", "1", "log", "save kept.jsonl", "resign", "resign")
# Words that are the same in every language: commands, agents, specs, options; notation.
PLAIN = ("sfida play replay review practice hint ismcts greedy human random seconds iterations jsonl",
         *TYPED, *NOTATION, "kept",
         *(name for game in GAMES for name in game.split(":")))
SIX = ("--seat", "random") * 6
ERRORS = (("play", "carcassonne:players=9"), ("play", "carcassonne:foo=9"), ("play", "carcassonne:"),
          ("play", "carcas"), ("play", "carcassonne", "--seat", "foo"), ("play", "carcassonne:players"),
          ("replay", "kept.jsonl", "--seat", "7"), ("review",), ("review", "--all"), ("review", "--all", "--seat", "9"),
          ("hint", "carcassonne", "--until", 3), ("hint", "carcassonne", "--agent", "random"),
          ("play", "kept.jsonl", "--seed", 3), ("why", "carcassonne", "?"), ("play", "carcassonne", *SIX))


@pytest.fixture
def marking():
    with speaking_marked() as marking:
        yield marking


def english(shown: str, *allowed: str) -> dict[str, str]:
    """Return the words that did not come through the catalogue, each with its line; paths and luck are left out."""
    lines = [re.sub(r"#\S+|/\S+", " ", line) for line in shown.splitlines()]
    return {word: line.strip()[:150] for line in lines for word in unmarked(line, (*PLAIN, *allowed))}


@pytest.mark.parametrize("game", GAMES)
def test_every_word_of_a_game_comes_through_the_catalogue(sfida, marking, game):
    others = ["--seat", "greedy"] * (make_game(game).players - 1)
    notation = library.play(game, ["random"] * make_game(game).players, seed=1).moves
    shown = sfida("--lang", "it", "play", game, "--seat", "human", *others, "--seed", 3, input="\n".join(TYPED)).output
    shown += sfida("--lang", "it", "play", game, "--tutorial", "--seat", "human", *others, "--seed", 4, "--record",
                   "game.jsonl", input="\n" + "1\n\n" * 12).output
    for command in (("replay",), ("replay", "--moves"), ("analyze", "--agent", "ismcts:iterations=50"),
                    ("hint", "--agent", "ismcts:iterations=50")):
        shown += sfida("--lang", "it", command[0], "game.jsonl", *command[1:]).output
    rules = re.compile(r"^ *[A-Z]{3}-[0-9.]+ .*$", re.MULTILINE)        # in English, as the line before them states
    assert english(rules.sub("", shown), *notation) == {}
    shown = sfida("play", game, "--seat", "human", *others, "--seed", 3, input="board\nmoves\n1\nlog").output
    assert not is_marked(shown), "nothing of one language is kept for the other"
    assert not is_marked("".join(path.read_text() for path in Path().rglob("*.jsonl")))


def test_every_word_of_a_review_and_of_practice_comes_through_the_catalogue(sfida, marking):
    shown = ""
    for seed in range(3):
        shown += sfida("--lang", "it", "play", "tic_tac_toe", "--seat", "human", "--seat", "greedy", "--seed", seed,
                       "--record", "game.jsonl", input="1\n" * 9).output
    shown += sfida("--lang", "it", "review", "game.jsonl", "--moves", "--depth", "fast", "--html", "r.html").output
    shown += sfida("--lang", "it", "review", "--all").output
    shown += sfida("--lang", "it", "practice", "--depth", "fast",
                   input="1\n\nhint\nwhy 1\nsolution\n\nskip\nquit\n").output
    assert english(shown, "fast html solution skip tic tac toe") == {}
    page = re.sub("<head>.*?</head>", "", Path("r.html").read_text(), flags=re.DOTALL)
    assert unmarked(page, ("fast tic tac toe", *PLAIN)) == []


def test_every_word_of_a_refusal_comes_through_the_catalogue(sfida, marking):
    sfida("play", "carcassonne", "--seat", "human", "--seat", "random", input="1\nsave kept.jsonl\nquit\n")
    for words in ERRORS:
        refused = sfida("--lang", "it", *words)
        assert refused.exit_code, words
        assert english(refused.stderr, *map(str, words), "river players uturn", *_options_and_names()) == {}, words


def _options_and_names() -> list[str]:
    return [*agent_names(), *game_names(), *(option["key"] for option in describe_game("carcassonne")["options"]),
            "openspiel RECORD GAME --help --lang --all --seat --until --level"]
