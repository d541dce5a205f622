"""`python -m bench NAME ...` measures Sfida; this module is the framework of its commands.

A command is a function in one of the modules. Its parameters before `*` are the arguments, its keywords the options;
annotations give their types and help, and its docstring is the text of `--help`. Modules are imported on demand.
"""

from __future__ import annotations

import contextlib
import importlib
import inspect
import json
import os
import re
import sys
import tempfile
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from pathlib import Path
from types import NoneType
from typing import Annotated, Any, Literal, get_args, get_origin

import click
import joblib
import numpy as np

ROOT = Path(__file__).resolve().parents[1]
if str(ROOT / "tests") not in sys.path:
    sys.path.append(str(ROOT / "tests"))            # for `support`: exact policies, catanatron's logs, fuzzing

EVERY = (*(f"carcassonne:players={n}" for n in (2, 3, 4, 5)), *(f"zarahemla:players={n}" for n in (2, 3, 4)),
         *(f"risiko:players={n}" for n in (3, 4, 5, 6)), "acres", *(f"attila:players={n}" for n in (2, 3, 4, 5)))
"""The five board games with every number of players."""

FIVE = ("carcassonne", "zarahemla", "risiko:players=3", "attila:players=2", "a_few_acres_of_snow")
COMPARED = ("carcassonne", "zarahemla:players=2", "zarahemla:players=4", "risiko:players=3", "risiko:players=4",
            "a_few_acres_of_snow", "attila:players=2")      # games whose speeds are compared with an older revision
"""The five board games with as few players as they allow."""

RESAMPLES = 10_000
INTERRUPTED = 130

MODULES = {
    "speed": ("against-reference", "against-decisions", "batch", "envs", "arena-overhead"),
    "response": ("startup", "web"),
    "strength": ("strength", "games-table", "defaults", "doubling", "threads", "review"),
    "versions": ("versions", "before-after"),
    "regret": ("regret", "regret-panel"),
    "levels": ("levels",),
    "characters": ("characters-match",),
    "games": ("fairness", "trade-worth", "silliness", "endgames", "attila-conflicts", "beliefs"),
    "forecasts": ("calibration", "carcassonne-scale"),
    "luck": ("luck", "common-luck", "error-rates"),
    "yardsticks": ("yardsticks", "tuning"),
    "opponents": ("openspiel-match", "catanatron-match", "catanatron-replay", "catanatron-log"),
    "results": ("results",),
    "fuzz": ("fuzz", "twins", "acres-conservation", "arena-restarts"),
}

# ---- commands -------------------------------------------------------------------------------------------

SHORT = {"games": "-n", "jobs": "-j"}
HELP = {"seed": "seed of luck and agents", "jobs": "processes", "games": "number of games",
        "json": "print JSON instead of a table", "store": "keep results here, and continue with them"}


class BenchFailure(click.ClickException):
    """A command failed; the message is one line."""


def refused(why: str) -> click.UsageError:
    """Return the error for arguments that are wrong or cannot be combined."""
    return click.UsageError(why, click.get_current_context())


class BenchCommands(click.Group):
    """The group whose commands are defined in the modules."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands, ordered by subject."""
        return [name for names in MODULES.values() for name in names]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the module of a command and return it."""
        for module, names in MODULES.items():
            if cmd_name in names:
                found: click.Command = getattr(importlib.import_module(f"bench.{module}"), cmd_name.replace("-", "_"))
                return found
        return None


class Command(click.Command):
    """A command whose sequence options take all words up to the next option."""

    greedy: frozenset[str]

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Repeat the option before each value of a sequence, as click requires."""
        ctx.meta["words"] = tuple(args)
        words: list[str] = []
        flag, first = "", True
        for word in args:
            if word.startswith("-") and len(word) > 1:
                flag, first = word if word in self.greedy else "", True
            elif flag and not first:
                words.append(flag)
            else:
                first = False
            words.append(word)
        return super().parse_args(ctx, words)


def command(run: Callable[..., int | None]) -> Command:
    """Turn a function into a command."""
    asked = inspect.signature(run, eval_str=True).parameters.values()

    def call(**given: Any) -> int | None:
        places = [one for one in asked if one.kind is not one.KEYWORD_ONLY]
        words = [word for one in places for word in
                 (given.pop(one.name) if one.kind is one.VAR_POSITIONAL else [given.pop(one.name)])]
        return run(*words, **given)

    words = inspect.cleandoc(run.__doc__ or "")
    made = Command(run.__name__.replace("_", "-"), callback=call, params=[_parameter(one) for one in asked],
                   help="\b\n" + words.replace("\n\n", "\n\n\b\n"), short_help=words.split("\n\n")[0],
                   context_settings={"show_default": True, "max_content_width": 120})
    made.greedy = frozenset(flag for each in made.params if isinstance(each, click.Option) and each.multiple
                            and each.nargs == 1 for flag in each.opts)
    return made


def _parameter(one: inspect.Parameter) -> click.Parameter:
    """Read an annotation: a type, or `Annotated[type, "--flag", "help", IntRange(2, 4)]`; a sequence takes words."""
    hint, *words = get_args(one.annotation) if get_origin(one.annotation) is Annotated else (one.annotation,)
    default = None if one.default is one.empty else one.default
    inner = hint if get_origin(hint) is Literal else next(
        (each for each in get_args(hint) if each is not NoneType), hint)
    least = 1 if one.name != "seed" and (default is None or default) else 0
    kind: Any = {int: click.IntRange(least), float: click.FloatRange(0), Path: click.Path(path_type=Path)}.get(
        inner, inner)
    if get_origin(inner) is Literal:
        kind = click.Choice(get_args(inner))
    elif get_origin(inner) is tuple:
        kind = get_args(inner)
    kind = next((each for each in words if isinstance(each, click.ParamType)), kind)
    words = [each for each in words if isinstance(each, str)]
    if one.kind is not one.KEYWORD_ONLY:
        if one.kind is one.VAR_POSITIONAL:
            return click.Argument([one.name], type=kind, nargs=-1)
        return click.Argument([one.name], type=kind, **({} if one.default is one.empty else {"default": default}))
    flags = [each for each in words if each.startswith("-")] or [
        f"--{one.name.replace('_', '-')}", *filter(None, [SHORT.get(one.name) if inner in (int, hint) else None])]
    help_text = next((each for each in words if not each.startswith("-")), HELP.get(one.name, ""))
    if hint is bool:
        return click.Option([one.name, *flags], is_flag=True, help=help_text)
    return click.Option([one.name, *flags], type=kind, default=default, help=help_text,
                        multiple=get_origin(hint) is Sequence, required=one.default is one.empty)


@click.command("bench", cls=BenchCommands, invoke_without_command=True)
@click.pass_context
def program(context: click.Context) -> None:
    """Measure Sfida; `python -m bench NAME --help` says how."""
    if context.invoked_subcommand is None:
        print(context.get_help())


def main(words: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code; an error is reported in one line."""
    try:
        return int(program.main(words, "python -m bench", standalone_mode=False) or 0)
    except click.UsageError as error:
        where = error.ctx.command_path if error.ctx else "python -m bench"
        text, code = f"{error.format_message()} (see: {where} --help)", 2
    except click.ClickException as error:
        text, code = error.message, 1
    except (click.Abort, KeyboardInterrupt):
        text, code = "interrupted", INTERRUPTED
    except Exception as error:
        from sfida.cython_ext.errors import SfidaError

        if not isinstance(error, (SfidaError, OSError)):
            raise
        text, code = str(error), 1
    print(f"error: {' '.join(text.split())}", file=sys.stderr)
    return code


# ---- playing and printing -------------------------------------------------------------------------------


def run_all(work: Callable[..., Any], items: Iterable[Sequence[Any]], jobs: int) -> Generator[Any]:
    """Yield the result of a function for each tuple of arguments, in order, whatever the number of processes."""
    if jobs == 1:
        return (work(*item) for item in items)
    found: Generator[Any] = joblib.Parallel(n_jobs=jobs, return_as="generator")(
        joblib.delayed(work)(*item) for item in items)
    return found


def interval(blocks: Sequence[float], seed: int) -> tuple[float, float]:
    """Return the 95 % percentile bootstrap interval of a mean over blocks, the only independent parts of a match."""
    values = np.asarray(blocks)
    picks = np.random.default_rng(seed).integers(len(values), size=(RESAMPLES, len(values)))
    low, high = np.percentile(values[picks].mean(axis=1), [2.5, 97.5])
    return float(low), float(high)


def with_iterations(agent: str, iterations: int, more: str = "") -> str:
    """Return the spec of an agent with a budget and more parameters, as `k=v,k=v`."""
    return f"{agent}{',' if ':' in agent else ':'}iterations={iterations}" + (f",{more}" if more else "")


def print_head(*titles: str) -> None:
    """Print the head of a table."""
    print(f"| {' | '.join(titles)} |\n|{'---|' * len(titles)}", flush=True)


def print_row(*cells: object) -> None:
    """Print a row of a table."""
    print(f"| {' | '.join(map(str, cells))} |", flush=True)


# ---- kept results ---------------------------------------------------------------------------------------


def file_name(*words: str) -> str:
    """Return a file name made of these words."""
    return re.sub(r"\W+", "-", " ".join(words))


@contextlib.contextmanager
def folder_of(store: Path | None) -> Iterator[Path]:
    """Yield the folder in which results are kept, created if missing; without one, a temporary folder."""
    with tempfile.TemporaryDirectory(prefix="sfida-") as folder:
        if store is not None:
            store.mkdir(parents=True, exist_ok=True)
        yield store or Path(folder)


class ResultLines:
    """Results as lines of JSON, kept in a file or, without a path, in memory; a command continues from stored results.

    Parameters
    ----------
    path : Path, optional
        Created if missing. A line that a crash has left incomplete is dropped.
    about : dict, optional
        Description of the results, written as the first line. Raises BenchFailure if the file has another description.
    """

    def __init__(self, path: Path | None, about: dict[str, Any] | None = None) -> None:
        self.held: list[Any] = []
        self._path = path
        if path is None:
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        text = path.read_text("utf-8") if path.exists() else ""
        whole = text[:text.rfind("\n") + 1]
        try:
            self.held = [json.loads(line) for line in whole.splitlines()]
        except ValueError:
            raise BenchFailure(f"'{path}' holds no results of this command; name another file") from None
        if whole != text:
            os.truncate(path, len(whole.encode()))
        if about is not None and not whole:
            self._write(about)
        elif about is not None and (first := self.held.pop(0)) != about:
            raise BenchFailure(f"'{path}' holds other results: {json.dumps(first)}; name another file")

    def add(self, line: Any) -> None:
        """Keep a result."""
        self.held.append(line)
        if self._path is not None:
            self._write(line)

    def _write(self, line: Any) -> None:
        assert self._path is not None
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line, separators=(",", ":")) + "\n")


def state_in(path: Path | None, seed: int) -> Any:
    """Return the state written by `keep_state`, or None; raises an error if it belongs to another seed."""
    if path is None or not path.exists():
        return None
    try:
        found = json.loads(path.read_text("utf-8"))
        held = found["seed"]
    except (ValueError, KeyError, TypeError):
        raise refused(f"'{path}' holds no state of this command; name another file") from None
    if held != seed:
        raise refused(f"'{path}' is of seed {held}, not {seed}; name another file or --seed {held}")
    return found


def keep_state(path: Path | None, data: dict[str, Any]) -> None:
    """Write a state so that an interruption leaves either the old file or the new one."""
    if path is not None:
        other = path.with_name(f"{path.name}.new")
        other.write_text(json.dumps(data) + "\n", encoding="utf-8")
        other.replace(path)
