"""One table: what is played at it, by whom, and who is told; safe to be used by several threads."""

from __future__ import annotations

import threading
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from typing import Any

from sfida.ai.levels.person_rating import rated_level
from sfida.ai.seat import Seat
from sfida.ai.session import Session
from sfida.ai.table import PAUSE, Forced, MoveEvent, decide
from sfida.cython_ext.errors import IllegalMove, game_fault
from sfida.cython_ext.measure import awake
from sfida.cython_ext.state import CHANCE, GameState, restore
from sfida.engines.language import _, language
from sfida.engines.records import GameRecord
from sfida.web.events import EventLog, Moment, SeenEvent, Thought
from sfida.web.requests import Forbidden, NotHere, RequestRefused, Stale
from sfida.web.runner import Runner

# ---- One table: what is played at it, by whom, and who is told; safe to be used by several threads

SIZE = 800              # pixels, width of a board
_DRAWN = 8              # pictures that are kept
_PATIENCE = 10.0        # seconds in which a search must have ended that was told to
_SELDOM = 2.0           # seconds between two saves of a game without people
_NUDGE = 0.05           # seconds after which it is told again: it may not have begun when it was told first


class GameSession(Session):
    """A session at a table of the lobby: who is present, who is told, and agents that think elsewhere.

    Whole positions do not leave it: who asks is given what one seat sees (`seen`).

    Parameters
    ----------
    session : Session
        The game, which has begun.
    runner : Runner
        Where agents think.
    keep : callable
        Called with the session after each change that must not be lost, and at the end of the game.

    Attributes
    ----------
    version : int
        Changes with every change of the game; two positions never have the same one, even after a restart.
    thought : Thought or None
        What the agent to move thinks, while it does.
    luck : callable or None
        How much luck the people had and what cost them most, when the game is over and that was found out.
    trouble, unkept : callable or None
        Why the game has stopped, and why it is not kept, in the language of whoever asks; None if all is well.
    """

    def __init__(self, session: Session, runner: Runner, keep: Callable[[GameSession], object]) -> None:
        super().__init__(session.table, session.steps)
        self.lock: threading.RLock = threading.RLock()
        self._drawing = threading.Lock()
        self.version: int = time.time_ns() // 1_000_000
        self.thought: Thought | None = None
        self.trouble: Callable[[], str] | None = None
        self.unkept: Callable[[], str] | None = None
        self.luck: Callable[[], list[str]] | None = None
        self.touched: float = awake()
        self._still = threading.Condition(self.lock)
        self._thinker: Seat | None = None
        self._queued = self._closed = False
        self._pausing = -1                              # version at which the only move is about to play itself
        self._runner = runner
        self._keep = keep
        self._kept, self._saved = 0.0, -1               # when that was called last, and at which version
        self._present: Counter[int] = Counter()
        self._listeners: dict[object, Callable[[], object]] = {}
        self._log = EventLog()
        self._drawn: OrderedDict[tuple[bytes, int | None, bool, str], str] = OrderedDict()

    # ---- what is known ------------------------------------------------------------------------

    @property
    def is_over(self) -> bool:
        """Whether nothing more will be played."""
        return self.table.is_over or self.table.resigned is not None

    @property
    def to_move(self) -> int | None:
        """The seat to move, -1: luck, None: the game is over."""
        return None if self.is_over else int(self.table.state.to_move)

    @property
    def thinks(self) -> bool:
        """Whether an agent thinks, or waits for its turn to think."""
        return self._thinker is not None or self._queued

    def seen(self, viewer: int | None, state: GameState | None = None) -> GameState:
        """Return a position of the game, by default the current one, without what a viewer cannot know.

        Parameters
        ----------
        viewer : int or None
            A seat; None: a spectator, who knows what everybody knows.
        state : GameState, optional
        """
        with self.lock:
            state = (self.table.state if state is None else state).clone()
        if state.hidden:
            for seat in range(state.players) if viewer is None else (viewer,):
                state = restore(self.game, state.view(seat).key())
        return state

    def is_present(self, seat: int) -> bool:
        """Whether somebody looks at the table from a seat, or an agent sits there."""
        return not self.table.is_person(seat) or self._present[seat] > 0

    def public_mark(self) -> tuple[object, ...]:
        """Return a value that changes whenever a page must be redrawn."""
        present = tuple(self.is_present(seat) for seat in range(len(self.table.seats)))
        return self.version, present, self.table.specs, self.trouble, self.luck is not None

    @property
    def deserted(self) -> bool:
        """Whether nobody looks at the table."""
        return not self._listeners

    def can_undo(self, seats: Collection[int]) -> bool:
        """Whether who has `seats` may take the last decision back.

        Where other people play along, only as long as nothing has followed it.
        """
        last = self._undoer()
        if last is None or not self._may(last.seat, seats):
            return False
        return set(self.table.people) <= set(seats) or last.ply == len(self.table.events) - 1

    def _undoer(self) -> MoveEvent | None:
        """Return the last event that a person chose, if that person still sits there."""
        last = None if self.is_over else self.table.last_decision
        return last if last is not None and self.table.is_person(last.seat) else None

    def moment(self, viewer: int | None, seats: Collection[int]) -> Moment:
        """Return the table as a viewer knows it, who may decide for `seats`."""
        with self.lock:
            table, seen, to_move = self.table, self.seen(viewer), self.to_move
            asked = None
            if to_move is not None and self._pausing != self.version and self._decides(to_move, seats):
                asked = table.state.clone() if to_move == CHANCE else seen if to_move == viewer else None
            open_, trouble = not table.state.hidden, self.trouble or self.unkept
            analysis = next((step.analysis for step in reversed(self.steps)
                             if step.analysis is not None and step.analysis.stopped != "forced"), None)
            return Moment(
                self.version, viewer, seen, to_move, asked, self._log.told(self.steps, viewer),
                frozenset(event.ply for event in table.events if event.by_person and not table.is_decision(event)
                          and (open_ or event.seat == viewer)),
                tuple(analysis.value) if open_ and analysis is not None else None, self.thought,
                self.can_undo(seats), table.can_redo and self.decides(seats), table.resigned,
                [] if self.luck is None else self.luck(), "" if trouble is None else trouble(),
                table.unrated and rated_level(table) is not None)

    def told(self, viewer: int | None) -> list[SeenEvent]:
        """Return what was played, as a viewer was told it."""
        with self.lock:
            return self._log.told(self.steps, viewer)

    def record(self) -> GameRecord:
        """Return the record of the game so far, with all its secrets."""
        with self.lock:
            return self.table.record()

    def position(self, ply: int, viewer: int | None) -> GameState:
        """Return what a viewer sees of the position after some moves; raises NotHere if there is none."""
        with self.lock:
            steps = self.steps
            if not 0 <= ply <= len(steps):
                raise NotHere(_("there is no position after move {ply}: {number} were played").format(
                    ply=ply, number=len(steps)))
            state = steps[ply - 1].after if ply else steps[0].before if steps else self.table.state
            return self.seen(viewer, state)

    def drawn(self, seen: GameState, viewer: int | None, *, labels: bool) -> str:
        """Return the picture of a position as a viewer sees it; however many pages show it, it is drawn once.

        Parameters
        ----------
        seen : GameState
            Without what the viewer cannot know.
        viewer : int or None
        labels : bool
            With what can be chosen.
        """
        key = seen.to_bytes(), viewer, labels, language()
        with self._drawing:
            found = self._drawn.pop(key, None) or self.game.board_svg(seen, seat=viewer, size=SIZE, labels=labels)
            self._drawn[key] = found
            if len(self._drawn) > _DRAWN:
                self._drawn.popitem(last=False)
        return found

    # ---- who is told --------------------------------------------------------------------------

    @contextmanager
    def listened(self, seats: Collection[int], told: Callable[[], object]) -> Iterator[None]:
        """Have a function called after each change while the block runs; somebody is present at `seats` meanwhile."""
        mark = object()
        with self.lock:
            self._listeners[mark] = told
            self._present.update(seats)
        self._tell()
        try:
            yield
        finally:
            with self.lock:
                del self._listeners[mark]
                self._present.subtract(seats)
                self.touched = awake()
            self._tell()

    def _tell(self) -> None:
        for told in list(self._listeners.values()):
            told()

    # ---- what people do -----------------------------------------------------------------------

    def start(self) -> None:
        """Let the game begin, or continue."""
        with self.lock:
            self._go_on()

    def play(self, seats: Collection[int], version: int, text: str) -> None:
        """Play what a person has chosen: one move, or those of a whole turn, as typed at a terminal.

        Parameters
        ----------
        seats : collection of int
            Seats for which the person may decide.
        version : int
            Version of the position that the person saw.
        text : str

        Raises
        ------
        Stale, Forbidden
        InvalidNotation, IllegalMove, AmbiguousNotation
        """
        with self.lock:
            seat = self._check(version)
            if not self._decides(seat, seats):
                raise Forbidden(_("it is not your turn"))
            if self._pausing == version:
                raise Stale(_("your only move plays itself in a moment"))
            for move in self.typed(text, lambda mover: self._decides(mover, seats)):
                self._play(move)
            self._save()
            self._go_on()

    def undo(self, seats: Collection[int], version: int) -> None:
        """Go back to the last decision of a person, whose seat must be one of `seats`; raises as `play`."""
        with self.lock:
            self._check(version)
            if self._undoer() is None:
                raise IllegalMove(_("there is no decision of yours to take back"))
            if not self.can_undo(seats):
                raise Forbidden(_("the last decision is not yours to take back, or something has followed it"))
            self._quiet()
            self.take_back()
            self.trouble = None
            self._changed()
            self._save()
            self._go_on()

    def redo(self, seats: Collection[int], version: int) -> None:
        """Play again what was taken back last; raises as `play`."""
        with self.lock:
            seat = self._check(version)
            if self.table.can_redo and not self._decides(seat, seats):
                raise Forbidden(_("it is not your turn"))
            self._quiet()
            self.table.redo()
            self._changed()
            self._save()
            self._go_on()

    def resign(self, seat: int, version: int) -> None:
        """End the game for a seat that gives it up; raises Stale."""
        with self.lock:
            self._check(version)
            self._quiet()
            self.table.resign(seat)
            self._changed()
            self._save()

    def hurry(self) -> None:
        """End the search that runs with what it has found; raises RequestRefused if none can be ended."""
        with self.lock:
            if self._thinker is None or not self._thinker.can_be_hurried:
                raise RequestRefused(_("no agent is thinking, so there is nothing to hurry"))
            self._thinker.hurry()

    def sit(self, number: int, seat: Seat) -> None:
        """Let another agent, or a person, take a seat; raises InvalidOption, or Stale if the current agent plays on."""
        with self.lock:
            self._quiet()
            was = self.table.seats[number]
            self.table.reseat(number, seat)
            was.close()
            self.trouble = None
            self._changed()
            self._save()
            self._go_on()

    def tell_luck(self, luck: Callable[[], list[str]]) -> None:
        """Note how much luck the people had, in words of the language that is spoken when it is asked for."""
        self.luck = luck
        self._tell()

    def close(self) -> None:
        """End what runs, and release what the agents hold."""
        with self.lock:
            self._closed = True
            if self._thinker is not None and self._thinker.can_be_hurried:
                self._thinker.hurry()
            for seat in self.table.seats:
                seat.close()

    def may_resign(self, seats: Collection[int]) -> bool:
        """Whether who has `seats` may end the game by giving it up: not where others would continue."""
        return not self.is_over and bool(seats) and (set(self.table.people) <= set(seats) or self.game.players == 2)

    def _check(self, version: int) -> int:
        """Return the seat to move (-1: luck) in the position that somebody saw; raises Stale."""
        if version != self.version:
            raise Stale(_("the game has moved on; look at the table again"))
        if self.is_over:
            raise Stale(_("the game is over"))
        self.touched = awake()
        return int(self.table.state.to_move)

    def _may(self, seat: int, seats: Collection[int]) -> bool:
        """Whether who has `seats` answers for a seat; luck is typed in by who has all seats of people."""
        return seat in seats if seat >= 0 else bool(seats) and set(self.table.people) <= set(seats)

    def _decides(self, seat: int, seats: Collection[int]) -> bool:
        return self.table.is_person(seat) and self._may(seat, seats)

    def decides(self, seats: Collection[int]) -> bool:
        """Whether who has `seats` is to decide now."""
        return not self.is_over and self._decides(int(self.table.state.to_move), seats)

    # ---- how it continues -----------------------------------------------------------------------

    def _play(self, move: int, seconds: float = 0.0) -> None:
        self.table.play(move, seconds, tell=False)
        for listener in self.table.listeners():
            try:
                self.table.tell(listener)
            except Exception as error:                  # an agent may be anybody's code
                self.trouble = _trouble(self.table.specs[listener], error)
        self._changed()

    def _changed(self) -> None:
        self.version += 1
        self._tell()

    def _save(self) -> None:
        """Keep the game, unless it is kept as it stands."""
        if self._saved != self.version or self.unkept is not None:
            self._kept, self._saved = awake(), self.version
            self._keep(self)

    def _go_on(self) -> None:
        """Draw the luck that comes, play what needs no question, and have an agent think if one is to move."""
        table = self.table
        while not (self.is_over or self._closed or self.trouble):
            seat = int(table.state.to_move)
            if not table.is_person(seat):
                if seat != CHANCE:
                    if not self.thinks:
                        self._queued = True
                        self._runner.submit(self._think)
                    return
                self._play(table.next_move())
                continue
            only = table.only_move()
            if only is None:
                break
            if only.secret and self.is_timed(seat):
                self._later(only, self.version)
                return
            self._play(only.move)
        self._save()

    def _later(self, only: Forced, version: int) -> None:
        """Play the only move of a person after the pause that every such answer takes."""
        def answer() -> None:
            with self.lock:
                if version == self.version and not self._closed:
                    self._play(only.move)
                    self._go_on()

        self._pausing = version
        self._runner.later(PAUSE, answer)

    def _think(self) -> None:
        """Have the agent to move decide, where agents think."""
        with self.lock:
            self._queued = False
            if self.to_move is None or self._closed or self.table.is_person(seat := int(self.table.state.to_move)):
                return
            agent, version, state = self.table.seats[seat], self.version, self.table.state
            view, ply, seed = self.table.view(seat), len(self.table.events), self.table.seed
            self._thinker, self.thought = agent, Thought(seat)
            shows = not state.hidden
            self._tell()
        trouble, started, move = None, awake(), -1
        agent.follow(lambda progress: self._follow(seat, progress, shows))
        try:
            move = decide(agent, state, seed, ply, view)
        except Exception as error:                      # an agent may be anybody's code
            trouble = _trouble(agent.spec, error)
        finally:
            agent.follow(None)
        with self.lock:
            self._thinker = self.thought = None
            self._still.notify_all()
            if version == self.version and not self._closed:
                self.trouble = trouble
                if trouble is not None:
                    self._changed()
                else:
                    self._play(move, awake() - started)
                    if not self.table.people and awake() > self._kept + _SELDOM:
                        self._save()
            else:
                self._tell()
            if self.to_move != seat:
                agent.rest()
            self._go_on()

    def _follow(self, seat: int, progress: Any, shows: bool) -> None:
        self.thought = Thought(seat, progress.seconds, progress.iterations, progress.win if shows else None)
        self._tell()
        self._runner.pause()
        thinker = self._thinker
        if thinker is not None and thinker.can_be_hurried and self._runner.is_overdue(progress.seconds):
            thinker.hurry()

    def _quiet(self) -> None:
        """Wait until no agent thinks; what one has found by then does not count.

        Raises
        ------
        Stale
            If it does not stop.
        """
        if self._thinker is None:
            return
        self.version += 1                               # its answer is one to an old position
        end = awake() + _PATIENCE
        while (thinker := self._thinker) is not None:
            if thinker.can_be_hurried:
                thinker.hurry()
            if awake() > end:
                raise Stale(_("{agent} is thinking; wait for its move").format(agent=thinker.spec))
            self._runner.wait(self._still, _NUDGE)


def _trouble(spec: str, error: Exception) -> Callable[[], str]:
    """Return what to say where a game does not continue, for its own sake or for that of an agent; errors as raised."""
    fault, reason = game_fault(error), str(error)
    return lambda: (_("{agent} cannot continue: {error}").format(agent=spec, error=reason) if fault is None else
                    str(fault))
