"""Other people's programs kept from writing on the screen."""

from __future__ import annotations

import contextlib
import io
import os
import warnings
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def silence() -> Iterator[None]:
    """Discard what a library in C++ writes to standard error about an exception that is dealt with here."""
    try:
        kept = os.dup(2)
    except OSError:                     # closed by the caller
        yield
        return
    with Path(os.devnull).open("wb") as nowhere:
        os.dup2(nowhere.fileno(), 2)
        try:
            yield
        finally:
            os.dup2(kept, 2)
            os.close(kept)


@contextlib.contextmanager
def quietly() -> Iterator[None]:
    """Discard warnings and all that is printed."""
    with silence(), warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()), \
            contextlib.redirect_stderr(io.StringIO()):
        warnings.simplefilter("ignore")
        yield
