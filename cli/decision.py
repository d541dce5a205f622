"""The decision that `analyze`, `hint` and `why` are about: their common options, the position, and the agent."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import click

from sfida.ai.chance import SeededChance
from sfida.ai.observation import observations
from sfida.ai.registry import agent as make_agent
from sfida.ai.seat import Seat
from sfida.ai.seeds import LARGEST_AGENT_SEED
from sfida.cli import show
from sfida.cli.errors import Failure
from sfida.cli.output import Number, Output
from sfida.cli.recorded import names_a_record, recorded_game
from sfida.cli.text import sentence
from sfida.cli.trust import Trust, trust_option
from sfida.cython_ext.errors import InvalidOption, InvalidRecord
from sfida.cython_ext.state import GameState, View
from sfida.engines.language import _
from sfida.engines.records import GameRecord
from sfida.engines.registry import make
from sfida.engines.spec import quoted

DEFAULT_AGENT = "ismcts:seconds=5"
Command = TypeVar("Command", bound=Callable[..., Any])


@dataclass(frozen=True)
class Decision:
    """A position in which a seat has to decide.

    Attributes
    ----------
    state : GameState
        The true state; agents are given `view`.
    moves : tuple of str
        All earlier moves in notation, chance events included.
    """

    state: GameState
    moves: tuple[str, ...]

    @property
    def seat(self) -> int:
        """The seat that decides."""
        return int(self.state.to_move)

    @property
    def view(self) -> View:
        """The view of that seat."""
        return self.state.view(self.seat)

    @property
    def ply(self) -> int:
        """The number of moves played before."""
        return len(self.moves)


def about_a_decision(command: Command) -> Command:
    """Add the options that choose a decision and the agent that analyzes it."""
    for option in (
        click.option("--seed", type=Number(int, 0, LARGEST_AGENT_SEED), default=0, metavar="N", show_default=True,
                     help="Seed of the search, and of the chance events before the first decision of a GAME."),
        click.option("--agent", "spec", default=DEFAULT_AGENT, metavar="AGENT", show_default=True,
                     help="Agent that analyzes the position, with its budget."),
        click.option("--game", "number", type=Number(int, 1), default=1, metavar="K", show_default=True,
                     help="Number of the game in the file, counted from 1."),
        click.option("--until", type=Number(int, 0), metavar="M",
                     help="Take the position after M moves, chance events counted.  [default: the last decision]"),
        trust_option,
    ):
        command = option(command)
    return command


def find_decision(output: Output, what: str, number: int, until: int | None, seed: int, trust: Trust) -> Decision:
    """Return the decision that the arguments name.

    Parameters
    ----------
    output : Output
        Gets a note when another position than the requested one is taken.
    what : str
        Path of a record, or name of a game.
    number : int
        Number of the game in the file, from 1.
    until : int or None
        Moves before the decision; None: the last decision of a record.
    seed : int
        Seed of the chance events before the first decision of a game given by name.
    trust : Trust
        What a record may run.
    """
    if names_a_record(what):
        return _recorded(output, trust.record(recorded_game(Path(what), number)), until)
    return _first(what, number, until, seed)


def thinker(spec: str, seed: int) -> Seat:
    """Return the seat that analyzes; raises InvalidOption if its agent cannot analyze a position."""
    seat = Seat(make_agent(spec, seed))
    if not seat.analyzes:
        raise InvalidOption(_("agent {agent} chooses without an analysis; name one that searches, such as {other}")
                            .format(agent=quoted(spec), other=DEFAULT_AGENT))
    return seat


def brief(seat: Seat, decision: Decision) -> None:
    """Show an agent that keeps beliefs what its seat has seen of the game."""
    seat.begin()
    if seat.listens:
        for event in observations(decision.state.game, decision.moves, decision.seat):
            seat.observe(event)


def heading(output: Output, decision: Decision) -> None:
    """Print which seat decides, and after which move."""
    show.rule(output, sentence(_("{seat} to move after move {ply}"), ply=decision.ply,
                               seat=show.seat_text(decision.state.game, decision.seat)))


def _recorded(output: Output, record: GameRecord, until: int | None) -> Decision:
    state = record.replay(until)
    ply = len(record.moves) if until is None else until
    if until is None and state.to_move < 0:
        # Nothing was asked for: take the last position in which a seat decides.
        while ply and state.to_move < 0:
            ply -= 1
            state = record.replay(ply)
        if state.to_move >= 0:
            output.note(_("The last decision of the record is analyzed, after move {ply}.").format(ply=ply))
    while state.is_chance and ply < len(record.moves):
        ply += 1
        state = record.replay(ply)
        output.note(_("Luck decides after move {before}; the decision after move {ply} is analyzed.").format(
            before=ply - 1, ply=ply))
    if state.is_over:
        raise InvalidRecord(_("{where}: the game is over after move {ply}; there is nothing to decide").format(
            where=record.where, ply=ply))
    if state.is_chance:
        raise InvalidRecord(_("{where}: luck decides after move {ply}, and the record ends there").format(
            where=record.where, ply=ply))
    return Decision(state, record.moves[:ply])


def _first(what: str, number: int, until: int | None, seed: int) -> Decision:
    state = make(what)
    if number != 1:
        raise click.UsageError(_("--game counts the games of a file; a game given by name is analyzed at its first "
                                 "decision"))
    if until is not None:
        raise click.UsageError(_("--until counts the moves of a record; a game given by name is analyzed at its first "
                                 "decision"))
    luck, moves = SeededChance(seed), []
    while state.is_chance:
        outcome = luck.draw(state)
        moves.append(state.format(outcome))
        state.apply(outcome)
    if state.is_over:
        raise Failure(_("in {game} there is nothing to decide").format(game=quoted(what)))
    return Decision(state, tuple(moves))
