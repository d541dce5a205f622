"""One table for all front ends: whichever program plays a game, its agents see, hear and play the same."""

from __future__ import annotations

import dataclasses
import json
import pickle
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import sfida
from sfida.ai.arena.player import SIZE, Company, GameRequest, Heartbeat, Lineup, Surroundings, play_game
from sfida.ai.beliefs import Beliefs
from sfida.ai.chance import SeededChance
from sfida.ai.external import agents
from sfida.ai.external.protocol import hello
from sfida.ai.external.server import EngineServer
from sfida.ai.seat import Observation
from sfida.ai.table import Table
from sfida.cli.main import main
from sfida.cython_ext.errors import InvalidRecord, SfidaError
from sfida.engines.records import GameRecord, read_record, write_records
from sfida.engines.registry import make_game

BELIEVER = "mo-ismcts:iterations=40,beliefs=32"
KINDS = ["random", "greedy", "flat:iterations=60", "pimc:worlds=4,iterations=20", "ismcts:iterations=40",
         "ismcts:iterations=40,beliefs=32", "mo-ismcts:iterations=40", BELIEVER]
SEED = 20
Heard = list[tuple[Any, ...]]


@pytest.fixture
def heard(monkeypatch: pytest.MonkeyPatch) -> Heard:
    """Return all observations of agents with beliefs, in order."""
    told: Heard = []
    observe = Beliefs.observe

    def spy(self: Beliefs, event: Observation) -> None:
        told.append((event.number, event.seat, event.actor, event.label, event.move, event.view.key()))
        observe(self, event)

    monkeypatch.setattr(Beliefs, "observe", spy)
    return told


# ---- ways to play a game ------------------------------------------------------------------------


def by_function(game: str, agents: list[str], folder: Path) -> GameRecord:
    return sfida.play(game, agents, seed=SEED)


def by_command(game: str, agents: list[str], folder: Path) -> GameRecord:
    file = folder / "played.jsonl"
    seats = [word for spec in agents for word in ("--seat", spec)]
    result = CliRunner().invoke(main, ["play", game, *seats, "--seed", str(SEED), "--record", str(file), "--json"])
    assert result.exit_code == 0, result.output
    return read_record(file)


def by_arena(game: str, agents: list[str], folder: Path) -> GameRecord:
    engine = make_game(game)
    cast = Lineup(pickle.dumps(engine), tuple(agents), tuple(agents), 60.0, analyses=False)
    page = folder / "page"
    page.write_bytes(bytes(SIZE))
    with Heartbeat(page) as heartbeat:
        reply = play_game(engine, Company(cast), GameRequest(tuple(range(len(agents))), SEED, SEED), heartbeat,
                          Surroundings())
    assert reply.forfeit is None
    return reply.record




def by_resuming(saved: Path, folder: Path) -> GameRecord:
    file = folder / "resumed.jsonl"
    result = CliRunner().invoke(main, ["play", str(saved), "--record", str(file), "--json"])
    assert result.exit_code == 0, result.output
    return read_record(file)


def cut(record: GameRecord, moves: int) -> GameRecord:
    """Return the unfinished game after a number of moves."""
    return dataclasses.replace(record, moves=record.moves[:moves], result=None,
                               chance=tuple(ply for ply in record.chance or () if ply < moves))


class Wire:
    """A stand-in for a program: an `EngineServer` in this process at the other end of the line protocol."""

    def __init__(self, command: list[str], called: str) -> None:
        self._server = EngineServer(command[0])
        self._answers: list[bytes] = []
        self.running = True

    def send(self, line: bytes) -> None:
        answer = self._server.answer(line)
        if answer is not None:
            self._answers.append(answer)

    def receive(self, deadline: float, wanted: str, limit: float | None) -> bytes:
        return self._answers.pop(0)

    def quit(self, line: bytes, seconds: float) -> None:
        self.send(line)

    def kill(self) -> None:
        self.running = False


@pytest.fixture
def wired(monkeypatch: pytest.MonkeyPatch) -> Callable[[str, list[str], Path], GameRecord]:
    """Play with each agent behind the line protocol."""
    monkeypatch.setattr(agents, "ProgramProcess", Wire)
    monkeypatch.setattr(agents, "command_line", lambda command: [command])

    def by_engine(game: str, agents: list[str], folder: Path) -> GameRecord:
        record = sfida.play(game, [f"exec:{spec}" for spec in agents], seed=SEED)
        return dataclasses.replace(record, seats=tuple(agents))

    return by_engine


# ---- the same everywhere ------------------------------------------------------------------------


@pytest.mark.parametrize("spec", KINDS)
@pytest.mark.parametrize("game", ["leduc_poker", "kuhn_poker"])
def test_every_way_to_play_gives_the_same_game_and_the_same_observations(
        game: str, spec: str, heard: Heard, wired: Callable[..., GameRecord], tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    agents = [spec, BELIEVER]
    wanted = by_function(game, agents, tmp_path)
    told = heard[:]
    assert told, "the agents were told nothing: the comparison would be empty"
    for way in (by_command, by_arena, wired):
        heard.clear()
        played = way(game, agents, tmp_path)
        assert played.moves == wanted.moves, way.__name__
        assert heard == told, way.__name__
    for moves in range(len(wanted.moves)):
        heard.clear()
        write_records(tmp_path / "saved.jsonl", [cut(wanted, moves)])
        (tmp_path / "resumed.jsonl").unlink(missing_ok=True)
        assert by_resuming(tmp_path / "saved.jsonl", tmp_path).moves == wanted.moves, moves
        assert heard == told, moves


@pytest.mark.parametrize("moves", [9, 13, 14, 30, 31])
def test_a_game_left_in_the_middle_of_a_turn_goes_on_with_the_tree_of_its_turn(moves: int) -> None:
    agents = ["ismcts:iterations=60", "ismcts:iterations=60"]
    whole = sfida.play("carcassonne", agents, seed=SEED)
    table = Table.resumed(cut(whole, moves))
    while not table.is_over:
        table.play(table.next_move())
    assert table.record().moves == whole.moves


def test_a_real_engine_is_told_what_its_seat_sees() -> None:
    engine = f"exec:{sys.executable} -m sfida engine --agent {BELIEVER}"
    played = sfida.play("leduc_poker", [engine, "random"], seed=SEED)
    assert played.moves == sfida.play("leduc_poker", [BELIEVER, "random"], seed=SEED).moves


def test_the_page_of_the_protocol_names_what_an_observation_holds(wired: object) -> None:
    lines: list[bytes] = []

    class Tapped(Wire):
        def send(self, line: bytes) -> None:
            lines.append(line)
            super().send(line)

    agents.ProgramProcess = Tapped               # type: ignore[assignment, misc]
    sfida.play("leduc_poker", [f"exec:{BELIEVER}", "random"], seed=SEED)
    messages = [json.loads(line) for line in lines]
    assert lines[0] == hello()
    told = [message for message in messages if message["type"] == "observe"]
    assert [message["number"] for message in told] == list(range(len(told)))
    page = (Path(__file__).resolve().parents[2] / "docs" / "measure" / "protocol.md").read_text()
    section = page[page.index("| field of `observe` |"):]
    section = section[:section.index("All of it")]
    for field in set(told[0]) - {"schema", "type"}:
        assert f"`{field}`" in section, field
    assert all((message["code"] is None) == (message["actor"] != 0) for message in told)


def test_programs_that_do_not_ask_are_told_nothing(wired: object) -> None:
    lines: list[bytes] = []

    class Tapped(Wire):
        def send(self, line: bytes) -> None:
            lines.append(line)
            super().send(line)

    agents.ProgramProcess = Tapped               # type: ignore[assignment, misc]
    sfida.play("leduc_poker", ["exec:random", "random"], seed=SEED)
    assert {json.loads(line)["type"] for line in lines} == {"hello", "new_game", "choose", "quit"}


# ---- taking back --------------------------------------------------------------------------------


def played_by_hand(table: Table) -> Iterator[None]:
    """Let a person play the last legal move each time; yields after each decision of the person."""
    while not table.is_over:
        person = table.is_person(table.state.to_move)
        table.play(table.state.legal_moves()[-1] if person else table.next_move())
        if person:
            yield


def sit() -> Table:
    """Return a table of a person against an agent that listens."""
    return Table.resumed(GameRecord("leduc_poker", 1, seats=("human", BELIEVER), seed=SEED))


def test_what_is_taken_back_comes_again_alike(heard: Heard) -> None:
    straight, back = sit(), sit()
    list(played_by_hand(straight))
    turns = played_by_hand(back)
    next(turns)
    heard.clear()
    gone = back.undo()
    assert [event.seat for event in gone] == [0]
    list(played_by_hand(back))
    once = heard[:]
    heard.clear()
    list(played_by_hand(sit()))
    assert once == heard
    assert back.record() == straight.record()


def test_what_is_played_again_is_what_was_played() -> None:
    table = Table.resumed(GameRecord("tic_tac_toe", 1, seats=("human", "ismcts:iterations=20"), seed=SEED))
    turns = played_by_hand(table)
    next(turns), next(turns), next(turns)
    played = table.events[:]
    first, second = table.undo(), table.undo()
    assert [len(first), len(second)] == [1, 2]
    assert table.can_redo
    assert table.redo() + table.redo() == table.events[-3:] == played[-3:]
    assert [event.analysis for event in table.events] == [event.analysis for event in played]
    assert not table.can_redo
    table.undo()
    table.play(table.state.legal_moves()[0])
    assert not table.can_redo
    with pytest.raises(SfidaError, match="nothing was taken back"):
        table.redo()


@pytest.mark.parametrize(("game", "moves", "back", "reveals"), [
    ("tic_tac_toe", ("b2", "a1"), 1, True),                 # the answer of the other seat
    ("tic_tac_toe", ("b2",), 1, False),                     # no answer has followed
    ("carcassonne", ("P", "P@0,-1/2", "+c0"), 1, False),    # the follower
    ("carcassonne", ("P", "P@0,-1/2", "+c0"), 2, False),    # the whole turn
    ("carcassonne", ("P", "P@0,-1/2", "+c0", "E"), 1, True),        # the next tile
])
def test_a_game_counts_unless_what_was_taken_back_told_something(
        game: str, moves: tuple[str, ...], back: int, reveals: bool) -> None:
    table = Table.resumed(GameRecord(game, make_game(game).rules_version, moves, ("human", "random"), SEED))
    for _ in range(back):
        table.undo()
    assert table.unrated is reveals
    for _ in range(back):
        table.redo()
    assert table.unrated is reveals, "what was seen is not forgotten"
    assert Table.resumed(table.record()).unrated is reveals


def test_an_own_move_that_brings_secrets_to_light_tells_something() -> None:
    """After the last card of goofspiel's round both bids are open; the second of them is the person's."""
    table = Table.resumed(GameRecord("goofspiel", 1, seats=("random", "human"), seed=SEED))
    turns = played_by_hand(table)
    next(turns)
    table.undo()
    assert table.unrated


def test_an_agent_hears_of_the_shorter_game_from_its_start(heard: Heard) -> None:
    table = sit()
    turns = played_by_hand(table)
    next(turns)
    first = heard[:]
    next(turns, None)
    heard.clear()
    table.undo()
    assert heard[:len(first)] == first
    assert [entry[0] for entry in heard] == list(range(len(heard)))


def test_nothing_to_take_back() -> None:
    table = Table.resumed(GameRecord("leduc_poker", 1, seats=("random", "human"), seed=SEED))
    assert not table.can_undo
    with pytest.raises(SfidaError, match="there is no decision of yours to take back"):
        table.undo()
    given = Table(table.game, table.seats, SEED, SeededChance(SEED))
    with pytest.raises(SfidaError, match="luck that comes from elsewhere cannot be taken back"):
        given.undo()


def test_a_game_that_is_over_is_not_resumed() -> None:
    record = sfida.play("kuhn_poker", ["random", "random"], seed=SEED)
    with pytest.raises(InvalidRecord, match="this game is over"):
        Table.resumed(record)
