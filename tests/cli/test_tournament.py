"""`sfida tournament` and `sfida ratings`, as a user meets them."""

import contextlib
import csv
import html
import itertools
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import pytest

from sfida.ai.arena.store import Store
from sfida.cli.tournament import command, resume_words

AGENTS = ("greedy", "random", "ismcts:iterations=20")
THREE = ("tournament", "carcassonne:players=3", *AGENTS, "--no-luck")     # measuring luck takes longer than the games


@dataclass(frozen=True)
class Said:
    out: str
    err: str

    @property
    def json(self):
        return [json.loads(line) for line in self.out.splitlines()]


@pytest.fixture
def run(sfida):
    """Run the program and return what it said."""
    def call(*arguments, code=0):
        result = sfida(*arguments)
        assert result.exit_code == code, result.stderr
        return Said(result.stdout, result.stderr)
    return call


def timeless(data):
    """Drop the values that differ between any two runs."""
    if isinstance(data, dict):
        return {key: timeless(value) for key, value in data.items() if key != "ms_per_move"}
    return [timeless(value) for value in data] if isinstance(data, list) else data


def test_the_json_is_what_programs_were_promised(run):
    result = run(*THREE, "-n", "6", "--seed", "3", "--json")
    (data,) = result.json
    assert data["schema"] == 1
    assert data["type"] == "tournament"
    assert (data["game"], data["games"], data["blocks"], data["seed"]) == ("carcassonne:players=3", 6, 2, 3)
    assert [agent["agent"] for agent in data["agents"]] == list(AGENTS)
    for agent in data["agents"]:
        assert set(agent) >= {"agent", "games", "win_share", "ci95", "elo", "elo_ci95", "mean_rank", "mean_score",
                              "ms_per_move"}
        assert len(agent["ci95"]) == len(agent["elo_ci95"]) == 2
    assert [(pair["a"], pair["b"]) for pair in data["pairs"]] == [
        ("greedy", "random"), ("greedy", "ismcts:iterations=20"), ("random", "ismcts:iterations=20")]
    assert [seat["seat"] for seat in data["seats"]] == [0, 1, 2]
    assert data["sprt"] is None


def test_the_table_is_for_people(run):
    result = run(*THREE, "-n", "6", "--seed", "3")
    lines = result.out.splitlines()
    assert lines[0] == "carcassonne:players=3  round-robin, 6 games in 2 blocks, seed 3"
    assert "ismcts:iterations=20" in result.out
    assert "ahead of" in result.out
    assert "Seats: red" in result.out
    assert "\x1b" not in result.out


WORDY = tuple(f"ismcts:iterations=2,c=0.{digit},fpu=0.4,informed=25,reuse=false,final=visits"
              for digit in range(1, 6))


def test_agents_that_never_met_get_a_dash(run, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    out = run("tournament", "tic_tac_toe", "greedy", *WORDY, "-n", "20", "--mode", "gauntlet", "--seed", "3", "-q").out
    heads, _, *lines = out[out.index("#   ahead of"):out.index("Seats:")].splitlines()
    assert max(map(len, [heads, *lines])) <= 80
    ends = [heads.index(f"  {place}") + 3 for place in range(1, 7)]
    starts = [len("#   ahead of"), *ends[:-1]]
    cells = {}                              # score and meetings of each row, by its place
    for scores, meetings in itertools.pairwise(lines):
        if scores[:1].isdigit():
            cells[int(scores[0])] = [" ".join(line[start:end].split()[-1] if line[start:end].strip() else ""
                                              for line in (scores, meetings)).strip()
                                     for start, end in zip(starts, ends, strict=True)]
    gauntlet = int(next(line for line in lines if " greedy " in line)[0])
    for place, row in cells.items():
        for other, cell in enumerate(row, start=1):
            met = (place == gauntlet) != (other == gauntlet)
            assert cell.split()[0] == ("%" if met else "·" if place == other else "-"), (place, other)
            assert not met or cell.split()[1] == "4"
    assert "Below each score: meetings; -: they never met" in out


def test_json_says_null_and_zero_of_agents_that_never_met(run):
    (data,) = run("tournament", "tic_tac_toe", "greedy", "random", "flat:iterations=2", "-n", "8", "--mode", "gauntlet",
                  "--seed", "3", "--json").json
    first, second, strangers = data["pairs"]
    assert (first["games"], second["games"]) == (4, 4)
    assert isinstance(first["score"], float)
    assert strangers == {"a": "random", "b": "flat:iterations=2", "games": 0, "score": None, "ci95": None,
                         "expected": None, "residual": None, "z": None}


def test_many_agents_are_told_in_several_tables(run, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    out = run("tournament", "tic_tac_toe", *["random"] * 12, "-n", "132", "--seed", "3", "-q").out
    first, second = (line.split()[3:] for line in out.splitlines() if "ahead of" in line)
    assert [*first, *second] == [str(place) for place in range(1, 13)]
    assert max(map(len, out[out.index("ahead of"):out.index("Seats:")].splitlines())) <= 80


def test_sides_that_differ_are_told_apart(run):
    result = run("tournament", "acres:max_turns=20", "greedy", "random", "-n", "4", "--seed", "3",
                 "--no-luck")
    heads, _, *rows = result.out[result.out.index("win % as"):].splitlines()
    assert heads.split()[3:] == ["british", "french"]
    assert {row.split()[0] for row in rows[:2]} == {"greedy", "random"}
    assert "win % as" not in run(*THREE, "-n", "3", "--seed", "3").out


def test_a_dry_run_plays_nothing(run, tmp_path):
    store = tmp_path / "games.sfida"
    result = run(*THREE, "-n", "100", "--seed", "3", "--dry-run", "--store", str(store))
    assert not store.exists()
    assert "102 games in 34 blocks of 3" in result.out
    assert "greedy  |  random  |  ismcts:iterations=20" in result.out
    assert "Takes about" in result.out
    assert "±" in result.out
    (data,) = run(*THREE, "-n", "100", "--seed", "3", "--dry-run", "--json").json
    assert data["type"] == "dry-run"
    assert data["games"] == 102
    assert data["expected_seconds"] > 0


def test_ratings_and_replay_read_the_store(run, tmp_path):
    store = str(tmp_path / "games.sfida")
    (played,) = run(*THREE, "-n", "6", "--seed", "3", "--store", store, "--json").json
    (read,) = run("ratings", store, "--json").json
    assert read == played
    (position,) = run("replay", store, "--game", "4", "--json").json
    with Store.open(tmp_path / "games.sfida") as opened:
        assert position["ply"] == len(opened.record(4).moves)
        assert position["scores"] == list(opened.record(4).result.scores)
    failed = run("replay", store, "--game", "7", code=1)
    assert failed.err == f"error: {store}: there is no game 7; the store holds game 1 to 6\n"
    (ladder,) = run("ratings", store, "--ladder", "--json").json
    assert {place["agent"] for place in ladder["ladder"]} == set(AGENTS)


def test_games_go_out_and_in_as_json_lines(run, tmp_path):
    store, file, copy = (str(tmp_path / name) for name in ("a.sfida", "games.jsonl", "b.sfida"))
    (played,) = run(*THREE, "-n", "3", "--seed", "3", "--store", store, "--json").json
    assert "3 games written" in run("ratings", store, "--export", file).err
    assert "3 games added" in run("ratings", copy, "--import", file).err
    (read,) = run("ratings", copy, "--json").json
    assert read == played
    assert run("replay", file, "--game", "2", "--json").json


def test_resume_takes_the_seed_and_number_from_the_store(run, tmp_path):
    store = str(tmp_path / "games.sfida")
    (first,) = run(*THREE, "-n", "6", "--seed", "3", "--store", store, "--json").json
    (again,) = run(*THREE, "--store", store, "--resume", "--json").json
    assert again == first
    (more,) = run(*THREE, "-n", "9", "--store", store, "--resume", "--json").json
    assert more["games"] == 9
    assert more["seed"] == 3


def test_what_differs_in_a_store_is_said(run, tmp_path):
    store = str(tmp_path / "games.sfida")
    run(*THREE, "-n", "3", "--seed", "3", "--store", store)
    failed = run(*THREE, "-n", "3", "--seed", "4", "--store", store, "--resume", code=1)
    assert failed.err == f"error: {store}: holds another tournament: seed is 3 there and 4 here\n"
    failed = run(*THREE, "-n", "3", "--seed", "3", "--store", store, code=1)
    assert "the file exists already" in failed.err


def test_a_sequential_test_is_said_in_words(run, tmp_path):
    words = ("tournament", "carcassonne", "greedy", "random", "--seed", "1", "--sprt", "elo0=0,elo1=100", "--no-luck",
             "--store", str(tmp_path / "games.sfida"))
    result = run(*words)
    assert "greedy is stronger than random: a lead of 100 Elo is accepted over 0" in result.out.replace("\n", " ")
    (data,) = run(*words, "--resume", "--json").json
    assert data["sprt"]["verdict"] == "H1"
    assert data["blocks"] == 30


# ---- luck-adjusted results ----------------------------------------------------------------------------


PAIR = ("tournament", "leduc_poker", "greedy", "random")


def test_results_without_luck_stand_under_the_table(run):
    out = run("tournament", "carcassonne", "greedy", "random", "-n", "2", "--seed", "3").out
    assert "luck-adjusted" in out
    assert "win % with luck" in out
    assert re.search(r"Luck by value function\s+[0-9a-f]{16}\.", out)
    assert "luck-adjusted" not in run("tournament", "carcassonne", "greedy", "random", "-n", "2", "--seed", "3",
                                     "--no-luck").out
    assert "luck-adjusted" not in run(*PAIR, "-n", "4", "--seed", "3").out


def test_the_json_has_the_results_without_luck(run):
    (data,) = run(*PAIR, "-n", "40", "--seed", "3", "--adjusted", "--json").json
    adjusted = data["adjusted"]
    assert re.fullmatch("[0-9a-f]{16}", adjusted["value"])
    assert 0 < adjusted["reach"] < 1.1
    assert len(adjusted["agents"]) == 2
    for fair in adjusted["agents"]:
        assert set(fair) == {"win_share", "ci95", "elo", "elo_ci95", "luck"}
        assert fair["ci95"][0] <= fair["win_share"] <= fair["ci95"][1]
    assert sum(fair["luck"] for fair in adjusted["agents"]) == pytest.approx(0, abs=1e-8)
    assert sum(fair["win_share"] for fair in adjusted["agents"]) == pytest.approx(1, abs=1e-8)
    (plain,) = run(*PAIR, "-n", "40", "--seed", "3", "--no-luck", "--json").json
    assert timeless(plain) == timeless(data | {"adjusted": None})


def test_luck_of_an_older_store_is_measured_by_ratings(run, tmp_path):
    store = str(tmp_path / "games.sfida")
    (with_luck,) = run(*PAIR, "-n", "6", "--seed", "3", "--adjusted", "--json").json
    run(*PAIR, "-n", "6", "--seed", "3", "--no-luck", "--store", store)
    plain = run("ratings", store)
    assert "Luck was not measured in these games" in plain.err
    assert f"sfida ratings {store} --adjusted" in plain.err.replace("\n", " ")
    told = run("ratings", store, "--adjusted", "--json")
    assert "Luck measured in 6 games by value function " + with_luck["adjusted"]["value"] in told.err.replace("\n", " ")
    assert timeless(told.json[0]) == timeless(with_luck)
    assert "Luck measured in 0 games" in run("ratings", store, "--adjusted").err
    (kept,) = run("ratings", store, "--json").json
    assert kept["adjusted"] == with_luck["adjusted"]


def test_a_sequential_test_may_judge_results_without_luck(run, tmp_path):
    store = str(tmp_path / "games.sfida")
    sprt = (*PAIR, "--seed", "3", "-n", "80", "--sprt", "elo0=0,elo1=50", "--store", store)
    (found,) = run(*sprt, "--adjusted", "--json").json
    assert found["adjusted"] is not None
    (read,) = run("ratings", store, "--json").json
    assert read["sprt"] == found["sprt"]
    with Store.read(Path(store)) as opened:
        assert opened.sprt.adjusted
    (plain,) = run(*sprt[:-2], "--json").json
    assert plain["sprt"]["llr"] != found["sprt"]["llr"]


def test_a_sequential_test_without_luck_needs_luck(run):
    failed = run(*PAIR, "--sprt", "elo0=0,elo1=50,adjusted=true", "--no-luck", code=2)
    assert "a test of luck-adjusted results needs the luck of the games" in failed.err
    assert failed.err.count("\n") == 1


@pytest.mark.parametrize(("given", "words"), [(True, "--adjusted"), (False, "--no-luck"), (None, "")])
def test_the_command_that_goes_on_says_what_was_said_about_luck(given, words):
    with command.make_context("tournament", ["leduc_poker", "greedy", "random"]) as context:
        context.params["adjusted"] = given
        said = resume_words(context, 3, 6, Path("games.sfida"))
    assert said.split("--seed 3")[1].split() == [*words.split(), "--store", "games.sfida", "--resume"]


@pytest.mark.parametrize(("arguments", "message"), [
    (["random"], "a tournament needs at least two agents, not 1"),
    (["random", "gredy"], "did you mean 'greedy'?"),
    (["random", "human"], "'human' cannot sit in a tournament"),
    (["random", "greedy", "--resume"], "--resume needs the store to continue with"),
    (["random", "greedy", "-n", "0"], "'0' is not a whole number of at least 1"),
    (["random", "greedy", "-n", "9999999999999"], "'9999999999999' is not a whole number from 1 to 1000000000000"),
    (["random", "greedy", "-j", "99999"], "'99999' is not a whole number from 1 to 1024"),
    (["random", "greedy", "--limit", "1e10"], "'1e10' is not a number greater than 0 and at most 1e+09"),
    (["random", "greedy", "--limit", "-0.0"], "'-0.0' is not a number greater than 0"),
    (["random", "greedy", "--limit", "inf"], "'inf' is not a number greater than 0"),
    (["random", "greedy", "--sprt", "elo=3"], "unknown option 'elo' of the sequential test"),
    (["random", "greedy", "greedy", "--sprt", "elo0=0"], "needs two agents or mode=gauntlet"),
    (["random", "greedy", "--limit", "0"], "'0' is not a number greater than 0"),
    (["random", "exec:no_such_program_here"], "no_such_program_here"),
    (["random", "greedy", "--mirror"], "mirrored line-ups belong to a gauntlet"),
])
def test_mistakes_get_one_line(run, arguments, message):
    failed = run("tournament", "tic_tac_toe", *arguments, code=2)
    assert message in failed.err
    assert failed.err.count("\n") == 1
    assert failed.out == ""


def test_too_many_jobs_for_agents_with_a_time_budget_are_warned_about(run):
    result = run("tournament", "tic_tac_toe", "random", "ismcts:seconds=0.01", "-n", "2", "-j", "500", "--dry-run")
    assert "note: 500 jobs share" in result.err


def test_a_report_is_written(run, tmp_path):
    pytest.importorskip("matplotlib")
    folder = tmp_path / "report"
    result = run(*THREE, "-n", "3", "--seed", "3", "--report", str(folder))
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert "carcassonne:players=3" in page
    assert "<svg" in page
    assert str(folder / "report.html") in result.err.replace("\n", "")
    with (folder / "games.csv").open(encoding="utf-8", newline="") as file:
        assert len(list(csv.reader(file))) == 4


def test_the_report_names_commands_that_replay_its_games(run, tmp_path):
    pytest.importorskip("matplotlib")
    run("tournament", "leduc_poker", "random", "greedy", "-n", "6", "--seed", "3", "--store", "my games.sfida",
        "--report", "report")
    page = html.unescape((tmp_path / "report" / "report.html").read_text(encoding="utf-8"))
    commands = re.findall(r"in the folder where the tournament ran: <code>(sfida replay .*?)</code>", page)
    assert commands
    with Store.open(tmp_path / "my games.sfida") as store:
        for command in commands:
            program, *words = shlex.split(command)
            assert program == "sfida"
            (shown,) = run(*words, "--json").json
            number = int(words[-1])
            assert [move["move"] for move in shown["moves"]] == list(store.record(number).moves)
            section = page[page.index(f'id="game-{number}"'):].partition("</article>")[0]
            assert re.findall(r"<li[^>]*>([^<]*)</li>", section) == list(store.record(number).moves)


def test_a_report_names_no_store_that_is_gone(run, tmp_path):
    pytest.importorskip("matplotlib")
    run("tournament", "leduc_poker", "random", "greedy", "-n", "2", "--seed", "3", "--report", "report")
    page = (tmp_path / "report" / "report.html").read_text(encoding="utf-8")
    assert "games.sfida" not in page
    assert "<code>--store</code> keeps the games of a tournament for <code>sfida replay</code>" in page


def test_forfeits_are_told_with_their_reason(run, tmp_path):
    bot = tmp_path / "bot.py"
    bot.write_text("import sys\nsys.exit('no licence')\n")
    store = str(tmp_path / "games.sfida")
    result = run("tournament", "tic_tac_toe", "random", f"exec:{sys.executable} {bot}", "-n", "2", "--seed", "1",
                   "--store", store)
    assert "forfeited 2 games (game 1, 2):" in result.out
    assert "no licence" in result.out
    assert "forfeits" in run("replay", store).out
    failed = run("tournament", "tic_tac_toe", "random", f"exec:{sys.executable} {bot}", "-n", "2", "--strict", code=1)
    assert failed.err.startswith("error: stopped at the first forfeit:")


# ---- runs that end before their time -----------------------------------------------------------------------


def start(*arguments, **options):
    return subprocess.Popen([sys.executable, "-m", "sfida", *arguments], stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True, start_new_session=True, **options)


def wait_for_games(path, count):
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        if path.exists() and path.stat().st_size:
            try:
                with Store.open(path) as store:
                    if len(store) >= count:
                        return
            except ValueError:
                pass
        time.sleep(0.02)
    raise AssertionError(f"not {count} games in time")


def nobody_left(session):
    """Return whether all processes of a session end; zombies count as ended."""
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        stats = []
        for stat in Path("/proc").glob("[0-9]*/stat"):
            with contextlib.suppress(OSError):
                stats.append(stat.read_text().rpartition(")")[2].split())
        if not any(int(fields[3]) == session and fields[0] not in "ZX" for fields in stats):
            return True
        time.sleep(0.05)
    return False


LONG = ("tournament", "carcassonne", "greedy", "ismcts:iterations=40", "--no-luck", "-n", "20", "--seed", "8")


def test_a_killed_tournament_goes_on_and_ends_the_same(run, tmp_path):
    path = tmp_path / "games.sfida"
    for games in (1, 6):
        process = start(*LONG, "--store", str(path), "--resume", "-j", "2")
        wait_for_games(path, games)
        process.send_signal(signal.SIGKILL)
        process.communicate()
    with Store.open(path) as store:
        assert 6 <= len(store) < 20
    (resumed,) = run(*LONG, "--store", str(path), "--resume", "--json").json
    (straight,) = run(*LONG, "--json", "-j", "2").json
    assert timeless(resumed) == timeless(straight)


def by_ctrl_c(process):
    os.killpg(process.pid, signal.SIGINT)               # as a terminal sends it: to all processes


def by_sigterm(process):
    process.send_signal(signal.SIGTERM)


def by_sigterm_to_all(process):
    os.killpg(process.pid, signal.SIGTERM)


@pytest.mark.parametrize(("wait", "end"), [(0.2, by_ctrl_c), (0.5, by_ctrl_c), (0.8, by_ctrl_c), (0.3, by_sigterm),
                                           (0.6, by_sigterm), (0.4, by_sigterm_to_all)])
def test_an_end_while_workers_start_is_told_in_one_line(tmp_path, wait, end):
    path = tmp_path / "games.sfida"
    process = start(*LONG[:-3], "4000", "--seed", "8", "--store", str(path), "-j", "2")
    while not path.exists():
        time.sleep(0.02)
    time.sleep(wait)
    end(process)
    err = process.communicate(timeout=60)[1]
    assert process.returncode == 130
    assert len([line for line in err.splitlines() if line.startswith("error: interrupted")]) == 1
    assert not [word for word in ("Traceback", "KeyboardInterrupt", "Warning", "resource_tracker") if word in err], err


@pytest.mark.parametrize("end", [by_ctrl_c, by_sigterm, by_sigterm_to_all])
def test_an_end_prints_the_table_so_far_and_how_to_go_on(tmp_path, end):
    path = tmp_path / "games.sfida"
    process = start(*LONG[:-3], "4000", "--seed", "8", "--store", str(path), "-j", "2")
    wait_for_games(path, 6)
    end(process)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "carcassonne  round-robin," in out
    last = err.strip().splitlines()[-1]
    assert "interrupted; " in last
    assert f"--store {path} --resume" in last
    assert not [word for word in ("Traceback", "Warning", "resource_tracker") if word in err], err
    assert nobody_left(process.pid)
    with Store.open(path) as store:
        assert 6 <= len(store) < 4000


def test_ctrl_c_without_a_store_keeps_the_games(tmp_path):
    process = start(*LONG[:-3], "4000", "--seed", "8", "--json", env={**os.environ, "TMPDIR": str(tmp_path)})
    deadline = time.monotonic() + 60
    while not list(tmp_path.glob("sfida-*/games.sfida")) and time.monotonic() < deadline:
        time.sleep(0.05)
    (path,) = tmp_path.glob("sfida-*/games.sfida")
    wait_for_games(path, 3)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    data = json.loads(out)
    assert data["interrupted"] is True
    assert f"--store {path} --resume" in err
    assert path.exists()


def test_an_export_does_not_replace_the_store(run, tmp_path):
    store = tmp_path / "games.sfida"
    run("tournament", "tic_tac_toe", "random", "greedy", "-n", "2", "--seed", "1", "--store", str(store))
    before = store.read_bytes()
    refused = run("ratings", str(store), "--export", str(store), code=1)
    assert "would replace the file that is read" in refused.err
    assert store.read_bytes() == before


def test_forfeits_are_told_in_json_and_decide_no_test(events, sfida):
    (table,) = events("tournament", "tic_tac_toe", "random", "exec:false", "--sprt", "elo0=0,elo1=35", "--seed", "1")
    (forfeits,) = table["forfeits"]
    assert forfeits == {"agent": "exec:false", "kind": "died", "games": 60, "first": [1, 2, 3, 4, 5],
                        "reason": "agent 'exec:false' ended with exit code 1"}
    assert (table["sprt"]["verdict"], table["sprt"]["forfeited"], table["sprt"]["blocks"]) == ("undecided", 30, 30)
