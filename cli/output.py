"""Output of the program: results to standard output, notes to standard error, styled, safe to show, in a language.

Every character written here is visible: characters that would control the terminal are written as escapes.
"""

from __future__ import annotations

import io
import os
import shutil
import string
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import IO, Any, TypeVar, cast

import click
import rich.table
import rich.text
from click.core import ParameterSource
from rich.box import SIMPLE_HEAD
from rich.console import Console

from sfida.cli.errors import OutputClosed, on_one_line
from sfida.cli.file_options import check_outputs
from sfida.engines.drawing.terminal import plain
from sfida.engines.language import ENGLISH, LANGUAGES, _, speaking
from sfida.engines.spec import quoted
from sfida.engines.untrusted import json_text, visible, visible_drawing

# ---- Styled text and tables that show every character: their contents cannot control the terminal


class Text(rich.text.Text):
    """A line of styled text; invisible characters in it are written as escapes."""

    def __init__(self, text: str = "", style: Any = "", **more: Any) -> None:
        super().__init__(visible(text), style, **more)

    def append(self, text: str | rich.text.Text, style: Any = None) -> Text:
        """Append a text in place and return self."""
        super().append(visible(text) if isinstance(text, str) else text, style)
        return self

    def append_text(self, text: rich.text.Text) -> Text:
        """Append a text with its styles in place and return self."""
        super().append_text(text)
        return self

    def join(self, lines: Iterable[rich.text.Text]) -> Text:
        """Return texts joined by this one."""
        return cast(Text, super().join(lines))

    def blank_copy(self, plain: str = "") -> Text:
        """Return another text of the same style and class, so that texts which rich derives from it are safe, too."""
        return Text(plain, self.style, justify=self.justify, overflow=self.overflow, no_wrap=self.no_wrap,
                    end=self.end, tab_size=self.tab_size)


def sentence(message: str, **values: object) -> Text:
    """Return a message with values, such as styled texts, in place of their names in braces."""
    text = Text()
    for literal, name, form, _conversion in string.Formatter().parse(message):
        text.append(literal)
        if name is not None:
            value = values[name]
            text.append(value if isinstance(value, rich.text.Text) else format(value, form or ""))
    return text


class ScreenTable(rich.table.Table):
    """A table whose cells are `Text`."""

    def add_column(self, header: Any = "", *more: Any, **options: Any) -> None:
        """Add a column."""
        super().add_column(_seen(header), *more, **options)

    def add_row(self, *cells: Any, **options: Any) -> None:
        """Add a row."""
        super().add_row(*map(_seen, cells), **options)


def _seen(cell: Any) -> Any:
    return Text(cell) if isinstance(cell, str) else cell


# ---- `--lang`: the language of the words that a command writes for people

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
    if value is not None and (typed or context.parent is None):     # the environment was read before
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


# ---- Output: results to standard output, progress and notes to standard error, with or without colour

SCHEMA = 1
MOST = 10**18           # maximum number for an option without a limit
MOST_JOBS = 1024        # maximum number of processes that a command starts
_NARROWEST = 8          # minimum columns for wrapping words
MIN_WIDTH, MIN_HEIGHT = 40, 10
PIPE_WIDTH, PIPE_HEIGHT = 100, 10_000      # columns and lines without a terminal
_SEAT_STYLES = ("bold red", "bold blue", "bold yellow", "bold green", "bold magenta", "bold cyan")
_NAMED_STYLES = {
    "red": "bold red", "blue": "bold blue", "yellow": "bold yellow", "green": "bold green",
    "black": "bold bright_black", "white": "bold", "gray": "bold bright_black", "grey": "bold bright_black",
    "orange": "bold dark_orange", "purple": "bold magenta", "pink": "bold bright_magenta",
    "brown": "bold orange4", "x": "bold cyan", "o": "bold magenta",
}


def wants_color(choice: str, stream: IO[str], environment: Mapping[str, str]) -> bool:
    """Decide on colour: first by the flag, then by NO_COLOR, FORCE_COLOR and the kind of stream."""
    if choice != "auto":
        return choice == "always"
    if environment.get("NO_COLOR"):
        return False
    if environment.get("FORCE_COLOR", "0") not in ("", "0"):
        return True
    return is_terminal(stream) and environment.get("TERM") != "dumb"


def is_terminal(stream: IO[str] | None) -> bool:
    """Return whether a stream is a terminal; a closed or missing one is not."""
    try:
        return stream is not None and stream.isatty()
    except ValueError:
        return False


def takes_only_ascii(stream: IO[str], environment: Mapping[str, str]) -> bool:
    """Return whether a stream takes only ASCII: by its encoding, or, at a terminal, by LC_ALL.

    With LC_ALL=C Python itself writes UTF-8.
    """
    if "utf" not in (getattr(stream, "encoding", None) or "utf-8").lower():
        return True
    return is_terminal(stream) and environment.get("LC_ALL") in ("C", "POSIX")


class _Ascii:
    """A stream that receives all text in ASCII."""

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        return self._stream.write(plain(text))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def _written(stream: IO[str]) -> IO[str]:
    """Return the stream to which texts for people are written."""
    return cast("IO[str]", _Ascii(stream)) if takes_only_ascii(stream, os.environ) else stream


class _Console(Console):
    def on_broken_pipe(self) -> None:
        raise OutputClosed


@dataclass(frozen=True)
class Output:
    """The two streams of one run of the program."""

    color_choice: str = "auto"
    json: bool = False

    # ---- results ------------------------------------------------------------------------------

    @property
    def _stream(self) -> IO[str]:
        """The stream for results."""
        return sys.stdout

    @property
    def color(self) -> bool:
        """Whether results are coloured."""
        return wants_color(self.color_choice, self._stream, os.environ)

    @property
    def _wraps(self) -> bool:
        """Whether long lines are wrapped, because people read them at a terminal."""
        return is_terminal(self._stream)

    @property
    def width(self) -> int:
        """Columns available."""
        return max(MIN_WIDTH, self._size.columns)

    @property
    def height(self) -> int:
        """Lines of the screen."""
        return max(MIN_HEIGHT, self._size.lines)

    @property
    def _size(self) -> os.terminal_size:
        return shutil.get_terminal_size((80, 24) if is_terminal(sys.stdout) else (PIPE_WIDTH, PIPE_HEIGHT))

    def emit(self, event: Mapping[str, Any]) -> None:
        """Write one JSON object as one line and flush."""
        ascii_only = "utf" not in (getattr(sys.stdout, "encoding", None) or "utf-8").lower()
        write(sys.stdout, json_text({"schema": SCHEMA, **event}, ascii_only=ascii_only) + "\n")

    def line(self, text: str | Text = "", style: str = "") -> None:
        """Write a line of the result."""
        self._console(self._stream, self.color).print(_text(text), style=style or None, soft_wrap=True)

    def wrapped(self, text: str | Text) -> None:
        """Write a paragraph of the result, wrapped to fit the width."""
        self._console(self._stream, self.color).print(_text(text))

    def hanging(self, text: Text, indent: int) -> int:
        """Write a line of the result, at a terminal wrapped at words and indented; return the number of lines.

        Parameters
        ----------
        text : Text
            Its first `indent` characters, such as a number, stand in front of the paragraph.
        indent : int
        """
        room = self.width - indent
        if not self._wraps or text.cell_len <= self.width or room < _NARROWEST:
            self.line(text)
            return 1
        parts = text[indent:].wrap(self._console(self._stream, self.color), room)
        for number, part in enumerate(parts):
            self.line((Text() if number else Text().append_text(text[:indent])).append(
                " " * indent if number else "").append_text(part))
        return len(parts)

    def raw(self, text: str) -> None:
        """Write text that is already drawn: several lines, which may hold colour codes."""
        ended = text if text.endswith("\n") or not text else text + "\n"
        write(_written(self._stream), visible_drawing(ended, self.color))

    def table(self, table: ScreenTable) -> None:
        """Write a table."""
        write(_written(self._stream), _rendered(self._console(self._stream, self.color), table))

    def clear(self, past: bool = True) -> None:
        """Clear the screen, or at least scroll its contents out of sight; `past`: clear the scrolled lines, too."""
        signs = "\x1b[2J\x1b[3J\x1b[H" if past else "\x1b[H\x1b[2J"
        write(self._stream, signs if os.environ.get("TERM") != "dumb" else "\n" * 100)

    # ---- progress and notes -------------------------------------------------------------------

    @property
    def error_color(self) -> bool:
        """Whether standard error is coloured."""
        return wants_color(self.color_choice, sys.stderr, os.environ)

    @property
    def live(self) -> bool:
        """Whether a line of progress may replace the previous one on standard error."""
        return is_terminal(sys.stderr) and os.environ.get("TERM") != "dumb"

    def progress(self, text: str) -> None:
        """Draw a line over the previous one on standard error, if that is possible; "" erases it."""
        if self.live:
            _written(sys.stderr).write("\r\x1b[K" + visible(text)[:self.to_stderr().width - 1])
            sys.stderr.flush()

    def note(self, text: str | Text) -> None:
        """Write a line about the run that is not part of its result."""
        self._console(sys.stderr, self.error_color).print(_text(text), style="dim", soft_wrap=True)

    def complain(self, message: str) -> None:
        """Write an error line and continue."""
        self._console(sys.stderr, self.error_color).print(Text().append(_("error:") + " ", "bold red").append(
            on_one_line(message)), soft_wrap=not is_terminal(sys.stderr))     # wrap at words for people

    def to_stderr(self) -> Output:
        """Return an output whose results go to standard error, for people watching while JSON is written."""
        return _ErrorOutput(self.color_choice, json=False)

    def _console(self, stream: IO[str], color: bool) -> Console:
        return _Console(file=_written(stream), force_terminal=color, no_color=not color, highlight=False, markup=False,
                        emoji=False, width=self.width, legacy_windows=False,
                        color_system="auto" if color and is_terminal(stream) else "256" if color else None)


class _ErrorOutput(Output):
    """An output that writes everything to standard error."""

    @property
    def _stream(self) -> IO[str]:
        return sys.stderr

    @property
    def _size(self) -> os.terminal_size:
        try:
            return os.get_terminal_size(sys.stderr.fileno())
        except (OSError, ValueError):
            return super()._size


@dataclass(frozen=True)
class Draft(Output):
    """An output that keeps in memory the text that another output would show.

    Attributes
    ----------
    target : Output
    room : int
        Columns, if fewer than the target has; 0 otherwise.
    text : io.StringIO
    """

    target: Output = field(default_factory=Output)
    room: int = 0
    text: io.StringIO = field(default_factory=io.StringIO)

    @property
    def _stream(self) -> IO[str]:
        return self.text

    @property
    def color(self) -> bool:
        return self.target.color

    @property
    def _wraps(self) -> bool:
        return bool(self.room) or self.target._wraps

    @property
    def width(self) -> int:
        return self.room or self.target.width

    @property
    def _size(self) -> os.terminal_size:
        return self.target._size

    @property
    def lines(self) -> list[str]:
        """The lines written so far."""
        return self.text.getvalue().splitlines()


def _text(text: str | Text) -> Text:
    return Text(text) if isinstance(text, str) else text


def _rendered(console: Console, table: ScreenTable) -> str:
    """Return a table as text, without the blanks that pad its last column."""
    with console.capture() as capture:
        console.print(table)
    return "".join(f"{line.rstrip()}\n" for line in capture.get().splitlines())


def write(stream: IO[str], text: str) -> None:
    """Write and flush; raises OutputClosed if the reader is gone."""
    try:
        stream.write(text)
        stream.flush()
    except BrokenPipeError:
        raise OutputClosed from None


def simple_table(*columns: str | Text, right: tuple[str, ...] = (), title: str | None = None) -> ScreenTable:
    """Return an empty table in the house style; the columns named in `right` are numbers."""
    table = ScreenTable(box=SIMPLE_HEAD, show_edge=False, title=title, title_justify="left", title_style="bold",
                        pad_edge=False, header_style="bold")
    for name in columns:
        numeric = str(name) in right
        table.add_column(name, justify="right" if numeric else "left", overflow="fold", no_wrap=numeric)
    return table


def measures(rows: Sequence[tuple[str, str, str]], heads: Sequence[str],
             columns: Sequence[Mapping[str, Any]]) -> ScreenTable:
    """Return measurements side by side: `rows` holds the title, the key and the format of each."""
    table = simple_table("", *heads, right=tuple(heads))
    for title, key, form in rows:
        table.add_row(title, *(form.format(column[key]) for column in columns))
    return table


def seat_style(name: str, seat: int) -> str:
    """Return the colour of a seat's name: the colour that it is named after, if any."""
    return _NAMED_STYLES.get(name.strip().lower(), _SEAT_STYLES[seat % len(_SEAT_STYLES)])


def percent(share: float) -> str:
    """Return a share as a whole percentage."""
    return f"{100 * share:.0f} %"


def number(value: float) -> str:
    """Return a number for people: whole numbers without a fraction."""
    return f"{int(value)}" if float(value).is_integer() else f"{value:g}"


# ---- options that commands share --------------------------------------------------------------


class Number(click.ParamType):   # type: ignore[type-arg]
    """A number on the command line; the error for a wrong number says which numbers are allowed.

    Parameters
    ----------
    kind : type
        int or float.
    low : int or float
        The least allowed integer; a float must be greater.
    high : int or float
        The greatest allowed number.
    """

    name = "number"

    def __init__(self, kind: type[int] | type[float], low: float, high: float = MOST) -> None:
        self._kind = kind
        self._low = low
        self._high = high

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int | float:
        """Return the number; a text that is not a number ends the command."""
        try:
            result = self._kind(value)
        except ValueError:              # no number, or one of thousands of digits
            result = self._kind(self._high + 1 if str(value).isdecimal() else self._low - 1)
        above = result > self._high
        if above or not (result >= self._low if self._kind is int else self._low < result < float("inf")):
            whole = self._kind is int
            right = (f"a whole number from {self._low} to {self._high}" if above and whole else
                     f"a whole number of at least {self._low}" if whole else
                     f"a number greater than {self._low:g}" + (f" and at most {self._high:g}" if above else ""))
            self.fail(f"{quoted(value)} is not {right}", param, ctx)
        return result


def json_option(command: Command) -> Command:
    """Add `--json`."""
    return click.option("--json", "as_json", is_flag=True, help="Write JSON Lines instead of text.")(command)


def all_option(command: Command) -> Command:
    """Add `--all` to a command that lists entries and takes the name of one."""
    return click.option("--all", "everything", is_flag=True,
                        help="List all of them with all their options, as --json does.")(command)


def color_option(command: Command) -> Command:
    """Add `--color`, which may stand before or after the command's name."""
    return click.option("--color", type=click.Choice(["auto", "always", "never"]), expose_value=False,
                        callback=_keep_color, help="Whether to colour the output.  [default: auto, which honours "
                        "NO_COLOR, FORCE_COLOR and TERM=dumb]")(command)


def _keep_color(context: click.Context, _parameter: click.Parameter, value: str | None) -> None:
    if value is not None:
        context.meta["sfida.color"] = value


def output_for(context: click.Context, as_json: bool) -> Output:
    """Check the files of a command and return the output that its options ask for; JSON is in English."""
    check_outputs(context)
    if as_json:
        speak(context, ENGLISH)
    return Output(context.meta.get("sfida.color", "auto"), as_json)
