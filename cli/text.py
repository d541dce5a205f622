"""Styled text and tables that show every character: nothing that is put into them controls the terminal."""

from __future__ import annotations

import string
from collections.abc import Iterable
from typing import Any, cast

import rich.table
import rich.text

from sfida.engines.visible import visible


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
        """Return another text of the same style and class, so that what rich makes of this one is safe, too."""
        return Text(plain, self.style, justify=self.justify, overflow=self.overflow, no_wrap=self.no_wrap,
                    end=self.end, tab_size=self.tab_size)


def sentence(message: str, **values: object) -> Text:
    """Return a message with values, such as styled texts, put in where their names stand in braces."""
    text = Text()
    for literal, name, form, _conversion in string.Formatter().parse(message):
        text.append(literal)
        if name is not None:
            value = values[name]
            text.append(value if isinstance(value, rich.text.Text) else format(value, form or ""))
    return text


class Table(rich.table.Table):
    """A table whose cells are such `Text`."""

    def add_column(self, header: Any = "", *more: Any, **options: Any) -> None:
        """Add a column."""
        super().add_column(_seen(header), *more, **options)

    def add_row(self, *cells: Any, **options: Any) -> None:
        """Add a row."""
        super().add_row(*map(_seen, cells), **options)


def _seen(cell: Any) -> Any:
    return Text(cell) if isinstance(cell, str) else cell
