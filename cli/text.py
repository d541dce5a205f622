"""Styled text and tables in which everything can be seen: nothing that is put into them steers a terminal."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, cast

import rich.table
import rich.text

from sfida.engines.visible import visible


class Text(rich.text.Text):
    """A line of styled text; what cannot be seen in the text that it is given becomes an escape."""

    def __init__(self, text: str = "", style: Any = "", **more: Any) -> None:
        super().__init__(visible(text), style, **more)

    def append(self, text: str | rich.text.Text, style: Any = None) -> Text:
        """Add a text to the end, which is changed in place, and return it."""
        super().append(visible(text) if isinstance(text, str) else text, style)
        return self

    def append_text(self, text: rich.text.Text) -> Text:
        """Add a text with its styles to the end, which is changed in place, and return it."""
        super().append_text(text)
        return self

    def join(self, lines: Iterable[rich.text.Text]) -> Text:
        """Return texts with this one between them."""
        return cast(Text, super().join(lines))

    def blank_copy(self, plain: str = "") -> Text:
        """Return another text of the same style; what rich makes of this one is as safe as this one."""
        return Text(plain, self.style, justify=self.justify, overflow=self.overflow, no_wrap=self.no_wrap,
                    end=self.end, tab_size=self.tab_size)


class Table(rich.table.Table):
    """A table whose cells are such texts."""

    def add_column(self, header: Any = "", *more: Any, **options: Any) -> None:
        """Add a column."""
        super().add_column(_seen(header), *more, **options)

    def add_row(self, *cells: Any, **options: Any) -> None:
        """Add a row."""
        super().add_row(*map(_seen, cells), **options)


def _seen(cell: Any) -> Any:
    return Text(cell) if isinstance(cell, str) else cell
