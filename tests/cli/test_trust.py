"""No code named by a file runs before the person agrees."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import sfida as api
from sfida.ai.arena.store import Store, import_games
from sfida.ai.arena.tournament import table_of
from sfida.ai.table import Table
from sfida.engines.records import read_record, read_records
from sfida.engines.registry import Plugins
from support.distributions import install

TRAP = "exec:sh -c 'echo sprung >> sprung.txt'"
STRANGERS = '''
from pathlib import Path
from sfida.ai.agent import RandomAgent
from sfida.engines.examples.tic_tac_toe import TicTacToe

with Path("sprung.txt").open("a") as file:
    print("loaded", file=file)

class Game(TicTacToe):
    name = "strange"
    strategies = ("odd",)

    def seat_name(self, seat):
        return ("left", "right")[seat]

class Agent(RandomAgent):
    name = "stranger"
'''


@pytest.fixture
def sprung(tmp_path):
    """Return a function that tests whether foreign code has run, and resets the answer."""
    def look() -> bool:
        found = (tmp_path / "sprung.txt").exists()
        (tmp_path / "sprung.txt").unlink(missing_ok=True)
        return found
    return look


@pytest.fixture
def strangers(tmp_path, monkeypatch):
    """Install a game and an agent of another package; their module leaves a trace when it is loaded."""
    def forget() -> None:
        sys.modules.pop("strangers", None)
        Plugins._points.cache_clear()
        Plugins._load.cache_clear()

    install(tmp_path / "site", "strange-things",
            "[sfida.games]\nstrange = strangers:Game\n[sfida.agents]\nstranger = strangers:Agent\n",
            strangers=STRANGERS)
    monkeypatch.syspath_prepend(tmp_path / "site")
    forget()
    yield forget
    monkeypatch.undo()
    forget()


@pytest.fixture
def saved(tmp_path):
    """Write an unfinished record with these seats, and return its name."""
    def write(*seats: str, game: str = "tic_tac_toe", name: str = "game.jsonl") -> str:
        record = api.play("tic_tac_toe", ["random", "random"], seed=3).to_json()
        record |= {"game": game, "seats": list(seats), "moves": record["moves"][:2], "chance": [], "result": None}
        (tmp_path / name).write_text(json.dumps(record) + "\n")
        return name
    return write


# ---- programs -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("more", [(), ("--json",)])
def test_a_program_in_a_record_is_not_started_without_a_word(sfida, saved, sprung, more):
    result = sfida("play", saved("random", TRAP), *more)
    assert not sprung()
    assert result.exit_code == 1
    assert result.stdout == ""
    assert result.stderr == (f"error: game.jsonl, line 1 names code that is not Sfida's own: {TRAP}  (a program); "
                             "--trust-agents lets it run\n").replace("  ", " ")


def test_a_long_program_is_shown_to_its_end_and_with_what_cannot_be_seen(sfida, saved, sprung):
    command = f"exec:sh -c 'true {'x' * 400} \u202e {TRAP}'"
    result = sfida("play", saved(command, "exec:./second", "random"))
    assert not sprung()
    assert command.replace("\u202e", "\\u202e") in result.stderr
    assert "exec:./second" in result.stderr
    assert result.stderr.count("\n") == 1


def test_a_program_in_a_record_runs_when_it_is_trusted(sfida, saved, sprung):
    result = sfida("play", saved("random", TRAP), "--trust-agents")
    assert "ended with exit code 0" in result.stderr
    assert sprung()


def test_what_is_typed_needs_no_trust(sfida, saved, sprung):
    name = saved("random", "exec:./not-there")
    assert sfida("play", name, "--seat", "random", "--seat", "random").exit_code == 0
    assert "ended with exit code 0" in sfida("play", name, "--seat", "random", "--seat", TRAP).stderr
    assert sprung()


@pytest.mark.parametrize("command", [("replay",), ("analyze", "--agent", "ismcts:iterations=10"),
                                     ("hint", "--agent", "ismcts:iterations=10")])
def test_looking_at_a_record_starts_nobody_who_sat_there(sfida, saved, sprung, command):
    name, *options = command
    result = sfida(name, saved("random", TRAP), *options)
    assert result.exit_code == 0, result.stderr
    assert not sprung()


# ---- packages -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("seat", ["stranger", " stranger :", "odd"])
def test_an_agent_of_another_package_is_not_even_loaded(sfida, saved, sprung, strangers, seat):
    result = sfida("play", saved("random", seat))
    assert not sprung()
    assert result.exit_code == 1
    assert "of distribution 'strange-things' (strangers:" in result.stderr
    assert "--trust-agents" in result.stderr
    assert "odd" in seat or sfida("play", saved("random", "stranger"), "--trust-agents").exit_code == 0
    assert "odd" in seat or sprung()


def test_a_seat_called_like_a_game_hides_nothing(sfida, saved, sprung, strangers, tmp_path):
    points = tmp_path / "site" / "strange-things-1.0.dist-info" / "entry_points.txt"
    points.write_text("[sfida.games]\nrandom = strangers:Game\n")
    strangers()
    result = sfida("play", saved("random", "random", game="random"))
    assert "random (game 'random' of distribution 'strange-things' (strangers:Game))" in result.stderr
    assert not sprung()


def test_sfidas_own_agents_are_found_without_loading_others(sfida, saved, sprung, strangers):
    assert sfida("play", saved("random", "greedy")).exit_code == 0
    assert "it has none" in sfida("play", saved("random", "hammer")).stderr, "a strategy of our own games"
    assert not sprung()


THINK = ("--agent", "ismcts:iterations=10")


@pytest.mark.parametrize("command", [("play", "FILE", "--seat", "random", "--seat", "random"), ("replay", "FILE"),
                                     ("analyze", "FILE", *THINK), ("hint", "FILE", *THINK),
                                     ("why", "FILE", "1", *THINK)])
def test_a_game_of_another_package_is_not_even_loaded(sfida, saved, sprung, strangers, command):
    name = saved("random", "random", game="strange")
    words = [name if word == "FILE" else word for word in command]
    result = sfida(*words)
    assert not sprung()
    assert result.exit_code == 1
    assert result.stderr.startswith("error: game.jsonl, line 1 names code that is not Sfida's own: strange (game "
                                    "'strange' of distribution 'strange-things' (strangers:Game)); --trust-agents")
    trusted = sfida(*words, "--trust-agents")
    assert trusted.exit_code == 0, trusted.stderr
    assert sprung()


def test_tournaments_of_another_packages_game(sfida, sprung, strangers, tmp_path):
    """Typed specs need no trust; the resulting store and file of games do."""
    typed = ("tournament", "strange", "random", "greedy", "-n", "2", "--seed", "1", "--store", "a.sfida")
    result = sfida(*typed)
    assert result.exit_code == 0, result.stderr
    assert "left" in result.stdout
    assert sfida(*typed, "--resume").exit_code == 0
    assert sfida("ratings", "a.sfida", "--export", "games.jsonl", "--trust-agents").exit_code == 0
    strangers()
    sprung()
    for command in (("ratings", "a.sfida"), ("ratings", "a.sfida", "--report", "report"),
                    ("replay", "a.sfida"), ("ratings", "b.sfida", "--import", "games.jsonl")):
        refused = sfida(*command)
        assert refused.exit_code == 1
        assert "game 'strange' of distribution 'strange-things'" in refused.stderr
        assert not sprung()
        assert not (tmp_path / "b.sfida").exists()
    with Store.open(tmp_path / "a.sfida") as store:
        assert [seat.name for seat in table_of(store).seats] == ["seat 0", "seat 1"]
        with pytest.raises(api.InvalidRecord, match="a file does not run the code of another package"):
            store.record(1).replay()
    with pytest.raises(api.InvalidRecord, match="a file does not run the code of another package"):
        import_games(tmp_path / "games.jsonl", tmp_path / "b.sfida")
    assert not sprung()
    assert "left" in sfida("ratings", "b.sfida", "--import", "games.jsonl", "--trust-agents").stdout
    assert sprung()


def test_a_report_loads_no_agent_that_a_store_names(sfida, sprung, strangers):
    assert sfida("tournament", "tic_tac_toe", "random", "stranger", "-n", "2", "--seed", "1", "--store",
                 "a.sfida").exit_code == 0
    strangers()
    sprung()
    result = sfida("ratings", "a.sfida", "--report", "report")
    assert result.exit_code == 0, result.stderr
    assert not sprung()


def test_records_that_are_read_in_python(saved, sprung, strangers):
    name = saved("random", "stranger", game="strange")
    for record in (read_record(name), next(read_records(name)), api.GameRecord.from_json(read_record(name).to_json())):
        with pytest.raises(api.InvalidRecord, match="'strange' is game 'strange' of distribution 'strange-things'"):
            record.replay()
    assert not sprung()
    assert read_record(name, trust_agents=True).replay().game.name == "strange"
    assert next(read_records(name, trust_agents=True)).replay().game.name == "strange"
    assert read_record(name).trusting().replay().game.name == "strange"
    with pytest.raises(api.InvalidRecord, match="a file does not run code that is not Sfida's own: stranger"):
        Table.resumed(read_record(saved("random", "stranger")))
    assert Table.resumed(read_record(saved("random", "stranger"), trust_agents=True)).specs[1] == "stranger"
    made = api.play("strange", ["random", "random"], seed=1)
    assert made.replay().is_over, "what was never in a file is the programmer's own"


# ---- folders ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_tournament_in_somebodys_folder_imports_nothing_from_it(tmp_path, sprung, jobs):
    """The program runs as installed (-P); its processes must not import from the folder either, unlike a bot."""
    for name in ("queue", "pickle", "joblib", "numpy"):
        (tmp_path / f"{name}.py").write_text("open('sprung.txt', 'w')")
    bot = tmp_path / "bots" / "bot.py"
    bot.parent.mkdir()
    example = Path(__file__).parents[2] / "docs" / "example_bot.py"
    bot.write_text("import beside_the_bot\n" + example.read_text())
    (bot.parent / "beside_the_bot.py").write_text("")
    done = subprocess.run([sys.executable, "-P", "-m", "sfida", "tournament", "tic_tac_toe", "random",
                           f"exec:{sys.executable} {bot}", "-n", "4", "--seed", "1", "-q", "-j", jobs, "--json"],
                          capture_output=True, timeout=120, check=True)
    assert not sprung()
    assert [agent["forfeits"] for agent in json.loads(done.stdout)["agents"]] == [0, 0]


def test_seats_that_a_record_keeps_do_not_run_unasked(sfida, sprung):
    """With --until, seats without a --seat keep the agents of the record."""
    record = api.play("tic_tac_toe", ["random", "random"], seed=1)
    line = {**record.to_json(), "seats": ["random", TRAP]}
    Path("trap.jsonl").write_text(json.dumps(line) + "\n")
    for seats in ((), ("--seat", "random")):
        done = sfida("play", "trap.jsonl", "--until", 2, *seats)
        assert done.exit_code
        assert "Traceback" not in done.stderr
        assert not sprung()
    sfida("play", "trap.jsonl", "--until", 2, "--seat", "random", "--seat", "random")
    assert not sprung()
    sfida("play", "trap.jsonl", "--until", 2, "--seat", "random", "--trust-agents")
    assert sprung(), "with consent it runs"
