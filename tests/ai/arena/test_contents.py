"""Contents of named files belong to the identity of tournaments, trainings, tunings and records; paths do not."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

import sfida
from sfida.ai.arena.playing import play_block
from sfida.ai.arena.store import Store, export_games, import_games
from sfida.ai.arena.tournament import Tournament
from sfida.ai.external.agents import program_files
from sfida.ai.research.study.running import study_all, variants_of
from sfida.ai.research.training.training import TrainingPlan, kept_choices, train
from sfida.ai.research.tuning.tuning import plan_of, tune
from sfida.ai.table import Table
from sfida.cython_ext.errors import InvalidOption, InvalidRecord, SfidaError
from sfida.engines.learned import write_learned
from sfida.engines.spec import by_contents, contents_of
from support.networks import random_network

OBJECTIVE = """
[[objective]]
id = "own{number}"
name_en = "Hold {number} territories"
name_it = "Tieni {number} territori"
type = "territories"
count = {number}
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def network(path: Path, seed: int) -> Path:
    return write_learned(path, random_network(sfida.make("attila", players=2), seed=seed))


def planned(path: str, games: int = 4, **more: Any) -> Tournament:
    return Tournament("attila:players=2", [f"greedy:knowledge={path}", "random"], games, 1, adjusted=False, **more)


def test_a_replaced_file_makes_another_tournament(here: Path) -> None:
    network(here / "net.json", 1)
    planned("net.json", 2).run(here / "a.sfida")
    network(here / "net.json", 2)
    with pytest.raises(InvalidRecord, match=r"net\.json has changed: its digest is [0-9a-f]{16} there"):
        planned("net.json").run(here / "a.sfida", resume=True)
    with Store.read(here / "a.sfida") as store:
        assert len(store) == 2
    network(here / "net.json", 1)
    assert planned("net.json").run(here / "a.sfida", resume=True).games == 4


def test_a_moved_file_is_the_same_tournament(here: Path) -> None:
    network(here / "net.json", 1)
    whole = planned("net.json").run(here / "whole.sfida")
    planned("net.json", 2).run(here / "a.sfida")
    (here / "there").mkdir()
    shutil.move("net.json", "there/other.json")
    moved = planned("there/other.json").run(here / "a.sfida", resume=True)
    assert [agent.win_share for agent in moved.agents] == [agent.win_share for agent in whole.agents]
    with Store.read(here / "a.sfida") as store:
        assert store.setup.agents[0] == "greedy:knowledge=there/other.json"
        for outcome in store.outcomes():
            assert "greedy:knowledge=there/other.json" in outcome.record.seats
        export_games(store, here / "games.jsonl")
    assert import_games(here / "games.jsonl", here / "whole.sfida") == 0
    with Store.read(here / "whole.sfida") as store:
        assert store.setup.agents[0] == "greedy:knowledge=net.json"         # an import does not move files


def test_a_file_that_changes_during_a_tournament_stops_it(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    network(here / "net.json", 1)
    tournament = planned("net.json")

    def replaced(task: Any) -> Any:
        network(here / "net.json", 2)
        return play_block(task)

    monkeypatch.setattr("sfida.ai.arena.tournament.play_block", replaced)
    with pytest.raises(SfidaError, match=r"net\.json has changed since the tournament began"):
        tournament.run(here / "a.sfida", backend="threading")
    with Store.read(here / "a.sfida") as store:
        assert len(store) == 0


def test_specs_without_files_have_no_contents(here: Path) -> None:
    Tournament("attila:players=2", ["greedy:knowledge=hand", "random"], 2, 1, adjusted=False).run(here / "a.sfida")
    with Store.read(here / "a.sfida") as store:
        assert "contents" not in store.header
        assert "contents" not in next(iter(store.outcomes())).record.to_json()


def test_records_know_what_their_files_held(here: Path) -> None:
    path = here / "my.toml"
    path.write_text(objectives(15))
    game = "risiko:players=3,objective_deck=custom,objectives=my.toml"
    record = sfida.play(game, ["random"] * 3, seed=1)
    assert list(record.contents) == ["my.toml"]
    again = sfida.GameRecord.from_json_line(record.to_json_line())
    assert again == record
    assert again.replay().is_over
    path.write_text(path.read_text() + "# another file\n")
    with pytest.raises(InvalidRecord, match=r"my\.toml has changed: .*: restore the file"):
        again.replay()


def objectives(first: int) -> str:
    return "".join(OBJECTIVE.format(number=number) for number in range(first, first + 6))


def test_a_save_is_not_continued_by_another_network(here: Path) -> None:
    network(here / "net.json", 1)
    record = sfida.play("attila:players=2", ["greedy:knowledge=net.json", "random"], seed=1)
    left = sfida.GameRecord.from_json({**record.to_json(), "moves": list(record.moves[:9]), "result": None,
                                       "chance": [ply for ply in record.chance or () if ply < 9]})
    assert len(Table.resumed(left).events) == 9
    network(here / "net.json", 2)
    with pytest.raises(InvalidRecord, match=r"net\.json has changed"):
        Table.resumed(left)
    assert len(Table.resumed(left, ["random", "random"]).events) == 9       # other agents may continue


def test_a_moved_training_is_the_same(here: Path) -> None:
    game = sfida.make("goofspiel").game
    choices = {"recipe": "search", "agent": "ismcts:iterations=4", "against": "ismcts:iterations=4",
               "candidate": "ismcts:iterations=4",
               "games": 8, "seed": 1, "hidden": 0, "mix": 0.5, "sprt": None, "evaluation": True, "priors": False}
    first = train(TrainingPlan.of(game, {**choices, "rounds": 1}), here / "one")
    shutil.move("one", "two")
    rounds = train(TrainingPlan.of(game, {**choices, "rounds": 2}), here / "two", resume=True).rounds
    assert rounds[0].path == here / "two" / first.rounds[0].path.name
    shutil.move("two", "three")
    again = train(TrainingPlan.of(game, {**choices, "rounds": 3}), here / "three", resume=True).rounds
    assert [each.games for each in again] == [*(each.games for each in rounds), 24]


def test_trainings_and_tunings_know_their_files(here: Path) -> None:
    (here / "my.toml").write_text(objectives(15))
    spec = "risiko:players=3,objective_deck=custom,objectives=my.toml"
    game = sfida.make(spec).game
    choices = {"recipe": "search", "agent": "ismcts:iterations=4", "against": "ismcts:iterations=4",
               "candidate": "ismcts:iterations=4",
               "games": 8, "rounds": 1, "seed": 1, "hidden": 0, "mix": 0.5, "sprt": None, "evaluation": True,
               "priors": False}
    (here / "folder").mkdir()
    TrainingPlan.of(game, choices).save(here / "folder")
    assert kept_choices(here / "folder", game) == choices
    (here / "my.toml").write_text(objectives(16))
    with pytest.raises(InvalidOption, match=r"my\.toml has changed"):
        kept_choices(here / "folder", sfida.make(spec).game)

    network(here / "net.json", 1)
    tuning = plan_of("attila:players=2", "greedy", "worlds=1|2", seed=1, budget=200,
                     against=["greedy:knowledge=net.json"])
    assert list(tuning.to_json()["contents"]) == ["net.json"]
    (here / "tuning").mkdir()
    (here / "tuning" / "tune.json").write_text(json.dumps(tuning.to_json()))
    network(here / "net.json", 2)
    with pytest.raises(InvalidRecord, match=r"holds another tuning: net\.json has changed"):
        tune(tuning, here / "tuning")


def test_a_study_knows_its_files(here: Path) -> None:
    network(here / "net.json", 1)
    agents = ["greedy:knowledge=net.json", "random"]
    Tournament("attila:players=2", agents, 4, 1).run(here / "a.sfida")
    variants = variants_of("attila:players=2", None)
    assert len(study_all(variants, here / "a.sfida", agents)) == 1
    network(here / "net.json", 2)
    with pytest.raises(InvalidRecord, match=r"net\.json has changed"):
        study_all(variants, here / "a.sfida", agents)


def test_the_program_of_a_command_is_a_file_of_its_spec(here: Path) -> None:
    (here / "bot.py").write_text("#!/bin/sh\n")
    (here / "a bot").write_text("#!/bin/sh\n")
    assert program_files("python3 -u bot.py --log other.txt") == ("bot.py",)
    assert program_files("./bot.py --fast bot.py") == ("./bot.py",)
    assert program_files("a bot") == ("a bot",)
    assert program_files("'a bot' --fast") == ("a bot",)
    assert program_files("sfida engine") == ()
    (here / "bot.py").chmod(0o755)
    bot = sfida.agent("exec:./bot.py --fast")
    contents = contents_of(bot.options)
    assert by_contents(bot.spec, contents) == f"exec:{contents['./bot.py']} --fast"
