"""Ask before running what a file names: programs, and games and agents of other packages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

import click

from sfida.ai.trust import foreign_code
from sfida.cli.errors import Failure
from sfida.cli.lines import InputEnded, Lines
from sfida.cli.output import Output
from sfida.engines.language import _, ngettext
from sfida.engines.records import GameRecord
from sfida.engines.visible import visible
from sfida.engines.wording import counted

Command = TypeVar("Command", bound=Callable[..., Any])


class Trust:
    """What a person allows files to run.

    Parameters
    ----------
    everything : bool
        Allow everything without asking.
    """

    def __init__(self, everything: bool = False) -> None:
        self._everything = everything
        self._granted: set[tuple[str, str]] = set()

    @property
    def everything(self) -> bool:
        """Whether everything is allowed without asking."""
        return self._everything

    def grant(self, game: str | None, agents: Iterable[str] = ()) -> None:
        """Allow specs that the person has typed."""
        self._granted.update(foreign_code(game, agents))

    def record(self, record: GameRecord, *, seats: bool = False) -> GameRecord:
        """Return a record that may run what it names.

        Parameters
        ----------
        record : GameRecord
        seats : bool
            Whether its agents are to play on, too.

        Raises
        ------
        Failure
            If it names code that is not Sfida's own, and the person refuses to run it or cannot be asked.
        """
        self._ask(record.where, foreign_code(record.game, record.seats if seats else ()))
        return record.trusting()

    def game(self, spec: str, where: str) -> None:
        """Make sure that the game of a store may run; raises Failure."""
        self._ask(where, foreign_code(spec))

    def _ask(self, where: str, found: Sequence[tuple[str, str]]) -> None:
        named = [pair for pair in found if pair not in self._granted]
        if not named or self._everything:
            return
        told = [f"{spec}  ({_(what)})" for spec, what in named]
        lines = Lines(on_stderr=True)
        if not lines.terminal:
            raise Failure(_("{where} names code that is not Sfida's own: {code}; --trust-agents lets it run").format(
                where=where, code=visible("; ".join(told))))
        screen = Output().to_stderr()
        screen.line(_("{where} names code that is not Sfida's own:").format(where=where))
        for line in told:
            screen.line(f"  {line}")
        try:
            answer = lines.read(ngettext("Run it? [y/N]", "Run them? [y/N]", len(told)) + " ")
        except InputEnded:
            answer = ""
            screen.line()
        if answer.strip().lower() not in ("y", "yes", "s", "si", "sì"):
            raise Failure(ngettext("nothing was run: {where} names {pieces} of code that is not Sfida's own",
                                   "nothing was run: {where} names {pieces} of code that are not Sfida's own",
                                   len(told)).format(where=where, pieces=counted(len(told), "piece", "pieces")))
        self._granted.update(named)


def trust_option(command: Command) -> Command:
    """Add `--trust-agents`; the command is given a `Trust`."""
    return click.option("--trust-agents", "trust", is_flag=True, callback=lambda _context, _option, on: Trust(on),
                        help="Run the programs, and the games and agents of other packages, that the file names. "
                             "Otherwise you are asked at a terminal, and without a terminal they are refused.")(command)
