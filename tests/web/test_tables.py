"""Games at the tables of a server, as their pages play them."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from sfida.ai.agent import RandomAgent
from sfida.ai.archive import kept_games
from sfida.ai.levels.person_rating import remembered
from sfida.engines.records import GameRecord
from sfida.web.serving import Server
from support.served import Seat, Served, bound, serving


@pytest.mark.parametrize(("game", "seats"), [
    ("tic_tac_toe", 2), ("kuhn_poker", 2), ("leduc_poker", 2), ("goofspiel", 2), ("phantom_tic_tac_toe", 2),
    ("risiko:players=3,round_limit=1", 3), ("a_few_acres_of_snow:max_turns=4", 2),
    ("settlers_of_zarahemla:board=figures,trade_mode=none,victory_points=4", 2)])
def test_a_game_is_played_to_its_end(served: Served, game: str, seats: int) -> None:
    host = served.host(game, "human", *["random"] * (seats - 1), seed="11")
    end = host.play_on(choose=lambda moves, number: 7 * number)
    assert end["over"]
    assert end["decision"] is None
    assert sum(end["result"]["utilities"]) == pytest.approx(1.0)
    assert len(end["result"]["explained"]) >= 1
    record = GameRecord.from_json_line(host.get("record"))
    record.replay()
    assert record.result is not None
    assert list(record.result.utilities) == end["result"]["utilities"]
    assert len(list(kept_games())) == 1


def test_the_game_of_a_seed_is_that_of_the_terminal(served: Served) -> None:
    from sfida.ai.table import play

    host = served.host("tic_tac_toe", "greedy", "random", seed="5")
    host.turn()
    record = GameRecord.from_json_line(host.get("record"))
    assert record.moves == play("tic_tac_toe", ["greedy", "random"], 5).moves


def test_moves_are_labels_notation_words_or_whole_turns(served: Served) -> None:
    host = served.host("tic_tac_toe", "human", "human")
    host.play("5")
    host.play("a1")
    assert [event["text"] for event in host.scene()["events"]] == ["b2", "a1"]
    whole = served.host("settlers_of_zarahemla:board=figures", "human", "human", seed="3")
    scene = whole.turn()
    before = len(scene["events"])
    typed = scene["decision"]["moves"][0]["text"]
    whole.play(typed)
    assert len(whole.scene()["events"]) > before


def test_a_stale_move_is_refused_and_changes_nothing(served: Served) -> None:
    host = served.host("tic_tac_toe", "human", "human")
    version = host.scene()["version"]
    host.post("play", {"version": version, "move": "b2"})
    error = host.post("play", {"version": version, "move": "a1"}, 409)["error"]
    assert "moved on" in error
    assert len(host.scene()["events"]) == 1


def test_nobody_moves_for_another_seat(served: Served) -> None:
    table = served.table("tic_tac_toe", "human", "human", invited=[1])
    host, friend = table["host"], table["seats"][1]
    version = friend.scene()["version"]
    for seat in (friend, table["watch"]):
        assert seat.scene()["decision"] is None
        assert seat.post("play", {"version": version, "move": "b2"}, 403)["error"]
    assert host.scene()["mine"] == [0]
    assert friend.scene()["mine"] == [1]
    assert table["watch"].scene()["viewer"] is None
    friend.get("scene?seat=0", 403)
    host.play("b2")
    host.post("play", {"version": host.scene()["version"], "move": "a1"}, 403)
    friend.play("a1")
    assert host.scene()["to_move"] == 0


def test_illegal_and_unreadable_moves_say_what_is_wrong(served: Served) -> None:
    host = served.host("tic_tac_toe", "human", "human")
    for move in ("z9", "", "99999", "b2 b2", "\x1b[31m", "b" * 5000):
        assert 0 < len(host.play(move, 400)["error"]) < 600
    for body in ({}, {"version": "x", "move": "b2"}, {"version": 1.5, "move": "b2"}, {"version": True, "move": "b2"},
                 {"version": host.scene()["version"]}, {"version": host.scene()["version"], "move": 5}):
        assert host.post("play", body, 400)["error"]
    assert host.scene()["events"] == []


def test_one_device_may_hold_several_seats(served: Served) -> None:
    host = served.host("kuhn_poker", "human", "human", seed="1")
    scene = host.turn()
    assert (scene["mine"], scene["viewer"], scene["to_move"]) == ([0, 1], 0, 0)
    assert host.scene(1)["viewer"] == 1
    assert host.scene(1)["decision"] is None
    host.play_on(1)
    assert host.scene()["viewer"] == 1


def test_undo_and_redo(served: Served) -> None:
    host = served.host("tic_tac_toe", "human", "greedy", seed="1")
    assert not host.turn()["can"]["undo"]
    assert host.post("undo", {"version": host.scene()["version"]}, 400)["error"]
    host.play("b2")
    scene = host.turn()
    played = [event["text"] for event in scene["events"]]
    assert scene["can"]["undo"]
    host.post("undo", {"version": scene["version"]})
    scene = host.turn()
    assert (scene["events"], scene["can"]["redo"]) == ([], True)
    host.post("redo", {"version": scene["version"]})
    assert [event["text"] for event in host.turn()["events"]] == played
    host.post("undo", {"version": host.scene()["version"]})
    host.play("a1")
    assert not host.turn()["can"]["redo"]
    host.post("redo", {"version": host.scene()["version"]}, 400)


def test_a_thinking_agent_is_stopped_by_undo(served: Served) -> None:
    host = served.host("carcassonne", "human", "ismcts:seconds=60", seed="1")
    host.turn()
    scene = host.scene()
    host.play(scene["decision"]["moves"][0]["label"])
    while host.scene()["to_move"] == 0:             # the follower
        host.play_on(1)
    host.until(lambda scene: scene["thinking"] is not None)
    started = time.monotonic()
    host.post("undo", {"version": host.scene()["version"]})
    assert time.monotonic() - started < 30
    assert host.turn()["to_move"] == 0


def test_hurry_ends_a_search(served: Served) -> None:
    table = served.table("tic_tac_toe", "human", "ismcts:seconds=60,endgame=0")
    host = table["host"]
    host.post("hurry", status=400)
    host.play("b2")
    host.until(lambda scene: scene["thinking"] is not None and scene["thinking"]["iterations"])
    table["watch"].post("hurry", status=403)
    host.post("hurry")
    assert len(host.turn()["events"]) == 2


def test_a_game_is_given_up(served: Served) -> None:
    host = served.host("tic_tac_toe", "human", "level:2")
    host.play("b2")
    host.turn()
    host.post("resign", {"version": host.scene()["version"]})
    scene = host.scene()
    assert scene["over"]
    assert scene["result"]["utilities"] == [0.0, 1.0]
    assert scene["result"]["reason"] == "resign"
    games, _ = remembered()
    assert [(game.level, game.share) for game in games] == [(2.0, 0.0)]
    (record,) = kept_games()
    assert isinstance(record, GameRecord)
    assert record.extra["ended"] == "resign"


def test_results_against_levels_count_only_for_the_host_alone(served: Served) -> None:
    served.host("tic_tac_toe", "human", "level:3", seed="2").play_on()
    assert [game.level for game in remembered()[0]] == [3.0]
    table = served.table("tic_tac_toe", "human", "level:3", invited=[0], seed="2")
    table["seats"][0].play_on()
    host = served.host("tic_tac_toe", "human", "level:3", seed="2")
    host.post("seat", {"seat": 0, "agent": "random"})
    host.until(lambda scene: scene["over"])
    assert len(remembered()[0]) == 1


def test_a_game_counts_unless_more_was_seen_than_taken_back(served: Served) -> None:
    host = served.host("tic_tac_toe", "human", "level:3", seed="2")
    host.play("b2")
    assert host.turn()["note"] == ""
    host.post("undo", {"version": host.turn()["version"]})
    assert "does not count for your level" in host.turn()["note"]
    host.post("redo", {"version": host.turn()["version"]})
    assert "does not count for your level" in host.turn()["note"]
    assert "unrated" in host.get("record")
    host.play_on()
    assert remembered()[0] == []
    host = served.host("carcassonne", "human", "level:1", seed="4")
    host.play(host.turn()["decision"]["moves"][0]["label"])
    assert host.scene()["to_move"] == 0, "a follower may be placed"
    host.post("undo", {"version": host.scene()["version"]})
    assert host.turn()["note"] == ""
    host.post("resign", {"version": host.turn()["version"]})
    assert [game.share for game in remembered()[0]] == [0.0]


def test_a_result_counts_once_however_often_its_record_goes_on(served: Served) -> None:
    host = served.host("tic_tac_toe", "human", "level:3", seed="2")
    host.play("b2")
    host.turn()
    record = host.get("record")
    host.play_on()
    for _ in range(2):
        host = served.host("", record=record)
        host.play_on()
    assert len(remembered()[0]) == 1
    assert len(list(kept_games())) == 1


def test_level_auto_follows_the_person(served: Served) -> None:
    host = served.host("tic_tac_toe", "human", "level:auto")
    assert host.scene()["seats"][1]["agent"] == "level:4"


def test_luck_is_typed_in_at_a_real_table(served: Served) -> None:
    host = served.host("kuhn_poker", "human", "random", typed_luck=True)
    scene = host.scene()
    assert (scene["to_move"], scene["typed_luck"]) == (-1, True)
    deal = scene["decision"]["moves"]
    assert len(deal) == 3
    host.play(deal[1]["text"])
    while (scene := host.scene())["to_move"] == -1:
        host.play(scene["decision"]["moves"][0]["text"])
    assert scene["decision"]["moves"]
    refused = served.post_table(game="kuhn_poker", seats=["human", "human"], typed_luck=True, invited=[1])
    assert refused.status_code == 400


def test_a_seat_is_taken_over_and_taken_back(served: Served) -> None:
    table = served.table("carcassonne", "human", "human", invited=[1], seed="4")
    host, friend = table["host"], table["seats"][1]
    while host.turn()["to_move"] == 0 and host.scene()["decision"]:
        host.play_on(1)
        if host.scene()["to_move"] == 1:
            break
    assert not host.scene()["seats"][1]["present"]
    table["watch"].post("seat", {"seat": 1, "agent": "random"}, 403)
    friend.post("seat", {"seat": 0, "agent": "random"}, 403)
    host.post("seat", {"seat": 1, "agent": "nonsense"}, 400)
    host.post("seat", {"seat": 1, "agent": "random"})
    scene = host.until(lambda scene: scene["to_move"] == 0)
    assert scene["seats"][1]["agent"] == "random"
    assert not scene["seats"][1]["person"]
    assert any(event["seat"] == 1 for event in scene["events"])
    friend.post("seat", {"seat": 1, "agent": "ismcts:seconds=1000"}, 403)
    friend.post("seat", {"seat": 1, "agent": "human"})
    while host.scene()["to_move"] == 0:
        host.play_on(1)
    assert friend.turn()["decision"]["moves"]


def test_somebody_who_is_present_is_not_replaced_by_the_host(served: Served) -> None:
    table = served.table("tic_tac_toe", "human", "human", invited=[1])
    host, friend = table["host"], table["seats"][1]
    with friend.client.stream("GET", f"{friend.base}/stream") as stream:
        lines = stream.iter_lines()
        next(lines)
        assert host.scene()["seats"][1]["present"]
        host.post("seat", {"seat": 1, "agent": "random"}, 409)
        friend.post("seat", {"seat": 1, "agent": "level:1"})


def test_among_friends_only_what_nothing_has_followed_is_taken_back(served: Served) -> None:
    table = served.table("tic_tac_toe", "human", "human", invited=[1])
    host, friend = table["host"], table["seats"][1]
    host.play("b2")
    assert host.scene()["can"]["undo"]
    assert not friend.scene()["can"]["undo"]
    friend.post("undo", {"version": friend.scene()["version"]}, 403)
    friend.play("a1")
    assert not host.scene()["can"]["undo"]
    host.post("undo", {"version": host.scene()["version"]}, 403)
    friend.post("undo", {"version": friend.scene()["version"]})
    assert friend.scene()["to_move"] == 1


def test_a_game_left_at_the_terminal_goes_on(served: Served) -> None:
    from sfida.ai.archive import Autosave
    from sfida.ai.table import Table, take_seats
    from sfida.engines.registry import make_game

    game = make_game("tic_tac_toe")
    table = Table(game, take_seats(game, ["human", "greedy"]), 3)
    table.begin()
    table.play(table.state.parse("b2"))
    Autosave("tic_tac_toe").write(table)
    (kept,) = served.client.get("/api/home").json()["kept"]
    assert (kept["game"], kept["moves"], kept["seats"]) == ("tic_tac_toe", 1, ["human", "greedy"])
    host = served.host("", kept=kept["id"])
    assert [event["text"] for event in host.turn()["events"]][:1] == ["b2"]
    home = served.client.get("/api/home").json()
    assert home["kept"] == []
    assert [each["link"] for each in home["tables"]] == [host.address]
    assert served.post_table(kept=kept["id"]).status_code == 404


def test_a_record_that_is_over_is_looked_at(served: Served) -> None:
    played = served.host("risiko:players=3,round_limit=1", "human", "random", "random", seed="3")
    end = played.play_on(choose=lambda moves, number: number)
    line = played.get("record")
    table = served.table("", record=line)
    again = table["host"].scene()
    assert again["over"]
    assert again["result"]["utilities"] == end["result"]["utilities"]
    assert again["result"]["explained"] == end["result"]["explained"]
    plies = len(json.loads(line)["moves"])
    assert "<svg" in table["host"].get(f"board?ply={plies}")["board"]
    assert "<svg" in table["host"].get("board?ply=0")["board"]
    table["host"].get(f"board?ply={plies + 1}", 404)
    table["host"].get("board?ply=-1", 400)
    assert len(list(kept_games())) == 1             # it was played once


def test_an_unfinished_record_goes_on(served: Served) -> None:
    host = served.host("tic_tac_toe", "human", "greedy", seed="3")
    host.play("b2")
    host.turn()
    other = served.host("", record=host.get("record"))
    assert len(other.turn()["events"]) == 2
    other.play_on()


@pytest.mark.parametrize("text", ["", "{", "[]", '{"schema":1}', "null", "hello",
                                  '{"schema":1,"type":"game","game":"x","rules_version":1,"moves":[]}'])
def test_what_is_no_record_is_refused(served: Served, text: str) -> None:
    answer = served.post_table(record=text)
    assert answer.status_code == 400
    assert answer.json()["error"]


def test_only_links_with_all_seats_of_people_have_the_record_of_secrets(served: Served) -> None:
    table = served.table("kuhn_poker", "human", "human", invited=[1], seed="1")
    table["host"].get("record", 403)
    table["seats"][1].get("record", 403)
    table["watch"].get("record", 403)
    served.host("kuhn_poker", "human", "random").get("record")


def test_the_only_move_plays_itself_after_a_pause_where_it_is_secret(served: Served) -> None:
    host = served.host("goofspiel", "human", "human", seed="1")
    end = host.play_on()
    forced = [event for event in end["events"] if event.get("forced")]
    assert end["over"]
    assert forced                                   # the last card of each hand


def test_foreign_code_needs_consent_at_the_command_line(served: Served) -> None:
    for body in ({"game": "tic_tac_toe", "seats": ["human", "exec:touch broken"]},
                 {"record": json.dumps({"schema": 1, "type": "game", "game": "tic_tac_toe", "rules_version": 1,
                                        "seats": ["human", "exec:touch broken"], "moves": ["b2"], "result": None})}):
        answer = served.post_table(**body)
        assert answer.status_code == 403
        assert "--trust-agents" in answer.json()["error"]
    host = served.host("tic_tac_toe", "human", "human")
    assert "--trust-agents" in host.post("seat", {"seat": 0, "agent": "exec:touch broken"}, 403)["error"]
    assert not Path("broken").exists()


def test_who_agreed_may_seat_a_program() -> None:
    with serving(trusts=True) as served:
        answer = served.post_table(game="tic_tac_toe", seats=["human", "exec:touch broken"])
        assert answer.status_code == 400            # it ran, but is not a playing program
        assert Path("broken").exists()


def test_where_an_agent_cannot_go_on_somebody_else_can(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> int:
        raise RuntimeError("lost the thread")

    host = served.host("tic_tac_toe", "human", "random")
    with monkeypatch.context() as broken:
        broken.setattr(RandomAgent, "choose", fail)
        host.play("b2")
        scene = host.until(lambda scene: scene["trouble"])
        assert scene["trouble"] == "random cannot continue: lost the thread"
        assert scene["thinking"] is None
        host.post("undo", {"version": scene["version"]})
        host.play("a1")
        host.until(lambda scene: scene["trouble"])
        host.post("seat", {"seat": 1, "agent": "greedy"})
        assert host.turn()["trouble"] == ""


@pytest.mark.parametrize("body", [
    {}, {"game": "nonsense", "seats": ["human"]}, {"game": "tic_tac_toe", "seats": ["human"]},
    {"game": "tic_tac_toe", "seats": "human"}, {"game": "tic_tac_toe", "seats": ["human", 5]},
    {"game": "tic_tac_toe", "seats": ["human", "human"], "invited": [2]},
    {"game": "tic_tac_toe", "seats": ["human", "random"], "invited": [1]},
    {"game": "tic_tac_toe", "seats": ["human", "random"], "seed": "-1"},
    {"game": "tic_tac_toe", "seats": ["human", "random"], "seed": "9" * 39},
    {"game": "tic_tac_toe:size=9", "seats": ["human", "random"]},
    {"game": "attila:map=/etc/passwd", "seats": ["human", "random"]},
    {"kept": "../../etc/passwd"}])
def test_a_table_that_cannot_be_opened_says_why(served: Served, body: dict[str, object]) -> None:
    answer = served.post_table(**body)
    assert answer.status_code in (400, 404)
    assert 0 < len(answer.json()["error"]) < 500
    assert served.client.get("/api/home").json()["tables"] == []


@pytest.mark.parametrize("fresh", [False, True])
def test_a_finished_game_is_played_on_from_the_middle(served: Served, fresh: bool) -> None:
    table = served.table("carcassonne", "human", "greedy", seed="5")
    table["host"].play_on()
    whole = json.loads(table["host"].get("record"))["moves"]
    assert table["host"].scene()["can"]["branch"]
    assert not table["watch"].scene()["can"]["branch"]
    table["watch"].post("branch", {"ply": 40}, 403)
    opened = table["host"].post("branch", {"ply": 40, "fresh": fresh})
    other = Seat(table["host"].client, opened["play"])
    start = json.loads(other.get("record"))
    assert start["moves"][:40] == whole[:40]
    assert start["unrated"] is True
    other.play_on(3)
    assert other.scene()["version"]
    assert "is over after move" in table["host"].post("branch", {"ply": len(whole)}, 400)["error"]
    assert "no position after move" in table["host"].post("branch", {"ply": 10_000}, 400)["error"]
    table["host"].post("branch", {"ply": -1}, 400)


def test_only_a_finished_game_is_played_on(served: Served) -> None:
    host = served.host("tic_tac_toe", "human", "random", seed="2")
    assert not host.scene()["can"]["branch"]
    assert "not over" in host.post("branch", {"ply": 0}, 400)["error"]


def test_somebody_takes_a_seat_of_agents(served: Served) -> None:
    host = served.host("tic_tac_toe", "random", "random", seed="2")
    host.until(lambda scene: scene["over"])
    other = Seat(host.client, host.post("branch", {"ply": 1})["play"])
    assert other.turn()["mine"] == [1]


# ---- invitations ------------------------------------------------------------------------------------


def test_a_shared_server_knows_an_address_that_others_reach(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sfida.web.serving.own_addresses", lambda: ["192.168.1.17"])
    for share, known in ((True, "http://192.168.1.17"), (False, None)):
        with bound() as listening:
            server = Server(listening, share=share)
            assert server.lobby.address == (known and f"{known}:{server.port}")
            server.lobby.close()


def test_a_guest_seats_a_level_with_a_character_and_nothing_else(served: Served) -> None:
    table = served.table("carcassonne", "human", "human", invited=[1], seed="5")
    guest = table["seats"][1]
    for refused in ("level:iterations=9/farmer", "level:3/far mer", "greedy"):
        guest.post("seat", {"seat": 1, "agent": refused}, 403)
    told = guest.post("seat", {"seat": 1, "agent": "level:3/raider"}, 400)["error"]
    assert "it has builder, farmer, carter, miser" in told
    guest.post("seat", {"seat": 1, "agent": "level:3.5/farmer"})
    assert table["host"].scene()["seats"][1]["agent"] == "level:3.5/farmer"
