"""The program `sfida`: its commands, and the handling of their errors."""

from __future__ import annotations

import contextlib
import importlib
import os
import sys
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from sfida.cli import errors
from sfida.cli.output import color_option, is_terminal, lang_option, spoken

_WIDEST = 5                     # maximum number of digits in COLUMNS and LINES

# Commands in the order in which a newcomer meets them, with their modules and the first lines of their help.
COMMANDS = {
    "games": ("games", "List the games; with a name, all about one."),
    "agents": ("games", "List the agents, those that most people need first; with a name, its parameters."),
    "play": ("play", "Play a game, or continue an unfinished one."),
    "serve": ("serve", "Play in the browser: boards to click, friends by link."),
    "tournament": ("tournament", "Play a tournament of agents."),
    "ratings": ("ratings", "Show the table of a tournament, finished or still running."),
    "study": ("study", "Show how much of a game is luck."),
    "train": ("train", "Learn an evaluation and priors of a game from self-play."),
    "tune": ("tune", "Tune the parameters of an agent for a game."),
    "replay": ("replay", "Step through a recorded game, list its moves, or show a position."),
    "review": ("review", "Show what decided a finished game: luck, your moves, or those of the others."),
    "practice": ("practice", "Try positions again in which you went wrong, until you have solved them."),
    "verify": ("verify", "Check that every draw and roll of a game followed from its seed."),
    "analyze": ("analyze", "Analyze a recorded position, or the first decision of a game."),
    "hint": ("analyze", "Suggest the move to play in a recorded position or a new game."),
    "why": ("analyze", "Say why not MOVE: show a better move and the refuting reply."),
    "bench": ("profile", "Measure the speed of the rules."),
    "profile": ("profile", "Measure how fast a search is and where its time goes."),
    "audit": ("audit", "Check whether a game's sampler of worlds leaks."),
    "engine": ("engine", "Let another program ask an agent for moves, or check such a program."),
    "mcp": ("mcp", "Let a language model play, over the Model Context Protocol."),
}


@contextlib.contextmanager
def _interruptible() -> Iterator[None]:
    """Hide Ctrl-C from click, which prints an empty line first; only a terminal needs that line, after its ^C."""
    try:
        yield
    except KeyboardInterrupt:
        if is_terminal(sys.stderr):
            raise
        raise errors.Interrupted from None


class LazyGroup(click.Group):
    """A group whose commands live in modules that are loaded on demand."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the commands in the order in which a newcomer meets them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command of this name."""
        if cmd_name not in COMMANDS:
            return None
        home = COMMANDS[cmd_name][0]
        module = importlib.import_module(f"sfida.cli.{home}")
        own = home == cmd_name
        command: click.Command = getattr(module, "command" if own else f"{cmd_name}_command")
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of the commands, without loading their modules."""
        room = formatter.width - 6 - max(map(len, COMMANDS))
        with formatter.section("Commands"):
            formatter.write_dl([(name, click.Command(name, help=line).get_short_help_str(room))
                                for name, (_module, line) in COMMANDS.items()])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; for a misspelt one, suggest the nearest."""
        from sfida.engines.spec import did_you_mean, quoted

        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            hint = did_you_mean(args[0], COMMANDS) or f"; the commands: {', '.join(COMMANDS)}"
            raise click.UsageError(f"no command {quoted(args[0])}{hint}", ctx)
        return super().resolve_command(ctx, args)

    def make_context(self, info_name: str | None, args: list[str], parent: click.Context | None = None,
                     **extra: Any) -> click.Context:
        """Read the arguments; see `_interruptible`."""
        with _interruptible():
            return super().make_context(info_name, args, parent, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; see `_interruptible`."""
        try:
            with _interruptible():
                return super().invoke(ctx)
        except BaseException as error:
            error.__dict__["spoken"] = spoken(ctx)          # in the language of the command, which has ended
            raise

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        windows_expand_args: bool = True,
        **extra: Any,
    ) -> Any:
        """Run, and turn every user error into one line and an exit code."""
        def run() -> Any:
            return super(LazyGroup, self).main(
                args, prog_name or "sfida", complete_var, standalone_mode=False,
                windows_expand_args=windows_expand_args, **extra)
        if not standalone_mode:
            return run()
        sys.excepthook = errors.show_fault
        warnings.filterwarnings("ignore", "(?s).*joblib will operate in serial mode")       # the results are the same
        for name in ("COLUMNS", "LINES"):           # libraries read them as numbers of any length
            if len(os.environ.get(name, "")) > _WIDEST:
                del os.environ[name]
        if sys.stderr is None:                      # closed by the caller: discard notes
            sys.stderr = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115  (for as long as we run)
        for stream, errors_in in ((sys.stdin, "surrogateescape"), (sys.stdout, "replace"), (sys.stderr, "replace")):
            if hasattr(stream, "reconfigure"):
                stream.reconfigure(errors=errors_in)
        try:
            if sys.stdout is None:
                raise errors.Failure("standard output is closed: the result has nowhere to go")
            result = run()
            code = result if isinstance(result, int) else errors.DONE
            if sys.stdout is not None:
                sys.stdout.flush()
        except BaseException as error:
            code = errors.report(error)
            try:
                if sys.stdout is not None:
                    sys.stdout.flush()
            except (OSError, ValueError):
                errors.quieten(sys.stdout)
        sys.exit(code)


@click.command("sfida", cls=LazyGroup, invoke_without_command=True,
               context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(None, "--version", package_name="sfida", message="sfida %(version)s")
@lang_option
@color_option
@click.pass_context
def main(context: click.Context) -> None:
    """Monte Carlo opponents for hobby board games.

    \b
    sfida play carcassonne                 sit down against the computer
    sfida serve                            play in the browser, also with friends
    sfida play carcassonne --seat greedy --seat ismcts:seconds=1
    sfida tournament carcassonne greedy ismcts random -n 600
    sfida study carcassonne                how much of a game is luck?
    sfida train zarahemla                  learn from games against itself
    sfida tune attila --agent ismcts --over c_prior=0.3..3
    sfida replay game.jsonl                step through a recorded game
    sfida review game.jsonl                what decided it: luck, or my moves?
    sfida practice                         and try my mistakes again
    sfida analyze game.jsonl --until 40    what would have been best there?
    sfida why game.jsonl MOVE --until 40   and what speaks against that move?

    Options of a game or an agent follow its name: name:key=value,key=value.
    Results go to standard output, progress and errors to standard error. Exit
    codes: 0 done, 1 failed, 2 wrong usage, 130 interrupted (Ctrl-C or
    SIGTERM).
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help())
