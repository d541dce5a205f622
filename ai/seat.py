"""A seat of a table: its agent with defaults for its optional parts, its clock, and what it sees of a game."""

from __future__ import annotations

import math
import numbers
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from sfida.ai.agent import Agent, HumanAgent, NamedAgent
from sfida.cython_ext.errors import InvalidOption
from sfida.cython_ext.measure import awake
from sfida.cython_ext.state import GameState, View
from sfida.engines.game import Game
from sfida.engines.records import GameRecord
from sfida.engines.registry import make_game
from sfida.engines.spec import quoted

# ---- A clock for a whole game, the share of it for one decision, and the time limit of an agent

_FORM = re.compile(r"(\d+(?:\.\d+)?)(?:\+(\d+(?:\.\d+)?))?")
LIMIT = 60.0                            # seconds that a decision may take, unless agents need more
MOST_SECONDS = 1e9                      # the largest limit, and the largest time that is stored
_AMPLE = 5.0                            # limit, as a multiple of the longest decision
_CHARACTERS = 40                        # most characters of a clock
_MOST_CLOCK = 1e8                       # most seconds of a clock, small enough to wait for its agent
_MOST = 0.25                            # largest share of the time left for one decision
_KEEP = 0.02                            # share of the clock kept for delays outside the search
LEAST = 0.002                           # seconds that a decision gets even if the clock has run out


def read_clock(text: str) -> tuple[float, float]:
    """Read a clock such as ``300+5``: return the seconds for a game and the seconds added by each decision.

    Raises
    ------
    InvalidOption
        If the text is not a clock.
    """
    match = _FORM.fullmatch(text.strip())
    if match is None or len(text) > _CHARACTERS or float(match[1]) == 0.0:
        raise InvalidOption(f"a clock is the seconds of a whole game, then a plus and the seconds that each decision "
                            f"adds, such as 300+5, not {quoted(text)}")
    start, increment = float(match[1]), float(match[2] or 0.0)
    if start + increment > _MOST_CLOCK:
        raise InvalidOption(f"a clock has at most {_MOST_CLOCK:.0f} seconds, not {quoted(text)}")
    return start, increment


def usual_limit(longest: Iterable[float | None]) -> float:
    """Return the seconds after which a decision counts as hung, unless the user sets a limit.

    Parameters
    ----------
    longest : iterable of float or None
        Longest decisions of the agents (`Seat.longest`).
    """
    return max([LIMIT, *(_AMPLE * each for each in longest if each is not None)])


class Clock:
    """The remaining time of one seat.

    Parameters
    ----------
    seconds : float
        Time at the start of the game.
    increment : float
        Seconds added after every decision.

    Attributes
    ----------
    left : float
        Remaining seconds; below 0 if the clock has run out.
    """

    def __init__(self, seconds: float, increment: float = 0.0) -> None:
        self._start = seconds
        self._increment = increment
        self.left: float = seconds

    @property
    def longest(self) -> float:
        """Most seconds for any one decision, however much time is left."""
        return self._start + self._increment

    def allot(self, decisions: float, weight: float = 1.0) -> float:
        """Return the seconds for the coming decision.

        Parameters
        ----------
        decisions : float
            Expected number of own decisions until the end, including this one.
        weight : float
            Time that this decision deserves, relative to an average one.
        """
        free = max(0.0, self.left - _KEEP * self._start)
        share = weight * (free / max(1.0, decisions) + self._increment)
        return max(LEAST, min(share, max(_MOST * free, free / max(1.0, decisions)), self.longest))

    def spare(self, spent: float) -> float:
        """Return how many more seconds remain for a decision that has taken `spent` seconds."""
        return max(0.0, min(_MOST * (self.left - spent - _KEEP * self._start), self.longest - spent))

    def spend(self, seconds: float) -> None:
        """Subtract the time of a decision and add the increment."""
        if math.isfinite(seconds):
            self.left += self._increment - seconds


# ---- The clocks of people: time for the whole game, and seconds for each turn. At zero the computer plays on

STAND_IN = "level:5"                    # who plays for a person whose time is up


class PeopleClocks:
    """One clock for each person; at most one of them runs.

    A clock runs while its person is asked for a decision. It gets the seconds of a turn when another player comes to
    move after it has run. Nothing gives time back, no undoing either.

    Parameters
    ----------
    form : str
        Seconds for the game and those of each turn, such as "600+10".
    seats : iterable of int
        The seats of people.
    now : callable, optional
        Returns the time in seconds; by default time stands still while the process sleeps.

    Attributes
    ----------
    form : str
    running : int or None
        The seat whose clock runs.
    now : callable
    """

    def __init__(self, form: str, seats: Iterable[int], now: Callable[[], float] | None = None) -> None:
        start, increment = read_clock(form)
        self.form: str = form.strip()
        self.running: int | None = None
        self.now: Callable[[], float] = now or awake
        self._since = 0.0
        self._moved: int | None = None      # the seat that gets the seconds of its turn when another comes to move
        self._clocks = {seat: Clock(start, increment) for seat in seats}

    def run(self, asked: int | None, to_move: int | None) -> None:
        """Let the clock of the person run who is asked, or none.

        Parameters
        ----------
        asked : int or None
        to_move : int or None
            The seat to move; -1 for chance, None after the end.
        """
        self._charge()
        if self._moved is not None and to_move is not None and to_move >= 0 and to_move != self._moved:
            if not self.is_out(self._moved):
                self._clocks[self._moved].spend(0.0)
            self._moved = None
        self.running = asked if asked in self._clocks else None
        if self.running is not None:
            self._moved = self.running

    def forgo(self) -> None:
        """Let no clock get the seconds of a turn for what has happened so far: it was taken back."""
        self._charge()
        self._moved = None

    def left(self, seat: int) -> float | None:
        """Return the seconds that a seat has left; None if it has no clock."""
        clock = self._clocks.get(seat)
        if clock is None:
            return None
        return max(0.0, clock.left - (self.now() - self._since if seat == self.running else 0.0))

    def is_out(self, seat: int) -> bool:
        """Whether the time of a seat is up."""
        return self.left(seat) == 0.0

    def _charge(self) -> None:
        now = self.now()
        if self.running is not None:
            self._clocks[self.running].left -= now - self._since
        self._since = now

    # ---- in records ---------------------------------------------------------------------------

    def to_json(self) -> dict[str, Any]:
        """Return the clocks as they stand, for the record of a game."""
        return {"form": self.form, "left": {str(seat): round(self.left(seat) or 0.0, 1) for seat in self._clocks}}

    @classmethod
    def from_json(cls, data: Any, now: Callable[[], float] | None = None) -> PeopleClocks:
        """Return the clocks of a record, none of which runs; raises InvalidOption if they are not clocks."""
        try:
            left = {int(seat): float(seconds) for seat, seconds in data["left"].items()}
            clocks = cls(str(data["form"]), left, now)
        except (TypeError, KeyError, ValueError, AttributeError, OverflowError):
            raise InvalidOption("the clocks of people are a form such as 600+10 and the seconds that each seat has "
                                "left") from None
        for seat, seconds in left.items():
            if not math.isfinite(seconds):
                raise InvalidOption("the seconds that a clock has left are a number")
            clocks._clocks[seat].left = seconds
        return clocks


# ---- What one seat sees of a game, event by event: the only data that its beliefs may use


@dataclass(frozen=True)
class Observation:
    """An event of a game as one seat saw it.

    A seat observes its own moves and every event whose label for it is not 0. It is told nothing of the other events,
    not even that they happened: in some games that is the secret.

    Attributes
    ----------
    number : int
        Number of events that the seat had observed before.
    seat : int
        The observing seat.
    actor : int
        The seat that moved; -1 for chance.
    label : int
        What the seat saw: `GameState.label(seat)` after the event; 0 only for an own move.
    move : int or None
        Code of an own move; None for moves of others, whether seen or not.
    view : View
        View of the seat right after the event.
    """

    number: int
    seat: int
    actor: int
    label: int
    move: int | None
    view: View = field(compare=False, repr=False)


def observation_of(state: GameState, seat: int, actor: int, move: int, number: int,
                   look: Callable[[int], View] | None = None) -> Observation | None:
    """Return the last event as a seat saw it, or None if it saw nothing.

    Parameters
    ----------
    state : GameState
        The true state right after the event.
    seat : int
        The observing seat.
    actor : int
        The seat that moved; -1 for chance.
    move : int
        Code of the event; it is passed on only to its actor.
    number : int
        Number of events that the seat has observed before.
    look : callable, optional
        Function that returns the view of a seat; by default `state.view`.
    """
    label = state.label(seat)
    if label == 0 and actor != seat:
        return None
    return Observation(number, seat, actor, label, move if actor == seat else None, (look or state.view)(seat))


def observations(game: Game, moves: Iterable[int | str], seat: int) -> Iterator[Observation]:
    """Play moves from the start of a game and yield what a seat observes of them.

    Parameters
    ----------
    game : Game
    moves : iterable of int or str
        All events in order, chance events included, as codes or in notation.
    seat : int

    Raises
    ------
    IllegalMove, InvalidNotation, AmbiguousNotation
        When the iteration reaches a move that is not legal there.
    """
    state, number = game.initial_state(), 0
    for move in moves:
        actor = state.to_move
        code = state.parse(move) if isinstance(move, str) else move
        state.apply(code)
        seen = observation_of(state, seat, actor, code, number)
        if seen is not None:
            number += 1
            yield seen


def recorded_observations(record: GameRecord, seat: int, until: int | None = None,
                          game: Game | None = None) -> Iterator[Observation]:
    """Return what a seat observed of a recorded game.

    Parameters
    ----------
    record : GameRecord
    seat : int
    until : int, optional
        Number of moves to play, chance events included; all by default.
    game : Game, optional
        The game, if it is not registered under the name in the record.

    Raises
    ------
    InvalidRecord
        If the record does not fit the rules.
    UnknownGame
    """
    record.replay(until, game)                      # raises an error if the record is wrong
    return observations(game if game is not None else make_game(record.game), record.moves[:until], seat)


# ---- A seat of a table: its agent, with a default for every optional part


class Seat:
    """The interface through which tables, arenas, engines and commands use an agent.

    `Agent` lists the parts that an agent may have. Only this class checks which ones it has.

    Parameters
    ----------
    agent : Agent
    """

    def __init__(self, agent: Agent) -> None:
        self.agent = agent
        self._optional: Any = agent

    # ---- properties ---------------------------------------------------------------------------

    @property
    def spec(self) -> str:
        """Spec that builds the agent again."""
        return self.agent.spec

    @property
    def options(self) -> object:
        """The agent's options; None if it has none."""
        return self.agent.options if isinstance(self.agent, NamedAgent) else None

    @property
    def is_person(self) -> bool:
        """Whether the agent stands for a person, whom the agent itself cannot ask."""
        return isinstance(self.agent, HumanAgent) and self.agent.ask is None

    @property
    def is_reusable(self) -> bool:
        """Whether the agent may play another game."""
        return bool(getattr(self._optional, "reusable", False))

    @property
    def listens(self) -> bool:
        """Whether the agent listens to what its seat sees."""
        return getattr(self._optional, "observe", None) is not None

    @property
    def analyzes(self) -> bool:
        """Whether the agent can analyze a position."""
        return hasattr(self._optional, "analyze")

    @property
    def can_be_hurried(self) -> bool:
        """Whether a search of the agent can be ended early with its present result."""
        return hasattr(self._optional, "cancel")

    @property
    def runs_program(self) -> bool:
        """Whether the agent is another program, which receives the signals of this one."""
        return bool(getattr(self._optional, "runs_programs", False))

    @property
    def longest(self) -> float | None:
        """Seconds that a decision may take by the agent's own time budget; None: the agent has no time budget.

        With a time budget its play depends on the speed of the machine, and on the machine's other load.
        """
        options = getattr(self._optional, "options", None)
        for holder, name in ((self._optional, "longest"), (options, "longest"), (options, "seconds")):
            found = getattr(holder, name, None)
            if isinstance(found, numbers.Real) and float(found) > 0:
                return float(found)
        return None

    @property
    def budget(self) -> float | None:
        """Seconds of a decision according to its budget; `longest` may be more for unclear decisions."""
        named = getattr(getattr(self._optional, "options", None), "seconds", None)
        return float(named) if isinstance(named, numbers.Real) and float(named) > 0 else self.longest

    @property
    def level(self) -> float | None:
        """The level at which the agent plays, 1 to 10, or None."""
        return getattr(self._optional, "level", None)

    @property
    def follows_person(self) -> bool:
        """Whether the agent has chosen its level by the person's record."""
        return bool(getattr(self._optional, "follows_person", False))

    @property
    def last_analysis(self) -> Any:
        """The analysis behind the agent's last choice; None if there is none."""
        return getattr(self._optional, "last_analysis", None)

    # ---- actions ------------------------------------------------------------------------------

    def check(self, game: Game) -> None:
        """Refuse an object that is not an agent, or a game that lacks what the agent requires; raises InvalidOption."""
        if not isinstance(self.agent, Agent):
            raise InvalidOption(f"an agent needs 'spec' and 'choose', which {quoted(self.agent)} does not have")
        check = getattr(self._optional, "check_game", None)
        if check is not None:
            check(game)

    def begin(self, seed: int | None = None) -> None:
        """Tell the agent that a game begins; `seed` is for its memory during the game, such as a belief."""
        if seed is not None and hasattr(self._optional, "seed"):
            self._optional.seed = seed
        begin = getattr(self._optional, "new_game", None)
        if begin is not None:
            begin()

    def choose(self, view: View, seed: int) -> Any:
        """Return the agent's move, unchecked; `seed` is for all its random choices in this decision."""
        if hasattr(self._optional, "seed"):
            self._optional.seed = seed
        return self.agent.choose(view)

    def observe(self, seen: Observation) -> None:
        """Tell the agent what one of its seats saw; does nothing if the agent does not listen."""
        if self.listens:
            self._optional.observe(seen)

    def analyze(self, view: View) -> Any:
        """Return the agent's analysis of a position; the agent must be one that `analyzes`."""
        return self._optional.analyze(view)

    def hurry(self) -> None:
        """End the agent's search early with its present result; it must be one that `can_be_hurried`."""
        self._optional.cancel()

    def follow(self, report: Callable[[Any], object] | None) -> None:
        """Report the progress of long decisions to a function; None stops the reports."""
        self._optional.on_progress = report

    def limit(self, seconds: float | None) -> None:
        """Set the time limit of a decision for an agent that waits for a program."""
        if hasattr(self._optional, "limit"):
            self._optional.limit = seconds

    def rest(self) -> None:
        """Release memory that the agent's next decision can do without, such as that of its tree."""
        rest = getattr(self._optional, "rest", None)
        if rest is not None:
            rest()

    def close(self) -> None:
        """Release the agent's resources, such as a program that it started."""
        close = getattr(self._optional, "close", None)
        if close is not None:
            close()
