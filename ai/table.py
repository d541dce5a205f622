"""A table: one game from start to end, played by agents that see only their seat's view."""

from __future__ import annotations

import dataclasses
import operator
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any, ClassVar

from sfida.ai.agent import Agent
from sfida.ai.chance import (
    BEGUN, TYPED, ChanceSource, SeededChance, check_seed, decision_seed, fresh_seed, opening_seed
)
from sfida.ai.luck.commitment import FIELD, Commitment, commitment_of
from sfida.ai.registry import agent as make_agent
from sfida.ai.registry import foreign_code
from sfida.ai.seat import Seat, observation_of, observations
from sfida.cython_ext.errors import IllegalMove, InvalidOption, InvalidRecord, SfidaError, faults_told
from sfida.cython_ext.measure import awake
from sfida.cython_ext.rng import Random
from sfida.cython_ext.state import GameState, View
from sfida.engines.game import Game
from sfida.engines.language import _
from sfida.engines.records import Forfeit, GameRecord, GameResult
from sfida.engines.registry import make_game
from sfida.engines.spec import contents_of, quoted
from sfida.engines.untrusted import JsonData

# ---- Decisions with one legal move, which the program makes for a person

PAUSE = 1.0             # seconds before an answer whose speed could reveal something


@dataclass(frozen=True)
class Forced:
    """The one legal move of a person.

    Attributes
    ----------
    move : int
    secret : bool
        The others must not notice that there was no choice (`Telling.forced_tells`).
    """

    move: int
    secret: bool

    def wait(self) -> None:
        """Take the same time for every such answer, so that its speed reveals nothing."""
        if self.secret:
            time.sleep(PAUSE)


def forced(state: GameState) -> Forced | None:
    """Return the one legal move of the seat to move; None if there is a choice, or at a chance event."""
    moves = state.legal_moves() if int(state.to_move) >= 0 else []
    return Forced(moves[0], state.game.forced_tells(state)) if len(moves) == 1 else None


# ---- A table: one game from start to end, played by agents that see only their seat's view

RESIGN = "resign"           # value of the extra field "ended"; the field "forfeit" names the seat
ID = "id"                   # extra field of records: the same in all records of one game, however it continues
UNRATED = "unrated"         # extra field of records: the result does not count for the level of the person
_WORLDS = 16                # worlds in which own moves are replayed, to see whether they revealed a secret


@dataclass(frozen=True)
class MoveEvent(JsonData):
    """A move that was just played.

    Attributes
    ----------
    ply : int
        Index of the move in the record, from 0.
    seat : int
        The seat that moved; -1 for chance.
    code, move : int, str
        Code and notation.
    chance : bool
        Whether it is a chance event.
    seconds : float
        Wall-clock time of the decision.
    analysis : object or None
        The agent's analysis behind the choice, if it provides one.
    state : GameState
        The table's own state after the move; must not be changed.
    by_person : bool
        Whether a person decided it, or typed in the chance outcome.
    forced : bool
        Whether that person had no other legal move.
    """

    ply: int
    seat: int
    code: int
    move: str
    chance: bool
    seconds: float
    analysis: Any = None
    state: GameState | None = field(default=None, compare=False, repr=False)
    by_person: bool = False
    forced: bool = False

    schema: ClassVar[int] = 1
    type: ClassVar[str] = "move"
    written = ("schema", "type", "ply", "seat", "move", "chance")       # fields of a line of ``sfida play --json``


Watcher = Callable[[GameState, MoveEvent], object]


def cut(record: GameRecord, plies: int, seed: int | None = None) -> GameRecord:
    """Return the record of a game after its first events, as an unfinished game that does not count for a level.

    Parameters
    ----------
    record : GameRecord
    plies : int
        Number of events to keep.
    seed : int, optional
        Seed of the chance events and of the agents from there on; by default that of the record, so the luck is what
        it was.

    Raises
    ------
    InvalidRecord
        If the record does not fit the rules, has fewer events, or its game is over after them.
    """
    if plies > len(record.moves):
        raise InvalidRecord(_("{where}: there is no position after move {ply}: {number} were played").format(
            where=record.where, ply=plies, number=len(record.moves)))
    if record.replay(plies).is_over:
        raise InvalidRecord(_("{where}: the game is over after move {ply}; name an earlier one").format(
            where=record.where, ply=plies))
    kept = None if record.chance is None else tuple(ply for ply in record.chance if ply < plies)
    extra: dict[str, Any] = {UNRATED: True, **({TYPED: True} if record.extra.get(TYPED) else {})}
    begun = plies if seed is not None else record.extra.get(BEGUN)
    if begun:
        extra[BEGUN] = begun
    if seed is None and FIELD in record.extra:
        extra[FIELD] = record.extra[FIELD]
    return dataclasses.replace(record, moves=record.moves[:plies], chance=kept, result=None, extra=extra,
                               seed=record.seed if seed is None else seed)


def take_seats(game: Game, agents: Sequence[str | Agent]) -> tuple[Seat, ...]:
    """Seat the agents of a game, in seat order.

    Parameters
    ----------
    game : Game
    agents : sequence of str or Agent
        One per seat.

    Raises
    ------
    InvalidOption
        If their number is not the number of seats, or an agent requires knowledge that the game does not have.
    UnknownAgent
    """
    if isinstance(agents, str) or len(agents) != game.players:
        given = quoted(agents) if isinstance(agents, str) else f"{len(agents)}"
        raise InvalidOption(_("{game} needs a list of {players} agents, one per seat, not {given}; the option "
                              "'players' sets the number of seats").format(
            game=quoted(game.spec()), players=game.players, given=given))
    seats = tuple(Seat(make_agent(agent) if isinstance(agent, str) else agent) for agent in agents)
    for seat in seats:
        seat.check(game)
    return seats


def decide(seat: Seat, state: GameState, seed: int, ply: int, view: View | None = None) -> int:
    """Ask for the move of the seat to move; its agent sees only that seat's view.

    Parameters
    ----------
    seat : Seat
    state : GameState
    seed : int
        Seed of the game, which the agent never sees; the seed of the decision is derived from it, the seat and `ply`.
    ply : int
        Number of moves played before.
    view : View, optional
        View to give to the agent; by default that of the state.

    Raises
    ------
    IllegalMove
        If the agent's answer is not legal.
    GameFault
        If the game's own code fails, at the table or in the agent's search.
    """
    number = state.to_move
    with _rules_at(ply):
        move = seat.choose(state.view(number) if view is None else view, decision_seed(seed, number, ply))
        legal = state.legal_moves()
    try:
        code = operator.index(move)         # a plain int: a subclass could claim to equal any number
    except TypeError:
        code = -1
    if code not in legal:
        raise IllegalMove(f"agent {quoted(seat.spec)} on seat {number} chose {quoted(move)} as move {ply + 1}, "
                          "which is not legal there")
    return code


def _rules_at(ply: int, move: str = "") -> AbstractContextManager[None]:
    """Add the move of the game to errors that the game's own code raises inside; raises GameFault."""
    return faults_told(f" at move {ply + 1}{f', {move}' if move else ''}")


class Table:
    """A game in progress: its state, its history, its chance source and its seats.

    Every game is played here: by the command line, by tournaments, and when records are replayed or resumed.

    Parameters
    ----------
    game : Game
    seats : sequence of Seat
        In seat order.
    seed : int
        Seed of the chance events and of every agent's random choices.
    chance : ChanceSource, optional
        Source of the chance outcomes instead of the seed.
    typed_luck : bool
        Whether the caller passes the outcomes of chance events to `play`; the table then draws none itself.

    Attributes
    ----------
    state : GameState
        The current state; must not be changed.
    events : list of MoveEvent
        All events played, chance events included.
    id : str
        Identifier of the game in its records if a person plays it; "" otherwise.
    asks_forced : bool
        Whether people are asked even if they have one legal move, so that this counts as their decision.
    unrated : bool
        Whether the result does not count for the level of the person.
    begun_at : int
        Number of events that were taken over from a game with other luck.
    commitment : Commitment or None
        The commitment to the luck, if one was made.
    resigned : int or None
        The seat that has resigned.
    watchers : list of callable
        Each is called with the state before an event, which it may keep, and the `MoveEvent`, right after the
        agents were told of it.
    """

    def __init__(self, game: Game, seats: Sequence[Seat], seed: int, chance: ChanceSource | None = None, *,
                 typed_luck: bool = False) -> None:
        self.game = game
        self.seats: tuple[Seat, ...] = tuple(seats)
        self.seed = seed
        self.typed_luck = typed_luck
        self.state: GameState = game.initial_state()
        self.events: list[MoveEvent] = []
        self.watchers: list[Watcher] = []
        self._luck = SeededChance(seed)
        self._given = chance
        self._observed = [0] * game.players
        self._undone: list[list[MoveEvent]] = []        # events taken back and not yet replaced, last first
        self.id: str = ""
        self.asks_forced: bool = False
        self.unrated: bool = False
        self.begun_at: int = 0
        self.commitment: Commitment | None = None
        self.resigned: int | None = None

    @classmethod
    def resumed(cls, record: GameRecord, agents: Sequence[str | Agent] = (), *, typed_luck: bool = False,
                watchers: Sequence[Watcher] = ()) -> Table:
        """Return the table of an unfinished game as if it had never been left.

        The agents are told everything that their seats have seen, and the chance source continues where it was. An
        agent in the middle of its turn repeats the decisions of that turn, so that it continues as it would have.

        Parameters
        ----------
        record : GameRecord
        agents : sequence of str or Agent, optional
            Agents to use instead of those that the record names.
        typed_luck : bool
            Chance outcomes are passed to `play` from now on, even if the record does not say so.
        watchers : sequence of callable
            See `watchers` of the table; they are called for the moves of the record, too.

        Raises
        ------
        InvalidRecord
            If the record does not fit the rules or does not name the agents, or if its game is over.
        UnknownAgent, InvalidOption
        """
        record.replay()                 # checks everything; its errors name the line and the move
        if record.result is not None or record.extra.get("ended") == RESIGN:
            raise InvalidRecord(_("{where}: this game is over; 'sfida replay' shows it").format(where=record.where))
        if not (agents or record.seats):
            raise InvalidRecord(_("{where}: the record does not name the agents of its seats; give --seat").format(
                where=record.where))
        if not (agents or record.trusted) and (found := foreign_code(None, record.seats)):
            raise InvalidRecord(f"{record.where}: a file does not run code that is not Sfida's own: {found[0][0]}")
        game = make_game(record.game)
        seed = fresh_seed() if record.seed is None else record.seed
        seats = take_seats(game, agents or record.seats)
        if not agents:
            record.check_contents(*(seat.options for seat in seats))
        table = cls(game, seats, seed,
                    typed_luck=typed_luck or bool(record.extra.get(TYPED)))
        table.unrated = bool(record.extra.get(UNRATED)) or bool(agents and record.moves and table.specs != record.seats)
        begun = record.extra.get(BEGUN)
        table.begun_at = begun if isinstance(begun, int) else 0
        if record.seed is None:                 # the luck is another one from here on
            table.begun_at = len(record.moves)
        elif (commitment := commitment_of(record)) is not None:
            table.commitment = commitment.closed
            if not record.moves:
                table.commit(commitment.closed)
        table.watchers.extend(watchers)
        table.begin()
        for text in record.moves:
            table._skip_draw()
            table.play(table.state.parse(text))
        table._think_again()
        return table

    # ---- the luck -----------------------------------------------------------------------------

    def seal(self) -> None:
        """Commit to the luck of a new game whose seed nobody has chosen, if a person plays it."""
        if self.people and self.game.chance_sources and not self.typed_luck:
            self.commit(Commitment.to(self.seed))

    def commit(self, commitment: Commitment) -> None:
        """Note the commitment to the luck; before the first event the seed becomes the one that follows from it."""
        self.commitment = commitment
        if not self.events and commitment.game_seed is not None:
            self.seed = commitment.game_seed
            self._luck = SeededChance(self.seed)

    # ---- the seats ----------------------------------------------------------------------------

    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
        return bool(self.state.is_over)

    def is_person(self, seat: int) -> bool:
        """Return whether a person decides for `seat`; for seat -1, whether a person types in chance outcomes."""
        return self.typed_luck if seat < 0 else self.seats[seat].is_person

    @property
    def specs(self) -> tuple[str, ...]:
        """The specs of the agents, in seat order."""
        return tuple(seat.spec for seat in self.seats)

    @property
    def people(self) -> tuple[int, ...]:
        """The seats of people."""
        return tuple(number for number, seat in enumerate(self.seats) if seat.is_person)

    # ---- playing ------------------------------------------------------------------------------

    def begin(self) -> None:
        """Tell the agents that a game begins."""
        for number, seat in enumerate(self.seats):
            seat.begin(opening_seed(self.seed, number))

    def next_move(self) -> int:
        """Return the choice of the agent to move, or the chance outcome, without playing it.

        Raises
        ------
        IllegalMove
            If the agent's answer is not legal.
        Exception
            Any exception that the agent raises.
        """
        if self.state.is_chance:
            with _rules_at(len(self.events)):
                return (self._luck if self._given is None else self._given).draw(self.state)
        number = self.state.to_move
        with _rules_at(len(self.events)):
            view = self.view(number)
        return decide(self.seats[number], self.state, self.seed, len(self.events), view)

    def view(self, seat: int) -> View:
        """Return the view that the agent of a seat is given."""
        return self.state.view(seat)

    def play(self, code: int, seconds: float = 0.0, *, tell: bool = True) -> MoveEvent:
        """Play a legal move and return its event; without `tell`, the caller notifies the listeners.

        After that, `redo` has nothing to play again.
        """
        seat = int(self.state.to_move)
        event = self._play(code, seconds, tell=tell, analysis_of=lambda: None if seat < 0 else self.analysis(seat))
        self._undone.clear()
        return event

    def _play(self, code: int, seconds: float, *, tell: bool, analysis_of: Callable[[], Any]) -> MoveEvent:
        with _rules_at(len(self.events)):
            before = self.state.clone() if self.watchers else None
            seat, by_chance = int(self.state.to_move), bool(self.state.is_chance)
            by_person = self.is_person(seat)
            only = by_person and forced(self.state) is not None
            text = self.state.format(code)
        with _rules_at(len(self.events), text):
            self.state.apply(code)
        event = MoveEvent(len(self.events), seat, code, text, by_chance, seconds, analysis_of(), self.state, by_person,
                          only)
        self.events.append(event)
        if tell:
            for listener in self.listeners():
                self.tell(listener)
        for watcher in self.watchers:
            assert before is not None
            watcher(before, event)
        return event

    def analysis(self, seat: int) -> Any:
        """Return the analysis behind an agent's last choice; None if the agent provides none."""
        return self.seats[seat].last_analysis

    def listeners(self) -> list[int]:
        """Return the seats whose agents want to be told what they see."""
        return [number for number, seat in enumerate(self.seats) if seat.listens]

    def tell(self, seat: int) -> None:
        """Tell a listener what its seat saw of the last event; raises whatever the agent raises."""
        last = self.events[-1]
        with _rules_at(last.ply, last.move):
            seen = observation_of(self.state, seat, last.seat, last.code, self._observed[seat], self.view)
            if seen is not None:
                self._observed[seat] += 1
                self.seats[seat].observe(seen)

    # ---- taking back --------------------------------------------------------------------------
    #
    # The history of a game is a list of people's decisions and a position in it: `undo` goes one back, `redo` one
    # forward, and a move removes the later ones. The events between two decisions follow from the first.

    @property
    def last_decision(self) -> MoveEvent | None:
        """The last event that a person chose; None if no person has decided anything yet."""
        return next((event for event in reversed(self.events) if self.is_decision(event)), None)

    @property
    def can_undo(self) -> bool:
        """Whether there is a decision of a person to take back."""
        return self.last_decision is not None

    @property
    def can_redo(self) -> bool:
        """Whether something was taken back and not yet replaced."""
        return bool(self._undone)

    def is_decision(self, event: MoveEvent) -> bool:
        """Whether a person was asked for an event; the only legal move is played without asking."""
        return event.by_person and (self.asks_forced or not event.forced)

    def only_move(self) -> Forced | None:
        """Return the move to play for the person to move without asking; None: ask, or no person is to move."""
        return None if self.asks_forced or not self.is_person(int(self.state.to_move)) else forced(self.state)

    def undo(self) -> list[MoveEvent]:
        """Go back to the last decision of a person; the chance outcomes after it will be the same again.

        Listening agents are told the shorter game from its start. The game becomes `unrated` if the seat that decides
        again has learned something in between.

        Returns
        -------
        list of MoveEvent
            The events that were taken back, in the order of play.

        Raises
        ------
        IllegalMove
            If no person has decided anything yet.
        SfidaError
            If the caller provided the chance outcomes: only the caller could take them back.
        """
        if self._given is not None:
            raise SfidaError("luck that comes from elsewhere cannot be taken back")
        last = self.last_decision
        if last is None:
            raise IllegalMove(_("there is no decision of yours to take back"))
        kept, gone = self.events[:last.ply], self.events[last.ply:]
        watchers, self.watchers = self.watchers, []
        self.state = self.game.initial_state()
        self.events = []
        self._observed = [0] * self.game.players
        self._luck = SeededChance(self.seed)
        for number, seat in enumerate(self.seats):
            if seat.listens:
                seat.begin(opening_seed(self.seed, number))
        for event in kept:
            self._repeat(event)
        self.events = [dataclasses.replace(event, state=self.state) for event in kept]
        self.watchers = watchers
        self.unrated = self.unrated or _reveals(self.state, gone)
        self._undone.append(gone)
        return gone

    def redo(self) -> list[MoveEvent]:
        """Play again what `undo` last took back, and return its events; raises IllegalMove if there is nothing."""
        if not self._undone:
            raise IllegalMove(_("nothing was taken back that could be played again"))
        return [self._repeat(event) for event in self._undone.pop()]

    def _repeat(self, event: MoveEvent) -> MoveEvent:
        """Play an event again as it was played."""
        self._skip_draw()
        return self._play(event.code, event.seconds, tell=True, analysis_of=lambda: event.analysis)

    def _skip_draw(self) -> None:
        """Advance the chance source past a draw with a known outcome."""
        if self.state.is_chance and not self.typed_luck:
            self._luck.skip(self.state)

    def _think_again(self) -> None:
        """Let the agent to move repeat its decisions of the current turn."""
        number = self.state.to_move
        if self.is_over or number < 0 or self.is_person(number):
            return
        first = len(self.events)
        while first and self.events[first - 1].seat == number:
            first -= 1
        past = self.game.initial_state()
        for event in self.events:
            if event.ply >= first:
                decide(self.seats[number], past, self.seed, event.ply)
            past.apply(event.code)

    # ---- changing seats -----------------------------------------------------------------------

    def reseat(self, number: int, seat: Seat) -> None:
        """Give a seat to another agent or person, who is told everything that the seat saw; raises InvalidOption."""
        seat.check(self.game)
        seat.begin(opening_seed(self.seed, number))
        if seat.listens:
            seen = list(observations(self.game, [event.code for event in self.events], number))
            for one in seen:
                seat.observe(one)
            self._observed[number] = len(seen)
        self._undone.clear()
        self.unrated = True
        self.seats = (*self.seats[:number], seat, *self.seats[number + 1:])

    # ---- resigning ----------------------------------------------------------------------------

    def resign(self, seat: int) -> None:
        """Note that a seat resigns; the record says so, and has no result."""
        self.resigned = seat

    # ---- recording ----------------------------------------------------------------------------

    @property
    def contents(self) -> dict[str, str]:
        """Digests of the files that the game and the agents name, by path."""
        return contents_of(self.game.options, *(seat.options for seat in self.seats))

    def record(self, seats: Sequence[str] | None = None) -> GameRecord:
        """Return the record of the game so far; the seats are named by their agents' specs, or as given."""
        record = GameRecord(game=self.game.spec(), rules_version=self.game.rules_version,
                            moves=tuple(event.move for event in self.events),
                            seats=self.specs if seats is None else tuple(seats), seed=self.seed,
                            chance=tuple(event.ply for event in self.events if event.chance),
                            result=GameResult.of(self.state), contents=self.contents)
        if self.resigned is not None:
            forfeit = Forfeit(self.resigned, RESIGN, RESIGN)
            record = record.with_extra(ended=RESIGN, forfeit=forfeit.to_json())
        extra = {ID: self.id, TYPED: self.typed_luck, UNRATED: self.unrated, BEGUN: self.begun_at,
                 FIELD: None if self.commitment is None else self.commitment.to_json()}
        return record.with_extra(**{field: value for field, value in extra.items() if value})


def _reveals(decision: GameState, events: Sequence[MoveEvent]) -> bool:
    """Return whether the seat that decides learned anything from the events that followed.

    Chance events and the moves of others reveal something. Its own moves do if they disclose a secret: then the seat
    sees them differently in a world that looked the same before them.
    """
    seat = events[0].seat
    if any(event.seat != seat for event in events):
        return True
    if seat < 0 or not decision.hidden:
        return False
    told = _labels(decision.clone(), events)
    for number in range(_WORLDS):
        world = decision.clone()
        world.determinize(seat, Random(number))
        if _labels(world, events) != told:
            return True
    return False


def _labels(state: GameState, events: Sequence[MoveEvent]) -> list[int]:
    """Play events and return what their seat sees of each; the list ends at a move that is not legal any more."""
    labels = []
    for event in events:
        if int(state.to_move) != event.seat or event.code not in state.legal_moves():
            break
        state.apply(event.code)
        labels.append(int(state.label(event.seat)))
    return labels


def play(game: str | Game, agents: Sequence[str | Agent], seed: int | None = None, *,
         chance: ChanceSource | None = None, on_event: Callable[[MoveEvent], object] | None = None,
         **options: object) -> GameRecord:
    """Play one game and return its record.

    The same game, agents and seed give the same record on any machine, provided that the agents' budgets are iterations
    and not seconds.

    Parameters
    ----------
    game : str or Game
        Game spec.
    agents : sequence of str or Agent
        Agent specs or agents in seat order, one per seat. If the game's number of players is not given,
        it is the number of agents.
    seed : int, optional
        Seed of the chance events and of every agent's random choices, 0 to 2**128 - 1. By default a fresh seed is
        drawn and written to the record; only such a seed cannot be guessed (docs/measure/statistics.md).
    chance : ChanceSource, optional
        Source of the chance outcomes instead of the seed.
    on_event : callable, optional
        Called with a `MoveEvent` after every move.
    **options
        More game options.

    Raises
    ------
    UnknownGame, UnknownAgent, InvalidOption

    Examples
    --------
    >>> record = sfida.play("tic_tac_toe", ["greedy", "random"], seed=1)
    >>> record.moves
    ('b2', 'b1', 'a2', 'a1', 'c2')
    >>> record.result.ranks
    (1, 2)
    """
    engine = game_for(game, agents, options)
    seats = take_seats(engine, agents)
    table = Table(engine, seats, fresh_seed() if seed is None else check_seed(seed), chance)
    try:
        table.begin()
        while not table.is_over:
            started = awake()
            code = table.next_move()
            event = table.play(code, awake() - started)
            if on_event is not None:
                on_event(event)
    finally:
        for given, seat in zip(agents, seats, strict=True):
            if isinstance(given, str):
                seat.close()
    return table.record()


def game_for(game: str | Game, agents: Sequence[str | Agent], options: dict[str, object]) -> Game:
    """Build the game; unless the number of players is given, it is the number of agents."""
    engine = make_game(game, **options)
    said = isinstance(game, Game) or "players" in options or "players=" in game.replace(" ", "")
    if said or isinstance(agents, str) or len(agents) == engine.players:
        return engine
    try:
        return make_game(game, **{**options, "players": len(agents)})
    except InvalidOption:
        return engine                   # the game does not allow this number of players: take_seats raises the error
