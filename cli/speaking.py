"""`--lang`: the language of the words that a command writes for people."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click
from click.core import ParameterSource

from sfida.engines.language import ENGLISH, LANGUAGES, speaking

VARIABLE = "SFIDA_LANG"
_SPOKEN = "sfida.spoken"
Command = TypeVar("Command", bound=Callable[..., Any])


def lang_option(command: Command) -> Command:
    """Add `--lang`, which may stand before or after the command's name; commands without it speak English."""
    return click.option("--lang", type=click.Choice(LANGUAGES), envvar=VARIABLE, expose_value=False, callback=_speak,
                        help="Language of the words for people; notation, records and JSON are the same in all.  "
                        f"[default: {VARIABLE}, else en]")(command)


def _speak(context: click.Context, _parameter: click.Parameter, value: str | None) -> None:
    typed = context.get_parameter_source("lang") is ParameterSource.COMMANDLINE
    if value is not None and (typed or context.parent is None):     # the environment has spoken before
        context.meta["sfida.lang"] = value
    if context.parent is not None:
        speak(context, context.meta.get("sfida.lang", ENGLISH))


def speak(context: click.Context, code: str) -> None:
    """Speak a language while a command runs, and in the line of its error (`spoken`)."""
    context.with_resource(speaking(code))
    context.meta[_SPOKEN] = code


def spoken(context: click.Context) -> str:
    """Return the language that the command below a context speaks, or spoke until it failed."""
    return str(context.meta.get(_SPOKEN, ENGLISH))
