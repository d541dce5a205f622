"""`sfida mcp`: a seat for a client of the Model Context Protocol, such as a language model."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import click

from sfida.ai.agent import PERSON
from sfida.ai.chance import LARGEST_SEED, fresh_seed
from sfida.ai.external.server import HOME, LARGEST_PORT, is_own, serve
from sfida.ai.session import Session
from sfida.ai.table import Table, take_seats
from sfida.cli.errors import DONE, Failure, refuse_given
from sfida.cli.lines import Trust, trust_option
from sfida.cli.output import Number
from sfida.cli.play import who_plays
from sfida.cython_ext.errors import IllegalMove, SfidaError
from sfida.cython_ext.state import GameState, View, restore
from sfida.engines.clauses import rules_of
from sfida.engines.game import Game
from sfida.engines.moves import Choices
from sfida.engines.records import GameResult
from sfida.engines.spec import quoted

if TYPE_CHECKING:
    from mcp.server.mcpserver import MCPServer

Result = TypeVar("Result")

OPPONENT = "level:5"
LISTED = 100            # most moves in one answer
LONGEST = 120.0         # seconds that a client may think in a tournament; its time limit is five times as long
_WAIT = 20.0            # seconds that an answer waits for the next decision of a tournament
_LOOK = 1.0             # seconds between two checks that the tournament still waits
_GUIDE = (
    "You sit at a board game against Sfida's agents. Call `look` to see what your seat may see and which moves are "
    "legal, and `play` to choose one, in the notation of the list. `legal_moves` continues a long list, `rules` quotes "
    "the rules by clause. Opponents and dice move in between; the answers say what happened.")
_IDLE = ("No decision waits. Games come from a tournament that seats this server, for example: sfida tournament "
         "carcassonne socket:{port} level:3 -n 10 -j 1")


# ---- What a seat may see, in words and as data


def described(seen: GameState, seat: int, events: Sequence[str], moves: int = LISTED) -> dict[str, Any]:
    """Return a position as a client is shown it.

    Parameters
    ----------
    seen : GameState
        The position without what the seat cannot know (`restore` of its view).
    seat : int
    events : sequence of str
        What has happened since the last look, as the seat was told it.
    moves : int
        Most moves that are listed.
    """
    game, over = seen.game, bool(seen.is_over)
    decides = not over and int(seen.to_move) == seat
    listed: dict[str, Any] = listing(seen, 0, moves) if decides else {"moves": [], "of": 0}
    parts = [f"{game.title}. You are {game.seat_name(seat)}, seat {seat} of 0 to {game.players - 1}.",
             "\n".join(events), game.board_text(seen, seat=seat, labels=decides), game.status_text(seen, seat=seat)]
    result = GameResult.of(seen) if over else None
    if result is not None:
        parts += ["The game is over.", "\n".join(game.explain_scores(seen)),
                  f"Your win share: {result.utilities[seat]:g}"]
    elif decides:
        parts += [game.draw_decision(seen), game.question(seen, seat), "Your legal moves:",
                  "\n".join(map(_line, listed["moves"]))]
        if listed["of"] > moves:
            parts.append(f"... and {listed['of'] - moves} more: legal_moves lists them")
    return {"words": "\n\n".join(part for part in parts if part), "game": game.spec(), "seat": seat,
            "name": game.seat_name(seat), "to_move": None if over else int(seen.to_move), "over": over,
            "observation": seen.view(seat).observation(), "scores": list(seen.scores()), "events": list(events),
            "moves": listed["moves"], "number_of_moves": listed["of"],
            "result": None if result is None else result.to_json()}


def _line(one: dict[str, str]) -> str:
    note = f" ({one['note']})" if one["note"] else ""
    return f"{one['label']}: {one['move']}  {one['words']}{note}"


def listing(seen: GameState, first: int, most: int = LISTED) -> dict[str, Any]:
    """Return some of the legal moves of the seat to move, with words and notes."""
    choices = Choices(seen).list
    return {"moves": [{"label": one.label, "move": one.text, "words": one.words, "note": one.note}
                      for one in choices[first:first + most]], "of": len(choices)}


def rules(game: Game, find: str) -> list[str]:
    """Return the clauses that a text names, or the chapters; raises SfidaError if the game has no rules."""
    found = rules_of(game.name)
    if found is None:
        raise SfidaError(f"no rules come with {game.title}")
    return list(found.find(find) if find.strip() else found.contents())


class ClientPlace(Protocol):
    """A seat in a game."""

    def look(self) -> dict[str, Any]:
        """Return what the seat may see now."""

    def legal_moves(self, first: int) -> dict[str, Any]:
        """Return the legal moves from a number on."""

    def play(self, move: str) -> dict[str, Any]:
        """Play a move and return what the seat sees then."""

    def rules(self, find: str) -> list[str]:
        """Return rules of the game."""


# ---- A game of its own


class OwnGame:
    """A game between the client and agents.

    Parameters
    ----------
    game : Game
    seats : sequence of str
        Agent specs in seat order; "human" for the client, once.
    seed : int
    """

    def __init__(self, game: Game, seats: Sequence[str], seed: int) -> None:
        self._game = game
        self._specs = tuple(seats)
        self._lock = threading.Lock()
        self._begin(seed)

    def _begin(self, seed: int) -> None:
        table = Table(self._game, take_seats(self._game, self._specs), seed)
        self.watch(Session(table), self._specs.index(PERSON))
        table.begin()
        self._continue()

    def watch(self, session: Session, seat: int) -> None:
        """Take a seat of a session."""
        self._game, self.session, self.seat = session.game, session, seat
        self._told = 0                          # steps that the client knows

    def new_game(self, seed: int | None) -> dict[str, Any]:
        """Begin another game with the same seats."""
        with self._lock:
            self._begin(fresh_seed() if seed is None else seed)
            return self._seen()

    def look(self) -> dict[str, Any]:
        """Return what the seat may see now; see `ClientPlace`."""
        with self._lock:
            return self._seen()

    def legal_moves(self, first: int) -> dict[str, Any]:
        """Return the legal moves from a number on."""
        with self._lock:
            self._check()
            return listing(self._position(), first)

    def play(self, move: str) -> dict[str, Any]:
        """Play a move, then those of the others up to the next decision of the client.

        Raises
        ------
        SfidaError
            If the game is over, or the text names no legal move.
        """
        with self._lock:
            self._check()
            for code in self.session.typed(move, lambda seat: seat == self.seat):
                self.session.table.play(code)
            self._continue()
            return self._seen()

    def rules(self, find: str) -> list[str]:
        """Return rules of the game."""
        return rules(self._game, find)

    def _check(self) -> None:
        if self.session.table.is_over:
            raise IllegalMove("the game is over; new_game begins another one")

    def _continue(self) -> None:
        table = self.session.table
        while not table.is_over:
            if int(table.state.to_move) != self.seat:
                table.play(table.next_move())
                continue
            only = table.only_move()
            if only is None:
                return
            table.play(only.move)

    def _position(self) -> GameState:
        return restore(self._game, self.session.table.state.view(self.seat).key())

    def _seen(self) -> dict[str, Any]:
        steps, self._told = self.session.steps[self._told:], len(self.session.steps)
        events = []
        for step in steps:
            told = step.told([self.seat])
            if not told.quiet:
                who = "Chance" if step.seat < 0 else self._game.seat_name(step.seat).capitalize()
                events.append(f"{who}: {told.words or 'something hidden'}"
                              + "".join(f"; {effect.text}" for effect in told.effects))
        return described(self._position(), self.seat, events)


# ---- A seat in a tournament, which reaches it by the line protocol


class TournamentSeat:
    """Decisions of a tournament that connects to a port of this computer, one after the other.

    Parameters
    ----------
    port : int
        0: any free port.

    Attributes
    ----------
    port : int
    """

    def __init__(self, port: int) -> None:
        self._changed = threading.Condition()
        self._view: View | None = None
        self._answer: int | None = None
        self._listening = socket.create_server((HOME, port))
        self.port: int = int(self._listening.getsockname()[1])
        threading.Thread(target=self._accept, daemon=True).start()

    def look(self) -> dict[str, Any]:
        """Return what the seat of the next decision may see; waits a while until one comes."""
        with self._changed:
            self._changed.wait_for(lambda: self._view is not None, _WAIT)
            if self._view is None:
                return {"words": _IDLE.format(port=self.port), "waiting": True}
            return described(self._position(), self._view.seat, ())

    def legal_moves(self, first: int) -> dict[str, Any]:
        """Return the legal moves from a number on."""
        with self._changed:
            return listing(self._position(), first)

    def play(self, move: str) -> dict[str, Any]:
        """Answer the decision, and return what the seat of the next one may see; raises SfidaError."""
        with self._changed:
            self._answer = Choices(self._position()).find_one(move)
            self._view = None
            self._changed.notify_all()
        return self.look()

    def rules(self, find: str) -> list[str]:
        """Return rules of the game."""
        with self._changed:
            return rules(self._position().game, find)

    def _position(self) -> GameState:
        if self._view is None:
            raise IllegalMove("no decision waits; look says when one comes")
        return restore(self._view.game, self._view.key())

    def choose(self, view: View, gone: Callable[[], bool]) -> int:
        """Wait for the client's answer to a decision; raises SfidaError if the tournament gives up."""
        with self._changed:
            self._view, self._answer = view, None
            self._changed.notify_all()
            while not self._changed.wait_for(lambda: self._answer is not None, _LOOK):
                if gone():
                    self._view = None
                    raise SfidaError("the tournament waits no longer")
            assert self._answer is not None
            return self._answer

    def _accept(self) -> None:
        while True:
            connection, _address = self._listening.accept()
            with connection, contextlib.suppress(OSError):
                if is_own(connection):
                    with connection.makefile("rb") as source, connection.makefile("wb") as sink:
                        serve(_Client.spec, source, sink, must_greet=True,
                              make=lambda _spec, here=connection: _Client(self, here))  # type: ignore[misc]


class _Client:
    """The client as an agent of the line protocol."""

    spec = "mcp"
    longest = LONGEST

    def __init__(self, place: TournamentSeat, connection: socket.socket) -> None:
        self._place = place
        self._connection = connection

    def choose(self, view: View) -> int:
        """Return the client's move."""
        return self._place.choose(view, lambda: _closed(self._connection))


def _closed(connection: socket.socket) -> bool:
    """Return whether the other side has closed a connection."""
    connection.setblocking(False)
    try:
        return not connection.recv(1, socket.MSG_PEEK)
    except BlockingIOError:
        return False
    finally:
        connection.setblocking(True)


# ---- The server


def server_of(place: ClientPlace) -> MCPServer:
    """Return the server that offers a place to a client; raises Failure if the package is missing."""
    try:
        from mcp.server.mcpserver import MCPServer
        from mcp.server.mcpserver.exceptions import ToolError
    except ModuleNotFoundError as error:
        raise Failure(f"'sfida mcp' needs the package '{error.name}': pip install 'sfida[mcp]'") from None
    server = MCPServer("sfida", instructions=_GUIDE, log_level="ERROR")

    def told(ask: Callable[..., Result], *args: Any) -> Result:
        try:
            return ask(*args)
        except SfidaError as error:         # the client made a mistake, and reads why
            raise ToolError(str(error)) from None

    @server.tool()
    def look() -> dict[str, Any]:
        """See the game as your seat sees it: what happened, the board, and your legal moves with notes."""
        return told(place.look)

    @server.tool()
    def play(move: str) -> dict[str, Any]:
        """Play a legal move, given by its notation, its number in the list, or its words; see the game after it."""
        return told(place.play, move)

    @server.tool()
    def legal_moves(first: int = 0) -> dict[str, Any]:
        """List your legal moves from a number on, with words and notes, for lists that `look` cuts short."""
        return told(place.legal_moves, max(0, first))

    @server.tool(name="rules")
    def rules_tool(find: str = "") -> list[str]:
        """Read the rules: the chapters, or the clauses that a word, or a number such as CAR-3.2, names."""
        return told(place.rules, find)

    if isinstance(place, OwnGame):
        own = place

        @server.tool()
        def new_game(seed: int | None = None) -> dict[str, Any]:
            """Begin another game with the same seats; the same seed gives the same luck."""
            return told(own.new_game, seed)

    return server


@click.command("mcp")
@click.argument("game", metavar="GAME", default="carcassonne")
@click.option("--seat", "seats", metavar="AGENT", multiple=True,
              help="Agent of the next seat, starting with seat 0; 'human' for the client, once.  [default: human, then "
                   f"{OPPONENT}]")
@click.option("--seed", type=Number(int, 0, LARGEST_SEED), metavar="N",
              help="Seed of the chance events and of the agents.  [default: a random one]")
@click.option("--listen", "port", type=Number(int, 1, LARGEST_PORT), metavar="PORT",
              help="Take a seat in tournaments that name socket:PORT, instead of a game of its own.")
@trust_option
@click.pass_context
def command(context: click.Context, game: str, seats: tuple[str, ...], seed: int | None, port: int | None,
            trust: Trust) -> None:
    """Let a language model play, over the Model Context Protocol.

    \b
    sfida mcp carcassonne                               against level 5
    sfida mcp risiko --seat human --seat level:3 --seat level:8
    sfida mcp --listen 4000                             a seat in a tournament:
    sfida tournament carcassonne socket:4000 level:3 level:5 -n 20 -j 1

    A client starts this command and talks to it over standard streams; it sees exactly
    what a person in that seat sees, in words and as JSON, with the legal moves and the
    rules by clause. docs/measure/mcp.md shows how to set up a client and how to
    measure its strength. Needs the package of the extra 'mcp'.
    """
    if port is not None:
        refuse_given(context, "--listen: a tournament names game, seats and seed",
                     {"game": "GAME", "seats": "--seat", "seed": "--seed"})
        try:
            place: ClientPlace = TournamentSeat(port)
        except OSError as error:
            raise Failure(f"port {port} cannot be used: {error.strerror}; name another one with --listen") from None
    else:
        engine, agents = who_plays(game, seats or (PERSON,), OPPONENT)
        if list(agents).count(PERSON) != 1:
            raise click.UsageError(f"one seat is the client's: --seat {PERSON} must be given exactly once, not "
                                   f"{quoted(', '.join(agents))}")
        trust.grant(None, agents)
        place = OwnGame(engine, agents, fresh_seed() if seed is None else seed)
    server_of(place).run("stdio")
    context.exit(DONE)
