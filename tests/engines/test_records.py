"""Records: written records are read back and replayed, and any damage is reported in one line."""

import contextlib
import dataclasses
import gzip
import json
import multiprocessing
import os
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import sfida
from sfida.cython_ext.errors import InvalidRecord
from sfida.engines.records import GameRecord, GameResult, append_record, read_record, read_records, write_records
from support.damage import damage_json

pytestmark = pytest.mark.release_only("reading and writing of text")

GAMES = ["tic_tac_toe", "kuhn_poker", "leduc_poker", "goofspiel", "phantom_tic_tac_toe",
         "carcassonne:players=3,river=true"]


@pytest.fixture(scope="module")
def leduc() -> GameRecord:
    """Return a finished game with three chance events: deals at 0 and 1, the shared card at 4."""
    record = next(record for record in (sfida.play("leduc_poker", ["random"] * 2, seed=s) for s in range(20))
                  if record.chance == (0, 1, 4))
    assert record.result is not None
    return record


def damaged(record: GameRecord, **changes: object) -> GameRecord:
    return GameRecord.from_json_line(json.dumps({**record.to_json(), **changes}), where="x.jsonl, line 3")


def error_of(record: GameRecord, **changes: object) -> str:
    with pytest.raises(InvalidRecord) as caught:
        damaged(record, **changes).replay()
    message = str(caught.value)
    assert "\n" not in message
    assert message.startswith("x.jsonl, line 3: ")
    return message.removeprefix("x.jsonl, line 3: ")


@pytest.mark.parametrize("game", GAMES)
def test_a_played_game_replays_from_its_line(game):
    record = sfida.play(game, ["random"] * sfida.make(game).players, seed=11)
    back = GameRecord.from_json_line(record.to_json_line())
    assert back == record
    state = back.replay()
    assert GameResult.of(state) == record.result
    assert back.replay(until=0) == sfida.make(game)
    half = back.replay(until=len(record.moves) // 2)
    for text in record.moves[len(record.moves) // 2:]:
        half.apply(half.parse(text))
    assert half == state


def test_the_line_has_the_documented_fields(leduc):
    line = leduc.to_json_line()
    assert "\n" not in line
    data = json.loads(line)
    assert list(data) == ["schema", "type", "game", "rules_version", "sfida", "seats", "seed", "moves",
                          "chance", "result"]
    assert data["schema"] == 1
    assert data["type"] == "game"
    assert data["game"] == "leduc_poker"
    assert data["sfida"] == sfida.__version__
    assert data["seats"] == ["random", "random"]
    assert data["chance"] == [0, 1, 4]
    assert set(data["result"]) == {"utilities", "scores", "ranks"}


def test_an_unfinished_game_has_no_result(leduc):
    data = {**leduc.to_json(), "moves": list(leduc.moves[:3]), "chance": [0, 1], "result": None}
    record = GameRecord.from_json(data)
    assert record.result is None
    assert not record.replay().is_over
    assert json.loads(record.to_json_line())["result"] is None


def test_plain_records_without_optional_fields_replay(leduc):
    plain = {"schema": 1, "type": "game", "game": "leduc_poker", "rules_version": leduc.rules_version,
             "moves": list(leduc.moves)}
    record = GameRecord.from_json_line(json.dumps(plain))
    assert record.chance is None
    assert record.replay().is_over
    assert "chance" not in record.to_json()


def test_unknown_fields_are_kept(leduc):
    record = damaged(leduc, note="Zürich", clock={"a": [1, 2.5, None]})
    assert record.extra == {"note": "Zürich", "clock": {"a": [1, 2.5, None]}}
    assert json.loads(record.to_json_line())["clock"] == {"a": [1, 2.5, None]}
    assert record.replay().is_over


def test_another_rules_version_is_refused_clearly(leduc):
    assert error_of(leduc, rules_version=99) == (
        "played by rules version 99 of 'leduc_poker'; this program plays version "
        f"{leduc.rules_version}, so it cannot be replayed")


def test_tampered_moves_are_named(leduc):
    moves = list(leduc.moves)
    assert error_of(leduc, moves=[*moves[:2], "castle", *moves[3:]]).startswith("move 3 'castle': ")
    assert error_of(leduc, moves=[*moves, "call"]) == (
        f"move {len(moves) + 1} 'call': the game is over after {len(moves)} moves")
    assert "the game is not over after 2 moves" in error_of(leduc, moves=moves[:2], chance=[0, 1])


def test_chance_indices_are_checked(leduc):
    assert "move 3 'call': 'chance' lists index 2, but seat 0 is to move" in error_of(
        leduc, chance=[0, 1, 2, 4], moves=[*leduc.moves[:2], "call", *leduc.moves[3:]])
    assert "a chance event comes here, but 'chance' does not list index 4" in error_of(leduc, chance=[0, 1])
    assert "ascending order" in error_of(leduc, chance=[1, 0, 4])
    assert "must list indices of moves, from 0 to" in error_of(leduc, chance=[0, 1, 4, 99])


@pytest.mark.parametrize("key", ["utilities", "scores", "ranks"])
def test_a_tampered_result_is_named(leduc, key):
    result = leduc.result.to_json()
    wrong = result[key][::-1]
    assert error_of(leduc, result={**result, key: wrong}).startswith(
        f"the result does not fit the moves: '{key}' is {wrong} in the record, but the game gives ")
    three = {"utilities": [*result["utilities"], 0], "scores": [*result["scores"], 1], "ranks": [*result["ranks"], 3]}
    assert error_of(leduc, result=three).startswith("the result does not fit the moves")


@pytest.mark.parametrize(("changes", "message"), [
    ({"schema": 2}, "record format 2 is not one that this program reads (it reads 1)"),
    ({"schema": None}, "the field 'schema' is missing"),
    ({"type": "move"}, "'type' must be 'game', not 'move': this is not the record of a game"),
    ({"game": 5}, "'game' must be a text, not a whole number (5)"),
    ({"game": "lepuc_poker"}, "unknown game 'lepuc_poker'; did you mean 'leduc_poker'?"),
    ({"game": "leduc_poker:playrs=2"}, "unknown option 'playrs' of game 'leduc_poker'; did you"),
    ({"moves": "call"}, "'moves' must be a list, not a text ('call')"),
    ({"moves": ["call", 3]}, "entry 2 of 'moves' must be a text, not a whole number (3)"),
    ({"chance": [True]}, "entry 1 of 'chance' must be a whole number, not true"),
    ({"seed": "seven"}, "'seed' must be a whole number, not a text ('seven')"),
    ({"seats": ["random"]}, "'seats' names 1, but 'leduc_poker' has 2"),
    ({"rules_version": True}, "'rules_version' must be a whole number, not true"),
    ({"result": [1, 0]}, "'result' must be an object, not a list"),
    ({"result": {"utilities": [1, 0], "scores": [1, 0]}}, "the field 'ranks' is missing"),
    ({"result": {"utilities": [1, 0], "scores": [1, 0], "ranks": [1]}}, "'utilities', 'scores' and"),
])
def test_wrong_fields_are_named(leduc, changes, message):
    assert error_of(leduc, **changes).startswith(message)


HUGE = 10**400


@pytest.mark.parametrize(("changes", "message"), [
    ({"schema": HUGE}, "'schema' holds a whole number beyond 2**128 - 1"),
    ({"rules_version": HUGE}, "'rules_version' holds a whole number beyond 2**128 - 1"),
    ({"seed": HUGE}, "'seed' holds a whole number beyond 2**128 - 1"),
    ({"chance": [0, HUGE]}, "'chance' holds a whole number beyond 2**128 - 1"),
    ({"result": {"utilities": [1, 0], "scores": [HUGE, 0], "ranks": [1, 2]}}, "'result' holds a whole number beyond"),
    ({"result": {"utilities": [1, 0], "scores": [0, 0], "ranks": [1, -HUGE]}}, "'result' holds a whole number beyond"),
    ({"note": [{"deep": HUGE}]}, "'note' holds a whole number beyond 2**128 - 1"),
    ({"seed": -1}, "'seed' must be a whole number from 0 to "),
    ({"rules_version": -1}, "'rules_version' must be a whole number from 0 to "),
    ({"seats": ["random"] * 7}, "'seats' must have at most 6 entries, not 7"),
    ({"seats": ["random", "a\ud800"]}, "'seats' must be valid text, which '\\ud800' is no part of"),
    ({"moves": ["a\0b"]}, "'moves' must be valid text, which '\\x00' is no part of"),
    ({"game": "\udfff"}, "'game' must be valid text"),
    ({"\ud800": 1}, "a key of the record must be valid text"),
    ({"note": {"\ud800": 1}}, "a key of 'note' must be valid text"),
    ({"result": {"utilities": [1.5, -0.5], "scores": [1, 0], "ranks": [1, 2]}},
     "entry 1 of 'utilities' must be a number from 0 to 1, not 1.5"),
    ({"result": {"utilities": [0.75, 0.75], "scores": [1, 0], "ranks": [1, 2]}},
     "'utilities' are shares of one win and must sum to 1, not to 1.5"),
    ({"result": {"utilities": [1, 0], "scores": [2e9, 0], "ranks": [1, 2]}}, "entry 1 of 'scores' must be a number"),
    ({"result": {"utilities": [1, 0], "scores": [0, 0], "ranks": [1, 3]}}, "'ranks' of 2 seats begin with 1 and end"),
    ({"result": {"utilities": [1, 0], "scores": [0, 0], "ranks": [2, 2]}}, "'ranks' of 2 seats begin with 1 and end"),
    ({"result": {"utilities": [], "scores": [], "ranks": []}}, "'utilities' must have from 1 to 6 entries, not 0"),
    ({"forfeit": True}, "'forfeit' must be an object, not true"),
    ({"forfeit": {"seat": 6, "reason": "gone"}}, "'seat' must be a whole number from 0 to 5, not 6"),
    ({"forfeit": {"seat": 5, "reason": "gone"}}, "there is no seat 5 to forfeit: the seats are 0 to 1"),
    ({"forfeit": {"seat": 1, "reason": None}}, "the field 'reason' is missing"),
])
def test_what_no_game_has_is_refused(leduc, changes, message):
    assert error_of(leduc, **changes).startswith(message)


def test_numbers_without_an_end_and_data_without_a_floor_are_refused(leduc):
    line = leduc.to_json_line()
    for more, message in (('"note": 1e999', "'note' holds a number that is not finite"),
                          ('"note": [-1e999]', "'note' holds a number that is not finite"),
                          ('"note": ' + "[" * 40 + "]" * 40, "'note' is nested too deeply: 32 lists and objects")):
        with pytest.raises(InvalidRecord) as caught:
            GameRecord.from_json_line(f"{line[:-1]},{more}}}")
        assert str(caught.value).startswith(message)
    deep = "[" * 30 + "]" * 30
    assert GameRecord.from_json_line(f'{line[:-1]},"note":{deep}}}').replay().is_over


@pytest.mark.parametrize("change", [
    {"seats": ("random", "a\ud800")}, {"moves": ("deal:J\0",)}, {"seed": HUGE}, {"seed": -1},
    {"result": GameResult((1.5, -0.5), (1, 0), (1, 2))}, {"result": GameResult((1.0, 0.0), (float("nan"), 0), (1, 2))},
    {"extra": {"note": float("inf")}}, {"extra": {"note": object()}},
])
def test_what_cannot_be_read_is_not_written(tmp_path, leduc, change):
    path = tmp_path / "games.jsonl"
    append_record(path, leduc)
    before = path.read_bytes()
    for write in (lambda record: append_record(path, record), lambda record: write_records(path, [leduc, record])):
        with pytest.raises(InvalidRecord):
            write(dataclasses.replace(leduc, **change))
        assert path.read_bytes() == before


@given(st.integers(0, 2**32))
def test_a_damaged_record_is_a_record_or_refused_in_one_line(leduc, seed):
    rng = random.Random(seed)
    data, _ = damage_json(leduc.to_json(), rng)
    refusal = ""
    try:
        record = GameRecord.from_json_line(json.dumps(data, ensure_ascii=rng.random() < 0.5))
        record.replay()
        assert GameRecord.from_json_line(record.to_json_line()) == record
    except InvalidRecord as error:
        refusal = str(error)
    assert "\n" not in refusal


@pytest.mark.parametrize(("line", "message"), [
    ("[1]", "a record is a JSON object in braces"),
    ("7", "a record is a JSON object in braces"),
    ("hello", "not JSON at column 1"),
    ('{"schema": NaN}', "not valid JSON: NaN"),
    ('{"schema": 1, "schema": 1}', "not valid JSON: the key 'schema' is given twice"),
    ("[" * 100_000, "the JSON"),
    ('{"schema": ' + "9" * 5000 + "}", "not valid JSON"),
])
def test_lines_that_are_no_records(line, message):
    with pytest.raises(InvalidRecord) as caught:
        GameRecord.from_json_line(line)
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


@given(st.data())
def test_every_cut_line_is_refused(leduc, data):
    line = leduc.to_json_line()
    cut = data.draw(st.integers(0, len(line) - 1))
    with pytest.raises(InvalidRecord):
        GameRecord.from_json_line(line[:cut])


@given(st.data())
def test_a_changed_character_never_gives_anything_but_a_record_error(leduc, data):
    line = leduc.to_json_line()
    at = data.draw(st.integers(0, len(line) - 1))
    other = data.draw(st.sampled_from('0189ax",:[]{}-. é\x00'))
    with contextlib.suppress(InvalidRecord):
        GameRecord.from_json_line(line[:at] + other + line[at + 1:]).replay()


def test_until_out_of_range(leduc):
    with pytest.raises(InvalidRecord, match=f"after move 99: the record has {len(leduc.moves)} moves"):
        leduc.replay(until=99)
    with pytest.raises(InvalidRecord, match="no position after move -1"):
        leduc.replay(until=-1)


# ---- files ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["games.jsonl", "games.jsonl.gz"])
def test_files_hold_several_games(tmp_path, leduc, name):
    path = tmp_path / name
    other = sfida.play("tic_tac_toe", ["random"] * 2, seed=3)
    for record in (leduc, other, leduc):
        append_record(path, record)
    assert list(read_records(path)) == [leduc, other, leduc]
    assert read_record(path, 2) == other
    assert read_record(path, 2).where == f"{path}, line 2"
    with pytest.raises(InvalidRecord, match="there is no game 4; the file holds game 1 to 3"):
        read_record(path, 4)
    write_records(path, [other])
    assert list(read_records(path)) == [other]
    assert [entry.name for entry in tmp_path.iterdir()] == [name]


def test_packed_files_are_gzip_and_plain_files_are_lines(tmp_path, leduc):
    for name in ("a.jsonl", "a.jsonl.gz"):
        append_record(tmp_path / name, leduc)
        append_record(tmp_path / name, leduc)
    plain = (tmp_path / "a.jsonl").read_bytes()
    assert plain == gzip.decompress((tmp_path / "a.jsonl.gz").read_bytes())
    assert plain.count(b"\n") == 2


def test_a_bad_line_is_named_and_harms_no_other_game(tmp_path, leduc):
    path = tmp_path / "games.jsonl"
    line = leduc.to_json_line()
    path.write_text(f"{line}\n\n{line[:50]}\n{line}\n")
    records = read_records(path)
    assert next(records) == leduc
    with pytest.raises(InvalidRecord, match=r"games\.jsonl, line 3: the JSON ends too early, after 50 char"):
        next(records)
    assert read_record(path, 3) == leduc


def test_replay_errors_name_file_line_and_move(tmp_path, leduc):
    path = tmp_path / "games.jsonl"
    bad = {**leduc.to_json(), "moves": [*leduc.moves[:2], "castle", *leduc.moves[3:]]}
    path.write_text(leduc.to_json_line() + "\n" + json.dumps(bad) + "\n")
    with pytest.raises(InvalidRecord) as caught:
        read_record(path, 2).replay()
    assert str(caught.value).startswith(f"{path}, line 2: move 3 'castle': ")


def test_a_line_cut_off_by_a_crash_does_not_swallow_the_next_game(tmp_path, leduc):
    path = tmp_path / "games.jsonl"
    append_record(path, leduc)
    whole = path.read_bytes()
    path.write_bytes(whole + whole[:40])
    append_record(path, leduc)
    assert read_record(path, 1) == read_record(path, 3) == leduc
    assert path.read_bytes().startswith(whole + whole[:40])


def test_a_cut_packed_file_is_refused_and_left_alone(tmp_path, leduc):
    path = tmp_path / "games.jsonl.gz"
    append_record(path, leduc)
    append_record(path, leduc)
    torn = path.read_bytes()[:-20]
    path.write_bytes(torn)
    with pytest.raises(InvalidRecord, match="the compressed data end too early"):
        append_record(path, leduc)
    assert path.read_bytes() == torn
    records = read_records(path)
    assert next(records) == leduc
    with pytest.raises(InvalidRecord, match="the compressed data end too early"):
        list(records)


@pytest.mark.parametrize(("name", "content", "message"), [
    ("empty.jsonl", b"", "the file holds no game"),
    ("text.jsonl", b"\xff\xfe\x00", "line 1: not UTF-8 text"),
    ("plain.jsonl.gz", b"{}", "not gzip-compressed, or damaged after line 0"),
    ("missing.jsonl", None, "cannot be read: No such file or directory"),
])
def test_unreadable_files(tmp_path, name, content, message):
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(InvalidRecord, match=message) as caught:
        read_record(path)
    assert str(caught.value).startswith(str(path))


def test_writing_where_it_cannot_be(tmp_path, leduc):
    with pytest.raises(InvalidRecord, match="cannot be written: No such file or directory"):
        append_record(tmp_path / "no" / "such.jsonl", leduc)
    with pytest.raises(InvalidRecord, match=r"cannot be (read|written)"):
        append_record(tmp_path, leduc)
    notes = tmp_path / "notes.txt"
    notes.write_text("dear diary\n")
    with pytest.raises(InvalidRecord, match="not a file of records; nothing was written"):
        append_record(notes, leduc)
    assert notes.read_text() == "dear diary\n"


def test_a_failed_write_leaves_the_file_as_it_was(tmp_path, leduc, monkeypatch):
    path = tmp_path / "games.jsonl"
    append_record(path, leduc)
    before = path.read_bytes()

    def fails(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fails)
    for write in (lambda: append_record(path, leduc), lambda: write_records(path, [leduc, leduc])):
        with pytest.raises(InvalidRecord, match="No space left on device"):
            write()
        assert path.read_bytes() == before
    assert [entry.name for entry in tmp_path.iterdir()] == ["games.jsonl"]


def append_many(path: Path, line: str, count: int) -> None:
    record = GameRecord.from_json_line(line)
    for _ in range(count):
        append_record(path, record)


def test_programs_append_to_one_file_without_mixing_lines(tmp_path, leduc):
    path = tmp_path / "games.jsonl.gz"
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=append_many, args=(path, leduc.to_json_line(), 20)) for _ in range(2)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)
    assert [record == leduc for record in read_records(path)] == [True] * 40


def test_a_file_with_a_byte_order_mark_is_read(tmp_path, leduc):
    path = tmp_path / "games.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + leduc.to_json_line().encode())
    assert read_record(path) == leduc


def test_a_field_with_a_name_of_thousands_of_characters_is_named_shortly():
    data = {**sfida.play("tic_tac_toe", ["random", "random"], seed=1).to_json(), "a" * 5000: "\ud800"}
    with pytest.raises(InvalidRecord) as caught:
        GameRecord.from_json(data)
    assert len(str(caught.value)) < 200
