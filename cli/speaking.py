"""`--lang`: the language of the words that a command writes for people."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click
from click.core import ParameterSource

from sfida.engines.language import LANGUAGES, speaking

VARIABLE = "SFIDA_LANG"
Command = TypeVar("Command", bound=Callable[..., Any])


def lang_option(command: Command) -> Command:
    """Add `--lang`, which may stand before or after the command's name; what stands after it counts."""
    return click.option("--lang", type=click.Choice(LANGUAGES), envvar=VARIABLE, expose_value=False, callback=_speak,
                        help="Language of the words for people; notation, records and JSON are the same in all.  "
                        f"[default: {VARIABLE}, else en]")(command)


def _speak(context: click.Context, _parameter: click.Parameter, value: str | None) -> None:
    named = context.get_parameter_source("lang") == ParameterSource.COMMANDLINE
    if value is not None and (named or context.parent is None):
        context.find_root().with_resource(speaking(value))
