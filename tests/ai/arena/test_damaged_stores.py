"""Damaged and edited stores, read-only files, failing imports: bad data are refused, and no game is lost."""

import dataclasses
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import textwrap

import pytest

import sfida
from sfida.ai.arena import schedule
from sfida.ai.arena.store import Store, export_games, import_games
from sfida.ai.arena.tournament import table_of
from sfida.cython_ext.errors import InvalidRecord


class Loser:
    spec = "loser"

    def choose(self, view):
        raise KeyError("half a pair \ud800, and \0")


@pytest.fixture(scope="module")
def filled(tmp_path_factory):
    """Two blocks, the second one with forfeits on both seats; exported as well."""
    path = tmp_path_factory.mktemp("store") / "games.sfida"
    sfida.tournament("tic_tac_toe", ["random", Loser(), "greedy"], 6, seed=1, store=path)
    with Store.read(path) as store:
        export_games(store, path.with_name("games.jsonl"))
    return path


@pytest.fixture
def store(filled, tmp_path):
    shutil.copy(filled, tmp_path / "games.sfida")
    return tmp_path / "games.sfida"


@pytest.fixture
def lines(filled):
    return filled.with_name("games.jsonl").read_text().splitlines()


def edit(path, *statements):
    connection = sqlite3.connect(path)
    with connection:
        for statement in statements:
            connection.execute(statement)
    connection.close()


def read_all(path):
    with Store.read(path) as opened:
        table_of(opened)
        return list(opened.outcomes())


def refusal(path):
    with pytest.raises(InvalidRecord) as caught:
        read_all(path)
    message = str(caught.value)
    assert message.startswith(str(path))
    assert "\n" not in message
    return message.removeprefix(str(path))


FIRST = "WHERE block = 0 AND rotation = 0"


@pytest.mark.parametrize(("statement", "message"), [
    ("DROP TABLE game", ": its table 'game' is missing"),
    ("DROP TABLE header", ": its table 'header' is missing"),
    ("ALTER TABLE game DROP COLUMN wall", ": its table 'game' is not as this program makes it"),
    ("ALTER TABLE game ADD COLUMN more TEXT", ": its table 'game' is not as this program makes it"),
    ("CREATE TRIGGER t AFTER INSERT ON game BEGIN DELETE FROM game; END", ": holds the trigger 't', which"),
    ("CREATE VIEW v AS SELECT 1", ": holds the view 'v', which this program does not make"),
    ("CREATE INDEX i ON game (wall)", ": holds the index 'i', which this program does not make"),
    ("PRAGMA user_version = 99", ": a store of format 99; this program reads format 1"),
    ("PRAGMA application_id = 7", ": not a store of a tournament"),
    ("DELETE FROM header WHERE key = 'players'", ", header: the field 'players' is missing"),
    ("UPDATE header SET value = '99' WHERE key = 'players'", ", header: 'players' must be a whole number from 2 to 6"),
    ("UPDATE header SET value = x'00' WHERE key = 'players'", ", header: it must hold texts and nothing else"),
    ("UPDATE header SET value = '3' WHERE key = 'format'", ", header: format 3 is not one that this program reads"),
    ("UPDATE header SET value = '7' WHERE key = 'seed'", ", header: the schedule is "),
    ("UPDATE header SET value = '\"0123\"' WHERE key = 'schedule'", ", header: the schedule is '0123' there, but such"),
    ("UPDATE header SET value = '[1, 2, 3]' WHERE key = 'agents'", ", header: entry 1 of 'agents' must be a text"),
    ("UPDATE header SET value = '1e999' WHERE key = 'games'", ", header: 'games' holds a number that is not finite"),
    ("UPDATE header SET value = '\"elo0=x\"' WHERE key = 'sprt'", ", header: option 'elo0' of the sequential test"),
    ("UPDATE header SET value = '\"elo0=0\"' WHERE key = 'sprt'", ", header: a sequential test compares the first"),
    (f"UPDATE game SET utilities = '[1.5, 0]' {FIRST}", ", game 1: 'utilities' is [1.5, 0], but its record says"),
    ("UPDATE game SET utilities = '[1.5, -0.5]', record = replace(record, '\"utilities\":[', '\"utilities\":[1.5,-0.5],"
     "\"more\":[') WHERE forfeit IS NULL", ", game 3: entry 1 of 'utilities' must be a number from 0 to 1, not 1.5"),
    (f"UPDATE game SET ranks = x'ff' {FIRST}", ", game 1: 'ranks' must be a text, not bytes"),
    (f"UPDATE game SET ranks = CAST(x'5bff5d' AS TEXT) {FIRST}", ", game 1: not JSON at column 2"),
    (f"UPDATE game SET record = CAST(x'ff' AS TEXT) || record {FIRST}", ", game 1: not JSON at column 1"),
    (f"UPDATE game SET seconds = '[1]' {FIRST}", ", game 1: 'seconds' must have 2 entries, not 1"),
    (f"UPDATE game SET seconds = '[-1, 1]' {FIRST}", ", game 1: entry 1 of 'seconds' must be a number from 0 to"),
    (f"UPDATE game SET decisions = '[1, 1.5]' {FIRST}", ", game 1: entry 2 of 'decisions' must be a whole number"),
    (f"UPDATE game SET wall = 'long' {FIRST}", ", game 1: 'wall' must be a number, not a text ('long')"),
    (f"UPDATE game SET wall = 9e999 {FIRST}", ", game 1: 'wall' must be a number from 0 to"),
    (f"UPDATE game SET agents = '[0, 7]' {FIRST}", ", game 1: entry 2 of 'agents' must be a whole number from 0 to 2"),
    (f"UPDATE game SET agents = '[1, 1]' {FIRST}", ", game 1: 'agents' is [1, 1], but its record says"),
    (f"UPDATE game SET block = 77 {FIRST}", ", game 6: 'block' is 77, but its record says 0"),
    (f"UPDATE game SET block = 'x' {FIRST}", ", game 6: 'block' is 'x', but its record says 0"),
    (f"UPDATE game SET block = -1 {FIRST}", ", game 1: 'block' is -1, but its record says 0"),
    ("UPDATE game SET record = (SELECT record FROM game WHERE block = 1)", ", game 1: 'block' is 0, but its record"),
    (f"UPDATE game SET record = json_set(record, '$.seed', 1) {FIRST}", ", game 1: block 0, rotation 0"),
    (f"UPDATE game SET record = replace(record, 'random', 'greedy') {FIRST}", ", game 1: block 0, rotation 0 of"),
    ("UPDATE game SET forfeit = NULL", ", game 1: 'forfeit' is None, but its record says"),
    ("UPDATE game SET forfeit = '[1, \"died\", \"gone\"]'", ", game 1: 'forfeit' is [1, 'died', 'gone'], but its"),
])
def test_an_edited_store_is_refused_in_one_line(store, statement, message):
    edit(store, statement)
    assert refusal(store).startswith(message)


def test_a_header_of_thousands_of_characters_is_shortened(store):
    edit(store, f"UPDATE header SET value = '\"{'long' * 2000}\"' WHERE key = 'sfida'")
    with Store.open(store) as opened, pytest.raises(InvalidRecord) as caught:
        opened.check(dataclasses.replace(opened.setup, seed=7))
    assert len(str(caught.value).removeprefix(str(store))) < 400


def test_an_edited_store_takes_no_games(store, lines, tmp_path):
    """Neither an import nor a continued tournament makes the damage worse."""
    edit(store, "DELETE FROM game WHERE block = 2", f"UPDATE game SET utilities = '[1.5, 0]' {FIRST}")
    (tmp_path / "games.jsonl").write_text("\n".join(lines))
    for add in (lambda: import_games(tmp_path / "games.jsonl", store),
                lambda: sfida.tournament("tic_tac_toe", ["random", Loser(), "greedy"], 6, seed=1, store=store,
                                         resume=True)):
        with pytest.raises(InvalidRecord, match="game 1: 'utilities' is"):
            add()
        with Store.open(store) as opened:
            assert len(opened) == 4


def test_a_store_of_an_earlier_schedule_is_read_but_takes_no_games(store, lines, tmp_path, monkeypatch):
    monkeypatch.setattr(schedule, "_VERSION", schedule._VERSION + 1)
    monkeypatch.setattr(schedule, "game_seed", lambda *key: 1)
    assert len(read_all(store)) == 6
    (tmp_path / "games.jsonl").write_text("\n".join(lines))
    for path in (store, tmp_path / "new.sfida"):
        with pytest.raises(InvalidRecord, match="its schedule is made by rules of an earlier version"):
            import_games(tmp_path / "games.jsonl", path)
    with pytest.raises(InvalidRecord, match="the schedule is"):
        sfida.tournament("tic_tac_toe", ["random", Loser(), "greedy"], 9, seed=1, store=store, resume=True)
    edit(store, f"UPDATE game SET agents = '[0, 2]' {FIRST}")
    assert ", game 1: block 0, rotation 0 of this tournament is another game" in refusal(store)


def test_what_an_agent_says_never_stops_a_tournament(filled):
    reasons = {game.forfeit.reason for game in read_all(filled) if game.forfeit is not None}
    assert reasons == {r"KeyError: 'half a pair \ud800, and \x00'"}


def test_agents_whose_names_are_no_text_are_refused_before_the_first_game(tmp_path):
    class Nameless(Loser):
        spec = "x\ud800"

    with pytest.raises(InvalidRecord, match=r"'agents' must be valid text, which '\\ud800' is no part of"):
        sfida.tournament("tic_tac_toe", ["random", Nameless()], 2, store=tmp_path / "games.sfida")
    assert list(tmp_path.iterdir()) == []


# ---- import ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("change", "message"), [
    (lambda data: data["tournament_game"]["seconds"].pop(), "line 4: 'seconds' must have 2 entries, not 1"),
    (lambda data: data["tournament_game"].update(seconds=[-1, 0]), "line 4: entry 1 of 'seconds' must be a number"),
    (lambda data: data["tournament_game"].update(wall="1"), "line 4: 'wall' must be a number, not a text"),
    (lambda data: data["tournament_game"].update(decisions=[10**400, 0]), "line 4: 'tournament_game' holds a whole"),
    (lambda data: data.update(note="\ud800"), r"line 4: 'note' must be valid text, which '\\ud800' is no part"),
    (lambda data: data["tournament"].update(seed=10**400), "line 4: 'tournament' holds a whole number beyond"),
    (lambda data: data["tournament"].update(seed=2), "line 4: 'tournament' does not describe a tournament: the s"),
    (lambda data: data["tournament"].update(players=3), "line 4: 'tournament' does not describe a tournament: the sch"),
    (lambda data: data.update(rotation=10**9), "line 4: block 1, rotation 1000000000 is not in the schedule"),
    (lambda data: data.update(block=10**30), "line 4: block 1000000000000000000000000000000, rotation 1 is not in"),
    (lambda data: data.update(game="kuhn_poker"), "line 4: "),
    (lambda data: data["moves"].pop(), "line 4: "),
    (lambda data: data.update(forfeit={"seat": 1, "kind": "died", "reason": "gone"}), "line 4: a game of a tournament"),
])
@pytest.mark.parametrize("held", [0, 4, 6])
def test_an_import_is_whole_or_nothing(store, lines, tmp_path, change, message, held):
    """One bad line leaves the store unchanged, byte for byte; without the line all games are imported, also later."""
    file = tmp_path / "games.jsonl"
    finished = next(n for n in (3, 2, 1, 0) if "forfeit" not in json.loads(lines[n]))
    lines[3], lines[finished] = lines[finished], lines[3]
    data = json.loads(lines[3])
    change(data)
    file.write_text("\n".join([*lines[:3], json.dumps(data), *lines[4:]]))
    if held:
        edit(store, f"DELETE FROM game WHERE block >= {held // 2}")
    else:
        store.unlink()
    before = store.read_bytes() if held else None
    with pytest.raises(InvalidRecord, match=message.replace("block 1", "block .")):
        import_games(file, store)
    assert (store.read_bytes() if store.exists() else None) == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["games.jsonl"] + ["games.sfida"] * bool(held)
    file.write_text("\n".join(lines))
    assert import_games(file, store) == 6 - held
    assert len(read_all(store)) == 6


def test_a_game_given_twice_must_be_the_same(lines, tmp_path):
    file = tmp_path / "games.jsonl"
    file.write_text("\n".join([*lines, lines[2]]))
    assert import_games(file, tmp_path / "a.sfida") == 6
    changed = json.loads(lines[2]) | {"note": "another"}
    file.write_text("\n".join([*lines, json.dumps(changed)]))
    with pytest.raises(InvalidRecord, match="line 7: block 1, rotation 0 is given twice, as two different games"):
        import_games(file, tmp_path / "b.sfida")


def test_parts_of_different_length_make_one_store(lines, tmp_path):
    """The header of the longest run of a tournament counts, wherever it stands."""
    file = tmp_path / "games.jsonl"
    longer = json.loads(lines[0])
    longer["tournament"]["games"] = 12
    file.write_text("\n".join([json.dumps(longer), *lines[1:]]))
    import_games(file, tmp_path / "a.sfida")
    with Store.read(tmp_path / "a.sfida") as store:
        assert store.setup.games == 12


@pytest.mark.skipif(os.name != "posix", reason="needs SIGKILL")
@pytest.mark.parametrize(("held", "after"), [(0, 2), (0, 6), (2, 6)])
def test_an_import_that_is_killed_can_be_repeated(store, lines, tmp_path, held, after):
    """The import is killed after some games, the last time just before the commit."""
    file = tmp_path / "games.jsonl"
    file.write_text("\n".join(lines))
    if held:
        edit(store, "DELETE FROM game WHERE block > 0")
    else:
        store.unlink()
    program = textwrap.dedent(f"""
        import os, signal
        from pathlib import Path
        from sfida.ai.arena import store
        row, count = store._row, 0
        def killed(outcome):
            global count
            count += 1
            if count > {after}:
                os.kill(os.getpid(), signal.SIGKILL)
            return row(outcome)
        def killed_at_the_end(rows):
            yield from rows
            os.kill(os.getpid(), signal.SIGKILL)
        store._row = killed
        if {after} == 6:
            store.map = lambda function, outcomes: killed_at_the_end(map(row, outcomes))
        store.import_games(Path({str(file)!r}), Path({str(store)!r}))
        """)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, timeout=120)
    assert done.returncode == -signal.SIGKILL, done.stderr.decode()
    if held:
        assert len(read_all(store)) == held
    assert import_games(file, store) == 6 - held
    assert len(read_all(store)) == 6


def test_a_store_half_made_is_made_anew(store, lines, tmp_path):
    """A process that dies while it writes the first games leaves the file and a journal that removes them again."""
    file = tmp_path / "games.jsonl"
    file.write_text("\n".join(lines))
    program = textwrap.dedent(f"""
        import os, sqlite3
        connection = sqlite3.connect({str(tmp_path / 'half.sfida')!r})
        connection.execute("PRAGMA cache_size = 1")
        connection.execute("BEGIN")
        connection.execute("PRAGMA application_id = {0x53464944}")
        connection.execute("CREATE TABLE game (a)")
        connection.executemany("INSERT INTO game VALUES (?)", [("x" * 9000,) for _ in range(50)])
        os._exit(0)
        """)
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)
    half = tmp_path / "half.sfida"
    assert half.stat().st_size
    assert (tmp_path / "half.sfida-journal").exists()
    assert "killed while it wrote has left 'half.sfida-journal'; what it began is taken back" in refusal(half)
    assert import_games(file, half) == 6
    assert len(read_all(half)) == 6


# ---- reading changes nothing --------------------------------------------------------------------------------


def listing(folder):
    return {path.name: (path.read_bytes(), path.stat().st_mtime_ns) for path in folder.iterdir()}


def test_reading_changes_nothing_and_leaves_nothing_behind(store, tmp_path):
    before = listing(tmp_path)
    with Store.read(store) as opened:
        assert len(list(opened.outcomes())) == len(opened) == 6
        assert opened.record(3).replay() is not None
        assert listing(tmp_path) == before
        with pytest.raises(InvalidRecord, match="readonly"):
            opened.note("limit", 5)
    assert listing(tmp_path) == before


def killed_writer(path, *, keep_index=True):
    """Add a game to a store in a process that dies, so that the game is only in the log."""
    program = textwrap.dedent(f"""
        import os
        from pathlib import Path
        from sfida.ai.arena.store import Store
        Store.open(Path({str(path)!r})).note("limit", 7.5)
        os._exit(0)
        """)
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)
    assert path.with_name(path.name + "-wal").stat().st_size
    if not keep_index:
        path.with_name(path.name + "-shm").unlink()


def test_what_a_killed_process_left_in_the_log_is_read(store):
    killed_writer(store)
    before = store.read_bytes()
    with Store.read(store) as opened:
        assert opened.header["limit"] == 7.5
    assert store.read_bytes() == before


def test_a_tournament_that_is_read_to_its_end_leaves_a_whole_file(store, tmp_path):
    """The file alone may be copied, even if another process had it open when the last game was added."""
    edit(store, "DELETE FROM game WHERE block = 0")
    with Store.open(store) as writer:
        assert len(writer) == 4
        with Store.read(store) as reader:
            assert len(reader) == 4
            sfida.tournament("tic_tac_toe", ["random", Loser(), "greedy"], 6, seed=1, store=store, resume=True)
            assert len(reader) == 6
            shutil.copy(store, tmp_path / "copy.sfida")
    assert len(read_all(tmp_path / "copy.sfida")) == 6


def test_a_reader_says_when_somebody_began_to_write(store, filled):
    with Store.read(store) as opened:
        assert len(opened) == 6
        os.utime(store, (1, 1))
        with pytest.raises(InvalidRecord, match="somebody began to write to it while it was read; try again"):
            list(opened.outcomes())


READ_ONLY = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c"]


def on_read_only(folder, *arguments):
    """Run the program while a folder is read-only, as on a CD."""
    if shutil.which("unshare") is None or subprocess.run([*READ_ONLY, "mount --bind . . && mount -o remount,ro,bind ."],
                                                         cwd=folder, capture_output=True).returncode:
        pytest.skip("needs a mount of its own")
    command = f'mount --bind "{folder}" "{folder}" && mount -o remount,ro,bind "{folder}" && cd "{folder}" && exec "$@"'
    return subprocess.run([*READ_ONLY, command, "sh", sys.executable, "-m", "sfida", *map(str, arguments)],
                          capture_output=True, text=True, timeout=120)


def test_a_store_that_cannot_be_written_to_is_read(store, tmp_path):
    folder = tmp_path / "disc"
    folder.mkdir()
    store = shutil.move(store, folder / "games.sfida")
    target = tmp_path / "out.jsonl"
    shown = on_read_only(folder, "ratings", "games.sfida", "--export", target)
    assert shown.stdout.startswith("tic_tac_toe  round-robin, 6 games in 3 blocks, seed 1\n"), shown.stderr
    assert len(target.read_text().splitlines()) == 6
    assert on_read_only(folder, "replay", "games.sfida", "--game", 2, "--json").returncode == 0
    refused = on_read_only(folder, "ratings", "games.sfida", "--import", target)
    assert refused.returncode == 1
    assert refused.stderr.count("\n") == 1


def test_a_log_beside_a_store_that_cannot_be_written_to_is_not_passed_over(store, tmp_path):
    folder = tmp_path / "disc"
    folder.mkdir()
    store = shutil.move(store, folder / "games.sfida")
    killed_writer(store)
    assert on_read_only(folder, "ratings", "games.sfida", "--json").returncode == 0
    (folder / "games.sfida-shm").unlink()
    refused = on_read_only(folder, "ratings", "games.sfida")
    assert refused.returncode == 1
    assert refused.stderr == ("error: games.sfida: its latest games are still in 'games.sfida-wal', which cannot be "
                              "taken in where nothing can be written: copy both files to another folder\n")
