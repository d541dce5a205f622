"""A game whose own code fails stops a tournament with one error, and none of its agents is charged."""

from __future__ import annotations

import os
import re
import sqlite3
import subprocess
import sys
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

import pytest

import sfida
from sfida.ai.arena.tournament import tournament
from sfida.ai.table import Table, take_seats
from sfida.cython_ext.errors import GameFault, game_fault
from sfida.cython_ext.rng import Random
from sfida.cython_ext.state import View
from sfida.engines.examples.tic_tac_toe import TicTacToe, TicTacToePosition
from sfida.engines.python_game import TERMINAL, TwoPlayers
from support.distributions import install

DEEDS = ("apply", "leaves", "illegal", "legal_moves", "texts", "to_move", "clone", "utilities", "observation", "format",
         "recursion", "nothing")


@dataclass(frozen=True)
class FaultyOptions(TwoPlayers):
    deed: str = field(default="apply", metadata={"values": DEEDS, "doc": "what goes wrong in the middle of a game"})


class FaultyPosition(TicTacToePosition):
    """Tic-tac-toe that fails in the middle of the game, where the centre is free."""

    __slots__ = ("deed",)

    def __init__(self, options: FaultyOptions) -> None:
        super().__init__(options)
        self.deed = options.deed

    def clone(self) -> Self:
        twin = super().clone()
        twin.deed = self.deed
        if self.fails("clone"):
            raise KeyError("lost a mark")
        return twin

    def fails(self, deed: str) -> bool:
        return deed == self.deed and self.board[4] == -1 and self.board.count(-1) <= 5 and self.to_move != TERMINAL

    def legal_moves(self) -> list[Any]:
        if self.fails("legal_moves"):
            return []
        return ["a1"] if self.fails("texts") else super().legal_moves()

    def apply(self, move: int) -> None:
        if self.fails("apply"):
            _ = 1 // 0
        if self.fails("leaves"):
            sys.exit(5)
        if self.fails("illegal"):
            raise sfida.IllegalMove("nobody may do that")
        if self.fails("recursion"):
            self.apply(move)
        super().apply(move)
        if self.fails("to_move"):
            self.to_move = 7

    def utilities(self) -> Any:
        return None if self.deed == "utilities" else super().utilities()

    def observation(self, seat: int) -> dict[str, Any]:
        if self.fails("observation"):
            raise AttributeError("board")
        return super().observation(seat)

    def format(self, move: int) -> str:
        if self.fails("format") or not 0 <= move <= 8:
            raise ValueError("no such cell")
        return super().format(move)


class Faulty(TicTacToe):
    name: ClassVar[str] = "faulty"
    options_class: ClassVar[type[Any]] = FaultyOptions
    position_class = FaultyPosition


SEARCH = ("ismcts:iterations=200,endgame=0", "random")


BY = r"\(raised by [\w() ]+ of the game faulty\) in \w+\.py, line \d+"


@pytest.mark.parametrize(("deed", "says"), [
    ("apply", rf"ZeroDivisionError: integer division or modulo by zero {BY}"),
    ("leaves", rf"SystemExit: 5 {BY}"),
    ("illegal", rf"IllegalMove: nobody may do that {BY}"),
    ("legal_moves", r"SfidaError: faulty: legal_moves\(\) is empty although the game is not over \(raised by "),
    ("texts", r"SfidaError: faulty: legal_moves\(\) lists 'a1'; a move is an int in .* \(raised by "),
    ("to_move", r"SfidaError: faulty: to_move is 7; it must be a seat"),
    ("clone", r"KeyError: 'lost a mark' \(raised by clone\(\) of the game faulty\)"),
    ("utilities", r"SfidaError: faulty: utilities\(\) must give one number per seat, not None"),
    ("recursion", rf"RecursionError: maximum recursion depth exceeded.* {BY}"),
])
def test_no_agent_is_charged_with_what_the_game_does(deed, says, tmp_path):
    """A search reaches the fault long before the table does."""
    store = tmp_path / "a.sfida"
    with pytest.raises(GameFault, match=rf"^the game raised {says}") as caught:
        tournament(Faulty(FaultyOptions(deed=deed)), SEARCH, 4, seed=1, store=store)
    text = str(caught.value)
    assert "\n" not in text
    assert " at move " in text
    assert any(f"in the game of {' : '.join(seats)} with seed " in text for seats in (SEARCH, SEARCH[::-1]))
    assert sqlite3.connect(store).execute("SELECT COUNT(*) FROM game WHERE forfeit IS NOT NULL").fetchone() == (0,)


def test_at_the_table_the_move_is_named(tmp_path):
    with pytest.raises(GameFault, match=r"\(raised by apply\(\) of the game faulty\) in .* at move 5, [abc][123], in "
                                        r"the game of .* with seed \d+ and luck \d+$"):
        tournament(Faulty(), ["random", "random"], 20, seed=1)


def test_what_was_played_is_kept_and_gone_on_with(tmp_path):
    store = tmp_path / "a.sfida"
    with pytest.raises(GameFault):
        tournament(Faulty(), ["random", "random"], 40, seed=3, store=store)
    with sqlite3.connect(store) as held:
        (games,) = held.execute("SELECT COUNT(*) FROM game").fetchone()
    assert games > 0
    with pytest.raises(GameFault):
        tournament(Faulty(), ["random", "random"], 40, seed=3, store=store, resume=True)


class Clumsy:
    """Uses the game in forbidden ways."""

    spec = "clumsy"

    def __init__(self, deed: str) -> None:
        self.deed = deed

    def choose(self, view: View) -> int:
        world = view.sample(Random(1))
        if self.deed == "an illegal move":
            world.apply(77)
        if self.deed == "no move":
            world.apply(None)
        if self.deed == "the position itself":
            world.position.apply("a1")
        if self.deed == "a strange text":
            view.format(99)
        if self.deed == "its own recursion":
            self._dive(view)
        if self.deed == "its own error":
            try:
                world.apply(77)
            except sfida.IllegalMove:
                raise RuntimeError("oh") from None
        return int(view.legal_moves()[0])

    def _dive(self, view: View) -> None:
        view.sample(Random(1)).legal_moves()
        self._dive(view)


@pytest.mark.parametrize("deed", ["an illegal move", "no move", "the position itself",
                                  "a strange text", "its own recursion", "its own error"])
def test_an_agent_answers_for_how_it_uses_the_game(deed):
    result = tournament(Faulty(FaultyOptions(deed="nothing")), [Clumsy(deed), "random"], 2, seed=1)
    assert [agent.forfeits for agent in result.standings.agents] == [2, 0]


@pytest.mark.parametrize("deed", ["apply", "leaves", "observation", "format"])
def test_a_game_alone_says_what_failed(deed):
    """`sfida play` and the browser seat agents at such a table."""
    game = Faulty(FaultyOptions(deed=deed))
    table = Table(game, take_seats(game, ["random", "random"]), 3)
    table.begin()
    with pytest.raises((GameFault, AttributeError)) as caught:
        _play_out(table)
    assert game_fault(caught.value) is not None


def _play_out(table: Table) -> None:
    while not table.is_over:
        table.play(table.next_move())
        for seat in (0, 1):
            table.state.view(seat).observation()


RARE = """
from sfida.engines.examples.tic_tac_toe import TicTacToe, TicTacToePosition


class Position(TicTacToePosition):
    __slots__ = ()

    def apply(self, move):
        if self.board.count(-1) == 3 and move == 8:
            raise LookupError("no such corner")
        super().apply(move)


class Rare(TicTacToe):
    name = "rare"
    position_class = Position
"""


@pytest.fixture
def sfida_command(tmp_path, monkeypatch):
    """Run the program with an installed game that fails in a rare line."""
    install(tmp_path / "site", "rare", "[sfida.games]\nrare = rare:Rare\n", rare=RARE)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path / "site"), os.environ.get("PYTHONPATH", "")]))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))

    def run(*arguments):
        return subprocess.run([sys.executable, "-m", "sfida", *arguments], capture_output=True, text=True, check=False,
                              cwd=tmp_path, timeout=120)
    return run


SAYS = r"the game raised LookupError: no such corner \(raised by [\w() ]+ of the game rare\) in rare.py, line \d+"


@pytest.mark.parametrize("arguments", [
    ("tournament", "rare", "random", "ismcts:iterations=50", "-n", "20", "--seed", "1", "--store", "a.sfida", "-q"),
    ("tournament", "rare", "random", "ismcts:iterations=50", "-n", "20", "--seed", "1", "-j", "2", "-q"),
    ("play", "rare", "--seat", "ismcts:iterations=300", "--seat", "random", "--seed", "3", "--json")])
def test_commands_end_with_one_line(sfida_command, arguments):
    done = sfida_command(*arguments)
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    (line,) = (line for line in done.stderr.splitlines() if line.startswith("error: "))
    assert re.match(rf"error: {SAYS} at move \d", line), line
    if arguments[0] == "play":
        assert "it is kept, and continues with: sfida play " in line
    elif "--store" in arguments:
        assert line.endswith("--store a.sfida --resume") or "interrupted before the first game" in line
