"""Doors for walks through the history of a game: moves, undo, redo, saving, leaving, continuing, resigning, advice.

A model gives the correct result: a list of decisions and a place in the list. All events follow from the decisions
before that place, by playing them from the start.
"""

from __future__ import annotations

import contextlib
import gc
import json
import os
import random
import shlex
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest import mock

from sfida.ai import advice
from sfida.ai.chance import SeededChance, opening_seed
from sfida.ai.levels.person_rating import remembered
from sfida.ai.table import decide, take_seats
from sfida.cython_ext.errors import SfidaError
from sfida.cython_ext.state import GameState
from sfida.engines.game import Game
from sfida.engines.records import read_record
from sfida.engines.registry import make_game
from sfida.web import session
from sfida.web.lobby import Links, Lobby
from sfida.web.lookback import Lookback
from sfida.web.runner import Threads
from sfida.web.scenes import hint
from sfida.web.session import GameSession
from support.fuzzing.case import Broken, Case, Door
from support.fuzzing.program import QUICK, Ran, run

GAMES = {
    "short": ("tic_tac_toe", "kuhn_poker", "leduc_poker", "goofspiel", "phantom_tic_tac_toe"),
    "carcassonne": ("carcassonne", "carcassonne:players=3,river=true,first_player=random"),
    "zarahemla": ("zarahemla:board=figures", "zarahemla:board=figures,preset=catan,players=4"),
    "risiko": ("risiko:players=3", "risiko:preset=tournament,players=4"),
    "attila": ("attila:players=2", "attila"), "acres": ("acres", "acres:preset=online"),
}
AGENTS = ("random", "random", "greedy", QUICK, "level:1", "level:1")
STEPS = 14              # maximum number of commands of a walk
PATIENCE = 60.0         # seconds within which an agent must move


class Model:
    """A game as a list of decisions and a place in it.

    Attributes
    ----------
    decisions : list of int
        Codes of the decisions.
    place : int
        Number of decisions that are played.
    counts : bool or None
        Whether the result counts for the level of the person; None if the model cannot know.
    """

    def __init__(self, game: Game, seats: list[str], seed: int, *, typed: bool, asks: bool) -> None:
        self.game = game
        self.seats = seats
        self.seed = seed
        self.typed = typed
        self.asks = asks
        self.decisions: list[int] = []
        self.place = 0
        self.counts: bool | None = seats.count("human") == 1 and all(spec.startswith("level:") for spec in seats
                                                                     if spec != "human")
        self._sitting = take_seats(game, seats)
        self._played: dict[tuple[int, ...], tuple[GameState, list[tuple[int, str]]]] = {}

    def _after(self, decisions: tuple[int, ...]) -> tuple[GameState, list[tuple[int, str]]]:
        """Play from the start: return the position in which the next decision is due, and all events."""
        if decisions in self._played:
            return self._played[decisions]
        left, luck, events = list(decisions), SeededChance(self.seed), list[tuple[int, str]]()
        seats, state = self._sitting, self.game.initial_state()
        for number, seat in enumerate(seats):
            seat.begin(opening_seed(self.seed, number))
        while not state.is_over:
            mover = int(state.to_move)
            moves = state.legal_moves() if mover >= 0 else []
            if mover < 0 and not self.typed:
                code = luck.draw(state)
            elif mover >= 0 and not seats[mover].is_person:
                code = decide(seats[mover], state, self.seed, len(events))
            elif len(moves) == 1 and not self.asks:
                code = moves[0]
            elif left:
                code = left.pop(0)
            else:
                break
            events.append((mover, state.format(code)))
            state.apply(code)
        return self._played.setdefault(decisions, (state, events))

    @property
    def state(self) -> GameState:
        """The current position."""
        return self._after(tuple(self.decisions[:self.place]))[0]

    @property
    def events(self) -> list[tuple[int, str]]:
        """All events: the seat that moved, and the move."""
        return self._after(tuple(self.decisions[:self.place]))[1]

    @property
    def moves(self) -> tuple[str, ...]:
        """The moves of all events."""
        return tuple(text for _, text in self.events)

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return bool(self.state.is_over)

    @property
    def luck_decides(self) -> bool:
        """Whether the next decision is to type in a chance outcome."""
        return not self.over and int(self.state.to_move) < 0

    def choose(self, rng: random.Random) -> tuple[int, str]:
        """Return a legal choice and the text typed for it."""
        state = self.state
        if self.luck_decides:
            code = rng.choice([outcome for outcome, _ in state.chance_outcomes()])
            return code, state.format(code)
        moves = state.legal_moves()
        at = rng.randrange(len(moves))
        return moves[at], self.game.move_labels(state, moves)[at]

    def play(self, code: int) -> None:
        """Decide; decisions taken back are dropped."""
        self.decisions = [*self.decisions[:self.place], code]
        self.place += 1

    @property
    def decider(self) -> int:
        """The seat of the last decision, -1 for typed luck; valid only if there is a decision."""
        return self.events[self.decided_at][0]

    @property
    def decided_at(self) -> int:
        """The ply of the last decision; valid only if there is a decision."""
        return len(self._after(tuple(self.decisions[:self.place - 1]))[1])

    def undo(self) -> bool:
        """Go one decision back; return whether there was one."""
        if not self.place:
            return False
        late = self.events
        self.place -= 1
        gone = late[len(self.events):]
        if any(mover != gone[0][0] for mover, _ in gone):
            self.counts = False
        elif self.state.hidden and self.counts:
            self.counts = None              # one of the person's moves may have revealed a secret
        return True

    def redo(self) -> None:
        """Go one decision forward; valid only if one was taken back."""
        self.place += 1

    @property
    def can_redo(self) -> bool:
        """Whether a decision was taken back and not replaced since."""
        return self.place < len(self.decisions)

    def forget(self) -> None:
        """Leave and continue the game: decisions taken back are not kept."""
        self.decisions = self.decisions[:self.place]


def agree(what: str, found: object, wanted: object) -> None:
    """Refuse a value that differs from the model."""
    if found != wanted:
        raise Broken(f"{what}: {str(found)[-400:]}; the model says {str(wanted)[-400:]}")


def start(case: Case, specs: tuple[str, ...]) -> tuple[str, Model]:
    """Return the spec and the model of a new game."""
    rng = case.rng
    spec = rng.choice(specs)
    game = make_game(spec)
    seats = [rng.choice(("human", *AGENTS)) for _ in range(game.players)]
    if rng.random() < 0.4:
        seats = ["level:1"] * game.players
    typed = rng.random() < 0.2
    if "human" not in seats:
        seats[rng.randrange(game.players)] = "human"
    return spec, Model(game, seats, rng.randrange(1000), typed=typed, asks=rng.random() < 0.2)


def counted(case: Case) -> int:
    """Return the number of results in the record against levels."""
    with at_home(case):
        return len(remembered()[0])


@contextlib.contextmanager
def at_home(case: Case) -> Iterator[None]:
    """Put the state folder into the folder of the case while the block runs."""
    with mock.patch.dict(os.environ, {"HOME": str(case.folder / "home"), "XDG_STATE_HOME": str(case.folder / "state")}):
        yield


def saves(case: Case) -> list[Path]:
    """Return the saves."""
    return sorted((case.folder / "state" / "sfida" / "saves").glob("*.jsonl"))


# ---- at the terminal -----------------------------------------------------------------------------


class Sitting:
    """The input of one run of `sfida play`, and the expected answers; `offered`: it continues an offered game."""

    def __init__(self, case: Case, model: Model, *, offered: bool) -> None:
        self.case = case
        self.model = model
        self.offered = offered
        self.lines: list[str] = ["y"] if offered else []
        self.errors = 0
        self.told: list[tuple[Any, ...]] = []
        self.resigned = self.left = False
        self.kept: list[int] | None = None      # decisions written by "save"
        self._tell(0)

    def _tell(self, first: int) -> None:
        self.told += [("move", ply, text) for ply, (_, text) in enumerate(self.model.events) if ply >= first]

    def step(self) -> None:
        """Type one command."""
        rng, model = self.case.rng, self.model
        what = rng.choice(("move",) * 5 + ("undo",) * 3 + ("redo",) * 2 + ("save", "hint", "wrong", "quit", "resign"))
        first = len(model.events)
        if what == "move":
            code, typed = model.choose(rng)
            self.lines.append(typed)
            model.play(code)
            self._tell(first)
            return
        self.lines.append({"save": "save kept.jsonl", "wrong": "undo 3"}.get(what, what))
        if what == "undo":
            if model.undo():
                self.told.append(("undo", len(model.events)))
            else:
                self.errors += 1
        elif what == "redo":
            if model.can_redo:
                model.redo()
                self._tell(first)
            else:
                self.errors += 1
        elif what == "hint":
            self.errors += model.luck_decides
        elif what == "save":
            if self.kept is not None:
                self.lines[-1] = "hint"         # one game per file, so that the game to continue is unique
                self.errors += model.luck_decides
                return
            self.kept = model.decisions[:model.place]
        elif what == "wrong":
            self.errors += 1
        elif what == "quit":
            self.left = True
        elif model.luck_decides:
            self.errors += 1
        else:
            self.lines.append("resign")
            self.resigned = True

    def check(self, ran: Ran) -> None:
        """Compare the answers with the model."""
        over = self.model.over or self.resigned
        found = [(told["type"], told["ply"], *([told["move"]] if told["type"] == "move" else []))
                 for told in map(json.loads, ran.out.splitlines()) if told["type"] in ("move", "undo")]
        agree("what was told", found, self.told)
        broken_off = not (over or self.left or self.offered)        # at a terminal the end of input means quit
        if not self.offered:                # in an offered game a prompt precedes them in the line
            agree("refusals", len(ran.errors), self.errors + broken_off)
        agree("exit code", ran.code, int(broken_off))


def _terminal(specs: tuple[str, ...]) -> Any:
    def walk(case: Case) -> None:
        """Play several sittings of one game."""
        rng = case.rng
        spec, model = start(case, specs)
        seats = [word for agent in model.seats for word in ("--seat", agent)]
        new = ["play", spec, "--seed", str(model.seed), *seats, *(["--manual-chance"] if model.typed else [])]
        words = new
        others: list[tuple[str, ...]] = []      # moves in other saves
        for _ in range(rng.choice((1, 2, 3, 4))):
            sitting = Sitting(case, model, offered=bool(others or model.decisions) and words == new)
            for _ in range(rng.randrange(STEPS)):
                if model.over or sitting.resigned or sitting.left:
                    break
                sitting.step()
            ran = run(case, *words, *(["--ask-forced"] if model.asks else []), "--json",
                      typed="".join(f"{line}\n" for line in sitting.lines), asked=True, terminal=sitting.offered)
            gc.collect()                    # four agents of a sitting may hold 200 MB until they are collected
            sitting.check(ran)
            over = model.over or sitting.resigned
            held = {save: read_record(save).moves for save in saves(case)}
            agree("the saves", sorted(held.values()), sorted([*others, *([] if over else [model.moves])]))
            if model.counts is not None or not over:
                agree("results that count", counted(case), int(over and bool(model.counts)))
            if over:
                return
            model.forget()
            save = next(path for path, moves in held.items() if moves == model.moves)
            if sitting.kept is None or rng.random() < 0.5:
                (case.folder / "kept.jsonl").unlink(missing_ok=True)
                words = ["play", rng.choice(NAMES)(case, save)]
                if model.place and model.seats.count("human") == 1 and not model.typed and rng.random() < 0.3:
                    words = new
                continue
            (case.folder / "kept.jsonl").replace("again.jsonl")
            words, before = ["play", "again.jsonl"], model.moves
            model.decisions, model.place = sitting.kept, len(sitting.kept)
            if before != model.moves[:len(before)]:         # the save holds different moves
                others.append(before)
                model.counts = False
    return walk


def _relative(case: Case, save: Path) -> str:
    return os.path.relpath(save, case.folder)


def _linked(case: Case, save: Path) -> str:
    link = case.folder / f"link{len(list(case.folder.iterdir()))}.jsonl"
    link.symlink_to(save)
    return link.name


def _shared(case: Case, save: Path) -> str:
    link = case.folder / f"same{len(list(case.folder.iterdir()))}.jsonl"
    link.hardlink_to(save)
    return link.name


def _copied(case: Case, save: Path) -> str:
    copy = case.folder / f"copy{len(list(case.folder.iterdir()))}.jsonl"
    copy.write_bytes(save.read_bytes())
    return copy.name


NAMES = (_relative, _linked, _shared, _copied)


# ---- in the browser ------------------------------------------------------------------------------


class Browser:
    """A table of a house, used through the links of the host and of friends."""

    def __init__(self, case: Case, spec: str, model: Model) -> None:
        self.case = case
        self.model = model
        self.lobby = Lobby(Links.read(1), Threads(1))
        self.people = [number for number, agent in enumerate(model.seats) if agent == "human"]
        invited = [] if model.typed else [number for number in self.people if case.rng.random() < 0.25]
        entry = self.lobby.open(spec, model.seats, seed=model.seed, typed_luck=model.typed, invited=invited)
        self.token = entry.links[0].token
        self.hands = [entry.links[0].seats, *((number,) for number in invited)]
        if self.people == invited:
            model.counts = False
        self.resigned = False

    @property
    def session(self) -> GameSession:
        """The session of the table, which is woken if it sleeps."""
        return self.lobby.enter(self.token)[1]

    def may_undo(self, seats: tuple[int, ...]) -> bool:
        """Return whether the owner of these seats may take the last decision back."""
        model = self.model
        if not model.place or not seats:
            return False
        alone = set(self.people) <= set(seats)
        mine = alone if model.decider < 0 else model.decider in seats
        return mine and (alone or model.decided_at == len(model.events) - 1)

    def decides(self, seats: tuple[int, ...]) -> bool:
        """Return whether the owner of these seats decides now."""
        mover = int(self.model.state.to_move)
        return set(self.people) <= set(seats) if mover < 0 else mover in seats

    def settle(self) -> GameSession:
        """Wait until a person has to decide, or the game is over."""
        session, end = self.session, time.monotonic() + PATIENCE
        while True:
            with session.lock:
                due = session.is_over or (session.table.is_person(int(session.table.state.to_move))
                                          and session.table.only_move() is None)
                if due and not session.thinks:
                    return session
            if session.trouble or time.monotonic() > end:
                raise Broken(f"the table does not continue: {session.trouble}")
            time.sleep(0.0005)

    def restart(self) -> None:
        """End the server and start it again."""
        self.lobby.close()
        del self.lobby
        gc.collect()                        # as in `_terminal`
        self.lobby = Lobby(Links.read(1), Threads(1))
        self.model.forget()

    def step(self) -> None:
        """Take one action."""
        rng, model, session = self.case.rng, self.model, self.settle()
        seats = rng.choice(self.hands)
        if rng.random() < 0.8 and not self.decides(seats):
            seats = next(hand for hand in self.hands if self.decides(hand))
        what = rng.choice(("move",) * 5 + ("undo",) * 3 + ("redo",) * 2 + ("hint", "wrong", "restart", "sleep",
                                                                          "elsewhere", "resign"))
        self.case.note(f"{what} by {seats} at {model.place} of {len(model.decisions)} decisions")
        if what == "move":
            code, typed = model.choose(rng)
            agree("a move", self._does(lambda: session.play(seats, session.version, typed)), self.decides(seats))
            if self.decides(seats):
                model.play(code)
        elif what in ("undo", "redo"):
            can, act = ((self.may_undo(seats), session.undo) if what == "undo" else
                        (model.can_redo and self.decides(seats), session.redo))
            if can != self._does(lambda: act(seats, session.version)):
                raise Broken(f"{what} is {'refused' if can else 'done'} at {model.place} of {len(model.decisions)}")
            if can and what == "undo":
                model.undo()
            elif can:
                model.redo()
        elif what == "hint":
            agree("advice", self._does(lambda: hint(session, seats)), self.decides(seats) and not model.luck_decides)
        elif what == "wrong":
            agree("nonsense", self._does(lambda: session.play(seats, session.version, "no such move")), False)
        elif what == "restart":
            self.restart()
        elif what == "sleep":
            self.lobby._sleep(self.lobby.enter(self.token)[0].table)
            model.forget()
        elif what == "elsewhere":
            for save in saves(self.case):
                ran = run(self.case, "play", shlex.quote(str(save)), typed="quit\n")
                agree("exit code of a second program", ran.code, 1)
        elif session.may_resign(seats):
            session.resign(seats[0], session.version)
            self.resigned = True

    @staticmethod
    def _does(act: Any) -> bool:
        try:
            act()
        except SfidaError:
            return False
        return True

    def check(self) -> None:
        """Compare the table with the model."""
        session, model = self.settle(), self.model
        agree("what was played", [(event.seat, event.move) for event in session.table.events], model.events)
        agree("the steps", [step.text for step in session.steps], list(model.moves))
        over = model.over or self.resigned
        for seats in self.hands:
            now = session.moment(None, seats)
            agree(f"whether undo and redo are offered to {seats}", (now.can_undo, now.can_redo),
                  (False, False) if over else (self.may_undo(seats), model.can_redo and self.decides(seats)))
        if not over:
            (save,) = saves(self.case)
            agree("the save", read_record(save).moves, model.moves)


def _browser(specs: tuple[str, ...]) -> Any:
    def walk(case: Case) -> None:
        """Walk through one table, until its game or the walk is over."""
        spec, model = start(case, specs)
        model.asks = False
        case.note(f"{spec}: {model.seats}, seed {model.seed}{', luck is typed in' if model.typed else ''}")
        with (at_home(case), mock.patch.object(session, "PAUSE", 0.0), mock.patch.object(Lookback, "tell_luck"),
              mock.patch.object(advice, "HINT_AGENT", QUICK)):
            browser = Browser(case, spec, model)
            try:
                browser.check()
                for _ in range(case.rng.randrange(1, STEPS)):
                    browser.step()
                    browser.check()
                    if model.over or browser.resigned:
                        agree("saves of a game that is over", saves(case), [])
                        if model.counts is not None:
                            agree("results that count", len(remembered()[0]), int(model.counts))
                        break
            finally:
                browser.lobby.close()
    return walk


DOORS = tuple(door for name, specs in GAMES.items() for door in (
    Door(f"walk-terminal-{name}", f"walks through games at the terminal, {name}", _terminal(specs), share=0.1, short=4),
    Door(f"walk-browser-{name}", f"walks through games in the browser, {name}", _browser(specs), share=0.1, short=4)))
