"""One table: its game, its people, its listeners and its thinking agents; safe for several threads."""

from __future__ import annotations

import threading
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from sfida.ai.levels.person_rating import rated_level
from sfida.ai.luck.commitment import Commitment
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

SIZE = 800              # pixels, width of a board
_DRAWN = 8              # most pictures in the cache
_PATIENCE = 10.0        # longest wait until a hurried search ends, in seconds
_SELDOM = 2.0           # least seconds between two saves of a game without people
_NUDGE = 0.05           # seconds before a search is hurried again: it may not have begun the first time


class GameSession(Session):
    """A session at a table of the lobby, with present people, listeners, and agents that think in a runner.

    Whole positions do not leave it: callers get the position as one seat sees it (`seen`).

    Parameters
    ----------
    session : Session
        A game that has begun.
    runner : Runner
        Runs the decisions of agents.
    keep : callable
        Called with this session after each change that must be saved, and at the end of the game.
    guests : sequence of int
        Seats of invited people, whose browsers contribute to the luck.

    Attributes
    ----------
    version : int
        Grows with every change of the game; two positions never share a version, even after a restart.
    thought : Thought or None
        Progress of the running search.
    luck : callable or None
        Returns lines on the luck of the people and their most expensive moves, once the game was examined.
    trouble, unkept : callable or None
        Return the reason why the game has stopped, and why it is not saved, in the current language.
    """

    def __init__(self, session: Session, runner: Runner, keep: Callable[[GameSession], object],
                 guests: Sequence[int] = ()) -> None:
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
        self._pausing = -1                              # version at which a forced move is waiting to be played
        self._runner = runner
        self._keep = keep
        self._guests = guests
        self._kept, self._saved = 0.0, -1               # time and version of the latest call of `keep`
        self._present: Counter[int] = Counter()
        self._listeners: dict[object, Callable[[], object]] = {}
        self._log = EventLog()
        self._drawn: OrderedDict[tuple[bytes, int | None, bool, str], str] = OrderedDict()

    # ---- state of the game --------------------------------------------------------------------

    @property
    def is_over(self) -> bool:
        """Whether the game has ended, by its rules or by a resignation."""
        return self.table.is_over or self.table.resigned is not None

    @property
    def to_move(self) -> int | None:
        """The seat to move; -1 for chance, None after the end."""
        return None if self.is_over else int(self.table.state.to_move)

    @property
    def thinks(self) -> bool:
        """Whether an agent thinks or waits for the runner."""
        return self._thinker is not None or self._queued

    def seen(self, viewer: int | None, state: GameState | None = None) -> GameState:
        """Return a position of the game, by default the current one, as a viewer sees it.

        Parameters
        ----------
        viewer : int or None
            A seat; None for a spectator, who has only public information.
        state : GameState, optional
        """
        with self.lock:
            state = (self.table.state if state is None else state).clone()
        if state.hidden:
            for seat in range(state.players) if viewer is None else (viewer,):
                state = restore(self.game, state.view(seat).key())
        return state

    def is_present(self, seat: int) -> bool:
        """Whether a person watches the table from a seat, or an agent sits there."""
        return not self.table.is_person(seat) or self._present[seat] > 0

    def public_mark(self) -> tuple[object, ...]:
        """Return a value that changes whenever pages must redraw the table."""
        present = tuple(self.is_present(seat) for seat in range(len(self.table.seats)))
        return self.version, present, self.table.specs, self.trouble, self.luck is not None

    @property
    def deserted(self) -> bool:
        """Whether nobody watches the table."""
        return not self._listeners

    def can_undo(self, seats: Collection[int]) -> bool:
        """Whether the holder of `seats` may take back the last decision.

        If other people play along, only until another event follows it.
        """
        last = self._undoer()
        if last is None or not self._may(last.seat, seats):
            return False
        return set(self.table.people) <= set(seats) or last.ply == len(self.table.events) - 1

    def _undoer(self) -> MoveEvent | None:
        """Return the last decision of a person, if that person still sits there."""
        last = None if self.is_over else self.table.last_decision
        return last if last is not None and self.table.is_person(last.seat) else None

    def moment(self, viewer: int | None, seats: Collection[int]) -> Moment:
        """Return the table as it appears to a viewer who may decide for `seats`."""
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
        """Return the events as a viewer knows them."""
        with self.lock:
            return self._log.told(self.steps, viewer)

    def record(self) -> GameRecord:
        """Return the record of the game so far, including all secrets."""
        with self.lock:
            return self.table.record()

    def position(self, ply: int, viewer: int | None) -> GameState:
        """Return the position after some moves as a viewer sees it; raises NotHere if no such position exists."""
        with self.lock:
            steps = self.steps
            if not 0 <= ply <= len(steps):
                raise NotHere(_("there is no position after move {ply}: {number} were played").format(
                    ply=ply, number=len(steps)))
            state = steps[ply - 1].after if ply else steps[0].before if steps else self.table.state
            return self.seen(viewer, state)

    def drawn(self, seen: GameState, viewer: int | None, *, labels: bool) -> str:
        """Return the picture of a position as a viewer sees it; all pages share one drawing.

        Parameters
        ----------
        seen : GameState
            The position as the viewer sees it.
        viewer : int or None
        labels : bool
            Whether to mark the legal choices.
        """
        key = seen.to_bytes(), viewer, labels, language()
        with self._drawing:
            found = self._drawn.pop(key, None) or self.game.board_svg(seen, seat=viewer, size=SIZE, labels=labels)
            self._drawn[key] = found
            if len(self._drawn) > _DRAWN:
                self._drawn.popitem(last=False)
        return found

    # ---- listeners ----------------------------------------------------------------------------

    @contextmanager
    def listened(self, seats: Collection[int], told: Callable[[], object]) -> Iterator[None]:
        """Call a function after each change while the block runs; a person is present at `seats` during that time."""
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

    # ---- actions of people --------------------------------------------------------------------

    def start(self) -> None:
        """Start or continue the game."""
        with self.lock:
            self._go_on()

    def play(self, seats: Collection[int], version: int, text: str) -> None:
        """Play the choice of a person: one move, or the moves of a whole turn, as at a terminal.

        Parameters
        ----------
        seats : collection of int
            Seats that the person may decide for.
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
        """Go back to the last decision of a person at one of `seats`; raises as `play`."""
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
        """Replay the decision that was taken back last; raises as `play`."""
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
        """Resign the game for a seat; raises Stale."""
        with self.lock:
            self._check(version)
            self._quiet()
            self.table.resign(seat)
            self._changed()
            self._save()

    def hurry(self) -> None:
        """End the running search with its present result; raises RequestRefused if no search can be ended."""
        with self.lock:
            if self._thinker is None or not self._thinker.can_be_hurried:
                raise RequestRefused(_("no agent is thinking, so there is nothing to hurry"))
            self._thinker.hurry()

    def sit(self, number: int, seat: Seat) -> None:
        """Seat another agent or a person; raises InvalidOption, or Stale if the current agent does not stop."""
        with self.lock:
            self._quiet()
            was = self.table.seats[number]
            self.table.reseat(number, seat)
            was.close()
            self.trouble = None
            if self.gathers:
                self._gather(self.table.commitment)
                return
            self._changed()
            self._save()
            self._go_on()

    def tell_luck(self, luck: Callable[[], list[str]]) -> None:
        """Store the function that describes the luck of the people in the current language."""
        self.luck = luck
        self._tell()

    def close(self) -> None:
        """End the running search and release the agents' resources."""
        with self.lock:
            self._closed = True
            if self._thinker is not None and self._thinker.can_be_hurried:
                self._thinker.hurry()
            for seat in self.table.seats:
                seat.close()

    def may_resign(self, seats: Collection[int]) -> bool:
        """Whether the holder of `seats` may resign the game: not if other people would continue."""
        return not (self.is_over or self.gathers) and bool(seats) and (
            set(self.table.people) <= set(seats) or self.game.players == 2)

    def _check(self, version: int) -> int:
        """Return the seat to move (-1 for chance) at this version; raises Stale if the game has moved on."""
        if version != self.version:
            raise Stale(_("the game has moved on; look at the table again"))
        if self.is_over:
            raise Stale(_("the game is over"))
        if self.gathers:
            raise Stale(_("the game has not begun: guests are to contribute to its luck"))
        self.touched = awake()
        return int(self.table.state.to_move)

    def _may(self, seat: int, seats: Collection[int]) -> bool:
        """Whether the holder of `seats` decides for a seat; for chance, all seats of people are necessary."""
        return seat in seats if seat >= 0 else bool(seats) and set(self.table.people) <= set(seats)

    def _decides(self, seat: int, seats: Collection[int]) -> bool:
        return self.table.is_person(seat) and not self.gathers and self._may(seat, seats)

    def decides(self, seats: Collection[int]) -> bool:
        """Whether the holder of `seats` is to decide now."""
        return not self.is_over and self._decides(int(self.table.state.to_move), seats)

    # ---- the luck, before the game ------------------------------------------------------------

    @property
    def gathers(self) -> bool:
        """Whether the game waits for what its guests contribute to the luck."""
        return self.table.commitment is not None and self.table.commitment.stage != ""

    def awaited(self) -> list[int]:
        """Return the seats whose contributions are missing."""
        commitment = self.table.commitment
        return [] if commitment is None else commitment.waits_for(self._contributors())

    def contributes(self, seats: Collection[int]) -> int | None:
        """Return the seat for which the holder of `seats` contributes to the luck; None if that is nobody's task."""
        return next((seat for seat in self._contributors() if tuple(seats) == (seat,)), None)

    def contribute(self, seats: Collection[int], promise: str, given: str) -> None:
        """Take a guest's promise for the luck, or the promised bytes; raises Forbidden, Stale or InvalidOption."""
        with self.lock:
            seat, commitment = self.contributes(seats), self.table.commitment
            if seat is None:
                raise Forbidden(_("only guests contribute to the luck"))
            if commitment is None or not commitment.stage:
                raise Stale(_("the game has begun; its luck takes no more contributions"))
            self._gather(commitment.with_bytes(seat, given) if given else commitment.with_promise(seat, promise))

    def begin_without(self) -> None:
        """Wait no longer for the guests whose contributions are missing in this stage; raises Stale."""
        with self.lock:
            if not self.gathers:
                raise Stale(_("the game has begun; its luck takes no more contributions"))
            self._gather(self.table.commitment, hurried=True)

    def _contributors(self) -> list[int]:
        return [seat for seat in self._guests if self.table.is_person(seat)]

    def _gather(self, commitment: Commitment | None, *, hurried: bool = False) -> None:
        """Note a change of the contributions, and begin the game if nobody is waited for any more."""
        assert commitment is not None
        self.table.commit(commitment.after(self._contributors(), hurried=hurried))
        if not self.gathers:
            self.table.begin()
        self._changed()
        self._save()
        self._go_on()

    # ---- progress of the game -----------------------------------------------------------------

    def _play(self, move: int, seconds: float = 0.0) -> None:
        self.table.play(move, seconds, tell=False)
        for listener in self.table.listeners():
            try:
                self.table.tell(listener)
            except Exception as error:                  # an agent may be foreign code
                self.trouble = _trouble(self.table.specs[listener], error)
        self._changed()

    def _changed(self) -> None:
        self.version += 1
        self._tell()

    def _save(self) -> None:
        """Save the game unless its present state is saved."""
        if self._saved != self.version or self.unkept is not None:
            self._kept, self._saved = awake(), self.version
            self._keep(self)

    def _go_on(self) -> None:
        """Play chance events and forced moves, and start the search of an agent if one is to move."""
        table = self.table
        while not (self.is_over or self._closed or self.trouble or self.gathers):
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
        """Play a forced move of a person after the usual pause, which hides that it is forced."""
        def answer() -> None:
            with self.lock:
                if version == self.version and not self._closed:
                    self._play(only.move)
                    self._go_on()

        self._pausing = version
        self._runner.later(PAUSE, answer)

    def _think(self) -> None:
        """Decide for the agent to move; the runner calls this."""
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
        except Exception as error:                      # an agent may be foreign code
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
        """Wait until no agent thinks; the result of an ended search is discarded.

        Raises
        ------
        Stale
            If it does not stop.
        """
        if self._thinker is None:
            return
        self.version += 1                               # its answer is for an old position
        end = awake() + _PATIENCE
        while (thinker := self._thinker) is not None:
            if thinker.can_be_hurried:
                thinker.hurry()
            if awake() > end:
                raise Stale(_("{agent} is thinking; wait for its move").format(agent=thinker.spec))
            self._runner.wait(self._still, _NUDGE)


def _trouble(spec: str, error: Exception) -> Callable[[], str]:
    """Return the message about a game that cannot continue because of an error of the game or of an agent."""
    fault, reason = game_fault(error), str(error)
    return lambda: (_("{agent} cannot continue: {error}").format(agent=spec, error=reason) if fault is None else
                    str(fault))
