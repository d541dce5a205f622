"""A table speaks to each page in its own language."""

from __future__ import annotations

import pytest

from sfida.ai.agent import RandomAgent
from support.served import Seat, Served

ITALIAN = {"X-Sfida-Language": "it"}


def scene(seat: Seat, **headers: str) -> dict:
    answer = seat.client.get(f"{seat.base}/scene", headers=headers)
    assert answer.status_code == 200
    return answer.json()


def test_two_pages_of_a_table_have_two_languages(served: Served) -> None:
    host = served.host("carcassonne", "human", "human", seed="5")
    host.play("1")
    english, italian = scene(host), scene(host, **ITALIAN)
    assert english["version"] == italian["version"]
    assert [move["text"] for move in english["decision"]["moves"]] == [
        move["text"] for move in italian["decision"]["moves"]]
    said = [(move["words"], other["words"]) for move, other in zip(
        english["decision"]["moves"], italian["decision"]["moves"], strict=True)]
    assert ("no follower", "nessun seguace") in said
    assert english["question"] != italian["question"]
    for one, other in zip(english["events"], italian["events"], strict=True):
        assert one["text"] == other["text"]
        assert one["words"] != other["words"]
    assert "<title>" not in english["board"] or english["board"] != italian["board"]
    assert [seat["color"] for seat in english["seats"]] == [seat["color"] for seat in italian["seats"]]
    assert [seat["name"] for seat in english["seats"]] != [seat["name"] for seat in italian["seats"]]
    assert scene(host) == english                                   # no text of the other language is cached


def test_refusals_are_in_the_language_of_the_page(served: Served) -> None:
    host = served.host("carcassonne", "human", "greedy", seed="5")
    answer = host.client.post(f"{host.base}/undo", json={"version": host.scene()["version"]}, headers=ITALIAN)
    assert answer.status_code == 400
    assert answer.json()["error"] == "non c'è nessuna tua decisione da ritirare"


@pytest.mark.parametrize(("headers", "lang"), [
    ({"Accept-Language": "it-IT,it;q=0.9"}, "it"), ({"Accept-Language": "de"}, "en"),
    ({"Accept-Language": "it", "X-Sfida-Language": "en"}, "en"), ({"X-Sfida-Language": "xx"}, "en")])
def test_what_the_page_has_chosen_goes_before_the_browser(served: Served, headers: dict[str, str], lang: str) -> None:
    host = served.host("tic_tac_toe", "human", "human")
    assert host.client.get("/api/words", headers=headers).json()["language"] == lang


def test_the_start_page_explains_every_option_in_italian(served: Served) -> None:
    english, italian = (served.client.get("/api/home", headers=headers).json()["games"] for headers in ({}, ITALIAN))
    for one, other in zip(english, italian, strict=True):
        if one["example"]:
            continue
        for option, said in zip(one["options"], other["options"], strict=True):
            assert option["key"] == said["key"]
            assert option["doc"] != said["doc"], (one["name"], option["key"])
            assert "unset" not in option or option["unset"] != said["unset"], (one["name"], option["key"])


def test_each_reader_is_told_why_a_game_does_not_go_on(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    def lost(_self: RandomAgent, _view: object) -> int:
        raise RuntimeError("lost the thread")

    monkeypatch.setattr(RandomAgent, "choose", lost)
    host = served.host("tic_tac_toe", "random", "human")
    host.until(lambda scene: scene["trouble"])
    assert scene(host)["trouble"] == "random cannot continue: lost the thread"
    assert scene(host, **ITALIAN)["trouble"] == "random non può continuare: lost the thread"


@pytest.mark.parametrize(("path", "status", "said"), [
    ("/api/table/nowhere/scene", 404, "questo link non porta da nessuna parte; chiedine uno nuovo"),
    ("/nowhere", 404, "questa pagina non esiste"),
    ("/api/home?lang=it", 403, "questa pagina è per chi ha avviato il server: apri l'indirizzo che 'sfida serve' ha "
                               "stampato")])
def test_pages_that_are_refused_say_so_in_the_language_of_the_page(served: Served, path: str, status: int,
                                                                   said: str) -> None:
    answer = served.guest().get(path, headers=ITALIAN)
    assert (answer.status_code, answer.json()["error"]) == (status, said)


def test_what_the_guard_refuses_is_in_the_language_of_the_page(served: Served) -> None:
    answer = served.client.post("/api/tables", content="x", headers=ITALIAN)
    assert answer.status_code == 415
    assert answer.json()["error"] == "il contenuto di una richiesta deve essere application/json"


@pytest.mark.parametrize(("body", "said"), [
    ({"game": "carcassonne:players=9", "seats": []},
     "l'opzione 'players' (gioco 'carcassonne') deve essere un numero intero da 2 a 5, non '9'"),
    ({"game": "carcassonne", "seats": ["human", "nobody"]}, "agente sconosciuto: 'nobody'"),
    ({"game": "carcassonne", "seats": ["human", "greedy"], "invited": [1]},
     "solo il posto di una persona si può lasciare a chi è invitato")])
def test_tables_that_cannot_be_opened_are_refused_in_the_language_of_the_page(
        served: Served, body: dict[str, object], said: str) -> None:
    answer = served.client.post("/api/tables", json=body, headers=ITALIAN)
    assert answer.status_code == 400
    assert answer.json()["error"].startswith(said)


def test_rules_say_that_they_are_in_english(served: Served) -> None:
    host = served.host("carcassonne", "human", "greedy")
    italian = host.client.get(f"{host.base}/rule?find=5.3", headers=ITALIAN).json()
    assert (italian["note"], italian["language"]) == ("Le regole clausola per clausola sono in inglese.", "en")
    assert host.get("rule?find=5.3") == {**italian, "note": ""}
    refused = host.client.get(f"{host.base}/rule?find=99.9", headers=ITALIAN).json()
    assert refused["error"].startswith("nessuna regola")
