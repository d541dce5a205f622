"""The store: one file, one transaction per game, and plain error messages for faulty files."""

import contextlib
import shutil
import sqlite3
from concurrent.futures import ThreadPoolExecutor

import pytest

import sfida
from sfida.ai.arena.store import Store, export_games, import_games, is_store
from sfida.cython_ext.errors import InvalidRecord
from sfida.engines.records import LONGEST_LINE, read_record, read_records, sfida_version, write_records


@pytest.fixture(scope="module")
def filled(tmp_path_factory):
    path = tmp_path_factory.mktemp("store") / "games.sfida"
    return path, sfida.tournament("carcassonne", ["greedy", "random"], 6, seed=9, store=path, adjusted=False)


def test_games_come_back_as_they_went_in(filled):
    path, result = filled
    with Store.open(path) as store:
        games = tuple(store.outcomes())
        assert games == result.outcomes
        assert len(store) == 6
        assert store.held() == {(game.block, game.rotation) for game in games}
        assert [game.seconds for game in games] == [game.seconds for game in result.outcomes]
        assert list(store.outcomes(until=1)) == list(result.outcomes[:2])


def test_the_header_says_what_the_tournament_is(filled):
    path, result = filled
    with Store.open(path) as store:
        header = store.header
        assert store.setup == result.setup
    assert header["sfida"] == sfida_version()
    assert (header["game"], header["agents"], header["seed"]) == ("carcassonne", ["greedy", "random"], 9)
    assert len(header["schedule"]) == 16


def test_records_are_counted_from_one(filled):
    path, result = filled
    with Store.open(path) as store:
        assert store.record(1) == result.outcomes[0].record
        assert store.record(6) == result.outcomes[5].record
        with pytest.raises(InvalidRecord, match="there is no game 7; the store holds game 1 to 6"):
            store.record(7)


def test_a_record_that_is_too_long_is_not_read(filled, tmp_path):
    path, copy = filled[0], tmp_path / "long.sfida"
    shutil.copy(path, copy)
    with contextlib.closing(sqlite3.connect(copy)) as connection, connection:
        connection.execute("UPDATE game SET record = printf('%.*c', ?, ' ') || record WHERE block = 0", (LONGEST_LINE,))
    with Store.open(copy) as store:
        assert store.record(6).moves
        with pytest.raises(InvalidRecord, match=r"long\.sfida: damaged: string or blob too big"):
            store.record(1)


def test_each_game_is_safe_as_soon_as_it_is_added(filled, tmp_path):
    """Another connection sees exactly the games that a crash of this one would leave."""
    _, result = filled
    path = tmp_path / "games.sfida"
    with Store.create(path, result.setup) as writer, Store.open(path) as reader:
        for number, game in enumerate(result.outcomes, start=1):
            writer.add(game)
            assert len(reader) == number
        writer.add(result.outcomes[0])              # the same game again, from a second run
        assert tuple(reader.outcomes()) == result.outcomes


def test_many_may_write_at_a_time(filled, tmp_path):
    _, result = filled
    path = tmp_path / "games.sfida"
    Store.create(path, result.setup).close()

    def add(game):
        with Store.open(path) as store:
            store.add(game)

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(add, result.outcomes[::-1]))
    with Store.open(path) as store:
        assert tuple(store.outcomes()) == result.outcomes


def test_files_that_are_no_stores_are_refused_and_left_alone(tmp_path):
    text = tmp_path / "notes.txt"
    text.write_text("my notes " * 20)
    other = tmp_path / "other.db"
    with sqlite3.connect(other) as connection:
        connection.execute("CREATE TABLE game (id)")
    connection.close()
    for path in (text, other):
        before = path.read_bytes()
        assert not is_store(path)
        with pytest.raises(InvalidRecord, match="not a store of a tournament"):
            Store.open(path)
        with pytest.raises(InvalidRecord, match="the file exists already"):
            sfida.tournament("tic_tac_toe", ["random", "random"], 2, store=path)
        assert path.read_bytes() == before
    with pytest.raises(InvalidRecord, match="there is no such store"):
        Store.open(tmp_path / "missing.sfida")


def test_a_store_of_a_later_format_is_refused(filled, tmp_path):
    _, result = filled
    path = tmp_path / "games.sfida"
    Store.create(path, result.setup).close()
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(InvalidRecord, match="a store of format 99; this program reads format 1"):
        Store.open(path)


def test_an_empty_file_is_taken_for_a_new_store(tmp_path):
    path = tmp_path / "games.sfida"
    path.touch()
    assert len(sfida.tournament("tic_tac_toe", ["random", "random"], 2, store=path).outcomes) == 2


# ---- JSON Lines ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["games.jsonl", "games.jsonl.gz"])
def test_games_survive_export_and_import(filled, tmp_path, name):
    path, result = filled
    file, copy = tmp_path / name, tmp_path / "copy.sfida"
    with Store.open(path) as store:
        assert export_games(store, file) == 6
    assert read_record(file, 3).replay().is_over
    assert import_games(file, copy) == 6
    assert import_games(file, copy) == 0                    # nothing twice
    with Store.open(copy) as store:
        assert tuple(store.outcomes()) == result.outcomes
        assert store.setup == result.setup
    resumed = sfida.tournament("carcassonne", ["greedy", "random"], 6, seed=9, store=copy, resume=True, adjusted=False)
    assert resumed == result


def test_forfeits_survive_export_and_import(tmp_path):
    class Loser:
        spec = "loser"

        def choose(self, view):
            raise KeyError("nothing")

    path, file, copy = (tmp_path / name for name in ("games.sfida", "games.jsonl", "copy.sfida"))
    result = sfida.tournament("tic_tac_toe", ["random", Loser()], 4, seed=1, store=path)
    with Store.open(path) as store:
        export_games(store, file)
    assert import_games(file, copy) == 4
    with Store.open(copy) as store:
        assert tuple(store.outcomes()) == result.outcomes


def test_games_that_do_not_fit_are_refused_and_nothing_is_added(filled, tmp_path):
    path, _ = filled
    file, copy = tmp_path / "games.jsonl", tmp_path / "copy.sfida"
    with Store.open(path) as store:
        export_games(store, file)
    records = list(read_records(file))

    def refused(changed, message):
        write_records(file, changed)
        with pytest.raises(InvalidRecord, match=message):
            import_games(file, copy)
        assert not copy.exists()

    refused([records[0], records[1].with_extra(block=2)], "line 2: block 2, rotation 1 of this tournament is another")
    refused([records[0].with_extra(block=-1)], "line 1: block -1, rotation 0 is not in the schedule")
    refused([records[0].with_extra(tournament=None)], "line 1: the field 'tournament' is missing")
    refused([records[0].with_extra(tournament={"game": "chess"})], "does not describe a tournament")
    refused([], "the file holds no game")
    plain = sfida.play("carcassonne", ["greedy", "random"], seed=1)
    refused([plain], "the field 'tournament' is missing")


def test_games_of_two_tournaments_do_not_mix(filled, tmp_path):
    path, _ = filled
    file = tmp_path / "games.jsonl"
    with Store.open(path) as store:
        export_games(store, file)
    other = tmp_path / "other.sfida"
    sfida.tournament("carcassonne", ["greedy", "random"], 2, seed=10, store=other, adjusted=False)
    with pytest.raises(InvalidRecord, match="holds another tournament: seed is 10 there and 9 here"):
        import_games(file, other)
