"""The program in Italian: no English on the screen, the same JSON and records, commands in both languages."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from sfida.engines.language import language
from support.crawling import english_in
from support.newcomer import drawn
from support.terminal import Terminal

PROMPT = r"(?:^|\n)\w+> $|Invio[^\n]*: $"
THE_END = "── fine ──"
ASKED = ("aiuto", "? consiglio", "stato", "mosse", "tessere", "cronaca", "carte", "consiglio", "perché 1", "perché",
         "annulla", "ripeti", "adesso", "boh", "99", "stato ora", "? boh", "0,0", "cavaliere nord", "abbandona",
         "tabellone")


def played(state: Path) -> str:
    """Return all that a game of Carcassonne shows to somebody who asks for everything, then plays the first moves."""
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
    for words in ("tocca a Rosso", "segnati durante la partita", "tessere paesaggio in pila", "Piazzare una tessera",
                  "parte di vittoria prevista", "fortuna:", "errore:"):
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
