"""Files as arguments and options of the commands."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import click

from sfida.engines.spec import shown


class FilePath(click.Path):
    """The path of a file or folder; a name that no file can have is refused with a one-line error.

    Parameters
    ----------
    file_okay, dir_okay : bool
        Whether an existing path may be a file, or a folder.
    """

    def __init__(self, *, file_okay: bool = True, dir_okay: bool = True) -> None:
        super().__init__(path_type=Path, file_okay=file_okay, dir_okay=dir_okay)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the path; a text that cannot be a path ends the command."""
        try:
            unusable = b"\0" in os.fsencode(value)
        except UnicodeEncodeError:
            unusable = True
        if unusable:
            self.fail(f"no file can have the name {shown(value)}", param, ctx)
        return super().convert(value, param, ctx)
