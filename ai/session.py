"""A game that people play: their input, take-backs, questions and look-ups, and its events in words. Shows nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from sfida.ai.agent import RandomAgent
from sfida.ai.chance import advice_seed
from sfida.ai.seat import Seat
from sfida.ai.table import MoveEvent, Table, take_seats
from sfida.cython_ext.errors import IllegalMove, InvalidNotation, InvalidOption
from sfida.cython_ext.rng import Random
from sfida.cython_ext.state import GameState, View
from sfida.engines.clauses import rules_of
from sfida.engines.game import Game
from sfida.engines.language import _
from sfida.engines.moves import Choices
from sfida.engines.narration import Lesson, Narration
from sfida.engines.on_demand import OnDemand
from sfida.engines.records import GameRecord, GameResult
from sfida.engines.registry import make_game
from sfida.engines.spec import quoted

if TYPE_CHECKING:
    from sfida.ai import advice
    from sfida.ai import analysis as analysed
    from sfida.ai.advice import Comparison
    from sfida.ai.analysis import Analysis, Line
else:
    advice, analysed = OnDemand("sfida.ai.advice"), OnDemand("sfida.ai.analysis")

# ---- One event of a game, as each seat saw it


@dataclass(frozen=True)
class Step:
    """One event of a game, as it is displayed.

    Attributes
    ----------
    event : MoveEvent
    before, after : GameState
        The whole states before and after it.
    """

    event: MoveEvent
    before: GameState = field(repr=False)
    after: GameState = field(repr=False)

    def told(self, viewers: Iterable[int] = ()) -> Narration:
        """Return what people at the seats of `viewers`, who read the same screen, are told of the event.

        Several viewers are told what each of them knows; no viewers means everything.
        """
        seats = tuple(viewers)
        game, code = self.before.game, self.event.code
        if not seats:
            return game.narrate(self.before, code, self.after, None, everything=True)
        first, *others = (game.narrate(self.before, code, self.after, seat) for seat in seats)
        if all(other == first for other in others):
            return first
        return game.narrate(self.before, code, self.after, None)

    def notation(self, viewers: Iterable[int] = ()) -> str:
        """Return the event in notation, as these viewers saw it; "" if they saw nothing."""
        seen = {self.seen[viewer] for viewer in viewers} or {self.text}
        return seen.pop() if len(seen) == 1 else self.seen[-1]

    @cached_property
    def seen(self) -> tuple[str, ...]:
        """The notation as each seat saw it, "" for nothing; the last one as a spectator saw it."""
        game, code = self.before.game, self.event.code
        return tuple(game.told_notation(self.before, code, self.after, viewer)
                     for viewer in (*range(self.before.players), None))

    @property
    def ply(self) -> int:
        """Index of the event in the record."""
        return self.event.ply

    @property
    def seat(self) -> int:
        """The seat that moved; -1 for chance."""
        return self.event.seat

    @property
    def text(self) -> str:
        """The event in notation."""
        return self.event.move

    @property
    def analysis(self) -> Any:
        """The analysis of the agent that chose the move; None if there is none."""
        return self.event.analysis

    def to_json(self) -> dict[str, Any]:
        """Return the step as an event of ``sfida play --json``."""
        return {key: value for key, value in self.event.to_json().items() if key != "schema"}


def step_of(before: GameState, event: MoveEvent) -> Step:
    """Return the step of an event.

    Parameters
    ----------
    before : GameState
        The position before it.
    event : MoveEvent
        The event, with the state after it.
    """
    assert event.state is not None
    return Step(event, before, event.state.clone())


# ---- A question to the adviser: the move to play, or what is wrong with one

_WORLDS = 50            # worlds sampled to find one in which the move is legal


@dataclass(frozen=True)
class Question:
    """A person's question to the adviser about a decision. An answer takes one or two seconds.

    Attributes
    ----------
    adviser : Seat
        The agent that gives the advice.
    seed : int
        Seed of its searches.
    state : GameState
        The position in question, as the person may see it.
    view : View
        The view of the seat that decides there.
    move : int or None
        Code of the move in question; None: any move.
    step : Step or None
        The decision of an agent in question; then `state` is a position in which it can be explained.
    """

    adviser: Seat
    seed: int
    state: GameState
    view: View
    move: int | None = None
    step: Step | None = None

    def best(self) -> tuple[Analysis, Line]:
        """Return the adviser's analysis, and the line that it expects."""
        analysis = self.adviser.analyze(self.view)
        return analysis, analysed.follow(self.view, analysis.best.pv, self.seed)

    def compared(self) -> Comparison:
        """Compare the move with the best one."""
        assert self.move is not None
        return advice.compare(self.adviser.agent, self.view, self.move)


def last_choice(steps: Sequence[Step], people: Iterable[int], viewer: int, seed: int) -> tuple[Step, GameState] | None:
    """Return the last decision of a seat that is not a person's, and a position in which to explain it to a seat.

    Moves without an alternative, or unseen by the seat, are passed over. With secrets the position is a world drawn
    from the seat's knowledge in which the move is legal: an explanation there reveals nothing about the mover's true
    hand.

    Returns
    -------
    (Step, GameState) or None
        None if there is no such decision.
    """
    seats, rng = frozenset(people), Random(seed)
    for step in reversed(steps):
        if step.seat >= 0 and step.seat not in seats:
            before = _explainable(step, viewer, rng)
            if before is not None and len(before.legal_moves()) > 1:
                return step, before
    return None


def _explainable(step: Step, viewer: int, rng: Random) -> GameState | None:
    before = step.before
    if not before.hidden:
        return before
    if step.notation((viewer,)) != step.text:
        return None
    worlds = (before.view(viewer).sample(rng) for _ in range(_WORLDS))
    return next((world for world in worlds if step.event.code in world.legal_moves()), None)


# ---- The walk-through of a first game: an introduction, then a lesson at the first decision of each kind

INTRODUCTION = "introduction"           # key of the introduction


class Teacher:
    """Teaches a game as it is played, one page at a time.

    Parameters
    ----------
    game : Game
    taught : iterable of str
        Keys of the pages that were shown before.

    Raises
    ------
    InvalidOption
        If no walk-through comes with the game.
    """

    def __init__(self, game: Game, taught: Iterable[str] = ()) -> None:
        self._game = game
        self._taught = set(taught)
        if not game.introduction():
            raise InvalidOption(_("no tutorial comes with {game}; its rules: sfida games {game}").format(
                game=game.name))

    def introduction(self) -> Lesson | None:
        """Return the introduction of the game, the first time."""
        return self._first(Lesson(INTRODUCTION, _(self._game.title), self._game.introduction()))

    def lesson(self, state: GameState, seat: int) -> Lesson | None:
        """Return the lesson for a seat's decision if it is the first of its kind."""
        return self._first(self._game.lesson(state, seat))

    def _first(self, page: Lesson | None) -> Lesson | None:
        if page is None or page.key in self._taught:
            return None
        self._taught.add(page.key)
        return page


# ---- A picture of a game: a position in its middle

_SHOWN = 0.6            # share of the events of a whole game that have taken place
_PICTURED = 7           # seed of that game


def midgame(game: Game) -> GameState:
    """Return a position in the middle of a game between greedy agents, always the same."""
    table = Table(game, take_seats(game, ["greedy"] * game.players), _PICTURED)
    states = [table.state.clone()]
    while not table.is_over:
        table.play(table.next_move(), tell=False)
        states.append(table.state.clone())
    return states[int(_SHOWN * (len(states) - 1))]


# ---- The session


class Session:
    """A game that people play, in a terminal or on a page.

    Parameters
    ----------
    table : Table
        Table without moves, unless `steps` are given.
    steps : list of Step, optional
        Steps so far; a watcher of the table adds the next ones.

    Attributes
    ----------
    table : Table
    game : Game
    steps : list of Step
        The events played.
    """

    def __init__(self, table: Table, steps: list[Step] | None = None) -> None:
        self.table = table
        self.game: Game = table.game
        self.steps: list[Step] = [] if steps is None else steps
        if steps is None:
            table.watchers.append(lambda before, event: self.steps.append(step_of(before, event)))

    @classmethod
    def resumed(cls, record: GameRecord, agents: Sequence[str] = (), *, typed_luck: bool = False) -> Session:
        """Return the session of an unfinished game as if it had never been left; parameters as for `Table.resumed`."""
        steps: list[Step] = []
        return cls(Table.resumed(record, agents, typed_luck=typed_luck, watchers=[
            lambda before, event: steps.append(step_of(before, event))]), steps)

    @classmethod
    def replayed(cls, record: GameRecord, until: int | None = None, seats: Sequence[Seat] = ()) -> Session:
        """Return the session of a valid record after its first `until` moves, by default all; nobody continues it."""
        game = make_game(record.game)
        session = cls(Table(game, seats or [Seat(RandomAgent())] * game.players, record.seed or 0, typed_luck=True))
        for text in record.moves[:until]:
            session.table.play(session.table.state.parse(text))
        return session

    # ---- playing ------------------------------------------------------------------------------

    def typed(self, text: str, decides: Callable[[int], bool] | None = None, then: str = "") -> list[int]:
        """Return the moves of a line, either one or those of a whole turn, without playing them.

        Parameters
        ----------
        text : str
        decides : callable, optional
            Whether the person who typed it decides for a seat (-1: chance); by default for all people's seats.
        then : str
            A line that follows; "" for none.

        Raises
        ------
        InvalidNotation, AmbiguousNotation
        IllegalMove
            If the rules forbid a move, or another seat decides on one of them.
        """
        moves, ahead = Choices(self.table.state).find(text), self.table.state.clone()
        for number, move in enumerate(moves):
            seat = int(ahead.to_move)
            if number and not (decides or self.table.is_person)(seat):
                raise IllegalMove(_("{seat} decides after the first {number} of the {moves} moves in {text}").format(
                    seat=self.game.seat_name(seat), number=number, moves=len(moves), text=quoted(text.strip())))
            ahead.apply(move)
        if then:
            if ahead.is_over or not (decides or self.table.is_person)(int(ahead.to_move)):
                raise IllegalMove(_("{text} cannot follow: another seat decides next").format(
                    text=quoted(then.strip())))
            moves = [*moves, *Choices(ahead).find(then)]
        return moves

    def take_back(self) -> list[MoveEvent]:
        """Go back to the last decision of a person, and return what was taken back (`Table.undo`)."""
        gone = self.table.undo()
        del self.steps[len(self.table.events):]
        return gone

    def was_forced(self, step: Step) -> bool:
        """Return whether a step was played without asking the person."""
        return step.event.by_person and not self.table.is_decision(step.event)

    def is_timed(self, seat: int) -> bool:
        """Whether somebody else could time the answers of a person."""
        return any(other != seat and (one.is_person or one.runs_program)
                   for other, one in enumerate(self.table.seats))

    def share(self, seat: int) -> float:
        """Return the win share of a seat; 0.0 if the game was resigned or continues."""
        result = None if self.table.resigned is not None else GameResult.of(self.table.state)
        return 0.0 if result is None else result.utilities[seat]

    # ---- looking up ---------------------------------------------------------------------------

    def stock(self, state: GameState, viewer: int | None, *, color: bool = False, width: int = 100) -> str:
        """Return what may still be drawn, as far as the viewer of a position knows."""
        return (self.game.stock_text(state, seat=viewer, color=color, width=width)
                or _("There is nothing to draw from whose contents may be seen."))

    def cards(self, state: GameState, *, color: bool = False, width: int = 100) -> str:
        """Return the effect of each kind of card."""
        return self.game.cards_text(state, color=color, width=width) or _("There are no cards to explain.")

    def rules(self, find: str = "") -> list[str]:
        """Return the clauses that a text names, or the chapters; raises InvalidNotation if there are none."""
        rules = rules_of(self.game.name)
        if rules is None:
            raise InvalidNotation(_("no rules come with {game}").format(game=_(self.game.title)))
        return rules.find(find) if find.strip() else rules.contents()

    # ---- advice -------------------------------------------------------------------------------

    def question(self, state: GameState, about: str | None = None, ply: int | None = None) -> Question | None:
        """Return the question about the coming decision.

        Parameters
        ----------
        state : GameState
            The position as the seat to move sees it.
        about : str, optional
            A typed move: why not this one; "": why the last decision of an agent. By default the best move.
        ply : int, optional
            With "": why the decision of an agent with this index, not the last one.

        Returns
        -------
        Question or None
            None if no decision of an agent that was seen can be explained.
        """
        seat = int(state.to_move)
        seed = advice_seed(self.table.seed, seat, len(self.table.events))
        if about is None or about.strip():
            move = None if about is None else Choices(state).find_one(about)
            return Question(advice.adviser(seed), seed, state, self.table.view(seat), move)
        steps = self.steps if ply is None else [step for step in self.steps if step.ply == ply]
        found = last_choice(steps, self.table.people, seat, seed)
        if found is None:
            return None
        step, before = found
        return Question(advice.adviser(seed), seed, before, before.view(step.seat), step.event.code, step)


def retell(record: GameRecord, until: int) -> list[Step]:
    """Return the first `until` steps of a valid record."""
    return Session.replayed(record, until).steps
