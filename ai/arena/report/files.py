"""Writing a file whole or not at all."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path


def write_whole(path: Path, text: str) -> Path:
    """Write a file of UTF-8 text, replacing what was there in one step, and return its path.

    Line ends are kept as they are. What cannot be encoded becomes a question mark.

    Raises
    ------
    OSError
        If that fails; the file is then as it was.
    """
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        draft.write_bytes(text.encode("utf-8", "replace"))
        draft.replace(path)
    except OSError as error:
        with contextlib.suppress(OSError):
            draft.unlink(missing_ok=True)
        raise OSError(error.errno, error.strerror, str(path)) from error
    return path
