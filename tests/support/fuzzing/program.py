"""The program `sfida` run in this process, and the checks of its result."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from unittest import mock

from click.testing import CliRunner

from sfida.ai import advice
from sfida.cli import lines, play
from sfida.cli.main import main
from support.fuzzing.case import LONGEST_ERROR, Broken, Case, check_quotes, check_words

CODES = (0, 1, 2, 130)
QUICK = "ismcts:iterations=20"
COLORED = ("--color", "FORCE_COLOR")


@dataclass(frozen=True)
class Ran:
    """The result of a run."""

    code: int
    out: str
    err: str

    @property
    def errors(self) -> list[str]:
        """The error lines, without colours."""
        return [line for line in re.sub(r"\x1b\[[0-9;]*m", "", self.err).splitlines()
                if line.startswith(("error:", "errore:"))]


def run(case: Case, *words: str, typed: str | bytes = "", terminal: bool = False, asked: bool = False,
        environment: Mapping[str, str] | None = None) -> Ran:
    """Run the program and check its result.

    Parameters
    ----------
    case : Case
    *words : str
        The command line.
    typed : str or bytes
        Standard input.
    terminal : bool
        Let the program believe that a person sits at a terminal.
    asked : bool
        The program continues after a line that it refuses, so that it may report several errors.
    environment : mapping, optional
        Variables besides those that keep the program in the folder of the case.

    Raises
    ------
    Broken
        If the program had an effect that no command line, input or file may have.
    """
    case.note(f"sfida {' '.join(map(repr, words))}" + (f" <<< {typed!r}" if typed else ""))
    held = {"HOME": str(case.folder / "home"), "XDG_STATE_HOME": str(case.folder / "state"), "TERM": "dumb",
            "COLUMNS": None, "NO_COLOR": None, "FORCE_COLOR": None, **(environment or {})}
    if isinstance(typed, str):
        typed = typed.encode("utf-8", "surrogatepass")
    with _quick(), mock.patch.object(lines, "is_terminal", return_value=terminal):
        result = CliRunner().invoke(main, list(words), input=typed, env=held, prog_name="sfida")
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    ran = Ran(result.exit_code, _read(result.stdout_bytes), _read(result.stderr_bytes))
    for error in ran.errors:
        check_quotes(error, "\n".join((*words, _read(typed))), "an error line")
    check(ran, asked=asked, color=any(word.startswith(COLORED) for word in (*words, *(environment or ()))))
    return ran


def check(ran: Ran, *, asked: bool = False, color: bool = False) -> None:
    """Raise Broken if the result of a run is forbidden."""
    if ran.code not in CODES:
        raise Broken(f"exit code {ran.code}: {ran.err[-300:]}")
    if "Traceback (most recent call last)" in ran.out + ran.err:
        raise Broken(f"a traceback: {(ran.out + ran.err)[-600:]}")
    errors = ran.errors
    for error in errors:
        if len(error) > LONGEST_ERROR:
            raise Broken(f"an error line of {len(error)} characters: {error[:200]}...")
    if not asked and len(errors) != (ran.code != 0):
        raise Broken(f"{len(errors)} error lines and exit code {ran.code}: {ran.err[-300:]!r}")
    check_words(ran.out, "standard output", color=color)
    check_words(ran.err, "standard error", color=color)


def _read(written: bytes) -> str:
    return written.decode("utf-8", "surrogateescape")


@contextlib.contextmanager
def _quick() -> Iterator[None]:
    """Let default agents think only briefly."""
    with mock.patch.object(advice, "HINT_AGENT", QUICK), mock.patch.object(play, "DEFAULT_AGENT", QUICK):
        yield


def unchanged(before: Mapping[Any, bytes], words: Sequence[str] = ()) -> None:
    """Raise Broken unless these files still hold these bytes."""
    for path, held in before.items():
        if not path.exists():
            raise Broken(f"{path.name} is gone ({' '.join(words)})")
        if path.read_bytes() != held:
            raise Broken(f"{path.name} was changed ({' '.join(words)})")
